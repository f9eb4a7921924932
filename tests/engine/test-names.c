/* Tests the names of addresses, and the rows of the DNS table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "net-fixture.h"

#include <string.h>

#define A ((guint64) 0xa)
#define B ((guint64) 0xb)

typedef struct
{
  NetFixture net;
  NsTrace *trace;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  net_fixture_init (&f->net);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  ns_trace_unref (f->trace);
  net_fixture_clear (&f->net);
}

static void
answered (Fixture *f, double ms, guint pid, const char *name, guint type, const char *results)
{
  net_event (&f->net,
             ms,
             pid,
             7,
             NET_DNS,
             3008,
             "suqus",
             name,
             type,
             (guint64) 0,
             results[0] != '\0' ? 0 : 9003,
             results);
}

static void
connect_to (Fixture *f, double ms, guint pid, guint64 key, const char *remote)
{
  g_autofree char *ends = g_strdup_printf ("10.0.0.5:50001>%s", remote);

  tcp_connect (&f->net, ms, pid, 7, key, ends);
}

/* Asserts `SERVER ALT`, with `~` before an inferred name and `-` for none. */
static void
assert_server (const Fixture *f, guint n, const char *expected)
{
  const NsTcpRow *row = &g_array_index (f->trace->tcp, NsTcpRow, n);
  const char *server = ns_trace_text (f->trace, row->server);
  const char *alt = ns_trace_text (f->trace, row->server_alt);
  g_autofree char *text =
      g_strdup_printf ("%s %s", server != NULL ? server : "-", alt != NULL ? alt : "-");

  g_assert_cmpstr (text, ==, expected);
}

static void
test_name_of_the_answer (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "host.example", 1, "93.184.216.34;");
  connect_to (f, 10, 100, A, "93.184.216.34:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "host.example -");
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 0 93.184.216.34 pid 100 open 5 close 5 network\n");
}

static void
test_alias_is_the_other_name (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "www.x.com", 28, "type:  5 cdn.x.net;::ffff:1.2.3.4;");
  connect_to (f, 10, 100, A, "1.2.3.4:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "www.x.com cdn.x.net");
  assert_rows (f->trace,
               dns,
               "www.x.com type 28 status 0 1.2.3.4 =cdn.x.net pid 100 open 5 close 5 network\n");
}

/* Requests report addresses without canonical names; the known alias of the name is kept. */
static void
test_an_alias_is_not_lost (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "www.x.com", 1, "type:  5 cdn.x.net;1.2.3.4;5.6.7.8;");
  answered (f, 6, 100, "www.x.com", 1, "1.2.3.4;");
  answered (f, 7, 100, "www.y.com", 1, "5.6.7.8;");
  connect_to (f, 10, 100, A, "1.2.3.4:443");
  connect_to (f, 11, 100, B, "5.6.7.8:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "www.x.com cdn.x.net");
  assert_server (f, 1, "www.y.com www.x.com");
}

static void
test_newest_answer_before_the_connection (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "a.com", 1, "5.6.7.8;");
  connect_to (f, 6, 100, A, "5.6.7.8:443");
  answered (f, 7, 100, "b.com", 1, "5.6.7.8;");
  connect_to (f, 8, 100, B, "5.6.7.8:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "a.com b.com");
  assert_server (f, 1, "b.com a.com");
}

/* A lookup of many addresses at once, newest answer first, finds the same names as single
 * lookups. */
static void
test_newest_of_many_answers (Fixture *f, gconstpointer data)
{
  const guint n = 300;
  guint i;

  for (i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("h%u.example", i % 5);

      answered (f, 10 * i, 100 + i % 3, name, 1, "5.6.7.8;");
      connect_to (f, 10 * i + 5, 100 + i * 7 % 4, A + i, "5.6.7.8:443");
    }
  f->trace = net_fixture_open_default (&f->net);
  for (i = 0; i < n; i++)
    {
      guint own = i * 7 % 4;
      g_autofree char *expected = NULL;
      guint newest = i;

      while (newest > 0 && newest % 3 != own)
        newest--;
      if (newest % 3 != own) /* no answer of the own process: that of any process */
        newest = i;
      expected = g_strdup_printf ("h%u.example h%u.example", newest % 5, newest % 5 == 0 ? 1 : 0);
      assert_server (f, i, expected);
    }
}

