/* Which records of a trace chosen rows stand on.
 *
 * What tells of network operations is kept only where it mentions a chosen row, or one below it: by
 * a pointer or handle while that was open, by the name that was asked for, by the address of a
 * flow, or as its packet. What tells of processes, threads, modules and thread pools is kept of the
 * processes of these rows, and what describes the machine and other records as it is. Stacks go
 * with their records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-etl-choice.h"

#include "base/ns-map.h"
#include "engine/ns-event.h"
#include "query/ns-row-events.h"
#include "schema/ns-payload.h"

#include <string.h>

/* A description of records begins with the GUID of their provider. */
#define GUID_SIZE 16
#define GROUP_STACK_WALK 0x18

/* What is known of a provider without looking into its records. */
typedef enum
{
  ROLE_OTHER,
  ROLE_NETWORK, /* tells of operations: only those of chosen rows */
  ROLE_NAMES,   /* the same, and names have no pointers */
  ROLE_FLOWS,   /* the same, with addresses only */
  ROLE_PACKETS,
  ROLE_PROCESS, /* of one process, which a field names */
  ROLE_WORK,    /* of the process that writes it */
  ROLE_MACHINE,
  ROLE_HEADER,
  ROLE_STACKS,
  ROLE_DESCRIPTION,
} Role;

