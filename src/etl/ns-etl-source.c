/* Access to the bytes of a trace file, in memory or on disk, by reading and never by mapping.
 *
 * A mapped file that shrinks, or whose medium is removed, crashes the program; a failed read
 * returns an error.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum number of open files that can be reopened, besides those in use. */
#define MAX_OPEN 48
/* Unpacked size that any member of an archive may have. */
#define LEAST_UNPACKED (G_GUINT64_CONSTANT (4) << 30)

struct _NsEtlOpenFiles
{
  gatomicrefcount ref_count;
  GMutex lock;
  GQueue idle;  /* (element-type NsEtlSource): longest idle first */
  guint n_open; /* number of open files that can be reopened */
};

struct _NsEtlSource
{
  char *name;
  int fd;                /* -1: in memory, or closed until the next read */
  NsEtlOpenFiles *files; /* opened by name, so that it can be reopened; NULL: not so */
  dev_t device;
  ino_t inode;
  guint n_users; /* number of current readers; protected by the lock, like @fd and @link */
  GList link;    /* in the queue of idle sources */
  GBytes *bytes; /* NULL: a file on disk */
  const guint8 *data;
  guint64 size;
  char *damage;
  char *member; /* NULL: not from an archive */
  guint64 least_unpacked;
};

/**
 * ns_etl_open_files_new:
 *
 * Returns: (transfer full): a limit of the files that the sources of one trace keep open
 */
NsEtlOpenFiles *
ns_etl_open_files_new (void)
{
  NsEtlOpenFiles *self = g_new0 (NsEtlOpenFiles, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  g_queue_init (&self->idle);
  return self;
}

static NsEtlOpenFiles *
open_files_ref (NsEtlOpenFiles *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * ns_etl_open_files_unref:
 * @self: (transfer full) (nullable): a limit
 *
 * The last owner, which may be a source, frees @self.
 */
void
ns_etl_open_files_unref (NsEtlOpenFiles *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Refuses all but regular files, which have a size and can be read twice. */
static gboolean
check_is_file (const char *path, const GStatBuf *info, GError **error)
{

  if (S_ISREG (info->st_mode))
    return TRUE;

  if (S_ISDIR (info->st_mode))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   _ ("%s is a folder; specify a trace file in it"),
                   path);
      return FALSE;
    }
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               S_ISFIFO (info->st_mode)
                   ? _ ("%s is a pipe, not a file; copy the trace to a file first")
                   : _ ("%s is a device or a socket, not a file; copy the trace to a file first"),
               path);
  return FALSE;
}

static void
set_open_error (GError **error, const char *path, int code)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               code == EACCES || code == EPERM
                   ? _ ("cannot open %s: %s; ask its owner for permission, or open a copy")
               : code == ENOENT ? _ ("cannot open %s: %s; check the name")
                                : _ ("cannot open %s: %s"),
               path,
               g_strerror (code));
}

/* Closes the longest idle file, for systems that allow fewer open files than MAX_OPEN; the lock is
 * held. */
static gboolean
close_one (NsEtlOpenFiles *self)
{
  NsEtlSource *source = self->idle.head != NULL ? g_queue_pop_head_link (&self->idle)->data : NULL;

  if (source == NULL)
    return FALSE;
  close (source->fd);
  source->fd = -1;
  self->n_open--;
  return TRUE;
}

/* Closes the longest idle files above the limit; the lock is held. */
static void
close_idle (NsEtlOpenFiles *self)
{
  while (self->n_open > MAX_OPEN && close_one (self))
    ;
}

/* Opens a file; the lock is held. */
static int
open_path (NsEtlOpenFiles *self, const char *path)
{
  int fd;

  do
    fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  while (fd < 0 && (errno == EMFILE || errno == ENFILE) && close_one (self));
  return fd;
}

/* Creates a source; takes ownership of @fd. */
static NsEtlSource *
new_named (NsEtlOpenFiles *files, int fd, const GStatBuf *info, const char *path)
{
  NsEtlSource *self = ns_etl_source_new_fd (fd, (guint64) info->st_size, path);

  self->files = open_files_ref (files);
  self->device = info->st_dev;
  self->inode = info->st_ino;
  self->link.data = self;
  g_mutex_lock (&files->lock);
  files->n_open++;
  g_queue_push_tail_link (&files->idle, &self->link);
  close_idle (files);
  g_mutex_unlock (&files->lock);
  return self;
}

/* Opens a file again, unless the path leads to another one; the lock is held. */
static gboolean
reopen (NsEtlSource *self, GError **error)
{
  GStatBuf info;
  int fd = open_path (self->files, self->name);

  if (fd < 0)
    {
      set_open_error (error, self->name, errno);
      return FALSE;
    }
  if (fstat (fd, &info) != 0 || info.st_dev != self->device || info.st_ino != self->inode)
    {
      close (fd);
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   _ ("%s was replaced by another file while it was read; open it again"),
                   self->name);
      return FALSE;
    }
  self->fd = fd;
  self->files->n_open++;
  return TRUE;
}

