/* Tests that files handed to other programs are removed in time, and not before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-handed-files.h"

static char *
hand_over (NsHandedFiles *files)
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "rows.txt", NULL);

  g_assert_true (g_file_set_contents (path, "rows", -1, NULL));
  ns_handed_files_add (files, folder);
  return g_steal_pointer (&folder);
}

static gboolean
is_there (const char *folder)
{
  return g_file_test (folder, G_FILE_TEST_EXISTS);
}

static void
test_a_file_goes_when_its_reader_has_ended (void)
{
  g_autoptr (NsHandedFiles) files = ns_handed_files_new ();
  g_autofree char *first = hand_over (files);
  g_autofree char *second = hand_over (files);

  ns_handed_files_remove (files, first);
  g_assert_false (is_there (first));
  g_assert_true (is_there (second));
  ns_handed_files_remove (files, first);
  ns_handed_files_remove_all (files);
  g_assert_false (is_there (second));
}

/* A folder that another part of the program made is left alone. */
static void
test_only_listed_folders_go (void)
{
  g_autoptr (NsHandedFiles) files = ns_handed_files_new ();
  g_autoptr (NsHandedFiles) others = ns_handed_files_new ();
  g_autofree char *folder = hand_over (others);

  ns_handed_files_remove (files, folder);
  ns_handed_files_remove_all (files);
  g_assert_true (is_there (folder));
}

static void
test_files_go_with_their_list (void)
{
  NsHandedFiles *files = ns_handed_files_new ();
  g_autofree char *folder = hand_over (files);

  ns_handed_files_free (files);
  g_assert_false (is_there (folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/handed-files/reader-ended", test_a_file_goes_when_its_reader_has_ended);
  g_test_add_func ("/handed-files/only-listed", test_only_listed_folders_go);
  g_test_add_func ("/handed-files/with-the-list", test_files_go_with_their_list);
  return g_test_run ();
}
