/* The timeline with the playback bar, the line of the selected finding and the button for hidden
 * lanes below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-finding-line.h"
#include "ui/ns-playback-bar.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

#define NS_TYPE_TIMELINE_PANE (ns_timeline_pane_get_type ())
G_DECLARE_FINAL_TYPE (NsTimelinePane, ns_timeline_pane, NS, TIMELINE_PANE, GtkBox)

GActionMap *ns_timeline_pane_get_actions (NsTimelinePane *self);
void ns_timeline_pane_leave (NsTimelinePane *self, gboolean is_reload);
void ns_timeline_pane_set_session (NsTimelinePane *self, NsSession *session);
void ns_timeline_pane_update (NsTimelinePane *self, gboolean is_there);
void ns_timeline_pane_add_lanes (NsTimelinePane *self, GtkWidget *lanes);
NsTimeline *ns_timeline_pane_get_timeline (NsTimelinePane *self);
NsPlaybackBar *ns_timeline_pane_get_playback_bar (NsTimelinePane *self);
NsFindingLine *ns_timeline_pane_get_finding_line (NsTimelinePane *self);

G_END_DECLS
