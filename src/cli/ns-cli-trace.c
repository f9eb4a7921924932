/* Opens traces with the tables that a verb needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-symbols.h"
#include "cli/ns-cli.h"
#include "side/ns-side.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum number of lines of a log that are reported one by one without --verbose. */
#define MAX_REPORTED_LINES 3

/* Reports what could not be read of a log: its first lines, and their number. */
static void
report_log (NsCli *cli, const NsSideLog *log)
{
  guint n_shown = MIN (log->faults->len, cli->options.is_verbose ? G_MAXUINT : MAX_REPORTED_LINES);
  g_autofree char *name = ns_cli_redact_dup_file (cli, log->path, NULL);
  guint i;

  if (log->refusal != NULL)
    {
      g_autofree char *reason = ns_cli_redact_dup_reason (cli, log->path, log->refusal);
      /* Translators: a file, then the reason. */
      g_autofree char *line = g_strdup_printf (_ ("%s is left out: %s"), name, reason);

      ns_cli_print_message (line);
    }
  for (i = 0; i < n_shown; i++)
    {
      const NsSideFault *fault = &g_array_index (log->faults, NsSideFault, i);
      /* Translators: a file, the number of a line in it, and what is wrong with that line. */
      g_autofree char *line =
          g_strdup_printf (_ ("%s: line %u is left out: %s"), name, fault->line, fault->what);

      ns_cli_print_message (line);
    }
  if (log->n_faults > n_shown)
    {
      g_autofree char *line = g_strdup_printf (_ ("%s: lines left out in all: %u, read: %u"),
                                               name,
                                               log->n_faults,
                                               log->n_lines);

      ns_cli_print_message (line);
    }
}

/**
 * ns_cli_report_logs:
 * @cli: the parsed command line
 * @trace: a trace
 *
 * Reports on standard error what could not be read of the logs beside the trace.
 */
void
ns_cli_report_logs (NsCli *cli, const NsTrace *trace)
{
  guint i;

  for (i = 0; !cli->options.is_quiet && i < ns_trace_get_n_logs (trace); i++)
    report_log (cli, ns_trace_get_log (trace, i));
}

/**
 * ns_cli_wants_findings: (skip)
 * @options: the options
 *
 * Rules also read the calls, a large table. Names in texts are not parsed here: one that contains
 * the name of the column by chance only costs time.
 *
 * Returns: %TRUE if a filter, a column, the order or a group may read the findings about a row
 */
gboolean
ns_cli_wants_findings (const NsCliOptions *options)
{
  const char *const texts[] = { options->filter,
                                options->columns,
                                options->sort,
                                options->group_by };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = texts[i] != NULL ? g_ascii_strdown (texts[i], -1) : NULL;

      if (text != NULL && strstr (text, "finding") != NULL)
        return TRUE;
    }
  return options->columns != NULL && strstr (options->columns, "all") != NULL;
}

/* Sets the options that are common to all ways of opening; the caller has set the others. */
static gboolean
fill_options (NsCli *cli, NsTableId table, NsTraceOptions *options, GError **error)
{
  if (!ns_side_check_offsets (cli->options.offsets, error))
    return FALSE;
  ns_cli_name_files (cli, options);
  options->manifests = cli->options.manifests;
  options->wfp_names = cli->options.wfp_names;
  options->compat_reference = cli->options.is_like_reference;
  options->skip_calls = table != NS_TABLE_CALLS && table != NS_TABLE_FINDINGS &&
                        !ns_cli_wants_findings (&cli->options);
  return TRUE;
}

static NsTrace *
open_trace (NsCli *cli, NsTableId table, NsTraceOptions options, GError **error)
{
  NsTrace *trace;

  if (!fill_options (cli, table, &options, error))
    return NULL;
  trace = ns_trace_open (cli->options.files[0], &options, ns_cli_progress, cli, error);

  if (trace == NULL)
    return NULL;
  ns_cli_report_refused (cli, ns_etl_file_get_refused (trace->file));
  ns_cli_report_one_machine (cli, trace->file);
  ns_cli_report_damage (cli, trace->file);
  ns_cli_report_logs (cli, trace);
  ns_cli_symbols_give (cli, trace);
  return trace;
}

static char *
dup_machine (const NsCli *cli, const GArray *machines, guint i)
{
  const NsMachine *machine = &g_array_index (machines, NsMachine, i);

  return ns_cli_redact_dup_machine (cli, machine->trace->file, machine->name, i + 1);
}

