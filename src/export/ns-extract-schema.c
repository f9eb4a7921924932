/* The columns of extract tables: fields, flattened and typed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-json.h"
#include "base/ns-time.h"

#include <string.h>

/* Fields with the begin of a row, the best one first. */
static const char *const start_fields[] = { "open_ns", "start_ns", "first_ns", "time_ns", NULL };

/* Returns whether the field is left out: the records that support findings, as they would need
 * the table of all events, and the machine. */
static gboolean
is_left_out (NsTableId table, const char *field)
{
  /* Each table has the machine in a column of its own. */
  return (table == NS_TABLE_FINDINGS && strcmp (field, "evidence") == 0) ||
         strcmp (field, "machine") == 0;
}

/* Members of the object `phases`, which are also fields of their own. */
static const char *const phases[] = { "pool_ns", "queue_ns", "proxy_ns", "dns_ns",     "connect_ns",
                                      "tls_ns",  "send_ns",  "wait_ns",  "receive_ns", "other_ns" };

/* Fields of requests, regardless of the library. */
static const char *const http_fields[] = {
  "id",          "method",     "url",      "server",      "server_alt",    "ip",
  "port",        "local_port", "status",   "http_status", "error",         "sent",
  "received",    "process",    "pid",      "tid",         "open_ns",       "close_ns",
  "duration_ns", "from_cache", "reused",   "request",     "connection",    "tcp",
  "winsock",     "still_open", "inferred", "activity",    "activity_guid", "process_pid",
  NULL
};

static const NsTypedColumn trace_columns[NS_EXTRACT_N_TRACE] = {
  [NS_EXTRACT_TRACE_END] = { "end_utc", NS_TYPED_TIMESTAMP },
  [NS_EXTRACT_TRACE_FILE] = { "file", NS_TYPED_TEXT },
  [NS_EXTRACT_TRACE_SIZE] = { "size", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_SESSION] = { "session", NS_TYPED_TEXT },
  [NS_EXTRACT_TRACE_OS_VERSION] = { "os_version", NS_TYPED_TEXT },
  [NS_EXTRACT_TRACE_OS_BUILD] = { "os_build", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_POINTER_SIZE] = { "pointer_size", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_PROCESSORS] = { "processors", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_BOOT] = { "boot_time", NS_TYPED_TIMESTAMP },
  [NS_EXTRACT_TRACE_BIAS] = { "timezone_bias_min", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_DURATION] = { "duration_ns", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_EVENTS] = { "events", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_EVENTS_LOST] = { "events_lost", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_BUFFERS_LOST] = { "buffers_lost", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_BUFFERS_DAMAGED] = { "buffers_damaged", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_BYTES_DROPPED] = { "bytes_dropped", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_UNDECODABLE] = { "events_undecodable", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_N_ACTIVITIES] = { "n_activities", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_N_FAILED] = { "n_failed", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_N_DNS] = { "n_dns", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_N_TCP] = { "n_tcp", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_N_FLOWS] = { "n_flows", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_N_FINDINGS] = { "n_findings", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_N_PROCESSES] = { "n_processes", NS_TYPED_INTEGER },
  [NS_EXTRACT_TRACE_PROVIDERS] = { "providers", NS_TYPED_TEXTS },
  [NS_EXTRACT_TRACE_DAMAGE] = { "damage", NS_TYPED_TEXTS },
  [NS_EXTRACT_TRACE_VERSION] = { "netstitch_version", NS_TYPED_TEXT },
  [NS_EXTRACT_TRACE_SCHEMA] = { "schema_version", NS_TYPED_TEXT },
};

static const NsTypedColumn failure_columns[] = {
  { "file", NS_TYPED_TEXT },           { "size", NS_TYPED_INTEGER },
  { "reason", NS_TYPED_TEXT },         { "netstitch_version", NS_TYPED_TEXT },
  { "schema_version", NS_TYPED_TEXT },
};

static const NsTypedColumn stack_columns[] = {
  { "stack_key", NS_TYPED_TEXT },
  { "n_frames", NS_TYPED_INTEGER },
  { "frames", NS_TYPED_TEXTS },
};

