/* Where each buffer stands in a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-header.h"
#include "etl/ns-etl-scale.h"

G_BEGIN_DECLS

/**
 * NsEtlLayout:
 * @buffer_size: of each buffer of a plain file
 * @max_filled: more bytes than this no expanded buffer may have
 * @n_buffers: how many there are, a cut-off last one included
 * @end: where the last of them ends
 * @stop: (nullable): why nothing can be found between @end and the end of the file
 * @scale: (nullable): what the times of its records are brought to when they are read
 *
 * Plain files have buffers of one size; in compressed files each tells where the next is.
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
  GArray *offsets; /* guint64, one more than buffers; compressed files only */
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

/* Bytes of the buffer that are in the file. */
static inline gsize
ns_etl_layout_get_size (const NsEtlLayout *self, guint buffer)
{
  if (self->offsets != NULL)
    return (gsize) (g_array_index (self->offsets, guint64, buffer + 1) -
                    g_array_index (self->offsets, guint64, buffer));
  return (gsize) MIN (self->buffer_size, self->file_size - (guint64) buffer * self->buffer_size);
}

G_END_DECLS
