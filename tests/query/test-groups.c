/* Tests groups and sums.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-rows.h"

#include "base/ns-parts.h"
#include "query/ns-groups.h"
#include "query/ns-order.h"

/* Makes rows with start and duration in ms, bytes sent, process and server. */
static NsTrace *
make_trace (void)
{
  static const struct
  {
    guint begin;
    guint length;
    guint sent;
    guint32 pid;
    const char *server;
  } rows[] = {
    { 0, 10, 1, 8, "b" }, { 5, 10, 2, 4, "a" },    { 40, 0, 4, 8, "a" },
    { 7, 1, 8, 8, "b" },  { 30, 10, 16, 4, NULL },
  };
  NsTrace *trace = test_trace_new (1000000000);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      NsActivityRow *row = test_trace_add_activity (trace, rows[i].server, rows[i].begin * 1000000);

      row->close_ns = row->open_ns + rows[i].length * 1000000;
      row->sent = rows[i].sent;
      row->pid = rows[i].pid;
      row->failed = i == 2;
    }
  return trace;
}

static GArray *
list_rows (NsTrace *trace)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  for (i = 0; i < trace->activities->len; i++)
    g_array_append_val (rows, i);
  return rows;
}

static void
test_groups_stand_before_what_is_in_them (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = list_rows (trace);
  const NsField *fields[] = { ns_table_find_field (NS_TABLE_ACTIVITIES, "pid"),
                              ns_table_find_field (NS_TABLE_ACTIVITIES, "server") };
  g_autoptr (NsGroups) groups =
      ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, 2, NULL, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < groups->groups->len; i++)
    {
      const NsGroup *group = &g_array_index (groups->groups, NsGroup, i);

      g_string_append_printf (text,
                              "%u<%u:%u-%u=%u ",
                              group->depth,
                              group->parent,
                              group->begin,
                              group->end,
                              (guint) group->sums.sent);
    }
  g_assert_cmpstr (text->str,
                   ==,
                   "0<0:0-2=18 1<1:0-1=2 1<1:1-2=16 0<0:2-5=13 1<4:2-3=4 1<4:3-5=9 ");
  test_trace_free (trace);
}

/* Servers are grouped as the column shows them: by address if they have no name. */
static void
test_servers_without_a_name_are_told_apart_by_their_addresses (void)
{
  static const guint8 hosts[] = { 0, 0, 9, 7, 9, 0 };
  NsTrace *trace = test_trace_new (1000000000);
  const NsField *fields[] = { ns_table_find_field (NS_TABLE_ACTIVITIES, "server"),
                              ns_table_find_field (NS_TABLE_ACTIVITIES, "pid") };
  NsEndpoint remotes[G_N_ELEMENTS (hosts)] = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (NsGroups) groups = NULL;
  g_autoptr (GArray) rows = NULL;
  guint n_values = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      guint8 address[4] = { 10, 0, 0, hosts[i] };
      NsActivityRow *row = test_trace_add_activity (trace, i < 2 ? "a" : NULL, i);

      if (i != 5)
        remotes[i].ip = ns_ip_from_v4 (address);
      row->remote = &remotes[i];
      row->pid = i == 0 ? 2 : 1;
    }
  rows = list_rows (trace);
  groups = ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, 2, NULL, NULL);
  for (i = 0; i < groups->groups->len; i++)
    {
      const NsGroup *group = &g_array_index (groups->groups, NsGroup, i);
      g_autofree char *path = ns_groups_dup_path (groups, trace, fields, group);

      g_string_append_printf (text,
                              "%s:%u ",
                              g_strdelimit (path, "\x1f", ' '),
                              group->end - group->begin);
    }
  g_assert_cmpstr (
      text->str,
      ==,
      "1a :2 1a 11 :1 1a 12 :1 110.0.0.7 :1 110.0.0.7 11 :1 110.0.0.9 :2 110.0.0.9 11 :2 "
      "0 :1 0 11 :1 ");
  g_assert_true (ns_groups_count_values (groups, trace, fields[0], 0, &n_values));
  g_assert_cmpuint (n_values, ==, 3);
  test_trace_free (trace);
}

