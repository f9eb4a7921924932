/* What is in the window on paper, and the timeline as a picture.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-view.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

/* @error: (nullable): why the pages are not there */
typedef void (*NsPrintSavedFunc) (GObject *who, const GError *error);

void
ns_print_sheet_run (GtkWindow *parent, NsSession *session, NsTimeline *timeline, NsTableView *view);
void ns_print_sheet_save (GObject *who,
                          NsSession *session,
                          NsTimeline *timeline,
                          NsTableView *view,
                          const char *path,
                          NsPrintSavedFunc saved);
void ns_print_sheet_ask_picture (GtkWindow *parent, NsTimeline *timeline);

G_END_DECLS
