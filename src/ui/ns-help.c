/* Pages of the help, each where it is wanted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-help.h"

#include <glib/gi18n.h>

#define PAGE_KEY "ns-help-page"

/**
 * ns_help_set_page:
 * @widget: a part of a window, or a window
 * @page: (nullable): the page of the help about it; a text that stays
 */
void
ns_help_set_page (GtkWidget *widget, const char *page)
{
  g_object_set_data (G_OBJECT (widget), PAGE_KEY, (gpointer) page);
}

/**
 * ns_help_get_page:
 * @widget: (nullable): what has the focus
 *
 * Returns: (nullable): the page about it or about what it is part of
 */
const char *
ns_help_get_page (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      const char *page = g_object_get_data (G_OBJECT (widget), PAGE_KEY);

      if (page != NULL && gtk_widget_get_visible (widget))
        return page;
    }
  return NULL;
}

/**
 * ns_help_show:
 * @parent: (nullable): the window that asks
 * @page: (nullable): a page of the help; %NULL for its first one
 */
void
ns_help_show (GtkWindow *parent, const char *page)
{
  g_autofree char *uri = page != NULL ? g_strconcat ("help:netstitch/", page, NULL) : NULL;

  gtk_show_uri (parent, uri != NULL ? uri : "help:netstitch", GDK_CURRENT_TIME);
}

/**
 * ns_help_has_open_menu:
 * @widget: what tells about itself in tooltips
 *
 * Returns: whether a popover of its own is open, which a tooltip would cover
 */
gboolean
ns_help_has_open_menu (GtkWidget *widget)
{
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && gtk_widget_get_visible (child))
      return TRUE;
  return FALSE;
}

/**
 * ns_help_button_new:
 * @page: a page of the help
 *
 * Returns: (transfer floating): a button that opens it
 */
GtkWidget *
ns_help_button_new (const char *page)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Help"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.help-page");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", page);
  return button;
}
