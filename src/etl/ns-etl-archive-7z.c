/* Checks the size of a 7z archive's list of members before the archive is unpacked.
 *
 * The list is at the end and is compressed itself, and readers unpack it as a whole: four bytes
 * per member, compressed by a factor of up to ten thousand. libarchive then keeps some ninety bytes
 * per member, and allocates arrays for the numbers of members, folders and streams that the list
 * announces before it has read one. The position and the unpacked size of the list are not
 * compressed (7zFormat.txt of the LZMA SDK).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-archive-7z.h"

#include "base/ns-cursor.h"
#include "base/ns-error.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define SIGNATURE_BYTES 32
#define CRC_BYTES 4
/* Maximum size of the description of how a list is compressed; some dozens of bytes are usual. */
#define MAX_PACKED_INFO 4096
#define MAX_CODERS 32
#define MAX_STREAMS 32
/* Maximum dictionary of a list's coder: packers choose at most 64 MiB. */
#define MAX_LIST_MEMORY (64u << 20)

enum
{
  ID_END = 0x00,
  ID_HEADER = 0x01,
  ID_ARCHIVE_PROPERTIES = 0x02,
  ID_ADDITIONAL_STREAMS = 0x03,
  ID_MAIN_STREAMS = 0x04,
  ID_FILES = 0x05,
  ID_PACK_INFO = 0x06,
  ID_UNPACK_INFO = 0x07,
  ID_SUB_STREAMS = 0x08,
  ID_SIZE = 0x09,
  ID_CRC = 0x0a,
  ID_FOLDER = 0x0b,
  ID_UNPACK_SIZE = 0x0c,
  ID_N_UNPACK_STREAMS = 0x0d,
  ID_NAMES = 0x11,
  ID_ENCODED_HEADER = 0x17,
};

/* Reads a variable-length number: the leading set bits of the first byte give the number of further
 * bytes. */
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

/* Skips the checksums of @n streams: of all, or of those with a set bit. Stores which streams have
 * one in @has_one (nullable). */
static void
skip_checksums (NsCursor *self, guint64 n, guint8 *has_one)
{
  gboolean have_all = ns_cursor_u8 (self) != 0;
  guint8 bits = 0xff;
  guint64 n_set = 0;
  guint64 i;

  for (i = 0; i < n && ns_cursor_ok (self); i++, bits = (guint8) (bits << 1 | have_all))
    {
      gboolean is_set;

      if (i % 8 == 0 && !have_all)
        bits = ns_cursor_u8 (self);
      is_set = (bits & 0x80) != 0;
      n_set += is_set;
      if (has_one != NULL)
        has_one[i] = is_set;
    }
  ns_cursor_skip (self, (gsize) n_set * CRC_BYTES);
}

static gboolean
skip_packed_streams (NsCursor *self, guint64 max)
{
  guint64 n_streams;
  guint64 i;
  guint8 id;

  read_number (self); /* position of the streams */
  n_streams = read_number (self);
  if (n_streams > max)
    return FALSE;
  while (ns_cursor_ok (self) && (id = ns_cursor_u8 (self)) != ID_END)
    if (id == ID_SIZE)
      for (i = 0; i < n_streams && ns_cursor_ok (self); i++)
        read_number (self);
    else if (id == ID_CRC)
      skip_checksums (self, n_streams, NULL);
    else
      return FALSE;
  return ns_cursor_ok (self);
}

/* Returns the memory that a coder allocates for its dictionary or model before anything is
 * unpacked; 0: not specified. Leaves @self after the properties. */
