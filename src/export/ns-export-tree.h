/* A call tree as CSV.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

gboolean ns_export_tree (const NsCallTree *tree,
                         NsExportWriteFunc write,
                         gpointer write_data,
                         GError **error);

G_END_DECLS
