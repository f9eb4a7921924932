/* Tests HTTP/1 exchanges in streams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-exchange.h"

#include <string.h>

/* Returns the number of bytes read. */
static gsize
feed_at (NsWireExchanges *self, NsWireSide side, gint64 time_ns, const char *text)
{
  gsize size = strlen (text);
  NsWireSegment bytes = { .data = (const guint8 *) text,
                          .captured = size,
                          .size = size,
                          .time_ns = time_ns,
                          .index = (guint64) time_ns };
  gsize n_used;

  ns_wire_exchanges_feed (self, side, &bytes, &n_used);
  return n_used;
}

static void
feed_gap (NsWireExchanges *self, NsWireSide side, gint64 time_ns, gsize size)
{
  NsWireSegment bytes = { .size = size, .time_ns = time_ns };
  gsize n_used;

  ns_wire_exchanges_feed (self, side, &bytes, &n_used);
}

/* Feeds the text byte by byte, all with the same time. */
static void
feed_slowly (NsWireExchanges *self, NsWireSide side, gint64 time_ns, const char *text)
{
  char one[2] = { 0 };

  for (; *text != '\0'; text++)
    {
      one[0] = *text;
      feed_at (self, side, time_ns, one);
    }
}

static const NsWireExchange *
exchange_at (const NsWireExchanges *self, guint n)
{
  const GArray *all = ns_wire_exchanges_get (self);

  g_assert_cmpuint (all->len, >, n);
  return &g_array_index (all, NsWireExchange, n);
}

#define GET "GET /a?b HTTP/1.1\r\nHost: h.example\r\n\r\n"
#define OK_5 "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"

static void
test_an_exchange_has_times_and_sizes (void)
{
  g_autoptr (NsWireExchanges) self = ns_wire_exchanges_new ();
  const NsWireExchange *exchange;

  feed_at (self, NS_WIRE_CLIENT, 10, "GET /a?b HTT");
  feed_at (self, NS_WIRE_CLIENT, 11, "P/1.1\r\nHost: h.example\r\n\r\n");
  feed_at (self, NS_WIRE_SERVER, 20, OK_5);
  feed_at (self, NS_WIRE_SERVER, 25, "hello");
  exchange = exchange_at (self, 0);

  g_assert_cmpstr (exchange->method, ==, "GET");
  g_assert_cmpstr (exchange->target, ==, "/a?b");
  g_assert_cmpstr (exchange->host, ==, "h.example");
  g_assert_cmpstr (exchange->status_line, ==, "HTTP/1.1 200 OK");
  g_assert_cmpuint (exchange->status, ==, 200);
  g_assert_cmpuint (exchange->sent, ==, strlen (GET));
  g_assert_cmpuint (exchange->received, ==, strlen (OK_5) + 5);
  g_assert_cmpint (exchange->announced, ==, 5);
  g_assert_cmpint (exchange->request_ns, ==, 10);
  g_assert_cmpint (exchange->request_end_ns, ==, 11);
  g_assert_cmpint (exchange->answer_ns, ==, 20);
  g_assert_cmpint (exchange->answer_end_ns, ==, 25);
  g_assert_cmpuint (exchange->request_index, ==, 10);
  g_assert_true (exchange->is_request_whole);
  g_assert_true (exchange->is_answer_whole);
}

