/* Findings as readable text: heading, sentence and advice, wrapped to the line width.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"
#include "findings/ns-finding.h"

G_BEGIN_DECLS

void ns_export_finding_append (GString *text,
                               const NsFindingRow *finding,
                               const char *sentence,
                               guint line_width);
void ns_export_paragraph_append (GString *text,
                                 const char *before,
                                 const char *paragraph,
                                 guint line_width);
gboolean ns_export_findings (const NsExportRows *rows,
                             const NsExportOptions *options,
                             NsExportWriteFunc write,
                             gpointer write_data,
                             GError **error);

G_END_DECLS
