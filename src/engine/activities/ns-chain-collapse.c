/* Removes repeated cycles from a chain, as of work that requeues itself.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain.h"

/* Length of a chain from which on only short cycles are searched. */
#define LONG_CHAIN 2000
#define LONG_CHAIN_MAX_PERIOD 64
/* Maximum number of comparisons per chain; after these the rest is not collapsed. */
#define MAX_WORK 40000000

typedef struct
{
  guint size; /* elements to remove */
  guint period;
  guint start;
} Cycle;

static gboolean
is_better (const Cycle *a, const Cycle *b)
{
  if (a->size != b->size)
    return a->size > b->size;
  if (a->period != b->period)
    return a->period < b->period;
  return a->start < b->start;
}

/* Finds repetitions with one period; ignores cycles without a stack. */
static void
find_with_period (const NsStackId *stacks,
                  guint n,
                  guint period,
                  const guint *n_before,
                  Cycle *best)
{
  guint n_same = 0;
  guint i;

  for (i = period; i <= n; i++)
    {
      Cycle cycle = { .period = period };

      if (i < n && stacks[i] == stacks[i - period])
        {
          n_same++;
          continue;
        }
      cycle.size = n_same / period * period;
      cycle.start = i - cycle.size;
      n_same = 0;
      if (cycle.size > 0 && n_before[i] > n_before[cycle.start] && is_better (&cycle, best))
        *best = cycle;
    }
}

/**
 * ns_chain_collapse:
 * @self: a chain
 *
 * Removes repeated cycles, the longest first, and stores the number of removed elements in the
 * element after them. The first and the last element are kept.
 */
void
ns_chain_collapse (NsChain *self)
{
  g_autofree NsStackId *stacks = g_new (NsStackId, self->elements->len + 1);
  g_autofree guint *n_before = g_new (guint, self->elements->len + 1);
  guint64 work = 0;

  while (self->elements->len > 2 && work < MAX_WORK)
    {
      guint n = self->elements->len - 1;
      guint max_period = n > LONG_CHAIN ? LONG_CHAIN_MAX_PERIOD : n / 2;
      Cycle best = { 0, 0, 0 };
      guint omitted = 0;
      guint i;

      n_before[0] = 0;
      for (i = 0; i < n; i++)
        {
          stacks[i] = g_array_index (self->elements, NsChainElement, i).stack;
          n_before[i + 1] = n_before[i] + (stacks[i] != 0);
        }
      for (i = 1; i <= max_period; i++)
        find_with_period (stacks, n, i, n_before, &best);
      work += (guint64) n * max_period;
      if (best.size == 0)
        return;
      for (i = best.start; i < best.start + best.size; i++)
        omitted += 1 + g_array_index (self->elements, NsChainElement, i).omitted;
      g_array_index (self->elements, NsChainElement, best.start + best.size).omitted += omitted;
      g_array_remove_range (self->elements, best.start, best.size);
    }
}
