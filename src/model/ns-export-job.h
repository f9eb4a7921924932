/* Exports rows of a session to a file in a thread, atomically.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-forms.h"
#include "model/ns-session-export.h"

G_BEGIN_DECLS

/**
 * NsSessionExport:
 * @table: a table
 * @rows: which of its rows
 * @fields: (element-type NsField): columns, in order
 * @form: (nullable): a name whose extension selects the format if that of the file does not
 * @picture: (nullable): the timeline as SVG, for a report
 * @view: (nullable): an `a{sv}`: the state of the view, for a report and a hand-over
 * @has_bodies: whether an HTTP archive includes headers and bodies
 * @has_shown_columns: whether @fields are the columns currently shown: a report then also includes
 *   the results of operations
 * @is_shared: whether all users of this computer may read the file
 * @is_redacted: whether names of people and places are replaced
 *
 * What to export.
 */
typedef struct
{
  NsTableId table;
  NsSessionRows rows;
  const GPtrArray *fields;
  const char *form;
  const char *picture;
  GVariant *view;
  gboolean has_bodies;
  gboolean has_shown_columns;
  gboolean is_shared;
  gboolean is_redacted;
} NsSessionExport;

#define NS_TYPE_EXPORT_JOB (ns_export_job_get_type ())
G_DECLARE_FINAL_TYPE (NsExportJob, ns_export_job, NS, EXPORT_JOB, GObject)

NsExportJob *ns_export_job_new (NsSession *session, const NsSessionExport *what);
gboolean ns_export_job_has_picture (const char *path, const char *form);
guint ns_export_job_get_n_rows (NsExportJob *self);
double ns_export_job_get_fraction (NsExportJob *self);
gboolean
ns_export_job_run (NsExportJob *self, const char *path, GCancellable *cancellable, GError **error);
char *ns_export_job_to_text (NsExportJob *self, NsExportFormat format);
void ns_export_job_run_async (NsExportJob *self,
                              const char *path,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean ns_export_job_run_finish (NsExportJob *self, GAsyncResult *result, GError **error);
void ns_export_job_look_async (NsExportJob *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
NsRedact *ns_export_job_look_finish (NsExportJob *self, GAsyncResult *result, GError **error);

G_END_DECLS
