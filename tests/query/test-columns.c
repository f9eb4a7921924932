/* Tests columns of fields, which must have the values of the rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-rows.h"

#include "query/ns-field-column.h"
#include "query/ns-field-get.h"
#include "query/ns-field-quick.h"
#include "query/ns-filter.h"
#include "query/ns-order.h"

#define N_ROWS 3000
/* Step between the rows whose values are used in filters; a prime, so that it does not follow the
 * pattern of the values. */
#define STEP 421
/* Number of rows for random filters, which differ in each run. */
#define N_FEW_ROWS 400
#define N_FILTERS 100

/* Returns the column of a field after enough requests for it. */
static const NsColumn *
get_column (const NsTrace *trace, const NsField *field)
{
  ns_field_get_column (trace, field);
  return ns_field_get_column (trace, field);
}

static void
test_a_column_says_what_the_rows_say (void)
{
  NsTrace *trace = test_rows_new (N_ROWS);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint n_columns = 0;
  guint row;
  guint i;

  trace->columns = ns_columns_new ();
  for (i = 0; i < n_fields; i++)
    {
      const NsColumn *column = get_column (trace, &fields[i]);

      if (column == NULL || ns_field_get_column_kind (&fields[i]) != NS_COLUMN_KIND_NUMBER)
        continue;
      n_columns++;
      for (row = 0; row < N_ROWS; row++)
        {
          guint64 code = ns_column_get_code (column, row);
          NsFieldValue value;

          ns_field_get (trace, &fields[i], row, &value);
          g_assert_cmpint (code == 0, ==, value.is_null != 0);
          if (code != 0)
            g_assert_cmpuint (ns_column_get_number (column, code),
                              ==,
                              ns_field_value_to_number (&value));
          ns_field_value_clear (&value);
        }
    }
  g_assert_cmpuint (n_columns, >, 40);
  test_rows_free (trace);
}

static void
append_quickly (const NsFieldQuick *quick, guint row, GString *text)
{
  const char *string;

  if (!ns_field_quick_is_text (quick))
    ns_field_quick_append (quick, row, text);
  else if ((string = ns_field_quick_get_text (quick, row)) != NULL)
    g_string_append (text, string);
}

/* Compares the cells of all rows; returns the number of columns that are read quickly. */
static guint
compare_cells (const NsTrace *trace, NsTableId table)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint n_quick = 0;
  guint row;
  guint i;

  for (i = 0; i < n_fields; i++)
    {
      NsFieldQuick quick;

      ns_field_quick_init (&quick, trace, &fields[i]);
      if (quick.kind == NS_FIELD_QUICK_NONE)
        continue;
      n_quick++;
      for (row = 0; row < ns_trace_get_n_rows (trace, table); row++)
        {
          g_autoptr (GString) quickly = g_string_new (NULL);
          g_autoptr (GString) slowly = g_string_new (NULL);
          NsFieldValue value;

          append_quickly (&quick, row, quickly);
          ns_field_get (trace, &fields[i], row, &value);
          ns_field_append_raw (&fields[i], &value, slowly);
          ns_field_value_clear (&value);
          g_assert_cmpstr (quickly->str, ==, slowly->str);
        }
    }
  return n_quick;
}

static void
test_quick_cells_are_the_cells (void)
{
  NsTrace *trace = test_rows_new (N_ROWS);
  guint i;

  for (i = NS_TCP_NULL; i <= NS_TCP_ABANDON; i++)
    test_trace_add_tcp (trace)->state = (guint8) i;
  for (i = NS_CALL_UNKNOWN; i <= NS_CALL_GETADDRINFO_EX; i++)
    ((NsCallRow *) test_trace_add (trace->calls))->kind = (guint8) i;
  for (i = NS_DNS_FROM_NOTHING; i <= NS_DNS_FROM_PACKET; i++)
    ((NsDnsRow *) test_trace_add (trace->dns))->source = (guint8) i;
  g_assert_cmpuint (compare_cells (trace, NS_TABLE_ACTIVITIES), >, 60);
  g_assert_cmpuint (compare_cells (trace, NS_TABLE_TCP), >, 10);
  g_assert_cmpuint (compare_cells (trace, NS_TABLE_CALLS), >, 5);
  g_assert_cmpuint (compare_cells (trace, NS_TABLE_DNS), >, 5);
  test_rows_free (trace);
}

static void
assert_same_rows (const GArray *some, const GArray *others, const char *what)
{
  g_test_message ("%s: %u rows", what, some->len);
  g_assert_cmpmem (some->data, some->len * 4, others->data, others->len * 4);
}

