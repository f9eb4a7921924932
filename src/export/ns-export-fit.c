/* Fits text columns into a line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-fit.h"

#include "export/ns-export-cell.h"

/* Number of spaces between two columns. */
#define GAP 2
/* Minimum width of a truncated column. */
#define LEAST_WIDTH 10
#define ELLIPSIS "…"

static guint
get_line (const guint *widths, guint n_columns)
{
  guint line = n_columns > 0 ? (n_columns - 1) * GAP : 0;
  guint i;

  for (i = 0; i < n_columns; i++)
    line += widths[i];
  return line;
}

/* Returns the widest column that may be truncated; -1: none. */
static int
find_widest (const guint *widths, const gboolean *is_cut, guint n_columns)
{
  int widest = -1;
  guint i;

  for (i = 0; i < n_columns; i++)
    if (is_cut[i] && widths[i] > LEAST_WIDTH && (widest < 0 || widths[i] >= widths[widest]))
      widest = (int) i;
  return widest;
}

/**
 * ns_export_fit_columns: (skip)
 * @widths: (array length=n_columns) (inout): requested width of each column, in characters
 * @is_cut: (array length=n_columns): whether its cells may be truncated; numbers may not
 * @n_columns: number of columns
 * @line: line width in characters
 *
 * Shrinks the widest text columns until all columns fit into the line; if that is not enough, drops
 * the last columns.
 *
 * Returns: number of columns left, at least one
 */
guint
ns_export_fit_columns (guint *widths, const gboolean *is_cut, guint n_columns, guint line)
{
  guint n_left = n_columns;

  for (;;)
    {
      guint needed = get_line (widths, n_left);
      int widest = find_widest (widths, is_cut, n_left);

      if (needed <= line)
        return n_left;
      if (widest >= 0)
        widths[widest]--;
      else if (n_left > 1)
        n_left--;
      else
        return n_left;
    }
}

/**
 * ns_export_fit_cell: (skip)
 * @cell: text of a cell
 * @width: maximum number of characters, at least one
 *
 * Truncates a longer text, with an ellipsis at its end.
 */
void
ns_export_fit_cell (GString *cell, guint width)
{
  const char *at = cell->str;
  guint n = 0;

  if (ns_export_cell_get_width (cell->str) <= width)
    return;
  while (*at != '\0')
    {
      gunichar c = g_utf8_get_char (at);
      guint n_of_it = g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;

      if (n + n_of_it > width - 1)
        break;
      n += n_of_it;
      at = g_utf8_next_char (at);
    }
  g_string_truncate (cell, (gsize) (at - cell->str));
  g_string_append (cell, ELLIPSIS);
}
