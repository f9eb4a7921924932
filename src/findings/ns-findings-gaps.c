/* Rules about what programs do with their sockets during a request: premature ends (D13), pauses
 * (D29).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define STATUS_ABORTED 0xc0000241
#define STATUS_RESET 0xc000020d
#define WSAECONNABORTED 10053
#define WSAECONNRESET 10054
#define SAME_MOMENT_NS NS_PER_MS
#define GAP_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D29_GAP)
#define GAP_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D29_SHARE)
/* Maximum number of neighboring calls that are compared. */
#define MAX_CALLS_AFTER 64
/* Group keys: which side ended a connection prematurely. */
#define BY_PEER "peer"
#define BY_US "us"

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

/* Time at which the stream of a socket ended: the peer closed it, or this machine aborted it. */
typedef struct
{
  gint64 by_peer_ns;
  gint64 by_us_ns;
  NsRow call;
} End;

/* The ends of connections, found when they are needed: few requests lack a part of their answer. */
typedef struct
{
  End *of_sockets; /* by socket row; NULL until needed */
  guint8 *is_known;
  gint64 *aborts; /* by TCP row, see list_aborts(); NULL until needed */
} Ends;

static void
ends_clear (Ends *self)
{
  g_clear_pointer (&self->of_sockets, g_free);
  g_clear_pointer (&self->is_known, g_free);
  g_clear_pointer (&self->aborts, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ends, ends_clear)

/* Finds the end of a socket's stream in its calls. */
static End
read_socket (const NsFindings *self, NsRow socket)
{
  End end = { NS_TIME_NONE, NS_TIME_NONE, 0 };
  guint i;

  for (i = self->calls->first[socket]; i < self->calls->first[socket + 1]; i++)
    {
      NsRow row = self->calls->rows[i];
      const NsCallRow *call = NS_ROW_AT (self->trace->calls, NsCallRow, row);
      gboolean is_receive = call->kind == NS_CALL_RECV;

      if (!ns_time_is_set (call->close_ns))
        continue;
      if (call->kind == NS_CALL_ABORT ||
          (is_receive && call->has_status && call->status == STATUS_ABORTED))
        end.by_us_ns = call->close_ns;
      else if (is_receive && call->has_status && call->status == 0 && call->ret == 0)
        end.by_peer_ns = call->close_ns;
      else if (is_receive && call->ret > 0)
        end.by_peer_ns = NS_TIME_NONE; /* more data followed: the receive of 0 bytes before only
                                        * waited for it and was not the end of the stream */
      else
        continue;
      end.call = row;
    }
  return end;
}

static void
report_early_ends (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *got = g_strdup_printf ("%" G_GUINT64_FORMAT, group->sum_a);
  g_autofree char *announced = g_strdup_printf ("%" G_GUINT64_FORMAT, group->sum_b);
  gboolean is_peer = g_str_has_suffix (group->key, BY_PEER);
  const char *sentence;

  if (strstr (group->key, "\nunfinished ") != NULL)
    /* Translators: do not translate the words in braces. */
    sentence = _ ("{process}: {subject} closed the connection after {got} bytes, before the "
                  "response was complete (requests: {count}).");
  else if (group->sum_b > 0)
    sentence = is_peer
                   /* Translators: do not translate the words in braces. */
                   ? _ ("{process}: {subject} closed the connection after {got} of {announced} "
                        "announced bytes (requests: {count}).")
                   : _ ("{process}: the connection to {subject} was aborted on this machine after "
                        "{got} of {announced} announced bytes (requests: {count}).");
  else
    sentence = is_peer ? _ ("{process}: {subject} closed the connection before the response "
                            "arrived (requests: {count}).")
                       : _ ("{process}: the connection to {subject} was aborted on this machine "
                            "before the response arrived (requests: {count}).");
  ns_findings_report_sentence (self,
                               group,
                               NS_SEVERITY_PROBLEM,
                               NS_FINDING_MEDIUM,
                               sentence,
                               "got",
                               got,
                               "announced",
                               announced,
                               NULL);
}

/* Returns, by TCP row, when this machine aborted the connection according to TCPIP; (transfer
 * full). */
static gint64 *
list_aborts (const NsTrace *trace)
{
  gint64 *aborts = g_new (gint64, trace->tcp->len + 1);
  guint i;

  for (i = 0; i <= trace->tcp->len; i++)
    aborts[i] = NS_TIME_NONE;
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      /* Windows also aborts a connection that the peer has reset. */
      if (sign->source == NS_SIGN_TCPIP && sign->id == 1039 && sign->tcp != 0 &&
          sign->tcp <= trace->tcp->len && (guint32) sign->value != STATUS_RESET &&
          aborts[sign->tcp] == NS_TIME_NONE)
        aborts[sign->tcp] = sign->time_ns;
    }
  return aborts;
}

