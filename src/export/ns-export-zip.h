/* Writes a zip archive sequentially.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"

G_BEGIN_DECLS

typedef struct _NsExportZip NsExportZip;

NsExportZip *
ns_export_zip_new (NsExportWriteFunc write, gpointer write_data, gint64 time, GError **error);
gboolean ns_export_zip_add (NsExportZip *self,
                            const char *name,
                            const void *data,
                            gsize n_bytes,
                            GError **error);
gboolean ns_export_zip_close (NsExportZip *self, GError **error);
void ns_export_zip_free (NsExportZip *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsExportZip, ns_export_zip_free)

G_END_DECLS
