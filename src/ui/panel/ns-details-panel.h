/* Side panel: summary, phases, call stack, links and all fields of the selected row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-pairing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_DETAILS_PANEL (ns_details_panel_get_type ())
G_DECLARE_FINAL_TYPE (NsDetailsPanel, ns_details_panel, NS, DETAILS_PANEL, GtkWidget)

void ns_details_panel_set_session (NsDetailsPanel *self, NsSession *session);
char *ns_details_panel_stack_to_text (NsDetailsPanel *self);
GtkWidget *ns_details_panel_get_event_fields (NsDetailsPanel *self);
void ns_details_panel_set_pairing (NsDetailsPanel *self, NsPairing *pairing);
void ns_details_panel_set_has_fields (NsDetailsPanel *self, gboolean has_fields);

G_END_DECLS
