/* Microsoft-Windows-CAPI2: building of certificate chains, revocation checks, and the retrievals
 * for these.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/capi2/ns-capi2.h"

#include "base/ns-hash.h"
#include "base/ns-map.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-interval-index.h"
#include "engine/trace/ns-url.h"
#include "schema/ns-schema-capi2.h"

#include <string.h>

/* Maximum number of nested checks searched per thread. */
#define MAX_NESTED 64

enum
{
  CAPI2_CHAIN_START = 10,
  CAPI2_CHAIN_STOP = 11,
  CAPI2_POLICY = 30,
  CAPI2_REVOCATION_START = 40,
  CAPI2_REVOCATION_STOP = 41,
  CAPI2_RETRIEVAL_START = 52,
  CAPI2_RETRIEVAL_STOP = 53,
};

struct _NsCapi2
{
  GHashTable *open; /* "pid tid kind task" → newest row */
  GArray *before;   /* element-type NsRow, by row: the previous open row with its key */
};

static void
capi2_start (NsBuilder *builder)
{
  NsCapi2 *self = builder->capi2 = g_new0 (NsCapi2, 1);

  self->open = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self->before = g_array_new (FALSE, FALSE, sizeof (NsRow));
}

static void
capi2_stop (NsBuilder *builder)
{
  g_hash_table_unref (builder->capi2->open);
  g_array_unref (builder->capi2->before);
  g_clear_pointer (&builder->capi2, g_free);
}

static void
read_text (const NsRecord *record, NsSchemaCapi2 *facts)
{
  NsCursor cursor;
  g_autofree char *xml = NULL;
  const guint8 *text;
  gsize n;

  ns_record_cursor (record, &cursor);
  text = ns_cursor_wstr (&cursor, &n);
  xml = ns_utf8_from_utf16 (text, n);
  ns_schema_capi2_read (facts, xml != NULL ? xml : "", xml != NULL ? strlen (xml) : 0);
}

static gboolean
read_task (const NsSchemaCapi2 *facts, NsGuid *task)
{
  g_autofree char *bare = NULL;

  memset (task, 0, sizeof *task);
  if (facts->task == NULL)
    return FALSE;
  bare = g_strdup (facts->task[0] == '{' ? facts->task + 1 : facts->task);
  if (g_str_has_suffix (bare, "}"))
    bare[strlen (bare) - 1] = '\0';
  return ns_guid_from_text (task, bare);
}

/* Adds facts of a later event. */
static void
take_facts (NsBuilder *builder, NsCapi2Row *row, const NsSchemaCapi2 *facts)
{
  NsStrings *strings = builder->trace->strings;

  if (facts->subject != NULL && *facts->subject != '\0')
    row->subject = ns_strings_add (strings, facts->subject);
  if (facts->url != NULL && *facts->url != '\0')
    row->url = ns_url_mask (builder->trace, ns_strings_add (strings, facts->url));
  if (row->seq == 0)
    row->seq = facts->seq;
  if (facts->has_result)
    row->layer.status = facts->result;
  else if (facts->has_error)
    row->layer.status = facts->error;
}

static NsRow
add_row (NsBuilder *builder, const NsRecord *record, NsCapi2Kind kind, const NsSchemaCapi2 *facts)
{
  NsRow before = 0;
  NsCapi2Row row = { .layer = { .pid = record->pid,
                                .tid = record->tid,
                                .open_ns = record->time_ns,
                                .close_ns = NS_TIME_OPEN,
                                .status = NS_UNKNOWN,
                                .confidence = -1 },
                     .kind = kind };

  read_task (facts, &row.task);
  take_facts (builder, &row, facts);
  g_array_append_val (builder->trace->capi2, row);
  g_array_append_val (builder->capi2->before, before);
  return builder->trace->capi2->len;
}

static char *
dup_key (const NsRecord *record, NsCapi2Kind kind, const NsSchemaCapi2 *facts)
{
  return g_strdup_printf ("%u %u %u %s",
                          record->pid,
                          record->tid,
                          (guint) kind,
                          facts->task != NULL ? facts->task : "");
}

static void
begin (NsBuilder *builder, const NsRecord *record, NsCapi2Kind kind)
{
  NsCapi2 *self = builder->capi2;
  NsSchemaCapi2 facts;
  NsCapi2Row *row;
  NsRow number;
  char *key;

  read_text (record, &facts);
  key = dup_key (record, kind, &facts);
  number = add_row (builder, record, kind, &facts);
  row = NS_ROW_AT (builder->trace->capi2, NsCapi2Row, number);
  row->layer.stack = ns_stack_match_find (builder, record);
  row->layer.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_use_link (builder, row->layer.link);
  g_array_index (self->before, NsRow, number - 1) =
      GPOINTER_TO_UINT (g_hash_table_lookup (self->open, key));
  g_hash_table_replace (self->open, key, GUINT_TO_POINTER (number));
  ns_schema_capi2_clear (&facts);
}

