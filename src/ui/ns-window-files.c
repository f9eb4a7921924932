/* Window actions that add, remove and reorder the files of a trace, and open folders.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

#include "ui/ns-file-ask.h"
#include "ui/sheets/ns-log-sheet.h"

#include <glib/gi18n.h>

/* Reloads the trace from these files, and keeps the view. */
static void
load_again (NsWindow *self, GPtrArray *files)
{
  gboolean is_info = ns_window_is_on (self, "info");

  ns_case_files_remember (self->files, files);
  ns_window_load_files (self, (GFile **) files->pdata, files->len);
  self->reason = is_info ? NS_READ_AGAIN_FROM_INFO : NS_READ_AGAIN;
}

/* Reloads the trace from these files, with the clock settings that its logs have now. */
static void
gather_again (NsWindow *self, GPtrArray *files)
{
  ns_case_files_keep_clocks (self->files,
                             self->session != NULL ? ns_session_get_trace (self->session) : NULL,
                             NULL);
  load_again (self, files);
}

static void
add_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GListModel) chosen = gtk_file_chooser_get_files (chooser);
  g_autoptr (GPtrArray) files = NULL;

  if (self->session == NULL)
    return;
  files = ns_case_files_add (self->files, ns_session_get_trace (self->session), chosen);
  if (files != NULL)
    gather_again (self, files);
  else if (g_list_model_get_n_items (chosen) > 0)
    ns_window_report (self, _ ("The selected files are already part of this trace"));
}

static void
add_files_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Add Files to This Trace"),
                                                              GTK_WINDOW (data),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN,
                                                              _ ("_Add"),
                                                              _ ("_Cancel"));

  ns_window_add_filters (GTK_FILE_CHOOSER (dialog));
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  ns_file_ask (dialog, add_chosen_cb, data);
}

static void
folder_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);

  if (file != NULL)
    g_application_open (g_application_get_default (), &file, 1, "");
}

static void
open_folder_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Open a Folder of Traces"),
                                                              GTK_WINDOW (data),
                                                              GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                                              _ ("_Open"),
                                                              _ ("_Cancel"));

  ns_file_ask (dialog, folder_chosen_cb, NULL);
}

/* Shows or hides the bar that offers to undo the removal of a file. */
static void
show_removed (NsWindow *self)
{
  const char *path = ns_case_files_get_removed (self->files);
  g_autofree char *base = path != NULL ? g_path_get_basename (path) : NULL;
  g_autofree char *name = base != NULL ? g_filename_display_name (base) : NULL;
  g_autofree char *text = NULL;

  if (name != NULL)
    /* Translators: the name of a file. */
    text = g_strdup_printf (_ ("%s was removed from this trace."), name);
  ns_notice_bars_set_removed (self->bars, text);
}

static void
remove_file_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GPtrArray) files = NULL;

  if (self->session == NULL)
    return;
  files = ns_case_files_remove (self->files,
                                ns_session_get_trace (self->session),
                                g_variant_get_string (parameter, NULL));
  if (files != NULL)
    gather_again (self, files);
}

static void
undo_remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GPtrArray) files = ns_case_files_put_back (self->files);
  g_autoptr (GPtrArray) offered = NULL;

  if (files != NULL)
    {
      load_again (self, files);
      return;
    }
  /* Not load_again(): the offered files are another trace, which has its own saved view. */
  offered = ns_case_files_take_offer (self->files);
  if (offered != NULL)
    ns_window_load_files (self, (GFile **) offered->pdata, offered->len);
}

/* Describes how the files loaded last time differ from those loaded now; NULL: they do not. */
static char *
describe (guint n_added, guint n_gone)
{
  g_autofree char *added = NULL;
  g_autofree char *gone = NULL;

  added = g_strdup_printf (ngettext ("%u file was added", "%u files were added", n_added), n_added);
  gone =
      g_strdup_printf (ngettext ("%u file was removed", "%u files were removed", n_gone), n_gone);
  if (n_added > 0 && n_gone > 0)
    /* Translators: such as “1 file was added” and “2 files were taken out”. */
    return g_strdup_printf (_ ("When this trace was last open, %s and %s."), added, gone);
  if (n_added + n_gone > 0)
    /* Translators: such as “1 file was added”. */
    return g_strdup_printf (_ ("When this trace was last open, %s."), n_added > 0 ? added : gone);
  return NULL;
}

/* Offers to load the same files as last time, if the user had added or removed files then. */
void
ns_window_offer_files (NsWindow *self)
{
  const NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;
  g_autofree char *text = NULL;
  guint n_added;
  guint n_gone;

  if (trace == NULL || !ns_case_files_offer (self->files, trace, &n_added, &n_gone))
    return;
  text = describe (n_added, n_gone);
  ns_notice_bars_set_offer (self->bars, text);
}

static void
move_file_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GPtrArray) files = NULL;
  const char *path;
  gint32 by;

  if (self->session == NULL)
    return;
  g_variant_get (parameter, "(&si)", &path, &by);
  files = ns_case_files_move (self->files, ns_session_get_trace (self->session), path, by);
  if (files != NULL)
    gather_again (self, files);
}

static void
files_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->session == NULL)
    return;
  ns_window_show_page (self, "info");
  ns_trace_info_show_files (self->info);
}

static void
log_clock_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsLogClock clock;
  char **columns;

  if (self->session != NULL && ns_log_clocks_find (ns_session_get_trace (self->session),
                                                   g_variant_get_string (parameter, NULL),
                                                   &clock,
                                                   &columns))
    ns_log_sheet_ask (GTK_WINDOW (self), &clock, columns);
}

/* Asks for the time column of a log file in which none was recognized. */
void
ns_window_ask_time_column (NsWindow *self)
{
  const NsTrace *trace = ns_session_get_trace (self->session);
  const char *path = ns_case_files_ask_column (self->files, trace);
  NsLogClock clock;
  char **columns;

  if (path != NULL && ns_log_clocks_find (trace, path, &clock, &columns))
    ns_log_sheet_ask (GTK_WINDOW (self), &clock, columns);
}

static void
read_log_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GPtrArray) files = ns_window_list_files (self);
  NsLogClock clock;

  if (self->session == NULL)
    return;
  g_variant_get (parameter, "(&sx&s)", &clock.path, &clock.offset_ns, &clock.time_column);
  if (files->len == 0)
    return;
  ns_case_files_keep_clocks (self->files, ns_session_get_trace (self->session), &clock);
  load_again (self, files);
}

/* Adds the actions of this file to a new window. */
void
ns_window_add_files_actions (NsWindow *self)
{
  static const GActionEntry entries[] = {
    { "add-files", add_files_cb, NULL, NULL, NULL, { 0 } },
    { "open-folder", open_folder_cb, NULL, NULL, NULL, { 0 } },
    { "files", files_cb, NULL, NULL, NULL, { 0 } },
    { "remove-file", remove_file_cb, "s", NULL, NULL, { 0 } },
    { "undo-remove", undo_remove_cb, NULL, NULL, NULL, { 0 } },
    { "move-file", move_file_cb, "(si)", NULL, NULL, { 0 } },
    { "log-clock", log_clock_cb, "s", NULL, NULL, { 0 } },
    { "read-log", read_log_cb, "(sxs)", NULL, NULL, { 0 } },
  };

  g_signal_connect_object (self->files,
                           "notify::removed",
                           G_CALLBACK (show_removed),
                           self,
                           G_CONNECT_SWAPPED);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
