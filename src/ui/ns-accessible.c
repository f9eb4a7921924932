/* Accessible names where GTK 4.8 sets none or a wrong one: it names a button after its label only
 * if the label is a direct child, names every tab “Tab”, and names the close button of an info bar
 * “GtkImage”.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"

#include <glib/gi18n.h>

/* Data key that marks a popover to be unparented after it has closed. Other menus remain
 * children of their widget. */
#define UNPARENT_KEY "ns-spoken-passing"

/**
 * ns_accessible_set_name:
 * @widget: a widget
 * @name: its accessible name
 *
 * Sets the accessible name of a widget, in the way that each supported version of GTK needs.
 */
void
ns_accessible_set_name (GtkWidget *widget, const char *name)
{
  /* Newer GTK allows no name for a box of the generic role; the group role has one. */
  if (GTK_IS_BOX (widget) &&
      gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_GENERIC)
    g_object_set (widget, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  /* Newer GTK labels a button by the label inside it, which takes precedence over the name. */
  if (GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_DROP_DOWN (widget))
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/**
 * ns_accessible_set_status:
 * @label: the only child of a box with the status role
 * @text: the new text
 *
 * Sets the text of a status. Newer GTK reads the label inside a status and gives the status itself
 * no name; GTK 4.8 reads the name, so it is set to the text.
 */
void
ns_accessible_set_status (GtkWidget *label, const char *text)
{
  gtk_label_set_text (GTK_LABEL (label), text);
  ns_accessible_set_name (gtk_widget_get_parent (label), text);
}

/* Returns the label text without the underscore before the mnemonic. */
static char *
dup_without_mnemonic (const char *label)
{
  GString *text = g_string_new (NULL);

  for (; *label != '\0'; label++)
    {
      if (*label == '_' && label[1] != '\0')
        label++;
      g_string_append_c (text, *label);
    }
  return g_string_free (text, FALSE);
}

static void
label_changed_cb (GtkWidget *button)
{
  g_autofree char *label = NULL;
  g_autofree char *name = NULL;

  g_object_get (button, "label", &label, NULL);
  name = dup_without_mnemonic (label != NULL ? label : "");
  ns_accessible_set_name (button, name);
}

/**
 * ns_accessible_set_mnemonic:
 * @button: a button or a check button whose label has a mnemonic
 *
 * Keeps the accessible name equal to the label without the mnemonic's underscore. GTK 4.8 joins the
 * raw and the visible label: “_Cancel Cancel”.
 */
void
ns_accessible_set_mnemonic (GtkWidget *button)
{
  g_return_if_fail (GTK_IS_BUTTON (button) || GTK_IS_CHECK_BUTTON (button));

  g_signal_connect (button, "notify::label", G_CALLBACK (label_changed_cb), NULL);
  label_changed_cb (button);
}

/**
 * ns_accessible_button_new:
 * @label: a label with a mnemonic
 *
 * Returns: (transfer floating): a button named after its label
 */
GtkWidget *
ns_accessible_button_new (const char *label)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  ns_accessible_set_mnemonic (button);
  return button;
}

/**
 * ns_accessible_check_button_new:
 * @label: a label with a mnemonic
 *
 * Returns: (transfer floating): a check button named after its label
 */
GtkWidget *
ns_accessible_check_button_new (const char *label)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (label);

  ns_accessible_set_mnemonic (button);
  return button;
}

/**
 * ns_accessible_set_row_name:
 * @child: the widget of a list item
 * @name: the accessible name of its row
 *
 * Sets the name of the row that contains @child.
 */
void
ns_accessible_set_row_name (GtkWidget *child, const char *name)
{
  GtkWidget *row = gtk_widget_get_parent (child);

  if (row != NULL)
    ns_accessible_set_name (row, name);
}

/**
 * ns_accessible_set_cell_name:
 * @child: the widget of a column view cell
 * @name: the accessible name of the cell
 * @row_name: (nullable): the accessible name of the row, used only if the cell is the first of
 *   its row
 *
 * Sets the name of the cell that contains @child, and of its row.
 */
void
ns_accessible_set_cell_name (GtkWidget *child, const char *name, const char *row_name)
{
  GtkWidget *cell = gtk_widget_get_parent (child);
  GtkWidget *row = cell != NULL ? gtk_widget_get_parent (cell) : NULL;

  if (row == NULL)
    return;
  ns_accessible_set_name (cell, name);
  if (row_name != NULL && gtk_widget_get_prev_sibling (cell) == NULL)
    ns_accessible_set_name (row, row_name);
}

