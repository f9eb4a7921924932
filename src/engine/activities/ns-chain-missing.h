/* Explains a missing stack.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

NsStackMissing ns_chain_why_missing_of_task (const NsTrace *trace, NsTaskKind kind);
NsStackMissing ns_chain_why_missing_of_table (const NsTrace *trace, NsTableId table);

G_END_DECLS
