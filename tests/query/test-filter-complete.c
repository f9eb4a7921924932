/* Tests the completion of filter text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-view-context.h"
#include "ns-test-trace.h"

#include "query/ns-filter-complete.h"

#include <string.h>

/* Asserts the token kind of each character: F field, O operator, V value, K keyword, B bracket, W
 * word, `.` none. */
static void
assert_tokens (const char *text, const char *expected)
{
  g_autoptr (GArray) tokens = ns_filter_list_tokens (NS_TABLE_ACTIVITIES, text);
  g_autofree char *letters = g_strnfill (strlen (text), '.');
  guint i;

  for (i = 0; i < tokens->len; i++)
    {
      const NsFilterToken *token = &g_array_index (tokens, NsFilterToken, i);

      g_assert_cmpuint (token->begin, <, token->end);
      g_assert_cmpuint (token->end, <=, strlen (text));
      memset (letters + token->begin, "FOVKBW"[token->kind], token -> end - token -> begin);
    }
  g_assert_cmpstr (letters, ==, expected);
}

static void
test_every_word_has_its_kind (void)
{
  assert_tokens ("server:a -port=1 or x", "FFFFFFOV.KFFFFOV.KK.W");
  assert_tokens ("(pid in (1, \"2\")) and not failed", "BFFF.KK.BVB.VVVBB.KKK.KKK.WWWWWW");
  assert_tokens ("status >= 400", "FFFFFF.OO.VVV");
  assert_tokens ("url:\"half", "FFFOVVVVV");
  assert_tokens ("server not contains x", "FFFFFF.KKK.KKKKKKKK.V");
}

/* Asserts the completion context at the cursor, which is at `|`; the result has the text to be
 * replaced in brackets. */
static void
assert_place (const char *marked, const char *expected)
{
  static const char *const names[] = { "nothing", "field", "operator", "value", "range" };
  g_auto (GStrv) halves = g_strsplit (marked, "|", 2);
  g_autofree char *text = g_strconcat (halves[0], halves[1], NULL);
  g_auto (NsFilterPlace) place;
  g_autofree char *said = NULL;

  ns_filter_place_init (&place, NS_TABLE_ACTIVITIES, text, strlen (halves[0]));
  said = g_strdup_printf ("%s %s[%.*s] %s",
                          names[place.wants],
                          place.field != NULL ? place.field->id : "",
                          (int) (place.end - place.begin),
                          text + place.begin,
                          place.part);
  g_assert_cmpstr (said, ==, expected);
}

static void
test_the_place_tells_what_is_wanted (void)
{
  assert_place ("|", "field [] ");
  assert_place ("ser|", "field [ser] ser");
  assert_place ("se|rv", "field [serv] se");
  assert_place ("failed -ser|", "field [ser] ser");
  assert_place ("(po|", "field [po] po");
  assert_place ("port=1 |", "field [] ");
  assert_place ("port=1 or |", "field [] ");
  assert_place ("server |", "operator server[] ");
  assert_place ("server:|", "value server[] ");
  assert_place ("server = ma|il", "value server[mail] ma");
  assert_place ("server:\"ma|il\" pid=1", "value server[\"mail\"] ma");
  assert_place ("server contains |", "value server[] ");
  assert_place ("server in (|", "value server[] ");
  assert_place ("server in (a, b|", "value server[b] b");
  assert_place ("server in (a,|", "value server[] ");
  assert_place ("status>=|", "value http_status[] ");
  assert_place ("status:OK|", "value status[OK] OK");
  assert_place ("server~a|", "nothing server[a] a");
  assert_place ("nonsense:a|", "nothing [] ");
  assert_place ("failed range:|", "range [] ");
  assert_place ("-range=\"log|in\"", "range [\"login\"] log");
  assert_place ("range>|", "nothing [] ");
}

static GPtrArray *
list_offers (const NsTrace *trace, const char *text)
{
  g_auto (NsFilterPlace) place;
  g_autoptr (GPtrArray) values = NULL;

  ns_filter_place_init (&place, NS_TABLE_ACTIVITIES, text, strlen (text));
  if (place.wants == NS_FILTER_WANTS_VALUE)
    values = ns_filter_list_values (trace, place.field, trace->activities->len, NULL, NULL, NULL);
  else if (place.wants == NS_FILTER_WANTS_RANGE)
    values = ns_filter_list_ranges (trace);
  return ns_filter_place_list_offers (&place, values, NULL);
}

