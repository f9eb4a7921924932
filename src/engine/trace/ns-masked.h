/* Adds texts to a trace with secrets masked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

NsString ns_masked_text (const NsTrace *trace, NsString text);
NsString ns_masked_command (const NsTrace *trace, NsString command);

G_END_DECLS
