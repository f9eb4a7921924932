/* One-line description of a captured packet.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

char *ns_packet_info_dup (const NsTrace *trace, const NsPacketRow *row);

G_END_DECLS
