/* Stable sort of row numbers by several fields.
 *
 * Each key is read once per row, by two threads for large tables, and mapped to a number in the
 * order of the values; numbers are then sorted (ns-radix), the last key first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-order.h"

#include "base/ns-map.h"
#include "base/ns-parts.h"
#include "query/ns-call-path.h"
#include "query/ns-field-column.h"
#include "query/ns-field-get.h"
#include "query/ns-radix.h"
#include "query/ns-text-ranks.h"

#include <string.h>

/* Offset of the numbers of texts found by the second thread. */
#define SECOND_WORKER (G_GUINT64_CONSTANT (1) << 32)
/* Key of an unknown value, and the largest possible key. */
#define KEY_UNKNOWN G_MAXUINT64

/* Keys for all rows, of one field or of one part of it. */
typedef struct
{
  const NsTrace *trace;
  const NsOrderKey *key;
  guint part;
  const guint32 *rows;
  guint64 *keys; /* by row, in the given order */
  guint8 *is_unknown;
  const NsColumn *column;                   /* (nullable): packed column of the field */
  NsColumnKind kind;                        /* meaning of its numbers */
  NsTextRanks *ranks[NS_PARTS_MAX_WORKERS]; /* for texts: those found by each thread */
  guint offset;                             /* offset of the second thread's texts */
  NsMap *by_path; /* (nullable): key of a code path → number of its text + 1 */
} Keys;

typedef struct
{
  NsProgressFunc func;
  gpointer data;
  double done;
  double part; /* share of one key in the progress */
} Progress;

static gboolean
progress_cb (double fraction, gpointer user_data)
{
  Progress *self = user_data;

  return self->func == NULL ||
         self->func (MIN (self->done + self->part * fraction, 1.0), self->data);
}

static gboolean
is_text (NsFieldType type)
{
  return type == NS_TYPE_TEXT || type == NS_TYPE_GUID || type == NS_TYPE_LIST ||
         type == NS_TYPE_OBJECT;
}

/* Returns whether the texts of the field have their own sort order. */
static gboolean
has_text_order (const NsField *field)
{
  return is_text (field->type) && field->rank == NULL;
}

/* Returns the number of keys of a field: an address has three (last bytes, first bytes, family). */
static guint
count_parts (const NsField *field)
{
  return field->type == NS_TYPE_IP ? 3 : 1;
}

static guint
count_all_parts (const NsOrderKey *keys, guint n_keys)
{
  guint n_parts = 0;
  guint i;

  for (i = 0; i < n_keys; i++)
    n_parts += count_parts (keys[i].field);
  return n_parts;
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

/* Reads the value of a row that counts for the key. */
static void
get_value (const Keys *self, guint32 row, NsFieldValue *value)
{
  if (self->key->instead_of == NULL)
    ns_field_get (self->trace, self->key->field, row, value);
  else if (ns_field_get_shown (self->trace, self->key->instead_of, row, value) != self->key->field)
    {
      ns_field_value_clear (value);
      *value = (NsFieldValue){ .is_null = TRUE };
    }
}

static guint64
read_key (const Keys *self, guint32 row, guint worker, GString *buffer, guint8 *is_unknown)
{
  guint64 flip = self->key->descending ? G_MAXUINT64 : 0;
  NsFieldValue value;
  guint64 key;

  *is_unknown = FALSE;
  if (self->key->field->rank != NULL && self->key->instead_of == NULL)
    return self->key->field->rank (self->trace, row) ^ flip;
  get_value (self, row, &value);
  *is_unknown = value.is_null != 0;
  if (value.is_null)
    key = KEY_UNKNOWN;
  else if (self->ranks[worker] != NULL)
    key = add_value (self->ranks[worker], self->key->field, &value, buffer) |
          (worker > 0 ? SECOND_WORKER : 0);
  else if (value.type == NS_TYPE_IP)
    key = get_ip_part (&value.v.ip, self->part) ^ flip;
  else
    key = ns_field_value_to_number (&value) ^ flip;
  ns_field_value_clear (&value);
  return key;
}

/* Returns the number of a code path's text; each path is formatted once. */
static guint64
read_path (Keys *self, guint32 row, GString *buffer, guint8 *is_unknown)
{
  guint64 a;
  guint64 b;
  guint32 number;

  ns_call_path_get_key (self->trace, row, &a, &b);
  number = ns_map_get (self->by_path, a, b);
  if (number == 0)
    {
      guint64 key = read_key (self, row, 0, buffer, is_unknown);

      number = *is_unknown ? G_MAXUINT32 : (guint32) key + 1;
      ns_map_set (self->by_path, a, b, number);
    }
  *is_unknown = number == G_MAXUINT32;
  return *is_unknown ? KEY_UNKNOWN : number - 1;
}

static gboolean
has_value_numbers (NsColumnKind kind)
{
  return kind != NS_COLUMN_KIND_NONE && kind != NS_COLUMN_KIND_NUMBER;
}

/* Reads a key from the packed column, without touching the row. */
static guint64
read_code (const Keys *self, guint32 row, guint8 *is_unknown)
{
  guint64 code = ns_column_get_code (self->column, row);

  *is_unknown = code == 0;
  return self->key->descending ? ~code : code;
}

static void
read_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Keys *self = user_data;
  g_autoptr (GString) buffer = g_string_new (NULL);
  guint i;

  for (i = begin; i < end; i++)
    if (has_value_numbers (self->kind))
      self->keys[i] = ns_field_get_value_number (self->trace,
                                                 self->key->field,
                                                 self->kind,
                                                 self->column,
                                                 self->rows[i]);
    else if (self->column != NULL)
      self->keys[i] = read_code (self, self->rows[i], &self->is_unknown[i]);
    else if (self->by_path != NULL)
      self->keys[i] = read_path (self, self->rows[i], buffer, &self->is_unknown[i]);
    else
      self->keys[i] = read_key (self, self->rows[i], worker, buffer, &self->is_unknown[i]);
}

