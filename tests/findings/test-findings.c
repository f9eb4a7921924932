/* Tests the rules with a case that each one finds and a near miss that it does not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-trace-cache.h"
#include "finding-claims.h"
#include "findings/ns-findings-private.h"

#include <string.h>

#define PID FINDING_PID

/* Each function makes the rows that its rule finds or, with is_near, a near miss. */

static void
make_d01 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, 2 * SECOND);

  row->dns = 1;
  row_add_name (trace, "host.test", 0, 10 * MS, is_near_miss ? 299 * MS : 301 * MS);
}

static void
make_d03 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_name (trace, "host.test", is_near_miss ? 9003 : 1460, 0, 200 * MS);
}

/* Two hosts of the same name in unrelated domains are not due to a DNS suffix list. */
static void
make_d04 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_name (trace, "intranet.eu.corp.test", 9003, 0, 60 * MS);
  row_add_name (trace,
                is_near_miss ? "intranet.example" : "intranet.corp.test",
                9003,
                60 * MS,
                60 * MS);
}

static void
make_d06 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_name (trace, "host.test", 0, 0, 20 * MS);
  row_add_name (trace, "host.test", is_near_miss ? 9501 : 0, MS, is_near_miss ? 310 * MS : 400 * MS)
      ->type = 28;
}

static void
make_d07 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < 5; i++)
    row_add_name (trace, "host.test", 0, i * (is_near_miss ? 16 : 14) * SECOND, 5 * MS);
}

static void
make_d08 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_tcp (trace, "192.0.2.1:443", 0xc000023d, 0, 3 * SECOND);
  row_add_tcp (trace,
               "192.0.2.1:443",
               0xc000023d,
               is_near_miss ? 61 * SECOND : 59 * SECOND,
               3 * SECOND);
}

static void
make_d09 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_tcp (trace, "192.0.2.1:443", 0xc00000b5, 0, 21 * SECOND);
  /* Another address of the same server responded at once. */
  if (is_near_miss)
    row_add_tcp (trace, "192.0.2.2:443", 0, 21 * SECOND, SECOND);
}

static void
make_d10 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpRow *row = row_add_tcp (trace, "192.0.2.1:443", is_near_miss ? 0xc0000236 : 0, 0, SECOND);

  test_extra (row)->retransmits = test_extra (row)->syn_retransmits = 1;
}

static void
make_d11 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_tcp (trace, "192.0.2.1:443", is_near_miss ? 0xc0000120 : 0xc0000236, 0, 30 * MS);
}

static void
make_d12 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0, 0, 3 * SECOND);
  NsActivityRow *row = row_add_request (trace,
                                        "https://host.test/",
                                        is_near_miss ? 200 : 0,
                                        SECOND,
                                        is_near_miss ? SECOND : 2 * SECOND);

  tcp->status = 0xc000020d;
  row->tcp = 1;
  row->failed = !is_near_miss;
}

static void
make_d14 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0, 0, 30 * SECOND);

  tcp->status = is_near_miss ? 0xc000020d : 0xc00000b5;
  tcp->last_data_ns = 9 * SECOND;
}

static void
make_d15 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "connect", is_near_miss ? 0xc0000236 : 0xc0000022, 0, 0);
}

static void
make_d16 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_tcp (trace, "[2001:db8::1]:443", 0xc000023c, 0, MS);
  if (is_near_miss)
    row_add_tcp (trace, "192.0.2.2:443", 0, 2 * MS, SECOND);
}

static void
make_d17 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0, 0, 30 * SECOND);

  tcp->sent = 1460000;
  test_extra (tcp)->retransmits = is_near_miss ? 9 : 12;
  test_extra (tcp)->retransmitted_bytes = 17520;
}

static void
make_d22 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < 100; i++)
    row_add_call (trace, "send", 0, i * (is_near_miss ? 3 * MS : MS / 5), 40);
}

static void
make_d24 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, 2 * SECOND);

  test_phases (row)[NS_PHASE_CONNECT] = 100 * MS;
  test_phases (row)[NS_PHASE_TLS] = is_near_miss ? 399 * MS : 400 * MS;
}

