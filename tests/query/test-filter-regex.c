/* Tests the prefilter of regular expressions.
 *
 * Required substrings are found, and skipping texts without them changes no result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-regex.h"

/* Lists the required literals, separated by commas, with a full stop after one that must be at the
 * end. */
static char *
list_literals (const char *pattern)
{
  g_autoptr (NsFilterLiterals) literals = ns_filter_literals_new (pattern);
  g_autofree char *list = NULL;

  if (literals == NULL)
    return NULL;
  list = g_strjoinv (",", literals->texts);
  return g_strconcat (list, literals->is_at_end ? "!" : "", NULL);
}

static void
test_the_literals_are_found (void)
{
  static const struct
  {
    const char *pattern;
    const char *literals;
  } cases[] = {
    { "page", "page" },
    { "page[0-9]*7", "page,7" },
    { "item.*7$", "item,7!" },
    { "^https://.*\\.example/", "https://,.example/" },
    { "https?://", "http,://" },
    { "ab+cde", "ab,cde" },
    { "ab{2,3}cd", "a,cd" },
    { "ab+$", "ab" },
    { "ab$c", "ab,c" },
    { "ab\\$", "ab$" },
    { "ab?$", "a" },
    { "(one|two)three", "three" },
    { "(one|two)?three(four)*", "three" },
    { "three(four$)", "three" },
    { "x[]a|b]yz", "x,yz" },
    { "x[[:alpha:]|]yz", "x,yz" },
    { "a\\.b\\dcc", "a.b,cc" },
    { "gr\xc3\xbc\xc3\x9f e", "gr, e" },
    /* Alternatives, nothing required, or unsupported syntax. */
    { "one|two", NULL },
    { "one|two$", NULL },
    { "[[:]a|b:]]c", NULL },
    { ".*", NULL },
    { "$", NULL },
    { "a?b*", NULL },
    { "(?i)page", NULL },
    { "a(?!page)", NULL },
    { "\\Qa|b\\E", NULL },
    { "a\\x41b", NULL },
    { "(*UCP)page", NULL },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *literals = list_literals (cases[i].pattern);

      g_test_message ("%s", cases[i].pattern);
      g_assert_cmpstr (literals, ==, cases[i].literals);
    }
}

/* Texts that the prefilter rejects: most texts of a trace. */
static void
test_texts_are_left_out_by_each_literal (void)
{
  g_autoptr (NsFilterLiterals) literals = ns_filter_literals_new ("item.*7$");

  g_assert_true (ns_filter_literals_are_in (literals, "https://site/ITEM/17"));
  g_assert_true (ns_filter_literals_are_in (literals, "item7"));
  g_assert_true (ns_filter_literals_are_in (literals, "item7\n"));
  g_assert_false (ns_filter_literals_are_in (literals, "https://site/item/71"));
  g_assert_false (ns_filter_literals_are_in (literals, "https://site/page/17"));
  g_assert_false (ns_filter_literals_are_in (literals, "7 item"));
  g_assert_false (ns_filter_literals_are_in (literals, "17 7"));
  g_assert_false (ns_filter_literals_are_in (literals, ""));
}

static const char *const texts[] = {
  "",
  "page",
  "PAGE7",
  "a page 17",
  "https://www.alpha.example/",
  "http://",
  "abbcde",
  "onethree",
  "three",
  "xbyz",
  "x|yz",
  "a.b5cc",
  "A.B5CC",
  "k",
  "\xe2\x84\xaa",       /* U+212A KELVIN SIGN, which case-folds to k */
  "mi\xc5\xbf\xc5\xbf", /* U+017F LONG S, which case-folds to s */
  "line\nbreak",
  "line\n",
  "item 17",
  "ITEM7",
  "7 item",
  "item 7\r\n",
  "item 7\n\n",
  "item \xe2\x84\xaa",
  "abab",
  "ab$",
  "one three three two",
};

/* Asserts in any thread that results equal those of GRegex. */
static gpointer
compare_all (gpointer data)
{
  static const char *const patterns[] = {
    "page",
    "page[0-9]*7",
    "^https://.*\\.example/",
    "https?://",
    "ab+cde",
    "ab{2,3}cd",
    "(one|two)?three(four)*",
    "x[]a|b]yz",
    "x[[:alpha:]|]yz",
    "a\\.b\\dcc",
    "k",
    "miss",
    "e$",
    "one|two",
    "^b",
    "a?b*",
    "(?-i)page",
    "a(?!page)",
    "\\x41",
    "[[:]a|b:]]c",
    "\\|y",
    "item.*7$",
    "item.*k$",
    "line$",
    "ab.*ab",
    "abab?$",
    "ab\\$$",
    "three.*two",
    "two.*three",
    "e$\n",
  };
  NsFilterRegex *const *shared = data;
  guint n_matches = 0;
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (NsFilterRegex) own = ns_filter_regex_new (patterns[i], NULL);
      g_autoptr (GRegex) plain = g_regex_new (patterns[i], G_REGEX_CASELESS, 0, NULL);

      g_assert_nonnull (own);
      for (k = 0; k < G_N_ELEMENTS (texts); k++)
        {
          gboolean is_match = g_regex_match (plain, texts[k], 0, NULL);

          g_test_message ("“%s” in “%s”", patterns[i], texts[k]);
          g_assert_cmpint (ns_filter_regex_matches (own, texts[k]), ==, is_match);
          n_matches += is_match;
        }
    }
  g_assert_cmpuint (n_matches, >, G_N_ELEMENTS (patterns));
  g_assert_true (ns_filter_regex_matches (*shared,
                                          "www.\xe2\x84\xaa"
                                          "elvin"));
  g_assert_false (ns_filter_regex_matches (*shared, "www.celsius"));
  return NULL;
}