static void
test_reference_takes_the_first_name_of_an_address (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "a.com", 1, "5.6.7.8;");
  answered (f, 7, 100, "b.com", 1, "5.6.7.8;");
  connect_to (f, 8, 100, B, "5.6.7.8:443");
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_server (f, 0, "a.com b.com");
}

static void
test_own_answer_before_that_of_others (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "split.example", 1, "10.1.1.1;");
  answered (f, 6, 200, "vpn.example", 1, "10.1.1.1;");
  connect_to (f, 10, 100, A, "10.1.1.1:443");
  connect_to (f, 11, 300, B, "10.1.1.1:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "split.example vpn.example");
  assert_server (f, 1, "vpn.example split.example");
}

static void
test_service_answers_for_everybody (Fixture *f, gconstpointer data)
{
  net_process (&f->net, 1, 3, 900, "svchost.exe");
  net_process (&f->net, 1, 3, 200, "other.exe");
  answered (f, 5, 900, "served.example", 1, "10.1.1.1;");
  answered (f, 6, 200, "other.example", 1, "10.1.1.1;");
  connect_to (f, 10, 100, A, "10.1.1.1:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "served.example other.example");
  g_assert_false (g_array_index (f->trace->tcp, NsTcpRow, 0).name_inferred);
}

static void
test_answer_of_another_process_is_inferred (Fixture *f, gconstpointer data)
{
  answered (f, 6, 200, "other.example", 1, "10.1.1.1;");
  connect_to (f, 10, 100, A, "10.1.1.1:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "other.example -");
  g_assert_true (g_array_index (f->trace->tcp, NsTcpRow, 0).name_inferred);
}

static void
test_later_answer_is_better_than_none (Fixture *f, gconstpointer data)
{
  connect_to (f, 5, 100, A, "10.1.1.1:443");
  answered (f, 10, 100, "late.example", 1, "10.1.1.1;");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "late.example -");
}

static void
network_started (Fixture *f, double ms, guint pid, const char *name, const char *servers)
{
  net_event (&f->net,
             ms,
             pid,
             7,
             NET_DNS,
             3009,
             "suuusss",
             name,
             0,
             0,
             1,
             "Ethernet",
             "10.0.0.5",
             servers);
}

static void
test_server_of_a_query_is_not_the_host (Fixture *f, gconstpointer data)
{
  network_started (f, 5, 100, "x.com", "10.0.0.2;");
  connect_to (f, 10, 100, A, "10.0.0.2:53");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "DNS server (Ethernet) -");
}

static void
test_reference_takes_the_server_for_the_host (Fixture *f, gconstpointer data)
{
  network_started (f, 5, 100, "x.com", "10.0.0.2;");
  connect_to (f, 10, 100, A, "10.0.0.2:53");
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_server (f, 0, "x.com -");
}

static void
test_servers_of_an_interface_have_a_name (Fixture *f, gconstpointer data)
{
  net_event (&f->net, 5, 100, 7, NET_DNS, 1001, "suubA", "Wi-Fi", 1, 1, 1, "10.0.0.2:0");
  connect_to (f, 10, 100, A, "10.0.0.2:53");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "DNS server (Wi-Fi) -");
}

static void
test_real_name_beats_the_pseudo_name (Fixture *f, gconstpointer data)
{
  network_started (f, 5, 100, "x.com", "10.0.0.2;");
  connect_to (f, 10, 100, A, "10.0.0.2:53");
  answered (f, 20, 100, "resolver.example", 1, "10.0.0.2;");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "resolver.example -");
}

static void
test_cut_item_is_no_address (Fixture *f, gconstpointer data)
{
  GString *list = g_string_new (NULL);
  const NsDnsRow *row;
  guint i;

  for (i = 0; list->len < 1010; i++)
    g_string_append_printf (list, "2001:db8:aaaa:bbbb:cccc:dddd:%x:1;", i);
  while (list->len < 1023)
    g_string_append (list, "2");
  answered (f, 5, 100, "many.example", 28, list->str);
  f->trace = net_fixture_open_default (&f->net);
  row = &g_array_index (f->trace->dns, NsDnsRow, 0);
  g_assert_cmpuint (row->addresses->len, ==, i);
  g_string_free (list, TRUE);
}

