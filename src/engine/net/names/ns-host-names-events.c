/* Microsoft-Windows-DNS-Client and Microsoft-Windows-Winsock-NameResolution: DNS queries and
 * responses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/names/ns-host-names-private.h"

#include "wire/ns-sockaddr.h"

#include <string.h>

enum
{
  DNS_SERVER_OF_INTERFACE = 1001,
  DNS_ALL_TIMED_OUT = 1013,
  DNS_ALL_TIMED_OUT_SYSTEM = 1014,
  DNS_SERVER_TIMED_OUT = 1015,
  DNS_NAME_ERROR = 1016,
  DNS_QUERY_CALLED = 3006,
  DNS_QUERY_COMPLETE = 3008,
  DNS_NETWORK_STARTED = 3009,
  DNS_SENT_TO_SERVER = 3010,
  DNS_RESPONSE = 3011,
  DNS_CACHE_DONE = 3018,
  DNS_NETWORK_RESULT = 3020,

  STATUS_TIMEOUT = 1460,
  STATUS_NO_NAME = 9003,

  RESOLVER_START = 1000,
  RESOLVER_DONE = 1001,
  RESOLVER_EX_START = 1002,
  RESOLVER_EX_DONE = 1004,
  RESOLVER_START_FAILED = 1012,
};

/* Maximum time from a cache look-up to the end of its query: for names in the cache, and for
 * others, which wait until their servers time out. */
#define LONGEST_HIT_NS NS_PER_SECOND
#define LONGEST_MISS_NS (60 * NS_PER_SECOND)
/* Maximum time between the cache look-ups of one query. */
#define SAME_LOOK_NS (NS_PER_SECOND / 10)

static NsString
read_text (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes;
  const guint8 *bytes = ns_cursor_wstr (cursor, &n_bytes);

  return ns_strings_add_utf16 (builder->trace->strings, bytes, bytes != NULL ? n_bytes : 0);
}

static char *
read_list (NsCursor *cursor)
{
  gsize n_bytes;
  const guint8 *bytes = ns_cursor_wstr (cursor, &n_bytes);

  return bytes != NULL ? ns_utf8_from_utf16 (bytes, n_bytes) : g_strdup ("");
}

/* Reads the process that the DNS service makes the query for; 0: unknown, as in older event
 * versions. */
static guint32
read_client (const NsRecord *record, NsCursor *cursor)
{
  return record->version > 0 && ns_cursor_left (cursor) >= 4 ? ns_cursor_u32 (cursor) : 0;
}

/* Reads the rest of the event, which identifies the client process. */
static NsHostNamesServerEvent
server_event (const NsRecord *record, NsCursor *cursor, NsNameLookup *lookup, NsHostNamesSign sign)
{
  NsHostNamesServerEvent event = { .query = lookup->query,
                                   .type = lookup->type,
                                   .writer = record->pid,
                                   .client = read_client (record, cursor),
                                   .time_ns = record->time_ns,
                                   .sign = sign };

  if (event.client != 0)
    lookup->pid = event.client;
  return event;
}

static gboolean
is_service (NsBuilder *builder, guint32 pid, gint64 time_ns)
{
  const char *name =
      pid != NS_PID_UNKNOWN ? ns_trace_get_process_name (builder->trace, pid, time_ns) : NULL;

  return name != NULL && g_ascii_strcasecmp (name, "svchost.exe") == 0;
}

static guint64
question_key (guint32 pid, guint32 type)
{
  return (guint64) pid << 32 | type;
}

static NsHostNamesPending *
pending_at (NsHostNames *self, NsRow row)
{
  return &g_array_index (self->pending, NsHostNamesPending, row - 1);
}

/* Returns the row of this query that waits for its response, preferably of the same thread. */
static NsRow
find_waiting (NsBuilder *builder, const NsNameLookup *lookup)
{
  NsHostNames *self = builder->host_names;
  NsRow row = ns_map_get (self->questions,
                          question_key (lookup->pid, lookup->type),
                          ns_host_names_lower (builder, lookup->query));
  NsRow any = 0;
  guint i;

  for (i = 0; row != 0 && i < NS_HOST_NAMES_MAX_PARALLEL; i++, row = pending_at (self, row)->older)
    {
      if (pending_at (self, row)->is_done)
        continue;
      if (pending_at (self, row)->tid == lookup->tid)
        return row;
      if (any == 0)
        any = row;
    }
  return any;
}

