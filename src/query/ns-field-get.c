/* Getters of the table of fields: one for each kind of row member.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"

#include "base/ns-text.h"
#include "engine/trace/ns-layer-row.h"
#include "engine/trace/ns-trace-align.h"
#include "engine/trace/ns-view-context.h"
#include "findings/ns-codes.h"
#include "findings/ns-finding.h"
#include "query/ns-field-code.h"

/* Initial buffer size for a process name. */
#define PROCESS_TEXT_BYTES 32

#define TABLE_OFFSET(id, member, type) [NS_TABLE_##id] = G_STRUCT_OFFSET (NsTrace, member),

static const goffset table_offsets[NS_N_TABLES] = { NS_TABLE_ROWS (TABLE_OFFSET) };

/* Names of layers, main layer first. Annotations come last, since they are never the main layer
 * of a row that has another. */
static const struct
{
  guint32 layer;
  const char *name;
} layer_names[] = {
  { NS_LAYER_RPC, "RPC" },
  { NS_LAYER_SMB, "SMB" },
  { NS_LAYER_BITS, "BITS" },
  { NS_LAYER_WFP, "WFP" },
  { NS_LAYER_HTTP, "HTTP" },
  { NS_LAYER_TLS, "TLS" },
  { NS_LAYER_CHROMIUM, "Chromium" },
  { NS_LAYER_DOTNET, ".NET" },
  { NS_LAYER_WINHTTP, "WinHTTP" },
  { NS_LAYER_WININET, "WinINet" },
  { NS_LAYER_QUIC, "QUIC" },
  { NS_LAYER_WINSOCK, "Winsock" },
  { NS_LAYER_UDP, "UDP" },
  { NS_LAYER_TCP, "TCP" },
  { NS_LAYER_ICMP, "ICMP" },
  { NS_LAYER_IP, "IP" },
  { NS_LAYER_LDAP, "LDAP" },
  { NS_LAYER_URLMON, "URLMon" },
  { NS_LAYER_HTTP_SERVER, "HTTP.sys" },
  { NS_LAYER_DNS, "DNS" },
  { NS_LAYER_RUNDOWN, "Rundown" },
};

/**
 * ns_field_get_table: (skip)
 * @trace: a trace
 * @table: a table
 *
 * Returns: (transfer none): the array of its rows
 */
GArray *
ns_field_get_table (const NsTrace *trace, NsTableId table)
{
  if (table == NS_TABLE_FINDINGS)
    return ns_findings_get (trace);
  return G_STRUCT_MEMBER (GArray *, trace, table_offsets[table]);
}

/**
 * ns_field_get_row: (skip)
 * @trace: a trace
 * @row: 0-based
 * @field: any field of the table
 *
 * Returns: (transfer none): the row's structure
 */
gconstpointer
ns_field_get_row (const NsTrace *trace, guint row, const NsField *field)
{
  GArray *rows = ns_field_get_table (trace, field->extra >> (2 * NS_FIELD_OFFSET_BITS));

  return rows->data + (gsize) row * g_array_get_element_size (rows);
}

static inline gconstpointer
get_member (const NsTrace *trace, guint row, const NsField *field)
{
  const guint8 *data = ns_field_get_row (trace, row, field);

  return data + (field->extra & NS_FIELD_OFFSET_MASK);
}

static inline gconstpointer
get_second (const NsTrace *trace, guint row, const NsField *field)
{
  const guint8 *data = ns_field_get_row (trace, row, field);

  return data + (field->extra >> NS_FIELD_OFFSET_BITS & NS_FIELD_OFFSET_MASK);
}

static inline void
set_unless (NsFieldValue *value, guint64 number, guint64 unknown)
{
  value->v.u = number;
  value->is_null = number == unknown;
}

/**
 * ns_field_take_text: (skip)
 * @value: a value to fill
 * @text: (transfer full) (nullable): its text
 */
void
ns_field_take_text (NsFieldValue *value, char *text)
{
  value->owned = text;
  value->v.text = text;
  value->is_null = text == NULL;
}

/**
 * ns_field_set_chars: (skip)
 * @value: a value to fill
 * @text: (nullable): a text that lives as long as the trace
 */
void
ns_field_set_chars (NsFieldValue *value, const char *text)
{
  value->v.text = text;
  value->is_null = text == NULL;
}

/**
 * ns_field_set_time: (skip)
 * @value: a value to fill
 * @time_ns: a time, %NS_TIME_NONE or %NS_TIME_OPEN
 */
