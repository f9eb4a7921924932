/* The fields of the tables of requests: WebIO, WinINet, LDAP, URLMon, Chromium, HTTP.sys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-code.h"
#include "query/ns-field-tls.h"

#include <glib/gi18n-lib.h>

#define WEB(member) NS_FIELD_AT (NS_TABLE_WEBIO, NsWebioRow, member)
#define WEB2(first, second) NS_FIELD_AT2 (NS_TABLE_WEBIO, NsWebioRow, first, second)
#define INET(member) NS_FIELD_AT (NS_TABLE_WININET, NsWininetRow, member)
#define INET2(first, second) NS_FIELD_AT2 (NS_TABLE_WININET, NsWininetRow, first, second)
#define LDAP(member) NS_FIELD_AT (NS_TABLE_LDAP, NsLdapRow, member)
#define LDAP2(first, second) NS_FIELD_AT2 (NS_TABLE_LDAP, NsLdapRow, first, second)
#define URL(member) NS_FIELD_AT (NS_TABLE_URLMON, NsUrlmonRow, member)
#define URL2(first, second) NS_FIELD_AT2 (NS_TABLE_URLMON, NsUrlmonRow, first, second)
#define CR(member) NS_FIELD_AT (NS_TABLE_CHROMIUM, NsChromiumRow, member)
#define CR2(first, second) NS_FIELD_AT2 (NS_TABLE_CHROMIUM, NsChromiumRow, first, second)
#define SRV(member) NS_FIELD_AT (NS_TABLE_HTTP_SERVER, NsHttpServerRow, member)
#define SRV2(first, second) NS_FIELD_AT2 (NS_TABLE_HTTP_SERVER, NsHttpServerRow, first, second)

/* Returns the last connection, which received the response. */
static const NsWebioConn *
get_last_conn (const NsTrace *trace, guint row, const NsField *field)
{
  const NsWebioRow *webio = ns_field_get_row (trace, row, field);

  return webio->n_conns == 0 ? NULL : &webio->conns[webio->n_conns - 1];
}

static void
get_webio_connection (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWebioConn *conn = get_last_conn (trace, row, field);

  value->v.u = conn == NULL ? 0 : conn->connection;
  value->is_null = value->v.u == 0;
}

static void
get_webio_socket (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWebioConn *conn = get_last_conn (trace, row, field);

  value->v.u = conn == NULL ? 0 : conn->socket;
  value->is_null = value->v.u == 0;
}

static void
get_webio_ip (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWebioConn *conn = get_last_conn (trace, row, field);

  value->is_null = conn == NULL || ns_ip_is_empty (&conn->remote->ip);
  if (!value->is_null)
    value->v.ip = conn->remote->ip;
}

static void
get_webio_port (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWebioConn *conn = get_last_conn (trace, row, field);

  value->is_null = conn == NULL || ns_endpoint_is_empty (conn->remote);
  if (!value->is_null)
    value->v.u = conn->remote->port;
}

static void
get_webio_tcp (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWebioRow *webio = ns_field_get_row (trace, row, field);
  guint i;

  for (i = webio->n_conns; i > 0 && value->v.u == 0; i--)
    value->v.u = webio->conns[i - 1].tcp;
  value->is_null = value->v.u == 0;
}

static void
get_webio_status (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWebioRow *webio = ns_field_get_row (trace, row, field);
  guint i;

  value->is_null = TRUE;
  for (i = webio->n_conns; i > 0; i--)
    {
      NsString header = webio->conns[i - 1].header;

      if (header != NS_STRING_NONE && header != NS_STRING_EMPTY)
        {
          ns_field_set_chars (value, ns_trace_text (trace, header));
          return;
        }
    }
}

static void
get_webio_conns (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ((const NsWebioRow *) ns_field_get_row (trace, row, field))->n_conns;
}

static void
take_code (NsFieldValue *value, NsCodeFamily family, guint32 code)
{
  ns_field_take_text (value, code == 0 ? NULL : ns_field_code_to_text (family, code));
}

static void
get_webio_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWebioRow *webio = ns_field_get_row (trace, row, field);

  take_code (value, NS_CODE_WIN32, webio->error);
}

static void
get_wininet_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWininetRow *wininet = ns_field_get_row (trace, row, field);

  take_code (value, NS_CODE_WIN32, wininet->error);
}

static void
get_http_server_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsHttpServerRow *server = ns_field_get_row (trace, row, field);

  take_code (value, NS_CODE_NTSTATUS, server->error);
}

