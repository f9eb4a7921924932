/* Output files: written completely or not at all, and by default readable only by their owner.
 *
 * The bytes are written to a temporary file in the same folder, which is renamed once all of them
 * are on disk. Special files (pipes, terminals) are written directly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE /* sync_file_range() */
#include "config.h"

#include "export/ns-export-file.h"

#include "base/ns-fd.h"
#include "base/ns-meanwhile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Permissions of a new file: traces are private, regardless of the umask. */
#define PRIVATE 0600
/* Maximum number of attempts to create a file whose folder others remove. */
#define MAX_TRIES 16

/* Minimum size of a file for which a thread starts the writing to disk. */
#define LARGE_FILE_BYTES (1024 * 1024)

struct _NsExportFile
{
  char *path;
  char *temporary; /* %NULL: written directly */
  guint mode;
  int fd;
  int held; /* locked file descriptor until the rename; -1: not locked */
};

static void
set_error (GError **error, const char *path, int number)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_WRITE,
               _ ("“%s” cannot be written: %s"),
               path,
               g_strerror (number));
}

/* Resolves symbolic links: their target is replaced, not the link. */
static char *
resolve (const char *path)
{
  GStatBuf status;
  gboolean is_link = g_lstat (path, &status) == 0 && S_ISLNK (status.st_mode);
  char *real = is_link ? realpath (path, NULL) : NULL;
  char *copy = g_strdup (real != NULL ? real : path);

  free (real);
  return copy;
}

/**
 * ns_export_file_new:
 * @path: file to write
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Returns: (transfer full) (nullable): the file, which appears under its name when committed
 */
