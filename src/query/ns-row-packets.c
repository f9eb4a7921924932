/* Lists the captured packets of rows of any table: those of their conversations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-row-packets.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-row.h"
#include "engine/trace/ns-trace-lookup.h"
#include "query/ns-field-get.h"
#include "query/ns-fields.h"

/* Selection of packets: one byte per row of each table that packets refer to. */
typedef struct
{
  GByteArray *flows;
  GByteArray *activities;
  GByteArray *tcp;
  GByteArray *packets;
} Wanted;

static GByteArray *
marks_new (guint n_rows)
{
  GByteArray *marks = g_byte_array_new ();

  g_byte_array_set_size (marks, n_rows + 1);
  memset (marks->data, 0, marks->len);
  return marks;
}

static void
mark (GByteArray *marks, guint64 row)
{
  if (row > 0 && row < marks->len)
    marks->data[row] = 1;
}

static gboolean
is_marked (const GByteArray *marks, NsRow row)
{
  return row > 0 && row < marks->len && marks->data[row] != 0;
}

/* Returns the row that a field refers to; 0: none. */
static guint64
get_named (const NsTrace *trace, NsTableId table, const char *id, guint32 row)
{
  const NsField *field = ns_table_find_field (table, id);
  NsFieldValue value = { 0 };
  guint64 named;

  if (field == NULL || field->type != NS_TYPE_ROW)
    return 0;
  ns_field_get (trace, field, row, &value);
  named = value.is_null ? 0 : value.v.u;
  ns_field_value_clear (&value);
  return named;
}

/* Selects the conversation of a row; if it has none, the packets that refer to the row. */
static void
want_row (Wanted *self, const NsTrace *trace, NsTableId table, guint32 row)
{
  guint64 flow = get_named (trace, table, "flow", row);

  if (table == NS_TABLE_FLOWS)
    mark (self->flows, row + 1u);
  else if (table == NS_TABLE_PACKETS)
    mark (self->packets, row + 1u);
  else if (flow != 0)
    mark (self->flows, flow);
  else if (table == NS_TABLE_ACTIVITIES)
    mark (self->activities, row + 1u);
  else if (table == NS_TABLE_TCP)
    mark (self->tcp, row + 1u);
  else
    {
      mark (self->tcp, get_named (trace, table, "tcp", row));
      mark (self->activities, get_named (trace, table, "activity", row));
    }
}

/* Selects the conversations of operations, for rows without a conversation of their own. */
static void
want_of_activities (Wanted *self, const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    if (is_marked (self->activities, i + 1))
      mark (self->flows, g_array_index (trace->activities, NsActivityRow, i).flow);
}

/**
 * ns_row_packets_list:
 * @trace: a trace
 * @table: the table of the rows
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of rows
 *
 * Returns: (transfer full) (element-type guint32): the packets of the rows' conversations, 0-based,
 *   in time order; without a conversation, those that refer to the row, its operation or its
 *   connection. Messages captured without headers are left out, since packet files cannot contain
 *   them
 */
GArray *
ns_row_packets_list (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows)
{
  Wanted wanted = {
    marks_new (trace->flows->len),
    marks_new (trace->activities->len),
    marks_new (trace->tcp->len),
    marks_new (trace->packets->len),
  };
  GArray *packets = g_array_new (FALSE, FALSE, sizeof (guint32));
  gsize i;
  guint32 k;

  for (i = 0; i < n_rows; i++)
    want_row (&wanted, trace, table, rows[i]);
  want_of_activities (&wanted, trace);
  for (k = 0; k < trace->packets->len; k++)
    {
      const NsPacketRow *packet = &g_array_index (trace->packets, NsPacketRow, k);

      if (!ns_packet_row_is_frame (packet))
        continue;
      if (is_marked (wanted.packets, k + 1) || is_marked (wanted.flows, packet->flow) ||
          is_marked (wanted.activities, ns_packet_row_get_activity (trace, packet)) ||
          is_marked (wanted.tcp, ns_packet_row_get_tcp (trace, packet)))
        g_array_append_val (packets, k);
    }
  g_byte_array_unref (wanted.flows);
  g_byte_array_unref (wanted.activities);
  g_byte_array_unref (wanted.tcp);
  g_byte_array_unref (wanted.packets);
  return packets;
}

