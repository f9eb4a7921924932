/* Finds, in a thread, the events of a row and their content, and the rows of an event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-event-rows.h"
#include "export/ns-row-content.h"
#include "export/ns-row-message.h"
#include "query/ns-row-events.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_row_job_find_events_async (NsTrace *trace,
                                   NsTableId table,
                                   guint32 row,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
NsRowEvents *ns_row_job_find_events_finish (GAsyncResult *result, GError **error);
void ns_row_job_find_rows_async (NsTrace *trace,
                                 guint32 event,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
NsEventRows *ns_row_job_find_rows_finish (GAsyncResult *result, GError **error);
void ns_row_job_find_content_async (NsTrace *trace,
                                    NsTableId table,
                                    guint32 row,
                                    const NsRowContentOptions *options,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
NsRowContent *ns_row_job_find_content_finish (GAsyncResult *result, GError **error);

G_END_DECLS