/* Returns the number of a value's text; %KEY_UNKNOWN: there is no text. */
static guint64
number_value (const Keys *self, guint64 value, guint32 row, GString *buffer)
{
  guint8 is_unknown;
  NsString id = (NsString) value;

  if (self->kind != NS_COLUMN_KIND_TEXT)
    return read_key (self, row, 0, buffer, &is_unknown);
  if (id == NS_STRING_NONE || id >= ns_strings_get_size (self->trace->strings))
    return KEY_UNKNOWN;
  return ns_text_ranks_append (self->ranks[0],
                               ns_trace_text (self->trace, id),
                               ns_strings_get_length (self->trace->strings, id));
}

/* Replaces column values by the numbers of their texts, each formatted once. The values are few,
 * or contiguous. Unknown processes have the same value, but different texts. */
static void
number_values (Keys *self, guint n_rows)
{
  g_autoptr (GString) buffer = g_string_new (NULL);
  g_autofree guint32 *number_of = NULL; /* by value: number of its text + 2; 1: no text */
  guint64 last = 0;
  guint i;

  for (i = 0; i < n_rows; i++)
    last = MAX (last, self->keys[i]);
  number_of = g_new0 (guint32, (gsize) last + 1);
  for (i = 0; i < n_rows; i++)
    {
      guint64 value = self->keys[i];
      guint64 number;

      if (number_of[value] == 0)
        {
          number = number_value (self, value, self->rows[i], buffer);
          number_of[value] = number == KEY_UNKNOWN ? 1 : (guint32) number + 2;
        }
      self->is_unknown[i] = number_of[value] == 1;
      self->keys[i] = self->is_unknown[i] ? KEY_UNKNOWN : number_of[value] - 2;
      if (value == 0 && self->kind == NS_COLUMN_KIND_PROCESS)
        number_of[value] = 0;
    }
}

/* Replaces numbers of texts by their ranks. */
static void
rank_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Keys *self = user_data;
  guint64 n_ranks = ns_text_ranks_get_last (self->ranks[0]);
  guint i;

  for (i = begin; i < end; i++)
    if (!self->is_unknown[i])
      {
        guint number = (guint) self->keys[i] + (self->keys[i] >= SECOND_WORKER ? self->offset : 0);
        guint64 rank = ns_text_ranks_get (self->ranks[0], number);

        self->keys[i] = self->key->descending ? n_ranks - rank : rank;
      }
}

