/* Positions of the bytes in a hex pane, on a grid of characters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-hex-layout.h"

#include <math.h>

#define MIN_DIGITS 4
#define GAP 2
#define GROUP 8
/* Rows get shorter in steps of this many bytes. */
#define STEP 4
#define MARGIN_PX 12

static guint
count_columns (guint n_digits, guint per_row)
{
  guint n_groups = (per_row + GROUP - 1) / GROUP;

  /* Each byte takes two digits and a blank, except that the last has no blank; groups have one
   * more blank between them. */
  return n_digits + GAP + (3 * per_row - 1) + (n_groups - 1) + GAP + per_row;
}

/**
 * ns_hex_layout_init:
 * @self: (out caller-allocates): a layout
 * @n_bytes: number of bytes
 * @width_px: available width
 * @char_px: width of one character
 * @scale: scale factor of the font
 *
 * A row has 16 bytes, or the largest multiple of 4 that fits, but at least 4.
 */
void
ns_hex_layout_init (NsHexLayout *self,
                    guint32 n_bytes,
                    double width_px,
                    double char_px,
                    double scale)
{
  self->n_bytes = n_bytes;
  self->char_px = MAX (char_px, 1);
  self->left_px = MARGIN_PX;
  self->row_px = round (NS_HEX_ROW_PX * MAX (scale, 1));
  self->n_digits = MIN_DIGITS;
  while (self->n_digits < 8 && (guint64) n_bytes > (G_GUINT64_CONSTANT (1) << 4 * self->n_digits))
    self->n_digits++;
  self->per_row = NS_HEX_MAX_PER_ROW;
  while (self->per_row > STEP &&
         2 * MARGIN_PX + count_columns (self->n_digits, self->per_row) * self->char_px > width_px)
    self->per_row -= STEP;
  self->n_rows = n_bytes / self->per_row + (n_bytes % self->per_row != 0);
}

/**
 * ns_hex_layout_get_byte_column:
 * @self: a layout
 * @in_row: index of a byte in its row
 *
 * Returns: the column of the first of its two digits
 */
guint
ns_hex_layout_get_byte_column (const NsHexLayout *self, guint in_row)
{
  return self->n_digits + GAP + 3 * in_row + in_row / GROUP;
}

/**
 * ns_hex_layout_get_text_column:
 * @self: a layout
 * @in_row: index of a byte in its row
 *
 * Returns: the column of its character at the right
 */
guint
ns_hex_layout_get_text_column (const NsHexLayout *self, guint in_row)
{
  return ns_hex_layout_get_byte_column (self, self->per_row - 1) + 2 + GAP + in_row;
}

/**
 * ns_hex_layout_get_n_columns:
 * @self: a layout
 *
 * Returns: number of columns of a full row
 */
guint
ns_hex_layout_get_n_columns (const NsHexLayout *self)
{
  return count_columns (self->n_digits, self->per_row);
}

/**
 * ns_hex_layout_get_x:
 * @self: a layout
 * @column: a character column
 *
 * Returns: left edge of the column in px
 */
double
ns_hex_layout_get_x (const NsHexLayout *self, guint column)
{
  return self->left_px + column * self->char_px;
}

/**
 * ns_hex_layout_get_height:
 * @self: a layout
 *
 * Returns: height of all rows in px
 */
double
ns_hex_layout_get_height (const NsHexLayout *self)
{
  return self->n_rows * self->row_px;
}

/**
 * ns_hex_layout_find:
 * @self: a layout
 * @x: px
 * @y: px from the top of the first row
 *
 * Returns: the byte whose digits or character are at that position, or %NS_HEX_NONE
 */
guint32
ns_hex_layout_find (const NsHexLayout *self, double x, double y)
{
  guint row;
  guint column;
  guint i;

  if (x < self->left_px || y < 0 || y >= ns_hex_layout_get_height (self) ||
      x >= ns_hex_layout_get_x (self, ns_hex_layout_get_n_columns (self)))
    return NS_HEX_NONE;
  row = (guint) (y / self->row_px);
  column = (guint) ((x - self->left_px) / self->char_px);
  for (i = 0; i < self->per_row; i++)
    {
      guint at = ns_hex_layout_get_byte_column (self, i);
      guint32 byte = row * self->per_row + i;

      if ((column >= at && column < at + 2) || column == ns_hex_layout_get_text_column (self, i))
        return byte < self->n_bytes ? byte : NS_HEX_NONE;
    }
  return NS_HEX_NONE;
}

/**
 * ns_hex_layout_step:
 * @self: a layout
 * @byte: the byte at the cursor, or %NS_HEX_NONE
 * @step: the movement
 * @rows_on_page: number of visible rows
 *
 * Returns: the byte at the new cursor position, which is @byte if there is no byte in that
 *   direction; %NS_HEX_NONE if there are no bytes
 */
guint32
ns_hex_layout_step (const NsHexLayout *self, guint32 byte, NsHexStep step, guint rows_on_page)
{
  guint32 last = self->n_bytes - 1;
  guint64 page = (guint64) MAX (rows_on_page, 1) * self->per_row;
  guint32 row_begin;

  if (self->n_bytes == 0)
    return NS_HEX_NONE;
  if (byte > last)
    return step == NS_HEX_LAST ? last : 0;
  row_begin = byte - byte % self->per_row;
  switch (step)
    {
    case NS_HEX_LEFT:
      return byte > 0 ? byte - 1 : 0;
    case NS_HEX_RIGHT:
      return MIN (byte + 1, last);
    case NS_HEX_UP:
      return byte >= self->per_row ? byte - self->per_row : byte;
    case NS_HEX_DOWN:
      return last - byte >= self->per_row ? byte + self->per_row : byte;
    case NS_HEX_PAGE_UP:
      return byte >= page ? (guint32) (byte - page) : byte % self->per_row;
    case NS_HEX_PAGE_DOWN:
      return last - byte >= page ? (guint32) (byte + page) : last;
    case NS_HEX_HOME:
      return row_begin;
    case NS_HEX_END:
      return MIN (row_begin + self->per_row - 1, last);
    case NS_HEX_FIRST:
      return 0;
    case NS_HEX_LAST:
    default:
      return last;
    }
}

/**
 * ns_hex_layout_get_run:
 * @self: a layout
 * @row: index of a row
 * @offset: first byte of a run
 * @size: number of bytes in the run
 * @first: (out): index in the row of the first byte of the run
 * @last: (out): index in the row of the last byte of the run
 *
 * Returns: %FALSE if @row has no byte of the run
 */
gboolean
ns_hex_layout_get_run (const NsHexLayout *self,
                       guint row,
                       guint32 offset,
                       guint32 size,
                       guint *first,
                       guint *last)
{
  guint64 begin = (guint64) row * self->per_row;
  guint64 end = MIN (begin + self->per_row, self->n_bytes);
  guint64 run_begin = MAX (begin, offset);
  guint64 run_end = MIN (end, (guint64) offset + size);

  if (run_begin >= run_end)
    return FALSE;
  *first = (guint) (run_begin - begin);
  *last = (guint) (run_end - 1 - begin);
  return TRUE;
}