static guint64
read_coder_memory (NsCursor *self, const guint8 *id, gsize n_id, gsize n_properties)
{
  static const guint8 lzma[] = { 0x03, 0x01, 0x01 };
  static const guint8 ppmd[] = { 0x03, 0x04, 0x01 };
  gsize end = self->pos + n_properties;
  guint64 memory = 0;

  if (n_properties == 5 && n_id == 3 &&
      (memcmp (id, lzma, sizeof lzma) == 0 || memcmp (id, ppmd, sizeof ppmd) == 0))
    {
      ns_cursor_u8 (self); /* literal and position bits, or the order of the model */
      memory = ns_cursor_u32 (self);
    }
  else if (n_properties == 1 && n_id == 1 && id[0] == 0x21) /* LZMA2 */
    {
      guint8 size = ns_cursor_u8 (self);

      memory = size < 40 ? (guint64) (2 | (size & 1)) << (size / 2 + 11) : G_MAXUINT32;
    }
  ns_cursor_seek (self, end);
  return memory;
}

/* Reads a folder, the unit of compression. Returns its number of unpacked sizes, one per output
 * stream; 0: invalid, or a coder needs more than @max_memory. */
static guint64
read_folder (NsCursor *self, guint64 max_memory)
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
      guint8 coder[0x10] = { 0 };
      gsize n_id = flags & 0x0f;
      gsize k;

      for (k = 0; k < n_id; k++)
        coder[k] = ns_cursor_u8 (self);
      n_in += is_simple ? 1 : read_number (self);
      n_out += is_simple ? 1 : read_number (self);
      if ((flags & 0x20) != 0)
        n_properties = read_number (self);
      if (n_properties > ns_cursor_left (self) ||
          read_coder_memory (self, coder, n_id, (gsize) n_properties) > max_memory ||
          (flags & 0x80) != 0 || n_in > MAX_STREAMS || n_out > MAX_STREAMS)
        return 0;
    }
  for (i = 0; i + 1 < n_out; i++)
    {
      read_number (self);
      read_number (self);
    }
  /* If there are several input streams, their indexes follow. */
  if (n_in > n_out)
    for (i = 0; i < n_in - n_out + 1; i++)
      read_number (self);
  return ns_cursor_ok (self) ? n_out : 0;
}

/* Reads the largest unpacked size of a compressed list, after any of its coders. */
static gboolean
read_list_size (NsCursor *self, guint64 *size)
{
  guint64 n_sizes;
  guint64 i;
  guint8 id;

  *size = 0;
  if (ns_cursor_u8 (self) != ID_PACK_INFO || !skip_packed_streams (self, MAX_STREAMS) ||
      ns_cursor_u8 (self) != ID_UNPACK_INFO || ns_cursor_u8 (self) != ID_FOLDER ||
      read_number (self) != 1 || ns_cursor_u8 (self) != 0 ||
      (n_sizes = read_folder (self, MAX_LIST_MEMORY)) == 0 || ns_cursor_u8 (self) != ID_UNPACK_SIZE)
    return FALSE;
  for (i = 0; i < n_sizes; i++)
    {
      guint64 one = read_number (self);

      *size = MAX (*size, one);
    }
  id = ns_cursor_u8 (self);
  if (id == ID_CRC)
    {
      skip_checksums (self, 1, NULL);
      id = ns_cursor_u8 (self);
    }
  /* Nothing else may follow: neither parts of the list nor members. */
  return ns_cursor_ok (self) && id == ID_END && ns_cursor_u8 (self) == ID_END &&
         ns_cursor_left (self) == 0;
}

/* Folders of the list of members. */
typedef struct
{
  guint64 n;
  guint8 *has_checksum; /* (array length=n) */
} Folders;

/* Skips the folders; each has at least two bytes. */
static gboolean
skip_folders (NsCursor *self, Folders *folders)
{
  guint64 n_sizes = 0;
  guint64 i;
  guint8 id;

  if (ns_cursor_u8 (self) != ID_FOLDER)
    return FALSE;
  folders->n = read_number (self);
  if (folders->n > ns_cursor_left (self) / 2 || ns_cursor_u8 (self) != 0)
    return FALSE;
  g_free (folders->has_checksum);
  folders->has_checksum = g_malloc0 (folders->n + 1);
  for (i = 0; i < folders->n; i++)
    {
      guint64 n_out = read_folder (self, G_MAXUINT64);

      if (n_out == 0)
        return FALSE;
      n_sizes += n_out;
    }
  if (ns_cursor_u8 (self) != ID_UNPACK_SIZE)
    return FALSE;
  for (i = 0; i < n_sizes && ns_cursor_ok (self); i++)
    read_number (self);
  id = ns_cursor_u8 (self);
  if (id == ID_CRC)
    {
      skip_checksums (self, folders->n, folders->has_checksum);
      id = ns_cursor_u8 (self);
    }
  return ns_cursor_ok (self) && id == ID_END;
}

