/* Tests call trees, and filters on stacks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-call-tree.h"
#include "engine/trace/ns-namer.h"
#include "query/ns-call-frames.h"
#include "query/ns-filter.h"
#include "stitch-fixture.h"

#define POOL "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2; 23:2:WX A x"
#define TWO_MORE "30:3:NET 'S1; 40:3:NET 'S3"
#define NONE "50:3:NET"

static NsCallTree *
make_tree (const NsTrace *trace, NsCallStack stack, NsCallWeight weight)
{
  NsCallTreeOptions options = { .stack = stack, .weight = weight };
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  for (i = 0; i < trace->activities->len; i++)
    g_array_append_val (rows, i);
  return ns_call_tree_new (trace,
                           (const guint32 *) (gconstpointer) rows->data,
                           rows->len,
                           &options,
                           NULL,
                           NULL);
}

static char *
tree_to_text (const NsCallTree *tree)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < tree->nodes->len; i++)
    {
      const NsCallNode *node = &g_array_index (tree->nodes, NsCallNode, i);

      g_string_append_printf (text,
                              "%s%u %s %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                              i > 0 ? "; " : "",
                              node->depth,
                              ns_call_tree_get_name (tree, i),
                              ns_call_tree_get_self (tree, i),
                              ns_call_tree_get_total (tree, i));
    }
  return g_string_free (text, FALSE);
}

static void
assert_tree (const char *script, NsCallStack stack, const char *expected)
{
  NsTrace *trace = stitch_trace_new (script);
  g_autoptr (NsCallTree) tree = make_tree (trace, stack, NS_CALL_WEIGHT_COUNT);
  g_autofree char *text = tree_to_text (tree);

  g_assert_cmpstr (text, ==, expected);
  ns_trace_unref (trace);
}

static void
test_rows_of_one_path_share_its_nodes (void)
{
  assert_tree (POOL "; " TWO_MORE,
               NS_CALL_STACK_FIRST,
               "0 all 0/3; 1 app.exe+0xf010 0/3; 2 app.exe+0x1045 0/2; 3 app.exe+0x1123 2/2; "
               "2 app.exe+0x3045 0/1; 3 app.exe+0x3123 1/1");
}

static void
test_full_paths_cross_threads_at_thread_switches (void)
{
  assert_tree (POOL,
               NS_CALL_STACK_FULL,
               "0 all 0/1; 1 app.exe+0xf010 0/1; 2 app.exe+0x1045 0/1; 3 app.exe+0x1123 0/1; "
               "4 WThreadPool Worker 0/1; 5 app.exe+0xf010 0/1; 6 app.exe+0x2045 0/1; "
               "7 app.exe+0x2123 1/1");
}

static void
test_rows_without_stack_say_why (void)
{
  assert_tree (TWO_MORE "; " NONE,
               NS_CALL_STACK_FIRST,
               "0 all 0/3; 1 app.exe+0xf010 0/2; 2 app.exe+0x1045 0/1; 3 app.exe+0x1123 1/1; "
               "2 app.exe+0x3045 0/1; 3 app.exe+0x3123 1/1; 1 no stack: unknown 1/1");
}

static void
test_root_total_is_that_of_the_table (void)
{
  NsTrace *trace = stitch_trace_new (POOL "; " TWO_MORE "; " NONE);
  guint weight;

  for (weight = 0; weight <= NS_CALL_WEIGHT_FAILURES; weight++)
    {
      g_autoptr (NsCallTree) tree = make_tree (trace, NS_CALL_STACK_FULL, (NsCallWeight) weight);
      guint64 sum = 0;
      gint64 expected = 0;
      guint i;

      for (i = 0; i < tree->nodes->len; i++)
        sum += ns_call_tree_get_self (tree, i);
      g_assert_cmpuint (sum, ==, ns_call_tree_get_total (tree, 0));
      for (i = 0; i < trace->activities->len; i++)
        {
          const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

          if (weight == NS_CALL_WEIGHT_DURATION)
            expected +=
                (row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns) - row->open_ns;
          else if (weight == NS_CALL_WEIGHT_BYTES)
            expected += (gint64) (row->sent + row->received);
          else
            expected += weight == NS_CALL_WEIGHT_COUNT || row->failed;
        }
      g_assert_cmpuint (sum, ==, (guint64) expected);
    }
  g_assert_cmpuint (trace->activities->len, ==, 4);
  ns_trace_unref (trace);
}

static guint n_asked;

/* Resolves two addresses to one function. */
static gboolean
name_cb (NsRow image,
         guint64 rva,
         gboolean is_return,
         GString *name,
         guint32 *offset,
         gpointer user_data)
{
  n_asked++;
  if (rva != 0x1045 && rva != 0x3045)
    return FALSE;
  g_string_append (name, "Same::Thing");
  *offset = 5;
  return TRUE;
}

