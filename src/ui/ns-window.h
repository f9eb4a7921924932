/* Main window, which shows one trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-pairing.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_WINDOW (ns_window_get_type ())
G_DECLARE_FINAL_TYPE (NsWindow, ns_window, NS, WINDOW, GtkApplicationWindow)

NsWindow *ns_window_new (GtkApplication *application);
void ns_window_ask_view (NsWindow *self, GVariant *view);
void ns_window_load (NsWindow *self, GFile *file);
void ns_window_load_files (NsWindow *self, GFile *const *files, guint n_files);
void ns_window_reload (NsWindow *self);
GPtrArray *ns_window_list_files (NsWindow *self);
GFile *ns_window_get_file (NsWindow *self);
NsTrace *ns_window_get_trace (NsWindow *self);
gboolean ns_window_is_empty (NsWindow *self);
void ns_window_take_pairing (NsWindow *self, NsPairing *pairing, GFile *file);
void ns_window_add_filters (GtkFileChooser *chooser);
void ns_window_open_dialog (NsWindow *self);

G_END_DECLS
