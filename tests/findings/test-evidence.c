/* Tests rules with several kinds of evidence.
 *
 * Each kind alone shows the failure.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "finding-claims.h"

#include "engine/trace/ns-event-index.h"

#include <string.h>

#define PID FINDING_PID

static NsTcpRow *
add_open (NsTrace *trace, NsTcpState state)
{
  NsTcpRow *row = row_add_tcp (trace, "192.0.2.1:443", 0, 0, SECOND);

  row->state = (guint8) state;
  row->close_ns = NS_TIME_OPEN;
  row->activity = 0;
  return row;
}

static NsSign *
add_sign_of_tcp (NsTrace *trace, guint16 id, gint64 time_ns, gint64 value)
{
  NsSign *sign = row_add_sign (trace, NS_SIGN_TCPIP, id, time_ns, value);

  sign->tcp = trace->tcp->len;
  return sign;
}

/* Adds a WinHTTP request with its own connection; their IDs are 0x10 and 0x20. */
static NsWebioRow *
add_webio (NsTrace *trace, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/a", status, open_ns, length_ns);
  NsWebioRow *webio = &g_array_index (trace->webio, NsWebioRow, trace->webio->len - 1);
  NsWebioConn *conn = ns_arena_new0 (trace->arena, NsWebioConn);

  conn->connection = 0x20;
  conn->remote = row->remote = row_end (trace, "192.0.2.1:443");
  conn->start_ns = open_ns;
  conn->stop_ns = open_ns + length_ns;
  webio->request = 0x10;
  webio->pid = PID;
  webio->server = row_text (trace, "host.test");
  webio->open_ns = open_ns;
  webio->close_ns = open_ns + length_ns;
  webio->conns = conn;
  webio->n_conns = 1;
  webio->activity = trace->activities->len;
  return webio;
}

static void
fail_connect (NsTrace *trace, gint64 open_ns, gint64 length_ns, guint32 error)
{
  ((NsWebioConn *) add_webio (trace, 0, open_ns, length_ns)->conns)->error = error;
}

static void
make_d01_getaddrinfo (NsTrace *trace, gboolean is_near_miss)
{
  row_add_name (trace, "host.test", 0, 0, is_near_miss ? 299 * MS : 300 * MS)->source =
      NS_DNS_FROM_WINSOCK;
}

static void
make_d02_given_up (NsTrace *trace, gboolean is_near_miss)
{
  row_add_sign (trace, NS_SIGN_DNS, is_near_miss ? 1016 : 1015, SECOND, 0)->remote =
      row_end (trace, "10.0.0.1:53");
}

static void
make_d03_1014 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_sign (trace, NS_SIGN_DNS, is_near_miss ? 1015 : 1014, SECOND, 0)->name =
      row_text (trace, "host.test");
}

static void
make_d04_failing (NsTrace *trace, gboolean is_near_miss)
{
  row_add_name (trace, "a.one.test", 9003, 0, 5 * MS);
  row_add_name (trace, "b.two.test", 9003, 10 * SECOND, 5 * MS);
  row_add_name (trace, "c.three.test", 9003, is_near_miss ? 61 * SECOND : 50 * SECOND, 5 * MS);
}

/* The row has the DNS servers that were queried. */
static void
make_d03_servers (NsTrace *trace, gboolean is_near_miss)
{
  NsDnsRow *row = row_add_name (trace, "host.test", is_near_miss ? 9003 : 1460, 0, 12 * SECOND);
  NsDnsServer server = { .asked_ns = 0, .answered_ns = NS_TIME_NONE, .adapter = NS_STRING_NONE };

  row->servers = g_array_new (FALSE, FALSE, sizeof (NsDnsServer));
  server.address = row_text (trace, "10.0.0.1");
  g_array_append_val (row->servers, server);
  server.address = row_text (trace, "10.0.0.2");
  g_array_append_val (row->servers, server);
}

/* The ten-second interval begins with the first query, not at a multiple of ten seconds. */
static void
make_d04_any_moment (NsTrace *trace, gboolean is_near_miss)
{
  gint64 begin_ns = 9990 * MS;

  row_add_name (trace, "srv.a.test", 9003, begin_ns, 5 * MS);
  row_add_name (trace,
                "srv.b.a.test",
                9003,
                begin_ns + (is_near_miss ? 11 * SECOND : 20 * MS),
                5 * MS);
}

/* Near miss: NODATA, no records of this type, is a response. */
static void
make_d06_failure (NsTrace *trace, gboolean is_near_miss)
{
  row_add_name (trace, "host.test", 0, 0, 5 * MS);
  row_add_name (trace, "host.test", is_near_miss ? 9501 : 9002, MS, 20 * MS)->type = 28;
}

static void
make_d08_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "connect", 0xc000023d, 0, 0);
  row_add_call (trace, "connect", 0xc000023d, is_near_miss ? 61 * SECOND : 30 * SECOND, 0);
}

static void
make_d08_webio (NsTrace *trace, gboolean is_near_miss)
{
  fail_connect (trace, 0, 10 * MS, 10065);
  fail_connect (trace, 10 * SECOND, 10 * MS, is_near_miss ? 10061 : 10051);
}

static void
make_d09_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "connect", is_near_miss ? 0xc0000120 : 0xc00000b5, 0, 0)->close_ns =
      21 * SECOND;
}

/* Near miss: the program cancelled the connect, as its socket call says. */
static void
make_d09_given_up (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_REQUEST)->close_ns = 25 * SECOND;
  row_add_call (trace, "connect", is_near_miss ? 0xc0000120 : 0xc00000b5, 0, 0)->close_ns =
      25 * SECOND;
  g_array_index (trace->winsock, NsWinsockRow, 0).tcp = 1;
}

static void
make_d09_webio (NsTrace *trace, gboolean is_near_miss)
{
  fail_connect (trace, 0, 21 * SECOND, is_near_miss ? 995 : 10060);
}

static void
make_d09_1045 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, is_near_miss ? NS_TCP_CONNECT_COMPLETE : NS_TCP_CONNECT_REQUEST);
  if (!is_near_miss)
    add_sign_of_tcp (trace, 1045, 21 * SECOND, 0);
}

static void
make_d09_silence (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_REQUEST)->close_ns = is_near_miss ? 20 * SECOND - 1 : 20 * SECOND;
}

static void
make_d10_summary (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpRow *row = row_add_tcp (trace, "192.0.2.1:443", 0, 0, SECOND);

  row->inferred = TRUE;
  row->activity = 0;
  test_extra (row)->syn_retransmits = !is_near_miss;
}

static void
make_d11_1183 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, is_near_miss ? NS_TCP_CONNECT_COMPLETE : NS_TCP_CONNECT_REQUEST);
  if (!is_near_miss)
    add_sign_of_tcp (trace, 1183, 30 * MS, 0);
}

/* Nothing listens on this port of the local machine. */
static void
make_d11_loopback (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "connect", is_near_miss ? 0 : 0xc0000236, 0, 0)->remote =
      row_endpoint ("127.0.0.1:8080");
}

static void
make_d11_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "connect", is_near_miss ? 0 : 0xc0000236, 0, 0);
}

static void
make_d11_webio (NsTrace *trace, gboolean is_near_miss)
{
  fail_connect (trace, 0, 30 * MS, is_near_miss ? 0 : 10061);
}

static void
make_d12_1184 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_COMPLETE);
  add_sign_of_tcp (trace, 1184, SECOND, 0)->flags = is_near_miss ? 0 : NS_SIGN_UNANSWERED;
}

static void
make_d12_1044 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_COMPLETE);
  add_sign_of_tcp (trace, 1044, SECOND, is_near_miss ? 0 : 0xc000020d)->flags = NS_SIGN_UNANSWERED;
}

static void
make_d12_1039 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_COMPLETE);
  add_sign_of_tcp (trace, 1039, SECOND, is_near_miss ? 0 : 0xc000020d)->flags = NS_SIGN_UNANSWERED;
}

/* Near miss: a response was received before the reset. */
static void
make_d12_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "send", 0, MS, 100);
  if (is_near_miss)
    row_add_call (trace, "recv", 0, 100 * MS, 100);
  row_add_call (trace, "recv", 0xc000020d, SECOND, 0);
}

static void
make_d12_webio (NsTrace *trace, gboolean is_near_miss)
{
  add_webio (trace, 0, 0, 2 * SECOND);
  row_add_sign (trace, NS_SIGN_WEBIO, 216, SECOND, is_near_miss ? 10060 : 10054)->key = 0x20;
}

static void
make_d12_135 (NsTrace *trace, gboolean is_near_miss)
{
  add_webio (trace, 0, 0, 2 * SECOND);
  row_add_sign (trace, NS_SIGN_WEBIO, 135, SECOND, is_near_miss ? 12002 : 12030)->key = 0x10;
}

/* Adds a response with 60 of 100 announced bytes. The near miss has no content length, so it ends
 * with the connection. */
static NsWebioRow *
add_short (NsTrace *trace, gboolean is_near_miss)
{
  NsWebioRow *webio = add_webio (trace, 200, 0, 2 * SECOND);
  NsSign *head = row_add_sign (trace, NS_SIGN_WEBIO, 101, 100 * MS, 200);

  webio->received = 260;
  head->key = 0x10;
  head->n_bytes = 200;
  head->count = is_near_miss ? NS_UNKNOWN : 100;
  head->flags = is_near_miss ? NS_ANSWER_CLOSES : 0;
  return webio;
}

static void
make_d13_webio (NsTrace *trace, gboolean is_near_miss)
{
  add_short (trace, is_near_miss);
  row_add_sign (trace, NS_SIGN_WEBIO, 216, SECOND, 0)->key = 0x20;
}

static void
make_d13_aborted (NsTrace *trace, gboolean is_near_miss)
{
  add_short (trace, is_near_miss);
  g_array_index (trace->activities, NsActivityRow, 0).winsock = 1;
  row_add_call (trace, "recv", 0xc0000241, SECOND, 0);
}

static void
make_d13_abort (NsTrace *trace, gboolean is_near_miss)
{
  add_short (trace, is_near_miss);
  g_array_index (trace->activities, NsActivityRow, 0).winsock = 1;
  row_add_call (trace, "abort", 0, SECOND, 0);
}

static void
make_d13_1039 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_COMPLETE);
  add_short (trace, is_near_miss);
  g_array_index (trace->activities, NsActivityRow, 0).tcp = 1;
  add_sign_of_tcp (trace, 1039, SECOND, 0);
}

/* Near miss: the connection closes after the complete response. */
static void
make_d13_wininet (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = test_trace_add_activity (trace, "host.test", 0);
  NsWininetRow *wininet = test_trace_add (trace->wininet);
  NsSign *head = row_add_sign (trace, NS_SIGN_WININET, 203, 100 * MS, 200);

  row->protocol = row->layers = NS_LAYER_WININET;
  row->pid = wininet->pid = PID;
  row->url = row_text (trace, "http://host.test/a");
  row->method = row_text (trace, "GET");
  row->http_status = 200;
  row->remote = wininet->remote = row_end (trace, "192.0.2.1:443");
  row->close_ns = wininet->close_ns = 2 * SECOND;
  row->wininet = row->winsock = 1;
  wininet->request = head->key = 0x30;
  wininet->received = is_near_miss ? 100 : 60;
  wininet->activity = 1;
  head->count = 100;
  row_add_call (trace, "recv", 0, SECOND, 0);
}

static void
make_d13_chromium (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/a", 200, 0, SECOND);

  row->protocol = row->layers = NS_LAYER_CHROMIUM;
  row->webio = 0;
  row->remote = row_end (trace, "192.0.2.1:443");
  row->received = 60;
  row->error_family = NS_CODE_CHROMIUM;
  row->error = (guint32) (is_near_miss ? -105 : -354);
}

static void
make_d14_of (NsTrace *trace, guint16 id, guint32 status)
{
  add_open (trace, NS_TCP_CONNECT_COMPLETE)->last_data_ns = SECOND;
  add_sign_of_tcp (trace, id, 9 * SECOND, status);
}

static void
make_d14_1046 (NsTrace *trace, gboolean is_near_miss)
{
  make_d14_of (trace, is_near_miss ? 1201 : 1046, 0);
}

static void
make_d14_1047 (NsTrace *trace, gboolean is_near_miss)
{
  make_d14_of (trace, is_near_miss ? 1201 : 1047, 0);
}

static void
make_d14_1048 (NsTrace *trace, gboolean is_near_miss)
{
  make_d14_of (trace, is_near_miss ? 1201 : 1048, 0);
}

static void
make_d14_1044 (NsTrace *trace, gboolean is_near_miss)
{
  make_d14_of (trace, 1044, is_near_miss ? 0 : 0xc00000b5);
}

static void
make_d14_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "send", 0, 0, 100);
  row_add_call (trace, "recv", is_near_miss ? 0xc0000120 : 0xc00000b5, 8 * SECOND, 0)->close_ns =
      9 * SECOND;
  g_array_index (trace->winsock, NsWinsockRow, 0).last_data_ns = SECOND;
}

static void
make_d15_of (NsTrace *trace, guint16 id, gboolean is_near_miss)
{
  add_open (trace, is_near_miss ? NS_TCP_CONNECT_COMPLETE : NS_TCP_CONNECT_REQUEST);
  if (!is_near_miss)
    add_sign_of_tcp (trace, id, 5 * MS, 0);
}

static void
make_d15_1020 (NsTrace *trace, gboolean is_near_miss)
{
  make_d15_of (trace, 1020, is_near_miss);
}

static void
make_d15_1035 (NsTrace *trace, gboolean is_near_miss)
{
  make_d15_of (trace, 1035, is_near_miss);
}

/* Near miss: another program has exclusive use of the port, so no filter blocked the bind. */
static void
make_d15_1454 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "bind", is_near_miss ? 0xc0000022 : 0, 0, 0);
  row_add_sign (trace, NS_SIGN_TCPIP, 1454, SECOND, is_near_miss ? 0 : 0xc0000022);
}

static void
make_d15_wfp (NsTrace *trace, gboolean is_near_miss)
{
  NsSign *sign = row_add_sign (trace, NS_SIGN_WFP, is_near_miss ? 1009 : 1001, SECOND, 70211);
  NsProcessRow *process = test_trace_add (trace->processes);

  sign->remote = row_end (trace, "192.0.2.1:443");
  sign->name = row_text (trace, "\\device\\harddiskvolume2\\app\\APP.EXE");
  sign->pid = 4;
  sign->count = 48;
  process->pid = PID;
  process->name = row_text (trace, "app.exe");
  process->path = process->command_line = NS_STRING_NONE;
  process->end_ns = NS_TIME_OPEN;
}

/* Blocked inbound packets are no failure of the program. */
static void
make_d15_inbound (NsTrace *trace, gboolean is_near_miss)
{
  make_d15_wfp (trace, is_near_miss);
  g_array_index (trace->signs, NsSign, 0).count = 44;
}

static void
make_d16_1021 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, is_near_miss ? NS_TCP_CONNECT_COMPLETE : NS_TCP_CONNECT_REQUEST);
  if (!is_near_miss)
    add_sign_of_tcp (trace, 1021, MS, 0);
}

static void
make_d16_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "connect", is_near_miss ? 0xc0000236 : 0xc000023c, 0, 0);
}

/* Near miss: an interface that comes up interrupts nothing. */
static void
make_d16_down (NsTrace *trace, gboolean is_near_miss)
{
  row_add_sign (trace, NS_SIGN_TCPIP, 1130, SECOND, is_near_miss ? 1 : 2)->key = 7;
  row_add_call (trace, "connect", 0xc00000b5, SECOND, 0);
}

/* The summary event counts bytes. */
static void
make_d17_summary (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpRow *row = row_add_tcp (trace, "192.0.2.1:443", 0, 0, SECOND);

  row->inferred = TRUE;
  test_extra (row)->total_sent = 940000;
  test_extra (row)->total_again = is_near_miss ? 9000 : 60000;
  test_extra (row)->n_segments = 1000;
}

static void
make_d18_1200 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_COMPLETE)->last_data_ns = SECOND;
  add_sign_of_tcp (trace, is_near_miss ? 1201 : 1200, 9 * SECOND, 0);
}

static NsTcpFlow *
add_flow (NsTrace *trace, guint64 n_bytes)
{
  NsTcpAnomaly *anomaly = test_trace_add (trace->tcp_anomalies);
  NsTcpFlow *flow = ns_arena_new0 (trace->arena, NsTcpFlow);

  row_add_tcp (trace, "192.0.2.1:443", 0, SECOND, 20 * SECOND)->sent = n_bytes;
  *flow = ns_tcp_flow_none;
  anomaly->tcp = trace->tcp->len;
  anomaly->held_from_ns = NS_TIME_NONE;
  anomaly->flow = flow;
  return flow;
}

static void
make_d19_flights (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace, 2 << 20);

  flow->n_flights = 100;
  flow->n_full[1] = is_near_miss ? 29 : 30;
  flow->window_bytes = 65536;
}

/* The summary event of a connection that was opened before the trace. */
static void
make_d19_summary (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace, 0);

  g_array_index (trace->tcp, NsTcpRow, 0).inferred = TRUE;
  test_extra (&g_array_index (trace->tcp, NsTcpRow, 0))->total_sent =
      is_near_miss ? (1 << 20) - 1 : 1 << 20;
  flow->network_ns = 6 * SECOND;
  flow->receiver_ns = SECOND;
  flow->sender_ns = 3 * SECOND;
  flow->window_bytes = 29200;
}

/* Windows tried smaller segments, and they arrived. */
static void
make_d20_1085 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace, 100000);

  flow->n_black_holes = !is_near_miss;
  flow->has_smaller_helped = TRUE;
  flow->segment_bytes = is_near_miss ? 0 : 1460;
  flow->black_hole_from_ns = SECOND;
  flow->black_hole_to_ns = 2 * SECOND;
}

static void
make_d20_1086 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace, 100000);

  flow->has_search_failed = !is_near_miss;
  flow->segment_bytes = is_near_miss ? 0 : 1460;
  flow->black_hole_from_ns = SECOND;
  flow->black_hole_to_ns = 2 * SECOND;
}

static void
make_d20_again (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace, 100000);

  flow->segment_bytes = is_near_miss ? 0 : 1400;
  flow->black_hole_from_ns = SECOND;
  flow->black_hole_to_ns = 2 * SECOND;
}

/* The near miss has nine drops, which is below the threshold; drops of multicast packets are
 * reported separately. */
static void
make_d21_of (NsTrace *trace, guint16 id, NsSignSource source, gboolean is_near_miss)
{
  NsSign *sign = row_add_sign (trace, source, id, SECOND, 2);

  sign->count = is_near_miss ? 9 : 10;
  sign->local = row_end (trace, "192.0.2.7:5353");
  sign = row_add_sign (trace, source, id, SECOND, 2);
  sign->count = 500;
  sign->local = row_end (trace, "224.0.0.251:5353");
}

static void
make_d21_1214 (NsTrace *trace, gboolean is_near_miss)
{
  make_d21_of (trace, 1214, NS_SIGN_TCPIP, is_near_miss);
}

static void
make_d21_1478 (NsTrace *trace, gboolean is_near_miss)
{
  make_d21_of (trace, 1478, NS_SIGN_TCPIP, is_near_miss);
}

static void
make_d21_afd (NsTrace *trace, gboolean is_near_miss)
{
  make_d21_of (trace, 1033, NS_SIGN_AFD, is_near_miss);
}

/* One drop per peer, all for the same reason. */
static void
make_d21_peers (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < (is_near_miss ? 9 : 10); i++)
    {
      g_autofree char *peer = g_strdup_printf ("192.0.2.%u:500", i + 1);
      NsSign *sign = row_add_sign (trace, NS_SIGN_TCPIP, 1214, i * SECOND, 2);

      sign->count = 1;
      sign->remote = row_end (trace, peer);
    }
}

static void
make_d21_1190 (NsTrace *trace, gboolean is_near_miss)
{
  make_d21_of (trace, 1190, NS_SIGN_TCPIP, is_near_miss);
}

static void
make_d21_1215 (NsTrace *trace, gboolean is_near_miss)
{
  make_d21_of (trace, 1215, NS_SIGN_TCPIP, is_near_miss);
}

static void
make_d21_1423 (NsTrace *trace, gboolean is_near_miss)
{
  make_d21_of (trace, 1423, NS_SIGN_TCPIP, is_near_miss);
}

/* Near miss: TCP sends as many segments as the program made sends, so nothing is coalesced. */
static void
make_d22_segments (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  row_add_tcp (trace, "192.0.2.1:443", 0, 0, SECOND);
  test_extra (&g_array_index (trace->tcp, NsTcpRow, 0))->n_sends = is_near_miss ? 100 : 5;
  for (i = 0; i < 100; i++)
    row_add_call (trace, "send", 0, i * MS, 40);
  g_array_index (trace->winsock, NsWinsockRow, 0).tcp = 1;
}

/* A plain socket: the first receive starts before the request is sent. The second receive continues
 * the same response, so its delay does not count. */
static void
make_d43_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "recv", 0, MS, 100)->close_ns = is_near_miss ? SECOND : SECOND + 502 * MS;
  row_add_call (trace, "send", 0, 2 * MS, 100);
  row_add_call (trace, "recv", 0, 2 * SECOND, 100)->close_ns = 4 * SECOND;
}

/* A send of the socket has the call stack of the program. */
static void
make_d22_stack (NsTrace *trace, gboolean is_near_miss)
{
  const guint64 frames[] = { 0x7ff700001000, 0x7ff700002000 };
  NsRow socket;
  guint i;

  for (i = 0; i < 100; i++)
    row_add_call (trace, "send", 0, i * (is_near_miss ? 3 * MS : MS), 40);
  socket = g_array_index (trace->calls, NsCallRow, 0).winsock;
  NS_ROW_AT (trace->winsock, NsWinsockRow, socket)->send_stack =
      ns_stacks_add (trace->stacks, PID, frames, G_N_ELEMENTS (frames));
}

/* WinINet requests that are all challenged with 401 and then repeated; in the near miss only the
 * first two are. */
static void
make_d28_wininet (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < 8; i++)
    {
      NsActivityRow *row =
          row_add_request (trace, "https://host.test/ews", 200, i * SECOND, 100 * MS);
      NsWininetRow *request = test_trace_add (trace->wininet);

      row->webio = 0;
      row->wininet = trace->wininet->len;
      row->connection = 1;
      request->request = 0x100 + i;
      request->connect = 0x200 + i;
      request->pid = PID;
      request->open_ns = row->open_ns;
      request->close_ns = row->close_ns;
      request->activity = trace->activities->len;
      if (!is_near_miss || i < 2)
        row_add_sign (trace, NS_SIGN_WININET, 203, i * SECOND + 20 * MS, 401)->key = 0x100 + i;
      row_add_sign (trace, NS_SIGN_WININET, 203, i * SECOND + 70 * MS, 200)->key = 0x100 + i;
    }
}

/* The Location header may be relative to the URL of the request. */
static void
make_d31_relative (NsTrace *trace, gboolean is_near_miss)
{
  static const struct
  {
    const char *url;
    const char *where;
  } hops[] = {
    { "https://host.test/a/b/start?x=1", "../second" },
    { "https://host.test/a/second", "/third?y=2#top" },
    { "https://host.test/third?y=2", "//other.test:443/" },
    { "https://OTHER.test", NULL },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (hops); i++)
    {
      guint status = hops[i].where != NULL ? 302 : 200;
      NsWebioRow *webio = add_webio (trace, status, i * 100 * MS, 50 * MS);
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      webio->url = row->url = row_text (trace, hops[i].url);
      webio->request = 0x100 + i;
      if (hops[i].where != NULL)
        {
          NsSign *sign = row_add_sign (trace, NS_SIGN_WEBIO, 101, i * 100 * MS + 40 * MS, status);

          sign->key = 0x100 + i;
          sign->name = row_text (trace, is_near_miss && i == 1 ? "third" : hops[i].where);
        }
    }
}

