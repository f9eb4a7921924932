/* The table of fields: all tables, and the fields of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "query/ns-field-get.h"
#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TABLE_FIELDS(id, member, type) [NS_TABLE_##id] = &ns_fields_##member,

static const NsFieldTable *const tables[NS_N_TABLES] = { [NS_TABLE_FINDINGS] = &ns_fields_findings,
                                                         NS_TABLE_ROWS (TABLE_FIELDS) };

/**
 * ns_table_get: (skip)
 * @table: a table
 *
 * Returns: (transfer none): the description of the table
 */
const NsFieldTable *
ns_table_get (NsTableId table)
{
  return tables[table];
}

/**
 * ns_table_get_name:
 * @table: a table
 *
 * Returns: its name on the command line
 */
const char *
ns_table_get_name (NsTableId table)
{
  g_return_val_if_fail ((guint) table < NS_N_TABLES, NULL);
  return tables[table]->name;
}

/**
 * ns_table_get_title:
 * @table: a table
 *
 * Returns: its title, to be translated
 */
const char *
ns_table_get_title (NsTableId table)
{
  g_return_val_if_fail ((guint) table < NS_N_TABLES, NULL);
  return tables[table]->title;
}

/**
 * ns_table_get_about:
 * @table: a table
 *
 * Returns: (nullable): a description of its rows, to be translated
 */
const char *
ns_table_get_about (NsTableId table)
{
  g_return_val_if_fail ((guint) table < NS_N_TABLES, NULL);
  return tables[table]->about;
}

/**
 * ns_table_get_needs:
 * @table: a table
 *
 * Returns: (transfer full): the providers that its rows come from; "" if any trace has them
 */
