/* Rows of a table as CSV, TSV, JSON, Markdown, an HTML table or aligned text. Rows are written as
 * they are read; only one piece of the output is in memory at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-writer.h"
#include "base/ns-meanwhile.h"
#include "base/ns-text.h"
#include "engine/trace/ns-view-context.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-fit.h"
#include "export/ns-export-flush.h"
#include "export/ns-export-machines.h"
#include "query/ns-field-quick.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PIECE_BYTES (64 * 1024)
/* Minimum number of rows that two threads format, number of rows in a share, and number of
 * shares formatted at the same time. */
#define MIN_SHARED_ROWS 8192
#define SHARE_ROWS 512
#define N_SHARES 8
/* Maximum width of a column of aligned text; longer cells extend beyond it. */
#define MAX_WIDTH 60

typedef struct
{
  const NsExportRows *rows;
  const NsTrace *trace;         /* trace of the current row */
  const NsTrace *const *traces; /* traces of the rows if there are several; NULL: one */
  const guint8 *whose;          /* likewise, index of the trace of each row */
  const NsExportOptions *options;
  NsExportWriteFunc write;
  gpointer write_data;
  GString *piece;
  GString *cell;
  guint *widths;       /* aligned text: in characters */
  guint n_columns;     /* number of columns that fit into the line */
  NsExportMark mark;   /* aligned text: highlighting of the row */
  NsFieldQuick *quick; /* machine-readable formats: by column */
  gboolean is_head;
  gboolean is_guarded; /* texts that begin like a formula get an apostrophe */
} Writer;

static guint
get_row (const NsExportRows *rows, gsize i)
{
  return rows->rows == NULL ? (guint) i : rows->rows[i];
}

static guint
go_to_row (Writer *self, gsize i)
{
  if (self->traces != NULL)
    self->trace = self->traces[self->whose[i]];
  return get_row (self->rows, i);
}

static gboolean
flush (Writer *self, gsize at_least, GError **error)
{
  return ns_export_flush (self->piece, at_least, self->write, self->write_data, error);
}

static void
report_progress (Writer *self, gsize n_done)
{
  if (self->options->progress != NULL)
    self->options->progress (n_done < self->rows->n_rows
                                 ? (double) n_done / (double) self->rows->n_rows
                                 : 1,
                             self->options->progress_data);
}

static gboolean
is_human (const NsExportOptions *options)
{
  return options->format == NS_EXPORT_TEXT || options->format == NS_EXPORT_MARKDOWN ||
         options->format == NS_EXPORT_HTML;
}

/* Appends a value, not quoted yet. */
static void
append_value (Writer *self, const NsField *field, const NsFieldValue *value, GString *text)
{
  const NsExportOptions *options = self->options;

  if (value->is_null)
    {
      if (is_human (options) || options->has_words)
        ns_field_append_raw (field, value, text);
    }
  else if (field->type == NS_TYPE_TIME && options->time != NS_EXPORT_TIME_NS)
    ns_export_time_append (text, self->trace, value->v.i, options->time);
  else if (field->type == NS_TYPE_TIME && options->has_titles && !is_human (options))
    ns_export_time_append (text, self->trace, value->v.i, NS_EXPORT_TIME_REL);
  else if (is_human (options) && field->type != NS_TYPE_COUNT)
    ns_field_append_human (field, value, text);
  else if (field->type == NS_TYPE_DURATION && options->has_titles)
    ns_export_cell_append_exact_ms (text, value->v.i);
  else
    ns_field_append_raw (field, value, text);
}

static void
get_value (Writer *self, const NsField *field, guint row, NsFieldValue *value)
{
  ns_field_get (self->trace, field, row, value);
  if (self->options->redact != NULL)
    ns_redact_apply (self->options->redact, field, value);
}

