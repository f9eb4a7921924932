/* Unit tests of the find bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-find-bar.h"
#include "ui/table/ns-table-view.h"

typedef struct
{
  GtkWidget *window;
  NsFindBar *bar;
  NsTableView *view;
  NsSession *session;
  guint n_changes;
} World;

static NsTableView *
view_cb (World *world)
{
  return g_object_ref (world->view);
}

static void
changed_cb (World *world)
{
  world->n_changes++;
}

static void
set_up (World *world, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  world->session = stage_session_new ();
  world->bar = g_object_new (NS_TYPE_FIND_BAR, "session", world->session, NULL);
  world->view = ns_table_view_new (world->session, NS_TABLE_ACTIVITIES);
  g_signal_connect_swapped (world->bar, "view", G_CALLBACK (view_cb), world);
  g_signal_connect_swapped (world->bar, "changed", G_CALLBACK (changed_cb), world);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->bar));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->view));
  world->window = stage_show (box, ns_find_bar_get_actions (world->bar));
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_find_bar_set_session (world->bar, NULL);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static gboolean
has_searched (gpointer data)
{
  World *world = data;
  NsFinder *finder = ns_find_bar_get_finder (world->bar);

  return *ns_finder_get_text (finder) != '\0' && !ns_finder_is_busy (finder);
}

static void
find (World *world, const char *text)
{
  stage_act (GTK_WIDGET (world->bar), "find-text", g_variant_new_string (text));
  stage_wait (has_searched, world, "the search ends");
}

static const char *
get_count (World *world)
{
  GtkWidget *entry = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_SEARCH_ENTRY, NULL);
  GtkWidget *status = gtk_widget_get_next_sibling (entry);

  return gtk_label_get_text (GTK_LABEL (gtk_widget_get_first_child (status)));
}

static guint32
get_selected (World *world)
{
  const GArray *selected = ns_session_get_selected (world->session);

  return selected->len == 1 ? g_array_index (selected, guint32, 0) : G_MAXUINT32;
}

static void
test_finds_and_says_how_many (World *world, gconstpointer data)
{
  const GArray *hits;
  g_autofree char *wanted = NULL;

  find (world, "mail");
  hits = ns_finder_get_hits (ns_find_bar_get_finder (world->bar));
  g_assert_cmpuint (hits->len, >, 1);
  wanted = g_strdup_printf ("%u rows", hits->len);
  g_assert_cmpstr (get_count (world), ==, wanted);
  g_assert_cmpuint (world->n_changes, >, 0);
  find (world, "no row has this");
  g_assert_cmpstr (get_count (world), ==, "Nothing found");
}

static void
test_walks_from_hit_to_hit (World *world, gconstpointer data)
{
  const GArray *hits;
  g_autofree char *wanted = NULL;

  find (world, "mail");
  hits = ns_finder_get_hits (ns_find_bar_get_finder (world->bar));
  stage_act (GTK_WIDGET (world->bar), "find-next", NULL);
  g_assert_cmpuint (get_selected (world), ==, g_array_index (hits, guint32, 0));
  stage_act (GTK_WIDGET (world->bar), "find-next", NULL);
  g_assert_cmpuint (get_selected (world), ==, g_array_index (hits, guint32, 1));
  wanted = g_strdup_printf ("2 of %u", hits->len);
  g_assert_cmpstr (get_count (world), ==, wanted);
  stage_act (GTK_WIDGET (world->bar), "find-previous", NULL);
  g_assert_cmpuint (get_selected (world), ==, g_array_index (hits, guint32, 0));
}

static void
test_tells_what_it_found (World *world, gconstpointer data)
{
  g_autoptr (GVariant) state = NULL;
  const char *text;
  guint current;
  guint n_hits;
  gboolean is_busy;

  find (world, "mail");
  stage_act (GTK_WIDGET (world->bar), "find-next", NULL);
  state = g_action_group_get_action_state (G_ACTION_GROUP (ns_find_bar_get_actions (world->bar)),
                                           "find-state");
  g_variant_get (state, "(&suub)", &text, &current, &n_hits, &is_busy);
  g_assert_cmpstr (text, ==, "mail");
  g_assert_cmpuint (current, ==, 1);
  g_assert_cmpuint (n_hits, ==, ns_finder_get_hits (ns_find_bar_get_finder (world->bar))->len);
  g_assert_false (is_busy);
}

static void
test_closing_forgets_the_hits (World *world, gconstpointer data)
{
  g_assert_false (ns_find_bar_close (world->bar));
  find (world, "mail");
  g_assert_true (ns_find_bar_close (world->bar));
  g_assert_cmpstr (ns_finder_get_text (ns_find_bar_get_finder (world->bar)), ==, "");
  g_assert_cmpstr (get_count (world), ==, "");
  g_assert_false (ns_find_bar_close (world->bar));
}

static gboolean
has_one_row (gpointer data)
{
  World *world = data;

  return !ns_session_is_busy (world->session, NS_TABLE_ACTIVITIES) &&
         ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES) == 1;
}

static void
test_other_rows_are_searched_anew (World *world, gconstpointer data)
{
  find (world, "mail");
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "id=1", NULL, NULL);
  stage_wait (has_one_row, world, "one row is left");
  ns_find_bar_update (world->bar);
  stage_wait (has_searched, world, "the search ends");
  g_assert_cmpuint (ns_finder_get_hits (ns_find_bar_get_finder (world->bar))->len, ==, 1);
}

static void
test_finds_what_a_filter_keeps (World *world, gconstpointer data)
{
  ns_find_bar_find_matching (world->bar, "the failed ones", "failed=true");
  stage_wait (has_searched, world, "the search ends");
  g_assert_cmpuint (ns_finder_get_hits (ns_find_bar_get_finder (world->bar))->len, ==, 3);
  g_assert_cmpstr (get_count (world), ==, "1 of 3");
}

static void
test_a_session_that_goes_ends_the_search (World *world, gconstpointer data)
{
  find (world, "mail");
  ns_find_bar_set_session (world->bar, NULL);
  g_assert_cmpstr (ns_finder_get_text (ns_find_bar_get_finder (world->bar)), ==, "");
  g_assert_false (ns_find_bar_close (world->bar));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "finds-and-says-how-many", test_finds_and_says_how_many },
    { "walks-from-hit-to-hit", test_walks_from_hit_to_hit },
    { "tells-what-it-found", test_tells_what_it_found },
    { "closing-forgets-the-hits", test_closing_forgets_the_hits },
    { "other-rows-are-searched-anew", test_other_rows_are_searched_anew },
    { "finds-what-a-filter-keeps", test_finds_what_a_filter_keeps },
    { "a-session-that-goes-ends-the-search", test_a_session_that_goes_ends_the_search },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/find-bar/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
