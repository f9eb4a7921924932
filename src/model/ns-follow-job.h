/* Finds, in a thread, the rows of all tables that belong to followed operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-follow-tables.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_follow_job_find_async (NsTrace *trace,
                               const char *filter,
                               guint32 pid,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
NsFollowTables *ns_follow_job_find_finish (GAsyncResult *result, GError **error);
void ns_follow_job_find_events_async (NsTrace *trace,
                                      const GArray *rows,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
char *ns_follow_job_find_events_finish (GAsyncResult *result, GError **error);

G_END_DECLS