/* Reads the text of a cell, not quoted yet. */
static void
read_cell (Writer *self, const NsField *field, guint row)
{
  NsFieldValue value;

  g_string_truncate (self->cell, 0);
  /* Redaction does not cover stand-in fields. */
  if (is_human (self->options) && self->options->redact == NULL)
    field = ns_field_get_shown (self->trace, field, row, &value);
  else
    get_value (self, field, row, &value);
  append_value (self, field, &value, self->cell);
  ns_field_value_clear (&value);
}

/* Returns whether the text of a cell may contain separators or quotes. */
static gboolean
may_need_quotes (const NsField *field)
{
  return field->type == NS_TYPE_TEXT || field->type == NS_TYPE_LIST ||
         field->type == NS_TYPE_OBJECT;
}

static void
append_machine_text (Writer *self, const char *text)
{
  if (self->options->format == NS_EXPORT_CSV)
    ns_export_cell_append_csv_text (self->piece, text, self->is_guarded);
  else
    ns_export_cell_append_tsv_text (self->piece, text, self->is_guarded);
}

/* Appends a plain member; FALSE: the cell must be formatted by the general code. */
static inline gboolean
append_quickly (Writer *self, guint column, guint row)
{
  const NsFieldQuick *quick = &self->quick[column];
  const char *text;

  if (quick->kind == NS_FIELD_QUICK_NONE)
    return FALSE;
  if (!ns_field_quick_is_text (quick))
    ns_field_quick_append (quick, row, self->piece);
  else if ((text = ns_field_quick_get_text (quick, row)) != NULL)
    append_machine_text (self, text);
  return TRUE;
}

/* Returns whether values of this type are written as they are in the row, in nanoseconds. */
static gboolean
is_in_ns (const NsExportOptions *options, NsFieldType type)
{
  if (type == NS_TYPE_TIME)
    return options->time == NS_EXPORT_TIME_NS && !options->has_titles;
  return type != NS_TYPE_DURATION || !options->has_titles;
}

/* Returns the locations of plain members. NULL: values are redacted, belong to several traces,
 * or need another time format. */
static NsFieldQuick *
find_quick (const Writer *self)
{
  NsFieldQuick *quick = g_new0 (NsFieldQuick, self->rows->n_fields);
  gboolean is_plain = self->options->redact == NULL && self->traces == NULL;
  guint i;

  for (i = 0; is_plain && i < self->rows->n_fields; i++)
    if (is_in_ns (self->options, self->rows->fields[i]->type))
      ns_field_quick_init (&quick[i], self->rows->trace, self->rows->fields[i]);
  return quick;
}

/* Appends a cell of a machine-readable format, without a copy if it needs no quotes: tables have
 * millions of cells. */
static void
append_machine_cell (Writer *self, guint column, guint row)
{
  const NsField *field = self->rows->fields[column];
  NsFieldValue value;

  if (column > 0)
    g_string_append_c (self->piece, self->options->format == NS_EXPORT_CSV ? ',' : '\t');
  if (append_quickly (self, column, row))
    return;
  get_value (self, field, row, &value);
  if (!may_need_quotes (field))
    append_value (self, field, &value, self->piece);
  else if (!value.is_null && field->type == NS_TYPE_LIST)
    {
      g_string_truncate (self->cell, 0);
      append_value (self, field, &value, self->cell);
      append_machine_text (self, self->cell->str);
    }
  else if (!value.is_null)
    append_machine_text (self, value.v.text);
  ns_field_value_clear (&value);
}

/* Reads a column header with its unit: in brackets after titles, as a suffix of IDs of times. */
static void
read_header (Writer *self, const NsField *field)
{
  const NsExportOptions *options = self->options;

  g_string_truncate (self->cell, 0);
  if (options->has_titles || is_human (options))
    {
      const char *title = g_dgettext (GETTEXT_PACKAGE, field->title);
      gboolean is_stamp = field->type == NS_TYPE_TIME && options->time > NS_EXPORT_TIME_REL;
      const char *unit = is_stamp ? strstr (title, " (") : NULL;

      g_string_append_len (self->cell, title, unit == NULL ? -1 : unit - title);
      return;
    }
  g_string_append (self->cell, field->id);
  if (field->type == NS_TYPE_TIME && g_str_has_suffix (field->id, "_ns"))
    {
      g_string_truncate (self->cell, self->cell->len - strlen ("_ns"));
      g_string_append (self->cell, ns_export_time_get_suffix (options->time));
    }
}

