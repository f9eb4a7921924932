/* Fuzz target: HTTP messages, content codings, character sets and secrets of their bodies.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "engine/net/ns-stream-mask.h"
#include "fuzz/ns-fuzz.h"
#include "wire/ns-wire-charset.h"
#include "wire/ns-wire-coding.h"
#include "wire/ns-wire-message.h"
#include "wire/ns-wire-stream.h"

#include <string.h>

/* Low enough to trigger this limit many times per second. */
#define MAX_BYTES (256 * 1024)
#define PIECE_SIZE 7

static void
read_body (const guint8 *data, gsize size, const char *codings, const char *type)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  g_autofree char *charset = NULL;
  g_autofree char *text = NULL;

  g_byte_array_append (body, data, (guint) size);
  ns_wire_coding_undo (body, codings, MAX_BYTES);
  if (body->len > MAX (MAX_BYTES, size))
    ns_fuzz_fail ("a body above its cap");
  text = ns_wire_charset_to_text (body->data, body->len, type, &charset);
  if (text != NULL && (charset == NULL || !g_utf8_validate (text, -1, NULL)))
    ns_fuzz_fail ("a text that is none");
}

static void
read_messages (const guint8 *data, gsize size)
{
  NsWireMessage message;
  gsize at = 0;

  while (at < size && ns_wire_message_find (&message, data, size, at))
    {
      const char *head = (const char *) data + message.head;
      gsize n_head = message.body - message.head;
      g_autofree char *codings = ns_wire_message_dup_codings (head, n_head);
      g_autofree char *type = ns_wire_message_dup_field (head, n_head, "Content-Type");

      if (message.head != at || message.body <= at || message.end < message.body ||
          message.end > size)
        ns_fuzz_fail ("a message outside of its bytes");
      read_body (data + message.body, message.end - message.body, codings, type);
      at = message.end;
    }
  if (at < size)
    read_body (data + at, size - at, ns_wire_coding_guess (data + at, size - at), NULL);
}

/* Joins pieces at offsets taken from the data. */
static void
join_pieces (const guint8 *data, gsize size)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, TRUE, sizeof (NsWirePiece));
  g_autoptr (GPtrArray) runs = NULL;
  gsize i;

  for (i = 0; i + PIECE_SIZE <= size && i < 100 * PIECE_SIZE; i += PIECE_SIZE)
    {
      NsWirePiece piece = { .data = data + i + 4, .size = 3 };

      memcpy (&piece.seq, data + i, 4);
      piece.seq &= 0xc000001f;
      g_array_append_val (pieces, piece);
    }
  runs = ns_wire_stream_join ((NsWirePiece *) (gpointer) pieces->data, pieces->len, TRUE);
  for (i = 0; i < pieces->len; i++)
    {
      const NsWirePiece *piece = &g_array_index (pieces, NsWirePiece, i);
      const GByteArray *run = piece->run < runs->len ? g_ptr_array_index (runs, piece->run) : NULL;

      if (run == NULL || piece->at + piece->size > run->len)
        ns_fuzz_fail ("a piece outside of its run");
    }
}

/* Masks secrets, which must not change the length. */
static void
mask (const guint8 *data, gsize size)
{
  g_autofree guint8 *masked = ns_secrets_dup_masked (NULL, data, size);
  g_autofree guint8 *blanked = ns_stream_dup_packed_masked (NULL, data, size);
  gsize i;

  for (i = 0; i < size; i++)
    {
      if (masked != NULL && masked[i] != data[i] && masked[i] != NS_SECRETS_BYTE && masked[i] != 0)
        ns_fuzz_fail ("a mask that is none");
      if (blanked != NULL && blanked[i] != data[i] && blanked[i] != NS_SECRETS_BYTE)
        ns_fuzz_fail ("a blank that is none");
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  mask (data, size);
  read_messages (data, size);
  join_pieces (data, size);
  return 0;
}
