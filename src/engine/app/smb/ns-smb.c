/* Microsoft-Windows-SMBClient: commands and responses, connects, and the file operations that they
 * are for.
 *
 * Layouts: Windows' manifests of the builds 10240 to 28000 (`providers.md` 1). Shorter payloads
 * have the fields that fit. Pointers are kernel pointers; a reused value means the newest object.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb-private.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/trace/ns-masked.h"

#include <string.h>

/* Returns whether the status is not a failure of the command (`providers.md` 1). */
static gboolean
is_normal (guint32 status, const char *command)
{
  switch (status)
    {
    case NS_SMB_STATUS_PENDING:
    case 0x80000005: /* STATUS_BUFFER_OVERFLOW */
    case 0x80000006: /* STATUS_NO_MORE_FILES */
      return TRUE;
    case 0xc0000016: /* STATUS_MORE_PROCESSING_REQUIRED */
      return command == NULL || strcmp (command, "Session setup") == 0;
    case 0xc0000120: /* STATUS_CANCELLED */
      return command != NULL && strcmp (command, "Change notify") == 0;
    default:
      return status < 0x80000000;
    }
}

/**
 * ns_smb_row_fails: (skip)
 * @row: a row
 * @command: (nullable): its command
 *
 * Returns: whether its status is a failure
 */
gboolean
ns_smb_row_fails (const NsSmbRow *row, const char *command)
{
  return row->layer.status != NS_UNKNOWN && !is_normal ((guint32) row->layer.status, command);
}

static void
pieces_clear (gpointer pieces)
{
  g_byte_array_unref (((NsSmbPieces *) pieces)->bytes);
}

static void
smb_start (NsBuilder *builder)
{
  NsSmb *self = builder->smb = g_new0 (NsSmb, 1);

  self->extras = g_array_new (FALSE, TRUE, sizeof (NsSmbExtra));
  self->vcs = g_array_new (FALSE, TRUE, sizeof (NsSmbVc));
  self->names = g_array_new (FALSE, TRUE, sizeof (NsSmbName));
  self->suspends = g_array_new (FALSE, TRUE, sizeof (NsSmbSuspend));
  self->waits = g_array_new (FALSE, TRUE, sizeof (NsSmbWait));
  self->opened = g_array_new (FALSE, FALSE, sizeof (NsSmbOpened));
  self->pieces = g_array_new (FALSE, FALSE, sizeof (NsSmbPieces));
  g_array_set_clear_func (self->pieces, pieces_clear);
  self->pieces_of = ns_map_new ();
  self->vc_of = ns_map_new ();
  self->vc_of_tid = ns_map_new ();
  self->commands = ns_map_new ();
  self->asyncs = ns_map_new ();
  self->expiring = ns_map_new ();
  self->op_of_rx = ns_map_new ();
  self->op_of_exchange = ns_map_new ();
  self->wait_of = ns_map_new ();
  self->known_rx = ns_map_new ();
}

static void
smb_stop (NsBuilder *builder)
{
  NsSmb *self = builder->smb;

  g_array_unref (self->extras);
  g_array_unref (self->vcs);
  g_array_unref (self->names);
  g_array_unref (self->suspends);
  g_array_unref (self->waits);
  g_array_unref (self->opened);
  g_array_unref (self->pieces);
  ns_map_free (self->pieces_of);
  ns_map_free (self->vc_of);
  ns_map_free (self->vc_of_tid);
  ns_map_free (self->commands);
  ns_map_free (self->asyncs);
  ns_map_free (self->expiring);
  ns_map_free (self->op_of_rx);
  ns_map_free (self->op_of_exchange);
  ns_map_free (self->wait_of);
  ns_map_free (self->known_rx);
  g_clear_pointer (&builder->smb, g_free);
}

static void
add_reconnect (NsBuilder *builder, const NsRecord *record)
{
  NsSmbRow *row = ns_smb_add_row (builder, record, NS_SMB_EVENT);

  row->layer.close_ns = record->time_ns;
  row->command = ns_strings_add (builder->trace->strings, "Reconnect");
}

