/* Paints the rows of a hex pane: offsets, bytes, characters, and highlighted fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-hex-paint.h"

#include <math.h>

/* Shown for a byte that is not printable ASCII: a middle dot, two bytes in UTF-8. */
#define NO_CHARACTER "\302\267"

/* The text of one row, and the colour of each of its bytes. */
typedef struct
{
  GString *text;
  PangoAttrList *colors;
} Line;

static void
color_run (Line *line, const NsPaint *paint, NsColorRole role, gsize begin)
{
  const NsColor *color = &paint->palette->colors[role];
  PangoAttribute *attribute = pango_attr_foreground_new ((guint16) (color->red * 65535),
                                                         (guint16) (color->green * 65535),
                                                         (guint16) (color->blue * 65535));

  attribute->start_index = (guint) begin;
  attribute->end_index = (guint) line->text->len;
  pango_attr_list_insert (line->colors, attribute);
}

static NsColorRole
get_role (const NsHexPicture *picture, guint32 byte)
{
  return picture->known[byte] ? NS_COLOR_TEXT : NS_COLOR_TEXT_DIM;
}

static void
fill_line (Line *line, const NsPaint *paint, const NsHexPicture *picture, guint row)
{
  const NsHexLayout *layout = picture->layout;
  guint32 begin = row * layout->per_row;
  guint n_here = MIN (layout->per_row, layout->n_bytes - begin);
  guint n_characters;
  guint i;

  g_string_printf (line->text, "%0*x", (int) layout->n_digits, begin);
  color_run (line, paint, NS_COLOR_TEXT_DIM, 0);
  for (i = 0; i < n_here; i++)
    {
      gsize at;

      while (line->text->len < ns_hex_layout_get_byte_column (layout, i))
        g_string_append_c (line->text, ' ');
      at = line->text->len;
      g_string_append_printf (line->text, "%02x", picture->bytes[begin + i]);
      color_run (line, paint, get_role (picture, begin + i), at);
    }
  n_characters = (guint) line->text->len;
  for (; n_characters < ns_hex_layout_get_text_column (layout, 0); n_characters++)
    g_string_append_c (line->text, ' ');
  for (i = 0; i < n_here; i++)
    {
      guint8 byte = picture->bytes[begin + i];
      gsize at = line->text->len;

      if (g_ascii_isprint ((char) byte))
        g_string_append_c (line->text, (char) byte);
      else
        g_string_append (line->text, NO_CHARACTER);
      color_run (line, paint, get_role (picture, begin + i), at);
    }
}

/* Adds the two boxes of a run of bytes, one over the digits and one over the characters, to the
 * path. */
static void
add_run_boxes (NsPaint *paint, const NsHexLayout *layout, guint first, guint last, double y)
{
  double pad = layout->char_px / 4;

  ns_paint_box (paint,
                ns_hex_layout_get_x (layout, ns_hex_layout_get_byte_column (layout, first)) - pad,
                y,
                ns_hex_layout_get_x (layout, ns_hex_layout_get_byte_column (layout, last) + 2) +
                    pad,
                y + layout->row_px);
  ns_paint_box (paint,
                ns_hex_layout_get_x (layout, ns_hex_layout_get_text_column (layout, first)),
                y,
                ns_hex_layout_get_x (layout, ns_hex_layout_get_text_column (layout, last) + 1),
                y + layout->row_px);
}

static void
paint_run (NsPaint *paint,
           const NsHexPicture *picture,
           const NsHexRun *run,
           NsColorRole ground,
           guint row,
           double y)
{
  const NsHexLayout *layout = picture->layout;
  guint first;
  guint last;

  if (run->size == 0 || !ns_hex_layout_get_run (layout, row, run->offset, run->size, &first, &last))
    return;
  ns_paint_color (paint, ground, 1);
  add_run_boxes (paint, layout, first, last, y);
  cairo_fill (paint->cr);
  if (ground != NS_COLOR_SEL_ROW)
    return;
  /* Underlines the selection, which must not be marked by colour alone. */
  cairo_save (paint->cr);
  ns_paint_color (paint, NS_COLOR_ACCENT, 1);
  add_run_boxes (paint, layout, first, last, y);
  cairo_clip (paint->cr);
  ns_paint_box (paint, 0, y + layout->row_px - 2, 10000, y + layout->row_px);
  cairo_fill (paint->cr);
  cairo_restore (paint->cr);
}

static void
paint_cursor (NsPaint *paint, const NsHexPicture *picture, guint row, double y)
{
  const NsHexLayout *layout = picture->layout;
  guint first;
  guint last;

  if (picture->cursor == NS_HEX_NONE || !picture->has_focus ||
      !ns_hex_layout_get_run (layout, row, picture->cursor, 1, &first, &last))
    return;
  ns_paint_color (paint, NS_COLOR_FOCUS, 1);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_box (paint,
                floor (ns_hex_layout_get_x (layout, ns_hex_layout_get_byte_column (layout, first)) -
                       layout->char_px / 4) +
                    0.5,
                y + 0.5,
                floor (ns_hex_layout_get_x (layout,
                                            ns_hex_layout_get_byte_column (layout, first) + 2) +
                       layout->char_px / 4) +
                    0.5,
                y + layout->row_px - 0.5);
  cairo_stroke (paint->cr);
}

/**
 * ns_hex_paint:
 * @paint: a painter
 * @picture: the bytes and their highlighting
 * @font: a monospaced font with the character width of the layout
 * @scrolled_px: px of the pane above the visible part
 * @height_px: px of the visible part
 *
 * Paints the visible rows.
 */
void
ns_hex_paint (NsPaint *paint,
              const NsHexPicture *picture,
              const PangoFontDescription *font,
              double scrolled_px,
              double height_px)
{
  const NsHexLayout *layout = picture->layout;
  guint row = (guint) (MAX (scrolled_px, 0) / layout->row_px);
  g_autoptr (PangoLayout) text = pango_cairo_create_layout (paint->cr);

  pango_layout_set_font_description (text, font);
  pango_layout_set_single_paragraph_mode (text, TRUE);
  for (; row < layout->n_rows; row++)
    {
      double y = row * layout->row_px - scrolled_px;
      Line line;
      int text_px;

      if (y >= height_px)
        break;
      line.text = g_string_sized_new (2 * NS_HEX_MAX_COLUMNS);
      line.colors = pango_attr_list_new ();
      paint_run (paint, picture, &picture->hovered, NS_COLOR_HOVER_ROW, row, y);
      paint_run (paint, picture, &picture->chosen, NS_COLOR_SEL_ROW, row, y);
      fill_line (&line, paint, picture, row);
      pango_layout_set_text (text, line.text->str, (int) line.text->len);
      pango_layout_set_attributes (text, line.colors);
      pango_layout_get_pixel_size (text, NULL, &text_px);
      ns_paint_color (paint, NS_COLOR_TEXT, 1);
      cairo_move_to (paint->cr, layout->left_px, y + floor ((layout->row_px - text_px) / 2));
      pango_cairo_show_layout (paint->cr, text);
      paint_cursor (paint, picture, row, y);
      pango_attr_list_unref (line.colors);
      g_string_free (line.text, TRUE);
    }
}
