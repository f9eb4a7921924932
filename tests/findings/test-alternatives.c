/* Tests rules with alternative signs.
 *
 * Each sign is sufficient, and each has its near miss.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"
#include "finding-claims.h"

#include "engine/app/capi2/ns-capi2.h"
#include "engine/net/ns-signs.h"
#include "engine/trace/ns-trace-lookup.h"

#include <string.h>

#define PID FINDING_PID
#define TLS 0xc0ffee
#define BUFFER_BYTES 0x1000
#define SEQUENCE_AT 0x18

/* Expected result of a rule for the rows of @make. */
typedef struct
{
  const char *rule;
  const char *way; /* description, used in the name of the test */
  void (*make) (NsTrace *trace);
  gboolean is_found;
  NsSeverity severity;
  guint count;
  const char *said; /* a part of the sentence; NULL: no finding */
} Way;

static NsSign *
add_sign (NsTrace *trace, NsSignSource source, guint16 id, gint64 time_ns, gint64 value)
{
  NsSign *sign = test_trace_add (trace->signs);

  sign->source = (guint8) source;
  sign->id = id;
  sign->time_ns = time_ns;
  sign->value = value;
  sign->count = NS_UNKNOWN;
  sign->name = sign->words = NS_STRING_NONE;
  sign->pid = PID;
  sign->event = trace->signs->len + 10;
  return sign;
}

/* Adds a WinHTTP request whose events have its pointer. */
static NsActivityRow *
add_request (NsTrace *trace)
{
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, 10 * SECOND);

  g_array_index (trace->webio, NsWebioRow, row->webio - 1) =
      (NsWebioRow){ .request = TLS, .pid = PID, .activity = 1, .close_ns = 10 * SECOND };
  g_array_index (trace->webio, NsWebioRow, row->webio - 1).server = row->server;
  return row;
}

static void
add_check (NsTrace *trace, gint64 checked_ns)
{
  add_request (trace);
  add_sign (trace, NS_SIGN_WEBIO, 703, SECOND, 0x90312)->key = TLS;
  add_sign (trace, NS_SIGN_WEBIO, 703, 2 * SECOND, 0)->key = TLS;
  add_sign (trace, NS_SIGN_WEBIO, 712, 2 * SECOND + checked_ns, 0)->key = TLS;
}

static void
make_long_check (NsTrace *trace)
{
  add_check (trace, 200 * MS);
}

static void
make_short_check (NsTrace *trace)
{
  add_check (trace, 199 * MS);
}

static void
make_asking_check (NsTrace *trace)
{
  add_check (trace, 2 * SECOND);
  row_add_name (trace, "ocsp.ca.test", 9002, 2100 * MS, SECOND);
}

/* The DNS lookup of the request was slow; no certificate server was queried. */
static void
make_own_name (NsTrace *trace)
{
  NsActivityRow *row = row_add_request (trace, "https://ocsp.test/", 200, 0, 10 * SECOND);

  row->server = row_text (trace, "ocsp.test");
  test_phases (row)[NS_PHASE_TLS] = 500 * MS;
  row_add_name (trace, "ocsp.test", 0, 0, 300 * MS);
}

/* CAPI2 reports a check during the handshake and the server that it queried. */
static void
make_told_check (NsTrace *trace)
{
  NsCapi2Row chain = {
    .layer = { .pid = 100, .open_ns = 100 * MS, .close_ns = 400 * MS, .activity = 1, .status = 0 },
    .kind = NS_CAPI2_CHAIN
  };
  NsCapi2Row retrieval = {
    .layer = { .pid = 100, .open_ns = 110 * MS, .close_ns = 390 * MS, .status = 12002 },
    .kind = NS_CAPI2_RETRIEVAL,
    .parent = 1
  };

  row_add_request (trace, "https://host.test/", 200, 0, SECOND);
  retrieval.url = row_text (trace, "http://crl.ca.test/a.crl");
  g_array_append_val (trace->capi2, chain);
  g_array_append_val (trace->capi2, retrieval);
}

/* The same check outside of any handshake. */
static void
make_loose_check (NsTrace *trace)
{
  make_told_check (trace);
  g_array_index (trace->capi2, NsCapi2Row, 0).layer.activity = 0;
}

