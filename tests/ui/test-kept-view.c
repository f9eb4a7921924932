/* Unit tests of the view state that a reload of the trace keeps, without the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-kept-view.h"

typedef struct
{
  GtkWidget *window;
  NsTimeline *timeline;
  NsTraceTabs *tabs;
  NsSession *before;
  NsSession *later;
} World;

static void
show (World *world, NsSession *session, NsSessionChange turn)
{
  ns_timeline_set_session (world->timeline, session);
  ns_trace_tabs_set_session (world->tabs, session, turn);
}

static void
set_up (World *world, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  world->before = stage_session_new ();
  world->later = stage_session_new ();
  world->timeline = g_object_new (NS_TYPE_TIMELINE, NULL);
  world->tabs = g_object_new (NS_TYPE_TRACE_TABS, NULL);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->timeline));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->tabs));
  show (world, world->before, NS_TABS_NEW);
  world->window = stage_show (box, NULL);
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 600);
}

static void
tear_down (World *world, gconstpointer data)
{
  show (world, NULL, NS_TABS_NEW);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->before);
  g_object_unref (world->later);
}

static void
turn (World *world)
{
  NsKeptView *kept = ns_kept_view_new (world->before, world->timeline, world->tabs);

  show (world, world->later, NS_SESSION_RELOADED_SAME_FRONT);
  ns_kept_view_put_back (kept, world->later);
  ns_kept_view_free (kept);
}

static void
test_keeps_rows_orders_and_groups (World *world, gconstpointer data)
{
  g_autoptr (GArray) order = ns_order_parse (NS_TABLE_ACTIVITIES, "-duration_ns", NULL);
  g_autofree char *text = NULL;
  guint32 row = 3;

  g_assert_nonnull (order);
  ns_session_set_order (world->before, NS_TABLE_ACTIVITIES, order);
  ns_session_group_by (world->before, NS_TABLE_ACTIVITIES, "process");
  ns_session_select (world->before, NS_TABLE_ACTIVITIES, &row, 1);
  turn (world);
  text = ns_order_to_text (ns_session_get_order (world->later, NS_TABLE_ACTIVITIES));
  g_assert_cmpstr (text, ==, "-duration_ns");
  g_assert_cmpuint (ns_session_get_grouping (world->later, NS_TABLE_ACTIVITIES)->fields->len,
                    ==,
                    1);
  g_assert_cmpuint (ns_session_get_selected (world->later)->len, ==, 1);
  g_assert_cmpuint (g_array_index (ns_session_get_selected (world->later), guint32, 0), ==, row);
}

/* A zoomed span is kept; a view of the whole trace extends to the new end. */
static void
test_keeps_the_zoom (World *world, gconstpointer data)
{
  NsTimeSpan span = { NS_PER_SECOND, 2 * NS_PER_SECOND };

  ns_session_set_visible (world->before, span);
  turn (world);
  g_assert_cmpint (ns_session_get_visible (world->later).begin_ns, ==, span.begin_ns);
  g_assert_cmpint (ns_session_get_visible (world->later).end_ns, ==, span.end_ns);
}

static void
test_shows_all_of_what_was_all (World *world, gconstpointer data)
{
  NsTimeSpan whole = ns_session_get_whole (world->later);

  ns_session_set_visible (world->before, ns_session_get_whole (world->before));
  turn (world);
  g_assert_cmpint (ns_session_get_visible (world->later).begin_ns, ==, whole.begin_ns);
  g_assert_cmpint (ns_session_get_visible (world->later).end_ns, ==, whole.end_ns);
}

static gboolean
is_selected (gpointer data)
{
  return ns_session_get_selected (data)->len > 0;
}

/* Findings are computed in the background; their selection is restored afterwards. */
static gboolean
has_findings (gpointer data)
{
  return ns_session_count_all (data, NS_TABLE_FINDINGS) > 0;
}

static void
test_keeps_a_finding (World *world, gconstpointer data)
{
  guint32 row = 0;

  ns_session_look_for_findings (world->before);
  stage_wait (has_findings, world->before, "findings are known");
  ns_session_select (world->before, NS_TABLE_FINDINGS, &row, 1);
  ns_session_look_for_findings (world->later);
  turn (world);
  stage_wait (is_selected, world->later, "the finding is selected again");
  g_assert_cmpint (ns_session_get_selected_table (world->later), ==, NS_TABLE_FINDINGS);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "keeps-rows-orders-and-groups", test_keeps_rows_orders_and_groups },
    { "keeps-the-zoom", test_keeps_the_zoom },
    { "shows-all-of-what-was-all", test_shows_all_of_what_was_all },
    { "keeps-a-finding", test_keeps_a_finding },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/kept-view/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
