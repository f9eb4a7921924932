/* Providers of a trace: one row per provider, and one per kind of event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/system/ns-providers.h"
#include "engine/system/ns-sched-read.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-trace-lookup.h"
#include "engine/trace/ns-view-context.h"

#include <string.h>

/* Default channel of TraceLogging events. */
#define CHANNEL_TRACELOGGING 11

struct _NsProviders
{
  NsMap *kinds; /* row of the kinds by provider and id */
  NsTraceRecent recent_processes;
  NsTraceRecent recent_threads;
  GArray *of_processes; /* guint64: events by process row - 1; copied to the rows at the end */
  GArray *of_threads;   /* guint64: events by thread row - 1; likewise */
};

static const char *
kind_of (const NsRecord *record)
{
  if ((record->flags & NS_RECORD_GROUP) != 0)
    return "kernel";
  if (record->kind == NS_RECORD_MESSAGE)
    return "wpp";
  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return "classic";
  if (record->channel == CHANNEL_TRACELOGGING)
    return "tracelogging";
  if (record->n_extended > 0)
    {
      NsExtItem item;

      if (ns_record_find_item (record, NS_EXT_SCHEMA_TL, &item))
        return "tracelogging";
    }
  return "manifest";
}

static NsProviderRow *
provider_of (NsTrace *trace, const NsRecord *record)
{
  NsProviderRow *row;

  if (record->provider >= trace->providers->len)
    g_array_set_size (trace->providers, record->provider + 1);
  row = &g_array_index (trace->providers, NsProviderRow, record->provider);
  if (row->n_events == 0)
    {
      row->guid = record->guid;
      row->kind = kind_of (record);
      row->first_ns = record->time_ns;
      row->last_ns = record->time_ns;
    }
  return row;
}

static guint32
kind_row_of (NsBuilder *builder, const NsRecord *record, guint16 id)
{
  NsTrace *trace = builder->trace;
  guint32 number = ns_map_get (builder->providers->kinds, record->provider, id);
  NsKindRow row = { .provider = record->provider,
                    .id = id,
                    .first = record->ref,
                    .keyword = record->keyword,
                    .level = record->level,
                    .is_manifest = (record->flags & NS_RECORD_MANIFEST) != 0 };

  if (number != 0)
    return number;
  g_array_append_val (trace->kinds, row);
  ns_map_set (builder->providers->kinds, record->provider, id, trace->kinds->len);
  return trace->kinds->len;
}

static void
count_for (GArray *counts, NsRow row)
{
  if (counts->len < row)
    g_array_set_size (counts, row);
  g_array_index (counts, guint64, row - 1)++;
}

/* Counts the record for the process and thread of its header. The counts are not kept in the
 * rows, which another thread reads at the same time: writing there would invalidate its cache
 * lines. */
static void
count_identity (NsProviders *self, NsTrace *trace, const NsRecord *record)
{
  NsRow row;

  if (record->pid != NS_PID_UNKNOWN)
    {
      row = ns_trace_recent_process (&self->recent_processes, trace, record->pid, record->time_ns);
      if (row != 0)
        count_for (self->of_processes, row);
    }
  if (record->tid != NS_PID_UNKNOWN)
    {
      row = ns_trace_recent_thread (&self->recent_threads, trace, record->tid, record->time_ns);
      if (row != 0)
        count_for (self->of_threads, row);
    }
}

/* Counts a record of the second walk. Returns the stack that certainly belongs to it, or 0. */
static NsStackId
count (NsBuilder *builder, const NsRecord *record, guint32 event)
{
  NsTrace *trace = builder->trace;
  NsProviderRow *provider = provider_of (trace, record);
  guint16 id = (record->flags & NS_RECORD_MANIFEST) != 0 ? record->id : record->opcode;
  guint32 kind = kind_row_of (builder, record, id);
  NsStackId stack;

  provider->n_events++;
  provider->n_bytes += record->size;
  provider->first_ns = MIN (provider->first_ns, record->time_ns);
  provider->last_ns = MAX (provider->last_ns, record->time_ns);
  NS_ROW_AT (trace->kinds, NsKindRow, kind)->n_events++;
  count_identity (builder->providers, trace, record);

  stack = ns_stack_match_attach (builder, record, event, kind);
  if (event < trace->events->len)
    g_array_index (trace->events, NsEventRow, event).stack = stack;
  return stack;
}

/* Returns the note of a record: its stack. Without a table of events, only stacks that a
 * listener may ask for are looked up. */
