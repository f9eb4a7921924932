/* CPU strip below the lanes: the states of the thread of the selected row over the visible time.
 *
 * It is shown if the trace has thread switches or CPU samples, which are read when a row is
 * selected for the first time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-cpu-strip.h"
#include "model/ns-sched-job.h"
#include "ui/ns-accessible.h"
#include "ui/ns-settings.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>

static guint32
get_tid (NsTimeline *self)
{
  guint32 row = ns_session_get_activity (self->session);
  const GArray *activities = ns_session_get_trace (self->session)->activities;
  guint32 tid = row < activities->len ? g_array_index (activities, NsActivityRow, row).tid : 0;

  return tid != NS_PID_UNKNOWN ? tid : 0;
}

/* Gets the thread of the selected row, and its name if it has one. */
static void
find_thread (NsTimeline *self, guint32 tid, NsCpuThread *thread, const char **name)
{
  const NsTrace *trace = ns_session_get_trace (self->session);
  const NsActivityRow *activity;
  NsRow row;

  *thread = (NsCpuThread){ .life = { G_MININT64, G_MAXINT64 } };
  *name = NULL;
  if (tid == 0)
    return;
  activity =
      ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, ns_session_get_activity (self->session) + 1);
  if (activity == NULL)
    return;
  thread->thread = ns_sched_find_thread (trace, tid, &thread->interval_ns);
  row = ns_trace_find_thread (trace, tid, activity->open_ns);
  if (row != 0)
    {
      const NsThreadRow *life = ns_trace_get_row (trace, NS_TABLE_THREADS, row);

      thread->life.begin_ns = life->start_ns;
      thread->life.end_ns = life->end_ns;
      *name = ns_trace_text (trace, life->name);
    }
}

/* Returns the percentage of the visible time in which the thread ran; below 0 if unknown or not
 * read yet. */
static double
get_percent (NsTimeline *self, const NsCpuThread *thread)
{
  NsTimeSpan visible = { self->layout.begin_ns, self->layout.end_ns };

  return ns_cpu_strip_get_running (thread, visible) * 100;
}

static char *
dup_title (guint32 tid, const char *name, double percent)
{
  g_autofree char *thread = NULL;

  if (tid == 0)
    return g_strdup (_ ("CPU: no thread"));
  /* Translators: a thread, and its name. */
  thread = name != NULL && *name != '\0' ? g_strdup_printf (_ ("Thread %u (%s)"), tid, name)
                                         : g_strdup_printf (_ ("Thread %u"), tid);
  if (percent < 0)
    return g_steal_pointer (&thread);
  /* Translators: a percentage of the time, and a thread. */
  return g_strdup_printf (_ ("CPU %.0f %% · %s"), percent, thread);
}

static char *
dup_spoken (guint32 tid, double percent)
{
  if (tid == 0)
    return g_strdup (_ ("CPU of the thread: no row with a known thread is selected"));
  if (percent < 0)
    return g_strdup_printf (_ ("Thread %u: running times not known"), tid);
  /* Translators: the accessible name of the strip: a thread, and a percentage of the time. */
  return g_strdup_printf (_ ("Thread %u ran %.0f %% of the time shown"), tid, percent);
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  NsTimeline *self = user_data;
  g_autoptr (GArray) columns = NULL;
  g_autofree char *title = NULL;
  NsCpuThread thread;
  const char *name;
  NsPaint paint;
  guint32 tid;

  if (self->session == NULL || !self->has_look)
    return;
  tid = get_tid (self);
  find_thread (self, tid, &thread, &name);
  columns = ns_cpu_strip_list_columns (&thread, &self->layout);
  title = dup_title (tid, name, get_percent (self, &thread));
  ns_theme_look_begin (&self->look, &paint, cr);
  ns_cpu_strip_paint (&paint,
                      columns,
                      title,
                      self->names_width,
                      ns_timeline_is_mirrored (self),
                      width,
                      height);
}

/* Updates the strip when the switches and samples of a trace have been read. */
static void
ready_cb (NsTimeline *self, NsTrace *trace)
{
  if (self->session != NULL && ns_session_get_trace (self->session) == trace)
    ns_timeline_update_cpu (self);
}

/* Creates the strip. */
void
ns_timeline_add_cpu (NsTimeline *self)
{
  self->shows_cpu = TRUE;
  self->cpu =
      g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->cpu), draw_cb, self, NULL);
  gtk_widget_set_tooltip_text (self->cpu,
                               _ ("Activity of the thread of the selected row. Full height: "
                                  "running; half: ready; line: waiting"));
  gtk_widget_set_visible (self->cpu, FALSE);
  gtk_widget_set_parent (self->cpu, GTK_WIDGET (self));
  g_signal_connect_object (ns_sched_job_get (ns_settings_get_view ()),
                           "ready",
                           G_CALLBACK (ready_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

/* Returns the height of the strip in px; 0 if it is not shown. */
double
ns_timeline_get_foot (NsTimeline *self)
{
  return self->shows_cpu && self->has_cpu ? self->metrics.lane : 0;
}

/* Shows or hides the child widget; assistive technologies ignore a hidden one. */
static void
update_visible (NsTimeline *self)
{
  gtk_widget_set_visible (self->cpu, ns_timeline_get_foot (self) > 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* Checks whether the trace has data for the strip. */
void
ns_timeline_find_cpu (NsTimeline *self)
{
  const NsTrace *trace = ns_session_get_trace (self->session);

  self->has_cpu = ns_sched_has_states (trace) || ns_sched_has_samples (trace);
  update_visible (self);
}

/* Allocates the strip below the lanes. */
void
ns_timeline_allocate_cpu (NsTimeline *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  int foot = (int) ns_timeline_get_foot (self);
  GtkAllocation place = { 0, height - foot, MAX (width, 1), MAX (foot, 1) };

  if (foot == 0)
    return;
  gtk_widget_measure (self->cpu, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->cpu, &place, -1);
}

/* Updates the strip after a change of the visible time or the selection. */
void
ns_timeline_update_cpu (NsTimeline *self)
{
  g_autofree char *spoken = NULL;
  NsCpuThread thread;
  const char *name;
  guint32 tid;

  if (self->session == NULL || ns_timeline_get_foot (self) <= 0)
    return;
  tid = get_tid (self);
  find_thread (self, tid, &thread, &name);
  spoken = dup_spoken (tid, get_percent (self, &thread));
  ns_accessible_set_name (self->cpu, spoken);
  gtk_widget_queue_draw (self->cpu);
}

/**
 * ns_timeline_has_cpu:
 * @self: a timeline
 *
 * Returns: %TRUE if the trace has data for the strip
 */
gboolean
ns_timeline_has_cpu (NsTimeline *self)
{
  return self->session != NULL && self->has_cpu;
}

/**
 * ns_timeline_set_shows_cpu:
 * @self: a timeline
 * @shows_cpu: whether to show the strip if the trace has data for it
 */
void
ns_timeline_set_shows_cpu (NsTimeline *self, gboolean shows_cpu)
{
  if (self->shows_cpu == shows_cpu)
    return;
  self->shows_cpu = shows_cpu;
  update_visible (self);
  ns_timeline_update_cpu (self);
}

/**
 * ns_timeline_get_shows_cpu:
 * @self: a timeline
 *
 * Returns: whether the strip is shown if the trace has data for it
 */
gboolean
ns_timeline_get_shows_cpu (NsTimeline *self)
{
  return self->shows_cpu;
}