/* Combines what the socket and TCPIP record of the end of a request's connection. */
static End
get_end_of (const NsFindings *self, Ends *ends, const NsActivityRow *row)
{
  const NsTrace *trace = self->trace;
  End end = { NS_TIME_NONE, NS_TIME_NONE, 0 };

  if (row->winsock != 0 && row->winsock <= trace->winsock->len)
    {
      if (ends->of_sockets == NULL)
        {
          ends->of_sockets = g_new (End, trace->winsock->len + 1);
          ends->is_known = g_malloc0 ((gsize) trace->winsock->len + 1);
        }
      if (!ends->is_known[row->winsock])
        ends->of_sockets[row->winsock] = read_socket (self, row->winsock);
      ends->is_known[row->winsock] = 1;
      end = ends->of_sockets[row->winsock];
    }
  if (end.by_us_ns == NS_TIME_NONE && row->tcp != 0 && row->tcp <= trace->tcp->len)
    {
      if (ends->aborts == NULL)
        ends->aborts = list_aborts (trace);
      end.by_us_ns = ends->aborts[row->tcp];
    }
  return end;
}

/* Answer to a request of WinHTTP or WinINet, as the trace records it. */
typedef struct
{
  const NsSign *head;
  const NsSign *end; /* a receive without data or with an error, after which nothing arrived */
} Answer;

/* Returns the answers, indexed by WinHTTP row; (transfer full). */
static Answer *
list_answers (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  Answer *answers = g_new0 (Answer, trace->webio->len + 1);
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      const NsWebioConn *conn;
      NsRow request;

      if (sign->source != NS_SIGN_WEBIO || (sign->id != 101 && sign->id != 216))
        continue;
      request = ns_findings_find_webio (self, sign, &conn);
      if (request == 0)
        continue;
      if (sign->id == 216)
        answers[request].end = sign;
      else if (sign->value >= 200)
        {
          answers[request].head = sign;
          answers[request].end = NULL; /* that end belonged to an earlier answer */
        }
    }
  return answers;
}

/**
 * ns_findings_find_wininet: (skip)
 * @trace: a trace
 * @rows: handle → its newest request so far
 * @at: (inout): number of requests read so far
 * @sign: a WinINet record; records must be passed in order of time
 *
 * Handles are reused: a record belongs to the newest request before it.
 *
 * Returns: the 1-based WinINet row that the record belongs to, or 0
 */
NsRow
ns_findings_find_wininet (const NsTrace *trace, NsMap *rows, guint *at, const NsSign *sign)
{
  for (; *at < trace->wininet->len &&
         g_array_index (trace->wininet, NsWininetRow, *at).open_ns <= sign->time_ns;
       (*at)++)
    {
      const NsWininetRow *request = &g_array_index (trace->wininet, NsWininetRow, *at);

      ns_map_set (rows, request->connect, 0, *at + 1);
      ns_map_set (rows, request->request, 0, *at + 1);
    }
  return ns_map_get (rows, sign->key, 0);
}

/* Returns the answer lengths that WinINet's record 203 reports, indexed by WinINet row; (transfer
 * full). */
static Answer *
list_lengths (const NsTrace *trace)
{
  Answer *answers = g_new0 (Answer, trace->wininet->len + 1);
  g_autoptr (NsMap) rows = ns_map_new ();
  guint at = 0;
  guint i;

  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      guint row;

      if (sign->source != NS_SIGN_WININET || sign->id != 203)
        continue;
      row = ns_findings_find_wininet (trace, rows, &at, sign);
      if (row != 0)
        answers[row].head = sign;
    }
  return answers;
}

/* Returns whether the answer has a body; the answers excluded here have none, whatever their
 * headers say. */
static gboolean
has_body (const NsFindings *self, const NsActivityRow *row, const NsSign *head)
{
  return strcmp (ns_findings_text (self, row->method), "HEAD") != 0 && head->value != 204 &&
         head->value != 304;
}

