/* Text of findings, and small queries on rows that several rules share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"
#include "engine/activities/ns-code-origin.h"
#include "engine/trace/ns-namer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A path segment with this many digits identifies one item of many. */
#define MIN_ID_DIGITS 4
/* Maximum number of names and values of a sentence, with the terminator. */
#define MAX_VALUES 21
#define NS_PER_HOUR (3600 * NS_PER_SECOND)
#define NS_PER_DAY (24 * NS_PER_HOUR)
/* Tolerance for records of a request that are logged after its end. */
#define SAME_MOMENT_NS NS_PER_MS

const char *
ns_severity_to_text (NsSeverity severity)
{
  static const char *const names[] = { "info", "warning", "problem" };

  return names[severity];
}

const char *
ns_verdict_to_text (NsVerdict verdict)
{
  static const char *const names[] = { "found", "cannot be judged", "not found" };

  return names[verdict];
}

const char *
ns_finding_trust_to_text (NsFindingTrust trust)
{
  static const char *const names[] = { "low", "medium", "high" };

  return names[trust];
}

/* Returns the text of a string ID; "" if there is none; (transfer none). */
const char *
ns_findings_text (const NsFindings *self, NsString text)
{
  const char *chars = text == NS_STRING_NONE ? NULL : ns_trace_text (self->trace, text);

  return chars != NULL ? chars : "";
}

/* Returns name and ID of the process, such as “OUTLOOK.EXE (4312)”; (transfer full). */
char *
ns_findings_dup_process (const NsFindings *self, const NsFindingGroup *group)
{
  const char *name;

  if (group->pid == NS_PID_UNKNOWN)
    return g_strdup (_ ("A process"));
  name = ns_trace_get_process_name (self->trace, group->pid, group->process_ns);
  if (name != NULL)
    return g_strdup_printf ("%s (%u)", name, group->pid);
  /* Translators: a process of which only the ID is known. */
  return g_strdup_printf (_ ("Process %u"), group->pid);
}

/* Formats a length of time with a readable number of digits; (transfer full). */
char *
ns_findings_dup_span (gint64 span_ns)
{
  double ms = (double) span_ns / NS_PER_MS;

  if (span_ns >= NS_PER_DAY)
    return g_strdup_printf (_ ("%.1f d"), ms / NS_PER_DAY * NS_PER_MS);
  if (span_ns >= NS_PER_HOUR)
    return g_strdup_printf (_ ("%.1f h"), ms / NS_PER_HOUR * NS_PER_MS);
  if (span_ns >= NS_PER_SECOND)
    return g_strdup_printf (_ ("%.2f s"), ms / 1000);
  if (span_ns >= 10 * NS_PER_MS)
    return g_strdup_printf (_ ("%.0f ms"), ms);
  return g_strdup_printf (_ ("%.1f ms"), ms);
}

/* Returns the number of occurrences, to follow a clause; "" for one; (transfer full). */
char *
ns_findings_dup_times (guint32 count)
{
  /* Translators: after a clause, before its full stop. */
  return count == 1 ? g_strdup ("") : g_strdup_printf (_ (" (times: %u)"), count);
}

/* Returns the same for use within brackets, after an error code; (transfer full). */
static char *
dup_also_times (guint32 count)
{
  /* Translators: in brackets, after the name of an error. */
  return count == 1 ? g_strdup ("") : g_strdup_printf (_ (", times: %u"), count);
}

/**
 * ns_findings_dup_function: (skip)
 * @self: the findings of one trace
 * @stack: a call stack, or 0
 * @pid: the process of @stack
 * @time_ns: when @stack was taken
 *
 * Returns: (transfer full) (nullable): the function that started what the call stack shows; %NULL:
 *   not known
 */
char *
ns_findings_dup_function (const NsFindings *self, NsStackId stack, guint32 pid, gint64 time_ns)
{
  NsCodeOrigin origin = ns_code_origin_find (self->trace, stack, pid, time_ns);

  return origin.address == 0 ? NULL
                             : ns_trace_frame_to_function (self->trace,
                                                           pid,
                                                           origin.address,
                                                           time_ns,
                                                           origin.is_return);
}

