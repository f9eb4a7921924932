/* Finds the records from which selected rows were made.
 *
 * Records about network operations are kept only if they refer to a selected row or to one of its
 * lower layers: by a pointer or handle while the row was open, by the host name, by the address of
 * a flow, by the activity of .NET, or as its packet. Records about processes, threads, modules and
 * thread pools are kept for the processes of these rows; records that describe the machine or other
 * records are all kept. Stacks are kept with their records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-etl-choice.h"

#include "base/ns-hash.h"
#include "base/ns-map.h"
#include "engine/app/dotnet/ns-dotnet-path.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/net/packets/ns-packet-row.h"
#include "engine/open/ns-event-read.h"
#include "export/ns-etl-mentions.h"
#include "export/ns-etl-records.h"
#include "query/ns-row-events.h"
#include "schema/ns-payload.h"

#include <string.h>

/* Size of a GUID; a schema record begins with that of its provider. */
#define GUID_SIZE 16
#define GROUP_STACK_WALK 0x18

static const NsGuid process_class = NS_GUID_PROCESS;

/* Event IDs of WebIO: the first one of its thread pool, and session creation. */
#define FIRST_POOL_ID 59995
#define SESSION_CREATE_ID 5
/* Event ID of Schannel: alert received. */
#define ALERT_ID 36887

/* Kind of a key in a record. */
typedef enum
{
  SENSE_KEY,
  SENSE_HANDLE,
  SENSE_SESSION,
  SENSE_CONNECTION,
  SENSE_NUMBER, /* of a connection of .NET */
} Sense;

typedef struct
{
  NsTableId table;
  guint32 row;
} Place;

typedef struct
{
  const NsTrace *trace;
  GHashTable *visited; /* visited rows: table and row */
  GArray *queue;       /* Place: rows to visit */
  GArray *mentions;    /* NsEtlMention */
  NsMap *by_key;       /* (key, #Sense) → number + 1 */
  GArray *names;       /* NsEtlMention with a name */
  GArray *peers;       /* NsEtlMention with an address and a port */
  GArray *flows;       /* NsEtlMention with an address */
  GArray *threads;     /* NsEtlMention whose key is the thread, for rows without other keys */
  NsMap *processes;    /* (pid, 0) → 1 */
  NsMap *ancestors;    /* (pid, 0) → 1: ancestors of @processes */
  NsMap *requests;     /* (ID of an HTTP.sys request, 0) → 1 */
  GArray *servers;     /* NsEtlMention with the name of a server */
  GArray *paths;       /* NsDotnetPath: activities of rows of .NET */
  NsMap *packets;      /* (time, 0) → 1 */
  NsMap *fragments;    /* (thread, interfaces) → 2 while a kept packet is open, else 1 */
  NsMap *contexts;     /* (SMB operation, exchange) → 1 */
  guint8 *has_flow;    /* by conversation: 1 if its packets are kept */
  NsMap *moments;      /* (raw time of a kept record, 0) → 1 */
  NsMap *stack_keys;   /* (key, 0) → 1 */
  NsMap *providers;    /* (number of a provider with kept records, 0) → 1 */
  guint8 *kept;
} Choice;

static void
add_key (Choice *self, const NsRowEvents *row, guint64 key, Sense sense)
{
  NsEtlMention mention = { .span = row->span, .pid = row->pid, .key = key };

  /* A session or connection may be older than the row, as it may have been created for another
   * request. */
  if (sense == SENSE_SESSION || sense == SENSE_CONNECTION)
    mention.span.begin_ns = G_MININT64;
  mention.next = ns_map_swap (self->by_key, key, sense, self->mentions->len + 1);
  g_array_append_val (self->mentions, mention);
}

/* Adds a key from a field. WinHTTP handles are small numbers, so only a field that is named as a
 * handle may match. */
static void
add_column (Choice *self,
            NsTableId table,
            guint32 row,
            const char *column,
            const NsRowEvents *about,
            Sense sense)
{
  const NsField *field = ns_table_find_field (table, column);
  NsFieldValue value = { .is_null = TRUE };

  if (field == NULL)
    return;
  ns_field_get (self->trace, field, row, &value);
  if (!value.is_null && value.v.u != 0)
    add_key (self, about, value.v.u, sense);
  ns_field_value_clear (&value);
}

static void
add_name (GArray *names, const NsRowEvents *row, const char *name)
{
  glong n_units = 0;
  g_autofree gunichar2 *wide =
      name != NULL ? g_utf8_to_utf16 (name, -1, NULL, &n_units, NULL) : NULL;

  if (n_units > 0)
    ns_etl_mentions_add_sign (names, row, wide, (gsize) n_units * 2);
}

static void
add_packets (Choice *self, NsRow tcp, NsTimeSpan span)
{
  guint i;

  for (i = 0; i < self->trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);

      if (ns_packet_row_get_tcp (self->trace, packet) == tcp && packet->time_ns >= span.begin_ns &&
          packet->time_ns <= span.end_ns)
        ns_map_set (self->packets, (guint64) packet->time_ns, 0, 1);
    }
}

/* Adds the packets of conversations, from which rows without events are made, in one pass over
 * all packets. */
static void
add_packets_of_flows (Choice *self)
{
  guint i;

  self->has_flow[0] = 0;
  for (i = 0; i < self->trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);

      if (self->has_flow[packet->flow])
        ns_map_set (self->packets, (guint64) packet->time_ns, 0, 1);
    }
}

static void
put_port (guint8 *at, guint16 port)
{
  at[0] = (guint8) (port >> 8);
  at[1] = (guint8) port;
}

/* Adds a flow. In each of its records both ports are adjacent, in either order. */
static void
add_flow (Choice *self, const NsRowEvents *row, const NsEndpoint *local, const NsEndpoint *remote)
{
  guint8 ports[4];

  if (ns_ip_is_empty (&remote->ip) || local->port == 0)
    return;
  put_port (ports, remote->port);
  put_port (ports + 2, local->port);
  ns_etl_mentions_add_sign (self->flows, row, ports, sizeof ports);
  put_port (ports, local->port);
  put_port (ports + 2, remote->port);
  ns_etl_mentions_add_sign (self->flows, row, ports, sizeof ports);
}

/* Adds a peer as it is in a socket address: HTTP.sys identifies its clients by address. */
static void
add_peer (Choice *self, const NsRowEvents *row, const NsEndpoint *remote)
{
  gsize n_bytes = remote->ip.family == NS_AF_INET ? 4 : sizeof remote->ip.bytes;
  guint8 address[6 + sizeof remote->ip.bytes] = { 0 };
  gsize at = n_bytes == 4 ? 2 : 6; /* for IPv6, after the flow info */
  NsRowEvents before = *row;

  if (ns_ip_is_empty (&remote->ip))
    return;
  before.span.begin_ns = G_MININT64;
  put_port (address, remote->port);
  memcpy (address + at, remote->ip.bytes, n_bytes);
  ns_etl_mentions_add_sign (self->peers, &before, address, at + n_bytes);
}

/* Returns the activity ID that HTTP.sys derives from a request ID. */
static guint64
read_request (const NsGuid *activity)
{
  guint64 request;

  memcpy (&request, activity, sizeof request);
  return GUINT64_FROM_LE (request);
}

/* Adds keys of SMB, which runs in the kernel. Sessions and connections are shared by rows. */
static void
add_smb (Choice *self, guint32 row, const NsRowEvents *about)
{
  NsRowEvents any_process = *about;

  any_process.pid = NS_PID_UNKNOWN;
  add_column (self, NS_TABLE_SMB, row, "connection", &any_process, SENSE_CONNECTION);
  add_column (self, NS_TABLE_SMB, row, "session", &any_process, SENSE_SESSION);
  add_column (self, NS_TABLE_SMB, row, "session", &any_process, SENSE_KEY);
}

/* Adds the activity of a .NET request, and its connection, which may be older and closed later. */
static void
add_dotnet (Choice *self, guint32 row, const NsRowEvents *about)
{
  NsRowEvents whole = *about;
  NsDotnetPath path;

  if (ns_dotnet_path_decode (&path, &about->activity, about->pid) == NS_DOTNET_ID_PATH)
    g_array_append_val (self->paths, path);
  whole.span = (NsTimeSpan){ G_MININT64, G_MAXINT64 };
  add_column (self, NS_TABLE_DOTNET, row, "connection", &whole, SENSE_NUMBER);
}

/* Adds keys that depend on the table. */
static void
add_special (Choice *self, NsTableId table, guint32 row, const NsRowEvents *about)
{
  guint32 event;
  const NsTrace *trace = self->trace;

  if (table == NS_TABLE_ACTIVITIES)
    add_name (self->servers,
              about,
              ns_trace_text (trace, g_array_index (trace->activities, NsActivityRow, row).server));
  else if (table == NS_TABLE_SMB)
    add_smb (self, row, about);
  else if (table == NS_TABLE_DOTNET)
    add_dotnet (self, row, about);
  else if (table == NS_TABLE_WEBIO)
    {
      add_column (self, table, row, "handle", about, SENSE_HANDLE);
      add_column (self, table, row, "session", about, SENSE_SESSION);
      add_column (self, table, row, "connection", about, SENSE_CONNECTION);
    }
  else if (table == NS_TABLE_DNS)
    add_name (self->names,
              about,
              ns_trace_text (trace, g_array_index (trace->dns, NsDnsRow, row).query));
  else if (table == NS_TABLE_TCP)
    {
      add_packets (self, row + 1, about->span);
      add_flow (self,
                about,
                g_array_index (trace->tcp, NsTcpRow, row).local,
                g_array_index (trace->tcp, NsTcpRow, row).remote);
    }
  else if (table == NS_TABLE_KERNEL_NETWORK)
    add_flow (self,
              about,
              &g_array_index (trace->kernel_network, NsKernelNetworkRow, row).local,
              &g_array_index (trace->kernel_network, NsKernelNetworkRow, row).remote);
  else if (table == NS_TABLE_HTTP_SERVER)
    {
      /* HTTP.sys runs in the kernel, so its IDs are valid in every process. */
      NsRowEvents any_process = *about;

      any_process.pid = NS_PID_UNKNOWN;
      add_peer (self, about, &g_array_index (trace->http_server, NsHttpServerRow, row).remote);
      add_column (self, table, row, "connection", &any_process, SENSE_CONNECTION);
      ns_map_set (self->requests,
                  g_array_index (trace->http_server, NsHttpServerRow, row).request,
                  0,
                  1);
    }
  else if (table == NS_TABLE_FLOWS)
    self->has_flow[row + 1] = 1;
  else if (table == NS_TABLE_PACKETS)
    ns_map_set (self->packets,
                (guint64) g_array_index (trace->packets, NsPacketRow, row).time_ns,
                0,
                1);
  else if (ns_trace_find_event (trace, table, row, &event))
    self->kept[event] = 1;
}

/* Queues a row once. */
static void
queue_row (Choice *self, NsTableId table, guint32 row)
{
  Place place = { table, row };
  gint64 *key = g_new (gint64, 1);

  *key = (gint64) table << 32 | row;
  if (g_hash_table_add (self->visited, key))
    g_array_append_val (self->queue, place);
}

/* Queues the SMB rows of the visited activities, in one pass: activities do not refer to them. */
static void
queue_smb_rows (Choice *self)
{
  guint i;

  for (i = 0; i < self->trace->smb->len; i++)
    {
      NsRow activity = g_array_index (self->trace->smb, NsSmbRow, i).layer.activity;
      gint64 key = (gint64) NS_TABLE_ACTIVITIES << 32 | (activity - 1);

      if (activity != 0 && g_hash_table_contains (self->visited, &key))
        queue_row (self, NS_TABLE_SMB, i);
    }
}

