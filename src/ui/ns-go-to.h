/* Goes to a copied position: a link, a time, or the rows that contain a value such as an address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define NS_TYPE_GO_TO (ns_go_to_get_type ())
G_DECLARE_FINAL_TYPE (NsGoTo, ns_go_to, NS, GO_TO, GObject)

NsGoTo *ns_go_to_new (void);
GActionMap *ns_go_to_get_actions (NsGoTo *self);
void ns_go_to_set_session (NsGoTo *self, NsSession *session);
void ns_go_to_set_view (NsGoTo *self, GVariant *view);
void ns_go_to_show_view (NsGoTo *self);

G_END_DECLS
