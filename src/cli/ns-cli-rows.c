/* Output of rows that do not come from a table of the trace, in all formats.
 *
 * Rows are written immediately, except for aligned text, whose columns are as wide as their widest
 * cell.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-rows.h"

#include "base/ns-json.h"
#include "base/ns-text.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-fit.h"

#include <glib/gi18n-lib.h>

struct _NsCliRows
{
  NsExportFormat format;
  const char *const *columns;
  guint n_columns;
  NsExportWriteFunc write;
  gpointer write_data;
  char **keys; /* JSON: text before the cell of each column */
  GString *row;
  GString *scratch; /* buffer of ns_cli_rows_get_scratch() */
  GPtrArray *cells; /* (element-type utf8): cells of aligned text */
  guint line_width; /* maximum width of a line of aligned text, in characters; 0: unlimited */
  guint64 n_rows;
  guint n_cells;
  gboolean is_guarded; /* prefix texts that look like formulas with an apostrophe */
};

/**
 * ns_cli_rows_is_json:
 * @self: rows
 *
 * Returns: whether the output is JSON, so that texts for reading are not needed
 */
gboolean
ns_cli_rows_is_json (const NsCliRows *self)
{
  return self->format == NS_EXPORT_JSON || self->format == NS_EXPORT_JSONL;
}

/**
 * ns_cli_rows_new:
 * @view: the view context
 * @format: the output format
 * @columns: (array zero-terminated=1): column names; must outlive the result
 * @write: receives the output
 * @write_data: for @write
 *
 * Returns: (transfer full): rows, to be filled cell by cell
 */
