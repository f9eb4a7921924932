/* The application: a single instance with one window per trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secret-names.h"
#include "base/ns-secrets.h"
#include "model/ns-session-findings.h"
#include "ui/ns-application.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-theme.h"
#include "ui/ns-window.h"
#include "ui/sheets/ns-preferences.h"

#include <glib/gi18n.h>
#include <stdlib.h>

/* Registration is retried while a previous instance exits: number of attempts, and the pause
 * between them in ms. */
#define MAX_REGISTER_TRIES 100
#define REGISTER_PAUSE_MS 100

struct _NsApplication
{
  GtkApplication parent_instance;
  GString *config_problems; /* problems of the user's configuration files, one per line */
};

G_DEFINE_FINAL_TYPE (NsApplication, ns_application, GTK_TYPE_APPLICATION)

/* Returns whether two files are the same, also when one is reached through a symbolic link, as
 * downloads and mounted folders often are. */
static gboolean
is_same_file (GFile *a, GFile *b)
{
  const char *path_a = g_file_peek_path (a);
  const char *path_b = g_file_peek_path (b);
  g_autofree char *real_a = NULL;
  g_autofree char *real_b = NULL;

  if (g_file_equal (a, b))
    return TRUE;
  /* Remote files are not resolved, because that could block. */
  if (path_a == NULL || path_b == NULL || !g_file_is_native (a) || !g_file_is_native (b))
    return FALSE;
  real_a = realpath (path_a, NULL);
  real_b = realpath (path_b, NULL);
  return real_a != NULL && g_strcmp0 (real_a, real_b) == 0;
}

/* Returns the window that shows a file, else an empty window, else NULL. */
static NsWindow *
find_window (GtkApplication *application, GFile *file)
{
  GList *at;
  NsWindow *empty = NULL;

  for (at = gtk_application_get_windows (application); at != NULL; at = at->next)
    {
      GFile *shown;

      if (!NS_IS_WINDOW (at->data))
        continue;
      shown = ns_window_get_file (at->data);
      if (shown != NULL && is_same_file (shown, file))
        return at->data;
      if (empty == NULL && ns_window_is_empty (at->data))
        empty = at->data;
    }
  return empty;
}

static gboolean
shows_all (NsWindow *window, GFile *const *files, guint n_files)
{
  g_autoptr (GPtrArray) shown = ns_window_list_files (window);
  guint i;

  if (shown->len != n_files)
    return FALSE;
  for (i = 0; i < n_files; i++)
    if (!is_same_file (g_ptr_array_index (shown, i), files[i]))
      return FALSE;
  return TRUE;
}

/* Opens files as one trace in one window. */
static void
open_view (GtkApplication *application, GFile *const *files, guint n_files, GVariant *view)
{
  GFile *file = files[0];
  NsWindow *window = find_window (application, file);
  GFile *shown;

  if (window == NULL)
    window = ns_window_new (application);
  shown = ns_window_get_file (window);
  /* A window that already shows the file is only raised; a failed load is retried. */
  if (shown == NULL || !is_same_file (shown, file) || ns_window_is_empty (window) ||
      (n_files > 1 && !shows_all (window, files, n_files)))
    ns_window_load_files (window, files, n_files);
  if (view != NULL)
    ns_window_ask_view (window, view);
  gtk_window_present (GTK_WINDOW (window));
}

static void
open_file (GtkApplication *application, GFile *file)
{
  open_view (application, &file, 1, NULL);
}

/* Opens local files together as one trace, and each remote file in a window of its own. */
static void
open_all (GtkApplication *application, GFile *const *files, guint n_files, GVariant *view)
{
  gboolean is_here = TRUE;
  guint i;

  for (i = 0; i < n_files; i++)
    is_here = is_here && g_file_peek_path (files[i]) != NULL;
  if (is_here && n_files > 0)
    {
      open_view (application, files, n_files, view);
      return;
    }
  for (i = 0; i < n_files; i++)
    open_view (application, &files[i], 1, view);
}

static void
ns_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  open_all (GTK_APPLICATION (application), files, (guint) n_files, NULL);
}

/* Reports a problem of a configuration file to stderr, and keeps it for the windows to show. */
static void
report_config_problem (NsApplication *self, const char *what, const GError *error)
{
  g_printerr ("%s: %s\n", what, error->message);
  if (self->config_problems->len > 0)
    g_string_append_c (self->config_problems, '\n');
  /* Translators: what a file of settings is for, and which of its lines are wrong. */
  g_string_append_printf (self->config_problems, _ ("Not used – %s: %s"), what, error->message);
}

/* Sets whether traces opened from now on show secrets, and reads the user's list of secret
 * names. */
