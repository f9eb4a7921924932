/* Dialog that asks which rows and columns to export and in which format, and shows the progress.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-export-job.h"
#include "model/ns-session-tables.h"
#include "ui/ns-accessible.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-help.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-export-dialog.h"
#include "ui/sheets/ns-redact-box.h"
#include "ui/sheets/ns-sheet.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

/* Update interval of the progress bar. */
#define PROGRESS_MS 100

struct _NsExportDialog
{
  GtkWindow parent_instance;

  NsSession *session;
  NsTableView *view;
  NsTimeline *timeline;
  GVariant *view_state; /* view state of the trace, with bookmarks */
  char *path;           /* the file that was written; NULL before the first export */
  char *waiting_path; /* the file to write once all rows are in the lanes; NULL: no export waits */

  GtkWidget *choices; /* the input widgets; insensitive while an export runs */
  GtkWidget *rows[NS_SESSION_N_ROWS];
  GtkWidget *shown_columns;
  GtkWidget *all_columns;
  GtkWidget *form;
  GtkWidget *bodies; /* visible for HTTP archives only */
  GtkWidget *share;  /* makes the file readable for other users */
  GtkWidget *redact;
  GtkWidget *redact_box; /* lists the replacements */
  GPtrArray *offered;    /* (element-type NsExportForm) */
  GtkWidget *progress_box;
  GtkWidget *progress;
  GtkWidget *message_label;
  GtkWidget *folder_button; /* opens the folder of the written file */
  GtkWidget *cancel_button;
  GtkWidget *export_button;

  NsExportJob *job; /* (nullable): the running job */
  GCancellable *cancellable;
  guint progress_id;
  guint inhibit_id;            /* prevents logging out; 0: not inhibited */
  GtkApplication *application; /* (nullable): the application that @inhibit_id belongs to */
  gboolean is_redact_wanted;   /* the user's choice, kept while the chosen format does not support
                                * it */
};

G_DEFINE_FINAL_TYPE (NsExportDialog, ns_export_dialog, GTK_TYPE_WINDOW)

static const NsExportForm *
get_form (NsExportDialog *self)
{
  return g_ptr_array_index (self->offered, gtk_drop_down_get_selected (GTK_DROP_DOWN (self->form)));
}

/* An SQLite database contains all tables. */
static gboolean
is_database (NsExportDialog *self)
{
  const NsExportForm *form = get_form (self);

  return form->kind == NS_EXPORT_ANALYSIS && form->extract == NS_EXTRACT_SQLITE;
}

/* Prevents logging out while rows are written. */
static void
set_inhibiting (NsExportDialog *self, gboolean is_running)
{
  if (is_running == (self->inhibit_id != 0))
    return;
  if (!is_running)
    gtk_application_uninhibit (self->application, self->inhibit_id);
  /* A destroyed window has no application. */
  else if (!g_set_object (&self->application, gtk_window_get_application (GTK_WINDOW (self))))
    return;
  self->inhibit_id = is_running ? gtk_application_inhibit (self->application,
                                                           GTK_WINDOW (self),
                                                           GTK_APPLICATION_INHIBIT_LOGOUT,
                                                           _ ("Rows are being exported"))
                                : 0;
  if (self->inhibit_id == 0)
    g_clear_object (&self->application);
}

static gboolean
is_chosen (GtkWidget *check)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (check));
}

static NsSessionRows
get_rows (NsExportDialog *self)
{
  NsSessionRows which = NS_SESSION_SELECTED_ROWS;

  while (which < NS_SESSION_ALL_ROWS && !is_chosen (self->rows[which]))
    which++;
  return which;
}

static GPtrArray *
list_fields (NsExportDialog *self)
{
  NsTableId table = ns_table_view_get_table (self->view);
  GPtrArray *fields;
  guint n_fields;
  const NsField *all = ns_table_get_fields (table, &n_fields);
  guint i;

  if (is_chosen (self->shown_columns))
    return ns_table_view_list_fields (self->view);
  fields = g_ptr_array_new ();
  for (i = 0; i < n_fields; i++)
    g_ptr_array_add (fields, (gpointer) &all[i]);
  return fields;
}

static void
show_message (NsExportDialog *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->message_label), text);
  gtk_widget_set_visible (self->message_label, *text != '\0');
  gtk_widget_set_visible (self->folder_button, FALSE);
}

/* Shows name, rows and size of the written file, and a button that opens its folder. */
static void
report_written (NsExportDialog *self, guint n_rows)
{
  g_autofree char *name = g_path_get_basename (self->path);
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *size = NULL;
  g_autofree char *text = NULL;
  GStatBuf status;

  size = g_format_size (g_stat (self->path, &status) == 0 ? (guint64) status.st_size : 0);
  if (is_database (self))
    /* Translators: a file name, a number of rows, and a size such as “12.3 kB” */
    text = g_strdup_printf (_ ("Exported to %s: %s rows of all tables, %s"), shown, count, size);
  else
    /* Translators: a file name, a number of rows, and a size such as “12.3 kB” */
    text = g_strdup_printf (ngettext ("Exported to %s: %s row, %s",
                                      "Exported to %s: %s rows, %s",
                                      n_rows),
                            shown,
                            count,
                            size);
  show_message (self, text);
  gtk_widget_set_visible (self->folder_button, TRUE);
  gtk_button_set_label (GTK_BUTTON (self->cancel_button), _ ("_Close"));
  gtk_widget_grab_focus (self->cancel_button);
}

static void
shown_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsExportDialog) self = data;
  g_autoptr (GError) error = NULL;

  if (!gtk_show_uri_full_finish (GTK_WINDOW (source), result, &error) && self->session != NULL)
    show_message (self, error->message);
}

static void
open_folder_cb (NsExportDialog *self)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *uri = g_filename_to_uri (folder, NULL, NULL);

  if (uri != NULL)
    gtk_show_uri_full (GTK_WINDOW (self),
                       uri,
                       GDK_CURRENT_TIME,
                       NULL,
                       shown_cb,
                       g_object_ref (self));
}

static gboolean
is_redacted (NsExportDialog *self)
{
  return gtk_widget_get_sensitive (self->redact) && is_chosen (self->redact);
}

/* Disables Export until the preview of the replacements is complete. */
static void
update_export (NsExportDialog *self)
{
  gtk_widget_set_sensitive (self->export_button,
                            self->job == NULL &&
                                !(is_redacted (self) &&
                                  ns_redact_box_is_looking (NS_REDACT_BOX (self->redact_box))));
}

/* Disables the choices while rows are written; Cancel then stops the export. */
static void
set_running (NsExportDialog *self, gboolean is_running)
{
  gtk_widget_set_sensitive (self->choices, !is_running);
  gtk_button_set_label (GTK_BUTTON (self->cancel_button), _ ("_Cancel"));
  update_export (self);
  gtk_widget_set_visible (self->progress_box, is_running);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), 0);
  gtk_widget_grab_focus (is_running ? self->cancel_button : self->export_button);
  set_inhibiting (self, is_running);
}

static gboolean
progress_cb (gpointer data)
{
  NsExportDialog *self = data;
  double fraction = ns_export_job_get_fraction (self->job);

  if (fraction > 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), fraction);
  else
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->progress));
  return G_SOURCE_CONTINUE;
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsExportDialog) self = data;
  g_autoptr (GError) error = NULL;
  gboolean ok = ns_export_job_run_finish (NS_EXPORT_JOB (source), result, &error);

  guint n_rows = ns_export_job_get_n_rows (NS_EXPORT_JOB (source));

  g_clear_handle_id (&self->progress_id, g_source_remove);
  g_clear_object (&self->job);
  g_clear_object (&self->cancellable);
  /* The dialog was closed with the window of the trace. */
  if (self->session == NULL)
    return;
  set_running (self, FALSE);
  if (ok)
    report_written (self, n_rows);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_message (self, _ ("Stopped. No file was written."));
  else
    show_message (self, error->message);
}

static NsSessionExport
get_what (NsExportDialog *self, const GPtrArray *fields)
{
  return (NsSessionExport){ .table = ns_table_view_get_table (self->view),
                            .rows = get_rows (self),
                            .fields = fields,
                            .form = get_form (self)->ending,
                            .view = self->view_state,
                            .has_bodies = is_chosen (self->bodies),
                            .has_shown_columns = is_chosen (self->shown_columns),
                            .is_shared = is_chosen (self->share),
                            .is_redacted = is_redacted (self) };
}

