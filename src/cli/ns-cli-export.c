/* The verb `export`: writes chosen rows to a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-report.h"
#include "cli/ns-cli.h"
#include "export/ns-export-etl.h"
#include "export/ns-export-forms.h"
#include "query/ns-row-packets.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Opens the trace with the table @opened and chooses rows. Returns: (transfer full) (nullable): the
 * trace; %NULL: error */
static NsTrace *
choose_from (NsCli *cli,
             const NsCliList *list,
             const NsExportForm *form,
             NsTableId opened,
             GArray **rows,
             GError **error)
{
  g_autoptr (NsTrace) trace = NULL;

  if (!ns_cli_list_check (list, error))
    return NULL;
  trace = ns_cli_open_trace (cli, opened, error);
  if (trace == NULL)
    return NULL;
  if (ns_export_form_has_records (form) && cli->options.output != NULL &&
      !ns_export_etl_check_place (trace, cli->options.output, error))
    return NULL;
  *rows = ns_cli_list_choose (list, trace, error);
  return *rows != NULL ? g_steal_pointer (&trace) : NULL;
}

static gboolean
write_form (NsCli *cli,
            const NsExportForm *form,
            const NsTrace *trace,
            NsTableId table,
            const GArray *rows,
            GError **error)
{
  g_autoptr (NsRedact) redact = NULL;
  NsExportRequest request = { .has_bodies = cli->options.want_payload };
  g_autofree char *left_out = NULL;

  request.report.rows = (NsExportRows){ .trace = trace,
                                        .table = table,
                                        .rows = (const guint32 *) (gconstpointer) rows->data,
                                        .n_rows = rows->len };
  if (form->describe_left_out != NULL)
    left_out = form->describe_left_out (&request, &cli->n_chosen);
  if (left_out != NULL && !cli->options.is_quiet)
    ns_cli_print_message (left_out);
  if (cli->options.want_redacted)
    {
      /* The pseudonyms are made before anything is written. */
      redact = form->find_redactions (&request, ns_cli_progress, cli);
      if (redact == NULL)
        return ns_cli_list_refuse_stopped (error);
      request.report.redact = redact;
    }
  return ns_export_form_write (form, &request, ns_cli_write, cli, error);
}

/* Exports rows of the master table, or the records that support them. */
static gboolean
export_operations (NsCli *cli, const NsExportForm *form, GError **error)
{
  gboolean needs_records = ns_export_form_has_records (form) || cli->options.want_payload;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsTrace) trace = choose_from (cli,
                                           &list,
                                           form,
                                           needs_records ? NS_TABLE_EVENTS : NS_TABLE_ACTIVITIES,
                                           &rows,
                                           error);

  return trace != NULL && write_form (cli, form, trace, NS_TABLE_ACTIVITIES, rows, error);
}

/* Returns the packets of the conversations of the rows in --rows, of the master table or of
 * --table; (transfer full); %NULL: error. */
static GArray *
list_packets_of_rows (NsCli *cli, const NsTrace *trace, NsTableId table, GError **error)
{
  NsCliList list = { .view = cli->view,
                     .table = table,
                     .rows = cli->options.rows,
                     .limit = -1,
                     .offset = -1 };
  g_autoptr (GArray) rows = ns_cli_list_choose (&list, trace, error);

  return rows != NULL ? ns_row_packets_list (trace,
                                             table,
                                             (const guint32 *) (gpointer) rows->data,
                                             rows->len)
                      : NULL;
}

/* Removes the rows of @packets that are not in @chosen. */
static void
keep_common (const NsTrace *trace, GArray *packets, const GArray *chosen)
{
  g_autofree guint8 *is_chosen =
      g_new0 (guint8, (gsize) ns_trace_get_n_rows (trace, NS_TABLE_PACKETS) + 1);
  guint n = 0;
  guint i;

  for (i = 0; i < chosen->len; i++)
    is_chosen[g_array_index (chosen, guint32, i)] = 1;
  for (i = 0; i < packets->len; i++)
    if (is_chosen[g_array_index (packets, guint32, i)])
      g_array_index (packets, guint32, n++) = g_array_index (packets, guint32, i);
  g_array_set_size (packets, n);
}