static gboolean
take_secrets (gboolean is_shown, GError **error)
{
  NsSecrets *secrets = ns_secrets_new (is_shown);
  gboolean is_read = ns_secret_names_add_default_file (secrets, error);

  ns_view_context_set_secrets (ns_settings_get_view (), secrets);
  return is_read;
}

static void
read_settings (NsApplication *self)
{
  g_autoptr (GError) names = NULL;
  g_autoptr (GError) thresholds = NULL;

  if (!take_secrets (FALSE, &names))
    report_config_problem (self, _ ("names of secrets"), names);
  if (!ns_session_read_thresholds (ns_settings_get_view (), &thresholds))
    report_config_problem (self, _ ("thresholds of findings"), thresholds);
}

/**
 * ns_application_get_config_problems:
 * @self: the application
 *
 * Returns: (transfer none): the problems of the user's configuration files, one per line; empty
 *   if there are none
 */
const char *
ns_application_get_config_problems (NsApplication *self)
{
  g_return_val_if_fail (NS_IS_APPLICATION (self), "");

  return self->config_problems->str;
}

static void
ns_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window == NULL)
    window = GTK_WINDOW (ns_window_new (GTK_APPLICATION (application)));
  gtk_window_present (window);
}

/* Handles the command line of this process, and those forwarded by later instances. */
static int
ns_application_command_line (GApplication *application, GApplicationCommandLine *line)
{
  GVariantDict *options = g_application_command_line_get_options_dict (line);
  g_autoptr (GVariant) view = g_variant_ref_sink (g_variant_dict_end (options));
  g_autofree const char **files = NULL;
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean wants_secrets = FALSE;
  guint i;

  if (g_variant_lookup (view, "include-secrets", "b", &wants_secrets) && wants_secrets)
    take_secrets (TRUE, NULL);
  if (!g_variant_lookup (view, G_OPTION_REMAINING, "^a&ay", &files))
    {
      g_application_activate (application);
      return 0;
    }
  for (i = 0; files[i] != NULL; i++)
    g_ptr_array_add (all, g_application_command_line_create_file_for_arg (line, files[i]));
  open_all (GTK_APPLICATION (application), (GFile **) all->pdata, all->len, view);
  return 0;
}

static void
new_window_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (GTK_WINDOW (ns_window_new (GTK_APPLICATION (data))));
}

/* Handles a click on a notification. */
static void
present_window_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window =
      gtk_application_get_window_by_id (GTK_APPLICATION (data), g_variant_get_uint32 (parameter));

  /* The window may have been closed since. */
  if (window != NULL)
    gtk_window_present (window);
}

static void
open_uri_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  open_file (GTK_APPLICATION (data), file);
}

/* Opens a file at a position in its trace, in the window that shows it or in a new one. */
static void
open_at_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GVariant) view = NULL;
  g_autoptr (GFile) file = NULL;
  GVariantDict dict;
  const char *place;
  const char *uri;

  g_variant_get (parameter, "(&s&s)", &uri, &place);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "go", "s", place);
  view = g_variant_ref_sink (g_variant_dict_end (&dict));
  file = g_file_new_for_uri (uri);
  open_view (GTK_APPLICATION (data), &file, 1, view);
}

static void
sample_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *folder = g_getenv ("NETSTITCH_DATA_DIR");
  g_autofree char *path =
      g_build_filename (folder != NULL ? folder : PKGDATADIR, "sample.etl.zip", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  open_file (GTK_APPLICATION (data), file);
}

/* Closes the trace windows, or all other windows. It iterates over a copy, because closing
 * changes the application's list. */
static void
close_some (GtkApplication *application, gboolean of_traces)
{
  g_autolist (GtkWindow) windows = NULL;
  GList *at;

  for (at = gtk_application_get_windows (application); at != NULL; at = at->next)
    if (NS_IS_WINDOW (at->data) == of_traces)
      windows = g_list_prepend (windows, g_object_ref (at->data));
  for (at = windows; at != NULL; at = at->next)
    gtk_window_close (at->data);
}

/* Closes the trace windows, then all others. A trace window destroys its dialogs, so no
 * reference to a dialog may be held meanwhile. The preferences window does not belong to a trace
 * window and remains until the second pass. */
static gboolean
close_windows (gpointer data)
{
  close_some (data, TRUE);
  close_some (data, FALSE);
  return G_SOURCE_REMOVE;
}

/* Quits in an idle callback: GTK holds a reference to the dialog that received the key press
 * until the event is handled, and a dialog must not outlive its parent window. */
static void
quit_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, close_windows, g_object_ref (data), g_object_unref);
}

static void
help_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (data));
  GtkWidget *focus = window != NULL ? gtk_window_get_focus (window) : NULL;

  ns_help_show (window, ns_help_get_page (focus != NULL ? focus : GTK_WIDGET (window)));
}

