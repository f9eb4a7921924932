/* Tests the decompression of compressed buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-lz77.h"

#include <string.h>

static void
assert_round_trip (const guint8 *data, gsize size)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  g_autofree guint8 *room = g_malloc0 (size + 1);

  ns_etl_lz77_compress (data, size, packed);
  g_assert_true (ns_etl_lz77_expand (packed->data, packed->len, room, size));
  g_assert_cmpmem (room, size, data, size);
}

static void
test_takes_back_what_was_packed (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint8 *data = g_malloc (70000);
  guint round;

  for (round = 0; round < 200; round++)
    {
      gsize size = (gsize) g_rand_int_range (rand, 0, round < 190 ? 3000 : 70000);
      guint n_values = (guint) g_rand_int_range (rand, 1, 40);
      gsize i;

      for (i = 0; i < size; i++)
        data[i] = (guint8) g_rand_int_range (rand, 0, (gint32) n_values);
      assert_round_trip (data, size);
    }
  g_free (data);
}

static void
test_knows_every_form_of_length (void)
{
  static const gsize lengths[] = { 3,     9,     10,    11,    23,    24,    25,    26,
                                   277,   278,   279,   280,   281,   282,   65535, 65536,
                                   65537, 65558, 65559, 65560, 65570, 200000 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      gsize size = lengths[i] + 9;
      g_autofree guint8 *data = g_malloc0 (size);

      memcpy (data, "abcd", 4);
      memset (data + 4, 'x', lengths[i]);
      memcpy (data + 4 + lengths[i], "efghi", 5);
      assert_round_trip (data, size);
    }
}

/* The examples of MS-XCA 3.1. */
static void
test_knows_the_published_examples (void)
{
  static const guint8 letters[] = { 0x3f, 0x00, 0x00, 0x00, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,
                                    0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x70,
                                    0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a };
  static const guint8 triples[] = { 0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63,
                                    0x17, 0x00, 0x0f, 0xff, 0x26, 0x01 };
  guint8 room[300];
  guint i;

  g_assert_true (ns_etl_lz77_expand (letters, sizeof letters, room, 26));
  g_assert_cmpmem (room, 26, "abcdefghijklmnopqrstuvwxyz", 26);
  g_assert_true (ns_etl_lz77_expand (triples, sizeof triples, room, 300));
  for (i = 0; i < 300; i++)
    g_assert_cmpuint (room[i], ==, "abc"[i % 3]);
}

static void
test_refuses_what_would_leave_its_room (void)
{
  static const guint8 too_far[] = { 0xff, 0xff, 0xff, 0x7f, 'a', 0x08, 0x00 };
  static const guint8 too_long[] = { 0xff, 0xff, 0xff, 0x7f, 'a', 0x07, 0x00, 0x0f, 0x40 };
  static const guint8 too_short[] = { 0x00, 0x00, 0x00 };
  static const guint8 bad_length[] = { 0xff, 0xff, 0xff, 0x7f, 'a', 0x07,
                                       0x00, 0x0f, 0xff, 0x05, 0x00 };
  guint8 room[64];

  g_assert_false (ns_etl_lz77_expand (too_far, sizeof too_far, room, sizeof room));
  g_assert_false (ns_etl_lz77_expand (too_long, sizeof too_long, room, sizeof room));
  g_assert_false (ns_etl_lz77_expand (too_short, sizeof too_short, room, sizeof room));
  g_assert_false (ns_etl_lz77_expand (bad_length, sizeof bad_length, room, sizeof room));
}

/* A truncated stream either fails or did not need the rest; no access is out of bounds. */
static void
test_survives_any_cut_and_flip (void)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  guint8 data[600];
  guint i;

  for (i = 0; i < sizeof data; i++)
    data[i] = (guint8) (i % 7 * (i / 90));
  ns_etl_lz77_compress (data, sizeof data, packed);
  for (i = 0; i < packed->len; i++)
    {
      g_autofree guint8 *cut = g_memdup2 (packed->data, i);
      g_autofree guint8 *flipped = g_memdup2 (packed->data, packed->len);
      g_autofree guint8 *room = g_malloc (sizeof data);
      guint bit;

      if (ns_etl_lz77_expand (cut, i, room, sizeof data))
        g_assert_cmpmem (room, sizeof data, data, sizeof data);
      for (bit = 0; bit < 8; bit++)
        {
          flipped[i] ^= (guint8) (1 << bit);
          ns_etl_lz77_expand (flipped, packed->len, room, sizeof data);
          flipped[i] ^= (guint8) (1 << bit);
        }
      g_assert_true (ns_etl_lz77_expand (flipped, packed->len, room, sizeof data));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/lz77/takes-back-what-was-packed", test_takes_back_what_was_packed);
  g_test_add_func ("/lz77/knows-every-form-of-length", test_knows_every_form_of_length);
  g_test_add_func ("/lz77/knows-the-published-examples", test_knows_the_published_examples);
  g_test_add_func ("/lz77/refuses-what-would-leave-its-room",
                   test_refuses_what_would_leave_its_room);
  g_test_add_func ("/lz77/survives-any-cut-and-flip", test_survives_any_cut_and_flip);
  return g_test_run ();
}