/* clang-format off */
static const struct
{
  NsGuid guid;
  Role role;
} roles[] = {
  { NS_GUID_INIT (0x50b3e73c, 0x9370, 0x461d, 0xbb, 0x9f, 0x26, 0xf3, 0x2d, 0x68, 0x88, 0x7d), ROLE_NETWORK }, /* WebIO */
  { NS_GUID_INIT (0x43d1a55c, 0x76d6, 0x4f7e, 0x99, 0x5c, 0x64, 0xc7, 0x11, 0xe5, 0xca, 0xfe), ROLE_NETWORK }, /* WinINet */
  { NS_GUID_INIT (0xa70ff94f, 0x570b, 0x4979, 0xba, 0x5c, 0xe5, 0x9c, 0x9f, 0xea, 0xb6, 0x1b), ROLE_NETWORK }, /* WinINet-Capture */
  { NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a), ROLE_NETWORK }, /* TCPIP */
  { NS_GUID_INIT (0xe53c6823, 0x7bb8, 0x44bb, 0x90, 0xdc, 0x3f, 0x86, 0x09, 0x0d, 0x48, 0xa6), ROLE_NETWORK }, /* AFD */
  { NS_GUID_INIT (0x099614a5, 0x5dd7, 0x4788, 0x8b, 0xc9, 0xe2, 0x9f, 0x43, 0xdb, 0x28, 0xfc), ROLE_NETWORK }, /* LDAP */
  { NS_GUID_INIT (0x245f975d, 0x909d, 0x49ed, 0xb8, 0xf9, 0x9a, 0x75, 0x69, 0x1d, 0x6b, 0x6b), ROLE_NETWORK }, /* URLMon */
  { NS_GUID_INIT (0xdd5ef90a, 0x6398, 0x47a4, 0xad, 0x34, 0x4d, 0xce, 0xcd, 0xef, 0x79, 0x5f), ROLE_NETWORK }, /* HTTP.sys */
  { NS_GUID_INIT (0xd2d578d9, 0x2936, 0x45b6, 0xa0, 0x9f, 0x30, 0xe3, 0x27, 0x15, 0xf4, 0x2d), ROLE_NETWORK }, /* Chrome */
  { NS_GUID_INIT (0x3a5f2396, 0x5c8f, 0x4f1f, 0x9b, 0x67, 0x6c, 0xca, 0x6c, 0x99, 0x0e, 0x61), ROLE_NETWORK }, /* Edge */
  { NS_GUID_INIT (0xbd089baa, 0x4e52, 0x4794, 0xa8, 0x87, 0x9e, 0x96, 0x86, 0x85, 0x70, 0xd2), ROLE_NETWORK },
  { NS_GUID_INIT (0xd30b5c9f, 0xb58f, 0x4dc9, 0xaf, 0xaf, 0x13, 0x44, 0x05, 0xd7, 0x21, 0x07), ROLE_NETWORK },
  { NS_GUID_INIT (0xc56b8664, 0x45c5, 0x4e65, 0xb3, 0xc7, 0xa8, 0xd6, 0xbd, 0x3f, 0x2e, 0x67), ROLE_NETWORK },
  { NS_GUID_INIT (0x49c85e08, 0xe8a5, 0x49d6, 0x81, 0xea, 0x72, 0x70, 0x53, 0x1e, 0xc8, 0xaf), ROLE_NETWORK },
  { NS_GUID_INIT (0xe16ec3d2, 0xbb0f, 0x4e8f, 0xbd, 0xb8, 0xde, 0x0b, 0xea, 0x82, 0xdc, 0x3d), ROLE_NETWORK },
  { NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d), ROLE_NAMES }, /* DNS-Client */
  { NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56), ROLE_NAMES }, /* NameResolution */
  { NS_GUID_INIT (0x7dd42a49, 0x5329, 0x4832, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88), ROLE_FLOWS }, /* Kernel-Network */
  { NS_GUID_INIT (0x9a280ac0, 0xc8e0, 0x11d1, 0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2), ROLE_FLOWS }, /* TcpIp */
  { NS_GUID_INIT (0xbf3a50c5, 0xa9c9, 0x4988, 0xa0, 0x05, 0x2d, 0xf0, 0xb7, 0xc8, 0x0f, 0x80), ROLE_FLOWS }, /* UdpIp */
  { NS_GUID_INIT (0x2ed6006e, 0x4729, 0x4609, 0xb4, 0x23, 0x3e, 0xe7, 0xbc, 0xd6, 0x78, 0xef), ROLE_PACKETS }, /* NDIS */
  { NS_GUID_INIT (0x4d4f80d9, 0xc8bd, 0x4d73, 0xbb, 0x5b, 0x19, 0xc9, 0x04, 0x02, 0xc5, 0xac), ROLE_PACKETS }, /* PktMon */
  { NS_GUID_INIT (0x3d6fa8d0, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c), ROLE_PROCESS }, /* Process */
  { NS_GUID_INIT (0x3d6fa8d1, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c), ROLE_PROCESS }, /* Thread */
  { NS_GUID_INIT (0x2cb15d1d, 0x5fc1, 0x11d2, 0xab, 0xe1, 0x00, 0xa0, 0xc9, 0x11, 0xf5, 0x18), ROLE_PROCESS }, /* Image */
  { NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde), ROLE_PROCESS }, /* ImageID */
  { NS_GUID_INIT (0x22fb2cd6, 0x0e7b, 0x422b, 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16), ROLE_PROCESS }, /* Kernel-Process */
  { NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12), ROLE_WORK }, /* pools of Windows */
  { NS_GUID_INIT (0x7d44233d, 0x3055, 0x4b9c, 0xba, 0x64, 0x0d, 0x47, 0xca, 0x40, 0xa2, 0x32), ROLE_WORK }, /* WinHttp */
  { NS_GUID_INIT (0xa019725f, 0xcff1, 0x47e8, 0x8c, 0x9e, 0x8f, 0xe2, 0x63, 0x5b, 0x63, 0x88), ROLE_WORK }, /* Office */
  { NS_GUID_INIT (0x559a5658, 0x8100, 0x4d84, 0xb7, 0x56, 0x0a, 0x47, 0xa4, 0x76, 0x28, 0x0c), ROLE_WORK },
  { NS_GUID_INIT (0x8736922d, 0xe8b2, 0x47eb, 0x85, 0x64, 0x23, 0xe7, 0x7e, 0x72, 0x8c, 0xf3), ROLE_WORK },
  { NS_GUID_INIT (0xe13c0d23, 0xccbc, 0x4e12, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4), ROLE_WORK }, /* .NET: names of methods */
  { NS_GUID_INIT (0xa669021c, 0xc450, 0x4609, 0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18), ROLE_WORK },
  { NS_GUID_INIT (0x57277741, 0x3638, 0x4a4b, 0xbd, 0xba, 0x0a, 0xc6, 0xe4, 0x5d, 0xa5, 0x6c), ROLE_WORK },
  { NS_GUID_INIT (0x01853a65, 0x418f, 0x4f36, 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35), ROLE_MACHINE }, /* SystemConfig */
  { NS_GUID_INIT (0x9b79ee91, 0xb5fd, 0x41c0, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0), ROLE_MACHINE }, /* SystemConfigEx */
  { NS_GUID_INIT (0x68fdd900, 0x4a3e, 0x11d1, 0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3), ROLE_HEADER }, /* EventTrace */
  { NS_GUID_INIT (0xdef2fe46, 0x7bd6, 0x4b80, 0xbd, 0x94, 0xf5, 0x7f, 0xe2, 0x0d, 0x0c, 0xe3), ROLE_STACKS }, /* StackWalk */
  { NS_GUID_INIT (0xbbccf6c1, 0x6cd1, 0x48c4, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71), ROLE_DESCRIPTION },
};
/* clang-format on */

