/* Builds the index of all records, in time order.
 *
 * A record is located by the number of its buffer and its offset there; both are combined into its
 * place, in units of 8 bytes. Rows store place and time as 32-bit differences from those of their
 * block. A block in which a difference does not fit becomes a wide block.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"

/* Minimum size of a buffer, 64 KiB, in units of 8 bytes. */
#define MIN_BUFFER_BITS 13

static void
block_clear (gpointer data)
{
  NsEventBlock *self = data;

  g_free (self->wide);
}

/**
 * ns_event_index_init: (skip)
 * @trace: a trace without events
 *
 * Creates the base times and places of the rows. If the trace has a file, it must already be open.
 */
void
ns_event_index_init (NsTrace *trace)
{
  guint32 size = trace->file != NULL ? ns_etl_file_get_max_buffer (trace->file) : 0;

  trace->event_blocks = g_array_new (FALSE, TRUE, sizeof (NsEventBlock));
  g_array_set_clear_func (trace->event_blocks, block_clear);
  trace->event_buffer_bits = MAX (g_bit_storage ((size + 7) / 8), MIN_BUFFER_BITS);
}

static guint64
place_of (const NsTrace *self, NsRecordRef ref)
{
  return (guint64) ref.buffer << self->event_buffer_bits | ref.offset >> 3;
}

/* Returns whether place_of() can represent the location: damaged buffers may be larger than the
 * file header says, and their records may start at any offset. */
static gboolean
has_place (const NsTrace *self, NsRecordRef ref)
{
  return ref.offset % 8 == 0 && ref.offset >> 3 < (guint64) 1 << self->event_buffer_bits;
}

/* Adds a block. Its base place is lowered, as records in buffers of other processors may lie
 * before the block's first record. */
static NsEventBlock *
add_block (NsTrace *self, NsRecordRef ref, gint64 time_ns)
{
  guint64 place = place_of (self, ref);
  NsEventBlock block = {
    .time_ns = time_ns,
    .place = place > G_MAXUINT32 / 2 ? place - G_MAXUINT32 / 2 : 0,
  };

  g_array_append_val (self->event_blocks, block);
  return &g_array_index (self->event_blocks, NsEventBlock, self->event_blocks->len - 1);
}

static void
widen (NsTrace *self, NsEventBlock *block, guint first)
{
  NsEventWide *wide = g_new0 (NsEventWide, NS_EVENT_BLOCK_ROWS);
  guint n = MIN (self->events->len - first, NS_EVENT_BLOCK_ROWS);
  guint i;

  for (i = 0; i < n; i++)
    {
      wide[i].time_ns = ns_trace_get_event_time (self, first + i);
      wide[i].ref = ns_trace_get_event_ref (self, first + i);
    }
  block->wide = wide;
}

/* Sets the time and place of an existing row. */
static void
set_moment (NsTrace *self, guint row, NsRecordRef ref, gint64 time_ns)
{
  NsEventBlock *block =
      &g_array_index (self->event_blocks, NsEventBlock, row >> NS_EVENT_BLOCK_BITS);
  NsEventRow *event = &g_array_index (self->events, NsEventRow, row);
  guint64 time = (guint64) time_ns - (guint64) block->time_ns;
  guint64 place = place_of (self, ref) - block->place;

  if (G_LIKELY (block->wide == NULL))
    {
      if (G_LIKELY (time <= G_MAXUINT32 && place <= G_MAXUINT32 && has_place (self, ref)))
        {
          event->time = (guint32) time;
          event->place = (guint32) place;
          return;
        }
      widen (self, block, row & ~(NS_EVENT_BLOCK_ROWS - 1));
    }
  block->wide[row % NS_EVENT_BLOCK_ROWS] = (NsEventWide){ .time_ns = time_ns, .ref = ref };
}

/**
 * ns_trace_add_event: (skip)
 * @self: the trace that is being built
 * @ref: location of the record
 * @time_ns: its time, not before that of the previous row
 * @provider: its dense provider number
 * @id: its event id, or 0
 *
 * Adds a row to the table of events.
 */
void
ns_trace_add_event (NsTrace *self, NsRecordRef ref, gint64 time_ns, guint16 provider, guint16 id)
{
  NsEventRow event = { .provider = provider, .id = id };
  guint row = self->events->len;

  if (row % NS_EVENT_BLOCK_ROWS == 0)
    add_block (self, ref, time_ns);
  g_array_append_val (self->events, event);
  set_moment (self, row, ref, time_ns);
}

/* One of several records with the same time. */
typedef struct
{
  NsRecordRef ref;
  NsEventRow event;
} Tied;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const NsRecordRef *left = &((const Tied *) a)->ref;
  const NsRecordRef *right = &((const Tied *) b)->ref;

  if (left->buffer != right->buffer)
    return left->buffer < right->buffer ? -1 : 1;
  return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static void
sort_tied (NsTrace *self, guint begin, guint end, GArray *tied)
{
  gint64 time_ns = ns_trace_get_event_time (self, begin);
  guint i;

  g_array_set_size (tied, 0);
  for (i = begin; i < end; i++)
    {
      Tied one = { ns_trace_get_event_ref (self, i), *ns_trace_get_event (self, i) };

      g_array_append_val (tied, one);
    }
  g_array_sort (tied, compare_places);
  for (i = begin; i < end; i++)
    {
      const Tied *one = &g_array_index (tied, Tied, i - begin);

      g_array_index (self->events, NsEventRow, i) = one->event;
      set_moment (self, i, one->ref, time_ns);
    }
}

/**
 * ns_trace_sort_events: (skip)
 * @self: the trace that is being built
 *
 * Sorts records with equal times by place. Correlation needs another order, but other tools list
 * them by place, so that record numbers are the same as theirs.
 */
void
ns_trace_sort_events (NsTrace *self)
{
  g_autoptr (GArray) tied = g_array_new (FALSE, FALSE, sizeof (Tied));
  guint n = self->events->len;
  guint begin;
  guint end;

  for (begin = 0; begin < n; begin = end)
    {
      gint64 time_ns = ns_trace_get_event_time (self, begin);

      for (end = begin + 1; end < n && ns_trace_get_event_time (self, end) == time_ns; end++)
        ;
      if (end - begin > 1)
        sort_tied (self, begin, end, tied);
    }
}

/**
 * ns_trace_find_event_from:
 * @self: a trace
 * @time_ns: nanoseconds since the trace header
 *
 * Returns: the first row of the table of events at this time or later; the number of rows if there
 *   is none
 */
guint
ns_trace_find_event_from (const NsTrace *self, gint64 time_ns)
{
  guint low = 0;
  guint high = self->events->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (ns_trace_get_event_time (self, middle) < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
