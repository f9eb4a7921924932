/* Tests TCP connections and UDP flows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/trace/ns-view-context.h"
#include "net-fixture.h"

#include <string.h>

#define MS (NS_PER_SECOND / 1000)

#define A ((guint64) 0xa)
#define B ((guint64) 0xb)
#define ENDS "10.0.0.5:50001>1.2.3.4:443"

typedef struct
{
  NetFixture net;
  NsTrace *trace;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  net_fixture_init (&f->net);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  ns_trace_unref (f->trace);
  net_fixture_clear (&f->net);
}

static void
open_trace (Fixture *f)
{
  f->trace = net_fixture_open_default (&f->net);
}

static void
test_plain_connection (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 100, 7, A, ENDS);
  tcp_outcome (&f->net, 30, 1033, A, 100, 0, ENDS);
  tcp_posted (&f->net, 40, 100, 7, A, 300);
  tcp_sent (&f->net, 41, A, 1000, 300);
  tcp_received (&f->net, 60, A, 5000);
  tcp_outcome (&f->net, 90, 1038, A, 100, 0, ENDS);
  tcp_outcome (&f->net, 95, 1044, A, 100, 0xc000020d, ENDS);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 posted 300 sent 300 received 5000 open 10 "
               "shutdown 95 close 90 Close\n");
}

static void
test_shutdown_before_close (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 100, 7, A, ENDS);
  tcp_outcome (&f->net, 85, 1044, A, 100, 0, ENDS);
  tcp_outcome (&f->net, 90, 1038, A, 100, 0, ENDS);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 open 10 shutdown 85 close 90 Close\n");
}

static void
test_shutdown_only_stays_open (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 100, 7, A, ENDS);
  tcp_outcome (&f->net, 95, 1044, A, 100, 0, ENDS);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :50001>1.2.3.4:443 pid 100 tid 7 open 10 shutdown 95 Shutdown\n");
}

static void
test_refused (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>9.9.9.9:81");
  tcp_outcome (&f->net, 12, 1034, A, 100, 0xc0000236, "10.0.0.5:50001>9.9.9.9:81");
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>9.9.9.9:81 pid 100 tid 7 open 10 close 12 status c0000236 "
               "Connect_Fail\n");
}

static void
test_unanswered_syn_counts_its_repetitions (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 0.5, 100, 7, A, ENDS);
  net_event (&f->net, 1000, 0, 0, NET_TCPIP, 1186, "pAAuu", A, "", "", 2, 1);
  net_event (&f->net, 3000, 0, 0, NET_TCPIP, 1186, "pAAuu", A, "", "", 2, 2);
  tcp_outcome (&f->net, 21000, 1045, A, 100, 0, ENDS);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 again 2 open 0.5 status c00000b5 "
               "Connect_Request\n");
}

static void
test_unanswered_syn_fails_in_the_end (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 0.5, 100, 7, A, ENDS);
  net_event (&f->net, 1000, 0, 0, NET_TCPIP, 1186, "pAAuu", A, "", "", 2, 1);
  net_event (&f->net, 3000, 0, 0, NET_TCPIP, 1186, "pAAuu", A, "", "", 2, 2);
  tcp_outcome (&f->net, 21000, 1045, A, 100, 0, ENDS);
  tcp_outcome (&f->net, 21000.1, 1034, A, 100, 0xc00000b5, ENDS);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 again 2 open 0.5 close 21000.1 status c00000b5 "
               "Connect_Fail\n");
  g_assert_true (g_array_index (f->trace->activities, NsActivityRow, 0).failed);
}

/* Maximum number of reused TCBs in which a shutdown looks for its connection
 * (ns-tcpip-records.c). */
#define MAX_REUSES 8

static void
test_a_shutdown_looks_so_far_only (Fixture *f, gconstpointer data)
{
  guint n;

  for (n = MAX_REUSES - 1; n <= MAX_REUSES; n++)
    {
      NetFixture net;
      NsTrace *trace;
      guint i;

      net_fixture_init (&net);
      tcp_connect (&net, 10, 100, 7, A, ENDS);
      tcp_outcome (&net, 11, 1033, A, 100, 0, ENDS);
      for (i = 0; i < n; i++)
        {
          tcp_connect (&net, 20 + i, 200 + i, 7, A, ENDS);
          tcp_outcome (&net, 20.5 + i, 1033, A, 200 + i, 0, ENDS);
        }
      tcp_outcome (&net, 80, 1044, A, 100, 0, ENDS);
      trace = net_fixture_open_default (&net);
      g_assert_cmpuint (trace->tcp->len, ==, n + 1);
      g_assert_cmpint (g_array_index (trace->tcp, NsTcpRow, 0).shutdown_ns != NS_TIME_NONE,
                       ==,
                       n < MAX_REUSES);
      ns_trace_unref (trace);
    }
}

