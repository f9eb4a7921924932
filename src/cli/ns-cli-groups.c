/* --group-by of the listing verbs: prints one row per group, with its sums.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-rows.h"
#include "query/ns-groups.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_FIELDS 8

typedef enum
{
  SUM_COUNT,
  SUM_FAILED,
  SUM_SENT,
  SUM_RECEIVED,
  SUM_DURATION,
  SUM_MEDIAN,
  SUM_P95,
  SUM_LONGEST,
  SUM_UNION,
  SUM_OPEN,
  SUM_CLOSE,
  SUM_STILL_OPEN,
  N_SUMS
} SumColumn;

static const char *const sum_columns[N_SUMS] = {
  "count",  "failed", "sent",     "received", "duration_ns", "p50_ns",
  "p95_ns", "max_ns", "union_ns", "open_ns",  "close_ns",    "still_open",
};

/* Returns whether a field has this name: JSON objects have each name once, and the value that the
 * rows of a group share keeps its name. */
static gboolean
has_name (const GPtrArray *fields, const char *name)
{
  guint i;

  for (i = 0; i < fields->len; i++)
    if (strcmp (((const NsField *) g_ptr_array_index (fields, i))->id, name) == 0)
      return TRUE;
  return FALSE;
}

static void
add_value (NsCliRows *out, const NsTrace *trace, const NsField *field, guint32 row)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  NsFieldValue value;

  field = ns_field_get_shown (trace, field, row, &value);
  ns_field_append_json (field, &value, json);
  if (!value.is_null)
    ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
  ns_cli_rows_add_json (out, json->str, text->str);
}

/* Adds a time or duration; null if no row of the group has one. */
static void
add_time (NsCliRows *out, gint64 time_ns, gboolean is_known)
{
  char text[24];

  if (!is_known)
    {
      ns_cli_rows_add_null (out);
      return;
    }
  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, time_ns);
  ns_cli_rows_add_json (out, text, text);
}

static void
add_sum (NsCliRows *out, const NsSums *sums, SumColumn column)
{
  gboolean has_durations = sums->longest_ns != NS_UNKNOWN;

  switch (column)
    {
    case SUM_COUNT:
      ns_cli_rows_add_number (out, sums->n_rows);
      break;
    case SUM_FAILED:
      ns_cli_rows_add_number (out, sums->n_failed);
      break;
    case SUM_SENT:
      ns_cli_rows_add_number (out, sums->sent);
      break;
    case SUM_RECEIVED:
      ns_cli_rows_add_number (out, sums->received);
      break;
    case SUM_DURATION:
      add_time (out, sums->duration_ns, has_durations);
      break;
    case SUM_MEDIAN:
      add_time (out, sums->median_ns, has_durations);
      break;
    case SUM_P95:
      add_time (out, sums->p95_ns, has_durations);
      break;
    case SUM_LONGEST:
      add_time (out, sums->longest_ns, has_durations);
      break;
    case SUM_UNION:
      add_time (out, sums->union_ns, has_durations);
      break;
    case SUM_OPEN:
      add_time (out, sums->open_ns, ns_time_is_set (sums->open_ns));
      break;
    case SUM_CLOSE:
      add_time (out, sums->close_ns, ns_time_is_set (sums->close_ns));
      break;
    case SUM_STILL_OPEN:
      /* TRUE: the durations of the group are lower bounds. */
      ns_cli_rows_add_boolean (out, sums->is_lower_bound);
      break;
    case N_SUMS:
    default:
      g_assert_not_reached ();
    }
}

static gboolean
add_group (NsCliRows *out,
           const NsTrace *trace,
           const GPtrArray *fields,
           const NsGroups *groups,
           const NsGroup *group,
           GError **error)
{
  guint i;

  for (i = 0; i < fields->len; i++)
    add_value (out,
               trace,
               g_ptr_array_index (fields, i),
               g_array_index (groups->rows, guint32, group->begin));
  for (i = 0; i < N_SUMS; i++)
    if (!has_name (fields, sum_columns[i]))
      add_sum (out, &group->sums, i);
  return ns_cli_rows_end_row (out, error);
}

/**
 * ns_cli_list_parse_groups:
 * @table: a table
 * @text: comma-separated field IDs
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer container) (element-type NsField) (nullable): the fields, each once; %NULL
 *   with @error set if @text is invalid
 */
GPtrArray *
ns_cli_list_parse_groups (NsTableId table, const char *text, GError **error)
{
  g_autoptr (GPtrArray) given = ns_export_parse_columns (table, text, error);
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  guint i;

  if (given == NULL)
    return NULL;
  if (given->len > MAX_FIELDS)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("rows can be grouped by %u fields at most"),
                   MAX_FIELDS);
      return NULL;
    }
  for (i = 0; i < given->len; i++)
    if (!g_ptr_array_find (fields, g_ptr_array_index (given, i), NULL))
      g_ptr_array_add (fields, g_ptr_array_index (given, i));
  return g_steal_pointer (&fields);
}

/**
 * ns_cli_list_print_groups:
 * @self: the options
 * @trace: a trace
 * @rows: (element-type guint32): the rows to group
 * @fields: (element-type NsField): the fields to group by
 * @format: the output format
 * @write: (scope call): receives the output
 * @write_data: for @write
 * @error: the error of @write
 *
 * Prints the innermost groups, the largest first.
 *
 * Returns: %TRUE if all are written, else %FALSE with @error set
 */
gboolean
ns_cli_list_print_groups (const NsCliList *self,
                          const NsTrace *trace,
                          const GArray *rows,
                          const GPtrArray *fields,
                          NsExportFormat format,
                          NsExportWriteFunc write,
                          gpointer write_data,
                          GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (NsGroups) groups = ns_groups_new (trace,
                                               self->table,
                                               rows,
                                               (const NsField *const *) fields->pdata,
                                               fields->len,
                                               NULL,
                                               NULL);
  NsCliRows *out;
  gint64 n_left_out = MAX (self->offset, 0);
  gint64 n_printed = 0;
  gboolean ok = TRUE;
  guint i;

  ns_groups_sort (groups, NS_GROUP_ORDER_COUNT, TRUE);
  for (i = 0; i < fields->len; i++)
    g_ptr_array_add (names, (gpointer) ((const NsField *) g_ptr_array_index (fields, i))->id);
  for (i = 0; i < N_SUMS; i++)
    if (!has_name (fields, sum_columns[i]))
      g_ptr_array_add (names, (gpointer) sum_columns[i]);
  g_ptr_array_add (names, NULL);
  out =
      ns_cli_rows_new (trace->view, format, (const char *const *) names->pdata, write, write_data);
  for (i = 0; i < groups->groups->len && ok; i++)
    {
      const NsGroup *group = &g_array_index (groups->groups, NsGroup, i);

      if (group->depth + 1 < groups->n_fields || n_left_out-- > 0)
        continue;
      if (self->limit >= 0 && n_printed++ >= self->limit)
        break;
      ok = add_group (out, trace, fields, groups, group, error);
    }
  ok = ok && ns_cli_rows_finish (out, FALSE, error);
  ns_cli_rows_free (out);
  return ok;
}
