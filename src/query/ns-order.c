/* Sorting row numbers by several fields, stably.
 *
 * Each key is read once for each row and made a number whose order is that of the values; numbers
 * are then sorted by their bytes, the last key first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-arena.h"
#include "query/ns-order.h"

#include <string.h>

#define PROGRESS_ROWS (1u << 16)

typedef struct
{
  guint64 key;
  guint32 row;
} Item;

/* A text that some row has, and the number that stands for it. */
typedef struct
{
  const char *text;
  guint64 rank;
} Text;

typedef struct
{
  NsArena *arena;       /* texts that were made for us */
  GHashTable *by_place; /* place of a text in memory to its index + 1 */
  GHashTable *by_text;  /* the same for texts that were made for us */
  GArray *texts;        /* Text */
} Texts;

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

static void
texts_init (Texts *self)
{
  self->arena = ns_arena_new (64 * 1024);
  self->by_place = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->by_text = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_array_new (FALSE, FALSE, sizeof (Text));
}

static void
texts_clear (Texts *self)
{
  g_hash_table_unref (self->by_place);
  g_hash_table_unref (self->by_text);
  g_array_unref (self->texts);
  ns_arena_free (self->arena);
}

/* Texts of a trace are kept once each, so that their place tells them apart without reading. */
static guint
texts_add (Texts *self, const char *text, gboolean is_owned)
{
  GHashTable *table = is_owned ? self->by_text : self->by_place;
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (table, text));
  Text entry = { text, 0 };

  if (index != 0)
    return index - 1;
  if (is_owned)
    entry.text = ns_arena_strndup (self->arena, text, strlen (text));
  g_array_append_val (self->texts, entry);
  g_hash_table_insert (table, (gpointer) entry.text, GUINT_TO_POINTER (self->texts->len));
  return self->texts->len - 1;
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  const Text *left = *(Text *const *) a;
  const Text *right = *(Text *const *) b;
  int result = g_ascii_strcasecmp (left->text, right->text);

  return result != 0 ? result : strcmp (left->text, right->text);
}

/* Equal texts get equal numbers; 0 is left for none. */
static void
texts_rank (Texts *self)
{
  g_autofree Text **sorted = g_new (Text *, self->texts->len + 1);
  guint64 rank = 0;
  guint i;

  for (i = 0; i < self->texts->len; i++)
    sorted[i] = &g_array_index (self->texts, Text, i);
  qsort (sorted, self->texts->len, sizeof *sorted, compare_texts);
  for (i = 0; i < self->texts->len; i++)
    {
      if (i == 0 || strcmp (sorted[i]->text, sorted[i - 1]->text) != 0)
        rank++;
      sorted[i]->rank = rank;
    }
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
is_text (const NsFieldValue *value)
{
  return value->type == NS_TYPE_TEXT || value->type == NS_TYPE_GUID ||
         value->type == NS_TYPE_LIST || value->type == NS_TYPE_OBJECT || value->type == NS_TYPE_IP;
}

/* Addresses are ranked by a text whose order is that of their bytes. */
static guint
add_value (Texts *texts, const NsField *field, const NsFieldValue *value, GString *buffer)
{
  guint i;

  if (value->type == NS_TYPE_TEXT || value->type == NS_TYPE_GUID)
    return texts_add (texts, value->v.text, value->owned != NULL);
  g_string_truncate (buffer, 0);
  if (value->type == NS_TYPE_IP)
    {
      g_string_append_printf (buffer, "%04x", value->v.ip.family);
      for (i = 0; i < G_N_ELEMENTS (value->v.ip.bytes); i++)
        g_string_append_printf (buffer, "%02x", value->v.ip.bytes[i]);
    }
  else
    ns_field_append_raw (field, value, buffer);
  return texts_add (texts, buffer->str, TRUE);
}

/* Reads the key of every row. Unknown values come last, whatever the direction. */
static gboolean
read_keys (const NsTrace *trace,
           const NsOrderKey *key,
           Item *items,
           guint n_items,
           Progress *progress)
{
  g_autoptr (GString) buffer = g_string_new (NULL);
  guint64 flip = key->descending ? G_MAXUINT64 : 0;
  gboolean has_texts = FALSE;
  g_autofree guint8 *is_null = g_new0 (guint8, n_items + 1);
  gboolean ok = TRUE;
  Texts texts;
  guint i;

  texts_init (&texts);
  for (i = 0; i < n_items && ok; i++)
    {
      NsFieldValue value;

      ns_field_get (trace, key->field, items[i].row, &value);
      is_null[i] = value.is_null != 0;
      if (value.is_null)
        items[i].key = G_MAXUINT64;
      else if (is_text (&value))
        {
          has_texts = TRUE;
          items[i].key = add_value (&texts, key->field, &value, buffer);
        }
      else
        {
          guint64 number = get_number (&value) ^ flip;

          items[i].key = MIN (number, G_MAXUINT64 - 1);
        }
      ns_field_value_clear (&value);
      if (i % PROGRESS_ROWS == PROGRESS_ROWS - 1)
        ok = go_on (progress, PROGRESS_ROWS);
    }
  if (ok && has_texts)
    {
      texts_rank (&texts);
      for (i = 0; i < n_items; i++)
        if (!is_null[i])
          {
            guint64 rank = g_array_index (texts.texts, Text, items[i].key).rank;

            items[i].key = key->descending ? texts.texts->len - rank : rank;
          }
    }
  texts_clear (&texts);
  return ok;
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
  guint i;
  guint k;

  if (n_rows == 0 || n_keys == 0)
    return TRUE;
  state.part = 1.0 / ((double) n_rows * n_keys);
  for (i = 0; i < n_rows; i++)
    items[i].row = g_array_index (rows, guint32, i);
  for (k = n_keys; k > 0; k--)
    {
      if (!read_keys (trace, &keys[k - 1], items, n_rows, &state))
        return FALSE;
      items = sort_items (items, items == first ? second : first, n_rows);
    }
  for (i = 0; i < n_rows; i++)
    g_array_index (rows, guint32, i) = items[i].row;
  return TRUE;
}
