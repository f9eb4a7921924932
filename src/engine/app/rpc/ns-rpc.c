/* Microsoft-Windows-RPC: calls of clients and servers.
 *
 * Layouts: Windows' manifests of the builds 7600 to 18990, all of version 1 (`providers.md` 5).
 * Shorter payloads have the fields that fit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/rpc/ns-rpc-private.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/tcpip/ns-tcpip-payload.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-masked.h"
#include "engine/trace/ns-take-text.h"

#include <string.h>

enum
{
  RPC_ERROR = 1,
  RPC_BLOCKED = 2,
  RPC_EXTENDED_ERROR = 3,
  RPC_CLIENT_START = 5,
  RPC_SERVER_START = 6,
  RPC_CLIENT_STOP = 7,
  RPC_SERVER_STOP = 8,
};

/* Maximum number of open calls searched per activity ID or thread. */
#define MAX_OPEN 64

static void
rpc_start (NsBuilder *builder)
{
  NsRpc *self = builder->rpc = g_new0 (NsRpc, 1);

  self->open = g_array_new (FALSE, FALSE, sizeof (NsRpcOpen));
  self->sends = g_array_new (FALSE, FALSE, sizeof (NsRpcSend));
  self->by_id = ns_map_new ();
  self->newest = ns_map_new ();
  self->server_of_tid = ns_map_new ();
  self->callers = ns_map_new ();
}

static void
rpc_stop (NsBuilder *builder)
{
  NsRpc *self = builder->rpc;

  g_array_unref (self->open);
  g_array_unref (self->sends);
  ns_map_free (self->by_id);
  ns_map_free (self->newest);
  ns_map_free (self->server_of_tid);
  ns_map_free (self->callers);
  g_clear_pointer (&builder->rpc, g_free);
}

static NsRpcRow *
rpc_row (NsBuilder *builder, NsRow row)
{
  return NS_ROW_AT (builder->trace->rpc, NsRpcRow, row);
}

static NsRpcRow *
add_row (NsBuilder *builder, const NsRecord *record, gboolean is_server)
{
  GArray *table = builder->trace->rpc;
  NsRpcRow row = { .layer = { .pid = record->pid,
                              .tid = record->tid,
                              .open_ns = record->time_ns,
                              .close_ns = NS_TIME_OPEN,
                              .status = NS_UNKNOWN,
                              .confidence = -1 },
                   .activity_id = record->activity,
                   .opnum = NS_UNKNOWN,
                   .extended = NS_UNKNOWN,
                   .auth_level = G_MAXUINT32,
                   .auth_service = G_MAXUINT32,
                   .is_server = is_server };

  g_array_append_val (table, row);
  return &g_array_index (table, NsRpcRow, table->len - 1);
}

/* Reads a text; the provider writes `NULL` for a missing one. */
static NsString
take_text (NsBuilder *builder, NsCursor *cursor)
{
  NsString text = ns_take_text (builder->trace->strings, cursor);

  if (text == NS_STRING_NONE || strcmp (ns_trace_text (builder->trace, text), "NULL") == 0)
    return NS_STRING_NONE;
  return ns_masked_text (builder->trace, text);
}

static guint32
take_number (NsCursor *cursor)
{
  guint32 number = ns_cursor_u32 (cursor);

  return ns_cursor_ok (cursor) ? number : G_MAXUINT32;
}

/* Computes the key of a call: process and activity ID; without an activity ID, the thread. */
static void
make_key (const NsRecord *record, gboolean is_server, guint64 *a, guint64 *b)
{
  if (ns_guid_is_zero (&record->activity))
    {
      *a = record->tid;
      *b = G_MAXUINT64 - is_server;
      return;
    }
  *a = ns_guid_low (&record->activity) ^ ((guint64) record->pid << 1 | is_server);
  *b = ns_guid_high (&record->activity);
}

