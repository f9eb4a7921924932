/* Tests the sentences that describe rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-marks.h"
#include "ns-test-trace.h"

#include "engine/app/capi2/ns-capi2.h"
#include "engine/app/tls/ns-tls.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/trace/ns-event-index.h"
#include "query/ns-field-text.h"
#include "query/ns-fields.h"
#include "query/ns-sentence-parts.h"

#include <string.h>

static void
assert_sentence (NsTrace *trace, NsTableId table, const char *expected)
{
  g_autofree char *sentence =
      ns_sentence_new (trace, table, ns_table_get_n_rows (trace, table) - 1);

  g_assert_cmpstr (sentence, ==, expected);
}

static NsActivityRow *
add_request (NsTrace *trace)
{
  NsProcessRow *process = test_trace_add (trace->processes);
  NsActivityRow *row = test_trace_add_activity (trace, "mail.example.com", 12104377000);

  process->pid = 4312;
  process->name = ns_strings_add (trace->strings, "OUTLOOK.EXE");
  process->start_ns = 0;
  process->end_ns = NS_TIME_OPEN;
  row->pid = 4312;
  row->protocol = NS_LAYER_WINHTTP;
  row->layers = NS_LAYER_WINHTTP | NS_LAYER_TCP;
  row->close_ns = row->open_ns + 1212408000;
  return row;
}

static void
test_a_request_tells_who_asked_what_it_waited_for_and_what_came (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);

  test_phases (row)[NS_PHASE_POOL] = 38000000;
  test_phases (row)[NS_PHASE_QUEUE] = 300000;
  test_phases (row)[NS_PHASE_DNS] = 112000000;
  test_phases (row)[NS_PHASE_WAIT] = 742000000;
  row->reused = 0;
  row->tcp = 7;
  row->http_status = 503;
  row->status = ns_strings_add (trace->strings, "HTTP/1.1 503 Service Unavailable");
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "Process 4312 made a request to mail.example.com at 12.104 s, waited 38.0 ms for a "
      "thread-pool thread, was queued 300 µs inside WinHTTP, resolved the name in 112 "
      "ms, opened connection 7, got 503 Service "
      "Unavailable after 1.21 s; 61 % of it waiting for the server.");
  test_trace_free (trace);
}

static NsFlowRow *
add_conversation (NsTrace *trace, NsFlowKind kind, NsFlowEnd end)
{
  NsFlowRow *flow = test_trace_add (trace->flows);

  flow->kind = (guint8) kind;
  flow->end = (guint8) end;
  flow->client = *test_trace_end (trace, "192.0.2.20", 51001);
  flow->server = *test_trace_end (trace, "192.0.2.53", 53);
  flow->ways[0].n_packets = 2;
  flow->ways[1].n_packets = 1;
  flow->open_ns = flow->last_ns = 1204000000;
  flow->close_ns = NS_TIME_OPEN;
  flow->pid = NS_PID_UNKNOWN;
  return flow;
}

/* Without a known process, the machine is the subject of the sentence. */
static void
test_packets_tell_of_machines (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);
  NsDnsRow *dns;

  add_conversation (trace, NS_FLOW_UDP, NS_FLOW_END_NONE);
  row->pid = row->tid = row->stack_tid = NS_PID_UNKNOWN;
  row->flow = 1;
  row->local = test_trace_end (trace, "192.0.2.20", 51001);
  row->remote = test_trace_end (trace, "192.0.2.53", 53);
  row->protocol = NS_LAYER_DNS;
  row->layers = NS_LAYER_DNS | NS_LAYER_UDP;
  row->method = ns_strings_add (trace->strings, "A");
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "192.0.2.20 queried 192.0.2.53 for mail.example.com (A) at 12.104 s, got an answer "
      "after 1.21 s.");
  row->protocol = row->layers = NS_LAYER_ICMP;
  row->sent = row->received = 64;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "192.0.2.20 exchanged ICMP packets with mail.example.com at 12.104 s, ended "
                   "after 1.21 s.");
  row->received = 0;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "192.0.2.20 sent ICMP packets to mail.example.com at 12.104 s, ended after 1.21 "
                   "s.");
  row->protocol = NS_LAYER_HTTP;
  row->layers = NS_LAYER_HTTP | NS_LAYER_TCP;
  row->http_status = 404;
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "192.0.2.20 made a request to mail.example.com at 12.104 s, got 404 after 1.21 s.");
  /* Datagrams started by another machine are no connection. */
  row->protocol = row->layers = NS_LAYER_UDP;
  row->http_status = 0;
  row->received = 64;
  row->accepted = TRUE;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "192.0.2.20 exchanged datagrams with mail.example.com at 12.104 s, ended after "
                   "1.21 s.");

  dns = test_trace_add (trace->dns);
  dns->query = ns_strings_add (trace->strings, "mail.example.com");
  dns->type = 16;
  dns->has_status = TRUE;
  dns->flow = 1;
  dns->pid = dns->tid = NS_PID_UNKNOWN;
  dns->open_ns = 1204000000;
  dns->close_ns = 1222000000;
  assert_sentence (trace,
                   NS_TABLE_DNS,
                   "192.0.2.20 resolved mail.example.com at 1.204 s, got an answer without "
                   "addresses, after 18.0 ms.");
  test_trace_free (trace);
}