static void
make_secure_failure (NsTrace *trace)
{
  static const gint64 codes[] = { 12037, 12038, 12045, 12057, 12157, 12169, 12170,
                                  12171, 12175, 12178, 12179, 12185, 12186 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (codes); i++)
    add_sign (trace, NS_SIGN_WEBIO, 135, SECOND, codes[i]);
}

static void
make_other_failure (NsTrace *trace)
{
  add_sign (trace, NS_SIGN_WEBIO, 135, SECOND, 12182);
}

static void
make_no_secure_failure (NsTrace *trace)
{
  add_sign (trace, NS_SIGN_WEBIO, 135, SECOND, 12168);
  add_sign (trace, NS_SIGN_WEBIO, 135, SECOND, 12187);
  add_sign (trace, NS_SIGN_WEBIO, 135, SECOND, 12029);
  add_sign (trace, NS_SIGN_WEBIO, 703, SECOND, 0x90312);
  add_sign (trace, NS_SIGN_WEBIO, 703, SECOND, (gint32) 0x80090318);
}

static void
make_step_failure (NsTrace *trace)
{
  add_sign (trace, NS_SIGN_WEBIO, 703, SECOND, 0x80090326);
}

static void
add_search (NsTrace *trace, NsSignSource source, guint16 begin, guint16 end, gint64 length_ns)
{
  add_sign (trace, source, begin, SECOND, 0);
  add_sign (trace, source, end, SECOND + length_ns, 0);
}

static void
make_blocking_search (NsTrace *trace)
{
  add_search (trace, NS_SIGN_WINHTTP, 816, 817, 1200 * MS);
}

static void
make_short_search (NsTrace *trace)
{
  add_search (trace, NS_SIGN_WINHTTP, 816, 817, 99 * MS);
}

static void
make_failed_search (NsTrace *trace)
{
  row_add_request (trace, "https://host.test/a", 200, 500 * MS, 3 * SECOND);
  row_add_request (trace, "https://host.test/b", 200, 600 * MS, 3 * SECOND);
  add_search (trace, NS_SIGN_WININET, 801, 808, 300 * MS);
}

static void
make_loaded_search (NsTrace *trace)
{
  row_add_request (trace, "https://host.test/a", 200, 500 * MS, 3 * SECOND);
  add_search (trace, NS_SIGN_WINHTTP, 801, 810, 300 * MS);
}

static void
make_tracked_search (NsTrace *trace)
{
  row_add_request (trace, "https://host.test/a", 200, 500 * MS, 3 * SECOND);
  add_search (trace, NS_SIGN_WININET, 834, 835, 300 * MS);
}

static void
make_unwanted_search (NsTrace *trace)
{
  row_add_request (trace, "https://host.test/a", 200, 2 * SECOND, 3 * SECOND);
  add_search (trace, NS_SIGN_WININET, 801, 808, 300 * MS);
  row_add_name (trace, "wpad.corp.test", 9003, SECOND, 300 * MS);
}

static void
make_wpad_name (NsTrace *trace)
{
  row_add_request (trace, "https://host.test/a", 200, 500 * MS, 3 * SECOND);
  row_add_name (trace, "wpad.corp.test", 9003, SECOND, 300 * MS);
}

static void
make_named_search (NsTrace *trace)
{
  make_failed_search (trace);
  row_add_name (trace, "wpad.corp.test", 9003, SECOND, 20 * MS);
}

static NsCallRow *
add_pending (NsTrace *trace, const char *call, gint64 open_ns)
{
  NsCallRow *row = row_add_call (trace, call, 0, open_ns, 100);

  row->has_status = FALSE;
  row->pending = TRUE;
  row->close_ns = NS_TIME_OPEN;
  return row;
}

static void
add_paused_request (NsTrace *trace)
{
  row_add_request (trace, "https://host.test/", 200, 0, 4 * SECOND)->winsock = 1;
  row_add_call (trace, "send", 0, 100 * MS, 100);
}

