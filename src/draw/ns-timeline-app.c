/* Paints spans that applications reported, above the bars of their process or thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Number of nesting levels with a strip of their own; deeper spans are drawn on the last one. */
#define MAX_LEVELS 3
#define STRIP_PX 3.0
#define MAX_LANES 512

/* A visible lane that shows spans. */
typedef struct
{
  guint32 pid;
  guint32 tid; /* NS_PID_UNKNOWN: any thread of the process */
  double y;
  double painted_to[MAX_LEVELS]; /* px; right edge of what is painted on each level */
} Lane;

/* Gets the process and thread of a lane. Returns FALSE for lanes of other kinds; lanes of
 * protocols are groups as well, but have a different key. */
static gboolean
find_owner (const NsTimelineScene *scene, const NsLane *lane, Lane *found)
{
  const NsActivityRow *row;

  if (lane->level != 0 || lane->n_rows == 0)
    return FALSE;
  row = &g_array_index (scene->trace->activities, NsActivityRow, scene->lanes->rows[lane->first]);
  found->pid = row->pid;
  found->tid = NS_PID_UNKNOWN;
  if (lane->kind == NS_LANE_PROCESS)
    return TRUE;
  found->tid = row->tid;
  return lane->kind == NS_LANE_GROUP && lane->key == ((guint64) row->pid << 32 | row->tid);
}

static GArray *
list_lanes (const NsTimelineScene *scene, guint first, guint end)
{
  GArray *lanes = g_array_new (FALSE, TRUE, sizeof (Lane));
  guint i;

  for (i = first; i < end && lanes->len < MAX_LANES; i++)
    {
      const NsLane *lane =
          ns_timeline_lanes_get (scene->lanes, g_array_index (scene->lanes->shown, guint32, i));
      Lane found = { .y = scene->metrics->overview + scene->metrics->ruler +
                          i * scene->metrics->lane - scene->scroll };
      guint level;

      if (!find_owner (scene, lane, &found))
        continue;
      for (level = 0; level < MAX_LEVELS; level++)
        found.painted_to[level] = -1;
      g_array_append_val (lanes, found);
    }
  return lanes;
}

static void
add_strip (NsPaint *paint, const NsTimelineScene *scene, const NsSpanRow *span, Lane *lane)
{
  gint64 close_ns = span->close_ns == NS_TIME_OPEN ? scene->trace->end_ns : span->close_ns;
  guint level = MIN (span->depth, MAX_LEVELS - 1);
  double x0 = MAX (floor (ns_timeline_layout_x_at (scene->layout, span->open_ns)), 0);
  double x1 = MIN (ceil (ns_timeline_layout_x_at (scene->layout, close_ns)), scene->layout->width);
  double y = lane->y + (1 + level * STRIP_PX) * paint->scale;

  x1 = MAX (x1, x0 + 1);
  if (x1 <= lane->painted_to[level])
    return;
  lane->painted_to[level] = x1;
  ns_paint_box (paint, x0, y, x1, y + (STRIP_PX - 1) * paint->scale);
}

/**
 * ns_timeline_paint_app_spans:
 * @paint: a painter; its origin is the left edge of the lanes
 * @scene: the frame
 * @first: index of the first visible lane
 * @end: index after the last visible lane
 *
 * Draws a strip for each span of a visible process or thread; nested spans are below the outer
 * ones.
 */
void
ns_timeline_paint_app_spans (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end)
{
  g_autoptr (GArray) lanes = NULL;
  guint i;
  guint k;

  if (scene->trace->spans == NULL || scene->trace->spans->len == 0)
    return;
  lanes = list_lanes (scene, first, end);
  cairo_new_path (paint->cr);
  for (i = 0; i < scene->trace->spans->len; i++)
    {
      const NsSpanRow *span = &g_array_index (scene->trace->spans, NsSpanRow, i);

      if (span->open_ns >= scene->layout->end_ns)
        break;
      if (span->close_ns != NS_TIME_OPEN && span->close_ns < scene->layout->begin_ns)
        continue;
      for (k = 0; k < lanes->len; k++)
        {
          Lane *lane = &g_array_index (lanes, Lane, k);

          if (lane->pid == span->pid && (lane->tid == NS_PID_UNKNOWN || lane->tid == span->tid))
            add_strip (paint, scene, span, lane);
        }
    }
  ns_paint_color (paint, NS_COLOR_ACCENT, 0.8);
  cairo_fill (paint->cr);
}
