/* Tests the filter language.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-view-context.h"
#include "ns-test-trace.h"

#include "query/ns-filter.h"

#include <string.h>

/* Makes four rows: a successful request, a failed one, an open one without a name, one from the
 * cache. */
static NsTrace *
make_trace (void)
{
  NsTrace *trace = test_trace_new (10000000000);
  NsActivityRow *row;

  row = test_trace_add_activity (trace, "www.example.com", 1000000000);
  row->close_ns = row->open_ns + 250000000;
  row->pid = 4312;
  row->http_status = 200;
  row->status = ns_strings_add (trace->strings, "HTTP/1.1 200 OK");
  row->url = ns_strings_add (trace->strings, "https://www.example.com/a?b=(c)");
  row->received = 1500000;
  row->remote = test_trace_end (trace, "10.1.2.3", 443);
  test_trace_add_tcp (trace)->tcb = G_GUINT64_CONSTANT (0xffffaa0000001000);
  row->tcp = trace->tcp->len;
  row->layers = NS_LAYER_WINHTTP | NS_LAYER_TCP;

  row = test_trace_add_activity (trace, "static.CDN", 2000000000);
  row->close_ns = row->open_ns + 3000000000;
  row->pid = 77;
  row->http_status = 503;
  row->status = ns_strings_add (trace->strings, "HTTP/1.1 503 Service Unavailable");
  row->failed = TRUE;
  row->received = 2048;
  row->remote = test_trace_end (trace, "2001:db8::7", 8443);

  row = test_trace_add_activity (trace, NULL, 3000000000);
  row->remote = test_trace_end (trace, "10.200.0.1", 53);

  row = test_trace_add_activity (trace, "bücher.example", 4000000000);
  row->close_ns = row->open_ns;
  row->from_cache = TRUE;
  return trace;
}

static void
assert_rows_of (NsTrace *trace, const char *filter, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsFilter) self = ns_filter_new (NS_TABLE_ACTIVITIES, filter, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) rows = NULL;
  guint i;

  g_assert_no_error (error);
  rows = ns_filter_run (self, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
  for (i = 0; i < rows->len; i++)
    g_string_append_printf (text, "%u", g_array_index (rows, guint32, i) + 1);
  if (strcmp (text->str, expected) != 0)
    g_error ("%s: %s, not %s", filter, text->str, expected);
}

static void
assert_rows (const char *filter, const char *expected)
{
  NsTrace *trace = make_trace ();

  assert_rows_of (trace, filter, expected);
  test_trace_free (trace);
}

/* Asserts that the error range is the one between the two bars of @marked. */
static void
assert_wrong (const char *marked)
{
  g_auto (GStrv) parts = g_strsplit (marked, "|", 3);
  g_autofree char *filter = g_strjoinv ("", parts);
  g_autoptr (GError) error = NULL;
  NsFilterSpan where = { 0, 0 };
  NsFilter *self = ns_filter_new (NS_TABLE_ACTIVITIES, filter, &where, &error);

  if (self != NULL)
    g_error ("%s: taken", filter);
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  if (where.begin != strlen (parts[0]) || where.end != strlen (parts[0]) + strlen (parts[1]))
    g_error ("%s: %u to %u", marked, (guint) where.begin, (guint) where.end);
}

static void
test_no_text_lets_every_row_through (void)
{
  assert_rows ("", "1234");
  assert_rows ("   ", "1234");
}

static void
test_texts_contain_equal_and_match (void)
{
  assert_rows ("server:EXAMPLE", "14");
  assert_rows ("server=www.EXAMPLE.com", "1");
  assert_rows ("server=example", "");
  assert_rows ("server:*.cdn", "2");
  assert_rows ("server contains EXAMPLE", "14");
  assert_rows ("server not contains EXAMPLE", "23");
  assert_rows ("server:???.example.*", "1");
  assert_rows ("server:\"*\"", "");
  assert_rows ("server~\"^(www|static)\\\\.\"", "12");
  assert_rows ("server !~ example", "23");
  assert_rows ("server:BÜCHER", "4");
  assert_rows ("url:b=(c)", "1");
  assert_rows ("(url:b=(c))", "1");
}

