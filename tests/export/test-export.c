/* Tests the exports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-view-context.h"
#include "ns-test-trace.h"

#include "export/ns-export-cell.h"
#include "export/ns-export-file.h"
#include "export/ns-export-table.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Makes two rows: one whose strings need every kind of quoting, and one with few fields. */
static NsTrace *
make_trace (void)
{
  static const gint64 phases[NS_N_PHASES] = { [NS_PHASE_CONNECT] = 2500001 };
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = test_trace_add_activity (trace, "a,\"b\"", 12104377123);

  row->close_ns = row->open_ns + 1212408999;
  row->phases = phases;
  row->sent = 34811904;
  row->method = ns_strings_add (trace->strings, "two\nlines|and\t*tab*\x1b[31m");
  test_trace_add_activity (trace, NULL, 100);
  return trace;
}

static char *export(NsTrace *trace, const char *columns, NsExportOptions options)
{
  g_autoptr (GPtrArray) fields = ns_export_parse_columns (NS_TABLE_ACTIVITIES, columns, NULL);
  NsExportRows rows = { trace, NS_TABLE_ACTIVITIES, NULL, trace->activities->len, NULL, 0 };

  g_assert_nonnull (fields);
  rows.fields = (const NsField *const *) fields->pdata;
  rows.n_fields = fields->len;
  return ns_export_table_to_text (&rows, &options);
}

static void
assert_export (const char *columns, NsExportOptions options, const char *expected)
{
  NsTrace *trace = make_trace ();
  g_autofree char *text = export(trace, columns, options);

  g_assert_cmpstr (text, ==, expected);
  test_trace_free (trace);
}

static void
test_csv_quotes_what_must_be_and_nothing_else (void)
{
  assert_export ("id,server,method,sent,open_ns",
                 (NsExportOptions){ NS_EXPORT_CSV, NS_EXPORT_TIME_NS, FALSE },
                 "id,server,method,sent,open_ns\r\n"
                 "1,\"a,\"\"b\"\"\",\"two\nlines|and\t*tab*\x1b[31m\",34811904,12104377123\r\n"
                 "2,,,0,100\r\n");
}

static void
test_tsv_has_as_many_columns_and_lines_as_there_are (void)
{
  assert_export ("id,server,method",
                 (NsExportOptions){ NS_EXPORT_TSV, NS_EXPORT_TIME_NS, FALSE },
                 "id\tserver\tmethod\n"
                 "1\ta,\"b\"\ttwo lines|and *tab* [31m\n"
                 "2\t\t\n");
}

