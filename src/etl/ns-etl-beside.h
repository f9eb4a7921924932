/* Files that lie beside a trace, in its folder or in its archive.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

GBytes *ns_etl_file_read_beside (const NsEtlFile *self,
                                 const char *name,
                                 gsize max_bytes,
                                 gboolean *is_cut);

G_END_DECLS
