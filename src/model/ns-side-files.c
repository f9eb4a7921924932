/* Measures and removes the files that the program stores outside the user's files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-side-files.h"

#include <glib/gstdio.h>

/* Maximum depth of subfolders; symbol folders are three deep. */
#define NS_SIDE_FILES_MAX_DEPTH 6

typedef void (*FileFunc) (const char *path, const GStatBuf *about, gpointer user_data);

/* Calls @func for each file; links are not followed, because their targets belong to others. */
static void
walk (const char *folder, guint depth, gboolean is_removed, FileFunc func, gpointer user_data)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf about;

      if (g_lstat (path, &about) != 0)
        continue;
      if (S_ISREG (about.st_mode))
        func (path, &about, user_data);
      else if (S_ISDIR (about.st_mode) && depth < NS_SIDE_FILES_MAX_DEPTH)
        {
          walk (path, depth + 1, is_removed, func, user_data);
          if (is_removed)
            g_rmdir (path);
        }
    }
}

typedef struct
{
  guint64 n_bytes;
  guint n_files;
} Sum;

static void
add_file (const char *path, const GStatBuf *about, gpointer user_data)
{
  Sum *sum = user_data;

  sum->n_bytes += (guint64) about->st_size;
  sum->n_files++;
}

static void
remove_file (const char *path, const GStatBuf *about, gpointer user_data)
{
  guint *n_removed = user_data;

  *n_removed += g_unlink (path) == 0;
}

/**
 * ns_side_files_dup_folder:
 * @which: a kind of files
 *
 * For symbols, the program's own folder, not one chosen by the user.
 *
 * Returns: (transfer full): the folder, which may not exist
 */
char *
ns_side_files_dup_folder (NsSideFiles which)
{
  return which == NS_SIDE_FILES_VIEWS
             ? g_build_filename (g_get_user_state_dir (), "netstitch", "views", NULL)
             : g_build_filename (g_get_user_cache_dir (), "netstitch", "symbols", NULL);
}

/**
 * ns_side_files_measure:
 * @folder: a folder
 * @n_files: (out) (optional): number of files in it
 *
 * Returns: total size of the files in bytes
 */
guint64
ns_side_files_measure (const char *folder, guint *n_files)
{
  Sum sum = { 0, 0 };

  walk (folder, 0, FALSE, add_file, &sum);
  if (n_files != NULL)
    *n_files = sum.n_files;
  return sum.n_bytes;
}

/**
 * ns_side_files_clear:
 * @folder: a folder, which is kept
 *
 * Removes the files in it and the folders that become empty.
 *
 * Returns: number of removed files
 */
guint
ns_side_files_clear (const char *folder)
{
  guint n_removed = 0;

  walk (folder, 0, TRUE, remove_file, &n_removed);
  return n_removed;
}
