/* Unit tests of the button that lists saved filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-saved-button.h"
#include "ui/ns-settings.h"

typedef struct
{
  GtkWidget *window;
  NsSavedButton *button;
  NsSession *session;
  char *used;
  char *message;
} World;

static void
use_cb (World *world, const char *text)
{
  g_free (world->used);
  world->used = g_strdup (text);
}

static void
message_cb (World *world, const char *text)
{
  g_free (world->message);
  world->message = g_strdup (text);
}

static void
set_up (World *world, gconstpointer data)
{
  g_settings_reset (ns_settings_get (), "saved-filters");
  world->session = stage_session_new ();
  world->button = g_object_new (NS_TYPE_SAVED_BUTTON, "session", world->session, NULL);
  g_signal_connect_swapped (world->button, "use", G_CALLBACK (use_cb), world);
  g_signal_connect_swapped (world->button, "message", G_CALLBACK (message_cb), world);
  world->window =
      stage_show (GTK_WIDGET (world->button), ns_saved_button_get_actions (world->button));
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
  g_free (world->used);
  g_free (world->message);
}

static void
act (World *world, const char *action, const char *name)
{
  stage_act (GTK_WIDGET (world->button), action, g_variant_new_string (name));
}

static guint
count_saved (void)
{
  g_autoptr (GVariant) all = g_settings_get_value (ns_settings_get (), "saved-filters");

  return (guint) g_variant_n_children (all);
}

static void
test_saves_the_filter_of_the_table (World *world, gconstpointer data)
{
  act (world, "save-filter", "nothing");
  g_assert_cmpuint (count_saved (), ==, 0);
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  act (world, "save-filter", "  the failed ones ");
  g_assert_cmpstr (world->message, ==, "Filter saved");
  g_assert_cmpuint (count_saved (), ==, 1);
  act (world, "use-filter", "the failed ones");
  g_assert_cmpstr (world->used, ==, "failed=true");
}

static void
test_a_name_is_there_once (World *world, gconstpointer data)
{
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  act (world, "save-filter", "mine");
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "pid=4", NULL, NULL);
  act (world, "save-filter", "mine");
  g_assert_cmpuint (count_saved (), ==, 1);
  act (world, "use-filter", "mine");
  g_assert_cmpstr (world->used, ==, "pid=4");
  /* Without a name, a saved filter is named after its text. */
  act (world, "save-filter", "");
  act (world, "use-filter", "pid=4");
  g_assert_cmpuint (count_saved (), ==, 2);
}

static void
test_other_tables_have_their_own (World *world, gconstpointer data)
{
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  act (world, "save-filter", "mine");
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  act (world, "use-filter", "mine");
  g_assert_null (world->used);
  act (world, "forget-filter", "mine");
  g_assert_cmpuint (count_saved (), ==, 1);
  ns_session_set_front (world->session, NS_TABLE_ACTIVITIES);
  act (world, "forget-filter", "mine");
  g_assert_cmpuint (count_saved (), ==, 0);
}

static void
test_spares_its_word (World *world, gconstpointer data)
{
  GtkWidget *word = stage_find (GTK_WIDGET (world->button), GTK_TYPE_LABEL, NULL);

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (word)), ==, "Saved");
  ns_saved_button_set_narrow (world->button, TRUE);
  g_assert_false (gtk_widget_get_visible (word));
  ns_saved_button_set_narrow (world->button, FALSE);
  g_assert_true (gtk_widget_get_visible (word));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "saves-the-filter-of-the-table", test_saves_the_filter_of_the_table },
    { "a-name-is-there-once", test_a_name_is_there_once },
    { "other-tables-have-their-own", test_other_tables_have_their_own },
    { "spares-its-word", test_spares_its_word },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/saved-button/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
