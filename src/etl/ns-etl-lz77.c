/* Plain LZ77 (MS-XCA 2.4), the compression of trace buffers.
 *
 * A stream consists of groups: a 32-bit word of flags, used from bit 31 down, and the items they
 * describe. 0 is a literal byte, 1 a match of at least 3 bytes with a distance of at most 8192.
 * Lengths of 10 and more continue in half bytes, two matches sharing a byte, and then in 1, 2 and 4
 * bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-lz77.h"

#include <string.h>

#define MIN_MATCH 3
#define MAX_DISTANCE 8192
/* Maximum values of the 3 bits in the match word and of the half byte, which mean that the length
 * continues. */
#define MAX_SHORT 7
#define MAX_HALF 15
#define MAX_BYTE 255

#define HASH_BITS 14

static inline guint32
load_u32 (const guint8 *p)
{
  guint32 value;

  memcpy (&value, p, sizeof value);
  return GUINT32_FROM_LE (value);
}

static inline guint32
load_u16 (const guint8 *p)
{
  return p[0] | (guint32) p[1] << 8;
}

/* State of the decoder. */
typedef struct
{
  const guint8 *in;
  const guint8 *in_end;
  const guint8 *half; /* byte whose upper half is still unused */
} Input;

/* Reads the part of a length that does not fit into the match word; FALSE: invalid or truncated
 * input. */
static gboolean
read_long_length (Input *input, gsize *length)
{
  gsize n;

  if (input->half != NULL)
    {
      n = *input->half >> 4;
      input->half = NULL;
    }
  else
    {
      if (input->in == input->in_end)
        return FALSE;
      input->half = input->in++;
      n = *input->half & MAX_HALF;
    }

  if (n == MAX_HALF)
    {
      if (input->in == input->in_end)
        return FALSE;
      n = *input->in++;
      if (n == MAX_BYTE)
        {
          if (input->in_end - input->in < 2)
            return FALSE;
          n = load_u16 (input->in);
          input->in += 2;
          if (n == 0)
            {
              if (input->in_end - input->in < 4)
                return FALSE;
              n = load_u32 (input->in);
              input->in += 4;
            }
          if (n < MAX_HALF + MAX_SHORT)
            return FALSE;
          n -= MAX_HALF + MAX_SHORT;
        }
      n += MAX_HALF;
    }

  *length = n + MAX_SHORT;
  return TRUE;
}

/* Copies a match, which may overlap its source; up to @room bytes may be written at @out, so that
 * whole blocks of 16 or 8 bytes can be copied. */
static inline void
copy_match (guint8 *out, gsize distance, gsize length, gsize room)
{
  const guint8 *from = out - distance;
  gsize i;

  if (distance >= 16 && room - length >= 16)
    {
      for (i = 0; i < length; i += 16)
        memcpy (out + i, from + i, 16);
    }
  else if (distance >= 8 && room - length >= 8)
    {
      for (i = 0; i < length; i += 8)
        memcpy (out + i, from + i, 8);
    }
  else if (distance == 1)
    memset (out, *from, length);
  else
    {
      for (i = 0; i < length; i++)
        out[i] = from[i];
    }
}

/**
 * ns_etl_lz77_expand:
 * @input: a stream
 * @input_size: its size in bytes
 * @output: (out caller-allocates): receives the expanded bytes
 * @output_size: expected number of expanded bytes
 *
 * Returns: %TRUE if the stream is valid and yields exactly @output_size bytes
 */
gboolean
ns_etl_lz77_expand (const guint8 *input, gsize input_size, guint8 *output, gsize output_size)
{
  Input state = { input, input_size > 0 ? input + input_size : input, NULL };
  guint8 *out = output;
  guint8 *out_end = output_size > 0 ? output + output_size : output;
  guint32 flags = 0;
  guint n_flags = 0;

  while (out < out_end)
    {
      gsize length;
      gsize distance;
      guint32 word;

      if (n_flags == 0)
        {
          if (state.in_end - state.in < 4)
            return FALSE;
          flags = load_u32 (state.in);
          state.in += 4;
          n_flags = 32;
        }

      if ((flags & 0x80000000u) == 0)
        {
          guint n_literals = flags == 0 ? n_flags : (guint) __builtin_clz (flags);

          n_literals = MIN (n_literals, n_flags);
          if (n_literals > (gsize) (out_end - out))
            n_literals = (guint) (out_end - out);
          if (n_literals > (gsize) (state.in_end - state.in))
            return FALSE;
          if (out_end - out >= 32 && state.in_end - state.in >= 32)
            memcpy (out, state.in, 32);
          else
            memcpy (out, state.in, n_literals);
          out += n_literals;
          state.in += n_literals;
          n_flags -= n_literals;
          flags = n_literals < 32 ? flags << n_literals : 0;
          continue;
        }

      flags <<= 1;
      n_flags--;
      if (state.in_end - state.in < 2)
        return FALSE;
      word = load_u16 (state.in);
      state.in += 2;
      distance = (word >> 3) + 1;
      length = word & MAX_SHORT;
      if (length == MAX_SHORT && !read_long_length (&state, &length))
        return FALSE;
      length += MIN_MATCH;
      if (distance > (gsize) (out - output) || length > (gsize) (out_end - out))
        return FALSE;
      copy_match (out, distance, length, (gsize) (out_end - out));
      out += length;
    }

  return TRUE;
}

