/* The verb `codes`: explains an error number in every family that has it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-codes.h"

#include "base/ns-error.h"
#include "base/ns-json.h"
#include "cli/ns-cli.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-findings.h"
#include "findings/ns-codes.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#define N_COLUMNS 7

/* One line of output; an unknown number has no code. */
typedef struct
{
  NsCodeFamily family;
  gint64 value;
  const NsCode *code; /* (nullable) */
} Row;

static const char *const column_ids[N_COLUMNS] = { "family", "value", "hex", "name",
                                                   "error",  "hint",  "text" };

static void
add_row_cb (const NsCode *code, gpointer user_data)
{
  Row row = { code->family, code->value, code };

  g_array_append_val (user_data, row);
}

typedef struct
{
  GArray *rows;
  gint64 value;
} Wanted;

/* Adds a code. If the user gave a number that wraps it, as an HRESULT does, the row shows that
 * number. */
static void
add_wanted_cb (const NsCode *code, gpointer user_data)
{
  Wanted *wanted = user_data;
  Row row = { code->family, code->value, code };

  if ((guint32) code->value != (guint32) wanted->value)
    {
      row.family = ns_codes_guess_family (wanted->value);
      row.value = (guint32) wanted->value;
    }
  g_array_append_val (wanted->rows, row);
}

/* Parses a number: decimal with or without a sign, or hexadecimal with 0x or as eight digits of
 * which at least one is a letter. */
static gboolean
parse_number (const char *text, gint64 *value)
{
  gboolean is_negative = text[0] == '-';
  const char *digits = text + (is_negative ? 1 : 0);
  gsize length = strlen (digits);
  guint base = 10;
  guint64 number;
  char *end;

  if (g_ascii_strncasecmp (digits, "0x", 2) == 0)
    {
      digits += 2;
      base = 16;
    }
  else if (length == 8 && strspn (digits, "0123456789abcdefABCDEF") == length &&
           strspn (digits, "0123456789") < length)
    base = 16;

  if (!g_ascii_isxdigit (digits[0]))
    return FALSE;
  errno = 0;
  number = g_ascii_strtoull (digits, &end, base);
  if (*end != '\0' || errno != 0 || number > G_MAXINT64)
    return FALSE;
  *value = is_negative ? -(gint64) number : (gint64) number;
  return TRUE;
}

static char *
get_cell (const Row *row, guint column)
{
  switch (column)
    {
    case 0:
      return g_strdup (ns_codes_family_to_text (row->family));
    case 1:
      return g_strdup_printf ("%" G_GINT64_FORMAT, row->value);
    case 2:
      if (row->value < 0)
        return g_strdup_printf ("0x%08x", (guint32) row->value);
      return g_strdup_printf ("0x%08" G_GINT64_MODIFIER "x", (guint64) row->value);
    case 3:
      return g_strdup (row->code != NULL ? row->code->name : "");
    case 4:
      return g_strdup (ns_codes_is_error (row->family, row->value) ? "true" : "false");
    case 5:
      return g_strdup (row->code != NULL ? row->code->text : "");
    case 6:
    default:
      return ns_codes_describe (row->family, row->value);
    }
}

static void
append_json_row (GString *text, const Row *row)
{
  g_string_append_c (text, '{');
  for (guint column = 0; column < N_COLUMNS; column++)
    {
      g_autofree char *cell = get_cell (row, column);

      if (column > 0)
        g_string_append_c (text, ',');
      ns_json_append_string (text, column_ids[column]);
      g_string_append_c (text, ':');
      if (column == 1 || column == 4)
        g_string_append (text, cell);
      else if (cell[0] == '\0')
        g_string_append (text, "null");
      else
        ns_json_append_string (text, cell);
    }
  g_string_append_c (text, '}');
}

static void
append_json (GString *text, GArray *rows, gboolean is_array)
{
  if (is_array)
    g_string_append_c (text, '[');
  for (guint i = 0; i < rows->len; i++)
    {
      if (is_array)
        g_string_append (text, i > 0 ? ",\n" : "\n");
      append_json_row (text, &g_array_index (rows, Row, i));
      if (!is_array)
        g_string_append_c (text, '\n');
    }
  if (is_array)
    g_string_append (text, "\n]\n");
}

