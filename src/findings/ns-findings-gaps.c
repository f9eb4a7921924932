/* Rules about what programs do with their sockets during a request: D13, D29, D38.
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
#define SAME_MOMENT_NS NS_PER_MS
#define GAP_NS ns_threshold_get_ns (NS_THRESHOLD_D29_GAP)
#define GAP_PERCENT ns_threshold_get (NS_THRESHOLD_D29_SHARE)
#define BLOCKED_NS ns_threshold_get_ns (NS_THRESHOLD_D38_BLOCKED)
#define BLOCKED_BAD_NS ns_threshold_get_ns (NS_THRESHOLD_D38_PROBLEM)
/* Whose side ended a connection too early. */
#define BY_PEER "peer"
#define BY_US "us"

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

/* When the stream of a socket ended: the peer sent no more, or this machine broke it off. */
typedef struct
{
  gint64 by_peer_ns;
  gint64 by_us_ns;
  NsRow call;
} End;

/* By row of the table of sockets; (transfer full). */
static End *
list_ends (const NsTrace *trace)
{
  End *ends = g_new (End, trace->winsock->len + 1);
  guint i;

  for (i = 0; i <= trace->winsock->len; i++)
    ends[i] = (End){ NS_TIME_NONE, NS_TIME_NONE, 0 };
  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      End *end = call->winsock <= trace->winsock->len ? &ends[call->winsock] : &ends[0];
      gboolean is_receive = g_strcmp0 (call->call, "recv") == 0;

      if (call->winsock == 0 || !ns_time_is_set (call->close_ns))
        continue;
      if (g_strcmp0 (call->call, "abort") == 0 ||
          (is_receive && call->has_status && call->status == STATUS_ABORTED))
        end->by_us_ns = call->close_ns;
      else if (is_receive && call->has_status && call->status == 0 && call->ret == 0)
        end->by_peer_ns = call->close_ns;
      else if (is_receive && call->ret > 0)
        end->by_peer_ns = NS_TIME_NONE; /* it had asked for nothing, to be told of something */
      else
        continue;
      end->call = i + 1;
    }
  return ends;
}

/* Whether the request had no whole answer when its connection ended. */
static gboolean
was_under_way (const NsActivityRow *row, gint64 end_ns)
{
  return ns_time_is_set (end_ns) && row->open_ns <= end_ns &&
         (row->close_ns == NS_TIME_OPEN || row->close_ns + SAME_MOMENT_NS >= end_ns) &&
         (row->failed || row->http_status == 0) && !row->cancelled;
}

static void
tell_early_ends (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *got = g_strdup_printf ("%" G_GUINT64_FORMAT, group->sum_a);
  g_autofree char *announced = g_strdup_printf ("%" G_GUINT64_FORMAT, group->sum_b);
  gboolean is_peer = g_str_has_suffix (group->key, BY_PEER);
  const char *sentence;

  if (strstr (group->key, "\nunfinished ") != NULL)
    /* Translators: the words in braces stay as they are. */
    sentence = _ ("{process}: {subject} ended the connection after {got} bytes, before the whole "
                  "answer was there (requests: {count}).");
  else if (group->sum_b > 0)
    sentence =
        is_peer
            /* Translators: the words in braces stay as they are. */
            ? _ ("{process}: {subject} ended the connection after {got} of {announced} announced "
                 "bytes (requests: {count}).")
            : _ ("{process}: the connection to {subject} was broken off on this machine after "
                 "{got} of {announced} announced bytes (requests: {count}).");
  else
    sentence = is_peer ? _ ("{process}: {subject} ended the connection before the answer was there "
                            "(requests: {count}).")
                       : _ ("{process}: the connection to {subject} was broken off on this machine "
                            "before the answer was there (requests: {count}).");
  ns_findings_say (self,
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

/* By row of TCP when this machine broke the connection off, as TCPIP says; (transfer full). */
static End *
list_aborts (const NsTrace *trace)
{
  End *ends = g_new (End, trace->tcp->len + 1);
  guint i;

  for (i = 0; i <= trace->tcp->len; i++)
    ends[i] = (End){ NS_TIME_NONE, NS_TIME_NONE, 0 };
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      /* A connection that the peer has reset is aborted here, too. */
      if (sign->source == NS_SIGN_TCPIP && sign->id == 1039 && sign->tcp != 0 &&
          sign->tcp <= trace->tcp->len && (guint32) sign->value != STATUS_RESET &&
          ends[sign->tcp].by_us_ns == NS_TIME_NONE)
        ends[sign->tcp].by_us_ns = sign->time_ns;
    }
  return ends;
}

/* What is known of the answer to a request of WinHTTP or WinINet. */
typedef struct
{
  const NsSign *head;
  const NsSign *end; /* after which nothing came: no bytes, or an error */
} Answer;

/* By row of its table; (transfer full). */
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
          answers[request].end = NULL; /* it belonged to what came before */
        }
    }
  return answers;
}

