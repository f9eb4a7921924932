/* What stands in the headers of the events that the sample is made of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

void sample_set_header (NsEtlWriterEvent *event);

G_END_DECLS