void
ns_field_set_time (NsFieldValue *value, gint64 time_ns)
{
  value->v.i = time_ns;
  value->is_null = !ns_time_is_set (time_ns);
}

/**
 * ns_field_set_span: (skip)
 * @value: a value to fill
 * @trace: the trace, whose end replaces an open end
 * @open_ns: begin
 * @close_ns: end
 *
 * If the span is still open at the end of the trace, the value is a lower bound.
 */
void
ns_field_set_span (NsFieldValue *value, const NsTrace *trace, gint64 open_ns, gint64 close_ns)
{
  value->is_null = !ns_time_is_set (open_ns) || close_ns == NS_TIME_NONE;
  if (value->is_null)
    return;
  value->is_lower_bound = close_ns == NS_TIME_OPEN;
  if (value->is_lower_bound)
    close_ns = trace->end_ns;
  value->v.i = MAX (close_ns - open_ns, 0);
}

/**
 * ns_field_layer_to_text: (skip)
 * @layers: bits of #NsLayers
 *
 * Returns: the name of the main layer; "Unknown": none
 */
const char *
ns_field_layer_to_text (guint32 layers)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (layer_names); i++)
    if (layers & layer_names[i].layer)
      return layer_names[i].name;
  return "Unknown";
}

void
ns_get_id (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = (guint64) row + 1;
}

/**
 * ns_field_fetch: (skip)
 * @trace: a trace
 * @row: 0-based; may be past the last one
 * @field: a field
 *
 * Prefetches the memory that the getter of @field reads for @row: rows are large, so reading one
 * member of each is dominated by cache misses.
 */
void
ns_field_fetch (const NsTrace *trace, guint row, const NsField *field)
{
  GArray *rows = ns_field_get_table (trace, field->extra >> (2 * NS_FIELD_OFFSET_BITS));

  if (rows != NULL && row < rows->len)
    __builtin_prefetch (rows->data + (gsize) row * g_array_get_element_size (rows) +
                        (field->extra & NS_FIELD_OFFSET_MASK));
}

/**
 * ns_field_get_string_id: (skip)
 * @trace: a trace
 * @row: 0-based
 * @field: a field that ns_get_string() reads
 *
 * Returns: number of the text in the trace; %NS_STRING_NONE: unknown
 */
NsString
ns_field_get_string_id (const NsTrace *trace, guint row, const NsField *field)
{
  return *(const NsString *) get_member (trace, row, field);
}

void
ns_get_string (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsString id = *(const NsString *) get_member (trace, row, field);

  ns_field_set_chars (value, id == NS_STRING_NONE ? NULL : ns_trace_text (trace, id));
}

void
ns_get_chars (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_set_chars (value, *(const char *const *) get_member (trace, row, field));
}

void
ns_get_tcp_state (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  guint8 state = *(const guint8 *) get_member (trace, row, field);

  ns_field_set_chars (value, ns_tcp_state_to_text (state));
}

void
ns_get_call_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  guint8 kind = *(const guint8 *) get_member (trace, row, field);

  ns_field_set_chars (value, ns_call_kind_to_text (kind));
}

void
ns_get_dns_source (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  guint8 source = *(const guint8 *) get_member (trace, row, field);

  ns_field_set_chars (value, ns_dns_source_to_text (source));
}

void
ns_get_phase (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsActivityRow *activity = ns_field_get_row (trace, row, field);

  value->v.i = ns_activity_row_get_phase (activity, field->extra & NS_FIELD_OFFSET_MASK);
  value->is_null = value->v.i == NS_UNKNOWN;
}

void
ns_get_u8 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint8 *) get_member (trace, row, field);
}

void
ns_get_u16 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint16 *) get_member (trace, row, field);
}

void
ns_get_u32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint32 *) get_member (trace, row, field);
}

void
ns_get_u64 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const guint64 *) get_member (trace, row, field);
}

void
ns_get_i32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.i = *(const gint32 *) get_member (trace, row, field);
  value->is_null = value->v.i == NS_UNKNOWN;
}

void
ns_get_i64 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.i = *(const gint64 *) get_member (trace, row, field);
  value->is_null = value->v.i == NS_UNKNOWN;
}

void
ns_get_nonzero_u8 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_unless (value, *(const guint8 *) get_member (trace, row, field), 0);
}

void
ns_get_nonzero_u16 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_unless (value, *(const guint16 *) get_member (trace, row, field), 0);
}

void
ns_get_nonzero_u32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_unless (value, *(const guint32 *) get_member (trace, row, field), 0);
}

