/* Tests the comparison of two traces, for the window and the command line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-comparison.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static char *
run (const char *const *words)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  char *text = NULL;
  int status = -1;

  g_ptr_array_add (command, (gpointer) g_getenv ("NETSTITCH_CLI"));
  for (; *words != NULL; words++)
    g_ptr_array_add (command, (gpointer) *words);
  g_ptr_array_add (command, NULL);
  g_assert_true (g_spawn_sync (NULL,
                               (char **) command->pdata,
                               NULL,
                               G_SPAWN_DEFAULT,
                               NULL,
                               NULL,
                               &text,
                               NULL,
                               &status,
                               NULL));
  g_assert_cmpint (status, ==, 0);
  return text;
}

/* Writes a part of the sample to a file. */
static char *
make_part (void)
{
  char *path = g_build_filename (folder, "part.etl", NULL);
  g_autofree char *nothing = run ((const char *[]){ "export",
                                                    g_getenv ("NETSTITCH_SAMPLE"),
                                                    "--as",
                                                    "etl",
                                                    "--filter",
                                                    "process:updatehelper",
                                                    "-o",
                                                    path,
                                                    NULL });

  return path;
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static gboolean
make (NsComparison *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ns_comparison_run_async (self, cancellable, ended_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return ns_comparison_run_finish (self, result, error);
}

static NsTrace *
open_trace (const char *path)
{
  static const NsTraceOptions options = { .want_events = TRUE };

  return ns_trace_open (path, &options, NULL, NULL, NULL);
}

static void
assert_is_what_is_printed (NsComparison *self, const char *before, const char *after)
{
  g_autofree char *shown = ns_comparison_to_text (self);
  g_autofree char *printed =
      run ((const char *[]){ "diff", before, after, "--format", "tsv", NULL });

  g_assert_cmpstr (shown, ==, printed);
}

static void
test_it_tells_what_the_command_line_tells (void)
{
  const char *sample = g_getenv ("NETSTITCH_SAMPLE");
  g_autoptr (NsTrace) trace = open_trace (sample);
  g_autofree char *path = make_part ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsComparison) self = ns_comparison_new (trace, file, NULL);
  g_autoptr (GError) error = NULL;
  guint n_before;
  guint n_after;

  g_assert_true (make (self, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (ns_comparison_is_ours_first (self));
  g_assert_cmpuint (ns_comparison_get_n_changes (self), >, 10);
  g_assert_cmpuint (ns_comparison_count_kind (self, NS_CHANGE_GONE), >, 10);
  ns_comparison_count (self, &n_before, &n_after);
  g_assert_cmpuint (n_before, ==, 24);
  g_assert_cmpuint (n_after, ==, 7);
  assert_is_what_is_printed (self, sample, path);

  /* Swapping does not read the other trace again, so its file may be gone. */
  g_unlink (path);
  ns_comparison_swap (self);
  g_assert_true (make (self, NULL, &error));
  g_assert_false (ns_comparison_is_ours_first (self));
  g_assert_cmpuint (ns_comparison_count_kind (self, NS_CHANGE_GONE), ==, 0);
  g_assert_cmpuint (ns_comparison_count_kind (self, NS_CHANGE_NEW), >, 10);
}

static void
test_a_trace_does_not_differ_from_itself (void)
{
  const char *sample = g_getenv ("NETSTITCH_SAMPLE");
  g_autoptr (NsTrace) trace = open_trace (sample);
  g_autoptr (GFile) file = g_file_new_for_path (sample);
  g_autoptr (NsComparison) read = ns_comparison_new (trace, file, NULL);
  g_autoptr (NsComparison) open = ns_comparison_new (trace, file, trace);

  g_assert_true (make (read, NULL, NULL));
  g_assert_cmpuint (ns_comparison_get_n_changes (read), ==, 0);
  assert_is_what_is_printed (read, sample, sample);
  g_assert_true (make (open, NULL, NULL));
  g_assert_cmpuint (ns_comparison_get_n_changes (open), ==, 0);
}

static void
test_it_can_be_stopped_and_made_again (void)
{
  const char *sample = g_getenv ("NETSTITCH_SAMPLE");
  g_autoptr (NsTrace) trace = open_trace (sample);
  g_autofree char *path = make_part ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsComparison) self = ns_comparison_new (trace, file, NULL);
  g_autoptr (GCancellable) stopped = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (stopped);
  g_assert_false (make (self, stopped, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (ns_comparison_get_n_changes (self), ==, 0);
  g_assert_true (make (self, NULL, NULL));
  g_assert_cmpuint (ns_comparison_get_n_changes (self), >, 10);
  g_unlink (path);
}

static void
test_what_is_no_trace_is_said (void)
{
  g_autoptr (NsTrace) trace = open_trace (g_getenv ("NETSTITCH_SAMPLE"));
  g_autofree char *path = g_build_filename (folder, "none.etl", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsComparison) self = ns_comparison_new (trace, file, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (make (self, NULL, &error));
  g_assert_nonnull (strstr (error->message, "none.etl"));
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  folder = g_dir_make_tmp ("netstitch-comparison-XXXXXX", NULL);
  g_test_add_func ("/comparison/it-tells-what-the-command-line-tells",
                   test_it_tells_what_the_command_line_tells);
  g_test_add_func ("/comparison/a-trace-does-not-differ-from-itself",
                   test_a_trace_does_not_differ_from_itself);
  g_test_add_func ("/comparison/it-can-be-stopped-and-made-again",
                   test_it_can_be_stopped_and_made_again);
  g_test_add_func ("/comparison/what-is-no-trace-is-said", test_what_is_no_trace_is_said);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