/* Starts the preview of the replacements, which is shown before anything is written. */
static void
look (NsExportDialog *self)
{
  g_autoptr (GPtrArray) fields = NULL;
  g_autoptr (NsExportJob) job = NULL;
  NsSessionExport what;

  gtk_widget_set_visible (self->redact_box, is_redacted (self));
  if (!is_redacted (self))
    {
      ns_redact_box_stop (NS_REDACT_BOX (self->redact_box));
      update_export (self);
      return;
    }
  fields = list_fields (self);
  what = get_what (self, fields);
  job = ns_export_job_new (self->session, &what);
  ns_redact_box_look (NS_REDACT_BOX (self->redact_box),
                      job,
                      get_form (self)->left_out != NULL ? _ (get_form (self)->left_out) : NULL);
  update_export (self);
}

static void start (NsExportDialog *self, const char *path);

static void
sorted_cb (NsExportDialog *self)
{
  g_autofree char *path = g_steal_pointer (&self->waiting_path);

  if (path != NULL)
    start (self, path);
}

static void
start (NsExportDialog *self, const char *path)
{
  g_autoptr (GPtrArray) fields = list_fields (self);
  const NsSessionExport what = get_what (self, fields);

  /* A picture of the timeline would be empty before all rows are sorted into lanes. */
  if (ns_export_job_has_picture (path, what.form) && !ns_timeline_is_sorted (self->timeline))
    {
      g_free (self->waiting_path);
      self->waiting_path = g_strdup (path);
      show_message (self, _ ("Continues as soon as all rows are sorted into lanes."));
      return;
    }
  g_free (self->path);
  self->path = g_canonicalize_filename (path, NULL);
  self->job = ns_export_dialog_job_new (self->session, self->timeline, &what, path);
  self->cancellable = g_cancellable_new ();
  show_message (self, "");
  set_running (self, TRUE);
  self->progress_id = g_timeout_add (PROGRESS_MS, progress_cb, self);
  ns_export_job_run_async (self->job, path, self->cancellable, written_cb, g_object_ref (self));
}

static void
chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsExportDialog *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (self->job != NULL)
    return;
  if (path != NULL)
    start (self, path);
  else
    show_message (self, error->message);
}

static void
cut_ending (char *name, const char *ending)
{
  gsize length = strlen (name);
  gsize size = strlen (ending);

  if (length > size && g_ascii_strcasecmp (name + length - size, ending) == 0)
    name[length - size] = '\0';
}

/* Returns a file name that starts like that of the trace. Tables other than the operations add
 * their name, extracts of the trace "-part". */
static char *
dup_name (NsExportDialog *self)
{
  static const char *const endings[] = { ".zip", ".gz", ".cab", ".7z", ".wpapk", ".etl" };
  NsTrace *trace = ns_session_get_trace (self->session);
  NsTableId table = ns_table_view_get_table (self->view);
  g_autofree char *name = g_path_get_basename (ns_etl_file_get_path (trace->file));
  g_autofree char *shown = g_filename_display_name (name);
  const char *ending = get_form (self)->ending;
  gboolean is_trace = g_str_has_prefix (ending, ".etl");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (endings); i++)
    cut_ending (shown, endings[i]);
  /* Avoids a double extension for a trace such as "requests.csv.etl". */
  cut_ending (shown, ending);
  if (is_database (self))
    table = NS_TABLE_ACTIVITIES;
  return g_strconcat (shown,
                      table != NS_TABLE_ACTIVITIES ? "-" : "",
                      table != NS_TABLE_ACTIVITIES ? ns_table_get_name (table) : "",
                      is_trace ? "-part" : "",
                      ending,
                      NULL);
}

static void
ask_where (NsExportDialog *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Export Rows To"),
                                                              GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE,
                                                              _ ("_Export"),
                                                              _ ("_Cancel"));
  const NsExportForm *form = get_form (self);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_autofree char *name = dup_name (self);

  gtk_file_filter_set_name (filter, _ (form->title));
  gtk_file_filter_add_suffix (filter, form->ending + 1);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  ns_file_ask (dialog, chosen_cb, self);
}

static void
cancel_cb (NsExportDialog *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* Cancels a running export instead; the window can be closed once the export has stopped. */
static gboolean
ns_export_dialog_close_request (GtkWindow *window)
{
  NsExportDialog *self = NS_EXPORT_DIALOG (window);

  if (self->cancellable == NULL)
    return GTK_WINDOW_CLASS (ns_export_dialog_parent_class)->close_request (window);
  g_cancellable_cancel (self->cancellable);
  return TRUE;
}

static void
escape_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  cancel_cb (NS_EXPORT_DIALOG (widget));
}

