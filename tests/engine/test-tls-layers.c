/* Tests TLS handshakes reported by WinINet, Chromium and .NET.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/tls/ns-tls.h"

#include "story.h"

#define HANDLE P (0xcc000c)
#define REQUEST P (0x2a0b0c0d0)
#define ACTIVITY P (0x00cc000c00000001)
#define BEGIN "Nestable Async Begin"
#define END "Nestable Async End"
#define INSTANT "Nestable Async Instant"

/* Made by OpenSSL 3 for this test: subject and issuer are CN=a.com. */
/* clang-format off */
#define CERTIFICATE \
  "MIIBNjCB6aADAgECAhRn1GZwsk6tIZc6YBpApyg2qnlkJjAFBgMrZXAwEDEOMAwGA1UEAwwFYS5jb20wIBcNMjYxMTI2" \
  "MTk0NjM0WhgPMjA1NDA0MTIxOTQ2MzRaMBAxDjAMBgNVBAMMBWEuY29tMCowBQYDK2VwAyEA4F9DGZhLOQzzZm2C7YH5" \
  "owaT6tzqO0MkbzyXUiFDAgGjUzBRMB0GA1UdDgQWBBT91r7lWp7VItl7ktpS6H4Grm2GHTAfBgNVHSMEGDAWgBT91r7l" \
  "Wp7VItl7ktpS6H4Grm2GHTAPBgNVHRMBAf8EBTADAQH/MAUGAytlcANBAKRUkIiuv88QhQiVBwwz+7YVDdTVznLuwa0O" \
  "/NQqJ1EcPNYEupBjQY2wKlGnoo0r/WajcVFF0RWRECXIo9a8PAE="
/* clang-format on */

static NsTlsFacts
facts_of (const NsTrace *trace, NsTableId table, NsRow row)
{
  NsTlsFacts facts;

  ns_tls_get_facts (trace, table, row, &facts);
  return facts;
}

/* Writes a WinINet request with a connection from port 50010. */
static void
report_request (Story *story)
{
  story->activity = ACTIVITY;
  story_write (story, 1, STORY_WININET, 104, "ppccchhd", HANDLE, P (8), "GET", "/", "1.1", 0, 0, 0);
  story_write_version (story, 2, STORY_WININET, 200, 1, "pp", HANDLE, P (5));
  story_write (story, 3, STORY_WININET, 1007, "pa", REQUEST, "https://a.com/");
  story_write (story, 4, STORY_WININET, 301, "cppd", "a.com", HANDLE, P (7), 50010);
}

static void
report_context (Story *story, double ms, guint id, guint port, guint32 status)
{
  story->activity = 0;
  if (id == 1065)
    story_write (story, ms, STORY_WININET, id, "padd", P (0x99), "a.com", 1u, port);
  else
    story_write (story, ms, STORY_WININET, id, "paddd", P (0x99), "a.com", 1u, port, status);
  story->activity = ACTIVITY;
}

/* Events 701 and 702, 705, 1065 and 1066: the name by the local port, the hash of the
 * certificate. */
static void
test_wininet_tells_name_and_hash (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  report_request (story);
  story_write (story, 10, STORY_WININET, 701, "p", REQUEST);
  report_context (story, 11, 1065, 50010, 0);
  /* SEC_I_CONTINUE_NEEDED is no failure. */
  report_context (story, 12, 1066, 50010, 0x90312);
  /* An unknown port, and a truncated payload. */
  report_context (story, 12.5, 1066, 50099, 0x80090326);
  story_write (story, 12.6, STORY_WININET, 1066, "p", P (0x99));
  story_write (story, 13, STORY_WININET, 705, "phx", REQUEST, 20, "0102");
  story_write (story, 14, STORY_WININET, 705, "phx", REQUEST, 3, "0a0bff");
  story_write (story, 20, STORY_WININET, 702, "pd", REQUEST, 0u);
  trace = story_open (story, 100);

  facts = facts_of (trace, NS_TABLE_WININET, 1);
  story_assert_text (trace, facts.sni, "a.com");
  story_assert_text (trace, facts.sha1, "0a0bff");
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_NONE);
  g_assert_cmpuint (facts.sources, ==, 1 << NS_TLS_WININET);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);
  story_assert_text (trace, facts.sha1, "0a0bff");
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 0), NS_PHASE_TLS),
                   ==,
                   10 * 1000000);
}

