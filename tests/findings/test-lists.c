/* Tests the lists that rules read: order of attempts, calls by socket, sieves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "finding-claims.h"

#define N_ROWS 700
#define N_PROCESSES 5
#define N_TIMES 40

static GArray *
list_attempts (const NsTrace *trace)
{
  NsFindingCalls *calls = ns_finding_calls_new (trace);
  GArray *attempts = ns_attempts_new (trace, calls);

  ns_finding_calls_free (calls);
  return attempts;
}

static gint
compare_numbers (gint64 left, gint64 right)
{
  return (left > right) - (left < right);
}

/* Compares by process, server, time, table and row. */
static gint
compare_attempts (const NsAttempt *left, const NsAttempt *right)
{
  gint order = compare_numbers (left->pid, right->pid);

  if (order == 0)
    order = compare_numbers (left->server, right->server);
  if (order == 0)
    order = compare_numbers (left->open_ns, right->open_ns);
  if (order == 0)
    order = compare_numbers (left->table, right->table);
  return order != 0 ? order : compare_numbers (left->row, right->row);
}

static void
assert_sorted (const GArray *attempts)
{
  guint i;

  for (i = 1; i < attempts->len; i++)
    g_assert_cmpint (compare_attempts (&g_array_index (attempts, NsAttempt, i - 1),
                                       &g_array_index (attempts, NsAttempt, i)),
                     <,
                     0);
}

/* Adds a connect by TCPIP, and one that WinHTTP alone recorded; @conn: (out): its connection. */
static void
add_connects (NsTrace *trace, guint n, NsWebioConn *conn)
{
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0, n * SECOND, MS);
  NsWebioRow *request = test_trace_add (trace->webio);

  tcp->pid = (guint32) g_test_rand_int_range (0, N_PROCESSES);
  tcp->server = (NsString) g_test_rand_int_range (0, N_PROCESSES);
  tcp->open_ns = n % 7 == 0 ? NS_TIME_NONE : g_test_rand_int_range (-N_TIMES, N_TIMES) * SECOND;
  conn->remote = row_end (trace, "192.0.2.2:443");
  conn->start_ns = g_test_rand_int_range (0, N_TIMES) * SECOND;
  conn->stop_ns = conn->start_ns + (1 + (gint64) n) * 10 * SECOND;
  request->pid = tcp->pid;
  request->server = tcp->server;
  request->conns = conn;
  request->n_conns = 1;
}

static void
test_attempts_of_all_layers_are_in_order (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  g_autofree NsWebioConn *conns = g_new0 (NsWebioConn, N_ROWS);
  GArray *attempts;
  guint i;

  for (i = 0; i < N_ROWS; i++)
    {
      NsCallRow *call = row_add_call (trace, "connect", 0, SECOND, 0);

      call->pid = (guint32) g_test_rand_int_range (0, N_PROCESSES);
      call->winsock = 0;
      call->remote = row_endpoint ("192.0.2.3:443");
      call->open_ns = g_test_rand_int_range (0, N_TIMES) * SECOND;
      call->close_ns = call->open_ns + (1 + (gint64) i) * 10 * SECOND;
      add_connects (trace, i, &conns[i]);
    }
  attempts = list_attempts (trace);
  g_assert_cmpuint (attempts->len, ==, 3 * N_ROWS);
  assert_sorted (attempts);
  g_array_unref (attempts);
  test_trace_free (trace);
}

static void
test_an_attempt_that_two_layers_recorded_counts_once (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0, SECOND, MS);
  NsCallRow *call = row_add_call (trace, "connect", 0, SECOND, 0);
  GArray *attempts;

  tcp->close_ns = call->close_ns;
  call->pid = tcp->pid;
  attempts = list_attempts (trace);
  g_assert_cmpuint (attempts->len, ==, 1);
  g_assert_cmpuint (g_array_index (attempts, NsAttempt, 0).table, ==, NS_TABLE_TCP);
  g_array_unref (attempts);

  call->close_ns = tcp->close_ns + 2 * SECOND;
  attempts = list_attempts (trace);
  g_assert_cmpuint (attempts->len, ==, 2);
  g_array_unref (attempts);
  test_trace_free (trace);
}

