/* Rules about aborted connections: D12, D14, D40.
 *
 * The rules use the records of the end itself: after a reset or a timeout the connection is often
 * never closed. TCPIP, the socket's calls and the requests above may all record the same end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define STATUS_RESET 0xc000020d
#define STATUS_TIMEOUT 0xc00000b5
#define WSAECONNRESET 10054
#define CONNECTION_ERROR 12030
/* Maximum distance of the records in which several layers report one end. */
#define SAME_END_NS NS_PER_SECOND
#define MIN_IDLE_RETRANSMITS(self) ns_findings_limit (self, NS_THRESHOLD_D40_AGAIN)
#define NO_EVENT G_MAXUINT32

typedef enum
{
  END_RESET,
  END_TIMEOUT,
} EndKind;

/* One aborted connection, as one layer reports it. */
typedef struct
{
  EndKind kind;
  guint32 pid;
  NsRow tcp;
  NsRow winsock;
  NsRow activity;
  NsString server;
  const NsEndpoint *remote;
  gint64 opened_ns; /* time of the first packet; 0: not captured */
  gint64 begin_ns;  /* start of the failed call, or of the silence of the peer; 0: none */
  gint64 time_ns;
  guint32 event;
  NsFindingRef ref;
  gboolean is_unanswered;
  gboolean is_requested; /* a request was in progress */
  gint64 idle_ns;        /* pause before the last data was sent */
  gint64 resumed_ns;
  gboolean is_last; /* the next element is the end of another connection */
} End;

static gboolean
is_established (const NsTcpRow *tcp)
{
  return !tcp->is_udp && tcp->state != NS_TCP_CONNECT_FAIL && tcp->state != NS_TCP_CONNECT_REQUEST;
}

/* Returns, by TCP row, whether the connection was never established; (transfer full). */
static gboolean *
list_failed (const NsFindings *self)
{
  gboolean *failed = g_new0 (gboolean, self->trace->tcp->len + 1);
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);

      if (attempt->table == NS_TABLE_TCP && attempt->end != NS_ATTEMPT_OK)
        failed[attempt->row] = TRUE;
    }
  return failed;
}

static gboolean
get_kind (guint32 status, EndKind *kind)
{
  *kind = status == STATUS_TIMEOUT ? END_TIMEOUT : END_RESET;
  return status == STATUS_TIMEOUT || status == STATUS_RESET;
}

static gboolean
get_sign_kind (const NsSign *sign, EndKind *kind)
{
  switch (sign->id)
    {
    case 1184:
      *kind = END_RESET;
      return TRUE;
    case 1046:
    case 1047:
    case 1048:
      *kind = END_TIMEOUT;
      return TRUE;
    case 1039:
    case 1044:
      return get_kind ((guint32) sign->value, kind);
    default:
      return FALSE;
    }
}

static void
fill_from_tcp (const NsTrace *trace, End *end)
{
  const NsTcpRow *tcp = NS_ROW_AT (trace->tcp, NsTcpRow, end->tcp);

  end->remote = tcp->remote;
  end->server = tcp->server;
  end->activity = tcp->activity;
  end->idle_ns = tcp->extra->idle_ns;
  end->resumed_ns = tcp->extra->resumed_ns;
}

static void
add_signs (NsFindings *self, const gboolean *failed, GArray *ends, gboolean *is_reported)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsTcpRow *tcp;
      End end = { 0 };

      if (sign->source != NS_SIGN_TCPIP || sign->tcp == 0 || sign->tcp > trace->tcp->len ||
          failed[sign->tcp] || !get_sign_kind (sign, &end.kind))
        continue;
      tcp = NS_ROW_AT (trace->tcp, NsTcpRow, sign->tcp);
      is_reported[sign->tcp] = TRUE;
      end.pid = tcp->pid;
      end.tcp = sign->tcp;
      end.time_ns = sign->time_ns;
      end.event = sign->event;
      end.ref = (NsFindingRef){ NS_TABLE_TCP, sign->tcp };
      end.is_unanswered = (sign->flags & NS_SIGN_UNANSWERED) != 0;
      fill_from_tcp (trace, &end);
      g_array_append_val (ends, end);
    }
}