static void
help_page_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_help_show (gtk_application_get_active_window (GTK_APPLICATION (data)),
                g_variant_get_string (parameter, NULL));
}

/* Creates the dialog anew each time, for the reason given at ns_help_show_keys(). */
static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *parent = gtk_application_get_active_window (GTK_APPLICATION (data));
  GtkWindow *dialog = g_object_new (GTK_TYPE_ABOUT_DIALOG,
                                    "program-name",
                                    "Netstitch",
                                    "logo-icon-name",
                                    NS_APP_ID,
                                    "version",
                                    NS_VERSION,
                                    "comments",
                                    _ ("Windows network traces on Linux"),
                                    "license-type",
                                    GTK_LICENSE_GPL_3_0,
                                    "modal",
                                    TRUE,
                                    "transient-for",
                                    parent,
                                    NULL);

  gtk_window_present (dialog);
}

static void
style_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  GSettings *settings = ns_settings_get ();
  const char *style = g_variant_get_string (state, NULL);

  if (g_strcmp0 (style, "light") != 0 && g_strcmp0 (style, "dark") != 0)
    style = "system";
  ns_theme_set_style (style);
  g_simple_action_set_state (action, g_variant_new_string (style));
  if (settings != NULL)
    g_settings_set_string (settings, "style", style);
}

static void
preferences_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (
      ns_preferences_new (gtk_application_get_active_window (GTK_APPLICATION (data))));
}

static const GActionEntry entries[] = {
  { "preferences", preferences_cb, NULL, NULL, NULL, { 0 } },
  { "new-window", new_window_cb, NULL, NULL, NULL, { 0 } },
  { "present-window", present_window_cb, "u", NULL, NULL, { 0 } },
  { "open-uri", open_uri_cb, "s", NULL, NULL, { 0 } },
  { "open-at", open_at_cb, "(ss)", NULL, NULL, { 0 } },
  { "sample", sample_cb, NULL, NULL, NULL, { 0 } },
  { "quit", quit_cb, NULL, NULL, NULL, { 0 } },
  { "help", help_cb, NULL, NULL, NULL, { 0 } },
  { "help-page", help_page_cb, "s", NULL, NULL, { 0 } },
  { "about", about_cb, NULL, NULL, NULL, { 0 } },
  { "style", NULL, "s", "'system'", style_cb, { 0 } },
};

static const struct
{
  const char *action;
  const char *keys[4];
} accels[] = {
  { "win.open", { "<Control>o" } },
  { "win.add-files", { "<Shift><Control>o" } },
  { "win.close", { "<Control>w" } },
  { "app.quit", { "<Control>q" } },
  { "app.new-window", { "<Control>n" } },
  { "win.focus-filter", { "<Control>l" } },
  { "win.find", { "<Control>f" } },
  { "win.call-tree", { "<Control>t" } },
  { "win.find-next", { "<Control>g" } },
  { "win.find-previous", { "<Shift><Control>g" } },
  { "win.undo-filter", { "<Control>z" } },
  { "win.back", { "<Alt>Left" } },
  { "win.forward", { "<Alt>Right" } },
  { "win.copy", { "<Control>c" } },
  { "win.copy-stack", { "<Shift><Control>c" } },
  { "win.paste-go", { "<Shift><Control>v" } },
  { "win.export", { "<Control>s" } },
  { "win.print", { "<Control>p" } },
  { "win.columns", { "<Control>e" } },
  { "win.info", { "<Control>i" } },
  { "win.compare", { "<Control>d" } },
  { "app.preferences", { "<Control>comma" } },
  { "app.help", { "F1" } },
  { "win.show-help-overlay", { "<Control>question" } },
  { "win.next-part(1)", { "F6" } },
  { "win.next-part(-1)", { "<Shift>F6" } },
  { "win.panel", { "F9" } },
  { "win.timeline", { "F7" } },
  { "win.event-pane", { "<Shift>F9" } },
  { "win.fullscreen", { "F11" } },
  { "win.zoom-whole", { "<Control>0" } },
  { "win.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" } },
  { "win.zoom-out", { "<Control>minus", "<Control>KP_Subtract" } },
  { "win.escape", { "Escape" } },
  { "win.reload", { "F5" } },
  { "win.step-row(-1)", { "<Alt>Up" } },
  { "win.step-row(1)", { "<Alt>Down" } },
};

static void
add_accels (GtkApplication *application)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (application, accels[i].action, accels[i].keys);
  for (i = 0; i < 9; i++)
    {
      g_autofree char *action = g_strdup_printf ("win.nth-tab(%u)", i);
      g_autofree char *key = g_strdup_printf ("<Alt>%u", i + 1);
      const char *keys[] = { key, NULL };

      gtk_application_set_accels_for_action (application, action, keys);
    }
}