static const NsGuid process_class =
    NS_GUID_INIT (0x3d6fa8d0, 0xfe05, 0x11d0, 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);

/* WebIO's records of its thread pool. */
#define FIRST_POOL_ID 59995
/* And of a session that was made. */
#define SESSION_CREATE_ID 5

/* What a number in a record means. */
typedef enum
{
  SENSE_KEY,
  SENSE_HANDLE,
  SENSE_SESSION,
  SENSE_CONNECTION,
} Sense;

/* Something that records mention while a row is open. */
typedef struct
{
  NsTimeSpan span;
  guint32 pid;
  guint64 key;
  guint next;       /* number + 1 of another one with the same key */
  GByteArray *sign; /* (nullable): bytes instead of a key */
} Mention;

typedef struct
{
  NsTableId table;
  guint32 row;
} Place;

typedef struct
{
  const NsTrace *trace;
  GHashTable *visited; /* table and row */
  GArray *queue;       /* Place */
  GArray *mentions;    /* Mention */
  NsMap *by_key;       /* (key, #Sense) → number + 1 */
  GArray *names;       /* Mention with a name */
  GArray *flows;       /* Mention with an address */
  GArray *threads;     /* Mention: key is the thread; rows without any key */
  NsMap *processes;    /* (pid, 0) → 1 */
  NsMap *ancestors;    /* (pid, 0) → 1: of those */
  NsMap *requests;     /* (number of a request that HTTP.sys answers, 0) → 1 */
  NsMap *packets;      /* (time, 0) → 1 */
  NsMap *moments;      /* (raw time of a record that is kept, 0) → 1 */
  NsMap *stack_keys;   /* (key, 0) → 1 */
  NsMap *providers;    /* (number of a provider of which something is kept, 0) → 1 */
  guint8 *kept;
} Choice;

static void
mention_clear (gpointer data)
{
  g_clear_pointer (&((Mention *) data)->sign, g_byte_array_unref);
}

static GArray *
mentions_new (void)
{
  GArray *mentions = g_array_new (FALSE, TRUE, sizeof (Mention));

  g_array_set_clear_func (mentions, mention_clear);
  return mentions;
}

static Role
get_role (const NsRecord *record)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (roles); i++)
    if (ns_guid_equal (&record->guid, &roles[i].guid))
      return roles[i].role == ROLE_NETWORK && i == 0 && record->id >= FIRST_POOL_ID ? ROLE_WORK
                                                                                    : roles[i].role;
  return ROLE_OTHER;
}

