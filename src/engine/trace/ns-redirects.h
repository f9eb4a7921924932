/* Redirects between requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

gboolean ns_redirects_find (const NsTrace *trace, NsRow activity, NsTableId *table, NsRow *row);
NsRow ns_redirects_get_before (const NsTrace *trace, NsTableId table, NsRow row);
NsRow ns_redirects_get_after (const NsTrace *trace, NsTableId table, NsRow row);
NsRow ns_redirects_get_activity (const NsTrace *trace, NsTableId table, NsRow row);

G_END_DECLS