static void
smb_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case SMB_SUSPEND:
      ns_smb_event_suspend (builder, record);
      break;
    case SMB_RESUME:
      ns_smb_event_resume (builder, record);
      break;
    case SMB_CREDIT_WAIT:
      ns_smb_event_begin_wait (builder, record);
      break;
    case SMB_CREDIT_GOT:
      ns_smb_event_end_wait (builder, record);
      break;
    case SMB_WINDOW_BLOCKED:
      ns_smb_event_block_window (builder, record);
      break;
    case SMB_CONNECT:
      ns_smb_event_begin_connect (builder, record);
      break;
    case SMB_CONNECTED:
      ns_smb_event_end_connect (builder, record);
      break;
    case SMB_RECONNECT:
      add_reconnect (builder, record);
      break;
    case SMB_SEND:
      ns_smb_event_send_command (builder, record);
      break;
    case SMB_RECEIVE:
    case SMB_RECEIVE_INTERIM:
    case SMB_RECEIVE_FINAL:
      ns_smb_event_take_answer (builder, record);
      break;
    case SMB_SESSION_LOST:
    case SMB_SESSION_THERE:
    case SMB_SHARE_LOST:
    case SMB_SHARE_THERE:
      ns_smb_event_take_session (builder, record);
      break;
    case SMB_LOGON_FAILED:
    case SMB_TREE_REFUSED:
      ns_smb_event_take_refusal (builder, record);
      break;
    case SMB_EXPIRED:
      ns_smb_event_expire_command (builder, record);
      break;
    case SMB_SELECTED_INTERFACE:
    case SMB_CONNECT_FAILED:
    case SMB_DISCONNECTED:
    case SMB_CONNECT_FAILED_TOO:
    case SMB_CONNECTION_CHOSEN:
    case SMB_CONNECTION_THERE_TOO:
    case SMB_CONNECTION_THERE:
      ns_smb_event_take_name (builder, record);
      break;
    case SMB_PACKET:
    case SMB_PACKET_PIECE:
      ns_smb_event_take_packet (builder, record);
      break;
    case SMB_BEGIN:
      ns_smb_event_begin_operation (builder, record);
      break;
    case SMB_READ:
    case SMB_WRITE:
    case SMB_CREATE:
    case SMB_CLOSE:
    case SMB_QUERY_DIRECTORY:
    case SMB_FSCTL:
      ns_smb_event_end_operation (builder, record);
      break;
    default:
      if (record->id >= SMB_CACHE_FIRST && record->id <= SMB_CACHE_LAST)
        ns_smb_event_name_file (builder, record);
      break;
    }
}

/* Sorts by begin; rows with equal times by record order. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  NsBuilder *builder = data;
  guint left = *(const guint *) a;
  guint right = *(const guint *) b;
  gint64 left_ns = ns_smb_row (builder, left)->layer.open_ns;
  gint64 right_ns = ns_smb_row (builder, right)->layer.open_ns;

  if (left_ns != right_ns)
    return left_ns < right_ns ? -1 : 1;
  return left < right ? -1 : left > right;
}

/* Returns whether the row is kept: if no begins of operations are recorded, operations are
 * dropped, as their begin is unknown. */
static gboolean
is_kept (const NsBuilder *builder, const NsSmbRow *row)
{
  return builder->smb->has_starts || row->kind != NS_SMB_OPERATION;
}

static void
order_rows (NsBuilder *builder)
{
  GArray *table = builder->trace->smb;
  g_autofree NsSmbRow *rows = g_memdup2 (table->data, (gsize) table->len * sizeof (NsSmbRow));
  g_autofree guint *order = g_new (guint, table->len);
  g_autofree NsRow *renamed = g_new0 (NsRow, (gsize) table->len + 1);
  guint n_kept = 0;
  guint i;

  for (i = 0; i < table->len; i++)
    if (is_kept (builder, &rows[i]))
      order[n_kept++] = i + 1;
  g_qsort_with_data (order, (gint) n_kept, sizeof *order, compare_rows, builder);
  for (i = 0; i < n_kept; i++)
    renamed[order[i]] = i + 1;
  g_array_set_size (table, n_kept);
  for (i = 0; i < n_kept; i++)
    {
      NsSmbRow *row = &g_array_index (table, NsSmbRow, i);

      *row = rows[order[i] - 1];
      row->parent = renamed[row->parent];
    }
}

/* Links the rows, once the rows of connections are written. */
static void
smb_gather (NsBuilder *builder)
{
  if (builder->trace->smb->len == 0)
    return;
  ns_smb_link_connections (builder);
  ns_smb_link_operations (builder);
  ns_smb_link_names (builder);
  ns_smb_link_packets (builder);
  order_rows (builder);
}

static const NsProviderOps smb_ops[] = {
  { NS_GUID_SMB_CLIENT, .correlate = smb_event, .has_stack = ns_stack_match_any },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (smb, NsSmbRow, NULL),
};

const NsPart ns_smb_part = {
  .name = "smb",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = smb_start,
  .write = smb_gather,
  .stop = smb_stop,
  .ops = smb_ops,
  .n_ops = G_N_ELEMENTS (smb_ops),
};
