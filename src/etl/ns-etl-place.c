/* Positions in a trace: converts between byte offsets, buffers and inputs of a case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"

/* Returns where an input begins, in units of the search. */
typedef guint64 (*BeginFunc) (const NsEtlFile *part);

static guint64
first_buffer_of (const NsEtlFile *part)
{
  return part->first_buffer;
}

static guint64
first_byte_of (const NsEtlFile *part)
{
  return part->first_byte;
}

/* Returns the last input that begins at or before a position of the case; @self if it is one
 * file. */
static const NsEtlFile *
part_at (const NsEtlFile *self, guint64 place, BeginFunc begin)
{
  guint low = 0;
  guint high = self->inputs != NULL ? self->inputs->len : 0;

  if (high == 0)
    return self;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (begin (g_ptr_array_index (self->inputs, middle)) <= place)
        low = middle;
      else
        high = middle;
    }
  return g_ptr_array_index (self->inputs, low);
}

static const NsEtlFile *
part_of_buffer (const NsEtlFile *self, guint32 buffer)
{
  return part_at (self, buffer, first_buffer_of);
}

static const NsEtlFile *
part_of_byte (const NsEtlFile *self, guint64 offset)
{
  return part_at (self, offset, first_byte_of);
}

/**
 * ns_etl_file_find_input:
 * @self: a trace
 * @buffer: one of its buffers
 *
 * Returns: number of the input that holds the buffer; 0 in a trace of one file
 */
guint
ns_etl_file_find_input (const NsEtlFile *self, guint32 buffer)
{
  return part_of_buffer (self, buffer)->number;
}

/**
 * ns_etl_file_find_input_of_byte:
 * @self: a trace
 * @offset: (inout): a byte offset in it; converted to one in the file of the input
 *
 * Returns: number of the input at the offset; 0 in a trace of one file
 */
guint
ns_etl_file_find_input_of_byte (const NsEtlFile *self, guint64 *offset)
{
  const NsEtlFile *part = part_of_byte (self, *offset);

  *offset -= part->first_byte;
  return part->number;
}

/**
 * ns_etl_file_add_beside:
 * @self: a trace that was walked, and will not be walked again
 * @where: (nullable): the record that contains it; %NULL: it is outside the trace
 * @what: one line without a full stop
 *
 * Adds damage of a companion to the report: no record is missing because of it.
 */
void
ns_etl_file_add_beside (NsEtlFile *self, const NsRecordRef *where, const char *what)
{
  guint64 offset = self->layout.file_size;

  /* The file has an offset for the beginning of a compressed buffer only. */
  if (where != NULL && !ns_etl_file_find_offset (self, *where, &offset) &&
      where->buffer < self->layout.n_buffers)
    {
      const NsEtlFile *part = part_of_buffer (self, where->buffer);

      offset = part->first_byte +
               ns_etl_layout_get_offset (&part->layout, where->buffer - part->first_buffer);
    }
  self->n_beside++;
  ns_etl_report_add_beside (&self->report, offset, what);
}

/**
 * ns_etl_file_get_n_beside:
 * @self: a trace
 *
 * Returns: the number of damages in the report that are about companions
 */
guint
ns_etl_file_get_n_beside (const NsEtlFile *self)
{
  return self->n_beside;
}

/**
 * ns_etl_file_is_cut:
 * @self: a trace
 *
 * Returns: whether the file is truncated, or unreadable before the end of its last buffer
 */
gboolean
ns_etl_file_is_cut (const NsEtlFile *self)
{
  const NsEtlLayout *layout = &self->layout;
  guint i;

  for (i = 0; self->inputs != NULL && i < self->inputs->len; i++)
    if (ns_etl_file_is_cut (g_ptr_array_index (self->inputs, i)))
      return TRUE;
  if (self->inputs != NULL)
    return FALSE;
  if (layout->stop != NULL || ns_etl_source_get_damage (self->source) != NULL)
    return TRUE;
  return !layout->is_compressed && layout->n_buffers > 0 &&
         ns_etl_layout_get_size (layout, layout->n_buffers - 1) < layout->buffer_size;
}

/**
 * ns_etl_file_find_place:
 * @self: a trace
 * @offset: a byte offset, in a case counted through all its files
 * @buffer: (out): the buffer there
 * @pos: (out): offset in the buffer; 0 in a compressed one
 * @cpu: (out): processor of the buffer's records
 *
 * Returns: whether there is a buffer
 */
gboolean
ns_etl_file_find_place (const NsEtlFile *self,
                        guint64 offset,
                        guint32 *buffer,
                        guint32 *pos,
                        guint16 *cpu)
{
  const NsEtlFile *part = part_of_byte (self, offset);
  const NsEtlLayout *layout = &part->layout;
  guint low = 0;
  guint high = layout->n_buffers;

  offset -= part->first_byte;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (ns_etl_layout_get_offset (layout, middle) <= offset)
        low = middle;
      else
        high = middle;
    }
  if (high == 0 || offset >= layout->end)
    return FALSE;
  *buffer = part->first_buffer + low;
  *pos = layout->is_compressed ? 0 : (guint32) (offset - ns_etl_layout_get_offset (layout, low));
  *cpu = ns_etl_file_get_buffer_cpu (self, *buffer);
  return TRUE;
}

/**
 * ns_etl_file_get_max_buffer:
 * @self: a trace
 *
 * Returns: maximum size of an expanded buffer in an undamaged file, in bytes
 */
guint32
ns_etl_file_get_max_buffer (const NsEtlFile *self)
{
  return MAX (self->layout.buffer_size, self->layout.max_filled);
}

/**
 * ns_etl_file_find_offset:
 * @self: a trace
 * @ref: position of a record
 * @offset: (out): byte offset of the record in the file, in a case counted through all its files
 *
 * Returns: whether the record has an offset, that is, its buffer is not compressed
 */
gboolean
ns_etl_file_find_offset (const NsEtlFile *self, NsRecordRef ref, guint64 *offset)
{
  const NsEtlFile *part;

  if (ref.buffer >= self->layout.n_buffers)
    return FALSE;
  part = part_of_buffer (self, ref.buffer);
  if (part->layout.is_compressed)
    return FALSE;
  *offset = part->first_byte +
            ns_etl_layout_get_offset (&part->layout, ref.buffer - part->first_buffer) + ref.offset;
  return TRUE;
}

/**
 * ns_etl_file_get_buffer_cpu:
 * @self: a trace
 * @buffer: one of its buffers
 *
 * Returns: processor of the buffer's records; 0 before the first walk
 */
guint16
ns_etl_file_get_buffer_cpu (const NsEtlFile *self, guint32 buffer)
{
  const NsEtlFile *part;

  if (buffer >= self->layout.n_buffers)
    return 0;
  part = part_of_buffer (self, buffer);
  return part->entries != NULL ? part->entries[buffer - part->first_buffer].cpu : 0;
}

/**
 * ns_etl_file_has_buffer_header:
 * @self: a trace
 * @buffer: one of its buffers
 *
 * Returns: whether the processor of the buffer's records is known, since its header could be read;
 *   %FALSE before the first walk
 */
gboolean
ns_etl_file_has_buffer_header (const NsEtlFile *self, guint32 buffer)
{
  const NsEtlFile *part;

  if (buffer >= self->layout.n_buffers)
    return FALSE;
  part = part_of_buffer (self, buffer);
  return part->entries != NULL && part->entries[buffer - part->first_buffer].has_header;
}
