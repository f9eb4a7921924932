/* Tests users of stacks while symbol names arrive in the background.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-call-tree.h"
#include "model/ns-export-job.h"
#include "model/ns-session-view.h"
#include "model/ns-symbol-job.h"
#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "stitch-fixture.h"

#define ROWS "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2; 30:3:NET 'S1; 40:3:NET 'S4"

/* Makes a trace with a debug ID event that names the PDB of app.exe. */
static NsSession *
session_new (void)
{
  NsTrace *trace = stitch_trace_new (ROWS);
  NsGuid guid = NS_TEST_PDB_GUID;
  guint i;

  for (i = 0; i < trace->images->len; i++)
    {
      NsImageRow *image = &g_array_index (trace->images, NsImageRow, i);

      if (g_strcmp0 (ns_trace_text (trace, image->name), "app.exe") != 0)
        continue;
      image->pdb = ns_strings_add (trace->strings, "D:\\build\\app.pdb");
      image->guid = guid;
      image->age = NS_TEST_PDB_AGE;
      image->has_guid = TRUE;
    }
  return ns_session_new (trace, NULL);
}

static guint
count_rows (NsSession *session)
{
  while (ns_session_is_busy (session, NS_TABLE_ACTIVITIES))
    g_main_context_iteration (NULL, TRUE);
  return g_list_model_get_n_items (
      G_LIST_MODEL (ns_session_get_rows (session, NS_TABLE_ACTIVITIES)));
}

static void
wait_for_names (NsSymbolJob *job)
{
  guint n_named = 0;
  guint n_asked;

  while (n_named == 0)
    {
      g_main_context_iteration (NULL, TRUE);
      ns_symbol_job_count (job, &n_named, &n_asked);
    }
}

static NsSymbolJob *
start_job (NsSession *session, NsTestFolder *folder)
{
  NsSymbolSettings settings = { .path = folder->root };

  ns_test_folder_write_pdb (folder, "app.pdb");
  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  return ns_symbol_job_get_for_session (session);
}

static void
test_a_filter_finds_what_got_a_name (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job = start_job (session, folder);

  g_assert_true (
      ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "stack:app.exe!outer*", NULL, NULL));
  count_rows (session);
  wait_for_names (job);
  ns_session_names_changed (session);
  g_assert_cmpuint (count_rows (session), ==, 2);
  g_assert_true (
      ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "stack:app.exe!inner*", NULL, NULL));
  g_assert_cmpuint (count_rows (session), ==, 0);
}

static void
test_a_node_is_found_again_under_its_name (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job = start_job (session, folder);
  const NsTrace *trace = ns_session_get_trace (session);
  const guint32 rows[] = { 0, 1, 2 };
  NsCallTreeOptions options = { .stack = NS_CALL_STACK_FULL };
  g_autoptr (NsCallTree) before = ns_call_tree_new (trace, rows, 3, &options, NULL, NULL);
  g_autoptr (NsCallTree) after = NULL;
  guint32 node;

  for (node = 0; node < before->nodes->len; node++)
    if (g_str_equal (ns_call_tree_get_name (before, node), "app.exe+0x1045"))
      break;
  g_assert_cmpuint (node, <, before->nodes->len);
  wait_for_names (job);
  after = ns_call_tree_new (trace, rows, 3, &options, NULL, NULL);
  node = ns_call_tree_find_again (after, trace, before, node);
  g_assert_cmpstr (ns_call_tree_get_name (after, node), ==, "app.exe!outer::work");
  /* The total equals that of the table. */
  g_assert_cmpuint (ns_call_tree_get_total (after, 0), ==, 3);
}