static void
test_named_functions_are_one_node (void)
{
  NsTrace *trace = stitch_trace_new (TWO_MORE "; 45:3:NET 'S3");
  NsCallTreeOptions options = { 0 };
  const guint32 rows[] = { 0, 1, 2 };
  g_autoptr (NsCallTree) tree = NULL;
  g_autofree char *text = NULL;

  n_asked = 0;
  ns_trace_set_namer (trace, name_cb, NULL, NULL);
  tree = ns_call_tree_new (trace, rows, 3, &options, NULL, NULL);
  text = tree_to_text (tree);
  g_assert_cmpstr (text,
                   ==,
                   "0 all 0/3; 1 app.exe+0xf010 0/3; 2 app.exe!Same::Thing 0/3; "
                   "3 app.exe+0x3123 2/2; 3 app.exe+0x1123 1/1");
  /* The resolver is called once per address, however many rows have it. */
  g_assert_cmpuint (n_asked, ==, 5);
  ns_trace_unref (trace);
}

static void
assert_filter (const NsTrace *trace, const char *text, guint n_expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, &error);
  g_autoptr (GArray) rows = NULL;

  g_assert_no_error (error);
  rows = ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
  if (rows->len != n_expected)
    g_error ("%s: %u rows instead of %u", text, rows->len, n_expected);
}

static void
test_filters_look_into_the_whole_path (void)
{
  NsTrace *trace = stitch_trace_new (POOL "; " TWO_MORE "; " NONE);

  assert_filter (trace, "stack:app.exe!*", 3);
  assert_filter (trace, "stack:APP!*", 3);
  assert_filter (trace, "stack:app.exe+0x11*", 2);
  assert_filter (trace, "stack:app+0x2123", 1);
  assert_filter (trace, "stack=\"app.exe+0x1045\"", 2);
  assert_filter (trace, "stack:other.dll!*", 0);
  assert_filter (trace, "not stack:app.exe+0x11*", 2);
  assert_filter (trace, "stack!=app.exe+0x3045", 3);
  assert_filter (trace, "stack:none", 1);
  assert_filter (trace, "stack:*", 3);
  assert_filter (trace, "stack~0x(1|2)123$", 2);
  assert_filter (trace, "\"app.exe+0x1045\"", 0);
  ns_trace_unref (trace);
}

static void
test_filters_find_functions_by_name (void)
{
  NsTrace *trace = stitch_trace_new (POOL "; " TWO_MORE "; " NONE);

  assert_filter (trace, "stack:app.exe!Same*", 0);
  ns_trace_set_namer (trace, name_cb, NULL, NULL);
  assert_filter (trace, "stack:app.exe!Same*", 3);
  assert_filter (trace, "stack:app!same::*", 3);
  assert_filter (trace, "stack=\"app.exe!Same::Thing\"", 3);
  assert_filter (trace, "stack:Thing", 3);
  assert_filter (trace, "stack:app.exe!Other*", 0);
  /* Filters made before the names were resolved keep their meaning. */
  assert_filter (trace, "stack=\"app.exe+0x1045\"", 2);
  assert_filter (trace, "stack:app.exe!*", 3);
  ns_trace_unref (trace);
}

/* Asserts that the filter of each node keeps its rows. An inner function also occurs on another
 * path. */
static void
assert_nodes_are_filters (const NsTrace *trace, NsCallStack stack, const char *const *hidden)
{
  NsCallTreeOptions options = { .stack = stack, .hidden = hidden };
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (NsCallTree) tree = NULL;
  guint32 i;

  for (i = 0; i < trace->activities->len; i++)
    g_array_append_val (rows, i);
  tree = ns_call_tree_new (trace,
                           (const guint32 *) (gconstpointer) rows->data,
                           rows->len,
                           &options,
                           NULL,
                           NULL);
  for (i = 1; i < tree->nodes->len; i++)
    {
      g_autofree char *filter = ns_call_tree_get_filter (tree, i);
      g_autofree char *without = g_strdup_printf ("-%s", filter);
      guint n_rows = g_array_index (tree->nodes, NsCallNode, i).total.n_rows;

      assert_filter (trace, filter, n_rows);
      assert_filter (trace, without, rows->len - n_rows);
    }
  g_assert_cmpuint (tree->nodes->len, >, 3);
}

