/* What the timeline says in words: what its strip shows, and why it is empty.
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
  NsTrace *trace = ns_session_get_trace (self->session);

  return trace->file != NULL ? ns_etl_file_get_header (trace->file)->events_lost : 0;
}

/* Forgets what stands below the title of the overview. */
void
ns_timeline_clear_legend (NsTimeline *self)
{
  ns_overview_legend_clear (self->legend);
}

/* What the strip shows, in words. */
void
ns_timeline_update_legend (NsTimeline *self)
{
  /* That something was lost is known when all was written. */
  gboolean is_played = self->moment_ns != G_MAXINT64;

  ns_timeline_clear_legend (self);
  ns_overview_legend_fill (&self->overview,
                           is_played ? 0 : count_lost (self),
                           !is_played && ns_session_get_damage (self->session)->gaps->len > 0,
                           self->legend);
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
