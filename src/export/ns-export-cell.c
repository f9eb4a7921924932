/* Quoting of cells for each export format.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-cell.h"

#include "base/ns-text.h"

#include <string.h>

/* Width of a narrow column on a page, in characters. */
#define LONGEST_WORD 22

/* First characters of formulas in spreadsheets, and characters skipped before them. */
#define FORMULA_MARKS "=+-@\t\r"
#define GUARD '\''

/* Returns whether the cell needs a guard: a spreadsheet would evaluate it as a formula, or it
 * begins with guards followed by a formula. The latter get another guard, so that removing one
 * always restores the text. */
static gboolean
begins_like_formula (const char *cell)
{
  if (G_LIKELY (*cell > GUARD && *cell != '=' && *cell != '@' && *cell != '-' && *cell != '+'))
    return FALSE;
  while (*cell == GUARD)
    cell++;
  return *cell != '\0' && strchr (FORMULA_MARKS, *cell) != NULL;
}

/**
 * ns_export_cell_append_csv: (skip)
 * @text: (inout): appended to
 * @cell: text of the cell
 *
 * Quotes the cell as in RFC 4180, if needed. For texts of a trace use
 * ns_export_cell_append_csv_text().
 */
void
ns_export_cell_append_csv (GString *text, const char *cell)
{
  const char *quote;

  if (strpbrk (cell, ",\"\r\n") == NULL)
    {
      g_string_append (text, cell);
      return;
    }
  g_string_append_c (text, '"');
  while ((quote = strchr (cell, '"')) != NULL)
    {
      g_string_append_len (text, cell, quote + 1 - cell);
      g_string_append_c (text, '"');
      cell = quote + 1;
    }
  g_string_append (text, cell);
  g_string_append_c (text, '"');
}

/* Returns the length of the beginning without control characters and non-ASCII bytes. Examines
 * eight bytes at a time, since nearly all texts have no others. */
static gsize
count_plain (const char *text, gsize n_bytes)
{
  const guint64 ones = G_MAXUINT64 / 0xff;
  gsize i = 0;

  for (; i + 8 <= n_bytes; i += 8)
    {
      guint64 word;

      memcpy (&word, text + i, sizeof word);
      /* Test in this order: bytes above 0x7f, 0x7f, below 0x20. */
      if (((word | (word + ones) | ((word - ones * 0x20) & ~word)) & (ones * 0x80)) != 0)
        break;
    }
  while (i < n_bytes && text[i] >= 0x20 && text[i] < 0x7f)
    i++;
  return i;
}

/**
 * ns_export_cell_append_plain: (skip)
 * @text: (inout): appended to
 * @cell: text of the cell
 *
 * Replaces each control character by a space: texts of the trace must break neither lines and
 * columns of the output nor the terminal.
 */
void
ns_export_cell_append_plain (GString *text, const char *cell)
{
  const char *begin = cell;
  const char *next;

  cell += count_plain (cell, strlen (cell));
  for (; *cell != '\0'; cell = next)
    {
      gunichar c = g_utf8_get_char (cell);

      next = g_utf8_next_char (cell);
      if (c >= 0x20 && (c < 0x7f || c > 0x9f) && c != 0x2028 && c != 0x2029)
        continue;
      ns_text_append (text, begin, (gsize) (cell - begin));
      g_string_append_c (text, ' ');
      begin = next;
    }
  ns_text_append (text, begin, (gsize) (cell - begin));
}

/**
 * ns_export_cell_append_csv_text: (skip)
 * @text: (inout): appended to
 * @cell: text of the cell
 * @is_guarded: see ns_view_context_guards_formulas()
 *
 * Like ns_export_cell_append_csv(), for texts. A text that spreadsheets would evaluate as a
 * formula, since it begins with one of `= + - @`, a tab or a carriage return, possibly after
 * apostrophes, gets an apostrophe before it if @is_guarded.
 */
void
ns_export_cell_append_csv_text (GString *text, const char *cell, gboolean is_guarded)
{
  gsize begin = text->len;

  ns_export_cell_append_csv (text, cell);
  if (is_guarded && begins_like_formula (cell))
    g_string_insert_c (text, (gssize) (begin + (text->str[begin] == '"')), GUARD);
}

/**
 * ns_export_cell_append_tsv_text: (skip)
 * @text: (inout): appended to
 * @cell: text of the cell
 * @is_guarded: see ns_view_context_guards_formulas()
 *
 * Like ns_export_cell_append_plain(), with the guard of ns_export_cell_append_csv_text().
 */
void
ns_export_cell_append_tsv_text (GString *text, const char *cell, gboolean is_guarded)
{
  if (is_guarded && begins_like_formula (cell))
    g_string_append_c (text, GUARD);
  ns_export_cell_append_plain (text, cell);
}

/**
 * ns_export_cell_append_html: (skip)
 * @text: (inout): appended to
 * @cell: a text
 *
 * Appends a text as content of an HTML or XML element. Characters that XML cannot represent become
 * the replacement character.
 */
