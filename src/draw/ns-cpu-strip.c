/* States of a thread (running, ready, waiting) over the visible time: a strip below the lanes.
 *
 * Thread switches give exact times. Without any, each CPU sample counts as running time for the
 * sampling interval before it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-cpu-strip.h"

#include <math.h>

/* Height of a column whose thread was ready, or waiting, all the time; a running one has height
 * 1. */
#define READY_HEIGHT 0.5
#define WAITING_HEIGHT 0.15

static gint64
part_of (gint64 before_ns, gint64 after_ns, gint64 length_ns)
{
  return CLAMP (after_ns - before_ns, 0, length_ns);
}

/* Returns the shares of thread states between two times. @before holds the totals at @begin_ns,
 * and receives those at @end_ns. */
static NsCpuColumn
column_between (const NsCpuThread *thread, gint64 begin_ns, gint64 end_ns, NsSchedTotals *before)
{
  gint64 last_ns = CLAMP (end_ns, thread->life.begin_ns, thread->life.end_ns);
  gint64 length_ns = MAX (end_ns - begin_ns, 1);
  NsCpuColumn column = { 0 };
  NsSchedTotals after;

  ns_sched_thread_get_totals (thread->thread, thread->interval_ns, last_ns, &after);
  if (ns_sched_thread_has_states (thread->thread))
    {
      const gint64 *from = before->state_ns;
      const gint64 *to = after.state_ns;
      float whole = (float) length_ns;

      column.running =
          (float) part_of (from[NS_SCHED_RUNNING], to[NS_SCHED_RUNNING], length_ns) / whole;
      column.ready = (float) part_of (from[NS_SCHED_READY], to[NS_SCHED_READY], length_ns) / whole;
      column.waiting =
          (float) part_of (from[NS_SCHED_WAITING], to[NS_SCHED_WAITING], length_ns) / whole;
    }
  else
    column.running =
        (float) part_of (before->sampled_ns, after.sampled_ns, length_ns) / (float) length_ns;
  *before = after;
  return column;
}

static void
start_at (const NsCpuThread *thread, gint64 begin_ns, NsSchedTotals *totals)
{
  ns_sched_thread_get_totals (thread->thread,
                              thread->interval_ns,
                              CLAMP (begin_ns, thread->life.begin_ns, thread->life.end_ns),
                              totals);
}

/**
 * ns_cpu_strip_list_columns:
 * @thread: a thread
 * @layout: the visible time
 *
 * Does a constant number of binary searches in the sorted switches and samples for each px.
 *
 * Returns: (transfer full) (element-type NsCpuColumn): one for each px; empty if nothing was
 *   recorded
 */
GArray *
ns_cpu_strip_list_columns (const NsCpuThread *thread, const NsTimelineLayout *layout)
{
  guint n_columns = (guint) CLAMP (ceil (layout->width), 0, NS_CPU_STRIP_MAX_COLUMNS);
  GArray *columns = g_array_sized_new (FALSE, FALSE, sizeof (NsCpuColumn), n_columns);
  gint64 begin_ns = layout->begin_ns;
  NsSchedTotals totals;
  guint i;

  if (thread->thread == NULL || thread->life.end_ns <= thread->life.begin_ns)
    return columns;
  start_at (thread, begin_ns, &totals);
  for (i = 0; i < n_columns; i++)
    {
      gint64 end_ns = ns_timeline_layout_time_at (layout, MIN (i + 1, layout->width));
      NsCpuColumn column = column_between (thread, begin_ns, end_ns, &totals);

      g_array_append_val (columns, column);
      begin_ns = end_ns;
    }
  return columns;
}

/**
 * ns_cpu_strip_get_running:
 * @thread: a thread
 * @span: a time span
 *
 * Returns: the share of @span in which the thread ran, 0 to 1; below 0 if unknown
 */
double
ns_cpu_strip_get_running (const NsCpuThread *thread, NsTimeSpan span)
{
  NsSchedTotals totals;

  if (thread->thread == NULL || span.end_ns <= span.begin_ns ||
      (thread->interval_ns == 0 && !ns_sched_thread_has_states (thread->thread)))
    return -1;
  start_at (thread, span.begin_ns, &totals);
  return column_between (thread, span.begin_ns, span.end_ns, &totals).running;
}

/* Draws one state of all columns with a single fill; the states are stacked. */
static void
paint_part (NsPaint *paint, const GArray *columns, NsSchedState state, double room, double y)
{
  guint i;

  cairo_new_path (paint->cr);
  for (i = 0; i < columns->len; i++)
    {
      const NsCpuColumn *column = &g_array_index (columns, NsCpuColumn, i);
      double running = column->running * room;
      double ready = column->ready * READY_HEIGHT * room;
      double waiting = column->waiting * WAITING_HEIGHT * room;

      if (state == NS_SCHED_RUNNING)
        cairo_rectangle (paint->cr, i, y - running, 1, running);
      else if (state == NS_SCHED_READY)
        cairo_rectangle (paint->cr, i, y - running - ready, 1, ready);
      else
        cairo_rectangle (paint->cr, i, y - running - ready - waiting, 1, waiting);
    }
  cairo_fill (paint->cr);
}

/**
 * ns_cpu_strip_paint:
 * @paint: a painter; its origin is the top left corner of the strip
 * @columns: (element-type NsCpuColumn): thread states
 * @title: text in the column of lane names
 * @names_width: width of the column of lane names, px
 * @is_mirrored: whether the lane names are at the right
 * @width: px, of the whole strip
 * @height: px
 *
 * Draws the strip. States differ in height, not only in colour: full height for running, half for
 * ready, a low line for waiting.
 */
void
ns_cpu_strip_paint (NsPaint *paint,
                    const GArray *columns,
                    const char *title,
                    double names_width,
                    gboolean is_mirrored,
                    double width,
                    double height)
{
  double k = paint->scale;
  double room = height - 1 - 4 * k;

  ns_paint_color (paint, NS_COLOR_WINDOW, 1);
  ns_paint_box (paint, 0, 0, width, height);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  paint->mirror = is_mirrored ? width : 0;
  ns_paint_text (paint, paint->dense, title, 12 * k, height / 2, names_width - 24 * k);
  paint->mirror = 0;

  cairo_save (paint->cr);
  cairo_translate (paint->cr, is_mirrored ? 0 : names_width, 0);
  ns_paint_box (paint, 0, 0, width - names_width, height);
  cairo_clip (paint->cr);
  ns_paint_color (paint, NS_COLOR_ACCENT, 1);
  paint_part (paint, columns, NS_SCHED_RUNNING, room, height);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 0.6);
  paint_part (paint, columns, NS_SCHED_READY, room, height);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  paint_part (paint, columns, NS_SCHED_WAITING, room, height);
  cairo_restore (paint->cr);
  ns_paint_color (paint, NS_COLOR_BORDER, 1);
  ns_paint_box (paint, 0, 0, width, 1);
  paint->mirror = is_mirrored ? width : 0;
  ns_paint_box (paint, names_width - 1, 0, names_width, height);
  paint->mirror = 0;
  cairo_fill (paint->cr);
}
