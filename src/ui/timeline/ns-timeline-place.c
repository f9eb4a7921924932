/* Where names and time stand in the timeline: names where a line begins, time from left to right.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-private.h"

/* Whether names stand at the right. */
gboolean
ns_timeline_is_mirrored (NsTimeline *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* How far a px of the widget is from the edge that names begin at. */
double
ns_timeline_get_head_x (NsTimeline *self, double x)
{
  return ns_timeline_is_mirrored (self) ? self->names_width + self->layout.width - x : x;
}

/* Whether a px of the widget is among the names. */
gboolean
ns_timeline_is_head (NsTimeline *self, double x)
{
  return ns_timeline_get_head_x (self, x) < self->names_width;
}

/* How far a px of the widget is from the left of the plot. */
double
ns_timeline_get_plot_x (NsTimeline *self, double x)
{
  return ns_timeline_is_mirrored (self) ? x : x - self->names_width;
}

/* Where a px of the plot is in the widget. */
double
ns_timeline_from_plot_x (NsTimeline *self, double plot_x)
{
  return ns_timeline_is_mirrored (self) ? plot_x : plot_x + self->names_width;
}

/* A line of a log that tells of no row is looked for in its lane, at its time. */
void
ns_timeline_reveal_line (NsTimeline *self)
{
  const GArray *rows = ns_timeline_get_chosen_lines (self);
  guint32 lane;
  NsTimeSpan span;

  if (rows == NULL || rows->len != 1 || self->lanes == NULL ||
      ns_session_get_activity (self->session) != G_MAXUINT32 ||
      !ns_session_get_row_span (self->session,
                                NS_TABLE_LOG,
                                g_array_index (rows, guint32, 0),
                                &span))
    return;
  lane = ns_timeline_lanes_find_line (self->lanes, g_array_index (rows, guint32, 0));
  if (lane != NS_LANE_NONE)
    ns_timeline_show_lane (self, lane);
  if (self->is_time_held ||
      (span.begin_ns >= self->layout.begin_ns && span.begin_ns <= self->layout.end_ns))
    return;
  ns_timeline_layout_show (&self->layout,
                           (NsTimeSpan){
                               span.begin_ns - (self->layout.end_ns - self->layout.begin_ns) / 2,
                               span.begin_ns + (self->layout.end_ns - self->layout.begin_ns) / 2 });
  ns_timeline_apply_layout (self);
}