static void
test_sums_of_groups_are_the_sums_of_all (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = list_rows (trace);
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "server");
  g_autoptr (NsGroups) groups =
      ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, &field, 1, NULL, NULL);
  NsSums all =
      ns_sums_of_rows (trace, NS_TABLE_ACTIVITIES, &g_array_index (rows, guint32, 0), rows->len);
  guint n_rows = 0;
  gint64 duration_ns = 0;
  guint64 sent = 0;
  guint i;

  for (i = 0; i < groups->groups->len; i++)
    {
      const NsSums *sums = &g_array_index (groups->groups, NsGroup, i).sums;

      n_rows += sums->n_rows;
      duration_ns += sums->duration_ns;
      sent += sums->sent;
    }
  g_assert_cmpuint (n_rows, ==, all.n_rows);
  g_assert_cmpint (duration_ns, ==, all.duration_ns);
  g_assert_cmpuint (sent, ==, all.sent);
  test_trace_free (trace);
}

/* Server a occurs in both processes, and one row has no server. */
static void
test_values_of_inner_groups_count_once (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = list_rows (trace);
  const NsField *fields[] = { ns_table_find_field (NS_TABLE_ACTIVITIES, "pid"),
                              ns_table_find_field (NS_TABLE_ACTIVITIES, "server") };
  g_autoptr (NsGroups) groups =
      ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, 2, NULL, NULL);
  guint n_values;

  g_assert_true (ns_groups_count_values (groups, trace, fields[0], 0, &n_values));
  g_assert_cmpuint (n_values, ==, 2);
  g_assert_true (ns_groups_count_values (groups, trace, fields[1], 1, &n_values));
  g_assert_cmpuint (n_values, ==, 2);
  test_trace_free (trace);
}

/* All processes used one server with a very long name. */
static void
test_long_texts_are_not_compared_for_ever (void)
{
  enum
  {
    N_BYTES = 16 << 10,
    N_MOST = NS_GROUPS_MAX_COMPARED_BYTES / N_BYTES,
  };
  g_autofree char *server = g_strnfill (N_BYTES, 'a');
  const NsField *fields[] = { ns_table_find_field (NS_TABLE_ACTIVITIES, "pid"),
                              ns_table_find_field (NS_TABLE_ACTIVITIES, "server") };
  guint n_rows;

  for (n_rows = N_MOST; n_rows <= N_MOST + 1; n_rows++)
    {
      NsTrace *trace = test_trace_new (1000000000);
      g_autoptr (GArray) rows = NULL;
      g_autoptr (NsGroups) groups = NULL;
      guint n_values;
      guint i;

      for (i = 0; i < n_rows; i++)
        test_trace_add_activity (trace, server, i)->pid = 4 * (i + 1);
      rows = list_rows (trace);
      groups = ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, 2, NULL, NULL);
      g_assert_true (ns_groups_count_values (groups, trace, fields[0], 0, &n_values));
      g_assert_cmpuint (n_values, ==, n_rows);
      g_assert_cmpint (ns_groups_count_values (groups, trace, fields[1], 1, &n_values),
                       ==,
                       n_rows == N_MOST);
      test_trace_free (trace);
    }
}

static void
test_time_that_rows_share_counts_once_in_the_union (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = list_rows (trace);
  NsSums sums =
      ns_sums_of_rows (trace, NS_TABLE_ACTIVITIES, &g_array_index (rows, guint32, 0), rows->len);

  g_assert_cmpint (sums.duration_ns, ==, 31000000);
  g_assert_cmpint (sums.union_ns, ==, 25000000);
  g_assert_cmpint (sums.longest_ns, ==, 10000000);
  g_assert_cmpint (sums.median_ns, ==, 10000000);
  g_assert_cmpint (sums.p95_ns, ==, 10000000);
  g_assert_cmpint (sums.open_ns, ==, 0);
  g_assert_cmpint (sums.close_ns, ==, 40000000);
  g_assert_cmpuint (sums.n_failed, ==, 1);
  g_assert_false (sums.is_lower_bound);
  test_trace_free (trace);
}

static void
test_no_rows_come_to_nothing (void)
{
  NsTrace *trace = make_trace ();
  NsSums sums = ns_sums_of_rows (trace, NS_TABLE_ACTIVITIES, NULL, 0);

  g_assert_cmpuint (sums.n_rows, ==, 0);
  g_assert_cmpint (sums.median_ns, ==, NS_UNKNOWN);
  g_assert_cmpint (sums.union_ns, ==, 0);
  test_trace_free (trace);
}

static char *
groups_to_text (const NsGroups *groups)
{
  GString *text = g_string_new (NULL);
  guint i;
  guint k;

  for (i = 0; i < groups->groups->len; i++)
    {
      const NsGroup *group = &g_array_index (groups->groups, NsGroup, i);

      g_string_append_printf (text, "%u<%u", group->depth, group->parent);
      for (k = group->begin; k < group->end && group->depth == 1; k++)
        g_string_append_printf (text,
                                "%c%u",
                                k > group->begin ? ',' : ':',
                                g_array_index (groups->rows, guint32, k));
      g_string_append_c (text, ' ');
    }
  return g_string_free (text, FALSE);
}

