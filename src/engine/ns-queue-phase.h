/* How long the work of an operation waited for a thread of a pool while the operation went on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

void ns_queue_phase_set_all (NsBuilder *builder);

G_END_DECLS
