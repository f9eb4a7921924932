/* Creates, in a thread, the index from name resolutions to the connections that use their results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-name-tree.h"
#include "query/ns-fields.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_names_job_run_async (NsTrace *trace,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
NsNameTree *ns_names_job_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS
