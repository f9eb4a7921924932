/* Asks where a recording profile is to be saved.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-recipe-file.h"
#include "ui/sheets/ns-recipe-sheet.h"

#include <glib/gi18n.h>

static void
show_error (GtkWindow *parent, const GError *error)
{
  GtkWidget *dialog = gtk_message_dialog_new (parent,
                                              GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_ERROR,
                                              GTK_BUTTONS_CLOSE,
                                              "%s",
                                              _ ("The recording profile could not be saved"));

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", error->message);
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  path = file != NULL ? g_file_get_path (file) : NULL;
  if (path != NULL && !ns_recipe_file_save (path, &error))
    show_error (gtk_native_dialog_get_transient_for (dialog), error);
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

/**
 * ns_recipe_sheet_ask:
 * @parent: the window that asks
 *
 * Asks for a file and writes a profile there that records what all tables need.
 */
void
ns_recipe_sheet_ask (GtkWindow *parent)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save Recording Profile"),
                                                              parent,
                                                              GTK_FILE_CHOOSER_ACTION_SAVE,
                                                              _ ("_Save"),
                                                              _ ("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "netstitch.wprp");
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
