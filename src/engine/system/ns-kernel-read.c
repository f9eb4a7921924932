/* Parses classic payloads of processes, threads and images, and the debug IDs that merging a trace
 * adds.
 *
 * Layouts: the MOF classes Process_V*_TypeGroup1, Thread_V*_TypeGroup1 and Image_* of the Windows
 * SDK, with the later versions as current Windows writes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-kernel-private.h"
#include "engine/trace/ns-masked.h"

#include <string.h>

/* Bits of the Flags of a process. */
#define PROCESS_IS_WOW64 2

/* Maximum number of subauthorities in a SID. */
#define SID_MAX_PARTS 15

NsString
ns_kernel_read_wstr (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes;
  const guint8 *text = ns_cursor_wstr (cursor, &n_bytes);

  return n_bytes > 0 ? ns_strings_add_utf16 (builder->trace->strings, text, n_bytes)
                     : NS_STRING_NONE;
}

NsString
ns_kernel_read_astr (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes;
  const char *text = ns_cursor_astr (cursor, &n_bytes);

  return n_bytes > 0 ? ns_strings_add_len (builder->trace->strings, text, n_bytes) : NS_STRING_NONE;
}

/* Returns the last component of a path with either separator. */
NsString
ns_kernel_base_name (NsBuilder *builder, NsString path)
{
  const char *text;
  const char *slash;

  if (path == NS_STRING_NONE)
    return NS_STRING_NONE;
  text = ns_strings_get (builder->trace->strings, path);
  slash = strrchr (text, '\\');
  if (slash == NULL || slash[1] == '\0')
    return path;
  return ns_strings_add (builder->trace->strings, slash + 1);
}

gint64
ns_kernel_filetime_to_ns (NsBuilder *builder, guint64 filetime)
{
  guint64 start = ns_etl_file_get_header (builder->trace->file)->start_filetime;
  gint64 ticks = (gint64) (filetime - start);

  /* Ignore times centuries away. */
  if (filetime == 0 || ticks > G_MAXINT64 / 200 || ticks < -(G_MAXINT64 / 200))
    return NS_TIME_NONE;
  return ticks * 100;
}

/* Returns whether a TOKEN_USER begins here although its pointer is 0, in which case a SID
 * follows. */
static gboolean
is_token (NsCursor peek, guint pointer_size)
{
  guint n_parts;
  guint i;

  ns_cursor_skip (&peek, 2 * pointer_size);
  if (ns_cursor_u8 (&peek) != 1)
    return FALSE;
  n_parts = ns_cursor_u8 (&peek);
  /* In practice only the last byte of the six-byte authority is set. */
  for (i = 0; i < 5; i++)
    if (ns_cursor_u8 (&peek) != 0)
      return FALSE;
  return n_parts > 0 && n_parts <= SID_MAX_PARTS && ns_cursor_left (&peek) >= 1 + 4 * n_parts;
}

/* Reads a TOKEN_USER: two pointers, then the SID; or four bytes of 0. */
static NsString
read_sid (NsBuilder *builder, NsCursor *cursor, guint pointer_size)
{
  NsCursor peek = *cursor;
  g_autoptr (GString) text = NULL;
  guint64 authority = 0;
  guint revision;
  guint n_parts;
  guint i;

  if (ns_cursor_u32 (&peek) == 0 && !is_token (*cursor, pointer_size))
    {
      ns_cursor_skip (cursor, 4);
      return NS_STRING_NONE;
    }
  ns_cursor_skip (cursor, 2 * pointer_size);
  revision = ns_cursor_u8 (cursor);
  n_parts = ns_cursor_u8 (cursor);
  for (i = 0; i < 6; i++)
    authority = authority << 8 | ns_cursor_u8 (cursor);
  if (n_parts > SID_MAX_PARTS)
    cursor->failed = TRUE;

  text = g_string_new (NULL);
  g_string_append_printf (text, "S-%u-%" G_GUINT64_FORMAT, revision, authority);
  for (i = 0; i < n_parts && ns_cursor_ok (cursor); i++)
    g_string_append_printf (text, "-%u", ns_cursor_u32 (cursor));
  return ns_cursor_ok (cursor) ? ns_strings_add_len (builder->trace->strings, text->str, text->len)
                               : NS_STRING_NONE;
}

static gboolean
process_kind (guint opcode, guint8 *kind)
{
  switch (opcode)
    {
    case 1:
      *kind = NS_FACT_START;
      return TRUE;
    case 2:
      *kind = NS_FACT_END;
      return TRUE;
    case 3:
      *kind = NS_FACT_RUNDOWN;
      return TRUE;
    case 4:
      *kind = NS_FACT_RUNDOWN_END;
      return TRUE;
    case 39:
      *kind = NS_FACT_DEFUNCT;
      return TRUE;
    default:
      return FALSE;
    }
}

