/* Icon in a table cell: the shape of the protocol, or how the activity ended.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-theme.h"
#include "ui/table/ns-result-icon.h"

#include <glib/gi18n.h>

#define MARK_PX 14

struct _NsResultIcon
{
  GtkWidget parent_instance;

  NsMarkKind kind;
  NsActivityRow row; /* a copy without phases */
};

G_DEFINE_FINAL_TYPE (NsResultIcon, ns_result_icon, GTK_TYPE_WIDGET)

static void
ns_result_icon_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  *minimum = (int) round (MARK_PX * ns_theme_get_scale ());
  *natural = *minimum;
}

/**
 * ns_result_icon_paint:
 * @widget: the widget whose theme is used
 * @snapshot: the snapshot to draw into
 * @kind: what to show
 * @row: the activity; only its protocol and result are read
 * @x: left edge, in pixels
 * @width: available width, in pixels
 * @height: available height, in pixels
 *
 * Paints the shape of the protocol, or the mark for a failed, cancelled or redirected activity;
 * paints nothing for the result of an activity that succeeded.
 */
void
ns_result_icon_paint (GtkWidget *widget,
                      GtkSnapshot *snapshot,
                      NsMarkKind kind,
                      const NsActivityRow *row,
                      double x,
                      int width,
                      int height)
{
  double y = height / 2.0;
  double k;
  NsThemeLook look = { 0 };
  NsPaint paint;
  cairo_t *cr;

  if (kind == NS_RESULT_ICON_TITLE)
    kind = row->failed ? NS_RESULT_ICON_END : NS_RESULT_ICON_PROTOCOL;
  if (kind == NS_RESULT_ICON_PROTOCOL ? row->protocol == 0
                                      : !row->failed && !row->cancelled && !row->redirected)
    return;
  ns_theme_look_read (&look, widget);
  cr =
      gtk_snapshot_append_cairo (snapshot,
                                 &GRAPHENE_RECT_INIT ((float) x, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  k = paint.scale;
  if (kind == NS_RESULT_ICON_PROTOCOL)
    ns_paint_protocol_mark (&paint, row->protocol, x + width / 2.0, y, 10 * k);
  else if (row->failed)
    ns_paint_cross (&paint, x + width / 2.0 - 4 * k, y, 8 * k);
  else if (row->cancelled)
    ns_paint_cancelled (&paint, x + width / 2.0 - 5 * k, y, 10 * k);
  else
    ns_paint_redirect (&paint, x, y);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

/**
 * ns_result_icon_paint_arrow:
 * @widget: the widget whose theme is used
 * @snapshot: the snapshot to draw into
 * @x: left edge, in pixels
 * @width: available width, in pixels
 * @height: available height, in pixels
 * @is_open: whether the group is expanded
 *
 * Paints the expander triangle of a group.
 */
void
ns_result_icon_paint_arrow (GtkWidget *widget,
                            GtkSnapshot *snapshot,
                            double x,
                            int width,
                            int height,
                            gboolean is_open)
{
  NsThemeLook look = { 0 };
  NsPaint paint;
  cairo_t *cr;

  ns_theme_look_read (&look, widget);
  cr =
      gtk_snapshot_append_cairo (snapshot,
                                 &GRAPHENE_RECT_INIT ((float) x, 0, (float) width, (float) height));
  ns_theme_look_begin (&look, &paint, cr);
  ns_paint_color (&paint, NS_COLOR_TEXT, 1);
  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    paint.mirror = width;
  ns_paint_expander (&paint, x + width / 2.0, height / 2.0, is_open);
  cairo_destroy (cr);
  ns_theme_look_clear (&look);
}

static void
ns_result_icon_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  NsResultIcon *self = NS_RESULT_ICON (widget);

  ns_result_icon_paint (widget,
                        snapshot,
                        self->kind,
                        &self->row,
                        0,
                        gtk_widget_get_width (widget),
                        gtk_widget_get_height (widget));
}

static void
ns_result_icon_class_init (NsResultIconClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = ns_result_icon_measure;
  widget_class->snapshot = ns_result_icon_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ns_result_icon_init (NsResultIcon *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

/**
 * ns_result_icon_new:
 * @kind: what to show
 *
 * Returns: (transfer floating): an icon without an activity
 */
GtkWidget *
ns_result_icon_new (NsMarkKind kind)
{
  NsResultIcon *self = g_object_new (NS_TYPE_RESULT_ICON, NULL);

  self->kind = kind;
  return GTK_WIDGET (self);
}

/**
 * ns_result_icon_set_row:
 * @self: an icon
 * @row: the activity to show; copied
 */
void
ns_result_icon_set_row (NsResultIcon *self, const NsActivityRow *row)
{
  const char *label = "";

  self->row = *row;
  self->row.phases = NULL; /* owned by the trace, which may be freed first */
  if (self->kind != NS_RESULT_ICON_PROTOCOL)
    {
      if (row->failed)
        label = _ ("failed");
      else if (self->kind == NS_RESULT_ICON_TITLE)
        label = "";
      else if (row->cancelled)
        label = _ ("cancelled");
      else if (row->redirected)
        label = _ ("redirected");
    }
  ns_accessible_set_name (GTK_WIDGET (self), label);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
