/* Common parts of secondary windows and dialogs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>

/**
 * ns_sheet_set_margins:
 * @widget: a widget
 * @margin: the margin of all four sides, in pixels
 */
void
ns_sheet_set_margins (GtkWidget *widget, int margin)
{
  gtk_widget_set_margin_start (widget, margin);
  gtk_widget_set_margin_end (widget, margin);
  gtk_widget_set_margin_top (widget, margin);
  gtk_widget_set_margin_bottom (widget, margin);
}

/**
 * ns_sheet_class_close_on_escape:
 * @klass: a class of windows
 *
 * Makes Escape close the windows of the class.
 */
void
ns_sheet_class_close_on_escape (GtkWidgetClass *klass)
{
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Escape, 0, "window.close", NULL);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *args, gpointer user_data)
{
  gtk_window_destroy (GTK_WINDOW (widget));
  return TRUE;
}

/**
 * ns_sheet_question_new:
 * @parent: (nullable): the parent window
 * @title: its title
 * @width: its width, px
 *
 * Returns: (transfer none): a modal window for a question, which Escape closes
 */
GtkWindow *
ns_sheet_question_new (GtkWindow *parent, const char *title, int width)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_window_set_title (window, title);
  gtk_window_set_transient_for (window, parent);
  gtk_window_set_modal (window, TRUE);
  gtk_window_set_resizable (window, FALSE);
  gtk_window_set_default_size (window, width, -1);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                        gtk_callback_action_new (escape_cb, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
  return window;
}

/**
 * ns_sheet_build_answers:
 * @window: a window for a question
 * @label: the label of the answer button, with a mnemonic
 * @callback: (scope notified): called when the user answers, with @data as the only argument
 * @data: for @callback
 *
 * Returns: (transfer floating): a row with a cancel and an answer button; Enter activates the
 * latter
 */
GtkWidget *
ns_sheet_build_answers (GtkWindow *window, const char *label, GCallback callback, gpointer data)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *cancel = ns_accessible_button_new (_ ("_Cancel"));
  GtkWidget *answer = ns_accessible_button_new (label);

  gtk_widget_set_halign (row, GTK_ALIGN_END);
  gtk_widget_add_css_class (answer, "suggested-action");
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_destroy), window);
  g_signal_connect_swapped (answer, "clicked", callback, data);
  gtk_box_append (GTK_BOX (row), cancel);
  gtk_box_append (GTK_BOX (row), answer);
  gtk_window_set_default_widget (window, answer);
  return row;
}

/**
 * ns_sheet_button_new:
 * @label: the label, with a mnemonic
 * @action: the name of the action
 *
 * Returns: (transfer floating): a button
 */
GtkWidget *
ns_sheet_button_new (const char *label, const char *action)
{
  GtkWidget *button = ns_accessible_button_new (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

/**
 * ns_sheet_build_list:
 * @window: the window to fill
 * @view: the list, which is put in a scrolled window
 * @buttons: the row of buttons below; a help button is appended to it
 * @help_page: the help page about the window
 *
 * Fills a window with a summary label, a list and a row of buttons.
 *
 * Returns: (transfer none): the summary label
 */
GtkWidget *
ns_sheet_build_list (GtkWindow *window, GtkWidget *view, GtkWidget *buttons, const char *help_page)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *summary = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (summary), 0);
  gtk_label_set_wrap (GTK_LABEL (summary), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (buttons), ns_help_button_new (help_page));
  ns_help_set_page (GTK_WIDGET (window), help_page);
  ns_sheet_set_margins (box, 12);
  gtk_box_append (GTK_BOX (box), summary);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), buttons);
  gtk_window_set_child (window, box);
  return summary;
}