/* Returns the value of a placeholder; %NULL: unknown placeholder. */
static const char *
find_value (const char *const *values, const char *name, gsize length)
{
  guint i;

  for (i = 0; values[i] != NULL; i += 2)
    if (strlen (values[i]) == length && strncmp (values[i], name, length) == 0)
      return values[i + 1];
  return NULL;
}

static char *
fill_in (const char *sentence, const char *const *values)
{
  GString *text = g_string_new (NULL);

  while (*sentence != '\0')
    {
      gsize n_before = strcspn (sentence, "{");
      gsize length = sentence[n_before] != '\0' ? strcspn (sentence + n_before + 1, "}") : 0;
      const char *value = find_value (values, sentence + n_before + 1, length);

      g_string_append_len (text, sentence, (gssize) n_before);
      sentence += n_before;
      if (*sentence == '\0')
        break;
      g_string_append (text, value != NULL ? value : "?");
      sentence += length + 1;
      sentence += *sentence == '}';
    }
  return g_string_free (text, FALSE);
}

/**
 * ns_findings_report_sentence: (skip)
 * @self: the findings of one trace
 * @group: the group to report
 * @severity: severity of the finding
 * @trust: confidence in it
 * @sentence: a sentence with placeholders in braces: {process}, {subject}, {longest} and {count} of
 *   the group; {times} and {also_times}, which are empty for a count of 1; others
 * @...: names and texts of the other placeholders, terminated by %NULL
 *
 * Reports the group like ns_findings_report(), with placeholders that translators can reorder.
 */
void
ns_findings_report_sentence (NsFindings *self,
                             NsFindingGroup *group,
                             NsSeverity severity,
                             NsFindingTrust trust,
                             const char *sentence,
                             ...)
{
  g_autofree char *process = ns_findings_dup_process (self, group);
  g_autofree char *longest = ns_findings_dup_span (group->worst_ns);
  g_autofree char *count = g_strdup_printf ("%u", group->count);
  g_autofree char *times = ns_findings_dup_times (group->count);
  g_autofree char *also_times = dup_also_times (group->count);
  g_autofree char *subject = g_strdup (group->subject);
  g_autofree char *text = NULL;
  const char *values[MAX_VALUES] = { "process", process, "subject",    subject,
                                     "longest", longest, "count",      count,
                                     "times",   times,   "also_times", also_times };
  guint n = 12;
  va_list arguments;

  va_start (arguments, sentence);
  while (n + 2 < MAX_VALUES && (values[n] = va_arg (arguments, const char *)) != NULL)
    {
      values[n + 1] = va_arg (arguments, const char *);
      n += 2;
    }
  va_end (arguments);
  values[n] = NULL;
  text = fill_in (sentence, values);
  ns_findings_report (self, group, severity, trust, "%s", text);
}

/* Returns the name of a peer, or else its address; @buffer: memory for an address. */
static const char *
get_host (const NsTrace *trace, NsString server, const NsEndpoint *remote, char *buffer)
{
  const char *name = server > NS_STRING_EMPTY ? ns_trace_text (trace, server) : NULL;

  if (server > NS_STRING_EMPTY)
    return name != NULL ? name : "";
  if (ns_ip_is_empty (&remote->ip))
    return _ ("a server");
  return ns_ip_to_text (&remote->ip, buffer);
}

/* Returns the name of a peer, or else its address; (transfer full). */
char *
ns_findings_dup_host (const NsFindings *self, NsString server, const NsEndpoint *remote)
{
  char buffer[NS_IP_TEXT_SIZE];

  return g_strdup (get_host (self->trace, server, remote, buffer));
}

/**
 * ns_findings_hash_peer: (skip)
 * @trace: a trace
 * @pid: a process
 * @server: name of the peer, or none
 * @remote: address of the peer
 *
 * Returns: a hash that is equal for equal processes and equal texts of ns_findings_dup_host()
 */
guint32
ns_findings_hash_peer (const NsTrace *trace, guint32 pid, NsString server, const NsEndpoint *remote)
{
  char buffer[NS_IP_TEXT_SIZE];

  return ns_finding_sieve_mix (ns_hash_text (get_host (trace, server, remote, buffer)), pid);
}

/* Returns name and address of a peer, such as “mail.example.com (203.0.113.24:443)”, or the address
 * alone; (transfer full). */
