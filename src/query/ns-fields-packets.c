/* The fields of captured packets; values that a row lacks are parsed from its bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-info.h"
#include "engine/net/packets/ns-packet-row.h"
#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

#define PACKET(member) NS_FIELD_AT (NS_TABLE_PACKETS, NsPacketRow, member)
/* @extra of an endpoint: the offset in #NsPacketEnds replaces that of the second member. */
#define END(member)                                                                                \
  (PACKET (data) | (guint) offsetof (NsPacketEnds, member) << NS_FIELD_OFFSET_BITS)

static const NsPacketPlace *
get_place (const NsTrace *trace, guint row, const NsField *field)
{
  return ns_packet_row_get_place (trace, ns_field_get_row (trace, row, field));
}

static NsEndpoint
read_end (const NsTrace *trace, guint row, const NsField *field)
{
  NsPacketEnds ends;

  ns_packet_row_read_ends (trace, ns_field_get_row (trace, row, field), &ends);
  return *(const NsEndpoint *) G_STRUCT_MEMBER_P (&ends,
                                                  field->extra >> NS_FIELD_OFFSET_BITS &
                                                      NS_FIELD_OFFSET_MASK);
}

static void
get_ip (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEndpoint end = read_end (trace, row, field);

  value->v.ip = end.ip;
  value->is_null = end.ip.family == NS_AF_NONE;
}

static void
get_port (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = read_end (trace, row, field).port;
  value->is_null = value->v.u == 0;
}

void
ns_get_packet_end (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsEndpoint end = read_end (trace, row, field);
  char text[NS_IP_TEXT_SIZE];

  if (end.ip.family == NS_AF_NONE)
    ns_field_take_text (value,
                        ns_packet_row_dup_mac (trace,
                                               ns_field_get_row (trace, row, field),
                                               field->extra == END (src)));
  else
    ns_field_take_text (value, g_strdup (ns_endpoint_to_text (&end, text)));
}

static void
get_protocol (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsPacketEnds ends;

  ns_packet_row_read_ends (trace, ns_field_get_row (trace, row, field), &ends);
  ns_field_set_chars (value, ends.protocol);
}

static void
get_interface (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = get_place (trace, row, field)->interface;
  value->is_null = !ns_packet_row_is_frame (ns_field_get_row (trace, row, field));
}

static void
set_string (NsFieldValue *value, const NsTrace *trace, NsString string)
{
  ns_field_set_chars (value, string == NS_STRING_NONE ? NULL : ns_trace_text (trace, string));
}

static void
get_interface_name (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_string (value, trace, get_place (trace, row, field)->interface_name);
}

static void
get_drop_reason (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_string (value, trace, get_place (trace, row, field)->drop_reason);
}

static void
get_tcp (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ns_packet_row_get_tcp (trace, ns_field_get_row (trace, row, field));
  value->is_null = value->v.u == 0;
}

static void
get_direction (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsPacketRow *packet = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, packet->direction > 0 ? "in" : packet->direction < 0 ? "out" : NULL);
}

static void
get_analysis (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsPacketRow *packet = ns_field_get_row (trace, row, field);
  guint i;

  value->list = g_ptr_array_new ();
  for (i = 0; i < NS_FLOW_N_MARKS; i++)
    if ((packet->analysis >> i & 1) != 0)
      g_ptr_array_add (value->list, (gpointer) ns_flow_mark_to_text (i));
}

static void
get_info (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_take_text (value, ns_packet_info_dup (trace, ns_field_get_row (trace, row, field)));
}

/* Gets the LINKTYPE; messages without link headers have none. */
static void
get_link_type (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsPacketRow *packet = ns_field_get_row (trace, row, field);

  value->v.u = ns_packet_row_get_link_type (packet);
  value->is_null = !ns_packet_row_is_frame (packet);
}

static void
get_dropped (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsPacketRow *packet = ns_field_get_row (trace, row, field);

  value->v.u = packet->dropped;
}

static void
get_vlan (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = get_place (trace, row, field)->vlan;
  value->is_null = value->v.u == 0;
}

static void
get_appearances (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsPacketRow *packet = ns_field_get_row (trace, row, field);

  value->v.u = packet->appearances;
}

static void
get_activity (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ns_packet_row_get_activity (trace, ns_field_get_row (trace, row, field));
  value->is_null = value->v.u == 0;
}

static void
get_pid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = ns_packet_row_get_pid (trace, ns_field_get_row (trace, row, field));
  value->is_null = value->v.u == NS_PID_UNKNOWN;
}

static void
get_process (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsPacketRow *packet = ns_field_get_row (trace, row, field);
  guint32 pid = ns_packet_row_get_pid (trace, packet);

  value->is_null = pid == NS_PID_UNKNOWN;
  if (!value->is_null)
    ns_field_set_chars (value, ns_trace_get_process_name (trace, pid, packet->time_ns));
}