/* Trace tables with the rows of each extract table. */
static const struct
{
  const char *name;
  NsTableId tables[NS_EXTRACT_N_LAYERS];
  guint n_tables;
} sources[NS_EXTRACT_N_TABLES] = {
  [NS_EXTRACT_ACTIVITIES] = { "activities", { NS_TABLE_ACTIVITIES }, 1 },
  [NS_EXTRACT_DNS] = { "dns", { NS_TABLE_DNS }, 1 },
  [NS_EXTRACT_TCP] = { "tcp", { NS_TABLE_TCP }, 1 },
  [NS_EXTRACT_FLOWS] = { "flows", { NS_TABLE_FLOWS }, 1 },
  [NS_EXTRACT_WINSOCK] = { "winsock", { NS_TABLE_WINSOCK }, 1 },
  [NS_EXTRACT_HTTP] = { "http",
                        { NS_TABLE_WEBIO, NS_TABLE_WININET, NS_TABLE_CHROMIUM, NS_TABLE_DOTNET },
                        4 },
  [NS_EXTRACT_DOTNET] = { "dotnet", { NS_TABLE_DOTNET }, 1 },
  [NS_EXTRACT_LDAP] = { "ldap", { NS_TABLE_LDAP }, 1 },
  [NS_EXTRACT_URLMON] = { "urlmon", { NS_TABLE_URLMON }, 1 },
  [NS_EXTRACT_HTTP_SERVER] = { "http_server", { NS_TABLE_HTTP_SERVER }, 1 },
  [NS_EXTRACT_BITS] = { "bits", { NS_TABLE_BITS }, 1 },
  [NS_EXTRACT_WFP] = { "wfp", { NS_TABLE_WFP }, 1 },
  [NS_EXTRACT_SMB] = { "smb", { NS_TABLE_SMB }, 1 },
  [NS_EXTRACT_RPC] = { "rpc", { NS_TABLE_RPC }, 1 },
  [NS_EXTRACT_CAPI2] = { "capi2", { NS_TABLE_CAPI2 }, 1 },
  [NS_EXTRACT_QUIC] = { "quic", { NS_TABLE_QUIC }, 1 },
  [NS_EXTRACT_KERNEL_NETWORK] = { "kernel_network", { NS_TABLE_KERNEL_NETWORK }, 1 },
  [NS_EXTRACT_LOG] = { "log", { NS_TABLE_LOG }, 1 },
  [NS_EXTRACT_FINDINGS] = { "findings", { NS_TABLE_FINDINGS }, 1 },
  [NS_EXTRACT_PROCESSES] = { "processes", { NS_TABLE_PROCESSES }, 1 },
  [NS_EXTRACT_PROVIDERS] = { "providers", { NS_TABLE_PROVIDERS }, 1 },
  [NS_EXTRACT_STACKS] = { "stacks", { 0 }, 0 },
  [NS_EXTRACT_TRACE] = { "trace", { 0 }, 0 },
  [NS_EXTRACT_FAILURES] = { "failures", { 0 }, 0 },
};

struct _NsExtractSchema
{
  NsExtractShape shapes[NS_EXTRACT_N_TABLES];
  GStringChunk *names; /* names of columns that are not names of fields */
};

/* A table that is being built. */
typedef struct
{
  GArray *columns; /* NsTypedColumn */
  GArray *origins; /* NsExtractColumn */
  GStringChunk *names;
} TableBuilder;

static void
add_column (TableBuilder *self, const char *name, NsTypedKind kind, NsExtractColumn origin)
{
  NsTypedColumn column = { name, kind };

  g_array_append_val (self->columns, column);
  g_array_append_val (self->origins, origin);
}

static NsTypedKind
get_kind (const NsField *field)
{
  switch (field->type)
    {
    case NS_TYPE_BOOL:
      return NS_TYPED_BOOLEAN;
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_INT:
    case NS_TYPE_BYTES:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
      return NS_TYPED_INTEGER;
    case NS_TYPE_LIST:
      return field->of_numbers ? NS_TYPED_INTEGERS : NS_TYPED_TEXTS;
    case NS_TYPE_TEXT:
    case NS_TYPE_HEX:
    case NS_TYPE_IP:
    case NS_TYPE_GUID:
    case NS_TYPE_OBJECT:
    default:
      return NS_TYPED_TEXT;
    }
}

