/* The verb `extract`: writes the tables of many traces as typed columns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-extract.h"

#include "side/ns-side.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

static void
report_counts (const NsCli *cli, const NsCliExtractCounts *counts)
{
  g_autofree char *line = NULL;

  if (cli->options.is_quiet)
    return;
  /* Translators: numbers of traces, and of rows of tables. */
  line = g_strdup_printf (_ ("traces extracted: %" PRIu64 ", failed: %" PRIu64
                             ", already present: %" PRIu64 ", specified twice: %" PRIu64
                             "; rows: %" PRIu64),
                          counts->n_done,
                          counts->n_failed,
                          counts->n_existing,
                          counts->n_repeated,
                          counts->n_rows);
  ns_cli_print_message (line);
}

static gboolean
check_logs (const NsCliOptions *options, const NsCliInputs *inputs, GError **error)
{
  if (!ns_side_check_offsets (options->offsets, error))
    return FALSE;
  if (options->from_file == NULL && ns_cli_inputs_get_logs (inputs)->len == options->n_files)
    return ns_trace_refuse_query (
        error,
        _ ("%s is a log file, not a trace; specify the trace that it belongs to as well"),
        options->files[0]);
  return TRUE;
}

/**
 * ns_cli_extract:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `extract`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_extract (NsCli *cli, GError **error)
{
  g_autoptr (NsExtractTarget) target = NULL;
  g_autoptr (NsCliInputs) inputs = NULL;
  NsCliExtractCounts counts = { 0 };
  NsExtractStacks stacks;
  guint i;

  if (cli->options.want_extract_schema)
    {
      g_autofree char *json = ns_extract_schema_to_json ();

      return ns_cli_write (json, strlen (json), cli, error);
    }
  if (cli->options.output != NULL)
    return ns_trace_refuse_query (error,
                                  _ ("%s is for --schema; the tables are written to --to DIR"),
                                  "--output");
  if (cli->options.n_files == 0 && cli->options.from_file == NULL)
    return ns_trace_refuse_query (error,
                                  _ ("usage: netstitch-cli %s %s"),
                                  cli->verb->name,
                                  _ (cli->verb->operands));
  for (i = 0; i < cli->options.n_files; i++)
    if (strcmp (ns_cli_get_shown_path (cli->options.files[i]), "-") == 0)
      return ns_trace_refuse_query (error,
                                    _ ("a trace from standard input cannot be extracted; save it "
                                       "to a file first"));
  if (!ns_cli_extract_parse_stacks (&cli->options, &stacks, error))
    return FALSE;
  inputs = ns_cli_inputs_new (&cli->options, error);
  if (inputs == NULL || !check_logs (&cli->options, inputs, error))
    return FALSE;
  target = ns_cli_extract_open_target (&cli->options, error);
  if (target == NULL)
    return FALSE;
  if (!ns_cli_extract_run_jobs (cli, inputs, target, &counts, error))
    return FALSE;
  report_counts (cli, &counts);
  if (counts.n_failed > 0)
    cli->status = NS_CLI_PARTLY;
  return TRUE;
}