void
ns_get_nonzero_i32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.i = *(const gint32 *) get_member (trace, row, field);
  value->is_null = value->v.i == 0;
}

void
ns_get_nonzero_u64 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_unless (value, *(const guint64 *) get_member (trace, row, field), 0);
}

void
ns_get_known_u32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_unless (value, *(const guint32 *) get_member (trace, row, field), G_MAXUINT32);
}

void
ns_get_bool (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const NsBool *) get_member (trace, row, field) != FALSE;
}

void
ns_get_time (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_set_time (value, *(const gint64 *) get_member (trace, row, field));
}

void
ns_get_duration (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_set_span (value,
                     trace,
                     *(const gint64 *) get_member (trace, row, field),
                     *(const gint64 *) get_second (trace, row, field));
}

void
ns_get_still_open (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  value->v.u = *(const gint64 *) get_member (trace, row, field) == NS_TIME_OPEN;
}

/**
 * ns_field_get_process: (skip)
 * @trace: a trace
 * @row: 0-based
 * @field: a field of which ns_field_is_of_process() is true
 * @recent: (nullable) (inout): cached look-ups, for callers that read many rows
 *
 * Returns: the process of the row; 0: unknown
 */
NsRow
ns_field_get_process (const NsTrace *trace, guint row, const NsField *field, NsTraceRecent *recent)
{
  guint32 pid = *(const guint32 *) get_member (trace, row, field);
  gint64 time_ns = *(const gint64 *) get_second (trace, row, field);

  if (pid == NS_PID_UNKNOWN)
    return 0;
  return recent != NULL ? ns_trace_recent_process (recent, trace, pid, time_ns)
                        : ns_trace_find_process (trace, pid, time_ns);
}

void
ns_get_process (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  guint32 pid = *(const guint32 *) get_member (trace, row, field);
  gint64 time_ns = *(const gint64 *) get_second (trace, row, field);

  if (pid == NS_PID_UNKNOWN)
    value->is_null = TRUE;
  else
    ns_field_set_chars (value, ns_trace_get_process_name (trace, pid, time_ns));
}

/* Formats "b.exe (8)", or "(8)" if the name (@name, nullable) is unknown. */
static void
append_process (GString *text, const char *name, guint32 pid)
{
  if (name != NULL)
    {
      ns_text_append_text (text, name);
      ns_text_append (text, " ", 1);
    }
  ns_text_append (text, "(", 1);
  ns_text_append_unsigned (text, pid);
  ns_text_append (text, ")", 1);
}

void
ns_get_process_with_pid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  guint32 pid = *(const guint32 *) get_member (trace, row, field);
  GString *text;

  ns_get_process (trace, row, field, value);
  if (pid == NS_PID_UNKNOWN)
    return;
  text = g_string_sized_new (PROCESS_TEXT_BYTES);
  append_process (text, value->is_null ? NULL : value->v.text, pid);
  ns_field_take_text (value, g_string_free (text, FALSE));
}

/* Returns a process and its ancestors, nearest first: "b.exe (8) ← a.exe (7)". A reused ID
 * refers to the process that had it when its child began. */
void
ns_get_process_tree (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  guint32 pid = *(const guint32 *) get_member (trace, row, field);
  gint64 time_ns = *(const gint64 *) get_second (trace, row, field);
  g_autoptr (GString) text = g_string_new (NULL);
  guint depth;

  for (depth = 0; depth < NS_FIELD_MAX_TREE_DEPTH && pid != NS_PID_UNKNOWN; depth++)
    {
      NsRow process = ns_trace_find_process (trace, pid, time_ns);
      const char *name = ns_trace_get_process_name (trace, pid, time_ns);
      const NsProcessRow *one = NULL;

      if (process > 0 && process <= trace->processes->len)
        one = NS_ROW_AT (trace->processes, NsProcessRow, process);
      /* The process got the ID later: the real parent was not recorded. */
      if (depth > 0 && one != NULL && ns_time_is_set (one->start_ns) && one->start_ns > time_ns)
        {
          one = NULL;
          name = NULL;
        }
      if (depth > 0)
        ns_text_append_text (text, " ← ");
      append_process (text, name, pid);
      if (one == NULL || one->parent_pid == pid)
        break;
      pid = one->parent_pid;
      time_ns = ns_time_is_set (one->start_ns) ? one->start_ns : time_ns;
    }
  ns_field_take_text (value, text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL);
}

