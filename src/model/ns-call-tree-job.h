/* Creates the call tree of rows in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"
#include "query/ns-row-activities.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_call_tree_job_run_async (NsTrace *trace,
                                 const GArray *rows,
                                 const NsCallTreeOptions *options,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
NsCallTree *ns_call_tree_job_run_finish (GAsyncResult *result, GError **error);

void ns_call_tree_job_write_async (NsTrace *trace,
                                   const GArray *rows,
                                   const NsCallTreeOptions *options,
                                   const char *path,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean ns_call_tree_job_write_finish (GAsyncResult *result, GError **error);

G_END_DECLS