static void
test_key_used_again_after_a_lost_close (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.1.1.1:80");
  tcp_connect (&f->net, 500, 200, 8, A, "10.0.0.5:50002>2.2.2.2:80");
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.1.1.1:80 pid 100 tid 7 open 10 close 500 Abandon\n"
               "a :50002>2.2.2.2:80 pid 200 tid 8 open 500 Connect_Request\n");
  g_assert_cmpint (g_array_index (f->trace->tcp, NsTcpRow, 0).close_ns, ==, 499999999);
}

static void
test_rundown_is_from_before_the_trace (Fixture *f, gconstpointer data)
{
  const NsTcpRow *row;

  tcp_rundown (&f->net, 1, A, 321, "0.0.0.0:6000>5.6.7.8:443");
  open_trace (f);
  assert_rows (f->trace, tcp, "a :6000>5.6.7.8:443 pid 321 open 1 Rundown\n");
  row = &g_array_index (f->trace->tcp, NsTcpRow, 0);
  g_assert_true (row->before_trace);
  g_assert_false (row->inferred);
}

static void
test_silent_rundown_of_system_stays_unclaimed (Fixture *f, gconstpointer data)
{
  tcp_rundown (&f->net, 1, A, 4, "0.0.0.0:6000>5.6.7.8:443");
  tcp_rundown (&f->net, 1, B, 4, "0.0.0.0:6001>5.6.7.8:443");
  tcp_received (&f->net, 2, B, 1);
  open_trace (f);
  g_assert_cmpuint (g_array_index (f->trace->tcp, NsTcpRow, 0).owner, ==, NS_LAYER_RUNDOWN);
  g_assert_cmpuint (g_array_index (f->trace->tcp, NsTcpRow, 1).owner,
                    ==,
                    NS_LAYER_RUNDOWN | NS_LAYER_TCP);
}

static void
test_rundown_does_not_change_a_live_connection (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, "10.0.0.5:50001>1.1.1.1:80");
  tcp_rundown (&f->net, 6, A, 100, "10.0.0.5:50001>1.1.1.1:80");
  open_trace (f);
  assert_rows (f->trace, tcp, "a :50001>1.1.1.1:80 pid 100 tid 7 open 5 Connect_Request\n");
  g_assert_false (g_array_index (f->trace->tcp, NsTcpRow, 0).before_trace);
  g_assert_cmpstr (ns_trace_text (f->trace,
                                  g_array_index (f->trace->activities, NsActivityRow, 0).method),
                   ==,
                   "HTTP");
}

static void
test_reference_lets_the_rundown_win (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, "10.0.0.5:50001>1.1.1.1:80");
  tcp_rundown (&f->net, 6, A, 100, "10.0.0.5:50001>1.1.1.1:80");
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_rows (f->trace, tcp, "a :50001>1.1.1.1:80 pid 100 tid 7 open 5 Rundown\n");
  g_assert_cmpuint (f->trace->activities->len, ==, 1);
  g_assert_cmpstr (ns_trace_text (f->trace,
                                  g_array_index (f->trace->activities, NsActivityRow, 0).method),
                   ==,
                   "Rundown");
}

static void
test_inferred_is_completed_at_the_end (Fixture *f, gconstpointer data)
{
  tcp_received (&f->net, 50, B, 10);
  tcp_posted (&f->net, 60, 100, 7, B, 5);
  tcp_outcome (&f->net, 70, 1044, B, 100, 0, "10.0.0.5:50009>3.3.3.3:443");
  open_trace (f);
  g_assert_true (g_array_index (f->trace->tcp, NsTcpRow, 0).inferred);
  g_assert_cmpuint (f->trace->tcp->len, ==, 1);
  g_assert_cmpuint (g_array_index (f->trace->tcp, NsTcpRow, 0).pid, ==, 100);
  g_assert_cmpuint (g_array_index (f->trace->tcp, NsTcpRow, 0).remote->port, ==, 443);
}

static void
test_never_identified (Fixture *f, gconstpointer data)
{
  tcp_received (&f->net, 50, B, 10);
  open_trace (f);
  assert_rows (f->trace, tcp, "b :0> received 10 open 50 Inferred\n");
}

static void
test_sender_is_the_guess (Fixture *f, gconstpointer data)
{
  tcp_posted (&f->net, 50, 100, 7, B, 5);
  open_trace (f);
  assert_rows (f->trace, tcp, "b :0> pid 100 posted 5 open 50 Inferred\n");
}

