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
 * @fraction: share of the rows that is written, 0 to 1
 * @user_data: user data
 */
typedef void (*NsExportProgressFunc) (double fraction, gpointer user_data);

/* Highlighting of a part of a line on a terminal. */
typedef enum
{
  NS_EXPORT_MARK_NONE,
  NS_EXPORT_MARK_HEAD,
  NS_EXPORT_MARK_FAILURE,
  NS_EXPORT_MARK_WARNING,
} NsExportMark;

/**
 * NsExportMarkFunc:
 * @mark: highlighting of the following output
 * @user_data: user data
 * @error: return location
 *
 * Called between pieces.
 *
 * Returns: %FALSE to stop, with @error set
 */
typedef gboolean (*NsExportMarkFunc) (NsExportMark mark, gpointer user_data, GError **error);

/**
 * NsExportOptions:
 * @format: the format
 * @time: time format; JSON always has integers
 * @has_titles: whether the header has translated titles instead of IDs; durations are then in
 *   milliseconds
 * @has_words: whether machine-readable formats also have words in place of unknown numbers, such as
 *   `pending`; other formats always do
 * @is_pasted: whether an HTML table is pasted into another program, where texts must not become
 *   formulas
 * @redact: (nullable): stand-ins for personal data, written in its place
 * @line_width: aligned text: line width in characters, to which cells and columns are truncated; 0:
 *   unlimited
 * @mark: (nullable): aligned text: switches highlighting, with the user data of the writer
 * @progress: (nullable): called with the progress after each piece
 * @progress_data: for @progress
 *
 * Options for writing rows.
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
 * @n_bytes: number of bytes
 * @user_data: user data
 * @error: return location
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
