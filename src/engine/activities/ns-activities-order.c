/* Sort order and numbering of the master table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activities.h"

#include "base/ns-fetch.h"

#include <string.h>

/* Copies the sort keys out of the rows: rows are far larger, and sorting reads each key repeatedly.
 */
static gint64 *
list_times (const NsTrace *trace)
{
  guint32 n = trace->activities->len;
  gint64 *opens = g_new (gint64, (gsize) n + 1);
  guint32 i;

  for (i = 0; i < n; i++)
    opens[i] = g_array_index (trace->activities, NsActivityRow, i).open_ns;
  return opens;
}

/* Finds the begins of the sorted runs of rows, and the end of the last one. Each layer adds its
 * rows nearly in the order of opening, so the runs are few. */
static GArray *
find_stretches (const gint64 *opens, guint32 n)
{
  GArray *begins = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  for (i = 0; i < n; i++)
    if (i == 0 || opens[i] < opens[i - 1])
      g_array_append_val (begins, i);
  g_array_append_val (begins, n);
  return begins;
}

/* Merges the rows @from…@middle and @middle…@to into the same places of @merged. Stable: of rows
 * opened at the same time, those added first come first. */
static void
merge_two (const gint64 *opens,
           const guint32 *order,
           guint32 *merged,
           guint32 from,
           guint32 middle,
           guint32 to)
{
  guint32 left = from;
  guint32 right = middle;
  guint32 at = from;

  while (left < middle && right < to)
    {
      gint64 left_ns = opens[order[left]];
      gint64 right_ns = opens[order[right]];

      while (left_ns <= right_ns)
        {
          merged[at++] = order[left++];
          if (left == middle)
            break;
          left_ns = opens[order[left]];
        }
      while (left < middle && right < to && right_ns < left_ns)
        {
          merged[at++] = order[right++];
          right_ns = right < to ? opens[order[right]] : 0;
        }
    }
  memcpy (&merged[at], &order[left], (middle - left) * sizeof *order);
  at += middle - left;
  memcpy (&merged[at], &order[right], (to - right) * sizeof *order);
}

/* Merges each pair of adjacent sorted runs into one. */
static void
merge_pairs (const gint64 *opens, const guint32 *order, guint32 *merged, GArray *begins)
{
  guint n = begins->len - 1;
  guint n_left = 0;
  guint i;

  for (i = 0; i < n; i += 2)
    {
      guint32 from = g_array_index (begins, guint32, i);
      guint32 middle = g_array_index (begins, guint32, i + 1);
      guint32 to = i + 2 <= n ? g_array_index (begins, guint32, i + 2) : middle;

      merge_two (opens, order, merged, from, middle, to);
      g_array_index (begins, guint32, n_left++) = from;
    }
  g_array_index (begins, guint32, n_left) = g_array_index (begins, guint32, n);
  g_array_set_size (begins, n_left + 1);
}

/* Sorts the rows by opening time; rows with equal times stay in the order in which they were
 * added. */
static guint32 *
sort_rows (const NsTrace *trace)
{
  guint n = trace->activities->len;
  g_autofree gint64 *opens = list_times (trace);
  g_autoptr (GArray) begins = find_stretches (opens, n);
  guint32 *order = g_new (guint32, (gsize) n + 1);
  g_autofree guint32 *merged = NULL;
  guint i;

  for (i = 0; i < n; i++)
    order[i] = i;
  if (begins->len > 2)
    merged = g_new (guint32, (gsize) n + 1);
  while (begins->len > 2)
    {
      guint32 *spent = order;

      merge_pairs (opens, order, merged, begins);
      order = merged;
      merged = spent;
    }
  return order;
}

/* Moves row @order[i] to index i, along the cycles of the permutation and in place, as the table
 * is too large to be copied. Overwrites @order. */
static void
permute_rows (GArray *rows, guint32 *order)
{
  NsActivityRow *data = (NsActivityRow *) (gpointer) rows->data;
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      NsActivityRow first = data[i];
      guint32 at = i;

      while (order[at] != i)
        {
          guint32 from = order[at];

          ns_fetch (&data[order[from]], sizeof *data);
          data[at] = data[from];
          order[at] = at;
          at = from;
        }
      data[at] = first;
      order[at] = at;
    }
}

/**
 * ns_activities_order: (skip)
 * @trace: a trace to which all rows were added
 *
 * Sorts the table.
 *
 * Returns: (transfer full): the new number of each row, by old number from 0 on
 */
NsRow *
ns_activities_order (NsTrace *trace)
{
  guint n = trace->activities->len;
  g_autofree guint32 *order = sort_rows (trace);
  NsRow *renamed = g_new0 (NsRow, (gsize) n + 1);
  guint i;

  for (i = 0; i < n; i++)
    renamed[order[i] + 1] = i + 1;
  permute_rows (trace->activities, order);
  for (i = 0; i < n; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      row->parent = renamed[row->parent];
    }
  return renamed;
}
