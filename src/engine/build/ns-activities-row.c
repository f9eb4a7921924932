/* Helpers for a layer that adds a row to the master table: initialize it, set an error, complete
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/trace/ns-services.h"

#include <string.h>

/* Returns the element of a table by its row number, which must not be 0. */
#define ROW(table, Type, row) (&g_array_index ((table), Type, (row) -1))

/**
 * ns_activities_init:
 * @row: (out): a row to fill in
 * @protocol: its layer
 * @table: table of the source row
 * @source: row of that table
 *
 * Initializes a row without known values.
 */
void
ns_activities_init (NsActivityRow *row, guint32 protocol, NsTableId table, NsRow source)
{
  memset (row, 0, sizeof *row);
  row->protocol = (NsLayerSet) protocol;
  row->layers = (NsLayerSet) protocol;
  row->pid = NS_PID_UNKNOWN;
  row->tid = NS_PID_UNKNOWN;
  row->stack_tid = NS_PID_UNKNOWN;
  row->posted = NS_UNKNOWN;
  row->open_ns = NS_TIME_NONE;
  row->close_ns = NS_TIME_OPEN;
  row->first_byte_ns = NS_TIME_NONE;
  row->reused = -1;
  row->source_table = table;
  row->source_row = source;
  row->confidence = -1;
  row->remote = row->local = &ns_endpoint_pool_none;
}

static gboolean
is_cancel (guint32 error, NsCodeFamily family)
{
  switch (family)
    {
    case NS_CODE_NTSTATUS:
      return error == 0xc0000120;
    case NS_CODE_WIN32:
      return error == 995 || error == 1223 || error == 10004 || error == 12017;
    case NS_CODE_HRESULT:
      return error == 0x80004004;
    case NS_CODE_CHROMIUM:
      return (gint32) error == -3;
    default:
      return FALSE;
    }
}

/**
 * ns_activities_set_error:
 * @row: a row
 * @error: error code; 0 changes nothing
 * @family: family of @error
 */
void
ns_activities_set_error (NsActivityRow *row, guint32 error, NsCodeFamily family)
{
  if (error == 0)
    return;
  row->error = error;
  row->error_family = family;
  row->failed = TRUE;
  row->cancelled = is_cancel (error, family);
}

/**
 * ns_activities_set_connect_error:
 * @builder: the builder
 * @row: a row
 * @tcp: its connection
 *
 * Sets the error of a connection that was never established.
 */
void
ns_activities_set_connect_error (NsBuilder *builder, NsActivityRow *row, NsRow tcp)
{
  const NsTcpRow *connection = ROW (builder->trace->tcp, NsTcpRow, tcp);

  if (connection->state != NS_TCP_CONNECT_FAIL)
    return;
  row->failed = TRUE;
  ns_activities_set_error (row, connection->status, NS_CODE_NTSTATUS);
}

/**
 * ns_activities_join:
 * @builder: the builder
 * @left: (nullable): a text
 * @right: (nullable): another
 * @between: separator
 *
 * Returns: both texts, or the only one, or the empty text
 */
NsString
ns_activities_join (NsBuilder *builder, const char *left, const char *right, const char *between)
{
  g_autofree char *text = NULL;

  if (left == NULL || right == NULL)
    return ns_strings_add (builder->trace->strings,
                           left != NULL ? left : (right != NULL ? right : ""));
  text = g_strconcat (left, between, right, NULL);
  return ns_strings_add (builder->trace->strings, text);
}

/**
 * ns_activities_flow_method:
 * @builder: the builder
 * @port: port of the service
 *
 * Returns: the name of the service, or the empty text; the method of a flow that no higher layer
 *   describes
 */
NsString
ns_activities_flow_method (NsBuilder *builder, guint16 port)
{
  const char *service = ns_service_name (port);

  return ns_strings_add (builder->trace->strings, service != NULL ? service : "");
}

/**
 * ns_activities_protocol_name:
 * @family: address family of a socket
 * @protocol: its IPPROTO number
 *
 * Returns: (nullable): the name of the protocol
 */