/* On separate connections, NTLM needs both legs each time. */
static void
make_d28 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < 6; i++)
    row_add_request (trace, "https://host.test/ews", i % 2 == 0 ? 401 : 200, i * SECOND, 50 * MS)
        ->connection = is_near_miss ? 1 + i : 1;
}

static void
make_d30 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < (is_near_miss ? 2 : 3); i++)
    row_add_request (trace, "https://host.test/item/12345", 404, i * i * SECOND, 50 * MS);
}

static void
make_d31 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < 4; i++)
    {
      g_autofree char *url = g_strdup_printf ("https://host.test/%c", 'a' + i);
      NsActivityRow *row = row_add_request (trace, url, 302, i * 200 * MS, 150 * MS);

      row->webio = 1;
      row->redirected = i < (is_near_miss ? 2 : 3);
    }
}

static void
make_d32 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < 7; i++)
    {
      /* Requests that start together could not have shared a connection. */
      NsActivityRow *row = row_add_request (trace,
                                            "https://host.test/",
                                            200,
                                            i * (is_near_miss ? MS : i * SECOND),
                                            90 * MS);

      row->reused = 0;
      test_phases (row)[NS_PHASE_CONNECT] = 20 * MS;
    }
}

/* Sixty sockets that stay open and six that are closed; the near miss opens as many at once, like a
 * connection pool. */
static void
make_d33 (NsTrace *trace, gboolean is_near_miss)
{
  const guint64 frames[] = { 0x7ff700001000, 0x7ff700002000 };
  NsStackId stack = ns_stacks_add (trace->stacks, PID, frames, G_N_ELEMENTS (frames));
  guint i;

  for (i = 0; i < 66; i++)
    {
      NsWinsockRow *row = test_trace_add_winsock (trace);

      row->pid = PID;
      row->endpoint = 0x1000 + i;
      row->remote = row_end (trace, "192.0.2.1:443");
      row->connect_ns = row->first_data_ns = NS_TIME_NONE;
      row->stack = stack;
      row->open_ns = i * (is_near_miss ? SECOND / 2 : 9 * SECOND);
      row->close_ns = i % 11 == 10 ? row->open_ns + SECOND : NS_TIME_OPEN;
    }
}

static void
make_d34 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row;

  row_add_request (trace, "https://host.test/a", 200, 0, SECOND);
  row_add_request (trace, "https://host.test/b", 200, MS, is_near_miss ? 5 * MS : SECOND);
  row = row_add_request (trace, "https://host.test/c", 200, 10 * MS, SECOND);
  test_phases (row)[NS_PHASE_QUEUE] = 150 * MS;
  row->link = 1; /* a pool thread created it, which does not matter */
}

static void
make_d35 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_tcp (trace, "[2001:db8::1]:443", 0xc00000b5, 0, is_near_miss ? 240 * MS : 21 * SECOND);
  row_add_tcp (trace, "192.0.2.2:443", 0, is_near_miss ? 240 * MS : 21 * SECOND, SECOND);
}

static void
make_d36 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_tcp (trace, "[::1]:8080", 0xc0000236, 0, is_near_miss ? 399 * MS : 2 * SECOND);
}

static void
make_d37 (NsTrace *trace, gboolean is_near_miss)
{
  NsTaskRow *task = test_trace_add (trace->tasks);

  task->kind = is_near_miss ? NS_TASK_TIMER : NS_TASK_POOL;
  task->pid = PID;
  task->used = TRUE;
  task->create_ns = SECOND;
  task->start_ns = SECOND + 60 * MS;
}

static void
make_d39 (NsTrace *trace, gboolean is_near_miss)
{
  guint i;

  for (i = 0; i < 12; i++)
    row_add_request (trace,
                     "https://host.test/status?n=1",
                     200,
                     i * 10 * SECOND + (is_near_miss && i % 2 == 0 ? 6 * SECOND : 0),
                     50 * MS)
        ->reused = 1;
}