/* Returns the open file, which stays open until release(); -1: it cannot be opened again. */
static int
acquire (NsEtlSource *self, GError **error)
{
  NsEtlOpenFiles *files = self->files;
  int fd;

  if (files == NULL)
    return self->fd;
  g_mutex_lock (&files->lock);
  if (self->fd < 0)
    reopen (self, error);
  else if (self->n_users == 0)
    g_queue_unlink (&files->idle, &self->link);
  fd = self->fd;
  if (fd >= 0)
    self->n_users++;
  g_mutex_unlock (&files->lock);
  return fd;
}

static void
release (NsEtlSource *self)
{
  NsEtlOpenFiles *files = self->files;

  if (files == NULL)
    return;
  g_mutex_lock (&files->lock);
  if (--self->n_users == 0)
    g_queue_push_tail_link (&files->idle, &self->link);
  close_idle (files);
  g_mutex_unlock (&files->lock);
}

/**
 * ns_etl_source_open:
 * @path: a regular file
 * @error: return location
 *
 * See ns_etl_source_open_among().
 *
 * Returns: (transfer full) (nullable): the source; %NULL with @error set if it cannot be opened
 */
NsEtlSource *
ns_etl_source_open (const char *path, GError **error)
{
  NsEtlOpenFiles *files = ns_etl_open_files_new ();
  NsEtlSource *self = ns_etl_source_open_among (files, path, error);

  ns_etl_open_files_unref (files);
  return self;
}

/**
 * ns_etl_source_open_among:
 * @files: limit of the files that are open at once; a source that is not read may be closed until
 *   its next read
 * @path: a regular file
 * @error: return location
 *
 * The size is determined now; bytes that are appended later are not read.
 *
 * Returns: (transfer full) (nullable): the source; %NULL with @error set if it cannot be opened
 */
NsEtlSource *
ns_etl_source_open_among (NsEtlOpenFiles *files, const char *path, GError **error)
{
  GStatBuf info;
  int fd;

  /* Checked before opening: opening a pipe would block until it has a writer. */
  if (g_stat (path, &info) != 0)
    {
      set_open_error (error, path, errno);
      return NULL;
    }
  if (!check_is_file (path, &info, error))
    return NULL;

  g_mutex_lock (&files->lock);
  fd = open_path (files, path);
  g_mutex_unlock (&files->lock);
  if (fd < 0 || fstat (fd, &info) != 0)
    {
      set_open_error (error, path, errno);
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (!check_is_file (path, &info, error))
    {
      close (fd);
      return NULL;
    }
  return new_named (files, fd, &info, path);
}

/**
 * ns_etl_source_new_bytes:
 * @bytes: the whole file
 * @name: its name in messages
 *
 * Returns: (transfer full): a source in memory
 */
NsEtlSource *
ns_etl_source_new_bytes (GBytes *bytes, const char *name)
{
  NsEtlSource *self = g_new0 (NsEtlSource, 1);
  gsize size;

  self->least_unpacked = LEAST_UNPACKED;
  self->name = g_strdup (name);
  self->fd = -1;
  self->bytes = g_bytes_ref (bytes);
  self->data = g_bytes_get_data (bytes, &size);
  self->size = size;
  return self;
}

/**
 * ns_etl_source_new_fd:
 * @fd: (transfer full): an open file
 * @size: its size in bytes
 * @name: its name in messages
 *
 * Returns: (transfer full): a source that reads the file and closes it when freed
 */
NsEtlSource *
ns_etl_source_new_fd (int fd, guint64 size, const char *name)
{
  NsEtlSource *self = g_new0 (NsEtlSource, 1);

  self->least_unpacked = LEAST_UNPACKED;
  self->name = g_strdup (name);
  self->fd = fd;
  self->size = size;
  return self;
}

/* Removes the source from the open files; the caller closes the file. */
static void
remove_from_open (NsEtlSource *self)
{
  NsEtlOpenFiles *files = self->files;

  g_mutex_lock (&files->lock);
  if (self->fd >= 0)
    {
      if (self->n_users == 0)
        g_queue_unlink (&files->idle, &self->link);
      files->n_open--;
    }
  g_mutex_unlock (&files->lock);
}

/**
 * ns_etl_source_free:
 * @self: (transfer full) (nullable): a source
 *
 * Frees @self.
 */
void
ns_etl_source_free (NsEtlSource *self)
{
  if (self == NULL)
    return;
  if (self->files != NULL)
    remove_from_open (self);
  if (self->fd >= 0)
    close (self->fd);
  ns_etl_open_files_unref (self->files);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->damage);
  g_free (self->member);
  g_free (self->name);
  g_free (self);
}

