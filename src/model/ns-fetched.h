/* Temporary local copy of a file that only GIO can read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _NsFetched NsFetched;

NsFetched *ns_fetched_new (GFile *file,
                           NsProgressFunc progress,
                           gpointer user_data,
                           GCancellable *cancellable,
                           GError **error);
void ns_fetched_free (NsFetched *self);

const char *ns_fetched_get_path (const NsFetched *self);

NsTrace *ns_fetched_open_trace (GFile *file,
                                const NsTraceOptions *options,
                                NsProgressFunc progress,
                                gpointer progress_data,
                                GCancellable *cancellable,
                                GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFetched, ns_fetched_free)

G_END_DECLS
