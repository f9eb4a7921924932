/* The activities that rows of any table belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-row-activities.h"

#include "findings/ns-finding.h"

/* Returns the field of a table with the activity of a row; NULL for the activities themselves. */
static const NsField *
find_field (NsTableId table)
{
  const NsField *field =
      table != NS_TABLE_ACTIVITIES ? ns_table_find_field (table, "activity") : NULL;

  return field != NULL && field->type == NS_TYPE_ROW ? field : NULL;
}

static guint32
find_by_field (const NsTrace *trace, const NsField *field, guint32 row)
{
  NsFieldValue value = { 0 };
  guint32 activity = G_MAXUINT32;

  ns_field_get (trace, field, row, &value);
  if (!value.is_null && value.v.u >= 1 && value.v.u <= trace->activities->len)
    activity = (guint32) value.v.u - 1;
  ns_field_value_clear (&value);
  return activity;
}

/**
 * ns_row_activities_has:
 * @table: a table
 *
 * Returns: whether its rows are activities, or refer to activities
 */
gboolean
ns_row_activities_has (NsTableId table)
{
  return table == NS_TABLE_ACTIVITIES || table == NS_TABLE_FINDINGS || find_field (table) != NULL;
}

/**
 * ns_row_activities_find:
 * @trace: a trace
 * @table: one of its tables
 * @row: a row of it, 0-based
 *
 * Returns: the activity that the row belongs to, 0-based; %G_MAXUINT32: none
 */
guint32
ns_row_activities_find (const NsTrace *trace, NsTableId table, guint32 row)
{
  const NsField *field = find_field (table);

  if (table == NS_TABLE_ACTIVITIES)
    return row;
  return field != NULL ? find_by_field (trace, field, row) : G_MAXUINT32;
}

static void
mark_finding (const NsTrace *trace, guint32 row, guint8 *is_marked)
{
  const GArray *findings = ns_findings_get (trace);
  const GArray *activities =
      row < findings->len ? g_array_index (findings, NsFindingRow, row).activities : NULL;
  guint i;

  for (i = 0; activities != NULL && i < activities->len; i++)
    if (g_array_index (activities, NsRow, i) <= trace->activities->len)
      is_marked[g_array_index (activities, NsRow, i) - 1] = 1;
}

/**
 * ns_row_activities_mark:
 * @trace: a trace
 * @table: one of its tables
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of @rows
 * @is_marked: (inout): a byte for each activity, set to 1 for those of @rows
 *
 * Marks the activities that rows belong to, and those that a finding is about.
 */
void
ns_row_activities_mark (const NsTrace *trace,
                        NsTableId table,
                        const guint32 *rows,
                        gsize n_rows,
                        guint8 *is_marked)
{
  const NsField *field = find_field (table);
  gsize i;

  for (i = 0; i < n_rows; i++)
    {
      guint32 activity = G_MAXUINT32;

      if (table == NS_TABLE_ACTIVITIES)
        activity = rows[i];
      else if (table == NS_TABLE_FINDINGS)
        mark_finding (trace, rows[i], is_marked);
      if (field != NULL)
        activity = find_by_field (trace, field, rows[i]);
      if (activity < trace->activities->len)
        is_marked[activity] = 1;
    }
}

/**
 * ns_row_activities_list:
 * @trace: a trace
 * @table: one of its tables
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of @rows
 *
 * Returns: (transfer full) (element-type guint32): the activities that ns_row_activities_mark()
 *   marks, each once, 0-based and in their order
 */
GArray *
ns_row_activities_list (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows)
{
  g_autofree guint8 *is_marked = g_new0 (guint8, trace->activities->len + 1);
  GArray *activities = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  ns_row_activities_mark (trace, table, rows, n_rows, is_marked);
  for (i = 0; i < trace->activities->len; i++)
    if (is_marked[i])
      g_array_append_val (activities, i);
  return activities;
}