/* Event 704 has a certificate error, event 1066 an error of Schannel. */
static void
test_wininet_tells_why (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (Story) other = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) other_trace = NULL;
  NsTlsFacts facts;

  report_request (story);
  story_write (story, 10, STORY_WININET, 701, "p", REQUEST);
  story_write (story, 20, STORY_WININET, 704, "pd", REQUEST, 12037u);
  trace = story_open (story, 100);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);
  g_assert_cmpuint (facts.error, ==, 12037);
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_WIN32);

  report_request (other);
  report_context (other, 11, 1065, 50010, 0);
  report_context (other, 12, 1066, 50010, 0x80090326);
  other_trace = story_open (other, 100);
  facts = facts_of (other_trace, NS_TABLE_ACTIVITIES, 1);
  g_assert_cmphex (facts.error, ==, 0x80090326);
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_HRESULT);
}

/* Two processes use the same handle and the same local port at different times. */
static void
test_requests_of_two_processes_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  report_request (story);
  story->pid = 101;
  story->tid = 41;
  report_request (story);
  story_write (story, 10, STORY_WININET, 701, "p", REQUEST);
  story->pid = 100;
  story->tid = 40;
  story_write (story, 12, STORY_WININET, 701, "p", REQUEST);
  report_context (story, 13, 1065, 50010, 0);
  report_context (story, 14, 1066, 50010, 0x80090326);
  story->pid = 101;
  story->tid = 41;
  story_write (story, 15, STORY_WININET, 705, "phx", REQUEST, 2, "0a0b");
  story_write (story, 16, STORY_WININET, 702, "pd", REQUEST, 0u);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_cmpuint (story_activity (trace, 0)->pid, ==, 100);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);
  g_assert_cmphex (facts.error, ==, 0x80090326);
  story_assert_text (trace, facts.sni, "a.com");
  g_assert_cmpuint (facts.sha1, ==, NS_STRING_NONE);
  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 2);
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_NONE);
  g_assert_cmpuint (facts.sni, ==, NS_STRING_NONE);
  story_assert_text (trace, facts.sha1, "0a0b");
}

static void
report_chrome (Story *story, const char *certificates, const char *end)
{
  story_netlog (story,
                1,
                "REQUEST_ALIVE",
                BEGIN,
                10,
                "URL_REQUEST",
                "{\"url\":\"https://a.com/\",\"priority\":\"HIGHEST\"}");
  story_netlog (story,
                2,
                "URL_REQUEST_START_JOB",
                BEGIN,
                10,
                "URL_REQUEST",
                "{\"method\":\"GET\",\"url\":\"https://a.com/\"}");
  story_netlog (story,
                3,
                "SOCKET_ALIVE",
                BEGIN,
                14,
                "SOCKET",
                "{\"source_dependency\":{\"id\":13}}");
  story_netlog (story, 4, "TCP_CONNECT", BEGIN, 14, "SOCKET", "{}");
  story_netlog (story,
                5,
                "TCP_CONNECT",
                END,
                14,
                "",
                "{\"local_address\":\"10.0.0.5:50001\",\"remote_address\":\"1.2.3.4:443\"}");
  story_netlog (story, 10, "SSL_CONNECT", BEGIN, 14, "SOCKET", "{}");
  story_netlog (story, 15, "SSL_CERTIFICATES_RECEIVED", INSTANT, 14, "SOCKET", certificates);
  story_netlog (story, 20, "SSL_CONNECT", END, 14, "", end);
  story_netlog (story,
                21,
                "SOCKET_POOL_BOUND_TO_SOCKET",
                INSTANT,
                10,
                "URL_REQUEST",
                "{\"source_dependency\":{\"id\":14}}");
  story_netlog (story, 22, "HTTP_TRANSACTION_SEND_REQUEST", BEGIN, 10, "URL_REQUEST", "{}");
}

