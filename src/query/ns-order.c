/* Sorting row numbers by several fields, stably.
 *
 * Each key is read once for each row and made a number whose order is that of the values; numbers
 * are then sorted by their bytes, the last key first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-order.h"
#include "query/ns-text-ranks.h"

#include <string.h>

#define PROGRESS_ROWS (1u << 16)

typedef struct
{
  guint64 key;
  guint32 row;
} Item;

typedef struct
{
  NsProgressFunc func;
  gpointer data;
  double done;
  double part; /* of one row */
} Progress;

static gboolean
go_on (Progress *self, guint n_rows)
{
  self->done += self->part * n_rows;
  return self->func == NULL || self->func (MIN (self->done, 1.0), self->data);
}

static guint64
get_number (const NsFieldValue *value)
{
  switch (value->type)
    {
    case NS_TYPE_INT:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
      return (guint64) value->v.i ^ G_GUINT64_CONSTANT (1) << 63;
    case NS_TYPE_TEXT:
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_BYTES:
    case NS_TYPE_HEX:
    case NS_TYPE_BOOL:
    case NS_TYPE_IP:
    case NS_TYPE_PORT:
    case NS_TYPE_GUID:
    case NS_TYPE_ROW:
    case NS_TYPE_LIST:
    case NS_TYPE_OBJECT:
    default:
      return value->v.u;
    }
}

static gboolean
is_text (NsFieldType type)
{
  return type == NS_TYPE_TEXT || type == NS_TYPE_GUID || type == NS_TYPE_LIST ||
         type == NS_TYPE_OBJECT;
}

/* An address takes three numbers: its last bytes, its first bytes, its family. */
static guint
count_parts (const NsField *field)
{
  return field->type == NS_TYPE_IP ? 3 : 1;
}

static guint64
get_ip_part (const NsIp *ip, guint part)
{
  guint64 number = 0;
  guint i;

  if (part == 2)
    return ip->family;
  for (i = 0; i < 8; i++)
    number = number << 8 | ip->bytes[part == 0 ? 8 + i : i];
  return number;
}

static guint
add_value (NsTextRanks *ranks, const NsField *field, const NsFieldValue *value, GString *buffer)
{
  if (value->type == NS_TYPE_TEXT || value->type == NS_TYPE_GUID)
    return ns_text_ranks_add (ranks, value->v.text, value->owned != NULL);
  g_string_truncate (buffer, 0);
  ns_field_append_raw (field, value, buffer);
  return ns_text_ranks_add (ranks, buffer->str, TRUE);
}

/* Numbers of texts become their places among all of them. */
static void
rank_keys (NsTextRanks *ranks,
           const guint8 *is_null,
           gboolean descending,
           Item *items,
           guint n_items)
{
  guint64 n_ranks = ns_text_ranks_sort (ranks);
  guint i;

  for (i = 0; i < n_items; i++)
    if (!is_null[i])
      {
        guint64 rank = ns_text_ranks_get (ranks, (guint) items[i].key);

        items[i].key = descending ? n_ranks - rank : rank;
      }
}

/* Reads the key of every row. Unknown values come last, whatever the direction. */
static gboolean
read_keys (const NsTrace *trace,
           const NsOrderKey *key,
           guint part,
           Item *items,
           guint n_items,
           Progress *progress)
{
  g_autoptr (NsTextRanks) ranks = is_text (key->field->type) ? ns_text_ranks_new () : NULL;
  g_autoptr (GString) buffer = g_string_new (NULL);
  guint64 flip = key->descending ? G_MAXUINT64 : 0;
  g_autofree guint8 *is_null = g_new0 (guint8, n_items + 1);
  guint i;

  for (i = 0; i < n_items; i++)
    {
      NsFieldValue value;

      ns_field_get (trace, key->field, items[i].row, &value);
      is_null[i] = value.is_null != 0;
      if (value.is_null)
        items[i].key = G_MAXUINT64;
      else if (ranks != NULL)
        items[i].key = add_value (ranks, key->field, &value, buffer);
      else if (value.type == NS_TYPE_IP)
        items[i].key = get_ip_part (&value.v.ip, part) ^ flip;
      else
        items[i].key = MIN (get_number (&value) ^ flip, G_MAXUINT64 - 1);
      ns_field_value_clear (&value);
      if (i % PROGRESS_ROWS == PROGRESS_ROWS - 1 && !go_on (progress, PROGRESS_ROWS))
        return FALSE;
    }
  if (ranks != NULL)
    rank_keys (ranks, is_null, key->descending, items, n_items);
  return TRUE;
}

