/* Popover that shows, hides and reorders the columns of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/table/ns-column-chooser.h"
#include "ui/table/ns-waterfall.h"

#include "ui/ns-accessible.h"
#include "ui/ns-help.h"

#include <glib/gi18n.h>
#include <string.h>

/* State shared by the callbacks of one popover. */
typedef struct
{
  NsTableView *view;
  GtkWidget *search;
  GtkWidget *count;
  GtkWidget *list;
  gboolean is_filling;
} Chooser;

static void
chooser_free (gpointer data)
{
  Chooser *self = data;

  g_object_unref (self->view);
  g_free (self);
}

static GtkColumnViewColumn *
get_column (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "ns-column");
}

static void
update_count (Chooser *self)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (self->view);
  g_autofree char *text = NULL;
  guint n_shown = 0;
  guint n_no_room = 0;
  guint i;

  for (i = 0; i < columns->len; i++)
    if (!ns_table_view_is_column_shown (g_ptr_array_index (columns, i)))
      continue;
    else if (ns_table_view_has_no_room (g_ptr_array_index (columns, i)))
      n_no_room++;
    else
      n_shown++;
  if (n_no_room > 0)
    /* Translators: how many columns are shown, of how many; and how many more are wanted that the
     * table is too narrow for. */
    text = g_strdup_printf (_ ("%u of %u shown, %u do not fit"), n_shown, columns->len, n_no_room);
  else
    /* Translators: how many columns are shown, of how many. */
    text = g_strdup_printf (_ ("%u of %u shown"), n_shown, columns->len);
  gtk_label_set_text (GTK_LABEL (self->count), text);
}

/* Names the row for assistive technologies: the focus is on the row, not on its check button. */
static void
name_row (GtkWidget *row, gboolean is_shown)
{
  const NsField *field = ns_table_view_get_field (get_column (GTK_LIST_BOX_ROW (row)));
  const char *title = ns_waterfall_get_title (field);
  /* Translators: the accessible names of a column in the list of columns. */
  g_autofree char *name = is_shown ? g_strdup_printf (_ ("%s, shown"), title)
                                   : g_strdup_printf (_ ("%s, not shown"), title);

  ns_accessible_set_name (row, name);
}

static void
toggled_cb (GtkCheckButton *button, Chooser *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_LIST_BOX_ROW);

  if (row != NULL)
    name_row (row, gtk_check_button_get_active (button));
  if (self->is_filling)
    return;
  ns_table_view_show_column (self->view,
                             get_column (GTK_LIST_BOX_ROW (row)),
                             gtk_check_button_get_active (button));
  update_count (self);
}

static void fill (Chooser *self);

static void
move_cb (GtkWidget *button, Chooser *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW);
  g_autoptr (GtkColumnViewColumn) column = g_object_ref (get_column (GTK_LIST_BOX_ROW (row)));

  ns_table_view_move_column (self->view,
                             column,
                             GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "ns-by")));
  fill (self);
}

/* Creates a button that moves the column by @by; the keyboard equivalent is Alt with the arrow
 * keys. */
static GtkWidget *
mover_new (Chooser *self, const char *icon, const char *name, int by)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_focusable (button, FALSE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, name);
  ns_accessible_set_name (button, name);
  g_object_set_data (G_OBJECT (button), "ns-by", GINT_TO_POINTER (by));
  g_signal_connect (button, "clicked", G_CALLBACK (move_cb), self);
  return button;
}

/* Marks a column that the table is grouped by: it is part of the group column and cannot be shown
 * separately. */
static void
lock (GtkWidget *box, GtkWidget *check)
{
  GtkWidget *word = gtk_label_new (_ ("group"));
  GtkWidget *sign = gtk_image_new_from_icon_name ("changes-prevent-symbolic");

  gtk_widget_add_css_class (word, "dim");
  gtk_widget_set_sensitive (check, FALSE);
  gtk_image_set_pixel_size (GTK_IMAGE (sign), 14);
  gtk_widget_set_tooltip_text (box, _ ("The table is grouped by it"));
  gtk_box_append (GTK_BOX (box), word);
  gtk_box_append (GTK_BOX (box), sign);
}

/* Marks a column that is enabled but hidden until the window is wide enough. */
static void
add_no_room (GtkWidget *box)
{
  GtkWidget *word = gtk_label_new (_ ("no room"));

  gtk_widget_add_css_class (word, "dim");
  gtk_widget_set_tooltip_text (box, _ ("The table is too narrow for it"));
  gtk_box_append (GTK_BOX (box), word);
}

