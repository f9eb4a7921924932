/* Paints a flame graph with cairo.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-paint.h"

#include <math.h>
#include <string.h>

#define FOUND_PART 0.85
#define FADED_ALPHA 0.35
#define MIN_TEXT_WIDTH 24.0

/* Paints a box with its edges on half px; a box narrower than 3 px has no outline. */
static void
paint_ground (NsPaint *paint,
              const NsFlameScene *scene,
              const NsFlameBox *box,
              double y,
              double alpha)
{
  double x0 = floor (box->x0) + 0.5;
  double x1 = MAX (floor (box->x1) - 0.5, x0);
  double y1 = y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale;
  NsFlameLook look = ns_flame_get_look (scene->layout, box->node, scene->color);
  static const double dashes[] = { 3, 2 };

  cairo_set_line_width (paint->cr, 1);
  if (x1 - x0 < 3)
    {
      ns_paint_box (paint, floor (box->x0), y, MAX (floor (box->x1), floor (box->x0) + 1), y1);
      ns_paint_color (paint, look.role, alpha * (look.fill + 0.2));
      cairo_fill (paint->cr);
      return;
    }
  ns_paint_box (paint, x0, y + 0.5, x1, y1 - 0.5);
  if (look.is_dashed)
    {
      ns_paint_color (paint, NS_COLOR_BASE, alpha);
      cairo_fill_preserve (paint->cr);
      cairo_set_dash (paint->cr, dashes, 2, 0);
      ns_paint_color (paint, look.role, alpha);
      cairo_stroke (paint->cr);
      cairo_set_dash (paint->cr, NULL, 0, 0);
      return;
    }
  ns_paint_color (paint, look.role, alpha * look.fill);
  cairo_fill_preserve (paint->cr);
  ns_paint_color (paint, look.role, alpha);
  cairo_stroke (paint->cr);
}

static void
paint_found (NsPaint *paint, const NsFlameBox *box, double y)
{
  double y1 = y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale;

  double x0 = floor (box->x0);
  double x1 = MAX (floor (box->x1), x0 + 1);

  ns_paint_box (paint, x0, y, x1, y1);
  ns_paint_color (paint, NS_COLOR_FIND, FOUND_PART);
  cairo_fill (paint->cr);
  if (x1 - x0 < 4)
    return;
  cairo_set_line_width (paint->cr, 1);
  ns_paint_box (paint, x0 + 0.5, y + 0.5, x1 - 0.5, y1 - 0.5);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  cairo_stroke (paint->cr);
}

static void
paint_ring (NsPaint *paint, const NsFlameBox *box, double y, NsColorRole role, double width)
{
  double inset = width / 2;

  cairo_set_line_width (paint->cr, width);
  ns_paint_box (paint,
                floor (box->x0) + inset,
                y + inset,
                MAX (floor (box->x1) - inset, floor (box->x0) + inset + 1),
                y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale - inset);
  ns_paint_color (paint, role, 1);
  cairo_stroke (paint->cr);
}

static char *
dup_text (const NsFlameScene *scene, const NsFlameBox *box)
{
  const NsCallTree *tree = scene->layout->tree;

  return scene->text_of != NULL ? scene->text_of (tree, box, scene->color)
                                : g_strdup (ns_call_tree_get_name (tree, box->node));
}

static void
paint_text (NsPaint *paint,
            const NsFlameScene *scene,
            const NsFlameBox *box,
            double y,
            double alpha)
{
  double width = box->x1 - box->x0 - 10 * paint->scale;
  PangoFontDescription *slanted = NULL;
  g_autofree char *text = NULL;

  if (width < MIN_TEXT_WIDTH * paint->scale || paint->n_texts >= NS_PAINT_MAX_TEXTS)
    return;
  text = dup_text (scene, box);
  if (g_array_index (scene->layout->tree->nodes, NsCallNode, box->node).kind ==
      NS_CALL_NODE_THREAD_SWITCH)
    {
      slanted = pango_font_description_copy_static (paint->dense);
      pango_font_description_set_style (slanted, PANGO_STYLE_ITALIC);
    }
  ns_paint_color (paint, NS_COLOR_TEXT, alpha);
  ns_paint_text (paint,
                 slanted != NULL ? slanted : paint->dense,
                 text,
                 box->x0 + 6 * paint->scale,
                 y + (NS_FLAME_LEVEL_HEIGHT - NS_FLAME_GAP) * paint->scale / 2,
                 width);
  g_clear_pointer (&slanted, pango_font_description_free);
}

static gboolean
is_found (const NsFlameScene *scene, const NsFlameBox *box)
{
  guint32 i;

  for (i = 0; i < box->n_folded; i++)
    if (scene->found[box->node + i])
      return TRUE;
  return FALSE;
}

static void
paint_box (NsPaint *paint, const NsFlameScene *scene, const NsFlameBox *box)
{
  double y = box->level * NS_FLAME_LEVEL_HEIGHT * paint->scale - scene->top;
  gboolean has_found = scene->found != NULL && is_found (scene, box);
  double alpha = scene->found != NULL && !has_found ? FADED_ALPHA : 1;

  paint_ground (paint, scene, box, y, alpha);
  if (has_found)
    paint_found (paint, box, y);
  paint_text (paint, scene, box, y, alpha);
  if (scene->selected != NS_FLAME_NONE && ns_flame_box_has (box, scene->selected))
    paint_ring (paint, box, y, scene->has_focus ? NS_COLOR_FOCUS : NS_COLOR_ACCENT, 2);
  else if (scene->hover != NS_FLAME_NONE && ns_flame_box_has (box, scene->hover))
    paint_ring (paint, box, y, NS_COLOR_TEXT_DIM, 1.5);
}

/**
 * ns_flame_paint:
 * @paint: a painter
 * @scene: the flame graph
 *
 * Paints the visible boxes.
 */
void
ns_flame_paint (NsPaint *paint, const NsFlameScene *scene)
{
  double level_height = NS_FLAME_LEVEL_HEIGHT * paint->scale;
  guint i;

  if (scene->layout->tree == NULL)
    return;
  for (i = 0; i < scene->layout->boxes->len; i++)
    {
      const NsFlameBox *box = &g_array_index (scene->layout->boxes, NsFlameBox, i);
      double y = box->level * level_height - scene->top;

      if (y + level_height >= 0 && y < scene->height)
        paint_box (paint, scene, box);
    }
}
