/* Loading a trace in a window: progress, the first part of a large trace, errors, and reloads of a
 * trace that is still being written. model/ns-follower decides when to reload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

#include "model/ns-sched-job.h"
#include "model/ns-session-later.h"
#include "model/ns-trace-loader.h"
#include "ui/ns-settings.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

/* Shows a new trace; (transfer full): @trace. */
static void
show_new (NsWindow *self, NsTrace *trace)
{
  ns_window_show_session (self,
                          ns_session_new (trace, ns_window_get_file (self)),
                          ns_opening_has_part (self->opening) ? NS_TABS_BEGINNING : NS_TABS_NEW);
}

/* Returns whether the focus is in a text entry or an open menu. */
static gboolean
is_in_use (NsWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return focus != NULL &&
         (GTK_IS_EDITABLE (focus) || gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) != NULL);
}

/* Returns whether the user has changed the view or the selection since the trace was opened, or is
 * using an entry or a menu. */
static gboolean
is_touched (NsWindow *self)
{
  return self->session != NULL &&
         (ns_session_history_can_go (self->history, -1) ||
          ns_session_get_selected (self->session)->len > 0 || is_in_use (self));
}

/* Shows a reload of the trace; (transfer full): @trace. */
static void
show_later (NsWindow *self, NsTrace *trace, NsSessionChange turn)
{
  g_autoptr (NsSession) before = g_object_ref (self->session);

  ns_window_show_session (self,
                          ns_session_new_reloaded (trace, ns_window_get_file (self), before),
                          turn);
}

/* Shows a reload of the trace and keeps view, selection and focus; (transfer full): @trace. */
static void
swap_trace (NsWindow *self, NsTrace *trace)
{
  gboolean is_info = ns_window_is_on (self, "info");
  NsKeptView *kept = ns_trace_page_keep (self->trace_page);

  self->is_taking_over = TRUE;
  ns_session_history_hold (self->history);
  show_later (self, trace, NS_SESSION_RELOADED_SAME_FRONT);
  ns_trace_page_put_back (self->trace_page, kept);
  self->is_taking_over = FALSE;
  ns_session_history_resume (self->history, self->session);
  if (is_info)
    ns_window_show_page (self, "info");
  ns_window_update_actions (self);
}

/* Returns to the previous trace or the start page after loading was cancelled early. */
static void
show_nothing_read (NsWindow *self)
{
  g_autofree char *shown = ns_words_file (ns_window_get_file (self));
  g_autofree char *text =
      g_strdup_printf (_ ("Stopped before any part of %s could be shown"), shown);

  ns_case_files_take_back (self->files,
                           self->session != NULL ? ns_session_get_file (self->session) : NULL);
  ns_window_update_title (self);
  ns_window_show_page (self, self->session != NULL ? "trace" : "start");
  if (self->session != NULL)
    ns_window_report (self, text);
  else
    ns_head_bar_set_subtitle (self->head, text);
}

/* Keeps the first part of the trace after loading was cancelled, marked as incomplete. */
static void
show_stopped (NsWindow *self)
{
  if (!ns_opening_has_part (self->opening))
    {
      show_nothing_read (self);
      return;
    }
  ns_notice_bars_set_incomplete (self->bars, TRUE);
  ns_trace_page_set_reading (self->trace_page, FALSE, FALSE);
  ns_window_update_title (self);
  ns_window_show_page (self, "trace");
}

/* Shows the completely read trace. If the user has already used its first part, keeps the view. */
static void
show_loaded (NsWindow *self, NsTrace *trace, gboolean had_part)
{
  gboolean is_again = self->reason != NS_READ_NEW;

  if ((had_part && is_touched (self)) || (is_again && self->session != NULL))
    swap_trace (self, trace);
  else if (had_part)
    show_later (self, trace, NS_SESSION_RELOADED);
  else
    show_new (self, trace);
  if (self->reason == NS_READ_AGAIN_FROM_INFO)
    ns_window_show_page (self, "info");
  if (!is_again)
    ns_window_offer_files (self);
  self->reason = NS_READ_NEW;
}

