/* Claims about the real window, on a screen of its own: what its actions do, and that it agrees
 * with the command line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#define BUS_NAME "org.netstitch.Netstitch"
#define APP_PATH "/org/netstitch/Netstitch"
/* How long anything may take on a slow machine before the test gives up. */
#define PATIENCE_US (30 * G_USEC_PER_SEC)

static struct
{
  GSubprocess *screen;
  GSubprocess *window;
  GTestDBus *test_bus;
  GDBusConnection *bus;
  char *folder;
  char *display;
} world;

/* What the window says of itself. */
typedef struct
{
  char *page;
  char *table;
  char *filter;
  guint n_rows;
  guint n_selected;
  gint64 begin_ns;
  gint64 end_ns;
} State;

static void
state_clear (State *state)
{
  g_clear_pointer (&state->page, g_free);
  g_clear_pointer (&state->table, g_free);
  g_clear_pointer (&state->filter, g_free);
}

/* What the test started ends with it, also when it fails. */
static void
die_with_parent (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static gboolean
start_screen (void)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *program = g_find_program_in_path ("Xvfb");
  g_autoptr (GDataInputStream) lines = NULL;
  g_autofree char *number = NULL;

  if (program == NULL)
    return FALSE;
  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  world.screen = g_subprocess_launcher_spawn (launcher,
                                              NULL,
                                              program,
                                              "-displayfd",
                                              "1",
                                              "-screen",
                                              "0",
                                              "1400x900x24",
                                              "-noreset",
                                              "-nolisten",
                                              "tcp",
                                              NULL);
  if (world.screen == NULL)
    return FALSE;
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (world.screen));
  number = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  if (number == NULL)
    return FALSE;
  world.display = g_strdup_printf (":%s", number);
  return TRUE;
}

static GVariant *
call (const char *path, const char *method, GVariant *parameters)
{
  return g_dbus_connection_call_sync (world.bus,
                                      BUS_NAME,
                                      path,
                                      "org.gtk.Actions",
                                      method,
                                      parameters,
                                      NULL,
                                      G_DBUS_CALL_FLAGS_NO_AUTO_START,
                                      5000,
                                      NULL,
                                      NULL);
}

static gboolean
read_state (guint window, State *state)
{
  g_autofree char *path = g_strdup_printf (APP_PATH "/window/%u", window);
  g_autoptr (GVariant) reply = call (path, "Describe", g_variant_new ("(s)", "state"));
  g_autoptr (GVariant) states = NULL;
  g_autoptr (GVariant) value = NULL;

  memset (state, 0, sizeof *state);
  if (reply == NULL)
    return FALSE;
  g_variant_get (reply, "((bg@av))", NULL, NULL, &states);
  if (g_variant_n_children (states) != 1)
    return FALSE;
  g_variant_get_child (states, 0, "v", &value);
  g_variant_get (value,
                 "(sssuuxx)",
                 &state->page,
                 &state->table,
                 &state->filter,
                 &state->n_rows,
                 &state->n_selected,
                 &state->begin_ns,
                 &state->end_ns);
  return TRUE;
}

static void
act (guint window, const char *action, GVariant *parameter)
{
  g_autofree char *path = g_strdup_printf (APP_PATH "/window/%u", window);
  g_autoptr (GVariant) reply = NULL;
  GVariantBuilder parameters;

  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  if (parameter != NULL)
    g_variant_builder_add (&parameters, "v", parameter);
  reply = call (path, "Activate", g_variant_new ("(sava{sv})", action, &parameters, NULL));
  g_assert_nonnull (reply);
}

typedef gboolean (*Condition) (const State *state, gconstpointer data);

/* Looks until the window is as wanted; there is no signal for "settled". */
static void
wait_for (guint window, Condition condition, gconstpointer data, const char *what)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

  while (g_get_monotonic_time () < until_us)
    {
      State state;
      gboolean is_so = read_state (window, &state) && condition (&state, data);

      state_clear (&state);
      if (is_so)
        return;
      g_usleep (20000);
    }
  g_error ("the window never came to: %s", what);
}

static gboolean
page_is (const State *state, gconstpointer page)
{
  return strcmp (state->page, page) == 0;
}

static gboolean
rows_are (const State *state, gconstpointer n_rows)
{
  return state->n_rows == GPOINTER_TO_UINT (n_rows);
}

static gboolean
selected_are (const State *state, gconstpointer n_rows)
{
  return state->n_selected == GPOINTER_TO_UINT (n_rows);
}

static gboolean
filter_is (const State *state, gconstpointer filter)
{
  return strcmp (state->filter, filter) == 0;
}

static gboolean
span_is (const State *state, gconstpointer span)
{
  const gint64 *wanted = span;

  return state->begin_ns == wanted[0] && state->end_ns == wanted[1];
}

static GSubprocess *
start_program (const char *file, const char *second)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  GSubprocess *program;

  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  g_subprocess_launcher_setenv (launcher, "DISPLAY", world.display, TRUE);
  g_subprocess_launcher_setenv (launcher, "GDK_BACKEND", "x11", TRUE);
  g_subprocess_launcher_setenv (launcher, "GSK_RENDERER", "cairo", TRUE);
  g_subprocess_launcher_setenv (launcher, "GTK_A11Y", "none", TRUE);
  g_subprocess_launcher_setenv (launcher, "GSETTINGS_BACKEND", "memory", TRUE);
  g_subprocess_launcher_setenv (launcher, "G_DEBUG", "fatal-criticals", TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", world.folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", world.folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_RUNTIME_DIR", world.folder, TRUE);
  program =
      g_subprocess_launcher_spawn (launcher, NULL, g_getenv ("NETSTITCH"), file, second, NULL);
  g_assert_nonnull (program);
  return program;
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

/* Exports through the window and waits for the file, which appears whole. */
static char *
export_rows (guint window, const char *name)
{
  g_autofree char *path = g_build_filename (world.folder, name, NULL);
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  char *text = NULL;

  g_unlink (path);
  act (window, "export-to", g_variant_new_string (path));
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
  wait_for (1, page_is, "trace", "the trace is shown");
}

static void
test_exports_what_the_command_line_prints (void)
{
  g_autofree char *window_rows = NULL;
  g_autofree char *columns = NULL;
  g_autofree char *cli_rows = NULL;

  act (1, "sort", g_variant_new_string ("-duration_ns,open_ns"));
  act (1, "set-filter", g_variant_new_string ("failed=true"));
  wait_for (1, filter_is, "failed=true", "the filter is set");
  wait_for (1, rows_are, GUINT_TO_POINTER (3), "three failed rows are shown");
  window_rows = export_rows (1, "failed.csv");
  columns = header_of (window_rows);
  cli_rows =
      cli_output (g_getenv ("NETSTITCH_SAMPLE"), columns, "failed=true", "-duration_ns,open_ns");
  g_assert_cmpstr (window_rows, ==, cli_rows);
  act (1, "set-filter", g_variant_new_string (""));
  wait_for (1, filter_is, "", "the filter is gone");
}

static void
test_a_filter_can_be_taken_back (void)
{
  act (1, "set-filter", g_variant_new_string ("failed=true"));
  act (1, "set-filter", g_variant_new_string ("pid=1"));
  wait_for (1, rows_are, GUINT_TO_POINTER (0), "no row matches");
  act (1, "undo-filter", NULL);
  wait_for (1, rows_are, GUINT_TO_POINTER (3), "the failed rows are back");
  act (1, "undo-filter", NULL);
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_a_value_makes_a_filter (void)
{
  act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 0 }, 1, 4));
  act (1, "only-value", NULL);
  wait_for (1, rows_are, GUINT_TO_POINTER (7), "only the rows of that server are shown");
  wait_for (1, filter_is, "server=\"mail.example.com\"", "the filter says so");
  act (1, "undo-filter", NULL);
  act (1, "without-value", NULL);
  wait_for (1, rows_are, GUINT_TO_POINTER (20), "all other rows are shown");
  act (1, "undo-filter", NULL);
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

/* The tree over the whole window is of the rows shown, and goes when one of its frames is chosen.
 */
static void
test_a_frame_of_the_tree_filters_the_table (void)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  State state = { 0 };

  act (1, "only-frame", g_variant_new_string ("OUTLOOK.EXE+0x1f0"));
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "without the tree nothing is chosen");
  act (1, "call-tree", NULL);
  /* The tree is made behind the window's back. */
  while (state.n_rows != 9 && g_get_monotonic_time () < end_us)
    {
      state_clear (&state);
      act (1, "only-frame", g_variant_new_string ("OUTLOOK.EXE+0x1f0"));
      g_usleep (G_USEC_PER_SEC / 5);
      g_assert_true (read_state (1, &state));
    }
  /* The way to it, not every way through it. */
  g_assert_true (g_str_has_prefix (state.filter, "stack_path=\""));
  g_assert_true (g_str_has_suffix (state.filter, ";OUTLOOK.EXE+0x1f0\""));
  state_clear (&state);
  act (1, "set-filter", g_variant_new_string (""));
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

/* What a frame's menu does: a condition more, beside an alternative in brackets. */
static void
test_a_condition_joins_the_filter (void)
{
  act (1, "add-condition", g_variant_new_string ("stack:none"));
  wait_for (1, rows_are, GUINT_TO_POINTER (9), "rows without a stack");
  act (1, "set-filter", g_variant_new_string ("pid=4312 or pid=7720"));
  act (1, "add-condition", g_variant_new_string ("-stack=\"OUTLOOK.EXE+0x1f0\""));
  wait_for (1, rows_are, GUINT_TO_POINTER (5), "both hold together");
  act (1, "set-filter", g_variant_new_string (""));
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_chips_are_switched_off_and_taken_back (void)
{
  act (1, "type-filter", g_variant_new_string ("failed=true pid=4312"));
  act (1, "chip-take", NULL);
  wait_for (1, filter_is, "failed=true pid=4312", "two chips filter");
  act (1, "chip-toggle", g_variant_new_uint32 (1));
  wait_for (1, filter_is, "failed=true", "one chip is off");
  wait_for (1, rows_are, GUINT_TO_POINTER (3), "three failed rows are shown");
  act (1, "chip-toggle", g_variant_new_uint32 (1));
  act (1, "chip-remove", g_variant_new_uint32 (0));
  wait_for (1, filter_is, "pid=4312", "the other chip is left");
  act (1, "undo-filter", NULL);
  wait_for (1, filter_is, "failed=true pid=4312", "the chip is back");
  act (1, "chip-edit", g_variant_new_uint32 (1));
  act (1, "type-filter", g_variant_new_string ("pid=1"));
  wait_for (1, filter_is, "failed=true pid=1", "a chip is text again");
  act (1, "chip-keep", g_variant_new_uint32 (0));
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_a_value_joins_others (void)
{
  act (1, "set-filter", g_variant_new_string ("server=\"files.example.net\""));
  wait_for (1, filter_is, "server=\"files.example.net\"", "rows of one server are shown");
  /* A row that the filter hides, as it is chosen where it stands dimmed in the lanes. */
  act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 0 }, 1, 4));
  act (1, "also-value", NULL);
  wait_for (1,
            filter_is,
            "(server=\"files.example.net\" or server=\"mail.example.com\")",
            "rows of two servers are shown");
  act (1, "set-filter", g_variant_new_string (""));
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "all rows are back");
}

static void
test_back_and_forward_go_through_what_was_shown (void)
{
  const gint64 zoom[] = { 1000000000, 3000000000 };
  gint64 whole[2];
  State state;
  guint i;

  act (1, "zoom-whole", NULL);
  g_assert_true (read_state (1, &state));
  whole[0] = state.begin_ns;
  whole[1] = state.end_ns;
  state_clear (&state);
  act (1, "zoom-span", g_variant_new ("(xx)", zoom[0], zoom[1]));
  act (1, "set-filter", g_variant_new_string ("failed=true"));
  act (1, "select-span", g_variant_new ("(xx)", zoom[0], zoom[1]));
  act (1, "back", NULL);
  wait_for (1, filter_is, "failed=true", "the selected span alone is gone");
  act (1, "back", NULL);
  wait_for (1, filter_is, "", "the filter is gone");
  wait_for (1, span_is, zoom, "the zoom is not");
  act (1, "forward", NULL);
  wait_for (1, filter_is, "failed=true", "the filter is there again");
  for (i = 0; i < 50; i++)
    act (1, "back", NULL);
  wait_for (1, span_is, whole, "the start shows the whole trace");
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "and all rows");
}

/* Waits for a search: which hit of how many. */
static void
wait_for_hit (guint wanted, guint wanted_hits)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

  while (g_get_monotonic_time () < until_us)
    {
      g_autoptr (GVariant) reply =
          call (APP_PATH "/window/1", "Describe", g_variant_new ("(s)", "find-state"));
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
  act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, NULL, 0, 4));
  act (1, "find-text", g_variant_new_string ("MAIL.example"));
  act (1, "find-next", NULL);
  wait_for_hit (1, 7);
  wait_for (1, selected_are, GUINT_TO_POINTER (1), "the hit is selected");
  act (1, "find-next", NULL);
  wait_for_hit (2, 7);
  act (1, "find-previous", NULL);
  act (1, "find-previous", NULL);
  wait_for_hit (7, 7);
  act (1, "set-filter", g_variant_new_string ("failed=true"));
  wait_for_hit (0, 1);
  act (1, "escape", NULL);
  wait_for_hit (0, 0);
  act (1, "set-filter", g_variant_new_string (""));
  wait_for (1, rows_are, GUINT_TO_POINTER (27), "all rows are back");
  act (1, "escape", NULL);
}

static void
test_what_was_copied_is_gone_to (void)
{
  const gint64 span[] = { 2000000000, 5000000000 };

  act (1, "go-to-text", g_variant_new_string ("#t=2+3;table=activities;row=2"));
  wait_for (1, span_is, span, "three seconds are in view");
  wait_for (1, selected_are, GUINT_TO_POINTER (1), "the row is selected");
  act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, NULL, 0, 4));
  act (1, "go-to-text", g_variant_new_string (" files.example.net "));
  wait_for (1, selected_are, GUINT_TO_POINTER (1), "a row of that server is selected");
  act (1, "go-to-text", g_variant_new_string ("#t=nonsense+-5;row=0"));
  wait_for (1, span_is, span, "nonsense changes nothing");
  act (1, "escape", NULL);
  act (1, "zoom-whole", NULL);
}

static void
test_selected_rows_only_are_exported (void)
{
  const guint32 rows[] = { 3, 5 };
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  act (1,
       "select-rows",
       g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, rows, 2, sizeof (guint32)));
  wait_for (1, selected_are, GUINT_TO_POINTER (2), "two rows are selected");
  text = export_rows (1, "two.tsv");
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  act (1,
       "select-rows",
       g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, rows, 0, sizeof (guint32)));
  wait_for (1, selected_are, GUINT_TO_POINTER (0), "nothing is selected");
}

static void
test_a_wrong_filter_keeps_the_rows (void)
{
  State state;

  act (1, "set-filter", g_variant_new_string ("nosuchfield>=3"));
  g_assert_true (read_state (1, &state));
  g_assert_cmpstr (state.filter, ==, "");
  g_assert_cmpuint (state.n_rows, ==, 27);
  state_clear (&state);
  act (1, "set-filter", g_variant_new_string (""));
}

static void
test_zooming_counts_nothing_differently (void)
{
  const gint64 span[] = { 2000000000, 5000000000 };
  State state;

  act (1, "zoom-span", g_variant_new ("(xx)", span[0], span[1]));
  act (1, "show-tab", g_variant_new_string ("activities"));
  act (1, "select-rows", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 1 }, 1, 4));
  wait_for (1, span_is, span, "three seconds are in view");
  g_assert_true (read_state (1, &state));
  g_assert_cmpuint (state.n_rows, ==, 27);
  state_clear (&state);
  act (1, "zoom-in", NULL);
  act (1, "zoom-whole", NULL);
}

static void
test_every_table_can_be_shown (void)
{
  static const char *const tables[] = { "dns", "tcp", "winsock", "calls", "events", "activities" };
  State empty;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      State state;

      act (1, "show-tab", g_variant_new_string (tables[i]));
      g_assert_true (read_state (1, &state));
      g_assert_cmpstr (state.table, ==, tables[i]);
      g_assert_cmpuint (state.n_rows, >, 0);
      state_clear (&state);
    }
  /* A layer that the trace lacks has its place too: there it is said what is missing. */
  act (1, "show-tab", g_variant_new_string ("chromium"));
  g_assert_true (read_state (1, &empty));
  g_assert_cmpstr (empty.table, ==, "chromium");
  g_assert_cmpuint (empty.n_rows, ==, 0);
  state_clear (&empty);
  act (1, "show-tab", g_variant_new_string ("activities"));
  act (1, "info", NULL);
  wait_for (1, page_is, "info", "the trace information is shown");
  act (1, "info", NULL);
  wait_for (1, page_is, "trace", "the trace is shown again");
}

/* Does something with the record in the panel until the panel has come to show it. */
static void
choose_in_event (const char *action, GVariant *what, const char *name, guint begin, guint size)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  g_autoptr (GVariant) kept = g_variant_ref_sink (what);

  while (g_get_monotonic_time () < until_us)
    {
      g_autoptr (GVariant) reply = NULL;
      g_autoptr (GVariant) states = NULL;
      g_autoptr (GVariant) value = NULL;
      const char *chosen;
      guint chosen_begin;
      guint chosen_size;

      act (1, action, kept);
      reply = call (APP_PATH "/window/1", "Describe", g_variant_new ("(s)", "event"));
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
  act (1, "show-tab", g_variant_new_string ("events"));
  act (1,
       "go-to",
       g_variant_new ("(su)", "events", 69)); /* AfdConnectExWithAddress, a manifest's event */
  wait_for (1, selected_are, GUINT_TO_POINTER (1), "a record is selected");
  choose_in_event ("choose-field", g_variant_new_string ("Endpoint"), "Endpoint", 96, 8);
  choose_in_event ("choose-byte", g_variant_new_uint32 (90), "Process", 88, 8);
  choose_in_event ("choose-byte", g_variant_new_uint32 (41), "ID", 40, 2);
  choose_in_event ("choose-field", g_variant_new_string ("Activity ID"), "Activity ID", 64, 16);
  act (1, "show-tab", g_variant_new_string ("activities"));
}

static void
test_a_refused_file_harms_nothing_else (void)
{
  g_autofree char *path = g_build_filename (world.folder, "not-a-trace.etl", NULL);
  g_autoptr (GSubprocess) second = NULL;

  g_assert_true (g_file_set_contents (path, "SELECT 1;\n", -1, NULL));
  second = start_program (path, NULL);
  g_assert_true (g_subprocess_wait (second, NULL, NULL));
  wait_for (2, page_is, "error", "the refusal is shown");
  wait_for (1, page_is, "trace", "the first trace is still shown");
}

static void
test_an_open_file_is_not_opened_twice (void)
{
  g_autoptr (GSubprocess) again = start_program (g_getenv ("NETSTITCH_SAMPLE"), NULL);
  State state;

  g_assert_true (g_subprocess_wait (again, NULL, NULL));
  g_assert_false (read_state (3, &state));
  act (2, "close", NULL);
}

static void
open_uri (const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autoptr (GVariant) reply = NULL;
  GVariantBuilder parameters;

  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&parameters, "v", g_variant_new_string (uri));
  reply = call (APP_PATH, "Activate", g_variant_new ("(sava{sv})", "open-uri", &parameters, NULL));
  g_assert_nonnull (reply);
}

/* A copy of the sample is opened, looked at closely, closed and opened under another name. */
static void
test_a_view_comes_back_with_its_trace (void)
{
  const gint64 span[] = { 2000000000, 5000000000 };
  g_autofree char *first = g_build_filename (world.folder, "first.etl", NULL);
  g_autofree char *second = g_build_filename (world.folder, "second.etl", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (first, bytes, (gssize) length, NULL));
  g_assert_true (g_file_set_contents (second, bytes, (gssize) length, NULL));
  open_uri (first);
  wait_for (3, page_is, "trace", "the copy is shown");
  act (3, "set-filter", g_variant_new_string ("failed=true"));
  wait_for (3, rows_are, GUINT_TO_POINTER (3), "three failed rows are shown");
  act (3, "zoom-span", g_variant_new ("(xx)", span[0], span[1]));
  act (3, "hide-lane", NULL);
  act (3, "pin-lane", NULL);
  act (3, "bookmark", NULL);
  act (3, "close", NULL);

  open_uri (second);
  wait_for (4, page_is, "trace", "the other copy is shown");
  wait_for (4, filter_is, "failed=true", "the filter has come back");
  wait_for (4, rows_are, GUINT_TO_POINTER (3), "three failed rows are shown again");
  wait_for (4, span_is, span, "the zoom has come back");
  act (4, "reset-view", NULL);
  wait_for (4, rows_are, GUINT_TO_POINTER (27), "all rows are shown");
  act (4, "show-lanes", NULL);
  act (4, "close", NULL);
}

static gboolean
is_settled (const State *state, gconstpointer data)
{
  return strcmp (state->page, "trace") == 0 || strcmp (state->page, "error") == 0;
}

/* Opens a file in a window of its own, looks at everything, and closes it. */
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
  State state;
  guint i;

  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&parameters, "v", g_variant_new_string (uri));
  reply = call (APP_PATH, "Activate", g_variant_new ("(sava{sv})", "open-uri", &parameters, NULL));
  g_assert_nonnull (reply);
  wait_for (window, is_settled, NULL, path);
  g_test_message ("%s: settled after %" G_GINT64_FORMAT " ms",
                  path,
                  (g_get_monotonic_time () - begin_us) / 1000);
  g_assert_true (read_state (window, &state));
  for (i = 0; i < G_N_ELEMENTS (tables) && strcmp (state.page, "trace") == 0; i++)
    {
      act (window, "show-tab", g_variant_new_string (tables[i]));
      act (window,
           "select-rows",
           g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, (guint32[]){ 0, 2 }, 2, 4));
      act (window, "zoom-row", NULL);
    }
  if (strcmp (state.page, "trace") == 0)
    act (window, "info", NULL);
  state_clear (&state);
  act (window, "close", NULL);
}

static void
test_every_real_trace_is_shown_or_refused (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  guint window = 5; /* numbered as they come */

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
stop_world (void)
{
  if (world.window != NULL)
    {
      g_subprocess_send_signal (world.window, 15);
      g_subprocess_wait (world.window, NULL, NULL);
      g_clear_object (&world.window);
    }
  g_clear_object (&world.bus);
  if (world.test_bus != NULL)
    g_test_dbus_down (world.test_bus);
  g_clear_object (&world.test_bus);
  if (world.screen != NULL)
    {
      g_subprocess_send_signal (world.screen, 15);
      g_subprocess_wait (world.screen, NULL, NULL);
      g_clear_object (&world.screen);
    }
  g_free (world.display);
  g_free (world.folder);
}

static void
test_skipped (void)
{
  g_test_skip ("there is no Xvfb to show a window on");
}

static gboolean
start_world (void)
{
  g_autofree char *daemon = g_find_program_in_path ("dbus-daemon");

  if (daemon == NULL || !start_screen ())
    return FALSE;
  world.folder = g_dir_make_tmp ("netstitch-ui-XXXXXX", NULL);
  world.test_bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (world.test_bus);
  world.bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_assert_nonnull (world.bus);
  g_dbus_connection_set_exit_on_close (world.bus, FALSE);
  world.window = start_program (g_getenv ("NETSTITCH_SAMPLE"), NULL);
  return TRUE;
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  if (!start_world ())
    {
      g_test_add_func ("/window/skipped", test_skipped);
      status = g_test_run ();
      stop_world ();
      return status;
    }
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
  status = g_test_run ();
  stop_world ();
  return status;
}