static void
begin_call (NsBuilder *builder, const NsRecord *record)
{
  NsRpc *self = builder->rpc;
  gboolean is_server = record->id == RPC_SERVER_START;
  NsRpcOpen open = { 0 };
  NsCursor cursor;
  NsGuid interface_id;
  NsRpcRow *row;
  guint64 a;
  guint64 b;

  ns_record_cursor (record, &cursor);
  ns_cursor_guid (&cursor, &interface_id);
  if (!ns_cursor_ok (&cursor))
    return;
  row = add_row (builder, record, is_server);
  row->interface_id = interface_id;
  ns_record_get_related_activity (record, &row->related_id);
  row->opnum = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    row->opnum = NS_UNKNOWN;
  row->protocol = ns_cursor_u32 (&cursor);
  row->address = take_text (builder, &cursor);
  row->endpoint = take_text (builder, &cursor);
  take_text (builder, &cursor); /* options may contain secrets and are not kept */
  row->auth_level = take_number (&cursor);
  row->auth_service = take_number (&cursor);
  row->layer.stack = ns_stack_match_find (builder, record);
  row->layer.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row->layer.link);

  make_key (record, is_server, &a, &b);
  open.row = builder->trace->rpc->len;
  open.next = ns_map_get (self->by_id, a, b);
  g_array_append_val (self->open, open);
  ns_map_set (self->by_id, a, b, self->open->len);
  ns_map_set (self->newest,
              ns_guid_low (&record->activity),
              ns_guid_high (&record->activity),
              open.row);
  if (is_server)
    ns_map_set (self->server_of_tid, record->tid, 0, open.row);
  else if (row->protocol == NS_RPC_TCP)
    ns_map_set (self->callers, record->tid, 0, open.row);
}

/* R1: returns the newest open call of the thread, else the newest open one. */
static NsRpcRow *
find_open (NsBuilder *builder, const NsRecord *record, gboolean is_server)
{
  NsRpc *self = builder->rpc;
  guint n_left = MAX_OPEN;
  NsRpcRow *newest = NULL;
  guint32 first;
  guint32 i;
  guint64 a;
  guint64 b;

  make_key (record, is_server, &a, &b);
  first = ns_map_get (self->by_id, a, b);
  /* Drop ended calls at the head of the chain. */
  while (first != 0)
    {
      const NsRpcOpen *open = &g_array_index (self->open, NsRpcOpen, first - 1);

      if (rpc_row (builder, open->row)->layer.close_ns == NS_TIME_OPEN)
        break;
      first = open->next;
    }
  ns_map_set (self->by_id, a, b, first);
  for (i = first; i != 0 && n_left > 0; n_left--)
    {
      const NsRpcOpen *open = &g_array_index (self->open, NsRpcOpen, i - 1);
      NsRpcRow *row = rpc_row (builder, open->row);

      i = open->next;
      if (row->layer.close_ns != NS_TIME_OPEN || row->layer.pid != record->pid)
        continue;
      if (row->layer.tid == record->tid)
        return row;
      if (newest == NULL)
        newest = row;
    }
  return newest;
}

static void
end_call (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_server = record->id == RPC_SERVER_STOP;
  NsRpcRow *row = find_open (builder, record, is_server);
  NsCursor cursor;
  guint32 status;

  if (row == NULL)
    {
      row = add_row (builder, record, is_server);
      row->layer.open_ns = 0;
      row->layer.opened_before_trace = TRUE;
    }
  row->layer.close_ns = record->time_ns;
  ns_record_cursor (record, &cursor);
  status = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor))
    row->layer.status = status;
}

