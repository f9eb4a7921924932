/* Unit tests of the status bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "model/ns-session-moment.h"
#include "ui/ns-status-bar.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsStatusBar *bar;
  NsSession *session;
  const char *description; /* text shown instead of sums; NULL: none */
  guint n_described;       /* number of rows at the last request */
} World;

static char *
describe_cb (World *world, guint n_rows)
{
  world->n_described = n_rows;
  return g_strdup (world->description);
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  world->bar = g_object_new (NS_TYPE_STATUS_BAR, NULL);
  g_signal_connect_swapped (world->bar, "describe", G_CALLBACK (describe_cb), world);
  ns_status_bar_set_session (world->bar, world->session);
  world->window = stage_show (GTK_WIDGET (world->bar), ns_status_bar_get_actions (world->bar));
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static void
act (World *world, const char *action, GVariant *parameter)
{
  stage_act (GTK_WIDGET (world->bar), action, parameter);
}

static GtkWidget *
get_sums (World *world)
{
  return gtk_widget_get_first_child (GTK_WIDGET (world->bar));
}

static const char *
get_text (World *world)
{
  return gtk_label_get_text (GTK_LABEL (get_sums (world)));
}

static void
select_first (World *world, NsTableId table, guint n_rows)
{
  static const guint32 rows[] = { 0, 1, 2 };

  ns_session_select (world->session, table, rows, n_rows);
}

static void
test_says_what_is_selected (World *world, gconstpointer data)
{
  select_first (world, NS_TABLE_ACTIVITIES, 2);
  g_assert_true (g_str_has_prefix (get_text (world), "2 rows"));
  g_assert_cmpuint (world->n_described, ==, 2);
  g_assert_true (g_str_has_prefix (gtk_label_get_label (GTK_LABEL (get_sums (world))), "<b>2 "));
  gtk_test_accessible_assert_property (get_sums (world),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       get_text (world));
  select_first (world, NS_TABLE_ACTIVITIES, 3);
  g_assert_true (g_str_has_prefix (get_text (world), "3 rows"));
}

static void
test_says_where_it_is_selected (World *world, gconstpointer data)
{
  select_first (world, NS_TABLE_ACTIVITIES, 2);
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  ns_status_bar_update_sums (world->bar);
  g_assert_cmpuint (world->n_described, ==, 0);
  g_assert_nonnull (strstr (get_text (world), ns_table_get_title (NS_TABLE_ACTIVITIES)));
}

static void
test_others_may_say_it_better (World *world, gconstpointer data)
{
  world->description = "a record   of 12 bytes";
  select_first (world, NS_TABLE_ACTIVITIES, 1);
  g_assert_cmpstr (get_text (world), ==, "a record   of 12 bytes");
  world->description = NULL;
  ns_status_bar_update_sums (world->bar);
  g_assert_true (g_str_has_prefix (get_text (world), "1 row"));
}

static void
test_words_pass (World *world, gconstpointer data)
{
  ns_status_bar_show_message (world->bar, "Copied");
  g_assert_cmpstr (get_text (world), ==, "Copied");
  gtk_test_accessible_assert_property (get_sums (world), GTK_ACCESSIBLE_PROPERTY_LABEL, "Copied");
  /* Without a selection no sums can change. */
  ns_session_set_moment (world->session, 1000);
  g_assert_cmpstr (get_text (world), ==, "Copied");
  select_first (world, NS_TABLE_ACTIVITIES, 1);
  g_assert_cmpstr (get_text (world), !=, "Copied");
}

static void
test_sums_go_with_the_moment (World *world, gconstpointer data)
{
  select_first (world, NS_TABLE_ACTIVITIES, 1);
  ns_status_bar_show_message (world->bar, "Copied");
  ns_session_set_moment (world->session, 1000);
  g_assert_true (g_str_has_prefix (get_text (world), "1 row"));
}

static void
test_words_have_a_place_without_sums (World *world, gconstpointer data)
{
  ns_status_bar_set_has_sums (world->bar, FALSE);
  g_assert_false (gtk_widget_get_visible (get_sums (world)));
  ns_status_bar_show_message (world->bar, "Saved");
  g_assert_true (gtk_widget_get_visible (get_sums (world)));
  select_first (world, NS_TABLE_ACTIVITIES, 1);
  g_assert_false (gtk_widget_get_visible (get_sums (world)));
  ns_status_bar_set_has_sums (world->bar, TRUE);
  g_assert_true (gtk_widget_get_visible (get_sums (world)));
}

static void
test_tells_and_changes_the_clock (World *world, gconstpointer data)
{
  GtkWidget *button = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_MENU_BUTTON, NULL);
  GtkMenuButton *clock = GTK_MENU_BUTTON (button);
  GActionGroup *actions = G_ACTION_GROUP (ns_status_bar_get_actions (world->bar));
  g_autoptr (GVariant) state = NULL;

  g_assert_cmpstr (gtk_menu_button_get_label (clock), ==, "Trace time");
  act (world, "clock", g_variant_new_string ("utc"));
  g_assert_cmpint (ns_session_get_wall (world->session), ==, NS_WALL_UTC);
  g_assert_cmpstr (gtk_menu_button_get_label (clock), ==, "UTC");
  act (world, "next-clock", NULL);
  g_assert_cmpint (ns_session_get_wall (world->session), ==, NS_WALL_UTC + 1);
  g_assert_cmpstr (get_text (world), ==, gtk_menu_button_get_label (clock));
  ns_session_set_wall (world->session, NS_WALL_TRACE);
  g_assert_cmpstr (gtk_menu_button_get_label (clock), ==, "Trace time");
  state = g_action_group_get_action_state (actions, "clock");
  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "trace");
}

static void
test_spares_the_word_on_symbols (World *world, gconstpointer data)
{
  GtkWidget *symbols =
      stage_find_button (GTK_WIDGET (world->bar), "Symbols of the modules in stacks");

  g_assert_true (g_str_has_prefix (gtk_button_get_label (GTK_BUTTON (symbols)), "Symbols"));
  g_assert_true (gtk_widget_get_visible (symbols));
  ns_status_bar_set_narrow (world->bar, TRUE);
  g_assert_false (gtk_widget_get_visible (symbols));
  ns_status_bar_set_narrow (world->bar, FALSE);
  g_assert_true (gtk_widget_get_visible (symbols));
}

static void
test_says_that_more_is_read (World *world, gconstpointer data)
{
  GtkWidget *reading = gtk_widget_get_next_sibling (get_sums (world));

  g_assert_false (gtk_widget_get_visible (reading));
  ns_status_bar_set_reading (world->bar, TRUE);
  g_assert_true (gtk_widget_get_visible (reading));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (reading)), ==, "Reading… 27 rows");
  ns_status_bar_set_reading (world->bar, FALSE);
  g_assert_false (gtk_widget_get_visible (reading));
  ns_status_bar_set_session (world->bar, NULL);
  ns_status_bar_set_reading (world->bar, TRUE);
  g_assert_false (gtk_widget_get_visible (reading));
}

/* (transfer full): a session of the first half of the sample. */
static NsSession *
cut_session_new (void)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *path = NULL;
  NsTrace *trace;
  gsize size;
  int fd = g_file_open_tmp ("ns-status-XXXXXX.etl", &path, &error);

  g_assert_no_error (error);
  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &bytes, &size, &error));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) (size / 2), &error));
  trace = ns_trace_open (path, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_remove (path);
  return ns_session_new (trace, NULL);
}

static void
test_says_what_is_missing (World *world, gconstpointer data)
{
  g_autoptr (NsSession) cut = cut_session_new ();
  GtkWidget *mark = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_IMAGE, "warning-text");
  GtkWidget *losses = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_LABEL, "warning-text");

  g_assert_false (gtk_widget_get_visible (mark));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (losses)), ==, "");
  ns_status_bar_set_session (world->bar, cut);
  g_assert_true (gtk_widget_get_visible (mark));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (losses)), "Partly opened: "));
  ns_status_bar_set_session (world->bar, world->session);
  g_assert_false (gtk_widget_get_visible (mark));
}

static void
test_lets_a_session_go (World *world, gconstpointer data)
{
  ns_status_bar_set_session (world->bar, NULL);
  ns_status_bar_show_message (world->bar, "Closed");
  select_first (world, NS_TABLE_ACTIVITIES, 2);
  g_assert_cmpstr (get_text (world), ==, "Closed");
  act (world, "clock", g_variant_new_string ("utc"));
  act (world, "next-clock", NULL);
  g_assert_cmpint (ns_session_get_wall (world->session), ==, NS_WALL_TRACE);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "says-what-is-selected", test_says_what_is_selected },
    { "says-where-it-is-selected", test_says_where_it_is_selected },
    { "others-may-say-it-better", test_others_may_say_it_better },
    { "words-pass", test_words_pass },
    { "sums-go-with-the-moment", test_sums_go_with_the_moment },
    { "words-have-a-place-without-sums", test_words_have_a_place_without_sums },
    { "tells-and-changes-the-clock", test_tells_and_changes_the_clock },
    { "spares-the-word-on-symbols", test_spares_the_word_on_symbols },
    { "says-that-more-is-read", test_says_that_more_is_read },
    { "says-what-is-missing", test_says_what_is_missing },
    { "lets-a-session-go", test_lets_a_session_go },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/status-bar/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
