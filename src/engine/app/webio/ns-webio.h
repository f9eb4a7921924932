/* Microsoft-Windows-WebIO: WinHTTP sessions, requests, connections and sockets, and look-ups for
 * the TCP part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"
#include "engine/trace/ns-phases.h"

G_BEGIN_DECLS

/**
 * NsWebioDetail:
 * @phases: measured phases
 * @first_byte_ns: when the response began, or %NS_TIME_NONE
 * @is_http3: its bytes are sent over UDP
 * @winsock: row of the socket below, 0: unknown
 *
 * Properties of one connection of a request that the master table needs and the row lacks.
 */
typedef struct
{
  NsPhases phases;
  gint64 first_byte_ns;
  gboolean is_http3;
  NsRow winsock;
} NsWebioDetail;

void ns_webio_describe (NsBuilder *builder, NsRow row, guint conn, NsWebioDetail *detail);

void ns_webio_drop (NsBuilder *builder);

G_END_DECLS
