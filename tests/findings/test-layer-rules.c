/* Tests the rules for file shares, RPC, QUIC, .NET and packet filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "finding-claims.h"

#include "engine/app/quic/ns-quic.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/app/tls/ns-tls.h"
#include "engine/app/wfp/ns-wfp.h"
#include "engine/net/ns-signs.h"

#include <string.h>

#define PID FINDING_PID

static NsTrace *
make_trace (void)
{
  return test_trace_new (600 * SECOND);
}

/* Returns the first finding of the rule, or NULL. */
static const NsFindingRow *
find_first (NsTrace *trace, const char *rule)
{
  const GArray *findings;
  guint i;

  row_record_all (trace);
  findings = ns_findings_get (trace);
  for (i = 0; i < findings->len; i++)
    if (strcmp (g_array_index (findings, NsFindingRow, i).rule, rule) == 0)
      return &g_array_index (findings, NsFindingRow, i);
  g_assert_not_reached ();
}

static void
assert_said (NsTrace *trace, const char *rule, const char *said)
{
  const NsFindingRow *row = find_first (trace, rule);

  g_assert_cmpint (row->verdict, ==, said != NULL ? NS_VERDICT_FOUND : NS_VERDICT_NOT_FOUND);
  if (said != NULL && strstr (row->text, said) == NULL)
    g_error ("%s says: %s", rule, row->text);
  test_trace_free (trace);
}

static NsSmbRow *
add_command (NsTrace *trace, const char *command, const char *share, gint64 wire_ns)
{
  NsSmbRow *row = test_trace_add (trace->smb);

  *row = (NsSmbRow){ .layer = { .pid = PID, .open_ns = SECOND, .close_ns = SECOND + wire_ns },
                     .kind = NS_SMB_COMMAND,
                     .sent_ns = SECOND,
                     .response_ns = SECOND + wire_ns,
                     .wire_ns = wire_ns,
                     .credit_wait_ns = NS_UNKNOWN };
  row->command = row_text (trace, command);
  row->share = row_text (trace, share);
  row->server = row_text (trace, "srv1");
  return row;
}

static void
test_a_slow_file_server (void)
{
  NsTrace *trace = make_trace ();

  add_command (trace, "Create", "data", 6 * SECOND);
  assert_said (trace, "D43", "srv1 took up to 6.00 s to respond to an SMB command");
}

/* Commands that wait by design are not reported, nor are fast ones or those explained by the
 * round-trip time. */
static void
test_what_a_file_server_holds_back (void)
{
  NsTrace *trace = make_trace ();
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:445", 0, 0, 100 * SECOND);
  NsTcpExtra *extra = ns_arena_new0 (trace->arena, NsTcpExtra);

  extra->rtt_us = 600000;
  tcp->extra = extra;
  add_command (trace, "Change notify", "data", 60 * SECOND);
  add_command (trace, "Lock", "data", 60 * SECOND);
  add_command (trace, "Read", "IPC$", 60 * SECOND);
  add_command (trace, "Read", "data", 900 * MS);
  add_command (trace, "Create", "data", 2 * SECOND)->tcp = 1;
  add_command (trace, "Create", "data", 9 * SECOND)->kind = NS_SMB_OPERATION;
  assert_said (trace, "D43", NULL);
}

static NsRpcRow *
add_call (NsTrace *trace, guint protocol, gint64 status)
{
  NsRpcRow *row = test_trace_add (trace->rpc);

  *row = (NsRpcRow){
    .layer = { .pid = PID, .open_ns = SECOND, .close_ns = 3 * SECOND, .status = status },
    .protocol = protocol,
  };
  row->address = row_text (trace, "dc1");
  return row;
}

static void
test_a_slow_procedure (void)
{
  NsTrace *trace = make_trace ();

  add_call (trace, NS_RPC_TCP, 0);
  assert_said (trace, "D43", "a remote procedure call to dc1 took up to 2.00 s");
}