/* Text that starts like a formula is escaped; negative numbers stay numbers. */
static void
test_no_text_is_a_formula (void)
{
  static const char *const texts[][2] = {
    { "=1+1", "'=1+1" }, { "+1", "'+1" },   { "-5", "'-5" },         { "@SUM(A1)", "'@SUM(A1)" },
    { "\t=1", "'\t=1" }, { "'=1", "''=1" }, { "''-5", "'''-5" },     { "'tis", "'tis" },
    { "a=1", "a=1" },    { "'", "'" },      { "=1,2", "\"'=1,2\"" }, { "\r=1", "\"'\r=1\"" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      NsTrace *trace = test_trace_new (20000000000);
      NsExportOptions options = { NS_EXPORT_CSV, NS_EXPORT_TIME_NS, FALSE };
      g_autofree char *guarded = NULL;
      g_autofree char *tabbed = NULL;
      g_autofree char *expected = g_strdup_printf ("server,open_ns\r\n%s,-7\r\n", texts[i][1]);

      test_trace_add_activity (trace, texts[i][0], -7);
      guarded = export(trace, "server,open_ns", options);
      g_assert_cmpstr (guarded, ==, expected);
      options.format = NS_EXPORT_TSV;
      tabbed = export(trace, "server,open_ns", options);
      g_assert_cmpint (tabbed[strlen ("server\topen_ns\n")] == '\'',
                       ==,
                       strchr (texts[i][1], '\'') != NULL);
      test_trace_free (trace);
    }
}

/* HTML on the clipboard goes into a spreadsheet, so formulas are escaped; the HTML report is read
 * by people. */
static void
test_no_text_of_a_pasted_table_is_a_formula (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsExportOptions options = { .format = NS_EXPORT_HTML, .is_pasted = TRUE };
  g_autofree char *pasted = NULL;
  g_autofree char *report = NULL;

  test_trace_add_activity (trace, "=1+1", -7);
  pasted = export(trace, "server,open_ns", options);
  options.is_pasted = FALSE;
  report = export(trace, "server,open_ns", options);
  g_assert_nonnull (strstr (pasted, "<td>'=1+1</td>"));
  g_assert_null (strstr (pasted, "'-"));
  g_assert_nonnull (strstr (report, "<td>=1+1</td>"));
  test_trace_free (trace);
}

static void
test_formulas_stay_where_that_is_wanted (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  g_autofree char *text = NULL;

  test_trace_add_activity (trace, "=1+1", 100);
  ns_view_context_set_guards_formulas (trace->view, FALSE);
  text = export(trace, "server", (NsExportOptions){ NS_EXPORT_CSV, NS_EXPORT_TIME_NS, FALSE });
  g_assert_cmpstr (text, ==, "server\r\n=1+1\r\n");
  test_trace_free (trace);
}

/* Enough rows for two threads, whose output must be in the same order as that of one. */
static void
test_many_rows_keep_their_order (void)
{
  static const NsExportFormat formats[] = { NS_EXPORT_CSV, NS_EXPORT_TSV, NS_EXPORT_MARKDOWN };
  NsTrace *trace = make_trace ();
  g_autoptr (GPtrArray) fields =
      ns_export_parse_columns (NS_TABLE_ACTIVITIES, "id,server,method,sent,open_ns", NULL);
  g_autofree guint32 *numbers = g_new (guint32, 20001);
  NsExportRows rows = { trace, NS_TABLE_ACTIVITIES, numbers, 20001, NULL, fields->len };
  guint i;

  rows.fields = (const NsField *const *) fields->pdata;
  for (i = 0; i < rows.n_rows; i++)
    numbers[i] = i % 3 != 0;
  for (i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      NsExportOptions options = { formats[i], NS_EXPORT_TIME_NS, FALSE };
      g_autofree char *all = NULL;
      g_autofree char *pattern = NULL;
      const char *at;
      NsExportRows few = rows;
      guint n = 0;

      few.n_rows = 0;
      pattern = ns_export_table_to_text (&few, &options);
      all = ns_export_table_to_text (&rows, &options);
      g_assert_true (g_str_has_prefix (all, pattern));
      at = all + strlen (pattern);
      g_free (pattern);
      few.n_rows = 3;
      pattern = ns_export_table_to_text (&few, &options);
      memmove (pattern, pattern + (at - all), strlen (pattern + (at - all)) + 1);
      for (; g_str_has_prefix (at, pattern); at += strlen (pattern))
        n++;
      g_assert_cmpuint (n, ==, 20001 / 3);
      g_assert_cmpstr (at, ==, "");
    }
  test_trace_free (trace);
}

/* A stream that fails after a number of writes. */
typedef struct
{
  guint room;
  guint n_calls;
} FullPlace;

static gboolean
write_until_full (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  FullPlace *self = user_data;

  if (self->n_calls++ < self->room)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "full after %u", self->room);
  return FALSE;
}