static void
test_conversations_have_their_end (void)
{
  static const struct
  {
    NsFlowKind kind;
    NsFlowEnd end;
    const char *begin;
    const char *rest;
  } cases[] = {
    { NS_FLOW_TCP, NS_FLOW_END_FIN, "TCP", ", closed by both sides" },
    { NS_FLOW_TCP, NS_FLOW_END_NO_ANSWER, "TCP", ", not answered" },
    { NS_FLOW_UDP, NS_FLOW_END_IDLE, "UDP", ", idle for two minutes" },
    { NS_FLOW_ARP, NS_FLOW_END_ANSWERED, "ARP", ", answered" },
    { NS_FLOW_OTHER, NS_FLOW_END_NONE, "IP", "" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      NsTrace *trace = test_trace_new (20000000000);
      g_autofree char *text =
          g_strdup_printf ("%s conversation of 192.0.2.20:51001 with 192.0.2.53:53 from 1.204 s "
                           "on, packets: 3%s.",
                           cases[i].begin,
                           cases[i].rest);

      add_conversation (trace, cases[i].kind, cases[i].end);
      assert_sentence (trace, NS_TABLE_FLOWS, text);
      test_trace_free (trace);
    }
}

/* Without a stack, the thread is that of the events. */
static void
test_the_thread_that_asked_is_named (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);
  gint64 close_ns;

  row->tid = 4711;
  row->http_status = 200;
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "Process 4312 made a request to mail.example.com at 12.104 s (thread 4711), got 200 after "
      "1.21 s.");
  /* The thread that receives a packet is not the one that made the request. */
  row->protocol = row->layers = NS_LAYER_TCP;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "Process 4312 connected to mail.example.com at 12.104 s, got 200 after 1.21 s.");
  /* Datagrams need no connection. */
  row->protocol = NS_LAYER_WINSOCK;
  row->layers = NS_LAYER_UDP | NS_LAYER_WINSOCK;
  row->http_status = 0;
  row->sent = 47;
  row->received = 0;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "Process 4312 sent datagrams to mail.example.com at 12.104 s (thread 4711), "
                   "ended after 1.21 s.");
  /* If both times are equal, the sentence has no end. */
  close_ns = row->close_ns;
  row->close_ns = row->open_ns;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "Process 4312 sent datagrams to mail.example.com at 12.104 s (thread 4711).");
  row->close_ns = close_ns;
  row->received = 120;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "Process 4312 exchanged datagrams with mail.example.com at 12.104 s (thread "
                   "4711), ended after 1.21 s.");
  row->http_status = 200;
  row->layers = NS_LAYER_TCP | NS_LAYER_WINSOCK;
  row->accepted = TRUE;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "Process 4312 accepted a connection from mail.example.com at 12.104 s, got 200 "
                   "after 1.21 s.");
  test_trace_free (trace);
}