static void
remember_file (NsWindow *self)
{
  g_autofree char *uri = g_file_get_uri (ns_window_get_file (self));
  gboolean is_wanted = TRUE;
  GtkRecentData data = {
    .mime_type = (char *) "application/x-etl",
    .app_name = (char *) "Netstitch",
    .app_exec = (char *) "netstitch %u",
  };

  /* GtkRecentManager does not check this setting itself. */
  g_object_get (gtk_settings_get_default (), "gtk-recent-files-enabled", &is_wanted, NULL);
  if (!is_wanted)
    return;
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

/* Reports how many of several files were left out of the trace. Files of another machine that the
 * user has named are opened in a window of their own. */
static void
report_left_out (NsWindow *self, const NsTrace *trace)
{
  const GPtrArray *refused = ns_etl_file_get_refused (trace->file);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_left_out = 0;
  guint i;

  for (i = 0; refused != NULL && i < refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);

      if (one->is_other_machine && one->member == NULL &&
          ns_case_files_has_other (self->files, one->path))
        {
          g_ptr_array_add (others, g_file_new_for_path (one->path));
          ns_other_machine_add (self->machine, g_ptr_array_index (others, others->len - 1));
          ns_case_files_drop_other (self->files, one->path);
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

      ns_window_report (self, text);
    }
  if (others->len > 0)
    g_application_open (g_application_get_default (),
                        (GFile **) others->pdata,
                        (int) others->len,
                        "");
}

/* Returns whether the window was closed; busy_cb() keeps it alive until loading has ended. */
static gboolean
is_closed (NsWindow *self)
{
  return gtk_window_get_application (GTK_WINDOW (self)) == NULL;
}

static void
stopped_cb (NsWindow *self)
{
  if (is_closed (self))
    return;
  ns_load_bar_end (ns_notice_bars_get_load_bar (self->bars));
  show_stopped (self);
  ns_status_bar_set_reading (ns_trace_page_get_status_bar (self->trace_page), FALSE);
}

static void
not_mounted_cb (NsWindow *self)
{
  g_autoptr (GMountOperation) operation = NULL;

  if (is_closed (self))
    return;
  ns_load_bar_end (ns_notice_bars_get_load_bar (self->bars));
  operation = gtk_mount_operation_new (GTK_WINDOW (self));
  ns_opening_mount (self->opening, ns_window_get_file (self), operation);
  ns_head_bar_set_subtitle (self->head, _ ("Connecting…"));
  ns_load_bar_show_connecting (ns_notice_bars_get_load_bar (self->bars));
  ns_window_show_page (self, "loading");
  ns_load_bar_focus (ns_notice_bars_get_load_bar (self->bars));
}

static void
mounted_cb (NsWindow *self)
{
  g_autoptr (GPtrArray) files = NULL;
  NsReadReason reason = self->reason;

  if (is_closed (self))
    return;
  ns_load_bar_end (ns_notice_bars_get_load_bar (self->bars));
  files = ns_window_list_files (self);
  ns_window_load_files (self, (GFile **) files->pdata, files->len);
  self->reason = reason;
}

static void
mount_failed_cb (NsWindow *self, const GError *error)
{
  if (is_closed (self))
    return;
  ns_load_bar_end (ns_notice_bars_get_load_bar (self->bars));
  ns_window_show_error (self, error);
}

static void
failed_cb (NsWindow *self, const GError *error)
{
  if (is_closed (self))
    return;
  ns_load_bar_end (ns_notice_bars_get_load_bar (self->bars));
  ns_window_show_error (self, error);
  ns_load_notice_end (self->notice,
                      ns_window_get_file (self),
                      FALSE,
                      ns_error_page_get_text (self->error_page));
  ns_status_bar_set_reading (ns_trace_page_get_status_bar (self->trace_page), FALSE);
}

/* Returns the text of the desktop notification: the subtitle of the window, and the damage if any.
 */
static char *
dup_short (NsWindow *self)
{
  const char *found = ns_head_bar_get_subtitle (self->head);
  const NsDamage *damage = ns_session_get_damage (self->session);

  return damage->is_cut || damage->n_places > 0
             ? g_strdup_printf ("%s\n%s", found, ns_notice_bars_get_damage (self->bars))
             : g_strdup (found);
}

static void
loaded_cb (NsWindow *self, NsTrace *trace, gboolean had_part, gint64 modified_us)
{
  g_autofree char *text = NULL;

  if (is_closed (self))
    return;
  ns_load_bar_end (ns_notice_bars_get_load_bar (self->bars));
  ns_sched_job_watch (trace);
  remember_file (self);
  show_loaded (self, ns_trace_ref (trace), had_part);
  /* Not the size in the load bar: a small file may be read before size_known_cb() has set it. */
  ns_follower_begin (self->follower, ns_opening_get_size (self->opening), modified_us);
  report_left_out (self, trace);
  ns_window_ask_time_column (self);
  ns_other_machine_look_around (self->machine);
  text = dup_short (self);
  ns_load_notice_end (self->notice, ns_window_get_file (self), TRUE, text);
  ns_status_bar_set_reading (ns_trace_page_get_status_bar (self->trace_page), FALSE);
}

static void
progress_cb (NsWindow *self, NsTraceLoader *loader)
{
  g_autofree char *text = NULL;
  g_autofree char *count = NULL;
  g_autofree char *subtitle = NULL;
  guint n_rows;

  if (is_closed (self))
    return;
  ns_load_bar_set_progress (ns_notice_bars_get_load_bar (self->bars),
                            ns_trace_loader_get_fraction (loader),
                            ns_trace_loader_is_fetching (loader));
  text = ns_load_bar_dup_subtitle (ns_notice_bars_get_load_bar (self->bars));
  if (ns_trace_loader_is_fetching (loader) || !ns_opening_has_part (self->opening) ||
      self->session == NULL)
    {
      ns_head_bar_set_subtitle (self->head, text);
      return;
    }
  n_rows = ns_session_get_trace (self->session)->activities->len;
  count = ns_words_count (n_rows);
  /* Translators: “Reading 600 MB · 38 %”, and a count. */
  subtitle =
      g_strdup_printf (ngettext ("%s · %s row so far", "%s · %s rows so far", n_rows), text, count);
  ns_head_bar_set_subtitle (self->head, subtitle);
}

/* Shows the part of a large trace that has been read, while the rest is being read. */
static void
part_cb (NsWindow *self, NsTrace *trace, gboolean is_first)
{
  if (is_closed (self))
    return;
  ns_sched_job_watch (trace);
  if (is_first)
    {
      show_new (self, ns_trace_ref (trace));
      ns_load_bar_focus (ns_notice_bars_get_load_bar (self->bars));
    }
  else
    swap_trace (self, ns_trace_ref (trace));
  /* Without the progress bar the rows would be taken for the complete trace. */
  ns_load_bar_reveal (ns_notice_bars_get_load_bar (self->bars));
  ns_status_bar_set_reading (ns_trace_page_get_status_bar (self->trace_page), TRUE);
}

static void
size_known_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (NsWindow) self = user_data;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, NULL);

  /* The total size of several files is known only when they are read. */
  if (info != NULL && G_FILE (source) == ns_window_get_file (self) &&
      ns_case_files_get_n (self->files) == 1 &&
      g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR)
    ns_load_bar_set_bytes (ns_notice_bars_get_load_bar (self->bars),
                           (guint64) MAX (g_file_info_get_size (info), 0));
}

