/* Lists every connection attempt of a trace once, whichever layer recorded it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-map.h"
#include "base/ns-text.h"
#include "engine/net/flows/ns-flow-upper.h"
#include "engine/net/flows/ns-flow.h"

#include <string.h>

/* A connect that succeeds this long after another address failed is a new attempt of its own. */
#define SAME_TRY_NS NS_PER_SECOND
#define NO_EVENT G_MAXUINT32
/* More counts of a sieve leave out more of the attempts without an equal. */
#define N_COUNTS 4

static const struct
{
  NsCodeFamily family;
  guint32 status;
  NsAttemptEnd end;
} endings[] = {
  { NS_CODE_NTSTATUS, 0xc000023d, NS_ATTEMPT_NO_HOST },    /* HOST_UNREACHABLE */
  { NS_CODE_NTSTATUS, 0xc000023c, NS_ATTEMPT_NO_NETWORK }, /* NETWORK_UNREACHABLE */
  { NS_CODE_NTSTATUS, 0xc00000b5, NS_ATTEMPT_TIMEOUT },    /* IO_TIMEOUT */
  { NS_CODE_NTSTATUS, 0xc0000236, NS_ATTEMPT_REFUSED },    /* CONNECTION_REFUSED */
  { NS_CODE_NTSTATUS, 0xc0000022, NS_ATTEMPT_DENIED },     /* ACCESS_DENIED */
  { NS_CODE_NTSTATUS, 0xc000009a, NS_ATTEMPT_NO_PORTS },   /* INSUFFICIENT_RESOURCES */
  { NS_CODE_NTSTATUS, 0xc0000207, NS_ATTEMPT_NO_PORTS },   /* INVALID_ADDRESS_COMPONENT */
  { NS_CODE_NTSTATUS, 0xc0000209, NS_ATTEMPT_NO_PORTS },   /* TOO_MANY_ADDRESSES */
  { NS_CODE_NTSTATUS, 0xc000020a, NS_ATTEMPT_NO_PORTS },   /* ADDRESS_ALREADY_EXISTS */
  { NS_CODE_NTSTATUS, 0xc0000120, NS_ATTEMPT_CANCELLED },  /* CANCELLED */
  { NS_CODE_NTSTATUS, 0xc0000241, NS_ATTEMPT_CANCELLED },  /* CONNECTION_ABORTED */
  { NS_CODE_WIN32, 10065, NS_ATTEMPT_NO_HOST },
  { NS_CODE_WIN32, 10051, NS_ATTEMPT_NO_NETWORK },
  { NS_CODE_WIN32, 10060, NS_ATTEMPT_TIMEOUT },
  { NS_CODE_WIN32, 10061, NS_ATTEMPT_REFUSED },
  { NS_CODE_WIN32, 10013, NS_ATTEMPT_DENIED },
  { NS_CODE_WIN32, 10055, NS_ATTEMPT_NO_PORTS },
  { NS_CODE_WIN32, 995, NS_ATTEMPT_CANCELLED },
  { NS_CODE_WIN32, 10053, NS_ATTEMPT_CANCELLED },
};

/* Maps a status to the result of an attempt. */
NsAttemptEnd
ns_attempt_end_of (NsCodeFamily family, guint32 status)
{
  guint i;

  if (status == 0)
    return NS_ATTEMPT_OK;
  for (i = 0; i < G_N_ELEMENTS (endings); i++)
    if (endings[i].family == family && endings[i].status == status)
      return endings[i].end;
  return NS_ATTEMPT_OTHER;
}

static gboolean
has_failed (const NsTcpRow *tcp)
{
  return tcp->state == NS_TCP_CONNECT_FAIL;
}

