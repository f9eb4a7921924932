/* Exports rows of several traces as one table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"

G_BEGIN_DECLS

gboolean ns_export_table_of_machines (const NsExportRows *rows,
                                      const NsTrace *const *traces,
                                      const guint8 *whose,
                                      const NsExportOptions *options,
                                      NsExportWriteFunc write,
                                      gpointer write_data,
                                      GError **error);

G_END_DECLS