static void
test_system_is_repaired_and_its_thread_forgotten (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 4, 12, A, ENDS);
  tcp_outcome (&f->net, 30, 1033, A, 100, 0, ENDS);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :50001>1.2.3.4:443 pid 100 open 10 Connect_Complete\n");
}

static void
test_reference_keeps_the_thread_of_the_other_process (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 4, 12, A, ENDS);
  tcp_outcome (&f->net, 30, 1033, A, 100, 0, ENDS);
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_rows (f->trace, tcp, "a :50001>1.2.3.4:443 pid 100 tid 12 open 10 Connect_Complete\n");
}

static void
test_no_bytes_make_no_record (Fixture *f, gconstpointer data)
{
  tcp_received (&f->net, 10, A, 0);
  tcp_sent (&f->net, 11, A, 0, 0);
  tcp_posted (&f->net, 12, 100, 7, A, 0);
  open_trace (f);
  assert_rows (f->trace, tcp, "");
}

static void
test_counts_past_32_bits (Fixture *f, gconstpointer data)
{
  tcp_received (&f->net, 10, A, 3000000000u);
  tcp_received (&f->net, 20, A, 3000000000u);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :0> received 6000000000 open 10 Inferred\n");
}

static void
test_old_send_event_where_there_is_no_new_one (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  net_event (&f->net, 10, 0, 0, NET_TCPIP, 1073, "puuuuu", A, 1, 2, 3, 1460, 100);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 sent 1460 open 5 Connect_Request\n");
}

static void
test_reference_has_no_old_send_event (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  net_event (&f->net, 10, 0, 0, NET_TCPIP, 1073, "puuuuu", A, 1, 2, 3, 1460, 100);
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_rows (f->trace, tcp, "a :50001>1.2.3.4:443 pid 100 tid 7 open 5 Connect_Request\n");
}

static void
test_old_send_event_is_ignored_beside_the_new (Fixture *f, gconstpointer data)
{
  net_event (&f->net, 10, 0, 0, NET_TCPIP, 1073, "puuuuu", A, 1, 2, 3, 1460, 100);
  tcp_sent (&f->net, 11, A, 100, 1460);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :0> sent 1460 open 11 Inferred\n");
}

static void
test_retransmitted_bytes_are_not_sent_bytes (Fixture *f, gconstpointer data)
{
  tcp_sent (&f->net, 10, A, 1000, 500);
  tcp_sent (&f->net, 20, A, 1000, 500);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :0> sent 500 again 1 bytes 500 open 10 Inferred\n");
}

static void
test_reference_counts_bytes_sent_again (Fixture *f, gconstpointer data)
{
  tcp_sent (&f->net, 10, A, 1000, 500);
  tcp_sent (&f->net, 20, A, 1000, 500);
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_rows (f->trace, tcp, "a :0> sent 1000 open 10 Inferred\n");
}

static void
test_sequence_numbers_wrap_and_come_out_of_order (Fixture *f, gconstpointer data)
{
  tcp_sent (&f->net, 10, A, 0xffffff00, 500);
  tcp_sent (&f->net, 11, A, 744, 500);
  tcp_sent (&f->net, 12, A, 244, 500);
  tcp_sent (&f->net, 13, A, 1144, 600);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :0> sent 2000 again 1 bytes 100 open 10 Inferred\n");
}

/* Retransmissions of connections without send events; three events report each of them. */
static void
test_rounds_of_sending_again_are_counted (Fixture *f, gconstpointer data)
{
  guint i;

  tcp_sent (&f->net, 10, A, 0, 500);
  for (i = 0; i < 12; i++)
    net_event (&f->net, 11 + i, 0, 0, NET_TCPIP, 1351, "puuuu", A, 0, i + 1, 30, 300);
  net_event (&f->net,
             30,
             0,
             0,
             NET_TCPIP,
             1077,
             "puuuuuuuuuuuu",
             A,
             0,
             0,
             0,
             0,
             0,
             0,
             1,
             0,
             0,
             0,
             0,
             0);
  for (i = 0; i < 3; i++)
    net_event (&f->net, 31 + i, 0, 0, NET_TCPIP, 1187, "puu", A, 0, 0);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :0> sent 500 again 13 open 10 Inferred\n");
}

static void
summary (Fixture *f, double ms, guint64 out, guint64 in, guint again)
{
  net_event (&f->net,
             ms,
             0,
             0,
             NET_TCPIP,
             1477,
             "pqqqqqquuuuuuuuuuuuquuquuqquuuuuuu",
             A,
             out,
             in,
             (guint64) 1,
             (guint64) 1,
             (guint64) 1,
             (guint64) 1,
             0,
             0,
             0,
             again,
             0,
             0,
             0,
             0,
             0,
             0,
             0,
             0,
             (guint64) 0,
             0,
             0,
             (guint64) 0,
             0,
             0,
             (guint64) 0,
             (guint64) 0,
             0,
             25000,
             0,
             0,
             0,
             0,
             0);
}

