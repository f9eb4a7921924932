/* The command line: the verb `export`, chosen rows in some form of file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-report.h"
#include "cli/ns-cli.h"
#include "export/ns-export-etl.h"
#include "export/ns-export-har.h"
#include "export/ns-export-pcap.h"
#include "export/ns-export-perfetto.h"
#include "export/ns-export-speedscope.h"
#include "query/ns-row-packets.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A form of file; each has a function of its own or is one of the forms of rows. */
typedef struct
{
  const char *name;
  NsCliRun run;
  gboolean can_redact;
  gboolean takes_table;
} Form;

/* Rows of the master table, as the verb `activities` prints them. */
static gboolean
export_rows (NsCli *cli, GError **error)
{
  return ns_cli_print_table (cli, NS_TABLE_ACTIVITIES, cli->options.as, error);
}

typedef gboolean (*WriteFunc) (const NsTrace *trace,
                               const guint32 *rows,
                               gsize n_rows,
                               NsExportWriteFunc write,
                               gpointer write_data,
                               GError **error);

/* The rows that were asked for; @opened tells what else is made.
 * Returns: (transfer full) (nullable): their trace */
static NsTrace *
choose_from (NsCli *cli, const NsCliList *list, NsTableId opened, GArray **rows, GError **error)
{
  g_autoptr (NsTrace) trace = NULL;

  if (!ns_cli_list_check (list, error))
    return NULL;
  trace = ns_cli_open_trace (cli, opened, error);
  if (trace == NULL)
    return NULL;
  if (opened == NS_TABLE_EVENTS && cli->options.output != NULL &&
      !ns_export_etl_check_place (trace, cli->options.output, error))
    return NULL;
  *rows = ns_cli_list_choose (list, trace, error);
  return *rows != NULL ? g_steal_pointer (&trace) : NULL;
}

/* The rows that were asked for of @table, in a form of their own. */
static gboolean
export_from (NsCli *cli, NsTableId table, NsTableId opened, WriteFunc write_rows, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, table);
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsTrace) trace = choose_from (cli, &list, opened, &rows, error);

  return trace != NULL && write_rows (trace,
                                      (const guint32 *) (gpointer) rows->data,
                                      rows->len,
                                      ns_cli_write,
                                      cli,
                                      error);
}

static gboolean
export_as (NsCli *cli, NsTableId table, WriteFunc write_rows, GError **error)
{
  return export_from (cli, table, table, write_rows, error);
}

/* A trace is made of records. */
static gboolean
export_etl (NsCli *cli, GError **error)
{
  return export_from (cli, NS_TABLE_ACTIVITIES, NS_TABLE_EVENTS, ns_export_etl, error);
}

/* Requests without names: the stand-ins are made from them first. */
static gboolean
write_har_redacted (NsCli *cli, const NsTrace *trace, const GArray *rows, GError **error)
{
  const guint32 *numbers = (const guint32 *) (gconstpointer) rows->data;
  const NsRedactOptions options = { .progress = ns_cli_progress, .progress_data = cli };
  g_autoptr (NsRedact) redact = ns_export_har_look (trace, numbers, rows->len, &options);

  return redact != NULL ? ns_export_har_redacted (trace,
                                                  numbers,
                                                  rows->len,
                                                  redact,
                                                  cli->options.want_payload,
                                                  ns_cli_write,
                                                  cli,
                                                  error)
                        : ns_cli_list_refuse_stopped (error);
}

static gboolean
export_har (NsCli *cli, GError **error)
{
  NsTableId opened = cli->options.want_payload ? NS_TABLE_EVENTS : NS_TABLE_ACTIVITIES;
  WriteFunc write_rows = cli->options.want_payload ? ns_export_har_with_bodies : ns_export_har;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsTrace) trace = choose_from (cli, &list, opened, &rows, error);

  if (trace == NULL)
    return FALSE;
  if (!cli->options.is_quiet &&
      ns_export_har_count (trace, (const guint32 *) (gpointer) rows->data, rows->len) == 0)
    ns_cli_tell (_ ("None of these rows is a request with a URL: the archive has no entries."));
  if (cli->options.want_redacted)
    return write_har_redacted (cli, trace, rows, error);
  return write_rows (trace,
                     (const guint32 *) (gpointer) rows->data,
                     rows->len,
                     ns_cli_write,
                     cli,
                     error);
}

/* Packets of the conversations of the rows that --rows names: of activities, or of --table. */
static GArray *
list_packets_of_rows (NsCli *cli, const NsTrace *trace, NsTableId table, GError **error)
{
  NsCliList list = { .table = table, .rows = cli->options.rows, .limit = -1, .offset = -1 };
  g_autoptr (GArray) rows = ns_cli_list_choose (&list, trace, error);

  return rows != NULL ? ns_row_packets_list (trace,
                                             table,
                                             (const guint32 *) (gpointer) rows->data,
                                             rows->len)
                      : NULL;
}

