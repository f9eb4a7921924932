/* Tests exports as pcap, report, trace events and call stack profile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-cursor.h"
#include "base/ns-error.h"
#include "base/ns-hash.h"
#include "engine/net/packets/ns-packet-row.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-forms.h"
#include "export/ns-export-html.h"
#include "export/ns-export-pcap.h"
#include "export/ns-export-perfetto.h"
#include "export/ns-export-speedscope.h"
#include "export/ns-export-tree.h"

#include "export-fixture.h"

#include <string.h>

static void
test_packets_become_records (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = export_fixture_open_packets ();
  const NsPacketRow *first = &g_array_index (trace->packets, NsPacketRow, 0);
  NsCursor cursor;
  guint i;

  g_assert_true (ns_export_pcap (trace, rows, 2, export_fixture_collect, out, NULL));
  g_assert_cmpuint (out->len, ==, 24 + 2 * (16 + EXPORT_FIXTURE_FRAME_SIZE));
  ns_cursor_init (&cursor, out->data, out->len);
  g_assert_cmphex (ns_cursor_u32 (&cursor), ==, 0xa1b23c4d);
  ns_cursor_skip (&cursor, 16);
  g_assert_cmpuint (ns_cursor_u32 (&cursor), ==, ns_packet_row_get_link_type (first));
  for (i = 0; i < 2; i++)
    {
      guint32 seconds = ns_cursor_u32 (&cursor);

      g_assert_cmpuint (seconds, >, 1500000000);
      g_assert_cmpuint (ns_cursor_u32 (&cursor), <, 1000000000);
      g_assert_cmpuint (ns_cursor_u32 (&cursor), ==, EXPORT_FIXTURE_FRAME_SIZE);
      g_assert_cmpuint (ns_cursor_u32 (&cursor), ==, EXPORT_FIXTURE_FRAME_SIZE);
      ns_cursor_skip (&cursor, EXPORT_FIXTURE_FRAME_SIZE);
    }
  g_assert_true (ns_cursor_ok (&cursor));
}

/* A pcap file has one link type. Packets of a second type are refused rather than omitted
 * silently. */
static void
test_packets_of_two_link_types_are_refused (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = export_fixture_open_packets ();
  g_autoptr (GError) error = NULL;

  g_array_index (trace->packets, NsPacketRow, 1).link = NS_PACKET_IEEE_802_11;
  g_assert_false (ns_export_pcap (trace, rows, 2, export_fixture_collect, out, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_cmpuint (out->len, ==, 0);
}

/* Makes a request with all phases whose name contains delimiters of elements, strings and
 * scripts. */
static NsTrace *
one_request (void)
{
  g_autoptr (Story) story = story_new ();

  story_request (story, 10, P (0x1000), 1, P (0), "https://a.example/</td><script>\"x'&");
  story_wait (story, 11, P (0x1000), 1, P (0x2000));
  story_resolve (story, 12, 1, P (0x2000), "a.example", "1.2.3.4:443");
  story_connect (story, 20, 1, P (0x2000), 5, "1.2.3.4:443");
  story_connected (story, 40, 1, P (0x2000), 5, 0);
  story_send (story, 50, 1, P (0x2000), 5, 200);
  story_header (story, 80, P (0x1000), "HTTP/1.1 200 OK\r\n");
  story_receive (story, 81, 1, P (0x2000), 5, 900);
  story_request_close (story, 90, P (0x1000), 1);
  return story_open (story, 100);
}

/* Begin and end events of one row nest, and its phases fill it. */
static void
test_phases_fill_their_row (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = one_request ();
  g_autofree NsJsonDoc *json = g_new (NsJsonDoc, 1);
  double begin_of[2] = { 0 };
  double filled_us = 0;
  double whole_us = 0;
  int depth = 0;
  guint events;
  guint event;

  g_assert_true (ns_export_perfetto (trace, rows, 1, export_fixture_collect, out, NULL));
  g_assert_true (ns_json_doc_parse (json, (const char *) out->data, out->len));
  events = ns_json_doc_get (json, 0, "traceEvents");
  for (event = ns_json_doc_first (json, events); event != NS_JSON_NONE;
       event = ns_json_doc_after (json, events, event))
    {
      g_autofree char *kind = ns_json_doc_dup_string (json, ns_json_doc_get (json, event, "ph"));
      g_autofree char *category =
          ns_json_doc_dup_string (json, ns_json_doc_get (json, event, "cat"));

      /* The lower layers have their own tracks. */
      if (g_strcmp0 (category, "network") != 0)
        continue;
      if (kind[0] == 'b')
        {
          g_assert_cmpint (depth, <, 2);
          begin_of[depth++] = export_fixture_get_number (json, event, "ts");
        }
      else if (kind[0] == 'e')
        {
          double span = export_fixture_get_number (json, event, "ts") - begin_of[--depth];

          *(depth == 0 ? &whole_us : &filled_us) += span;
        }
    }
  g_assert_cmpint (depth, ==, 0);
  g_assert_cmpfloat_with_epsilon (whole_us, 80000, 0.01);
  g_assert_cmpfloat_with_epsilon (filled_us, 80000, 0.01);
}

/* The source of a known connection is not a method. */
static void
test_a_known_connection_has_no_method (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 1, STORY_TCPIP, 1300, "pAAdd", P (1), STORY_HERE, STORY_THERE, 4, 321);
  trace = story_open (story, 100);
  story_assert_text (trace, story_activity (trace, 0)->method, "Rundown");
  g_assert_true (ns_export_perfetto (trace, rows, 1, export_fixture_collect, out, NULL));
  g_byte_array_append (out, (const guint8 *) "", 1);
  g_assert_nonnull (strstr ((const char *) out->data, "\"name\":\"1.2.3.4\""));
  g_assert_null (strstr ((const char *) out->data, "Rundown 1.2.3.4"));
}

/* The weights of the samples add up to those of the rows. */
static void
test_samples_weigh_as_much_as_the_rows (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = one_request ();
  g_autofree NsJsonDoc *json = g_new (NsJsonDoc, 1);
  static const double expected[] = { 1, 80000000, 1100 };
  guint list;
  guint profile;
  guint n = 0;

  g_assert_true (ns_export_speedscope (trace, rows, 1, export_fixture_collect, out, NULL));
  g_assert_true (ns_json_doc_parse (json, (const char *) out->data, out->len));
  list = ns_json_doc_get (json, 0, "profiles");
  for (profile = ns_json_doc_first (json, list); profile != NS_JSON_NONE;
       profile = ns_json_doc_after (json, list, profile), n++)
    {
      guint weights = ns_json_doc_get (json, profile, "weights");
      double sum = 0;
      guint weight;

      for (weight = ns_json_doc_first (json, weights); weight != NS_JSON_NONE;
           weight = ns_json_doc_after (json, weights, weight))
        {
          g_autofree char *text = ns_json_doc_dup_string (json, weight);

          sum += g_ascii_strtod (text, NULL);
        }
      g_assert_cmpfloat (sum, ==, expected[n]);
      g_assert_cmpfloat (export_fixture_get_number (json, profile, "endValue"), ==, expected[n]);
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
}

/* Trees are printed in the format of the verb `stacks --tree`. */
static void
test_a_tree_has_a_line_for_each_node (void)
{
  static const guint32 rows[] = { 0 };
  static const NsCallTreeOptions options = { .stack = NS_CALL_STACK_FULL };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = one_request ();
  g_autoptr (NsCallTree) tree = ns_call_tree_new (trace, rows, 1, &options, NULL, NULL);
  g_autofree char *text = NULL;

  g_assert_true (ns_export_tree (tree, export_fixture_collect, out, NULL));
  text = g_strndup ((const char *) out->data, out->len);
  g_assert_cmpstr (text,
                   ==,
                   "id,parent,depth,kind,name,total,self,percent,rows,failed,sent,received,"
                   "duration_ns,still_open\r\n"
                   "0,,0,root,all,1,0,100.00,1,0,200,900,80000000,false\r\n"
                   "1,0,1,note,no stack: not enabled,1,1,100.00,1,0,200,900,80000000,false\r\n");
}

/* Strings of a trace cannot close an element or open a script. */
static void
test_a_report_escapes_what_the_trace_says (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = one_request ();
  g_autoptr (GPtrArray) columns = ns_export_list_columns (NS_TABLE_ACTIVITIES, NS_EXPORT_HTML);
  NsExportReport report = {
    .rows = { trace,
              NS_TABLE_ACTIVITIES,
              rows,
              1,
              (const NsField *const *) columns->pdata,
              columns->len },
    .chains = { .trace = trace },
    .filter = "url:\"<b>\" & x",
    .picture = "<?xml version=\"1.0\"?>\n<svg/>\n",
  };
  g_autofree char *page = NULL;
  const char *at;
  guint n_open = 0;
  guint n_closed = 0;

  g_assert_true (ns_export_html (&report, export_fixture_collect, out, NULL));
  page = g_strndup ((const char *) out->data, out->len);
  g_assert_null (strstr (page, "<script"));
  g_assert_null (strstr (page, "<?xml"));
  g_assert_nonnull (strstr (page, "<svg/>"));
  g_assert_nonnull (strstr (page, "&lt;/td&gt;&lt;script&gt;&quot;x&#39;&amp;"));
  g_assert_nonnull (strstr (page, "<dd>url:&quot;&lt;b&gt;&quot; &amp; x</dd>"));
  for (at = strstr (page, "<h2>Rows"); (at = strstr (at, "<td")) != NULL; at++)
    n_open += strstr (at, "<h2>Call sequences") != NULL;
  for (at = strstr (page, "<h2>Rows"); (at = strstr (at, "</td>")) != NULL; at++)
    n_closed += strstr (at, "<h2>Call sequences") != NULL;
  g_assert_cmpuint (n_open, ==, columns->len);
  g_assert_cmpuint (n_closed, ==, columns->len);
}

/* The first damaged locations are listed, the others counted. */
static void
test_a_report_names_so_many_places_only (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (NsTrace) trace = one_request ();
  g_autoptr (GPtrArray) columns = ns_export_list_columns (NS_TABLE_ACTIVITIES, NS_EXPORT_HTML);
  NsExportReport report = {
    .rows = { trace,
              NS_TABLE_ACTIVITIES,
              rows,
              1,
              (const NsField *const *) columns->pdata,
              columns->len },
    .chains = { .trace = trace },
  };
  GPtrArray *places = ns_etl_file_get_report (trace->file)->damage;
  guint n;

  for (n = 1; n <= NS_EXPORT_HTML_MAX_DAMAGE + 2; n++)
    {
      g_autoptr (GByteArray) out = g_byte_array_new ();
      g_autofree char *page = NULL;
      NsEtlDamage *place = g_new0 (NsEtlDamage, 1);
      guint n_named = 0;
      const char *at;

      place->what = g_strdup ("it is so");
      g_ptr_array_add (places, place);
      g_assert_true (ns_export_html (&report, export_fixture_collect, out, NULL));
      page = g_strndup ((const char *) out->data, out->len);
      for (at = page; (at = strstr (at, "Damaged at byte")) != NULL; at++)
        n_named++;
      g_assert_cmpuint (n_named, ==, MIN (n, NS_EXPORT_HTML_MAX_DAMAGE));
      g_assert_cmpint (strstr (page, "and 1 more damaged places") != NULL,
                       ==,
                       n == NS_EXPORT_HTML_MAX_DAMAGE + 1);
    }
}

/* Asserts the output for @n_stacks requests with a stack and one without, which is last or in the
 * middle. */
static void
assert_stacks (guint n_stacks, gboolean is_last_without)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree guint32 *rows = g_new (guint32, n_stacks + 1);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GPtrArray) columns = ns_export_list_columns (NS_TABLE_ACTIVITIES, NS_EXPORT_HTML);
  NsExportReport report = { .rows = { NULL,
                                      NS_TABLE_ACTIVITIES,
                                      rows,
                                      n_stacks + 1,
                                      (const NsField *const *) columns->pdata,
                                      1 } };
  g_autofree char *page = NULL;
  guint n_written = 0;
  const char *at;
  guint i;

  for (i = 0; i <= n_stacks; i++)
    {
      rows[i] = i;
      if (i != (is_last_without ? n_stacks : n_stacks / 2))
        story->stack[0] = 0x7ff600001000 + i;
      story_request (story, 10 + i, P (0x1000) + i * 0x100, i + 1, P (0), "https://a.example/");
    }
  trace = story_open (story, 2000);
  report.rows.trace = trace;
  report.chains.trace = trace;
  g_assert_cmpuint (trace->activities->len, ==, n_stacks + 1);
  g_assert_true (ns_export_html (&report, export_fixture_collect, out, NULL));
  page = g_strndup ((const char *) out->data, out->len);
  for (at = page; (at = strstr (at, "<details ")) != NULL; at++)
    n_written++;
  g_assert_cmpuint (n_written, ==, MIN (n_stacks, NS_EXPORT_HTML_MAX_STACKS));
  g_assert_true ((strstr (page, "Only the first 500 stacks are written out.") != NULL) ==
                 (n_stacks > NS_EXPORT_HTML_MAX_STACKS));
}

static void
test_a_report_writes_so_many_stacks_only (void)
{
  assert_stacks (NS_EXPORT_HTML_MAX_STACKS, FALSE);
  assert_stacks (NS_EXPORT_HTML_MAX_STACKS, TRUE);
  assert_stacks (NS_EXPORT_HTML_MAX_STACKS + 1, FALSE);
}

/* Strings are scanned eight bytes at a time, so each kind of control character is tested at each
 * offset and length. */
static void
test_plain_text_has_no_controls_at_any_place (void)
{
  static const struct
  {
    const char *text;
    const char *plain;
  } pieces[] = {
    { "\x01", " " },
    { "\x1f", " " },
    { "\t", " " },
    { " ", " " },
    { "!", "!" },
    { "~", "~" },
    { "\x7f", " " },
    { "\xc2\x80", " " },
    { "\xc3\xbc", "\xc3\xbc" },
    { "\xe2\x80\xa8", " " },
    { "\xe2\x82\xac", "\xe2\x82\xac" },
  };
  guint length;
  guint place;
  guint i;

  for (length = 0; length < 20; length++)
    for (place = 0; place <= length; place++)
      for (i = 0; i < G_N_ELEMENTS (pieces); i++)
        {
          g_autofree char *before = g_strnfill (place, 'a');
          g_autofree char *behind = g_strnfill (length - place, 'z');
          g_autofree char *cell = g_strconcat (before, pieces[i].text, behind, NULL);
          g_autofree char *expected = g_strconcat (before, pieces[i].plain, behind, NULL);
          g_autoptr (GString) text = g_string_new (NULL);

          ns_export_cell_append_plain (text, cell);
          g_assert_cmpstr (text->str, ==, expected);
        }
}

