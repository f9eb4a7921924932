/* Rule about slow servers: D43.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SLOW_SERVER_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D43_WAIT)
#define SLOW_SERVER_BAD_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D43_PROBLEM)
#define SLOW_SERVER_ROUND_TRIPS(self) ns_findings_limit (self, NS_THRESHOLD_D43_ROUND_TRIPS)
/* The server may delay a longer answer on purpose. */
#define LONG_POLL_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D43_HELD_BACK)
/* Waits count as equal if they differ by no more than one part in this many. */
#define STEADY_PART 5
#define SOCK_STREAM 1

enum
{
  HTTP_SWITCHING = 101,
};

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

/* Returns whether the server delays its answer until an event happens (long polling, upgrades,
 * tunnels). */
gboolean
ns_findings_is_held_back (const NsFindings *self, const NsActivityRow *row)
{
  static const char *const names[] = {
    "poll",    "signalr", "notification", "subscribe", "stream",
    "hanging", "events",  "cmd=ping",     "websocket", "longpoll"
  };
  g_autofree char *url = g_ascii_strdown (ns_findings_text (self, row->url), -1);
  guint i;

  if (row->http_status == HTTP_SWITCHING ||
      strcmp (ns_findings_text (self, row->method), "CONNECT") == 0)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strstr (url, names[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
report_slow_servers (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *worst = ns_findings_dup_span (group->worst_ns);
  g_autofree char *rtt = ns_findings_dup_span ((gint64) group->sum_a);
  gboolean is_doubtful = group->worst_ns >= LONG_POLL_NS (self);
  NsSeverity severity =
      group->worst_ns >= SLOW_SERVER_BAD_NS (self) ? NS_SEVERITY_PROBLEM : NS_SEVERITY_WARNING;

  if (g_str_has_suffix (group->key, "\n" NS_FINDINGS_OF_FILES) ||
      g_str_has_suffix (group->key, "\n" NS_FINDINGS_OF_CALLS))
    ns_findings_report_sentence (
        self,
        group,
        severity,
        is_doubtful ? NS_FINDING_LOW : NS_FINDING_MEDIUM,
        g_str_has_suffix (group->key, "\n" NS_FINDINGS_OF_FILES)
            /* Translators: do not translate the words in braces. */
            ? _ ("{process}: {subject} took up to {longest} to respond to an SMB command{times}.")
            : _ ("{process}: a remote procedure call to {subject} took up to {longest}{times}."),
        NULL);
  else if (group->sum_a > 0)
    ns_findings_report (self,
                        group,
                        severity,
                        is_doubtful ? NS_FINDING_LOW : NS_FINDING_HIGH,
                        _ ("%s: %s needed up to %s before its first byte; the network needed %s "
                           "for a round trip (requests: %u)."),
                        process,
                        group->subject,
                        worst,
                        rtt,
                        group->count);
  else
    ns_findings_report_sentence (self,
                                 group,
                                 severity,
                                 is_doubtful ? NS_FINDING_LOW : NS_FINDING_MEDIUM,
                                 _ ("{process}: {subject} took up to {longest} to send its first "
                                    "byte; the round-trip time is not known (requests: {count})."),
                                 NULL);
}

/* Returns whether it is a request, recorded by its layer or captured in packets. */
static gboolean
is_request (const NsActivityRow *row)
{
  return ns_findings_is_request (row) ||
         ((row->protocol & NS_LAYER_HTTP) != 0 && row->source_table == NS_TABLE_FLOWS &&
          row->parent == 0 && !row->accepted && row->url > NS_STRING_EMPTY);
}

/* Long waits for one path; those of long polling have the length that the server sets. */
typedef struct
{
  gint64 least_ns;
  gint64 most_ns;
  guint n;
} Waits;

static char *
dup_path_key (const NsFindings *self, const NsActivityRow *row)
{
  const char *url = ns_findings_text (self, row->url);

  return g_strdup_printf ("%u %.*s", row->pid, (int) strcspn (url, "?#"), url);
}

static void
add_wait (GHashTable *waits, const char *key, gint64 wait_ns)
{
  Waits *of_key = g_hash_table_lookup (waits, key);

  if (of_key == NULL)
    {
      of_key = g_new0 (Waits, 1);
      of_key->least_ns = G_MAXINT64;
      g_hash_table_insert (waits, g_strdup (key), of_key);
    }
  of_key->least_ns = MIN (of_key->least_ns, wait_ns);
  of_key->most_ns = MAX (of_key->most_ns, wait_ns);
  of_key->n++;
}

static GHashTable *
list_long_waits (const NsFindings *self)
{
  GHashTable *waits = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, g_free);
  guint n;

  for (n = 0; n < self->operations->exchanges->len; n++)
    {
      const NsActivityRow *row =
          ROW (self->trace, g_array_index (self->operations->exchanges, guint, n));
      g_autofree char *key = NULL;
      gint64 wait_ns;

      if (!is_request (row))
        continue;
      wait_ns = ns_activity_row_get_phase (row, NS_PHASE_WAIT);
      if (wait_ns < LONG_POLL_NS (self))
        continue;
      key = dup_path_key (self, row);
      add_wait (waits, key, wait_ns);
    }
  return waits;
}

static gboolean
is_alike (const Waits *waits)
{
  return waits != NULL && waits->n > 1 &&
         waits->most_ns - waits->least_ns <= waits->most_ns / STEADY_PART;
}

/* Returns whether the server always takes about the same long time for this path, that is, delays
 * on purpose; @waits: (inout): the long waits, %NULL until needed. */
static gboolean
is_steady (const NsFindings *self, GHashTable **waits, const NsActivityRow *row, gint64 wait_ns)
{
  g_autofree char *key = wait_ns >= LONG_POLL_NS (self) ? dup_path_key (self, row) : NULL;

  if (key == NULL)
    return FALSE;
  if (*waits == NULL)
    *waits = list_long_waits (self);
  return is_alike (g_hash_table_lookup (*waits, key));
}

/* A send of a plain socket, or a receive with data. */
typedef struct
{
  NsRow socket;
  NsRow call;
  gint64 time_ns;
  gboolean is_send;
} Step;

static gint
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *left = a;
  const Step *right = b;

  if (left->socket != right->socket)
    return left->socket < right->socket ? -1 : 1;
  if (left->time_ns != right->time_ns)
    return left->time_ns < right->time_ns ? -1 : 1;
  return (left->call > right->call) - (left->call < right->call);
}

/* Returns, by socket row, whether a library recorded the requests above it; (transfer full). */
static gboolean *
list_used (const NsTrace *trace)
{
  gboolean *used = g_new0 (gboolean, trace->winsock->len + 1);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    if ((ns_findings_is_request (ROW (trace, i)) || ROW (trace, i)->ldap != 0) &&
        ROW (trace, i)->winsock <= trace->winsock->len)
      used[ROW (trace, i)->winsock] = TRUE;
  return used;
}

/* Returns whether another rule judges servers of this port: DNS, LDAP. */
static gboolean
has_own_rule (guint16 port)
{
  static const guint16 ports[] = { 53, 389, 636, 3268, 3269 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ports); i++)
    if (ports[i] == port)
      return TRUE;
  return FALSE;
}

