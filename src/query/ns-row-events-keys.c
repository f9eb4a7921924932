/* Keys of a row that occur in records: pointers and handles, or process and thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-row-events.h"

#include <string.h>

/* Fields that identify a system object; other numbers are properties. */
static const char *const key_ids[] = { "request",  "handle", "connect", "connection",
                                       "endpoint", "socket", "tcb",     "netlog" };

/**
 * ns_row_events_is_key_field:
 * @field: a field of a table
 *
 * Returns: whether it identifies a system object that records also refer to
 */
gboolean
ns_row_events_is_key_field (const NsField *field)
{
  guint i;

  if (field->type != NS_TYPE_HEX)
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (key_ids); i++)
    if (strcmp (field->id, key_ids[i]) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
get_value (const NsTrace *trace, NsTableId table, guint32 row, const char *id, NsFieldValue *value)
{
  const NsField *field = ns_table_find_field (table, id);

  if (field == NULL)
    return FALSE;
  ns_field_get (trace, field, row, value);
  return !value->is_null;
}

static guint32
get_number (const NsTrace *trace, NsTableId table, guint32 row, const char *id)
{
  NsFieldValue value = { 0 };
  guint32 number = NS_PID_UNKNOWN;

  if (get_value (trace, table, row, id, &value) && value.type == NS_TYPE_UINT &&
      value.v.u < G_MAXUINT32)
    number = (guint32) value.v.u;
  ns_field_value_clear (&value);
  return number;
}

static gint64
get_time (const NsTrace *trace, NsTableId table, guint32 row, const char *id, gint64 fallback_ns)
{
  NsFieldValue value = { 0 };
  gint64 time_ns = fallback_ns;

  if (get_value (trace, table, row, id, &value) && value.type == NS_TYPE_TIME)
    time_ns = value.v.i;
  ns_field_value_clear (&value);
  return time_ns;
}

static void
add_key (NsRowEvents *self, const NsField *field, guint64 value)
{
  NsRowKey key = { field, value };
  guint i;

  if (value < NS_ROW_EVENTS_MIN_KEY || self->keys->len >= NS_ROW_EVENTS_MAX_KEYS)
    return;
  for (i = 0; i < self->keys->len; i++)
    if (g_array_index (self->keys, NsRowKey, i).value == value)
      return;
  g_array_append_val (self->keys, key);
}

static void
add_keys_of (NsRowEvents *self, const NsTrace *trace, NsTableId table, guint32 row)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      NsFieldValue value = { 0 };

      if (!ns_row_events_is_key_field (&fields[i]))
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      if (!value.is_null && value.type == NS_TYPE_HEX)
        add_key (self, &fields[i], value.v.u);
      ns_field_value_clear (&value);
    }
}

/* Adds connections of a request other than the last one: a request that is sent again for a
 * proxy or authentication may use several. */
static void
add_connections (NsRowEvents *self, const NsTrace *trace, guint32 row)
{
  const NsField *field = ns_table_find_field (NS_TABLE_WEBIO, "connection");
  const NsWebioRow *request = &g_array_index (trace->webio, NsWebioRow, row);
  guint i;

  for (i = 0; i < request->n_conns; i++)
    add_key (self, field, request->conns[i].connection);
}

/* Adds the keys of the row's lower-layer rows, after its own keys. */
static void
add_keys_below (NsRowEvents *self, const NsTrace *trace, NsTableId table, guint32 row)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      NsFieldValue value = { 0 };
      NsTableId below;

      if (fields[i].type != NS_TYPE_ROW || !ns_table_from_name (fields[i].id, &below))
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      if (!value.is_null && value.v.u >= 1 && value.v.u <= ns_table_get_n_rows (trace, below))
        {
          add_keys_of (self, trace, below, (guint32) value.v.u - 1);
          if (below == NS_TABLE_WEBIO)
            add_connections (self, trace, (guint32) value.v.u - 1);
        }
      ns_field_value_clear (&value);
    }
  if (table == NS_TABLE_WEBIO)
    add_connections (self, trace, row);
}

/* Reads the activity ID of the row. */
static void
read_activity (NsRowEvents *self, const NsTrace *trace, NsTableId table, guint32 row)
{
  NsFieldValue value = { 0 };

  if (get_value (trace, table, row, "activity_guid", &value) && value.type == NS_TYPE_GUID)
    ns_guid_from_text (&self->activity, value.v.text);
  ns_field_value_clear (&value);
}

/**
 * ns_row_events_describe:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Returns: (transfer full): the keys of the row itself, without records
 */
NsRowEvents *
ns_row_events_describe (const NsTrace *trace, NsTableId table, guint32 row)
{
  NsRowEvents *self = g_new0 (NsRowEvents, 1);

  self->events = g_array_new (FALSE, FALSE, sizeof (NsRowEvent));
  self->keys = g_array_new (FALSE, FALSE, sizeof (NsRowKey));
  self->pid = get_number (trace, table, row, "pid");
  self->tid = get_number (trace, table, row, "tid");
  self->span.begin_ns = get_time (trace, table, row, "open_ns", 0);
  self->span.end_ns = get_time (trace, table, row, "close_ns", trace->end_ns);
  read_activity (self, trace, table, row);
  add_keys_of (self, trace, table, row);
  return self;
}

/**
 * ns_row_events_describe_all:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Returns: (transfer full): the keys of the row and of its lower layers, without records
 */
NsRowEvents *
ns_row_events_describe_all (const NsTrace *trace, NsTableId table, guint32 row)
{
  NsRowEvents *self = ns_row_events_describe (trace, table, row);

  add_keys_below (self, trace, table, row);
  return self;
}

/**
 * ns_row_events_is_own_key:
 * @self: keys of a row
 * @key: index of the key of one of its records
 *
 * Returns: whether the key belongs to this row only, not to all rows of its connection
 */
gboolean
ns_row_events_is_own_key (const NsRowEvents *self, guint32 key)
{
  const char *id;

  if (key >= self->keys->len)
    return FALSE;
  id = g_array_index (self->keys, NsRowKey, key).field->id;
  return strcmp (id, "request") == 0 || strcmp (id, "handle") == 0;
}

/**
 * ns_row_events_free:
 * @self: (transfer full) (nullable): keys and records of a row
 */
void
ns_row_events_free (NsRowEvents *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->events);
  g_array_unref (self->keys);
  g_free (self);
}
