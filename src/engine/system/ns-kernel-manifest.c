/* Microsoft-Windows-Kernel-Process: a manifest provider with the events of the classic kernel
 * groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-kernel-private.h"

enum
{
  PROCESS_START = 1,
  PROCESS_STOP = 2,
  THREAD_START = 3,
  THREAD_STOP = 4,
  IMAGE_LOAD = 5,
  IMAGE_UNLOAD = 6,
  PROCESS_RUNDOWN = 15,
};

/* IMAGE_FILE_MACHINE numbers. */
#define MACHINE_I386 0x14c
#define MACHINE_ARMNT 0x1c4

static void
set_machine (NsProcessFact *fact, guint machine)
{
  if (machine == MACHINE_I386 || machine == MACHINE_ARMNT)
    fact->row.pointer_size = 4;
  else if (machine != 0)
    fact->row.pointer_size = 8;
}

/* Reads a process. Version 3 of the start event and version 1 of the rundown add process
 * sequence numbers. */
static void
read_process (NsBuilder *builder, const NsRecord *record, NsCursor *cursor, NsProcessFact *fact)
{
  gboolean is_rundown = record->id == PROCESS_RUNDOWN;
  gboolean is_long = record->version >= (is_rundown ? 1 : 3);
  NsString path;

  fact->row.pid = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, is_long ? 8 : 0);
  fact->create_ns = ns_kernel_filetime_to_ns (builder, ns_cursor_u64 (cursor));
  fact->row.parent_pid = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, is_long ? 8 : 0);
  fact->row.session_id = ns_cursor_u32 (cursor);
  if (is_rundown || record->version >= 1)
    ns_cursor_skip (cursor, 4);
  if (is_long)
    {
      NsCursor peek;

      ns_cursor_skip (cursor, 8);
      /* Skip the mandatory label, a SID of 8 bytes and 4 for each part. */
      peek = *cursor;
      ns_cursor_skip (&peek, 1);
      ns_cursor_skip (cursor, 8 + 4 * (gsize) ns_cursor_u8 (&peek));
    }
  if (!ns_cursor_ok (cursor))
    return;

  path = ns_kernel_read_wstr (builder, cursor);
  fact->row.path = path;
  fact->row.name = ns_kernel_base_name (builder, path);
  if (!is_rundown && record->version < 2)
    return;
  if (ns_cursor_left (cursor) < 8)
    return;
  ns_cursor_skip (cursor, 8);
  fact->row.package = ns_kernel_read_wstr (builder, cursor);
  fact->row.app_id = ns_kernel_read_wstr (builder, cursor);
  if (is_long && record->version >= (is_rundown ? 3 : 5) && ns_cursor_left (cursor) >= 10)
    {
      ns_cursor_skip (cursor, 8);
      set_machine (fact, ns_cursor_u16 (cursor));
    }
}

static void
read_process_stop (NsBuilder *builder,
                   const NsRecord *record,
                   NsCursor *cursor,
                   NsProcessFact *fact)
{
  fact->row.pid = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, record->version >= 2 ? 8 : 0);
  fact->create_ns = ns_kernel_filetime_to_ns (builder, ns_cursor_u64 (cursor));
  fact->exit_ns = ns_kernel_filetime_to_ns (builder, ns_cursor_u64 (cursor));
  fact->row.exit_status = ns_cursor_u32 (cursor);
  fact->has_exit_status = TRUE;
  if (!ns_cursor_ok (cursor))
    return;

  ns_cursor_skip (cursor, 4 + 4 + 8 + 8);
  ns_cursor_skip (cursor, record->version >= 1 ? 8 + 5 * 4 : 0);
  if (ns_cursor_ok (cursor))
    fact->row.name = ns_kernel_read_astr (builder, cursor);
  cursor->failed = FALSE;
}

static void
add_process (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  NsProcessFact fact = { .time_ns = record->time_ns,
                         .create_ns = NS_TIME_NONE,
                         .exit_ns = NS_TIME_NONE };
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  fact.row.session_id = G_MAXUINT32;
  fact.row.parent_pid = NS_PID_UNKNOWN;
  if (record->id == PROCESS_STOP)
    {
      fact.kind = NS_FACT_END;
      read_process_stop (builder, record, &cursor, &fact);
    }
  else
    {
      fact.kind = record->id == PROCESS_START ? NS_FACT_START : NS_FACT_RUNDOWN;
      read_process (builder, record, &cursor, &fact);
    }
  if (!ns_cursor_ok (&cursor))
    return;
  fact.number = self->number++;
  g_array_append_val (self->processes, fact);
}

static void
add_thread (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  NsThreadFact fact = { .time_ns = record->time_ns };
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  fact.kind = record->id == THREAD_START ? NS_FACT_START : NS_FACT_END;
  fact.row.creator_pid = NS_PID_UNKNOWN;
  fact.row.creator_tid = NS_PID_UNKNOWN;
  fact.row.pid = ns_cursor_u32 (&cursor);
  fact.row.tid = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  if (fact.kind == NS_FACT_START)
    {
      fact.row.creator_pid = record->pid;
      fact.row.creator_tid = record->tid != fact.row.tid ? record->tid : NS_PID_UNKNOWN;
    }
  ns_cursor_skip (&cursor, 5 * (gsize) record->pointer_size);
  fact.row.start_address = ns_cursor_ptr (&cursor, record->pointer_size);
  fact.number = self->number++;
  g_array_append_val (self->threads, fact);
}

static void
add_image (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  guint size = record->pointer_size;
  NsImageFact fact = { .time_ns = record->time_ns };
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  fact.kind = record->id == IMAGE_LOAD ? NS_FACT_START : NS_FACT_END;
  fact.row.base = ns_cursor_ptr (&cursor, size);
  fact.row.size = ns_cursor_ptr (&cursor, size);
  fact.row.pid = ns_cursor_u32 (&cursor);
  fact.row.checksum = ns_cursor_u32 (&cursor);
  fact.row.timestamp = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, size);
  if (!ns_cursor_ok (&cursor))
    return;
  fact.row.path = ns_kernel_read_wstr (builder, &cursor);
  fact.number = self->number++;
  g_array_append_val (self->images, fact);
}

void
ns_kernel_read_manifest (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return;
  switch (record->id)
    {
    case PROCESS_START:
    case PROCESS_STOP:
    case PROCESS_RUNDOWN:
      add_process (builder, record);
      break;
    case THREAD_START:
    case THREAD_STOP:
      add_thread (builder, record);
      break;
    case IMAGE_LOAD:
    case IMAGE_UNLOAD:
      add_image (builder, record);
      break;
    default:
      break;
    }
}
