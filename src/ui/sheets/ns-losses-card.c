/* Card of the trace information about lost events: one line per processor, with a bar over the time
 * of the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-layout.h"
#include "ui/ns-theme.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-losses-card.h"

#include <glib/gi18n.h>
#include <math.h>

#define LINE_PX 24
#define BAR_PX 16
#define TICK_PX 5
/* Minimum width of a loss, so that a loss without a known start is visible. */
#define MIN_LOSS_PX 4
#define MIN_STEP_PX 90

#define NS_TYPE_LOSSES_BAR (ns_losses_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsLossesBar, ns_losses_bar, NS, LOSSES_BAR, GtkWidget)

/* The bar of one processor, or the time axis below all bars. */
struct _NsLossesBar
{
  GtkWidget parent_instance;

  gint64 end_ns;
  NsTimeSpan seen;
  GArray *losses; /* (element-type NsTimeSpan); NULL: this is the time axis */
};

G_DEFINE_FINAL_TYPE (NsLossesBar, ns_losses_bar, GTK_TYPE_WIDGET)

static void
ns_losses_bar_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  double k = ns_theme_get_width_scale (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : (int) ceil (LINE_PX * k);
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : *minimum;
}

static double
x_at (const NsTimelineLayout *layout, gint64 time_ns)
{
  return floor (ns_timeline_layout_x_at (layout, time_ns)) + 0.5;
}

static void
paint_bar (NsLossesBar *self, NsPaint *paint, const NsTimelineLayout *layout, double height)
{
  double y0 = floor ((height - BAR_PX * paint->scale) / 2) + 0.5;
  double y1 = y0 + floor (BAR_PX * paint->scale);
  double x0 = x_at (layout, self->seen.begin_ns);
  double x1 = MAX (x_at (layout, self->seen.end_ns), x0 + 1);
  guint i;

  cairo_set_line_width (paint->cr, 1);
  ns_paint_mix (paint, NS_COLOR_WINSOCK, NS_COLOR_BASE, 0.14);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_fill (paint->cr);
  for (i = 0; i < self->losses->len; i++)
    {
      const NsTimeSpan *span = &g_array_index (self->losses, NsTimeSpan, i);
      double end = MAX (x_at (layout, span->end_ns), MIN_LOSS_PX + 0.5);
      double begin = MIN (x_at (layout, span->begin_ns), end - MIN_LOSS_PX);

      ns_paint_color (paint, NS_COLOR_LOST, 0.16);
      ns_paint_box (paint, begin, y0, end, y1);
      cairo_fill (paint->cr);
      ns_paint_color (paint, NS_COLOR_LOST, 1);
      ns_paint_hatch (paint, begin, y0, end, y1, 6 * paint->scale, FALSE);
      ns_paint_box (paint, begin, y0, end, y1);
      cairo_stroke (paint->cr);
    }
  ns_paint_color (paint, NS_COLOR_WINSOCK, 1);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_stroke (paint->cr);
}

static void
paint_times (NsPaint *paint, const NsTimelineLayout *layout, double height)
{
  double tick = TICK_PX * paint->scale;
  gint64 step_ns = ns_timeline_layout_get_step (layout, MIN_STEP_PX * paint->scale);
  gint64 time_ns;

  cairo_set_line_width (paint->cr, 1);
  for (time_ns = 0; step_ns > 0 && time_ns <= layout->end_ns; time_ns += step_ns)
    {
      g_autofree char *text = ns_timeline_layout_tick_to_text (time_ns, step_ns);
      double x = x_at (layout, time_ns);
      double width = ns_paint_text_width (paint, paint->caption, text);

      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      ns_paint_line (paint, x, 0, x, tick);
      ns_paint_text (paint,
                     paint->caption,
                     text,
                     CLAMP (x - width / 2, 0, MAX (layout->width - width, 0)),
                     (height + tick) / 2,
                     layout->width);
    }
}

static void
ns_losses_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsLossesBar *self = NS_LOSSES_BAR (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  NsTimelineLayout layout;
  NsThemeLook look = { 0 };
  NsPaint paint;
  cairo_t *cr;

  if (width < 2 || height < 2)
    return;
  ns_theme_look_read (&look, widget);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, MAX (self->end_ns, 1) }, width - 1);
  if (self->losses != NULL)
    paint_bar (self, &paint, &layout, height);
  else
    paint_times (&paint, &layout, height);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

static void
ns_losses_bar_finalize (GObject *object)
{
  g_clear_pointer (&NS_LOSSES_BAR (object)->losses, g_array_unref);
  G_OBJECT_CLASS (ns_losses_bar_parent_class)->finalize (object);
}