/* Local calls, calls of the server side, failed calls and pending ones. */
static void
test_what_is_no_slow_procedure (void)
{
  NsTrace *trace = make_trace ();

  add_call (trace, NS_RPC_LOCAL, 0);
  add_call (trace, NS_RPC_TCP, 0)->is_server = TRUE;
  add_call (trace, NS_RPC_TCP, 1722);
  add_call (trace, NS_RPC_TCP, 0)->layer.close_ns = NS_TIME_OPEN;
  assert_said (trace, "D43", NULL);
}

static void
report_handshake (NsTrace *trace, NsRow activity, const char *why)
{
  NsTlsFacts facts;

  ns_tls_facts_init (&facts);
  facts.error_text = why != NULL ? row_text (trace, why) : NS_STRING_NONE;
  if (trace->tls == NULL)
    ns_tls_store_make (trace);
  ns_tls_store_add (trace->tls, NS_TABLE_ACTIVITIES, activity, &facts);
}

static NsActivityRow *
add_failed (NsTrace *trace, NsTableId table)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 0, 0, 10 * SECOND);

  row->webio = 0;
  row->source_table = table;
  row->protocol = row->layers = table == NS_TABLE_QUIC ? NS_LAYER_QUIC : NS_LAYER_DOTNET;
  row->failed = TRUE;
  return row;
}

/* D26: .NET reports the failure as text, without an error code. */
static void
test_a_failed_handshake_of_dotnet (void)
{
  NsTrace *trace = make_trace ();

  add_failed (trace, NS_TABLE_DOTNET);
  report_handshake (trace, 1, "RemoteCertificateNameMismatch");
  assert_said (trace, "D26", "TLS with host.test failed: RemoteCertificateNameMismatch.");
}

static void
test_a_failed_handshake_of_quic (void)
{
  NsTrace *trace = make_trace ();
  NsActivityRow *row = add_failed (trace, NS_TABLE_QUIC);

  row->error = 40;
  row->error_family = NS_CODE_TLS;
  report_handshake (trace, 1, NULL);
  assert_said (trace, "D26", "TLS alert 40");
}

/* A failed attempt is no failure of the request if another attempt succeeds. */
static void
test_what_is_no_failed_handshake (void)
{
  NsTrace *trace = make_trace ();

  add_failed (trace, NS_TABLE_DOTNET)->failed = FALSE;
  report_handshake (trace, 1, "RemoteCertificateNameMismatch");
  add_failed (trace, NS_TABLE_QUIC);
  report_handshake (trace, 2, NULL);
  assert_said (trace, "D26", NULL);
}

static void
add_quic (NsTrace *trace, gint64 sent, gint64 suspected, gint64 spurious)
{
  NsQuicRow *row = test_trace_add (trace->quic);

  *row = (NsQuicRow){ .layer = { .pid = PID, .open_ns = SECOND, .close_ns = 3 * SECOND },
                      .packets_sent = sent,
                      .packets_suspected = suspected,
                      .packets_spurious = spurious };
  row->server = row_text (trace, "h3.test");
}

static void
test_lost_packets_of_quic (void)
{
  NsTrace *trace = make_trace ();

  add_quic (trace, 1000, 60, 10);
  assert_said (trace, "D17", "50 of 1000 packets of QUIC to h3.test were lost (5.0 %)");
}

/* Packets that were assumed lost and arrived, and too few packets for a verdict. */
static void
test_what_quic_did_not_lose (void)
{
  NsTrace *trace = make_trace ();

  add_quic (trace, 1000, 60, 60);
  add_quic (trace, 50, 9, 0);
  add_quic (trace, NS_UNKNOWN, 60, 0);
  add_quic (trace, 100, NS_UNKNOWN, NS_UNKNOWN);
  assert_said (trace, "D17", NULL);
}

