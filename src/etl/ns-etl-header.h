/* Parses the trace header: the first record of a file, which describes the rest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"
#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

gboolean ns_etl_header_read (NsEtlHeader *self,
                             const NsEtlSource *source,
                             guint32 *first_buffer_size,
                             GError **error);
void ns_etl_header_clear (NsEtlHeader *self);
gboolean ns_etl_header_is_same_session (const NsEtlHeader *a, const NsEtlHeader *b);

G_END_DECLS
