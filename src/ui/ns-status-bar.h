/* Status bar of a trace: sums of the selected rows, lost events, symbol progress and the clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "ui/ns-follow-button.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_STATUS_BAR (ns_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsStatusBar, ns_status_bar, NS, STATUS_BAR, GtkBox)

GActionMap *ns_status_bar_get_actions (NsStatusBar *self);
NsFollowButton *ns_status_bar_get_follow_button (NsStatusBar *self);
void ns_status_bar_set_session (NsStatusBar *self, NsSession *session);
void ns_status_bar_set_reading (NsStatusBar *self, gboolean is_reading);
void ns_status_bar_set_narrow (NsStatusBar *self, gboolean is_narrow);
void ns_status_bar_set_has_sums (NsStatusBar *self, gboolean has_sums);
void ns_status_bar_show_message (NsStatusBar *self, const char *text);
void ns_status_bar_update_sums (NsStatusBar *self);

G_END_DECLS
