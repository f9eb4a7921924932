/* The fields of the tables of lower layers: DNS, TCP connections, sockets, kernel network counters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-text.h"
#include "query/ns-field-code.h"
#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DNS(member) NS_FIELD_AT (NS_TABLE_DNS, NsDnsRow, member)
#define DNS2(first, second) NS_FIELD_AT2 (NS_TABLE_DNS, NsDnsRow, first, second)
#define TCP(member) NS_FIELD_AT (NS_TABLE_TCP, NsTcpRow, member)
#define TCP2(first, second) NS_FIELD_AT2 (NS_TABLE_TCP, NsTcpRow, first, second)
#define EXTRA(member) (TCP (extra) | (guint) offsetof (NsTcpExtra, member) << NS_FIELD_OFFSET_BITS)
#define SOCK(member) NS_FIELD_AT (NS_TABLE_WINSOCK, NsWinsockRow, member)
#define SOCK2(first, second) NS_FIELD_AT2 (NS_TABLE_WINSOCK, NsWinsockRow, first, second)
#define KERN(member) NS_FIELD_AT (NS_TABLE_KERNEL_NETWORK, NsKernelNetworkRow, member)
#define KERN2(first, second)                                                                       \
  NS_FIELD_AT2 (NS_TABLE_KERNEL_NETWORK, NsKernelNetworkRow, first, second)

static void
get_dns_type (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDnsRow *dns = ns_field_get_row (trace, row, field);
  const char *name = ns_field_dns_type_to_text (dns->type);

  if (name != NULL)
    ns_field_set_chars (value, name);
  else
    ns_field_take_text (value, dns->type == 0 ? NULL : g_strdup_printf ("%u", dns->type));
}

static void
get_dns_status (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDnsRow *dns = ns_field_get_row (trace, row, field);

  value->v.u = dns->status;
  value->is_null = !dns->has_status;
}

static void
get_dns_status_text (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDnsRow *dns = ns_field_get_row (trace, row, field);

  ns_field_take_text (value,
                      dns->has_status ? ns_field_code_to_words (NS_CODE_DNS, dns->status) : NULL);
}

/* Gets the port of an endpoint, also if its address is unknown. */
static void
get_bound_port (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWinsockRow *winsock = ns_field_get_row (trace, row, field);

  value->v.u = winsock->local != NULL ? winsock->local->port : 0;
  value->is_null = value->v.u == 0;
}

/* Returns a rare value of a connection. */
static gconstpointer
get_extra (const NsTrace *trace, guint row, const NsField *field)
{
  const NsTcpRow *tcp = ns_field_get_row (trace, row, field);

  return (const char *) tcp->extra + (field->extra >> NS_FIELD_OFFSET_BITS & NS_FIELD_OFFSET_MASK);
}

static void
get_extra_u32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint32 *) get_extra (trace, row, field);
}

static void
get_extra_u64 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint64 *) get_extra (trace, row, field);
}

static void
get_extra_i32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.i = *(const gint32 *) get_extra (trace, row, field);
  value->is_null = value->v.i == NS_UNKNOWN;
}

static void
get_extra_i64 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.i = *(const gint64 *) get_extra (trace, row, field);
  value->is_null = value->v.i == NS_UNKNOWN;
}

static void
get_ip_protocol (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWinsockRow *winsock = ns_field_get_row (trace, row, field);
  const char *name = ns_field_ip_protocol_to_text (winsock->family, winsock->protocol);

  if (name != NULL)
    ns_field_set_chars (value, name);
  else
    ns_field_take_text (value,
                        winsock->protocol == 0 ? NULL : g_strdup_printf ("%u", winsock->protocol));
}

static void
get_socket_type (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWinsockRow *winsock = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_field_socket_type_to_text (winsock->socket_type));
}

/* Returns whether the row has values that only packets show. */
static gboolean
is_captured (const NsTrace *trace, guint row, const NsField *field)
{
  const NsDnsRow *dns = ns_field_get_row (trace, row, field);

  return dns->flow != 0;
}

static void
get_dns_retries (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_get_u32 (trace, row, field, value);
  value->is_null = !is_captured (trace, row, field);
}

