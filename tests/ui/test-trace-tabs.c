/* Unit tests of the tables of a trace and their tabs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-later.h"
#include "ui/ns-settings.h"
#include "ui/ns-tabs-list.h"
#include "ui/ns-trace-tabs.h"
#include "ui/table/ns-table-page.h"

typedef struct
{
  GtkWidget *window;
  NsTraceTabs *tabs;
  NsSession *session;
  guint n_switched;
  guint n_details;
  guint n_parts;
} World;

static void
count_cb (guint *n_signals)
{
  (*n_signals)++;
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  ns_session_look_for_findings (world->session);
  world->tabs = g_object_new (NS_TYPE_TRACE_TABS, NULL);
  g_signal_connect_swapped (world->tabs, "switched", G_CALLBACK (count_cb), &world->n_switched);
  g_signal_connect_swapped (world->tabs, "details", G_CALLBACK (count_cb), &world->n_details);
  g_signal_connect_swapped (world->tabs, "parts-changed", G_CALLBACK (count_cb), &world->n_parts);
  world->window = stage_show (GTK_WIDGET (world->tabs), ns_trace_tabs_get_actions (world->tabs));
}

/* Most tests begin with a session. */
static void
set_up_with_session (World *world, gconstpointer data)
{
  set_up (world, data);
  ns_trace_tabs_set_session (world->tabs, world->session, NS_TABS_NEW);
}

static void
tear_down (World *world, gconstpointer data)
{
  g_settings_reset (ns_settings_get (), "hidden-tabs");
  g_settings_reset (ns_settings_get (), "event-pane-shown");
  g_settings_reset (ns_settings_get (), "timeline-shown");
  g_settings_reset (ns_settings_get (), "timeline-over-events");
  ns_trace_tabs_set_session (world->tabs, NULL, NS_TABS_NEW);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static void
act (World *world, const char *action, GVariant *parameter)
{
  stage_act (GTK_WIDGET (world->tabs), action, parameter);
}

static NsTableId
get_front (World *world)
{
  return ns_session_get_front (world->session);
}

/* Returns a table that is empty in the sample. */
static NsTableId
find_empty_table (World *world)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (table != NS_TABLE_FINDINGS && ns_session_count_all (world->session, table) == 0)
      return (NsTableId) table;
  g_assert_not_reached ();
}

static GtkNotebook *
get_notebook (World *world)
{
  return GTK_NOTEBOOK (stage_find (GTK_WIDGET (world->tabs), GTK_TYPE_NOTEBOOK, NULL));
}

/* Returns the title or, with @is_count, the count in the tab of a page. */
static const char *
get_tab_text (World *world, int page, gboolean is_count)
{
  GtkWidget *tab =
      gtk_notebook_get_tab_label (get_notebook (world),
                                  gtk_notebook_get_nth_page (get_notebook (world), page));
  GtkWidget *label = gtk_widget_get_first_child (tab);

  return gtk_label_get_text (GTK_LABEL (is_count ? gtk_widget_get_next_sibling (label) : label));
}

/* Returns the page of this table, or NULL if it has no tab. */
static GtkWidget *
find_shown (World *world, NsTableId table)
{
  int i;

  for (i = 0; i < gtk_notebook_get_n_pages (get_notebook (world)); i++)
    if (g_strcmp0 (get_tab_text (world, i, FALSE), ns_table_get_title (table)) == 0)
      {
        GtkWidget *page = gtk_notebook_get_nth_page (get_notebook (world), i);

        return gtk_widget_get_visible (page) ? page : NULL;
      }
  g_assert_not_reached ();
}

static void
test_begins_with_the_operations (World *world, gconstpointer data)
{
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
  g_assert_nonnull (ns_trace_tabs_peek_table (world->tabs, NS_TABLE_ACTIVITIES));
  g_assert_null (ns_trace_tabs_peek_table (world->tabs, NS_TABLE_EVENTS));
  g_assert_cmpstr (get_tab_text (world, 0, FALSE), ==, ns_table_get_title (NS_TABLE_ACTIVITIES));
  g_assert_cmpstr (get_tab_text (world, 1, FALSE), ==, ns_table_get_title (NS_TABLE_FINDINGS));
  g_assert_cmpint (gtk_notebook_get_n_pages (get_notebook (world)), ==, NS_N_TABLES);
  g_assert_cmpuint (world->n_switched, ==, 0);
}

