/* Unit tests of the header bar of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-head-bar.h"
#include "ui/ns-words.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsHeadBar *head;
  guint n_closed;
} World;

static void
closed_cb (World *world)
{
  world->n_closed++;
}

static void
set_up (World *world, gconstpointer data)
{
  world->head = g_object_new (NS_TYPE_HEAD_BAR, NULL);
  g_signal_connect_swapped (world->head, "menu-closed", G_CALLBACK (closed_cb), world);
  world->window = stage_show (GTK_WIDGET (world->head), NULL);
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
}

static const char *
get_title (World *world)
{
  return gtk_label_get_text (
      GTK_LABEL (stage_find (GTK_WIDGET (world->head), GTK_TYPE_LABEL, "title")));
}

static gboolean
is_seen (World *world, const char *tooltip)
{
  GtkWidget *button = stage_find_button (GTK_WIDGET (world->head), tooltip);

  g_assert_nonnull (button);
  return gtk_widget_get_visible (gtk_widget_get_parent (button));
}

static void
test_names_what_is_open (World *world, gconstpointer data)
{
  g_assert_cmpstr (get_title (world), ==, "Netstitch");
  g_assert_cmpstr (ns_head_bar_get_subtitle (world->head), ==, "No trace open");
  ns_head_bar_set_title (world->head, "a.etl");
  ns_head_bar_set_subtitle (world->head, "Reading…");
  g_assert_cmpstr (get_title (world), ==, "a.etl");
  g_assert_cmpstr (ns_head_bar_get_subtitle (world->head), ==, "Reading…");
  ns_head_bar_set_title (world->head, NULL);
  ns_head_bar_set_subtitle (world->head, NULL);
  g_assert_cmpstr (get_title (world), ==, "Netstitch");
  g_assert_cmpstr (ns_head_bar_get_subtitle (world->head), ==, "No trace open");
}

static void
test_describes_a_trace (World *world, gconstpointer data)
{
  g_autoptr (NsSession) session = stage_session_new ();
  guint n_rows = ns_session_count_all (session, NS_TABLE_ACTIVITIES);
  g_autofree char *rows = g_strdup_printf ("%u rows", n_rows);
  g_autofree char *wide = NULL;

  ns_head_bar_describe (world->head, session, FALSE);
  wide = g_strdup (ns_head_bar_get_subtitle (world->head));
  g_assert_nonnull (strstr (wide, rows));
  g_assert_nonnull (strstr (wide, "Windows build"));
  g_assert_null (strstr (wide, "incomplete"));
  ns_head_bar_describe (world->head, session, TRUE);
  g_assert_true (g_str_has_prefix (wide, ns_head_bar_get_subtitle (world->head)));
  g_assert_null (strstr (ns_head_bar_get_subtitle (world->head), "Windows build"));
}

static void
test_counts_what_is_in_front (World *world, gconstpointer data)
{
  g_autoptr (NsSession) session = stage_session_new ();
  g_autofree char *events = ns_words_count (ns_session_count_all (session, NS_TABLE_EVENTS));
  g_autofree char *tcp = ns_words_count (ns_session_count_all (session, NS_TABLE_TCP));
  g_autofree char *rows = ns_words_count (ns_session_count_all (session, NS_TABLE_ACTIVITIES));
  g_autofree char *with_events = g_strdup_printf (" · %s events", events);
  g_autofree char *with_tcp = g_strdup_printf (" · %s rows", tcp);
  g_autofree char *with_rows = g_strdup_printf (" · %s rows", rows);

  ns_session_set_front (session, NS_TABLE_EVENTS);
  ns_head_bar_describe (world->head, session, FALSE);
  g_assert_nonnull (strstr (ns_head_bar_get_subtitle (world->head), with_events));
  ns_session_set_front (session, NS_TABLE_TCP);
  ns_head_bar_describe (world->head, session, FALSE);
  g_assert_nonnull (strstr (ns_head_bar_get_subtitle (world->head), with_tcp));
  ns_session_set_front (session, NS_TABLE_FINDINGS);
  ns_head_bar_describe (world->head, session, FALSE);
  g_assert_nonnull (strstr (ns_head_bar_get_subtitle (world->head), with_rows));
}

static void
test_says_that_a_trace_is_incomplete (World *world, gconstpointer data)
{
  g_autoptr (NsSession) session = stage_session_new ();

  ns_session_get_trace (session)->is_incomplete = TRUE;
  ns_head_bar_describe (world->head, session, FALSE);
  g_assert_true (g_str_has_suffix (ns_head_bar_get_subtitle (world->head), "incomplete"));
}

static void
test_has_buttons_of_a_trace (World *world, gconstpointer data)
{
  ns_head_bar_set_trace (world->head, FALSE, FALSE);
  g_assert_false (is_seen (world, "Back (Alt+Left)"));
  g_assert_false (is_seen (world, "Find (Ctrl+F)"));
  ns_head_bar_set_trace (world->head, TRUE, FALSE);
  g_assert_true (is_seen (world, "Back (Alt+Left)"));
  g_assert_false (is_seen (world, "Find (Ctrl+F)"));
  ns_head_bar_set_trace (world->head, TRUE, TRUE);
  g_assert_true (is_seen (world, "Find (Ctrl+F)"));
}

static void
test_spares_a_word (World *world, gconstpointer data)
{
  GtkWidget *button = stage_find_button (GTK_WIDGET (world->head), "Open a trace (Ctrl+O)");
  GtkWidget *word = stage_find (button, GTK_TYPE_LABEL, NULL);

  g_assert_true (gtk_widget_get_visible (word));
  ns_head_bar_set_tight (world->head, TRUE);
  g_assert_false (gtk_widget_get_visible (word));
  ns_head_bar_set_tight (world->head, FALSE);
  g_assert_true (gtk_widget_get_visible (word));
}

static gboolean
is_told_closed (gpointer data)
{
  return ((World *) data)->n_closed > 0;
}

static void
test_tells_that_the_menu_was_closed (World *world, gconstpointer data)
{
  GtkWidget *button = stage_find (GTK_WIDGET (world->head), GTK_TYPE_MENU_BUTTON, "flat-button");

  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  g_assert_cmpuint (world->n_closed, ==, 0);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
  stage_wait (is_told_closed, world, "the menu is closed");
  ns_head_bar_focus (world->head);
  g_assert_true (
      gtk_widget_is_ancestor (gtk_root_get_focus (gtk_widget_get_root (button)), button));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "names-what-is-open", test_names_what_is_open },
    { "describes-a-trace", test_describes_a_trace },
    { "counts-what-is-in-front", test_counts_what_is_in_front },
    { "says-that-a-trace-is-incomplete", test_says_that_a_trace_is_incomplete },
    { "has-buttons-of-a-trace", test_has_buttons_of_a_trace },
    { "spares-a-word", test_spares_a_word },
    { "tells-that-the-menu-was-closed", test_tells_that_the_menu_was_closed },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/head-bar/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