/* Clears the check button while it is insensitive, so that it never claims a replacement that does
 * not happen. */
static void
offer_redact (NsExportDialog *self, gboolean can_redact)
{
  gboolean could_redact = gtk_widget_get_sensitive (self->redact);

  if (could_redact && !can_redact)
    self->is_redact_wanted = is_chosen (self->redact);
  gtk_widget_set_sensitive (self->redact, can_redact);
  if (could_redact != can_redact)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->redact),
                                 can_redact && self->is_redact_wanted);
}

/* Updates the options that depend on the format. Formats with fixed columns have no choice of
 * columns. */
static void
form_changed_cb (NsExportDialog *self)
{
  gboolean has_columns = get_form (self)->has_columns;
  gboolean can_redact =
      ns_export_form_can_redact (get_form (self), ns_table_view_get_table (self->view));

  gtk_widget_set_sensitive (self->shown_columns, has_columns);
  gtk_widget_set_sensitive (self->all_columns, has_columns);
  gtk_widget_set_visible (self->bodies, strcmp (get_form (self)->ending, ".har") == 0);
  offer_redact (self, can_redact);
  gtk_widget_set_tooltip_text (self->redact,
                               can_redact
                                   ? _ ("Hosts, addresses, folders, files and users are replaced "
                                        "by server-1, address-1 and so on")
                                   : _ ("Data in this format cannot be redacted reliably; tables, "
                                        "reports and HTTP archives can be redacted"));
  look (self);
}

static void
choice_changed_cb (NsExportDialog *self, GtkCheckButton *check)
{
  if (check == GTK_CHECK_BUTTON (self->redact) || gtk_check_button_get_active (check))
    look (self);
}

static void
watch_choices (NsExportDialog *self)
{
  GtkWidget *checks[] = { self->rows[0],       self->rows[1],     self->rows[2],
                          self->shown_columns, self->all_columns, self->redact };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (checks); i++)
    g_signal_connect_object (checks[i],
                             "toggled",
                             G_CALLBACK (choice_changed_cb),
                             self,
                             G_CONNECT_SWAPPED);
}

static void
ns_export_dialog_dispose (GObject *object)
{
  NsExportDialog *self = NS_EXPORT_DIALOG (object);

  set_inhibiting (self, FALSE);
  g_clear_handle_id (&self->progress_id, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->session);
  g_clear_object (&self->view);
  g_clear_object (&self->timeline);
  g_clear_pointer (&self->view_state, g_variant_unref);
  g_clear_pointer (&self->waiting_path, g_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->offered, g_ptr_array_unref);
  G_OBJECT_CLASS (ns_export_dialog_parent_class)->dispose (object);
}

static void
ns_export_dialog_class_init (NsExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_export_dialog_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = ns_export_dialog_close_request;
  gtk_widget_class_install_action (widget_class, "export.cancel", NULL, escape_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "export.cancel", NULL);
}

static GtkWidget *
add_label (GtkWidget *grid, const char *text, int line, GtkWidget *of)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), of);
  gtk_grid_attach (GTK_GRID (grid), label, 0, line, 1, 1);
  return label;
}

static GtkWidget *
add_check (GtkWidget *grid, GtkWidget *group, int line)
{
  GtkWidget *check = ns_accessible_check_button_new ("");

  if (group != NULL)
    gtk_check_button_set_group (GTK_CHECK_BUTTON (check), GTK_CHECK_BUTTON (group));
  gtk_grid_attach (GTK_GRID (grid), check, 1, line, 1, 1);
  return check;
}

