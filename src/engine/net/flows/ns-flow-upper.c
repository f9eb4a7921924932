/* HTTP/1 exchanges and DNS transactions as rows of the master table. They replace the row of their
 * connection: the first one gets its number, process and stacks, and the others copy them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-upper.h"

#include "base/ns-map.h"
#include "engine/build/ns-activities-row.h"
#include "engine/net/names/ns-host-names-private.h"
#include "engine/trace/ns-url.h"
#include "wire/ns-wire-dns.h"

#include <string.h>

/* Maximum time between the DNS client's event and the packet of one query. */
#define SAME_QUESTION_NS NS_PER_SECOND
/* A query without a response for this long is unanswered. */
#define NO_ANSWER_NS (5 * NS_PER_SECOND)
/* Maximum number of DNS rows compared for one query. */
#define MAX_LOOKS 64
#define ERROR_TIMEOUT 1460
#define PORT_HTTP 80

struct _NsFlowUpper
{
  NsBuilder *builder;
  const NsFlowFound *found;
  guint32 *exchanges; /* by conversation: index of its exchanges + 1 */
  guint32 *first;     /* by conversation: its first query, 1-based */
  guint32 *next;      /* by query: next query of the same conversation */
  NsRow *dns;         /* by query */
  NsBool *is_over;    /* by query: answered, or given up */
};

static const NsFlowQuestion *
question_at (const NsFlowUpper *self, guint number)
{
  return &g_array_index (self->found->questions, NsFlowQuestion, number - 1);
}

static NsFlowRow *
flow_at (const NsFlowUpper *self, NsRow flow)
{
  return NS_ROW_AT (self->builder->trace->flows, NsFlowRow, flow);
}

/* Newest query for the same name. */
typedef struct
{
  gint64 asked_ns; /* time of the last packet */
  NsIp server;
} Asked;

static guint64
key_of (const NsFlowUpper *self, const NsFlowQuestion *question)
{
  return (guint64) ns_host_names_lower (self->builder, question->name) << 16 | question->type;
}

/* Returns whether the query will not be answered: another server was asked later, or it was sent
 * too long ago. */
static gboolean
is_over (const NsFlowUpper *self, const NsFlowQuestion *question, const NsMap *asked)
{
  guint32 last = ns_map_get (asked, key_of (self, question), 0);
  const NsFlowQuestion *other;

  if (question->close_ns != NS_TIME_NONE)
    return TRUE;
  if (self->builder->trace->end_ns - question->last_ns >= NO_ANSWER_NS)
    return TRUE;
  if (last == 0)
    return FALSE;
  other = question_at (self, last);
  return other->last_ns > question->last_ns &&
         !ns_ip_equal (&flow_at (self, other->flow)->server.ip,
                       &flow_at (self, question->flow)->server.ip);
}

/* Writes the packet facts of a query into its row. */
static void
set_facts (NsTrace *trace, NsDnsRow *row, const NsFlowQuestion *question)
{
  g_autoptr (GString) rcode = g_string_new (NULL);

  row->flow = question->flow;
  row->n_retries = question->n_retries;
  row->is_cut = question->is_cut;
  row->is_over_tcp = question->is_tcp;
  row->rcode = NS_STRING_NONE;
  if (question->close_ns == NS_TIME_NONE)
    return;
  ns_wire_dns_append_rcode (question->rcode, rcode);
  row->rcode = ns_strings_add_len (trace->strings, rcode->str, rcode->len);
}

