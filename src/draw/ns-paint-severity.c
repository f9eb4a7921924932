/* Marks of findings, which differ in shape and in colour by severity.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-paint.h"

#include <math.h>

#define N_CORNERS 8
#define RADIUS 6.5

static void
add_octagon (cairo_t *cr, double x, double y, double radius)
{
  guint i;

  cairo_new_path (cr);
  for (i = 0; i < N_CORNERS; i++)
    {
      double angle = (i + 0.5) * 2 * G_PI / N_CORNERS;

      cairo_line_to (cr, x + radius * cos (angle), y + radius * sin (angle));
    }
  cairo_close_path (cr);
}

static void
paint_problem (NsPaint *self, double x, double y, double k)
{
  ns_paint_color (self, NS_COLOR_FAILURE, 1);
  add_octagon (self->cr, x, y, (RADIUS + 0.5) * k);
  cairo_fill (self->cr);
  ns_paint_color (self, NS_COLOR_BASE, 1);
  cairo_set_line_width (self->cr, 1.8 * k);
  ns_paint_line (self, x - 2.6 * k, y - 2.6 * k, x + 2.6 * k, y + 2.6 * k);
  ns_paint_line (self, x - 2.6 * k, y + 2.6 * k, x + 2.6 * k, y - 2.6 * k);
}

/* Draws a line and a dot: an exclamation mark or an i. */
static void
paint_stroke (NsPaint *self, double x, double from, double to, double dot, double k)
{
  cairo_set_line_width (self->cr, 1.7 * k);
  ns_paint_line (self, x, from, x, to);
  cairo_new_sub_path (self->cr);
  cairo_arc (self->cr, x, dot, 1.05 * k, 0, 2 * G_PI);
  cairo_fill (self->cr);
}

static void
paint_warning (NsPaint *self, double x, double y, double k)
{
  ns_paint_color (self, NS_COLOR_WARNING, 1);
  cairo_set_line_join (self->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_new_path (self->cr);
  cairo_move_to (self->cr, x, y - 5.8 * k);
  cairo_line_to (self->cr, x + 6.4 * k, y + 5.2 * k);
  cairo_line_to (self->cr, x - 6.4 * k, y + 5.2 * k);
  cairo_close_path (self->cr);
  cairo_set_line_width (self->cr, 1.2 * k);
  cairo_fill_preserve (self->cr);
  cairo_stroke (self->cr);
  ns_paint_color (self, NS_COLOR_BASE, 1);
  paint_stroke (self, x, y - 2.6 * k, y + 1.6 * k, y + 3.7 * k, k);
}

static void
paint_note (NsPaint *self, double x, double y, double k)
{
  ns_paint_color (self, NS_COLOR_ACCENT, 1);
  cairo_set_line_width (self->cr, 1.4 * k);
  cairo_new_path (self->cr);
  cairo_arc (self->cr, x, y, (RADIUS - 0.5) * k, 0, 2 * G_PI);
  cairo_stroke (self->cr);
  paint_stroke (self, x, y - 0.8 * k, y + 3.4 * k, y - 2.8 * k, k);
}

static void
paint_unjudged (NsPaint *self, double x, double y, double k)
{
  const double dashes[] = { 3 * k, 1.8 * k };

  ns_paint_color (self, NS_COLOR_TEXT_DIM, 1);
  cairo_set_line_width (self->cr, 1.4 * k);
  cairo_set_dash (self->cr, dashes, 2, 0);
  cairo_rectangle (self->cr, x - 6 * k, y - 6 * k, 12 * k, 12 * k);
  cairo_stroke (self->cr);
  cairo_set_dash (self->cr, NULL, 0, 0);
  ns_paint_line (self, x - 2.6 * k, y, x + 2.6 * k, y);
}

static void
paint_fine (NsPaint *self, double x, double y, double k)
{
  ns_paint_color (self, NS_COLOR_OK, 1);
  cairo_set_line_width (self->cr, 2 * k);
  cairo_new_path (self->cr);
  cairo_move_to (self->cr, x - 5 * k, y + 0.4 * k);
  cairo_line_to (self->cr, x - 1.4 * k, y + 4 * k);
  cairo_line_to (self->cr, x + 5 * k, y - 4 * k);
  cairo_stroke (self->cr);
}

/**
 * ns_paint_severity: (skip)
 * @self: a painter
 * @mark: the mark to paint
 * @x: px, its centre
 * @y: px, its centre
 *
 * Paints a mark of 14 px at the normal font.
 */
void
ns_paint_severity (NsPaint *self, NsSeverityMark mark, double x, double y)
{
  double k = self->scale;

  cairo_save (self->cr);
  switch (mark)
    {
    case NS_SEVERITY_MARK_PROBLEM:
      paint_problem (self, x, y, k);
      break;
    case NS_SEVERITY_MARK_WARNING:
      paint_warning (self, x, y, k);
      break;
    case NS_SEVERITY_MARK_NOTE:
      paint_note (self, x, y, k);
      break;
    case NS_SEVERITY_MARK_UNJUDGED:
      paint_unjudged (self, x, y, k);
      break;
    case NS_SEVERITY_MARK_FINE:
      paint_fine (self, x, y, k);
      break;
    case NS_SEVERITY_MARK_NONE:
    default:
      break;
    }
  cairo_restore (self->cr);
}
