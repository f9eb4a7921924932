/* Tests the wording and columns of rows of the layers above TCP.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "layers.h"

#include "query/ns-fields.h"

typedef struct
{
  NsTableId table;
  guint row; /* 1-based */
  const char *sentence;
} Expected;

static void
assert_sentences (void (*tell) (Story *story, double ms),
                  const Expected *expected,
                  guint n_expected)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  tell (story, 0);
  trace = story_open (story, 5000);
  for (i = 0; i < n_expected; i++)
    {
      g_autofree char *sentence = ns_sentence_new (trace, expected[i].table, expected[i].row - 1);

      g_assert_cmpstr (sentence, ==, expected[i].sentence);
    }
  ns_trace_unref (trace);
}

static void
test_requests_of_dotnet (void)
{
  static const Expected expected[] = {
    { NS_TABLE_ACTIVITIES,
      2,
      "Process 7100 made a request to api.example.com at 0.330 s (thread 7124), waited 81.0 ms for "
      "a connection, reused connection 1, got 503 after 502 ms; 80 % of it waiting for the "
      "server." },
    { NS_TABLE_DOTNET,
      2,
      "Process 7100 requested https://api.example.com/v2/prices?currency=EUR at 0.330 s, waited "
      "81.0 ms for a connection, got 503, ended after 502 ms." },
    { NS_TABLE_DOTNET,
      3,
      "Process 7100 requested https://old.example.com/v1/basket at 0.900 s, failed with No "
      "connection could be made because the target machine actively refused it. "
      "(old.example.com:443), ended after 34.1 ms." },
    { NS_TABLE_DOTNET,
      4,
      "Process 7110 requested https://api.example.com/v1/report at 1.000 s, got 404, failed with "
      "GetResponse failed, ended after 300 ms." },
  };

  assert_sentences (layers_write_dotnet, expected, G_N_ELEMENTS (expected));
}

static void
test_files_of_servers (void)
{
  static const Expected expected[] = {
    { NS_TABLE_ACTIVITIES,
      7,
      "Process 7200 requested “Read” of \\\\fs01\\projects\\2026\\plan.docx at 0.200 s, 1 command "
      "received no response for 2.30 s, ended after 2.34 s." },
    { NS_TABLE_ACTIVITIES,
      10,
      "Process 7200 requested “Create” of \\\\fs01\\projects\\private\\pay.xlsx at 2.600 s, failed "
      "with STATUS_ACCESS_DENIED (0xc0000022) after 6.90 ms; 88 % of it waiting for the server." },
    { NS_TABLE_SMB, 1, "The SMB client connected to \\\\fs01 at 0.001 s, ended after 5.00 ms." },
    { NS_TABLE_SMB,
      3,
      "The SMB client set up a session with \\\\fs01 at 0.008 s, ended after 6.10 ms." },
    { NS_TABLE_SMB,
      15,
      "Process 7200 requested “Read” of \\\\fs01\\projects\\2026\\plan.docx at 0.200 s, the server "
      "took 11.0 ms, 1 command received no response for 2.30 s, received 65,536 B, ended after "
      "2.34 s." },
    { NS_TABLE_SMB,
      16,
      "Process 7200 requested “Read” of \\\\fs01\\projects\\2026\\plan.docx at 0.200 s, failed "
      "with STATUS_IO_TIMEOUT (0xc00000b5), reported by the SMB client as “expired”, ended after "
      "2.30 s." },
    { NS_TABLE_SMB, 17, "Process 7200 encountered the SMB event “Reconnect” at 2.501 s." },
  };

  assert_sentences (layers_write_smb, expected, G_N_ELEMENTS (expected));
}

static void
test_checks_of_certificates (void)
{
  static const Expected expected[] = {
    { NS_TABLE_ACTIVITIES,
      2,
      "Process 7800 made a request to hr.example.com at 0.200 s (thread 7804), was queued 1.00 ms "
      "inside WinHTTP, checked certificates for 3.00 s and contacted "
      "http://crl.example.net/issuing-ca.crl, "
      "failed in the TLS handshake with CRYPT_E_REVOCATION_OFFLINE (0x80092013), failed with "
      "ERROR_WINHTTP_SECURE_FAILURE (12175) after 3.06 s; 99 % of it in the TLS handshake." },
    { NS_TABLE_CAPI2,
      1,
      "Process 7800 checked a certificate chain at 0.250 s, subject hr.example.com, failed "
      "with CRYPT_E_REVOCATION_OFFLINE (0x80092013), ended after 3.00 s." },
    { NS_TABLE_CAPI2,
      2,
      "Process 7800 checked the revocation of a certificate at 0.251 s, subject hr.example.com, "
      "failed with CRYPT_E_REVOCATION_OFFLINE (0x80092013), ended after 3.00 s." },
    { NS_TABLE_CAPI2,
      3,
      "Process 7800 retrieved http://crl.example.net/issuing-ca.crl for a certificate at 0.252 s, "
      "failed with ERROR_TIMEOUT (1460), ended after 3.00 s." },
  };

  assert_sentences (layers_write_tls, expected, G_N_ELEMENTS (expected));
}

