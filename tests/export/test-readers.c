/* Tests two trace readers in one program, each with its own settings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/open/ns-event-read.h"
#include "export/ns-export-chain.h"
#include "findings/ns-finding.h"
#include "query/ns-fields.h"
#include "query/ns-filter.h"
#include "query/ns-finding-events.h"
#include "schema/ns-payload.h"
#include "stitch-fixture.h"
#include "story.h"

#include <string.h>

#define N_ROUNDS 20
#define REQUEST P (0x20000)

/* Settings of a reader, and the expected results. */
typedef struct
{
  gboolean shows_secrets;
  NsChainView chain_view;
  const char *thresholds;
  const char *ranges;
  char *expected;
} Reader;

static NsTrace *
open_request (const Reader *self)
{
  g_autoptr (Story) story = story_new ();

  story->want_events = TRUE;
  story->shows_secrets = self->shows_secrets;
  story->ranges = self->ranges;
  story->thresholds = self->thresholds;
  story_session (story, 10, P (0x10000));
  story_request (story, 20, REQUEST, 1, P (0x10000), "https://bob:pw@h.example/?token=t");
  story_header (story, 50, REQUEST, "HTTP/1.1 503 No\r\nSet-Cookie: charlie\r\n\r\n");
  story_request_close (story, 60, REQUEST, 1);
  return story_open (story, 100);
}

static void
append_url (const NsTrace *trace, GString *text)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "url");
  NsFieldValue value = { 0 };

  ns_field_get (trace, field, 0, &value);
  ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
}

static void
append_findings (const NsTrace *trace, GString *text)
{
  const GArray *findings = ns_findings_get (trace);
  guint i;

  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      g_string_append_printf (text, "\n%s %u %s", row->rule, row->verdict, row->text);
    }
}

/* Appends the number of rows in the range that both readers name "early". */
static void
append_early (const NsTrace *trace, GString *text)
{
  g_autoptr (NsFilter) filter = ns_filter_new (NS_TABLE_ACTIVITIES, "range:early", NULL, NULL);
  g_autoptr (GArray) rows = ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, NULL, NULL);

  g_string_append_printf (text, "\n%u early\n", rows->len);
}

/* Returns everything that one reader sees: rows, findings with their events, payloads, a stack. */
static char *
look (const Reader *self)
{
  g_autoptr (NsTrace) trace = open_request (self);
  g_autoptr (NsTrace) stitched = stitch_trace_new ("10:1:NET 'S1");
  NsExportChains chains = { .trace = stitched };
  GString *text = g_string_new (NULL);
  guint i;

  append_url (trace, text);
  g_assert_true (ns_finding_events_find (trace, NULL, NULL));
  append_findings (trace, text);
  append_early (trace, text);
  for (i = 0; i < trace->events->len; i++)
    {
      NsEvent event;

      g_assert_true (ns_event_read (trace, i, &event));
      ns_payload_append_json (event.schema, event.record, event.secrets, text);
    }
  ns_view_context_set_chain_view (stitched->view, self->chain_view);
  ns_export_chain_append_json (&chains, 1, text);
  return g_string_free (text, FALSE);
}

static gpointer
look_often (gpointer data)
{
  const Reader *self = data;
  guint i;

  for (i = 0; i < N_ROUNDS; i++)
    {
      g_autofree char *seen = look (self);

      g_assert_cmpstr (seen, ==, self->expected);
    }
  return NULL;
}

static void
test_each_reader_sees_what_it_wants (void)
{
  Reader readers[] = {
    { FALSE, NS_CHAIN_VIEW_DEFAULT, NULL, "early=0..0.001", NULL },
    { TRUE, NS_CHAIN_VIEW_SINGLE_TWICE, "D43.wait = 5 ms", "early=0..1", NULL }
  };
  GThread *threads[G_N_ELEMENTS (readers)];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (readers); i++)
    readers[i].expected = look (&readers[i]);
  g_assert_null (strstr (readers[0].expected, "bob"));
  g_assert_null (strstr (readers[0].expected, "charlie"));
  g_assert_nonnull (strstr (readers[0].expected, "\"first\":null"));
  g_assert_nonnull (strstr (readers[1].expected, "https://bob:pw@h.example/?token=t"));
  g_assert_nonnull (strstr (readers[1].expected, "charlie"));
  g_assert_null (strstr (readers[1].expected, "\"first\":null"));
  g_assert_null (strstr (readers[0].expected, "Changed thresholds:"));
  g_assert_nonnull (strstr (readers[0].expected, "\n0 early\n"));
  g_assert_null (strstr (readers[1].expected, "\n0 early\n"));
  g_assert_nonnull (strstr (readers[1].expected, "Changed thresholds: D43.wait = 5 ms instead of"));
  for (i = 0; i < G_N_ELEMENTS (readers); i++)
    threads[i] = g_thread_new ("reader", look_often, &readers[i]);
  for (i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_thread_join (threads[i]);
      g_free (readers[i].expected);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers/each-sees-what-it-wants", test_each_reader_sees_what_it_wants);
  return g_test_run ();
}
