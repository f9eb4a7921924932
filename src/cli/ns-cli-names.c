/* The verb `dns`: lists DNS names; --tree shows per name the querying processes, the answers, and
 * which were used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-name-tree.h"
#include "cli/ns-cli-list.h"
#include "cli/ns-cli-rows.h"
#include "cli/ns-cli.h"
#include "export/ns-export-cell.h"

#include <glib/gi18n-lib.h>

static const char *const columns[] = { "dns",   "kind",    "text",    "type",
                                       "state", "process", "open_ns", "duration_ns",
                                       "tcp",   "adapter", NULL };

typedef struct
{
  NsCli *cli;
  NsCliRows *rows; /* NULL: print text */
  GError **error;
} Printer;

static void
add_time (NsCliRows *rows, gint64 time_ns)
{
  if (time_ns < 0)
    ns_cli_rows_add_null (rows);
  else
    ns_cli_rows_add_number (rows, (guint64) time_ns);
}

static void
add_text (NsCliRows *rows, const char *text)
{
  if (text == NULL)
    ns_cli_rows_add_null (rows);
  else
    ns_cli_rows_add_text (rows, text);
}

static const char *
get_state (const NsNameLine *line)
{
  return line->kind == NS_NAME_LINE_NAME ? line->status : ns_name_state_to_text (line->state);
}

static gboolean
print_row (Printer *self, const NsNameLine *line)
{
  gboolean is_server = line->kind == NS_NAME_LINE_SERVER;

  ns_cli_rows_add_number (self->rows, line->dns);
  ns_cli_rows_add_text (self->rows, ns_name_line_kind_to_text (line->kind));
  add_text (self->rows, line->text);
  add_text (self->rows, is_server ? NULL : line->note);
  add_text (self->rows, get_state (line));
  add_text (self->rows, line->process);
  add_time (self->rows, line->open_ns);
  add_time (self->rows, line->span_ns);
  if (line->tcp == 0)
    ns_cli_rows_add_null (self->rows);
  else
    ns_cli_rows_add_number (self->rows, line->tcp);
  add_text (self->rows, is_server ? line->note : NULL);
  return ns_cli_rows_end_row (self->rows, self->error);
}

static void
append_cell (GString *text, const char *cell)
{
  if (cell == NULL || cell[0] == '\0')
    return;
  g_string_append (text, "  ");
  ns_export_cell_append_plain (text, cell);
}

static gboolean
print_line (Printer *self, const NsNameLine *line)
{
  gboolean is_name = line->kind == NS_NAME_LINE_NAME;
  g_autoptr (GString) text = g_string_new (is_name ? NULL : "  ");

  if (!is_name)
    g_string_append_printf (text, "%-8s", ns_name_line_kind_to_text (line->kind));
  ns_export_cell_append_plain (text, line->text != NULL ? line->text : "?");
  append_cell (text, line->note);
  append_cell (text, get_state (line));
  if (line->span_ns >= 0)
    g_string_append_printf (text, "  %.3f ms", (double) line->span_ns / 1e6);
  append_cell (text, line->process);
  if (line->tcp != 0)
    g_string_append_printf (text, "  tcp %u", line->tcp);
  g_string_append_c (text, '\n');
  return ns_cli_write (text->str, text->len, self->cli, self->error);
}

static gboolean
print_name (Printer *self, const GArray *lines)
{
  guint i;

  for (i = 0; i < lines->len; i++)
    {
      const NsNameLine *line = &g_array_index (lines, NsNameLine, i);

      if (!(self->rows != NULL ? print_row (self, line) : print_line (self, line)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
print_tree (NsCli *cli,
            const NsTrace *trace,
            const GArray *rows,
            NsExportFormat format,
            GError **error)
{
  g_autoptr (NsNameTree) tree = ns_name_tree_new (trace);
  g_autoptr (NsCliRows) table = NULL;
  Printer printer = { .cli = cli, .error = error };
  guint i;

  if (format != NS_EXPORT_TEXT)
    printer.rows = table = ns_cli_rows_new (cli->view, format, columns, ns_cli_write, cli);
  for (i = 0; i < rows->len; i++)
    {
      g_autoptr (GArray) lines = ns_name_tree_list (tree, g_array_index (rows, guint32, i) + 1);

      if (!print_name (&printer, lines))
        return FALSE;
    }
  return table == NULL || ns_cli_rows_finish (table, FALSE, error);
}

/**
 * ns_cli_names:
 * @cli: the parsed command line
 * @error: return location
 *
 * Lists names, or prints a tree per name: servers, answers, and which addresses were connected to.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_names (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_DNS);
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GArray) rows = NULL;
  NsExportFormat format;

  if (!options->want_tree)
    return ns_cli_print_table (cli, NS_TABLE_DNS, options->format, error);
  if (options->want_redacted)
    return ns_trace_refuse_query (error, _ ("--redact is for rows, not for trees"));
  if (options->columns != NULL || options->group_by != NULL)
    {
      g_set_error_literal (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_QUERY,
                           _ ("trees do not support columns and groups"));
      return FALSE;
    }
  if (!ns_cli_rows_get_format (cli, &format, error) || !ns_cli_list_check (&list, error))
    return FALSE;
  trace = ns_cli_open_trace (cli, NS_TABLE_DNS, error);
  if (trace == NULL)
    return FALSE;
  rows = ns_cli_list_choose (&list, trace, error);
  return rows != NULL && print_tree (cli, trace, rows, format, error);
}
