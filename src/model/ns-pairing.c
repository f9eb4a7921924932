/* Pairs the requests in the trace of a session with those of another machine, in a thread.
 *
 * The other trace is read if no window shows it. The clock of the session's trace is the reference.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-pairing.h"

#include "model/ns-fetched.h"
#include "model/ns-pair-clock.h"
#include "model/ns-sched-job.h"

#include <glib/gi18n-lib.h>

/* Resolution of the reported progress. */
#define N_STEPS 1000

/* Source of the clock offset. */
typedef enum
{
  OFFSET_KEPT,  /* stored manual offset, if there is one */
  OFFSET_FOUND, /* computed from the traffic between the machines */
  OFFSET_GIVEN,
} Offset;

struct _NsPairing
{
  GObject parent_instance;

  NsTrace *trace;
  GFile *file;     /* of the other trace */
  NsTrace *other;  /* NULL until it is read */
  NsPairs *pairs;  /* NULL until the pairing is finished */
  guint32 *by_row; /* by activity of trace, 1-based: row of pairs, 1-based; 0: none */
  gboolean needs_ends;
  Offset offset;
  gint64 offset_ns; /* for a manual offset */
  gint n_steps;     /* atomic */
};

G_DEFINE_FINAL_TYPE (NsPairing, ns_pairing, G_TYPE_OBJECT)

/* Result of the thread, which writes nothing of the object but n_steps. */
typedef struct
{
  NsTrace *other;
  NsPairs *pairs;
  guint32 *by_row;
  Offset offset;
  gint64 offset_ns;
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->pairs, ns_pairs_free);
  g_free (found->by_row);
  g_clear_pointer (&found->other, ns_trace_unref);
  g_free (found);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Found, found_free)

static gboolean
progress_cb (double fraction, gpointer user_data)
{
  GTask *task = user_data;
  NsPairing *self = g_task_get_source_object (task);

  g_atomic_int_set (&self->n_steps, (gint) (fraction * N_STEPS));
  return !g_cancellable_is_cancelled (g_task_get_cancellable (task));
}

static gboolean
is_wanted_cb (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (g_task_get_cancellable (user_data));
}

/* Opens the other trace with the options of the command line. */
static NsTrace *
open_other (NsPairing *self, GTask *task, GError **error)
{
  NsTraceOptions options = { .view = self->trace->view, .want_moves = TRUE, .skip_calls = TRUE };

  return ns_fetched_open_trace (self->file,
                                &options,
                                progress_cb,
                                task,
                                g_task_get_cancellable (task),
                                error);
}

/* Determines the offset; stores a manual one, or removes the stored one. */
static void
take_offset (const NsPairing *self, Found *found)
{
  found->offset = self->offset;
  found->offset_ns = self->offset_ns;
  if (found->offset == OFFSET_KEPT &&
      ns_pair_clock_read (self->trace, found->other, &found->offset_ns))
    found->offset = OFFSET_GIVEN;
  else if (found->offset != OFFSET_KEPT)
    ns_pair_clock_write (self->trace,
                         found->other,
                         found->offset == OFFSET_GIVEN ? &found->offset_ns : NULL);
}

/* Returns the row of the first trace; 0 if only the second one has the request. */
static NsRow
get_own (const NsPairRow *row)
{
  return row->client_machine == 0 ? row->client : row->server;
}

static guint32 *
index_rows (const NsPairs *pairs)
{
  guint32 *by_row = g_new0 (guint32, (gsize) pairs->traces[0]->activities->len + 1);
  guint i;

  for (i = 0; i < pairs->rows->len; i++)
    by_row[get_own (&g_array_index (pairs->rows, NsPairRow, i))] = i + 1;
  by_row[0] = 0;
  return by_row;
}

static void
worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  NsPairing *self = source_object;
  g_autoptr (Found) found = g_new0 (Found, 1);
  GError *error = NULL;

  found->other = self->other != NULL ? ns_trace_ref (self->other) : open_other (self, task, &error);
  if (found->other == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->needs_ends && !ns_pairs_have_common_ends (self->trace, found->other))
    {
      g_task_return_new_error (task,
                               NS_TRACE_ERROR,
                               NS_TRACE_ERROR_OPEN,
                               _ ("no connection has the same endpoints in both traces"));
      return;
    }
  take_offset (self, found);
  found->pairs =
      ns_pairs_new_with_progress (self->trace,
                                  found->other,
                                  found->offset == OFFSET_GIVEN ? &found->offset_ns : NULL,
                                  is_wanted_cb,
                                  task);
  if (found->pairs == NULL)
    {
      g_task_return_error_if_cancelled (task);
      return;
    }
  found->by_row = index_rows (found->pairs);
  g_task_return_pointer (task, g_steal_pointer (&found), found_free);
}

static void
ns_pairing_finalize (GObject *object)
{
  NsPairing *self = NS_PAIRING (object);

  g_clear_pointer (&self->pairs, ns_pairs_free);
  g_free (self->by_row);
  g_clear_pointer (&self->other, ns_trace_unref);
  ns_trace_unref (self->trace);
  g_object_unref (self->file);
  G_OBJECT_CLASS (ns_pairing_parent_class)->finalize (object);
}

static void
ns_pairing_class_init (NsPairingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_pairing_finalize;
}

static void
ns_pairing_init (NsPairing *self)
{
}

/**
 * ns_pairing_new:
 * @trace: a trace
 * @file: the file of another machine's trace
 * @other: (nullable): the trace of @file, if it is open
 *
 * Uses the stored manual clock offset until ns_pairing_set_offset() is called.
 *
 * Returns: (transfer full): a pairing to be run with ns_pairing_run_async()
 */