/* Adds a process and its ancestors, whose names are displayed with it. */
static void
add_process (Choice *self, guint32 pid, gint64 time_ns)
{
  NsMap *pids = self->processes;

  while (pid != NS_PID_UNKNOWN && ns_map_get (pids, pid, 0) == 0)
    {
      NsRow row = ns_trace_find_process (self->trace, pid, time_ns);

      ns_map_set (pids, pid, 0, 1);
      pids = self->ancestors;
      pid = row != 0 ? NS_ROW_AT (self->trace->processes, NsProcessRow, row)->parent_pid
                     : NS_PID_UNKNOWN;
    }
}

/* Queues the lower-layer rows of a row. */
static void
add_rows_below (Choice *self, NsTableId table, guint32 row)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (fields[i].id), "_", '-');
      NsFieldValue value = { 0 };
      NsTableId below = table;

      /* For a selected packet only the packet is kept, not its conversation. */
      if (strcmp (name, "flow") == 0 && table != NS_TABLE_PACKETS)
        below = NS_TABLE_FLOWS;
      else if (!ns_table_from_name (name, &below) && strcmp (name, "parent") != 0)
        continue;
      if (fields[i].type != NS_TYPE_ROW)
        continue;
      ns_field_get (self->trace, &fields[i], row, &value);
      if (!value.is_null && value.v.u >= 1 && value.v.u <= ns_table_get_n_rows (self->trace, below))
        queue_row (self, below, (guint32) value.v.u - 1);
      ns_field_value_clear (&value);
    }
}

static void
add_row (Choice *self, NsTableId table, guint32 row)
{
  g_autoptr (NsRowEvents) about = ns_row_events_describe (self->trace, table, row);
  guint i;

  add_process (self, about->pid, about->span.begin_ns);
  for (i = 0; i < about->keys->len; i++)
    add_key (self, about, g_array_index (about->keys, NsRowKey, i).value, SENSE_KEY);
  add_special (self, table, row, about);
  add_rows_below (self, table, row);
  if ((about->keys->len == 0 || table == NS_TABLE_CHROMIUM) && about->pid != NS_PID_UNKNOWN &&
      table != NS_TABLE_EVENTS && table != NS_TABLE_CHROMIUM_EVENTS && table != NS_TABLE_DNS &&
      table != NS_TABLE_PACKETS)
    {
      /* Browser requests move between threads, so any thread matches. */
      NsEtlMention mention = { .span = about->span, .pid = about->pid };

      mention.key = table == NS_TABLE_CHROMIUM ? NS_PID_UNKNOWN : about->tid;
      g_array_append_val (self->threads, mention);
    }
}

static void
add_queued_rows (Choice *self, guint first)
{
  guint i;

  for (i = first; i < self->queue->len; i++)
    {
      const Place place = g_array_index (self->queue, Place, i);

      add_row (self, place.table, place.row);
    }
}

typedef struct
{
  const Choice *choice;
  const NsRecord *record;
  gboolean is_found;
} Search;

static gboolean
is_mentioned (const Search *self, guint64 value, Sense sense)
{
  guint next;

  for (next = ns_map_get (self->choice->by_key, value, sense); next != 0;)
    {
      const NsEtlMention *mention = &g_array_index (self->choice->mentions, NsEtlMention, next - 1);

      if (ns_etl_mention_is_inside (mention, self->record->time_ns) &&
          ns_row_events_means_the_same (mention->pid, value, self->record))
        return TRUE;
      next = mention->next;
    }
  return FALSE;
}

/* Returns whether the record is of HTTP.sys or WebIO about establishing a connection, without a
 * request. */
static gboolean
is_connecting (const NsRecord *record)
{
  return record->id == 21 || record->id == 22 || (record->id >= 200 && record->id <= 206) ||
         (record->id >= 700 && record->id <= 730);
}

