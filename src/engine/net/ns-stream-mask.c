/* Masks secrets in one direction of a connection, including those in compressed bodies.
 *
 * A compressed body reveals its decompressed content. A body that contains a secret once decoded
 * is replaced as a whole, since no part of it can be changed alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/ns-stream-mask.h"

#include "base/ns-secrets.h"
#include "wire/ns-wire-coding.h"
#include "wire/ns-wire-message.h"

#include <string.h>

/* Maximum expansion of a body, so that the work is in proportion to the body's size; text
 * expands about tenfold. A body that expands further cannot be searched and is blanked. */
#define MAX_GROWTH 200
#define MIN_UNPACKED 65536
/* Maximum number of nested codings. */
#define MAX_CODINGS 2
/* Number of bytes examined to tell text from compressed data. */
#define BEGINNING 16
/* Maximum number of searches for a response in a stream that begins in mid-message. */
#define MAX_SEARCHES 64

static gboolean
is_packed (const char *codings)
{
  return codings != NULL && g_ascii_strcasecmp (codings, "chunked") != 0 &&
         g_ascii_strcasecmp (codings, "identity") != 0;
}

/* Secrets to search for, and the maximum decompressed size. */
typedef struct
{
  const NsSecrets *secrets;
  gsize max_bytes;
} Search;

static gboolean may_hide (const Search *self, const guint8 *data, gsize size, guint n_more);

/* Returns whether the decoded body has a secret. @is_tried: the codings are guessed. */
static gboolean
has_secret (const Search *self,
            const guint8 *body,
            gsize n_body,
            const char *codings,
            gboolean is_tried,
            guint n_more)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  NsWireCodingEnd end;

  if (n_body == 0 || !is_packed (codings))
    return FALSE;
  g_byte_array_append (bytes, body, (guint) n_body);
  end = ns_wire_coding_undo (bytes, codings, self->max_bytes);
  if (end == NS_WIRE_CODING_TOO_LARGE)
    return TRUE;
  if (is_tried && end == NS_WIRE_CODING_BROKEN)
    return FALSE;
  return may_hide (self, bytes->data, bytes->len, n_more) ||
         ns_secrets_mask_bytes (self->secrets, bytes->data, bytes->len);
}

/* Returns whether a TLS record, which is encrypted, begins here (RFC 8446, 5.1). */
static gboolean
is_tls (const guint8 *data, gsize size)
{
  return size >= 3 && data[0] >= 0x14 && data[0] <= 0x17 && data[1] == 3 && data[2] <= 4;
}

/* Returns whether the first bytes are not text: control characters or non-ASCII bytes. */
static gboolean
is_binary (const guint8 *data, gsize size)
{
  gsize i;

  for (i = 0; i < MIN (size, BEGINNING); i++)
    if (data[i] >= 0x7f || (data[i] < ' ' && strchr ("\t\r\n", data[i]) == NULL) || data[i] == 0)
      return TRUE;
  return FALSE;
}

/* Returns whether a body without its header, as logged by libraries, chunked or not, has a
 * secret. Some codings have magic bytes; the others are tried. @n_more: number of further nested
 * codings */
static gboolean
may_hide (const Search *self, const guint8 *data, gsize size, guint n_more)
{
  static const char *const tried[] = { "br", "deflate" };
  gsize begin = ns_wire_coding_get_chunk_begin (data, size);
  const char *guess = ns_wire_coding_guess (data + begin, size - begin);
  gboolean is_tried = guess == NULL;
  guint i;

  if (n_more == 0 || (is_tried && (!is_binary (data + begin, size - begin) || is_tls (data, size))))
    return FALSE;
  for (i = 0; i < (is_tried ? G_N_ELEMENTS (tried) : 1); i++)
    {
      const char *coding = is_tried ? tried[i] : guess;
      g_autofree char *codings = g_strconcat (coding, begin > 0 ? ", chunked" : NULL, NULL);

      if (has_secret (self, data, size, codings, is_tried, n_more - 1))
        return TRUE;
    }
  return FALSE;
}

