/* Tests rules for the layers below a request: DNS servers, TCP windows, socket calls, certificates,
 * the machine itself.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/winsock/ns-call-lives.h"
#include "engine/trace/ns-trace-lookup.h"
#include "finding-claims.h"

#include <string.h>

#define PID FINDING_PID

/* Adds an event type of a provider, which some rules need for a verdict. */
static void
add_event (NsTrace *trace, const char *provider, guint16 id)
{
  NsProviderRow *row = test_trace_add (trace->providers);
  NsKindRow *kind = test_trace_add (trace->kinds);

  row->name = row_text (trace, provider);
  row->n_events = 1;
  kind->provider = trace->providers->len - 1;
  kind->id = id;
  kind->n_events = 1;
}

/* Adds a DNS server that responds after @took_ns; a negative value means never. */
static void
add_server (NsTrace *trace,
            NsDnsRow *row,
            const char *address,
            const char *adapter,
            gint64 asked_ns,
            gint64 took_ns)
{
  NsDnsServer server = { .address = row_text (trace, address),
                         .adapter = row_text (trace, adapter),
                         .asked_ns = asked_ns,
                         .answered_ns = took_ns < 0 ? NS_TIME_NONE : asked_ns + took_ns,
                         .timed_out_ns = NS_TIME_NONE };

  if (row->servers == NULL)
    row->servers = g_array_new (FALSE, FALSE, sizeof server);
  g_array_append_val (row->servers, server);
}

/* Near miss: servers that are queried simultaneously do not delay each other. */
static void
make_d02 (NsTrace *trace, gboolean is_near_miss)
{
  NsDnsRow *row = row_add_name (trace, "host.test", 0, 0, 2 * SECOND);

  add_event (trace, "Microsoft-Windows-DNS-Client", 3010);
  add_server (trace, row, "10.0.0.1", "LAN", 0, -1);
  add_server (trace, row, "10.0.0.2", "LAN", is_near_miss ? 50 * MS : SECOND, 20 * MS);
}

static void
make_d05 (NsTrace *trace, gboolean is_near_miss)
{
  NsDnsRow *row = row_add_name (trace, "host.test", 0, 0, is_near_miss ? 519 * MS : 520 * MS);

  add_event (trace, "Microsoft-Windows-DNS-Client", 3010);
  add_server (trace, row, "10.0.0.1", "LAN", 0, 20 * MS);
  add_server (trace, row, "172.16.0.1", "VPN", 0, -1);
}

/* Near miss: programs also receive 0 bytes to wait for data. */
static void
make_d13 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 0, 0, SECOND);

  row->failed = TRUE;
  row->winsock = 1;
  row->remote = row_end (trace, "192.0.2.1:443");
  row_add_call (trace, "recv", 0, SECOND - MS, 0);
  if (is_near_miss)
    row_add_call (trace, "recv", 0, SECOND - MS / 2, 100)->ret = 100;
}

static NsTcpAnomaly *
add_anomaly (NsTrace *trace)
{
  NsTcpAnomaly *anomaly;

  row_add_tcp (trace, "192.0.2.1:443", 0, SECOND, 20 * SECOND);
  anomaly = test_trace_add (trace->tcp_anomalies);
  anomaly->tcp = trace->tcp->len;
  anomaly->held_from_ns = SECOND;
  anomaly->flow = &ns_tcp_flow_none;
  return anomaly;
}

static NsTcpFlow *
add_flow (NsTrace *trace)
{
  NsTcpAnomaly *anomaly = add_anomaly (trace);
  NsTcpFlow *flow = ns_arena_new0 (trace->arena, NsTcpFlow);

  flow->zero_from_ns = flow->black_hole_from_ns = SECOND;
  anomaly->flow = flow;
  return flow;
}

static void
make_d18 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace);

  flow->n_zero_windows = 2;
  flow->zero_window_ns = is_near_miss ? 199 * MS : 200 * MS;
}

static void
make_d19 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace);

  add_event (trace, "Microsoft-Windows-TCPIP", 1477);
  g_array_index (trace->tcp, NsTcpRow, 0).sent = 2 << 20;
  flow->receiver_ns = is_near_miss ? 2900 * MS : 3 * SECOND;
  flow->sender_ns = 7 * SECOND;
}

static void
make_d20 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpFlow *flow = add_flow (trace);

  flow->n_black_holes = !is_near_miss;
  flow->segment_bytes = is_near_miss ? 0 : 1460;
  flow->black_hole_to_ns = 3 * SECOND;
}

/* Ten drops for one reason on unrecorded connections. Near miss: one of the frames was addressed to
 * another machine, which leaves fewer than ten. */
