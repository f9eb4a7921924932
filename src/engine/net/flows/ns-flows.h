/* The table of conversations, made from the captured packets of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"
#include "engine/net/flows/ns-flow-content.h"
#include "engine/net/flows/ns-flow-records.h"

G_BEGIN_DECLS

void ns_flows_read (NsTrace *trace, const NsFlowRecords *records, NsFlowFound *found);
void ns_flows_join (NsBuilder *builder, NsFlowRecords *records);
void ns_flows_find_tunnels (NsTrace *trace);

G_END_DECLS