/* Invariants of the format table that the command line, the window and the export job rely on. */
static void
test_each_form_of_the_table_is_whole (void)
{
  g_autoptr (GHashTable) names = g_hash_table_new (ns_hash_text, g_str_equal);
  const NsExportForm *form = NULL;

  while ((form = ns_export_form_next (form)) != NULL)
    {
      g_autofree char *path = g_strconcat ("a.trace", form->ending, NULL);

      g_assert_true (ns_export_form_from_path (path, form->table) == form);
      g_assert_cmpint (form->write == NULL, ==, form->kind == NS_EXPORT_ANALYSIS);
      g_assert_cmpint (form->find_redactions != NULL, ==, form->can_redact);
      g_assert_true (form->left_out == NULL || form->can_redact);
      if (form->name == NULL)
        continue;
      g_assert_true (g_hash_table_add (names, (gpointer) form->name));
      g_assert_true (ns_export_form_from_name (form->name) == form);
    }
  g_assert_cmpuint (g_hash_table_size (names), >, 0);
  g_assert_null (ns_export_form_from_name ("none"));
  g_assert_null (ns_export_form_from_path ("a.trace", NS_TABLE_ACTIVITIES));
}

static void
test_a_form_holds_rows_of_its_table (void)
{
  static const guint32 rows[] = { 0 };
  const NsExportForm *har = ns_export_form_from_name ("har");
  g_autoptr (NsTrace) trace = export_fixture_open_packets ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  const NsExportRequest request = {
    .report.rows = { .trace = trace, .table = NS_TABLE_PACKETS, .rows = rows, .n_rows = 1 },
  };

  g_assert_false (ns_export_form_can_hold (har, NS_TABLE_PACKETS));
  g_assert_false (ns_export_form_write (har, &request, export_fixture_collect, out, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_nonnull (strstr (error->message, ".har"));
  g_assert_cmpuint (out->len, ==, 0);
  g_assert_true (ns_export_form_write (ns_export_form_from_path ("a.pcap", NS_TABLE_PACKETS),
                                       &request,
                                       export_fixture_collect,
                                       out,
                                       NULL));
  g_assert_cmpuint (out->len, ==, 24 + 16 + EXPORT_FIXTURE_FRAME_SIZE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/forms/each-form-is-whole", test_each_form_of_the_table_is_whole);
  g_test_add_func ("/forms/holds-rows-of-its-table", test_a_form_holds_rows_of_its_table);
  g_test_add_func ("/forms/packets-become-records", test_packets_become_records);
  g_test_add_func ("/forms/packets-of-two-link-types-are-refused",
                   test_packets_of_two_link_types_are_refused);
  g_test_add_func ("/forms/phases-fill-their-row", test_phases_fill_their_row);
  g_test_add_func ("/forms/a-known-connection-has-no-method",
                   test_a_known_connection_has_no_method);
  g_test_add_func ("/forms/samples-weigh-as-much-as-the-rows",
                   test_samples_weigh_as_much_as_the_rows);
  g_test_add_func ("/forms/a-tree-has-a-line-for-each-node", test_a_tree_has_a_line_for_each_node);
  g_test_add_func ("/forms/a-report-escapes-what-the-trace-says",
                   test_a_report_escapes_what_the_trace_says);
  g_test_add_func ("/forms/a-report-names-so-many-places-only",
                   test_a_report_names_so_many_places_only);
  g_test_add_func ("/forms/a-report-writes-so-many-stacks-only",
                   test_a_report_writes_so_many_stacks_only);
  g_test_add_func ("/forms/plain-at-any-place", test_plain_text_has_no_controls_at_any_place);
  return g_test_run ();
}
