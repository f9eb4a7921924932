/* Microsoft-Windows-Bits-Client: transfers and their jobs.
 *
 * Layouts: Windows' manifests of the builds 7600 to 18990 (`providers.md` 6). Shorter payloads have
 * the fields that fit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/bits/ns-bits.h"

#include "base/ns-map.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-masked.h"
#include "engine/trace/ns-take-text.h"
#include "engine/trace/ns-url.h"

#include <string.h>

enum
{
  BITS_JOB_CREATED = 3,
  BITS_TRANSFER_START = 59,
  BITS_TRANSFER_STOP = 60,
  BITS_TRANSFER_FAILED = 61,
};

/* Creator of a job. */
typedef struct
{
  guint32 pid;
  NsString path;
  NsString title;
} Job;

/* Fields common to start and stop events. */
typedef struct
{
  NsGuid transfer;
  NsGuid job;
  NsString title;
  NsString url;
  NsString peer;
  gint64 status;
  guint64 bytes_total;
  guint64 transferred;
  guint64 from_peer;
  NsString proxy;
} JobEvent;

struct _NsBits
{
  NsMap *newest;            /* transfer → row */
  NsMap *newest_of_process; /* transfer and process → row */
  NsMap *job_of;            /* job → index of @jobs, from 1 */
  GArray *jobs;             /* Job */
};

static void
clear_row (gpointer row)
{
  g_clear_pointer (&((NsBitsRow *) row)->requests, g_array_unref);
}

static void
bits_start (NsBuilder *builder)
{
  NsBits *self = builder->bits = g_new0 (NsBits, 1);

  self->newest = ns_map_new ();
  self->newest_of_process = ns_map_new ();
  self->job_of = ns_map_new ();
  self->jobs = g_array_new (FALSE, FALSE, sizeof (Job));
}

static void
bits_stop (NsBuilder *builder)
{
  ns_map_free (builder->bits->newest);
  ns_map_free (builder->bits->newest_of_process);
  ns_map_free (builder->bits->job_of);
  g_array_unref (builder->bits->jobs);
  g_clear_pointer (&builder->bits, g_free);
}

static guint64
take_count (NsCursor *cursor)
{
  guint64 count = ns_cursor_u64 (cursor);

  return ns_cursor_ok (cursor) ? count : NS_BITS_UNKNOWN;
}

static void
note_job (NsBuilder *builder, const NsRecord *record)
{
  NsBits *self = builder->bits;
  Job job = { 0 };
  NsCursor cursor;
  NsGuid id;

  /* Version 0 has no job name. */
  if (record->version == 0)
    return;
  ns_record_cursor (record, &cursor);
  job.title = ns_masked_text (builder->trace, ns_take_text (builder->trace->strings, &cursor));
  ns_cursor_guid (&cursor, &id);
  if (!ns_cursor_ok (&cursor))
    return;
  ns_take_text (builder->trace->strings, &cursor);
  job.path = ns_take_text (builder->trace->strings, &cursor);
  job.pid = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    job.pid = NS_PID_UNKNOWN;
  g_array_append_val (self->jobs, job);
  ns_map_set (self->job_of, ns_guid_low (&id), ns_guid_high (&id), self->jobs->len);
}

/* Parses an event; returns whether it identifies a transfer. */
static gboolean
read_job_event (NsBuilder *builder, const NsRecord *record, gboolean is_stop, JobEvent *event)
{
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  ns_cursor_guid (&cursor, &event->transfer);
  if (!ns_cursor_ok (&cursor))
    return FALSE;
  event->title = ns_masked_text (builder->trace, ns_take_text (builder->trace->strings, &cursor));
  ns_cursor_guid (&cursor, &event->job);
  event->url = ns_url_mask (builder->trace, ns_take_text (builder->trace->strings, &cursor));
  event->peer = ns_url_mask (builder->trace, ns_take_text (builder->trace->strings, &cursor));
  event->status = NS_UNKNOWN;
  if (is_stop)
    {
      guint32 status = ns_cursor_u32 (&cursor);

      if (ns_cursor_ok (&cursor))
        event->status = status;
    }
  ns_cursor_u64 (&cursor); /* file time, */
  ns_cursor_u64 (&cursor); /* and file size */
  event->bytes_total = take_count (&cursor);
  event->transferred = take_count (&cursor);
  event->proxy = NS_STRING_NONE;
  if (is_stop)
    {
      event->proxy = ns_url_mask (builder->trace, ns_take_text (builder->trace->strings, &cursor));
      ns_cursor_u64 (&cursor); /* flags of the peer-caching protocol */
    }
  event->from_peer = record->version >= 1 ? take_count (&cursor) : NS_BITS_UNKNOWN;
  return TRUE;
}

static void
set_server (NsBuilder *builder, NsBitsRow *row)
{
  const char *url = ns_trace_text (builder->trace, row->url);
  g_autofree char *server = url != NULL ? ns_url_get_server (url) : NULL;

  if (server != NULL && *server != '\0')
    row->server = ns_strings_add (builder->trace->strings, server);
}

static void
set_job (NsBuilder *builder, NsBitsRow *row)
{
  guint number =
      ns_map_get (builder->bits->job_of, ns_guid_low (&row->job), ns_guid_high (&row->job));
  const Job *job;

  if (number == 0 || ns_guid_is_zero (&row->job))
    return;
  job = &g_array_index (builder->bits->jobs, Job, number - 1);
  row->job_pid = job->pid;
  row->job_path = job->path;
  if (row->title == NS_STRING_NONE)
    row->title = job->title;
}