static void
test_filters_keep_the_rows_of_a_node (void)
{
  static const char *const functions[] = { "app.exe+0x1045", "app.exe!Same::Thing", NULL };
  NsTrace *trace = stitch_trace_new (POOL "; 24:2:NET 'S1; " TWO_MORE "; " NONE);
  guint stack;

  for (stack = NS_CALL_STACK_FIRST; stack <= NS_CALL_STACK_BACK; stack++)
    {
      assert_nodes_are_filters (trace, (NsCallStack) stack, NULL);
      assert_nodes_are_filters (trace, (NsCallStack) stack, functions);
    }
  /* A node has fewer rows than the function has on all paths. */
  assert_filter (trace, "stack=app.exe+0x1123", 3);
  assert_filter (trace, "stack_path=\"app.exe+0xf010;app.exe+0x1045;app.exe+0x1123\"", 3);
  assert_filter (trace,
                 "stack_path=\"app.exe+0xf010;app.exe+0x1045;app.exe+0x1123;"
                 "> WThreadPool Worker;app.exe+0xf010;app.exe+0x2045\"",
                 1);
  assert_filter (trace, "stack_path=\"app.exe+0x1123\"", 0);
  assert_filter (trace, "stack_path=\"@back;app.exe+0x1123\"", 2);
  assert_filter (trace, "stack_path=\"? no stack: unknown\"", 1);
  assert_filter (trace, "stack_path:WThreadPool", 1);
  ns_trace_set_namer (trace, name_cb, NULL, NULL);
  for (stack = NS_CALL_STACK_FIRST; stack <= NS_CALL_STACK_BACK; stack++)
    assert_nodes_are_filters (trace, (NsCallStack) stack, functions);
  ns_trace_unref (trace);
}

static void
test_hidden_frames_are_left_out (void)
{
  static const char *const module[] = { "APP.exe!*", NS_CALL_HIDDEN_SYSTEM, NULL };
  static const char *const function[] = { "app.exe+0x1045", NULL };
  NsTrace *trace = stitch_trace_new (POOL "; " TWO_MORE);
  const guint32 rows[] = { 0, 1, 2 };
  NsCallTreeOptions options = { .stack = NS_CALL_STACK_FIRST, .hidden = function };
  g_autoptr (NsCallTree) some = ns_call_tree_new (trace, rows, 3, &options, NULL, NULL);
  g_autoptr (NsCallTree) none = NULL;
  g_autofree char *some_text = tree_to_text (some);
  g_autofree char *none_text = NULL;

  g_assert_cmpstr (some_text,
                   ==,
                   "0 all 0/3; 1 app.exe+0xf010 0/3; 2 app.exe+0x1123 2/2; "
                   "2 app.exe+0x3045 0/1; 3 app.exe+0x3123 1/1");
  options = (NsCallTreeOptions){ .stack = NS_CALL_STACK_FULL, .hidden = module };
  none = ns_call_tree_new (trace, rows, 3, &options, NULL, NULL);
  none_text = tree_to_text (none);
  g_assert_cmpstr (none_text, ==, "0 all 2/3; 1 WThreadPool Worker 1/1");
  ns_trace_unref (trace);
}

static void
test_paths_are_told_from_the_call_back (void)
{
  assert_tree (POOL,
               NS_CALL_STACK_BACK,
               "0 all 0/1; 1 app.exe+0x2123 0/1; 2 app.exe+0x2045 0/1; 3 app.exe+0xf010 0/1; "
               "4 WThreadPool Worker 0/1; 5 app.exe+0x1123 0/1; 6 app.exe+0x1045 0/1; "
               "7 app.exe+0xf010 1/1");
}

