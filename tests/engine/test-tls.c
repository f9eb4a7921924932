/* Tests TLS handshakes: the connection they belong to, and failures.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/capi2/ns-capi2.h"
#include "engine/app/tls/ns-tls.h"

#include "story.h"

#define R1 P (0x20001000)
#define R2 P (0x20002000)
#define C1 P (0x30001000)
#define C2 P (0x30002000)
#define S1 P (0x610)
#define S2 P (0x620)
#define SESSION P (0x77000)
#define STEP "pqqqqwdpdddpdd"

static void
step (Story *story, double ms, guint id, guint64 connection, const char *host, guint32 result)
{
  story_write (story,
               ms,
               STORY_WEBIO,
               id,
               STEP,
               connection,
               P (1),
               P (2),
               P (3),
               P (4),
               host,
               0u,
               P (0),
               0u,
               0u,
               0u,
               P (0),
               0u,
               result);
}

static void
connect (Story *story, double ms, guint n, guint64 request, guint64 connection, const char *url)
{
  guint64 socket = n == 1 ? S1 : S2;

  story_request (story, ms, request, n, SESSION, url);
  story_wait (story, ms + 1, request, n, connection);
  story_connect (story, ms + 2, n, connection, socket, n == 1 ? "1.2.3.4:443" : "1.2.3.5:443");
  story_connected (story, ms + 3, n, connection, socket, 0);
}

static void
agreed (Story *story, double ms, const char *protocol, guint32 cipher, const char *target)
{
  guint32 pid = story->pid;
  guint32 tid = story->tid;

  story->pid = 600;
  story->tid = 604;
  story_write (story,
               ms,
               STORY_SCHANNEL,
               36880,
               "wwddpwww",
               "client",
               protocol,
               cipher,
               256u,
               P (0x1234),
               target,
               "",
               "CN=a.com");
  story->pid = pid;
  story->tid = tid;
}

static NsTlsFacts
facts_of (const NsTrace *trace, NsTableId table, NsRow row)
{
  NsTlsFacts facts;

  ns_tls_get_facts (trace, table, row, &facts);
  return facts;
}

static void
test_schannel_is_found_by_name_and_time (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  connect (story, 1, 1, R1, C1, "https://a.com/");
  step (story, 10, 700, C1, "a.com", 0);
  step (story, 11, 703, C1, "a.com", 0x90312);
  step (story, 20, 700, C1, "a.com", 0);
  agreed (story, 21, "tls1.2", 0xc030, "A.COM");
  agreed (story, 21.5, "TLS 1.3", 0x1302, "other.example");
  step (story, 22, 703, C1, "a.com", 0);
  /* A handshake that ended too long before. */
  agreed (story, 80, "TLS 1.1", 0x2f, "a.com");
  trace = story_open (story, 100);

  facts = facts_of (trace, NS_TABLE_WEBIO, 1);
  story_assert_text (trace, facts.version, "TLS 1.2");
  story_assert_text (trace, facts.cipher, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
  story_assert_text (trace, facts.sni, "a.com");
  story_assert_text (trace, facts.subject, "CN=a.com");
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_NONE);
  g_assert_cmpuint (facts.sources, ==, 1 << NS_TLS_WEBIO | 1 << NS_TLS_SCHANNEL);
  g_assert_cmpint (facts.resumed, ==, -1);
  story_assert_text (trace, facts_of (trace, NS_TABLE_ACTIVITIES, 1).version, "TLS 1.2");
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 0), NS_PHASE_TLS),
                   ==,
                   12 * 1000000);
}

/* Two simultaneous handshakes with one host: neither is matched. */
static void
test_schannel_of_two_is_of_none (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  connect (story, 1, 1, R1, C1, "https://a.com/");
  connect (story, 5, 2, R2, C2, "https://a.com/2");
  step (story, 10, 700, C1, "a.com", 0);
  step (story, 11, 700, C2, "a.com", 0);
  agreed (story, 12, "TLS 1.2", 0xc030, "a.com");
  story_write (story, 12.5, STORY_SCHANNEL, 36887, "d", 40u);
  step (story, 13, 703, C1, "a.com", 0);
  step (story, 14, 703, C2, "a.com", 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (facts_of (trace, NS_TABLE_WEBIO, 1).version, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts_of (trace, NS_TABLE_WEBIO, 2).version, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts_of (trace, NS_TABLE_WEBIO, 1).alert, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts_of (trace, NS_TABLE_WEBIO, 2).alert, ==, NS_STRING_NONE);
}

static void
test_a_failed_handshake_has_an_error_and_no_version (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  connect (story, 1, 1, R1, C1, "https://a.com/");
  /* The offered protocols are not the negotiated version. */
  story_write (story, 9, STORY_WEBIO, 728, "pw", C1, "SP_PROT_TLS1_2_CLIENT");
  step (story, 10, 700, C1, "a.com", 0);
  agreed (story, 11, "TLS 1.2", 0xc030, "a.com");
  story_write (story, 12, STORY_SCHANNEL, 36887, "d", 40u);
  story_write (story, 13, STORY_SCHANNEL, 36888, "ddw", 80u, 1203u, "a.com");
  step (story, 14, 703, C1, "a.com", 0x80090326);
  /* No handshake is open at this time. */
  story_write (story, 50, STORY_SCHANNEL, 36887, "d", 70u);
  trace = story_open (story, 100);

  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts.cipher, ==, NS_STRING_NONE);
  g_assert_cmphex (facts.error, ==, 0x80090326);
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_HRESULT);
  story_assert_text (trace, facts.alert, "handshake_failure");
  g_assert_cmpuint (facts.alert_from, ==, NS_TLS_FROM_SERVER);
}

