/* Runs a native file chooser that is closed together with its parent window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-file-ask.h"

#include <glib/gi18n.h>

typedef struct
{
  GtkNativeDialog *dialog;
  GtkWindow *parent;
  NsFileAskFunc chosen;
  gpointer data;
} ChooserData;

static void
finish (GtkNativeDialog *dialog, ChooserData *self)
{
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
  g_free (self);
}

static void
response_cb (GtkNativeDialog *dialog, int response, ChooserData *self)
{
  /* The callback may close the parent window, so the handlers are disconnected first. */
  g_signal_handlers_disconnect_by_data (dialog, self);
  g_signal_handlers_disconnect_by_data (self->parent, self);
  if (response == GTK_RESPONSE_ACCEPT)
    self->chosen (GTK_FILE_CHOOSER (dialog), self->data);
  finish (dialog, self);
}

static void
parent_gone_cb (GtkWidget *parent, ChooserData *self)
{
  GtkNativeDialog *dialog = self->dialog;

  g_signal_handlers_disconnect_by_data (dialog, self);
  g_signal_handlers_disconnect_by_data (parent, self);
  finish (dialog, self);
}

/**
 * ns_file_ask:
 * @dialog: (transfer full): a file chooser that is transient for its parent window
 * @chosen: called when a file was chosen
 * @data: data for @chosen, valid as long as the parent window
 *
 * Shows @dialog and destroys it after the response. If the parent window is closed first, @dialog
 * is destroyed and @chosen is not called.
 */
void
ns_file_ask (GtkFileChooserNative *dialog, NsFileAskFunc chosen, gpointer data)
{
  ChooserData *self = g_new0 (ChooserData, 1);

  self->dialog = GTK_NATIVE_DIALOG (dialog);
  self->parent = gtk_native_dialog_get_transient_for (self->dialog);
  self->chosen = chosen;
  self->data = data;
  /* Unrealize, not destruction: running jobs may hold a reference to a closed window. */
  g_signal_connect (self->parent, "unrealize", G_CALLBACK (parent_gone_cb), self);
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), self);
  gtk_native_dialog_set_modal (self->dialog, TRUE);
  gtk_native_dialog_show (self->dialog);
}

/**
 * ns_file_ask_dup_path_of:
 * @file: (nullable): the chosen file
 * @is_written: whether the file is to be written, which selects the error message
 * @error: return location for a translated error
 *
 * Returns: (transfer full) (nullable): the local path; %NULL for a location without one (GVfs
 *   schemes such as `smb:` and `mtp:`)
 */
char *
ns_file_ask_dup_path_of (GFile *file, gboolean is_written, GError **error)
{
  char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *name = NULL;

  if (path != NULL)
    return path;
  name = file != NULL ? g_file_get_parse_name (file) : g_strdup ("?");
  /* Translators: %s is the address of a file on another computer or device. */
  g_set_error (error,
               G_IO_ERROR,
               G_IO_ERROR_NOT_SUPPORTED,
               is_written ? _ ("“%s” cannot be written directly. Save it in a folder on this "
                               "computer, then copy it there.")
                          : _ ("“%s” cannot be read directly. Copy it to this computer, then "
                               "choose the copy."),
               name);
  return NULL;
}

/**
 * ns_file_ask_dup_path:
 * @chooser: a file chooser after its response
 * @error: return location for a translated error
 *
 * Returns: (transfer full) (nullable): the local path of the chosen file, see
 *   ns_file_ask_dup_path_of()
 */
char *
ns_file_ask_dup_path (GtkFileChooser *chooser, GError **error)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);

  return ns_file_ask_dup_path_of (file,
                                  gtk_file_chooser_get_action (chooser) ==
                                      GTK_FILE_CHOOSER_ACTION_SAVE,
                                  error);
}
