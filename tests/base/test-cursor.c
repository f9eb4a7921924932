/* Tests the cursor over untrusted bytes: reads past the end fail.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-cursor.h"

static const guint8 bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

static void
test_reads_little_and_big_endian (void)
{
  NsCursor cursor;

  ns_cursor_init (&cursor, bytes, sizeof bytes);
  g_assert_cmphex (ns_cursor_u16 (&cursor), ==, 0x0201);
  g_assert_cmphex (ns_cursor_u16be (&cursor), ==, 0x0304);
  g_assert_cmphex (ns_cursor_u32be (&cursor), ==, 0x05060708);
  g_assert_cmpuint (ns_cursor_left (&cursor), ==, 1);
  g_assert_true (ns_cursor_ok (&cursor));
}

static void
test_a_read_past_the_end_fails_and_stays_failed (void)
{
  NsCursor cursor;

  ns_cursor_init (&cursor, bytes, sizeof bytes);
  ns_cursor_skip (&cursor, 8);
  g_assert_cmphex (ns_cursor_u16 (&cursor), ==, 0);
  g_assert_false (ns_cursor_ok (&cursor));
  g_assert_cmphex (ns_cursor_u8 (&cursor), ==, 0);
  g_assert_cmpuint (ns_cursor_left (&cursor), ==, 0);
}

/* Arithmetic on a null pointer is undefined, even with a length of 0. */
static void
test_a_window_on_nothing_is_no_null_pointer (void)
{
  NsCursor cursor;
  gsize n_bytes;

  ns_cursor_init (&cursor, NULL, 0);
  g_assert_nonnull (cursor.data);
  g_assert_cmpstr (ns_cursor_astr (&cursor, &n_bytes), ==, "");
  g_assert_cmpuint (n_bytes, ==, 0);
  g_assert_true (ns_cursor_ok (&cursor));
}

static void
test_huge_lengths_do_not_wrap (void)
{
  NsCursor cursor;

  ns_cursor_init (&cursor, bytes, sizeof bytes);
  ns_cursor_u8 (&cursor);
  g_assert_null (ns_cursor_take (&cursor, G_MAXSIZE));
  g_assert_false (ns_cursor_ok (&cursor));
}

static void
test_pointers_have_the_size_asked_for (void)
{
  NsCursor cursor;

  ns_cursor_init (&cursor, bytes, sizeof bytes);
  g_assert_cmphex (ns_cursor_ptr (&cursor, 4), ==, 0x04030201);
  ns_cursor_seek (&cursor, 0);
  g_assert_cmphex (ns_cursor_ptr (&cursor, 8), ==, G_GUINT64_CONSTANT (0x0807060504030201));
}

static void
test_text_ends_at_its_nul_or_at_the_end (void)
{
  static const guint8 text[] = { 'a', 0, 'b', 0, 0, 0, 'c', 0, 'd' };
  NsCursor cursor;
  gsize n;

  ns_cursor_init (&cursor, text, sizeof text);
  g_assert_nonnull (ns_cursor_wstr (&cursor, &n));
  g_assert_cmpuint (n, ==, 4);
  g_assert_nonnull (ns_cursor_wstr (&cursor, &n));
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (ns_cursor_ok (&cursor));

  ns_cursor_seek (&cursor, 6);
  g_assert_nonnull (ns_cursor_astr (&cursor, &n));
  g_assert_cmpuint (n, ==, 1);
  g_assert_nonnull (ns_cursor_astr (&cursor, &n));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (ns_cursor_left (&cursor), ==, 0);
}

static void
test_a_part_cannot_see_past_itself (void)
{
  NsCursor cursor;
  NsCursor sub;

  ns_cursor_init (&cursor, bytes, sizeof bytes);
  g_assert_true (ns_cursor_sub (&cursor, 2, &sub));
  ns_cursor_u32 (&sub);
  g_assert_false (ns_cursor_ok (&sub));
  g_assert_cmphex (ns_cursor_u8 (&cursor), ==, 3);
  g_assert_false (ns_cursor_sub (&cursor, 100, &sub));
  g_assert_cmpuint (ns_cursor_left (&sub), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/cursor/reads-little-and-big-endian", test_reads_little_and_big_endian);
  g_test_add_func ("/cursor/a-read-past-the-end-fails-and-stays-failed",
                   test_a_read_past_the_end_fails_and_stays_failed);
  g_test_add_func ("/cursor/a-window-on-nothing-is-no-null-pointer",
                   test_a_window_on_nothing_is_no_null_pointer);
  g_test_add_func ("/cursor/huge-lengths-do-not-wrap", test_huge_lengths_do_not_wrap);
  g_test_add_func ("/cursor/pointers-have-the-size-asked-for",
                   test_pointers_have_the_size_asked_for);
  g_test_add_func ("/cursor/text-ends-at-its-nul-or-at-the-end",
                   test_text_ends_at_its_nul_or_at_the_end);
  g_test_add_func ("/cursor/a-part-cannot-see-past-itself", test_a_part_cannot_see_past_itself);
  return g_test_run ();
}
