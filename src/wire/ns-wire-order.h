/* Puts the segments of one direction of a connection in order as they come.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Segments that wait for the one before them, at most; then that one counts as lost. */
#define NS_WIRE_ORDER_MAX_WAITING 1024

/**
 * NsWireSegment:
 * @data: (nullable): its bytes, as far as they were captured; %NULL when none were
 * @captured: how many
 * @size: how many it has
 * @seq: number of the first, of TCP
 * @time_ns: when it came
 * @index: which one it is, as the caller counts them
 *
 * One segment with data, or a stretch of a stream.
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
 * @bytes: what comes next in the stream; bytes that were not captured have a stretch of their own,
 *   without data. Its time and index are those of the segment that made it known
 * @user_data: the caller's
 *
 * Returns: whether more is wanted
 */
typedef gboolean (*NsWireOrderFunc) (const NsWireSegment *bytes, gpointer user_data);

/**
 * NsWireOrder:
 * @waiting: (element-type NsWireSegment) (nullable): segments behind a gap, by their numbers
 * @first: of @waiting that was not handed over yet
 * @next: number of the byte that comes next
 * @has_next: whether that is known
 * @is_over: nothing more is wanted
 *
 * A stream. Bytes are handed over where they are, without a copy, so that those of segments that
 * wait must stay.
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