static void
test_conditions_combine (void)
{
  assert_rows ("server:example status:200", "1");
  assert_rows ("server:example and status:200", "1");
  assert_rows ("port=53 or port=443", "13");
  assert_rows ("-server:*.cdn", "134");
  assert_rows ("not server:example", "23");
  assert_rows ("!(port=53 or port=443)", "24");
  assert_rows ("port=53 or port=443 and status=503", "3");
  assert_rows ("(port=53 or port=443) status=200", "1");
  assert_rows ("not not failed", "2");
}

static void
test_numbers_have_units_ranges_and_lists (void)
{
  assert_rows ("status>=400", "2");
  /* A colon inserted by completion may precede an operator. */
  assert_rows ("status:>=400", "2");
  assert_rows ("status:<400", "1");
  assert_rows ("server:\">=a\"", "");
  assert_rows ("status=200", "1");
  assert_rows ("http_status!=200", "234");
  assert_rows ("duration>1s", "23");
  assert_rows ("duration<=250ms", "14");
  assert_rows ("duration:200ms..1m", "123");
  assert_rows ("duration_ns=250000000", "1");
  /* Minus sign as in cells, and hyphen-minus as on keyboards. */
  assert_rows ("duration>−1s", "1234");
  assert_rows ("duration>-1s", "1234");
  assert_rows ("recv>1.4M", "1");
  assert_rows ("recv=2KiB", "2");
  assert_rows ("recv<1k", "34");
  assert_rows ("open>2.5", "34");
  assert_rows ("open:..2", "12");
  assert_rows ("port in (53, 443)", "13");
  assert_rows ("port not in (53, 443)", "24");
  assert_rows ("port in {53, 443}", "13");
  assert_rows ("port in{443}", "1");
  assert_rows ("rport=53", "3");
  assert_rows ("server in (\"www.example.com\", static.cdn)", "12");
  assert_rows ("tcb=0xffffaa0000001000", "1");
  assert_rows ("port<0", "");
}

static void
test_addresses_have_networks (void)
{
  assert_rows ("ip=10.1.2.3", "1");
  assert_rows ("ip:10.0.0.0/8", "13");
  assert_rows ("ip:10.128.0.0/9", "3");
  assert_rows ("ip:2001:db8::/32", "2");
  assert_rows ("ip:10.1.*", "1");
  assert_rows ("ip:0.0.0.0/0", "13");
  assert_rows ("ip in (10.1.2.3, 2001:db8::7)", "12");
  assert_rows ("ip in {10.128.0.0/9,2001:db8::7}", "23");
  assert_rows ("ip == ::ffff:10.1.2.3", "1");
  assert_rows ("ip:::ffff:10.0.0.0/104", "13");
}

static void
test_what_is_unknown_passes_only_the_test_for_it (void)
{
  assert_rows ("server:none", "3");
  assert_rows ("server:*", "124");
  assert_rows ("server!=none", "124");
  assert_rows ("pid<1000000", "12");
  assert_rows ("status:none", "34");
}

static void
test_words_are_looked_for_and_yes_or_no_fields_stand_alone (void)
{
  assert_rows ("failed", "2");
  assert_rows ("-failed", "134");
  assert_rows ("from_cache:yes", "4");
  assert_rows ("still_open=true", "3");
  assert_rows ("unavailable", "2");
  assert_rows ("\"503 Service\"", "2");
  assert_rows ("www.example.com", "1");
  assert_rows ("10.200", "3");
  assert_rows ("layers:winhttp", "1");
}

/* The operators `&&`, `||` and `!` of other tools are accepted, rather than taken for a text
 * search. */
