/* Walks a trace in time order by merging the buffers of all processors.
 *
 * Normally the buffers of one processor follow each other in time, and so do the records in a
 * buffer; then the merge is a heap with one record per processor. The order does not depend on
 * that: the first pass finds which buffers are unsorted (they get a sorted list of their records)
 * and the first time of each. The processors of all inputs of a case are merged in the same way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"
#include "etl/ns-etl-twins.h"

#include <glib/gi18n-lib.h>

/* Maximum size of open buffers; beyond, those not in use are dropped and read again when needed. */
#define MAX_OPEN_BYTES (512u << 20)
/* Maximum size of finished buffers with records that wait for their duplicates. */
#define MAX_CLOSED_BYTES (64u << 20)

/* One record of an unsorted buffer. */
typedef struct
{
  guint64 raw;
  guint32 pos;
} Place;

/* An open buffer, and its current record. */
typedef struct
{
  NsRecord head;
  NsEtlFile *file;
  NsEtlBuffer *buffer; /* NULL: dropped for lack of memory */
  guint index;
  guint64 last_raw;
  gsize pos;      /* offset of the record after @head; unused with @places */
  GArray *places; /* (element-type Place): in time order; NULL: the buffer is sorted */
  guint next_place;
  guint64 used;     /* time of the last read, in ticks */
  gboolean is_over; /* no record after the current one is wanted */
} Run;

/* A buffer that is not open yet. */
typedef struct
{
  NsEtlFile *file;
  guint index;
} Pending;

/* The buffers that one session wrote for one processor, to any of the files. */
typedef struct
{
  guint first; /* the unopened ones are Merge.pending[first … last - 1] */
  guint last;
  GPtrArray *runs; /* heap (element-type Run) */
  guint64 raw;     /* raw time of the next record */
  Run *head;       /* the run with the next record; NULL: it is in an unopened buffer */
} Stream;

/* A finished buffer with records that are held. */
typedef struct
{
  NsEtlBuffer *buffer;
  guint64 n_held; /* number of held records after which the buffer can be given back */
} Closed;

typedef struct
{
  NsEtlWalk *walk;
  NsEtlFile *file;
  Pending *pending; /* sorted by session, processor, earliest time, input, number */
  GArray *streams;  /* Stream */
  GPtrArray *heap;  /* (element-type Stream): with records left */
  GPtrArray *open;  /* (element-type Run) */
  gsize open_bytes;
  GQueue closed; /* (element-type Closed) */
  gsize closed_bytes;
  guint64 tick;
  guint64 n_done;
  guint64 n_total;
  GError *error;
} Merge;

typedef int (*HeapCompare) (gconstpointer a, gconstpointer b, const Merge *merge);

/* Moves an element down to its position in the heap. */
static void
heap_sink (GPtrArray *heap, guint at, HeapCompare compare, const Merge *merge)
{
  gpointer *items = heap->pdata;
  gpointer item = items[at];

  for (;;)
    {
      guint child = at * 2 + 1;

      if (child >= heap->len)
        break;
      if (child + 1 < heap->len && compare (items[child + 1], items[child], merge) < 0)
        child++;
      if (compare (items[child], item, merge) >= 0)
        break;
      items[at] = items[child];
      at = child;
    }
  items[at] = item;
}

static void
heap_push (GPtrArray *heap, gpointer item, HeapCompare compare, const Merge *merge)
{
  guint at = heap->len;

  g_ptr_array_add (heap, item);
  while (at > 0)
    {
      guint parent = (at - 1) / 2;

      if (compare (heap->pdata[parent], item, merge) <= 0)
        break;
      heap->pdata[at] = heap->pdata[parent];
      at = parent;
    }
  heap->pdata[at] = item;
}

static void
heap_drop_top (GPtrArray *heap, HeapCompare compare, const Merge *merge)
{
  heap->pdata[0] = heap->pdata[heap->len - 1];
  g_ptr_array_set_size (heap, (int) heap->len - 1);
  if (heap->len > 1)
    heap_sink (heap, 0, compare, merge);
}

