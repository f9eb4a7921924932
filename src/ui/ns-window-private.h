/* What the halves of the window share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-case-files.h"
#include "model/ns-follower.h"
#include "model/ns-opening.h"
#include "model/ns-session-conditions.h"
#include "model/ns-session-history.h"
#include "model/ns-session-state.h"
#include "ui/ns-crumb-bar.h"
#include "ui/ns-drop-frame.h"
#include "ui/ns-error-page.h"
#include "ui/ns-filter-bar.h"
#include "ui/ns-find-bar.h"
#include "ui/ns-finding-line.h"
#include "ui/ns-go-to.h"
#include "ui/ns-head-bar.h"
#include "ui/ns-load-notice.h"
#include "ui/ns-notice-bars.h"
#include "ui/ns-panel-frame.h"
#include "ui/ns-playback-bar.h"
#include "ui/ns-preset-actions.h"
#include "ui/ns-start-page.h"
#include "ui/ns-status-bar.h"
#include "ui/ns-trace-tabs.h"
#include "ui/ns-window.h"
#include "ui/panel/ns-details-panel.h"
#include "ui/panel/ns-flame-actions.h"
#include "ui/sheets/ns-export-actions.h"
#include "ui/sheets/ns-trace-info.h"
#include "ui/table/ns-table-actions.h"
#include "ui/table/ns-table-view.h"
#include "ui/timeline/ns-timeline-actions.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

typedef struct _NsWindowPairs NsWindowPairs;

struct _NsWindow
{
  GtkApplicationWindow parent_instance;

  NsSession *session;
  NsOpening *opening;
  NsCaseFiles *files;               /* what it shows or opens */
  gboolean is_regathered;           /* it is read again with more or fewer files */
  gboolean is_regathered_from_info; /* by who looks at the trace information */
  gboolean is_later;                /* the session is a later reading of the one before */
  gboolean is_swapping;             /* and what was chosen stays */
  NsFollower *follower;             /* of the shown trace */
  NsLoadNotice *notice;             /* that the file is there */
  NsSessionHistory *history;

  NsHeadBar *head;
  GtkWidget *pages;
  GtkWidget *start_page;
  GtkWidget *damage_sheet;
  NsErrorPage *error_page;
  NsFilterBar *filter_bar;
  NsCrumbBar *crumb_bar;
  NsFindBar *find_bar;
  GtkWidget *columns_button;
  GtkWidget *page_box;
  NsNoticeBars *bars;  /* what the window has to say of the trace */
  NsLoadBar *load_bar; /* in them */
  GtkWidget *trace_box;
  NsPanelFrame *panel_frame;
  NsFlameActions *call_tree; /* in place of the panes when it is shown */
  GtkWidget *main_paned;
  GtkWidget *timeline;
  GtkWidget *timeline_scrollbar;
  GtkWidget *hidden_lanes;
  NsFindingLine *finding_line;
  NsPlaybackBar *playback_bar;
  NsStatusBar *status_bar;
  NsGoTo *go_to;
  NsExportActions *export_actions;
  NsPresetActions *preset_actions;
  NsTableActions *table_actions;
  NsTimelineActions *timeline_actions;
  char *view_key; /* what the trace is known by; NULL: no trace */
  NsTraceTabs *tabs;
  GtkWidget *panel;
  GtkWidget *info;
  NsDropFrame *drop_frame;
  NsWindowPairs *pairs; /* with another machine */
};

void ns_window_add_actions (NsWindow *self);
void ns_window_add_event_actions (NsWindow *self);
void ns_window_update_event (NsWindow *self);
void ns_window_add_files_actions (NsWindow *self);
void ns_window_add_opening (NsWindow *self);
void ns_window_add_pairs (NsWindow *self);
void ns_window_free_pairs (NsWindow *self);
gboolean ns_window_has_machine (NsWindow *self);
void ns_window_build_pairs (NsWindow *self);
void ns_window_unbuild_pairs (NsWindow *self);
void ns_window_update_pairs (NsWindow *self, gboolean is_filtered);
void ns_window_drop_pairs (NsWindow *self);
void ns_window_look_for_machines (NsWindow *self);
void ns_window_add_machine (NsWindow *self, GFile *file);
gboolean ns_window_has_clock_by_hand (NsWindow *self);
void ns_window_ask_time_column (NsWindow *self);
void ns_window_offer_files (NsWindow *self);
void ns_window_update_parts (NsWindow *self);
char *ns_window_dup_event_sums (NsWindow *self, guint n_events);
GtkWidget *ns_window_get_event_fields (NsWindow *self);
void ns_window_update_actions (NsWindow *self);
NsTableId ns_window_get_front (NsWindow *self);
NsTableView *ns_window_peek_table (NsWindow *self, NsTableId table);
NsTableView *ns_window_ensure_table (NsWindow *self, NsTableId table);
void ns_window_show_table (NsWindow *self, NsTableId table);
void ns_window_show_page (NsWindow *self, const char *page);
void ns_window_update_counts (NsWindow *self);
void ns_window_update_tab (NsWindow *self, NsTableId table);
void ns_window_build_tables (NsWindow *self);
void ns_window_bring_keyboard_back (NsWindow *self);
void ns_window_row_menu_closed (NsWindow *self);
void ns_window_add_tables (NsWindow *self);
void ns_window_add_damage_actions (NsWindow *self);
void ns_window_show_damage (NsWindow *self);
void ns_window_restore_size (NsWindow *self);
void ns_window_save_size (NsWindow *self);
void ns_window_show_error (NsWindow *self, const GError *error);
void ns_window_add_view_actions (NsWindow *self);
void ns_window_restore_view (NsWindow *self);
GVariant *ns_window_make_view (NsWindow *self);
void ns_window_save_view (NsWindow *self);
void ns_window_watch_session (NsWindow *self);
void ns_window_update_title (NsWindow *self);
void ns_window_show_session (NsWindow *self, NsSession *session);
gboolean ns_window_is_touched (NsWindow *self);
void ns_window_show_later (NsWindow *self, NsTrace *trace);
void ns_window_swap_trace (NsWindow *self, NsTrace *trace);
void ns_window_add_follow (NsWindow *self);
void ns_window_add_tree (NsWindow *self);
void ns_window_say (NsWindow *self, const char *text);
void ns_window_add_condition (NsWindow *self, const char *condition, const char *name);

G_END_DECLS