/* Adds a field and, for a time, its value in UTC, unless start_utc has it. */
static void
add_field (TableBuilder *self, const NsExtractColumn *origin, const char *id, const char *start)
{
  g_autofree char *name = NULL;
  const NsField *field = NULL;
  NsExtractColumn moment = *origin;
  guint i;

  for (i = 0; i < NS_EXTRACT_N_LAYERS && field == NULL; i++)
    field = origin->fields[i];
  add_column (self, id, get_kind (field), *origin);
  if (field->type != NS_TYPE_TIME || g_strcmp0 (id, start) == 0 || !g_str_has_suffix (id, "_ns"))
    return;
  moment.origin = NS_EXTRACT_OF_MOMENT;
  name = g_strdup_printf ("%.*s_utc", (int) (strlen (id) - strlen ("_ns")), id);
  add_column (self, g_string_chunk_insert (self->names, name), NS_TYPED_TIMESTAMP, moment);
}

/* Adds the members of an object as columns: `phase_dns_ns`. */
static void
add_phases (TableBuilder *self)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      NsExtractColumn origin = { NS_EXTRACT_OF_FIELD,
                                 { ns_table_find_field (NS_TABLE_ACTIVITIES, phases[i]) } };
      g_autofree char *name = g_strconcat ("phase_", phases[i], NULL);

      add_column (self, g_string_chunk_insert (self->names, name), NS_TYPED_INTEGER, origin);
    }
}

static const char *
find_start (NsTableId table)
{
  guint i;

  for (i = 0; start_fields[i] != NULL; i++)
    if (ns_table_find_field (table, start_fields[i]) != NULL)
      return start_fields[i];
  return NULL;
}

static void
add_common (TableBuilder *self, const NsExtractShape *shape)
{
  const char *start = shape->n_tables > 0 ? find_start (shape->tables[0]) : NULL;
  NsExtractColumn origin = { NS_EXTRACT_OF_TRACE_ID, { NULL } };
  guint i;

  add_column (self, "trace_id", NS_TYPED_TEXT, origin);
  origin.origin = NS_EXTRACT_OF_MACHINE;
  add_column (self, "machine", NS_TYPED_TEXT, origin);
  origin.origin = NS_EXTRACT_OF_START;
  for (i = 0; i < shape->n_tables && start != NULL; i++)
    origin.fields[i] = ns_table_find_field (shape->tables[i], start);
  add_column (self, "start_utc", NS_TYPED_TIMESTAMP, origin);
}

static void
add_fields (TableBuilder *self, NsTableId table)
{
  const char *start = find_start (table);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      NsExtractColumn origin = { NS_EXTRACT_OF_FIELD, { &fields[i] } };

      if (is_left_out (table, fields[i].id))
        continue;
      if (fields[i].type == NS_TYPE_OBJECT)
        add_phases (self);
      else
        add_field (self, &origin, fields[i].id, start);
    }
  if (table != NS_TABLE_ACTIVITIES)
    return;
  add_column (self,
              "first_key",
              NS_TYPED_TEXT,
              (NsExtractColumn){ NS_EXTRACT_OF_FIRST_KEY, { NULL } });
  add_column (self,
              "last_key",
              NS_TYPED_TEXT,
              (NsExtractColumn){ NS_EXTRACT_OF_LAST_KEY, { NULL } });
}

/* Returns the field of a request; .NET has other names for the host of the URL and the port of
 * the connection. */
static const NsField *
find_http_field (NsTableId table, const char *id)
{
  static const struct
  {
    const char *id;
    const char *other;
  } others[] = { { "server", "host" }, { "port", "remote_port" } };
  const NsField *field = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (others) && field == NULL; i++)
    if (strcmp (others[i].id, id) == 0)
      field = ns_table_find_field (table, others[i].other);
  return field != NULL ? field : ns_table_find_field (table, id);
}

static void
add_http_fields (TableBuilder *self, const NsExtractShape *shape)
{
  guint i;
  guint layer;

  add_column (self, "layer", NS_TYPED_TEXT, (NsExtractColumn){ NS_EXTRACT_OF_LAYER, { NULL } });
  for (i = 0; http_fields[i] != NULL; i++)
    {
      NsExtractColumn origin = { NS_EXTRACT_OF_FIELD, { NULL } };

      for (layer = 0; layer < shape->n_tables; layer++)
        origin.fields[layer] = find_http_field (shape->tables[layer], http_fields[i]);
      add_field (self, &origin, http_fields[i], "open_ns");
    }
}

