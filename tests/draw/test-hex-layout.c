/* Tests the layout of the hex view: bytes and positions map one to one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-hex-layout.h"

#define CHAR_PX 7.0

static void
check_places (guint32 n_bytes, double width_px, guint per_row)
{
  NsHexLayout layout;
  guint32 byte;

  ns_hex_layout_init (&layout, n_bytes, width_px, CHAR_PX, 1);
  g_assert_cmpuint (layout.per_row, ==, per_row);
  for (byte = 0; byte < n_bytes; byte++)
    {
      guint in_row = byte % per_row;
      double y = (byte / per_row + 0.5) * NS_HEX_ROW_PX;
      guint digits = ns_hex_layout_get_byte_column (&layout, in_row);
      guint text = ns_hex_layout_get_text_column (&layout, in_row);

      g_assert_cmpuint (ns_hex_layout_find (&layout, ns_hex_layout_get_x (&layout, digits), y),
                        ==,
                        byte);
      g_assert_cmpuint (ns_hex_layout_find (&layout,
                                            ns_hex_layout_get_x (&layout, digits + 2) - 1,
                                            y),
                        ==,
                        byte);
      g_assert_cmpuint (ns_hex_layout_find (&layout, ns_hex_layout_get_x (&layout, text) + 3, y),
                        ==,
                        byte);
    }
}

static void
test_a_byte_is_found_where_it_stands (void)
{
  check_places (342, 700, 16);
  check_places (342, 348, 8);
  check_places (1, 348, 8);
  /* At widths between two layouts no row is cut off, and no byte is beyond the edge. */
  check_places (342, 450, 12);
  check_places (342, 250, 4);
  check_places (342, 40, 4);
}

static void
test_beside_the_bytes_there_is_none (void)
{
  NsHexLayout layout;

  ns_hex_layout_init (&layout, 20, 700, CHAR_PX, 1);
  g_assert_cmpuint (layout.n_rows, ==, 2);
  g_assert_cmpfloat (ns_hex_layout_get_height (&layout), ==, 40);
  /* The offset, the space between two bytes, after the last byte, below, and outside. */
  g_assert_cmpuint (ns_hex_layout_find (&layout, ns_hex_layout_get_x (&layout, 1), 5),
                    ==,
                    NS_HEX_NONE);
  g_assert_cmpuint (
      ns_hex_layout_find (
          &layout,
          ns_hex_layout_get_x (&layout, ns_hex_layout_get_byte_column (&layout, 1) - 1) + 1,
          5),
      ==,
      NS_HEX_NONE);
  g_assert_cmpuint (
      ns_hex_layout_find (&layout,
                          ns_hex_layout_get_x (&layout, ns_hex_layout_get_byte_column (&layout, 4)),
                          25),
      ==,
      NS_HEX_NONE);
  g_assert_cmpuint (ns_hex_layout_find (&layout, 100, 41), ==, NS_HEX_NONE);
  g_assert_cmpuint (ns_hex_layout_find (&layout, 100, -1), ==, NS_HEX_NONE);
  g_assert_cmpuint (ns_hex_layout_find (&layout, -5, 5), ==, NS_HEX_NONE);
}

static void
test_a_row_is_as_wide_as_it_says (void)
{
  NsHexLayout layout;

  ns_hex_layout_init (&layout, 342, 700, CHAR_PX, 1);
  /* 4 digits, 2 spaces, 16 × "xx" with 15 + 1 spaces, 2 spaces, 16 characters. */
  g_assert_cmpuint (ns_hex_layout_get_n_columns (&layout), ==, 4 + 2 + 48 + 2 + 16);
  g_assert_cmpuint (ns_hex_layout_get_text_column (&layout, 15) + 1,
                    ==,
                    ns_hex_layout_get_n_columns (&layout));
  ns_hex_layout_init (&layout, 65535, 300, CHAR_PX, 2);
  g_assert_cmpuint (ns_hex_layout_get_n_columns (&layout), ==, 4 + 2 + 23 + 2 + 8);
  g_assert_cmpfloat (layout.row_px, ==, 40);
  ns_hex_layout_init (&layout, 65537, 700, CHAR_PX, 1);
  g_assert_cmpuint (layout.n_digits, ==, 5);
}

