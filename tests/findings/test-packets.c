/* Tests the rules for captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-facts.h"
#include "finding-claims.h"

#include <string.h>

enum
{
  FIN = 1,
  SYN = 2,
  RST = 4,
  ACK = 16,
};

#define FATAL_UNKNOWN_AUTHORITY "\x15\x03\x03\x00\x02\x02\x30"
#define WARNING_UNKNOWN_NAME "\x15\x03\x03\x00\x02\x01\x70"

/* Adds the packets of a connection: handshake, then 100 bytes sent and 100 received. */
static void
add_connection (NsTrace *trace)
{
  static const RowPacket packets[] = {
    { 0, TRUE, SYN, 1000, 0, 65535, NULL, 0 },
    { 20 * MS, FALSE, SYN | ACK, 5000, 1001, 65535, NULL, 0 },
    { 21 * MS, TRUE, ACK, 1001, 5001, 65535, NULL, 0 },
    { 30 * MS, TRUE, ACK, 1001, 5001, 65535, NULL, 100 },
    { 50 * MS, FALSE, ACK, 5001, 1101, 65535, NULL, 100 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (packets); i++)
    row_add_packet (trace, &packets[i]);
}

static void
add (NsTrace *trace, gint64 time_ns, gboolean is_sent, guint flags, guint seq, guint ack, guint n)
{
  const RowPacket packet = {
    time_ns, is_sent, (guint8) flags, seq, ack, 65535, NULL, n,
  };

  row_add_packet (trace, &packet);
}

/* Near miss: the next SYN belongs to the program's next attempt. */
static void
make_lost_syn (NsTrace *trace, gboolean is_near_miss)
{
  add (trace, 0, TRUE, SYN, 1000, 0, 0);
  add (trace, 3 * SECOND, TRUE, SYN, is_near_miss ? 2000 : 1000, 0, 0);
  add (trace, 3 * SECOND + 20 * MS, FALSE, SYN | ACK, 5000, is_near_miss ? 2001 : 1001, 0);
}

/* 12 of 1000 segments are retransmitted; the near miss has keep-alives, which look similar. */
static void
make_retransmissions (NsTrace *trace, gboolean is_near_miss)
{
  guint32 seq = 1001;
  guint i;

  add (trace, 0, TRUE, SYN, 1000, 0, 0);
  add (trace, 20 * MS, FALSE, SYN | ACK, 5000, 1001, 0);
  for (i = 0; i < 1000; i++)
    {
      gint64 time_ns = SECOND + i * 10 * MS;

      add (trace, time_ns, TRUE, ACK, seq, 5001, 1000);
      seq += 1000;
      if (i % 80 != 0 || i == 0)
        continue;
      if (is_near_miss)
        add (trace, time_ns + 5 * MS, TRUE, ACK, seq - 1, 5001, 1);
      else
        add (trace, time_ns + 5 * MS, TRUE, ACK, seq - 1000, 5001, 1000);
    }
}

/* Near miss: a segment that arrives 1 ms late was reordered, not retransmitted. */
static void
make_peers_retransmissions (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  add (trace, 0, TRUE, SYN, 1000, 0, 0);
  add (trace, 20 * MS, FALSE, SYN | ACK, 5000, 1001, 0);
  for (i = 0; i < 200; i++)
    {
      gint64 time_ns = SECOND + i * 100 * MS;
      guint32 seq = 5001 + i * 2000;

      add (trace, time_ns, FALSE, ACK, seq + 1000, 1001, 1000);
      add (trace, time_ns + (is_near_miss ? MS : 50 * MS), FALSE, ACK, seq, 1001, 1000);
    }
}

/* A full segment is sent three times, then in two halves that arrive; in the near miss it arrives
 * as a whole. */
static void
make_lost_size (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  add_connection (trace);
  for (i = 0; i < 3; i++)
    add (trace, (i + 1) * SECOND, TRUE, ACK, 1101, 5101, 1400);
  if (!is_near_miss)
    add (trace, 5 * SECOND, TRUE, ACK, 1101, 5101, 700);
  add (trace, 5 * SECOND + 20 * MS, FALSE, ACK, 5101, is_near_miss ? 2501 : 1801, 0);
}

/* Small segments sent after the full one arrive, as duplicate ACKs show. */
static void
make_lost_size_alone (NsTrace *trace, gboolean is_near_miss)
{
  add_connection (trace);
  add (trace, SECOND, TRUE, ACK, 1101, 5101, is_near_miss ? 900 : 1400);
  add (trace, 2 * SECOND, TRUE, ACK, 1101, 5101, is_near_miss ? 900 : 1400);
  add (trace, 3 * SECOND, TRUE, ACK, 2501, 5101, 100);
  add (trace, 3 * SECOND + 20 * MS, FALSE, ACK, 5101, 1101, 0);
  add (trace, 4 * SECOND, TRUE, ACK, 1101, 5101, is_near_miss ? 900 : 1400);
  add (trace, 4 * SECOND + 20 * MS, FALSE, ACK, 5101, 1101, 0);
}

/* Adds an ICMP error about a segment sent before: type, code, and MTU. */
static void
add_icmp (NsTrace *trace, gint64 time_ns, guint type, guint code, guint size)
{
  const RowPacket sent = { SECOND, TRUE, ACK, 1101, 5101, 65535, NULL, 1400 };
  guint8 head[28] = { 0x45, 0, 0, 56, 0, 9, 0, 0, 64, 1, 0, 0, 10, 0, 0, 1, 192, 0, 2, 7 };
  const NsPacketRow *too_big = row_add_packet (trace, &sent);
  guint data = too_big->data;
  NsPacketRow *row = test_trace_add (trace->packets);
  guint8 inner[28];

  memcpy (inner, trace->packet_bytes->data + data, sizeof inner);
  head[20] = (guint8) type;
  head[21] = (guint8) code;
  head[26] = (guint8) (size >> 8);
  head[27] = (guint8) size;
  row->time_ns = time_ns;
  row->direction = 1;
  row->link = NS_PACKET_RAW_IP;
  row->data = trace->packet_bytes->len;
  row->length = row->captured = sizeof head + sizeof inner;
  g_byte_array_append (trace->packet_bytes, head, sizeof head);
  g_byte_array_append (trace->packet_bytes, inner, sizeof inner);
}

/* Near miss: host unreachable has the same ICMP type. */
static void
make_too_big (NsTrace *trace, gboolean is_near_miss)
{
  add_connection (trace);
  add_icmp (trace, 2 * SECOND, 3, is_near_miss ? 1 : 4, 1280);
}

static void
make_closed_window (NsTrace *trace, gboolean is_near_miss)
{
  RowPacket packet = { SECOND, FALSE, ACK, 5101, 1101, 0, NULL, 0 };

  add_connection (trace);
  row_add_packet (trace, &packet);
  packet.time_ns += is_near_miss ? 199 * MS : 200 * MS;
  packet.window = 1000;
  row_add_packet (trace, &packet);
}

static void
make_own_closed_window (NsTrace *trace, gboolean is_near_miss)
{
  RowPacket packet = { SECOND, TRUE, ACK, 1101, 5101, 0, NULL, 0 };

  add_connection (trace);
  row_add_packet (trace, &packet);
  packet.time_ns += is_near_miss ? 199 * MS : 300 * MS;
  packet.window = 1000;
  row_add_packet (trace, &packet);
}

/* Near miss: a reset after a response. */
static void
make_reset (NsTrace *trace, gboolean is_near_miss)
{
  add_connection (trace);
  if (!is_near_miss)
    add (trace, SECOND, TRUE, ACK, 1101, 5101, 100);
  add (trace, 3 * SECOND, FALSE, RST, 5101, 0, 0);
}

/* Near miss: a TLS warning alert, after which the handshake continues. */
static void
make_alert (NsTrace *trace, gboolean is_near_miss)
{
  const RowPacket packet = {
    80 * MS,
    FALSE,
    ACK,
    5101,
    1101,
    65535,
    is_near_miss ? WARNING_UNKNOWN_NAME : FATAL_UNKNOWN_AUTHORITY,
    7,
  };

  add_connection (trace);
  row_add_packet (trace, &packet);
}

#define REQUEST "GET /items/4711?token=abc HTTP/1.1\r\nHost: shop.test\r\n\r\n"
#define FAILURE "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
#define SUCCESS "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

static void
make_answer (NsTrace *trace, gboolean is_near_miss)
{
  const char *answer = is_near_miss ? SUCCESS : FAILURE;
  const RowPacket packets[] = {
    { 100 * MS, TRUE, ACK, 1101, 5101, 65535, REQUEST, (guint) strlen (REQUEST) },
    { 150 * MS, FALSE, ACK, 5101, 1200, 65535, answer, (guint) strlen (answer) },
  };

  add_connection (trace);
  row_add_packet (trace, &packets[0]);
  row_add_packet (trace, &packets[1]);
}

static const FindingClaim claims[] = {
  { "D10",
    make_lost_syn,
    NS_SEVERITY_WARNING,
    3 * SECOND + 20 * MS,
    "the connect took up to 3.02 s (connects: 1, SYNs retransmitted: 1)" },
  { "D17",
    make_retransmissions,
    NS_SEVERITY_WARNING,
    0,
    "12 of 1012 segments to 192.0.2.1 were retransmitted (1.1 %)" },
  { "D18",
    make_closed_window,
    NS_SEVERITY_WARNING,
    200 * MS,
    "192.0.2.1:80 accepted no data for up" },
  { "D12",
    make_reset,
    NS_SEVERITY_WARNING,
    2 * SECOND,
    "192.0.2.1:80 reset the connection while data was unanswered, 3.00 s after" },
  { "D26",
    make_alert,
    NS_SEVERITY_PROBLEM,
    80 * MS,
    "TLS with 192.0.2.1:80 failed: TLS alert 48, unknown certificate" },
  { "D30", make_answer, NS_SEVERITY_PROBLEM, 50 * MS, "shop.test/items/* answered 503" },
  { "D20",
    make_lost_size,
    NS_SEVERITY_WARNING,
    3 * SECOND + 20 * MS,
    "segments of 1400 bytes were lost on the path to 192.0.2.1:80; smaller ones arrived" },
};

/* Only SYNs; the near miss ends too soon after them for a verdict. */
static void
make_unanswered_syns (NsTrace *trace, gboolean is_near_miss)
{
  static const NsFlowMore more = { .n_syn_retries = 2 };
  NsFlowRow flow = { .open_ns = SECOND,
                     .last_ns = 4 * SECOND,
                     .close_ns = is_near_miss ? NS_TIME_OPEN : 4 * SECOND,
                     .kind = NS_FLOW_TCP,
                     .start = NS_FLOW_START_SYN,
                     .end = is_near_miss ? NS_FLOW_END_NONE : NS_FLOW_END_NO_ANSWER,
                     .local = NS_FLOW_LOCAL_CLIENT,
                     .more = &more,
                     .pid = NS_PID_UNKNOWN };

  ns_endpoint_from_text (&flow.client, "10.0.0.5:50001");
  ns_endpoint_from_text (&flow.server, "192.0.2.1:80");
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
  g_array_append_val (trace->flows, flow);
}

/* The peer resets the connection after the head and before the end of the response. */
static void
make_cut_answer (NsTrace *trace, gboolean is_near_miss)
{
  static NsEndpoint peer;
  NsActivityRow row = { .protocol = NS_LAYER_HTTP,
                        .layers = NS_LAYER_HTTP | NS_LAYER_TCP,
                        .pid = NS_PID_UNKNOWN,
                        .tid = NS_PID_UNKNOWN,
                        .remote = &peer,
                        .local = &ns_endpoint_pool_none,
                        .flow = 1,
                        .http_status = 200,
                        .received = 2920,
                        .open_ns = SECOND,
                        .close_ns = 3 * SECOND,
                        .error = is_near_miss ? 0 : 10054,
                        .error_family = is_near_miss ? NS_CODE_NONE : NS_CODE_WIN32,
                        .failed = !is_near_miss,
                        .source_table = NS_TABLE_FLOWS,
                        .source_row = 1 };

  ns_endpoint_from_text (&peer, "192.0.2.1:80");
  make_unanswered_syns (trace, TRUE);
  g_array_append_val (trace->activities, row);
}

static NsFlowRow *
add_flow (NsTrace *trace, NsFlowKind kind, const char *client, const char *server, gint64 open_ns)
{
  NsFlowRow *flow = test_trace_add (trace->flows);

  flow->kind = (guint8) kind;
  flow->open_ns = flow->last_ns = open_ns;
  flow->close_ns = NS_TIME_OPEN;
  flow->start = kind == NS_FLOW_TCP ? NS_FLOW_START_SYN : NS_FLOW_START_NONE;
  flow->local = NS_FLOW_LOCAL_CLIENT;
  flow->pid = NS_PID_UNKNOWN;
  flow->syn_rtt_ns = flow->handshake_ns = NS_UNKNOWN;
  flow->server_name = NS_STRING_NONE;
  flow->client = row_endpoint (client);
  flow->server = row_endpoint (server);
  return flow;
}

/* Near miss: a port that has responded before does not refuse. */
static void
make_refusal (NsTrace *trace, gboolean is_near_miss)
{
  NsFlowRow *flow = add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:80", SECOND);

  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
  flow->last_ns = flow->close_ns = SECOND + 20 * MS;
  flow->end = is_near_miss ? NS_FLOW_END_FIN : NS_FLOW_END_REFUSED;
  flow->syn_rtt_ns = 20 * MS;
  flow->is_accepted = (NsBool) is_near_miss;
}

/* Two connects answered with ICMP unreachable; a single one may be a coincidence. */
static void
make_unreachable (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
  for (i = 0; i < (is_near_miss ? 1 : 2); i++)
    {
      NsFlowRow *flow =
          add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:80", (i + 1) * SECOND);
      NsFlowMore *more = ns_flow_need_more (flow, trace->arena);

      flow->last_ns = flow->close_ns = flow->open_ns + 100 * MS;
      flow->end = NS_FLOW_END_NO_ANSWER;
      more->n_icmp_errors = 1;
      more->icmp_from = row_endpoint ("10.0.0.1:1").ip;
      more->icmp_type = 3;
      more->icmp_code = 1;
    }
}

/* Datagrams to a closed port; the near miss has "packet too big" errors. */
static void
make_closed_port (NsTrace *trace, gboolean is_near_miss)
{
  NsFlowRow *flow = add_flow (trace, NS_FLOW_UDP, "10.0.0.5:50001", "192.0.2.1:514", SECOND);
  NsFlowMore *more = ns_flow_need_more (flow, trace->arena);

  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
  more->n_icmp_errors = 3;
  more->icmp_from = row_endpoint ("192.0.2.1:1").ip;
  more->icmp_error = row_text (trace, "port unreachable");
  more->icmp_type = 3;
  more->icmp_code = is_near_miss ? 4 : 3;
}

/* ARP requests without a response; in the near miss the second one is answered, or there was only
 * one. */
static void
make_silent_neighbor (NsTrace *trace, gboolean is_near_miss)
{
  NsFlowRow *flow = add_flow (trace, NS_FLOW_ARP, "10.0.0.5:0", "10.0.0.77:0", SECOND);
  const NsPacketPlace place = { .interface_name = row_text (trace, "Ethernet"),
                                .drop_reason = NS_STRING_NONE,
                                .pid = NS_PID_UNKNOWN };

  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
  flow->last_ns = 3 * SECOND;
  flow->ways[0].n_packets = 3;
  flow->ways[1].n_packets = is_near_miss;
  flow->end = is_near_miss ? NS_FLOW_END_ANSWERED : NS_FLOW_END_NONE;
  flow->place = trace->packet_places->len;
  g_array_append_val (trace->packet_places, place);
}

static NsDnsRow *
add_question (NsTrace *trace, const char *server, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsDnsRow *dns = row_add_name (trace, "host.test", status, open_ns, length_ns);

  dns->source = NS_DNS_FROM_PACKET;
  dns->server = row_text (trace, server);
  dns->pid = NS_PID_UNKNOWN;
  dns->flow = 1;
  return dns;
}

static void
make_slow_name (NsTrace *trace, gboolean is_near_miss)
{
  add_question (trace, "10.0.0.53", 0, SECOND, is_near_miss ? 299 * MS : 300 * MS);
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
}

/* Both servers are queried at once, or the second one after the first did not respond. */
static void
make_silent_server (NsTrace *trace, gboolean is_near_miss)
{
  add_question (trace, "10.0.0.53", 1460, SECOND, 0);
  add_question (trace, "10.0.0.54", 0, SECOND + (is_near_miss ? MS : SECOND), 20 * MS);
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
}

/* In the near miss another server responds. */
static void
make_silent_servers (NsTrace *trace, gboolean is_near_miss)
{
  add_question (trace, "10.0.0.53", 1460, SECOND, 2 * SECOND);
  add_question (trace,
                "10.0.0.54",
                is_near_miss ? 0 : 1460,
                2 * SECOND,
                is_near_miss ? 20 * MS : SECOND);
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
}

/* Adds the TLS handshake data of a flow. */
static NsFlowInside *
add_inside (NsTrace *trace, NsFlowRow *flow)
{
  NsFlowInside *inside = ns_arena_alloc (trace->arena, sizeof *inside);

  memset (inside, 0, sizeof *inside);
  inside->sni = inside->version = inside->cipher = inside->alpn = NS_STRING_NONE;
  inside->subject = inside->issuer = inside->expires = inside->alert = NS_STRING_NONE;
  inside->tls_begin_ns = inside->tls_end_ns = NS_TIME_NONE;
  inside->is_tls = TRUE;
  flow->inside = inside;
  return inside;
}

static void
make_expired (NsTrace *trace, gboolean is_near_miss)
{
  NsFlowRow *flow = add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:443", SECOND);

  /* The trace begins on 2024-01-01 at 00:00. */
  add_inside (trace, flow)->expires =
      row_text (trace, is_near_miss ? "2024-01-15T00:00:02Z" : "2023-12-31T23:59:59Z");
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
}

static void
make_expiring (NsTrace *trace, gboolean is_near_miss)
{
  NsFlowRow *flow = add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:443", SECOND);

  add_inside (trace, flow)->expires =
      row_text (trace, is_near_miss ? "2024-01-15T00:00:02Z" : "2024-01-15T00:00:01Z");
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
}

static void
make_old_tls (NsTrace *trace, gboolean is_near_miss)
{
  NsFlowRow *flow = add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:443", SECOND);

  add_inside (trace, flow)->version = row_text (trace, is_near_miss ? "TLS 1.2" : "TLS 1.1");
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
}

static NsActivityRow *
add_exchange (NsTrace *trace, guint protocol)
{
  NsFlowRow *flow = add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:80", SECOND);
  NsActivityRow *row = test_trace_add_activity (trace, "host.test", SECOND);

  flow->syn_rtt_ns = 30 * MS;
  row->protocol = protocol;
  row->pid = NS_PID_UNKNOWN;
  row->flow = row->source_row = 1;
  row->source_table = NS_TABLE_FLOWS;
  row->close_ns = 8 * SECOND;
  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
  return row;
}

/* 3 round trips of 30 ms and of 100 ms. */
static void
make_slow_handshake (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = add_exchange (trace, NS_LAYER_TCP);

  test_phases (row)[NS_PHASE_TLS] = is_near_miss ? 189 * MS : 190 * MS;
}

static void
make_slow_answer (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = add_exchange (trace, NS_LAYER_HTTP);

  row->url = row_text (trace, "http://host.test/");
  row->first_byte_ns = 3 * SECOND;
  test_phases (row)[NS_PHASE_WAIT] = is_near_miss ? SECOND - 1 : SECOND;
}

/* One drop on a connection is sufficient; without a connection it takes ten. */
static void
make_drop (NsTrace *trace, gboolean is_near_miss)
{
  const RowPacket packet = { SECOND, TRUE, SYN, 1000, 0, 65535, NULL, 0 };
  NsPacketRow *row;

  add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:80", SECOND);
  row = row_add_packet (trace, &packet);
  test_trace_drop_packet (trace, row, "Inspection drop (9)", 9);
  row->flow = is_near_miss ? 0 : 1;
}

static const FindingClaim claims_of_conversations[] = {
  { "D01", make_slow_name, NS_SEVERITY_WARNING, 300 * MS, "resolving host.test took up to 300 ms" },
  { "D02",
    make_silent_server,
    NS_SEVERITY_PROBLEM,
    SECOND,
    "10.0.0.53 did not answer; it took up to 1.00 s until 10.0.0.54 was queried" },
  { "D03", make_silent_servers, NS_SEVERITY_PROBLEM, 2 * SECOND, "no DNS server answered" },
  { "D08",
    make_unreachable,
    NS_SEVERITY_PROBLEM,
    200 * MS,
    "2 connects to 192.0.2.1:80 failed: the host is unreachable" },
  { "D11", make_refusal, NS_SEVERITY_WARNING, 20 * MS, "192.0.2.1:80 refused the connection" },
  { "D21",
    make_drop,
    NS_SEVERITY_WARNING,
    0,
    "1 packets of the conversation with 192.0.2.1:80 were dropped: Inspection drop (9)." },
  { "D24", make_slow_handshake, NS_SEVERITY_WARNING, 190 * MS, "with a round-trip time of 30" },
  { "D26",
    make_expired,
    NS_SEVERITY_PROBLEM,
    0,
    "the certificate of 192.0.2.1 had expired on 2023-12-31T23:59:59Z" },
  { "D43", make_slow_answer, NS_SEVERITY_WARNING, SECOND, "needed up to 1.00 s before its first" },
  { "D47",
    make_silent_neighbor,
    NS_SEVERITY_PROBLEM,
    2 * SECOND,
    "Nobody answers for 10.0.0.77 on Ethernet: 3 requests in 2.00 s; the machine is off" },
};

static const FindingClaim more_claims_of_conversations[] = {
  { "D08",
    make_closed_port,
    NS_SEVERITY_WARNING,
    0,
    "192.0.2.1 reports for packets to 192.0.2.1:514: port unreachable (ICMP errors: 3)" },
  { "D26", make_expiring, NS_SEVERITY_WARNING, 0, "expires on 2024-01-15T00:00:01Z" },
};

static const FindingClaim last_claims_of_conversations[] = {
  { "D26", make_old_tls, NS_SEVERITY_WARNING, 0, "192.0.2.1 chose TLS 1.1, an old version" },
};

static const FindingClaim claims_of_flows[] = {
  { "D13",
    make_cut_answer,
    NS_SEVERITY_PROBLEM,
    2 * SECOND,
    "192.0.2.1:80 closed the connection after 2920 bytes, before the response was complete" },
  { "D09",
    make_unanswered_syns,
    NS_SEVERITY_PROBLEM,
    3 * SECOND,
    "192.0.2.1:80 did not answer within 3.00 s (connects: 1, SYNs sent: 3)" },
};

static const FindingClaim claims_of_routers[] = {
  { "D20",
    make_too_big,
    NS_SEVERITY_WARNING,
    0,
    "Router 10.0.0.1 says packets to 192.0.2.1:80 may be at most 1280 bytes." },
};

static const FindingClaim claims_of_peers[] = {
  { "D17",
    make_peers_retransmissions,
    NS_SEVERITY_PROBLEM,
    0,
    "200 of 400 segments from 192.0.2.1 were retransmitted (50.0 %)." },
  { "D20",
    make_lost_size_alone,
    NS_SEVERITY_WARNING,
    2 * SECOND + 20 * MS,
    "segments of 1400 bytes to 192.0.2.1:80 were retransmitted repeatedly" },
  { "D18",
    make_own_closed_window,
    NS_SEVERITY_WARNING,
    300 * MS,
    "192.0.2.1:80 could not send for up to 300 ms" },
};

/* If an event and a packet report the same segment, it counts once. */
static void
test_what_events_tell_is_not_counted_again (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;
  NsTcpRow *tcp;
  guint i;

  make_retransmissions (trace, FALSE);
  tcp = row_add_tcp (trace, "192.0.2.1:80", 0, 0, 30 * SECOND);
  tcp->sent = 1000000;
  tcp->activity = 0;
  test_extra (tcp)->retransmits = 12;
  test_extra (tcp)->n_sends = 1012;
  add_flow (trace, NS_FLOW_TCP, "192.0.2.7:50000", "192.0.2.1:80", 0)->tcp = 1;
  for (i = 0; i < trace->packets->len; i++)
    g_array_index (trace->packets, NsPacketRow, i).flow = 1;
  row = finding_of (trace, "D17");
  g_assert_nonnull (strstr (row->text, "12 of 1012 segments to host.test were retransmitted"));
  g_assert_cmpuint (row->count, ==, 1);
  /* The connection and its packets. */
  g_assert_cmpuint (row->refs->len, ==, 1 + 12);
  test_trace_free (trace);
}

/* Several driver layers and switch ports record each frame; it counts once. */
static void
test_a_frame_recorded_twice_was_sent_once (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  g_autoptr (NsPacketFacts) facts = NULL;
  const NsTcpConversation *conversation;
  NsPacketRow again;

  add_connection (trace);
  again = g_array_index (trace->packets, NsPacketRow, 3);
  again.time_ns += MS / 10;
  g_array_insert_val (trace->packets, 4, again);
  facts = ns_packet_facts_new (trace);
  g_assert_cmpuint (facts->conversations->len, ==, 1);
  conversation = &g_array_index (facts->conversations, NsTcpConversation, 0);
  g_assert_cmpuint (conversation->ways[NS_WAY_OUT].n_segments, ==, 1);
  g_assert_cmpuint (conversation->ways[NS_WAY_OUT].n_again, ==, 0);
  g_assert_cmpuint (facts->facts->len, ==, 0);
  test_trace_free (trace);
}

/* A port is reused after its connection is closed, so its SYN is no retransmission. */
static void
test_a_port_used_again_is_another_conversation (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  g_autoptr (NsPacketFacts) facts = NULL;

  add_connection (trace);
  add (trace, SECOND, TRUE, FIN | ACK, 1101, 5101, 0);
  add (trace, 2 * SECOND, TRUE, SYN, 900, 0, 0);
  facts = ns_packet_facts_new (trace);
  g_assert_cmpuint (facts->conversations->len, ==, 2);
  g_assert_cmpuint (facts->n_syns, ==, 2);
  g_assert_cmpuint (facts->facts->len, ==, 0);
  test_trace_free (trace);
}

/* Headers and payloads may be truncated anywhere and contain anything. */
static void
test_packets_that_are_cut_tell_what_they_can (void)
{
  guint n;

  for (n = 0; n < 60; n++)
    {
      NsTrace *trace = test_trace_new (600 * SECOND);
      g_autoptr (NsPacketFacts) facts = NULL;
      guint i;

      make_answer (trace, FALSE);
      for (i = 0; i < trace->packets->len; i++)
        {
          NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);

          row->captured = MIN (row->captured, n);
        }
      g_array_index (trace->packets, NsPacketRow, 0).data = G_MAXUINT32;
      facts = ns_packet_facts_new (trace);
      g_assert_cmpuint (facts->conversations->len, <=, 2);
      g_assert_cmpuint (facts->facts->len, ==, n >= 40 + strlen ("HTTP/1.1 503"));
      test_trace_free (trace);
    }
}

