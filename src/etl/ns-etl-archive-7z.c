/* How much a 7z archive says of its members, before it is unpacked.
 *
 * The list of members stands at the end, packed itself, and whoever reads it unpacks it whole:
 * four bytes a member, and ten thousand of them packed in one. libarchive then keeps some ninety
 * bytes for each. Where it stands, and how long it gets, is said in the open (7zFormat.txt of the
 * LZMA SDK).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-archive-7z.h"

#include "base/ns-cursor.h"
#include "base/ns-error.h"

#define SIGNATURE_BYTES 32
#define CRC_BYTES 4
/* Of what says how a list is packed: some dozens are usual. */
#define MAX_PACKED_INFO 4096
#define MAX_CODERS 32
#define MAX_STREAMS 32

enum
{
  ID_END = 0x00,
  ID_PACK_INFO = 0x06,
  ID_UNPACK_INFO = 0x07,
  ID_SIZE = 0x09,
  ID_CRC = 0x0a,
  ID_FOLDER = 0x0b,
  ID_UNPACK_SIZE = 0x0c,
  ID_ENCODED_HEADER = 0x17,
};

/* As many bytes follow as the first has bits set from the top. */
static guint64
read_number (NsCursor *self)
{
  guint8 first = ns_cursor_u8 (self);
  guint64 number = 0;
  guint8 mask = 0x80;
  guint i;

  for (i = 0; i < 8 && (first & mask) != 0; i++, mask >>= 1)
    number |= (guint64) ns_cursor_u8 (self) << (8 * i);
  return i < 8 ? number | (guint64) (first & (mask - 1)) << (8 * i) : number;
}

/* What stands for the checksums of @n streams: all of them, or those of which a bit is set. */
static void
skip_checksums (NsCursor *self, guint64 n)
{
  guint8 bits = 0;
  guint64 n_set = 0;
  guint64 i;

  if (ns_cursor_u8 (self) != 0)
    n_set = n;
  else
    for (i = 0; i < n && ns_cursor_ok (self); i++, bits = (guint8) (bits << 1))
      {
        if (i % 8 == 0)
          bits = ns_cursor_u8 (self);
        n_set += (bits & 0x80) != 0;
      }
  ns_cursor_skip (self, (gsize) n_set * CRC_BYTES);
}

static gboolean
skip_packed_streams (NsCursor *self)
{
  guint64 n_streams;
  guint64 i;
  guint8 id;

  read_number (self); /* where they begin */
  n_streams = read_number (self);
  if (n_streams > MAX_STREAMS)
    return FALSE;
  while (ns_cursor_ok (self) && (id = ns_cursor_u8 (self)) != ID_END)
    if (id == ID_SIZE)
      for (i = 0; i < n_streams; i++)
        read_number (self);
    else if (id == ID_CRC)
      skip_checksums (self, n_streams);
    else
      return FALSE;
  return ns_cursor_ok (self);
}

/* One list is packed as one: how many sizes it has, one for each that comes out of a coder; 0: that
 * cannot be read. */
static guint64
read_folder (NsCursor *self)
{
  guint64 n_coders = read_number (self);
  guint64 n_in = 0;
  guint64 n_out = 0;
  guint64 i;

  if (n_coders == 0 || n_coders > MAX_CODERS)
    return 0;
  for (i = 0; i < n_coders; i++)
    {
      guint8 flags = ns_cursor_u8 (self);
      gboolean is_simple = (flags & 0x10) == 0;
      guint64 n_properties = 0;

      ns_cursor_skip (self, flags & 0x0f);
      n_in += is_simple ? 1 : read_number (self);
      n_out += is_simple ? 1 : read_number (self);
      if ((flags & 0x20) != 0)
        n_properties = read_number (self);
      ns_cursor_skip (self, (gsize) MIN (n_properties, G_MAXUINT32));
      if ((flags & 0x80) != 0 || n_in > MAX_STREAMS || n_out > MAX_STREAMS)
        return 0;
    }
  for (i = 0; i + 1 < n_out; i++)
    {
      read_number (self);
      read_number (self);
    }
  /* Which streams it begins with, if there are several. */
  if (n_in > n_out)
    for (i = 0; i < n_in - n_out + 1; i++)
      read_number (self);
  return ns_cursor_ok (self) ? n_out : 0;
}

/* How long a packed list of members is at most before the last coder, or behind it. */
static gboolean
read_list_size (NsCursor *self, guint64 *size)
{
  guint64 n_sizes;
  guint64 i;

  *size = 0;
  if (ns_cursor_u8 (self) != ID_PACK_INFO || !skip_packed_streams (self) ||
      ns_cursor_u8 (self) != ID_UNPACK_INFO || ns_cursor_u8 (self) != ID_FOLDER ||
      read_number (self) != 1 || ns_cursor_u8 (self) != 0 || (n_sizes = read_folder (self)) == 0 ||
      ns_cursor_u8 (self) != ID_UNPACK_SIZE)
    return FALSE;
  for (i = 0; i < n_sizes; i++)
    {
      guint64 one = read_number (self);

      *size = MAX (*size, one);
    }
  return ns_cursor_ok (self);
}

static gboolean
refuse (const NsEtlSource *source, int code, const char *why, GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               code,
               "cannot unpack %s: %s; unpack it with another program and open the trace itself",
               ns_etl_source_get_name (source),
               why);
  return FALSE;
}

/**
 * ns_etl_archive_check_7z: (skip)
 * @source: a file that begins as a 7z archive does
 * @error: %NS_TRACE_ERROR_ARCHIVE: it is none after all; %NS_TRACE_ERROR_LIMIT: its list of members
 *   is longer than %NS_ETL_MAX_7Z_LIST
 *
 * Returns: whether its list of members may be read
 */
gboolean
ns_etl_archive_check_7z (const NsEtlSource *source, GError **error)
{
  guint8 begin[SIGNATURE_BYTES];
  guint8 info[MAX_PACKED_INFO];
  guint64 file_size = ns_etl_source_get_size (source);
  guint64 offset;
  guint64 size;
  gsize n_read;
  NsCursor cursor;

  if (!ns_etl_source_read (source, 0, begin, sizeof begin, &n_read, error))
    return FALSE;
  ns_cursor_init (&cursor, begin, n_read);
  ns_cursor_seek (&cursor, 12); /* signature, version, checksum */
  offset = ns_cursor_u64 (&cursor);
  size = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor) || offset > file_size - SIGNATURE_BYTES ||
      size > file_size - SIGNATURE_BYTES - offset)
    return refuse (source,
                   NS_TRACE_ERROR_ARCHIVE,
                   "its list of members stands behind its end: it is cut off, or damaged",
                   error);
  if (!ns_etl_source_read (source, SIGNATURE_BYTES + offset, info, sizeof info, &n_read, error))
    return FALSE;
  ns_cursor_init (&cursor, info, (gsize) MIN (size, n_read));
  /* A list in the open is no longer than the file. */
  if (size == 0 || ns_cursor_u8 (&cursor) != ID_ENCODED_HEADER)
    return TRUE;
  if (!read_list_size (&cursor, &size))
    return refuse (source,
                   NS_TRACE_ERROR_ARCHIVE,
                   "its list of members is packed in a way that is not known",
                   error);
  if (size > NS_ETL_MAX_7Z_LIST)
    return refuse (source, NS_TRACE_ERROR_LIMIT, "its list of members is too long", error);
  return TRUE;
}
