/* Writes a part of a trace as a trace.
 *
 * Records are copied unchanged, each with its own time and processor, so that every tool reads
 * them as before; only secrets are overwritten, without changing any length.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-etl.h"

#include "base/ns-error.h"
#include "base/ns-secrets.h"
#include "engine/open/ns-event-read.h"
#include "etl/ns-etl-writer.h"
#include "export/ns-etl-choice.h"
#include "schema/ns-payload-mask.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* Size of a buffer: a few rows take a few KiB, and a record may have up to 64 KiB. */
#define BUFFER_SIZE 0x4000
#define LARGE_BUFFER_SIZE 0x20000

/* Copies a record, with secrets masked. */
static guint8 *
dup_masked (const NsEvent *event)
{
  const NsRecord *record = event->record;
  guint8 *copy = g_memdup2 (record->header, record->size);
  guint8 *payload = copy + (record->payload - record->header);
  g_autofree guint8 *masked = ns_payload_dup_masked (event->schema, record, event->secrets);

  if (masked != NULL)
    memcpy (payload, masked, record->payload_size);
  return copy;
}

static gboolean
add_records (NsEtlWriter *writer, const NsTrace *trace, const guint8 *kept, GError **error)
{
  guint64 n_bytes = 0;
  guint i;

  for (i = 0; i < trace->events->len; i++)
    {
      g_autofree guint8 *copy = NULL;
      NsEvent event;

      if (!kept[i] || !ns_event_read (trace, i, &event))
        continue;
      n_bytes += event.record->size;
      if (n_bytes > NS_EXPORT_ETL_MAX_BYTES)
        {
          g_set_error_literal (error,
                               NS_TRACE_ERROR,
                               NS_TRACE_ERROR_QUERY,
                               _ ("these rows have more than 1 GiB of records: choose fewer"));
          return FALSE;
        }
      copy = dup_masked (&event);
      ns_etl_writer_add_bytes (writer,
                               event.record->cpu,
                               event.record->raw,
                               copy,
                               event.record->size);
    }
  return TRUE;
}

static gboolean
has_large_record (const NsTrace *trace, const guint8 *kept)
{
  guint i;

  for (i = 0; i < trace->events->len; i++)
    {
      NsEvent event;

      if (kept[i] && ns_event_read (trace, i, &event) && event.record->size > BUFFER_SIZE / 2)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_same_file (const char *one, const char *other)
{
  GStatBuf from;
  GStatBuf to;

  return g_stat (one, &from) == 0 && g_stat (other, &to) == 0 && from.st_dev == to.st_dev &&
         from.st_ino == to.st_ino;
}

/**
 * ns_export_etl_check_place:
 * @trace: a trace
 * @path: where a part of it is to be written
 * @error: %NS_TRACE_ERROR_QUERY if that is the trace itself, or an input of it
 *
 * A trace is never overwritten by a part of itself.
 *
 * Returns: whether the part may be written there
 */
gboolean
ns_export_etl_check_place (const NsTrace *trace, const char *path, GError **error)
{
  gboolean is_input = FALSE;
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file) && !is_input; i++)
    is_input = is_same_file (ns_etl_file_get_path (ns_etl_file_get_input (trace->file, i)), path);
  if (!is_input)
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("“%s” is the trace itself: choose another name"),
               path);
  return FALSE;
}

/**
 * ns_export_etl_table:
 * @trace: a trace with its table of events
 * @table: a table
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of rows
 * @write: receives the bytes
 * @write_data: for @write
 * @error: %NS_TRACE_ERROR_QUERY if it would be too large, or the error of @write
 *
 * Writes a trace of the records from which the rows were made, and of the records needed to decode
 * them.
 *
 * Returns: %FALSE if nothing was written, or @write failed
 */
gboolean
ns_export_etl_table (const NsTrace *trace,
                     NsTableId table,
                     const guint32 *rows,
                     gsize n_rows,
                     NsExportWriteFunc write,
                     gpointer write_data,
                     GError **error)
{
  g_autofree guint8 *kept = ns_etl_choice_new (trace, table, rows, n_rows);
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  NsEtlWriterOptions options = { .like = header, .buffer_size = BUFFER_SIZE };
  g_autoptr (NsEtlWriter) writer = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (has_large_record (trace, kept))
    options.buffer_size = LARGE_BUFFER_SIZE;
  writer = ns_etl_writer_new (&options);
  if (!add_records (writer, trace, kept, error))
    return FALSE;
  bytes = ns_etl_writer_finish (writer);
  return write (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), write_data, error);
}
