/* Tests the files of a case: adding, removing, reordering.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-case-files.h"

#include <glib/gstdio.h>
#include <string.h>

/* A table whose header does not tell which column has the times. */
static const char table[] = "when;who;ip;port;status\n"
                            "20.11.2026 09:41:30;a.exe;203.0.113.24;443;error\n"
                            "20.11.2026 09:41:31;a.exe;203.0.113.24;443;ok\n";

typedef struct
{
  char *folder;
  GFile *sample;
  GFile *logs[2];
  NsCaseFiles *files;
  NsTrace *trace; /* the most recently loaded trace */
  guint n_notified;
} World;

static void
notify_cb (World *world)
{
  world->n_notified++;
}

static void
set_up (World *world, gconstpointer data)
{
  static const char *const names[] = { "first.csv", "second.csv" };
  g_autoptr (GError) error = NULL;
  guint i;

  world->folder = g_dir_make_tmp ("ns-case-XXXXXX", &error);
  g_assert_no_error (error);
  world->sample = g_file_new_for_path (g_getenv ("NETSTITCH_SAMPLE"));
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      world->logs[i] = g_file_new_build_filename (world->folder, names[i], NULL);
      g_assert_true (g_file_set_contents (g_file_peek_path (world->logs[i]), table, -1, &error));
    }
  world->files = ns_case_files_new ();
  g_signal_connect_swapped (world->files, "notify::removed", G_CALLBACK (notify_cb), world);
}

static void
tear_down (World *world, gconstpointer data)
{
  guint i;

  g_clear_pointer (&world->trace, ns_trace_unref);
  g_object_unref (world->files);
  g_object_unref (world->sample);
  for (i = 0; i < G_N_ELEMENTS (world->logs); i++)
    {
      g_remove (g_file_peek_path (world->logs[i]));
      g_object_unref (world->logs[i]);
    }
  g_assert_cmpint (g_rmdir (world->folder), ==, 0);
  g_free (world->folder);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  World *world = data;
  g_autoptr (GError) error = NULL;

  world->trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);
  g_assert_no_error (error);
}

/* Loads the files of the case. */
static void
load (World *world)
{
  g_autoptr (NsViewContext) view = ns_view_context_new ();
  g_autoptr (NsTraceLoader) loader = ns_case_files_make_loader (world->files, view);

  g_clear_pointer (&world->trace, ns_trace_unref);
  ns_trace_loader_load_async (loader, NULL, loaded_cb, world);
  while (world->trace == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
set_files (World *world, GPtrArray *files)
{
  g_assert_nonnull (files);
  ns_case_files_set (world->files, (GFile **) files->pdata, files->len);
  load (world);
}

/* Loads the sample and both logs. */
static void
open_all (World *world)
{
  GFile *files[] = { world->sample, world->logs[0], world->logs[1] };

  ns_case_files_set (world->files, files, G_N_ELEMENTS (files));
  load (world);
  g_assert_cmpuint (world->trace->logs->len, ==, 2);
}

static void
assert_files (GPtrArray *files, GFile *first, GFile *second, GFile *third)
{
  GFile *const wanted[] = { first, second, third };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wanted) && wanted[i] != NULL; i++)
    g_assert_true (i < files->len && g_file_equal (g_ptr_array_index (files, i), wanted[i]));
  g_assert_cmpuint (files->len, ==, i);
}

static const char *
get_log_path (World *world, guint number)
{
  return g_file_peek_path (world->logs[number]);
}

static void
test_lists_what_was_named (World *world, gconstpointer data)
{
  g_autoptr (GPtrArray) files = NULL;

  g_assert_null (ns_case_files_get_first (world->files));
  open_all (world);
  files = ns_case_files_list (world->files);
  assert_files (files, world->sample, world->logs[0], world->logs[1]);
  g_assert_true (g_file_equal (ns_case_files_get_first (world->files), world->sample));
  g_assert_true (ns_case_files_has_other (world->files, get_log_path (world, 1)));
  g_assert_false (ns_case_files_has_other (world->files, g_file_peek_path (world->sample)));
  ns_case_files_drop_other (world->files, get_log_path (world, 0));
  g_assert_false (ns_case_files_has_other (world->files, get_log_path (world, 0)));
  g_assert_cmpuint (ns_case_files_get_n (world->files), ==, 2);
  ns_case_files_take_back (world->files, world->logs[0]);
  g_assert_true (g_file_equal (ns_case_files_get_first (world->files), world->logs[0]));
  ns_case_files_take_back (world->files, NULL);
  g_assert_cmpuint (ns_case_files_get_n (world->files), ==, 0);
}

