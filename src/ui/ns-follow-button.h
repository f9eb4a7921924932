/* The toggle button that pauses and resumes following a growing trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-follower.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_FOLLOW_BUTTON (ns_follow_button_get_type ())
G_DECLARE_FINAL_TYPE (NsFollowButton, ns_follow_button, NS, FOLLOW_BUTTON, GtkToggleButton)

GActionMap *ns_follow_button_get_actions (NsFollowButton *self);
void ns_follow_button_set_follower (NsFollowButton *self, NsFollower *follower);

G_END_DECLS
