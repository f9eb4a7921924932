/* Microsoft-Windows-URLMon: downloads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/app/wininet/ns-urlmon-link.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-url.h"

/* Time without events after which a download counts as ended. */
#define IDLE_NS (60 * NS_PER_SECOND)

enum
{
  URLMON_QUEUE = 801,
  URLMON_PROCESS = 802,
  URLMON_READ_MESSAGE = 803,
  URLMON_READ = 804,
  URLMON_START = 805,
  URLMON_ABORT = 806,
  URLMON_WRITE = 808,
};

/* Values of BINDSTATUS that end a download. */
enum
{
  MESSAGE_END_DOWNLOAD = 0x06,
  MESSAGE_ERROR = 0x3a,
  MESSAGE_RESULT = 0x3d,
};

struct _NsUrlmon
{
  NsMap *newest;   /* (pid, url) → row */
  GArray *last_ns; /* element-type gint64, one per row: time of its newest event */
};

static void
urlmon_start (NsBuilder *builder)
{
  NsUrlmon *self = builder->urlmon = g_new0 (NsUrlmon, 1);

  self->newest = ns_map_new ();
  self->last_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
}

static void
urlmon_stop (NsBuilder *builder)
{
  ns_map_free (builder->urlmon->newest);
  g_array_unref (builder->urlmon->last_ns);
  g_clear_pointer (&builder->urlmon, g_free);
}

static NsRow
add_download (NsBuilder *builder, const NsRecord *record, NsString url)
{
  NsUrlmonRow row = { .url = url,
                      .pid = record->pid,
                      .tid = record->tid,
                      .open_ns = record->time_ns,
                      .close_ns = NS_TIME_OPEN };

  row.activity_id = record->activity;
  row.stack = ns_stack_match_find (builder, record);
  row.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row.link);
  g_array_append_val (builder->trace->urlmon, row);
  g_array_append_val (builder->urlmon->last_ns, record->time_ns);
  ns_map_set (builder->urlmon->newest, record->pid, url, builder->trace->urlmon->len);
  return builder->trace->urlmon->len;
}

/* Returns the open download of this URL; adds one for a message without a start event. */
static NsUrlmonRow *
find_download (NsBuilder *builder, const NsRecord *record, NsString url)
{
  NsUrlmon *self = builder->urlmon;
  NsRow number = ns_map_get (self->newest, record->pid, url);
  NsUrlmonRow *row;
  gint64 *last_ns;

  if (number != 0)
    {
      row = NS_ROW_AT (builder->trace->urlmon, NsUrlmonRow, number);
      last_ns = &g_array_index (self->last_ns, gint64, number - 1);
      if (row->close_ns == NS_TIME_OPEN && record->time_ns - *last_ns > IDLE_NS)
        row->close_ns = *last_ns;
      if (row->close_ns != NS_TIME_OPEN)
        number = 0;
    }
  if (number == 0)
    number = add_download (builder, record, url);
  g_array_index (self->last_ns, gint64, number - 1) = record->time_ns;
  return NS_ROW_AT (builder->trace->urlmon, NsUrlmonRow, number);
}

static NsString
take_url (NsBuilder *builder, NsCursor *cursor)
{
  gsize n;
  const guint8 *text = ns_cursor_wstr (cursor, &n);

  return ns_url_mask (builder->trace, ns_strings_add_utf16 (builder->trace->strings, text, n));
}

static void
note_message (NsUrlmonRow *row, guint32 message, gint64 time_ns)
{
  row->last_message = message;
  if (message == MESSAGE_END_DOWNLOAD || message == MESSAGE_ERROR || message == MESSAGE_RESULT)
    row->close_ns = time_ns;
}

static void
urlmon_event (NsBuilder *builder, const NsRecord *record)
{
  NsUrlmonRow *row;
  NsCursor cursor;
  guint32 number;
  NsString url;

  if (record->id < URLMON_QUEUE || record->id > URLMON_WRITE || record->id == 807)
    return;
  ns_record_cursor (record, &cursor);
  number = ns_cursor_u32 (&cursor); /* message, bytes, flags, reason or operation */
  if (record->id == URLMON_WRITE)
    ns_cursor_u32 (&cursor);
  url = take_url (builder, &cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  if (record->id == URLMON_START)
    {
      add_download (builder, record, url);
      return;
    }

  row = find_download (builder, record, url);
  switch (record->id)
    {
    case URLMON_READ_MESSAGE:
      row->bytes += ns_cursor_u32 (&cursor);
      note_message (row, number, record->time_ns);
      break;
    case URLMON_READ:
      row->bytes += number;
      break;
    case URLMON_ABORT:
      row->abort_reason = number;
      row->close_ns = record->time_ns;
      break;
    case URLMON_WRITE:
      if (number == 1)
        row->close_ns = record->time_ns;
      break;
    default:
      note_message (row, number, record->time_ns);
    }
}

static void
urlmon_finish (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  for (i = 0; i < trace->urlmon->len; i++)
    {
      NsUrlmonRow *row = &g_array_index (trace->urlmon, NsUrlmonRow, i);
      gint64 last_ns = g_array_index (builder->urlmon->last_ns, gint64, i);

      if (row->close_ns == NS_TIME_OPEN && trace->end_ns - last_ns > IDLE_NS)
        row->close_ns = last_ns;
    }
  if (trace->urlmon->len > 0)
    ns_urlmon_link_rows (trace);
}

static const NsProviderOps urlmon_ops[] = {
  { NS_GUID_URLMON, .correlate = urlmon_event, .has_stack = ns_stack_match_any },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (urlmon, NsUrlmonRow, NULL),
};

const NsPart ns_urlmon_part = {
  .name = "urlmon",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = urlmon_start,
  .number = urlmon_finish,
  .stop = urlmon_stop,
  .ops = urlmon_ops,
  .n_ops = G_N_ELEMENTS (urlmon_ops),
};
