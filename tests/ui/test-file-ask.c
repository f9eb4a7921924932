/* Tests file dialogs and the paths selected in them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-file-ask.h"

static void
test_a_place_of_this_computer_has_a_path (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/tmp/rows.csv");
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path_of (file, TRUE, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (path, ==, "/tmp/rows.csv");
}

static void
assert_refused (const char *uri, gboolean is_written, const char *what_to_do)
{
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_file_ask_dup_path_of (file, is_written, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, uri));
  g_assert_nonnull (strstr (error->message, what_to_do));
}

static void
test_a_place_elsewhere_is_refused_with_what_to_do (void)
{
  assert_refused ("netstitch-nowhere://far/rows.csv", TRUE, "copy it there");
  assert_refused ("netstitch-nowhere://far/a.nsview", FALSE, "Copy it to this computer");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-ask/a-place-of-this-computer-has-a-path",
                   test_a_place_of_this_computer_has_a_path);
  g_test_add_func ("/file-ask/a-place-elsewhere-is-refused-with-what-to-do",
                   test_a_place_elsewhere_is_refused_with_what_to_do);
  return g_test_run ();
}
