/* Tests drops by the Windows Filtering Platform: their owner and effect.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-link.h"
#include "engine/app/wfp/ns-wfp.h"
#include "schema/ns-schema-filters.h"

#include "story.h"

#include <string.h>

#define TCB P (0xffffaa0000001000)
#define LOCAL "10.0.0.5:50001"
#define REMOTE "1.2.3.4:443"
#define APP "\\device\\harddiskvolume3\\windows\\system32\\app.exe"
#define SID "010100000000000512000000"
#define IN 0x3900
#define OUT 0x3901

static const NsWfpRow *
drop (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->wfp->len, >, n);
  return &g_array_index (trace->wfp, NsWfpRow, n);
}

static void
report_drop (Story *story, double ms, const char *ends, guint direction, guint64 filter)
{
  g_auto (GStrv) both = g_strsplit (ends, " ", 2);

  story_write (story,
               ms,
               STORY_WFP,
               1001,
               "qSSdwxddddd qh",
               P (0),
               both[0],
               both[1],
               0,
               APP,
               SID,
               0,
               0,
               0,
               direction,
               0,
               filter,
               direction == IN ? 44 : 48);
}

static void
report_failure (Story *story, double ms, guint id, guint64 tcb)
{
  story_write (story, ms, STORY_TCPIP, id, "SSdddp", LOCAL, REMOTE, 0xc0000022, story->pid, 1, tcb);
}

/* The drop of a failed connect names the filter. */
static void
test_a_blocked_connect_names_its_filter (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  story_tcp_connect (story, 10, TCB, LOCAL, REMOTE);
  report_drop (story, 10.5, LOCAL " " REMOTE, OUT, 70123);
  report_failure (story, 11, 1020, TCB);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->wfp->len, ==, 2);
  g_assert_cmpuint (drop (trace, 0)->tcp, ==, 1);
  g_assert_cmpint (drop (trace, 0)->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpstr (drop (trace, 0)->protocol, ==, "TCP");
  g_assert_cmpstr (drop (trace, 0)->direction, ==, "out");
  story_assert_text (trace, drop (trace, 0)->user, "S-1-5-18");
  story_assert_text (trace, drop (trace, 0)->layer_name, "ALE connect v4");
  g_assert_cmpuint (drop (trace, 1)->kind, ==, NS_WFP_CONNECT_BLOCKED);
  g_assert_cmpint (drop (trace, 1)->layer.confidence, ==, NS_CONFIDENCE_CERTAIN);
  g_assert_cmpint (drop (trace, 1)->layer.status, ==, 0xc0000022);
  g_assert_false (drop (trace, 1)->has_filter);
  row = story_activity (trace, 0);
  g_assert_nonnull (row->more);
  g_assert_true (row->more->is_blocked);
  g_assert_cmpuint (row->more->drops, ==, 1);
  story_assert_text (trace, row->more->blocked_by, "filter 70123");
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_WFP, 1, NS_TABLE_TCP, 1),
                   ==,
                   NS_CONFIDENCE_LIKELY);
}

/* Drops on an established connection are counted and change nothing else. */
static void
test_drops_of_an_established_connection_are_counted (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  story_tcp_connect (story, 10, TCB, LOCAL, REMOTE);
  story_write (story, 11.5, STORY_TCPIP, 1033, "SSdddp", LOCAL, REMOTE, 0, story->pid, 1, TCB);
  story_tcp_posted (story, 12, TCB, 100);
  report_drop (story, 20, LOCAL " " REMOTE, IN, 7);
  report_drop (story, 21, LOCAL " " REMOTE, OUT, 7);
  trace = story_open (story, 100);

  row = story_activity (trace, 0);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  g_assert_nonnull (row->more);
  g_assert_cmpuint (row->more->drops, ==, 2);
  g_assert_cmpuint (row->more->blocked_by, ==, NS_STRING_NONE);
  g_assert_false (row->more->is_blocked);
}