char *
ns_table_get_needs (NsTableId table)
{
  const NsFieldTable *row;
  GString *text;
  guint i;

  g_return_val_if_fail ((guint) table < NS_N_TABLES, NULL);
  row = tables[table];
  if (row->needs_else != NULL)
    return g_strdup (row->needs_else);
  text = g_string_new (NULL);
  for (i = 0; i < NS_MAX_NEEDS && row->needs[i] != NS_PROVIDER_UNKNOWN; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", ns_catalog_get_name (row->needs[i]));
  return g_string_free (text, FALSE);
}

/**
 * ns_table_from_name:
 * @name: a name of the command line
 * @table: (out): the table
 *
 * Returns: %TRUE if there is such a table
 */
gboolean
ns_table_from_name (const char *name, NsTableId *table)
{
  guint i;

  for (i = 0; i < NS_N_TABLES; i++)
    if (strcmp (tables[i]->name, name) == 0)
      {
        *table = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
is_needed (const NsFieldTable *table, const NsGuid *guid)
{
  guint i;

  for (i = 0; i < NS_MAX_NEEDS && table->needs[i] != NS_PROVIDER_UNKNOWN; i++)
    if (ns_guid_equal (ns_catalog_get_guid (table->needs[i]), guid))
      return TRUE;
  return FALSE;
}

/* Returns the first provider in the trace whose records make rows of the table. */
static const NsProviderRow *
find_needed (const NsTrace *trace, const NsFieldTable *table)
{
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    {
      const NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      if (row->n_events > 0 && is_needed (table, &row->guid))
        return row;
    }
  return NULL;
}

/**
 * ns_table_describe_empty:
 * @trace: a trace
 * @table: a table without rows
 * @is_recorded: (out) (optional): whether the trace has a provider that it needs
 *
 * Returns: (transfer full): a sentence for users with the missing provider
 */
char *
ns_table_describe_empty (const NsTrace *trace, NsTableId table, gboolean *is_recorded)
{
  g_autofree char *needs = ns_table_get_needs (table);
  const NsProviderRow *seen;

  g_return_val_if_fail (needs != NULL, NULL);
  seen = find_needed (trace, tables[table]);
  if (is_recorded != NULL)
    *is_recorded = seen != NULL || *needs == '\0';
  if (table == NS_TABLE_LOG)
    return g_strdup (_ ("No log of another tool was opened together with this trace."));
  if (*needs == '\0')
    return g_strdup (_ ("This trace contains no events."));
  if (seen == NULL)
    /* Translators: names of event providers. */
    return g_strdup_printf (_ ("This trace has no events of: %s."), needs);
  /* Translators: the name of an event provider. */
  return g_strdup_printf (
      _ ("%s was recorded, but none of its events creates a row in this table."),
      ns_trace_text (trace, seen->name));
}

/**
 * ns_table_get_n_rows:
 * @trace: a trace
 * @table: a table
 *
 * Returns: number of rows
 */
guint
ns_table_get_n_rows (const NsTrace *trace, NsTableId table)
{
  g_return_val_if_fail ((guint) table < NS_N_TABLES, 0);
  return ns_field_get_table (trace, table)->len;
}

/**
 * ns_table_get_fields:
 * @table: a table
 * @n_fields: (out): number of fields
 *
 * Returns: (array length=n_fields): its fields, in the order of their JSON keys
 */
const NsField *
ns_table_get_fields (NsTableId table, guint *n_fields)
{
  *n_fields = 0;
  if ((guint) table >= NS_N_TABLES)
    return NULL;
  *n_fields = tables[table]->n_fields;
  return tables[table]->fields;
}

static const NsField *
find_exact (NsTableId table, const char *id)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  for (i = 0; i < n_fields; i++)
    if (g_ascii_strcasecmp (fields[i].id, id) == 0)
      return &fields[i];
  return NULL;
}

/**
 * ns_table_find_field:
 * @table: a table
 * @id: ID of a field, or a short form: `duration` for `duration_ns`, `recv` for `received` …
 *
 * Returns: (nullable): the field
 */
const NsField *
ns_table_find_field (NsTableId table, const char *id)
{
  static const struct
  {
    const char *name;
    const char *id;
  } aliases[] = {
    { "recv", "received" },
    { "rcvd", "received" },
    { "proc", "process" },
    { "proc", "name" },
    { "process", "name" },
    { "host", "server" },
    { "domain", "server" },
    { "file", "input" },
    { "file", "source" },
    { "log", "source" },
    { "addr", "ip" },
    { "address", "ip" },
    { "remote", "ip" },
    { "local", "local_ip" },
    { "lport", "local_port" },
    { "rport", "port" },
    { "rport", "dst_port" },
    { "code", "http_status" },
    { "status", "http_status" },
    { "thread", "tid" },
    { "thread", "tid_open" },
    { "thread", "caller_tid" },
    { "thread", "tid_create" },
    { "tid", "tid_open" },
    { "tid", "caller_tid" },
    { "tid", "tid_create" },
    { "cmdline", "command_line" },
    { "time", "time_ns" },
    { "t", "time_ns" },
    { "t", "open_ns" },
    { "dur", "duration_ns" },
    { "time", "open_ns" },
    { "begin", "open_ns" },
    { "start", "open_ns" },
    { "end", "close_ns" },
    { "name", "query" },
    { "open", "start_ns" },
    { "close", "end_ns" },
    { "size", "length" },
    { "bytes", "received" },
    { "reply", "status" },
    { "layer", "layers" },
    { "retrans", "retransmits" },
    { "rtt", "rtt_us" },
    { "port", "dst_port" },
    { "ip", "dst" },
    { "close_tid", "tid_close" },
    { "ttfb", "ttfb_ns" },
    { "related", "related_activity" },
    { "keywords", "keyword" },
    { "stack", "stack_depth" },
    { "taskname", "task_name" },
    { "opcodename", "opcode_name" },
    { "providername", "provider_name" },
    { "properties", "fields" },
  };
  g_autofree char *in_ns = g_strconcat (id, "_ns", NULL);
  const NsField *field = find_exact (table, id);
  guint i;

  if (field == NULL)
    field = find_exact (table, in_ns);
  for (i = 0; i < G_N_ELEMENTS (aliases) && field == NULL; i++)
    if (g_ascii_strcasecmp (aliases[i].name, id) == 0)
      field = find_exact (table, aliases[i].id);
  return field;
}

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const NsField *left = *(const NsField *const *) a;
  const NsField *right = *(const NsField *const *) b;

  return (int) left->place - (int) right->place;
}

/**
 * ns_table_list_columns:
 * @table: a table
 *
 * Returns: (transfer container) (element-type NsField): the columns shown by default, in order
 */
GPtrArray *
ns_table_list_columns (NsTableId table)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  GPtrArray *columns = g_ptr_array_new ();
  guint i;

  for (i = 0; i < n_fields; i++)
    if (fields[i].is_shown)
      g_ptr_array_add (columns, (gpointer) &fields[i]);
  g_ptr_array_sort (columns, compare_places);
  return columns;
}

/* Returns the address field that replaces a missing server name. Accepted connections have none,
 * as their remote endpoint is the client. */
static const NsField *
get_address (const NsField *field)
{
  static const struct
  {
    NsTableId table;
    const char *id;
  } addresses[] = {
    { NS_TABLE_ACTIVITIES, "ip" }, { NS_TABLE_TCP, "ip" },          { NS_TABLE_WINSOCK, "ip" },
    { NS_TABLE_WEBIO, "ip" },      { NS_TABLE_WININET, "ip" },      { NS_TABLE_LDAP, "ip" },
    { NS_TABLE_CHROMIUM, "ip" },   { NS_TABLE_FLOWS, "server_ip" },
  };
  guint i;

  for (i = 0; strcmp (field->id, "server") == 0 && i < G_N_ELEMENTS (addresses); i++)
    if (field == ns_table_find_field (addresses[i].table, "server"))
      return ns_table_find_field (addresses[i].table, addresses[i].id);
  return NULL;
}

