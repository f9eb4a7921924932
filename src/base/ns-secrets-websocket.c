/* Secrets in what a client sends by WebSocket without TLS (RFC 6455), which is mixed with a key
 * that stands beside it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Of the head that asks for the protocol. */
#define MAX_HEAD 16384
#define N_KEY 4
/* Where no head is there, so many frames in a row are no chance. */
#define MIN_FRAMES 2

typedef struct
{
  gsize key;   /* where it stands */
  gsize begin; /* of what is mixed with it */
  gsize size;
  gboolean is_last;
  gboolean is_control;
} Frame;

/* Where bytes of a message stand in the stream. */
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

/* A frame of a client at @at (RFC 6455, 5.2). */
static gboolean
read_frame (const NsSecretFinder *self, gsize at, Frame *frame)
{
  guint8 first = get (self, at);
  guint n_size = 0;
  guint i;

  if (at > self->size || self->size - at < 2 + N_KEY || (first & 0x30) != 0 || (first & 0x07) > 2 ||
      (get (self, at + 1) & 0x80) == 0)
    return FALSE;
  frame->is_last = (first & 0x80) != 0;
  frame->is_control = (first & 0x08) != 0;
  frame->size = get (self, at + 1) & 0x7f;
  if (frame->size > 125)
    n_size = frame->size == 126 ? 2 : 8;
  at += 2;
  for (i = 0; i < n_size; i++)
    frame->size = (i == 0 ? 0 : frame->size << 8) | get (self, at++);
  frame->key = at;
  frame->begin = at + N_KEY;
  return frame->begin <= self->size && frame->size <= G_MAXUINT32;
}

static gboolean
begins_frames (const NsSecretFinder *self)
{
  gsize at = 0;
  guint n;

  for (n = 0; n < MIN_FRAMES; n++)
    {
      Frame frame;

      if (!read_frame (self, at, &frame))
        return FALSE;
      at = frame.begin + frame.size;
      if (at >= self->size)
        return at == self->size;
    }
  return TRUE;
}

/* Where frames begin: behind a head that asks for them. The size: nowhere. */
static gsize
find_frames (const NsSecretFinder *self)
{
  static const char word[] = "\nSec-WebSocket-Key:";
  gsize limit;
  gsize at = 0;

  if (begins_frames (self))
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

/* Searches a message, and hides what is secret where it stands in the stream. */
static void
search_message (NsSecretFinder *self, const GByteArray *message, const GArray *pieces)
{
  NsSecretFinder inner = { .text = (const char *) message->data, .size = message->len };
  g_autoptr (GArray) ranges = NULL;
  guint piece = 0;
  guint i;

  if (message->len > 0)
    ns_secret_finder_search (&inner);
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

/**
 * ns_secrets_find_websocket:
 * @self: a finder without anything found
 *
 * Finds what is secret in the messages of a client, from the head on that asks for the protocol, or
 * where frames begin. What a server sends is a text as any other.
 */
void
ns_secrets_find_websocket (NsSecretFinder *self)
{
  gsize at = find_frames (self);
  g_autoptr (GByteArray) message = NULL;
  g_autoptr (GArray) pieces = NULL;
  Frame frame;

  if (at >= self->size)
    return;
  message = g_byte_array_new ();
  pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  while (read_frame (self, at, &frame))
    {
      at = frame.begin + frame.size;
      if (!frame.is_control)
        add_frame (self, &frame, message, pieces);
      if (frame.is_control || (!frame.is_last && at < self->size))
        continue;
      search_message (self, message, pieces);
      g_byte_array_set_size (message, 0);
      g_array_set_size (pieces, 0);
    }
  search_message (self, message, pieces);
}
