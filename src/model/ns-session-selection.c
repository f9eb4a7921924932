/* Selected rows of a session, and the activities marked because of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-private.h"
#include "query/ns-row-activities.h"

#include <string.h>

/* Sets the selection without changing the hidden part of it. */
void
ns_session_apply_selection (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows)
{
  if (table == self->selected_table && n_rows == self->selected->len &&
      (n_rows == 0 || memcmp (rows, self->selected->data, sizeof (guint32) * n_rows) == 0))
    return;
  memset (self->marked, 0, self->trace->activities->len);
  self->selected_table = table;
  g_array_set_size (self->selected, 0);
  if (n_rows > 0)
    g_array_append_vals (self->selected, rows, n_rows);
  ns_row_activities_mark (self->trace,
                          table,
                          (const guint32 *) (gpointer) self->selected->data,
                          n_rows,
                          self->marked);
  ns_session_emit_selection_changed (self);
}

/**
 * ns_session_select:
 * @self: a session
 * @table: the table of the rows
 * @rows: (array length=n_rows): rows, 0-based
 * @n_rows: number of rows
 *
 * Selects rows and marks the activities that they belong to in the timeline.
 */
void
ns_session_select (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows)
{
  g_return_if_fail (NS_IS_SESSION (self));

  g_array_set_size (self->wanted, 0);
  ns_session_apply_selection (self, table, rows, n_rows);
}

/**
 * ns_session_select_again:
 * @self: a session
 * @table: the table of the rows
 * @rows: (array length=n_rows): rows, 0-based
 * @n_rows: number of rows
 *
 * Restores a selection after a reload. Unlike ns_session_select(), collapsed groups stay collapsed
 * and the views do not scroll.
 */
void
ns_session_select_again (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows)
{
  g_return_if_fail (NS_IS_SESSION (self));

  self->is_selecting_again = TRUE;
  ns_session_select (self, table, rows, n_rows);
  self->is_selecting_again = FALSE;
}

/**
 * ns_session_is_selecting_again:
 * @self: a session
 *
 * Returns: whether ns_session_select_again() is running
 */
gboolean
ns_session_is_selecting_again (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), FALSE);

  return self->is_selecting_again;
}

/**
 * ns_session_get_selected_table:
 * @self: a session
 *
 * Returns: the table of the selected rows
 */
NsTableId
ns_session_get_selected_table (NsSession *self)
{
  return self->selected_table;
}

/**
 * ns_session_get_selected:
 * @self: a session
 *
 * Returns: (element-type guint32): the selected rows, 0-based
 */
const GArray *
ns_session_get_selected (NsSession *self)
{
  return self->selected;
}

/**
 * ns_session_get_marked:
 * @self: a session
 *
 * Returns: one byte for each activity, 1 if it belongs to a selected row
 */
const guint8 *
ns_session_get_marked (NsSession *self)
{
  return self->marked;
}

/**
 * ns_session_is_selection_hidden:
 * @self: a session
 *
 * Returns: whether all selected rows are hidden by the filter; they are selected again when they
 *   reappear
 */
gboolean
ns_session_is_selection_hidden (NsSession *self)
{
  g_return_val_if_fail (NS_IS_SESSION (self), FALSE);

  return self->selected->len == 0 && self->wanted->len > 0;
}

/**
 * ns_session_get_activity:
 * @self: a session
 *
 * Returns: the activity of the first selected row, or %G_MAXUINT32
 */
guint32
ns_session_get_activity (NsSession *self)
{
  if (self->selected->len == 0)
    return G_MAXUINT32;
  return ns_row_activities_find (self->trace,
                                 self->selected_table,
                                 g_array_index (self->selected, guint32, 0));
}
