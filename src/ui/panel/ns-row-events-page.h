/* Page of the events that support the selected row, and how they were found.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_ROW_EVENTS_PAGE (ns_row_events_page_get_type ())
G_DECLARE_FINAL_TYPE (NsRowEventsPage, ns_row_events_page, NS, ROW_EVENTS_PAGE, GtkWidget)

GtkWidget *ns_row_events_page_new (void);
void
ns_row_events_page_set_row (NsRowEventsPage *self, NsTrace *trace, NsTableId table, guint32 row);
void ns_row_events_page_clear (NsRowEventsPage *self, const char *note);

void ns_row_events_page_set_moment (NsRowEventsPage *self, gint64 moment_ns);

G_END_DECLS