/* Adds connections whose end only the TCP row records. */
static void
add_rows (NsFindings *self, const gboolean *failed, GArray *ends, const gboolean *is_reported)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);
      End end = { .tcp = i + 1, .event = NO_EVENT, .ref = { NS_TABLE_TCP, i + 1 } };

      if (is_reported[i + 1] || failed[i + 1] || !is_established (tcp) ||
          !get_kind (tcp->status, &end.kind))
        continue;
      end.time_ns = ns_time_is_set (tcp->close_ns) ? tcp->close_ns : tcp->shutdown_ns;
      if (!ns_time_is_set (end.time_ns))
        continue;
      end.pid = tcp->pid;
      fill_from_tcp (trace, &end);
      end.is_unanswered = tcp->received == 0 && tcp->sent > 0;
      g_array_append_val (ends, end);
    }
}

/* Data sent and received over a socket so far, according to its calls. */
typedef struct
{
  gint64 sent_ns;
  gint64 received_ns;
  gint64 idle_ns;
  gint64 resumed_ns;
  gboolean is_connected;
  gboolean has_sent;
} Traffic;

static void
note_traffic (const NsFindings *self, Traffic *traffic, const NsCallRow *call, gboolean is_send)
{
  gint64 at_ns = ns_time_is_set (call->close_ns) ? call->close_ns : call->open_ns;
  gint64 last_ns = MAX (traffic->sent_ns, traffic->received_ns);

  if (is_send)
    {
      if (traffic->has_sent && call->open_ns - last_ns >= NS_IDLE_NS (self))
        {
          traffic->idle_ns = call->open_ns - last_ns;
          traffic->resumed_ns = call->open_ns;
        }
      traffic->sent_ns = MAX (traffic->sent_ns, call->open_ns);
      traffic->has_sent = TRUE;
    }
  else if (call->has_status && call->status == 0 && call->length > 0)
    {
      traffic->received_ns = MAX (traffic->received_ns, at_ns);
      traffic->idle_ns = 0;
    }
}

static void
add_call (NsFindings *self, GArray *ends, guint i, const Traffic *traffic, EndKind kind)
{
  const NsTrace *trace = self->trace;
  const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
  const NsWinsockRow *socket = NS_ROW_AT (trace->winsock, NsWinsockRow, call->winsock);
  End end = { .kind = kind,
              .pid = call->pid,
              .tcp = socket->tcp <= trace->tcp->len ? socket->tcp : 0,
              .winsock = call->winsock,
              .activity = call->activity != 0 ? call->activity : socket->activity,
              .server = socket->server,
              .remote = socket->remote,
              .event = NO_EVENT,
              .ref = { NS_TABLE_CALLS, i + 1 },
              .is_unanswered = traffic->has_sent && traffic->sent_ns > traffic->received_ns,
              .idle_ns = traffic->idle_ns,
              .resumed_ns = traffic->resumed_ns };

  end.time_ns = ns_time_is_set (call->close_ns) ? call->close_ns : call->open_ns;
  end.begin_ns = ns_time_is_set (call->open_ns) ? call->open_ns : end.time_ns;
  if (call->kind == NS_CALL_SEND)
    end.is_unanswered = TRUE;
  if (!ns_time_is_set (end.time_ns))
    return;
  g_array_append_val (ends, end);
}

/* Copies the idle time that the calls of the socket above show. */
static void
take_idle (End *end, NsRow socket, const Traffic *traffic)
{
  end->idle_ns = traffic[socket].idle_ns;
  end->resumed_ns = traffic[socket].resumed_ns;
  end->is_unanswered |=
      traffic[socket].has_sent && traffic[socket].sent_ns > traffic[socket].received_ns;
}

/* Returns whether a send or a receive ended with its connection. */
static gboolean
has_ended_call (const NsFindings *self)
{
  guint i;

  for (i = 0; i < self->calls->failed->len; i++)
    {
      const NsCallRow *call =
          NS_ROW_AT (self->trace->calls, NsCallRow, g_array_index (self->calls->failed, NsRow, i));
      EndKind kind;

      if ((call->kind == NS_CALL_SEND || call->kind == NS_CALL_RECV) &&
          get_kind (call->status, &kind))
        return TRUE;
    }
  return FALSE;
}

