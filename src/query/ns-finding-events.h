/* Finds the records that support findings, by the keys of their rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of records listed per finding. */
#define NS_FINDING_EVENTS_MAX 1000
/* Maximum number of rows searched per finding. */
#define NS_FINDING_EVENTS_MAX_ROWS 4096

gboolean
ns_finding_events_find (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data);
gboolean ns_finding_events_are_known (const NsTrace *trace);

G_END_DECLS
