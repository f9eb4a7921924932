/* Sets the chain fields of rows of the master table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

/* For the builder, when every row is there. */
void ns_chain_link_activities (NsBuilder *builder);

G_END_DECLS
