/* Opening a trace in a window: progress, its first part, and what went wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-sched-job.h"
#include "model/ns-trace-loader.h"
#include "ui/ns-settings.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* The status bar says that there are more rows to come, as long as there are. */
static void
update_reading (NsWindow *self)
{
  gboolean is_reading = self->loading != NULL && self->is_beginning && self->session != NULL;
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;
  guint n_rows;

  gtk_widget_set_visible (self->reading, is_reading);
  if (!is_reading)
    return;
  n_rows = ns_session_get_trace (self->session)->activities->len;
  count = ns_words_count (n_rows);
  /* Translators: while a trace is read: how many rows there are by now. */
  text = g_strdup_printf (ngettext ("Reading… %s row", "Reading… %s rows", n_rows), count);
  gtk_label_set_text (GTK_LABEL (self->reading), text);
}

/* Nothing was shown yet: the name goes again, and what was shown before stays. */
static void
show_nothing_read (NsWindow *self)
{
  g_autofree char *shown = ns_words_file (self->file);
  g_autofree char *text =
      g_strdup_printf (_ ("Stopped before anything of %s could be shown"), shown);

  g_ptr_array_set_size (self->beside, 0);
  if (self->session != NULL)
    g_set_object (&self->file, ns_session_get_file (self->session));
  else
    g_clear_object (&self->file);
  ns_window_update_title (self);
  ns_window_show_page (self, self->session != NULL ? "trace" : "start");
  if (self->session != NULL)
    ns_window_say (self, text);
  else
    gtk_label_set_text (GTK_LABEL (self->subtitle), text);
}

/* What was read stays and says that it is not all. */
static void
show_stopped (NsWindow *self)
{
  if (!self->is_beginning)
    {
      show_nothing_read (self);
      return;
    }
  ns_notice_bars_set_incomplete (self->bars, TRUE);
  ns_timeline_set_reading (NS_TIMELINE (self->timeline), FALSE);
  ns_crumb_bar_set_reading (self->crumb_bar, FALSE);
  ns_window_update_title (self);
  ns_window_show_page (self, "trace");
}

/* All of it is there: what was chosen while it was read stays so. */
static void
show_loaded (NsWindow *self, NsTrace *trace)
{
  gboolean was_beginning = self->is_beginning;

  self->is_beginning = FALSE;
  if ((was_beginning && ns_window_is_touched (self)) ||
      (self->is_regathered && self->session != NULL))
    ns_window_swap_trace (self, trace);
  else if (was_beginning)
    ns_window_show_later (self, trace);
  else
    ns_window_show_session (self, ns_session_new (trace, self->file));
  if (self->is_regathered && self->is_regathered_from_info)
    ns_window_show_page (self, "info");
  self->is_regathered = FALSE;
  ns_window_follow (self);
}

static void
remember_file (NsWindow *self)
{
  g_autofree char *uri = g_file_get_uri (self->file);
  gboolean is_wanted = TRUE;
  GtkRecentData data = {
    .mime_type = (char *) "application/x-etl",
    .app_name = (char *) "Netstitch",
    .app_exec = (char *) "netstitch %u",
  };

  /* GTK leaves it to the program whether the desktop wants files remembered. */
  g_object_get (gtk_settings_get_default (), "gtk-recent-files-enabled", &is_wanted, NULL);
  if (!is_wanted)
    return;
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

/* Whether the user named the file itself, rather than a folder or an archive that holds it. */
static gboolean
is_named (NsWindow *self, const NsEtlRefused *refused)
{
  guint i;

  if (refused->member != NULL)
    return FALSE;
  for (i = 0; i < self->beside->len; i++)
    if (g_strcmp0 (g_file_peek_path (g_ptr_array_index (self->beside, i)), refused->path) == 0)
      return TRUE;
  return FALSE;
}

/* Takes what belongs to another window out of what this one shows. */
static void
forget_file (NsWindow *self, const char *path)
{
  guint i;

  for (i = 0; i < self->beside->len; i++)
    if (g_strcmp0 (g_file_peek_path (g_ptr_array_index (self->beside, i)), path) == 0)
      {
        g_ptr_array_remove_index (self->beside, i);
        return;
      }
}

/* What was left out of a trace of several files is said; what the user named and another computer
 * recorded opens in a window of its own. */
static void
tell_left_out (NsWindow *self, const NsTrace *trace)
{
  const GPtrArray *refused = ns_etl_file_get_refused (trace->file);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_left_out = 0;
  guint i;

  for (i = 0; refused != NULL && i < refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);

      if (one->is_other_machine && is_named (self, one))
        {
          g_ptr_array_add (others, g_file_new_for_path (one->path));
          ns_window_add_machine (self, g_ptr_array_index (others, others->len - 1));
          forget_file (self, one->path);
        }
      else if (!one->is_repeated)
        n_left_out++;
    }
  if (n_left_out > 0)
    {
      g_autofree char *count = ns_words_count (n_left_out);
      g_autofree char *text =
          /* Translators: of several files that were to be read as one trace. */
          g_strdup_printf (ngettext ("%s file is left out: see Files in Trace Information",
                                     "%s files are left out: see Files in Trace Information",
                                     n_left_out),
                           count);

      ns_window_say (self, text);
    }
  if (others->len > 0)
    g_application_open (g_application_get_default (),
                        (GFile **) others->pdata,
                        (int) others->len,
                        "");
}