/* Returns the newest waiting row for this name in any process: a query, or (@is_of_cache) a cache
 * look-up whose query is not known yet. */
static NsRow
find_in_any_process (NsBuilder *builder, const NsNameLookup *lookup, gboolean is_of_cache)
{
  NsHostNames *self = builder->host_names;
  NsRow row = ns_map_get (self->named, ns_host_names_lower (builder, lookup->query), 0);
  guint i;

  for (i = 0; row != 0 && i < NS_HOST_NAMES_MAX_PARALLEL;
       i++, row = pending_at (self, row)->same_name)
    {
      const NsDnsRow *dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
      const NsHostNamesPending *pending = pending_at (self, row);

      if (!pending->is_done && pending->is_of_cache == (is_of_cache != FALSE) &&
          dns->source != NS_DNS_FROM_WINSOCK && dns->type == lookup->type)
        return row;
    }
  return 0;
}

static NsRow
ask (NsBuilder *builder, const NsNameLookup *lookup)
{
  NsHostNames *self = builder->host_names;
  guint64 a = question_key (lookup->pid, lookup->type);
  guint64 b = ns_host_names_lower (builder, lookup->query);
  NsRow older = ns_map_get (self->questions, a, b);
  NsRow row = ns_host_names_append_row (builder, lookup);

  /* Skip answered rows at the head of the chain. */
  while (older != 0 && pending_at (self, older)->is_done)
    older = pending_at (self, older)->older;
  pending_at (self, row)->older = older;
  ns_map_set (self->questions, a, b, row);
  return row;
}

/* Stores a response; one to the DNS service itself applies to all processes. */
static void
answer (NsBuilder *builder, NsRow row, const NsNameLookup *lookup, const char *list)
{
  NsNameLookup known = *lookup;

  if (is_service (builder, lookup->pid, lookup->close_ns))
    known.pid = NS_PID_UNKNOWN;
  ns_host_names_answer_row (builder, row, &known, list);
}

/* Returns the text shown for the DNS servers of an adapter. */
static NsString
name_of_server (NsBuilder *builder, const char *adapter)
{
  g_autofree char *name =
      adapter[0] != '\0' ? g_strdup_printf ("DNS server (%s)", adapter) : g_strdup ("DNS server");

  return ns_strings_add (builder->trace->strings, name);
}

/* Stores the servers that a program requested in place of those of the adapters. */
static void
note_awaited_servers (NsBuilder *builder, const NsNameLookup *lookup, NsRow row, char *list)
{
  NsDnsRow *dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
  NsHostNamesServerEvent event = { .query = lookup->query,
                                   .type = lookup->type,
                                   .client = lookup->pid,
                                   .time_ns = lookup->open_ns,
                                   .sign = NS_HOST_NAMES_LISTED };
  char *end = list + strlen (list);

  while (end > list && end[-1] == ';')
    *--end = '\0';
  if (list[0] == '\0')
    return;
  ns_host_names_note_servers (builder, &event, list);
  dns->server = ns_strings_add (builder->trace->strings, list);
  if (!builder->options.compat_reference)
    ns_host_names_add_server (builder, list, name_of_server (builder, ""));
}

static void
query_called (NsBuilder *builder, NsCursor *cursor, NsNameLookup *lookup)
{
  g_autofree char *servers = NULL;
  NsRow row;

  lookup->type = ns_cursor_u32 (cursor);
  ns_cursor_u64 (cursor); /* QueryOptions */
  servers = read_list (cursor);
  row = ask (builder, lookup);
  note_awaited_servers (builder, lookup, row, servers);
}

/* Returns the row of the cache look-up that this query completion ends, and assigns it to the
 * query's process; the DNS service recorded the look-up without a client. */
