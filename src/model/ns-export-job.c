/* Exports rows of a session to a file in a thread, atomically.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-export-job.h"

#include "export/ns-export-etl.h"
#include "export/ns-export-forms.h"
#include "export/ns-report-parts.h"
#include "model/ns-session-tables.h"
#include "model/ns-symbol-export.h"

#include <glib/gi18n-lib.h>

/* Resolution of the reported progress. */
#define N_STEPS 1000

struct _NsExportJob
{
  GObject parent_instance;

  /* Immutable after construction: read by a thread. */
  NsTrace *trace;
  NsTableId table;
  GArray *rows;
  NsSessionTables *tables; /* the exported rows and those of other tables, for analysis */
  GPtrArray *fields;
  char *form;
  char *picture;
  char *filter;
  GVariant *view;       /* (nullable) */
  NsSymbolJob *symbols; /* resolves the functions in a report */
  gboolean has_bodies;
  gboolean is_redacted;
  gboolean is_shared;

  gint n_steps; /* atomic */
  guint64 n_written;
};

G_DEFINE_FINAL_TYPE (NsExportJob, ns_export_job, G_TYPE_OBJECT)

/* Writes the pieces of the file. */
typedef struct
{
  NsExportFile *file;
  GCancellable *cancellable;
} Sink;

static gboolean
sink_write (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  Sink *sink = user_data;

  return !g_cancellable_set_error_if_cancelled (sink->cancellable, error) &&
         ns_export_file_write (data, n_bytes, sink->file, error);
}

static void
progress_cb (double fraction, gpointer user_data)
{
  NsExportJob *self = user_data;

  g_atomic_int_set (&self->n_steps, (gint) (fraction * N_STEPS));
}

/* Returns whether to continue the search for names. */
static gboolean
look_cb (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

/* Returns the format by the extension of either name, or else CSV. */
static const NsExportForm *
find_form (const char *path, const char *other, NsTableId table)
{
  const NsExportForm *form = ns_export_form_from_path (path, table);

  if (form == NULL && other != NULL)
    form = ns_export_form_from_path (other, table);
  return form != NULL ? form : ns_export_form_next (NULL);
}

static NsExportRows
get_rows (NsExportJob *self)
{
  return (NsExportRows){ .trace = self->trace,
                         .table = self->table,
                         .rows = (const guint32 *) (gpointer) self->rows->data,
                         .n_rows = self->rows->len,
                         .fields = (const NsField *const *) self->fields->pdata,
                         .n_fields = self->fields->len };
}

/* Creates the export request. A bundle waits for symbols; a report uses those known so far. */
static NsExportRequest
get_request (NsExportJob *self, NsSymbolExport *names)
{
  return (NsExportRequest){ .report = { .rows = get_rows (self),
                                        .chains = { self->trace, ns_symbol_export_resolve, names },
                                        .filter = self->filter,
                                        .picture = self->picture,
                                        .settle = ns_symbol_export_settle,
                                        .settle_data = names,
                                        .view = self->view },
                            .has_bodies = self->has_bodies,
                            .progress = progress_cb,
                            .progress_data = self };
}

/* Returns: (transfer full) (nullable): the replacements; %NULL if cancelled */
static NsRedact *
find_redactions (NsExportJob *self,
                 const NsExportForm *form,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (NsSymbolExport) names = ns_symbol_export_new (self->symbols, cancellable);
  const NsExportRequest request = get_request (self, names);
  NsRedact *redact = form->find_redactions (&request, look_cb, cancellable);

  if (redact == NULL)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return redact;
}

typedef struct
{
  NsExportJob *job;
  GCancellable *cancellable;
} Telling;

static gboolean
tables_progress_cb (double fraction, gpointer user_data)
{
  Telling *telling = user_data;

  progress_cb (fraction, telling->job);
  return !g_cancellable_is_cancelled (telling->cancellable);
}

static gboolean
write_tables (NsExportJob *self, NsExtractForm form, Sink *sink, GError **error)
{
  Telling telling = { self, sink->cancellable };
  GError *own = NULL;

  if (ns_session_tables_write (self->tables,
                               form,
                               self->is_redacted,
                               sink->file,
                               tables_progress_cb,
                               &telling,
                               &self->n_written,
                               &own))
    return TRUE;
  if (g_cancellable_set_error_if_cancelled (sink->cancellable, error))
    g_error_free (own);
  else
    g_propagate_error (error, own);
  return FALSE;
}

static gboolean
write_form (NsExportJob *self, const NsExportForm *form, Sink *sink, GError **error)
{
  g_autoptr (NsSymbolExport) names = ns_symbol_export_new (self->symbols, sink->cancellable);
  g_autoptr (NsRedact) redact = NULL;
  NsExportRequest request = get_request (self, names);
  g_autofree char *left_out = NULL;
  guint n_entries;

  if (self->is_redacted && !ns_export_form_can_redact (form, self->table))
    return ns_trace_refuse_query (error, _ ("Names cannot be replaced in this file format."));
  if (form->kind == NS_EXPORT_ANALYSIS)
    return write_tables (self, form->extract, sink, error);
  if (self->is_redacted &&
      (redact = find_redactions (self, form, sink->cancellable, error)) == NULL)
    return FALSE;
  request.report.redact = redact;
  if (!ns_export_form_write (form, &request, sink_write, sink, error))
    return FALSE;
  if (form->describe_left_out != NULL)
    {
      left_out = form->describe_left_out (&request, &n_entries);
      self->n_written = n_entries;
    }
  return TRUE;
}

static void
ns_export_job_finalize (GObject *object)
{
  NsExportJob *self = NS_EXPORT_JOB (object);

  ns_trace_unref (self->trace);
  g_array_unref (self->rows);
  g_clear_pointer (&self->tables, ns_session_tables_free);
  g_ptr_array_unref (self->fields);
  g_free (self->form);
  g_free (self->picture);
  g_free (self->filter);
  g_clear_pointer (&self->view, g_variant_unref);
  g_clear_object (&self->symbols);
  G_OBJECT_CLASS (ns_export_job_parent_class)->finalize (object);
}

static void
ns_export_job_class_init (NsExportJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_export_job_finalize;
}

static void
ns_export_job_init (NsExportJob *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->fields = g_ptr_array_new ();
}

static void
add_all_fields (NsExportJob *self)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (self->table, &n_fields);
  guint i;

  for (i = 0; i < n_fields; i++)
    g_ptr_array_add (self->fields, (gpointer) &fields[i]);
}