static void
test_calls_are_listed_by_socket (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsFindingCalls *calls;
  guint i;

  row_add_call (trace, "socket", 0, SECOND, 0)->winsock = 0;
  test_trace_add_winsock (trace);
  row_add_call (trace, "send", 0, SECOND, 100)->winsock = 2;
  row_add_call (trace, "connect", 5, SECOND, 0);
  row_add_call (trace, "recv", 0, SECOND, 100)->winsock = 2;
  row_add_call (trace, "send", 0, SECOND, 100)->winsock = 9; /* there is no such socket */
  row_add_call (trace, "close", 0, SECOND, 0)->violation = NS_CALL_CLOSED_UNUSED;

  calls = ns_finding_calls_new (trace);
  g_assert_cmpuint (calls->first[1], ==, 0);
  g_assert_cmpuint (calls->first[2], ==, 2);
  g_assert_cmpuint (calls->first[3], ==, 4);
  for (i = 0; i < 4; i++)
    {
      static const NsRow rows[] = { 3, 6, 2, 4 };

      g_assert_cmpuint (calls->rows[i], ==, rows[i]);
    }
  g_assert_cmpuint (calls->n_sends[1], ==, 0);
  g_assert_cmpuint (calls->n_sends[2], ==, 1);
  g_assert_cmpuint (calls->connects->len, ==, 1);
  g_assert_cmpuint (g_array_index (calls->connects, NsRow, 0), ==, 3);
  g_assert_cmpuint (calls->failed->len, ==, 1);
  g_assert_cmpuint (g_array_index (calls->failed, NsRow, 0), ==, 3);
  g_assert_cmpuint (calls->odd->len, ==, 1);
  g_assert_cmpuint (g_array_index (calls->odd, NsRow, 0), ==, 6);
  ns_finding_calls_free (calls);
  test_trace_free (trace);
}

static void
test_a_sieve_never_counts_too_few (void)
{
  NsFindingSieve *sieve = ns_finding_sieve_new (N_ROWS);
  guint i;

  for (i = 0; i < N_ROWS; i++)
    ns_finding_sieve_add (sieve, ns_finding_sieve_mix (i / 7, i % 7));
  for (i = 0; i < N_ROWS; i++)
    g_assert_cmpuint (ns_finding_sieve_get (sieve, ns_finding_sieve_mix (i / 7, i % 7)), >=, 1);
  for (i = 0; i < 2 * G_MAXUINT16; i++)
    ns_finding_sieve_add (sieve, 1);
  g_assert_cmpuint (ns_finding_sieve_get (sieve, 1), ==, G_MAXUINT16);
  g_assert_true (
      ns_finding_sieve_may_be (ns_finding_sieve_get (sieve, 1), (guint) 2 * G_MAXUINT16));
  g_assert_true (ns_finding_sieve_may_be (0, 0));
  g_assert_false (ns_finding_sieve_may_be (2, 3));
  ns_finding_sieve_free (sieve);
}

static void
test_a_name_that_is_an_address_is_the_same_peer (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsString name = row_text (trace, "192.0.2.1");
  const NsEndpoint *end = row_end (trace, "192.0.2.1:443");

  g_assert_cmpuint (ns_findings_hash_peer (trace, 8, name, &ns_endpoint_pool_none),
                    ==,
                    ns_findings_hash_peer (trace, 8, NS_STRING_NONE, end));
  g_assert_cmpuint (ns_findings_hash_peer (trace, 8, name, end),
                    !=,
                    ns_findings_hash_peer (trace, 12, name, end));
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/findings/attempts-of-all-layers-are-in-order",
                   test_attempts_of_all_layers_are_in_order);
  g_test_add_func ("/findings/an-attempt-that-two-layers-recorded-counts-once",
                   test_an_attempt_that_two_layers_recorded_counts_once);
  g_test_add_func ("/findings/calls-are-listed-by-socket", test_calls_are_listed_by_socket);
  g_test_add_func ("/findings/a-sieve-never-counts-too-few", test_a_sieve_never_counts_too_few);
  g_test_add_func ("/findings/a-name-that-is-an-address-is-the-same-peer",
                   test_a_name_that_is_an_address_is_the_same_peer);
  return g_test_run ();
}