static void
get_truncated (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsPacketRow *packet = ns_field_get_row (trace, row, field);

  value->v.u = packet->captured < packet->length;
}

/* clang-format off */
static const NsField packets_fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, PACKET (time_ns)),
  NS_FIELD ("time_ns", N_("Time (s)"), N_("When it was captured"), TIME, 102, 1, ns_get_time, PACKET (time_ns)),
  NS_FIELD ("interface", N_("Interface"), N_("Number of the network adapter"), UINT, 66, 0, get_interface, PACKET (place)),
  NS_FIELD ("direction", N_("Direction"), N_("Direction: in or out"), TEXT, 66, 2, get_direction, PACKET (place)),
  NS_FIELD ("length", N_("Length (B)"), N_("Number of bytes on the wire"), BYTES, 76, 6, ns_get_u32, PACKET (length)),
  NS_FIELD ("captured", N_("Captured (B)"), N_("Number of bytes in the trace"), BYTES, 84, 0, ns_get_u32, PACKET (captured)),
  NS_FIELD ("src", N_("Source IP"), N_("Address of the sender"), IP, 110, 0, get_ip, END (src)),
  NS_FIELD ("dst", N_("Destination IP"), N_("Address of the receiver"), IP, 110, 0, get_ip, END (dst)),
  NS_FIELD ("src_port", N_("Source Port"), N_("Port of the sender"), PORT, 76, 0, get_port, END (src)),
  NS_FIELD ("dst_port", N_("Destination Port"), N_("Port of the receiver"), PORT, 90, 0, get_port, END (dst)),
  NS_FIELD ("protocol", N_("Protocol"), N_("Highest protocol that was recognized"), TEXT, 76, 5, get_protocol, PACKET (data)),
  NS_FIELD ("info", N_("Info"), N_("Summary of its contents"), TEXT, 368, 7, get_info, PACKET (data)),
  NS_FIELD ("dropped", N_("Dropped"), N_("Windows dropped it"), BOOL, 66, 0, get_dropped, PACKET (place)),
  NS_FIELD ("drop_reason", N_("Drop Reason"), N_("Reason for the drop"), TEXT, 150, 8, get_drop_reason, PACKET (place)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, get_pid, PACKET (flow)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, get_activity, PACKET (flow)),
  NS_FIELD ("link_type", N_("Link Type"), N_("LINKTYPE of its bytes: 1 Ethernet, 101 IP, 105 Wi-Fi"), UINT, 66, 0, get_link_type, PACKET (place)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, get_process, PACKET (flow)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Connection it belongs to"), ROW, 66, 0, get_tcp, PACKET (flow)),
  NS_FIELD ("flow", N_("Conversation"), N_("Conversation it belongs to"), ROW, 90, 0, ns_get_nonzero_u32, PACKET (flow)),
  NS_FIELD ("analysis", N_("Analysis"), N_("Result of the comparison with preceding segments: retransmission, duplicate_ack …"), LIST, 150, 9, get_analysis, PACKET (place)),
  NS_FIELD ("interface_name", N_("Interface Name"), N_("Name of the Windows component or the tunnel"), TEXT, 150, 0, get_interface_name, PACKET (place)),
  NS_FIELD ("vlan", N_("VLAN"), N_("Identifier of the innermost VLAN tag"), UINT, 66, 0, get_vlan, PACKET (place)),
  NS_FIELD ("appearances", N_("Appearances"), N_("Number of records of it: one per stack component that it passed"), COUNT, 90, 0, get_appearances, PACKET (place)),
  NS_FIELD ("truncated", N_("Truncated"), N_("Fewer bytes were captured than were on the wire"), BOOL, 84, 0, get_truncated, PACKET (length)),
  NS_COLUMN ("src_text", N_("Source"), N_("Address and port of the sender"), TEXT, 148, 3, ns_get_packet_end, END (src)),
  NS_COLUMN ("dst_text", N_("Destination"), N_("Address and port of the receiver"), TEXT, 148, 4, ns_get_packet_end, END (dst)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_PACKETS, NsPacketRow, time_ns, time_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_PACKETS, NsPacketRow, time_ns, time_ns)),
};
/* clang-format on */

const NsFieldTable ns_fields_packets = {
  .name = "packets",
  .title = N_ ("Packets"),
  .needs = { NS_PROVIDER_NDIS_PACKET_CAPTURE, NS_PROVIDER_PKTMON, NS_PROVIDER_NDIS_WAN_CAPTURE },
  .fields = packets_fields,
  .n_fields = G_N_ELEMENTS (packets_fields),
};
