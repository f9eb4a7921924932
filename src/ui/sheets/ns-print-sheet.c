/* Printing of the timeline and the table, and saving the timeline as a picture.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-print.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-print-sheet.h"
#include "ui/table/ns-table-cell.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

/* Maximum number of printed rows; an export has no limit. */
#define MAX_ROWS 20000
#define MAX_LINES 4

typedef struct
{
  NsSession *session;
  NsTimeline *timeline;
  NsTableView *view;
  GtkWindow *parent;
  GPtrArray *fields;
  GArray *rows; /* (element-type guint32) */
  NsPrintColumn *columns;
  NsTimeSpan span;
  char *lines[MAX_LINES];
  NsPrint print;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  guint i;

  for (i = 0; job->fields != NULL && i < job->fields->len; i++)
    g_free (job->columns[i].title);
  for (i = 0; i < MAX_LINES; i++)
    g_free (job->lines[i]);
  g_free (job->columns);
  g_clear_pointer (&job->fields, g_ptr_array_unref);
  g_clear_pointer (&job->rows, g_array_unref);
  g_clear_pointer (&job->print.drawn, cairo_surface_destroy);
  g_object_unref (job->session);
  g_object_unref (job->timeline);
  g_object_unref (job->view);
  g_free (job);
}

static void
cell_cb (guint row, guint column, GString *text, gpointer user_data)
{
  Job *job = user_data;

  ns_table_cell_append_text (job->session,
                             ns_table_view_get_table (job->view),
                             g_ptr_array_index (job->fields, column),
                             g_array_index (job->rows, guint32, row),
                             text);
}

static char *
foot_cb (guint page, guint n_pages)
{
  return g_strdup_printf (_ ("Page %u of %u"), page + 1, n_pages);
}

static char *
dup_span_line (Job *job, NsTimeSpan span)
{
  NsTrace *trace = ns_session_get_trace (job->session);
  NsWall wall = ns_session_get_wall (job->session);
  g_autofree char *begin = ns_wall_describe (wall, trace, span.begin_ns);
  g_autofree char *end = ns_wall_describe (wall, trace, span.end_ns);
  g_autofree char *length = ns_words_duration (span.end_ns - span.begin_ns);

  if (begin == NULL)
    begin = ns_time_seconds_to_text (span.begin_ns, 6);
  if (end == NULL)
    end = g_strdup_printf (_ ("%.6f s"), (double) span.end_ns / (double) NS_PER_SECOND);
  /* Translators: the span of a printed timeline: from, to, length. */
  return g_strdup_printf (_ ("Time: %s to %s (%s)"), begin, end, length);
}

/* Formats the number of printed rows and of all rows of the table. */
static char *
dup_rows_line (Job *job, guint n_shown)
{
  NsTableId table = ns_table_view_get_table (job->view);
  g_autofree char *printed = ns_words_count (job->rows->len);
  g_autofree char *shown = ns_words_count (n_shown);
  g_autofree char *all =
      ns_words_count (ns_table_get_n_rows (ns_session_get_trace (job->session), table));

  if (job->rows->len < n_shown)
    /* Translators: the name of a table, how many of its rows are printed, how many are shown, and
     * how many there are. */
    return g_strdup_printf (_ ("%s: the first %s of %s rows, of %s in the trace"),
                            _ (ns_table_get_title (table)),
                            printed,
                            shown,
                            all);
  /* Translators: the name of a table, then how many of its rows are shown. */
  return g_strdup_printf (_ ("%s: %s of %s rows"), _ (ns_table_get_title (table)), shown, all);
}

/* Writes the title lines: file, time span, filter and number of rows. */
static void
write_lines (Job *job, guint n_shown)
{
  NsTableId table = ns_table_view_get_table (job->view);
  GFile *file = ns_session_get_file (job->session);
  const char *filter = ns_session_get_filter (job->session, table);
  guint n_lines = 0;

  job->lines[n_lines++] = file != NULL ? ns_words_file (file) : g_strdup ("");
  job->lines[n_lines++] = dup_span_line (job, job->span);
  job->lines[n_lines++] =
      *filter != '\0' ? g_strdup_printf (_ ("Filter: %s"), filter) : g_strdup (_ ("No filter"));
  job->lines[n_lines++] = dup_rows_line (job, n_shown);
  job->print.lines = (const char *const *) job->lines;
  job->print.n_lines = n_lines;
}

