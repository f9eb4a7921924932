/* The set of captured sequence numbers of one direction of a connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-bytes.h"

#include <string.h>

/* The initial position: it leaves room for late numbers, which are at most 2^31 lower. */
#define ORIGIN (G_GINT64_CONSTANT (1) << 33)

typedef struct
{
  gint64 begin;
  gint64 end;
  gboolean is_probe;
} NsFlowStretch;

/* Size of a union of ranges, which must be added in the order of their begins. */
typedef struct
{
  guint64 sum;
  gint64 reached;
} NsFlowUnion;

/**
 * ns_flow_bytes_init:
 * @self: (out): an empty set
 */
void
ns_flow_bytes_init (NsFlowBytes *self)
{
  memset (self, 0, sizeof *self);
}

/**
 * ns_flow_bytes_clear:
 * @self: a set
 *
 * Frees its memory.
 */
void
ns_flow_bytes_clear (NsFlowBytes *self)
{
  g_clear_pointer (&self->apart, g_array_unref);
}

/* Returns the position with this sequence number that is nearest to the highest one. */
static gint64
place_of (const NsFlowBytes *self, guint32 seq)
{
  if (self->highest == 0)
    return ORIGIN + seq;
  return self->highest + (gint32) (seq - (guint32) self->highest);
}

static void
see (NsFlowBytes *self, gint64 begin, gint64 end)
{
  self->lowest = self->highest != 0 ? MIN (self->lowest, begin) : begin;
  self->highest = MAX (self->highest, end);
}

/**
 * ns_flow_bytes_see:
 * @self: a set
 * @seq: a sequence number that a segment used without data, or the first one
 *
 * Numbers between this and data count as missing unless they are captured.
 */
void
ns_flow_bytes_see (NsFlowBytes *self, guint32 seq)
{
  gint64 place = place_of (self, seq);

  see (self, place, place);
}

static void
put_apart (NsFlowBytes *self, gint64 begin, gint64 end, gboolean is_probe)
{
  NsFlowStretch stretch = { begin, end, is_probe };

  if (self->apart == NULL)
    self->apart = g_array_new (FALSE, FALSE, sizeof stretch);
  g_array_append_val (self->apart, stretch);
}

/**
 * ns_flow_bytes_add:
 * @self: a set
 * @seq: number of the first byte
 * @size: bytes of data, not 0
 *
 * Adds the data of a segment.
 */
void
ns_flow_bytes_add (NsFlowBytes *self, guint32 seq, guint32 size)
{
  gint64 begin = place_of (self, seq);
  gint64 end = begin + size;

  see (self, begin, end);
  if (self->end == 0)
    {
      self->begin = begin;
      self->end = end;
    }
  else if (begin >= self->begin && begin <= self->end)
    self->end = MAX (self->end, end);
  else if (begin > self->end)
    {
      put_apart (self, self->begin, self->end, FALSE);
      self->begin = begin;
      self->end = end;
    }
  else
    put_apart (self, begin, end, FALSE);
}

/**
 * ns_flow_bytes_add_probe:
 * @self: a set
 * @seq: number of the byte
 *
 * Adds the byte of a zero-window probe. It is the next byte of the stream (RFC 9293, 3.8.6.1): a
 * receiver that takes it is not sent it again, one that does not take it is.
 */
void
ns_flow_bytes_add_probe (NsFlowBytes *self, guint32 seq)
{
  gint64 begin = place_of (self, seq);
  const NsFlowStretch *last = NULL;

  see (self, begin, begin + 1);
  if (self->apart != NULL)
    last = &g_array_index (self->apart, NsFlowStretch, self->apart->len - 1);
  if (last == NULL || !last->is_probe || last->begin != begin)
    put_apart (self, begin, begin + 1, TRUE);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const NsFlowStretch *left = a;
  const NsFlowStretch *right = b;

  return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static void
unite (NsFlowUnion *self, const NsFlowStretch *stretch)
{
  gint64 begin = MAX (self->reached, stretch->begin);

  if (stretch->end > begin)
    self->sum += (guint64) (stretch->end - begin);
  self->reached = MAX (self->reached, stretch->end);
}

/**
 * ns_flow_bytes_sum:
 * @self: a set
 * @n_of_probes: (out): of the returned number, those that only probes carried
 * @n_missing: (out): sequence numbers between the first and the last one that no segment carried
 *
 * Returns: sequence numbers that carried data
 */
guint64
ns_flow_bytes_sum (NsFlowBytes *self, guint64 *n_of_probes, guint64 *n_missing)
{
  NsFlowUnion all = { 0, G_MININT64 };
  NsFlowUnion without_probes = all;
  guint i;

  if (self->end != 0 && self->apart == NULL)
    all.sum = without_probes.sum = (guint64) (self->end - self->begin);
  else if (self->apart != NULL)
    {
      if (self->end != 0)
        put_apart (self, self->begin, self->end, FALSE);
      self->end = 0;
      g_array_sort (self->apart, compare);
      for (i = 0; i < self->apart->len; i++)
        {
          const NsFlowStretch *stretch = &g_array_index (self->apart, NsFlowStretch, i);

          unite (&all, stretch);
          if (!stretch->is_probe)
            unite (&without_probes, stretch);
        }
    }
  *n_of_probes = all.sum - without_probes.sum;
  *n_missing = (guint64) (self->highest - self->lowest) - all.sum;
  return all.sum;
}
