/* Rows gathered into groups by the values of fields, with sums of each group.
 *
 * Rows are sorted by the fields first; a group then is a stretch of rows, and groups inside it are
 * stretches of that.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-groups.h"
#include "query/ns-order.h"

#include <string.h>

#define NS_GROUPS_MAX_DEPTH 8

/* The fields that sums are made of, as far as the table has them. */
typedef struct
{
  const NsField *failed;
  const NsField *sent;
  const NsField *received;
  const NsField *duration;
  const NsField *open;
  gboolean has_phases;
} Summed;

static Summed
find_fields (NsTableId table)
{
  Summed fields = {
    ns_table_find_field (table, "failed"),   ns_table_find_field (table, "sent"),
    ns_table_find_field (table, "received"), ns_table_find_field (table, "duration_ns"),
    ns_table_find_field (table, "open_ns"),  table == NS_TABLE_ACTIVITIES,
  };

  return fields;
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

static int
compare_numbers (const void *a, const void *b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return (left > right) - (left < right);
}

static int
compare_spans (const void *a, const void *b)
{
  return compare_numbers (&((const NsTimeSpan *) a)->begin_ns, &((const NsTimeSpan *) b)->begin_ns);
}

static gint64
get_union (GArray *spans)
{
  gint64 end_ns = G_MININT64;
  gint64 union_ns = 0;
  guint i;

  qsort (spans->data, spans->len, sizeof (NsTimeSpan), compare_spans);
  for (i = 0; i < spans->len; i++)
    {
      NsTimeSpan span = g_array_index (spans, NsTimeSpan, i);

      span.begin_ns = MAX (span.begin_ns, end_ns);
      if (span.end_ns > span.begin_ns)
        union_ns += span.end_ns - span.begin_ns;
      end_ns = MAX (end_ns, span.end_ns);
    }
  return union_ns;
}

/* The smallest duration that at least @percent of all do not exceed. */
static gint64
get_percentile (const GArray *sorted, guint percent)
{
  gsize n = ((gsize) sorted->len * percent + 99) / 100;

  return g_array_index (sorted, gint64, MAX (n, 1) - 1);
}

static void
add_phases (NsSums *sums, const NsActivityRow *row)
{
  guint i;

  if (sums->n_rows == 1)
    sums->protocol = row->protocol;
  else if (sums->protocol != row->protocol)
    sums->protocol = 0;
  for (i = 0; i < NS_N_PHASES; i++)
    if (ns_activity_row_get_phase (row, i) > 0)
      sums->phases[i] += ns_activity_row_get_phase (row, i);
}

static void
add_row (NsSums *sums,
         const NsTrace *trace,
         const Summed *fields,
         guint32 row,
         GArray *spans,
         GArray *durations)
{
  gint64 number = 0;
  gint64 open_ns = 0;
  gint64 duration_ns = 0;
  NsTimeSpan span;

  sums->n_rows++;
  if (fields->has_phases)
    add_phases (sums, &g_array_index (trace->activities, NsActivityRow, row));
  if (get_number (trace, fields->failed, row, &number, NULL) && number != 0)
    sums->n_failed++;
  if (get_number (trace, fields->sent, row, &number, NULL))
    sums->sent += (guint64) number;
  if (get_number (trace, fields->received, row, &number, NULL))
    sums->received += (guint64) number;
  if (!get_number (trace, fields->duration, row, &duration_ns, &sums->is_lower_bound))
    return;
  sums->duration_ns += duration_ns;
  g_array_append_val (durations, duration_ns);
  if (!get_number (trace, fields->open, row, &open_ns, NULL))
    return;
  span.begin_ns = open_ns;
  span.end_ns = open_ns + duration_ns;
  g_array_append_val (spans, span);
  if (sums->open_ns == NS_TIME_NONE || open_ns < sums->open_ns)
    sums->open_ns = open_ns;
  sums->close_ns = MAX (sums->close_ns, span.end_ns);
}

static NsSums
sum_rows (const NsTrace *trace, const Summed *fields, const guint32 *rows, gsize n_rows)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  NsSums sums = { .longest_ns = NS_UNKNOWN,
                  .median_ns = NS_UNKNOWN,
                  .p95_ns = NS_UNKNOWN,
                  .open_ns = NS_TIME_NONE,
                  .close_ns = NS_TIME_NONE };
  gsize i;

  for (i = 0; i < n_rows; i++)
    add_row (&sums, trace, fields, rows[i], spans, durations);
  if (spans->len > 0)
    sums.union_ns = get_union (spans);
  if (durations->len > 0)
    {
      qsort (durations->data, durations->len, sizeof (gint64), compare_numbers);
      sums.longest_ns = g_array_index (durations, gint64, durations->len - 1);
      sums.median_ns = get_percentile (durations, 50);
      sums.p95_ns = get_percentile (durations, 95);
    }
  return sums;
}

