/* Temporary local copy of a file that only GIO can read.
 *
 * The trace reader needs random access, but GVfs locations (smb:, sftp:, http: …) provide streams,
 * some of them without seeking, so the file is copied once. An open trace keeps its file open; the
 * copy is therefore unlinked right after opening, so that nothing is left even after a crash.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-fetched.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

struct _NsFetched
{
  char *folder; /* a folder for each copy, so that it can keep the name of the file */
  char *path;
};

typedef struct
{
  NsProgressFunc progress;
  gpointer user_data;
  GCancellable *stop; /* cancelled when progress returns FALSE */
} News;

static void
copied_cb (goffset done, goffset all, gpointer user_data)
{
  News *news = user_data;

  if (!news->progress (all > 0 ? (double) done / (double) all : 0, news->user_data))
    g_cancellable_cancel (news->stop);
}

static void
stop_cb (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

/* Creates a folder with mode 0700. */
static char *
make_folder (GError **error)
{
  g_autofree char *caches = g_build_filename (g_get_user_cache_dir (), "netstitch", NULL);
  g_autofree char *folder = g_build_filename (caches, "fetched-XXXXXX", NULL);
  int number;

  if (g_mkdir_with_parents (caches, 0700) == 0 && g_mkdtemp (folder) != NULL)
    return g_steal_pointer (&folder);
  number = errno;
  g_set_error (error,
               G_IO_ERROR,
               g_io_error_from_errno (number),
               "%s: %s",
               caches,
               g_strerror (number));
  return NULL;
}

/**
 * ns_fetched_new: (skip)
 * @file: a file at any location
 * @progress: called repeatedly with the copied fraction, 0 to 1; 0 if the size is not known
 * @user_data: for @progress
 * @cancellable: (nullable): cancels the copy
 * @error: %G_IO_ERROR
 *
 * Copies @file into a folder that only the user can read.
 *
 * Returns: (transfer full) (nullable): the copy
 */
NsFetched *
ns_fetched_new (GFile *file,
                NsProgressFunc progress,
                gpointer user_data,
                GCancellable *cancellable,
                GError **error)
{
  g_autoptr (NsFetched) self = g_new0 (NsFetched, 1);
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autoptr (GFile) copy = NULL;
  g_autofree char *name = g_file_get_basename (file);
  News news = { progress, user_data, stop };
  gulong id = 0;
  gboolean is_done;

  if ((self->folder = make_folder (error)) == NULL)
    return NULL;
  if (name == NULL || strchr (name, G_DIR_SEPARATOR) != NULL)
    {
      g_free (name);
      name = g_strdup ("trace.etl");
    }
  self->path = g_build_filename (self->folder, name, NULL);
  copy = g_file_new_for_path (self->path);
  if (cancellable != NULL)
    id = g_cancellable_connect (cancellable, G_CALLBACK (stop_cb), stop, NULL);
  is_done = g_file_copy (file,
                         copy,
                         G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS,
                         stop,
                         copied_cb,
                         &news,
                         error);
  g_cancellable_disconnect (cancellable, id);
  return is_done ? g_steal_pointer (&self) : NULL;
}

/**
 * ns_fetched_free: (skip)
 * @self: (transfer full) (nullable): a copy
 *
 * Removes the copy; it can still be read where it is open.
 */
void
ns_fetched_free (NsFetched *self)
{
  if (self == NULL)
    return;
  if (self->path != NULL)
    g_unlink (self->path);
  if (self->folder != NULL)
    g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
  g_free (self);
}

/**
 * ns_fetched_get_path: (skip)
 * @self: a copy
 *
 * Returns: its path
 */
const char *
ns_fetched_get_path (const NsFetched *self)
{
  return self->path;
}

/**
 * ns_fetched_open_trace:
 * @file: a trace at any location
 * @options: options for opening it
 * @progress: reports the progress
 * @progress_data: for @progress
 * @cancellable: (nullable): cancels the copy
 * @error: %NS_TRACE_ERROR or %G_IO_ERROR
 *
 * Opens a trace, after copying it if it has no local path. To be called in a thread.
 *
 * Returns: (transfer full) (nullable): the trace
 */
NsTrace *
ns_fetched_open_trace (GFile *file,
                       const NsTraceOptions *options,
                       NsProgressFunc progress,
                       gpointer progress_data,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (NsFetched) fetched = NULL;

  if (path != NULL)
    return ns_trace_open (path, options, progress, progress_data, error);
  fetched = ns_fetched_new (file, progress, progress_data, cancellable, error);
  return fetched != NULL ? ns_trace_open (ns_fetched_get_path (fetched),
                                          options,
                                          progress,
                                          progress_data,
                                          error)
                         : NULL;
}
