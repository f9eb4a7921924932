/* The fields of the table of .NET requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

#define NET(member) NS_FIELD_AT (NS_TABLE_DOTNET, NsDotnetRow, member)
#define NET2(first, second) NS_FIELD_AT2 (NS_TABLE_DOTNET, NsDotnetRow, first, second)

static void
get_runtime (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDotnetRow *dotnet = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, dotnet->is_framework ? ".NET Framework" : ".NET");
}

static void
get_request (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_take_text (value, ns_field_dotnet_dup_request (trace, row));
}

static void
get_connection (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDotnetRow *dotnet = ns_field_get_row (trace, row, field);

  value->v.u = dotnet->connection;
  value->is_null = !dotnet->has_connection;
}

static void
get_evidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const names[] = {
    "activity-path",  "only-open-request", "thread+time", "connect-call",
    "remote-address", "host-name",         "host+time",
  };
  const NsDotnetRow *dotnet = ns_field_get_row (trace, row, field);
  guint i;

  value->list = g_ptr_array_new ();
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (dotnet->evidence & (1u << i))
      g_ptr_array_add (value->list, (gpointer) names[i]);
}

static void
get_reused (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDotnetRow *dotnet = ns_field_get_row (trace, row, field);

  value->is_null = dotnet->reused < 0;
  value->v.u = dotnet->reused > 0;
}

static void
get_confidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDotnetRow *dotnet = ns_field_get_row (trace, row, field);

  value->is_null = dotnet->confidence < 0;
  value->v.u = value->is_null ? 0 : (guint64) dotnet->confidence;
}

static void
get_queued (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDotnetRow *dotnet = ns_field_get_row (trace, row, field);

  value->v.i = dotnet->queued_ns;
  value->is_null = dotnet->is_framework;
}

/* clang-format off */
static const NsField dotnet_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, NET (request)),
  NS_FIELD ("runtime", N_("Runtime"), N_(".NET or .NET Framework"), TEXT, 110, 0, get_runtime, NET (is_framework)),
  NS_FIELD ("request", N_("Request ID"), N_("Activity ID of the request; the number of its object in .NET Framework"), TEXT, 260, 0, get_request, NET (request)),
  NS_FIELD ("path", N_("Activity Path"), N_("The activity ID decoded: process, application domain, nested activities"), TEXT, 120, 0, ns_get_string, NET (path)),
  NS_FIELD ("scheme", N_("Scheme"), N_("Scheme of the URL"), TEXT, 60, 0, ns_get_string, NET (scheme)),
  NS_FIELD ("host", N_("Host"), N_("Host of the URL"), TEXT, 150, 2, ns_get_string, NET (host)),
  NS_FIELD ("port", N_("Port"), N_("Port of the URL"), PORT, 48, 0, ns_get_nonzero_u32, NET (port)),
  NS_FIELD ("url", N_("URL"), N_("Resource of the first request"), TEXT, 386, 3, ns_get_string, NET (url)),
  NS_FIELD ("http_version", N_("HTTP Version"), N_("HTTP version: that of the connection, otherwise the requested one"), TEXT, 60, 4, ns_get_chars, NET (http_version)),
  NS_FIELD ("version_policy", N_("Version Policy"), N_("0: that version or a lower one, 1: or a higher one, 2: exactly that"), INT, 76, 0, ns_get_i32, NET (version_policy)),
  NS_FIELD ("http_status", N_("HTTP Status"), N_("Status code of the response"), UINT, 76, 5, ns_get_nonzero_u32, NET (http_status)),
  NS_FIELD ("error", N_("Error"), N_("Message of the exception that ended the request"), TEXT, 220, 6, ns_get_string, NET (error)),
  NS_FIELD ("exception", N_("Exception"), N_("The exception with its stack trace"), TEXT, 220, 0, ns_get_string, NET (exception)),
  NS_FIELD ("failed_phase", N_("Failed Phase"), N_("Phase that failed: dns, connect, tls, queue, send, wait, receive"), TEXT, 84, 7, ns_get_chars, NET (failed_phase)),
  NS_FIELD ("error_code", N_("Socket Error"), N_("Error code of the failed connect"), INT, 84, 0, ns_get_nonzero_i32, NET (error_code)),
  NS_FIELD ("cause", N_("Cause"), N_("Message of the failed lookup, connect or handshake"), TEXT, 220, 0, ns_get_string, NET (cause)),
  NS_FIELD ("redirects", N_("Redirects"), N_("Targets of its redirects, in order"), LIST, 220, 0, ns_get_string_list, NET (redirects)),
  NS_FIELD ("hops", N_("Hops"), N_("Number of times it was sent: redirects, retries, authentication"), COUNT, 60, 0, ns_get_u32, NET (hops)),
  NS_FIELD ("connection", N_("Connection"), N_("Number of its connection in the process"), HEX, 100, 0, get_connection, NET (connection)),
  NS_FIELD ("reused", N_("Reused"), N_("It used an existing connection"), BOOL, 66, 8, get_reused, NET (reused)),
  NS_FIELD ("tls_version", N_("TLS Version"), N_("TLS version that the handshake agreed on"), TEXT, 66, 0, ns_get_chars, NET (tls_version)),
  NS_FIELD ("queued_ns", N_("Queued (ms)"), N_("Waited for a connection, new ones included"), DURATION, 84, 9, get_queued, NET (queued_ns)),
  NS_FIELD ("content_length", N_("Request Content (B)"), N_("Length of the content that was sent"), BYTES, 84, 0, ns_get_i64, NET (content_length)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip_of, NET (remote)),
  NS_FIELD ("remote_port", N_("Remote Port"), N_("Port at the remote address"), PORT, 48, 0, ns_get_port_of, NET (remote)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, NET (tcp)),
  NS_FIELD ("winsock", N_("WinSock Row"), N_("Underlying socket"), ROW, 66, 0, ns_get_nonzero_u32, NET (winsock)),
  NS_FIELD ("dns", N_("DNS Row"), N_("Name resolution of its connection"), ROW, 66, 0, ns_get_nonzero_u32, NET (dns)),
  NS_FIELD ("evidence", N_("Evidence"), N_("How its events and its connection were linked"), LIST, 180, 0, get_evidence, NET (evidence)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the weakest link: 3 by key, 2 by addresses and time, 1 by thread and time, 0 by name or address only"), UINT, 76, 0, get_confidence, NET (confidence)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, NET2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, NET (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that sent the request"), UINT, 68, 0, ns_get_known_u32, NET (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 11, ns_get_time, NET (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 12, ns_get_time, NET (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 10, ns_get_duration, NET2 (open_ns, close_ns)),
  NS_FIELD ("opened_before_trace", N_("Opened Before Trace"), N_("Its start was not recorded"), BOOL, 76, 0, ns_get_bool, NET (opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, NET (close_ns)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, NET (activity)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid_of, NET (activity_id)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, NET2 (pid, open_ns)),
  NS_INPUT_COLUMN (NET2 (open_ns, close_ns)),
  NS_MACHINE_COLUMN (NET2 (pid, open_ns)),
};
/* clang-format on */

/**
 * ns_field_dotnet_dup_request: (skip)
 * @trace: a trace
 * @row: of the table of .NET requests, 0-based
 *
 * Returns: (transfer full) (nullable): ID of the request in its process
 */
char *
ns_field_dotnet_dup_request (const NsTrace *trace, guint row)
{
  const NsDotnetRow *dotnet = &g_array_index (trace->dotnet, NsDotnetRow, row);
  char text[NS_GUID_TEXT_SIZE];

  if (dotnet->is_framework)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", dotnet->request);
  if (dotnet->activity_id == NULL)
    return NULL;
  return g_strdup (ns_guid_to_text (dotnet->activity_id, text));
}

const NsFieldTable ns_fields_dotnet = {
  .name = "dotnet",
  .title = N_ (".NET"),
  .needs = { NS_PROVIDER_DOTNET_HTTP, NS_PROVIDER_DOTNET_FRAMEWORK },
  .fields = dotnet_fields,
  .n_fields = G_N_ELEMENTS (dotnet_fields),
};