/* Returns the result of a connect according to one TCPIP record. */
static NsAttemptEnd
end_of_sign (const NsSign *sign)
{
  switch (sign->id)
    {
    case 1183:
      return NS_ATTEMPT_REFUSED;
    case 1045:
      return NS_ATTEMPT_TIMEOUT;
    case 1020:
    case 1035:
      return NS_ATTEMPT_DENIED;
    case 1021:
      return NS_ATTEMPT_NO_ROUTE;
    case 1050:
      return NS_ATTEMPT_NO_PORTS;
    case 1034:
      return sign->value == 0 ? NS_ATTEMPT_OTHER
                              : ns_attempt_end_of (NS_CODE_NTSTATUS, (guint32) sign->value);
    default:
      return NS_ATTEMPT_OK;
    }
}

/* Returns, by TCP row, the 1-based sign that says why its connect failed; (transfer full). */
static guint *
list_ends (const NsTrace *trace)
{
  guint *ends = g_new0 (guint, trace->tcp->len + 1);
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsSign *before;

      if (sign->source != NS_SIGN_TCPIP || sign->tcp == 0 || sign->tcp > trace->tcp->len ||
          end_of_sign (sign) == NS_ATTEMPT_OK)
        continue;
      before =
          ends[sign->tcp] != 0 ? &g_array_index (trace->signs, NsSign, ends[sign->tcp] - 1) : NULL;
      /* The record of the failure (1034) follows the record of its reason. */
      if (before == NULL || before->id == 1034)
        ends[sign->tcp] = i + 1;
    }
  return ends;
}

static void
add_tcp (const NsTrace *trace, GArray *attempts)
{
  g_autofree guint *ends = list_ends (trace);
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);
      NsAttempt attempt = { .event = NO_EVENT };

      if (tcp->is_udp || tcp->accepted || tcp->before_trace ||
          (tcp->inferred && ends[i + 1] == 0) || ns_ip_is_empty (&tcp->remote->ip))
        continue;
      attempt.pid = tcp->pid;
      attempt.server = tcp->server;
      attempt.remote = *tcp->remote;
      attempt.open_ns = tcp->open_ns;
      attempt.close_ns = tcp->close_ns;
      attempt.end = NS_ATTEMPT_OK;
      if (has_failed (tcp))
        attempt.end =
            tcp->status == 0 ? NS_ATTEMPT_OTHER : ns_attempt_end_of (NS_CODE_NTSTATUS, tcp->status);
      else if (tcp->state == NS_TCP_CONNECT_REQUEST)
        attempt.end = NS_ATTEMPT_OPEN;
      if (ends[i + 1] != 0)
        {
          const NsSign *sign = &g_array_index (trace->signs, NsSign, ends[i + 1] - 1);

          attempt.end = end_of_sign (sign);
          attempt.event = sign->event;
          attempt.close_ns =
              ns_time_is_set (tcp->close_ns) ? MIN (tcp->close_ns, sign->time_ns) : sign->time_ns;
        }
      attempt.table = NS_TABLE_TCP;
      attempt.row = i + 1;
      attempt.activity = tcp->activity;
      attempt.n_syns = tcp->extra->syn_retransmits + 1;
      g_array_append_val (attempts, attempt);
    }
}

/* An attempt that others are compared with. */
typedef struct
{
  guint attempt;  /* 0-based */
  guint32 before; /* number of the previous one with the same process and peer, from 1; 0: none */
} KnownEnd;

/* Times at which attempts ended, by process and peer, so that each attempt is listed once although
 * several layers record it. */
typedef struct
{
  const GArray *attempts; /* the attempts of lower layers */
  guint n_noted;          /* number of @attempts that are indexed, or need not be */
  NsFindingSieve *sieve;  /* attempts of other layers, by process and peer */
  NsMap *last;            /* by process and peer: number of the newest element of @ends, from 1 */
  GArray *ends;           /* (element-type KnownEnd) */
} KnownEnds;

/**
 * ns_attempt_set_key: (skip)
 * @key: (out): process and peer of an attempt as a text: "8 203.0.113.24:443"
 * @attempt: an attempt to connect
 */
void
ns_attempt_set_key (GString *key, const NsAttempt *attempt)
{
  char text[NS_IP_TEXT_SIZE];

  g_string_truncate (key, 0);
  ns_text_append_unsigned (key, attempt->pid);
  ns_text_append (key, " ", 1);
  ns_text_append_text (key, ns_endpoint_to_text (&attempt->remote, text));
}

