/* Finds the records that support findings, by the keys of their rows.
 *
 * One pass over the records serves all findings: the keys of the rows are in maps, and a bit set
 * rejects most records quickly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "query/ns-finding-events.h"

#include "base/ns-hash.h"
#include "base/ns-map.h"
#include "engine/open/ns-event-read.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-trace-cache.h"
#include "findings/ns-finding.h"
#include "query/ns-row-events.h"
#include "schema/ns-payload.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS_BETWEEN_NEWS 4096
/* Size of the bit set, indexed by a hash of the low half of each key. */
#define SIGN_BITS 17
#define N_SIGNS ((guint32) 1 << SIGN_BITS)

/* Scopes of keys that are not valid in one process only; other scopes are process IDs. */
#define ANY_PROCESS ((guint64) 1 << 32) /* a kernel key, or a key of an unknown process */
#define ANY_PROCESS_32                                                                             \
  ((guint64) 2 << 32)                /* a key of a 32-bit kernel, valid only in its records        \
                                      */
#define A_THREAD ((guint64) 3 << 32) /* the key is a process and a thread */
#define A_NAME ((guint64) 4 << 32)   /* the key is the number of a host name */

/* A key of a finding's row, valid for a time span. */
typedef struct
{
  NsTimeSpan span;
  guint64 key;
  guint64 scope;
  guint32 finding;
  guint32 next; /* next mention of the key, by begin: number + 1 */
} Mention;

typedef struct
{
  const NsTrace *trace;
  GArray *findings;  /* NsFindingRow */
  guint n_open;      /* number of findings that accept more records */
  GArray *mentions;  /* Mention */
  GArray *heads;     /* guint32: first mention of each key, number + 1 */
  NsMap *by_key;     /* (key, scope) → number of a head + 1 */
  GHashTable *names; /* lower-case name → number */
  gint64 end_ns;     /* end of the last mention */
  guint8 signs[N_SIGNS / 8];

  const NsRecord *record; /* current record */
  guint32 event;
} Search;

static guint32
sign_of (guint32 low)
{
  return low * 0x9e3779b1u >> (32 - SIGN_BITS);
}

static void
add_mention (Search *self, guint32 finding, const NsRowEvents *row, guint64 key, guint64 scope)
{
  Mention mention = { row->span, key, scope, finding, 0 };

  self->end_ns = MAX (self->end_ns, row->span.end_ns);
  g_array_append_val (self->mentions, mention);
}

/* Adds keys with the scope that ns_row_events_means_the_same() requires. */
static void
add_keys (Search *self, guint32 finding, const NsRowEvents *row)
{
  guint i;

  for (i = 0; i < row->keys->len; i++)
    {
      guint64 key = g_array_index (row->keys, NsRowKey, i).value;
      guint32 sign = sign_of ((guint32) key);
      gboolean is_anybodys = row->pid == NS_PID_UNKNOWN || key >= NS_ROW_KERNEL_KEY_64;

      self->signs[sign / 8] |= (guint8) (1 << sign % 8);
      add_mention (self, finding, row, key, is_anybodys ? ANY_PROCESS : row->pid);
      if (!is_anybodys && key >= NS_ROW_KERNEL_KEY_32 && key <= G_MAXUINT32)
        add_mention (self, finding, row, key, ANY_PROCESS_32);
    }
}

/* Adds a host name. Look-ups may be made on behalf of other processes, so its records may be of
 * any process. */
static void
add_name (Search *self, guint32 finding, const NsRowEvents *row, const char *name)
{
  char *lower = g_ascii_strdown (name, -1);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, lower));

  if (number == 0)
    {
      number = g_hash_table_size (self->names) + 1;
      g_hash_table_insert (self->names, g_steal_pointer (&lower), GUINT_TO_POINTER (number));
    }
  g_free (lower);
  add_mention (self, finding, row, number, A_NAME);
}

static guint64
thread_key (guint32 pid, guint32 tid)
{
  return (guint64) pid << 32 | tid;
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
    add_mention (self, finding, about, thread_key (about->pid, about->tid), A_THREAD);
}