static void
test_signs_join_conditions_like_words (void)
{
  assert_rows ("server:EXAMPLE && -server:www", "4");
  assert_rows ("server:EXAMPLE & -server:www", "4");
  assert_rows ("server:EXAMPLE &&-server:www", "4");
  assert_rows ("server:*.cdn || server:www", "12");
  assert_rows ("(server:*.cdn | server:www) && server:EXAMPLE", "1");
  assert_rows ("server:*.cdn || server:EXAMPLE && server:www", "12");
  assert_rows ("\"&&\"", "");
  assert_rows ("! server:*.cdn && server:?*", "14");
  assert_rows ("-url:a&b", "1234");
  assert_rows ("url:a|b", "");
}

static void
test_a_mistake_is_pointed_at (void)
{
  assert_wrong ("server:a |nonsense|:b");
  assert_wrong ("port=|abc|");
  assert_wrong ("status=200 duration>|5| parsecs");
}

static void
test_each_kind_of_mistake_has_its_place (void)
{
  assert_wrong ("duration>|5|");
  assert_wrong ("duration>|5parsec|");
  assert_wrong ("recv>|5q|");
  assert_wrong ("status=200 pid=|80x|");
  assert_wrong ("server>|a|");
  assert_wrong ("failed=|perhaps|");
  assert_wrong ("ip=|10.0.0.0/40|");
  assert_wrong ("ip=|10.0.0|");
  assert_wrong ("server~|\"(\"|");
  assert_wrong ("server=|\"a|");
  assert_wrong ("|(|server:a");
  assert_wrong ("server:a|)|");
  /* An operator is not a search word, even if nothing follows it yet. */
  assert_wrong ("status=200 |and|");
  assert_wrong ("status=200 |and| ");
  assert_wrong ("status=200 |or|");
  assert_wrong ("(server:a |or|) server:b");
  assert_wrong ("server:a |and| or server:b");
  assert_wrong ("port in |(53, |)");
  assert_wrong ("port=|-1|");
  assert_wrong ("port=|500..80|");
  assert_wrong ("duration:|2s..1500ms|");
  assert_wrong ("status=200 |&&|");
  assert_wrong ("status=200 |&| ");
  assert_wrong ("(server:a |&&|) server:b");
}

static void
test_the_value_of_a_cell_makes_a_filter_that_finds_its_row (void)
{
  NsTrace *trace = make_trace ();
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint row;
  guint i;

  g_array_index (trace->activities, NsActivityRow, 0).method =
      ns_strings_add (trace->strings, "a \\ \"b\" * ?");
  for (row = 0; row < trace->activities->len; row++)
    for (i = 0; i < n_fields; i++)
      {
        g_autofree char *text = NULL;
        g_autoptr (NsFilter) filter = NULL;
        g_autoptr (GError) error = NULL;
        NsFieldValue value;

        ns_field_get (trace, &fields[i], row, &value);
        text = ns_filter_from_value (&fields[i], &value);
        ns_field_value_clear (&value);
        filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, &error);
        g_assert_no_error (error);
        if (!ns_filter_matches (filter, trace, row))
          g_error ("%s does not find row %u", text, row + 1);
      }
  test_trace_free (trace);
}

