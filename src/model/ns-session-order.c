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

/* The largest numbers, the latest times and what holds are wanted first, but names from the
 * beginning. */
static gboolean
descends_first (const NsField *field)
{
  return ns_field_type_is_number (field->type) || field->type == NS_TYPE_BOOL;
}

/**
 * ns_session_toggle_order:
 * @self: a session
 * @table: a table
 * @field: the field whose title was pressed
 * @add_key: whether the keys before stay, stronger than this one
 *
 * Sorts by @field, numbers downwards first and texts upwards, then the other way, then no more.
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
      /* Both ways were seen. */
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