static GtkWidget *
create_choices (NsExportDialog *self)
{
  GtkWidget *grid = gtk_grid_new ();
  guint i;

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  for (i = 0; i < NS_SESSION_N_ROWS; i++)
    self->rows[i] = add_check (grid, i > 0 ? self->rows[0] : NULL, (int) i);
  self->shown_columns = add_check (grid, NULL, 3);
  self->all_columns = add_check (grid, self->shown_columns, 4);
  self->form = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_hexpand (self->form, TRUE);
  ns_accessible_set_drop_down_name (GTK_DROP_DOWN (self->form), _ ("Format"));
  gtk_grid_attach (GTK_GRID (grid), self->form, 1, 5, 1, 1);
  self->bodies = ns_accessible_check_button_new (_ ("With headers and _bodies"));
  gtk_widget_set_tooltip_text (self->bodies,
                               _ ("As far as recorded; secrets in headers are hidden"));
  gtk_grid_attach (GTK_GRID (grid), self->bodies, 1, 6, 1, 1);
  self->redact = ns_accessible_check_button_new (_ ("_Without names: replaced by stand-ins"));
  gtk_grid_attach (GTK_GRID (grid), self->redact, 1, 7, 1, 1);
  self->share = ns_accessible_check_button_new (_ ("Sha_re: others on this computer may read it"));
  gtk_widget_set_tooltip_text (self->share,
                               _ ("The file has mode 0644; otherwise only you can read it (0600)"));
  gtk_grid_attach (GTK_GRID (grid), self->share, 1, 8, 1, 1);
  add_label (grid, _ ("Rows"), 0, NULL);
  add_label (grid, _ ("Columns"), 3, NULL);
  add_label (grid, _ ("F_ormat"), 5, self->form);
  return grid;
}

static GtkWidget *
create_buttons (NsExportDialog *self)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->cancel_button = ns_accessible_button_new (_ ("_Cancel"));
  self->export_button = ns_accessible_button_new (_ ("_Export…"));
  gtk_widget_add_css_class (self->export_button, "suggested-action");
  g_signal_connect_object (self->cancel_button,
                           "clicked",
                           G_CALLBACK (cancel_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->export_button,
                           "clicked",
                           G_CALLBACK (ask_where),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (buttons), ns_help_button_new ("export"));
  gtk_widget_set_hexpand (self->cancel_button, TRUE);
  gtk_widget_set_halign (self->cancel_button, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (buttons), self->cancel_button);
  gtk_box_append (GTK_BOX (buttons), self->export_button);
  return buttons;
}

static void
ns_export_dialog_init (NsExportDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);

  self->choices = create_choices (self);
  self->progress_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->progress = gtk_progress_bar_new ();
  ns_accessible_set_name (self->progress, _ ("Rows written"));
  gtk_box_append (GTK_BOX (self->progress_box), self->progress);
  gtk_widget_set_visible (self->progress_box, FALSE);
  self->message_label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->message_label), 0);
  gtk_label_set_wrap (GTK_LABEL (self->message_label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->message_label), 50);
  gtk_widget_set_visible (self->message_label, FALSE);
  self->folder_button = ns_accessible_button_new (_ ("Open Fol_der"));
  gtk_widget_set_halign (self->folder_button, GTK_ALIGN_START);
  gtk_widget_set_visible (self->folder_button, FALSE);
  g_signal_connect_object (self->folder_button,
                           "clicked",
                           G_CALLBACK (open_folder_cb),
                           self,
                           G_CONNECT_SWAPPED);
  ns_sheet_set_margins (box, 18);
  self->redact_box = ns_redact_box_new ();
  g_signal_connect_object (self->redact_box,
                           "looked",
                           G_CALLBACK (update_export),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_widget_set_visible (self->redact_box, FALSE);
  gtk_box_append (GTK_BOX (box), self->choices);
  gtk_box_append (GTK_BOX (box), self->redact_box);
  gtk_box_append (GTK_BOX (box), self->progress_box);
  gtk_box_append (GTK_BOX (box), self->message_label);
  gtk_box_append (GTK_BOX (box), self->folder_button);
  gtk_box_append (GTK_BOX (box), create_buttons (self));
  ns_help_set_page (GTK_WIDGET (self), "export");
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Export Rows"));
  gtk_window_set_default_widget (GTK_WINDOW (self), self->export_button);
  gtk_window_set_focus (GTK_WINDOW (self), self->export_button);
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
}

static char *
dup_rows_title (NsSessionRows which, const char *count)
{
  switch (which)
    {
    case NS_SESSION_SELECTED_ROWS:
      /* Translators: how many rows. */
      return g_strdup_printf (_ ("_Selected: %s"), count);
    case NS_SESSION_FILTERED_ROWS:
      /* Translators: how many rows. */
      return g_strdup_printf (_ ("_Filtered: %s"), count);
    case NS_SESSION_ALL_ROWS:
    default:
      /* Translators: how many rows. */
      return g_strdup_printf (_ ("_All: %s"), count);
    }
}

