/* Claims about the rules: what each one finds, and the near miss that it does not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-finding.h"
#include "ns-test-trace.h"

#include <string.h>

#define MS G_GINT64_CONSTANT (1000000)
#define SECOND (1000 * MS)
#define PID 300

static NsString
text (NsTrace *trace, const char *chars)
{
  return ns_strings_add (trace->strings, chars);
}

static NsEndpoint
endpoint (const char *chars)
{
  NsEndpoint result = { 0 };

  g_assert_true (ns_endpoint_from_text (&result, chars));
  return result;
}

static NsDnsRow *
add_name (NsTrace *trace, const char *name, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsDnsRow *row = test_trace_add (trace->dns);

  row->query = text (trace, name);
  row->type = 1;
  row->status = status;
  row->has_status = TRUE;
  row->source = "network";
  row->pid = PID;
  row->open_ns = open_ns;
  row->close_ns = open_ns + length_ns;
  return row;
}

static NsTcpRow *
add_tcp (NsTrace *trace, const char *remote, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsTcpRow *row = test_trace_add (trace->tcp);

  row->pid = PID;
  row->remote = endpoint (remote);
  row->server = text (trace, "host.test");
  row->state = status == 0 ? "Close" : "Connect_Fail";
  row->status = status;
  row->rtt_us = NS_UNKNOWN;
  row->open_ns = open_ns;
  row->close_ns = open_ns + length_ns;
  row->shutdown_ns = row->first_data_ns = row->last_data_ns = NS_TIME_NONE;
  row->activity = 1;
  return row;
}

static NsActivityRow *
add_request (NsTrace *trace, const char *url, guint32 status, gint64 open_ns, gint64 length_ns)
{
  NsActivityRow *row = test_trace_add_activity (trace, "host.test", open_ns);

  row->protocol = row->layers = NS_LAYER_WINHTTP;
  row->pid = PID;
  row->url = text (trace, url);
  row->method = text (trace, "GET");
  row->http_status = status;
  row->close_ns = open_ns + length_ns;
  row->failed = status >= 400;
  test_trace_add (trace->webio);
  row->webio = trace->activities->len;
  return row;
}

static NsCallRow *
add_call (NsTrace *trace, const char *call, guint32 status, gint64 open_ns, gint64 length)
{
  NsCallRow *row;

  if (trace->winsock->len == 0)
    {
      NsWinsockRow *socket = test_trace_add (trace->winsock);

      socket->pid = PID;
      socket->socket_type = 1;
      socket->remote = endpoint ("192.0.2.1:443");
    }
  row = test_trace_add (trace->calls);
  row->call = call;
  row->pid = PID;
  row->winsock = 1;
  row->remote = endpoint ("192.0.2.1:443");
  row->status = status;
  row->status_family = NS_CODE_NTSTATUS;
  row->has_status = TRUE;
  row->length = length;
  row->open_ns = open_ns;
  row->close_ns = open_ns + MS / 10;
  return row;
}

/* Each makes what its rule is for, or what only looks like it. */

static void
make_d01 (NsTrace *trace, gboolean is_near)
{
  NsActivityRow *row = add_request (trace, "https://host.test/", 200, 0, 2 * SECOND);

  row->dns = 1;
  add_name (trace, "host.test", 0, 10 * MS, is_near ? 299 * MS : 301 * MS);
}

static void
make_d03 (NsTrace *trace, gboolean is_near)
{
  add_name (trace, "host.test", is_near ? 9003 : 1460, 0, 200 * MS);
}

/* Two hosts of the same name in unrelated domains are no list of suffixes. */
static void
make_d04 (NsTrace *trace, gboolean is_near)
{
  add_name (trace, "intranet.eu.corp.test", 9003, 0, 60 * MS);
  add_name (trace, is_near ? "intranet.example" : "intranet.corp.test", 9003, 60 * MS, 60 * MS);
}

