/* What the timeline says in words: what its strip shows, and why it is empty.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>

static guint32
count_lost (NsTimeline *self)
{
  NsTrace *trace = ns_session_get_trace (self->session);

  return trace->file != NULL ? ns_etl_file_get_header (trace->file)->events_lost : 0;
}

/* Forgets what stands below the title of the overview. */
void
ns_timeline_clear_legend (NsTimeline *self)
{
  guint i;

  for (i = 0; i < NS_TIMELINE_N_LEGENDS; i++)
    g_clear_pointer (&self->legend[i], g_free);
}

static char *
dup_counts (const NsOverviewBins *bins)
{
  g_autofree char *peak = ns_words_count ((guint64) MAX (bins->peak_counts_per_second, 1));

  /* Translators: how many a second, at their highest. */
  return bins->counts_events ? g_strdup_printf (_ ("Events, peak %s/s"), peak)
                             : g_strdup_printf (_ ("Operations, peak %s/s"), peak);
}

/* Both are drawn on one scale and told in one unit, which stands behind the last. */
static void
set_bytes (NsTimeline *self)
{
  static const char *const units[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s" };
  const NsOverviewBins *bins = &self->overview;
  double received = bins->peak_per_second;
  double sent = bins->sent_peak_per_second;
  guint i = 0;

  for (; MAX (received, sent) >= 999.5 && i + 1 < G_N_ELEMENTS (units); i++)
    {
      received /= 1000;
      sent /= 1000;
    }
  if (bins->peak_per_second > 0 && bins->sent_peak_per_second > 0)
    /* Translators: bytes a second at their highest; the unit follows in “Sent 1.9 MB/s”. */
    self->legend[NS_TIMELINE_LEGEND_RECEIVED] = g_strdup_printf (_ ("Received %.1f"), received);
  else if (bins->peak_per_second > 0)
    /* Translators: bytes a second at their highest, such as “8.4 MB/s”. */
    self->legend[NS_TIMELINE_LEGEND_RECEIVED] =
        g_strdup_printf (_ ("Received %.1f %s"), received, units[i]);
  if (bins->sent_peak_per_second > 0)
    /* Translators: bytes a second at their highest, such as “1.9 MB/s”. */
    self->legend[NS_TIMELINE_LEGEND_SENT] = g_strdup_printf (_ ("Sent %.1f %s"), sent, units[i]);
}

/* What the strip shows, in words. */
void
ns_timeline_update_legend (NsTimeline *self)
{
  const NsOverviewBins *bins = &self->overview;
  /* That something was lost is known when all was written. */
  gboolean is_played = self->moment_ns != G_MAXINT64;
  guint n_lost = is_played ? 0 : count_lost (self);
  g_autofree char *failed = ns_words_count (bins->n_failed);
  g_autofree char *lost = ns_words_count (n_lost);
  g_autofree char *open = ns_words_count (bins->most_connections);

  ns_timeline_clear_legend (self);
  if (bins->most_counts > 0)
    self->legend[NS_TIMELINE_LEGEND_COUNTS] = dup_counts (bins);
  if (bins->most_bytes > 0)
    set_bytes (self);
  if (bins->n_failed > 0)
    self->legend[NS_TIMELINE_LEGEND_FAILED] =
        g_strdup_printf (ngettext ("%s failed", "%s failed", bins->n_failed), failed);
  if (n_lost > 0)
    self->legend[NS_TIMELINE_LEGEND_LOST] =
        g_strdup_printf (ngettext ("%s lost", "%s lost", n_lost), lost);
  else if (!is_played && ns_session_get_damage (self->session)->gaps->len > 0)
    self->legend[NS_TIMELINE_LEGEND_LOST] = g_strdup (_ ("missing"));
  if (bins->most_connections > 0)
    /* Translators: the most connections that were open at a time. */
    self->legend[NS_TIMELINE_LEGEND_OPEN] =
        g_strdup_printf (ngettext ("%s open", "%s open", bins->most_connections), open);
}

/* Why there is no lane; NULL as long as some may come by themselves. */
const char *
ns_timeline_get_no_lanes (NsTimeline *self)
{
  NsTrace *trace = ns_session_get_trace (self->session);

  if (self->building != NULL)
    return _ ("sorting rows into lanes…");
  if (self->is_reading || self->is_following)
    return NULL;
  return trace->activities->len == 0 ? _ ("No network operations were recorded")
                                     : _ ("No operation is shown");
}
