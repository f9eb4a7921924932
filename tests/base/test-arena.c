/* Tests the arena.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-arena.h"

#include <string.h>

static void
test_pieces_do_not_overlap (void)
{
  g_autoptr (NsArena) arena = ns_arena_new (1024);
  guint8 *pieces[200];
  guint i;
  guint j;

  for (i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      pieces[i] = ns_arena_alloc (arena, i + 1);
      g_assert_cmpuint ((gsize) pieces[i] % 16, ==, 0);
      for (j = 0; j <= i; j++)
        g_assert_cmpuint (pieces[i][j], ==, 0);
      memset (pieces[i], (int) i, i + 1);
    }
  for (i = 0; i < G_N_ELEMENTS (pieces); i++)
    for (j = 0; j <= i; j++)
      g_assert_cmpuint (pieces[i][j], ==, i);
}

static void
test_large_pieces_have_their_own_block (void)
{
  g_autoptr (NsArena) arena = ns_arena_new (1024);

  memset (ns_arena_alloc (arena, 100000), 1, 100000);
  g_assert_cmpuint (ns_arena_get_size (arena), ==, 100000);
}

/* Tables grow row by row, so a small arena must not allocate a block of the full size. */
static void
test_what_holds_little_takes_little (void)
{
  g_autoptr (NsArena) arena = ns_arena_new (256 * 1024);
  guint i;

  ns_arena_alloc (arena, 16);
  g_assert_cmpuint (ns_arena_get_size (arena), <=, 4096);
  for (i = 0; i < 16 * 1024; i++)
    memset (ns_arena_alloc (arena, 64), 1, 64);
  g_assert_cmpuint (ns_arena_get_size (arena), >=, 1024 * 1024);
  g_assert_cmpuint (ns_arena_get_size (arena), <=, 1536 * 1024);
}

static void
test_texts_end_in_nul (void)
{
  g_autoptr (NsArena) arena = ns_arena_new (1024);

  g_assert_cmpstr (ns_arena_strndup (arena, "abcdef", 3), ==, "abc");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/arena/pieces-do-not-overlap", test_pieces_do_not_overlap);
  g_test_add_func ("/arena/large-pieces-have-their-own-block",
                   test_large_pieces_have_their_own_block);
  g_test_add_func ("/arena/what-holds-little-takes-little", test_what_holds_little_takes_little);
  g_test_add_func ("/arena/texts-end-in-nul", test_texts_end_in_nul);
  return g_test_run ();
}
