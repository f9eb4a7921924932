/* Radix sort. Most keys differ in few bits, and row numbers have few: if both fit into one word,
 * words are sorted instead of items of twice the size.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-radix.h"

#include <string.h>

/* Bits of a digit: with more bits there are fewer passes, but more write positions than the
 * first-level cache holds. */
#define DIGIT_BITS 11
/* Minimum size of an array for which 2^11 digits are counted. */
#define FEW 1024

/* Properties of the keys, before they are sorted. */
typedef struct
{
  guint64 lowest;
  guint64 highest;
  guint32 last_place;
  gboolean is_sorted;
} Extent;

static void
measure (const NsRadixItem *items, guint n_items, Extent *extent)
{
  guint64 lowest = G_MAXUINT64;
  guint64 highest = 0;
  guint64 before = 0;
  guint32 last_place = 0;
  gboolean is_sorted = TRUE;
  guint i;

  for (i = 0; i < n_items; i++)
    {
      guint64 key = items[i].key;

      is_sorted &= key >= before;
      before = key;
      lowest = MIN (lowest, key);
      highest = MAX (highest, key);
      last_place = MAX (last_place, items[i].place);
    }
  extent->lowest = lowest;
  extent->highest = highest;
  extent->last_place = last_place;
  extent->is_sorted = is_sorted;
}

static guint
count_bits (guint64 number)
{
  guint n_bits = 0;

  for (; number != 0; number >>= 1)
    n_bits++;
  return n_bits;
}

/* Computes the first position of each digit from the counts. */
static void
place_digits (guint32 *digits, guint n_digits)
{
  guint32 next = 0;
  guint i;

  for (i = 0; i < n_digits; i++)
    {
      guint32 count = digits[i];

      digits[i] = next;
      next += count;
    }
}

/* Sorts words, each a key above a position; the positions are not compared. */
static void
sort_words (NsRadixItem *items, NsRadixItem *spare, guint n_items, const Extent *extent)
{
  guint place_bits = count_bits (extent->last_place);
  guint key_bits = count_bits (extent->highest - extent->lowest);
  guint n_ways = (key_bits + DIGIT_BITS - 1) / DIGIT_BITS;
  guint digit_bits = (key_bits + n_ways - 1) / n_ways;
  guint64 place_mask = (G_GUINT64_CONSTANT (1) << place_bits) - 1;
  guint64 mask = (1u << digit_bits) - 1;
  guint64 *from = (guint64 *) (gpointer) spare;
  guint64 *to = from + n_items;
  guint32 digits[1 << DIGIT_BITS];
  guint shift;
  guint i;

  for (i = 0; i < n_items; i++)
    from[i] = (items[i].key - extent->lowest) << place_bits | items[i].place;
  for (shift = place_bits; shift < place_bits + key_bits; shift += digit_bits)
    {
      guint64 *swap = from;

      memset (digits, 0, sizeof *digits << digit_bits);
      for (i = 0; i < n_items; i++)
        digits[from[i] >> shift & mask]++;
      place_digits (digits, 1u << digit_bits);
      for (i = 0; i < n_items; i++)
        to[digits[from[i] >> shift & mask]++] = from[i];
      from = to;
      to = swap;
    }
  for (i = 0; i < n_items; i++)
    {
      items[i].key = (from[i] >> place_bits) + extent->lowest;
      items[i].place = (guint32) (from[i] & place_mask);
    }
}

static void
sort_items (NsRadixItem *items, NsRadixItem *spare, guint n_items, const Extent *extent)
{
  guint64 different = extent->lowest ^ extent->highest;
  NsRadixItem *from = items;
  NsRadixItem *to = spare;
  guint shift;
  guint i;

  for (shift = 0; shift < 64 && different >> shift != 0; shift += 8)
    {
      guint32 digits[256] = { 0 };
      NsRadixItem *swap = from;

      for (i = 0; i < n_items; i++)
        digits[from[i].key >> shift & 0xff]++;
      if (digits[from[0].key >> shift & 0xff] == n_items)
        continue;
      place_digits (digits, G_N_ELEMENTS (digits));
      for (i = 0; i < n_items; i++)
        to[digits[from[i].key >> shift & 0xff]++] = from[i];
      from = to;
      to = swap;
    }
  if (from != items)
    memcpy (items, from, sizeof *items * n_items);
}

/**
 * ns_radix_sort: (skip)
 * @items: (array length=n_items): items; the smallest key comes first
 * @spare: (array length=n_items): scratch memory of the same size; undefined afterwards
 * @n_items: number of items
 *
 * The sort is stable.
 */
void
ns_radix_sort (NsRadixItem *items, NsRadixItem *spare, guint n_items)
{
  Extent extent;

  measure (items, n_items, &extent);
  if (extent.is_sorted)
    return;
  if (n_items > FEW &&
      count_bits (extent.last_place) + count_bits (extent.highest - extent.lowest) <= 64)
    sort_words (items, spare, n_items, &extent);
  else
    sort_items (items, spare, n_items, &extent);
}
