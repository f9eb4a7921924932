/* Checks the order of the calls of each socket.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

void ns_call_lives_mark (GArray *calls);
const char *ns_call_violation_to_text (NsCallViolation life);

G_END_DECLS
