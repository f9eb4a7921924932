/* Level, opcode, task and keyword of the events of the sample.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

void sample_set_header (NsEtlWriterEvent *event);

G_END_DECLS