static NsActivityRow *
add_of_browser (NsTrace *trace, gint64 open_ns, gint64 length_ns)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/a", 200, open_ns, length_ns);

  row->protocol = row->layers = NS_LAYER_CHROMIUM;
  row->source_table = NS_TABLE_CHROMIUM;
  row->webio = 0;
  return row;
}

static void
make_d34_chromium (NsTrace *trace, gboolean is_near_miss)
{
  add_of_browser (trace, 0, SECOND);
  add_of_browser (trace, MS, is_near_miss ? 5 * MS : SECOND);
  test_phases (add_of_browser (trace, 10 * MS, SECOND))[NS_PHASE_QUEUE] = 150 * MS;
}

static NsActivityRow *
add_of_wininet (NsTrace *trace, gint64 open_ns, gint64 length_ns)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/a", 200, open_ns, length_ns);

  row->protocol = row->layers = NS_LAYER_WININET;
  row->source_table = NS_TABLE_WININET;
  row->webio = 0;
  test_trace_add (trace->wininet);
  row->wininet = trace->wininet->len;
  return row;
}

static void
make_d34_wininet (NsTrace *trace, gboolean is_near_miss)
{
  add_of_wininet (trace, 0, SECOND);
  add_of_wininet (trace, MS, is_near_miss ? 5 * MS : SECOND);
  test_phases (add_of_wininet (trace, 10 * MS, SECOND))[NS_PHASE_QUEUE] = 150 * MS;
}

static void
make_d35_webio (NsTrace *trace, gboolean is_near_miss)
{
  NsWebioRow *webio = add_webio (trace, 200, 0, 3 * SECOND);
  NsWebioConn *conns = ns_arena_alloc (trace->arena, 2 * sizeof (NsWebioConn));

  conns[0].remote = row_end (trace, "[2001:db8::1]:443");
  conns[0].stop_ns = is_near_miss ? 240 * MS : 2 * SECOND;
  conns[0].error = 10060;
  conns[1].remote = row_end (trace, "192.0.2.1:443");
  conns[1].start_ns = is_near_miss ? 240 * MS : 2 * SECOND;
  conns[1].stop_ns = conns[1].start_ns + 20 * MS;
  webio->conns = conns;
  webio->n_conns = 2;
}

static void
make_d35_afd (NsTrace *trace, gboolean is_near_miss)
{
  NsCallRow *call = row_add_call (trace, "connect", 0xc00000b5, 0, 0);

  g_array_index (trace->winsock, NsWinsockRow, 0).server = row_text (trace, "host.test");
  call->remote = row_endpoint ("[2001:db8::1]:443");
  call->close_ns = is_near_miss ? 200 * MS : 2 * SECOND;
  row_add_call (trace, "connect", 0, is_near_miss ? 249 * MS : 2 * SECOND, 0);
}

static void
make_d36_1183 (NsTrace *trace, gboolean is_near_miss)
{
  add_open (trace, NS_TCP_CONNECT_REQUEST)->remote = row_end (trace, "[::1]:8080");
  add_sign_of_tcp (trace, 1183, is_near_miss ? 399 * MS : 400 * MS, 0);
}

/* Sent after a long idle time, and reset by a peer that no longer knows the connection. */
static void
make_d40_reset (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "send", 0, 0, 100);
  row_add_call (trace, "recv", 0, SECOND, 100);
  row_add_call (trace, "send", 0, is_near_miss ? 60 * SECOND : 62 * SECOND, 100);
  row_add_call (trace, "recv", 0xc000020d, 63 * SECOND, 0);
}

static void
make_d41_1006 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_sign (trace, NS_SIGN_TCPIP, is_near_miss ? 1035 : 1006, SECOND, 0xc0000209)->local =
      row_end (trace, "192.0.2.7:8080");
}

/* A service that is started twice may bind once only. */
static void
make_d41_used (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "bind", is_near_miss ? 0 : 0xc000020a, 0, 0)->remote =
      row_endpoint ("0.0.0.0:8080");
}

static void
make_d41_afd (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "connect", is_near_miss ? 0xc0000236 : 0xc0000207, 0, 0);
}

static void
make_d41_many (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < (is_near_miss ? 13106u : 13107u); i++)
    row_add_tcp (trace, "192.0.2.1:443", 0, i * MS, MS)->activity = 0;
}

#define P NS_SEVERITY_PROBLEM
#define W NS_SEVERITY_WARNING
#define I NS_SEVERITY_INFO