/* Returns the endpoint of a member that is a pointer to it. */
static const NsEndpoint *
get_end (const NsTrace *trace, guint row, const NsField *field)
{
  const NsEndpoint *end = *(const NsEndpoint *const *) get_member (trace, row, field);

  return end != NULL ? end : &ns_endpoint_pool_none;
}

/**
 * ns_field_is_of_endpoint: (skip)
 * @field: a field
 *
 * Returns: whether it is the address of an endpoint, with or without its port, so that
 *   ns_field_peek_endpoint() reads it
 */
gboolean
ns_field_is_of_endpoint (const NsField *field)
{
  return field->get == ns_get_ip || field->get == ns_get_ip_of || field->get == ns_get_ip_port ||
         field->get == ns_get_ip_port_of;
}

/**
 * ns_field_peek_endpoint: (skip)
 * @trace: a trace
 * @row: 0-based
 * @field: a field of which ns_field_is_of_endpoint() is true
 *
 * Returns: (transfer none): the endpoint, without formatting it; empty if the row has none
 */
const NsEndpoint *
ns_field_peek_endpoint (const NsTrace *trace, guint row, const NsField *field)
{
  return field->get == ns_get_ip || field->get == ns_get_ip_port ? get_member (trace, row, field)
                                                                 : get_end (trace, row, field);
}

static void
set_ip (NsFieldValue *value, const NsEndpoint *end)
{
  value->v.ip = end->ip;
  value->is_null = ns_ip_is_empty (&end->ip);
}

static void
set_port (NsFieldValue *value, const NsEndpoint *end)
{
  value->v.u = end->port;
  value->is_null = end->port == 0;
}

static void
set_ip_port (NsFieldValue *value, const NsEndpoint *end)
{
  char text[NS_IP_TEXT_SIZE];

  if (ns_ip_is_empty (&end->ip))
    value->is_null = TRUE;
  else
    ns_field_take_text (value, g_strdup (ns_endpoint_to_text (end, text)));
}

static void
set_geo (NsFieldValue *value, const NsTrace *trace, const NsEndpoint *end)
{
  g_autoptr (NsGeo) geo = ns_view_context_dup_geo (trace->view);

  ns_field_take_text (value, ns_geo_dup_text (geo, &end->ip));
}

void
ns_get_ip (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_ip (value, get_member (trace, row, field));
}

void
ns_get_ip_of (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_ip (value, get_end (trace, row, field));
}

void
ns_get_port (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_port (value, get_member (trace, row, field));
}

void
ns_get_port_of (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_port (value, get_end (trace, row, field));
}

void
ns_get_ip_port (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_ip_port (value, get_member (trace, row, field));
}

void
ns_get_ip_port_of (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_ip_port (value, get_end (trace, row, field));
}

void
ns_get_geo_of (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_geo (value, trace, get_end (trace, row, field));
}

/**
 * ns_field_peek_guid: (skip)
 * @trace: a trace
 * @row: 0-based
 * @field: a field that holds a GUID
 *
 * Returns: (transfer none) (nullable): the GUID, without formatting it; %NULL: the row has none
 */
const NsGuid *
ns_field_peek_guid (const NsTrace *trace, guint row, const NsField *field)
{
  const void *member = get_member (trace, row, field);
  const NsGuid *guid =
      field->get == ns_get_guid_of ? *(const NsGuid *const *) member : (const NsGuid *) member;

  g_return_val_if_fail (field->get == ns_get_guid_of || field->get == ns_get_guid, NULL);

  return guid != NULL && !ns_guid_is_zero (guid) ? guid : NULL;
}

/**
 * ns_field_write_guid: (skip)
 * @trace: a trace
 * @row: 0-based
 * @field: a field that ns_get_guid() or ns_get_guid_of() reads
 * @text: (out): buffer for the text
 *
 * Returns: length of the text; 0: the row has none
 */
gsize
ns_field_write_guid (const NsTrace *trace,
                     guint row,
                     const NsField *field,
                     char text[NS_FIELD_WRITTEN_BYTES])
{
  const void *member = get_member (trace, row, field);
  const NsGuid *guid =
      field->get == ns_get_guid_of ? *(const NsGuid *const *) member : (const NsGuid *) member;

  if (guid == NULL || (field->get == ns_get_guid && ns_guid_is_zero (guid)))
    return 0;
  ns_guid_to_text (guid, text);
  return NS_GUID_TEXT_SIZE - 1;
}

static void
set_guid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  char text[NS_FIELD_WRITTEN_BYTES];
  gsize n_bytes = ns_field_write_guid (trace, row, field, text);

  if (n_bytes == 0)
    value->is_null = TRUE;
  else
    ns_field_take_text (value, g_strndup (text, n_bytes));
}

