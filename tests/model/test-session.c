/* Tests the session: filters, sorting and selections on the sample trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-har.h"
#include "model/ns-export-job.h"
#include "model/ns-row-match.h"
#include "model/ns-session-command.h"
#include "model/ns-session-findings.h"
#include "model/ns-session-follow.h"
#include "model/ns-session-later.h"
#include "model/ns-session.h"
#include "model/ns-trace-loader.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GMainLoop *loop;
  NsTrace *trace;
  GError *error;
} Loaded;

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Loaded *loaded = user_data;

  loaded->trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &loaded->error);
  g_main_loop_quit (loaded->loop);
}

static NsTrace *
load (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Loaded loaded = { loop, NULL, NULL };

  ns_trace_loader_load_async (loader, cancellable, loaded_cb, &loaded);
  g_main_loop_run (loop);
  if (loaded.error != NULL)
    g_propagate_error (error, loaded.error);
  return loaded.trace;
}

static NsSession *
sample_session (void)
{
  NsTrace *trace = load (g_getenv ("NETSTITCH_SAMPLE"), NULL, NULL);

  g_assert_nonnull (trace);
  return ns_session_new (trace, NULL);
}

static void
settle (NsSession *session, NsTableId table)
{
  while (ns_session_is_busy (session, table))
    g_main_context_iteration (NULL, TRUE);
}

static guint
count_rows (NsSession *session)
{
  return g_list_model_get_n_items (
      G_LIST_MODEL (ns_session_get_rows (session, NS_TABLE_ACTIVITIES)));
}

/* Sorting does not change the set of rows, so data derived from the set, such as lanes, is kept. */
static void
test_an_order_keeps_the_set (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autoptr (GArray) order = ns_order_parse (NS_TABLE_ACTIVITIES, "-duration_ns", NULL);
  guint before = ns_session_get_set (session, NS_TABLE_ACTIVITIES);
  guint filtered;

  ns_session_set_order (session, NS_TABLE_ACTIVITIES, order);
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (ns_session_get_set (session, NS_TABLE_ACTIVITIES), ==, before);
  ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  filtered = ns_session_get_set (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (filtered, !=, before);
  /* Sorting finishes before the pending filter, whose rows are another set. */
  ns_session_set_order (session, NS_TABLE_ACTIVITIES, order);
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (ns_session_get_set (session, NS_TABLE_ACTIVITIES), ==, filtered);
  g_assert_cmpuint (count_rows (session),
                    <,
                    ns_table_get_n_rows (ns_session_get_trace (session), NS_TABLE_ACTIVITIES));
}

/* Groups can be expanded before they are computed. */
static void
test_groups_are_opened_as_asked (void)
{
  g_autoptr (NsSession) session = sample_session ();
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "process");
  guint n_rows = count_rows (session);

  ns_session_set_grouping (session, NS_TABLE_ACTIVITIES, &field, 1);
  g_assert_true (ns_session_is_busy (session, NS_TABLE_ACTIVITIES));
  ns_session_fold_groups (session, NS_TABLE_ACTIVITIES, NS_FOLDS_NONE);
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (count_rows (session), >, n_rows);
}

/* Reloading a trace restores the grouping, its order and the expanded groups. */
static void
test_groups_are_taken_over (void)
{
  g_autoptr (NsSession) before = sample_session ();
  g_autoptr (NsSession) later = sample_session ();
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "process");
  const NsGrouping *grouping;

  ns_session_set_grouping (before, NS_TABLE_ACTIVITIES, &field, 1);
  ns_session_order_groups (before, NS_TABLE_ACTIVITIES, NS_GROUP_ORDER_P95, TRUE);
  settle (before, NS_TABLE_ACTIVITIES);
  ns_session_open_group (
      before,
      NS_TABLE_ACTIVITIES,
      &g_array_index (
          ns_row_list_get_groups (ns_session_get_rows (before, NS_TABLE_ACTIVITIES))->groups,
          NsGroup,
          1),
      TRUE);
  ns_session_copy_grouping (later,
                            NS_TABLE_ACTIVITIES,
                            ns_session_get_grouping (before, NS_TABLE_ACTIVITIES));
  settle (later, NS_TABLE_ACTIVITIES);
  grouping = ns_session_get_grouping (later, NS_TABLE_ACTIVITIES);
  g_assert_cmpint (grouping->order, ==, NS_GROUP_ORDER_P95);
  g_assert_true (grouping->descending);
  g_assert_cmpuint (count_rows (later), ==, count_rows (before));
}

static void
note_items (GListModel *list, guint position, guint removed, guint added, GString *changes)
{
  g_string_append_printf (changes, "items %u-%u+%u;", position, removed, added);
}

static void
note_contents (NsRowList *list, guint position, guint n_items, GString *changes)
{
  g_string_append_printf (changes, "contents %u:%u;", position, n_items);
}