static NsRow
adopt (NsBuilder *builder, const NsNameLookup *lookup)
{
  NsRow row = find_in_any_process (builder, lookup, TRUE);
  NsDnsRow *dns;

  if (row == 0)
    return 0;
  dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
  if (lookup->close_ns - dns->open_ns > (dns->addresses != NULL ? LONGEST_HIT_NS : LONGEST_MISS_NS))
    return 0;
  dns->pid = lookup->pid;
  dns->tid = lookup->tid;
  dns->activity_id = ns_trace_keep_guid (builder->trace, &lookup->activity_id);
  return row;
}

static void
query_complete (NsBuilder *builder, NsCursor *cursor, NsNameLookup *lookup)
{
  g_autofree char *list = NULL;
  NsDnsRow *dns;
  NsRow row;

  lookup->type = ns_cursor_u32 (cursor);
  ns_cursor_u64 (cursor);
  lookup->status = ns_cursor_u32 (cursor);
  lookup->has_status = ns_cursor_ok (cursor);
  list = read_list (cursor);
  row = find_waiting (builder, lookup);
  if (row == 0)
    row = adopt (builder, lookup);
  if (row == 0)
    row = ns_host_names_append_row (builder, lookup);
  dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
  if (dns->addresses == NULL && list[0] != '\0') /* not in the cache */
    dns->source = lookup->source;
  ns_host_names_end_row (builder, row);
  answer (builder, row, lookup, list);
}

/* Returns the query row that this cache look-up belongs to; older versions of the DNS service do
 * not record the client. A look-up without a known query gets a row of its own. */
static NsRow
find_question (NsBuilder *builder, const NsNameLookup *lookup, gboolean is_client_known)
{
  NsRow row = find_waiting (builder, lookup);

  if (row != 0 && pending_at (builder->host_names, row)->is_of_cache &&
      lookup->close_ns - NS_ROW_AT (builder->trace->dns, NsDnsRow, row)->open_ns > SAME_LOOK_NS)
    row = 0;
  if (row == 0 && !is_client_known)
    row = find_in_any_process (builder, lookup, FALSE);
  return row;
}

/* Handles the result of a cache look-up, which is not final: the completion of the query
 * follows. */
static void
cache_done (NsBuilder *builder, const NsRecord *record, NsCursor *cursor, NsNameLookup *lookup)
{
  g_autofree char *list = NULL;
  guint32 client;
  NsRow row;

  lookup->type = ns_cursor_u32 (cursor);
  ns_cursor_u64 (cursor);
  lookup->status = ns_cursor_u32 (cursor);
  lookup->has_status = ns_cursor_ok (cursor);
  list = read_list (cursor);
  client = read_client (record, cursor);
  if (client != 0)
    lookup->pid = client;
  lookup->source = NS_DNS_FROM_CACHE;

  row = find_question (builder, lookup, client != 0);
  if (row == 0)
    {
      row = ask (builder, lookup);
      pending_at (builder->host_names, row)->is_of_cache = TRUE;
    }
  else if (list[0] == '\0')
    return;
  if (list[0] != '\0')
    NS_ROW_AT (builder->trace->dns, NsDnsRow, row)->source = lookup->source;
  answer (builder, row, lookup, list);
}

/* Sets source and server of the waiting rows of a name, for each record type if @lookup has none.
 */
static void
note_server (NsBuilder *builder,
             const NsNameLookup *lookup,
             gboolean is_client_known,
             NsString server)
{
  static const guint32 types[] = { 1, 28 };
  NsNameLookup question = *lookup;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (types); i++)
    {
      NsDnsRow *dns;
      NsRow row;

      if (lookup->type != 0 && lookup->type != types[i] && i > 0)
        break;
      question.type = lookup->type != 0 ? lookup->type : types[i];
      row = find_waiting (builder, &question);
      if (row == 0 && !is_client_known)
        row = find_in_any_process (builder, &question, FALSE);
      if (row == 0)
        continue;
      dns = NS_ROW_AT (builder->trace->dns, NsDnsRow, row);
      dns->source = NS_DNS_FROM_NETWORK;
      if (server != NS_STRING_NONE && server != NS_STRING_EMPTY)
        dns->server = server;
      if (lookup->type != 0)
        break;
    }
}

