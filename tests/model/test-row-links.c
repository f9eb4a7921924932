/* Tests the links from a row to other rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "layers.h"

#include "model/ns-row-links.h"

#define HANDLE P (0xcc000c)
#define REQUEST P (0x2a0000)
#define SOURCE 10
#define BEGIN "Nestable Async Begin"
#define END "Nestable Async End"
#define INSTANT "Nestable Async Instant"

/* Returns the link with this title, or %NULL. */
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
  /* The request handle, or the browser's log source with process and channel. */
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
  story_write (story,
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
  story_write (story, 1, STORY_WININET, 1007, "pa", REQUEST, "https://a.com/x");
  story_write (story, 45, STORY_WININET, 1049, "pa", REQUEST, "http://b.org/y");
  story_write (story, 60, STORY_WININET, 1049, "pa", REQUEST, "http://c.org/z");
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

/* After a redirect, a source of the browser's network log has a second job. */
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

/* Formats every link of a row: title, table, row, confidence and reason. */
static char *
spell_links (const NsTrace *trace, NsTableId table, guint32 row)
{
  g_autoptr (GArray) links = ns_row_links_list (trace, table, row);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < links->len; i++)
    {
      const NsRowLink *link = &g_array_index (links, NsRowLink, i);

      g_string_append_printf (text,
                              "%s%s%s%s %u",
                              i > 0 ? "; " : "",
                              link->title != NULL ? link->title : "",
                              link->title != NULL ? ": " : "",
                              ns_table_get_name (link->target),
                              link->row + 1);
      if (link->confidence >= 0)
        g_string_append_printf (text, " (%d)", link->confidence);
      if (link->evidence != NULL)
        g_string_append_printf (text, " %s", link->evidence);
      if (link->key != NULL)
        g_string_append_printf (text, " same %s", link->key->id);
    }
  return g_string_free (text, FALSE);
}

typedef struct
{
  NsTableId table;
  guint row; /* 1-based */
  const char *links;
} Expected;

static void
assert_links (void (*tell) (Story *story, double ms), const Expected *expected, guint n_expected)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  tell (story, 0);
  trace = story_open (story, 5000);
  for (i = 0; i < n_expected; i++)
    {
      g_autofree char *links = spell_links (trace, expected[i].table, expected[i].row - 1);

      g_assert_cmpstr (links, ==, expected[i].links);
    }
  ns_trace_unref (trace);
}

/* From an operation to the rows of its layers, from a part to the whole and back, and between
 * client and server. */
static void
test_layers_lead_to_each_other (void)
{
  static const Expected dotnet[] = {
    { NS_TABLE_ACTIVITIES, 3, "winsock 2 (3); dotnet 3 (3)" },
    { NS_TABLE_DOTNET, 3, "winsock 2 (3); activities 3 (3)" },
  };
  static const Expected smb[] = {
    { NS_TABLE_ACTIVITIES, 7, "smb 15 (3)" },
    { NS_TABLE_SMB,
      15,
      "tcp 1 (2) connecting thread; activities 7 (3); Contains: smb 16 exchange; Contains: smb 23 "
      "thread" },
    { NS_TABLE_SMB,
      16,
      "Part of: smb 15 exchange; tcp 1 (2) connecting thread; activities 7 (2) exchange" },
    { NS_TABLE_SMB,
      23,
      "Part of: smb 15 thread; tcp 2 (2) connecting thread; activities 7 (2) thread" },
  };
  static const Expected tls[] = {
    { NS_TABLE_ACTIVITIES, 2, "webio 2 (3) same request; capi2 1 (2) thread" },
    { NS_TABLE_CAPI2, 1, "activities 2 (2) thread; Contains: capi2 2" },
    { NS_TABLE_CAPI2, 2, "Part of: capi2 1; Contains: capi2 3" },
  };
  static const Expected wfp[] = {
    { NS_TABLE_ACTIVITIES, 1, "tcp 1 (3) same tcb; wfp 1 (2) addresses; wfp 2 (3) key" },
    { NS_TABLE_ACTIVITIES, 4, "wfp 8 (3)" },
    { NS_TABLE_WFP, 1, "tcp 1 (2) addresses; activities 1 (2) addresses" },
  };
  static const Expected quic[] = {
    { NS_TABLE_ACTIVITIES, 1, "dns 1 (2); UDP: tcp 1 (2); quic 1 (3) same connection" },
    { NS_TABLE_QUIC,
      1,
      "UDP: tcp 1 (2) addresses; activities 1 (3) same connection; Contains: quic 2 same "
      "connection; Contains: quic 3 same connection; Contains: quic 4 same connection" },
    { NS_TABLE_QUIC, 2, "Part of: quic 1 same connection; UDP: tcp 1 (2); activities 1 (2)" },
  };
  static const Expected rpc[] = {
    { NS_TABLE_ACTIVITIES, 2, "Part of: activities 1 (2); rpc 1 (3)" },
    { NS_TABLE_RPC, 1, "tcp 1 (2) address and port; activities 2 (3)" },
    { NS_TABLE_RPC, 2, "smb 1 (1) pipe and thread; activities 3 (3)" },
    { NS_TABLE_RPC, 3, "Other side: rpc 4 (2) activity" },
  };
  static const Expected bits[] = {
    { NS_TABLE_ACTIVITIES,
      1,
      "bits 1 (3); Contains: activities 2 (2); Contains: activities 3 (2)" },
    { NS_TABLE_ACTIVITIES, 2, "Part of: activities 1 (2); webio 1 (3)" },
    { NS_TABLE_BITS, 1, "activities 1 (3); webio 1 (2) url; webio 2 (2) url" },
  };

  assert_links (layers_write_dotnet, dotnet, G_N_ELEMENTS (dotnet));
  assert_links (layers_write_smb, smb, G_N_ELEMENTS (smb));
  assert_links (layers_write_tls, tls, G_N_ELEMENTS (tls));
  assert_links (layers_write_wfp, wfp, G_N_ELEMENTS (wfp));
  assert_links (layers_write_quic, quic, G_N_ELEMENTS (quic));
  assert_links (layers_write_rpc, rpc, G_N_ELEMENTS (rpc));
  assert_links (layers_write_bits, bits, G_N_ELEMENTS (bits));
}

/* An event that belongs to a UDP endpoint links to a row of the table of TCP. */
static void
test_an_endpoint_has_the_title_of_its_protocol (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  layers_write_quic (story, 0);
  trace = story_open (story, 5000);
  g_assert_cmpstr (ns_row_links_get_title (trace, NS_TABLE_TCP, 0), ==, "UDP");
  g_assert_cmpstr (ns_row_links_get_title (trace, NS_TABLE_QUIC, 0),
                   ==,
                   ns_table_get_title (NS_TABLE_QUIC));
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/row-links/a-redirect-leads-on-and-back", test_a_redirect_leads_on_and_back);
  g_test_add_func ("/row-links/a-redirect-of-a-browser-leads-on-and-back",
                   test_a_redirect_of_a_browser_leads_on_and_back);
  g_test_add_func ("/row-links/layers-lead-to-each-other", test_layers_lead_to_each_other);
  g_test_add_func ("/row-links/an-endpoint-has-the-title-of-its-protocol",
                   test_an_endpoint_has_the_title_of_its_protocol);
  return g_test_run ();
}
