/* Phase of an operation during which its tasks waited in a thread-pool queue.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

void ns_queue_phase_set_all (NsBuilder *builder);

G_END_DECLS