static void
end (NsBuilder *builder, const NsRecord *record, NsCapi2Kind kind)
{
  NsCapi2 *self = builder->capi2;
  NsSchemaCapi2 facts;
  g_autofree char *key = NULL;
  NsCapi2Row *row;
  NsRow number;

  read_text (record, &facts);
  key = dup_key (record, kind, &facts);
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->open, key));
  if (number != 0)
    {
      NsRow before = g_array_index (self->before, NsRow, number - 1);

      row = NS_ROW_AT (builder->trace->capi2, NsCapi2Row, number);
      take_facts (builder, row, &facts);
      if (before != 0)
        g_hash_table_replace (self->open, g_steal_pointer (&key), GUINT_TO_POINTER (before));
      else
        g_hash_table_remove (self->open, key);
    }
  else
    {
      number = add_row (builder, record, kind, &facts);
      row = NS_ROW_AT (builder->trace->capi2, NsCapi2Row, number);
      row->layer.open_ns = 0;
      row->layer.opened_before_trace = TRUE;
    }
  row->layer.close_ns = record->time_ns;
  ns_schema_capi2_clear (&facts);
}

static void
add_policy (NsBuilder *builder, const NsRecord *record)
{
  NsSchemaCapi2 facts;
  NsRow number;

  read_text (record, &facts);
  number = add_row (builder, record, NS_CAPI2_POLICY, &facts);
  NS_ROW_AT (builder->trace->capi2, NsCapi2Row, number)->layer.close_ns = record->time_ns;
  ns_schema_capi2_clear (&facts);
}

static void
capi2_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case CAPI2_CHAIN_START:
      begin (builder, record, NS_CAPI2_CHAIN);
      break;
    case CAPI2_CHAIN_STOP:
      end (builder, record, NS_CAPI2_CHAIN);
      break;
    case CAPI2_REVOCATION_START:
      begin (builder, record, NS_CAPI2_REVOCATION);
      break;
    case CAPI2_REVOCATION_STOP:
      end (builder, record, NS_CAPI2_REVOCATION);
      break;
    case CAPI2_RETRIEVAL_START:
      begin (builder, record, NS_CAPI2_RETRIEVAL);
      break;
    case CAPI2_RETRIEVAL_STOP:
      end (builder, record, NS_CAPI2_RETRIEVAL);
      break;
    case CAPI2_POLICY:
      add_policy (builder, record);
      break;
    default:
      break;
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const NsCapi2Row *left = a;
  const NsCapi2Row *right = b;

  return (left->layer.open_ns > right->layer.open_ns) -
         (left->layer.open_ns < right->layer.open_ns);
}

/* K2: finds the innermost check of the thread that contains the row completely. A check without
 * a stop event contains nothing. */
static void
nest_rows (NsTrace *trace)
{
  g_autoptr (NsMap) newest = ns_map_new (); /* (pid, tid) → row */
  g_autofree NsRow *outer = g_new0 (NsRow, (gsize) trace->capi2->len + 1);
  guint i;

  for (i = 0; i < trace->capi2->len; i++)
    {
      NsCapi2Row *row = &g_array_index (trace->capi2, NsCapi2Row, i);
      NsRow above = ns_map_get (newest, row->layer.pid, row->layer.tid);
      guint n_left = MAX_NESTED;
      NsRow at;

      /* Skip checks that ended before; rows come in time order. */
      while (above != 0 &&
             NS_ROW_AT (trace->capi2, NsCapi2Row, above)->layer.close_ns < row->layer.open_ns)
        above = outer[above];
      for (at = above; at != 0 && n_left > 0 && row->parent == 0; at = outer[at], n_left--)
        {
          gint64 close_ns = NS_ROW_AT (trace->capi2, NsCapi2Row, at)->layer.close_ns;

          if (close_ns != NS_TIME_OPEN && row->layer.close_ns <= close_ns)
            row->parent = at;
        }
      outer[i + 1] = above;
      ns_map_set (newest, row->layer.pid, row->layer.tid, i + 1);
    }
}

static void
capi2_finish (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;

  if (trace->capi2->len == 0)
    return;
  g_array_sort (trace->capi2, compare_rows);
  nest_rows (trace);
}

