/* Selected rows, or all shown ones, to a file or the clipboard.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-view.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

char *ns_export_dialog_selected_to_text (NsSession *session, NsTableView *view);
gboolean ns_export_dialog_save (NsSession *session,
                                NsTableView *view,
                                NsTimeline *timeline,
                                const char *path,
                                GError **error);
void ns_export_dialog_show (GtkWindow *parent,
                            NsSession *session,
                            NsTableView *view,
                            NsTimeline *timeline);

char *ns_export_dialog_text_to_html (const char *text);
GdkContentProvider *ns_export_dialog_content_new (NsSession *session, NsTableView *view);
char *ns_export_dialog_selected_to_markdown (NsSession *session, NsTableView *view);
char *ns_export_dialog_selected_to_json (NsSession *session, NsTableView *view);

G_END_DECLS
