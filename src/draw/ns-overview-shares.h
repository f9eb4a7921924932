/* Adds the transfers of connections to the overview strip, weighted by the rows that used them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-overview-bins.h"
#include "engine/trace/ns-moves.h"

G_BEGIN_DECLS

typedef struct _NsOverviewShares NsOverviewShares;

NsOverviewShares *ns_overview_shares_new (const NsMoves *moves, gint64 moment_ns);
double ns_overview_shares_sum (NsOverviewShares *self,
                               NsTableId table,
                               NsRow row,
                               NsTimeSpan span,
                               guint32 direction);
void ns_overview_shares_add (NsOverviewShares *self,
                             NsTableId table,
                             NsRow row,
                             NsTimeSpan span,
                             guint32 direction,
                             double factor,
                             NsOverviewBins *bins);
void ns_overview_shares_finish (NsOverviewShares *self, NsOverviewBins *bins);
guint ns_overview_bins_at (const NsOverviewBins *self, gint64 time_ns);

G_END_DECLS
