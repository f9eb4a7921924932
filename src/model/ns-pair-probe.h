/* Finds, in a thread, the traces that have a connection in common with another one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-pairs.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_pair_probe_async (NsTrace *trace,
                          GPtrArray *others,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
GPtrArray *ns_pair_probe_finish (GAsyncResult *result, GError **error);

G_END_DECLS