/* State of the encoder. */
typedef struct
{
  GByteArray *out;
  gsize flags_at; /* position of the current word of flags */
  guint32 flags;
  guint n_flags;
  gsize half_at; /* position of a byte whose upper half is free; 0: none */
} Output;

static void
put_bytes (Output *self, guint64 value, guint n_bytes)
{
  guint64 le = GUINT64_TO_LE (value);

  g_byte_array_append (self->out, (const guint8 *) &le, n_bytes);
}

static void
store_flags (Output *self)
{
  guint32 le = GUINT32_TO_LE (self->flags);

  memcpy (self->out->data + self->flags_at, &le, sizeof le);
}

/* Appends a flag for the next item; stores a full word of flags and begins a new one first. */
static void
put_flag (Output *self, guint flag)
{
  if (self->n_flags == 32)
    {
      store_flags (self);
      self->flags = 0;
      self->n_flags = 0;
      self->flags_at = self->out->len;
      put_bytes (self, 0, 4);
    }
  self->flags |= (guint32) flag << (31 - self->n_flags);
  self->n_flags++;
}

static void
put_match (Output *self, gsize distance, gsize length)
{
  gsize rest = length - MIN_MATCH;
  guint half;

  put_flag (self, 1);
  put_bytes (self, (distance - 1) << 3 | MIN (rest, MAX_SHORT), 2);
  if (rest < MAX_SHORT)
    return;

  rest -= MAX_SHORT;
  half = (guint) MIN (rest, MAX_HALF);
  if (self->half_at != 0)
    {
      self->out->data[self->half_at] |= (guint8) (half << 4);
      self->half_at = 0;
    }
  else
    {
      self->half_at = self->out->len;
      put_bytes (self, half, 1);
    }
  if (half < MAX_HALF)
    return;

  rest -= MAX_HALF;
  put_bytes (self, MIN (rest, MAX_BYTE), 1);
  if (rest < MAX_BYTE)
    return;

  rest += MAX_HALF + MAX_SHORT;
  if (rest <= G_MAXUINT16)
    put_bytes (self, rest, 2);
  else
    {
      put_bytes (self, 0, 2);
      put_bytes (self, rest, 4);
    }
}

static inline guint
hash_three (const guint8 *p)
{
  guint32 value = p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16;

  return (value * 2654435761u) >> (32 - HASH_BITS);
}

/**
 * ns_etl_lz77_compress:
 * @input: bytes
 * @input_size: number of bytes
 * @output: the stream is appended here
 *
 * A greedy compressor for test fixtures and exports; its output conforms to MS-XCA.
 */
void
ns_etl_lz77_compress (const guint8 *input, gsize input_size, GByteArray *output)
{
  g_autofree gsize *last = g_new0 (gsize, (gsize) 1 << HASH_BITS); /* position + 1 */
  Output self = { .out = output, .flags_at = output->len };
  gsize pos = 0;

  put_bytes (&self, 0, 4);
  while (pos < input_size)
    {
      gsize length = 0;
      gsize distance = 0;

      if (input_size - pos >= MIN_MATCH)
        {
          guint hash = hash_three (input + pos);

          if (last[hash] != 0 && pos - (last[hash] - 1) <= MAX_DISTANCE)
            {
              distance = pos - (last[hash] - 1);
              while (pos + length < input_size &&
                     input[pos + length] == input[pos + length - distance])
                length++;
            }
          last[hash] = pos + 1;
        }

      if (length >= MIN_MATCH)
        {
          put_match (&self, distance, length);
          pos += length;
        }
      else
        {
          put_flag (&self, 0);
          put_bytes (&self, input[pos], 1);
          pos++;
        }
    }

  /* A match flag at the end of the input ends the stream. */
  if (self.n_flags == 32)
    put_flag (&self, 1);
  if (self.n_flags < 32)
    self.flags |= G_MAXUINT32 >> self.n_flags;
  store_flags (&self);
}