static void
add_key (Choice *self, const NsRowEvents *row, guint64 key, Sense sense)
{
  Mention mention = { .span = row->span, .pid = row->pid, .key = key };

  /* Both were made before, for another request perhaps. */
  if (sense == SENSE_SESSION || sense == SENSE_CONNECTION)
    mention.span.begin_ns = G_MININT64;
  mention.next = ns_map_swap (self->by_key, key, sense, self->mentions->len + 1);
  g_array_append_val (self->mentions, mention);
}

/* Handles of WinHTTP are small numbers, so that only what is called a handle can be one. */
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
add_sign (GArray *mentions, const NsRowEvents *row, gconstpointer bytes, gsize size)
{
  Mention mention = { .span = row->span, .pid = row->pid, .sign = g_byte_array_new () };

  g_byte_array_append (mention.sign, bytes, (guint) size);
  g_array_append_val (mentions, mention);
}

static void
add_name (Choice *self, const NsRowEvents *row, const char *name)
{
  glong n_units = 0;
  g_autofree gunichar2 *wide =
      name != NULL ? g_utf8_to_utf16 (name, -1, NULL, &n_units, NULL) : NULL;

  if (n_units > 0)
    add_sign (self->names, row, wide, (gsize) n_units * 2);
}

static void
add_packets (Choice *self, NsRow tcp, NsTimeSpan span)
{
  guint i;

  for (i = 0; i < self->trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);

      if (packet->tcp == tcp && packet->time_ns >= span.begin_ns && packet->time_ns <= span.end_ns)
        ns_map_set (self->packets, (guint64) packet->time_ns, 0, 1);
    }
}

static void
put_port (guint8 *at, guint16 port)
{
  at[0] = (guint8) (port >> 8);
  at[1] = (guint8) port;
}

/* The ports stand side by side in every record of a flow, either one first. */
static void
add_flow (Choice *self, const NsRowEvents *row, const NsEndpoint *local, const NsEndpoint *remote)
{
  guint8 ports[4];

  if (ns_ip_is_empty (&remote->ip) || local->port == 0)
    return;
  put_port (ports, remote->port);
  put_port (ports + 2, local->port);
  add_sign (self->flows, row, ports, sizeof ports);
  put_port (ports, local->port);
  put_port (ports + 2, remote->port);
  add_sign (self->flows, row, ports, sizeof ports);
}

/* HTTP.sys makes the activity of a request from its number. */
static guint64
read_request (const NsGuid *activity)
{
  guint64 request;

  memcpy (&request, activity, sizeof request);
  return GUINT64_FROM_LE (request);
}

/* What is special about a row of some tables. */
static void
add_special (Choice *self, NsTableId table, guint32 row, const NsRowEvents *about)
{
  const NsTrace *trace = self->trace;

  if (table == NS_TABLE_WEBIO)
    {
      add_column (self, table, row, "handle", about, SENSE_HANDLE);
      add_column (self, table, row, "session", about, SENSE_SESSION);
      add_column (self, table, row, "connection", about, SENSE_CONNECTION);
    }
  else if (table == NS_TABLE_DNS)
    add_name (self, about, ns_trace_text (trace, g_array_index (trace->dns, NsDnsRow, row).query));
  else if (table == NS_TABLE_TCP)
    {
      add_packets (self, row + 1, about->span);
      add_flow (self,
                about,
                &g_array_index (trace->tcp, NsTcpRow, row).local,
                &g_array_index (trace->tcp, NsTcpRow, row).remote);
    }
  else if (table == NS_TABLE_KERNEL_NETWORK)
    add_flow (self,
              about,
              &g_array_index (trace->kernel_network, NsKernelNetworkRow, row).local,
              &g_array_index (trace->kernel_network, NsKernelNetworkRow, row).remote);
  else if (table == NS_TABLE_HTTP_SERVER)
    {
      add_column (self, table, row, "connection", about, SENSE_CONNECTION);
      ns_map_set (self->requests,
                  g_array_index (trace->http_server, NsHttpServerRow, row).request,
                  0,
                  1);
    }
  else if (table == NS_TABLE_PACKETS)
    ns_map_set (self->packets,
                (guint64) g_array_index (trace->packets, NsPacketRow, row).time_ns,
                0,
                1);
  else if (table == NS_TABLE_EVENTS)
    self->kept[row] = 1;
}

