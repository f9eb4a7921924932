/* Microsoft-Quic and Windows' own MsQuic provider: connections and streams of MsQuic.
 *
 * Layouts: MsQuicEtw.man, and Windows' manifest of the build 18990 for the provider of Windows
 * (`providers.md` 4). Shorter payloads have the fields that fit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/quic/ns-quic-private.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-masked.h"
#include "wire/ns-sockaddr.h"

/* Key of kernel connections in place of a process: kernel pointers are the same in all
 * processes. */
#define KERNEL_KEY G_MAXUINT32
#define KERNEL_PID 4
/* Stream ID that is not assigned yet. */
#define NO_STREAM_ID G_MAXUINT64
/* Bit of a unidirectional stream's ID (RFC 9000 2.1). */
#define ONE_WAY 2
/* QUIC_STATUS values of TLS alerts (user and kernel mode), and of idle connections. */
#define STATUS_ALERT 0x80410100
#define STATUS_ALERT_KERNEL 0xc0240100
/* Transport errors from here on are TLS alerts (RFC 9000 20.1). */
#define TRANSPORT_ALERT 0x100

enum
{
  QUIC_CONNECTION_CREATED = 5120,
  QUIC_CONNECTION_DESTROYED = 5121,
  QUIC_HANDSHAKE_COMPLETE = 5122,
  QUIC_LOCAL_ADDRESS_ADDED = 5127,
  QUIC_REMOTE_ADDRESS_ADDED = 5128,
  QUIC_HANDSHAKE_START = 5132,
  QUIC_TRANSPORT_SHUTDOWN = 5135,
  QUIC_APPLICATION_SHUTDOWN = 5136,
  QUIC_VERSION_SET = 5139,
  QUIC_CONNECTION_RUNDOWN = 5147,
  QUIC_SOURCE_CID_ADDED = 5148,
  QUIC_DESTINATION_CID_ADDED = 5149,
  QUIC_CONNECTION_ERROR = 5156,
  QUIC_CONNECTION_ERROR_STATUS = 5157,
  QUIC_STATS = 5160,
  QUIC_SHUTDOWN_COMPLETE = 5161,
  QUIC_PACKET_STATS = 5174,
  QUIC_STATS_V2 = 5190,
  QUIC_STATS_V3 = 5194,
  QUIC_CONNECTION_LAST = 5631,
  QUIC_STREAM_CREATED = 6144,
  QUIC_STREAM_DESTROYED = 6145,
  QUIC_STREAM_RUNDOWN = 6147,
  QUIC_STREAM_RECEIVE = 6159,
  QUIC_STREAM_SEND = 6161,
  QUIC_TLS_ERROR = 8192,
  QUIC_TLS_ERROR_STATUS = 8193,
};

static void
quic_start (NsBuilder *builder)
{
  NsQuic *self = builder->quic = g_new0 (NsQuic, 1);

  self->connections = ns_map_new ();
  self->streams = ns_map_new ();
}

static void
quic_stop (NsBuilder *builder)
{
  ns_map_free (builder->quic->connections);
  ns_map_free (builder->quic->streams);
  g_clear_pointer (&builder->quic, g_free);
}

static gboolean
is_kernel (const NsRecord *record, guint64 pointer)
{
  return pointer >> (record->pointer_size == 4 ? 31 : 63) != 0;
}

static guint64
key_of (const NsRecord *record, guint64 pointer)
{
  return is_kernel (record, pointer) ? KERNEL_KEY : record->pid;
}

static NsQuicRow *
row_at (NsBuilder *builder, NsRow number)
{
  return number != 0 ? NS_ROW_AT (builder->trace->quic, NsQuicRow, number) : NULL;
}

