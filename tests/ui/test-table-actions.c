/* Unit tests of the table's actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/table/ns-table-actions.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsTableActions *actions;
  NsTableView *view;
  NsSession *session;
  char *message;
  char *pasted;
} World;

static NsTableView *
view_cb (World *world)
{
  return g_object_ref (world->view);
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
  world->session = stage_session_new ();
  world->view = ns_table_view_new (world->session, NS_TABLE_ACTIVITIES);
  world->actions = ns_table_actions_new ();
  g_signal_connect_swapped (world->actions, "view", G_CALLBACK (view_cb), world);
  g_signal_connect_swapped (world->actions, "message", G_CALLBACK (message_cb), world);
  ns_table_actions_set_session (world->actions, world->session);
  world->window =
      stage_show (GTK_WIDGET (world->view), ns_table_actions_get_actions (world->actions));
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->actions);
  g_object_unref (world->session);
  g_free (world->message);
  g_free (world->pasted);
}

static void
act (World *world, const char *action, GVariant *parameter)
{
  stage_act (world->window, action, parameter);
}

static const char *
get_filter (World *world)
{
  return ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES);
}

static void
select_first (World *world)
{
  const guint32 row = 0;

  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
}

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  World *world = data;

  world->pasted = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_pasted (gpointer data)
{
  return ((World *) data)->pasted != NULL;
}

static const char *
paste (World *world)
{
  g_clear_pointer (&world->pasted, g_free);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (world->window), NULL, pasted_cb, world);
  stage_wait (is_pasted, world, "the clipboard is read");
  return world->pasted;
}

static gboolean
has_focus (gpointer data)
{
  return gtk_widget_grab_focus (GTK_WIDGET (((World *) data)->view));
}

/* GTK's list moves the focus to the next row instead. */
static void
test_tab_leaves_the_rows (World *world, gconstpointer data)
{
  GtkWidget *view = GTK_WIDGET (world->view);
  GtkWidget *row;

  stage_wait (has_focus, world, "a row has the focus");
  row = gtk_window_get_focus (GTK_WINDOW (world->window));
  g_assert_true (gtk_widget_is_ancestor (row, view));
  g_assert_false (gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD));
  g_assert_false (gtk_widget_child_focus (view, GTK_DIR_TAB_BACKWARD));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (world->window)) == row);
  g_assert_true (gtk_widget_child_focus (view, GTK_DIR_DOWN));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (world->window)) != row);
}

/* Without a pressed cell, the action uses the server. */
static void
test_filters_by_a_value (World *world, gconstpointer data)
{
  g_autofree char *only = NULL;
  g_autofree char *without = NULL;

  select_first (world);
  act (world, "only-value", NULL);
  only = g_strdup (get_filter (world));
  g_assert_true (g_str_has_prefix (only, "server"));
  ns_filter_chips_undo (ns_session_get_chips (world->session, NS_TABLE_ACTIVITIES));
  act (world, "without-value", NULL);
  without = g_strconcat ("-", only, NULL);
  g_assert_cmpstr (get_filter (world), ==, without);
}

static void
test_copies_what_is_selected (World *world, gconstpointer data)
{
  NsTrace *trace = ns_session_get_trace (world->session);
  g_autofree char *sentence = ns_sentence_new (trace, NS_TABLE_ACTIVITIES, 0);

  select_first (world);
  act (world, "copy-sentence", NULL);
  g_assert_cmpstr (paste (world), ==, sentence);
  g_assert_cmpstr (world->message, ==, "Copied");
  act (world, "copy-link", NULL);
  g_assert_nonnull (strstr (paste (world), "table=activities;row=1"));
  act (world, "copy-json", NULL);
  g_assert_true (g_str_has_prefix (paste (world), "["));
}

static void
test_copies_the_filter_and_its_command (World *world, gconstpointer data)
{
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  act (world, "copy-filter", NULL);
  g_assert_cmpstr (paste (world), ==, "failed=true");
  act (world, "copy-command", NULL);
  g_assert_nonnull (strstr (paste (world), "failed=true"));
}