/* With those that started it, by whose names it is known. */
static void
add_process (Choice *self, guint32 pid, gint64 time_ns)
{
  NsMap *pids = self->processes;

  while (pid != NS_PID_UNKNOWN && ns_map_get (pids, pid, 0) == 0)
    {
      NsRow row = ns_trace_find_process (self->trace, pid, time_ns);

      ns_map_set (pids, pid, 0, 1);
      pids = self->ancestors;
      pid = row != 0 ? g_array_index (self->trace->processes, NsProcessRow, row - 1).parent_pid
                     : NS_PID_UNKNOWN;
    }
}

/* Each row is looked at once, in its turn. */
static void
queue_row (Choice *self, NsTableId table, guint32 row)
{
  Place place = { table, row };
  gint64 *key = g_new (gint64, 1);

  *key = (gint64) table << 32 | row;
  if (g_hash_table_add (self->visited, key))
    g_array_append_val (self->queue, place);
}

/* The rows that this one stands on. */
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

      if (fields[i].type != NS_TYPE_ROW ||
          (!ns_table_from_name (name, &below) && strcmp (name, "parent") != 0))
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
      table != NS_TABLE_EVENTS && table != NS_TABLE_DNS && table != NS_TABLE_PACKETS)
    {
      /* Work of a browser goes from thread to thread. */
      Mention mention = { .span = about->span, .pid = about->pid };

      mention.key = table == NS_TABLE_CHROMIUM ? NS_PID_UNKNOWN : about->tid;
      g_array_append_val (self->threads, mention);
    }
}

static gboolean
is_inside (const Mention *mention, gint64 time_ns)
{
  return time_ns >= mention->span.begin_ns && time_ns <= mention->span.end_ns;
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
      const Mention *mention = &g_array_index (self->choice->mentions, Mention, next - 1);

      if (is_inside (mention, self->record->time_ns) &&
          ns_row_events_means_the_same (mention->pid, value, self->record))
        return TRUE;
      next = mention->next;
    }
  return FALSE;
}

/* Records of HTTP.sys and of WebIO that tell how a connection came to be, and nothing of its
 * requests. */
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
      (is_connecting (self->record) && is_mentioned (self, value, SENSE_CONNECTION));
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
holds (const NsRecord *record, const GByteArray *sign)
{
  const guint8 *at = record->payload;
  gsize left = record->payload_size;

  while (left >= sign->len)
    {
      const guint8 *found = memchr (at, sign->data[0], left - sign->len + 1);

      if (found == NULL)
        return FALSE;
      if (memcmp (found, sign->data, sign->len) == 0)
        return TRUE;
      left -= (gsize) (found - at) + 1;
      at = found + 1;
    }
  return FALSE;
}