static Job *
job_new (NsSession *session, NsTimeline *timeline, NsTableView *view)
{
  Job *job = g_new0 (Job, 1);
  const GArray *rows =
      ns_row_list_get_rows (ns_session_get_rows (session, ns_table_view_get_table (view)));
  NsTimeSpan span = ns_session_get_span (session);
  guint i;

  job->session = g_object_ref (session);
  job->timeline = g_object_ref (timeline);
  job->view = g_object_ref (view);
  job->fields = ns_table_view_list_fields (view);
  job->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (job->rows, rows->data, MIN (rows->len, MAX_ROWS));
  job->columns = g_new0 (NsPrintColumn, job->fields->len + 1);
  for (i = 0; i < job->fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (job->fields, i);

      job->columns[i].title = ns_table_view_dup_title (view, field);
      job->columns[i].width = field->width;
      job->columns[i].is_right = ns_table_cell_is_numeric (field);
    }
  if (span.begin_ns >= span.end_ns)
    span = ns_session_get_visible (session);
  job->span = span;
  job->print.columns = job->columns;
  job->print.n_columns = job->fields->len;
  job->print.n_rows = job->rows->len;
  job->print.cell = cell_cb;
  job->print.cell_data = job;
  job->print.foot = foot_cb;
  write_lines (job, rows->len);
  return job;
}

/* Draws the timeline when GTK asks for the pages, which may be long after the print action. The
 * drawing is stored: pages are painted one by one, and the lanes may change in between. */
static void
begin_cb (GtkPrintOperation *operation, GtkPrintContext *context, Job *job)
{
  if (!ns_timeline_fill_picture (job->timeline, &job->print.picture))
    {
      gtk_print_operation_cancel (operation);
      return;
    }
  job->print.picture.span = job->span;
  job->print.picture.palette = NS_PALETTE_LIGHT;
  job->print.page_width = gtk_print_context_get_width (context);
  job->print.page_height = gtk_print_context_get_height (context);
  ns_print_layout (&job->print);
  ns_print_fit_columns (&job->print, job->columns);
  ns_print_keep_picture (&job->print);
  gtk_print_operation_set_n_pages (operation, (int) job->print.n_pages);
}

static void
draw_cb (GtkPrintOperation *operation, GtkPrintContext *context, int page, Job *job)
{
  ns_print_paint_page (&job->print,
                       gtk_print_context_get_cairo_context (context),
                       (guint) MAX (page, 0));
}

static GtkPrintOperation *
operation_new (Job *job)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  g_autoptr (GtkPageSetup) setup = gtk_page_setup_new ();

  /* Landscape, since timeline and table are wider than high. */
  gtk_page_setup_set_orientation (setup, GTK_PAGE_ORIENTATION_LANDSCAPE);
  gtk_print_operation_set_default_page_setup (operation, setup);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, job->lines[0]);
  g_signal_connect (operation, "begin-print", G_CALLBACK (begin_cb), job);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_cb), job);
  g_object_set_data_full (G_OBJECT (operation), "ns-job", job, job_free);
  return operation;
}

static void
show_error (GtkWindow *parent, const char *title, const GError *error)
{
  GtkWidget *message = gtk_message_dialog_new (parent,
                                               GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                               GTK_MESSAGE_ERROR,
                                               GTK_BUTTONS_CLOSE,
                                               "%s",
                                               title);

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (message), "%s", error->message);
  g_signal_connect (message, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (message));
}

static void
done_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, GtkWindow *parent)
{
  g_autoptr (GError) error = NULL;

  if (result != GTK_PRINT_OPERATION_RESULT_ERROR)
    return;
  gtk_print_operation_get_error (operation, &error);
  if (error != NULL)
    show_error (parent, _ ("The pages could not be printed"), error);
}

/**
 * ns_print_sheet_run:
 * @parent: the parent window
 * @session: a session
 * @timeline: its timeline
 * @view: the table in front
 *
 * Shows the print dialog, and prints the timeline of the selected time span, or of the visible span
 * without a selection, and the rows of the table.
 */
void
ns_print_sheet_run (GtkWindow *parent, NsSession *session, NsTimeline *timeline, NsTableView *view)
{
  g_autoptr (GtkPrintOperation) operation = operation_new (job_new (session, timeline, view));
  g_autoptr (GError) error = NULL;

  gtk_print_operation_set_allow_async (operation, TRUE);
  gtk_print_operation_set_show_progress (operation, TRUE);
  g_signal_connect_object (operation, "done", G_CALLBACK (done_cb), parent, 0);
  if (gtk_print_operation_run (operation,
                               GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                               parent,
                               &error) == GTK_PRINT_OPERATION_RESULT_ERROR)
    show_error (parent, _ ("The pages could not be printed"), error);
}

