/* Starts a window on a virtual screen and a D-Bus of its own, and drives it by its actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "window-driver.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#define BUS_NAME "org.netstitch.Netstitch"

static struct
{
  GSubprocess *screen;
  GSubprocess *window;
  GTestDBus *test_bus;
  GDBusConnection *bus;
  char *folder;
  char *display;
  char **environment; /* additional variables for the window only */
  gint64 start_us;
} world;

/* Ends child processes with the test, even if the test fails. */
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

/* Calls a D-Bus method of the program or of one of its windows. */
GVariant *
driver_call (const char *path, const char *method, GVariant *parameters)
{
  return g_dbus_connection_call_sync (world.bus,
                                      BUS_NAME,
                                      path,
                                      "org.gtk.Actions",
                                      method,
                                      parameters,
                                      NULL,
                                      G_DBUS_CALL_FLAGS_NO_AUTO_START,
                                      30000,
                                      NULL,
                                      NULL);
}

/* Returns the state of an action, or %NULL if there is no such window or action. */
GVariant *
driver_read_action (guint window, const char *action)
{
  g_autofree char *path = g_strdup_printf (DRIVER_APP_PATH "/window/%u", window);
  g_autoptr (GVariant) reply = driver_call (path, "Describe", g_variant_new ("(s)", action));
  g_autoptr (GVariant) states = NULL;
  GVariant *value = NULL;

  if (reply == NULL)
    return NULL;
  g_variant_get (reply, "((bg@av))", NULL, NULL, &states);
  if (g_variant_n_children (states) == 1)
    g_variant_get_child (states, 0, "v", &value);
  return value;
}

/* Reads the state of the window; returns %FALSE if there is no window yet. */
gboolean
driver_read_state (guint window, DriverState *state)
{
  g_autoptr (GVariant) value = driver_read_action (window, "state");

  memset (state, 0, sizeof *state);
  if (value == NULL)
    return FALSE;
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

void
driver_state_clear (DriverState *state)
{
  g_clear_pointer (&state->page, g_free);
  g_clear_pointer (&state->table, g_free);
  g_clear_pointer (&state->filter, g_free);
}

/* Activates an action of a window. */
void
driver_act (guint window, const char *action, GVariant *parameter)
{
  g_autofree char *path = g_strdup_printf (DRIVER_APP_PATH "/window/%u", window);
  g_autoptr (GVariant) reply = NULL;
  GVariantBuilder parameters;

  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  if (parameter != NULL)
    g_variant_builder_add (&parameters, "v", parameter);
  reply = driver_call (path, "Activate", g_variant_new ("(sava{sv})", action, &parameters, NULL));
  g_assert_nonnull (reply);
}

/* Polls until the condition holds; there is no signal for "settled". */
void
driver_wait_for (guint window, DriverCondition condition, gconstpointer data, const char *what)
{
  gint64 until_us = g_get_monotonic_time () + DRIVER_PATIENCE_US;

  while (g_get_monotonic_time () < until_us)
    {
      DriverState state;
      gboolean is_so = driver_read_state (window, &state) && condition (&state, data);

      driver_state_clear (&state);
      if (is_so)
        return;
      g_usleep (20000);
    }
  g_error ("the window never came to: %s", what);
}

gboolean
driver_page_is (const DriverState *state, gconstpointer page)
{
  return strcmp (state->page, page) == 0;
}

gboolean
driver_rows_are (const DriverState *state, gconstpointer n_rows)
{
  return state->n_rows == GPOINTER_TO_UINT (n_rows);
}

gboolean
driver_selected_are (const DriverState *state, gconstpointer n_rows)
{
  return state->n_selected == GPOINTER_TO_UINT (n_rows);
}

/* Starts the program with a file; it hands the file over to a running instance, if any. */
GSubprocess *
driver_start_program (const char *file)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  GSubprocess *program;
  guint i;

  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  for (i = 0; world.environment != NULL && world.environment[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (world.environment[i], "=", 2);

      g_subprocess_launcher_setenv (launcher, parts[0], parts[1], TRUE);
    }
  g_subprocess_launcher_setenv (launcher, "DISPLAY", world.display, TRUE);
  g_subprocess_launcher_setenv (launcher, "GDK_BACKEND", "x11", TRUE);
  g_subprocess_launcher_setenv (launcher, "GSK_RENDERER", "cairo", TRUE);
  g_subprocess_launcher_setenv (launcher, "GTK_A11Y", "none", TRUE);
  g_subprocess_launcher_setenv (launcher, "GSETTINGS_BACKEND", "memory", TRUE);
  g_subprocess_launcher_setenv (launcher, "G_DEBUG", "fatal-criticals", TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", world.folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", world.folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "XDG_RUNTIME_DIR", world.folder, TRUE);
  program = g_subprocess_launcher_spawn (launcher, NULL, g_getenv ("NETSTITCH"), file, NULL);
  g_assert_nonnull (program);
  return program;
}

/* Sets an environment variable of the next started window only. */
void
driver_setenv (const char *name, const char *value)
{
  world.environment = g_environ_setenv (world.environment, name, value, TRUE);
}

/* Shows @file in a window of its own; returns %FALSE without a display. */
gboolean
driver_start (const char *file)
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
  world.start_us = g_get_monotonic_time ();
  world.window = driver_start_program (file);
  return TRUE;
}

/* Ends all started processes. */
void
driver_stop (void)
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
  g_clear_pointer (&world.environment, g_strfreev);
}

/* Returns the folder that the window may write to. */
const char *
driver_get_folder (void)
{
  return world.folder;
}

/* Returns the display, for programs that send key presses. */
const char *
driver_get_display (void)
{
  return world.display;
}

/* Returns the g_get_monotonic_time() of the start of the window. */
gint64
driver_get_start_us (void)
{
  return world.start_us;
}

static void
test_skipped (void)
{
  g_test_skip ("there is no Xvfb to show a window on");
}

/* Runs tests with a window that shows the sample, or skips them without a display. */
int
driver_run (const char *name, void (*add_tests) (void))
{
  g_autofree char *skipped = g_strdup_printf ("/%s/skipped", name);
  int status;

  if (driver_start (g_getenv ("NETSTITCH_SAMPLE")))
    add_tests ();
  else
    g_test_add_func (skipped, test_skipped);
  status = g_test_run ();
  driver_stop ();
  return status;
}
