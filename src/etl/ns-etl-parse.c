/* Finds the records of a buffer and parses their headers.
 *
 * Layouts: evntrace.h and evntcons.h of the Windows SDK, and Geoff Chappell's pages on the WMI
 * trace headers. Every size is checked against its container before use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-parse.h"

#include "etl/ns-etl-buffer.h"

/* Top byte of a marker. */
#define MARKER_HEADER 0xc0
#define MARKER_MESSAGE 0x90

/* Flags of an EVENT header (EVENT_HEADER_FLAG_*). */
#define EVENT_EXTENDED 0x0001
#define EVENT_PRIVATE_SESSION 0x0002
#define EVENT_STRING_ONLY 0x0004
#define EVENT_NO_CPU_TIME 0x0010
#define EVENT_32_BIT 0x0020
#define EVENT_64_BIT 0x0040

#define EVENT_HEADER_SIZE 0x50

/* Option flags of a WPP message (TRACE_MESSAGE_*). */
#define MESSAGE_SEQUENCE 0x0001
#define MESSAGE_GUID 0x0002
#define MESSAGE_COMPONENT 0x0004
#define MESSAGE_TIMESTAMP 0x0008
#define MESSAGE_SYSTEM_INFO 0x0020
#define MESSAGE_POINTER32 0x0040
#define MESSAGE_POINTER64 0x0080
#define MESSAGE_HEADER_SIZE 8

/* Byte 1 of a kernel header: what precedes the payload. */
#define GROUP_PEBS 0x80
#define GROUP_N_COUNTERS 0x07

/* Hook groups, and a type that is logged in the group of another. */
#define GROUP_PROCESS 0x03
#define GROUP_IMAGE 0x14
#define OPCODE_IMAGE_LOAD 10

typedef enum
{
  FAMILY_NONE, /* not a header kind */
  FAMILY_SYSTEM,
  FAMILY_COMPACT,
  FAMILY_PERFINFO,
  FAMILY_FULL,
  FAMILY_EVENT,
  FAMILY_UNKNOWN, /* a header kind whose layout is not known */
} Family;

typedef struct
{
  guint8 family;
  guint8 header_size;
  guint8 size_at;
  guint8 raw_at;
  guint8 pointer_size;
} KindInfo;

static const KindInfo kinds[] = {
  [NS_RECORD_SYSTEM32] = { FAMILY_SYSTEM, 0x20, 4, 0x10, 4 },
  [NS_RECORD_SYSTEM64] = { FAMILY_SYSTEM, 0x20, 4, 0x10, 8 },
  [NS_RECORD_COMPACT32] = { FAMILY_COMPACT, 0x18, 4, 0x10, 4 },
  [NS_RECORD_COMPACT64] = { FAMILY_COMPACT, 0x18, 4, 0x10, 8 },
  [NS_RECORD_FULL32] = { FAMILY_FULL, 0x30, 0, 0x10, 4 },
  [NS_RECORD_INSTANCE32] = { FAMILY_FULL, 0x48, 0, 0x10, 4 },
  [NS_RECORD_TIMED] = { FAMILY_UNKNOWN, 8, 0, 0, 8 },
  [NS_RECORD_ERROR] = { FAMILY_UNKNOWN, 8, 0, 0, 8 },
  [NS_RECORD_WNODE] = { FAMILY_UNKNOWN, 8, 0, 0, 8 },
  [NS_RECORD_PERFINFO32] = { FAMILY_PERFINFO, 0x10, 4, 0x08, 4 },
  [NS_RECORD_PERFINFO64] = { FAMILY_PERFINFO, 0x10, 4, 0x08, 8 },
  [NS_RECORD_EVENT32] = { FAMILY_EVENT, 0x50, 0, 0x10, 4 },
  [NS_RECORD_EVENT64] = { FAMILY_EVENT, 0x50, 0, 0x10, 8 },
  [NS_RECORD_FULL64] = { FAMILY_FULL, 0x30, 0, 0x10, 8 },
  [NS_RECORD_INSTANCE64] = { FAMILY_FULL, 0x48, 0, 0x10, 8 },
};

/* Returns the offset of a message's time, according to its flags. */
static gsize
message_time_at (guint flags)
{
  gsize at = MESSAGE_HEADER_SIZE;

  if (flags & MESSAGE_SEQUENCE)
    at += 4;
  if (flags & MESSAGE_COMPONENT)
    at += 4;
  else if (flags & MESSAGE_GUID)
    at += sizeof (NsGuid);
  return at;
}

