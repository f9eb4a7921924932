/* Activities inside conversations: HTTP/1 exchanges and DNS transactions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"
#include "engine/net/flows/ns-flow-content.h"
#include "engine/trace/ns-phases.h"

G_BEGIN_DECLS

typedef struct _NsFlowUpper NsFlowUpper;

NsFlowUpper *ns_flow_upper_new (NsBuilder *builder, const NsFlowFound *found);
void ns_flow_upper_free (NsFlowUpper *self);
gboolean ns_flow_upper_add_rows (NsFlowUpper *self, NsRow flow);

/* Also used for the rows of conversations themselves. */
void ns_flow_init_row (NsBuilder *builder, NsActivityRow *row, NsRow source);
void ns_flow_add_phases (const NsFlowRow *flow, const NsActivityRow *row, NsPhases *phases);
void ns_flow_keep_phases (NsTrace *trace, NsActivityRow *row, const NsPhases *phases);
guint32 ns_flow_get_error (const NsFlowRow *flow);
NsLayerSet ns_flow_get_layers_inside (const NsFlowRow *flow);

G_END_DECLS
