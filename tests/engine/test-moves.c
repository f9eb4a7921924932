/* Tests the times at which bytes were transferred.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-moves.h"

#define ALWAYS G_MININT64, G_MAXINT64

static void
assert_moves (const NsMoves *moves,
              NsTableId table,
              NsRow row,
              gint64 begin_ns,
              gint64 end_ns,
              const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_found;
  const NsMove *found = ns_moves_find (moves, table, row, begin_ns, end_ns, &n_found);
  guint i;

  g_assert_cmpint (found != NULL, ==, n_found > 0);
  for (i = 0; i < n_found; i++)
    g_string_append_printf (text,
                            "%s%c%u at %d",
                            i > 0 ? ", " : "",
                            found[i].n_bytes & NS_MOVE_SENT ? '-' : '+',
                            found[i].n_bytes & NS_MOVE_MAX_BYTES,
                            (int) found[i].time_ns);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_each_row_finds_its_own (void)
{
  NsMoves *moves = ns_moves_new (100);

  ns_moves_note (moves, NS_TABLE_TCP, 3, 10, 100, TRUE);
  ns_moves_note (moves, NS_TABLE_TCP, 1, 20, 200, FALSE);
  ns_moves_note (moves, NS_TABLE_WININET, 1, 25, 1, FALSE);
  ns_moves_note (moves, NS_TABLE_TCP, 3, 30, 300, FALSE);
  ns_moves_note (moves, NS_TABLE_TCP, 3, 30, 0, TRUE);
  ns_moves_note (moves, NS_TABLE_TCP, 3, 40, 400, TRUE);
  ns_moves_settle (moves);
  assert_moves (moves, NS_TABLE_TCP, 1, ALWAYS, "+200 at 20");
  assert_moves (moves, NS_TABLE_TCP, 2, ALWAYS, "");
  assert_moves (moves, NS_TABLE_TCP, 3, ALWAYS, "-100 at 10, +300 at 30, -400 at 40");
  assert_moves (moves, NS_TABLE_TCP, 4, ALWAYS, "");
  assert_moves (moves, NS_TABLE_TCP, 0, ALWAYS, "");
  assert_moves (moves, NS_TABLE_TCP, G_MAXUINT32, ALWAYS, "");
  assert_moves (moves, NS_TABLE_WININET, 1, ALWAYS, "+1 at 25");
  assert_moves (moves, NS_TABLE_WEBIO, 1, ALWAYS, "");
  assert_moves (NULL, NS_TABLE_TCP, 1, ALWAYS, "");
  ns_moves_free (moves);
}

static void
test_both_ends_of_a_span_are_in_it (void)
{
  NsMoves *moves = ns_moves_new (100);
  gint64 time_ns;

  for (time_ns = 10; time_ns <= 40; time_ns += 10)
    ns_moves_note (moves, NS_TABLE_TCP, 1, time_ns, 5, FALSE);
  ns_moves_settle (moves);
  assert_moves (moves, NS_TABLE_TCP, 1, 20, 30, "+5 at 20, +5 at 30");
  assert_moves (moves, NS_TABLE_TCP, 1, 11, 29, "+5 at 20");
  assert_moves (moves, NS_TABLE_TCP, 1, 21, 29, "");
  assert_moves (moves, NS_TABLE_TCP, 1, 30, 20, "");
  assert_moves (moves, NS_TABLE_TCP, 1, 40, G_MAXINT64, "+5 at 40");
  ns_moves_free (moves);
}

/* Transfers are recorded by socket ID. Settling maps the IDs to table rows; unused sockets have
 * none. */
static void
test_numbers_become_rows (void)
{
  NsMoves *moves = ns_moves_new (100);

  ns_moves_note (moves, NS_TABLE_WINSOCK, 1, 10, 1, FALSE);
  ns_moves_note (moves, NS_TABLE_WINSOCK, 2, 20, 2, FALSE);
  ns_moves_note (moves, NS_TABLE_WINSOCK, 4, 30, 4, FALSE);
  ns_moves_note (moves, NS_TABLE_WINSOCK, 2, 40, 3, FALSE);
  ns_moves_set_row (moves, NS_TABLE_WINSOCK, 2, 1);
  ns_moves_set_row (moves, NS_TABLE_WINSOCK, 3, 2);
  ns_moves_settle (moves);
  assert_moves (moves, NS_TABLE_WINSOCK, 1, ALWAYS, "+2 at 20, +3 at 40");
  assert_moves (moves, NS_TABLE_WINSOCK, 2, ALWAYS, "");
  assert_moves (moves, NS_TABLE_WINSOCK, 4, ALWAYS, "");
  ns_moves_free (moves);
}

static void
test_what_is_told_late_stands_at_its_moment (void)
{
  NsMoves *moves = ns_moves_new (100);

  ns_moves_note (moves, NS_TABLE_TCP, 1, 10, 1, FALSE);
  ns_moves_note (moves, NS_TABLE_TCP, 1, 30, 3, FALSE);
  ns_moves_note (moves, NS_TABLE_TCP, 1, 20, 2, TRUE);
  ns_moves_settle (moves);
  assert_moves (moves, NS_TABLE_TCP, 1, ALWAYS, "+1 at 10, -2 at 20, +3 at 30");
  ns_moves_free (moves);
}

static void
test_large_moves_stay_in_their_direction (void)
{
  NsMoves *moves = ns_moves_new (100);

  ns_moves_note (moves, NS_TABLE_TCP, 1, 10, G_MAXUINT32, FALSE);
  ns_moves_note (moves, NS_TABLE_TCP, 1, 11, G_MAXUINT64, TRUE);
  ns_moves_settle (moves);
  assert_moves (moves, NS_TABLE_TCP, 1, ALWAYS, "+2147483647 at 10, -2147483647 at 11");
  ns_moves_free (moves);
}

/* Beyond the limit all transfers are discarded, because a part of them would be misleading. */
static void
test_more_than_there_may_be_are_none (void)
{
  const guint most = 5000;
  NsMoves *moves = ns_moves_new (most);
  guint n_found;
  guint i;

  for (i = 0; i < most; i++)
    ns_moves_note (moves, NS_TABLE_TCP, 1 + i % 7, i, 1, FALSE);
  ns_moves_settle (moves);
  ns_moves_find (moves, NS_TABLE_TCP, 1, ALWAYS, &n_found);
  g_assert_cmpuint (n_found, ==, (most + 6) / 7);
  ns_moves_free (moves);

  moves = ns_moves_new (most);
  for (i = 0; i < most + 1; i++)
    ns_moves_note (moves, NS_TABLE_TCP, 1 + i % 7, i, 1, FALSE);
  ns_moves_settle (moves);
  assert_moves (moves, NS_TABLE_TCP, 1, ALWAYS, "");
  ns_moves_free (moves);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/moves/each-row-finds-its-own", test_each_row_finds_its_own);
  g_test_add_func ("/moves/both-ends-of-a-span-are-in-it", test_both_ends_of_a_span_are_in_it);
  g_test_add_func ("/moves/numbers-become-rows", test_numbers_become_rows);
  g_test_add_func ("/moves/what-is-told-late-stands-at-its-moment",
                   test_what_is_told_late_stands_at_its_moment);
  g_test_add_func ("/moves/large-moves-stay-in-their-direction",
                   test_large_moves_stay_in_their_direction);
  g_test_add_func ("/moves/more-than-there-may-be-are-none", test_more_than_there_may_be_are_none);
  return g_test_run ();
}
