/* Finds the records that findings stand on, by the rows they stand on.
 *
 * All findings are looked for in one pass over the records: what the rows are known by stands in
 * maps, and most records are told by a few bits to mention none of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-finding-events.h"

#include "base/ns-map.h"
#include "engine/ns-event.h"
#include "findings/ns-finding.h"
#include "query/ns-row-events.h"
#include "schema/ns-payload.h"

#include <string.h>

#define RECORDS_BETWEEN_NEWS 4096
/* Of the low half of each key one bit is set. */
#define SIGN_BITS 17
#define N_SIGNS ((guint32) 1 << SIGN_BITS)

/* A row of a finding is known by this, in this process and at this time. */
typedef struct
{
  NsTimeSpan span;
  guint32 pid;
  guint32 finding;
  guint32 next; /* that is known by the same; number + 1 */
} Mention;

typedef struct
{
  const NsTrace *trace;
  GArray *findings;    /* NsFindingRow */
  guint n_open;        /* findings that have room for more records */
  GArray *mentions;    /* Mention */
  NsMap *by_key;       /* (key, 0) → number + 1 */
  NsMap *by_thread;    /* (pid, tid) → number + 1 */
  GHashTable *by_name; /* utf8, in lower case → number + 1 */
  NsTimeSpan span;     /* of all of them */
  guint8 signs[N_SIGNS / 8];

  const NsRecord *record; /* that is looked at */
  guint32 event;
} Search;

static guint32
sign_of (guint32 low)
{
  return low * 0x9e3779b1u >> (32 - SIGN_BITS);
}

static guint32
add_mention (Search *self, guint32 finding, const NsRowEvents *row, guint32 next)
{
  Mention mention = { row->span, row->pid, finding, next };

  self->span.begin_ns = MIN (self->span.begin_ns, row->span.begin_ns);
  self->span.end_ns = MAX (self->span.end_ns, row->span.end_ns);
  g_array_append_val (self->mentions, mention);
  return self->mentions->len;
}

static void
add_keys (Search *self, guint32 finding, const NsRowEvents *row)
{
  guint i;

  for (i = 0; i < row->keys->len; i++)
    {
      guint64 key = g_array_index (row->keys, NsRowKey, i).value;
      guint32 sign = sign_of ((guint32) key);
      guint32 next = ns_map_get (self->by_key, key, 0);

      self->signs[sign / 8] |= (guint8) (1 << sign % 8);
      ns_map_set (self->by_key, key, 0, add_mention (self, finding, row, next));
    }
}

/* Whoever looks a name up may do so for others, so that its records are of any process. */
static void
add_name (Search *self, guint32 finding, const NsRowEvents *row, const char *name)
{
  NsRowEvents anybody = *row;
  char *lower = g_ascii_strdown (name, -1);
  guint32 next = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, lower));

  anybody.pid = NS_PID_UNKNOWN;
  next = add_mention (self, finding, &anybody, next);
  g_hash_table_replace (self->by_name, lower, GUINT_TO_POINTER (next));
}

static void
add_event (Search *self, guint32 finding, guint32 event)
{
  NsFindingRow *row = &g_array_index (self->findings, NsFindingRow, finding);

  if (row->evidence->len > 0 &&
      g_array_index (row->evidence, guint32, row->evidence->len - 1) == event)
    return;
  row->is_evidence_cut = row->evidence->len == NS_FINDING_EVENTS_MAX;
  if (row->is_evidence_cut)
    self->n_open--;
  else
    g_array_append_val (row->evidence, event);
}

static void
add_row (Search *self, guint32 finding, NsTableId table, guint32 row)
{
  const NsTrace *trace = self->trace;
  g_autoptr (NsRowEvents) about = ns_row_events_describe_all (trace, table, row);

  if (table == NS_TABLE_DNS && g_array_index (trace->dns, NsDnsRow, row).query != NS_STRING_NONE)
    add_name (self,
              finding,
              about,
              ns_trace_text (trace, g_array_index (trace->dns, NsDnsRow, row).query));
  else if (about->keys->len > 0)
    add_keys (self, finding, about);
  else if (about->tid != NS_PID_UNKNOWN && table != NS_TABLE_CHROMIUM)
    {
      guint32 next = ns_map_get (self->by_thread, about->pid, about->tid);

      next = add_mention (self, finding, about, next);
      ns_map_set (self->by_thread, about->pid, about->tid, next);
    }
}

static void
add_finding (Search *self, guint32 finding)
{
  NsFindingRow *row = &g_array_index (self->findings, NsFindingRow, finding);
  guint n_rows = MIN (row->refs->len, NS_FINDING_EVENTS_MAX_ROWS);
  guint i;

  self->n_open++;
  for (i = 0; i < n_rows; i++)
    {
      const NsFindingRef *ref = &g_array_index (row->refs, NsFindingRef, i);

      if (ref->row >= 1 && ref->row <= ns_table_get_n_rows (self->trace, ref->table))
        add_row (self, finding, ref->table, ref->row - 1);
    }
}

/* The record belongs to all that are known by what it mentions. */
static void
take (Search *self, guint32 next, guint64 key)
{
  while (next != 0)
    {
      const Mention *mention = &g_array_index (self->mentions, Mention, next - 1);
      const NsFindingRow *row = &g_array_index (self->findings, NsFindingRow, mention->finding);

      if (self->record->time_ns >= mention->span.begin_ns &&
          self->record->time_ns <= mention->span.end_ns && !row->is_evidence_cut &&
          ns_row_events_means_the_same (mention->pid, key, self->record))
        add_event (self, mention->finding, self->event);
      next = mention->next;
    }
}