static NsQuicRow *
add_row (NsBuilder *builder, const NsRecord *record, guint64 pointer, gboolean is_stream)
{
  NsQuicRow row = { .layer = { .pid = record->pid,
                               .tid = record->tid,
                               .open_ns = record->time_ns,
                               .close_ns = NS_TIME_OPEN,
                               .status = NS_UNKNOWN,
                               .confidence = -1 },
                    .correlation = NS_UNKNOWN,
                    .handshake_begin_ns = NS_TIME_NONE,
                    .handshake_end_ns = NS_TIME_NONE,
                    .rtt_us = NS_UNKNOWN,
                    .sent = NS_UNKNOWN,
                    .received = NS_UNKNOWN,
                    .packets_sent = NS_UNKNOWN,
                    .packets_received = NS_UNKNOWN,
                    .packets_suspected = NS_UNKNOWN,
                    .packets_spurious = NS_UNKNOWN,
                    .packets_dropped = NS_UNKNOWN,
                    .packets_reordered = NS_UNKNOWN,
                    .congestion_events = NS_UNKNOWN,
                    .shut_by_peer = -1,
                    .server_side = -1,
                    .is_stream = is_stream,
                    .is_kernel = is_kernel (record, pointer) };

  if (is_stream)
    row.stream = pointer;
  else
    row.connection = pointer;
  if (row.is_kernel)
    row.layer.pid = KERNEL_PID;
  else if (record->pid == 0)
    row.layer.pid = NS_PID_UNKNOWN;
  g_array_append_val (builder->trace->quic, row);
  return NS_ROW_AT (builder->trace->quic, NsQuicRow, builder->trace->quic->len);
}

static void
mark_before (NsQuicRow *row)
{
  row->layer.opened_before_trace = TRUE;
  row->layer.open_ns = 0;
  row->layer.tid = NS_PID_UNKNOWN;
}

/* Returns the newest row with the pointer, unless it has ended. */
static NsQuicRow *
find (NsBuilder *builder, const NsMap *map, const NsRecord *record, guint64 pointer)
{
  NsQuicRow *row = row_at (builder, ns_map_get (map, key_of (record, pointer), pointer));

  return row != NULL && !row->has_ended ? row : NULL;
}

static void
end_row (NsQuicRow *row, gint64 time_ns)
{
  row->layer.close_ns = MAX (time_ns, row->layer.open_ns);
  row->has_ended = TRUE;
}

/* Adds a row for an unknown connection, which began before the trace. */
static NsQuicRow *
need_connection (NsBuilder *builder, const NsRecord *record, guint64 pointer)
{
  NsQuicRow *row = find (builder, builder->quic->connections, record, pointer);

  if (row != NULL)
    return row;
  row = add_row (builder, record, pointer, FALSE);
  mark_before (row);
  ns_map_set (builder->quic->connections,
              key_of (record, pointer),
              pointer,
              builder->trace->quic->len);
  return row;
}

static void
explain (NsBuilder *builder, const NsRecord *record, NsQuicRow *row)
{
  row->layer.stack = ns_stack_match_find (builder, record);
  row->layer.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row->layer.link);
}

/* Handles events 5120 and 5147: a connection begins. */
static void
begin_connection (NsBuilder *builder, const NsRecord *record, guint64 pointer, NsCursor *cursor)
{
  NsQuic *self = builder->quic;
  gboolean is_new = record->id == QUIC_CONNECTION_CREATED;
  NsQuicRow *row = find (builder, self->connections, record, pointer);
  guint32 is_server;
  guint64 correlation;

  if (is_new)
    {
      /* A connection that was shut down ends at the latest when its pointer is reused. */
      if (row != NULL)
        end_row (row, MIN (row->layer.close_ns, record->time_ns - 1));
      row = add_row (builder, record, pointer, FALSE);
      ns_map_set (self->connections, key_of (record, pointer), pointer, builder->trace->quic->len);
      explain (builder, record, row);
    }
  else if (row == NULL)
    row = need_connection (builder, record, pointer);
  is_server = ns_cursor_u32 (cursor);
  if (ns_cursor_ok (cursor))
    row->server_side = is_server != 0;
  correlation = ns_cursor_u64 (cursor);
  if (ns_cursor_ok (cursor) && correlation <= G_MAXINT64)
    row->correlation = (gint64) correlation;
}