/* Skips the sub-streams: one folder may hold several files, all but one of which have a size. */
static gboolean
skip_sub_streams (NsCursor *self, const Folders *folders)
{
  gsize n_left = ns_cursor_left (self);
  g_autofree guint32 *n_streams = g_new0 (guint32, folders->n + 1);
  guint64 n_all = 0;
  guint64 n_sizes = 0;
  guint64 n_checksums = 0;
  guint8 id = ns_cursor_u8 (self);
  guint64 i;

  for (i = 0; i < folders->n; i++)
    {
      guint64 n = id == ID_N_UNPACK_STREAMS ? read_number (self) : 1;

      if (n > n_left)
        return FALSE;
      n_streams[i] = (guint32) n;
      n_all += n;
      n_sizes += n > 0 ? n - 1 : 0;
      if (n != 1 || !folders->has_checksum[i])
        n_checksums += n;
    }
  if (n_all > n_left + folders->n)
    return FALSE;
  if (id == ID_N_UNPACK_STREAMS)
    id = ns_cursor_u8 (self);
  if (id == ID_SIZE)
    {
      for (i = 0; i < n_sizes && ns_cursor_ok (self); i++)
        read_number (self);
      id = ns_cursor_u8 (self);
    }
  if (id == ID_CRC)
    {
      skip_checksums (self, n_checksums, NULL);
      id = ns_cursor_u8 (self);
    }
  return ns_cursor_ok (self) && id == ID_END;
}

static gboolean
skip_streams (NsCursor *self)
{
  Folders folders = { 0 };
  gboolean ok = TRUE;
  guint8 id;

  while (ok && ns_cursor_ok (self) && (id = ns_cursor_u8 (self)) != ID_END)
    if (id == ID_PACK_INFO)
      ok = skip_packed_streams (self, ns_cursor_left (self));
    else if (id == ID_UNPACK_INFO)
      ok = skip_folders (self, &folders);
    else if (id == ID_SUB_STREAMS && folders.has_checksum != NULL)
      ok = skip_sub_streams (self, &folders);
    else
      ok = FALSE;
  g_free (folders.has_checksum);
  return ok && ns_cursor_ok (self);
}

static gboolean
skip_properties (NsCursor *self)
{
  while (ns_cursor_ok (self) && ns_cursor_u8 (self) != ID_END)
    ns_cursor_skip (self, (gsize) MIN (read_number (self), G_MAXUINT32));
  return ns_cursor_ok (self);
}

/* Checks that an unpacked list announces no more elements than its bytes can describe, and no more
 * members than are read. The name of a member has at least two bytes. */
static gboolean
check_list (const guint8 *list, gsize n_bytes)
{
  NsCursor cursor;
  guint64 n_files;
  guint8 id;

  ns_cursor_init (&cursor, list, n_bytes);
  if (ns_cursor_u8 (&cursor) != ID_HEADER)
    return FALSE;
  while (ns_cursor_ok (&cursor) && (id = ns_cursor_u8 (&cursor)) != ID_END)
    switch (id)
      {
      case ID_ARCHIVE_PROPERTIES:
        if (!skip_properties (&cursor))
          return FALSE;
        break;
      case ID_ADDITIONAL_STREAMS:
      case ID_MAIN_STREAMS:
        if (!skip_streams (&cursor))
          return FALSE;
        break;
      case ID_FILES:
        n_files = read_number (&cursor);
        return ns_cursor_ok (&cursor) && n_files <= ns_cursor_left (&cursor) / 2 &&
               n_files <= NS_ETL_MAX_7Z_MEMBERS;
      default:
        return FALSE;
      }
  return ns_cursor_ok (&cursor);
}