static gboolean
is_asked (const NsTrace *trace, const NsDnsRow *row, const char *server)
{
  guint i;

  if (row->server == NS_STRING_NONE && row->servers == NULL)
    return TRUE;
  if (row->server != NS_STRING_NONE && strcmp (ns_trace_text (trace, row->server), server) == 0)
    return TRUE;
  for (i = 0; row->servers != NULL && i < row->servers->len; i++)
    if (strcmp (ns_trace_text (trace, g_array_index (row->servers, NsDnsServer, i).address),
                server) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the row of the DNS client for the same query, or 0. */
static NsRow
find_row (const NsFlowUpper *self,
          const NsFlowQuestion *question,
          const NsMap *rows,
          const GArray *older)
{
  const NsTrace *trace = self->builder->trace;
  gint64 time_ns = question->open_ns != NS_TIME_NONE ? question->open_ns : question->close_ns;
  NsRow row = ns_map_get (rows, key_of (self, question), 0);
  char server[NS_IP_TEXT_SIZE];
  guint n_looks;

  ns_ip_to_text (&flow_at (self, question->flow)->server.ip, server);
  for (n_looks = 0; row != 0 && n_looks < MAX_LOOKS; n_looks++)
    {
      const NsDnsRow *dns = NS_ROW_AT (trace->dns, NsDnsRow, row);
      gint64 close_ns = ns_time_is_set (dns->close_ns) ? dns->close_ns : dns->open_ns;

      if (time_ns >= dns->open_ns - SAME_QUESTION_NS && time_ns <= close_ns + SAME_QUESTION_NS &&
          is_asked (trace, dns, server))
        return row;
      row = g_array_index (older, guint32, row - 1);
    }
  return 0;
}

/* Adds the name to its addresses from the response on, for processes without a better name. */
static void
learn_names (const NsFlowUpper *self, const NsFlowQuestion *question, NsRow row)
{
  NsNameObs obs = { .time_ns = question->close_ns,
                    .pid = flow_at (self, question->flow)->pid,
                    .name = question->name,
                    .dns = row };
  guint i;

  if (question->aliases != NULL)
    obs.alias = g_array_index (question->aliases, NsString, question->aliases->len - 1);
  for (i = 0; question->ips != NULL && i < question->ips->len; i++)
    {
      obs.ip = g_array_index (question->ips, NsIp, i);
      ns_host_names_observe (self->builder, &obs);
    }
}

static NsRow
add_row (const NsFlowUpper *self, const NsFlowQuestion *question, gboolean has_ended)
{
  NsTrace *trace = self->builder->trace;
  gboolean is_answered = question->close_ns != NS_TIME_NONE;
  NsDnsRow row = { .query = question->name,
                   .type = question->type,
                   .status = is_answered ? question->status
                             : has_ended ? ERROR_TIMEOUT
                                         : 0,
                   .has_status = has_ended != FALSE,
                   .source = NS_DNS_FROM_PACKET,
                   .pid = flow_at (self, question->flow)->pid,
                   .tid = NS_PID_UNKNOWN,
                   .open_ns = question->open_ns,
                   .close_ns = is_answered ? question->close_ns
                               : has_ended ? question->last_ns
                                           : NS_TIME_OPEN };
  char server[NS_IP_TEXT_SIZE];

  ns_ip_to_text (&flow_at (self, question->flow)->server.ip, server);
  row.server = ns_strings_add (trace->strings, server);
  if (question->ips != NULL)
    row.addresses = g_array_ref (question->ips);
  if (question->aliases != NULL)
    row.aliases = g_array_ref (question->aliases);
  set_facts (trace, &row, question);
  g_array_append_val (trace->dns, row);
  learn_names (self, question, trace->dns->len);
  return trace->dns->len;
}

/* Adds rows to the DNS table for queries that the DNS client has not reported. */
static void
add_questions (NsFlowUpper *self)
{
  NsTrace *trace = self->builder->trace;
  g_autoptr (NsMap) rows = ns_map_new ();
  g_autoptr (NsMap) asked = ns_map_new ();
  g_autoptr (GArray) older = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint i;

  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, i);
      guint64 key = (guint64) ns_host_names_lower (self->builder, dns->query) << 16 |
                    (dns->type & G_MAXUINT16);
      guint32 before = ns_map_swap (rows, key, 0, i + 1);

      g_array_append_val (older, before);
    }
  for (i = 0; i < self->found->questions->len; i++)
    ns_map_set (asked, key_of (self, question_at (self, i + 1)), 0, i + 1);
  for (i = 0; i < self->found->questions->len; i++)
    {
      const NsFlowQuestion *question = question_at (self, i + 1);
      NsRow row = find_row (self, question, rows, older);

      self->is_over[i] = is_over (self, question, asked);
      if (row != 0)
        {
          NsDnsRow *dns = NS_ROW_AT (trace->dns, NsDnsRow, row);

          if (dns->flow == 0 || (dns->is_cut && question->is_tcp))
            set_facts (trace, dns, question);
        }
      else
        row = add_row (self, question, self->is_over[i]);
      self->dns[i] = row;
    }
}

