/* Tab with the requests that this machine and another one recorded, and actions that go from one
 * machine to the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-other-machine.h"
#include "ui/ns-trace-tabs.h"

G_BEGIN_DECLS

#define NS_TYPE_PAIRED_TAB (ns_paired_tab_get_type ())
G_DECLARE_FINAL_TYPE (NsPairedTab, ns_paired_tab, NS, PAIRED_TAB, GObject)

NsPairedTab *ns_paired_tab_new (NsOtherMachine *machine, NsTraceTabs *tabs);
GActionMap *ns_paired_tab_get_actions (NsPairedTab *self);
void ns_paired_tab_set_session (NsPairedTab *self, NsSession *session);
GtkWidget *ns_paired_tab_build (NsPairedTab *self, gboolean is_narrow);
void ns_paired_tab_forget_page (NsPairedTab *self);
void ns_paired_tab_update_rows (NsPairedTab *self, gboolean is_playback);
void ns_paired_tab_set_narrow (NsPairedTab *self, gboolean is_narrow);
void ns_paired_tab_watch_keys (NsPairedTab *self, GtkWidget *window);

G_END_DECLS