static void
get_abort_reason (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsUrlmonRow *urlmon = ns_field_get_row (trace, row, field);

  take_code (value, NS_CODE_HRESULT, urlmon->abort_reason);
}

/* Gets the error: network stack errors are negative, QUIC errors positive. */
static void
get_chromium_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsChromiumRow *chromium = ns_field_get_row (trace, row, field);

  take_code (value,
             chromium->error < 0 ? NS_CODE_CHROMIUM : NS_CODE_QUIC,
             (guint32) chromium->error);
}

static void
get_scope (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsLdapRow *ldap = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_field_ldap_scope_to_text (ldap->scope));
}

/* clang-format off */
static const NsField webio_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, WEB (request)),
  NS_FIELD ("request", N_("Request"), N_("Pointer of the request"), HEX, 148, 0, ns_get_nonzero_u64, WEB (request)),
  NS_FIELD ("session", N_("Session"), N_("Pointer of the session"), HEX, 148, 0, ns_get_nonzero_u64, WEB (session)),
  NS_FIELD ("connection", N_("Connection"), N_("Pointer of the connection that received the response"), HEX, 148, 0, get_webio_connection, WEB (conns)),
  NS_FIELD ("socket", N_("Socket"), N_("Handle of the socket that received the response"), HEX, 148, 0, get_webio_socket, WEB (conns)),
  NS_FIELD ("method", N_("Method"), N_("HTTP method"), TEXT, 60, 3, ns_get_string, WEB (method)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 386, 4, ns_get_string, WEB (url)),
  NS_FIELD ("server", N_("Server"), N_("Host of the URL"), TEXT, 150, 2, ns_get_string, WEB (server)),
  NS_FIELD ("status", N_("Status"), N_("First line of the response"), TEXT, 150, 5, get_webio_status, WEB (conns)),
  NS_FIELD ("http_status", N_("HTTP Status"), N_("Status code of the response"), UINT, 76, 0, ns_get_nonzero_u32, WEB (http_status)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent over all its connections"), BYTES, 78, 6, ns_get_u64, WEB (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received over all its connections"), BYTES, 84, 7, ns_get_u64, WEB (received)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, WEB2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, WEB (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that sent the request"), UINT, 68, 0, ns_get_known_u32, WEB (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 9, ns_get_time, WEB (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 10, ns_get_time, WEB (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 8, ns_get_duration, WEB2 (open_ns, close_ns)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, get_webio_tcp, WEB (conns)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 180, 0, get_webio_error, WEB (error)),
  NS_FIELD ("handle", N_("Handle"), N_("Handle of the request"), HEX, 148, 0, ns_get_nonzero_u64, WEB (handle)),
  NS_FIELD ("session_handle", N_("Session Handle"), N_("Handle of the session"), HEX, 148, 0, ns_get_nonzero_u64, WEB (session_handle)),
  NS_FIELD ("connections", N_("Connections"), N_("Number of connections it used"), COUNT, 76, 0, get_webio_conns, WEB (conns)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, get_webio_ip, WEB (conns)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, get_webio_port, WEB (conns)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, WEB (close_ns)),
  NS_FIELD ("inferred", N_("Inferred"), N_("Its start was not recorded"), BOOL, 76, 0, ns_get_bool, WEB (inferred)),
  NS_TLS_FIELDS (NS_TABLE_WEBIO),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, WEB (activity)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid_of, WEB (activity_id)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, WEB2 (pid, open_ns)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_WEBIO, NsWebioRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_WEBIO, NsWebioRow, open_ns, close_ns)),
};