void
ns_export_cell_append_html (GString *text, const char *cell)
{
  const char *at;

  for (at = cell; *at != '\0'; at++)
    switch (*at)
      {
      case '&':
        g_string_append (text, "&amp;");
        break;
      case '<':
        g_string_append (text, "&lt;");
        break;
      case '>':
        g_string_append (text, "&gt;");
        break;
      case '"':
        g_string_append (text, "&quot;");
        break;
      case '\'':
        g_string_append (text, "&#39;");
        break;
      case '\t':
      case '\n':
      case '\r':
        g_string_append_c (text, ' ');
        break;
      default:
        if ((guchar) *at < 0x20 || *at == 0x7f)
          g_string_append (text, "\xef\xbf\xbd");
        else
          g_string_append_c (text, *at);
        break;
      }
}

/**
 * ns_export_cell_append_html_text: (skip)
 * @text: (inout): appended to
 * @cell: a text
 * @is_guarded: see ns_view_context_guards_formulas()
 *
 * Like ns_export_cell_append_html(), with the guard of ns_export_cell_append_csv_text(), for tables
 * pasted into spreadsheets.
 */
void
ns_export_cell_append_html_text (GString *text, const char *cell, gboolean is_guarded)
{
  if (is_guarded && begins_like_formula (cell))
    g_string_append_c (text, GUARD);
  ns_export_cell_append_html (text, cell);
}

/**
 * ns_export_cell_append_html_lines: (skip)
 * @text: (inout): appended to
 * @lines: a text
 *
 * Like ns_export_cell_append_html(), but keeps line ends.
 */
void
ns_export_cell_append_html_lines (GString *text, const char *lines)
{
  g_auto (GStrv) parts = g_strsplit (lines, "\n", -1);
  guint i;

  for (i = 0; parts[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (text, '\n');
      ns_export_cell_append_html (text, parts[i]);
    }
}

/**
 * ns_export_cell_append_markdown: (skip)
 * @text: (inout): appended to
 * @cell: text of the cell
 *
 * Escapes characters that would end the cell or are markup.
 */
void
ns_export_cell_append_markdown (GString *text, const char *cell)
{
  gsize begin = text->len;
  gsize i;

  ns_export_cell_append_plain (text, cell);
  for (i = begin; i < text->len; i++)
    if (strchr ("\\|`*<[", text->str[i]) != NULL)
      g_string_insert_c (text, (gssize) i++, '\\');
}

/**
 * ns_export_cell_get_width: (skip)
 * @cell: text of a cell
 *
 * Returns: its width in terminal columns
 */
guint
ns_export_cell_get_width (const char *cell)
{
  guint width = 0;

  for (; *cell != '\0'; cell = g_utf8_next_char (cell))
    {
      gunichar c = g_utf8_get_char (cell);

      if (!g_unichar_iszerowidth (c))
        width += g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

static void
append_spaces (GString *text, guint n_spaces)
{
  g_string_append_printf (text, "%*s", (int) n_spaces, "");
}

/**
 * ns_export_cell_append_aligned: (skip)
 * @text: (inout): appended to
 * @cell: text of the cell
 * @width: width of the column
 * @is_right: whether to align right, as for numbers
 * @is_last: whether it is the last cell of the line, which needs no padding
 */
void
ns_export_cell_append_aligned (GString *text,
                               const char *cell,
                               guint width,
                               gboolean is_right,
                               gboolean is_last)
{
  guint own = ns_export_cell_get_width (cell);
  guint n_spaces = own < width ? width - own : 0;

  if (is_right)
    append_spaces (text, n_spaces);
  ns_export_cell_append_plain (text, cell);
  if (!is_right && !is_last)
    append_spaces (text, n_spaces);
}

/**
 * ns_export_cell_append_exact_ms: (skip)
 * @text: (inout): appended to
 * @span_ns: a duration
 *
 * Appends milliseconds with all six decimals, without grouping.
 */
void
ns_export_cell_append_exact_ms (GString *text, gint64 span_ns)
{
  guint64 value = span_ns < 0 ? -(guint64) span_ns : (guint64) span_ns;

  g_string_append_printf (text,
                          "%s%" G_GUINT64_FORMAT ".%06u",
                          span_ns < 0 ? "-" : "",
                          value / 1000000,
                          (guint) (value % 1000000));
}

/**
 * ns_export_cell_is_long: (skip)
 * @cell: (nullable): text of a cell
 *
 * Returns: whether it has a word longer than a narrow column of a page, which must be broken
 */
gboolean
ns_export_cell_is_long (const char *cell)
{
  while (cell != NULL && *cell != '\0')
    {
      gsize n = strcspn (cell, " \t\n");

      if (g_utf8_strlen (cell, (gssize) n) > LONGEST_WORD)
        return TRUE;
      cell += n;
      cell += strspn (cell, " \t\n");
    }
  return FALSE;
}