/* Findings omit the query of a URL, because it may contain secrets. */
static void
test_a_query_is_not_told (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  make_answer (trace, FALSE);
  g_assert_null (strstr (finding_of (trace, "D30")->text, "abc"));
  test_trace_free (trace);
}

/* Packets have no process, so the finding names none. */
static void
test_an_unknown_process_is_not_told (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  make_answer (trace, FALSE);
  g_assert_true (g_str_has_prefix (finding_of (trace, "D30")->text, "shop.test/items/* answered "));
  test_trace_free (trace);
}

/* The limits of packet captures are listed with the events that were not recorded. */
static void
test_the_limits_of_a_capture_are_told (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const char *text;

  add (trace, SECOND, TRUE, SYN, 1000, 0, 0);
  g_array_index (trace->packets, NsPacketRow, 0).length += 100;
  text = finding_of (trace, "D45")->text;
  g_assert_nonnull (
      strstr (text, ". Packets do not identify their process: record Microsoft-Windows-"));
  g_assert_nonnull (strstr (text, "No more than 40 bytes of each packet were captured:"));
  g_assert_nonnull (strstr (text, "Only one direction"));
  test_trace_free (trace);

  trace = test_trace_new (600 * SECOND);
  add_connection (trace);
  add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:80", SECOND)->pid = FINDING_PID;
  g_array_index (trace->packets, NsPacketRow, 0).flow = trace->flows->len;
  text = finding_of (trace, "D45")->text;
  g_assert_null (strstr (text, "Packets do not identify"));
  g_assert_null (strstr (text, "no more than"));
  g_assert_null (strstr (text, "Only one direction"));
  test_trace_free (trace);
}

