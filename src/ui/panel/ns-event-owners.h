/* Sections about one event: the operation and connection it belongs to, and its process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_EVENT_BELONGS (ns_event_owners_get_type ())
G_DECLARE_FINAL_TYPE (NsEventOwners, ns_event_owners, NS, EVENT_BELONGS, GtkWidget)

GtkWidget *ns_event_owners_new (void);
void ns_event_owners_set_event (NsEventOwners *self, NsTrace *trace, guint32 event);

G_END_DECLS
