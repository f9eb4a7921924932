/* Flags the rows of the lanes that match the filter, the search or the highlighting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-lanes.h"

#include <string.h>

/**
 * ns_timeline_lanes_flag:
 * @rows: (element-type guint32): 0-based rows
 * @n_all: total number of rows
 *
 * Returns: (transfer full) (array): a byte for each of @n_all rows, 1 for those in @rows
 */
guint8 *
ns_timeline_lanes_flag (const GArray *rows, guint n_all)
{
  guint8 *flags = g_new0 (guint8, MAX (n_all, 1));
  guint i;

  for (i = 0; i < rows->len; i++)
    if (g_array_index (rows, guint32, i) < n_all)
      flags[g_array_index (rows, guint32, i)] = 1;
  return flags;
}

/* Updates the counts of a block, which a frame reads instead of the rows. */
static void
count_block (NsTimelineLanes *self, const NsLane *lane, guint nth)
{
  NsLaneBlock *block = &self->blocks[lane->first_block + nth];
  guint end = lane->first + MIN ((nth + 1) * NS_LANE_BLOCK, lane->n_rows);
  guint at;

  block->n_matching = 0;
  block->n_kept_failed = 0;
  block->n_lit = 0;
  block->n_lit_failed = 0;
  block->n_found = 0;
  for (at = lane->first + nth * NS_LANE_BLOCK; at < end; at++)
    {
      guint32 row = self->rows[at];

      if (self->matches_filter == NULL || self->matches_filter[row])
        {
          block->n_matching++;
          block->n_kept_failed += self->failed[at];
        }
      if (!ns_timeline_lanes_is_dim (self, row))
        {
          block->n_lit++;
          block->n_lit_failed += self->failed[at];
        }
      if (self->found != NULL && self->found[row])
        block->n_found++;
    }
}

static void
count (NsTimelineLanes *self)
{
  guint i;
  guint nth;

  for (i = 0; i < self->lanes->len; i++)
    {
      NsLane *lane = &g_array_index (self->lanes, NsLane, i);

      lane->n_matching = 0;
      for (nth = 0; nth * NS_LANE_BLOCK < lane->n_rows; nth++)
        {
          count_block (self, lane, nth);
          lane->n_matching += self->blocks[lane->first_block + nth].n_matching;
        }
    }
}

/**
 * ns_timeline_lanes_set_filter:
 * @self: lanes
 * @rows: (nullable) (element-type guint32): activities that match the filter; %NULL: all
 *
 * Sets the filter. Rows that do not match are dimmed and are not counted.
 */
void
ns_timeline_lanes_set_filter (NsTimelineLanes *self, const GArray *rows)
{
  g_clear_pointer (&self->matches_filter, g_free);
  if (rows != NULL)
    self->matches_filter = ns_timeline_lanes_flag (rows, self->n_leaves);
  count (self);
}

/**
 * ns_timeline_lanes_set_found:
 * @self: lanes
 * @rows: (nullable) (element-type guint32): activities that match the search; %NULL: none
 *
 * Sets the search matches, whose bars are underlined.
 */
void
ns_timeline_lanes_set_found (NsTimelineLanes *self, const GArray *rows)
{
  if ((rows == NULL || rows->len == 0) && self->found == NULL)
    return;
  g_clear_pointer (&self->found, g_free);
  if (rows != NULL && rows->len > 0)
    self->found = ns_timeline_lanes_flag (rows, self->n_leaves);
  count (self);
}

/**
 * ns_timeline_lanes_set_highlighted:
 * @self: lanes
 * @rows: (nullable) (array length=n_rows): 1 for each highlighted activity; %NULL: no highlighting
 * @n_rows: number of activities
 *
 * Sets the highlighting. Other activities are dimmed, but still counted.
 */
void
ns_timeline_lanes_set_highlighted (NsTimelineLanes *self, const guint8 *rows, guint n_rows)
{
  if (rows == NULL && self->highlighted == NULL)
    return;
  g_clear_pointer (&self->highlighted, g_free);
  if (rows != NULL)
    {
      self->highlighted = g_new0 (guint8, MAX (self->n_leaves, 1));
      memcpy (self->highlighted, rows, MIN (n_rows, self->n_leaves));
    }
  count (self);
}

/**
 * ns_timeline_lanes_is_dim:
 * @self: lanes
 * @row: an activity
 *
 * Returns: %TRUE if it does not match the filter, or if only others are highlighted
 */
gboolean
ns_timeline_lanes_is_dim (const NsTimelineLanes *self, guint row)
{
  return (self->matches_filter != NULL && !self->matches_filter[row]) ||
         (self->highlighted != NULL && !self->highlighted[row]);
}

/**
 * ns_timeline_lanes_is_kept:
 * @self: lanes
 * @row: an activity
 *
 * Returns: %TRUE if it matches the filter
 */
gboolean
ns_timeline_lanes_is_kept (const NsTimelineLanes *self, guint row)
{
  return self->matches_filter == NULL || (row < self->n_leaves && self->matches_filter[row]);
}