static void
test_a_handshake_tells_why_it_failed_and_what_took_long (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);
  NsCapi2Row check = { .layer = { .open_ns = 1000000000, .close_ns = 1300000000, .activity = 1 },
                       .kind = NS_CAPI2_CHAIN };
  NsCapi2Row retrieval = { .layer = { .open_ns = 1100000000, .close_ns = 1200000000 },
                           .kind = NS_CAPI2_RETRIEVAL,
                           .parent = 1 };
  NsTlsFacts facts;

  row->http_status = 200;
  ns_tls_facts_init (&facts);
  facts.cert_ns = 300000000;
  ns_tls_store_make (trace);
  ns_tls_store_add (trace->tls, NS_TABLE_ACTIVITIES, 1, &facts);
  g_array_append_val (trace->capi2, check);
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "Process 4312 made a request to mail.example.com at 12.104 s, checked certificates for 300 "
      "ms, got 200 after 1.21 s.");
  retrieval.url = ns_strings_add (trace->strings, "http://crl.example/a.crl");
  g_array_append_val (trace->capi2, retrieval);
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "Process 4312 made a request to mail.example.com at 12.104 s, checked certificates for 300 "
      "ms and contacted http://crl.example/a.crl, got 200 after 1.21 s.");
  facts.cert_ns = NS_UNKNOWN;
  facts.error = 0x80090326;
  facts.error_family = NS_CODE_HRESULT;
  facts.alert = ns_strings_add (trace->strings, "handshake_failure");
  facts.alert_from = NS_TLS_FROM_SERVER;
  ns_tls_store_add (trace->tls, NS_TABLE_ACTIVITIES, 1, &facts);
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "Process 4312 made a request to mail.example.com at 12.104 s, failed in the TLS handshake "
      "with SEC_E_ILLEGAL_MESSAGE (0x80090326), as the server sent the alert "
      "handshake_failure, got 200 after 1.21 s.");
  test_trace_free (trace);
}

/* Formats the markup of @text: `*strong*`, `!failure!`, `[link]`. */
static char *
show_parts (NsTrace *trace)
{
  static const char signs[][2] = { { '*', '*' }, { '!', '!' }, { '[', ']' }, { '{', '}' } };
  g_autoptr (GArray) parts = NULL;
  g_autofree char *text = ns_sentence_new_parts (trace, NS_TABLE_ACTIVITIES, 0, &parts);
  g_autofree char *plain = ns_sentence_new (trace, NS_TABLE_ACTIVITIES, 0);
  GString *shown = g_string_new (NULL);
  guint at;
  guint i;

  g_strdelimit (plain, "\001\002", ' ');
  g_assert_cmpstr (text, ==, plain);
  for (at = 0; text[at] != '\0'; at++)
    {
      for (i = 0; i < parts->len; i++)
        {
          const NsSentencePart *part = &g_array_index (parts, NsSentencePart, i);

          if (part->end == at)
            g_string_append_c (shown, signs[part->kind][1]);
          if (part->begin == at)
            g_string_append_c (shown, signs[part->kind][0]);
        }
      g_string_append_c (shown, text[at]);
    }
  return g_string_free (shown, FALSE);
}