/* The first certificate is that of the server. */
static void
test_chromium_tells_of_the_certificate (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  report_chrome (story,
                 "{\"certificates\":[\"-----BEGIN CERTIFICATE-----\\n" CERTIFICATE
                 "\\n-----END CERTIFICATE-----\\n\",\"x\"]}",
                 "{\"version\":\"TLS 1.3\",\"cipher_suite\":4865,\"is_resumed\":false,"
                 "\"next_proto\":\"h2\"}");
  trace = story_open (story, 100);

  facts = facts_of (trace, NS_TABLE_CHROMIUM, 1);
  story_assert_text (trace, facts.version, "TLS 1.3");
  story_assert_text (trace, facts.cipher, "TLS_AES_128_GCM_SHA256");
  story_assert_text (trace, facts.alpn, "h2");
  g_assert_cmpint (facts.resumed, ==, 0);
  story_assert_text (trace, facts.subject, "CN=a.com");
  story_assert_text (trace, facts.issuer, "CN=a.com");
  story_assert_text (trace, facts.expires, "2054-04-12T19:46:34Z");
}

/* A malformed certificate is ignored and is no failure. */
static void
test_broken_certificates_say_nothing (void)
{
  static const char *const broken[] = {
    "{}",
    "{\"certificates\":7}",
    "{\"certificates\":[]}",
    "{\"certificates\":[\"-----BEGIN CERTIFICATE-----\"]}",
    "{\"certificates\":[\"-----BEGIN CERTIFICATE-----\\nMIIBNjCB6aAD\\n-----END\"]}",
    "{\"certificates\":[\"-----BEGIN CERTIFICATE-----\\n????\\n-----END\"]}",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      NsTlsFacts facts;

      report_chrome (story, broken[i], "{\"version\":\"TLS 1.2\",\"next_proto\":\"h2\"}");
      trace = story_open (story, 100);
      facts = facts_of (trace, NS_TABLE_CHROMIUM, 1);
      story_assert_text (trace, facts.version, "TLS 1.2");
      g_assert_cmpuint (facts.subject, ==, NS_STRING_NONE);
      g_assert_cmpuint (facts.error_family, ==, NS_CODE_NONE);
    }
}

static void
test_chromium_tells_why (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  report_chrome (story, "{}", "{\"net_error\":-202,\"version\":\"TLS 1.2\"}");
  trace = story_open (story, 100);
  facts = facts_of (trace, NS_TABLE_CHROMIUM, 1);
  g_assert_cmpint ((gint32) facts.error, ==, -202);
  g_assert_cmpuint (facts.error_family, ==, NS_CODE_CHROMIUM);
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
}

/* Sets the activity ID of the next events to the path whose components are the nibbles of
 * @bytes. */
static void
set_activity_path (Story *story, guint32 bytes)
{
  guint32 sum = bytes + 0x599D99ADu;

  story->activity = bytes;
  story->activity_high = (guint64) (sum ^ story->pid) << 32;
}