static void
make_d06 (NsTrace *trace, gboolean is_near)
{
  add_name (trace, "host.test", 0, 0, 20 * MS);
  add_name (trace, "host.test", is_near ? 9501 : 0, MS, is_near ? 310 * MS : 400 * MS)->type = 28;
}

static void
make_d07 (NsTrace *trace, gboolean is_near)
{
  guint i;

  for (i = 0; i < 5; i++)
    add_name (trace, "host.test", 0, i * (is_near ? 16 : 14) * SECOND, 5 * MS);
}

static void
make_d08 (NsTrace *trace, gboolean is_near)
{
  add_tcp (trace, "192.0.2.1:443", 0xc000023d, 0, 3 * SECOND);
  add_tcp (trace, "192.0.2.1:443", 0xc000023d, is_near ? 61 * SECOND : 59 * SECOND, 3 * SECOND);
}

static void
make_d09 (NsTrace *trace, gboolean is_near)
{
  add_tcp (trace, "192.0.2.1:443", 0xc00000b5, 0, 21 * SECOND);
  /* Another address of the same server answered at once. */
  if (is_near)
    add_tcp (trace, "192.0.2.2:443", 0, 21 * SECOND, SECOND);
}

static void
make_d10 (NsTrace *trace, gboolean is_near)
{
  NsTcpRow *row = add_tcp (trace, "192.0.2.1:443", is_near ? 0xc0000236 : 0, 0, SECOND);

  row->retransmits = row->syn_retransmits = 1;
}

static void
make_d11 (NsTrace *trace, gboolean is_near)
{
  add_tcp (trace, "192.0.2.1:443", is_near ? 0xc0000120 : 0xc0000236, 0, 30 * MS);
}

static void
make_d12 (NsTrace *trace, gboolean is_near)
{
  NsTcpRow *tcp = add_tcp (trace, "192.0.2.1:443", 0, 0, 3 * SECOND);
  NsActivityRow *row = add_request (trace,
                                    "https://host.test/",
                                    is_near ? 200 : 0,
                                    SECOND,
                                    is_near ? SECOND : 2 * SECOND);

  tcp->status = 0xc000020d;
  row->tcp = 1;
  row->failed = !is_near;
}

static void
make_d14 (NsTrace *trace, gboolean is_near)
{
  NsTcpRow *tcp = add_tcp (trace, "192.0.2.1:443", 0, 0, 30 * SECOND);

  tcp->status = is_near ? 0xc000020d : 0xc00000b5;
  tcp->last_data_ns = 9 * SECOND;
}

static void
make_d15 (NsTrace *trace, gboolean is_near)
{
  add_call (trace, "connect", is_near ? 0xc0000236 : 0xc0000022, 0, 0);
}

static void
make_d16 (NsTrace *trace, gboolean is_near)
{
  add_tcp (trace, "[2001:db8::1]:443", 0xc000023c, 0, MS);
  if (is_near)
    add_tcp (trace, "192.0.2.2:443", 0, 2 * MS, SECOND);
}

static void
make_d17 (NsTrace *trace, gboolean is_near)
{
  NsTcpRow *tcp = add_tcp (trace, "192.0.2.1:443", 0, 0, 30 * SECOND);

  tcp->sent = 1460000;
  tcp->retransmits = is_near ? 9 : 12;
  tcp->retransmitted_bytes = 17520;
}

static void
make_d22 (NsTrace *trace, gboolean is_near)
{
  guint i;

  for (i = 0; i < 100; i++)
    add_call (trace, "send", 0, i * (is_near ? 3 * MS : MS / 5), 40);
}

static void
make_d24 (NsTrace *trace, gboolean is_near)
{
  NsActivityRow *row = add_request (trace, "https://host.test/", 200, 0, 2 * SECOND);

  test_phases (row)[NS_PHASE_CONNECT] = 100 * MS;
  test_phases (row)[NS_PHASE_TLS] = is_near ? 399 * MS : 400 * MS;
}