/* Whoever asks for a name may ask on behalf of others. */
static gboolean
has_sign (const NsRecord *record, const GArray *mentions)
{
  guint i;

  for (i = 0; i < mentions->len; i++)
    {
      const Mention *mention = &g_array_index (mentions, Mention, i);

      if (is_inside (mention, record->time_ns) && holds (record, mention->sign))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_of_thread (const Choice *self, const NsRecord *record)
{
  guint i;

  for (i = 0; i < self->threads->len; i++)
    {
      const Mention *mention = &g_array_index (self->threads, Mention, i);

      if (mention->pid == record->pid && is_inside (mention, record->time_ns) &&
          (mention->key == NS_PID_UNKNOWN || mention->key == record->tid))
        return TRUE;
    }
  return FALSE;
}

/* Modules of the kernel are everybody's. */
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

static gboolean
is_wanted (const Choice *self, const NsEvent *event)
{
  const NsRecord *record = event->record;

  switch (get_role (record))
    {
    case ROLE_NETWORK:
      return is_of_thread (self, record) || is_of_request (self, record) ||
             mentions_key (self, event);
    case ROLE_NAMES:
      return has_sign (record, self->names) || is_of_thread (self, record);
    case ROLE_FLOWS:
      return has_sign (record, self->flows);
    case ROLE_PACKETS:
      return ns_map_get (self->packets, (guint64) record->time_ns, 0) != 0;
    case ROLE_PROCESS:
      return is_of_process (self, event);
    case ROLE_WORK:
      return record->pid != NS_PID_UNKNOWN && ns_map_get (self->processes, record->pid, 0) != 0;
    case ROLE_MACHINE:
      return TRUE;
    case ROLE_HEADER:
      return record->opcode != 0;
    case ROLE_OTHER:
      return is_of_thread (self, record);
    case ROLE_STACKS:
    case ROLE_DESCRIPTION:
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
}

/* A stack tells the moment of its record, or of a key that another record explains. */
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

/* Of a provider of which nothing is kept nobody needs the layouts. */
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

/* What belongs to records that are kept; definitions may stand before their uses, so that they are
 * looked at last. */
static void
keep_stacks (Choice *self, gboolean definitions)
{
  guint i;

  for (i = 0; i < self->trace->events->len; i++)
    {
      NsEvent event;
      Role role;

      if (self->kept[i] || !ns_event_read (self->trace, i, &event))
        continue;
      role = get_role (event.record);
      if (role == ROLE_STACKS && is_definition (event.record) == definitions &&
          is_stack_of_kept (self, event.record, definitions))
        self->kept[i] = 1;
      else if (definitions && role == ROLE_DESCRIPTION && describes_kept (self, event.record))
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
 * @rows: (array length=n_rows): some of its rows, 0-based
 * @n_rows: how many
 *
 * Returns: (transfer full): for each record of the table of events 1 if the rows stand on it
 */
guint8 *
ns_etl_choice_new (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows)
{
  g_autoptr (GHashTable) visited =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) mentions = mentions_new ();
  g_autoptr (GArray) names = mentions_new ();
  g_autoptr (GArray) flows = mentions_new ();
  g_autoptr (GArray) threads = mentions_new ();
  g_autoptr (NsMap) by_key = ns_map_new ();
  g_autoptr (NsMap) processes = ns_map_new ();
  g_autoptr (NsMap) ancestors = ns_map_new ();
  g_autoptr (NsMap) requests = ns_map_new ();
  g_autoptr (NsMap) packets = ns_map_new ();
  g_autoptr (NsMap) moments = ns_map_new ();
  g_autoptr (NsMap) stack_keys = ns_map_new ();
  g_autoptr (NsMap) providers = ns_map_new ();
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (Place));
  Choice self = { .trace = trace,
                  .visited = visited,
                  .queue = queue,
                  .mentions = mentions,
                  .by_key = by_key,
                  .names = names,
                  .flows = flows,
                  .threads = threads,
                  .processes = processes,
                  .ancestors = ancestors,
                  .requests = requests,
                  .packets = packets,
                  .moments = moments,
                  .stack_keys = stack_keys,
                  .providers = providers };
  gsize i;

  self.kept = g_new0 (guint8, MAX (trace->events->len, 1));
  for (i = 0; i < n_rows; i++)
    queue_row (&self, table, rows[i]);
  for (i = 0; i < queue->len; i++)
    {
      const Place place = g_array_index (queue, Place, i);

      add_row (&self, place.table, place.row);
    }
  choose_records (&self);
  return self.kept;
}
