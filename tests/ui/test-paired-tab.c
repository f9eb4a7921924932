/* Unit tests of the tab of requests recorded on two machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/sheets/ns-paired-tab.h"

typedef struct
{
  GtkWidget *window;
  NsTraceTabs *tabs;
  NsOtherMachine *machine;
  NsPairedTab *tab;
  NsSession *session;
  GtkWidget *lanes;
  char *message;
} World;

static void
message_cb (World *world, const char *text)
{
  g_free (world->message);
  world->message = g_strdup (text);
}

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (NsOpening) opening = ns_opening_new ();
  g_autoptr (NsCaseFiles) files = ns_case_files_new ();
  g_autoptr (GFile) file = g_file_new_for_path (g_getenv ("NETSTITCH_SAMPLE"));

  ns_case_files_set (files, &file, 1);
  world->session = stage_session_new ();
  world->tabs = g_object_new (NS_TYPE_TRACE_TABS, NULL);
  world->machine = ns_other_machine_new (opening, files);
  world->tab = ns_paired_tab_new (world->machine, world->tabs);
  g_signal_connect_swapped (world->tab, "message", G_CALLBACK (message_cb), world);
  ns_other_machine_set_session (world->machine, world->session);
  ns_paired_tab_set_session (world->tab, world->session);
  ns_trace_tabs_set_session (world->tabs, world->session, NS_TABS_NEW);
  world->lanes = g_object_ref_sink (ns_paired_tab_build (world->tab, FALSE));
  world->window = stage_show (GTK_WIDGET (world->tabs), ns_paired_tab_get_actions (world->tab));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 500);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_paired_tab_forget_page (world->tab);
  ns_other_machine_set_session (world->machine, NULL);
  ns_trace_tabs_set_session (world->tabs, NULL, NS_TABS_NEW);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->lanes);
  g_object_unref (world->tab);
  g_object_unref (world->machine);
  g_object_unref (world->session);
  g_free (world->message);
}

/* Without another open trace nothing is shown, and every action reports that. */
static void
test_tells_that_there_is_no_other (World *world, gconstpointer data)
{
  static const char *const actions[] = { "show-pairs", "pair-other-end", "pair-next-unpaired" };
  GtkWidget *front = ns_trace_tabs_get_page (world->tabs);
  guint i;

  g_assert_false (ns_other_machine_is_wanted (world->machine));
  g_assert_true (ns_other_machine_has_trace (world->machine));
  for (i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_clear_pointer (&world->message, g_free);
      stage_act (world->window, actions[i], NULL);
      g_assert_cmpstr (world->message,
                       ==,
                       "No trace of another machine with common connections is open.");
    }
  g_assert_true (ns_trace_tabs_get_page (world->tabs) == front);
}

static gboolean
is_decided (gpointer data)
{
  World *world = data;

  return !ns_other_machine_is_busy (world->machine);
}

/* The selected trace is tried, with progress, and dropped if it has no common connections. */
static void
test_lets_go_of_what_cannot_be_paired (World *world, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent/server.etl");

  ns_other_machine_choose (world->machine, file);
  g_assert_true (ns_other_machine_is_busy (world->machine));
  g_assert_true (ns_other_machine_is_wanted (world->machine));
  g_assert_true (g_file_equal (ns_other_machine_get_file (world->machine), file));
  stage_act (world->window, "show-pairs", NULL);
  stage_wait (is_decided, world, "the pairing ends");
  g_assert_false (ns_other_machine_is_wanted (world->machine));
  g_assert_null (ns_other_machine_get_file (world->machine));
  g_assert_null (ns_other_machine_get_pairs (world->machine));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
}

static void
test_drops_a_pairing_with_its_trace (World *world, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent/server.etl");

  ns_other_machine_choose (world->machine, file);
  ns_other_machine_set_session (world->machine, NULL);
  g_assert_false (ns_other_machine_is_busy (world->machine));
  g_assert_null (ns_other_machine_get_pairing (world->machine));
  g_assert_false (ns_other_machine_has_trace (world->machine));
  /* Without a trace nothing is paired. */
  ns_other_machine_choose (world->machine, file);
  g_assert_null (ns_other_machine_get_pairing (world->machine));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "tells-that-there-is-no-other", test_tells_that_there_is_no_other },
    { "lets-go-of-what-cannot-be-paired", test_lets_go_of_what_cannot_be_paired },
    { "drops-a-pairing-with-its-trace", test_drops_a_pairing_with_its_trace },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/paired-tab/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
