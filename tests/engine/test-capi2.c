/* Tests CAPI2 certificate checks: one row each, nesting, and retrieved objects.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/capi2/ns-capi2.h"

#include "story.h"

#define TASK "{11111111-2222-3333-4444-555555555555}"
#define OTHER "{99999999-2222-3333-4444-555555555555}"
#define URL "http://crl.example/r.crl"

static const NsCapi2Row *
check (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->capi2->len, >, n);
  return &g_array_index (trace->capi2, NsCapi2Row, n);
}

static void
tell (Story *story, double ms, guint id, const char *task, const char *content)
{
  g_autofree char *xml = g_strdup_printf ("<A>%s<CorrelationAuxInfo TaskId=\"%s\" "
                                          "SeqNumber=\"%u\"/></A>",
                                          content,
                                          task,
                                          id);

  story_write (story, ms, STORY_CAPI2, id, "w", xml);
}

/* Checks nest, and retrieved objects become children of their check. */
static void
test_checks_are_nested_and_retrieve (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell (story, 10, 10, TASK, "");
  tell (story, 11, 40, TASK, "");
  tell (story, 12, 52, TASK, "");
  story_request (story, 13, P (0x2000), P (0x1000), P (0x900), URL);
  story_request_close (story, 20, P (0x2000), P (0x1000));
  tell (story, 30, 53, TASK, "<URL scheme=\"http\">" URL "</URL><Result value=\"5B4\"/>");
  tell (story,
        31,
        41,
        TASK,
        "<Certificate subjectName=\"a &amp; b\"/><Result value=\"80092013\"/>");
  tell (story, 32, 11, TASK, "<Result value=\"0\"/>");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->capi2->len, ==, 3);
  g_assert_cmpuint (check (trace, 0)->parent, ==, 0);
  g_assert_cmpuint (check (trace, 1)->parent, ==, 1);
  g_assert_cmpuint (check (trace, 2)->parent, ==, 2);
  g_assert_cmpuint (check (trace, 2)->http, ==, 1);
  g_assert_cmpint (check (trace, 2)->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpuint (check (trace, 2)->layer.activity, ==, 1);
  g_assert_cmpint (check (trace, 2)->layer.status, ==, 0x5b4);
  g_assert_cmpint (check (trace, 1)->layer.status, ==, 0x80092013);
  g_assert_cmpint (check (trace, 0)->layer.status, ==, 0);
  g_assert_cmpuint (check (trace, 0)->seq, ==, 10);
  story_assert_text (trace, check (trace, 1)->subject, "a & b");
  story_assert_text (trace, check (trace, 2)->url, URL);
}

/* Start and stop events are matched by process, thread, task and kind, newest start first. */
static void
test_checks_of_others_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell (story, 10, 10, TASK, "");
  tell (story, 11, 10, OTHER, "");
  tell (story, 12, 10, TASK, "");
  story->pid = 101;
  tell (story, 20, 11, TASK, "");
  story->pid = 100;
  tell (story, 30, 11, TASK, "");
  tell (story, 40, 11, TASK, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->capi2->len, ==, 4);
  g_assert_true (check (trace, 0)->layer.opened_before_trace);
  g_assert_cmpuint (check (trace, 0)->layer.pid, ==, 101);
  g_assert_cmpint (check (trace, 1)->layer.close_ns, ==, 40 * 1000000);
  g_assert_cmpint (check (trace, 2)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (check (trace, 3)->layer.close_ns, ==, 30 * 1000000);
  g_assert_cmpuint (check (trace, 3)->parent, ==, 2);
}

/* Truncated XML, XML with declarations and text that is no XML still make a row of what was
 * read. */
static void
test_broken_texts_make_rows (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 10, STORY_CAPI2, 10, "w", "<A><Certificate subjectName=\"a.com\"/><Correla");
  story_write (story, 20, STORY_CAPI2, 30, "w", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>");
  story_write (story, 30, STORY_CAPI2, 52, "x", "00");
  story_write (story, 40, STORY_CAPI2, 53, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->capi2->len, ==, 3);
  story_assert_text (trace, check (trace, 0)->subject, "a.com");
  g_assert_true (ns_guid_is_zero (&check (trace, 0)->task));
  g_assert_cmpint (check (trace, 0)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpuint (check (trace, 1)->kind, ==, NS_CAPI2_POLICY);
  g_assert_cmpuint (check (trace, 1)->parent, ==, 0);
  g_assert_cmpint (check (trace, 2)->layer.close_ns, ==, 40 * 1000000);
  g_assert_cmpint (check (trace, 2)->layer.status, ==, NS_UNKNOWN);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/capi2/checks-are-nested-and-retrieve", test_checks_are_nested_and_retrieve);
  g_test_add_func ("/capi2/checks-of-others-are-told-apart", test_checks_of_others_are_told_apart);
  g_test_add_func ("/capi2/broken-texts-make-rows", test_broken_texts_make_rows);
  return g_test_run ();
}
