/* The header bar of the window: title, subtitle, and the buttons of the main actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_HEAD_BAR (ns_head_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsHeadBar, ns_head_bar, NS, HEAD_BAR, GtkBox)

void ns_head_bar_set_title (NsHeadBar *self, const char *text);
void ns_head_bar_set_subtitle (NsHeadBar *self, const char *text);
const char *ns_head_bar_get_subtitle (NsHeadBar *self);
void ns_head_bar_describe (NsHeadBar *self, NsSession *session, gboolean is_narrow);
void ns_head_bar_set_tight (NsHeadBar *self, gboolean is_tight);
void ns_head_bar_set_trace (NsHeadBar *self, gboolean is_open, gboolean is_shown);
void ns_head_bar_focus (NsHeadBar *self);

G_END_DECLS
