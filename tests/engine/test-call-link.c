/* Tests the assignment of WinSock calls to sockets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-time.h"
#include "engine/net/winsock/ns-call-link.h"
#include "engine/trace/ns-interval-index.h"
#include "ns-test-trace.h"

#define PROCESS 0xffffa001
#define ENDPOINT 0xe1
#define BUSY_ENDPOINT 0xb5
#define PEER_A "192.0.2.1"
#define PEER_B "192.0.2.2"

static void
add_socket (NsTrace *trace, guint64 endpoint, const char *peer, gint64 open_ns, gint64 close_ns)
{
  NsWinsockRow *row = test_trace_add_winsock (trace);

  row->endpoint = endpoint;
  row->process_object = PROCESS;
  row->remote = test_trace_end (trace, peer, 443);
  row->open_ns = open_ns;
  row->close_ns = close_ns;
}

/* Adds a second endpoint that has more sockets than the search looks at, all to one peer. */
static void
add_busy_endpoint (NsTrace *trace)
{
  guint i;

  for (i = 0; i <= NS_INTERVAL_INDEX_MAX_LOOK_BACK; i++)
    add_socket (trace, BUSY_ENDPOINT, PEER_A, i, i);
}

/* Returns the row of the socket that a call on @endpoint at @time_ns is assigned to, or 0. */
static NsRow
socket_of_call (NsTrace *trace, guint64 endpoint, const char *peer, gint64 time_ns)
{
  g_autoptr (GArray) owners = g_array_new (FALSE, FALSE, sizeof (NsCallOwner));
  NsCallOwner owner = { PROCESS };
  NsCallRow *call;

  g_array_set_size (trace->calls, 0);
  call = test_trace_add (trace->calls);
  call->endpoint = endpoint;
  if (peer != NULL)
    call->remote = *test_trace_end (trace, peer, 443);
  call->open_ns = time_ns;
  call->close_ns = time_ns + 1;
  g_array_append_val (owners, owner);
  ns_call_link_sockets (trace, owners);
  ns_call_link_activities (trace, owners);
  return call->winsock;
}

/* The result for one endpoint does not depend on the number of sockets of another one. */
static void
test_a_busy_endpoint_takes_no_socket_from_others (void)
{
  static const struct
  {
    const char *peer;
    gint64 time_ns;
    NsRow expected;
  } asked[] = {
    { PEER_A, 150, 1 },
    /* The socket to this peer is closed, so the call gets the open one. */
    { PEER_A, 350, 2 },
    { PEER_B, 350, 2 },
    { NULL, 350, 2 },
    { PEER_B, 250, 0 },
  };
  gboolean is_busy;
  guint i;

  for (is_busy = FALSE; is_busy <= TRUE; is_busy++)
    {
      NsTrace *trace = test_trace_new (NS_PER_SECOND);

      add_socket (trace, ENDPOINT, PEER_A, 100, 200);
      add_socket (trace, ENDPOINT, PEER_B, 300, 400);
      if (is_busy)
        add_busy_endpoint (trace);
      for (i = 0; i < G_N_ELEMENTS (asked); i++)
        g_assert_cmpuint (socket_of_call (trace, ENDPOINT, asked[i].peer, asked[i].time_ns),
                          ==,
                          asked[i].expected);
      test_trace_free (trace);
    }
}

/* Another endpoint and peer may hash to the same key; the comparison must tell them apart. */
static void
test_a_socket_of_another_endpoint_is_never_taken (void)
{
  NsTrace *trace = test_trace_new (NS_PER_SECOND);
  guint64 other = ENDPOINT ^ ns_endpoint_hash (test_trace_end (trace, PEER_A, 443)) ^
                  ns_endpoint_hash (test_trace_end (trace, PEER_B, 443));

  add_busy_endpoint (trace);
  add_socket (trace, other, PEER_B, 100, 200);
  g_assert_cmpuint (socket_of_call (trace, other, PEER_B, 150), ==, trace->winsock->len);
  g_assert_cmpuint (socket_of_call (trace, ENDPOINT, PEER_A, 150), ==, 0);
  test_trace_free (trace);
}

/* The socket to the requested peer is found among very many open sockets of the endpoint. */
static void
test_the_peer_named_is_found_among_very_many (void)
{
  NsTrace *trace = test_trace_new (NS_PER_SECOND);
  guint i;

  add_socket (trace, ENDPOINT, PEER_B, 0, 900);
  for (i = 1; i <= NS_INTERVAL_INDEX_MAX_LOOK_BACK; i++)
    add_socket (trace, ENDPOINT, PEER_A, i, 900);
  g_assert_cmpuint (socket_of_call (trace, ENDPOINT, PEER_B, 800), ==, 1);
  g_assert_cmpuint (socket_of_call (trace, ENDPOINT, PEER_A, 800), ==, trace->winsock->len);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/call-link/a-busy-endpoint-takes-no-socket-from-others",
                   test_a_busy_endpoint_takes_no_socket_from_others);
  g_test_add_func ("/call-link/a-socket-of-another-endpoint-is-never-taken",
                   test_a_socket_of_another_endpoint_is_never_taken);
  g_test_add_func ("/call-link/the-peer-named-is-found-among-very-many",
                   test_the_peer_named_is_found_among_very_many);
  return g_test_run ();
}
