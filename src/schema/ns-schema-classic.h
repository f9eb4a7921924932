/* Layouts of kernel and merge events, which no trace describes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

const NsSchema *ns_schema_classic_find (const NsRecord *record);
gboolean ns_schema_classic_depends_on_size (const NsRecord *record);

G_END_DECLS
