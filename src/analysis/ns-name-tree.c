/* The tree of a name resolution: queried servers, responses, and the address used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-name-tree.h"

#include "base/ns-map.h"
#include "query/ns-field-code.h"

struct _NsNameTree
{
  const NsTrace *trace;
  NsRow *question;  /* by row: first row with the same name and process */
  NsRow *first_tcp; /* by such a row: its first connection */
  NsRow *next_tcp;  /* by connection: next one of the same query */
  NsRow *first_socket;
  NsRow *next_socket;
};

/* Returns the name of a kind in outputs, which does not change. */
const char *
ns_name_line_kind_to_text (NsNameLineKind kind)
{
  static const char *const names[] = { "name", "server", "address" };

  return names[kind];
}

/* Returns the name of a state in outputs, which does not change; %NULL: no state. */
const char *
ns_name_state_to_text (NsNameState state)
{
  static const char *const names[] = { NULL,       "listed", "silent", "timed out",
                                       "answered", "tried",  "failed", "connected" };

  return names[state];
}

static gint64
get_span (gint64 begin_ns, gint64 end_ns)
{
  return ns_time_is_set (begin_ns) && ns_time_is_set (end_ns) ? end_ns - begin_ns : NS_UNKNOWN;
}

static gint64
get_time (gint64 time_ns)
{
  return ns_time_is_set (time_ns) ? time_ns : NS_UNKNOWN;
}

static void
add_name (const NsNameTree *self, NsRow row, const NsDnsRow *dns, GArray *lines)
{
  NsNameLine line = { .dns = row, .kind = NS_NAME_LINE_NAME };
  const char *process = ns_trace_get_process_name (self->trace, dns->pid, dns->open_ns);

  line.text = g_strdup (ns_trace_text (self->trace, dns->query));
  line.note = ns_field_dns_type_to_text (dns->type);
  line.status = dns->has_status ? ns_field_code_to_words (NS_CODE_DNS, dns->status)
                                : g_strdup (ns_dns_source_to_text (dns->source));
  if (dns->pid != NS_PID_UNKNOWN)
    line.process = g_strdup_printf ("%s (%u)", process != NULL ? process : "?", dns->pid);
  line.open_ns = get_time (dns->open_ns);
  line.span_ns = get_span (dns->open_ns, dns->close_ns);
  g_array_append_val (lines, line);
}

static void
add_server (const NsNameTree *self, NsRow row, const NsDnsServer *server, GArray *lines)
{
  NsNameLine line = { .dns = row, .kind = NS_NAME_LINE_SERVER };
  gboolean has_answered = server->answered_ns != NS_TIME_NONE;

  line.text = g_strdup (ns_trace_text (self->trace, server->address));
  line.note =
      server->adapter > NS_STRING_EMPTY ? ns_trace_text (self->trace, server->adapter) : NULL;
  line.state = has_answered                           ? NS_NAME_STATE_ANSWERED
               : server->timed_out_ns != NS_TIME_NONE ? NS_NAME_STATE_TIMED_OUT
               : server->asked_ns != NS_TIME_NONE     ? NS_NAME_STATE_SILENT
                                                      : NS_NAME_STATE_LISTED;
  line.open_ns = get_time (server->asked_ns);
  line.span_ns =
      get_span (server->asked_ns, has_answered ? server->answered_ns : server->timed_out_ns);
  g_array_append_val (lines, line);
}

/* Returns the outcome of a connect; unknown while it is pending. */
static NsNameState
get_outcome (const NsTcpRow *tcp)
{
  if (tcp->state == NS_TCP_CONNECT_FAIL)
    return NS_NAME_STATE_FAILED;
  return tcp->state == NS_TCP_CONNECT_REQUEST ? NS_NAME_STATE_TRIED : NS_NAME_STATE_CONNECTED;
}

/* Returns whether both rows belong to one query: the DNS client and its caller each have a row,
 * at the same time. */
static gboolean
is_same_question (const NsNameTree *self, NsRow row, NsRow other)
{
  const NsDnsRow *a = NS_ROW_AT (self->trace->dns, NsDnsRow, row);
  const NsDnsRow *b = NS_ROW_AT (self->trace->dns, NsDnsRow, other);

  return row == other || (a->open_ns <= b->close_ns && b->open_ns <= a->close_ns);
}

/* Finds the first successful connection to an address, else a failed one. */
static void
look_up_connection (const NsNameTree *self, NsRow row, const NsIp *ip, NsNameLine *line)
{
  NsRow i;

  for (i = self->first_tcp[self->question[row]]; i != 0; i = self->next_tcp[i])
    {
      const NsTcpRow *tcp = NS_ROW_AT (self->trace->tcp, NsTcpRow, i);

      if (tcp->is_udp || !is_same_question (self, row, tcp->dns) ||
          !ns_ip_equal (&tcp->remote->ip, ip) || line->state >= get_outcome (tcp))
        continue;
      line->tcp = i;
      line->state = get_outcome (tcp);
      line->open_ns = get_time (tcp->open_ns);
      if (line->state == NS_NAME_STATE_CONNECTED)
        return;
    }
}

