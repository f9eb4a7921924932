/* Trace writer, in memory or directly to a file: for test fixtures, and for copies of parts of a
 * trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-bytes.h"
#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

typedef struct _NsEtlWriter NsEtlWriter;

/**
 * NsEtlWriterOptions:
 * @buffer_size: size of a buffer, a multiple of 0x400; 0: 0x10000
 * @n_processors: 0: one more than the highest processor used
 * @pointer_size: of the logging system, 4 or 8; 0: 8
 * @clock: 0: %NS_CLOCK_QPC
 * @frequency: counts per second of a QPC clock; 0: 10 000 000
 * @cpu_mhz: 0: 2400; the rate of a cycle clock
 * @start_filetime: 0: 2024-01-01 00:00:00 UTC
 * @boot_filetime: 0: that of @like, or @start_filetime
 * @end_filetime: 0: the time of the last record
 * @base_raw: raw time of the trace header; 0: @start_filetime with a system clock, else 1 000 000
 * @mode: LogFileMode; the bit of compressed files is set automatically
 * @session: (nullable): name of the session; %NULL: "Netstitch"
 * @log_file: (nullable): name of the log file; %NULL: "trace.etl"
 * @bias_min: UTC = local + bias
 * @events_lost: number of lost events in the header
 * @buffers_lost: number of lost buffers in the header
 * @is_open: the session was never stopped: end time and number of buffers are 0
 * @is_compressed: write compressed buffers
 * @os_build: Windows build; 0: 19045
 * @like: (nullable): header of another trace, which provides all fields that are 0
 *
 * All fields may be 0.
 */
typedef struct
{
  guint32 buffer_size;
  guint32 n_processors;
  guint32 pointer_size;
  NsClock clock;
  guint64 frequency;
  guint32 cpu_mhz;
  guint64 start_filetime;
  guint64 boot_filetime;
  guint64 end_filetime;
  guint64 base_raw;
  guint32 mode;
  const char *session;
  const char *log_file;
  gint32 bias_min;
  guint32 events_lost;
  guint32 buffers_lost;
  gboolean is_open;
  gboolean is_compressed;
  guint32 os_build;
  const NsEtlHeader *like;
} NsEtlWriterOptions;

/* An extended item of an EVENT record. */
typedef struct
{
  guint16 type;
  const GByteArray *data;
} NsEtlWriterItem;

/**
 * NsEtlWriterEvent:
 * @cpu: processor
 * @raw: time in the clock of the trace
 * @guid: provider
 * @payload: (nullable): bytes after header and items
 * @related: related activity; all zero: none
 * @stack: (array length=n_stack) (nullable): return addresses, innermost first
 * @stack_match_id: match ID of the stack items
 * @stack_key: if not 0, an item with a stack key is added
 * @schema_tl: (nullable): bytes of the TraceLogging metadata with its size, see
 *   ns_etl_writer_schema_tl()
 * @prov_traits: (nullable): bytes of the provider traits with their size, see
 *   ns_etl_writer_prov_traits()
 * @items: (array length=n_items) (nullable): further items
 * @is_32bit: logged by a 32-bit program: header EVENT32
 * @is_stack32: addresses of the stack have 4 bytes
 * @flags: further bits of the header's flags
 *
 * A record with an EVENT header. All fields may be 0.
 */
typedef struct
{
  guint cpu;
  guint64 raw;
  NsGuid guid;
  guint16 id;
  guint8 version;
  guint8 channel;
  guint8 level;
  guint8 opcode;
  guint16 task;
  guint64 keyword;
  guint32 pid;
  guint32 tid;
  guint32 kernel_time;
  guint32 user_time;
  NsGuid activity;
  const GByteArray *payload;
  NsGuid related;
  const guint64 *stack;
  guint n_stack;
  guint64 stack_match_id;
  guint64 stack_key;
  const GByteArray *schema_tl;
  const GByteArray *prov_traits;
  const NsEtlWriterItem *items;
  guint n_items;
  gboolean is_32bit;
  gboolean is_stack32;
  guint16 flags;
} NsEtlWriterEvent;

/**
 * NsEtlWriterGroup:
 * @kind: %NS_RECORD_SYSTEM32 … %NS_RECORD_COMPACT64, %NS_RECORD_PERFINFO32 or
 *   %NS_RECORD_PERFINFO64; 0: %NS_RECORD_SYSTEM64
 *
 * A kernel record. PERFINFO kinds have no process and thread. All fields may be 0.
 */
typedef struct
{
  guint cpu;
  guint64 raw;
  NsRecordKind kind;
  guint8 group;
  guint8 opcode;
  guint8 version;
  guint32 pid;
  guint32 tid;
  guint32 kernel_time;
  guint32 user_time;
  const GByteArray *payload;
} NsEtlWriterGroup;

/**
 * NsEtlWriterFull:
 * @kind: %NS_RECORD_FULL32, %NS_RECORD_FULL64, %NS_RECORD_INSTANCE32 or %NS_RECORD_INSTANCE64; 0:
 *   %NS_RECORD_FULL64
 *
 * A classic record. All fields may be 0.
 */
typedef struct
{
  guint cpu;
  guint64 raw;
  NsRecordKind kind;
  NsGuid guid;
  guint8 opcode;
  guint8 level;
  guint16 version;
  guint32 pid;
  guint32 tid;
  guint32 instance_id;
  guint32 parent_instance_id;
  NsGuid parent_guid;
  const GByteArray *payload;
} NsEtlWriterFull;

/**
 * NsEtlWriterMessage:
 * @flags: option flags, which select the fields; 0: 0xaa (GUID, time, process and thread, 64 bit)
 *
 * A WPP message. All fields may be 0.
 */
typedef struct
{
  guint cpu;
  guint64 raw;
  NsGuid guid;
  guint16 number;
  guint16 flags;
  guint32 sequence;
  guint32 component;
  guint32 pid;
  guint32 tid;
  const GByteArray *payload;
} NsEtlWriterMessage;

NsEtlWriter *ns_etl_writer_new (const NsEtlWriterOptions *options);
void ns_etl_writer_free (NsEtlWriter *self);
guint64 ns_etl_writer_get_base_raw (const NsEtlWriter *self);

gboolean ns_etl_writer_add_event (NsEtlWriter *self, const NsEtlWriterEvent *event);
gboolean ns_etl_writer_add_group (NsEtlWriter *self, const NsEtlWriterGroup *group);
gboolean ns_etl_writer_add_full (NsEtlWriter *self, const NsEtlWriterFull *full);
gboolean ns_etl_writer_add_message (NsEtlWriter *self, const NsEtlWriterMessage *message);
gboolean ns_etl_writer_add_bytes (NsEtlWriter *self,
                                  guint cpu,
                                  guint64 raw,
                                  const guint8 *record,
                                  gsize size);
void ns_etl_writer_next_buffer (NsEtlWriter *self, guint cpu);
void ns_etl_writer_stream_to_fd (NsEtlWriter *self, int fd);
guint64 ns_etl_writer_get_size (const NsEtlWriter *self);
gboolean ns_etl_writer_finish_stream (NsEtlWriter *self, GError **error);
GBytes *ns_etl_writer_finish (NsEtlWriter *self);
gboolean ns_etl_writer_finish_to_file (NsEtlWriter *self, const char *path, GError **error);

GByteArray *ns_etl_writer_schema_tl (const char *name, const GByteArray *fields);
GByteArray *ns_etl_writer_prov_traits (const char *provider);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEtlWriter, ns_etl_writer_free)

G_END_DECLS
