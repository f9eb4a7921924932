/* Legend of the overview strip, for the window and for pictures.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-overview-legend.h"

#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>

static char *
dup_count (guint64 number)
{
  GString *text = g_string_new (NULL);

  ns_field_append_grouped (text, number);
  return g_string_free (text, FALSE);
}

static char *
dup_counts (const NsOverviewBins *bins)
{
  g_autofree char *peak = dup_count ((guint64) MAX (bins->peak_counts_per_second + 0.5, 1));

  /* Translators: the peak number per second. */
  return bins->counts_events ? g_strdup_printf (_ ("Events, peak %s/s"), peak)
                             : g_strdup_printf (_ ("Operations, peak %s/s"), peak);
}

/* Formats the peak rates. Both have the same scale and unit, which follows the second one. */
static void
set_bytes (const NsOverviewBins *bins, char **legend)
{
  static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };
  double received = bins->peak_per_second;
  double sent = bins->sent_peak_per_second;
  guint i = 0;

  for (; MAX (received, sent) >= 999.5 && i + 1 < G_N_ELEMENTS (units); i++)
    {
      received /= 1000;
      sent /= 1000;
    }
  if (bins->peak_per_second > 0 && bins->sent_peak_per_second > 0)
    {
      /* Translators: the peak rate in bytes per second; the unit follows in “Sent 1.9 MB/s”. */
      legend[NS_TIMELINE_LEGEND_RECEIVED] = g_strdup_printf (_ ("Received %.1f"), received);
      legend[NS_TIMELINE_LEGEND_RECEIVED_ALONE] =
          g_strdup_printf (_ ("Received %.1f %s"), received, units[i]);
    }
  else if (bins->peak_per_second > 0)
    /* Translators: the peak rate in bytes per second, such as “8.4 MB/s”. */
    legend[NS_TIMELINE_LEGEND_RECEIVED] =
        g_strdup_printf (_ ("Received %.1f %s"), received, units[i]);
  if (bins->sent_peak_per_second > 0)
    /* Translators: the peak rate in bytes per second, such as “1.9 MB/s”. */
    legend[NS_TIMELINE_LEGEND_SENT] = g_strdup_printf (_ ("Sent %.1f %s"), sent, units[i]);
}

/**
 * ns_overview_legend_fill:
 * @bins: contents of the strip
 * @n_lost: number of events that the session lost
 * @has_gaps: whether a part of the file is missing
 * @legend: (out): texts of the items that the strip shows, to be freed with
 *   ns_overview_legend_clear(); %NULL for the others
 */
void
ns_overview_legend_fill (const NsOverviewBins *bins,
                         guint32 n_lost,
                         gboolean has_gaps,
                         char *legend[NS_TIMELINE_N_LEGENDS])
{
  g_autofree char *failed = dup_count (bins->n_failed);
  g_autofree char *lost = dup_count (n_lost);
  g_autofree char *open = dup_count (bins->most_connections);
  guint i;

  for (i = 0; i < NS_TIMELINE_N_LEGENDS; i++)
    legend[i] = NULL;
  if (bins->most_counts > 0)
    legend[NS_TIMELINE_LEGEND_COUNTS] = dup_counts (bins);
  if (bins->most_bytes > 0)
    set_bytes (bins, legend);
  if (bins->n_failed > 0)
    legend[NS_TIMELINE_LEGEND_FAILED] =
        g_strdup_printf (ngettext ("%s failed", "%s failed", bins->n_failed), failed);
  if (n_lost > 0)
    legend[NS_TIMELINE_LEGEND_LOST] =
        g_strdup_printf (ngettext ("%s lost", "%s lost", n_lost), lost);
  else if (has_gaps)
    legend[NS_TIMELINE_LEGEND_LOST] = g_strdup (_ ("missing"));
  if (bins->most_connections > 0)
    /* Translators: the maximum number of connections open at the same time. */
    legend[NS_TIMELINE_LEGEND_OPEN] =
        g_strdup_printf (ngettext ("%s open", "%s open", bins->most_connections), open);
}

/**
 * ns_overview_legend_clear:
 * @legend: texts
 *
 * Frees the texts.
 */
void
ns_overview_legend_clear (char *legend[NS_TIMELINE_N_LEGENDS])
{
  guint i;

  for (i = 0; i < NS_TIMELINE_N_LEGENDS; i++)
    g_clear_pointer (&legend[i], g_free);
}
