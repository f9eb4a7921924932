/* The verb `pairs`: connections that two machines recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-pairs.h"
#include "cli/ns-cli-help.h"
#include "cli/ns-cli-rows.h"
#include "engine/trace/ns-trace-align.h"
#include "query/ns-fields.h"
#include "side/ns-side.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

/* Maximum number of machines; each is compared with each other. */
#define MAX_MACHINES 8

typedef struct
{
  NsTrace *trace;
  char *name;   /* name of the computer, or else of the file */
  char *shown;  /* its name in messages */
  char **files; /* the files that were named for it */
} Machine;

static void
machine_clear (gpointer data)
{
  Machine *self = data;

  ns_trace_unref (self->trace);
  g_free (self->name);
  g_free (self->shown);
  g_strfreev (self->files);
}

/* Opens @files[0] and all files of the same machine. */
static gboolean
open_machine (NsCli *cli, char **files, const char *member, GArray *machines, GError **error)
{
  NsTraceOptions options = {
    .view = cli->view,
    .member = member,
    .beside = (const char *const *) files + 1,
    .is_recursive = cli->options.is_recursive,
    .manifests = cli->options.manifests,
    .wfp_names = cli->options.wfp_names,
    .offsets = cli->options.offsets,
    .time_columns = cli->options.time_columns,
    .is_one_of_several = TRUE,
    .want_moves = TRUE,
    .skip_calls = !ns_cli_wants_findings (&cli->options),
  };
  Machine machine = { NULL };

  machine.trace = ns_trace_open (files[0], &options, ns_cli_progress, cli, error);
  if (machine.trace == NULL)
    return FALSE;
  ns_cli_report_damage (cli, machine.trace->file);
  machine.name = ns_pairs_dup_machine (machine.trace);
  machine.shown =
      member != NULL && cli->options.want_redacted
          ? ns_cli_redact_dup_file (cli, files[0], member)
          : ns_cli_redact_dup_machine (cli, machine.trace->file, machine.name, machines->len + 1);
  machine.files = g_strdupv (files);
  g_array_append_val (machines, machine);
  return TRUE;
}

