/* Unit tests of the export actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/sheets/ns-export-actions.h"
#include "ui/table/ns-table-view.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GtkWidget *window;
  GtkWidget *timeline;
  NsTableView *view;
  NsExportActions *actions;
  NsSession *session;
  char *folder;
  char *path;
  char *message;
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
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  world->folder = g_dir_make_tmp ("export-XXXXXX", NULL);
  world->session = stage_session_new ();
  world->timeline = g_object_new (NS_TYPE_TIMELINE, "vexpand", TRUE, NULL);
  world->view = ns_table_view_new (world->session, NS_TABLE_ACTIVITIES);
  world->actions = ns_export_actions_new (NS_TIMELINE (world->timeline));
  g_signal_connect_swapped (world->actions, "view", G_CALLBACK (view_cb), world);
  g_signal_connect_swapped (world->actions, "message", G_CALLBACK (message_cb), world);
  ns_timeline_set_session (NS_TIMELINE (world->timeline), world->session);
  ns_export_actions_set_session (world->actions, world->session);
  gtk_box_append (GTK_BOX (box), world->timeline);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->view));
  world->window = stage_show (box, ns_export_actions_get_actions (world->actions));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 600);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_timeline_set_session (NS_TIMELINE (world->timeline), NULL);
  g_object_unref (world->actions);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
  if (world->path != NULL)
    g_unlink (world->path);
  g_rmdir (world->folder);
  g_free (world->path);
  g_free (world->folder);
  g_free (world->message);
}

static void
write_to (World *world, const char *action, const char *name)
{
  world->path = g_build_filename (world->folder, name, NULL);
  stage_act (world->window, action, g_variant_new_string (world->path));
}

static gboolean
is_written (gpointer data)
{
  return g_file_test (((World *) data)->path, G_FILE_TEST_EXISTS);
}

static gboolean
is_sorted (gpointer data)
{
  return gtk_widget_get_width (data) > 0 && ns_timeline_is_sorted (NS_TIMELINE (data));
}

static gboolean
is_told (gpointer data)
{
  return ((World *) data)->message != NULL;
}

static char *
dup_begin (World *world)
{
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (world->path, &text, &length, NULL));
  return g_strndup (text, MIN (length, 200));
}

static void
test_writes_rows (World *world, gconstpointer data)
{
  g_autofree char *begin = NULL;

  write_to (world, "export-to", "rows.csv");
  stage_wait (is_written, world, "the rows are written");
  begin = dup_begin (world);
  g_assert_nonnull (strchr (begin, ','));
}

static void
test_says_that_rows_cannot_be_written (World *world, gconstpointer data)
{
  stage_act (world->window, "export-to", g_variant_new_string ("/no/such/folder/rows.csv"));
  stage_wait (is_told, world, "it is said that it cannot be written");
  g_assert_nonnull (strstr (world->message, "rows.csv"));
}

/* Starts to filter the rows, so that their lanes are being rebuilt. */
static void
have_rows_sorted (World *world)
{
  stage_wait (is_sorted, world->timeline, "all rows are in their lanes");
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  g_assert_false (ns_timeline_is_sorted (NS_TIMELINE (world->timeline)));
}

/* An export requested before all rows are in their lanes waits for them, and reports that. */
static void
test_draws_a_picture_when_it_can (World *world, gconstpointer data)
{
  g_autofree char *begin = NULL;

  have_rows_sorted (world);
  write_to (world, "save-picture-to", "lanes.svg");
  g_assert_cmpstr (world->message, ==, "Continues as soon as all rows are sorted into lanes.");
  g_assert_false (is_written (world));
  stage_wait (is_written, world, "the picture is written");
  g_assert_true (ns_timeline_is_sorted (NS_TIMELINE (world->timeline)));
  begin = dup_begin (world);
  g_assert_nonnull (strstr (begin, "<svg"));
}

/* Only the last waiting export is done. */
static void
test_waits_for_one (World *world, gconstpointer data)
{
  g_autofree char *first = g_build_filename (world->folder, "first.svg", NULL);

  have_rows_sorted (world);
  stage_act (world->window, "save-picture-to", g_variant_new_string (first));
  write_to (world, "save-picture-to", "second.svg");
  stage_wait (is_written, world, "the second picture is written");
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));
}

static void
test_prints_pages (World *world, gconstpointer data)
{
  g_autofree char *begin = NULL;

  stage_wait (is_sorted, world->timeline, "all rows are in their lanes");
  write_to (world, "print-to", "pages.pdf");
  stage_wait (is_written, world, "the pages are written");
  begin = dup_begin (world);
  g_assert_true (g_str_has_prefix (begin, "%PDF"));
}

static void
test_is_off_without_a_session (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_export_actions_get_actions (world->actions));

  g_assert_true (g_action_group_get_action_enabled (group, "print"));
  ns_export_actions_set_session (world->actions, NULL);
  g_assert_false (g_action_group_get_action_enabled (group, "print"));
  g_assert_false (g_action_group_get_action_enabled (group, "export-to"));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "writes-rows", test_writes_rows },
    { "says-that-rows-cannot-be-written", test_says_that_rows_cannot_be_written },
    { "draws-a-picture-when-it-can", test_draws_a_picture_when_it_can },
    { "waits-for-one", test_waits_for_one },
    { "prints-pages", test_prints_pages },
    { "is-off-without-a-session", test_is_off_without_a_session },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/export-actions/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
