/* Legend of a flame graph: a box and a label for each colour.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-theme.h"
#include "ui/panel/ns-flame-legend.h"

#include <glib/gi18n.h>

#define SWATCH_PX 12

static void
draw_swatch_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  const NsFlameLook *look = g_object_get_data (G_OBJECT (area), "ns-look");
  static const double dashes[] = { 3, 2 };
  NsThemeLook theme = { 0 };
  NsPaint paint;

  ns_theme_look_read (&theme, GTK_WIDGET (area));
  ns_theme_look_begin (&theme, &paint, cr);
  ns_paint_box (&paint, 0.5, 0.5, width - 0.5, height - 0.5);
  ns_paint_color (&paint, NS_COLOR_BASE, 1);
  cairo_fill_preserve (cr);
  ns_paint_color (&paint, look->role, look->fill);
  cairo_fill_preserve (cr);
  ns_paint_color (&paint, look->role == NS_COLOR_FIND ? NS_COLOR_TEXT_DIM : look->role, 1);
  cairo_set_line_width (cr, 1);
  if (look->is_dashed)
    cairo_set_dash (cr, dashes, 2, 0);
  cairo_stroke (cr);
  g_clear_object (&paint.layout);
  ns_theme_look_clear (&theme);
}

static const char *
get_words (const NsFlameLegendLine *line, NsFlameColor color)
{
  gboolean is_failure = color == NS_FLAME_COLOR_FAILURES;

  switch (line->kind)
    {
    case NS_FLAME_LEGEND_MODULES:
      return line->modules;
    case NS_FLAME_LEGEND_APPLICATION:
      return _ ("application");
    case NS_FLAME_LEGEND_SYSTEM:
      return _ ("system");
    case NS_FLAME_LEGEND_KERNEL:
      return _ ("kernel");
    case NS_FLAME_LEGEND_UNNAMED:
      return _ ("no name");
    case NS_FLAME_LEGEND_NONE:
      return is_failure ? _ ("none failed") : _ ("no wait");
    case NS_FLAME_LEGEND_HALF:
      return is_failure ? _ ("half failed") : _ ("half of the time waiting");
    case NS_FLAME_LEGEND_ALL:
      return is_failure ? _ ("all failed") : _ ("only waiting");
    case NS_FLAME_LEGEND_THREAD_SWITCH:
      return _ ("thread switch");
    case NS_FLAME_LEGEND_FOUND:
    default:
      return _ ("found");
    }
}

/**
 * ns_flame_legend_widget_new:
 *
 * Returns: (transfer floating): an empty legend
 */
GtkWidget *
ns_flame_legend_widget_new (void)
{
  GtkWidget *legend = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);

  gtk_widget_add_css_class (legend, "legend");
  ns_accessible_set_name (legend, _ ("Meaning of the colours"));
  return legend;
}

/**
 * ns_flame_legend_widget_update:
 * @legend: a legend
 * @lines: (element-type NsFlameLegendLine): entries to show
 * @color: colour scheme of the graph
 */
void
ns_flame_legend_widget_update (GtkWidget *legend, const GArray *lines, NsFlameColor color)
{
  GtkWidget *child;
  guint i;

  while ((child = gtk_widget_get_first_child (legend)) != NULL)
    gtk_box_remove (GTK_BOX (legend), child);
  for (i = 0; i < lines->len; i++)
    {
      const NsFlameLegendLine *line = &g_array_index (lines, NsFlameLegendLine, i);
      GtkWidget *both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
      GtkWidget *swatch = gtk_drawing_area_new ();
      GtkWidget *label = gtk_label_new (get_words (line, color));

      gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH_PX);
      gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH_PX);
      gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
      g_object_set_data_full (G_OBJECT (swatch),
                              "ns-look",
                              g_memdup2 (&line->look, sizeof line->look),
                              g_free);
      gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch_cb, NULL, NULL);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (both), swatch);
      gtk_box_append (GTK_BOX (both), label);
      gtk_box_append (GTK_BOX (legend), both);
    }
}