static int
compare_begins (gconstpointer a, gconstpointer b)
{
  const Mention *left = a;
  const Mention *right = b;

  return (left->span.begin_ns > right->span.begin_ns) -
         (left->span.begin_ns < right->span.begin_ns);
}

/* Chains the mentions of each key by begin. */
static void
chain_mentions (Search *self)
{
  guint i;

  g_array_sort (self->mentions, compare_begins);
  for (i = self->mentions->len; i > 0; i--)
    {
      Mention *mention = &g_array_index (self->mentions, Mention, i - 1);
      guint32 head = ns_map_get (self->by_key, mention->key, mention->scope);

      if (head == 0)
        {
          guint32 none = 0;

          g_array_append_val (self->heads, none);
          head = self->heads->len;
          ns_map_set (self->by_key, mention->key, mention->scope, head);
        }
      mention->next = g_array_index (self->heads, guint32, head - 1);
      g_array_index (self->heads, guint32, head - 1) = i;
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

/* Adds the rows of all findings, which may have thousands each; FALSE if stopped. */
static gboolean
add_all (Search *self, NsProgressFunc progress, gpointer progress_data)
{
  guint i;

  for (i = 0; i < self->findings->len; i++)
    {
      if (g_array_index (self->findings, NsFindingRow, i).verdict != NS_VERDICT_FOUND)
        continue;
      if (progress != NULL && !progress (0, progress_data))
        return FALSE;
      add_finding (self, i);
    }
  chain_mentions (self);
  return TRUE;
}

/* Adds the record to all findings that mention the key. Records come in time order, so mentions
 * that ended, or whose finding is full, are removed from the chain.
 */
static void
take (Search *self, guint64 key, guint64 scope)
{
  guint32 head = ns_map_get (self->by_key, key, scope);
  guint32 *link = head != 0 ? &g_array_index (self->heads, guint32, head - 1) : NULL;

  while (link != NULL && *link != 0)
    {
      Mention *mention = &g_array_index (self->mentions, Mention, *link - 1);

      if (self->record->time_ns < mention->span.begin_ns)
        return;
      if (self->record->time_ns > mention->span.end_ns ||
          g_array_index (self->findings, NsFindingRow, mention->finding).is_evidence_cut)
        {
          *link = mention->next;
          continue;
        }
      add_event (self, mention->finding, self->event);
      link = &mention->next;
    }
}

static gboolean
look_at_number (const NsPayloadItem *item, gpointer user_data)
{
  Search *self = user_data;
  guint64 value;

  if (item->kind != NS_ITEM_VALUE || item->size < 4 || !ns_value_get_uint (item, &value))
    return TRUE;
  take (self, value, ANY_PROCESS);
  take (self, value, self->record->pid);
  if (self->record->pointer_size == 4)
    take (self, value, ANY_PROCESS_32);
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
  ns_value_append_text (item, self->trace->secrets, text);
  g_string_ascii_down (text);
  take (self, GPOINTER_TO_UINT (g_hash_table_lookup (self->names, text->str)), A_NAME);
  return TRUE;
}

/* Returns whether the payload may contain the low half of a key; most payloads do not. */
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
    NS_GUID_DNS_CLIENT,
    /* Microsoft-Windows-Winsock-NameResolution */
    NS_GUID_WINSOCK_NAME_RESOLUTION,
  };

  return ns_guid_equal (&record->guid, &providers[0]) ||
         ns_guid_equal (&record->guid, &providers[1]);
}

static void
look_at_event (Search *self, const NsEvent *event)
{
  self->record = event->record;
  take (self, thread_key (event->record->pid, event->record->tid), A_THREAD);
  if (may_mention (self, event->record))
    ns_payload_walk (event->schema, event->record, look_at_number, self);
  if (g_hash_table_size (self->names) > 0 && is_about_names (event->record))
    ns_payload_walk (event->schema, event->record, look_at_text, self);
}

