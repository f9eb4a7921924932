/* Tests the hash map of 64-bit keys and values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"

static void
test_agrees_with_a_hash_table (void)
{
  g_autoptr (NsMap) map = ns_map_new ();
  g_autoptr (GHashTable) truth = g_hash_table_new (NULL, NULL);
  GRand *rand = g_rand_new_with_seed (7);
  guint i;

  for (i = 0; i < 200000; i++)
    {
      guint key = (guint) g_rand_int_range (rand, 1, 5000);
      guint value = (guint) g_rand_int_range (rand, 1, 1000000);

      if (g_rand_int_range (rand, 0, 3) == 0)
        {
          g_assert_cmpuint (ns_map_take (map, key, key % 7),
                            ==,
                            GPOINTER_TO_UINT (g_hash_table_lookup (truth, GUINT_TO_POINTER (key))));
          g_hash_table_remove (truth, GUINT_TO_POINTER (key));
        }
      else if (i % 2 == 0)
        {
          g_assert_cmpuint (ns_map_swap (map, key, key % 7, value),
                            ==,
                            GPOINTER_TO_UINT (g_hash_table_lookup (truth, GUINT_TO_POINTER (key))));
          g_hash_table_insert (truth, GUINT_TO_POINTER (key), GUINT_TO_POINTER (value));
        }
      else
        {
          ns_map_set (map, key, key % 7, value);
          g_hash_table_insert (truth, GUINT_TO_POINTER (key), GUINT_TO_POINTER (value));
        }
    }
  for (i = 1; i < 5000; i++)
    g_assert_cmpuint (ns_map_get (map, i, i % 7),
                      ==,
                      GPOINTER_TO_UINT (g_hash_table_lookup (truth, GUINT_TO_POINTER (i))));
  g_assert_cmpuint (ns_map_get_size (map), ==, g_hash_table_size (truth));
  g_rand_free (rand);
}

/* Keys like kernel addresses: far apart, and equal except for a few bits. */
static void
test_keeps_all_keys_while_it_grows (void)
{
  g_autoptr (NsMap) map = ns_map_new ();
  guint i;

  for (i = 1; i <= 300000; i++)
    g_assert_cmpuint (ns_map_swap (map, 0xffff800000000000 + i * 0x1c0, i % 3, i), ==, 0);
  for (i = 1; i <= 300000; i += 2)
    g_assert_cmpuint (ns_map_take (map, 0xffff800000000000 + i * 0x1c0, i % 3), ==, i);
  for (i = 1; i <= 300000; i++)
    g_assert_cmpuint (ns_map_get (map, 0xffff800000000000 + i * 0x1c0, i % 3),
                      ==,
                      i % 2 == 0 ? i : 0);
  g_assert_cmpuint (ns_map_get_size (map), ==, 150000);
}

/* Returns the x with x * @factor = @product modulo 2^64; @factor is odd. */
static guint64
undo (guint64 product, guint64 factor)
{
  guint64 inverse = factor;
  guint i;

  for (i = 0; i < 6; i++)
    inverse *= 2 - factor * inverse;
  return product * inverse;
}

/* Keys that collide under a hash without a secret seed. */
static void
test_keys_made_to_collide_are_found_soon (void)
{
  g_autoptr (NsMap) map = ns_map_new ();
  guint64 i;

  for (i = 1; i <= 1000000; i++)
    {
      guint64 h = undo (G_GUINT64_CONSTANT (0x1234567800000000) | i,
                        G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53));

      h ^= h >> 32;
      ns_map_set (map, undo (h, G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)), 0, (guint32) i);
    }
  g_assert_cmpuint (ns_map_get_size (map), ==, 1000000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/map/agrees-with-a-hash-table", test_agrees_with_a_hash_table);
  g_test_add_func ("/map/keeps-all-keys-while-it-grows", test_keeps_all_keys_while_it_grows);
  g_test_add_func ("/map/keys-made-to-collide-are-found-soon",
                   test_keys_made_to_collide_are_found_soon);
  return g_test_run ();
}
