/* The verbs `events`, `dump`, `kernel-network`, `lanes` and `correlate`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-events.h"
#include "cli/ns-cli.h"
#include "query/ns-event-mark.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

typedef gboolean (*PrintFunc) (const NsCliEvents *asked,
                               NsEtlFile *file,
                               NsSchemas *schemas,
                               NsExportWriteFunc write,
                               gpointer write_data,
                               GError **error);

/* Opens the same trace with its table of events. Problems are not reported here: the walk that
 * prints the records reports them. */
static NsTrace *
open_cb (gpointer user_data, GError **error)
{
  NsCli *cli = user_data;
  NsTraceOptions options = {
    .manifests = cli->options.manifests,
    .compat_reference = cli->options.is_like_reference,
    .want_events = TRUE,
  };

  ns_cli_name_files (cli, &options);
  return ns_trace_open (cli->options.files[0], &options, ns_cli_progress, cli, error);
}

static NsCliEvents
make_question (NsCli *cli)
{
  const NsCliOptions *options = &cli->options;

  return (NsCliEvents){
    .view = cli->view,
    .format = options->format,
    .columns = options->fields != NULL ? options->fields : options->columns,
    .from = options->from,
    .to = options->to,
    .time = options->time,
    .separator = options->separator,
    .filter = options->filter,
    .sort = options->sort,
    .limit = options->limit,
    .offset = MAX (options->offset, 0),
    .has_payload = options->want_payload,
    .is_raw = options->is_raw,
    .is_terminal = ns_cli_is_terminal (cli),
    .progress = ns_cli_progress,
    .progress_data = cli,
    .open = open_cb,
    .open_data = cli,
  };
}

/* Returns the trace of the current machine. */
static NsTrace *
open_machine_cb (gpointer user_data, GError **error)
{
  return ns_trace_ref (user_data);
}

/* Prints one machine after the other, on one clock. */
static gboolean
run_machines (NsCli *cli, const NsCliEvents *asked, PrintFunc print, GError **error)
{
  const NsCliList list = { .table = NS_TABLE_EVENTS };
  g_autoptr (GArray) machines = ns_cli_open_machines (cli, &list, error);
  NsCliEventsTurn turn = { 0 };
  gboolean is_done = machines != NULL;
  guint i;

  for (i = 0; is_done && i < machines->len; i++)
    {
      NsTrace *trace = g_array_index (machines, NsMachine, i).trace;
      NsCliEvents one = *asked;

      turn.is_first = i == 0;
      turn.is_last = i + 1 == machines->len;
      one.turn = &turn;
      one.open = open_machine_cb;
      one.open_data = trace;
      is_done = print (&one, trace->file, trace->schemas, ns_cli_write, cli, error);
    }
  return is_done;
}

static gboolean
run (NsCli *cli, const NsCliEvents *asked, PrintFunc print, GError **error)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (ns_view_context_get_schemas (cli->view));
  g_autoptr (NsEtlFile) file = NULL;

  if (cli->options.manifests != NULL &&
      !ns_schemas_add_manifests (schemas, cli->options.manifests, error))
    return FALSE;
  file = ns_cli_find_file (cli, error);
  if (file == NULL)
    return FALSE;
  /* Linked records belong to one machine. */
  if (ns_etl_file_has_other_machines (file) && asked->activity == NULL && asked->event == NULL)
    return run_machines (cli, asked, print, error);
  ns_cli_report_refused (cli, ns_etl_file_get_refused (file));
  ns_cli_report_one_machine (cli, file);
  if (!print (asked, file, schemas, ns_cli_write, cli, error))
    return FALSE;
  ns_schemas_report_refused (schemas, file);
  ns_cli_report_damage (cli, file);
  return TRUE;
}

/* Refuses --rows: records are not numbered from 1 as rows are. */
static gboolean
refuse_row_options (const NsCliOptions *options, GError **error)
{
  if (options->rows == NULL)
    return TRUE;
  g_set_error_literal (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("events cannot be chosen by row: use --filter, such as “n in (3, 7)”"));
  return FALSE;
}

/* Combines the user's filter with a condition; (transfer full). */
static char *
combine_filters (const char *filter, const char *sign)
{
  gboolean is_all = filter == NULL || filter[strspn (filter, " \t\n")] == '\0';

  return is_all ? g_strdup (sign) : g_strdup_printf ("(%s) and %s", filter, sign);
}

/* Checks the user's filter before it is combined with @sign, so that errors point into what the
 * user wrote. */
static gboolean
run_with_condition (NsCli *cli, NsCliEvents *asked, const char *sign, GError **error)
{
  g_autofree char *filter = NULL;

  if (!refuse_row_options (&cli->options, error) || !ns_cli_events_check (asked, error))
    return FALSE;
  filter = combine_filters (asked->filter, sign);
  asked->filter = filter;
  return run (cli, asked, ns_cli_events_print, error);
}

static void
report_hidden (const NsCli *cli, guint64 n_hidden)
{
  g_autofree char *line = NULL;

  if (n_hidden == 0 || cli->options.is_quiet)
    return;
  line = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%" PRIu64 " record that describes others is not shown; "
                                       "--show-schema shows it",
                                       "%" PRIu64 " records that describe others are not shown; "
                                       "--show-schema shows them",
                                       n_hidden),
                          n_hidden);
  ns_cli_print_message (line);
}

