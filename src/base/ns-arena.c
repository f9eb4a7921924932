/* Memory that is handed out in pieces and given back all at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-arena.h"

#include <string.h>

#define ALIGNMENT 16

struct _NsArena
{
  GPtrArray *blocks; /* element-type guint8*, all from g_malloc */
  guint8 *next;
  gsize left;
  gsize block_bytes;
  gsize total;
};

/**
 * ns_arena_new:
 * @block_bytes: bytes to ask the system for at a time; larger pieces get a block of their own
 *
 * Returns: (transfer full): an empty arena
 */
NsArena *
ns_arena_new (gsize block_bytes)
{
  NsArena *self = g_new0 (NsArena, 1);

  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->block_bytes = MAX (block_bytes, 1024);
  return self;
}

/**
 * ns_arena_free:
 * @self: (transfer full): an arena
 *
 * Gives back every piece at once.
 */
void
ns_arena_free (NsArena *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

/**
 * ns_arena_alloc:
 * @self: an arena
 * @n_bytes: size of the piece
 *
 * Returns: (transfer none): zeroed memory, aligned for any type, valid as long as @self
 */
gpointer
ns_arena_alloc (NsArena *self, gsize n_bytes)
{
  gsize padded = (n_bytes + ALIGNMENT - 1) & ~(gsize) (ALIGNMENT - 1);
  gpointer piece;

  g_return_val_if_fail (padded >= n_bytes, NULL);

  if (padded > self->block_bytes / 4)
    {
      piece = g_malloc0 (MAX (padded, 1));
      g_ptr_array_add (self->blocks, piece);
      self->total += padded;
      return piece;
    }
  if (padded > self->left)
    {
      self->next = g_malloc0 (self->block_bytes);
      self->left = self->block_bytes;
      self->total += self->block_bytes;
      g_ptr_array_add (self->blocks, self->next);
    }

  piece = self->next;
  self->next += padded;
  self->left -= padded;
  return piece;
}

/**
 * ns_arena_dup:
 * @self: an arena
 * @data: (array length=n_bytes): bytes to copy
 * @n_bytes: how many
 *
 * Returns: (transfer none): the copy
 */
gpointer
ns_arena_dup (NsArena *self, gconstpointer data, gsize n_bytes)
{
  gpointer piece = ns_arena_alloc (self, n_bytes);

  if (n_bytes > 0)
    memcpy (piece, data, n_bytes);
  return piece;
}

/**
 * ns_arena_strndup:
 * @self: an arena
 * @text: bytes of a text, with or without a NUL
 * @n_bytes: how many to take
 *
 * Returns: (transfer none): the text with a NUL behind
 */
char *
ns_arena_strndup (NsArena *self, const char *text, gsize n_bytes)
{
  char *piece = ns_arena_alloc (self, n_bytes + 1);

  if (n_bytes > 0)
    memcpy (piece, text, n_bytes);
  return piece;
}

/**
 * ns_arena_get_size:
 * @self: an arena
 *
 * Returns: bytes held, used or not
 */
gsize
ns_arena_get_size (NsArena *self)
{
  return self->total;
}
