/* Sticky head: the outermost lane that stays at the top while its descendants are scrolled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/timeline/ns-timeline-private.h"

static guint32
find_head (NsTimeline *self, double *offset)
{
  if (self->lanes == NULL)
    return NS_LANE_NONE;
  return ns_timeline_lanes_find_head (self->lanes,
                                      self->metrics.lane,
                                      ns_timeline_get_bottom (self) - ns_timeline_get_top (self),
                                      gtk_adjustment_get_value (self->adjustment),
                                      offset);
}

/* Returns the index of the sticky head lane if @y is on it, or NS_LANE_NONE. */
guint32
ns_timeline_sticky_at (NsTimeline *self, double y)
{
  double top = ns_timeline_get_top (self);
  double offset;
  guint32 lane = find_head (self, &offset);

  return lane != NS_LANE_NONE && y >= top && y < top + self->metrics.lane + offset ? lane
                                                                                   : NS_LANE_NONE;
}

/* Returns whether a lane is the sticky head now. */
gboolean
ns_timeline_is_sticky (NsTimeline *self, guint32 lane)
{
  double offset;

  return lane != NS_LANE_NONE && find_head (self, &offset) == lane;
}

/* Scrolls to the place of the sticky head lane. Returns FALSE if @lane is not sticky. */
gboolean
ns_timeline_go_to_sticky (NsTimeline *self, guint32 lane)
{
  if (!ns_timeline_is_sticky (self, lane))
    return FALSE;
  gtk_adjustment_set_value (self->adjustment, lane * self->metrics.lane);
  return TRUE;
}

/**
 * ns_timeline_hold_time:
 * @self: a timeline
 * @is_held: whether selecting a row scrolls the lanes only, so that the visible time does not
 *   change
 */
void
ns_timeline_hold_time (NsTimeline *self, gboolean is_held)
{
  self->is_time_held = is_held;
}

/* Scrolls as little as possible to show a lane below its sticky head. */
void
ns_timeline_show_lane (NsTimeline *self, guint32 lane)
{
  const NsLane *one =
      ns_timeline_lanes_get (self->lanes, g_array_index (self->lanes->shown, guint32, lane));
  double begin = lane * self->metrics.lane;
  double height = ns_timeline_get_bottom (self) - ns_timeline_get_top (self);

  if (one->parent != NS_LANE_NONE && lane > 0 && height >= 2 * self->metrics.lane)
    begin -= self->metrics.lane;
  gtk_adjustment_clamp_page (self->adjustment, begin, (lane + 1) * self->metrics.lane);
}
