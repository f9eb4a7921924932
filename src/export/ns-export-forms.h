/* The table of export formats.
 *
 * The command line and the window read it: a form that has a row here is offered by both.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-html.h"
#include "export/ns-extract-write.h"

G_BEGIN_DECLS

/* What a file of a form is made of, and so what must be read before. */
typedef enum
{
  NS_EXPORT_CELLS,      /* columns of any table, as the verbs print them */
  NS_EXPORT_ANALYSIS,   /* typed columns: see ns-extract.h */
  NS_EXPORT_REPORT,     /* rows with findings and stacks, whose functions have names */
  NS_EXPORT_HAND_OVER,  /* a report and records of the trace */
  NS_EXPORT_RECORDS,    /* records of the trace */
  NS_EXPORT_PACKETS,    /* captured packets */
  NS_EXPORT_OPERATIONS, /* rows of the master table in a form of other programs */
} NsExportKind;

/**
 * NsExportRequest:
 * @report: the rows and what goes with them
 * @has_bodies: whether an HTTP archive has headers and bodies
 * @progress: (nullable): told how far cells have come after each piece
 * @progress_data: for @progress
 *
 * What is to be written.
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
 * @name: (nullable): what it is called after `export --as`; %NULL: `export` has it not
 * @ending: of the names of its files
 * @title: (nullable): what it is called in the window, marked for translation; %NULL: it is chosen
 * by the ending of a name only
 * @kind: what it is made of
 * @table: the table whose rows it holds; NS_N_TABLES: of any table
 * @has_columns: columns can be chosen; else it has its own
 * @has_picture: the timeline is drawn in it
 * @can_redact: stand-ins can take the place of what tells of people and places
 * @left_out: (nullable): says what is not in it when names are replaced, marked for translation
 * @format: of %NS_EXPORT_CELLS
 * @extract: of %NS_EXPORT_ANALYSIS
 * @write: (nullable): writes it; %NULL: ns-extract-write.h does
 * @look: (nullable): finds what would be replaced, where @can_redact; %NULL from it: it was stopped
 * @describe_left_out: (nullable) (transfer full): says which of the rows would not be in the file,
 * or %NULL; @n_entries becomes how many are; %NULL: each row is an entry
 *
 * A form of file.
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
  NsRedact *(*look) (const NsExportRequest *request,
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