/* Sets an address: the first one is kept; later ones only count as paths. */
static void
add_address (NsQuicRow *row, NsEndpoint *end, NsCursor *cursor)
{
  guint8 size = ns_cursor_u8 (cursor);
  NsEndpoint address;

  if (size == 0 || !ns_sockaddr_take (cursor, size, &address))
    return;
  if (row->n_paths == 0)
    row->n_paths = 1;
  if (ns_endpoint_is_empty (end))
    *end = address;
  else if (!ns_endpoint_equal (end, &address))
    row->n_paths++;
}

static void
add_cid (NsBuilder *builder, const NsRecord *record, GArray **cids, NsCursor *cursor)
{
  char text[2 * G_MAXUINT8 + 1];
  const guint8 *bytes;
  NsString id;
  guint8 size;
  guint i;

  if (ns_guid_equal (&record->guid, &(NsGuid) NS_GUID_MSQUIC))
    ns_cursor_u64 (cursor); /* SequenceNumber */
  size = ns_cursor_u8 (cursor);
  bytes = ns_cursor_take (cursor, size);
  if (!ns_cursor_ok (cursor) || size == 0)
    return;
  for (i = 0; i < size; i++)
    g_snprintf (text + 2 * (gsize) i, 3, "%02x", bytes[i]);
  id = ns_strings_add_len (builder->trace->strings, text, 2 * (gsize) size);
  if (*cids == NULL)
    *cids = g_array_new (FALSE, FALSE, sizeof (NsString));
  for (i = 0; i < (*cids)->len; i++)
    if (g_array_index (*cids, NsString, i) == id)
      return;
  if ((*cids)->len < NS_QUIC_MAX_CIDS)
    g_array_append_val (*cids, id);
}

/* Handles events 5135 and 5136: the first one has the cause of the shutdown. */
static void
shut (NsQuicRow *row, const NsRecord *record, NsCursor *cursor)
{
  guint64 code = ns_cursor_u64 (cursor);
  gboolean is_remote = ns_cursor_u8 (cursor) != 0;
  gboolean is_status;
  guint32 status = (guint32) code;

  if (!ns_cursor_ok (cursor) || row->shutdown != NS_QUIC_NOT_SHUT)
    return;
  row->shut_by_peer = is_remote;
  if (record->id == QUIC_APPLICATION_SHUTDOWN)
    {
      row->shutdown = NS_QUIC_SHUT_APPLICATION;
      row->status_family = NS_CODE_HTTP3;
      row->layer.status = (gint64) MIN (code, G_MAXINT64);
      return;
    }
  row->shutdown = NS_QUIC_SHUT_TRANSPORT;
  is_status = ns_cursor_u8 (cursor) != 0 && ns_cursor_ok (cursor);
  if (!is_status)
    {
      row->status_family = NS_CODE_QUIC_TRANSPORT;
      row->layer.status = (gint64) MIN (code, G_MAXINT64);
      row->has_alert = code >= TRANSPORT_ALERT && code <= TRANSPORT_ALERT + G_MAXUINT8;
      row->alert = (guint8) code;
      return;
    }
  row->status_family = row->is_kernel ? NS_CODE_NTSTATUS : NS_CODE_HRESULT;
  row->layer.status = status;
  row->has_alert = (status & ~0xffu) == (row->is_kernel ? STATUS_ALERT_KERNEL : STATUS_ALERT);
  row->alert = (guint8) status;
}

static void
set_error_text (NsBuilder *builder, const NsRecord *record, NsQuicRow *row, NsCursor *cursor)
{
  const char *text;
  gsize n;

  if (record->id == QUIC_CONNECTION_ERROR_STATUS || record->id == QUIC_TLS_ERROR_STATUS)
    ns_cursor_u32 (cursor); /* Status */
  text = ns_cursor_astr (cursor, &n);
  if (text != NULL && n > 0)
    row->error_text =
        ns_masked_text (builder->trace, ns_strings_add_len (builder->trace->strings, text, n));
}