/* The same of WinINet: what record 203 says of the length. */
static Answer *
list_lengths (const NsTrace *trace)
{
  Answer *answers = g_new0 (Answer, trace->wininet->len + 1);
  g_autoptr (GHashTable) rows = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint at = 0;
  guint i;

  /* Handles are used again: each record belongs to the newest request before it. */
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      guint row;

      if (sign->source != NS_SIGN_WININET || sign->id != 203)
        continue;
      for (; at < trace->wininet->len &&
             g_array_index (trace->wininet, NsWininetRow, at).open_ns <= sign->time_ns;
           at++)
        {
          const NsWininetRow *request = &g_array_index (trace->wininet, NsWininetRow, at);

          g_hash_table_insert (rows, (gpointer) &request->connect, GUINT_TO_POINTER (at + 1));
          g_hash_table_insert (rows, (gpointer) &request->request, GUINT_TO_POINTER (at + 1));
        }
      row = GPOINTER_TO_UINT (g_hash_table_lookup (rows, &sign->key));
      if (row != 0)
        answers[row].head = sign;
    }
  return answers;
}

/* Answers that have no body whatever their head says. */
static gboolean
has_body (const NsFindings *self, const NsActivityRow *row, const NsSign *head)
{
  return strcmp (ns_findings_text (self, row->method), "HEAD") != 0 && head->value != 204 &&
         head->value != 304;
}

/* How many bytes of the body are missing; 0: none, or nobody knows. */
static guint64
get_missing (const NsFindings *self,
             const NsActivityRow *row,
             guint64 n_received,
             const NsSign *head,
             guint64 *got)
{
  *got = n_received > head->n_bytes ? n_received - head->n_bytes : 0;
  if (!has_body (self, row, head))
    return 0;
  if ((head->flags & NS_ANSWER_CHUNKED) != 0)
    return row->failed && row->http_status < 400 ? 1 : 0;
  return head->count > 0 && (guint64) head->count > *got ? (guint64) head->count - *got : 0;
}

/* Who ended a stream of which bytes are missing, and when; %NS_TIME_NONE: nobody did. */
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

/* The head of the answer said more than came. */
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

/* No answer was there at all. */
static void
add_unanswered (NsFindings *self, NsRow activity, const Answer *answer, const End *end)
{
  const NsActivityRow *row = ROW (self->trace, activity - 1);
  g_autofree char *subject = NULL;
  NsFindingGroup *group;
  gboolean is_ours = was_under_way (row, end->by_us_ns);
  gint64 end_ns = is_ours ? end->by_us_ns : end->by_peer_ns;
  gboolean is_told = !is_ours && answer != NULL && answer->head == NULL && answer->end != NULL &&
                     answer->end->value == 0;

  if (!ns_time_is_set (end_ns) && is_told)
    end_ns = answer->end->time_ns;
  if (!is_ours && !was_under_way (row, end_ns))
    return;
  subject = ns_findings_dup_endpoint (self, row->server, row->remote);
  group = ns_findings_group (self, row->pid, subject, is_ours ? BY_US : BY_PEER);
  if (is_told)
    ns_findings_mark (group, answer->end->event);
  ns_findings_mark_at (self, group, end_ns);
  ns_findings_add (group, NS_TABLE_ACTIVITIES, activity, 0, row->open_ns, end_ns);
  if (end->call != 0)
    ns_findings_add_ref (group, NS_TABLE_CALLS, end->call);
}

/* Browsers compare both lengths themselves. */
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

/* What sockets and TCPIP tell of the end of a connection. */
static End
join_ends (const End *of_socket, const End *of_tcp)
{
  End end = *of_socket;

  if (end.by_us_ns == NS_TIME_NONE)
    end.by_us_ns = of_tcp->by_us_ns;
  return end;
}

void
ns_find_early_ends (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree End *ends = list_ends (trace);
  g_autofree End *aborts = list_aborts (trace);
  g_autofree Answer *answers = list_answers (self);
  g_autofree Answer *lengths = list_lengths (trace);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = ROW (trace, i);
      End end = join_ends (row->winsock <= trace->winsock->len ? &ends[row->winsock] : &ends[0],
                           row->tcp <= trace->tcp->len ? &aborts[row->tcp] : &aborts[0]);
      const Answer *answer = NULL;
      guint64 n_received = row->received;

      if (!ns_findings_is_request (row) || add_browser (self, i + 1))
        continue;
      if (row->webio != 0 && row->webio <= trace->webio->len)
        {
          answer = &answers[row->webio];
          n_received = g_array_index (trace->webio, NsWebioRow, row->webio - 1).received;
        }
      else if (row->wininet != 0 && row->wininet <= trace->wininet->len)
        {
          answer = &lengths[row->wininet];
          n_received = g_array_index (trace->wininet, NsWininetRow, row->wininet - 1).received;
        }
      if (answer == NULL || !add_short (self, i + 1, n_received, answer, &end))
        add_unanswered (self, i + 1, answer, &end);
    }
  ns_findings_tell (self, tell_early_ends);
}

