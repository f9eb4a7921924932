/* Totals of groups.
 *
 * Each row is read once, by two threads for large tables, and counted in its innermost group; the
 * totals of outer groups are the sums of their inner groups. Values that need an order
 * (percentiles, busy time) are computed in one pass over all rows in that order, for all groups at
 * once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-meanwhile.h"
#include "base/ns-parts.h"
#include "engine/tasks/ns-pool-wait.h"
#include "query/ns-field-get.h"
#include "query/ns-groups.h"
#include "query/ns-radix.h"

#include <string.h>

#define MEDIAN_PERCENT 50
#define P95_PERCENT 95
/* Number of rows that prefetching of phases is ahead; that of rows is twice as far ahead. */
#define ROWS_AHEAD 8
#define CACHE_LINE 64

/* Fields that the totals use; NULL: the table lacks the field. */
typedef struct
{
  const NsField *failed;
  const NsField *sent;
  const NsField *received;
  const NsField *duration;
  const NsField *open;
  const NsField *close; /* only if rows with a duration may have none */
  gboolean has_phases;
} Summed;

/* Time of a row; an unknown duration is %NS_UNKNOWN. */
typedef struct
{
  gint64 open_ns;
  gint64 duration_ns;
} Times;

/* Data for the computation of totals. Arrays are indexed by group; the total of all rows follows
 * the last group. */
typedef struct
{
  const NsTrace *trace;
  Summed fields;
  const guint32 *rows;
  guint n_rows;
  NsGroups *groups;   /* (nullable): NULL: only the total */
  guint32 *innermost; /* by row: its innermost group */
  Times *times;       /* by row */
  NsSums *total;
  GMutex lock; /* guards groups that span several parts */
} Work;

static Summed
find_fields (NsTableId table)
{
  Summed fields = {
    ns_table_find_field (table, "failed"),
    ns_table_find_field (table, "sent"),
    ns_table_find_field (table, "received"),
    ns_table_find_field (table, "duration_ns"),
    ns_table_find_field (table, "open_ns"),
    NULL,
    table == NS_TABLE_ACTIVITIES,
  };

  if (table == NS_TABLE_TCP)
    fields.close = ns_table_find_field (table, "close_ns");
  return fields;
}

static void
clear_sums (NsSums *sums)
{
  memset (sums, 0, sizeof *sums);
  sums->longest_ns = sums->median_ns = sums->p95_ns = NS_UNKNOWN;
  sums->open_ns = sums->close_ns = NS_TIME_NONE;
}

static guint
get_n_groups (const Work *work)
{
  return work->groups != NULL ? work->groups->groups->len : 0;
}

static NsSums *
get_sums (const Work *work, guint number)
{
  return number < get_n_groups (work) ? &g_array_index (work->groups->groups, NsGroup, number).sums
                                      : work->total;
}

/* Returns the number of the outer group. */
static guint
get_outer (const Work *work, guint number)
{
  guint parent = g_array_index (work->groups->groups, NsGroup, number).parent;

  return parent > 0 ? parent - 1 : get_n_groups (work);
}

static void
merge (NsSums *sums, const NsSums *more)
{
  guint i;

  if (more->n_rows == 0)
    return;
  if (sums->n_rows == 0)
    sums->protocol = more->protocol;
  else if (sums->protocol != more->protocol)
    sums->protocol = 0;
  sums->n_rows += more->n_rows;
  sums->n_failed += more->n_failed;
  sums->sent += more->sent;
  sums->received += more->received;
  sums->duration_ns = ns_time_sum (sums->duration_ns, more->duration_ns);
  sums->is_lower_bound |= more->is_lower_bound;
  if (ns_time_is_set (more->open_ns) &&
      (!ns_time_is_set (sums->open_ns) || more->open_ns < sums->open_ns))
    sums->open_ns = more->open_ns;
  if (ns_time_is_set (more->close_ns) &&
      (!ns_time_is_set (sums->close_ns) || more->close_ns > sums->close_ns))
    sums->close_ns = more->close_ns;
  for (i = 0; i < NS_N_PHASES; i++)
    sums->phases[i] = ns_time_sum (sums->phases[i], more->phases[i]);
}

/* Adds a part's totals to a group. The other thread may update a group that spans parts at the
 * same time. */