static void
network_started (NsBuilder *builder, const NsRecord *record, NsCursor *cursor, NsNameLookup *lookup)
{
  g_autofree char *adapter = NULL;
  g_autofree char *servers = NULL;
  NsHostNamesServerEvent event;
  char *end;

  ns_cursor_skip (cursor, 3 * 4); /* IsParallelNetworkQuery, NetworkIndex, InterfaceCount */
  adapter = read_list (cursor);
  read_text (builder, cursor); /* LocalAddress */
  servers = read_list (cursor);
  event = server_event (record, cursor, lookup, NS_HOST_NAMES_LISTED);
  event.adapter = ns_strings_add (builder->trace->strings, adapter);
  ns_host_names_note_servers (builder, &event, servers);
  /* The reference tool shows the queried server in place of the host that was looked up. */
  ns_host_names_add_server (builder,
                            servers,
                            builder->options.compat_reference ? lookup->query
                                                              : name_of_server (builder, adapter));

  end = servers + strlen (servers);
  while (end > servers && end[-1] == ';')
    *--end = '\0';
  note_server (builder,
               lookup,
               event.client != 0,
               ns_strings_add (builder->trace->strings, servers));
}

static void
sent_or_answered (NsBuilder *builder,
                  const NsRecord *record,
                  NsCursor *cursor,
                  NsNameLookup *lookup)
{
  gboolean is_answer = record->id == DNS_RESPONSE;
  NsHostNamesServerEvent event;
  NsString server;
  guint32 status = 0;

  lookup->type = ns_cursor_u32 (cursor);
  server = read_text (builder, cursor);
  if (is_answer)
    status = ns_cursor_u32 (cursor);
  event = server_event (record,
                        cursor,
                        lookup,
                        !is_answer                 ? NS_HOST_NAMES_ASKED
                        : status == STATUS_TIMEOUT ? NS_HOST_NAMES_TIMED_OUT
                                                   : NS_HOST_NAMES_ANSWERED);
  event.status = status;
  ns_host_names_note_server (builder, &event, ns_trace_text (builder->trace, server));
  note_server (builder, lookup, event.client != 0, server);
}

/* Handles a server configured for an interface. */
static void
server_of_interface (NsBuilder *builder, const NsRecord *record)
{
  g_autofree char *interface = NULL;
  char text[NS_IP_TEXT_SIZE];
  NsEndpoint server;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  interface = read_list (&cursor);
  ns_cursor_skip (&cursor, 4 + 4 + 1); /* TotalServerCount, Index, DynamicAddress */
  if (ns_sockaddr_take_counted (&cursor, &server))
    ns_host_names_add_server (builder,
                              ns_ip_to_text (&server.ip, text),
                              name_of_server (builder, interface));
}

/* Handles a server that timed out or returned a name error. */
static void
server_of_failure (NsBuilder *builder,
                   const NsRecord *record,
                   NsCursor *cursor,
                   NsNameLookup *lookup)
{
  gboolean is_answer = record->id == DNS_NAME_ERROR;
  NsHostNamesServerEvent event;
  char text[NS_IP_TEXT_SIZE];
  NsEndpoint server;

  if (!ns_sockaddr_take_counted (cursor, &server))
    return;
  event = server_event (record,
                        cursor,
                        lookup,
                        is_answer ? NS_HOST_NAMES_ANSWERED : NS_HOST_NAMES_TIMED_OUT);
  event.status = is_answer ? STATUS_NO_NAME : STATUS_TIMEOUT;
  ns_host_names_note_server (builder, &event, ns_ip_to_text (&server.ip, text));
  note_server (builder,
               lookup,
               event.client != 0,
               ns_strings_add (builder->trace->strings, ns_ip_to_text (&server.ip, text)));
}

/**
 * ns_host_names_handle_dns: (skip)
 * @builder: a builder
 * @record: a record of the DNS client
 */
