/* Table of events or packets, with the fields and bytes of the selected row below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_EVENTS_PANE (ns_events_pane_get_type ())
G_DECLARE_FINAL_TYPE (NsEventsPane, ns_events_pane, NS, EVENTS_PANE, GtkWidget)

GtkWidget *ns_events_pane_new (NsTableId kind, GtkWidget *table, NsSession *session);
void ns_events_pane_set_session (NsEventsPane *self, NsSession *session);
GtkWidget *ns_events_pane_get_fields (NsEventsPane *self);
void ns_events_pane_set_shown (NsEventsPane *self, gboolean is_shown);

G_END_DECLS
