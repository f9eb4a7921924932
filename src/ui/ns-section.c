/* A section of a page that can be collapsed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-section.h"

/**
 * ns_section_new:
 * @title: the title
 * @child: the content
 *
 * A collapsed #GtkExpander unparents its child but still passes keyboard focus to it, which makes
 * GTK look for the root window of a widget without one. So the child's #GtkWidget:can-focus is
 * off while the section is collapsed.
 *
 * Returns: (transfer floating): an expanded #GtkExpander with an accessible name
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