static void
add_calls (NsFindings *self, GArray *ends)
{
  const NsTrace *trace = self->trace;
  g_autofree Traffic *traffic = NULL;
  g_autofree NsRow *sockets = NULL;
  guint i;

  if (ends->len == 0 && !has_ended_call (self))
    return;
  traffic = g_new0 (Traffic, trace->winsock->len + 1);
  sockets = g_new0 (NsRow, trace->tcp->len + 1);
  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      gboolean is_send = call->kind == NS_CALL_SEND;
      EndKind kind;

      if (call->winsock == 0 || call->winsock > trace->winsock->len ||
          NS_ROW_AT (trace->winsock, NsWinsockRow, call->winsock)->socket_type == 2)
        continue;
      if (!is_send && call->kind != NS_CALL_RECV)
        continue;
      if (call->has_status && get_kind (call->status, &kind))
        add_call (self, ends, i, &traffic[call->winsock], kind);
      else if (ns_time_is_set (call->open_ns))
        note_traffic (self, &traffic[call->winsock], call, is_send);
    }
  for (i = 0; i < trace->winsock->len; i++)
    {
      NsRow tcp = g_array_index (trace->winsock, NsWinsockRow, i).tcp;

      if (tcp <= trace->tcp->len)
        sockets[tcp] = i + 1;
    }
  for (i = 0; i < ends->len; i++)
    {
      End *end = &g_array_index (ends, End, i);

      if (end->tcp != 0 && end->idle_ns == 0 && sockets[end->tcp] != 0)
        take_idle (end, sockets[end->tcp], traffic);
    }
}

/* Adds requests that WinHTTP reports as aborted. */
static void
add_requests (NsFindings *self, GArray *ends)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsWebioConn *conn = NULL;
      const NsWebioRow *row;
      NsRow request;
      End end = { .kind = END_RESET, .event = sign->event, .is_unanswered = TRUE };

      if (sign->source != NS_SIGN_WEBIO ||
          !(((sign->id == 214 || sign->id == 216) && sign->value == WSAECONNRESET) ||
            (sign->id == 135 && sign->value == CONNECTION_ERROR)))
        continue;
      request = ns_findings_find_webio (self, sign, &conn);
      if (request == 0)
        continue;
      row = NS_ROW_AT (trace->webio, NsWebioRow, request);
      end.pid = row->pid;
      end.server = row->server;
      end.activity = row->activity;
      end.time_ns = sign->time_ns;
      end.is_requested = TRUE;
      end.remote = conn != NULL ? conn->remote : &ns_endpoint_pool_none;
      end.tcp = conn != NULL && conn->tcp <= trace->tcp->len ? conn->tcp : 0;
      end.ref = (NsFindingRef){ NS_TABLE_WEBIO, request };
      g_array_append_val (ends, end);
    }
}

static guint64
key_of_ports (const NsEndpoint *local, const NsEndpoint *remote)
{
  return ns_endpoint_hash (remote) ^ (guint64) local->port << 48;
}

/* Indexes the sockets by local port and peer: key → row; (transfer full). */
static GHashTable *
index_sockets (const NsTrace *trace)
{
  GHashTable *sockets = g_hash_table_new_full (ns_hash_int64, g_int64_equal, g_free, NULL);
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i);
      guint64 key = key_of_ports (socket->local, socket->remote);

      g_hash_table_replace (sockets, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (i + 1));
    }
  return sockets;
}

/* Fills in the owner of the conversation: from its TCP row, else from the socket above. */
static void
fill_from_conversation (const NsTrace *trace,
                        GHashTable *sockets,
                        const NsTcpConversation *conversation,
                        End *end)
{
  guint64 key = key_of_ports (&conversation->here, &conversation->there);
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (sockets, &key));
  const NsWinsockRow *socket;

  end->pid = conversation->pid;
  end->remote = &conversation->there;
  end->server = NS_STRING_NONE;
  end->activity = conversation->activity;
  end->opened_ns = MAX (conversation->open_ns, 1);
  if (conversation->tcp != 0 && conversation->tcp <= trace->tcp->len)
    {
      end->tcp = conversation->tcp;
      fill_from_tcp (trace, end);
      return;
    }
  if (row == 0)
    return;
  socket = NS_ROW_AT (trace->winsock, NsWinsockRow, row);
  if (!ns_endpoint_equal (socket->remote, &conversation->there))
    return;
  end->pid = socket->pid;
  end->winsock = row;
  end->server = socket->server;
  end->activity = socket->activity;
}

