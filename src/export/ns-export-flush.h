/* Writes a text in pieces while it is produced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"

G_BEGIN_DECLS

gboolean ns_export_flush (GString *text,
                          gsize at_least,
                          NsExportWriteFunc write,
                          gpointer write_data,
                          GError **error);

G_END_DECLS
