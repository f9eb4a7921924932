/* The verb `dns`: names, and with --tree who was asked for them, what came, and what was used of
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "cli/ns-cli-list.h"
#include "cli/ns-cli-rows.h"
#include "cli/ns-cli.h"
#include "engine/ns-name-servers.h"
#include "export/ns-export-cell.h"
#include "query/ns-field-code.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char *const columns[] = { "dns",     "kind",    "text",        "type", "state",
                                       "process", "open_ns", "duration_ns", "tcp",  NULL };

/* One line of the tree; times and rows that are not known are negative and 0. */
typedef struct
{
  NsRow dns;
  const char *kind;
  const char *text;
  const char *type;
  const char *state;
  const char *process;
  gint64 open_ns;
  gint64 span_ns;
  NsRow tcp;
} Line;

typedef struct
{
  NsCli *cli;
  const NsTrace *trace;
  const GArray *servers; /* NsNameServer, by row */
  GHashTable *first;     /* row → number of its first server, from 1 */
  NsRow *question;       /* by row: the first row of the same name and process */
  NsRow *first_tcp;      /* by such a row: its first connection */
  NsRow *next_tcp;       /* by connection: the next one of the same question */
  NsRow *first_socket;
  NsRow *next_socket;
  NsCliRows *rows; /* NULL: as text */
  GError **error;
} Printer;

static void
add_time (NsCliRows *rows, gint64 time_ns)
{
  if (time_ns < 0)
    ns_cli_rows_add_null (rows);
  else
    ns_cli_rows_add_number (rows, (guint64) time_ns);
}

static void
add_text (NsCliRows *rows, const char *text)
{
  if (text == NULL)
    ns_cli_rows_add_null (rows);
  else
    ns_cli_rows_add_text (rows, text);
}

static gboolean
print_row (Printer *self, const Line *line)
{
  ns_cli_rows_add_number (self->rows, line->dns);
  ns_cli_rows_add_text (self->rows, line->kind);
  add_text (self->rows, line->text);
  add_text (self->rows, line->type);
  add_text (self->rows, line->state);
  add_text (self->rows, line->process);
  add_time (self->rows, line->open_ns);
  add_time (self->rows, line->span_ns);
  if (line->tcp == 0)
    ns_cli_rows_add_null (self->rows);
  else
    ns_cli_rows_add_number (self->rows, line->tcp);
  return ns_cli_rows_end_row (self->rows, self->error);
}

static void
append_cell (GString *text, const char *cell)
{
  if (cell == NULL || cell[0] == '\0')
    return;
  g_string_append (text, "  ");
  ns_export_cell_append_plain (text, cell);
}

static gboolean
print_line (Printer *self, const Line *line)
{
  gboolean is_name = strcmp (line->kind, "name") == 0;
  g_autoptr (GString) text = g_string_new (is_name ? NULL : "  ");

  if (!is_name)
    g_string_append_printf (text, "%-8s", line->kind);
  ns_export_cell_append_plain (text, line->text != NULL ? line->text : "?");
  append_cell (text, line->type);
  append_cell (text, line->state);
  if (line->span_ns >= 0)
    g_string_append_printf (text, "  %.3f ms", (double) line->span_ns / 1e6);
  append_cell (text, line->process);
  if (line->tcp != 0)
    g_string_append_printf (text, "  tcp %u", line->tcp);
  g_string_append_c (text, '\n');
  return ns_cli_write (text->str, text->len, self->cli, self->error);
}

static gboolean
print (Printer *self, const Line *line)
{
  return self->rows != NULL ? print_row (self, line) : print_line (self, line);
}

static gint64
get_span (gint64 begin_ns, gint64 end_ns)
{
  return ns_time_is_set (begin_ns) && ns_time_is_set (end_ns) ? end_ns - begin_ns : NS_UNKNOWN;
}

static gboolean
print_name (Printer *self, NsRow row, const NsDnsRow *dns)
{
  Line line = { .dns = row, .kind = "name" };
  const char *process = ns_trace_get_process_name (self->trace, dns->pid, dns->open_ns);
  g_autofree char *who = NULL;
  g_autofree char *status = NULL;

  if (dns->pid != NS_PID_UNKNOWN)
    who = g_strdup_printf ("%s (%u)", process != NULL ? process : "?", dns->pid);
  if (dns->has_status)
    status = ns_field_code_to_words (NS_CODE_DNS, dns->status);
  line.text = ns_trace_text (self->trace, dns->query);
  line.type = ns_field_dns_type_to_text (dns->type);
  line.state = status != NULL ? status : dns->source;
  line.process = who;
  line.open_ns = ns_time_is_set (dns->open_ns) ? dns->open_ns : NS_UNKNOWN;
  line.span_ns = get_span (dns->open_ns, dns->close_ns);
  return print (self, &line);
}