static void
make_call_without_end (NsTrace *trace)
{
  add_paused_request (trace);
  add_pending (trace, "send", 150 * MS);
  row_add_call (trace, "recv", 0, 2200 * MS, 100);
}

static void
make_receive_that_was_over (NsTrace *trace)
{
  add_paused_request (trace);
  add_pending (trace, "recv", 150 * MS);
  row_add_call (trace, "recv", 0, 2200 * MS, 100);
}

static void
make_receive_that_is_waited_for (NsTrace *trace)
{
  add_paused_request (trace);
  add_pending (trace, "recv", 150 * MS);
  row_add_call (trace, "send", 0, 2200 * MS, 100);
}

static void
make_transfers_apart (NsTrace *trace)
{
  add_request (trace);
  g_array_index (trace->webio, NsWebioRow, 0).gap = (NsTimeSpan){ SECOND, 5 * SECOND };
}

/* The library negotiates TLS at the same time. */
static void
make_negotiation (NsTrace *trace)
{
  make_transfers_apart (trace);
  test_phases (&g_array_index (trace->activities, NsActivityRow, 0))[NS_PHASE_TLS] = 3200 * MS;
}

/* A directory search is reported as such. */
static void
make_search_over_socket (NsTrace *trace)
{
  row_add_call (trace, "send", 0, 0, 100);
  row_add_call (trace, "recv", 0, MS, 100)->close_ns = 3 * SECOND;
  g_array_index (trace->winsock, NsWinsockRow, 0).remote = row_end (trace, "192.0.2.1:389");
}

static void
make_lost_records (NsTrace *trace)
{
  trace->n_records = 1000;
  add_sign (trace, NS_SIGN_LOST, 32, 2 * SECOND, 0);
  add_sign (trace, NS_SIGN_LOST, 32, 5 * SECOND, 0);
}

static void
add_silence (NsTrace *trace, gint64 begin_ns, gint64 length_ns)
{
  NsTimeSpan *silence = test_trace_add (trace->silences);

  *silence = (NsTimeSpan){ begin_ns, begin_ns + length_ns };
}

static void
make_long_silence (NsTrace *trace)
{
  trace->end_ns = 3600 * SECOND;
  trace->n_loud_seconds = 40;
  add_silence (trace, 60 * SECOND, 600 * SECOND);
  add_silence (trace, 700 * SECOND, 599 * SECOND);
}

static void
make_only_silence (NsTrace *trace)
{
  trace->end_ns = 404 * SECOND;
  trace->n_loud_seconds = 2;
  add_silence (trace, 2 * SECOND, 400 * SECOND);
}

static void
make_quiet (NsTrace *trace)
{
  guint i;

  trace->n_loud_seconds = 11;
  for (i = 0; i < 10; i++)
    add_silence (trace, i * 60 * SECOND, 59 * SECOND);
}

static void
make_sleep (NsTrace *trace)
{
  trace->n_loud_seconds = 600;
  add_sign (trace, NS_SIGN_POWER, 42, 10 * SECOND, 0);
  add_sign (trace, NS_SIGN_POWER, 107, 13 * SECOND, 0);
}

static void
make_told_sleep (NsTrace *trace)
{
  make_long_silence (trace);
  add_sign (trace, NS_SIGN_POWER, 42, 60 * SECOND, 0);
  add_sign (trace, NS_SIGN_POWER, 107, 660 * SECOND, 0);
}

static void
make_network_change (NsTrace *trace)
{
  add_sign (trace, NS_SIGN_WININET, 308, 10 * SECOND, 0);
  add_sign (trace, NS_SIGN_TCPIP, 1130, 10 * SECOND, 1);
  add_sign (trace, NS_SIGN_TCPIP, 1106, 11 * SECOND, 0);
}

static void
make_failing_network_change (NsTrace *trace)
{
  make_network_change (trace);
  row_add_tcp (trace, "192.0.2.1:443", 0xc0000236, 15 * SECOND, SECOND);
  row_add_tcp (trace, "192.0.2.1:443", 0xc0000236, 30 * SECOND, SECOND);
}

