/* Output forms of `events` and `dump`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-event.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

#define NS_CLI_FORM_MAX_COLUMNS 64

/* The column that `dump` has and `events` lacks. */
#define NS_CLI_FORM_TIME_CREATED ((guint) NS_CLI_EVENT_N_COLUMNS)

typedef enum
{
  NS_CLI_FORM_ROWS, /* cells of a row in NsCliForm.format */
  NS_CLI_FORM_JSON,
  NS_CLI_FORM_JSONL,
  NS_CLI_FORM_LINE,   /* values with separators, without titles */
  NS_CLI_FORM_LIST,   /* one line per value */
  NS_CLI_FORM_XML,    /* the chosen columns */
  NS_CLI_FORM_EVENTS, /* the Windows event schema */
} NsCliFormKind;

/**
 * NsCliForm:
 * @kind: kind of the form
 * @format: for %NS_CLI_FORM_ROWS: the format
 * @separator: for %NS_CLI_FORM_LINE: text between values
 * @has_time: @event tells how to print times; otherwise the creation time of a record is a FILETIME
 * @file: the trace
 * @n_columns: number of @columns
 * @columns: columns to print
 * @line_width: maximum width of a line of aligned text, in characters; 0: unlimited
 * @widths: aligned text: widths of the columns; 0: as wide as the cell
 * @is_cut: aligned text: whether longer cells of a column are cut
 * @n_shown: aligned text: number of columns that fit a line
 * @event: the current record
 * @text: to append to
 * @cell: scratch buffer
 * @n_printed: number of records printed so far
 *
 * State of the output.
 */
typedef struct
{
  NsCliFormKind kind;
  NsExportFormat format;
  const char *separator;
  gboolean has_time;
  const NsEtlFile *file;
  guint n_columns;
  guint columns[NS_CLI_FORM_MAX_COLUMNS];
  guint line_width;
  guint widths[NS_CLI_FORM_MAX_COLUMNS];
  gboolean is_cut[NS_CLI_FORM_MAX_COLUMNS];
  guint n_shown;
  NsCliEvent event;
  GString *text;
  GString *cell;
  guint64 n_printed;
} NsCliForm;

gboolean ns_cli_form_from_name (NsCliForm *self, const char *name);
void ns_cli_form_begin (NsCliForm *self);
void ns_cli_form_go_on (NsCliForm *self);
void ns_cli_form_append (NsCliForm *self);
void ns_cli_form_end (NsCliForm *self);

G_END_DECLS
