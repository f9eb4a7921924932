/* Output forms of `events` and `dump`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-events-form.h"

#include "base/ns-json.h"
#include "cli/ns-cli-event-xml.h"
#include "engine/trace/ns-view-context.h"
#include "etl/ns-etl-file.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-fit.h"

#include <string.h>

static const char *
get_title (guint column)
{
  return column == NS_CLI_FORM_TIME_CREATED ? "timecreated" : ns_cli_event_get_column_name (column);
}

static guint64
get_filetime (const NsCliForm *self)
{
  return ns_etl_file_raw_to_filetime (self->file, self->event.record->raw);
}

static void
append_value (NsCliForm *self, guint column, GString *text)
{
  if (column != NS_CLI_FORM_TIME_CREATED)
    ns_cli_event_append_text (&self->event, column, text);
  else if (self->has_time)
    ns_export_time_append (text, self->event.trace, self->event.record->time_ns, self->event.time);
  else
    g_string_append_printf (text, "%" G_GUINT64_FORMAT, get_filetime (self));
}

static const char *
get_value (NsCliForm *self, guint column)
{
  g_string_truncate (self->cell, 0);
  append_value (self, column, self->cell);
  return self->cell->str;
}

static void
append_json_value (NsCliForm *self, guint column)
{
  if (column != NS_CLI_FORM_TIME_CREATED)
    ns_cli_event_append_json (&self->event, column, self->text);
  else if (self->has_time)
    ns_json_append_string (self->text, get_value (self, column));
  else
    g_string_append_printf (self->text, "%" G_GUINT64_FORMAT, get_filetime (self));
}

static void
append_json (NsCliForm *self)
{
  guint i;

  for (i = 0; i < self->n_columns; i++)
    {
      g_string_append_c (self->text, i == 0 ? '{' : ',');
      g_string_append_c (self->text, '"');
      g_string_append (self->text, get_title (self->columns[i]));
      g_string_append (self->text, "\":");
      append_json_value (self, self->columns[i]);
    }
  g_string_append_c (self->text, '}');
}

/* Returns the width of a column. Records are printed as they are read, before the longest cell is
 * known, so widths are fixed. */
static guint
get_width (guint column)
{
  switch (column)
    {
    case NS_CLI_EVENT_TIME:
      return 14;
    case NS_CLI_EVENT_PROVIDER_NAME:
      return 34;
    case NS_CLI_EVENT_NAME:
      return 28;
    case NS_CLI_EVENT_FIELDS:
    case NS_CLI_EVENT_PAYLOAD_HEX:
      return 0;
    default:
      return 6;
    }
}

static gboolean
is_right (guint column)
{
  return column <= NS_CLI_EVENT_TID || column == NS_CLI_EVENT_ID;
}

/* Width of the fields column before it is fitted to the line. */
#define WANTED_FIELDS 400
/* Number columns are at most this wide, so they are never cut. */
#define LEAST_WIDTH 6

/* Fits the columns to the line; numbers are not cut, and the last column gets the rest. */
static void
fit_line (NsCliForm *self)
{
  gboolean *is_cut = self->is_cut;
  guint i;

  self->n_shown = self->n_columns;
  for (i = 0; i < self->n_columns; i++)
    self->widths[i] = get_width (self->columns[i]);
  if (self->line_width == 0)
    return;
  for (i = 0; i < self->n_columns; i++)
    {
      if (self->widths[i] == 0)
        self->widths[i] = WANTED_FIELDS;
      is_cut[i] = self->columns[i] != NS_CLI_EVENT_TIME && self->widths[i] > LEAST_WIDTH;
    }
  self->n_shown = ns_export_fit_columns (self->widths, is_cut, self->n_columns, self->line_width);
}

/* Cuts the beginning of a provider name: many begin alike and differ at the end. */
static void
fit_end (GString *cell, guint width)
{
  g_autofree char *back = NULL;

  if (ns_export_cell_get_width (cell->str) <= width)
    return;
  back = g_utf8_strreverse (cell->str, -1);
  g_string_assign (cell, back);
  ns_export_fit_cell (cell, width);
  g_free (back);
  back = g_utf8_strreverse (cell->str, -1);
  g_string_assign (cell, back);
}

