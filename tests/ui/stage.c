/* A virtual screen that shows a single widget, without the program's window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include <signal.h>
#include <sys/prctl.h>

/* Timeout of each wait on a slow machine. */
#define PATIENCE_US (30 * G_USEC_PER_SEC)

/* Ends the virtual screen with the test, even if the test fails. */
static void
die_with_parent (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* (transfer full) (nullable): starts a virtual screen and makes it the display of this process. */
static GSubprocess *
start_screen (void)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *program = g_find_program_in_path ("Xvfb");
  g_autoptr (GSubprocess) screen = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autofree char *number = NULL;
  g_autofree char *display = NULL;

  if (program == NULL)
    return NULL;
  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  screen = g_subprocess_launcher_spawn (launcher,
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
  if (screen == NULL)
    return NULL;
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (screen));
  number = g_data_input_stream_read_line (lines, NULL, NULL, NULL);
  if (number == NULL)
    return NULL;
  display = g_strdup_printf (":%s", number);
  g_setenv ("DISPLAY", display, TRUE);
  return g_steal_pointer (&screen);
}

static void
test_skipped (void)
{
  g_test_skip ("there is no Xvfb to show a widget on");
}

/* Runs tests on a virtual screen of their own, with the accessible names of widgets available. */
int
stage_run (int argc, char **argv, void (*add_tests) (void))
{
  g_autoptr (GSubprocess) screen = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  g_setenv ("GDK_BACKEND", "x11", TRUE);
  g_setenv ("GTK_A11Y", "test", TRUE);
  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  screen = start_screen ();
  if (screen == NULL || !gtk_init_check ())
    g_test_add_func ("/skipped", test_skipped);
  else
    add_tests ();
  status = g_test_run ();
  if (screen != NULL)
    g_subprocess_force_exit (screen);
  return status;
}

/* (transfer full): a session of the sample trace in its initial state. */
NsSession *
stage_session_new (void)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return ns_session_new (trace, NULL);
}

/* (transfer full): a window that contains @widget and provides @actions as window actions. */
GtkWidget *
stage_show (GtkWidget *widget, GActionMap *actions)
{
  GtkWidget *window = gtk_window_new ();

  if (actions != NULL)
    gtk_widget_insert_action_group (window, "win", G_ACTION_GROUP (actions));
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

/* (nullable): the first descendant of this type; @css_class: (nullable): required class. */
GtkWidget *
stage_find (GtkWidget *root, GType type, const char *css_class)
{
  GtkWidget *child;

  if (g_type_is_a (G_OBJECT_TYPE (root), type) &&
      (css_class == NULL || gtk_widget_has_css_class (root, css_class)))
    return root;
  for (child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = stage_find (child, type, css_class);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Returns the button with this label or tooltip. */
GtkWidget *
stage_find_button (GtkWidget *root, const char *name)
{
  GtkWidget *child;

  if (GTK_IS_BUTTON (root) && (g_strcmp0 (gtk_widget_get_tooltip_text (root), name) == 0 ||
                               g_strcmp0 (gtk_button_get_label (GTK_BUTTON (root)), name) == 0))
    return root;
  for (child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = stage_find_button (child, name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Activates a window action, as a key or a menu does. */
void
stage_act (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *name = g_strconcat ("win.", action, NULL);

  g_assert_true (gtk_widget_activate_action_variant (widget, name, parameter));
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Runs the main loop until the condition holds. */
void
stage_wait (StageCondition condition, gpointer data, const char *what)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  guint wake_id = g_timeout_add (20, wake_cb, NULL);

  while (!condition (data))
    {
      if (g_get_monotonic_time () > until_us)
        g_error ("waited in vain: %s", what);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (wake_id);
}
