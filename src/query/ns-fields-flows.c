/* The fields of flows: conversations in packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-row.h"
#include "query/ns-field-get.h"

#include <glib/gi18n-lib.h>

#define FLOW(member) NS_FIELD_AT (NS_TABLE_FLOWS, NsFlowRow, member)
#define FLOW2(first, second) NS_FIELD_AT2 (NS_TABLE_FLOWS, NsFlowRow, first, second)
#define C2S(member) FLOW (ways[0].member)
#define S2C(member) FLOW (ways[1].member)
#define MORE(member) (FLOW (more) | (guint) offsetof (NsFlowMore, member) << NS_FIELD_OFFSET_BITS)
#define TROUBLE_C2S(member) MORE (ways[0].member)
#define TROUBLE_S2C(member) MORE (ways[1].member)

static gboolean
is_tcp (const NsTrace *trace, guint row, const NsField *field)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  return flow->kind == NS_FLOW_TCP;
}

static void
get_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_flow_kind_to_text (flow->kind));
}

/* Gets the client's address; a DHCP client without an address sends from 0.0.0.0. */
static void
get_client_ip (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.ip = ((const NsFlowRow *) ns_field_get_row (trace, row, field))->client.ip;
  value->is_null = value->v.ip.family == NS_AF_NONE;
}

static void
get_server_ip (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.ip = ((const NsFlowRow *) ns_field_get_row (trace, row, field))->server.ip;
  value->is_null = value->v.ip.family == NS_AF_NONE;
}

static void
get_app (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_flow_app_to_text (flow->app));
}

static void
get_direction (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[] = { NULL, "out", "in", "local" };
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, texts[flow->local]);
}

static void
get_tunnel (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_flow_tunnel_to_text (flow->tunnel));
}

static void
get_client_by (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_flow_client_to_text (flow->client_by));
}

static void
get_start (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_flow_start_to_text (flow->start));
}

static void
get_end (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, ns_flow_end_to_text (flow->end));
}

static void
get_before_trace (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  value->v.u = flow->start == NS_FLOW_START_MIDDLE;
}

static void
get_packets (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  value->v.u = (guint64) flow->ways[0].n_packets + flow->ways[1].n_packets;
}

/* Returns a rare value; the second offset is that in the structure of rare values. */
static gconstpointer
get_of_more (const NsTrace *trace, guint row, const NsField *field)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  return (const guint8 *) ns_flow_get_more (flow) +
         (field->extra >> NS_FIELD_OFFSET_BITS & NS_FIELD_OFFSET_MASK);
}

static void
get_more_u32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint32 *) get_of_more (trace, row, field);
}

static void
get_more_nonzero_u32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  get_more_u32 (trace, row, field, value);
  value->is_null = value->v.u == 0;
}

static void
get_more_string (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsString text = *(const NsString *) get_of_more (trace, row, field);

  ns_field_set_chars (value, text == NS_STRING_NONE ? NULL : ns_trace_text (trace, text));
}

static void
get_anomaly_u32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  get_more_u32 (trace, row, field, value);
  value->is_null = !is_tcp (trace, row, field);
}

static void
get_anomaly_u64 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint64 *) get_of_more (trace, row, field);
  value->is_null = !is_tcp (trace, row, field);
}

static void
get_zero_window (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.i = *(const gint64 *) get_of_more (trace, row, field);
  value->is_null = !is_tcp (trace, row, field);
}

static const NsPacketPlace *
get_place (const NsTrace *trace, guint row, const NsField *field)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  return ns_packet_place_get (trace, flow->place);
}

static void
get_interface (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = get_place (trace, row, field)->interface;
}

static void
get_interface_name (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsString name = get_place (trace, row, field)->interface_name;

  ns_field_set_chars (value, name == NS_STRING_NONE ? NULL : ns_trace_text (trace, name));
}

static void
get_mss (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const guint8 *flow = ns_field_get_row (trace, row, field);
  const NsFlowOffer *offer =
      (gconstpointer) (flow + (field->extra & NS_FIELD_OFFSET_MASK) - offsetof (NsFlowOffer, mss));

  value->v.i = offer->mss;
  value->is_null = !offer->has_mss;
}

static void
get_window_scale (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const guint8 *flow = ns_field_get_row (trace, row, field);

  value->v.i = (gint8) flow[field->extra & NS_FIELD_OFFSET_MASK];
  value->is_null = value->v.i == NS_UNKNOWN;
}

