/* What the halves of the window share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-case-files.h"
#include "model/ns-follower.h"
#include "model/ns-history.h"
#include "model/ns-opening.h"
#include "ui/ns-error-page.h"
#include "ui/ns-find-bar.h"
#include "ui/ns-load-notice.h"
#include "ui/ns-notice-bars.h"
#include "ui/ns-playback-bar.h"
#include "ui/ns-saved-button.h"
#include "ui/ns-start-page.h"
#include "ui/ns-status-bar.h"
#include "ui/ns-trace-tabs.h"
#include "ui/ns-window.h"
#include "ui/panel/ns-details-panel.h"
#include "ui/sheets/ns-trace-info.h"
#include "ui/table/ns-rows-content.h"
#include "ui/table/ns-table-view.h"
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
  GCancellable *counting;           /* of the chips in front */
  char *followed;                   /* (nullable): the name of the chip that each table has */
  GCancellable *spreading;          /* it to the other tables */
  gboolean follows_process;
  gboolean is_count_due; /* once the rows of the table in front are there */
  NsHistory *history;
  NsTimeSpan seen;   /* zoom of the last step */
  gboolean is_going; /* through the history */
  NsTableId table;   /* of the tab in front */
  guint filter_id;
  guint late_id;     /* until it is told that rows are waited for */
  gboolean is_late;  /* it is */
  NsTableId counted; /* the table that the count of rows is of */
  gboolean is_setting_filter;
  gboolean was_panel_shown;
  gboolean is_narrow;
  gboolean is_tight; /* narrower still */
  guint fit_id;

  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *recent_button;
  GtkWidget *pages;
  GtkWidget *start_page;
  GtkWidget *damage_sheet;
  NsErrorPage *error_page;
  GtkWidget *filter;
  GtkWidget *filter_box;
  GtkWidget *chip_scrolled;
  GtkWidget *chip_box;
  GtkWidget *clear_button;
  NsSavedButton *saved_button;
  GtkWidget *open_word;
  GtkWidget *crumb_box;
  GtkWidget *undo_button;
  NsFindBar *find_bar;
  GtkWidget *columns_button;
  GtkWidget *count;
  GtkWidget *late_spinner;
  GtkWidget *panel_paned;
  GtkWidget *page_box;
  NsNoticeBars *bars;  /* what the window has to say of the trace */
  NsLoadBar *load_bar; /* in them */
  GtkWidget *trace_box;
  GtkWidget *crumb_line;
  GtkWidget *final_text; /* of what is being read: what is there for good */
  GtkWidget *panel_overlay;
  GtkWidget *trace_buttons_start;
  GtkWidget *trace_buttons_end;
  GtkWidget *call_tree; /* in place of the panes when it is shown */
  GtkWidget *main_paned;
  GtkWidget *timeline;
  GtkWidget *timeline_scrollbar;
  GtkWidget *hidden_lanes;
  GtkWidget *finding_line;
  NsPlaybackBar *playback_bar;
  NsStatusBar *status_bar;
  GtkWidget *menu_button;
  GCancellable *going;  /* to what was pasted last; NULL: nowhere */
  GVariant *asked_view; /* what the command line asks to be shown; NULL: nothing */
  char *view_key;       /* what the trace is known by; NULL: no trace */
  NsTraceTabs *tabs;
  GtkWidget *panel;
  GtkWidget *info;
  GtkWidget *drop_here;
  NsWindowPairs *pairs; /* with another machine */
};

