/* Keyboard input of a table view: titles, groups, and the context menu of a title.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-private.h"

#include "ui/ns-accessible.h"
#include "ui/ns-text-direction.h"
#include "ui/table/ns-waterfall.h"

#include <glib/gi18n.h>

#define WIDTH_STEP_PX 6

/* Aligns a title like the cells below it; GTK left-aligns all titles. */
static void
align_title (NsTableView *self, GtkWidget *title)
{
  GtkColumnViewColumn *column = ns_table_view_get_title_column (self, title);
  const NsField *field = column != NULL ? ns_table_view_get_field (column) : NULL;
  NsColumnKind kind = column != NULL ? ns_table_view_get_kind (column) : NS_COLUMN_END;
  GtkWidget *box = gtk_widget_get_first_child (title);
  GtkWidget *label = box != NULL ? gtk_widget_get_first_child (box) : NULL;
  gboolean is_waterfall = ns_waterfall_is_field (self->table, field);

  ns_waterfall_update_title (title, self->session, is_waterfall);
  if (label == NULL || !GTK_IS_LABEL (label) || kind == NS_COLUMN_END)
    return;
  gtk_widget_set_hexpand (label, !is_waterfall);
  gtk_label_set_xalign (GTK_LABEL (label), ns_table_cell_is_right (kind, field) ? 1 : 0);
  if (ns_table_cell_is_right (kind, field))
    ns_text_direction_force_ltr (label);
}

/* Makes the titles focusable; in GTK 4.8 they are not. */
void
ns_table_view_prepare_titles (NsTableView *self)
{
  GtkWidget *header = ns_table_view_get_header (self);
  GtkWidget *title;

  gtk_widget_set_can_focus (header, TRUE);
  gtk_widget_set_focusable (header, FALSE);
  for (title = gtk_widget_get_first_child (header); title != NULL;
       title = gtk_widget_get_next_sibling (title))
    {
      gtk_widget_set_focusable (title, TRUE);
      align_title (self, title);
    }
}

static GtkWidget *
get_focus (NsTableView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

/* Returns the title that has the focus, or %NULL. */
static GtkWidget *
get_focused_title (NsTableView *self)
{
  GtkWidget *focus = get_focus (self);

  return focus != NULL && gtk_widget_get_parent (focus) == ns_table_view_get_header (self) ? focus
                                                                                           : NULL;
}

static GtkWidget *
get_neighbour (GtkWidget *title, gboolean forward)
{
  do
    title = forward ? gtk_widget_get_next_sibling (title) : gtk_widget_get_prev_sibling (title);
  while (title != NULL && !gtk_widget_get_visible (title));
  return title;
}

static GtkWidget *
find_title (NsTableView *self, GtkColumnViewColumn *column)
{
  GtkWidget *title = gtk_widget_get_first_child (ns_table_view_get_header (self));

  while (title != NULL && ns_table_view_get_title_column (self, title) != column)
    title = gtk_widget_get_next_sibling (title);
  return title;
}

static void
hide_column (NsTableView *self, GtkWidget *title, GtkColumnViewColumn *column)
{
  GtkWidget *next = get_neighbour (title, TRUE);

  if (ns_table_view_get_kind (column) != NS_COLUMN_FIELD)
    return;
  if (next == NULL)
    next = get_neighbour (title, FALSE);
  if (next != NULL)
    gtk_widget_grab_focus (next);
  ns_table_view_show_column (self, column, FALSE);
}

static gboolean
title_key (NsTableView *self, GtkWidget *title, guint key, GdkModifierType state)
{
  GtkColumnViewColumn *column = ns_table_view_get_title_column (self, title);
  gboolean is_right = key == GDK_KEY_Right || key == GDK_KEY_KP_Right;
  GtkWidget *next;

  if (column == NULL)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      ns_table_view_sort_by (self, column, (state & GDK_SHIFT_MASK) != 0);
      return TRUE;
    case GDK_KEY_Delete:
    case GDK_KEY_KP_Delete:
      hide_column (self, title, column);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      if (state & GDK_CONTROL_MASK)
        ns_table_view_widen_column (self, column, is_right ? WIDTH_STEP_PX : -WIDTH_STEP_PX);
      else if (state & GDK_ALT_MASK)
        {
          if (ns_table_view_get_kind (column) == NS_COLUMN_FIELD)
            ns_table_view_move_column (self, column, is_right ? 1 : -1);
          title = find_title (self, column);
          if (title != NULL)
            gtk_widget_grab_focus (title);
        }
      else if ((next = get_neighbour (title, is_right)) != NULL)
        gtk_widget_grab_focus (next);
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return gtk_widget_grab_focus (GTK_WIDGET (self));
    case GDK_KEY_Menu:
      ns_table_view_popup_title_menu (self, column, 0, 0);
      return TRUE;
    case GDK_KEY_F10:
      if ((state & GDK_SHIFT_MASK) == 0)
        return FALSE;
      ns_table_view_popup_title_menu (self, column, 0, 0);
      return TRUE;
    default:
      return FALSE;
    }
}

