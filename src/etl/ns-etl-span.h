/* Time span of a file's records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

gboolean ns_etl_file_find_span (const NsEtlFile *self, guint64 *first_raw, guint64 *last_raw);

G_END_DECLS