char *
ns_findings_dup_endpoint (const NsFindings *self, NsString server, const NsEndpoint *remote)
{
  char text[NS_IP_TEXT_SIZE];

  ns_endpoint_to_text (remote, text);
  if (server > NS_STRING_EMPTY)
    return g_strdup_printf ("%s (%s)", ns_findings_text (self, server), text);
  return g_strdup (text);
}

/* Returns the path of a URL without its query, with * for segments that are numbers or identifiers;
 * (transfer full). */
char *
ns_findings_dup_path (const char *url)
{
  const char *start = strstr (url, "://");
  GString *path = g_string_new (NULL);

  start = strchr (start != NULL ? start + 3 : url, '/');
  while (start != NULL && *start == '/')
    {
      gsize length = 1 + strcspn (start + 1, "/?#");
      guint n_digits = 0;
      gsize i;

      for (i = 1; i < length; i++)
        n_digits += g_ascii_isxdigit (start[i]) && !g_ascii_isalpha (start[i]);
      if (n_digits >= MIN_ID_DIGITS || (n_digits > 0 && n_digits == length - 1))
        g_string_append (path, "/*");
      else
        g_string_append_len (path, start, (gssize) length);
      start += length;
    }
  return g_string_free (path, FALSE);
}

/* Returns the end of an operation; open operations end with the trace. */
gint64
ns_findings_end (const NsFindings *self, gint64 close_ns)
{
  return close_ns == NS_TIME_OPEN ? self->trace->end_ns : close_ns;
}

/* Returns the round-trip time of a connection: as TCP measured it, else the length of the handshake
 * unless SYNs were retransmitted; NS_UNKNOWN: not known. */
gint64
ns_findings_connection_rtt (const NsFindings *self, NsRow tcp)
{
  const NsTcpExtra *extra = tcp != 0 && tcp <= self->trace->tcp->len
                                ? NS_ROW_AT (self->trace->tcp, NsTcpRow, tcp)->extra
                                : &ns_tcp_extra_none;

  if (extra->rtt_us > 0)
    return (gint64) extra->rtt_us * 1000;
  return extra->handshake_us > 0 && extra->syn_retransmits == 0
             ? (gint64) extra->handshake_us * 1000
             : NS_UNKNOWN;
}

/* Returns the round-trip time below an operation: of its connection, else of the handshake in
 * packets, else the length of its own connect; NS_UNKNOWN: not known. */
gint64
ns_findings_rtt (const NsFindings *self, const NsActivityRow *activity)
{
  gint64 rtt_ns = ns_findings_connection_rtt (self, activity->tcp);

  if (rtt_ns != NS_UNKNOWN)
    return rtt_ns;
  if (activity->flow != 0 && activity->flow <= self->trace->flows->len)
    {
      const NsFlowRow *flow = NS_ROW_AT (self->trace->flows, NsFlowRow, activity->flow);

      if (flow->kind == NS_FLOW_TCP && MAX (flow->syn_rtt_ns, flow->handshake_ns) > 0)
        return MAX (flow->syn_rtt_ns, flow->handshake_ns);
    }
  return ns_activity_row_get_phase (activity, NS_PHASE_CONNECT) > 0
             ? ns_activity_row_get_phase (activity, NS_PHASE_CONNECT)
             : NS_UNKNOWN;
}

/* A WinHTTP row with a key. */
typedef struct
{
  guint row;
  guint32 before; /* number of the previous entry with the same key and process, from 1; 0: none */
} WebioEntry;

static void
add_key (NsFindings *self, guint64 key, guint32 pid, guint n)
{
  WebioEntry entry = { .row = n };

  if (key == 0)
    return;
  entry.before = ns_map_swap (self->webio, key, pid, self->webio_entries->len + 1);
  g_array_append_val (self->webio_entries, entry);
}

static void
index_webio (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;
  guint j;

  self->webio = ns_map_new ();
  self->webio_entries = g_array_new (FALSE, FALSE, sizeof (WebioEntry));
  for (i = 0; i < trace->webio->len; i++)
    {
      const NsWebioRow *row = &g_array_index (trace->webio, NsWebioRow, i);

      add_key (self, row->request, row->pid, i);
      for (j = 0; j < row->n_conns; j++)
        add_key (self, row->conns[j].connection, row->pid, i);
    }
}