/* Views keep their list models on a reload; changes are signalled at the end of the list only. */
static void
test_a_later_reading_goes_on_with_the_lists (void)
{
  g_autoptr (NsSession) before = sample_session ();
  g_autoptr (NsRowList) list = g_object_ref (ns_session_get_rows (before, NS_TABLE_ACTIVITIES));
  g_autoptr (GString) changes = g_string_new (NULL);
  g_autoptr (NsSession) session = NULL;
  NsTrace *again = load (g_getenv ("NETSTITCH_SAMPLE"), NULL, NULL);

  ns_session_set_filter (before, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  settle (before, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (count_rows (before), ==, 3);
  g_signal_connect (list, "items-changed", G_CALLBACK (note_items), changes);
  g_signal_connect (list, "contents-changed", G_CALLBACK (note_contents), changes);
  session = ns_session_new_reloaded (again, NULL, before);
  g_assert_true (ns_session_get_rows (session, NS_TABLE_ACTIVITIES) == list);
  g_assert_true (ns_session_get_rows (before, NS_TABLE_ACTIVITIES) != list);
  g_assert_cmpuint (count_rows (session), ==, 27);
  g_assert_cmpstr (changes->str, ==, "items 3-0+24;contents 0:3;");
}

static void
test_a_stopped_load_gives_nothing (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (load (g_getenv ("NETSTITCH_SAMPLE"), cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_a_missing_file_is_an_error (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (load ("/nowhere/at-all.etl", NULL, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
}

static void
test_a_wrong_filter_changes_nothing (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autoptr (GError) error = NULL;
  NsFilterSpan where;
  guint n_all = count_rows (session);

  g_assert_cmpuint (n_all, >, 3);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=true", &where, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (count_rows (session), ==, 3);
  g_assert_false (
      ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "pid> nosuch>", &where, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_cmpuint (count_rows (session), ==, 3);
  g_assert_cmpstr (ns_session_get_filter (session, NS_TABLE_ACTIVITIES), ==, "failed=true");
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "", &where, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (count_rows (session), ==, n_all);
}

static void
test_the_last_question_is_the_one_answered (void)
{
  g_autoptr (NsSession) session = sample_session ();
  guint n_all = count_rows (session);
  guint i;

  for (i = 0; i < 20; i++)
    {
      ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
      ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=false", NULL, NULL);
    }
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (count_rows (session), ==, n_all - 3);
}

static void
test_orders_toggle_and_add_up (void)
{
  g_autoptr (NsSession) session = sample_session ();
  const NsField *sent = ns_table_find_field (NS_TABLE_ACTIVITIES, "sent");
  const NsField *pid = ns_table_find_field (NS_TABLE_ACTIVITIES, "pid");
  const NsField *server = ns_table_find_field (NS_TABLE_ACTIVITIES, "server");
  const GArray *order = ns_session_get_order (session, NS_TABLE_ACTIVITIES);
  const GArray *rows;
  guint i;

  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, pid, FALSE);
  g_assert_true (g_array_index (order, NsOrderKey, 0).descending);
  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, pid, FALSE);
  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, sent, TRUE);
  g_assert_cmpuint (order->len, ==, 2);
  g_assert_false (g_array_index (order, NsOrderKey, 0).descending);
  g_assert_true (g_array_index (order, NsOrderKey, 1).descending);
  settle (session, NS_TABLE_ACTIVITIES);

  rows = ns_row_list_get_rows (ns_session_get_rows (session, NS_TABLE_ACTIVITIES));
  for (i = 1; i < rows->len; i++)
    {
      const GArray *activities = ns_session_get_trace (session)->activities;
      const NsActivityRow *a =
          &g_array_index (activities, NsActivityRow, g_array_index (rows, guint32, i - 1));
      const NsActivityRow *b =
          &g_array_index (activities, NsActivityRow, g_array_index (rows, guint32, i));

      g_assert_cmpuint (a->pid, <=, b->pid);
      if (a->pid == b->pid)
        g_assert_cmpuint (a->sent, >=, b->sent);
    }
  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, sent, TRUE);
  g_assert_false (g_array_index (order, NsOrderKey, 1).descending);
  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, sent, TRUE);
  g_assert_cmpuint (order->len, ==, 1);
  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, server, FALSE);
  g_assert_false (g_array_index (order, NsOrderKey, 0).descending);
  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, server, FALSE);
  g_assert_true (g_array_index (order, NsOrderKey, 0).descending);
  ns_session_toggle_order (session, NS_TABLE_ACTIVITIES, server, FALSE);
  g_assert_cmpuint (order->len, ==, 0);
  settle (session, NS_TABLE_ACTIVITIES);
}

static void
test_a_row_of_a_layer_marks_its_activity (void)
{
  g_autoptr (NsSession) session = sample_session ();
  NsTrace *trace = ns_session_get_trace (session);
  guint32 row;
  guint n_tested = 0;

  for (row = 0; row < trace->tcp->len; row++)
    {
      NsRow activity = g_array_index (trace->tcp, NsTcpRow, row).activity;

      ns_session_select (session, NS_TABLE_TCP, &row, 1);
      if (activity == 0)
        continue;
      g_assert_cmpuint (ns_session_get_activity (session), ==, activity - 1);
      g_assert_cmpuint (ns_session_get_marked (session)[activity - 1], ==, 1);
      n_tested++;
    }
  g_assert_cmpuint (n_tested, >, 0);
  ns_session_select (session, NS_TABLE_TCP, NULL, 0);
  g_assert_cmpuint (ns_session_get_activity (session), ==, G_MAXUINT32);
}

static void
test_sums_are_those_of_the_rows (void)
{
  g_autoptr (NsSession) session = sample_session ();
  const GArray *activities = ns_session_get_trace (session)->activities;
  const guint32 rows[] = { 0, 1, 3 };
  NsSessionSums sums;
  guint64 sent = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rows); i++)
    sent += g_array_index (activities, NsActivityRow, rows[i]).sent;
  ns_session_select (session, NS_TABLE_ACTIVITIES, rows, G_N_ELEMENTS (rows));
  ns_session_get_sums (session, &sums);
  g_assert_cmpuint (sums.n_rows, ==, 3);
  g_assert_cmpuint (sums.sent, ==, sent);
  g_assert_cmpint (sums.union_ns, <=, sums.duration_ns);
  g_assert_cmpint (sums.union_ns, >, 0);
  g_assert_false (sums.is_lower_bound);
}