static void
append_cell (Writer *self, guint column)
{
  gboolean is_last = column + 1 == self->n_columns;

  switch (self->options->format)
    {
    case NS_EXPORT_CSV:
      if (column > 0)
        g_string_append_c (self->piece, ',');
      ns_export_cell_append_csv (self->piece, self->cell->str);
      if (is_last)
        g_string_append (self->piece, "\r\n");
      break;
    case NS_EXPORT_MARKDOWN:
      g_string_append (self->piece, column > 0 ? " | " : "| ");
      ns_export_cell_append_markdown (self->piece, self->cell->str);
      if (is_last)
        g_string_append (self->piece, " |\n");
      break;
    case NS_EXPORT_HTML:
      g_string_append_printf (self->piece,
                              "%s<%s%s>",
                              column > 0 ? "" : "<tr>",
                              self->is_head ? "th" : "td",
                              ns_field_type_is_number (self->rows->fields[column]->type)
                                  ? " align=\"right\""
                              : !self->is_head && !self->options->is_pasted &&
                                      ns_export_cell_is_long (self->cell->str)
                                  ? " class=\"long\""
                                  : "");
      /* A negative number is not a formula. */
      if (self->options->is_pasted && !ns_field_type_is_number (self->rows->fields[column]->type))
        ns_export_cell_append_html_text (self->piece, self->cell->str, self->is_guarded);
      else
        ns_export_cell_append_html (self->piece, self->cell->str);
      g_string_append_printf (self->piece,
                              "</%s>%s",
                              self->is_head ? "th" : "td",
                              is_last ? "</tr>\n" : "");
      break;
    case NS_EXPORT_TEXT:
      if (column > 0)
        g_string_append (self->piece, "  ");
      if (self->options->line_width > 0)
        ns_export_fit_cell (self->cell, self->widths[column]);
      ns_export_cell_append_aligned (self->piece,
                                     self->cell->str,
                                     self->widths[column],
                                     ns_field_type_is_number (self->rows->fields[column]->type),
                                     is_last);
      if (is_last)
        g_string_append_c (self->piece, '\n');
      break;
    case NS_EXPORT_TSV:
    case NS_EXPORT_JSON:
    case NS_EXPORT_JSONL:
    default:
      if (column > 0)
        g_string_append_c (self->piece, '\t');
      ns_export_cell_append_plain (self->piece, self->cell->str);
      if (is_last)
        g_string_append_c (self->piece, '\n');
      break;
    }
}

/* Fits the columns of aligned text into the line. */
static void
fit_line (Writer *self)
{
  g_autofree gboolean *is_cut = g_new0 (gboolean, self->rows->n_fields + 1);
  guint column;

  if (self->options->line_width == 0)
    return;
  for (column = 0; column < self->rows->n_fields; column++)
    is_cut[column] = !ns_field_type_is_number (self->rows->fields[column]->type);
  self->n_columns =
      ns_export_fit_columns (self->widths, is_cut, self->rows->n_fields, self->options->line_width);
}

static void
measure (Writer *self)
{
  guint column;
  gsize i;

  self->widths = g_new0 (guint, self->rows->n_fields);
  for (column = 0; column < self->rows->n_fields; column++)
    {
      const NsField *field = self->rows->fields[column];
      guint width;

      read_header (self, field);
      width = ns_export_cell_get_width (self->cell->str);
      for (i = 0; i < self->rows->n_rows && width < MAX_WIDTH; i++)
        {
          read_cell (self, field, go_to_row (self, i));
          width = MAX (width, ns_export_cell_get_width (self->cell->str));
        }
      self->widths[column] = MIN (width, MAX_WIDTH);
    }
  fit_line (self);
}