/* The first failed write ends the export and determines the error. */
static void
test_many_rows_end_where_there_is_no_room (void)
{
  NsTrace *trace = make_trace ();
  g_autoptr (GPtrArray) fields =
      ns_export_parse_columns (NS_TABLE_ACTIVITIES, "id,server,method,sent,open_ns", NULL);
  g_autofree guint32 *numbers = g_new0 (guint32, 20001);
  NsExportRows rows = { trace, NS_TABLE_ACTIVITIES, numbers, 20001, NULL, fields->len };
  NsExportOptions options = { NS_EXPORT_CSV, NS_EXPORT_TIME_NS, FALSE };
  FullPlace all = { G_MAXUINT, 0 };
  guint room;

  rows.fields = (const NsField *const *) fields->pdata;
  g_assert_true (ns_export_table (&rows, &options, write_until_full, &all, NULL));
  g_assert_cmpuint (all.n_calls, >, 10);
  for (room = 0; room < all.n_calls; room++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *message = g_strdup_printf ("full after %u", room);
      FullPlace place = { room, 0 };

      g_assert_false (ns_export_table (&rows, &options, write_until_full, &place, &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
      g_assert_cmpstr (error->message, ==, message);
      g_assert_cmpuint (place.n_calls, ==, room + 1);
    }
  test_trace_free (trace);
}

static void
test_json_is_an_array_and_jsonl_an_object_a_line (void)
{
  assert_export ("id,server,close_ns",
                 (NsExportOptions){ NS_EXPORT_JSON, NS_EXPORT_TIME_ISO, FALSE },
                 "[\n{\"id\":1,\"server\":\"a,\\\"b\\\"\",\"close_ns\":13316786122},\n"
                 "{\"id\":2,\"server\":null,\"close_ns\":null}\n]\n");
  assert_export ("id,method",
                 (NsExportOptions){ NS_EXPORT_JSONL, NS_EXPORT_TIME_NS, FALSE },
                 "{\"id\":1,\"method\":\"two\\nlines|and\\t*tab*\\u001b[31m\"}\n"
                 "{\"id\":2,\"method\":null}\n");
}

static void
test_markdown_keeps_a_row_in_its_line (void)
{
  assert_export ("id,method,duration_ns",
                 (NsExportOptions){ NS_EXPORT_MARKDOWN, NS_EXPORT_TIME_NS, FALSE },
                 "| Row | Method | Duration (ms) |\n"
                 "| ---: | --- | ---: |\n"
                 "| 1 | two lines\\|and \\*tab\\* \\[31m | 1,212.409 |\n"
                 "| 2 |  | ≥ 19,999.999 |\n");
}

static void
test_text_is_aligned_and_cannot_reach_the_terminal (void)
{
  assert_export ("id,method,sent",
                 (NsExportOptions){ NS_EXPORT_TEXT, NS_EXPORT_TIME_NS, FALSE },
                 "Row  Method                      Sent (B)\n"
                 "  1  two lines|and *tab* [31m  34,811,904\n"
                 "  2                                     0\n");
}

static void
test_moments_have_five_forms_and_the_header_says_which (void)
{
  assert_export ("open_ns",
                 (NsExportOptions){ NS_EXPORT_TSV, NS_EXPORT_TIME_REL, FALSE },
                 "open_s\n12.104377123\n0.000000100\n");
  assert_export ("open_ns",
                 (NsExportOptions){ NS_EXPORT_TSV, NS_EXPORT_TIME_ISO, FALSE },
                 "open_utc\n2024-01-01T00:00:12.1043771Z\n2024-01-01T00:00:00.0000001Z\n");
  assert_export ("open_ns",
                 (NsExportOptions){ NS_EXPORT_TSV, NS_EXPORT_TIME_FILETIME, FALSE },
                 "open_filetime\n133485408121043771\n133485408000000001\n");
  assert_export ("open_ns",
                 (NsExportOptions){ NS_EXPORT_TSV, NS_EXPORT_TIME_UNIX_NS, FALSE },
                 "open_unix_ns\n1704067212104377123\n1704067200000000100\n");
}

static void
test_titles_keep_all_digits_of_the_unit_they_name (void)
{
  assert_export ("open_ns,duration_ns,connect_ns,sent",
                 (NsExportOptions){ NS_EXPORT_TSV, NS_EXPORT_TIME_NS, TRUE },
                 "Open (s)\tDuration (ms)\tConnect (ms)\tSent (B)\n"
                 "12.104377123\t1212.408999\t2.500001\t34811904\n"
                 "0.000000100\t19999.999900\t\t0\n");
}

static void
test_columns_that_are_not_there_are_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_export_parse_columns (NS_TABLE_ACTIVITIES, "id,nonsense", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
}

static gboolean
count_pieces (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  gsize *most = user_data;

  *most = MAX (*most, n_bytes);
  return TRUE;
}

static void
test_long_output_comes_in_pieces (void)
{
  NsTrace *trace = test_trace_new (1000);
  g_autoptr (GPtrArray) fields = ns_export_list_columns (NS_TABLE_ACTIVITIES, NS_EXPORT_JSON);
  NsExportRows rows = { trace, NS_TABLE_ACTIVITIES, NULL, 0, NULL, fields->len };
  NsExportOptions options = { NS_EXPORT_JSON, NS_EXPORT_TIME_NS, FALSE };
  gsize most = 0;
  guint i;

  for (i = 0; i < 1000; i++)
    test_trace_add_activity (trace, "a.example", i);
  rows.n_rows = trace->activities->len;
  rows.fields = (const NsField *const *) fields->pdata;
  g_assert_true (ns_export_table (&rows, &options, count_pieces, &most, NULL));
  g_assert_cmpuint (most, >, 60000);
  g_assert_cmpuint (most, <, 80000);
  test_trace_free (trace);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n_files = 0;

  while (g_dir_read_name (dir) != NULL)
    n_files++;
  return n_files;
}

static void
test_a_file_appears_whole_or_not_at_all (void)
{
  g_autofree char *folder = g_dir_make_tmp ("export-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "out.csv", NULL);
  g_autofree char *content = NULL;
  NsExportFile *file;
  GStatBuf status;

  file = ns_export_file_new (path, NULL);
  g_assert_true (ns_export_file_write ("abc", 3, file, NULL));
  ns_export_file_free (file);
  g_assert_cmpuint (count_files (folder), ==, 0);

  g_assert_true (g_file_set_contents (path, "before", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0644), ==, 0);
  file = ns_export_file_new (path, NULL);
  g_assert_true (ns_export_file_write ("abc", 3, file, NULL));
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "before");
  g_assert_true (ns_export_file_commit (file, NULL));
  ns_export_file_free (file);

  g_clear_pointer (&content, g_free);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "abc");
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 0777, ==, 0600);
  g_assert_cmpuint (count_files (folder), ==, 1);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_a_file_that_cannot_be_says_which (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_export_file_new ("/nonexistent/folder/out.csv", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "/nonexistent/folder/out.csv"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/export/csv-quotes-what-must-be-and-nothing-else",
                   test_csv_quotes_what_must_be_and_nothing_else);
  g_test_add_func ("/export/tsv-has-as-many-columns-and-lines-as-there-are",
                   test_tsv_has_as_many_columns_and_lines_as_there_are);
  g_test_add_func ("/export/no-text-is-a-formula", test_no_text_is_a_formula);
  g_test_add_func ("/export/no-text-of-a-pasted-table-is-a-formula",
                   test_no_text_of_a_pasted_table_is_a_formula);
  g_test_add_func ("/export/formulas-stay-where-that-is-wanted",
                   test_formulas_stay_where_that_is_wanted);
  g_test_add_func ("/export/many-rows-keep-their-order", test_many_rows_keep_their_order);
  g_test_add_func ("/export/many-rows-end-where-there-is-no-room",
                   test_many_rows_end_where_there_is_no_room);
  g_test_add_func ("/export/json-is-an-array-and-jsonl-an-object-a-line",
                   test_json_is_an_array_and_jsonl_an_object_a_line);
  g_test_add_func ("/export/markdown-keeps-a-row-in-its-line",
                   test_markdown_keeps_a_row_in_its_line);
  g_test_add_func ("/export/text-is-aligned-and-cannot-reach-the-terminal",
                   test_text_is_aligned_and_cannot_reach_the_terminal);
  g_test_add_func ("/export/moments-have-five-forms-and-the-header-says-which",
                   test_moments_have_five_forms_and_the_header_says_which);
  g_test_add_func ("/export/titles-keep-all-digits-of-the-unit-they-name",
                   test_titles_keep_all_digits_of_the_unit_they_name);
  g_test_add_func ("/export/columns-that-are-not-there-are-refused",
                   test_columns_that_are_not_there_are_refused);
  g_test_add_func ("/export/long-output-comes-in-pieces", test_long_output_comes_in_pieces);
  g_test_add_func ("/export/a-file-appears-whole-or-not-at-all",
                   test_a_file_appears_whole_or_not_at_all);
  g_test_add_func ("/export/a-file-that-cannot-be-says-which",
                   test_a_file_that_cannot_be_says_which);
  return g_test_run ();
}