static void
test_more_are_added_once (World *world, gconstpointer data)
{
  g_autoptr (GListStore) more = g_list_store_new (G_TYPE_FILE);
  g_autoptr (GListStore) again = g_list_store_new (G_TYPE_FILE);
  g_autoptr (GPtrArray) first = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) files = NULL;

  g_ptr_array_add (first, g_object_ref (world->sample));
  set_files (world, first);
  g_list_store_append (more, world->logs[1]);
  g_list_store_append (more, world->sample);
  g_list_store_append (more, world->logs[1]);
  files = ns_case_files_add (world->files, world->trace, G_LIST_MODEL (more));
  assert_files (files, world->sample, world->logs[1], NULL);
  g_assert_cmpuint (ns_case_files_get_n (world->files), ==, 1);
  g_list_store_append (again, world->sample);
  g_assert_null (ns_case_files_add (world->files, world->trace, G_LIST_MODEL (again)));
}

static void
test_a_file_is_taken_out_and_put_back (World *world, gconstpointer data)
{
  g_autoptr (GPtrArray) less = NULL;
  g_autoptr (GPtrArray) all = NULL;

  open_all (world);
  less = ns_case_files_remove (world->files, world->trace, get_log_path (world, 0));
  assert_files (less, world->sample, world->logs[1], NULL);
  g_assert_null (ns_case_files_get_removed (world->files));
  world->n_notified = 0;
  set_files (world, less);
  g_assert_cmpuint (world->n_notified, ==, 1);
  g_assert_cmpstr (ns_case_files_get_removed (world->files), ==, get_log_path (world, 0));
  g_assert_cmpuint (world->trace->logs->len, ==, 1);
  all = ns_case_files_put_back (world->files);
  assert_files (all, world->sample, world->logs[0], world->logs[1]);
  g_assert_null (ns_case_files_get_removed (world->files));
  g_assert_null (ns_case_files_put_back (world->files));
  set_files (world, all);
  g_assert_cmpuint (world->trace->logs->len, ==, 2);
}

static void
test_another_trace_ends_the_offer (World *world, gconstpointer data)
{
  g_autoptr (GPtrArray) less = NULL;

  open_all (world);
  less = ns_case_files_remove (world->files, world->trace, get_log_path (world, 0));
  set_files (world, less);
  g_assert_nonnull (ns_case_files_get_removed (world->files));
  open_all (world);
  g_assert_null (ns_case_files_get_removed (world->files));
  g_assert_null (ns_case_files_put_back (world->files));
}

static void
test_logs_alone_are_no_trace (World *world, gconstpointer data)
{
  open_all (world);
  g_assert_null (
      ns_case_files_remove (world->files, world->trace, g_file_peek_path (world->sample)));
  g_assert_null (ns_case_files_remove (world->files, world->trace, "/nothing/here.etl"));
}

static void
test_files_move_among_their_kind (World *world, gconstpointer data)
{
  g_autoptr (GPtrArray) moved = NULL;

  open_all (world);
  moved = ns_case_files_move (world->files, world->trace, get_log_path (world, 0), 1);
  assert_files (moved, world->sample, world->logs[1], world->logs[0]);
  g_assert_null (ns_case_files_move (world->files, world->trace, get_log_path (world, 0), -1));
  g_assert_null (ns_case_files_move (world->files, world->trace, get_log_path (world, 1), 1));
  g_assert_null (
      ns_case_files_move (world->files, world->trace, g_file_peek_path (world->sample), -1));
  g_assert_null (ns_case_files_move (world->files, world->trace, "/nothing/here.csv", 1));
}