static const struct
{
  const char *evidence;
  FindingClaim claim;
} claims[] = {
  { "1001", { "D01", make_d01_getaddrinfo, W, 300 * MS, "resolving host.test took up to 300 ms" } },
  { "1015", { "D02", make_d02_given_up, W, 0, "the name server 10.0.0.1 did not answer" } },
  { "1014", { "D03", make_d03_1014, P, 0, "no DNS server answered for host.test" } },
  { "servers", { "D03", make_d03_servers, P, 12 * SECOND, "12.00 s, 10.0.0.1, 10.0.0.2 among" } },
  { "any-moment",
    { "D04", make_d04_any_moment, W, 10 * MS, "srv.a.test, srv.b.a.test, which took" } },
  { "failing", { "D04", make_d04_failing, W, 15 * MS, "3 names that do not exist" } },
  { "9002", { "D06", make_d06_failure, W, 20 * MS, "the IPv6 query (AAAA) for host.test" } },
  { "afd", { "D08", make_d08_afd, P, MS / 5, "2 connects to 192.0.2.1:443 failed: the host is" } },
  { "webio", { "D08", make_d08_webio, P, 20 * MS, "2 connects to host.test (192.0.2.1:443)" } },
  { "afd", { "D09", make_d09_afd, P, 21 * SECOND, "192.0.2.1:443 did not answer within 21.00 s" } },
  { "given-up", { "D09", make_d09_given_up, P, 25 * SECOND, "did not answer within 25.00 s" } },
  { "webio", { "D09", make_d09_webio, P, 21 * SECOND, "did not answer within 21.00 s" } },
  { "1045", { "D09", make_d09_1045, P, 21 * SECOND, "did not answer within 21.00 s" } },
  { "silence", { "D09", make_d09_silence, P, 20 * SECOND, "did not answer within 20.00 s" } },
  { "1477", { "D10", make_d10_summary, W, 0, "the first SYN to host.test got no answer" } },
  { "1183", { "D11", make_d11_1183, W, 30 * MS, "host.test (192.0.2.1:443) refused" } },
  { "afd", { "D11", make_d11_afd, W, MS / 10, "192.0.2.1:443 refused the connection" } },
  { "loopback", { "D11", make_d11_loopback, W, MS / 10, "127.0.0.1:8080 refused the connection" } },
  { "webio", { "D11", make_d11_webio, W, 30 * MS, "host.test (192.0.2.1:443) refused" } },
  { "1184", { "D12", make_d12_1184, W, SECOND, "reset the connection while data was unanswered" } },
  { "1044", { "D12", make_d12_1044, W, SECOND, "reset the connection while data was unanswered" } },
  { "1039", { "D12", make_d12_1039, W, SECOND, "reset the connection while data was unanswered" } },
  { "afd", { "D12", make_d12_afd, W, MS / 10, "reset the connection while data was unanswered" } },
  { "webio", { "D12", make_d12_webio, P, SECOND, "reset the connection before the response" } },
  { "135", { "D12", make_d12_135, P, SECOND, "reset the connection before the response arrived" } },
  { "webio",
    { "D13", make_d13_webio, P, SECOND, "443) closed the connection after 60 of 100 ann" } },
  { "aborted",
    { "D13", make_d13_aborted, P, SECOND + MS / 10, "aborted on this machine after 60 of 100" } },
  { "afd",
    { "D13", make_d13_abort, P, SECOND + MS / 10, "aborted on this machine after 60 of 100" } },
  { "1039", { "D13", make_d13_1039, P, SECOND, "aborted on this machine after 60 of 100 an" } },
  { "wininet",
    { "D13", make_d13_wininet, P, SECOND + MS / 10, "closed the connection after 60 of 100 ann" } },
  { "chromium",
    { "D13", make_d13_chromium, P, SECOND, "after 60 bytes, before the response was" } },
  { "1046", { "D14", make_d14_1046, P, 8 * SECOND, "after 8.00 s without a reply" } },
  { "1047", { "D14", make_d14_1047, P, 8 * SECOND, "after 8.00 s without a reply" } },
  { "1048", { "D14", make_d14_1048, P, 8 * SECOND, "after 8.00 s without a reply" } },
  { "1044", { "D14", make_d14_1044, P, 8 * SECOND, "after 8.00 s without a reply" } },
  { "afd", { "D14", make_d14_afd, P, 8 * SECOND, "after 8.00 s without a reply" } },
  { "1020", { "D15", make_d15_1020, P, 5 * MS, "host.test (192.0.2.1:443) was not allowed" } },
  { "1035", { "D15", make_d15_1035, P, 5 * MS, "host.test (192.0.2.1:443) was not allowed" } },
  { "1454", { "D15", make_d15_1454, P, 0, "was not allowed on this machine" } },
  { "wfp",
    { "D15",
      make_d15_wfp,
      P,
      0,
      "192.0.2.1:443 was blocked on this machine by filter 70211 in layer" } },
  { "wfp-inbound",
    { "D15",
      make_d15_inbound,
      I,
      0,
      "incoming traffic from 192.0.2.1:443 was blocked on this machine by filter 70211" } },
  { "1021", { "D16", make_d16_1021, P, MS, "no route to host.test (192.0.2.1:443)" } },
  { "afd", { "D16", make_d16_afd, P, MS / 10, "no route to 192.0.2.1:443" } },
  { "1130", { "D16", make_d16_down, P, MS / 10, "interface 7 went down; connects to 192.0.2.1" } },
  { "1477",
    { "D17", make_d17_summary, P, 0, "60 of 1000 segments to host.test were retransmitted" } },
  { "1200", { "D18", make_d18_1200, P, 8 * SECOND, "accepted no data for up to 8.00 s" } },
  { "1332", { "D19", make_d19_flights, W, 0, "30 % of the data sent to host.test (192.0.2.1:4" } },
  { "1477",
    { "D19", make_d19_summary, W, 6 * SECOND, "60 % of its time, for the congestion window" } },
  { "1085",
    { "D20",
      make_d20_1085,
      W,
      SECOND,
      "segments of 1460 bytes were lost on the path to host.test" } },
  { "1086", { "D20", make_d20_1086, P, SECOND, "segments of 1460 bytes were apparently lost" } },
  { "1351",
    { "D20", make_d20_again, W, SECOND, "segments of 1400 bytes to host.test (192.0.2.1:4" } },
  { "1214", { "D21", make_d21_1214, W, 0, "Windows dropped 10 packets of 192.0.2.7:5353" } },
  { "peers", { "D21", make_d21_peers, W, 0, "dropped 10 packets of 192.0.2.1:500 and others" } },
  { "1190", { "D21", make_d21_1190, W, 0, "Windows dropped 10 packets of 192.0.2.7:5353" } },
  { "1215", { "D21", make_d21_1215, W, 0, "Windows dropped 10 packets of 192.0.2.7:5353" } },
  { "1423", { "D21", make_d21_1423, W, 0, "Windows dropped 10 packets of 192.0.2.7:5353" } },
  { "1478", { "D21", make_d21_1478, W, 0, "Windows dropped 10 packets of 192.0.2.7:5353" } },
  { "afd", { "D21", make_d21_afd, W, 0, "Windows dropped 10 packets of 192.0.2.7:5353" } },
  { "segments", { "D22", make_d22_segments, W, 0, "99 of 100 sends to 192.0.2.1:443 had 40" } },
  { "stack", { "D22", make_d22_stack, W, 0, "in direct succession, from 0x7ff700001000" } },
  { "wininet", { "D28", make_d28_wininet, W, 400 * MS, "requested authentication 8 times" } },
  { "relative", { "D31", make_d31_relative, W, 150 * MS, "3 redirects took 150 ms" } },
  { "afd",
    { "D43", make_d43_afd, W, SECOND + 500 * MS, "192.0.2.1:443 took up to 1.50 s to send" } },
  { "chromium",
    { "D34", make_d34_chromium, W, 150 * MS, "waited up to 150 ms while its other conn" } },
  { "wininet",
    { "D34", make_d34_wininet, W, 150 * MS, "waited up to 150 ms while its other conn" } },
  { "webio",
    { "D35",
      make_d35_webio,
      W,
      2 * SECOND,
      "up to 2.00 s was spent on connecting to 2001:db8::1," } },
  { "afd",
    { "D35",
      make_d35_afd,
      W,
      2 * SECOND,
      "up to 2.00 s was spent on connecting to 2001:db8::1," } },
  { "1183", { "D36", make_d36_1183, W, 400 * MS, "Windows tried for 400 ms" } },
  { "afd",
    { "D40", make_d40_reset, W, SECOND + MS / 10, "without traffic the connection to 192" } },
  { "1006", { "D41", make_d41_1006, P, 0, "no local port or buffer was left 192.0.2.7:8080" } },
  { "bind", { "D41", make_d41_used, I, MS / 10, "the local address 0.0.0.0:8080 was in use" } },
  { "afd", { "D41", make_d41_afd, P, MS / 10, "no local port or buffer was left" } },
  { "many", { "D41", make_d41_many, P, 0, "13107 connections to 192.0.2.1:443" } },
};