static void
test_brings_a_table_to_the_front (World *world, gconstpointer data)
{
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  g_assert_cmpint (get_front (world), ==, NS_TABLE_EVENTS);
  g_assert_cmpuint (world->n_switched, ==, 1);
  g_assert_nonnull (ns_trace_tabs_peek_table (world->tabs, NS_TABLE_EVENTS));
  g_assert_true (ns_trace_tabs_show_nth (world->tabs, 0));
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
  ns_trace_tabs_show_next (world->tabs, 1);
  g_assert_cmpint (get_front (world), ==, NS_TABLE_FINDINGS);
  ns_trace_tabs_show_next (world->tabs, -1);
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
  g_assert_false (ns_trace_tabs_show_nth (world->tabs, NS_N_TABLES));
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
}

static void
test_what_has_nothing_has_no_tab (World *world, gconstpointer data)
{
  NsTableId empty = find_empty_table (world);

  g_assert_null (find_shown (world, empty));
  g_assert_nonnull (find_shown (world, NS_TABLE_EVENTS));
  ns_trace_tabs_show_table (world->tabs, empty);
  g_assert_nonnull (find_shown (world, empty));
  g_assert_cmpint (get_front (world), ==, empty);
  /* Only a choice of the user is remembered. */
  act (world, "toggle-tab", g_variant_new_string (ns_table_get_name (empty)));
  g_assert_null (find_shown (world, empty));
  g_assert_false (ns_tabs_list_is_hidden (empty));
}

static void
test_a_tab_is_taken_away (World *world, gconstpointer data)
{
  g_autoptr (NsSession) other = stage_session_new ();

  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  act (world, "toggle-tab", g_variant_new_string (ns_table_get_name (NS_TABLE_EVENTS)));
  g_assert_null (find_shown (world, NS_TABLE_EVENTS));
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
  g_assert_true (ns_tabs_list_is_hidden (NS_TABLE_EVENTS));
  /* The setting also applies to other traces. */
  ns_trace_tabs_set_session (world->tabs, other, NS_TABS_NEW);
  g_assert_null (find_shown (world, NS_TABLE_EVENTS));
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  g_assert_nonnull (find_shown (world, NS_TABLE_EVENTS));
  g_assert_false (ns_tabs_list_is_hidden (NS_TABLE_EVENTS));
  ns_trace_tabs_set_session (world->tabs, world->session, NS_TABS_NEW);
}

static gboolean
is_idle (gpointer data)
{
  World *world = data;

  return !ns_session_is_busy (world->session, NS_TABLE_ACTIVITIES);
}

static gboolean
is_judged (gpointer data)
{
  World *world = data;
  gboolean is_bad;
  guint n_found;

  return ns_session_count_findings (world->session, &n_found, &is_bad);
}

static void
test_counts_rows (World *world, gconstpointer data)
{
  ns_trace_tabs_update_count (world->tabs, NS_TABLE_ACTIVITIES, NS_COUNT_STATE_KNOWN, FALSE);
  g_assert_cmpstr (get_tab_text (world, 0, TRUE), ==, "27");
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  stage_wait (is_idle, world, "the rows of the filter");
  ns_trace_tabs_update_count (world->tabs, NS_TABLE_ACTIVITIES, NS_COUNT_STATE_PENDING, FALSE);
  g_assert_cmpstr (get_tab_text (world, 0, TRUE), ==, "27");
  ns_trace_tabs_update_count (world->tabs, NS_TABLE_ACTIVITIES, NS_COUNT_STATE_KNOWN, FALSE);
  g_assert_true (g_str_has_suffix (get_tab_text (world, 0, TRUE), " of 27"));
  ns_trace_tabs_update_count (world->tabs, NS_TABLE_ACTIVITIES, NS_COUNT_STATE_KNOWN, TRUE);
  g_assert_false (g_str_has_suffix (get_tab_text (world, 0, TRUE), " of 27"));
  ns_trace_tabs_update_count (world->tabs, NS_TABLE_ACTIVITIES, NS_COUNT_STATE_UNKNOWN, FALSE);
  g_assert_cmpstr (get_tab_text (world, 0, TRUE), ==, "…");
}

static void
test_counts_findings (World *world, gconstpointer data)
{
  NsFindingSums sums;
  g_autofree char *count = NULL;

  stage_wait (is_judged, world, "the findings");
  ns_trace_tabs_update_count (world->tabs, NS_TABLE_FINDINGS, NS_COUNT_STATE_KNOWN, FALSE);
  g_assert_true (ns_session_sum_findings (world->session, &sums));
  count = g_strdup_printf ("%u", sums.n_findings);
  g_assert_cmpstr (get_tab_text (world, 1, TRUE), ==, count);
}

