/* Occupied space in the lanes, so that no text overlaps another one, a bar or a folded block.
 *
 * Bars have their neighbours in the list; this records the folded blocks, which may be anywhere
 * between bars, and the texts beside them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-room.h"

typedef struct
{
  double x0;
  double x1;
} Taken;

static const NsTimelineColumn *
column_at (const NsTimelineList *list, guint i)
{
  return &g_array_index (list->columns, NsTimelineColumn, i);
}

static void
clear_lane (gpointer data)
{
  g_clear_pointer ((GArray **) data, g_array_unref);
}

/* Marks the space of each run of adjacent columns as occupied. */
static void
take_columns (NsTimelineOccupancy *self)
{
  const NsTimelineList *list = self->list;
  guint end;
  guint i;

  for (i = 0; i < list->columns->len; i = end)
    {
      const NsTimelineColumn *begin = column_at (list, i);

      for (end = i + 1; end < list->columns->len; end++)
        if (column_at (list, end)->shown != begin->shown ||
            column_at (list, end)->column != column_at (list, end - 1)->column + 1)
          break;
      ns_timeline_room_take (self,
                             begin->shown,
                             (double) begin->column * NS_TIMELINE_COLUMN_PX,
                             (double) (column_at (list, end - 1)->column + 1) *
                                 NS_TIMELINE_COLUMN_PX);
    }
}

/**
 * ns_timeline_room_init:
 * @self: a room
 * @list: the items of the frame
 */
void
ns_timeline_room_init (NsTimelineOccupancy *self, const NsTimelineList *list)
{
  guint first = G_MAXUINT;

  if (list->columns->len > 0)
    first = column_at (list, 0)->shown;
  if (list->bars->len > 0)
    first = MIN (first, g_array_index (list->bars, NsTimelineBar, 0).shown);
  self->list = list;
  self->lanes = g_array_new (FALSE, TRUE, sizeof (GArray *));
  g_array_set_clear_func (self->lanes, clear_lane);
  self->first = first;
  self->free_from = -G_MAXDOUBLE;
  self->free_until = G_MAXDOUBLE;
  take_columns (self);
}

/**
 * ns_timeline_room_clear:
 * @self: a room
 */
void
ns_timeline_room_clear (NsTimelineOccupancy *self)
{
  g_clear_pointer (&self->lanes, g_array_unref);
}

/**
 * ns_timeline_room_take:
 * @self: a room
 * @shown: index of a shown lane
 * @x0: left edge, px
 * @x1: right edge, px
 *
 * Marks a range of a lane as occupied.
 */
void
ns_timeline_room_take (NsTimelineOccupancy *self, guint shown, double x0, double x1)
{
  const Taken taken = { x0, x1 };
  guint at = shown - self->first;
  GArray **lane;

  g_return_if_fail (shown >= self->first);

  if (at >= self->lanes->len)
    g_array_set_size (self->lanes, at + 1);
  lane = &g_array_index (self->lanes, GArray *, at);
  if (*lane == NULL)
    *lane = g_array_new (FALSE, FALSE, sizeof (Taken));
  g_array_append_val (*lane, taken);
}

/**
 * ns_timeline_room_is_free:
 * @self: a room
 * @shown: index of a shown lane
 * @x0: left edge, px
 * @x1: right edge, px
 *
 * Returns: %TRUE if no folded block, and no text beside one, overlaps the range
 */
gboolean
ns_timeline_room_is_free (const NsTimelineOccupancy *self, guint shown, double x0, double x1)
{
  guint at = shown - self->first;
  const GArray *lane = at < self->lanes->len ? g_array_index (self->lanes, GArray *, at) : NULL;
  guint i;

  for (i = 0; lane != NULL && i < lane->len; i++)
    {
      const Taken *taken = &g_array_index (lane, Taken, i);

      if (taken->x0 < x1 && taken->x1 > x0)
        return FALSE;
    }
  return TRUE;
}

/* Returns the index of the first bar of a lane. */
static guint
find_lane (const GArray *bars, guint shown)
{
  guint low = 0;
  guint high = bars->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (bars, NsTimelineBar, middle).shown < shown)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * ns_timeline_room_has_no_bar:
 * @self: a room
 * @shown: index of a shown lane
 * @x0: left edge, px
 * @x1: right edge, px
 *
 * Returns: %TRUE if no bar overlaps the range
 */
gboolean
ns_timeline_room_has_no_bar (const NsTimelineOccupancy *self, guint shown, double x0, double x1)
{
  const GArray *bars = self->list->bars;
  guint i;

  for (i = find_lane (bars, shown); i < bars->len; i++)
    {
      const NsTimelineBar *bar = &g_array_index (bars, NsTimelineBar, i);

      if (bar->shown != shown || bar->x0 >= x1)
        break;
      if (bar->x1 > x0)
        return FALSE;
    }
  return TRUE;
}
