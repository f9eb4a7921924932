/* Rows of rpc in the master table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-activities.h"

#include "engine/rpc/ns-rpc.h"

/**
 * ns_activities_add_rpc:
 * @builder: the builder
 */
void
ns_activities_add_rpc (NsBuilder *builder)
{
}
