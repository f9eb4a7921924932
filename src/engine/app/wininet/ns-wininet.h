/* Microsoft-Windows-WinINet: requests, and look-ups for the master table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"
#include "engine/trace/ns-phases.h"

G_BEGIN_DECLS

/**
 * NsWininetAttempt:
 * @remote: the peer
 * @local_port: the local port
 * @tcp: the connection, 0: unknown
 * @open_ns: begin of the attempt
 * @close_ns: begin of the next attempt
 *
 * A connection that a request used before its last one.
 */
typedef struct _NsWininetAttempt NsWininetAttempt;
struct _NsWininetAttempt
{
  NsEndpoint remote;
  guint16 local_port;
  NsRow tcp;
  NsConfidence confidence;
  gint64 open_ns;
  gint64 close_ns;
  NsWininetAttempt *next;
};

/**
 * NsWininetDetail:
 * @phases: measured phases
 * @first_byte_ns: when the response began, or %NS_TIME_NONE
 * @stack_tid: thread of the stack
 * @winsock: row of the socket below, 0: unknown
 * @attempts: (nullable): earlier connections, oldest first
 *
 * Properties of a request that the master table needs and its row lacks.
 */
typedef struct
{
  NsPhases phases;
  gint64 first_byte_ns;
  guint32 stack_tid;
  NsRow winsock;
  const NsWininetAttempt *attempts;
} NsWininetDetail;

void ns_wininet_describe (NsBuilder *builder, NsRow row, NsWininetDetail *detail);

void ns_wininet_drop (NsBuilder *builder);

G_END_DECLS
