/* Stack keys: finds the frames that a key had when it was used.
 *
 * Keys belong to a session and are reused for other frames. A key refers to its first definition
 * whose raw time is at or after that of the record that uses it; kernel and user keys are
 * separate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match-private.h"

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

/* Returns the second word of the key in the map of pending uses. */
static guint64
make_more (guint16 session, gboolean is_user)
{
  return (guint64) session << 1 | (is_user != 0);
}

static void
resolve (NsStackMatch *self, NsMap *waiting, const NsStackDefinition *definition, gboolean is_user)
{
  guint32 number = ns_map_take (waiting, definition->key, make_more (definition->session, is_user));

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

/* Resolves the uses of a key. Frames from the kernel into user mode are mostly defined under a
 * user key. */
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
    is_user = ns_map_get (waiting, definition->key, make_more (definition->session, TRUE)) != 0;
  resolve (self, waiting, definition, is_user);
}

/* Returns for each session the one that defines its keys: itself or, if it has no definitions, the
 * first session that has stacks for its events. */
static guint16 *
find_defining_sessions (const NsStackMatch *self)
{
  guint16 *defining = g_new (guint16, self->n_inputs);
  g_autofree guint8 *defines = g_new0 (guint8, self->n_inputs);
  guint i;
  guint k;

  for (i = 0; i < self->definitions->len; i++)
    defines[g_array_index (self->definitions, NsStackDefinition, i).session] = TRUE;
  for (i = 0; i < self->n_inputs; i++)
    {
      defining[i] = (guint16) i;
      for (k = 0; k < self->n_inputs && !defines[defining[i]]; k++)
        if (defines[k] && ns_stack_match_may_share (self, (guint16) i, (guint16) k))
          defining[i] = (guint16) k;
    }
  return defining;
}

void
ns_stack_match_resolve_keys (NsBuilder *builder)
{
  NsStackMatch *self = builder->stack_match;
  g_autoptr (NsMap) waiting = ns_map_new ();
  g_autofree guint16 *defining = find_defining_sessions (self);
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
          guint64 more = make_more (defining[use->part.session], use->is_user);

          if (use->part.raw > definition->raw)
            break;
          use->next = ns_map_get (waiting, use->key, more);
          ns_map_set (waiting, use->key, more, next + 1);
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