/* Returns the number of missing body bytes; 0: none, or not known. An incomplete chunked body
 * counts as 1. */
static guint64
get_missing (const NsFindings *self,
             const NsActivityRow *row,
             guint64 n_received,
             const NsSign *head,
             guint64 *got)
{
  guint64 missing = 0;

  *got = n_received > head->n_bytes ? n_received - head->n_bytes : 0;
  if ((head->flags & NS_ANSWER_CHUNKED) != 0)
    missing = row->failed && row->http_status < 400 ? 1 : 0;
  else if (head->count > 0 && (guint64) head->count > *got)
    missing = (guint64) head->count - *got;
  return missing != 0 && has_body (self, row, head) ? missing : 0;
}

/* Finds which side ended a stream with missing bytes, and when; %NS_TIME_NONE: neither. */
static gint64
find_end (const NsFindings *self,
          const NsActivityRow *row,
          const Answer *answer,
          const End *end,
          gboolean *is_ours)
{
  gint64 from_ns = answer->head->time_ns;
  gint64 to_ns = ns_findings_end (self, row->close_ns) + SAME_MOMENT_NS;

  *is_ours = ns_time_is_set (end->by_us_ns) && end->by_us_ns >= from_ns && end->by_us_ns <= to_ns;
  if (*is_ours)
    return end->by_us_ns;
  if (ns_time_is_set (end->by_peer_ns) && end->by_peer_ns >= from_ns && end->by_peer_ns <= to_ns)
    return end->by_peer_ns;
  if (answer->end == NULL)
    return NS_TIME_NONE;
  *is_ours = answer->end->value == WSAECONNABORTED;
  return answer->end->time_ns;
}

/* Adds an answer whose headers announced more bytes than arrived. */
static gboolean
add_short (NsFindings *self,
           NsRow activity,
           guint64 n_received,
           const Answer *answer,
           const End *end)
{
  const NsTrace *trace = self->trace;
  const NsActivityRow *row = ROW (trace, activity - 1);
  g_autofree char *subject = NULL;
  g_autofree char *extra = NULL;
  NsFindingGroup *group;
  gboolean is_ours;
  guint64 got;
  gint64 end_ns;

  if (answer->head == NULL || row->cancelled ||
      get_missing (self, row, n_received, answer->head, &got) == 0)
    return FALSE;
  end_ns = find_end (self, row, answer, end, &is_ours);
  if (!ns_time_is_set (end_ns))
    return FALSE;
  subject = ns_findings_dup_endpoint (self, row->server, row->remote);
  extra = g_strdup_printf ("short %s", is_ours ? BY_US : BY_PEER);
  group = ns_findings_group (self, row->pid, subject, extra);
  group->sum_a += got;
  group->sum_b += answer->head->count > 0 ? (guint64) answer->head->count : 0;
  ns_findings_mark (group, answer->head->event);
  if (answer->end != NULL)
    ns_findings_mark (group, answer->end->event);
  ns_findings_mark_at (self, group, end_ns);
  ns_findings_add (group, NS_TABLE_ACTIVITIES, activity, 0, row->open_ns, end_ns);
  if (end->call != 0)
    ns_findings_add_ref (group, NS_TABLE_CALLS, end->call);
  return TRUE;
}

/* Adds a request whose connection ended without any answer. */
static void
add_unanswered (NsFindings *self, NsRow activity, const Answer *answer, const End *end)
{
  const NsActivityRow *row = ROW (self->trace, activity - 1);
  g_autofree char *subject = NULL;
  NsFindingGroup *group;
  gboolean is_ours = ns_findings_was_unanswered_at (row, end->by_us_ns);
  gint64 end_ns = is_ours ? end->by_us_ns : end->by_peer_ns;
  gboolean is_reported = !is_ours && answer != NULL && answer->head == NULL &&
                         answer->end != NULL && answer->end->value == 0;

  if (!ns_time_is_set (end_ns) && is_reported)
    end_ns = answer->end->time_ns;
  if (!is_ours && !ns_findings_was_unanswered_at (row, end_ns))
    return;
  subject = ns_findings_dup_endpoint (self, row->server, row->remote);
  group = ns_findings_group (self, row->pid, subject, is_ours ? BY_US : BY_PEER);
  if (is_reported)
    ns_findings_mark (group, answer->end->event);
  ns_findings_mark_at (self, group, end_ns);
  ns_findings_add (group, NS_TABLE_ACTIVITIES, activity, 0, row->open_ns, end_ns);
  if (end->call != 0)
    ns_findings_add_ref (group, NS_TABLE_CALLS, end->call);
}

