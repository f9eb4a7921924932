/* Output files: written completely or not at all, and by default readable only by their owner.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"

G_BEGIN_DECLS

/* Permissions of a file that others may read. */
#define NS_EXPORT_FILE_SHARED 0644

typedef struct _NsExportFile NsExportFile;

NsExportFile *ns_export_file_new (const char *path, GError **error);
NsExportFile *ns_export_file_new_held (const char *path, guint folder_mode, GError **error);
gboolean ns_export_file_remove_unheld (const char *path);
const char *ns_export_file_get_temporary (const NsExportFile *self);
void ns_export_file_set_mode (NsExportFile *self, guint mode);
void ns_export_file_free (NsExportFile *self);
/* Writes to the file; an NsExportWriteFunc whose user data is @self. */
gboolean ns_export_file_write (const char *data, gsize n_bytes, gpointer self, GError **error);
void ns_export_file_begin_commit (NsExportFile *self);
gboolean ns_export_file_commit (NsExportFile *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsExportFile, ns_export_file_free)

G_END_DECLS
