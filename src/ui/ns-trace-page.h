/* Page of an open trace: filter bar, timeline, tables, details panel and status bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-other-machine.h"
#include "ui/ns-go-to.h"
#include "ui/ns-kept-view.h"
#include "ui/ns-panel-frame.h"
#include "ui/ns-playback-bar.h"
#include "ui/ns-status-bar.h"
#include "ui/ns-trace-tabs.h"

G_BEGIN_DECLS

#define NS_TYPE_TRACE_PAGE (ns_trace_page_get_type ())
G_DECLARE_FINAL_TYPE (NsTracePage, ns_trace_page, NS, TRACE_PAGE, GtkBox)

GActionMap *ns_trace_page_get_actions (NsTracePage *self);
void ns_trace_page_add_machine (NsTracePage *self, NsOtherMachine *machine, GtkWidget *window);
void ns_trace_page_set_session (NsTracePage *self,
                                NsSession *session,
                                NsSessionChange turn,
                                gboolean is_part);
void ns_trace_page_restore_view (NsTracePage *self);
void ns_trace_page_show_view (NsTracePage *self);
NsKeptView *ns_trace_page_keep (NsTracePage *self);
void ns_trace_page_put_back (NsTracePage *self, NsKeptView *kept);
void ns_trace_page_prepare_loading (NsTracePage *self);
void ns_trace_page_set_reading (NsTracePage *self, gboolean is_reading, gboolean is_more);
void ns_trace_page_set_following (NsTracePage *self, gboolean is_following);
void ns_trace_page_take_bars (NsTracePage *self, GtkWidget *bars);
void ns_trace_page_report (NsTracePage *self, const char *text);
void ns_trace_page_escape (NsTracePage *self);
guint ns_trace_page_get_needs_met (NsTracePage *self);
void ns_trace_page_update (NsTracePage *self, gboolean is_shown);
void
ns_trace_page_set_initial_layout (NsTracePage *self, int width, int height, gboolean has_panel);
NsGoTo *ns_trace_page_get_go_to (NsTracePage *self);
NsPanelFrame *ns_trace_page_get_frame (NsTracePage *self);
NsStatusBar *ns_trace_page_get_status_bar (NsTracePage *self);
NsPlaybackBar *ns_trace_page_get_playback_bar (NsTracePage *self);
NsTraceTabs *ns_trace_page_get_tabs (NsTracePage *self);

G_END_DECLS
