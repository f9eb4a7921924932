/* Finds secrets in the headers of unencrypted HTTP/2 (RFC 9113), compressed with HPACK (RFC 7541).
 *
 * A header field may refer to the name of an earlier one, so all header blocks of a direction are
 * read in order. Bodies are searched like any other text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

#define N_HEAD 9
#define MAX_FRAME 16384
/* Maximum size of the dynamic table, and the size that RFC 7541 adds for each entry. */
#define MAX_TABLE 65536
#define ENTRY_SIZE 32
#define DEFAULT_TABLE 4096
/* Number of valid frames after a partial one that are not a coincidence. */
#define MIN_FRAMES_ON 3
/* Longer names are not secret names; longer values are masked by their name only. */
#define MAX_NAME 256
#define MAX_VALUE 65536
/* Maximum length of a Huffman code. */
#define MAX_BITS 30

typedef enum
{
  FRAME_DATA,
  FRAME_HEADERS,
  FRAME_PRIORITY,
  FRAME_RST_STREAM,
  FRAME_SETTINGS,
  FRAME_PUSH_PROMISE,
  FRAME_PING,
  FRAME_GOAWAY,
  FRAME_WINDOW_UPDATE,
  FRAME_CONTINUATION,
} FrameKind;

/* RFC 7541, appendix A: names only. */
static const char *const static_names[] = {
  ":authority",
  ":method",
  ":method",
  ":path",
  ":path",
  ":scheme",
  ":scheme",
  ":status",
  ":status",
  ":status",
  ":status",
  ":status",
  ":status",
  ":status",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "accept-ranges",
  "accept",
  "access-control-allow-origin",
  "age",
  "allow",
  "authorization",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-range",
  "content-type",
  "cookie",
  "date",
  "etag",
  "expect",
  "expires",
  "from",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "last-modified",
  "link",
  "location",
  "max-forwards",
  "proxy-authenticate",
  "proxy-authorization",
  "range",
  "referer",
  "refresh",
  "retry-after",
  "server",
  "set-cookie",
  "strict-transport-security",
  "transfer-encoding",
  "user-agent",
  "vary",
  "via",
  "www-authenticate",
};

/* RFC 7541, appendix B. The codes of one length are consecutive, and those of the next length
 * follow them. */
/* clang-format off */
/* Number of codes of each length in bits. */
static const guint8 n_codes[MAX_BITS + 1] = {
  0, 0, 0, 0, 0, 10, 26, 32, 6, 0, 5, 3, 2, 6, 2, 3,
  0, 0, 0, 3, 8, 13, 26, 29, 12, 4, 15, 19, 29, 0, 4,
};

/* The bytes in the order of their codes. The last entry is EOS, which no text contains. */
static const guint16 bytes_by_code[257] = {
  48, 49, 50, 97, 99, 101, 105, 111, 115, 116, 32, 37, 45, 46, 47, 51,
  52, 53, 54, 55, 56, 57, 61, 65, 95, 98, 100, 102, 103, 104, 108, 109,
  110, 112, 114, 117, 58, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76,
  77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 89, 106, 107, 113, 118,
  119, 120, 121, 122, 38, 42, 44, 59, 88, 90, 33, 34, 40, 41, 63, 39,
  43, 124, 35, 62, 0, 36, 64, 91, 93, 126, 94, 125, 60, 96, 123, 92,
  195, 208, 128, 130, 131, 162, 184, 194, 224, 226, 153, 161, 167, 172, 176, 177,
  179, 209, 216, 217, 227, 229, 230, 129, 132, 133, 134, 136, 146, 154, 156, 160,
  163, 164, 169, 170, 173, 178, 181, 185, 186, 187, 189, 190, 196, 198, 228, 232,
  233, 1, 135, 137, 138, 139, 140, 141, 143, 147, 149, 150, 151, 152, 155, 157,
  158, 165, 166, 168, 174, 175, 180, 182, 183, 188, 191, 197, 231, 239, 9, 142,
  144, 145, 148, 159, 171, 206, 215, 225, 236, 237, 199, 207, 234, 235, 192, 193,
  200, 201, 202, 205, 210, 213, 218, 219, 238, 240, 242, 243, 255, 203, 204, 211,
  212, 214, 221, 222, 223, 241, 244, 245, 246, 247, 248, 250, 251, 252, 253, 254,
  2, 3, 4, 5, 6, 7, 8, 11, 12, 14, 15, 16, 17, 18, 19, 20,
  21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 127, 220, 249, 10, 13, 22,
  256,
};
/* clang-format on */

/* An entry of the dynamic table. */
typedef struct
{
  char *name;
  gsize size;
} Entry;

/* Maps bytes of a header block to the stream. */
typedef struct
{
  gsize block;
  gsize stream;
} Piece;

