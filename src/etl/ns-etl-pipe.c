/* Walks on two threads: one reads, parses and merges, the caller's thread receives the records.
 * Also buffers and progress of walks on one thread.
 *
 * Records are passed in batches, each with the buffers that its records are the last to need. The
 * order is that of the walk, so callers notice only the speed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"

#include "base/ns-crash-stack.h"
#include "base/ns-fetch.h"

#include <glib/gi18n-lib.h>

/* Waking the other thread costs as much as some hundred records, so batches are long; a few of them
 * even out bursts. */
#define BATCH_RECORDS 2048
#define N_BATCHES 3
/* Buffers without records fill no batch: a batch is passed on, too, when its buffers reach this
 * size; each counts as at least LEAST_USED_BYTES. */
#define MAX_USED_BYTES (4u << 20)
#define LEAST_USED_BYTES 4096u
/* Prefetch distances, in records: records and payloads are in the other processor's cache. What
 * they refer to is prefetched in two steps, because its address is looked up in a table first. */
#define AHEAD_RECORD 40
#define AHEAD_PAYLOAD 26
#define AHEAD_LOOK 16
#define AHEAD_NEAR 8
/* Minimum number of buffers; shorter walks end before a thread has started. */
#define MIN_BUFFERS 32

/* Memory for the results of a tap, per batch: this many bytes per record on average. */
#define BATCH_MADE_BYTES (BATCH_RECORDS * 128)
#define PROGRESS_INTERVAL_US (G_USEC_PER_SEC / 10)

typedef struct
{
  NsRecord records[BATCH_RECORDS];
  guint n_records;
  gsize n_made;
  guint8 made[BATCH_MADE_BYTES] __attribute__ ((aligned (16)));
  GPtrArray *used; /* (element-type NsEtlBuffer): to be given back after the records */
  gsize used_bytes;
  double fraction; /* progress of the walk */
  gboolean is_last;
} Batch;

struct _NsEtlPipe
{
  NsEtlWalk walk;
  GAsyncQueue *empty; /* (element-type Batch) */
  GAsyncQueue *full;
  Batch *filling; /* used by the reading thread */
  double fraction;
  gboolean is_stopped; /* atomic */
  NsEtlWalkResult (*run) (NsEtlWalk *walk, GError **error);
  NsEtlWalkResult result;
  GError *error;
};

static void
batch_free (gpointer data)
{
  Batch *self = data;

  g_ptr_array_unref (self->used);
  g_free (self);
}

static void
hand_over (NsEtlPipe *self, gboolean is_last)
{
  self->filling->fraction = self->fraction;
  self->filling->is_last = is_last;
  g_async_queue_push (self->full, g_steal_pointer (&self->filling));
  if (!is_last)
    self->filling = g_async_queue_pop (self->empty);
}

/* Calls the tap for a record; FALSE: skip the record. */
static inline gboolean
pass_tap (const NsEtlFile *file, const NsRecord *record, NsRecord *tapped, gpointer room, gsize *n)
{
  NsRecordTap tap = { .room = room };

  if (!file->tap (record, &tap, file->tap_data))
    return FALSE;
  *tapped = *record;
  tapped->is_tapped = TRUE;
  tapped->note = tap.note;
  tapped->made = tap.n_bytes > 0 ? room : NULL;
  *n = tap.n_bytes;
  return TRUE;
}

static gboolean
take_record (const NsRecord *record, gpointer user_data)
{
  NsEtlPipe *self = user_data;
  const NsEtlFile *file = self->walk.file;
  Batch *batch = self->filling;
  NsRecord *taken = &batch->records[batch->n_records];

  if (file->tap != NULL)
    {
      gsize n_bytes;

      if (!pass_tap (file, record, taken, &batch->made[batch->n_made], &n_bytes))
        return TRUE;
      batch->n_made += (n_bytes + 15) & ~(gsize) 15;
    }
  else
    *taken = *record;
  batch->n_records++;
  if (batch->n_records == BATCH_RECORDS || batch->n_made > BATCH_MADE_BYTES - NS_RECORD_TAP_BYTES)
    {
      hand_over (self, FALSE);
      return !g_atomic_int_get (&self->is_stopped);
    }
  return TRUE;
}

static gboolean
note_progress (double fraction, gpointer user_data)
{
  NsEtlPipe *self = user_data;

  self->fraction = fraction;
  return !g_atomic_int_get (&self->is_stopped);
}

static gpointer
read_worker (gpointer data)
{
  NsEtlPipe *self = data;

  ns_crash_stack_use ();
  self->filling = g_async_queue_pop (self->empty);
  self->result = self->run (&self->walk, &self->error);
  hand_over (self, TRUE);
  return NULL;
}

