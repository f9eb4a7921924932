/* Stack keys: which frames a key stood for when it was used.
 *
 * Keys are used again for other frames. A key means the first definition of it whose raw time is at
 * or after that of the record that uses it; the kernel's and the user's keys are separate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-stack-match-private.h"

static int
compare_uses (gconstpointer a, gconstpointer b)
{
  const NsStackUse *x = a;
  const NsStackUse *y = b;

  if (x->part.raw != y->part.raw)
    return x->part.raw < y->part.raw ? -1 : 1;
  if (x->part.number != y->part.number)
    return x->part.number < y->part.number ? -1 : 1;
  return x->is_user - y->is_user;
}

static int
compare_definitions (gconstpointer a, gconstpointer b)
{
  const NsStackDefinition *x = a;
  const NsStackDefinition *y = b;

  if (x->raw != y->raw)
    return x->raw < y->raw ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static void
resolve (NsStackMatch *self, NsMap *waiting, const NsStackDefinition *definition, gboolean is_user)
{
  guint32 number = ns_map_take (waiting, definition->key, is_user);

  while (number != 0)
    {
      NsStackUse *use = &g_array_index (self->uses, NsStackUse, number - 1);

      number = use->next;
      if (use->inline_item != 0)
        {
          NsStackInline *item = &g_array_index (self->inlines, NsStackInline, use->inline_item - 1);

          if (is_user)
            item->piece = definition->piece;
          else
            item->other = definition->piece;
          continue;
        }
      use->part.piece = definition->piece;
      g_array_append_val (self->parts, use->part);
    }
}

/* Frames that run from the kernel into user mode were kept under a key of the user's, mostly. */
static void
define (NsBuilder *builder, NsMap *waiting, const NsStackDefinition *definition)
{
  NsStackMatch *self = builder->stack_match;
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->pieces, definition->piece, &n_frames);
  gboolean leaf_is_kernel = ns_trace_is_kernel_address (builder->trace, frames[0]);
  gboolean root_is_kernel = ns_trace_is_kernel_address (builder->trace, frames[n_frames - 1]);
  gboolean is_user = !root_is_kernel;

  if (leaf_is_kernel && !root_is_kernel)
    is_user = ns_map_get (waiting, definition->key, TRUE) != 0;
  resolve (self, waiting, definition, is_user);
}

void
ns_stack_match_resolve_keys (NsBuilder *builder)
{
  NsStackMatch *self = builder->stack_match;
  g_autoptr (NsMap) waiting = ns_map_new ();
  guint next = 0;
  guint i;

  g_array_sort (self->uses, compare_uses);
  g_array_sort (self->definitions, compare_definitions);
  for (i = 0; i < self->definitions->len; i++)
    {
      const NsStackDefinition *definition =
          &g_array_index (self->definitions, NsStackDefinition, i);

      for (; next < self->uses->len; next++)
        {
          NsStackUse *use = &g_array_index (self->uses, NsStackUse, next);

          if (use->part.raw > definition->raw)
            break;
          use->next = ns_map_get (waiting, use->key, use->is_user);
          ns_map_set (waiting, use->key, use->is_user, next + 1);
        }
      define (builder, waiting, definition);
    }
  for (i = 0; i < self->inlines->len; i++)
    {
      NsStackInline *item = &g_array_index (self->inlines, NsStackInline, i);

      if (item->piece == 0)
        item->piece = item->other;
    }
}
