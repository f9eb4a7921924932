/* Values of a master table row that are looked up in the rows and tasks below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

void ns_activity_fetch_below (const NsTrace *trace, const guint32 *activities, guint n_activities);
guint64 ns_activity_get_tcb (const NsTrace *trace, const NsActivityRow *row);
guint32 ns_activity_get_first_tid (const NsTrace *trace, const NsActivityRow *row);
guint32 ns_activity_count_hops (const NsTrace *trace, const NsActivityRow *row);
guint32 ns_activity_count_stacks (const NsTrace *trace, const NsActivityRow *row);

G_END_DECLS
