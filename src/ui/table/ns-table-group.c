/* Text of group rows and of the columns that only grouped tables have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/table/ns-table-group.h"

#include <glib/gi18n.h>
#include <string.h>

/**
 * ns_table_group_get_title:
 * @kind: a column
 *
 * Returns: (nullable): its title; %NULL if the title is that of a field
 */
const char *
ns_table_group_get_title (NsColumnKind kind)
{
  static const char *const titles[NS_N_COLUMN_KINDS] = {
    [NS_COLUMN_GROUP] = N_ ("Group"),
    [NS_COLUMN_COUNT] = N_ ("Count"),
    [NS_COLUMN_FAILED] = N_ ("Failed"),
    [NS_COLUMN_PHASES] = N_ ("Phases, share of total"),
    [NS_COLUMN_TOTAL] = N_ ("Total (ms)"),
    /* Translators: the median: half of the rows took no longer. */
    [NS_COLUMN_MEDIAN] = N_ ("p50 (ms)"),
    /* Translators: 95 of 100 rows took no longer. */
    [NS_COLUMN_P95] = N_ ("p95 (ms)"),
    [NS_COLUMN_LONGEST] = N_ ("Max (ms)"),
  };

  return titles[kind] != NULL ? _ (titles[kind]) : NULL;
}

/**
 * ns_table_group_get_order:
 * @kind: a column
 * @field: (nullable): its field
 * @order: (out): the sort key for groups
 *
 * Returns: whether groups can be sorted by the column
 */
gboolean
ns_table_group_get_order (NsColumnKind kind, const NsField *field, NsGroupOrder *order)
{
  static const struct
  {
    NsColumnKind kind;
    const char *field;
    NsGroupOrder order;
  } orders[] = {
    { NS_COLUMN_GROUP, NULL, NS_GROUP_ORDER_VALUE },
    { NS_COLUMN_COUNT, NULL, NS_GROUP_ORDER_COUNT },
    { NS_COLUMN_FAILED, NULL, NS_GROUP_ORDER_FAILED },
    { NS_COLUMN_TOTAL, NULL, NS_GROUP_ORDER_DURATION },
    { NS_COLUMN_MEDIAN, NULL, NS_GROUP_ORDER_MEDIAN },
    { NS_COLUMN_P95, NULL, NS_GROUP_ORDER_P95 },
    { NS_COLUMN_LONGEST, NULL, NS_GROUP_ORDER_LONGEST },
    { NS_COLUMN_FIELD, "sent", NS_GROUP_ORDER_SENT },
    { NS_COLUMN_FIELD, "received", NS_GROUP_ORDER_RECEIVED },
    { NS_COLUMN_FIELD, "failed", NS_GROUP_ORDER_FAILED },
    { NS_COLUMN_FIELD, "duration_ns", NS_GROUP_ORDER_DURATION },
    { NS_COLUMN_FIELD, "open_ns", NS_GROUP_ORDER_OPEN },
    { NS_COLUMN_FIELD, "close_ns", NS_GROUP_ORDER_CLOSE },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (orders); i++)
    if (orders[i].kind == kind &&
        (orders[i].field == NULL || (field != NULL && strcmp (orders[i].field, field->id) == 0)))
      {
        *order = orders[i].order;
        return TRUE;
      }
  return FALSE;
}

static guint32
get_first_row (NsSession *session, NsTableId table, const NsGroup *group)
{
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (session, table));

  return group->begin < rows->len ? g_array_index (rows, guint32, group->begin) : NS_ROW_NOT_A_ROW;
}

/**
 * ns_table_group_is_total:
 * @session: a session
 * @table: a table
 * @group: one of the groups it shows
 *
 * Returns: whether @group is the total of all rows
 */
gboolean
ns_table_group_is_total (NsSession *session, NsTableId table, const NsGroup *group)
{
  const NsGroups *groups = ns_row_list_get_groups (ns_session_get_rows (session, table));

  return groups != NULL && group == &groups->total;
}

static void
append_value (NsSession *session, const NsField *field, guint32 row, GString *text)
{
  NsFieldValue value = { 0 };

  if (field == NULL)
    return;
  field = ns_field_get_shown (ns_session_get_trace (session), field, row, &value);
  if (!value.is_null)
    ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
}

