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
#include "ui/sheets/ns-trace-info.h"

#include <glib/gi18n.h>
#include <string.h>

/* So long a file that was taken out is offered back. */
#define REMOVED_S 10

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
load_again (NsWindow *self, GPtrArray *files)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->pages));
  gboolean is_info = g_strcmp0 (page, "info") == 0;
  g_autoptr (GPtrArray) named = ns_window_keep_named (self);

  ns_window_remember_files (self, named, files);
  ns_window_load_files (self, (GFile **) files->pdata, files->len);
  self->named = g_steal_pointer (&named);
  self->is_regathered = TRUE;
  self->is_regathered_from_info = is_info;
}

static void
read_again (NsWindow *self, GPtrArray *files, const NsLogClock *changed)
{
  if (files->len == 0)
    return;
  ns_window_keep_log_clocks (self, changed);
  load_again (self, files);
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

/* The files that are read, and behind them the logs, which is the order of their list. What is read
 * of a folder is named file by file. */
static GPtrArray *
list_read (NsWindow *self, guint *n_inputs)
{
  const NsTrace *trace = ns_session_get_trace (self->session);
  const GPtrArray *archives = ns_etl_file_get_log_archives (trace->file);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    {
      const char *path = ns_etl_file_get_path (ns_etl_file_get_input (trace->file, i));
      g_autoptr (GFile) file = g_file_new_for_path (path);

      if (!has_file (files, file))
        g_ptr_array_add (files, g_steal_pointer (&file));
    }
  *n_inputs = files->len;
  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);

      if (!log->is_inside)
        g_ptr_array_add (files, g_file_new_for_path (log->path));
    }
  /* Of some archives nothing but logs is read. */
  for (i = 0; archives != NULL && i < archives->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (g_ptr_array_index (archives, i));

      if (!has_file (files, file))
        g_ptr_array_add (files, g_steal_pointer (&file));
    }
  return files;
}

/* The files that are read, logs among them, each by its own name. */
GPtrArray *
ns_window_list_read (NsWindow *self)
{
  guint n_inputs;

  return list_read (self, &n_inputs);
}

static gboolean
find_file (const GPtrArray *files, const char *path, guint *number)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return g_ptr_array_find_with_equal_func ((GPtrArray *) files,
                                           file,
                                           (GEqualFunc) g_file_equal,
                                           number);
}

void
ns_window_forget_removed (NsWindow *self)
{
  g_clear_handle_id (&self->removed_id, g_source_remove);
  g_clear_pointer (&self->removed_from, g_ptr_array_unref);
  g_clear_pointer (&self->removed_offsets, g_free);
  g_clear_pointer (&self->removed_columns, g_free);
  if (self->bars != NULL)
    ns_notice_bars_set_removed (self->bars, NULL);
}

static gboolean
removed_timeout_cb (gpointer data)
{
  NsWindow *self = data;

  self->removed_id = 0;
  ns_window_forget_removed (self);
  return G_SOURCE_REMOVE;
}

/* Takes @path out of @files, and offers it for a while, with its clock as it was corrected. */
static void
remove_and_offer (NsWindow *self, GPtrArray *files, const char *path)
{
  g_autoptr (GPtrArray) before = ns_window_list_files (self);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_filename_display_name (base);
  /* Translators: the name of a file. */
  g_autofree char *text = g_strdup_printf (_ ("%s was taken out of this trace."), name);
  char *offsets;
  char *columns;

  ns_log_clocks_list (ns_session_get_trace (self->session), NULL, &offsets, &columns);
  gather_again (self, files);
  self->removed_from = g_steal_pointer (&before);
  self->removed_offsets = offsets;
  self->removed_columns = columns;
  ns_notice_bars_set_removed (self->bars, text);
  self->removed_id = g_timeout_add_seconds (REMOVED_S, removed_timeout_cb, self);
}

static void
remove_file_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const char *path = g_variant_get_string (parameter, NULL);
  g_autoptr (GPtrArray) files = NULL;
  guint n_inputs;
  guint number;

  if (self->session == NULL)
    return;
  files = list_read (self, &n_inputs);
  /* Logs alone are no trace. */
  if (!find_file (files, path, &number) || (number < n_inputs && n_inputs == 1))
    return;
  g_ptr_array_remove_index (files, number);
  remove_and_offer (self, files, path);
}

static void
undo_remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GPtrArray) files = g_steal_pointer (&self->removed_from);

  if (files == NULL)
    return;
  /* What was read last time has a view of its own. */
  if (self->named == NULL)
    {
      g_autoptr (GPtrArray) named = ns_window_list_files (self);

      ns_window_load_files (self, (GFile **) files->pdata, files->len);
      self->named = g_steal_pointer (&named);
      return;
    }
  g_free (self->log_offsets);
  g_free (self->log_columns);
  self->log_offsets = g_steal_pointer (&self->removed_offsets);
  self->log_columns = g_steal_pointer (&self->removed_columns);
  load_again (self, files);
}

static void
move_file_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GPtrArray) files = NULL;
  const char *path;
  gpointer moved;
  guint n_inputs;
  guint number;
  guint other;
  gint32 by;

  if (self->session == NULL)
    return;
  g_variant_get (parameter, "(&si)", &path, &by);
  files = list_read (self, &n_inputs);
  if (!find_file (files, path, &number))
    return;
  /* Numbers wrap round: above the first there is none. */
  other = number + (guint) by;
  if (other >= files->len || (number < n_inputs) != (other < n_inputs))
    return;
  moved = files->pdata[number];
  files->pdata[number] = files->pdata[other];
  files->pdata[other] = moved;
  gather_again (self, files);
}

static void
files_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (self->session == NULL)
    return;
  ns_window_show_page (self, "info");
  ns_trace_info_show_files (NS_TRACE_INFO (self->info));
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
    { "files", files_cb, NULL, NULL, NULL, { 0 } },
    { "remove-file", remove_file_cb, "s", NULL, NULL, { 0 } },
    { "undo-remove", undo_remove_cb, NULL, NULL, NULL, { 0 } },
    { "move-file", move_file_cb, "(si)", NULL, NULL, { 0 } },
    { "log-clock", log_clock_cb, "s", NULL, NULL, { 0 } },
    { "read-log", read_log_cb, "(sxs)", NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
