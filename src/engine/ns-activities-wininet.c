/* Rows of WinINet requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-activities.h"

/**
 * ns_activities_add_wininet:
 * @builder: the builder
 *
 * Adds a row for each request.
 */
void
ns_activities_add_wininet (NsBuilder *builder G_GNUC_UNUSED)
{
}
