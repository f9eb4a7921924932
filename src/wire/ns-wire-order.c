/* Reassembles one direction of a TCP connection incrementally: reorders segments as they arrive.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-order.h"

/**
 * ns_wire_order_begin:
 * @self: a zeroed stream before its first segment
 * @seq: sequence number of the first byte
 *
 * Sets the start of the stream; else it starts with the first segment.
 */
void
ns_wire_order_begin (NsWireOrder *self, guint32 seq)
{
  self->next = seq;
  self->has_next = TRUE;
}

static void
hand_over (NsWireOrder *self, const NsWireSegment *bytes, NsWireOrderFunc func, gpointer user_data)
{
  if (bytes->size > 0 && !self->is_over)
    self->is_over = !func (bytes, user_data);
}

/* Hands over the bytes of a segment that were not handed over before. */
static void
take (NsWireOrder *self, const NsWireSegment *segment, NsWireOrderFunc func, gpointer user_data)
{
  gsize skip = self->next - segment->seq; /* sequence numbers wrap around */
  NsWireSegment bytes = *segment;

  if (skip >= segment->size)
    return;
  bytes.captured = segment->captured > skip ? segment->captured - skip : 0;
  bytes.data = bytes.captured > 0 ? segment->data + skip : NULL;
  bytes.size = bytes.captured;
  bytes.seq = self->next;
  hand_over (self, &bytes, func, user_data);
  bytes.seq += (guint32) bytes.size;
  bytes.size = segment->size - skip - bytes.captured;
  bytes.captured = 0;
  bytes.data = NULL;
  hand_over (self, &bytes, func, user_data);
  self->next = segment->seq + (guint32) segment->size;
}

/* Hands over waiting segments that are now in order; they arrive no earlier than the segment that
 * filled the gap. */
static void
drain (NsWireOrder *self, const NsWireSegment *filler, NsWireOrderFunc func, gpointer user_data)
{
  while (self->waiting != NULL && self->first < self->waiting->len && !self->is_over)
    {
      NsWireSegment segment = g_array_index (self->waiting, NsWireSegment, self->first);

      if ((gint32) (segment.seq - self->next) > 0)
        return;
      if (filler != NULL && filler->time_ns >= segment.time_ns)
        {
          segment.time_ns = filler->time_ns;
          segment.index = filler->index;
        }
      self->first++;
      take (self, &segment, func, user_data);
    }
  if (self->waiting != NULL)
    g_array_set_size (self->waiting, 0);
  self->first = 0;
}

static void
keep (NsWireOrder *self, const NsWireSegment *segment)
{
  guint at;

  if (self->waiting == NULL)
    self->waiting = g_array_new (FALSE, FALSE, sizeof *segment);
  if (self->first > 0)
    {
      g_array_remove_range (self->waiting, 0, self->first);
      self->first = 0;
    }
  for (at = self->waiting->len; at > 0; at--)
    {
      guint32 before = g_array_index (self->waiting, NsWireSegment, at - 1).seq;

      if ((gint32) (segment->seq - before) >= 0)
        break;
    }
  g_array_insert_val (self->waiting, at, *segment);
}

/* Reports the bytes before the first waiting segment as lost. */
static void
skip_gap (NsWireOrder *self, NsWireOrderFunc func, gpointer user_data)
{
  const NsWireSegment *first = &g_array_index (self->waiting, NsWireSegment, self->first);
  NsWireSegment gap = { .size = first->seq - self->next,
                        .seq = self->next,
                        .time_ns = first->time_ns,
                        .index = first->index };

  hand_over (self, &gap, func, user_data);
  self->next = first->seq;
  drain (self, NULL, func, user_data);
}

/**
 * ns_wire_order_add:
 * @self: a stream
 * @segment: a segment with data, in order of arrival
 * @func: (scope call): called with the next bytes of the stream
 * @user_data: for @func
 *
 * Hands over the bytes that are new and in order. Each byte is handed over once; the first copy
 * wins.
 *
 * Returns: whether more segments are wanted
 */
gboolean
ns_wire_order_add (NsWireOrder *self,
                   const NsWireSegment *segment,
                   NsWireOrderFunc func,
                   gpointer user_data)
{
  if (self->is_over)
    return FALSE;
  if (!self->has_next)
    ns_wire_order_begin (self, segment->seq);
  if ((gint32) (segment->seq - self->next) <= 0)
    {
      take (self, segment, func, user_data);
      drain (self, segment, func, user_data);
    }
  else
    {
      keep (self, segment);
      if (self->waiting->len > NS_WIRE_ORDER_MAX_WAITING)
        skip_gap (self, func, user_data);
    }
  if (self->is_over)
    g_clear_pointer (&self->waiting, g_array_unref);
  return !self->is_over;
}

/**
 * ns_wire_order_flush:
 * @self: a stream after its last segment
 * @func: (scope call): called with the next bytes of the stream
 * @user_data: for @func
 *
 * Hands over all waiting segments, and the gaps between them.
 */
void
ns_wire_order_flush (NsWireOrder *self, NsWireOrderFunc func, gpointer user_data)
{
  while (!self->is_over && self->waiting != NULL && self->first < self->waiting->len)
    skip_gap (self, func, user_data);
}

/**
 * ns_wire_order_clear:
 * @self: a stream
 *
 * Frees the waiting segments.
 */
void
ns_wire_order_clear (NsWireOrder *self)
{
  g_clear_pointer (&self->waiting, g_array_unref);
}