typedef struct
{
  NsSecretFinder *finder;
  GArray *table; /* Entry, newest last */
  guint n_gone;  /* number of evicted entries */
  gsize n_table; /* size of the dynamic table, as defined by RFC 7541 */
  gsize max_table;
  GByteArray *block;
  GArray *pieces;
  guint piece; /* piece of the last masked range */
} Reader;

/* Decodes Huffman-coded text, up to the first invalid code and to @max bytes. */
static void
unpack (const guint8 *data, gsize size, gsize max, GString *text)
{
  guint32 code = 0;
  guint32 first = 0; /* first code of the length */
  guint place = 0;   /* its index in the table */
  guint n_bits = 0;
  gsize i;

  for (i = 0; i < size * 8 && text->len < max; i++)
    {
      code = code << 1 | ((data[i / 8] >> (7 - i % 8)) & 1);
      place += n_codes[n_bits];
      first = (first + n_codes[n_bits]) << 1;
      if (++n_bits > MAX_BITS)
        return;
      if (code - first >= n_codes[n_bits])
        continue;
      if (bytes_by_code[place + code - first] > 255)
        return;
      g_string_append_c (text, (char) bytes_by_code[place + code - first]);
      code = first = place = n_bits = 0;
    }
}

static void
clear_entry (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->name, g_free);
}

static void
shrink (Reader *self, gsize max)
{
  while (self->n_table > max)
    {
      Entry *entry = &g_array_index (self->table, Entry, self->n_gone++);

      self->n_table -= entry->size;
      g_clear_pointer (&entry->name, g_free);
    }
  if (self->n_gone > MAX_TABLE / ENTRY_SIZE)
    {
      g_array_remove_range (self->table, 0, self->n_gone);
      self->n_gone = 0;
    }
}

static void
remember (Reader *self, const char *name, gsize n_value)
{
  Entry entry = { NULL, (name != NULL ? strlen (name) : 0) + n_value + ENTRY_SIZE };

  shrink (self, self->max_table > entry.size ? self->max_table - entry.size : 0);
  if (entry.size > self->max_table)
    return;
  entry.name = g_strdup (name);
  g_array_append_val (self->table, entry);
  self->n_table += entry.size;
}

/* Returns a header name by its index; %NULL if it is not known because the capture started
 * later. */
static const char *
get_name (Reader *self, gsize number)
{
  if (number <= G_N_ELEMENTS (static_names))
    return static_names[number - 1];
  number -= G_N_ELEMENTS (static_names);
  if (number > self->table->len - self->n_gone)
    return NULL;
  return g_array_index (self->table, Entry, self->table->len - number).name;
}

