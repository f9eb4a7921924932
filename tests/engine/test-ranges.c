/* Tests sets of TCP sequence number ranges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-ranges.h"

#define N_ROUNDS 400
/* Maximum number of separate spans (ns-ranges.c). */
#define MAX_SPANS 512
#define N_SEGMENTS 60
#define N_NUMBERS 3000

/* Reference implementation: classifies a segment by looking at each byte of it. */
static guint32
add_one_by_one (guint8 *seen, guint32 begin, guint32 n_bytes)
{
  guint32 n_new = 0;
  guint32 i;

  for (i = begin; i < begin + n_bytes; i++)
    {
      n_new += seen[i] == 0;
      seen[i] = 1;
    }
  return n_new;
}

/* Segments are mostly consecutive, sometimes retransmitted, early or late. @base is the initial
 * sequence number, so that some streams wrap around. */
static void
check_stream (GRand *rand, guint32 base)
{
  g_autofree guint8 *seen = g_new0 (guint8, N_NUMBERS);
  NsRanges ranges = { 0 };
  guint32 next = 100;
  guint i;

  for (i = 0; i < N_SEGMENTS; i++)
    {
      guint32 n_bytes = (guint32) g_rand_int_range (rand, 1, 40);
      guint32 begin = next;

      if (g_rand_int_range (rand, 0, 4) == 0)
        begin = (guint32) g_rand_int_range (rand, (gint32) next - 90, (gint32) next + 90);
      begin = MIN (begin, N_NUMBERS - n_bytes);
      g_assert_cmpuint (ns_ranges_add (&ranges, base + begin, n_bytes),
                        ==,
                        add_one_by_one (seen, begin, n_bytes));
      next = MIN (MAX (next, begin + n_bytes), N_NUMBERS - 100);
    }
  ns_ranges_clear (&ranges);
}

static void
test_counts_each_number_once (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  guint i;

  for (i = 0; i < N_ROUNDS; i++)
    check_stream (rand, i % 2 == 0 ? g_rand_int (rand) : (guint32) -1000);
  g_rand_free (rand);
}

static void
test_nothing_is_new_of_nothing (void)
{
  NsRanges ranges = { 0 };

  g_assert_cmpuint (ns_ranges_add (&ranges, 7, 0), ==, 0);
  g_assert_cmpuint (ns_ranges_add (&ranges, 7, 5), ==, 5);
  g_assert_cmpuint (ns_ranges_add (&ranges, 9, 0), ==, 0);
  g_assert_cmpuint (ns_ranges_add (&ranges, 7, 5), ==, 0);
  g_assert_cmpuint (ns_ranges_add (&ranges, 7, 6), ==, 1);
  ns_ranges_clear (&ranges);
  g_assert_cmpuint (ns_ranges_add (&ranges, 7, 5), ==, 5);
  ns_ranges_clear (&ranges);
}

/* Beyond the limit the oldest gap is forgotten, as if its data had been sent. */
static void
test_gaps_are_so_many_only (void)
{
  guint32 n;

  for (n = MAX_SPANS; n <= MAX_SPANS + 1; n++)
    {
      NsRanges ranges = { 0 };
      guint32 i;

      for (i = 0; i < n; i++)
        g_assert_cmpuint (ns_ranges_add (&ranges, 10 * i, 5), ==, 5);
      g_assert_cmpuint (ns_ranges_add (&ranges, 5, 5), ==, n > MAX_SPANS ? 0 : 5);
      g_assert_cmpuint (ns_ranges_add (&ranges, 10 * n - 15, 5), ==, 5);
      ns_ranges_clear (&ranges);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/ranges/counts-each-number-once", test_counts_each_number_once);
  g_test_add_func ("/ranges/nothing-is-new-of-nothing", test_nothing_is_new_of_nothing);
  g_test_add_func ("/ranges/gaps-are-so-many-only", test_gaps_are_so_many_only);
  return g_test_run ();
}