/**
 * ns_flow_upper_new: (skip)
 * @builder: the builder
 * @found: contents of its conversations; must outlive the result
 *
 * Adds the queries to the DNS table and learns names from their responses.
 *
 * Returns: (transfer full): exchanges and queries by flow
 */
NsFlowUpper *
ns_flow_upper_new (NsBuilder *builder, const NsFlowFound *found)
{
  NsFlowUpper *self = g_new0 (NsFlowUpper, 1);
  gsize n_flows = builder->trace->flows->len;
  guint i;

  self->builder = builder;
  self->found = found;
  self->exchanges = g_new0 (guint32, n_flows + 1);
  self->first = g_new0 (guint32, n_flows + 1);
  self->next = g_new0 (guint32, (gsize) found->questions->len + 1);
  self->dns = g_new0 (NsRow, (gsize) found->questions->len + 1);
  self->is_over = g_new0 (NsBool, (gsize) found->questions->len + 1);
  for (i = 0; i < found->exchanges->len; i++)
    self->exchanges[g_array_index (found->exchanges, NsFlowExchanges, i).flow] = i + 1;
  for (i = found->questions->len; i > 0; i--)
    {
      NsRow flow = question_at (self, i)->flow;

      self->next[i] = self->first[flow];
      self->first[flow] = i;
    }
  add_questions (self);
  return self;
}

/**
 * ns_flow_upper_free: (skip)
 * @self: (transfer full): exchanges and queries by flow
 */
void
ns_flow_upper_free (NsFlowUpper *self)
{
  g_free (self->exchanges);
  g_free (self->first);
  g_free (self->next);
  g_free (self->dns);
  g_free (self->is_over);
  g_free (self);
}

/* Initializes a row: a copy of the row of the connection, or a new one. */
static void
begin_row (NsFlowUpper *self, NsRow source, NsLayerSet layer, NsActivityRow *row)
{
  const NsTrace *trace = self->builder->trace;
  const NsFlowRow *flow = flow_at (self, source);

  if (flow->activity != 0)
    {
      *row = *NS_ROW_AT (trace->activities, NsActivityRow, flow->activity);
      row->failed = row->cancelled = FALSE;
      row->error = 0;
      row->error_family = NS_CODE_NONE;
      row->url = row->status = NS_STRING_NONE;
      row->http_status = 0;
      row->posted = NS_UNKNOWN;
    }
  else
    ns_flow_init_row (self->builder, row, source);
  row->phases = NULL;
  row->protocol = layer;
  row->layers |= layer;
  row->remote = &flow->server;
  row->local = &flow->client;
  row->flow = source;
}

/* Adds the row; the first one replaces the row of the connection. */
static void
end_row (NsFlowUpper *self, NsRow source, NsActivityRow *row, gboolean is_first)
{
  NsTrace *trace = self->builder->trace;
  NsFlowRow *flow = flow_at (self, source);

  if (is_first && flow->activity != 0)
    *NS_ROW_AT (trace->activities, NsActivityRow, flow->activity) = *row;
  else
    {
      NsRow number = ns_activities_append (self->builder, row);

      if (is_first)
        flow->activity = number;
    }
}

static char *
dup_url (const NsWireExchange *exchange, const NsFlowRow *flow)
{
  char server[NS_IP_TEXT_SIZE];
  const char *host = exchange->host;

  if (exchange->target == NULL || g_strcmp0 (exchange->method, "CONNECT") == 0)
    return NULL;
  if (strstr (exchange->target, "://") != NULL && exchange->target[0] != '/')
    return g_strdup (exchange->target);
  if (host == NULL || *host == '\0')
    host = flow->server.port == PORT_HTTP ? ns_ip_to_text (&flow->server.ip, server)
                                          : ns_endpoint_to_text (&flow->server, server);
  return g_strdup_printf ("http://%s%s", host, exchange->target[0] == '/' ? exchange->target : "");
}

