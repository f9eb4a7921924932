/* Hash map from a key of two 64-bit words to a 32-bit number, for hot paths.
 *
 * Open addressing with linear probing. The value 0 means absent, so callers can store 1-based row
 * numbers. Removal shifts the following entries back: there are no tombstones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"

#include "base/ns-hash.h"
#include "base/ns-pages.h"

/* Tables of this size and above are allocated with mmap() instead of on the heap. */
#define PAGES_BYTES ((gsize) 1 << 18)

/* A slot stores 64 mixed bits of the key instead of the 128-bit key. With two million keys (10 GB
 * of events), the probability of a collision is 1 in 10 million. The position of a slot is
 * proportional to its hash, so the table may have any number of slots. It grows by half, a very
 * large one by a quarter: tables that double would be the largest part of a large trace besides its
 * rows. */
typedef struct
{
  guint32 hash;
  guint32 check;
  guint32 value;
} Slot;

struct _NsMap
{
  Slot *slots;
  guint32 n_slots;
  guint32 n_used;
  guint32 n_most; /* maximum number of used slots before the table grows */
  guint64 seed;   /* random, so that colliding keys cannot be precomputed */
};

#define FIRST_SLOTS 64
#define LARGE_SLOTS (1u << 19)

static Slot *
slots_new (gsize n_slots)
{
  gsize n_bytes = n_slots * sizeof (Slot);

  return n_bytes < PAGES_BYTES ? g_new0 (Slot, n_slots) : ns_pages_new (n_bytes);
}

static void
slots_free (Slot *slots, gsize n_slots)
{
  if (n_slots * sizeof (Slot) < PAGES_BYTES)
    g_free (slots);
  else
    ns_pages_free (slots, n_slots * sizeof (Slot));
}

/* Allocates the slots. Very large tables are filled up to three quarters, above which probe
 * sequences get long; smaller ones up to one half, because their memory does not matter. */
static void
set_slots (NsMap *self, guint32 n_slots)
{
  self->slots = slots_new (n_slots);
  self->n_slots = n_slots;
  self->n_most = n_slots < LARGE_SLOTS ? n_slots / 2 : n_slots - n_slots / 4;
}

/**
 * ns_map_new:
 *
 * Returns: (transfer full): an empty map
 */
NsMap *
ns_map_new (void)
{
  NsMap *self = g_new0 (NsMap, 1);

  self->seed = ns_hash_get_key ()->start;
  set_slots (self, FIRST_SLOTS);
  return self;
}

/**
 * ns_map_free:
 * @self: (transfer full) (nullable): a map
 */
void
ns_map_free (NsMap *self)
{
  if (self == NULL)
    return;
  slots_free (self->slots, self->n_slots);
  g_free (self);
}

static inline guint32
check_of (guint64 a, guint64 b)
{
  guint64 h =
      (b + G_GUINT64_CONSTANT (0xd6e8feb86659fd93)) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);

  return (guint32) ((a ^ h ^ h >> 32) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93) >> 32);
}

static inline guint32
hash_of (const NsMap *self, guint64 a, guint64 b)
{
  return (guint32) (ns_map_mix (a ^ self->seed, b) >> 32);
}

static inline guint32
home_of (const NsMap *self, guint32 hash)
{
  return (guint32) ((guint64) hash * self->n_slots >> 32);
}

static inline guint32
next_of (const NsMap *self, guint32 i)
{
  return i + 1 < self->n_slots ? i + 1 : 0;
}

/* Returns the slot of the key, or the free slot to insert it. */
static inline Slot *
probe (const NsMap *self, guint32 hash, guint32 check)
{
  Slot *slot = &self->slots[home_of (self, hash)];
  const Slot *end = self->slots + self->n_slots;

  while (slot->value != 0 && ((slot->hash ^ hash) | (slot->check ^ check)) != 0)
    if (G_UNLIKELY (++slot == end))
      slot = self->slots;
  return slot;
}