/* Adds a request of a browser, which itself compares the announced and received lengths. */
static gboolean
add_browser (NsFindings *self, NsRow activity)
{
  /* CONTENT_LENGTH_MISMATCH, INCOMPLETE_CHUNKED_ENCODING; EMPTY_RESPONSE */
  static const gint32 shorts[] = { -354, -355, -324 };
  const NsActivityRow *row = ROW (self->trace, activity - 1);
  gint32 error = (gint32) row->error;
  g_autofree char *subject = NULL;
  NsFindingGroup *group;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (shorts); i++)
    if (row->error_family == NS_CODE_CHROMIUM && error == shorts[i])
      break;
  if (i == G_N_ELEMENTS (shorts) || row->cancelled)
    return FALSE;
  subject = ns_findings_dup_endpoint (self, row->server, row->remote);
  group = ns_findings_group (self,
                             row->pid,
                             subject,
                             error == shorts[2] ? BY_PEER : "unfinished " BY_PEER);
  group->sum_a += row->received;
  ns_findings_add (group,
                   NS_TABLE_ACTIVITIES,
                   activity,
                   0,
                   row->open_ns,
                   ns_findings_end (self, row->close_ns));
  ns_findings_mark_at (self, group, row->close_ns);
  return TRUE;
}

/* Adds a captured HTTP exchange that was reset after the answer's headers. */
static gboolean
add_captured (NsFindings *self, NsRow activity)
{
  const NsActivityRow *row = ROW (self->trace, activity - 1);
  g_autofree char *subject = NULL;
  NsFindingGroup *group;

  if (row->protocol != NS_LAYER_HTTP || row->flow == 0 || row->error_family != NS_CODE_WIN32 ||
      row->error != WSAECONNRESET || row->http_status == 0)
    return FALSE;
  subject = ns_findings_dup_endpoint (self, row->server, row->remote);
  group = ns_findings_group (self, row->pid, subject, "unfinished " BY_PEER);
  group->sum_a += row->received;
  ns_findings_mark_at (self, group, row->close_ns);
  ns_findings_add (group,
                   NS_TABLE_ACTIVITIES,
                   activity,
                   0,
                   row->open_ns,
                   ns_findings_end (self, row->close_ns));
  return TRUE;
}

/* Returns whether the request may have got a part of its answer only. */
static gboolean
may_be_short (const NsFindings *self,
              const NsActivityRow *row,
              guint64 n_received,
              const Answer *answer)
{
  guint64 got;

  return answer != NULL && answer->head != NULL && !row->cancelled &&
         get_missing (self, row, n_received, answer->head, &got) != 0;
}

void
ns_find_early_ends (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree Answer *answers = list_answers (self);
  g_autofree Answer *lengths = list_lengths (trace);
  g_auto (Ends) ends = { NULL, NULL, NULL };
  guint n;

  for (n = 0; n < self->operations->exchanges->len; n++)
    {
      guint i = g_array_index (self->operations->exchanges, guint, n);
      const NsActivityRow *row = ROW (trace, i);
      const Answer *answer = NULL;
      guint64 n_received = row->received;
      gboolean is_short;
      End end;

      if (add_captured (self, i + 1) || !ns_findings_is_request (row) || add_browser (self, i + 1))
        continue;
      if (row->webio != 0 && row->webio <= trace->webio->len)
        {
          answer = &answers[row->webio];
          n_received = NS_ROW_AT (trace->webio, NsWebioRow, row->webio)->received;
        }
      else if (row->wininet != 0 && row->wininet <= trace->wininet->len)
        {
          answer = &lengths[row->wininet];
          n_received = NS_ROW_AT (trace->wininet, NsWininetRow, row->wininet)->received;
        }
      is_short = may_be_short (self, row, n_received, answer);
      if (!is_short && (row->cancelled || (!row->failed && row->http_status != 0)))
        continue;
      end = get_end_of (self, &ends, row);
      if (!is_short || !add_short (self, i + 1, n_received, answer, &end))
        add_unanswered (self, i + 1, answer, &end);
    }
  ns_findings_report_groups (self, report_early_ends);
}

/* The calls of each socket whose start is known, in order of their start: if the start of a call
 * was not recorded, nobody knows how long it took. Those of socket s begin at
 * calls[all->first[s]]. */