static void
test_selects_rows_that_are_there (World *world, gconstpointer data)
{
  const guint32 rows[] = { 1, 2, G_MAXUINT32 };
  const GArray *selected;

  act (world,
       "select-rows",
       g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, rows, G_N_ELEMENTS (rows), sizeof *rows));
  selected = ns_session_get_selected (world->session);
  g_assert_cmpuint (selected->len, ==, 2);
  g_assert_cmpuint (g_array_index (selected, guint32, 1), ==, 2);
  act (world, "select-all", NULL);
  g_assert_cmpuint (ns_session_get_selected (world->session)->len,
                    ==,
                    ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES));
}

static void
test_sorts (World *world, gconstpointer data)
{
  const GArray *order;

  act (world, "sort", g_variant_new_string ("-duration_ns"));
  order = ns_session_get_order (world->session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (order->len, ==, 1);
  act (world, "sort", g_variant_new_string ("no_such_field"));
  g_assert_cmpuint (ns_session_get_order (world->session, NS_TABLE_ACTIVITIES)->len, ==, 1);
}

static void
assert_groups (World *world, const char *wanted)
{
  const NsGrouping *grouping = ns_session_get_grouping (world->session, NS_TABLE_ACTIVITIES);
  g_autofree char *names = ns_fields_to_text (grouping->fields);

  g_assert_cmpstr (names, ==, wanted);
}

static gboolean
has_groups (gpointer data)
{
  World *world = data;
  g_autoptr (GVariant) places =
      g_action_group_get_action_state (G_ACTION_GROUP (
                                           ns_table_actions_get_actions (world->actions)),
                                       "places");
  guint n_places;
  guint n_groups;

  g_variant_get (places, "(uu)", &n_places, &n_groups);
  return n_groups > 0 && n_places >= n_groups;
}

static void
test_gathers_groups (World *world, gconstpointer data)
{
  act (world, "group-by", g_variant_new_string ("server, process,no_such_field,server"));
  assert_groups (world, "server,process");
  stage_wait (has_groups, world, "it is told how many groups there are");
  act (world, "group-toggle", g_variant_new_uint32 (1));
  assert_groups (world, "process,server");
  act (world, "group-move", g_variant_new ("(uu)", 0, 1));
  assert_groups (world, "server,process");
  act (world, "group-remove", g_variant_new_uint32 (0));
  assert_groups (world, "process");
  act (world, "group-remove", g_variant_new_uint32 (7));
  assert_groups (world, "process");
}

static gboolean
is_shown (World *world, const char *name)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (world->view);
  guint i;

  for (i = 0; i < fields->len; i++)
    if (g_str_equal (((const NsField *) g_ptr_array_index (fields, i))->id, name))
      return TRUE;
  return FALSE;
}

static void
test_chooses_columns (World *world, gconstpointer data)
{
  gboolean was_shown = is_shown (world, "server");

  act (world, "show-column", g_variant_new ("(sb)", "server", !was_shown));
  g_assert_true (is_shown (world, "server") != was_shown);
  act (world, "reset-columns", NULL);
  g_assert_true (is_shown (world, "server") == was_shown);
}

static void
test_is_off_without_a_session (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_table_actions_get_actions (world->actions));
  g_auto (GStrv) names = g_action_group_list_actions (group);
  guint i;

  ns_table_actions_set_session (world->actions, NULL);
  for (i = 0; names[i] != NULL; i++)
    g_assert_false (g_action_group_get_action_enabled (group, names[i]));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "tab-leaves-the-rows", test_tab_leaves_the_rows },
    { "filters-by-a-value", test_filters_by_a_value },
    { "copies-what-is-selected", test_copies_what_is_selected },
    { "copies-the-filter-and-its-command", test_copies_the_filter_and_its_command },
    { "selects-rows-that-are-there", test_selects_rows_that_are_there },
    { "sorts", test_sorts },
    { "gathers-groups", test_gathers_groups },
    { "chooses-columns", test_chooses_columns },
    { "is-off-without-a-session", test_is_off_without_a_session },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/table-actions/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