/* Asserts that a trace with columns and one without give the same result. Returns %FALSE for an
 * invalid filter. */
static gboolean
assert_filter (const NsTrace *with, const NsTrace *without, const char *text)
{
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, NULL);
  g_autoptr (GArray) by_rows = NULL;
  g_autoptr (GArray) rows = NULL;

  if (filter == NULL)
    return FALSE;
  by_rows = ns_filter_run (filter, without, NS_TABLE_ACTIVITIES, NULL, NULL);
  rows = ns_filter_run (filter, with, NS_TABLE_ACTIVITIES, NULL, NULL);
  assert_same_rows (by_rows, rows, text);
  return TRUE;
}

/* Every comparison operator of every field, with values from its rows. */
static void
test_filters_keep_the_same_rows (void)
{
  static const char *const comparisons[] = { ":", "=", "!=", "<", "<=", ">", ">=", "~", "!~" };
  NsTrace *with = test_rows_new (N_ROWS);
  NsTrace *without = test_rows_new (N_ROWS);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint n_asked = 0;
  guint row;
  guint i;
  guint k;

  with->columns = ns_columns_new ();
  for (i = 0; i < n_fields; i++)
    for (row = 0; row < N_ROWS; row += STEP)
      for (k = 0; k < G_N_ELEMENTS (comparisons); k++)
        {
          g_autoptr (GString) text = g_string_new (fields[i].id);
          NsFieldValue value;

          if (ns_field_get_column_kind (&fields[i]) == NS_COLUMN_KIND_NONE)
            break;
          g_string_append_printf (text, "%s\"", comparisons[k]);
          ns_field_get (with, &fields[i], row, &value);
          ns_field_append_raw (&fields[i], &value, text);
          ns_field_value_clear (&value);
          g_string_append_c (text, '"');
          n_asked += assert_filter (with, without, text->str);
        }
  g_assert_cmpuint (n_asked, >, 1500);
  g_assert_cmpuint (ns_columns_get_size (with->columns), >, 0);
  test_rows_free (with);
  test_rows_free (without);
}

static void
test_ends_of_numbers_are_met (void)
{
  static const char *const texts[] = {
    "pid>=0",
    "pid>0",
    "pid<0",
    "pid<=0",
    "pid>4294967294",
    "pid>=4294967295",
    "pid:none",
    "pid:*",
    "pid!=none",
    "sent>=18446744073709551615",
    "sent<18446744073709551615",
    "open_ns>-1s",
    "open_ns<0s",
    "duration>=0s",
    "duration<0s",
    "posted:..0",
    "posted:0..",
    "posted:none",
    "failed",
    "-failed",
    "failed:no",
    "reused:none",
    "pid:1001..1003 and failed",
    "not (pid:1001..1003 failed)",
    "tcp:none and process:program2.exe",
    "pid<1003 or pid>1005",
  };
  NsTrace *with = test_rows_new (N_ROWS);
  NsTrace *without = test_rows_new (N_ROWS);
  guint i;
  guint k;

  with->columns = ns_columns_new ();
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, texts[i], NULL, &error);

      g_assert_no_error (error);
      /* The first request reads the rows; the third one uses columns. */
      for (k = 0; k < 3; k++)
        g_assert_true (assert_filter (with, without, texts[i]));
    }
  test_rows_free (with);
  test_rows_free (without);
}

/* Makes a condition on one field, with a value from a row. */
static char *
make_condition (const NsTrace *trace)
{
  static const char *const comparisons[] = { ":", "=", "!=", "<", "<=", ">", ">=", "~", "!~" };
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);

  for (;;)
    {
      const NsField *field = &fields[g_test_rand_int_range (0, (gint32) n_fields)];
      guint row = (guint) g_test_rand_int_range (0, N_FEW_ROWS);
      guint how = (guint) g_test_rand_int_range (0, G_N_ELEMENTS (comparisons));
      g_autoptr (GString) text = g_string_new (field->id);
      g_autoptr (NsFilter) filter = NULL;
      NsFieldValue value;

      g_string_append_printf (text, "%s\"", comparisons[how]);
      ns_field_get (trace, field, row, &value);
      ns_field_append_raw (field, &value, text);
      ns_field_value_clear (&value);
      g_string_append_c (text, '"');
      filter = ns_filter_new (NS_TABLE_ACTIVITIES, text->str, NULL, NULL);
      if (filter != NULL)
        return g_strdup (text->str);
    }
}