/* R4: handles a call blocked by a filter. */
static void
block_call (NsBuilder *builder, const NsRecord *record)
{
  NsRow number = ns_map_get (builder->rpc->server_of_tid, record->tid, 0);
  NsRpcRow *row = number != 0 ? rpc_row (builder, number) : NULL;
  NsCursor cursor;
  NsGuid interface_id;
  gsize n;

  ns_record_cursor (record, &cursor);
  ns_cursor_wstr (&cursor, &n); /* image name */
  ns_cursor_guid (&cursor, &interface_id);
  if (row == NULL || row->layer.close_ns != NS_TIME_OPEN || row->layer.pid != record->pid ||
      (ns_cursor_ok (&cursor) && !ns_guid_equal (&interface_id, &row->interface_id)))
    return;
  row->is_blocked = TRUE;
}

static void
take_extended (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  NsRow number;
  guint32 status;
  gsize n;

  if (ns_guid_is_zero (&record->activity))
    return;
  number = ns_map_get (builder->rpc->newest,
                       ns_guid_low (&record->activity),
                       ns_guid_high (&record->activity));
  if (number == 0)
    return;
  ns_record_cursor (record, &cursor);
  ns_cursor_wstr (&cursor, &n); /* image name */
  if (record->id == RPC_ERROR)
    {
      ns_cursor_wstr (&cursor, &n);         /* ComputerName, */
      ns_cursor_skip (&cursor, 4 + 16 + 4); /* ProcessID, TimeStamp, GeneratingComponent */
    }
  else
    ns_cursor_u16 (&cursor); /* DetectionLocation */
  status = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor) && status != 0 && rpc_row (builder, number)->extended == NS_UNKNOWN)
    rpc_row (builder, number)->extended = status;
}

static void
rpc_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case RPC_ERROR:
    case RPC_EXTENDED_ERROR:
      take_extended (builder, record);
      break;
    case RPC_BLOCKED:
      block_call (builder, record);
      break;
    case RPC_CLIENT_START:
    case RPC_SERVER_START:
      begin_call (builder, record);
      break;
    case RPC_CLIENT_STOP:
    case RPC_SERVER_STOP:
      end_call (builder, record);
      break;
    default:
      break;
    }
}

/* Handles a send by the thread of an open call, which most likely belongs to the call. */
static void
tcpip_event (NsBuilder *builder, const NsRecord *record)
{
  NsRpc *self = builder->rpc;
  NsRpcSend send = { .time_ns = record->time_ns, .tid = record->tid };
  NsCursor cursor;
  NsRow caller;

  if (record->id != NS_TCPIP_SEND_POSTED || self->open->len == 0)
    return;
  caller = ns_map_get (self->callers, record->tid, 0);
  if (caller == 0 || rpc_row (builder, caller)->layer.close_ns != NS_TIME_OPEN)
    return;
  ns_record_cursor (record, &cursor);
  send.tcb = ns_cursor_ptr (&cursor, record->pointer_size);
  if (ns_cursor_ok (&cursor))
    g_array_append_val (self->sends, send);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const NsRpcRow *left = a;
  const NsRpcRow *right = b;

  return (left->layer.open_ns > right->layer.open_ns) -
         (left->layer.open_ns < right->layer.open_ns);
}

/* Sorts the rows: those from before the trace come first; g_array_sort() is stable, so the
 * others keep record order. */
static void
rpc_finish (NsBuilder *builder)
{
  g_array_sort (builder->trace->rpc, compare_rows);
}

/* Runs after the rows of connections, pipes and requests are written. */
static void
rpc_gather (NsBuilder *builder)
{
  if (builder->trace->rpc->len > 0)
    ns_rpc_link_rows (builder);
}

static const NsProviderOps rpc_ops[] = {
  { NS_GUID_RPC, .correlate = rpc_event, .has_stack = ns_stack_match_any },
  { NS_GUID_TCPIP, .correlate = tcpip_event },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (rpc, NsRpcRow, NULL),
};

const NsPart ns_rpc_part = {
  .name = "rpc",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = rpc_start,
  .number = rpc_finish,
  .write = rpc_gather,
  .stop = rpc_stop,
  .ops = rpc_ops,
  .n_ops = G_N_ELEMENTS (rpc_ops),
};