/* The summary event of a connection describes its whole lifetime, so it is evidence, however many
 * other events the connection has. */
static void
test_summaries_are_evidence (void)
{
  static const struct
  {
    const char *rule;
    void (*make) (NsTrace *trace, gboolean is_near_miss);
  } rules[] = { { "D17", make_d17_summary }, { "D19", make_d19_summary } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      NsTrace *trace = test_trace_new (600 * SECOND);
      const NsFindingRow *row;
      NsSign *sign;

      rules[i].make (trace, FALSE);
      sign = row_add_sign (trace, NS_SIGN_TCPIP, 1477, 10 * SECOND, 0);
      sign->tcp = 1;
      row = finding_of (trace, rules[i].rule);
      g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
      g_assert_cmpuint (row->marks->len, ==, 1);
      g_assert_cmpuint (g_array_index (row->marks, guint32, 0), ==, sign->event);
      test_trace_free (trace);
    }
}

/* The text names missing events by ID, and the keyword and level that enable them where one setting
 * does. */
static void
test_what_was_not_recorded_is_named (void)
{
  static const struct
  {
    const char *rule;
    const char *needs[4];
  } rules[] = {
    { "D01", { "DNS-Client 3008 (level 4)", "Winsock-NameResolution 1001 (level 4)" } },
    { "D02", { "DNS-Client 3010, 3011, 1015 (level 4)" } },
    { "D03", { "DNS-Client 3008, 1013, 1014" } },
    { "D04", { "DNS-Client 3008 (level 4)" } },
    { "D05", { "DNS-Client 3009, 3010, 3011 (level 4)" } },
    { "D06", { "DNS-Client 3008 (level 4)" } },
    { "D07", { "DNS-Client 3008 (level 4)" } },
    { "D08", { "AFD 1018, 1021 (level 4, keyword 0x4)", "TCPIP 1034", "WebIO 202" } },
    { "D09",
      { "AFD 1018, 1021", "TCPIP 1034, 1002, 1045", "WebIO 202", "NDIS-PacketCapture 1001" } },
    { "D10", { "TCPIP 1186, 1477", "NDIS-PacketCapture 1001" } },
    { "D11", { "AFD 1018, 1021", "TCPIP 1034, 1183", "WebIO 202" } },
    { "D12", { "AFD 1003, 1004", "TCPIP 1184, 1044", "WebIO 216", "NDIS-PacketCapture 1001" } },
    { "D13", { "AFD 1004", "WebIO 101, 216", "WinINet 203, 1008" } },
    { "D14", { "TCPIP 1044, 1046", "AFD 1004" } },
    { "D15", { "AFD 1018, 1021", "TCPIP 1020", "WFP 1001 (level 4, keyword 0x10000000000)" } },
    { "D16", { "AFD 1018, 1021", "TCPIP 1021" } },
    { "D17", { "TCPIP 1187, 1351, 1077, 1477, 1352", "NDIS-PacketCapture 1001" } },
    { "D18", { "TCPIP 1102, 1200", "NDIS-PacketCapture 1001" } },
    { "D19", { "TCPIP 1477, 1352, 1332" } },
    { "D20", { "TCPIP 1084, 1332, 1187" } },
    { "D21", { "TCPIP 1214 (level 4, keyword 0x10000000000)", "AFD 1033", "PktMon" } },
    { "D22", { "AFD 1003 (level 4, keyword 0x4)" } },
    { "D23", { "TCPIP 1159, 1332 (level 4, keyword 0x100000000)" } },
    { "D35", { "AFD 1018, 1021", "TCPIP 1002, 1033", "WebIO 200" } },
    { "D36", { "AFD 1018, 1021", "TCPIP 1034, 1183", "WebIO 202" } },
    { "D40", { "TCPIP 1187, 1184", "AFD 1004" } },
    { "D41", { "AFD 1030, 1021", "TCPIP 1050, 1006" } },
  };
  NsTrace *trace = test_trace_new (600 * SECOND);
  guint i;
  guint j;

  for (i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      const NsFindingRow *row = finding_of (trace, rules[i].rule);

      g_assert_cmpint (row->verdict, ==, NS_VERDICT_UNJUDGED);
      for (j = 0; j < G_N_ELEMENTS (rules[i].needs) && rules[i].needs[j] != NULL; j++)
        if (strstr (row->text, rules[i].needs[j]) == NULL)
          g_error ("%s says: %s", row->rule, row->text);
    }
  test_trace_free (trace);
}

