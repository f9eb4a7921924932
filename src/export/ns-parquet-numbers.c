/* The distinct numbers of a column of a Parquet file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet-numbers.h"

#include "base/ns-hash.h"
#include "export/ns-parquet-texts.h"

#include <string.h>

/* Maximum number of distinct numbers in a dictionary. */
#define MAX_DISTINCT 65536
/* Minimum size of the hash table, of which at most half is used. */
#define MIN_SLOTS 256
#define MAX_SLOTS (2 * MAX_DISTINCT)
/* From this size on, slots are prefetched, and number of values that this is ahead. */
#define FAR_SLOTS 4096
#define VALUES_AHEAD 8

/**
 * ns_parquet_numbers_init: (skip)
 * @self: (out): a dictionary, to be cleared
 */
void
ns_parquet_numbers_init (NsParquetNumbers *self)
{
  self->numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->codes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->slots = g_new (guint32, MAX_SLOTS);
  self->n_slots = 0;
}

/**
 * ns_parquet_numbers_clear: (skip)
 * @self: a dictionary
 */
void
ns_parquet_numbers_clear (NsParquetNumbers *self)
{
  g_array_unref (self->numbers);
  g_array_unref (self->codes);
  g_free (self->slots);
}

static guint
get_first_slot (const NsParquetNumbers *self, const NsHashKey *key, gint64 value)
{
  return ns_hash_bytes (key, (const char *) &value, sizeof value) & (self->n_slots - 1);
}

/* Returns the slot of a number, or a free slot for it. */
static guint32 *
find_slot (const NsParquetNumbers *self, const NsHashKey *key, gint64 value)
{
  guint mask = self->n_slots - 1;
  guint at = get_first_slot (self, key, value);

  while (self->slots[at] != 0 &&
         g_array_index (self->numbers, gint64, self->slots[at] - 1) != value)
    at = (at + 1) & mask;
  return &self->slots[at];
}

/* Sets the size of the hash table: a table for few distinct numbers is small, and stays in the
 * CPU caches. */
static void
set_n_slots (NsParquetNumbers *self, const NsHashKey *key, guint n_slots)
{
  guint i;

  self->n_slots = n_slots;
  memset (self->slots, 0, n_slots * sizeof *self->slots);
  for (i = 0; i < self->numbers->len; i++)
    *find_slot (self, key, g_array_index (self->numbers, gint64, i)) = i + 1;
}

/**
 * ns_parquet_numbers_code: (skip)
 * @self: (inout): a dictionary, which is replaced
 * @values: (element-type gint64): values of a column
 *
 * Builds a dictionary of the values, unless they have too many distinct ones for it to save space.
 *
 * Returns: whether it has all values
 */
gboolean
ns_parquet_numbers_code (NsParquetNumbers *self, const GArray *values)
{
  const NsHashKey *key = ns_hash_get_key ();
  guint32 code = 0;
  guint i;

  if (values->len < 2)
    return FALSE;
  g_array_set_size (self->numbers, 0);
  g_array_set_size (self->codes, values->len);
  set_n_slots (self, key, MIN_SLOTS);
  for (i = 0; i < values->len; i++)
    {
      gint64 value = g_array_index (values, gint64, i);
      guint32 *slot;

      if (self->n_slots >= FAR_SLOTS && i + VALUES_AHEAD < values->len)
        __builtin_prefetch (
            &self->slots[get_first_slot (self,
                                         key,
                                         g_array_index (values, gint64, i + VALUES_AHEAD))]);
      /* Consecutive values are often equal. */
      if (i > 0 && value == g_array_index (values, gint64, i - 1))
        {
          g_array_index (self->codes, guint32, i) = code;
          continue;
        }
      slot = find_slot (self, key, value);
      if (*slot == 0)
        {
          if (self->numbers->len >= MAX_DISTINCT || self->numbers->len * 2 > values->len ||
              (i < NS_PARQUET_LOOK && self->numbers->len >= NS_PARQUET_MANY_IN_LOOK))
            return FALSE;
          g_array_append_val (self->numbers, value);
          *slot = self->numbers->len;
          code = self->numbers->len - 1;
          if (self->numbers->len * 2 > self->n_slots)
            set_n_slots (self, key, self->n_slots * 2);
        }
      else
        code = *slot - 1;
      g_array_index (self->codes, guint32, i) = code;
    }
  return TRUE;
}
