/* Writes a part of a trace as a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"

G_BEGIN_DECLS

/* Maximum size of a part, which is built in memory. */
#define NS_EXPORT_ETL_MAX_BYTES G_GUINT64_CONSTANT (0x40000000)

gboolean ns_export_etl_table (const NsTrace *trace,
                              NsTableId table,
                              const guint32 *rows,
                              gsize n_rows,
                              NsExportWriteFunc write,
                              gpointer write_data,
                              GError **error);
gboolean ns_export_etl_check_place (const NsTrace *trace, const char *path, GError **error);

G_END_DECLS