/* A wider view never has shorter rows, and no row is wider than its view. */
static void
test_rows_use_their_width (void)
{
  guint before = 0;
  double width;

  for (width = 190; width < 900; width += 1)
    {
      NsHexLayout layout;

      ns_hex_layout_init (&layout, 342, width, CHAR_PX, 1);
      g_assert_cmpfloat (ns_hex_layout_get_x (&layout, ns_hex_layout_get_n_columns (&layout)),
                         <=,
                         width);
      g_assert_cmpuint (layout.per_row, >=, before);
      g_assert_cmpuint (layout.per_row - before, <=, 4);
      before = layout.per_row;
    }
  g_assert_cmpuint (before, ==, NS_HEX_MAX_PER_ROW);
}

static void
test_steps_stay_inside (void)
{
  static const struct
  {
    guint32 from;
    NsHexStep step;
    guint32 to;
  } steps[] = {
    { 0, NS_HEX_LEFT, 0 },
    { 5, NS_HEX_LEFT, 4 },
    { 37, NS_HEX_RIGHT, 37 },
    { 3, NS_HEX_UP, 3 },
    { 19, NS_HEX_UP, 3 },
    { 19, NS_HEX_DOWN, 35 },
    { 30, NS_HEX_DOWN, 30 },
    { 19, NS_HEX_HOME, 16 },
    { 19, NS_HEX_END, 31 },
    { 33, NS_HEX_END, 37 },
    { 19, NS_HEX_FIRST, 0 },
    { 19, NS_HEX_LAST, 37 },
    { 35, NS_HEX_PAGE_UP, 3 },
    { 19, NS_HEX_PAGE_UP, 3 },
    { 3, NS_HEX_PAGE_DOWN, 35 },
    { 9, NS_HEX_PAGE_DOWN, 37 },
    { NS_HEX_NONE, NS_HEX_RIGHT, 0 },
    { NS_HEX_NONE, NS_HEX_LAST, 37 },
  };
  NsHexLayout layout;
  guint i;

  ns_hex_layout_init (&layout, 38, 700, CHAR_PX, 1);
  for (i = 0; i < G_N_ELEMENTS (steps); i++)
    g_assert_cmpuint (ns_hex_layout_step (&layout, steps[i].from, steps[i].step, 2),
                      ==,
                      steps[i].to);
  ns_hex_layout_init (&layout, 0, 700, CHAR_PX, 1);
  g_assert_cmpuint (layout.n_rows, ==, 0);
  g_assert_cmpuint (ns_hex_layout_step (&layout, NS_HEX_NONE, NS_HEX_RIGHT, 2), ==, NS_HEX_NONE);
}

static void
test_a_run_is_cut_into_rows (void)
{
  NsHexLayout layout;
  guint n_bytes = 0;
  guint first;
  guint last;
  guint row;

  ns_hex_layout_init (&layout, 60, 700, CHAR_PX, 1);
  for (row = 0; row < layout.n_rows; row++)
    if (ns_hex_layout_get_run (&layout, row, 12, 30, &first, &last))
      n_bytes += last - first + 1;
  g_assert_cmpuint (n_bytes, ==, 30);
  g_assert_true (ns_hex_layout_get_run (&layout, 0, 12, 30, &first, &last));
  g_assert_cmpuint (first, ==, 12);
  g_assert_cmpuint (last, ==, 15);
  g_assert_false (ns_hex_layout_get_run (&layout, 3, 12, 30, &first, &last));
  g_assert_false (ns_hex_layout_get_run (&layout, 0, 3, 0, &first, &last));
  /* A run that exceeds the data ends with the data. */
  g_assert_true (ns_hex_layout_get_run (&layout, 3, 58, G_MAXUINT32, &first, &last));
  g_assert_cmpuint (last, ==, 11);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hex-layout/a-byte-is-found-where-it-stands",
                   test_a_byte_is_found_where_it_stands);
  g_test_add_func ("/hex-layout/beside-the-bytes-there-is-none",
                   test_beside_the_bytes_there_is_none);
  g_test_add_func ("/hex-layout/a-row-is-as-wide-as-it-says", test_a_row_is_as_wide_as_it_says);
  g_test_add_func ("/hex-layout/steps-stay-inside", test_steps_stay_inside);
  g_test_add_func ("/hex-layout/a-run-is-cut-into-rows", test_a_run_is_cut_into_rows);
  g_test_add_func ("/hex/rows-use-their-width", test_rows_use_their_width);
  return g_test_run ();
}
