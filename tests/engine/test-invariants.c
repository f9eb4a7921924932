/* Tests invariants that hold for every trace, on all available traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "base/ns-map.h"
#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "engine/trace/ns-event-index.h"

#include <string.h>

/* Traces with more records or providers are opened, but not rewritten without each provider. */
#define MAX_REWRITTEN 30000
#define MAX_PROVIDERS 64
#define LOWER_LAYERS (NS_LAYER_TCP | NS_LAYER_UDP | NS_LAYER_WINSOCK)

static NsTrace *
open_whole (NsEtlFile *file)
{
  NsTraceOptions options = { .want_events = TRUE, .want_moves = TRUE };
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

#define ASSERT_ORDERED(table, Type)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint i_;                                                                                      \
    for (i_ = 0; i_ < trace->table->len; i_++)                                                     \
      {                                                                                            \
        const Type *row_ = &g_array_index (trace->table, Type, i_);                                \
        g_assert_cmpint (row_->open_ns, !=, NS_TIME_NONE);                                         \
        g_assert_cmpint (row_->open_ns, <=, row_->close_ns);                                       \
        g_assert_cmpuint (row_->activity, <=, trace->activities->len);                             \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

/* Asserts that no row closes before it opens. */
static void
assert_spans (const NsTrace *trace)
{
  ASSERT_ORDERED (tcp, NsTcpRow);
  ASSERT_ORDERED (winsock, NsWinsockRow);
  ASSERT_ORDERED (webio, NsWebioRow);
  ASSERT_ORDERED (wininet, NsWininetRow);
  ASSERT_ORDERED (ldap, NsLdapRow);
  ASSERT_ORDERED (urlmon, NsUrlmonRow);
  ASSERT_ORDERED (chromium, NsChromiumRow);
  ASSERT_ORDERED (http_server, NsHttpServerRow);
  ASSERT_ORDERED (kernel_network, NsKernelNetworkRow);
}

/* Sums the recorded transfers of a row in one direction. */
static guint64
sum_moves (const NsTrace *trace, NsTableId table, NsRow row, guint32 direction)
{
  guint n_moves;
  const NsMove *moves = ns_moves_find (trace->moves, table, row, G_MININT64, G_MAXINT64, &n_moves);
  guint64 sum = 0;
  guint i;

  for (i = 0; i < n_moves; i++)
    {
      g_assert_cmpuint (moves[i].row, ==, row);
      g_assert_true (i == 0 || moves[i].time_ns >= moves[i - 1].time_ns);
      if ((moves[i].n_bytes & NS_MOVE_SENT) == direction)
        sum += moves[i].n_bytes & NS_MOVE_MAX_BYTES;
    }
  return sum;
}

/* Closed connections have totals reported by the stack, which are more accurate. For all others the
 * totals are the sum of the recorded transfers. */
static void
assert_connections_moves (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    {
      const NsTcpRow *row = &g_array_index (trace->tcp, NsTcpRow, i);
      guint64 sent = sum_moves (trace, NS_TABLE_TCP, i + 1, NS_MOVE_SENT);
      guint64 received = sum_moves (trace, NS_TABLE_TCP, i + 1, 0);

      if (row->is_udp || row->before_trace || row->inferred || row->close_ns == NS_TIME_OPEN)
        {
          g_assert_cmpuint (sent, ==, row->sent);
          g_assert_cmpuint (received, ==, row->received);
        }
    }
}

#define ASSERT_MOVES(table, Type, TABLE)                                                           \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint i_;                                                                                      \
    for (i_ = 0; i_ < trace->table->len; i_++)                                                     \
      {                                                                                            \
        const Type *row_ = &g_array_index (trace->table, Type, i_);                                \
        g_assert_cmpuint (sum_moves (trace, TABLE, i_ + 1, NS_MOVE_SENT), ==, row_->sent);         \
        g_assert_cmpuint (sum_moves (trace, TABLE, i_ + 1, 0), ==, row_->received);                \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

/* Asserts that each byte counted by a row has a recorded transfer. */
static void
assert_moves (const NsTrace *trace)
{
  assert_connections_moves (trace);
  ASSERT_MOVES (winsock, NsWinsockRow, NS_TABLE_WINSOCK);
  ASSERT_MOVES (webio, NsWebioRow, NS_TABLE_WEBIO);
  ASSERT_MOVES (wininet, NsWininetRow, NS_TABLE_WININET);
  ASSERT_MOVES (kernel_network, NsKernelNetworkRow, NS_TABLE_KERNEL_NETWORK);
}

static int
compare_connections (gconstpointer a, gconstpointer b)
{
  const NsTcpRow *left = *(const NsTcpRow *const *) a;
  const NsTcpRow *right = *(const NsTcpRow *const *) b;

  if (left->tcb != right->tcb)
    return left->tcb < right->tcb ? -1 : 1;
  return left->open_ns < right->open_ns ? -1 : left->open_ns > right->open_ns;
}

/* Asserts that one TCB has only one connection at a time. */
static void
assert_connections_are_unique (const NsTrace *trace)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  guint i;

  for (i = 0; i < trace->tcp->len; i++)
    g_ptr_array_add (rows, &g_array_index (trace->tcp, NsTcpRow, i));
  g_ptr_array_sort (rows, compare_connections);
  for (i = 1; i < rows->len; i++)
    {
      const NsTcpRow *before = g_ptr_array_index (rows, i - 1);
      const NsTcpRow *row = g_ptr_array_index (rows, i);

      /* A UDP endpoint has many peers. */
      if (row->is_udp || before->is_udp || row->tcb != before->tcb)
        continue;
      g_assert_cmpint (before->open_ns, <, row->open_ns);
      if (before->close_ns != NS_TIME_OPEN)
        g_assert_cmpint (before->close_ns, <=, row->open_ns);
    }
}

/* Asserts that no bytes are counted twice: a connection has at most one lower-layer row, and none
 * if a request owns it. */
static void
assert_flows_count_once (const NsTrace *trace)
{
  g_autofree guint8 *n_rows = g_new0 (guint8, trace->tcp->len + 1);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = story_activity (trace, i);

      if (row->tcp == 0 || (row->protocol & LOWER_LAYERS) == 0)
        continue;
      g_assert_cmpuint (n_rows[row->tcp], ==, 0);
      n_rows[row->tcp]++;
      g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, row->tcp - 1).activity, ==, i + 1);
    }
  for (i = 0; i < trace->kernel_network->len; i++)
    {
      const NsKernelNetworkRow *row = &g_array_index (trace->kernel_network, NsKernelNetworkRow, i);

      if (row->tcp != 0 && row->activity != 0)
        g_assert_cmpuint (story_activity (trace, row->activity - 1)->protocol &
                              (row->is_udp ? NS_LAYER_TCP : NS_LAYER_UDP),
                          ==,
                          0);
    }
}

