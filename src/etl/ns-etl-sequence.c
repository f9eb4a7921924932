/* Detects lost buffers by gaps in the sequence numbers that a session gives its buffers.
 *
 * A session numbers all its buffers consecutively, whatever their processor; the file has them in
 * any order. Merged files keep the numbers of one of their parts, or have some numbers twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-sequence.h"

/* More missing buffers than this many times the existing ones mean that the file is damaged. */
#define MOST_MISSING_PER_BUFFER 16

/* A numbered buffer. */
typedef struct
{
  guint64 sequence;
  guint64 min_raw;
  guint64 max_raw;
} Numbered;

static gint
compare_numbers (gconstpointer a, gconstpointer b, gpointer user_data)
{
  guint64 left = ((const Numbered *) a)->sequence;
  guint64 right = ((const Numbered *) b)->sequence;

  return (left > right) - (left < right);
}

static gboolean
counts (const NsEtlEntry *entry)
{
  return entry->is_numbered && entry->n_records > 0 && !entry->is_twin && !entry->is_head_only;
}

static guint
count_buffers (const NsEtlFile *file)
{
  guint n = 0;
  guint i;

  for (i = 0; i < file->layout.n_buffers; i++)
    n += counts (&file->entries[i]);
  return n;
}

/* Appends the buffers of a file at index @n; returns the new length. */
static guint
add_buffers (Numbered *all, guint n, const NsEtlFile *file)
{
  guint i;

  for (i = 0; i < file->layout.n_buffers; i++)
    if (counts (&file->entries[i]))
      all[n++] = (Numbered){ file->entries[i].sequence,
                             file->entries[i].min_raw,
                             file->entries[i].max_raw };
  return n;
}

/* Lists the gaps between numbered buffers. */
static void
list_gaps (const Numbered *all, guint n_buffers, GArray *missing)
{
  guint i;

  for (i = 1; i < n_buffers && missing->len < NS_ETL_MAX_LOSSES; i++)
    {
      NsEtlSequenceGap gap = { all[i - 1].max_raw, all[i].min_raw };

      if (all[i].sequence - all[i - 1].sequence > 1)
        g_array_append_val (missing, gap);
    }
}

/* Counts missing buffers. In a session that wraps, the oldest buffers were overwritten, which is no
 * loss; duplicate numbers make the check meaningless. */
static void
check_numbers (Numbered *all, guint n_buffers, NsEtlReport *report)
{
  guint64 n_missing = 0;
  guint first_gap = 0;
  guint last_gap = 0;
  guint i;

  g_qsort_with_data (all, (gint) n_buffers, sizeof *all, compare_numbers, NULL);
  for (i = 1; i < n_buffers; i++)
    {
      guint64 step = all[i].sequence - all[i - 1].sequence;

      if (step == 0 || step - 1 > (guint64) n_buffers * MOST_MISSING_PER_BUFFER - n_missing)
        return;
      if (step == 1)
        continue;
      n_missing += step - 1;
      first_gap = first_gap == 0 ? i : first_gap;
      last_gap = i;
    }
  report->is_numbered = all[0].sequence == 1 && n_missing == 0;
  report->n_missing = n_missing;
  if (n_missing == 0)
    return;
  report->missing_begin_raw = all[first_gap - 1].max_raw;
  report->missing_end_raw = all[last_gap].min_raw;
  list_gaps (all, n_buffers, report->missing);
}

static void
forget_missing (NsEtlFile *file)
{
  file->report.n_missing = 0;
  g_array_set_size (file->report.missing, 0);
  file->report.is_numbered = FALSE;
}

static gboolean
may_wrap (const NsEtlFile *file)
{
  return (file->header.mode & NS_ETL_MODE_CIRCULAR) != 0;
}

/**
 * ns_etl_sequence_check:
 * @file: a file, after the first pass
 *
 * Stores the number of missing buffers and their time span in the report.
 */
void
ns_etl_sequence_check (NsEtlFile *file)
{
  guint n_buffers = count_buffers (file);
  g_autofree Numbered *all = NULL;

  forget_missing (file);
  if (n_buffers == 0 || may_wrap (file))
    return;
  all = g_try_new (Numbered, n_buffers);
  if (all == NULL)
    return;
  add_buffers (all, 0, file);
  check_numbers (all, n_buffers, &file->report);
}

/* Checks all files of one session together; @first is the first of them. */
static void
check_session (NsEtlFile *self, guint first, gboolean *is_done)
{
  NsEtlFile *head = ns_etl_file_get_part (self, first);
  g_autofree Numbered *all = NULL;
  guint n_buffers = 0;
  guint n_parts = 0;
  guint n = 0;
  guint i;

  for (i = first; i < self->inputs->len; i++)
    if (ns_etl_join_is_same_session (head, ns_etl_file_get_part (self, i)))
      {
        n_buffers += count_buffers (ns_etl_file_get_part (self, i));
        n_parts++;
      }
  if (n_parts > 1)
    all = g_try_new (Numbered, MAX (n_buffers, 1));
  for (i = first; i < self->inputs->len; i++)
    {
      NsEtlFile *part = ns_etl_file_get_part (self, i);

      if (!ns_etl_join_is_same_session (head, part))
        continue;
      is_done[i] = TRUE;
      if (all == NULL)
        continue;
      forget_missing (part);
      n = add_buffers (all, n, part);
    }
  if (all == NULL || n == 0 || may_wrap (head))
    return;
  check_numbers (all, n, &head->report);
  for (i = first + 1; i < self->inputs->len; i++)
    if (ns_etl_join_is_same_session (head, ns_etl_file_get_part (self, i)))
      ns_etl_file_get_part (self, i)->report.is_numbered = head->report.is_numbered;
}

/**
 * ns_etl_sequence_check_case:
 * @self: a case, after the first pass over all inputs
 *
 * Checks each session over all its files: a buffer missing in one may be in another. Buffers
 * missing in all are reported with the first file.
 */
void
ns_etl_sequence_check_case (NsEtlFile *self)
{
  g_autofree gboolean *is_done = g_new0 (gboolean, self->inputs->len);
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    if (!is_done[i])
      check_session (self, i, is_done);
}
