/* Accessible names where GTK 4.8 sets none or a wrong one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_accessible_set_name (GtkWidget *widget, const char *name);
void ns_accessible_set_status (GtkWidget *label, const char *text);
void ns_accessible_set_mnemonic (GtkWidget *button);
void ns_accessible_set_buttons_names (GtkWidget *widget, const char *of_image);
GtkWidget *ns_accessible_button_new (const char *label);
GtkWidget *ns_accessible_check_button_new (const char *label);
void ns_accessible_set_row_name (GtkWidget *child, const char *name);
void ns_accessible_set_cell_name (GtkWidget *child, const char *name, const char *row_name);
void ns_accessible_set_tab_name (GtkNotebook *notebook, GtkWidget *page, const char *name);
void ns_accessible_set_notebook_name (GtkNotebook *notebook, const char *name);
void ns_accessible_set_close_name (GtkInfoBar *bar);
void ns_accessible_set_table_name (GtkColumnView *view, const char *name);
void ns_accessible_set_menu_name (GtkWidget *menu, const char *name);
GtkWidget *ns_accessible_menu_new (GMenuModel *model);
void ns_accessible_menu_drop (GtkWidget *menu);
void ns_accessible_drop_menus (GtkWidget *widget);
void ns_accessible_set_drop_down_name (GtkDropDown *drop_down, const char *name);
GtkWidget *ns_accessible_drop_down_new (const char *const *words, const char *name);

G_END_DECLS
