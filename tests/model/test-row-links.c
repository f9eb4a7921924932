/* Claims about the rows that a row leads to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "model/ns-row-links.h"

#define HANDLE P (0xcc000c)
#define REQUEST P (0x2a0000)
#define SOURCE 10
#define BEGIN "Nestable Async Begin"
#define END "Nestable Async End"
#define INSTANT "Nestable Async Instant"

/* The link of a title, or %NULL. */
static const NsRowLink *
find_link (const GArray *links, const char *title)
{
  guint i;

  for (i = 0; i < links->len; i++)
    if (g_strcmp0 (g_array_index (links, NsRowLink, i).title, title) == 0)
      return &g_array_index (links, NsRowLink, i);
  return NULL;
}

static void
assert_leads (const NsTrace *trace, NsTableId table, guint32 from, const char *title, int to)
{
  g_autoptr (GArray) links = ns_row_links_list (trace, table, from);
  const NsRowLink *link = find_link (links, title);

  if (to < 0)
    {
      g_assert_null (link);
      return;
    }
  g_assert_nonnull (link);
  g_assert_cmpint (link->target, ==, table);
  g_assert_cmpuint (link->row, ==, (guint32) to);
  g_assert_cmpint (link->confidence, ==, NS_CONFIDENCE_CERTAIN);
  g_assert_nonnull (link->key);
  /* The handle of the request, or the source of the browser's log with its process and channel. */
  g_assert_cmphex (trace->chromium->len > 0 ? link->value & 0xffffff : link->value,
                   ==,
                   trace->chromium->len > 0 ? SOURCE : REQUEST);
}

static void
test_a_redirect_leads_on_and_back (void)
{
  static const NsTableId tables[] = { NS_TABLE_WININET, NS_TABLE_ACTIVITIES };
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  story->activity = 7;
  story_tell (story,
              0,
              STORY_WININET,
              104,
              "ppccchhd",
              HANDLE,
              P (0xcc0008),
              "GET",
              "/x",
              "HTTP/1.1",
              0,
              0,
              0);
  story_tell (story, 1, STORY_WININET, 1007, "pa", REQUEST, "https://a.com/x");
  story_tell (story, 45, STORY_WININET, 1049, "pa", REQUEST, "http://b.org/y");
  story_tell (story, 60, STORY_WININET, 1049, "pa", REQUEST, "http://c.org/z");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->wininet->len, ==, 3);
  g_assert_cmpuint (trace->activities->len, ==, 3);
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      assert_leads (trace, tables[i], 0, "Redirected from", -1);
      assert_leads (trace, tables[i], 0, "Redirected to", 1);
      assert_leads (trace, tables[i], 1, "Redirected from", 0);
      assert_leads (trace, tables[i], 1, "Redirected to", 2);
      assert_leads (trace, tables[i], 2, "Redirected to", -1);
    }
  ns_trace_unref (trace);
}

/* A source of a browser's network log has a second job then. */
static void
test_a_redirect_of_a_browser_leads_on_and_back (void)
{
  static const NsTableId tables[] = { NS_TABLE_CHROMIUM, NS_TABLE_ACTIVITIES };
  static const char *const urls[] = { "http://a.example/",
                                      "https://b.example/",
                                      "https://c.example/" };
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  story_netlog (story,
                0,
                "REQUEST_ALIVE",
                BEGIN,
                SOURCE,
                "URL_REQUEST",
                "{\"priority\":\"HIGHEST\"}");
  for (i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autofree char *job = g_strdup_printf ("{\"method\":\"GET\",\"url\":\"%s\"}", urls[i]);

      story_netlog (story, 1 + 10 * i, "URL_REQUEST_START_JOB", BEGIN, SOURCE, "URL_REQUEST", job);
      if (i < 2)
        story_netlog (story,
                      5 + 10 * i,
                      "URL_REQUEST_REDIRECTED",
                      INSTANT,
                      10,
                      "URL_REQUEST",
                      "{}");
      story_netlog (story, 6 + 10 * i, "URL_REQUEST_START_JOB", END, SOURCE, "", "");
    }
  story_netlog (story, 40, "REQUEST_ALIVE", END, SOURCE, "", "");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->chromium->len, ==, 3);
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      assert_leads (trace, tables[i], 0, "Redirected from", -1);
      assert_leads (trace, tables[i], 0, "Redirected to", 1);
      assert_leads (trace, tables[i], 1, "Redirected from", 0);
      assert_leads (trace, tables[i], 1, "Redirected to", 2);
      assert_leads (trace, tables[i], 2, "Redirected to", -1);
    }
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/row-links/a-redirect-leads-on-and-back", test_a_redirect_leads_on_and_back);
  g_test_add_func ("/row-links/a-redirect-of-a-browser-leads-on-and-back",
                   test_a_redirect_of_a_browser_leads_on_and_back);
  return g_test_run ();
}
