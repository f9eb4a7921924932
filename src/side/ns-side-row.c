/* Rows of comma-separated files: quoted cells may contain commas, quotes and line ends.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum number of lines of a row; more mean that a quote was never closed. */
#define MAX_LINES_OF_ROW 32
#define MAX_CELLS 4096

/**
 * ns_side_row_init: (skip)
 * @self: (out caller-allocates): a row
 * @separator: separator of cells
 */
void
ns_side_row_init (NsSideRow *self, char separator)
{
  self->text = g_string_new (NULL);
  self->begins = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->line = 0;
  self->separator = separator;
}

/**
 * ns_side_row_clear: (skip)
 * @self: made by ns_side_row_init()
 */
void
ns_side_row_clear (NsSideRow *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->begins);
}

static guint
count_quotes (const char *text)
{
  guint n = 0;

  for (; (text = strchr (text, '"')) != NULL; text++)
    n++;
  return n;
}

/* Takes lines until all quotes are closed. If they never are, only the first line is lost. */
static gboolean
take_lines (NsSideRow *self, NsSideReader *reader, GString *all)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const char *behind_first;
  guint n_lines = 1;
  guint n_quotes;

  if (!ns_side_reader_take_line (reader, all))
    return FALSE;
  self->line = reader->line;
  behind_first = reader->at;
  n_quotes = count_quotes (all->str);
  while (n_quotes % 2 != 0 && n_lines < MAX_LINES_OF_ROW && all->len < NS_SIDE_MAX_LINE_BYTES &&
         ns_side_reader_take_line (reader, line))
    {
      g_string_append_c (all, '\n');
      g_string_append_len (all, line->str, (gssize) line->len);
      n_quotes += count_quotes (line->str);
      n_lines++;
    }
  if (n_quotes % 2 != 0)
    {
      ns_side_reader_refuse (reader, self->line, N_ ("an unterminated quote"));
      reader->at = behind_first;
      reader->line = self->line;
      g_string_truncate (all, 0);
    }
  return TRUE;
}

static void
split (NsSideRow *self, const char *p)
{
  gboolean is_quoted = FALSE;
  gsize begin = 0;

  g_array_append_val (self->begins, begin);
  for (; *p != '\0'; p++)
    if (*p == '"' && is_quoted && p[1] == '"')
      {
        g_string_append_c (self->text, '"');
        p++;
      }
    else if (*p == '"')
      is_quoted = !is_quoted;
    else if (*p == self->separator && !is_quoted && self->begins->len < MAX_CELLS)
      {
        g_string_append_c (self->text, '\0');
        begin = self->text->len;
        g_array_append_val (self->begins, begin);
      }
    else
      g_string_append_c (self->text, *p);
}

/**
 * ns_side_row_take: (skip)
 * @self: a row
 * @reader: the reader
 *
 * Takes the next row; malformed lines are reported and yield a row without cells.
 *
 * Returns: %FALSE after the last row
 */
gboolean
ns_side_row_take (NsSideRow *self, NsSideReader *reader)
{
  g_autoptr (GString) all = g_string_new (NULL);

  g_string_truncate (self->text, 0);
  g_array_set_size (self->begins, 0);
  if (!take_lines (self, reader, all))
    return FALSE;
  if (all->len > 0)
    split (self, all->str);
  return TRUE;
}

/**
 * ns_side_row_get: (skip)
 * @self: a row
 * @cell: index of a cell
 *
 * Returns: (transfer none) (nullable): the text of the cell; %NULL if it is empty or missing
 */
const char *
ns_side_row_get (const NsSideRow *self, guint cell)
{
  const char *text;

  if (cell >= self->begins->len)
    return NULL;
  text = self->text->str + g_array_index (self->begins, gsize, cell);
  while (*text == ' ')
    text++;
  return *text != '\0' ? text : NULL;
}

/**
 * ns_side_row_find: (skip)
 * @self: a row of titles
 * @title: a title, in any case
 *
 * Returns: index of its cell; %NS_SIDE_NO_CELL: none
 */
guint
ns_side_row_find (const NsSideRow *self, const char *title)
{
  guint i;

  for (i = 0; i < self->begins->len; i++)
    {
      const char *cell = ns_side_row_get (self, i);

      if (cell != NULL && g_ascii_strcasecmp (cell, title) == 0)
        return i;
    }
  return NS_SIDE_NO_CELL;
}
