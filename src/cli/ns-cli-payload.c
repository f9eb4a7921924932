/* The verb `payload`: prints headers and bodies of rows, as recorded or decoded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-byte-text.h"
#include "cli/ns-cli-list.h"
#include "cli/ns-cli-rows.h"
#include "cli/ns-cli.h"
#include "export/ns-row-content.h"
#include "export/ns-row-message.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DUMP_BYTES (64 * 1024)

static const char *const columns[] = { "row",     "kind",    "time_ns", "name",  "bytes",
                                       "codings", "charset", "whole",   "state", "head",
                                       "text",    "hex",     NULL };
static const char *const raw_columns[] = { "row",  "kind",  "time_ns", "table", "source_row",
                                           "name", "bytes", "hex",     NULL };

typedef struct
{
  NsCli *cli;
  NsCliRows *rows; /* NULL: print text */
  GError **error;
} Printer;

static const char *
get_kind (NsContentKind kind)
{
  static const char *const names[] = { [NS_CONTENT_REQUEST] = "request",
                                       [NS_CONTENT_RESPONSE] = "response",
                                       [NS_CONTENT_SENT] = "sent",
                                       [NS_CONTENT_RECEIVED] = "received",
                                       [NS_CONTENT_BYTES] = "bytes" };

  return names[kind];
}

static const char *
get_state (NsWireCodingEnd end)
{
  static const char *const names[] = { [NS_WIRE_CODING_WHOLE] = "decoded",
                                       [NS_WIRE_CODING_CUT] = "cut",
                                       [NS_WIRE_CODING_BROKEN] = "broken",
                                       [NS_WIRE_CODING_TOO_LARGE] = "too large",
                                       [NS_WIRE_CODING_UNKNOWN] = "unknown coding" };

  return names[end];
}

/* Adds a text; null with --redact, which prints only length and kind because names in a message
 * cannot be recognized. */
static void
add_text (const Printer *self, const char *text)
{
  NsCliRows *rows = self->rows;

  if (text == NULL || self->cli->options.want_redacted)
    ns_cli_rows_add_null (rows);
  else
    ns_cli_rows_add_text (rows, text);
}

static void
add_hex (const Printer *self, const guint8 *data, gsize n_bytes)
{
  NsCliRows *rows = self->rows;
  g_autoptr (GString) hex = NULL;
  gsize i;

  if (self->cli->options.want_redacted)
    {
      ns_cli_rows_add_null (rows);
      return;
    }
  hex = g_string_sized_new (2 * n_bytes + 1);
  for (i = 0; i < n_bytes; i++)
    {
      g_string_append_c (hex, "0123456789abcdef"[data[i] >> 4]);
      g_string_append_c (hex, "0123456789abcdef"[data[i] & 15]);
    }
  ns_cli_rows_add_text (rows, hex->str);
}

static gboolean
add_message (Printer *self, NsRow row, const NsContentMessage *message)
{
  NsCliRows *rows = self->rows;

  ns_cli_rows_add_number (rows, row);
  ns_cli_rows_add_text (rows, get_kind (message->kind));
  ns_cli_rows_add_number (rows, (guint64) message->time_ns);
  add_text (self, message->name);
  ns_cli_rows_add_number (rows, message->n_coded);
  add_text (self, message->codings);
  add_text (self, message->charset);
  ns_cli_rows_add_boolean (rows, message->is_whole);
  ns_cli_rows_add_text (rows, get_state (message->end));
  add_text (self, message->head);
  add_text (self, message->text);
  add_hex (self, message->body->data, message->body->len);
  return ns_cli_rows_end_row (rows, self->error);
}

static gboolean
add_part (Printer *self, NsRow row, const NsContentPart *part)
{
  NsCliRows *rows = self->rows;

  ns_cli_rows_add_number (rows, row);
  ns_cli_rows_add_text (rows, get_kind (part->kind));
  ns_cli_rows_add_number (rows, (guint64) part->time_ns);
  ns_cli_rows_add_text (rows, ns_table_get_name (part->table));
  ns_cli_rows_add_number (rows, part->row + 1);
  add_text (self, part->name);
  ns_cli_rows_add_number (rows, part->n_all);
  add_hex (self, part->data, part->n_bytes);
  return ns_cli_rows_end_row (rows, self->error);
}

/* Appends lines, replacing control characters that a terminal would interpret. */
static void
append_lines (GString *text, const char *lines)
{
  g_autofree char *valid = g_utf8_make_valid (lines, -1);
  const char *at;

  for (at = valid; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c == '\r')
        continue;
      g_string_append_unichar (text, g_unichar_iscntrl (c) && c != '\n' && c != '\t' ? 0xfffd : c);
    }
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
}

/* Appends a hex dump of at most DUMP_BYTES; other formats print all bytes. */
static void
append_bytes (GString *text, const guint8 *data, gsize n_bytes)
{
  g_autofree char *dump = ns_byte_text_dump (data, MIN (DUMP_BYTES, n_bytes));

  g_string_append (text, dump);
  if (n_bytes > DUMP_BYTES)
    g_string_append_printf (text, "[+ %" G_GSIZE_FORMAT "]\n", n_bytes - DUMP_BYTES);
}

static void
append_title (GString *text, NsRow row, NsContentKind kind, gint64 time_ns, const char *name)
{
  g_string_append_printf (text,
                          "%u  %s  %.6f s  %s",
                          row,
                          get_kind (kind),
                          (double) time_ns / 1e9,
                          name);
}