/* Calls without an end have no duration and do not count as busy time. */
static void
test_nobody_is_busy_for_longer_than_all_took (void)
{
  g_autoptr (NsSession) session = sample_session ();
  guint n_rows = ns_session_count_all (session, NS_TABLE_CALLS);
  g_autofree guint32 *rows = g_new (guint32, n_rows);
  NsSessionSums sums;
  guint i;

  for (i = 0; i < n_rows; i++)
    rows[i] = i;
  ns_session_select (session, NS_TABLE_CALLS, rows, n_rows);
  ns_session_get_sums (session, &sums);
  g_assert_cmpuint (sums.n_rows, ==, n_rows);
  g_assert_true (sums.has_duration);
  g_assert_cmpint (sums.union_ns, >, 0);
  g_assert_cmpint (sums.union_ns, <=, sums.duration_ns);
}

/* HTTP.sys counts no bytes, so there is no sum. */
static void
test_sums_of_what_was_not_counted_are_not_there (void)
{
  NsTrace *trace = load (g_getenv ("NETSTITCH_SAMPLE"), NULL, NULL);
  NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, 0);
  const guint32 first = 0;
  g_autoptr (NsSession) session = NULL;
  NsSessionSums sums;

  row->source_table = NS_TABLE_HTTP_SERVER;
  row->sent = 0;
  row->received = 0;
  session = ns_session_new (trace, NULL);
  ns_session_select (session, NS_TABLE_ACTIVITIES, &first, 1);
  ns_session_get_sums (session, &sums);
  g_assert_true (sums.has_duration);
  g_assert_false (sums.has_bytes);
}

/* Open rows have a minimum duration, and so have their sums. */
static void
test_sums_with_what_never_ended_are_lower_bounds (void)
{
  g_autoptr (NsSession) session = sample_session ();
  const GArray *activities = ns_session_get_trace (session)->activities;
  guint32 rows[2] = { 0, 0 };
  NsSessionSums sums;

  while (g_array_index (activities, NsActivityRow, rows[1]).close_ns != NS_TIME_OPEN)
    g_assert_cmpuint (++rows[1], <, activities->len);
  ns_session_select (session, NS_TABLE_ACTIVITIES, rows, G_N_ELEMENTS (rows));
  ns_session_get_sums (session, &sums);
  g_assert_true (sums.has_duration);
  g_assert_true (sums.is_lower_bound);
  g_assert_false (sums.is_partial);
}

typedef struct
{
  GMainLoop *loop;
  NsSessionSums sums;
  gboolean was_stopped;
} Summed;

static void
summed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Summed *summed = data;

  summed->was_stopped =
      !ns_session_get_sums_finish (NS_SESSION (source), result, &summed->sums, NULL);
  g_main_loop_quit (summed->loop);
}

/* Sums are those of the selection at the time of the request. */
static void
test_sums_of_a_thread_are_the_same (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const guint32 rows[] = { 0, 1, 3 };
  Summed summed = { .loop = loop };
  NsSessionSums sums;

  ns_session_select (session, NS_TABLE_ACTIVITIES, rows, G_N_ELEMENTS (rows));
  ns_session_get_sums (session, &sums);
  ns_session_get_sums_async (session, cancellable, summed_cb, &summed);
  ns_session_select (session, NS_TABLE_ACTIVITIES, NULL, 0);
  g_main_loop_run (loop);
  g_assert_false (summed.was_stopped);
  g_assert_cmpuint (summed.sums.n_rows, ==, 3);
  g_assert_cmpuint (summed.sums.sent, ==, sums.sent);
  g_assert_cmpint (summed.sums.union_ns, ==, sums.union_ns);

  g_cancellable_cancel (cancellable);
  ns_session_get_sums_async (session, cancellable, summed_cb, &summed);
  g_main_loop_run (loop);
  g_assert_true (summed.was_stopped);
}