typedef struct
{
  const NsFindingCalls *all;
  NsRow *calls;
  guint *lengths; /* by socket, the number of its calls and 1; 0: not known yet */
} CallIndex;

static void
index_clear (CallIndex *self)
{
  g_clear_pointer (&self->calls, g_free);
  g_clear_pointer (&self->lengths, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CallIndex, index_clear)

static guint
get_first (const CallIndex *self, NsRow socket)
{
  return self->all->first[socket];
}

/* Returns the index after that of the socket's last call. */
static guint
get_last (const CallIndex *self, NsRow socket)
{
  return self->all->first[socket] + self->lengths[socket] - 1;
}

/* Fills in the calls of a socket; the table of calls is sorted by start. */
static void
index_socket (const NsTrace *trace, CallIndex *self, NsRow socket)
{
  guint n = get_first (self, socket);
  guint i;

  if (self->calls == NULL)
    {
      self->calls = g_new (NsRow, trace->calls->len + 1);
      self->lengths = g_new0 (guint, trace->winsock->len + 1);
    }
  if (self->lengths[socket] != 0)
    return;
  for (i = n; i < self->all->first[socket + 1]; i++)
    if (ns_time_is_set (NS_ROW_AT (trace->calls, NsCallRow, self->all->rows[i])->open_ns))
      self->calls[n++] = self->all->rows[i];
  self->lengths[socket] = n - get_first (self, socket) + 1;
}

static const NsCallRow *
get_call (const NsTrace *trace, const CallIndex *index, guint n)
{
  return NS_ROW_AT (trace->calls, NsCallRow, index->calls[n]);
}

/* Finds, by binary search, the first call of the socket that starts at @from_ns or later. */
static guint
find_call (const NsTrace *trace, const CallIndex *index, NsRow socket, gint64 from_ns)
{
  guint low = get_first (index, socket);
  guint high = get_last (index, socket);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_call (trace, index, middle)->open_ns < from_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns whether the end of the call is known, or the call is the last receive and still pending.
 * If the end of a call was not recorded, nobody knows how long it took. */
static gboolean
has_end (const NsTrace *trace, const CallIndex *index, NsRow socket, guint n)
{
  const NsCallRow *call = get_call (trace, index, n);
  guint i;

  if (ns_time_is_set (call->close_ns))
    return TRUE;
  if (call->is_over || call->kind != NS_CALL_RECV)
    return FALSE;
  for (i = n + 1; i < get_last (index, socket) && i - n <= MAX_CALLS_AFTER; i++)
    if (get_call (trace, index, i)->kind == NS_CALL_RECV)
      return FALSE;
  return TRUE;
}

/* Returns the end of a call; a pending receive has none. */
static gint64
get_end (const NsCallRow *call)
{
  return ns_time_is_set (call->close_ns) ? call->close_ns : G_MAXINT64;
}

/* A time in which a program did not use its connection. */
typedef struct
{
  NsTimeSpan span;
  NsRow before; /* calls; 0: WinHTTP transfers delimit the gap */
  NsRow after;
} Gap;

/* Finds the longest time within the span in which no call of the socket was in progress. */
static Gap
find_gap (const NsTrace *trace, const CallIndex *index, NsRow socket, const NsTimeSpan *within)
{
  guint begin = find_call (trace, index, socket, within->begin_ns);
  Gap gap = { { 0, 0 }, 0, 0 };
  gint64 until_ns = G_MININT64;
  NsRow last = 0;
  guint i;

  /* The call before may reach into the span. */
  for (i = begin; i > get_first (index, socket) && begin - i < MAX_CALLS_AFTER && last == 0; i--)
    if (has_end (trace, index, socket, i - 1))
      {
        until_ns = get_end (get_call (trace, index, i - 1));
        last = index->calls[i - 1];
      }
  for (i = begin; i < get_last (index, socket); i++)
    {
      const NsCallRow *call = get_call (trace, index, i);

      if (call->open_ns > within->end_ns)
        break;
      if (!has_end (trace, index, socket, i))
        continue;
      if (last != 0 && until_ns >= within->begin_ns && call->open_ns > until_ns &&
          ns_time_between (until_ns, call->open_ns) >
              ns_time_between (gap.span.begin_ns, gap.span.end_ns))
        gap = (Gap){ { until_ns, call->open_ns }, last, index->calls[i] };
      if (last == 0 || get_end (call) >= until_ns)
        {
          until_ns = get_end (call);
          last = index->calls[i];
        }
    }
  return gap;
}

static const char *
get_call_name (const NsFindings *self, guint64 row)
{
  return row != 0
             ? ns_call_kind_to_text (NS_ROW_AT (self->trace->calls, NsCallRow, (NsRow) row)->kind)
             : NULL;
}

static void
report_gaps (NsFindings *self, NsFindingGroup *group)
{
  /* A call within the gap may be among the lost events. */
  group->is_absence = TRUE;
  ns_findings_report_sentence (
      self,
      group,
      NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      group->sum_a != 0
          /* Translators: do not translate the words in braces; before and after are calls. */
          ? _ ("{process}: for up to {longest} during a request to {subject}, between {before} and "
               "{after}, the program neither sent data nor waited for anything (requests: "
               "{count}).")
          : _ ("{process}: for up to {longest} during a request to {subject}, between two "
               "transfers of WinHTTP, the program neither sent data nor waited for anything "
               "(requests: {count})."),
      "before",
      get_call_name (self, group->sum_a),
      "after",
      get_call_name (self, group->sum_b),
      NULL);
}

static Gap
find_gap_of (const NsTrace *trace, CallIndex *index, const NsActivityRow *row)
{
  NsTimeSpan within = { row->open_ns,
                        row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns };
  Gap gap = { { 0, 0 }, 0, 0 };

  if (row->winsock != 0 && row->winsock <= trace->winsock->len)
    {
      index_socket (trace, index, row->winsock);
      if (get_first (index, row->winsock) < get_last (index, row->winsock))
        return find_gap (trace, index, row->winsock, &within);
    }
  if (row->webio != 0 && row->webio <= trace->webio->len)
    gap.span = NS_ROW_AT (trace->webio, NsWebioRow, row->webio)->gap;
  return gap;
}

static void
add_gap (NsFindings *self, NsRow activity, const Gap *gap)
{
  const NsActivityRow *row = ROW (self->trace, activity - 1);
  g_autofree char *host = ns_findings_dup_host (self, row->server, row->remote);
  NsFindingGroup *group =
      ns_findings_group (self, row->pid, host, gap->before != 0 ? NULL : "transfers");

  if (ns_time_between (gap->span.begin_ns, gap->span.end_ns) > group->worst_ns)
    {
      group->sum_a = gap->before;
      group->sum_b = gap->after;
    }
  ns_findings_add (group, NS_TABLE_ACTIVITIES, activity, 0, gap->span.begin_ns, gap->span.end_ns);
  if (gap->before != 0)
    {
      ns_findings_add_ref (group, NS_TABLE_CALLS, gap->before);
      ns_findings_add_ref (group, NS_TABLE_CALLS, gap->after);
    }
  ns_findings_mark_at (self, group, gap->span.begin_ns);
  ns_findings_mark_at (self, group, gap->span.end_ns);
}

/* Returns whether a TLS handshake fills the gap, although no call was recorded. */
static gboolean
is_handshake (const NsActivityRow *row, const Gap *gap)
{
  gint64 tls_ns = ns_activity_row_get_phase (row, NS_PHASE_TLS);

  return tls_ns / 4 >= ns_time_between (gap->span.begin_ns, gap->span.end_ns) / 5;
}

/* Finds pauses of programs: waiting for an answer is a call, so without any call the program did
 * something else. */
void
ns_find_gaps (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_auto (CallIndex) index = { self->calls, NULL, NULL };
  guint n;

  for (n = 0; n < self->operations->requests->len; n++)
    {
      guint i = g_array_index (self->operations->requests, NsFindingRequest, n).row;
      const NsActivityRow *row = ROW (trace, i);
      gint64 length_ns = ns_time_between (row->open_ns, ns_findings_end (self, row->close_ns));
      Gap gap;

      if (length_ns < GAP_NS (self))
        continue;
      gap = find_gap_of (trace, &index, row);
      if (ns_time_between (gap.span.begin_ns, gap.span.end_ns) >= GAP_NS (self) &&
          ns_time_between (gap.span.begin_ns, gap.span.end_ns) / GAP_PERCENT (self) >=
              length_ns / 100 &&
          !is_handshake (row, &gap) && !ns_findings_is_held_back (self, row))
        add_gap (self, i + 1, &gap);
    }
  ns_findings_report_groups (self, report_gaps);
}
