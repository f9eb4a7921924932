/* The forms in which `events` and `dump` print their records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "cli/ns-cli-event.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

#define NS_CLI_FORM_MAX_COLUMNS 64

/* What `dump` can show that `events` cannot. */
#define NS_CLI_FORM_TIME_CREATED ((guint) NS_CLI_EVENT_N_COLUMNS)

typedef enum
{
  NS_CLI_FORM_ROWS, /* cells of a row, as @format has it */
  NS_CLI_FORM_JSON,
  NS_CLI_FORM_JSONL,
  NS_CLI_FORM_LINE,   /* values with separators, without titles */
  NS_CLI_FORM_LIST,   /* a line a value */
  NS_CLI_FORM_XML,    /* columns that were chosen */
  NS_CLI_FORM_EVENTS, /* the schema that Windows has for events */
} NsCliFormKind;

/**
 * NsCliForm:
 * @kind: what is printed
 * @format: of %NS_CLI_FORM_ROWS, how
 * @separator: of %NS_CLI_FORM_LINE, what stands between values
 * @has_time: @event tells how times are printed, else the time a record was created is a FILETIME
 * @file: the trace
 * @columns: what is printed of a record
 * @line_width: characters that a line of aligned text has; 0: as many as the cells need
 * @widths: of aligned text, how wide each column is; 0: as its cells
 * @is_cut: of aligned text, whether longer cells of a column are cut
 * @n_shown: of aligned text, how many columns a line holds
 * @event: the record at hand
 * @text: where to append
 * @cell: scratch
 * @n_printed: records printed so far
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