static void
label_rows (NsExportDialog *self)
{
  NsTableId table = ns_table_view_get_table (self->view);
  guint i;

  for (i = 0; i < NS_SESSION_N_ROWS; i++)
    {
      guint n_rows = ns_session_export_count (self->session, table, i);
      g_autofree char *count = ns_words_count (n_rows);
      g_autofree char *title = dup_rows_title (i, count);

      gtk_check_button_set_label (GTK_CHECK_BUTTON (self->rows[i]), title);
      gtk_widget_set_sensitive (self->rows[i], n_rows > 0 || i != NS_SESSION_SELECTED_ROWS);
    }
  i = ns_session_export_get_offered (self->session, table);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->rows[i]), TRUE);
}

static void
label_columns (NsExportDialog *self)
{
  g_autoptr (GPtrArray) shown = ns_table_view_list_fields (self->view);
  g_autofree char *n_shown = ns_words_count (shown->len);
  g_autofree char *n_all = NULL;
  g_autofree char *shown_title = NULL;
  g_autofree char *all_title = NULL;
  guint n_fields;

  ns_table_get_fields (ns_table_view_get_table (self->view), &n_fields);
  n_all = ns_words_count (n_fields);
  /* Translators: how many columns. */
  shown_title = g_strdup_printf (_ ("S_hown: %s"), n_shown);
  /* Translators: how many columns. */
  all_title = g_strdup_printf (_ ("A_ll: %s"), n_all);
  gtk_check_button_set_label (GTK_CHECK_BUTTON (self->shown_columns), shown_title);
  gtk_check_button_set_label (GTK_CHECK_BUTTON (self->all_columns), all_title);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (shown->len > 0 ? self->shown_columns
                                                                : self->all_columns),
                               TRUE);
}

static void
fill_forms (NsExportDialog *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  NsTableId table = ns_table_view_get_table (self->view);
  const NsExportForm *form = NULL;

  self->offered = g_ptr_array_new ();
  while ((form = ns_export_form_next (form)) != NULL)
    if (form->title != NULL && ns_export_form_can_hold (form, table))
      {
        g_ptr_array_add (self->offered, (gpointer) form);
        gtk_string_list_append (titles, _ (form->title));
      }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->form), G_LIST_MODEL (titles));
  g_signal_connect_object (self->form,
                           "notify::selected",
                           G_CALLBACK (form_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

/**
 * ns_export_dialog_job_new:
 * @session: a session
 * @timeline: the timeline that reports include
 * @what: what to export, without a picture
 * @path: the file to write
 *
 * Returns: (transfer full): a job that writes @path
 */
NsExportJob *
ns_export_dialog_job_new (NsSession *session,
                          NsTimeline *timeline,
                          const NsSessionExport *what,
                          const char *path)
{
  NsSessionExport whole = *what;
  g_autofree char *picture = NULL;

  if (ns_export_job_has_picture (path, what->form))
    whole.picture = picture = ns_timeline_dup_svg (timeline);
  return ns_export_job_new (session, &whole);
}

/**
 * ns_export_dialog_show:
 * @parent: the parent window
 * @session: a session
 * @view: the table in front
 * @timeline: the timeline that reports include
 * @view_state: (type GVariant): an `a{sv}`: the view state of the trace, with bookmarks
 *
 * Shows a dialog that asks for rows, columns, format and file, and exports them.
 */
void
ns_export_dialog_show (GtkWindow *parent,
                       NsSession *session,
                       NsTableView *view,
                       NsTimeline *timeline,
                       GVariant *view_state)
{
  NsExportDialog *self = g_object_new (NS_TYPE_EXPORT_DIALOG,
                                       "transient-for",
                                       parent,
                                       "modal",
                                       TRUE,
                                       "destroy-with-parent",
                                       TRUE,
                                       "application",
                                       gtk_window_get_application (parent),
                                       NULL);

  self->session = g_object_ref (session);
  self->view = g_object_ref (view);
  self->timeline = g_object_ref (timeline);
  self->view_state = g_variant_ref_sink (view_state);
  g_signal_connect_object (timeline, "sorted", G_CALLBACK (sorted_cb), self, G_CONNECT_SWAPPED);
  label_rows (self);
  label_columns (self);
  fill_forms (self);
  form_changed_cb (self);
  watch_choices (self);
  gtk_window_present (GTK_WINDOW (self));
}