void
ns_get_guid (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_guid (trace, row, field, value);
}

/* Gets the value of a member that is a pointer to a GUID. */
void
ns_get_guid_of (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  set_guid (trace, row, field, value);
}

void
ns_get_layer (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  ns_field_set_chars (value,
                      ns_field_layer_to_text (
                          *(const NsLayerSet *) get_member (trace, row, field)));
}

/**
 * ns_field_get_layers: (skip)
 * @trace: a trace
 * @row: 0-based
 * @field: a field that ns_get_layers() reads
 *
 * Returns: the bits of its #NsLayers
 */
guint32
ns_field_get_layers (const NsTrace *trace, guint row, const NsField *field)
{
  return *(const NsLayerSet *) get_member (trace, row, field);
}

/* Gets the file that contains the begin of the row, or its end if it began before the trace. */
void
ns_get_input (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const char *name =
      ns_row_inputs_find (trace->row_inputs, *(const gint64 *) get_member (trace, row, field));

  if (name == NULL)
    name = ns_row_inputs_find (trace->row_inputs, *(const gint64 *) get_second (trace, row, field));
  ns_field_set_chars (value, name);
}

void
ns_get_machine (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const char *title = trace->file != NULL ? ns_etl_file_get_title (trace->file) : NULL;

  /* In a case of several machines, the title identifies a machine without a name. */
  if (title == NULL && trace->file != NULL)
    title = ns_etl_file_get_machine (trace->file);
  ns_field_set_chars (value, title);
}

void
ns_get_layers (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsLayerSet layers = *(const NsLayerSet *) get_member (trace, row, field);
  guint i;

  value->list = g_ptr_array_new ();
  for (i = 0; i < G_N_ELEMENTS (layer_names); i++)
    if (layers & layer_names[i].layer)
      g_ptr_array_add (value->list, (gpointer) layer_names[i].name);
}

void
ns_get_tcp_or_udp (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  gboolean is_udp = *(const NsBool *) get_member (trace, row, field);

  ns_field_set_chars (value, is_udp ? "UDP" : "TCP");
}

void
ns_get_layer_status (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  gint64 status = *(const gint64 *) get_member (trace, row, field);

  value->is_null = status == NS_UNKNOWN;
  value->v.u = value->is_null ? 0 : (guint64) status;
}

void
ns_get_layer_confidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  gint8 confidence = *(const gint8 *) get_member (trace, row, field);

  value->is_null = confidence < 0;
  value->v.u = value->is_null ? 0 : (guint64) confidence;
}

void
ns_get_evidence (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const char *const *evidence = get_member (trace, row, field);
  guint i;

  value->list = g_ptr_array_new ();
  for (i = 0; i < NS_MAX_EVIDENCE; i++)
    if (evidence[i] != NULL)
      g_ptr_array_add (value->list, (gpointer) evidence[i]);
}

static void
take_error (NsFieldValue *value, NsCodeFamily family, gint64 status)
{
  gboolean fails = status != NS_UNKNOWN && ns_codes_is_error (family, status);

  ns_field_take_text (value, fails ? ns_field_code_to_text (family, (guint32) status) : NULL);
}

void
ns_get_hresult (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  take_error (value, NS_CODE_HRESULT, *(const gint64 *) get_member (trace, row, field));
}

void
ns_get_ntstatus (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  take_error (value, NS_CODE_NTSTATUS, *(const gint64 *) get_member (trace, row, field));
}

/* Formats a Win32 error, or an HRESULT, which some functions return instead. */
void
ns_get_win32 (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  take_error (value, NS_CODE_WIN32, *(const gint64 *) get_member (trace, row, field));
}

void
ns_get_string_list (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const GArray *ids = *(GArray *const *) get_member (trace, row, field);
  guint i;

  value->list = g_ptr_array_new ();
  for (i = 0; ids != NULL && i < ids->len; i++)
    g_ptr_array_add (value->list,
                     (gpointer) ns_trace_text (trace, g_array_index (ids, NsString, i)));
}

void
ns_get_ip_list (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const GArray *ips = *(GArray *const *) get_member (trace, row, field);
  guint i;

  value->list = g_ptr_array_new_with_free_func (g_free);
  for (i = 0; ips != NULL && i < ips->len; i++)
    {
      char text[NS_IP_TEXT_SIZE];

      g_ptr_array_add (value->list, g_strdup (ns_ip_to_text (&g_array_index (ips, NsIp, i), text)));
    }
}