/* Reports how the clock of a machine was aligned with that of the first. */
static void
report_clock (NsCli *cli, const GArray *machines, guint i)
{
  const NsMachine *machine = &g_array_index (machines, NsMachine, i);
  g_autofree char *first_name = NULL;
  g_autofree char *name = NULL;
  g_autofree char *line = NULL;

  if (cli->options.is_quiet)
    return;
  first_name = dup_machine (cli, machines, 0);
  name = dup_machine (cli, machines, i);
  if (machine->clock == NS_PAIRS_CLOCK_WALL)
    line = g_strdup_printf (_ ("the clocks of %s and %s are assumed to be equal: fewer than %d "
                               "round trips were recorded on both; --clock-offset corrects them"),
                            first_name,
                            name,
                            NS_CLOCK_MIN_EXCHANGES);
  else if (machine->clock == NS_PAIRS_CLOCK_HAND)
    line = g_strdup_printf (_ ("the clock of %s is assumed to be %+.6f s ahead of that of %s"),
                            name,
                            (double) machine->ahead_ns / NS_PER_SECOND,
                            first_name);
  else
    line = g_strdup_printf (_ ("the clock of %s is %+.6f s ahead of that of %s, ±%.3f ms, drift "
                               "%+.2f ppm; connections: %u, exchanges: %u"),
                            name,
                            (double) machine->ahead_ns / NS_PER_SECOND,
                            first_name,
                            (double) machine->uncertainty_ns / 1e6,
                            machine->drift * 1e6,
                            machine->n_connections,
                            machine->n_exchanges);
  ns_cli_print_message (line);
}

static GArray *
open_machines (NsCli *cli, NsTableId table, NsTraceOptions options, GError **error)
{
  g_autoptr (GPtrArray) left_out = NULL;
  GArray *machines;
  guint i;

  if (!fill_options (cli, table, &options, error))
    return NULL;
  machines =
      ns_machines_open (cli->options.files[0], &options, ns_cli_progress, cli, &left_out, error);
  if (machines != NULL)
    ns_cli_report_refused (cli, left_out);
  for (i = 0; machines != NULL && i < machines->len; i++)
    {
      const NsMachine *machine = &g_array_index (machines, NsMachine, i);

      ns_cli_report_damage (cli, machine->trace->file);
      ns_cli_report_logs (cli, machine->trace);
      if (i > 0)
        report_clock (cli, machines, i);
      ns_cli_symbols_give (cli, machine->trace);
    }
  return machines;
}

/**
 * ns_cli_open_machines:
 * @cli: the parsed command line
 * @list: the rows to list, checked
 * @error: return location
 *
 * Opens the named files, each machine as a trace of its own, with the tables that the list needs.
 *
 * Returns: (transfer full) (nullable) (element-type NsMachine): the machines, on one clock; %NULL
 *   with @error set if one cannot be opened
 */
GArray *
ns_cli_open_machines (NsCli *cli, const NsCliList *list, GError **error)
{
  NsTraceOptions options = {
    .want_events = list->table == NS_TABLE_EVENTS || list->table == NS_TABLE_CHROMIUM_EVENTS ||
                   ns_cli_list_wants_evidence (list),
  };

  return open_machines (cli, list->table, options, error);
}

/**
 * ns_cli_open_machines_for_report:
 * @cli: the parsed command line
 * @error: return location
 *
 * Like ns_cli_open_machines(), with the tables that a hand-over needs.
 *
 * Returns: (transfer full) (nullable) (element-type NsMachine): the machines, on one clock; %NULL
 *   with @error set if one cannot be opened
 */
GArray *
ns_cli_open_machines_for_report (NsCli *cli, GError **error)
{
  return open_machines (cli, NS_TABLE_FINDINGS, (NsTraceOptions){ .want_events = TRUE }, error);
}

/**
 * ns_cli_open_trace:
 * @cli: the parsed command line
 * @table: the table to list; the tables of events and calls are only made if it needs them
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the trace; %NULL with @error set if it cannot be opened
 */
NsTrace *
ns_cli_open_trace (NsCli *cli, NsTableId table, GError **error)
{
  NsTraceOptions options = {
    .want_events = table == NS_TABLE_EVENTS || table == NS_TABLE_CHROMIUM_EVENTS,
  };

  return open_trace (cli, table, options, error);
}

/**
 * ns_cli_open_trace_to_draw:
 * @cli: the parsed command line
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the trace, with what a picture of its timeline needs; %NULL
 *   with @error set if it cannot be opened
 */
NsTrace *
ns_cli_open_trace_to_draw (NsCli *cli, GError **error)
{
  return open_trace (cli, NS_TABLE_ACTIVITIES, (NsTraceOptions){ .want_moves = TRUE }, error);
}

/**
 * ns_cli_open_trace_for_report:
 * @cli: the parsed command line
 * @want_events: whether the table of events is needed, too
 * @error: return location
 *
 * Reports contain findings and calls.
 *
 * Returns: (transfer full) (nullable): the trace, with the tables that a report needs; %NULL with
 *   @error set if it cannot be opened
 */
NsTrace *
ns_cli_open_trace_for_report (NsCli *cli, gboolean want_events, GError **error)
{
  return open_trace (cli, NS_TABLE_FINDINGS, (NsTraceOptions){ .want_events = want_events }, error);
}

/**
 * ns_cli_open_trace_for_list:
 * @cli: the parsed command line
 * @list: the rows to list, checked
 * @error: return location
 *
 * Only the evidence of findings needs the table of events.
 *
 * Returns: (transfer full) (nullable): the trace, with the tables that the list needs; %NULL with
 *   @error set if it cannot be opened
 */
NsTrace *
ns_cli_open_trace_for_list (NsCli *cli, const NsCliList *list, GError **error)
{
  if (!ns_cli_list_wants_evidence (list))
    return ns_cli_open_trace (cli, list->table, error);
  return open_trace (cli, list->table, (NsTraceOptions){ .want_events = TRUE }, error);
}
