/* Stores the manual clock offset between the traces of two machines.
 *
 * It is stored as a view with a key for both traces; either of them may be the reference clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-pair-clock.h"

#include "export/ns-view-file.h"

#include <string.h>

#define OFFSET_KEY "clock-offset"

/* Returns the key of both traces. The stored offset is relative to the trace with the smaller key;
 * @is_turned: that is @second. */
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
 * @second: a trace of another machine
 * @offset_ns: (out): added to the times of @second on top of the difference of the wall clocks;
 *   undefined if nothing was stored
 *
 * Returns: whether an offset was stored
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
 * @second: a trace of another machine
 * @offset_ns: (nullable): added to the times of @second on top of the difference of the wall
 *   clocks; %NULL removes the stored offset
 *
 * Stores the offset for the next time that both are opened, in any order.
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
  /* Not reported to the user: only the offset is lost. */
  if (!ns_view_file_write (key, view, &error))
    g_info ("the clock was not kept: %s", error->message);
}
