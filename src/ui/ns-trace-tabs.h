/* Notebook with a tab for each table of a trace; a table is created when its tab is first shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "ui/ns-playback-bar.h"
#include "ui/table/ns-table-view.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TRACE_TABS (ns_trace_tabs_get_type ())
G_DECLARE_FINAL_TYPE (NsTraceTabs, ns_trace_tabs, NS, TRACE_TABS, GtkBox)

/**
 * NsSessionChange:
 * @NS_TABS_NEW: a new trace, read completely
 * @NS_TABS_BEGINNING: the first part of a new trace; its table is created after the first frames
 * @NS_SESSION_RELOADED: a reload, which may bring another table to the front
 * @NS_SESSION_RELOADED_SAME_FRONT: a reload that keeps the table in front
 *
 * How a new session relates to the one shown before. A reload is a new session of the same trace,
 * with more rows or other files.
 */
typedef enum
{
  NS_TABS_NEW,
  NS_TABS_BEGINNING,
  NS_SESSION_RELOADED,
  NS_SESSION_RELOADED_SAME_FRONT,
} NsSessionChange;

GActionMap *ns_trace_tabs_get_actions (NsTraceTabs *self);
void ns_trace_tabs_set_session (NsTraceTabs *self, NsSession *session, NsSessionChange turn);
gboolean ns_trace_tabs_may_have_rows (NsTraceTabs *self, NsTableId table);
NsTableView *ns_trace_tabs_peek_table (NsTraceTabs *self, NsTableId table);
NsTableView *ns_trace_tabs_ensure_table (NsTraceTabs *self, NsTableId table);
void ns_trace_tabs_show_table (NsTraceTabs *self, NsTableId table);
gboolean ns_trace_tabs_show_nth (NsTraceTabs *self, guint nth);
void ns_trace_tabs_show_next (NsTraceTabs *self, int by);
void ns_trace_tabs_focus (NsTraceTabs *self);
void ns_trace_tabs_update_count (NsTraceTabs *self,
                                 NsTableId table,
                                 NsCountState count_state,
                                 gboolean is_playback);
GtkWidget *ns_trace_tabs_peek_fields (NsTraceTabs *self);
gboolean ns_trace_tabs_wants_timeline (NsTraceTabs *self);
void ns_trace_tabs_insert_page (NsTraceTabs *self,
                                GtkWidget *page,
                                GtkWidget *tab,
                                guint place,
                                const char *title);
void ns_trace_tabs_show_page (NsTraceTabs *self, GtkWidget *page);
GtkWidget *ns_trace_tabs_get_page (NsTraceTabs *self);

G_END_DECLS
