/* Tests the difference of two traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-difference.h"
#include "ns-test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)
#define SECOND (1000 * MS)

static NsActivityRow *
add (NsTrace *trace, const char *url, gint64 open_ns, gint64 length_ns)
{
  NsActivityRow *row = test_trace_add_activity (trace, "host.test", open_ns);

  row->protocol = NS_LAYER_WINHTTP;
  row->url = ns_strings_add (trace->strings, url);
  row->http_status = 200;
  row->close_ns = open_ns + length_ns;
  test_phases (row)[NS_PHASE_CONNECT] = 10 * MS;
  test_phases (row)[NS_PHASE_WAIT] = length_ns - 10 * MS;
  return row;
}

static void
assert_change (const GArray *changes, guint n, NsChangeKind kind, NsRow before, NsRow after)
{
  const NsChange *change;

  g_assert_cmpuint (n, <, changes->len);
  change = &g_array_index (changes, NsChange, n);
  g_assert_cmpint (change->kind, ==, kind);
  g_assert_cmpuint (change->before, ==, before);
  g_assert_cmpuint (change->after, ==, after);
}

static void
test_a_trace_does_not_differ_from_itself (void)
{
  NsTrace *trace = test_trace_new (10 * SECOND);
  g_autoptr (GArray) changes = NULL;

  add (trace, "https://host.test/a", 0, SECOND);
  add (trace, "https://host.test/a", 2 * SECOND, SECOND)->http_status = 500;
  changes = ns_difference_new (trace, trace, NULL, NULL);
  g_assert_cmpuint (changes->len, ==, 0);
  test_trace_free (trace);
}

static gboolean
stop (double fraction, gpointer user_data)
{
  *(guint *) user_data += 1;
  return FALSE;
}

static void
test_a_comparison_may_be_stopped (void)
{
  NsTrace *trace = test_trace_new (10 * SECOND);
  guint n_asked = 0;

  add (trace, "https://host.test/a", 0, SECOND);
  g_assert_null (ns_difference_new (trace, trace, stop, &n_asked));
  g_assert_cmpuint (n_asked, ==, 1);
  test_trace_free (trace);
}

/* IDs in a path and start times are ignored, the order counts. */
static void
test_requests_are_paired_by_shape_and_order (void)
{
  NsTrace *before = test_trace_new (10 * SECOND);
  NsTrace *after = test_trace_new (10 * SECOND);
  g_autoptr (GArray) changes = NULL;
  const NsChange *slower;

  add (before, "https://host.test/item/10001?a", 0, SECOND);
  add (before, "https://host.test/item/10002?b", SECOND, SECOND);
  add (before, "https://host.test/old", 2 * SECOND, SECOND);
  add (after, "https://host.test/item/77777", 3 * SECOND, SECOND);
  add (after, "https://host.test/item/88888", 4 * SECOND, 3 * SECOND);
  add (after, "https://host.test/new", 5 * SECOND, SECOND);
  changes = ns_difference_new (before, after, NULL, NULL);
  g_assert_cmpuint (changes->len, ==, 3);
  assert_change (changes, 0, NS_CHANGE_GONE, 3, 0);
  assert_change (changes, 1, NS_CHANGE_NEW, 0, 3);
  assert_change (changes, 2, NS_CHANGE_SLOWER, 2, 2);
  slower = &g_array_index (changes, NsChange, 2);
  g_assert_cmpint (slower->duration_ns, ==, 2 * SECOND);
  g_assert_cmpint (slower->phase, ==, NS_PHASE_WAIT);
  g_assert_cmpint (slower->phase_ns, ==, 2 * SECOND);
  test_trace_free (before);
  test_trace_free (after);
}

static void
test_small_differences_are_none_and_failures_always_are (void)
{
  NsTrace *before = test_trace_new (10 * SECOND);
  NsTrace *after = test_trace_new (10 * SECOND);
  g_autoptr (GArray) changes = NULL;

  add (before, "https://host.test/a", 0, SECOND);
  add (after, "https://host.test/a", 0, SECOND + 199 * MS);
  add (before, "https://host.test/b", 0, 20 * MS);
  add (after, "https://host.test/b", 0, 39 * MS);
  add (before, "https://host.test/c", 0, SECOND);
  add (after, "https://host.test/c", 0, SECOND)->http_status = 503;
  add (before, "https://host.test/d", 0, SECOND);
  add (after, "https://host.test/d", 0, 700 * MS);
  changes = ns_difference_new (before, after, NULL, NULL);
  g_assert_cmpuint (changes->len, ==, 2);
  assert_change (changes, 0, NS_CHANGE_END, 3, 3);
  assert_change (changes, 1, NS_CHANGE_FASTER, 4, 4);
  test_trace_free (before);
  test_trace_free (after);
}

