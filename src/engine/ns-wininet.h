/* Microsoft-Windows-WinINet: requests of the internet functions and what the master table asks of
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"
#include "engine/ns-phases.h"

G_BEGIN_DECLS

/**
 * NsWininetAttempt:
 * @remote: the peer
 * @local_port: our end
 * @tcp: the connection, 0: none known
 * @open_ns: when it was tried
 * @close_ns: when the next one was
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
 * @phases: what was measured
 * @first_byte_ns: when the answer began, or %NS_TIME_NONE
 * @stack_tid: thread of the stack
 * @winsock: row of the socket below, 0: none known
 * @attempts: (nullable): earlier connections, first first
 *
 * What the master table wants to know of a request, and its row does not tell.
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