static void
test_failure_is_a_row_without_address (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "gone.example", 1, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, dns, "gone.example type 1 status 9003 pid 100 open 5 close 5 network\n");
}

static void
resolved (Fixture *f, double ms, guint id, const char *name, guint status, const char *results)
{
  net_event (&f->net, ms, 100, 7, NET_RESOLVER, id, "sus", name, status, results);
}

static void
test_literal_address_is_no_name (Fixture *f, gconstpointer data)
{
  resolved (f, 5, 1001, "1.2.3.4", 0, "1.2.3.4;");
  connect_to (f, 10, 100, A, "1.2.3.4:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "- -");
  assert_rows (f->trace, dns, "");
}

static void
test_answer_without_a_question_names_nothing (Fixture *f, gconstpointer data)
{
  resolved (f, 5, 1001, "", 0, "5.5.5.5;");
  connect_to (f, 6, 100, A, "5.5.5.5:443");
  answered (f, 7, 100, "five.example", 1, "5.5.5.5;");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "five.example -");
  g_assert_cmpuint (f->trace->dns->len, ==, 2);
}

static void
test_zone_is_cut_off (Fixture *f, gconstpointer data)
{
  resolved (f, 5, 1001, "printer.local", 0, "fe80::1%12;");
  connect_to (f, 6, 100, A, "[fe80::1]:9100");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "printer.local -");
}

static void
test_loopback_is_localhost (Fixture *f, gconstpointer data)
{
  connect_to (f, 6, 100, A, "127.0.0.1:80");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "localhost -");
}

static void
test_question_and_answer_are_one_row (Fixture *f, gconstpointer data)
{
  net_event (&f->net,
             5,
             100,
             7,
             NET_DNS,
             3006,
             "suqsuuuu",
             "host.example",
             1,
             (guint64) 0,
             "",
             0,
             0,
             0,
             0);
  net_event (&f->net, 6, 100, 7, NET_DNS, 3018, "suqus", "host.example", 1, (guint64) 0, 9701, "");
  network_started (f, 7, 100, "host.example", "10.0.0.2;");
  answered (f, 20, 100, "host.example", 1, "1.2.3.4;");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 0 1.2.3.4 from 10.0.0.2 pid 100 open 5 close 20 "
               "network\n");
}

static void
test_answer_of_the_cache_says_so (Fixture *f, gconstpointer data)
{
  net_event (&f->net,
             6,
             100,
             7,
             NET_DNS,
             3018,
             "suqus",
             "host.example",
             1,
             (guint64) 0,
             0,
             "1.2.3.4;");
  answered (f, 7, 100, "host.example", 1, "1.2.3.4;");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 0 1.2.3.4 pid 100 open 6 close 7 cache\n");
}

static void
test_miss_of_the_cache_goes_to_the_network (Fixture *f, gconstpointer data)
{
  net_event (&f->net, 6, 100, 7, NET_DNS, 3018, "suqus", "host.example", 1, (guint64) 0, 9701, "");
  answered (f, 9, 100, "host.example", 1, "1.2.3.4;");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 0 1.2.3.4 pid 100 open 6 close 9 network\n");
}

static void
cached (Fixture *f, double ms, guint pid, const char *name, const char *results)
{
  net_event (&f->net,
             ms,
             pid,
             9,
             NET_DNS,
             3018,
             "suqus",
             name,
             1,
             (guint64) 0,
             results[0] != '\0' ? 0 : 9701,
             results);
}

static void
asked (Fixture *f, double ms, guint pid, const char *name, guint type)
{
  net_event (&f->net,
             ms,
             pid,
             7,
             NET_DNS,
             3006,
             "suqsuuuu",
             name,
             type,
             (guint64) 0,
             "",
             1,
             0,
             0,
             0);
}

