/* Decodes HTTP content and transfer codings: gzip, deflate, br, zstd, chunked.
 *
 * Output that precedes the end of the bytes, or damage, is kept. The names are those of RFC 9110
 * 8.4.1 and RFC 9112 7; `deflate` is the zlib format there, but some servers omit its header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-coding.h"

#include <brotli/decode.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define STEP (64 * 1024)
#define BR_STEP 256
/* Arguments of inflateInit2(): the window bits, and what zlib adds for the gzip format. */
#define WINDOW_BITS 15
#define WITH_GZIP_HEADER 16
/* Hexadecimal digits of a chunk size; more would not fit into 64 bits. */
#define MAX_CHUNK_DIGITS 15

/* Appends bytes up to the limit; %FALSE if some were left out. */
static gboolean
append (GByteArray *out, gsize max_bytes, const guint8 *data, gsize size)
{
  gsize left = max_bytes - MIN (out->len, max_bytes);

  g_byte_array_append (out, data, (guint) MIN (size, left));
  return size <= left;
}

static gboolean
is_gzip (const guint8 *data, gsize size)
{
  return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

/* Inflates one zlib stream or gzip member; @stream tells where it ended. */
static NsWireCodingEnd
inflate_once (z_stream *stream, GByteArray *out, gsize max_bytes)
{
  g_autofree guint8 *step = g_malloc (STEP);
  int status = Z_OK;

  while (status == Z_OK)
    {
      stream->next_out = step;
      stream->avail_out = STEP;
      status = inflate (stream, Z_NO_FLUSH);
      if (!append (out, max_bytes, step, STEP - stream->avail_out))
        return NS_WIRE_CODING_TOO_LARGE;
    }
  if (status == Z_STREAM_END)
    return NS_WIRE_CODING_WHOLE;
  return status == Z_BUF_ERROR ? NS_WIRE_CODING_CUT : NS_WIRE_CODING_BROKEN;
}

/* Inflates zlib or gzip data. Concatenated gzip members count as one body; zeros behind the last
 * are padding. */
static NsWireCodingEnd
undo_zlib (const guint8 *data, gsize size, int window_bits, GByteArray *out, gsize max_bytes)
{
  z_stream stream = { .next_in = (guint8 *) data, .avail_in = (uInt) size };
  NsWireCodingEnd end;

  if (inflateInit2 (&stream, window_bits) != Z_OK)
    return NS_WIRE_CODING_BROKEN;
  end = inflate_once (&stream, out, max_bytes);
  while (end == NS_WIRE_CODING_WHOLE && window_bits > WINDOW_BITS &&
         is_gzip (stream.next_in, stream.avail_in) && inflateReset (&stream) == Z_OK)
    end = inflate_once (&stream, out, max_bytes);
  inflateEnd (&stream);
  return end;
}

static NsWireCodingEnd
undo_gzip (const guint8 *data, gsize size, GByteArray *out, gsize max_bytes)
{
  return undo_zlib (data, size, WINDOW_BITS + WITH_GZIP_HEADER, out, max_bytes);
}

static NsWireCodingEnd
undo_deflate (const guint8 *data, gsize size, GByteArray *out, gsize max_bytes)
{
  gboolean has_header =
      size >= 2 && (data[0] & 0x0f) == Z_DEFLATED && (data[0] << 8 | data[1]) % 31 == 0;
  NsWireCodingEnd end = NS_WIRE_CODING_BROKEN;

  if (has_header)
    end = undo_zlib (data, size, WINDOW_BITS, out, max_bytes);
  /* Raw deflate data may begin with two bytes that look like a zlib header. */
  if (end == NS_WIRE_CODING_BROKEN && out->len == 0)
    end = undo_zlib (data, size, -WINDOW_BITS, out, max_bytes);
  return end;
}

/* Decodes some bytes; sets @end and returns %FALSE when decoding ends. */
static gboolean
run_br (BrotliDecoderState *state,
        const guint8 **data,
        gsize size,
        GByteArray *out,
        gsize max_bytes,
        NsWireCodingEnd *end)
{
  BrotliDecoderResult status = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  g_autofree guint8 *step = g_malloc (STEP);

  while (status == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT)
    {
      guint8 *next = step;
      gsize n_free = STEP;

      status = BrotliDecoderDecompressStream (state, &size, data, &n_free, &next, NULL);
      if (!append (out, max_bytes, step, STEP - n_free))
        {
          *end = NS_WIRE_CODING_TOO_LARGE;
          return FALSE;
        }
    }
  if (status == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT)
    return TRUE;
  *end = status == BROTLI_DECODER_RESULT_SUCCESS ? NS_WIRE_CODING_WHOLE : NS_WIRE_CODING_BROKEN;
  return FALSE;
}

/* Decodes Brotli data in small pieces: the decoder releases buffered output when it wants input,
 * but not when it fails. */
static NsWireCodingEnd
undo_br (const guint8 *data, gsize size, GByteArray *out, gsize max_bytes)
{
  BrotliDecoderState *state = BrotliDecoderCreateInstance (NULL, NULL, NULL);
  const guint8 *behind = data + size;
  NsWireCodingEnd end = NS_WIRE_CODING_CUT;

  while (data < behind &&
         run_br (state, &data, MIN (BR_STEP, (gsize) (behind - data)), out, max_bytes, &end))
    ;
  BrotliDecoderDestroyInstance (state);
  return end;
}

static NsWireCodingEnd
run_zstd (ZSTD_DStream *stream, ZSTD_inBuffer *in, GByteArray *out, gsize max_bytes)
{
  g_autofree guint8 *step = g_malloc (STEP);
  gsize status = 1;
  gsize n_new = STEP;

  /* Status 0: a frame ended, others may follow. A full output buffer: more output may be
   * pending. */
  while (in->pos < in->size || (status != 0 && n_new == STEP))
    {
      ZSTD_outBuffer next = { step, STEP, 0 };

      status = ZSTD_decompressStream (stream, &next, in);
      n_new = next.pos;
      if (!append (out, max_bytes, step, n_new))
        return NS_WIRE_CODING_TOO_LARGE;
      if (ZSTD_isError (status))
        return NS_WIRE_CODING_BROKEN;
    }
  return status == 0 ? NS_WIRE_CODING_WHOLE : NS_WIRE_CODING_CUT;
}

static NsWireCodingEnd
undo_zstd (const guint8 *data, gsize size, GByteArray *out, gsize max_bytes)
{
  ZSTD_DStream *stream = ZSTD_createDStream ();
  ZSTD_inBuffer in = { data, size, 0 };
  NsWireCodingEnd end;

  ZSTD_DCtx_setParameter (stream, ZSTD_d_windowLogMax, NS_WIRE_CODING_MAX_ZSTD_WINDOW_LOG);
  end = run_zstd (stream, &in, out, max_bytes);
  ZSTD_freeDStream (stream);
  return end;
}

/* Returns the line at @at, without its line end, and moves @at behind it. */
static gboolean
next_line (const guint8 *data, gsize size, gsize *at, const guint8 **line, gsize *length)
{
  const guint8 *end = *at < size ? memchr (data + *at, '\n', size - *at) : NULL;

  if (end == NULL)
    return FALSE;
  *line = data + *at;
  *length = (gsize) (end - *line);
  *at += *length + 1;
  if (*length > 0 && (*line)[*length - 1] == '\r')
    (*length)--;
  return TRUE;
}

/* Reads the size at the start of a chunk; chunk extensions after it are ignored. */
static gboolean
read_chunk_size (const guint8 *line, gsize length, guint64 *n_bytes)
{
  gsize n_digits = 0;

  *n_bytes = 0;
  while (n_digits < length && g_ascii_isxdigit ((char) line[n_digits]))
    {
      if (n_digits == MAX_CHUNK_DIGITS)
        return FALSE;
      *n_bytes = *n_bytes << 4 | (guint) g_ascii_xdigit_value ((char) line[n_digits++]);
    }
  return n_digits > 0;
}

/* Skips the trailer fields behind the last chunk, up to the empty line. */
static NsWireCodingEnd
skip_trailer (const guint8 *data, gsize size, gsize *at)
{
  const guint8 *line;
  gsize length = 1;

  while (length > 0)
    if (!next_line (data, size, at, &line, &length))
      return NS_WIRE_CODING_CUT;
  return NS_WIRE_CODING_WHOLE;
}

/* Walks the chunks from @at on; @out is %NULL when only the end is wanted. */
static NsWireCodingEnd
walk_chunks (const guint8 *data, gsize size, GByteArray *out, gsize max_bytes, gsize *at)
{
  while (TRUE)
    {
      const guint8 *line;
      gsize length;
      guint64 n_bytes;
      gsize here;

      if (!next_line (data, size, at, &line, &length))
        return NS_WIRE_CODING_CUT;
      if (!read_chunk_size (line, length, &n_bytes))
        return NS_WIRE_CODING_BROKEN;
      if (n_bytes == 0)
        return skip_trailer (data, size, at);
      here = MIN (n_bytes, size - *at);
      if (out != NULL && !append (out, max_bytes, data + *at, here))
        return NS_WIRE_CODING_TOO_LARGE;
      *at += here;
      if (here < n_bytes)
        return NS_WIRE_CODING_CUT;
      if (!next_line (data, size, at, &line, &length))
        return NS_WIRE_CODING_CUT;
      if (length > 0)
        return NS_WIRE_CODING_BROKEN;
    }
}

static NsWireCodingEnd
undo_chunked (const guint8 *data, gsize size, GByteArray *out, gsize max_bytes)
{
  gsize at = 0;

  return walk_chunks (data, size, out, max_bytes, &at);
}

typedef NsWireCodingEnd (*Undo) (const guint8 *data, gsize size, GByteArray *out, gsize max_bytes);

static const struct
{
  const char *name;
  Undo undo; /* %NULL: identity, nothing to decode */
} codings_known[] = {
  { "gzip", undo_gzip },       { "x-gzip", undo_gzip },
  { "deflate", undo_deflate }, { "br", undo_br },
  { "zstd", undo_zstd },       { "chunked", undo_chunked },
  { "identity", NULL },        { "", NULL },
};

static NsWireCodingEnd
undo_one (GByteArray *bytes, const char *name, gsize max_bytes)
{
  g_autoptr (GByteArray) out = NULL;
  NsWireCodingEnd end = NS_WIRE_CODING_WHOLE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (codings_known); i++)
    if (g_ascii_strcasecmp (name, codings_known[i].name) == 0)
      break;
  if (i == G_N_ELEMENTS (codings_known))
    return NS_WIRE_CODING_UNKNOWN;
  if (codings_known[i].undo == NULL)
    return NS_WIRE_CODING_WHOLE;
  out = g_byte_array_new ();
  /* The data of an empty GByteArray is %NULL, and decoders do pointer arithmetic on it. */
  end = codings_known[i].undo (bytes->len > 0 ? bytes->data : (const guint8 *) "",
                               bytes->len,
                               out,
                               max_bytes);
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, out->data, out->len);
  return end;
}

