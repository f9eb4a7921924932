/* Unit tests of going to a copied place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-go-to.h"

typedef struct
{
  GtkWidget *window;
  NsGoTo *go_to;
  NsSession *session;
  GPtrArray *told; /* (element-type utf8): emitted signals in order */
} World;

static void
filter_cb (World *world, const char *text)
{
  g_ptr_array_add (world->told, g_strdup_printf ("filter:%s", text));
  ns_session_set_filter (world->session, ns_session_get_front (world->session), text, NULL, NULL);
}

static void
found_cb (World *world, const char *text, const char *filter)
{
  g_ptr_array_add (world->told, g_strdup_printf ("found:%s", text));
}

static void
hold_time_cb (World *world, gboolean is_held)
{
  if (is_held)
    g_ptr_array_add (world->told, g_strdup ("held"));
}

static void
message_cb (World *world, const char *text)
{
  g_ptr_array_add (world->told, g_strdup (text));
}

static void
set_up (World *world, gconstpointer data)
{
  world->told = g_ptr_array_new_with_free_func (g_free);
  world->session = stage_session_new ();
  world->go_to = ns_go_to_new ();
  ns_go_to_set_session (world->go_to, world->session);
  g_signal_connect_swapped (world->go_to, "filter", G_CALLBACK (filter_cb), world);
  g_signal_connect_swapped (world->go_to, "found", G_CALLBACK (found_cb), world);
  g_signal_connect_swapped (world->go_to, "hold-time", G_CALLBACK (hold_time_cb), world);
  g_signal_connect_swapped (world->go_to, "message", G_CALLBACK (message_cb), world);
  world->window = stage_show (gtk_label_new (NULL), ns_go_to_get_actions (world->go_to));
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->go_to);
  g_object_unref (world->session);
  g_ptr_array_unref (world->told);
}

static void
go (World *world, const char *text)
{
  stage_act (world->window, "go-to-text", g_variant_new_string (text));
}

static const char *
get_told (World *world)
{
  return world->told->len > 0 ? g_ptr_array_index (world->told, world->told->len - 1) : "";
}

static gboolean
is_told (gpointer data)
{
  return ((World *) data)->told->len > 0;
}

static gboolean
is_settled (gpointer data)
{
  World *world = data;

  return !ns_session_is_busy (world->session, ns_session_get_front (world->session));
}

static guint32
get_selected (World *world)
{
  const GArray *selected = ns_session_get_selected (world->session);

  return selected->len == 1 ? g_array_index (selected, guint32, 0) : G_MAXUINT32;
}

static void
test_goes_to_rows (World *world, gconstpointer data)
{
  go (world, "mail");
  stage_wait (is_told, world, "the text is found");
  g_assert_cmpstr (get_told (world), ==, "found:mail");
  g_assert_cmpuint (get_selected (world), !=, G_MAXUINT32);
}

static void
test_tells_that_nothing_is_there (World *world, gconstpointer data)
{
  go (world, "no-such-host.example");
  stage_wait (is_told, world, "the search ends");
  g_assert_cmpstr (get_told (world), ==, "“no-such-host.example” was not found in this trace.");
  g_assert_cmpuint (get_selected (world), ==, G_MAXUINT32);
}

static void
test_goes_to_a_moment (World *world, gconstpointer data)
{
  NsTimeSpan visible;

  go (world, "0.5s");
  visible = ns_session_get_visible (world->session);
  g_assert_cmpint ((visible.begin_ns + visible.end_ns) / 2, ==, NS_PER_SECOND / 2);
  go (world, "99999s");
  g_assert_cmpstr (get_told (world), ==, "That time is outside this trace.");
}

static void
test_follows_a_link (World *world, gconstpointer data)
{
  NsTimeSpan visible;

  go (world, "#t=0.1s+0.2s;table=events;row=7");
  visible = ns_session_get_visible (world->session);
  g_assert_cmpint (visible.begin_ns, ==, NS_PER_SECOND / 10);
  g_assert_cmpint (visible.end_ns, ==, 3 * NS_PER_SECOND / 10);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_EVENTS);
  g_assert_cmpuint (get_selected (world), ==, 6);
  g_assert_cmpstr (get_told (world), ==, "held");
}

/* The filter is removed because a hidden row cannot be shown. */
static void
test_takes_a_filter_away (World *world, gconstpointer data)
{
  ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "pid=1", NULL, NULL);
  stage_wait (is_settled, world, "no row is left");
  g_assert_cmpuint (ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES), ==, 0);
  go (world, "#table=activities;row=2");
  g_assert_cmpstr (g_ptr_array_index (world->told, 0), ==, "filter:");
  g_assert_true (g_str_has_prefix (get_told (world), "The filter hid it"));
}

static void
test_is_no_place (World *world, gconstpointer data)
{
  go (world, "");
  g_assert_cmpstr (get_told (world), ==, "The copied text is not a location in a trace.");
}

/* A change of the session cancels the search. */
static void
test_stops_when_the_session_goes (World *world, gconstpointer data)
{
  g_autoptr (NsSession) other = stage_session_new ();

  go (world, "mail");
  ns_go_to_set_session (world->go_to, other);
  go (world, "no-such-host.example");
  stage_wait (is_told, world, "the other search ends");
  g_assert_cmpstr (g_ptr_array_index (world->told, 0),
                   ==,
                   "“no-such-host.example” was not found in this trace.");
  g_assert_cmpuint (get_selected (world), ==, G_MAXUINT32);
}

static void
test_shows_a_view_once (World *world, gconstpointer data)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "table", "s", "events");
  g_variant_dict_insert (&dict, "filter", "s", "pid=4");
  g_variant_dict_insert (&dict, "sort", "s", "-time_ns");
  ns_go_to_set_view (world->go_to, g_variant_dict_end (&dict));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
  ns_go_to_show_view (world->go_to);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_EVENTS);
  g_assert_cmpstr (get_told (world), ==, "filter:pid=4");
  g_assert_cmpuint (ns_session_get_order (world->session, NS_TABLE_EVENTS)->len, ==, 1);
  ns_session_set_front (world->session, NS_TABLE_ACTIVITIES);
  ns_go_to_show_view (world->go_to);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "goes-to-rows", test_goes_to_rows },
    { "tells-that-nothing-is-there", test_tells_that_nothing_is_there },
    { "goes-to-a-moment", test_goes_to_a_moment },
    { "follows-a-link", test_follows_a_link },
    { "takes-a-filter-away", test_takes_a_filter_away },
    { "is-no-place", test_is_no_place },
    { "stops-when-the-session-goes", test_stops_when_the_session_goes },
    { "shows-a-view-once", test_shows_a_view_once },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/go-to/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
