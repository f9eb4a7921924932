/* Unit tests of the breadcrumb bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "model/ns-session-conditions.h"
#include "ui/ns-crumb-bar.h"

typedef struct
{
  GtkWidget *window;
  NsCrumbBar *bar;
  NsSession *session;
  const char *note;
} World;

static char *
note_cb (World *world)
{
  return g_strdup (world->note);
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  world->bar = g_object_new (NS_TYPE_CRUMB_BAR, "session", world->session, NULL);
  g_signal_connect_swapped (world->bar, "note", G_CALLBACK (note_cb), world);
  world->window = stage_show (GTK_WIDGET (world->bar), NULL);
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static const char *
get_count (World *world)
{
  return gtk_label_get_text (
      GTK_LABEL (stage_find (GTK_WIDGET (world->bar), GTK_TYPE_LABEL, "count")));
}

/* Returns the labels of all crumbs in order. */
static char *
dup_crumbs (World *world)
{
  GtkWidget *crumb = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_BUTTON, "crumb");
  g_autoptr (GString) text = g_string_new (NULL);

  for (; crumb != NULL; crumb = gtk_widget_get_next_sibling (crumb))
    if (GTK_IS_BUTTON (crumb))
      g_string_append_printf (text,
                              "%s%s",
                              text->len > 0 ? " > " : "",
                              gtk_label_get_text (
                                  GTK_LABEL (stage_find (crumb, GTK_TYPE_LABEL, NULL))));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
assert_crumbs (World *world, const char *wanted)
{
  g_autofree char *crumbs = dup_crumbs (world);

  g_assert_cmpstr (crumbs, ==, wanted);
}

static void
set_filter (World *world, const char *text)
{
  NsTableId front = ns_session_get_front (world->session);

  g_assert_true (
      ns_filter_chips_set_text (ns_session_get_chips (world->session, front), text, NULL, NULL));
  g_assert_true (ns_session_apply_conditions (world->session, front, NS_CONDITIONS_SET, NULL));
}

static gboolean
is_settled (gpointer data)
{
  World *world = data;

  return !ns_session_is_busy (world->session, ns_session_get_front (world->session));
}

static guint
count_all (World *world)
{
  return ns_session_count_all (world->session, ns_session_get_front (world->session));
}

static void
test_tells_of_the_whole (World *world, gconstpointer data)
{
  g_autofree char *rows = g_strdup_printf ("%u rows", count_all (world));
  g_autofree char *crumbs = g_strdup_printf ("Whole trace %u", count_all (world));
  g_autofree char *events = NULL;

  g_assert_cmpstr (get_count (world), ==, rows);
  assert_crumbs (world, crumbs);
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  events = g_strdup_printf ("All events %u", count_all (world));
  assert_crumbs (world, events);
}

static void
test_tells_how_many_are_left (World *world, gconstpointer data)
{
  g_autofree char *rows = NULL;
  g_autofree char *crumbs = NULL;

  set_filter (world, "failed=true");
  stage_wait (is_settled, world, "the rows are there");
  rows = g_strdup_printf ("%u of %u rows",
                          ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES),
                          count_all (world));
  g_assert_cmpstr (get_count (world), ==, rows);
  crumbs = g_strdup_printf ("Whole trace %u > failed=true …", count_all (world));
  assert_crumbs (world, crumbs);
}

static gboolean
is_counted (gpointer data)
{
  g_autofree char *crumbs = dup_crumbs (data);

  return !g_str_has_suffix (crumbs, "…");
}

static void
test_tells_what_a_condition_leaves (World *world, gconstpointer data)
{
  g_autofree char *crumbs = NULL;

  set_filter (world, "failed=true");
  stage_wait (is_settled, world, "the rows are there");
  ns_session_count_conditions (world->session);
  stage_wait (is_counted, world, "the condition is counted");
  crumbs = g_strdup_printf ("Whole trace %u > failed=true %u",
                            count_all (world),
                            ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES));
  assert_crumbs (world, crumbs);
}

static void
test_tells_of_a_zoom (World *world, gconstpointer data)
{
  g_autofree char *all = g_strdup_printf ("Whole trace %u", count_all (world));
  g_autofree char *crumbs = NULL;

  ns_session_set_visible (world->session, (NsTimeSpan){ 0, NS_PER_SECOND / 2 });
  crumbs = dup_crumbs (world);
  g_assert_true (g_str_has_prefix (crumbs, all));
  g_assert_true (g_str_has_suffix (crumbs, " s zoom"));
  ns_session_set_visible (world->session, ns_session_get_whole (world->session));
  assert_crumbs (world, all);
}

static void
test_tells_that_more_is_read (World *world, gconstpointer data)
{
  g_autofree char *so_far = g_strdup_printf ("Whole trace %u so far", count_all (world));
  g_autofree char *all = g_strdup_printf ("Whole trace %u", count_all (world));

  ns_crumb_bar_set_reading (world->bar, TRUE);
  assert_crumbs (world, so_far);
  ns_crumb_bar_set_reading (world->bar, FALSE);
  assert_crumbs (world, all);
}

static void
test_has_a_note (World *world, gconstpointer data)
{
  g_autofree char *rows = g_strdup_printf ("%u rows · and so on", count_all (world));

  world->note = "and so on";
  ns_crumb_bar_update (world->bar);
  g_assert_cmpstr (get_count (world), ==, rows);
}

static void
test_offers_to_undo (World *world, gconstpointer data)
{
  GtkWidget *undo = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_BUTTON, "link");

  g_assert_false (gtk_widget_get_visible (undo));
  set_filter (world, "failed=true");
  g_assert_true (gtk_widget_get_visible (undo));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (undo)), ==, "Undo last filter");
  ns_crumb_bar_set_narrow (world->bar, TRUE);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (undo)), ==, "Undo");
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "tells-of-the-whole", test_tells_of_the_whole },
    { "tells-how-many-are-left", test_tells_how_many_are_left },
    { "tells-what-a-condition-leaves", test_tells_what_a_condition_leaves },
    { "tells-of-a-zoom", test_tells_of_a_zoom },
    { "tells-that-more-is-read", test_tells_that_more_is_read },
    { "has-a-note", test_has_a_note },
    { "offers-to-undo", test_offers_to_undo },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/crumb-bar/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
