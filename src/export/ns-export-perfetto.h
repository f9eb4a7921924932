/* Rows as JSON trace events for the Perfetto UI.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"

G_BEGIN_DECLS

gboolean ns_export_perfetto (const NsTrace *trace,
                             const guint32 *rows,
                             gsize n_rows,
                             NsExportWriteFunc write,
                             gpointer write_data,
                             GError **error);

G_END_DECLS
