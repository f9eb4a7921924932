/* Tests columns: packing of numbers, and creation on demand.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-columns.h"

#include <string.h>

/* Asserts that packing and unpacking preserves all numbers. */
static void
assert_packed (const guint64 *numbers, guint n_rows, guint width)
{
  g_autofree NsColumn *column = ns_column_new (numbers, n_rows);
  guint i;

  g_assert_nonnull (column);
  g_assert_cmpuint (column->width, ==, width);
  for (i = 0; i < n_rows; i++)
    {
      guint64 code = ns_column_get_code (column, i);

      if (numbers[i] == NS_COLUMN_UNKNOWN)
        g_assert_cmpuint (code, ==, 0);
      else
        g_assert_cmpuint (ns_column_get_number (column, code), ==, numbers[i]);
      g_assert_true (numbers[i] == NS_COLUMN_UNKNOWN || code > 0);
    }
}

static void
test_numbers_take_the_bytes_they_need (void)
{
  const guint64 far = G_GUINT64_CONSTANT (1) << 60;
  const guint64 none[] = { NS_COLUMN_UNKNOWN, NS_COLUMN_UNKNOWN };
  const guint64 same[] = { far, far };
  const guint64 one[] = { far, NS_COLUMN_UNKNOWN, far + G_MAXUINT8 - 1 };
  const guint64 two_at_least[] = { far, NS_COLUMN_UNKNOWN, far + G_MAXUINT8 };
  const guint64 two_at_most[] = { G_MAXUINT16 - 1, 0 };
  const guint64 four_at_least[] = { G_MAXUINT16, 0 };
  const guint64 four_at_most[] = { 1, NS_COLUMN_UNKNOWN, G_MAXUINT32 };
  const guint64 eight_at_least[] = { 0, G_MAXUINT32 };
  const guint64 all[] = { 0, NS_COLUMN_UNKNOWN, NS_COLUMN_UNKNOWN - 1, 77 };

  assert_packed (none, G_N_ELEMENTS (none), 1);
  assert_packed (same, G_N_ELEMENTS (same), 1);
  assert_packed (one, G_N_ELEMENTS (one), 1);
  assert_packed (two_at_least, G_N_ELEMENTS (two_at_least), 2);
  assert_packed (two_at_most, G_N_ELEMENTS (two_at_most), 2);
  assert_packed (four_at_least, G_N_ELEMENTS (four_at_least), 4);
  assert_packed (four_at_most, G_N_ELEMENTS (four_at_most), 4);
  assert_packed (eight_at_least, G_N_ELEMENTS (eight_at_least), 8);
  assert_packed (all, G_N_ELEMENTS (all), 8);
}

static void
test_a_column_is_made_when_it_is_wanted_again (void)
{
  const guint64 numbers[] = { 3, 4 };
  NsColumns *columns = ns_columns_new ();
  const NsColumn *column;
  gboolean make;

  g_assert_null (ns_columns_ask (columns, &numbers, 2, &make));
  g_assert_false (make);
  g_assert_null (ns_columns_ask (columns, &numbers, 2, &make));
  g_assert_true (make);
  /* While one thread makes the column, others are not asked to and read the rows instead. */
  g_assert_null (ns_columns_ask (columns, &numbers, 2, &make));
  g_assert_false (make);
  column = ns_columns_keep (columns, &numbers, ns_column_new (numbers, 2));
  g_assert_nonnull (column);
  g_assert_true (ns_columns_ask (columns, &numbers, 2, &make) == column);
  g_assert_false (make);
  /* Another member has a column of its own. */
  g_assert_null (ns_columns_ask (columns, numbers + 1, 2, &make));
  ns_columns_free (columns);
}

static void
test_what_cannot_be_made_is_not_tried_again (void)
{
  NsColumns *columns = ns_columns_new ();
  gboolean make;
  guint i;

  for (i = 0; i < 2; i++)
    ns_columns_ask (columns, &make, 2, &make);
  g_assert_true (make);
  g_assert_null (ns_columns_keep (columns, &make, NULL));
  for (i = 0; i < 3; i++)
    {
      g_assert_null (ns_columns_ask (columns, &make, 2, &make));
      g_assert_false (make);
    }
  g_assert_cmpuint (ns_columns_get_size (columns), ==, 0);
  ns_columns_free (columns);
}

static gboolean
is_wanted (NsColumns *columns, gconstpointer key, guint n_rows)
{
  gboolean make;

  ns_columns_ask (columns, key, n_rows, &make);
  g_assert_false (make);
  ns_columns_ask (columns, key, n_rows, &make);
  return make;
}

static void
test_tables_have_columns_up_to_so_many_rows (void)
{
  NsColumns *columns = ns_columns_new ();

  g_assert_true (is_wanted (columns, GUINT_TO_POINTER (1), NS_COLUMN_MAX_ROWS));
  g_assert_false (is_wanted (columns, GUINT_TO_POINTER (2), NS_COLUMN_MAX_ROWS + 1));
  g_assert_false (is_wanted (columns, GUINT_TO_POINTER (3), 0));
  ns_columns_free (columns);
}

/* Makes a column whose size, including its header, is @n_bytes. */
static NsColumn *
column_of_bytes (gsize n_bytes)
{
  guint n_rows = (guint) (n_bytes - sizeof (NsColumn));
  g_autofree guint64 *numbers = g_new0 (guint64, n_rows);

  return ns_column_new (numbers, n_rows);
}

static void
test_columns_take_so_many_bytes_together (void)
{
  const gsize half = NS_COLUMNS_MAX_BYTES / 2;
  NsColumns *columns = ns_columns_new ();
  guint i;

  for (i = 1; i <= 3; i++)
    g_assert_true (is_wanted (columns, GUINT_TO_POINTER (i), 9));
  g_assert_nonnull (ns_columns_keep (columns, GUINT_TO_POINTER (1), column_of_bytes (half)));
  /* One byte above the limit: refused. */
  g_assert_null (ns_columns_keep (columns, GUINT_TO_POINTER (2), column_of_bytes (half + 1)));
  g_assert_cmpuint (ns_columns_get_size (columns), ==, half);
  g_assert_nonnull (ns_columns_keep (columns, GUINT_TO_POINTER (3), column_of_bytes (half)));
  g_assert_cmpuint (ns_columns_get_size (columns), ==, NS_COLUMNS_MAX_BYTES);
  /* Columns that would exceed the limit are not asked for. */
  g_assert_false (is_wanted (columns, GUINT_TO_POINTER (4), 9));
  ns_columns_free (columns);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/columns/numbers-take-the-bytes-they-need",
                   test_numbers_take_the_bytes_they_need);
  g_test_add_func ("/columns/a-column-is-made-when-it-is-wanted-again",
                   test_a_column_is_made_when_it_is_wanted_again);
  g_test_add_func ("/columns/what-cannot-be-made-is-not-tried-again",
                   test_what_cannot_be_made_is_not_tried_again);
  g_test_add_func ("/columns/tables-have-columns-up-to-so-many-rows",
                   test_tables_have_columns_up_to_so_many_rows);
  g_test_add_func ("/columns/columns-take-so-many-bytes-together",
                   test_columns_take_so_many_bytes_together);
  return g_test_run ();
}