/* Formats `ip.addr == 10.0.0.1 && ip.addr == 10.0.0.2`, and the ports of @transport, if any.
 * Wireshark knows the ports of a fragmented packet only at the last fragment, so @is_fragmented
 * adds all fragments. */
static char *
ends_to_filter (const NsEndpoint *one,
                const NsEndpoint *other,
                const char *transport,
                gboolean is_fragmented)
{
  const char *ip = one->ip.family == NS_AF_INET6 ? "ipv6" : "ip";
  g_autoptr (GString) text = g_string_new (NULL);
  char address[NS_IP_TEXT_SIZE];

  if (one->ip.family != other->ip.family ||
      (one->ip.family != NS_AF_INET && one->ip.family != NS_AF_INET6))
    return NULL;
  g_string_append_printf (text, "%s.addr == %s", ip, ns_ip_to_text (&one->ip, address));
  g_string_append_printf (text, " && %s.addr == %s", ip, ns_ip_to_text (&other->ip, address));
  if (transport != NULL)
    g_string_append_printf (text,
                            " && %s%s.port == %u && %s.port == %u%s",
                            is_fragmented ? "((" : "",
                            transport,
                            one->port,
                            transport,
                            other->port,
                            !is_fragmented                  ? ""
                            : one->ip.family == NS_AF_INET6 ? ") || ipv6.fraghdr)"
                                                            : ") || ip.flags.mf == 1 || "
                                                              "ip.frag_offset > 0)");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
flow_to_filter (const NsFlowRow *flow)
{
  char client[NS_IP_TEXT_SIZE];
  char server[NS_IP_TEXT_SIZE];

  switch (flow->kind)
    {
    case NS_FLOW_TCP:
      return ends_to_filter (&flow->client, &flow->server, "tcp", flow->is_fragmented);
    case NS_FLOW_UDP:
      return ends_to_filter (&flow->client, &flow->server, "udp", flow->is_fragmented);
    case NS_FLOW_ARP:
      return g_strdup_printf ("arp && arp.src.proto_ipv4 in {%s, %s}",
                              ns_ip_to_text (&flow->client.ip, client),
                              ns_ip_to_text (&flow->server.ip, server));
    case NS_FLOW_ND:
      return g_strdup_printf ("icmpv6.nd.ns.target_address == %s || "
                              "icmpv6.nd.na.target_address == %s",
                              ns_ip_to_text (&flow->server.ip, server),
                              server);
    case NS_FLOW_ICMP:
    default:
      return ends_to_filter (&flow->client, &flow->server, NULL, FALSE);
    }
}

/**
 * ns_row_packets_to_display_filter:
 * @trace: a trace
 * @table: a table
 * @row: a row of it, 0-based
 *
 * Returns: (transfer full) (nullable): the Wireshark display filter for the row's conversation;
 * %NULL: it has none
 */
char *
ns_row_packets_to_display_filter (const NsTrace *trace, NsTableId table, guint32 row)
{
  guint64 flow = table == NS_TABLE_FLOWS ? row + 1u : get_named (trace, table, "flow", row);
  guint64 activity = get_named (trace, table, "activity", row);

  if (flow == 0 && activity > 0 && activity <= trace->activities->len)
    flow = NS_ROW_AT (trace->activities, NsActivityRow, activity)->flow;
  if (flow == 0 || flow > trace->flows->len)
    return NULL;
  return flow_to_filter (NS_ROW_AT (trace->flows, NsFlowRow, flow));
}
