/* Microsoft-Windows-WebIO: WinHTTP sessions, requests, connections and sockets, and the questions
 * that the TCP side asks about them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

gboolean ns_webio_by_window (NsBuilder *builder,
                             NsRow tcp,
                             guint32 pid,
                             guint32 tid,
                             gint64 begin_ns,
                             gint64 end_ns);
gboolean ns_webio_by_address (NsBuilder *builder,
                              NsRow tcp,
                              const NsEndpoint *remote,
                              guint32 pid,
                              guint32 tid);
gboolean ns_webio_ensure (NsBuilder *builder,
                          guint32 pid,
                          guint32 tid,
                          NsRow tcp,
                          gint64 time_ns,
                          guint64 tx_bytes);
gboolean ns_webio_has_send_counts (const NsBuilder *builder);

G_END_DECLS