/* Asserts that every record is either read or reported as lost, and counts for one provider. */
static void
assert_records_add_up (const NsTrace *trace)
{
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  guint64 n_of_providers = 0;
  guint64 n_of_kinds = 0;
  gint64 before_ns = G_MININT64;
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    n_of_providers += g_array_index (trace->providers, NsProviderRow, i).n_events;
  for (i = 0; i < trace->kinds->len; i++)
    n_of_kinds += g_array_index (trace->kinds, NsKindRow, i).n_events;
  g_assert_cmpuint (trace->n_records, ==, report->n_records);
  g_assert_cmpuint (trace->n_records, ==, n_of_providers);
  g_assert_cmpuint (trace->n_records, ==, n_of_kinds);
  g_assert_cmpuint (trace->n_records, ==, trace->events->len);
  for (i = 0; i < trace->events->len; i++)
    {
      gint64 time_ns = ns_trace_get_event_time (trace, i);

      /* Records with damaged times are at the end and may be earlier than the start. */
      if (time_ns >= 0)
        g_assert_cmpint (before_ns, <=, time_ns);
      before_ns = time_ns;
    }
  g_assert_true (report->n_bytes_dropped == 0 || report->damage->len > 0);
}

static void
assert_invariants (const NsTrace *trace)
{
  story_assert_invariants (trace);
  assert_spans (trace);
  assert_moves (trace);
  assert_connections_are_unique (trace);
  assert_flows_count_once (trace);
  assert_records_add_up (trace);
}