NsPairing *
ns_pairing_new (NsTrace *trace, GFile *file, NsTrace *other)
{
  NsPairing *self = g_object_new (NS_TYPE_PAIRING, NULL);

  self->trace = ns_trace_ref (trace);
  self->file = g_object_ref (file);
  self->other = other != NULL ? ns_trace_ref (other) : NULL;
  return self;
}

/**
 * ns_pairing_set_offset:
 * @self: a pairing that is not running
 * @offset_ns: (nullable): added to the times of the other trace on top of the difference of the
 *   wall clocks; %NULL to compute it from the traffic between the machines
 *
 * The pairing has to be run again. It then stores the offset for the next time that both traces are
 * opened; %NULL removes the stored one.
 */
void
ns_pairing_set_offset (NsPairing *self, const gint64 *offset_ns)
{
  self->offset = offset_ns != NULL ? OFFSET_GIVEN : OFFSET_FOUND;
  self->offset_ns = offset_ns != NULL ? *offset_ns : 0;
}

/**
 * ns_pairing_set_needs_ends:
 * @self: a pairing that is not running
 * @needs_ends: whether the pairing fails unless both traces have a connection with the same
 *   endpoints
 *
 * A quick check for traces that were not opened together.
 */
void
ns_pairing_set_needs_ends (NsPairing *self, gboolean needs_ends)
{
  self->needs_ends = needs_ends;
}

/**
 * ns_pairing_is_of:
 * @self: a pairing
 * @trace: (nullable): a trace
 *
 * Returns: whether @trace is the trace of the session
 */
gboolean
ns_pairing_is_of (NsPairing *self, const NsTrace *trace)
{
  return self->trace == trace;
}

/**
 * ns_pairing_find:
 * @self: a finished pairing
 * @row: an activity of the session, 1-based
 *
 * Returns: (transfer none) (nullable): the request that it is one side of
 */
const NsPairRow *
ns_pairing_find (NsPairing *self, NsRow row)
{
  guint32 number = row <= self->trace->activities->len ? self->by_row[row] : 0;

  return number != 0 ? NS_ROW_AT (self->pairs->rows, NsPairRow, number) : NULL;
}

/**
 * ns_pairing_find_unpaired:
 * @self: a finished pairing
 * @row: an activity of the session, 1-based; 0 for none
 *
 * Returns: the next activity after @row, by time, that the other machine did not record; wraps
 *   round at the end; 1-based, 0 if there is none
 */
NsRow
ns_pairing_find_unpaired (NsPairing *self, NsRow row)
{
  guint n_rows = self->pairs->rows->len;
  guint from = row <= self->trace->activities->len ? self->by_row[row] : 0;
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      const NsPairRow *one = &g_array_index (self->pairs->rows, NsPairRow, (from + i) % n_rows);

      if (one->server == 0 && one->client_machine == 0)
        return one->client;
    }
  return 0;
}

/**
 * ns_pairing_get_fraction:
 * @self: a running pairing
 *
 * Returns: the progress of reading, 0 to 1
 */
double
ns_pairing_get_fraction (NsPairing *self)
{
  return (double) g_atomic_int_get (&self->n_steps) / N_STEPS;
}

/**
 * ns_pairing_get_pairs:
 * @self: a pairing
 *
 * Returns: (transfer none) (nullable): the result; its first trace is that of the session
 */
const NsPairs *
ns_pairing_get_pairs (NsPairing *self)
{
  return self->pairs;
}

/**
 * ns_pairing_dup_machine:
 * @self: a finished pairing
 * @machine: 0 for the machine of the session, 1 for the other one
 *
 * Returns: (transfer full): name of the computer, or else of the file
 */
char *
ns_pairing_dup_machine (NsPairing *self, guint machine)
{
  return ns_pairs_dup_machine (machine == 0 ? self->trace : self->other);
}

/**
 * ns_pairing_get_ahead:
 * @self: a finished pairing
 *
 * Returns: nanoseconds by which the other clock is ahead, on top of the difference of the wall
 *   clocks
 */
gint64
ns_pairing_get_ahead (NsPairing *self)
{
  return ns_pairs_get_ahead (self->pairs);
}

/**
 * ns_pairing_run_async:
 * @self: a pairing that is not running
 * @cancellable: (nullable): cancels it
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Reads the other trace if needed, and pairs the requests.
 */
void
ns_pairing_run_async (NsPairing *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, ns_pairing_run_async);
  g_atomic_int_set (&self->n_steps, 0);
  g_task_run_in_thread (task, worker);
}

/**
 * ns_pairing_run_finish:
 * @self: a pairing
 * @result: passed to the callback
 * @error: %NS_TRACE_ERROR if the other trace cannot be opened or is from the same machine, or
 *   %G_IO_ERROR
 *
 * Returns: whether it succeeded
 */
gboolean
ns_pairing_run_finish (NsPairing *self, GAsyncResult *result, GError **error)
{
  g_autoptr (Found) found = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  found = g_task_propagate_pointer (G_TASK (result), error);
  if (found == NULL || !ns_pairs_check (self->trace, found->other, error))
    return FALSE;
  g_clear_pointer (&self->pairs, ns_pairs_free);
  g_clear_pointer (&self->other, ns_trace_unref);
  self->other = g_steal_pointer (&found->other);
  ns_sched_job_watch (self->other);
  self->offset = found->offset;
  self->offset_ns = found->offset_ns;
  self->pairs = g_steal_pointer (&found->pairs);
  g_free (self->by_row);
  self->by_row = g_steal_pointer (&found->by_row);
  return TRUE;
}
