/* Claims about groups and sums.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "query/ns-groups.h"

/* Begin and length in ms, bytes sent, process and server of each row. */
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

/* The larger process comes first, and in it the larger server, with what is inside. */
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

/* Whatever rows are gathered by, each depth and the total come to the same as the rows alone. */
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/groups/groups-stand-before-what-is-in-them",
                   test_groups_stand_before_what_is_in_them);
  g_test_add_func ("/groups/sums-of-groups-are-the-sums-of-all",
                   test_sums_of_groups_are_the_sums_of_all);
  g_test_add_func ("/groups/time-that-rows-share-counts-once-in-the-union",
                   test_time_that_rows_share_counts_once_in_the_union);
  g_test_add_func ("/groups/no-rows-come-to-nothing", test_no_rows_come_to_nothing);
  g_test_add_func ("/groups/groups-take-along-what-is-in-them",
                   test_groups_take_along_what_is_in_them);
  g_test_add_func ("/groups/totals-equal-the-rows", test_totals_equal_the_rows);
  return g_test_run ();
}