static gboolean
look_at_item (const NsPayloadItem *item, gpointer user_data)
{
  Search *self = user_data;
  guint64 value;

  if (item->kind != NS_ITEM_VALUE || item->size < 4 || !ns_value_get_uint (item, &value))
    return TRUE;
  self->is_found =
      is_mentioned (self, value, SENSE_KEY) ||
      (g_str_has_suffix (item->field->name, "Handle") &&
       is_mentioned (self, value, SENSE_HANDLE)) ||
      (self->record->id == SESSION_CREATE_ID && is_mentioned (self, value, SENSE_SESSION)) ||
      (is_connecting (self->record) && is_mentioned (self, value, SENSE_CONNECTION)) ||
      (ns_etl_record_is_smb_setup (self->record) && (is_mentioned (self, value, SENSE_CONNECTION) ||
                                                     is_mentioned (self, value, SENSE_SESSION))) ||
      (strcmp (item->field->name, "connectionId") == 0 && is_mentioned (self, value, SENSE_NUMBER));
  return !self->is_found;
}

static gboolean
mentions_key (const Choice *self, const NsEvent *event)
{
  Search search = { .choice = self, .record = event->record };

  ns_payload_walk (event->schema, event->record, look_at_item, &search);
  return search.is_found;
}

static gboolean
is_of_thread (const Choice *self, const NsRecord *record)
{
  guint i;

  for (i = 0; i < self->threads->len; i++)
    {
      const NsEtlMention *mention = &g_array_index (self->threads, NsEtlMention, i);

      if (mention->pid == record->pid && ns_etl_mention_is_inside (mention, record->time_ns) &&
          (mention->key == NS_PID_UNKNOWN || mention->key == record->tid))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether the record belongs to a kept process; kernel modules belong to all. */
static gboolean
is_of_process (const Choice *self, const NsEvent *event)
{
  gboolean is_process = ns_guid_equal (&event->record->guid, &process_class);
  static const char *const names[] = { "ProcessId", "ProcessID", "PID" };
  NsPayloadItem item;
  guint64 pid = G_MAXUINT64;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names) && pid == G_MAXUINT64; i++)
    if (ns_payload_find (event->schema, event->record, names[i], &item))
      ns_value_get_uint (&item, &pid);
  return pid == 0 || pid == 4 || ns_map_get (self->processes, pid, 0) != 0 ||
         (is_process && ns_map_get (self->ancestors, pid, 0) != 0);
}

static gboolean
is_of_request (const Choice *self, const NsRecord *record)
{
  NsGuid related;

  if (ns_map_get_size (self->requests) == 0)
    return FALSE;
  return ns_map_get (self->requests, read_request (&record->activity), 0) != 0 ||
         (ns_record_get_related_activity (record, &related) &&
          ns_map_get (self->requests, read_request (&related), 0) != 0);
}

/* Returns whether the record is of Schannel about a server of a row. The process is that of the
 * security service. Alerts have no name. */
static gboolean
is_of_server (const Choice *self, const NsRecord *record)
{
  NsProviderId provider = ns_catalog_find (&record->guid);
  guint i;

  if (provider != NS_PROVIDER_SCHANNEL && provider != NS_PROVIDER_SCHANNEL_EVENTS)
    return FALSE;
  if (record->id != ALERT_ID)
    return ns_etl_mentions_have_sign (self->servers, record);
  for (i = 0; i < self->servers->len; i++)
    if (ns_etl_mention_is_inside (&g_array_index (self->servers, NsEtlMention, i), record->time_ns))
      return TRUE;
  return FALSE;
}

/* Returns the kind of the record's provider. */
static NsProviderUse
get_use (const NsRecord *record)
{
  NsProviderId provider = ns_catalog_find (&record->guid);

  if (provider == NS_PROVIDER_WEBIO && record->id >= FIRST_POOL_ID)
    return NS_PROVIDER_USE_WORK;
  return ns_catalog_get_use (provider);
}

