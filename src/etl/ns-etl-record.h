/* A record of a trace, as its header describes it; the payload is not decoded here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "base/ns-guid.h"

G_BEGIN_DECLS

/* The header does not contain the process or thread. */
#define NS_PID_UNKNOWN G_MAXUINT32

/* Header kinds by their number in the file (third byte of the marker); WPP messages have none. */
typedef enum
{
  NS_RECORD_SYSTEM32 = 0x01,
  NS_RECORD_SYSTEM64 = 0x02,
  NS_RECORD_COMPACT32 = 0x03,
  NS_RECORD_COMPACT64 = 0x04,
  NS_RECORD_FULL32 = 0x0a,
  NS_RECORD_INSTANCE32 = 0x0b,
  NS_RECORD_TIMED = 0x0c,
  NS_RECORD_ERROR = 0x0d,
  NS_RECORD_WNODE = 0x0e,
  NS_RECORD_MESSAGE = 0x0f,
  NS_RECORD_PERFINFO32 = 0x10,
  NS_RECORD_PERFINFO64 = 0x11,
  NS_RECORD_EVENT32 = 0x12,
  NS_RECORD_EVENT64 = 0x13,
  NS_RECORD_FULL64 = 0x14,
  NS_RECORD_INSTANCE64 = 0x15,
} NsRecordKind;

typedef enum
{
  NS_RECORD_HAS_TIME = 1 << 0,     /* the record has a time of its own */
  NS_RECORD_BAD_EXTENDED = 1 << 1, /* extended items exceed the record: items and payload dropped */
  NS_RECORD_STRING_ONLY = 1 << 2,  /* EventWriteString: the payload is one UTF-16 text */
  NS_RECORD_GROUP = 1 << 3,        /* SYSTEM, COMPACT or PERFINFO: a kernel hook id */
  NS_RECORD_MANIFEST = 1 << 4,     /* EVENT header: id, task, keyword and activity are meaningful */
  NS_RECORD_NO_CPU_TIMES = 1 << 5, /* kernel_time and user_time are not processor times */
} NsRecordFlags;

/* Extended item types (EVENT_HEADER_EXT_TYPE_*). */
enum
{
  NS_EXT_RELATED_ACTIVITY = 1,
  NS_EXT_SID = 2,
  NS_EXT_TS_ID = 3,
  NS_EXT_INSTANCE_INFO = 4,
  NS_EXT_STACK32 = 5,
  NS_EXT_STACK64 = 6,
  NS_EXT_PEBS_INDEX = 7,
  NS_EXT_PMC_COUNTERS = 8,
  NS_EXT_PSM_KEY = 9,
  NS_EXT_EVENT_KEY = 10,
  NS_EXT_SCHEMA_TL = 11,
  NS_EXT_PROV_TRAITS = 12,
  NS_EXT_PROCESS_START_KEY = 13,
  NS_EXT_CONTROL_GUID = 14,
  NS_EXT_QPC_DELTA = 15,
  NS_EXT_CONTAINER_ID = 16,
  NS_EXT_STACK_KEY32 = 17,
  NS_EXT_STACK_KEY64 = 18,
};

/* Position of a record: number of its buffer and offset of its header in the (expanded) buffer. */
typedef struct
{
  guint32 buffer;
  guint32 offset;
} NsRecordRef;

/**
 * NsRecord:
 * @raw: time in the trace's own clock; that of the preceding record if it has none
 * @time_ns: nanoseconds since the trace header, signed
 * @ref: its position; the order of (raw, buffer, offset) is the order of the trace
 * @header: first byte of the record; all three pointers are valid during the callback only
 * @payload: first byte of the payload
 * @extended: first extended item (EVENT kinds only)
 * @payload_size: size of the payload in bytes
 * @extended_size: size of all extended items in bytes
 * @n_extended: number of extended items
 * @header_size: number of bytes before the payload, without extended items
 * @size: size of the record in bytes, without padding
 * @provider: number of @guid, the index of ns_etl_file_get_provider()
 * @guid: provider, event class, kernel group or WPP message GUID
 * @activity: EVENT kinds: the activity ID, else zero
 * @keyword: EVENT kinds, else 0
 * @pid: process, or %NS_PID_UNKNOWN
 * @tid: thread, or %NS_PID_UNKNOWN
 * @cpu: processor of the buffer
 * @id: EVENT: event ID; MESSAGE: message number; else 0
 * @version: event version (its low byte for kernel groups)
 * @opcode: EVENT: opcode; group and FULL kinds: type
 * @pointer_size: 4 or 8, by the header kind
 * @kind: header kind, a #NsRecordKind
 * @flags: #NsRecordFlags
 * @is_tapped: the walk has a tap, which has seen the record
 * @note: the tap's number
 * @made: the tap's result, valid during the callback only; %NULL: none
 *
 * A record as a walk hands it out.
 */
typedef struct
{
  guint64 raw;
  gint64 time_ns;
  NsRecordRef ref;
  const guint8 *header;
  const guint8 *payload;
  const guint8 *extended;
  guint32 payload_size;
  guint16 extended_size;
  guint16 n_extended;
  guint16 header_size;
  guint16 size;
  guint32 provider;
  NsGuid guid;
  NsGuid activity;
  guint64 keyword;
  guint32 pid;
  guint32 tid;
  guint32 kernel_time;
  guint32 user_time;
  guint16 cpu;
  guint16 id;
  guint16 task;
  guint16 version;
  guint16 message_flags;
  guint8 opcode;
  guint8 group;
  guint8 level;
  guint8 channel;
  guint8 pointer_size;
  guint8 kind;
  guint8 flags;
  gboolean is_tapped;
  guint32 note;
  gconstpointer made;
} NsRecord;

/* An extended item; its bytes belong to the record. */
typedef struct
{
  guint16 type;
  guint16 size;
  const guint8 *data;
} NsExtItem;

/**
 * ns_record_cursor:
 * @self: a record
 * @cursor: (out): a cursor over its payload
 */
static inline void
ns_record_cursor (const NsRecord *self, NsCursor *cursor)
{
  ns_cursor_init (cursor, self->payload, self->payload_size);
}

gboolean ns_record_next_item (const NsRecord *self, NsCursor *state, NsExtItem *item);
gboolean ns_record_find_item (const NsRecord *self, guint16 type, NsExtItem *item);
gboolean ns_record_get_related_activity (const NsRecord *self, NsGuid *guid);
const char *ns_record_kind_to_text (NsRecordKind kind);
const NsGuid *ns_record_group_guid (guint8 group);

G_END_DECLS
