/* Tests resolving a copied text to a place in a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "etl/ns-etl-writer.h"
#include "query/ns-place.h"

/* Makes a trace of a machine at UTC+2 that begins at 2024-01-01 00:00 UTC. */
static NsTrace *
make_trace (void)
{
  NsTrace *trace = test_trace_new (100000000000);
  NsEtlWriterOptions options = { .start_filetime = TEST_TRACE_START, .bias_min = -120 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);
  NsActivityRow *row;

  ns_etl_file_free (trace->file);
  trace->file = ns_etl_file_open_bytes (bytes, "east.etl", NULL);
  row = test_trace_add_activity (trace, "www.example.com", 1000);
  row->pid = 4312;
  row->url = ns_strings_add (trace->strings, "https://www.example.com:8443/a?b=1");
  row->remote = test_trace_end (trace, "10.1.2.3", 443);
  row->request = 0xabc0;
  row = test_trace_add_activity (trace, "other.example.com", 2000);
  row->pid = 443;
  row->http_status = 503;
  row->remote = ns_endpoint_pool_add_port (trace->ends, 4312);
  row->error_family = NS_CODE_WIN32;
  row->error = 12029;
  row->url = ns_strings_add (trace->strings, "https://www.example.com:8443/a");
  row->failed = TRUE;
  row = test_trace_add_activity (trace, "www.example.com.cdn", 3000);
  row->remote = test_trace_end (trace, "2001:db8::7", 8443);
  test_trace_add_activity (trace, NULL, 4000);
  test_trace_add_tcp (trace)->tcb = G_GUINT64_CONSTANT (0xffffaa0000001000);
  row->tcp = trace->tcp->len;
  row->local = test_trace_end (trace, "10.1.2.3", 0);
  return trace;
}

/* Lists the rows found by the first lookup method that finds any. */
static char *
find_rows (const NsTrace *trace, const NsPlace *place)
{
  g_autoptr (GString) said = g_string_new (NULL);
  guint step;

  for (step = 0; step < ns_place_get_n_steps (place) && said->len == 0; step++)
    {
      g_autofree char *text = ns_place_to_filter (place, trace, NS_TABLE_ACTIVITIES, step);
      g_autoptr (NsFilter) filter = NULL;
      g_autoptr (GArray) rows = NULL;
      g_autoptr (GError) error = NULL;
      guint i;

      if (text == NULL)
        continue;
      filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, &error);
      g_assert_no_error (error);
      rows = ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
      for (i = 0; i < rows->len; i++)
        g_string_append_printf (said, "%u", g_array_index (rows, guint32, i) + 1);
    }
  return g_string_free (g_steal_pointer (&said), FALSE);
}

static void
assert_rows (const char *text, const char *expected)
{
  NsTrace *trace = make_trace ();
  g_autoptr (NsPlace) place = ns_place_new (trace, text);
  g_autofree char *said = NULL;

  g_assert_nonnull (place);
  g_assert_cmpint (place->kind, ==, NS_PLACE_ROWS);
  said = find_rows (trace, place);
  if (g_strcmp0 (said, expected) != 0)
    g_error ("%s: rows “%s”, not “%s”", text, said, expected);
  test_trace_free (trace);
}

static void
assert_time (const char *text, gint64 expected)
{
  NsTrace *trace = make_trace ();
  g_autoptr (NsPlace) place = ns_place_new (trace, text);

  if (place == NULL || place->kind != NS_PLACE_TIME)
    g_error ("%s: no moment", text);
  if (place->span.begin_ns != expected)
    g_error ("%s: %" G_GINT64_FORMAT, text, place->span.begin_ns);
  test_trace_free (trace);
}

static void
test_what_names_rows_finds_them (void)
{
  assert_rows ("https://www.example.com:8443/a?b=1", "1");
  /* An exact match takes precedence over one that only starts with the text. */
  assert_rows ("https://www.example.com:8443/a", "2");
  assert_rows ("https://www.example.com:8443/a?b", "1");
  /* A URL without a row leads to the rows of its host. */
  assert_rows ("http://other.example.com/nothing", "2");
  assert_rows ("https://[2001:db8::7]:8443/nothing", "3");
  /* A text without a host does not match rows without a host. */
  assert_rows ("file:///nothing", "");
  assert_rows (" www.example.com ", "1");
  assert_rows ("www.example.com:443", "1");
  assert_rows ("WWW.example.com.", "1");
  assert_rows ("example.com", "123");
  assert_rows ("10.1.2.3", "1");
  assert_rows ("10.1.2.3:443", "1");
  assert_rows ("4312", "1");
  assert_rows ("OUTLOOK.EXE (4312)", "1");
  assert_rows ("pid 4312", "1");
  assert_rows ("503", "2");
  assert_rows ("12029", "2");
  assert_rows ("0x80072efd", "2");
  assert_rows ("-2147012867", "2");
  assert_rows ("ERROR_WINHTTP_CANNOT_CONNECT", "2");
  assert_rows ("0xABC0", "1");
  assert_rows ("0xffffaa0000001000", "3");
  assert_rows ("\"cdn\"", "3");
  assert_rows ("0x1234567", "");
}