static NsBitsRow *
row_at (NsBuilder *builder, NsRow number)
{
  return number != 0 ? NS_ROW_AT (builder->trace->bits, NsBitsRow, number) : NULL;
}

/* Returns the newest row of the transfer in this process; if this process did not start it, in
 * any process. */
static NsBitsRow *
find_newest (NsBuilder *builder, const NsGuid *transfer, guint32 pid)
{
  NsBits *self = builder->bits;
  guint64 low = ns_guid_low (transfer);
  guint64 high = ns_guid_high (transfer);
  NsBitsRow *row =
      row_at (builder, ns_map_get (self->newest_of_process, ns_map_mix (low, pid), high));

  /* Compare the keys, as hashes may collide. */
  if (row != NULL && row->layer.pid == pid && ns_guid_equal (&row->transfer, transfer))
    return row;
  return row_at (builder, ns_map_get (self->newest, low, high));
}

static NsBitsRow *
add_transfer (NsBuilder *builder,
              const NsRecord *record,
              const JobEvent *event,
              const NsBitsRow *before)
{
  NsBits *self = builder->bits;
  GArray *table = builder->trace->bits;
  guint64 low = ns_guid_low (&event->transfer);
  guint64 high = ns_guid_high (&event->transfer);
  NsBitsRow row = { .layer = { .pid = record->pid,
                               .tid = record->tid,
                               .open_ns = record->time_ns,
                               .close_ns = NS_TIME_OPEN,
                               .status = NS_UNKNOWN,
                               .confidence = -1 },
                    .transfer = event->transfer,
                    .job = event->job,
                    .title = event->title,
                    .url = event->url,
                    .peer = event->peer,
                    .bytes_total = event->bytes_total,
                    .begun_at = NS_BITS_UNKNOWN,
                    .transferred = NS_BITS_UNKNOWN,
                    .from_peer = NS_BITS_UNKNOWN,
                    .job_pid = NS_PID_UNKNOWN,
                    .attempt = before != NULL ? before->attempt + 1 : 1 };

  set_server (builder, &row);
  set_job (builder, &row);
  g_array_append_val (table, row);
  ns_map_set (self->newest, low, high, table->len);
  ns_map_set (self->newest_of_process, ns_map_mix (low, record->pid), high, table->len);
  return &g_array_index (table, NsBitsRow, table->len - 1);
}

/* Begins a transfer. An open row of the same transfer and process ends, as its stop event is
 * missing; a row of another process continues. */
static void
begin_transfer (NsBuilder *builder, const NsRecord *record)
{
  NsBitsRow *before;
  NsBitsRow *row;
  JobEvent event;

  if (!read_job_event (builder, record, FALSE, &event))
    return;
  before = find_newest (builder, &event.transfer, record->pid);
  if (before != NULL && before->layer.close_ns == NS_TIME_OPEN)
    {
      if (before->layer.pid == record->pid)
        before->layer.close_ns = MAX (record->time_ns - 1, before->layer.open_ns);
      else
        before = NULL;
    }
  row = add_transfer (builder, record, &event, before);
  row->begun_at = event.transferred;
  row->layer.stack = ns_stack_match_find (builder, record);
  row->layer.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row->layer.link);
}

static void
end_transfer (NsBuilder *builder, const NsRecord *record)
{
  NsBitsRow *row;
  JobEvent event;

  if (!read_job_event (builder, record, TRUE, &event))
    return;
  row = find_newest (builder, &event.transfer, record->pid);
  if (row == NULL || row->layer.close_ns != NS_TIME_OPEN)
    {
      row = add_transfer (builder, record, &event, row);
      row->layer.open_ns = 0;
      row->layer.opened_before_trace = TRUE;
      row->layer.tid = NS_PID_UNKNOWN;
    }
  row->layer.close_ns = record->time_ns;
  row->layer.status = event.status;
  row->proxy = event.proxy;
  row->from_peer = event.from_peer;
  if (event.peer != NS_STRING_NONE)
    row->peer = event.peer;
  if (event.bytes_total != NS_BITS_UNKNOWN)
    row->bytes_total = event.bytes_total;
  if (row->begun_at != NS_BITS_UNKNOWN && event.transferred != NS_BITS_UNKNOWN &&
      event.transferred >= row->begun_at)
    row->transferred = event.transferred - row->begun_at;
}

static void
bits_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case BITS_JOB_CREATED:
      note_job (builder, record);
      break;
    case BITS_TRANSFER_START:
      begin_transfer (builder, record);
      break;
    case BITS_TRANSFER_STOP:
    case BITS_TRANSFER_FAILED:
      end_transfer (builder, record);
      break;
    default:
      break;
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const NsBitsRow *left = a;
  const NsBitsRow *right = b;

  return (left->layer.open_ns > right->layer.open_ns) -
         (left->layer.open_ns < right->layer.open_ns);
}

/* Sorts the rows: those from before the trace come first; g_array_sort() is stable, so the
 * others keep record order. */
static void
bits_finish (NsBuilder *builder)
{
  g_array_sort (builder->trace->bits, compare_rows);
}

static const NsProviderOps bits_ops[] = {
  { NS_GUID_BITS_CLIENT, .correlate = bits_event, .has_stack = ns_stack_match_any },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (bits, NsBitsRow, clear_row),
};

const NsPart ns_bits_part = {
  .name = "bits",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = bits_start,
  .number = bits_finish,
  .stop = bits_stop,
  .ops = bits_ops,
  .n_ops = G_N_ELEMENTS (bits_ops),
};