/* A PDF export in progress; @who may be finalized before it finishes. */
typedef struct
{
  char *path;
  char *part_path; /* the temporary file, which is renamed to @path when complete */
  NsPrintSavedFunc saved;
  GWeakRef who;
} Saving;

static void
saving_free (gpointer data, GClosure *closure)
{
  Saving *saving = data;

  g_free (saving->path);
  g_free (saving->part_path);
  g_weak_ref_clear (&saving->who);
  g_free (saving);
}

static void
saved_cb (GtkPrintOperation *operation, GtkPrintOperationResult result, Saving *saving)
{
  g_autoptr (GObject) who = g_weak_ref_get (&saving->who);
  g_autoptr (GError) cause = NULL;
  g_autoptr (GError) error = NULL;

  if (result == GTK_PRINT_OPERATION_RESULT_ERROR)
    gtk_print_operation_get_error (operation, &cause);
  if (result != GTK_PRINT_OPERATION_RESULT_APPLY || g_rename (saving->part_path, saving->path) != 0)
    {
      g_autofree char *name = g_filename_display_name (saving->path);

      if (cause == NULL)
        g_set_error_literal (&cause, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, g_strerror (errno));
      g_set_error (&error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_WRITE,
                   _ ("“%s” could not be written: %s"),
                   name,
                   cause->message);
      g_unlink (saving->part_path);
    }
  if (who != NULL)
    saving->saved (who, error);
}

/**
 * ns_print_sheet_save:
 * @who: the object to pass to @saved
 * @session: a session
 * @timeline: its timeline
 * @view: the table in front
 * @path: a file; `.pdf`
 * @saved: (scope async): called when the file is written or writing failed, unless @who has been
 *   finalized
 *
 * Writes the pages that would be printed. The pages are made one by one, so the window stays
 * responsive.
 */
void
ns_print_sheet_save (GObject *who,
                     NsSession *session,
                     NsTimeline *timeline,
                     NsTableView *view,
                     const char *path,
                     NsPrintSavedFunc saved)
{
  g_autoptr (GtkPrintOperation) operation = operation_new (job_new (session, timeline, view));
  Saving *saving = g_new0 (Saving, 1);
  int fd;

  saving->path = g_strdup (path);
  saving->part_path = g_strdup_printf ("%s.part", path);
  saving->saved = saved;
  g_weak_ref_init (&saving->who, who);
  /* The temporary file is created with mode 0600, so that only its owner can ever read it. */
  g_unlink (saving->part_path);
  fd = g_open (saving->part_path, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (fd >= 0)
    g_close (fd, NULL);
  gtk_print_operation_set_export_filename (operation, saving->part_path);
  g_signal_connect_data (operation, "done", G_CALLBACK (saved_cb), saving, saving_free, 0);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, NULL);
}

static void
picture_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsTimeline *timeline = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (path == NULL || !ns_timeline_save_picture (timeline, path, &error))
    show_error (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (timeline))),
                _ ("The picture could not be saved"),
                error);
}

static void
add_filter (GtkFileChooser *chooser, const char *name, const char *suffix)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  gtk_file_filter_add_suffix (filter, suffix);
  gtk_file_chooser_add_filter (chooser, filter);
}

/**
 * ns_print_sheet_ask_picture:
 * @parent: the parent window
 * @timeline: a timeline of that window
 *
 * Asks for a file and saves the visible time span of the timeline with all its lanes. The extension
 * selects the format.
 */
void
ns_print_sheet_ask_picture (GtkWindow *parent, NsTimeline *timeline)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save Picture"),
                                                              parent,
                                                              GTK_FILE_CHOOSER_ACTION_SAVE,
                                                              _ ("_Save"),
                                                              _ ("_Cancel"));

  add_filter (GTK_FILE_CHOOSER (dialog), _ ("Portable Network Graphics (.png)"), "png");
  add_filter (GTK_FILE_CHOOSER (dialog), _ ("Scalable Vector Graphics (.svg)"), "svg");
  add_filter (GTK_FILE_CHOOSER (dialog), _ ("Portable Document Format (.pdf)"), "pdf");
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "timeline.png");
  ns_file_ask (dialog, picture_chosen_cb, timeline);
}