static guint64
hash_peer (const NsAttempt *attempt)
{
  return ns_map_mix (ns_endpoint_hash (&attempt->remote), attempt->pid);
}

static gboolean
has_same_peer (const NsAttempt *a, const NsAttempt *b)
{
  return a->pid == b->pid && a->remote.port == b->remote.port &&
         ns_ip_equal (&a->remote.ip, &b->remote.ip);
}

/* Indexes the attempts so far that may be compared with others: most have no equal. */
static void
note_ends (KnownEnds *self)
{
  for (; self->n_noted < self->attempts->len; self->n_noted++)
    {
      guint64 hash = hash_peer (&g_array_index (self->attempts, NsAttempt, self->n_noted));
      KnownEnd end = { .attempt = self->n_noted };

      if (ns_finding_sieve_get (self->sieve, (guint32) hash) == 0)
        continue;
      end.before = ns_map_swap (self->last, hash, 0, self->ends->len + 1);
      g_array_append_val (self->ends, end);
    }
}

/* Maximum number of attempts to one peer that a look-up compares, newest first. */
#define MAX_REPORTED_STEPS 64

static gboolean
is_known_end (const KnownEnds *self, const NsAttempt *attempt)
{
  guint n_steps = 0;
  guint32 i = ns_map_get (self->last, hash_peer (attempt), 0);

  for (; i != 0 && n_steps < MAX_REPORTED_STEPS; n_steps++)
    {
      const KnownEnd *end = &g_array_index (self->ends, KnownEnd, i - 1);
      const NsAttempt *other = &g_array_index (self->attempts, NsAttempt, end->attempt);

      i = end->before;
      if (has_same_peer (other, attempt) && ns_time_is_set (other->close_ns) &&
          ns_time_is_set (attempt->close_ns) &&
          ABS (other->close_ns - attempt->close_ns) <= SAME_TRY_NS)
        return TRUE;
    }
  return FALSE;
}

/* Returns whether the TCP row below the socket reports the same result. */
static gboolean
is_reported_by_tcp (const NsTrace *trace, const NsWinsockRow *socket, gboolean is_ok)
{
  const NsTcpRow *tcp;

  if (socket == NULL || socket->tcp == 0 || socket->tcp > trace->tcp->len)
    return FALSE;
  tcp = NS_ROW_AT (trace->tcp, NsTcpRow, socket->tcp);
  return is_ok || has_failed (tcp);
}

/* Returns, by TCP row, the 1-based attempt; (transfer full). */
static guint *
index_attempts (const NsTrace *trace, const GArray *attempts)
{
  guint *of_tcp = g_new0 (guint, trace->tcp->len + 1);
  guint i;

  for (i = 0; i < attempts->len; i++)
    of_tcp[g_array_index (attempts, NsAttempt, i).row] = i + 1;
  return of_tcp;
}

/* Marks an attempt as cancelled by the program. Only the call of the socket records that, not
 * TCPIP. @of_tcp: (inout): see index_attempts(); %NULL until needed. */
static void
mark_cancelled (const NsTrace *trace, const NsWinsockRow *socket, guint **of_tcp, GArray *attempts)
{
  NsAttempt *attempt;

  if (socket == NULL || socket->tcp == 0 || socket->tcp > trace->tcp->len)
    return;
  if (*of_tcp == NULL)
    *of_tcp = index_attempts (trace, attempts);
  if ((*of_tcp)[socket->tcp] == 0)
    return;
  attempt = &g_array_index (attempts, NsAttempt, (*of_tcp)[socket->tcp] - 1);
  if (attempt->end == NS_ATTEMPT_OPEN)
    attempt->end = NS_ATTEMPT_CANCELLED;
}

/* Returns the connect calls of sockets whose TCP rows do not report them; (transfer full)
 * (element-type NsAttempt). @attempts: those of TCP rows. */
