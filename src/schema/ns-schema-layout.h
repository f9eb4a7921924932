/* Layouts written as a line of text, as in the tables of this folder: type and name of each field
 * alternately.
 *
 *   u8 … u64, i8 … i64, x32, x64 (hexadecimal), bool (4 bytes), ptr, guid, ft (FILETIME),
 *   st (SYSTEMTIME), pid, tid, ip4, ip6, port, wstr, astr, sid, w[n] (n wide characters),
 *   b[n] (n bytes), ptr* (to the end)
 *
 * A type with [n] is an array, with [#n] an array whose number of elements is in field n;
 * with ? the field may be missing at the end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

#define NS_SCHEMA_LAYOUT_MAX_FIELDS 64

guint ns_schema_layout_parse (const char *layout, NsSchemaField *fields);

G_END_DECLS
