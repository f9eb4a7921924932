/* How far the clocks of two machines are apart, as the user said, kept for when both are opened
 * again.
 *
 * It is a view of both: either of them may be the one that the other is told by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-pair-clock.h"

#include "export/ns-view-file.h"

#include <string.h>

#define OFFSET_KEY "clock-offset"

/* What both are known by. What is kept counts from the one whose own key is the lesser. */
static char *
dup_key (const NsTrace *first, const NsTrace *second, gboolean *is_turned)
{
  g_autofree char *one = ns_view_file_identify (first);
  g_autofree char *other = ns_view_file_identify (second);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  *is_turned = strcmp (one, other) > 0;
  g_checksum_update (sum, (const guchar *) (*is_turned ? other : one), -1);
  g_checksum_update (sum, (const guchar *) (*is_turned ? one : other), -1);
  return g_strdup (g_checksum_get_string (sum));
}

/**
 * ns_pair_clock_read:
 * @first: a trace
 * @second: one of another machine
 * @offset_ns: (out): what is to be added to the times of @second besides what the wall clocks
 *   differ by; of no meaning when nothing was kept
 *
 * Returns: whether the user said so when both were open the last time
 */
gboolean
ns_pair_clock_read (const NsTrace *first, const NsTrace *second, gint64 *offset_ns)
{
  gboolean is_turned;
  g_autofree char *key = dup_key (first, second, &is_turned);
  g_autoptr (GVariant) view = ns_view_file_read (key);

  if (view == NULL || !g_variant_lookup (view, OFFSET_KEY, "x", offset_ns) ||
      *offset_ns == G_MININT64)
    return FALSE;
  if (is_turned)
    *offset_ns = -*offset_ns;
  return TRUE;
}

/**
 * ns_pair_clock_write:
 * @first: a trace
 * @second: one of another machine
 * @offset_ns: (nullable): what is to be added to the times of @second besides what the wall clocks
 *   differ by; %NULL: what was kept is forgotten
 *
 * Keeps it for when both are opened again, whichever of them is first then.
 */
void
ns_pair_clock_write (const NsTrace *first, const NsTrace *second, const gint64 *offset_ns)
{
  gboolean is_turned;
  g_autofree char *key = dup_key (first, second, &is_turned);
  g_autoptr (GVariant) view = NULL;
  g_autoptr (GError) error = NULL;
  GVariantDict dict;

  if (offset_ns == NULL)
    {
      ns_view_file_forget (key);
      return;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, OFFSET_KEY, "x", is_turned ? -*offset_ns : *offset_ns);
  view = g_variant_ref_sink (g_variant_dict_end (&dict));
  /* A full disk takes nothing from anybody but the memory of a clock. */
  if (!ns_view_file_write (key, view, &error))
    g_info ("the clock was not kept: %s", error->message);
}