/**
 * ns_export_job_new:
 * @session: a session
 * @what: which rows and columns; it is copied
 *
 * Copies the list of rows; later changes of selection and filter have no effect.
 *
 * Returns: (transfer full): a job
 */
NsExportJob *
ns_export_job_new (NsSession *session, const NsSessionExport *what)
{
  NsExportJob *self = g_object_new (NS_TYPE_EXPORT_JOB, NULL);
  const NsExportForm *form =
      what->form != NULL ? ns_export_form_from_path (what->form, what->table) : NULL;
  guint i;

  self->trace = ns_trace_ref (ns_session_get_trace (session));
  self->table = what->table;
  ns_session_export_append_rows (session, what->table, what->rows, self->rows);
  self->n_written = self->rows->len;
  self->tables = ns_session_tables_new (session, what->table, what->rows);
  if (form != NULL && form->kind == NS_EXPORT_ANALYSIS)
    add_all_fields (self);
  else
    for (i = 0; i < what->fields->len; i++)
      g_ptr_array_add (self->fields, g_ptr_array_index (what->fields, i));
  if (what->has_shown_columns && form != NULL && form->kind == NS_EXPORT_REPORT)
    ns_report_add_columns (self->fields, what->table);
  self->form = g_strdup (what->form);
  self->picture = g_strdup (what->picture);
  self->has_bodies = what->has_bodies;
  self->is_redacted = what->is_redacted;
  self->is_shared = what->is_shared;
  self->view = what->view != NULL ? g_variant_ref (what->view) : NULL;
  /* The format is chosen by the file extension later, and may include function names. */
  self->symbols = g_object_ref (ns_symbol_job_get_for_session (session));
  if (what->rows != NS_SESSION_ALL_ROWS)
    self->filter = g_strdup (ns_session_get_filter (session, what->table));
  return self;
}