/* Event 3006 reports the servers chosen by the program; no other event may do so. */
static void
test_servers_that_a_program_chose_are_told (Fixture *f, gconstpointer data)
{
  const NsDnsRow *row;

  net_event (&f->net,
             5,
             100,
             7,
             NET_DNS,
             3006,
             "suqsuuuu",
             "host.example",
             1,
             (guint64) 0,
             "10.0.0.7;10.0.0.8;",
             1,
             0,
             0,
             0);
  asked (f, 5.1, 100, "other.example", 1);
  net_event (&f->net, 20, 100, 7, NET_DNS, 3008, "suqus", "host.example", 1, (guint64) 0, 1460, "");
  answered (f, 21, 100, "other.example", 1, "1.2.3.4;");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 1460 from 10.0.0.7;10.0.0.8 pid 100 open 5 close 20 "
               "network\n"
               "other.example type 1 status 0 1.2.3.4 pid 100 open 5.1 close 21 network\n");
  row = &g_array_index (f->trace->dns, NsDnsRow, 0);
  g_assert_cmpuint (row->servers->len, ==, 2);
  g_assert_cmpstr (ns_trace_text (f->trace, g_array_index (row->servers, NsDnsServer, 1).address),
                   ==,
                   "10.0.0.8");
  g_assert_null (g_array_index (f->trace->dns, NsDnsRow, 1).servers);
}

/* The DNS service looks into its cache on behalf of other processes. Older versions do not log
 * which one. */
static void
test_looks_of_the_service_are_of_those_who_asked (Fixture *f, gconstpointer data)
{
  cached (f, 6, 900, "host.example", "");
  net_event (&f->net, 7, 900, 9, NET_DNS, 3010, "sus", "host.example", 1, "10.0.0.2");
  answered (f, 9, 100, "host.example", 1, "1.2.3.4;");
  cached (f, 5000, 900, "host.example", "1.2.3.4;");
  answered (f, 5001, 200, "host.example", 1, "1.2.3.4;");
  cached (f, 7000, 900, "other.example", "1.2.3.5;");
  cached (f, 9000, 900, "other.example", "1.2.3.5;");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 0 1.2.3.4 from 10.0.0.2 pid 100 open 6 close 9 network\n"
               "host.example type 1 status 0 1.2.3.4 pid 200 open 5000 close 5001 cache\n"
               "other.example type 1 status 0 1.2.3.5 pid 900 open 7000 close 7000 cache\n"
               "other.example type 1 status 0 1.2.3.5 pid 900 open 9000 close 9000 cache\n");
}

/* The same when the query events are recorded as well. */
static void
test_looks_of_the_service_are_of_the_questions (Fixture *f, gconstpointer data)
{
  asked (f, 5, 100, "host.example", 1);
  cached (f, 6, 900, "host.example", "");
  net_event (&f->net, 7, 900, 9, NET_DNS, 3010, "sus", "host.example", 1, "10.0.0.2");
  answered (f, 9, 100, "host.example", 1, "1.2.3.4;");
  asked (f, 5000, 100, "host.example", 1);
  cached (f, 5001, 900, "host.example", "1.2.3.4;");
  answered (f, 5002, 100, "host.example", 1, "1.2.3.4;");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 0 1.2.3.4 from 10.0.0.2 pid 100 open 5 close 9 network\n"
               "host.example type 1 status 0 1.2.3.4 pid 100 open 5000 close 5002 cache\n");
}

static void
test_resolver_call_has_a_duration (Fixture *f, gconstpointer data)
{
  net_event (&f->net,
             5,
             100,
             7,
             NET_RESOLVER,
             1000,
             "ssuuuuu",
             "host.example",
             "443",
             0,
             0,
             0,
             0,
             0);
  resolved (f, 9, 1001, "host.example", 0, "1.2.3.4;1.2.3.5;");
  resolved (f, 10, 1004, "gone.example", 11001, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 0 status 0 1.2.3.4 1.2.3.5 pid 100 open 5 close 9 winsock\n"
               "gone.example type 0 status 11001 pid 100 open 10 close 10 winsock\n");
}

