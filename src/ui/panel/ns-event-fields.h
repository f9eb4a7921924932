/* Fields and bytes of one event; a selection in one highlights the same range in the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-event-facts.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_EVENT_FIELDS (ns_event_fields_get_type ())
G_DECLARE_FINAL_TYPE (NsEventFields, ns_event_fields, NS, EVENT_FIELDS, GtkWidget)

GtkWidget *ns_event_fields_new (void);
void ns_event_fields_set_facts (NsEventFields *self, NsEventFacts *facts);
void ns_event_fields_set_note (NsEventFields *self, const char *note);
void ns_event_fields_set_for_packets (NsEventFields *self);
void ns_event_fields_add_button (NsEventFields *self, GtkWidget *button);
void ns_event_fields_set_message (NsEventFields *self, const char *message);
void ns_event_fields_add_fold (NsEventFields *self);
void ns_event_fields_select (NsEventFields *self, guint fact);
guint ns_event_fields_get_chosen (NsEventFields *self);
void ns_event_fields_choose_byte (NsEventFields *self, guint32 byte);
void ns_event_fields_choose_name (NsEventFields *self, const char *name);
void ns_event_fields_fold_name (NsEventFields *self, const char *name);
gboolean ns_event_fields_is_list_focus (NsEventFields *self);
GVariant *ns_event_fields_get_state (NsEventFields *self);
const NsEventFacts *ns_event_fields_get_facts (NsEventFields *self);

G_END_DECLS