/**
 * ns_etl_source_get_name:
 * @self: a source
 *
 * Returns: (transfer none): its name in messages
 */
const char *
ns_etl_source_get_name (const NsEtlSource *self)
{
  return self->name;
}

/**
 * ns_etl_source_get_size:
 * @self: a source
 *
 * Returns: its size in bytes when it was opened
 */
guint64
ns_etl_source_get_size (const NsEtlSource *self)
{
  return self->size;
}

/**
 * ns_etl_source_get_damage:
 * @self: a source
 *
 * Returns: (transfer none) (nullable): why the bytes end too early
 */
const char *
ns_etl_source_get_damage (const NsEtlSource *self)
{
  return self->damage;
}

/**
 * ns_etl_source_set_damage:
 * @self: a source
 * @damage: (nullable): the reason, without a full stop
 *
 * Sets why the bytes end too early.
 */
void
ns_etl_source_set_damage (NsEtlSource *self, const char *damage)
{
  g_free (self->damage);
  self->damage = g_strdup (damage);
}

/**
 * ns_etl_source_get_member:
 * @self: a source
 *
 * Returns: (transfer none) (nullable): its name in the archive that it was read from
 */
const char *
ns_etl_source_get_member (const NsEtlSource *self)
{
  return self->member;
}

/**
 * ns_etl_source_set_member:
 * @self: a source
 * @member: (nullable): its name in an archive
 *
 * Sets its name in the archive that it was read from.
 */
void
ns_etl_source_set_member (NsEtlSource *self, const char *member)
{
  g_free (self->member);
  self->member = g_strdup (member);
}

/**
 * ns_etl_source_get_least_unpacked:
 * @self: an archive
 *
 * Returns: unpacked size that even a small archive may have, in bytes
 */
guint64
ns_etl_source_get_least_unpacked (const NsEtlSource *self)
{
  return self->least_unpacked;
}

/**
 * ns_etl_source_set_least_unpacked:
 * @self: an archive
 * @n_bytes: unpacked size that even a small archive may have; 4 GiB by default
 */
void
ns_etl_source_set_least_unpacked (NsEtlSource *self, guint64 n_bytes)
{
  self->least_unpacked = n_bytes;
}

/**
 * ns_etl_source_get_fd:
 * @self: a source
 *
 * Returns: its open file, which stays open as long as the source exists; -1: in memory, or it
 *   cannot be opened again
 */
int
ns_etl_source_get_fd (const NsEtlSource *self)
{
  return acquire ((NsEtlSource *) self, NULL);
}

/**
 * ns_etl_source_peek:
 * @self: a source
 * @offset: byte offset
 * @n_bytes: number of bytes
 *
 * Returns: (transfer none) (nullable): the bytes if all of them are in memory; otherwise use
 *   ns_etl_source_read()
 */
const guint8 *
ns_etl_source_peek (const NsEtlSource *self, guint64 offset, gsize n_bytes)
{
  if (self->data == NULL || offset > self->size || n_bytes > self->size - offset)
    return NULL;
  return self->data + offset;
}

/**
 * ns_etl_source_read:
 * @self: a source
 * @offset: byte offset
 * @data: (out caller-allocates): memory for @n_bytes
 * @n_bytes: number of bytes to read
 * @n_read: (out): number of bytes read: fewer only at the end of the file, or if it was truncated
 * @error: return location
 *
 * Thread-safe. Reopens a file that was closed to limit the number of open files.
 *
 * Returns: %FALSE with @error set if the medium could not be read
 */
gboolean
ns_etl_source_read (const NsEtlSource *self,
                    guint64 offset,
                    guint8 *data,
                    gsize n_bytes,
                    gsize *n_read,
                    GError **error)
{
  gsize done = 0;
  int fd;

  *n_read = 0;
  if (offset >= self->size)
    return TRUE;
  if (n_bytes > self->size - offset)
    n_bytes = (gsize) (self->size - offset);

  if (self->data != NULL)
    {
      memcpy (data, self->data + offset, n_bytes);
      *n_read = n_bytes;
      return TRUE;
    }

  fd = acquire ((NsEtlSource *) self, error);
  if (fd < 0)
    return FALSE;
  while (done < n_bytes)
    {
      ssize_t n = pread (fd, data + done, n_bytes - done, (off_t) (offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_OPEN,
                       _ ("cannot read %s at byte %" PRIu64
                          ": %s; copy the file to another disk and open the copy"),
                       self->name,
                       offset + done,
                       g_strerror (errno));
          release ((NsEtlSource *) self);
          return FALSE;
        }
      if (n == 0)
        break;
      done += (gsize) n;
    }
  release ((NsEtlSource *) self);
  *n_read = done;
  return TRUE;
}