/* Checks for a display before GTK does: gtk_init() exits with a message about GTK's backends
 * only. */
static void
need_display (void)
{
  if (gtk_init_check ())
    return;
  g_printerr (
      "%s\n",
      _ ("netstitch: cannot open a display; netstitch-cli shows the same rows in a terminal"));
  exit (NS_APPLICATION_NO_DISPLAY);
}

static void
ns_application_startup (GApplication *application)
{
  GSettings *settings;

  need_display ();
  G_APPLICATION_CLASS (ns_application_parent_class)->startup (application);
  read_settings (NS_APPLICATION (application));
  gtk_window_set_default_icon_name (NS_APP_ID);
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (gdk_display_get_default ()),
                                    "/org/netstitch/Netstitch/icons");
  ns_theme_install ();
  /* Moving the keyboard focus to a label does not select its text. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  g_action_map_add_action_entries (G_ACTION_MAP (application),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   application);
  add_accels (GTK_APPLICATION (application));
  ns_settings_apply_symbols ();
  ns_settings_apply_places (NULL); /* errors are shown in the preferences */
  settings = ns_settings_get ();
  if (settings != NULL)
    {
      g_autofree char *style = g_settings_get_string (settings, "style");

      g_action_group_change_action_state (G_ACTION_GROUP (application),
                                          "style",
                                          g_variant_new_string (style));
    }
}

/* Returns whether the error means that the running instance is exiting. With a large trace that
 * takes a while, during which the process owns its D-Bus name but answers no calls. */
static gboolean
is_ending (const GError *error)
{
  static const GDBusError answers[] = {
    G_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_OBJECT,  G_DBUS_ERROR_UNKNOWN_INTERFACE,
    G_DBUS_ERROR_NO_REPLY,       G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (answers); i++)
    if (g_error_matches (error, G_DBUS_ERROR, (int) answers[i]))
      return TRUE;
  return FALSE;
}

/* Registers the application, and waits for an exiting instance to release the name. Other errors
 * are reported by the registration that GApplication attempts next. */
static void
register_patiently (GApplication *application)
{
  guint i;

  for (i = 0; i < MAX_REGISTER_TRIES; i++)
    {
      g_autoptr (GError) error = NULL;

      if (g_application_register (application, NULL, &error) || !is_ending (error))
        return;
      g_usleep (REGISTER_PAUSE_MS * 1000);
    }
}

static int
ns_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("netstitch %s\n", NS_VERSION);
      return 0;
    }
  register_patiently (application);
  return -1;
}

static void
ns_application_shutdown (GApplication *application)
{
  if (gdk_display_get_default () != NULL)
    ns_handed_files_remove_all (ns_settings_get_handed_files ());
  G_APPLICATION_CLASS (ns_application_parent_class)->shutdown (application);
}

static void
ns_application_finalize (GObject *object)
{
  g_string_free (NS_APPLICATION (object)->config_problems, TRUE);
  G_OBJECT_CLASS (ns_application_parent_class)->finalize (object);
}

static void
ns_application_class_init (NsApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ns_application_finalize;
  application_class->startup = ns_application_startup;
  application_class->shutdown = ns_application_shutdown;
  application_class->activate = ns_application_activate;
  application_class->open = ns_application_open;
  application_class->command_line = ns_application_command_line;
  application_class->handle_local_options = ns_application_handle_local_options;
}

static void
ns_application_init (NsApplication *self)
{
  static const GOptionEntry options[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
    { "table",
      0,
      0,
      G_OPTION_ARG_STRING,
      NULL,
      N_ ("Table to show, named as in netstitch-cli"),
      N_ ("NAME") },
    { "filter",
      0,
      0,
      G_OPTION_ARG_STRING,
      NULL,
      N_ ("Show only the rows that match"),
      N_ ("EXPRESSION") },
    { "sort", 0, 0, G_OPTION_ARG_STRING, NULL, N_ ("Sort order of rows"), N_ ("FIELD[,-FIELD]") },
    { "go",
      0,
      0,
      G_OPTION_ARG_STRING,
      NULL,
      N_ ("Go to a time, an address, a link or other pasted text"),
      N_ ("PLACE") },
    { "include-secrets",
      0,
      0,
      G_OPTION_ARG_NONE,
      NULL,
      N_ ("Show passwords, cookies and tokens in traces opened from now on"),
      NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  self->config_problems = g_string_new (NULL);
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FILE…]"));
}

/**
 * ns_application_new:
 *
 * Returns: (transfer full): the application
 */
NsApplication *
ns_application_new (void)
{
  return g_object_new (NS_TYPE_APPLICATION,
                       "application-id",
                       NS_APP_ID,
                       "flags",
                       G_APPLICATION_HANDLES_OPEN | G_APPLICATION_HANDLES_COMMAND_LINE,
                       NULL);
}
