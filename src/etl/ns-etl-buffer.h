/* A trace buffer (WMI_BUFFER_HEADER), validated and expanded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "etl/ns-etl-layout.h"

G_BEGIN_DECLS

#define NS_ETL_BUFFER_HEADER_SIZE 0x48
/* Larger buffer sizes are treated as damage. */
#define NS_ETL_MAX_BUFFER_SIZE (64u << 20)
/* Follows the last record of a buffer if there is room. */
#define NS_ETL_END_MARKER 0xffffffffu

/* LogFileMode bits that change how a file is read. */
#define NS_ETL_MODE_CIRCULAR 0x00000002u
#define NS_ETL_MODE_COMPRESSED 0x04000000u
#define NS_ETL_MODE_NO_PER_PROCESSOR 0x10000000u

/* BufferFlag. */
enum
{
  NS_ETL_FLAG_FLUSH_MARKER = 1,
  NS_ETL_FLAG_EVENTS_LOST = 2,
  NS_ETL_FLAG_BUFFER_LOST = 4,
  NS_ETL_FLAG_PROC_INDEX = 0x20,
  NS_ETL_FLAG_COMPRESSED = 0x40,
};

/* BufferType. */
enum
{
  NS_ETL_BUFFER_GENERIC = 0,
  NS_ETL_BUFFER_HEADER = 4,
};

typedef enum
{
  NS_ETL_BUFFER_READY, /* may contain records */
  NS_ETL_BUFFER_EMPTY, /* never written: all zero */
  NS_ETL_BUFFER_LOST,  /* unreadable */
} NsEtlBufferState;

/**
 * NsEtlBuffer:
 * @index: its number in the file
 * @offset: its file offset
 * @state: whether it can contain records
 * @cpu: processor whose records it holds
 * @flags: BufferFlag of the file
 * @type: BufferType of the file
 * @sequence: its number among the buffers of the session
 * @end: offset of the end of the records from the buffer's header
 * @data: (nullable): the expanded bytes, from the buffer's header on
 * @damage: (nullable): what is wrong with the buffer
 * @n_dropped: number of bytes that are unreadable because of the damage
 * @input: number of the input whose loader filled it, in a walk over a case
 * @room: memory of the expanded bytes
 * @room_size: size of @room
 * @packed: memory of the compressed bytes
 * @packed_size: size of @packed
 *
 * A buffer in memory, expanded if it was compressed. Its memory is reused for the next one.
 */
typedef struct
{
  guint index;
  guint64 offset;
  NsEtlBufferState state;
  guint16 cpu;
  guint16 flags;
  guint16 type;
  guint64 sequence;
  gsize end;
  const guint8 *data;
  const char *damage;
  gsize n_dropped;
  guint input;
  guint8 *room;
  gsize room_size;
  guint8 *packed;
  gsize packed_size;
} NsEtlBuffer;

gboolean ns_etl_buffer_load (NsEtlBuffer *self,
                             const NsEtlSource *source,
                             const NsEtlLayout *layout,
                             guint index,
                             GError **error);
void ns_etl_buffer_clear (NsEtlBuffer *self);

G_END_DECLS