static gboolean
look_at_number (const NsPayloadItem *item, gpointer user_data)
{
  Search *self = user_data;
  guint64 value;

  if (item->kind == NS_ITEM_VALUE && item->size >= 4 && ns_value_get_uint (item, &value))
    take (self, ns_map_get (self->by_key, value, 0), value);
  return TRUE;
}

static gboolean
look_at_text (const NsPayloadItem *item, gpointer user_data)
{
  Search *self = user_data;
  g_autoptr (GString) text = NULL;

  if (item->kind != NS_ITEM_VALUE ||
      (item->field->in_type != NS_IN_UNICODESTRING && item->field->in_type != NS_IN_ANSISTRING))
    return TRUE;
  text = g_string_new (NULL);
  ns_value_append_text (item, text);
  g_string_ascii_down (text);
  take (self, GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, text->str)), 0);
  return TRUE;
}

/* Whether the low half of some key may stand in the payload: mostly none does. */
static gboolean
may_mention (const Search *self, const NsRecord *record)
{
  gsize i;

  for (i = 0; i + 4 <= record->payload_size; i++)
    {
      guint32 low;
      guint32 sign;

      memcpy (&low, record->payload + i, sizeof low);
      sign = sign_of (GUINT32_FROM_LE (low));
      if (self->signs[sign / 8] >> sign % 8 & 1)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_about_names (const NsRecord *record)
{
  static const NsGuid providers[] = {
    /* Microsoft-Windows-DNS-Client */
    NS_GUID_INIT (0x1c95126e, 0x7eea, 0x49a9, 0xa3, 0xfe, 0xa3, 0x78, 0xb0, 0x3d, 0xdb, 0x4d),
    /* Microsoft-Windows-Winsock-NameResolution */
    NS_GUID_INIT (0x55404e71, 0x4db9, 0x4deb, 0xa5, 0xf5, 0x8f, 0x86, 0xe4, 0x6d, 0xde, 0x56),
  };

  return ns_guid_equal (&record->guid, &providers[0]) ||
         ns_guid_equal (&record->guid, &providers[1]);
}

static void
look_at_event (Search *self, const NsEvent *event)
{
  self->record = event->record;
  take (self, ns_map_get (self->by_thread, event->record->pid, event->record->tid), 0);
  if (may_mention (self, event->record))
    ns_payload_walk (event->schema, event->record, look_at_number, self);
  if (g_hash_table_size (self->by_name) > 0 && is_about_names (event->record))
    ns_payload_walk (event->schema, event->record, look_at_text, self);
}

static gboolean
look_at_all (Search *self, NsProgressFunc progress, gpointer progress_data)
{
  guint n_events = self->trace->events->len;
  guint i;

  for (i = 0; i < n_events && self->n_open > 0; i++)
    {
      gint64 time_ns = g_array_index (self->trace->events, NsEventRow, i).time_ns;
      NsEvent event;

      if (i % RECORDS_BETWEEN_NEWS == 0 && progress != NULL &&
          !progress ((double) i / n_events, progress_data))
        return FALSE;
      if (time_ns < self->span.begin_ns || !ns_event_read (self->trace, i, &event))
        continue;
      if (time_ns > self->span.end_ns)
        break;
      self->event = i;
      look_at_event (self, &event);
    }
  return TRUE;
}

static void
forget (GArray *findings)
{
  guint i;

  for (i = 0; i < findings->len; i++)
    {
      NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      g_array_set_size (row->evidence, 0);
      row->is_evidence_cut = FALSE;
    }
}

static gboolean
find_all (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data)
{
  g_autofree Search *self = g_new0 (Search, 1);
  gboolean is_done;
  guint i;

  self->trace = trace;
  self->findings = ns_findings_get (trace);
  self->mentions = g_array_new (FALSE, FALSE, sizeof (Mention));
  self->by_key = ns_map_new ();
  self->by_thread = ns_map_new ();
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->span = (NsTimeSpan){ G_MAXINT64, G_MININT64 };
  for (i = 0; i < self->findings->len; i++)
    if (g_array_index (self->findings, NsFindingRow, i).verdict == NS_VERDICT_FOUND)
      add_finding (self, i);
  is_done = look_at_all (self, progress, progress_data);
  if (!is_done)
    forget (self->findings);
  g_array_unref (self->mentions);
  ns_map_free (self->by_key);
  ns_map_free (self->by_thread);
  g_hash_table_unref (self->by_name);
  return is_done;
}

/**
 * ns_finding_events_are_known:
 * @trace: a trace
 *
 * Returns: whether ns_finding_events_find() has done its work
 */
gboolean
ns_finding_events_are_known (const NsTrace *trace)
{
  return g_atomic_int_get (&((NsTrace *) trace)->has_evidence) != 0;
}

/**
 * ns_finding_events_find:
 * @trace: a trace with its table of events
 * @progress: (nullable): called now and then; %FALSE stops
 * @progress_data: for @progress
 *
 * Puts into every finding that was found the records it stands on: of each of its first
 * %NS_FINDING_EVENTS_MAX_ROWS rows those with a field that has a pointer or handle of the row while
 * it was open, those that look its name up, or, where it is known by nothing, those of its thread.
 * The first %NS_FINDING_EVENTS_MAX are kept, in time order. It is done once for a trace, in time
 * that grows with its records.
 *
 * Returns: %FALSE if it was stopped
 */
gboolean
ns_finding_events_find (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data)
{
  static GMutex mutex;
  gboolean is_done = TRUE;

  if (trace->events == NULL || ns_finding_events_are_known (trace))
    return TRUE;
  g_mutex_lock (&mutex);
  if (!ns_finding_events_are_known (trace))
    {
      is_done = find_all (trace, progress, progress_data);
      if (is_done)
        g_atomic_int_set (&((NsTrace *) trace)->has_evidence, 1);
    }
  g_mutex_unlock (&mutex);
  return is_done;
}
