/* The master table: one row per network operation, with the lower layers merged into it.
 *
 * Each layer has a file that adds its rows. The layers are called in order of importance; a row
 * that a higher layer has claimed (its `activity` is set) gets no row of its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-activities-row.h"

G_BEGIN_DECLS

NsRow *ns_activities_order (NsTrace *trace);

G_END_DECLS