/* Adds RST segments of the peer in captured packets. */
static void
add_packets (NsFindings *self, const gboolean *failed, GArray *ends)
{
  const NsTrace *trace = self->trace;
  const NsPacketFacts *packets = ns_findings_get_packets (self);
  g_autoptr (GHashTable) sockets = packets != NULL ? index_sockets (trace) : NULL;
  guint i;

  for (i = 0; packets != NULL && i < packets->facts->len; i++)
    {
      const NsPacketFact *fact = &g_array_index (packets->facts, NsPacketFact, i);
      const NsTcpConversation *conversation =
          &g_array_index (packets->conversations, NsTcpConversation, fact->conversation);
      End end = { .kind = END_RESET,
                  .event = NO_EVENT,
                  .ref = { NS_TABLE_PACKETS, fact->packet },
                  .is_unanswered = fact->is_unanswered };

      if (fact->kind != NS_FACT_RESET || fact->is_sent ||
          (conversation->tcp != 0 && conversation->tcp <= trace->tcp->len &&
           failed[conversation->tcp]))
        continue;
      end.time_ns = NS_ROW_AT (trace->packets, NsPacketRow, fact->packet)->time_ns;
      fill_from_conversation (trace, sockets, conversation, &end);
      /* Rows of the connection tell more exactly when the peer fell silent; without them the
       * packets do. */
      if (end.tcp == 0 && end.winsock == 0 && fact->is_unanswered && fact->since_ns > 0)
        end.begin_ns = fact->since_ns;
      g_array_append_val (ends, end);
    }
}

/* Finds the requests in progress on the aborted connections. */
static void
find_requests (NsFindings *self, GArray *ends)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) of_tcp = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) of_socket = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = 0; i < ends->len; i++)
    {
      const End *end = &g_array_index (ends, End, i);

      if (end->tcp != 0)
        g_hash_table_insert (of_tcp, GUINT_TO_POINTER (end->tcp), GUINT_TO_POINTER (i + 1));
      if (end->winsock != 0)
        g_hash_table_insert (of_socket, GUINT_TO_POINTER (end->winsock), GUINT_TO_POINTER (i + 1));
    }
  for (i = 0; ends->len > 0 && i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (of_tcp, GUINT_TO_POINTER (row->tcp)));
      End *end;

      if (row->tcp == 0 || n == 0)
        n = row->winsock != 0
                ? GPOINTER_TO_UINT (
                      g_hash_table_lookup (of_socket, GUINT_TO_POINTER (row->winsock)))
                : 0;
      if (n == 0)
        continue;
      end = &g_array_index (ends, End, n - 1);
      if (!ns_findings_was_unanswered_at (row, end->time_ns))
        continue;
      end->is_requested = TRUE;
      end->activity = i + 1;
    }
}

static int
compare_remotes (const NsEndpoint *left, const NsEndpoint *right)
{
  int order = memcmp (&left->ip, &right->ip, sizeof left->ip);

  return order != 0 ? order : (int) left->port - (int) right->port;
}

static gint
compare_ends (gconstpointer a, gconstpointer b)
{
  const End *left = a;
  const End *right = b;
  int order;

  if (left->pid != right->pid)
    return left->pid < right->pid ? -1 : 1;
  order = compare_remotes (left->remote, right->remote);
  if (order != 0)
    return order;
  if (left->time_ns != right->time_ns)
    return left->time_ns < right->time_ns ? -1 : 1;
  return (left->tcp > right->tcp) - (left->tcp < right->tcp);
}

/* Returns whether both are the end of one connection, as reported by different layers. */
static gboolean
is_same (const End *end, const End *next)
{
  if (end->pid != next->pid || compare_remotes (end->remote, next->remote) != 0)
    return FALSE;
  if (end->tcp != 0 && next->tcp != 0)
    return end->tcp == next->tcp;
  if (end->winsock != 0 && next->winsock != 0)
    return end->winsock == next->winsock;
  return next->time_ns - end->time_ns <= SAME_END_NS;
}

static void
merge_ends (GArray *ends)
{
  guint i;

  g_array_sort (ends, compare_ends);
  for (i = 0; i < ends->len; i++)
    {
      End *end = &g_array_index (ends, End, i);
      End *next = i + 1 < ends->len ? &g_array_index (ends, End, i + 1) : NULL;

      end->is_last = next == NULL || !is_same (end, next);
      if (end->is_last)
        continue;
      next->tcp = next->tcp != 0 ? next->tcp : end->tcp;
      next->winsock = next->winsock != 0 ? next->winsock : end->winsock;
      next->activity = next->activity != 0 ? next->activity : end->activity;
      next->is_unanswered |= end->is_unanswered;
      next->is_requested |= end->is_requested;
      next->opened_ns = next->opened_ns != 0 ? next->opened_ns : end->opened_ns;
      if (end->begin_ns != 0)
        next->begin_ns = next->begin_ns == 0 ? end->begin_ns : MIN (next->begin_ns, end->begin_ns);
      next->resumed_ns = next->idle_ns != 0 ? next->resumed_ns : end->resumed_ns;
      next->idle_ns = MAX (next->idle_ns, end->idle_ns);
      /* A reset that this machine sends after the peer was silent counts as a timeout. */
      if (end->kind == END_TIMEOUT)
        next->kind = END_TIMEOUT;
    }
}