/**
 * ns_wire_coding_undo:
 * @bytes: (inout): a body; replaced by its decoded bytes
 * @codings: (nullable): coding names separated by commas, in the order in which they were applied:
 *   those of `Content-Encoding`, then those of `Transfer-Encoding`
 * @max_bytes: limit of the size after each step, at most %NS_WIRE_CODING_MAX_BYTES
 *
 * Decodes the last coding first. If a coding is damaged, the output so far is decoded further.
 *
 * Returns: how far decoding got; with several codings, the first error
 */
NsWireCodingEnd
ns_wire_coding_undo (GByteArray *bytes, const char *codings, gsize max_bytes)
{
  g_auto (GStrv) names = NULL;
  NsWireCodingEnd worst = NS_WIRE_CODING_WHOLE;
  guint n;

  g_return_val_if_fail (max_bytes <= NS_WIRE_CODING_MAX_BYTES, NS_WIRE_CODING_BROKEN);

  if (codings == NULL)
    return NS_WIRE_CODING_WHOLE;
  names = g_strsplit (codings, ",", NS_WIRE_CODING_MAX_CODINGS + 1);
  n = g_strv_length (names);
  if (n > NS_WIRE_CODING_MAX_CODINGS)
    return NS_WIRE_CODING_UNKNOWN;
  while (n > 0)
    {
      NsWireCodingEnd end = undo_one (bytes, g_strstrip (names[--n]), max_bytes);

      if (worst == NS_WIRE_CODING_WHOLE)
        worst = end;
      if (end == NS_WIRE_CODING_UNKNOWN)
        break;
    }
  return worst;
}