static void
add_blocked_thread (NsTrace *trace, const char *call)
{
  const guint64 frames[] = { 0x7ff800001000, 0x7ff810001000 };
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, SECOND);
  NsImageRow *image = test_trace_add (trace->images);

  image->pid = PID;
  image->name = row_text (trace, "user32.dll");
  image->base = 0x7ff810000000;
  image->size = 0x100000;
  image->before_trace = TRUE;
  image->unload_ns = NS_TIME_OPEN;
  ns_trace_index_images (trace);
  row->stack = ns_stacks_add (trace->stacks, PID, frames, G_N_ELEMENTS (frames));
  row->stack_tid = row->tid = 7;
  row_add_call (trace, call, 0, 0, 0)->close_ns = 250 * MS;
  g_array_index (trace->calls, NsCallRow, 0).tid = 7;
  g_array_index (trace->calls, NsCallRow, 0).tid_done = 7;
}

static void
make_blocked_connect (NsTrace *trace)
{
  add_blocked_thread (trace, "connect");
}

/* The thread continues while its connect is pending. */
static void
make_busy_connect (NsTrace *trace)
{
  add_blocked_thread (trace, "connect");
  row_add_call (trace, "socket", 0, 100 * MS, 0)->tid = 7;
}

/* Adds responses to requests for one URL, a second apart. */
static void
add_answers (NsTrace *trace, const char *url, const guint *codes, guint n_codes)
{
  guint i;

  for (i = 0; i < n_codes; i++)
    row_add_request (trace, url, codes[i], i * i * SECOND, 50 * MS)->connection = 1;
}

static void
make_mixed_errors (NsTrace *trace)
{
  static const guint codes[] = { 404, 403, 404 };

  add_answers (trace, "https://host.test/a", codes, G_N_ELEMENTS (codes));
}

static void
make_rejected (NsTrace *trace)
{
  static const guint codes[] = { 401, 401, 401, 401, 401 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autofree char *url = g_strdup_printf ("https://host.test/item/%u", 12340 + i);

      add_answers (trace, url, codes + i, 1);
    }
}

static void
make_let_in (NsTrace *trace)
{
  static const guint codes[] = { 401, 401, 401, 401, 401, 200 };

  add_answers (trace, "https://host.test/a", codes, G_N_ELEMENTS (codes));
}

static void
add_late_answer (NsTrace *trace, gint64 open_ns, gint64 wait_ns)
{
  NsActivityRow *row =
      row_add_request (trace, "https://host.test/a?n=1", 200, open_ns, wait_ns + SECOND);

  row->first_byte_ns = open_ns + wait_ns;
  test_phases (row)[NS_PHASE_WAIT] = wait_ns;
}

static void
make_late_answer (NsTrace *trace)
{
  add_late_answer (trace, 0, 25 * SECOND);
}

static void
make_steady_answers (NsTrace *trace)
{
  add_late_answer (trace, 0, 25 * SECOND);
  add_late_answer (trace, 30 * SECOND, 26 * SECOND);
}

static void
make_unsteady_answers (NsTrace *trace)
{
  add_late_answer (trace, 0, 25 * SECOND);
  add_late_answer (trace, 30 * SECOND, 50 * SECOND);
}