static void
test_a_sentence_tells_what_is_read_first_and_what_leads_somewhere (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);
  g_autofree char *shown = NULL;

  /* Control characters in the file are not taken for markup. */
  row->server = ns_strings_add (trace->strings, "mail\001!.example\002.com");
  test_trace_add (trace->dns);
  test_trace_add_tcp (trace);
  test_phases (row)[NS_PHASE_POOL] = 38000000;
  row->reused = 0;
  row->dns = 1;
  row->tcp = 1;
  row->failed = TRUE;
  row->http_status = 503;
  row->status = ns_strings_add (trace->strings, "HTTP/1.1 503 Service Unavailable");
  shown = show_parts (trace);
  g_assert_cmpstr (
      shown,
      ==,
      "Process 4312 made a request to [mail !.example .com] at *12.104 s*, waited *38.0 ms* for a "
      "thread-pool thread, opened [connection 1], got !503 Service Unavailable! after "
      "*1.21 s*.");
  test_trace_free (trace);
}

static void
test_what_did_not_end_is_not_said_to_have (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);

  row->close_ns = NS_TIME_OPEN;
  row->opened_before_trace = TRUE;
  row->protocol = row->layers = NS_LAYER_TCP;
  assert_sentence (trace,
                   NS_TABLE_ACTIVITIES,
                   "Process 4312 connected to mail.example.com before the trace began, was still "
                   "open when the trace ended, after at least 7.89 s.");
  test_trace_free (trace);
}

static void
test_a_call_without_an_end_has_no_result (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsCallRow *call = test_trace_add (trace->calls);

  call->kind = NS_CALL_CONNECT;
  call->pid = 4312;
  call->open_ns = 12104000000;
  call->close_ns = NS_TIME_OPEN;
  call->pending = TRUE;
  assert_sentence (trace,
                   NS_TABLE_CALLS,
                   "Process 4312 called connect at 12.104 s, and its return was not recorded.");
  test_trace_free (trace);
}

/* The unread part of the trace may contain its run. */
static void
test_a_task_never_ran_only_where_all_has_been_read (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsTaskRow *task = test_trace_add (trace->tasks);

  task->kind = NS_TASK_POOL;
  task->pid = 4312;
  task->tid_create = 17;
  task->tid_run = NS_PID_UNKNOWN;
  task->create_ns = 12104000000;
  task->start_ns = task->stop_ns = NS_TIME_NONE;
  trace->is_incomplete = TRUE;
  assert_sentence (
      trace,
      NS_TABLE_TASKS,
      "Thread 17 queued work (WThreadPool) at 12.104 s, and it did not run in what has "
      "been read so far.");
  trace->is_incomplete = FALSE;
  assert_sentence (trace,
                   NS_TABLE_TASKS,
                   "Thread 17 queued work (WThreadPool) at 12.104 s, and it never ran.");
  test_trace_free (trace);
}

static void
test_a_failure_is_named (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);

  row->pid = NS_PID_UNKNOWN;
  row->server = NS_STRING_NONE;
  row->failed = TRUE;
  row->error = 10061;
  row->error_family = NS_CODE_WIN32;
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "A process made a request to an unknown server at 12.104 s, failed with WSAECONNREFUSED "
      "(10061) after 1.21 s.");
  test_trace_free (trace);
}

static void
assert_brief (const NsTrace *trace, NsTableId table, const char *expected)
{
  g_autofree char *brief = ns_brief_new (trace, table, 0);

  g_assert_cmpstr (brief, ==, expected);
}