/* Two rows of one work item had one wait, a third row another one. */
static void
test_thread_switches_tell_the_median_of_the_waits (void)
{
  NsTrace *trace = stitch_trace_new ("10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2; "
                                     "23:2:NET 'S2; 24:2:WX A x; "
                                     "30:1:WE A y 'S1; 70:2:WD A y; 71:2:WS A y; 72:2:NET 'S2; "
                                     "73:2:WX A y");
  g_autoptr (NsCallTree) tree = make_tree (trace, NS_CALL_STACK_FULL, NS_CALL_WEIGHT_COUNT);
  const NsCallNode *thread_switch = NULL;
  gint64 short_wait = 0;
  guint i;

  for (i = 0; i < tree->nodes->len; i++)
    if (g_array_index (tree->nodes, NsCallNode, i).kind == NS_CALL_NODE_THREAD_SWITCH)
      thread_switch = &g_array_index (tree->nodes, NsCallNode, i);
    else
      g_assert_cmpint (g_array_index (tree->nodes, NsCallNode, i).wait_ns, ==, NS_UNKNOWN);
  g_assert_nonnull (thread_switch);
  g_assert_cmpuint (thread_switch->total.n_rows, ==, 3);
  g_assert_cmpint (thread_switch->task, ==, NS_TASK_POOL);
  g_assert_cmpuint (thread_switch->tid, ==, 1);
  {
    g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, 1);

    short_wait = g_array_index (chain->elements, NsChainElement, 1).queued_ns;
  }
  g_assert_cmpint (short_wait, >, 0);
  g_assert_cmpint (thread_switch->wait_ns, ==, short_wait);
  /* The sums are those of the thread switches: 11 ms twice, and 41. No library queued anything. */
  g_assert_cmpint (thread_switch->total.pool_ns, ==, 63000000);
  g_assert_cmpint (thread_switch->total.queued_ns, ==, 0);
  ns_trace_unref (trace);
}

#define MAX_FRAMES 190

static void
add_socket (NsEtlWriter *writer, guint ms, const guint64 *stack, guint n_frames)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + ms * STITCH_MS,
                             .id = 1000,
                             .level = 4,
                             .pid = 100,
                             .tid = 2,
                             .stack = stack,
                             .n_stack = n_frames,
                             .payload = payload };

  ns_guid_from_text (&event.guid, "e53c6823-7bb8-44bb-90dc-3f86090d48a6");
  ns_etl_bytes_u32 (payload, 0);
  ns_etl_bytes_u32 (payload, 1002);
  ns_etl_bytes_u64 (payload, 0xbb00);
  ns_etl_bytes_u64 (payload, 0xcc0000 + ms * 0x100);
  ns_etl_bytes_u32 (payload, 2);
  ns_etl_bytes_u32 (payload, 1);
  ns_etl_bytes_u32 (payload, 6);
  ns_etl_bytes_u64 (payload, 100);
  ns_etl_bytes_u32 (payload, 0);
  g_assert_true (ns_etl_writer_add_event (writer, &event));

  g_byte_array_set_size (payload, 0);
  event.id = 1018;
  event.n_stack = 0;
  event.raw += 10;
  ns_etl_bytes_u32 (payload, 0);
  ns_etl_bytes_u32 (payload, 5023);
  ns_etl_bytes_u64 (payload, 0xbb00);
  ns_etl_bytes_u64 (payload, 0xcc0000 + ms * 0x100);
  ns_etl_bytes_zero (payload, 16);
  ns_etl_bytes_u32 (payload, 16);
  ns_etl_bytes_sockaddr_text (payload, "198.51.100.1:8000");
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

/* Each socket has its own call path; the last path exceeds the limit by @n_more nodes. */
static void
test_a_tree_has_so_many_parts_only (void)
{
  guint n_more;

  for (n_more = 0; n_more <= 1; n_more++)
    {
      g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (NULL);
      /* The root counts, too. */
      guint n_left = NS_CALL_TREE_MAX_NODES - 1 + n_more;
      guint64 address = 0x100000;
      g_autoptr (NsCallTree) tree = NULL;
      g_autofree char *said = NULL;
      NsTrace *trace;
      guint ms = 1;

      for (; n_left > 0; ms++)
        {
          guint64 stack[MAX_FRAMES];
          guint n_frames = MIN (n_left, MAX_FRAMES);
          guint i;

          for (i = 0; i < n_frames; i++)
            stack[i] = address++;
          n_left -= n_frames;
          add_socket (writer, ms, stack, n_frames);
        }
      trace = stitch_trace_from_writer (writer);
      g_assert_cmpuint (trace->activities->len, ==, ms - 1);
      tree = make_tree (trace, NS_CALL_STACK_FIRST, NS_CALL_WEIGHT_COUNT);
      g_assert_cmpuint (tree->nodes->len, ==, NS_CALL_TREE_MAX_NODES);
      g_assert_cmpint (tree->is_truncated, ==, n_more > 0);
      said = ns_call_tree_describe (tree, 0);
      g_assert_cmpint (strstr (said, "2000000 nodes: some paths end early") != NULL,
                       ==,
                       n_more > 0);
      ns_trace_unref (trace);
    }
}