static void
test_summary_is_exact (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  tcp_sent (&f->net, 10, A, 1, 500);
  summary (f, 20, 1300, 3400, 100);
  tcp_outcome (&f->net, 21, 1038, A, 100, 0, ENDS);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 sent 1200 received 3400 bytes 100 open 5 "
               "close 21 Close\n");
  g_assert_cmpint (g_array_index (f->trace->tcp, NsTcpRow, 0).extra->rtt_us, ==, 25000);
}

/* Statistics that only the summary event of a connection has. */
static void
test_summary_tells_of_loss_and_windows (Fixture *f, gconstpointer data)
{
  const NsTcpAnomaly *anomaly;
  const NsTcpRow *row;

  net_event (&f->net,
             20,
             0,
             0,
             NET_TCPIP,
             1477,
             "pqqqqqquuuuuuuuuuuuquuquuqquuuuuuuAAuuuuu",
             A,
             G_GUINT64_CONSTANT (2000000), /* DataBytesOut */
             (guint64) 1,
             (guint64) 1500, /* DataSegmentsOut */
             (guint64) 1,
             (guint64) 1,
             (guint64) 1,
             0,
             0,
             0,
             60000, /* BytesRetrans */
             0,
             0,
             0,
             0,
             29200, /* MaxSsCwnd */
             14600, /* MaxCaCwnd */
             0,
             100, /* SndLimTimeRwin */
             (guint64) 0,
             0,
             700, /* SndLimTimeCwnd */
             (guint64) 0,
             0,
             200, /* SndLimTimeSnd */
             (guint64) 0,
             (guint64) 0,
             0,
             25000, /* RttUs */
             0,
             0,
             2, /* SynRetrans */
             0,
             0,
             "192.0.2.7:50000",
             "192.0.2.1:443",
             0,
             0,
             0,
             0,
             65536 /* SndWnd */);
  open_trace (f);
  g_assert_cmpuint (f->trace->tcp->len, ==, 1);
  row = &g_array_index (f->trace->tcp, NsTcpRow, 0);
  g_assert_cmpuint (row->remote->port, ==, 443);
  g_assert_cmpuint (row->extra->n_segments, ==, 1500);
  g_assert_cmpuint (row->extra->total_again, ==, 60000);
  g_assert_cmpuint (row->extra->syn_retransmits, ==, 2);
  g_assert_cmpint (row->extra->rtt_us, ==, 25000);
  g_assert_cmpuint (f->trace->tcp_anomalies->len, ==, 1);
  anomaly = &g_array_index (f->trace->tcp_anomalies, NsTcpAnomaly, 0);
  g_assert_cmpuint (anomaly->flow->window_bytes, ==, 29200);
}

/* Send events of a long transfer have the bytes in flight and both windows. */
static void
test_sends_tell_of_full_windows (Fixture *f, gconstpointer data)
{
  const NsTcpFlow *flow;
  guint i;

  f->net.version = 3;
  for (i = 0; i < 100; i++)
    net_event (&f->net,
               10 + i,
               0,
               0,
               NET_TCPIP,
               1332,
               "puuuuuuuuuuuuuu",
               A,
               200000, /* Cwnd */
               65536,  /* SndWnd */
               10000,
               1 + i * 10000,
               0,
               0,
               0,
               0,
               0,
               0,
               0,
               1 + i * 10000 - (i % 2 == 0 ? 50000 : 0), /* SndUna */
               0,
               0);
  open_trace (f);
  flow = g_array_index (f->trace->tcp_anomalies, NsTcpAnomaly, 0).flow;
  /* Counted from 262,144 bytes on. */
  g_assert_cmpuint (flow->n_flights, ==, 74);
  g_assert_cmpuint (flow->n_full[0], ==, 37);
  g_assert_cmpuint (flow->n_full[1], ==, 0);
  g_assert_cmpuint (flow->window_bytes, ==, 65536);
}

static void
test_summary_from_before_the_trace_stands_apart (Fixture *f, gconstpointer data)
{
  const NsTcpRow *row;

  tcp_rundown (&f->net, 1, A, 100, ENDS);
  tcp_sent (&f->net, 10, A, 1, 500);
  tcp_received (&f->net, 11, A, 70);
  summary (f, 20, 1000000, 2000000, 0);
  open_trace (f);
  row = &g_array_index (f->trace->tcp, NsTcpRow, 0);
  g_assert_cmpuint (row->sent, ==, 500);
  g_assert_cmpuint (row->received, ==, 70);
  g_assert_cmpint (row->extra->total_sent, ==, 1000000);
}

