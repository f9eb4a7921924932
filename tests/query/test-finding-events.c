/* Claims about the records that findings stand on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/story.h"
#include "findings/ns-finding.h"
#include "query/ns-finding-events.h"
#include "query/ns-row-events.h"

#define SOCKET P (0xffffcc0000000100)
#define OTHER P (0xffffcc0000000200)

/* Two sockets, and a finding that stands on the first. */
static NsTrace *
tell (guint n_more)
{
  g_autoptr (Story) story = story_new ();
  NsFindingRef ref = { NS_TABLE_WINSOCK, 1 };
  NsFindingRow row = { .rule = "D00", .title = "", .verdict = NS_VERDICT_FOUND };
  NsTrace *trace;
  guint i;

  story->want_events = TRUE;
  story_socket (story, 10, SOCKET, 50001, "1.2.3.4:443");
  story_socket (story, 11, OTHER, 50002, "1.2.3.4:443");
  for (i = 0; i < n_more; i++)
    story_socket_bytes (story, 20 + i, 1003, SOCKET, 700);
  story_socket_bytes (story, 20 + n_more, 1003, OTHER, 700);
  story_socket_close (story, 30 + n_more, SOCKET);
  trace = story_open (story, 2000);
  row.activities = g_array_new (FALSE, FALSE, sizeof (NsRow));
  row.refs = g_array_new (FALSE, FALSE, sizeof ref);
  row.evidence = g_array_new (FALSE, FALSE, sizeof (guint32));
  row.needs = g_ptr_array_new ();
  g_array_append_val (row.refs, ref);
  g_array_prepend_val (ns_findings_get (trace), row);
  return trace;
}

static GArray *
evidence_of (const NsTrace *trace)
{
  return g_array_index (ns_findings_get (trace), NsFindingRow, 0).evidence;
}

static void
test_records_of_the_row_are_found_and_no_others (void)
{
  NsTrace *trace = tell (10);
  NsRowEvents *of_row = ns_row_events_find (trace, NS_TABLE_WINSOCK, 0, NULL, NULL);
  NsRowEvents *of_finding = ns_row_events_find (trace, NS_TABLE_FINDINGS, 0, NULL, NULL);
  guint i;

  g_assert_true (ns_finding_events_are_known (trace));
  g_assert_cmpuint (of_row->events->len, >, 10);
  g_assert_cmpuint (evidence_of (trace)->len, ==, of_row->events->len);
  g_assert_cmpuint (of_finding->events->len, ==, of_row->events->len);
  for (i = 0; i < of_row->events->len; i++)
    {
      guint32 event = g_array_index (of_row->events, NsRowEvent, i).event;

      g_assert_cmpuint (g_array_index (evidence_of (trace), guint32, i), ==, event);
      g_assert_cmpuint (g_array_index (of_finding->events, NsRowEvent, i).event, ==, event);
    }
  ns_row_events_free (of_row);
  ns_row_events_free (of_finding);
  ns_trace_unref (trace);
}

static void
test_so_many_are_kept_and_no_more (void)
{
  NsTrace *trace = tell (10);
  guint n_beside;
  guint n;

  ns_finding_events_find (trace, NULL, NULL);
  n_beside = evidence_of (trace)->len - 10;
  ns_trace_unref (trace);
  for (n = NS_FINDING_EVENTS_MAX - 1; n <= NS_FINDING_EVENTS_MAX + 1; n++)
    {
      NsRowEvents *found;

      trace = tell (n - n_beside);
      found = ns_row_events_find (trace, NS_TABLE_FINDINGS, 0, NULL, NULL);
      g_assert_cmpuint (evidence_of (trace)->len, ==, MIN (n, NS_FINDING_EVENTS_MAX));
      g_assert_cmpint (found->is_cut, ==, n > NS_FINDING_EVENTS_MAX);
      ns_row_events_free (found);
      ns_trace_unref (trace);
    }
}

static gboolean
stop (double fraction, gpointer user_data)
{
  return FALSE;
}

static void
test_stopped_it_has_found_nothing (void)
{
  NsTrace *trace = tell (10);

  g_assert_false (ns_finding_events_find (trace, stop, NULL));
  g_assert_false (ns_finding_events_are_known (trace));
  g_assert_cmpuint (evidence_of (trace)->len, ==, 0);
  g_assert_true (ns_finding_events_find (trace, NULL, NULL));
  g_assert_cmpuint (evidence_of (trace)->len, >, 10);
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finding-events/records-of-the-row-are-found-and-no-others",
                   test_records_of_the_row_are_found_and_no_others);
  g_test_add_func ("/finding-events/so-many-are-kept-and-no-more",
                   test_so_many_are_kept_and_no_more);
  g_test_add_func ("/finding-events/stopped-it-has-found-nothing",
                   test_stopped_it_has_found_nothing);
  return g_test_run ();
}
