/* Unit tests of the progress bar of loading.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-load-bar.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsLoadBar *bar;
  GSimpleActionGroup *actions;
  guint n_cancelled;
} World;

static void
cancel_cb (World *world)
{
  world->n_cancelled++;
}

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (GSimpleAction) cancel = g_simple_action_new ("cancel", NULL);

  world->actions = g_simple_action_group_new ();
  g_signal_connect_swapped (cancel, "activate", G_CALLBACK (cancel_cb), world);
  g_action_map_add_action (G_ACTION_MAP (world->actions), G_ACTION (cancel));
  world->bar = g_object_new (NS_TYPE_LOAD_BAR, NULL);
  world->window = stage_show (GTK_WIDGET (world->bar), G_ACTION_MAP (world->actions));
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->actions);
}

static gboolean
is_revealed (World *world)
{
  GtkWidget *bar = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_INFO_BAR, NULL);

  return gtk_info_bar_get_revealed (GTK_INFO_BAR (bar));
}

static GtkWidget *
get_progress (World *world)
{
  return stage_find (GTK_WIDGET (world->bar), GTK_TYPE_PROGRESS_BAR, NULL);
}

/* Returns the text above the progress bar: the current step, or with @is_second the progress. */
static const char *
get_text (World *world, gboolean is_second)
{
  GtkWidget *line = gtk_widget_get_prev_sibling (get_progress (world));
  GtkWidget *label = gtk_widget_get_first_child (line);

  if (is_second)
    label = gtk_widget_get_next_sibling (label);
  return gtk_label_get_text (GTK_LABEL (label));
}

static char *
dup_page_text (World *world)
{
  char *text = NULL;

  g_object_get (world->bar, "page-text", &text, NULL);
  return text;
}

static gboolean
tick (gpointer data)
{
  World *world = data;

  ns_load_bar_set_progress (world->bar, 0.01, FALSE);
  return is_revealed (world);
}

static void
test_is_shown_when_it_takes_long (World *world, gconstpointer data)
{
  g_assert_false (is_revealed (world));
  ns_load_bar_begin (world->bar);
  ns_load_bar_set_progress (world->bar, 0.01, FALSE);
  g_assert_false (is_revealed (world));
  stage_wait (tick, world, "the bar comes");
  ns_load_bar_end (world->bar);
  g_assert_false (is_revealed (world));
}

static void
test_says_how_far_it_is (World *world, gconstpointer data)
{
  g_autofree char *subtitle = NULL;
  g_autofree char *known = NULL;

  ns_load_bar_begin (world->bar);
  g_assert_cmpstr (get_text (world, TRUE), ==, "");
  ns_load_bar_set_progress (world->bar, 0.02, FALSE);
  g_assert_cmpstr (get_text (world, FALSE), ==, "Reading events");
  g_assert_cmpstr (get_text (world, TRUE), ==, "2 %");
  subtitle = ns_load_bar_dup_subtitle (world->bar);
  g_assert_cmpstr (subtitle, ==, "Reading · 2 %");
  ns_load_bar_set_bytes (world->bar, 100000000);
  ns_load_bar_set_progress (world->bar, 0.02, FALSE);
  g_assert_true (g_str_has_suffix (get_text (world, TRUE), "MB of 100.0\302\240MB"));
  known = ns_load_bar_dup_subtitle (world->bar);
  g_assert_cmpstr (known, ==, "Reading 100.0\302\240MB · 2 %");
  g_assert_cmpuint (ns_load_bar_get_bytes (world->bar), ==, 100000000);
  ns_load_bar_begin (world->bar);
  g_assert_cmpuint (ns_load_bar_get_bytes (world->bar), ==, 0);
}

static void
test_says_what_goes_on (World *world, gconstpointer data)
{
  g_autofree char *reading = dup_page_text (world);
  g_autofree char *connecting = NULL;
  g_autofree char *fetching = NULL;
  g_autofree char *subtitle = NULL;

  g_assert_cmpstr (reading, ==, "Reading the trace…");
  ns_load_bar_show_connecting (world->bar);
  g_assert_true (is_revealed (world));
  g_assert_cmpstr (get_text (world, FALSE), ==, "Connecting…");
  connecting = dup_page_text (world);
  g_assert_cmpstr (connecting, ==, "Connecting…");
  ns_load_bar_end (world->bar);
  ns_load_bar_begin (world->bar);
  ns_load_bar_set_progress (world->bar, 0, TRUE);
  g_assert_cmpstr (get_text (world, FALSE), ==, "Fetching the file");
  fetching = dup_page_text (world);
  g_assert_cmpstr (fetching, ==, "Fetching the file…");
  subtitle = ns_load_bar_dup_subtitle (world->bar);
  g_assert_cmpstr (subtitle, ==, "Fetching…");
}

static void
test_can_be_stopped (World *world, gconstpointer data)
{
  GtkWidget *button = stage_find_button (GTK_WIDGET (world->bar), "Stop reading (Esc)");

  ns_load_bar_begin (world->bar);
  ns_load_bar_reveal (world->bar);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (world->window)) == button);
  gtk_test_accessible_assert_property (button, GTK_ACCESSIBLE_PROPERTY_LABEL, "Cancel");
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpuint (world->n_cancelled, ==, 1);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "is-shown-when-it-takes-long", test_is_shown_when_it_takes_long },
    { "says-how-far-it-is", test_says_how_far_it_is },
    { "says-what-goes-on", test_says_what_goes_on },
    { "can-be-stopped", test_can_be_stopped },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/load-bar/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
