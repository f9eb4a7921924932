/* Waterfall column: when each row ran, on the time axis of the timeline.
 *
 * The bars are those of the timeline. The column follows its zoom, without scrolling the rows; a
 * row outside the visible range is shown as an arrow at that edge.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"
#include "model/ns-session-moment.h"
#include "ui/ns-theme.h"
#include "ui/table/ns-waterfall.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Minimum distance of ticks and grid lines, in pixels. */
#define TICK_PX 60
/* Gap between the times of the ruler, and between them and the title. */
#define GAP_PX 6
#define ARROW_PX 6
#define BLOCK_PX 4
/* Maximum number of rows sampled for the profile of a group. */
#define MAX_PROFILED 4096

#define RULER_KEY "ns-waterfall"

/**
 * ns_waterfall_is_field:
 * @table: a table
 * @field: (nullable): one of its fields
 *
 * Returns: whether its column is the waterfall
 */
gboolean
ns_waterfall_is_field (NsTableId table, const NsField *field)
{
  return table == NS_TABLE_ACTIVITIES && field != NULL && strcmp (field->id, "phases") == 0;
}

/**
 * ns_waterfall_get_title:
 * @field: the field of a column
 *
 * Returns: the column title; for columns other than the waterfall the title of the field
 */
const char *
ns_waterfall_get_title (const NsField *field)
{
  return ns_waterfall_is_field (NS_TABLE_ACTIVITIES, field) ? _ ("Waterfall (s)")
                                                            : _ (field->title);
}

static void
init_layout (NsTimelineLayout *layout, NsSession *session, double width)
{
  ns_timeline_layout_init (layout, ns_session_get_whole (session), MAX (width, 1));
  ns_timeline_layout_show (layout, ns_session_get_visible (session));
}

/* Paints the grid lines at the ticks of the title, and the selected time span. */
static void
paint_ground (NsPaint *paint, NsSession *session, const NsTimelineLayout *layout, double height)
{
  gint64 step = ns_timeline_layout_get_step (layout, TICK_PX * paint->scale);
  gint64 time_ns = layout->begin_ns / step * step;
  NsTimeSpan span = ns_session_get_span (session);

  cairo_set_line_width (paint->cr, 1);
  ns_paint_color (paint, NS_COLOR_GRID, 1);
  for (; time_ns <= layout->end_ns; time_ns += step)
    {
      double x = floor (ns_timeline_layout_x_at (layout, time_ns)) + 0.5;

      ns_paint_line (paint, x, 0, x, height);
    }
  if (span.begin_ns >= span.end_ns)
    return;
  ns_paint_color (paint, NS_COLOR_SEL_SPAN, 0.07);
  ns_paint_box (paint,
                ns_timeline_layout_x_at (layout, span.begin_ns),
                0,
                ns_timeline_layout_x_at (layout, span.end_ns),
                height);
  cairo_fill (paint->cr);
}

/* Paints an arrow at the edge beyond which the row ran. */
static void
paint_arrow (NsPaint *paint, double width, double height, gboolean is_later)
{
  double size = ARROW_PX * paint->scale;
  double tip = is_later ? width : 0;
  double base = is_later ? width - size : size;

  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  cairo_move_to (paint->cr, tip, height / 2);
  cairo_line_to (paint->cr, base, height / 2 - size / 2);
  cairo_line_to (paint->cr, base, height / 2 + size / 2);
  cairo_close_path (paint->cr);
  cairo_fill (paint->cr);
}

