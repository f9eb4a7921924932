/* Distinct texts of a column: numbers, and the cache of texts by their address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet-texts.h"

#include <string.h>

/* More distinct texts than the smallest caches hold, and fewer than end the dictionary. */
#define N_TEXTS 3000

static GPtrArray *
make_texts (void)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < N_TEXTS; i++)
    g_ptr_array_add (texts, g_strdup_printf ("https://host-%u.test/%u", i % 7, i));
  return texts;
}

static void
test_lasting_texts_have_the_numbers_of_others (void)
{
  g_autoptr (GPtrArray) texts = make_texts ();
  NsParquetTexts set;
  guint smallest = 0;

  ns_parquet_texts_init (&set);
  g_assert_null (set.known);
  for (guint i = 0; i < 4 * N_TEXTS; i++)
    {
      const char *text = g_ptr_array_index (texts, (i * 7) % N_TEXTS);
      guint32 n_bytes = 0;
      guint32 number = ns_parquet_texts_add_lasting (&set, text, &n_bytes);
      guint32 n_there = 0;

      if (i == 0)
        smallest = set.known_bits;
      g_assert_cmpuint (n_bytes, ==, strlen (text));
      g_assert_cmpmem (ns_parquet_texts_get (&set, number, &n_there), n_there, text, n_bytes);
      /* The first round takes each text once, in the order of its numbers. */
      g_assert_cmpuint (number, ==, i % N_TEXTS);
    }
  g_assert_cmpuint (set.n_texts, ==, N_TEXTS);
  /* It grew, as the texts displaced each other. */
  g_assert_cmpuint (set.known_bits, >, smallest);
  ns_parquet_texts_clear (&set);
}

/* Two texts of one address at different times are never mixed up: the cache ends with the set. */
static void
test_a_new_set_knows_no_text (void)
{
  char text[] = "one";
  NsParquetTexts set;
  guint32 n_bytes;
  guint32 n_there;

  ns_parquet_texts_init (&set);
  g_assert_cmpuint (ns_parquet_texts_add_lasting (&set, text, &n_bytes), ==, 0);
  ns_parquet_texts_clear (&set);
  ns_parquet_texts_init (&set);
  memcpy (text, "two", sizeof text);
  g_assert_cmpuint (ns_parquet_texts_add_lasting (&set, text, &n_bytes), ==, 0);
  g_assert_cmpmem (ns_parquet_texts_get (&set, 0, &n_there), n_there, "two", 3);
  ns_parquet_texts_clear (&set);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parquet-texts/lasting", test_lasting_texts_have_the_numbers_of_others);
  g_test_add_func ("/parquet-texts/new-set", test_a_new_set_knows_no_text);
  return g_test_run ();
}
