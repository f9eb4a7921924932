/* The selected rows of a session, and the activities that are marked with them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-finding.h"
#include "model/ns-session-private.h"

#include <string.h>

/* The field of a table that tells the activity of a row; NULL for the activities themselves. */
static const NsField *
find_activity_field (NsTableId table)
{
  return table != NS_TABLE_ACTIVITIES ? ns_table_find_field (table, "activity") : NULL;
}

/* The activity a row of any table belongs to; @field is that of the table. */
static guint32
activity_of (NsSession *self, NsTableId table, const NsField *field, guint32 row)
{
  NsFieldValue value = { 0 };
  guint32 activity = G_MAXUINT32;

  if (table == NS_TABLE_ACTIVITIES)
    return row;
  if (field == NULL || field->type != NS_TYPE_ROW)
    return G_MAXUINT32;
  ns_field_get (self->trace, field, row, &value);
  if (!value.is_null && value.v.u >= 1 && value.v.u <= self->trace->activities->len)
    activity = (guint32) value.v.u - 1;
  ns_field_value_clear (&value);
  return activity;
}

/* Marks what a row is about. */
static void
mark (NsSession *self, NsTableId table, const NsField *field, guint32 row)
{
  guint32 activity = activity_of (self, table, field, row);
  const GArray *of_finding = NULL;
  guint i;

  if (activity < self->trace->activities->len)
    self->marked[activity] = 1;
  if (table == NS_TABLE_FINDINGS && row < ns_findings_get (self->trace)->len)
    of_finding = g_array_index (ns_findings_get (self->trace), NsFindingRow, row).activities;
  for (i = 0; of_finding != NULL && i < of_finding->len; i++)
    if (g_array_index (of_finding, NsRow, i) <= self->trace->activities->len)
      self->marked[g_array_index (of_finding, NsRow, i) - 1] = 1;
}

/* Selects rows, and leaves what a filter has hidden of the selection as it is. */
void
ns_session_apply_selection (NsSession *self, NsTableId table, const guint32 *rows, guint n_rows)
{
  const NsField *field = find_activity_field (table);
  guint i;

  if (table == self->selected_table && n_rows == self->selected->len &&
      (n_rows == 0 || memcmp (rows, self->selected->data, sizeof (guint32) * n_rows) == 0))
    return;
  memset (self->marked, 0, self->trace->activities->len);
  self->selected_table = table;
  g_array_set_size (self->selected, 0);
  if (n_rows > 0)
    g_array_append_vals (self->selected, rows, n_rows);
  for (i = 0; i < n_rows; i++)
    mark (self, table, field, g_array_index (self->selected, guint32, i));
  ns_session_emit_selection_changed (self);
}

/**
 * ns_session_select:
 * @self: a session
 * @table: the table of the rows
 * @rows: (array length=n_rows): rows, 0-based
 * @n_rows: how many
 *
 * Selects rows; the bars of the activities they belong to are marked with them.
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
 * @n_rows: how many
 *
 * Selects rows as ns_session_select() does, because they were selected in an earlier reading of the
 * trace. Nobody went to them: what hides them is as the user left it.
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
 * Returns: whether the selection changes because of ns_session_select_again()
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
 * Returns: one byte for each activity, 1 where it is selected
 */
const guint8 *
ns_session_get_marked (NsSession *self)
{
  return self->marked;
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
  return activity_of (self,
                      self->selected_table,
                      find_activity_field (self->selected_table),
                      g_array_index (self->selected, guint32, 0));
}