/* The selection of a request carries over to its sockets when their table is shown, and back. */
static void
test_the_selection_goes_along_to_other_tables (void)
{
  g_autoptr (NsSession) session = sample_session ();
  NsTrace *trace = ns_session_get_trace (session);
  const NsActivityRow *request = &g_array_index (trace->activities, NsActivityRow, 0);
  guint32 first = 0;
  guint32 socket;

  g_assert_cmpuint (request->winsock, !=, 0);
  ns_session_select (session, NS_TABLE_ACTIVITIES, &first, 1);
  ns_session_follow (session, NS_TABLE_WINSOCK);
  g_assert_cmpuint (ns_session_get_selected_table (session), ==, NS_TABLE_WINSOCK);
  g_assert_cmpuint (ns_session_get_selected (session)->len, ==, 1);
  socket = g_array_index (ns_session_get_selected (session), guint32, 0);
  g_assert_cmpuint (socket + 1, ==, request->winsock);

  ns_session_follow (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (ns_session_get_selected_table (session), ==, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (g_array_index (ns_session_get_selected (session), guint32, 0), ==, 0);

  /* Processes belong to no operation: the selection is kept. */
  ns_session_follow (session, NS_TABLE_PROCESSES);
  g_assert_cmpuint (ns_session_get_selected_table (session), ==, NS_TABLE_ACTIVITIES);
}

static NsTrace *
read_beginning (guint64 n_bytes)
{
  NsTraceOptions options = { .want_events = TRUE, .max_bytes = n_bytes };
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

/* While a file grows, complete buffers are read and partial ones wait. The final state equals that
 * of opening the complete file. */
static void
test_a_beginning_grows_into_the_whole (void)
{
  g_autoptr (NsSession) whole = sample_session ();
  NsTrace *all = ns_session_get_trace (whole);
  const NsEtlHeader *header = ns_etl_file_get_header (all->file);
  guint64 size = ns_etl_file_get_size (all->file);
  guint64 n_records = 0;
  guint64 n_bytes;

  for (n_bytes = header->buffer_size; n_bytes < size; n_bytes += header->buffer_size)
    {
      g_autoptr (NsTrace) part = read_beginning (n_bytes);
      g_autoptr (NsTrace) torn = read_beginning (n_bytes + header->buffer_size / 2);

      g_assert_true (part->is_incomplete);
      g_assert_cmpuint (part->n_records, >, n_records);
      g_assert_cmpuint (torn->n_records, ==, part->n_records);
      g_assert_cmpuint (ns_etl_file_get_report (torn->file)->damage->len, ==, 0);
      n_records = part->n_records;
    }
  {
    g_autoptr (NsTrace) last = read_beginning (size);

    g_assert_false (last->is_incomplete);
    g_assert_cmpuint (last->n_records, ==, all->n_records);
    g_assert_cmpuint (last->activities->len, ==, all->activities->len);
  }
}

/* The total length of a partly loaded file is known. The rest is shown as not read, and open rows
 * end where the reading ended. */
static void
test_a_beginning_tells_how_far_it_was_read (void)
{
  g_autoptr (NsSession) whole = sample_session ();
  guint64 size = ns_etl_file_get_size (ns_session_get_trace (whole)->file);
  g_autoptr (NsSession) part = ns_session_new (read_beginning (size / 2), NULL);
  gint64 frontier_ns = ns_session_get_frontier (part);
  NsTimeSpan visible = ns_session_get_visible (part);
  NsTimeSpan span;
  guint row;

  g_assert_cmpint (ns_session_get_frontier (whole), ==, 0);
  g_assert_cmpint (frontier_ns, >, 0);
  g_assert_cmpint (ns_session_get_whole (part).end_ns, >, frontier_ns);
  g_assert_cmpint (visible.begin_ns, ==, 0);
  g_assert_cmpint (visible.end_ns, >, frontier_ns);
  g_assert_cmpint (visible.end_ns, <=, ns_session_get_whole (part).end_ns);
  for (row = 0; row < ns_session_get_trace (part)->activities->len; row++)
    if (ns_session_get_row_span (part, NS_TABLE_ACTIVITIES, row, &span))
      g_assert_cmpint (span.end_ns, <=, frontier_ns + 1);
}

/* Every row of a partly loaded file is found again in the complete file, by its start data. */
static void
test_rows_are_found_again_in_what_has_grown (void)
{
  g_autoptr (NsSession) whole = sample_session ();
  NsTrace *all = ns_session_get_trace (whole);
  guint64 size = ns_etl_file_get_size (all->file);
  g_autoptr (NsTrace) part = read_beginning (size / 2);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) found = NULL;
  guint32 row;
  guint i;

  /* In descending order: results have the order of the request. */
  for (row = part->activities->len; row-- > 0;)
    g_array_append_val (rows, row);
  g_assert_cmpuint (rows->len, >, 3);
  g_assert_cmpuint (rows->len, <, all->activities->len);
  found = ns_row_match_find (part,
                             NS_TABLE_ACTIVITIES,
                             (const guint32 *) (gpointer) rows->data,
                             rows->len,
                             all,
                             NULL);
  g_assert_cmpuint (found->len, ==, rows->len);
  for (i = 0; i < found->len; i++)
    {
      const NsActivityRow *before =
          &g_array_index (part->activities, NsActivityRow, g_array_index (rows, guint32, i));
      const NsActivityRow *after =
          &g_array_index (all->activities, NsActivityRow, g_array_index (found, guint32, i));

      g_assert_cmpint (after->open_ns, ==, before->open_ns);
      g_assert_cmpint (after->protocol, ==, before->protocol);
    }
}

/* Of several rows that start at the same time, the one with the same rank among them is found. */
static void
test_twins_are_told_apart (void)
{
  const guint32 rows[] = { 2, 0, 1 };
  g_autoptr (NsSession) whole = sample_session ();
  NsTrace *all = ns_session_get_trace (whole);
  g_autoptr (NsTrace) other = read_beginning (ns_etl_file_get_size (all->file));
  g_autoptr (GArray) found = NULL;
  guint i;

  /* An older row before them, and three equal rows. */
  g_array_index (other->activities, NsActivityRow, 0).open_ns = 1;
  for (i = 0; i < 3; i++)
    {
      g_array_index (all->activities, NsActivityRow, i).open_ns = 77;
      g_array_index (other->activities, NsActivityRow, i + 1).open_ns = 77;
    }
  found = ns_row_match_find (all, NS_TABLE_ACTIVITIES, rows, 3, other, NULL);
  g_assert_cmpuint (found->len, ==, 3);
  g_assert_cmpuint (g_array_index (found, guint32, 0), ==, 3);
  g_assert_cmpuint (g_array_index (found, guint32, 1), ==, 1);
  g_assert_cmpuint (g_array_index (found, guint32, 2), ==, 2);
}

static gboolean
export_to (NsSession *session, NsTableId table, const char *path, GError **error)
{
  g_autoptr (GPtrArray) fields = ns_export_list_columns (table, NS_EXPORT_HTML);
  const NsSessionExport what = { .table = table,
                                 .rows = ns_session_export_get_usual (session, table),
                                 .fields = fields,
                                 .picture = "<svg id='t'/>" };
  g_autoptr (NsExportJob) job = ns_export_job_new (session, &what);

  return ns_export_job_run (job, path, NULL, error);
}

static gboolean
collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

/* The suffix of the file name selects the format. A format that does not fit the table leaves no
 * file. */
static void
test_the_ending_of_the_name_chooses_the_form (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autofree char *folder = g_dir_make_tmp ("export-XXXXXX", NULL);
  g_autofree char *har = g_build_filename (folder, "Rows.HAR", NULL);
  g_autofree char *page = g_build_filename (folder, "rows.html", NULL);
  g_autofree char *pcap = g_build_filename (folder, "rows.pcap", NULL);
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const GArray *rows;

  settle (session, NS_TABLE_ACTIVITIES);
  rows = ns_row_list_get_rows (ns_session_get_rows (session, NS_TABLE_ACTIVITIES));
  g_assert_true (export_to (session, NS_TABLE_ACTIVITIES, har, &error));
  g_assert_true (g_file_get_contents (har, &text, NULL, NULL));
  g_assert_true (ns_export_har (ns_session_get_trace (session),
                                (const guint32 *) (gpointer) rows->data,
                                rows->len,
                                collect,
                                expected,
                                NULL));
  g_assert_cmpstr (text, ==, expected->str);

  g_clear_pointer (&text, g_free);
  g_assert_true (export_to (session, NS_TABLE_TCP, page, &error));
  g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<svg id='t'/>"));

  g_assert_false (export_to (session, NS_TABLE_ACTIVITIES, pcap, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_false (g_file_test (pcap, G_FILE_TEST_EXISTS));
  g_unlink (har);
  g_unlink (page);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Counts the exported lines for a choice of rows, without the header. */
static guint
count_exported (NsSession *session, NsSessionRows which, const char *path)
{
  g_autoptr (GPtrArray) fields = ns_export_list_columns (NS_TABLE_ACTIVITIES, NS_EXPORT_TEXT);
  const NsSessionExport what = { .table = NS_TABLE_ACTIVITIES,
                                 .rows = which,
                                 .fields = fields,
                                 .form = ".tsv" };
  g_autoptr (NsExportJob) job = ns_export_job_new (session, &what);
  g_autofree char *text = NULL;
  guint n_lines = 0;
  const char *at;

  g_assert_true (ns_export_job_run (job, path, NULL, NULL));
  g_assert_cmpfloat (ns_export_job_get_fraction (job), ==, 1);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (at = text; (at = strchr (at, '\n')) != NULL; at++)
    n_lines++;
  g_assert_cmpuint (n_lines - 1, ==, ns_session_export_count (session, what.table, which));
  return n_lines - 1;
}

/* The choices are the selected rows, the filtered rows and all rows. A name without suffix uses the
 * selected format. */
static void
test_rows_are_chosen_for_an_export (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autofree char *folder = g_dir_make_tmp ("export-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "rows", NULL);
  const guint32 selected[] = { 3, 1 };
  guint n_all = ns_table_get_n_rows (ns_session_get_trace (session), NS_TABLE_ACTIVITIES);
  guint n_shown;

  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  n_shown = ns_row_list_get_rows (ns_session_get_rows (session, NS_TABLE_ACTIVITIES))->len;
  g_assert_cmpuint (n_shown, >, 0);
  g_assert_cmpuint (n_shown, <, n_all);
  g_assert_cmpuint (count_exported (session, NS_SESSION_SELECTED_ROWS, path), ==, 0);
  g_assert_cmpint (ns_session_export_get_offered (session, NS_TABLE_ACTIVITIES),
                   ==,
                   NS_SESSION_FILTERED_ROWS);
  ns_session_select (session, NS_TABLE_ACTIVITIES, selected, 1);
  g_assert_cmpint (ns_session_export_get_offered (session, NS_TABLE_ACTIVITIES),
                   ==,
                   NS_SESSION_FILTERED_ROWS);
  ns_session_select (session, NS_TABLE_ACTIVITIES, selected, G_N_ELEMENTS (selected));
  g_assert_cmpint (ns_session_export_get_offered (session, NS_TABLE_ACTIVITIES),
                   ==,
                   NS_SESSION_SELECTED_ROWS);
  g_assert_cmpuint (count_exported (session, NS_SESSION_SELECTED_ROWS, path), ==, 2);
  g_assert_cmpuint (count_exported (session, NS_SESSION_FILTERED_ROWS, path), ==, n_shown);
  g_assert_cmpuint (count_exported (session, NS_SESSION_ALL_ROWS, path), ==, n_all);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static guint
count_filtered (NsSession *session, const char *filter)
{
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, filter, NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  return count_rows (session);
}

/* A process and its children: process 4 started all programs of the sample. */
static void
test_a_process_has_a_tree (void)
{
  g_autoptr (NsSession) session = sample_session ();
  guint n_all;
  guint n_own;

  settle (session, NS_TABLE_ACTIVITIES);
  n_all = count_filtered (session, "");
  n_own = count_filtered (session, "pid=4312");
  g_assert_cmpuint (n_own, >, 0);
  g_assert_cmpuint (n_own, <, n_all);
  g_assert_cmpuint (count_filtered (session, "process_tree:\"(4312)\""), ==, n_own);
  g_assert_cmpuint (count_filtered (session, "process_tree:system"), ==, n_all);
  g_assert_cmpuint (count_filtered (session, "pid=4"), ==, 0);
}

/* A cancelled export leaves no partial file. */
static void
test_a_stopped_export_leaves_nothing (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autofree char *folder = g_dir_make_tmp ("export-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "rows.csv", NULL);
  g_autoptr (GPtrArray) fields = ns_export_list_columns (NS_TABLE_ACTIVITIES, NS_EXPORT_TEXT);
  const NsSessionExport what = { .table = NS_TABLE_ACTIVITIES,
                                 .rows = NS_SESSION_ALL_ROWS,
                                 .fields = fields };
  g_autoptr (NsExportJob) job = ns_export_job_new (session, &what);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (ns_export_job_run (job, path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  /* Neither the file nor a temporary one. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Rows hidden by a filter are deselected, and selected again when the filter is removed. */
static void
test_hidden_rows_are_not_selected (void)
{
  g_autoptr (NsSession) session = sample_session ();
  const guint32 rows[] = { 3, 1 };
  const guint32 other = 0;

  settle (session, NS_TABLE_ACTIVITIES);
  ns_session_select (session, NS_TABLE_ACTIVITIES, rows, G_N_ELEMENTS (rows));
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "pid=1840", NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (ns_session_get_selected (session)->len, ==, 1);
  g_assert_cmpuint (g_array_index (ns_session_get_selected (session), guint32, 0), ==, 1);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "pid=1", NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (ns_session_get_selected (session)->len, ==, 0);
  g_assert_cmpuint (ns_session_get_activity (session), ==, G_MAXUINT32);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "", NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpmem (ns_session_get_selected (session)->data,
                   ns_session_get_selected (session)->len * sizeof (guint32),
                   rows,
                   sizeof rows);
  /* A new selection in the meantime prevents that. */
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "pid=4312", NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  ns_session_select (session, NS_TABLE_ACTIVITIES, &other, 1);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "", NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (ns_session_get_selected (session)->len, ==, 1);
}

/* Findings are computed on request, in a thread, during which the table is busy. */
static void
test_findings_are_looked_for_when_they_are_wanted (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autofree char *filter = NULL;
  const guint32 finding = 2;
  NsTableId table;
  gboolean is_bad = FALSE;
  guint n_found = 0;
  guint n_marked = 0;
  guint i;

  g_assert_false (ns_session_count_findings (session, &n_found, &is_bad));
  ns_session_look_for_findings (session);
  g_assert_true (ns_session_is_busy (session, NS_TABLE_FINDINGS));
  settle (session, NS_TABLE_FINDINGS);
  g_assert_true (ns_session_count_findings (session, &n_found, &is_bad));
  g_assert_cmpuint (n_found, ==, 6);
  g_assert_true (is_bad);

  ns_session_select (session, NS_TABLE_FINDINGS, &finding, 1);
  for (i = 0; i < ns_session_get_trace (session)->activities->len; i++)
    n_marked += ns_session_get_marked (session)[i];
  g_assert_cmpuint (n_marked, ==, 5);
  filter = ns_session_dup_finding_filter (session, finding, &table);
  g_assert_cmpstr (filter, ==, "finding:D32");
  g_assert_cmpint (table, ==, NS_TABLE_ACTIVITIES);
}

/* The rows of a finding, most expensive first, add up to its cost, for each finding of the
 * sample. */
static void
test_evidence_adds_up_to_the_cost (void)
{
  g_autoptr (NsSession) session = sample_session ();
  const NsFindingRow *finding;
  guint n_costs = 0;
  guint i;

  ns_session_look_for_findings (session);
  settle (session, NS_TABLE_FINDINGS);
  for (i = 0; (finding = ns_session_get_finding (session, i)) != NULL; i++)
    {
      g_autoptr (GArray) evidence = ns_session_list_evidence (session, finding);
      gint64 before_ns = G_MAXINT64;
      gint64 sum_ns = 0;
      guint k;

      for (k = 0; k < evidence->len; k++)
        {
          gint64 cost_ns = g_array_index (evidence, NsFindingShare, k).cost_ns;

          g_assert_cmpint (cost_ns, <=, before_ns);
          before_ns = cost_ns;
          sum_ns += cost_ns;
        }
      g_assert_cmpint (sum_ns, ==, MAX (finding->cost_ns, 0));
      n_costs += finding->cost_ns > 0;
    }
  g_assert_cmpuint (n_costs, ==, 5);
}

/* Formats each step as “text; link”. */
static void
test_steps_lead_on (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autoptr (GPtrArray) steps = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  ns_session_look_for_findings (session);
  settle (session, NS_TABLE_FINDINGS);
  steps = ns_session_list_steps (session, ns_session_get_finding (session, 2));
  for (i = 0; i < steps->len; i++)
    {
      const NsFindingStep *step = g_ptr_array_index (steps, i);

      g_string_append_printf (text,
                              "%d %s%s%s\n",
                              step->kind,
                              step->text,
                              step->filter != NULL ? " | " : "",
                              step->filter != NULL ? step->filter : "");
    }
  g_assert_cmpstr (text->str,
                   ==,
                   "0 Use a single client object, and read responses completely.\n"
                   "1 Compare with the 2 other rows of telemetry.example.org | "
                   "server=\"telemetry.example.org\" -finding:D32\n"
                   "2 Read the events that support this finding\n"
                   "3 Copy it with its evidence for the operator of the other side\n");
}

static char *
findings_to_text (NsSession *session)
{
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (session, NS_TABLE_FINDINGS));
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      const NsFindingRow *row = ns_session_get_finding (session, g_array_index (rows, guint32, i));

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ns_severity_to_text (row->severity));
    }
  return g_string_free (text, FALSE);
}

/* By severity, not by the alphabetic order of the severity names. */
static void
test_findings_are_sorted_by_what_they_weigh (void)
{
  static const struct
  {
    const char *order;
    const char *expected;
  } cases[] = { { "severity", "problem problem warning warning info info" },
                { "-severity", "info info warning warning problem problem" } };
  g_autoptr (NsSession) session = sample_session ();
  guint i;

  ns_session_look_for_findings (session);
  settle (session, NS_TABLE_FINDINGS);
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) keys = ns_order_parse (NS_TABLE_FINDINGS, cases[i].order, NULL);
      g_autofree char *text = NULL;

      ns_session_set_order (session, NS_TABLE_FINDINGS, keys);
      settle (session, NS_TABLE_FINDINGS);
      text = findings_to_text (session);
      g_assert_cmpstr (text, ==, cases[i].expected);
    }
}

/* A cell that is painted before the findings are computed stays empty, so the main thread does not
 * wait. */
static void
test_the_windows_thread_does_not_wait_for_the_rules_of_a_row (void)
{
  g_autoptr (NsSession) session = sample_session ();
  NsTrace *trace = ns_session_get_trace (session);
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "finding");
  NsFieldValue value = { 0 };
  gboolean is_bad;
  guint n_found;
  guint n_rules = 0;
  guint i;

  g_assert_true (g_main_context_acquire (g_main_context_default ()));
  for (i = 0; i < trace->activities->len; i++)
    {
      ns_field_get (trace, field, i, &value);
      g_assert_cmpuint (value.list->len, ==, 0);
      ns_field_value_clear (&value);
    }
  g_assert_false (ns_session_count_findings (session, &n_found, &is_bad));
  g_main_context_release (g_main_context_default ());

  /* A filter waits for them in its own thread. */
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "finding:D32", NULL, NULL));
  settle (session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (ns_session_count_rows (session, NS_TABLE_ACTIVITIES), ==, 5);
  g_assert_true (ns_session_count_findings (session, &n_found, &is_bad));
  g_assert_true (g_main_context_acquire (g_main_context_default ()));
  for (i = 0; i < trace->activities->len; i++)
    {
      ns_field_get (trace, field, i, &value);
      n_rules += value.list->len;
      ns_field_value_clear (&value);
    }
  g_main_context_release (g_main_context_default ());
  g_assert_cmpuint (n_rules, >, 5);
}

/* Rules that found nothing are counted beside the findings, and listed with the verdict column. */
static void
test_what_was_found_is_counted_in_one_place (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autoptr (GPtrArray) unjudged = NULL;
  g_autoptr (GPtrArray) fine = NULL;
  g_autofree char *missing = NULL;
  NsFindingSums sums;
  guint n_rows;
  guint i;

  g_assert_false (ns_session_sum_findings (session, &sums));
  g_assert_cmpuint (ns_session_count_all (session, NS_TABLE_FINDINGS), ==, 0);
  ns_session_look_for_findings (session);
  settle (session, NS_TABLE_FINDINGS);
  g_assert_true (ns_session_sum_findings (session, &sums));
  g_assert_cmpuint (sums.n_findings, >, 3);
  g_assert_cmpuint (sums.n_of[NS_SEVERITY_INFO] + sums.n_of[NS_SEVERITY_WARNING] +
                        sums.n_of[NS_SEVERITY_PROBLEM],
                    ==,
                    sums.n_findings);
  g_assert_cmpuint (sums.n_checks, ==, 46);
  g_assert_cmpuint (sums.n_found + sums.n_unjudged + sums.n_fine, ==, sums.n_checks);
  g_assert_cmpuint (ns_session_count_rows (session, NS_TABLE_FINDINGS), ==, sums.n_findings);
  g_assert_cmpuint (ns_session_count_all (session, NS_TABLE_FINDINGS), ==, sums.n_findings);
  unjudged = ns_session_list_checks (session, NS_VERDICT_UNJUDGED);
  fine = ns_session_list_checks (session, NS_VERDICT_NOT_FOUND);
  g_assert_cmpuint (unjudged->len, ==, sums.n_unjudged);
  g_assert_cmpuint (fine->len, ==, sums.n_fine);
  missing = ns_session_dup_missing (session);
  g_assert_null (strstr (missing, "Microsoft-Windows-"));
  if (sums.n_unjudged > 0)
    g_assert_nonnull (strstr (missing, " ("));

  /* By default a filter keeps only rules that found something. */
  n_rows = ns_table_get_n_rows (ns_session_get_trace (session), NS_TABLE_FINDINGS);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_FINDINGS, "count>=0", NULL, NULL));
  settle (session, NS_TABLE_FINDINGS);
  g_assert_cmpuint (ns_session_count_rows (session, NS_TABLE_FINDINGS), ==, sums.n_findings);
  g_assert_true (
      ns_session_set_filter (session, NS_TABLE_FINDINGS, "not verdict=found", NULL, NULL));
  settle (session, NS_TABLE_FINDINGS);
  g_assert_cmpuint (ns_session_count_rows (session, NS_TABLE_FINDINGS),
                    ==,
                    n_rows - sums.n_findings);
  g_assert_cmpuint (ns_session_count_all (session, NS_TABLE_FINDINGS), ==, n_rows);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_FINDINGS, "", NULL, NULL));
  settle (session, NS_TABLE_FINDINGS);
  for (i = 0; i < sums.n_findings; i++)
    g_assert_cmpint (ns_session_get_finding (session, i)->verdict, ==, NS_VERDICT_FOUND);
  g_assert_null (ns_session_get_finding (session, n_rows));
}