/* Rows referenced by number must be equal, too. */
static void
assert_same_row (const NsActivityRow *one, const NsActivityRow *other)
{
  NsActivityRow left;
  NsActivityRow right;
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    g_assert_cmpint (ns_activity_row_get_phase (one, i), ==, ns_activity_row_get_phase (other, i));
  g_assert_cmpint (one->activity_id != NULL, ==, other->activity_id != NULL);
  if (one->activity_id != NULL)
    g_assert_true (ns_guid_equal (one->activity_id, other->activity_id));
  g_assert_cmpmem (one->remote, sizeof *one->remote, other->remote, sizeof *other->remote);
  g_assert_cmpmem (one->local, sizeof *one->local, other->local, sizeof *other->local);
  memcpy (&left, one, sizeof left);
  memcpy (&right, other, sizeof right);
  left.phases = right.phases = NULL;
  left.activity_id = right.activity_id = NULL;
  left.remote = right.remote = left.local = right.local = NULL;
  g_assert_cmpmem (&left, sizeof left, &right, sizeof right);
}

/* Asserts that two runs have equal results. */
static void
assert_same (const NsTrace *one, const NsTrace *other)
{
  guint i;

  g_assert_cmpuint (one->activities->len, ==, other->activities->len);
  g_assert_cmpuint (one->tcp->len, ==, other->tcp->len);
  g_assert_cmpuint (one->dns->len, ==, other->dns->len);
  g_assert_cmpuint (one->tasks->len, ==, other->tasks->len);
  g_assert_cmpmem (one->events->data,
                   one->events->len * sizeof (NsEventRow),
                   other->events->data,
                   other->events->len * sizeof (NsEventRow));
  for (i = 0; i < one->activities->len; i++)
    assert_same_row (story_activity (one, i), story_activity (other, i));
}

typedef struct
{
  NsEtlWriter *writer;
  guint left_out;
  guint64 n_written;
} Copy;

static gboolean
copy_cb (const NsRecord *record, gpointer user_data)
{
  Copy *self = user_data;

  if (record->provider == self->left_out)
    return TRUE;
  if (ns_etl_writer_add_bytes (self->writer,
                               record->cpu,
                               record->raw,
                               record->header,
                               record->size))
    self->n_written++;
  return TRUE;
}

/* Asserts that a trace without one of its providers still holds the invariants. */
static void
assert_lives_without (NsTrace *trace, guint provider)
{
  NsEtlWriterOptions options = { .like = ns_etl_file_get_header (trace->file) };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  Copy copy = { writer, provider, 0 };
  g_autoptr (GBytes) bytes = NULL;
  NsEtlFile *file;
  NsTrace *rest;

  ns_etl_file_walk (trace->file, NS_ETL_WALK_TIME_ORDER, NULL, copy_cb, &copy, NULL, NULL, NULL);
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "rest.etl", NULL);
  g_assert_nonnull (file);
  rest = open_whole (file);
  g_assert_cmpuint (copy.n_written,
                    ==,
                    trace->n_records -
                        g_array_index (trace->providers, NsProviderRow, provider).n_events);
  g_assert_cmpuint (rest->n_records, ==, copy.n_written + 1); /* plus the header record */
  assert_invariants (rest);
  ns_trace_unref (rest);
}

static void
check_trace (const char *path)
{
  NsEtlFile *file = ns_etl_file_open (path, NULL, NULL);
  NsTrace *trace;
  NsTrace *again;
  guint i;

  /* Some test traces are invalid on purpose. */
  if (file == NULL)
    return;
  trace = open_whole (file);
  assert_invariants (trace);
  again = open_whole (ns_etl_file_open (path, NULL, NULL));
  assert_same (trace, again);
  ns_trace_unref (again);
  if (trace->n_records <= MAX_REWRITTEN)
    for (i = 0; i < MIN (trace->providers->len, MAX_PROVIDERS); i++)
      assert_lives_without (trace, i);
  ns_trace_unref (trace);
}

static void
test_real_traces_hold (void)
{
  if (story_check_folder (g_getenv ("NETSTITCH_TEST_TRACES"), check_trace) == 0)
    g_test_skip ("no traces");
}

static void
test_made_traces_hold (void)
{
  const char *traces = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *path = traces != NULL ? g_build_filename (traces, "synthetic", NULL) : NULL;

  if (story_check_folder (path, check_trace) == 0)
    g_test_skip ("no traces");
}

