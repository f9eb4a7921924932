/* Follows a trace that is still being written: watches its file and reloads it when it has grown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

#define NS_TYPE_FOLLOWER (ns_follower_get_type ())
G_DECLARE_FINAL_TYPE (NsFollower, ns_follower, NS, FOLLOWER, GObject)

NsFollower *ns_follower_new (NsViewContext *view);
void ns_follower_set_session (NsFollower *self, NsSession *session);
void ns_follower_begin (NsFollower *self, guint64 n_bytes, gint64 modified_us);
void ns_follower_stop (NsFollower *self);
gboolean ns_follower_can_follow (NsFollower *self);
gboolean ns_follower_is_following (NsFollower *self);
gboolean ns_follower_is_paused (NsFollower *self);
void ns_follower_set_paused (NsFollower *self, gboolean is_paused);
void ns_follower_set_unseen (NsFollower *self, gboolean is_unseen);

G_END_DECLS