static void
make_d21 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  add_event (trace, "Microsoft-Windows-PktMon", 60);
  for (i = 0; i < 10; i++)
    {
      NsPacketRow *packet = test_trace_add (trace->packets);

      packet->time_ns = i * MS;
      test_trace_drop_packet (trace, packet, "InspectionDrop", is_near_miss && i == 0 ? 0x386 : 8);
    }
}

static void
make_d23 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpAnomaly *anomaly = add_anomaly (trace);

  add_event (trace, "Microsoft-Windows-TCPIP", 1159);
  test_extra (&g_array_index (trace->tcp, NsTcpRow, 0))->rtt_us = is_near_miss ? 30000 : 20000;
  anomaly->n_held = 5;
  anomaly->held_ns = 5 * 45 * MS;
}

static void
make_d25 (NsTrace *trace, gboolean is_near_miss)
{
  test_phases (row_add_request (trace, "https://host.test/", 200, 0, 3 * SECOND))[NS_PHASE_TLS] =
      500 * MS;
  row_add_request (trace,
                   "http://crl.test/root.crl",
                   0,
                   100 * MS,
                   is_near_miss ? 199 * MS : 400 * MS);
}

/* Near miss: an unreachable revocation server, which is another finding. */
static void
make_d26 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 0, 0, 80 * MS);

  row->error = is_near_miss ? 12029 : 12175;
  row->error_family = NS_CODE_WIN32;
}

static void
make_d27 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, SECOND);

  test_phases (row)[NS_PHASE_PROXY] = is_near_miss ? 99 * MS : 100 * MS;
}

/* Near miss: the client has a receive pending. */
static void
make_d29 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, 4 * SECOND);

  row->winsock = 1;
  row_add_call (trace, "send", 0, 100 * MS, 100)->close_ns = 200 * MS;
  if (is_near_miss)
    row_add_call (trace, "recv", 0, 300 * MS, 100)->close_ns = 2200 * MS;
  row_add_call (trace, "recv", 0, 2200 * MS, 100)->close_ns = 2300 * MS;
}

/* The caller is below a function in user32.dll; in the near miss it is not. */
static void
make_d38 (NsTrace *trace, gboolean is_near_miss)
{
  const guint64 frames[] = { 0x7ff800001000, is_near_miss ? 0x7ff800002000 : 0x7ff810001000 };
  static const struct
  {
    const char *name;
    guint64 base;
  } images[] = { { "app.exe", 0x7ff800000000 }, { "user32.dll", 0x7ff810000000 } };
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, SECOND);
  guint i;

  add_event (trace, "Microsoft-Windows-Winsock-NameResolution", 1000);
  for (i = 0; i < G_N_ELEMENTS (images); i++)
    {
      NsImageRow *image = test_trace_add (trace->images);

      image->pid = PID;
      image->name = row_text (trace, images[i].name);
      image->base = images[i].base;
      image->size = 0x100000;
      image->before_trace = TRUE;
      image->unload_ns = NS_TIME_OPEN;
    }
  ns_trace_index_images (trace);
  row->stack = ns_stacks_add (trace->stacks, PID, frames, G_N_ELEMENTS (frames));
  row->stack_tid = 7;
  row_add_call (trace, "getaddrinfo", 0, 0, 0)->close_ns = 250 * MS;
  g_array_index (trace->calls, NsCallRow, 0).tid = 7;
}

/* Near miss: a trace with few events has such gaps anyway. */
static void
make_d46 (NsTrace *trace, gboolean is_near_miss)
{
  NsTimeSpan *silence = test_trace_add (trace->silences);

  *silence = (NsTimeSpan){ 10 * SECOND, 16 * SECOND };
  trace->n_loud_seconds = is_near_miss ? 500 : 594;
  row_add_tcp (trace, "192.0.2.1:443", 0xc0000236, 16 * SECOND, 30 * MS);
}

static const FindingClaim claims[] = {
  { "D02",
    make_d02,
    NS_SEVERITY_PROBLEM,
    SECOND,
    "10.0.0.1 (LAN) did not answer; it took up to 1.00 s" },
  { "D05",
    make_d05,
    NS_SEVERITY_WARNING,
    500 * MS,
    "Windows waited for the DNS servers of adapter VPN" },
  { "D13", make_d13, NS_SEVERITY_PROBLEM, SECOND - MS + MS / 10, "closed the connection before" },
  { "D18", make_d18, NS_SEVERITY_WARNING, 200 * MS, "accepted no data for up to 200 ms" },
  { "D19",
    make_d19,
    NS_SEVERITY_WARNING,
    3 * SECOND,
    "3.00 s, 30 % of its time, for the receive window" },
  { "D20",
    make_d20,
    NS_SEVERITY_WARNING,
    2 * SECOND,
    "segments of 1460 bytes were apparently lost" },
  { "D21", make_d21, NS_SEVERITY_WARNING, 0, "Windows dropped 10 packets: InspectionDrop" },
  { "D23", make_d23, NS_SEVERITY_WARNING, 225 * MS, "waited about 45 ms each" },
  { "D25", make_d25, NS_SEVERITY_WARNING, 400 * MS, "certificate retrieval from host.test" },
  { "D26", make_d26, NS_SEVERITY_PROBLEM, 80 * MS, "TLS with host.test failed: " },
  { "D27", make_d27, NS_SEVERITY_WARNING, 100 * MS, "up to 100 ms was spent on proxy detection" },
  { "D29", make_d29, NS_SEVERITY_WARNING, 2 * SECOND, "neither sent data nor waited" },
  { "D38", make_d38, NS_SEVERITY_WARNING, 250 * MS, "was in getaddrinfo for up to 250 ms" },
  { "D46", make_d46, NS_SEVERITY_WARNING, 6 * SECOND, "failed right after it: 1" },
};