/* Packets missing from the capture lower the confidence of a retransmission finding. */
static void
test_a_capture_with_gaps_is_less_sure (void)
{
  const NsFlowMore lost = { .ways = { { .missing_bytes = 1 } } };
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;
  guint i;

  make_retransmissions (trace, FALSE);
  add_flow (trace, NS_FLOW_TCP, "10.0.0.5:50001", "192.0.2.1:80", 0)->more = &lost;
  for (i = 0; i < trace->packets->len; i++)
    g_array_index (trace->packets, NsPacketRow, i).flow = 1;
  row = finding_of (trace, "D17");
  g_assert_nonnull (
      strstr (row->text, "12 of 1012 segments to 192.0.2.1 were probably retransmitted"));
  g_assert_cmpint (row->trust, ==, NS_FINDING_LOW);
  test_trace_free (trace);
}

/* Rules that depend on packets alone are not listed as unanswered in a trace without packets. */
static void
test_neighbors_are_no_question_without_packets (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  GArray *findings;
  guint i;

  row_record_all (trace);
  g_array_set_size (trace->kinds, 0);
  findings = ns_findings_get (trace);
  for (i = 0; i < findings->len; i++)
    g_assert_cmpstr (g_array_index (findings, NsFindingRow, i).rule, !=, "D47");
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  guint i;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  for (i = 0; i < G_N_ELEMENTS (claims); i++)
    finding_claim_add (&claims[i], "packets");
  for (i = 0; i < G_N_ELEMENTS (claims_of_peers); i++)
    finding_claim_add (&claims_of_peers[i], "packets-of-peers");
  for (i = 0; i < G_N_ELEMENTS (claims_of_flows); i++)
    finding_claim_add (&claims_of_flows[i], "packets-of-flows");
  for (i = 0; i < G_N_ELEMENTS (claims_of_routers); i++)
    finding_claim_add (&claims_of_routers[i], "packets-of-routers");
  for (i = 0; i < G_N_ELEMENTS (claims_of_conversations); i++)
    finding_claim_add (&claims_of_conversations[i], "conversations");
  for (i = 0; i < G_N_ELEMENTS (more_claims_of_conversations); i++)
    finding_claim_add (&more_claims_of_conversations[i], "more-conversations");
  for (i = 0; i < G_N_ELEMENTS (last_claims_of_conversations); i++)
    finding_claim_add (&last_claims_of_conversations[i], "old-versions");
  g_test_add_func ("/findings/packets/what-events-tell-is-not-counted-again",
                   test_what_events_tell_is_not_counted_again);
  g_test_add_func ("/findings/packets/a-frame-recorded-twice-was-sent-once",
                   test_a_frame_recorded_twice_was_sent_once);
  g_test_add_func ("/findings/packets/a-port-used-again-is-another-conversation",
                   test_a_port_used_again_is_another_conversation);
  g_test_add_func ("/findings/packets/packets-that-are-cut-tell-what-they-can",
                   test_packets_that_are_cut_tell_what_they_can);
  g_test_add_func ("/findings/packets/the-limits-of-a-capture-are-told",
                   test_the_limits_of_a_capture_are_told);
  g_test_add_func ("/findings/packets/a-capture-with-gaps-is-less-sure",
                   test_a_capture_with_gaps_is_less_sure);
  g_test_add_func ("/findings/packets/neighbors-are-no-question-without-packets",
                   test_neighbors_are_no_question_without_packets);
  g_test_add_func ("/findings/packets/an-unknown-process-is-not-told",
                   test_an_unknown_process_is_not_told);
  g_test_add_func ("/findings/packets/a-query-is-not-told", test_a_query_is_not_told);
  return g_test_run ();
}
