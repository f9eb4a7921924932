/* Reassembles one direction of a TCP connection incrementally: reorders segments as they arrive.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Most segments waiting behind a gap; at more, the gap counts as lost. */
#define NS_WIRE_ORDER_MAX_WAITING 1024

/**
 * NsWireSegment:
 * @data: (nullable): the captured bytes; %NULL if there are none
 * @captured: number of captured bytes
 * @size: number of bytes, captured or not
 * @seq: TCP sequence number of the first byte
 * @time_ns: time of arrival
 * @index: index of the segment, as the caller counts
 *
 * A segment with data, or a range of a stream.
 */
typedef struct
{
  const guint8 *data;
  gsize captured;
  gsize size;
  guint32 seq;
  gint64 time_ns;
  guint64 index;
} NsWireSegment;

/**
 * NsWireOrderFunc:
 * @bytes: the next bytes of the stream. Bytes that were not captured come as a range of their own,
 *   without data; its time and index are those of the segment that revealed them
 * @user_data: the caller's data
 *
 * Returns: whether more bytes are wanted
 */
typedef gboolean (*NsWireOrderFunc) (const NsWireSegment *bytes, gpointer user_data);

/**
 * NsWireOrder:
 * @waiting: (element-type NsWireSegment) (nullable): segments behind a gap, by sequence number
 * @first: index of the first of @waiting not handed over yet
 * @next: sequence number of the next byte
 * @has_next: whether @next is known
 * @is_over: whether the callback wants no more bytes
 *
 * One direction of a connection. Bytes are handed over in place, so the bytes of waiting segments
 * must stay valid.
 */
typedef struct
{
  GArray *waiting;
  guint first;
  guint32 next;
  gboolean has_next;
  gboolean is_over;
} NsWireOrder;

void ns_wire_order_begin (NsWireOrder *self, guint32 seq);
gboolean ns_wire_order_add (NsWireOrder *self,
                            const NsWireSegment *segment,
                            NsWireOrderFunc func,
                            gpointer user_data);
void ns_wire_order_flush (NsWireOrder *self, NsWireOrderFunc func, gpointer user_data);
void ns_wire_order_clear (NsWireOrder *self);

G_END_DECLS