static char *
dup_host (const NsWireExchange *exchange, const char *url)
{
  const char *host = exchange->host;
  g_autofree char *prefixed = NULL;
  char *server;

  if (g_strcmp0 (exchange->method, "CONNECT") == 0)
    host = exchange->target;
  if (host == NULL || *host == '\0')
    return NULL;
  prefixed = g_strconcat ("http://", host, "/", NULL);
  server = ns_url_get_server (url != NULL && exchange->target[0] != '/' ? url : prefixed);
  if (server == NULL)
    return NULL;
  host = server;
  server = g_ascii_strdown (server, -1);
  g_free ((char *) host);
  return server;
}

static void
set_server (NsFlowUpper *self, NsActivityRow *row, const char *host)
{
  NsNameAnswer answer = { 0 };

  if (host != NULL)
    {
      row->server = ns_strings_add (self->builder->trace->strings, host);
      row->server_alt = NS_STRING_NONE;
      row->name_inferred = FALSE;
      return;
    }
  if (row->server != NS_STRING_NONE)
    return;
  ns_host_names_resolve (self->builder,
                         row->pid,
                         NS_STRING_NONE,
                         &row->remote->ip,
                         row->open_ns,
                         &answer);
  row->server = answer.server;
  row->server_alt = answer.alt;
  row->name_inferred = answer.inferred;
  row->dns = answer.dns;
}

/* Sets the times; an exchange without a complete response ends with the connection. */
static void
set_times (NsActivityRow *row,
           const NsFlowRow *flow,
           const NsWireExchange *exchange,
           gboolean is_first)
{
  gint64 begin_ns = exchange->request_ns >= 0 ? exchange->request_ns : exchange->answer_ns;

  if (is_first)
    row->open_ns = flow->open_ns;
  else
    {
      row->open_ns = begin_ns;
      row->inferred = row->opened_before_trace = FALSE;
    }
  row->close_ns = exchange->is_answer_whole ? exchange->answer_end_ns : flow->close_ns;
  row->first_byte_ns = exchange->answer_ns >= 0 ? exchange->answer_ns : NS_TIME_NONE;
  row->reused = flow->start == NS_FLOW_START_MIDDLE ? -1 : !is_first;
}

static void
add_phases (NsFlowUpper *self,
            NsActivityRow *row,
            const NsFlowRow *flow,
            const NsWireExchange *exchange,
            gboolean is_first)
{
  NsPhases phases;

  ns_phases_init (&phases);
  if (is_first)
    ns_flow_add_phases (flow, row, &phases);
  if (exchange->request_ns >= 0 && exchange->request_end_ns > exchange->request_ns)
    ns_phases_add (&phases, NS_PHASE_SEND, exchange->request_ns, exchange->request_end_ns);
  if (exchange->request_ns >= 0 && exchange->answer_ns >= exchange->request_end_ns)
    ns_phases_add (&phases, NS_PHASE_WAIT, exchange->request_end_ns, exchange->answer_ns);
  if (exchange->answer_ns >= 0)
    ns_phases_add (&phases, NS_PHASE_RECEIVE, exchange->answer_ns, exchange->answer_end_ns);
  ns_flow_keep_phases (self->builder->trace, row, &phases);
}

