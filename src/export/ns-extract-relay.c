/* Passes batches of rows to a writing thread while the next ones are read.
 *
 * Reading rows takes about as long as encoding them. There are two batches: one is filled while
 * the other is written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

struct _NsExtractRelay
{
  NsExtractRowsFunc func;
  gpointer user_data;
  NsExtractBatch batches[2];
  guint filling; /* index of the batch that is filled */

  GThread *thread; /* NULL: the filling thread also writes the batches */
  GMutex mutex;
  GCond changed;
  const NsExtractBatch *waiting; /* batch to be written, or being written; NULL: none */
  gboolean is_over;
  GError *error; /* error of @func */
};

static gboolean
hand_over (NsExtractRelay *self, const NsExtractBatch *batch)
{
  const NsTypedBatch rows = { batch->cells, NS_TYPED_BATCH_ROWS, batch->n_rows };

  return self->func (&rows, self->user_data, &self->error);
}

/* Writes batches; stops at the first error. */
static gpointer
take_cb (gpointer data)
{
  NsExtractRelay *self = data;

  g_mutex_lock (&self->mutex);
  for (;;)
    {
      const NsExtractBatch *batch;

      while (self->waiting == NULL && !self->is_over)
        g_cond_wait (&self->changed, &self->mutex);
      batch = self->waiting;
      if (batch == NULL)
        break;
      g_mutex_unlock (&self->mutex);
      if (self->error == NULL)
        hand_over (self, batch);
      g_mutex_lock (&self->mutex);
      self->waiting = NULL;
      g_cond_signal (&self->changed);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/**
 * ns_extract_relay_new: (skip)
 * @n_columns: number of columns
 * @is_shared: whether another thread writes the rows, if one can be created
 * @func: (scope notified): writes rows, always in the same thread
 * @user_data: for @func
 *
 * Returns: (transfer full): a relay
 */
NsExtractRelay *
ns_extract_relay_new (guint n_columns,
                      gboolean is_shared,
                      NsExtractRowsFunc func,
                      gpointer user_data)
{
  NsExtractRelay *self = g_new0 (NsExtractRelay, 1);
  guint i;

  self->func = func;
  self->user_data = user_data;
  for (i = 0; i < G_N_ELEMENTS (self->batches); i++)
    ns_extract_batch_init (&self->batches[i], n_columns);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  if (is_shared)
    self->thread = g_thread_try_new ("extract", take_cb, self, NULL);
  return self;
}

/**
 * ns_extract_relay_get: (skip)
 * @self: a relay
 *
 * Returns: (transfer none): a batch, to be filled and sent
 */
NsExtractBatch *
ns_extract_relay_get (NsExtractRelay *self)
{
  return &self->batches[self->filling];
}

/* Waits, with the mutex held, until no batch is being written. */
static void
wait_until_taken (NsExtractRelay *self)
{
  while (self->waiting != NULL)
    g_cond_wait (&self->changed, &self->mutex);
}

/**
 * ns_extract_relay_send: (skip)
 * @self: a relay
 *
 * Passes on the batch that is filled.
 *
 * Returns: %FALSE if writing has failed; ns_extract_relay_end() returns the error
 */
gboolean
ns_extract_relay_send (NsExtractRelay *self)
{
  const NsExtractBatch *batch = &self->batches[self->filling];
  gboolean ok;

  if (self->thread == NULL)
    return hand_over (self, batch);
  g_mutex_lock (&self->mutex);
  wait_until_taken (self);
  ok = self->error == NULL;
  if (ok)
    {
      self->waiting = batch;
      self->filling ^= 1;
      g_cond_signal (&self->changed);
    }
  g_mutex_unlock (&self->mutex);
  return ok;
}

/**
 * ns_extract_relay_end: (skip)
 * @self: (transfer full): a relay
 * @error: error of the writing function
 *
 * Waits until all batches are written.
 *
 * Returns: whether they were written
 */
gboolean
ns_extract_relay_end (NsExtractRelay *self, GError **error)
{
  GError *own;
  guint i;

  if (self->thread != NULL)
    {
      g_mutex_lock (&self->mutex);
      wait_until_taken (self);
      self->is_over = TRUE;
      g_cond_signal (&self->changed);
      g_mutex_unlock (&self->mutex);
      g_thread_join (self->thread);
    }
  own = self->error;
  for (i = 0; i < G_N_ELEMENTS (self->batches); i++)
    ns_extract_batch_clear (&self->batches[i]);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
  if (own == NULL)
    return TRUE;
  g_propagate_error (error, own);
  return FALSE;
}