static void
count_cb (NsSession *session, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
assert_hidden (NsSession *session, const char *expected)
{
  const char *const *hidden = ns_session_get_hidden_frames (session);
  g_autofree char *text = hidden != NULL ? g_strjoinv (" ", (char **) hidden) : g_strdup ("");

  g_assert_cmpstr (text, ==, expected);
}

static void
test_hidden_frames_can_be_shown_again (void)
{
  g_autoptr (NsSession) session = sample_session ();
  guint n_told = 0;

  g_signal_connect (session, "hidden-frames-changed", G_CALLBACK (count_cb), &n_told);
  assert_hidden (session, "");
  ns_session_hide_frames (session, "a.dll!*");
  ns_session_hide_frames (session, "b.dll!Go");
  ns_session_hide_frames (session, "a.dll!*");
  assert_hidden (session, "a.dll!* b.dll!Go");
  g_assert_cmpuint (n_told, ==, 2);
  ns_session_show_frames (session, "c.dll!*");
  ns_session_show_frames (session, "a.dll!*");
  assert_hidden (session, "b.dll!Go");
  ns_session_hide_frames (session, "d.dll!*");
  ns_session_show_frames (session, NULL);
  assert_hidden (session, "");
  g_assert_cmpuint (n_told, ==, 5);
}

/* The command line copied from a view of several files names them all; a copied file adds no
 * row. */
static void
test_several_files_are_one_session (void)
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-session-XXXXXX", NULL);
  g_autofree char *copy = g_build_filename (folder, "a copy.etl", NULL);
  const char *sample = g_getenv ("NETSTITCH_SAMPLE");
  const char *beside[] = { copy, NULL };
  NsTraceOptions options = { .want_events = TRUE, .beside = beside };
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_autoptr (GFile) file = g_file_new_for_path (sample);
  g_autoptr (NsSession) alone = sample_session ();
  g_autoptr (NsSession) session = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *command = NULL;
  g_autofree char *expected = NULL;
  gsize n_bytes;

  g_assert_true (g_file_get_contents (sample, &bytes, &n_bytes, NULL));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) n_bytes, NULL));
  session = ns_session_new (ns_trace_open (sample, &options, NULL, NULL, NULL), file);
  g_assert_cmpuint (ns_session_get_trace (session)->activities->len,
                    ==,
                    ns_session_get_trace (alone)->activities->len);
  command = ns_session_to_command (session, NS_TABLE_ACTIVITIES, fields);
  expected = g_strdup_printf ("netstitch-cli activities '%s' '%s' --format json", sample, copy);
  g_assert_cmpstr (command, ==, expected);
  g_unlink (copy);
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/session/several-files-are-one-session", test_several_files_are_one_session);
  g_test_add_func ("/session/groups-are-opened-as-asked", test_groups_are_opened_as_asked);
  g_test_add_func ("/session/a-beginning-tells-how-far-it-was-read",
                   test_a_beginning_tells_how_far_it_was_read);
  g_test_add_func ("/session/sums-of-a-thread-are-the-same", test_sums_of_a_thread_are_the_same);
  g_test_add_func ("/session/a-later-reading-goes-on-with-the-lists",
                   test_a_later_reading_goes_on_with_the_lists);
  g_test_add_func ("/session/an-order-keeps-the-set", test_an_order_keeps_the_set);
  g_test_add_func ("/session/a-stopped-load-gives-nothing", test_a_stopped_load_gives_nothing);
  g_test_add_func ("/session/the-selection-goes-along-to-other-tables",
                   test_the_selection_goes_along_to_other_tables);
  g_test_add_func ("/session/a-beginning-grows-into-the-whole",
                   test_a_beginning_grows_into_the_whole);
  g_test_add_func ("/session/hidden-frames-can-be-shown-again",
                   test_hidden_frames_can_be_shown_again);
  g_test_add_func ("/session/rows-are-found-again-in-what-has-grown",
                   test_rows_are_found_again_in_what_has_grown);
  g_test_add_func ("/session/twins-are-told-apart", test_twins_are_told_apart);
  g_test_add_func ("/session/a-missing-file-is-an-error", test_a_missing_file_is_an_error);
  g_test_add_func ("/session/a-wrong-filter-changes-nothing", test_a_wrong_filter_changes_nothing);
  g_test_add_func ("/session/the-last-question-is-the-one-answered",
                   test_the_last_question_is_the_one_answered);
  g_test_add_func ("/session/orders-toggle-and-add-up", test_orders_toggle_and_add_up);
  g_test_add_func ("/session/a-row-of-a-layer-marks-its-activity",
                   test_a_row_of_a_layer_marks_its_activity);
  g_test_add_func ("/session/groups-are-taken-over", test_groups_are_taken_over);
  g_test_add_func ("/session/sums-are-those-of-the-rows", test_sums_are_those_of_the_rows);
  g_test_add_func ("/session/nobody-is-busy-for-longer-than-all-took",
                   test_nobody_is_busy_for_longer_than_all_took);
  g_test_add_func ("/session/sums-of-what-was-not-counted-are-not-there",
                   test_sums_of_what_was_not_counted_are_not_there);
  g_test_add_func ("/session/sums-with-what-never-ended-are-lower-bounds",
                   test_sums_with_what_never_ended_are_lower_bounds);
  g_test_add_func ("/session/the-ending-of-the-name-chooses-the-form",
                   test_the_ending_of_the_name_chooses_the_form);
  g_test_add_func ("/session/hidden-rows-are-not-selected", test_hidden_rows_are_not_selected);
  g_test_add_func ("/session/a-process-has-a-tree", test_a_process_has_a_tree);
  g_test_add_func ("/session/rows-are-chosen-for-an-export", test_rows_are_chosen_for_an_export);
  g_test_add_func ("/session/a-stopped-export-leaves-nothing",
                   test_a_stopped_export_leaves_nothing);
  g_test_add_func ("/session/evidence-adds-up-to-the-cost", test_evidence_adds_up_to_the_cost);
  g_test_add_func ("/session/steps-lead-on", test_steps_lead_on);
  g_test_add_func ("/session/findings-are-sorted-by-what-they-weigh",
                   test_findings_are_sorted_by_what_they_weigh);
  g_test_add_func ("/session/findings-are-looked-for-when-they-are-wanted",
                   test_findings_are_looked_for_when_they_are_wanted);
  g_test_add_func ("/session/what-was-found-is-counted-in-one-place",
                   test_what_was_found_is_counted_in_one_place);
  g_test_add_func ("/session/the-windows-thread-does-not-wait-for-the-rules-of-a-row",
                   test_the_windows_thread_does_not_wait_for_the_rules_of_a_row);
  return g_test_run ();
}