static gboolean
look_at_all (Search *self, NsProgressFunc progress, gpointer progress_data)
{
  guint n_events = self->trace->events->len;
  guint i;

  for (i = 0; i < n_events && self->n_open > 0; i++)
    {
      NsEvent event;

      if (i % RECORDS_BETWEEN_NEWS == 0 && progress != NULL &&
          !progress ((double) i / n_events, progress_data))
        return FALSE;
      if (ns_trace_get_event_time (self->trace, i) > self->end_ns)
        break;
      if (!ns_event_read (self->trace, i, &event))
        continue;
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

static int
compare_events (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;

  return (left > right) - (left < right);
}

/* Adds the records of the failure itself first, so that none is left out in favour of a record
 * that only mentions the row. */
static void
add_marks (NsFindingRow *row, guint n_events)
{
  g_autoptr (GArray) others = g_array_ref (row->evidence);
  guint i;

  row->evidence = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (i = 0; i < row->marks->len && row->evidence->len < NS_FINDING_EVENTS_MAX; i++)
    if (g_array_index (row->marks, guint32, i) < n_events)
      g_array_append_val (row->evidence, g_array_index (row->marks, guint32, i));
  for (i = 0; i < others->len && row->evidence->len < NS_FINDING_EVENTS_MAX; i++)
    if (bsearch (&g_array_index (others, guint32, i),
                 row->marks->data,
                 row->marks->len,
                 sizeof (guint32),
                 compare_events) == NULL)
      g_array_append_val (row->evidence, g_array_index (others, guint32, i));
  row->is_evidence_cut |= i < others->len || row->marks->len > NS_FINDING_EVENTS_MAX;
  g_array_sort (row->evidence, compare_events);
  g_array_unref (others);
}

/* Marks findings as incomplete if not all of their rows were searched. */
static void
report_of_more_rows (GArray *findings, guint n_events)
{
  guint i;

  for (i = 0; i < findings->len; i++)
    {
      NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      if (row->verdict == NS_VERDICT_FOUND && row->refs->len > NS_FINDING_EVENTS_MAX_ROWS)
        row->is_evidence_cut = TRUE;
      if (row->marks != NULL && row->marks->len > 0)
        add_marks (row, n_events);
    }
}

static gboolean
find_all (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data)
{
  g_autofree Search *self = g_new0 (Search, 1);
  gboolean is_done;

  self->trace = trace;
  self->findings = ns_findings_get (trace);
  self->mentions = g_array_new (FALSE, FALSE, sizeof (Mention));
  self->by_key = ns_map_new ();
  self->heads = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->names = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self->end_ns = G_MININT64;
  is_done = add_all (self, progress, progress_data) && look_at_all (self, progress, progress_data);
  if (is_done)
    report_of_more_rows (self->findings, trace->events->len);
  else
    forget (self->findings);
  g_array_unref (self->mentions);
  ns_map_free (self->by_key);
  g_array_unref (self->heads);
  g_hash_table_unref (self->names);
  return is_done;
}

/**
 * ns_finding_events_are_known:
 * @trace: a trace
 *
 * Returns: whether ns_finding_events_find() has finished
 */
gboolean
ns_finding_events_are_known (const NsTrace *trace)
{
  return ns_trace_cache_get (trace->cache, NS_CACHE_FINDING_EVENTS) != NULL;
}

/**
 * ns_finding_events_find:
 * @trace: a trace with its table of events
 * @progress: (nullable): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Finds the supporting records of every finding. For each of its first %NS_FINDING_EVENTS_MAX_ROWS
 * rows these are the records with a pointer or handle of the row in a field while it was open,
 * those that look up its name, or, if it has no keys, those of its thread. The first
 * %NS_FINDING_EVENTS_MAX are kept, in time order. Done once per trace, in time proportional to its
 * records.
 *
 * Returns: %FALSE if stopped
 */
gboolean
ns_finding_events_find (const NsTrace *trace, NsProgressFunc progress, gpointer progress_data)
{
  if (trace->events == NULL || ns_finding_events_are_known (trace))
    return TRUE;
  /* The findings have the results; the cache only has the fact that they are complete. */
  if (ns_trace_cache_begin (trace->cache, NS_CACHE_FINDING_EVENTS, progress, progress_data))
    {
      gboolean is_done = find_all (trace, progress, progress_data);

      ns_trace_cache_end (trace->cache,
                          NS_CACHE_FINDING_EVENTS,
                          is_done ? GINT_TO_POINTER (TRUE) : NULL,
                          NULL);
    }
  return ns_finding_events_are_known (trace);
}