typedef struct
{
  NsWindow *window;
  GCancellable *cancellable;
} Mount;

static void
mount_free (Mount *mount)
{
  g_object_unref (mount->window);
  g_object_unref (mount->cancellable);
  g_free (mount);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Mount, mount_free)

static void
mounted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Mount) mount = user_data;
  NsWindow *self = mount->window;
  g_autoptr (GError) error = NULL;
  gboolean is_there = g_file_mount_enclosing_volume_finish (G_FILE (source), result, &error);

  /* Another file was asked for meanwhile, and holds the program now. */
  if (self->loading != mount->cancellable)
    return;
  g_clear_object (&self->loading);
  g_application_release (g_application_get_default ());
  if (gtk_window_get_application (GTK_WINDOW (self)) == NULL)
    return;
  ns_load_bar_end (self->load_bar);
  if (is_there || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_ALREADY_MOUNTED))
    {
      g_autoptr (GFile) file = g_object_ref (self->file);

      self->was_mounted = TRUE;
      ns_window_load (self, file);
    }
  /* Stopped, or the question for a name and a password was put away. */
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
           g_error_matches (error, G_IO_ERROR, G_IO_ERROR_FAILED_HANDLED))
    show_stopped (self);
  else
    ns_window_show_error (self, error);
}

/* A share of a server is connected to when something on it is opened, once for each try. */
static gboolean
mount_place (NsWindow *self, const GError *error)
{
  g_autoptr (GMountOperation) operation = NULL;
  gboolean was_mounted = self->was_mounted;
  Mount *mount;

  self->was_mounted = FALSE;
  if (was_mounted || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_MOUNTED))
    return FALSE;
  operation = gtk_mount_operation_new (GTK_WINDOW (self));
  self->loading = g_cancellable_new ();
  g_application_hold (g_application_get_default ());
  gtk_label_set_text (GTK_LABEL (self->subtitle), _ ("Connecting…"));
  ns_load_bar_show_connecting (self->load_bar);
  ns_window_show_page (self, "loading");
  ns_load_bar_focus (self->load_bar);
  mount = g_new (Mount, 1);
  mount->window = g_object_ref (self);
  mount->cancellable = g_object_ref (self->loading);
  g_file_mount_enclosing_volume (self->file,
                                 G_MOUNT_MOUNT_NONE,
                                 operation,
                                 self->loading,
                                 mounted_cb,
                                 mount);
  return TRUE;
}

/* What the window shows says it already, in short. */
static char *
dup_short (NsWindow *self)
{
  const char *found = gtk_label_get_text (GTK_LABEL (self->subtitle));
  const NsDamage *damage = ns_session_get_damage (self->session);

  return damage->is_cut || damage->n_places > 0
             ? g_strdup_printf ("%s\n%s", found, ns_notice_bars_get_damage (self->bars))
             : g_strdup (found);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  NsTrace *trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);
  gboolean was_stopped = g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));

  if (source != self->loader)
    {
      /* Another file was asked for meanwhile. */
      g_clear_pointer (&trace, ns_trace_unref);
      return;
    }
  g_clear_object (&self->loading);
  g_clear_object (&self->loader);
  g_application_release (g_application_get_default ());
  /* The window was closed meanwhile. */
  if (gtk_window_get_application (GTK_WINDOW (self)) == NULL)
    {
      g_clear_pointer (&trace, ns_trace_unref);
      return;
    }
  ns_load_bar_end (self->load_bar);
  self->load_time = ns_trace_loader_get_modified (NS_TRACE_LOADER (source));
  if (trace != NULL)
    {
      ns_sched_job_watch (trace);
      remember_file (self);
      show_loaded (self, trace);
      tell_left_out (self, ns_session_get_trace (self->session));
      ns_window_ask_time_column (self);
      ns_window_look_for_machines (self);
      text = dup_short (self);
      ns_load_notice_end (self->notice, self->file, TRUE, text);
    }
  else if (was_stopped)
    show_stopped (self);
  else if (!mount_place (self, error))
    {
      ns_window_show_error (self, error);
      ns_load_notice_end (self->notice,
                          self->file,
                          FALSE,
                          ns_error_page_get_text (self->error_page));
    }
  update_reading (self);
}

static void
tell_progress (NsWindow *self, NsTraceLoader *loader)
{
  g_autofree char *text = NULL;
  g_autofree char *count = NULL;
  g_autofree char *subtitle = NULL;
  guint n_rows;

  ns_load_bar_set_progress (self->load_bar,
                            ns_trace_loader_get_fraction (loader),
                            ns_trace_loader_is_fetching (loader));
  text = ns_load_bar_dup_subtitle (self->load_bar);
  if (ns_trace_loader_is_fetching (loader) || !self->is_beginning || self->session == NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->subtitle), text);
      return;
    }
  n_rows = ns_session_get_trace (self->session)->activities->len;
  count = ns_words_count (n_rows);
  /* Translators: “Reading 600 MB · 38 %”, and a count. */
  subtitle =
      g_strdup_printf (ngettext ("%s · %s row so far", "%s · %s rows so far", n_rows), text, count);
  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle);
}