/* Returns the position of the row that has the focus. */
static guint
get_focused_position (NsTableView *self)
{
  GtkWidget *focus = get_focus (self);
  GtkWidget *cell_widget;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->view)))
    return GTK_INVALID_LIST_POSITION;
  for (cell_widget = gtk_widget_get_first_child (focus); cell_widget != NULL;
       cell_widget = gtk_widget_get_next_sibling (cell_widget))
    {
      GtkWidget *cell = gtk_widget_get_first_child (cell_widget);

      if (cell != NULL && NS_IS_TABLE_CELL (cell))
        return ns_table_cell_get_position (NS_TABLE_CELL (cell));
    }
  return GTK_INVALID_LIST_POSITION;
}

/* Expands or collapses the group at a position. Collapsing a row or a collapsed group selects its
 * parent group. */
static gboolean
fold (NsTableView *self, guint position, gboolean is_open)
{
  NsRowList *rows = ns_session_get_rows (self->session, self->table);
  const NsGroup *group = ns_row_list_get_group_at (rows, position);
  guint parent;

  if (ns_row_list_get_groups (rows) == NULL)
    return FALSE;
  if (group != NULL && group->is_open != is_open)
    {
      ns_session_open_group (self->session, self->table, group, is_open);
      return TRUE;
    }
  parent = ns_row_list_get_parent_at (rows, position);
  if (!is_open && parent != G_MAXUINT)
    {
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), parent, TRUE);
      ns_table_view_scroll_to (self, parent);
    }
  return TRUE;
}

static void
group_by (NsTableView *self)
{
  GtkWidget *title = get_focused_title (self);
  GtkColumnViewColumn *column = title != NULL ? ns_table_view_get_title_column (self, title) : NULL;
  const NsField *field = column != NULL ? ns_table_view_get_field (column) : self->pressed;

  if (field == NULL && column == NULL)
    {
      g_autoptr (GPtrArray) fields = ns_table_view_list_fields (self);

      field = fields->len > 0 ? g_ptr_array_index (fields, 0) : NULL;
    }
  if (field != NULL)
    ns_session_add_group (self->session, self->table, field);
}