/* Reads the texts after the SID; a truncated text does not invalidate the fields before it. */
static void
read_process_texts (NsBuilder *builder, NsCursor *cursor, guint version, NsProcessFact *fact)
{
  fact->row.name = ns_kernel_base_name (builder, ns_kernel_read_astr (builder, cursor));
  if (version >= 2)
    fact->row.command_line =
        ns_masked_command (builder->trace, ns_kernel_read_wstr (builder, cursor));
  if (version >= 4)
    {
      fact->row.package = ns_kernel_read_wstr (builder, cursor);
      fact->row.app_id = ns_kernel_read_wstr (builder, cursor);
    }
  if (version >= 5 && ns_cursor_left (cursor) >= 8)
    fact->exit_ns = ns_kernel_filetime_to_ns (builder, ns_cursor_u64 (cursor));
}

void
ns_kernel_read_process (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  guint size = record->pointer_size;
  guint version = record->version;
  NsProcessFact fact = { .time_ns = record->time_ns,
                         .create_ns = NS_TIME_NONE,
                         .exit_ns = NS_TIME_NONE };
  NsCursor cursor;
  guint32 flags = 0;

  if (record->opcode == 10)
    {
      ns_kernel_read_image (builder, record);
      return;
    }
  if ((record->flags & NS_RECORD_MANIFEST) != 0 || !process_kind (record->opcode, &fact.kind))
    return;

  ns_record_cursor (record, &cursor);
  fact.row.session_id = G_MAXUINT32;
  if (version == 0)
    {
      fact.row.pid = (guint32) ns_cursor_ptr (&cursor, size);
      fact.row.parent_pid = (guint32) ns_cursor_ptr (&cursor, size);
    }
  else
    {
      guint64 key = ns_cursor_ptr (&cursor, size);

      fact.row.unique_key = version >= 2 ? key : 0;
      fact.row.pid = ns_cursor_u32 (&cursor);
      fact.row.parent_pid = ns_cursor_u32 (&cursor);
      fact.row.session_id = ns_cursor_u32 (&cursor);
      fact.row.exit_status = ns_cursor_u32 (&cursor);
      if (version >= 3)
        ns_cursor_skip (&cursor, size);
      if (version >= 4)
        flags = ns_cursor_u32 (&cursor);
    }
  if (!ns_cursor_ok (&cursor))
    return;

  fact.has_exit_status = version > 0 && (fact.kind == NS_FACT_END || fact.kind == NS_FACT_DEFUNCT);
  if (version >= 4)
    fact.row.pointer_size = (flags & PROCESS_IS_WOW64) != 0 ? 4 : size;
  else if (size == 4)
    fact.row.pointer_size = 4;
  fact.row.user_sid = read_sid (builder, &cursor, size);
  read_process_texts (builder, &cursor, version, &fact);
  fact.number = self->number++;
  g_array_append_val (self->processes, fact);
}

void
ns_kernel_read_thread (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  NsThreadFact fact = { .time_ns = record->time_ns };
  NsCursor cursor;

  if ((record->flags & NS_RECORD_MANIFEST) != 0)
    return;
  if (record->opcode == 72)
    fact.kind = NS_FACT_NAME;
  else if (record->opcode == 39 || !process_kind (record->opcode, &fact.kind))
    return;

  ns_record_cursor (record, &cursor);
  fact.row.pid = ns_cursor_u32 (&cursor);
  fact.row.tid = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  if (record->version == 0 && fact.kind != NS_FACT_NAME)
    {
      guint32 swap = fact.row.pid;

      fact.row.pid = fact.row.tid;
      fact.row.tid = swap;
    }

  fact.row.creator_pid = NS_PID_UNKNOWN;
  fact.row.creator_tid = NS_PID_UNKNOWN;
  if (fact.kind == NS_FACT_START)
    {
      fact.row.creator_pid = record->pid;
      fact.row.creator_tid = record->tid != fact.row.tid ? record->tid : NS_PID_UNKNOWN;
    }
  if (fact.kind == NS_FACT_NAME)
    {
      fact.row.name = ns_kernel_read_wstr (builder, &cursor);
    }
  else if (record->version >= 1)
    {
      /* Current Windows has the affinity mask, not an address, before this field. */
      ns_cursor_skip (&cursor, 5 * (gsize) record->pointer_size);
      fact.row.start_address = ns_cursor_ptr (&cursor, record->pointer_size);
      if (record->version >= 3)
        {
          ns_cursor_skip (&cursor, record->pointer_size + 8);
          fact.row.name = ns_kernel_read_wstr (builder, &cursor);
        }
    }
  fact.number = self->number++;
  g_array_append_val (self->threads, fact);
}