/**
 * ns_export_job_has_picture:
 * @path: the output file
 * @form: (nullable): a name whose extension selects the format if that of @path does not
 *
 * Returns: whether the format includes a picture of the timeline
 */
gboolean
ns_export_job_has_picture (const char *path, const char *form)
{
  return find_form (path, form, NS_TABLE_ACTIVITIES)->has_picture;
}

/**
 * ns_export_job_get_n_rows:
 * @self: a job that is not running
 *
 * Returns: the number of rows to write; after the export, that of all written tables
 */
guint
ns_export_job_get_n_rows (NsExportJob *self)
{
  return (guint) MIN (self->n_written, G_MAXUINT);
}

/**
 * ns_export_job_get_fraction:
 * @self: a job that may be running in another thread
 *
 * Returns: the progress, 0 to 1; stays 0 for formats without progress
 */
double
ns_export_job_get_fraction (NsExportJob *self)
{
  return (double) g_atomic_int_get (&self->n_steps) / N_STEPS;
}

/**
 * ns_export_job_run:
 * @self: a job
 * @path: the output file; its extension selects the format, or else that of the job does
 * @cancellable: (nullable): cancels the export
 * @error: %NS_TRACE_ERROR_WRITE, %NS_TRACE_ERROR_QUERY if the format does not support the rows, or
 *   %G_IO_ERROR_CANCELLED
 *
 * Writes the rows; on failure no file is left.
 *
 * Returns: whether the file was written
 */
gboolean
ns_export_job_run (NsExportJob *self, const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (NsExportFile) file = ns_export_file_new (path, error);
  Sink sink = { file, cancellable };
  const NsExportForm *form = find_form (path, self->form, self->table);

  if (file != NULL && self->is_shared)
    ns_export_file_set_mode (file, NS_EXPORT_FILE_SHARED);
  return file != NULL &&
         (!ns_export_form_has_records (form) ||
          ns_export_etl_check_place (self->trace, path, error)) &&
         write_form (self, form, &sink, error) &&
         !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         ns_export_file_commit (file, error);
}

/**
 * ns_export_job_to_text:
 * @self: a job
 * @format: the format
 *
 * Returns: (transfer full): the rows as text, for the clipboard and drag and drop
 */
char *
ns_export_job_to_text (NsExportJob *self, NsExportFormat format)
{
  /* TSV is for people and has the titles and units of the window */
  NsExportOptions options = { .format = format,
                              .has_titles = format == NS_EXPORT_TSV,
                              .is_pasted = TRUE };
  NsExportRows rows = get_rows (self);

  return ns_export_table_to_text (&rows, &options);
}

static void
job_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (ns_export_job_run (source_object, task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * ns_export_job_run_async:
 * @self: a job
 * @path: the output file, as for ns_export_job_run()
 * @cancellable: (nullable): cancels the export; no file is left then
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Writes the rows in a thread.
 */
void
ns_export_job_run_async (NsExportJob *self,
                         const char *path,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, ns_export_job_run_async);
  /* The result of the thread counts: if the file exists, the export was not cancelled. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, job_worker);
}

/**
 * ns_export_job_run_finish:
 * @self: a job
 * @result: passed to the callback
 * @error: as of ns_export_job_run()
 *
 * Returns: whether the file was written
 */
gboolean
ns_export_job_run_finish (NsExportJob *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
look_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  NsExportJob *self = source_object;
  NsRedact *redact =
      find_redactions (self, find_form (self->form, NULL, self->table), cancellable, &error);

  if (redact != NULL)
    g_task_return_pointer (task, redact, (GDestroyNotify) ns_redact_free);
  else
    g_task_return_error (task, error);
}

/**
 * ns_export_job_look_async:
 * @self: a job with a format
 * @cancellable: (nullable): cancels it
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Determines, in a thread, which names a redacted export would replace.
 */
void
ns_export_job_look_async (NsExportJob *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, ns_export_job_look_async);
  g_task_run_in_thread (task, look_worker);
}

/**
 * ns_export_job_look_finish:
 * @self: a job
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable): the replacements
 */
NsRedact *
ns_export_job_look_finish (NsExportJob *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