/* A number in a path is an ID, however short it is. */
static void
test_a_number_in_a_path_is_one_of_many (void)
{
  NsTrace *before = test_trace_new (10 * SECOND);
  NsTrace *after = test_trace_new (10 * SECOND);
  g_autoptr (GArray) changes = NULL;

  add (before, "https://host.test/7/a", 0, SECOND);
  add (after, "https://host.test/8/a", 0, SECOND);
  add (before, "https://host.test/v1/b", SECOND, SECOND);
  add (after, "https://host.test/v2/b", SECOND, SECOND);
  changes = ns_difference_new (before, after, NULL, NULL);
  g_assert_cmpuint (changes->len, ==, 2);
  assert_change (changes, 0, NS_CHANGE_GONE, 2, 0);
  assert_change (changes, 1, NS_CHANGE_NEW, 0, 2);
  test_trace_free (before);
  test_trace_free (after);
}

/* An operation that one trace shows only partly has no known duration. */
static void
test_what_is_not_whole_is_not_slower (void)
{
  NsTrace *before = test_trace_new (10 * SECOND);
  NsTrace *after = test_trace_new (10 * SECOND);
  g_autoptr (GArray) changes = NULL;

  add (before, "https://host.test/a", 0, SECOND);
  add (after, "https://host.test/a", 0, SECOND)->close_ns = NS_TIME_OPEN;
  add (before, "https://host.test/b", 0, SECOND);
  add (after, "https://host.test/b", 0, 5 * SECOND)->opened_before_trace = TRUE;
  add (after, "https://host.test/b", SECOND, SECOND);
  changes = ns_difference_new (before, after, NULL, NULL);
  g_assert_cmpuint (changes->len, ==, 0);
  g_assert_cmpuint (ns_difference_count (after), ==, 2);
  test_trace_free (before);
  test_trace_free (after);
}

/* The query of a URL is not part of its shape. */
static void
test_a_query_is_no_part_of_the_shape (void)
{
  static const char *const urls[][2] = {
    { "https://host.test?from=/one", "https://host.test?from=/two" },
    { "/go?to=https://one.test/a", "/go?to=https://two.test/b" },
    { "https://host.test/a#/one", "https://host.test/a#/two" },
    { "https://host.test?one", "https://host.test/?two" },
    { "https://host.test#one", "https://host.test/" },
    { "https://host.test", "https://host.test/" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      NsTrace *before = test_trace_new (10 * SECOND);
      NsTrace *after = test_trace_new (10 * SECOND);
      g_autoptr (GArray) changes = NULL;

      add (before, urls[i][0], 0, SECOND);
      add (after, urls[i][1], 0, SECOND);
      changes = ns_difference_new (before, after, NULL, NULL);
      g_assert_cmpuint (changes->len, ==, 0);
      test_trace_free (before);
      test_trace_free (after);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/difference/a-trace-does-not-differ-from-itself",
                   test_a_trace_does_not_differ_from_itself);
  g_test_add_func ("/difference/requests-are-paired-by-shape-and-order",
                   test_requests_are_paired_by_shape_and_order);
  g_test_add_func ("/difference/small-differences-are-none-and-failures-always-are",
                   test_small_differences_are_none_and_failures_always_are);
  g_test_add_func ("/difference/a-comparison-may-be-stopped", test_a_comparison_may_be_stopped);
  g_test_add_func ("/difference/a-number-in-a-path-is-one-of-many",
                   test_a_number_in_a_path_is_one_of_many);
  g_test_add_func ("/difference/what-is-not-whole-is-not-slower",
                   test_what_is_not_whole_is_not_slower);
  g_test_add_func ("/difference/a-query-is-no-part-of-the-shape",
                   test_a_query_is_no_part_of_the_shape);
  return g_test_run ();
}