/* Larger processes come first, and inside them larger servers, with their content. */
static void
test_groups_take_along_what_is_in_them (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = list_rows (trace);
  const NsField *fields[] = { ns_table_find_field (NS_TABLE_ACTIVITIES, "pid"),
                              ns_table_find_field (NS_TABLE_ACTIVITIES, "server") };
  g_autoptr (NsGroups) groups =
      ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, 2, NULL, NULL);
  g_autofree char *before = groups_to_text (groups);
  g_autofree char *by_count = NULL;
  g_autofree char *by_sent = NULL;

  g_assert_cmpstr (before, ==, "0<0 1<1:1 1<1:4 0<0 1<4:2 1<4:0,3 ");
  ns_groups_sort (groups, NS_GROUP_ORDER_COUNT, TRUE);
  by_count = groups_to_text (groups);
  g_assert_cmpstr (by_count, ==, "0<0 1<1:0,3 1<1:2 0<0 1<4:1 1<4:4 ");
  ns_groups_sort (groups, NS_GROUP_ORDER_SENT, FALSE);
  by_sent = groups_to_text (groups);
  g_assert_cmpstr (by_sent, ==, "0<0 1<1:2 1<1:0,3 0<0 1<4:1 1<4:4 ");
  test_trace_free (trace);
}

/* For any grouping, each level and the total have the sums of the rows. */
static void
test_totals_equal_the_rows (void)
{
  static const char *const names[] = { "pid", "server", "failed", "duration_ns" };
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = list_rows (trace);
  const NsField *fields[G_N_ELEMENTS (names)];
  guint depth;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    fields[i] = ns_table_find_field (NS_TABLE_ACTIVITIES, names[i]);
  {
    g_autoptr (NsGroups) groups =
        ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, G_N_ELEMENTS (fields), NULL, NULL);

    g_assert_cmpuint (groups->total.sums.n_rows, ==, 5);
    g_assert_cmpuint (groups->total.sums.sent, ==, 31);
    g_assert_cmpint (groups->total.sums.duration_ns, ==, 31 * 1000000);
    for (depth = 0; depth < groups->n_fields; depth++)
      {
        NsSums sums = { 0 };

        for (i = 0; i < groups->groups->len; i++)
          {
            const NsGroup *group = &g_array_index (groups->groups, NsGroup, i);

            if (group->depth != depth)
              continue;
            sums.n_rows += group->sums.n_rows;
            sums.n_failed += group->sums.n_failed;
            sums.sent += group->sums.sent;
            sums.received += group->sums.received;
            sums.duration_ns += group->sums.duration_ns;
          }
        g_assert_cmpuint (sums.n_rows, ==, groups->total.sums.n_rows);
        g_assert_cmpuint (sums.n_failed, ==, groups->total.sums.n_failed);
        g_assert_cmpuint (sums.sent, ==, groups->total.sums.sent);
        g_assert_cmpuint (sums.received, ==, groups->total.sums.received);
        g_assert_cmpint (sums.duration_ns, ==, groups->total.sums.duration_ns);
      }
  }
  test_trace_free (trace);
}

static int
compare_durations (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  return compare_durations (&((const NsTimeSpan *) a)->begin_ns,
                            &((const NsTimeSpan *) b)->begin_ns);
}