/* Returns the CRC-32 of ISO 3309. */
static guint32
make_checksum (const guint8 *data, gsize n_bytes)
{
  guint32 sum = G_MAXUINT32;
  gsize i;
  guint bit;

  for (i = 0; i < n_bytes; i++)
    for (sum ^= data[i], bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
  return ~sum;
}

static void
append_u32 (GByteArray *self, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (self, (const guint8 *) &value, sizeof value);
}

static void
append_u64 (GByteArray *self, guint64 value)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (self, (const guint8 *) &value, sizeof value);
}

/* Builds an archive with one member, which is the list of members of another archive: @packed is
 * the compressed list, @info describes its compression, from after its position to the end of its
 * streams; (transfer full). */
static GByteArray *
make_archive (const guint8 *packed, gsize n_packed, const guint8 *info, gsize n_info)
{
  static const guint8 begin[] = { '7', 'z', 0xbc, 0xaf, 0x27, 0x1c, 0, 4 };
  static const guint8 before[] = { ID_HEADER, ID_MAIN_STREAMS, ID_PACK_INFO, 0 };
  static const guint8 behind[] = {
    ID_SUB_STREAMS, ID_END, ID_END, ID_FILES, 1, ID_NAMES, 5, 0, 'a', 0, 0, 0, ID_END, ID_END
  };
  g_autoptr (GByteArray) list = g_byte_array_new ();
  g_autoptr (GByteArray) start = g_byte_array_new ();
  GByteArray *self = g_byte_array_new ();

  g_byte_array_append (list, before, sizeof before);
  g_byte_array_append (list, info, (guint) n_info);
  g_byte_array_append (list, behind, sizeof behind);
  append_u64 (start, n_packed);
  append_u64 (start, list->len);
  append_u32 (start, make_checksum (list->data, list->len));
  g_byte_array_append (self, begin, sizeof begin);
  append_u32 (self, make_checksum (start->data, start->len));
  g_byte_array_append (self, start->data, start->len);
  g_byte_array_append (self, packed, (guint) n_packed);
  g_byte_array_append (self, list->data, list->len);
  return self;
}

/* Unpacks the only member of @made. Returns: (transfer full) (nullable): %NULL: it cannot be
 * unpacked */
static GByteArray *
unpack (const GByteArray *made, gsize n_bytes)
{
  struct archive *archive = archive_read_new ();
  g_autoptr (GByteArray) list = g_byte_array_new ();
  struct archive_entry *entry;
  la_ssize_t n_read = -1;

  g_byte_array_set_size (list, (guint) n_bytes);
  archive_read_support_format_7zip (archive);
  if (archive_read_open_memory (archive, made->data, made->len) == ARCHIVE_OK &&
      archive_read_next_header (archive, &entry) == ARCHIVE_OK)
    n_read = archive_read_data (archive, list->data, n_bytes);
  archive_read_free (archive);
  return n_read == (la_ssize_t) n_bytes ? g_steal_pointer (&list) : NULL;
}

/* Reads position and size of a compressed list. Leaves @self where the @info of make_archive()
 * begins. */
static gboolean
find_packed (NsCursor *self, guint64 *offset, guint64 *size)
{
  NsCursor streams;
  guint64 n_streams;
  guint64 i;

  *size = 0;
  ns_cursor_u8 (self); /* ID_PACK_INFO */
  *offset = read_number (self);
  streams = *self;
  n_streams = read_number (&streams);
  if (n_streams > MAX_STREAMS || ns_cursor_u8 (&streams) != ID_SIZE)
    return FALSE;
  for (i = 0; i < n_streams; i++)
    {
      guint64 one = read_number (&streams);

      if (one > NS_ETL_MAX_7Z_LIST || (*size += one) > NS_ETL_MAX_7Z_LIST)
        return FALSE;
    }
  return ns_cursor_ok (self) && ns_cursor_ok (&streams) && ns_cursor_left (self) > 0;
}

