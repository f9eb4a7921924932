/* Tests the events that findings are based on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/story.h"
#include "engine/open/ns-event-read.h"
#include "findings/ns-finding.h"
#include "query/ns-filter.h"
#include "query/ns-finding-events.h"
#include "query/ns-row-events.h"

#define SOCKET P (0xffffcc0000000100)
#define OTHER P (0xffffcc0000000200)
#define HANDLE P (0xcc000c)

static void
add_finding (const NsTrace *trace, NsTableId table, NsRow of)
{
  NsFindingRow row = { .rule = "D00", .title = "", .verdict = NS_VERDICT_FOUND };
  NsFindingRef ref = { table, of };

  row.activities = g_array_new (FALSE, FALSE, sizeof (NsRow));
  row.refs = g_array_new (FALSE, FALSE, sizeof ref);
  row.evidence = g_array_new (FALSE, FALSE, sizeof (guint32));
  row.needs = g_ptr_array_new ();
  g_array_append_val (row.refs, ref);
  g_array_prepend_val (ns_findings_get (trace), row);
}

/* Makes two sockets and a finding that refers to the first one. */
static NsTrace *
tell (guint n_more)
{
  g_autoptr (Story) story = story_new ();
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
  add_finding (trace, NS_TABLE_WINSOCK, 1);
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
is_kept (const NsTrace *trace, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_FINDINGS, text, NULL, &error);

  g_assert_no_error (error);
  return ns_filter_matches (filter, trace, 0);
}

/* A finding refers to several rows; a condition matches if any of them does, and numbers are
 * compared as a whole. */
static void
test_any_number_of_a_list_is_compared (void)
{
  const NsRow about[] = { 3, 25 };
  NsTrace *trace = tell (0);
  NsFindingRow *finding = &g_array_index (ns_findings_get (trace), NsFindingRow, 0);

  g_array_append_vals (finding->activities, about, G_N_ELEMENTS (about));
  g_assert_true (is_kept (trace, "activities in (1..9)"));
  g_assert_true (is_kept (trace, "activities in (1..2,20..25)"));
  g_assert_false (is_kept (trace, "activities in (4..24)"));
  g_assert_true (is_kept (trace, "activities not in (4..24)"));
  g_assert_true (is_kept (trace, "activities:25"));
  g_assert_false (is_kept (trace, "activities:5"));
  g_assert_false (is_kept (trace, "activities:2"));
  g_assert_true (is_kept (trace, "activities>24"));
  g_assert_false (is_kept (trace, "activities<3"));
  g_assert_true (is_kept (trace, "activities=\"3;25\""));
  g_assert_true (is_kept (trace, "activities:2*"));
  g_assert_null (ns_filter_new (NS_TABLE_FINDINGS, "activities:many", NULL, NULL));
  ns_trace_unref (trace);
}

static const NsTableId keyed_tables[] = { NS_TABLE_TCP,     NS_TABLE_WINSOCK, NS_TABLE_WEBIO,
                                          NS_TABLE_WININET, NS_TABLE_LDAP,    NS_TABLE_URLMON };

/* Makes a finding for each row that has an ID. */
static void
find_every_row (const NsTrace *trace)
{
  GArray *findings = ns_findings_get (trace);
  guint i;

  g_array_set_size (findings, 0);
  for (i = 0; i < G_N_ELEMENTS (keyed_tables); i++)
    {
      guint n_rows = ns_table_get_n_rows (trace, keyed_tables[i]);
      guint row;

      for (row = 0; row < n_rows; row++)
        {
          NsRowEvents *about = ns_row_events_describe_all (trace, keyed_tables[i], row);

          if (about->keys->len > 0)
            add_finding (trace, keyed_tables[i], row + 1);
          ns_row_events_free (about);
        }
    }
}

