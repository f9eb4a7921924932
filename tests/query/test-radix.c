/* Tests radix sort.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-radix.h"

#include <string.h>

/* Keys of the items: random bits above a common number. */
typedef struct
{
  guint64 mask;
  guint64 base;
  guint32 first_place;
} Shape;

static int
compare_by_hand (const void *a, const void *b)
{
  const NsRadixItem *left = a;
  const NsRadixItem *right = b;

  if (left->key != right->key)
    return left->key < right->key ? -1 : 1;
  return (left->place > right->place) - (left->place < right->place);
}

/* Positions ascend, so an order by key and position is a stable one. */
static void
assert_as_by_hand (const Shape *shape, guint n_items)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (n_items);
  g_autofree NsRadixItem *items = g_new0 (NsRadixItem, n_items + 1);
  g_autofree NsRadixItem *spare = g_new0 (NsRadixItem, n_items + 1);
  g_autofree NsRadixItem *expected = g_new0 (NsRadixItem, n_items + 1);
  guint i;

  for (i = 0; i < n_items; i++)
    {
      guint64 chance = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);

      items[i].key = shape->base + (chance & shape->mask);
      items[i].place = shape->first_place + i;
    }
  memcpy (expected, items, sizeof *items * n_items);
  if (n_items > 0)
    qsort (expected, n_items, sizeof *expected, compare_by_hand);
  ns_radix_sort (items, spare, n_items);
  for (i = 0; i < n_items; i++)
    {
      g_assert_cmpuint (items[i].key, ==, expected[i].key);
      g_assert_cmpuint (items[i].place, ==, expected[i].place);
    }
}

/* Keys and positions that just fit into one word, that just do not, and keys of maximum width. */
static void
test_orders_as_by_hand (void)
{
  static const Shape shapes[] = {
    { 0, 7, 0 },
    { 1, 0, 0 },
    { 0x3f, G_GUINT64_CONSTANT (1) << 63, 0 },
    { 0xff00ff, 0, 0 },
    { G_GUINT64_CONSTANT (0x3ffffffffff), G_GUINT64_CONSTANT (0x8000000000000000), 0 },
    { G_GUINT64_CONSTANT (0xffffffffffff), 0, 0 },
    { G_MAXUINT32, 0, G_MAXUINT32 - 10000 },
    { G_GUINT64_CONSTANT (0x1ffffffff), 0, G_MAXUINT32 - 10000 },
    { G_GUINT64_CONSTANT (0xff00000000000001), 5, 0 },
    { G_MAXUINT64, 0, 0 },
  };
  static const guint sizes[] = { 0, 1, 2, 100, 1024, 1025, 10000 };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      assert_as_by_hand (&shapes[i], sizes[k]);
}

static void
test_what_is_in_order_stays_where_it_is (void)
{
  NsRadixItem items[] = { { 1, 9 }, { 5, 3 }, { 5, 1 }, { G_MAXUINT64, 0 } };
  NsRadixItem spare[4];
  NsRadixItem before[4];

  memcpy (before, items, sizeof items);
  ns_radix_sort (items, spare, G_N_ELEMENTS (items));
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    g_assert_cmpuint (items[i].place, ==, before[i].place);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/radix/orders-as-by-hand", test_orders_as_by_hand);
  g_test_add_func ("/radix/what-is-in-order-stays-where-it-is",
                   test_what_is_in_order_stays_where_it_is);
  return g_test_run ();
}