/* Gets a value that only TCP conversations have. */
static void
get_tcp_i64 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_get_i64 (trace, row, field, value);
  value->is_null = value->is_null || !is_tcp (trace, row, field);
}

static void
get_confidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  value->is_null = flow->confidence < 0;
  value->v.u = value->is_null ? 0 : (guint64) flow->confidence;
}

static void
get_icmp_from (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  value->v.ip = ns_flow_get_more (flow)->icmp_from;
  value->is_null = ns_ip_is_empty (&value->v.ip);
}

static void
get_exchanges (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  value->v.u = flow->app == NS_FLOW_APP_HTTP ? flow->n_messages : 0;
}

static void
get_questions (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  value->v.u = flow->app == NS_FLOW_APP_DNS ? flow->n_messages : 0;
}

/* Values of conversations without a parsed payload. */
static const NsFlowInside nothing = { .tls_begin_ns = NS_TIME_NONE,
                                      .tls_end_ns = NS_TIME_NONE,
                                      .resumed = -1 };

static const NsFlowInside *
get_inside (const NsTrace *trace, guint row, const NsField *field)
{
  const NsFlowRow *flow = ns_field_get_row (trace, row, field);

  return flow->inside != NULL ? flow->inside : &nothing;
}

/* Gets a text of the parsed payload; the second offset is that in its structure. */
static void
get_inside_text (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const char *inside = (const char *) get_inside (trace, row, field);
  guint offset = field->extra >> NS_FIELD_OFFSET_BITS & NS_FIELD_OFFSET_MASK;
  NsString text = *(const NsString *) (gconstpointer) (inside + offset);

  ns_field_set_chars (value, text == NS_STRING_NONE ? NULL : ns_trace_text (trace, text));
}

static void
set_texts (const NsTrace *trace, const NsString *texts, guint n, NsFieldValue *value)
{
  guint i;

  value->is_null = texts == NULL;
  value->list = g_ptr_array_new ();
  for (i = 0; texts != NULL && i < n; i++)
    g_ptr_array_add (value->list, (gpointer) ns_trace_text (trace, texts[i]));
}

static void
get_tls_alpn_offered (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowInside *inside = get_inside (trace, row, field);

  set_texts (trace, inside->alpn_offered, inside->n_alpn_offered, value);
}

static void
get_tls_offered (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowInside *inside = get_inside (trace, row, field);

  set_texts (trace, inside->offered, inside->n_offered, value);
}

static void
get_tls_resumed (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowInside *inside = get_inside (trace, row, field);

  value->is_null = inside->resumed < 0;
  value->v.u = inside->resumed > 0;
}

static void
get_tls_alert_from (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowInside *inside = get_inside (trace, row, field);

  ns_field_set_chars (value,
                      inside->alert == NS_STRING_NONE ? NULL
                      : inside->is_alert_of_server    ? "server"
                                                      : "client");
}

static void
get_tls_handshake (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsFlowInside *inside = get_inside (trace, row, field);

  value->is_null = inside->tls_end_ns == NS_TIME_NONE;
  value->v.i = value->is_null ? 0 : inside->tls_end_ns - inside->tls_begin_ns;
}

