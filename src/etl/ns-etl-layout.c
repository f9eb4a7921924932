/* Positions of the buffers in a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-layout.h"

#include "etl/ns-etl-buffer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum number of buffers; only files of more than a terabyte would need more. */
#define MAX_BUFFERS (G_MAXUINT32 / 2)

static void
init_plain (NsEtlLayout *self)
{
  guint64 n = self->file_size / self->buffer_size;
  guint64 rest = self->file_size % self->buffer_size;

  if (rest >= NS_ETL_BUFFER_HEADER_SIZE)
    n++;
  else if (rest > 0)
    self->stop = N_ ("too few bytes for a buffer at the end of the file");
  if (n > MAX_BUFFERS)
    {
      n = MAX_BUFFERS;
      self->stop = N_ ("more buffers than are supported");
    }
  self->n_buffers = (guint) n;
  self->end = MIN (n * self->buffer_size, self->file_size);
  if (rest > 0 && rest < NS_ETL_BUFFER_HEADER_SIZE)
    self->end = self->file_size - rest;
}

/* Steps from buffer header to buffer header, until the end or an invalid size. */
static gboolean
init_compressed (NsEtlLayout *self, const NsEtlSource *source, GError **error)
{
  guint64 pos = 0;

  self->offsets = g_array_new (FALSE, FALSE, sizeof (guint64));
  while (pos < self->file_size)
    {
      guint64 left = self->file_size - pos;
      guint8 data[4];
      gsize n_read;
      NsCursor cursor;
      guint32 size;

      if (left < NS_ETL_BUFFER_HEADER_SIZE)
        {
          self->stop = N_ ("too few bytes for a buffer at the end of the file");
          break;
        }
      if (!ns_etl_source_read (source, pos, data, sizeof data, &n_read, error))
        return FALSE;
      ns_cursor_init (&cursor, data, n_read);
      size = ns_cursor_u32 (&cursor);
      if (size < NS_ETL_BUFFER_HEADER_SIZE || size > NS_ETL_MAX_BUFFER_SIZE)
        {
          self->stop = N_ ("an invalid buffer size, so the next buffer cannot be found");
          break;
        }
      if (size > left)
        {
          self->stop = N_ ("the last buffer is cut off");
          break;
        }
      if (self->offsets->len >= MAX_BUFFERS)
        {
          self->stop = N_ ("more buffers than are supported");
          break;
        }
      g_array_append_val (self->offsets, pos);
      pos += size;
    }
  self->n_buffers = self->offsets->len;
  self->end = pos;
  g_array_append_val (self->offsets, pos);
  return TRUE;
}

/**
 * ns_etl_layout_init:
 * @self: (out): the layout; clear it with ns_etl_layout_clear(), also on failure
 * @source: a file
 * @header: its trace header
 * @first_buffer_size: size of its first buffer
 * @error: return location
 *
 * Returns: %FALSE with @error set if the medium could not be read
 */
gboolean
ns_etl_layout_init (NsEtlLayout *self,
                    const NsEtlSource *source,
                    const NsEtlHeader *header,
                    guint32 first_buffer_size,
                    GError **error)
{
  memset (self, 0, sizeof *self);
  self->file_size = ns_etl_source_get_size (source);
  self->buffer_size = first_buffer_size;
  self->is_compressed = (header->mode & NS_ETL_MODE_COMPRESSED) != 0;
  self->max_filled = CLAMP (header->buffer_size, first_buffer_size, NS_ETL_MAX_BUFFER_SIZE);
  if (self->is_compressed)
    return init_compressed (self, source, error);
  init_plain (self);
  return TRUE;
}

/**
 * ns_etl_layout_cut:
 * @self: a layout
 * @n_bytes: number of bytes of the file to use
 *
 * Removes the buffers that do not end before @n_bytes. The first one remains, because it has the
 * trace header.
 *
 * Returns: whether any buffer was removed
 */
gboolean
ns_etl_layout_cut (NsEtlLayout *self, guint64 n_bytes)
{
  guint n_buffers = self->n_buffers;
  guint64 end = MIN (n_bytes, self->file_size);

  if (self->offsets != NULL)
    while (n_buffers > 1 && g_array_index (self->offsets, guint64, n_buffers) > end)
      n_buffers--;
  else
    n_buffers = (guint) CLAMP (end / self->buffer_size, 1, n_buffers);
  if (n_buffers >= self->n_buffers)
    return FALSE;
  self->n_buffers = n_buffers;
  self->end = self->offsets != NULL ? g_array_index (self->offsets, guint64, n_buffers)
                                    : n_buffers * self->buffer_size;
  self->stop = NULL;
  return TRUE;
}

/**
 * ns_etl_layout_clear:
 * @self: a layout
 *
 * Frees its memory.
 */
void
ns_etl_layout_clear (NsEtlLayout *self)
{
  g_clear_pointer (&self->offsets, g_array_unref);
}