static void
test_drops (void)
{
  static const Expected expected[] = {
    { NS_TABLE_ACTIVITIES,
      1,
      "Process 7700 tried to connect to 203.0.113.40:8443 at 0.010 s, was blocked by filter 70123 "
      "after 1.20 ms." },
    { NS_TABLE_ACTIVITIES,
      4,
      "Windows dropped data that A process sent to 203.0.113.41:123 at 1.700 s, blocked by filter "
      "70123." },
    { NS_TABLE_WFP,
      1,
      "Windows dropped data that backup.exe sent to 203.0.113.40:8443 at 0.010 s, by filter 70123, "
      "at "
      "the layer ALE connect v4." },
    { NS_TABLE_WFP,
      2,
      "Windows blocked a connection attempt by ? to 203.0.113.40:8443 at 0.011 s, with "
      "STATUS_ACCESS_DENIED "
      "(0xc0000022)." },
    { NS_TABLE_WFP,
      7,
      "Windows dropped data that 198.51.100.66:40001 sent to System at 1.600 s, to port 3389, by "
      "filter "
      "66001, at the layer ALE receive/accept v4." },
  };

  assert_sentences (layers_write_wfp, expected, G_N_ELEMENTS (expected));
}

static void
test_connections_of_quic (void)
{
  static const Expected expected[] = {
    { NS_TABLE_ACTIVITIES,
      1,
      "Process 7300 connected to media.example.com over QUIC at 0.005 s (thread 7304), completed "
      "the handshake in 25.0 ms, ended after 407 ms." },
    { NS_TABLE_QUIC,
      1,
      "Process 7300 had a QUIC connection with media.example.com at 0.005 s, completed the "
      "handshake in 25.0 ms, sent 61,234 B, received 812,345 B, lost packets: 3, ended after 407 "
      "ms." },
    { NS_TABLE_QUIC,
      2,
      "Process 7300 had a QUIC stream with media.example.com at 0.040 s, sent 180 B, received "
      "65,000 B, "
      "ended after 41.0 ms." },
    { NS_TABLE_QUIC,
      5,
      "Process 7300 had a QUIC connection with 198.51.100.9:443 at 0.320 s, failed with TLS alert "
      "120 (no_application_protocol), ended after 41.0 ms." },
  };

  assert_sentences (layers_write_quic, expected, G_N_ELEMENTS (expected));
}

static void
test_calls (void)
{
  static const Expected expected[] = {
    { NS_TABLE_ACTIVITIES,
      2,
      "Process 7400 called procedure 15 of svcctl on 10.0.0.20 at 0.010 s, ended after 51.0 ms; "
      "100 % of it waiting for the server." },
    { NS_TABLE_ACTIVITIES,
      3,
      "Process 7400 called procedure 1 of spoolss on \\\\print01 at 0.100 s, failed with "
      "RPC_S_SERVER_UNAVAILABLE (1722) after 2.00 s; 100 % of it waiting for the server." },
    { NS_TABLE_RPC,
      2,
      "Process 7400 called procedure 1 of spoolss at 0.100 s, on \\\\print01, failed with "
      "RPC_S_SERVER_UNAVAILABLE (1722), ended after 2.00 s." },
    { NS_TABLE_RPC,
      4,
      "Process 7408 was called: procedure 44 of lsarpc at 2.201 s, failed with ERROR_ACCESS_DENIED "
      "(5), ended after 8.00 ms." },
  };

  assert_sentences (layers_write_rpc, expected, G_N_ELEMENTS (expected));
}

static void
test_transfers (void)
{
  static const Expected expected[] = {
    { NS_TABLE_ACTIVITIES,
      4,
      "Process 7500 downloaded http://download.example.com/u/delta.cab in the background at 0.420 "
      "s, on behalf of C:\\Program Files\\Contoso\\updater.exe, failed with HTTP 404 (0x80190194) "
      "after 180 ms." },
    { NS_TABLE_BITS,
      1,
      "Process 7500 transferred http://download.example.com/u/setup.cab in the background at 0.010 "
      "s, on behalf of C:\\Program Files\\Contoso\\updater.exe, for the job “Contoso update”, "
      "received "
      "500,000 B, ended after 390 ms." },
  };

  assert_sentences (layers_write_bits, expected, G_N_ELEMENTS (expected));
}

/* The server has a column of its own. */
static void
test_a_file_has_its_name (void)
{
  g_autoptr (Story) story = story_new ();
  g_autofree char *brief = NULL;
  NsTrace *trace;

  layers_write_smb (story, 0);
  trace = story_open (story, 5000);
  brief = ns_brief_new (trace, NS_TABLE_ACTIVITIES, 6);
  g_assert_cmpstr (brief, ==, "Read plan.docx");
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/layer-words/requests-of-dotnet", test_requests_of_dotnet);
  g_test_add_func ("/layer-words/files-of-servers", test_files_of_servers);
  g_test_add_func ("/layer-words/checks-of-certificates", test_checks_of_certificates);
  g_test_add_func ("/layer-words/drops", test_drops);
  g_test_add_func ("/layer-words/connections-of-quic", test_connections_of_quic);
  g_test_add_func ("/layer-words/calls", test_calls);
  g_test_add_func ("/layer-words/transfers", test_transfers);
  g_test_add_func ("/layer-words/a-file-has-its-name", test_a_file_has_its_name);
  return g_test_run ();
}