static void
test_client_process_of_newer_versions (Fixture *f, gconstpointer data)
{
  f->net.version = 1;
  net_event (&f->net,
             6,
             900,
             7,
             NET_DNS,
             3018,
             "suqusu",
             "host.example",
             1,
             (guint64) 0,
             0,
             "1.2.3.4;",
             100);
  f->net.version = 0;
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               dns,
               "host.example type 1 status 0 1.2.3.4 pid 100 open 6 close 6 cache\n");
}

static void
test_service_records_make_no_names (Fixture *f, gconstpointer data)
{
  answered (f, 5, 100, "_ldap._tcp.example", 33, "type: 33 dc1.example;10.0.0.9;");
  connect_to (f, 6, 100, A, "10.0.0.9:389");
  f->trace = net_fixture_open_default (&f->net);
  assert_server (f, 0, "- -");
}

static void
test_all_of_many_answers_are_there (Fixture *f, gconstpointer data)
{
  guint i;

  for (i = 0; i < 70000; i++)
    {
      g_autofree char *name = g_strdup_printf ("h%u.example", i);
      g_autofree char *ip = g_strdup_printf ("10.%u.%u.1;", i / 256 % 256, i % 256);

      answered (f, 5 + i / 100.0, 100, name, 1, ip);
    }
  connect_to (f, 900, 100, A, "10.1.2.1:80");
  f->trace = net_fixture_open_default (&f->net);
  g_assert_cmpuint (f->trace->dns->len, ==, 70000);
  /* 70000 = 65536 + 4464: the address was assigned again to a later name. */
  assert_server (f, 0, "h65794.example h258.example");
}

static void
add (const char *name, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (name, Fixture, NULL, set_up, test, tear_down);
}

/* Formats servers as `ADDRESS(ADAPTER) asked answered timed-out`, in ms, `-` for unknown. */
static char *
servers_text (const NsTrace *trace, guint n)
{
  const GArray *servers = g_array_index (trace->dns, NsDnsRow, n).servers;
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; servers != NULL && i < servers->len; i++)
    {
      const NsDnsServer *server = &g_array_index (servers, NsDnsServer, i);
      const gint64 times[] = { server->asked_ns, server->answered_ns, server->timed_out_ns };
      const char *adapter = ns_trace_text (trace, server->adapter);
      guint j;

      g_string_append_printf (text,
                              "%s(%s)",
                              ns_trace_text (trace, server->address),
                              adapter != NULL ? adapter : "");
      for (j = 0; j < G_N_ELEMENTS (times); j++)
        if (times[j] == NS_TIME_NONE)
          g_string_append (text, " -");
        else
          g_string_append_printf (text, " %d", (int) (times[j] / 1000000));
      g_string_append (text, "; ");
    }
  return g_string_free (text, FALSE);
}

/* The DNS service queries on behalf of all processes; what it receives after the answer belongs to
 * another query. */
static void
test_servers_are_kept_with_the_question_that_waits (Fixture *f, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *other = NULL;
  g_autofree char *second = NULL;

  asked (f, 1, 100, "host.example", 1);
  asked (f, 1, 100, "host.example", 28);
  net_event (&f->net,
             2,
             900,
             7,
             NET_DNS,
             3009,
             "suuusss",
             "host.example",
             0,
             0,
             1,
             "LAN",
             "",
             "10.0.0.1;10.0.0.2;");
  net_event (&f->net, 3, 900, 7, NET_DNS, 3010, "sus", "HOST.example", 1, "10.0.0.1");
  net_event (&f->net, 4, 900, 7, NET_DNS, 3010, "sus", "host.example", 28, "10.0.0.2");
  net_event (&f->net, 5, 900, 7, NET_DNS, 3011, "susu", "host.example", 1, "10.0.0.1", 1460);
  net_event (&f->net, 6, 900, 7, NET_DNS, 3010, "sus", "host.example", 1, "10.0.0.9");
  net_event (&f->net, 7, 900, 7, NET_DNS, 3011, "susu", "host.example", 1, "10.0.0.9", 0);
  answered (f, 8, 100, "host.example", 1, "192.0.2.1;");
  net_event (&f->net, 9, 900, 7, NET_DNS, 3011, "susu", "host.example", 1, "10.0.0.2", 0);
  asked (f, 10, 100, "host.example", 1);
  net_event (&f->net, 11, 900, 7, NET_DNS, 3010, "sus", "host.example", 1, "10.0.0.1");
  f->trace = net_fixture_open_default (&f->net);
  first = servers_text (f->trace, 0);
  other = servers_text (f->trace, 1);
  second = servers_text (f->trace, 2);
  g_assert_cmpstr (first, ==, "10.0.0.1(LAN) 3 - 5; 10.0.0.2(LAN) - - -; 10.0.0.9() 6 7 -; ");
  g_assert_cmpstr (other, ==, "10.0.0.1(LAN) - - -; 10.0.0.2(LAN) 4 - -; ");
  g_assert_cmpstr (second, ==, "10.0.0.1() 11 - -; ");
}

