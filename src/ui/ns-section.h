/* A section of a page that can be collapsed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_section_new (const char *title, GtkWidget *child);

G_END_DECLS
