/* Lists the visible items of one frame of the timeline: a few thousand boxes at most, whatever the
 * number of rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-list.h"

#include <math.h>
#include <string.h>

/* Counts of one lane, with one entry for each column. */
typedef struct
{
  const NsTimelineLayout *layout;
  guint n_columns;
  /* change of the number of running rows: +1 where a row begins, −1 after its end */
  gint32 *starts;
  guint32 *opened;
  guint32 *failed;
  guint32 *found;
} Columns;

/* Counts that are added to the columns at once. */
typedef struct
{
  guint n_rows;
  guint n_failed;
  guint n_found;
} Count;

static int
column_at (const Columns *self, double x)
{
  return (int) CLAMP (floor (x / NS_TIMELINE_COLUMN_PX), -1, (double) self->n_columns);
}

static void
count_rows (Columns *self, double x0, double x1, const Count *count)
{
  int first = column_at (self, x0);
  int last = column_at (self, MAX (x1, x0));
  int n_columns = (int) self->n_columns;

  if (last < 0 || first >= n_columns || count->n_rows == 0)
    return;
  self->starts[MAX (first, 0)] += (gint32) count->n_rows;
  if (last + 1 < n_columns)
    self->starts[last + 1] -= (gint32) count->n_rows;
  if (first >= 0)
    self->opened[first] += count->n_rows;
  self->failed[MAX (first, 0)] += count->n_failed;
  self->found[MAX (first, 0)] += count->n_found;
}

static void
flush_columns (Columns *self, const NsTimelineColumn *what, GArray *out)
{
  gint32 n_running = 0;
  guint i;

  for (i = 0; i < self->n_columns; i++)
    {
      NsTimelineColumn column = *what;

      column.column = i;
      column.n_opened = self->opened[i];
      column.n_failed = self->failed[i];
      column.n_found = self->found[i];
      n_running += self->starts[i];
      column.n_running = (guint32) MAX (n_running, 0);
      if (column.n_running > 0)
        g_array_append_val (out, column);
    }
  memset (self->starts, 0, sizeof (gint32) * self->n_columns);
  memset (self->opened, 0, sizeof (guint32) * self->n_columns);
  memset (self->failed, 0, sizeof (guint32) * self->n_columns);
  memset (self->found, 0, sizeof (guint32) * self->n_columns);
}

static Columns
columns_at (const NsTimelineLayout *layout, guint n_columns, guint32 *room)
{
  return (Columns){ .layout = layout,
                    .n_columns = n_columns,
                    .starts = (gint32 *) room,
                    .opened = room + n_columns,
                    .failed = room + 2 * (gsize) n_columns,
                    .found = room + 3 * (gsize) n_columns };
}