static void
get_dns_cut (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDnsRow *dns = ns_field_get_row (trace, row, field);

  value->v.u = dns->is_cut;
  value->is_null = dns->flow == 0 || dns->rcode == NS_STRING_NONE;
}

static void
get_dns_transport (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsDnsRow *dns = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, dns->flow == 0 ? NULL : dns->is_over_tcp ? "TCP" : "UDP");
}

static void
get_winsock_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsWinsockRow *winsock = ns_field_get_row (trace, row, field);

  ns_field_take_text (value,
                      winsock->status == 0
                          ? NULL
                          : ns_field_code_to_text (NS_CODE_NTSTATUS, winsock->status));
}

static void
get_tcp_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsTcpRow *tcp = ns_field_get_row (trace, row, field);

  ns_field_take_text (value,
                      tcp->status == 0 ? NULL
                                       : ns_field_code_to_text (NS_CODE_NTSTATUS, tcp->status));
}

/* Gets the duration; a connection that was shut down and never torn down ends with the shutdown. */
static void
get_tcp_duration (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsTcpRow *tcp = ns_field_get_row (trace, row, field);
  gint64 close_ns = tcp->close_ns;

  if (close_ns == NS_TIME_OPEN && ns_time_is_set (tcp->shutdown_ns))
    close_ns = tcp->shutdown_ns;
  ns_field_set_span (value, trace, tcp->open_ns, close_ns);
}

/* A connection that was shut down has ended, also if its close was not recorded: its activity ends
 * there. */
static void
get_tcp_still_open (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsTcpRow *tcp = ns_field_get_row (trace, row, field);

  value->v.u = tcp->close_ns == NS_TIME_OPEN && !ns_time_is_set (tcp->shutdown_ns);
}

/* Keywords of display filters in a packet analyzer. */
typedef struct
{
  const char *v4;
  const char *v6;
  const char *tcp;
  const char *udp;
  const char *address;
  const char *port;
  const char *and;
} FilterWords;

static const FilterWords wireshark_words = { "ip",        "ipv6",      "tcp", "udp",
                                             ".addr == ", ".port == ", " && " };
static const FilterWords netmon_words = { "IPv4",         "IPv6",      "TCP",  "UDP",
                                          ".Address == ", ".Port == ", " AND " };

/* Appends text at the end of a buffer of NS_FIELD_WRITTEN_BYTES, and returns its new end. */
static char *
append_address (char *end, const char *protocol, const char *word, const NsIp *ip)
{
  end = stpcpy (stpcpy (end, protocol), word);
  ns_ip_to_text (ip, end);
  return end + strlen (end);
}

static char *
append_port (char *end, const char *protocol, const char *word, guint16 port)
{
  char digits[sizeof "65535"];
  char *digit = digits + sizeof digits - 1;

  *digit = '\0';
  do
    *--digit = (char) ('0' + port % 10);
  while ((port /= 10) > 0);
  return stpcpy (stpcpy (stpcpy (end, protocol), word), digit);
}

/* Writes the display filter that selects the packets of a connection in a packet analyzer. */
static gsize
write_capture_filter (const NsTrace *trace,
                      guint row,
                      const NsField *field,
                      char text[NS_FIELD_WRITTEN_BYTES])
{
  const NsTcpRow *tcp = ns_field_get_row (trace, row, field);
  const FilterWords *words = field->id[0] == 'w' ? &wireshark_words : &netmon_words;
  gboolean is_v6 = tcp->remote->ip.family == NS_AF_INET6;
  const char *network = is_v6 ? words->v6 : words->v4;
  const char *transport = tcp->is_udp ? words->udp : words->tcp;
  char *end = text;

  G_STATIC_ASSERT (NS_FIELD_WRITTEN_BYTES >= 2 * NS_IP_TEXT_SIZE + 128);
  if ((tcp->remote->ip.family != NS_AF_INET && !is_v6) ||
      tcp->local->ip.family != tcp->remote->ip.family)
    return 0;
  end = append_address (end, network, words->address, &tcp->local->ip);
  end = append_address (stpcpy (end, words->and), network, words->address, &tcp->remote->ip);
  end = append_port (stpcpy (end, words->and), transport, words->port, tcp->local->port);
  end = append_port (stpcpy (end, words->and), transport, words->port, tcp->remote->port);
  return (gsize) (end - text);
}

