/* Dissects a packet with Wireshark's sharkd or tshark, whichever is installed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-event-facts.h"
#include "model/ns-sharkd.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_dissection_run_async (NsSharkd *sharkd,
                              NsTrace *trace,
                              guint32 row,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
NsEventFacts *ns_dissection_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS
