/* The table of export formats, used by the command line and the window: a format in this table is
 * available in both.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-html.h"
#include "export/ns-extract-write.h"

G_BEGIN_DECLS

/* Content of a format's file, which determines the data needed to write it. */
typedef enum
{
  NS_EXPORT_CELLS,      /* columns of any table, as listed by the command line */
  NS_EXPORT_ANALYSIS,   /* typed columns: see ns-extract.h */
  NS_EXPORT_REPORT,     /* rows with findings and stacks, with function names */
  NS_EXPORT_HAND_OVER,  /* a report and records of the trace */
  NS_EXPORT_RECORDS,    /* records of the trace */
  NS_EXPORT_PACKETS,    /* captured packets */
  NS_EXPORT_OPERATIONS, /* rows of the master table in the format of another program */
} NsExportKind;

/**
 * NsExportRequest:
 * @report: the rows and related data
 * @has_bodies: whether an HTTP archive includes headers and bodies
 * @progress: (nullable): called with the progress of cells after each piece
 * @progress_data: for @progress
 *
 * Rows to write, and options.
 */
typedef struct
{
  NsExportReport report;
  gboolean has_bodies;
  NsExportProgressFunc progress;
  gpointer progress_data;
} NsExportRequest;

typedef struct _NsExportForm NsExportForm;

/**
 * NsExportForm:
 * @name: (nullable): name for `export --as`; %NULL: not available there
 * @ending: suffix of its file names
 * @title: (nullable): title in the window, marked for translation; %NULL: selected only by file
 *   name suffix
 * @kind: its content
 * @table: the table whose rows it contains; NS_N_TABLES: any table
 * @has_columns: whether columns can be chosen
 * @has_picture: whether it includes a picture of the timeline
 * @can_redact: whether personal data can be replaced by stand-ins
 * @left_out: (nullable): text about what is left out when names are replaced, marked for
 *   translation
 * @format: for %NS_EXPORT_CELLS
 * @extract: for %NS_EXPORT_ANALYSIS
 * @write: (nullable): writes it; %NULL: ns-extract-write.h does
 * @find_redactions: (nullable): finds what would be replaced, if @can_redact; returns %NULL if
 * stopped
 * @describe_left_out: (nullable) (transfer full): returns a text about rows that would not be in
 *   the file, or %NULL; sets @n_entries to the number of entries; %NULL: each row is an entry
 *
 * An export format.
 */
struct _NsExportForm
{
  const char *name;
  const char *ending;
  const char *title;
  NsExportKind kind;
  NsTableId table;
  gboolean has_columns;
  gboolean has_picture;
  gboolean can_redact;
  const char *left_out;
  NsExportFormat format;
  NsExtractForm extract;
  gboolean (*write) (const NsExportForm *self,
                     const NsExportRequest *request,
                     NsExportWriteFunc write,
                     gpointer write_data,
                     GError **error);
  NsRedact *(*find_redactions) (const NsExportRequest *request,
                                NsProgressFunc progress,
                                gpointer progress_data);
  char *(*describe_left_out) (const NsExportRequest *request, guint *n_entries);
};

const NsExportForm *ns_export_form_next (const NsExportForm *form);
const NsExportForm *ns_export_form_from_name (const char *name);
const NsExportForm *ns_export_form_from_path (const char *path, NsTableId table);
gboolean ns_export_form_can_hold (const NsExportForm *self, NsTableId table);
gboolean ns_export_form_can_redact (const NsExportForm *self, NsTableId table);
gboolean ns_export_form_has_records (const NsExportForm *self);
gboolean ns_export_form_write (const NsExportForm *self,
                               const NsExportRequest *request,
                               NsExportWriteFunc write,
                               gpointer write_data,
                               GError **error);

G_END_DECLS