static NsTrace *
open_dotnet (Story *story, guint32 protocol, const char *why)
{
  set_activity_path (story, 0x11);
  story_write (story,
               10,
               STORY_DOTNET_HTTP,
               1,
               "wwdwbbd",
               "https",
               "a.example",
               443,
               "/x",
               1,
               1,
               0);
  set_activity_path (story, 0x1011);
  story_write (story, 12, STORY_DOTNET_SECURITY, 1, "dw", 0, "a.example");
  if (why != NULL)
    story_write (story, 19, STORY_DOTNET_SECURITY, 3, "dqw", 0, P (0), why);
  story_write (story, 20, STORY_DOTNET_SECURITY, 2, "d", protocol);
  set_activity_path (story, 0x11);
  if (why == NULL)
    {
      story_write_version (story,
                           21,
                           STORY_DOTNET_HTTP,
                           4,
                           1,
                           "bbqwwdw",
                           1,
                           1,
                           P (3),
                           "https",
                           "a.example",
                           443,
                           "1.2.3.4");
      set_activity_path (story, 0x2011);
      story_write_version (story, 22, STORY_DOTNET_HTTP, 7, 1, "q", P (3));
      set_activity_path (story, 0x11);
    }
  else
    story_write_version (story, 29, STORY_DOTNET_HTTP, 3, 1, "w", why);
  story_write_version (story, 30, STORY_DOTNET_HTTP, 2, 1, "d", why == NULL ? 200 : (guint) -1);
  return story_open (story, 100);
}

/* Versions of .NET are shown in the same form as those of other layers. */
static void
test_dotnet_tells_version_and_name (void)
{
  static const struct
  {
    guint32 protocol;
    const char *version;
    const char *number;
  } protocols[] = {
    { 48, "SSL 3.0", NULL },    { 192, "TLS 1.0", "1.0" },   { 768, "TLS 1.1", "1.1" },
    { 3072, "TLS 1.2", "1.2" }, { 12288, "TLS 1.3", "1.3" }, { 5, NULL, NULL },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (protocols); i++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = open_dotnet (story, protocols[i].protocol, NULL);
      NsTlsFacts facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);

      g_assert_cmpstr (ns_trace_text (trace, facts.version), ==, protocols[i].version);
      story_assert_text (trace, facts.sni, "a.example");
      g_assert_cmpuint (facts.sources, ==, 1 << NS_TLS_DOTNET);
      g_assert_cmpstr (g_array_index (trace->dotnet, NsDotnetRow, 0).tls_version,
                       ==,
                       protocols[i].number);
    }
}

static void
test_dotnet_tells_why (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = open_dotnet (story, 0, "RemoteCertificateNameMismatch");
  NsTlsFacts facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);

  story_assert_text (trace, facts.error_text, "RemoteCertificateNameMismatch");
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
}

/* Schannel in a server, with events of its own for a client on the same machine. */
static void
test_the_side_of_a_server_is_nobodys (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  report_request (story);
  story_write (story, 10, STORY_WININET, 701, "p", REQUEST);
  report_context (story, 11, 1065, 50010, 0);
  story_write (story,
               12,
               STORY_SCHANNEL,
               36880,
               "wwddpwww",
               "server",
               "TLS 1.2",
               0xc030u,
               256u,
               P (0x1234),
               "a.com",
               "CN=server",
               "CN=client");
  story_write (story, 20, STORY_WININET, 702, "pd", REQUEST, 0u);
  trace = story_open (story, 100);

  facts = facts_of (trace, NS_TABLE_ACTIVITIES, 1);
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts.subject, ==, NS_STRING_NONE);
  g_assert_cmpuint (facts.sources, ==, 1 << NS_TLS_WININET);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define CLAIM(path, name) g_test_add_func ("/tls-layers/" path, test_##name)
  CLAIM ("wininet-name-and-hash", wininet_tells_name_and_hash);
  CLAIM ("wininet-why", wininet_tells_why);
  CLAIM ("wininet-two-processes", requests_of_two_processes_are_told_apart);
  CLAIM ("chromium-certificate", chromium_tells_of_the_certificate);
  CLAIM ("chromium-broken-certificates", broken_certificates_say_nothing);
  CLAIM ("chromium-why", chromium_tells_why);
  CLAIM ("dotnet-version-and-name", dotnet_tells_version_and_name);
  CLAIM ("dotnet-why", dotnet_tells_why);
  CLAIM ("server-side", the_side_of_a_server_is_nobodys);
#undef CLAIM
  return g_test_run ();
}