static void
test_nesting_is_bounded (void)
{
  g_autofree char *open = g_strnfill (5000, '(');
  g_autofree char *minus = g_strnfill (5000, '-');
  g_autofree char *deep = g_strconcat (open, "a", NULL);
  g_autofree char *many = g_strconcat (minus, "a", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_filter_new (NS_TABLE_ACTIVITIES, deep, NULL, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_clear_error (&error);
  g_assert_null (ns_filter_new (NS_TABLE_ACTIVITIES, many, NULL, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
}

/* Rows that started and ended inside a named range, bounds included. */
static void
test_a_range_has_a_name (void)
{
  NsTrace *trace = make_trace ();
  NsNamedRanges *ranges = ns_view_context_get_ranges (trace->view);
  g_autoptr (GError) error = NULL;
  NsFilterSpan where;

  g_assert_true (ns_named_ranges_parse (ranges, "login storm=1..1.25; B = 0.5..5;b=9..10", &error));
  assert_rows_of (trace, "range:\"login storm\"", "1");
  assert_rows_of (trace, "range:b", "124");
  assert_rows_of (trace, "range=B failed", "2");
  /* Open rows are outside of every range. */
  assert_rows_of (trace, "-range:B", "3");
  assert_rows_of (trace, "range:nobody", "");
  g_assert_null (ns_filter_new (NS_TABLE_ACTIVITIES, "range: ", &where, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_clear_error (&error);
  g_assert_false (ns_named_ranges_parse (ranges, "A=5..1", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_true (ns_trace_has_named_range (trace, "B")); /* an invalid text changes nothing */
  ns_named_ranges_set (ranges, NULL, 0);
  g_assert_false (ns_trace_has_named_range (trace, "B"));
  test_trace_free (trace);
}

static void
add_packet (NsTrace *trace,
            int direction,
            const char *src,
            guint16 src_port,
            const char *dst,
            guint16 dst_port)
{
  const NsEndpoint *from = test_trace_end (trace, src, src_port);

  test_trace_add_packet (trace, from, test_trace_end (trace, dst, dst_port))->direction =
      (gint8) direction;
}

static void
assert_packets (const NsTrace *trace, const char *filter, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsFilter) self = ns_filter_new (NS_TABLE_PACKETS, filter, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) rows = NULL;
  guint i;

  g_assert_no_error (error);
  rows = ns_filter_run (self, trace, NS_TABLE_PACKETS, NULL, NULL);
  for (i = 0; i < rows->len; i++)
    g_string_append_printf (text, "%u", g_array_index (rows, guint32, i) + 1);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_a_field_of_another_table_is_told_of (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_filter_new (NS_TABLE_ACTIVITIES, "call in {connect, send}", NULL, &error));
  g_assert_nonnull (strstr (error->message, "“Calls”"));
  g_clear_error (&error);
  g_assert_null (ns_filter_new (NS_TABLE_ACTIVITIES, "nosuch>3", NULL, &error));
  g_assert_nonnull (strstr (error->message, "no such field"));
}

static void
test_the_nearest_field_is_offered (void)
{
  static const char *const typed[][2] = {
    { "dration>1s", "“duration”" },
    { "durations>1s", "“duration”" },
    { "sevrer:a", "“server”" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ns_filter_new (NS_TABLE_ACTIVITIES, typed[i][0], NULL, &error));
      if (strstr (error->message, typed[i][1]) == NULL)
        g_error ("%s: %s", typed[i][0], error->message);
    }
}

/* A query, a response, a packet with unknown direction, and a packet of another connection. */
static void
test_a_packet_has_two_ends (void)
{
  NsTrace *trace = test_trace_new (G_GINT64_CONSTANT (1000000000));

  add_packet (trace, -1, "10.0.0.5", 50001, "192.168.17.1", 53);
  add_packet (trace, 1, "192.168.17.1", 53, "10.0.0.5", 50001);
  add_packet (trace, 0, "10.0.0.5", 50002, "192.168.17.1", 53);
  add_packet (trace, 1, "2001:db8::1", 443, "::ffff:10.0.0.5", 50003);
  assert_packets (trace, "ip=192.168.17.1", "123");
  assert_packets (trace, "ip!=192.168.17.1", "4");
  assert_packets (trace, "ip in {192.168.17.0/24, 2001:db8::/32}", "1234");
  assert_packets (trace, "port=50001", "12");
  assert_packets (trace, "port!=50001", "34");
  assert_packets (trace, "-port=50001", "34");
  assert_packets (trace, "port in (50002..50003)", "34");
  assert_packets (trace, "rport=53", "123");
  assert_packets (trace, "lport=50001", "12");
  assert_packets (trace, "lport=53 or rport=50001", "");
  assert_packets (trace, "local=10.0.0.0/8", "1234");
  assert_packets (trace, "remote=10.0.0.5", "");
  assert_packets (trace, "src=10.0.0.5", "13");
  test_trace_free (trace);
}

/* Long addresses of one trace, two of them equal, and expressions with unlimited backtracking in
 * them. */
static void
test_what_was_not_compared_is_told (void)
{
  static const struct
  {
    const char *filter;
    const char *begins; /* beginning of the message */
    guint n_rows;
  } cases[] = {
    { "url~(a+)+$", "2 values were not compared", 0 },
    { "url~(a+)+$ or url~(a|aa)+$", "4 values were not compared", 0 },
    { "not url~(a+)+$", "2 values were not compared", 4 },
    { "url~a+!$", NULL, 3 },
    { "url:aaa", NULL, 3 },
  };
  NsTrace *trace = test_trace_new (10000000000);
  guint i;

  for (i = 0; i < 4; i++)
    {
      NsActivityRow *row = test_trace_add_activity (trace, "a.example", 1000000000);
      g_autofree char *url = g_strnfill (i < 2 ? 3000 : 5000, 'a');

      url[strlen (url) - 1] = '!';
      row->url = i < 3 ? ns_strings_add (trace->strings, url) : 0;
    }
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (NsFilter) self = ns_filter_new (NS_TABLE_ACTIVITIES, cases[i].filter, NULL, NULL);
      g_autoptr (GArray) rows = NULL;
      guint k;

      /* Each run counts separately. */
      for (k = 0; k < 2; k++)
        {
          g_autofree char *said = NULL;

          g_clear_pointer (&rows, g_array_unref);
          rows = ns_filter_run (self, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
          said = ns_filter_describe_incomplete (self);
          g_test_message ("%s: %s", cases[i].filter, said);
          g_assert_cmpuint (rows->len, ==, cases[i].n_rows);
          g_assert_true (cases[i].begins == NULL ? said == NULL
                                                 : g_str_has_prefix (said, cases[i].begins));
        }
    }
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/filter/a-packet-has-two-ends", test_a_packet_has_two_ends);
  g_test_add_func ("/filter/a-field-of-another-table-is-told-of",
                   test_a_field_of_another_table_is_told_of);
  g_test_add_func ("/filter/no-text-lets-every-row-through", test_no_text_lets_every_row_through);
  g_test_add_func ("/filter/texts-contain-equal-and-match", test_texts_contain_equal_and_match);
  g_test_add_func ("/filter/conditions-combine", test_conditions_combine);
  g_test_add_func ("/filter/numbers-have-units-ranges-and-lists",
                   test_numbers_have_units_ranges_and_lists);
  g_test_add_func ("/filter/addresses-have-networks", test_addresses_have_networks);
  g_test_add_func ("/filter/what-is-unknown-passes-only-the-test-for-it",
                   test_what_is_unknown_passes_only_the_test_for_it);
  g_test_add_func ("/filter/words-are-looked-for-and-yes-or-no-fields-stand-alone",
                   test_words_are_looked_for_and_yes_or_no_fields_stand_alone);
  g_test_add_func ("/filter/signs-join-conditions-like-words",
                   test_signs_join_conditions_like_words);
  g_test_add_func ("/filter/a-mistake-is-pointed-at", test_a_mistake_is_pointed_at);
  g_test_add_func ("/filter/each-kind-of-mistake-has-its-place",
                   test_each_kind_of_mistake_has_its_place);
  g_test_add_func ("/filter/the-value-of-a-cell-makes-a-filter-that-finds-its-row",
                   test_the_value_of_a_cell_makes_a_filter_that_finds_its_row);
  g_test_add_func ("/filter/a-range-has-a-name", test_a_range_has_a_name);
  g_test_add_func ("/filter/the-nearest-field-is-offered", test_the_nearest_field_is_offered);
  g_test_add_func ("/filter/what-was-not-compared-is-told", test_what_was_not_compared_is_told);
  g_test_add_func ("/filter/nesting-is-bounded", test_nesting_is_bounded);
  return g_test_run ();
}
