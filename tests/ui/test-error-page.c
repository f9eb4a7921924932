/* Unit tests of the page shown for a refused file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "base/ns-error.h"
#include "ui/ns-error-page.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsErrorPage *page;
  char *path;
  GFile *file;
} World;

static void
set_up (World *world, gconstpointer data)
{
  world->path = g_build_filename (g_get_tmp_dir (), "netstitch-refused-XXXXXX", NULL);
  g_assert_cmpint (g_close (g_mkstemp (world->path), NULL), ==, TRUE);
  world->file = g_file_new_for_path (world->path);
  world->page = g_object_new (NS_TYPE_ERROR_PAGE, NULL);
  world->window = stage_show (GTK_WIDGET (world->page), ns_error_page_get_actions (world->page));
}

static void
tear_down (World *world, gconstpointer data)
{
  g_assert_cmpint (g_unlink (world->path), ==, 0);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->file);
  g_free (world->path);
}

static GtkWidget *
get_facts (World *world)
{
  return stage_find (GTK_WIDGET (world->page), GTK_TYPE_GRID, NULL);
}

static GtkWidget *
get_card (World *world)
{
  return stage_find (GTK_WIDGET (world->page), GTK_TYPE_BOX, "card");
}

static gboolean
has_facts (gpointer data)
{
  return gtk_widget_get_visible (get_card (data));
}

static const char *
get_fact (World *world, int line)
{
  GtkWidget *value = gtk_grid_get_child_at (GTK_GRID (get_facts (world)), 1, line);

  return gtk_label_get_text (GTK_LABEL (value));
}

static void
test_a_file_that_is_no_trace_is_looked_at (World *world, gconstpointer data)
{
  g_autoptr (GError) error =
      g_error_new (NS_TRACE_ERROR, NS_TRACE_ERROR_NOT_A_TRACE, "%s is no trace", world->path);
  g_autofree char *name = g_path_get_basename (world->path);
  g_autofree char *wanted = g_strdup_printf ("%s is no trace", name);

  g_assert_true (g_file_set_contents (world->path, "hello, this is a text\n", -1, NULL));
  ns_error_page_show (world->page, world->file, error);
  /* The text does not repeat the folder. */
  g_assert_cmpstr (ns_error_page_get_text (world->page), ==, wanted);
  stage_wait (has_facts, world, "what was looked at");
  g_assert_cmpstr (get_fact (world, 0), ==, "22 bytes");
  g_assert_cmpstr (get_fact (world, 3), ==, "a text file; not zip, cab or pcapng");
  g_assert_true (
      gtk_widget_get_visible (stage_find_button (GTK_WIDGET (world->page), "Open in Text Editor")));
}

static void
test_an_empty_file_is_said_to_be_empty (World *world, gconstpointer data)
{
  g_autoptr (GError) error =
      g_error_new (NS_TRACE_ERROR, NS_TRACE_ERROR_TRUNCATED, "%s is cut", world->path);

  ns_error_page_show (world->page, world->file, error);
  stage_wait (has_facts, world, "what was looked at");
  g_assert_cmpstr (get_fact (world, 0), ==, "0 bytes");
  g_assert_cmpstr (get_fact (world, 2), ==, "nothing: the file ends earlier");
  g_assert_cmpstr (get_fact (world, 3), ==, "the file is empty");
}

static void
test_a_file_that_may_not_be_read_is_not (World *world, gconstpointer data)
{
  g_autoptr (GError) error = g_error_new (G_IO_ERROR,
                                          G_IO_ERROR_PERMISSION_DENIED,
                                          "Error opening file %s: Permission denied",
                                          world->path);

  ns_error_page_show (world->page, world->file, error);
  g_assert_false (gtk_widget_get_visible (get_card (world)));
  g_assert_false (
      gtk_widget_get_visible (stage_find_button (GTK_WIDGET (world->page), "Open in Text Editor")));
  g_assert_null (strstr (ns_error_page_get_text (world->page), g_get_tmp_dir ()));
  g_assert_nonnull (strstr (ns_error_page_get_text (world->page), "Permission denied"));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "a-file-that-is-no-trace-is-looked-at", test_a_file_that_is_no_trace_is_looked_at },
    { "an-empty-file-is-said-to-be-empty", test_an_empty_file_is_said_to_be_empty },
    { "a-file-that-may-not-be-read-is-not", test_a_file_that_may_not_be_read_is_not },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/error-page/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