/* clang-format off */
static const Way ways[] = {
  { "D25", "long-check", make_long_check, TRUE, NS_SEVERITY_WARNING, 1, "with host.test its certificate was checked for up to 200 ms" },
  { "D25", "short-check", make_short_check, FALSE, 0, 0, NULL },
  { "D25", "a-name-was-asked-for", make_asking_check, TRUE, NS_SEVERITY_PROBLEM, 1, "1.00 s of a TLS handshake was spent on unsuccessful certificate retrieval from ocsp.ca.test" },
  { "D25", "told-by-capi2", make_told_check, TRUE, NS_SEVERITY_WARNING, 1, "300 ms of a TLS handshake was spent on unsuccessful certificate retrieval from crl.ca.test" },
  { "D25", "of-no-handshake", make_loose_check, FALSE, 0, 0, NULL },
  { "D25", "the-requests-own-name", make_own_name, FALSE, 0, 0, NULL },
  { "D26", "codes-of-winhttp", make_secure_failure, TRUE, NS_SEVERITY_PROBLEM, 1, "failed" },
  { "D26", "codes-between-them", make_other_failure, TRUE, NS_SEVERITY_PROBLEM, 1, "ended with" },
  { "D26", "a-step-failed", make_step_failure, TRUE, NS_SEVERITY_PROBLEM, 1, "80090326" },
  { "D26", "other-codes", make_no_secure_failure, FALSE, 0, 0, NULL },
  { "D27", "blocking-search", make_blocking_search, TRUE, NS_SEVERITY_PROBLEM, 1, "up to 1.20 s was spent on proxy detection" },
  { "D27", "short-search", make_short_search, FALSE, 0, 0, NULL },
  { "D27", "failed-search", make_failed_search, TRUE, NS_SEVERITY_WARNING, 2, "(requests that waited: 2)." },
  { "D27", "loaded-script", make_loaded_search, TRUE, NS_SEVERITY_WARNING, 1, "up to 300 ms" },
  { "D27", "tracked-search", make_tracked_search, TRUE, NS_SEVERITY_WARNING, 1, "up to 300 ms" },
  { "D27", "nobody-waited", make_unwanted_search, FALSE, 0, 0, NULL },
  { "D27", "slow-name", make_wpad_name, TRUE, NS_SEVERITY_WARNING, 1, "by the name wpad.corp.test: " },
  { "D27", "named-search", make_named_search, TRUE, NS_SEVERITY_WARNING, 2, "also by the name wpad.corp.test: " },
  { "D28", "asked-again", make_let_in, TRUE, NS_SEVERITY_WARNING, 5, "requested authentication 5 times" },
  { "D28", "never-asked-again", make_rejected, FALSE, 0, 0, NULL },
  { "D30", "several-codes-of-a-path", make_mixed_errors, TRUE, NS_SEVERITY_WARNING, 3, "host.test/a answered 404 (2), 403 (1) (times: 3)" },
  { "D30", "never-let-in", make_rejected, TRUE, NS_SEVERITY_WARNING, 5, "host.test/item/* answered 401 (times: 5)" },
  { "D30", "let-in", make_let_in, FALSE, 0, 0, NULL },
  { "D39", "never-let-in", make_rejected, TRUE, NS_SEVERITY_WARNING, 5, "5 consecutive requests failed" },
  { "D39", "let-in", make_let_in, FALSE, 0, 0, NULL },
  { "D43", "late-answer", make_late_answer, TRUE, NS_SEVERITY_PROBLEM, 1, "up to 25.00 s to send its first byte;" },
  { "D43", "steady-answers", make_steady_answers, FALSE, 0, 0, NULL },
  { "D43", "unsteady-answers", make_unsteady_answers, TRUE, NS_SEVERITY_PROBLEM, 2, "up to 50.00 s to send its first byte;" },
  { "D29", "a-call-without-end", make_call_without_end, TRUE, NS_SEVERITY_WARNING, 1, "between send and recv" },
  { "D29", "a-receive-that-was-over", make_receive_that_was_over, TRUE, NS_SEVERITY_WARNING, 1, "between send and recv" },
  { "D29", "a-receive-that-is-waited-for", make_receive_that_is_waited_for, FALSE, 0, 0, NULL },
  { "D29", "a-negotiation", make_negotiation, FALSE, 0, 0, NULL },
  { "D43", "a-search", make_search_over_socket, FALSE, 0, 0, NULL },
  { "D29", "transfers-of-winhttp", make_transfers_apart, TRUE, NS_SEVERITY_WARNING, 1, "for up to 4.00 s during a request to host.test" },
  { "D38", "connect", make_blocked_connect, TRUE, NS_SEVERITY_WARNING, 1, "was in connect for up to 250 ms" },
  { "D38", "busy-connect", make_busy_connect, FALSE, 0, 0, NULL },
  { "D44", "records-of-losses", make_lost_records, TRUE, NS_SEVERITY_WARNING, 2, "events lost: 2, buffers lost: 0, buffers damaged: 0; between 2.00 s and 5.00 s" },
  { "D46", "long-silence", make_long_silence, TRUE, NS_SEVERITY_INFO, 1, "an event for 600.00 s, starting at 60.00 s" },
  { "D46", "silence-alone", make_only_silence, TRUE, NS_SEVERITY_INFO, 1, "an event for 400.00 s" },
  { "D46", "quiet", make_quiet, FALSE, 0, 0, NULL },
  { "D46", "sleep", make_sleep, TRUE, NS_SEVERITY_INFO, 1, "it slept for up to 3.00 s" },
  { "D46", "silence-of-a-sleep", make_told_sleep, TRUE, NS_SEVERITY_INFO, 1, "the machine slept." },
  { "D46", "network", make_network_change, TRUE, NS_SEVERITY_INFO, 3, "The network of the machine changed (times: 3)" },
  { "D46", "network-and-connects", make_failing_network_change, TRUE, NS_SEVERITY_WARNING, 3, "failed right after it: 1" },
};
/* clang-format on */

