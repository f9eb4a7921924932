/* A report of rows as plain text, with the contents of ns_export_html() except for the picture.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-html.h"

G_BEGIN_DECLS

/* Suffix of its file name. */
#define NS_EXPORT_REPORT_TEXT_ENDING ".report.txt"

NsRedact *ns_export_report_text_look (const NsExportReport *report,
                                      NsProgressFunc progress,
                                      gpointer progress_data);
gboolean ns_export_report_text (const NsExportReport *report,
                                NsExportWriteFunc write,
                                gpointer write_data,
                                GError **error);

G_END_DECLS