/* The calls of each socket in the order of their begin: those of socket s are
 * calls[first[s]] … calls[first[s + 1] - 1]. */
typedef struct
{
  guint *first;
  NsRow *calls;
} Index;

static void
index_clear (Index *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->calls, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Index, index_clear)

/* Calls whose begin is not known belong nowhere. */
static NsRow
get_socket (const NsTrace *trace, guint n)
{
  const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, n);

  return ns_time_is_set (call->open_ns) ? call->winsock : 0;
}

/* Calls stand in the table as they were entered. */
static void
index_calls (const NsTrace *trace, Index *self)
{
  guint n_sockets = trace->winsock->len;
  guint *next = g_new0 (guint, n_sockets + 2);
  guint i;

  self->first = g_new0 (guint, n_sockets + 2);
  self->calls = g_new (NsRow, trace->calls->len + 1);
  for (i = 0; i < trace->calls->len; i++)
    {
      NsRow socket = get_socket (trace, i);

      if (socket <= n_sockets)
        self->first[socket + 1]++;
    }
  for (i = 0; i <= n_sockets; i++)
    self->first[i + 1] += self->first[i];
  memcpy (next, self->first, (n_sockets + 2) * sizeof (guint));
  for (i = 0; i < trace->calls->len; i++)
    {
      NsRow socket = get_socket (trace, i);

      if (socket <= n_sockets)
        self->calls[next[socket]++] = i + 1;
    }
  g_free (next);
}

static const NsCallRow *
get_call (const NsTrace *trace, const Index *index, guint n)
{
  return &g_array_index (trace->calls, NsCallRow, index->calls[n] - 1);
}

/* The first of the socket's calls that begins then or later. */
static guint
find_call (const NsTrace *trace, const Index *index, NsRow socket, gint64 from_ns)
{
  guint low = index->first[socket];
  guint high = index->first[socket + 1];

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

/* What has not ended goes on. */
static gint64
get_end (const NsCallRow *call)
{
  return ns_time_is_set (call->close_ns) ? call->close_ns : G_MAXINT64;
}

/* The longest time between two calls within the span in which none was under way. */
static NsTimeSpan
find_gap (const NsTrace *trace, const Index *index, NsRow socket, const NsTimeSpan *within)
{
  guint begin = find_call (trace, index, socket, within->begin_ns);
  NsTimeSpan gap = { 0, 0 };
  gint64 until_ns = G_MININT64;
  guint i;

  /* The one before may reach into the span. */
  if (begin > index->first[socket])
    until_ns = get_end (get_call (trace, index, begin - 1));
  for (i = begin; i < index->first[socket + 1]; i++)
    {
      const NsCallRow *call = get_call (trace, index, i);

      if (call->open_ns > within->end_ns)
        break;
      if (i > begin && call->open_ns > until_ns &&
          call->open_ns - until_ns > gap.end_ns - gap.begin_ns)
        gap = (NsTimeSpan){ until_ns, call->open_ns };
      until_ns = MAX (until_ns, get_end (call));
    }
  return gap;
}

static void
tell_gaps (NsFindings *self, NsFindingGroup *group)
{
  ns_findings_say (self,
                   group,
                   NS_SEVERITY_WARNING,
                   NS_FINDING_MEDIUM,
                   /* Translators: the words in braces stay as they are. */
                   _ ("{process}: for up to {longest} in the middle of a request to {subject} the "
                      "program neither sent nor waited for anything (requests: {count})."),
                   NULL);
}

/* Waiting for an answer is a call; between calls the program was busy with something else. */
void
ns_find_gaps (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_auto (Index) index = { 0 };
  guint i;

  if (trace->calls->len == 0)
    return;
  index_calls (trace, &index);
  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = ROW (trace, i);
      NsTimeSpan within = { row->open_ns, ns_findings_end (self, row->close_ns) };
      gint64 length_ns = ns_time_between (within.begin_ns, within.end_ns);
      g_autofree char *host = NULL;
      NsFindingGroup *group;
      NsTimeSpan gap;

      if (!ns_findings_is_request (row) || row->winsock == 0 ||
          row->winsock > trace->winsock->len || length_ns < GAP_NS ||
          ns_findings_is_held_back (self, row))
        continue;
      gap = find_gap (trace, &index, row->winsock, &within);
      if (gap.end_ns - gap.begin_ns < GAP_NS ||
          (gap.end_ns - gap.begin_ns) / GAP_PERCENT < length_ns / 100)
        continue;
      host = ns_findings_dup_host (self, row->server, row->remote);
      group = ns_findings_group (self, row->pid, host, NULL);
      ns_findings_add (group, NS_TABLE_ACTIVITIES, i + 1, 0, gap.begin_ns, gap.end_ns);
    }
  ns_findings_tell (self, tell_gaps);
}

