/* Tests filters over many rows.
 *
 * Two threads and cached text matches keep the same rows as a row-by-row evaluation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-rows.h"

#include "base/ns-parts.h"
#include "query/ns-filter.h"

#include <string.h>

#define N_ROWS (NS_PARTS_ITEMS * 4 + 77)

static const char *const filters[] = {
  "pid>1003",
  "server:alpha",
  "server:*ALPHA*",
  "server=alpha.example",
  "server!=alpha.example",
  "server:none",
  "server:*",
  "server:ä",
  "url~\"PAGE[0-9]*7$\"",
  "url!~page",
  "url:page7 or (not server:site7 failed)",
  "process:program2.exe",
  "process_pid:1003",
  "process_pid!=\"program2.exe (1002)\"",
  "process~^PROGRAM[12]",
  "protocol:tcp",
  "command_line:program",
  "layers:tcp",
  "layers:udp",
  "layers!=tcp",
  "phases:900",
  "phases:tls_ns",
  "error:12007",
  "ip=10.0.0.0/24",
  "ip_port:443",
  "activity_guid:ff",
  "duration>10s",
  "received>1M",
  "site7",
  "SITE7",
  "ä",
  "program3",
  "1003",
  "(1003)",
  "443",
  "10.0.1.",
  "\"2001:db8\"",
  "\"[2001:db8\"",
  "*.exe*",
  "*page7",
  "-00",
  "quic",
  "quic;tcp",
  "get1 or 12007",
  "nothing has this",
};

/* Returns the number of rows that the filter keeps. */
static guint
assert_as_one_by_one_once (const NsTrace *trace, const NsFilter *filter)
{
  g_autoptr (GArray) rows = ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
  guint at = 0;
  guint32 row;

  for (row = 0; row < trace->activities->len; row++)
    if (ns_filter_matches (filter, trace, row))
      {
        g_assert_cmpuint (at, <, rows->len);
        g_assert_cmpuint (g_array_index (rows, guint32, at), ==, row);
        at++;
      }
  g_assert_cmpuint (at, ==, rows->len);
  return at;
}

/* Runs the filter on rows, while columns are made, and on columns. */
static guint
assert_as_one_by_one (const NsTrace *trace, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, &error);
  guint n_kept = 0;
  guint i;

  g_assert_no_error (error);
  for (i = 0; i < 3; i++)
    n_kept = assert_as_one_by_one_once (trace, filter);
  g_test_message ("%s: %u rows", text, n_kept);
  return n_kept;
}

static void
test_rows_are_kept_as_each_one_would_be (void)
{
  NsTrace *trace = test_rows_new (5000);
  guint n_kept = 0;
  guint i;

  trace->columns = ns_columns_new ();
  for (i = 0; i < G_N_ELEMENTS (filters); i++)
    n_kept += assert_as_one_by_one (trace, filters[i]) > 0;
  /* All filters but the last keep some rows; empty results prove little. */
  g_assert_cmpuint (n_kept, ==, G_N_ELEMENTS (filters) - 1);
  test_rows_free (trace);
}

/* Enough rows for two threads. */
static void
test_many_rows_are_kept_as_each_one_would_be (void)
{
  static const char *const some[] = { "pid>1003",
                                      "url~\"PAGE[0-9]*7$\"",
                                      "site7",
                                      "443",
                                      "url:page7 or (not server:site7 failed)" };
  NsTrace *trace = test_rows_new (N_ROWS);
  guint i;

  trace->columns = ns_columns_new ();
  for (i = 0; i < G_N_ELEMENTS (some); i++)
    assert_as_one_by_one (trace, some[i]);
  test_rows_free (trace);
}

/* Reference implementation: formats each column, without the index of characters per column. */
static gboolean
is_in_some_column (const NsTrace *trace, guint row, const char *word)
{
  static const char *const left_out[] = { "why",         "process_tree",  "stack_path", "stack",
                                          "first_stack", "middle_stacks", "last_stack", NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_there = FALSE;
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint i;

  for (i = 0; i < n_fields && !is_there; i++)
    {
      g_autofree char *lower = NULL;
      NsFieldValue value;

      if ((fields[i].type != NS_TYPE_TEXT && fields[i].type != NS_TYPE_LIST &&
           fields[i].type != NS_TYPE_IP && fields[i].type != NS_TYPE_GUID) ||
          g_strv_contains (left_out, fields[i].id))
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      g_string_truncate (text, 0);
      ns_field_append_raw (&fields[i], &value, text);
      ns_field_value_clear (&value);
      lower = g_ascii_strdown (text->str, -1);
      is_there = strstr (lower, word) != NULL;
    }
  return is_there;
}

static void
test_a_word_is_found_in_every_column (void)
{
  static const char *const words[] = { "site7", "443",       "10.0.1.", "2001:db8", "[2001:db8",
                                       "-0000", "program3.", "(1003)",  "tcp;",     "07",
                                       "b",     "12007",     "]:443",   "000000-" };
  const guint n_rows = 3000;
  NsTrace *trace = test_rows_new (n_rows);
  guint i;
  guint row;

  for (i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *text = g_strdup_printf ("\"%s\"", words[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, &error);
      guint n_kept = 0;

      g_assert_no_error (error);
      for (row = 0; row < n_rows; row++)
        {
          gboolean is_there = is_in_some_column (trace, row, words[i]);

          g_assert_cmpint (ns_filter_matches (filter, trace, row), ==, is_there);
          n_kept += is_there;
        }
      g_assert_cmpuint (n_kept, >, 0);
    }
  test_rows_free (trace);
}

static gboolean
stop_cb (double fraction, gpointer user_data)
{
  return FALSE;
}

static void
test_who_stops_gets_no_rows (void)
{
  NsTrace *trace = test_rows_new (N_ROWS);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, "site7", NULL, &error);
  g_autoptr (GArray) rows = NULL;

  g_assert_no_error (error);
  g_assert_null (ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, stop_cb, NULL));
  /* The filter can be run again. */
  rows = ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
  g_assert_cmpuint (rows->len, >, 0);
  test_rows_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/filter-run/rows-are-kept-as-each-one-would-be",
                   test_rows_are_kept_as_each_one_would_be);
  g_test_add_func ("/filter-run/many-rows-are-kept-as-each-one-would-be",
                   test_many_rows_are_kept_as_each_one_would_be);
  g_test_add_func ("/filter-run/a-word-is-found-in-every-column",
                   test_a_word_is_found_in_every_column);
  g_test_add_func ("/filter-run/who-stops-gets-no-rows", test_who_stops_gets_no_rows);
  return g_test_run ();
}