static void
test_a_column_is_asked_for_once (World *world, gconstpointer data)
{
  open_all (world);
  g_assert_cmpstr (ns_case_files_ask_column (world->files, world->trace),
                   ==,
                   get_log_path (world, 0));
  g_assert_cmpstr (ns_case_files_ask_column (world->files, world->trace),
                   ==,
                   get_log_path (world, 1));
  g_assert_null (ns_case_files_ask_column (world->files, world->trace));
}

static const NsSideLog *
get_log (World *world, guint number)
{
  return g_ptr_array_index (world->trace->logs, number);
}

static void
test_what_is_said_of_logs_holds (World *world, gconstpointer data)
{
  NsLogClock clock = { .path = get_log_path (world, 0),
                       .offset_ns = 2 * NS_PER_SECOND,
                       .time_column = "when" };
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) less = NULL;
  g_autoptr (GPtrArray) back = NULL;

  open_all (world);
  g_assert_nonnull (get_log (world, 0)->refusal);
  all = ns_case_files_list (world->files);
  ns_case_files_keep_clocks (world->files, world->trace, &clock);
  set_files (world, all);
  g_assert_cmpstr (get_log (world, 0)->time_column, ==, "when");
  g_assert_cmpint (get_log (world, 0)->offset_ns, ==, 2 * NS_PER_SECOND);
  g_assert_nonnull (get_log (world, 1)->refusal);
  /* This also holds if a removed file is added again. */
  less = ns_case_files_remove (world->files, world->trace, get_log_path (world, 0));
  ns_case_files_keep_clocks (world->files, world->trace, NULL);
  set_files (world, less);
  back = ns_case_files_put_back (world->files);
  set_files (world, back);
  g_assert_cmpstr (get_log (world, 0)->time_column, ==, "when");
  g_assert_cmpint (get_log (world, 0)->offset_ns, ==, 2 * NS_PER_SECOND);
  /* The setting was for one load only. */
  load (world);
  g_assert_nonnull (get_log (world, 0)->refusal);
}

/* The first file names the trace, whatever the others are named. */
static void
test_what_was_read_last_is_offered (World *world, gconstpointer data)
{
  g_autoptr (GPtrArray) opened = g_ptr_array_new ();
  g_autoptr (GPtrArray) more = g_ptr_array_new ();
  g_autoptr (GPtrArray) offered = NULL;
  guint n_added;
  guint n_gone;

  g_ptr_array_add (opened, world->sample);
  g_ptr_array_add (more, world->sample);
  g_ptr_array_add (more, world->logs[1]);
  g_ptr_array_add (more, world->logs[0]);
  set_files (world, opened);
  g_assert_false (ns_case_files_offer (world->files, world->trace, &n_added, &n_gone));
  ns_case_files_remember (world->files, more);
  set_files (world, more);
  g_assert_false (ns_case_files_offer (world->files, world->trace, &n_added, &n_gone));
  /* The trace is opened another time. */
  set_files (world, opened);
  g_assert_true (ns_case_files_offer (world->files, world->trace, &n_added, &n_gone));
  g_assert_cmpuint (n_added, ==, 2);
  g_assert_cmpuint (n_gone, ==, 0);
  offered = ns_case_files_take_offer (world->files);
  g_assert_cmpuint (offered->len, ==, 3);
  g_assert_true (g_file_equal (g_ptr_array_index (offered, 0), world->sample));
  g_assert_true (g_file_equal (g_ptr_array_index (offered, 1), world->logs[1]));
  g_assert_null (ns_case_files_take_offer (world->files));
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "lists-what-was-named", test_lists_what_was_named },
    { "more-are-added-once", test_more_are_added_once },
    { "a-file-is-taken-out-and-put-back", test_a_file_is_taken_out_and_put_back },
    { "another-trace-ends-the-offer", test_another_trace_ends_the_offer },
    { "logs-alone-are-no-trace", test_logs_alone_are_no_trace },
    { "files-move-among-their-kind", test_files_move_among_their_kind },
    { "a-column-is-asked-for-once", test_a_column_is_asked_for_once },
    { "what-is-said-of-logs-holds", test_what_is_said_of_logs_holds },
    { "what-was-read-last-is-offered", test_what_was_read_last_is_offered },
  };
  guint i;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/case-files/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}
