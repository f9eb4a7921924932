/* Flame graph page: the call tree of the rows shown, and filters by its frames.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_FLAME_VIEW (ns_flame_view_get_type ())
G_DECLARE_FINAL_TYPE (NsFlameView, ns_flame_view, NS, FLAME_VIEW, GtkWidget)

GtkWidget *ns_flame_view_new (void);
GtkWidget *ns_flame_view_new_page (void);
gboolean ns_flame_view_only_frame (NsFlameView *self, const char *name);
void ns_flame_view_search (NsFlameView *self);
gboolean ns_flame_view_end_search (NsFlameView *self);
void ns_flame_view_set_session (NsFlameView *self, NsSession *session);

gboolean ns_flame_view_count (NsFlameView *self, guint *n_rows, guint *n_with_stack);
GtkWidget *ns_flame_view_get_foot (NsFlameView *self);
void ns_flame_view_set_narrow (NsFlameView *self, gboolean is_narrow);
void ns_flame_view_export_async (NsFlameView *self,
                                 const char *path,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

G_END_DECLS
