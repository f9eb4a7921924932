/* Joins the kernel part and the user part of a stack.
 *
 * Windows walks the user part when the thread returns from the kernel, so it has a record of its
 * own, sometimes for several kernel parts at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match-private.h"

#include <string.h>

typedef enum
{
  PART_KERNEL,
  PART_USER,
  PART_WHOLE,
} PartKind;

/* Parts with the same time, thread and session. */
typedef struct
{
  const NsStackPart *kernel;
  const NsStackPart *user;
  const NsStackPart *whole;
} Group;

static PartKind
kind_of (NsBuilder *builder, NsStackId piece)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (builder->stack_match->pieces, piece, &n_frames);

  if (ns_trace_is_kernel_address (builder->trace, frames[n_frames - 1]))
    return PART_KERNEL;
  return ns_trace_is_kernel_address (builder->trace, frames[0]) ? PART_WHOLE : PART_USER;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const NsStackPart *x = a;
  const NsStackPart *y = b;

  if (x->stamp != y->stamp)
    return x->stamp < y->stamp ? -1 : 1;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  if (x->session != y->session)
    return x->session < y->session ? -1 : 1;
  if (x->raw != y->raw)
    return x->raw < y->raw ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Sorts by session, thread and time of logging: the order in which user parts complete kernel
 * parts. */
static int
compare_user_parts (gconstpointer a, gconstpointer b)
{
  const NsStackPart *x = *(const NsStackPart *const *) a;
  const NsStackPart *y = *(const NsStackPart *const *) b;

  if (x->session != y->session)
    return x->session < y->session ? -1 : 1;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  if (x->raw != y->raw)
    return x->raw < y->raw ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

static GPtrArray *
list_user_parts (NsBuilder *builder)
{
  GArray *parts = builder->stack_match->parts;
  GPtrArray *users = g_ptr_array_new ();
  guint i;

  for (i = 0; i < parts->len; i++)
    {
      NsStackPart *part = &g_array_index (parts, NsStackPart, i);

      if (kind_of (builder, part->piece) == PART_USER)
        g_ptr_array_add (users, part);
    }
  g_ptr_array_sort (users, compare_user_parts);
  return users;
}

/* Returns whether a user part was logged before the kernel part, so that it cannot complete it. */
static gboolean
is_before (const NsStackPart *user, const NsStackPart *kernel)
{
  if (user->session != kernel->session)
    return user->session < kernel->session;
  if (user->tid != kernel->tid)
    return user->tid < kernel->tid;
  return user->raw < kernel->raw;
}

/* Finds the next user part of the thread that was logged after the kernel part. */
static const NsStackPart *
find_user_part (const GPtrArray *users, const NsStackPart *kernel)
{
  guint low = 0;
  guint high = users->len;
  const NsStackPart *part;

  if (kernel->pid == 0 || kernel->pid == 4)
    return NULL;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      part = users->pdata[middle];
      if (is_before (part, kernel))
        low = middle + 1;
      else
        high = middle;
    }
  part = low < users->len ? users->pdata[low] : NULL;
  return part != NULL && part->session == kernel->session && part->tid == kernel->tid &&
                 part->pid == kernel->pid
             ? part
             : NULL;
}

/* Adds a stack that consists of one or two pieces, the first at the leaf. */
static NsStackId
add_stack (NsBuilder *builder, guint32 pid, NsStackId leaf, NsStackId root)
{
  NsStackMatch *self = builder->stack_match;
  guint n_leaf;
  guint n_root;
  const guint64 *leaf_frames = ns_stacks_get (self->pieces, leaf, &n_leaf);
  const guint64 *root_frames = ns_stacks_get (self->pieces, root, &n_root);

  if (n_root == 0)
    return ns_stacks_add (builder->trace->stacks, pid, leaf_frames, n_leaf);
  n_leaf = MIN (n_leaf, NS_STACK_MAX_FRAMES);
  n_root = MIN (n_root, NS_STACK_MAX_FRAMES - n_leaf);
  memcpy (self->frames, leaf_frames, n_leaf * sizeof *leaf_frames);
  memcpy (self->frames + n_leaf, root_frames, n_root * sizeof *root_frames);
  return ns_stacks_add (builder->trace->stacks, pid, self->frames, n_leaf + n_root);
}

static void
add_found (NsBuilder *builder, const GPtrArray *users, const Group *group)
{
  const NsStackPart *leaf = group->whole != NULL    ? group->whole
                            : group->kernel != NULL ? group->kernel
                                                    : group->user;
  const NsStackPart *root = NULL;
  NsStackFound found = { .stamp = leaf->stamp,
                         .tid = leaf->tid,
                         .cpu = leaf->cpu,
                         .session = leaf->session,
                         .buffer = leaf->buffer };

  if (group->whole == NULL && group->kernel != NULL)
    root = group->user != NULL ? group->user : find_user_part (users, group->kernel);
  found.stack = add_stack (builder, leaf->pid, leaf->piece, root != NULL ? root->piece : 0);
  g_array_append_val (builder->stack_match->found, found);
}

