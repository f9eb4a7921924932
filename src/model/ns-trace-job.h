/* Runs a function on a trace in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * NsTraceJob:
 * @run: the function to run in a thread; returns %NULL if cancelled by @progress
 * @free_data: frees the data passed to @run
 * @free_result: frees the result of @run if it is not used
 *
 * A kind of job; lives as long as the program.
 */
typedef struct
{
  gpointer (*run) (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data);
  GDestroyNotify free_data;
  GDestroyNotify free_result;
} NsTraceJob;

void ns_trace_job_run_async (const NsTraceJob *self,
                             NsTrace *trace,
                             gpointer data,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gpointer ns_trace_job_run_finish (const NsTraceJob *self, GAsyncResult *result, GError **error);

G_END_DECLS