static void
test_a_named_frame_has_its_source (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job = start_job (session, folder);
  gint64 time_ns = 30 * 1000000;
  guint64 address = G_GUINT64_CONSTANT (0x7ff600001045);
  g_autofree char *early = ns_symbol_job_dup_source (job, STITCH_PID, address, time_ns, TRUE);
  g_autofree char *name = NULL;
  g_autofree char *source = NULL;
  gboolean is_named;

  g_assert_null (early);
  g_free (ns_symbol_job_name_frame (job, STITCH_PID, address, time_ns, TRUE, &is_named));
  g_assert_false (is_named);
  wait_for_names (job);
  name = ns_symbol_job_name_frame (job, STITCH_PID, address, time_ns, TRUE, &is_named);
  g_assert_cmpstr (name, ==, "app.exe!outer::work+0x35");
  source = ns_symbol_job_dup_source (job, STITCH_PID, address, time_ns, TRUE);
  g_assert_cmpstr (source, ==, "a.cpp:44");
}

static void
test_the_panel_shows_what_was_inlined (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsSession) session = session_new ();
  NsSymbolJob *job = start_job (session, folder);
  g_autofree char *before = NULL;
  g_autofree char *inside = NULL;
  g_autofree char *outside = NULL;
  gboolean is_named;

  before = ns_symbol_job_name_frame (job, STITCH_PID, 0x7ff600001018, 10000000, FALSE, &is_named);
  g_free (ns_symbol_job_name_frame (job, STITCH_PID, 0x7ff60000101c, 10000000, FALSE, &is_named));
  g_assert_cmpstr (before, ==, "app.exe+0x1018");
  for (guint n_named = 0, n_asked; n_named < 2; ns_symbol_job_count (job, &n_named, &n_asked))
    g_main_context_iteration (NULL, TRUE);
  inside = ns_symbol_job_name_frame (job, STITCH_PID, 0x7ff600001018, 10000000, FALSE, &is_named);
  outside = ns_symbol_job_name_frame (job, STITCH_PID, 0x7ff60000101c, 10000000, FALSE, &is_named);
  g_assert_cmpstr (inside, ==, "app.exe!outer::work+0x8 (inlined: tools::helper)");
  g_assert_cmpstr (outside, ==, "app.exe!outer::work+0xc");
}

static void
test_names_end_with_their_session (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  NsSession *session = session_new ();
  NsTrace *trace = ns_trace_ref (ns_session_get_trace (session));
  const guint32 rows[] = { 0 };
  NsCallTreeOptions options = { .stack = NS_CALL_STACK_FULL };
  g_autoptr (NsCallTree) tree = NULL;

  start_job (session, folder);
  g_object_unref (session);
  tree = ns_call_tree_new (trace, rows, 1, &options, NULL, NULL);
  g_assert_cmpuint (ns_call_tree_get_total (tree, 0), ==, 1);
  ns_trace_unref (trace);
}

/* No stack was displayed before, so the export looks up the names itself. */
static void
test_a_hand_over_waits_for_names (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsSession) session = session_new ();
  g_autoptr (GPtrArray) fields = ns_table_list_columns (NS_TABLE_ACTIVITIES);
  g_autofree char *path = g_build_filename (folder->root, "hand.etl.zip", NULL);
  const NsTraceOptions options = { .want_events = TRUE };
  NsSessionExport what = { .rows = NS_SESSION_ALL_ROWS, .fields = fields };
  g_autoptr (NsExportJob) job = NULL;
  g_autoptr (NsSession) opened = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autofree char *source = NULL;
  gboolean is_named;

  start_job (session, folder);
  job = ns_export_job_new (session, &what);
  g_assert_true (ns_export_job_run (job, path, NULL, &error));
  g_assert_no_error (error);
  opened = ns_session_new (ns_trace_open (path, &options, NULL, NULL, NULL), NULL);
  ns_view_context_set_symbols (ns_session_get_trace (opened)->view,
                               &(NsSymbolSettings){ .path = "/nowhere" });
  /* At once, without a search. */
  name = ns_symbol_job_name_frame (ns_symbol_job_get_for_session (opened),
                                   STITCH_PID,
                                   0x7ff600001045,
                                   10000000,
                                   TRUE,
                                   &is_named);
  g_assert_true (is_named);
  g_assert_cmpstr (name, ==, "app.exe!outer::work+0x35");
  source = ns_symbol_job_dup_source (ns_symbol_job_get_for_session (opened),
                                     STITCH_PID,
                                     0x7ff600001045,
                                     10000000,
                                     TRUE);
  g_assert_cmpstr (source, ==, "a.cpp:44");
}

