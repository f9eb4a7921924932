/* Appends values to a byte array in Windows' binary layouts, for writing records and test fixtures.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"
#include "base/ns-ip.h"

G_BEGIN_DECLS

void ns_etl_bytes_u8 (GByteArray *self, guint8 value);
void ns_etl_bytes_u16 (GByteArray *self, guint16 value);
void ns_etl_bytes_u16be (GByteArray *self, guint16 value);
void ns_etl_bytes_u32 (GByteArray *self, guint32 value);
void ns_etl_bytes_u64 (GByteArray *self, guint64 value);
void ns_etl_bytes_ptr (GByteArray *self, guint64 value, guint pointer_size);
void ns_etl_bytes_guid (GByteArray *self, const NsGuid *guid);
void ns_etl_bytes_data (GByteArray *self, gconstpointer data, gsize n_bytes);
void ns_etl_bytes_array (GByteArray *self, const GByteArray *bytes);
void ns_etl_bytes_zero (GByteArray *self, gsize n_bytes);
void ns_etl_bytes_wstr (GByteArray *self, const char *utf8);
void ns_etl_bytes_wchars (GByteArray *self, const char *utf8, gsize n_units);
void ns_etl_bytes_astr (GByteArray *self, const char *text);
void ns_etl_bytes_sockaddr_text (GByteArray *self, const char *endpoint);
void ns_etl_bytes_set_u16 (GByteArray *self, gsize offset, guint16 value);
void ns_etl_bytes_set_u32 (GByteArray *self, gsize offset, guint32 value);
void ns_etl_bytes_set_u64 (GByteArray *self, gsize offset, guint64 value);

G_END_DECLS
