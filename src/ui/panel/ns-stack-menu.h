/* Context menu of a frame: filters with row counts, copying, hiding.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_stack_menu_new (void);
void ns_stack_menu_popup (GtkWidget *menu, NsSession *session, const char *filter, int x, int y);

G_END_DECLS
