/* Tests the real window on a virtual screen: its actions, and its agreement with the command line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "window-driver.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static gboolean
filter_is (const DriverState *state, gconstpointer filter)
{
  return strcmp (state->filter, filter) == 0;
}

static gboolean
span_is (const DriverState *state, gconstpointer span)
{
  const gint64 *wanted = span;

  return state->begin_ns == wanted[0] && state->end_ns == wanted[1];
}

static char *
cli_output (const char *file, const char *columns, const char *filter, const char *sort)
{
  g_autoptr (GSubprocess) cli = NULL;
  char *output = NULL;

  cli = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                          NULL,
                          g_getenv ("NETSTITCH_CLI"),
                          "activities",
                          file,
                          "--format",
                          "csv",
                          "--columns",
                          columns,
                          "--filter",
                          filter,
                          "--sort",
                          sort,
                          NULL);
  g_assert_true (g_subprocess_communicate_utf8 (cli, NULL, NULL, &output, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (cli));
  return output;
}

/* Exports through the window and waits for the complete file. */
static char *
export_rows (guint window, const char *name)
{
  g_autofree char *path = g_build_filename (driver_get_folder (), name, NULL);
  gint64 until_us = g_get_monotonic_time () + DRIVER_PATIENCE_US;
  char *text = NULL;

  g_unlink (path);
  driver_act (window, "export-to", g_variant_new_string (path));
  while (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (20000);
    }
  return text;
}

static char *
header_of (const char *csv)
{
  gsize length = strcspn (csv, "\r\n");

  return g_strndup (csv, length);
}

static void
test_opens_a_trace (void)
{
  driver_wait_for (1, driver_page_is, "trace", "the trace is shown");
}

static void
test_exports_what_the_command_line_prints (void)
{
  g_autofree char *window_rows = NULL;
  g_autofree char *columns = NULL;
  g_autofree char *cli_rows = NULL;

  driver_act (1, "sort", g_variant_new_string ("-duration_ns,open_ns"));
  driver_act (1, "set-filter", g_variant_new_string ("failed=true"));
  driver_wait_for (1, filter_is, "failed=true", "the filter is set");
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (3), "three failed rows are shown");
  window_rows = export_rows (1, "failed.csv");
  columns = header_of (window_rows);
  cli_rows =
      cli_output (g_getenv ("NETSTITCH_SAMPLE"), columns, "failed=true", "-duration_ns,open_ns");
  g_assert_cmpstr (window_rows, ==, cli_rows);
  driver_act (1, "set-filter", g_variant_new_string (""));
  driver_wait_for (1, filter_is, "", "the filter is gone");
}

static void
test_a_filter_can_be_taken_back (void)
{
  driver_act (1, "set-filter", g_variant_new_string ("failed=true"));
  driver_act (1, "set-filter", g_variant_new_string ("pid=1"));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (0), "no row matches");
  driver_act (1, "undo-filter", NULL);
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (3), "the failed rows are back");
  driver_act (1, "undo-filter", NULL);
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_a_value_makes_a_filter (void)
{
  driver_act (1,
              "select-rows",
              g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 0 }, 1, 4));
  driver_act (1, "only-value", NULL);
  driver_wait_for (1,
                   driver_rows_are,
                   GUINT_TO_POINTER (7),
                   "only the rows of that server are shown");
  driver_wait_for (1, filter_is, "server=\"mail.example.com\"", "the filter says so");
  driver_act (1, "undo-filter", NULL);
  driver_act (1, "without-value", NULL);
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (20), "all other rows are shown");
  driver_act (1, "undo-filter", NULL);
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

/* The call tree over the whole window shows the visible rows, and closes when one of its frames is
 * selected. */
static void
test_a_frame_of_the_tree_filters_the_table (void)
{
  gint64 end_us = g_get_monotonic_time () + DRIVER_PATIENCE_US;
  DriverState state = { 0 };

  driver_act (1, "only-frame", g_variant_new_string ("OUTLOOK.EXE+0x1f0"));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "without the tree nothing is chosen");
  driver_act (1, "call-tree", NULL);
  /* The tree is computed in the background. */
  while (state.n_rows != 9 && g_get_monotonic_time () < end_us)
    {
      driver_state_clear (&state);
      driver_act (1, "only-frame", g_variant_new_string ("OUTLOOK.EXE+0x1f0"));
      g_usleep (G_USEC_PER_SEC / 5);
      g_assert_true (driver_read_state (1, &state));
    }
  /* The condition is on the call path, not on the function alone. */
  g_assert_true (g_str_has_prefix (state.filter, "stack_path=\""));
  g_assert_true (g_str_has_suffix (state.filter, ";OUTLOOK.EXE+0x1f0\""));
  driver_state_clear (&state);
  driver_act (1, "set-filter", g_variant_new_string (""));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

/* The frame menu adds a condition; an existing alternative is put in brackets. */
static void
test_a_condition_joins_the_filter (void)
{
  driver_act (1, "add-condition", g_variant_new_string ("stack:none"));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (9), "rows without a stack");
  driver_act (1, "set-filter", g_variant_new_string ("pid=4312 or pid=7720"));
  driver_act (1, "add-condition", g_variant_new_string ("-stack=\"OUTLOOK.EXE+0x1f0\""));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (5), "both hold together");
  driver_act (1, "set-filter", g_variant_new_string (""));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_chips_are_switched_off_and_taken_back (void)
{
  driver_act (1, "type-filter", g_variant_new_string ("failed=true pid=4312"));
  driver_act (1, "chip-take", NULL);
  driver_wait_for (1, filter_is, "failed=true pid=4312", "two chips filter");
  driver_act (1, "chip-toggle", g_variant_new_uint32 (1));
  driver_wait_for (1, filter_is, "failed=true", "one chip is off");
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (3), "three failed rows are shown");
  driver_act (1, "chip-toggle", g_variant_new_uint32 (1));
  driver_act (1, "chip-remove", g_variant_new_uint32 (0));
  driver_wait_for (1, filter_is, "pid=4312", "the other chip is left");
  driver_act (1, "undo-filter", NULL);
  driver_wait_for (1, filter_is, "failed=true pid=4312", "the chip is back");
  driver_act (1, "chip-edit", g_variant_new_uint32 (1));
  driver_act (1, "type-filter", g_variant_new_string ("pid=1"));
  driver_wait_for (1, filter_is, "failed=true pid=1", "a chip is text again");
  driver_act (1, "chip-keep", g_variant_new_uint32 (0));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_a_value_joins_others (void)
{
  driver_act (1, "set-filter", g_variant_new_string ("server=\"files.example.net\""));
  driver_wait_for (1, filter_is, "server=\"files.example.net\"", "rows of one server are shown");
  /* A row hidden by the filter, selected as a dimmed bar in the lanes. */
  driver_act (1,
              "select-rows",
              g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 0 }, 1, 4));
  driver_act (1, "also-value", NULL);
  driver_wait_for (1,
                   filter_is,
                   "(server=\"files.example.net\" or server=\"mail.example.com\")",
                   "rows of two servers are shown");
  driver_act (1, "set-filter", g_variant_new_string (""));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_back_and_forward_go_through_what_was_shown (void)
{
  const gint64 zoom[] = { 1000000000, 3000000000 };
  gint64 whole[2];
  DriverState state;
  guint i;

  driver_act (1, "zoom-whole", NULL);
  g_assert_true (driver_read_state (1, &state));
  whole[0] = state.begin_ns;
  whole[1] = state.end_ns;
  driver_state_clear (&state);
  driver_act (1, "zoom-span", g_variant_new ("(xx)", zoom[0], zoom[1]));
  driver_act (1, "set-filter", g_variant_new_string ("failed=true"));
  driver_act (1, "select-span", g_variant_new ("(xx)", zoom[0], zoom[1]));
  driver_act (1, "back", NULL);
  driver_wait_for (1, filter_is, "failed=true", "the selected span alone is gone");
  driver_act (1, "back", NULL);
  driver_wait_for (1, filter_is, "", "the filter is gone");
  driver_wait_for (1, span_is, zoom, "the zoom is not");
  driver_act (1, "forward", NULL);
  driver_wait_for (1, filter_is, "failed=true", "the filter is there again");
  for (i = 0; i < 50; i++)
    driver_act (1, "back", NULL);
  driver_wait_for (1, span_is, whole, "the start shows the whole trace");
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "and all rows");
}

/* Waits for a search result: number of the hit and number of hits. */
static void
wait_for_hit (guint wanted, guint wanted_hits)
{
  gint64 until_us = g_get_monotonic_time () + DRIVER_PATIENCE_US;

  while (g_get_monotonic_time () < until_us)
    {
      g_autoptr (GVariant) reply = driver_call (DRIVER_APP_PATH "/window/1",
                                                "Describe",
                                                g_variant_new ("(s)", "find-state"));
      g_autoptr (GVariant) states = NULL;
      g_autoptr (GVariant) value = NULL;
      guint current;
      guint n_hits;
      gboolean is_busy;

      g_assert_nonnull (reply);
      g_variant_get (reply, "((bg@av))", NULL, NULL, &states);
      g_variant_get_child (states, 0, "v", &value);
      g_variant_get (value, "(&suub)", NULL, &current, &n_hits, &is_busy);
      if (!is_busy && current == wanted && n_hits == wanted_hits)
        return;
      g_usleep (20000);
    }
  g_error ("the search never came to hit %u of %u", wanted, wanted_hits);
}

static void
test_hits_are_counted_and_walked (void)
{
  driver_act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, NULL, 0, 4));
  driver_act (1, "find-text", g_variant_new_string ("MAIL.example"));
  driver_act (1, "find-next", NULL);
  wait_for_hit (1, 7);
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (1), "the hit is selected");
  driver_act (1, "find-next", NULL);
  wait_for_hit (2, 7);
  driver_act (1, "find-previous", NULL);
  driver_act (1, "find-previous", NULL);
  wait_for_hit (7, 7);
  driver_act (1, "set-filter", g_variant_new_string ("failed=true"));
  wait_for_hit (0, 1);
  driver_act (1, "escape", NULL);
  wait_for_hit (0, 0);
  driver_act (1, "set-filter", g_variant_new_string (""));
  driver_wait_for (1, driver_rows_are, GUINT_TO_POINTER (27), "all rows are back");
  driver_act (1, "escape", NULL);
}

static void
test_what_was_copied_is_gone_to (void)
{
  const gint64 span[] = { 4000000000, 7000000000 };

  driver_act (1, "go-to-text", g_variant_new_string ("#t=4+3;table=activities;row=2"));
  driver_wait_for (1, span_is, span, "three seconds are in view");
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (1), "the row is selected");
  driver_act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, NULL, 0, 4));
  driver_act (1, "go-to-text", g_variant_new_string (" files.example.net "));
  driver_wait_for (1,
                   driver_selected_are,
                   GUINT_TO_POINTER (1),
                   "a row of that server is selected");
  driver_act (1, "go-to-text", g_variant_new_string ("#t=nonsense+-5;row=0"));
  driver_wait_for (1, span_is, span, "nonsense changes nothing");
  driver_act (1, "escape", NULL);
  driver_act (1, "zoom-whole", NULL);
}

static void
test_selected_rows_only_are_exported (void)
{
  const guint32 rows[] = { 3, 5 };
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  driver_act (1,
              "select-rows",
              g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, rows, 2, sizeof (guint32)));
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (2), "two rows are selected");
  text = export_rows (1, "two.tsv");
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  driver_act (1,
              "select-rows",
              g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, rows, 0, sizeof (guint32)));
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (0), "nothing is selected");
}

static void
test_a_wrong_filter_keeps_the_rows (void)
{
  DriverState state;

  driver_act (1, "set-filter", g_variant_new_string ("nosuchfield>=3"));
  g_assert_true (driver_read_state (1, &state));
  g_assert_cmpstr (state.filter, ==, "");
  g_assert_cmpuint (state.n_rows, ==, 27);
  driver_state_clear (&state);
  driver_act (1, "set-filter", g_variant_new_string (""));
}

static void
test_zooming_counts_nothing_differently (void)
{
  const gint64 span[] = { 2000000000, 5000000000 };
  DriverState state;

  driver_act (1, "zoom-span", g_variant_new ("(xx)", span[0], span[1]));
  driver_act (1, "show-tab", g_variant_new_string ("activities"));
  driver_act (1,
              "select-rows",
              /* The bar of this row is visible; another one would scroll the timeline. */
              g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 7 }, 1, 4));
  driver_wait_for (1, span_is, span, "three seconds are in view");
  g_assert_true (driver_read_state (1, &state));
  g_assert_cmpuint (state.n_rows, ==, 27);
  driver_state_clear (&state);
  driver_act (1, "zoom-in", NULL);
  driver_act (1, "zoom-whole", NULL);
}

static void
test_every_table_can_be_shown (void)
{
  static const char *const tables[] = { "dns", "tcp", "winsock", "calls", "events", "activities" };
  DriverState empty;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      DriverState state;

      driver_act (1, "show-tab", g_variant_new_string (tables[i]));
      g_assert_true (driver_read_state (1, &state));
      g_assert_cmpstr (state.table, ==, tables[i]);
      g_assert_cmpuint (state.n_rows, >, 0);
      driver_state_clear (&state);
    }
  /* The empty table of a missing layer says which events are missing. */
  driver_act (1, "show-tab", g_variant_new_string ("chromium"));
  g_assert_true (driver_read_state (1, &empty));
  g_assert_cmpstr (empty.table, ==, "chromium");
  g_assert_cmpuint (empty.n_rows, ==, 0);
  driver_state_clear (&empty);
  driver_act (1, "show-tab", g_variant_new_string ("activities"));
  driver_act (1, "info", NULL);
  driver_wait_for (1, driver_page_is, "info", "the trace information is shown");
  driver_act (1, "info", NULL);
  driver_wait_for (1, driver_page_is, "trace", "the trace is shown again");
}

/* Activates an action on the event in the panel until the panel shows it. */
static void
choose_in_event (const char *action, GVariant *what, const char *name, guint begin, guint size)
{
  gint64 until_us = g_get_monotonic_time () + DRIVER_PATIENCE_US;
  g_autoptr (GVariant) kept = g_variant_ref_sink (what);

  while (g_get_monotonic_time () < until_us)
    {
      g_autoptr (GVariant) reply = NULL;
      g_autoptr (GVariant) states = NULL;
      g_autoptr (GVariant) value = NULL;
      const char *chosen;
      guint chosen_begin;
      guint chosen_size;

      driver_act (1, action, kept);
      reply = driver_call (DRIVER_APP_PATH "/window/1", "Describe", g_variant_new ("(s)", "event"));
      g_assert_nonnull (reply);
      g_variant_get (reply, "((bg@av))", NULL, NULL, &states);
      g_variant_get_child (states, 0, "v", &value);
      g_variant_get (value, "(uu&s&suu)", NULL, NULL, &chosen, NULL, &chosen_begin, &chosen_size);
      if (g_strcmp0 (chosen, name) == 0)
        {
          g_assert_cmpuint (chosen_begin, ==, begin);
          g_assert_cmpuint (chosen_size, ==, size);
          return;
        }
      g_usleep (20000);
    }
  g_error ("%s never came to be chosen", name);
}

static void
test_a_field_and_its_bytes_are_one (void)
{
  driver_act (1, "show-tab", g_variant_new_string ("events"));
  driver_act (1,
              "go-to",
              g_variant_new ("(su)",
                             "events",
                             69)); /* AfdConnectExWithAddress, an event with a manifest */
  driver_wait_for (1, driver_selected_are, GUINT_TO_POINTER (1), "a record is selected");
  choose_in_event ("choose-field", g_variant_new_string ("Endpoint"), "Endpoint", 96, 8);
  choose_in_event ("choose-byte", g_variant_new_uint32 (90), "Process", 88, 8);
  choose_in_event ("choose-byte", g_variant_new_uint32 (41), "ID", 40, 2);
  choose_in_event ("choose-field", g_variant_new_string ("Activity ID"), "Activity ID", 64, 16);
  driver_act (1, "show-tab", g_variant_new_string ("activities"));
}

static void
test_a_refused_file_harms_nothing_else (void)
{
  g_autofree char *path = g_build_filename (driver_get_folder (), "not-a-trace.etl", NULL);
  g_autoptr (GSubprocess) second = NULL;

  g_assert_true (g_file_set_contents (path, "SELECT 1;\n", -1, NULL));
  second = driver_start_program (path);
  g_assert_true (g_subprocess_wait (second, NULL, NULL));
  driver_wait_for (2, driver_page_is, "error", "the refusal is shown");
  driver_wait_for (1, driver_page_is, "trace", "the first trace is still shown");
}

static void
test_an_open_file_is_not_opened_twice (void)
{
  g_autoptr (GSubprocess) again = driver_start_program (g_getenv ("NETSTITCH_SAMPLE"));
  g_autoptr (GSubprocess) linked = NULL;
  g_autofree char *folder = g_dir_make_tmp ("netstitch-XXXXXX", NULL);
  g_autofree char *link = g_build_filename (folder, "link.etl", NULL);
  DriverState state;

  g_assert_true (g_subprocess_wait (again, NULL, NULL));
  g_assert_false (driver_read_state (3, &state));
  /* Nor through a symbolic link. */
  g_assert_cmpint (symlink (g_getenv ("NETSTITCH_SAMPLE"), link), ==, 0);
  linked = driver_start_program (link);
  g_assert_true (g_subprocess_wait (linked, NULL, NULL));
  g_assert_false (driver_read_state (3, &state));
  g_assert_cmpint (g_unlink (link), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  driver_act (2, "close", NULL);
}

static void
open_uri (const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autoptr (GVariant) reply = NULL;
  GVariantBuilder parameters;

  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&parameters, "v", g_variant_new_string (uri));
  reply = driver_call (DRIVER_APP_PATH,
                       "Activate",
                       g_variant_new ("(sava{sv})", "open-uri", &parameters, NULL));
  g_assert_nonnull (reply);
}

/* A copy of the sample is opened, zoomed, closed and opened again under another name. */
static void
test_a_view_comes_back_with_its_trace (void)
{
  const gint64 span[] = { 2000000000, 5000000000 };
  g_autofree char *first = g_build_filename (driver_get_folder (), "first.etl", NULL);
  g_autofree char *second = g_build_filename (driver_get_folder (), "second.etl", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (first, bytes, (gssize) length, NULL));
  g_assert_true (g_file_set_contents (second, bytes, (gssize) length, NULL));
  open_uri (first);
  driver_wait_for (3, driver_page_is, "trace", "the copy is shown");
  driver_act (3, "set-filter", g_variant_new_string ("failed=true"));
  driver_wait_for (3, driver_rows_are, GUINT_TO_POINTER (3), "three failed rows are shown");
  driver_act (3, "zoom-span", g_variant_new ("(xx)", span[0], span[1]));
  driver_act (3, "hide-lane", NULL);
  driver_act (3, "pin-lane", NULL);
  driver_act (3, "bookmark", NULL);
  driver_act (3, "close", NULL);

  open_uri (second);
  driver_wait_for (4, driver_page_is, "trace", "the other copy is shown");
  driver_wait_for (4, filter_is, "failed=true", "the filter has come back");
  driver_wait_for (4, driver_rows_are, GUINT_TO_POINTER (3), "three failed rows are shown again");
  driver_wait_for (4, span_is, span, "the zoom has come back");
  driver_act (4, "reset-view", NULL);
  driver_wait_for (4, driver_rows_are, GUINT_TO_POINTER (27), "all rows are shown");
  driver_act (4, "show-lanes", NULL);
  driver_act (4, "close", NULL);
}

static gboolean
is_settled (const DriverState *state, gconstpointer data)
{
  return strcmp (state->page, "trace") == 0 || strcmp (state->page, "error") == 0;
}

/* Opens a file in a window of its own, visits every table, and closes it. */
static void
look_through (const char *path, guint window)
{
  static const char *const tables[] = { "activities", "dns",       "tcp",      "winsock",
                                        "webio",      "wininet",   "chromium", "kernel-network",
                                        "tasks",      "calls",     "packets",  "processes",
                                        "threads",    "providers", "events" };
  gint64 begin_us = g_get_monotonic_time ();
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autoptr (GVariant) reply = NULL;
  GVariantBuilder parameters;
  DriverState state;
  guint i;

  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&parameters, "v", g_variant_new_string (uri));
  reply = driver_call (DRIVER_APP_PATH,
                       "Activate",
                       g_variant_new ("(sava{sv})", "open-uri", &parameters, NULL));
  g_assert_nonnull (reply);
  driver_wait_for (window, is_settled, NULL, path);
  g_test_message ("%s: settled after %" G_GINT64_FORMAT " ms",
                  path,
                  (g_get_monotonic_time () - begin_us) / 1000);
  g_assert_true (driver_read_state (window, &state));
  for (i = 0; i < G_N_ELEMENTS (tables) && strcmp (state.page, "trace") == 0; i++)
    {
      driver_act (window, "show-tab", g_variant_new_string (tables[i]));
      driver_act (window,
                  "select-rows",
                  g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 0, 2 }, 2, 4));
      driver_act (window, "zoom-row", NULL);
    }
  if (strcmp (state.page, "trace") == 0)
    driver_act (window, "info", NULL);
  driver_state_clear (&state);
  driver_act (window, "close", NULL);
}

static void
test_every_real_trace_is_shown_or_refused (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  guint window = 5; /* window numbers ascend */

  if (dir == NULL)
    {
      g_test_skip ("there are no traces to look at");
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".etl") || g_str_has_suffix (name, ".zip"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        look_through (path, window++);
      }
}

static void
add_tests (void)
{
  g_test_add_func ("/window/opens-a-trace", test_opens_a_trace);
  g_test_add_func ("/window/exports-what-the-command-line-prints",
                   test_exports_what_the_command_line_prints);
  g_test_add_func ("/window/a-filter-can-be-taken-back", test_a_filter_can_be_taken_back);
  g_test_add_func ("/window/a-value-makes-a-filter", test_a_value_makes_a_filter);
  g_test_add_func ("/window/a-condition-joins-the-filter", test_a_condition_joins_the_filter);
  g_test_add_func ("/window/a-frame-of-the-tree-filters-the-table",
                   test_a_frame_of_the_tree_filters_the_table);
  g_test_add_func ("/window/chips-are-switched-off-and-taken-back",
                   test_chips_are_switched_off_and_taken_back);
  g_test_add_func ("/window/a-value-joins-others", test_a_value_joins_others);
  g_test_add_func ("/window/back-and-forward-go-through-what-was-shown",
                   test_back_and_forward_go_through_what_was_shown);
  g_test_add_func ("/window/hits-are-counted-and-walked", test_hits_are_counted_and_walked);
  g_test_add_func ("/window/what-was-copied-is-gone-to", test_what_was_copied_is_gone_to);
  g_test_add_func ("/window/selected-rows-only-are-exported", test_selected_rows_only_are_exported);
  g_test_add_func ("/window/a-wrong-filter-keeps-the-rows", test_a_wrong_filter_keeps_the_rows);
  g_test_add_func ("/window/zooming-counts-nothing-differently",
                   test_zooming_counts_nothing_differently);
  g_test_add_func ("/window/every-table-can-be-shown", test_every_table_can_be_shown);
  g_test_add_func ("/window/a-field-and-its-bytes-are-one", test_a_field_and_its_bytes_are_one);
  g_test_add_func ("/window/a-refused-file-harms-nothing-else",
                   test_a_refused_file_harms_nothing_else);
  g_test_add_func ("/window/an-open-file-is-not-opened-twice",
                   test_an_open_file_is_not_opened_twice);
  g_test_add_func ("/window/a-view-comes-back-with-its-trace",
                   test_a_view_comes_back_with_its_trace);
  g_test_add_func ("/window/every-real-trace-is-shown-or-refused",
                   test_every_real_trace_is_shown_or_refused);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  return driver_run ("window", add_tests);
}