/* Reads the keys of all rows. */
static gboolean
read_keys (Keys *self, guint n_rows, Progress *progress)
{
  gboolean may_share =
      ns_field_may_share (self->key->field) &&
      (self->key->instead_of == NULL || ns_field_may_share (self->key->instead_of));
  gboolean is_done;
  guint i;

  self->kind = NS_COLUMN_KIND_NONE;
  self->column = NULL;
  if (self->key->instead_of == NULL)
    {
      self->kind = ns_field_get_column_kind (self->key->field);
      self->column = ns_field_get_column (self->trace, self->key->field);
    }
  self->by_path = self->key->field->get == ns_get_stack_path ? ns_map_new () : NULL;
  for (i = 0; i < NS_PARTS_MAX_WORKERS && has_text_order (self->key->field); i++)
    self->ranks[i] = ns_text_ranks_new ();
  is_done = ns_parts_run (n_rows, may_share, read_cb, self, progress_cb, progress);
  if (is_done && self->ranks[0] != NULL)
    {
      if (has_value_numbers (self->kind))
        number_values (self, n_rows);
      self->offset = ns_text_ranks_join (self->ranks[0], self->ranks[1]);
      ns_text_ranks_sort (self->ranks[0]);
      ns_parts_run (n_rows, TRUE, rank_cb, self, NULL, NULL);
    }
  g_clear_pointer (&self->by_path, ns_map_free);
  for (i = 0; i < NS_PARTS_MAX_WORKERS; i++)
    g_clear_pointer (&self->ranks[i], ns_text_ranks_free);
  progress->done += progress->part;
  return is_done;
}

/* Sorts by one key. Unknown values come last in either direction. */
static void
sort_by_key (const Keys *self, NsRadixItem *items, NsRadixItem *spare, guint n_items)
{
  guint n_known = 0;
  guint n_unknown = 0;
  guint i;

  for (i = 0; i < n_items; i++)
    {
      guint32 place = items[i].place;
      NsRadixItem item = { self->keys[place], place };

      if (self->is_unknown[place])
        spare[n_unknown++] = item;
      else
        items[n_known++] = item;
    }
  memcpy (items + n_known, spare, sizeof *items * n_unknown);
  ns_radix_sort (items, spare, n_known);
}

/**
 * ns_order_parse:
 * @table: a table
 * @text: IDs separated by commas; a `-` before an ID reverses its order
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (element-type NsOrderKey) (nullable): the keys, most important first
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
      NsOrderKey key = { NULL, *id == '-', NULL };

      if (*id == '-' || *id == '+')
        id++;
      key.field = ns_table_find_field (table, id);
      if (key.field == NULL)
        {
          ns_table_refuse_field (table, id, error);
          return NULL;
        }
      g_array_append_val (keys, key);
    }
  return g_steal_pointer (&keys);
}

/**
 * ns_order_to_text:
 * @order: (element-type NsOrderKey): keys
 *
 * Returns: (transfer full): their text, as parsed by ns_order_parse()
 */
char *
ns_order_to_text (const GArray *order)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < order->len; i++)
    {
      const NsOrderKey *key = &g_array_index (order, NsOrderKey, i);

      g_string_append_printf (text,
                              "%s%s%s",
                              i > 0 ? "," : "",
                              key->descending ? "-" : "",
                              key->field->id);
    }
  return g_string_free (text, FALSE);
}

/* Keys of all rows for each field, kept for find_depths(). */
typedef struct
{
  GPtrArray *keys;       /* (element-type guint64*): by part, last part first */
  GPtrArray *is_unknown; /* (element-type guint8*) */
  GArray *fields;        /* guint8: field of each part */
} Kept;

