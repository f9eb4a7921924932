/* Loads buffers before a walk needs them: threads expand compressed buffers, or read plain ones.
 *
 * Where the system's own read-ahead is enough, plain buffers need no thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-loader.h"

#include "base/ns-crash-stack.h"

#define N_THREADS 2
/* Minimum number of plain buffers for a thread that reads while the walk parses. */
#define MIN_PLAIN 64
/* Maximum number and size of expanded buffers that wait for the walk. */
#define MAX_AHEAD 64
#define MAX_AHEAD_BYTES (64u << 20)
/* Unused buffers that are kept for reuse. A pipe returns those of a whole batch at once, and each
 * that is not kept must be allocated and paged in again. A few large ones are enough. */
#define MIN_SPARE 16
#define MAX_SPARE_BYTES (8u << 20)

typedef enum
{
  JOB_WAITING,
  JOB_RUNNING,
  JOB_DONE,
  JOB_STOLEN, /* the walk needed it first and loaded it itself */
} JobState;

typedef struct
{
  guint index;
  JobState state;
  NsEtlBuffer *buffer;
  GError *error;
} Job;

/* Unused buffers, of one loader or of all loaders of a walk. */
typedef struct
{
  gint n_owners;
  GMutex lock;      /* innermost lock */
  GPtrArray *rooms; /* (element-type NsEtlBuffer) */
  gsize n_bytes;
} Spare;

struct _NsEtlLoader
{
  const NsEtlSource *source;
  const NsEtlLayout *layout;
  GThreadPool *pool; /* NULL: no loading ahead */
  GMutex lock;       /* protects everything below */
  GCond is_done;
  GHashTable *jobs; /* index → Job, those not taken yet */
  gsize ahead_bytes;
  Spare *spare;
};

static void
buffer_free (gpointer data)
{
  NsEtlBuffer *self = data;

  ns_etl_buffer_clear (self);
  g_free (self);
}

static void
job_free (gpointer data)
{
  Job *self = data;

  if (self->buffer != NULL)
    buffer_free (self->buffer);
  g_clear_error (&self->error);
  g_free (self);
}

static gsize
bytes_of (const NsEtlBuffer *buffer)
{
  return buffer->room_size + buffer->packed_size;
}

static Spare *
spare_new (void)
{
  Spare *self = g_new0 (Spare, 1);

  self->n_owners = 1;
  self->rooms = g_ptr_array_new_with_free_func (buffer_free);
  g_mutex_init (&self->lock);
  return self;
}

static Spare *
spare_ref (Spare *self)
{
  g_atomic_int_inc (&self->n_owners);
  return self;
}