static void
paint_row (NsPaint *paint,
           NsSession *session,
           const NsTimelineLayout *layout,
           guint32 row,
           double height)
{
  NsTimelineMetrics metrics;
  gint64 moment_ns = ns_session_get_moment (session);
  NsTimelineScene scene = { .trace = ns_session_get_trace (session),
                            .layout = layout,
                            .metrics = &metrics,
                            .hover_row = NS_ROW_NONE,
                            .focus_row = NS_ROW_NONE,
                            .has_moment = moment_ns != G_MAXINT64,
                            .moment_ns = moment_ns,
                            .has_no_labels = TRUE };
  NsTimelineOccupancy room = { .free_from = -100, .free_until = layout->width };
  NsTimelineBar bar = { .row = row };
  NsTimeSpan span;

  if (!ns_session_get_row_span (session, NS_TABLE_ACTIVITIES, row, &span))
    return;
  ns_timeline_metrics_init (&metrics, paint->scale);
  bar.x0 = ns_timeline_layout_x_at (layout, span.begin_ns);
  bar.x1 = ns_timeline_layout_x_at (layout, MIN (span.end_ns, moment_ns));
  if (bar.x1 < 0 || bar.x0 > layout->width)
    {
      paint_arrow (paint, layout->width, height, bar.x0 > layout->width);
      return;
    }
  ns_timeline_paint_bar (paint, &scene, &bar, (height - metrics.lane) / 2, &room);
}

/* Paints the profile of a group: the height shows how many of its rows ran at a time. */
static void
paint_group (NsPaint *paint,
             NsSession *session,
             const NsTimelineLayout *layout,
             const NsGroup *group,
             double height)
{
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (session, NS_TABLE_ACTIVITIES));
  guint n_columns = (guint) MAX (layout->width / BLOCK_PX, 1);
  g_autofree gint32 *starts = g_new0 (gint32, n_columns + 1);
  guint end = MIN (group->end, rows->len);
  guint step = MAX ((end - MIN (group->begin, end)) / MAX_PROFILED, 1);
  gint32 running = 0;
  gint32 most = 1;
  guint i;

  for (i = group->begin; i < end; i += step)
    {
      NsTimeSpan span;
      double x0;
      double x1;

      if (!ns_session_get_row_span (session,
                                    NS_TABLE_ACTIVITIES,
                                    g_array_index (rows, guint32, i),
                                    &span))
        continue;
      x0 = ns_timeline_layout_x_at (layout, span.begin_ns) / BLOCK_PX;
      x1 = ns_timeline_layout_x_at (layout, span.end_ns) / BLOCK_PX;
      if (x1 < 0 || x0 >= n_columns)
        continue;
      starts[(guint) MAX (x0, 0)]++;
      starts[(guint) MIN (x1 + 1, n_columns)]--;
    }
  for (i = 0; i < n_columns; i++)
    most = MAX (most, running += starts[i]);
  ns_paint_mix (paint, NS_COLOR_WINSOCK, NS_COLOR_BASE, 0.5);
  for (i = 0, running = 0; i < n_columns; i++)
    {
      running += starts[i];
      if (running > 0)
        ns_paint_box (paint,
                      i * BLOCK_PX,
                      height - 4 - (height - 8) * running / most,
                      (i + 1) * BLOCK_PX,
                      height - 4);
    }
  cairo_fill (paint->cr);
}

/**
 * ns_waterfall_paint_cell:
 * @cell: a cell of the column
 * @snapshot: the snapshot to draw into
 * @session: the session
 * @row: the activity of the cell, 0-based; ignored for groups
 * @group: (nullable): the group of the cell
 */
