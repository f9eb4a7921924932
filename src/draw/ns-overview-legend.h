/* Legend of the overview strip.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-overview-bins.h"
#include "draw/ns-timeline-paint.h"

G_BEGIN_DECLS

void ns_overview_legend_fill (const NsOverviewBins *bins,
                              guint32 n_lost,
                              gboolean has_gaps,
                              char *legend[NS_TIMELINE_N_LEGENDS]);
void ns_overview_legend_clear (char *legend[NS_TIMELINE_N_LEGENDS]);

G_END_DECLS