static gboolean
print_servers (Printer *self, NsRow row)
{
  guint i = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, GUINT_TO_POINTER (row)));

  for (; i != 0 && i <= self->servers->len; i++)
    {
      const NsNameServer *server = &g_array_index (self->servers, NsNameServer, i - 1);
      gboolean has_answered = server->answered_ns != NS_TIME_NONE;
      Line line = { .dns = row, .kind = "server", .text = server->address };

      if (server->dns != row)
        break;
      line.state = has_answered                           ? "answered"
                   : server->timed_out_ns != NS_TIME_NONE ? "timed out"
                                                          : "silent";
      line.open_ns = server->asked_ns != NS_TIME_NONE ? server->asked_ns : NS_UNKNOWN;
      line.span_ns =
          get_span (server->asked_ns, has_answered ? server->answered_ns : server->timed_out_ns);
      if (!print (self, &line))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_up (const NsTcpRow *tcp)
{
  return tcp->state == NULL ||
         (strcmp (tcp->state, "Connect_Fail") != 0 && strcmp (tcp->state, "Connect_Request") != 0);
}

/* Whether a connection that stands on another row stands on this one, too: the DNS client and who
 * called it tell of one question in a row each, at the same time. */
static gboolean
is_same_question (const Printer *self, NsRow row, NsRow other)
{
  const NsDnsRow *a = &g_array_index (self->trace->dns, NsDnsRow, row - 1);
  const NsDnsRow *b = &g_array_index (self->trace->dns, NsDnsRow, other - 1);

  return row == other || (a->open_ns <= b->close_ns && b->open_ns <= a->close_ns);
}

/* What became of an answer: the first connection that was made to it, or else one that failed. */
static void
look_up_address (const Printer *self, NsRow row, const NsIp *ip, Line *line)
{
  const NsTrace *trace = self->trace;
  NsRow i;

  for (i = self->first_tcp[self->question[row]]; i != 0; i = self->next_tcp[i])
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i - 1);

      if (tcp->is_udp || !is_same_question (self, row, tcp->dns) ||
          !ns_ip_equal (&tcp->remote.ip, ip) || (line->tcp != 0 && !is_up (tcp)))
        continue;
      line->tcp = i;
      line->state = is_up (tcp) ? "connected" : "failed";
      line->open_ns = ns_time_is_set (tcp->open_ns) ? tcp->open_ns : NS_UNKNOWN;
      if (is_up (tcp))
        return;
    }
  for (i = self->first_socket[self->question[row]]; i != 0 && line->tcp == 0;
       i = self->next_socket[i])
    {
      const NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i - 1);

      if (socket->socket_type != 1 || !is_same_question (self, row, socket->dns) ||
          socket->tcp != 0 || !ns_ip_equal (&socket->remote.ip, ip))
        continue;
      /* Bytes came over it; the status of a connect may be “pending” for good. */
      line->state = socket->received > 0 ? "connected" : socket->status != 0 ? "failed" : "tried";
      line->open_ns = ns_time_is_set (socket->connect_ns) ? socket->connect_ns : NS_UNKNOWN;
      if (socket->received > 0)
        return;
    }
}

static gboolean
print_answers (Printer *self, NsRow row, const NsDnsRow *dns)
{
  guint n = dns->addresses != NULL ? dns->addresses->len : 0;
  guint i;

  for (i = 0; i < n; i++)
    {
      const NsIp *ip = &g_array_index (dns->addresses, NsIp, i);
      char text[NS_IP_TEXT_SIZE];
      Line line = { .dns = row, .kind = "address", .open_ns = NS_UNKNOWN, .span_ns = NS_UNKNOWN };

      line.text = ns_ip_to_text (ip, text);
      look_up_address (self, row, ip, &line);
      if (!print (self, &line))
        return FALSE;
    }
  return TRUE;
}