static NsEtlStepKind
step_message (NsCursor *cursor, guint32 first, guint32 second, NsEtlStep *step)
{
  guint flags = second >> 16;

  step->kind = NS_RECORD_MESSAGE;
  step->size = first & 0xffff;
  step->header_size = MESSAGE_HEADER_SIZE;
  step->has_time = FALSE;
  step->raw = 0;
  if (step->size < MESSAGE_HEADER_SIZE || step->size > cursor->size - step->pos)
    return NS_ETL_STEP_BAD;

  if (flags & MESSAGE_TIMESTAMP)
    {
      gsize at = message_time_at (flags);

      if (at + 8 <= step->size)
        {
          ns_cursor_seek (cursor, step->pos + at);
          step->raw = ns_cursor_u64 (cursor);
          step->has_time = TRUE;
        }
    }
  return NS_ETL_STEP_RECORD;
}

/**
 * ns_etl_parse_step:
 * @data: a buffer, from its header on
 * @end: offset of the end of its records
 * @pos: offset at which a record may begin
 * @step: (out): the record
 *
 * Returns: whether there is a record
 */
NsEtlStepKind
ns_etl_parse_step (const guint8 *data, gsize end, gsize pos, NsEtlStep *step)
{
  const KindInfo *info;
  NsCursor cursor;
  guint32 first;
  guint32 second;

  step->pos = pos;
  step->size = 0;
  if (pos >= end || end - pos < 8)
    return NS_ETL_STEP_END;

  ns_cursor_init (&cursor, data, end);
  ns_cursor_seek (&cursor, pos);
  first = ns_cursor_u32 (&cursor);
  second = ns_cursor_u32 (&cursor);
  if (first == NS_ETL_END_MARKER)
    return NS_ETL_STEP_END;
  if (first >> 24 == MARKER_MESSAGE)
    return step_message (&cursor, first, second, step);

  step->kind = (first >> 16) & 0xff;
  if (first >> 24 != MARKER_HEADER || step->kind >= G_N_ELEMENTS (kinds))
    return NS_ETL_STEP_BAD;
  info = &kinds[step->kind];
  if (info->family == FAMILY_NONE)
    return NS_ETL_STEP_BAD;

  step->size = info->size_at == 0 ? first & 0xffff : second & 0xffff;
  step->header_size = info->header_size;
  if (step->size < info->header_size || step->size > end - pos)
    return NS_ETL_STEP_BAD;
  if (info->family == FAMILY_UNKNOWN)
    return NS_ETL_STEP_UNKNOWN;

  if (info->size_at != 0 && G_UNLIKELY ((first & 0xff00) != 0))
    {
      guint flags = (first >> 8) & 0xff;
      guint more = (flags & GROUP_PEBS ? 8 : 0) + (flags & GROUP_N_COUNTERS) * 8;

      if (step->size < info->header_size + more)
        return NS_ETL_STEP_BAD;
      step->header_size = (guint8) (info->header_size + more);
    }

  ns_cursor_seek (&cursor, pos + info->raw_at);
  step->raw = ns_cursor_u64 (&cursor);
  step->has_time = TRUE;
  return NS_ETL_STEP_RECORD;
}

/**
 * ns_etl_parse_time_at:
 * @data: a buffer, from its header on
 * @end: offset of the end of its records
 * @step: a record with a time, found by ns_etl_parse_step()
 *
 * Returns: offset of the eight bytes of its time in the buffer
 */
gsize
ns_etl_parse_time_at (const guint8 *data, gsize end, const NsEtlStep *step)
{
  NsCursor cursor;

  if (step->kind != NS_RECORD_MESSAGE)
    return step->pos + kinds[step->kind].raw_at;
  ns_cursor_init (&cursor, data, end);
  ns_cursor_seek (&cursor, step->pos + 6);
  return step->pos + message_time_at (ns_cursor_u16 (&cursor));
}

/**
 * ns_etl_parse_hook:
 * @data: a buffer, from its header on
 * @end: offset of the end of its records
 * @step: a record found by ns_etl_parse_step()
 * @group: (out): its kernel hook group
 * @type: (out): its type within the group
 *
 * Returns: %FALSE if it is no kernel record
 */
gboolean
ns_etl_parse_hook (const guint8 *data, gsize end, const NsEtlStep *step, guint *group, guint *type)
{
  NsCursor cursor;

  if (step->kind == NS_RECORD_MESSAGE || kinds[step->kind].size_at == 0)
    return FALSE;
  ns_cursor_init (&cursor, data, end);
  ns_cursor_seek (&cursor, step->pos + 6);
  *type = ns_cursor_u8 (&cursor);
  *group = ns_cursor_u8 (&cursor);
  return TRUE;
}

