/* Tests BITS transfers: one row each, byte counts, and their requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-link.h"
#include "engine/app/bits/ns-bits.h"

#include "story.h"

#define TRANSFER "aaaaaaaa-0001-0002-0003-000000000001"
#define JOB "bbbbbbbb-0001-0002-0003-000000000001"
#define URL "http://download.example/u/a.cab"
#define UNKNOWN P (G_MAXUINT64)
#define H P (0x1000)
#define CONNECTION P (0x3000)
#define SOCKET P (0x4000)

static const NsBitsRow *
bits_row (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->bits->len, >, n);
  return &g_array_index (trace->bits, NsBitsRow, n);
}

static void
report_start (Story *story, double ms, const char *url, guint64 total, guint64 transferred)
{
  story_write_version (story,
                       ms,
                       STORY_BITS,
                       59,
                       1,
                       "gwgwwqqqqq",
                       TRANSFER,
                       "Update",
                       JOB,
                       url,
                       "",
                       P (0),
                       P (0),
                       total,
                       transferred,
                       P (0));
}

static void
report_stop (Story *story, double ms, const char *url, guint status, guint64 transferred)
{
  story_write_version (story,
                       ms,
                       STORY_BITS,
                       status == 0 ? 60 : 61,
                       1,
                       "gwgwwdqqqqwqqddqd",
                       TRANSFER,
                       "Update",
                       JOB,
                       url,
                       "",
                       status,
                       P (0),
                       P (0),
                       P (500000),
                       transferred,
                       "http://bob:secret@proxy.example:8080",
                       P (0),
                       P (7),
                       0,
                       0,
                       P (0),
                       0);
}

static void
report_request (Story *story, double ms, guint64 offset, const char *url)
{
  story_request (story, ms, P (0x2000) + offset, H + offset, P (0x900), url);
  story_wait (story, ms + 1, P (0x2000) + offset, H + offset, CONNECTION + offset);
  story_connect (story, ms + 2, H + offset, CONNECTION + offset, SOCKET + offset, "1.2.3.4:80");
  story_connected (story, ms + 3, H + offset, CONNECTION + offset, SOCKET + offset, 0);
  story_receive (story, ms + 4, H + offset, CONNECTION + offset, SOCKET + offset, 1000);
  story_request_close (story, ms + 5, P (0x2000) + offset, H + offset);
}

/* The requests are children of the transfer, and its bytes are the sum of theirs. */
static void
test_a_transfer_is_the_parent_of_its_requests (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsBitsRow *row;

  story_write_version (story,
                       1,
                       STORY_BITS,
                       3,
                       2,
                       "wgwwd",
                       "Update",
                       JOB,
                       "CORP\\u",
                       "C:\\app.exe",
                       77);
  report_start (story, 10, URL, 500000, 100000);
  report_request (story, 20, 0, URL "#part");
  report_request (story, 40, 0x100, "http://download.example/u/b.cab");
  story->pid = 101;
  report_request (story, 60, 0x200, URL);
  story->pid = 100;
  report_stop (story, 80, URL, 0, 500000);
  report_request (story, 90, 0x300, URL);
  trace = story_open (story, 100);

  row = bits_row (trace, 0);
  g_assert_cmpuint (trace->bits->len, ==, 1);
  story_assert_text (trace, row->server, "download.example");
  story_assert_text (trace, row->job_path, "C:\\app.exe");
  g_assert_cmpuint (row->job_pid, ==, 77);
  g_assert_cmpuint (row->transferred, ==, 400000);
  g_assert_cmpuint (row->bytes_total, ==, 500000);
  g_assert_cmpuint (row->from_peer, ==, 7);
  g_assert_cmpint (row->layer.status, ==, 0);
  g_assert_cmpint (row->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpstr (row->layer.evidence[0], ==, "url");
  g_assert_cmpuint (row->requests->len, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 5);
  g_assert_cmpuint (row->layer.activity, ==, 1);
  g_assert_cmpuint (story_activity (trace, 0)->received, ==, 0);
  g_assert_cmpuint (story_activity (trace, 1)->parent, ==, 1);
  g_assert_cmpuint (story_activity (trace, 1)->received, ==, 1000);
  g_assert_true ((story_activity (trace, 1)->layers & NS_LAYER_BITS) != 0);
  g_assert_cmpuint (story_activity (trace, 2)->parent, ==, 0);
  g_assert_cmpuint (story_activity (trace, 3)->parent, ==, 0);
  g_assert_cmpuint (story_activity (trace, 4)->parent, ==, 0);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 2, NS_TABLE_ACTIVITIES, 1),
                   ==,
                   NS_CONFIDENCE_LIKELY);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 1, NS_TABLE_BITS, 1),
                   ==,
                   NS_CONFIDENCE_CERTAIN);
}

