/* Tests reading small files whole.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-small-file.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  fixture->folder = g_dir_make_tmp ("small-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "file", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
assert_refused (const char *path, GFileError code, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_small_file_read (path, 8, NULL, &error));
  g_assert_error (error, G_FILE_ERROR, (int) code);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, why));
}

static void
test_a_file_is_read_up_to_its_limit (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *text = NULL;
  gsize n_bytes = 0;

  g_assert_true (g_file_set_contents (fixture->path, "12345678", -1, NULL));
  text = ns_small_file_read (fixture->path, 8, &n_bytes, NULL);
  g_assert_cmpstr (text, ==, "12345678");
  g_assert_cmpuint (n_bytes, ==, 8);
  g_assert_true (g_file_set_contents (fixture->path, "123456789", -1, NULL));
  assert_refused (fixture->path, G_FILE_ERROR_INVAL, "larger than 8 bytes");
}

static void
test_a_file_without_end_is_not_read (Fixture *fixture, gconstpointer user_data)
{
  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  if (truncate (fixture->path, (off_t) 1 << 40) != 0)
    g_test_skip ("the file system has no files that large");
  else
    assert_refused (fixture->path, G_FILE_ERROR_INVAL, "larger");
}

/* The FIFO has no writer. */
static void
test_what_is_no_file_is_not_waited_for (Fixture *fixture, gconstpointer user_data)
{
  assert_refused (fixture->path, G_FILE_ERROR_NOENT, "");
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_refused (fixture->path, G_FILE_ERROR_INVAL, "pipe");
  assert_refused (fixture->folder, G_FILE_ERROR_INVAL, "folder");
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/small-file/a-file-is-read-up-to-its-limit", test_a_file_is_read_up_to_its_limit);
  ADD ("/small-file/a-file-without-end-is-not-read", test_a_file_without_end_is_not_read);
  ADD ("/small-file/what-is-no-file-is-not-waited-for", test_what_is_no_file_is_not_waited_for);
  return g_test_run ();
}