void
ns_kernel_read_image (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  guint size = record->pointer_size;
  NsImageFact fact = { .time_ns = record->time_ns };
  NsCursor cursor;

  if ((record->flags & NS_RECORD_MANIFEST) != 0)
    return;
  if (record->opcode == 10)
    fact.kind = NS_FACT_START;
  else if (record->opcode < 2 || record->opcode == 39 || !process_kind (record->opcode, &fact.kind))
    return;

  ns_record_cursor (record, &cursor);
  fact.row.base = ns_cursor_ptr (&cursor, size);
  fact.row.size = record->version == 0 ? ns_cursor_u32 (&cursor) : ns_cursor_ptr (&cursor, size);
  fact.row.pid = record->version == 0 ? record->pid : ns_cursor_u32 (&cursor);
  if (record->version >= 2)
    {
      fact.row.checksum = ns_cursor_u32 (&cursor);
      fact.row.timestamp = ns_cursor_u32 (&cursor);
      ns_cursor_skip (&cursor, 4 + size + 16);
    }
  if (!ns_cursor_ok (&cursor))
    return;
  fact.row.path = ns_kernel_read_wstr (builder, &cursor);
  fact.number = self->number++;
  g_array_append_val (self->images, fact);
}

static void
read_debug_id (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsDebugFact fact = { .time_ns = record->time_ns, .is_il = record->opcode != 36 };

  fact.base = ns_cursor_ptr (cursor, record->pointer_size);
  fact.pid = ns_cursor_u32 (cursor);
  if (record->opcode == 39)
    ns_cursor_skip (cursor, 4);
  ns_cursor_guid (cursor, &fact.guid);
  fact.age = ns_cursor_u32 (cursor);
  if (!ns_cursor_ok (cursor))
    return;
  if (record->opcode != 39)
    fact.pdb = ns_kernel_read_astr (builder, cursor);
  g_array_append_val (builder->kernel->debug, fact);
}

/* Reads image ID records, which a merge writes for each image: debug ID (opcode 36 and its
 * variants) and image header. */
void
ns_kernel_read_image_id (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  NsImageFact fact = { .time_ns = record->time_ns, .kind = NS_FACT_ID };
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  if (record->opcode == 36 || record->opcode == 37 || record->opcode == 39)
    {
      read_debug_id (builder, record, &cursor);
      return;
    }
  if (record->opcode != 0)
    return;
  fact.row.base = ns_cursor_ptr (&cursor, record->pointer_size);
  fact.row.size = ns_cursor_ptr (&cursor, record->pointer_size);
  fact.row.pid = ns_cursor_u32 (&cursor);
  fact.row.timestamp = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  fact.row.path = ns_kernel_read_wstr (builder, &cursor);
  fact.number = self->number++;
  g_array_append_val (self->images, fact);
}

/* Reads SystemConfigEx: drive letters of the volumes, and the Windows folder. */
void
ns_kernel_read_system_config (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  NsString first;
  NsString second;

  if (record->opcode != 33 && record->opcode != 35)
    return;
  ns_record_cursor (record, &cursor);
  first = ns_kernel_read_wstr (builder, &cursor);
  second = ns_kernel_read_wstr (builder, &cursor);
  if (record->opcode == 33 && second != NS_STRING_NONE)
    ns_kernel_paths_set_windows (builder->kernel->paths, ns_trace_text (builder->trace, second));
  else if (record->opcode == 35 && first != NS_STRING_NONE && second != NS_STRING_NONE)
    ns_kernel_paths_add_volume (builder->kernel->paths,
                                ns_trace_text (builder->trace, first),
                                ns_trace_text (builder->trace, second));
}

/* Reads DbgID: the debug ID of the kernel itself. */
void
ns_kernel_read_event_trace (NsBuilder *builder, const NsRecord *record)
{
  NsKernel *self = builder->kernel;
  NsCursor cursor;

  if (record->opcode != 64)
    return;
  ns_record_cursor (record, &cursor);
  ns_cursor_guid (&cursor, &self->kernel_guid);
  self->kernel_age = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor))
    self->kernel_pdb = ns_kernel_read_astr (builder, &cursor);
}

/* Sorts by time; rundowns come first, as they describe the state before all other facts. */
int
ns_kernel_compare_facts (gconstpointer a, gconstpointer b)
{
  const NsKernelFact *x = a;
  const NsKernelFact *y = b;
  gboolean x_first = x->kind == NS_FACT_RUNDOWN;
  gboolean y_first = y->kind == NS_FACT_RUNDOWN;

  if (x_first != y_first)
    return y_first - x_first;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}
