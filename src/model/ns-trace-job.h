/* Looks something up in a trace, in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * NsTraceJob:
 * @run: does the work with what it is given, in a thread; %NULL if @progress stopped it
 * @free_data: frees what @run is given
 * @free_result: frees what @run returned, if nobody fetches it
 *
 * What kind of work it is; lives as long as the program.
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
