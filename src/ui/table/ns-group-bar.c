/* Bar above the column titles with one chip for each field that the table is grouped by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-chip.h"
#include "ui/table/ns-group-bar.h"

#include <glib/gi18n.h>

static GtkWidget *
button_new (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

/* Returns whether the field has few distinct values, so that its groups have many rows. */
static gboolean
is_worth_grouping (const NsField *field)
{
  return field->place > 0 && (field->type == NS_TYPE_TEXT || field->type == NS_TYPE_LIST);
}

/* Lists the fields that can be added as the innermost level of the grouping. */
static GMenuModel *
list_more (NsTableId table, const NsGrouping *grouping)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GString) all = g_string_new (NULL);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  for (i = 0; i < grouping->fields->len; i++)
    g_string_append_printf (all,
                            "%s,",
                            ((const NsField *) g_ptr_array_index (grouping->fields, i))->id);
  for (i = 0; i < n_fields; i++)
    {
      g_autoptr (GMenuItem) item = NULL;
      g_autofree char *ids = NULL;

      if (!is_worth_grouping (&fields[i]) || g_ptr_array_find (grouping->fields, &fields[i], NULL))
        continue;
      ids = g_strconcat (all->str, fields[i].id, NULL);
      item = g_menu_item_new (_ (fields[i].title), NULL);
      g_menu_item_set_action_and_target (item, "win.group-by", "s", ids);
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static GtkWidget *
add_button_new (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("list-add-symbolic"));
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Add")));
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), box);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Group by one more column"));
  ns_accessible_set_name (button, _ ("Group by one more column"));
  return button;
}

/**
 * ns_group_bar_new:
 *
 * Returns: (transfer floating): a bar that is hidden until the table is grouped
 */
GtkWidget *
ns_group_bar_new (void)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (_ ("Group by"));
  GtkWidget *chips = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *add = add_button_new ();
  GtkWidget *hint = gtk_label_new (_ ("Drag a column title here, or press G"));

  gtk_widget_add_css_class (bar, "group-bar");
  gtk_widget_add_css_class (label, "dim");
  gtk_widget_add_css_class (hint, "caption");
  gtk_label_set_ellipsize (GTK_LABEL (hint), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_widget_set_hexpand (hint, TRUE);
  gtk_box_append (GTK_BOX (bar), label);
  gtk_widget_set_valign (chips, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (bar), chips);
  gtk_box_append (GTK_BOX (bar), add);
  gtk_box_append (GTK_BOX (bar), hint);
  gtk_box_append (GTK_BOX (bar), button_new (_ ("Expand All"), "win.expand-groups"));
  gtk_box_append (GTK_BOX (bar), button_new (_ ("Fold All"), "win.fold-groups"));
  gtk_box_append (GTK_BOX (bar), button_new (_ ("Columns…"), "win.columns"));
  gtk_widget_set_visible (bar, FALSE);
  g_object_set_data (G_OBJECT (bar), "ns-chips", chips);
  g_object_set_data (G_OBJECT (bar), "ns-add", add);
  return bar;
}

/* Moves the dragged level of the grouping to the position of the chip it is dropped on. */
static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, GtkWidget *chip)
{
  guint to = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (chip), "ns-index"));

  return gtk_widget_activate_action (chip, "win.group-move", "(uu)", g_value_get_uint (value), to);
}

static GtkWidget *
chip_new (guint index)
{
  GtkWidget *chip = GTK_WIDGET (ns_chip_new ("group", index));
  GtkDragSource *drag = gtk_drag_source_new ();
  GtkDropTarget *drop = gtk_drop_target_new (G_TYPE_UINT, GDK_ACTION_MOVE);
  GdkContentProvider *content = gdk_content_provider_new_typed (G_TYPE_UINT, index);

  g_object_set_data (G_OBJECT (chip), "ns-index", GUINT_TO_POINTER (index));
  ns_chip_show_handle (NS_CHIP (chip));
  gtk_drag_source_set_actions (drag, GDK_ACTION_MOVE);
  gtk_drag_source_set_content (drag, content);
  g_object_unref (content);
  gtk_widget_add_controller (chip, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (drop, "drop", G_CALLBACK (drop_cb), chip);
  gtk_widget_add_controller (chip, GTK_EVENT_CONTROLLER (drop));
  return chip;
}

/* Creates the separator between an outer and an inner level. */
static GtkWidget *
arrow_new (void)
{
  GtkWidget *arrow = gtk_label_new ("›");

  gtk_widget_add_css_class (arrow, "dim");
  return arrow;
}

/* Returns the chip of level @index, creating it if needed; @before: (nullable): the previous
 * chip. */
static GtkWidget *
ensure_chip (GtkWidget *chips, GtkWidget *before, guint index)
{
  GtkWidget *child =
      before != NULL ? gtk_widget_get_next_sibling (before) : gtk_widget_get_first_child (chips);

  if (index > 0)
    {
      if (child == NULL)
        gtk_box_append (GTK_BOX (chips), child = arrow_new ());
      child = gtk_widget_get_next_sibling (child);
    }
  if (child == NULL)
    gtk_box_append (GTK_BOX (chips), child = chip_new (index));
  return child;
}

/**
 * ns_group_bar_update:
 * @bar: a bar
 * @session: a session
 * @table: the table below the bar
 *
 * Shows the fields that @table is grouped by, and hides the bar when there are none.
 */
void
ns_group_bar_update (GtkWidget *bar, NsSession *session, NsTableId table)
{
  const NsGrouping *grouping = ns_session_get_grouping (session, table);
  GtkWidget *chips = g_object_get_data (G_OBJECT (bar), "ns-chips");
  GtkWidget *child = NULL;
  GtkWidget *next;
  g_autoptr (GMenuModel) more = list_more (table, grouping);
  guint i;

  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (g_object_get_data (G_OBJECT (bar), "ns-add")),
                                  more);
  for (i = 0; i < grouping->fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (grouping->fields, i);

      child = ensure_chip (chips, child, i);
      ns_chip_set (NS_CHIP (child), _ (field->title), NULL, 0, TRUE);
    }
  while ((next = child != NULL ? gtk_widget_get_next_sibling (child)
                               : gtk_widget_get_first_child (chips)) != NULL)
    gtk_box_remove (GTK_BOX (chips), next);
  gtk_widget_set_visible (bar, grouping->fields->len > 0);
}