static gboolean
has_table (gpointer data)
{
  World *world = data;

  return ns_trace_tabs_peek_table (world->tabs, NS_TABLE_ACTIVITIES) != NULL;
}

static void
test_the_first_part_is_painted_first (World *world, gconstpointer data)
{
  ns_trace_tabs_set_session (world->tabs, world->session, NS_TABS_BEGINNING);
  g_assert_null (ns_trace_tabs_peek_table (world->tabs, NS_TABLE_ACTIVITIES));
  stage_wait (has_table, world, "the table is made behind the first frames");
}

/* (transfer full): a second session of the sample, like a reload. */
static NsSession *
later_session_new (World *world)
{
  g_autoptr (NsSession) sample = stage_session_new ();
  NsSession *later =
      ns_session_new_reloaded (ns_trace_ref (ns_session_get_trace (sample)), NULL, world->session);

  ns_session_set_front (later, get_front (world));
  return later;
}

static void
test_tables_turn_to_a_later_reading (World *world, gconstpointer data)
{
  NsTableView *view;
  NsSession *later;

  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  view = ns_trace_tabs_peek_table (world->tabs, NS_TABLE_EVENTS);
  later = later_session_new (world);
  ns_trace_tabs_set_session (world->tabs, later, NS_SESSION_RELOADED_SAME_FRONT);
  g_assert_true (ns_trace_tabs_peek_table (world->tabs, NS_TABLE_EVENTS) == view);
  g_assert_cmpint (ns_session_get_front (later), ==, NS_TABLE_EVENTS);
  g_assert_cmpuint (world->n_switched, ==, 1);
  g_object_unref (world->session);
  world->session = later;
}

static void
test_fields_are_below_events (World *world, gconstpointer data)
{
  g_assert_null (ns_trace_tabs_peek_fields (world->tabs));
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  g_assert_nonnull (ns_trace_tabs_peek_fields (world->tabs));
  world->n_parts = 0;
  act (world, "event-pane", NULL);
  g_assert_null (ns_trace_tabs_peek_fields (world->tabs));
  g_assert_cmpuint (world->n_parts, ==, 1);
  g_assert_false (g_settings_get_boolean (ns_settings_get (), "event-pane-shown"));
  act (world, "event-pane", NULL);
  g_assert_nonnull (ns_trace_tabs_peek_fields (world->tabs));
}

static void
test_over_events_is_no_timeline (World *world, gconstpointer data)
{
  g_assert_true (ns_trace_tabs_wants_timeline (world->tabs));
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  g_assert_false (ns_trace_tabs_wants_timeline (world->tabs));
  act (world, "timeline", NULL);
  g_assert_true (ns_trace_tabs_wants_timeline (world->tabs));
  g_assert_true (g_settings_get_boolean (ns_settings_get (), "timeline-over-events"));
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_ACTIVITIES);
  act (world, "timeline", NULL);
  g_assert_false (ns_trace_tabs_wants_timeline (world->tabs));
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  g_assert_true (ns_trace_tabs_wants_timeline (world->tabs));
}

static void
test_has_a_page_of_another_kind (World *world, gconstpointer data)
{
  GtkWidget *page = gtk_label_new ("both ends");
  NsSession *later;

  ns_trace_tabs_insert_page (world->tabs, page, gtk_label_new ("Paired"), 2, "Paired");
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  ns_trace_tabs_show_page (world->tabs, page);
  g_assert_true (ns_trace_tabs_get_page (world->tabs) == page);
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
  later = later_session_new (world);
  ns_trace_tabs_set_session (world->tabs, later, NS_SESSION_RELOADED_SAME_FRONT);
  g_assert_cmpint (gtk_notebook_page_num (get_notebook (world), page), ==, 2);
  g_assert_true (ns_trace_tabs_get_page (world->tabs) == page);
  g_object_unref (world->session);
  world->session = later;
}

