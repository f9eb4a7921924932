/* Drawing helpers that all painters share: colours, pixel-aligned boxes, text and marks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-paint.h"

#include <math.h>
#include <string.h>

/* Sets the cairo source to the colour of a role. */
void
ns_paint_color (NsPaint *self, NsColorRole role, double alpha)
{
  const NsColor *color = &self->palette->colors[role];

  cairo_set_source_rgba (self->cr, color->red, color->green, color->blue, alpha);
}

/* Sets the cairo source to a mix of two colours; @part is the share of @over, 0 to 1. */
void
ns_paint_mix (NsPaint *self, NsColorRole over, NsColorRole under, double part)
{
  NsColor mixed = ns_color_mix (&self->palette->colors[over], &self->palette->colors[under], part);

  cairo_set_source_rgb (self->cr, mixed.red, mixed.green, mixed.blue);
}

/* Coordinates are clamped to this, in px, which is wider than any picture: at high zoom a bar
 * exceeds cairo's 24-bit coordinates, and cairo computes the dashes of the whole line. */
#define FAR_PX 50000.0

/* Adds a box to the path. Callers pass whole px for fills, and half px for 1 px lines. */
void
ns_paint_box (NsPaint *self, double x0, double y0, double x1, double y1)
{
  x0 = CLAMP (x0, -FAR_PX, FAR_PX);
  x1 = CLAMP (x1, -FAR_PX, FAR_PX);
  cairo_rectangle (self->cr, self->mirror > 0 ? self->mirror - x1 : x0, y0, x1 - x0, y1 - y0);
}

/* Maps a layout x to a device x, which is mirrored in right-to-left layouts. */
double
ns_paint_x (const NsPaint *self, double x)
{
  return self->mirror > 0 ? self->mirror - x : x;
}

/* Draws a line with the current line width. */
void
ns_paint_line (NsPaint *self, double x0, double y0, double x1, double y1)
{
  x0 = CLAMP (x0, -FAR_PX, FAR_PX);
  x1 = CLAMP (x1, -FAR_PX, FAR_PX);
  cairo_move_to (self->cr, ns_paint_x (self, x0), y0);
  cairo_line_to (self->cr, ns_paint_x (self, x1), y1);
  cairo_stroke (self->cr);
}

/**
 * ns_paint_crop:
 * @self: a painter
 * @step: period of the pattern in px
 * @x0: (inout): left edge of the pattern, px
 * @x1: (inout): right edge
 *
 * Clips the range of a pattern to the visible part, in whole steps.
 */
void
ns_paint_crop (NsPaint *self, double step, double *x0, double *x1)
{
  double left;
  double right;
  double y;

  cairo_clip_extents (self->cr, &left, &y, &right, &y);
  if (*x0 < left)
    *x0 += floor ((left - *x0) / step) * step;
  *x1 = MIN (*x1, right + step);
}

/* Hatches a box with lines at 45°, in one direction or both. */
void
ns_paint_hatch (NsPaint *self,
                double x0,
                double y0,
                double x1,
                double y1,
                double step,
                gboolean is_crossed)
{
  double height = y1 - y0;
  double x;

  cairo_save (self->cr);
  ns_paint_box (self, x0, y0, x1, y1);
  cairo_clip (self->cr);
  if (self->mirror > 0)
    {
      x = self->mirror - x1;
      x1 = self->mirror - x0;
      x0 = x;
    }
  x0 = floor ((x0 - height) / step) * step;
  ns_paint_crop (self, step, &x0, &x1);
  x0 -= ceil (height / step) * step;
  for (x = x0; x < x1; x += step)
    {
      cairo_move_to (self->cr, x, y1);
      cairo_line_to (self->cr, x + height, y0);
      if (is_crossed)
        {
          cairo_move_to (self->cr, x, y0);
          cairo_line_to (self->cr, x + height, y1);
        }
    }
  cairo_stroke (self->cr);
  cairo_restore (self->cr);
}

static PangoLayout *
prepare_text (NsPaint *self, const PangoFontDescription *font, const char *text)
{
  if (self->layout == NULL)
    {
      self->layout = pango_cairo_create_layout (self->cr);
      pango_layout_set_single_paragraph_mode (self->layout, TRUE);
    }
  pango_layout_set_font_description (self->layout, font);
  pango_layout_set_width (self->layout, -1);
  pango_layout_set_text (self->layout, text, -1);
  return self->layout;
}

/**
 * ns_paint_text_width:
 * @self: a painter
 * @font: the font
 * @text: UTF-8
 *
 * Returns: width of the text in px, in one line
 */
