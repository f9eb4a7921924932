/* Printing of the timeline and the table, and saving the timeline as a picture.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-view.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

/* Called when the file is written; @error: (nullable): set if writing failed. */
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