/* Adds socket calls in order: `what@endpoint`, with `!` before failed ones. */
static void
add_lives (NsTrace *trace, const char *story)
{
  g_auto (GStrv) words = g_strsplit (story, " ", -1);
  guint i;

  for (i = 0; words[i] != NULL; i++)
    {
      gboolean has_failed = words[i][0] == '!';
      g_auto (GStrv) parts = g_strsplit (words[i] + has_failed, "@", 2);
      NsCallRow *call = row_add_call (trace, parts[0], 0, i * MS, 0);

      call->endpoint = g_ascii_strtoull (parts[1], NULL, 16);
      call->status = has_failed ? 0xc0000022 : 0;
      call->winsock = 0;
    }
  ns_call_lives_mark (trace->calls);
}

static char *
lives_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      const char *life = ns_call_violation_to_text ((NsCallViolation) call->violation);

      if (life != NULL)
        g_string_append_printf (text, "%u %s: %s; ", i, ns_call_kind_to_text (call->kind), life);
    }
  return g_string_free (text, FALSE);
}

static void
test_the_life_of_a_socket_has_an_order (void)
{
  static const struct
  {
    const char *story;
    const char *told;
  } claims_of_lives[] = {
    { "socket@a bind@a connect@a send@a close@a", "" },
    { "socket@a bind@a listen@a accept@a close@a", "" },
    /* The endpoint address is reused for another socket. */
    { "socket@a connect@a close@a socket@a connect@a close@a", "" },
    /* The socket was created before the trace. */
    { "close@a socket@b sendto@b close@b", "" },
    { "socket@a close@a", "1 close: closed unused; " },
    { "socket@a bind@a close@a", "2 close: closed unused; " },
    { "socket@a connect@a", "0 socket: never closed; " },
    { "socket@a connect@a close@a connect@a", "3 connect: after close; " },
    { "socket@a !bind@a connect@a close@a", "1 bind: bind failed; " },
    { "socket@a listen@a close@a", "1 listen: listens unbound; " },
    { "!socket@a", "" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (claims_of_lives); i++)
    {
      NsTrace *trace = test_trace_new (SECOND);
      g_autofree char *told = NULL;

      add_lives (trace, claims_of_lives[i].story);
      told = lives_text (trace);
      g_assert_cmpstr (told, ==, claims_of_lives[i].told);
      test_trace_free (trace);
    }
}

static void
test_a_socket_used_after_its_close_is_found (void)
{
  NsTrace *trace = test_trace_new (SECOND);
  const NsFindingRow *row;

  add_lives (trace, "socket@a connect@a close@a connect@a");
  row = finding_of (trace, "D33");
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  g_assert_nonnull (strstr (row->text, "used after they had been closed"));
  g_assert_cmpuint (row->refs->len, ==, 1);
  test_trace_free (trace);
  trace = test_trace_new (SECOND);
  add_lives (trace, "socket@a connect@a close@a socket@a connect@a close@a");
  row_record_all (trace);
  g_assert_cmpint (finding_of (trace, "D33")->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

/* Sockets that never had a peer have no row in the socket table, but can leak. */
static void
test_unconnected_sockets_leak_as_well (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  guint i;

  for (i = 0; i < 60; i++)
    {
      g_autofree char *story = g_strdup_printf ("socket@%x", 0x1000 + i);

      add_lives (trace, story);
      g_array_index (trace->calls, NsCallRow, i).open_ns = i * 10 * SECOND;
    }
  g_assert_nonnull (strstr (finding_of (trace, "D33")->text, "opened 60 sockets and closed 0;"));
  test_trace_free (trace);
}

/* If the reason of a slow name lookup is a finding, the slow lookup itself is not reported
 * again. */
static void
test_a_slow_name_is_told_once (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  make_d02 (trace, FALSE);
  row_record_all (trace);
  g_assert_cmpint (finding_of (trace, "D02")->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (finding_of (trace, "D01")->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

/* Adds a UDP socket that received a port unreachable error. */
static void
add_closed_port (NsTrace *trace, const char *remote)
{
  NsWinsockRow *socket = test_trace_add_winsock (trace);

  socket->pid = PID;
  socket->socket_type = 2;
  socket->remote = row_end (trace, remote);
  socket->status = 0xc000023f;
  socket->open_ns = SECOND;
  socket->first_data_ns = 2 * SECOND;
  socket->last_data_ns = 3 * SECOND;
}

/* An unreachable DNS server is found even if only socket calls show it; other unreachable services
 * are not reported. */
static void
test_a_name_server_that_is_none_is_found (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;

  add_closed_port (trace, "10.0.0.9:53");
  row = finding_of (trace, "D02");
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (row->severity, ==, NS_SEVERITY_WARNING);
  g_assert_nonnull (strstr (row->text, "10.0.0.9 does not accept DNS queries:"));
  test_trace_free (trace);
  trace = test_trace_new (600 * SECOND);
  add_closed_port (trace, "10.0.0.9:123");
  g_assert_cmpint (finding_of (trace, "D02")->verdict, !=, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

/* Summary events of connections need a keyword of their own. */
static void
test_what_needs_one_event_is_not_judged_without_it (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsGuid tcpip =
      NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a);

  /* Event 1102 has both keywords of ordinary sends, and one more. */
  row_add_kind (trace, &tcpip, 1102, 4, 0x8000000100000080);
  row_add_kind (trace, &tcpip, 1033, 4, 0x8000000400000484);
  g_assert_cmpint (finding_of (trace, "D17")->verdict, ==, NS_VERDICT_NOT_FOUND);
  g_assert_cmpint (finding_of (trace, "D16")->verdict, ==, NS_VERDICT_NOT_FOUND);
  g_assert_cmpint (finding_of (trace, "D14")->verdict, ==, NS_VERDICT_UNJUDGED);
  g_assert_cmpint (finding_of (trace, "D10")->verdict, ==, NS_VERDICT_NOT_FOUND);
  g_assert_cmpint (finding_of (trace, "D19")->verdict, ==, NS_VERDICT_UNJUDGED);
  test_trace_free (trace);
}

/* The PID of records without a process is the largest number. */
static void
test_a_call_of_no_process_blocks_no_window (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  make_d38 (trace, FALSE);
  g_array_index (trace->calls, NsCallRow, 0).pid = G_MAXUINT32;
  row_record_all (trace);
  g_assert_cmpint (finding_of (trace, "D38")->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

/* A server that did not respond and the request that waited for it are one finding. */
static void
test_who_waited_for_a_silent_server_is_not_told_again (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  make_d02 (trace, FALSE);
  row_add_name (trace, "HOST.test", 0, 0, 2 * SECOND + MS)->source = NS_DNS_FROM_WINSOCK;
  row_record_all (trace);
  g_assert_cmpint (finding_of (trace, "D02")->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (finding_of (trace, "D01")->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

/* Likewise for a loopback address without listener and the address tried after it. */
static void
test_a_slow_loopback_is_no_bad_address (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  row_add_tcp (trace, "[::1]:8080", 0xc0000236, 0, 2 * SECOND);
  row_add_tcp (trace, "127.0.0.1:8080", 0, 2 * SECOND, SECOND);
  row_record_all (trace);
  g_assert_cmpint (finding_of (trace, "D36")->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (finding_of (trace, "D35")->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  finding_claims_add (claims, G_N_ELEMENTS (claims));
  g_test_add_func ("/findings/the-life-of-a-socket-has-an-order",
                   test_the_life_of_a_socket_has_an_order);
  g_test_add_func ("/findings/a-socket-used-after-its-close-is-found",
                   test_a_socket_used_after_its_close_is_found);
  g_test_add_func ("/findings/unconnected-sockets-leak-as-well",
                   test_unconnected_sockets_leak_as_well);
  g_test_add_func ("/findings/a-name-server-that-is-none-is-found",
                   test_a_name_server_that_is_none_is_found);
  g_test_add_func ("/findings/a-slow-name-is-told-once", test_a_slow_name_is_told_once);
  g_test_add_func ("/findings/what-needs-one-event-is-not-judged-without-it",
                   test_what_needs_one_event_is_not_judged_without_it);
  g_test_add_func ("/findings/a-call-of-no-process-blocks-no-window",
                   test_a_call_of_no_process_blocks_no_window);
  g_test_add_func ("/findings/who-waited-for-a-silent-server-is-not-told-again",
                   test_who_waited_for_a_silent_server_is_not_told_again);
  g_test_add_func ("/findings/a-slow-loopback-is-no-bad-address",
                   test_a_slow_loopback_is_no_bad_address);
  return g_test_run ();
}
