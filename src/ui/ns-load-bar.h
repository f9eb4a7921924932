/* The progress bar shown while a trace is read, with a button that cancels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_LOAD_BAR (ns_load_bar_get_type ())
G_DECLARE_FINAL_TYPE (NsLoadBar, ns_load_bar, NS, LOAD_BAR, GtkBox)

void ns_load_bar_begin (NsLoadBar *self);
void ns_load_bar_end (NsLoadBar *self);
void ns_load_bar_show_connecting (NsLoadBar *self);
void ns_load_bar_set_bytes (NsLoadBar *self, guint64 n_bytes);
guint64 ns_load_bar_get_bytes (NsLoadBar *self);
void ns_load_bar_set_progress (NsLoadBar *self, double fraction, gboolean is_fetching);
void ns_load_bar_reveal (NsLoadBar *self);
void ns_load_bar_focus (NsLoadBar *self);
char *ns_load_bar_dup_subtitle (NsLoadBar *self);

G_END_DECLS