static void
append_row (Writer *self, guint row)
{
  guint column;

  for (column = 0; column < self->n_columns; column++)
    if (self->quick != NULL)
      append_machine_cell (self, column, row);
    else
      {
        read_cell (self, self->rows->fields[column], row);
        append_cell (self, column);
      }
  if (self->quick != NULL)
    g_string_append (self->piece, self->options->format == NS_EXPORT_CSV ? "\r\n" : "\n");
}

/* Rows that two threads format; a free thread takes the next share. */
typedef struct
{
  GString *pieces[N_SHARES];
  gsize begin;
  gsize end;
  int next; /* atomic: next share */
} Stretch;

typedef struct
{
  Writer writer; /* has its own cell and piece */
  Stretch *stretch;
} Maker;

static gpointer
make_shares (gpointer data)
{
  Maker *self = data;
  Stretch *stretch = self->stretch;
  int share;

  while ((share = g_atomic_int_add (&stretch->next, 1)) < N_SHARES)
    {
      gsize i = MIN (stretch->begin + (gsize) share * SHARE_ROWS, stretch->end);
      gsize end = MIN (i + SHARE_ROWS, stretch->end);

      self->writer.piece = stretch->pieces[share];
      for (; i < end; i++)
        append_row (&self->writer, get_row (self->writer.rows, i));
    }
  return NULL;
}

static void
stretch_begin (Stretch *self, gsize begin, gsize n_rows)
{
  self->begin = MIN (begin, n_rows);
  self->end = MIN (self->begin + N_SHARES * SHARE_ROWS, n_rows);
  self->next = 0;
}

/* Writes the shares in row order. */
static gboolean
stretch_write (Stretch *self, Writer *writer, GError **error)
{
  gboolean ok = TRUE;
  guint i;

  for (i = 0; i < N_SHARES; i++)
    {
      GString *piece = self->pieces[i];

      if (ok && piece->len > 0)
        ok = writer->write (piece->str, piece->len, writer->write_data, error);
      g_string_truncate (piece, 0);
    }
  if (ok)
    report_progress (writer, self->end);
  return ok;
}

/* Formats many rows with two threads. One thread also writes the shares while the other begins
 * the next ones, since writing may take as long as formatting. */
static gboolean
write_shared_rows (Writer *self, GError **error)
{
  gsize n_rows = self->rows->n_rows;
  Stretch stretches[2] = { 0 };
  Maker makers[2] = { { *self, NULL }, { *self, NULL } };
  guint made = 0;
  gboolean ok;
  guint i;

  for (i = 0; i < N_SHARES; i++)
    {
      stretches[0].pieces[i] = g_string_sized_new (PIECE_BYTES);
      stretches[1].pieces[i] = g_string_sized_new (PIECE_BYTES);
    }
  makers[1].writer.cell = g_string_new (NULL);
  ok = flush (self, 0, error);
  while (ok && stretches[made].end < n_rows)
    {
      NsMeanwhile meanwhile = { 0 };
      Stretch *next = &stretches[1 - made];

      stretch_begin (next, stretches[made].end, n_rows);
      makers[0].stretch = makers[1].stretch = next;
      ns_meanwhile_begin (&meanwhile, "ns-export", make_shares, &makers[1]);
      ok = stretches[made].end == 0 || stretch_write (&stretches[made], self, error);
      if (ok)
        make_shares (&makers[0]);
      ns_meanwhile_end (&meanwhile);
      made = 1 - made;
    }
  ok = ok && stretch_write (&stretches[made], self, error);
  for (i = 0; i < N_SHARES; i++)
    {
      g_string_free (stretches[0].pieces[i], TRUE);
      g_string_free (stretches[1].pieces[i], TRUE);
    }
  g_string_free (makers[1].writer.cell, TRUE);
  return ok;
}

