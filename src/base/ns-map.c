/* A hash map from a key of two 64-bit words to a 32-bit number, for hot paths.
 *
 * Open addressing with linear probing; a value of 0 means "not there", so that callers can keep
 * 1-based row numbers in it. Removed entries are closed up at once: there are no tombstones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"

#include <sys/mman.h>

/* From this size on the table asks for large pages: each look-up is a step to a page of its own. */
#define HUGE_BYTES ((gsize) 2 << 20)

/* Of the key 96 bits mixed from it are kept: two keys of ten million that are taken for one are
 * less likely than a fault of the memory, and four slots are a cache line.
 */
typedef struct
{
  guint64 hash;
  guint32 check;
  guint32 value;
} Slot;

struct _NsMap
{
  Slot *slots;
  gsize mask;
  guint n_used;
};

static Slot *
slots_new (gsize n_slots)
{
  gsize n_bytes = n_slots * sizeof (Slot);
  void *slots;

  if (n_bytes < HUGE_BYTES)
    return g_new0 (Slot, n_slots);
  slots = mmap (NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (slots == MAP_FAILED)
    g_error ("no memory for %" G_GSIZE_FORMAT " bytes", n_bytes);
  madvise (slots, n_bytes, MADV_HUGEPAGE);
  return slots;
}

static void
slots_free (Slot *slots, gsize n_slots)
{
  if (n_slots * sizeof (Slot) < HUGE_BYTES)
    g_free (slots);
  else
    munmap (slots, n_slots * sizeof (Slot));
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

  self->mask = 63;
  self->slots = slots_new (self->mask + 1);
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
  slots_free (self->slots, self->mask + 1);
  g_free (self);
}

static inline guint32
check_of (guint64 a, guint64 b)
{
  guint64 h =
      (b + G_GUINT64_CONSTANT (0xd6e8feb86659fd93)) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);

  return (guint32) ((a ^ h ^ h >> 32) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93) >> 32);
}

/* The slot of the key, or the free one where it would go. */
static inline Slot *
probe (const NsMap *self, guint64 hash, guint32 check)
{
  gsize i = hash & self->mask;

  while (self->slots[i].value != 0 &&
         (self->slots[i].hash != hash || self->slots[i].check != check))
    i = (i + 1) & self->mask;
  return &self->slots[i];
}

static void
grow (NsMap *self)
{
  Slot *old = self->slots;
  gsize n_old = self->mask + 1;
  gsize i;

  self->mask = n_old * 2 - 1;
  self->slots = slots_new (self->mask + 1);
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
  return probe (self, ns_map_mix (a, b), check_of (a, b))->value;
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
 * Sets the number of a key; looked for only once, which counts where each look is a miss of the
 * caches.
 *
 * Returns: the one it had before, or 0
 */
guint32
ns_map_swap (NsMap *self, guint64 a, guint64 b, guint32 value)
{
  guint64 hash = ns_map_mix (a, b);
  guint32 check = check_of (a, b);
  guint32 old;
  Slot *slot;

  g_return_val_if_fail (value != 0, 0);
  if ((self->n_used + 1) * 4 > (self->mask + 1) * 3)
    grow (self);

  slot = probe (self, hash, check);
  old = slot->value;
  self->n_used += old == 0;
  slot->hash = hash;
  slot->check = check;
  slot->value = value;
  return old;
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
  Slot *slot = probe (self, ns_map_mix (a, b), check_of (a, b));
  guint32 value = slot->value;
  gsize hole;
  gsize i;

  if (value == 0)
    return 0;

  hole = (gsize) (slot - self->slots);
  self->n_used--;
  for (i = (hole + 1) & self->mask; self->slots[i].value != 0; i = (i + 1) & self->mask)
    {
      gsize home = self->slots[i].hash & self->mask;

      /* Move it back unless its home lies cyclically behind the hole. */
      if (((i - home) & self->mask) >= ((i - hole) & self->mask))
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