/* Returns whether it is the socket of a TCP client without an HTTP library above it, and no other
 * rule covers the port. */
static gboolean
is_plain (const NsTrace *trace, const gboolean *used, NsRow row)
{
  const NsLayerSet above =
      NS_LAYER_WINHTTP | NS_LAYER_WININET | NS_LAYER_DOTNET | NS_LAYER_CHROMIUM;
  const NsWinsockRow *socket =
      row != 0 && row <= trace->winsock->len ? NS_ROW_AT (trace->winsock, NsWinsockRow, row) : NULL;

  return socket != NULL && socket->socket_type == SOCK_STREAM && !socket->accepted &&
         !socket->listening && (socket->layers & above) == 0 && !used[row] &&
         !has_own_rule (socket->remote->port);
}

/* Fills in the steps of a socket, sorted by time. */
static void
read_steps (const NsFindings *self, NsRow socket, GArray *steps)
{
  guint i;

  g_array_set_size (steps, 0);
  for (i = self->calls->first[socket]; i < self->calls->first[socket + 1]; i++)
    {
      NsRow row = self->calls->rows[i];
      const NsCallRow *call = NS_ROW_AT (self->trace->calls, NsCallRow, row);
      gboolean is_send = call->kind == NS_CALL_SEND;
      Step step = { socket, row, is_send ? call->open_ns : call->close_ns, is_send };

      if ((is_send || call->kind == NS_CALL_RECV) && ns_time_is_set (step.time_ns) &&
          (!call->has_status || call->status == 0) &&
          (is_send || call->length > 0 || call->ret > 0))
        g_array_append_val (steps, step);
    }
  g_array_sort (steps, compare_steps);
}

/* Returns the last send before the first byte of its answer, which is step @n; %NULL: step @n
 * continues an answer. */
static const Step *
find_question (const GArray *steps, guint n)
{
  const Step *answer = &g_array_index (steps, Step, n);
  const Step *question = n > 0 ? &g_array_index (steps, Step, n - 1) : NULL;

  return !answer->is_send && question != NULL && question->is_send &&
                 question->socket == answer->socket
             ? question
             : NULL;
}

/* Returns when the program began to wait for the answer; before, it did something else. */
static gint64
get_begin (const NsTrace *trace, const Step *question, const Step *answer)
{
  gint64 asked_ns = NS_ROW_AT (trace->calls, NsCallRow, answer->call)->open_ns;

  return ns_time_is_set (asked_ns) ? MAX (asked_ns, question->time_ns) : question->time_ns;
}

static char *
dup_peer (const NsWinsockRow *socket)
{
  char text[NS_IP_TEXT_SIZE];

  return g_strdup_printf ("%u %s", socket->pid, ns_endpoint_to_text (socket->remote, text));
}