/* Grows the table. Slots keep their order, so both tables are accessed sequentially. */
static void
grow (NsMap *self)
{
  Slot *old = self->slots;
  guint32 n_old = self->n_slots;
  guint32 i;

  if (n_old > G_MAXUINT32 / 2)
    g_error ("a map of %u slots cannot grow", n_old);
  set_slots (self, n_old + (n_old < LARGE_SLOTS ? n_old / 2 : n_old / 4));
  for (i = 0; i < n_old; i++)
    if (old[i].value != 0)
      *probe (self, old[i].hash, old[i].check) = old[i];
  slots_free (old, n_old);
}

/**
 * ns_map_get:
 * @self: a map
 * @a: first word of the key
 * @b: second word of the key
 *
 * Returns: the value, 0 when there is none
 */
guint32
ns_map_get (const NsMap *self, guint64 a, guint64 b)
{
  return probe (self, hash_of (self, a, b), check_of (a, b))->value;
}

/**
 * ns_map_expect:
 * @self: a map
 * @a: first word of the key
 * @b: second word of the key
 *
 * Prefetches the slot of a key that will be looked up soon.
 */
void
ns_map_expect (const NsMap *self, guint64 a, guint64 b)
{
  __builtin_prefetch (&self->slots[home_of (self, hash_of (self, a, b))]);
}

/**
 * ns_map_set:
 * @self: a map
 * @a: first word of the key
 * @b: second word of the key
 * @value: the value to keep; 0 removes the key
 */
void
ns_map_set (NsMap *self, guint64 a, guint64 b, guint32 value)
{
  if (value == 0)
    ns_map_take (self, a, b);
  else
    ns_map_swap (self, a, b, value);
}

/**
 * ns_map_swap:
 * @self: a map
 * @a: first word of the key
 * @b: second word of the key
 * @value: a number, not 0
 *
 * Sets the value of a key with a single look-up, since each one is likely a cache miss.
 *
 * Returns: the previous value, or 0
 */
guint32
ns_map_swap (NsMap *self, guint64 a, guint64 b, guint32 value)
{
  guint32 hash = hash_of (self, a, b);
  guint32 check = check_of (a, b);
  guint32 old;
  Slot *slot;

  g_return_val_if_fail (value != 0, 0);
  if (self->n_used >= self->n_most)
    grow (self);

  slot = probe (self, hash, check);
  old = slot->value;
  self->n_used += old == 0;
  slot->hash = hash;
  slot->check = check;
  slot->value = value;
  return old;
}

/* Returns the cyclic distance from one slot to another. */
static inline guint32
steps (const NsMap *self, guint32 from, guint32 to)
{
  return to >= from ? to - from : to + (self->n_slots - from);
}

/**
 * ns_map_take:
 * @self: a map
 * @a: first word of the key
 * @b: second word of the key
 *
 * Removes the key.
 *
 * Returns: the value it had, 0 when there was none
 */
guint32
ns_map_take (NsMap *self, guint64 a, guint64 b)
{
  Slot *slot = probe (self, hash_of (self, a, b), check_of (a, b));
  guint32 value = slot->value;
  guint32 hole;
  guint32 i;

  if (value == 0)
    return 0;

  hole = (guint32) (slot - self->slots);
  self->n_used--;
  for (i = next_of (self, hole); self->slots[i].value != 0; i = next_of (self, i))
    {
      guint32 home = home_of (self, self->slots[i].hash);

      /* Move it back unless its home position lies cyclically after the hole. */
      if (steps (self, home, i) >= steps (self, hole, i))
        {
          self->slots[hole] = self->slots[i];
          hole = i;
        }
    }
  self->slots[hole].value = 0;
  return value;
}

/**
 * ns_map_get_size:
 * @self: a map
 *
 * Returns: number of keys
 */
guint
ns_map_get_size (const NsMap *self)
{
  return self->n_used;
}