/* Rows of several processes, some with equal handles. */
static void
test_all_at_once_find_what_each_finds_alone (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *made = g_build_filename (folder != NULL ? folder : "", "synthetic", NULL);
  g_autoptr (GDir) dir = g_dir_open (made, 0, NULL);
  const char *name;
  guint n_compared = 0;

  if (dir == NULL)
    {
      g_test_skip ("there are no made traces here");
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (made, name, NULL);
      NsTraceOptions options = { .want_events = TRUE };
      g_autoptr (NsTrace) trace = NULL;
      guint i;

      if (!g_str_has_suffix (name, ".etl"))
        continue;
      trace = ns_trace_open (path, &options, NULL, NULL, NULL);
      if (trace == NULL)
        continue;
      find_every_row (trace);
      g_assert_true (ns_finding_events_find (trace, NULL, NULL));
      for (i = 0; i < ns_findings_get (trace)->len; i++)
        {
          const NsFindingRow *row = &g_array_index (ns_findings_get (trace), NsFindingRow, i);
          const NsFindingRef *ref = &g_array_index (row->refs, NsFindingRef, 0);
          NsRowEvents *alone = ns_row_events_find (trace, ref->table, ref->row - 1, NULL, NULL);
          guint k;

          g_assert_cmpuint (row->evidence->len, ==, alone->events->len);
          for (k = 0; k < row->evidence->len; k++)
            g_assert_cmpuint (g_array_index (row->evidence, guint32, k),
                              ==,
                              g_array_index (alone->events, NsRowEvent, k).event);
          ns_row_events_free (alone);
          n_compared++;
        }
    }
  g_assert_cmpuint (n_compared, >, 100);
}

static void
report_request (Story *story, double ms, guint32 pid)
{
  story->pid = pid;
  story->activity = P (0x00cc000c00000000) + pid;
  story_write (story,
               ms,
               STORY_WININET,
               104,
               "ppccchhd",
               HANDLE,
               P (0xcc0008),
               "GET",
               "/x",
               "HTTP/1.1",
               0,
               0,
               0);
  story_write (story, ms + 2, STORY_WININET, 108, "pcdh", HANDLE, "a.com", 443, 0);
}