static void
get_capture_filter (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  char text[NS_FIELD_WRITTEN_BYTES];
  gsize n_bytes = write_capture_filter (trace, row, field, text);

  if (n_bytes == 0)
    value->is_null = TRUE;
  else
    ns_field_take_text (value, g_strndup (text, n_bytes));
}

/**
 * ns_field_get_writer_of_connection: (skip)
 * @field: a field of any table
 *
 * Returns: (nullable): its writer if it is a field of connections that has one
 */
NsFieldWriteFunc
ns_field_get_writer_of_connection (const NsField *field)
{
  return field->get == get_capture_filter ? write_capture_filter : NULL;
}

/* clang-format off */
static const NsField dns_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, DNS (query)),
  NS_FIELD ("query", N_("Name"), N_("Requested resource"), TEXT, 220, 2, ns_get_string, DNS (query)),
  NS_FIELD ("type", N_("Type"), N_("Requested record type"), TEXT, 58, 3, get_dns_type, DNS (type)),
  NS_FIELD ("status", N_("Status"), N_("Code of the response, 0 is success"), UINT, 76, 0, get_dns_status, DNS (status)),
  NS_FIELD ("status_text", N_("Result"), N_("Meaning of the response code"), TEXT, 150, 6, get_dns_status_text, DNS (status)),
  NS_FIELD ("addresses", N_("Addresses"), N_("Addresses in the response"), LIST, 220, 4, ns_get_ip_list, DNS (addresses)),
  NS_FIELD ("aliases", N_("Aliases"), N_("Other names in the response"), LIST, 180, 0, ns_get_string_list, DNS (aliases)),
  NS_FIELD ("server", N_("DNS Server"), N_("Resolver that responded or was queried"), TEXT, 110, 7, ns_get_string, DNS (server)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, DNS2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, DNS (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Requesting thread"), UINT, 68, 0, ns_get_known_u32, DNS (tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 9, ns_get_time, DNS (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 10, ns_get_time, DNS (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 8, ns_get_duration, DNS2 (open_ns, close_ns)),
  NS_FIELD ("source", N_("Source"), N_("Source of the response"), TEXT, 84, 5, ns_get_dns_source, DNS (source)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, DNS (activity)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid_of, DNS (activity_id)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, DNS (close_ns)),
  NS_FIELD ("rcode", N_("Response Code"), N_("Response code in the packet: NOERROR, NXDOMAIN \342\200\246"), TEXT, 110, 0, ns_get_string, DNS (rcode)),
  NS_FIELD ("retries", N_("Retries"), N_("Number of times that the query was retried before its response, from the captured packets"), COUNT, 66, 0, get_dns_retries, DNS (n_retries)),
  NS_FIELD ("truncated", N_("Truncated"), N_("The response is marked as truncated: it exceeds a datagram"), BOOL, 76, 0, get_dns_cut, DNS (is_cut)),
  NS_FIELD ("transport", N_("Transport"), N_("UDP or TCP, from the captured packets"), TEXT, 76, 0, get_dns_transport, DNS (is_over_tcp)),
  NS_FIELD ("flow", N_("Conversation"), N_("Conversation in captured packets"), ROW, 90, 0, ns_get_nonzero_u32, DNS (flow)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, DNS2 (pid, open_ns)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_DNS, NsDnsRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_DNS, NsDnsRow, open_ns, close_ns)),
};