/* An answer that a plain socket waited for. */
typedef struct
{
  Step question;
  Step answer;
  gint64 begin_ns;
} Wait;

/* Returns the long waits of plain sockets, sorted by socket and time; (transfer full) (element-type
 * Wait). */
static GArray *
list_waits (const NsFindings *self)
{
  const NsTrace *trace = self->trace;
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autofree gboolean *used = NULL;
  guint socket;
  guint i;

  for (socket = 1; self->calls->has_sends && socket <= trace->winsock->len; socket++)
    {
      if (self->calls->n_sends[socket] == 0)
        continue;
      read_steps (self, socket, steps);
      for (i = 0; i < steps->len; i++)
        {
          const Step *answer = &g_array_index (steps, Step, i);
          const Step *question = find_question (steps, i);
          gint64 begin_ns =
              question != NULL ? get_begin (trace, question, answer) : answer->time_ns;
          Wait wait = { .answer = *answer, .begin_ns = begin_ns };

          if (ns_time_between (begin_ns, answer->time_ns) < SLOW_SERVER_NS (self))
            continue;
          if (used == NULL)
            used = list_used (trace);
          if (!is_plain (trace, used, socket))
            break;
          wait.question = *question;
          g_array_append_val (waits, wait);
        }
    }
  return waits;
}

/* Groups the answers that plain sockets waited for. */
static void
gather_plain (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GArray) list = list_waits (self);
  g_autoptr (GHashTable) waits = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, g_free);
  guint pass;
  guint i;

  /* The first pass collects the long waits, the second judges them against each other. */
  for (pass = 0; pass < 2; pass++)
    for (i = 0; i < list->len; i++)
      {
        const Wait *wait = &g_array_index (list, Wait, i);
        gint64 wait_ns = ns_time_between (wait->begin_ns, wait->answer.time_ns);
        const NsWinsockRow *socket = NS_ROW_AT (trace->winsock, NsWinsockRow, wait->answer.socket);
        g_autofree char *peer = dup_peer (socket);
        g_autofree char *host = NULL;
        NsFindingGroup *group;
        gint64 rtt_ns;

        if (pass == 0)
          {
            if (wait_ns >= LONG_POLL_NS (self))
              add_wait (waits, peer, wait_ns);
            continue;
          }
        rtt_ns = ns_findings_connection_rtt (self, socket->tcp);
        if (wait_ns / SLOW_SERVER_ROUND_TRIPS (self) < rtt_ns ||
            (wait_ns >= LONG_POLL_NS (self) && is_alike (g_hash_table_lookup (waits, peer))))
          continue;
        host = ns_findings_dup_endpoint (self, socket->server, socket->remote);
        group = ns_findings_group (self, socket->pid, host, "socket");
        group->sum_a = MAX (group->sum_a, rtt_ns == NS_UNKNOWN ? 0 : (guint64) rtt_ns);
        ns_findings_add (group,
                         NS_TABLE_CALLS,
                         wait->answer.call,
                         socket->activity,
                         wait->begin_ns,
                         wait->answer.time_ns);
        ns_findings_add_ref (group, NS_TABLE_CALLS, wait->question.call);
        ns_findings_mark_at (self, group, wait->question.time_ns);
        ns_findings_mark_at (self, group, wait->answer.time_ns);
      }
}

void
ns_find_slow_servers (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) waits = NULL;
  guint n;

  for (n = 0; n < self->operations->exchanges->len; n++)
    {
      guint i = g_array_index (self->operations->exchanges, guint, n);
      const NsActivityRow *row = ROW (trace, i);
      g_autofree char *host = NULL;
      NsFindingGroup *group;
      gint64 first_ns;
      gint64 wait_ns;
      gint64 rtt_ns;

      if (!is_request (row) || !ns_time_is_set (row->first_byte_ns))
        continue;
      wait_ns = ns_activity_row_get_phase (row, NS_PHASE_WAIT);
      if (wait_ns < SLOW_SERVER_NS (self))
        continue;
      rtt_ns = ns_findings_rtt (self, row);
      if (wait_ns / SLOW_SERVER_ROUND_TRIPS (self) < rtt_ns ||
          ns_findings_is_held_back (self, row) || is_steady (self, &waits, row, wait_ns))
        continue;
      host = ns_findings_dup_host (self, row->server, row->remote);
      group = ns_findings_group (self, row->pid, host, NULL);
      group->sum_a = MAX (group->sum_a, rtt_ns == NS_UNKNOWN ? 0 : (guint64) rtt_ns);
      first_ns = row->first_byte_ns;
      ns_findings_add (group,
                       NS_TABLE_ACTIVITIES,
                       i + 1,
                       0,
                       ns_time_after (first_ns, -wait_ns),
                       first_ns);
      ns_findings_mark_at (self, group, ns_time_after (first_ns, -wait_ns));
      ns_findings_mark_at (self, group, first_ns);
    }
  gather_plain (self);
  ns_findings_add_slow_calls (self);
  ns_findings_report_groups (self, report_slow_servers);
}