static guint32
prepare (NsBuilder *builder, const NsRecord *record, guint32 event, gboolean has_stack)
{
  NsStackId stack = count (builder, record, event);

  if (event != G_MAXUINT32)
    return stack | NS_STACK_MATCH_LOOKED;
  return has_stack ? ns_stack_match_find_inline (builder, record) | NS_STACK_MATCH_LOOKED : 0;
}

static const char *
source_to_text (NsSchemaSource source)
{
  switch (source)
    {
    case NS_SCHEMA_EMBEDDED:
    case NS_SCHEMA_EVENTSOURCE:
      return "embedded";
    case NS_SCHEMA_TRACELOGGING:
      return "tracelogging";
    case NS_SCHEMA_USER:
      return "user";
    case NS_SCHEMA_BUILTIN:
      return "builtin";
    case NS_SCHEMA_WPP:
    case NS_SCHEMA_NONE:
    default:
      return "none";
    }
}

/* Sets each provider's schema source: the most trusted one of its kinds. */
static void
find_sources (NsTrace *trace)
{
  g_autoptr (NsEtlReader) reader = ns_etl_reader_new (trace->file);
  g_autofree guint8 *sources = g_new (guint8, trace->providers->len + 1);
  g_autofree guint8 *n_looked = g_new0 (guint8, trace->providers->len + 1);
  NsRecord record;
  guint i;

  memset (sources, NS_SCHEMA_NONE, trace->providers->len + 1);
  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);
      const NsSchema *schema;

      if (n_looked[kind->provider] >= NS_PROVIDERS_MAX_LOOKED_UP ||
          !ns_etl_reader_read (reader, kind->first, &record))
        continue;
      n_looked[kind->provider]++;
      schema = ns_schemas_find (trace->schemas, &record);
      if (schema != NULL)
        sources[kind->provider] = MIN (sources[kind->provider], schema->source);
    }
  for (i = 0; i < trace->providers->len; i++)
    g_array_index (trace->providers, NsProviderRow, i).schema = source_to_text (sources[i]);
}

static void
start (NsBuilder *builder)
{
  builder->providers = g_new0 (NsProviders, 1);
  builder->providers->kinds = ns_map_new ();
  builder->providers->of_processes = g_array_new (FALSE, TRUE, sizeof (guint64));
  builder->providers->of_threads = g_array_new (FALSE, TRUE, sizeof (guint64));
}

static void
report_rows (NsProviders *self, NsTrace *trace)
{
  guint i;

  for (i = 0; i < self->of_processes->len; i++)
    g_array_index (trace->processes, NsProcessRow, i).n_events =
        g_array_index (self->of_processes, guint64, i);
  for (i = 0; i < self->of_threads->len; i++)
    g_array_index (trace->threads, NsThreadRow, i).n_events =
        g_array_index (self->of_threads, guint64, i);
}

static void
finish (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  report_rows (builder->providers, trace);
  find_sources (trace);
  ns_sched_find_kinds (trace);
  for (i = 0; i < trace->providers->len; i++)
    {
      NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      if (row->n_events == 0)
        {
          row->guid = *ns_etl_file_get_provider (trace->file, i);
          row->kind = "classic";
          row->first_ns = NS_TIME_NONE;
          row->last_ns = NS_TIME_NONE;
        }
      row->name = ns_strings_add (trace->strings,
                                  ns_schemas_get_provider_name (trace->schemas, &row->guid));
    }
}

static void
stop (NsBuilder *builder)
{
  ns_map_free (builder->providers->kinds);
  g_array_unref (builder->providers->of_processes);
  g_array_unref (builder->providers->of_threads);
  g_clear_pointer (&builder->providers, g_free);
}

/**
 * ns_providers_get_name:
 * @trace: a trace
 * @row: one of its providers
 *
 * Returns: (transfer none) (nullable): its name; for an unknown provider the user's label
 */
const char *
ns_providers_get_name (const NsTrace *trace, const NsProviderRow *row)
{
  return row->name != NS_STRING_NONE
             ? ns_trace_text (trace, row->name)
             : ns_provider_labels_find (ns_view_context_get_labels (trace->view), &row->guid);
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (providers, NsProviderRow, NULL),
  NS_PART_TABLE (kinds, NsKindRow, NULL),
};

const NsPart ns_providers_part = {
  .name = "providers",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .prepare = prepare,
  .number = finish,
  .stop = stop,
};