static gint64
take_count (NsCursor *cursor, gint64 before)
{
  guint64 count = ns_cursor_u64 (cursor);

  return ns_cursor_ok (cursor) ? (gint64) MIN (count, G_MAXINT64) : before;
}

static gint64
take_count32 (NsCursor *cursor, gint64 before)
{
  guint32 count = ns_cursor_u32 (cursor);

  return ns_cursor_ok (cursor) ? (gint64) count : before;
}

static void
take_packet_stats (NsQuicRow *row, NsCursor *cursor)
{
  row->packets_sent = take_count (cursor, row->packets_sent);
  row->packets_suspected = take_count (cursor, row->packets_suspected);
  row->packets_spurious = take_count (cursor, row->packets_spurious);
  row->packets_received = take_count (cursor, row->packets_received);
  row->packets_reordered = take_count (cursor, row->packets_reordered);
  row->packets_dropped = take_count (cursor, row->packets_dropped);
  ns_cursor_u64 (cursor); /* RecvDuplicatePackets */
  ns_cursor_u64 (cursor); /* RecvDecryptionFailures */
}

/* Sets the totals; later events replace earlier ones. The provider of Windows has all of them in
 * one event. */
static void
take_stats (NsBuilder *builder, const NsRecord *record, NsQuicRow *row, NsCursor *cursor)
{
  gboolean is_windows = !ns_guid_equal (&record->guid, &(NsGuid) NS_GUID_MSQUIC);
  const char *name;
  gsize n;

  if (is_windows)
    {
      ns_cursor_u64 (cursor); /* LifeTimeUs */
      take_packet_stats (row, cursor);
    }
  else if (record->id == QUIC_STATS_V3)
    row->rtt_us = take_count (cursor, row->rtt_us);
  else
    row->rtt_us = take_count32 (cursor, row->rtt_us);
  row->congestion_events = take_count32 (cursor, row->congestion_events);
  ns_cursor_u32 (cursor); /* PersistentCongestionCount */
  row->sent = take_count (cursor, row->sent);
  row->received = take_count (cursor, row->received);
  if (is_windows)
    {
      row->rtt_us = take_count32 (cursor, row->rtt_us);
      return;
    }
  ns_cursor_u32 (cursor); /* CongestionWindow */
  name = ns_cursor_astr (cursor, &n);
  if (name != NULL && n > 0)
    row->congestion_control = ns_strings_add_len (builder->trace->strings, name, n);
}

static void
connection_event (NsBuilder *builder, const NsRecord *record)
{
  NsQuicRow *row;
  NsCursor cursor;
  guint64 pointer;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor) || pointer == 0)
    return;
  if (record->id == QUIC_CONNECTION_CREATED || record->id == QUIC_CONNECTION_RUNDOWN)
    {
      begin_connection (builder, record, pointer, &cursor);
      return;
    }
  row = need_connection (builder, record, pointer);
  if (row->layer.pid == NS_PID_UNKNOWN && record->pid != 0)
    row->layer.pid = record->pid;
  switch (record->id)
    {
    case QUIC_CONNECTION_DESTROYED:
      end_row (row, record->time_ns);
      break;
    case QUIC_SHUTDOWN_COMPLETE:
      row->layer.close_ns = record->time_ns;
      break;
    case QUIC_HANDSHAKE_START:
      if (!ns_time_is_set (row->handshake_begin_ns))
        row->handshake_begin_ns = record->time_ns;
      break;
    case QUIC_HANDSHAKE_COMPLETE:
      row->handshake_end_ns = record->time_ns;
      row->has_handshake = TRUE;
      break;
    case QUIC_LOCAL_ADDRESS_ADDED:
      add_address (row, &row->local, &cursor);
      break;
    case QUIC_REMOTE_ADDRESS_ADDED:
      add_address (row, &row->remote, &cursor);
      break;
    case QUIC_VERSION_SET:
      row->version = ns_cursor_u32 (&cursor);
      break;
    case QUIC_SOURCE_CID_ADDED:
      add_cid (builder, record, &row->source_cids, &cursor);
      break;
    case QUIC_DESTINATION_CID_ADDED:
      add_cid (builder, record, &row->destination_cids, &cursor);
      break;
    case QUIC_TRANSPORT_SHUTDOWN:
    case QUIC_APPLICATION_SHUTDOWN:
      shut (row, record, &cursor);
      break;
    case QUIC_CONNECTION_ERROR:
    case QUIC_CONNECTION_ERROR_STATUS:
    case QUIC_TLS_ERROR:
    case QUIC_TLS_ERROR_STATUS:
      set_error_text (builder, record, row, &cursor);
      break;
    case QUIC_STATS:
    case QUIC_STATS_V2:
    case QUIC_STATS_V3:
      take_stats (builder, record, row, &cursor);
      break;
    case QUIC_PACKET_STATS:
      take_packet_stats (row, &cursor);
      break;
    default:
      break;
    }
}