static void
add_own (TableBuilder *self, const NsTypedColumn *columns, guint n_columns)
{
  guint i;

  for (i = 0; i < n_columns; i++)
    add_column (self,
                columns[i].name,
                columns[i].kind,
                (NsExtractColumn){ NS_EXTRACT_OF_NUMBER, { NULL } });
}

static void
make_shape (NsExtractSchema *self, NsExtractTableId id)
{
  NsExtractShape *shape = &self->shapes[id];
  TableBuilder builder = { g_array_new (FALSE, FALSE, sizeof (NsTypedColumn)),
                           g_array_new (FALSE, FALSE, sizeof (NsExtractColumn)),
                           self->names };

  shape->table.name = sources[id].name;
  shape->n_tables = sources[id].n_tables;
  memcpy (shape->tables, sources[id].tables, sizeof shape->tables);
  add_common (&builder, shape);
  if (shape->n_tables > 1)
    add_http_fields (&builder, shape);
  else if (shape->n_tables == 1)
    add_fields (&builder, shape->tables[0]);
  else if (id == NS_EXTRACT_STACKS)
    add_own (&builder, stack_columns, G_N_ELEMENTS (stack_columns));
  else if (id == NS_EXTRACT_TRACE)
    add_own (&builder, trace_columns, G_N_ELEMENTS (trace_columns));
  else
    add_own (&builder, failure_columns, G_N_ELEMENTS (failure_columns));
  shape->table.start_column = NS_EXTRACT_N_COMMON - 1;
  shape->table.n_columns = builder.columns->len;
  shape->table.columns = (NsTypedColumn *) g_array_free (builder.columns, FALSE);
  shape->columns = (NsExtractColumn *) g_array_free (builder.origins, FALSE);
}

/**
 * ns_extract_schema_new:
 *
 * Derives the columns of all extract tables from the fields of the tables of a trace; the result is
 * always the same.
 *
 * Returns: (transfer full): the schema
 */
NsExtractSchema *
ns_extract_schema_new (void)
{
  NsExtractSchema *self = g_new0 (NsExtractSchema, 1);
  NsExtractTableId i;

  self->names = g_string_chunk_new (1024);
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    make_shape (self, i);
  return self;
}

/**
 * ns_extract_schema_free:
 * @self: (transfer full) (nullable): a schema
 */
void
ns_extract_schema_free (NsExtractSchema *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    {
      g_free ((NsTypedColumn *) self->shapes[i].table.columns);
      g_free (self->shapes[i].columns);
    }
  g_string_chunk_free (self->names);
  g_free (self);
}

/**
 * ns_extract_schema_get_shape: (skip)
 * @self: a schema
 * @id: a table
 *
 * Returns: (transfer none): the table, and the sources of its cells
 */
const NsExtractShape *
ns_extract_schema_get_shape (const NsExtractSchema *self, NsExtractTableId id)
{
  return &self->shapes[id];
}

/**
 * ns_extract_schema_get_table:
 * @self: a schema
 * @id: a table
 *
 * Returns: (transfer none): its description
 */
const NsExtractTable *
ns_extract_schema_get_table (const NsExtractSchema *self, NsExtractTableId id)
{
  return &self->shapes[id].table;
}

/**
 * ns_extract_table_to_name:
 * @id: a table
 *
 * Returns: (transfer none): its name: "activities" …
 */
const char *
ns_extract_table_to_name (NsExtractTableId id)
{
  return sources[id].name;
}

/**
 * ns_extract_list_order:
 * @order: (out caller-allocates): all tables that ns_extract_walk() reads before that of traces, in
 *   the best order: tables that need findings come once these are known, and stacks after the rows
 *   with their keys
 */
void
ns_extract_list_order (NsExtractTableId order[NS_EXTRACT_N_OF_ROWS])
{
  static const NsExtractTableId last[] = { NS_EXTRACT_FINDINGS,
                                           NS_EXTRACT_ACTIVITIES,
                                           NS_EXTRACT_STACKS };
  guint n = 0;
  guint i;

  for (i = 0; i < NS_EXTRACT_N_OF_ROWS; i++)
    if (i != NS_EXTRACT_FINDINGS && i != NS_EXTRACT_ACTIVITIES && i != NS_EXTRACT_STACKS)
      order[n++] = i;
  for (i = 0; i < G_N_ELEMENTS (last); i++)
    order[n++] = last[i];
}

