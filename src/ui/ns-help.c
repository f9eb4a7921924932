/* Context help: the help page of each part of the window, and how it is opened.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-help.h"

#include "ui/ns-accessible.h"

#include <glib/gi18n.h>

#define PAGE_KEY "ns-help-page"
#define KEYS_RESOURCE "/org/netstitch/Netstitch/help-overlay.ui"
/* Width of the title of a shortcut at which it wraps; two columns are then less than 900 px wide.
 */
#define TITLE_CHARS 26

/**
 * ns_help_set_page:
 * @widget: a widget or window
 * @page: (nullable): the ID of its help page, not copied
 *
 * Sets the help page of a widget.
 */
void
ns_help_set_page (GtkWidget *widget, const char *page)
{
  g_object_set_data (G_OBJECT (widget), PAGE_KEY, (gpointer) page);
}

/**
 * ns_help_set_popover_page:
 * @popover: a popover
 * @page: (nullable): the ID of its help page, not copied; %NULL for the page of its parent
 *
 * Lets F1 open the help page in @popover: an open popover keeps key events from the window, so that
 * the application's accelerators do not work.
 */
void
ns_help_set_popover_page (GtkWidget *popover, const char *page)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_F1, 0),
                                                          gtk_named_action_new ("app.help")));
  gtk_widget_add_controller (popover, keys);
  if (page != NULL)
    ns_help_set_page (popover, page);
}

/**
 * ns_help_get_page:
 * @widget: (nullable): the focused widget
 *
 * Returns: (nullable): the help page of @widget or its closest ancestor with one
 */
const char *
ns_help_get_page (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      const char *page = g_object_get_data (G_OBJECT (widget), PAGE_KEY);

      if (page != NULL && gtk_widget_get_visible (widget))
        return page;
    }
  return NULL;
}

/* Returns the URI of the HTML version of a help page, NULL if it is not installed. */
static char *
dup_web_page (const char *page)
{
  const char *folder = g_getenv ("NETSTITCH_DATA_DIR");
  g_autofree char *name = g_strconcat (page != NULL ? page : "index", ".html", NULL);
  g_autofree char *path =
      g_build_filename (folder != NULL ? folder : PKGDATADIR, "html", name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_filename_to_uri (path, NULL, NULL) : NULL;
}

static gboolean
has_pages (const char *data_folder)
{
  const char *const *languages = g_get_language_names ();
  guint i;

  for (i = 0; languages[i] != NULL; i++)
    {
      g_autofree char *path =
          g_build_filename (data_folder, "help", languages[i], "netstitch", "index.page", NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether there is a help viewer that can find the pages. Viewers search the system and
 * user data directories only, which do not include a private installation prefix. */
static gboolean
has_viewer (void)
{
  g_autoptr (GAppInfo) viewer = g_app_info_get_default_for_uri_scheme ("help");
  const char *const *folders = g_get_system_data_dirs ();
  gboolean are_found = has_pages (g_get_user_data_dir ());
  guint i;

  for (i = 0; folders[i] != NULL && !are_found; i++)
    are_found = has_pages (folders[i]);
  return viewer != NULL && are_found;
}

/**
 * ns_help_show:
 * @parent: (nullable): the parent window
 * @page: (nullable): the ID of a help page; %NULL for the first page
 *
 * Shows a page in the desktop's help viewer, or in the web browser if there is no viewer that can
 * find the pages.
 */
void
ns_help_show (GtkWindow *parent, const char *page)
{
  g_autofree char *uri = has_viewer () ? NULL : dup_web_page (page);

  if (uri == NULL && page != NULL)
    uri = g_strconcat ("help:netstitch/", page, NULL);
  gtk_show_uri (parent, uri != NULL ? uri : "help:netstitch", GDK_CURRENT_TIME);
}

static gboolean
has_popover (GtkWidget *widget)
{
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && gtk_widget_get_visible (child))
      return TRUE;
  return FALSE;
}

/**
 * ns_help_has_open_menu:
 * @widget: a widget with tooltips
 *
 * Returns: whether a tooltip would cover an open popover, either of @widget or of the focused
 *   entry
 */
gboolean
ns_help_has_open_menu (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *typed = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (typed != NULL && GTK_IS_TEXT (typed))
    typed = gtk_widget_get_parent (typed);
  return has_popover (widget) || (typed != NULL && has_popover (typed));
}

/* Wraps the titles of the shortcuts, which GTK lays out in one line each: in some languages two
 * columns of them are wider than a screen. */
static void
wrap_titles (GtkWidget *widget, gboolean is_in_shortcut)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (is_in_shortcut && GTK_IS_LABEL (widget))
    {
      gtk_label_set_wrap (GTK_LABEL (widget), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (widget), TITLE_CHARS);
    }
  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_SHORTCUT_LABEL (child))
      wrap_titles (child, is_in_shortcut || GTK_IS_SHORTCUTS_SHORTCUT (widget));
}

/**
 * ns_help_show_keys:
 * @window: the parent window
 *
 * Shows the keyboard shortcuts. The window is created anew each time and destroyed when it is
 * closed, because GTK 4.8 crashes when a hidden window exists and an assistive technology requests
 * a window past the last visible one.
 */
void
ns_help_show_keys (GtkApplicationWindow *window)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (KEYS_RESOURCE);
  GtkWindow *keys = GTK_WINDOW (gtk_builder_get_object (builder, "help_overlay"));

  wrap_titles (GTK_WIDGET (keys), FALSE);
  gtk_application_window_set_help_overlay (window, GTK_SHORTCUTS_WINDOW (keys));
  gtk_window_set_hide_on_close (keys, FALSE);
  gtk_window_set_title (keys, _ ("Keyboard Shortcuts"));
  ns_accessible_set_name (GTK_WIDGET (keys), _ ("Keyboard Shortcuts"));
  gtk_window_present (keys);
  /* The pages exist only after the window was presented. */
  ns_accessible_set_buttons_names (GTK_WIDGET (keys), _ ("Search"));
}

/**
 * ns_help_button_new:
 * @page: the ID of a help page
 *
 * Returns: (transfer floating): a button that opens @page
 */
GtkWidget *
ns_help_button_new (const char *page)
{
  GtkWidget *button = ns_accessible_button_new (_ ("_Help"));

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.help-page");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", page);
  return button;
}