static void
make_d40 (NsTrace *trace, gboolean is_near_miss)
{
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0, 0, 300 * SECOND);

  tcp->status = 0xc00000b5;
  test_extra (tcp)->retransmits = 5;
  row_add_call (trace, "send", 0, SECOND, 100);
  row_add_call (trace, "recv", 0, 2 * SECOND, 100);
  row_add_call (trace, "send", 0, is_near_miss ? 61 * SECOND : 70 * SECOND, 100);
  g_array_index (trace->winsock, NsWinsockRow, 0).tcp = 1;
}

static void
make_d41 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_call (trace, "bind", is_near_miss ? 0 : 0xc0000209, 0, 0);
}

static void
make_d42 (NsTrace *trace, gboolean is_near_miss)
{
  NsLdapRow *ldap = test_trace_add (trace->ldap);

  ldap->pid = PID;
  ldap->filter = row_text (trace, "(mail=*a)");
  ldap->server = row_text (trace, "dc.test");
  ldap->open_ns = 0;
  ldap->close_ns = is_near_miss ? 499 * MS : 500 * MS;
}

static void
make_d43 (NsTrace *trace, gboolean is_near_miss)
{
  NsActivityRow *row =
      row_add_request (trace,
                       is_near_miss ? "https://host.test/longpoll" : "https://host.test/a",
                       200,
                       0,
                       3 * SECOND);

  row->first_byte_ns = 2 * SECOND;
  test_phases (row)[NS_PHASE_CONNECT] = 30 * MS;
  test_phases (row)[NS_PHASE_WAIT] = 1500 * MS;
}

static void
make_d45 (NsTrace *trace, gboolean is_near_miss)
{
  row_add_request (trace, "https://host.test/", 200, 0, MS);
  if (!is_near_miss)
    return;
  row_add_name (trace, "host.test", 0, 0, MS);
  row_add_tcp (trace, "192.0.2.1:443", 0, 0, MS);
  row_add_call (trace, "send", 0, 0, 100);
  trace->n_stacks_attached = 1;
}

static const FindingClaim claims[] = {
  { "D01", make_d01, NS_SEVERITY_WARNING, 301 * MS, "resolving host.test took up to 301 ms" },
  { "D03", make_d03, NS_SEVERITY_PROBLEM, 200 * MS, "no DNS server answered for host.test" },
  { "D04", make_d04, NS_SEVERITY_WARNING, 120 * MS, "“intranet” was tried unsuccessfully as" },
  { "D06", make_d06, NS_SEVERITY_WARNING, 381 * MS, "(AAAA) for host.test arrived 381 ms after" },
  { "D07", make_d07, NS_SEVERITY_WARNING, 25 * MS, "5 times within 56.00 s" },
  { "D08", make_d08, NS_SEVERITY_PROBLEM, 6 * SECOND, "2 connects to host.test (192.0.2.1:443)" },
  { "D09", make_d09, NS_SEVERITY_PROBLEM, 21 * SECOND, "did not answer within 21.00 s" },
  { "D10", make_d10, NS_SEVERITY_WARNING, 0, "(connects: 1, SYNs retransmitted: 1)" },
  { "D11", make_d11, NS_SEVERITY_WARNING, 30 * MS, "(192.0.2.1:443) refused the connection" },
  { "D12", make_d12, NS_SEVERITY_PROBLEM, 2 * SECOND, "reset the connection before" },
  { "D14", make_d14, NS_SEVERITY_PROBLEM, 21 * SECOND, "after 21.00 s without a reply" },
  { "D15", make_d15, NS_SEVERITY_PROBLEM, MS / 10, "was not allowed on this machine" },
  { "D16", make_d16, NS_SEVERITY_PROBLEM, MS, "there was no route to host.test" },
  { "D17",
    make_d17,
    NS_SEVERITY_WARNING,
    0,
    "12 of 1012 segments to host.test were retransmitted (1.1 %)" },
  { "D22", make_d22, NS_SEVERITY_WARNING, 0, "99 of 100 sends to 192.0.2.1:443 had 40 bytes" },
  { "D24", make_d24, NS_SEVERITY_WARNING, 400 * MS, "with a round-trip time of 100 ms" },
  { "D28",
    make_d28,
    NS_SEVERITY_WARNING,
    150 * MS,
    "requested authentication 3 times (scheme not recorded), of 6" },
  { "D30", make_d30, NS_SEVERITY_WARNING, 150 * MS, "host.test/item/* answered 404 (times: 3)" },
  { "D31", make_d31, NS_SEVERITY_WARNING, 450 * MS, "3 redirects took 450 ms" },
  { "D32", make_d32, NS_SEVERITY_WARNING, 120 * MS, "6 of 7 requests to host.test opened a new" },
  { "D33", make_d33, NS_SEVERITY_WARNING, 0, "0x7ff700001000 opened 66 sockets and closed 6;" },
  { "D34", make_d34, NS_SEVERITY_WARNING, 150 * MS, "waited up to 150 ms" },
  { "D35",
    make_d35,
    NS_SEVERITY_PROBLEM,
    21 * SECOND,
    "up to 21.00 s was spent on connecting to 2001:db8::1," },
  { "D36", make_d36, NS_SEVERITY_WARNING, 2 * SECOND, "Windows tried for 2.00 s" },
  { "D37", make_d37, NS_SEVERITY_WARNING, 60 * MS, "waited up to 60 ms in" },
  { "D39",
    make_d39,
    NS_SEVERITY_INFO,
    0,
    "requested host.test/status every 10.00 s (times: 12, failed: 0)" },
  { "D40", make_d40, NS_SEVERITY_WARNING, 230 * SECOND, "after 68.00 s without traffic" },
  { "D41", make_d41, NS_SEVERITY_PROBLEM, MS / 10, "no local port or buffer was left" },
  { "D42", make_d42, NS_SEVERITY_WARNING, 500 * MS, "probably could not use an index" },
  { "D43", make_d43, NS_SEVERITY_WARNING, 1500 * MS, "needed up to 1.50 s before its first byte;" },
  { "D45", make_d45, NS_SEVERITY_INFO, NS_UNKNOWN, "as these events are missing: D01: " },
};

