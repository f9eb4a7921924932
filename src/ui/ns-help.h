/* Context help: the help page of each part of the window, and how it is opened.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_help_set_page (GtkWidget *widget, const char *page);
void ns_help_set_popover_page (GtkWidget *popover, const char *page);
const char *ns_help_get_page (GtkWidget *widget);
void ns_help_show (GtkWindow *parent, const char *page);
gboolean ns_help_has_open_menu (GtkWidget *widget);
void ns_help_show_keys (GtkApplicationWindow *window);
GtkWidget *ns_help_button_new (const char *page);

G_END_DECLS