/* Limits on the servers kept per query and on the equal queries that are searched
 * (ns-host-names-servers.c, ns-host-names-private.h). */
#define MAX_SERVERS 64
#define MAX_PARALLEL 32

static void
test_servers_are_so_many_only (Fixture *f, gconstpointer data)
{
  guint n;

  for (n = MAX_SERVERS - 1; n <= MAX_SERVERS + 1; n++)
    {
      NetFixture net;
      g_autoptr (GString) list = g_string_new (NULL);
      const GArray *servers;
      NsTrace *trace;
      guint i;

      net_fixture_init (&net);
      for (i = 1; i <= n; i++)
        g_string_append_printf (list, "10.0.0.%u;", i);
      net_event (&net, 1, 100, 7, NET_DNS, 3006, "suqsuuuu", "a.b", 1, (guint64) 0, "", 1, 0, 0, 0);
      net_event (&net, 2, 9, 7, NET_DNS, 3009, "suuusss", "a.b", 0, 0, 1, "LAN", "", list->str);
      trace = net_fixture_open_default (&net);
      servers = g_array_index (trace->dns, NsDnsRow, 0).servers;
      g_assert_cmpuint (servers->len, ==, MIN (n, MAX_SERVERS));
      for (i = 0; i < servers->len; i++)
        {
          g_autofree char *address = g_strdup_printf ("10.0.0.%u", i + 1);

          g_assert_cmpstr (ns_trace_text (trace, g_array_index (servers, NsDnsServer, i).address),
                           ==,
                           address);
        }
      ns_trace_unref (trace);
    }
}

/* An answer is matched with the query of its thread among the newest MAX_PARALLEL; otherwise with
 * the newest query. */
static void
test_an_answer_looks_so_far_only (Fixture *f, gconstpointer data)
{
  guint n;

  for (n = MAX_PARALLEL - 1; n <= MAX_PARALLEL; n++)
    {
      NetFixture net;
      NsTrace *trace;
      guint i;

      net_fixture_init (&net);
      net_event (&net, 1, 100, 7, NET_DNS, 3006, "suqsuuuu", "a.b", 1, (guint64) 0, "", 1, 0, 0, 0);
      for (i = 0; i < n; i++)
        net_event (&net,
                   2 + i,
                   100,
                   8,
                   NET_DNS,
                   3006,
                   "suqsuuuu",
                   "a.b",
                   1,
                   (guint64) 0,
                   "",
                   1,
                   0,
                   0,
                   0);
      net_event (&net, 90, 100, 7, NET_DNS, 3008, "suqus", "a.b", 1, (guint64) 0, 0, "192.0.2.1;");
      trace = net_fixture_open_default (&net);
      g_assert_cmpuint (trace->dns->len, ==, n + 1);
      g_assert_cmpint (g_array_index (trace->dns, NsDnsRow, 0).close_ns != NS_TIME_OPEN,
                       ==,
                       n < MAX_PARALLEL);
      ns_trace_unref (trace);
    }
}

/* Enough for two threads to share the work: see base/ns-parts.h. */
#define N_SHARED 50000
#define N_HOSTS 61

/* Some names have an alias in mixed case, some addresses have no name, some are local. The results
 * of threads must not depend on how the work is divided. */