/* Returns the ends sorted by process, peer and time; computed once for the three rules. */
static const GArray *
get_ends (NsFindings *self)
{
  g_autofree gboolean *failed = NULL;
  g_autofree gboolean *is_reported = NULL;
  GArray *ends;

  if (self->ends != NULL)
    return self->ends;
  failed = list_failed (self);
  is_reported = g_new0 (gboolean, self->trace->tcp->len + 1);
  ends = g_array_new (FALSE, FALSE, sizeof (End));
  add_signs (self, failed, ends, is_reported);
  add_rows (self, failed, ends, is_reported);
  add_calls (self, ends);
  add_requests (self, ends);
  add_packets (self, failed, ends);
  find_requests (self, ends);
  merge_ends (ends);
  self->ends = ends;
  return ends;
}

static const NsTcpRow *
get_tcp (const NsFindings *self, const End *end)
{
  return end->tcp != 0 ? NS_ROW_AT (self->trace->tcp, NsTcpRow, end->tcp) : NULL;
}

/* Returns whether a device on the path dropped the state of the connection while it was idle. */
static gboolean
is_forgotten (const NsFindings *self, const End *end)
{
  const NsTcpRow *tcp = get_tcp (self, end);

  if (end->idle_ns < NS_IDLE_NS (self) || end->resumed_ns > end->time_ns ||
      ns_findings_has_slept (self, ns_time_after (end->resumed_ns, -end->idle_ns), end->resumed_ns))
    return FALSE;
  if (tcp == NULL)
    return end->is_unanswered; /* without a TCP row retransmissions are unknown */
  return tcp->extra->retransmits >= MIN_IDLE_RETRANSMITS (self);
}

/* Returns the index of the first end of the connection whose last end is @last. */
static guint
find_first_end (const GArray *ends, guint last)
{
  while (last > 0 && !g_array_index (ends, End, last - 1).is_last)
    last--;
  return last;
}

static NsFindingGroup *
add_end (NsFindings *self, const GArray *ends, guint last, gint64 from_ns)
{
  const End *end = &g_array_index (ends, End, last);
  g_autofree char *subject = ns_findings_dup_endpoint (self, end->server, end->remote);
  NsFindingGroup *group = ns_findings_group (self, end->pid, subject, NULL);
  guint i;

  for (i = find_first_end (ends, last); i < last; i++)
    {
      const End *other = &g_array_index (ends, End, i);

      ns_findings_add_ref (group, other->ref.table, other->ref.row);
      if (other->event != NO_EVENT)
        ns_findings_mark (group, other->event);
      else
        ns_findings_mark_at (self, group, other->time_ns);
    }
  if (end->event != NO_EVENT)
    ns_findings_mark (group, end->event);
  else
    ns_findings_mark_at (self, group, end->time_ns);
  if (end->tcp != 0 && end->ref.table != NS_TABLE_TCP)
    ns_findings_add_ref (group, NS_TABLE_TCP, end->tcp);
  ns_findings_add (group, end->ref.table, end->ref.row, end->activity, from_ns, end->time_ns);
  return group;
}

static gint64
get_begin (const NsFindings *self, const End *end)
{
  const NsTcpRow *tcp = get_tcp (self, end);

  if (end->activity != 0 && end->is_requested && end->activity <= self->trace->activities->len)
    return NS_ROW_AT (self->trace->activities, NsActivityRow, end->activity)->open_ns;
  if (tcp != NULL)
    return tcp->open_ns;
  if (end->winsock != 0)
    return NS_ROW_AT (self->trace->winsock, NsWinsockRow, end->winsock)->open_ns;
  return end->opened_ns != 0 ? end->opened_ns : end->time_ns;
}

