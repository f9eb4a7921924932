/* Sets of TCP sequence numbers, to count the new bytes of a segment.
 *
 * The send events of a connection come from several processors and out of order, so the highest
 * number alone does not distinguish a retransmission from a late event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-ranges.h"

#include <string.h>

/* Maximum number of spans: gaps are rare, and a stream with more of them has lost events. */
#define NS_RANGES_MAX_SPANS 512

/* Value of @begin if the list is used; begins of spans are larger. */
#define IS_LIST 1
#define FIRST_NUMBER ((guint64) 1 << 62)

/* A set with several spans, or whose span does not end with the newest segment. */
struct _NsRangesList
{
  guint64 (*spans)[2]; /* begin and end, ascending, disjoint */
  guint32 n_spans;
  guint32 n_alloc;
  guint64 last; /* end of the newest segment, relative to which the next one is unrolled */
};

/* Finds the first span whose end is at or after @begin. */
static guint32
lower_bound (const NsRangesList *self, guint64 begin)
{
  guint32 low = 0;
  guint32 high = self->n_spans;

  /* Fast path: nearly always it is the last span. */
  if (high > 0 && self->spans[high - 1][0] <= begin)
    return self->spans[high - 1][1] >= begin ? high - 1 : high;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->spans[middle][1] < begin)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
remove_spans (NsRangesList *self, guint32 at, guint32 n)
{
  if (n == 0)
    return;
  memmove (self->spans + at,
           self->spans + at + n,
           (self->n_spans - at - n) * sizeof self->spans[0]);
  self->n_spans -= n;
}

static void
insert_span (NsRangesList *self, guint32 at, guint64 begin, guint64 end)
{
  if (self->n_spans == NS_RANGES_MAX_SPANS)
    {
      /* Close the oldest gap: its bytes then count as sent. */
      if (at == 1)
        return;
      self->spans[1][0] = self->spans[0][0];
      remove_spans (self, 0, 1);
      at = at > 0 ? at - 1 : 0;
    }
  if (self->n_spans == self->n_alloc)
    {
      self->n_alloc = self->n_alloc == 0 ? 2 : self->n_alloc * 2;
      self->spans = g_realloc_n (self->spans, self->n_alloc, sizeof self->spans[0]);
    }
  memmove (self->spans + at + 1, self->spans + at, (self->n_spans - at) * sizeof self->spans[0]);
  self->spans[at][0] = begin;
  self->spans[at][1] = end;
  self->n_spans++;
}

/* Unrolls a sequence number to 64 bits, to the value nearest to the newest segment. */
static guint64
unroll (guint64 last, guint32 number)
{
  return last + (guint64) (gint64) (gint32) (number - (guint32) last);
}

static guint32
add_to_list (NsRangesList *self, guint64 from, guint32 n_bytes)
{
  guint64 to = from + n_bytes;
  guint64 old = 0;
  guint32 first = lower_bound (self, from);
  guint32 last = first;

  self->last = to;
  while (last < self->n_spans && self->spans[last][0] <= to)
    {
      guint64 overlap_from = MAX (from, self->spans[last][0]);
      guint64 overlap_to = MIN (to, self->spans[last][1]);

      if (overlap_to > overlap_from)
        old += MIN (overlap_to - overlap_from, n_bytes);
      last++;
    }

  if (last == first)
    insert_span (self, first, from, to);
  else
    {
      self->spans[first][0] = MIN (self->spans[first][0], from);
      self->spans[first][1] = MAX (self->spans[last - 1][1], to);
      remove_spans (self, first + 1, last - first - 1);
    }
  return n_bytes - (guint32) MIN (old, n_bytes);
}

static void
make_list (NsRanges *self)
{
  NsRangesList *list = g_new0 (NsRangesList, 1);

  list->last = self->end;
  insert_span (list, 0, self->begin, self->end);
  self->begin = IS_LIST;
  self->list = list;
}

/**
 * ns_ranges_add:
 * @self: a set
 * @begin: sequence number of the first byte of a segment
 * @n_bytes: its length
 *
 * Adds a segment.
 *
 * Returns: number of its bytes that are new to the set
 */
guint32
ns_ranges_add (NsRanges *self, guint32 begin, guint32 n_bytes)
{
  guint64 from;
  guint64 old;

  if (n_bytes == 0)
    return 0;
  if (self->begin == IS_LIST)
    return add_to_list (self->list, unroll (self->list->last, begin), n_bytes);
  if (self->begin == 0)
    {
      self->begin = FIRST_NUMBER + begin;
      self->end = self->begin + n_bytes;
      return n_bytes;
    }
  from = unroll (self->end, begin);
  if (from < self->begin || from > self->end || from + n_bytes < self->end)
    {
      make_list (self);
      return add_to_list (self->list, from, n_bytes);
    }
  old = MIN (self->end - from, n_bytes);
  self->end = from + n_bytes;
  return n_bytes - (guint32) old;
}

/**
 * ns_ranges_get_end:
 * @self: a set
 * @end: (out): number after the highest byte
 *
 * Returns: %FALSE if the set is empty
 */
gboolean
ns_ranges_get_end (const NsRanges *self, guint32 *end)
{
  guint64 highest = self->end;

  if (self->begin == 0)
    return FALSE;
  if (self->begin == IS_LIST)
    highest = self->list->spans[self->list->n_spans - 1][1];
  *end = (guint32) highest;
  return TRUE;
}

/**
 * ns_ranges_clear:
 * @self: a set
 *
 * Empties the set and frees its memory.
 */
void
ns_ranges_clear (NsRanges *self)
{
  if (self->begin == IS_LIST)
    {
      g_free (self->list->spans);
      g_free (self->list);
    }
  memset (self, 0, sizeof *self);
}