static void
test_two_threads_find_what_one_finds (Fixture *f, gconstpointer data)
{
  guint i;

  for (i = 0; i < N_HOSTS; i++)
    {
      g_autofree char *name = g_strdup_printf ("Host%u.example", i);
      g_autofree char *address = g_strdup_printf ("10.1.0.%u;", i);
      g_autofree char *alias = g_strdup_printf ("type:  5 Alias%u.example;%s", i, address);

      if (i % 7 != 6)
        answered (f, 1, 100, name, 1, i % 3 == 0 ? alias : address);
    }
  for (i = 0; i < N_SHARED; i++)
    {
      g_autofree char *remote = g_strdup_printf ("10.1.0.%u:443", i % N_HOSTS);

      connect_to (f, 2 + i * 0.01, 100, 0x1000 + i * 16, i % 101 == 0 ? "127.0.0.1:80" : remote);
    }
  f->trace = net_fixture_open_default (&f->net);
  g_assert_cmpuint (f->trace->tcp->len, ==, N_SHARED);
  for (i = 0; i < N_SHARED; i++)
    {
      guint host = i % N_HOSTS;
      g_autofree char *alias = g_strdup_printf ("Alias%u.example", host);
      g_autofree char *expected =
          g_strdup_printf ("Host%u.example %s", host, host % 3 == 0 ? alias : "-");

      assert_server (f, i, i % 101 == 0 ? "localhost -" : host % 7 == 6 ? "- -" : expected);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/names/servers-are-so-many-only", test_servers_are_so_many_only);
  add ("/names/an-answer-looks-so-far-only", test_an_answer_looks_so_far_only);
  add ("/names/name-of-the-answer", test_name_of_the_answer);
  add ("/names/alias", test_alias_is_the_other_name);
  add ("/names/an-alias-is-not-lost", test_an_alias_is_not_lost);
  add ("/names/newest-answer-before-the-connection", test_newest_answer_before_the_connection);
  add ("/names/newest-of-many-answers", test_newest_of_many_answers);
  add ("/names/own-answer-first", test_own_answer_before_that_of_others);
  add ("/names/service", test_service_answers_for_everybody);
  add ("/names/another-process", test_answer_of_another_process_is_inferred);
  add ("/names/later-answer", test_later_answer_is_better_than_none);
  add ("/names/reference-first-name", test_reference_takes_the_first_name_of_an_address);
  add ("/names/reference-server-of-a-query", test_reference_takes_the_server_for_the_host);
  add ("/names/server-of-a-query", test_server_of_a_query_is_not_the_host);
  add ("/names/servers-of-an-interface", test_servers_of_an_interface_have_a_name);
  add ("/names/real-name-beats-the-pseudo-name", test_real_name_beats_the_pseudo_name);
  add ("/names/cut-item", test_cut_item_is_no_address);
  add ("/names/failure", test_failure_is_a_row_without_address);
  add ("/names/literal-address", test_literal_address_is_no_name);
  add ("/names/answer-without-a-question", test_answer_without_a_question_names_nothing);
  add ("/names/zone", test_zone_is_cut_off);
  add ("/names/loopback", test_loopback_is_localhost);
  add ("/names/question-and-answer", test_question_and_answer_are_one_row);
  add ("/names/cache", test_answer_of_the_cache_says_so);
  add ("/names/cache-miss", test_miss_of_the_cache_goes_to_the_network);
  add ("/names/cache-of-the-service", test_looks_of_the_service_are_of_those_who_asked);
  add ("/names/servers-of-a-program", test_servers_that_a_program_chose_are_told);
  add ("/names/cache-and-questions", test_looks_of_the_service_are_of_the_questions);
  add ("/names/resolver-call", test_resolver_call_has_a_duration);
  add ("/names/client-process", test_client_process_of_newer_versions);
  add ("/names/service-records", test_service_records_make_no_names);
  add ("/names/many-answers", test_all_of_many_answers_are_there);
  add ("/names/servers", test_servers_are_kept_with_the_question_that_waits);
  add ("/names/two-threads", test_two_threads_find_what_one_finds);
  return g_test_run ();
}