void
ns_stack_match_join (NsBuilder *builder)
{
  GArray *parts = builder->stack_match->parts;
  g_autoptr (GPtrArray) users = NULL;
  Group group = { NULL, NULL, NULL };
  guint i;

  g_array_sort (parts, compare_parts);
  users = list_user_parts (builder);
  for (i = 0; i < parts->len; i++)
    {
      const NsStackPart *part = &g_array_index (parts, NsStackPart, i);
      const NsStackPart *next =
          i + 1 < parts->len ? &g_array_index (parts, NsStackPart, i + 1) : NULL;
      PartKind kind = kind_of (builder, part->piece);

      if (kind == PART_KERNEL && group.kernel == NULL)
        group.kernel = part;
      else if (kind == PART_USER && group.user == NULL)
        group.user = part;
      else if (kind == PART_WHOLE && group.whole == NULL)
        group.whole = part;
      if (next != NULL && next->stamp == part->stamp && next->tid == part->tid &&
          next->session == part->session)
        continue;
      add_found (builder, users, &group);
      group = (Group){ NULL, NULL, NULL };
    }
}

static int
compare_carriers (gconstpointer a, gconstpointer b)
{
  const NsStackInline *x = *(const NsStackInline *const *) a;
  const NsStackInline *y = *(const NsStackInline *const *) b;

  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  if (x->raw != y->raw)
    return x->raw < y->raw ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Finds a carrier without a matching ID that completes the open stack of its thread. */
static const NsStackInline *
find_carrier (const GPtrArray *carriers, const NsStackInline *item)
{
  guint low = 0;
  guint high = carriers->len;
  const NsStackInline *carrier;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      carrier = carriers->pdata[middle];
      if (carrier->tid < item->tid || (carrier->tid == item->tid && carrier->raw < item->raw))
        low = middle + 1;
      else
        high = middle;
    }
  carrier = low < carriers->len ? carriers->pdata[low] : NULL;
  return carrier != NULL && carrier->tid == item->tid ? carrier : NULL;
}

/* Marks the carriers whose match ID is used, and returns the others. */
static GPtrArray *
sort_out_carriers (NsStackMatch *self, NsMap *by_match)
{
  GPtrArray *carriers = g_ptr_array_new ();
  guint i;

  for (i = 0; i < self->inlines->len; i++)
    {
      const NsStackInline *item = &g_array_index (self->inlines, NsStackInline, i);

      if (item->is_carrier && item->match != 0)
        ns_map_set (by_match, item->match, item->tid, i + 1);
    }
  for (i = 0; i < self->inlines->len; i++)
    {
      const NsStackInline *item = &g_array_index (self->inlines, NsStackInline, i);
      guint32 number = item->is_carrier ? 0 : ns_map_get (by_match, item->match, item->tid);

      if (number != 0)
        g_array_index (self->inlines, NsStackInline, number - 1).is_matched = TRUE;
    }
  for (i = 0; i < self->inlines->len; i++)
    {
      NsStackInline *item = &g_array_index (self->inlines, NsStackInline, i);

      if (item->is_carrier && !item->is_matched && item->piece != 0)
        g_ptr_array_add (carriers, item);
    }
  g_ptr_array_sort (carriers, compare_carriers);
  return carriers;
}

/* Joins stacks in extended items whose user part, or key definition, is in a later record. */
void
ns_stack_match_join_inline (NsBuilder *builder)
{
  NsStackMatch *self = builder->stack_match;
  g_autoptr (NsMap) by_match = ns_map_new ();
  g_autoptr (GPtrArray) carriers = sort_out_carriers (self, by_match);
  guint i;

  for (i = 0; i < self->inlines->len; i++)
    {
      const NsStackInline *item = &g_array_index (self->inlines, NsStackInline, i);
      const NsStackInline *carrier = NULL;
      guint32 number;

      if (item->is_carrier || item->piece == 0)
        continue;
      number = item->match != 0 ? ns_map_get (by_match, item->match, item->tid) : 0;
      if (number != 0)
        carrier = &g_array_index (self->inlines, NsStackInline, number - 1);
      else if (kind_of (builder, item->piece) == PART_KERNEL)
        carrier = find_carrier (carriers, item);
      ns_map_set (
          self->inline_stacks,
          item->ref.buffer,
          item->ref.offset,
          add_stack (builder, item->pid, item->piece, carrier != NULL ? carrier->piece : 0));
    }
}