/**
 * ns_cli_verb_events:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `events`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_verb_events (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliEvents asked = make_question (cli);
  guint64 n_hidden = 0;

  if (options->group_by != NULL)
    return ns_cli_print_table (cli, NS_TABLE_EVENTS, options->format, error);
  if (options->want_errors && options->want_drops)
    {
      asked.signs = "error_text,drop_source,drop_code,drop_reason";
      return run_with_condition (cli, &asked, "(is_error = true or is_drop = true)", error);
    }
  if (options->want_errors)
    {
      asked.signs = "error_text";
      return run_with_condition (cli, &asked, "is_error = true", error);
    }
  if (options->want_drops)
    {
      asked.signs = "drop_source,drop_code,drop_reason";
      return run_with_condition (cli, &asked, "is_drop = true", error);
    }
  asked.hides_schema = !options->want_schema && !options->is_raw;
  asked.n_hidden = &n_hidden;
  if (!refuse_row_options (options, error) || !ns_cli_events_check (&asked, error) ||
      !run (cli, &asked, ns_cli_events_print, error))
    return FALSE;
  report_hidden (cli, n_hidden);
  return TRUE;
}

/**
 * ns_cli_verb_kernel_network:
 * @cli: the parsed command line
 * @error: return location
 *
 * Prints the table of kernel network counters, or with --raw its records with the endpoints as
 * recorded.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_verb_kernel_network (NsCli *cli, GError **error)
{
  NsCliEvents asked = make_question (cli);

  if (!cli->options.is_raw)
    return ns_cli_table (cli, error);
  if (cli->options.want_redacted)
    return ns_trace_refuse_query (
        error,
        _ ("--redact: records contain data that cannot be redacted reliably"));
  if (cli->options.group_by == NULL)
    return run_with_condition (cli,
                               &asked,
                               "provider in (7dd42a49-5329-4832-8dfd-43d979153a88, "
                               "9a280ac0-c8e0-11d1-84e2-00c04fb998a2, "
                               "bf3a50c5-a9c9-4988-a005-2df0b7c80f80)",
                               error);
  g_set_error_literal (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("records cannot be grouped: leave --raw or --group-by out"));
  return FALSE;
}

static void
report_no_lanes (const NsCli *cli, guint64 n_printed)
{
  g_autofree char *names = NULL;
  g_autofree char *line = NULL;

  if (n_printed > 0 || cli->options.is_quiet)
    return;
  names = ns_event_mark_dup_lane_providers ();
  /* Translators: names of event providers. */
  line =
      g_strdup_printf (_ ("No state change was found; these providers report state changes: %s."),
                       names);
  ns_cli_print_message (line);
}

/**
 * ns_cli_verb_lanes:
 * @cli: the parsed command line
 * @error: return location
 *
 * Prints the events that report a change of state: the marks of the timeline's event lanes.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_verb_lanes (NsCli *cli, GError **error)
{
  NsCliEvents asked = make_question (cli);
  guint64 n_printed = 0;

  asked.n_printed = &n_printed;
  if (asked.columns == NULL)
    asked.columns = "time_ns,lane,subject,mark,provider_name,id,pid,n";
  if (!run_with_condition (cli, &asked, "lane != \"\"", error))
    return FALSE;
  report_no_lanes (cli, n_printed);
  return TRUE;
}

/* Returns the activity ID of a row of the master table; (transfer full); %NULL: error. */
static char *
find_activity_of_row (NsCli *cli, GError **error)
{
  const NsActivityRow *found = NULL;
  char text[NS_GUID_TEXT_SIZE];
  NsTrace *trace;
  char *activity = NULL;
  guint64 row = 0;

  trace = ns_cli_open_trace (cli, NS_TABLE_ACTIVITIES, error);
  if (trace == NULL)
    return NULL;
  if (g_ascii_string_to_unsigned (cli->options.row, 10, 1, G_MAXUINT32, &row, NULL))
    found = ns_trace_get_row (trace, NS_TABLE_ACTIVITIES, (NsRow) row);
  if (found != NULL && found->activity_id != NULL)
    activity = g_strdup (ns_guid_to_text (found->activity_id, text));
  if (activity == NULL)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("there is no row “%s” with an activity id"),
                 cli->options.row);
  ns_trace_unref (trace);
  return activity;
}

/**
 * ns_cli_verb_correlate:
 * @cli: the parsed command line
 * @error: return location
 *
 * Prints the records that are linked to an activity, a record or a row.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_verb_correlate (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  g_autofree char *of_row = NULL;
  NsCliEvents asked = make_question (cli);

  if ((options->activity != NULL) + (options->event != NULL) + (options->row != NULL) != 1)
    {
      g_set_error_literal (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_QUERY,
                           _ ("correlate needs one of --activity GUID, --event N and --row ID"));
      return FALSE;
    }
  asked.activity = options->activity;
  asked.event = options->event;
  if (options->row != NULL)
    asked.activity = of_row = find_activity_of_row (cli, error);
  if (options->row != NULL && of_row == NULL)
    return FALSE;
  return refuse_row_options (options, error) && ns_cli_events_check (&asked, error) &&
         run (cli, &asked, ns_cli_events_print, error);
}

/**
 * ns_cli_verb_dump:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `dump`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_verb_dump (NsCli *cli, GError **error)
{
  NsCliEvents asked = make_question (cli);

  return ns_cli_dump_check (&asked, error) && run (cli, &asked, ns_cli_dump_print, error);
}