static void
test_lists_all_tables (World *world, gconstpointer data)
{
  GtkWidget *list;
  GtkWidget *check;
  GtkWidget *go;

  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  act (world, "list-tabs", NULL);
  list = stage_find (GTK_WIDGET (world->tabs), NS_TYPE_TABS_LIST, NULL);
  g_assert_nonnull (list);
  /* The first item is the activity table, whose tab cannot be closed. */
  check = stage_find (list, GTK_TYPE_CHECK_BUTTON, NULL);
  g_assert_false (gtk_widget_get_sensitive (check));
  go = stage_find (list, GTK_TYPE_BUTTON, "flat");
  g_signal_emit_by_name (go, "clicked");
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
  check = gtk_widget_get_parent (check);
  check = stage_find (gtk_widget_get_next_sibling (check), GTK_TYPE_CHECK_BUTTON, NULL);
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (check)));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), FALSE);
  g_assert_null (find_shown (world, NS_TABLE_FINDINGS));
}

static void
test_a_row_is_activated (World *world, gconstpointer data)
{
  g_signal_emit_by_name (ns_trace_tabs_peek_table (world->tabs, NS_TABLE_ACTIVITIES), "activated");
  g_assert_cmpuint (world->n_details, ==, 1);
}

static void
test_lets_a_session_go (World *world, gconstpointer data)
{
  ns_trace_tabs_set_session (world->tabs, NULL, NS_TABS_NEW);
  g_assert_null (ns_trace_tabs_ensure_table (world->tabs, NS_TABLE_EVENTS));
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  g_assert_cmpint (get_front (world), ==, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (world->n_switched, ==, 0);
}

static GtkSelectionModel *
get_selection (World *world, NsTableId table)
{
  NsTableView *view = ns_trace_tabs_peek_table (world->tabs, table);
  GtkWidget *list = stage_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW, NULL);

  return gtk_column_view_get_model (GTK_COLUMN_VIEW (list));
}

/* Only one table shows a selected row; otherwise a click on the stale one would not select it
 * again. */
static void
test_one_row_is_chosen_of_all_tables (World *world, gconstpointer data)
{
  guint32 row = 0;

  ns_trace_tabs_show_table (world->tabs, NS_TABLE_PROCESSES);
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_ACTIVITIES);
  ns_session_select (world->session, NS_TABLE_PROCESSES, &row, 1);
  g_assert_true (gtk_selection_model_is_selected (get_selection (world, NS_TABLE_PROCESSES), 0));
  gtk_selection_model_select_item (get_selection (world, NS_TABLE_ACTIVITIES), 0, TRUE);
  g_assert_cmpint (ns_session_get_selected_table (world->session), ==, NS_TABLE_ACTIVITIES);
  g_assert_false (gtk_selection_model_is_selected (get_selection (world, NS_TABLE_PROCESSES), 0));
  gtk_selection_model_select_item (get_selection (world, NS_TABLE_PROCESSES), 0, TRUE);
  g_assert_cmpint (ns_session_get_selected_table (world->session), ==, NS_TABLE_PROCESSES);
  g_assert_cmpuint (ns_session_get_selected (world->session)->len, ==, 1);
  g_assert_false (gtk_selection_model_is_selected (get_selection (world, NS_TABLE_ACTIVITIES), 0));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
    gboolean has_no_session;
  } tests[] = {
    { "begins-with-the-operations", test_begins_with_the_operations, FALSE },
    { "brings-a-table-to-the-front", test_brings_a_table_to_the_front, FALSE },
    { "what-has-nothing-has-no-tab", test_what_has_nothing_has_no_tab, FALSE },
    { "a-tab-is-taken-away", test_a_tab_is_taken_away, FALSE },
    { "counts-rows", test_counts_rows, FALSE },
    { "counts-findings", test_counts_findings, FALSE },
    { "the-first-part-is-painted-first", test_the_first_part_is_painted_first, TRUE },
    { "tables-turn-to-a-later-reading", test_tables_turn_to_a_later_reading, FALSE },
    { "fields-are-below-events", test_fields_are_below_events, FALSE },
    { "over-events-is-no-timeline", test_over_events_is_no_timeline, FALSE },
    { "has-a-page-of-another-kind", test_has_a_page_of_another_kind, FALSE },
    { "lists-all-tables", test_lists_all_tables, FALSE },
    { "a-row-is-activated", test_a_row_is_activated, FALSE },
    { "one-row-is-chosen-of-all-tables", test_one_row_is_chosen_of_all_tables, FALSE },
    { "lets-a-session-go", test_lets_a_session_go, FALSE },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/trace-tabs/", tests[i].name, NULL);

      g_test_add (path,
                  World,
                  NULL,
                  tests[i].has_no_session ? set_up : set_up_with_session,
                  tests[i].test,
                  tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