/* Adds three simultaneous .NET requests, of which the last one waited. */
static void
add_queue (NsTrace *trace, gboolean is_reused)
{
  guint i;

  for (i = 0; i < 3; i++)
    {
      NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, i * MS, 10 * SECOND);

      row->webio = 0;
      row->source_table = NS_TABLE_DOTNET;
      row->protocol = row->layers = NS_LAYER_DOTNET;
      row->reused = is_reused;
      if (i == 2)
        test_phases (row)[NS_PHASE_QUEUE] = 2 * SECOND;
    }
}

/* D34: .NET reports how long a request waited for a connection. */
static void
test_a_queue_of_dotnet (void)
{
  NsTrace *trace = make_trace ();

  add_queue (trace, TRUE);
  assert_said (trace, "D34", "requests to host.test waited up to 2.00 s");
}

/* The wait may include making a new connection; .NET versions that report the two separately show a
 * queue wait. */
static void
test_a_new_connection_is_no_queue (void)
{
  NsTrace *trace = make_trace ();
  NsTrace *told = make_trace ();

  add_queue (trace, FALSE);
  assert_said (trace, "D34", NULL);
  add_queue (told, FALSE);
  test_phases (&g_array_index (told->activities, NsActivityRow, 2))[NS_PHASE_CONNECT] = 20 * MS;
  assert_said (told, "D34", "requests to host.test waited up to 2.00 s");
}

static void
add_filtered (NsTrace *trace, gint64 time_ns, NsRow tcp)
{
  NsWfpRow *row = test_trace_add (trace->wfp);

  *row = (NsWfpRow){ .layer = { .pid = PID, .open_ns = time_ns, .close_ns = time_ns },
                     .filter = 70211,
                     .has_filter = TRUE,
                     .layer_id = 48,
                     .tcp = tcp,
                     .count = 1 };
  row->filter_name = row_text (trace, "Block app");
  row->layer_name = row_text (trace, "ALE connect v4");
}

static NsSign *
add_sign (NsTrace *trace, NsSignSource source, guint16 id, gint64 value)
{
  NsSign *sign = test_trace_add (trace->signs);

  sign->source = (guint8) source;
  sign->id = id;
  sign->time_ns = SECOND;
  sign->value = value;
  sign->count = NS_UNKNOWN;
  sign->name = sign->words = NS_STRING_NONE;
  sign->pid = PID;
  sign->event = trace->signs->len + 10;
  return sign;
}

/* D15: the filter has a name if the filter list of netsh is beside the trace. */
static void
test_a_filter_has_a_name (void)
{
  NsTrace *trace = make_trace ();
  NsSign *sign = add_sign (trace, NS_SIGN_WFP, 1001, 70211);

  sign->remote = row_end (trace, "192.0.2.1:443");
  sign->count = 48;
  add_filtered (trace, SECOND, 0);
  assert_said (trace, "D15", "by filter 70211 (Block app) in layer 48 (ALE connect v4)");
}

static const char *
report_drop (NsTrace *trace, gint64 filter_ns)
{
  NsSign *sign = add_sign (trace, NS_SIGN_TCPIP, 1214, 9);

  row_add_tcp (trace, "192.0.2.1:443", 0, 0, 100 * SECOND);
  sign->remote = row_end (trace, "192.0.2.1:443");
  sign->tcp = 1;
  sign->count = 20;
  add_filtered (trace, filter_ns, 1);
  return find_first (trace, "D21")->text;
}

/* D21: drops on a connection are attributed to a filter that dropped packets at the same time. */
static void
test_a_drop_has_a_filter (void)
{
  NsTrace *near = make_trace ();
  NsTrace *far = make_trace ();

  g_assert_nonnull (strstr (report_drop (near, SECOND + 50 * MS), ", by filter 70211 (Block app)"));
  g_assert_null (strstr (report_drop (far, 2 * SECOND), "filter"));
  test_trace_free (near);
  test_trace_free (far);
}