/**
 * ns_extract_table_from_name:
 * @name: "activities" …
 * @id: (out): the table
 *
 * Returns: whether there is such a table
 */
gboolean
ns_extract_table_from_name (const char *name, NsExtractTableId *id)
{
  guint i;

  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    if (strcmp (sources[i].name, name) == 0)
      {
        *id = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_extract_find_table:
 * @table: a table of a trace
 * @id: (out): the extract table with its rows
 *
 * Returns: whether a table has them
 */
gboolean
ns_extract_find_table (NsTableId table, NsExtractTableId *id)
{
  guint i;
  guint j;

  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    for (j = 0; j < sources[i].n_tables; j++)
      if (sources[i].tables[j] == table)
        {
          *id = i;
          return TRUE;
        }
  return FALSE;
}

/**
 * ns_typed_kind_to_text:
 * @kind: type of a column
 *
 * Returns: its name in the schema
 */
const char *
ns_typed_kind_to_text (NsTypedKind kind)
{
  static const char *const names[] = {
    [NS_TYPED_BOOLEAN] = "boolean",
    [NS_TYPED_INTEGER] = "int64",
    [NS_TYPED_TIMESTAMP] = "timestamp(ns, UTC)",
    [NS_TYPED_TEXT] = "utf8",
    [NS_TYPED_TEXTS] = "list<utf8>",
    [NS_TYPED_INTEGERS] = "list<int64>",
  };

  return names[kind];
}

/**
 * ns_typed_moment_to_text:
 * @unix_ns: nanoseconds since 1970, UTC
 *
 * Returns: (transfer full) (nullable): `2026-01-31T08:09:10.123456789Z`; %NULL: the year does not
 *   have four digits
 */
char *
ns_typed_moment_to_text (gint64 unix_ns)
{
  gint64 second = unix_ns / NS_PER_SECOND - (unix_ns % NS_PER_SECOND < 0);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (second);
  g_autofree char *text = time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%S") : NULL;

  if (text == NULL)
    return NULL;
  return g_strdup_printf ("%s.%09" G_GINT64_FORMAT "Z", text, unix_ns - second * NS_PER_SECOND);
}

/**
 * ns_typed_list_append_json:
 * @json: (inout): appended to
 * @cell: a list that is not null
 * @kind: %NS_TYPED_TEXTS or %NS_TYPED_INTEGERS
 *
 * Appends the list as an array.
 */
void
ns_typed_list_append_json (GString *json, const NsTypedCell *cell, NsTypedKind kind)
{
  guint i;

  g_string_append_c (json, '[');
  for (i = 0; i < cell->list->len; i++)
    {
      const char *text = g_ptr_array_index (cell->list, i);

      if (i > 0)
        g_string_append_c (json, ',');
      if (kind == NS_TYPED_TEXTS)
        ns_json_append_string (json, text);
      else
        g_string_append (json, text);
    }
  g_string_append_c (json, ']');
}

/**
 * ns_extract_schema_to_json:
 *
 * Returns: (transfer full): all tables with their columns, and the schema version
 */
char *
ns_extract_schema_to_json (void)
{
  g_autoptr (NsExtractSchema) schema = ns_extract_schema_new ();
  GString *json = g_string_new ("{\n  \"schema_version\": \"" NS_EXTRACT_SCHEMA_VERSION "\",\n"
                                "  \"tables\": {");
  guint i;
  guint j;

  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    {
      const NsExtractTable *table = ns_extract_schema_get_table (schema, i);

      g_string_append_printf (json, "%s\n    \"%s\": [", i > 0 ? "," : "", table->name);
      for (j = 0; j < table->n_columns; j++)
        g_string_append_printf (json,
                                "%s\n      {\"name\": \"%s\", \"type\": \"%s\"}",
                                j > 0 ? "," : "",
                                table->columns[j].name,
                                ns_typed_kind_to_text (table->columns[j].kind));
      g_string_append (json, "\n    ]");
    }
  g_string_append (json, "\n  }\n}\n");
  return g_string_free (json, FALSE);
}
