/* Tests opening a trace without a local path.
 *
 * Uses a GResource of this program, which GIO reads like a remote file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-fetched.h"
#include "model/ns-trace-loader.h"

#include <glib/gstdio.h>

#define SAMPLE_URI "resource:///org/netstitch/Test/sample.etl"

typedef struct
{
  GMainLoop *loop;
  NsTrace *trace;
  GError *error;
} Answer;

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &answer->error);
  g_main_loop_quit (answer->loop);
}

static void
load (const char *uri, GCancellable *cancellable, Answer *answer)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);

  answer->loop = g_main_loop_new (NULL, FALSE);
  ns_trace_loader_load_async (loader, cancellable, loaded_cb, answer);
  g_main_loop_run (answer->loop);
  g_main_loop_unref (answer->loop);
}

static void
answer_clear (Answer *answer)
{
  g_clear_pointer (&answer->trace, ns_trace_unref);
  g_clear_error (&answer->error);
}

/* Lists temporary copies that were left behind. */
static char *
list_copies (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "netstitch", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GString *text = g_string_new (NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_string_append_printf (text, "%s;", name);
  return g_string_free (text, FALSE);
}

static void
test_a_file_without_a_path_is_fetched (void)
{
  g_autoptr (GFile) file = g_file_new_for_uri (SAMPLE_URI);
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *left = NULL;
  Answer here = { NULL };
  Answer there = { NULL };
  g_autofree char *uri = g_filename_to_uri (g_getenv ("NETSTITCH_SAMPLE"), NULL, NULL);

  g_assert_null (path);
  load (uri, NULL, &here);
  load (SAMPLE_URI, NULL, &there);
  g_assert_no_error (there.error);
  g_assert_cmpuint (there.trace->activities->len, ==, here.trace->activities->len);
  /* Its records can still be read, although no temporary file is left. */
  left = list_copies ();
  g_assert_cmpstr (left, ==, "");
  g_assert_cmpuint (ns_etl_file_get_size (there.trace->file),
                    ==,
                    ns_etl_file_get_size (here.trace->file));
  answer_clear (&here);
  answer_clear (&there);
}

static void
test_what_is_not_there_is_said_so (void)
{
  g_autofree char *left = NULL;
  Answer answer = { NULL };

  load ("resource:///org/netstitch/Test/nothing.etl", NULL, &answer);
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  answer_clear (&answer);
  load ("nowhere://server/share/trace.etl", NULL, &answer);
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  answer_clear (&answer);
  left = list_copies ();
  g_assert_cmpstr (left, ==, "");
}

static gboolean
stop_at_once (double fraction, gpointer user_data)
{
  double *seen = user_data;

  *seen = fraction;
  return FALSE;
}

static gboolean
go_on (double fraction, gpointer user_data)
{
  double *seen = user_data;

  g_assert_cmpfloat (fraction, >=, *seen);
  *seen = fraction;
  return TRUE;
}

static void
test_fetching_can_be_stopped (void)
{
  g_autoptr (GFile) file = g_file_new_for_uri (SAMPLE_URI);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *left = NULL;
  double seen = -1;

  g_assert_null (ns_fetched_new (file, stop_at_once, &seen, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (ns_fetched_new (file, go_on, &seen, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  left = list_copies ();
  g_assert_cmpstr (left, ==, "");
}

static void
test_a_copy_is_told_of_and_keeps_its_name (void)
{
  g_autoptr (GFile) file = g_file_new_for_uri (SAMPLE_URI);
  g_autoptr (NsFetched) fetched = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_autofree char *folder = NULL;
  double seen = 0;
  GStatBuf info;

  fetched = ns_fetched_new (file, go_on, &seen, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (seen, ==, 1);
  name = g_path_get_basename (ns_fetched_get_path (fetched));
  g_assert_cmpstr (name, ==, "sample.etl");
  folder = g_path_get_dirname (ns_fetched_get_path (fetched));
  g_assert_cmpint (g_stat (folder, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0700);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/trace-loader/a-file-without-a-path-is-fetched",
                   test_a_file_without_a_path_is_fetched);
  g_test_add_func ("/trace-loader/what-is-not-there-is-said-so", test_what_is_not_there_is_said_so);
  g_test_add_func ("/trace-loader/fetching-can-be-stopped", test_fetching_can_be_stopped);
  g_test_add_func ("/trace-loader/a-copy-is-told-of-and-keeps-its-name",
                   test_a_copy_is_told_of_and_keeps_its_name);
  return g_test_run ();
}