/* A transfer that is started again after its stop event has a second row. */
static void
test_a_transfer_that_begins_again_is_counted (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_start (story, 10, URL, UNKNOWN, 0);
  report_stop (story, 20, URL, 0x80190194, 10);
  report_start (story, 30, URL, UNKNOWN, 10);
  report_start (story, 50, URL, UNKNOWN, 20);
  report_stop (story, 60, URL, 0, 30);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->bits->len, ==, 3);
  g_assert_cmpuint (bits_row (trace, 0)->attempt, ==, 1);
  g_assert_cmpuint (bits_row (trace, 1)->attempt, ==, 2);
  g_assert_cmpuint (bits_row (trace, 2)->attempt, ==, 3);
  g_assert_cmpint (bits_row (trace, 0)->layer.status, ==, 0x80190194);
  g_assert_true (story_activity (trace, 0)->failed);
  g_assert_cmpint (story_activity (trace, 0)->error_family, ==, NS_CODE_HRESULT);
  /* The stop event is missing: the row closes when the transfer is started again. */
  g_assert_cmpint (bits_row (trace, 1)->layer.close_ns, ==, 50 * 1000000 - 1);
  g_assert_cmpint (bits_row (trace, 1)->layer.status, ==, NS_UNKNOWN);
  g_assert_cmpuint (bits_row (trace, 2)->transferred, ==, 10);
  g_assert_cmpuint (story_activity (trace, 2)->received, ==, 10);
}

/* A status other than 0 can be a success. */
static void
test_a_success_is_no_failure (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_start (story, 10, URL, 10, 0);
  report_stop (story, 20, URL, 0x00200017, 10); /* BG_S_PARTIAL_COMPLETE */
  trace = story_open (story, 100);

  g_assert_cmpint (bits_row (trace, 0)->layer.status, ==, 0x00200017);
  g_assert_false (story_activity (trace, 0)->failed);
}

/* Unknown fields of a transfer that began before the trace or is still running stay unset. */
static void
test_what_lies_outside_of_the_trace_is_not_known (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_start (story, 5, URL, UNKNOWN, 0);
  report_stop (story, 10, URL, 0, 300);
  report_stop (story, 20, URL, 0, 400);
  report_start (story, 30, URL, UNKNOWN, UNKNOWN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->bits->len, ==, 3);
  g_assert_true (bits_row (trace, 0)->layer.opened_before_trace);
  g_assert_cmpint (bits_row (trace, 0)->layer.open_ns, ==, 0);
  g_assert_cmpuint (bits_row (trace, 0)->transferred, ==, NS_BITS_UNKNOWN);
  g_assert_cmpint (bits_row (trace, 2)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (bits_row (trace, 2)->layer.confidence, ==, -1);
  g_assert_cmpuint (bits_row (trace, 2)->bytes_total, ==, NS_BITS_UNKNOWN);
  g_assert_cmpuint (bits_row (trace, 2)->job_pid, ==, NS_PID_UNKNOWN);
}

/* Payloads may be truncated at any length; the complete fields are read. */
static void
test_payloads_may_be_cut_off (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 10, STORY_BITS, 59, "x", "0102");
  story_write (story, 20, STORY_BITS, 59, "gwg", TRANSFER, "Update", JOB);
  story_write (story, 30, STORY_BITS, 60, "gw", TRANSFER, "Update");
  story_write_version (story, 40, STORY_BITS, 3, 2, "wx", "Update", "00");
  story_write_version (story, 50, STORY_BITS, 3, 0, "www", "a", "b", "c");
  report_start (story, 60, URL, 1, 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->bits->len, ==, 2);
  g_assert_cmpuint (bits_row (trace, 0)->url, ==, NS_STRING_NONE);
  g_assert_cmpint (bits_row (trace, 0)->layer.close_ns, ==, 30 * 1000000);
  g_assert_cmpint (bits_row (trace, 0)->layer.status, ==, NS_UNKNOWN);
  g_assert_cmpuint (bits_row (trace, 1)->job_pid, ==, NS_PID_UNKNOWN);
}