static GArray *
list_calls (const NsTrace *trace, const GArray *connects, GArray *attempts)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (NsAttempt));
  g_autofree guint *of_tcp = NULL;
  guint i;

  for (i = 0; i < connects->len; i++)
    {
      NsRow row = g_array_index (connects, NsRow, i);
      const NsCallRow *call = NS_ROW_AT (trace->calls, NsCallRow, row);
      const NsWinsockRow *socket = NULL;
      NsAttempt attempt = { .event = NO_EVENT };

      if (call->winsock != 0 && call->winsock <= trace->winsock->len)
        socket = NS_ROW_AT (trace->winsock, NsWinsockRow, call->winsock);
      /* A connect of a datagram socket sends nothing over the network. */
      if ((socket != NULL && socket->socket_type != 0 && socket->socket_type != 1) ||
          is_reported_by_tcp (trace, socket, call->status == 0))
        continue;
      attempt.pid = call->pid;
      attempt.server = socket != NULL ? socket->server : NS_STRING_NONE;
      attempt.remote = call->remote;
      attempt.open_ns = call->open_ns;
      attempt.close_ns = call->close_ns;
      attempt.end = ns_attempt_end_of (call->status_family, call->status);
      if (attempt.end == NS_ATTEMPT_CANCELLED)
        mark_cancelled (trace, socket, &of_tcp, attempts);
      attempt.table = NS_TABLE_CALLS;
      attempt.row = row;
      attempt.activity = call->activity != 0 ? call->activity
                         : socket != NULL    ? socket->activity
                                             : 0;
      g_array_append_val (list, attempt);
    }
  return list;
}

/* Returns the connections of WinHTTP requests without a TCP row; (transfer full) (element-type
 * NsAttempt). */
static GArray *
list_webio (const NsTrace *trace)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (NsAttempt));
  guint i;
  guint j;

  for (i = 0; i < trace->webio->len; i++)
    {
      const NsWebioRow *request = &g_array_index (trace->webio, NsWebioRow, i);

      for (j = 0; j < request->n_conns; j++)
        {
          const NsWebioConn *conn = &request->conns[j];
          NsAttempt attempt = { .event = NO_EVENT };

          if (conn->reused || conn->tcp != 0 || !ns_time_is_set (conn->start_ns) ||
              !ns_time_is_set (conn->stop_ns) || ns_ip_is_empty (&conn->remote->ip))
            continue;
          attempt.pid = request->pid;
          attempt.server = request->server;
          attempt.remote = *conn->remote;
          attempt.open_ns = conn->start_ns;
          attempt.close_ns = conn->stop_ns;
          attempt.end = ns_attempt_end_of (NS_CODE_WIN32, conn->error);
          attempt.table = NS_TABLE_WEBIO;
          attempt.row = i + 1;
          attempt.activity = request->activity;
          g_array_append_val (list, attempt);
        }
    }
  return list;
}

static void
add_to_sieve (NsFindingSieve *sieve, const GArray *list)
{
  guint i;

  for (i = 0; i < list->len; i++)
    ns_finding_sieve_add (sieve, (guint32) hash_peer (&g_array_index (list, NsAttempt, i)));
}

/* Adds the attempts of a layer that no layer below recorded. */
static void
add_unknown (KnownEnds *is_reported, const GArray *list, GArray *attempts)
{
  guint i;

  if (list->len == 0)
    return;
  note_ends (is_reported);
  for (i = 0; i < list->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (list, NsAttempt, i);

      if (!is_known_end (is_reported, attempt))
        g_array_append_vals (attempts, attempt, 1);
    }
}

/* Numbers of the attempts that the layers added: those of TCP rows are first, then those of calls,
 * of WinHTTP, of packets. */
typedef struct
{
  guint end_of_tcp;
  guint end_of_calls;
  guint end_of_webio;
} Layers;