static void
append_aligned (NsCliForm *self, const char *cell, guint i, gboolean is_last)
{
  g_autoptr (GString) fitted = NULL;

  if (self->is_cut[i])
    {
      fitted = g_string_new (cell);
      if (self->columns[i] == NS_CLI_EVENT_PROVIDER_NAME)
        fit_end (fitted, self->widths[i]);
      else
        ns_export_fit_cell (fitted, self->widths[i]);
      cell = fitted->str;
    }
  ns_export_cell_append_aligned (self->text,
                                 cell,
                                 self->widths[i],
                                 is_right (self->columns[i]),
                                 is_last);
}

/* Appends a cell without protection against formulas, for titles and numbers. */
static void
append_exact (NsCliForm *self, const char *cell)
{
  if (self->format == NS_EXPORT_CSV)
    ns_export_cell_append_csv (self->text, cell);
  else
    ns_export_cell_append_plain (self->text, cell);
}

static void
append_text (NsCliForm *self, const char *cell)
{
  gboolean is_guarded = ns_view_context_guards_formulas (self->event.trace->view);

  if (self->format == NS_EXPORT_CSV)
    ns_export_cell_append_csv_text (self->text, cell, is_guarded);
  else
    ns_export_cell_append_tsv_text (self->text, cell, is_guarded);
}

static void
append_cell (NsCliForm *self, const char *cell, guint i)
{
  gboolean is_text = self->format == NS_EXPORT_TEXT;
  gboolean is_last = i + 1 == (is_text ? self->n_shown : self->n_columns);

  if (is_text && i >= self->n_shown)
    return;
  switch (self->format)
    {
    case NS_EXPORT_MARKDOWN:
      g_string_append (self->text, i == 0 ? "| " : " ");
      ns_export_cell_append_markdown (self->text, cell);
      g_string_append (self->text, " |");
      break;
    case NS_EXPORT_TEXT:
      append_aligned (self, cell, i, is_last);
      break;
    default:
      if (ns_cli_event_column_is_text (self->columns[i]))
        append_text (self, cell);
      else
        append_exact (self, cell);
      break;
    }
  if (!is_last && self->format == NS_EXPORT_TEXT)
    g_string_append (self->text, "  ");
  else if (!is_last && self->format == NS_EXPORT_CSV)
    g_string_append_c (self->text, ',');
  else if (!is_last && self->format == NS_EXPORT_TSV)
    g_string_append_c (self->text, '\t');
}

/* Cuts the line: cells that are wider than their column push the others beyond its end. */
static void
end_line (NsCliForm *self, gsize begin)
{
  if (self->format == NS_EXPORT_TEXT && self->line_width > 0)
    {
      g_autoptr (GString) line = g_string_new (self->text->str + begin);

      ns_export_fit_cell (line, self->line_width);
      g_string_truncate (self->text, begin);
      g_string_append (self->text, line->str);
    }
  g_string_append (self->text, self->format == NS_EXPORT_CSV ? "\r\n" : "\n");
}

static void
append_cells (NsCliForm *self)
{
  gsize begin = self->text->len;
  guint i;

  for (i = 0; i < self->n_columns; i++)
    append_cell (self, get_value (self, self->columns[i]), i);
  end_line (self, begin);
}

static void
append_titles (NsCliForm *self)
{
  gsize begin = self->text->len;
  guint i;

  for (i = 0; i < self->n_columns; i++)
    {
      g_string_assign (self->cell, get_title (self->columns[i]));
      if (self->columns[i] == NS_CLI_EVENT_TIME)
        {
          g_string_assign (self->cell, "time");
          g_string_append (self->cell, ns_export_time_get_suffix (self->event.time));
        }
      append_cell (self, self->cell->str, i);
    }
  end_line (self, begin);
  if (self->format != NS_EXPORT_MARKDOWN)
    return;
  for (i = 0; i < self->n_columns; i++)
    g_string_append (self->text, i == 0 ? "| --- |" : " --- |");
  g_string_append_c (self->text, '\n');
}

/* Appends the values of a record with separators and without column names, as Windows' own dumps
 * do. */
static void
append_line (NsCliForm *self)
{
  guint i;

  for (i = 0; i < self->n_columns; i++)
    {
      if (i > 0)
        g_string_append (self->text, self->separator);
      append_value (self, self->columns[i], self->text);
    }
  g_string_append_c (self->text, '\n');
}

/* Appends one line per value that is not empty, and an empty line after the record. */
static void
append_list (NsCliForm *self)
{
  guint i;

  for (i = 0; i < self->n_columns; i++)
    {
      const char *value = get_value (self, self->columns[i]);

      if (*value == '\0')
        continue;
      g_string_append_printf (self->text, "%s: ", get_title (self->columns[i]));
      ns_export_cell_append_plain (self->text, value);
      g_string_append_c (self->text, '\n');
    }
  g_string_append_c (self->text, '\n');
}

static void
append_xml (NsCliForm *self)
{
  guint i;

  g_string_append (self->text, "<event>");
  for (i = 0; i < self->n_columns; i++)
    {
      const char *title = get_title (self->columns[i]);
      const char *value = get_value (self, self->columns[i]);

      if (*value == '\0')
        continue;
      g_string_append_printf (self->text, "<%s>", title);
      ns_cli_xml_append_text (self->text, value);
      g_string_append_printf (self->text, "</%s>", title);
    }
  g_string_append (self->text, "</event>\n");
}

/**
 * ns_cli_form_from_name:
 * @self: a form
 * @name: name of a form
 *
 * Sets the form of @self.
 *
 * Returns: %TRUE if there is a form of that name
 */
gboolean
ns_cli_form_from_name (NsCliForm *self, const char *name)
{
  self->kind = strcmp (name, "list") == 0  ? NS_CLI_FORM_LIST
               : strcmp (name, "xml") == 0 ? NS_CLI_FORM_XML
                                           : NS_CLI_FORM_ROWS;
  self->format = NS_EXPORT_TSV;
  if (self->kind != NS_CLI_FORM_ROWS)
    return TRUE;
  if (!ns_export_format_from_name (name, &self->format))
    return FALSE;
  if (self->format == NS_EXPORT_JSON)
    self->kind = NS_CLI_FORM_JSON;
  else if (self->format == NS_EXPORT_JSONL)
    self->kind = NS_CLI_FORM_JSONL;
  return TRUE;
}

/**
 * ns_cli_form_begin:
 * @self: a form
 *
 * Appends what precedes the first record.
 */
void
ns_cli_form_begin (NsCliForm *self)
{
  if (self->kind == NS_CLI_FORM_ROWS)
    {
      fit_line (self);
      append_titles (self);
    }
  else if (self->kind == NS_CLI_FORM_XML)
    g_string_append (self->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<events>\n");
  else if (self->kind == NS_CLI_FORM_EVENTS)
    g_string_append (self->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Events>\n");
}

/**
 * ns_cli_form_go_on:
 * @self: a form that continues the output of another one
 *
 * Prepares to append records after those of the other form.
 */
void
ns_cli_form_go_on (NsCliForm *self)
{
  if (self->kind == NS_CLI_FORM_ROWS)
    fit_line (self);
}

/**
 * ns_cli_form_append:
 * @self: a form
 *
 * Appends the current record.
 */
void
ns_cli_form_append (NsCliForm *self)
{
  switch (self->kind)
    {
    case NS_CLI_FORM_JSON:
      g_string_append (self->text, self->n_printed == 0 ? "[\n" : ",\n");
      append_json (self);
      break;
    case NS_CLI_FORM_JSONL:
      append_json (self);
      g_string_append_c (self->text, '\n');
      break;
    case NS_CLI_FORM_LINE:
      append_line (self);
      break;
    case NS_CLI_FORM_LIST:
      append_list (self);
      break;
    case NS_CLI_FORM_XML:
      append_xml (self);
      break;
    case NS_CLI_FORM_EVENTS:
      ns_cli_event_append_xml (&self->event, self->text);
      break;
    case NS_CLI_FORM_ROWS:
    default:
      append_cells (self);
      break;
    }
  self->n_printed++;
}

/**
 * ns_cli_form_end:
 * @self: a form
 *
 * Appends what follows the last record.
 */
void
ns_cli_form_end (NsCliForm *self)
{
  if (self->kind == NS_CLI_FORM_JSON)
    g_string_append (self->text, self->n_printed == 0 ? "[]\n" : "\n]\n");
  else if (self->kind == NS_CLI_FORM_XML)
    g_string_append (self->text, "</events>\n");
  else if (self->kind == NS_CLI_FORM_EVENTS)
    g_string_append (self->text, "</Events>\n");
}
