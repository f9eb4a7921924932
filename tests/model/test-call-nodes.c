/* Tests the call tree as a list of lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-nodes.h"
#include "model/ns-session.h"
#include "stitch-fixture.h"

#define ROWS "10:1:NET 'S1; 20:1:NET 'S1; 30:1:NET 'S1; 40:1:NET 'S2; 50:1:NET"

static NsCallTree *
tree_of (NsSession *session)
{
  GArray *rows;
  NsCallTreeOptions options = { .stack = NS_CALL_STACK_FULL };

  while (ns_session_is_busy (session, NS_TABLE_ACTIVITIES))
    g_main_context_iteration (NULL, TRUE);
  rows = (GArray *) ns_row_list_get_rows (ns_session_get_rows (session, NS_TABLE_ACTIVITIES));
  return ns_call_tree_new (ns_session_get_trace (session),
                           (const guint32 *) (gconstpointer) rows->data,
                           rows->len,
                           &options,
                           NULL,
                           NULL);
}

/* Asserts the lines, one word each: depth, rows, and v for an expanded or > for a collapsed
 * node. */
static void
assert_lines (NsCallNodes *nodes, const NsCallTree *tree, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (nodes)); i++)
    {
      g_autoptr (NsCallNodeItem) item = g_list_model_get_item (G_LIST_MODEL (nodes), i);
      guint32 node = ns_call_node_item_get_node (item);
      const NsCallNode *at = &g_array_index (tree->nodes, NsCallNode, node);

      g_string_append_printf (text,
                              "%s%u:%u%s",
                              i > 0 ? " " : "",
                              at->depth,
                              at->total.n_rows,
                              ns_call_nodes_is_open (nodes, node) ? "v"
                              : at->n_inside > 0                  ? ">"
                                                                  : "");
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_lines_open_and_close (void)
{
  g_autoptr (NsSession) session = ns_session_new (stitch_trace_new (ROWS), NULL);
  g_autoptr (NsCallTree) tree = tree_of (session);
  g_autoptr (NsCallNodes) nodes = ns_call_nodes_new ();
  guint32 last = tree->nodes->len - 2;

  ns_call_nodes_set_tree (nodes, tree);
  /* Nodes with more than half of all rows are expanded initially. */
  assert_lines (nodes, tree, "0:5v 1:4v 2:3v 3:3 2:1> 1:1");
  ns_call_nodes_set_open (nodes, 4, TRUE);
  assert_lines (nodes, tree, "0:5v 1:4v 2:3v 3:3 2:1v 3:1 1:1");
  ns_call_nodes_set_open (nodes, 1, FALSE);
  assert_lines (nodes, tree, "0:5v 1:4> 1:1");
  /* The nodes inside are collapsed again. */
  ns_call_nodes_set_open (nodes, 1, TRUE);
  assert_lines (nodes, tree, "0:5v 1:4v 2:3> 2:1> 1:1");
  ns_call_nodes_set_open (nodes, 0, FALSE);
  g_assert_cmpuint (ns_call_nodes_reveal (nodes, last), ==, 4);
  assert_lines (nodes, tree, "0:5v 1:4v 2:3> 2:1v 3:1 1:1");
  ns_call_nodes_set_tree (nodes, NULL);
  assert_lines (nodes, tree, "");
}

static void
test_the_root_counts_what_the_table_shows (void)
{
  static const char *const filters[] = { "", "stack:none", "stack:*", "tid=1", "tid=99", "id<=3" };
  g_autoptr (NsSession) session = ns_session_new (stitch_trace_new (ROWS), NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      g_autoptr (NsCallTree) tree = NULL;
      GListModel *rows;

      g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, filters[i], NULL, NULL));
      tree = tree_of (session);
      rows = G_LIST_MODEL (ns_session_get_rows (session, NS_TABLE_ACTIVITIES));
      g_assert_cmpuint (ns_call_tree_get_total (tree, 0), ==, g_list_model_get_n_items (rows));
    }
}

static void
test_half_of_the_rows_took_no_longer (void)
{
  NsTrace *trace = stitch_trace_new (ROWS);
  g_autoptr (NsSession) session = ns_session_new (trace, NULL);
  g_autoptr (NsCallTree) tree = NULL;
  gint64 phases[NS_N_PHASES];
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      row->close_ns = row->open_ns + (gint64) (i + 1) * 1000;
    }
  for (i = 0; i < NS_N_PHASES; i++)
    phases[i] = i == NS_PHASE_QUEUE ? 700 : NS_UNKNOWN;
  g_array_index (trace->activities, NsActivityRow, 0).phases = phases;
  tree = tree_of (session);
  g_assert_cmpint (ns_call_tree_get_percentile (tree, 0, 50, NULL), ==, 3000);
  g_assert_cmpint (ns_call_tree_get_percentile (tree, 0, 95, NULL), ==, 5000);
  /* The heaviest path: rows 1 to 3. */
  g_assert_cmpint (ns_call_tree_get_percentile (tree, 2, 50, NULL), ==, 2000);
  g_assert_cmpint (ns_call_tree_get_percentile (tree, 2, 100, NULL), ==, 3000);
  g_assert_cmpint (ns_call_tree_get_percentile (tree, tree->nodes->len - 1, 50, NULL), ==, 5000);
  g_assert_cmpint (g_array_index (tree->nodes, NsCallNode, 2).total.queued_ns, ==, 700);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/call-nodes/lines-open-and-close", test_lines_open_and_close);
  g_test_add_func ("/call-nodes/the-root-counts-what-the-table-shows",
                   test_the_root_counts_what_the_table_shows);
  g_test_add_func ("/call-nodes/half-of-the-rows-took-no-longer",
                   test_half_of_the_rows_took_no_longer);
  return g_test_run ();
}
