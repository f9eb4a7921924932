/* Section about the thread of an operation: a bar of its states during the operation, and their
 * totals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-sched-job.h"
#include "ui/ns-settings.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-thread-section.h"

#include <glib/gi18n.h>

#define BAR_HEIGHT 16

/* Maximum intervals drawn; more would be narrower than a pixel. */
#define MAX_STRETCHES 4000

struct _NsThreadSection
{
  GtkWidget parent_instance;

  NsTrace *trace;
  guint32 activity;
  GArray *stretches; /* (element-type NsSchedStretch) */
  GtkWidget *box;
  GtkWidget *bar;
  GtkWidget *text;
};

G_DEFINE_FINAL_TYPE (NsThreadSection, ns_thread_section, GTK_TYPE_WIDGET)

/* Returns the relative height of a state, so that states differ not by colour alone. */
static double
height_of (NsSchedState state)
{
  switch (state)
    {
    case NS_SCHED_RUNNING:
      return 1;
    case NS_SCHED_READY:
      return 0.5;
    case NS_SCHED_WAITING:
      return 0.15;
    case NS_SCHED_UNKNOWN:
    case NS_SCHED_ENDED:
    default:
      return 0;
    }
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  NsThreadSection *self = user_data;
  const NsSchedStretch *first;
  GdkRGBA color;
  double begin;
  double span;
  guint i;

  if (self->stretches->len == 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  first = &g_array_index (self->stretches, NsSchedStretch, 0);
  begin = (double) first->span.begin_ns;
  span = (double) g_array_index (self->stretches, NsSchedStretch, self->stretches->len - 1)
             .span.end_ns -
         begin;
  for (i = 0; i < self->stretches->len && span > 0; i++)
    {
      const NsSchedStretch *stretch = &g_array_index (self->stretches, NsSchedStretch, i);
      double tall = height * height_of (stretch->state);
      double x = ((double) stretch->span.begin_ns - begin) / span * width;
      double end = ((double) stretch->span.end_ns - begin) / span * width;

      color.alpha = stretch->state == NS_SCHED_RUNNING ? 0.75f : 0.5f;
      gdk_cairo_set_source_rgba (cr, &color);
      cairo_rectangle (cr, x, height - tall, MAX (end - x, 0.5), tall);
      cairo_fill (cr);
    }
}

static void
add_stretch_cb (const NsSchedStretch *stretch, gpointer user_data)
{
  GArray *stretches = user_data;
  NsSchedStretch *last = &g_array_index (stretches, NsSchedStretch, stretches->len - 1);

  if (stretches->len < MAX_STRETCHES)
    g_array_append_val (stretches, *stretch);
  else
    last->span.end_ns = stretch->span.end_ns;
}

static void
append_states (GString *text, const NsSchedSums *sums)
{
  g_autofree char *ran = ns_words_duration (sums->running_ns);
  g_autofree char *ready = ns_words_duration (sums->ready_ns);
  g_autofree char *waited = ns_words_duration (sums->waiting_ns);
  g_autofree char *longest =
      ns_words_duration (sums->longest.span.end_ns - sums->longest.span.begin_ns);

  /* Translators: three durations: what a thread did. */
  g_string_append_printf (text,
                          _ ("Ran for %s, was ready without a processor for %s, waited for %s."),
                          ran,
                          ready,
                          waited);
  if (sums->longest.by != NS_PID_UNKNOWN)
    {
      g_string_append_c (text, '\n');
      /* Translators: a duration, a thread */
      g_string_append_printf (text,
                              _ ("Its longest wait, %s, was ended by thread %u."),
                              longest,
                              sums->longest.by);
    }
}

static void
show (NsThreadSection *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  NsSchedSums sums = { 0 };

  g_array_set_size (self->stretches, 0);
  ns_sched_sum (self->trace, self->activity, &sums);
  if (sums.has_states)
    {
      ns_sched_walk (self->trace, self->activity, add_stretch_cb, self->stretches);
      append_states (text, &sums);
    }
  else
    g_string_append (text, _ ("States of threads: not traced"));
  g_string_append_c (text, '\n');
  if (sums.has_samples)
    g_string_append_printf (text, _ ("CPU %u %%"), sums.cpu_percent);
  else
    g_string_append (text, _ ("CPU: not traced"));
  gtk_label_set_text (GTK_LABEL (self->text), text->str);
  gtk_widget_set_visible (self->bar, sums.has_states);
  gtk_widget_queue_draw (self->bar);
}

/* Shows the section after the thread switches of the trace have been loaded. */
static void
ready_cb (NsThreadSection *self, NsTrace *trace)
{
  if (self->trace == trace)
    show (self);
}

static void
ns_thread_section_dispose (GObject *object)
{
  NsThreadSection *self = NS_THREAD_SECTION (object);

  g_clear_pointer (&self->trace, ns_trace_unref);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->stretches, g_array_unref);
  G_OBJECT_CLASS (ns_thread_section_parent_class)->dispose (object);
}

static void
ns_thread_section_class_init (NsThreadSectionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_thread_section_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
ns_thread_section_init (NsThreadSection *self)
{
  self->stretches = g_array_new (FALSE, FALSE, sizeof (NsSchedStretch));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->bar = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->bar), BAR_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->bar), draw_cb, self, NULL);
  gtk_widget_set_tooltip_text (self->bar, _ ("Full height: running; half: ready; line: waiting"));
  self->text = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->text), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->text), 0);
  gtk_label_set_selectable (GTK_LABEL (self->text), TRUE);
  gtk_box_append (GTK_BOX (self->box), self->bar);
  gtk_box_append (GTK_BOX (self->box), self->text);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  g_signal_connect_object (ns_sched_job_get (ns_settings_get_view ()),
                           "ready",
                           G_CALLBACK (ready_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

/**
 * ns_thread_section_new:
 *
 * Returns: (transfer floating): an empty section
 */
GtkWidget *
ns_thread_section_new (void)
{
  return g_object_new (NS_TYPE_THREAD_SECTION, NULL);
}

/**
 * ns_thread_section_set_activity:
 * @self: a section
 * @trace: (nullable): a trace
 * @activity: row of the activity table, 0-based; %G_MAXUINT32 clears the section
 *
 * Shows the states of the thread of an operation, later if the thread switches have to be loaded
 * first.
 *
 * Returns: whether the trace has thread switches or samples
 */
gboolean
ns_thread_section_set_activity (NsThreadSection *self, NsTrace *trace, guint32 activity)
{
  gboolean is_known = trace != NULL &&
                      activity < ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES) &&
                      (ns_sched_has_states (trace) || ns_sched_has_samples (trace));

  g_clear_pointer (&self->trace, ns_trace_unref);
  if (!is_known)
    return FALSE;
  self->trace = ns_trace_ref (trace);
  self->activity = activity;
  show (self);
  return TRUE;
}