static NsQuicRow *
need_stream (NsBuilder *builder, const NsRecord *record, guint64 pointer)
{
  NsQuicRow *row = find (builder, builder->quic->streams, record, pointer);

  if (row != NULL)
    return row;
  row = add_row (builder, record, pointer, TRUE);
  mark_before (row);
  ns_map_set (builder->quic->streams, key_of (record, pointer), pointer, builder->trace->quic->len);
  return row;
}

/* Handles events 6144 and 6147: a stream begins. */
static void
begin_stream (NsBuilder *builder, const NsRecord *record, guint64 pointer, NsCursor *cursor)
{
  guint64 connection = ns_cursor_ptr (cursor, record->pointer_size);
  NsQuicRow *row;
  NsRow parent = 0;
  NsRow number;
  guint64 id;
  guint8 is_local;

  if (ns_cursor_ok (cursor) && connection != 0)
    {
      need_connection (builder, record, connection);
      parent = ns_map_get (builder->quic->connections, key_of (record, connection), connection);
    }
  row = find (builder, builder->quic->streams, record, pointer);
  if (record->id == QUIC_STREAM_RUNDOWN)
    row = need_stream (builder, record, pointer);
  else
    {
      if (row != NULL)
        end_row (row, record->time_ns - 1);
      row = add_row (builder, record, pointer, TRUE);
      number = builder->trace->quic->len;
      ns_map_set (builder->quic->streams, key_of (record, pointer), pointer, number);
      explain (builder, record, row);
    }
  row->connection = connection;
  row->parent = parent;
  id = ns_cursor_u64 (cursor);
  if (ns_cursor_ok (cursor) && id != NO_STREAM_ID)
    {
      row->stream_id = id;
      row->has_stream_id = TRUE;
    }
  is_local = ns_cursor_u8 (cursor);
  if (ns_cursor_ok (cursor))
    row->server_side = is_local == 0;
}

static void
stream_event (NsBuilder *builder, const NsRecord *record)
{
  NsQuicRow *row;
  NsCursor cursor;
  guint64 pointer;
  gint64 *count;
  guint64 n_bytes;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor) || pointer == 0)
    return;
  switch (record->id)
    {
    case QUIC_STREAM_CREATED:
    case QUIC_STREAM_RUNDOWN:
      begin_stream (builder, record, pointer, &cursor);
      break;
    case QUIC_STREAM_DESTROYED:
      end_row (need_stream (builder, record, pointer), record->time_ns);
      break;
    case QUIC_STREAM_RECEIVE:
    case QUIC_STREAM_SEND:
      row = need_stream (builder, record, pointer);
      count = record->id == QUIC_STREAM_SEND ? &row->sent : &row->received;
      n_bytes = ns_cursor_u64 (&cursor);
      if (ns_cursor_ok (&cursor) && n_bytes <= (guint64) (G_MAXINT64 - MAX (*count, 0)))
        *count = MAX (*count, 0) + (gint64) n_bytes;
      builder->quic->has_stream_bytes = TRUE;
      break;
    default:
      break;
    }
}