/**
 * ns_table_group_dup_name:
 * @session: a session
 * @table: a table
 * @group: one of the groups it shows
 *
 * Returns: (transfer full): the common value of its rows in the field they are grouped by
 */
char *
ns_table_group_dup_name (NsSession *session, NsTableId table, const NsGroup *group)
{
  const NsGrouping *grouping = ns_session_get_grouping (session, table);
  GString *name;

  if (ns_table_group_is_total (session, table, group))
    return g_strdup (_ ("All rows"));
  name = g_string_new (NULL);
  if (group->depth < grouping->fields->len && group->begin < group->end)
    append_value (session,
                  g_ptr_array_index (grouping->fields, group->depth),
                  get_first_row (session, table, group),
                  name);
  if (name->len == 0)
    /* Translators: a group of rows that have no value in a column: no error, or none recorded. */
    g_string_append (name, _ ("no value"));
  return g_string_free (name, FALSE);
}

/**
 * ns_table_group_dup_sentence:
 * @session: a session
 * @table: a table
 * @group: one of the groups it shows
 *
 * Returns: (transfer full): a sentence with the name of @group, its number of rows and its
 *   durations
 */
char *
ns_table_group_dup_sentence (NsSession *session, NsTableId table, const NsGroup *group)
{
  const NsSums *sums = &group->sums;
  g_autofree char *name = ns_table_group_dup_name (session, table, group);
  g_autofree char *count = ns_words_count (sums->n_rows);
  g_autofree char *failed = ns_words_count (sums->n_failed);
  gboolean is_least = sums->is_lower_bound;
  g_autofree char *total = ns_words_duration_at_least (sums->duration_ns, is_least);
  g_autofree char *median = NULL;

  if (sums->median_ns == NS_UNKNOWN)
    return g_strdup_printf (ngettext ("%s: %s row.", "%s: %s rows.", sums->n_rows), name, count);
  median = ns_words_duration_at_least (sums->median_ns, is_least);
  return g_strdup_printf (ngettext ("%s: %s row, %s failed; %s in total, median %s.",
                                    "%s: %s rows, %s failed; %s in total, median %s.",
                                    sums->n_rows),
                          name,
                          count,
                          failed,
                          total,
                          median);
}

static void
append_duration (NsTableId table, gint64 span_ns, gboolean is_lower_bound, GString *text)
{
  const NsField *field = ns_table_find_field (table, "duration_ns");
  NsFieldValue value = { .type = NS_TYPE_DURATION };

  if (field == NULL || span_ns == NS_UNKNOWN)
    return;
  value.v.i = span_ns;
  value.is_lower_bound = is_lower_bound;
  ns_field_append_human (field, &value, text);
}

static void
append_field (const NsField *field, NsFieldType type, gint64 number, GString *text)
{
  NsFieldValue value = { .type = type };

  value.v.i = number;
  ns_field_append_human (field, &value, text);
}

static void
append_failed (guint n_failed, GString *text)
{
  g_autofree char *count = ns_words_count (n_failed);

  g_string_append_printf (text, "%s%s", n_failed > 0 ? "✕ " : "", count);
}

/* Appends the total of a group in a field column; fields that cannot be summed stay empty. */
static void
append_summed (const NsField *field, const NsSums *sums, GString *text)
{
  NsGroupOrder order;

  if (!ns_table_group_get_order (NS_COLUMN_FIELD, field, &order))
    return;
  if (order == NS_GROUP_ORDER_SENT || order == NS_GROUP_ORDER_RECEIVED)
    append_field (field,
                  NS_TYPE_BYTES,
                  (gint64) (order == NS_GROUP_ORDER_SENT ? sums->sent : sums->received),
                  text);
  else if (order == NS_GROUP_ORDER_DURATION)
    append_field (field, NS_TYPE_DURATION, sums->duration_ns, text);
  else if (order == NS_GROUP_ORDER_OPEN && ns_time_is_set (sums->open_ns))
    append_field (field, NS_TYPE_TIME, sums->open_ns, text);
  else if (order == NS_GROUP_ORDER_CLOSE && ns_time_is_set (sums->close_ns))
    append_field (field, NS_TYPE_TIME, sums->close_ns, text);
}

/**
 * ns_table_group_append_cell:
 * @session: a session
 * @table: a table
 * @kind: a column
 * @field: (nullable): its field
 * @group: one of the groups it shows
 * @text: the string to append to
 *
 * Appends the text of a cell in a group row.
 */
