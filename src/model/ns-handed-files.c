/* Temporary files handed to other programs, removed when this one ends: the other program may read
 * a file long after it was handed over.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-handed-files.h"

#include <glib/gstdio.h>

struct _NsHandedFiles
{
  GPtrArray *folders; /* (element-type utf8) */
};

/**
 * ns_handed_files_new:
 *
 * Returns: (transfer full): a list without files; for one thread
 */
NsHandedFiles *
ns_handed_files_new (void)
{
  NsHandedFiles *self = g_new0 (NsHandedFiles, 1);

  self->folders = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * ns_handed_files_free:
 * @self: (transfer full) (nullable): a list; its files are removed
 */
void
ns_handed_files_free (NsHandedFiles *self)
{
  if (self == NULL)
    return;
  ns_handed_files_remove_all (self);
  g_ptr_array_unref (self->folders);
  g_free (self);
}

static void
remove_folder (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (folder);
}

/**
 * ns_handed_files_add:
 * @self: a list
 * @folder: a temporary folder of this program, without folders in it
 *
 * Adds a folder whose files another program reads.
 */
void
ns_handed_files_add (NsHandedFiles *self, const char *folder)
{
  g_ptr_array_add (self->folders, g_strdup (folder));
}

/**
 * ns_handed_files_remove:
 * @self: a list
 * @folder: a folder that was added
 *
 * Removes the folder and its files, as the other program has ended.
 */
void
ns_handed_files_remove (NsHandedFiles *self, const char *folder)
{
  guint at;

  if (!g_ptr_array_find_with_equal_func (self->folders, folder, g_str_equal, &at))
    return;
  remove_folder (folder);
  g_ptr_array_remove_index_fast (self->folders, at);
}

/**
 * ns_handed_files_remove_all:
 * @self: a list
 *
 * Removes all folders with their files, as this program ends.
 */
void
ns_handed_files_remove_all (NsHandedFiles *self)
{
  guint i;

  for (i = 0; i < self->folders->len; i++)
    remove_folder (g_ptr_array_index (self->folders, i));
  g_ptr_array_set_size (self->folders, 0);
}