void
ns_host_names_handle_dns (NsBuilder *builder, const NsRecord *record)
{
  NsNameLookup lookup = { 0 };
  NsCursor cursor;

  if (record->id == DNS_SERVER_OF_INTERFACE)
    server_of_interface (builder, record);
  if ((record->id < DNS_QUERY_CALLED || record->id > DNS_NETWORK_RESULT) &&
      (record->id < DNS_ALL_TIMED_OUT || record->id > DNS_NAME_ERROR))
    return;
  ns_record_cursor (record, &cursor);
  lookup.query = read_text (builder, &cursor);
  lookup.source = NS_DNS_FROM_NETWORK;
  lookup.pid = record->pid != 0 ? record->pid : NS_PID_UNKNOWN;
  lookup.tid = record->tid;
  lookup.activity_id = record->activity;
  lookup.open_ns = lookup.close_ns = record->time_ns;

  switch (record->id)
    {
    case DNS_QUERY_CALLED:
      query_called (builder, &cursor, &lookup);
      break;
    case DNS_QUERY_COMPLETE:
      query_complete (builder, &cursor, &lookup);
      break;
    case DNS_CACHE_DONE:
      cache_done (builder, record, &cursor, &lookup);
      break;
    case DNS_NETWORK_STARTED:
      network_started (builder, record, &cursor, &lookup);
      break;
    case DNS_SENT_TO_SERVER:
    case DNS_RESPONSE:
      sent_or_answered (builder, record, &cursor, &lookup);
      break;
    case DNS_ALL_TIMED_OUT:
    case DNS_ALL_TIMED_OUT_SYSTEM:
    case DNS_SERVER_TIMED_OUT:
    case DNS_NAME_ERROR:
      server_of_failure (builder, record, &cursor, &lookup);
      break;
    default:
      break;
    }
}

/* Computes the key that matches the end of a resolver call to its begin: thread and name, or
 * activity ID. */
static void
resolver_key (NsBuilder *builder,
              const NsRecord *record,
              NsString name,
              gboolean by_activity,
              guint64 key[2])
{
  if (by_activity)
    {
      memcpy (key, record->activity.bytes, 16);
      key[0] ^= (guint64) record->pid << 1;
      return;
    }
  key[0] = (guint64) record->pid << 32 | record->tid;
  key[1] = ns_host_names_lower (builder, name);
}

/**
 * ns_host_names_handle_resolver: (skip)
 * @builder: a builder
 * @record: a record of the WinSock resolver: getaddrinfo and GetAddrInfoEx
 */
void
ns_host_names_handle_resolver (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_ex = record->id == RESOLVER_EX_START || record->id == RESOLVER_EX_DONE;
  gboolean is_start = record->id == RESOLVER_START || record->id == RESOLVER_EX_START;
  NsHostNames *self = builder->host_names;
  NsNameLookup lookup = { 0 };
  g_autofree char *list = NULL;
  NsCursor cursor;
  guint64 key[2];
  NsIp literal;
  NsRow row;

  if (!is_start && record->id != RESOLVER_DONE && record->id != RESOLVER_EX_DONE)
    return;
  ns_record_cursor (record, &cursor);
  lookup.query = read_text (builder, &cursor);
  if (ns_ip_from_text (&literal, ns_trace_text (builder->trace, lookup.query)))
    return;
  lookup.source = NS_DNS_FROM_WINSOCK;
  lookup.pid = record->pid != 0 ? record->pid : NS_PID_UNKNOWN;
  lookup.tid = record->tid;
  lookup.activity_id = record->activity;
  lookup.open_ns = lookup.close_ns = record->time_ns;
  resolver_key (builder, record, lookup.query, is_ex, key);
  if (is_start)
    {
      ns_map_set (self->resolving, key[0], key[1], ns_host_names_append_row (builder, &lookup));
      return;
    }

  lookup.status = ns_cursor_u32 (&cursor);
  lookup.has_status = ns_cursor_ok (&cursor);
  list = read_list (&cursor);
  row = ns_map_take (self->resolving, key[0], key[1]);
  if (row == 0)
    row = ns_host_names_append_row (builder, &lookup);
  ns_host_names_answer_row (builder, row, &lookup, lookup.status == 0 ? list : NULL);
  ns_host_names_end_row (builder, row);
}