void
ns_waterfall_paint_cell (GtkWidget *cell,
                         GtkSnapshot *snapshot,
                         NsSession *session,
                         guint32 row,
                         const NsGroup *group)
{
  double width = gtk_widget_get_width (cell);
  double height = gtk_widget_get_height (cell);
  NsTimelineLayout layout;
  NsThemeLook look = { 0 };
  NsPaint paint;
  cairo_t *cr;

  init_layout (&layout, session, width);
  ns_theme_look_read (&look, cell);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  paint_ground (&paint, session, &layout, height);
  if (group != NULL)
    paint_group (&paint, session, &layout, group, height);
  else if (row != NS_ROW_NOT_A_ROW)
    paint_row (&paint, session, &layout, row, height);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

/* Draws the times in the column title, aligned with the grid of the cells below. */
static void
draw_ruler_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  NsSession *session = g_object_get_data (G_OBJECT (area), RULER_KEY);
  GtkWidget *title = gtk_widget_get_ancestor (GTK_WIDGET (area), GTK_TYPE_BOX);
  GtkWidget *label = title != NULL ? gtk_widget_get_first_child (title) : NULL;
  NsTimelineLayout layout;
  NsThemeLook look = { 0 };
  NsPaint paint;
  double free_from;
  double left = 0;
  double right = width;
  gboolean is_mirrored;
  double y;
  gint64 step;
  gint64 time_ns;

  if (session == NULL || label == NULL)
    return;
  /* The cells start at the edge where the title text starts, also in right-to-left layouts; time
   * always runs to the right. */
  is_mirrored = gtk_widget_get_direction (GTK_WIDGET (area)) == GTK_TEXT_DIR_RTL;
  if (!gtk_widget_translate_coordinates (label,
                                         GTK_WIDGET (area),
                                         is_mirrored ? gtk_widget_get_width (label) : 0,
                                         0,
                                         is_mirrored ? &right : &left,
                                         &y))
    return;
  init_layout (&layout, session, right - left);
  ns_theme_look_read (&look, GTK_WIDGET (area));
  ns_theme_look_begin (&look, &paint, cr);
  step = ns_timeline_layout_get_step (&layout, TICK_PX * paint.scale);
  ns_paint_color (&paint, NS_COLOR_TEXT_DIM, 1);
  /* The ruler begins at the end of the title text. */
  free_from = is_mirrored ? 0 : GAP_PX * paint.scale;
  for (time_ns = layout.begin_ns / step * step; time_ns <= layout.end_ns; time_ns += step)
    {
      g_autofree char *text = ns_timeline_layout_tick_to_text (time_ns, step);
      char *unit = g_strrstr (text, " ");
      double x = floor (ns_timeline_layout_x_at (&layout, time_ns) + left) + 0.5;
      double wide;

      /* The unit is part of the title. */
      if (unit != NULL && strcmp (unit, " s") == 0)
        *unit = '\0';
      wide = ns_paint_text_width (&paint, paint.caption, text);
      if (x - wide / 2 < free_from ||
          x + wide / 2 > (is_mirrored ? width - GAP_PX * paint.scale : width))
        continue;
      free_from = x + wide / 2 + GAP_PX * paint.scale;
      ns_paint_text (&paint, paint.caption, text, x - wide / 2, height / 2.0, -1);
      ns_paint_line (&paint, x, height - 4 * paint.scale, x, height);
    }
  ns_theme_look_clear (&look);
}

/**
 * ns_waterfall_update_title:
 * @title: the title widget of a column
 * @session: the session
 * @is_waterfall: whether the column is the waterfall
 *
 * Adds the ruler to the title of the waterfall column, or removes it from another title.
 */
void
ns_waterfall_update_title (GtkWidget *title, NsSession *session, gboolean is_waterfall)
{
  GtkWidget *box = gtk_widget_get_first_child (title);
  GtkWidget *ruler = box != NULL ? g_object_get_data (G_OBJECT (box), RULER_KEY) : NULL;

  if (!GTK_IS_BOX (box))
    return;
  if (!is_waterfall)
    {
      if (ruler != NULL)
        gtk_box_remove (GTK_BOX (box), ruler);
      g_object_set_data (G_OBJECT (box), RULER_KEY, NULL);
      return;
    }
  if (ruler == NULL)
    {
      ruler = gtk_drawing_area_new ();
      gtk_widget_set_hexpand (ruler, TRUE);
      gtk_widget_set_can_target (ruler, FALSE);
      gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (ruler), draw_ruler_cb, NULL, NULL);
      gtk_box_append (GTK_BOX (box), ruler);
      g_object_set_data (G_OBJECT (box), RULER_KEY, ruler);
    }
  gtk_widget_set_hexpand (gtk_widget_get_first_child (box), FALSE);
  g_object_set_data_full (G_OBJECT (ruler), RULER_KEY, g_object_ref (session), g_object_unref);
  gtk_widget_queue_draw (ruler);
}
