/* Unit tests of the side panel, beside or over the content.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-panel-frame.h"

#define WIDE_PX 1400
#define NARROW_PX 950
#define TIGHT_PX 700

typedef struct
{
  GtkWidget *window;
  NsPanelFrame *frame;
  GtkWidget *content;
  GtkWidget *panel;
  guint n_narrow;
  guint n_tight;
} World;

static void
narrow_cb (World *world)
{
  world->n_narrow++;
}

static void
tight_cb (World *world)
{
  world->n_tight++;
}

static void
set_up (World *world, gconstpointer data)
{
  world->content = gtk_label_new ("rest");
  world->panel = gtk_label_new ("panel");
  world->frame =
      g_object_new (NS_TYPE_PANEL_FRAME, "content", world->content, "panel", world->panel, NULL);
  g_signal_connect_swapped (world->frame, "notify::narrow", G_CALLBACK (narrow_cb), world);
  g_signal_connect_swapped (world->frame, "notify::tight", G_CALLBACK (tight_cb), world);
  ns_panel_frame_begin (world->frame, WIDE_PX, TRUE);
  world->window = stage_show (GTK_WIDGET (world->frame), NULL);
  gtk_window_set_default_size (GTK_WINDOW (world->window), TIGHT_PX, 400);
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
}

static gboolean
is_narrow (gpointer data)
{
  return ns_panel_frame_is_narrow (((World *) data)->frame);
}

static gboolean
is_wide (gpointer data)
{
  return !is_narrow (data);
}

static void
fit (World *world, int width)
{
  ns_panel_frame_fit (world->frame, width);
  stage_wait (width < WIDE_PX ? is_narrow : is_wide, world, "the frame fits");
}

static gboolean
is_drawer (World *world)
{
  return gtk_widget_has_css_class (world->panel, "drawer") &&
         GTK_IS_OVERLAY (gtk_widget_get_parent (world->panel));
}

static gboolean
is_at_the_end (gpointer data)
{
  World *world = data;
  graphene_rect_t place;
  graphene_rect_t room;

  return gtk_widget_get_width (world->panel) > 0 &&
         gtk_widget_compute_bounds (world->panel, GTK_WIDGET (world->frame), &place) &&
         gtk_widget_compute_bounds (GTK_WIDGET (world->frame), GTK_WIDGET (world->frame), &room) &&
         place.origin.x + place.size.width == room.size.width &&
         place.size.height == room.size.height;
}

static void
test_gives_its_room_to_the_rest (World *world, gconstpointer data)
{
  g_assert_true (gtk_widget_get_visible (world->panel));
  g_assert_false (is_drawer (world));
  fit (world, NARROW_PX);
  g_assert_false (gtk_widget_get_visible (world->panel));
  g_assert_true (is_drawer (world));
  g_assert_cmpuint (world->n_narrow, ==, 1);
  g_assert_cmpuint (world->n_tight, ==, 0);
  fit (world, WIDE_PX);
  g_assert_true (gtk_widget_get_visible (world->panel));
  g_assert_true (GTK_IS_PANED (gtk_widget_get_parent (world->panel)));
  g_assert_false (is_drawer (world));
  g_assert_cmpuint (world->n_narrow, ==, 2);
}

/* A closed panel is remembered as not wanted. Opening it in a narrow window, as an overlay, does
 * not change that. */
static void
test_remembers_whether_it_is_wanted (World *world, gconstpointer data)
{
  gtk_widget_set_visible (world->panel, FALSE);
  fit (world, NARROW_PX);
  g_assert_false (ns_panel_frame_is_panel_wanted (world->frame));
  gtk_widget_set_visible (world->panel, TRUE);
  g_assert_false (ns_panel_frame_is_panel_wanted (world->frame));
  fit (world, WIDE_PX);
  g_assert_false (gtk_widget_get_visible (world->panel));
  gtk_widget_set_visible (world->panel, TRUE);
  g_assert_true (ns_panel_frame_is_panel_wanted (world->frame));
}

static void
test_a_drawer_is_over_the_rest (World *world, gconstpointer data)
{
  fit (world, TIGHT_PX);
  gtk_widget_set_visible (world->panel, TRUE);
  stage_wait (is_at_the_end, world, "the drawer is at the end of the rest");
  g_assert_cmpint (gtk_widget_get_width (world->content),
                   ==,
                   gtk_widget_get_width (GTK_WIDGET (world->frame)));
  g_assert_cmpint (gtk_widget_get_width (world->panel), <, TIGHT_PX);
}

static void
test_tells_when_it_is_tight (World *world, gconstpointer data)
{
  g_assert_false (ns_panel_frame_is_tight (world->frame));
  fit (world, TIGHT_PX);
  g_assert_true (ns_panel_frame_is_tight (world->frame));
  g_assert_cmpuint (world->n_tight, ==, 1);
  g_assert_cmpuint (world->n_narrow, ==, 1);
}

static void
test_begins_as_it_ended (World *world, gconstpointer data)
{
  ns_panel_frame_begin (world->frame, TIGHT_PX, TRUE);
  g_assert_true (ns_panel_frame_is_narrow (world->frame));
  g_assert_false (gtk_widget_get_visible (world->panel));
  g_assert_true (ns_panel_frame_is_panel_wanted (world->frame));
  g_assert_cmpuint (world->n_narrow, ==, 0);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "gives-its-room-to-the-rest", test_gives_its_room_to_the_rest },
    { "remembers-whether-it-is-wanted", test_remembers_whether_it_is_wanted },
    { "a-drawer-is-over-the-rest", test_a_drawer_is_over_the_rest },
    { "tells-when-it-is-tight", test_tells_when_it_is_tight },
    { "begins-as-it-ended", test_begins_as_it_ended },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/panel-frame/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
