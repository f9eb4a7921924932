/* The outermost lane that stays at the top while the lanes below it are scrolled.
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

/* The lane at the top under a point, counted from the top of all; NS_LANE_NONE when there is none.
 */
guint32
ns_timeline_sticky_at (NsTimeline *self, double y)
{
  double top = ns_timeline_get_top (self);
  double offset;
  guint32 lane = find_head (self, &offset);

  return lane != NS_LANE_NONE && y >= top && y < top + self->metrics.lane + offset ? lane
                                                                                   : NS_LANE_NONE;
}

/* Whether a lane is at the top instead of in its own place. */
gboolean
ns_timeline_is_sticky (NsTimeline *self, guint32 lane)
{
  double offset;

  return lane != NS_LANE_NONE && find_head (self, &offset) == lane;
}

/* Goes to where a lane stands that is at the top now. Returns FALSE when it is not. */
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
 * @is_held: whether choosing a row scrolls the lanes only, because the time in view was asked for
 */
void
ns_timeline_hold_time (NsTimeline *self, gboolean is_held)
{
  self->is_time_held = is_held;
}

/* Scrolls no further than it takes to see a lane, and the one that stays above it. */
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
