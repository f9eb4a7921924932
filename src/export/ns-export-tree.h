/* A call tree as CSV.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"
#include "query/ns-call-tree.h"

G_BEGIN_DECLS

gboolean ns_export_tree (const NsCallTree *tree,
                         NsExportWriteFunc write,
                         gpointer write_data,
                         GError **error);

G_END_DECLS
