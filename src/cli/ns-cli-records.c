/* The verb `records`: prints one line per record in order of time, without decoding.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-time.h"
#include "cli/ns-cli.h"

/* Buffer size: longer than any line without its extended items. */
#define LINE_SIZE 512
#define MAX_ITEM_TEXT 16

#define MESSAGE_GUID 0x0002
#define MESSAGE_COMPONENT 0x0004

typedef struct
{
  NsCli *cli;
  NsEtlFile *file;
  guint last_provider;
  char provider_text[NS_GUID_TEXT_SIZE];
  GError **error;
} Printer;

static char *
put_text (char *p, const char *text)
{
  while (*text != '\0')
    *p++ = *text++;
  return p;
}

static char *
put_number (char *p, guint64 value)
{
  char digits[20];
  guint n = 0;

  do
    {
      digits[n++] = (char) ('0' + value % 10);
      value /= 10;
    }
  while (value != 0);
  while (n > 0)
    *p++ = digits[--n];
  *p++ = ' ';
  return p;
}

static char *
put_none (char *p)
{
  *p++ = '-';
  *p++ = ' ';
  return p;
}

static char *
put_provider (Printer *self, char *p, const NsRecord *record)
{
  if (record->kind == NS_RECORD_MESSAGE &&
      (record->message_flags & (MESSAGE_GUID | MESSAGE_COMPONENT)) != MESSAGE_GUID)
    return put_none (p);
  if (record->provider != self->last_provider)
    {
      ns_guid_to_text (&record->guid, self->provider_text);
      self->last_provider = record->provider;
    }
  p = put_text (p, self->provider_text);
  *p++ = ' ';
  return p;
}

static char *
put_items (char *p, const char *end, const NsRecord *record)
{
  NsCursor state = { NULL };
  NsExtItem item;
  gboolean is_first = TRUE;

  if (record->n_extended == 0)
    return put_text (p, "-\n");
  while (end - p > MAX_ITEM_TEXT + 1 && ns_record_next_item (record, &state, &item))
    {
      if (!is_first)
        *p++ = ',';
      p = put_number (p, item.type);
      p[-1] = ':';
      p = put_number (p, item.size);
      p--;
      is_first = FALSE;
    }
  *p++ = '\n';
  return p;
}

static gboolean
print_record (const NsRecord *record, gpointer user_data)
{
  Printer *self = user_data;
  gboolean is_message = record->kind == NS_RECORD_MESSAGE;
  gboolean has_process = record->kind != NS_RECORD_PERFINFO32 &&
                         record->kind != NS_RECORD_PERFINFO64 &&
                         (!is_message || record->message_flags & 0x20);
  char line[LINE_SIZE + 32 * MAX_ITEM_TEXT];
  char *p = line;

  if (record->flags & NS_RECORD_HAS_TIME)
    {
      p = put_number (p, ns_etl_file_raw_to_filetime (self->file, record->raw));
      p = put_number (p, record->raw);
    }
  else
    p = put_none (put_none (p));
  p = put_number (p, record->cpu);
  p = put_text (p, ns_record_kind_to_text (record->kind));
  *p++ = ' ';
  p = put_provider (self, p, record);
  p = put_number (p, record->id);
  p = put_number (p, record->opcode);
  p = put_number (p, record->version);
  p = has_process ? put_number (p, record->pid) : put_none (p);
  p = has_process ? put_number (p, record->tid) : put_none (p);
  p = put_number (p, record->payload_size);
  p = put_items (p, line + sizeof line, record);
  return ns_cli_write (line, (gsize) (p - line), self->cli, self->error);
}

/* Walks the buffers that have records of the span, or the whole trace if no span was given. */
static gboolean
walk (Printer *self, const NsTimeSpan *span, GError **error)
{
  guint64 n_before;

  if (span->begin_ns == G_MININT64 && span->end_ns == G_MAXINT64)
    return ns_etl_file_walk (self->file,
                             NS_ETL_WALK_TIME_ORDER,
                             NULL,
                             print_record,
                             self,
                             ns_cli_progress,
                             self->cli,
                             error);
  return ns_etl_file_walk_span (self->file,
                                span,
                                &n_before,
                                print_record,
                                self,
                                ns_cli_progress,
                                self->cli,
                                error);
}

/**
 * ns_cli_records:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `records`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_records (NsCli *cli, GError **error)
{
  g_autoptr (NsEtlFile) file = ns_cli_open_file (cli, error);
  GError *write_error = NULL;
  Printer printer = { .cli = cli, .file = file, .error = &write_error };
  NsTimeSpan span;

  if (file == NULL || !ns_cli_time_parse_span (&cli->options, file, &span, error))
    return FALSE;
  printer.last_provider = G_MAXUINT;
  if (!walk (&printer, &span, error))
    return FALSE;
  if (write_error != NULL)
    {
      g_propagate_error (error, write_error);
      return FALSE;
    }
  ns_cli_report_damage (cli, file);
  return TRUE;
}