/* A link to a row of the same process mentions only the differences. */
static void
test_a_few_words_tell_rows_apart (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsActivityRow *activity = test_trace_add_activity (trace, "shop.example", 0);
  NsTcpRow *tcp = test_trace_add_tcp (trace);
  NsDnsRow *dns = test_trace_add (trace->dns);
  NsWebioRow *webio = test_trace_add (trace->webio);
  NsLdapRow *ldap = test_trace_add (trace->ldap);
  NsThreadRow *thread = test_trace_add (trace->threads);
  g_autoptr (GArray) addresses = g_array_new (FALSE, FALSE, sizeof (NsIp));
  NsEndpoint local;
  NsEndpoint remote;

  assert_brief (trace, NS_TABLE_TCP, "TCP, row 1");
  assert_brief (trace, NS_TABLE_DNS, "DNS, row 1");
  g_assert_true (ns_endpoint_from_text (&local, "10.20.4.18:50214"));
  g_assert_true (ns_endpoint_from_text (&remote, "[2001:db8::44]:443"));
  tcp->local = &local;
  assert_brief (trace, NS_TABLE_TCP, "10.20.4.18:50214");
  tcp->remote = &remote;
  assert_brief (trace, NS_TABLE_TCP, "10.20.4.18:50214 → [2001:db8::44]:443");

  activity->method = ns_strings_add (trace->strings, "POST");
  assert_brief (trace, NS_TABLE_ACTIVITIES, "POST shop.example");
  activity->http_status = 503;
  assert_brief (trace, NS_TABLE_ACTIVITIES, "POST shop.example · 503");
  webio->url = ns_strings_add (trace->strings, "https://shop.example/orders?n=2");
  assert_brief (trace, NS_TABLE_WEBIO, "/orders?n=2");
  webio->method = ns_strings_add (trace->strings, "GET");
  webio->url = ns_strings_add (trace->strings, "https://shop.example");
  webio->http_status = 200;
  assert_brief (trace, NS_TABLE_WEBIO, "GET https://shop.example · 200");

  dns->query = ns_strings_add (trace->strings, "shop.example");
  assert_brief (trace, NS_TABLE_DNS, "shop.example");
  dns->has_status = TRUE;
  dns->status = 9003;
  assert_brief (trace, NS_TABLE_DNS, "shop.example → DNS_ERROR_RCODE_NAME_ERROR");
  g_array_append_val (addresses, remote.ip);
  dns->addresses = addresses;
  assert_brief (trace, NS_TABLE_DNS, "shop.example → 2001:db8::44");
  dns->addresses = NULL;

  ldap->base = ns_strings_add (trace->strings, "DC=shop");
  ldap->filter = ns_strings_add (trace->strings, "(mail=*)");
  assert_brief (trace, NS_TABLE_LDAP, "(mail=*) DC=shop");
  thread->tid = 77;
  assert_brief (trace, NS_TABLE_THREADS, "thread 77");
  assert_brief (trace, NS_TABLE_TASKS, "Thread pool, row 1");
  test_trace_free (trace);
}

static void
test_every_table_has_one (void)
{
  NsTrace *trace = test_trace_new (1000);
  GArray *rows[] = {
    trace->dns,     trace->webio,    trace->wininet,     trace->ldap,
    trace->urlmon,  trace->chromium, trace->http_server, trace->kernel_network,
    trace->tasks,   trace->calls,    trace->packets,     trace->processes,
    trace->threads, trace->images,   trace->providers,   trace->spans,
    trace->flows,   trace->bits,     trace->wfp,         trace->capi2,
    trace->dotnet,  trace->log,      trace->smb,         trace->rpc,
    trace->quic,
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rows); i++)
    test_trace_add (rows[i]);
  ns_trace_add_event (trace, (NsRecordRef){ 0, 0 }, 0, 0, 0);
  test_trace_add_activity (trace, NULL, 0);
  test_trace_add_tcp (trace);
  test_trace_add_winsock (trace);
  for (i = 0; i < NS_N_TABLES; i++)
    {
      g_autofree char *sentence = ns_sentence_new (trace, i, 0);
      g_autofree char *brief = ns_brief_new (trace, i, 0);

      g_assert_true (g_utf8_validate (sentence, -1, NULL));
      g_assert_true (g_str_has_suffix (sentence, "."));
      g_assert_cmpuint (strlen (sentence), >, 10);
      g_assert_true (g_utf8_validate (brief, -1, NULL));
      g_assert_cmpuint (strlen (brief), >, 2);
    }
  test_trace_free (trace);
}

