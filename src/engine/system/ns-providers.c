/* Providers of a trace: one row per provider, and one per kind of event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/build/ns-survey.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/system/ns-providers.h"
#include "engine/system/ns-sched-read.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-trace-lookup.h"
#include "engine/trace/ns-view-context.h"

/* Default channel of TraceLogging events. */
#define CHANNEL_TRACELOGGING 11

struct _NsProviders
{
  NsMap *kinds;    /* row of the kinds by provider and id */
  NsMap *versions; /* row of the further versions by kind and version */
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

/* Bit of a version that tells messages, which have other layouts than events. */
#define VERSION_MESSAGE 0x100

static guint16
version_of (const NsRecord *record)
{
  return record->version | (record->kind == NS_RECORD_MESSAGE ? VERSION_MESSAGE : 0);
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
                    .is_manifest = (record->flags & NS_RECORD_MANIFEST) != 0,
                    .version = version_of (record) };

  if (number != 0)
    return number;
  g_array_append_val (trace->kinds, row);
  ns_map_set (builder->providers->kinds, record->provider, id, trace->kinds->len);
  return trace->kinds->len;
}

/* Counts a record of another version than the first one of its kind. */
static void
count_version (NsBuilder *builder, const NsRecord *record, guint32 kind)
{
  GArray *rows = builder->trace->kind_versions;
  NsKindVersionRow row = { .kind = kind, .version = version_of (record), .first = record->ref };
  guint32 number = ns_map_get (builder->providers->versions, kind, row.version);

  if (number == 0)
    {
      g_array_append_val (rows, row);
      number = rows->len;
      ns_map_set (builder->providers->versions, kind, row.version, number);
    }
  NS_ROW_AT (rows, NsKindVersionRow, number)->n_events++;
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
  NsKindRow *kind_row = NS_ROW_AT (trace->kinds, NsKindRow, kind);
  NsStackId stack;

  provider->n_events++;
  provider->n_bytes += record->size;
  provider->first_ns = MIN (provider->first_ns, record->time_ns);
  provider->last_ns = MAX (provider->last_ns, record->time_ns);
  kind_row->n_events++;
  if (G_UNLIKELY (version_of (record) != kind_row->version))
    count_version (builder, record, kind);
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

/* Sets each provider's schema source, by the rule of the survey. */
static void
find_sources (NsTrace *trace)
{
  g_autoptr (NsEtlReader) reader = ns_etl_reader_new (trace->file);
  g_autofree NsSurveySources *sources = g_new (NsSurveySources, trace->providers->len + 1);
  g_autofree guint8 *n_looked = g_new0 (guint8, trace->providers->len + 1);
  NsRecord record;
  guint i;

  ns_survey_init_sources (sources, trace->providers->len);
  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);

      if (n_looked[kind->provider] >= NS_PROVIDERS_MAX_LOOKED_UP ||
          !ns_etl_reader_read (reader, kind->first, &record))
        continue;
      n_looked[kind->provider]++;
      ns_survey_add_source (&sources[kind->provider],
                            kind->id,
                            ns_schemas_find (trace->schemas, &record)->source,
                            kind->n_events);
    }
  for (i = 0; i < trace->providers->len; i++)
    g_array_index (trace->providers, NsProviderRow, i).schema =
        source_to_text (ns_survey_choose_source (&sources[i]));
}

static void
start (NsBuilder *builder)
{
  builder->providers = g_new0 (NsProviders, 1);
  builder->providers->kinds = ns_map_new ();
  builder->providers->versions = ns_map_new ();
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
  ns_map_free (builder->providers->versions);
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

/* Records with one layout: the place of the first, and how many there are. */
typedef struct
{
  NsRecordRef first;
  guint64 n_events;
} Layout;

static int
compare_layouts (gconstpointer a, gconstpointer b)
{
  const NsRecordRef *ref_a = &((const Layout *) a)->first;
  const NsRecordRef *ref_b = &((const Layout *) b)->first;

  if (ref_a->buffer != ref_b->buffer)
    return ref_a->buffer < ref_b->buffer ? -1 : 1;
  return ref_a->offset < ref_b->offset ? -1 : ref_a->offset > ref_b->offset;
}

/* Returns (transfer full) (element-type Layout): the layouts in file order, so that no buffer is
 * read twice. */
static GArray *
list_layouts (const NsTrace *trace)
{
  GArray *layouts = g_array_new (FALSE, FALSE, sizeof (Layout));
  guint i;

  for (i = 0; i < trace->kinds->len; i++)
    {
      const NsKindRow *kind = &g_array_index (trace->kinds, NsKindRow, i);
      Layout layout = { kind->first, kind->n_events };

      g_array_append_val (layouts, layout);
    }
  for (i = 0; i < trace->kind_versions->len; i++)
    {
      const NsKindVersionRow *row = &g_array_index (trace->kind_versions, NsKindVersionRow, i);
      Layout layout = { row->first, row->n_events };

      g_array_index (layouts, Layout, row->kind - 1).n_events -= row->n_events;
      g_array_append_val (layouts, layout);
    }
  g_array_sort (layouts, compare_layouts);
  return layouts;
}

/**
 * ns_providers_count_undecodable:
 * @trace: a trace
 *
 * Reads the first record of each layout: kinds of events by version, and messages apart.
 *
 * Returns: the number of records without a schema
 */
guint64
ns_providers_count_undecodable (const NsTrace *trace)
{
  g_autoptr (NsEtlReader) reader = ns_etl_reader_new (trace->file);
  g_autoptr (GArray) layouts = list_layouts (trace);
  guint64 n_undecodable = 0;
  NsRecord record;
  guint i;

  for (i = 0; i < layouts->len; i++)
    {
      const Layout *layout = &g_array_index (layouts, Layout, i);

      if (!ns_etl_reader_read (reader, layout->first, &record) ||
          ns_schemas_find (trace->schemas, &record)->source >= NS_SCHEMA_WPP)
        n_undecodable += layout->n_events;
    }
  return n_undecodable;
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (providers, NsProviderRow, NULL),
  NS_PART_TABLE (kinds, NsKindRow, NULL),
  NS_PART_TABLE (kind_versions, NsKindVersionRow, NULL),
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