/* NTLM on a connection of its own each time needs its two legs. */
static void
make_d28 (NsTrace *trace, gboolean is_near)
{
  guint i;

  for (i = 0; i < 6; i++)
    add_request (trace, "https://host.test/ews", i % 2 == 0 ? 401 : 200, i * SECOND, 50 * MS)
        ->connection = is_near ? 1 + i : 1;
}

static void
make_d30 (NsTrace *trace, gboolean is_near)
{
  guint i;

  for (i = 0; i < (is_near ? 2 : 3); i++)
    add_request (trace, "https://host.test/item/12345", 404, i * i * SECOND, 50 * MS);
}

static void
make_d31 (NsTrace *trace, gboolean is_near)
{
  guint i;

  for (i = 0; i < 4; i++)
    {
      g_autofree char *url = g_strdup_printf ("https://host.test/%c", 'a' + i);
      NsActivityRow *row = add_request (trace, url, 302, i * 200 * MS, 150 * MS);

      row->webio = 1;
      row->redirected = i < (is_near ? 2 : 3);
    }
}

static void
make_d32 (NsTrace *trace, gboolean is_near)
{
  guint i;

  for (i = 0; i < 7; i++)
    {
      /* Those that begin together could not have shared a connection. */
      NsActivityRow *row =
          add_request (trace, "https://host.test/", 200, i * (is_near ? MS : i * SECOND), 90 * MS);

      row->reused = 0;
      test_phases (row)[NS_PHASE_CONNECT] = 20 * MS;
    }
}

/* Sixty that stay open and six that do not; near: as many, all at once, as a pool makes them. */
static void
make_d33 (NsTrace *trace, gboolean is_near)
{
  const guint64 frames[] = { 0x7ff700001000, 0x7ff700002000 };
  NsStackId stack = ns_stacks_add (trace->stacks, PID, frames, G_N_ELEMENTS (frames));
  guint i;

  for (i = 0; i < 66; i++)
    {
      NsWinsockRow *row = test_trace_add (trace->winsock);

      row->pid = PID;
      row->endpoint = 0x1000 + i;
      row->remote = endpoint ("192.0.2.1:443");
      row->connect_ns = row->first_data_ns = NS_TIME_NONE;
      row->stack = stack;
      row->open_ns = i * (is_near ? SECOND / 2 : 9 * SECOND);
      row->close_ns = i % 11 == 10 ? row->open_ns + SECOND : NS_TIME_OPEN;
    }
}

static void
make_d34 (NsTrace *trace, gboolean is_near)
{
  add_request (trace, "https://host.test/a", 200, 0, SECOND);
  add_request (trace, "https://host.test/b", 200, MS, is_near ? 5 * MS : SECOND);
  test_phases (add_request (trace, "https://host.test/c", 200, 10 * MS, SECOND))[NS_PHASE_QUEUE] =
      150 * MS;
}

static void
make_d35 (NsTrace *trace, gboolean is_near)
{
  add_tcp (trace, "[2001:db8::1]:443", 0xc00000b5, 0, is_near ? 240 * MS : 21 * SECOND);
  add_tcp (trace, "192.0.2.2:443", 0, is_near ? 240 * MS : 21 * SECOND, SECOND);
}

static void
make_d36 (NsTrace *trace, gboolean is_near)
{
  add_tcp (trace, "[::1]:8080", 0xc0000236, 0, is_near ? 399 * MS : 2 * SECOND);
}

static void
make_d37 (NsTrace *trace, gboolean is_near)
{
  NsTaskRow *task = test_trace_add (trace->tasks);

  task->kind = is_near ? NS_TASK_TIMER : NS_TASK_POOL;
  task->pid = PID;
  task->used = TRUE;
  task->create_ns = SECOND;
  task->start_ns = SECOND + 60 * MS;
}

static void
make_d39 (NsTrace *trace, gboolean is_near)
{
  guint i;

  for (i = 0; i < 12; i++)
    add_request (trace,
                 "https://host.test/status?n=1",
                 200,
                 i * 10 * SECOND + (is_near && i % 2 == 0 ? 6 * SECOND : 0),
                 50 * MS)
        ->reused = 1;
}