static void
state_changed (Fixture *f, double ms, guint from, guint to)
{
  net_event (&f->net, ms, 4, 9, NET_TCPIP, 1051, "uuup", from, to, 0, A);
}

static void
test_state_tells_the_end_when_nothing_else_does (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  state_changed (f, 20, 4, 0);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :50001>1.2.3.4:443 pid 100 tid 7 open 5 close 20 Close\n");
}

static void
test_failure_after_the_state_is_a_failure (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  state_changed (f, 20, 2, 0);
  tcp_outcome (&f->net, 20.1, 1034, A, 100, 0xc0000236, ENDS);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 open 5 close 20.1 status c0000236 "
               "Connect_Fail\n");
}

static void
test_short_and_long_payloads (Fixture *f, gconstpointer data)
{
  net_event (&f->net, 5, 100, 7, NET_TCPIP, 1002, "pA", A, "10.0.0.5:50001");
  net_event (&f->net, 10, 0, 0, NET_TCPIP, 1074, "puuqq", A, 50, 0, (guint64) 1, (guint64) 2);
  net_event (&f->net, 11, 0, 0, NET_TCPIP, 1074, "w", 7);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :50001> pid 100 tid 7 received 50 open 5 Connect_Request\n");
}

static void
test_two_peers_of_one_datagram_socket (Fixture *f, gconstpointer data)
{
  udp_moved (&f->net, 5, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:53");
  udp_moved (&f->net, 6, 7, 1169, B, 100, 41, "10.0.0.5:60000>1.1.1.1:53");
  udp_moved (&f->net, 7, 7, 1169, B, 100, 2, "10.0.0.5:60000>8.8.8.8:53");
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "b :60000>8.8.8.8:53 pid 100 tid 7 sent 42 open 5 close 7 Inferred\n"
               "b :60000>1.1.1.1:53 pid 100 tid 7 sent 41 open 6 close 6 Inferred\n");
}

static void
test_reference_has_no_last_datagram (Fixture *f, gconstpointer data)
{
  udp_moved (&f->net, 5, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:53");
  udp_moved (&f->net, 7, 7, 1169, B, 100, 2, "10.0.0.5:60000>8.8.8.8:53");
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_rows (f->trace, tcp, "b :60000>8.8.8.8:53 pid 100 tid 7 sent 42 open 5 Inferred\n");
}

static void
test_swapped_receive_of_an_older_peer (Fixture *f, gconstpointer data)
{
  udp_moved (&f->net, 5, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:53");
  udp_moved (&f->net, 6, 7, 1169, B, 100, 41, "10.0.0.5:60000>1.1.1.1:53");
  udp_moved (&f->net, 9, 9, 1170, B, 100, 120, "8.8.8.8:53>10.0.0.5:60000");
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "b :60000>8.8.8.8:53 pid 100 tid 7 sent 40 received 120 open 5 close 9 Inferred\n"
               "b :60000>1.1.1.1:53 pid 100 tid 7 sent 41 open 6 close 6 Inferred\n");
}

static void
test_late_datagram_counts_for_the_closed_flow (Fixture *f, gconstpointer data)
{
  udp_moved (&f->net, 5, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:53");
  udp_moved (&f->net, 6, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.4.4:53");
  net_event (&f->net, 50, 100, 7, NET_TCPIP, 1397, "Aup", "10.0.0.5:60000", 0, B);
  udp_moved (&f->net, 51, 9, 1170, B, 100, 120, "10.0.0.5:60000>8.8.8.8:53");
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "b :60000>8.8.8.8:53 pid 100 tid 7 sent 40 received 120 open 5 close 50 Close\n"
               "b :60000>8.8.4.4:53 pid 100 tid 7 sent 40 open 5 close 50 Close\n");
}

static void
test_name_from_the_inspection (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  net_event (&f->net,
             6,
             100,
             7,
             NET_TCPIP,
             1382,
             "AAppsu",
             "10.0.0.5:50001",
             "1.2.3.4:443",
             A,
             (guint64) 0,
             "named.example",
             0);
  open_trace (f);
  assert_rows (f->trace,
               dns,
               "named.example type 0 status 0 1.2.3.4 pid 100 open 6 close 6 tcpip\n");
  g_assert_cmpuint (f->trace->tcp->len, ==, 1);
}

static void
test_data_after_the_close_makes_no_new_record (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  tcp_outcome (&f->net, 10, 1038, A, 100, 0, ENDS);
  tcp_sent (&f->net, 11, A, 1, 20);
  tcp_outcome (&f->net, 12, 1044, A, 100, 0, ENDS);
  tcp_received (&f->net, 13, A, 30);
  open_trace (f);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 sent 20 open 5 shutdown 12 close 10 Close\n"
               "a :0> received 30 open 13 Inferred\n");
}

static void
test_32_bit_system (Fixture *f, gconstpointer data)
{
  f->net.is_32bit = TRUE;
  tcp_connect (&f->net, 5, 100, 7, A, ENDS);
  tcp_sent (&f->net, 10, A, 1, 20);
  tcp_outcome (&f->net, 90, 1038, A, 100, 0, ENDS);
  open_trace (f);
  assert_rows (f->trace, tcp, "a :50001>1.2.3.4:443 pid 100 tid 7 sent 20 open 5 close 90 Close\n");
}

static void
add (const char *name, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (name, Fixture, NULL, set_up, test, tear_down);
}

static void
sent (Fixture *f, double ms, guint id, guint n_bytes)
{
  net_event (&f->net, ms, 100, 7, NET_TCPIP, id, "psuu", A, "", n_bytes, 0);
}

static char *
anomaly_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->tcp_anomalies->len; i++)
    {
      const NsTcpAnomaly *anomaly = &g_array_index (trace->tcp_anomalies, NsTcpAnomaly, i);

      g_string_append_printf (
          text,
          "tcp %u zero %u for %d hole %u of %u%s held %u for %d limits %d %d %d\n",
          anomaly->tcp,
          anomaly->flow->n_zero_windows,
          (int) (anomaly->flow->zero_window_ns / 1000000),
          anomaly->flow->n_black_holes,
          anomaly->flow->segment_bytes,
          anomaly->flow->has_smaller_helped ? " cured" : "",
          anomaly->n_held,
          (int) (anomaly->held_ns / 1000000),
          (int) (anomaly->flow->receiver_ns / 1000000),
          (int) (anomaly->flow->network_ns / 1000000),
          (int) (anomaly->flow->sender_ns / 1000000));
    }
  return g_string_free (text, FALSE);
}

