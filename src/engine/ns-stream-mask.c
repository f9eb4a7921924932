/* What is secret in one direction of a connection, also where its bodies travel packed.
 *
 * Who hands packed bytes on hands on what they unpack to. A body in which a secret is found once
 * its codings are undone is blanked as a whole, since no part of it can be changed alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-stream-mask.h"

#include "base/ns-secrets.h"
#include "wire/ns-wire-coding.h"
#include "wire/ns-wire-message.h"

#include <string.h>

/* What a body may become, so that the work is in proportion to its size; texts become ten times
 * as large. What becomes larger cannot be searched, and is blanked. */
#define MAX_GROWTH 200
#define MIN_UNPACKED 65536
/* How often the beginning of an answer is looked for in a stream that does not begin with one. */
#define MAX_SEARCHES 64

static gboolean
is_packed (const char *codings)
{
  return codings != NULL && g_ascii_strcasecmp (codings, "chunked") != 0 &&
         g_ascii_strcasecmp (codings, "identity") != 0;
}

static gboolean
has_secret (const guint8 *body, gsize n_body, const char *codings)
{
  gsize max_bytes = MIN (n_body * MAX_GROWTH + MIN_UNPACKED, NS_WIRE_CODING_MAX_BYTES);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, body, (guint) n_body);
  if (ns_wire_coding_undo (bytes, codings, max_bytes) == NS_WIRE_CODING_TOO_LARGE)
    return TRUE;
  return ns_secrets_mask_bytes (bytes->data, bytes->len);
}

static gboolean
blank (guint8 *body, gsize n_body, const char *codings)
{
  if (n_body == 0 || !is_packed (codings) || !has_secret (body, n_body, codings))
    return FALSE;
  memset (body, NS_SECRETS_BYTE, n_body);
  return TRUE;
}

/* Where an answer may begin behind @at; @size: nowhere. */
static gsize
find_answer (const guint8 *data, gsize size, gsize at)
{
  const char *found =
      at < size ? g_strstr_len ((const char *) data + at, (gssize) (size - at), "HTTP/1.") : NULL;

  return found != NULL ? (gsize) (found - (const char *) data) : size;
}

/**
 * ns_stream_mask_packed:
 * @data: (array length=size): bytes of one direction of a connection
 * @size: how many
 *
 * Puts asterisks in the place of each packed body that has a secret in it, unless secrets are
 * shown. Secrets in what is not packed are left as they are.
 *
 * Returns: %TRUE if there was something
 */
gboolean
ns_stream_mask_packed (guint8 *data, gsize size)
{
  gboolean found = FALSE;
  guint n_searches = 0;
  gsize at = 0;

  if (size == 0 || ns_secrets_are_shown ())
    return FALSE;
  /* Libraries write bodies down without their heads. */
  if (blank (data, size, ns_wire_coding_guess (data, size)))
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
      found |= blank (data + message.body, message.end - message.body, codings);
      at = message.end;
    }
  return found;
}

/**
 * ns_stream_dup_packed_masked:
 * @data: (array length=size): bytes of one direction of a connection
 * @size: how many
 *
 * Returns: (transfer full) (nullable): a copy with asterisks in the place of packed bodies that
 *   have a secret in them; %NULL when there are none
 */
guint8 *
ns_stream_dup_packed_masked (const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = NULL;

  if (size == 0 || ns_secrets_are_shown ())
    return NULL;
  copy = g_memdup2 (data, size);
  return ns_stream_mask_packed (copy, size) ? g_steal_pointer (&copy) : NULL;
}