static gboolean
row_key (NsTableView *self, guint key, GdkModifierType state)
{
  guint position = get_focused_position (self);
  gboolean is_plain = (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0;

  if (position == GTK_INVALID_LIST_POSITION || !is_plain)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_plus:
    case GDK_KEY_KP_Add:
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return fold (self, position, TRUE);
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return fold (self, position, FALSE);
    case GDK_KEY_space:
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.centre-row", NULL);
    case GDK_KEY_Menu:
    case GDK_KEY_F10:
      if (key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) == 0)
        return FALSE;
      g_signal_emit_by_name (self, "menu", 24.0, 48.0);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      if (position == 0 && (state & GDK_SHIFT_MASK) == 0)
        {
          GtkWidget *title = gtk_widget_get_first_child (ns_table_view_get_header (self));

          if (title != NULL && !gtk_widget_get_visible (title))
            title = get_neighbour (title, TRUE);
          return title != NULL && gtk_widget_grab_focus (title);
        }
      return FALSE;
    default:
      return FALSE;
    }
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        NsTableView *self)
{
  GtkWidget *title = get_focused_title (self);

  if ((key == GDK_KEY_g || key == GDK_KEY_G) && (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0)
    {
      group_by (self);
      return TRUE;
    }
  if ((key == GDK_KEY_Page_Up || key == GDK_KEY_Page_Down) && (state & GDK_CONTROL_MASK))
    return gtk_widget_activate_action (GTK_WIDGET (self),
                                       "win.next-tab",
                                       "i",
                                       key == GDK_KEY_Page_Down ? 1 : -1);
  return title != NULL ? title_key (self, title, key, state) : row_key (self, key, state);
}

static void
menu_closed_cb (GtkPopover *menu)
{
  /* The selected action runs after the menu has closed. */
  ns_accessible_menu_drop (GTK_WIDGET (menu));
}

/* Opens the context menu of a column title. */
void
ns_table_view_popup_title_menu (NsTableView *self, GtkColumnViewColumn *column, double x, double y)
{
  g_autoptr (GMenu) model = g_menu_new ();
  g_autoptr (GMenu) order = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();
  GtkWidget *title = find_title (self, column);
  GtkWidget *menu;
  double left = 0;
  double top = 0;
  GdkRectangle area;

  self->asked = column;
  g_menu_append (order, _ ("_Sort by This Column"), "table.sort");
  g_menu_append (order, _ ("Sort by This Column _Next"), "table.add-key");
  if (ns_table_view_get_kind (column) == NS_COLUMN_FIELD)
    {
      g_menu_append (order, _ ("_Group by This Column"), "table.group");
      g_menu_append (more, _ ("_Hide This Column"), "table.hide");
    }
  g_menu_append (more, _ ("_Columns…"), "win.columns");
  g_menu_append (more, _ ("_Reset Columns"), "table.reset");
  g_menu_append_section (model, NULL, G_MENU_MODEL (order));
  g_menu_append_section (model, NULL, G_MENU_MODEL (more));
  menu = ns_accessible_menu_new (G_MENU_MODEL (model));
  gtk_widget_set_parent (menu, GTK_WIDGET (self));
  if (title != NULL)
    gtk_widget_translate_coordinates (title, GTK_WIDGET (self), 0, 0, &left, &top);
  area = (GdkRectangle){ (int) left,
                         (int) top,
                         title != NULL ? gtk_widget_get_width (title) : 1,
                         title != NULL ? gtk_widget_get_height (title) : 1 };
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &area);
  g_signal_connect (menu, "closed", G_CALLBACK (menu_closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (menu));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
title_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableView *self = data;
  const char *name = g_action_get_name (G_ACTION (action));
  GtkWidget *title = self->asked != NULL ? find_title (self, self->asked) : NULL;

  if (g_str_equal (name, "reset"))
    ns_table_view_reset_columns (self);
  else if (title == NULL)
    return;
  else if (g_str_equal (name, "sort"))
    ns_table_view_sort_by (self, self->asked, FALSE);
  else if (g_str_equal (name, "add-key"))
    ns_table_view_sort_by (self, self->asked, TRUE);
  else if (g_str_equal (name, "group"))
    ns_session_add_group (self->session, self->table, ns_table_view_get_field (self->asked));
  else
    hide_column (self, title, self->asked);
}

static const GActionEntry entries[] = {
  { "sort", title_cb, NULL, NULL, NULL, { 0 } },  { "add-key", title_cb, NULL, NULL, NULL, { 0 } },
  { "group", title_cb, NULL, NULL, NULL, { 0 } }, { "hide", title_cb, NULL, NULL, NULL, { 0 } },
  { "reset", title_cb, NULL, NULL, NULL, { 0 } },
};

/* Adds the key controller and the actions of the title menu. */
void
ns_table_view_add_keys (NsTableView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();

  /* Handle arrow keys and space before the list does. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "table", G_ACTION_GROUP (actions));
  ns_table_view_prepare_titles (self);
}