/* Asserts the sums of one group against a simple implementation. */
static void
assert_sums (const NsTrace *trace, const NsGroups *groups, const NsGroup *group)
{
  const NsField *open = ns_table_find_field (NS_TABLE_ACTIVITIES, "open_ns");
  const NsField *duration = ns_table_find_field (NS_TABLE_ACTIVITIES, "duration_ns");
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  const NsSums *sums = &group->sums;
  guint n_failed = 0;
  guint64 sent = 0;
  gint64 wait_ns = 0;
  gint64 duration_ns = 0;
  gint64 union_ns = 0;
  gint64 end_ns = G_MININT64;
  guint i;

  for (i = group->begin; i < group->end; i++)
    {
      guint32 number = g_array_index (groups->rows, guint32, i);
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, number);
      NsFieldValue value;
      NsTimeSpan span;

      n_failed += row->failed;
      sent += row->sent;
      wait_ns += MAX (ns_activity_row_get_phase (row, NS_PHASE_WAIT), 0);
      ns_field_get (trace, duration, number, &value);
      if (value.is_null)
        continue;
      g_array_append_val (durations, value.v.i);
      duration_ns += value.v.i;
      span.end_ns = value.v.i;
      ns_field_get (trace, open, number, &value);
      span.begin_ns = value.v.i;
      span.end_ns += value.v.i;
      g_array_append_val (spans, span);
    }
  g_array_sort (durations, compare_durations);
  g_array_sort (spans, compare_begins);
  for (i = 0; i < spans->len; i++)
    {
      NsTimeSpan span = g_array_index (spans, NsTimeSpan, i);

      union_ns += MAX (span.end_ns - MAX (span.begin_ns, end_ns), 0);
      end_ns = MAX (end_ns, span.end_ns);
    }
  g_assert_cmpuint (sums->n_rows, ==, group->end - group->begin);
  g_assert_cmpuint (sums->n_failed, ==, n_failed);
  g_assert_cmpuint (sums->sent, ==, sent);
  g_assert_cmpint (sums->phases[NS_PHASE_WAIT], ==, wait_ns);
  g_assert_cmpint (sums->duration_ns, ==, duration_ns);
  g_assert_cmpint (sums->union_ns, ==, union_ns);
  g_assert_cmpint (sums->close_ns, ==, spans->len > 0 ? end_ns : NS_TIME_NONE);
  g_assert_cmpint (sums->open_ns,
                   ==,
                   spans->len > 0 ? g_array_index (spans, NsTimeSpan, 0).begin_ns : NS_TIME_NONE);
  for (i = 0; i < 3 && durations->len > 0; i++)
    {
      static const guint percents[] = { 50, 95, 100 };
      const gint64 found[] = { sums->median_ns, sums->p95_ns, sums->longest_ns };
      guint place = (durations->len * percents[i] + 99) / 100 - 1;

      g_assert_cmpint (found[i], ==, g_array_index (durations, gint64, place));
    }
  g_assert_true (durations->len > 0 || sums->median_ns == NS_UNKNOWN);
}

/* Two threads share the rows, and groups span their boundary. */
static void
test_many_rows_come_to_what_each_adds (void)
{
  NsTrace *trace = test_rows_new (NS_PARTS_ITEMS * 4 + 77);
  g_autoptr (GArray) rows = list_rows (trace);
  const NsField *fields[] = { ns_table_find_field (NS_TABLE_ACTIVITIES, "process_pid"),
                              ns_table_find_field (NS_TABLE_ACTIVITIES, "ip"),
                              ns_table_find_field (NS_TABLE_ACTIVITIES, "layers") };
  g_autoptr (NsGroups) groups =
      ns_groups_new (trace, NS_TABLE_ACTIVITIES, rows, fields, G_N_ELEMENTS (fields), NULL, NULL);
  NsSums all =
      ns_sums_of_rows (trace, NS_TABLE_ACTIVITIES, (guint32 *) (gpointer) rows->data, rows->len);
  guint i;

  g_assert_cmpuint (groups->groups->len, >, 1000);
  for (i = 0; i < groups->groups->len; i++)
    assert_sums (trace, groups, &g_array_index (groups->groups, NsGroup, i));
  assert_sums (trace, groups, &groups->total);
  g_assert_cmpmem (&all, sizeof all, &groups->total.sums, sizeof all);
  test_rows_free (trace);
}

/* Rows belong to different groups from the first field in which they differ. */
static void
test_groups_begin_where_values_differ (void)
{
  NsTrace *trace = test_rows_new (3000);
  g_autoptr (GArray) rows = list_rows (trace);
  const NsOrderKey keys[] = { { ns_table_find_field (NS_TABLE_ACTIVITIES, "process"), FALSE },
                              { ns_table_find_field (NS_TABLE_ACTIVITIES, "ip"), TRUE },
                              { ns_table_find_field (NS_TABLE_ACTIVITIES, "server"), FALSE } };
  g_autofree guint8 *depths = g_new (guint8, rows->len);
  guint n_by_depth[G_N_ELEMENTS (keys) + 1] = { 0 };
  guint i;
  guint k;

  g_assert_true (ns_order_sort_apart (trace, keys, G_N_ELEMENTS (keys), rows, depths, NULL, NULL));
  g_assert_cmpuint (depths[0], ==, 0);
  for (i = 1; i < rows->len; i++)
    {
      for (k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          NsFieldValue before;
          NsFieldValue here;
          int order;

          ns_field_get (trace, keys[k].field, g_array_index (rows, guint32, i - 1), &before);
          ns_field_get (trace, keys[k].field, g_array_index (rows, guint32, i), &here);
          order = ns_field_value_compare (&before, &here);
          ns_field_value_clear (&before);
          ns_field_value_clear (&here);
          if (order != 0)
            break;
        }
      g_assert_cmpuint (depths[i], ==, k);
      n_by_depth[k]++;
    }
  for (k = 0; k < G_N_ELEMENTS (n_by_depth); k++)
    g_assert_cmpuint (n_by_depth[k], >, 0);
  test_rows_free (trace);
}

