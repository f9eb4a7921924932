/* Unit tests of the drop target for files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-drop-frame.h"

typedef struct
{
  GtkWidget *window;
  NsDropFrame *frame;
  GtkWidget *content;
  GtkDropTarget *target;
  GPtrArray *dropped; /* (element-type GFile) */
} World;

static void
dropped_cb (World *world, GPtrArray *files)
{
  guint i;

  for (i = 0; i < files->len; i++)
    g_ptr_array_add (world->dropped, g_object_ref (g_ptr_array_index (files, i)));
}

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (GListModel) controllers = NULL;
  guint i;

  world->content = gtk_label_new ("rest");
  world->frame = g_object_new (NS_TYPE_DROP_FRAME, "content", world->content, NULL);
  world->dropped = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect_swapped (world->frame, "dropped", G_CALLBACK (dropped_cb), world);
  world->window = stage_show (GTK_WIDGET (world->frame), NULL);
  ns_drop_frame_watch (world->frame, world->window);
  controllers = gtk_widget_observe_controllers (world->window);
  for (i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        world->target = GTK_DROP_TARGET (controller);
    }
  g_assert_nonnull (world->target);
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_ptr_array_unref (world->dropped);
}

static gboolean
is_told (World *world)
{
  return gtk_widget_get_visible (
      stage_find (GTK_WIDGET (world->frame), GTK_TYPE_LABEL, "drop-here"));
}

static gboolean
drop (World *world, GSList *files)
{
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean is_taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_list (files));
  g_signal_emit_by_name (world->target, "drop", &value, 5.0, 5.0, &is_taken);
  return is_taken;
}

static void
test_shows_its_content (World *world, gconstpointer data)
{
  g_autoptr (GtkWidget) content = NULL;

  g_object_get (world->frame, "content", &content, NULL);
  g_assert_true (content == world->content);
  g_assert_true (gtk_widget_is_ancestor (content, GTK_WIDGET (world->frame)));
  g_assert_false (is_told (world));
}

static void
test_tells_where_files_will_be_opened (World *world, gconstpointer data)
{
  GdkDragAction action = 0;

  g_signal_emit_by_name (world->target, "enter", 5.0, 5.0, &action);
  g_assert_cmpint (action, ==, GDK_ACTION_COPY);
  g_assert_true (is_told (world));
  g_signal_emit_by_name (world->target, "leave");
  g_assert_false (is_told (world));
}

static void
test_gives_what_was_dropped (World *world, gconstpointer data)
{
  g_autoptr (GFile) one = g_file_new_for_path ("/one.etl");
  g_autoptr (GFile) other = g_file_new_for_path ("/other.etl");
  g_autoptr (GSList) files = g_slist_append (g_slist_append (NULL, one), other);
  GdkDragAction action = 0;

  g_signal_emit_by_name (world->target, "enter", 5.0, 5.0, &action);
  g_assert_true (drop (world, files));
  g_assert_false (is_told (world));
  g_assert_cmpuint (world->dropped->len, ==, 2);
  g_assert_true (g_file_equal (g_ptr_array_index (world->dropped, 0), one));
  g_assert_true (g_file_equal (g_ptr_array_index (world->dropped, 1), other));
}

static void
test_takes_no_empty_list (World *world, gconstpointer data)
{
  g_assert_false (drop (world, NULL));
  g_assert_cmpuint (world->dropped->len, ==, 0);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "shows-its-content", test_shows_its_content },
    { "tells-where-files-will-be-opened", test_tells_where_files_will_be_opened },
    { "gives-what-was-dropped", test_gives_what_was_dropped },
    { "takes-no-empty-list", test_takes_no_empty_list },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/drop-frame/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