/* Adds connects that TCP rows do not show: calls of sockets, and connections of WinHTTP. */
static void
add_upper_layers (const NsTrace *trace,
                  const NsFindingCalls *calls,
                  GArray *attempts,
                  Layers *layers)
{
  g_autoptr (GArray) of_calls = list_calls (trace, calls->connects, attempts);
  g_autoptr (GArray) of_webio = list_webio (trace);
  g_autoptr (NsFindingSieve) sieve =
      ns_finding_sieve_new (N_COUNTS * (of_calls->len + of_webio->len));
  g_autoptr (NsMap) last = ns_map_new ();
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (KnownEnd));
  KnownEnds is_reported = { attempts, 0, sieve, last, ends };

  add_to_sieve (sieve, of_calls);
  add_to_sieve (sieve, of_webio);
  add_unknown (&is_reported, of_calls, attempts);
  layers->end_of_calls = attempts->len;
  add_unknown (&is_reported, of_webio, attempts);
  layers->end_of_webio = attempts->len;
}

/* Returns the result of a connect that only captured packets show; NS_ATTEMPT_OPEN: unknown. */
static NsAttemptEnd
end_of_flow (const NsFlowRow *flow)
{
  gboolean is_over = flow->end == NS_FLOW_END_REFUSED || flow->end == NS_FLOW_END_NO_ANSWER;
  guint32 error = ns_flow_get_error (flow);

  if (ns_flow_get_connect_ns (flow) >= 0 && !is_over)
    return NS_ATTEMPT_OK;
  return error != 0 ? ns_attempt_end_of (NS_CODE_WIN32, error) : NS_ATTEMPT_OPEN;
}

/* Adds connects that only captured packets show. */
static void
add_flows (const NsTrace *trace, GArray *attempts)
{
  guint i;

  for (i = 0; i < trace->flows->len; i++)
    {
      const NsFlowRow *flow = &g_array_index (trace->flows, NsFlowRow, i);
      NsAttempt attempt = { .event = NO_EVENT };

      if (flow->kind != NS_FLOW_TCP || flow->start != NS_FLOW_START_SYN || flow->tcp != 0 ||
          flow->winsock != 0 || flow->local == NS_FLOW_LOCAL_SERVER)
        continue;
      attempt.end = end_of_flow (flow);
      if (attempt.end == NS_ATTEMPT_OPEN)
        continue;
      attempt.pid = flow->pid;
      attempt.server = flow->server_name;
      attempt.remote = flow->server;
      attempt.open_ns = flow->open_ns;
      attempt.close_ns = ns_time_is_set (flow->close_ns) ? flow->close_ns : flow->last_ns;
      attempt.table = NS_TABLE_FLOWS;
      attempt.row = i + 1;
      attempt.activity = flow->activity;
      attempt.n_syns = ns_flow_get_more (flow)->n_syn_retries + 1;
      g_array_append_val (attempts, attempt);
    }
}

/* An attempt to sort. */
typedef struct
{
  guint64 key;
  guint attempt;
} SortEntry;

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

/* Sorts by key, keeping the order of equal keys; @spare: memory for @n entries. Digit by digit, as
 * comparing is slow for many attempts. Returns which of both arrays holds the result. */
static SortEntry *
sort_by_key (SortEntry *entries, SortEntry *spare, guint n)
{
  guint64 varying = 0;
  guint shift;
  guint i;

  for (i = 1; i < n; i++)
    varying |= entries[i].key ^ entries[0].key;
  for (shift = 0; shift < 64; shift += DIGIT_BITS)
    {
      guint places[N_DIGITS] = { 0 };
      SortEntry *sorted = spare;
      guint place = 0;

      if ((varying >> shift & (N_DIGITS - 1)) == 0)
        continue;
      for (i = 0; i < n; i++)
        places[entries[i].key >> shift & (N_DIGITS - 1)]++;
      for (i = 0; i < N_DIGITS; i++)
        {
          guint n_digit = places[i];

          places[i] = place;
          place += n_digit;
        }
      for (i = 0; i < n; i++)
        sorted[places[entries[i].key >> shift & (N_DIGITS - 1)]++] = entries[i];
      spare = entries;
      entries = sorted;
    }
  return entries;
}

