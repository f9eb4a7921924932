/* Runs a native file chooser that is closed together with its parent window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * NsFileAskFunc:
 * @chooser: the file chooser after its response
 * @data: the data passed to ns_file_ask()
 *
 * Called when a file was chosen, unless the parent window is gone.
 */
typedef void (*NsFileAskFunc) (GtkFileChooser *chooser, gpointer data);

void ns_file_ask (GtkFileChooserNative *dialog, NsFileAskFunc chosen, gpointer data);
char *ns_file_ask_dup_path_of (GFile *file, gboolean is_written, GError **error);
char *ns_file_ask_dup_path (GtkFileChooser *chooser, GError **error);

G_END_DECLS
