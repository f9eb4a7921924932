/* List of the fields of one event: name, type, value, offset and size.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-event-facts.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_EVENT_LIST (ns_event_list_get_type ())
G_DECLARE_FINAL_TYPE (NsEventList, ns_event_list, NS, EVENT_LIST, GtkWidget)

GtkWidget *ns_event_list_new (void);
void ns_event_list_set_name (NsEventList *self, const char *name);
void ns_event_list_set_facts (NsEventList *self, const NsEventFacts *facts, gboolean is_whole);
void ns_event_list_set_wide (NsEventList *self, gboolean is_wide);
void ns_event_list_collapse (NsEventList *self, guint fact, gboolean is_fold);
gboolean ns_event_list_is_folded (NsEventList *self, guint fact);
gboolean ns_event_list_has (NsEventList *self, guint fact);
void ns_event_list_choose (NsEventList *self, guint fact);
guint ns_event_list_get_chosen (NsEventList *self);
void ns_event_list_hover (NsEventList *self, guint fact);

G_END_DECLS