static void
count_in (Work *work, guint number, const NsSums *found, guint begin, guint end)
{
  const NsGroup *group =
      number < get_n_groups (work) ? &g_array_index (work->groups->groups, NsGroup, number) : NULL;
  gboolean is_whole = group != NULL && group->begin >= begin && group->end <= end;

  if (!is_whole)
    g_mutex_lock (&work->lock);
  merge (get_sums (work, number), found);
  if (!is_whole)
    g_mutex_unlock (&work->lock);
}

static gboolean
get_number (const NsTrace *trace,
            const NsField *field,
            guint32 row,
            gint64 *number,
            gboolean *is_lower_bound)
{
  gboolean is_known;
  NsFieldValue value;

  if (field == NULL)
    return FALSE;
  ns_field_get (trace, field, row, &value);
  is_known = !value.is_null;
  if (is_known)
    {
      *number = value.v.i;
      if (is_lower_bound != NULL)
        *is_lower_bound |= value.is_lower_bound;
    }
  ns_field_value_clear (&value);
  return is_known;
}

/* Adds the phases. The pool phase includes waits before the rows, as in the field of phases. */
static void
add_phases (NsSums *sums, const NsTrace *trace, const NsActivityRow *row)
{
  gint64 pool_ns = ns_pool_wait_get_total (trace, row);
  guint i;

  if (sums->n_rows == 1)
    sums->protocol = row->protocol;
  else if (sums->protocol != row->protocol)
    sums->protocol = 0;
  if (pool_ns > 0)
    sums->phases[NS_PHASE_POOL] = ns_time_sum (sums->phases[NS_PHASE_POOL], pool_ns);
  for (i = 0; row->phases != NULL && i < NS_N_PHASES; i++)
    if (i != NS_PHASE_POOL && ns_activity_row_get_phase (row, i) > 0)
      sums->phases[i] = ns_time_sum (sums->phases[i], ns_activity_row_get_phase (row, i));
}

static void
add_row (NsSums *sums, const NsTrace *trace, const Summed *fields, guint32 row, Times *times)
{
  gboolean is_open = FALSE;
  gint64 number = 0;

  *times = (Times){ NS_TIME_NONE, NS_UNKNOWN };
  sums->n_rows++;
  if (fields->has_phases)
    add_phases (sums, trace, &g_array_index (trace->activities, NsActivityRow, row));
  if (get_number (trace, fields->failed, row, &number, NULL) && number != 0)
    sums->n_failed++;
  if (get_number (trace, fields->sent, row, &number, NULL))
    sums->sent += (guint64) number;
  if (get_number (trace, fields->received, row, &number, NULL))
    sums->received += (guint64) number;
  if (!get_number (trace, fields->duration, row, &times->duration_ns, &is_open))
    return;
  sums->is_lower_bound |= is_open;
  sums->duration_ns = ns_time_sum (sums->duration_ns, times->duration_ns);
  if (!get_number (trace, fields->open, row, &times->open_ns, NULL))
    return;
  if (sums->open_ns == NS_TIME_NONE || times->open_ns < sums->open_ns)
    sums->open_ns = times->open_ns;
  /* A connection that was only shut down has a duration, but no close. */
  if (is_open || fields->close == NULL || get_number (trace, fields->close, row, &number, NULL))
    sums->close_ns = MAX (sums->close_ns, times->open_ns + times->duration_ns);
}

/* Prefetches a later row: rows of a group are scattered in memory. */
static void
fetch_ahead (const Work *work, guint at, guint end)
{
  const Summed *fields = &work->fields;
  const NsActivityRow *rows = &g_array_index (work->trace->activities, NsActivityRow, 0);
  gsize byte;

  if (!fields->has_phases)
    return;
  for (byte = 0; byte < sizeof *rows && at + 2 * ROWS_AHEAD < end; byte += CACHE_LINE)
    __builtin_prefetch ((const guint8 *) &rows[work->rows[at + 2 * ROWS_AHEAD]] + byte);
  if (at + ROWS_AHEAD < end && rows[work->rows[at + ROWS_AHEAD]].phases != NULL)
    __builtin_prefetch (rows[work->rows[at + ROWS_AHEAD]].phases);
}