const char *
ns_activities_protocol_name (guint32 family, guint32 protocol)
{
  static const struct
  {
    guint32 number;
    const char *name;
  } names[] = {
    { 0, "IP" },     { 1, "ICMP" },    { 2, "IGMP" },     { 6, "TCP" },       { 17, "UDP" },
    { 41, "IPV6" },  { 47, "GRE" },    { 43, "ROUTING" }, { 44, "FRAGMENT" }, { 50, "ESP" },
    { 51, "AH" },    { 58, "ICMPV6" }, { 59, "NONE" },    { 103, "PIM" },     { 113, "PGM" },
    { 132, "SCTP" }, { 255, "RAW" },
  };
  gsize i;

  if (family == NS_AF_UNIX)
    return "Unix";
  if (family == NS_AF_HYPERV)
    return "HyperV";
  if (family == NS_AF_VSOCK)
    return "VSock";
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].number == protocol)
      return names[i].name;
  return NULL;
}

static void
describe_ends (NsBuilder *builder, NsActivityRow *row)
{
  const NsTrace *trace = builder->trace;
  const char *service = ns_service_name (row->accepted ? row->local->port : row->remote->port);
  const char *kind = ns_service_address_kind (&row->remote->ip);
  gboolean only_received = row->protocol == NS_LAYER_UDP && row->sent == 0 && row->received > 0;

  /* A flow whose begin was not recorded may have been accepted: the service is then that of the
   * local port. */
  if (service == NULL && (row->inferred || only_received))
    service = ns_service_name (row->local->port);
  if (service != NULL && row->service == NS_STRING_NONE)
    row->service = ns_strings_add (trace->strings, service);
  if (kind != NULL)
    row->address_kind = ns_strings_add (trace->strings, kind);
  row->loopback =
      ns_ip_is_loopback (&row->remote->ip) ||
      (!ns_ip_is_empty (&row->remote->ip) && ns_ip_equal (&row->remote->ip, &row->local->ip));
}

/* Marks the lower rows as represented by the row; its number is corrected after sorting. */
static void
take_lower_rows (NsTrace *trace, const NsActivityRow *row, NsRow id)
{
  if (row->tcp != 0 && ROW (trace->tcp, NsTcpRow, row->tcp)->activity == 0)
    ROW (trace->tcp, NsTcpRow, row->tcp)->activity = id;
  if (row->winsock != 0 && ROW (trace->winsock, NsWinsockRow, row->winsock)->activity == 0)
    ROW (trace->winsock, NsWinsockRow, row->winsock)->activity = id;
}

/* Uses the local endpoint of a lower layer if the row has none, or the unspecified address
 * (`0.0.0.0`, `::`). */
static void
improve_local (NsActivityRow *row, const NsEndpoint *lower)
{
  static const guint8 any[16] = { 0 };

  if (memcmp (row->local->ip.bytes, any, sizeof any) != 0)
    return;
  if (row->local->port == 0 || (row->local->port == lower->port && !ns_ip_is_empty (&lower->ip)))
    row->local = lower;
}

/**
 * ns_activities_append:
 * @builder: the builder
 * @row: a row with its values
 *
 * Sets the values that follow from the endpoints and the lower layers, and adds the row to the
 * table.
 *
 * Returns: its number until the table is ordered
 */
NsRow
ns_activities_append (NsBuilder *builder, NsActivityRow *row)
{
  NsTrace *trace = builder->trace;

  if (row->tcp == 0 && row->winsock != 0)
    row->tcp = ROW (trace->winsock, NsWinsockRow, row->winsock)->tcp;
  if (row->tcp != 0)
    {
      const NsTcpRow *tcp = ROW (trace->tcp, NsTcpRow, row->tcp);

      row->layers |= (tcp->is_udp ? NS_LAYER_UDP : NS_LAYER_TCP);
      if (!tcp->is_udp && row->posted == NS_UNKNOWN)
        row->posted = (gint64) tcp->posted;
      if (ns_endpoint_is_empty (row->remote))
        row->remote = tcp->remote;
      improve_local (row, tcp->local);
    }
  if (row->winsock != 0)
    {
      const NsWinsockRow *socket = ROW (trace->winsock, NsWinsockRow, row->winsock);

      row->layers |= NS_LAYER_WINSOCK;
      improve_local (row, socket->local);
      if (row->dns == 0)
        row->dns = socket->dns;
    }
  if (row->http_status >= 400)
    row->failed = TRUE;
  if (row->stack_tid == NS_PID_UNKNOWN)
    row->stack_tid = row->tid;
  describe_ends (builder, row);

  g_array_append_val (trace->activities, *row);
  take_lower_rows (trace, row, trace->activities->len);
  return trace->activities->len;
}
