/* Tests the limit on the connections examined for a WinHTTP event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#define SESSION P (0x1a0001000)
#define R1 P (0x1b0001000)
#define R2 P (0x1b0002000)
#define C1 P (0x1c0000100)
#define S1 P (0x610)
#define K1 P (0xffffaa0000001000)
#define REFUSED 10061u
/* Maximum number of equal IDs that are searched, newest first (ns-webio-state.h). */
#define MAX_LOOK_BACK 256

/* Writes events of the oldest connection after @n_newer others. */
typedef void (*Tell) (Story *story, guint n_newer);
/* Returns whether the events were assigned to the oldest connection. */
typedef gboolean (*IsFound) (const NsTrace *trace);

static void
assert_so_far (Tell tell, IsFound is_found)
{
  guint n;

  for (n = MAX_LOOK_BACK - 1; n <= MAX_LOOK_BACK; n++)
    {
      g_autoptr (Story) story = story_new ();
      NsTrace *trace;

      story_session (story, 0, SESSION);
      story_request (story, 1, R1, 1, SESSION, "https://a.com/");
      tell (story, n);
      trace = story_open (story, 2000);
      g_assert_cmpint (is_found (trace), ==, n < MAX_LOOK_BACK);
      ns_trace_unref (trace);
    }
}

static const NsWebioConn *
conn (const NsTrace *trace, guint row, guint n)
{
  const NsWebioRow *webio = &g_array_index (trace->webio, NsWebioRow, row);

  g_assert_cmpuint (row, <, trace->webio->len);
  g_assert_cmpuint (n, <, webio->n_conns);
  return &webio->conns[n];
}

/* Each address attempt is a connection with the same ID. */
static void
report_addresses (Story *story, guint n_newer)
{
  guint i;

  story_wait (story, 2, R1, 1, C1);
  for (i = 0; i <= n_newer; i++)
    story_connect (story, 3 + i, 1, C1, S1 + i * 8, "1.2.3.4:443");
}

static void
report_refusal (Story *story, guint n_newer)
{
  report_addresses (story, n_newer);
  story_connected (story, 1000, 1, C1, S1, REFUSED);
}

static gboolean
has_oldest_failed (const NsTrace *trace)
{
  return conn (trace, 0, 0)->error == REFUSED;
}

static void
test_who_was_connecting (void)
{
  assert_so_far (report_refusal, has_oldest_failed);
}

/* The oldest connection sends; the end event of the send has its context. */
static void
report_send (Story *story, guint n_newer)
{
  guint i;

  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 3, 1, C1, S1, "1.2.3.4:443");
  story_transfer (story, 4, 213, 1, C1, S1, 0x4400, 0);
  for (i = 1; i <= n_newer; i++)
    story_connect (story, 4 + i, 1, C1, S1 + i * 8, "1.2.3.4:443");
  story_transfer (story, 1000, 214, 1, C1, S1, 0x4400, 123);
}

static gboolean
has_oldest_sent (const NsTrace *trace)
{
  return conn (trace, 0, 0)->sent == 123;
}

static void
test_whose_transfer_ends (void)
{
  assert_so_far (report_send, has_oldest_sent);
}

/* A request may reuse an open socket; closed ones are skipped. */
static void
report_reuse (Story *story, guint n_newer)
{
  guint i;

  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 3, 1, C1, S1, "1.2.3.4:443");
  story_connected (story, 3.1, 1, C1, S1, 0);
  for (i = 1; i <= n_newer; i++)
    {
      story_connect (story, 4 + i, 1, C1, S1 + i * 8, "5.6.7.8:443");
      story_disconnect (story, 4.1 + i, 1, C1, S1 + i * 8);
    }
  story_request (story, 1000, R2, 2, SESSION, "https://a.com/2");
  story_wait (story, 1001, R2, 2, C1);
}

static gboolean
is_oldest_used_again (const NsTrace *trace)
{
  const NsWebioRow *again = &g_array_index (trace->webio, NsWebioRow, 1);

  g_assert_cmpuint (trace->webio->len, ==, 2);
  return again->n_conns == 1 && again->conns[0].socket == conn (trace, 0, 0)->socket;
}

static void
test_which_socket_is_open (void)
{
  assert_so_far (report_reuse, is_oldest_used_again);
}

/* The thread has since begun to connect to other addresses. */
static void
report_places (Story *story, guint n_newer)
{
  guint i;

  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 3, 1, C1, S1, "1.2.3.4:443");
  for (i = 1; i <= n_newer; i++)
    story_connect (story, 3 + i, 1, C1, S1 + i * 8, "5.6.7.8:443");
  story_tcp_connect (story, 1000, K1, "10.0.0.5:50001", "1.2.3.4:443");
}

static gboolean
has_oldest_its_tcp (const NsTrace *trace)
{
  return conn (trace, 0, 0)->tcp != 0;
}

static void
test_who_connects_to_an_address (void)
{
  assert_so_far (report_places, has_oldest_its_tcp);
}

/* WebIO reports another address than TCP, so only the time of the thread's own socket can match. */
static void
report_starts (Story *story, guint n_newer)
{
  guint i;

  story_wait (story, 2, R1, 1, C1);
  story_socket (story, 3, P (0xcc0000), 50001, "1.2.3.4:443");
  story_connect (story, 3.15, 1, C1, S1, "9.9.9.9:443");
  for (i = 1; i <= n_newer; i++)
    story_connect (story, 3 + i, 1, C1, S1 + i * 8, "5.6.7.8:443");
  story_tcp_connect (story, 1000, K1, "10.0.0.5:50001", "1.2.3.4:443");
}

static void
test_who_connected_at_that_time (void)
{
  assert_so_far (report_starts, has_oldest_its_tcp);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/webio-limits/who-was-connecting", test_who_was_connecting);
  g_test_add_func ("/webio-limits/whose-transfer-ends", test_whose_transfer_ends);
  g_test_add_func ("/webio-limits/which-socket-is-open", test_which_socket_is_open);
  g_test_add_func ("/webio-limits/who-connects-to-an-address", test_who_connects_to_an_address);
  g_test_add_func ("/webio-limits/who-connected-at-that-time", test_who_connected_at_that_time);
  return g_test_run ();
}