/* A provider that was recorded and logged nothing is sufficient for "no problem". */
static void
test_a_silent_provider_is_enough_to_judge (void)
{
  NsTrace *trace = test_trace_new (SECOND);
  const NsGuid dns =
      NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d);

  row_add_kind (trace, &dns, 3006, 4, 0);
  g_assert_cmpint (finding_of (trace, "D01")->verdict, ==, NS_VERDICT_NOT_FOUND);
  g_assert_cmpint (finding_of (trace, "D09")->verdict, ==, NS_VERDICT_UNJUDGED);
  test_trace_free (trace);
}

static void
test_the_dearest_comes_first_and_equal_ones_are_one (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const GArray *findings;
  const NsFindingRow *first;
  const NsFindingRow *second;
  NsSeverity worst;

  row_add_tcp (trace, "192.0.2.1:443", 0xc0000236, 0, 30 * MS);
  row_add_tcp (trace, "192.0.2.9:443", 0xc00000b5, 0, 21 * SECOND)->server =
      row_text (trace, "b.test");
  row_add_tcp (trace, "192.0.2.9:443", 0xc00000b5, 10 * SECOND, 21 * SECOND)->server =
      row_text (trace, "b.test");
  findings = ns_findings_get (trace);
  first = &g_array_index (findings, NsFindingRow, 0);
  second = &g_array_index (findings, NsFindingRow, 1);
  g_assert_cmpstr (first->rule, ==, "D09");
  g_assert_cmpuint (first->count, ==, 2);
  /* The 11 seconds in which both requests waited count once. */
  g_assert_cmpint (first->cost_ns, ==, 31 * SECOND);
  g_assert_cmpint (first->open_ns, ==, 0);
  g_assert_cmpint (first->close_ns, ==, 31 * SECOND);
  g_assert_cmpuint (first->activities->len, ==, 1);
  g_assert_cmpuint (first->refs->len, ==, 2);
  g_assert_cmpstr (second->rule, ==, "D11");
  g_assert_cmpuint (ns_findings_count (trace, &worst), ==, 3);
  g_assert_cmpint (worst, ==, NS_SEVERITY_PROBLEM);
  g_assert_true (ns_findings_get (trace) == findings);
  test_trace_free (trace);
}