void
ns_table_group_append_cell (NsSession *session,
                            NsTableId table,
                            NsColumnKind kind,
                            const NsField *field,
                            const NsGroup *group,
                            GString *text)
{
  const NsSums *sums = &group->sums;
  g_autofree char *words = NULL;

  switch (kind)
    {
    case NS_COLUMN_GROUP:
      words = ns_table_group_dup_name (session, table, group);
      break;
    case NS_COLUMN_COUNT:
      words = ns_words_count (sums->n_rows);
      break;
    case NS_COLUMN_FAILED:
      append_failed (sums->n_failed, text);
      break;
    case NS_COLUMN_TOTAL:
      append_duration (table, sums->duration_ns, sums->is_lower_bound, text);
      break;
    case NS_COLUMN_MEDIAN:
      append_duration (table, sums->median_ns, sums->is_lower_bound, text);
      break;
    case NS_COLUMN_P95:
      append_duration (table, sums->p95_ns, sums->is_lower_bound, text);
      break;
    case NS_COLUMN_LONGEST:
      append_duration (table, sums->longest_ns, sums->is_lower_bound, text);
      break;
    case NS_COLUMN_FIELD:
      append_summed (field, sums, text);
      break;
    case NS_COLUMN_END:
    case NS_COLUMN_PHASES:
    case NS_N_COLUMN_KINDS:
    default:
      break;
    }
  if (words != NULL)
    g_string_append (text, words);
}

/* Removes scheme and host from a URL in tables that are grouped by server. */
static void
cut_host (NsSession *session, NsTableId table, gsize begin, GString *text)
{
  const NsGrouping *grouping = ns_session_get_grouping (session, table);
  const char *host = begin < text->len ? strstr (text->str + begin, "://") : NULL;
  const char *path = host != NULL ? strchr (host + 3, '/') : NULL;
  guint i;

  if (path == NULL)
    return;
  for (i = 0; i < grouping->fields->len; i++)
    if (strcmp (((const NsField *) g_ptr_array_index (grouping->fields, i))->id, "server") == 0)
      {
        g_string_erase (text, (gssize) begin, path - (text->str + begin));
        return;
      }
}

/* Appends the request of a row (method, URL, query, …), or its number if there is none. */
static void
append_row_name (NsSession *session, NsTableId table, guint32 row, GString *text)
{
  static const char *const ids[] = { "method", "url", "query", "name", "call", "info" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const NsField *field = ns_table_find_field (table, ids[i]);
      gsize length = text->len;

      if (length > 0 && field != NULL)
        g_string_append_c (text, ' ');
      append_value (session, field, row, text);
      if (length > 0 && text->len == length + 1)
        g_string_truncate (text, length);
      if (strcmp (ids[i], "url") == 0)
        cut_host (session, table, length + (length > 0), text);
    }
  if (text->len == 0)
    g_string_append_printf (text, "#%u", row + 1);
}

/**
 * ns_table_group_append_row:
 * @session: a session
 * @table: a table
 * @kind: a column that only grouped tables have
 * @row: a row in a group
 * @text: the string to append to
 *
 * Appends the text of a group column in an ordinary row.
 */
void
ns_table_group_append_row (NsSession *session,
                           NsTableId table,
                           NsColumnKind kind,
                           guint32 row,
                           GString *text)
{
  const NsField *failed = ns_table_find_field (table, "failed");
  NsFieldValue value = { 0 };

  switch (kind)
    {
    case NS_COLUMN_GROUP:
      append_row_name (session, table, row, text);
      break;
    case NS_COLUMN_COUNT:
      g_string_append_c (text, '1');
      break;
    case NS_COLUMN_FAILED:
      if (failed == NULL)
        break;
      ns_field_get (ns_session_get_trace (session), failed, row, &value);
      append_failed (!value.is_null && value.v.u != 0, text);
      ns_field_value_clear (&value);
      break;
    case NS_COLUMN_TOTAL:
      append_value (session, ns_table_find_field (table, "duration_ns"), row, text);
      break;
    case NS_COLUMN_FIELD:
    case NS_COLUMN_END:
    case NS_COLUMN_PHASES:
    case NS_COLUMN_MEDIAN:
    case NS_COLUMN_P95:
    case NS_COLUMN_LONGEST:
    case NS_N_COLUMN_KINDS:
    default:
      break;
    }
}