/* Appends a random filter, and returns the rows that it keeps, computed from each condition
 * separately without columns. */
static guint8 *
append_filter (const NsTrace *without, GString *text, guint depth)
{
  guint8 *kept = g_new0 (guint8, N_FEW_ROWS);
  guint kind = depth == 0 ? 0 : (guint) g_test_rand_int_range (0, 4);
  guint row;

  if (kind == 0)
    {
      g_autofree char *condition = make_condition (without);
      g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, condition, NULL, NULL);

      for (row = 0; row < N_FEW_ROWS; row++)
        kept[row] = ns_filter_matches (filter, without, row) != 0;
      g_string_append (text, condition);
      return kept;
    }
  g_string_append (text, kind == 1 ? "not (" : "(");
  if (kind == 1)
    {
      g_autofree guint8 *inner = append_filter (without, text, depth - 1);

      for (row = 0; row < N_FEW_ROWS; row++)
        kept[row] = !inner[row];
    }
  else
    {
      g_autofree guint8 *first = append_filter (without, text, depth - 1);
      g_autofree guint8 *second = NULL;

      g_string_append (text, kind == 2 ? " and " : " or ");
      second = append_filter (without, text, depth - 1);
      for (row = 0; row < N_FEW_ROWS; row++)
        kept[row] = kind == 2 ? first[row] && second[row] : first[row] || second[row];
    }
  g_string_append_c (text, ')');
  return kept;
}

/* Any combination of conditions. The seed is printed and can be specified. */
static void
test_a_filter_keeps_what_its_conditions_keep (void)
{
  NsTrace *with = test_rows_new (N_FEW_ROWS);
  NsTrace *without = test_rows_new (N_FEW_ROWS);
  guint n_some = 0;
  guint i;

  with->columns = ns_columns_new ();
  for (i = 0; i < N_FILTERS; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree guint8 *kept = append_filter (without, text, 4);
      g_autoptr (GError) error = NULL;
      g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text->str, NULL, &error);
      g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (GArray) rows = NULL;
      guint32 row;

      g_assert_no_error (error);
      for (row = 0; row < N_FEW_ROWS; row++)
        if (kept[row])
          g_array_append_val (wanted, row);
      rows = ns_filter_run (filter, with, NS_TABLE_ACTIVITIES, NULL, NULL);
      assert_same_rows (wanted, rows, text->str);
      n_some += rows->len > 0 && rows->len < N_FEW_ROWS;
    }
  /* Filters that keep all or no rows prove little, so most must keep some. */
  g_assert_cmpuint (n_some, >, N_FILTERS / 3);
  test_rows_free (with);
  test_rows_free (without);
}

static gpointer
ask_for_all (gpointer data)
{
  const NsTrace *trace = data;
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint n_found = 0;
  guint i;
  guint k;

  for (k = 0; k < 3; k++)
    for (i = 0; i < n_fields; i++)
      n_found += ns_field_get_column (trace, &fields[i]) != NULL;
  return GUINT_TO_POINTER (n_found);
}

/* One thread makes the column, the other one reads rows until it is ready. */
static void
test_two_threads_ask_for_one_column (void)
{
  NsTrace *alone = test_rows_new (N_ROWS);
  guint n_wanted;
  guint i;

  alone->columns = ns_columns_new ();
  ask_for_all (alone);
  n_wanted = GPOINTER_TO_UINT (ask_for_all (alone));
  g_assert_cmpuint (n_wanted, >, 100);
  for (i = 0; i < 10; i++)
    {
      NsTrace *shared = test_rows_new (N_ROWS);
      GThread *other;

      shared->columns = ns_columns_new ();
      other = g_thread_try_new ("other", ask_for_all, shared, NULL);
      if (other == NULL)
        {
          g_test_skip ("this system has no thread to spare");
          test_rows_free (shared);
          break;
        }
      ask_for_all (shared);
      g_thread_join (other);
      g_assert_cmpuint (GPOINTER_TO_UINT (ask_for_all (shared)), ==, n_wanted);
      g_assert_cmpuint (ns_columns_get_size (shared->columns),
                        ==,
                        ns_columns_get_size (alone->columns));
      g_assert_true (assert_filter (shared, alone, "pid:1001..1003 and not failed"));
      test_rows_free (shared);
    }
  test_rows_free (alone);
}

