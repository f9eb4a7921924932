/* The fields of queued work and WinSock calls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/winsock/ns-call-lives.h"
#include "engine/tasks/ns-runs.h"
#include "findings/ns-codes.h"
#include "query/ns-field-code.h"
#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

#define TASK(member) NS_FIELD_AT (NS_TABLE_TASKS, NsTaskRow, member)
#define TASK2(first, second) NS_FIELD_AT2 (NS_TABLE_TASKS, NsTaskRow, first, second)
#define CALL(member) NS_FIELD_AT (NS_TABLE_CALLS, NsCallRow, member)
#define CALL2(first, second) NS_FIELD_AT2 (NS_TABLE_CALLS, NsCallRow, first, second)

static void
get_task_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsTaskRow *task = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_field_task_kind_to_text (task->kind));
}

static void
get_task_stack_depth (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsTaskRow *task = ns_field_get_row (trace, row, field);
  guint n_frames = 0;

  if (task->stack != 0)
    ns_stacks_get (trace->stacks, task->stack, &n_frames);
  value->v.u = n_frames;
}

static const char *
get_pending_word (void)
{
  /* Translators: the result of a call that has not ended. */
  return _ ("pending");
}

static void
get_call_status (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsCallRow *call = ns_field_get_row (trace, row, field);

  value->v.u = call->status;
  value->is_null = !call->has_status;
  if (value->is_null && call->pending)
    value->instead = get_pending_word ();
}

static void
append_part (GString *text, const char *part)
{
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append (text, part);
}

/* Formats the parameters as in a call: those of the event, then address and length. */
static void
get_call_params (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsCallRow *call = ns_field_get_row (trace, row, field);
  g_autoptr (GString) text = g_string_new (ns_trace_text (trace, call->params));
  char address[NS_IP_TEXT_SIZE];
  char length[32];

  if (call->remote.ip.family != NS_AF_NONE)
    append_part (text, ns_endpoint_to_text (&call->remote, address));
  else if (call->remote.port != 0)
    {
      /* A socket bound to all addresses. */
      g_snprintf (address, sizeof address, "*:%u", call->remote.port);
      append_part (text, address);
    }
  if (call->asked != NS_UNKNOWN)
    {
      g_snprintf (length, sizeof length, "%" G_GINT64_FORMAT " B", call->asked);
      append_part (text, length);
    }
  ns_field_take_text (value, text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL);
}

static void
get_call_return (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsCallRow *call = ns_field_get_row (trace, row, field);

  value->v.i = call->ret;
  value->is_null = call->ret == G_MININT64;
}

/* Gets the duration; it is unknown for a call without a recorded end, even if the call is known
 * to be complete. */
static void
get_call_duration (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsCallRow *call = ns_field_get_row (trace, row, field);

  if (call->is_over)
    value->is_null = TRUE;
  else
    ns_field_set_span (value, trace, call->open_ns, call->close_ns);
}

/* Gets whether the call failed; a call that has not ended has not failed yet. */
static void
get_call_failed (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsCallRow *call = ns_field_get_row (trace, row, field);

  value->v.u = !call->pending &&
               ((call->has_status && ns_codes_is_error (call->status_family, call->status)) ||
                call->ret == -1);
}

static void
get_call_status_text (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsCallRow *call = ns_field_get_row (trace, row, field);

  if (call->pending && !call->has_status)
    {
      ns_field_set_chars (value, get_pending_word ());
      return;
    }
  ns_field_take_text (value,
                      call->has_status ? ns_field_code_to_words (call->status_family, call->status)
                                       : NULL);
}

static void
get_call_life (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsCallRow *call = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_call_violation_to_text ((NsCallViolation) call->violation));
}

static void
get_task_evidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_set_chars (value, ns_runs_get_evidence (trace->runs, row + 1));
}

/* clang-format off */
static const NsField tasks_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, TASK (kind)),
  NS_FIELD ("kind", N_("Type"), N_("Pool or queue"), TEXT, 92, 2, get_task_kind, TASK (kind)),
  NS_FIELD ("subtype", N_("Subtype"), N_("Type of the work in the pool or queue"), TEXT, 114, 3, ns_get_string, TASK (subtype)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, TASK (pid)),
  NS_FIELD ("tid_create", N_("Thread"), N_("Thread that queued it"), UINT, 68, 4, ns_get_known_u32, TASK (tid_create)),
  NS_FIELD ("tid_run", N_("Exec Thread"), N_("Thread that ran it"), UINT, 76, 5, ns_get_known_u32, TASK (tid_run)),
  NS_FIELD ("create_ns", N_("Queued (s)"), N_("When it was queued"), TIME, 84, 8, ns_get_time, TASK (create_ns)),
  NS_FIELD ("start_ns", N_("Start (s)"), N_("When it started to run"), TIME, 84, 9, ns_get_time, TASK (start_ns)),
  NS_FIELD ("stop_ns", N_("Stop (s)"), N_("When it finished running"), TIME, 84, 10, ns_get_time, TASK (stop_ns)),
  NS_FIELD ("destroy_ns", N_("Destroyed (s)"), N_("When it was destroyed"), TIME, 84, 0, ns_get_time, TASK (destroy_ns)),
  NS_FIELD ("queued_ns", N_("Waited (ms)"), N_("Time from queueing to the start"), DURATION, 84, 6, ns_get_duration, TASK2 (create_ns, start_ns)),
  NS_FIELD ("running_ns", N_("Ran (ms)"), N_("Time from its start to its stop, or to the end of the trace"), DURATION, 84, 7, ns_get_duration, TASK2 (start_ns, stop_ns)),
  NS_FIELD ("context", N_("Context ID"), N_("The program's own value for it"), HEX, 148, 0, ns_get_nonzero_u64, TASK (context)),
  NS_FIELD ("status", N_("Status"), N_("Last observed status"), TEXT, 106, 0, ns_get_string, TASK (status)),
  NS_FIELD ("period_ms", N_("Period (ms)"), N_("Interval between runs of a timer"), INT, 76, 0, ns_get_i32, TASK (period_ms)),
  NS_FIELD ("parent", N_("Parent"), N_("Row of the work that queued it"), ROW, 58, 0, ns_get_nonzero_u32, TASK (parent)),
  NS_FIELD ("stack_depth", N_("Stack"), N_("Number of frames of its stack"), COUNT, 58, 0, get_task_stack_depth, TASK (stack)),
  NS_FIELD ("used", N_("Used"), N_("A network row leads to it"), BOOL, 58, 0, ns_get_bool, TASK (used)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, TASK2 (pid, create_ns)),
  NS_FIELD ("evidence", N_("Evidence"), N_("Events that report it, for .NET: tpl-task, tpl-await, tpl-continuation, fw-pool, clr-pool, clr-io, fw-transfer"), TEXT, 110, 0, get_task_evidence, TASK (kind)),
  NS_FIELD ("label", N_("Label"), N_("Name of the work"), TEXT, 150, 0, ns_get_string, TASK (label)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, TASK2 (pid, create_ns)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_TASKS, NsTaskRow, create_ns, start_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_TASKS, NsTaskRow, create_ns, start_ns)),
};