/* A reused connection shows the result of its handshake, but no time for it. */
static void
test_a_pooled_connection_shows_its_handshake (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  connect (story, 1, 1, R1, C1, "https://a.com/");
  step (story, 10, 700, C1, "a.com", 0);
  agreed (story, 11, "TLS 1.2", 0xc030, "a.com");
  step (story, 12, 703, C1, "a.com", 0);
  story_send (story, 13, 1, C1, S1, 100);
  story_receive (story, 14, 1, C1, S1, 100);
  story_header (story, 15, R1, "HTTP/1.1 200 OK\r\n\r\n");
  story_request_close (story, 20, R1, 1);
  story_request (story, 30, R2, 2, SESSION, "https://a.com/2");
  story_wait (story, 31, R2, 2, C1);
  story_send (story, 32, 2, C1, S1, 100);
  /* A later session ticket is no handshake of the request. */
  step (story, 33, 700, C1, "a.com", 0);
  step (story, 34, 703, C1, "a.com", 0);
  story_receive (story, 35, 2, C1, S1, 100);
  story_header (story, 36, R2, "HTTP/1.1 200 OK\r\n\r\n");
  story_request_close (story, 40, R2, 2);
  trace = story_open (story, 100);

  story_assert_text (trace, facts_of (trace, NS_TABLE_WEBIO, 2).version, "TLS 1.2");
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 0), NS_PHASE_TLS),
                   ==,
                   2 * 1000000);
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 1), NS_PHASE_TLS),
                   ==,
                   NS_UNKNOWN);
}

/* A certificate check on the handshake's thread becomes its child, with the nested checks. */
static void
test_checks_of_certificates_are_of_handshakes (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsCapi2Row *rows;

  connect (story, 1, 1, R1, C1, "https://a.com/");
  step (story, 10, 700, C1, "a.com", 0);
  story_write (story, 11, STORY_CAPI2, 10, "w", "<A><CorrelationAuxInfo TaskId=\"{1}\"/></A>");
  story_write (story, 12, STORY_CAPI2, 40, "w", "<A><CorrelationAuxInfo TaskId=\"{1}\"/></A>");
  story_write (story, 32, STORY_CAPI2, 41, "w", "<A><CorrelationAuxInfo TaskId=\"{1}\"/></A>");
  story_write (story, 33, STORY_CAPI2, 11, "w", "<A><CorrelationAuxInfo TaskId=\"{1}\"/></A>");
  story->tid = 77;
  story_write (story, 34, STORY_CAPI2, 10, "w", "<A><CorrelationAuxInfo TaskId=\"{2}\"/></A>");
  story_write (story, 36, STORY_CAPI2, 11, "w", "<A><CorrelationAuxInfo TaskId=\"{2}\"/></A>");
  story->tid = 40;
  step (story, 40, 703, C1, "a.com", 0);
  story_write (story, 50, STORY_CAPI2, 10, "w", "<A><CorrelationAuxInfo TaskId=\"{3}\"/></A>");
  story_write (story, 51, STORY_CAPI2, 11, "w", "<A><CorrelationAuxInfo TaskId=\"{3}\"/></A>");
  trace = story_open (story, 100);

  g_assert_cmpint (facts_of (trace, NS_TABLE_ACTIVITIES, 1).cert_ns, ==, (22 + 2) * 1000000);
  g_assert_cmpuint (trace->capi2->len, ==, 4);
  rows = (const NsCapi2Row *) trace->capi2->data;
  g_assert_cmpuint (rows[0].layer.activity, ==, 1);
  g_assert_cmpint (rows[0].layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpuint (rows[2].layer.activity, ==, 1);
  g_assert_cmpint (rows[2].layer.confidence, ==, NS_CONFIDENCE_INFERRED);
  g_assert_cmpuint (rows[3].layer.activity, ==, 0);
}

/* A check on another thread is assigned to the only handshake that spans all of it. */
static void
test_a_check_is_of_the_handshake_around_it (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  connect (story, 1, 1, R1, C1, "https://a.com/");
  connect (story, 5, 2, R2, C2, "https://b.com/");
  step (story, 10, 700, C1, "a.com", 0);
  step (story, 12, 700, C2, "b.com", 0);
  story->tid = 77;
  story_write (story, 13, STORY_CAPI2, 10, "w", "<A><CorrelationAuxInfo TaskId=\"{1}\"/></A>");
  story->tid = 40;
  step (story, 15, 703, C1, "a.com", 0);
  story->tid = 77;
  story_write (story, 20, STORY_CAPI2, 11, "w", "<A><CorrelationAuxInfo TaskId=\"{1}\"/></A>");
  story->tid = 40;
  step (story, 30, 703, C2, "b.com", 0);
  trace = story_open (story, 100);

  g_assert_cmpint (facts_of (trace, NS_TABLE_WEBIO, 1).cert_ns, ==, NS_UNKNOWN);
  g_assert_cmpint (facts_of (trace, NS_TABLE_WEBIO, 2).cert_ns, ==, 7 * 1000000);
}

/* Two processes with equal pointers: each connection has its handshake and its error. */
static void
test_connections_of_two_processes_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  connect (story, 1, 1, R1, C1, "https://a.com/");
  story->pid = 101;
  story->tid = 41;
  connect (story, 5, 2, R2, C1, "https://b.com/");
  step (story, 10, 700, C1, "b.com", 0);
  story->pid = 100;
  story->tid = 40;
  step (story, 12, 700, C1, "a.com", 0);
  story->pid = 101;
  story->tid = 41;
  step (story, 14, 703, C1, "b.com", 0x80090326);
  story->pid = 100;
  story->tid = 40;
  agreed (story, 15, "TLS 1.2", 0xc030, "a.com");
  step (story, 16, 703, C1, "a.com", 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->activities->len, ==, 2);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);
  story_assert_text (trace, facts.sni, "a.com");
  story_assert_text (trace, facts.version, "TLS 1.2");
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_NONE);
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 0), NS_PHASE_TLS),
                   ==,
                   4 * 1000000);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 2);
  story_assert_text (trace, facts.sni, "b.com");
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
  g_assert_cmphex (facts.error, ==, 0x80090326);
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 1), NS_PHASE_TLS),
                   ==,
                   4 * 1000000);
}