static void
spare_unref (Spare *self)
{
  if (!g_atomic_int_dec_and_test (&self->n_owners))
    return;
  g_ptr_array_unref (self->rooms);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static NsEtlBuffer *
get_room (NsEtlLoader *self)
{
  Spare *spare = self->spare;
  NsEtlBuffer *buffer = NULL;

  g_mutex_lock (&spare->lock);
  if (spare->rooms->len > 0)
    {
      buffer = g_ptr_array_steal_index_fast (spare->rooms, spare->rooms->len - 1);
      spare->n_bytes -= bytes_of (buffer);
    }
  g_mutex_unlock (&spare->lock);
  return buffer != NULL ? buffer : g_new0 (NsEtlBuffer, 1);
}

static void
load_worker (gpointer data, gpointer user_data)
{
  NsEtlLoader *self = user_data;
  Job *job = data;
  NsEtlBuffer *buffer;

  ns_crash_stack_use ();
  g_mutex_lock (&self->lock);
  if (job->state == JOB_STOLEN)
    {
      g_mutex_unlock (&self->lock);
      job_free (job);
      return;
    }
  job->state = JOB_RUNNING;
  buffer = get_room (self);
  g_mutex_unlock (&self->lock);

  ns_etl_buffer_load (buffer, self->source, self->layout, job->index, &job->error);

  g_mutex_lock (&self->lock);
  job->buffer = buffer;
  job->state = JOB_DONE;
  self->ahead_bytes += buffer->end;
  g_cond_broadcast (&self->is_done);
  g_mutex_unlock (&self->lock);
}

/* Returns whether threads pay off: not for plain buffers in memory. */
static gboolean
is_worth_threads (const NsEtlSource *source, const NsEtlLayout *layout, gboolean has_time)
{
  if (layout->is_compressed)
    return layout->n_buffers > 2;
  return !has_time && layout->n_buffers >= MIN_PLAIN && g_get_num_processors () > 1 &&
         ns_etl_source_peek (source, 0, 1) == NULL;
}

/* Creates an exclusive pool: a shared pool reports a failure to start a thread only when work is
 * queued, which is then never done. */
static GThreadPool *
pool_new (NsEtlLoader *self)
{
  GThreadPool *pool = g_thread_pool_new (load_worker,
                                         self,
                                         self->layout->is_compressed ? N_THREADS : 1,
                                         TRUE,
                                         NULL);

  if (pool != NULL && g_thread_pool_get_num_threads (pool) == 0)
    g_thread_pool_free (g_steal_pointer (&pool), TRUE, FALSE);
  return pool;
}

/**
 * ns_etl_loader_new:
 * @source: a file; must outlive the result
 * @layout: its layout; must outlive the result
 * @has_time: whether the walk runs in parallel with a slower consumer: then it reads plain buffers
 *   itself, because a further thread would only take processor time from the consumer; also %TRUE
 *   if one thread has to do both
 * @with: (nullable): another loader of the same walk, to share its unused buffers
 *
 * Returns: (transfer full): a loader
 */
NsEtlLoader *
ns_etl_loader_new (const NsEtlSource *source,
                   const NsEtlLayout *layout,
                   gboolean has_time,
                   const NsEtlLoader *with)
{
  NsEtlLoader *self = g_new0 (NsEtlLoader, 1);

  self->source = source;
  self->layout = layout;
  self->spare = with != NULL ? spare_ref (with->spare) : spare_new ();
  self->jobs = g_hash_table_new (NULL, NULL);
  g_mutex_init (&self->lock);
  g_cond_init (&self->is_done);
  if (is_worth_threads (source, layout, has_time))
    self->pool = pool_new (self);
  return self;
}

/**
 * ns_etl_loader_free:
 * @self: (transfer full) (nullable): a loader
 *
 * Frees @self after its threads have finished.
 */
void
ns_etl_loader_free (NsEtlLoader *self)
{
  GHashTableIter iter;
  gpointer job;

  if (self == NULL)
    return;

  if (self->pool != NULL)
    {
      g_mutex_lock (&self->lock);
      g_hash_table_iter_init (&iter, self->jobs);
      while (g_hash_table_iter_next (&iter, NULL, &job))
        if (((Job *) job)->state == JOB_WAITING)
          {
            ((Job *) job)->state = JOB_STOLEN;
            g_hash_table_iter_remove (&iter);
          }
      g_mutex_unlock (&self->lock);
      g_thread_pool_free (self->pool, FALSE, TRUE);
    }
  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    job_free (job);
  g_hash_table_unref (self->jobs);
  spare_unref (self->spare);
  g_cond_clear (&self->is_done);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * ns_etl_loader_request:
 * @self: a loader
 * @index: a buffer that will be taken soon; ignored after the last one
 *
 * Starts loading the buffer.
 */
void
ns_etl_loader_request (NsEtlLoader *self, guint index)
{
  Job *job;

  if (index >= self->layout->n_buffers)
    return;
  if (self->pool == NULL)
    return;

  g_mutex_lock (&self->lock);
  if (g_hash_table_size (self->jobs) < MAX_AHEAD && self->ahead_bytes < MAX_AHEAD_BYTES &&
      !g_hash_table_contains (self->jobs, GUINT_TO_POINTER (index)))
    {
      job = g_new0 (Job, 1);
      job->index = index;
      g_hash_table_insert (self->jobs, GUINT_TO_POINTER (index), job);
      g_thread_pool_push (self->pool, job, NULL);
    }
  g_mutex_unlock (&self->lock);
}

/* Returns the buffer that a thread has loaded or is loading; NULL: none. The lock is held. */
static NsEtlBuffer *
take_job (NsEtlLoader *self, guint index, GError **error)
{
  Job *job = g_hash_table_lookup (self->jobs, GUINT_TO_POINTER (index));
  NsEtlBuffer *buffer;

  if (job == NULL)
    return NULL;

  g_hash_table_remove (self->jobs, GUINT_TO_POINTER (index));
  if (job->state == JOB_WAITING)
    {
      job->state = JOB_STOLEN; /* freed by the thread when it gets to it */
      return NULL;
    }
  while (job->state != JOB_DONE)
    g_cond_wait (&self->is_done, &self->lock);
  buffer = g_steal_pointer (&job->buffer);
  self->ahead_bytes -= buffer->end;
  if (job->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&job->error));
      buffer_free (g_steal_pointer (&buffer));
    }
  job_free (job);
  return buffer;
}

/**
 * ns_etl_loader_take:
 * @self: a loader
 * @index: number of a buffer
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the buffer, to be returned with ns_etl_loader_give_back();
 *   %NULL with @error set if the medium could not be read
 */
NsEtlBuffer *
ns_etl_loader_take (NsEtlLoader *self, guint index, GError **error)
{
  NsEtlBuffer *buffer;
  GError *local_error = NULL;

  g_mutex_lock (&self->lock);
  buffer = take_job (self, index, &local_error);
  if (buffer != NULL || local_error != NULL)
    {
      g_mutex_unlock (&self->lock);
      if (local_error != NULL)
        g_propagate_error (error, local_error);
      return buffer;
    }
  buffer = get_room (self);
  g_mutex_unlock (&self->lock);

  if (ns_etl_buffer_load (buffer, self->source, self->layout, index, error))
    return buffer;
  buffer_free (buffer);
  return NULL;
}

/**
 * ns_etl_loader_give_back:
 * @self: a loader
 * @buffer: (transfer full) (nullable): a buffer that is no longer needed
 *
 * Keeps or frees the buffer.
 */
void
ns_etl_loader_give_back (NsEtlLoader *self, NsEtlBuffer *buffer)
{
  Spare *spare = self->spare;

  if (buffer == NULL)
    return;

  g_mutex_lock (&spare->lock);
  if (spare->rooms->len < MIN_SPARE || spare->n_bytes + bytes_of (buffer) <= MAX_SPARE_BYTES)
    {
      spare->n_bytes += bytes_of (buffer);
      g_ptr_array_add (spare->rooms, g_steal_pointer (&buffer));
    }
  g_mutex_unlock (&spare->lock);
  if (buffer != NULL)
    buffer_free (buffer);
}