/* Returns the first finding of the rule, or NULL. */
static const NsFindingRow *
find_first (NsTrace *trace, const char *rule)
{
  const GArray *findings = ns_findings_get (trace);
  guint i;

  for (i = 0; i < findings->len; i++)
    if (strcmp (g_array_index (findings, NsFindingRow, i).rule, rule) == 0)
      return &g_array_index (findings, NsFindingRow, i);
  g_assert_not_reached ();
}

static void
test_each_way_is_enough (gconstpointer user_data)
{
  const Way *way = user_data;
  NsTrace *trace = test_trace_new (600 * SECOND);
  const NsFindingRow *row;

  way->make (trace);
  row_record_all (trace);
  row = find_first (trace, way->rule);
  g_assert_cmpint (row->verdict == NS_VERDICT_FOUND, ==, way->is_found);
  if (way->is_found)
    {
      g_assert_cmpint (row->severity, ==, way->severity);
      g_assert_cmpuint (row->count, ==, way->count);
      if (strstr (row->text, way->said) == NULL)
        g_error ("%s says: %s", way->rule, row->text);
    }
  test_trace_free (trace);
}

static guint
count_found (NsTrace *trace, const char *rule)
{
  const GArray *findings = ns_findings_get (trace);
  guint n = 0;
  guint i;

  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      n += row->verdict == NS_VERDICT_FOUND && strcmp (row->rule, rule) == 0;
    }
  return n;
}

/* Each TLS error code is a separate finding. */
static void
test_every_code_of_tls_is_told (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  make_secure_failure (trace);
  g_assert_cmpuint (count_found (trace, "D26"), ==, 13);
  test_trace_free (trace);
}

static gboolean
read_cb (const NsRecord *record, gpointer user_data)
{
  return TRUE;
}

/* Uses a file with one record per buffer at the times @ms, all of one processor. Buffers are
 * numbered by the space-separated @numbers. */
static void
use_file (NsTrace *trace, const guint *ms, const char *numbers, const NsEtlWriterOptions *options)
{
  g_auto (GStrv) words = g_strsplit (numbers, " ", -1);
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GBytes) made = NULL;
  g_autoptr (GBytes) numbered = NULL;
  guint i;

  ns_etl_bytes_zero (payload, BUFFER_BYTES * 2 / 3);
  for (i = 0; words[i] != NULL; i++)
    {
      NsEtlWriterEvent event = { .raw = options->base_raw + (guint64) ms[i] * 10000,
                                 .id = 1,
                                 .payload = payload };

      g_assert_true (ns_etl_writer_add_event (writer, &event));
    }
  made = ns_etl_writer_finish (writer);
  g_byte_array_append (bytes, g_bytes_get_data (made, NULL), (guint) g_bytes_get_size (made));
  for (i = 0; words[i] != NULL; i++)
    ns_etl_bytes_set_u64 (bytes,
                          bytes->len - (g_strv_length (words) - i) * BUFFER_BYTES + SEQUENCE_AT,
                          g_ascii_strtoull (words[i], NULL, 10));
  numbered = g_bytes_new (bytes->data, bytes->len);
  ns_etl_file_free (trace->file);
  trace->file = ns_etl_file_open_bytes (numbered, "made.etl", NULL);
  g_assert_nonnull (trace->file);
  g_assert_true (ns_etl_file_walk (trace->file, 0, NULL, read_cb, NULL, NULL, NULL, NULL));
}

