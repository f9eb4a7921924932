/* Tests rules that need a single event, and the conditions for "recorded".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "finding-claims.h"

#include <string.h>

#define PID FINDING_PID

/* clang-format off */
static const NsGuid tcpip = NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a);
static const NsGuid dns = NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d);
/* clang-format on */

/* Adds a connection that stays open in the trace. */
static NsTcpRow *
add_open (NsTrace *trace, NsTcpState state)
{
  NsTcpRow *row = row_add_tcp (trace, "192.0.2.1:443", 0, 0, SECOND);

  row->state = (guint8) state;
  row->close_ns = NS_TIME_OPEN;
  row->activity = 0;
  return row;
}

static void
test_a_reset_needs_no_close (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;

  add_open (trace, NS_TCP_CONNECT_COMPLETE);
  row_add_sign (trace, NS_SIGN_TCPIP, 1184, SECOND, 0)->tcp = 1;
  g_array_index (trace->signs, NsSign, 0).flags = NS_SIGN_UNANSWERED;
  row_add_sign (trace, NS_SIGN_TCPIP, 1044, SECOND + MS, 0xc000020d)->tcp = 1;
  row = finding_of (trace, "D12");
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpuint (row->count, ==, 1);
  g_assert_cmpuint (row->marks->len, ==, 2);
  g_assert_cmpuint (g_array_index (row->marks, guint32, 0), ==, 11);
  g_assert_cmpint (finding_of (trace, "D14")->verdict, !=, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

static void
test_a_reset_of_an_idle_connection_is_none (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  add_open (trace, NS_TCP_CONNECT_COMPLETE);
  row_add_sign (trace, NS_SIGN_TCPIP, 1184, SECOND, 0)->tcp = 1;
  g_assert_cmpint (finding_of (trace, "D12")->verdict, !=, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

static void
test_a_keep_alive_that_nobody_answers_is_enough (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  add_open (trace, NS_TCP_CONNECT_COMPLETE);
  row_add_sign (trace, NS_SIGN_TCPIP, 1047, 9 * SECOND, 0xc00000b5)->tcp = 1;
  g_assert_cmpint (finding_of (trace, "D14")->verdict, ==, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

static void
test_a_connect_ends_with_the_record_that_says_why (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  add_open (trace, NS_TCP_CONNECT_REQUEST);
  add_open (trace, NS_TCP_CONNECT_REQUEST)->remote = row_end (trace, "192.0.2.9:443");
  row_add_sign (trace, NS_SIGN_TCPIP, 1183, 30 * MS, 0)->tcp = 1;
  row_add_sign (trace, NS_SIGN_TCPIP, 1045, 21 * SECOND, 0)->tcp = 2;
  g_assert_cmpint (finding_of (trace, "D11")->cost_ns, ==, 30 * MS);
  g_assert_cmpint (finding_of (trace, "D09")->cost_ns, ==, 21 * SECOND);
  g_assert_cmpint (finding_of (trace, "D14")->verdict, !=, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

static void
test_what_a_session_lost_is_told_though_the_header_is_not (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  row_add_sign (trace, NS_SIGN_LOST, 33, SECOND, 0);
  g_assert_cmpint (finding_of (trace, "D44")->verdict, ==, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

/* An event proves that another one was enabled only if every keyword mask that passes it passes the
 * other one, too. */
static void
test_only_what_no_setting_tells_apart_proves_another_event (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  row_add_kind (trace,
                &tcpip,
                1033,
                4,
                0x400000484); /* has a keyword that a retransmitted SYN lacks */
  g_assert_cmpint (finding_of (trace, "D10")->verdict, ==, NS_VERDICT_UNJUDGED);
  test_trace_free (trace);

  trace = test_trace_new (600 * SECOND);
  row_add_kind (trace, &tcpip, 1332, 4, 0x100000000);
  g_assert_cmpint (finding_of (trace, "D10")->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);

  trace = test_trace_new (600 * SECOND);
  row_add_kind (trace, &tcpip, 1332, 3, 0x100000000); /* a session with fewer keywords */
  g_assert_cmpint (finding_of (trace, "D10")->verdict, ==, NS_VERDICT_UNJUDGED);
  test_trace_free (trace);

  trace = test_trace_new (600 * SECOND);
  row_add_kind (trace,
                &tcpip,
                1130,
                4,
                0x8000000010); /* interface events prove nothing about connections */
  g_assert_cmpint (finding_of (trace, "D12")->verdict, ==, NS_VERDICT_UNJUDGED);
  test_trace_free (trace);
}

static void
test_a_session_that_asked_for_an_event_would_have_it (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsEnableRow *row = test_trace_add (trace->enables);

  row->guid = dns;
  row->level = 4;
  g_assert_cmpint (finding_of (trace, "D03")->verdict, ==, NS_VERDICT_NOT_FOUND);
  g_assert_cmpint (finding_of (trace, "D12")->verdict, ==, NS_VERDICT_UNJUDGED);
  test_trace_free (trace);
}

static void
test_what_is_missing_is_named (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row = finding_of (trace, "D42");

  g_assert_cmpuint (row->needs->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (row->needs, 0),
                   ==,
                   "Microsoft-Windows-LDAP-Client 30 (level 0, keyword 0x1)");
  test_trace_free (trace);
}

/* The request only has a general TLS error; the reason is in the handshake event. */
static void
test_tls_fails_for_the_reason_that_the_handshake_gives (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 0, 0, 80 * MS);
  NsWebioRow *request = &g_array_index (trace->webio, NsWebioRow, row->webio - 1);
  const NsFindingRow *finding;

  request->request = 0x1000;
  request->pid = PID;
  request->close_ns = 80 * MS;
  request->activity = row->webio;
  row->error = 12175;
  row->error_family = NS_CODE_WIN32;
  row_add_sign (trace, NS_SIGN_WEBIO, 703, 70 * MS, 0x80090325)->key = 0x1000;
  row_add_sign (trace, NS_SIGN_WEBIO, 135, 71 * MS, 12175)->key = 0x1000;
  finding = finding_of (trace, "D26");
  g_assert_cmpint (finding->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpuint (finding->count, ==, 1);
  g_assert_cmpuint (finding->marks->len, ==, 2);
  g_assert_cmpint (finding->cost_ns, ==, 80 * MS);
  g_assert_nonnull (strstr (finding->text, "SEC_E_UNTRUSTED_ROOT"));
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/findings/a-reset-needs-no-close", test_a_reset_needs_no_close);
  g_test_add_func ("/findings/a-reset-of-an-idle-connection-is-none",
                   test_a_reset_of_an_idle_connection_is_none);
  g_test_add_func ("/findings/a-keep-alive-that-nobody-answers-is-enough",
                   test_a_keep_alive_that_nobody_answers_is_enough);
  g_test_add_func ("/findings/a-connect-ends-with-the-record-that-says-why",
                   test_a_connect_ends_with_the_record_that_says_why);
  g_test_add_func ("/findings/what-a-session-lost-is-told-though-the-header-is-not",
                   test_what_a_session_lost_is_told_though_the_header_is_not);
  g_test_add_func ("/findings/only-what-no-setting-tells-apart-proves-another-event",
                   test_only_what_no_setting_tells_apart_proves_another_event);
  g_test_add_func ("/findings/a-session-that-asked-for-an-event-would-have-it",
                   test_a_session_that_asked_for_an_event_would_have_it);
  g_test_add_func ("/findings/tls-fails-for-the-reason-that-the-handshake-gives",
                   test_tls_fails_for_the_reason_that_the_handshake_gives);
  g_test_add_func ("/findings/what-is-missing-is-named", test_what_is_missing_is_named);
  return g_test_run ();
}