/* What stands on each name, in order of the tables. */
static void
index_names (Printer *self)
{
  const NsTrace *trace = self->trace;
  NsMap *questions = ns_map_new ();
  guint i;

  for (i = self->servers->len; i > 0; i--)
    g_hash_table_insert (self->first,
                         GUINT_TO_POINTER (g_array_index (self->servers, NsNameServer, i - 1).dns),
                         GUINT_TO_POINTER (i));
  self->question = g_new0 (NsRow, trace->dns->len + 1);
  for (i = 1; i <= trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i - 1);

      self->question[i] = ns_map_get (questions, dns->query, dns->pid);
      if (self->question[i] == 0)
        ns_map_set (questions, dns->query, dns->pid, self->question[i] = i);
    }
  ns_map_free (questions);
  self->first_tcp = g_new0 (NsRow, trace->dns->len + 1);
  self->next_tcp = g_new0 (NsRow, trace->tcp->len + 1);
  self->first_socket = g_new0 (NsRow, trace->dns->len + 1);
  self->next_socket = g_new0 (NsRow, trace->winsock->len + 1);
  for (i = trace->tcp->len; i > 0; i--)
    {
      NsRow dns = self->question[g_array_index (trace->tcp, NsTcpRow, i - 1).dns];

      self->next_tcp[i] = self->first_tcp[dns];
      self->first_tcp[dns] = i;
    }
  for (i = trace->winsock->len; i > 0; i--)
    {
      NsRow dns = self->question[g_array_index (trace->winsock, NsWinsockRow, i - 1).dns];

      self->next_socket[i] = self->first_socket[dns];
      self->first_socket[dns] = i;
    }
}

static void
printer_clear (Printer *self)
{
  g_clear_pointer (&self->first, g_hash_table_unref);
  g_clear_pointer (&self->question, g_free);
  g_clear_pointer (&self->first_tcp, g_free);
  g_clear_pointer (&self->next_tcp, g_free);
  g_clear_pointer (&self->first_socket, g_free);
  g_clear_pointer (&self->next_socket, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Printer, printer_clear)

static gboolean
print_tree (NsCli *cli,
            const NsTrace *trace,
            const GArray *rows,
            NsExportFormat format,
            GError **error)
{
  g_autoptr (GArray) servers = ns_name_servers_read (trace, ns_cli_progress, cli, error);
  g_autoptr (NsCliRows) table = NULL;
  g_auto (Printer) printer = { .cli = cli, .trace = trace, .servers = servers, .error = error };
  guint i;

  if (servers == NULL)
    return FALSE;
  printer.first = g_hash_table_new (NULL, NULL);
  index_names (&printer);
  if (format != NS_EXPORT_TEXT)
    printer.rows = table = ns_cli_rows_new (format, columns, ns_cli_write, cli);
  for (i = 0; i < rows->len; i++)
    {
      NsRow row = g_array_index (rows, guint32, i) + 1;
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, row - 1);

      if (!print_name (&printer, row, dns) || !print_servers (&printer, row) ||
          !print_answers (&printer, row, dns))
        return FALSE;
    }
  return table == NULL || ns_cli_rows_finish (table, FALSE, error);
}

/**
 * ns_cli_names:
 * @cli: what was asked
 * @error: return location
 *
 * Lists names, or draws the tree of each: servers, answers, and which of these was connected to.
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_names (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = { .table = NS_TABLE_DNS,
                     .filter = options->filter,
                     .sort = options->sort,
                     .rows = options->rows,
                     .from = options->from,
                     .to = options->to,
                     .limit = options->limit,
                     .offset = options->offset };
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GArray) rows = NULL;
  NsExportFormat format;

  if (!options->want_tree)
    return ns_cli_print_table (cli, NS_TABLE_DNS, options->format, error);
  if (options->columns != NULL || options->group_by != NULL)
    {
      g_set_error_literal (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_QUERY,
                           _ ("a tree has no columns and no groups to choose"));
      return FALSE;
    }
  if (!ns_cli_rows_get_format (cli, &format, error) || !ns_cli_list_check (&list, error))
    return FALSE;
  trace = ns_cli_open_trace (cli, NS_TABLE_DNS, error);
  if (trace == NULL)
    return FALSE;
  rows = ns_cli_list_choose (&list, trace, error);
  return rows != NULL && print_tree (cli, trace, rows, format, error);
}