/* Blanks a body with a secret. @codings: (nullable): those in its header, which may be wrong. */
static gboolean
blank (const NsSecrets *secrets, guint8 *body, gsize n_body, const char *codings)
{
  const Search search = { secrets,
                          MIN (n_body * MAX_GROWTH + MIN_UNPACKED, NS_WIRE_CODING_MAX_BYTES) };

  if (!has_secret (&search, body, n_body, codings, FALSE, MAX_CODINGS) &&
      !may_hide (&search, body, n_body, MAX_CODINGS))
    return FALSE;
  memset (body, NS_SECRETS_BYTE, n_body);
  return TRUE;
}

/* Returns the next position after @at at which a response may begin; @size: none. */
static gsize
find_answer (const guint8 *data, gsize size, gsize at)
{
  static const char begin[] = "HTTP/1.";

  for (; at < size; at++)
    {
      const guint8 *found = memchr (data + at, *begin, size - at);

      at = found != NULL ? (gsize) (found - data) : size;
      if (size - at >= sizeof begin - 1 && memcmp (data + at, begin, sizeof begin - 1) == 0)
        return at;
    }
  return size;
}

/**
 * ns_stream_mask_packed:
 * @secrets: (nullable): definition of secrets; %NULL: the defaults
 * @data: (array length=size): bytes of one direction of a connection
 * @size: number of bytes
 *
 * Replaces each compressed body that contains a secret by asterisks, unless secrets are shown.
 * Secrets in uncompressed bytes are left unchanged.
 *
 * Returns: %TRUE if anything was replaced
 */
gboolean
ns_stream_mask_packed (const NsSecrets *secrets, guint8 *data, gsize size)
{
  gboolean found = FALSE;
  guint n_searches = 0;
  gsize at = 0;

  if (size == 0 || ns_secrets_are_shown (secrets))
    return FALSE;
  if (blank (secrets, data, size, NULL))
    return TRUE;
  while (at < size)
    {
      g_autofree char *codings = NULL;
      NsWireMessage message;

      if (!ns_wire_message_find (&message, data, size, at))
        {
          if (n_searches++ == MAX_SEARCHES)
            break;
          at = find_answer (data, size, at + 1);
          continue;
        }
      codings = ns_wire_message_dup_codings ((const char *) data + message.head,
                                             message.body - message.head);
      found |= blank (secrets, data + message.body, message.end - message.body, codings);
      at = message.end;
    }
  return found;
}

/* Returns whether the server takes terminal input, which may be typed secrets that cannot be
 * recognized: Telnet and the BSD login services. */
static gboolean
takes_typed (const NsEndpoint *to)
{
  static const guint16 ports[] = { 23, 512, 513 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ports); i++)
    if (to->port == ports[i])
      return TRUE;
  return FALSE;
}

/**
 * ns_stream_dup_masked:
 * @secrets: (nullable): definition of secrets; %NULL: the defaults
 * @to: (nullable): the destination, if known
 * @data: (array length=size): bytes of one direction of a connection
 * @size: number of bytes
 *
 * Returns: (transfer full) (nullable): a copy with secrets replaced by asterisks; %NULL if there
 *   are none, or secrets are shown
 */
guint8 *
ns_stream_dup_masked (const NsSecrets *secrets,
                      const NsEndpoint *to,
                      const guint8 *data,
                      gsize size)
{
  guint8 *masked;

  if (to == NULL || !takes_typed (to) || ns_secrets_are_shown (secrets))
    return ns_secrets_dup_masked (secrets, data, size);
  masked = g_memdup2 (data, size);
  ns_secrets_mask_typed (secrets, masked, size);
  return masked;
}

/**
 * ns_stream_dup_packed_masked:
 * @secrets: (nullable): definition of secrets; %NULL: the defaults
 * @data: (array length=size): bytes of one direction of a connection
 * @size: number of bytes
 *
 * Returns: (transfer full) (nullable): a copy with compressed bodies that contain a secret replaced
 *   by asterisks; %NULL if there are none
 */
guint8 *
ns_stream_dup_packed_masked (const NsSecrets *secrets, const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = NULL;

  if (size == 0 || ns_secrets_are_shown (secrets))
    return NULL;
  copy = g_memdup2 (data, size);
  return ns_stream_mask_packed (secrets, copy, size) ? g_steal_pointer (&copy) : NULL;
}
