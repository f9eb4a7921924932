/* The files of the trace in a window: more of them, fewer, and folders.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "draw/ns-coverage-paint.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-window-private.h"
#include "ui/sheets/ns-log-sheet.h"

#include <glib/gi18n.h>
#include <string.h>

/* Has the logs of the shown trace read as they were, but for what is @changed, when it is loaded
 * next. */
void
ns_window_keep_log_clocks (NsWindow *self, const NsLogClock *changed)
{
  g_clear_pointer (&self->log_offsets, g_free);
  g_clear_pointer (&self->log_columns, g_free);
  if (self->session != NULL)
    ns_log_clocks_list (ns_session_get_trace (self->session),
                        changed,
                        &self->log_offsets,
                        &self->log_columns);
}

/* Reads the trace again from these files, and leaves what was chosen in it. */
static void
read_again (NsWindow *self, GPtrArray *files, const NsLogClock *changed)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->pages));
  gboolean is_info = g_strcmp0 (page, "info") == 0;

  if (files->len == 0)
    return;
  ns_window_keep_log_clocks (self, changed);
  ns_window_load_files (self, (GFile **) files->pdata, files->len);
  self->is_regathered = TRUE;
  self->is_regathered_from_info = is_info;
}

static void
gather_again (NsWindow *self, GPtrArray *files)
{
  read_again (self, files, NULL);
}

static gboolean
has_file (const GPtrArray *files, GFile *file)
{
  guint i;

  for (i = 0; i < files->len; i++)
    if (g_file_equal (g_ptr_array_index (files, i), file))
      return TRUE;
  return FALSE;
}

static void
add_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GListModel) chosen = gtk_file_chooser_get_files (chooser);
  g_autoptr (GPtrArray) files = ns_window_list_files (self);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (chosen); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (chosen, i);

      if (!has_file (files, file))
        g_ptr_array_add (files, g_steal_pointer (&file));
    }
  gather_again (self, files);
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

/* What is read of a folder is named file by file once one of them is taken out. */
static void
remove_file_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const char *path = g_variant_get_string (parameter, NULL);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  const NsEtlFile *trace_file;
  const GPtrArray *logs;
  guint i;

  if (self->session == NULL)
    return;
  trace_file = ns_session_get_trace (self->session)->file;
  logs = ns_session_get_trace (self->session)->logs;
  for (i = 0; i < ns_etl_file_get_n_inputs (trace_file); i++)
    {
      const char *one = ns_etl_file_get_path (ns_etl_file_get_input (trace_file, i));
      g_autoptr (GFile) file = g_file_new_for_path (one);

      if (g_strcmp0 (one, path) != 0 && !has_file (files, file))
        g_ptr_array_add (files, g_steal_pointer (&file));
    }
  for (i = 0; i < logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (logs, i);

      if (g_strcmp0 (log->path, path) != 0)
        g_ptr_array_add (files, g_file_new_for_path (log->path));
    }
  gather_again (self, files);
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

/* A table whose times are not found has no lines: of each it is asked once which column they are
 * in, and the answer is kept with the view. */
void
ns_window_ask_time_column (NsWindow *self)
{
  NsLogClock clock;
  char **columns;
  const char *path;

  if (self->asked_columns == NULL)
    self->asked_columns = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  path = ns_log_clocks_find_unknown (ns_session_get_trace (self->session), self->asked_columns);
  if (path == NULL)
    return;
  g_hash_table_add (self->asked_columns, g_strdup (path));
  if (ns_log_clocks_find (ns_session_get_trace (self->session), path, &clock, &columns))
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
  read_again (self, files, &clock);
}

/* Adds what changes the files of a trace. */
void
ns_window_add_files_actions (NsWindow *self)
{
  static const GActionEntry entries[] = {
    { "add-files", add_files_cb, NULL, NULL, NULL, { 0 } },
    { "open-folder", open_folder_cb, NULL, NULL, NULL, { 0 } },
    { "remove-file", remove_file_cb, "s", NULL, NULL, { 0 } },
    { "log-clock", log_clock_cb, "s", NULL, NULL, { 0 } },
    { "read-log", read_log_cb, "(sxs)", NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
