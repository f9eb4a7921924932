/* The index of all records: position and time of each, in 16 bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Number of rows with a common base time and place, as a power of two. */
#define NS_EVENT_BLOCK_BITS 7
#define NS_EVENT_BLOCK_ROWS (1u << NS_EVENT_BLOCK_BITS)

/**
 * NsEventRow:
 * @place: difference from the place of its block, in units of 8 bytes
 * @time: difference from the time of its block, in nanoseconds
 * @stack: its stack; 0: none
 * @provider: dense provider number
 * @id: event ID; 0 for records without one
 *
 * One record. Its time and location are read with ns_trace_get_event_time() and
 * ns_trace_get_event_ref(); the other members are read directly.
 */
typedef struct
{
  guint32 place;
  guint32 time;
  NsStackId stack;
  guint16 provider;
  guint16 id;
} NsEventRow;

G_STATIC_ASSERT (sizeof (NsEventRow) == 16);

/* Full time and location of a row that a 32-bit difference cannot hold. */
typedef struct
{
  gint64 time_ns;
  NsRecordRef ref;
} NsEventWide;

/* Base time and place of a block. @wide: (nullable): one per row, if a difference of the block
 * exceeds 32 bits: in traces with seconds without records, and in damaged ones. */
typedef struct
{
  gint64 time_ns;
  guint64 place;
  NsEventWide *wide;
} NsEventBlock;

void ns_event_index_init (NsTrace *trace);
void
ns_trace_add_event (NsTrace *self, NsRecordRef ref, gint64 time_ns, guint16 provider, guint16 id);
void ns_trace_sort_events (NsTrace *self);
guint ns_trace_find_event_from (const NsTrace *self, gint64 time_ns);

static inline const NsEventRow *
ns_trace_get_event (const NsTrace *self, guint row)
{
  return &g_array_index (self->events, NsEventRow, row);
}

/* Returns the time of a row, in ns since the trace header. */
static inline gint64
ns_trace_get_event_time (const NsTrace *self, guint row)
{
  const NsEventBlock *block =
      &g_array_index (self->event_blocks, NsEventBlock, row >> NS_EVENT_BLOCK_BITS);

  if (G_UNLIKELY (block->wide != NULL))
    return block->wide[row % NS_EVENT_BLOCK_ROWS].time_ns;
  return block->time_ns + ns_trace_get_event (self, row)->time;
}

/* Returns the location of the record in the file. */
static inline NsRecordRef
ns_trace_get_event_ref (const NsTrace *self, guint row)
{
  const NsEventBlock *block =
      &g_array_index (self->event_blocks, NsEventBlock, row >> NS_EVENT_BLOCK_BITS);
  guint64 place;

  if (G_UNLIKELY (block->wide != NULL))
    return block->wide[row % NS_EVENT_BLOCK_ROWS].ref;
  place = block->place + ns_trace_get_event (self, row)->place;
  return (NsRecordRef){
    .buffer = (guint32) (place >> self->event_buffer_bits),
    .offset = (guint32) (place & (((guint64) 1 << self->event_buffer_bits) - 1)) << 3,
  };
}

G_END_DECLS
