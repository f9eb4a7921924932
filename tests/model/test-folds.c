/* Tests the expansion of groups: to reveal a row, or by the user.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session.h"

static NsSession *
sample_session (void)
{
  NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return ns_session_new (trace, NULL);
}

static void
settle (NsSession *session)
{
  while (ns_session_is_busy (session, NS_TABLE_ACTIVITIES))
    g_main_context_iteration (NULL, TRUE);
}

static guint
count_places (NsSession *session)
{
  return g_list_model_get_n_items (
      G_LIST_MODEL (ns_session_get_rows (session, NS_TABLE_ACTIVITIES)));
}

static const NsGroups *
get_groups (NsSession *session)
{
  return ns_row_list_get_groups (ns_session_get_rows (session, NS_TABLE_ACTIVITIES));
}

/* Grouped by process: one item per group, and one for all rows. */
static NsSession *
grouped_session (void)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "process");
  NsSession *session = sample_session ();

  ns_session_set_grouping (session, NS_TABLE_ACTIVITIES, &field, 1);
  settle (session);
  g_assert_cmpuint (count_places (session), ==, get_groups (session)->groups->len + 1);
  return session;
}

/* Returns the first failed row. */
static guint32
get_failed_row (NsSession *session)
{
  const GArray *rows = ns_session_get_trace (session)->activities;
  guint32 row;

  for (row = 0; !g_array_index (rows, NsActivityRow, row).failed; row++)
    g_assert_cmpuint (row, <, rows->len);
  return row;
}

static void
go_to (NsSession *session, guint32 row)
{
  ns_session_select (session, NS_TABLE_ACTIVITIES, &row, 1);
  ns_session_reveal (session, NS_TABLE_ACTIVITIES, row);
}

static void
test_what_was_opened_for_a_row_stays_open (void)
{
  g_autoptr (NsSession) session = grouped_session ();
  NsRowList *rows = ns_session_get_rows (session, NS_TABLE_ACTIVITIES);
  guint32 row = get_failed_row (session);

  go_to (session, row);
  g_assert_cmpuint (ns_row_list_find (rows, row), !=, G_MAXUINT);
  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL));
  settle (session);
  g_assert_nonnull (get_groups (session));
  g_assert_cmpuint (ns_row_list_find (rows, row), !=, G_MAXUINT);
}

/* A bar can be selected while the table is being sorted. */
static void
test_rows_are_gone_to_when_they_come (void)
{
  g_autoptr (NsSession) session = grouped_session ();
  NsRowList *rows = ns_session_get_rows (session, NS_TABLE_ACTIVITIES);
  guint32 row = get_failed_row (session);

  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL));
  g_assert_true (ns_session_is_busy (session, NS_TABLE_ACTIVITIES));
  go_to (session, row);
  g_assert_cmpuint (ns_row_list_find (rows, row), ==, G_MAXUINT);
  settle (session);
  g_assert_cmpuint (ns_row_list_find (rows, row), !=, G_MAXUINT);
}

/* Another selection in the meantime cancels that. */
static void
test_rows_are_not_gone_to_for_nothing (void)
{
  g_autoptr (NsSession) session = grouped_session ();
  guint32 row = get_failed_row (session);

  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL));
  go_to (session, row);
  ns_session_select (session, NS_TABLE_ACTIVITIES, NULL, 0);
  settle (session);
  g_assert_cmpuint (count_places (session), ==, get_groups (session)->groups->len + 1);
}

static void
note_again (NsSession *session, guint *n_again)
{
  *n_again += ns_session_is_selecting_again (session) ? 1 : 100;
}

static void
test_who_selects_again_goes_nowhere (void)
{
  g_autoptr (NsSession) session = grouped_session ();
  guint32 row = 0;
  guint n_again = 0;

  g_signal_connect (session, "selection-changed", G_CALLBACK (note_again), &n_again);
  ns_session_select_again (session, NS_TABLE_ACTIVITIES, &row, 1);
  g_assert_cmpuint (n_again, ==, 1);
  row = 1;
  ns_session_select (session, NS_TABLE_ACTIVITIES, &row, 1);
  g_assert_cmpuint (n_again, ==, 101);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folds/what-was-opened-for-a-row-stays-open",
                   test_what_was_opened_for_a_row_stays_open);
  g_test_add_func ("/folds/rows-are-gone-to-when-they-come", test_rows_are_gone_to_when_they_come);
  g_test_add_func ("/folds/rows-are-not-gone-to-for-nothing",
                   test_rows_are_not_gone_to_for_nothing);
  g_test_add_func ("/folds/who-selects-again-goes-nowhere", test_who_selects_again_goes_nowhere);
  return g_test_run ();
}
