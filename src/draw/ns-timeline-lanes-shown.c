/* Visible lanes: folding, hiding and pinning them, and stepping through their rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "draw/ns-timeline-lanes.h"

/* Minimum number of lanes that have room for one of them to be a sticky head. */
#define HEAD_LEAST_LANES 3

/**
 * ns_timeline_lanes_get:
 * @self: lanes
 * @lane: index of a lane
 *
 * Returns: the lane
 */
const NsLane *
ns_timeline_lanes_get (const NsTimelineLanes *self, guint32 lane)
{
  return &g_array_index (self->lanes, NsLane, lane);
}

/* Returns whether a lane is visible. Sets @is_pinned to whether it is shown with the pinned
 * ones. */
static gboolean
is_seen (const NsTimelineLanes *self, guint32 lane, gboolean *is_pinned)
{
  const NsLane *one = ns_timeline_lanes_get (self, lane);

  *is_pinned = one->is_pinned;
  if (one->is_hidden)
    return FALSE;
  while (one->parent != NS_LANE_NONE)
    {
      one = ns_timeline_lanes_get (self, one->parent);
      /* A pinned lane is visible even if its ancestors are folded or hidden. */
      if (*is_pinned)
        return TRUE;
      if (one->is_folded || one->is_hidden)
        return FALSE;
      *is_pinned = one->is_pinned;
    }
  return TRUE;
}

/* Lists the visible lanes: first the pinned ones with their descendants. */
void
ns_timeline_lanes_list_shown (NsTimelineLanes *self)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean is_pinned;
  guint32 i;

  g_array_set_size (self->shown, 0);
  self->n_hidden = 0;
  for (i = 0; i < self->lanes->len; i++)
    {
      if (ns_timeline_lanes_get (self, i)->is_hidden)
        self->n_hidden++;
      if (is_seen (self, i, &is_pinned))
        g_array_append_val (is_pinned ? self->shown : others, i);
    }
  self->n_pinned = self->shown->len;
  if (others->len > 0)
    g_array_append_vals (self->shown, others->data, others->len);
}

/* Removes all marks. Returns whether there were any. */
static gboolean
clear_marks (NsTimelineLanes *self)
{
  gboolean had_any = self->marked->len > 0;
  guint i;

  for (i = 0; i < self->marked->len; i++)
    {
      NsLane *lane = &g_array_index (self->lanes, NsLane, g_array_index (self->marked, guint32, i));

      lane->is_hidden = FALSE;
      lane->is_pinned = FALSE;
    }
  g_array_set_size (self->marked, 0);
  return had_any;
}

/**
 * ns_timeline_lanes_mark:
 * @self: lanes
 * @marks: (element-type NsLaneMark): hidden and pinned lanes; keys of missing lanes are ignored
 *
 * Sets the hidden and pinned lanes. Does not loop over the lanes if there are no marks.
 */
void
ns_timeline_lanes_mark (NsTimelineLanes *self, const GArray *marks)
{
  g_autoptr (NsMap) wanted = ns_map_new ();
  gboolean is_changed = clear_marks (self) || marks->len > 0;
  guint32 i;

  for (i = 0; i < marks->len; i++)
    ns_map_set (wanted,
                g_array_index (marks, NsLaneMark, i).key,
                g_array_index (marks, NsLaneMark, i).kind,
                i + 1);
  for (i = 0; marks->len > 0 && i < self->lanes->len; i++)
    {
      NsLane *lane = &g_array_index (self->lanes, NsLane, i);
      guint32 mark = ns_map_get (wanted, lane->key, lane->kind);

      if (mark == 0)
        continue;
      lane->is_hidden = g_array_index (marks, NsLaneMark, mark - 1).is_hidden;
      lane->is_pinned = g_array_index (marks, NsLaneMark, mark - 1).is_pinned;
      g_array_append_val (self->marked, i);
    }
  if (is_changed)
    ns_timeline_lanes_list_shown (self);
}

/* Records that the user folded or unfolded a lane. */
static void
note_fold (NsTimelineLanes *self, const NsLane *lane)
{
  NsLaneFold fresh = { lane->key, lane->kind, lane->is_folded };
  guint i;

  for (i = 0; i < self->turned->len; i++)
    {
      NsLaneFold *fold = &g_array_index (self->turned, NsLaneFold, i);

      if (fold->key == lane->key && fold->kind == lane->kind)
        {
          fold->is_folded = lane->is_folded;
          return;
        }
    }
  g_array_append_val (self->turned, fresh);
}

/**
 * ns_timeline_lanes_set_folded:
 * @self: lanes
 * @lane: index of a lane; one without children is not changed
 * @is_folded: whether its descendants are hidden
 */
