/* Tests of runs and packed bits in Parquet files: a decoder of the format's description reads back
 * what was written, and levels are written like other values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet-chunk.h"

#define MAX_VALUES 700

static guint64
read_varint (const GByteArray *bytes, guint *at)
{
  guint64 number = 0;
  guint shift = 0;

  for (;; shift += 7)
    {
      guint8 byte = bytes->data[(*at)++];

      number |= (guint64) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return number;
    }
}

/* Reads @n values; @n_runs: (out): number of runs of equal values among them. */
static void
decode (const GByteArray *bytes, guint32 *values, guint n, guint width, guint *n_runs)
{
  guint at = 0;
  guint done = 0;

  *n_runs = 0;
  while (done < n)
    {
      guint64 header = read_varint (bytes, &at);
      guint64 i;

      if ((header & 1) == 0)
        {
          guint32 value = 0;

          for (i = 0; i < (width + 7) / 8; i++)
            value |= (guint32) bytes->data[at++] << (8 * i);
          for (i = 0; i < header >> 1; i++)
            values[done++] = value;
          (*n_runs)++;
          continue;
        }
      for (i = 0; i < (header >> 1) * 8; i++)
        {
          guint32 value = 0;
          guint bit;

          for (bit = 0; bit < width; bit++)
            value |=
                (guint32) (bytes->data[at + (i * width + bit) / 8] >> ((i * width + bit) % 8) & 1)
                << bit;
          /* The last group is padded. */
          if (done < n)
            values[done++] = value;
        }
      at += (guint) (header >> 1) * width;
    }
  g_assert_cmpuint (at, ==, bytes->len);
  g_assert_cmpuint (done, ==, n);
}

/* Fills values with runs of random lengths, most of which are short. */
static void
fill (GRand *random, guint32 *values, guint n, guint width)
{
  guint longest = (guint) g_rand_int_range (random, 2, 200);
  guint i = 0;

  while (i < n)
    {
      guint run =
          g_rand_boolean (random) ? 1 : (guint) g_rand_int_range (random, 1, (gint32) longest);
      guint32 value = g_rand_int (random) & (guint32) ((G_GUINT64_CONSTANT (1) << width) - 1);

      while (run-- > 0 && i < n)
        values[i++] = value;
    }
}

static void
test_read_back (void)
{
  static const guint widths[] = { 1, 2, 3, 7, 8, 11, 16, 17, 32 };
  g_autoptr (GRand) random = g_rand_new_with_seed (31);
  guint32 values[MAX_VALUES];
  guint32 there[MAX_VALUES + 8];
  guint round;

  for (round = 0; round < 2000; round++)
    {
      guint width = widths[round % G_N_ELEMENTS (widths)];
      guint n = (guint) g_rand_int_range (random, 0, MAX_VALUES);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      guint n_runs;

      fill (random, values, n, width);
      ns_parquet_append_runs (bytes, values, n, width);
      decode (bytes, there, n, width, &n_runs);
      g_assert_cmpmem (there, n * sizeof *there, values, n * sizeof *values);
    }
}

static void
test_levels (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (32);
  guint32 values[MAX_VALUES];
  guint8 levels[MAX_VALUES];
  guint round;

  for (round = 0; round < 2000; round++)
    {
      guint width = 1 + round % 2;
      guint n = (guint) g_rand_int_range (random, 0, MAX_VALUES);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (GByteArray) same = g_byte_array_new ();
      guint i;

      fill (random, values, n, width);
      for (i = 0; i < n; i++)
        levels[i] = (guint8) values[i];
      ns_parquet_append_runs (bytes, values, n, width);
      ns_parquet_append_levels (same, levels, n, width);
      g_assert_cmpmem (same->data, same->len, bytes->data, bytes->len);
    }
}

/* A column with a value in each row takes a few bytes, wherever its run begins. */
static void
test_long_run (void)
{
  guint32 values[MAX_VALUES] = { 0 };
  guint32 there[MAX_VALUES + 8];
  guint before;

  for (before = 0; before < 20; before++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      guint n_runs;
      guint i;

      for (i = 0; i < MAX_VALUES; i++)
        values[i] = i < before ? i % 2 : 1;
      ns_parquet_append_runs (bytes, values, MAX_VALUES, 1);
      decode (bytes, there, MAX_VALUES, 1, &n_runs);
      g_assert_cmpmem (there, MAX_VALUES * sizeof *there, values, sizeof values);
      g_assert_cmpuint (n_runs, ==, 1);
      g_assert_cmpuint (bytes->len, <=, 8);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parquet-runs/read-back", test_read_back);
  g_test_add_func ("/parquet-runs/levels", test_levels);
  g_test_add_func ("/parquet-runs/long-run", test_long_run);
  return g_test_run ();
}