static void
kept_clear (Kept *kept)
{
  g_clear_pointer (&kept->keys, g_ptr_array_unref);
  g_clear_pointer (&kept->is_unknown, g_ptr_array_unref);
  g_clear_pointer (&kept->fields, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Kept, kept_clear)

static void
keep (Kept *kept, const Keys *read, guint8 field, guint n_rows)
{
  if (kept->keys == NULL)
    {
      kept->keys = g_ptr_array_new_with_free_func (g_free);
      kept->is_unknown = g_ptr_array_new_with_free_func (g_free);
      kept->fields = g_array_new (FALSE, FALSE, sizeof (guint8));
    }
  g_ptr_array_add (kept->keys, g_memdup2 (read->keys, sizeof (guint64) * (gsize) n_rows));
  g_ptr_array_add (kept->is_unknown, g_memdup2 (read->is_unknown, n_rows));
  g_array_append_val (kept->fields, field);
}

/* Computes the number of leading fields in which each row equals the previous one. */
static void
find_depths (const Kept *kept,
             guint n_keys,
             const NsRadixItem *items,
             guint n_items,
             guint8 *depths)
{
  guint part;
  guint i;

  memset (depths, (int) n_keys, n_items);
  depths[0] = 0;
  for (part = 0; part < kept->keys->len; part++)
    {
      const guint64 *keys = g_ptr_array_index (kept->keys, part);
      const guint8 *is_unknown = g_ptr_array_index (kept->is_unknown, part);
      guint8 field = g_array_index (kept->fields, guint8, part);

      for (i = 1; i < n_items; i++)
        {
          guint here = items[i].place;
          guint before = items[i - 1].place;

          if (is_unknown[here] != is_unknown[before] ||
              (!is_unknown[here] && keys[here] != keys[before]))
            depths[i] = MIN (depths[i], field);
        }
    }
}

/**
 * ns_order_sort_apart:
 * @trace: a trace
 * @keys: (array length=n_keys): sort keys, most important first
 * @n_keys: number of keys, less than 256
 * @rows: (element-type guint32): rows of the table, 0-based, sorted in place
 * @depths: (out caller-allocates) (nullable): for each row, in the new order, the number of leading
 *   keys that equal those of the row before it; 0 for the first row
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Like ns_order_sort(), and returns where ranges of equal rows begin.
 *
 * Returns: %FALSE if stopped, with @rows unchanged
 */
gboolean
ns_order_sort_apart (const NsTrace *trace,
                     const NsOrderKey *keys,
                     guint n_keys,
                     GArray *rows,
                     guint8 *depths,
                     NsProgressFunc progress,
                     gpointer progress_data)
{
  g_autofree NsRadixItem *items = g_new (NsRadixItem, (gsize) rows->len + 1);
  g_autofree NsRadixItem *spare = g_new (NsRadixItem, (gsize) rows->len + 1);
  g_autofree guint64 *of_rows = g_new (guint64, (gsize) rows->len + 1);
  g_autofree guint8 *is_unknown = g_new0 (guint8, (gsize) rows->len + 1);
  g_autofree guint32 *given = g_memdup2 (rows->data, sizeof (guint32) * (gsize) rows->len);
  g_auto (Kept) kept = { NULL, NULL, NULL };
  Progress state = { progress, progress_data, 0, 0 };
  guint n_rows = rows->len;
  guint part;
  guint i;
  guint k;

  if (n_rows == 0 || n_keys == 0)
    return TRUE;
  state.part = 1.0 / count_all_parts (keys, n_keys);
  for (i = 0; i < n_rows; i++)
    items[i].place = i;
  for (k = n_keys; k > 0; k--)
    for (part = 0; part < count_parts (keys[k - 1].field); part++)
      {
        Keys read = { trace, &keys[k - 1], part, given, of_rows, is_unknown };

        if (!read_keys (&read, n_rows, &state))
          return FALSE;
        if (depths != NULL)
          keep (&kept, &read, (guint8) (k - 1), n_rows);
        sort_by_key (&read, items, spare, n_rows);
      }
  for (i = 0; i < n_rows; i++)
    g_array_index (rows, guint32, i) = given[items[i].place];
  if (depths != NULL)
    find_depths (&kept, n_keys, items, n_rows, depths);
  return TRUE;
}

/**
 * ns_order_sort:
 * @trace: a trace
 * @keys: (array length=n_keys): sort keys, most important first
 * @n_keys: number of keys
 * @rows: (element-type guint32): rows of the table, 0-based, sorted in place
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * The sort is stable.
 *
 * Returns: %FALSE if stopped, with @rows unchanged
 */
gboolean
ns_order_sort (const NsTrace *trace,
               const NsOrderKey *keys,
               guint n_keys,
               GArray *rows,
               NsProgressFunc progress,
               gpointer progress_data)
{
  return ns_order_sort_apart (trace, keys, n_keys, rows, NULL, progress, progress_data);
}