/* Reads an integer with a prefix of @n_bits (RFC 7541, 5.1). */
static gboolean
read_number (const GByteArray *block, gsize *at, guint n_bits, gsize *number)
{
  gsize mask = (1u << n_bits) - 1;
  guint shift;

  if (*at >= block->len)
    return FALSE;
  *number = block->data[(*at)++] & mask;
  if (*number < mask)
    return TRUE;
  for (shift = 0; shift < 28; shift += 7)
    {
      if (*at >= block->len)
        return FALSE;
      *number += (gsize) (block->data[*at] & 0x7f) << shift;
      if ((block->data[(*at)++] & 0x80) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Position of a string in a block. */
typedef struct
{
  gsize begin;
  gsize size;
  gboolean is_packed;
} Text;

static gboolean
read_text (const GByteArray *block, gsize *at, Text *text)
{
  text->is_packed = *at < block->len && (block->data[*at] & 0x80) != 0;
  if (!read_number (block, at, 7, &text->size))
    return FALSE;
  text->begin = *at;
  /* The block may be truncated. */
  text->size = MIN (text->size, block->len - *at);
  *at += text->size;
  return TRUE;
}

static GString *
get_text (const GByteArray *block, const Text *text, gsize max)
{
  GString *plain = g_string_new (NULL);

  if (text->is_packed)
    unpack (block->data + text->begin, text->size, max, plain);
  else
    g_string_append_len (plain,
                         (const char *) block->data + text->begin,
                         (gssize) MIN (text->size, max));
  return plain;
}

/* Masks a range of the block in the stream. */
static void
hide (Reader *self, gsize begin, gsize end)
{
  while (begin < end && self->piece < self->pieces->len)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, self->piece);
      gsize next = self->piece + 1 < self->pieces->len
                       ? g_array_index (self->pieces, Piece, self->piece + 1).block
                       : self->block->len;
      gsize n;

      if (begin >= next)
        {
          self->piece++;
          continue;
        }
      n = MIN (end, next) - begin;
      ns_secret_finder_add (self->finder,
                            piece->stream + (begin - piece->block),
                            piece->stream + (begin - piece->block) + n);
      begin += n;
    }
}

/* Masks a value: all of it if its name is secret or not known, otherwise the secrets in it. */
static void
look_at_value (Reader *self, const char *name, const Text *text)
{
  g_autoptr (GString) line = NULL;
  g_autoptr (GString) value = NULL;
  g_autoptr (GArray) ranges = NULL;
  NsSecretFinder inner = { 0 };
  gsize n_name;
  guint i;

  if (name == NULL ||
      (ns_secret_names_look (self->finder->secrets, name, strlen (name)) & NS_SECRET_HEADER) != 0)
    {
      hide (self, text->begin, text->begin + text->size);
      return;
    }
  value = get_text (self->block, text, MAX_VALUE);
  line = g_string_new (*name == ':' || *name == '\0' ? "" : name);
  if (line->len > 0)
    g_string_append (line, ": ");
  n_name = line->len;
  g_string_append_len (line, value->str, (gssize) value->len);
  inner.text = line->str;
  inner.size = line->len;
  inner.secrets = self->finder->secrets;
  inner.search = self->finder->search;
  inner.search (&inner);
  ranges = inner.ranges;
  for (i = 0; ranges != NULL && i < ranges->len; i++)
    {
      const NsSecretRange *range = &g_array_index (ranges, NsSecretRange, i);

      if (text->is_packed)
        {
          hide (self, text->begin, text->begin + text->size);
          return;
        }
      if (range->begin >= n_name)
        hide (self, text->begin + range->begin - n_name, text->begin + range->end - n_name);
    }
}

/* Reads a literal header field (RFC 7541, 6.2); @n_bits: prefix of the index of its name. */
static gboolean
read_literal (Reader *self, gsize *at, guint n_bits, gboolean is_kept)
{
  g_autofree char *name = NULL;
  gsize number;
  Text text;

  if (!read_number (self->block, at, n_bits, &number))
    return FALSE;
  if (number == 0)
    {
      if (!read_text (self->block, at, &text))
        return FALSE;
      name = g_string_free (get_text (self->block, &text, MAX_NAME), FALSE);
    }
  else
    name = g_strdup (get_name (self, number));
  if (!read_text (self->block, at, &text))
    return FALSE;
  look_at_value (self, name, &text);
  if (is_kept)
    {
      g_autoptr (GString) value = get_text (self->block, &text, MAX_TABLE);

      remember (self, name, value->len);
    }
  return TRUE;
}

static void
read_block (Reader *self)
{
  gboolean is_read = TRUE;
  gsize at = 0;
  gsize number;

  self->piece = 0;
  while (is_read && at < self->block->len)
    {
      guint8 first = self->block->data[at];

      if ((first & 0x80) != 0)
        is_read = read_number (self->block, &at, 7, &number);
      else if ((first & 0x40) != 0)
        is_read = read_literal (self, &at, 6, TRUE);
      else if ((first & 0x20) != 0)
        {
          is_read = read_number (self->block, &at, 5, &number);
          self->max_table = MIN (number, MAX_TABLE);
          shrink (self, self->max_table);
        }
      else
        is_read = read_literal (self, &at, 4, FALSE);
    }
  g_byte_array_set_size (self->block, 0);
  g_array_set_size (self->pieces, 0);
}

typedef struct
{
  gsize size;
  guint8 kind;
  guint8 flags;
  guint32 stream;
} Frame;

static gboolean
read_frame (const NsSecretFinder *self, gsize at, Frame *frame)
{
  const guint8 *head = (const guint8 *) self->text + at;
  gboolean is_alone;

  if (at > self->size || self->size - at < N_HEAD)
    return FALSE;
  frame->size = (gsize) head[0] << 16 | (gsize) head[1] << 8 | head[2];
  frame->kind = head[3];
  frame->flags = head[4];
  frame->stream =
      (guint32) head[5] << 24 | (guint32) head[6] << 16 | (guint32) head[7] << 8 | head[8];
  is_alone =
      frame->kind == FRAME_SETTINGS || frame->kind == FRAME_PING || frame->kind == FRAME_GOAWAY;
  if ((frame->stream & 0x80000000) != 0 || frame->size > MAX_FRAME)
    return FALSE;
  /* Unknown frame types are ignored (RFC 9113, 5.5). */
  return frame->kind > FRAME_CONTINUATION || frame->kind == FRAME_WINDOW_UPDATE ||
         (frame->stream == 0) == is_alone;
}

/* Returns whether there are two frames, or one that ends the data; other protocols hardly ever
 * match. */
static gboolean
begins_frames (const NsSecretFinder *self, gsize at)
{
  Frame first;
  Frame second;

  if (!read_frame (self, at, &first) || first.kind > FRAME_CONTINUATION)
    return FALSE;
  at += N_HEAD + first.size;
  return at == self->size || (read_frame (self, at, &second) && second.kind <= FRAME_CONTINUATION);
}

/* Returns whether frames continue here, with headers among them, in data that begins inside a
 * frame. */
static gboolean
goes_on_here (const NsSecretFinder *self, gsize at)
{
  gboolean has_headers = FALSE;
  Frame frame;
  guint n;

  for (n = 0; n < MIN_FRAMES_ON; n++)
    {
      if (!read_frame (self, at, &frame) || frame.kind > FRAME_CONTINUATION)
        return FALSE;
      has_headers |= frame.kind == FRAME_HEADERS && frame.size > 0;
      at += N_HEAD + frame.size;
      if (at == self->size)
        return has_headers && n > 0;
    }
  return has_headers;
}

/* Appends the block fragment of a frame, without padding and priority. */
static void
add_fragment (Reader *self, gsize at, const Frame *frame)
{
  const NsSecretFinder *finder = self->finder;
  gsize end = MIN (finder->size, at + N_HEAD + frame->size);
  gsize begin = MIN (at + N_HEAD, end);
  Piece piece;
  gsize n_behind = 0;

  if (frame->kind != FRAME_CONTINUATION && (frame->flags & 0x08) != 0)
    n_behind = (guint8) ns_secret_finder_get (finder, begin++);
  if (frame->kind == FRAME_HEADERS && (frame->flags & 0x20) != 0)
    begin += 5;
  if (frame->kind == FRAME_PUSH_PROMISE)
    begin += 4;
  if (begin >= end || end - begin <= n_behind || self->block->len > MAX_TABLE)
    return;
  piece.block = self->block->len;
  piece.stream = begin;
  g_array_append_val (self->pieces, piece);
  g_byte_array_append (self->block,
                       (const guint8 *) finder->text + begin,
                       (guint) (end - n_behind - begin));
}

static void
read_frames (Reader *self, gsize at)
{
  Frame frame;

  while (read_frame (self->finder, at, &frame))
    {
      gboolean has_block = frame.kind == FRAME_HEADERS || frame.kind == FRAME_PUSH_PROMISE ||
                           frame.kind == FRAME_CONTINUATION;

      if (has_block)
        add_fragment (self, at, &frame);
      if (has_block && ((frame.flags & 0x04) != 0 || at + N_HEAD + frame.size > self->finder->size))
        read_block (self);
      at += N_HEAD + frame.size;
    }
}

/* Returns the start of the first frame, or the size if there is none. @is_piece: the data before it
 * is the end of a frame. */
static gsize
find_frames (const NsSecretFinder *self, gboolean *is_piece)
{
  static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  static const char switched[] = "HTTP/1.1 101";
  const gsize n = sizeof preface - 1;
  gsize at = 0;

  if (begins_frames (self, 0))
    return 0;
  if (ns_secret_finder_begins_with (self, 0, switched))
    for (at = 0; at < MIN (self->size, MAX_FRAME); at++)
      if (self->text[at] == '\r' && ns_secret_finder_begins_with (self, at, "\r\n\r\n"))
        return begins_frames (self, at + 4) ? at + 4 : self->size;
  for (at = 0; at + n <= self->size; at++)
    {
      const char *next = memchr (self->text + at, 'P', self->size - at - n + 1);

      if (next == NULL)
        break;
      at = (gsize) (next - self->text);
      if (memcmp (next, preface, n) == 0)
        return at + n;
    }
  for (at = 1; at < MIN (self->size, MAX_FRAME); at++)
    if (goes_on_here (self, at))
      {
        *is_piece = TRUE;
        return at;
      }
  return self->size;
}

/* Returns whether a partial frame is readable text: part of a body. Part of a header block cannot
 * be decoded. */
static gboolean
is_readable (const NsSecretFinder *self, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    if (!g_ascii_isprint (self->text[i]) && !g_ascii_isspace (self->text[i]))
      return FALSE;
  return TRUE;
}

/**
 * ns_secrets_find_http2:
 * @self: a finder without results
 *
 * Finds secrets in the headers of one direction of an HTTP/2 connection without TLS. The data
 * starts with the connection, with an upgrade from HTTP/1.1, or anywhere in a frame. Values whose
 * names were sent before the data are masked, and a partial frame at the start unless it is text.
 */
void
ns_secrets_find_http2 (NsSecretFinder *self)
{
  gboolean is_piece = FALSE;
  gsize begin = find_frames (self, &is_piece);
  Reader reader = { .finder = self, .max_table = DEFAULT_TABLE };

  if (begin >= self->size)
    return;
  if (is_piece && !is_readable (self, begin))
    ns_secret_finder_add (self, 0, begin);
  reader.table = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (reader.table, clear_entry);
  reader.block = g_byte_array_new ();
  reader.pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  read_frames (&reader, begin);
  read_block (&reader);
  g_array_unref (reader.table);
  g_byte_array_unref (reader.block);
  g_array_unref (reader.pieces);
}