/* Two zero windows, the second one until the end of the connection; and black holes. */
static void
test_windows_and_black_holes (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  tcp_connect (&f->net, 11, 100, 7, B, "10.0.0.5:50002>1.2.3.4:443");
  net_event (&f->net, 100, 0, 0, NET_TCPIP, 1102, "puu", A, 0, 0);
  net_event (&f->net, 150, 0, 0, NET_TCPIP, 1102, "puu", A, 0, 0);
  net_event (&f->net, 400, 0, 0, NET_TCPIP, 1103, "puu", A, 0, 0);
  net_event (&f->net, 410, 0, 0, NET_TCPIP, 1103, "puu", A, 0, 0);
  net_event (&f->net, 900, 0, 0, NET_TCPIP, 1102, "puu", A, 0, 0);
  net_event (&f->net, 500, 0, 0, NET_TCPIP, 1084, "puus", B, 536, 1460, "");
  net_event (&f->net, 700, 0, 0, NET_TCPIP, 1085, "puus", B, 536, 1460, "");
  tcp_outcome (&f->net, 1000, 1038, A, 100, 0, "10.0.0.5:50001>1.2.3.4:443");
  open_trace (f);
  text = anomaly_text (f->trace);
  g_assert_cmpstr (text,
                   ==,
                   "tcp 1 zero 2 for 400 hole 0 of 0 held 0 for 0 limits 0 0 0\n"
                   "tcp 2 zero 0 for 0 hole 1 of 1460 cured held 0 for 0 limits 0 0 0\n");
}

/* The idle time reported is that before the first unanswered send; retransmissions and sends that
 * follow do not restart it. A response resets it. */
static void
test_silence_before_what_nobody_answered (Fixture *f, gconstpointer data)
{
  const NsTcpRow *row;

  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  tcp_sent (&f->net, 1000, A, 1000, 300);
  tcp_received (&f->net, 2000, A, 300);
  tcp_sent (&f->net, 22000, A, 1300, 100);
  tcp_received (&f->net, 22100, A, 100);
  tcp_sent (&f->net, 37100, A, 1400, 100);
  tcp_sent (&f->net, 49100, A, 1400, 100);
  tcp_sent (&f->net, 61100, A, 1500, 100);
  open_trace (f);
  row = &g_array_index (f->trace->tcp, NsTcpRow, 0);
  g_assert_cmpint (row->extra->idle_ns, ==, G_GINT64_CONSTANT (15000000000));
  g_assert_cmpint (row->extra->resumed_ns, ==, G_GINT64_CONSTANT (37100000000));
}

