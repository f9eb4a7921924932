/* Finds rows of a table by a key of two words and a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-time.h"
#include "engine/trace/ns-interval-index.h"

/**
 * ns_interval_index_init: (skip)
 * @self: (out): an empty index
 */
void
ns_interval_index_init (NsIntervalIndex *self)
{
  self->slots = ns_map_new ();
  self->lives = g_array_new (FALSE, FALSE, sizeof (NsLife));
  self->begins = NULL;
  self->n_most = 0;
}

/**
 * ns_interval_index_clear: (skip)
 * @self: an index
 */
void
ns_interval_index_clear (NsIntervalIndex *self)
{
  g_clear_pointer (&self->slots, ns_map_free);
  g_clear_pointer (&self->lives, g_array_unref);
  g_clear_pointer (&self->begins, g_free);
}

/**
 * ns_interval_index_add: (skip)
 * @self: an index that is not settled
 * @a: first word of the key
 * @b: second word
 * @row: a row, 1-based
 * @open_ns: when it began; %NS_TIME_NONE for before the trace
 */
void
ns_interval_index_add (NsIntervalIndex *self, guint64 a, guint64 b, guint32 row, gint64 open_ns)
{
  NsLife life = { ns_time_is_set (open_ns) ? open_ns : G_MININT64, row, 0 };

  life.slot = ns_map_get (self->slots, a, b);
  if (life.slot == 0)
    {
      life.slot = ns_map_get_size (self->slots) + 1;
      ns_map_set (self->slots, a, b, life.slot);
    }
  g_array_append_val (self->lives, life);
}

static int
compare_lives (gconstpointer a, gconstpointer b, gpointer data)
{
  const NsLife *left = a;
  const NsLife *right = b;

  if (left->open_ns != right->open_ns)
    return left->open_ns < right->open_ns ? -1 : 1;
  return (left->row > right->row) - (left->row < right->row);
}

static void
sort_slot (NsLife *lives, guint n_lives)
{
  guint i;

  for (i = 1; i < n_lives; i++)
    if (compare_lives (&lives[i - 1], &lives[i], NULL) > 0)
      {
        g_qsort_with_data (lives, (gint) n_lives, sizeof *lives, compare_lives, NULL);
        return;
      }
}

/**
 * ns_interval_index_settle: (skip)
 * @self: an index, with all its rows
 *
 * Sorts the rows; must be called once before look-ups.
 */
void
ns_interval_index_settle (NsIntervalIndex *self)
{
  guint n_slots = ns_map_get_size (self->slots);
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (NsLife), self->lives->len);
  g_autofree guint32 *ends = g_new0 (guint32, (gsize) n_slots + 2);
  guint i;

  g_array_set_size (sorted, self->lives->len);
  for (i = 0; i < self->lives->len; i++)
    ends[g_array_index (self->lives, NsLife, i).slot]++;
  for (i = 1; i <= n_slots; i++)
    ends[i] += ends[i - 1];
  self->begins = g_new (guint32, (gsize) n_slots + 2);
  self->begins[0] = 0;
  for (i = 0; i <= n_slots; i++)
    self->begins[i + 1] = ends[i];
  for (i = self->lives->len; i > 0; i--)
    {
      const NsLife *life = &g_array_index (self->lives, NsLife, i - 1);

      g_array_index (sorted, NsLife, --ends[life->slot]) = *life;
    }
  g_array_unref (self->lives);
  self->lives = sorted;
  for (i = 1; i <= n_slots; i++)
    {
      guint n_lives = self->begins[i + 1] - self->begins[i];

      sort_slot (&g_array_index (sorted, NsLife, self->begins[i]), n_lives);
      self->n_most = MAX (self->n_most, n_lives);
    }
}

/**
 * ns_interval_index_get: (skip)
 * @self: a settled index
 * @a: first word of the key
 * @b: second word
 * @n_lives: (out): number of rows
 *
 * Returns: (array length=n_lives) (nullable): the rows of the key, in the order of their begin
 */
const NsLife *
ns_interval_index_get (const NsIntervalIndex *self, guint64 a, guint64 b, guint *n_lives)
{
  guint32 slot = ns_map_get (self->slots, a, b);

  *n_lives = slot != 0 ? self->begins[slot + 1] - self->begins[slot] : 0;
  return *n_lives > 0 ? &g_array_index (self->lives, NsLife, self->begins[slot]) : NULL;
}

/**
 * ns_interval_index_count_until: (skip)
 * @lives: (array length=n_lives) (nullable): rows in the order of their begin
 * @n_lives: number of rows
 * @time_ns: a time
 *
 * Returns: the number of rows that began at that time or before
 */
guint
ns_interval_index_count_until (const NsLife *lives, guint n_lives, gint64 time_ns)
{
  guint low = 0;
  guint high = n_lives;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (lives[middle].open_ns <= time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
