/* Functions of the cursor that are too long to be inlined.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-cursor.h"

#include <string.h>

/**
 * ns_cursor_wstr:
 * @self: a cursor
 * @n_bytes: (out): length in bytes, without the terminator
 *
 * Reads UTF-16LE text up to and including its two-byte NUL. A text without a terminator ends at the
 * end of the window, which is common in event payloads and is not a failure.
 *
 * Returns: (transfer none): the first byte of the text, not aligned; %NULL if the cursor had failed
 */
const guint8 *
ns_cursor_wstr (NsCursor *self, gsize *n_bytes)
{
  const guint8 *start;
  gsize left;
  gsize n;

  *n_bytes = 0;
  if (self->failed)
    return NULL;

  start = self->data + self->pos;
  left = self->size - self->pos;
  for (n = 0; n + 1 < left; n += 2)
    {
      if (start[n] == 0 && start[n + 1] == 0)
        {
          *n_bytes = n;
          self->pos += n + 2;
          return start;
        }
    }

  *n_bytes = n;
  self->pos = self->size;
  return start;
}

/**
 * ns_cursor_astr:
 * @self: a cursor
 * @n_bytes: (out): length in bytes, without the terminator
 *
 * Reads 8-bit text up to and including its NUL; a text without a terminator ends at the end of the
 * window.
 *
 * Returns: (transfer none): the first byte of the text; %NULL if the cursor had failed
 */
const char *
ns_cursor_astr (NsCursor *self, gsize *n_bytes)
{
  const guint8 *start;
  const guint8 *nul;
  gsize left;

  *n_bytes = 0;
  if (self->failed)
    return NULL;

  start = self->data + self->pos;
  left = self->size - self->pos;
  nul = left > 0 ? memchr (start, 0, left) : NULL;
  *n_bytes = nul != NULL ? (gsize) (nul - start) : left;
  self->pos += *n_bytes + (nul != NULL ? 1 : 0);
  return (const char *) start;
}

/**
 * ns_cursor_sub:
 * @self: a cursor
 * @n_bytes: length of the part
 * @sub: (out): a window on the next @n_bytes, or an empty failed one
 *
 * Splits off the next @n_bytes as a separate window and skips them.
 *
 * Returns: %TRUE if the part lies inside
 */
gboolean
ns_cursor_sub (NsCursor *self, gsize n_bytes, NsCursor *sub)
{
  const guint8 *p = ns_cursor_take (self, n_bytes);

  ns_cursor_init (sub, p, p != NULL ? n_bytes : 0);
  sub->failed = p == NULL;
  return p != NULL;
}
