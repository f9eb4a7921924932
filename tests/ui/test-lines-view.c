/* Unit tests of the table of secondary windows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/sheets/ns-lines-view.h"

typedef struct
{
  NsLinesView *view;
  GtkWidget *window;
} World;

static char *
dup_cell (gpointer data, guint line, guint column)
{
  return g_strdup_printf ("https://mail.example.com/a/rather/long/path/%u/%u", line, column);
}

static int
compare_lines (gpointer data, guint column, guint line, guint other)
{
  return (int) line - (int) other;
}

static char *
dup_spoken (gpointer data, guint line)
{
  return g_strdup_printf ("line %u", line);
}

static const NsLinesSource source = { dup_cell, compare_lines, dup_spoken, NULL };

static void
set_up (World *world, gconstpointer data)
{
  static const NsLinesColumn columns[] = {
    { "Server", 120, FALSE, FALSE, FALSE },
    { "URL", 120, FALSE, FALSE, TRUE },
  };

  world->view = ns_lines_view_new ("Lines", columns, G_N_ELEMENTS (columns), &source, NULL);
  world->window = stage_show (ns_lines_view_get_widget (world->view), NULL);
  ns_lines_view_fill (world->view, 1);
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  ns_lines_view_free (world->view);
}

/* Returns the label with a text, or %NULL. */
static GtkWidget *
find_label (GtkWidget *root, const char *text)
{
  GtkWidget *child;
  GtkWidget *found = NULL;

  if (GTK_IS_LABEL (root) && g_str_equal (gtk_label_get_text (GTK_LABEL (root)), text))
    return root;
  for (child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child, text);
  return found;
}

static GtkWidget *
find_cell (World *world, guint column)
{
  g_autofree char *text = dup_cell (NULL, 0, column);

  return find_label (ns_lines_view_get_widget (world->view), text);
}

static gboolean
is_filled (gpointer world)
{
  return find_cell (world, 1) != NULL;
}

/* URLs of one server differ at their ends. */
static void
test_ends_of_paths_stay_visible (World *world, gconstpointer data)
{
  stage_wait (is_filled, world, "the line is there");
  g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (find_cell (world, 0))),
                   ==,
                   PANGO_ELLIPSIZE_END);
  g_assert_cmpint (gtk_label_get_ellipsize (GTK_LABEL (find_cell (world, 1))),
                   ==,
                   PANGO_ELLIPSIZE_MIDDLE);
}

static void
add_tests (void)
{
  g_test_add ("/lines-view/ends-of-paths-stay-visible",
              World,
              NULL,
              set_up,
              test_ends_of_paths_stay_visible,
              tear_down);
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
