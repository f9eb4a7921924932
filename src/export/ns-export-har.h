/* Requests as an HTTP Archive (HAR 1.2), the format of browsers' network panels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"

G_BEGIN_DECLS

/* Maximum payload bytes read per request, and maximum size of its decoded bodies. */
#define NS_EXPORT_HAR_MAX_BODY (4 * 1024 * 1024)

gboolean ns_export_har_with_bodies (const NsTrace *trace,
                                    const guint32 *rows,
                                    gsize n_rows,
                                    NsExportWriteFunc write,
                                    gpointer write_data,
                                    GError **error);
gboolean ns_export_har (const NsTrace *trace,
                        const guint32 *rows,
                        gsize n_rows,
                        NsExportWriteFunc write,
                        gpointer write_data,
                        GError **error);
gsize ns_export_har_count (const NsTrace *trace, const guint32 *rows, gsize n_rows);
NsRedact *ns_export_har_look (const NsTrace *trace,
                              const guint32 *rows,
                              gsize n_rows,
                              const NsRedactOptions *options);
gboolean ns_export_har_redacted (const NsTrace *trace,
                                 const guint32 *rows,
                                 gsize n_rows,
                                 const NsRedact *redact,
                                 gboolean has_headers,
                                 NsExportWriteFunc write,
                                 gpointer write_data,
                                 GError **error);

G_END_DECLS
