/* Work that queues itself again and again: the repeated cycles of a chain are left out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-chain.h"

/* Beyond so many elements only short cycles are looked for. */
#define LONG_CHAIN 2000
#define LONG_CHAIN_MAX_PERIOD 64
/* Comparisons for one chain: what is left over then stays as it is. */
#define MAX_WORK 40000000

typedef struct
{
  guint size; /* elements to leave out */
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

/* Repeats with one period; those without any stack say nothing. */
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
 * Leaves repeated cycles out, the longest first, and notes at the element behind each how many
 * elements that were. The first and the last element stay.
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