static void
progress_cb (NsTraceLoader *loader, GParamSpec *pspec, NsWindow *self)
{
  if (self->loading != NULL && G_OBJECT (loader) == self->loader)
    tell_progress (self, loader);
}

/* The first part of a large file is shown while the rest is read. */
static void
beginning_cb (NsTraceLoader *loader, NsTrace *trace, NsWindow *self)
{
  if (self->loading == NULL || G_OBJECT (loader) != self->loader)
    return;
  ns_sched_job_watch (trace);
  if (self->is_beginning)
    ns_window_swap_trace (self, ns_trace_ref (trace));
  else
    {
      self->is_beginning = TRUE;
      ns_window_show_session (self, ns_session_new (ns_trace_ref (trace), self->file));
      ns_load_bar_focus (self->load_bar);
    }
  /* Rows without a word that there are more would be taken for all of them. */
  ns_load_bar_reveal (self->load_bar);
  tell_progress (self, loader);
  update_reading (self);
}

static void
size_known_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);

  /* How much there is in several files is told when they are read. */
  if (info != NULL && G_FILE (source) == self->file && self->beside->len == 0 &&
      g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR)
    ns_load_bar_set_bytes (self->load_bar, (guint64) MAX (g_file_info_get_size (info), 0));
}

/**
 * ns_window_list_files:
 * @self: a window
 *
 * Returns: (transfer full) (element-type GFile): what was named for the trace that it shows or
 *   opens, in that order
 */
GPtrArray *
ns_window_list_files (NsWindow *self)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  guint i;

  if (self->file != NULL)
    g_ptr_array_add (files, g_object_ref (self->file));
  for (i = 0; i < self->beside->len; i++)
    g_ptr_array_add (files, g_object_ref (g_ptr_array_index (self->beside, i)));
  return files;
}

/**
 * ns_window_load_files:
 * @self: a window
 * @files: (array length=n_files): traces, archives and folders
 * @n_files: how many, at least one
 *
 * Begins to open them in this window as one trace.
 */
void
ns_window_load_files (NsWindow *self, GFile *const *files, guint n_files)
{
  g_autoptr (NsTraceLoader) loader = NULL;
  GFile *file = files[0];
  guint i;

  g_return_if_fail (NS_IS_WINDOW (self));

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  else
    g_application_hold (g_application_get_default ());
  g_clear_object (&self->loading);
  ns_go_to_set_view (self->go_to, NULL);
  self->is_regathered = FALSE;
  g_set_object (&self->file, file);
  g_ptr_array_set_size (self->beside, 0);
  for (i = 1; i < n_files; i++)
    g_ptr_array_add (self->beside, g_object_ref (files[i]));
  self->loading = g_cancellable_new ();
  self->is_beginning = FALSE;
  ns_crumb_bar_set_reading (self->crumb_bar, FALSE);
  ns_window_stop_follow (self);
  ns_notice_bars_set_incomplete (self->bars, FALSE);
  ns_load_bar_begin (self->load_bar);
  ns_load_notice_begin (self->notice);
  g_file_query_info_async (file,
                           G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                           G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT,
                           NULL,
                           size_known_cb,
                           g_object_ref (self));
  ns_window_update_title (self);
  gtk_label_set_text (GTK_LABEL (self->subtitle), _ ("Reading…"));
  ns_flame_actions_show (self->call_tree, FALSE);
  ns_window_show_page (self, "loading");

  loader = ns_trace_loader_new (self->file);
  ns_trace_loader_set_view (loader, ns_settings_get_view ());
  ns_trace_loader_set_beside (loader, self->beside);
  ns_window_forget_removed (self);
  ns_trace_loader_set_log_clocks (loader, self->log_offsets, self->log_columns);
  g_clear_pointer (&self->log_offsets, g_free);
  g_clear_pointer (&self->log_columns, g_free);
  g_set_object (&self->loader, G_OBJECT (loader));
  g_signal_connect_object (loader, "notify::fraction", G_CALLBACK (progress_cb), self, 0);
  g_signal_connect_object (loader, "beginning", G_CALLBACK (beginning_cb), self, 0);
  ns_trace_loader_load_async (loader, self->loading, loaded_cb, g_object_ref (self));
}

/**
 * ns_window_load:
 * @self: a window
 * @file: a trace, an archive or a folder
 *
 * Begins to open @file in this window.
 */
void
ns_window_load (NsWindow *self, GFile *file)
{
  ns_window_load_files (self, &file, 1);
}

/**
 * ns_window_reload:
 * @self: a window with a file
 *
 * Reads once more what it shows.
 */
void
ns_window_reload (NsWindow *self)
{
  g_autoptr (GPtrArray) files = ns_window_list_files (self);

  if (files->len == 0)
    return;
  ns_window_keep_log_clocks (self, NULL);
  ns_window_load_files (self, (GFile **) files->pdata, files->len);
}
