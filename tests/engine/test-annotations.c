/* Tests which rows LDAP operations and URLMon downloads attach to, and the fields they add.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-link.h"
#include "engine/trace/ns-interval-index.h"

#include "story.h"

#define ENDPOINT P (0xffffcc0000000100)

static const NsLdapRow *
ldap_row (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->ldap->len, >, n);
  return &g_array_index (trace->ldap, NsLdapRow, n);
}

static void
report_search (Story *story, double ms, const char *filter)
{
  story_write (story,
               ms,
               STORY_LDAP,
               30,
               "dwwwd",
               2,
               filter,
               "DC=corp,DC=example",
               "cn,mail",
               story->pid);
}

static void
assert_ms (gint64 time_ns, double ms)
{
  g_assert_cmpint (time_ns, ==, (gint64) (ms * 1e6));
}

/* The search is sent by its own thread and answered by the next received bytes. */
static void
test_a_search_is_tied_to_the_socket_that_sends_it (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsLdapRow *row;

  story_socket (story, 1, ENDPOINT, 50001, "10.0.0.1:389");
  report_search (story, 20, "(cn=a)");
  story_socket_bytes (story, 21, 1003, ENDPOINT, 120);
  story_socket_bytes (story, 60, 1004, ENDPOINT, 900);
  story_socket_close (story, 80, ENDPOINT);
  trace = story_open (story, 100);

  row = ldap_row (trace, 0);
  story_assert_text (trace, row->filter, "(cn=a)");
  story_assert_text (trace, row->base, "DC=corp,DC=example");
  g_assert_cmpuint (row->attributes->len, ==, 2);
  assert_ms (row->open_ns, 20);
  assert_ms (row->close_ns, 60);
  g_assert_cmpint (row->confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  story_assert_text (trace, story_activity (trace, 0)->method, "LDAP search");
  g_assert_cmpuint (story_activity (trace, 0)->received, ==, 900);
  g_assert_cmpuint (story_activity (trace, 1)->parent, ==, 1);
  g_assert_cmpuint (story_activity (trace, 1)->received, ==, 0);

  /* Links have their own confidence: the search has a row of its own, and its socket is likely. */
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 2, NS_TABLE_LDAP, 1),
                   ==,
                   NS_CONFIDENCE_CERTAIN);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 2, NS_TABLE_ACTIVITIES, 1),
                   ==,
                   NS_CONFIDENCE_LIKELY);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 1, NS_TABLE_LDAP, 1),
                   ==,
                   NS_CONFIDENCE_LIKELY);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 1, NS_TABLE_WINSOCK, 1),
                   ==,
                   NS_CONFIDENCE_CERTAIN);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 3, NS_TABLE_LDAP, 1),
                   ==,
                   NS_LINK_NOT_JUDGED);
}

/* Two searches share one connection; a receive completes only the older one. */
static void
test_pipelined_searches_end_one_by_one (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 1, ENDPOINT, 50001, "10.0.0.1:389");
  report_search (story, 20, "(cn=a)");
  story_socket_bytes (story, 21, 1003, ENDPOINT, 120);
  report_search (story, 25, "(cn=b)");
  story_socket_bytes (story, 26, 1003, ENDPOINT, 120);
  story_socket_bytes (story, 60, 1004, ENDPOINT, 900);
  story_socket_bytes (story, 70, 1004, ENDPOINT, 900);
  trace = story_open (story, 100);

  assert_ms (ldap_row (trace, 0)->close_ns, 60);
  assert_ms (ldap_row (trace, 1)->close_ns, 70);
}

