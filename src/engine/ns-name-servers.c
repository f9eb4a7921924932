/* Reads again which name servers were asked: rows keep the last one only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-name-servers.h"

#include "wire/ns-sockaddr.h"

#include <string.h>

#define STATUS_TIMEOUT 1460

enum
{
  ALL_TIMED_OUT = 1013,
  ALL_TIMED_OUT_SYSTEM = 1014,
  SERVER_TIMED_OUT = 1015,
  NETWORK_STARTED = 3009,
  SENT_TO_SERVER = 3010,
  RESPONSE = 3011,
};

static const NsGuid dns_client =
    NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d);

typedef enum
{
  ASKED,
  ANSWERED,
  TIMED_OUT,
} What;

typedef struct
{
  const NsTrace *trace;
  GHashTable *rows;   /* name in lower case → GArray of NsRow */
  GPtrArray *by_row;  /* GArray of NsNameServer, or NULL */
  guint32 record_pid; /* who wrote the event */
  guint32 client_pid; /* on whose behalf; 0: not told */
  guint32 type;       /* 0: not told */
  gint64 time_ns;
} Read;

static void
server_clear (gpointer data)
{
  NsNameServer *self = data;

  g_clear_pointer (&self->address, g_free);
}

static void
unref_array (gpointer data)
{
  if (data != NULL)
    g_array_unref (data);
}

static void
index_rows (Read *self)
{
  guint i;

  for (i = 0; i < self->trace->dns->len; i++)
    {
      const NsDnsRow *dns = &g_array_index (self->trace->dns, NsDnsRow, i);
      const char *query = ns_trace_text (self->trace, dns->query);
      g_autofree char *key = NULL;
      GArray *rows;
      NsRow row = i + 1;

      g_ptr_array_add (self->by_row, NULL);
      if (query == NULL)
        continue;
      key = g_ascii_strdown (query, -1);
      rows = g_hash_table_lookup (self->rows, key);
      if (rows == NULL)
        {
          rows = g_array_new (FALSE, FALSE, sizeof (NsRow));
          g_hash_table_insert (self->rows, g_steal_pointer (&key), rows);
        }
      g_array_append_val (rows, row);
    }
}

static NsNameServer *
get_server (Read *self, NsRow row, const char *address)
{
  GArray *servers = g_ptr_array_index (self->by_row, row - 1);
  NsNameServer server = { row, NULL, NS_TIME_NONE, NS_TIME_NONE, NS_TIME_NONE };
  guint i;

  if (servers == NULL)
    {
      servers = g_array_new (FALSE, FALSE, sizeof (NsNameServer));
      g_array_set_clear_func (servers, server_clear);
      g_ptr_array_index (self->by_row, row - 1) = servers;
    }
  for (i = 0; i < servers->len; i++)
    if (strcmp (g_array_index (servers, NsNameServer, i).address, address) == 0)
      return &g_array_index (servers, NsNameServer, i);
  if (servers->len >= NS_NAME_SERVERS_MAX)
    return NULL;
  server.address = g_strdup (address);
  g_array_append_val (servers, server);
  return &g_array_index (servers, NsNameServer, servers->len - 1);
}

/* Whether the event tells of this row: the DNS service, which asks for others, says of whom in
 * newer versions only. */
static gboolean
is_of_row (const Read *self, const NsDnsRow *dns)
{
  if (dns->open_ns > self->time_ns ||
      (ns_time_is_set (dns->close_ns) && dns->close_ns < self->time_ns) ||
      (self->type != 0 && dns->type != 0 && dns->type != self->type))
    return FALSE;
  return self->client_pid == 0 || dns->pid == NS_PID_UNKNOWN || dns->pid == self->client_pid ||
         dns->pid == self->record_pid;
}

static void
note (Read *self, const GArray *rows, const char *address, What what)
{
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      NsRow row = g_array_index (rows, NsRow, i);
      const NsDnsRow *dns = &g_array_index (self->trace->dns, NsDnsRow, row - 1);
      NsNameServer *server = is_of_row (self, dns) ? get_server (self, row, address) : NULL;
      gint64 *at;

      if (server == NULL)
        continue;
      at = what == ASKED      ? &server->asked_ns
           : what == ANSWERED ? &server->answered_ns
                              : &server->timed_out_ns;
      if (*at == NS_TIME_NONE)
        *at = self->time_ns;
    }
}

static char *
take_text (NsCursor *cursor)
{
  gsize n_bytes;
  const guint8 *bytes = ns_cursor_wstr (cursor, &n_bytes);

  return bytes != NULL ? ns_utf8_from_utf16 (bytes, n_bytes) : g_strdup ("");
}

