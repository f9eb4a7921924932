/* Exports tables of a session for analysis in other programs, as the command `extract` does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-extract-write.h"
#include "model/ns-session-export.h"

G_BEGIN_DECLS

typedef struct _NsSessionTables NsSessionTables;

NsSessionTables *ns_session_tables_new (NsSession *session, NsTableId table, NsSessionRows which);
void ns_session_tables_free (NsSessionTables *self);
gboolean ns_session_tables_write (const NsSessionTables *self,
                                  NsExtractForm form,
                                  gboolean is_redacted,
                                  NsExportFile *file,
                                  NsProgressFunc progress,
                                  gpointer progress_data,
                                  guint64 *n_rows,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSessionTables, ns_session_tables_free)

G_END_DECLS