NsCliRows *
ns_cli_rows_new (NsViewContext *view,
                 NsExportFormat format,
                 const char *const *columns,
                 NsExportWriteFunc write,
                 gpointer write_data)
{
  NsCliRows *self = g_new0 (NsCliRows, 1);

  self->format = format;
  self->is_guarded = ns_view_context_guards_formulas (view);
  self->columns = columns;
  self->n_columns = g_strv_length ((char **) columns);
  self->write = write;
  self->write_data = write_data;
  if (write == ns_cli_write && ns_cli_is_terminal (write_data))
    self->line_width = ns_cli_get_columns ();
  self->keys = g_new0 (char *, self->n_columns + 1);
  for (guint i = 0; i < self->n_columns; i++)
    {
      GString *key = g_string_new (i == 0 ? "{" : ",");

      ns_json_append_string (key, columns[i]);
      g_string_append_c (key, ':');
      self->keys[i] = g_string_free (key, FALSE);
    }
  self->row = g_string_new (NULL);
  self->scratch = g_string_new (NULL);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * ns_cli_rows_free:
 * @self: (transfer full) (nullable): rows
 *
 * Frees @self.
 */
void
ns_cli_rows_free (NsCliRows *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->keys);
  g_string_free (self->row, TRUE);
  g_string_free (self->scratch, TRUE);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

static inline void
append (NsCliRows *self, const char *text)
{
  ns_text_append (self->row, text, strlen (text));
}

/* Appends a cell. @is_text: it may look like a formula to a spreadsheet, as numbers and titles do
 * not. */
static void
append_plain (NsCliRows *self, const char *text, gboolean is_text)
{
  gboolean is_first = self->n_cells == 0;

  switch (self->format)
    {
    case NS_EXPORT_CSV:
      append (self, is_first ? "" : ",");
      if (is_text)
        ns_export_cell_append_csv_text (self->row, text, self->is_guarded);
      else
        ns_export_cell_append_csv (self->row, text);
      break;
    case NS_EXPORT_MARKDOWN:
      append (self, is_first ? "| " : " | ");
      ns_export_cell_append_markdown (self->row, text);
      break;
    case NS_EXPORT_TEXT:
      g_ptr_array_add (self->cells, g_strdup (text));
      break;
    case NS_EXPORT_TSV:
    case NS_EXPORT_JSON:
    case NS_EXPORT_JSONL:
    default:
      append (self, is_first ? "" : "\t");
      if (is_text)
        ns_export_cell_append_tsv_text (self->row, text, self->is_guarded);
      else
        ns_export_cell_append_plain (self->row, text);
      break;
    }
}

static void
append_line_end (NsCliRows *self)
{
  if (self->format == NS_EXPORT_CSV)
    append (self, "\r\n");
  else if (self->format == NS_EXPORT_MARKDOWN)
    append (self, " |\n");
  else if (self->format == NS_EXPORT_TSV)
    g_string_append_c (self->row, '\n');
}

/* Appends the header. */
static void
append_head (NsCliRows *self)
{
  if (ns_cli_rows_is_json (self))
    return;
  for (self->n_cells = 0; self->n_cells < self->n_columns; self->n_cells++)
    append_plain (self, self->columns[self->n_cells], FALSE);
  append_line_end (self);
  if (self->format == NS_EXPORT_MARKDOWN)
    {
      for (guint i = 0; i < self->n_columns; i++)
        append (self, i > 0 ? " --- |" : "| --- |");
      g_string_append_c (self->row, '\n');
    }
  self->n_cells = 0;
}

/* Begins a cell; its value must follow. */
static void
begin_cell (NsCliRows *self)
{
  g_return_if_fail (self->n_cells < self->n_columns);

  if (self->n_rows == 0 && self->n_cells == 0)
    append_head (self);
  if (!ns_cli_rows_is_json (self))
    return;
  if (self->n_cells == 0 && self->n_rows > 0 && self->format == NS_EXPORT_JSON)
    append (self, ",\n");
  append (self, self->keys[self->n_cells]);
}

/**
 * ns_cli_rows_add_text:
 * @self: rows
 * @text: (nullable): a text
 *
 * Adds the next cell of the row.
 */
void
ns_cli_rows_add_text (NsCliRows *self, const char *text)
{
  begin_cell (self);
  if (!ns_cli_rows_is_json (self))
    append_plain (self, text != NULL ? text : "", TRUE);
  else if (text == NULL)
    append (self, "null");
  else
    ns_json_append_string (self->row, text);
  self->n_cells++;
}

/**
 * ns_cli_rows_add_json:
 * @self: rows
 * @json: a value as JSON
 * @text: the same value for other formats
 *
 * Adds the next cell of the row.
 */
void
ns_cli_rows_add_json (NsCliRows *self, const char *json, const char *text)
{
  begin_cell (self);
  if (ns_cli_rows_is_json (self))
    append (self, json);
  else
    append_plain (self, text, strchr ("\"[{", *json) != NULL);
  self->n_cells++;
}

/**
 * ns_cli_rows_add_number:
 * @self: rows
 * @number: a number
 *
 * Adds the next cell of the row.
 */
void
ns_cli_rows_add_number (NsCliRows *self, guint64 number)
{
  char text[24];
  char *at = text + sizeof text - 1;

  *at = '\0';
  do
    {
      *--at = (char) ('0' + number % 10);
      number /= 10;
    }
  while (number > 0);
  ns_cli_rows_add_json (self, at, at);
}

/**
 * ns_cli_rows_add_boolean:
 * @self: rows
 * @value: a value
 *
 * Adds the next cell of the row.
 */
void
ns_cli_rows_add_boolean (NsCliRows *self, gboolean value)
{
  ns_cli_rows_add_json (self, value ? "true" : "false", value ? "true" : "false");
}

/**
 * ns_cli_rows_add_null:
 * @self: rows
 *
 * Adds an empty cell to the row; `null` in JSON.
 */
void
ns_cli_rows_add_null (NsCliRows *self)
{
  ns_cli_rows_add_text (self, NULL);
}

/**
 * ns_cli_rows_get_scratch:
 * @self: rows
 *
 * Returns: (transfer none): an empty buffer for the text of a cell, valid until the next call
 */
GString *
ns_cli_rows_get_scratch (NsCliRows *self)
{
  return g_string_truncate (self->scratch, 0);
}

static gboolean
flush (NsCliRows *self, GError **error)
{
  gboolean is_written =
      self->row->len == 0 || self->write (self->row->str, self->row->len, self->write_data, error);

  g_string_truncate (self->row, 0);
  return is_written;
}

/**
 * ns_cli_rows_end_row:
 * @self: rows
 * @error: the error of the writer
 *
 * Ends the row.
 *
 * Returns: %FALSE with @error set if the row could not be written
 */
gboolean
ns_cli_rows_end_row (NsCliRows *self, GError **error)
{
  if (ns_cli_rows_is_json (self))
    g_string_append_c (self->row, '}');
  if (self->format == NS_EXPORT_JSONL)
    g_string_append_c (self->row, '\n');
  append_line_end (self);
  self->n_cells = 0;
  self->n_rows++;
  if (self->n_rows == 1 && self->format == NS_EXPORT_JSON)
    return TRUE; /* whether to begin an array is known at the end or with the second row */
  if (self->n_rows == 2 && self->format == NS_EXPORT_JSON)
    g_string_prepend (self->row, "[\n");
  return flush (self, error);
}

/* Returns whether the column has texts, which may be cut; numbers may not. */
static gboolean
is_text (NsCliRows *self, guint column)
{
  guint i;

  for (i = self->n_columns + column; i < self->cells->len; i += self->n_columns)
    {
      const char *cell = g_ptr_array_index (self->cells, i);

      if (cell[strspn (cell, "0123456789.,:+- ")] != '\0')
        return TRUE;
    }
  return FALSE;
}

/* Returns the number of columns that fit a line. */
static guint
fit_line (NsCliRows *self, guint *widths)
{
  g_autofree gboolean *is_cut = g_new0 (gboolean, self->n_columns + 1);
  guint i;

  if (self->line_width == 0)
    return self->n_columns;
  for (i = 0; i < self->n_columns; i++)
    is_cut[i] = is_text (self, i);
  return ns_export_fit_columns (widths, is_cut, self->n_columns, self->line_width);
}

/* Appends aligned text; a single row gets one line per cell, which reads better. */
static void
append_aligned (NsCliRows *self, gboolean is_single)
{
  guint n_lines = self->cells->len / self->n_columns;
  guint *widths = g_new0 (guint, self->n_columns);
  guint n_columns;

  for (guint i = 0; i < self->cells->len; i++)
    widths[i % self->n_columns] =
        MAX (widths[i % self->n_columns],
             ns_export_cell_get_width (g_ptr_array_index (self->cells, i)));
  for (guint i = 0; is_single && i < self->n_columns && n_lines > 1; i++)
    {
      g_string_append_printf (self->row, "%-12s ", self->columns[i]);
      ns_export_cell_append_plain (self->row, g_ptr_array_index (self->cells, self->n_columns + i));
      g_string_append_c (self->row, '\n');
    }
  n_columns = fit_line (self, widths);
  for (guint i = 0; !is_single && i < self->cells->len; i++)
    {
      guint column = i % self->n_columns;
      gboolean is_last = column + 1 == n_columns;
      g_autoptr (GString) cell = NULL;

      if (column >= n_columns)
        continue;
      cell = g_string_new (g_ptr_array_index (self->cells, i));
      if (self->line_width > 0)
        ns_export_fit_cell (cell, widths[column]);
      ns_export_cell_append_aligned (self->row, cell->str, widths[column], FALSE, is_last);
      append (self, is_last ? "\n" : "  ");
    }
  g_free (widths);
}

/**
 * ns_cli_rows_finish:
 * @self: rows
 * @is_single: the output always has exactly one row: in JSON an object instead of an array
 * @error: the error of the writer
 *
 * Ends the output.
 *
 * Returns: %FALSE with @error set if the end could not be written
 */
gboolean
ns_cli_rows_finish (NsCliRows *self, gboolean is_single, GError **error)
{
  if (self->n_rows == 0)
    append_head (self);
  if (self->format == NS_EXPORT_TEXT)
    append_aligned (self, is_single);
  else if (self->format == NS_EXPORT_JSON && is_single)
    g_string_append_c (self->row, '\n');
  else if (self->format == NS_EXPORT_JSON)
    {
      if (self->n_rows <= 1)
        g_string_prepend (self->row, "[\n");
      append (self, "\n]\n");
    }
  return flush (self, error);
}

/**
 * ns_cli_rows_get_format:
 * @cli: the parsed command line
 * @format: (out): the output format
 * @error: %NS_TRACE_ERROR_QUERY: there is no such format
 *
 * Returns: %TRUE if the format is known, else %FALSE with @error set
 */
gboolean
ns_cli_rows_get_format (const NsCli *cli, NsExportFormat *format, GError **error)
{
  *format = ns_cli_is_terminal (cli) ? NS_EXPORT_TEXT : NS_EXPORT_TSV;
  if (cli->options.format == NULL || ns_export_format_from_name (cli->options.format, format))
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("there is no format “%s”"),
               cli->options.format);
  return FALSE;
}
