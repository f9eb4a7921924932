/* The fields of the master table: one row per network operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-below.h"
#include "engine/activities/ns-chain.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/system/ns-sched.h"
#include "engine/tasks/ns-pool-wait.h"
#include "findings/ns-finding.h"
#include "query/ns-blame.h"
#include "query/ns-field-code.h"
#include "query/ns-field-text.h"
#include "query/ns-field-tls.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define AT(member) NS_FIELD_AT (NS_TABLE_ACTIVITIES, NsActivityRow, member)
#define AT2(first, second) NS_FIELD_AT2 (NS_TABLE_ACTIVITIES, NsActivityRow, first, second)
#define PHASE(phase) ((guint) NS_TABLE_ACTIVITIES << (2 * NS_FIELD_OFFSET_BITS) | (phase))

#define PHASE_KEY(text)                                                                            \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }
/* Maximum length of a number, `-9223372036854775808`. */
#define MAX_NUMBER 20
/* Size with which each key is copied; a fixed size is faster. */
#define MAX_PHASE_KEY 16

/* Keys, each as the text before its number. */
static const struct
{
  char text[MAX_PHASE_KEY];
  guint8 length;
} phase_keys[NS_N_PHASES] = {
  [NS_PHASE_POOL] = PHASE_KEY ("{\"pool_ns\":"),
  [NS_PHASE_QUEUE] = PHASE_KEY (",\"queue_ns\":"),
  [NS_PHASE_PROXY] = PHASE_KEY (",\"proxy_ns\":"),
  [NS_PHASE_DNS] = PHASE_KEY (",\"dns_ns\":"),
  [NS_PHASE_CONNECT] = PHASE_KEY (",\"connect_ns\":"),
  [NS_PHASE_TLS] = PHASE_KEY (",\"tls_ns\":"),
  [NS_PHASE_SEND] = PHASE_KEY (",\"send_ns\":"),
  [NS_PHASE_WAIT] = PHASE_KEY (",\"wait_ns\":"),
  [NS_PHASE_RECEIVE] = PHASE_KEY (",\"receive_ns\":"),
  [NS_PHASE_OTHER] = PHASE_KEY (",\"other_ns\":"),
};

/* Text for rows without phases, which are most: the same as that of the loop over the keys. */
static const char no_phases[] =
    "{\"pool_ns\":null,\"queue_ns\":null,\"proxy_ns\":null,\"dns_ns\":null,\"connect_ns\":null,"
    "\"tls_ns\":null,\"send_ns\":null,\"wait_ns\":null,\"receive_ns\":null,\"other_ns\":null}";

static void
set_string (const NsTrace *trace, NsString id, NsFieldValue *value)
{
  ns_field_set_chars (value, id == NS_STRING_NONE ? NULL : ns_trace_text (trace, id));
}

static const NsActivityRow *
get_row (const NsTrace *trace, guint row)
{
  return &g_array_index (trace->activities, NsActivityRow, row);
}

/* Returns the .NET request of the row. */
static const NsDotnetRow *
get_dotnet (const NsTrace *trace, const NsActivityRow *activity)
{
  NsRow source = ns_activity_row_get_source (activity, NS_TABLE_DOTNET);

  return source != 0 && source <= trace->dotnet->len
             ? NS_ROW_AT (trace->dotnet, NsDotnetRow, source)
             : NULL;
}

/* Gets the request pointer; for .NET requests the activity ID. */
static void
get_request (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  const NsDotnetRow *dotnet = get_dotnet (trace, activity);

  if (dotnet == NULL || dotnet->is_framework)
    {
      ns_get_nonzero_u64 (trace, row, field, value);
      return;
    }
  value->type = NS_TYPE_TEXT;
  ns_field_take_text (value, ns_field_dotnet_dup_request (trace, activity->source_row - 1));
}

/* Gets the connection pointer; for .NET requests the number of the connection in its process,
 * from 0. */
static void
get_connection (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  const NsDotnetRow *dotnet = get_dotnet (trace, activity);

  value->v.u = activity->connection;
  value->is_null = dotnet != NULL ? !dotnet->has_connection : value->v.u == 0;
}

