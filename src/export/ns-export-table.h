/* Rows of a table as CSV, TSV, JSON, Markdown, an HTML table or aligned text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-time.h"
#include "export/ns-redact.h"

G_BEGIN_DECLS

typedef enum
{
  NS_EXPORT_TEXT,
  NS_EXPORT_CSV,
  NS_EXPORT_TSV,
  NS_EXPORT_JSON,
  NS_EXPORT_JSONL,
  NS_EXPORT_MARKDOWN,
  NS_EXPORT_HTML, /* a `table` element, for the clipboard and reports */
} NsExportFormat;

/**
 * NsExportProgressFunc:
 * @fraction: which part of the rows is written, 0 to 1
 * @user_data: the caller's
 */
typedef void (*NsExportProgressFunc) (double fraction, gpointer user_data);

/* How a stretch of a line stands out on a terminal. */
typedef enum
{
  NS_EXPORT_MARK_NONE,
  NS_EXPORT_MARK_HEAD,
  NS_EXPORT_MARK_FAILURE,
  NS_EXPORT_MARK_WARNING,
} NsExportMark;

/**
 * NsExportMarkFunc:
 * @mark: how what comes next stands out
 * @user_data: the caller's
 * @error: what went wrong
 *
 * Called between pieces.
 *
 * Returns: %FALSE to stop, with @error set
 */
typedef gboolean (*NsExportMarkFunc) (NsExportMark mark, gpointer user_data, GError **error);

/**
 * NsExportOptions:
 * @format: the form
 * @time: how moments are written; JSON always has integers
 * @has_titles: the header has translated titles instead of ids, and durations are milliseconds then
 * @has_words: forms for programs, too, have the words that stand in place of unknown numbers, such
 * as `pending`; those for people always do
 * @is_pasted: a table of HTML goes into another program, where texts must not become formulas
 * @redact: (nullable): has stand-ins for what tells of people and places, which are written instead
 * @line_width: aligned text: how many characters a line has; cells are cut and columns left out to
 * fit it; 0: as many as the cells need
 * @mark: (nullable): aligned text: told how what comes next stands out, with the data of the writer
 * @progress: (nullable): told how far it has come after each piece
 * @progress_data: for @progress
 *
 * How rows are to be written.
 */
typedef struct
{
  NsExportFormat format;
  NsExportTime time;
  gboolean has_titles;
  gboolean has_words;
  gboolean is_pasted;
  const NsRedact *redact;
  guint line_width;
  NsExportMarkFunc mark;
  NsExportProgressFunc progress;
  gpointer progress_data;
} NsExportOptions;

/**
 * NsExportWriteFunc:
 * @data: (array length=n_bytes): the next piece, whole characters
 * @n_bytes: how many
 * @user_data: the caller's
 * @error: what went wrong
 *
 * Returns: %FALSE to stop, with @error set
 */
typedef gboolean (*NsExportWriteFunc) (const char *data,
                                       gsize n_bytes,
                                       gpointer user_data,
                                       GError **error);

gboolean ns_export_format_from_name (const char *name, NsExportFormat *format);
GPtrArray *ns_export_parse_columns (NsTableId table, const char *text, GError **error);
GPtrArray *ns_export_list_columns (NsTableId table, NsExportFormat format);
gboolean ns_export_table (const NsExportRows *rows,
                          const NsExportOptions *options,
                          NsExportWriteFunc write,
                          gpointer write_data,
                          GError **error);
char *ns_export_table_to_text (const NsExportRows *rows, const NsExportOptions *options);

G_END_DECLS
