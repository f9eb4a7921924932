/* The bytes of a symbol file, read in pieces.
 *
 * Files are not mapped: if a mapped file shrinks or its medium is removed, the program gets SIGBUS;
 * a read returns an error.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_MAGIC 64

struct _NsSymbolSource
{
  int fd; /* -1: in memory */
  const guint8 *data;
  guint64 size;
};

/* Magic numbers of the known file types. */
static const struct
{
  const char *bytes;
  gsize n_bytes;
  NsSymbolFileKind kind;
} magics[] = {
  { "Microsoft C/C++ MSF 7.00\r\n\x1a"
    "DS\0\0",
    32,
    NS_SYMBOL_FILE_MSF },
  { "Microsoft MSFZ Container\r\n\x1a"
    "ALD",
    30,
    NS_SYMBOL_FILE_MSFZ },
  { "Microsoft C/C++ program database 2.00\r\n\x1a"
    "JG",
    42,
    NS_SYMBOL_FILE_OLD_MSF },
  { "BSJB", 4, NS_SYMBOL_FILE_PORTABLE },
  { "MSCF", 4, NS_SYMBOL_FILE_CABINET },
  { "MZ", 2, NS_SYMBOL_FILE_PE },
};

/**
 * ns_symbol_source_open:
 * @path: path of a regular file
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the bytes of the file; %NULL and @error on failure
 */
NsSymbolSource *
ns_symbol_source_open (const char *path, GError **error)
{
  /* O_NONBLOCK: opening a FIFO would otherwise block until a writer opens it. */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  NsSymbolSource *self;
  struct stat info;

  if (fd < 0 || fstat (fd, &info) != 0)
    {
      int code = errno;

      g_set_error (error,
                   NS_SYMBOL_ERROR,
                   NS_SYMBOL_ERROR_OPEN,
                   _ ("cannot open %s: %s"),
                   path,
                   g_strerror (code));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error,
                   NS_SYMBOL_ERROR,
                   NS_SYMBOL_ERROR_OPEN,
                   S_ISDIR (info.st_mode) ? _ ("%s is not a file but a folder")
                                          : _ ("%s is not a file but a pipe or a device"),
                   path);
      close (fd);
      return NULL;
    }

  self = g_new0 (NsSymbolSource, 1);
  self->fd = fd;
  self->size = (guint64) info.st_size;
  return self;
}

/**
 * ns_symbol_source_new_for_memory:
 * @data: (array length=n_bytes): bytes that outlive the source
 * @n_bytes: number of bytes
 *
 * Returns: (transfer full): a source of those bytes
 */
NsSymbolSource *
ns_symbol_source_new_for_memory (const guint8 *data, gsize n_bytes)
{
  NsSymbolSource *self = g_new0 (NsSymbolSource, 1);

  self->fd = -1;
  self->data = data;
  self->size = n_bytes;
  return self;
}

/**
 * ns_symbol_source_dup:
 * @self: a source
 *
 * Returns: (transfer full) (nullable): a second source of the same bytes; %NULL: out of file
 *   descriptors
 */
NsSymbolSource *
ns_symbol_source_dup (const NsSymbolSource *self)
{
  NsSymbolSource *copy = g_memdup2 (self, sizeof *self);

  if (self->fd < 0)
    return copy;
  copy->fd = fcntl (self->fd, F_DUPFD_CLOEXEC, 0);
  if (copy->fd < 0)
    g_clear_pointer (&copy, g_free);
  return copy;
}

/**
 * ns_symbol_source_free:
 * @self: (transfer full) (nullable): a source
 */
void
ns_symbol_source_free (NsSymbolSource *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

/**
 * ns_symbol_source_get_size:
 * @self: a source
 *
 * Returns: size in bytes when it was opened
 */
guint64
ns_symbol_source_get_size (const NsSymbolSource *self)
{
  return self->size;
}

/**
 * ns_symbol_source_read:
 * @self: a source
 * @offset: first byte
 * @buffer: (out caller-allocates) (array length=n_bytes): destination
 * @n_bytes: bytes to read
 * @error: return location
 *
 * Returns: %FALSE and @error if not all bytes could be read
 */
gboolean
ns_symbol_source_read (const NsSymbolSource *self,
                       guint64 offset,
                       gpointer buffer,
                       gsize n_bytes,
                       GError **error)
{
  guint8 *to = buffer;
  int code = 0;

  if (offset <= self->size && n_bytes <= self->size - offset)
    {
      if (self->fd < 0)
        {
          if (n_bytes > 0)
            memcpy (to, self->data + offset, n_bytes);
          return TRUE;
        }
      while (n_bytes > 0)
        {
          ssize_t n = pread (self->fd, to, n_bytes, (off_t) offset);

          if (n < 0 && errno == EINTR)
            continue;
          code = n < 0 ? errno : 0;
          if (n <= 0)
            break;
          to += n;
          offset += (guint64) n;
          n_bytes -= (gsize) n;
        }
      if (n_bytes == 0)
        return TRUE;
    }

  if (code != 0)
    g_set_error (error,
                 NS_SYMBOL_ERROR,
                 NS_SYMBOL_ERROR_OPEN,
                 _ ("%s at byte %" PRIu64),
                 g_strerror (code),
                 offset);
  else
    g_set_error (error,
                 NS_SYMBOL_ERROR,
                 NS_SYMBOL_ERROR_DAMAGED,
                 _ ("the file ends at byte %" PRIu64),
                 offset);
  return FALSE;
}

/**
 * ns_symbol_source_get_kind:
 * @self: a source
 *
 * Returns: file type by magic number
 */
NsSymbolFileKind
ns_symbol_source_get_kind (const NsSymbolSource *self)
{
  guint8 head[N_MAGIC] = { 0 };
  gsize n_head = (gsize) MIN (self->size, N_MAGIC);

  if (n_head == 0 || !ns_symbol_source_read (self, 0, head, n_head, NULL))
    return NS_SYMBOL_FILE_UNKNOWN;

  for (guint i = 0; i < G_N_ELEMENTS (magics); i++)
    if (n_head >= magics[i].n_bytes && memcmp (head, magics[i].bytes, magics[i].n_bytes) == 0)
      return magics[i].kind;
  for (gsize i = 0; i < n_head; i++)
    if (head[i] < 0x20 && !g_ascii_isspace (head[i]))
      return NS_SYMBOL_FILE_UNKNOWN;
  return NS_SYMBOL_FILE_TEXT;
}
