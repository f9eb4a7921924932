/* Horizontal coordinates of the timeline: lane names are mirrored in right-to-left layouts, the
 * plot is not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-private.h"

/* Returns whether the lane names are at the right. */
gboolean
ns_timeline_is_mirrored (NsTimeline *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* Maps an x of the widget to the distance from the edge where the names begin. */
double
ns_timeline_get_head_x (NsTimeline *self, double x)
{
  return ns_timeline_is_mirrored (self) ? self->names_width + self->layout.width - x : x;
}

/* Returns whether an x of the widget is in the column of lane names. */
gboolean
ns_timeline_is_head (NsTimeline *self, double x)
{
  return ns_timeline_get_head_x (self, x) < self->names_width;
}

/* Maps an x of the widget to an x of the plot. */
double
ns_timeline_get_plot_x (NsTimeline *self, double x)
{
  return ns_timeline_is_mirrored (self) ? x : x - self->names_width;
}

/* Maps an x of the plot to an x of the widget. */
double
ns_timeline_from_plot_x (NsTimeline *self, double plot_x)
{
  return ns_timeline_is_mirrored (self) ? plot_x : plot_x + self->names_width;
}

/* Scrolls to a selected log line that belongs to no activity: to its lane and its time. */
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
