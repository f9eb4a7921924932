/* Unit tests of the page of an open trace, without the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-action-needs.h"
#include "ui/ns-filter-bar.h"
#include "ui/ns-trace-page.h"
#include "ui/panel/ns-details-panel.h"
#include "ui/panel/ns-phases-bar.h"

#define WIDE_PX 1390
#define HIGH_PX 800

typedef struct
{
  GtkWidget *window;
  NsTracePage *page;
  NsSession *session;
  guint n_changed;
  guint n_shown;
  guint n_counted;
  guint n_fitted;
} World;

static void
changed_cb (World *world)
{
  world->n_changed++;
}

static void
show_cb (World *world)
{
  world->n_shown++;
}

static void
counted_cb (World *world)
{
  world->n_counted++;
}

static void
fitted_cb (World *world)
{
  world->n_fitted++;
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  world->page = g_object_new (NS_TYPE_TRACE_PAGE, NULL);
  g_signal_connect_swapped (world->page, "changed", G_CALLBACK (changed_cb), world);
  g_signal_connect_swapped (world->page, "show-page", G_CALLBACK (show_cb), world);
  g_signal_connect_swapped (world->page, "counted", G_CALLBACK (counted_cb), world);
  g_signal_connect_swapped (world->page, "fitted", G_CALLBACK (fitted_cb), world);
  ns_trace_page_set_initial_layout (world->page, WIDE_PX, HIGH_PX, TRUE);
  world->window = stage_show (GTK_WIDGET (world->page), ns_trace_page_get_actions (world->page));
  gtk_window_set_default_size (GTK_WINDOW (world->window), WIDE_PX, HIGH_PX);
  ns_trace_page_set_session (world->page, world->session, NS_TABS_NEW, TRUE);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_trace_page_set_session (world->page, NULL, NS_TABS_NEW, FALSE);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static GtkWidget *
find (World *world, GType type)
{
  return stage_find (GTK_WIDGET (world->page), type, NULL);
}

static gboolean
has_focus (gpointer data)
{
  World *world = data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (world->window));

  return focus != NULL && gtk_widget_get_ancestor (focus, NS_TYPE_FILTER_BAR) != NULL;
}

/* A widget focused by a key must become visible. */
static void
test_is_shown_for_its_filter (World *world, gconstpointer data)
{
  stage_act (world->window, "focus-filter", NULL);
  g_assert_cmpuint (world->n_shown, ==, 1);
  stage_wait (has_focus, world, "the filter has the keyboard");
}

static void
test_leaves_what_was_begun_last (World *world, gconstpointer data)
{
  NsTimeSpan span = { 1000, 5000 };
  guint32 row = 3;

  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  ns_session_set_span (world->session, span);
  stage_act (world->window, "find", NULL);
  ns_trace_page_escape (world->page);
  g_assert_cmpint (ns_session_get_span (world->session).end_ns, ==, 5000);
  ns_trace_page_escape (world->page);
  g_assert_cmpint (ns_session_get_span (world->session).end_ns, ==, 0);
  g_assert_cmpuint (ns_session_get_selected (world->session)->len, ==, 1);
  ns_trace_page_escape (world->page);
  g_assert_cmpuint (ns_session_get_selected (world->session)->len, ==, 0);
}

static void
test_knows_what_is_there (World *world, gconstpointer data)
{
  guint32 row = 3;
  guint n_before = world->n_changed;
  guint there;

  g_assert_cmpuint (ns_trace_page_get_needs_met (world->page) & NS_NEEDS_ROW, ==, 0);
  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  g_assert_cmpuint (world->n_changed, >, n_before);
  there = ns_trace_page_get_needs_met (world->page);
  g_assert_cmpuint (there & NS_NEEDS_ROW, !=, 0);
  g_assert_cmpuint (there & (NS_NEEDS_PLAYING | NS_NEEDS_TREE | NS_NEEDS_MACHINE), ==, 0);
  stage_act (world->window, "playback", NULL);
  g_assert_cmpuint (ns_trace_page_get_needs_met (world->page) & NS_NEEDS_PLAYING, !=, 0);
  ns_trace_page_set_session (world->page, NULL, NS_TABS_NEW, FALSE);
  g_assert_cmpuint (ns_trace_page_get_needs_met (world->page), ==, 0);
}

/* The call tree replaces the panes, with the status bar below it. */
static void
test_shows_the_call_tree (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_trace_page_get_actions (world->page));
  GtkWidget *frame = GTK_WIDGET (ns_trace_page_get_frame (world->page));
  GtkWidget *bar = GTK_WIDGET (ns_trace_page_get_status_bar (world->page));

  g_action_group_change_action_state (group, "call-tree", g_variant_new_boolean (TRUE));
  g_assert_false (gtk_widget_get_visible (frame));
  g_assert_true (gtk_widget_get_parent (bar) != GTK_WIDGET (world->page));
  ns_trace_page_prepare_loading (world->page);
  g_assert_true (gtk_widget_get_visible (frame));
  g_assert_true (gtk_widget_get_parent (bar) == GTK_WIDGET (world->page));
}

