/* Actions of the timeline: zooming, stepping through the bars, and filtering by a lane or a time
 * span.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/timeline/ns-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define NS_TYPE_TIMELINE_ACTIONS (ns_timeline_actions_get_type ())
G_DECLARE_FINAL_TYPE (NsTimelineActions, ns_timeline_actions, NS, TIMELINE_ACTIONS, GObject)

NsTimelineActions *ns_timeline_actions_new (NsTimeline *timeline);
GActionMap *ns_timeline_actions_get_actions (NsTimelineActions *self);
void ns_timeline_actions_set_session (NsTimelineActions *self, NsSession *session);
void ns_timeline_actions_update (NsTimelineActions *self, gboolean is_there);

G_END_DECLS
