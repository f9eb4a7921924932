/* Menu button with the saved filters of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_SAVED_BUTTON (ns_saved_button_get_type ())
G_DECLARE_FINAL_TYPE (NsSavedButton, ns_saved_button, NS, SAVED_BUTTON, GtkBox)

GActionMap *ns_saved_button_get_actions (NsSavedButton *self);
void ns_saved_button_set_session (NsSavedButton *self, NsSession *session);
void ns_saved_button_set_narrow (NsSavedButton *self, gboolean is_narrow);

G_END_DECLS