/* Adds the attempts from @begin to @end, which are of one table and in order of its rows. */
static guint
add_entries (const GArray *attempts, guint begin, guint end, SortEntry *entries, guint n)
{
  guint i;

  for (i = begin; i < end; i++)
    {
      gint64 open_ns = g_array_index (attempts, NsAttempt, i).open_ns;

      /* The sign bit is inverted, as keys have no sign. */
      entries[n++] = (SortEntry){ (guint64) open_ns ^ (guint64) 1 << 63, i };
    }
  return n;
}

/* Moves each attempt to the place of its entry. */
static void
arrange (GArray *attempts, SortEntry *entries)
{
  NsAttempt *all = (NsAttempt *) (void *) attempts->data;
  guint i;

  for (i = 0; i < attempts->len; i++)
    {
      NsAttempt first = all[i];
      guint place = i;

      while (entries[place].attempt != i)
        {
          guint from = entries[place].attempt;

          all[place] = all[from];
          entries[place].attempt = place;
          place = from;
        }
      if (place != i)
        all[place] = first;
      entries[place].attempt = place;
    }
}

/* Sorts the attempts by process, server, time, table and row. */
static void
sort_attempts (GArray *attempts, const Layers *layers)
{
  g_autofree SortEntry *memory = g_new (SortEntry, (gsize) attempts->len * 2 + 1);
  SortEntry *entries = memory;
  SortEntry *spare = memory + attempts->len;
  guint n;
  guint i;

  /* In the order of the tables: the table of WinHTTP is before that of calls. */
  G_STATIC_ASSERT (NS_TABLE_TCP < NS_TABLE_WEBIO && NS_TABLE_WEBIO < NS_TABLE_CALLS &&
                   NS_TABLE_CALLS < NS_TABLE_FLOWS);
  n = add_entries (attempts, 0, layers->end_of_tcp, entries, 0);
  n = add_entries (attempts, layers->end_of_calls, layers->end_of_webio, entries, n);
  n = add_entries (attempts, layers->end_of_tcp, layers->end_of_calls, entries, n);
  n = add_entries (attempts, layers->end_of_webio, attempts->len, entries, n);
  entries = sort_by_key (entries, spare, n);
  spare = entries == memory ? memory + attempts->len : memory;
  for (i = 0; i < n; i++)
    {
      const NsAttempt *attempt = &g_array_index (attempts, NsAttempt, entries[i].attempt);

      entries[i].key = (guint64) attempt->pid << 32 | attempt->server;
    }
  arrange (attempts, sort_by_key (entries, spare, n));
}

/* Marks attempts that another address of the same server overtook. Walks backwards, so that the
 * next attempt that reached the server is known. */
static void
mark_overtaken (GArray *attempts)
{
  const NsAttempt *winner = NULL;
  guint i;

  for (i = attempts->len; i-- > 0;)
    {
      NsAttempt *attempt = &g_array_index (attempts, NsAttempt, i);

      if (winner != NULL && (winner->pid != attempt->pid || winner->server != attempt->server))
        winner = NULL;
      if (attempt->end == NS_ATTEMPT_OK)
        winner = attempt;
      else if (winner != NULL && attempt->server > NS_STRING_EMPTY &&
               !ns_ip_equal (&winner->remote.ip, &attempt->remote.ip))
        attempt->is_overtaken =
            !ns_time_is_set (attempt->close_ns) ||
            (ns_time_is_set (winner->open_ns) &&
             ns_time_between (attempt->close_ns, winner->open_ns) <= SAME_TRY_NS);
    }
}

/* Returns all connection attempts of a trace, sorted by process, server and time; (transfer full)
 * (element-type NsAttempt). */
GArray *
ns_attempts_new (const NsTrace *trace, const NsFindingCalls *calls)
{
  GArray *attempts = g_array_new (FALSE, FALSE, sizeof (NsAttempt));
  Layers layers;

  add_tcp (trace, attempts);
  layers.end_of_tcp = attempts->len;
  add_upper_layers (trace, calls, attempts, &layers);
  add_flows (trace, attempts);
  sort_attempts (attempts, &layers);
  mark_overtaken (attempts);
  return attempts;
}
