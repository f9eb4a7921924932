/* Sorting by numbers, byte for byte.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-radix.h"

/**
 * ns_radix_sort: (skip)
 * @items: (array length=n_items): items
 * @spare: (array length=n_items): room for as many
 * @n_items: how many
 *
 * Least significant byte first; bytes that are the same in all keys are passed over. Items of the
 * same key stay in the order they had.
 *
 * Returns: @items or @spare: where they are, the smallest key first; the other one holds nothing of
 *   use
 */
NsRadixItem *
ns_radix_sort (NsRadixItem *items, NsRadixItem *spare, guint n_items)
{
  guint64 all_or = 0;
  guint64 all_and = G_MAXUINT64;
  guint shift;
  guint i;

  for (i = 0; i < n_items; i++)
    {
      all_or |= items[i].key;
      all_and &= items[i].key;
    }
  for (shift = 0; shift < 64; shift += 8)
    {
      guint32 places[256] = { 0 };
      guint32 next = 0;
      NsRadixItem *swap;

      if (((all_or ^ all_and) >> shift & 0xff) == 0)
        continue;
      for (i = 0; i < n_items; i++)
        places[items[i].key >> shift & 0xff]++;
      for (i = 0; i < G_N_ELEMENTS (places); i++)
        {
          guint32 count = places[i];

          places[i] = next;
          next += count;
        }
      for (i = 0; i < n_items; i++)
        spare[places[items[i].key >> shift & 0xff]++] = items[i];
      swap = items;
      items = spare;
      spare = swap;
    }
  return items;
}
