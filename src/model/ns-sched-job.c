/* Reads scheduler events in a thread when the window first needs them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-sched-job.h"

struct _NsSchedJob
{
  GObject parent_instance;

  GHashTable *running; /* traces being read; referenced by the tasks */
};

static guint job_ready;

G_DEFINE_FINAL_TYPE (NsSchedJob, ns_sched_job, G_TYPE_OBJECT)

static void
read_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  ns_sched_prepare (task_data);
  g_task_return_boolean (task, TRUE);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsSchedJob *self = NS_SCHED_JOB (source);
  NsTrace *trace = g_task_get_task_data (G_TASK (result));

  g_hash_table_remove (self->running, trace);
  g_signal_emit (self, job_ready, 0, trace);
}

static void
ask_cb (NsTrace *trace, gpointer user_data)
{
  NsSchedJob *self = user_data;
  g_autoptr (GTask) task = NULL;

  if (!g_hash_table_add (self->running, trace))
    return;
  task = g_task_new (self, NULL, read_cb, NULL);
  g_task_set_source_tag (task, ask_cb);
  g_task_set_task_data (task, ns_trace_ref (trace), (GDestroyNotify) ns_trace_unref);
  g_task_run_in_thread (task, read_worker);
}

static void
ns_sched_job_finalize (GObject *object)
{
  g_hash_table_unref (NS_SCHED_JOB (object)->running);
  G_OBJECT_CLASS (ns_sched_job_parent_class)->finalize (object);
}

static void
ns_sched_job_class_init (NsSchedJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_sched_job_finalize;
  /* Emitted when the thread activity of a trace is available. */
  job_ready = g_signal_new ("ready",
                            NS_TYPE_SCHED_JOB,
                            G_SIGNAL_RUN_LAST,
                            0,
                            NULL,
                            NULL,
                            NULL,
                            G_TYPE_NONE,
                            1,
                            G_TYPE_POINTER);
}

static void
ns_sched_job_init (NsSchedJob *self)
{
  self->running = g_hash_table_new (g_direct_hash, g_direct_equal);
}

/**
 * ns_sched_job_get:
 * @view: a view context
 *
 * Returns: (transfer none): the job of all traces with that view context, which owns it
 */
NsSchedJob *
ns_sched_job_get (NsViewContext *view)
{
  NsSchedJob *self = ns_view_context_get_shared (view);

  if (self == NULL)
    {
      self = g_object_new (NS_TYPE_SCHED_JOB, NULL);
      ns_view_context_take_shared (view, self, g_object_unref);
    }
  return self;
}

/**
 * ns_sched_job_watch:
 * @trace: a trace
 *
 * Makes queries for thread activity from the calling (main) thread asynchronous: they return
 * nothing until #NsSchedJob::ready is emitted with the trace.
 */
void
ns_sched_job_watch (NsTrace *trace)
{
  ns_sched_set_asker (trace, ask_cb, ns_sched_job_get (trace->view));
}