static gboolean
open_each (NsCli *cli, GArray *machines, GError **error)
{
  guint i;

  for (i = 0; i < MIN (cli->options.n_files, MAX_MACHINES); i++)
    {
      char *file[] = { cli->options.files[i], NULL };

      if (!open_machine (cli, file, cli->options.member, machines, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether the trace consists of several captures. A capture does not name its machine, so
 * each counts as one of its own. */
static gboolean
are_captures (const NsCli *cli, const Machine *machine)
{
  const NsEtlFile *file = machine->trace->file;
  guint n_inputs = ns_etl_file_get_n_inputs (file);
  guint i;

  for (i = 0; i < n_inputs; i++)
    if (!ns_etl_file_is_capture (ns_etl_file_get_input (file, i)))
      return FALSE;
  return n_inputs > 1 && n_inputs == cli->options.n_files;
}

/* Opens the machines: two named files are two machines; otherwise the files that belong to no
 * earlier machine form the next one. */
static gboolean
open_machines (NsCli *cli, GArray *machines, GError **error)
{
  char **files = cli->options.files;
  const GPtrArray *refused;
  guint i;

  if (cli->options.n_files == 2)
    return open_each (cli, machines, error);
  if (!open_machine (cli, files, cli->options.member, machines, error))
    return FALSE;
  if (are_captures (cli, &g_array_index (machines, Machine, 0)))
    {
      g_array_set_size (machines, 0);
      return open_each (cli, machines, error);
    }
  refused =
      ns_etl_file_get_refused (g_array_index (machines, Machine, machines->len - 1).trace->file);
  while (refused != NULL && machines->len < MAX_MACHINES)
    {
      g_autoptr (GPtrArray) rest = g_ptr_array_new ();
      const char *member = NULL;

      for (i = 0; i < refused->len; i++)
        {
          const NsEtlRefused *one = g_ptr_array_index (refused, i);

          /* Only one member of an archive can be opened at a time. */
          if (!one->is_other_machine || (rest->len > 0 && (one->member != NULL || member != NULL)))
            continue;
          g_ptr_array_add (rest, one->path);
          member = one->member;
        }
      if (rest->len == 0)
        break;
      g_ptr_array_add (rest, NULL);
      if (!open_machine (cli, (char **) rest->pdata, member, machines, error))
        return FALSE;
      refused = ns_etl_file_get_refused (
          g_array_index (machines, Machine, machines->len - 1).trace->file);
    }
  return TRUE;
}

static gboolean
check_machines (const GArray *machines, GError **error)
{
  if (machines->len < 2)
    {
      g_set_error_literal (
          error,
          NS_TRACE_ERROR,
          NS_TRACE_ERROR_OPEN,
          _ ("all files were recorded by one machine; specify traces of two machines"));
      return FALSE;
    }
  return machines->len > 2 || ns_pairs_check (g_array_index (machines, Machine, 0).trace,
                                              g_array_index (machines, Machine, 1).trace,
                                              error);
}

/* Returns whether the path is a file of the machine's trace; folders and archives are not. */
static gboolean
is_input (const Machine *machine, const char *path)
{
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (machine->trace->file); i++)
    {
      g_autofree char *one = ns_trace_dup_input_path (machine->trace->file, i);

      if (strcmp (one, path) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_offset_of (const NsCli *cli, const Machine *machine, gint64 *offset_ns)
{
  gboolean is_given = ns_trace_find_offset (machine->trace, cli->options.offsets, offset_ns);
  guint i;

  for (i = 0; machine->files[i] != NULL; i++)
    if (!is_input (machine, machine->files[i]))
      is_given |= ns_side_find_offset (cli->options.offsets, machine->files[i], offset_ns);
  return is_given;
}

/* Finds the clock offset that the user gave for either machine, converted to what is added to the
 * second one's times. */
static gboolean
find_offset (const NsCli *cli, const Machine *first, const Machine *second, gint64 *offset_ns)
{
  gint64 of_first_ns = 0;
  gint64 of_second_ns = 0;
  gboolean is_given = find_offset_of (cli, first, &of_first_ns);

  is_given |= find_offset_of (cli, second, &of_second_ns);
  *offset_ns = of_second_ns - of_first_ns;
  return is_given;
}

static void
report_clock (NsCli *cli, const NsPairs *pairs, const Machine *first, const Machine *second)
{
  g_autofree char *line = NULL;

  if (cli->options.is_quiet)
    return;
  if (pairs->connections->len == 0)
    line = g_strdup_printf (
        _ ("%s and %s have no recorded connection in common: no addresses or no times match"),
        first->shown,
        second->shown);
  else if (pairs->clock == NS_PAIRS_CLOCK_WALL)
    line = g_strdup_printf (_ ("the clocks of %s and %s are assumed to be equal: fewer than %d "
                               "round trips were recorded on both; --clock-offset corrects them"),
                            first->shown,
                            second->shown,
                            NS_CLOCK_MIN_EXCHANGES);
  else
    line =
        g_strdup_printf (_ ("the clock of %s is %+.6f s ahead of that of %s, ±%.3f ms, drift %+.2f "
                            "ppm; connections: %u, exchanges: %u, contradicting round trips: %u"),
                         second->shown,
                         (double) ns_pairs_get_ahead (pairs) / NS_PER_SECOND,
                         first->shown,
                         (double) pairs->fit.uncertainty_ns / 1e6,
                         pairs->fit.drift * 1e6,
                         pairs->connections->len,
                         pairs->fit.n_exchanges,
                         pairs->n_crossing);
  ns_cli_print_message (line);
}

static void
add_signed (NsCliRows *rows, gboolean is_known, gint64 number)
{
  char text[24];

  if (!is_known)
    {
      ns_cli_rows_add_null (rows);
      return;
    }
  g_snprintf (text, sizeof text, "%" PRId64, number);
  ns_cli_rows_add_json (rows, text, text);
}

static void
add_field (const NsCli *cli, NsCliRows *rows, const NsTrace *trace, NsRow row, const char *id)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, id);
  g_autofree char *text = NULL;

  if (row != 0 && (!cli->options.want_redacted || strcmp (id, "method") == 0))
    text = ns_field_dup_raw (trace, field, row - 1);
  ns_cli_rows_add_text (rows, text);
}

static void
add_end (const NsCli *cli, NsCliRows *rows, const NsEndpoint *end)
{
  char text[NS_IP_TEXT_SIZE];

  ns_cli_rows_add_text (rows,
                        cli->options.want_redacted || end->ip.family == 0
                            ? NULL
                            : ns_endpoint_to_text (end, text));
}

static gboolean
print_row (NsCli *cli,
           NsCliRows *rows,
           const Machine *machines[2],
           const NsPairs *pairs,
           const NsPairRow *row,
           guint id,
           GError **error)
{
  gboolean is_redacted = cli->options.want_redacted;
  const NsTrace *here = pairs->traces[row->client_machine];
  const NsTrace *there = pairs->traces[!row->client_machine];
  const NsActivityRow *request = NS_ROW_AT (here->activities, NsActivityRow, row->client);
  const NsPairConnection *connection =
      row->connection != G_MAXUINT
          ? &g_array_index (pairs->connections, NsPairConnection, row->connection)
          : NULL;
  gboolean has_network = row->phases[NS_PAIR_NETWORK_OUT] != NS_UNKNOWN ||
                         row->phases[NS_PAIR_NETWORK_BACK] != NS_UNKNOWN;
  gboolean is_aligned = pairs->clock != NS_PAIRS_CLOCK_WALL;
  guint i;

  ns_cli_rows_add_number (rows, id);
  ns_cli_rows_add_text (rows, is_redacted ? NULL : machines[row->client_machine]->name);
  ns_cli_rows_add_text (rows, is_redacted ? NULL : machines[!row->client_machine]->name);
  ns_cli_rows_add_number (rows, row->client);
  add_signed (rows, row->server != 0, row->server);
  add_field (cli, rows, here, row->client, "process");
  add_field (cli, rows, there, row->server, "process");
  add_field (cli, rows, here, row->client, "method");
  add_field (cli, rows, here, row->client, "url");
  add_field (cli, rows, here, row->client, "server");
  add_end (cli, rows, request->local);
  add_end (cli, rows, request->remote);
  add_signed (rows, request->http_status != 0, request->http_status);
  add_signed (rows, TRUE, row->open_ns);
  add_signed (rows, row->duration_ns != NS_UNKNOWN, row->duration_ns);
  for (i = 0; i < NS_PAIR_N_PHASES; i++)
    add_signed (rows, row->phases[i] != NS_UNKNOWN, row->phases[i]);
  add_signed (rows, has_network && is_aligned, pairs->fit.uncertainty_ns);
  ns_cli_rows_add_boolean (rows, row->about != 0);
  ns_cli_rows_add_text (rows,
                        connection != NULL
                            ? ns_pair_evidence_to_text ((NsPairEvidence) connection->evidence)
                            : NULL);
  add_signed (rows, connection != NULL, connection != NULL ? connection->confidence : 0);
  ns_cli_rows_add_text (rows, ns_pairs_clock_to_text (pairs->clock));
  add_signed (rows, is_aligned, ns_pairs_get_ahead (pairs));
  add_signed (rows, is_aligned, (gint64) (pairs->fit.drift * 1e9));
  add_signed (rows, pairs->clock == NS_PAIRS_CLOCK_EXCHANGES, pairs->fit.n_exchanges);
  return ns_cli_rows_end_row (rows, error);
}

static gboolean
print_pairs (NsCli *cli,
             NsCliRows *rows,
             const Machine *first,
             const Machine *second,
             guint *id,
             GError **error)
{
  const Machine *machines[2] = { first, second };
  g_autoptr (NsPairs) pairs = NULL;
  gint64 offset_ns;
  gboolean is_given = find_offset (cli, first, second, &offset_ns);
  guint i;

  pairs = ns_pairs_new (first->trace, second->trace, is_given ? &offset_ns : NULL);
  report_clock (cli, pairs, first, second);
  for (i = 0; i < pairs->rows->len; i++)
    if (!print_row (cli,
                    rows,
                    machines,
                    pairs,
                    &g_array_index (pairs->rows, NsPairRow, i),
                    ++*id,
                    error))
      return FALSE;
  return TRUE;
}

/* Returns the columns, in the order of the members; (transfer full). */
static GPtrArray *
list_columns (void)
{
  GPtrArray *columns = g_ptr_array_new ();
  const NsCliMember *member;
  guint at = 0;

  while ((member = ns_cli_members_next ("pairs", &at)) != NULL)
    g_ptr_array_add (columns, (gpointer) member->id);
  g_ptr_array_add (columns, NULL);
  return columns;
}

/**
 * ns_cli_pairs:
 * @cli: the parsed command line, with files of at least two machines
 * @error: return location
 *
 * Runs the verb `pairs`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_pairs (NsCli *cli, GError **error)
{
  g_autoptr (GArray) machines = g_array_new (FALSE, FALSE, sizeof (Machine));
  g_autoptr (GPtrArray) columns = list_columns ();
  g_autoptr (NsCliRows) rows = NULL;
  NsExportFormat format;
  guint id = 0;
  guint i;
  guint k;

  g_array_set_clear_func (machines, machine_clear);
  if (!ns_cli_rows_get_format (cli, &format, error) ||
      !ns_side_check_offsets (cli->options.offsets, error) ||
      !open_machines (cli, machines, error) || !check_machines (machines, error))
    return FALSE;
  rows =
      ns_cli_rows_new (cli->view, format, (const char *const *) columns->pdata, ns_cli_write, cli);
  for (i = 0; i < machines->len; i++)
    for (k = i + 1; k < machines->len; k++)
      if (!print_pairs (cli,
                        rows,
                        &g_array_index (machines, Machine, i),
                        &g_array_index (machines, Machine, k),
                        &id,
                        error))
        return FALSE;
  return ns_cli_rows_finish (rows, FALSE, error);
}