/**
 * ns_wire_coding_guess:
 * @data: (array length=size): the beginning of a body
 * @size: number of bytes
 *
 * Detects a coding by its magic number, for bodies without headers. Only gzip and zstd have one.
 *
 * Returns: (nullable): the name of the coding
 */
const char *
ns_wire_coding_guess (const guint8 *data, gsize size)
{
  if (is_gzip (data, size) && size >= 3 && data[2] == Z_DEFLATED)
    return "gzip";
  if (size >= 4 && memcmp (data, "\x28\xb5\x2f\xfd", 4) == 0)
    return "zstd";
  return NULL;
}

/**
 * ns_wire_coding_get_chunk_begin:
 * @data: (array length=size): the beginning of a body
 * @size: number of bytes
 *
 * Returns: offset of the data of the first chunk; 0 if the body is not chunked
 */
gsize
ns_wire_coding_get_chunk_begin (const guint8 *data, gsize size)
{
  const guint8 *line;
  gsize length;
  guint64 n_bytes;
  gsize at = 0;

  return next_line (data, size, &at, &line, &length) && length <= MAX_CHUNK_DIGITS &&
                 read_chunk_size (line, length, &n_bytes) && n_bytes > 0 && line[length] == '\r'
             ? at
             : 0;
}

/**
 * ns_wire_coding_skip_chunks:
 * @data: (array length=size): chunks, from the size line of the first on
 * @size: number of bytes
 * @used: (out): length of the chunked body in bytes
 *
 * Returns: %NS_WIRE_CODING_WHOLE if the last chunk is there, else the reason
 */
NsWireCodingEnd
ns_wire_coding_skip_chunks (const guint8 *data, gsize size, gsize *used)
{
  *used = 0;
  return walk_chunks (data, size, NULL, 0, used);
}