static void
append_cell (GString *text, NsExportFormat format, guint column, const char *cell)
{
  gboolean is_last = column + 1 == N_COLUMNS;

  if (format == NS_EXPORT_CSV)
    {
      if (column > 0)
        g_string_append_c (text, ',');
      ns_export_cell_append_csv (text, cell);
      g_string_append (text, is_last ? "\r\n" : "");
    }
  else if (format == NS_EXPORT_MARKDOWN)
    {
      g_string_append (text, column > 0 ? " | " : "| ");
      ns_export_cell_append_markdown (text, cell);
      g_string_append (text, is_last ? " |\n" : "");
    }
  else
    {
      if (column > 0)
        g_string_append_c (text, '\t');
      ns_export_cell_append_plain (text, cell);
      g_string_append (text, is_last ? "\n" : "");
    }
}

static void
append_table (GString *text, GArray *rows, NsExportFormat format)
{
  for (guint column = 0; column < N_COLUMNS; column++)
    append_cell (text, format, column, column_ids[column]);
  if (format == NS_EXPORT_MARKDOWN)
    {
      for (guint column = 0; column < N_COLUMNS; column++)
        g_string_append (text, column > 0 ? "---|" : "|---|");
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < rows->len; i++)
    for (guint column = 0; column < N_COLUMNS; column++)
      {
        g_autofree char *cell = get_cell (&g_array_index (rows, Row, i), column);

        append_cell (text, format, column, cell);
      }
}

/* Appends lines such as `Win32     WSAECONNRESET (0x2746 / 10054): …`. */
static void
append_lines (GString *text, GArray *rows, guint line_width)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = &g_array_index (rows, Row, i);
      g_autofree char *line = ns_codes_describe (row->family, row->value);
      g_autofree char *family =
          row->code != NULL ? g_strdup_printf ("%-8s  ", ns_codes_family_to_text (row->family))
                            : g_strdup ("");

      ns_export_paragraph_append (text, family, line, line_width > 0 ? line_width : G_MAXINT);
    }
}

static void
collect_number (gint64 value, GArray *rows)
{
  Wanted wanted = { rows, value };
  Row row = { ns_codes_guess_family (value), value, NULL };

  if (ns_codes_foreach_value (value, add_wanted_cb, &wanted) == 0)
    g_array_append_val (rows, row);
}

static gboolean
collect (const char *wanted, GArray *rows, GError **error)
{
  gint64 value;

  if (wanted == NULL)
    {
      ns_codes_foreach (add_row_cb, rows);
      return TRUE;
    }
  if (parse_number (wanted, &value))
    {
      collect_number (value, rows);
      return TRUE;
    }
  if (ns_codes_foreach_name (wanted, add_row_cb, rows) > 0)
    return TRUE;

  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("“%s” is neither a number nor the name of a code; “codes” alone lists all"),
               wanted);
  return FALSE;
}

/**
 * ns_cli_codes_print:
 * @wanted: (nullable): a number in decimal or hex, also negative, or a name; %NULL: all codes
 * @format: the output format
 * @line_width: maximum width of a line of text, in characters; 0: unlimited
 * @write: (scope call): receives the output
 * @write_data: for @write
 * @error: return location
 *
 * Returns: %FALSE with @error set if @wanted is neither a number nor a name, or @write failed
 */
gboolean
ns_cli_codes_print (const char *wanted,
                    NsExportFormat format,
                    guint line_width,
                    NsExportWriteFunc write,
                    gpointer write_data,
                    GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_autoptr (GString) text = g_string_new (NULL);

  if (!collect (wanted, rows, error))
    return FALSE;

  switch (format)
    {
    case NS_EXPORT_JSON:
    case NS_EXPORT_JSONL:
      append_json (text, rows, format == NS_EXPORT_JSON);
      break;
    case NS_EXPORT_CSV:
    case NS_EXPORT_TSV:
    case NS_EXPORT_MARKDOWN:
      append_table (text, rows, format);
      break;
    case NS_EXPORT_TEXT:
    default:
      append_lines (text, rows, line_width);
      break;
    }
  return write (text->str, text->len, write_data, error);
}

/**
 * ns_cli_codes_run:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `codes`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_codes_run (NsCli *cli, GError **error)
{
  NsExportFormat format = ns_cli_is_terminal (cli) ? NS_EXPORT_TEXT : NS_EXPORT_TSV;
  const char *wanted = cli->options.n_files > 0 ? cli->options.files[0] : NULL;
  guint line_width = ns_cli_is_terminal (cli) ? ns_cli_get_columns () : 0;

  if (cli->options.format == NULL || ns_export_format_from_name (cli->options.format, &format))
    return ns_cli_codes_print (wanted, format, line_width, ns_cli_write, cli, error);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("there is no format “%s”"),
               cli->options.format);
  return FALSE;
}
