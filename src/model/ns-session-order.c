/* Sort order of the tables of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-private.h"

/**
 * ns_session_get_order:
 * @self: a session
 * @table: a table
 *
 * Returns: (element-type NsOrderKey): its sort keys, primary first
 */
const GArray *
ns_session_get_order (NsSession *self, NsTableId table)
{
  return self->views[table].order;
}

/**
 * ns_session_set_order:
 * @self: a session
 * @table: a table
 * @order: (element-type NsOrderKey): sort keys, primary first; empty for the table's natural order
 */
void
ns_session_set_order (NsSession *self, NsTableId table, const GArray *order)
{
  NsSessionView *view = &self->views[table];

  g_return_if_fail (NS_IS_SESSION (self));

  if (order != view->order)
    {
      g_array_set_size (view->order, 0);
      g_array_append_vals (view->order, order->data, order->len);
    }
  ns_session_query (self, table);
}

/* Returns whether the first sort by the field is descending: for numbers, times and flags, but not
 * for texts. */
static gboolean
descends_first (const NsField *field)
{
  return ns_field_type_is_number (field->type) || field->type == NS_TYPE_BOOL;
}

/**
 * ns_session_toggle_order:
 * @self: a session
 * @table: a table
 * @field: the field whose title was clicked
 * @add_key: whether to keep the previous keys and add @field as the last one
 *
 * Sorts by @field, numbers descending and texts ascending; the second call reverses the order, the
 * third one removes the key.
 */
void
ns_session_toggle_order (NsSession *self, NsTableId table, const NsField *field, gboolean add_key)
{
  GArray *order = self->views[table].order;
  gboolean first = descends_first (field);
  NsOrderKey key = { field, first, NULL };
  gboolean was_there;
  guint at;

  for (at = 0; at < order->len; at++)
    if (g_array_index (order, NsOrderKey, at).field == field)
      break;
  was_there = at < order->len;
  if (was_there)
    key.descending = !g_array_index (order, NsOrderKey, at).descending;
  if (was_there && key.descending == first)
    {
      /* The third call removes the key. */
      if (add_key)
        g_array_remove_index (order, at);
      else
        g_array_set_size (order, 0);
    }
  else
    {
      if (!add_key)
        g_array_set_size (order, 0);
      if (add_key && was_there)
        g_array_index (order, NsOrderKey, at) = key;
      else
        g_array_append_val (order, key);
    }
  ns_session_set_order (self, table, order);
}