static void
test_answers_are_those_of_the_expression (void)
{
  NsFilterRegex *shared = ns_filter_regex_new ("kel.in", NULL);
  GThread *thread;

  ns_filter_regex_prepare (shared);
  thread = g_thread_new ("other", compare_all, &shared);
  compare_all (&shared);
  g_thread_join (thread);
  ns_filter_regex_free (shared);
}

static void
test_a_wrong_expression_is_told (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_filter_regex_new ("a(b", &error));
  g_assert_true (error != NULL && error->domain == G_REGEX_ERROR);
}

/* Makes a text of @n_bytes that causes catastrophic backtracking in nested repetitions. */
static char *
make_text (gsize n_bytes)
{
  char *text = g_malloc (n_bytes + 1);

  memset (text, 'a', n_bytes);
  text[n_bytes - 1] = '!';
  text[n_bytes] = '\0';
  return text;
}

static void
test_what_takes_too_long_is_given_up (void)
{
  static const char *const patterns[] = { "(a+)+$", "(a|aa)+$", "(.*a){12}$", "^(\\w+\\s?)*$" };
  static const gsize sizes[] = { 64, 256, 1024, 2048, 4096, 16384, 20000, 40000 };
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (NsFilterRegex) regex = ns_filter_regex_new (patterns[i], NULL);

      for (k = 0; k < G_N_ELEMENTS (sizes); k++)
        {
          g_autofree char *text = make_text (sizes[k]);

          g_test_message ("“%s” in %" G_GSIZE_FORMAT " bytes", patterns[i], sizes[k]);
          g_assert_false (ns_filter_regex_matches (regex, text));
          g_assert_cmpuint (ns_filter_regex_count_given_up (regex), ==, k + 1);
        }
      ns_filter_regex_prepare (regex);
      g_assert_cmpuint (ns_filter_regex_count_given_up (regex), ==, 0);
    }
}

/* Expressions without backtracking are matched on texts of any length; with backtracking, on short
 * texts. */
static void
test_what_is_plain_is_compared_to_its_end (void)
{
  static const char *const patterns[] = { "a!$", "^a*!", "a[^b]*!", "aa.*!$", "[a-z]+!", "!|b" };
  g_autofree char *text = make_text (200000);
  g_autofree char *small = make_text (200);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (NsFilterRegex) regex = ns_filter_regex_new (patterns[i], NULL);

      g_test_message ("%s", patterns[i]);
      g_assert_true (ns_filter_regex_matches (regex, text));
      g_assert_cmpuint (ns_filter_regex_count_given_up (regex), ==, 0);
    }
  {
    g_autoptr (NsFilterRegex) regex = ns_filter_regex_new ("a.*[b-z]", NULL);

    g_assert_false (ns_filter_regex_matches (regex, small));
    g_assert_cmpuint (ns_filter_regex_count_given_up (regex), ==, 0);
  }
}

static void
test_an_expression_sets_no_limits (void)
{
  static const char *const patterns[] = {
    "(*LIMIT_MATCH=99999999)(a+)+$",
    "(*UTF)(*LIMIT_HEAP=99999999)(a+)+$",
    "(*LIMIT_DEPTH=1)a",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ns_filter_regex_new (patterns[i], &error));
      g_assert_error (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/filter-regex/the-literals-are-found", test_the_literals_are_found);
  g_test_add_func ("/filter-regex/texts-are-left-out-by-each-literal",
                   test_texts_are_left_out_by_each_literal);
  g_test_add_func ("/filter-regex/answers-are-those-of-the-expression",
                   test_answers_are_those_of_the_expression);
  g_test_add_func ("/filter-regex/what-takes-too-long-is-given-up",
                   test_what_takes_too_long_is_given_up);
  g_test_add_func ("/filter-regex/what-is-plain-is-compared-to-its-end",
                   test_what_is_plain_is_compared_to_its_end);
  g_test_add_func ("/filter-regex/an-expression-sets-no-limits", test_an_expression_sets_no_limits);
  g_test_add_func ("/filter-regex/a-wrong-expression-is-told", test_a_wrong_expression_is_told);
  return g_test_run ();
}
