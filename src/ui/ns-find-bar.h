/* The find bar: searches the table in front, steps through the matches, and highlights them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-finder.h"
#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_FIND_BAR (ns_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsFindBar, ns_find_bar, NS, FIND_BAR, GtkBox)

GActionMap *ns_find_bar_get_actions (NsFindBar *self);
void ns_find_bar_set_session (NsFindBar *self, NsSession *session);
NsFinder *ns_find_bar_get_finder (NsFindBar *self);
void ns_find_bar_open (NsFindBar *self);
gboolean ns_find_bar_close (NsFindBar *self);
void ns_find_bar_update (NsFindBar *self);
void ns_find_bar_hold (NsFindBar *self);
void ns_find_bar_resume (NsFindBar *self);
void ns_find_bar_find_matching (NsFindBar *self, const char *text, const char *filter);

G_END_DECLS
