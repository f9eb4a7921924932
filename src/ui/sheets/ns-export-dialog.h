/* Dialog that asks which rows and columns to export and in which format, and shows the progress.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-export-job.h"
#include "ui/table/ns-table-view.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

#define NS_TYPE_EXPORT_DIALOG (ns_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (NsExportDialog, ns_export_dialog, NS, EXPORT_DIALOG, GtkWindow)

NsExportJob *ns_export_dialog_job_new (NsSession *session,
                                       NsTimeline *timeline,
                                       const NsSessionExport *what,
                                       const char *path);
void ns_export_dialog_show (GtkWindow *parent,
                            NsSession *session,
                            NsTableView *view,
                            NsTimeline *timeline,
                            GVariant *view_state);

G_END_DECLS
