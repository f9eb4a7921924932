/* Unit tests of the actions on the selected event, without the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/panel/ns-event-actions.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsTraceTabs *tabs;
  NsDetailsPanel *panel;
  NsEventActions *actions;
  NsSession *session;
  guint n_changed;
} World;

static void
changed_cb (World *world)
{
  world->n_changed++;
}

static void
set_up (World *world, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  guint32 row = 4;

  world->session = stage_session_new ();
  world->tabs = g_object_new (NS_TYPE_TRACE_TABS, NULL);
  world->panel = g_object_new (NS_TYPE_DETAILS_PANEL, NULL);
  world->actions = ns_event_actions_new (world->tabs, world->panel);
  g_signal_connect_swapped (world->actions, "changed", G_CALLBACK (changed_cb), world);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->tabs));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->panel));
  world->window = stage_show (box, ns_event_actions_get_actions (world->actions));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 1200, 700);
  ns_event_actions_set_session (world->actions, world->session);
  ns_details_panel_set_session (world->panel, world->session);
  ns_trace_tabs_set_session (world->tabs, world->session, NS_TABS_NEW);
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_EVENTS);
  g_assert_false (ns_event_actions_has_record (world->actions));
  ns_session_select (world->session, NS_TABLE_EVENTS, &row, 1);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_event_actions_set_session (world->actions, NULL);
  ns_details_panel_set_session (world->panel, NULL);
  ns_trace_tabs_set_session (world->tabs, NULL, NS_TABS_NEW);
  g_object_unref (world->actions);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static gboolean
has_record (gpointer data)
{
  return ns_event_actions_has_record (((World *) data)->actions);
}

static char *
dup_state (World *world)
{
  g_autoptr (GVariant) state =
      g_action_group_get_action_state (G_ACTION_GROUP (
                                           ns_event_actions_get_actions (world->actions)),
                                       "event");

  return g_variant_print (state, FALSE);
}

static void
test_chooses_a_byte (World *world, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  guint n_before;

  stage_wait (has_record, world, "the record is taken apart");
  before = dup_state (world);
  n_before = world->n_changed;
  stage_act (world->window, "choose-byte", g_variant_new_uint32 (3));
  after = dup_state (world);
  g_assert_cmpstr (after, !=, before);
  g_assert_cmpuint (world->n_changed, >, n_before);
}

static void
test_sums_up (World *world, gconstpointer data)
{
  guint32 rows[] = { 4, 5 };
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;

  stage_wait (has_record, world, "the record is taken apart");
  stage_act (world->window, "choose-byte", g_variant_new_uint32 (3));
  one = ns_event_actions_dup_status (world->actions, 1);
  g_assert_true (g_str_has_prefix (one, "1 event selected   "));
  ns_session_select (world->session, NS_TABLE_EVENTS, rows, 2);
  two = ns_event_actions_dup_status (world->actions, 2);
  g_assert_cmpstr (two, ==, "2 events selected");
}

static void
test_filters_events (World *world, gconstpointer data)
{
  ns_trace_tabs_show_table (world->tabs, NS_TABLE_TCP);
  stage_act (world->window, "filter-events", g_variant_new_string ("process:outlook"));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_EVENTS);
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_EVENTS), ==, "process:outlook");
}

static void
test_does_nothing_without_a_session (World *world, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  stage_wait (has_record, world, "the record is taken apart");
  before = dup_state (world);
  ns_event_actions_set_session (world->actions, NULL);
  stage_act (world->window, "choose-byte", g_variant_new_uint32 (3));
  stage_act (world->window, "filter-events", g_variant_new_string ("process:outlook"));
  after = dup_state (world);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_EVENTS), ==, "");
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "chooses-a-byte", test_chooses_a_byte },
    { "sums-up", test_sums_up },
    { "filters-events", test_filters_events },
    { "does-nothing-without-a-session", test_does_nothing_without_a_session },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/event-actions/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