static void
test_a_handle_means_its_own_process_only (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;

  story->want_events = TRUE;
  report_request (story, 1, 100);
  report_request (story, 2, 200);
  trace = story_open (story, 2000);
  g_assert_cmpuint (trace->wininet->len, ==, 2);
  add_finding (trace, NS_TABLE_WININET, 1);
  g_assert_true (ns_finding_events_find (trace, NULL, NULL));
  g_assert_cmpuint (evidence_of (trace)->len, ==, 2);
  for (i = 0; i < 2; i++)
    {
      NsEvent event;

      g_assert_true (
          ns_event_read (trace, g_array_index (evidence_of (trace), guint32, i), &event));
      g_assert_cmpuint (event.record->pid, ==, 100);
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

static gboolean
stop_at_third (double fraction, gpointer user_data)
{
  guint *n_asked = user_data;

  return ++*n_asked < 3;
}

/* Cancellation is checked between findings, not only while records are read. */
static void
test_it_can_be_stopped_between_findings (void)
{
  NsTrace *trace = tell (10);
  guint n_asked = 0;
  guint i;

  for (i = 0; i < 5; i++)
    add_finding (trace, NS_TABLE_WINSOCK, 1);
  g_assert_false (ns_finding_events_find (trace, stop_at_third, &n_asked));
  g_assert_cmpuint (n_asked, ==, 3);
  g_assert_false (ns_finding_events_are_known (trace));
  ns_trace_unref (trace);
}

/* A finding may refer to more rows than the search limit. */
static void
test_rows_that_were_not_looked_for_may_have_more (void)
{
  NsTrace *trace;
  guint n;

  for (n = NS_FINDING_EVENTS_MAX_ROWS; n <= NS_FINDING_EVENTS_MAX_ROWS + 1; n++)
    {
      const NsFindingRef ref = { NS_TABLE_WINSOCK, 1 };
      NsRowEvents *found;
      GArray *refs;

      trace = tell (10);
      refs = g_array_index (ns_findings_get (trace), NsFindingRow, 0).refs;
      while (refs->len < n)
        g_array_append_val (refs, ref);
      found = ns_row_events_find (trace, NS_TABLE_FINDINGS, 0, NULL, NULL);
      g_assert_cmpuint (found->events->len, >, 10);
      g_assert_cmpint (found->is_cut, ==, n > NS_FINDING_EVENTS_MAX_ROWS);
      ns_row_events_free (found);
      ns_trace_unref (trace);
    }
}

/* A search that runs until it is cancelled. */
typedef struct
{
  NsTrace *trace;
  GMutex mutex;
  GCond changed;
  gboolean has_begun;
  gboolean may_end;
} Slow;

static gboolean
hold (double fraction, gpointer user_data)
{
  Slow *slow = user_data;
  gint64 until_us = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  g_mutex_lock (&slow->mutex);
  slow->has_begun = TRUE;
  g_cond_broadcast (&slow->changed);
  while (!slow->may_end && g_cond_wait_until (&slow->changed, &slow->mutex, until_us))
    ;
  g_mutex_unlock (&slow->mutex);
  return TRUE;
}

static gpointer
search_slowly (gpointer data)
{
  Slow *slow = data;

  return GINT_TO_POINTER (ns_finding_events_find (slow->trace, hold, slow));
}

static void
test_who_waits_for_a_search_can_be_stopped (void)
{
  Slow slow = { .trace = tell (10) };
  NsTrace *other = tell (10);
  GThread *thread;

  g_mutex_init (&slow.mutex);
  g_cond_init (&slow.changed);
  thread = g_thread_new ("slow", search_slowly, &slow);
  g_mutex_lock (&slow.mutex);
  while (!slow.has_begun)
    g_cond_wait (&slow.changed, &slow.mutex);
  g_mutex_unlock (&slow.mutex);

  g_assert_false (ns_finding_events_find (slow.trace, stop, NULL));
  /* A search in another trace is independent. */
  g_assert_true (ns_finding_events_find (other, NULL, NULL));
  g_assert_false (ns_finding_events_are_known (slow.trace));

  g_mutex_lock (&slow.mutex);
  slow.may_end = TRUE;
  g_cond_broadcast (&slow.changed);
  g_mutex_unlock (&slow.mutex);
  /* Another waiting thread gets the result of the search. */
  g_assert_true (ns_finding_events_find (slow.trace, NULL, NULL));
  g_assert_cmpuint (evidence_of (slow.trace)->len, >, 10);
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread)));
  g_assert_true (ns_finding_events_are_known (slow.trace));
  g_mutex_clear (&slow.mutex);
  g_cond_clear (&slow.changed);
  ns_trace_unref (slow.trace);
  ns_trace_unref (other);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finding-events/any-number-of-a-list-is-compared",
                   test_any_number_of_a_list_is_compared);
  g_test_add_func ("/finding-events/records-of-the-row-are-found-and-no-others",
                   test_records_of_the_row_are_found_and_no_others);
  g_test_add_func ("/finding-events/so-many-are-kept-and-no-more",
                   test_so_many_are_kept_and_no_more);
  g_test_add_func ("/finding-events/a-handle-means-its-own-process-only",
                   test_a_handle_means_its_own_process_only);
  g_test_add_func ("/finding-events/all-at-once-find-what-each-finds-alone",
                   test_all_at_once_find_what_each_finds_alone);
  g_test_add_func ("/finding-events/stopped-it-has-found-nothing",
                   test_stopped_it_has_found_nothing);
  g_test_add_func ("/finding-events/it-can-be-stopped-between-findings",
                   test_it_can_be_stopped_between_findings);
  g_test_add_func ("/finding-events/rows-that-were-not-looked-for-may-have-more",
                   test_rows_that_were_not_looked_for_may_have_more);
  g_test_add_func ("/finding-events/who-waits-for-a-search-can-be-stopped",
                   test_who_waits_for_a_search_can_be_stopped);
  return g_test_run ();
}