static void
take_blocked (const NsTrace *trace, const NsActivityMore *more, NsFieldValue *value)
{
  if (more->blocked_name != NS_STRING_NONE)
    ns_field_take_text (value,
                        g_strconcat ("blocked by filter ",
                                     ns_trace_text (trace, more->blocked_name),
                                     NULL));
  else
    ns_field_take_text (value,
                        g_strdup_printf ("blocked by filter %" G_GUINT64_FORMAT,
                                         more->blocked_filter));
}

static void
get_blocked_by (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  NsString text = activity->more != NULL ? activity->more->blocked_by : NS_STRING_NONE;

  ns_field_set_chars (value, text != NS_STRING_NONE ? ns_trace_text (trace, text) : NULL);
}

static void
get_drops (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);

  value->v.u = activity->more != NULL ? activity->more->drops : 0;
  value->is_null = value->v.u == 0;
}

static void
get_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  const NsDotnetRow *dotnet = get_dotnet (trace, activity);

  if (activity->more != NULL && activity->more->is_blocked)
    take_blocked (trace, activity->more, value);
  else if (dotnet != NULL)
    set_string (trace, dotnet->error, value);
  else if (activity->error_family == NS_CODE_NONE || activity->error == 0)
    value->is_null = TRUE;
  else
    ns_field_take_text (value, ns_field_code_to_text (activity->error_family, activity->error));
}

/* Returns the row's process, if known. */
static const NsProcessRow *
get_process_row (const NsTrace *trace, const NsActivityRow *activity)
{
  NsRow process = 0;

  if (activity->pid != NS_PID_UNKNOWN)
    process = ns_trace_find_process (trace, activity->pid, activity->open_ns);
  if (process == 0 || process > trace->processes->len)
    return NULL;
  return NS_ROW_AT (trace->processes, NsProcessRow, process);
}

static void
get_package (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsProcessRow *process = get_process_row (trace, get_row (trace, row));

  set_string (trace, process == NULL ? NS_STRING_NONE : process->package, value);
}

static void
get_command_line (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsProcessRow *process = get_process_row (trace, get_row (trace, row));

  set_string (trace, process == NULL ? NS_STRING_NONE : process->command_line, value);
}

/* Gets how the process was determined; rows of higher layers belong to the process that wrote
 * the events. */
static void
get_pid_source (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[] = {
    "", "payload", "socket's process", "connection's owner", "layer above", "event header"
  };
  const NsActivityRow *activity = get_row (trace, row);
  guint at = activity->source_row;
  guint source = NS_PID_FROM_HEADER;

  if (activity->source_table == NS_TABLE_TCP && at != 0 && at <= trace->tcp->len)
    source = NS_ROW_AT (trace->tcp, NsTcpRow, at)->pid_source;
  else if (activity->source_table == NS_TABLE_WINSOCK && at != 0 && at <= trace->winsock->len)
    source = NS_ROW_AT (trace->winsock, NsWinsockRow, at)->pid_source;
  else if (activity->source_table == NS_TABLE_KERNEL_NETWORK)
    source = NS_PID_FROM_PAYLOAD;
  value->is_null = activity->pid == NS_PID_UNKNOWN || source == NS_PID_FROM_NOTHING;
  if (!value->is_null)
    ns_field_set_chars (value, texts[source]);
}

/* Gets the thread that closed the socket below the row. */
static void
get_close_tid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  guint32 tid = NS_PID_UNKNOWN;

  if (activity->winsock != 0 && activity->winsock <= trace->winsock->len)
    tid = NS_ROW_AT (trace->winsock, NsWinsockRow, activity->winsock)->tid_close;
  value->v.u = tid;
  value->is_null = tid == NS_PID_UNKNOWN;
}

static void
get_reused (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);

  value->is_null = activity->reused < 0;
  value->v.u = activity->reused > 0;
}

static void
get_confidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);

  value->is_null = activity->confidence < 0;
  value->v.u = value->is_null ? 0 : (guint64) activity->confidence;
}

static void
get_bytes (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);

  ns_get_u64 (trace, row, field, value);
  value->is_null = value->v.u == 0 && !ns_activity_row_has_bytes (activity);
}

