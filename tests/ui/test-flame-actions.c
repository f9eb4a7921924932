/* Unit tests of the call tree page and its actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/panel/ns-flame-actions.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsFlameActions *actions;
  NsSession *session;
  char *message;
  char *path;
  guint n_shown;
  guint n_hidden;
  guint n_noted;
} World;

static void
message_cb (World *world, const char *text)
{
  g_free (world->message);
  world->message = g_strdup (text);
}

static void
shown_cb (World *world, gboolean is_shown)
{
  if (is_shown)
    world->n_shown++;
  else
    world->n_hidden++;
}

static void
noted_cb (World *world)
{
  world->n_noted++;
}

static void
set_up (World *world, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  world->session = stage_session_new ();
  world->actions = ns_flame_actions_new ();
  g_signal_connect_swapped (world->actions, "message", G_CALLBACK (message_cb), world);
  g_signal_connect_swapped (world->actions, "shown", G_CALLBACK (shown_cb), world);
  g_signal_connect_swapped (world->actions, "noted", G_CALLBACK (noted_cb), world);
  ns_flame_actions_set_session (world->actions, world->session);
  gtk_box_append (GTK_BOX (box), ns_flame_actions_get_page (world->actions));
  world->window = stage_show (box, ns_flame_actions_get_actions (world->actions));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 600);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_flame_actions_set_session (world->actions, NULL);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->actions);
  g_object_unref (world->session);
  if (world->path != NULL)
    g_unlink (world->path);
  g_free (world->path);
  g_free (world->message);
}

static void
set_shown (World *world, gboolean is_shown)
{
  GActionGroup *group = G_ACTION_GROUP (ns_flame_actions_get_actions (world->actions));

  g_action_group_change_action_state (group, "call-tree", g_variant_new_boolean (is_shown));
}

static gboolean
has_note (gpointer data)
{
  World *world = data;
  g_autofree char *note = ns_flame_actions_dup_note (world->actions);

  return world->n_noted > 0 && note != NULL;
}

static gboolean
is_written (gpointer data)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (((World *) data)->path, &text, NULL, NULL) && *text != '\0';
}

static gboolean
is_told (gpointer data)
{
  return ((World *) data)->message != NULL;
}

static void
test_shows_the_page (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_flame_actions_get_actions (world->actions));
  g_autoptr (GVariant) state = NULL;

  g_assert_false (ns_flame_actions_is_shown (world->actions));
  g_assert_false (ns_flame_actions_leave (world->actions));
  set_shown (world, TRUE);
  set_shown (world, TRUE);
  g_assert_true (gtk_widget_get_visible (ns_flame_actions_get_page (world->actions)));
  g_assert_cmpuint (world->n_shown, ==, 1);
  state = g_action_group_get_action_state (group, "call-tree");
  g_assert_true (g_variant_get_boolean (state));
  g_assert_true (ns_flame_actions_leave (world->actions));
  g_assert_cmpuint (world->n_hidden, ==, 1);
  g_assert_false (ns_flame_actions_is_shown (world->actions));
}

/* In another table, the note beside the count of rows has the number of their operations if the
 * tree shows those; if the rows have no operations, the note says that the tree shows all. */
static void
test_notes_how_many_have_a_stack (World *world, gconstpointer data)
{
  g_autofree char *note = NULL;
  g_autofree char *of_tcp = NULL;
  g_autofree char *of_processes = NULL;

  set_shown (world, TRUE);
  stage_wait (has_note, world, "the tree is made");
  note = ns_flame_actions_dup_note (world->actions);
  g_assert_true (g_str_has_suffix (note, " with a stack"));
  ns_session_set_front (world->session, NS_TABLE_TCP);
  g_assert_null (ns_flame_actions_dup_note (world->actions));
  stage_wait (has_note, world, "the tree of operations with TCP is made");
  of_tcp = ns_flame_actions_dup_note (world->actions);
  g_assert_nonnull (strstr (of_tcp, " operations · "));
  ns_session_set_front (world->session, NS_TABLE_PROCESSES);
  stage_wait (has_note, world, "the tree of all operations is made");
  of_processes = ns_flame_actions_dup_note (world->actions);
  g_assert_true (g_str_has_prefix (of_processes, "Call tree of the "));
  ns_session_set_front (world->session, NS_TABLE_ACTIVITIES);
  set_shown (world, FALSE);
  g_assert_null (ns_flame_actions_dup_note (world->actions));
}

static void
test_leaves_for_the_rows_of_a_condition (World *world, gconstpointer data)
{
  NsFilterChips *chips = ns_session_get_chips (world->session, NS_TABLE_ACTIVITIES);

  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  set_shown (world, TRUE);
  stage_act (world->window, "add-named-condition", g_variant_new ("(ss)", "pid=4", "the system"));
  g_assert_false (ns_flame_actions_is_shown (world->actions));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
  stage_act (world->window, "add-condition", g_variant_new_string ("failed=true"));
  g_assert_cmpuint (ns_filter_chips_get_n_chips (chips), ==, 2);
  g_assert_cmpstr (ns_filter_chips_get_chip (chips, 0)->name, ==, "the system");
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES),
                   ==,
                   "pid=4 failed=true");
}

static void
test_writes_the_tree (World *world, gconstpointer data)
{
  int fd = g_file_open_tmp ("tree-XXXXXX.csv", &world->path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  set_shown (world, TRUE);
  stage_wait (has_note, world, "the tree is made");
  stage_act (world->window, "export-tree-to", g_variant_new_string (world->path));
  stage_wait (is_written, world, "the tree is written");
  stage_act (world->window, "export-tree-to", g_variant_new_string ("/no/such/folder/tree.csv"));
  stage_wait (is_told, world, "it is said that it cannot be written");
}

static void
test_is_off_without_a_session (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_flame_actions_get_actions (world->actions));

  g_assert_true (g_action_group_get_action_enabled (group, "call-tree"));
  ns_flame_actions_set_session (world->actions, NULL);
  g_assert_false (g_action_group_get_action_enabled (group, "call-tree"));
  g_assert_false (g_action_group_get_action_enabled (group, "add-condition"));
  g_assert_null (ns_flame_actions_dup_note (world->actions));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "shows-the-page", test_shows_the_page },
    { "notes-how-many-have-a-stack", test_notes_how_many_have_a_stack },
    { "leaves-for-the-rows-of-a-condition", test_leaves_for_the_rows_of_a_condition },
    { "writes-the-tree", test_writes_the_tree },
    { "is-off-without-a-session", test_is_off_without_a_session },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/flame-actions/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
