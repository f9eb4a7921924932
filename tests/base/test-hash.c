/* Tests the seeded hashes of untrusted strings.
 *
 * Keys that collide under well-known hash functions do not collide here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-guid.h"
#include "base/ns-hash.h"
#include "base/ns-ip.h"
#include "base/ns-map.h"

#define N 4096
/* Among N keys, two share a 32-bit hash in about one run of 500; ten collisions practically never
 * happen. */
#define MIN_DISTINCT (N - 10)

static void
assert_distinct (GHashTable *hashes)
{
  g_assert_cmpuint (g_hash_table_size (hashes), >=, MIN_DISTINCT);
}

static void
note (GHashTable *hashes, guint hash)
{
  g_hash_table_add (hashes, GUINT_TO_POINTER (hash));
}

/* Strings of twelve two-character groups; the two variants of a group have the same
 * g_str_hash(). */
static void
test_texts_made_to_collide_do_not (void)
{
  g_autoptr (GHashTable) hashes = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) folded = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) plain = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = 0; i < N; i++)
    {
      char text[25] = { 0 };
      guint at;

      for (at = 0; at < 12; at++)
        memcpy (text + at * 2, (i >> at & 1) != 0 ? "1~" : "2]", 2);
      note (plain, g_str_hash (text));
      note (hashes, ns_hash_text (text));
      note (folded, ns_hash_folded (text, 24));
    }
  g_assert_cmpuint (g_hash_table_size (plain), ==, 1);
  assert_distinct (hashes);
  assert_distinct (folded);
  g_assert_cmpuint (ns_hash_folded ("WinHttp.dll", 11), ==, ns_hash_folded ("winhttp.DLL", 11));
}

static void
test_numbers_of_one_low_half_do_not_collide (void)
{
  g_autoptr (GHashTable) hashes = g_hash_table_new (NULL, NULL);
  gint64 i;

  for (i = 0; i < N; i++)
    {
      gint64 number = i << 32 | (i ^ 7);

      note (hashes, ns_hash_int64 (&number));
    }
  assert_distinct (hashes);
}

/* Keys with equal ns_map_mix(), which uses no secret seed and so is known to attackers. */
static void
test_addresses_made_to_collide_do_not (void)
{
  g_autoptr (GHashTable) addresses = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) guids = g_hash_table_new (NULL, NULL);
  guint i;

  for (i = 0; i < N; i++)
    {
      guint64 words[2] = { 0x2001 ^ (guint64) i * G_GUINT64_CONSTANT (0xff51afd7ed558ccd), i };
      NsIp ip = { .family = NS_AF_INET6 };
      NsGuid guid;

      g_assert_cmphex (ns_map_mix (words[0], words[1]), ==, ns_map_mix (0x2001, 0));
      memcpy (ip.bytes, words, sizeof words);
      note (addresses, (guint) ns_ip_hash (&ip));
      words[0] = 0x2001 ^ (guint64) i * 3;
      memcpy (&guid, words, sizeof guid);
      note (guids, ns_guid_hash (&guid));
    }
  assert_distinct (addresses);
  assert_distinct (guids);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hash/texts-made-to-collide-do-not", test_texts_made_to_collide_do_not);
  g_test_add_func ("/hash/numbers-of-one-low-half-do-not-collide",
                   test_numbers_of_one_low_half_do_not_collide);
  g_test_add_func ("/hash/addresses-made-to-collide-do-not", test_addresses_made_to_collide_do_not);
  return g_test_run ();
}
