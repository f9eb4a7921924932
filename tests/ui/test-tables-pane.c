/* Unit tests of the tables with the find bar and the list of damage.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/sheets/ns-damage-sheet.h"
#include "ui/table/ns-tables-pane.h"

typedef struct
{
  GtkWidget *window;
  GtkWidget *columns;
  NsTablesPane *pane;
  NsSession *session;
  guint n_damage;
} World;

static void
damage_cb (World *world)
{
  world->n_damage++;
}

static void
set_up (World *world, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  world->session = stage_session_new ();
  world->pane = g_object_new (NS_TYPE_TABLES_PANE, NULL);
  world->columns = gtk_menu_button_new ();
  g_signal_connect_swapped (world->pane, "damage", G_CALLBACK (damage_cb), world);
  ns_tables_pane_add_columns (world->pane, GTK_MENU_BUTTON (world->columns));
  gtk_box_append (GTK_BOX (box), world->columns);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->pane));
  world->window = stage_show (box, ns_tables_pane_get_actions (world->pane));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 500);
  ns_tables_pane_set_session (world->pane, world->session, NS_TABS_NEW);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_tables_pane_set_session (world->pane, NULL, NS_TABS_NEW);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static void
test_shows_tables (World *world, gconstpointer data)
{
  NsTableView *first = ns_tables_pane_ensure_front (world->pane);
  g_autoptr (NsTableView) front = NULL;

  g_assert_nonnull (first);
  stage_act (world->window, "show-tab", g_variant_new_string ("tcp"));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_TCP);
  front = ns_tables_pane_dup_front (world->pane);
  g_assert_true (front != first);
  g_assert_true (front ==
                 ns_trace_tabs_peek_table (ns_tables_pane_get_tabs (world->pane), NS_TABLE_TCP));
  stage_act (world->window, "show-tab", g_variant_new_string ("no-such-table"));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_TCP);
  stage_act (world->window, "next-tab", g_variant_new_int32 (-1));
  g_assert_cmpint (ns_session_get_front (world->session), !=, NS_TABLE_TCP);
}

static gboolean
is_mapped (gpointer data)
{
  return gtk_widget_get_mapped (data);
}

static void
test_shows_damage_in_place_of_tables (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_tables_pane_get_actions (world->pane));
  GtkWidget *tabs = GTK_WIDGET (ns_tables_pane_get_tabs (world->pane));
  GtkWidget *sheet = stage_find (GTK_WIDGET (world->pane), NS_TYPE_DAMAGE_SHEET, NULL);

  stage_wait (is_mapped, tabs, "the tables are seen");
  g_action_group_change_action_state (group, "damage", g_variant_new_boolean (TRUE));
  g_assert_cmpuint (world->n_damage, ==, 1);
  g_assert_true (gtk_widget_get_visible (sheet));
  g_assert_false (gtk_widget_get_visible (tabs));
  /* A reloaded trace shows its tables first; the sample is not damaged. */
  ns_tables_pane_show_damage (world->pane);
  g_assert_false (gtk_widget_get_visible (sheet));
  g_assert_true (gtk_widget_get_visible (tabs));
  g_assert_false (g_action_group_get_action_enabled (group, "damage"));
  g_assert_cmpuint (world->n_damage, ==, 1);
}

static gboolean
has_columns (gpointer data)
{
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (data));

  return popover != NULL && gtk_widget_get_mapped (GTK_WIDGET (popover));
}

static gboolean
has_focus (gpointer data)
{
  World *world = data;
  GtkWidget *view = GTK_WIDGET (ns_tables_pane_ensure_front (world->pane));
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (world->window));

  return focus != NULL && (focus == view || gtk_widget_is_ancestor (focus, view));
}

static void
test_chooses_columns (World *world, gconstpointer data)
{
  stage_wait (is_mapped, world->columns, "the button is seen");
  gtk_menu_button_popup (GTK_MENU_BUTTON (world->columns));
  stage_wait (has_columns, world->columns, "columns can be chosen");
  gtk_menu_button_popdown (GTK_MENU_BUTTON (world->columns));
  stage_wait (has_focus, world, "the table has the keyboard");
}

static void
test_searches_the_table_in_front (World *world, gconstpointer data)
{
  NsFindBar *bar = ns_tables_pane_get_find_bar (world->pane);

  ns_find_bar_open (bar);
  stage_act (world->window, "find-text", g_variant_new_string ("mail"));
  g_assert_cmpstr (ns_finder_get_text (ns_find_bar_get_finder (bar)), ==, "mail");
  ns_tables_pane_set_session (world->pane, NULL, NS_TABS_NEW);
  g_assert_false (ns_find_bar_close (bar));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "shows-tables", test_shows_tables },
    { "shows-damage-in-place-of-tables", test_shows_damage_in_place_of_tables },
    { "chooses-columns", test_chooses_columns },
    { "searches-the-table-in-front", test_searches_the_table_in_front },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/tables-pane/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