NsExportFile *
ns_export_file_new (const char *path, GError **error)
{
  g_autoptr (NsExportFile) self = g_new0 (NsExportFile, 1);
  GStatBuf status;

  self->fd = -1;
  self->held = -1;
  self->mode = PRIVATE;
  self->path = resolve (path);
  if (g_stat (self->path, &status) == 0 && !S_ISREG (status.st_mode))
    self->fd = g_open (self->path, O_WRONLY | O_CLOEXEC, PRIVATE);
  else
    {
      self->temporary = g_strconcat (self->path, ".XXXXXX", NULL);
      self->fd = g_mkstemp_full (self->temporary, O_WRONLY | O_CLOEXEC, PRIVATE);
      if (self->fd < 0)
        g_clear_pointer (&self->temporary, g_free);
    }
  if (self->fd < 0)
    {
      set_error (error, path, errno);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* Locks the file; %FALSE: it was removed as a leftover before it was locked. */
static gboolean
hold (NsExportFile *self)
{
  struct stat status;

  self->held = fcntl (self->fd, F_DUPFD_CLOEXEC, 0);
  /* If locks are not supported, leftovers are never removed. */
  if (self->held < 0 || flock (self->held, LOCK_EX) != 0)
    return TRUE;
  return fstat (self->held, &status) != 0 || status.st_nlink > 0;
}

/**
 * ns_export_file_new_held:
 * @path: file to write
 * @folder_mode: permission bits of its folder, if it has to be created
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Like ns_export_file_new(), for a folder shared with other writers, which may remove it while it
 * is empty, and remove leftovers with ns_export_file_remove_unheld(). The folder is made if the
 * file cannot be: making one that exists costs a lock of its parent, for which writers wait.
 *
 * Returns: (transfer full) (nullable): the file, which appears under its name when committed
 */
NsExportFile *
ns_export_file_new_held (const char *path, guint folder_mode, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  guint i;

  for (i = 0;; i++)
    {
      gboolean is_last = i == MAX_TRIES;
      g_autoptr (NsExportFile) self = NULL;

      if (i > 0)
        g_mkdir_with_parents (folder, (int) folder_mode);
      self = ns_export_file_new (path, is_last ? error : NULL);
      if (self != NULL && (hold (self) || is_last))
        return g_steal_pointer (&self);
      if (is_last)
        return NULL;
    }
}

/**
 * ns_export_file_remove_unheld:
 * @path: a temporary file
 *
 * Removes it unless it is locked by its writer.
 *
 * Returns: whether it is gone
 */
gboolean
ns_export_file_remove_unheld (const char *path)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
  gboolean is_gone;

  if (fd < 0)
    return FALSE;
  is_gone = flock (fd, LOCK_EX | LOCK_NB) == 0 && g_unlink (path) == 0;
  close (fd);
  return is_gone;
}

/**
 * ns_export_file_get_temporary:
 * @self: a file that is not committed yet
 *
 * Returns: (transfer none) (nullable): its temporary path; %NULL: written directly
 */
const char *
ns_export_file_get_temporary (const NsExportFile *self)
{
  return self->temporary;
}

/**
 * ns_export_file_set_mode:
 * @self: a file that is not committed yet
 * @mode: permission bits when committed, independent of the umask; the default is 0600
 *
 * Lets others read the file. Special files keep their permissions.
 */
void
ns_export_file_set_mode (NsExportFile *self, guint mode)
{
  self->mode = mode & 0777;
}

/**
 * ns_export_file_free:
 * @self: (transfer full) (nullable): a file
 *
 * Closes it; an uncommitted file is removed.
 */
void
ns_export_file_free (NsExportFile *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  if (self->held >= 0)
    close (self->held);
  g_free (self->temporary);
  g_free (self->path);
  g_free (self);
}

/**
 * ns_export_file_write:
 * @data: (array length=n_bytes): bytes to append
 * @n_bytes: number of bytes
 * @self: (type NsExportFile): a file
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Returns: %TRUE if they were written
 */
gboolean
ns_export_file_write (const char *data, gsize n_bytes, gpointer self, GError **error)
{
  NsExportFile *file = self;

  if (ns_fd_write_all (file->fd, data, n_bytes))
    return TRUE;
  set_error (error, file->path, errno);
  return FALSE;
}

#ifdef SYNC_FILE_RANGE_WRITE
static gpointer
write_back_cb (gpointer file)
{
  int fd = GPOINTER_TO_INT (file);

  sync_file_range (fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  close (fd);
  return NULL;
}
#endif

/**
 * ns_export_file_begin_commit:
 * @self: a file that is not committed yet
 *
 * Starts writing the bytes to disk without waiting. If several files are committed, the first
 * commit then waits for most of the writing, and the others take little time. Has no effect on
 * systems without support for it.
 */
void
ns_export_file_begin_commit (NsExportFile *self)
{
#ifdef SYNC_FILE_RANGE_WRITE
  int fd = -1;

  if (self->temporary == NULL)
    return;
  /* Passing a large file to the disk takes as long as filling it. */
  if (lseek (self->fd, 0, SEEK_CUR) >= LARGE_FILE_BYTES)
    fd = fcntl (self->fd, F_DUPFD_CLOEXEC, 0);
  if (fd >= 0)
    ns_meanwhile_leave ("write-back", write_back_cb, GINT_TO_POINTER (fd));
  else
    sync_file_range (self->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
}

/**
 * ns_export_file_commit:
 * @self: a file
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Renames the file, once its bytes are on disk.
 *
 * Returns: %TRUE if it was renamed
 */
gboolean
ns_export_file_commit (NsExportFile *self, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (self->fd >= 0, FALSE);

  ok = self->temporary == NULL ||
       ((self->mode == PRIVATE || fchmod (self->fd, self->mode) == 0) && fsync (self->fd) == 0);
  ok = close (self->fd) == 0 && ok;
  self->fd = -1;
  if (ok && self->temporary != NULL)
    ok = g_rename (self->temporary, self->path) == 0;
  if (!ok)
    {
      set_error (error, self->path, errno);
      return FALSE;
    }
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}