/* An operation that is pending at the end of the trace may still succeed. */
static void
test_what_the_trace_ends_in_is_not_judged (void)
{
  NsTrace *trace = test_trace_new (60 * SECOND);
  const NsFindingRow *row;

  add_open (trace, NS_TCP_CONNECT_REQUEST);
  row_record_all (trace);
  row = finding_of (trace, "D09");
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_UNJUDGED);
  g_assert_cmpstr (g_ptr_array_index (row->needs, 0), ==, "a longer trace");
  test_trace_free (trace);
}

/* A failure that lasts until the end of the trace has a lower confidence. */
static void
test_what_reaches_the_end_is_less_sure (void)
{
  static const struct
  {
    gint64 end_ns;
    NsFindingTrust trust;
  } ends[] = { { 60 * SECOND, NS_FINDING_HIGH }, { 21 * SECOND, NS_FINDING_MEDIUM } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      NsTrace *trace = test_trace_new (ends[i].end_ns);

      make_d09_webio (trace, FALSE);
      g_assert_cmpint (finding_of (trace, "D09")->trust, ==, ends[i].trust);
      test_trace_free (trace);
    }
}

/* Events lost during a failure lower its confidence; losses before and after do not. */
static void
test_losses_count_where_they_were (void)
{
  static const struct
  {
    gint64 lost_ns;
    NsFindingTrust trust;
    NsVerdict silence;
  } losses[] = {
    { 10 * SECOND, NS_FINDING_MEDIUM, NS_VERDICT_UNJUDGED },
    { 100 * SECOND, NS_FINDING_HIGH, NS_VERDICT_FOUND },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (losses); i++)
    {
      NsTrace *trace = test_trace_new (600 * SECOND);
      const NsFindingRow *row;

      make_d09_webio (trace, FALSE);
      row_add_sign (trace, NS_SIGN_LOST, 32, losses[i].lost_ns, 0);
      g_assert_cmpint (finding_of (trace, "D09")->trust, ==, losses[i].trust);
      g_assert_cmpint (finding_of (trace, "D44")->trust, ==, NS_FINDING_HIGH);
      test_trace_free (trace);

      /* "No response" is reported only if no events are missing. */
      trace = test_trace_new (600 * SECOND);
      make_d09_silence (trace, FALSE);
      row_record_all (trace);
      row_add_sign (trace, NS_SIGN_LOST, 32, losses[i].lost_ns, 0);
      row = finding_of (trace, "D09");
      g_assert_cmpint (row->verdict, ==, losses[i].silence);
      if (row->verdict == NS_VERDICT_UNJUDGED)
        g_assert_cmpstr (g_ptr_array_index (row->needs, 0), ==, "a trace without lost events");
      test_trace_free (trace);
    }
}

/* If no event represents the failure itself, its first and last events are evidence, unless several
 * events have the same time. */
static void
test_a_span_has_its_ends_as_evidence (void)
{
  static const gint64 times[] = { 0, 100 * MS, 300 * MS, 500 * MS };
  const NsRecordRef ref = { 0 };
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (times); i++)
    ns_trace_add_event (trace, ref, times[i], 0, 0);
  make_d01_getaddrinfo (trace, FALSE);
  row = finding_of (trace, "D01");
  g_assert_cmpuint (row->marks->len, ==, 2);
  g_assert_cmpuint (g_array_index (row->marks, guint32, 0), ==, 0);
  g_assert_cmpuint (g_array_index (row->marks, guint32, 1), ==, 2);
  test_trace_free (trace);

  trace = test_trace_new (600 * SECOND);
  ns_trace_add_event (trace, ref, 0, 0, 0);
  ns_trace_add_event (trace, ref, 300 * MS, 0, 0);
  ns_trace_add_event (trace, ref, 300 * MS, 0, 0);
  make_d01_getaddrinfo (trace, FALSE);
  g_assert_cmpuint (finding_of (trace, "D01")->marks->len, ==, 1);
  test_trace_free (trace);
}

/* A rule has one verdict: "found" takes precedence, even if other rows could not be judged. */
static void
test_a_rule_has_one_verdict (void)
{
  NsTrace *trace = test_trace_new (60 * SECOND);

  make_d09_silence (trace, FALSE);
  add_open (trace, NS_TCP_CONNECT_REQUEST)->remote = row_end (trace, "192.0.2.9:80");
  g_assert_cmpint (finding_of (trace, "D09")->verdict, ==, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

/* Drops of multicast packets are outside the rule, but are mentioned. */
static void
test_drops_for_many_are_told_apart (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  make_d21_1214 (trace, TRUE);
  row_record_all (trace);
  g_assert_nonnull (strstr (finding_of (trace, "D21")->text, "multicast and broadcast"));
  g_assert_nonnull (strstr (finding_of (trace, "D21")->text, ": 500."));
  test_trace_free (trace);
  trace = test_trace_new (600 * SECOND);
  make_d21_1214 (trace, FALSE);
  g_assert_nonnull (strstr (finding_of (trace, "D21")->text, ": 500."));
  g_assert_cmpuint (finding_of (trace, "D21")->count, ==, 10);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  guint i;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  for (i = 0; i < G_N_ELEMENTS (claims); i++)
    finding_claim_add (&claims[i].claim, claims[i].evidence);
  g_test_add_func ("/findings/summaries-are-evidence", test_summaries_are_evidence);
  g_test_add_func ("/findings/what-was-not-recorded-is-named", test_what_was_not_recorded_is_named);
  g_test_add_func ("/findings/what-the-trace-ends-in-is-not-judged",
                   test_what_the_trace_ends_in_is_not_judged);
  g_test_add_func ("/findings/what-reaches-the-end-is-less-sure",
                   test_what_reaches_the_end_is_less_sure);
  g_test_add_func ("/findings/losses-count-where-they-were", test_losses_count_where_they_were);
  g_test_add_func ("/findings/a-span-has-its-ends-as-evidence",
                   test_a_span_has_its_ends_as_evidence);
  g_test_add_func ("/findings/a-rule-has-one-verdict", test_a_rule_has_one_verdict);
  g_test_add_func ("/findings/drops-for-many-are-told-apart", test_drops_for_many_are_told_apart);
  return g_test_run ();
}
