/* Random access to records by position.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"

/* Number of cached buffers. Records in order of time alternate between the buffers of all
 * processors, so the cache holds two buffers per processor within these limits. */
#define MIN_KEPT 4
#define MAX_KEPT 128
#define MAX_KEPT_BYTES (64u << 20)

typedef struct
{
  NsEtlBuffer buffer;
  guint32 index; /* number of the buffer in the trace */
  gboolean is_filled;
  guint64 used;
} Kept;

struct _NsEtlReader
{
  NsEtlFile *file;
  Kept *kept;
  guint n_kept;
  guint64 tick;
};

/**
 * ns_etl_reader_new:
 * @file: a trace; must outlive the result
 *
 * Several readers may be used at once, each by one thread, even during a walk.
 *
 * Returns: (transfer full): a reader
 */
NsEtlReader *
ns_etl_reader_new (NsEtlFile *file)
{
  NsEtlReader *self = g_new0 (NsEtlReader, 1);

  self->file = file;
  self->n_kept = MIN (MIN (file->header.n_processors, MAX_KEPT) * 2,
                      MAX_KEPT_BYTES / MAX (file->layout.max_filled, 1));
  self->n_kept = CLAMP (self->n_kept, MIN_KEPT, MAX_KEPT);
  self->kept = g_new0 (Kept, self->n_kept);
  return self;
}

/**
 * ns_etl_reader_free:
 * @self: (transfer full) (nullable): a reader
 *
 * Frees @self.
 */
void
ns_etl_reader_free (NsEtlReader *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < self->n_kept; i++)
    ns_etl_buffer_clear (&self->kept[i].buffer);
  g_free (self->kept);
  g_free (self);
}

/* Returns the buffer from the cache or the file; NULL: nothing in it is readable. */
static const NsEtlBuffer *
get_buffer (NsEtlReader *self, guint index)
{
  Kept *oldest = &self->kept[0];
  const NsEtlFile *part;
  guint i;

  self->tick++;
  for (i = 0; i < self->n_kept; i++)
    {
      Kept *kept = &self->kept[i];

      if (kept->is_filled && kept->index == index)
        {
          kept->used = self->tick;
          return kept->buffer.state == NS_ETL_BUFFER_READY ? &kept->buffer : NULL;
        }
      if (kept->used < oldest->used)
        oldest = kept;
    }

  oldest->used = self->tick;
  part = ns_etl_file_get_part (self->file, ns_etl_file_find_input (self->file, index));
  oldest->is_filled = ns_etl_buffer_load (&oldest->buffer,
                                          part->source,
                                          &part->layout,
                                          index - part->first_buffer,
                                          NULL);
  oldest->index = index;
  if (!oldest->is_filled || oldest->buffer.state != NS_ETL_BUFFER_READY)
    return NULL;
  return &oldest->buffer;
}

/* Returns the time of the preceding record, for a record without one. */
static guint64
time_before (const NsEtlFile *part, const NsEtlBuffer *buffer, gsize offset)
{
  guint64 fallback = part->header.base_raw;
  gsize pos = NS_ETL_BUFFER_HEADER_SIZE;
  NsEtlStepKind kind;
  NsEtlStep step;
  guint64 raw;

  if (part->entries != NULL && part->entries[buffer->index].n_records > 0)
    fallback = part->entries[buffer->index].min_raw;
  raw = ns_etl_walk_first_raw (part, buffer, fallback);
  while (pos < offset &&
         (kind = ns_etl_parse_step (buffer->data, buffer->end, pos, &step)) <= NS_ETL_STEP_UNKNOWN)
    {
      if (kind == NS_ETL_STEP_RECORD && step.has_time)
        raw = step.raw;
      pos = ns_etl_step_next (&step);
    }
  return raw;
}

/**
 * ns_etl_reader_read:
 * @self: a reader
 * @ref: position of a record, from a walk
 * @record: (out): the record; its bytes are valid until the next read
 *
 * Returns: %FALSE if there is no record (any more)
 */
gboolean
ns_etl_reader_read (NsEtlReader *self, NsRecordRef ref, NsRecord *record)
{
  const NsEtlBuffer *buffer;
  const NsEtlFile *part;
  NsEtlParser parser;
  NsEtlStep step;

  if (ref.buffer >= self->file->layout.n_buffers || ref.offset < NS_ETL_BUFFER_HEADER_SIZE ||
      ref.offset % 8 != 0)
    return FALSE;
  buffer = get_buffer (self, ref.buffer);
  if (buffer == NULL ||
      ns_etl_parse_step (buffer->data, buffer->end, ref.offset, &step) != NS_ETL_STEP_RECORD)
    return FALSE;

  part = ns_etl_file_get_part (self->file, ns_etl_file_find_input (self->file, ref.buffer));
  record->raw = step.has_time ? step.raw : time_before (part, buffer, ref.offset);
  record->ref = ref;
  record->cpu = buffer->cpu;
  parser = part->parser;
  parser.is_shared = TRUE;
  ns_etl_parse_record (&parser, buffer->data, &step, record);
  return TRUE;
}
