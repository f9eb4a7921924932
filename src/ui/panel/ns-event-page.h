/* Page of one event: facts, call stack, fields and bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

#include "model/ns-symbol-job.h"

G_BEGIN_DECLS

#define NS_TYPE_EVENT_PAGE (ns_event_page_get_type ())
G_DECLARE_FINAL_TYPE (NsEventPage, ns_event_page, NS, EVENT_PAGE, GtkWidget)

GtkWidget *ns_event_page_new (void);
void ns_event_page_set_event (NsEventPage *self, NsTrace *trace, guint32 row);
char *ns_event_page_title (NsTrace *trace, guint32 row, char **rest);
char *ns_event_page_stack_to_text (NsEventPage *self);
GtkWidget *ns_event_page_get_fields (NsEventPage *self);
gboolean ns_event_page_set_has_fields (NsEventPage *self, gboolean has_fields);

void ns_event_page_set_symbols (NsEventPage *self, NsSymbolJob *symbols);

G_END_DECLS
