/* Links WinSock calls with their socket, name look-up and operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* A call that has not returned, or whose return is not in the trace. */
#define NS_CALL_NO_RETURN G_MININT64

/* Data of a call that its row lacks: the kernel's process object; 0: name resolution. */
typedef struct
{
  guint64 process;
} NsCallOwner;

void ns_call_link_sockets (NsTrace *trace, const GArray *owners);
void ns_call_link_activities (NsTrace *trace, const GArray *owners);

G_END_DECLS