static void
read_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Work *work = user_data;
  guint number = work->innermost[begin];
  NsSums found;
  guint i;

  clear_sums (&found);
  for (i = begin; i < end; i++)
    {
      if (work->innermost[i] != number)
        {
          count_in (work, number, &found, begin, end);
          clear_sums (&found);
          number = work->innermost[i];
        }
      fetch_ahead (work, i, end);
      add_row (&found, work->trace, &work->fields, work->rows[i], &work->times[i]);
    }
  count_in (work, number, &found, begin, end);
}

/* Adds the totals of inner groups to outer ones, which precede them. */
static void
add_to_outer (Work *work)
{
  guint number;

  for (number = get_n_groups (work); number > 0; number--)
    merge (get_sums (work, get_outer (work, number - 1)), get_sums (work, number - 1));
}

/* Returns the sort key of a row; rows without one are skipped. */
typedef gboolean (*GetKey) (const Times *times, guint64 *key);

static gboolean
get_duration_key (const Times *times, guint64 *key)
{
  *key = ns_radix_key_from_signed (times->duration_ns);
  return times->duration_ns != NS_UNKNOWN;
}

static gboolean
get_open_key (const Times *times, guint64 *key)
{
  *key = ns_radix_key_from_signed (times->open_ns);
  return times->open_ns != NS_TIME_NONE;
}

/* Sorts the positions of rows by a key. */
static NsRadixItem *
sort_places (const Work *work, GetKey get_key, guint *n_items)
{
  NsRadixItem *items = g_new (NsRadixItem, 2 * (gsize) work->n_rows + 1);
  guint n = 0;
  guint i;

  for (i = 0; i < work->n_rows; i++)
    if (get_key (&work->times[i], &items[n].key))
      items[n++].place = i;
  *n_items = n;
  ns_radix_sort (items, items + work->n_rows, n);
  return items;
}

/* Number of rows of a group that have a duration, and number of these visited so far. */
typedef struct
{
  guint n_rows;
  guint n_taken;
} Ranked;

/* Returns the rank of a percentile, by the nearest-rank method. */
static guint
get_rank (guint n_rows, guint percent)
{
  return MAX ((guint) (((guint64) n_rows * percent + 99) / 100), 1);
}

static void
take_duration (const Work *work, Ranked *all_ranked, guint number, gint64 duration_ns)
{
  Ranked *ranked = &all_ranked[number];

  ranked->n_taken++;
  if (ranked->n_taken == get_rank (ranked->n_rows, MEDIAN_PERCENT))
    get_sums (work, number)->median_ns = duration_ns;
  if (ranked->n_taken == get_rank (ranked->n_rows, P95_PERCENT))
    get_sums (work, number)->p95_ns = duration_ns;
  if (ranked->n_taken == ranked->n_rows)
    get_sums (work, number)->longest_ns = duration_ns;
}

/* Computes percentiles: visits rows by duration; a percentile is the duration at which its rank
 * is reached. */
static void
find_percentiles (const Work *work)
{
  guint all = get_n_groups (work);
  g_autofree Ranked *ranked = g_new0 (Ranked, (gsize) all + 1);
  guint n_items;
  g_autofree NsRadixItem *items = sort_places (work, get_duration_key, &n_items);
  guint number;
  guint i;

  for (i = 0; i < n_items; i++)
    ranked[work->innermost[items[i].place]].n_rows++;
  for (number = all; number > 0; number--)
    ranked[get_outer (work, number - 1)].n_rows += ranked[number - 1].n_rows;
  for (i = 0; i < n_items; i++)
    {
      gint64 duration_ns = work->times[items[i].place].duration_ns;

      for (number = work->innermost[items[i].place]; number < all;
           number = get_outer (work, number))
        take_duration (work, ranked, number, duration_ns);
      take_duration (work, ranked, all, duration_ns);
    }
}

/* Computes busy times: visits rows by begin, and adds only time after the last end so far. */
static gpointer
find_unions (gpointer data)
{
  const Work *work = data;
  guint all = get_n_groups (work);
  g_autofree gint64 *ends_ns = g_new (gint64, (gsize) all + 1);
  guint n_items;
  g_autofree NsRadixItem *items = sort_places (work, get_open_key, &n_items);
  guint number;
  guint i;

  for (number = 0; number <= all; number++)
    ends_ns[number] = G_MININT64;
  for (i = 0; i < n_items; i++)
    {
      const Times *times = &work->times[items[i].place];
      gint64 end_ns = times->open_ns + times->duration_ns;

      for (number = work->innermost[items[i].place];; number = get_outer (work, number))
        {
          gint64 begin_ns = MAX (times->open_ns, ends_ns[number]);

          if (end_ns > begin_ns)
            get_sums (work, number)->union_ns += end_ns - begin_ns;
          ends_ns[number] = MAX (ends_ns[number], end_ns);
          if (number == all)
            break;
        }
    }
  return NULL;
}