static void
test_goes_to_rows (World *world, gconstpointer data)
{
  stage_act (world->window, "go-to", g_variant_new ("(su)", "tcp", 1));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_TCP);
  g_assert_cmpint (ns_session_get_selected_table (world->session), ==, NS_TABLE_TCP);
  /* D-Bus clients may pass any row number. */
  stage_act (world->window, "go-to", g_variant_new ("(su)", "tcp", 1000000));
  g_assert_cmpuint (g_array_index (ns_session_get_selected (world->session), guint32, 0), ==, 1);
  stage_act (world->window, "show-operations", g_variant_new_string ("process:outlook"));
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
}

static gboolean
is_narrow (gpointer data)
{
  return ns_panel_frame_is_narrow (ns_trace_page_get_frame (((World *) data)->page));
}

static void
test_fits_a_narrow_window (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_trace_page_get_actions (world->page));
  GtkWidget *panel = find (world, NS_TYPE_DETAILS_PANEL);
  guint n_before = world->n_fitted;
  g_autoptr (GVariant) state = NULL;

  g_assert_true (gtk_widget_get_visible (panel));
  ns_panel_frame_fit (ns_trace_page_get_frame (world->page), 900);
  stage_wait (is_narrow, world, "the panel is a drawer");
  g_assert_cmpuint (world->n_fitted, >, n_before);
  g_assert_false (gtk_widget_get_visible (panel));
  g_action_group_change_action_state (group, "panel", g_variant_new_boolean (TRUE));
  g_assert_true (gtk_widget_get_visible (panel));
  gtk_widget_set_visible (panel, FALSE);
  ns_trace_page_update (world->page, TRUE);
  state = g_action_group_get_action_state (group, "panel");
  g_assert_false (g_variant_get_boolean (state));
}

/* Checks that no text of a section stands below the section. */
static gboolean
check_texts (GtkWidget *widget, GtkWidget *section)
{
  GtkWidget *child;
  graphene_rect_t at;

  if (!gtk_widget_get_mapped (widget))
    return TRUE;
  if (GTK_IS_LABEL (widget) && gtk_widget_compute_bounds (widget, section, &at))
    return at.origin.y + at.size.height <= gtk_widget_get_height (section);
  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!check_texts (child, GTK_IS_EXPANDER (child) ? child : section))
      return FALSE;
  return TRUE;
}

static gboolean
is_phases_shown (gpointer data)
{
  GtkWidget *bar = find (data, NS_TYPE_PHASES_BAR);

  return bar != NULL && gtk_widget_get_mapped (bar) && gtk_widget_get_height (bar) > 0;
}

/* The name of a phase takes several lines in a narrow panel. */
static void
test_sections_hold_their_texts (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_trace_page_get_actions (world->page));
  GtkWidget *panel = find (world, NS_TYPE_DETAILS_PANEL);
  guint32 row = 3;

  ns_panel_frame_fit (ns_trace_page_get_frame (world->page), 900);
  stage_wait (is_narrow, world, "the panel is a drawer");
  g_action_group_change_action_state (group, "panel", g_variant_new_boolean (TRUE));
  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  stage_wait (is_phases_shown, world, "the phases are shown");
  g_assert_true (check_texts (panel, panel));
}

/* A reload replaces the session and keeps the selection. */
static void
test_turns_to_a_later_reading (World *world, gconstpointer data)
{
  g_autoptr (NsSession) later = stage_session_new ();
  NsKeptView *kept;
  guint32 row = 3;

  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  stage_act (world->window, "playback", NULL);
  kept = ns_trace_page_keep (world->page);
  ns_trace_page_set_session (world->page, NULL, NS_TABS_NEW, FALSE);
  ns_trace_page_set_session (world->page, later, NS_SESSION_RELOADED_SAME_FRONT, TRUE);
  ns_trace_page_put_back (world->page, kept);
  g_assert_cmpuint (ns_session_get_selected (later)->len, ==, 1);
  g_assert_true (ns_playback_bar_is_active (ns_trace_page_get_playback_bar (world->page)));
}

static void
test_takes_bars (World *world, gconstpointer data)
{
  GtkWidget *bars = gtk_label_new ("bars");

  ns_trace_page_take_bars (world->page, bars);
  g_assert_true (gtk_widget_get_parent (bars) == GTK_WIDGET (world->page));
  g_assert_true (gtk_widget_get_next_sibling (bars) ==
                 GTK_WIDGET (ns_trace_page_get_frame (world->page)));
}

static gboolean
is_counted (gpointer data)
{
  World *world = data;

  return world->n_counted > 0 && ns_session_count_all (world->session, NS_TABLE_FINDINGS) > 0;
}

static void
test_counts_findings (World *world, gconstpointer data)
{
  stage_wait (is_counted, world, "findings are counted");
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "is-shown-for-its-filter", test_is_shown_for_its_filter },
    { "leaves-what-was-begun-last", test_leaves_what_was_begun_last },
    { "knows-what-is-there", test_knows_what_is_there },
    { "shows-the-call-tree", test_shows_the_call_tree },
    { "goes-to-rows", test_goes_to_rows },
    { "fits-a-narrow-window", test_fits_a_narrow_window },
    { "sections-hold-their-texts", test_sections_hold_their_texts },
    { "turns-to-a-later-reading", test_turns_to_a_later_reading },
    { "takes-bars", test_takes_bars },
    { "counts-findings", test_counts_findings },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/trace-page/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
