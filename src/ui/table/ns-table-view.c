/* One table of a session: columns from the table of fields, rows from the session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-empty.h"
#include "ui/table/ns-table-private.h"

#include <glib/gi18n.h>

/* Selected rows looked for one by one. */
#define FEW_ROWS 16

enum
{
  SIGNAL_MENU,
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTableView, ns_table_view, GTK_TYPE_WIDGET)

/* Where selected rows stand now; many are found in one walk over the list. */
static void
find_positions (NsRowList *rows, const GArray *selected, GtkBitset *positions)
{
  const GArray *shown = ns_row_list_get_rows (rows);
  g_autoptr (GHashTable) wanted = NULL;
  guint i;

  if (selected->len <= FEW_ROWS)
    {
      for (i = 0; i < selected->len; i++)
        {
          guint position = ns_row_list_find (rows, g_array_index (selected, guint32, i));

          if (position != G_MAXUINT)
            gtk_bitset_add (positions, position);
        }
      return;
    }
  wanted = g_hash_table_new (NULL, NULL);
  for (i = 0; i < selected->len; i++)
    g_hash_table_add (wanted, GUINT_TO_POINTER (g_array_index (selected, guint32, i)));
  for (i = 0; i < shown->len; i++)
    if (g_hash_table_contains (wanted, GUINT_TO_POINTER (g_array_index (shown, guint32, i))))
      gtk_bitset_add (positions, i);
}

static void
select_in_view (NsTableView *self)
{
  const GArray *selected = ns_session_get_selected (self->session);
  NsRowList *rows = ns_session_get_rows (self->session, self->table);
  guint n_rows = g_list_model_get_n_items (G_LIST_MODEL (rows));
  g_autoptr (GtkBitset) wanted = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) mask = gtk_bitset_new_range (0, n_rows);
  g_autoptr (GtkBitset) now = NULL;

  find_positions (rows, selected, wanted);
  now = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_equals (now, wanted))
    return;
  self->is_syncing = TRUE;
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), wanted, mask);
  self->is_syncing = FALSE;
  if (!gtk_bitset_is_empty (wanted))
    ns_table_view_scroll_to (self, gtk_bitset_get_minimum (wanted));
}

static void
session_selected_cb (NsTableView *self)
{
  if (ns_session_get_selected_table (self->session) == self->table && !self->is_syncing)
    select_in_view (self);
}

static void
update_empty (NsTableView *self)
{
  ns_table_empty_update (self->empty,
                         self->session,
                         self->table,
                         g_list_model_get_n_items (G_LIST_MODEL (self->selection)));
}

static void
rows_changed_cb (NsTableView *self, guint table)
{
  g_autoptr (GtkBitset) bits = NULL;

  if (table != self->table)
    return;
  ns_table_view_update_titles (self);
  update_empty (self);
  if (ns_session_is_busy (self->session, self->table))
    return;
  if (ns_session_get_selected_table (self->session) == self->table)
    select_in_view (self);
  /* Another order is read from its top. */
  bits = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_is_empty (bits) && g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0)
    ns_table_view_scroll_to (self, 0);
}

static void
view_selected_cb (NsTableView *self)
{
  g_autoptr (GtkBitset) bits = NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  const GArray *shown;
  GtkBitsetIter iter;
  guint position;

  if (self->is_syncing || ns_session_is_busy (self->session, self->table))
    return;
  shown = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table));
  bits = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_iter_init_first (&iter, bits, &position))
    do
      if (position < shown->len)
        g_array_append_val (rows, g_array_index (shown, guint32, position));
    while (gtk_bitset_iter_next (&iter, &position));
  self->is_syncing = TRUE;
  ns_session_select (self->session,
                     self->table,
                     (const guint32 *) (gpointer) rows->data,
                     rows->len);
  self->is_syncing = FALSE;
}

static void
activate_cb (NsTableView *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

static void
build_view (NsTableView *self)
{
  NsRowList *rows = ns_session_get_rows (self->session, self->table);

  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (rows)));
  self->view =
      GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection))));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "ns-table");
  gtk_column_view_set_reorderable (self->view, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (ns_table_get_title (self->table)),
                                  -1);
  ns_table_view_add_columns (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));

  ns_table_view_add_input (self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->selection,
                            "selection-changed",
                            G_CALLBACK (view_selected_cb),
                            self);
}