/* Finds a socket to the address, if TCP was not recorded. */
static void
look_up_socket (const NsNameTree *self, NsRow row, const NsIp *ip, NsNameLine *line)
{
  NsRow i;

  for (i = self->first_socket[self->question[row]]; i != 0; i = self->next_socket[i])
    {
      const NsWinsockRow *socket = NS_ROW_AT (self->trace->winsock, NsWinsockRow, i);

      if (socket->socket_type != 1 || !is_same_question (self, row, socket->dns) ||
          socket->tcp != 0 || !ns_ip_equal (&socket->remote->ip, ip))
        continue;
      /* Received bytes prove a connection; the status of the connect may still be “pending”. */
      line->state = socket->received > 0  ? NS_NAME_STATE_CONNECTED
                    : socket->status != 0 ? NS_NAME_STATE_FAILED
                                          : NS_NAME_STATE_TRIED;
      line->winsock = i;
      line->open_ns = get_time (socket->connect_ns);
      if (socket->received > 0)
        return;
    }
}

static void
add_address (const NsNameTree *self, NsRow row, const NsIp *ip, GArray *lines)
{
  char text[NS_IP_TEXT_SIZE];
  NsNameLine line = { .dns = row,
                      .kind = NS_NAME_LINE_ADDRESS,
                      .open_ns = NS_UNKNOWN,
                      .span_ns = NS_UNKNOWN };

  line.text = g_strdup (ns_ip_to_text (ip, text));
  look_up_connection (self, row, ip, &line);
  if (line.tcp == 0)
    look_up_socket (self, row, ip, &line);
  g_array_append_val (lines, line);
}

static void
index_questions (NsNameTree *self)
{
  NsMap *questions = ns_map_new ();
  guint i;

  for (i = 1; i <= self->trace->dns->len; i++)
    {
      const NsDnsRow *dns = NS_ROW_AT (self->trace->dns, NsDnsRow, i);

      self->question[i] = ns_map_get (questions, dns->query, dns->pid);
      if (self->question[i] == 0)
        ns_map_set (questions, dns->query, dns->pid, self->question[i] = i);
    }
  ns_map_free (questions);
}

/**
 * ns_name_tree_new:
 * @trace: a trace, which must outlive the tree
 *
 * Indexes the processes that looked up each name. Takes time proportional to the number of rows, so
 * it must not be called on the main thread.
 *
 * Returns: (transfer full): the tree, immutable
 */
NsNameTree *
ns_name_tree_new (const NsTrace *trace)
{
  NsNameTree *self = g_new0 (NsNameTree, 1);
  guint i;

  self->trace = trace;
  self->question = g_new0 (NsRow, trace->dns->len + 1);
  self->first_tcp = g_new0 (NsRow, trace->dns->len + 1);
  self->next_tcp = g_new0 (NsRow, trace->tcp->len + 1);
  self->first_socket = g_new0 (NsRow, trace->dns->len + 1);
  self->next_socket = g_new0 (NsRow, trace->winsock->len + 1);
  index_questions (self);
  for (i = trace->tcp->len; i > 0; i--)
    {
      NsRow dns = self->question[NS_ROW_AT (trace->tcp, NsTcpRow, i)->dns];

      self->next_tcp[i] = self->first_tcp[dns];
      self->first_tcp[dns] = i;
    }
  for (i = trace->winsock->len; i > 0; i--)
    {
      NsRow dns = self->question[NS_ROW_AT (trace->winsock, NsWinsockRow, i)->dns];

      self->next_socket[i] = self->first_socket[dns];
      self->first_socket[dns] = i;
    }
  return self;
}

/**
 * ns_name_tree_free:
 * @self: (transfer full): a tree
 */
void
ns_name_tree_free (NsNameTree *self)
{
  g_free (self->question);
  g_free (self->first_tcp);
  g_free (self->next_tcp);
  g_free (self->first_socket);
  g_free (self->next_socket);
  g_free (self);
}

static void
line_clear (gpointer data)
{
  NsNameLine *line = data;

  g_clear_pointer (&line->text, g_free);
  g_clear_pointer (&line->status, g_free);
  g_clear_pointer (&line->process, g_free);
}

/**
 * ns_name_tree_list:
 * @self: a tree
 * @row: row of the table of names, 1-based
 *
 * Returns: (transfer full) (element-type NsNameLine): the name, then its servers in order of first
 *   mention, then its addresses in the order of the response
 */
GArray *
ns_name_tree_list (const NsNameTree *self, NsRow row)
{
  const NsDnsRow *dns = NS_ROW_AT (self->trace->dns, NsDnsRow, row);
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (NsNameLine));
  guint i;

  g_array_set_clear_func (lines, line_clear);
  add_name (self, row, dns, lines);
  for (i = 0; dns->servers != NULL && i < dns->servers->len; i++)
    add_server (self, row, &g_array_index (dns->servers, NsDnsServer, i), lines);
  for (i = 0; dns->addresses != NULL && i < dns->addresses->len; i++)
    add_address (self, row, &g_array_index (dns->addresses, NsIp, i), lines);
  return lines;
}