static gboolean
is_wanted (const Choice *self, const NsEvent *event)
{
  const NsRecord *record = event->record;

  switch (get_use (record))
    {
    case NS_PROVIDER_USE_NETWORK:
      return is_of_thread (self, record) || is_of_request (self, record) ||
             (is_connecting (record) && ns_etl_mentions_have_sign (self->peers, record)) ||
             ns_etl_record_is_below (record, self->paths) ||
             ns_etl_record_is_smb_end (record, self->contexts) || mentions_key (self, event);
    case NS_PROVIDER_USE_NAMES:
      return ns_etl_record_is_below (record, self->paths) ||
             ns_etl_mentions_have_sign (self->names, record) || is_of_thread (self, record);
    case NS_PROVIDER_USE_FLOWS:
      return ns_etl_mentions_have_sign (self->flows, record);
    case NS_PROVIDER_USE_PACKETS:
      return ns_etl_record_is_of_packet (record, self->packets, self->fragments);
    case NS_PROVIDER_USE_PROCESS:
      return is_of_process (self, event);
    case NS_PROVIDER_USE_WORK:
      return record->pid != NS_PID_UNKNOWN && ns_map_get (self->processes, record->pid, 0) != 0;
    case NS_PROVIDER_USE_MACHINE:
      return TRUE;
    case NS_PROVIDER_USE_HEADER:
      return record->opcode != 0;
    case NS_PROVIDER_USE_OTHER:
      return is_of_thread (self, record) || is_of_server (self, record);
    case NS_PROVIDER_USE_STACKS:
    case NS_PROVIDER_USE_DESCRIPTION:
    default:
      return FALSE;
    }
}

static void
keep (Choice *self, guint row, const NsRecord *record)
{
  self->kept[row] = 1;
  ns_map_set (self->moments, record->raw, 0, 1);
  ns_map_set (self->providers, record->provider, 0, 1);
  ns_etl_record_note_smb_begin (record, self->contexts);
}

/* Returns whether a StackWalk record belongs to a kept record: by its time or, for a definition,
 * by its key. */
static gboolean
is_stack_of_kept (Choice *self, const NsRecord *record, gboolean is_definition)
{
  NsCursor cursor;
  guint64 stamp;
  guint64 key;

  ns_record_cursor (record, &cursor);
  if (is_definition)
    return ns_map_get (self->stack_keys, ns_cursor_ptr (&cursor, record->pointer_size), 0) != 0;
  stamp = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor) || ns_map_get (self->moments, stamp, 0) == 0)
    return FALSE;
  ns_cursor_skip (&cursor, 8);
  key = ns_cursor_ptr (&cursor, record->pointer_size);
  if (record->opcode != 32 && ns_cursor_ok (&cursor))
    ns_map_set (self->stack_keys, key, 0, 1);
  return TRUE;
}

static void
note_stack_keys (Choice *self, const NsRecord *record)
{
  NsCursor state = { 0 };
  NsExtItem item;

  while (ns_record_next_item (record, &state, &item))
    if (item.type == NS_EXT_STACK_KEY32 || item.type == NS_EXT_STACK_KEY64)
      {
        NsCursor cursor;
        guint64 key;

        ns_cursor_init (&cursor, item.data, item.size);
        ns_cursor_u64 (&cursor);
        key = ns_cursor_ptr (&cursor, item.type == NS_EXT_STACK_KEY32 ? 4 : 8);
        if (ns_cursor_ok (&cursor))
          ns_map_set (self->stack_keys, key, 0, 1);
      }
}

static gboolean
is_definition (const NsRecord *record)
{
  return record->opcode >= 34 && record->opcode <= 36;
}

/* Returns whether a schema record is for a provider with kept records. */
static gboolean
describes_kept (const Choice *self, const NsRecord *record)
{
  guint i;

  if (record->payload_size < GUID_SIZE)
    return FALSE;
  for (i = 0; i < ns_etl_file_get_n_providers (self->trace->file); i++)
    {
      NsCursor cursor;
      NsGuid guid;

      ns_cursor_init (&cursor, record->payload, GUID_SIZE);
      ns_cursor_guid (&cursor, &guid);
      if (ns_map_get (self->providers, i, 0) != 0 &&
          ns_guid_equal (ns_etl_file_get_provider (self->trace->file, i), &guid))
        return TRUE;
    }
  return FALSE;
}

/* Keeps stacks and schemas of kept records. Key definitions may precede their uses, so they are
 * examined in a second pass. */