static void
ns_table_view_dispose (GObject *object)
{
  NsTableView *self = NS_TABLE_VIEW (object);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (self->selection, self);
      ns_table_view_remember_columns (self);
    }
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  g_clear_pointer (&self->empty, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_table_view_parent_class)->dispose (object);
}

static void
ns_table_view_class_init (NsTableViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_table_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[SIGNAL_MENU] = g_signal_new ("menu",
                                       NS_TYPE_TABLE_VIEW,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       2,
                                       G_TYPE_DOUBLE,
                                       G_TYPE_DOUBLE);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated",
                                            NS_TYPE_TABLE_VIEW,
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            NULL,
                                            NULL,
                                            NULL,
                                            G_TYPE_NONE,
                                            0);
}

static void
ns_table_view_init (NsTableView *self)
{
  self->scrolled = gtk_scrolled_window_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
  self->empty = ns_table_empty_new ();
  gtk_widget_set_parent (self->empty, GTK_WIDGET (self));
}

/**
 * ns_table_view_new:
 * @session: the session
 * @table: which of its tables
 *
 * Returns: (transfer floating): a view of it
 */
NsTableView *
ns_table_view_new (NsSession *session, NsTableId table)
{
  NsTableView *self = g_object_new (NS_TYPE_TABLE_VIEW, NULL);

  self->session = g_object_ref (session);
  self->table = table;
  build_view (self);
  g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
  g_signal_connect_swapped (session,
                            "clock-changed",
                            G_CALLBACK (ns_table_view_update_clock),
                            self);
  g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (session_selected_cb), self);
  ns_table_view_update_titles (self);
  update_empty (self);
  session_selected_cb (self);
  return self;
}

/**
 * ns_table_view_get_table:
 * @self: a view
 *
 * Returns: the table it shows
 */
NsTableId
ns_table_view_get_table (NsTableView *self)
{
  return self->table;
}

/* A list that has no size yet would lose its rows by scrolling. */
static gboolean
scroll_later_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer position)
{
  NsTableView *self = NS_TABLE_VIEW (widget);

  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    return G_SOURCE_CONTINUE;
  ns_table_view_scroll_to (self, GPOINTER_TO_UINT (position));
  return G_SOURCE_REMOVE;
}

/**
 * ns_table_view_scroll_to:
 * @self: a view
 * @position: a row, counted from the top
 *
 * Scrolls the least it must; GTK 4.8 can do so through the action of the inner list only.
 */
void
ns_table_view_scroll_to (NsTableView *self, guint position)
{
  GtkWidget *child;

  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    {
      gtk_widget_add_tick_callback (GTK_WIDGET (self),
                                    scroll_later_cb,
                                    GUINT_TO_POINTER (position),
                                    NULL);
      return;
    }
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

/**
 * ns_table_view_select_all:
 * @self: a view
 */
void
ns_table_view_select_all (NsTableView *self)
{
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (self->selection));
}

/* All cells on the screen are below the list; they are few. */
static void
mark_cells (GtkWidget *widget, const char *text)
{
  GtkWidget *row;
  GtkWidget *cell;

  for (row = gtk_widget_get_first_child (widget); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    for (cell = gtk_widget_get_first_child (row); cell != NULL;
         cell = gtk_widget_get_next_sibling (cell))
      {
        GtkWidget *child = gtk_widget_get_first_child (cell);

        if (child != NULL && NS_IS_TABLE_CELL (child))
          ns_table_cell_mark_found (NS_TABLE_CELL (child), text);
      }
}

/**
 * ns_table_view_set_found:
 * @self: a view
 * @text: (nullable): what is looked for
 */
void
ns_table_view_set_found (NsTableView *self, const char *text)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  GtkWidget *child;
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      ns_table_cell_factory_set_found (gtk_column_view_column_get_factory (column), text);
    }
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      mark_cells (child, text);
}