static void
make_d40 (NsTrace *trace, gboolean is_near)
{
  NsTcpRow *tcp = add_tcp (trace, "192.0.2.1:443", 0, 0, 300 * SECOND);

  tcp->status = 0xc00000b5;
  tcp->retransmits = 5;
  add_call (trace, "send", 0, SECOND, 100);
  add_call (trace, "recv", 0, 2 * SECOND, 100);
  add_call (trace, "send", 0, is_near ? 61 * SECOND : 70 * SECOND, 100);
  g_array_index (trace->winsock, NsWinsockRow, 0).tcp = 1;
}

static void
make_d41 (NsTrace *trace, gboolean is_near)
{
  add_call (trace, "bind", is_near ? 0 : 0xc0000209, 0, 0);
}

static void
make_d42 (NsTrace *trace, gboolean is_near)
{
  NsLdapRow *ldap = test_trace_add (trace->ldap);

  ldap->pid = PID;
  ldap->filter = text (trace, "(mail=*a)");
  ldap->server = text (trace, "dc.test");
  ldap->open_ns = 0;
  ldap->close_ns = is_near ? 499 * MS : 500 * MS;
}

static void
make_d43 (NsTrace *trace, gboolean is_near)
{
  NsActivityRow *row = add_request (trace,
                                    is_near ? "https://host.test/longpoll" : "https://host.test/a",
                                    200,
                                    0,
                                    3 * SECOND);

  row->first_byte_ns = 2 * SECOND;
  test_phases (row)[NS_PHASE_CONNECT] = 30 * MS;
  test_phases (row)[NS_PHASE_WAIT] = 1500 * MS;
}

static void
make_d45 (NsTrace *trace, gboolean is_near)
{
  add_request (trace, "https://host.test/", 200, 0, MS);
  if (!is_near)
    return;
  add_name (trace, "host.test", 0, 0, MS);
  add_tcp (trace, "192.0.2.1:443", 0, 0, MS);
  add_call (trace, "send", 0, 0, 100);
  trace->n_stacks_attached = 1;
}

typedef struct
{
  const char *rule;
  void (*make) (NsTrace *trace, gboolean is_near);
  NsSeverity severity;
  gint64 cost_ns;
  const char *said; /* a part of the sentence */
} Claim;