static void
fill (Chooser *self)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (self->view);
  GtkWidget *row;
  guint i;

  self->is_filling = TRUE;
  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (i = 0; i < columns->len; i++)
    {
      GtkColumnViewColumn *column = g_ptr_array_index (columns, i);
      const NsField *field = ns_table_view_get_field (column);
      GtkWidget *check = gtk_check_button_new_with_label (ns_waterfall_get_title (field));
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);

      row = gtk_list_box_row_new ();
      gtk_widget_set_hexpand (check, TRUE);
      gtk_box_append (GTK_BOX (box), check);
      if (ns_table_view_is_grouped_by (self->view, field))
        lock (box, check);
      else if (ns_table_view_is_column_shown (column))
        {
          if (ns_table_view_has_no_room (column))
            add_no_room (box);
          gtk_box_append (GTK_BOX (box), mover_new (self, "go-up-symbolic", _ ("Move up"), -1));
          gtk_box_append (GTK_BOX (box), mover_new (self, "go-down-symbolic", _ ("Move down"), 1));
        }
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                                   ns_table_view_is_column_shown (column));
      gtk_widget_set_tooltip_text (check, field->tooltip != NULL ? _ (field->tooltip) : field->id);
      gtk_widget_set_focusable (check, FALSE);
      g_signal_connect (check, "toggled", G_CALLBACK (toggled_cb), self);
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
      g_object_set_data (G_OBJECT (row), "ns-check", check);
      g_object_set_data_full (G_OBJECT (row), "ns-column", g_object_ref (column), g_object_unref);
      name_row (row, ns_table_view_is_column_shown (column));
      gtk_list_box_append (GTK_LIST_BOX (self->list), row);
    }
  self->is_filling = FALSE;
  update_count (self);
}

/* Sorts shown columns, in their order, before hidden ones. */
static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  return (int) ns_table_view_is_column_shown (get_column (b)) -
         (int) ns_table_view_is_column_shown (get_column (a));
}

