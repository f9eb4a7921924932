/* A hand-over file: chosen rows as a trace of their own, with notes and results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-html.h"

G_BEGIN_DECLS

/* Suffix of its file name. */
#define NS_EXPORT_BUNDLE_ENDING ".etl.zip"

gboolean ns_export_bundle (const NsExportReport *report,
                           NsExportWriteFunc write,
                           gpointer write_data,
                           GError **error);
gboolean ns_export_bundle_machines (const NsExportReport *reports,
                                    const char *const *machines,
                                    guint n_reports,
                                    NsExportWriteFunc write,
                                    gpointer write_data,
                                    GError **error);
GString *ns_export_bundle_list_names (const NsExportChains *chains, const NsTrace *part);
GVariant *ns_export_bundle_make_view (const NsExportReport *report, const NsTrace *part);

G_END_DECLS