static gboolean
refuse (const NsEtlSource *source, int code, const char *why, GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               code,
               _ ("cannot unpack %s: %s; unpack it with another program and open the trace itself"),
               ns_etl_source_get_name (source),
               why);
  return FALSE;
}

static gboolean
refuse_many (const NsEtlSource *source, GError **error)
{
  g_autofree char *why = g_strdup_printf (
      ngettext (
          "its member list announces more entries than it has room for, or more than %u member",
          "its member list announces more entries than it has room for, or more than %u members",
          NS_ETL_MAX_7Z_MEMBERS),
      NS_ETL_MAX_7Z_MEMBERS);

  return refuse (source, NS_TRACE_ERROR_LIMIT, why, error);
}

/* Checks a compressed list. @info: a cursor behind %ID_ENCODED_HEADER. */
static gboolean
check_packed (const NsEtlSource *source, NsCursor *info, GError **error)
{
  NsCursor sizes = *info;
  g_autoptr (GByteArray) made = NULL;
  g_autoptr (GByteArray) list = NULL;
  g_autofree guint8 *packed = NULL;
  guint64 offset;
  guint64 n_packed;
  guint64 size;
  gsize n_read;

  if (!read_list_size (&sizes, &size))
    return refuse (source,
                   NS_TRACE_ERROR_ARCHIVE,
                   _ ("its member list uses an unsupported compression"),
                   error);
  if (size > NS_ETL_MAX_7Z_LIST || !find_packed (info, &offset, &n_packed))
    return refuse (source, NS_TRACE_ERROR_LIMIT, _ ("its list of members is too long"), error);
  packed = g_malloc (n_packed + 1);
  if (!ns_etl_source_read (source, SIGNATURE_BYTES + offset, packed, n_packed, &n_read, error))
    return FALSE;
  made = make_archive (packed, n_read, info->data + info->pos, ns_cursor_left (info) - 1);
  list = unpack (made, size);
  if (list == NULL)
    return refuse (
        source,
        NS_TRACE_ERROR_ARCHIVE,
        _ ("its member list cannot be unpacked: it is damaged or protected by a password"),
        error);
  return check_list (list->data, list->len) || refuse_many (source, error);
}

static gboolean
check_open (const NsEtlSource *source, guint64 offset, guint64 size, GError **error)
{
  g_autofree guint8 *list = NULL;
  gsize n_read;

  if (size > NS_ETL_MAX_7Z_LIST)
    return refuse (source, NS_TRACE_ERROR_LIMIT, _ ("its list of members is too long"), error);
  list = g_malloc (size + 1);
  if (!ns_etl_source_read (source, offset, list, size, &n_read, error))
    return FALSE;
  return check_list (list, n_read) || refuse_many (source, error);
}

/**
 * ns_etl_archive_check_7z: (skip)
 * @source: a file that begins like a 7z archive
 * @error: %NS_TRACE_ERROR_ARCHIVE: it is no 7z archive; %NS_TRACE_ERROR_LIMIT: its list of members
 *   is longer than %NS_ETL_MAX_7Z_LIST, announces more than its bytes can describe, or more than
 *   %NS_ETL_MAX_7Z_MEMBERS members
 *
 * Returns: whether it is safe to read the list of members
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
    return refuse (
        source,
        NS_TRACE_ERROR_ARCHIVE,
        _ ("its member list lies beyond the end of the file: it is truncated or damaged"),
        error);
  if (!ns_etl_source_read (source, SIGNATURE_BYTES + offset, info, sizeof info, &n_read, error))
    return FALSE;
  ns_cursor_init (&cursor, info, (gsize) MIN (size, n_read));
  if (size == 0)
    return TRUE;
  if (ns_cursor_u8 (&cursor) != ID_ENCODED_HEADER)
    return check_open (source, SIGNATURE_BYTES + offset, size, error);
  return check_packed (source, &cursor, error);
}
