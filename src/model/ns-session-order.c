/* In which order a session shows the rows of its tables.
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
 * Returns: (element-type NsOrderKey): its sort keys, the strongest first
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
 * @order: (element-type NsOrderKey): sort keys, the strongest first; empty for the table's own
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

/**
 * ns_session_toggle_order:
 * @self: a session
 * @table: a table
 * @field: the field whose title was pressed
 * @add_key: whether the keys before stay, stronger than this one
 *
 * Sorts by @field, upwards first, then downwards, then no more.
 */
void
ns_session_toggle_order (NsSession *self, NsTableId table, const NsField *field, gboolean add_key)
{
  GArray *order = self->views[table].order;
  NsOrderKey key = { field, FALSE };
  guint at;

  for (at = 0; at < order->len; at++)
    if (g_array_index (order, NsOrderKey, at).field == field)
      break;
  if (at < order->len)
    key = g_array_index (order, NsOrderKey, at);

  if (!add_key)
    {
      gboolean was_there = at < order->len;

      g_array_set_size (order, 0);
      if (!was_there)
        g_array_append_val (order, key);
      else if (!key.descending)
        {
          key.descending = TRUE;
          g_array_append_val (order, key);
        }
    }
  else if (at == order->len)
    g_array_append_val (order, key);
  else if (!key.descending)
    g_array_index (order, NsOrderKey, at).descending = TRUE;
  else
    g_array_remove_index (order, at);
  ns_session_set_order (self, table, order);
}