/* Adds the section titles for shown and for hidden columns. */
static void
head_row (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  gboolean is_shown = ns_table_view_is_column_shown (get_column (row));
  GtkWidget *label;

  if (before != NULL && ns_table_view_is_column_shown (get_column (before)) == is_shown)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = gtk_label_new (is_shown ? _ ("Shown, in this order") : _ ("Hidden"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_box_row_set_header (row, label);
}

static gboolean
matches (GtkListBoxRow *row, gpointer data)
{
  Chooser *self = data;
  const NsField *field = ns_table_view_get_field (get_column (row));
  const char *wanted = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *title = g_utf8_casefold (_ (field->title), -1);
  g_autofree char *folded = g_utf8_casefold (wanted, -1);

  return strstr (title, folded) != NULL || strstr (field->id, folded) != NULL;
}

static void
search_cb (Chooser *self)
{
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
}

static void
activated_cb (GtkListBox *list, GtkListBoxRow *row, Chooser *self)
{
  GtkCheckButton *check = GTK_CHECK_BUTTON (g_object_get_data (G_OBJECT (row), "ns-check"));

  if (gtk_widget_get_sensitive (GTK_WIDGET (check)))
    gtk_check_button_set_active (check, !gtk_check_button_get_active (check));
}

/* Returns the first row that matches the search. */
static GtkListBoxRow *
find_first (Chooser *self)
{
  GtkWidget *row = gtk_widget_get_first_child (self->list);

  while (row != NULL && !(GTK_IS_LIST_BOX_ROW (row) && gtk_widget_get_child_visible (row)))
    row = gtk_widget_get_next_sibling (row);
  return row != NULL ? GTK_LIST_BOX_ROW (row) : NULL;
}

/* Shows or hides the first match when Enter is pressed in the search entry. */
static void
search_activated_cb (Chooser *self)
{
  GtkListBoxRow *row = find_first (self);

  if (row != NULL && *gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    activated_cb (GTK_LIST_BOX (self->list), row, self);
}

/* Moves the focus from the search to the first match. By default GTK focuses the scrolled window,
 * which handles no keys here. */
static gboolean
search_key_cb (GtkEventControllerKey *controller,
               guint key,
               guint keycode,
               GdkModifierType state,
               Chooser *self)
{
  GtkListBoxRow *row = find_first (self);

  if (key != GDK_KEY_Down || row == NULL)
    return FALSE;
  return gtk_widget_grab_focus (GTK_WIDGET (row));
}

static GtkListBoxRow *
find_row (Chooser *self, GtkColumnViewColumn *column)
{
  GtkWidget *row = gtk_widget_get_first_child (self->list);

  while (row != NULL && get_column (GTK_LIST_BOX_ROW (row)) != column)
    row = gtk_widget_get_next_sibling (row);
  return row != NULL ? GTK_LIST_BOX_ROW (row) : NULL;
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint keycode,
        GdkModifierType state,
        Chooser *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child (self->list);
  g_autoptr (GtkColumnViewColumn) column = NULL;
  GtkListBoxRow *row;

  /* The check button is not focusable, so the row handles the space key for it. */
  if (focus != NULL && key == GDK_KEY_space)
    {
      activated_cb (GTK_LIST_BOX (self->list), GTK_LIST_BOX_ROW (focus), self);
      return TRUE;
    }
  if (focus == NULL || (state & GDK_ALT_MASK) == 0 || (key != GDK_KEY_Up && key != GDK_KEY_Down))
    return FALSE;
  column = g_object_ref (get_column (GTK_LIST_BOX_ROW (focus)));
  ns_table_view_move_column (self->view, column, key == GDK_KEY_Down ? 1 : -1);
  fill (self);
  row = find_row (self, column);
  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
  return TRUE;
}

static void
reset_cb (Chooser *self)
{
  ns_table_view_reset_columns (self->view);
  fill (self);
}

static GtkWidget *
list_new (Chooser *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), matches, self, NULL);
  gtk_list_box_set_sort_func (GTK_LIST_BOX (self->list), compare_rows, self, NULL);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), head_row, self, NULL);
  gtk_widget_add_css_class (self->list, "column-list");
  g_signal_connect (self->list, "row-activated", G_CALLBACK (activated_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->list, keys);
  ns_accessible_set_name (GTK_WIDGET (self->list), _ ("Columns"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scrolled, 340, 420);
  return scrolled;
}

/**
 * ns_column_chooser_new:
 * @view: a table
 *
 * Returns: (transfer floating): a popover that shows, hides and reorders the columns of @view
 */
GtkWidget *
ns_column_chooser_new (NsTableView *view)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = gtk_label_new (_ ("Columns"));
  GtkWidget *reset = gtk_button_new_with_label (_ ("Reset Columns"));
  GtkWidget *save = gtk_button_new_with_label (_ ("Save as View…"));
  GtkWidget *hint = gtk_label_new (_ ("Alt+↑↓ moves"));
  GtkEventController *keys = gtk_event_controller_key_new ();
  Chooser *self = g_new0 (Chooser, 1);

  self->view = g_object_ref (view);
  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", _ ("Search columns"), NULL);
  ns_accessible_set_name (GTK_WIDGET (self->search), _ ("Search columns"));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (search_key_cb), self);
  gtk_widget_add_controller (self->search, keys);
  self->count = gtk_label_new (NULL);
  gtk_widget_add_css_class (title, "section-title");
  gtk_widget_set_hexpand (title, TRUE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (self->count, "caption");
  gtk_widget_add_css_class (hint, "caption");
  gtk_widget_set_hexpand (hint, TRUE);
  gtk_widget_set_halign (hint, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->count);
  gtk_widget_set_tooltip_text (save,
                               _ ("Save columns, groups and sort order for use with other traces"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (save), "win.save-view");
  gtk_box_append (GTK_BOX (foot), reset);
  gtk_box_append (GTK_BOX (foot), save);
  gtk_box_append (GTK_BOX (foot), hint);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), list_new (self));
  gtk_box_append (GTK_BOX (box), foot);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  ns_help_set_popover_page (popover, "table");
  g_object_set_data_full (G_OBJECT (popover), "ns-chooser", self, chooser_free);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (search_cb), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (search_activated_cb), self);
  /* GtkSearchEntry consumes Escape, so the popover is closed through its signal. */
  g_signal_connect_swapped (self->search, "stop-search", G_CALLBACK (gtk_popover_popdown), popover);
  g_signal_connect_swapped (reset, "clicked", G_CALLBACK (reset_cb), self);
  fill (self);
  return popover;
}