/* A handshake without start or end keeps its details; its duration stays unknown. */
static void
test_ends_and_begins_may_be_missing (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  /* A connection without a connect event. */
  step (story, 0.5, 703, C1, "a.com", 0);
  connect (story, 1, 1, R1, C1, "https://a.com/");
  step (story, 10, 700, C1, "a.com", 0);
  connect (story, 40, 2, R2, C2, "https://b.com/");
  step (story, 50, 703, C2, "b.com", 0x80090326);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->activities->len, ==, 2);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);
  story_assert_text (trace, facts.sni, "a.com");
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_NONE);
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 0), NS_PHASE_TLS),
                   ==,
                   NS_UNKNOWN);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 2);
  story_assert_text (trace, facts.sni, "b.com");
  g_assert_cmphex (facts.error, ==, 0x80090326);
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 1), NS_PHASE_TLS),
                   ==,
                   NS_UNKNOWN);
}

/* Older builds have fewer fields; the complete fields of truncated payloads are read. */
static void
test_short_and_strange_payloads (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  story_write (story, 0.5, STORY_WEBIO, 703, "", 0);
  connect (story, 1, 1, R1, C1, "https://a.com/");
  story_write (story, 10, STORY_WEBIO, 700, "pq", C1, P (1));
  story_write (story, 11, STORY_SCHANNEL, 36880, "wwdd", "client", "TLS 9", 0xeeeeu, 1u);
  story_write (story, 12, STORY_SCHANNEL, 36880, "b", 1);
  story_write (story, 12.5, STORY_SCHANNEL, 36887, "h", 1);
  story_write (story, 13, STORY_WEBIO, 713, "pq", C1, P (1));
  story_write (story, 14, STORY_WEBIO, 703, "p", C1);
  trace = story_open (story, 100);

  facts = facts_of (trace, NS_TABLE_WEBIO, 1);
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts.sni, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts.alert, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/tls/schannel-is-found-by-name-and-time",
                   test_schannel_is_found_by_name_and_time);
  g_test_add_func ("/tls/schannel-of-two-is-of-none", test_schannel_of_two_is_of_none);
  g_test_add_func ("/tls/a-failed-handshake-has-an-error-and-no-version",
                   test_a_failed_handshake_has_an_error_and_no_version);
  g_test_add_func ("/tls/a-pooled-connection-shows-its-handshake",
                   test_a_pooled_connection_shows_its_handshake);
  g_test_add_func ("/tls/checks-of-certificates-are-of-handshakes",
                   test_checks_of_certificates_are_of_handshakes);
  g_test_add_func ("/tls/a-check-is-of-the-handshake-around-it",
                   test_a_check_is_of_the_handshake_around_it);
  g_test_add_func ("/tls/connections-of-two-processes-are-told-apart",
                   test_connections_of_two_processes_are_told_apart);
  g_test_add_func ("/tls/ends-and-begins-may-be-missing", test_ends_and_begins_may_be_missing);
  g_test_add_func ("/tls/short-and-strange-payloads", test_short_and_strange_payloads);
  return g_test_run ();
}