/**
 * ns_field_get_stand_in:
 * @field: a field
 *
 * A provider without a name is shown by its GUID, and a server without a name by its address.
 *
 * Returns: (nullable): the field shown where this one is null
 */
const NsField *
ns_field_get_stand_in (const NsField *field)
{
  if (field == ns_table_find_field (NS_TABLE_EVENTS, "provider_name"))
    return ns_table_find_field (NS_TABLE_EVENTS, "provider");
  if (field == ns_table_find_field (NS_TABLE_PROVIDERS, "name"))
    return ns_table_find_field (NS_TABLE_PROVIDERS, "guid");
  return get_address (field);
}

/**
 * ns_field_type_is_number:
 * @type: a field type
 *
 * Returns: whether its values are numbers of any kind: counts, times, handles, ports, rows
 */
gboolean
ns_field_type_is_number (NsFieldType type)
{
  switch (type)
    {
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_INT:
    case NS_TYPE_BYTES:
    case NS_TYPE_HEX:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
      return TRUE;
    case NS_TYPE_TEXT:
    case NS_TYPE_BOOL:
    case NS_TYPE_IP:
    case NS_TYPE_GUID:
    case NS_TYPE_LIST:
    case NS_TYPE_OBJECT:
    default:
      return FALSE;
    }
}

/**
 * ns_field_get:
 * @trace: a trace
 * @field: a field
 * @row: row of the field's table, 0-based
 * @value: (out caller-allocates): its value; to be cleared with ns_field_value_clear()
 */
void
ns_field_get (const NsTrace *trace, const NsField *field, guint row, NsFieldValue *value)
{
  memset (value, 0, sizeof *value);
  value->type = field->type;
  field->get (trace, row, field, value);
}

/* Returns whether the row is an accepted connection, whose remote endpoint is a client. */
static gboolean
is_accepted (const NsTrace *trace, const NsField *field, guint row)
{
  NsFieldValue value;

  ns_field_get (trace, field, row, &value);
  return !value.is_null && value.v.u != 0;
}

/* Returns whether the row's remote endpoint is a server. */
static gboolean
has_server (const NsTrace *trace, const NsField *field, guint row)
{
  static const NsTableId connections[] = { NS_TABLE_ACTIVITIES, NS_TABLE_TCP, NS_TABLE_WINSOCK };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    if (field == ns_table_find_field (connections[i], "server"))
      return !is_accepted (trace, ns_table_find_field (connections[i], "accepted"), row);
  return TRUE;
}

/**
 * ns_field_get_shown:
 * @trace: a trace
 * @field: a field
 * @row: row of the field's table, 0-based
 * @value: (out caller-allocates): its value, or that of its stand-in; to be cleared with
 *   ns_field_value_clear()
 *
 * Reads the value shown to users, see ns_field_get_stand_in().
 *
 * Returns: (transfer none): the field that the value belongs to
 */
const NsField *
ns_field_get_shown (const NsTrace *trace, const NsField *field, guint row, NsFieldValue *value)
{
  const NsField *stand_in;

  ns_field_get (trace, field, row, value);
  if (!value->is_null || value->instead != NULL)
    return field;
  stand_in = ns_field_get_stand_in (field);
  if (stand_in == NULL || !has_server (trace, field, row))
    return field;
  ns_field_value_clear (value);
  ns_field_get (trace, stand_in, row, value);
  return stand_in;
}

/**
 * ns_field_value_clear:
 * @value: a value of ns_field_get()
 */
void
ns_field_value_clear (NsFieldValue *value)
{
  g_clear_pointer (&value->list, g_ptr_array_unref);
  g_clear_pointer (&value->owned, g_free);
}

/**
 * ns_fields_to_text:
 * @fields: (element-type NsField): fields
 *
 * Returns: (transfer full): their IDs, separated by commas
 */
char *
ns_fields_to_text (const GPtrArray *fields)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", field->id);
    }
  return g_string_free (text, FALSE);
}

/* IDs of the fields with begin and end of a row, of which tables have some. */
static const char *const begin_ids[] = { "open_ns", "start_ns", "create_ns",
                                         "load_ns", "time_ns",  "first_ns" };
static const char *const end_ids[] = { "close_ns",  "end_ns",  "stop_ns",
                                       "unload_ns", "time_ns", "last_ns" };

static const NsField *
find_first (NsTableId table, const char *const *ids, guint n_ids)
{
  const NsField *field = NULL;
  guint i;

  for (i = 0; i < n_ids && field == NULL; i++)
    field = ns_table_find_field (table, ids[i]);
  return field;
}

/**
 * ns_table_find_times:
 * @table: a table
 * @begin: (out) (nullable): the field with the begin of a row
 * @end: (out) (nullable): the field with its end
 */
void
ns_table_find_times (NsTableId table, const NsField **begin, const NsField **end)
{
  *begin = find_first (table, begin_ids, G_N_ELEMENTS (begin_ids));
  *end = find_first (table, end_ids, G_N_ELEMENTS (end_ids));
}
