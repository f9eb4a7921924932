/* Selection of a second trace for windows that compare or pair two traces: an open trace or any
 * file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-other-trace.h"

#include "ui/ns-accessible.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-window.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* Returns whether @window shows the trace of a file. */
static gboolean
has_trace (gpointer window)
{
  return NS_IS_WINDOW (window) && ns_window_get_trace (window) != NULL &&
         ns_window_get_file (window) != NULL;
}

static GList *
list_windows (GtkWindow *sheet)
{
  return gtk_application_get_windows (gtk_window_get_application (sheet));
}

/**
 * ns_other_trace_find:
 * @sheet: a window of the application
 * @file: a file
 *
 * Returns: (transfer none) (nullable): the trace of @file, if a window shows it
 */
NsTrace *
ns_other_trace_find (GtkWindow *sheet, GFile *file)
{
  GList *at = list_windows (sheet);

  for (; at != NULL; at = at->next)
    if (has_trace (at->data) && g_file_equal (ns_window_get_file (at->data), file))
      return ns_window_get_trace (at->data);
  return NULL;
}

/* Returns the file of the only other open trace; NULL if there are none or several. */
static GFile *
find_only (GtkWindow *sheet, GFile *ours)
{
  GList *at = list_windows (sheet);
  GFile *found = NULL;

  for (; at != NULL; at = at->next)
    {
      GFile *file = has_trace (at->data) ? ns_window_get_file (at->data) : NULL;

      if (file == NULL || g_file_equal (file, ours))
        continue;
      if (found != NULL)
        return NULL;
      found = file;
    }
  return found;
}

/* Actions of the menu button. */
typedef struct
{
  GtkWindow *sheet;
  const char *with;
  const char *choose;
} Actions;

/* Creates the menu each time it is opened, since open traces may have changed. */
static void
create_menu (GtkMenuButton *button, gpointer data)
{
  const Actions *actions = data;
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new ();
  GList *at = list_windows (actions->sheet);

  for (; at != NULL; at = at->next)
    if (has_trace (at->data))
      {
        g_autofree char *name = ns_words_file (ns_window_get_file (at->data));
        /* Doubles underscores, which would mark a mnemonic otherwise. */
        g_auto (GStrv) parts = g_strsplit (name, "_", -1);
        g_autofree char *label = g_strjoinv ("__", parts);
        g_autofree char *uri = g_file_get_uri (ns_window_get_file (at->data));
        g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

        g_menu_item_set_action_and_target (item, actions->with, "s", uri);
        g_menu_append_item (menu, item);
      }
  g_menu_append (files, _ ("Choose _File…"), actions->choose);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  gtk_menu_button_set_popover (button, ns_accessible_menu_new (G_MENU_MODEL (menu)));
}

/**
 * ns_other_trace_button_new:
 * @sheet: the window that contains the button
 * @label: the label, with a mnemonic
 * @name: the accessible name
 * @with: (transfer none): action that takes the URI of an open trace; must outlive the button
 * @choose: (transfer none): action that asks for a file; must outlive the button
 *
 * Returns: (transfer floating): a button whose menu lists the open traces and an entry that asks
 * for a file
 */
GtkWidget *
ns_other_trace_button_new (GtkWindow *sheet,
                           const char *label,
                           const char *name,
                           const char *with,
                           const char *choose)
{
  GtkWidget *button = gtk_menu_button_new ();
  Actions *actions = g_new (Actions, 1);

  *actions = (Actions){ sheet, with, choose };
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), label);
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), create_menu, actions, g_free);
  ns_accessible_set_name (button, name);
  return button;
}

typedef struct
{
  GtkWindow *sheet;
  NsOtherTraceFunc func;
} Asked;

static void
chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  const Asked *asked = data;
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);

  if (file != NULL)
    asked->func (asked->sheet, file);
}

/**
 * ns_other_trace_choose:
 * @sheet: the parent window
 * @title: the title of the dialog
 * @accept: the label of its button, with a mnemonic
 * @func: called with the chosen file; not called if the user cancels
 */
void
ns_other_trace_choose (GtkWindow *sheet,
                       const char *title,
                       const char *accept,
                       NsOtherTraceFunc func)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title,
                                                              sheet,
                                                              GTK_FILE_CHOOSER_ACTION_OPEN,
                                                              accept,
                                                              _ ("_Cancel"));
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked){ sheet, func };
  g_object_set_data_full (G_OBJECT (dialog), "ns-other-trace", asked, g_free);
  ns_window_add_filters (GTK_FILE_CHOOSER (dialog));
  ns_file_ask (dialog, chosen_cb, asked);
}

/**
 * ns_other_trace_go_to:
 * @sheet: a window that is transient for the window of a trace
 * @file: (nullable): the trace; %NULL: that of the parent window
 * @row: a row of its activities
 *
 * Shows a row in the window of its trace. Opens a window if the trace has none.
 */
void
ns_other_trace_go_to (GtkWindow *sheet, GFile *file, NsRow row)
{
  g_autofree char *place = g_strdup_printf ("#table=activities;row=%u", row);
  GtkWindow *parent = gtk_window_get_transient_for (sheet);
  g_autofree char *uri = NULL;

  if (file == NULL)
    {
      gtk_widget_activate_action (GTK_WIDGET (parent), "win.go-to-text", "s", place);
      gtk_window_present (parent);
      return;
    }
  uri = g_file_get_uri (file);
  g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (sheet)),
                                  "open-at",
                                  g_variant_new ("(ss)", uri, place));
}

/**
 * ns_other_trace_sheet_new:
 * @type: the type of the window
 * @parent: the parent window
 *
 * Returns: (transfer none) (type GtkWindow): a window that is destroyed with @parent
 */
gpointer
ns_other_trace_sheet_new (GType type, GtkWindow *parent)
{
  return g_object_new (type,
                       "transient-for",
                       parent,
                       "destroy-with-parent",
                       TRUE,
                       "application",
                       gtk_window_get_application (parent),
                       NULL);
}

/**
 * ns_other_trace_begin:
 * @sheet: the window
 * @ours: the file of the parent window's trace
 * @file: (nullable): the other trace; %NULL: the only other open trace, else a file that the user
 *   chooses
 * @func: called with @file or with the only other open trace
 * @choose: action that asks for a file
 *
 * Presents a window about two traces, and selects @file or asks for the second trace.
 */
void
ns_other_trace_begin (GtkWindow *sheet,
                      GFile *ours,
                      GFile *file,
                      NsOtherTraceFunc func,
                      const char *choose)
{
  if (file == NULL)
    file = find_only (sheet, ours);
  gtk_window_present (sheet);
  if (file != NULL)
    func (sheet, file);
  else
    gtk_widget_activate_action (GTK_WIDGET (sheet), choose, NULL);
}