static void
test_answers_come_in_the_order_of_requests (void)
{
  g_autoptr (NsWireExchanges) self = ns_wire_exchanges_new ();

  feed_at (self,
           NS_WIRE_CLIENT,
           1,
           "GET /1 HTTP/1.1\r\n\r\nHEAD /2 HTTP/1.1\r\n\r\n"
           "POST /3 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
  feed_at (self,
           NS_WIRE_SERVER,
           2,
           OK_5 "helloHTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"
                "HTTP/1.1 204 No Content\r\n\r\n");

  g_assert_cmpuint (ns_wire_exchanges_get (self)->len, ==, 3);
  g_assert_cmpstr (exchange_at (self, 0)->target, ==, "/1");
  /* A response to HEAD has no body, whatever length it announces. */
  g_assert_cmpstr (exchange_at (self, 1)->method, ==, "HEAD");
  g_assert_true (exchange_at (self, 1)->is_answer_whole);
  g_assert_cmpuint (exchange_at (self, 2)->status, ==, 204);
  g_assert_cmpuint (exchange_at (self, 2)->sent,
                    ==,
                    strlen ("POST /3 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"));
}

static void
test_chunks_end_with_an_empty_one (void)
{
  static const char answer[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
                               "5;x=y\r\nhello\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
  g_autoptr (NsWireExchanges) self = ns_wire_exchanges_new ();

  feed_at (self, NS_WIRE_CLIENT, 1, GET GET);
  feed_slowly (self, NS_WIRE_SERVER, 2, answer);
  feed_at (self, NS_WIRE_SERVER, 3, OK_5);
  g_assert_true (exchange_at (self, 0)->is_answer_whole);
  g_assert_cmpuint (exchange_at (self, 0)->received, ==, strlen (answer));
  g_assert_cmpuint (exchange_at (self, 1)->status, ==, 200);
  g_assert_false (exchange_at (self, 1)->is_answer_whole);
}

static void
test_an_interim_answer_is_part_of_the_final_one (void)
{
  static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";
  g_autoptr (NsWireExchanges) self = ns_wire_exchanges_new ();

  feed_at (self, NS_WIRE_CLIENT, 1, "PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\n");
  feed_at (self, NS_WIRE_SERVER, 2, interim);
  feed_at (self, NS_WIRE_CLIENT, 3, "ab");
  feed_at (self, NS_WIRE_SERVER, 4, OK_5 "hello");
  g_assert_cmpuint (ns_wire_exchanges_get (self)->len, ==, 1);
  g_assert_cmpuint (exchange_at (self, 0)->status, ==, 200);
  g_assert_cmpint (exchange_at (self, 0)->answer_ns, ==, 4);
  g_assert_cmpint (exchange_at (self, 0)->request_end_ns, ==, 3);
  g_assert_cmpuint (exchange_at (self, 0)->received, ==, strlen (interim) + strlen (OK_5) + 5);
}

static void
test_another_protocol_may_follow (void)
{
  static const char connect[] = "CONNECT h.example:443 HTTP/1.1\r\n\r\n";
  g_autoptr (NsWireExchanges) self = ns_wire_exchanges_new ();

  g_assert_cmpuint (feed_at (self, NS_WIRE_CLIENT, 1, connect), ==, strlen (connect));
  g_assert_false (ns_wire_exchanges_is_switched (self));
  g_assert_cmpuint (
      feed_at (self, NS_WIRE_SERVER, 2, "HTTP/1.1 200 Established\r\n\r\n\026\003\001"),
      ==,
      strlen ("HTTP/1.1 200 Established\r\n\r\n"));
  g_assert_true (ns_wire_exchanges_is_switched (self));
  g_assert_cmpuint (feed_at (self, NS_WIRE_CLIENT, 3, "\026\003\001"), ==, 0);
}

static void
test_the_end_ends_an_answer (void)
{
  g_autoptr (NsWireExchanges) closed = ns_wire_exchanges_new ();
  g_autoptr (NsWireExchanges) cut = ns_wire_exchanges_new ();

  feed_at (closed, NS_WIRE_CLIENT, 1, GET);
  feed_at (closed, NS_WIRE_SERVER, 2, "HTTP/1.0 200 OK\r\n\r\nabc");
  ns_wire_exchanges_end (closed, NS_WIRE_SERVER, TRUE);
  g_assert_true (exchange_at (closed, 0)->is_answer_whole);
  feed_at (cut, NS_WIRE_CLIENT, 1, GET);
  feed_at (cut, NS_WIRE_SERVER, 2, OK_5 "hel");
  ns_wire_exchanges_end (cut, NS_WIRE_SERVER, TRUE);
  g_assert_false (exchange_at (cut, 0)->is_answer_whole);
  g_assert_cmpuint (exchange_at (cut, 0)->received, ==, strlen (OK_5) + 3);
}

static void
test_bodies_need_not_be_captured (void)
{
  g_autoptr (NsWireExchanges) self = ns_wire_exchanges_new ();

  feed_at (self, NS_WIRE_CLIENT, 1, GET GET);
  feed_at (self, NS_WIRE_SERVER, 2, OK_5);
  feed_gap (self, NS_WIRE_SERVER, 3, 5);
  feed_at (self, NS_WIRE_SERVER, 4, "HTTP/1.1 404 Not Found\r\nServer: x\r\nX-Cu");
  feed_gap (self, NS_WIRE_SERVER, 5, 100);
  feed_at (self, NS_WIRE_SERVER, 6, OK_5 "hello");
  g_assert_true (exchange_at (self, 0)->is_answer_whole);
  g_assert_cmpuint (exchange_at (self, 0)->received, ==, strlen (OK_5) + 5);
  /* The status line was complete; what follows is unknown. */
  g_assert_cmpuint (exchange_at (self, 1)->status, ==, 404);
  g_assert_false (exchange_at (self, 1)->is_answer_whole);
  g_assert_cmpuint (ns_wire_exchanges_get (self)->len, ==, 2);
}

static void
test_other_streams_are_none (void)
{
  static const char *const others[] = { "EHLO me\r\n\r\n",
                                        "GET /\r\n\r\n",
                                        "USER x\r\n",
                                        "GET x HTTP/2\r\n\r\n",
                                        "\026\003\001" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (NsWireExchanges) self = ns_wire_exchanges_new ();

      feed_slowly (self, NS_WIRE_CLIENT, 1, others[i]);
      feed_at (self, NS_WIRE_CLIENT, 1, GET);
      ns_wire_exchanges_end (self, NS_WIRE_CLIENT, TRUE);
      g_assert_cmpuint (ns_wire_exchanges_get (self)->len, ==, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/exchange/an-exchange-has-times-and-sizes",
                   test_an_exchange_has_times_and_sizes);
  g_test_add_func ("/exchange/answers-come-in-the-order-of-requests",
                   test_answers_come_in_the_order_of_requests);
  g_test_add_func ("/exchange/chunks-end-with-an-empty-one", test_chunks_end_with_an_empty_one);
  g_test_add_func ("/exchange/an-interim-answer-is-part-of-the-final-one",
                   test_an_interim_answer_is_part_of_the_final_one);
  g_test_add_func ("/exchange/another-protocol-may-follow", test_another_protocol_may_follow);
  g_test_add_func ("/exchange/the-end-ends-an-answer", test_the_end_ends_an_answer);
  g_test_add_func ("/exchange/bodies-need-not-be-captured", test_bodies_need_not_be_captured);
  g_test_add_func ("/exchange/other-streams-are-none", test_other_streams_are_none);
  return g_test_run ();
}