static const NsField tcp_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, TCP (tcb)),
  NS_FIELD ("tcb", N_("TCB/UDP ID"), N_("Transport control block or UDP endpoint"), HEX, 148, 0, ns_get_nonzero_u64, TCP (tcb)),
  NS_FIELD ("protocol", N_("IP Protocol"), N_("TCP or UDP"), TEXT, 84, 3, ns_get_tcp_or_udp, TCP (is_udp)),
  NS_FIELD ("owner", N_("Protocol"), N_("Highest layer that used it"), TEXT, 90, 4, ns_get_layer, TCP (owner)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, TCP2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, TCP (pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that opened it"), UINT, 68, 0, ns_get_known_u32, TCP (tid)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 128, 0, ns_get_ip_of, TCP (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port_of, TCP (remote)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of this machine"), IP, 128, 0, ns_get_ip_of, TCP (local)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), PORT, 72, 0, ns_get_port_of, TCP (local)),
  NS_FIELD ("posted", N_("Post (B)"), N_("Bytes submitted for sending"), BYTES, 70, 6, ns_get_u64, TCP (posted)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent, each counted once"), BYTES, 78, 7, ns_get_u64, TCP (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 84, 8, ns_get_u64, TCP (received)),
  NS_FIELD ("retransmits", N_("Retransmits"), N_("Retransmitted segments"), COUNT, 84, 9, get_extra_u32, EXTRA (retransmits)),
  NS_FIELD ("retransmitted_bytes", N_("Retransmitted (B)"), N_("Retransmitted bytes"), BYTES, 90, 0, get_extra_u64, EXTRA (retransmitted_bytes)),
  NS_FIELD ("rtt_us", N_("RTT (µs)"), N_("Round-trip time"), INT, 76, 10, get_extra_i32, EXTRA (rtt_us)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 12, ns_get_time, TCP (open_ns)),
  NS_FIELD ("shutdown_ns", N_("Shutdown (s)"), N_("When it was shut down"), TIME, 84, 0, ns_get_time, TCP (shutdown_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 13, ns_get_time, TCP (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 11, get_tcp_duration, TCP (open_ns)),
  NS_FIELD ("state", N_("State"), N_("Last observed TCP state"), TEXT, 106, 0, ns_get_tcp_state, TCP (state)),
  NS_FIELD ("status", N_("Status"), N_("Last observed TCP state"), TEXT, 106, 0, ns_get_tcp_state, TCP (state)),
  NS_FIELD ("server", N_("Server"), N_("Name of the remote address"), TEXT, 150, 2, ns_get_string, TCP (server)),
  NS_FIELD ("error", N_("Error"), N_("Last status that was not success"), TEXT, 180, 0, get_tcp_error, TCP (status)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, get_tcp_still_open, TCP (close_ns)),
  NS_FIELD ("server_alt", N_("Alt Server"), N_("Another name of the same address"), TEXT, 150, 0, ns_get_string, TCP (server_alt)),
  NS_FIELD ("inferred", N_("Inferred"), N_("Its start was not recorded"), BOOL, 76, 0, ns_get_bool, TCP (inferred)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was open when the trace began"), BOOL, 76, 0, ns_get_bool, TCP (before_trace)),
  NS_FIELD ("accepted", N_("Accepted"), N_("The other side opened the connection"), BOOL, 76, 0, ns_get_bool, TCP (accepted)),
  NS_FIELD ("first_data_ns", N_("First Data (s)"), N_("When the first bytes were transferred"), TIME, 84, 0, ns_get_time, TCP (first_data_ns)),
  NS_FIELD ("last_data_ns", N_("Last Data (s)"), N_("When the last bytes were transferred"), TIME, 84, 0, ns_get_time, TCP (last_data_ns)),
  NS_FIELD ("total_sent", N_("Total Sent (B)"), N_("Bytes sent during its whole lifetime, as reported by Windows at its end"), BYTES, 90, 0, get_extra_i64, EXTRA (total_sent)),
  NS_FIELD ("total_received", N_("Total Recv (B)"), N_("Bytes received during its whole lifetime, as reported by Windows at its end"), BYTES, 90, 0, get_extra_i64, EXTRA (total_received)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, TCP (activity)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid_of, TCP (activity_id)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, TCP2 (pid, open_ns)),
  NS_COLUMN ("wireshark", N_("Wireshark Filter"), N_("Selects its packets in Wireshark"), TEXT, 260, 0, get_capture_filter, TCP (remote)),
  NS_COLUMN ("netmon", N_("Network Monitor Filter"), N_("Selects its packets in Network Monitor"), TEXT, 260, 0, get_capture_filter, TCP (remote)),
  NS_COLUMN ("geo", N_("Place"), N_("Location of the remote address, from the selected GeoIP database"), TEXT, 150, 0, ns_get_geo_of, TCP (remote)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 126, 5, ns_get_ip_port_of, TCP (remote)),
  NS_COLUMN ("local_ip_port", N_("Local address:port"), N_("Address and port of this machine"), TEXT, 126, 0, ns_get_ip_port_of, TCP (local)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_TCP, NsTcpRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_TCP, NsTcpRow, open_ns, close_ns)),
};

static const NsField winsock_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, SOCK (endpoint)),
  NS_FIELD ("endpoint", N_("Endpoint"), N_("Pointer of the socket"), HEX, 148, 0, ns_get_nonzero_u64, SOCK (endpoint)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, SOCK2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, SOCK (pid)),
  NS_FIELD ("tid_open", N_("Thread"), N_("Thread that created the socket"), UINT, 68, 0, ns_get_known_u32, SOCK (tid_open)),
  NS_FIELD ("tid_close", N_("Close Thread"), N_("Thread that closed the socket"), UINT, 82, 0, ns_get_known_u32, SOCK (tid_close)),
  NS_FIELD ("protocol", N_("IP Protocol"), N_("Transport protocol of the socket"), TEXT, 76, 3, get_ip_protocol, SOCK (protocol)),
  NS_FIELD ("socket_type", N_("Socket Type"), N_("Stream, datagram …"), TEXT, 84, 0, get_socket_type, SOCK (socket_type)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 148, 0, ns_get_ip_of, SOCK (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port_of, SOCK (remote)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), PORT, 72, 0, get_bound_port, SOCK (local)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent"), BYTES, 78, 5, ns_get_u64, SOCK (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 84, 6, ns_get_u64, SOCK (received)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 8, ns_get_time, SOCK (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 9, ns_get_time, SOCK (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 7, ns_get_duration, SOCK2 (open_ns, close_ns)),
  NS_FIELD ("status", N_("Status"), N_("Last status that was not success, or 0"), HEX, 90, 0, ns_get_u32, SOCK (status)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, SOCK (tcp)),
  NS_FIELD ("dns", N_("DNS Row"), N_("Related name resolution"), ROW, 66, 0, ns_get_nonzero_u32, SOCK (dns)),
  NS_FIELD ("server", N_("Server"), N_("Name of the remote address"), TEXT, 150, 2, ns_get_string, SOCK (server)),
  NS_FIELD ("error", N_("Error"), N_("Last status that was not success"), TEXT, 180, 0, get_winsock_error, SOCK (status)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of this machine"), IP, 128, 0, ns_get_ip_of, SOCK (local)),
  NS_FIELD ("owner", N_("Protocol"), N_("Highest layer that used it"), TEXT, 90, 0, ns_get_layer, SOCK (layers)),
  NS_FIELD ("server_alt", N_("Alt Server"), N_("Another name of the same address"), TEXT, 150, 0, ns_get_string, SOCK (server_alt)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, SOCK (close_ns)),
  NS_FIELD ("connect_ns", N_("Connected (s)"), N_("When it was connected"), TIME, 84, 0, ns_get_time, SOCK (connect_ns)),
  NS_FIELD ("accepted", N_("Accepted"), N_("The other side opened the connection"), BOOL, 76, 0, ns_get_bool, SOCK (accepted)),
  NS_FIELD ("listening", N_("Listening"), N_("It waited for connections"), BOOL, 76, 0, ns_get_bool, SOCK (listening)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, SOCK (activity)),
  NS_FIELD ("activity_guid", N_("Activity ID"), N_("Identifier assigned by Windows"), GUID, 260, 0, ns_get_guid_of, SOCK (activity_id)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, SOCK2 (pid, open_ns)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 148, 4, ns_get_ip_port_of, SOCK (remote)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_WINSOCK, NsWinsockRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_WINSOCK, NsWinsockRow, open_ns, close_ns)),
};

static const NsField kernel_network_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, KERN (pid)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, KERN2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, KERN (pid)),
  NS_FIELD ("protocol", N_("Protocol"), N_("TCP or UDP"), TEXT, 66, 2, ns_get_tcp_or_udp, KERN (is_udp)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 128, 0, ns_get_ip, KERN (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port, KERN (remote)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of this machine"), IP, 128, 0, ns_get_ip, KERN (local)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), PORT, 72, 0, ns_get_port, KERN (local)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent"), BYTES, 78, 5, ns_get_u64, KERN (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 84, 6, ns_get_u64, KERN (received)),
  NS_FIELD ("retransmits", N_("Retransmits"), N_("Retransmitted segments"), COUNT, 84, 7, ns_get_u64, KERN (retransmits)),
  NS_FIELD ("connects", N_("Connects"), N_("Connections opened"), COUNT, 66, 0, ns_get_u32, KERN (n_connects)),
  NS_FIELD ("accepts", N_("Accepts"), N_("Connections accepted"), COUNT, 66, 0, ns_get_u32, KERN (n_accepts)),
  NS_FIELD ("disconnects", N_("Disconnects"), N_("Connections closed"), COUNT, 76, 0, ns_get_u32, KERN (n_disconnects)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 9, ns_get_time, KERN (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 10, ns_get_time, KERN (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 8, ns_get_duration, KERN2 (open_ns, close_ns)),
  NS_FIELD ("retransmitted_bytes", N_("Retransmitted (B)"), N_("Retransmitted bytes"), BYTES, 90, 0, ns_get_u64, KERN (retransmitted_bytes)),
  NS_FIELD ("copied", N_("Copied (B)"), N_("Bytes copied for the program"), BYTES, 84, 0, ns_get_u64, KERN (copied)),
  NS_FIELD ("reconnects", N_("Reconnects"), N_("Connection attempts that were retried"), COUNT, 76, 0, ns_get_u32, KERN (n_reconnects)),
  NS_FIELD ("inferred", N_("Inferred"), N_("Its start was not recorded"), BOOL, 76, 0, ns_get_bool, KERN (inferred)),
  NS_FIELD ("last_ns", N_("Last (s)"), N_("When it was last seen"), TIME, 84, 0, ns_get_time, KERN (last_ns)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, KERN (close_ns)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("The same connection as seen by TCP/IP"), ROW, 66, 0, ns_get_nonzero_u32, KERN (tcp)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, KERN (activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, KERN2 (pid, open_ns)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 126, 3, ns_get_ip_port, KERN (remote)),
  NS_COLUMN ("local_ip_port", N_("Local address:port"), N_("Address and port of this machine"), TEXT, 126, 4, ns_get_ip_port, KERN (local)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_KERNEL_NETWORK, NsKernelNetworkRow, open_ns, close_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_KERNEL_NETWORK, NsKernelNetworkRow, open_ns, close_ns)),
};
/* clang-format on */

const NsFieldTable ns_fields_dns = {
  .name = "dns",
  .title = N_ ("DNS"),
  .needs = { NS_PROVIDER_DNS_CLIENT },
  .fields = dns_fields,
  .n_fields = G_N_ELEMENTS (dns_fields),
};
const NsFieldTable ns_fields_tcp = {
  .name = "tcp",
  .title = N_ ("TCP"),
  .needs = { NS_PROVIDER_TCPIP },
  .fields = tcp_fields,
  .n_fields = G_N_ELEMENTS (tcp_fields),
};
const NsFieldTable ns_fields_winsock = {
  .name = "winsock",
  .title = N_ ("WinSock"),
  .needs = { NS_PROVIDER_WINSOCK_AFD },
  .fields = winsock_fields,
  .n_fields = G_N_ELEMENTS (winsock_fields),
};
const NsFieldTable ns_fields_kernel_network = {
  .name = "kernel-network",
  .title = N_ ("Kernel TCP/IP"),
  .needs = { NS_PROVIDER_KERNEL_NETWORK, NS_PROVIDER_TCP_IP, NS_PROVIDER_UDP_IP },
  .needs_else = "Microsoft-Windows-Kernel-Network, TcpIp, UdpIp (kernel)",
  .fields = kernel_network_fields,
  .n_fields = G_N_ELEMENTS (kernel_network_fields),
};