/* Buffers may be in any order; missing sequence numbers are lost buffers. */
static void
test_numbers_of_buffers_tell_which_were_lost (void)
{
  static const struct
  {
    const char *numbers;
    guint32 mode;
    guint n_missing;
  } claims[] = {
    { "1 2 3 4", 0, 0 },
    { "3 1 2 4", 0, 0 },
    { "1 2 6 7", 0, 3 },
    { "908 909 911 912", 0, 1 },
    { "1 2 6 7", 2, 0 },                    /* a file that wraps */
    { "1 2 2 7", 0, 0 },                    /* two sessions in one file */
    { "1 2 3 18446744073709551615", 0, 0 }, /* an implausible number */
  };
  static const guint ms[] = { 100, 200, 300, 400 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (claims); i++)
    {
      NsEtlWriterOptions options = { .buffer_size = BUFFER_BYTES,
                                     .base_raw = 1000000,
                                     .mode = claims[i].mode };
      NsTrace *trace = test_trace_new (400 * MS);
      const NsFindingRow *row;

      use_file (trace, ms, claims[i].numbers, &options);
      trace->n_records = 1000;
      row = find_first (trace, "D44");
      g_assert_cmpuint (row->count, ==, claims[i].n_missing);
      if (claims[i].n_missing > 0)
        g_assert_nonnull (strstr (row->text, "; between 200 ms and 300 ms"));
      test_trace_free (trace);
    }
}

static void
test_time_that_goes_back_is_told (void)
{
  static const guint back[] = { 100, 200, 202, 5000, 1000 };
  static const guint onward[] = { 100, 200, 202, 5000, 6000 };
  NsEtlWriterOptions options = { .buffer_size = BUFFER_BYTES, .base_raw = 1000000 };
  NsTrace *trace = test_trace_new (6 * SECOND);

  use_file (trace, back, "1 2 3 4 5", &options);
  g_assert_nonnull (
      strstr (find_first (trace, "D46")->text, "Time went back by 4.00 s, to 1.00 s"));
  test_trace_free (trace);
  trace = test_trace_new (6 * SECOND);
  use_file (trace, onward, "1 2 3 4 5", &options);
  g_assert_cmpuint (count_found (trace, "D46"), ==, 0);
  test_trace_free (trace);
}

/* By wall-clock time the session ended before its last record. */
static void
test_a_clock_that_was_set_is_told (void)
{
  static const guint ms[] = { 100, 60000 };
  NsEtlWriterOptions options = { .buffer_size = BUFFER_BYTES,
                                 .base_raw = 1000000,
                                 .start_filetime = TEST_TRACE_START,
                                 .end_filetime = TEST_TRACE_START + 20 * NS_TICKS_PER_SECOND };
  NsTrace *trace = test_trace_new (60 * SECOND);

  use_file (trace, ms, "1 2", &options);
  g_assert_nonnull (strstr (find_first (trace, "D46")->text, "differ by 40.00 s at the end"));
  test_trace_free (trace);
  options.end_filetime = TEST_TRACE_START + 58 * NS_TICKS_PER_SECOND;
  trace = test_trace_new (60 * SECOND);
  use_file (trace, ms, "1 2", &options);
  g_assert_cmpuint (count_found (trace, "D46"), ==, 0);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  guint i;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  for (i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_strdup_printf ("/findings/%s/%s", ways[i].rule, ways[i].way);

      g_test_add_data_func (path, &ways[i], test_each_way_is_enough);
    }
  g_test_add_func ("/findings/every-code-of-tls-is-told", test_every_code_of_tls_is_told);
  g_test_add_func ("/findings/numbers-of-buffers-tell-which-were-lost",
                   test_numbers_of_buffers_tell_which_were_lost);
  g_test_add_func ("/findings/time-that-goes-back-is-told", test_time_that_goes_back_is_told);
  g_test_add_func ("/findings/a-clock-that-was-set-is-told", test_a_clock_that_was_set_is_told);
  return g_test_run ();
}