/* A slow DNS lookup that nothing waited for is only informational. */
static void
test_a_name_asked_for_beforehand_is_no_warning (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  row_add_name (trace, "host.test", 0, 0, 3 * SECOND);
  g_assert_cmpint (finding_of (trace, "D01")->severity, ==, NS_SEVERITY_INFO);
  test_trace_free (trace);
}

/* Lists the rules that found something wrong with an operation by a search through all findings. */
static GPtrArray *
list_rules_slowly (const NsTrace *trace, NsRow activity)
{
  const GArray *findings = ns_findings_get (trace);
  GPtrArray *rules = g_ptr_array_new ();
  guint i;
  guint j;

  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      for (j = 0; row->verdict == NS_VERDICT_FOUND && j < row->activities->len; j++)
        if (g_array_index (row->activities, NsRow, j) == activity &&
            !g_ptr_array_find (rules, row->rule, NULL))
          g_ptr_array_add (rules, (gpointer) row->rule);
    }
  return rules;
}

/* The rows of all findings are indexed once, not searched again for each operation. */
static void
test_the_rules_of_an_operation_are_looked_up_in_one_list (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  const char *rules[NS_FINDING_MAX_RULES];
  const NsFindingsKept *kept;
  guint n_named = 0;
  guint n_with_two = 0;
  guint i;
  guint j;

  for (i = 0; i < 300; i++)
    {
      g_autofree char *url = g_strdup_printf ("https://host.test/%u", i % 7);
      NsActivityRow *row = row_add_request (trace, url, i % 3 == 0 ? 503 : 200, i * SECOND, SECOND);

      if (i % 2 == 0)
        test_phases (row)[NS_PHASE_WAIT] = 2 * SECOND;
      row->first_byte_ns = row->open_ns + 2 * SECOND;
    }
  row_add_tcp (trace, "192.0.2.1:443", 0xc0000236, 0, 30 * MS); /* not part of an operation */
  for (i = 0; i < ns_findings_get (trace)->len; i++)
    {
      const NsFindingRow *row = &g_array_index (ns_findings_get (trace), NsFindingRow, i);

      n_named += row->verdict == NS_VERDICT_FOUND ? row->activities->len : 0;
    }
  g_assert_cmpuint (n_named, >, 100);
  kept = ns_trace_cache_get (trace->cache, NS_CACHE_FINDINGS);
  g_assert_cmpuint (kept->rules->len, <=, n_named);
  for (i = 0; i <= trace->activities->len + 1; i++)
    {
      g_autoptr (GPtrArray) wanted = list_rules_slowly (trace, i);
      guint n_rules = ns_findings_get_rules (trace, i, rules, G_N_ELEMENTS (rules));

      if (i == 0 || i > trace->activities->len)
        g_ptr_array_set_size (wanted, 0);
      n_with_two += n_rules >= 2;
      g_assert_cmpuint (n_rules, ==, wanted->len);
      for (j = 0; j < n_rules; j++)
        g_assert_cmpstr (rules[j], ==, g_ptr_array_index (wanted, j));
      g_assert_cmpuint (ns_findings_get_rules (trace, i, rules, 1), ==, MIN (n_rules, 1));
    }
  g_assert_cmpuint (n_with_two, >, 0);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  finding_claims_add (claims, G_N_ELEMENTS (claims));
  g_test_add_func ("/findings/a-silent-provider-is-enough-to-judge",
                   test_a_silent_provider_is_enough_to_judge);
  g_test_add_func ("/findings/the-dearest-comes-first-and-equal-ones-are-one",
                   test_the_dearest_comes_first_and_equal_ones_are_one);
  g_test_add_func ("/findings/a-name-asked-for-beforehand-is-no-warning",
                   test_a_name_asked_for_beforehand_is_no_warning);
  g_test_add_func ("/findings/the-rules-of-an-operation-are-looked-up-in-one-list",
                   test_the_rules_of_an_operation_are_looked_up_in_one_list);
  return g_test_run ();
}