/* Outbound drops without a connection make one row per program, peer and filter. */
static void
test_drops_of_no_connection_are_added_up (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_drop (story, 10, "10.0.0.5:50001 1.2.3.4:443", OUT, 7);
  report_drop (story, 20, "10.0.0.5:50002 1.2.3.4:443", OUT, 7);
  report_drop (story, 30, "10.0.0.5:50003 1.2.3.4:443", OUT, 8);
  report_drop (story, 40, "10.0.0.5:3389 203.0.113.9:40001", IN, 9);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->wfp->len, ==, 4);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_cmpuint (story_activity (trace, 0)->protocol, ==, NS_LAYER_WFP);
  g_assert_cmpuint (story_activity (trace, 0)->more->drops, ==, 2);
  g_assert_cmpint (story_activity (trace, 0)->close_ns, ==, 20 * 1000000);
  story_assert_text (trace, story_activity (trace, 0)->method, "Drop");
  story_assert_text (trace, story_activity (trace, 0)->more->blocked_by, "filter 7");
  story_assert_text (trace, story_activity (trace, 1)->more->blocked_by, "filter 8");
  g_assert_cmpuint (drop (trace, 1)->layer.activity, ==, 1);
  g_assert_cmpuint (drop (trace, 3)->layer.activity, ==, 0);
  /* The process that logged the event is not that of the packet. */
  g_assert_cmpuint (drop (trace, 3)->layer.pid, ==, NS_PID_UNKNOWN);
}

/* Of several connections with these endpoints, the one whose connect failed at that time; else
 * none. */
static void
test_of_several_connections_the_failed_one_counts (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_tcp_connect (story, 10, TCB, "10.0.0.5:50001", REMOTE);
  story_tcp_connect (story, 10.1, TCB + 0x1000, "10.0.0.6:50001", REMOTE);
  report_drop (story, 20, LOCAL " " REMOTE, OUT, 7);
  report_drop (story, 50, LOCAL " " REMOTE, OUT, 7);
  report_failure (story, 60, 1034, TCB + 0x1000);
  trace = story_open (story, 400);

  g_assert_cmpuint (drop (trace, 0)->tcp, ==, 2);
  g_assert_cmpuint (drop (trace, 1)->tcp, ==, 2);
  g_assert_cmpstr (drop (trace, 0)->layer.evidence[1], ==, "failed connect");
}

/* TCPIP drop events: only inspection reasons make rows, with the packet count of the event. */
static void
test_only_inspection_makes_rows_of_tcpip (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 10, STORY_TCPIP, 1214, "ddSSdd", 6, 2, LOCAL, REMOTE, 3, 1);
  story_write (story, 20, STORY_TCPIP, 1214, "ddSSdd", 17, 2, LOCAL, REMOTE, 9, 5);
  story_write (story,
               30,
               STORY_TCPIP,
               1215,
               "dd x x ddddd",
               6,
               2,
               "0a000005",
               "01020304",
               0,
               0,
               0x110,
               2,
               6);
  story_write (story, 40, STORY_TCPIP, 1454, "ppddd", TCB, P (0), 0, 1, 0);
  story_write (story, 50, STORY_TCPIP, 1454, "ppddd", TCB, P (0), 0, 0, 0xc0000022);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->wfp->len, ==, 3);
  g_assert_cmpuint (drop (trace, 0)->count, ==, 5);
  g_assert_cmpstr (drop (trace, 0)->protocol, ==, "UDP");
  g_assert_cmpstr (drop (trace, 0)->reason, ==, "inspection");
  g_assert_cmpuint (drop (trace, 1)->count, ==, 2);
  g_assert_null (drop (trace, 1)->direction);
  g_assert_cmpuint (drop (trace, 2)->kind, ==, NS_WFP_INSPECTION_DROP);
  g_assert_cmpuint (drop (trace, 2)->tcp, ==, 0);
}

