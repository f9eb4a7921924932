/* Tests decorated names that exceed the limits.
 *
 * They stay decorated.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate.h"

#include <string.h>

#define MAX_DIMENSIONS 32
#define MAX_ARGUMENTS 2000
#define MAX_POINTERS 95
#define MAX_NAME 65536

/* Returns whether @begin, @n times @piece, then @end can be demangled. */
static gboolean
is_readable (const char *begin, const char *piece, guint n, const char *end)
{
  g_autoptr (GString) name = g_string_new (begin);
  g_autofree char *text = NULL;

  while (n-- > 0)
    g_string_append (name, piece);
  g_string_append (name, end);
  text = ns_undecorate (name->str, name->len, FALSE);
  return strcmp (text, name->str) != 0;
}

static void
test_types_are_bounded (void)
{
  g_assert_true (is_readable ("?x@@3PAYCA@", "1", MAX_DIMENSIONS, "HA"));
  g_assert_false (is_readable ("?x@@3PAYCB@", "1", MAX_DIMENSIONS + 1, "HA"));
  g_assert_true (is_readable ("?x@@3", "PA", MAX_POINTERS, "HA"));
  g_assert_false (is_readable ("?x@@3", "PA", MAX_POINTERS + 1, "HA"));
}

static void
test_arguments_are_bounded (void)
{
  g_assert_true (is_readable ("??$f@", "$00", MAX_ARGUMENTS, "@@YAXXZ"));
  g_assert_false (is_readable ("??$f@", "$00", MAX_ARGUMENTS + 1, "@@YAXXZ"));
}

/* Back-references copy earlier arguments; the total size is limited, too. */
static void
test_memory_is_bounded (void)
{
  g_assert_true (is_readable ("?f@@YAX", "H", 1300, "@Z"));
  g_assert_false (is_readable ("?f@@YAX", "H", 1500, "@Z"));
}

static void
test_names_are_bounded (void)
{
  g_autofree char *name = g_strnfill (MAX_NAME + 1, 'a');
  g_autofree char *longest = ns_undecorate (name, MAX_NAME, FALSE);
  g_autofree char *cut = ns_undecorate (name, MAX_NAME + 1, FALSE);

  g_assert_cmpuint (strlen (longest), ==, MAX_NAME);
  g_assert_cmpuint (strlen (cut), ==, MAX_NAME);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/name-limits/types-are-bounded", test_types_are_bounded);
  g_test_add_func ("/name-limits/arguments-are-bounded", test_arguments_are_bounded);
  g_test_add_func ("/name-limits/memory-is-bounded", test_memory_is_bounded);
  g_test_add_func ("/name-limits/names-are-bounded", test_names_are_bounded);
  return g_test_run ();
}