/* Writes a phase; returns the position after it. */
static char *
write_phase (char *here, gint64 phase_ns)
{
  guint64 number = phase_ns < 0 ? -(guint64) phase_ns : (guint64) phase_ns;
  char digits[MAX_NUMBER];
  char *digit = digits + sizeof digits;
  gsize n_digits;

  if (phase_ns == NS_UNKNOWN)
    {
      memcpy (here, "null", 4);
      return here + 4;
    }
  if (phase_ns < 0)
    *here++ = '-';
  do
    {
      *--digit = (char) ('0' + number % 10);
      number /= 10;
    }
  while (number != 0);
  n_digits = (gsize) (digits + sizeof digits - digit);
  memcpy (here, digit, n_digits);
  return here + n_digits;
}

/* Gets the pool phase, including waits before the begin, where most of the time is. */
static void
get_pool (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.i = ns_pool_wait_get_total (trace, get_row (trace, row));
  value->is_null = value->v.i == NS_UNKNOWN;
}

/* Gets the duration plus the time since the work was queued. */
static void
get_chain_span (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  gint64 close_ns = activity->close_ns == NS_TIME_OPEN ? trace->end_ns : activity->close_ns;
  gint64 lead_ns = ns_pool_wait_get_lead (trace, activity);

  value->is_null = lead_ns == 0 || !ns_time_is_set (close_ns);
  if (value->is_null)
    return;
  value->v.i = ns_time_sum (MAX (close_ns - activity->open_ns, 0), lead_ns);
  value->is_lower_bound = activity->close_ns == NS_TIME_OPEN;
}

/* Formats the phases in a fixed buffer without allocation, as filters read them for millions of
 * rows. */
static void
get_phases (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  char json[NS_N_PHASES * (MAX_PHASE_KEY + MAX_NUMBER) + sizeof "}"];
  char *end = json;
  gint64 pool_ns = ns_pool_wait_get_total (trace, activity);
  guint i;

  for (i = 0; i < NS_N_PHASES && ns_activity_row_get_phase (activity, i) == NS_UNKNOWN; i++)
    ;
  if (i == NS_N_PHASES && pool_ns == NS_UNKNOWN)
    {
      value->v.text = no_phases;
      return;
    }
  for (i = 0; i < NS_N_PHASES; i++)
    {
      memcpy (end, phase_keys[i].text, MAX_PHASE_KEY);
      end = write_phase (end + phase_keys[i].length,
                         i == NS_PHASE_POOL ? pool_ns : ns_activity_row_get_phase (activity, i));
    }
  *end++ = '}';
  ns_field_take_text (value, g_strndup (json, (gsize) (end - json)));
}

/* Gets the kind of queued work that the thread of the request was executing. */
static void
get_link_type (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);

  ns_field_set_chars (value, ns_field_link_to_text (trace, activity->link));
}

/* Gets the CPU usage of the row's thread while the row was open. */
static void
get_cpu_percent (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsSchedSums sums;

  value->is_null = !ns_sched_sum (trace, row, &sums) || !sums.has_samples;
  value->v.u = sums.cpu_percent;
}

static void
get_thread_state (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsSchedSums sums;

  value->is_null = !ns_sched_sum (trace, row, &sums) || !sums.has_states;
  value->v.i = field->extra == NS_SCHED_RUNNING ? sums.running_ns
               : field->extra == NS_SCHED_READY ? sums.ready_ns
                                                : sums.waiting_ns;
}

static void
get_readied_by (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsSchedSums sums;

  value->is_null = !ns_sched_sum (trace, row, &sums) || sums.longest.by == NS_PID_UNKNOWN;
  value->v.u = sums.longest.by;
}

static void
get_first_byte (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);

  value->is_null = !ns_time_is_set (activity->open_ns) || !ns_time_is_set (activity->first_byte_ns);
  if (!value->is_null)
    value->v.i = MAX (activity->first_byte_ns - activity->open_ns, 0);
}

static const NsFlowRow *
get_flow (const NsTrace *trace, const NsActivityRow *activity)
{
  if (activity->flow == 0 || activity->flow > trace->flows->len)
    return NULL;
  return NS_ROW_AT (trace->flows, NsFlowRow, activity->flow);
}