/* Extra fields appended by newer Windows versions are ignored. */
static void
test_longer_payloads_are_read_as_before (void)
{
  static const char more[] = "ffffffffffffffff41004200";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsBitsRow *row;

  story_write_version (story,
                       5,
                       STORY_BITS,
                       3,
                       3,
                       "wgwwdx",
                       "Update",
                       JOB,
                       "CORP\\u",
                       "C:\\app.exe",
                       77,
                       more);
  story_write_version (story,
                       10,
                       STORY_BITS,
                       59,
                       2,
                       "gwgwwqqqqqx",
                       TRANSFER,
                       "Update",
                       JOB,
                       URL,
                       "",
                       P (0),
                       P (0),
                       P (500),
                       P (100),
                       P (0),
                       more);
  story_write_version (story,
                       20,
                       STORY_BITS,
                       60,
                       2,
                       "gwgwwdqqqqwqqddqdx",
                       TRANSFER,
                       "Update",
                       JOB,
                       URL,
                       "",
                       0,
                       P (0),
                       P (0),
                       P (500),
                       P (450),
                       "proxy.example:8080",
                       P (0),
                       P (7),
                       0,
                       0,
                       P (0),
                       0,
                       more);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->bits->len, ==, 1);
  row = bits_row (trace, 0);
  story_assert_text (trace, row->url, URL);
  story_assert_text (trace, row->job_path, "C:\\app.exe");
  story_assert_text (trace, row->proxy, "proxy.example:8080");
  g_assert_cmpuint (row->job_pid, ==, 77);
  g_assert_cmpuint (row->bytes_total, ==, 500);
  g_assert_cmpuint (row->transferred, ==, 350);
  g_assert_cmpuint (row->from_peer, ==, 7);
  g_assert_cmpint (row->layer.status, ==, 0);
}

/* Two processes may log the same transfer ID: the stop event of one does not close the row of the
 * other. A restarted BITS service continues the transfer. */
static void
test_transfers_of_two_processes_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_start (story, 10, URL, UNKNOWN, 0);
  story->pid = 101;
  report_start (story, 20, URL, UNKNOWN, 5);
  story->pid = 100;
  report_stop (story, 30, URL, 0x80190194, 40);
  story->pid = 101;
  report_stop (story, 40, URL, 0, 100);
  report_start (story, 50, URL, UNKNOWN, 100);
  story->pid = 102;
  report_stop (story, 60, URL, 0, 300);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->bits->len, ==, 3);
  g_assert_cmpuint (bits_row (trace, 0)->layer.pid, ==, 100);
  g_assert_cmpint (bits_row (trace, 0)->layer.close_ns, ==, 30 * 1000000);
  g_assert_cmpint (bits_row (trace, 0)->layer.status, ==, 0x80190194);
  g_assert_cmpuint (bits_row (trace, 0)->transferred, ==, 40);
  g_assert_cmpuint (bits_row (trace, 1)->layer.pid, ==, 101);
  g_assert_cmpint (bits_row (trace, 1)->layer.close_ns, ==, 40 * 1000000);
  g_assert_cmpint (bits_row (trace, 1)->layer.status, ==, 0);
  g_assert_cmpuint (bits_row (trace, 1)->transferred, ==, 95);
  g_assert_cmpuint (bits_row (trace, 2)->layer.pid, ==, 101);
  g_assert_cmpint (bits_row (trace, 2)->layer.close_ns, ==, 60 * 1000000);
  g_assert_cmpuint (bits_row (trace, 2)->transferred, ==, 200);
}

/* Passwords of proxies and in URLs are masked. */
static void
test_secrets_are_masked (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_start (story, 10, "http://ann:hidden@download.example/a", 1, 0);
  report_stop (story, 20, "http://ann:hidden@download.example/a", 0, 1);
  trace = story_open (story, 100);

  g_assert_null (strstr (ns_trace_text (trace, bits_row (trace, 0)->url), "hidden"));
  g_assert_null (strstr (ns_trace_text (trace, bits_row (trace, 0)->proxy), "secret"));
  g_assert_nonnull (strstr (ns_trace_text (trace, bits_row (trace, 0)->proxy), "proxy.example"));
  story_assert_text (trace, bits_row (trace, 0)->server, "download.example");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/bits/a-transfer-is-the-parent-of-its-requests",
                   test_a_transfer_is_the_parent_of_its_requests);
  g_test_add_func ("/bits/a-transfer-that-begins-again-is-counted",
                   test_a_transfer_that_begins_again_is_counted);
  g_test_add_func ("/bits/a-success-is-no-failure", test_a_success_is_no_failure);
  g_test_add_func ("/bits/what-lies-outside-of-the-trace-is-not-known",
                   test_what_lies_outside_of_the_trace_is_not_known);
  g_test_add_func ("/bits/payloads-may-be-cut-off", test_payloads_may_be_cut_off);
  g_test_add_func ("/bits/longer-payloads-are-read-as-before",
                   test_longer_payloads_are_read_as_before);
  g_test_add_func ("/bits/transfers-of-two-processes-are-told-apart",
                   test_transfers_of_two_processes_are_told_apart);
  g_test_add_func ("/bits/secrets-are-masked", test_secrets_are_masked);
  return g_test_run ();
}
