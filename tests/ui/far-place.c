/* LD_PRELOAD library for the window that makes the files of one folder appear on an unmounted
 * location, like a server, which must be mounted before they can be read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <dlfcn.h>
#include <gio/gio.h>

/* End of the path of that folder. */
#define FAR_FOLDER "/far/"

typedef char *(*PathFunc) (GFile *file);
typedef gboolean (*CopyFunc) (GFile *file,
                              GFile *to,
                              GFileCopyFlags flags,
                              GCancellable *cancellable,
                              GFileProgressCallback progress,
                              gpointer progress_data,
                              GError **error);

static int is_connected;

/* C has no conversion of a data pointer to a function pointer, so the bytes are copied. */
static void
find_next (const char *name, gpointer function)
{
  gpointer found = dlsym (RTLD_NEXT, name);

  memcpy (function, &found, sizeof found);
}

static gboolean
is_far (GFile *file)
{
  const char *path = g_file_peek_path (file);

  return path != NULL && strstr (path, FAR_FOLDER) != NULL && !g_atomic_int_get (&is_connected);
}

G_MODULE_EXPORT char *
g_file_get_path (GFile *file)
{
  PathFunc next;

  if (is_far (file))
    return NULL;
  find_next ("g_file_get_path", &next);
  return next (file);
}

G_MODULE_EXPORT gboolean
g_file_copy (GFile *file,
             GFile *to,
             GFileCopyFlags flags,
             GCancellable *cancellable,
             GFileProgressCallback progress,
             gpointer progress_data,
             GError **error)
{
  CopyFunc next;

  if (is_far (file))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_MOUNTED, "not connected");
      return FALSE;
    }
  find_next ("g_file_copy", &next);
  return next (file, to, flags, cancellable, progress, progress_data, error);
}

G_MODULE_EXPORT void
g_file_mount_enclosing_volume (GFile *file,
                               GMountMountFlags flags,
                               GMountOperation *operation,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, data);

  g_atomic_int_set (&is_connected, 1);
  g_task_return_boolean (task, TRUE);
}

G_MODULE_EXPORT gboolean
g_file_mount_enclosing_volume_finish (GFile *file, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void __attribute__ ((constructor)) begin (void)
{
  /* Child processes are not affected. */
  g_unsetenv ("LD_PRELOAD");
}