/* A black hole is reported if full segments are retransmitted repeatedly while smaller ones are
 * acknowledged; not if the full one arrives at last, nor if all segments are small. */
static void
test_full_segments_that_vanish (Fixture *f, gconstpointer data)
{
  static const guint64 keys[] = { A, B, 0xc };
  g_autofree char *text = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *ends = g_strdup_printf ("10.0.0.5:%u>1.2.3.4:443", 50001 + i);
      guint n = i == 2 ? 300 : 1400;

      tcp_connect (&f->net, 10 + i, 100, 7, keys[i], ends);
      tcp_sent (&f->net, 100 + i, keys[i], 1000, 300);
      tcp_received (&f->net, 120 + i, keys[i], 300);
      tcp_sent (&f->net, 200 + i, keys[i], 1300, n);
      net_event (&f->net, 500 + i, 0, 0, NET_TCPIP, 1351, "puuuu", keys[i], 1300, 1, 20, 300);
      if (i != 1)
        tcp_sent (&f->net, 600 + i, keys[i], 1300 + n, 100);
      tcp_received (&f->net, 620 + i, keys[i], 100);
      net_event (&f->net, 800 + i, 0, 0, NET_TCPIP, 1351, "puuuu", keys[i], 1300, 2, 20, 300);
      tcp_received (&f->net, 900 + i, keys[i], 100);
    }
  open_trace (f);
  text = anomaly_text (f->trace);
  g_assert_cmpstr (text, ==, "tcp 1 zero 0 for 0 hole 0 of 1400 held 0 for 0 limits 0 0 0\n");
}

/* Sends without delay, full segments, and sends that wait for something else are not counted. A
 * send logged by two events counts once. */
static void
test_small_sends_wait_for_acknowledgments (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;

  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  sent (f, 100, 1159, 100);
  sent (f, 100, 1160, 100);
  sent (f, 101, 1159, 80);
  sent (f, 146, 1160, 80);
  tcp_sent (&f->net, 146, A, 180, 80);
  sent (f, 200, 1159, 2000);
  sent (f, 245, 1160, 2000);
  sent (f, 300, 1159, 80);
  sent (f, 420, 1160, 80);
  sent (f, 500, 1159, 80);
  tcp_sent (&f->net, 700, A, 5000, 80);
  open_trace (f);
  text = anomaly_text (f->trace);
  g_assert_cmpstr (text, ==, "tcp 1 zero 0 for 0 hole 0 of 0 held 2 for 245 limits 0 0 0\n");
}

/* The delays that count as a delayed acknowledgment are thresholds of the view. */
static void
test_how_late_acknowledgments_are_is_told (Fixture *f, gconstpointer data)
{
  static const char lines[] = "D23.short-from = 100 ms\nD23.short-to = 150 ms\n"
                              "D23.long-from = 1 ms\nD23.long-to = 1 ms";
  g_autoptr (NsViewContext) view = ns_view_context_new ();
  NsThresholds *thresholds = ns_thresholds_new ();
  g_autofree char *text = NULL;

  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  sent (f, 101, 1159, 80);
  sent (f, 146, 1160, 80);
  sent (f, 300, 1159, 80);
  sent (f, 420, 1160, 80);
  g_assert_true (ns_thresholds_add (thresholds, "mine", lines, strlen (lines), NULL));
  ns_view_context_set_thresholds (view, thresholds);
  f->net.view = view;
  open_trace (f);
  text = anomaly_text (f->trace);
  g_assert_cmpstr (text, ==, "tcp 1 zero 0 for 0 hole 0 of 0 held 1 for 120 limits 0 0 0\n");
}

/* Many connections close with bytes that were posted but never sent. Their pending sends are
 * dropped; those of other connections are kept. */
