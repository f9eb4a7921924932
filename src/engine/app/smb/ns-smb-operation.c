/* File operations of the SMB client, and their waits (`providers.md` 1 O1 to O4).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb-private.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"

#include "wire/ns-wire-smb2.h"

/* Ends an operation when its context is reused by the next one. */
static void
end_before (NsBuilder *builder, NsRow number, gint64 time_ns)
{
  NsSmbExtra *extra = ns_smb_extra (builder, number);
  const NsSmbRow *row = ns_smb_row (builder, number);

  if (extra->end_ns == NS_TIME_OPEN && extra->resumed_ns == NS_TIME_NONE)
    extra->end_ns = MAX (time_ns - 1, row->layer.open_ns);
}

void
ns_smb_event_begin_operation (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsCursor cursor;
  guint64 rx;
  NsString path;
  guint major;
  guint minor;
  NsRow before;
  NsSmbRow *row;
  NsSmbExtra *extra;
  const char *name = NULL;

  ns_record_cursor (record, &cursor);
  rx = ns_smb_take_context (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  path = ns_smb_take_text (builder, &cursor);
  major = ns_cursor_u8 (&cursor);
  if (ns_cursor_ok (&cursor))
    {
      minor = ns_cursor_u8 (&cursor);
      name = ns_smb_command_of_irp (major, ns_cursor_ok (&cursor) ? minor : 0);
    }
  self->has_starts = TRUE;
  row = ns_smb_add_row (builder, record, NS_SMB_OPERATION);
  row->credit_wait_ns = 0;
  if (name != NULL)
    row->command = ns_strings_add (builder->trace->strings, name);
  row->layer.stack = ns_stack_match_find (builder, record);
  row->layer.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row->layer.link);
  extra = ns_smb_extra (builder, ns_smb_last_row (builder));
  extra->rx = rx;
  extra->path = path;
  before = ns_map_swap (self->op_of_rx, rx, 0, ns_smb_last_row (builder));
  if (before != 0)
    end_before (builder, before, record->time_ns);
  ns_map_set (self->known_rx, rx, 0, 1);
}

/* Handles the summary of an operation. An operation without a begin was open before the trace,
 * unless the trace records no begins. */
void
ns_smb_event_end_operation (NsBuilder *builder, const NsRecord *record)
{
  static const guint8 commands[] = { 8, 9, 5, 6, 14, 11 };
  NsSmb *self = builder->smb;
  gint64 n_bytes = NS_UNKNOWN;
  NsCursor cursor;
  guint64 rx;
  NsRow number;
  NsSmbRow *row;

  ns_record_cursor (record, &cursor);
  rx = ns_smb_take_context (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  if (record->version >= 2 && (record->id == SMB_READ || record->id == SMB_WRITE))
    {
      guint64 count;

      ns_cursor_skip (&cursor, 1 + 8 + 8); /* InstanceId, FileObject, IRP */
      count = ns_cursor_u64 (&cursor);
      if (ns_cursor_ok (&cursor) && count <= G_MAXINT64)
        n_bytes = (gint64) count;
    }
  number = ns_map_take (self->op_of_rx, rx, 0);
  if (number == 0)
    {
      if (ns_map_get (self->known_rx, rx, 0) != 0)
        return;
      row = ns_smb_add_row (builder, record, NS_SMB_OPERATION);
      ns_smb_set_before_trace (row);
      number = ns_smb_last_row (builder);
      row->command =
          ns_strings_add (builder->trace->strings,
                          ns_wire_smb2_get_command_name (commands[record->id - SMB_READ]));
      ns_map_set (self->known_rx, rx, 0, 1);
    }
  row = ns_smb_row (builder, number);
  ns_smb_extra (builder, number)->end_ns = record->time_ns;
  ns_smb_extra (builder, number)->is_summed = TRUE;
  if (record->id == SMB_READ)
    row->received = n_bytes;
  else
    row->sent = n_bytes;
}

void
ns_smb_event_suspend (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsSmbSuspend suspend = { .time_ns = record->time_ns, .tid = record->tid };
  NsCursor cursor;
  guint64 exchange;

  ns_record_cursor (record, &cursor);
  suspend.op = ns_map_get (self->op_of_rx, ns_smb_take_pointer (&cursor, record), 0);
  exchange = ns_smb_take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  ns_map_set (self->op_of_exchange, exchange, 0, suspend.op);
  if (suspend.op != 0)
    g_array_append_val (self->suspends, suspend);
}

void
ns_smb_event_resume (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 exchange;
  guint32 status;
  NsRow number;

  ns_record_cursor (record, &cursor);
  number = ns_map_get (builder->smb->op_of_rx, ns_smb_take_pointer (&cursor, record), 0);
  exchange = ns_smb_take_pointer (&cursor, record);
  if (!ns_cursor_ok (&cursor))
    return;
  ns_map_take (builder->smb->op_of_exchange, exchange, 0);
  if (number == 0)
    return;
  ns_smb_extra (builder, number)->resumed_ns = record->time_ns;
  ns_cursor_u32 (&cursor); /* state */
  status = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor))
    ns_smb_row (builder, number)->layer.status = status;
}

void
ns_smb_event_begin_wait (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsSmbWait wait = { .open_ns = record->time_ns, .close_ns = NS_TIME_OPEN, .tid = record->tid };
  NsCursor cursor;
  guint64 context;

  ns_record_cursor (record, &cursor);
  context = ns_smb_take_pointer (&cursor, record);
  wait.op = ns_map_get (self->op_of_exchange, ns_smb_take_pointer (&cursor, record), 0);
  if (!ns_cursor_ok (&cursor))
    return;
  g_array_append_val (self->waits, wait);
  ns_map_set (self->wait_of, context, 0, self->waits->len);
}

void
ns_smb_event_end_wait (NsBuilder *builder, const NsRecord *record)
{
  NsSmb *self = builder->smb;
  NsCursor cursor;
  guint32 number;

  ns_record_cursor (record, &cursor);
  number = ns_map_take (self->wait_of, ns_smb_take_pointer (&cursor, record), 0);
  if (ns_cursor_ok (&cursor) && number != 0)
    g_array_index (self->waits, NsSmbWait, number - 1).close_ns = record->time_ns;
}

void
ns_smb_event_block_window (NsBuilder *builder, const NsRecord *record)
{
  NsSmbWait wait = { .open_ns = record->time_ns,
                     .close_ns = record->time_ns,
                     .tid = record->tid,
                     .is_blocked = TRUE };
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  ns_smb_take_pointer (&cursor, record);
  if (ns_cursor_u32 (&cursor) != 0 && ns_cursor_ok (&cursor))
    g_array_append_val (builder->smb->waits, wait);
}

void
ns_smb_event_name_file (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  NsRow number;
  NsString path;

  ns_record_cursor (record, &cursor);
  number = ns_map_get (builder->smb->op_of_rx, ns_smb_take_pointer (&cursor, record), 0);
  ns_smb_take_pointer (&cursor, record); /* Fcb */
  path = ns_smb_take_text (builder, &cursor);
  if (ns_cursor_ok (&cursor) && number != 0 && path != NS_STRING_NONE &&
      ns_smb_extra (builder, number)->path == NS_STRING_NONE)
    ns_smb_extra (builder, number)->path = path;
}