static void
keep_stacks (Choice *self, gboolean definitions)
{
  guint i;

  for (i = 0; i < self->trace->events->len; i++)
    {
      NsEvent event;
      NsProviderUse role;

      if (self->kept[i] || !ns_event_read (self->trace, i, &event))
        continue;
      role = get_use (event.record);
      if (role == NS_PROVIDER_USE_STACKS && is_definition (event.record) == definitions &&
          is_stack_of_kept (self, event.record, definitions))
        self->kept[i] = 1;
      else if (definitions && role == NS_PROVIDER_USE_DESCRIPTION &&
               describes_kept (self, event.record))
        self->kept[i] = 1;
      else if (definitions && (event.record->flags & NS_RECORD_MANIFEST) != 0 &&
               event.record->id == 65534 &&
               ns_map_get (self->providers, event.record->provider, 0) != 0)
        self->kept[i] = 1;
    }
}

static void
choose_records (Choice *self)
{
  guint i;

  for (i = 0; i < self->trace->events->len; i++)
    {
      NsEvent event;

      if (!ns_event_read (self->trace, i, &event))
        continue;
      if (self->kept[i])
        add_process (self, event.record->pid, event.record->time_ns);
    }
  for (i = 0; i < self->trace->events->len; i++)
    {
      NsEvent event;

      if (!ns_event_read (self->trace, i, &event) || (!self->kept[i] && !is_wanted (self, &event)))
        continue;
      keep (self, i, event.record);
      note_stack_keys (self, event.record);
    }
  keep_stacks (self, FALSE);
  keep_stacks (self, TRUE);
}

/**
 * ns_etl_choice_new:
 * @trace: a trace with its table of events
 * @table: a table
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of rows
 *
 * Returns: (transfer full): a byte per record of the table of events, 1 if it is needed for the
 *   rows
 */
guint8 *
ns_etl_choice_new (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows)
{
  g_autoptr (GHashTable) visited =
      g_hash_table_new_full (ns_hash_int64, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) mentions = ns_etl_mentions_new ();
  g_autoptr (GArray) names = ns_etl_mentions_new ();
  g_autoptr (GArray) flows = ns_etl_mentions_new ();
  g_autoptr (GArray) peers = ns_etl_mentions_new ();
  g_autoptr (GArray) threads = ns_etl_mentions_new ();
  g_autoptr (GArray) servers = ns_etl_mentions_new ();
  g_autoptr (GArray) paths = g_array_new (FALSE, FALSE, sizeof (NsDotnetPath));
  g_autoptr (NsMap) by_key = ns_map_new ();
  g_autoptr (NsMap) processes = ns_map_new ();
  g_autoptr (NsMap) ancestors = ns_map_new ();
  g_autoptr (NsMap) requests = ns_map_new ();
  g_autoptr (NsMap) packets = ns_map_new ();
  g_autoptr (NsMap) fragments = ns_map_new ();
  g_autoptr (NsMap) contexts = ns_map_new ();
  g_autoptr (NsMap) moments = ns_map_new ();
  g_autoptr (NsMap) stack_keys = ns_map_new ();
  g_autoptr (NsMap) providers = ns_map_new ();
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autofree guint8 *has_flow = g_new0 (guint8, (gsize) trace->flows->len + 1);
  Choice self = { .trace = trace,
                  .visited = visited,
                  .queue = queue,
                  .mentions = mentions,
                  .by_key = by_key,
                  .names = names,
                  .flows = flows,
                  .peers = peers,
                  .threads = threads,
                  .processes = processes,
                  .ancestors = ancestors,
                  .requests = requests,
                  .packets = packets,
                  .servers = servers,
                  .paths = paths,
                  .fragments = fragments,
                  .contexts = contexts,
                  .moments = moments,
                  .stack_keys = stack_keys,
                  .providers = providers };
  guint n_queued;
  gsize i;

  self.kept = g_new0 (guint8, MAX (trace->events->len, 1));
  self.has_flow = has_flow;
  for (i = 0; i < n_rows; i++)
    queue_row (&self, table, rows[i]);
  add_queued_rows (&self, 0);
  n_queued = queue->len;
  queue_smb_rows (&self);
  add_queued_rows (&self, n_queued);
  add_packets_of_flows (&self);
  choose_records (&self);
  return self.kept;
}
