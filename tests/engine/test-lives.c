/* Tests lookups of rows by key and start time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-time.h"
#include "engine/trace/ns-interval-index.h"

#define N_ROWS 5000
#define N_KEYS 7

/* Formats the rows of one key as `row@time …`. */
static char *
describe (const NsIntervalIndex *lives, guint64 a, guint64 b)
{
  GString *text = g_string_new (NULL);
  const NsLife *all;
  guint n_lives;

  all = ns_interval_index_get (lives, a, b, &n_lives);
  for (guint i = 0; i < n_lives; i++)
    {
      g_string_append_printf (text, "%s%u", i > 0 ? " " : "", all[i].row);
      if (all[i].open_ns != G_MININT64)
        g_string_append_printf (text, "@%d", (int) all[i].open_ns);
    }
  return g_string_free (text, FALSE);
}

static void
assert_lives (const NsIntervalIndex *lives, guint64 a, guint64 b, const char *expected)
{
  g_autofree char *text = describe (lives, a, b);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_rows_of_a_key_come_in_the_order_they_began_in (void)
{
  NsIntervalIndex lives;

  ns_interval_index_init (&lives);
  ns_interval_index_add (&lives, 1, 2, 1, 30);
  ns_interval_index_add (&lives, 2, 1, 2, 5);
  ns_interval_index_add (&lives, 1, 2, 3, 10);
  ns_interval_index_add (&lives, 1, 2, 4, NS_TIME_NONE);
  ns_interval_index_add (&lives, 1, 2, 5, 10);
  ns_interval_index_settle (&lives);
  assert_lives (&lives, 1, 2, "4 3@10 5@10 1@30");
  assert_lives (&lives, 2, 1, "2@5");
  assert_lives (&lives, 1, 1, "");
  g_assert_cmpuint (lives.n_most, ==, 4);
  ns_interval_index_clear (&lives);
}

static void
test_an_index_may_be_empty (void)
{
  NsIntervalIndex lives;

  ns_interval_index_init (&lives);
  ns_interval_index_settle (&lives);
  assert_lives (&lives, 0, 0, "");
  g_assert_cmpuint (ns_interval_index_count_until (NULL, 0, 7), ==, 0);
  ns_interval_index_clear (&lives);
}

static void
test_each_row_is_found_where_it_began (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree gint64 *open = g_new (gint64, N_ROWS);
  NsIntervalIndex lives;

  ns_interval_index_init (&lives);
  for (guint i = 0; i < N_ROWS; i++)
    {
      open[i] = g_rand_int_range (rand, 0, N_ROWS / 4);
      ns_interval_index_add (&lives, i % N_KEYS, 9, i + 1, open[i]);
    }
  ns_interval_index_settle (&lives);
  for (gint64 time = -1; time <= N_ROWS / 4; time += 13)
    for (guint key = 0; key < N_KEYS; key++)
      {
        guint n_lives;
        const NsLife *all = ns_interval_index_get (&lives, key, 9, &n_lives);
        guint n_until = 0;

        for (guint i = key; i < N_ROWS; i += N_KEYS)
          n_until += open[i] <= time;
        g_assert_cmpuint (ns_interval_index_count_until (all, n_lives, time), ==, n_until);
      }
  ns_interval_index_clear (&lives);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lives/rows-of-a-key-come-in-the-order-they-began-in",
                   test_rows_of_a_key_come_in_the_order_they_began_in);
  g_test_add_func ("/lives/an-index-may-be-empty", test_an_index_may_be_empty);
  g_test_add_func ("/lives/each-row-is-found-where-it-began",
                   test_each_row_is_found_where_it_began);
  return g_test_run ();
}
