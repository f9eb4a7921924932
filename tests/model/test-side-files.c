/* Tests the files stored beside the user's traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-side-files.h"

#include <glib/gstdio.h>
#include <unistd.h>

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* Symbolic links are neither counted nor followed, because their target belongs to others. */
static void
test_what_is_kept_is_counted_and_cleared (void)
{
  g_autofree char *folder = ns_side_files_dup_folder (NS_SIDE_FILES_SYMBOLS);
  g_autofree char *others = g_build_filename (g_get_user_data_dir (), "others", NULL);
  g_autofree char *others_file = g_build_filename (others, "mine.pdb", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  guint n_files;

  g_assert_cmpuint (ns_side_files_measure (folder, &n_files), ==, 0);
  g_assert_cmpuint (n_files, ==, 0);
  g_assert_cmpuint (ns_side_files_clear (folder), ==, 0);
  write_file (folder, "a.pdb/123/a.pdb", "12345");
  write_file (folder, "b.pdb/456/b.pdb", "123");
  write_file (others, "mine.pdb", "1");
  g_assert_cmpint (symlink (others, link), ==, 0);
  g_assert_cmpuint (ns_side_files_measure (folder, &n_files), ==, 8);
  g_assert_cmpuint (n_files, ==, 2);
  g_assert_cmpuint (ns_side_files_clear (folder), ==, 2);
  g_assert_cmpuint (ns_side_files_measure (folder, &n_files), ==, 0);
  g_assert_cmpuint (n_files, ==, 0);
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
  g_assert_true (g_file_test (others_file, G_FILE_TEST_IS_REGULAR));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/side-files/what-is-kept-is-counted-and-cleared",
                   test_what_is_kept_is_counted_and_cleared);
  return g_test_run ();
}
