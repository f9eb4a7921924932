/* Shared parts of the trace writer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-buffer.h"
#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

/* Maximum size of a record in bytes. */
#define NS_ETL_WRITER_MAX_RECORD G_MAXUINT16

void ns_etl_writer_encode_group (GByteArray *out, const NsEtlWriterGroup *group);

G_END_DECLS