void
ns_timeline_lanes_set_folded (NsTimelineLanes *self, guint32 lane, gboolean is_folded)
{
  NsLane *one = &g_array_index (self->lanes, NsLane, lane);

  if (one->n_children == 0 || one->is_folded == is_folded)
    return;
  one->is_folded = is_folded;
  note_fold (self, one);
  ns_timeline_lanes_list_shown (self);
}

/**
 * ns_timeline_lanes_copy_folds:
 * @self: new lanes
 * @other: previous lanes of the same trace
 *
 * Restores the lanes that the user folded or unfolded; also keeps the record of lanes that are
 * missing now. Does not loop over the lanes if the user changed none.
 */
void
ns_timeline_lanes_copy_folds (NsTimelineLanes *self, const NsTimelineLanes *other)
{
  g_autoptr (NsMap) folds = ns_map_new ();
  gboolean is_changed = FALSE;
  guint i;

  g_array_set_size (self->turned, 0);
  if (other->turned->len == 0)
    return;
  g_array_append_vals (self->turned, other->turned->data, other->turned->len);
  for (i = 0; i < self->turned->len; i++)
    {
      const NsLaneFold *fold = &g_array_index (self->turned, NsLaneFold, i);

      ns_map_set (folds, fold->key, fold->kind, fold->is_folded ? 2 : 1);
    }
  for (i = 0; i < self->lanes->len; i++)
    {
      NsLane *lane = &g_array_index (self->lanes, NsLane, i);
      guint32 was = lane->n_children > 0 ? ns_map_get (folds, lane->key, lane->kind) : 0;

      if (was == 0 || lane->is_folded == (was == 2))
        continue;
      lane->is_folded = was == 2;
      is_changed = TRUE;
    }
  if (is_changed)
    ns_timeline_lanes_list_shown (self);
}

static guint
find_between (const NsTimelineLanes *self, guint32 lane, guint low, guint end)
{
  guint high = end;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->shown, guint32, middle) < lane)
        low = middle + 1;
      else
        high = middle;
    }
  return low < end && g_array_index (self->shown, guint32, low) == lane ? low : NS_LANE_NONE;
}

/**
 * ns_timeline_lanes_find_shown:
 * @self: lanes
 * @lane: index of a lane
 *
 * Returns: its index among the shown lanes, or %NS_LANE_NONE if it is folded away or hidden
 */
guint
ns_timeline_lanes_find_shown (const NsTimelineLanes *self, guint32 lane)
{
  guint place = find_between (self, lane, 0, self->n_pinned);

  return place != NS_LANE_NONE ? place
                               : find_between (self, lane, self->n_pinned, self->shown->len);
}

/**
 * ns_timeline_lanes_reveal:
 * @self: lanes
 * @row: an activity
 *
 * Finds the lane that shows the bar of @row: its own, or the folded ancestor that hides it. A
 * folded outermost lane shows no bars and is unfolded.
 *
 * Returns: index among the shown lanes, or %NS_LANE_NONE if the row is filtered out
 */
guint
ns_timeline_lanes_reveal (NsTimelineLanes *self, guint row)
{
  guint32 lane;
  guint32 at;

  if (row >= self->n_leaves || self->leaf[row] == NS_LANE_NONE)
    return NS_LANE_NONE;
  lane = self->leaf[row];
  for (at = lane; at != NS_LANE_NONE; at = ns_timeline_lanes_get (self, at)->parent)
    if (ns_timeline_lanes_get (self, at)->parent == NS_LANE_NONE)
      ns_timeline_lanes_set_folded (self, at, FALSE);
    else if (ns_timeline_lanes_get (self, at)->is_folded)
      lane = at;
  return ns_timeline_lanes_find_shown (self, lane);
}

/**
 * ns_timeline_lanes_find_bar:
 * @self: lanes
 * @row: an activity
 *
 * Like ns_timeline_lanes_reveal(), but unfolds nothing.
 *
 * Returns: index among the shown lanes, or %NS_LANE_NONE if no visible lane shows its bar
 */
guint
ns_timeline_lanes_find_bar (const NsTimelineLanes *self, guint row)
{
  guint32 lane;
  guint32 at;

  if (row >= self->n_leaves || self->leaf[row] == NS_LANE_NONE)
    return NS_LANE_NONE;
  lane = self->leaf[row];
  for (at = lane; at != NS_LANE_NONE; at = ns_timeline_lanes_get (self, at)->parent)
    if (ns_timeline_lanes_get (self, at)->is_folded)
      lane = at;
  /* A folded process shows a profile of the activity instead of bars. */
  return ns_timeline_lanes_get (self, lane)->level > 0 ? ns_timeline_lanes_find_shown (self, lane)
                                                       : NS_LANE_NONE;
}

/* Returns the next row of a lane, from index @at on, that matches the filter, or NS_LANE_NONE.
 * If @trace is set, the row must belong to the connection @key. */
