/* The command line: the verbs that print the rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli.h"

/**
 * ns_cli_print_table: (skip)
 * @cli: what was asked
 * @table: whose rows
 * @format: (nullable): name of the form; %NULL: as the output suits
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_print_table (NsCli *cli, NsTableId table, const char *format, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = {
    .table = table,
    .format = format,
    .columns = options->columns,
    .filter = options->filter,
    .sort = options->sort,
    .group_by = options->group_by,
    .rows = options->rows,
    .from = options->from,
    .to = options->to,
    .time = options->time,
    .limit = options->limit,
    .offset = options->offset,
    .is_terminal = ns_cli_is_terminal (cli),
  };
  NsTrace *trace;
  gboolean is_done;

  if (!ns_cli_list_check (&list, error))
    return FALSE;

  trace = ns_cli_open_trace (cli, table, error);
  if (trace == NULL)
    return FALSE;
  is_done = ns_cli_list_print (&list, trace, ns_cli_write, cli, error);
  ns_trace_unref (trace);
  return is_done;
}

/**
 * ns_cli_table:
 * @cli: what was asked; the verb is the table's name
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_table (NsCli *cli, GError **error)
{
  NsTableId table;

  if (!ns_table_from_name (cli->verb->name, &table))
    g_assert_not_reached ();
  return ns_cli_print_table (cli, table, cli->options.format, error);
}