static void
ns_losses_bar_class_init (NsLossesBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ns_losses_bar_finalize;
  widget_class->measure = ns_losses_bar_measure;
  widget_class->snapshot = ns_losses_bar_snapshot;
  /* The labels beside the bar contain the same information. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ns_losses_bar_init (NsLossesBar *self)
{
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
}

static GtkWidget *
bar_new (gint64 end_ns, const NsLossProcessor *processor)
{
  NsLossesBar *self = g_object_new (NS_TYPE_LOSSES_BAR, NULL);

  self->end_ns = end_ns;
  if (processor != NULL)
    {
      self->seen = processor->seen;
      self->losses = g_array_ref (processor->losses);
    }
  return GTK_WIDGET (self);
}

/**
 * ns_losses_bar_new:
 * @end_ns: length of the trace
 * @seen: the recorded time span
 *
 * Returns: (transfer floating): a bar over the time of the trace, without losses
 */
GtkWidget *
ns_losses_bar_new (gint64 end_ns, NsTimeSpan seen)
{
  NsLossesBar *self = g_object_new (NS_TYPE_LOSSES_BAR, NULL);

  self->end_ns = end_ns;
  self->seen = seen;
  self->losses = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  return GTK_WIDGET (self);
}

static GtkWidget *
label_new (const char *text, double xalign, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), (float) xalign);
  gtk_widget_add_css_class (label, style);
  return label;
}

/* Buffer flags record that events were lost, not how many. */
static char *
describe (const NsLossProcessor *processor, gboolean has_losses)
{
  if (processor->n_losses > 0)
    return g_strdup_printf (ngettext ("lost at %u place", "lost at %u places", processor->n_losses),
                            processor->n_losses);
  /* Translators: that no events of a processor are known to be lost, though some were somewhere */
  return g_strdup (has_losses ? _ ("none reported") : _ ("none lost"));
}

static void
add_processor (GtkGrid *grid,
               int line,
               const NsTrace *trace,
               const NsLossProcessor *processor,
               gboolean has_losses,
               GString *report)
{
  /* Translators: the number of a processor */
  g_autofree char *name = g_strdup_printf (_ ("CPU %u"), processor->cpu);
  g_autofree char *text = describe (processor, has_losses);

  gtk_grid_attach (grid, label_new (name, 0, "dim"), 0, line, 1, 1);
  gtk_grid_attach (grid, bar_new (trace->end_ns, processor), 1, line, 1, 1);
  gtk_grid_attach (grid,
                   label_new (text, 1, processor->n_losses > 0 ? "lost-text" : "dim"),
                   2,
                   line,
                   1,
                   1);
  g_string_append_printf (report, "%s: %s\n", name, text);
}

/* Damage of the file is reported separately. */
static char *
sum_up (const NsTrace *trace, const NsMissing *missing)
{
  guint64 n_all = trace->n_records + missing->n_events;
  g_autofree char *n_lost = ns_words_count (missing->n_events);
  g_autofree char *n_events = ns_words_count (n_all);

  if (missing->n_events == 0 && ns_missing_has_gaps (missing))
    {
      g_autofree char *n = ns_words_count (missing->n_gap_buffers);

      return g_strdup_printf (ngettext ("%s buffer missing",
                                        "%s buffers missing",
                                        (gulong) missing->n_gap_buffers),
                              n);
    }
  if (missing->n_events == 0)
    return missing->n_buffers == 0 ? g_strdup (_ ("the session has no losses"))
                                   : g_strdup_printf (ngettext ("%u buffer lost",
                                                                "%u buffers lost",
                                                                (gulong) missing->n_buffers),
                                                      (guint) missing->n_buffers);
  /* Translators: lost events, of all of them, and the share in percent */
  return g_strdup_printf (_ ("%s of %s events · %.2f %%"),
                          n_lost,
                          n_events,
                          100.0 * (double) missing->n_events / (double) n_all);
}

/**
 * ns_losses_card_fill:
 * @grid: an empty grid
 * @trace: a trace with a file
 * @missing: what is missing in it
 * @report: the string to append the list to, as plain text
 *
 * Shows the recorded time span and the losses of each processor.
 *
 * Returns: (transfer full): a short text with the number of lost events
 */
char *
ns_losses_card_fill (GtkGrid *grid, const NsTrace *trace, const NsMissing *missing, GString *report)
{
  gboolean has_losses = ns_missing_has_losses (missing) || ns_missing_has_gaps (missing);
  guint n_more;
  g_autoptr (GPtrArray) processors = ns_losses_list_processors (trace, &n_more);
  guint i;

  for (i = 0; i < processors->len; i++)
    add_processor (grid, (int) i, trace, g_ptr_array_index (processors, i), has_losses, report);
  gtk_grid_attach (grid, bar_new (trace->end_ns, NULL), 1, (int) i, 1, 1);
  if (n_more > 0)
    {
      g_autofree char *more =
          g_strdup_printf (ngettext ("and %u more processor", "and %u more processors", n_more),
                           n_more);

      gtk_grid_attach (grid, label_new (more, 0, "dim"), 0, (int) i + 1, 3, 1);
      g_string_append_printf (report, "%s\n", more);
    }
  return sum_up (trace, missing);
}