/* Skips the extended items of an EVENT record; FALSE: they exceed it. */
static gboolean
parse_items (NsCursor *cursor, NsRecord *record)
{
  gsize begin = cursor->pos;
  gboolean goes_on = TRUE;
  guint n_items = 0;

  while (goes_on)
    {
      guint link;
      gsize size;

      ns_cursor_skip (cursor, 4);
      link = ns_cursor_u16 (cursor);
      size = ns_cursor_u16 (cursor);
      ns_cursor_skip (cursor, size);
      if (!ns_cursor_ok (cursor) || ++n_items > NS_ETL_MAX_ITEMS)
        return FALSE;
      /* The end of the record may cut off the padding of the last item. */
      ns_cursor_skip (cursor, MIN (-size & 7, ns_cursor_left (cursor)));
      goes_on = (link & 1) != 0;
    }

  record->extended_size = (guint16) (cursor->pos - begin);
  record->n_extended = (guint16) n_items;
  return TRUE;
}

/* Parses the fixed part of an EVENT header and returns its flags. Nearly all records are of this
 * kind; the constant size of the window lets the compiler merge the bounds checks into one. */
static guint
parse_event_header (NsCursor *whole, NsRecord *record)
{
  const guint8 *header = ns_cursor_take (whole, EVENT_HEADER_SIZE);
  NsCursor cursor;
  guint flags;

  if (header == NULL)
    return 0;
  ns_cursor_init (&cursor, header, EVENT_HEADER_SIZE);
  ns_cursor_skip (&cursor, 4);
  flags = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2);
  record->tid = ns_cursor_u32 (&cursor);
  record->pid = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 8);
  ns_cursor_guid (&cursor, &record->guid);
  record->id = ns_cursor_u16 (&cursor);
  record->version = ns_cursor_u8 (&cursor);
  record->channel = ns_cursor_u8 (&cursor);
  record->level = ns_cursor_u8 (&cursor);
  record->opcode = ns_cursor_u8 (&cursor);
  record->task = ns_cursor_u16 (&cursor);
  record->keyword = ns_cursor_u64 (&cursor);
  record->kernel_time = ns_cursor_u32 (&cursor);
  record->user_time = ns_cursor_u32 (&cursor);
  ns_cursor_guid (&cursor, &record->activity);
  return flags;
}

static gboolean
parse_event (NsCursor *cursor, NsRecord *record)
{
  guint flags = parse_event_header (cursor, record);

  record->flags |= NS_RECORD_MANIFEST;
  if (G_UNLIKELY ((flags & ~EVENT_EXTENDED) != 0))
    {
      if (flags & EVENT_STRING_ONLY)
        record->flags |= NS_RECORD_STRING_ONLY;
      /* A private session stores processor cycles in place of both times. */
      if (flags & (EVENT_NO_CPU_TIME | EVENT_PRIVATE_SESSION))
        record->flags |= NS_RECORD_NO_CPU_TIMES;
      if (flags & EVENT_32_BIT)
        record->pointer_size = 4;
      else if (flags & EVENT_64_BIT)
        record->pointer_size = 8;
    }
  if (flags & EVENT_EXTENDED)
    {
      record->extended = record->header + cursor->pos;
      return parse_items (cursor, record);
    }
  return TRUE;
}

static gboolean
parse_group (const NsEtlStep *step, NsCursor *cursor, Family family, NsRecord *record)
{
  record->version = ns_cursor_u8 (cursor);
  ns_cursor_skip (cursor, 5);
  record->opcode = ns_cursor_u8 (cursor);
  record->group = ns_cursor_u8 (cursor);
  record->flags |= NS_RECORD_GROUP;
  if (family != FAMILY_PERFINFO)
    {
      record->tid = ns_cursor_u32 (cursor);
      record->pid = ns_cursor_u32 (cursor);
    }
  if (family == FAMILY_SYSTEM)
    {
      ns_cursor_skip (cursor, 8);
      record->kernel_time = ns_cursor_u32 (cursor);
      record->user_time = ns_cursor_u32 (cursor);
    }
  ns_cursor_seek (cursor, step->header_size);
  return TRUE;
}

static gboolean
parse_full (const NsEtlStep *step, NsCursor *cursor, NsRecord *record)
{
  ns_cursor_skip (cursor, 4);
  record->opcode = ns_cursor_u8 (cursor);
  record->level = ns_cursor_u8 (cursor);
  record->version = ns_cursor_u16 (cursor);
  record->tid = ns_cursor_u32 (cursor);
  record->pid = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, 8);
  ns_cursor_guid (cursor, &record->guid);
  record->kernel_time = ns_cursor_u32 (cursor);
  record->user_time = ns_cursor_u32 (cursor);
  ns_cursor_seek (cursor, step->header_size);
  return TRUE;
}