static void
quic_event (NsBuilder *builder, const NsRecord *record)
{
  if ((record->id >= QUIC_CONNECTION_CREATED && record->id <= QUIC_CONNECTION_LAST) ||
      record->id == QUIC_TLS_ERROR || record->id == QUIC_TLS_ERROR_STATUS)
    connection_event (builder, record);
  else
    stream_event (builder, record);
}

/* Ends a stream. If stream bytes are recorded at all, a stream without recorded bytes
 * transferred none. */
static void
end_stream (const NsQuic *self, NsQuicRow *row)
{
  gboolean is_one_way = row->has_stream_id && (row->stream_id & ONE_WAY) != 0;

  if (!self->has_stream_bytes)
    return;
  row->sent = MAX (row->sent, 0);
  row->received = MAX (row->received, 0);
  if (is_one_way && row->server_side == 0 && row->received == 0)
    row->received = NS_UNKNOWN;
  if (is_one_way && row->server_side > 0 && row->sent == 0)
    row->sent = NS_UNKNOWN;
}

typedef struct
{
  gint64 open_ns;
  NsRow row;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *left = a;
  const Place *right = b;

  if (left->open_ns != right->open_ns)
    return left->open_ns < right->open_ns ? -1 : 1;
  return (left->row > right->row) - (left->row < right->row);
}

/* Sorts by begin; streams follow their connections. */
static void
order_rows (NsTrace *trace)
{
  guint n = trace->quic->len;
  g_autofree Place *places = g_new (Place, n);
  g_autofree NsQuicRow *rows = g_memdup2 (trace->quic->data, n * sizeof (NsQuicRow));
  g_autofree NsRow *renamed = g_new0 (NsRow, (gsize) n + 1);
  guint i;

  for (i = 0; i < n; i++)
    places[i] = (Place){ rows[i].layer.open_ns, i + 1 };
  qsort (places, n, sizeof *places, compare_places);
  for (i = 0; i < n; i++)
    renamed[places[i].row] = i + 1;
  for (i = 0; i < n; i++)
    {
      NsQuicRow *row = &g_array_index (trace->quic, NsQuicRow, i);

      *row = rows[places[i].row - 1];
      row->parent = renamed[row->parent];
    }
}

/* Links the connections, once the rows of flows are written. */
static void
quic_gather (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  if (trace->quic->len == 0)
    return;
  for (i = 0; i < trace->quic->len; i++)
    {
      NsQuicRow *row = &g_array_index (trace->quic, NsQuicRow, i);

      if (row->is_stream)
        end_stream (builder->quic, row);
      else if (row->layer.opened_before_trace && row->sent != NS_UNKNOWN)
        row->layer.evidence[0] = "totals";
    }
  order_rows (trace);
  ns_quic_join (builder);
}

static const NsProviderOps quic_ops[] = {
  { NS_GUID_MSQUIC, .correlate = quic_event, .has_stack = ns_stack_match_any },
  { NS_GUID_WINQUIC, .correlate = quic_event, .has_stack = ns_stack_match_any },
};

static void
clear_quic (gpointer data)
{
  NsQuicRow *row = data;

  g_clear_pointer (&row->source_cids, g_array_unref);
  g_clear_pointer (&row->destination_cids, g_array_unref);
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (quic, NsQuicRow, clear_quic),
};

const NsPart ns_quic_part = {
  .name = "quic",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = quic_start,
  .write = quic_gather,
  .tie = ns_quic_settle,
  .stop = quic_stop,
  .ops = quic_ops,
  .n_ops = G_N_ELEMENTS (quic_ops),
};