/* Returns the time of the last data on the connection. */
static gint64
get_last_data_ns (const NsFindings *self, const End *end)
{
  const NsTcpRow *tcp = get_tcp (self, end);
  gint64 last_ns = end->time_ns;

  if (tcp != NULL)
    last_ns = ns_time_is_set (tcp->last_data_ns) ? tcp->last_data_ns : tcp->open_ns;
  else if (end->winsock != 0)
    last_ns = NS_ROW_AT (self->trace->winsock, NsWinsockRow, end->winsock)->last_data_ns;
  return ns_time_is_set (last_ns) ? MIN (last_ns, end->time_ns) : end->time_ns;
}

static void
report_resets (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *age = ns_findings_dup_span ((gint64) group->sum_b);

  ns_findings_report_sentence (
      self,
      group,
      group->sum_a > 0 ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_HIGH,
      group->sum_a > 0
          /* Translators: do not translate the words in braces. */
          ? _ ("{process}: {subject} reset the connection before the response arrived, {age} after "
               "it was opened (WSAECONNRESET 10054{also_times}).")
          : _ ("{process}: {subject} reset the connection while data was "
               "unanswered, {age} after it was opened (WSAECONNRESET 10054{also_times})."),
      "age",
      age,
      NULL);
}

void
ns_find_resets (NsFindings *self)
{
  const GArray *ends = get_ends (self);
  guint i;

  for (i = 0; i < ends->len; i++)
    {
      const End *end = &g_array_index (ends, End, i);
      const NsTcpRow *tcp = get_tcp (self, end);
      NsFindingGroup *group;
      gint64 open_ns;

      if (!end->is_last || end->kind != END_RESET || is_forgotten (self, end) ||
          (!end->is_unanswered && !end->is_requested))
        continue;
      open_ns = tcp != NULL           ? tcp->open_ns
                : end->winsock != 0   ? get_begin (self, end)
                : end->opened_ns != 0 ? end->opened_ns
                                      : end->time_ns;
      group = add_end (self,
                       ends,
                       i,
                       end->is_requested    ? get_begin (self, end)
                       : end->begin_ns != 0 ? end->begin_ns
                                            : get_last_data_ns (self, end));
      group->sum_a += end->is_requested;
      group->sum_b = MAX (group->sum_b, (guint64) MAX (ns_time_between (open_ns, end->time_ns), 0));
    }
  ns_findings_report_groups (self, report_resets);
}

static void
report_dead_connections (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n_again = g_strdup_printf ("%u", (guint) group->sum_a);

  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_PROBLEM,
      group->sum_b != 0 ? NS_FINDING_MEDIUM : NS_FINDING_HIGH,
      /* Translators: do not translate the words in braces. */
      _ ("{process}: Windows gave up on the connection to {subject} after {longest} without "
         "a reply (segments retransmitted: {again})."),
      "again",
      n_again,
      NULL);
}

void
ns_find_dead_connections (NsFindings *self)
{
  const GArray *ends = get_ends (self);
  guint i;

  for (i = 0; i < ends->len; i++)
    {
      const End *end = &g_array_index (ends, End, i);
      const NsTcpRow *tcp = get_tcp (self, end);
      NsFindingGroup *group;

      if (!end->is_last || end->kind != END_TIMEOUT || is_forgotten (self, end))
        continue;
      group = add_end (self, ends, i, get_last_data_ns (self, end));
      group->sum_a += tcp != NULL ? tcp->extra->retransmits : 0;
      group->sum_b += tcp == NULL;
    }
  ns_findings_report_groups (self, report_dead_connections);
}

static void
report_forgotten (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *idle = ns_findings_dup_span ((gint64) group->sum_a);

  ns_findings_report_sentence (
      self,
      group,
      group->sum_b != 0 ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      /* Translators: do not translate the words in braces. */
      _ ("{process}: after {idle} without traffic the connection to {subject} was "
         "dead; it took {longest} to notice (connections: {count})."),
      "idle",
      idle,
      NULL);
}

void
ns_find_forgotten_connections (NsFindings *self)
{
  const GArray *ends = get_ends (self);
  guint i;

  for (i = 0; i < ends->len; i++)
    {
      const End *end = &g_array_index (ends, End, i);
      NsFindingGroup *group;

      if (!end->is_last || !is_forgotten (self, end))
        continue;
      group = add_end (self, ends, i, end->resumed_ns);
      group->sum_a = MAX (group->sum_a, (guint64) end->idle_ns);
      group->sum_b |= end->is_requested;
    }
  ns_findings_report_groups (self, report_forgotten);
}
