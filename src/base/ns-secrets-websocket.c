/* Finds secrets in WebSocket messages without TLS (RFC 6455): client messages, which are masked
 * with a key per frame, and compressed messages of both sides (RFC 7692).
 *
 * A compressed message may depend on all messages before it, so it is masked completely.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Maximum size of the HTTP header of the upgrade. */
#define MAX_HEAD 16384
#define N_KEY 4
/* Number of valid frames in a row that identify the protocol without that header. */
#define MIN_FRAMES 2

typedef struct
{
  gsize key;   /* offset of the masking key */
  gsize begin; /* offset of the payload */
  gsize size;
  gboolean is_last;
  gboolean is_control;
  gboolean is_compressed; /* set in the first frame of a message */
} Frame;

/* The sender. */
typedef enum
{
  CLIENT,
  SERVER,
} Side;

/* Maps bytes of a message to the stream. */
typedef struct
{
  gsize message;
  gsize stream;
} Piece;

static guint8
get (const NsSecretFinder *self, gsize at)
{
  return (guint8) ns_secret_finder_get (self, at);
}

/* Reads the frame at @at (RFC 6455, 5.2). */
static gboolean
read_frame (const NsSecretFinder *self, gsize at, Side side, Frame *frame)
{
  gsize n_key = side == CLIENT ? N_KEY : 0;
  guint8 first = get (self, at);
  guint n_size = 0;
  guint i;

  if (at > self->size || self->size - at < 2 + n_key || (first & 0x30) != 0 || (first & 0x07) > 2 ||
      ((get (self, at + 1) & 0x80) != 0) != (side == CLIENT))
    return FALSE;
  frame->is_compressed = (first & 0x40) != 0;
  frame->is_last = (first & 0x80) != 0;
  frame->is_control = (first & 0x08) != 0;
  frame->size = get (self, at + 1) & 0x7f;
  if (frame->size > 125)
    n_size = frame->size == 126 ? 2 : 8;
  at += 2;
  for (i = 0; i < n_size; i++)
    frame->size = (i == 0 ? 0 : frame->size << 8) | get (self, at++);
  frame->key = at;
  frame->begin = at + n_key;
  return frame->begin <= self->size && frame->size <= G_MAXUINT32;
}

/* Returns whether frames begin here. Server frames have few fixed bits, so the first message must
 * be compressed. */
static gboolean
begins_frames (const NsSecretFinder *self, Side side)
{
  gsize at = 0;
  guint n;

  for (n = 0; n < MIN_FRAMES; n++)
    {
      Frame frame;

      if (!read_frame (self, at, side, &frame))
        return FALSE;
      if (side == SERVER && n == 0 &&
          (!frame.is_compressed || frame.is_control || frame.size == 0 ||
           (get (self, at) & 0x0f) == 0))
        return FALSE;
      at = frame.begin + frame.size;
      if (at >= self->size)
        return at == self->size;
    }
  return TRUE;
}

/* Returns the position of the first frame, after the HTTP header of the upgrade; the size of the
 * text if there is none. */
static gsize
find_frames (const NsSecretFinder *self, Side side)
{
  const char *word = side == CLIENT ? "\nSec-WebSocket-Key:" : "\nSec-WebSocket-Accept:";
  gsize limit;
  gsize at = 0;

  if (begins_frames (self, side))
    return 0;
  for (; at < self->size; at++)
    {
      const char *next = memchr (self->text + at, '\n', self->size - at);

      if (next == NULL)
        return self->size;
      at = (gsize) (next - self->text);
      if (ns_secret_finder_begins_with (self, at, word))
        break;
    }
  limit = MIN (self->size, at + MAX_HEAD);
  for (; at < limit; at++)
    if (self->text[at] == '\r' && ns_secret_finder_begins_with (self, at, "\r\n\r\n"))
      return at + 4;
  return self->size;
}

/* Searches an unmasked message and masks its secrets in the stream. */
static void
search_message (NsSecretFinder *self, const GByteArray *message, const GArray *pieces)
{
  NsSecretFinder inner = { .secrets = self->secrets,
                           .text = (const char *) message->data,
                           .size = message->len,
                           .search = self->search };
  g_autoptr (GArray) ranges = NULL;
  guint piece = 0;
  guint i;

  if (message->len > 0)
    self->search (&inner);
  ranges = inner.ranges;
  for (i = 0; ranges != NULL && i < ranges->len; i++)
    {
      NsSecretRange range = g_array_index (ranges, NsSecretRange, i);

      while (range.begin < range.end && piece < pieces->len)
        {
          const Piece *here = &g_array_index (pieces, Piece, piece);
          gsize next = piece + 1 < pieces->len ? g_array_index (pieces, Piece, piece + 1).message
                                               : message->len;
          gsize end = MIN (next, range.end);

          if (range.begin >= next)
            {
              piece++;
              continue;
            }
          ns_secret_finder_add (self,
                                here->stream + (range.begin - here->message),
                                here->stream + (end - here->message));
          range.begin = end;
        }
    }
}

static void
hide_frame (NsSecretFinder *self, const Frame *frame)
{
  gsize end = frame->begin + MIN (frame->size, self->size - frame->begin);

  if (end > frame->begin)
    ns_secret_finder_add (self, frame->begin, end);
}

static void
add_frame (const NsSecretFinder *self, const Frame *frame, GByteArray *message, GArray *pieces)
{
  gsize n = MIN (frame->size, self->size - frame->begin);
  Piece piece = { message->len, frame->begin };
  gsize i;

  g_array_append_val (pieces, piece);
  g_byte_array_append (message, (const guint8 *) self->text + frame->begin, (guint) n);
  for (i = 0; i < n; i++)
    message->data[piece.message + i] ^= get (self, frame->key + i % N_KEY);
}

/* Searches client messages; server messages are searched like any other text. Masks the compressed
 * messages of both. */
static void
find_in_frames (NsSecretFinder *self, gsize at, Side side)
{
  g_autoptr (GByteArray) message = g_byte_array_new ();
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  gboolean is_compressed = FALSE;
  gboolean is_first = TRUE;
  Frame frame;

  while (read_frame (self, at, side, &frame))
    {
      at = frame.begin + frame.size;
      if (frame.is_control)
        continue;
      is_compressed = is_first ? frame.is_compressed : is_compressed;
      is_first = frame.is_last;
      if (is_compressed)
        hide_frame (self, &frame);
      else if (side == CLIENT)
        add_frame (self, &frame, message, pieces);
      if (is_compressed || (!frame.is_last && at < self->size))
        continue;
      search_message (self, message, pieces);
      g_byte_array_set_size (message, 0);
      g_array_set_size (pieces, 0);
    }
  search_message (self, message, pieces);
}

/**
 * ns_secrets_find_websocket:
 * @self: a finder without results
 *
 * Finds secrets in messages after the HTTP header of the upgrade, or in data that begins with a
 * frame. Compressed messages are masked.
 */
void
ns_secrets_find_websocket (NsSecretFinder *self)
{
  Side side = CLIENT;
  gsize at = find_frames (self, side);

  if (at == self->size)
    {
      side = SERVER;
      at = find_frames (self, side);
    }
  if (at < self->size)
    find_in_frames (self, at, side);
}