static const NsField calls_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, CALL (kind)),
  NS_FIELD ("call", N_("Call"), N_("Name of the function"), TEXT, 90, 2, ns_get_call_kind, CALL (kind)),
  NS_FIELD ("params", N_("Parameters"), N_("Arguments of the call: flags, address, length"), TEXT, 260, 3, get_call_params, CALL (params)),
  NS_FIELD ("endpoint", N_("Endpoint"), N_("Pointer of the socket"), HEX, 148, 0, ns_get_nonzero_u64, CALL (endpoint)),
  NS_FIELD ("ip", N_("IP Address"), N_("Address passed to the call: of the other side, or the local one to bind"), IP, 110, 0, ns_get_ip, CALL (remote)),
  NS_FIELD ("port", N_("Port"), N_("Port passed to the call: of the other side, or the local one to bind"), PORT, 48, 0, ns_get_port, CALL (remote)),
  NS_FIELD ("length", N_("Length (B)"), N_("Number of bytes requested or transferred"), BYTES, 76, 5, ns_get_i64, CALL (length)),
  NS_FIELD ("ret", N_("Returned"), N_("Return value"), INT, 76, 6, get_call_return, CALL (ret)),
  NS_FIELD ("status", N_("Status"), N_("Result code, 0 is success"), UINT, 90, 0, get_call_status, CALL (status)),
  NS_FIELD ("status_text", N_("Result"), N_("Meaning of the result code"), TEXT, 150, 7, get_call_status_text, CALL (status)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, CALL (pid)),
  NS_FIELD ("caller_tid", N_("Thread"), N_("Thread that made the call"), UINT, 68, 8, ns_get_known_u32, CALL (tid)),
  NS_FIELD ("done_tid", N_("Done Thread"), N_("Thread that completed it"), UINT, 84, 9, ns_get_known_u32, CALL (tid_done)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 11, ns_get_time, CALL (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 12, ns_get_time, CALL (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 10, get_call_duration, CALL (open_ns)),
  NS_FIELD ("pending", N_("Pending"), N_("Its end was not recorded"), BOOL, 66, 0, ns_get_bool, CALL (pending)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, CALL (activity)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, CALL2 (pid, open_ns)),
  NS_FIELD ("before_trace", N_("Before Trace"), N_("Its start was not recorded"), BOOL, 76, 0, ns_get_bool, CALL (before_trace)),
  NS_FIELD ("winsock", N_("WinSock Row"), N_("Socket of the call"), ROW, 66, 0, ns_get_nonzero_u32, CALL (winsock)),
  NS_FIELD ("dns", N_("DNS Row"), N_("Related name resolution"), ROW, 66, 0, ns_get_nonzero_u32, CALL (dns)),
  NS_FIELD ("life", N_("Out of Order"), N_("Anomaly of the call in the lifetime of its socket"), TEXT, 110, 0, get_call_life, CALL (violation)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, CALL2 (pid, open_ns)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 126, 4, ns_get_ip_port, CALL (remote)),
  NS_COLUMN ("failed", N_("Failed"), N_("It ended with an error"), BOOL, 58, 0, get_call_failed, CALL (status)),
  NS_COLUMN ("process_tree", N_("Process Tree"), N_("The process and its ancestors"), TEXT, 220, 0, ns_get_process_tree, CALL2 (pid, open_ns)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_CALLS, NsCallRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_CALLS, NsCallRow, open_ns, close_ns)),
};
/* clang-format on */

const NsFieldTable ns_fields_tasks = {
  .name = "tasks",
  .title = N_ ("Thread pool"),
  .needs = { NS_PROVIDER_THREAD_POOL, NS_PROVIDER_THREAD },
  .needs_else = "ThreadPool (kernel), kernel threads",
  .fields = tasks_fields,
  .n_fields = G_N_ELEMENTS (tasks_fields),
};
const NsFieldTable ns_fields_calls = {
  .name = "calls",
  .title = N_ ("Calls"),
  .needs = { NS_PROVIDER_WINSOCK_AFD },
  .fields = calls_fields,
  .n_fields = G_N_ELEMENTS (calls_fields),
};
