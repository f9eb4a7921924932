/* Tests the diagnosis of a file that is not a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-file-look.h"

#include <glib/gstdio.h>

static void
assert_guess (const char *data, gsize n_bytes, NsFileGuess expected)
{
  g_assert_cmpint (ns_file_look_guess ((const guint8 *) data, n_bytes), ==, expected);
}

static void
test_other_files_are_known_by_their_first_bytes (void)
{
  assert_guess ("", 0, NS_FILE_GUESS_EMPTY);
  assert_guess ("PK\003\004abc", 7, NS_FILE_GUESS_ZIP);
  assert_guess ("MSCF\0\0\0", 7, NS_FILE_GUESS_CAB);
  assert_guess ("\x0a\x0d\x0d\x0a\x1c", 5, NS_FILE_GUESS_PCAPNG);
  assert_guess ("ElfFile\0", 8, NS_FILE_GUESS_EVTX);
  assert_guess ("SELECT *\n", 9, NS_FILE_GUESS_TEXT);
  assert_guess ("PK", 2, NS_FILE_GUESS_TEXT);
  assert_guess ("SELE\0T", 6, NS_FILE_GUESS_NONE);
  assert_guess ("\x01\x02", 2, NS_FILE_GUESS_NONE);
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsFileLook **look = user_data;
  g_autoptr (GError) error = NULL;

  *look = ns_file_look_finish (G_FILE (source), result, &error);
  g_assert_no_error (error);
}

/* The file may end before the offset of the trace signature. */
static void
test_a_short_file_has_less_there (void)
{
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  g_autofree NsFileLook *look = NULL;
  char data[NS_FILE_LOOK_OFFSET + 2] = { 0 };
  int handle = g_file_open_tmp ("short-XXXXXX", &path, NULL);

  g_assert_cmpint (handle, >=, 0);
  g_close (handle, NULL);
  data[NS_FILE_LOOK_OFFSET] = 7;
  g_assert_true (g_file_set_contents (path, data, sizeof data, NULL));
  file = g_file_new_for_path (path);
  ns_file_look_async (file, NULL, looked_cb, &look);
  while (look == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_unlink (path);
  g_assert_cmpuint (look->size, ==, sizeof data);
  g_assert_cmpuint (look->n_found, ==, 2);
  g_assert_cmpuint (look->found[0], ==, 7);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/file-look/other-files-are-known-by-their-first-bytes",
                   test_other_files_are_known_by_their_first_bytes);
  g_test_add_func ("/file-look/a-short-file-has-less-there", test_a_short_file_has_less_there);
  return g_test_run ();
}