static gboolean
print_message (Printer *self, NsRow row, const NsContentMessage *message)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *note = ns_row_message_dup_note (message);

  append_title (text, row, message->kind, message->time_ns, message->name);
  if (message->codings != NULL)
    g_string_append_printf (text, "  %s", message->codings);
  if (message->charset != NULL)
    g_string_append_printf (text, "  %s", message->charset);
  g_string_append_printf (text,
                          "  %" G_GSIZE_FORMAT " → %u bytes\n",
                          message->n_coded,
                          message->body->len);
  if (message->head != NULL)
    {
      append_lines (text, message->head);
      g_string_append_c (text, '\n');
    }
  if (message->text != NULL)
    append_lines (text, message->text);
  else
    append_bytes (text, message->body->data, message->body->len);
  if (note != NULL)
    g_string_append_printf (text, "[%s]\n", note);
  g_string_append_c (text, '\n');
  return ns_cli_write (text->str, text->len, self->cli, self->error);
}

static gboolean
print_part (Printer *self, NsRow row, const NsContentPart *part)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_title (text, row, part->kind, part->time_ns, part->name);
  g_string_append_printf (text, "  %" G_GSIZE_FORMAT " bytes\n", part->n_all);
  if (ns_row_content_is_text (part))
    append_lines (text, (const char *) part->data);
  else
    append_bytes (text, part->data, part->n_bytes);
  g_string_append_c (text, '\n');
  return ns_cli_write (text->str, text->len, self->cli, self->error);
}

static gboolean
print_content (Printer *self, NsRow row, const NsRowContent *content)
{
  gboolean is_raw = self->cli->options.is_raw;
  guint n = is_raw ? content->parts->len : content->messages->len;
  guint i;

  for (i = 0; i < n; i++)
    {
      const NsContentPart *part = is_raw ? &g_array_index (content->parts, NsContentPart, i) : NULL;
      const NsContentMessage *message =
          is_raw ? NULL : &g_array_index (content->messages, NsContentMessage, i);
      gboolean is_done;

      if (is_raw)
        is_done = self->rows != NULL ? add_part (self, row, part) : print_part (self, row, part);
      else
        is_done = self->rows != NULL ? add_message (self, row, message)
                                     : print_message (self, row, message);
      if (!is_done)
        return FALSE;
    }
  return TRUE;
}

static gboolean
print_rows (Printer *self, const NsCliList *list, NsTrace *trace, GError **error)
{
  const NsCliOptions *options = &self->cli->options;
  g_autoptr (GArray) rows = ns_cli_list_choose (list, trace, error);
  NsRowContentOptions wanted = { .max_bytes = NS_ROW_CONTENT_MAX_BYTES,
                                 .max_decoded = options->is_raw ? 0 : NS_ROW_CONTENT_MAX_DECODED,
                                 .max_parts = NS_ROW_CONTENT_MAX_PARTS };
  guint i;

  if (options->max_payload >= 0)
    wanted.max_bytes = MIN ((guint64) options->max_payload, NS_ROW_CONTENT_MAX_BYTES / 1024) * 1024;
  if (rows == NULL)
    return FALSE;
  for (i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      g_autoptr (NsRowContent) content =
          ns_row_content_find (trace, list->table, row, &wanted, ns_cli_progress, self->cli);

      if (content == NULL)
        return FALSE;
      if (!print_content (self, row + 1, content))
        return FALSE;
      /* Without this message, empty output might look like a consequence of the options. */
      if (options->row != NULL && content->parts->len == 0 && wanted.max_bytes > 0)
        {
          g_autofree char *line =
              g_strdup_printf (_ ("row %u: the trace contains neither its headers nor its bytes"),
                               row + 1);

          ns_cli_print_message (line);
        }
      if (content->is_cut)
        {
          g_autofree char *line =
              g_strdup_printf (_ ("row %u has more data than is shown"), row + 1);

          ns_cli_print_message (line);
        }
    }
  return self->rows == NULL || ns_cli_rows_finish (self->rows, FALSE, error);
}

/**
 * ns_cli_payload:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `payload`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_payload (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);
  g_autoptr (NsCliRows) rows = NULL;
  g_autoptr (NsTrace) trace = NULL;
  Printer printer = { .cli = cli, .error = error };
  NsExportFormat format;

  if (options->row != NULL)
    list.rows = options->row;
  if (options->table != NULL && !ns_table_from_name (options->table, &list.table))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("there is no table “%s”"),
                   options->table);
      return FALSE;
    }
  if (!ns_cli_rows_get_format (cli, &format, error) || !ns_cli_list_check (&list, error))
    return FALSE;
  if (options->want_redacted && format == NS_EXPORT_TEXT)
    return ns_trace_refuse_query (error,
                                  _ ("--redact of payload: specify a format, such as jsonl"));
  trace = ns_cli_open_trace (cli, NS_TABLE_EVENTS, error);
  if (trace == NULL)
    return FALSE;
  if (format != NS_EXPORT_TEXT)
    printer.rows = rows = ns_cli_rows_new (cli->view,
                                           format,
                                           options->is_raw ? raw_columns : columns,
                                           ns_cli_write,
                                           cli);
  return print_rows (&printer, &list, trace, error);
}
