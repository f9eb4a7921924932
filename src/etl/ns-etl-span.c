/* Time span of a file's records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-span.h"

#include "etl/ns-etl-file-private.h"

/* Returns whether the buffer holds the trace header only: in a later file of a series the header
 * has the time of the session's start, not of the file's. */
static gboolean
is_header_only (const NsEtlFile *self, guint buffer)
{
  return buffer == 0 && (self->entries[0].n_records == 1 || self->entries[0].is_head_only);
}

static void
take_buffer (const NsEtlEntry *entry, guint64 *first_raw, guint64 *last_raw)
{
  if (entry->n_records == 0)
    return;
  *first_raw = MIN (*first_raw, entry->min_raw);
  *last_raw = MAX (*last_raw, entry->max_raw);
}

/**
 * ns_etl_file_find_span:
 * @self: a trace of one file, or an input of a case, that was walked
 * @first_raw: (out): raw time of its first record, not counting the header
 * @last_raw: (out): raw time of its last record
 *
 * Returns: whether it has any record
 */
gboolean
ns_etl_file_find_span (const NsEtlFile *self, guint64 *first_raw, guint64 *last_raw)
{
  guint n_buffers = self->entries != NULL ? self->layout.n_buffers : 0;
  guint i;

  *first_raw = G_MAXUINT64;
  *last_raw = 0;
  for (i = 0; i < n_buffers; i++)
    if (!is_header_only (self, i))
      take_buffer (&self->entries[i], first_raw, last_raw);
  if (*first_raw > *last_raw && n_buffers > 0)
    take_buffer (&self->entries[0], first_raw, last_raw);
  return *first_raw <= *last_raw;
}