static const NsField wininet_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, INET (request)),
  NS_FIELD ("request", N_("Request"), N_("Identifier of the request"), HEX, 148, 0, ns_get_nonzero_u64, INET (request)),
  NS_FIELD ("connect", N_("Connect"), N_("Handle of the request"), HEX, 148, 0, ns_get_nonzero_u64, INET (connect)),
  NS_FIELD ("context", N_("Context"), N_("The program's own value for it"), HEX, 148, 0, ns_get_nonzero_u64, INET (context)),
  NS_FIELD ("method", N_("Method"), N_("HTTP method"), TEXT, 60, 3, ns_get_string, INET (method)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 386, 4, ns_get_string, INET (url)),
  NS_FIELD ("server", N_("Server"), N_("Host of the URL"), TEXT, 150, 2, ns_get_string, INET (server)),
  NS_FIELD ("server_port", N_("Server Port"), N_("Port that the program requested"), PORT, 76, 0, ns_get_nonzero_u32, INET (server_port)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip_of, INET (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port_of, INET (remote)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), PORT, 72, 0, ns_get_nonzero_u16, INET (local_port)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent"), BYTES, 78, 7, ns_get_u64, INET (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 84, 8, ns_get_u64, INET (received)),
  NS_FIELD ("status", N_("Status"), N_("First line of the response, or the final state"), TEXT, 150, 6, ns_get_string, INET (status)),
  NS_FIELD ("http_status", N_("HTTP Status"), N_("Status code of the response"), UINT, 76, 0, ns_get_nonzero_u32, INET (http_status)),
  NS_FIELD ("from_cache", N_("From Cache"), N_("Served from a cache, without the network"), BOOL, 76, 0, ns_get_bool, INET (from_cache)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, INET2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, INET (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that sent the request"), UINT, 68, 0, ns_get_known_u32, INET (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 10, ns_get_time, INET (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When its handle was closed"), TIME, 84, 11, ns_get_time, INET (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 9, ns_get_duration, INET2 (open_ns, close_ns)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, INET (tcp)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 180, 0, get_wininet_error, INET (error)),
  NS_FIELD ("server_alt", N_("Alt DNS Name"), N_("Another name of the same address"), TEXT, 180, 0, ns_get_string, INET (server_alt)),
  NS_FIELD ("http2", N_("HTTP/2"), N_("It used HTTP/2"), BOOL, 66, 0, ns_get_bool, INET (http2)),
  NS_FIELD ("answer_ns", N_("Answered (s)"), N_("When the response was complete"), TIME, 84, 0, ns_get_time, INET (answer_ns)),
  NS_FIELD ("redirect_from", N_("Redirected From"), N_("Row of the request that was redirected to this one"), ROW, 84, 0, ns_get_nonzero_u32, INET (redirect_from)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, INET (close_ns)),
  NS_FIELD ("inferred", N_("Inferred"), N_("Its start was not recorded"), BOOL, 76, 0, ns_get_bool, INET (inferred)),
  NS_TLS_FIELDS (NS_TABLE_WININET),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, INET (activity)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid_of, INET (activity_id)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, INET2 (pid, open_ns)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 126, 5, ns_get_ip_port_of, INET (remote)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_WININET, NsWininetRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_WININET, NsWininetRow, open_ns, close_ns)),
};

