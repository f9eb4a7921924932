/* Expands the compressed files of symbol stores: cabinets with one file.
 *
 * Layout: MS-CAB. Only MSZIP and stored data are passed to libarchive, as its LZX and Quantum
 * decoders are not hardened against malicious input.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-cabinet.h"

#include "base/ns-cursor.h"
#include "base/ns-fd.h"
#include "symbols/ns-symbol-source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <glib/gi18n-lib.h>

#define HEAD_SIZE 512
#define HAS_NEIGHBOURS 3u
#define HAS_RESERVE 4u
#define METHOD_BITS 0xfu
#define METHOD_MSZIP 1u
#define BLOCK_SIZE (1u << 16)

typedef struct archive ArchiveRead;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArchiveRead, archive_read_free)

static gboolean
damaged (GError **error, const char *what)
{
  g_set_error_literal (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED, what);
  return FALSE;
}

/* Checks for one file in one folder with a permitted compression; @n_bytes gets the stated size. */
static gboolean
check_head (const NsSymbolSource *source, guint64 *n_bytes, GError **error)
{
  guint8 head[HEAD_SIZE];
  guint8 entry[4];
  gsize n_head = (gsize) MIN (ns_symbol_source_get_size (source), HEAD_SIZE);
  NsCursor cursor;
  guint32 entry_at;
  guint16 n_folders;
  guint16 n_files;
  guint16 flags;
  guint16 method;

  if (ns_symbol_source_get_kind (source) != NS_SYMBOL_FILE_CABINET)
    return damaged (error, _ ("this is not a cabinet"));
  if (!ns_symbol_source_read (source, 0, head, n_head, error))
    return FALSE;
  ns_cursor_init (&cursor, head, n_head);
  ns_cursor_seek (&cursor, 16);
  entry_at = ns_cursor_u32 (&cursor);
  ns_cursor_seek (&cursor, 26);
  n_folders = ns_cursor_u16 (&cursor);
  n_files = ns_cursor_u16 (&cursor);
  flags = ns_cursor_u16 (&cursor);
  ns_cursor_seek (&cursor, 36);
  if ((flags & HAS_RESERVE) != 0)
    {
      guint16 n_reserve = ns_cursor_u16 (&cursor);

      ns_cursor_skip (&cursor, 2);
      ns_cursor_skip (&cursor, n_reserve);
    }
  ns_cursor_skip (&cursor, 6);
  method = ns_cursor_u16 (&cursor) & METHOD_BITS;
  if (!ns_cursor_ok (&cursor) || !ns_symbol_source_read (source, entry_at, entry, 4, NULL))
    return damaged (error, _ ("the cabinet is truncated"));
  if (n_folders != 1 || n_files != 1 || (flags & HAS_NEIGHBOURS) != 0)
    return damaged (error, _ ("the cabinet does not contain exactly one file"));
  if (method > METHOD_MSZIP)
    {
      g_set_error (error,
                   NS_SYMBOL_ERROR,
                   NS_SYMBOL_ERROR_COMPRESSED,
                   _ ("for safety, cabinets with compression method %u are not read"),
                   method);
      return FALSE;
    }
  ns_cursor_init (&cursor, entry, sizeof entry);
  *n_bytes = ns_cursor_u32 (&cursor);
  return *n_bytes <= NS_SYMBOL_MAX_EXPANDED ||
         damaged (error, _ ("the file in the cabinet is too large"));
}

static gboolean
copy_out (ArchiveRead *archive,
          guint64 n_bytes,
          int to_fd,
          GCancellable *cancellable,
          GError **error)
{
  g_autofree guint8 *block = g_malloc (BLOCK_SIZE);
  guint64 n_done = 0;

  while (n_done < n_bytes)
    {
      ssize_t n;

      if (g_cancellable_is_cancelled (cancellable))
        {
          g_set_error (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_CANCELLED, _ ("stopped"));
          return FALSE;
        }
      n = archive_read_data (archive, block, BLOCK_SIZE);
      if (n <= 0 || (guint64) n > n_bytes - n_done)
        return damaged (error, _ ("the cabinet is damaged"));
      if (!ns_fd_write_all (to_fd, block, (gsize) n))
        {
          g_set_error_literal (error, NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_OPEN, g_strerror (errno));
          return FALSE;
        }
      n_done += (guint64) n;
    }
  return n_done > 0 || damaged (error, _ ("the file in the cabinet is empty"));
}

/**
 * ns_symbol_cabinet_expand:
 * @path: path of a cabinet
 * @to_fd: file descriptor that receives the file; its name in the cabinet is ignored
 * @cancellable: (nullable): cancels the expansion
 * @error: return location
 *
 * Returns: %FALSE and @error if it could not be expanded
 */
gboolean
ns_symbol_cabinet_expand (const char *path, int to_fd, GCancellable *cancellable, GError **error)
{
  g_autoptr (NsSymbolSource) source = ns_symbol_source_open (path, error);
  g_autoptr (ArchiveRead) archive = NULL;
  struct archive_entry *entry;
  guint64 n_bytes;

  if (source == NULL || !check_head (source, &n_bytes, error))
    return FALSE;
  archive = archive_read_new ();
  if (archive_read_support_format_cab (archive) != ARCHIVE_OK ||
      archive_read_open_filename (archive, path, BLOCK_SIZE) != ARCHIVE_OK ||
      archive_read_next_header (archive, &entry) != ARCHIVE_OK)
    return damaged (error, _ ("the cabinet is damaged"));
  return copy_out (archive, n_bytes, to_fd, cancellable, error);
}