/* Rounded as in the table and the phases. */
static void
test_spans_are_rounded (void)
{
  static const struct
  {
    gint64 span_ns;
    const char *words;
    const char *ms;
  } spans[] = {
    { 0, "0 ns", "0.000" },
    { 999, "999 ns", "0.001" },
    { 1499, "1.50 µs", "0.001" },
    { 9994, "9.99 µs", "0.010" },
    { 9996, "10.0 µs", "0.010" },
    { 99960, "100 µs", "0.100" },
    { 881593, "882 µs", "0.882" },
    { 999499, "999 µs", "0.999" },
    { 999500, "1.00 ms", "1.000" },
    { 1995000, "2.00 ms", "1.995" },
    { 999999999, "1.00 s", "1,000.000" },
    { G_GINT64_CONSTANT (42180000000), "42.2 s", "42,180.000" },
    { G_GINT64_CONSTANT (123456789000), "123 s", "123,456.789" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      g_autofree char *words = ns_sentence_span_to_text (spans[i].span_ns);
      g_autoptr (GString) ms = g_string_new (NULL);

      ns_field_append_milliseconds (ms, spans[i].span_ns);
      g_assert_cmpstr (words, ==, spans[i].words);
      g_assert_cmpstr (ms->str, ==, spans[i].ms);
    }
}

static void
test_sentences_write_numbers_as_cells_do (void)
{
  NsTrace *trace = test_trace_new (20000000000);
  NsActivityRow *row = add_request (trace);
  g_autofree char *whole = NULL;

  row->http_status = 404;
  test_marks_set (".", ",");
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "Process 4312 made a request to mail.example.com at 12,104 s, got 404 after 1,21 s.");
  whole = ns_sentence_span_to_text (999500);
  g_assert_cmpstr (whole, ==, "1,00 ms");
  test_marks_set ("", ".");
  assert_sentence (
      trace,
      NS_TABLE_ACTIVITIES,
      "Process 4312 made a request to mail.example.com at 12.104 s, got 404 after 1.21 s.");
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/sentence/packets-tell-of-machines", test_packets_tell_of_machines);
  g_test_add_func ("/sentence/conversations-have-their-end", test_conversations_have_their_end);
  g_test_add_func ("/sentence/the-thread-that-asked-is-named", test_the_thread_that_asked_is_named);
  g_test_add_func ("/sentence/a-handshake-tells-why-it-failed-and-what-took-long",
                   test_a_handshake_tells_why_it_failed_and_what_took_long);
  g_test_add_func ("/sentence/a-request-tells-who-asked-what-it-waited-for-and-what-came",
                   test_a_request_tells_who_asked_what_it_waited_for_and_what_came);
  g_test_add_func ("/sentence/a-sentence-tells-what-is-read-first-and-what-leads-somewhere",
                   test_a_sentence_tells_what_is_read_first_and_what_leads_somewhere);
  g_test_add_func ("/sentence/what-did-not-end-is-not-said-to-have",
                   test_what_did_not_end_is_not_said_to_have);
  g_test_add_func ("/sentence/a-call-without-an-end-has-no-result",
                   test_a_call_without_an_end_has_no_result);
  g_test_add_func ("/sentence/a-task-never-ran-only-where-all-has-been-read",
                   test_a_task_never_ran_only_where_all_has_been_read);
  g_test_add_func ("/sentence/a-failure-is-named", test_a_failure_is_named);
  g_test_add_func ("/sentence/every-table-has-one", test_every_table_has_one);
  g_test_add_func ("/sentence/a-few-words-tell-rows-apart", test_a_few_words_tell_rows_apart);
  g_test_add_func ("/sentence/spans-are-rounded", test_spans_are_rounded);
  g_test_add_func ("/sentence/sentences-write-numbers-as-cells-do",
                   test_sentences_write_numbers_as_cells_do);
  return g_test_run ();
}