/* Asserts the first completions and their counts. */
static void
assert_offers (const NsTrace *trace, const char *text, const char *expected)
{
  g_autoptr (GPtrArray) offers = list_offers (trace, text);
  g_autoptr (GString) said = g_string_new (NULL);
  guint i;

  for (i = 0; i < MIN (offers->len, 3); i++)
    {
      const NsFilterOffer *offer = g_ptr_array_index (offers, i);

      g_string_append_printf (said, "%s%s", i > 0 ? "|" : "", offer->text);
      if (offer->n_rows > 0)
        g_string_append_printf (said, "%u", offer->n_rows);
    }
  g_assert_cmpstr (said->str, ==, expected);
}

static NsTrace *
make_trace (void)
{
  NsTrace *trace = test_trace_new (10000000000);
  guint i;

  for (i = 0; i < 6; i++)
    {
      NsActivityRow *row =
          test_trace_add_activity (trace, i < 3 ? "mail.example" : "cdn.mail", i * 1000);

      row->http_status = i == 0 ? 503 : 200;
      row->url = ns_strings_add (trace->strings, i == 5 ? "a (b)" : "plain");
    }
  test_trace_add_activity (trace, "mail.example", 7000);
  return trace;
}

static void
test_offers_are_fields_operators_and_values_seen (void)
{
  NsTrace *trace = make_trace ();

  assert_offers (trace, "serv", "server:|server_alt:|service:");
  /* Exact matches come before prefix matches. */
  assert_offers (trace, "proc", "process:|process_pid:|process_tree:");
  assert_offers (trace, "durat", "duration>");
  assert_offers (trace, "fail", "failed ");
  assert_offers (trace, "rtt ", ":|=|!=");
  assert_offers (trace, "server:", "mail.example 4|cdn.mail 3");
  assert_offers (trace, "server:cdn", "cdn.mail 3");
  assert_offers (trace, "server:ma", "mail.example 4|cdn.mail 3");
  assert_offers (trace, "status>=", "200 5|503 1");
  assert_offers (trace, "url:", "plain 5|\"a (b)\" 1");
  assert_offers (trace, "duration>20", "20ms |20s |20us ");
  assert_offers (trace, "sent>=2", "2kB |2MB |2KiB ");
  assert_offers (trace, "failed:", "true |false ");
  assert_offers (trace, "server:nothing", "");
  test_trace_free (trace);
}

/* Ranges of the trace and global ranges are offered, each name once; ranges of other traces are
 * not. */
static void
test_ranges_are_offered_by_their_names (void)
{
  NsTrace *trace = make_trace ();
  NsTrace *other = test_trace_new (10000000000);
  const NsNamedRange of_trace[] = { { "login storm", { 0, 10 } },
                                    { "calm", { 10, 20 } },
                                    { "Calm", { 30, 40 } } };
  const NsNamedRange of_other[] = { { "elsewhere", { 0, 10 } } };
  const NsNamedRange of_all[] = { { "start", { 0, 5 } } };

  assert_offers (trace, "range:", "");
  ns_named_ranges_set (trace->ranges, of_trace, G_N_ELEMENTS (of_trace));
  ns_named_ranges_set (other->ranges, of_other, G_N_ELEMENTS (of_other));
  ns_named_ranges_set (ns_view_context_get_ranges (trace->view), of_all, G_N_ELEMENTS (of_all));
  assert_offers (trace, "ran", "range:|retransmits:|thread_running>");
  assert_offers (trace, "range:", "calm |\"login storm\" |start ");
  assert_offers (trace, "failed -range=\"log", "\"login storm\" ");
  test_trace_free (trace);
  test_trace_free (other);
}

/* Applying a completion gives a valid filter. */
static void
test_an_offer_taken_makes_sense (void)
{
  static const char *const begun[] = { "server:", "url:", "status>=", "fail", "server in (" };
  NsTrace *trace = make_trace ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (begun); i++)
    {
      g_autoptr (GPtrArray) offers = list_offers (trace, begun[i]);
      g_auto (NsFilterPlace) place;
      guint k;

      ns_filter_place_init (&place, NS_TABLE_ACTIVITIES, begun[i], strlen (begun[i]));
      g_assert_cmpuint (offers->len, >, 0);
      for (k = 0; k < offers->len; k++)
        {
          const NsFilterOffer *offer = g_ptr_array_index (offers, k);
          g_autofree char *text = g_strdup_printf ("%.*s%s%s",
                                                   (int) place.begin,
                                                   begun[i],
                                                   offer->text,
                                                   strchr (begun[i], '(') != NULL ? ")" : "");
          g_autoptr (GError) error = NULL;
          g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, &error);

          g_assert_no_error (error);
          g_assert_nonnull (filter);
        }
    }
  test_trace_free (trace);
}