/**
 * ns_accessible_set_tab_name:
 * @notebook: a notebook
 * @page: one of its pages
 * @name: the accessible name of its tab
 *
 * Sets the name of a notebook tab.
 */
void
ns_accessible_set_tab_name (GtkNotebook *notebook, GtkWidget *page, const char *name)
{
  GtkWidget *label = gtk_notebook_get_tab_label (notebook, page);
  GtkWidget *tab = label != NULL ? gtk_widget_get_parent (label) : NULL;

  if (tab != NULL)
    ns_accessible_set_name (tab, name);
}

/**
 * ns_accessible_set_notebook_name:
 * @notebook: a notebook
 * @name: the accessible name of the notebook and of its tab list
 *
 * Sets the name of a notebook.
 */
void
ns_accessible_set_notebook_name (GtkNotebook *notebook, const char *name)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (notebook));
  GtkWidget *tabs = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  ns_accessible_set_name (GTK_WIDGET (notebook), name);
  for (; tabs != NULL; tabs = gtk_widget_get_next_sibling (tabs))
    if (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (tabs)) == GTK_ACCESSIBLE_ROLE_TAB_LIST)
      ns_accessible_set_name (tabs, name);
}

static void
name_buttons (GtkWidget *widget)
{
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child) && gtk_widget_has_css_class (child, "close"))
      ns_accessible_set_name (child, _ ("Close"));
    else
      name_buttons (child);
}

/**
 * ns_accessible_set_close_name:
 * @bar: an info bar with a close button
 *
 * Names the close button “Close”.
 */
void
ns_accessible_set_close_name (GtkInfoBar *bar)
{
  name_buttons (GTK_WIDGET (bar));
}

/**
 * ns_accessible_set_table_name:
 * @view: a column view
 * @name: its accessible name
 *
 * Also names the list view inside, because screen readers announce both on the way to a row.
 */
void
ns_accessible_set_table_name (GtkColumnView *view, const char *name)
{
  GtkWidget *child;

  ns_accessible_set_name (GTK_WIDGET (view), name);
  for (child = gtk_widget_get_first_child (GTK_WIDGET (view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      ns_accessible_set_name (child, name);
}

static void
name_pages (GtkWidget *widget, const char *name)
{
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (GTK_IS_STACK (widget))
        gtk_stack_page_set_title (gtk_stack_get_page (GTK_STACK (widget), child), name);
      else
        name_pages (child, name);
    }
}

/* Names the menu items. Their type, GtkModelButton, is private, but has a "text" property. */
static void
name_items (GtkWidget *widget)
{
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_strcmp0 (G_OBJECT_TYPE_NAME (child), "GtkModelButton") == 0)
      {
        g_autofree char *text = NULL;
        g_autofree char *name = NULL;

        g_object_get (child, "text", &text, NULL);
        name = dup_without_mnemonic (text != NULL ? text : "");
        gtk_accessible_reset_relation (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
        ns_accessible_set_name (child, name);
      }
    else
      name_items (child);
}

/**
 * ns_accessible_set_menu_name:
 * @menu: a popover menu
 * @name: its accessible name
 *
 * Also names the stack pages inside, because screen readers announce both on the way to an item.
 * The items are named each time the popover is mapped: those of GTK 4.18 have no names of their
 * own.
 */
void
ns_accessible_set_menu_name (GtkWidget *menu, const char *name)
{
  ns_accessible_set_name (menu, name);
  name_pages (menu, name);
  g_signal_connect (menu, "map", G_CALLBACK (name_items), NULL);
}

/**
 * ns_accessible_menu_new:
 * @model: a menu model
 *
 * Returns: (transfer floating): a popover menu that shows @model
 */
GtkWidget *
ns_accessible_menu_new (GMenuModel *model)
{
  GtkWidget *menu = gtk_popover_menu_new_from_model (model);

  ns_accessible_set_menu_name (menu, _ ("Menu"));
  return menu;
}

/* Unparents a menu. GTK 4.8 may still have the pointer in a closed popover, and then looks up
 * the popover's surface at the next layout. Insensitive widgets lose the pointer, so that the
 * lookup does not happen after the surface is gone. */
static void
unparent_menu (GtkWidget *menu)
{
  gtk_widget_set_sensitive (menu, FALSE);
  gtk_widget_unparent (menu);
}

static gboolean
drop_cb (gpointer data)
{
  /* The parent may have been disposed of before the idle callback. */
  if (gtk_widget_get_parent (data) != NULL)
    unparent_menu (data);
  return G_SOURCE_REMOVE;
}

/**
 * ns_accessible_menu_drop:
 * @menu: a popover that has closed
 *
 * Unparents @menu in an idle callback, because the chosen action runs only after the menu has
 * closed.
 */
void
ns_accessible_menu_drop (GtkWidget *menu)
{
  g_object_set_data (G_OBJECT (menu), UNPARENT_KEY, menu);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, drop_cb, g_object_ref (menu), g_object_unref);
}

/**
 * ns_accessible_drop_menus:
 * @widget: a widget that is about to be removed, or whose children are
 *
 * Closes the open menus of @widget and its descendants, and unparents those that
 * ns_accessible_menu_drop() was called for: children must go before their parent. Call this while
 * @widget is still in its window, because GTK 4.8 crashes when it looks for the pointer in a menu
 * whose parent was removed.
 */
void
ns_accessible_drop_menus (GtkWidget *widget)
{
  GtkWidget *next;
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (widget); child != NULL; child = next)
    {
      next = gtk_widget_get_next_sibling (child);
      if (!GTK_IS_POPOVER_MENU (child))
        ns_accessible_drop_menus (child);
      else if (gtk_widget_get_visible (child))
        gtk_popover_popdown (GTK_POPOVER (child));
      if (g_object_get_data (G_OBJECT (child), UNPARENT_KEY) != NULL)
        unparent_menu (child);
    }
}

