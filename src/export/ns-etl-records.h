/* Relates records to others that are kept for selected rows, where no key is shared with a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

gboolean ns_etl_record_is_below (const NsRecord *record, const GArray *paths);
gboolean
ns_etl_record_is_of_packet (const NsRecord *record, const NsMap *packets, NsMap *fragments);
gboolean ns_etl_record_is_smb_setup (const NsRecord *record);
gboolean ns_etl_record_is_smb_end (const NsRecord *record, const NsMap *contexts);
void ns_etl_record_note_smb_begin (const NsRecord *record, NsMap *contexts);

G_END_DECLS