/* Events with equal times on different processors, in every order that a file may have. */
static void
test_sums_do_not_depend_on_ties (void)
{
  static const guint orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                     { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  const guint64 key = P (0xffffaa0000001000);
  gsize i;
  guint j;

  for (i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (Story) story = story_new ();
      NsTrace *trace;

      story_tcp_connect (story, 1, key, "10.0.0.5:50001", "1.2.3.4:443");
      story_tcp_connect (story, 1, key + 0x1000, "10.0.0.5:50002", "1.2.3.4:443");
      for (j = 0; j < 3; j++)
        {
          story->cpu = orders[i][j];
          story_write (story,
                       2,
                       STORY_TCPIP,
                       1074,
                       "pdd",
                       key + (orders[i][j] == 1 ? 0x1000 : 0),
                       100 << orders[i][j],
                       1);
        }
      trace = story_open (story, 5);
      g_assert_cmpuint (trace->tcp->len, ==, 2);
      g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, 0).received, ==, 500);
      g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, 1).received, ==, 200);
      ns_trace_unref (trace);
    }
}

/* Byte counts above 32 bits. */
static void
test_six_gigabytes_are_six_gigabytes (void)
{
  const guint64 key = P (0xffffaa0000001000);
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story_tcp_connect (story, 1, key, "10.0.0.5:50001", "1.2.3.4:443");
  story_tcp_posted (story, 2, key, 3000000000u);
  story_tcp_posted (story, 3, key, 3000000000u);
  story_write (story, 4, STORY_TCPIP, 1074, "pdd", key, 3000000000u, 1);
  story_write (story, 5, STORY_TCPIP, 1074, "pdd", key, 3000000000u, 3000000001u);
  trace = story_open (story, 10);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->received, ==, G_GUINT64_CONSTANT (6000000000));
  g_assert_cmpint (row->posted, ==, G_GINT64_CONSTANT (6000000000));
  ns_trace_unref (trace);
}

static void
test_a_request_may_receive_six_gigabytes (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, P (0x20001000), 1, P (0x77000), "https://a.com/");
  story_wait (story, 2, P (0x20001000), 1, P (0x30001000));
  story_connect (story, 3, 1, P (0x30001000), P (0x51), "1.2.3.4:443");
  story_connected (story, 4, 1, P (0x30001000), P (0x51), 0);
  story_receive (story, 5, 1, P (0x30001000), P (0x51), G_GUINT64_CONSTANT (6000000000));
  story_request_close (story, 6, P (0x20001000), 1);
  trace = story_open (story, 10);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  g_assert_cmpuint (story_activity (trace, 0)->received, ==, G_GUINT64_CONSTANT (6000000000));
  ns_trace_unref (trace);
}

/* More responses than 16 bits can number. */
static void
test_seventy_thousand_answers_are_all_there (void)
{
  const guint n = 70000;
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  for (i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("h%u.example", i);
      g_autofree char *answer = g_strdup_printf ("20.%u.%u.%u;", i >> 16, i >> 8 & 0xff, i & 0xff);

      story_write (story, 1 + i * 0.01, STORY_DNS, 3008, "wdqdw", name, 1, P (0), 0, answer);
    }
  story_tcp_connect (story, 900, P (0xffffaa0000001000), "10.0.0.5:50001", "20.1.17.111:443");
  trace = story_open (story, 1000);
  g_assert_cmpuint (trace->dns->len, ==, n);
  for (i = 0; i < n; i++)
    {
      const NsDnsRow *row = &g_array_index (trace->dns, NsDnsRow, i);
      g_autofree char *name = g_strdup_printf ("h%u.example", i);

      story_assert_text (trace, row->query, name);
      g_assert_cmpuint (row->addresses->len, ==, 1);
    }
  story_assert_text (trace, story_activity (trace, 0)->server, "h69999.example");
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/invariants/sums-do-not-depend-on-ties", test_sums_do_not_depend_on_ties);
  g_test_add_func ("/invariants/six-gigabytes-are-six-gigabytes",
                   test_six_gigabytes_are_six_gigabytes);
  g_test_add_func ("/invariants/a-request-may-receive-six-gigabytes",
                   test_a_request_may_receive_six_gigabytes);
  g_test_add_func ("/invariants/seventy-thousand-answers-are-all-there",
                   test_seventy_thousand_answers_are_all_there);
  g_test_add_func ("/invariants/made-traces-hold", test_made_traces_hold);
  g_test_add_func ("/invariants/real-traces-hold", test_real_traces_hold);
  return g_test_run ();
}
