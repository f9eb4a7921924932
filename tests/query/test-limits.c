/* Tests the length limits of texts from users, links and files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-named-ranges.h"
#include "query/ns-filter.h"
#include "query/ns-place.h"

#include "ns-test-trace.h"

#include <string.h>

#define MAX_BYTES 65536
#define MAX_DEPTH 64
#define MAX_NODES 2048
#define MAX_NUMBER_BYTES 64
#define MAX_PLACE_BYTES 4096
#define MAX_RANGES 10000

static gboolean
is_filter (const char *begin, const char *piece, guint n, const char *end)
{
  g_autoptr (GString) text = g_string_new (begin);
  g_autoptr (NsFilter) filter = NULL;

  while (n-- > 0)
    g_string_append (text, piece);
  g_string_append (text, end);
  filter = ns_filter_new (NS_TABLE_ACTIVITIES, text->str, NULL, NULL);
  return filter != NULL;
}

static void
test_filters_are_bounded (void)
{
  g_assert_true (is_filter ("pid:1", " ", MAX_BYTES - 5, ""));
  g_assert_false (is_filter ("pid:1", " ", MAX_BYTES - 4, ""));
  g_assert_true (is_filter ("", "not ", MAX_DEPTH - 1, "pid:1"));
  g_assert_false (is_filter ("", "not ", MAX_DEPTH, "pid:1"));
  g_assert_true (is_filter ("pid in (1", ",1", MAX_NODES / 2, ")"));
  g_assert_false (is_filter ("pid in (1", ",1", MAX_NODES, ")"));
  g_assert_true (is_filter ("pid:1", " pid:1", MAX_NODES / 4, ""));
  g_assert_false (is_filter ("pid:1", " pid:1", MAX_NODES, ""));
  g_assert_true (is_filter ("duration>1.", "0", MAX_NUMBER_BYTES / 2, "s"));
  g_assert_false (is_filter ("duration>1.", "0", MAX_NUMBER_BYTES, "s"));
}

static void
test_places_are_so_long_only (void)
{
  NsTrace *trace = test_trace_new (1000);
  g_autofree char *text = g_strnfill (MAX_PLACE_BYTES + 1, 'a');
  g_autoptr (NsPlace) longest = NULL;

  g_assert_null (ns_place_new (trace, text));
  text[MAX_PLACE_BYTES] = '\0';
  longest = ns_place_new (trace, text);
  g_assert_nonnull (longest);
  test_trace_free (trace);
}

static void
test_ranges_are_so_many_only (void)
{
  NsNamedRanges *ranges = ns_named_ranges_new ();
  g_autoptr (GString) text = g_string_new ("a=1..2");
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 1; i < MAX_RANGES; i++)
    g_string_append (text, ";a=1..2");
  g_assert_true (ns_named_ranges_parse (ranges, text->str, NULL));
  g_string_append (text, ";a=1..2");
  g_assert_false (ns_named_ranges_parse (ranges, text->str, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  ns_named_ranges_free (ranges);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query-limits/filters-are-bounded", test_filters_are_bounded);
  g_test_add_func ("/query-limits/places-are-so-long-only", test_places_are_so_long_only);
  g_test_add_func ("/query-limits/ranges-are-so-many-only", test_ranges_are_so_many_only);
  return g_test_run ();
}