/* The local endpoint follows from an interface address or from another drop. */
static void
test_interfaces_tell_which_end_is_here (void)
{
  guint way;

  for (way = 0; way < 2; way++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      guint n = way;

      if (way == 0)
        story_write (story, 5, STORY_TCPIP, 1202, "dqdxdd", 3, P (0), 2, "0a000005", 0, 0);
      else
        story_write (story, 5, STORY_WFP, 1001, "qSS", P (0), LOCAL, "5.6.7.8:9");
      story_write (story,
                   30,
                   STORY_TCPIP,
                   1215,
                   "dd x x ddddd",
                   6,
                   2,
                   "0a000005",
                   "01020304",
                   0,
                   0,
                   0x110,
                   2,
                   6);
      story_write (story,
                   40,
                   STORY_TCPIP,
                   1215,
                   "dd x x ddddd",
                   6,
                   2,
                   "01020309",
                   "0a000005",
                   0,
                   0,
                   0x110,
                   1,
                   6);
      trace = story_open (story, 100);

      g_assert_cmpuint (trace->wfp->len, ==, 2 + n);
      g_assert_cmpstr (drop (trace, n)->direction, ==, "out");
      g_assert_cmpuint (drop (trace, n)->layer.activity, !=, 0);
      g_assert_cmpstr (drop (trace, n + 1)->direction, ==, "in");
      g_assert_cmpuint (drop (trace, n + 1)->layer.activity, ==, 0);
      g_assert_true (ns_ip_equal (&drop (trace, n + 1)->local.ip, &drop (trace, n)->local.ip));
    }
}

/* Payloads may be truncated at any length; the complete fields are read. */
static void
test_payloads_may_be_cut_off (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 10, STORY_WFP, 1001, "x", "01");
  story_write (story, 20, STORY_WFP, 1001, "qSSdwx", P (0), LOCAL, REMOTE, 0, APP, "01ff");
  story_write (story, 30, STORY_WFP, 1029, "qSSh", P (0), LOCAL, REMOTE, 0x800);
  story_write (story,
               40,
               STORY_WFP,
               1003,
               "qSSdwxddd",
               P (0),
               LOCAL,
               REMOTE,
               0,
               APP,
               SID,
               1,
               OUT,
               3);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->wfp->len, ==, 3);
  g_assert_cmpuint (drop (trace, 0)->user, ==, NS_STRING_NONE);
  g_assert_false (drop (trace, 0)->has_filter);
  g_assert_cmpint (drop (trace, 0)->loopback, ==, -1);
  g_assert_cmpuint (drop (trace, 1)->layer_id, ==, NS_WFP_NO_LAYER);
  g_assert_cmpuint (drop (trace, 2)->kind, ==, NS_WFP_IPSEC_DROP);
  g_assert_cmpstr (drop (trace, 2)->direction, ==, "out");
}

/* Later versions append fields to those of the first version. */
static void
test_longer_payloads_are_read_as_before (void)
{
  static const char more[] = "ffffffffffffffffffffffffffffffff";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write_version (story,
                       10,
                       STORY_WFP,
                       1001,
                       2,
                       "qSSdwxddddd qh wdd wqw x",
                       P (0),
                       LOCAL,
                       REMOTE,
                       0,
                       APP,
                       SID,
                       0,
                       0,
                       0,
                       OUT,
                       1,
                       P (70123),
                       48,
                       "{switch}",
                       1,
                       2,
                       "enterprise",
                       P (0),
                       "name",
                       more);
  story_write_version (story,
                       20,
                       STORY_WFP,
                       1003,
                       1,
                       "qSSdwxddd qh x",
                       P (0),
                       LOCAL,
                       REMOTE,
                       0,
                       APP,
                       SID,
                       0xc000000d,
                       IN,
                       3,
                       P (7),
                       12,
                       more);
  story_write_version (story,
                       30,
                       STORY_WFP,
                       1029,
                       1,
                       "qSS hddh qh wx",
                       P (0),
                       LOCAL,
                       REMOTE,
                       0x800,
                       1,
                       2,
                       3,
                       P (9),
                       4,
                       "{switch}",
                       more);
  story_write (story, 40, STORY_TCPIP, 1454, "ppddd x", TCB, P (1), 0, 0, 0xc0000022, more);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->wfp->len, ==, 4);
  story_assert_text (trace, drop (trace, 0)->app, APP);
  g_assert_cmpstr (drop (trace, 0)->direction, ==, "out");
  g_assert_cmpint (drop (trace, 0)->loopback, ==, 1);
  g_assert_cmpuint (drop (trace, 0)->filter, ==, 70123);
  g_assert_cmpuint (drop (trace, 0)->layer_id, ==, 48);
  g_assert_cmpint (drop (trace, 1)->layer.status, ==, 0xc000000d);
  g_assert_cmpuint (drop (trace, 1)->filter, ==, 7);
  g_assert_cmpuint (drop (trace, 1)->layer_id, ==, 12);
  g_assert_cmpuint (drop (trace, 2)->filter, ==, 9);
  g_assert_cmpuint (drop (trace, 2)->layer_id, ==, 4);
  g_assert_cmpint (drop (trace, 3)->layer.status, ==, 0xc0000022);
}