#define INSIDE(member)                                                                             \
  (FLOW (inside) | (guint) offsetof (NsFlowInside, member) << NS_FIELD_OFFSET_BITS)

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, FLOW (kind)),
  NS_FIELD ("kind", N_("Kind"), N_("Protocol: tcp, udp, icmp, arp, nd or other"), TEXT, 66, 1, get_kind, FLOW (kind)),
  NS_FIELD ("app", N_("App Protocol"), N_("Application protocol recognized in its data"), TEXT, 90, 0, get_app, FLOW (app)),
  NS_FIELD ("client_ip", N_("Client"), N_("Address of the client"), IP, 120, 0, get_client_ip, FLOW (client)),
  NS_FIELD ("client_port", N_("Client Port"), N_("Port of the client"), PORT, 76, 0, ns_get_port, FLOW (client)),
  NS_FIELD ("server_ip", N_("Server Address"), N_("Address of the server"), IP, 120, 0, get_server_ip, FLOW (server)),
  NS_FIELD ("server_port", N_("Server Port"), N_("Port of the server"), PORT, 76, 0, ns_get_port, FLOW (server)),
  NS_FIELD ("server", N_("Server"), N_("Name of the server"), TEXT, 126, 4, ns_get_string, FLOW (server_name)),
  NS_FIELD ("direction", N_("Direction"), N_("Out: the client is this machine"), TEXT, 66, 0, get_direction, FLOW (local)),
  NS_FIELD ("client_by", N_("Client By"), N_("Basis for identifying the client: syn, synack, port or first packet"), TEXT, 76, 0, get_client_by, FLOW (client_by)),
  NS_FIELD ("interface", N_("Interface"), N_("Number of the network adapter of its first packet"), UINT, 66, 0, get_interface, FLOW (place)),
  NS_FIELD ("interface_name", N_("Interface Name"), N_("Name of the network adapter of its first packet"), TEXT, 150, 0, get_interface_name, FLOW (place)),
  NS_FIELD ("vlan", N_("VLAN"), N_("Identifier of the virtual LAN, from the innermost tag"), UINT, 66, 0, ns_get_nonzero_u16, FLOW (vlan)),
  NS_FIELD ("tunnel", N_("VPN"), N_("Inner: carried inside a Windows VPN; outer: carries a Windows VPN"), TEXT, 66, 0, get_tunnel, FLOW (tunnel)),
  NS_FIELD ("outer", N_("Outer Conversation"), N_("Conversation that carries it through the network"), ROW, 110, 0, get_more_nonzero_u32, MORE (outer)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When its first packet was captured"), TIME, 84, 5, ns_get_time, FLOW (open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 0, ns_get_time, FLOW (close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 6, ns_get_duration, FLOW2 (open_ns, close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("Its start was not captured"), BOOL, 76, 0, get_before_trace, FLOW (start)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was open when the trace ended"), BOOL, 76, 0, ns_get_still_open, FLOW (close_ns)),
  NS_FIELD ("start", N_("Start"), N_("Type of its first packet: syn, synack, or one from the middle"), TEXT, 66, 0, get_start, FLOW (start)),
  NS_FIELD ("end", N_("End"), N_("End of the conversation: fin, rst, refused, no answer, answered, idle, replaced"), TEXT, 76, 7, get_end, FLOW (end)),
  NS_FIELD ("packets", N_("Packets"), N_("Packets in both directions"), COUNT, 66, 8, get_packets, FLOW (kind)),
  NS_FIELD ("packets_c2s", N_("Packets \342\206\222"), N_("Packets from the client to the server"), COUNT, 76, 0, ns_get_u32, C2S (n_packets)),
  NS_FIELD ("packets_s2c", N_("Packets \342\206\220"), N_("Packets from the server to the client"), COUNT, 76, 0, ns_get_u32, S2C (n_packets)),
  NS_FIELD ("wire_c2s", N_("On the Wire \342\206\222 (B)"), N_("Lengths of the frames from the client to the server"), BYTES, 100, 0, ns_get_u64, C2S (wire_bytes)),
  NS_FIELD ("wire_s2c", N_("On the Wire \342\206\220 (B)"), N_("Lengths of the frames from the server to the client"), BYTES, 100, 0, ns_get_u64, S2C (wire_bytes)),
  NS_FIELD ("payload_c2s", N_("Payload \342\206\222 (B)"), N_("Data from the client to the server; retransmitted data counts once"), BYTES, 90, 9, ns_get_u64, C2S (payload_bytes)),
  NS_FIELD ("payload_s2c", N_("Payload \342\206\220 (B)"), N_("Data from the server to the client; retransmitted data counts once"), BYTES, 90, 10, ns_get_u64, S2C (payload_bytes)),
  NS_FIELD ("missing_c2s", N_("Missing \342\206\222 (B)"), N_("Data from the client to the server that no captured packet contains"), BYTES, 90, 0, get_anomaly_u64, TROUBLE_C2S (missing_bytes)),
  NS_FIELD ("missing_s2c", N_("Missing \342\206\220 (B)"), N_("Data from the server to the client that no captured packet contains"), BYTES, 90, 0, get_anomaly_u64, TROUBLE_S2C (missing_bytes)),
  NS_FIELD ("truncated_packets", N_("Truncated"), N_("Packets of which only the start was captured"), COUNT, 84, 0, ns_get_u32, FLOW (n_truncated)),
  NS_FIELD ("dropped_packets", N_("Dropped Packets"), N_("Packets that Windows dropped"), COUNT, 100, 0, get_more_u32, MORE (n_dropped)),
  NS_FIELD ("drop_reason", N_("Drop Reason"), N_("Reason for the first drop"), TEXT, 150, 0, get_more_string, MORE (drop_reason)),
  NS_FIELD ("syn_rtt_ns", N_("SYN Round Trip (ms)"), N_("Time from the last SYN to its reply"), DURATION, 110, 11, get_tcp_i64, FLOW (syn_rtt_ns)),
  NS_FIELD ("handshake_ns", N_("Handshake (ms)"), N_("Time from the last SYN to the first acknowledgment from the client"), DURATION, 100, 0, get_tcp_i64, FLOW (handshake_ns)),
  NS_FIELD ("syn_retries", N_("SYN Retries"), N_("Number of SYN retransmissions"), COUNT, 84, 0, get_anomaly_u32, MORE (n_syn_retries)),
  NS_FIELD ("mss_c2s", N_("MSS \342\206\222"), N_("Maximum segment size that the client announced"), INT, 66, 0, get_mss, FLOW (offers[0].mss)),
  NS_FIELD ("mss_s2c", N_("MSS \342\206\220"), N_("Maximum segment size that the server announced"), INT, 66, 0, get_mss, FLOW (offers[1].mss)),
  NS_FIELD ("window_scale_c2s", N_("Window Scale \342\206\222"), N_("Window scale shift that the client announced"), INT, 100, 0, get_window_scale, FLOW (offers[0].window_scale)),
  NS_FIELD ("window_scale_s2c", N_("Window Scale \342\206\220"), N_("Window scale shift that the server announced"), INT, 100, 0, get_window_scale, FLOW (offers[1].window_scale)),
  NS_FIELD ("retransmissions_c2s", N_("Retransmissions \342\206\222"), N_("Segments whose data, SYN or FIN had been sent before; from the client to the server"), COUNT, 145, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_RETRANSMISSION])),
  NS_FIELD ("retransmissions_s2c", N_("Retransmissions \342\206\220"), N_("Segments whose data, SYN or FIN had been sent before; from the server to the client"), COUNT, 145, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_RETRANSMISSION])),
  NS_FIELD ("fast_retransmissions_c2s", N_("Fast Retransmissions \342\206\222"), N_("Retransmissions triggered by duplicate acknowledgments; from the client to the server"), COUNT, 180, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_FAST_RETRANSMISSION])),
  NS_FIELD ("fast_retransmissions_s2c", N_("Fast Retransmissions \342\206\220"), N_("Retransmissions triggered by duplicate acknowledgments; from the server to the client"), COUNT, 180, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_FAST_RETRANSMISSION])),
  NS_FIELD ("spurious_retransmissions_c2s", N_("Spurious Retransmissions \342\206\222"), N_("Retransmissions of data already acknowledged; from the client to the server"), COUNT, 180, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_SPURIOUS_RETRANSMISSION])),
  NS_FIELD ("spurious_retransmissions_s2c", N_("Spurious Retransmissions \342\206\220"), N_("Retransmissions of data already acknowledged; from the server to the client"), COUNT, 180, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_SPURIOUS_RETRANSMISSION])),
  NS_FIELD ("retransmitted_bytes_c2s", N_("Retransmitted \342\206\222 (B)"), N_("Data that was captured more than once; from the client to the server"), BYTES, 159, 0, get_anomaly_u64, TROUBLE_C2S (again_bytes)),
  NS_FIELD ("retransmitted_bytes_s2c", N_("Retransmitted \342\206\220 (B)"), N_("Data that was captured more than once; from the server to the client"), BYTES, 159, 0, get_anomaly_u64, TROUBLE_S2C (again_bytes)),
  NS_FIELD ("out_of_order_c2s", N_("Out of Order \342\206\222"), N_("Segments that arrived after later ones; from the client to the server"), COUNT, 124, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_OUT_OF_ORDER])),
  NS_FIELD ("out_of_order_s2c", N_("Out of Order \342\206\220"), N_("Segments that arrived after later ones; from the server to the client"), COUNT, 124, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_OUT_OF_ORDER])),
  NS_FIELD ("lost_segments_c2s", N_("Lost Segments \342\206\222"), N_("Segments whose preceding segment was not captured; from the client to the server"), COUNT, 131, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_LOST_SEGMENT])),
  NS_FIELD ("lost_segments_s2c", N_("Lost Segments \342\206\220"), N_("Segments whose preceding segment was not captured; from the server to the client"), COUNT, 131, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_LOST_SEGMENT])),
  NS_FIELD ("unseen_acked_c2s", N_("ACKed Unseen \342\206\222"), N_("Acknowledgments of data that was not captured; from the client to the server"), COUNT, 173, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_ACK_LOST_SEGMENT])),
  NS_FIELD ("unseen_acked_s2c", N_("ACKed Unseen \342\206\220"), N_("Acknowledgments of data that was not captured; from the server to the client"), COUNT, 173, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_ACK_LOST_SEGMENT])),
  NS_FIELD ("duplicate_acks_c2s", N_("Duplicate ACKs \342\206\222"), N_("Acknowledgments that repeat the previous one; from the client to the server"), COUNT, 138, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_DUPLICATE_ACK])),
  NS_FIELD ("duplicate_acks_s2c", N_("Duplicate ACKs \342\206\220"), N_("Acknowledgments that repeat the previous one; from the server to the client"), COUNT, 138, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_DUPLICATE_ACK])),
  NS_FIELD ("zero_windows_c2s", N_("Zero Windows \342\206\222"), N_("Zero-window segments from the client to the server"), COUNT, 124, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_ZERO_WINDOW])),
  NS_FIELD ("zero_windows_s2c", N_("Zero Windows \342\206\220"), N_("Zero-window segments from the server to the client"), COUNT, 124, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_ZERO_WINDOW])),
  NS_FIELD ("window_fulls_c2s", N_("Window Full \342\206\222"), N_("Segments that fill the receive window of the other side; from the client to the server"), COUNT, 117, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_WINDOW_FULL])),
  NS_FIELD ("window_fulls_s2c", N_("Window Full \342\206\220"), N_("Segments that fill the receive window of the other side; from the server to the client"), COUNT, 117, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_WINDOW_FULL])),
  NS_FIELD ("keep_alives_c2s", N_("Keep-Alives \342\206\222"), N_("Keep-alive probes from the client to the server"), COUNT, 117, 0, get_anomaly_u32, TROUBLE_C2S (counts[NS_FLOW_KEEP_ALIVE])),
  NS_FIELD ("keep_alives_s2c", N_("Keep-Alives \342\206\220"), N_("Keep-alive probes from the server to the client"), COUNT, 117, 0, get_anomaly_u32, TROUBLE_S2C (counts[NS_FLOW_KEEP_ALIVE])),
  NS_FIELD ("zero_window_ns", N_("Zero Window (ms)"), N_("Time during which either side had a zero window"), DURATION, 100, 0, get_zero_window, MORE (zero_window_ns)),
  NS_FIELD ("tls_sni", N_("TLS Server Name"), N_("Name of the server that the client asked for"), TEXT, 150, 0, get_inside_text, INSIDE (sni)),
  NS_FIELD ("tls_alpn_offered", N_("TLS Protocols Offered"), N_("Protocols that the client offered (ALPN)"), LIST, 150, 0, get_tls_alpn_offered, FLOW (inside)),
  NS_FIELD ("tls_offered", N_("TLS Versions Offered"), N_("Versions that the client offered"), LIST, 150, 0, get_tls_offered, FLOW (inside)),
  NS_FIELD ("tls_version", N_("TLS Version"), N_("Version that the server chose"), TEXT, 90, 0, get_inside_text, INSIDE (version)),
  NS_FIELD ("tls_cipher", N_("TLS Cipher Suite"), N_("Cipher suite that the server chose"), TEXT, 240, 0, get_inside_text, INSIDE (cipher)),
  NS_FIELD ("tls_alpn", N_("TLS Protocol"), N_("Protocol that the server chose (ALPN); TLS 1.3 encrypts it"), TEXT, 90, 0, get_inside_text, INSIDE (alpn)),
  NS_FIELD ("tls_resumed", N_("TLS Resumed"), N_("An earlier session was resumed"), BOOL, 90, 0, get_tls_resumed, FLOW (inside)),
  NS_FIELD ("tls_subject", N_("TLS Certificate"), N_("Subject of the server certificate; TLS 1.3 encrypts it"), TEXT, 220, 0, get_inside_text, INSIDE (subject)),
  NS_FIELD ("tls_issuer", N_("TLS Issuer"), N_("Issuer of the certificate"), TEXT, 220, 0, get_inside_text, INSIDE (issuer)),
  NS_FIELD ("tls_expires", N_("TLS Expires"), N_("Expiration time of the certificate"), TEXT, 150, 0, get_inside_text, INSIDE (expires)),
  NS_FIELD ("tls_alert", N_("TLS Alert"), N_("First fatal alert that is not encrypted"), TEXT, 150, 0, get_inside_text, INSIDE (alert)),
  NS_FIELD ("tls_alert_from", N_("TLS Alert From"), N_("Sender: client or server"), TEXT, 100, 0, get_tls_alert_from, FLOW (inside)),
  NS_FIELD ("tls_handshake_ns", N_("TLS Handshake (ms)"), N_("Time from the Client Hello to the end of the handshake"), DURATION, 120, 0, get_tls_handshake, FLOW (inside)),
  NS_FIELD ("quic_version", N_("QUIC Version"), N_("Version of QUIC"), TEXT, 90, 0, get_inside_text, INSIDE (quic_version)),
  NS_FIELD ("quic_dcid", N_("QUIC Client\342\200\231s First ID"), N_("Destination connection ID of the client\342\200\231s first packet"), TEXT, 150, 0, get_inside_text, INSIDE (quic_dcid)),
  NS_FIELD ("quic_scid", N_("QUIC Server\342\200\231s ID"), N_("Source connection ID of the server\342\200\231s first packet"), TEXT, 150, 0, get_inside_text, INSIDE (quic_scid)),
  NS_FIELD ("http_exchanges", N_("HTTP Exchanges"), N_("Number of HTTP/1 requests decoded in it"), COUNT, 110, 0, get_exchanges, FLOW (n_messages)),
  NS_FIELD ("dns_transactions", N_("DNS Queries"), N_("Number of DNS queries decoded in it"), COUNT, 110, 0, get_questions, FLOW (n_messages)),
  NS_FIELD ("icmp_errors", N_("ICMP Errors"), N_("Number of ICMP errors about its packets"), COUNT, 84, 0, get_more_u32, MORE (n_icmp_errors)),
  NS_FIELD ("icmp_error", N_("ICMP Error"), N_("Meaning of the last ICMP error"), TEXT, 150, 0, get_more_string, MORE (icmp_error)),
  NS_FIELD ("icmp_from", N_("ICMP Error From"), N_("Sender of the last ICMP error"), IP, 110, 0, get_icmp_from, MORE (icmp_from)),
  NS_FIELD ("path_mtu", N_("Path MTU (B)"), N_("Maximum packet size that a router reported"), UINT, 84, 0, get_more_nonzero_u32, MORE (path_mtu)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, FLOW2 (pid, open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, FLOW (pid)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Record of the same connection"), ROW, 66, 0, ns_get_nonzero_u32, FLOW (tcp)),
  NS_FIELD ("winsock", N_("WinSock Row"), N_("Socket of the same connection"), ROW, 84, 0, ns_get_nonzero_u32, FLOW (winsock)),
  NS_FIELD ("kernel_network", N_("Kernel Row"), N_("Row of the kernel\342\200\231s own statistics"), ROW, 66, 0, ns_get_nonzero_u32, FLOW (kernel_network)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, FLOW (activity)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the link to those rows: 3 also by sequence numbers, 2 by endpoints and time, 1 if several match"), UINT, 76, 0, get_confidence, FLOW (confidence)),
  NS_COLUMN ("client_ip_port", N_("Client address:port"), N_("Address and port of the client"), TEXT, 148, 2, ns_get_ip_port, FLOW (client)),
  NS_COLUMN ("server_ip_port", N_("Server address:port"), N_("Address and port of the server"), TEXT, 148, 3, ns_get_ip_port, FLOW (server)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 147, 12, ns_get_process_with_pid, FLOW2 (pid, open_ns)),
  NS_INPUT_COLUMN (NS_FIELD_AT2 (NS_TABLE_FLOWS, NsFlowRow, open_ns, last_ns)),
  NS_MACHINE_COLUMN (NS_FIELD_AT2 (NS_TABLE_FLOWS, NsFlowRow, open_ns, last_ns)),
};
/* clang-format on */

const NsFieldTable ns_fields_flows = {
  .name = "flows",
  .title = N_ ("Conversations"),
  .needs = { NS_PROVIDER_NDIS_PACKET_CAPTURE, NS_PROVIDER_PKTMON, NS_PROVIDER_NDIS_WAN_CAPTURE },
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
};