/* Without a socket the search has no end. */
static void
test_a_search_without_a_connection_stays_open (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_search (story, 20, "(cn=a)");
  trace = story_open (story, 100);

  g_assert_cmpuint (ldap_row (trace, 0)->winsock, ==, 0);
  g_assert_cmpint (ldap_row (trace, 0)->close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpuint (trace->activities->len, ==, 1);
}

/* The thread of the search makes the connection a moment later. */
static void
test_a_connection_made_for_the_search_is_inferred (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_search (story, 20, "(cn=a)");
  story_socket (story, 500, ENDPOINT, 50001, "10.0.0.1:3268");
  trace = story_open (story, 1000);

  g_assert_cmpuint (ldap_row (trace, 0)->winsock, ==, 1);
  g_assert_cmpint (ldap_row (trace, 0)->confidence, ==, NS_CONFIDENCE_INFERRED);
}

static void
test_errors_become_the_status_of_the_newest_search (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_search (story, 20, "(cn=a)");
  story_write (story, 30, STORY_LDAP, 29, "a", "server is down");
  trace = story_open (story, 100);

  story_assert_text (trace, ldap_row (trace, 0)->status, "server is down");
  g_assert_true (story_activity (trace, 0)->failed);
}

/* The open socket of the search is looked for only among the newest sockets. */
static void
test_sockets_are_searched_so_far_back_only (void)
{
  for (guint n_newer = NS_INTERVAL_INDEX_MAX_LOOK_BACK - 1;
       n_newer <= NS_INTERVAL_INDEX_MAX_LOOK_BACK;
       n_newer++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      story_socket (story, 1, ENDPOINT, 50001, "10.0.0.1:389");
      for (guint i = 1; i <= n_newer; i++)
        {
          story_socket (story, 1 + i, ENDPOINT + i * 0x100, 50001, "10.0.0.1:389");
          story_socket_close (story, 1.5 + i, ENDPOINT + i * 0x100);
        }
      story->tid = 44;
      report_search (story, 2000, "(cn=a)");
      trace = story_open (story, 3000);
      g_assert_cmpuint (trace->winsock->len, ==, n_newer + 1);
      g_assert_cmpuint (ldap_row (trace, 0)->winsock,
                        ==,
                        n_newer < NS_INTERVAL_INDEX_MAX_LOOK_BACK ? 1 : 0);
    }
}

/* Writes the events of a WinINet request from its creation to its close. */
static void
report_wininet (Story *story, double ms, const char *url)
{
  story->activity = P (0xcc000c00000001);
  story_write (story,
               ms,
               STORY_WININET,
               104,
               "ppccchhd",
               P (0xcc000c),
               P (1),
               "GET",
               "/x",
               "HTTP/1.1",
               0,
               0,
               0);
  story_write (story, ms + 0.1, STORY_WININET, 108, "pcdh", P (0xcc000c), "a.com", 443, 0);
  story_write (story, ms + 1, STORY_WININET, 1007, "pa", P (0x2a0000), url);
  story_write (story, ms + 30, STORY_WININET, 1037, "pd", P (0x2a0000), 2000);
  story_write (story, ms + 40, STORY_WININET, 1008, "pC", P (0x2a0000), "HTTP/1.1 200 OK");
  story->activity = 0;
}

/* The request names URLMon as its initiator. */
static void
test_a_download_is_an_annotation_of_its_request (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsUrlmonRow *row;

  story_write (story, 10, STORY_URLMON, 805, "dw", 0, "https://A.com/x#part");
  report_wininet (story, 11, "https://a.com/x");
  story_write (story, 60, STORY_URLMON, 803, "dwd", 4, "https://A.com/x#part", 4096);
  story_write (story, 61, STORY_URLMON, 802, "dw", 6, "https://A.com/x#part");
  trace = story_open (story, 100);

  row = &g_array_index (trace->urlmon, NsUrlmonRow, 0);
  g_assert_cmpuint (trace->urlmon->len, ==, 1);
  g_assert_cmpuint (row->bytes, ==, 4096);
  assert_ms (row->close_ns, 61);
  g_assert_cmpuint (row->wininet, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  g_assert_true ((story_activity (trace, 0)->layers & NS_LAYER_URLMON) != 0);
}

/* An aborted download keeps its error; without a request it has a row of its own. */
static void
test_an_aborted_download_has_its_reason (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 10, STORY_URLMON, 805, "dw", 0, "https://a.com/x");
  story_write (story, 20, STORY_URLMON, 806, "dw", 0x800c0005u, "https://a.com/x");
  story_write (story, 30, STORY_URLMON, 802, "dw", 2, "https://a.com/x");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->urlmon->len, ==, 2);
  g_assert_cmphex (story_activity (trace, 0)->error, ==, 0x800c0005u);
  g_assert_true (story_activity (trace, 0)->failed);
  story_assert_text (trace, story_activity (trace, 0)->server, "a.com");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/ldap/a-search-is-tied-to-the-socket-that-sends-it",
                   test_a_search_is_tied_to_the_socket_that_sends_it);
  g_test_add_func ("/ldap/sockets-are-searched-so-far-back-only",
                   test_sockets_are_searched_so_far_back_only);
  g_test_add_func ("/ldap/pipelined-searches-end-one-by-one",
                   test_pipelined_searches_end_one_by_one);
  g_test_add_func ("/ldap/a-search-without-a-connection-stays-open",
                   test_a_search_without_a_connection_stays_open);
  g_test_add_func ("/ldap/a-connection-made-for-the-search-is-inferred",
                   test_a_connection_made_for_the_search_is_inferred);
  g_test_add_func ("/ldap/errors-become-the-status-of-the-newest-search",
                   test_errors_become_the_status_of_the_newest_search);
  g_test_add_func ("/urlmon/a-download-is-an-annotation-of-its-request",
                   test_a_download_is_an_annotation_of_its_request);
  g_test_add_func ("/urlmon/an-aborted-download-has-its-reason",
                   test_an_aborted_download_has_its_reason);
  return g_test_run ();
}