/* What a stack says of its thread. */
enum
{
  HAS_WINDOWS = 1, /* it runs what windows are told */
  PUMPS = 2,       /* and COM, which lets them be told more while it waits */
};

static gboolean
is_named (const NsTrace *trace, NsRow image, const char *name)
{
  const char *text =
      image != 0 ? ns_trace_text (trace, g_array_index (trace->images, NsImageRow, image - 1).name)
                 : NULL;

  return text != NULL && g_ascii_strcasecmp (text, name) == 0;
}

/* Code that user32.dll has called handles a message of a window. */
static guint
read_stack (const NsTrace *trace, NsStackId stack, guint32 pid, gint64 time_ns)
{
  guint n_frames = 0;
  const guint64 *frames = stack != 0 ? ns_stacks_get (trace->stacks, stack, &n_frames) : NULL;
  guint found = 0;
  guint i;

  for (i = 1; i < n_frames; i++)
    {
      NsRow image;

      if (ns_trace_is_kernel_address (trace, frames[i]))
        continue;
      image = ns_trace_find_image (trace, pid, frames[i], time_ns);
      if (is_named (trace, image, "combase.dll") || is_named (trace, image, "ole32.dll"))
        found |= PUMPS;
      else if (is_named (trace, image, "user32.dll"))
        return found | HAS_WINDOWS;
    }
  return 0;
}

/* A look-up keeps its caller; a connect or receive does when it began and ended on one thread that
 * wrote nothing in between. */
static gboolean
is_blocking (const NsCallRow *call)
{
  gboolean is_name = g_strcmp0 (call->call, "getaddrinfo") == 0;

  if (!is_name && (call->tid != call->tid_done ||
                   (g_strcmp0 (call->call, "connect") != 0 && g_strcmp0 (call->call, "recv") != 0)))
    return FALSE;
  return ns_time_is_set (call->open_ns) && ns_time_is_set (call->close_ns) &&
         call->close_ns - call->open_ns >= BLOCKED_NS;
}

static gint64
thread_key (guint32 pid, guint32 tid)
{
  return (gint64) ((guint64) pid << 32 | tid);
}

/* The threads that were kept: process and thread → what their stacks say, 0 so far. */
static GHashTable *
list_threads (const NsTrace *trace)
{
  GHashTable *threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      gint64 key = thread_key (call->pid, call->tid);

      if (is_blocking (call))
        g_hash_table_replace (threads, g_memdup2 (&key, sizeof key), NULL);
    }
  return threads;
}

/* Which of them were seen to handle messages of windows. */
static void
look_at_stacks (const NsTrace *trace, GHashTable *threads)
{
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = ROW (trace, i);
      gint64 key = thread_key (row->pid, row->stack_tid);
      gpointer known = NULL;
      guint found;

      if (row->stack == 0 || !g_hash_table_lookup_extended (threads, &key, NULL, &known) ||
          known != NULL)
        continue;
      found = read_stack (trace, row->stack, row->pid, row->open_ns);
      if (found != 0)
        g_hash_table_replace (threads, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (found));
    }
}

static void
tell_blocked_windows (NsFindings *self, NsFindingGroup *group)
{
  gboolean pumps = (group->sum_a & PUMPS) != 0;

  ns_findings_say (
      self,
      group,
      pumps                               ? NS_SEVERITY_INFO
      : group->worst_ns >= BLOCKED_BAD_NS ? NS_SEVERITY_PROBLEM
                                          : NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      /* Translators: the words in braces stay as they are; the subject is a function. */
      _ ("{process}: a thread that serves a window was in {subject} for up to {longest} (times: "
         "{count})."),
      NULL);
}

void
ns_find_blocked_windows (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) threads = list_threads (trace);
  guint i;

  if (g_hash_table_size (threads) == 0)
    return;
  look_at_stacks (trace, threads);
  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      gint64 key = thread_key (call->pid, call->tid);
      guint found = GPOINTER_TO_UINT (g_hash_table_lookup (threads, &key));
      NsFindingGroup *group;

      if (found == 0 || !is_blocking (call))
        continue;
      group = ns_findings_group (self, call->pid, call->call, NULL);
      group->sum_a |= found;
      ns_findings_add (group, NS_TABLE_CALLS, i + 1, call->activity, call->open_ns, call->close_ns);
    }
  ns_findings_tell (self, tell_blocked_windows);
}
