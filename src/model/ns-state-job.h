/* Collects, in a thread, the changes of system state recorded in a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-state-marks.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_state_job_run_async (NsTrace *trace,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
NsStateMarks *ns_state_job_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS
