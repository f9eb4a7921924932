/* Unit tests of the window's notices about its trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-notice-bars.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsNoticeBars *bars;
} World;

static void
set_up (World *world, gconstpointer data)
{
  world->bars = g_object_new (NS_TYPE_NOTICE_BARS, NULL);
  world->window = stage_show (GTK_WIDGET (world->bars), NULL);
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
}

/* (nullable): the visible bar, of which there is at most one. */
static GtkInfoBar *
get_shown (World *world)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (world->bars));
  GtkInfoBar *shown = NULL;

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_INFO_BAR (child) && gtk_info_bar_get_revealed (GTK_INFO_BAR (child)))
      {
        g_assert_null (shown);
        shown = GTK_INFO_BAR (child);
      }
  return shown;
}

static void
assert_says (World *world, const char *text)
{
  GtkWidget *label;

  g_assert_nonnull (get_shown (world));
  label = stage_find (GTK_WIDGET (get_shown (world)), GTK_TYPE_LABEL, NULL);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, text);
}

static void
assert_offers (World *world, const char *label)
{
  GtkWidget *button = gtk_widget_get_next_sibling (
      stage_find (GTK_WIDGET (get_shown (world)), GTK_TYPE_LABEL, "dense"));

  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, label);
}

static void
test_says_nothing_at_first (World *world, gconstpointer data)
{
  g_assert_null (get_shown (world));
  ns_notice_bars_set_config_problems (world->bars, "");
  g_assert_null (get_shown (world));
}

static void
test_says_what_has_become_of_the_file (World *world, gconstpointer data)
{
  ns_notice_bars_set_change (world->bars, NS_FILE_CHANGED);
  assert_says (world, "The file has changed on disk since it was read.");
  g_assert_true (
      gtk_widget_get_visible (stage_find_button (GTK_WIDGET (get_shown (world)), "Read Again")));
  ns_notice_bars_set_change (world->bars, NS_FILE_GONE);
  assert_says (world, "The file no longer exists. The data already read is kept.");
  ns_notice_bars_set_change (world->bars, NS_FILE_UNCHANGED);
  g_assert_null (get_shown (world));
}

static void
test_there_is_nothing_to_read_again_of_a_file_that_is_gone (World *world, gconstpointer data)
{
  GtkWidget *again;

  ns_notice_bars_set_change (world->bars, NS_FILE_CHANGED);
  again = stage_find_button (GTK_WIDGET (get_shown (world)), "Read Again");
  ns_notice_bars_set_change (world->bars, NS_FILE_GONE);
  g_assert_false (gtk_widget_get_visible (again));
}

static void
test_a_bar_can_be_closed (World *world, gconstpointer data)
{
  ns_notice_bars_set_incomplete (world->bars, TRUE);
  assert_says (world,
               "Incomplete: reading was stopped, and only the first part of the file is shown.");
  gtk_info_bar_response (get_shown (world), GTK_RESPONSE_CLOSE);
  g_assert_null (get_shown (world));
}

static void
test_says_what_was_removed (World *world, gconstpointer data)
{
  ns_notice_bars_set_removed (world->bars, "a.etl was removed");
  assert_says (world, "a.etl was removed");
  assert_offers (world, "Undo");
  ns_notice_bars_set_removed (world->bars, NULL);
  g_assert_null (get_shown (world));
  ns_notice_bars_set_offer (world->bars, "1 file was added");
  assert_says (world, "1 file was added");
  assert_offers (world, "Restore Files");
  ns_notice_bars_set_removed (world->bars, "b.etl was removed");
  assert_offers (world, "Undo");
}

static void
test_says_each_thing_that_is_wrong (World *world, gconstpointer data)
{
  GtkWidget *first;

  ns_notice_bars_set_config_problems (world->bars, "one\ntwo");
  assert_says (world, "one");
  first = stage_find (GTK_WIDGET (get_shown (world)), GTK_TYPE_LABEL, "dense");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_widget_get_next_sibling (first))), ==, "two");
  ns_notice_bars_set_config_problems (world->bars, "three");
  assert_says (world, "three");
}

static NsSession *
cut_session_new (const char *path)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  NsTrace *trace;
  gsize size;

  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &bytes, &size, NULL));
  g_assert_true (g_file_set_contents (path, bytes, (gssize) (size - size / 3), NULL));
  trace = ns_trace_open (path, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return ns_session_new (trace, NULL);
}

static void
test_says_where_a_trace_is_damaged (World *world, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-notice-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "cut.etl", NULL);
  g_autoptr (NsSession) whole = stage_session_new ();
  g_autoptr (NsSession) cut = cut_session_new (path);

  ns_notice_bars_set_damage (world->bars, whole);
  g_assert_null (get_shown (world));
  ns_notice_bars_set_damage (world->bars, cut);
  g_assert_nonnull (get_shown (world));
  g_assert_true (
      g_str_has_prefix (ns_notice_bars_get_damage (world->bars), "Damaged trace, opened"));
  ns_notice_bars_set_damage (world->bars, whole);
  g_assert_null (get_shown (world));
  g_unlink (path);
  g_rmdir (folder);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "says-nothing-at-first", test_says_nothing_at_first },
    { "says-what-has-become-of-the-file", test_says_what_has_become_of_the_file },
    { "there-is-nothing-to-read-again-of-a-file-that-is-gone",
      test_there_is_nothing_to_read_again_of_a_file_that_is_gone },
    { "a-bar-can-be-closed", test_a_bar_can_be_closed },
    { "says-what-was-removed", test_says_what_was_removed },
    { "says-each-thing-that-is-wrong", test_says_each_thing_that_is_wrong },
    { "says-where-a-trace-is-damaged", test_says_where_a_trace_is_damaged },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/notice-bars/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