/* Returns the 1-based WinHTTP row that a record is about, by the pointer of the request or of a
 * connection (then @conn is set); 0: none. */
NsRow
ns_findings_find_webio (NsFindings *self, const NsSign *sign, const NsWebioConn **conn)
{
  const NsTrace *trace = self->trace;
  guint32 i;
  guint j;

  if (self->webio == NULL)
    index_webio (self);
  *conn = NULL;
  i = ns_map_get (self->webio, sign->key, sign->pid);
  while (i != 0)
    {
      const WebioEntry *entry = &g_array_index (self->webio_entries, WebioEntry, i - 1);
      const NsWebioRow *row = &g_array_index (trace->webio, NsWebioRow, entry->row);

      i = entry->before;
      if (row->open_ns > sign->time_ns ||
          (ns_time_is_set (row->close_ns) && row->close_ns + SAME_MOMENT_NS < sign->time_ns))
        continue;
      for (j = 0; j < row->n_conns; j++)
        if (row->request == sign->key || row->conns[j].connection == sign->key)
          *conn = &row->conns[j];
      return entry->row + 1;
    }
  return 0;
}

/* Returns the TCP row of the connection between two endpoints at a time, or 0; the endpoints of a
 * packet may be in either order. */
NsRow
ns_findings_find_connection (NsFindings *self,
                             const NsEndpoint *local,
                             const NsEndpoint *remote,
                             gint64 time_ns)
{
  const NsTrace *trace = self->trace;
  guint order;
  guint i;

  if (self->by_ports == NULL)
    {
      self->by_ports = g_hash_table_new (NULL, NULL);
      for (i = 0; i < trace->tcp->len; i++)
        {
          const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);

          g_hash_table_insert (self->by_ports,
                               GUINT_TO_POINTER ((guint) tcp->local->port << 16 |
                                                 tcp->remote->port),
                               GUINT_TO_POINTER (i + 1));
        }
    }
  for (order = 0; order < 2; order++)
    {
      const NsEndpoint *here = order == 0 ? local : remote;
      const NsEndpoint *there = order == 0 ? remote : local;
      guint row = GPOINTER_TO_UINT (
          g_hash_table_lookup (self->by_ports,
                               GUINT_TO_POINTER ((guint) here->port << 16 | there->port)));
      const NsTcpRow *tcp;

      if (row == 0)
        continue;
      tcp = NS_ROW_AT (trace->tcp, NsTcpRow, row);
      if (ns_ip_equal (&tcp->remote->ip, &there->ip) && tcp->open_ns <= time_ns + NS_PER_SECOND)
        return row;
    }
  return 0;
}

/* Returns whether the operation is an HTTP request that this machine sent. */
gboolean
ns_findings_is_request (const NsActivityRow *activity)
{
  return (activity->protocol &
          (NS_LAYER_WININET | NS_LAYER_WINHTTP | NS_LAYER_DOTNET | NS_LAYER_CHROMIUM)) != 0 &&
         activity->parent == 0 && !activity->from_cache && !activity->accepted &&
         activity->url > NS_STRING_EMPTY;
}

/* Returns whether the row is a request that had no complete answer when its connection ended. */
gboolean
ns_findings_was_unanswered_at (const NsActivityRow *row, gint64 end_ns)
{
  return ns_findings_is_request (row) && ns_time_is_set (end_ns) && row->open_ns <= end_ns &&
         (row->close_ns == NS_TIME_OPEN || row->close_ns + SAME_MOMENT_NS >= end_ns) &&
         (row->failed || row->http_status == 0) && !row->cancelled;
}

/* Returns whether the path is a file that clients request without knowing whether it exists. */
gboolean
ns_findings_is_wanted_in_vain (const char *path)
{
  static const char *const names[] = { "favicon",          "autodiscover", "robots.txt",
                                       "apple-touch-icon", ".well-known",  "wpad.dat" };
  g_autofree char *lower = g_ascii_strdown (path, -1);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strstr (lower, names[i]) != NULL)
      return TRUE;
  return FALSE;
}