/* Gets the retransmissions of the connection below the row, by its packets if captured. */
static void
get_retransmits (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  const NsFlowRow *flow = get_flow (trace, activity);

  if (flow != NULL && flow->kind == NS_FLOW_TCP)
    value->v.u = ns_flow_get_more (flow)->ways[ns_flow_get_side (flow, TRUE)].n_data_again;
  else if (activity->tcp != 0 && activity->tcp <= trace->tcp->len)
    value->v.u = NS_ROW_AT (trace->tcp, NsTcpRow, activity->tcp)->extra->retransmits;
  else
    value->is_null = TRUE;
}

/* Gets the network round-trip time; for an accepted connection, the time from the SYN/ACK to the
 * ACK. */
static void
get_rtt_ns (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);
  const NsFlowRow *flow = get_flow (trace, activity);

  value->v.i = NS_UNKNOWN;
  if (flow != NULL && flow->syn_rtt_ns != NS_UNKNOWN)
    {
      if (flow->local != NS_FLOW_LOCAL_SERVER)
        value->v.i = flow->syn_rtt_ns;
      else if (flow->handshake_ns != NS_UNKNOWN)
        value->v.i = MAX (flow->handshake_ns - flow->syn_rtt_ns, 0);
    }
  if (value->v.i == NS_UNKNOWN && activity->tcp != 0 && activity->tcp <= trace->tcp->len)
    {
      gint32 rtt_us = NS_ROW_AT (trace->tcp, NsTcpRow, activity->tcp)->extra->rtt_us;

      if (rtt_us != NS_UNKNOWN)
        value->v.i = (gint64) rtt_us * 1000;
    }
  value->is_null = value->v.i == NS_UNKNOWN;
}

/* Gets the round-trip time of the connection below the row, by TCP events. */
static void
get_rtt (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = get_row (trace, row);

  value->v.i = NS_UNKNOWN;
  if (activity->tcp != 0 && activity->tcp <= trace->tcp->len)
    value->v.i = NS_ROW_AT (trace->tcp, NsTcpRow, activity->tcp)->extra->rtt_us;
  value->is_null = value->v.i == NS_UNKNOWN;
}

/* Returns whether findings may be computed: the main thread does not wait for them; filters,
 * sorting and exports do. */
static gboolean
may_look (const NsTrace *trace)
{
  return ns_findings_are_known (trace) || !g_main_context_is_owner (g_main_context_default ());
}

/* Lists the rules of the row's findings, each once, the most important first. */
static void
get_finding (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const char *rules[NS_FINDING_MAX_RULES];
  guint n_rules =
      may_look (trace) ? ns_findings_get_rules (trace, row + 1, rules, G_N_ELEMENTS (rules)) : 0;
  guint i;

  value->list = g_ptr_array_new ();
  for (i = 0; i < n_rules; i++)
    g_ptr_array_add (value->list, (gpointer) rules[i]);
}

/* Gets the row of a table whose rows are never lower layers; the table follows the member. */
static void
get_source (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsTableId table = field->extra >> NS_FIELD_OFFSET_BITS & NS_FIELD_OFFSET_MASK;

  value->v.u = ns_activity_row_get_source (get_row (trace, row), table);
  value->is_null = value->v.u == 0;
}

static void
get_tcb (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ns_activity_get_tcb (trace, get_row (trace, row));
  value->is_null = value->v.u == 0;
}

static void
get_first_tid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ns_activity_get_first_tid (trace, get_row (trace, row));
  value->is_null = value->v.u == NS_PID_UNKNOWN;
}

static void
get_chain_depth (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ns_activity_count_hops (trace, get_row (trace, row));
}

static void
get_stack_count (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ns_activity_count_stacks (trace, get_row (trace, row));
}

