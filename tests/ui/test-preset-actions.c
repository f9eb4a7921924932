/* Unit tests of saving and opening view presets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-preset-actions.h"
#include "ui/table/ns-table-view.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GtkWidget *window;
  GtkWidget *timeline;
  NsTableView *view;
  NsPresetActions *actions;
  NsSession *session;
  char *path;
  char *message;
} World;

static NsTableView *
view_cb (World *world, guint table, gboolean is_needed)
{
  return table == NS_TABLE_ACTIVITIES ? g_object_ref (world->view) : NULL;
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
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  int fd = g_file_open_tmp ("view-XXXXXX", &world->path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  world->session = stage_session_new ();
  world->timeline = g_object_new (NS_TYPE_TIMELINE, NULL);
  world->view = ns_table_view_new (world->session, NS_TABLE_ACTIVITIES);
  world->actions = ns_preset_actions_new (NS_TIMELINE (world->timeline));
  g_signal_connect_swapped (world->actions, "view", G_CALLBACK (view_cb), world);
  g_signal_connect_swapped (world->actions, "message", G_CALLBACK (message_cb), world);
  ns_timeline_set_session (NS_TIMELINE (world->timeline), world->session);
  ns_preset_actions_set_session (world->actions, world->session);
  gtk_box_append (GTK_BOX (box), world->timeline);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->view));
  world->window = stage_show (box, ns_preset_actions_get_actions (world->actions));
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_timeline_set_session (NS_TIMELINE (world->timeline), NULL);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->actions);
  g_object_unref (world->session);
  g_unlink (world->path);
  g_free (world->path);
  g_free (world->message);
}

static void
act (World *world, const char *action, const char *path)
{
  stage_act (world->window, action, g_variant_new_string (path));
}

static guint
count_columns (World *world)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (world->view);

  return fields->len;
}

static void
hide_first_column (World *world)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (world->view);
  guint i;

  for (i = 0; i < columns->len; i++)
    if (ns_table_view_is_column_shown (g_ptr_array_index (columns, i)))
      {
        ns_table_view_show_column (world->view, g_ptr_array_index (columns, i), FALSE);
        return;
      }
  g_assert_not_reached ();
}

/* Filters, sorting, groups, columns, lanes, clock and the current table. */
static void
test_what_is_saved_can_be_opened (World *world, gconstpointer data)
{
  g_autoptr (GArray) order = ns_order_parse (NS_TABLE_ACTIVITIES, "-duration_ns", NULL);
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (NsOrderKey));
  guint n_columns = count_columns (world);

  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  ns_session_set_order (world->session, NS_TABLE_ACTIVITIES, order);
  ns_session_group_by (world->session, NS_TABLE_ACTIVITIES, "server");
  ns_session_set_wall (world->session, NS_WALL_UTC);
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  ns_timeline_set_grouping (NS_TIMELINE (world->timeline), "server");
  hide_first_column (world);
  act (world, "save-view-to", world->path);
  g_assert_cmpstr (world->message, ==, "The view was saved");

  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "", NULL, NULL);
  ns_session_set_order (world->session, NS_TABLE_ACTIVITIES, none);
  ns_session_group_by (world->session, NS_TABLE_ACTIVITIES, "");
  ns_session_set_wall (world->session, NS_WALL_TRACE);
  ns_session_set_front (world->session, NS_TABLE_ACTIVITIES);
  ns_timeline_set_grouping (NS_TIMELINE (world->timeline), "process");
  ns_table_view_reset_columns (world->view);
  g_assert_cmpuint (count_columns (world), ==, n_columns);
  act (world, "open-view-from", world->path);
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES), ==, "failed=true");
  g_assert_cmpuint (ns_filter_chips_get_n_chips (
                        ns_session_get_chips (world->session, NS_TABLE_ACTIVITIES)),
                    ==,
                    1);
  g_assert_cmpuint (ns_session_get_order (world->session, NS_TABLE_ACTIVITIES)->len, ==, 1);
  g_assert_cmpuint (ns_session_get_grouping (world->session, NS_TABLE_ACTIVITIES)->fields->len,
                    ==,
                    1);
  g_assert_cmpint (ns_session_get_wall (world->session), ==, NS_WALL_UTC);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_EVENTS);
  g_assert_cmpstr (ns_timeline_get_grouping (NS_TIMELINE (world->timeline)), ==, "server");
  g_assert_cmpuint (count_columns (world), ==, n_columns - 1);
}

static void
test_says_what_it_does_not_know (World *world, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *other = NULL;

  ns_session_group_by (world->session, NS_TABLE_ACTIVITIES, "server");
  act (world, "save-view-to", world->path);
  g_assert_true (g_file_get_contents (world->path, &text, NULL, NULL));
  parts = g_strsplit (text, "server", -1);
  g_assert_cmpuint (g_strv_length (parts), >, 1);
  other = g_strjoinv ("no_such_field", parts);
  g_assert_true (g_file_set_contents (world->path, other, -1, NULL));
  act (world, "open-view-from", world->path);
  g_assert_true (g_str_has_prefix (world->message, "Unknown and ignored: "));
  g_assert_nonnull (strstr (world->message, "no_such_field"));
}

static void
test_says_that_it_cannot_be_read (World *world, gconstpointer data)
{
  act (world, "open-view-from", "/no/such/view.nsview");
  g_assert_nonnull (world->message);
  g_clear_pointer (&world->message, g_free);
  g_assert_true (g_file_set_contents (world->path, "this is no view", -1, NULL));
  act (world, "open-view-from", world->path);
  g_assert_nonnull (world->message);
  act (world, "save-view-to", "/no/such/folder/view.nsview");
  g_assert_nonnull (strstr (world->message, "/no/such/folder"));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "what-is-saved-can-be-opened", test_what_is_saved_can_be_opened },
    { "says-what-it-does-not-know", test_says_what_it_does_not_know },
    { "says-that-it-cannot-be-read", test_says_that_it_cannot_be_read },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/preset-actions/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
