/* Tests objects without a name: lookups of the name give no warnings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stitch-fixture.h"
#include "story.h"

#define SESSION P (0x2a0000001)
#define R1 P (0x1b0000100)
#define C1 P (0x1c0000100)
#define ENDPOINT P (0xffff800000000010)
#define BASE P (0x7ff600000000)

/* Opens a trace of one request with a resolved address and the names in the DNS answer. */
static NsTrace *
open_lookup (const char *host, const char *canonical)
{
  g_autoptr (Story) story = story_new ();

  story_session (story, 0, SESSION);
  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story->activity = 1;
  story_write (story, 3, STORY_WEBIO, 205, "pwdq", C1, "a.com", 0, P (0));
  story_write (story, 5, STORY_WEBIO, 206, "pwwdA", C1, host, canonical, 1, "1.2.3.4");
  story_request_close (story, 60, R1, 1);
  return story_open (story, 100);
}

static void
test_an_answer_needs_no_canonical_name (void)
{
  NsTrace *trace = open_lookup ("a.com", "");

  g_assert_cmpuint (trace->activities->len, ==, 1);
  story_assert_text (trace, story_activity (trace, 0)->server, "a.com");
  ns_trace_unref (trace);
}

static void
test_an_answer_needs_no_name_but_the_canonical_one (void)
{
  NsTrace *trace = open_lookup ("", "b.com");

  g_assert_cmpuint (trace->activities->len, ==, 1);
  story_assert_text (trace, story_activity (trace, 0)->server, "a.com");
  ns_trace_unref (trace);
}

/* LDAP sockets are recognized by the module that opened them, whose name may be missing. */
static void
test_a_socket_may_be_opened_by_a_module_without_a_name (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  stitch_image_write (story->writer, story->pid, BASE, 0x10000, "");
  story->stack[0] = BASE + 0x1000;
  story_write (story,
               1,
               STORY_AFD,
               1000,
               "ddppdddpd",
               0,
               1002,
               P (0xbb0000 + story->pid),
               ENDPOINT,
               2,
               1,
               6,
               P (story->pid),
               0);
  story_write (story,
               2,
               STORY_AFD,
               1018,
               "ddpppddA",
               0,
               5031,
               P (0xbb0000 + story->pid),
               ENDPOINT,
               P (0),
               0,
               0,
               "1.2.3.4:3900");
  story_socket_close (story, 50, ENDPOINT);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->images->len, ==, 1);
  g_assert_cmpint (g_array_index (trace->images, NsImageRow, 0).name, ==, NS_STRING_NONE);
  g_assert_cmpuint (trace->winsock->len, ==, 1);
  g_assert_cmpuint (g_array_index (trace->winsock, NsWinsockRow, 0).stack, !=, 0);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/nameless/an-answer-needs-no-canonical-name",
                   test_an_answer_needs_no_canonical_name);
  g_test_add_func ("/nameless/an-answer-needs-no-name-but-the-canonical-one",
                   test_an_answer_needs_no_name_but_the_canonical_one);
  g_test_add_func ("/nameless/a-socket-may-be-opened-by-a-module-without-a-name",
                   test_a_socket_may_be_opened_by_a_module_without_a_name);
  return g_test_run ();
}
