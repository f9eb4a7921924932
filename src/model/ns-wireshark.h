/* Opens the packets of a trace in Wireshark, filtered to the conversation of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "model/ns-handed-files.h"

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean ns_wireshark_has_packets (const NsTrace *trace, NsTableId table, guint32 row);
void ns_wireshark_open_async (NsTrace *trace,
                              NsTableId table,
                              guint32 row,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean ns_wireshark_open_finish (GAsyncResult *result, NsHandedFiles *files, GError **error);

G_END_DECLS
