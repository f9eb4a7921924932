/* Places in a trace: which byte, which buffer, which file of a case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file-private.h"

/* Where an input begins, counted in what is searched for. */
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

/* The last input that begins at or before a place of the case; of one file that itself. */
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
 * Returns: which input of the case the buffer stands in; 0 in a trace that is one file
 */
guint
ns_etl_file_find_input (const NsEtlFile *self, guint32 buffer)
{
  return part_of_buffer (self, buffer)->number;
}

/**
 * ns_etl_file_find_input_of_byte:
 * @self: a trace
 * @offset: (inout): a place in it; then in the file of that input
 *
 * Returns: which input of the case the place is in; 0 in a trace that is one file
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
 * @self: a trace that was walked through, and will not be again
 * @where: (nullable): the record that it came along in; %NULL: it stands outside the trace
 * @what: one line without a full stop
 *
 * Adds to the report what is wrong with that which came along with the trace, and takes nothing
 * from the trace.
 */
void
ns_etl_file_add_beside (NsEtlFile *self, const NsRecordRef *where, const char *what)
{
  guint64 offset = self->layout.file_size;

  /* Of a buffer that has to be expanded its beginning is what stands in the file. */
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
 * Returns: how many places of the report are beside the trace
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
 * Returns: whether the file ends, or cannot be followed further, before its last buffer is over
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
 * @offset: in its file, bytes; in a case counted through all its files
 * @buffer: (out): the buffer there
 * @pos: (out): where in the buffer; 0 in one that has to be expanded
 * @cpu: (out): whose records it holds
 *
 * Returns: whether a buffer stands there
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
  *cpu = ns_etl_file_get_buffer_cpu (part, low);
  return TRUE;
}

/**
 * ns_etl_file_get_max_buffer:
 * @self: a trace
 *
 * Returns: bytes that no buffer of a sound file has more of, expanded
 */
guint32
ns_etl_file_get_max_buffer (const NsEtlFile *self)
{
  return MAX (self->layout.buffer_size, self->layout.max_filled);
}

/**
 * ns_etl_file_find_offset:
 * @self: a trace
 * @ref: where a record stands
 * @offset: (out): the first byte of the record in the file; in a case counted through all its files
 *
 * Returns: whether it stands in the file as it is, rather than in a buffer that has to be expanded
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
 * Returns: whose records the buffer holds; 0 as long as it has not been walked
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