/* Gives a buffer back together with the current batch: its records were passed on, but maybe not
 * processed. */
static void
give_back (NsEtlPipe *self, NsEtlBuffer *buffer)
{
  g_ptr_array_add (self->filling->used, buffer);
  self->filling->used_bytes += MAX (buffer->room_size + buffer->packed_size, LEAST_USED_BYTES);
  if (self->filling->used_bytes >= MAX_USED_BYTES)
    hand_over (self, FALSE);
}

/* Prefetches the tap's result, or the first cache lines of the payload; the hardware prefetcher
 * follows from there. */
static inline void
fetch_payload (const NsRecord *record)
{
  if (record->made != NULL)
    ns_fetch (record->made, 2 * NS_FETCH_LINE);
  else
    ns_fetch (record->payload, MIN (record->payload_size, 3 * NS_FETCH_LINE));
}

/* Hands out the records of a batch; FALSE: the caller stopped. */
static gboolean
hand_out (const Batch *batch, const NsEtlWalk *walk)
{
  NsRecordAheadFunc ahead = walk->file->ahead;
  gpointer ahead_data = walk->file->ahead_data;
  const NsRecord *records = batch->records;
  guint n = batch->n_records;
  guint i;

  for (i = 0; i < MIN (n, AHEAD_PAYLOAD); i++)
    fetch_payload (&records[i]);
  for (i = 0; ahead != NULL && i < MIN (n, AHEAD_LOOK); i++)
    ahead (&records[i], FALSE, ahead_data);
  for (i = 0; ahead != NULL && i < MIN (n, AHEAD_NEAR); i++)
    ahead (&records[i], TRUE, ahead_data);
  for (i = 0; i < n; i++)
    {
      ns_fetch (&records[MIN (i + AHEAD_RECORD, BATCH_RECORDS - 1)], sizeof (NsRecord));
      if (i + AHEAD_PAYLOAD < n)
        fetch_payload (&records[i + AHEAD_PAYLOAD]);
      if (ahead != NULL && i + AHEAD_LOOK < n)
        ahead (&records[i + AHEAD_LOOK], FALSE, ahead_data);
      if (ahead != NULL && i + AHEAD_NEAR < n)
        ahead (&records[i + AHEAD_NEAR], TRUE, ahead_data);
      if (!walk->func (&records[i], walk->user_data))
        return FALSE;
    }
  return TRUE;
}

static NsEtlLoader *
loader_of (const NsEtlWalk *self, guint input)
{
  return g_ptr_array_index (self->loaders, MIN (input, self->loaders->len - 1));
}

/* Gives back a buffer that nobody uses any more. */
static void
free_buffer (const NsEtlWalk *self, NsEtlBuffer *buffer)
{
  ns_etl_loader_give_back (loader_of (self, buffer->input), buffer);
}

static NsEtlWalkResult
serve (NsEtlPipe *self, NsEtlWalk *walk, GError **error)
{
  NsEtlWalkResult result = NS_ETL_WALK_DONE;
  gboolean is_last = FALSE;

  while (!is_last)
    {
      Batch *batch = g_async_queue_pop (self->full);
      guint i;

      if (result == NS_ETL_WALK_DONE && !hand_out (batch, walk))
        result = NS_ETL_WALK_STOPPED;
      if (result == NS_ETL_WALK_DONE && !ns_etl_walk_report_progress (walk, batch->fraction, error))
        result = NS_ETL_WALK_FAILED;
      if (result != NS_ETL_WALK_DONE)
        g_atomic_int_set (&self->is_stopped, TRUE);
      for (i = 0; i < batch->used->len; i++)
        free_buffer (walk, g_ptr_array_index (batch->used, i));
      g_ptr_array_set_size (batch->used, 0);
      batch->used_bytes = 0;
      batch->n_records = 0;
      batch->n_made = 0;
      is_last = batch->is_last;
      g_async_queue_push (self->empty, batch);
    }
  return result;
}

/* A walk without a second thread, which calls the tap, too. */
typedef struct
{
  const NsEtlFile *file;
  NsRecordFunc func;
  gpointer user_data;
} Tapped;

static gboolean
tap_record (const NsRecord *record, gpointer user_data)
{
  const Tapped *self = user_data;
  guint8 room[NS_RECORD_TAP_BYTES] __attribute__ ((aligned (16)));
  NsRecord tapped;
  gsize n_bytes;

  return !pass_tap (self->file, record, &tapped, room, &n_bytes) ||
         self->func (&tapped, self->user_data);
}