static guint32
find_kept (const NsTimelineLanes *self,
           const NsLane *lane,
           gint64 at,
           int by,
           const NsTrace *trace,
           guint64 key)
{
  for (; at >= 0 && at < lane->n_rows; at += by)
    {
      guint32 row = self->rows[lane->first + at];

      if (ns_timeline_lanes_is_kept (self, row) &&
          (trace == NULL ||
           ns_lane_connection_key (&g_array_index (trace->activities, NsActivityRow, row)) == key))
        return row;
    }
  return NS_LANE_NONE;
}

static guint32
step (const NsTimelineLanes *self, guint32 lane, guint row, int by, const NsTrace *trace)
{
  const NsLane *one = ns_timeline_lanes_get (self, lane);
  guint64 key = 0;
  guint32 found;
  guint i;

  if (one->n_rows == 0)
    return NS_LANE_NONE;
  for (i = 0; i < one->n_rows; i++)
    if (self->rows[one->first + i] == row)
      break;
  if (i == one->n_rows)
    return find_kept (self, one, 0, 1, NULL, 0);
  if (trace != NULL)
    key = ns_lane_connection_key (&g_array_index (trace->activities, NsActivityRow, row));
  found = find_kept (self, one, (gint64) i + by, by, trace, key);
  return found != NS_LANE_NONE ? found : row;
}

/**
 * ns_timeline_lanes_step:
 * @self: lanes
 * @lane: index of a lane
 * @row: the current activity; one that is not in the lane stands for its first row
 * @by: 1 for the next row, −1 for the previous one
 *
 * Finds the next or previous row that matches the filter.
 *
 * Returns: the activity @by bars further, @row if there is none in that direction, or %NS_LANE_NONE
 *   if the lane has no matching rows
 */
guint32
ns_timeline_lanes_step (const NsTimelineLanes *self, guint32 lane, guint row, int by)
{
  return step (self, lane, row, by, NULL);
}

/**
 * ns_timeline_lanes_step_connection:
 * @self: lanes
 * @trace: the trace of its rows
 * @lane: index of a lane
 * @row: the current activity; one that is not in the lane stands for its first row
 * @by: 1 for the next row, −1 for the previous one
 *
 * Like ns_timeline_lanes_step(), but also skips other connections of the lane.
 *
 * Returns: the activity @by bars further, @row if there is none in that direction, or %NS_LANE_NONE
 *   if the lane has no matching rows
 */
guint32
ns_timeline_lanes_step_connection (const NsTimelineLanes *self,
                                   const NsTrace *trace,
                                   guint32 lane,
                                   guint row,
                                   int by)
{
  return step (self, lane, row, by, trace);
}

/**
 * ns_timeline_lanes_find_life:
 * @self: lanes
 * @lane: a lane
 * @time_ns: a time
 *
 * Returns: index among the lives of @lane of the first connection that ends at or after @time_ns,
 *   or the number of lives if there is none
 */
guint
ns_timeline_lanes_find_life (const NsTimelineLanes *self, const NsLane *lane, gint64 time_ns)
{
  guint low = 0;
  guint high = lane->n_lives;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->connection_spans, NsConnectionSpan, lane->first_span + middle)
              .end_ns < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * ns_timeline_lanes_find_head:
 * @self: lanes
 * @lane_px: height of a lane
 * @height: visible height of the lanes, px
 * @scroll: scroll position, px
 * @offset: (out): y of the lane relative to the upper edge of the lanes, px; at most 0
 *
 * Finds the sticky head: an outermost lane stays visible at the top while its descendants are
 * scrolled, until the next outermost lane pushes it out. There is no sticky head if the height is
 * less than three lanes.
 *
 * Returns: index among the shown lanes, or %NS_LANE_NONE if the lane needs no sticky head
 */
guint
ns_timeline_lanes_find_head (const NsTimelineLanes *self,
                             double lane_px,
                             double height,
                             double scroll,
                             double *offset)
{
  guint first = (guint) MAX (scroll / lane_px, 0);
  guint32 lane;
  guint place;

  *offset = 0;
  if (scroll <= 0 || height < HEAD_LEAST_LANES * lane_px || first >= self->shown->len)
    return NS_LANE_NONE;
  lane = g_array_index (self->shown, guint32, first);
  while (ns_timeline_lanes_get (self, lane)->parent != NS_LANE_NONE)
    lane = ns_timeline_lanes_get (self, lane)->parent;
  place = ns_timeline_lanes_find_shown (self, lane);
  /* The outermost lane of a lane that is pinned alone is further down, or not shown. */
  if (place == NS_LANE_NONE || place > first || place * lane_px >= scroll)
    return NS_LANE_NONE;
  if (first + 1 < self->shown->len &&
      ns_timeline_lanes_get (self, g_array_index (self->shown, guint32, first + 1))->parent ==
          NS_LANE_NONE)
    *offset = (first + 1) * lane_px - scroll - lane_px;
  return place;
}