/* Above the size limit, values are read from the rows. */
static void
test_columns_have_a_cap (void)
{
  const guint n_rows = NS_COLUMNS_MAX_BYTES / sizeof (guint64) / 2;
  NsColumns *columns = ns_columns_new ();
  g_autofree guint64 *numbers = g_new0 (guint64, n_rows);
  const char *keys = "two";
  gboolean make;
  guint i;

  numbers[0] = G_MAXINT64;
  for (i = 0; i < 2; i++)
    {
      g_assert_null (ns_columns_ask (columns, keys + i, n_rows, &make));
      g_assert_false (make);
      g_assert_null (ns_columns_ask (columns, keys + i, n_rows, &make));
      g_assert_true (make);
      g_assert_cmpint (ns_columns_keep (columns, keys + i, ns_column_new (numbers, n_rows)) != NULL,
                       ==,
                       i == 0);
      g_assert_cmpuint (ns_columns_get_size (columns), <=, NS_COLUMNS_MAX_BYTES);
    }
  g_assert_nonnull (ns_columns_ask (columns, keys, n_rows, &make));
  g_assert_null (ns_columns_ask (columns, keys + 1, n_rows, &make));
  g_assert_false (make);
  ns_columns_free (columns);
}

static void
assert_order (const NsTrace *with, const NsTrace *without, const NsOrderKey *keys, guint n_keys)
{
  const NsTrace *const traces[] = { without, with, with, with };
  g_autoptr (GArray) by_rows = NULL;
  guint8 depths_by_rows[N_ROWS];
  guint8 depths[N_ROWS];
  guint32 row;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));

      for (row = 0; row < N_ROWS; row++)
        g_array_append_val (rows, row);
      g_assert_true (ns_order_sort_apart (traces[i], keys, n_keys, rows, depths, NULL, NULL));
      if (i == 0)
        {
          memcpy (depths_by_rows, depths, sizeof depths);
          by_rows = g_array_ref (rows);
          continue;
        }
      assert_same_rows (by_rows, rows, keys[0].field->id);
      g_assert_cmpmem (depths, sizeof depths, depths_by_rows, sizeof depths);
    }
}

static void
test_orders_are_the_same (void)
{
  NsTrace *with = test_rows_new (N_ROWS);
  NsTrace *without = test_rows_new (N_ROWS);
  const NsField *pid = ns_table_find_field (NS_TABLE_ACTIVITIES, "pid");
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint i;

  with->columns = ns_columns_new ();
  for (i = 0; i < n_fields; i++)
    {
      const NsOrderKey keys[] = { { &fields[i], FALSE }, { pid, TRUE } };
      const NsOrderKey down = { &fields[i], TRUE };

      if (ns_field_get_column_kind (&fields[i]) == NS_COLUMN_KIND_NONE)
        continue;
      assert_order (with, without, keys, 2);
      assert_order (with, without, &down, 1);
    }
  test_rows_free (with);
  test_rows_free (without);
}

/* No columns for scheduler data, which is loaded on request, for decoded events, and for function
 * names, which arrive with the symbols. */
static void
test_what_may_become_known_later_has_no_column (void)
{
  static const char *const ids[] = { "cpu_percent", "thread_running_ns", "readied_by",
                                     "stack",       "first_thread",      "why" };
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_EVENTS, &n_fields);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    g_assert_cmpint (ns_field_get_column_kind (ns_table_find_field (NS_TABLE_ACTIVITIES, ids[i])),
                     ==,
                     NS_COLUMN_KIND_NONE);
  for (i = 0; i < n_fields; i++)
    g_assert_cmpint (ns_field_get_column_kind (&fields[i]), ==, NS_COLUMN_KIND_NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/columns/a-column-says-what-the-rows-say",
                   test_a_column_says_what_the_rows_say);
  g_test_add_func ("/columns/filters-keep-the-same-rows", test_filters_keep_the_same_rows);
  g_test_add_func ("/columns/ends-of-numbers-are-met", test_ends_of_numbers_are_met);
  g_test_add_func ("/columns/a-filter-keeps-what-its-conditions-keep",
                   test_a_filter_keeps_what_its_conditions_keep);
  g_test_add_func ("/columns/two-threads-ask-for-one-column", test_two_threads_ask_for_one_column);
  g_test_add_func ("/columns/they-have-a-cap", test_columns_have_a_cap);
  g_test_add_func ("/columns/orders-are-the-same", test_orders_are_the_same);
  g_test_add_func ("/columns/what-may-become-known-later-has-no-column",
                   test_what_may_become_known_later_has_no_column);
  g_test_add_func ("/columns/quick-cells", test_quick_cells_are_the_cells);
  return g_test_run ();
}
