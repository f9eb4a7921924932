/* The verbs that print the rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * ns_cli_get_list: (skip)
 * @cli: the parsed command line
 * @table: a table
 *
 * Returns: the options that all listing verbs have in common
 */
NsCliList
ns_cli_get_list (NsCli *cli, NsTableId table)
{
  const NsCliOptions *options = &cli->options;

  return (NsCliList){ .view = cli->view,
                      .table = table,
                      .filter = options->filter,
                      .sort = options->sort,
                      .rows = options->rows,
                      .from = options->from,
                      .to = options->to,
                      .limit = options->limit,
                      .offset = options->offset,
                      .n_chosen = &cli->n_chosen };
}

/**
 * ns_cli_report_empty: (skip)
 * @cli: the parsed command line
 * @trace: a trace
 * @table: the table that is printed
 *
 * Reports which provider is missing if the table has no rows at all, unless --quiet is set.
 */
void
ns_cli_report_empty (const NsCli *cli, const NsTrace *trace, NsTableId table)
{
  g_autofree char *why = NULL;

  if (cli->options.is_quiet || ns_table_get_n_rows (trace, table) > 0)
    return;
  why = ns_table_describe_empty (trace, table, NULL);
  ns_cli_print_message (why);
}

/**
 * ns_cli_print_table: (skip)
 * @cli: the parsed command line
 * @table: the table to print
 * @format: (nullable): name of the format; %NULL: text on a terminal, otherwise TSV
 * @error: return location
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_print_table (NsCli *cli, NsTableId table, const char *format, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, table);
  const NsTrace *trace;

  list.format = format;
  list.columns = options->columns;
  list.group_by = options->group_by;
  list.time = options->time;
  list.is_redacted = options->want_redacted;
  list.is_terminal = ns_cli_is_terminal (cli);
  list.line_width = list.is_terminal ? ns_cli_get_columns () : 0;
  list.mark = ns_cli_wants_marks (cli) ? ns_cli_write_mark : NULL;
  list.progress = ns_cli_progress;
  list.progress_data = cli;
  if (!ns_cli_list_check (&list, error))
    return FALSE;
  if (list.is_redacted && !ns_redact_is_possible (table))
    return ns_trace_refuse_query (
        error,
        _ ("--redact: rows of the table “%s” contain data that cannot be redacted reliably"),
        ns_table_get_name (table));
  if (list.is_redacted && list.group_by != NULL)
    return ns_trace_refuse_query (error, _ ("--redact is for rows, not for groups"));

  g_clear_pointer (&cli->printed, g_array_unref);
  cli->printed = ns_cli_open_machines (cli, &list, error);
  if (cli->printed == NULL)
    return FALSE;
  if (cli->printed->len > 1)
    return ns_cli_list_print_machines (&list, cli->printed, ns_cli_write, cli, error);
  trace = g_array_index (cli->printed, NsMachine, 0).trace;
  if (!ns_cli_list_print (&list, trace, ns_cli_write, cli, error))
    return FALSE;
  ns_cli_report_empty (cli, trace, table);
  return TRUE;
}

/**
 * ns_cli_table:
 * @cli: the parsed command line; the verb is the name of the table
 * @error: return location
 *
 * Runs a listing verb.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_table (NsCli *cli, GError **error)
{
  NsTableId table;

  if (!ns_table_from_name (cli->verb->name, &table))
    g_assert_not_reached ();
  return ns_cli_print_table (cli, table, cli->options.format, error);
}

/**
 * ns_cli_providers:
 * @cli: the parsed command line
 * @error: return location
 *
 * Stores the name that the user gives to a provider, and lists the providers.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_providers (NsCli *cli, GError **error)
{
  const char *text = cli->options.name;
  const char *equals = text != NULL ? strchr (text, '=') : NULL;
  g_autofree char *id = equals != NULL ? g_strndup (text, (gsize) (equals - text)) : NULL;
  NsGuid guid;

  if (text != NULL && (id == NULL || !ns_guid_from_text (&guid, id)))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("“%s” does not specify a provider: write GUID=NAME"),
                   text);
      return FALSE;
    }
  if (text != NULL &&
      !ns_provider_labels_set (ns_view_context_get_labels (cli->view), &guid, equals + 1, error))
    return FALSE;
  return ns_cli_table (cli, error);
}