static const Claim claims[] = {
  { "D01", make_d01, NS_SEVERITY_WARNING, 301 * MS, "resolving host.test took up to 301 ms" },
  { "D03", make_d03, NS_SEVERITY_PROBLEM, 200 * MS, "no DNS server answered for host.test" },
  { "D04", make_d04, NS_SEVERITY_WARNING, 120 * MS, "“intranet” was tried in vain as" },
  { "D06", make_d06, NS_SEVERITY_WARNING, 381 * MS, "(AAAA) for host.test came 381 ms after" },
  { "D07", make_d07, NS_SEVERITY_INFO, 25 * MS, "5 times within 56.00 s" },
  { "D08", make_d08, NS_SEVERITY_PROBLEM, 6 * SECOND, "2 connects to host.test (192.0.2.1:443)" },
  { "D09", make_d09, NS_SEVERITY_PROBLEM, 21 * SECOND, "did not answer within 21.00 s" },
  { "D10", make_d10, NS_SEVERITY_WARNING, 0, "(connects: 1, sent again: 1)" },
  { "D11", make_d11, NS_SEVERITY_WARNING, 30 * MS, "(192.0.2.1:443) refused the connection" },
  { "D12", make_d12, NS_SEVERITY_PROBLEM, 2 * SECOND, "reset the connection before" },
  { "D14", make_d14, NS_SEVERITY_PROBLEM, 21 * SECOND, "up after 21.00 s without an answer" },
  { "D15", make_d15, NS_SEVERITY_WARNING, MS / 10, "was not allowed on this machine" },
  { "D16", make_d16, NS_SEVERITY_WARNING, MS, "there was no route to host.test" },
  { "D17", make_d17, NS_SEVERITY_WARNING, 0, "12 segments to host.test were sent again, 1.2 %" },
  { "D22", make_d22, NS_SEVERITY_WARNING, 0, "99 of 100 sends to 192.0.2.1:443 were of 40 bytes" },
  { "D24", make_d24, NS_SEVERITY_WARNING, 400 * MS, "at a round trip of 100 ms" },
  { "D28", make_d28, NS_SEVERITY_WARNING, 150 * MS, "asked 3 times for a log-on, of 6 requests" },
  { "D30", make_d30, NS_SEVERITY_WARNING, 150 * MS, "host.test/item/* answered 404 (times: 3)" },
  { "D31", make_d31, NS_SEVERITY_WARNING, 450 * MS, "3 redirects took 450 ms" },
  { "D32", make_d32, NS_SEVERITY_WARNING, 120 * MS, "6 of 7 requests to host.test opened a new" },
  { "D33", make_d33, NS_SEVERITY_WARNING, 0, "0x7ff700001000 opened 66 sockets and closed 6;" },
  { "D34", make_d34, NS_SEVERITY_WARNING, 150 * MS, "waited up to 150 ms" },
  { "D35", make_d35, NS_SEVERITY_WARNING, 21 * SECOND, "up to 21.00 s went to 2001:db8::1" },
  { "D36", make_d36, NS_SEVERITY_WARNING, 2 * SECOND, "Windows tried for 2.00 s" },
  { "D37", make_d37, NS_SEVERITY_WARNING, 60 * MS, "waited up to 60 ms in" },
  { "D39", make_d39, NS_SEVERITY_INFO, 0, "asks for host.test/status every 10.00 s (times: 12)" },
  { "D40", make_d40, NS_SEVERITY_PROBLEM, 230 * SECOND, "after 68.00 s without traffic" },
  { "D41", make_d41, NS_SEVERITY_PROBLEM, MS / 10, "no local port or buffer was left" },
  { "D42", make_d42, NS_SEVERITY_WARNING, 500 * MS, "probably cannot use an index" },
  { "D43", make_d43, NS_SEVERITY_WARNING, 1500 * MS, "needed up to 1.50 s before its first byte" },
  { "D45", make_d45, NS_SEVERITY_INFO, NS_UNKNOWN, "The trace has nothing about: names" },
};

/* What the rule says; exactly one row. */
static const NsFindingRow *
find (NsTrace *trace, const char *rule)
{
  const GArray *findings = ns_findings_get (trace);
  const NsFindingRow *found = NULL;
  guint i;

  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      if (strcmp (row->rule, rule) == 0)
        {
          g_assert_null (found);
          found = row;
        }
    }
  g_assert_nonnull (found);
  return found;
}

static void
test_a_rule_finds_what_it_is_for (gconstpointer user_data)
{
  const Claim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;

  claim->make (trace, FALSE);
  row = find (trace, claim->rule);
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (row->severity, ==, claim->severity);
  g_assert_cmpint (row->cost_ns, ==, claim->cost_ns);
  if (strstr (row->text, claim->said) == NULL)
    g_error ("%s says: %s", claim->rule, row->text);
  g_assert_true (g_str_has_suffix (row->text, "."));
  if (strcmp (claim->rule, "D45") != 0)
    g_assert_cmpuint (row->refs->len, >, 0);
  test_trace_free (trace);
}

static void
test_a_rule_lets_a_near_miss_be (gconstpointer user_data)
{
  const Claim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);

  claim->make (trace, TRUE);
  g_assert_cmpint (find (trace, claim->rule)->verdict, ==, NS_VERDICT_NOT_FOUND);
  test_trace_free (trace);
}