double
ns_paint_text_width (NsPaint *self, const PangoFontDescription *font, const char *text)
{
  int width;

  pango_layout_get_pixel_size (prepare_text (self, font, text), &width, NULL);
  return width;
}

/**
 * ns_paint_text_least_width:
 * @font: the font
 * @text: UTF-8, or any bytes
 *
 * Estimates a width without laying out the text, which takes some 20 µs: in a readable font no
 * ASCII letter is narrower than a seventh of the font size.
 *
 * Returns: lower bound of the width of the text in px; 0 if the text is not ASCII
 */
double
ns_paint_text_least_width (const PangoFontDescription *font, const char *text)
{
  double size = pango_font_description_get_size (font) / (double) PANGO_SCALE;

  return g_str_is_ascii (text) ? size / 7 * strlen (text) : 0;
}

/**
 * ns_paint_get_ellipsis:
 * @text: UTF-8
 *
 * Returns: where the text is ellipsized: in the middle for an IPv6 address, so that its interface
 *   identifier and port stay visible
 */
PangoEllipsizeMode
ns_paint_get_ellipsis (const char *text)
{
  const char *first;

  g_return_val_if_fail (text != NULL, PANGO_ELLIPSIZE_END);

  first = strchr (text, ':');
  if (first != NULL && strchr (first + 1, ':') != NULL &&
      strspn (text, "0123456789abcdef:.[]%") == strlen (text))
    return PANGO_ELLIPSIZE_MIDDLE;
  return PANGO_ELLIPSIZE_END;
}

/**
 * ns_paint_text:
 * @self: a painter
 * @font: the font
 * @text: UTF-8
 * @x: px, left edge
 * @middle_y: px, middle of the line
 * @max_width: px; a longer text is ellipsized; below 0 for no limit
 *
 * Draws one line of text in the current colour.
 *
 * Returns: width of the drawn text in px
 */
double
ns_paint_text (NsPaint *self,
               const PangoFontDescription *font,
               const char *text,
               double x,
               double middle_y,
               double max_width)
{
  PangoLayout *layout;
  cairo_rectangle_t box;
  int width;
  int height;

  if (max_width >= 0 && max_width < 8)
    return 0;
  layout = prepare_text (self, font, text);
  pango_layout_get_pixel_size (layout, &width, &height);
  /* Only a text that is too long gets a width: with one, Pango aligns right-to-left text to the
   * right edge of the width. */
  if (max_width >= 0 && width > max_width)
    {
      pango_layout_set_width (layout, (int) (max_width * PANGO_SCALE));
      pango_layout_set_ellipsize (layout, ns_paint_get_ellipsis (text));
      pango_layout_get_pixel_size (layout, &width, &height);
    }
  box = (cairo_rectangle_t){ round (self->mirror > 0 ? self->mirror - x - width : x),
                             round (middle_y - height / 2.0),
                             width,
                             height };
  cairo_move_to (self->cr, box.x, box.y);
  pango_cairo_show_layout (self->cr, layout);
  if (self->boxes != NULL)
    {
      cairo_user_to_device (self->cr, &box.x, &box.y);
      g_array_append_val (self->boxes, box);
    }
  self->n_texts++;
  return width;
}

static void
polygon (cairo_t *cr, const double (*points)[2], guint n_points, double x, double y, double size)
{
  guint i;

  for (i = 0; i < n_points; i++)
    cairo_line_to (cr, x + points[i][0] * size, y + points[i][1] * size);
  cairo_close_path (cr);
}

/**
 * ns_paint_protocol_mark:
 * @self: a painter
 * @protocol: one bit of #NsLayers
 * @x: px, centre
 * @y: px, centre
 * @size: px, across
 *
 * Draws the mark of a protocol, which differs in shape and in colour.
 */