static gboolean
parse_message (NsCursor *cursor, NsRecord *record)
{
  guint flags;

  ns_cursor_skip (cursor, 4);
  record->id = ns_cursor_u16 (cursor);
  flags = ns_cursor_u16 (cursor);
  record->message_flags = (guint16) flags;
  if (flags & MESSAGE_SEQUENCE)
    ns_cursor_skip (cursor, 4);
  if (flags & MESSAGE_COMPONENT)
    ns_cursor_skip (cursor, 4);
  else if (flags & MESSAGE_GUID)
    ns_cursor_guid (cursor, &record->guid);
  if (flags & MESSAGE_TIMESTAMP)
    ns_cursor_skip (cursor, 8);
  if (flags & MESSAGE_SYSTEM_INFO)
    {
      record->tid = ns_cursor_u32 (cursor);
      record->pid = ns_cursor_u32 (cursor);
    }
  if (flags & MESSAGE_POINTER32)
    record->pointer_size = 4;
  else if (flags & MESSAGE_POINTER64)
    record->pointer_size = 8;
  if (ns_cursor_ok (cursor))
    return TRUE;

  record->pid = NS_PID_UNKNOWN;
  record->tid = NS_PID_UNKNOWN;
  return FALSE;
}

static void
clear_record (NsRecord *record)
{
  static const NsGuid zero;

  record->extended = NULL;
  record->extended_size = 0;
  record->n_extended = 0;
  record->guid = zero;
  record->activity = zero;
  record->keyword = 0;
  record->pid = NS_PID_UNKNOWN;
  record->tid = NS_PID_UNKNOWN;
  record->kernel_time = 0;
  record->user_time = 0;
  record->id = 0;
  record->task = 0;
  record->version = 0;
  record->message_flags = 0;
  record->opcode = 0;
  record->group = 0;
  record->level = 0;
  record->channel = 0;
  record->flags = 0;
  record->is_tapped = FALSE;
  record->note = 0;
  record->made = NULL;
}

static void
set_provider (const NsEtlParser *parser, NsRecord *record)
{
  guint8 group = record->group;

  if (record->flags & NS_RECORD_GROUP)
    {
      /* The load of an image is logged in the group of processes. */
      if (group == GROUP_PROCESS && record->opcode == OPCODE_IMAGE_LOAD)
        group = GROUP_IMAGE;
      record->guid = *ns_record_group_guid (group);
    }
  if (parser->is_shared)
    record->provider = ns_etl_providers_intern_shared (parser->providers, &record->guid);
  else if (record->flags & NS_RECORD_GROUP)
    record->provider = ns_etl_providers_intern_group (parser->providers, group);
  else
    record->provider = ns_etl_providers_intern (parser->providers, &record->guid);
}

/**
 * ns_etl_parse_record:
 * @parser: clock and providers of the trace
 * @data: a buffer, from its header on
 * @step: a record found by ns_etl_parse_step()
 * @record: (inout): receives everything except position and processor; a record without a time
 *   keeps the raw time stored in it
 *
 * Returns: %FALSE if extended items or WPP fields exceed the record: then it has no items, no
 *   payload, and %NS_RECORD_BAD_EXTENDED
 */
gboolean
ns_etl_parse_record (const NsEtlParser *parser,
                     const guint8 *data,
                     const NsEtlStep *step,
                     NsRecord *record)
{
  gboolean is_message = step->kind == NS_RECORD_MESSAGE;
  Family family = is_message ? FAMILY_NONE : (Family) kinds[step->kind].family;
  gboolean is_sound;
  NsCursor cursor;

  clear_record (record);
  record->header = data + step->pos;
  record->size = (guint16) step->size;
  record->kind = step->kind;
  record->pointer_size =
      is_message ? (guint8) parser->pointer_size : kinds[step->kind].pointer_size;
  ns_cursor_init (&cursor, record->header, step->size);

  if (family == FAMILY_EVENT)
    is_sound = parse_event (&cursor, record);
  else if (family == FAMILY_FULL)
    is_sound = parse_full (step, &cursor, record);
  else if (is_message)
    is_sound = parse_message (&cursor, record);
  else
    is_sound = parse_group (step, &cursor, family, record);

  if (G_UNLIKELY (!is_sound))
    {
      record->flags |= NS_RECORD_BAD_EXTENDED;
      record->extended = NULL;
      cursor.failed = FALSE;
      cursor.pos = step->size;
    }
  record->header_size = (guint16) (is_message ? cursor.pos : step->header_size);
  record->payload = record->header + cursor.pos;
  record->payload_size = step->size - (guint32) cursor.pos;

  if (G_LIKELY (step->has_time))
    {
      record->raw = step->raw;
      record->flags |= NS_RECORD_HAS_TIME;
    }
  record->time_ns = ns_etl_clock_to_ns (&parser->clock, record->raw);
  set_provider (parser, record);
  return is_sound;
}