/* Without a symbol path the bundle is written without names. */
static void
test_a_hand_over_without_a_symbol_path_is_written (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsSession) session = session_new ();
  g_autoptr (GPtrArray) fields = ns_table_list_columns (NS_TABLE_ACTIVITIES);
  g_autofree char *path = g_build_filename (folder->root, "none.etl.zip", NULL);
  NsSessionExport what = { .rows = NS_SESSION_ALL_ROWS, .fields = fields };
  g_autoptr (NsExportJob) job = ns_export_job_new (session, &what);
  g_autoptr (GError) error = NULL;

  g_assert_true (ns_export_job_run (job, path, NULL, &error));
  g_assert_no_error (error);
}

/* The user's own view of a trace takes precedence over the one in the bundle. */
static void
test_an_own_view_goes_before_the_one_that_came_along (void)
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  g_autoptr (NsSession) session = session_new ();
  g_autoptr (GPtrArray) fields = ns_table_list_columns (NS_TABLE_ACTIVITIES);
  g_autofree char *path = g_build_filename (folder->root, "view.etl.zip", NULL);
  g_autoptr (GVariant) sent = g_variant_ref_sink (g_variant_new_parsed ("{'table': <'dns'>}"));
  g_autoptr (GVariant) kept = g_variant_ref_sink (g_variant_new_parsed ("{'table': <'tcp'>}"));
  NsSessionExport what = { .rows = NS_SESSION_ALL_ROWS, .fields = fields, .view = sent };
  g_autoptr (NsExportJob) job = ns_export_job_new (session, &what);
  g_autoptr (NsSession) opened = NULL;
  g_autoptr (GVariant) first = NULL;
  g_autoptr (GVariant) second = NULL;
  g_autofree char *key = NULL;
  gboolean is_carried;
  const char *table;

  g_assert_true (ns_export_job_run (job, path, NULL, NULL));
  opened = ns_session_new (ns_trace_open (path, NULL, NULL, NULL, NULL), NULL);
  key = ns_view_file_identify (ns_session_get_trace (opened));
  first = ns_session_read_view (opened, key, &is_carried);
  g_assert_true (is_carried);
  g_assert_true (g_variant_lookup (first, "table", "&s", &table));
  g_assert_cmpstr (table, ==, "dns");
  g_assert_true (ns_view_file_write (key, kept, NULL));
  second = ns_session_read_view (opened, key, &is_carried);
  g_assert_false (is_carried);
  g_assert_true (g_variant_lookup (second, "table", "&s", &table));
  g_assert_cmpstr (table, ==, "tcp");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_unsetenv ("_NT_SYMBOL_PATH");
  g_unsetenv ("_NT_ALT_SYMBOL_PATH");
  g_test_add_func ("/stack-names/a-filter-finds-what-got-a-name",
                   test_a_filter_finds_what_got_a_name);
  g_test_add_func ("/stack-names/a-node-is-found-again-under-its-name",
                   test_a_node_is_found_again_under_its_name);
  g_test_add_func ("/stack-names/a-named-frame-has-its-source", test_a_named_frame_has_its_source);
  g_test_add_func ("/stack-names/the-panel-shows-what-was-inlined",
                   test_the_panel_shows_what_was_inlined);
  g_test_add_func ("/stack-names/names-end-with-their-session", test_names_end_with_their_session);
  g_test_add_func ("/stack-names/a-hand-over-waits-for-names", test_a_hand_over_waits_for_names);
  g_test_add_func ("/stack-names/a-hand-over-without-a-symbol-path-is-written",
                   test_a_hand_over_without_a_symbol_path_is_written);
  g_test_add_func ("/stack-names/an-own-view-goes-before-the-one-that-came-along",
                   test_an_own_view_goes_before_the_one_that_came_along);
  return g_test_run ();
}