void ns_window_add_actions (NsWindow *self);
void ns_window_add_state (NsWindow *self, const char *name, GVariant *state);
void ns_window_add_event_actions (NsWindow *self);
void ns_window_update_event (NsWindow *self);
void ns_window_add_wireshark (NsWindow *self);
void ns_window_add_files_actions (NsWindow *self);
void ns_window_add_opening (NsWindow *self);
void ns_window_add_pairs (NsWindow *self);
void ns_window_free_pairs (NsWindow *self);
void ns_window_enable_pairs (NsWindow *self, gboolean has_trace);
void ns_window_build_pairs (NsWindow *self);
void ns_window_unbuild_pairs (NsWindow *self);
void ns_window_update_pairs (NsWindow *self, gboolean is_filtered);
void ns_window_drop_pairs (NsWindow *self);
void ns_window_look_for_machines (NsWindow *self);
void ns_window_add_machine (NsWindow *self, GFile *file);
gboolean ns_window_has_clock_by_hand (NsWindow *self);
void ns_window_ask_time_column (NsWindow *self);
gboolean ns_window_has_conversation (NsWindow *self);
void ns_window_update_parts (NsWindow *self);
char *ns_window_dup_event_sums (NsWindow *self, guint n_events);
GtkWidget *ns_window_get_event_fields (NsWindow *self);
void ns_window_update_actions (NsWindow *self);
void ns_window_enable_what_works (NsWindow *self, gboolean has_trace);
NsTableView *ns_window_peek_table (NsWindow *self, NsTableId table);
NsTableView *ns_window_ensure_table (NsWindow *self, NsTableId table);
void ns_window_show_table (NsWindow *self, NsTableId table);
void ns_window_apply_filter (NsWindow *self);
void ns_window_set_filter_text (NsWindow *self, const char *text);
void ns_window_show_page (NsWindow *self, const char *page);
void ns_window_update_counts (NsWindow *self);
void ns_window_update_tab (NsWindow *self, NsTableId table);
void ns_window_build_tables (NsWindow *self);
void ns_window_watch_menu (NsWindow *self);
void ns_window_popup_row_menu (NsWindow *self, GtkWidget *parent, double x, double y);
void ns_window_undo_filter (NsWindow *self);
void ns_window_add_tables (NsWindow *self);
void ns_window_add_lanes (NsWindow *self);
void ns_window_enable_lanes (NsWindow *self, gboolean has_trace);
void ns_window_add_print (NsWindow *self);
void ns_window_when_sorted (NsWindow *self,
                            void (*run) (NsWindow *self, const char *path),
                            const char *path);
void ns_window_enable_print (NsWindow *self, gboolean has_trace);
void ns_window_add_findings (NsWindow *self);
guint32 ns_window_get_finding (NsWindow *self);
gboolean ns_window_copy_finding (NsWindow *self, gboolean with_evidence);
void ns_window_update_finding_line (NsWindow *self);
char *ns_window_dup_finding_sums (NsWindow *self, guint n_selected);
void ns_window_update_findings (NsWindow *self);
void ns_window_add_damage_actions (NsWindow *self);
void ns_window_show_damage (NsWindow *self);
void ns_window_fit (NsWindow *self, int width);
void ns_window_restore_size (NsWindow *self);
void ns_window_save_size (NsWindow *self);
void ns_window_show_error (NsWindow *self, const GError *error);
void ns_window_add_view_actions (NsWindow *self);
void ns_window_update_view_actions (NsWindow *self, gboolean has_trace);
void ns_window_restore_view (NsWindow *self);
GVariant *ns_window_make_view (NsWindow *self);
void ns_window_save_view (NsWindow *self);
void ns_window_watch_session (NsWindow *self);
void ns_window_update_title (NsWindow *self);
void ns_window_show_session (NsWindow *self, NsSession *session);
GVariant *ns_window_dup_state (NsWindow *self);
void ns_window_restore_state (NsWindow *self, GVariant *state);
gboolean ns_window_is_touched (NsWindow *self);
void ns_window_show_later (NsWindow *self, NsTrace *trace);
void ns_window_swap_trace (NsWindow *self, NsTrace *trace);
void ns_window_add_preset (NsWindow *self);
void ns_window_enable_preset (NsWindow *self, gboolean has_trace);
void ns_window_add_follow (NsWindow *self);
void ns_window_add_tree (NsWindow *self);
void ns_window_show_tree (NsWindow *self, gboolean is_tree);
gboolean ns_window_leave_tree (NsWindow *self);
gboolean ns_window_search_tree (NsWindow *self);
void ns_window_append_stack_count (NsWindow *self, GString *text);
gboolean ns_window_copy_frame (NsWindow *self);
void ns_window_copy_rows (NsWindow *self, NsRowsPurpose purpose);
void ns_window_set_tree_session (NsWindow *self, NsSession *session);
void ns_window_add_groups (NsWindow *self);
void ns_window_enable_groups (NsWindow *self, gboolean has_trace);
void ns_window_group_table (NsWindow *self, NsTableId table, const char *ids);
void ns_window_say (NsWindow *self, const char *text);

G_END_DECLS