/* Returns the first block with a row that ends in the visible time or after it. */
static guint
find_first_block (const NsTimelineLanes *lanes, const NsLane *lane, gint64 begin_ns)
{
  guint low = 0;
  guint high = (lane->n_rows + NS_LANE_BLOCK - 1) / NS_LANE_BLOCK;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (lanes->blocks[lane->first_block + middle].reach_ns < begin_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* State while the visible rows of a lane are listed. */
typedef struct
{
  const NsTimelineLanes *lanes;
  const NsTimelineLayout *layout;
  const NsLane *lane;
  guint shown;
  Columns *columns;
  Columns *dim;      /* for rows that do not match the filter, or are not highlighted */
  GArray *bars;      /* NULL: count all rows in columns */
  double last_bar_x; /* left edge of the previous bar */
  guint n_stacked;   /* number of bars that begin there */
} Visit;

/* Maximum number of bars that begin at one place of a lane; further ones are folded into
 * columns. */
#define NS_TIMELINE_MAX_STACKED 4

static void
visit_row (Visit *self, guint at)
{
  double x0 = ns_timeline_layout_x_at (self->layout, self->lanes->open_ns[at]);
  double x1 = ns_timeline_layout_x_at (self->layout, self->lanes->close_ns[at]);
  double seen_x0 = MAX (x0, 0);
  guint32 row = self->lanes->rows[at];
  gboolean is_dim = ns_timeline_lanes_is_dim (self->lanes, row);
  Count count = { 1, self->lanes->failed[at], 0 };

  if (x1 < 0 || x0 >= self->layout->width)
    return;
  if (seen_x0 - self->last_bar_x >= NS_TIMELINE_FOLD_PX)
    self->n_stacked = 0;
  /* Further bars at the same place would not be distinguishable. */
  if (self->bars != NULL && x1 - x0 >= NS_TIMELINE_FOLD_PX &&
      self->n_stacked < NS_TIMELINE_MAX_STACKED)
    {
      NsTimelineBar bar = { row, self->shown, x0, x1, is_dim, x0, x1 };

      g_array_append_val (self->bars, bar);
      self->last_bar_x = seen_x0;
      self->n_stacked++;
      return;
    }
  if (self->lanes->found != NULL)
    count.n_found = self->lanes->found[row];
  count_rows (is_dim ? self->dim : self->columns, x0, x1, &count);
}

/* Counts a block as a whole if all its rows are narrow and begin in one column. */
static gboolean
visit_block (Visit *self, guint nth, guint first, guint last)
{
  const NsLaneBlock *block = &self->lanes->blocks[self->lane->first_block + nth];
  double scale = self->layout->width / (double) (self->layout->end_ns - self->layout->begin_ns);
  double x0 = ns_timeline_layout_x_at (self->layout, self->lanes->open_ns[first]);
  double x1 = ns_timeline_layout_x_at (self->layout, self->lanes->open_ns[last]);
  Count highlighted = { block->n_lit, block->n_lit_failed, block->n_found };
  Count others = { last - first + 1 - block->n_lit, block->n_failed - block->n_lit_failed, 0 };

  if ((double) block->longest_ns * scale >= NS_TIMELINE_FOLD_PX ||
      column_at (self->columns, x0) != column_at (self->columns, x1))
    return FALSE;
  count_rows (self->columns, x0, x1, &highlighted);
  count_rows (self->dim, x0, x1, &others);
  return TRUE;
}

static void
visit_lane (Visit *self)
{
  guint nth = find_first_block (self->lanes, self->lane, self->layout->begin_ns);
  guint end = self->lane->first + self->lane->n_rows;
  guint at = self->lane->first + nth * NS_LANE_BLOCK;

  for (; at < end; nth++)
    {
      guint last = MIN (at + NS_LANE_BLOCK, end) - 1;

      if (self->lanes->open_ns[at] >= self->layout->end_ns)
        break;
      if (!visit_block (self, nth, at, last))
        for (; at <= last; at++)
          visit_row (self, at);
      at = last + 1;
    }
}

static NsTimelineList *
list_lanes (const NsTimelineLanes *lanes,
            const NsTimelineLayout *layout,
            guint first_shown,
            guint n_shown)
{
  NsTimelineList *self = g_new0 (NsTimelineList, 1);
  guint n_columns = (guint) ceil (layout->width / NS_TIMELINE_COLUMN_PX);
  g_autofree guint32 *kept_room = g_new0 (guint32, 4 * n_columns);
  g_autofree guint32 *dim_room = g_new0 (guint32, 4 * n_columns);
  Columns columns = columns_at (layout, n_columns, kept_room);
  Columns dim = columns_at (layout, n_columns, dim_room);
  guint shown;

  self->bars = g_array_new (FALSE, FALSE, sizeof (NsTimelineBar));
  self->columns = g_array_new (FALSE, FALSE, sizeof (NsTimelineColumn));
  for (shown = first_shown; shown < lanes->shown->len && shown - first_shown < n_shown; shown++)
    {
      const NsLane *lane =
          ns_timeline_lanes_get (lanes, g_array_index (lanes->shown, guint32, shown));
      gboolean is_profile = lane->level == 0;
      NsTimelineColumn what = { .shown = shown, .is_profile = is_profile };
      Visit visit = { lanes, layout, lane, shown, &columns, &dim, NULL, -NS_TIMELINE_FOLD_PX, 0 };

      /* The rows of an unfolded host are shown in the lanes of its connections. */
      if (lane->n_children > 0 && !is_profile && !lane->is_folded)
        continue;
      if (!is_profile)
        visit.bars = self->bars;
      visit_lane (&visit);
      what.is_dim = TRUE;
      if (lanes->matches_filter != NULL || lanes->highlighted != NULL)
        flush_columns (&dim, &what, self->columns);
      what.is_dim = FALSE;
      flush_columns (&columns, &what, self->columns);
    }
  return self;
}

/* Lists the items of the outermost ancestor of the first visible lane, for the sticky head. */
static NsTimelineList *
list_head (const NsTimelineLanes *lanes, const NsTimelineLayout *layout, guint first_shown)
{
  guint32 lane;
  guint place;

  if (first_shown >= lanes->shown->len)
    return NULL;
  lane = g_array_index (lanes->shown, guint32, first_shown);
  while (ns_timeline_lanes_get (lanes, lane)->parent != NS_LANE_NONE)
    lane = ns_timeline_lanes_get (lanes, lane)->parent;
  place = ns_timeline_lanes_find_shown (lanes, lane);
  return place <= first_shown ? list_lanes (lanes, layout, place, 1) : NULL;
}

/**
 * ns_timeline_list_new:
 * @lanes: the lanes
 * @layout: the visible time
 * @first_shown: index of the first visible lane among the shown lanes
 * @n_shown: number of visible lanes
 *
 * Lists the items of one frame. A lane has at most %NS_TIMELINE_MAX_STACKED bars for each
 * %NS_TIMELINE_FOLD_PX px, and one column for each %NS_TIMELINE_COLUMN_PX px.
 *
 * Returns: (transfer full): the list
 */
NsTimelineList *
ns_timeline_list_new (const NsTimelineLanes *lanes,
                      const NsTimelineLayout *layout,
                      guint first_shown,
                      guint n_shown)
{
  NsTimelineList *self = list_lanes (lanes, layout, first_shown, n_shown);

  self->head = list_head (lanes, layout, first_shown);
  return self;
}

/**
 * ns_timeline_list_free:
 * @self: (transfer full) (nullable): a list
 */
void
ns_timeline_list_free (NsTimelineList *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->bars);
  g_array_unref (self->columns);
  ns_timeline_list_free (self->head);
  g_free (self);
}

/**
 * ns_timeline_list_find_at:
 * @self: a list
 * @shown: index of a shown lane
 * @x: px
 *
 * Finds the bar at a point; else the bar whose painted marks or label are there; else the nearest
 * one within half of %NS_TIMELINE_HIT_PX.
 *
 * Returns: (nullable): the bar
 */
const NsTimelineBar *
ns_timeline_list_find_at (const NsTimelineList *self, guint shown, double x)
{
  const NsTimelineBar *best = NULL;
  const NsTimelineBar *beside = NULL;
  double best_distance = NS_TIMELINE_HIT_PX / 2;
  guint i;

  for (i = 0; i < self->bars->len; i++)
    {
      const NsTimelineBar *bar = &g_array_index (self->bars, NsTimelineBar, i);
      double distance = x < bar->x0 ? bar->x0 - x : MAX (x - bar->x1, 0);

      /* Of overlapping bars, the last one is on top. */
      if (bar->shown == shown && distance <= best_distance)
        {
          best = bar;
          best_distance = distance;
        }
      if (bar->shown == shown && x >= bar->left && x <= bar->right)
        beside = bar;
    }
  return best != NULL && (best_distance <= 0 || beside == NULL) ? best : beside;
}

static const NsTimelineColumn *
find_column (const NsTimelineList *self, guint shown, double x)
{
  const NsTimelineColumn *found = NULL;
  guint i;

  for (i = 0; i < self->columns->len; i++)
    {
      const NsTimelineColumn *column = &g_array_index (self->columns, NsTimelineColumn, i);

      /* A column of matching rows follows the dimmed one, and has priority. */
      if (column->shown == shown && column->column == floor (x / NS_TIMELINE_COLUMN_PX))
        found = column;
    }
  return found;
}

static gboolean
is_beside (const NsTimelineColumn *column, const NsTimelineColumn *next)
{
  return column->shown == next->shown && column->is_dim == next->is_dim &&
         column->column + 1 == next->column;
}

/**
 * ns_timeline_list_count_at:
 * @self: a list
 * @shown: index of a shown lane
 * @x: px
 * @n_rows: (out): number of rows that begin in the folded block at the point
 * @n_failed: (out): number of those that failed
 *
 * Returns: %TRUE if there is a folded block
 */
gboolean
ns_timeline_list_count_at (const NsTimelineList *self,
                           guint shown,
                           double x,
                           guint *n_rows,
                           guint *n_failed)
{
  const NsTimelineColumn *columns;
  const NsTimelineColumn *at = find_column (self, shown, x);
  guint i;

  if (at == NULL && self->head != NULL)
    {
      self = self->head;
      at = find_column (self, shown, x);
    }
  columns = (const NsTimelineColumn *) (gpointer) self->columns->data;

  *n_rows = 0;
  *n_failed = 0;
  if (at == NULL)
    return FALSE;
  for (i = (guint) (at - columns); i > 0 && is_beside (&columns[i - 1], &columns[i]); i--)
    ;
  do
    {
      *n_rows += columns[i].n_opened;
      *n_failed += columns[i].n_failed;
      i++;
    }
  while (i < self->columns->len && is_beside (&columns[i - 1], &columns[i]));
  return TRUE;
}

/**
 * ns_timeline_list_find_row:
 * @self: a list
 * @row: a 0-based activity
 *
 * Returns: (nullable): its bar, if it has one in this frame
 */
const NsTimelineBar *
ns_timeline_list_find_row (const NsTimelineList *self, guint row)
{
  guint i;

  for (i = 0; i < self->bars->len; i++)
    if (g_array_index (self->bars, NsTimelineBar, i).row == row)
      return &g_array_index (self->bars, NsTimelineBar, i);
  return NULL;
}

/**
 * ns_timeline_list_add_bar:
 * @self: a list
 * @bar: a bar of its frame
 *
 * Adds a bar for a selected row that was folded into columns. A row that has a bar is not changed.
 */
void
ns_timeline_list_add_bar (NsTimelineList *self, const NsTimelineBar *bar)
{
  NsTimelineBar own = *bar;
  guint at;

  own.left = bar->x0;
  own.right = bar->x1;
  if (ns_timeline_list_find_row (self, bar->row) != NULL)
    return;
  for (at = 0; at < self->bars->len; at++)
    {
      const NsTimelineBar *next = &g_array_index (self->bars, NsTimelineBar, at);

      if (next->shown > bar->shown || (next->shown == bar->shown && next->x0 > bar->x0))
        break;
    }
  g_array_insert_val (self->bars, at, own);
}
