/* `report --audit`: bytes, times and calling code by process and peer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-audit.h"
#include "cli/ns-cli-list.h"
#include "cli/ns-cli-rows.h"
#include "cli/ns-cli.h"
#include "export/ns-export-cell.h"

#include <glib/gi18n-lib.h>

static const char *const columns[] = { "kind",     "process",  "pid",      "host",    "port",
                                       "protocol", "code",     "hosts",    "rows",    "failed",
                                       "sent",     "received", "first_ns", "last_ns", NULL };

static void
add_time (NsCliRows *out, gint64 time_ns)
{
  if (ns_time_is_set (time_ns))
    ns_cli_rows_add_number (out, (guint64) time_ns);
  else
    ns_cli_rows_add_null (out);
}

static void
add_text (NsCliRows *out, const char *text)
{
  if (text != NULL)
    ns_cli_rows_add_text (out, text);
  else
    ns_cli_rows_add_null (out);
}

static gboolean
print_row (NsCliRows *out, const NsAuditLine *line, GError **error)
{
  g_autofree char *layers = ns_audit_dup_layers (line);

  ns_cli_rows_add_text (out, line->is_process ? "process" : "host");
  add_text (out, line->name);
  if (line->pid != NS_PID_UNKNOWN)
    ns_cli_rows_add_number (out, line->pid);
  else
    ns_cli_rows_add_null (out);
  add_text (out, line->host);
  if (line->port != 0)
    ns_cli_rows_add_number (out, line->port);
  else
    ns_cli_rows_add_null (out);
  ns_cli_rows_add_text (out, layers);
  add_text (out, line->code);
  if (line->is_process)
    ns_cli_rows_add_number (out, line->n_hosts);
  else
    ns_cli_rows_add_null (out);
  ns_cli_rows_add_number (out, line->n_rows);
  ns_cli_rows_add_number (out, line->n_failed);
  ns_cli_rows_add_number (out, line->sent);
  ns_cli_rows_add_number (out, line->received);
  add_time (out, line->open_ns);
  add_time (out, line->close_ns);
  return ns_cli_rows_end_row (out, error);
}

static void
append_seconds (GString *text, gint64 time_ns)
{
  if (ns_time_is_set (time_ns))
    g_string_append_printf (text, "%.3f s", (double) time_ns / 1e9);
  else
    g_string_append_c (text, '?');
}

static void
append_sums (GString *text, const NsAuditLine *line)
{
  g_string_append_printf (text,
                          "  rows %u (failed %u)  sent %" G_GUINT64_FORMAT
                          "  received %" G_GUINT64_FORMAT "  ",
                          line->n_rows,
                          line->n_failed,
                          line->sent,
                          line->received);
  append_seconds (text, line->open_ns);
  g_string_append (text, " to ");
  append_seconds (text, line->close_ns);
  if (line->code != NULL)
    {
      g_string_append (text, "  by ");
      ns_export_cell_append_plain (text, line->code);
    }
  g_string_append_c (text, '\n');
}

static gboolean
print_line (NsCli *cli, const NsAuditLine *line, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (line->is_process)
    {
      g_autofree char *process = ns_audit_dup_process (line);

      ns_export_cell_append_plain (text, process);
      g_string_append_printf (text, "  hosts %u", line->n_hosts);
    }
  else
    {
      g_autofree char *layers = ns_audit_dup_layers (line);

      g_string_append (text, "  ");
      ns_export_cell_append_plain (text, line->host != NULL ? line->host : "?");
      if (line->port != 0)
        g_string_append_printf (text, "  port %u", line->port);
      g_string_append_printf (text, "  %s", layers);
    }
  append_sums (text, line);
  return ns_cli_write (text->str, text->len, cli, error);
}

static gboolean
print_audit (NsCli *cli, const NsAudit *audit, NsExportFormat format, GError **error)
{
  g_autoptr (NsCliRows) out = format != NS_EXPORT_TEXT
                                  ? ns_cli_rows_new (cli->view, format, columns, ns_cli_write, cli)
                                  : NULL;
  guint i;

  for (i = 0; i < ns_audit_get_n_lines (audit); i++)
    {
      const NsAuditLine *line = ns_audit_get_line (audit, i);

      if (!(out != NULL ? print_row (out, line, error) : print_line (cli, line, error)))
        return FALSE;
    }
  return out == NULL || ns_cli_rows_finish (out, FALSE, error);
}

/* Explains an empty report. */
static void
report_why_empty (const NsTrace *trace)
{
  g_autofree char *why = NULL;

  if (ns_trace_get_n_rows (trace, NS_TABLE_ACTIVITIES) > 0)
    {
      ns_cli_print_message (
          _ ("no network operation matches the filter and the span; without them there are some"));
      return;
    }
  why = ns_table_describe_empty (trace, NS_TABLE_ACTIVITIES, NULL);
  ns_cli_print_message (why);
}

/**
 * ns_cli_report_audit:
 * @cli: the parsed command line
 * @error: return location
 *
 * Sums rows of the master table up by process and peer, and prints the result.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_report_audit (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GArray) rows = NULL;
  g_autoptr (NsAudit) audit = NULL;
  NsExportFormat format;

  if (options->columns != NULL)
    {
      g_set_error_literal (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_QUERY,
                           _ ("this report does not support column selection"));
      return FALSE;
    }
  if (!ns_cli_rows_get_format (cli, &format, error) || !ns_cli_list_check (&list, error))
    return FALSE;
  trace = ns_cli_open_trace (cli, NS_TABLE_ACTIVITIES, error);
  if (trace == NULL)
    return FALSE;
  rows = ns_cli_list_choose (&list, trace, error);
  if (rows == NULL)
    return FALSE;
  if (rows->len == 0)
    report_why_empty (trace);
  audit = ns_audit_new (trace, (const guint32 *) (gpointer) rows->data, rows->len, NULL, NULL);
  return print_audit (cli, audit, format, error);
}
