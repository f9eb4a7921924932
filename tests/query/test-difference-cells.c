/* Tests the description of an operation that differs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-difference-cells.h"

#include "ns-test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)

static NsTrace *
make_trace (gint64 connect_ns, gint64 wait_ns)
{
  NsTrace *trace = test_trace_new (1000 * MS);
  NsActivityRow *row = test_trace_add_activity (trace, "host.test", 0);

  row->protocol = NS_LAYER_WINHTTP;
  row->url = ns_strings_add (trace->strings, "https://host.test/a");
  row->http_status = 200;
  row->close_ns = MAX (connect_ns, 0) + wait_ns;
  test_phases (row)[NS_PHASE_CONNECT] = connect_ns;
  test_phases (row)[NS_PHASE_WAIT] = wait_ns;
  return trace;
}

static char *
dup_cells (const NsDifference *diff, const char *ids)
{
  g_autoptr (GPtrArray) columns = ns_difference_columns_parse (ids, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < columns->len; i++)
    {
      g_auto (NsDifferenceCell) cell =
          ns_difference_column_get (g_ptr_array_index (columns, i), diff);

      if (cell.is_number)
        g_string_append_printf (text, "%" G_GINT64_FORMAT ";", cell.number);
      else
        g_string_append_printf (text, "%s;", cell.text != NULL ? cell.text : "-");
    }
  return g_string_free (text, FALSE);
}

/* A reused connection has no connect time. An operation in one trace only has no difference in
 * duration. */
static void
test_every_phase_is_told (void)
{
  static const char ids[] = "change,row_a,row_b,delta_ns,phase,connect_delta_ns,wait_delta_ns,"
                            "tls_delta_ns";
  NsTrace *before = make_trace (40 * MS, 100 * MS);
  NsTrace *after = make_trace (-1, 300 * MS);
  NsChange slower = { NS_CHANGE_SLOWER, 1, 1, NS_PHASE_WAIT, 200 * MS, 160 * MS };
  NsChange gone = { NS_CHANGE_GONE, 1, 0, NS_N_PHASES, 0, 0 };
  NsDifference diff = { before, after, &slower };
  g_autofree char *pair = dup_cells (&diff, ids);
  g_autofree char *single = NULL;

  /* The kind "other-end" does not tell which of the two failed, if any. */
  g_assert_cmpstr (ns_change_kind_to_text (NS_CHANGE_END), ==, "other-end");
  g_assert_cmpstr (pair, ==, "slower;1;1;160000000;wait;-40000000;200000000;0;");
  diff.change = &gone;
  single = dup_cells (&diff, ids);
  g_assert_cmpstr (single, ==, "gone;1;-;-;-;-;-;-;");
  test_trace_free (before);
  test_trace_free (after);
}

/* Asserts which durations and differences are exact, and which are a lower bound (>) or an upper
 * bound (<). */
static void
assert_bounds (gboolean is_old_open, gboolean is_new_open, const char *expected)
{
  NsTrace *before = make_trace (-1, 100 * MS);
  NsTrace *after = make_trace (-1, 300 * MS);
  NsChange end = { NS_CHANGE_END, 1, 1, NS_N_PHASES, 0, 200 * MS };
  NsDifference diff = { before, after, &end };
  g_autoptr (GPtrArray) columns =
      ns_difference_columns_parse ("duration_a_ns,duration_b_ns,delta_ns", NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  if (is_old_open)
    g_array_index (before->activities, NsActivityRow, 0).close_ns = NS_TIME_OPEN;
  if (is_new_open)
    g_array_index (after->activities, NsActivityRow, 0).close_ns = NS_TIME_OPEN;
  for (guint i = 0; i < columns->len; i++)
    {
      g_auto (NsDifferenceCell) cell =
          ns_difference_column_get (g_ptr_array_index (columns, i), &diff);

      g_string_append (text, cell.is_lower_bound ? ">" : cell.is_upper_bound ? "<" : "");
      g_string_append (text, cell.is_number ? "n" : "-");
    }
  g_assert_cmpstr (text->str, ==, expected);
  test_trace_free (before);
  test_trace_free (after);
}

static void
test_what_had_not_ended_is_told_by_bounds (void)
{
  assert_bounds (FALSE, FALSE, "nnn");
  assert_bounds (FALSE, TRUE, "n>n>n");
  assert_bounds (TRUE, FALSE, ">nn<n");
  assert_bounds (TRUE, TRUE, ">n>n-");
}

static void
assert_order (const NsDifferenceCell *left,
              const NsDifferenceCell *right,
              int upwards,
              int downwards)
{
  g_assert_cmpint (CLAMP (ns_difference_cell_compare (left, right, FALSE), -1, 1), ==, upwards);
  g_assert_cmpint (CLAMP (ns_difference_cell_compare (left, right, TRUE), -1, 1), ==, downwards);
}

static void
test_unknown_values_come_last_either_way (void)
{
  const NsDifferenceCell unknown = { 0 };
  const NsDifferenceCell less = { .number = -5, .is_number = TRUE };
  const NsDifferenceCell more = { .number = 3, .is_number = TRUE };
  const NsDifferenceCell a = { .text = (char *) "a" };
  const NsDifferenceCell large_a = { .text = (char *) "A" };
  const NsDifferenceCell large_b = { .text = (char *) "B" };

  assert_order (&less, &more, -1, 1);
  assert_order (&less, &unknown, -1, -1);
  assert_order (&unknown, &a, 1, 1);
  assert_order (&unknown, &unknown, 0, 0);
  assert_order (&a, &large_b, -1, 1);
  assert_order (&large_a, &a, -1, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/difference-cells/every-phase-is-told", test_every_phase_is_told);
  g_test_add_func ("/difference-cells/what-had-not-ended-is-told-by-bounds",
                   test_what_had_not_ended_is_told_by_bounds);
  g_test_add_func ("/difference-cells/unknown-values-come-last-either-way",
                   test_unknown_values_come_last_either_way);
  return g_test_run ();
}
