/* Detects lost buffers by gaps in the sequence numbers that a session gives its buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file-private.h"

G_BEGIN_DECLS

void ns_etl_sequence_check (NsEtlFile *file);
void ns_etl_sequence_check_case (NsEtlFile *self);

G_END_DECLS