static void
take_client (Read *self, const NsRecord *record, NsCursor *cursor)
{
  self->record_pid = record->pid;
  self->client_pid =
      record->version > 0 && ns_cursor_left (cursor) >= 4 ? ns_cursor_u32 (cursor) : 0;
}

static void
note_list (Read *self, const GArray *rows, const char *list)
{
  g_auto (GStrv) items = g_strsplit (list, ";", NS_NAME_SERVERS_MAX);
  guint i;

  for (i = 0; items[i] != NULL; i++)
    if (*g_strstrip (items[i]) != '\0')
      note (self, rows, items[i], ASKED);
}

static void
read_record (Read *self, const NsRecord *record, NsCursor *cursor, const GArray *rows)
{
  char text[NS_IP_TEXT_SIZE];
  g_autofree char *address = NULL;
  guint32 status = 0;
  gsize n_bytes;
  NsEndpoint server;

  self->type = 0;
  self->time_ns = record->time_ns;
  switch (record->id)
    {
    case NETWORK_STARTED:
      ns_cursor_skip (cursor, 3 * 4);    /* IsParallelNetworkQuery, NetworkIndex, InterfaceCount */
      ns_cursor_wstr (cursor, &n_bytes); /* AdapterName */
      ns_cursor_wstr (cursor, &n_bytes); /* LocalAddress */
      address = take_text (cursor);
      take_client (self, record, cursor);
      note_list (self, rows, address);
      break;
    case SENT_TO_SERVER:
    case RESPONSE:
      self->type = ns_cursor_u32 (cursor);
      address = take_text (cursor);
      if (record->id == RESPONSE)
        status = ns_cursor_u32 (cursor);
      if (!ns_cursor_ok (cursor) || *g_strstrip (address) == '\0')
        break;
      take_client (self, record, cursor);
      note (self,
            rows,
            address,
            record->id == SENT_TO_SERVER ? ASKED
            : status == STATUS_TIMEOUT   ? TIMED_OUT
                                         : ANSWERED);
      break;
    default:
      if (!ns_sockaddr_take_counted (cursor, &server))
        break;
      take_client (self, record, cursor);
      note (self, rows, ns_ip_to_text (&server.ip, text), TIMED_OUT);
      break;
    }
}

static gboolean
record_cb (const NsRecord *record, gpointer user_data)
{
  Read *self = user_data;
  g_autofree char *query = NULL;
  g_autofree char *key = NULL;
  const GArray *rows;
  NsCursor cursor;

  if ((record->id != ALL_TIMED_OUT && record->id != ALL_TIMED_OUT_SYSTEM &&
       record->id != SERVER_TIMED_OUT && record->id != NETWORK_STARTED &&
       record->id != SENT_TO_SERVER && record->id != RESPONSE) ||
      !ns_guid_equal (&record->guid, &dns_client))
    return TRUE;
  ns_record_cursor (record, &cursor);
  query = take_text (&cursor);
  key = g_ascii_strdown (query, -1);
  rows = g_hash_table_lookup (self->rows, key);
  if (rows != NULL)
    read_record (self, record, &cursor, rows);
  return TRUE;
}

/**
 * ns_name_servers_read:
 * @trace: a trace that no other thread opens
 * @progress: (nullable) (scope call): told how far it is; %FALSE stops
 * @progress_data: for @progress
 * @error: %NS_TRACE_ERROR_CANCELLED, or what reading the file says
 *
 * Reads the file again, which takes about as long as opening it: not for a main thread.
 *
 * Returns: (transfer full) (nullable) (element-type NsNameServer): by row, and in the order of
 *   their being asked
 */
GArray *
ns_name_servers_read (const NsTrace *trace,
                      NsProgressFunc progress,
                      gpointer progress_data,
                      GError **error)
{
  g_autoptr (GHashTable) rows =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_array);
  g_autoptr (GPtrArray) by_row = g_ptr_array_new_with_free_func (unref_array);
  Read self = { .trace = trace, .rows = rows, .by_row = by_row };
  GArray *all;
  guint i;

  index_rows (&self);
  if (!ns_etl_file_walk (trace->file,
                         NS_ETL_WALK_TIME_ORDER,
                         NULL,
                         record_cb,
                         &self,
                         progress,
                         progress_data,
                         error))
    return NULL;
  all = g_array_new (FALSE, FALSE, sizeof (NsNameServer));
  g_array_set_clear_func (all, server_clear);
  for (i = 0; i < by_row->len; i++)
    {
      GArray *servers = g_ptr_array_index (by_row, i);

      if (servers == NULL)
        continue;
      g_array_append_vals (all, servers->data, servers->len);
      g_array_set_clear_func (servers, NULL); /* the addresses have a new owner */
    }
  return all;
}
