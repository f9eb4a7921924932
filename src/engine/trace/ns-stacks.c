/* Stores each distinct stack once: frames from the leaf (innermost) to the root.
 *
 * A trace has far more stack records than distinct stacks; a stack is identified by the number of
 * its stored copy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-arena.h"
#include "base/ns-map.h"
#include "engine/trace/ns-stacks.h"

#include <string.h>

typedef struct
{
  const guint64 *frames;
  guint32 n_frames;
  guint32 pid;
  guint32 hash;
} Entry;

struct _NsStacks
{
  NsArena *arena;
  GArray *entries; /* element-type Entry; the first is empty */
  guint32 *slots;  /* entry numbers by hash; 0: free */
  guint32 mask;
  guint64 max_bytes;
  guint64 n_left_out;
};

/**
 * ns_stacks_new:
 *
 * Returns: (transfer full): an empty store
 */
NsStacks *
ns_stacks_new (void)
{
  NsStacks *self = g_new0 (NsStacks, 1);
  Entry none = { NULL, 0, NS_PID_UNKNOWN, 0 };

  self->arena = ns_arena_new (256 * 1024);
  self->entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), 256);
  g_array_append_val (self->entries, none);
  self->mask = 1023;
  self->slots = g_new0 (guint32, self->mask + 1);
  self->max_bytes = NS_STACKS_MAX_BYTES;
  return self;
}

/**
 * ns_stacks_set_size_of_trace:
 * @self: a store
 * @n_bytes: size of the trace, in bytes
 * @least_bytes: minimum capacity in bytes, however small the trace is; 0: %NS_STACKS_MAX_BYTES
 *
 * Limits the store in proportion to the size of the trace: in a crafted file, records that refer to
 * a piece of a stack by key may expand to a thousand times their size.
 */
void
ns_stacks_set_size_of_trace (NsStacks *self, guint64 n_bytes, guint64 least_bytes)
{
  self->max_bytes = MAX (least_bytes != 0 ? least_bytes : NS_STACKS_MAX_BYTES,
                         MIN (n_bytes, G_MAXUINT64 / NS_STACKS_PER_BYTE) * NS_STACKS_PER_BYTE);
}

/**
 * ns_stacks_get_n_left_out:
 * @self: a store
 *
 * Returns: number of stacks that were not stored for lack of room
 */
guint64
ns_stacks_get_n_left_out (const NsStacks *self)
{
  return self->n_left_out;
}

/**
 * ns_stacks_free:
 * @self: (transfer full) (nullable): a store
 */
void
ns_stacks_free (NsStacks *self)
{
  if (self == NULL)
    return;
  ns_arena_free (self->arena);
  g_array_unref (self->entries);
  g_free (self->slots);
  g_free (self);
}

static guint32
hash_frames (guint32 pid, const guint64 *frames, guint n_frames)
{
  guint64 hash = ns_map_mix (pid, n_frames);
  guint i;

  for (i = 0; i < n_frames; i++)
    hash = ns_map_mix (hash, frames[i]);
  return (guint32) (hash ^ (hash >> 32));
}

static guint32
probe (const NsStacks *self, guint32 pid, const guint64 *frames, guint n_frames, guint32 hash)
{
  guint32 i = hash & self->mask;

  for (; self->slots[i] != 0; i = (i + 1) & self->mask)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, self->slots[i]);

      if (entry->hash == hash && entry->pid == pid && entry->n_frames == n_frames &&
          memcmp (entry->frames, frames, n_frames * sizeof *frames) == 0)
        break;
    }
  return i;
}

static void
grow (NsStacks *self)
{
  guint32 id;

  self->mask = self->mask * 2 + 1;
  g_free (self->slots);
  self->slots = g_new0 (guint32, (gsize) self->mask + 1);
  for (id = 1; id < self->entries->len; id++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, id);
      guint32 slot = entry->hash & self->mask;

      while (self->slots[slot] != 0)
        slot = (slot + 1) & self->mask;
      self->slots[slot] = id;
    }
}

/**
 * ns_stacks_add:
 * @self: a store
 * @pid: the process whose addresses they are
 * @frames: (array length=n_frames): addresses, innermost first
 * @n_frames: number of frames; those beyond %NS_STACK_MAX_FRAMES are dropped
 *
 * Equal frames in the same process are the same stack.
 *
 * Returns: number of the stack; 0 if it has no frames or there is no room for it
 */
NsStackId
ns_stacks_add (NsStacks *self, guint32 pid, const guint64 *frames, guint n_frames)
{
  guint32 hash;
  guint32 slot;
  Entry entry;

  if (n_frames == 0)
    return 0;
  n_frames = MIN (n_frames, NS_STACK_MAX_FRAMES);
  hash = hash_frames (pid, frames, n_frames);
  slot = probe (self, pid, frames, n_frames, hash);
  if (self->slots[slot] != 0)
    return self->slots[slot];

  if (ns_arena_get_size (self->arena) + self->entries->len * sizeof entry > self->max_bytes)
    {
      self->n_left_out++;
      return 0;
    }
  entry.frames = ns_arena_dup (self->arena, frames, n_frames * sizeof *frames);
  entry.n_frames = n_frames;
  entry.pid = pid;
  entry.hash = hash;
  g_array_append_val (self->entries, entry);
  self->slots[slot] = self->entries->len - 1;
  if (self->entries->len > self->mask / 2)
    grow (self);
  return self->entries->len - 1;
}

/**
 * ns_stacks_get:
 * @self: a store
 * @id: a stack of it
 * @n_frames: (out): number of frames
 *
 * Returns: (transfer none) (array length=n_frames) (nullable): addresses, innermost first; %NULL if
 *   there is no such stack
 */
const guint64 *
ns_stacks_get (const NsStacks *self, NsStackId id, guint *n_frames)
{
  const Entry *entry;

  *n_frames = 0;
  if (id == 0 || id >= self->entries->len)
    return NULL;
  entry = &g_array_index (self->entries, Entry, id);
  *n_frames = entry->n_frames;
  return entry->frames;
}

/**
 * ns_stacks_get_pid:
 * @self: a store
 * @id: a stack of it
 *
 * Returns: the process it was taken in, or %NS_PID_UNKNOWN
 */
guint32
ns_stacks_get_pid (const NsStacks *self, NsStackId id)
{
  return id < self->entries->len ? g_array_index (self->entries, Entry, id).pid : NS_PID_UNKNOWN;
}

/**
 * ns_stacks_get_size:
 * @self: a store
 *
 * Returns: number of different stacks; they are numbered from 1
 */
guint
ns_stacks_get_size (const NsStacks *self)
{
  return self->entries->len - 1;
}

/**
 * ns_stacks_get_bytes:
 * @self: a store
 *
 * Returns: approximate memory use, in bytes
 */
gsize
ns_stacks_get_bytes (const NsStacks *self)
{
  return ns_arena_get_size (self->arena) + self->entries->len * sizeof (Entry) +
         ((gsize) self->mask + 1) * sizeof *self->slots;
}
