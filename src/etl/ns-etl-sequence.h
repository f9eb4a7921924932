/* The numbers that a session gave its buffers: one that is missing was lost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file-private.h"

G_BEGIN_DECLS

void ns_etl_sequence_check (NsEtlFile *file);
void ns_etl_sequence_check_case (NsEtlFile *self);

G_END_DECLS
