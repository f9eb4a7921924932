/* Asks for a file, for as long as the window is there that wants it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * NsFileAskFunc:
 * @chooser: has the answer
 * @data: what was given for it
 *
 * Is called when something was chosen, and only while the window is there.
 */
typedef void (*NsFileAskFunc) (GtkFileChooser *chooser, gpointer data);

void ns_file_ask (GtkFileChooserNative *dialog, NsFileAskFunc chosen, gpointer data);
char *ns_file_ask_dup_path_of (GFile *file, gboolean is_written, GError **error);
char *ns_file_ask_dup_path (GtkFileChooser *chooser, GError **error);

G_END_DECLS