/**
 * ns_accessible_set_buttons_names:
 * @widget: a widget that contains toggle buttons
 * @of_image: the accessible name of those that show an image
 *
 * Names the toggle buttons in @widget. GTK 4.8 names them after the label including the underscore,
 * or “GtkImage”.
 */
void
ns_accessible_set_buttons_names (GtkWidget *widget, const char *of_image)
{
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_TOGGLE_BUTTON (child))
      ns_accessible_set_buttons_names (child, of_image);
    else if (gtk_button_get_label (GTK_BUTTON (child)) != NULL)
      label_changed_cb (child);
    else if (GTK_IS_IMAGE (gtk_button_get_child (GTK_BUTTON (child))))
      ns_accessible_set_name (child, of_image);
}

/* Names the drop-down and its inner button. The button has the focus, so its name includes the
 * selected text; from GTK 4.12 on, screen readers read the drop-down itself. */
static void
selected_changed_cb (GtkDropDown *drop_down)
{
  const char *name = g_object_get_data (G_OBJECT (drop_down), "ns-spoken-name");
  gpointer item = gtk_drop_down_get_selected_item (drop_down);
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (drop_down));
  gboolean is_whole = gtk_check_version (4, 12, 0) == NULL;
  g_autofree char *text = NULL;

  /* Translators: the accessible name of a choice, and what is selected. */
  if (GTK_IS_STRING_OBJECT (item))
    text = g_strdup_printf (_ ("%s: %s"), name, gtk_string_object_get_string (item));
  ns_accessible_set_name (GTK_WIDGET (drop_down), is_whole && text != NULL ? text : name);
  ns_accessible_set_name (button, text != NULL ? text : name);
}

/**
 * ns_accessible_set_drop_down_name:
 * @drop_down: a drop-down of strings
 * @name: its accessible name, not copied
 *
 * Keeps the accessible name equal to @name and the selected string.
 */
void
ns_accessible_set_drop_down_name (GtkDropDown *drop_down, const char *name)
{
  g_object_set_data (G_OBJECT (drop_down), "ns-spoken-name", (gpointer) name);
  g_signal_connect (drop_down, "notify::selected-item", G_CALLBACK (selected_changed_cb), NULL);
  selected_changed_cb (drop_down);
}

/**
 * ns_accessible_drop_down_new:
 * @words: (array zero-terminated=1): the items, marked for translation
 * @name: accessible name and tooltip, not copied
 *
 * Returns: (transfer floating): a drop-down
 */
GtkWidget *
ns_accessible_drop_down_new (const char *const *words, const char *name)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  GtkWidget *drop_down;
  guint i;

  for (i = 0; words[i] != NULL; i++)
    gtk_string_list_append (list, _ (words[i]));
  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&list)), NULL);
  ns_accessible_set_drop_down_name (GTK_DROP_DOWN (drop_down), name);
  gtk_widget_set_tooltip_text (drop_down, name);
  return drop_down;
}