/* Each row of a damaged file may have the maximum duration. */
static void
test_lengths_beyond_all_numbers_come_to_the_largest (void)
{
  NsTrace *trace = stitch_trace_new (POOL "; " TWO_MORE);
  g_autoptr (NsCallTree) tree = NULL;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      row->open_ns = -NS_TIME_MAX;
      row->close_ns = NS_TIME_MAX;
    }
  tree = make_tree (trace, NS_CALL_STACK_FULL, NS_CALL_WEIGHT_DURATION);
  g_assert_cmpuint (ns_call_tree_get_total (tree, 0), ==, G_MAXINT64);
  ns_trace_unref (trace);
}

/* Asserts a percentile of rows that took 1, 2 and 3 ms, of which @open_row is open. */
static void
assert_bounds (guint open_row, guint percent, gint64 expected_ms, gboolean is_lower_bound)
{
  NsTrace *trace = stitch_trace_new ("10:3:NET 'S1; 20:3:NET 'S1; 30:3:NET 'S1");
  g_autoptr (NsCallTree) tree = NULL;
  g_autofree char *said = NULL;
  gboolean is_found_bound = !is_lower_bound;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      row->close_ns = row->open_ns + (gint64) (i + 1) * 1000000;
      if (i + 1 == open_row)
        {
          row->open_ns = trace->end_ns - (gint64) (i + 1) * 1000000;
          row->close_ns = NS_TIME_OPEN;
        }
    }
  tree = make_tree (trace, NS_CALL_STACK_FIRST, NS_CALL_WEIGHT_DURATION);
  said = ns_call_tree_describe (tree, 0);
  g_assert_cmpuint (g_array_index (tree->nodes, NsCallNode, 0).total.n_open, ==, open_row > 0);
  g_assert_cmpint (strstr (said, "took at least 6.0") != NULL, ==, open_row > 0);
  g_assert_cmpint (ns_call_tree_get_percentile (tree, 0, percent, &is_found_bound) / 1000000,
                   ==,
                   expected_ms);
  g_assert_cmpint (is_found_bound, ==, is_lower_bound);
  ns_trace_unref (trace);
}

static void
test_what_had_not_ended_is_a_lower_bound (void)
{
  assert_bounds (0, 50, 2, FALSE);
  assert_bounds (1, 50, 2, TRUE);
  assert_bounds (2, 50, 2, TRUE);
  /* Half of the rows are shorter, however long the open one lasts. */
  assert_bounds (3, 50, 2, FALSE);
  assert_bounds (3, 95, 3, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/call-tree/rows-of-one-path-share-its-nodes",
                   test_rows_of_one_path_share_its_nodes);
  g_test_add_func ("/call-tree/full-paths-cross-threads-at-seams",
                   test_full_paths_cross_threads_at_thread_switches);
  g_test_add_func ("/call-tree/rows-without-stack-say-why", test_rows_without_stack_say_why);
  g_test_add_func ("/call-tree/root-total-is-that-of-the-table",
                   test_root_total_is_that_of_the_table);
  g_test_add_func ("/call-tree/named-functions-are-one-node", test_named_functions_are_one_node);
  g_test_add_func ("/call-tree/filters-look-into-the-whole-path",
                   test_filters_look_into_the_whole_path);
  g_test_add_func ("/call-tree/filters-find-functions-by-name",
                   test_filters_find_functions_by_name);
  g_test_add_func ("/call-tree/filters-keep-the-rows-of-a-node",
                   test_filters_keep_the_rows_of_a_node);
  g_test_add_func ("/call-tree/hidden-frames-are-left-out", test_hidden_frames_are_left_out);
  g_test_add_func ("/call-tree/paths-are-told-from-the-call-back",
                   test_paths_are_told_from_the_call_back);
  g_test_add_func ("/call-tree/seams-tell-the-median-of-the-waits",
                   test_thread_switches_tell_the_median_of_the_waits);
  g_test_add_func ("/call-tree/what-had-not-ended-is-a-lower-bound",
                   test_what_had_not_ended_is_a_lower_bound);
  g_test_add_func ("/call-tree/a-tree-has-so-many-parts-only", test_a_tree_has_so_many_parts_only);
  g_test_add_func ("/call-tree/lengths-beyond-all-numbers-come-to-the-largest",
                   test_lengths_beyond_all_numbers_come_to_the_largest);
  return g_test_run ();
}