static void
test_offers_are_so_many_only (void)
{
  g_auto (NsFilterPlace) place;
  guint n;

  ns_filter_place_init (&place, NS_TABLE_ACTIVITIES, "server=", 7);
  for (n = NS_FILTER_MAX_OFFERS - 1; n <= NS_FILTER_MAX_OFFERS + 1; n++)
    {
      g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GPtrArray) offers = NULL;
      gboolean is_cut;
      guint i;

      for (i = 0; i < n; i++)
        {
          NsFilterValue *value = g_new0 (NsFilterValue, 1);

          value->text = (char *) "x.example";
          value->n_rows = 1;
          g_ptr_array_add (values, value);
        }
      offers = ns_filter_place_list_offers (&place, values, &is_cut);
      g_assert_cmpuint (offers->len, ==, MIN (n, NS_FILTER_MAX_OFFERS));
      g_assert_cmpint (is_cut, ==, n > NS_FILTER_MAX_OFFERS);
    }
}

/* Maximum number of distinct values of a field (ns-filter-values-job.c). */
#define MAX_DIFFERENT 50000

/* The last value is the most frequent one, if it is still counted. */
static void
test_so_many_values_are_told_apart_only (void)
{
  guint n;

  for (n = MAX_DIFFERENT; n <= MAX_DIFFERENT + 1; n++)
    {
      NsTrace *trace = test_trace_new (10000000000);
      guint i;

      for (i = 0; i < n + 2; i++)
        {
          g_autofree char *server = g_strdup_printf ("s%05u", MIN (i, n - 1));

          test_trace_add_activity (trace, server, i);
        }
      assert_offers (trace,
                     "server:s",
                     n == MAX_DIFFERENT ? "s49999 3|s00000 1|s00001 1"
                                        : "s00000 1|s00001 1|s00002 1");
      test_trace_free (trace);
    }
}

/* Maximum number of listed values of a field (ns-filter-values-job.c). */
#define MAX_VALUES 1000

static void
test_a_list_of_values_says_that_it_is_cut (void)
{
  static const guint n_different[] = { MAX_VALUES, MAX_VALUES + 1, MAX_DIFFERENT + 1 };
  guint n;

  for (n = 0; n < G_N_ELEMENTS (n_different); n++)
    {
      NsTrace *trace = test_trace_new (10000000000);
      const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "server");
      g_autoptr (GPtrArray) values = NULL;
      gboolean is_cut;
      guint i;

      for (i = 0; i < n_different[n]; i++)
        {
          g_autofree char *server = g_strdup_printf ("s%05u", i);

          test_trace_add_activity (trace, server, i);
        }
      values = ns_filter_list_values (trace, field, n_different[n], &is_cut, NULL, NULL);
      g_assert_cmpuint (values->len, ==, MAX_VALUES);
      g_assert_cmpint (is_cut, ==, n > 0);
      test_trace_free (trace);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter-complete/offers-are-so-many-only", test_offers_are_so_many_only);
  g_test_add_func ("/filter-complete/every-word-has-its-kind", test_every_word_has_its_kind);
  g_test_add_func ("/filter-complete/the-place-tells-what-is-wanted",
                   test_the_place_tells_what_is_wanted);
  g_test_add_func ("/filter-complete/offers-are-fields-operators-and-values-seen",
                   test_offers_are_fields_operators_and_values_seen);
  g_test_add_func ("/filter-complete/ranges-are-offered-by-their-names",
                   test_ranges_are_offered_by_their_names);
  g_test_add_func ("/filter-complete/an-offer-taken-makes-sense", test_an_offer_taken_makes_sense);
  g_test_add_func ("/complete/so-many-values-are-told-apart-only",
                   test_so_many_values_are_told_apart_only);
  g_test_add_func ("/complete/a-list-of-values-says-that-it-is-cut",
                   test_a_list_of_values_says_that_it_is_cut);
  return g_test_run ();
}
