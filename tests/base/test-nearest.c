/* Tests suggestions for mistyped words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-nearest.h"

static const char *const known[] = { "activities",  "dns",     "tcp",    "winsock",
                                     "duration_ns", "process", "server", "connection_id" };

static const char *
find_nearest (const char *word)
{
  NsNearest search;
  gsize i;

  ns_nearest_init (&search, word);
  for (i = 0; i < G_N_ELEMENTS (known); i++)
    ns_nearest_offer (&search, known[i]);
  return search.best;
}

static void
test_meant (void)
{
  static const struct
  {
    const char *word;
    const char *meant;
  } words[] = {
    { "actvities", "activities" },
    { "activites", "activities" },
    { "ACTIVITIES", "activities" },
    { "acitvities", "activities" },
    { "sever", "server" },
    { "duration", "duration_ns" },
    { "duration-ns", "duration_ns" },
    { "pcrocess", "process" },
    { "connecton_id", "connection_id" },
    { "dsn", "dns" },
    { "ns", "dns" },
    { "duratoin", "duration_ns" },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_cmpstr (find_nearest (words[i].word), ==, words[i].meant);
}

static void
test_far (void)
{
  g_autofree char *long_word = g_strnfill (100000, 'a');

  g_assert_null (find_nearest ("foo"));
  g_assert_null (find_nearest (""));
  g_assert_null (find_nearest ("x"));
  g_assert_null (find_nearest ("colors"));
  g_assert_null (find_nearest (long_word));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nearest/meant", test_meant);
  g_test_add_func ("/nearest/far", test_far);
  return g_test_run ();
}
