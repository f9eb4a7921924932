/* Common parts of secondary windows and dialogs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

void ns_sheet_set_margins (GtkWidget *widget, int margin);
void ns_sheet_class_close_on_escape (GtkWidgetClass *klass);
GtkWindow *ns_sheet_question_new (GtkWindow *parent, const char *title, int width);
GtkWidget *
ns_sheet_build_answers (GtkWindow *window, const char *label, GCallback callback, gpointer data);
GtkWidget *ns_sheet_button_new (const char *label, const char *action);
GtkWidget *
ns_sheet_build_list (GtkWindow *window, GtkWidget *view, GtkWidget *buttons, const char *help_page);