/**
 * ns_sums_to_activity:
 * @self: sums of activities
 * @row: (out caller-allocates): one row as long as all of them, for those who draw phases; valid as
 *   long as @self
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
    row->close_ns += self->phases[i];
}

/**
 * ns_sums_of_rows:
 * @trace: a trace
 * @table: a table
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: how many
 *
 * Returns: what they come to together
 */
NsSums
ns_sums_of_rows (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows)
{
  Summed fields = find_fields (table);

  return sum_rows (trace, &fields, rows, n_rows);
}

/* The first field in which two rows differ. */
static guint
find_difference (const NsTrace *trace,
                 const NsField *const *fields,
                 guint n_fields,
                 guint32 first,
                 guint32 second)
{
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      NsFieldValue left;
      NsFieldValue right;
      int order;

      ns_field_get (trace, fields[i], first, &left);
      ns_field_get (trace, fields[i], second, &right);
      order = ns_field_value_compare (&left, &right);
      ns_field_value_clear (&left);
      ns_field_value_clear (&right);
      if (order != 0)
        break;
    }
  return i;
}

/* Ends the groups from @depth down before row @i, and begins new ones there. */
static void
begin_groups (NsGroups *self, guint *open, guint depth, guint n_fields, guint i)
{
  guint d;

  for (d = depth; d < n_fields; d++)
    {
      NsGroup group = { .depth = d, .parent = d > 0 ? open[d - 1] : 0, .begin = i, .end = i };

      g_array_append_val (self->groups, group);
      open[d] = self->groups->len;
    }
}

static void
find_groups (NsGroups *self, const NsTrace *trace, const NsField *const *fields, guint n_fields)
{
  guint open[NS_GROUPS_MAX_DEPTH] = { 0 };
  guint i;
  guint d;

  for (i = 0; i < self->rows->len; i++)
    {
      guint depth = 0;

      if (i > 0)
        depth = find_difference (trace,
                                 fields,
                                 n_fields,
                                 g_array_index (self->rows, guint32, i - 1),
                                 g_array_index (self->rows, guint32, i));
      begin_groups (self, open, depth, n_fields, i);
      for (d = 0; d < n_fields; d++)
        g_array_index (self->groups, NsGroup, open[d] - 1).end = i + 1;
    }
}

/**
 * ns_groups_new:
 * @trace: a trace
 * @table: a table
 * @rows: (element-type guint32): the rows to gather, 0-based
 * @fields: (array length=n_fields): what to gather by, the outermost first
 * @n_fields: how many, at least one and at most eight
 * @progress: (nullable): told how far it is, and asked whether to go on
 * @progress_data: for @progress
 *
 * Returns: (transfer full) (nullable): the groups; %NULL when stopped
 */
NsGroups *
ns_groups_new (const NsTrace *trace,
               NsTableId table,
               const GArray *rows,
               const NsField *const *fields,
               guint n_fields,
               NsProgressFunc progress,
               gpointer progress_data)
{
  g_autoptr (NsGroups) self = NULL;
  NsOrderKey keys[NS_GROUPS_MAX_DEPTH];
  Summed summed = find_fields (table);
  guint i;

  g_return_val_if_fail (n_fields > 0 && n_fields <= NS_GROUPS_MAX_DEPTH, NULL);

  self = g_new0 (NsGroups, 1);
  self->rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), rows->len);
  self->groups = g_array_new (FALSE, FALSE, sizeof (NsGroup));
  self->n_fields = n_fields;
  g_array_append_vals (self->rows, rows->data, rows->len);
  for (i = 0; i < n_fields; i++)
    keys[i] = (NsOrderKey){ fields[i], FALSE };
  if (!ns_order_sort (trace, keys, n_fields, self->rows, progress, progress_data))
    return NULL;
  find_groups (self, trace, fields, n_fields);
  for (i = 0; i < self->groups->len; i++)
    {
      NsGroup *group = &g_array_index (self->groups, NsGroup, i);

      group->sums = sum_rows (trace,
                              &summed,
                              &g_array_index (self->rows, guint32, group->begin),
                              group->end - group->begin);
    }
  self->total.end = self->rows->len;
  self->total.sums =
      sum_rows (trace, &summed, (const guint32 *) (gpointer) self->rows->data, self->rows->len);
  return g_steal_pointer (&self);
}

/**
 * ns_groups_free:
 * @self: (transfer full) (nullable): groups
 */
void
ns_groups_free (NsGroups *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  g_array_unref (self->groups);
  g_free (self);
}