/* Returns the highlighting of a row, by its error. */
static NsExportMark
get_mark (const Writer *self, guint row)
{
  static const struct
  {
    const char *field;
    const char *text; /* NULL: true */
    NsExportMark mark;
  } marks[] = { { "failed", NULL, NS_EXPORT_MARK_FAILURE },
                { "severity", "problem", NS_EXPORT_MARK_FAILURE },
                { "severity", "warning", NS_EXPORT_MARK_WARNING } };
  NsExportMark mark = NS_EXPORT_MARK_NONE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (marks) && mark == NS_EXPORT_MARK_NONE; i++)
    {
      const NsField *field = ns_table_find_field (self->rows->table, marks[i].field);
      NsFieldValue value;

      if (field == NULL)
        continue;
      ns_field_get (self->trace, field, row, &value);
      if (!value.is_null &&
          (marks[i].text == NULL ? value.v.u != 0 : g_strcmp0 (value.v.text, marks[i].text) == 0))
        mark = marks[i].mark;
      ns_field_value_clear (&value);
    }
  return mark;
}

/* Returns whether highlighting is requested, which only aligned text supports. */
static gboolean
has_marks (const Writer *self)
{
  return self->options->mark != NULL && self->options->format == NS_EXPORT_TEXT;
}

/* Switches the highlighting of the following output. */
static gboolean
set_mark (Writer *self, NsExportMark mark, GError **error)
{
  if (!has_marks (self) || self->mark == mark)
    return TRUE;
  self->mark = mark;
  return flush (self, 0, error) && self->options->mark (mark, self->write_data, error);
}

static gboolean
write_rows (Writer *self, GError **error)
{
  gsize n_rows = self->rows->n_rows;
  gsize i;

  if (n_rows >= MIN_SHARED_ROWS && g_get_num_processors () > 1 && !has_marks (self) &&
      self->traces == NULL)
    return write_shared_rows (self, error);
  for (i = 0; i < n_rows; i++)
    {
      guint row = go_to_row (self, i);

      if (has_marks (self) && !set_mark (self, get_mark (self, row), error))
        return FALSE;
      append_row (self, row);
      if (!flush (self, PIECE_BYTES, error))
        return FALSE;
      if (self->piece->len == 0)
        report_progress (self, i + 1);
    }
  if (!set_mark (self, NS_EXPORT_MARK_NONE, error) || !flush (self, 0, error))
    return FALSE;
  report_progress (self, n_rows);
  return TRUE;
}

static gboolean
write_cells (Writer *self, GError **error)
{
  const NsExportRows *rows = self->rows;
  guint column;
  gboolean is_html = self->options->format == NS_EXPORT_HTML;

  if (self->options->format == NS_EXPORT_TEXT)
    measure (self);
  if (is_html)
    g_string_append (self->piece, "<table>\n<thead>");
  if (!set_mark (self, NS_EXPORT_MARK_HEAD, error))
    return FALSE;
  self->is_head = TRUE;
  for (column = 0; column < self->n_columns; column++)
    {
      read_header (self, rows->fields[column]);
      append_cell (self, column);
    }
  self->is_head = FALSE;
  if (!set_mark (self, NS_EXPORT_MARK_NONE, error))
    return FALSE;
  if (is_html)
    g_string_append (self->piece, "</thead>\n<tbody>\n");
  if (self->options->format == NS_EXPORT_MARKDOWN)
    {
      for (column = 0; column < rows->n_fields; column++)
        g_string_append (self->piece,
                         ns_field_type_is_number (rows->fields[column]->type) ? "| ---: "
                                                                              : "| --- ");
      g_string_append (self->piece, "|\n");
    }
  if (self->options->format == NS_EXPORT_CSV || self->options->format == NS_EXPORT_TSV)
    self->quick = find_quick (self);
  if (!write_rows (self, error))
    return FALSE;
  if (is_html)
    g_string_append (self->piece, "</tbody>\n</table>\n");
  return flush (self, 0, error);
}