static int
compare_place (const NsRecordRef *a, const NsRecordRef *b)
{
  if (a->buffer != b->buffer)
    return a->buffer < b->buffer ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Compares runs of one processor: by time, then by position. */
static int
run_compare (gconstpointer a, gconstpointer b, const Merge *merge)
{
  const Run *run_a = a;
  const Run *run_b = b;

  if (run_a->head.raw != run_b->head.raw)
    return run_a->head.raw < run_b->head.raw ? -1 : 1;
  return compare_place (&run_a->head.ref, &run_b->head.ref);
}

/* Compares streams: by time, then by rank, then by position. An unopened buffer comes first, so
 * that it is opened. */
static int
stream_compare (gconstpointer a, gconstpointer b, const Merge *merge)
{
  const Stream *stream_a = a;
  const Stream *stream_b = b;

  if (stream_a->raw != stream_b->raw)
    return stream_a->raw < stream_b->raw ? -1 : 1;
  if (stream_a->head == NULL || stream_b->head == NULL)
    return (stream_a->head != NULL) - (stream_b->head != NULL);
  /* The rank may depend on the payload, which is not available in a dropped buffer. */
  if (merge->walk->rank != NULL && stream_a->head->buffer != NULL && stream_b->head->buffer != NULL)
    {
      guint rank_a = merge->walk->rank (&stream_a->head->head);
      guint rank_b = merge->walk->rank (&stream_b->head->head);

      if (rank_a != rank_b)
        return rank_a < rank_b ? -1 : 1;
    }
  return compare_place (&stream_a->head->head.ref, &stream_b->head->head.ref);
}

static void
run_free (gpointer data)
{
  Run *self = data;

  if (self->places != NULL)
    g_array_unref (self->places);
  g_free (self);
}

/* Gives back the buffers whose held records are finished. */
static void
drop_closed (Merge *self, guint64 n_over)
{
  Closed *closed;

  while ((closed = g_queue_peek_head (&self->closed)) != NULL && closed->n_held <= n_over)
    {
      self->closed_bytes -= closed->buffer->end;
      ns_etl_walk_give_back (self->walk, closed->buffer);
      g_free (g_queue_pop_head (&self->closed));
    }
}

static void
drop_buffer (Merge *self, Run *run)
{
  NsEtlBuffer *buffer = g_steal_pointer (&run->buffer);
  guint64 n_over = 0;
  guint64 n_held = self->file->twins != NULL ? ns_etl_twins_count_held (self->file, &n_over) : 0;

  self->open_bytes -= buffer->end;
  if (n_held == n_over)
    {
      ns_etl_walk_give_back (self->walk, buffer);
      return;
    }
  self->closed_bytes += buffer->end;
  g_queue_push_tail (&self->closed, g_memdup2 (&(Closed){ buffer, n_held }, sizeof (Closed)));
}

/* Drops the least recently used buffers until the size is within the limit, but not that of
 * @keep. */
static void
make_room (Merge *self, const Run *keep)
{
  while (self->open_bytes > MAX_OPEN_BYTES)
    {
      Run *oldest = NULL;
      guint i;

      for (i = 0; i < self->open->len; i++)
        {
          Run *run = g_ptr_array_index (self->open, i);

          if (run != keep && run->buffer != NULL && (oldest == NULL || run->used < oldest->used))
            oldest = run;
        }
      if (oldest == NULL)
        return;
      drop_buffer (self, oldest);
    }
}

static gboolean
need_buffer (Merge *self, Run *run)
{
  run->used = ++self->tick;
  if (run->buffer != NULL)
    return TRUE;
  if (self->error != NULL)
    return FALSE;

  run->buffer = ns_etl_walk_take (self->walk, run->file, run->index, &self->error);
  if (run->buffer == NULL)
    return FALSE;
  self->open_bytes += run->buffer->end;
  make_room (self, run);
  return TRUE;
}

static int
place_compare (gconstpointer a, gconstpointer b)
{
  const Place *place_a = a;
  const Place *place_b = b;

  if (place_a->raw != place_b->raw)
    return place_a->raw < place_b->raw ? -1 : 1;
  return place_a->pos < place_b->pos ? -1 : place_a->pos > place_b->pos;
}

/* Lists the records of an unsorted buffer; a record without a time stays after its predecessor. */
static void
sort_places (Run *run)
{
  const NsEtlBuffer *buffer = run->buffer;
  gsize pos = NS_ETL_BUFFER_HEADER_SIZE;
  guint64 last_raw = run->last_raw;
  NsEtlStepKind kind;
  NsEtlStep step;

  run->places = g_array_new (FALSE, FALSE, sizeof (Place));
  while ((kind = ns_etl_parse_step (buffer->data, buffer->end, pos, &step)) <= NS_ETL_STEP_UNKNOWN)
    {
      pos = ns_etl_step_next (&step);
      if (kind == NS_ETL_STEP_RECORD)
        {
          Place place = { step.has_time ? step.raw : last_raw, (guint32) step.pos };

          last_raw = place.raw;
          g_array_append_val (run->places, place);
        }
    }
  g_array_sort (run->places, place_compare);
}

/* Finds the next record of a run; FALSE: none. */
static gboolean
next_step (Run *run, NsEtlStep *step)
{
  const NsEtlBuffer *buffer = run->buffer;
  NsEtlStepKind kind;

  if (run->places != NULL)
    {
      const Place *place;

      if (run->next_place >= run->places->len)
        return FALSE;
      place = &g_array_index (run->places, Place, run->next_place++);
      run->last_raw = place->raw;
      return ns_etl_parse_step (buffer->data, buffer->end, place->pos, step) == NS_ETL_STEP_RECORD;
    }

  while ((kind = ns_etl_parse_step (buffer->data, buffer->end, run->pos, step)) ==
         NS_ETL_STEP_UNKNOWN)
    run->pos = ns_etl_step_next (step);
  if (kind != NS_ETL_STEP_RECORD)
    return FALSE;
  run->pos = ns_etl_step_next (step);
  /* Prefetch: records of other processors come first, and would evict it from the caches. */
  if (run->pos + 128 <= buffer->end)
    {
      __builtin_prefetch (buffer->data + run->pos);
      __builtin_prefetch (buffer->data + run->pos + 64);
    }
  if (step->has_time)
    run->last_raw = step->raw;
  return TRUE;
}

static void
parse_head (Merge *self, Run *run, const NsEtlStep *step)
{
  NsEtlFile *file = run->file;

  run->head.raw = run->last_raw;
  run->head.ref.buffer = file->first_buffer + run->index;
  run->head.ref.offset = (guint32) step->pos;
  run->head.cpu = run->buffer->cpu;
  if (G_UNLIKELY (!ns_etl_parse_record (&file->parser, run->buffer->data, step, &run->head)) &&
      !file->is_parsed)
    {
      gboolean is_packed = (run->buffer->flags & NS_ETL_FLAG_COMPRESSED) != 0;

      file->report.n_bad_items++;
      ns_etl_report_add (&file->report,
                         run->buffer->offset + (is_packed ? 0 : step->pos),
                         N_ ("extended items or fields that run past their record"));
    }
}

/* Advances a run to its next record; FALSE: none, or the medium failed. */
static gboolean
advance_run (Merge *self, Run *run)
{
  NsEtlStep step;

  if (run->is_over || !need_buffer (self, run) || !next_step (run, &step))
    return FALSE;
  parse_head (self, run, &step);
  return TRUE;
}

static void
close_run (Merge *self, Run *run)
{
  if (run->buffer != NULL)
    drop_buffer (self, run);
  g_ptr_array_remove_fast (self->open, run);
}

static const NsEtlEntry *
entry_of (const Pending *pending)
{
  return &pending->file->entries[pending->index];
}

/* Opens the next buffer of a stream. */
static void
open_next (Merge *self, Stream *stream)
{
  const Pending *pending = &self->pending[stream->first++];
  NsEtlFile *file = pending->file;
  const NsEtlEntry *entry = &file->entries[pending->index];
  Run *run = g_new0 (Run, 1);

  if (stream->first < stream->last)
    ns_etl_walk_request (self->walk,
                         self->pending[stream->first].file,
                         self->pending[stream->first].index);
  run->file = file;
  run->index = pending->index;
  run->pos = NS_ETL_BUFFER_HEADER_SIZE;
  g_ptr_array_add (self->open, run);
  if (!need_buffer (self, run) || run->buffer->state != NS_ETL_BUFFER_READY)
    {
      close_run (self, run);
      return;
    }
  run->last_raw = ns_etl_walk_first_raw (file, run->buffer, entry->min_raw);
  if (!entry->is_sorted)
    sort_places (run);
  if (advance_run (self, run))
    {
      run->is_over = entry->is_head_only;
      heap_push (stream->runs, run, run_compare, self);
    }
  else
    close_run (self, run);
}

/* Finds the next record of a stream; FALSE: none. */
static gboolean
find_next_record (Merge *self, Stream *stream)
{
  while (stream->runs->len > 0 && stream->first < stream->last && self->error == NULL &&
         entry_of (&self->pending[stream->first])->min_raw <=
             ((Run *) stream->runs->pdata[0])->head.raw)
    open_next (self, stream);

  if (stream->runs->len > 0)
    {
      stream->head = stream->runs->pdata[0];
      stream->raw = stream->head->head.raw;
      return TRUE;
    }
  stream->head = NULL;
  if (stream->first == stream->last)
    return FALSE;
  stream->raw = entry_of (&self->pending[stream->first])->min_raw;
  return TRUE;
}

/* Advances a stream to its next record; FALSE: none. */
static gboolean
advance (Merge *self, Stream *stream)
{
  Run *run = stream->head;

  if (run == NULL)
    open_next (self, stream);
  else if (!advance_run (self, run))
    {
      heap_drop_top (stream->runs, run_compare, self);
      close_run (self, run);
    }
  else if (stream->runs->len > 1)
    heap_sink (stream->runs, 0, run_compare, self);
  return find_next_record (self, stream);
}

/* Hands out the held records that are older than @next by the window; all of them without @next. */
static gboolean
hand_out_held (Merge *self, const NsRecord *next)
{
  const NsRecord *record;
  guint64 n_over;
  NsEtlFile *part;

  while ((record = ns_etl_twins_next (self->file, next, &part)) != NULL)
    {
      part->report.n_records++;
      if (!self->walk->func (record, self->walk->user_data))
        return FALSE;
    }
  ns_etl_twins_count_held (self->file, &n_over);
  drop_closed (self, n_over);
  return TRUE;
}

/* Hands out the next record of a stream; reads a dropped buffer again. */
static gboolean
hand_out (Merge *self, Stream *stream)
{
  Run *run = stream->head;

  if (G_UNLIKELY (run->buffer == NULL))
    {
      NsEtlStep step;

      if (!need_buffer (self, run))
        return TRUE;
      if (ns_etl_parse_step (run->buffer->data, run->buffer->end, run->head.ref.offset, &step) !=
          NS_ETL_STEP_RECORD)
        return TRUE;
      ns_etl_parse_record (&run->file->parser, run->buffer->data, &step, &run->head);
    }
  self->n_done++;
  if (self->file->twins != NULL)
    {
      if (!hand_out_held (self, self->closed_bytes > MAX_CLOSED_BYTES ? NULL : &run->head))
        return FALSE;
      if (ns_etl_twins_hold (self->file, &run->head, run->file))
        return TRUE;
    }
  run->file->report.n_records++;
  return self->walk->func (&run->head, self->walk->user_data);
}

/* Returns the time up to which the stream at the top of the heap precedes all others. */
static guint64
second_raw (const GPtrArray *heap)
{
  guint64 raw = G_MAXUINT64;

  if (heap->len > 1)
    raw = ((const Stream *) heap->pdata[1])->raw;
  if (heap->len > 2)
    raw = MIN (raw, ((const Stream *) heap->pdata[2])->raw);
  return raw;
}

static NsEtlWalkResult
merge (Merge *self, GError **error)
{
  while (self->heap->len > 0)
    {
      Stream *stream = self->heap->pdata[0];
      guint64 limit = second_raw (self->heap);
      gboolean has_more = TRUE;

      do
        {
          if (stream->head != NULL && !hand_out (self, stream))
            return NS_ETL_WALK_STOPPED;
          has_more = advance (self, stream);
          if (self->error != NULL)
            {
              g_propagate_error (error, g_steal_pointer (&self->error));
              return NS_ETL_WALK_FAILED;
            }
          if (self->n_done % 65536 == 0 &&
              !ns_etl_walk_report_progress (self->walk,
                                            (double) self->n_done / (double) MAX (self->n_total, 1),
                                            error))
            return NS_ETL_WALK_FAILED;
        }
      while (has_more && stream->raw < limit);

      if (has_more)
        heap_sink (self->heap, 0, stream_compare, self);
      else
        heap_drop_top (self->heap, stream_compare, self);
    }
  if (self->file->twins != NULL && !hand_out_held (self, NULL))
    return NS_ETL_WALK_STOPPED;
  return NS_ETL_WALK_DONE;
}

static int
pending_compare (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Pending *pending_a = a;
  const Pending *pending_b = b;
  const NsEtlEntry *entry_a = entry_of (pending_a);
  const NsEtlEntry *entry_b = entry_of (pending_b);

  if (pending_a->file->session != pending_b->file->session)
    return pending_a->file->session < pending_b->file->session ? -1 : 1;
  if (entry_a->cpu != entry_b->cpu)
    return entry_a->cpu < entry_b->cpu ? -1 : 1;
  if (entry_a->min_raw != entry_b->min_raw)
    return entry_a->min_raw < entry_b->min_raw ? -1 : 1;
  if (pending_a->file != pending_b->file)
    return pending_a->file->number < pending_b->file->number ? -1 : 1;
  return pending_a->index < pending_b->index ? -1 : pending_a->index > pending_b->index;
}

static void
stream_clear (gpointer data)
{
  g_clear_pointer (&((Stream *) data)->runs, g_ptr_array_unref);
}

/* Returns whether a buffer has to be read for the span. Uses the times of its records found by the
 * first pass: the time in the buffer header is that of the flush, uses another clock in merged
 * files, and is arbitrary in damaged ones. Duplicates in another input may lie outside the span,
 * hence the window. */
static gboolean
choose_buffer (Merge *self, const NsEtlEntry *entry)
{
  const NsTimeSpan *span = self->walk->span;
  guint64 window = ns_etl_twins_get_window (self->file);

  if (entry->n_records == 0 || entry->is_twin)
    return FALSE;
  if (span == NULL)
    return TRUE;
  if (ns_etl_file_raw_to_ns (self->file,
                             entry->max_raw + MIN (window, G_MAXUINT64 - entry->max_raw)) <
      span->begin_ns)
    {
      self->walk->n_before += entry->n_records;
      return FALSE;
    }
  return ns_etl_file_raw_to_ns (self->file, entry->min_raw - MIN (window, entry->min_raw)) <
         span->end_ns;
}

/* Appends the buffers of one file with wanted records to the list of @n; returns the new length. */
static guint
list_pending (Merge *self, NsEtlFile *file, guint n)
{
  guint i;

  for (i = 0; i < file->layout.n_buffers; i++)
    if (choose_buffer (self, &file->entries[i]))
      {
        self->pending[n++] = (Pending){ file, i };
        self->n_total += file->entries[i].n_records;
      }
  return n;
}

/* Groups the buffers with records by session and processor. */
static gboolean
make_streams (Merge *self, GError **error)
{
  NsEtlFile *file = self->file;
  guint n = 0;
  guint i;

  self->pending = g_try_new (Pending, MAX (file->layout.n_buffers, 1));
  if (self->pending == NULL)
    {
      ns_etl_walk_set_no_memory (file, error);
      return FALSE;
    }
  for (i = 0; i < ns_etl_file_count_parts (file); i++)
    n = list_pending (self, ns_etl_file_get_part (file, i), n);
  g_qsort_with_data (self->pending, (int) n, sizeof (Pending), pending_compare, NULL);

  for (i = 0; i < n; i++)
    {
      const Pending *pending = &self->pending[i];
      Stream *last = self->streams->len > 0
                         ? &g_array_index (self->streams, Stream, self->streams->len - 1)
                         : NULL;
      const Pending *first = last != NULL ? &self->pending[last->first] : NULL;

      if (first == NULL || first->file->session != pending->file->session ||
          entry_of (first)->cpu != entry_of (pending)->cpu)
        {
          g_array_set_size (self->streams, self->streams->len + 1);
          last = &g_array_index (self->streams, Stream, self->streams->len - 1);
          last->runs = g_ptr_array_new ();
          last->first = i;
        }
      last->last = i + 1;
    }

  for (i = 0; i < self->streams->len; i++)
    {
      Stream *stream = &g_array_index (self->streams, Stream, i);

      if (find_next_record (self, stream))
        heap_push (self->heap, stream, stream_compare, self);
    }
  return TRUE;
}

/* Resets the counters that each walk counts anew. */
static void
begin_report (NsEtlFile *file)
{
  file->report.n_records = 0;
  file->n_duplicates = file->n_step_duplicates;
  if (file->is_parsed)
    return;
  file->report.n_bad_items = 0;
  g_ptr_array_set_size (file->report.damage, (int) file->n_step_damage);
}

/**
 * ns_etl_walk_in_time_order:
 * @self: a walk over a file, after the first pass
 * @error: return location
 *
 * Returns: how it ended
 */
NsEtlWalkResult
ns_etl_walk_in_time_order (NsEtlWalk *self, GError **error)
{
  Merge state = { .walk = self, .file = self->file, .closed = G_QUEUE_INIT };
  NsEtlWalkResult result = NS_ETL_WALK_FAILED;
  guint i;

  g_return_val_if_fail (self->file->is_stepped && self->func != NULL, NS_ETL_WALK_FAILED);

  for (i = 0; i < ns_etl_file_count_parts (self->file); i++)
    begin_report (ns_etl_file_get_part (self->file, i));
  if (self->file->twins != NULL)
    ns_etl_twins_begin (self->file);
  state.open = g_ptr_array_new_with_free_func (run_free);
  state.streams = g_array_new (FALSE, TRUE, sizeof (Stream));
  g_array_set_clear_func (state.streams, stream_clear);
  state.heap = g_ptr_array_new ();
  if (make_streams (&state, error))
    result = merge (&state, error);
  for (i = 0; i < ns_etl_file_count_parts (self->file); i++)
    {
      NsEtlFile *part = ns_etl_file_get_part (self->file, i);

      part->is_parsed = part->is_parsed || result == NS_ETL_WALK_DONE;
    }
  if (self->file->inputs != NULL)
    ns_etl_join_add_up (self->file);

  for (i = 0; i < state.open->len; i++)
    {
      Run *run = g_ptr_array_index (state.open, i);

      if (run->buffer != NULL)
        drop_buffer (&state, run);
    }
  drop_closed (&state, G_MAXUINT64);
  g_ptr_array_unref (state.open);
  g_ptr_array_unref (state.heap);
  g_array_unref (state.streams);
  g_free (state.pending);
  return result;
}
