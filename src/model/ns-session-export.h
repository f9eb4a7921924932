/* Writes rows of a session: selected ones, or all that are shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-file.h"
#include "export/ns-export-table.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

char *ns_session_export_to_text (NsSession *session,
                                 NsTableId table,
                                 const GPtrArray *fields,
                                 NsExportFormat format);
gboolean ns_session_export_to_path (NsSession *session,
                                    NsTableId table,
                                    const GPtrArray *fields,
                                    const char *picture,
                                    const char *path,
                                    GError **error);

G_END_DECLS
