/* Synchronisation of the selected rows between a table view and its session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-private.h"

/* Adds the current positions of the selected rows to @positions. */
static void
find_positions (NsTableView *self, const GArray *selected, GtkBitset *positions)
{
  NsRowList *rows = ns_session_get_rows (self->session, self->table);
  guint n_places = g_list_model_get_n_items (G_LIST_MODEL (rows));
  guint n_rows = ns_table_get_n_rows (ns_session_get_trace (self->session), self->table);
  g_autofree guint8 *is_wanted = NULL;
  guint run = 0;
  guint i;

  if (selected->len == 0)
    return;
  if (selected->len == 1)
    {
      i = ns_row_list_find (rows, g_array_index (selected, guint32, 0));
      if (i != G_MAXUINT)
        gtk_bitset_add (positions, i);
      return;
    }
  is_wanted = g_new0 (guint8, n_rows + 1);
  for (i = 0; i < selected->len; i++)
    is_wanted[MIN (g_array_index (selected, guint32, i), n_rows)] = TRUE;
  is_wanted[n_rows] = FALSE;
  /* Add ranges: adding a million single positions is slow. */
  for (i = 0; i <= n_places; i++)
    {
      guint32 row = i < n_places ? ns_row_list_get_row_at (rows, i) : NS_ROW_NOT_A_ROW;

      if (row != NS_ROW_NOT_A_ROW && is_wanted[MIN (row, n_rows)])
        {
          run++;
          continue;
        }
      if (run > 0)
        gtk_bitset_add_range (positions, i - run, run);
      run = 0;
    }
}

/* Selects the rows that are selected in the session at their current positions. */
void
ns_table_view_select_again (NsTableView *self)
{
  const GArray *selected = ns_session_get_selected (self->session);
  NsRowList *rows = ns_session_get_rows (self->session, self->table);
  g_autoptr (GtkBitset) wanted = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) mask = NULL;
  g_autoptr (GtkBitset) now = NULL;

  find_positions (self, selected, wanted);
  now = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_equals (now, wanted))
    return;
  mask = gtk_bitset_new_range (0, g_list_model_get_n_items (G_LIST_MODEL (rows)));
  self->is_syncing = TRUE;
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), wanted, mask);
  self->is_syncing = FALSE;
  /* Restoring the selection after a reload does not scroll. */
  if (!gtk_bitset_is_empty (wanted) && !self->is_taking_over &&
      !ns_session_is_selecting_again (self->session))
    ns_table_view_scroll_to (self, gtk_bitset_get_minimum (wanted));
}

/* Clears the selection after a row of another table was selected, so that selecting the same row
 * here again emits a change. */
static void
unselect_in_view (NsTableView *self)
{
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (self->selection);
  g_autoptr (GtkBitset) now = gtk_selection_model_get_selection (selection);

  if (gtk_bitset_is_empty (now))
    return;
  self->is_syncing = TRUE;
  gtk_selection_model_unselect_all (selection);
  self->is_syncing = FALSE;
}

/* Handles a change of the session's selection, in this or another table. */
void
ns_table_view_take_selection (NsTableView *self)
{
  const GArray *selected = ns_session_get_selected (self->session);

  if (self->is_syncing)
    return;
  if (ns_session_get_selected_table (self->session) != self->table)
    {
      unselect_in_view (self);
      return;
    }
  /* Expand the group of a row that was selected elsewhere, but not when a selection is restored:
   * the user may have collapsed it. */
  if (selected->len == 1 && !ns_session_is_selecting_again (self->session))
    ns_session_reveal (self->session, self->table, g_array_index (selected, guint32, 0));
  ns_table_view_select_again (self);
}

/* Appends the rows from position @first to @last; a group stands for all of its rows. */
static void
add_rows (NsTableView *self, guint first, guint last, GArray *rows, guint8 *is_there)
{
  NsRowList *list = ns_session_get_rows (self->session, self->table);
  const GArray *all = ns_row_list_get_rows (list);
  guint position;
  guint i;

  for (position = first; position <= last; position++)
    {
      const NsGroup *group = ns_row_list_get_group_at (list, position);
      guint32 row = ns_row_list_get_row_at (list, position);
      guint begin = group != NULL ? group->begin : 0;
      guint end = group != NULL ? group->end : row != NS_ROW_NOT_A_ROW;

      for (i = begin; i < end; i++)
        {
          if (group != NULL)
            row = g_array_index (all, guint32, i);
          if (is_there != NULL && is_there[row])
            continue;
          if (is_there != NULL)
            is_there[row] = TRUE;
          g_array_append_val (rows, row);
        }
    }
}

/* Copies the selection of the view to the session. */
void
ns_table_view_give_selection (NsTableView *self)
{
  g_autoptr (GtkBitset) bits = NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *is_there = NULL;
  GtkBitsetIter iter;
  guint position;

  if (self->is_syncing || ns_session_is_busy (self->session, self->table))
    return;
  if (ns_row_list_get_groups (ns_session_get_rows (self->session, self->table)) != NULL)
    is_there =
        g_new0 (guint8, ns_table_get_n_rows (ns_session_get_trace (self->session), self->table));
  bits = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (gtk_bitset_iter_init_first (&iter, bits, &position))
    do
      add_rows (self, position, position, rows, is_there);
    while (gtk_bitset_iter_next (&iter, &position));
  self->is_syncing = TRUE;
  ns_session_select (self->session,
                     self->table,
                     (const guint32 *) (gpointer) rows->data,
                     rows->len);
  self->is_syncing = FALSE;
}