#define FILTERS                                                                                    \
  "<wfpstate><providers><item><providerKey>{P}</providerKey><displayData><name>Guard</name>"       \
  "</displayData></item></providers><filters><item><displayData><name>Block &amp; go</name>"       \
  "</displayData><providerKey>{p}</providerKey><filterId>70123</filterId></item></filters>"        \
  "<layer><layerKey>K</layerKey><displayData><name>Connect</name></displayData>"                   \
  "<layerId>48</layerId></layer></wfpstate>"

static void
test_names_of_filters_are_read (void)
{
  g_autoptr (NsSchemaFilters) names = ns_schema_filters_new (FILTERS, strlen (FILTERS), NULL);
  glong n_units;
  g_autofree gunichar2 *wide = g_utf8_to_utf16 ("\xef\xbb\xbf" FILTERS, -1, NULL, &n_units, NULL);
  g_autoptr (NsSchemaFilters) same =
      ns_schema_filters_new ((const char *) wide, (gsize) n_units * 2, NULL);

  g_assert_nonnull (names);
  g_assert_cmpstr (ns_schema_filters_get_name (names, 70123), ==, "Block & go");
  g_assert_cmpstr (ns_schema_filters_get_provider (names, 70123), ==, "Guard");
  g_assert_cmpstr (ns_schema_filters_get_layer (names, 48), ==, "Connect");
  g_assert_null (ns_schema_filters_get_name (names, 1));
  g_assert_nonnull (same);
  g_assert_cmpstr (ns_schema_filters_get_name (same, 70123), ==, "Block & go");
}

static void
assert_refused (const char *xml, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_schema_filters_new (xml, strlen (xml), &error));
  g_assert_nonnull (strstr (error->message, why));
}

/* Files come from untrusted sources. */
static void
test_hostile_files_of_names_are_refused (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GString) wide = g_string_new ("<a ");
  guint i;

  for (i = 0; i < 1000; i++)
    g_string_append (deep, "<a>");
  for (i = 0; i < 20000; i++)
    g_string_append_printf (wide, "b%u='' ", i);
  assert_refused ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "declares");
  assert_refused ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "declares");
  assert_refused ("<a><b></a>", "not XML");
  assert_refused ("<a>&x;</a>", "");
  assert_refused ("", "not XML");
  assert_refused (deep->str, "nested too deeply");
  assert_refused (wide->str, "too long");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/wfp/a-blocked-connect-names-its-filter",
                   test_a_blocked_connect_names_its_filter);
  g_test_add_func ("/wfp/drops-of-an-established-connection-are-counted",
                   test_drops_of_an_established_connection_are_counted);
  g_test_add_func ("/wfp/drops-of-no-connection-are-added-up",
                   test_drops_of_no_connection_are_added_up);
  g_test_add_func ("/wfp/of-several-connections-the-failed-one-counts",
                   test_of_several_connections_the_failed_one_counts);
  g_test_add_func ("/wfp/only-inspection-makes-rows-of-tcpip",
                   test_only_inspection_makes_rows_of_tcpip);
  g_test_add_func ("/wfp/interfaces-tell-which-end-is-here",
                   test_interfaces_tell_which_end_is_here);
  g_test_add_func ("/wfp/payloads-may-be-cut-off", test_payloads_may_be_cut_off);
  g_test_add_func ("/wfp/longer-payloads-are-read-as-before",
                   test_longer_payloads_are_read_as_before);
  g_test_add_func ("/wfp/names-of-filters-are-read", test_names_of_filters_are_read);
  g_test_add_func ("/wfp/hostile-files-of-names-are-refused",
                   test_hostile_files_of_names_are_refused);
  return g_test_run ();
}
