/* Claims about regular expressions that are asked about many texts: what each match must hold is
 * found, and leaving texts out that lack it changes no answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-regex.h"

static void
test_the_longest_literal_is_found (void)
{
  static const struct
  {
    const char *pattern;
    const char *literal;
  } cases[] = {
    { "page", "page" },
    { "page[0-9]*7", "page" },
    { "^https://.*\\.example/", ".example/" },
    { "https?://", "http" },
    { "ab+cde", "cde" },
    { "ab{2,3}cd", "cd" },
    { "(one|two)three", "three" },
    { "(one|two)?three(four)*", "three" },
    { "x[]a|b]yz", "yz" },
    { "x[[:alpha:]|]yz", "yz" },
    { "a\\.b\\dcc", "a.b" },
    { "gr\xc3\xbc\xc3\x9f e", "gr" },
    /* A choice, nothing that must be there, or what is not understood. */
    { "one|two", NULL },
    { "[[:]a|b:]]c", NULL },
    { ".*", NULL },
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
      g_autofree char *literal = ns_filter_regex_dup_literal (cases[i].pattern);

      g_test_message ("%s", cases[i].pattern);
      g_assert_cmpstr (literal, ==, cases[i].literal);
    }
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
  "\xe2\x84\xaa",       /* the sign of kelvin, a k in another case */
  "mi\xc5\xbf\xc5\xbf", /* long s, an s in another case */
  "line\nbreak",
};

/* Answers are those of the plain expression, in whatever thread. */
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/filter-regex/the-longest-literal-is-found", test_the_longest_literal_is_found);
  g_test_add_func ("/filter-regex/answers-are-those-of-the-expression",
                   test_answers_are_those_of_the_expression);
  g_test_add_func ("/filter-regex/a-wrong-expression-is-told", test_a_wrong_expression_is_told);
  return g_test_run ();
}