static void
test_stamps_are_moments (void)
{
  const gint64 second = NS_PER_SECOND;

  assert_time ("2024-01-01T00:00:05Z", 5 * second);
  assert_time ("2024-01-01 00:00:05.250 UTC", 5250000000);
  assert_time ("2024-01-01T01:00:05+01:00", 5 * second);
  /* Without a zone the time zone of the machine applies. */
  assert_time ("2024-01-01T02:00:05.1234567", 5123456700);
  assert_time ("2024-01-01 02:00:05,5", 5500000000);
  assert_time ("02:00:05", 5 * second);
  assert_time ("02:01:00.5", 60500000000);
  assert_time ("[01/Jan/2024:01:00:05 +0100]", 5 * second);
  assert_time ("01/Jan/2024:02:00:05", 5 * second);
  assert_time ("Mon, 01 Jan 2024 00:00:05 GMT", 5 * second);
  assert_time ("133485408050000000", 5 * second);
  assert_time ("1704067205000", 5 * second);
  assert_time ("12.104 s", 12104000000);
  assert_time ("12.104", 12104000000);
  assert_time ("350ms", 350000000);
  assert_time ("t=2s", 2 * second);
}

static void
test_a_link_comes_back (void)
{
  NsTrace *trace = make_trace ();
  g_autofree char *text =
      ns_place_link_to_text ((NsTimeSpan){ 12104377000, 13304377000 }, NS_TABLE_TCP, 7);
  g_autoptr (NsPlace) place = ns_place_new (trace, text);
  g_autoptr (NsPlace) by_hand = ns_place_new (trace, "#t=12.104s+1.2s;row=3");
  g_autoptr (NsPlace) far = ns_place_new (trace, "#t=8e9s+8e9s");
  g_autoptr (NsPlace) nonsense = ns_place_new (trace, "#t=x+-5;table=nothing;row=a;;");

  g_assert_cmpstr (text, ==, "#t=12.104377000s+1.200000000s;table=tcp;row=7");
  g_assert_cmpint (place->kind, ==, NS_PLACE_LINK);
  g_assert_cmpint (place->span.begin_ns, ==, 12104377000);
  g_assert_cmpint (place->span.end_ns, ==, 13304377000);
  g_assert_true (place->has_table && place->table == NS_TABLE_TCP);
  g_assert_cmpuint (place->number, ==, 7);
  g_assert_cmpint (by_hand->span.begin_ns, ==, 12104000000);
  g_assert_cmpint (by_hand->span.end_ns, ==, 13304000000);
  g_assert_cmpuint (by_hand->number, ==, 3);
  g_assert_cmpint (far->span.end_ns, ==, G_MAXINT64);
  g_assert_cmpint (nonsense->span.end_ns, ==, 0);
  g_assert_false (nonsense->has_table);
  g_assert_cmpuint (nonsense->number, ==, 0);
  test_trace_free (trace);
}

static void
test_what_is_no_place_is_refused (void)
{
  NsTrace *trace = make_trace ();
  g_autofree char *long_text = g_strnfill (NS_PLACE_MAX_BYTES + 1, 'a');

  g_assert_null (ns_place_new (trace, ""));
  g_assert_null (ns_place_new (trace, "  "));
  g_assert_null (ns_place_new (trace, "two\nlines"));
  g_assert_null (ns_place_new (trace, "\xff\xfe"));
  g_assert_null (ns_place_new (trace, long_text));
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/place/what-names-rows-finds-them", test_what_names_rows_finds_them);
  g_test_add_func ("/place/stamps-are-moments", test_stamps_are_moments);
  g_test_add_func ("/place/a-link-comes-back", test_a_link_comes_back);
  g_test_add_func ("/place/what-is-no-place-is-refused", test_what_is_no_place_is_refused);
  return g_test_run ();
}