/* Least significant byte first; bytes that are the same in all keys are passed over. */
static Item *
sort_items (Item *items, Item *spare, guint n_items)
{
  guint64 all_or = 0;
  guint64 all_and = G_MAXUINT64;
  guint shift;
  guint i;

  for (i = 0; i < n_items; i++)
    {
      all_or |= items[i].key;
      all_and &= items[i].key;
    }
  for (shift = 0; shift < 64; shift += 8)
    {
      guint32 places[256] = { 0 };
      guint32 next = 0;
      Item *swap;

      if (((all_or ^ all_and) >> shift & 0xff) == 0)
        continue;
      for (i = 0; i < n_items; i++)
        places[items[i].key >> shift & 0xff]++;
      for (i = 0; i < G_N_ELEMENTS (places); i++)
        {
          guint32 count = places[i];

          places[i] = next;
          next += count;
        }
      for (i = 0; i < n_items; i++)
        spare[places[items[i].key >> shift & 0xff]++] = items[i];
      swap = items;
      items = spare;
      spare = swap;
    }
  return items;
}

/**
 * ns_order_parse:
 * @table: a table
 * @text: ids with commas between; a `-` before one turns its order round
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (element-type NsOrderKey) (nullable): the keys, the most important first
 */
GArray *
ns_order_parse (NsTableId table, const char *text, GError **error)
{
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (NsOrderKey));
  g_auto (GStrv) ids = g_strsplit (text, ",", -1);
  guint i;

  for (i = 0; ids[i] != NULL; i++)
    {
      const char *id = g_strstrip (ids[i]);
      NsOrderKey key = { NULL, *id == '-' };

      if (*id == '-' || *id == '+')
        id++;
      key.field = ns_table_find_field (table, id);
      if (key.field == NULL)
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       "“%s” has no field “%s” to sort by",
                       ns_table_get_name (table),
                       id);
          return NULL;
        }
      g_array_append_val (keys, key);
    }
  return g_steal_pointer (&keys);
}

/**
 * ns_order_sort:
 * @trace: a trace
 * @keys: (array length=n_keys): what to sort by, the most important first
 * @n_keys: how many
 * @rows: (element-type guint32): rows of the table, 0-based, sorted in place
 * @progress: (nullable): told how far it is, and asked whether to go on
 * @progress_data: for @progress
 *
 * Rows that are equal in all keys stay in the order they had.
 *
 * Returns: %FALSE when stopped; @rows are as they were then
 */
gboolean
ns_order_sort (const NsTrace *trace,
               const NsOrderKey *keys,
               guint n_keys,
               GArray *rows,
               NsProgressFunc progress,
               gpointer progress_data)
{
  g_autofree Item *first = g_new (Item, rows->len + 1);
  g_autofree Item *second = g_new (Item, rows->len + 1);
  Progress state = { progress, progress_data, 0, 0 };
  Item *items = first;
  guint n_rows = rows->len;
  guint part;
  guint i;
  guint k;

  if (n_rows == 0 || n_keys == 0)
    return TRUE;
  state.part = 1.0 / ((double) n_rows * n_keys);
  for (i = 0; i < n_rows; i++)
    items[i].row = g_array_index (rows, guint32, i);
  for (k = n_keys; k > 0; k--)
    for (part = 0; part < count_parts (keys[k - 1].field); part++)
      {
        if (!read_keys (trace, &keys[k - 1], part, items, n_rows, &state))
          return FALSE;
        items = sort_items (items, items == first ? second : first, n_rows);
      }
  for (i = 0; i < n_rows; i++)
    g_array_index (rows, guint32, i) = items[i].row;
  return TRUE;
}