/* Each row of a damaged file may have the maximum duration. */
static void
test_lengths_beyond_all_numbers_come_to_the_largest (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GArray) rows = list_rows (trace);
  NsActivityRow shown;
  NsSums sums;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      row->open_ns = -NS_TIME_MAX;
      row->close_ns = NS_TIME_MAX;
      test_phases (row)[NS_PHASE_CONNECT] = test_phases (row)[NS_PHASE_WAIT] = NS_TIME_MAX;
    }
  sums = ns_sums_of_rows (trace,
                          NS_TABLE_ACTIVITIES,
                          (const guint32 *) (gconstpointer) rows->data,
                          rows->len);
  g_assert_cmpint (sums.duration_ns, ==, G_MAXINT64);
  g_assert_cmpint (sums.union_ns, ==, 2 * NS_TIME_MAX);
  g_assert_cmpint (sums.phases[NS_PHASE_CONNECT], ==, G_MAXINT64);
  ns_sums_to_activity (&sums, &shown);
  g_assert_cmpint (shown.close_ns, ==, G_MAXINT64);
  test_trace_free (trace);
}

/* A connection that was only shut down has ended, but no close, so its group has none either. */
static void
test_groups_close_when_a_row_does (void)
{
  static const guint32 rows[] = { 0, 1, 2 };
  NsTrace *trace = test_trace_new (900);
  NsSums sums;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      NsTcpRow *row = test_trace_add_tcp (trace);

      row->open_ns = 100;
      row->shutdown_ns = i == 0 ? 400 : NS_TIME_NONE;
      row->close_ns = i == 1 ? 300 : NS_TIME_OPEN;
    }
  sums = ns_sums_of_rows (trace, NS_TABLE_TCP, rows, 1);
  g_assert_cmpint (sums.duration_ns, ==, 300);
  g_assert_false (ns_time_is_set (sums.close_ns));
  g_assert_false (sums.is_lower_bound);
  sums = ns_sums_of_rows (trace, NS_TABLE_TCP, rows, 2);
  g_assert_cmpint (sums.close_ns, ==, 300);
  g_assert_false (sums.is_lower_bound);
  sums = ns_sums_of_rows (trace, NS_TABLE_TCP, rows, 3);
  g_assert_cmpint (sums.close_ns, ==, 900);
  g_assert_true (sums.is_lower_bound);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/groups/groups-stand-before-what-is-in-them",
                   test_groups_stand_before_what_is_in_them);
  g_test_add_func ("/groups/servers-without-a-name-are-told-apart-by-their-addresses",
                   test_servers_without_a_name_are_told_apart_by_their_addresses);
  g_test_add_func ("/groups/sums-of-groups-are-the-sums-of-all",
                   test_sums_of_groups_are_the_sums_of_all);
  g_test_add_func ("/groups/values-of-inner-groups-count-once",
                   test_values_of_inner_groups_count_once);
  g_test_add_func ("/groups/long-texts-are-not-compared-for-ever",
                   test_long_texts_are_not_compared_for_ever);
  g_test_add_func ("/groups/time-that-rows-share-counts-once-in-the-union",
                   test_time_that_rows_share_counts_once_in_the_union);
  g_test_add_func ("/groups/no-rows-come-to-nothing", test_no_rows_come_to_nothing);
  g_test_add_func ("/groups/groups-take-along-what-is-in-them",
                   test_groups_take_along_what_is_in_them);
  g_test_add_func ("/groups/totals-equal-the-rows", test_totals_equal_the_rows);
  g_test_add_func ("/groups/many-rows-come-to-what-each-adds",
                   test_many_rows_come_to_what_each_adds);
  g_test_add_func ("/groups/groups-begin-where-values-differ",
                   test_groups_begin_where_values_differ);
  g_test_add_func ("/groups/lengths-beyond-all-numbers-come-to-the-largest",
                   test_lengths_beyond_all_numbers_come_to_the_largest);
  g_test_add_func ("/groups/groups-close-when-a-row-does", test_groups_close_when_a_row_does);
  return g_test_run ();
}