static void
test_sends_of_ended_connections_are_forgotten (Fixture *f, gconstpointer data)
{
  g_autofree char *text = NULL;
  guint i;

  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  for (i = 0; i < 3000; i++)
    {
      guint64 key = B + 0x1000 * (guint64) i;
      double ms = 100 + i;

      if (i == 2990)
        sent (f, ms, 1159, 80);
      tcp_connect (&f->net, ms, 100, 7, key, "10.0.0.5:50002>1.2.3.4:443");
      net_event (&f->net, ms + 0.1, 100, 7, NET_TCPIP, 1159, "psuu", key, "", 80, 0);
      tcp_outcome (&f->net, ms + 0.2, 1038, key, 100, 0, "10.0.0.5:50002>1.2.3.4:443");
    }
  sent (f, 3135, 1160, 80);
  open_trace (f);
  text = anomaly_text (f->trace);
  g_assert_cmpstr (text, ==, "tcp 1 zero 0 for 0 hole 0 of 0 held 1 for 45 limits 0 0 0\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/tcpip/plain-connection", test_plain_connection);
  add ("/tcpip/shutdown-before-close", test_shutdown_before_close);
  add ("/tcpip/shutdown-only-stays-open", test_shutdown_only_stays_open);
  add ("/tcpip/refused", test_refused);
  add ("/tcpip/unanswered-syn-counts-its-repetitions", test_unanswered_syn_counts_its_repetitions);
  add ("/tcpip/unanswered-syn-fails", test_unanswered_syn_fails_in_the_end);
  add ("/tcpip/key-used-again-after-a-lost-close", test_key_used_again_after_a_lost_close);
  add ("/tcpip/rundown-is-from-before-the-trace", test_rundown_is_from_before_the_trace);
  add ("/tcpip/silent-rundown-of-system", test_silent_rundown_of_system_stays_unclaimed);
  add ("/tcpip/rundown-of-a-live-connection", test_rundown_does_not_change_a_live_connection);
  add ("/tcpip/reference-lets-the-rundown-win", test_reference_lets_the_rundown_win);
  add ("/tcpip/inferred-is-completed-at-the-end", test_inferred_is_completed_at_the_end);
  add ("/tcpip/never-identified", test_never_identified);
  add ("/tcpip/sender-is-the-guess", test_sender_is_the_guess);
  add ("/tcpip/system-is-repaired", test_system_is_repaired_and_its_thread_forgotten);
  add ("/tcpip/no-bytes-make-no-record", test_no_bytes_make_no_record);
  add ("/tcpip/counts-past-32-bits", test_counts_past_32_bits);
  add ("/tcpip/old-send-event", test_old_send_event_where_there_is_no_new_one);
  add ("/tcpip/reference-thread", test_reference_keeps_the_thread_of_the_other_process);
  add ("/tcpip/reference-old-send", test_reference_has_no_old_send_event);
  add ("/tcpip/old-send-event-beside-the-new", test_old_send_event_is_ignored_beside_the_new);
  add ("/tcpip/retransmitted-bytes", test_retransmitted_bytes_are_not_sent_bytes);
  add ("/tcpip/reference-counts-bytes-sent-again", test_reference_counts_bytes_sent_again);
  add ("/tcpip/rounds-of-sending-again-are-counted", test_rounds_of_sending_again_are_counted);
  add ("/tcpip/sequence-numbers-wrap", test_sequence_numbers_wrap_and_come_out_of_order);
  add ("/tcpip/summary-is-exact", test_summary_is_exact);
  add ("/tcpip/summary-tells-of-loss-and-windows", test_summary_tells_of_loss_and_windows);
  add ("/tcpip/sends-tell-of-full-windows", test_sends_tell_of_full_windows);
  add ("/tcpip/summary-from-before", test_summary_from_before_the_trace_stands_apart);
  add ("/tcpip/state-tells-the-end", test_state_tells_the_end_when_nothing_else_does);
  add ("/tcpip/failure-after-the-state", test_failure_after_the_state_is_a_failure);
  add ("/tcpip/short-and-long-payloads", test_short_and_long_payloads);
  add ("/tcpip/two-peers", test_two_peers_of_one_datagram_socket);
  add ("/tcpip/reference-has-no-last-datagram", test_reference_has_no_last_datagram);
  add ("/tcpip/swapped-receive", test_swapped_receive_of_an_older_peer);
  add ("/tcpip/late-datagram", test_late_datagram_counts_for_the_closed_flow);
  add ("/tcpip/name-from-the-inspection", test_name_from_the_inspection);
  add ("/tcpip/data-after-the-close", test_data_after_the_close_makes_no_new_record);
  add ("/tcpip/a-shutdown-looks-so-far-only", test_a_shutdown_looks_so_far_only);
  add ("/tcpip/32-bit-system", test_32_bit_system);
  add ("/tcpip/windows-and-black-holes", test_windows_and_black_holes);
  add ("/tcpip/silence-before-what-nobody-answered", test_silence_before_what_nobody_answered);
  add ("/tcpip/full-segments-that-vanish", test_full_segments_that_vanish);
  add ("/tcpip/small-sends-wait", test_small_sends_wait_for_acknowledgments);
  add ("/tcpip/late-acknowledgments", test_how_late_acknowledgments_are_is_told);
  add ("/tcpip/sends-of-ended-connections", test_sends_of_ended_connections_are_forgotten);
  return g_test_run ();
}
