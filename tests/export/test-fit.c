/* Tests the fitting of text columns into a line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-cell.h"
#include "export/ns-export-fit.h"

#define ROOM_FOR 4

static void
expect (const guint *wanted, guint line, guint n_left, const guint *widths)
{
  static const gboolean is_cut[ROOM_FOR] = { FALSE, TRUE, TRUE, FALSE };
  guint got[ROOM_FOR];
  guint n;
  guint i;

  memcpy (got, wanted, sizeof got);
  n = ns_export_fit_columns (got, is_cut, ROOM_FOR, line);
  g_assert_cmpuint (n, ==, n_left);
  for (i = 0; i < n; i++)
    g_assert_cmpuint (got[i], ==, widths[i]);
}

static void
test_columns (void)
{
  static const guint wanted[] = { 5, 20, 60, 8 };

  /* 93 and three gaps of two. */
  expect (wanted, 99, 4, wanted);
  expect (wanted, 98, 4, (const guint[]){ 5, 20, 59, 8 });
  /* The widest column shrinks first, then both. */
  expect (wanted, 57, 4, (const guint[]){ 5, 19, 19, 8 });
  expect (wanted, 39, 4, (const guint[]){ 5, 10, 10, 8 });
  /* Columns of numbers are not truncated but dropped. */
  expect (wanted, 38, 3, (const guint[]){ 5, 10, 10 });
  expect (wanted, 1, 1, (const guint[]){ 5 });
}

static void
expect_cell (const char *text, guint width, const char *cut)
{
  g_autoptr (GString) cell = g_string_new (text);

  ns_export_fit_cell (cell, width);
  g_assert_cmpstr (cell->str, ==, cut);
  g_assert_cmpuint (ns_export_cell_get_width (cell->str), <=, width);
}

static void
test_cell (void)
{
  expect_cell ("outlook.exe", 11, "outlook.exe");
  expect_cell ("outlook.exe", 10, "outlook.e…");
  expect_cell ("", 1, "");
  expect_cell ("ab", 1, "…");
  /* A double-width character is not split. */
  expect_cell ("漢字漢字", 6, "漢字…");
  expect_cell ("漢字漢字", 8, "漢字漢字");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fit/columns", test_columns);
  g_test_add_func ("/fit/cell", test_cell);
  return g_test_run ();
}
