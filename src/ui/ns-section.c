/* A part of a page that can be folded away.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-section.h"

/**
 * ns_section_new:
 * @title: what stands over it
 * @child: what is in it
 *
 * A folded #GtkExpander takes its child out of the window, and offers it the keyboard all the same;
 * GTK then asks for the focus of a window that is not there. The child refuses while it is folded.
 *
 * Returns: (transfer floating): an expander, open, with a spoken name
 */
GtkWidget *
ns_section_new (const char *title, GtkWidget *child)
{
  GtkWidget *expander = gtk_expander_new (title);

  gtk_expander_set_child (GTK_EXPANDER (expander), child);
  gtk_expander_set_expanded (GTK_EXPANDER (expander), TRUE);
  g_object_bind_property (expander, "expanded", child, "can-focus", G_BINDING_SYNC_CREATE);
  ns_accessible_set_name (expander, title);
  return expander;
}