static void
index_requests (const NsTrace *trace, NsIntervalIndex *requests)
{
  guint i;

  ns_interval_index_init (requests);
  for (i = 0; i < trace->webio->len; i++)
    {
      const NsWebioRow *request = &g_array_index (trace->webio, NsWebioRow, i);

      if (request->url != NS_STRING_NONE && ns_time_is_set (request->open_ns))
        ns_interval_index_add (requests,
                               request->pid,
                               ns_url_hash_bare (ns_trace_text (trace, request->url)),
                               i + 1,
                               request->open_ns);
    }
  ns_interval_index_settle (requests);
}

/* K4: links a retrieval with its WinHTTP request. */
static void
link_retrieval (NsTrace *trace, const NsIntervalIndex *requests, NsCapi2Row *row)
{
  const char *url = ns_trace_text (trace, row->url);
  const NsLife *lives;
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (requests, row->layer.pid, ns_url_hash_bare (url), &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, row->layer.open_ns - 1);
       i < n_lives && n_left > 0;
       i++, n_left--)
    {
      const NsWebioRow *request = NS_ROW_AT (trace->webio, NsWebioRow, lives[i].row);

      if (request->open_ns > row->layer.close_ns)
        return;
      if (!ns_url_is_same_bare (ns_trace_text (trace, request->url), url))
        continue;
      row->http = lives[i].row;
      row->layer.activity = request->activity;
      row->layer.confidence = NS_CONFIDENCE_LIKELY;
      row->layer.evidence[0] = "url";
      return;
    }
}

/* Links the rows, once requests have their rows in the master table. */
static void
capi2_settle (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  NsIntervalIndex requests;
  guint i;

  if (trace->capi2->len == 0)
    return;
  index_requests (trace, &requests);
  for (i = 0; i < trace->capi2->len; i++)
    {
      NsCapi2Row *row = &g_array_index (trace->capi2, NsCapi2Row, i);

      if (row->kind == NS_CAPI2_RETRIEVAL && row->url != NS_STRING_NONE)
        link_retrieval (trace, &requests, row);
    }
  ns_interval_index_clear (&requests);
}

static gboolean
is_part_of (const NsTrace *trace, NsRow row, NsRow check)
{
  guint n_left = MAX_NESTED;

  for (; row != 0 && n_left > 0; n_left--)
    {
      if (row == check)
        return TRUE;
      row = NS_ROW_AT (trace->capi2, NsCapi2Row, row)->parent;
    }
  return FALSE;
}

static gint64
span_of (const NsCapi2Row *row)
{
  return row->layer.close_ns == NS_TIME_OPEN ? 0 : row->layer.close_ns - row->layer.open_ns;
}

/**
 * ns_capi2_find_retrieval:
 * @trace: a trace
 * @check: a row of the table of certificate checks
 *
 * Returns: its retrieval that took longest, or 0
 */
NsRow
ns_capi2_find_retrieval (const NsTrace *trace, NsRow check)
{
  const NsCapi2Row *outer = NS_ROW_AT (trace->capi2, NsCapi2Row, check);
  NsRow found = 0;
  gint64 longest_ns = -1;
  NsRow i;

  for (i = check + 1; i <= trace->capi2->len; i++)
    {
      const NsCapi2Row *row = NS_ROW_AT (trace->capi2, NsCapi2Row, i);

      if (row->layer.open_ns > outer->layer.close_ns)
        break;
      if (row->kind != NS_CAPI2_RETRIEVAL || row->url == NS_STRING_NONE ||
          span_of (row) <= longest_ns || !is_part_of (trace, i, check))
        continue;
      found = i;
      longest_ns = span_of (row);
    }
  return found;
}

/**
 * ns_capi2_find_check:
 * @trace: a trace
 * @activity: a row of the master table
 *
 * Returns: the certificate check that took longest in its handshake, or 0
 */
NsRow
ns_capi2_find_check (const NsTrace *trace, NsRow activity)
{
  NsRow found = 0;
  gint64 longest_ns = -1;
  NsRow i;

  for (i = 1; i <= trace->capi2->len; i++)
    {
      const NsCapi2Row *row = NS_ROW_AT (trace->capi2, NsCapi2Row, i);

      if (row->layer.activity != activity || row->parent != 0 || row->kind == NS_CAPI2_RETRIEVAL ||
          span_of (row) <= longest_ns)
        continue;
      found = i;
      longest_ns = span_of (row);
    }
  return found;
}

static const NsProviderOps capi2_ops[] = {
  { NS_GUID_CAPI2, .correlate = capi2_event, .has_stack = ns_stack_match_any },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (capi2, NsCapi2Row, NULL),
};

const NsPart ns_capi2_part = {
  .name = "capi2",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = capi2_start,
  .number = capi2_finish,
  .tie = capi2_settle,
  .stop = capi2_stop,
  .ops = capi2_ops,
  .n_ops = G_N_ELEMENTS (capi2_ops),
};
