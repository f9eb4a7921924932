/* Names for those who listen, where GTK 4.8 has none of its own: it calls a button after its label
 * only when the label is its direct child, a tab “Tab”, and the cross of a bar “GtkImage”.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"

#include <glib/gi18n.h>

/* What marks a menu that goes when it has closed: others stay with what they stand on. */
#define PASSING "ns-spoken-passing"

/**
 * ns_accessible_set_name:
 * @widget: a widget
 * @name: what it is called
 */
void
ns_accessible_set_name (GtkWidget *widget, const char *name)
{
  /* Newer GTK lets a box have no name unless it is said to hold its parts together. */
  if (GTK_IS_BOX (widget) &&
      gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_GENERIC)
    g_object_set (widget, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  /* Newer GTK calls a button by the label in it, whatever else it is called. */
  if (GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_DROP_DOWN (widget))
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/**
 * ns_accessible_set_status:
 * @label: the only child of a box that is a status
 * @text: what it says now
 *
 * Has a status say something. Newer GTK has no name for a status, but for the label in it; with
 * GTK 4.8 it is called by what it says.
 */
void
ns_accessible_set_status (GtkWidget *label, const char *text)
{
  gtk_label_set_text (GTK_LABEL (label), text);
  ns_accessible_set_name (gtk_widget_get_parent (label), text);
}

/* What a label with a mnemonic says: without the mark before the letter. */
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
 * Has it called by its label, now and later. GTK 4.8 calls it by what stands before the mnemonic
 * was found and then by what is seen: “_Cancel Cancel”.
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
 * Returns: (transfer floating): a button
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
 * Returns: (transfer floating): a check button
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
 * @child: what a factory shows in a row of a list
 * @name: what the row is called
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
 * @child: what a factory shows in a cell of a table
 * @name: what the cell is called
 * @row_name: (nullable): what its row is called; counts when the cell is the first of its row
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
 * @name: what its tab is called
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
 * @name: what it and its row of tabs are called
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
 * @bar: a bar that can be closed
 */
void
ns_accessible_set_close_name (GtkInfoBar *bar)
{
  name_buttons (GTK_WIDGET (bar));
}

/**
 * ns_accessible_set_table_name:
 * @view: a table
 * @name: what it is called
 *
 * Names the list of its rows, too: who comes to a row comes to both.
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

/* Items of a menu are a type of their own, which is not public but has its text as a property. */
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
 * @menu: a popover with a menu
 * @name: what it is called
 *
 * Names the pages that its items stand on, too: who comes to an item comes to both. Items are named
 * whenever the menu comes; those of GTK 4.18 have no names of their own.
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
 * @model: a menu
 *
 * Returns: (transfer floating): a popover with it
 */
GtkWidget *
ns_accessible_menu_new (GMenuModel *model)
{
  GtkWidget *menu = gtk_popover_menu_new_from_model (model);

  ns_accessible_set_menu_name (menu, _ ("Menu"));
  return menu;
}

/* GTK 4.8 may take the pointer for still being in a menu that has closed, and looks for the surface
 * of that when the window is laid out: it is told that nothing can be done there before there is
 * none. */
static void
take_off (GtkWidget *menu)
{
  gtk_widget_set_sensitive (menu, FALSE);
  gtk_widget_unparent (menu);
}

static gboolean
drop_cb (gpointer data)
{
  /* What it stood on may have gone before. */
  if (gtk_widget_get_parent (data) != NULL)
    take_off (data);
  return G_SOURCE_REMOVE;
}

/**
 * ns_accessible_menu_drop:
 * @menu: a popover that has closed
 *
 * Takes it from its parent soon: the chosen action runs after the menu has closed.
 */
void
ns_accessible_menu_drop (GtkWidget *menu)
{
  g_object_set_data (G_OBJECT (menu), PASSING, menu);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, drop_cb, g_object_ref (menu), g_object_unref);
}

/**
 * ns_accessible_drop_menus:
 * @widget: what goes, or what stands on it does
 *
 * Closes the menus that are open on it or on anything in it, and takes them off: no parent may go
 * before its children. To be called while it is still in its window: GTK 4.8 goes on to look for
 * the pointer in a menu that was on what has gone, and ends the program.
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
      if (g_object_get_data (G_OBJECT (child), PASSING) != NULL)
        take_off (child);
    }
}

/**
 * ns_accessible_set_buttons_names:
 * @widget: what holds them
 * @of_image: what those are called that show an image
 *
 * Names the buttons that stay down, which GTK 4.8 calls after the mark in their label or
 * “GtkImage”.
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

/* What is pressed is a button inside, and what it says is the choice. Newer GTK has it speak for
 * the whole.
 */
static void
chosen_cb (GtkDropDown *drop_down)
{
  const char *name = g_object_get_data (G_OBJECT (drop_down), "ns-spoken-name");
  gpointer item = gtk_drop_down_get_selected_item (drop_down);
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (drop_down));
  gboolean is_whole = gtk_check_version (4, 12, 0) == NULL;
  g_autofree char *text = NULL;

  /* Translators: the spoken name of a choice, and what is chosen. */
  if (GTK_IS_STRING_OBJECT (item))
    text = g_strdup_printf (_ ("%s: %s"), name, gtk_string_object_get_string (item));
  ns_accessible_set_name (GTK_WIDGET (drop_down), is_whole && text != NULL ? text : name);
  ns_accessible_set_name (button, text != NULL ? text : name);
}

/**
 * ns_accessible_set_drop_down_name:
 * @drop_down: a choice of texts
 * @name: what the choice is called; a text that stays
 */
void
ns_accessible_set_drop_down_name (GtkDropDown *drop_down, const char *name)
{
  g_object_set_data (G_OBJECT (drop_down), "ns-spoken-name", (gpointer) name);
  g_signal_connect (drop_down, "notify::selected-item", G_CALLBACK (chosen_cb), NULL);
  chosen_cb (drop_down);
}

/**
 * ns_accessible_drop_down_new:
 * @words: (array zero-terminated=1): what can be chosen, marked for translation
 * @name: what the choice is called, for those who point at it, too; a text that stays
 *
 * Returns: (transfer floating): a button with a list
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