static const NsField ldap_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, LDAP (base)),
  NS_FIELD ("base", N_("Base"), N_("Base object: start of the search in the directory"), TEXT, 180, 3, ns_get_string, LDAP (base)),
  NS_FIELD ("scope", N_("Scope"), N_("Depth of the search"), TEXT, 66, 4, get_scope, LDAP (scope)),
  NS_FIELD ("filter", N_("Filter"), N_("Search filter"), TEXT, 220, 5, ns_get_string, LDAP (filter)),
  NS_FIELD ("attributes", N_("Attributes"), N_("Requested attributes"), LIST, 180, 6, ns_get_string_list, LDAP (attributes)),
  NS_FIELD ("server", N_("Server"), N_("Directory server"), TEXT, 150, 2, ns_get_string, LDAP (server)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 7, ns_get_ip, LDAP (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port, LDAP (remote)),
  NS_FIELD ("status", N_("Status"), N_("Final status"), TEXT, 150, 0, ns_get_string, LDAP (status)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, LDAP2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, LDAP (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that performed the search"), UINT, 68, 0, ns_get_known_u32, LDAP (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 9, ns_get_time, LDAP (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 10, ns_get_time, LDAP (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 8, ns_get_duration, LDAP2 (open_ns, close_ns)),
  NS_FIELD ("winsock", N_("WinSock Row"), N_("Underlying socket"), ROW, 66, 0, ns_get_nonzero_u32, LDAP (winsock)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, LDAP (tcp)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, LDAP (close_ns)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, LDAP (activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, LDAP2 (pid, open_ns)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_LDAP, NsLdapRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_LDAP, NsLdapRow, open_ns, close_ns)),
};

static const NsField urlmon_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, URL (url)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 386, 2, ns_get_string, URL (url)),
  NS_FIELD ("bytes", N_("Bytes (B)"), N_("Bytes downloaded"), BYTES, 84, 3, ns_get_u64, URL (bytes)),
  NS_FIELD ("last_message", N_("Last Message"), N_("Number of the last notification"), UINT, 84, 4, ns_get_u32, URL (last_message)),
  NS_FIELD ("abort_reason", N_("Abort Reason"), N_("Reason why it was aborted"), TEXT, 180, 5, get_abort_reason, URL (abort_reason)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, URL2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, URL (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Requesting thread"), UINT, 68, 0, ns_get_known_u32, URL (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 7, ns_get_time, URL (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 8, ns_get_time, URL (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 6, ns_get_duration, URL2 (open_ns, close_ns)),
  NS_FIELD ("wininet", N_("WinINet Row"), N_("Underlying WinINet request"), ROW, 66, 0, ns_get_nonzero_u32, URL (wininet)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, URL (close_ns)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, URL (activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, URL2 (pid, open_ns)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_URLMON, NsUrlmonRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_URLMON, NsUrlmonRow, open_ns, close_ns)),
};

static const NsField chromium_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, CR (request)),
  NS_FIELD ("channel", N_("Channel"), N_("Browser that sent the request"), TEXT, 90, 0, ns_get_chars, CR (channel)),
  NS_FIELD ("request", N_("Request ID"), N_("Source number of the request"), UINT, 90, 0, ns_get_nonzero_u64, CR (request)),
  NS_FIELD ("netlog", N_("Netlog ID"), N_("Source that the events of the request name"), HEX, 148, 0, ns_get_nonzero_u64, CR (netlog)),
  NS_FIELD ("session", N_("Session ID"), N_("Source number of the session"), UINT, 90, 0, ns_get_nonzero_u64, CR (session)),
  NS_FIELD ("connection", N_("Connection ID"), N_("Identifier of the connection"), HEX, 148, 0, ns_get_nonzero_u64, CR (connection)),
  NS_FIELD ("socket", N_("Socket ID"), N_("Local port"), UINT, 78, 0, ns_get_nonzero_u32, CR (socket)),
  NS_FIELD ("method", N_("Method"), N_("HTTP method"), TEXT, 60, 3, ns_get_string, CR (method)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 386, 4, ns_get_string, CR (url)),
  NS_FIELD ("server", N_("Server"), N_("Host of the URL"), TEXT, 150, 2, ns_get_string, CR (server)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip, CR (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port, CR (remote)),
  NS_FIELD ("transport", N_("Transport"), N_("HTTP version, cache or socket"), TEXT, 76, 6, ns_get_chars, CR (transport)),
  NS_FIELD ("status", N_("Status"), N_("Status of the response"), TEXT, 90, 7, ns_get_string, CR (status)),
  NS_FIELD ("http_status", N_("HTTP Status"), N_("Status code of the response"), UINT, 76, 0, ns_get_nonzero_u32, CR (http_status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 180, 0, get_chromium_error, CR (error)),
  NS_FIELD ("priority", N_("Priority"), N_("Priority that the browser assigned to it"), TEXT, 76, 0, ns_get_string, CR (priority)),
  NS_FIELD ("origin", N_("Origin Context"), N_("Page that requested it"), TEXT, 180, 0, ns_get_string, CR (origin)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent"), BYTES, 78, 8, ns_get_u64, CR (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 84, 9, ns_get_u64, CR (received)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, CR2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, CR (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that sent the request"), UINT, 68, 0, ns_get_known_u32, CR (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 11, ns_get_time, CR (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 12, ns_get_time, CR (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 10, ns_get_duration, CR2 (open_ns, close_ns)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, CR (tcp)),
  NS_FIELD ("server_alt", N_("Alt DNS Name"), N_("Another name of the same address"), TEXT, 180, 0, ns_get_string, CR (server_alt)),
  NS_FIELD ("ip_text", N_("Address Text"), N_("Text of the address field"), TEXT, 110, 0, ns_get_string, CR (ip_text)),
  NS_FIELD ("start_ns", N_("Job Start (s)"), N_("When its job started"), TIME, 84, 0, ns_get_time, CR (start_ns)),
  NS_FIELD ("reused", N_("Reused"), N_("It used an existing connection"), BOOL, 66, 0, ns_get_bool, CR (reused)),
  NS_FIELD ("winsock", N_("WinSock Row"), N_("Underlying socket"), ROW, 66, 0, ns_get_nonzero_u32, CR (winsock)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, CR (close_ns)),
  NS_TLS_FIELDS (NS_TABLE_CHROMIUM),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, CR (activity)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid, CR (activity_id)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, CR2 (pid, open_ns)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 126, 5, ns_get_ip_port, CR (remote)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_CHROMIUM, NsChromiumRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_CHROMIUM, NsChromiumRow, open_ns, close_ns)),
};

static const NsField http_server_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, SRV (request)),
  NS_FIELD ("request", N_("Request ID"), N_("Identifier of the request in HTTP.sys"), HEX, 148, 0, ns_get_nonzero_u64, SRV (request)),
  NS_FIELD ("connection", N_("Connection ID"), N_("Identifier of the connection"), HEX, 148, 0, ns_get_nonzero_u64, SRV (connection)),
  NS_FIELD ("method", N_("Method"), N_("HTTP method"), TEXT, 60, 3, ns_get_string, SRV (method)),
  NS_FIELD ("url", N_("URL"), N_("Requested resource"), TEXT, 386, 4, ns_get_string, SRV (url)),
  NS_FIELD ("server", N_("Server"), N_("Host of the URL"), TEXT, 150, 2, ns_get_string, SRV (server)),
  NS_FIELD ("http_status", N_("HTTP Status"), N_("Status code of the response"), UINT, 76, 6, ns_get_nonzero_u32, SRV (http_status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 180, 0, get_http_server_error, SRV (error)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip, SRV (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port, SRV (remote)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of this machine"), IP, 110, 0, ns_get_ip, SRV (local)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), PORT, 72, 0, ns_get_port, SRV (local)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent"), BYTES, 78, 7, ns_get_nonzero_u64, SRV (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 84, 8, ns_get_nonzero_u64, SRV (received)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, SRV2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, SRV (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that served it"), UINT, 68, 0, ns_get_known_u32, SRV (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 10, ns_get_time, SRV (open_ns)),
  NS_FIELD ("parsed_ns", N_("Parsed (s)"), N_("When the request was parsed"), TIME, 84, 0, ns_get_time, SRV (parsed_ns)),
  NS_FIELD ("delivered_ns", N_("Delivered (s)"), N_("When the program received it"), TIME, 84, 0, ns_get_time, SRV (delivered_ns)),
  NS_FIELD ("first_send_ns", N_("First Send (s)"), N_("When the response started"), TIME, 84, 0, ns_get_time, SRV (first_send_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 11, ns_get_time, SRV (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 9, ns_get_duration, SRV2 (open_ns, close_ns)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, SRV (tcp)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, SRV (close_ns)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, SRV (activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, SRV2 (pid, open_ns)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 126, 5, ns_get_ip_port, SRV (remote)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_HTTP_SERVER, NsHttpServerRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_HTTP_SERVER, NsHttpServerRow, open_ns, close_ns)),
};
/* clang-format on */

const NsFieldTable ns_fields_webio = {
  .name = "webio",
  .title = N_ ("WinHTTP"),
  .needs = { NS_PROVIDER_WEBIO },
  .fields = webio_fields,
  .n_fields = G_N_ELEMENTS (webio_fields),
};
const NsFieldTable ns_fields_wininet = {
  .name = "wininet",
  .title = N_ ("WinINet"),
  .needs = { NS_PROVIDER_WININET },
  .fields = wininet_fields,
  .n_fields = G_N_ELEMENTS (wininet_fields),
};
const NsFieldTable ns_fields_ldap = {
  .name = "ldap",
  .title = N_ ("LDAP"),
  .needs = { NS_PROVIDER_LDAP_CLIENT },
  .fields = ldap_fields,
  .n_fields = G_N_ELEMENTS (ldap_fields),
};
const NsFieldTable ns_fields_urlmon = {
  .name = "urlmon",
  .title = N_ ("URLMon"),
  .needs = { NS_PROVIDER_URLMON },
  .fields = urlmon_fields,
  .n_fields = G_N_ELEMENTS (urlmon_fields),
};
const NsFieldTable ns_fields_chromium = {
  .name = "chromium",
  .title = N_ ("Chromium"),
  .needs = { NS_PROVIDER_CHROME,
             NS_PROVIDER_EDGE,
             NS_PROVIDER_EDGE_BETA,
             NS_PROVIDER_EDGE_DEV,
             NS_PROVIDER_EDGE_CANARY,
             NS_PROVIDER_EDGE_INTERNAL,
             NS_PROVIDER_EDGE_WEBVIEW2 },
  .needs_else = "Chrome, Edge or WebView2 with the category netlog",
  .fields = chromium_fields,
  .n_fields = G_N_ELEMENTS (chromium_fields),
};
const NsFieldTable ns_fields_http_server = {
  .name = "http-server",
  .title = N_ ("HTTP.sys"),
  .needs = { NS_PROVIDER_HTTP_SERVICE },
  .fields = http_server_fields,
  .n_fields = G_N_ELEMENTS (http_server_fields),
};