/**
 * ns_window_list_files:
 * @self: a window
 *
 * Returns: (transfer full) (element-type GFile): the files that the user has named for the trace,
 *   in that order
 */
GPtrArray *
ns_window_list_files (NsWindow *self)
{
  g_return_val_if_fail (NS_IS_WINDOW (self), NULL);

  return ns_case_files_list (self->files);
}

/**
 * ns_window_load_files:
 * @self: a window
 * @files: (array length=n_files): traces, archives and folders
 * @n_files: number of files, at least one
 *
 * Starts to load the files as one trace.
 */
void
ns_window_load_files (NsWindow *self, GFile *const *files, guint n_files)
{
  g_autoptr (NsTraceLoader) loader = NULL;
  GFile *file = files[0];

  g_return_if_fail (NS_IS_WINDOW (self));

  ns_go_to_set_view (ns_trace_page_get_go_to (self->trace_page), NULL);
  self->reason = NS_READ_NEW;
  ns_case_files_set (self->files, files, n_files);
  loader = ns_case_files_make_loader (self->files, ns_settings_get_view ());
  ns_opening_begin (self->opening, loader);
  ns_follower_stop (self->follower);
  ns_notice_bars_set_incomplete (self->bars, FALSE);
  ns_load_bar_begin (ns_notice_bars_get_load_bar (self->bars));
  ns_load_notice_begin (self->notice);
  g_file_query_info_async (file,
                           G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                           G_FILE_QUERY_INFO_NONE,
                           G_PRIORITY_DEFAULT,
                           NULL,
                           size_known_cb,
                           g_object_ref (self));
  ns_window_update_title (self);
  ns_head_bar_set_subtitle (self->head, _ ("Reading…"));
  ns_trace_page_prepare_loading (self->trace_page);
  ns_window_show_page (self, "loading");
}

