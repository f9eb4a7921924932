/* Finds, in a thread, the traces that have a connection in common with another one.
 *
 * This is much faster than pairing, which is done when the user selects a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-pair-probe.h"

typedef struct
{
  NsTrace *trace;
  GPtrArray *others; /* (element-type NsTrace) */
} Probe;

static void
probe_free (gpointer data)
{
  Probe *self = data;

  ns_trace_unref (self->trace);
  g_ptr_array_unref (self->others);
  g_free (self);
}

static GPtrArray *
trace_list_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ns_trace_unref);
}

static void
worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  Probe *self = task_data;
  g_autoptr (GPtrArray) found = trace_list_new ();
  guint i;

  for (i = 0; i < self->others->len; i++)
    {
      NsTrace *other = g_ptr_array_index (self->others, i);

      if (g_task_return_error_if_cancelled (task))
        return;
      if (ns_pairs_have_common_ends (self->trace, other))
        g_ptr_array_add (found, ns_trace_ref (other));
    }
  g_task_return_pointer (task, g_steal_pointer (&found), (GDestroyNotify) g_ptr_array_unref);
}

/**
 * ns_pair_probe_async:
 * @trace: a trace
 * @others: (element-type NsTrace): traces of other machines
 * @cancellable: (nullable): cancels the search
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Finds the traces in @others that recorded a connection of @trace.
 */
void
ns_pair_probe_async (NsTrace *trace,
                     GPtrArray *others,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Probe *self = g_new0 (Probe, 1);
  guint i;

  self->trace = ns_trace_ref (trace);
  self->others = trace_list_new ();
  for (i = 0; i < others->len; i++)
    g_ptr_array_add (self->others, ns_trace_ref (g_ptr_array_index (others, i)));
  g_task_set_source_tag (task, ns_pair_probe_async);
  g_task_set_task_data (task, self, probe_free);
  g_task_run_in_thread (task, worker);
}

/**
 * ns_pair_probe_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable) (element-type NsTrace): the traces with common connections
 */
GPtrArray *
ns_pair_probe_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
