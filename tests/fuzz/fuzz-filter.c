/* Fuzz target: the text of a filter, over rows of a small trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/story.h"
#include "fuzz/ns-fuzz.h"
#include "query/ns-filter-complete.h"

#include <string.h>

/* Completions must refer to a range of the text at every cursor position. */
static void
read_while_typed (const char *text)
{
  gsize length = strlen (text);
  gsize at = length % 61;
  g_auto (NsFilterPlace) place;
  g_autoptr (GPtrArray) offers = NULL;

  if (at < length)
    at = (gsize) (g_utf8_find_next_char (text + at, NULL) - text);
  ns_filter_place_init (&place, NS_TABLE_ACTIVITIES, text, at);
  if (place.begin > place.end || place.end > length)
    ns_fuzz_fail ("a place outside of the text");
  offers = ns_filter_place_list_offers (&place, NULL, NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static NsTrace *trace;
  static const NsTableId tables[] = { NS_TABLE_ACTIVITIES, NS_TABLE_EVENTS, NS_TABLE_TCP };
  g_autofree char *text = size > 0 ? g_strndup ((const char *) data, size) : g_strdup ("");
  guint i;
  guint row;

  if (!g_utf8_validate (text, -1, NULL))
    return 0;
  if (trace == NULL)
    {
      g_autoptr (Story) story = story_new ();

      story_socket (story, 1, 0xa0, 50001, "198.51.100.7:443");
      story_socket_bytes (story, 2, 1003, 0xa0, 700);
      story_socket_close (story, 5, 0xa0);
      story_socket (story, 6, 0xb0, 50002, "[2001:db8::1]:80");
      trace = story_open (story, 10);
    }
  read_while_typed (text);
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (GError) error = NULL;
      NsFilterSpan where = { 0, 0 };
      g_autoptr (NsFilter) filter = ns_filter_new (tables[i], text, &where, &error);

      if (filter == NULL && (error == NULL || where.begin > where.end))
        ns_fuzz_fail ("a wrong filter without a place where it is wrong");
      for (row = 0; filter != NULL && i == 0 && row < trace->activities->len; row++)
        ns_filter_matches (filter, trace, row);
    }
  return 0;
}
