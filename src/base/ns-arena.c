/* Arena allocator: pieces of memory that are freed all at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-arena.h"

#include "base/ns-pages.h"

#include <string.h>

#define ALIGNMENT 16
/* Size of the first block. Each further block is twice as large, so that small arenas stay
 * small. */
#define FIRST_BYTES 1024
/* Blocks of this size and above are allocated with mmap() instead of on the heap. */
#define PAGES_BYTES ((gsize) 1 << 16)

typedef struct
{
  gpointer data;
  gsize n_bytes;
} Block;

struct _NsArena
{
  GArray *blocks;   /* element-type Block */
  GPtrArray *large; /* element-type guint8*, pieces that are too large for a block */
  guint8 *next;
  gsize left;
  gsize next_bytes;  /* size of the next block */
  gsize block_bytes; /* maximum size of a block */
  gsize total;
};

/**
 * ns_arena_new:
 * @block_bytes: maximum size of a block; pieces larger than a quarter of it are allocated
 *   separately
 *
 * Returns: (transfer full): an empty arena
 */
NsArena *
ns_arena_new (gsize block_bytes)
{
  NsArena *self = g_new0 (NsArena, 1);

  self->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  self->large = g_ptr_array_new_with_free_func (g_free);
  self->next_bytes = FIRST_BYTES;
  self->block_bytes = MAX (block_bytes, FIRST_BYTES);
  return self;
}

static gboolean
is_on_pages (gsize n_bytes)
{
  return n_bytes >= PAGES_BYTES;
}

/**
 * ns_arena_free:
 * @self: (transfer full): an arena
 *
 * Frees the arena with all of its pieces.
 */
void
ns_arena_free (NsArena *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < self->blocks->len; i++)
    {
      const Block *block = &g_array_index (self->blocks, Block, i);

      if (is_on_pages (block->n_bytes))
        ns_pages_free (block->data, block->n_bytes);
      else
        g_free (block->data);
    }
  g_array_unref (self->blocks);
  g_ptr_array_unref (self->large);
  g_free (self);
}

/* Allocates a block with room for a piece of @n_bytes; the rest of the previous block stays
 * unused. */
static void
add_block (NsArena *self, gsize n_bytes)
{
  Block block = { NULL, MIN (MAX (self->next_bytes, 4 * n_bytes), self->block_bytes) };

  block.data =
      is_on_pages (block.n_bytes) ? ns_pages_new (block.n_bytes) : g_malloc0 (block.n_bytes);
  g_array_append_val (self->blocks, block);
  self->next = block.data;
  self->left = block.n_bytes;
  self->total += block.n_bytes;
  self->next_bytes = MIN (2 * block.n_bytes, self->block_bytes);
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
      g_ptr_array_add (self->large, piece);
      self->total += padded;
      return piece;
    }
  if (padded > self->left)
    add_block (self, padded);

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
 * @n_bytes: number of bytes to copy
 *
 * Returns: (transfer none): the text, NUL-terminated
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
 * Returns: the number of allocated bytes, used or not
 */
gsize
ns_arena_get_size (NsArena *self)
{
  return self->total;
}