/* “No problem” is never said of what was not recorded. */
static void
test_a_rule_does_not_judge_what_was_not_recorded (gconstpointer user_data)
{
  const Claim *claim = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row = find (trace, claim->rule);

  if (strcmp (claim->rule, "D45") == 0)
    g_assert_cmpint (row->verdict, ==, NS_VERDICT_NOT_FOUND);
  else
    {
      g_assert_cmpint (row->verdict, ==, NS_VERDICT_UNJUDGED);
      g_assert_cmpuint (row->needs->len, >, 0);
      g_assert_nonnull (strstr (row->text, g_ptr_array_index (row->needs, 0)));
    }
  test_trace_free (trace);
}

/* A provider that was recorded and told of nothing is enough to say that nothing was there. */
static void
test_a_silent_provider_is_enough_to_judge (void)
{
  NsTrace *trace = test_trace_new (SECOND);
  NsProviderRow *provider = test_trace_add (trace->providers);

  provider->name = text (trace, "Microsoft-Windows-DNS-Client");
  provider->n_events = 1;
  g_assert_cmpint (find (trace, "D01")->verdict, ==, NS_VERDICT_NOT_FOUND);
  g_assert_cmpint (find (trace, "D09")->verdict, ==, NS_VERDICT_UNJUDGED);
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

  add_tcp (trace, "192.0.2.1:443", 0xc0000236, 0, 30 * MS);
  add_tcp (trace, "192.0.2.9:443", 0xc00000b5, 0, 21 * SECOND)->server = text (trace, "b.test");
  add_tcp (trace, "192.0.2.9:443", 0xc00000b5, 10 * SECOND, 21 * SECOND)->server =
      text (trace, "b.test");
  findings = ns_findings_get (trace);
  first = &g_array_index (findings, NsFindingRow, 0);
  second = &g_array_index (findings, NsFindingRow, 1);
  g_assert_cmpstr (first->rule, ==, "D09");
  g_assert_cmpuint (first->count, ==, 2);
  /* The eleven seconds that both of them waited count once. */
  g_assert_cmpint (first->cost_ns, ==, 31 * SECOND);
  g_assert_cmpint (first->open_ns, ==, 0);
  g_assert_cmpint (first->close_ns, ==, 31 * SECOND);
  g_assert_cmpuint (first->activities->len, ==, 1);
  g_assert_cmpuint (first->refs->len, ==, 2);
  g_assert_cmpstr (second->rule, ==, "D11");
  g_assert_cmpuint (ns_findings_count (trace, &worst), ==, 2);
  g_assert_cmpint (worst, ==, NS_SEVERITY_PROBLEM);
  g_assert_true (ns_findings_get (trace) == findings);
  test_trace_free (trace);
}

/* A name that nothing waited for is no more than worth knowing. */
static void
test_a_name_asked_for_beforehand_is_no_warning (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  add_name (trace, "host.test", 0, 0, 3 * SECOND);
  g_assert_cmpint (find (trace, "D01")->severity, ==, NS_SEVERITY_INFO);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  guint i;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  for (i = 0; i < G_N_ELEMENTS (claims); i++)
    {
      g_autofree char *found = g_strdup_printf ("/findings/%s/found", claims[i].rule);
      g_autofree char *near = g_strdup_printf ("/findings/%s/near-miss", claims[i].rule);
      g_autofree char *unjudged = g_strdup_printf ("/findings/%s/not-recorded", claims[i].rule);

      g_test_add_data_func (found, &claims[i], test_a_rule_finds_what_it_is_for);
      g_test_add_data_func (near, &claims[i], test_a_rule_lets_a_near_miss_be);
      g_test_add_data_func (unjudged, &claims[i], test_a_rule_does_not_judge_what_was_not_recorded);
    }
  g_test_add_func ("/findings/a-silent-provider-is-enough-to-judge",
                   test_a_silent_provider_is_enough_to_judge);
  g_test_add_func ("/findings/the-dearest-comes-first-and-equal-ones-are-one",
                   test_the_dearest_comes_first_and_equal_ones_are_one);
  g_test_add_func ("/findings/a-name-asked-for-beforehand-is-no-warning",
                   test_a_name_asked_for_beforehand_is_no_warning);
  return g_test_run ();
}