static gboolean
get_table_of_rows (const NsCli *cli, NsTableId *table, GError **error)
{
  const char *name = cli->options.table;

  *table = NS_TABLE_ACTIVITIES;
  if (name == NULL || (ns_table_from_name (name, table) && *table != NS_TABLE_EVENTS))
    return TRUE;
  return ns_trace_refuse_query (error,
                                _ ("--table needs the name of a table: “%s” is not one"),
                                name);
}

/* Refuses to write a capture file without packets, which would look like a valid answer. */
static gboolean
refuse_none (const NsTrace *trace, GError **error)
{
  g_autofree char *why = ns_table_get_n_rows (trace, NS_TABLE_PACKETS) > 0
                             ? g_strdup (_ ("no packet of the trace is selected"))
                             : ns_table_describe_empty (trace, NS_TABLE_PACKETS, NULL);

  return ns_trace_refuse_query (error, _ ("there are no packets: %s"), why);
}

static gboolean
export_packets (NsCli *cli, const NsExportForm *form, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_PACKETS);
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsTrace) trace = NULL;
  NsTableId table;

  list.rows = NULL;
  if (!get_table_of_rows (cli, &table, error))
    return FALSE;
  trace = choose_from (cli, &list, form, NS_TABLE_PACKETS, &rows, error);
  if (trace == NULL)
    return FALSE;
  if (cli->options.rows != NULL)
    {
      g_autoptr (GArray) wanted = list_packets_of_rows (cli, trace, table, error);

      if (wanted == NULL)
        return FALSE;
      keep_common (trace, rows, wanted);
    }
  cli->n_chosen = rows->len;
  if (rows->len == 0)
    return refuse_none (trace, error);
  return write_form (cli, form, trace, NS_TABLE_PACKETS, rows, error);
}

static gboolean
export_report (NsCli *cli, const NsExportForm *form, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);

  return ns_cli_list_check (&list, error) && ns_cli_report (cli, &list, form, error);
}

static gboolean
export_form (NsCli *cli, const NsExportForm *form, GError **error)
{
  switch (form->kind)
    {
    case NS_EXPORT_CELLS:
      return ns_cli_print_table (cli, NS_TABLE_ACTIVITIES, form->name, error);
    case NS_EXPORT_REPORT:
    case NS_EXPORT_HAND_OVER:
      return export_report (cli, form, error);
    case NS_EXPORT_PACKETS:
      return export_packets (cli, form, error);
    case NS_EXPORT_ANALYSIS:
    case NS_EXPORT_RECORDS:
    case NS_EXPORT_OPERATIONS:
    default:
      return export_operations (cli, form, error);
    }
}

static gboolean
can_redact (const NsExportForm *form)
{
  return form->can_redact;
}

static gboolean
has_packets (const NsExportForm *form)
{
  return form->kind == NS_EXPORT_PACKETS;
}

/* Returns the names of the forms that @is_one accepts, or of all forms if it is %NULL; (transfer
 * full). */
static char *
list_names (gboolean (*is_one) (const NsExportForm *form))
{
  g_autoptr (GString) names = g_string_new (NULL);
  const NsExportForm *form = NULL;

  while ((form = ns_export_form_next (form)) != NULL)
    if (form->name != NULL && (is_one == NULL || is_one (form)))
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", form->name);
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/**
 * ns_cli_export:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `export`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_export (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  const NsExportForm *form = options->as != NULL ? ns_export_form_from_name (options->as) : NULL;
  g_autofree char *names = NULL;

  if (form == NULL)
    {
      names = list_names (NULL);
      return ns_trace_refuse_query (error, _ ("--as needs one of the formats %s"), names);
    }
  if (options->want_redacted && !can_redact (form))
    {
      names = list_names (can_redact);
      /* Translators: a list of names, and the name of another one */
      return ns_trace_refuse_query (
          error,
          _ ("--redact is for %s: %s contains data that cannot be redacted reliably"),
          names,
          form->name);
    }
  if (options->table != NULL && !has_packets (form))
    {
      names = list_names (has_packets);
      return ns_trace_refuse_query (error,
                                    /* Translators: a list of names, and the name of another one */
                                    _ ("--table is for %s: %s contains rows of the master table"),
                                    names,
                                    form->name);
    }
  return export_form (cli, form, error);
}
