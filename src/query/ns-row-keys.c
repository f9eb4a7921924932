/* Index of rows by key: pointers, handles, activity IDs, endpoints.
 *
 * For each key field the row numbers are sorted by key on first use, which takes four bytes per
 * row. A look-up is then a binary search, even in a table with a million rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-row-keys.h"

#include "base/ns-map.h"
#include "engine/trace/ns-trace-cache.h"
#include "query/ns-field-get.h"
#include "query/ns-radix.h"

/* Rows of a table that have a key, sorted by key, then by number. */
typedef struct
{
  guint32 *rows; /* 0-based; NULL: memory was short */
  guint n_rows;
} Order;

/* Indexes of a trace, made one at a time. */
typedef struct
{
  GMutex lock;
  GHashTable *by_field; /* NsField → Order */
} Orders;

static void
order_free (gpointer data)
{
  Order *order = data;

  g_free (order->rows);
  g_free (order);
}

/**
 * ns_row_keys_of_guid:
 * @guid: an activity ID
 *
 * Returns: its key, not unique
 */
guint64
ns_row_keys_of_guid (const NsGuid *guid)
{
  return ns_map_mix (ns_guid_low (guid), ns_guid_high (guid));
}

/**
 * ns_row_keys_of_ends:
 * @local: local endpoint
 * @remote: remote endpoint
 *
 * Returns: their key, not unique
 */
guint64
ns_row_keys_of_ends (const NsEndpoint *local, const NsEndpoint *remote)
{
  return ns_map_mix (ns_endpoint_hash (local), ns_endpoint_hash (remote));
}

/* Reads the key of a row; returns FALSE if it has none. */
static gboolean
read_key (const NsTrace *trace, NsTableId table, const NsField *field, guint32 row, guint64 *key)
{
  NsFieldValue value = { 0 };
  gboolean has_key;

  if (table == NS_TABLE_KERNEL_NETWORK)
    {
      const NsKernelNetworkRow *kernel =
          &g_array_index (trace->kernel_network, NsKernelNetworkRow, row);

      *key = ns_row_keys_of_ends (&kernel->local, &kernel->remote);
      return TRUE;
    }
  if (field->type == NS_TYPE_GUID)
    {
      const NsGuid *guid = ns_field_peek_guid (trace, row, field);

      *key = guid != NULL ? ns_row_keys_of_guid (guid) : 0;
      return guid != NULL;
    }
  ns_field_get (trace, field, row, &value);
  has_key = !value.is_null && value.v.u != 0;
  *key = has_key ? value.v.u : 0;
  ns_field_value_clear (&value);
  return has_key;
}

static Order *
order_new (const NsTrace *trace, NsTableId table, const NsField *field)
{
  Order *self = g_new0 (Order, 1);
  guint n_all = ns_table_get_n_rows (trace, table);
  g_autofree NsRadixItem *items = g_try_new (NsRadixItem, MAX (n_all, 1));
  g_autofree NsRadixItem *spare = g_try_new (NsRadixItem, MAX (n_all, 1));
  guint32 row;
  guint i;

  if (items == NULL || spare == NULL)
    return self;
  for (row = 0; row < n_all; row++)
    if (read_key (trace, table, field, row, &items[self->n_rows].key))
      items[self->n_rows++].place = row;
  ns_radix_sort (items, spare, self->n_rows);
  self->rows = g_try_new (guint32, MAX (self->n_rows, 1));
  for (i = 0; self->rows != NULL && i < self->n_rows; i++)
    self->rows[i] = items[i].place;
  return self;
}

static void
orders_free (gpointer data)
{
  Orders *self = data;

  g_hash_table_unref (self->by_field);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static Orders *
get_orders (const NsTrace *trace)
{
  if (ns_trace_cache_get (trace->cache, NS_CACHE_ROW_KEYS) == NULL &&
      ns_trace_cache_begin (trace->cache, NS_CACHE_ROW_KEYS, NULL, NULL))
    {
      Orders *made = g_new0 (Orders, 1);

      g_mutex_init (&made->lock);
      made->by_field = g_hash_table_new_full (NULL, NULL, NULL, order_free);
      ns_trace_cache_end (trace->cache, NS_CACHE_ROW_KEYS, made, orders_free);
    }
  return ns_trace_cache_get (trace->cache, NS_CACHE_ROW_KEYS);
}

static const Order *
ensure_order (const NsTrace *trace, NsTableId table, const NsField *field)
{
  Orders *self = get_orders (trace);
  Order *order;

  g_mutex_lock (&self->lock);
  order = g_hash_table_lookup (self->by_field, field);
  if (order == NULL)
    {
      order = order_new (trace, table, field);
      g_hash_table_insert (self->by_field, (gpointer) field, order);
    }
  g_mutex_unlock (&self->lock);
  return order;
}

/**
 * ns_row_keys_find:
 * @trace: a trace
 * @table: one of its tables
 * @field: a field of it with a number or a GUID; for kernel connections any, but always the same
 *   field
 * @key: the key: the number, ns_row_keys_of_guid() or ns_row_keys_of_ends(); not 0
 * @rows: (out) (array length=n_rows): the rows with this key, 0-based, in order; valid as long as
 *   the trace
 * @n_rows: (out): number of rows
 *
 * May be called from any thread. The first look-up of a field sorts its rows, in time proportional
 * to their number.
 *
 * Returns: %FALSE if memory is short
 */
gboolean
ns_row_keys_find (const NsTrace *trace,
                  NsTableId table,
                  const NsField *field,
                  guint64 key,
                  const guint32 **rows,
                  guint *n_rows)
{
  const Order *order = ensure_order (trace, table, field);
  guint ends[2];
  guint i;

  *rows = order->rows;
  *n_rows = 0;
  if (order->rows == NULL)
    return FALSE;
  /* Find the first row with this key or a higher one, and the first with a higher one, by binary
   * search. */
  for (i = 0; i < 2; i++)
    {
      guint begin = 0;
      guint end = order->n_rows;

      while (begin < end)
        {
          guint middle = begin + (end - begin) / 2;
          guint64 other;

          read_key (trace, table, field, order->rows[middle], &other);
          if (other < key || (i == 1 && other == key))
            begin = middle + 1;
          else
            end = middle;
        }
      ends[i] = begin;
    }
  *rows = order->rows + ends[0];
  *n_rows = ends[1] - ends[0];
  return TRUE;
}
