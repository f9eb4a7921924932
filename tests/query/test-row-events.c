/* Tests the limit on the listed events of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/story.h"
#include "query/ns-row-events.h"

#define SOCKET P (0xffffcc0000000100)

static NsRowEvents *
find (NsTrace **trace, guint n_more)
{
  g_autoptr (Story) story = story_new ();
  guint i;

  story->want_events = TRUE;
  story_socket (story, 10, SOCKET, 50001, "1.2.3.4:443");
  for (i = 0; i < n_more; i++)
    story_socket_bytes (story, 20 + i, 1003, SOCKET, 700);
  story_socket_close (story, 30 + n_more, SOCKET);
  *trace = story_open (story, 2000);
  return ns_row_events_find (*trace, NS_TABLE_WINSOCK, 0, NULL, NULL);
}

static void
test_records_are_so_many_only (void)
{
  NsTrace *trace;
  NsRowEvents *few = find (&trace, 10);
  guint n_beside = few->events->len - 10;
  guint n;

  g_assert_false (few->is_cut);
  ns_row_events_free (few);
  ns_trace_unref (trace);
  for (n = NS_ROW_EVENTS_MAX - 1; n <= NS_ROW_EVENTS_MAX + 1; n++)
    {
      NsRowEvents *found = find (&trace, n - n_beside);

      g_assert_cmpuint (found->events->len, ==, MIN (n, NS_ROW_EVENTS_MAX));
      g_assert_cmpint (found->is_cut, ==, n > NS_ROW_EVENTS_MAX);
      ns_row_events_free (found);
      ns_trace_unref (trace);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row-events/records-are-so-many-only", test_records_are_so_many_only);
  return g_test_run ();
}
