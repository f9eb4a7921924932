/* The bytes of a trace file, wherever they are: read in pieces, never mapped.
 *
 * A mapping of a file that shrinks or whose medium is pulled out kills the program; a read says so.
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

/* So many files that can be opened again are open at once, besides those in use. */
#define MAX_OPEN 48

struct _NsEtlSource
{
  char *name;
  int fd;            /* -1: in memory, or closed until it is read again */
  gboolean is_named; /* it was opened by its name and can be again */
  dev_t device;
  ino_t inode;
  guint n_users; /* who read it now; guarded by the lock, like @fd and @link */
  GList link;    /* in the queue of those that nobody reads */
  GBytes *bytes; /* NULL: a file */
  const guint8 *data;
  guint64 size;
  char *damage;
  char *member; /* NULL: it is no member of an archive */
};

static GMutex lock;
static GQueue idle = G_QUEUE_INIT; /* (element-type NsEtlSource), the longest idle first */
static guint n_open;               /* of those that can be opened again */

/* Only a regular file has a size and can be read twice. */
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
                   _ ("%s is a folder; name a trace file inside it"),
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

/* With the lock held: makes room where the system allows fewer than we would take. */
static gboolean
close_one (void)
{
  NsEtlSource *source = idle.head != NULL ? g_queue_pop_head_link (&idle)->data : NULL;

  if (source == NULL)
    return FALSE;
  close (source->fd);
  source->fd = -1;
  n_open--;
  return TRUE;
}

/* With the lock held: closes what was not read for longest. */
static void
close_idle (void)
{
  while (n_open > MAX_OPEN && close_one ())
    ;
}

/* With the lock held. */
static int
open_path (const char *path)
{
  int fd;

  do
    fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  while (fd < 0 && (errno == EMFILE || errno == ENFILE) && close_one ());
  return fd;
}

/* Takes @fd. */
static NsEtlSource *
new_named (int fd, const GStatBuf *info, const char *path)
{
  NsEtlSource *self = ns_etl_source_new_fd (fd, (guint64) info->st_size, path);

  self->is_named = TRUE;
  self->device = info->st_dev;
  self->inode = info->st_ino;
  self->link.data = self;
  g_mutex_lock (&lock);
  n_open++;
  g_queue_push_tail_link (&idle, &self->link);
  close_idle ();
  g_mutex_unlock (&lock);
  return self;
}

/* With the lock held. */
static gboolean
reopen (NsEtlSource *self, GError **error)
{
  GStatBuf info;
  int fd = open_path (self->name);

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
  n_open++;
  return TRUE;
}

/* The open file, which stays open until release(); -1: it cannot be opened any more. */
static int
acquire (NsEtlSource *self, GError **error)
{
  int fd;

  if (!self->is_named)
    return self->fd;
  g_mutex_lock (&lock);
  if (self->fd < 0)
    reopen (self, error);
  else if (self->n_users == 0)
    g_queue_unlink (&idle, &self->link);
  fd = self->fd;
  if (fd >= 0)
    self->n_users++;
  g_mutex_unlock (&lock);
  return fd;
}

static void
release (NsEtlSource *self)
{
  if (!self->is_named)
    return;
  g_mutex_lock (&lock);
  if (--self->n_users == 0)
    g_queue_push_tail_link (&idle, &self->link);
  close_idle ();
  g_mutex_unlock (&lock);
}

/**
 * ns_etl_source_open:
 * @path: a regular file
 * @error: return location
 *
 * The size is taken now; what a writer appends later is not seen.
 *
 * Returns: (transfer full) (nullable): the bytes of the file
 */
NsEtlSource *
ns_etl_source_open (const char *path, GError **error)
{
  GStatBuf info;
  int fd;

  /* Looked at before it is opened: opening a pipe would wait for its writer. */
  if (g_stat (path, &info) != 0)
    {
      set_open_error (error, path, errno);
      return NULL;
    }
  if (!check_is_file (path, &info, error))
    return NULL;

  g_mutex_lock (&lock);
  fd = open_path (path);
  g_mutex_unlock (&lock);
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
  return new_named (fd, &info, path);
}

/**
 * ns_etl_source_new_bytes:
 * @bytes: the whole file
 * @name: what messages call it
 *
 * Returns: (transfer full): a source in memory
 */
NsEtlSource *
ns_etl_source_new_bytes (GBytes *bytes, const char *name)
{
  NsEtlSource *self = g_new0 (NsEtlSource, 1);
  gsize size;

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
 * @name: what messages call it
 *
 * Returns: (transfer full): a source on that file, which it closes at its end
 */
NsEtlSource *
ns_etl_source_new_fd (int fd, guint64 size, const char *name)
{
  NsEtlSource *self = g_new0 (NsEtlSource, 1);

  self->name = g_strdup (name);
  self->fd = fd;
  self->size = size;
  return self;
}

/* Takes it out of what is open; the file itself is closed by the caller. */
static void
forget (NsEtlSource *self)
{
  g_mutex_lock (&lock);
  if (self->fd >= 0)
    {
      if (self->n_users == 0)
        g_queue_unlink (&idle, &self->link);
      n_open--;
    }
  g_mutex_unlock (&lock);
}

/**
 * ns_etl_source_free:
 * @self: (transfer full) (nullable): a source
 */
void
ns_etl_source_free (NsEtlSource *self)
{
  if (self == NULL)
    return;
  if (self->is_named)
    forget (self);
  if (self->fd >= 0)
    close (self->fd);
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
 * Returns: (transfer none): what messages call it
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
 * Returns: bytes, as they were when it was opened
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
 * Returns: (transfer none) (nullable): why there is no more of it than there is
 */
const char *
ns_etl_source_get_damage (const NsEtlSource *self)
{
  return self->damage;
}

/**
 * ns_etl_source_set_damage:
 * @self: a source
 * @damage: (nullable): what happened, without a full stop
 *
 * Notes that the bytes end earlier than they should.
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
 * Returns: (transfer none) (nullable): what an archive calls it, from which it was taken
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
 * Notes what an archive calls it.
 */
void
ns_etl_source_set_member (NsEtlSource *self, const char *member)
{
  g_free (self->member);
  self->member = g_strdup (member);
}

/**
 * ns_etl_source_get_fd:
 * @self: a source
 *
 * Returns: its open file, which stays open as long as the source; -1 if it is in memory, or cannot
 *   be opened any more
 */
int
ns_etl_source_get_fd (const NsEtlSource *self)
{
  return acquire ((NsEtlSource *) self, NULL);
}

/**
 * ns_etl_source_peek:
 * @self: a source
 * @offset: where
 * @n_bytes: how many
 *
 * Returns: (transfer none) (nullable): the bytes if they all are in memory already; else they have
 *   to be read
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
 * @offset: where
 * @data: (out caller-allocates): room for @n_bytes
 * @n_bytes: how many are wanted
 * @n_read: (out): how many there were: less only where the file ends, or has become shorter
 * @error: return location
 *
 * May be called from several threads at once. A file that was closed for others is opened again.
 *
 * Returns: %FALSE if the medium could not be read
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