static void
append_object (Writer *self, guint row)
{
  const NsExportRows *rows = self->rows;
  NsJsonWriter json = { .text = self->piece };
  guint column;

  ns_json_begin_object (&json, NULL);
  for (column = 0; column < rows->n_fields; column++)
    {
      const NsField *field = rows->fields[column];
      NsFieldValue value;

      ns_json_begin_value (&json, field->id);
      get_value (self, field, row, &value);
      ns_field_append_json (field, &value, self->piece);
      ns_field_value_clear (&value);
    }
  ns_json_end_object (&json);
}

static gboolean
write_objects (Writer *self, GError **error)
{
  gboolean is_array = self->options->format == NS_EXPORT_JSON;
  gsize i;

  if (is_array)
    g_string_append_c (self->piece, '[');
  for (i = 0; i < self->rows->n_rows; i++)
    {
      if (is_array)
        g_string_append (self->piece, i > 0 ? ",\n" : "\n");
      append_object (self, go_to_row (self, i));
      if (!is_array)
        g_string_append_c (self->piece, '\n');
      if (!flush (self, PIECE_BYTES, error))
        return FALSE;
      if (self->piece->len == 0)
        report_progress (self, i + 1);
    }
  if (is_array)
    g_string_append (self->piece, "\n]\n");
  if (!flush (self, 0, error))
    return FALSE;
  report_progress (self, self->rows->n_rows);
  return TRUE;
}

/**
 * ns_export_table:
 * @rows: rows and columns
 * @options: format and options
 * @write: (scope call): receives the pieces
 * @write_data: for @write
 * @error: error of @write
 *
 * Writes rows piece by piece.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_table (const NsExportRows *rows,
                 const NsExportOptions *options,
                 NsExportWriteFunc write,
                 gpointer write_data,
                 GError **error)
{
  return ns_export_table_of_machines (rows, NULL, NULL, options, write, write_data, error);
}

/**
 * ns_export_table_of_machines:
 * @rows: rows and columns
 * @traces: (nullable): traces of the rows, including that of @rows; %NULL: only that one
 * @whose: (nullable): index of the trace of each row
 * @options: format and options
 * @write: (scope call): receives the pieces
 * @write_data: for @write
 * @error: error of @write
 *
 * Like ns_export_table(), for rows of several traces.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_table_of_machines (const NsExportRows *rows,
                             const NsTrace *const *traces,
                             const guint8 *whose,
                             const NsExportOptions *options,
                             NsExportWriteFunc write,
                             gpointer write_data,
                             GError **error)
{
  g_autoptr (GString) piece = g_string_sized_new (PIECE_BYTES + PIECE_BYTES / 4);
  g_autoptr (GString) cell = g_string_new (NULL);
  Writer self = { .rows = rows,
                  .trace = rows->trace,
                  .traces = traces,
                  .whose = whose,
                  .options = options,
                  .write = write,
                  .write_data = write_data,
                  .is_guarded = ns_view_context_guards_formulas (rows->trace->view),
                  .piece = piece,
                  .cell = cell,
                  .n_columns = rows->n_fields };
  gboolean ok;

  if (options->format == NS_EXPORT_JSON || options->format == NS_EXPORT_JSONL)
    ok = write_objects (&self, error);
  else
    ok = write_cells (&self, error);
  g_free (self.widths);
  g_free (self.quick);
  return ok;
}

static gboolean
append_piece (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

/**
 * ns_export_table_to_text:
 * @rows: rows and columns
 * @options: format and options
 *
 * Formats rows for the clipboard.
 *
 * Returns: (transfer full): the whole text
 */
char *
ns_export_table_to_text (const NsExportRows *rows, const NsExportOptions *options)
{
  GString *text = g_string_new (NULL);

  ns_export_table (rows, options, append_piece, text, NULL);
  return g_string_free (text, FALSE);
}