/* Leaves those of @packets that are @chosen, too. */
static void
keep_common (const NsTrace *trace, GArray *packets, const GArray *chosen)
{
  g_autofree guint8 *is_chosen = g_new0 (guint8, (gsize) trace->packets->len + 1);
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
  return ns_trace_refuse_query (error, _ ("--table wants the name of a table: “%s” is none"), name);
}

/* A file of packets without any would be taken for an answer. */
static gboolean
refuse_none (const NsTrace *trace, GError **error)
{
  g_autofree char *why = ns_table_get_n_rows (trace, NS_TABLE_PACKETS) > 0
                             ? g_strdup (_ ("none of the trace's packets was chosen"))
                             : ns_table_describe_empty (trace, NS_TABLE_PACKETS, NULL);

  return ns_trace_refuse_query (error, _ ("there are no packets: %s"), why);
}

static gboolean
export_packets (NsCli *cli, WriteFunc write_rows, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_PACKETS);
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsTrace) trace = NULL;
  NsTableId table;

  list.rows = NULL;
  if (!get_table_of_rows (cli, &table, error))
    return FALSE;
  trace = choose_from (cli, &list, NS_TABLE_PACKETS, &rows, error);
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
  return write_rows (trace,
                     (const guint32 *) (gpointer) rows->data,
                     rows->len,
                     ns_cli_write,
                     cli,
                     error);
}

static gboolean
export_pcapng (NsCli *cli, GError **error)
{
  return export_packets (cli, ns_export_pcapng, error);
}

static gboolean
export_pcap (NsCli *cli, GError **error)
{
  return export_packets (cli, ns_export_pcap, error);
}

static gboolean
export_perfetto (NsCli *cli, GError **error)
{
  return export_as (cli, NS_TABLE_ACTIVITIES, ns_export_perfetto, error);
}

static gboolean
export_speedscope (NsCli *cli, GError **error)
{
  return export_as (cli, NS_TABLE_ACTIVITIES, ns_export_speedscope, error);
}

static gboolean
export_html (NsCli *cli, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);

  return ns_cli_list_check (&list, error) && ns_cli_report (cli, &list, NS_CLI_REPORT_HTML, error);
}

/* What a colleague needs: a trace of the rows, the names in their stacks, notes, and the report. */
static gboolean
export_bundle (NsCli *cli, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);

  return ns_cli_list_check (&list, error) &&
         ns_cli_report (cli, &list, NS_CLI_REPORT_BUNDLE, error);
}

static const Form forms[] = {
  { "csv", export_rows, TRUE },
  { "tsv", export_rows, TRUE },
  { "json", export_rows, TRUE },
  { "jsonl", export_rows, TRUE },
  { "markdown", export_rows, TRUE },
  { "har", export_har, TRUE },
  { "pcapng", export_pcapng, FALSE, TRUE },
  { "pcap", export_pcap, FALSE, TRUE },
  { "html", export_html, TRUE },
  { "etl", export_etl, FALSE },
  { "perfetto", export_perfetto, FALSE },
  { "speedscope", export_speedscope, FALSE },
  { "bundle", export_bundle, FALSE },
};

/**
 * ns_cli_export_next_form: (skip)
 * @at: (inout): where to look on; begin with 0
 *
 * Returns: (transfer none) (nullable): the name of the next kind of file; %NULL: there is none
 */
const char *
ns_cli_export_next_form (guint *at)
{
  return *at < G_N_ELEMENTS (forms) ? forms[(*at)++].name : NULL;
}

/**
 * ns_cli_export:
 * @cli: what was asked
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_export (NsCli *cli, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      if (cli->options.as != NULL && strcmp (cli->options.as, forms[i].name) == 0)
        {
          if (cli->options.want_redacted && !forms[i].can_redact)
            return ns_trace_refuse_query (
                error,
                _ ("--redact is for csv, tsv, json, jsonl, markdown, har and html: %s holds what "
                   "cannot be told apart"),
                forms[i].name);
          if (cli->options.table != NULL && !forms[i].takes_table)
            return ns_trace_refuse_query (error,
                                          _ ("--table is for pcapng and pcap: %s holds rows of "
                                             "the master table"),
                                          forms[i].name);
          return forms[i].run (cli, error);
        }
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", forms[i].name);
    }
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               /* Translators: the second %s is a list of names */
               _ ("--as wants one of the forms %s"),
               names->str);
  return FALSE;
}