/**
 * ns_window_load:
 * @self: a window
 * @file: a trace, an archive or a folder
 *
 * Starts to load @file.
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
 * Reloads the files of the trace.
 */
void
ns_window_reload (NsWindow *self)
{
  g_autoptr (GPtrArray) files = ns_window_list_files (self);

  if (files->len == 0)
    return;
  ns_case_files_keep_clocks (self->files,
                             self->session != NULL ? ns_session_get_trace (self->session) : NULL,
                             NULL);
  ns_case_files_keep_opened (self->files);
  ns_window_load_files (self, (GFile **) files->pdata, files->len);
}

/* Keeps the program and the window alive while loading. */
static void
busy_cb (NsOpening *opening, GParamSpec *pspec, NsWindow *self)
{
  if (ns_opening_is_busy (opening))
    {
      g_object_ref (self);
      g_application_hold (g_application_get_default ());
    }
  else
    {
      g_application_release (g_application_get_default ());
      g_object_unref (self);
    }
}

/* Creates the loader of a new window and connects its signals. */
void
ns_window_add_opening (NsWindow *self)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } connections[] = {
    { "progress", G_CALLBACK (progress_cb) },
    { "part", G_CALLBACK (part_cb) },
    { "loaded", G_CALLBACK (loaded_cb) },
    { "stopped", G_CALLBACK (stopped_cb) },
    { "not-mounted", G_CALLBACK (not_mounted_cb) },
    { "mounted", G_CALLBACK (mounted_cb) },
    { "mount-failed", G_CALLBACK (mount_failed_cb) },
    { "failed", G_CALLBACK (failed_cb) },
  };
  guint i;

  self->opening = ns_opening_new ();
  /* Not g_signal_connect_object(): a window closed while loading still has to handle these. */
  g_signal_connect (self->opening, "notify::busy", G_CALLBACK (busy_cb), self);
  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_swapped (self->opening, connections[i].signal, connections[i].callback, self);
}

static void
grown_cb (NsWindow *self, NsTrace *trace)
{
  swap_trace (self, ns_trace_ref (trace));
}

static void
complete_cb (NsWindow *self)
{
  ns_window_report (self, _ ("The trace is complete"));
}

static void
following_cb (NsWindow *self)
{
  ns_trace_page_set_following (self->trace_page, ns_follower_is_following (self->follower));
}

/* Offers to reload a file that has changed after it was read. */
static void
file_changed_cb (NsWindow *self)
{
  ns_notice_bars_set_change (self->bars, NS_FILE_CHANGED);
}

static void
file_gone_cb (NsWindow *self)
{
  ns_notice_bars_set_change (self->bars, NS_FILE_GONE);
}

/* Creates the follower of a new window and connects its signals. */
void
ns_window_add_follow (NsWindow *self)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } connections[] = {
    { "grown", G_CALLBACK (grown_cb) },
    { "complete", G_CALLBACK (complete_cb) },
    { "notify::following", G_CALLBACK (following_cb) },
    { "file-changed", G_CALLBACK (file_changed_cb) },
    { "file-gone", G_CALLBACK (file_gone_cb) },
  };
  guint i;

  self->follower = ns_follower_new (ns_settings_get_view ());
  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_object (self->follower,
                             connections[i].signal,
                             connections[i].callback,
                             self,
                             G_CONNECT_SWAPPED);
  ns_follow_button_set_follower (ns_status_bar_get_follow_button (
                                     ns_trace_page_get_status_bar (self->trace_page)),
                                 self->follower);
}
