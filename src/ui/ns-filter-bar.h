/* The filter of the table in front: its conditions as chips, the filter entry, and saved filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_FILTER_BAR (ns_filter_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsFilterBar, ns_filter_bar, NS, FILTER_BAR, GtkBox)

GActionMap *ns_filter_bar_get_actions (NsFilterBar *self);
void ns_filter_bar_set_session (NsFilterBar *self, NsSession *session);
void ns_filter_bar_hold (NsFilterBar *self);
void ns_filter_bar_resume (NsFilterBar *self);
void ns_filter_bar_set_narrow (NsFilterBar *self, gboolean is_narrow);
GtkWidget *ns_filter_bar_get_entry (NsFilterBar *self);
gboolean ns_filter_bar_escape (NsFilterBar *self);
void ns_filter_bar_set_text (NsFilterBar *self, const char *text);

G_END_DECLS
