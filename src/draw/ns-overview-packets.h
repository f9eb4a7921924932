/* Distributes the bytes of flows over the overview strip by the times of their packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-overview-bins.h"

G_BEGIN_DECLS

typedef struct _NsOverviewPackets NsOverviewPackets;

NsOverviewPackets *ns_overview_packets_new (const NsTrace *trace, gint64 moment_ns);
gboolean ns_overview_packets_take (NsOverviewPackets *self,
                                   NsRow flow,
                                   NsTimeSpan span,
                                   guint32 direction,
                                   guint64 total);
void ns_overview_packets_finish (NsOverviewPackets *self, NsOverviewBins *bins);

G_END_DECLS