static NsActivityRow *
add_failure (NsTrace *trace, NsTableId table, guint family, guint32 code)
{
  NsActivityRow *row = row_add_request (trace, "file.txt", 0, SECOND, SECOND);

  row->source_table = table;
  row->source_row = table == NS_TABLE_SMB ? trace->smb->len : 1;
  row->server = row_text (trace, "srv1");
  row->method = row_text (trace, "Create");
  row->failed = TRUE;
  row->error_family = family;
  row->error = code;
  return row;
}

static void
test_failed_operations (void)
{
  NsTrace *files = make_trace ();
  NsTrace *calls = make_trace ();
  NsTrace *transfers = make_trace ();

  add_command (files, "Create", "data", SECOND);
  add_failure (files, NS_TABLE_SMB, NS_CODE_NTSTATUS, 0xc0000022);
  add_failure (files, NS_TABLE_SMB, NS_CODE_NTSTATUS, 0xc0000022);
  g_assert_cmpint (find_first (files, "D48")->severity, ==, NS_SEVERITY_WARNING);
  assert_said (files, "D48", "operations on files of srv1 failed");
  add_call (calls, NS_RPC_TCP, 1722);
  add_failure (calls, NS_TABLE_RPC, NS_CODE_WIN32, 1722);
  assert_said (calls, "D48", "remote calls of Create at srv1 failed");
  add_failure (transfers, NS_TABLE_BITS, NS_CODE_HRESULT, 0x80072ee7);
  g_assert_cmpint (find_first (transfers, "D48")->severity, ==, NS_SEVERITY_PROBLEM);
  assert_said (transfers, "D48", "background transfers from srv1 failed");
}

/* Programs open files to test whether they exist, so that failure is normal. */
static void
test_a_question_is_no_failure (void)
{
  NsTrace *trace = make_trace ();

  add_command (trace, "Create", "data", SECOND);
  add_failure (trace, NS_TABLE_SMB, NS_CODE_NTSTATUS, 0xc0000034);
  g_assert_cmpint (find_first (trace, "D48")->severity, ==, NS_SEVERITY_INFO);
  test_trace_free (trace);
}

/* Requests have rules of their own, cancelled operations did not fail, and without a status nothing
 * is known. */
static void
test_what_is_no_failed_operation (void)
{
  NsTrace *trace = make_trace ();

  add_command (trace, "Create", "data", SECOND);
  add_failure (trace, NS_TABLE_WEBIO, NS_CODE_WIN32, 12007);
  add_failure (trace, NS_TABLE_SMB, NS_CODE_NTSTATUS, 0xc0000120)->cancelled = TRUE;
  add_failure (trace, NS_TABLE_SMB, NS_CODE_NONE, 0);
  add_failure (trace, NS_TABLE_SMB, NS_CODE_NTSTATUS, 0xc0000022)->failed = FALSE;
  assert_said (trace, "D48", NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define CLAIM(path, name) g_test_add_func ("/findings-layers/" path, test_##name)
  CLAIM ("slow-file-server", a_slow_file_server);
  CLAIM ("held-back-files", what_a_file_server_holds_back);
  CLAIM ("slow-procedure", a_slow_procedure);
  CLAIM ("no-slow-procedure", what_is_no_slow_procedure);
  CLAIM ("handshake-of-dotnet", a_failed_handshake_of_dotnet);
  CLAIM ("handshake-of-quic", a_failed_handshake_of_quic);
  CLAIM ("no-handshake", what_is_no_failed_handshake);
  CLAIM ("lost-packets-of-quic", lost_packets_of_quic);
  CLAIM ("no-lost-packets", what_quic_did_not_lose);
  CLAIM ("queue-of-dotnet", a_queue_of_dotnet);
  CLAIM ("new-connection-of-dotnet", a_new_connection_is_no_queue);
  CLAIM ("filter-has-a-name", a_filter_has_a_name);
  CLAIM ("drop-has-a-filter", a_drop_has_a_filter);
  CLAIM ("failed-operations", failed_operations);
  CLAIM ("question-is-no-failure", a_question_is_no_failure);
  CLAIM ("no-failed-operation", what_is_no_failed_operation);
#undef CLAIM
  return g_test_run ();
}
