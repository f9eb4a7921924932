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

#include <glib/gi18n-lib.h>
#include <string.h>

/* A form of file; each has a function of its own or is one of the forms of rows. */
typedef struct
{
  const char *name;
  NsCliRun run;
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

/* The rows that were asked for of @table, in a form of their own; @opened tells what else is made.
 */
static gboolean
export_from (NsCli *cli, NsTableId table, NsTableId opened, WriteFunc write_rows, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, table);
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsTrace) trace = NULL;

  if (!ns_cli_list_check (&list, error))
    return FALSE;
  trace = ns_cli_open_trace (cli, opened, error);
  if (trace == NULL)
    return FALSE;
  if (opened == NS_TABLE_EVENTS && cli->options.output != NULL &&
      !ns_export_etl_check_place (trace, cli->options.output, error))
    return FALSE;
  rows = ns_cli_list_choose (&list, trace, error);
  return rows != NULL && write_rows (trace,
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

static gboolean
export_har (NsCli *cli, GError **error)
{
  return export_from (cli,
                      NS_TABLE_ACTIVITIES,
                      cli->options.want_payload ? NS_TABLE_EVENTS : NS_TABLE_ACTIVITIES,
                      cli->options.want_payload ? ns_export_har_with_bodies : ns_export_har,
                      error);
}

static gboolean
export_pcapng (NsCli *cli, GError **error)
{
  return export_as (cli, NS_TABLE_PACKETS, ns_export_pcapng, error);
}

static gboolean
export_pcap (NsCli *cli, GError **error)
{
  return export_as (cli, NS_TABLE_PACKETS, ns_export_pcap, error);
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

  return ns_cli_list_check (&list, error) && ns_cli_report (cli, &list, FALSE, error);
}

/* What a colleague needs: a trace of the rows, the names in their stacks, notes, and the report. */
static gboolean
export_bundle (NsCli *cli, GError **error)
{
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);

  return ns_cli_list_check (&list, error) && ns_cli_report (cli, &list, TRUE, error);
}

static const Form forms[] = {
  { "csv", export_rows },      { "tsv", export_rows },          { "json", export_rows },
  { "jsonl", export_rows },    { "markdown", export_rows },     { "har", export_har },
  { "pcapng", export_pcapng }, { "pcap", export_pcap },         { "html", export_html },
  { "etl", export_etl },       { "perfetto", export_perfetto }, { "speedscope", export_speedscope },
  { "bundle", export_bundle },
};

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
          if (cli->options.want_redacted && forms[i].run != export_rows)
            return ns_trace_refuse_query (
                error,
                _ ("--redact is for csv, tsv, json, jsonl and markdown: %s holds what cannot be "
                   "told apart"),
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