static void
find_innermost (Work *work)
{
  guint number;
  guint i;

  for (i = 0; i < work->n_rows && get_n_groups (work) == 0; i++)
    work->innermost[i] = 0;
  for (number = 0; number < get_n_groups (work); number++)
    {
      NsGroup *group = &g_array_index (work->groups->groups, NsGroup, number);

      clear_sums (&group->sums);
      for (i = group->begin; group->depth + 1 == work->groups->n_fields && i < group->end; i++)
        work->innermost[i] = number;
    }
  clear_sums (work->total);
}

/* Returns whether two threads may read the table: records are read in sequence, by one thread. */
static gboolean
may_share (const Summed *fields)
{
  const NsField *const all[] = {
    fields->failed, fields->sent, fields->received, fields->duration, fields->open, fields->close,
  };
  gboolean is_shared = TRUE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (all); i++)
    is_shared = is_shared && (all[i] == NULL || ns_field_may_share (all[i]));
  return is_shared;
}

static gboolean
sum (Work *work, NsProgressFunc progress, gpointer progress_data)
{
  g_autofree guint32 *innermost = g_new (guint32, (gsize) work->n_rows + 1);
  g_autofree Times *times = g_new (Times, (gsize) work->n_rows + 1);
  NsMeanwhile meanwhile = { 0 };
  gboolean is_done;

  work->innermost = innermost;
  work->times = times;
  find_innermost (work);
  g_mutex_init (&work->lock);
  is_done = ns_parts_run (work->n_rows,
                          may_share (&work->fields),
                          read_cb,
                          work,
                          progress,
                          progress_data);
  g_mutex_clear (&work->lock);
  if (!is_done)
    return FALSE;
  add_to_outer (work);
  if (ns_parts_is_worth_two (work->n_rows))
    ns_meanwhile_begin (&meanwhile, "unions", find_unions, work);
  else
    find_unions (work);
  find_percentiles (work);
  ns_meanwhile_end (&meanwhile);
  return TRUE;
}

/**
 * ns_groups_sum:
 * @self: groups, with their rows
 * @trace: a trace
 * @table: their table
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Computes the totals of every group, and of all rows.
 *
 * Returns: %FALSE if stopped
 */
gboolean
ns_groups_sum (NsGroups *self,
               const NsTrace *trace,
               NsTableId table,
               NsProgressFunc progress,
               gpointer progress_data)
{
  Work work = { .trace = trace,
                .fields = find_fields (table),
                .rows = (const guint32 *) (gpointer) self->rows->data,
                .n_rows = self->rows->len,
                .groups = self,
                .total = &self->total.sums };

  return sum (&work, progress, progress_data);
}

/**
 * ns_sums_of_rows:
 * @trace: a trace
 * @table: a table
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of rows
 *
 * Returns: their totals
 */
NsSums
ns_sums_of_rows (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows)
{
  NsSums sums;
  Work work = { .trace = trace,
                .fields = find_fields (table),
                .rows = rows,
                .n_rows = (guint) n_rows,
                .total = &sums };

  sum (&work, NULL, NULL);
  return sums;
}

/**
 * ns_sums_to_activity:
 * @self: totals of activities
 * @row: (out caller-allocates): a row with the total duration and phases, for drawing phases; valid
 *   as long as @self
 */
void
ns_sums_to_activity (const NsSums *self, NsActivityRow *row)
{
  guint i;

  memset (row, 0, sizeof *row);
  row->first_byte_ns = NS_TIME_NONE;
  row->protocol = self->protocol != 0 ? self->protocol : NS_LAYER_WINSOCK;
  row->phases = self->phases;
  for (i = 0; i < NS_N_PHASES; i++)
    row->close_ns = ns_time_sum (row->close_ns, self->phases[i]);
}