void
ns_paint_protocol_mark (NsPaint *self, guint32 protocol, double x, double y, double size)
{
  static const double up[3][2] = { { 0, -0.5 }, { 0.55, 0.45 }, { -0.55, 0.45 } };
  static const double down[3][2] = { { 0, 0.5 }, { 0.55, -0.45 }, { -0.55, -0.45 } };
  static const double diamond[4][2] = { { 0, -0.6 }, { 0.6, 0 }, { 0, 0.6 }, { -0.6, 0 } };
  static const double square[4][2] = { { -.42, -.42 }, { .42, -.42 }, { .42, .42 }, { -.42, .42 } };
  static const double dash[4][2] = { { -.5, -.2 }, { .5, -.2 }, { .5, .2 }, { -.5, .2 } };
  static const double slanted[4][2] = { { -.2, -.42 }, { .65, -.42 }, { .2, .42 }, { -.65, .42 } };
  NsColorRole role = ns_palette_get_protocol_role (protocol);
  gboolean is_hollow = role == NS_COLOR_TCP || role == NS_COLOR_UDP || role == NS_COLOR_QUIC;

  x = ns_paint_x (self, x);
  cairo_new_path (self->cr);
  switch ((guint) role)
    {
    case NS_COLOR_WININET:
      polygon (self->cr, up, 3, x, y, size);
      break;
    case NS_COLOR_DNS:
    case NS_COLOR_BITS:
      polygon (self->cr, down, 3, x, y, size);
      break;
    case NS_COLOR_LDAP:
    case NS_COLOR_RPC:
    case NS_COLOR_UDP:
      polygon (self->cr, diamond, 4, x, y, size);
      break;
    case NS_COLOR_WINSOCK:
      polygon (self->cr, dash, 4, x, y, size);
      break;
    case NS_COLOR_DOTNET:
      polygon (self->cr, slanted, 4, x, y, size);
      break;
    case NS_COLOR_CHROMIUM:
    case NS_COLOR_QUIC:
      cairo_arc (self->cr, x, y, size * 0.45, 0, 2 * G_PI);
      break;
    default:
      polygon (self->cr, square, 4, x, y, size);
      break;
    }
  ns_paint_color (self, role, 1);
  cairo_set_line_width (self->cr, 1.5);
  if (is_hollow)
    cairo_stroke (self->cr);
  else
    cairo_fill (self->cr);
}

/* Draws the ✕ of a failure; @x is its left edge. */
void
ns_paint_cross (NsPaint *self, double x, double y, double size)
{
  ns_paint_color (self, NS_COLOR_FAILURE, 1);
  cairo_set_line_width (self->cr, 2 * self->scale);
  ns_paint_line (self, x, y - size / 2, x + size, y + size / 2);
  ns_paint_line (self, x, y + size / 2, x + size, y - size / 2);
}

/* Draws the ↷ of a redirect, 14 px wide; @x is its left edge. */
void
ns_paint_redirect (NsPaint *self, double x, double y)
{
  double k = self->scale;

  ns_paint_color (self, NS_COLOR_TEXT, 1);
  cairo_set_line_width (self->cr, 1.5 * self->scale);
  cairo_new_sub_path (self->cr);
  cairo_arc (self->cr, x + 6 * k, y + 2.5 * k, 5 * k, G_PI, 1.85 * G_PI);
  cairo_stroke (self->cr);
  cairo_move_to (self->cr, x + 7 * k, y + 1.5 * k);
  cairo_line_to (self->cr, x + 14 * k, y - 1 * k);
  cairo_line_to (self->cr, x + 12 * k, y + 4.5 * k);
  cairo_close_path (self->cr);
  cairo_fill (self->cr);
}

/* Draws the ⊘ of a cancelled operation; @x is its left edge. */
void
ns_paint_cancelled (NsPaint *self, double x, double y, double size)
{
  double radius = size / 2 - 0.75 * self->scale;
  double reach = radius * G_SQRT2 / 2;

  ns_paint_color (self, NS_COLOR_TEXT_DIM, 1);
  cairo_set_line_width (self->cr, 1.5 * self->scale);
  cairo_new_sub_path (self->cr);
  cairo_arc (self->cr, x + size / 2, y, radius, 0, 2 * G_PI);
  cairo_stroke (self->cr);
  ns_paint_line (self, x + size / 2 - reach, y + reach, x + size / 2 + reach, y - reach);
}

/* Draws the expander triangle of a lane; @x and @y are its centre. */
void
ns_paint_expander (NsPaint *self, double x, double y, gboolean is_open)
{
  double k = self->scale;
  double ahead = self->mirror > 0 ? -k : k;

  x = ns_paint_x (self, x);
  cairo_new_path (self->cr);
  if (is_open)
    {
      cairo_move_to (self->cr, x - 4 * k, y - 2 * k);
      cairo_line_to (self->cr, x + 4 * k, y - 2 * k);
      cairo_line_to (self->cr, x, y + 3 * k);
    }
  else
    {
      cairo_move_to (self->cr, x - 2 * ahead, y - 4 * k);
      cairo_line_to (self->cr, x - 2 * ahead, y + 4 * k);
      cairo_line_to (self->cr, x + 3 * ahead, y);
    }
  cairo_close_path (self->cr);
  cairo_fill (self->cr);
}