/* Gets the sentence about the row's time, including that of the queued work that led to it. */
static void
get_why (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  char *text = ns_blame_to_text (trace, row);

  if (text == NULL)
    value->is_null = TRUE;
  else
    ns_field_take_text (value, text);
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, AT (parent)),
  NS_FIELD ("parent", N_("Parent"), N_("Row that contains this row"), ROW, 58, 0, ns_get_nonzero_u32, AT (parent)),
  NS_FIELD ("protocol", N_("Protocol"), N_("Highest layer involved"), TEXT, 90, 3, ns_get_layer, AT (protocol)),
  NS_FIELD ("layers", N_("Layers"), N_("All layers involved, from highest to lowest"), LIST, 160, 0, ns_get_layers, AT (layers)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, AT2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, AT (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that opened it"), UINT, 68, 0, ns_get_known_u32, AT (tid)),
  NS_FIELD ("first_tid", N_("First Thread"), N_("Thread of the first stack, on which the work started"), UINT, 76, 0, get_first_tid, AT (link)),
  NS_FIELD ("server", N_("Server"), N_("Host of the URL; otherwise the name that was resolved to the address"), TEXT, 126, 2, ns_get_string, AT (server)),
  NS_FIELD ("server_alt", N_("Alt DNS Name"), N_("Another name of the same address"), TEXT, 180, 0, ns_get_string, AT (server_alt)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 386, 5, ns_get_string, AT (url)),
  NS_FIELD ("method", N_("Method"), N_("HTTP method, or the service of the port"), TEXT, 72, 4, ns_get_string, AT (method)),
  NS_FIELD ("status", N_("Status"), N_("First line of the response, or the final state"), TEXT, 150, 0, ns_get_string, AT (status)),
  NS_FIELD ("http_status", N_("HTTP Status"), N_("Status code of the response"), UINT, 76, 0, ns_get_nonzero_u32, AT (http_status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 180, 0, get_error, AT (error)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip_of, AT (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port_of, AT (remote)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of this machine"), IP, 110, 0, ns_get_ip_of, AT (local)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), PORT, 72, 0, ns_get_port_of, AT (local)),
  NS_FIELD ("service", N_("Service"), N_("Service that usually uses this port"), TEXT, 90, 0, ns_get_string, AT (service)),
  NS_FIELD ("address_kind", N_("Address Kind"), N_("Private, loopback, multicast …"), TEXT, 120, 0, ns_get_string, AT (address_kind)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent"), BYTES, 78, 7, get_bytes, AT (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 84, 8, get_bytes, AT (received)),
  NS_FIELD ("posted", N_("Post (B)"), N_("Bytes that the program submitted for sending"), BYTES, 70, 0, ns_get_i64, AT (posted)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 10, ns_get_time, AT (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 11, ns_get_time, AT (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 99, 9, ns_get_duration, AT2 (open_ns, close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was open when the trace began"), BOOL, 76, 0, ns_get_bool, AT (opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, AT (close_ns)),
  NS_FIELD ("inferred", N_("Inferred"), N_("Its start was not recorded"), BOOL, 76, 0, ns_get_bool, AT (inferred)),
  NS_FIELD ("reused", N_("Reused"), N_("It used an existing connection"), BOOL, 66, 0, get_reused, AT (reused)),
  NS_FIELD ("request", N_("Request ID"), N_("Pointer, handle or activity ID of the request"), HEX, 148, 0, get_request, AT (request)),
  NS_FIELD ("connection", N_("Connection ID"), N_("Pointer, handle or number of the connection"), HEX, 148, 0, get_connection, AT (connection)),
  NS_FIELD ("socket", N_("Socket ID"), N_("Local port or socket handle"), UINT, 72, 0, ns_get_nonzero_u32, AT (socket)),
  NS_FIELD ("tcb", N_("TCB/UDP ID"), N_("Transport control block"), HEX, 148, 0, get_tcb, AT (tcp)),
  NS_FIELD ("link_type", N_("Link Type"), N_("Type of the queued work that created it"), TEXT, 90, 0, get_link_type, AT (link)),
  NS_FIELD ("chain_depth", N_("Chain Depth"), N_("Number of queued work items that lead to it"), COUNT, 76, 0, get_chain_depth, AT (link)),
  NS_FIELD ("stack_count", N_("Stacks"), N_("Number of stacks on the path to it"), COUNT, 58, 0, get_stack_count, AT (stack)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the weakest link: 3 by key, 2 by addresses and time, 1 by thread and time, 0 by name or address only"), UINT, 76, 0, get_confidence, AT (confidence)),
  NS_FIELD ("phases", N_("Phases"), N_("Phase breakdown"), OBJECT, 220, 0, get_phases, AT (phases)),
  NS_FIELD ("chain_ns", N_("Since Queued (ms)"), N_("Time from the first queueing of the work that led to it to its end: its duration, plus waits and code before its start"), DURATION, 110, 0, get_chain_span, AT (link)),
  NS_FIELD ("first_byte_ns", N_("First Byte (s)"), N_("When the response started"), TIME, 84, 0, ns_get_time, AT (first_byte_ns)),
  NS_FIELD ("failed", N_("Failed"), N_("It failed"), BOOL, 66, 0, ns_get_bool, AT (failed)),
  NS_FIELD ("cancelled", N_("Cancelled"), N_("The program cancelled it"), BOOL, 76, 0, ns_get_bool, AT (cancelled)),
  NS_FIELD ("redirected", N_("Redirected"), N_("The response redirected to another URL"), BOOL, 76, 0, ns_get_bool, AT (redirected)),
  NS_FIELD ("from_cache", N_("From Cache"), N_("Served from a cache, without the network"), BOOL, 76, 0, ns_get_bool, AT (from_cache)),
  NS_FIELD ("accepted", N_("Accepted"), N_("The other side opened the connection"), BOOL, 76, 0, ns_get_bool, AT (accepted)),
  NS_FIELD ("loopback", N_("Loopback"), N_("Both ends are on this machine"), BOOL, 76, 0, ns_get_bool, AT (loopback)),
  NS_FIELD ("name_inferred", N_("Name Inferred"), N_("The server name was derived from the address only"), BOOL, 90, 0, ns_get_bool, AT (name_inferred)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid_of, AT (activity_id)),
  NS_FIELD ("dns", N_("DNS Row"), N_("Related name resolution"), ROW, 66, 0, ns_get_nonzero_u32, AT (dns)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, AT (tcp)),
  NS_FIELD ("winsock", N_("WinSock Row"), N_("Underlying socket"), ROW, 66, 0, ns_get_nonzero_u32, AT (winsock)),
  NS_FIELD ("webio", N_("WebIO Row"), N_("Underlying WinHTTP request"), ROW, 66, 0, ns_get_nonzero_u32, AT (webio)),
  NS_FIELD ("wininet", N_("WinINet Row"), N_("Underlying WinINet request"), ROW, 66, 0, ns_get_nonzero_u32, AT (wininet)),
  NS_FIELD ("chromium", N_("Chromium Row"), N_("Underlying Chromium request"), ROW, 66, 0, get_source, AT (source_row) | NS_TABLE_CHROMIUM << NS_FIELD_OFFSET_BITS),
  NS_FIELD ("ldap", N_("LDAP Row"), N_("Related LDAP search"), ROW, 66, 0, ns_get_nonzero_u32, AT (ldap)),
  NS_FIELD ("urlmon", N_("URLMon Row"), N_("Related URLMon download"), ROW, 66, 0, ns_get_nonzero_u32, AT (urlmon)),
  NS_FIELD ("kernel_network", N_("Kernel Row"), N_("Row of the kernel's own statistics"), ROW, 66, 0, ns_get_nonzero_u32, AT (kernel_network)),
  NS_FIELD ("dotnet", N_(".NET Row"), N_(".NET request"), ROW, 66, 0, get_source, AT (source_row) | NS_TABLE_DOTNET << NS_FIELD_OFFSET_BITS),
  NS_FIELD ("http_server", N_("HTTP.sys Row"), N_("Request served by HTTP.sys"), ROW, 66, 0, get_source, AT (source_row) | NS_TABLE_HTTP_SERVER << NS_FIELD_OFFSET_BITS),
  NS_FIELD ("flow", N_("Conversation"), N_("Conversation in captured packets"), ROW, 90, 0, ns_get_nonzero_u32, AT (flow)),
  NS_FIELD ("retransmits", N_("Retransmits"), N_("Retransmitted segments of the connection"), COUNT, 84, 0, get_retransmits, AT (tcp)),
  NS_FIELD ("rtt_ns", N_("Round Trip (ms)"), N_("Round-trip time of the network, from the TCP handshake or as measured by Windows"), DURATION, 90, 0, get_rtt_ns, AT (tcp)),
  NS_TLS_FIELDS (NS_TABLE_ACTIVITIES),
  NS_FIELD ("blocked_by", N_("Blocked By"), N_("Filter of the Windows Filtering Platform that blocked it"), TEXT, 180, 0, get_blocked_by, AT (more)),
  NS_FIELD ("drops", N_("Drops"), N_("Its packets that Windows dropped"), COUNT, 66, 0, get_drops, AT (more)),
  NS_FIELD ("package", N_("Package"), N_("Application package of the process"), TEXT, 180, 0, get_package, AT2 (pid, open_ns)),
  NS_COLUMN ("pid_source", N_("PID Source"), N_("Source of its process: a field of an event, its socket, its connection, or the event header only"), TEXT, 120, 0, get_pid_source, AT (pid)),
  NS_FIELD ("command_line", N_("Command Line"), N_("Command line that started the process"), TEXT, 260, 0, get_command_line, AT2 (pid, open_ns)),
  NS_FIELD ("close_tid", N_("Close Thread"), N_("Thread that closed the socket"), UINT, 82, 0, get_close_tid, AT (winsock)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 147, 1, ns_get_process_with_pid, AT2 (pid, open_ns)),
  NS_COLUMN ("process_tree", N_("Process Tree"), N_("The process and its ancestors"), TEXT, 220, 0, ns_get_process_tree, AT2 (pid, open_ns)),
  NS_COLUMN ("geo", N_("Place"), N_("Location of the remote address, from the selected GeoIP database"), TEXT, 150, 0, ns_get_geo_of, AT (remote)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 132, 6, ns_get_ip_port_of, AT (remote)),
  NS_COLUMN ("local_ip_port", N_("Local address:port"), N_("Address and port of this machine"), TEXT, 126, 0, ns_get_ip_port_of, AT (local)),
  NS_COLUMN ("pool_ns", N_("Pool Wait (ms)"), N_("Its work waited for a pool thread; time before its start is not part of its duration"), DURATION, 92, 0, get_pool, AT (link)),
  NS_COLUMN ("queue_ns", N_("Queued (ms)"), N_("Waited in the queue of the library (WinHTTP, WinINet, the browser)"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_QUEUE)),
  NS_COLUMN ("proxy_ns", N_("Proxy (ms)"), N_("Detected the proxy"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_PROXY)),
  NS_COLUMN ("dns_ns", N_("DNS (ms)"), N_("Resolved the name"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_DNS)),
  NS_COLUMN ("connect_ns", N_("Connect (ms)"), N_("Opened the connection"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_CONNECT)),
  NS_COLUMN ("tls_ns", N_("TLS (ms)"), N_("Performed the TLS handshake"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_TLS)),
  NS_COLUMN ("send_ns", N_("Send (ms)"), N_("Sent the request"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_SEND)),
  NS_COLUMN ("wait_ns", N_("Wait (ms)"), N_("Waited for the first byte"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_WAIT)),
  NS_COLUMN ("receive_ns", N_("Receive (ms)"), N_("Received the response"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_RECEIVE)),
  NS_COLUMN ("other_ns", N_("Other (ms)"), N_("Not covered by the recorded events"), DURATION, 84, 0, ns_get_phase, PHASE (NS_PHASE_OTHER)),
  NS_COLUMN ("ttfb_ns", N_("TTFB (ms)"), N_("Time from its start to the first byte of the response"), DURATION, 84, 0, get_first_byte, AT (first_byte_ns)),
  NS_COLUMN ("why", N_("Breakdown"), N_("Breakdown of its time and of the queued work that led to it"), TEXT, 386, 0, get_why, AT (phases)),
  NS_COLUMN ("first_stack", N_("First Stack"), N_("Stack of the earliest code that led to it, where the work started"), LIST, 220, 0, ns_get_part_of_stack, NS_CHAIN_FIRST),
  NS_COLUMN ("middle_stacks", N_("Middle Stacks"), N_("Stacks between the first and the last, with the pools between them"), LIST, 220, 0, ns_get_part_of_stack, NS_CHAIN_MIDDLE),
  NS_COLUMN ("last_stack", N_("Last Stack"), N_("Stack of the network call itself"), LIST, 220, 0, ns_get_part_of_stack, NS_CHAIN_LAST),
  NS_COLUMN ("first_thread", N_("First Thread"), N_("The thread of the first stack"), UINT, 76, 0, ns_get_first_thread, 0),
  NS_COLUMN ("stack", N_("All Stacks"), N_("Code that led to it, across threads, outermost first"), LIST, 220, 0, ns_get_full_stack, AT (stack)),
  NS_COLUMN ("stack_path", N_("Code Path"), N_("Path of calls that led to it, as in a call tree; a filter matches the start of the path"), TEXT, 220, 0, ns_get_stack_path, AT (stack)),
  NS_COLUMN ("cpu_percent", N_("CPU %"), N_("Share of the time that its thread used a processor, from CPU samples; empty: not traced"), UINT, 66, 0, get_cpu_percent, 0),
  NS_COLUMN ("thread_running_ns", N_("Ran (ms)"), N_("Time that its thread ran in this period; empty: not traced"), DURATION, 84, 0, get_thread_state, NS_SCHED_RUNNING),
  NS_COLUMN ("thread_ready_ns", N_("Ready (ms)"), N_("Time that its thread waited for a processor in this period; empty: not traced"), DURATION, 84, 0, get_thread_state, NS_SCHED_READY),
  NS_COLUMN ("thread_waiting_ns", N_("Blocked (ms)"), N_("Time that its thread waited for anything else in this period; empty: not traced"), DURATION, 84, 0, get_thread_state, NS_SCHED_WAITING),
  NS_COLUMN ("readied_by", N_("Readied By"), N_("Thread that ended the longest wait of its thread in this period"), UINT, 76, 0, get_readied_by, 0),
  NS_COLUMN ("finding", N_("Findings"), N_("Rules that reported a problem with it: D12"), LIST, 90, 0, get_finding, 0),
  NS_COLUMN ("rtt_us", N_("RTT (µs)"), N_("Round-trip time of the connection"), INT, 76, 0, get_rtt, AT (tcp)),
  NS_INPUT_COLUMN (AT2 (open_ns, close_ns)),
  NS_MACHINE_COLUMN (AT2 (open_ns, close_ns)),
};
/* clang-format on */

/**
 * ns_field_is_unknown_of_activity: (skip)
 * @trace: a trace
 * @field: a field of any table
 *
 * Returns: whether it is a field of activities that needs scheduling records, and there are none
 */
gboolean
ns_field_is_unknown_of_activity (const NsTrace *trace, const NsField *field)
{
  return !ns_sched_has_states (trace) && !ns_sched_has_samples (trace) &&
         (field->get == get_cpu_percent || field->get == get_thread_state ||
          field->get == get_readied_by);
}

/**
 * ns_field_is_lasting_of_activity: (skip)
 * @field: a field of any table
 *
 * Scheduling data is unknown until it is requested.
 *
 * Returns: whether it is a field of activities whose values never change
 */
gboolean
ns_field_is_lasting_of_activity (const NsField *field)
{
  return field >= fields && field < fields + G_N_ELEMENTS (fields) &&
         field->get != get_cpu_percent && field->get != get_thread_state &&
         field->get != get_readied_by && field->get != ns_get_first_thread;
}

/**
 * ns_field_is_of_process_of_activity: (skip)
 * @field: a field of any table
 *
 * Returns: whether it is a field of activities that reads the row of the process
 */
gboolean
ns_field_is_of_process_of_activity (const NsField *field)
{
  return field->get == get_package || field->get == get_command_line;
}

const NsFieldTable ns_fields_activities = {
  .name = "activities",
  .title = N_ ("Activity"),
  .needs = { NS_PROVIDER_TCPIP, NS_PROVIDER_WINSOCK_AFD, NS_PROVIDER_WININET, NS_PROVIDER_WEBIO },
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
};
