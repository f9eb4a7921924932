/* Sends a desktop notification when a long load ends while the user works in another window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_LOAD_NOTICE (ns_load_notice_get_type ())
G_DECLARE_FINAL_TYPE (NsLoadNotice, ns_load_notice, NS, LOAD_NOTICE, GObject)

NsLoadNotice *ns_load_notice_new (GtkApplicationWindow *window);
void ns_load_notice_begin (NsLoadNotice *self);
void ns_load_notice_end (NsLoadNotice *self, GFile *file, gboolean is_open, const char *body);
void ns_load_notice_withdraw (NsLoadNotice *self);

G_END_DECLS
