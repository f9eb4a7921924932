/* The numbers that a session gave its buffers: one that is missing was lost.
 *
 * Buffers of one session are numbered one after the other, whatever their processor; they stand in
 * any order. Merged files keep the numbers of one of their parts, or have some twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-sequence.h"

/* A file that says that so many times as many are missing as it has is damaged. */
#define MOST_MISSING_PER_BUFFER 16

static gint
compare_numbers (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const NsEtlEntry *entries = user_data;
  guint64 left = entries[*(const guint32 *) a].sequence;
  guint64 right = entries[*(const guint32 *) b].sequence;

  return (left > right) - (left < right);
}

/* The numbered buffers in the order of their numbers; (transfer full) (nullable). */
static guint32 *
list_buffers (const NsEtlFile *file, guint *n_listed)
{
  guint32 *order = g_try_new (guint32, MAX (file->layout.n_buffers, 1));
  guint n = 0;
  guint i;

  for (i = 0; order != NULL && i < file->layout.n_buffers; i++)
    if (file->entries[i].is_numbered && file->entries[i].n_records > 0)
      order[n++] = i;
  if (order != NULL)
    g_qsort_with_data (order, (gint) n, sizeof *order, compare_numbers, file->entries);
  *n_listed = n;
  return order;
}

/**
 * ns_etl_sequence_check:
 * @file: a file that was stepped through
 *
 * Notes in its report how many buffers are missing, and from when to when. Of a file that wraps the
 * oldest buffers are gone, which is no loss; numbers that stand there twice tell nothing.
 */
void
ns_etl_sequence_check (NsEtlFile *file)
{
  NsEtlReport *report = &file->report;
  guint n_buffers = 0;
  g_autofree guint32 *order = list_buffers (file, &n_buffers);
  guint64 n_missing = 0;
  guint first_gap = 0;
  guint last_gap = 0;
  guint i;

  report->n_missing = 0;
  report->is_numbered = FALSE;
  if (order == NULL || n_buffers == 0 || (file->header.mode & NS_ETL_MODE_CIRCULAR) != 0)
    return;
  for (i = 1; i < n_buffers; i++)
    {
      guint64 step = file->entries[order[i]].sequence - file->entries[order[i - 1]].sequence;

      if (step == 0 || step - 1 > (guint64) n_buffers * MOST_MISSING_PER_BUFFER - n_missing)
        return;
      if (step == 1)
        continue;
      n_missing += step - 1;
      first_gap = first_gap == 0 ? i : first_gap;
      last_gap = i;
    }
  report->is_numbered = file->entries[order[0]].sequence == 1 && n_missing == 0;
  report->n_missing = n_missing;
  if (n_missing == 0)
    return;
  report->missing_begin_raw = file->entries[order[first_gap - 1]].max_raw;
  report->missing_end_raw = file->entries[order[last_gap]].min_raw;
}
