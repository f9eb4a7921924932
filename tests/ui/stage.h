/* A virtual screen that shows a single widget, without the program's window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef gboolean (*StageCondition) (gpointer data);

int stage_run (int argc, char **argv, void (*add_tests) (void));
NsSession *stage_session_new (void);
GtkWidget *stage_show (GtkWidget *widget, GActionMap *actions);
GtkWidget *stage_find (GtkWidget *root, GType type, const char *css_class);
GtkWidget *stage_find_button (GtkWidget *root, const char *name);
void stage_act (GtkWidget *widget, const char *action, GVariant *parameter);
void stage_wait (StageCondition condition, gpointer data, const char *what);

G_END_DECLS
