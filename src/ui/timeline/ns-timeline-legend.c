/* Legend of the overview, and the text shown if there are no lanes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-overview-legend.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>

static guint32
count_lost (NsTimeline *self)
{
  return (guint32) MIN (ns_session_get_damage (self->session)->missing.n_events, G_MAXUINT32);
}

/* Clears the texts of the legend. */
void
ns_timeline_clear_legend (NsTimeline *self)
{
  ns_overview_legend_clear (self->legend);
}

/* Updates the texts of the legend. */
void
ns_timeline_update_legend (NsTimeline *self)
{
  /* During playback lost events are left out, since their number is known only at the end. */
  gboolean is_playback_active = self->moment_ns != G_MAXINT64;

  ns_timeline_clear_legend (self);
  ns_overview_legend_fill (&self->overview,
                           is_playback_active ? 0 : count_lost (self),
                           !is_playback_active &&
                               ns_session_get_damage (self->session)->gaps->len > 0,
                           self->legend);
}

/* Returns the reason why there are no lanes, or NULL while rows may still arrive. */
const char *
ns_timeline_get_no_lanes (NsTimeline *self)
{
  NsTrace *trace = ns_session_get_trace (self->session);

  if (self->building != NULL)
    return _ ("sorting rows into lanes…");
  if (self->is_reading || self->is_following)
    return NULL;
  return ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES) == 0
             ? _ ("No network operations were recorded")
             : _ ("No operation is shown");
}