static void
add_exchange (NsFlowUpper *self, NsRow source, const NsWireExchange *exchange, gboolean is_first)
{
  NsStrings *strings = self->builder->trace->strings;
  NsFlowRow *flow = flow_at (self, source);
  g_autofree char *url = dup_url (exchange, flow);
  g_autofree char *host = dup_host (exchange, url);
  NsActivityRow row;

  begin_row (self, source, NS_LAYER_HTTP, &row);
  set_times (&row, flow, exchange, is_first);
  set_server (self, &row, host);
  if (is_first)
    flow->server_name = row.server;
  row.method = exchange->method != NULL ? ns_strings_add (strings, exchange->method) : 0;
  if (url != NULL)
    row.url = ns_url_mask (self->builder->trace, ns_strings_add (strings, url));
  if (exchange->status_line != NULL)
    row.status = ns_strings_add (strings, exchange->status_line);
  row.http_status = exchange->status;
  row.sent = exchange->sent;
  row.received = exchange->received;
  add_phases (self, &row, flow, exchange, is_first);
  if (!exchange->is_answer_whole && flow->end != NS_FLOW_END_FIN)
    ns_activities_set_error (&row, ns_flow_get_error (flow), NS_CODE_WIN32);
  if (exchange->status >= 400)
    row.failed = TRUE;
  end_row (self, source, &row, is_first);
}

static void
add_question (NsFlowUpper *self, guint number, gboolean is_first)
{
  NsTrace *trace = self->builder->trace;
  const NsFlowQuestion *question = question_at (self, number);
  NsFlowRow *flow = flow_at (self, question->flow);
  const NsDnsRow *dns = NS_ROW_AT (trace->dns, NsDnsRow, self->dns[number - 1]);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_answered = question->close_ns != NS_TIME_NONE;
  NsActivityRow row;
  NsPhases phases;

  begin_row (self, question->flow, NS_LAYER_DNS, &row);
  row.dns = self->dns[number - 1];
  row.server = question->name;
  row.server_alt = NS_STRING_NONE;
  row.name_inferred = FALSE;
  if (dns->pid != NS_PID_UNKNOWN)
    row.pid = dns->pid;
  ns_wire_dns_append_type (question->type, text);
  row.method = ns_strings_add (trace->strings, text->str);
  row.sent = question->sent;
  row.received = question->received;
  row.inferred = row.opened_before_trace = question->open_ns == NS_TIME_NONE;
  row.open_ns = row.inferred ? question->close_ns : question->open_ns;
  row.close_ns = is_answered                 ? question->close_ns
                 : self->is_over[number - 1] ? question->last_ns
                                             : NS_TIME_OPEN;
  row.first_byte_ns = NS_TIME_NONE;
  g_string_truncate (text, 0);
  if (is_answered)
    ns_wire_dns_append_rcode (question->rcode, text);
  else if (ns_time_is_set (row.close_ns))
    g_string_append (text, "no answer");
  if (text->len > 0)
    row.status = ns_strings_add (trace->strings, text->str);
  if (is_answered && question->rcode != 0)
    ns_activities_set_error (&row, question->status, NS_CODE_WIN32);
  else if (!is_answered && ns_time_is_set (row.close_ns))
    ns_activities_set_error (&row, ERROR_TIMEOUT, NS_CODE_WIN32);
  ns_phases_init (&phases);
  if (is_answered && !row.inferred)
    ns_phases_add (&phases, NS_PHASE_DNS, row.open_ns, row.close_ns);
  ns_flow_keep_phases (trace, &row, &phases);
  end_row (self, question->flow, &row, is_first);
  if (is_first)
    flow->server_name = NS_STRING_NONE;
}

/**
 * ns_flow_upper_add_rows: (skip)
 * @self: exchanges and queries by flow
 * @flow: a conversation
 *
 * Adds a row for each exchange and query; the first one replaces the row of the conversation, if
 * there is one.
 *
 * Returns: whether rows were added
 */
gboolean
ns_flow_upper_add_rows (NsFlowUpper *self, NsRow flow)
{
  guint place = self->exchanges[flow];
  guint number;
  guint i;

  if (place != 0)
    {
      const GArray *exchanges = ns_wire_exchanges_get (
          g_array_index (self->found->exchanges, NsFlowExchanges, place - 1).http);

      for (i = 0; i < exchanges->len; i++)
        add_exchange (self, flow, &g_array_index (exchanges, NsWireExchange, i), i == 0);
      return exchanges->len > 0;
    }
  for (number = self->first[flow], i = 0; number != 0; number = self->next[number], i++)
    add_question (self, number, i == 0);
  return i > 0;
}
