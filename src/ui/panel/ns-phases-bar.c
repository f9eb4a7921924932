/* Bar of the phases of a row, or the symbol of one phase for a list.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"
#include "model/ns-row-phases.h"
#include "ui/ns-theme.h"
#include "ui/panel/ns-phases-bar.h"

/* Width of the symbol of a phase. */
#define SIGN_PX 16

struct _NsPhasesBar
{
  GtkWidget parent_instance;

  NsActivityRow row; /* a copy: the bar may outlive the trace */
  gint64 phases[NS_N_PHASES];
  gint64 end_ns;
  gboolean has_row;
  gboolean is_sign; /* draws the symbol of one phase */
};

G_DEFINE_FINAL_TYPE (NsPhasesBar, ns_phases_bar, GTK_TYPE_WIDGET)

static void
ns_phases_bar_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  NsPhasesBar *self = NS_PHASES_BAR (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 60 : 24;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 24;
  if (!self->is_sign)
    return;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? SIGN_PX : SIGN_PX + 2;
  *natural = *minimum;
}

static void
ns_phases_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsPhasesBar *self = NS_PHASES_BAR (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  NsTimelineMetrics metrics;
  NsThemeLook look = { 0 };
  NsPaint paint;
  cairo_t *cr;

  if (!self->has_row)
    return;
  ns_theme_look_read (&look, widget);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  paint.scale = 1;
  ns_timeline_metrics_init (&metrics, 1);
  ns_timeline_paint_phases (&paint, &metrics, &self->row, self->end_ns, 0, width, height / 2.0);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

static void
ns_phases_bar_class_init (NsPhasesBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = ns_phases_bar_measure;
  widget_class->snapshot = ns_phases_bar_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ns_phases_bar_init (NsPhasesBar *self)
{
}

/**
 * ns_phases_bar_new:
 *
 * Returns: (transfer floating): an empty bar
 */
GtkWidget *
ns_phases_bar_new (void)
{
  return g_object_new (NS_TYPE_PHASES_BAR, NULL);
}

/**
 * ns_phases_bar_new_sign:
 * @row: row of the phase
 * @phase: one of its phases
 *
 * Returns: (transfer floating): a symbol in the colour and pattern of the phase, for a list of
 * phases
 */
GtkWidget *
ns_phases_bar_new_sign (const NsActivityRow *row, NsPhase phase)
{
  NsPhasesBar *self = g_object_new (NS_TYPE_PHASES_BAR, NULL);
  guint i;

  g_return_val_if_fail (row != NULL && phase < NS_N_PHASES, GTK_WIDGET (self));

  self->is_sign = TRUE;
  self->has_row = TRUE;
  self->row = *row;
  self->row.phases = self->phases;
  self->row.left_out = 0;
  self->row.source_table = NS_TABLE_ACTIVITIES;
  self->row.open_ns = 0;
  self->row.close_ns = NS_PER_SECOND;
  self->row.first_byte_ns = NS_TIME_NONE;
  for (i = 0; i < NS_N_PHASES; i++)
    self->phases[i] = NS_UNKNOWN;
  self->phases[phase] = NS_PER_SECOND;
  /* Makes the symbol dotted: the row has other known phases, so its rest is not recorded in
   * detail. */
  if (phase == NS_PHASE_OTHER && !ns_timeline_is_rest_traced (row))
    self->phases[NS_PHASE_WAIT] = 0;
  /* Only the failed phase is crossed out, as in the bar. */
  self->row.failed =
      row->failed && phase != NS_PHASE_OTHER && phase == ns_timeline_get_failed_phase (row);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  return GTK_WIDGET (self);
}

/**
 * ns_phases_bar_set_row:
 * @self: a bar
 * @trace: the trace of @row
 * @row: (nullable): row to draw
 *
 * Draws the wait for a pool thread as well, including the part before the row began.
 */
void
ns_phases_bar_set_row (NsPhasesBar *self, const NsTrace *trace, const NsActivityRow *row)
{
  gint64 pool_ns;
  guint i;

  self->has_row = row != NULL;
  if (row != NULL)
    {
      for (i = 0; i < NS_N_PHASES; i++)
        self->phases[i] = ns_activity_row_get_phase (row, i);
      self->row = *row;
      self->row.phases = self->phases;
      self->row.left_out = 0;
      self->end_ns = trace->end_ns;
      pool_ns = ns_pool_wait_get_total (trace, row);
      if (pool_ns > MAX (self->phases[NS_PHASE_POOL], 0))
        {
          self->row.open_ns -= pool_ns - MAX (self->phases[NS_PHASE_POOL], 0);
          self->phases[NS_PHASE_POOL] = pool_ns;
        }
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
