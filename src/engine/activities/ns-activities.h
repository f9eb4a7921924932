/* The master table: one row per network operation, with the lower layers folded into it.
 *
 * Each layer has its own file that adds its rows. The layers are called in order of importance; a
 * row that a higher layer has claimed (its `activity` is set) adds no row of its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-activities-row.h"

G_BEGIN_DECLS

NsRow *ns_activities_order (NsTrace *trace);

G_END_DECLS
