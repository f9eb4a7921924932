/* The master table: one row per network operation, the lower layers folded into it.
 *
 * Each layer has a file of its own that adds its rows; they are called in the order of importance,
 * and a row that a higher layer has taken (its `activity` is set) makes none of its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-activities-row.h"

G_BEGIN_DECLS

NsRow *ns_activities_order (NsTrace *trace);

G_END_DECLS
