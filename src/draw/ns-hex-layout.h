/* Positions of the bytes in a hex pane, on a grid of characters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* No byte. */
#define NS_HEX_NONE G_MAXUINT32

#define NS_HEX_ROW_PX 20
#define NS_HEX_MAX_PER_ROW 16
/* Maximum number of columns: the offset, two groups of bytes, and their characters. */
#define NS_HEX_MAX_COLUMNS 96

/**
 * NsHexLayout:
 * @n_bytes: number of bytes
 * @per_row: number of bytes in a row: 16, 12, 8 or 4
 * @n_rows: number of rows
 * @n_digits: hex digits of the offset column
 * @char_px: width of one character
 * @row_px: height of a row
 * @left_px: left edge of the first character
 *
 * A row has the offset, two blanks, the bytes in groups of eight, two blanks, the characters.
 */
typedef struct
{
  guint32 n_bytes;
  guint per_row;
  guint n_rows;
  guint n_digits;
  double char_px;
  double row_px;
  double left_px;
} NsHexLayout;

/* Cursor movements. */
typedef enum
{
  NS_HEX_LEFT,
  NS_HEX_RIGHT,
  NS_HEX_UP,
  NS_HEX_DOWN,
  NS_HEX_PAGE_UP,
  NS_HEX_PAGE_DOWN,
  NS_HEX_HOME, /* start of the row */
  NS_HEX_END,
  NS_HEX_FIRST,
  NS_HEX_LAST,
} NsHexStep;

void ns_hex_layout_init (NsHexLayout *self,
                         guint32 n_bytes,
                         double width_px,
                         double char_px,
                         double scale);
guint ns_hex_layout_get_byte_column (const NsHexLayout *self, guint in_row);
guint ns_hex_layout_get_text_column (const NsHexLayout *self, guint in_row);
guint ns_hex_layout_get_n_columns (const NsHexLayout *self);
double ns_hex_layout_get_x (const NsHexLayout *self, guint column);
double ns_hex_layout_get_height (const NsHexLayout *self);
guint32 ns_hex_layout_find (const NsHexLayout *self, double x, double y);
guint32
ns_hex_layout_step (const NsHexLayout *self, guint32 byte, NsHexStep step, guint rows_on_page);
gboolean ns_hex_layout_get_run (const NsHexLayout *self,
                                guint row,
                                guint32 offset,
                                guint32 size,
                                guint *first,
                                guint *last);

G_END_DECLS