static NsEtlWalkResult
walk_here (NsEtlWalk *walk,
           NsEtlWalkResult (*run) (NsEtlWalk *walk, GError **error),
           GError **error)
{
  Tapped tapped = { walk->file, walk->func, walk->user_data };

  if (walk->file->tap != NULL)
    {
      walk->func = tap_record;
      walk->user_data = &tapped;
    }
  return run (walk, error);
}

/**
 * ns_etl_pipe_walk:
 * @walk: the walk
 * @run: the function that walks
 * @error: return location
 *
 * Calls @run, on a thread of its own if that is worth it.
 *
 * Returns: how it ended
 */
NsEtlWalkResult
ns_etl_pipe_walk (NsEtlWalk *walk,
                  NsEtlWalkResult (*run) (NsEtlWalk *walk, GError **error),
                  GError **error)
{
  NsEtlPipe self = { .walk = *walk, .run = run };
  NsEtlWalkResult result;
  GThread *thread = NULL;
  guint i;

  if (g_get_num_processors () < 2 || walk->file->layout.n_buffers < MIN_BUFFERS)
    return walk_here (walk, run, error);

  self.empty = g_async_queue_new_full (batch_free);
  self.full = g_async_queue_new_full (batch_free);
  for (i = 0; i < N_BATCHES; i++)
    {
      Batch *batch = g_new (Batch, 1);

      batch->n_records = 0;
      batch->n_made = 0;
      batch->used_bytes = 0;
      batch->used = g_ptr_array_new ();
      g_async_queue_push (self.empty, batch);
    }
  self.walk.pipe = &self;
  self.walk.func = take_record;
  self.walk.user_data = &self;
  self.walk.progress = note_progress;
  self.walk.progress_data = &self;
  self.walk.begin = 0;
  self.walk.end = 1;
  self.fraction = 0;

  thread = g_thread_try_new ("ns-read", read_worker, &self, NULL);
  if (thread == NULL)
    result = walk_here (walk, run, error);
  else
    {
      result = serve (&self, walk, error);
      g_thread_join (thread);
      if (result == NS_ETL_WALK_DONE && self.result != NS_ETL_WALK_DONE)
        {
          g_propagate_error (error, g_steal_pointer (&self.error));
          result = self.result;
        }
      g_clear_error (&self.error);
    }
  g_async_queue_unref (self.empty);
  g_async_queue_unref (self.full);
  return result;
}

/**
 * ns_etl_walk_report_progress:
 * @self: a walk
 * @fraction: its progress, 0 … 1
 * @error: return location
 *
 * Reports the progress to the caller, at most ten times a second.
 *
 * Returns: %FALSE with @error set if the caller stops the walk
 */
gboolean
ns_etl_walk_report_progress (NsEtlWalk *self, double fraction, GError **error)
{
  gint64 now;

  if (self->progress == NULL)
    return TRUE;
  now = g_get_monotonic_time ();
  if (now < self->next_progress)
    return TRUE;

  self->next_progress = now + PROGRESS_INTERVAL_US;
  if (self->progress (self->begin + (self->end - self->begin) * fraction, self->progress_data))
    return TRUE;
  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
  return FALSE;
}

/**
 * ns_etl_walk_request:
 * @self: a walk
 * @file: the file of the walk, or an input of it
 * @index: a buffer of @file that will be taken soon
 *
 * Starts loading the buffer.
 */
void
ns_etl_walk_request (NsEtlWalk *self, const NsEtlFile *file, guint index)
{
  ns_etl_loader_request (loader_of (self, file->number), index);
}

/**
 * ns_etl_walk_take:
 * @self: a walk
 * @file: the file of the walk, or an input of it
 * @index: number of a buffer in @file
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the buffer, to be returned with ns_etl_walk_give_back();
 *   %NULL with @error set if the medium could not be read
 */
NsEtlBuffer *
ns_etl_walk_take (NsEtlWalk *self, const NsEtlFile *file, guint index, GError **error)
{
  NsEtlBuffer *buffer = ns_etl_loader_take (loader_of (self, file->number), index, error);

  if (buffer != NULL)
    buffer->input = file->number;
  return buffer;
}

/**
 * ns_etl_walk_give_back:
 * @self: a walk
 * @buffer: (transfer full): a buffer whose records were handed out
 *
 * Returns the buffer to its loader, after pending batches.
 */
void
ns_etl_walk_give_back (NsEtlWalk *self, NsEtlBuffer *buffer)
{
  if (self->pipe != NULL)
    give_back (self->pipe, buffer);
  else
    free_buffer (self, buffer);
}
