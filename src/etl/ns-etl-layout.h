/* Positions of the buffers in a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-header.h"
#include "etl/ns-etl-scale.h"

G_BEGIN_DECLS

/**
 * NsEtlLayout:
 * @is_compressed: whether buffers may be compressed
 * @buffer_size: size of each buffer in a plain file
 * @max_filled: maximum size of an expanded buffer
 * @n_buffers: number of buffers, with a truncated last one
 * @file_size: size of the file in bytes
 * @end: file offset of the end of the last buffer
 * @stop: (nullable): why nothing can be found between @end and the end of the file
 * @scale: (nullable): conversion of times when buffers are read
 * @offsets: file offsets of the buffers and the end of the last one; compressed files only
 *
 * Plain files have buffers of one size; in compressed files each buffer has its own size.
 */
typedef struct
{
  gboolean is_compressed;
  guint32 buffer_size;
  guint32 max_filled;
  guint n_buffers;
  guint64 file_size;
  guint64 end;
  const char *stop;
  const NsEtlScale *scale;
  GArray *offsets; /* (element-type guint64), one more than buffers; compressed files only */
} NsEtlLayout;

gboolean ns_etl_layout_init (NsEtlLayout *self,
                             const NsEtlSource *source,
                             const NsEtlHeader *header,
                             guint32 first_buffer_size,
                             GError **error);
gboolean ns_etl_layout_cut (NsEtlLayout *self, guint64 n_bytes);
void ns_etl_layout_clear (NsEtlLayout *self);

static inline guint64
ns_etl_layout_get_offset (const NsEtlLayout *self, guint buffer)
{
  if (self->offsets != NULL)
    return g_array_index (self->offsets, guint64, buffer);
  return (guint64) buffer * self->buffer_size;
}

/* Returns the size of the buffer in the file. */
static inline gsize
ns_etl_layout_get_size (const NsEtlLayout *self, guint buffer)
{
  if (self->offsets != NULL)
    return (gsize) (g_array_index (self->offsets, guint64, buffer + 1) -
                    g_array_index (self->offsets, guint64, buffer));
  return (gsize) MIN (self->buffer_size, self->file_size - (guint64) buffer * self->buffer_size);
}

G_END_DECLS
