/* Finds the records of a row by its keys.
 *
 * The engine does not store which records made a row, so they are searched: records between open
 * and close of the row that have one of the row's pointers or handles as the value of a field. A
 * kernel pointer is valid in all processes, any other key only in its own process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "query/ns-row-events.h"

#include "engine/open/ns-event-read.h"
#include "engine/trace/ns-event-index.h"
#include "findings/ns-finding.h"
#include "query/ns-finding-events.h"
#include "schema/ns-payload.h"

#include <string.h>

#define RECORDS_BETWEEN_NEWS 4096

/**
 * ns_row_events_means_the_same:
 * @pid: process of a row, or %NS_PID_UNKNOWN
 * @key: a key of the row
 * @record: a record that contains it
 *
 * Returns: whether the key identifies the same object in the record
 */
gboolean
ns_row_events_means_the_same (guint32 pid, guint64 key, const NsRecord *record)
{
  if (pid == NS_PID_UNKNOWN || record->pid == pid)
    return TRUE;
  return key >= NS_ROW_KERNEL_KEY_64 ||
         (record->pointer_size == 4 && key >= NS_ROW_KERNEL_KEY_32 && key <= G_MAXUINT32);
}

/* Returns whether the payload contains the low half of a key: a cheap check, which most records
 * fail. */
static gboolean
may_mention (const NsRecord *record, guint64 key)
{
  guint8 wanted[4];
  const guint8 *at = record->payload;
  gsize left = record->payload_size;
  guint i;

  for (i = 0; i < sizeof wanted; i++)
    wanted[i] = (guint8) (key >> 8 * i);
  while (left >= sizeof wanted)
    {
      const guint8 *found = memchr (at, wanted[0], left - sizeof wanted + 1);

      if (found == NULL)
        return FALSE;
      if (memcmp (found, wanted, sizeof wanted) == 0)
        return TRUE;
      left -= (gsize) (found - at) + 1;
      at = found + 1;
    }
  return FALSE;
}

typedef struct
{
  guint64 key;
  gboolean is_found;
} Search;

static gboolean
compare_item (const NsPayloadItem *item, gpointer user_data)
{
  Search *search = user_data;
  guint64 value;

  if (item->kind == NS_ITEM_VALUE && item->size >= 4 && ns_value_get_uint (item, &value) &&
      value == search->key)
    search->is_found = TRUE;
  return !search->is_found;
}

/* Returns the first key that is the value of a field of the record. */
static guint32
find_key (const NsRowEvents *self, const NsEvent *event)
{
  guint32 i;

  for (i = 0; i < self->keys->len; i++)
    {
      Search search = { g_array_index (self->keys, NsRowKey, i).value, FALSE };

      if (!ns_row_events_means_the_same (self->pid, search.key, event->record) ||
          !may_mention (event->record, search.key))
        continue;
      ns_payload_walk (event->schema, event->record, compare_item, &search);
      if (search.is_found)
        return i;
    }
  return G_MAXUINT32;
}

/* Returns whether the record is of the request's capture: WinINet-Capture has numbers of its own
 * and no handles, and only its activity ID is that of the WinINet request. */
static gboolean
is_capture_of (const NsRowEvents *self, const NsRecord *record)
{
  static const NsGuid capture = NS_GUID_WININET_CAPTURE;

  return record->pid == self->pid && !ns_guid_is_zero (&self->activity) &&
         ns_guid_equal (&record->activity, &self->activity) &&
         ns_guid_equal (&record->guid, &capture);
}

static gboolean
belongs (const NsRowEvents *self, const NsEvent *event, guint32 *key)
{
  *key = G_MAXUINT32;
  if (self->keys->len > 0)
    {
      *key = find_key (self, event);
      return *key != G_MAXUINT32 || is_capture_of (self, event->record);
    }
  return self->tid != NS_PID_UNKNOWN && event->record->pid == self->pid &&
         event->record->tid == self->tid;
}

/* Uses the records of findings, which are searched for all findings at once. */
static gboolean
take_evidence (NsRowEvents *self,
               const NsTrace *trace,
               guint32 row,
               NsProgressFunc progress,
               gpointer progress_data)
{
  const NsFindingRow *finding = &g_array_index (ns_findings_get (trace), NsFindingRow, row);
  guint i;

  if (!ns_finding_events_find (trace, progress, progress_data))
    return FALSE;
  for (i = 0; i < finding->evidence->len; i++)
    {
      NsRowEvent found = { g_array_index (finding->evidence, guint32, i), G_MAXUINT32 };

      g_array_append_val (self->events, found);
    }
  self->n_looked_at = trace->events->len;
  self->is_cut = finding->is_evidence_cut;
  return TRUE;
}

/**
 * ns_row_events_find:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 * @progress: (nullable): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Returns: (transfer full) (nullable): the records; %NULL if stopped
 */
NsRowEvents *
ns_row_events_find (const NsTrace *trace,
                    NsTableId table,
                    guint32 row,
                    NsProgressFunc progress,
                    gpointer progress_data)
{
  g_autoptr (NsRowEvents) self = ns_row_events_describe_all (trace, table, row);
  guint first;
  guint end;
  guint i;

  if (table == NS_TABLE_FINDINGS)
    return take_evidence (self, trace, row, progress, progress_data) ? g_steal_pointer (&self)
                                                                     : NULL;

  first = ns_trace_find_event_from (trace, self->span.begin_ns);
  end = self->span.end_ns < G_MAXINT64 ? ns_trace_find_event_from (trace, self->span.end_ns + 1)
                                       : trace->events->len;
  for (i = first; i < end; i++)
    {
      NsRowEvent found = { i, 0 };
      NsEvent event;

      if ((i - first) % RECORDS_BETWEEN_NEWS == 0 && progress != NULL &&
          !progress ((double) (i - first) / (end - first), progress_data))
        return NULL;
      self->n_looked_at++;
      if (!ns_event_read (trace, i, &event) || !belongs (self, &event, &found.key))
        continue;
      if (self->events->len == NS_ROW_EVENTS_MAX)
        {
          self->is_cut = TRUE;
          break;
        }
      g_array_append_val (self->events, found);
    }
  return g_steal_pointer (&self);
}
