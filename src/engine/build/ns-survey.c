/* Survey of a trace: counts in one walk, without decoding or sorting by time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-survey.h"

#include "base/ns-map.h"

/* Event ID of an EventSource's embedded manifest. */
#define ID_SENT_MANIFEST 0xfffe
/* Hook group of StackWalk records. */
#define GROUP_STACK_WALK 0x18
#define OPCODE_STACK_WALK 32

typedef struct
{
  NsSurvey *survey;
  const NsEtlFile *file;
  NsSchemas *schemas;
  NsMap *kinds; /* provider and key → row of the kinds */
  NsTimeSpan span;
  guint64 first_raw; /* time of the first record inside the session */
  guint64 last_raw;
  guint32 last_provider;
  guint64 last_key;
  guint32 last_kind; /* row, 1-based */
} Count;

static const char *
kind_of (const NsRecord *record)
{
  NsExtItem item;

  if (record->flags & NS_RECORD_GROUP)
    return "kernel";
  if (record->kind == NS_RECORD_MESSAGE)
    return "wpp";
  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return "classic";
  if (ns_record_find_item (record, NS_EXT_SCHEMA_TL, &item))
    return "tracelogging";
  return "manifest";
}

static NsSurveyProvider *
provider_of (NsSurvey *self, const NsRecord *record)
{
  NsSurveyProvider *row;

  if (G_UNLIKELY (record->provider >= self->providers->len))
    g_array_set_size (self->providers, record->provider + 1);
  row = &g_array_index (self->providers, NsSurveyProvider, record->provider);
  if (G_UNLIKELY (row->n_records == 0))
    {
      row->guid = record->guid;
      row->kind = kind_of (record);
      row->first_ns = record->time_ns;
      row->last_ns = record->time_ns;
    }
  return row;
}

static guint32
find_kind (Count *self, const NsRecord *record, guint64 key)
{
  gboolean is_manifest = (record->flags & NS_RECORD_MANIFEST) != 0;
  guint32 number = ns_map_get (self->kinds, record->provider, key);
  NsSurveyKind row = {
    .provider = record->provider,
    .id = is_manifest || record->kind == NS_RECORD_MESSAGE ? record->id : record->opcode,
    .version = record->version,
    .is_manifest = is_manifest,
    .is_message = record->kind == NS_RECORD_MESSAGE,
    .first = record->ref,
    .source = NS_SCHEMA_NONE,
  };

  if (number != 0)
    return number;
  g_array_append_val (self->survey->kinds, row);
  ns_map_set (self->kinds, record->provider, key, self->survey->kinds->len);
  return self->survey->kinds->len;
}

static guint
count_stacks (const NsRecord *record)
{
  NsCursor state = { NULL };
  NsExtItem item;
  guint n = 0;

  while (ns_record_next_item (record, &state, &item))
    n += item.type == NS_EXT_STACK32 || item.type == NS_EXT_STACK64 ||
         item.type == NS_EXT_STACK_KEY32 || item.type == NS_EXT_STACK_KEY64;
  return n;
}

static gboolean
count_record (const NsRecord *record, gpointer user_data)
{
  Count *self = user_data;
  NsSurvey *survey = self->survey;
  NsSurveyProvider *provider;
  guint64 key;

  /* Schema records apply to the whole trace, also if they lie outside the span. */
  if (G_UNLIKELY (record->kind == NS_RECORD_FULL64 || record->kind == NS_RECORD_FULL32 ||
                  record->id == ID_SENT_MANIFEST))
    ns_schemas_learn (self->schemas, record);
  if (G_UNLIKELY (record->time_ns < self->span.begin_ns || record->time_ns >= self->span.end_ns))
    return TRUE;

  provider = provider_of (survey, record);
  provider->n_records++;
  provider->n_bytes += record->size;
  provider->first_ns = MIN (provider->first_ns, record->time_ns);
  provider->last_ns = MAX (provider->last_ns, record->time_ns);

  key = (guint64) (guint) (record->flags & (NS_RECORD_MANIFEST | NS_RECORD_GROUP)) << 48 |
        (guint64) (record->kind == NS_RECORD_MESSAGE) << 40 | (guint64) record->opcode << 56 |
        (guint32) record->id << 16 | record->version;
  if (record->flags & NS_RECORD_MANIFEST)
    key &= ~(G_GUINT64_CONSTANT (0xff) << 56);
  if (key != self->last_key || record->provider != self->last_provider)
    {
      self->last_kind = find_kind (self, record, key);
      self->last_key = key;
      self->last_provider = record->provider;
    }
  g_array_index (survey->kinds, NsSurveyKind, self->last_kind - 1).n_records++;

  survey->n_records++;
  survey->first_raw = MIN (survey->first_raw, record->raw);
  survey->last_raw = MAX (survey->last_raw, record->raw);
  if (G_LIKELY (ns_etl_file_is_inside (self->file, record->raw)))
    {
      self->first_raw = MIN (self->first_raw, record->raw);
      self->last_raw = MAX (self->last_raw, record->raw);
    }
  if (record->n_extended > 0)
    survey->n_stacks += count_stacks (record);
  else if (record->group == GROUP_STACK_WALK && record->opcode == OPCODE_STACK_WALK)
    survey->n_stacks++;
  return TRUE;
}

static int
compare_kinds (gconstpointer a, gconstpointer b)
{
  const NsSurveyKind *kind_a = a;
  const NsSurveyKind *kind_b = b;

  if (kind_a->provider != kind_b->provider)
    return kind_a->provider < kind_b->provider ? -1 : 1;
  if (kind_a->id != kind_b->id)
    return kind_a->id < kind_b->id ? -1 : 1;
  return (int) kind_a->version - (int) kind_b->version;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const NsRecordRef *ref_a = &(*(NsSurveyKind *const *) a)->first;
  const NsRecordRef *ref_b = &(*(NsSurveyKind *const *) b)->first;

  if (ref_a->buffer != ref_b->buffer)
    return ref_a->buffer < ref_b->buffer ? -1 : 1;
  return ref_a->offset < ref_b->offset ? -1 : ref_a->offset > ref_b->offset;
}

/* Looks up the schema of the first record of each kind, in file order, so that no buffer is read
 * twice.
 */
static void
find_sources (NsSurvey *self, NsEtlFile *file, NsSchemas *schemas)
{
  g_autoptr (NsEtlReader) reader = ns_etl_reader_new (file);
  g_autoptr (GPtrArray) kinds = g_ptr_array_sized_new (self->kinds->len);
  g_autofree NsSurveySources *sources = g_new (NsSurveySources, self->providers->len + 1);
  NsRecord record;
  guint i;

  ns_survey_init_sources (sources, self->providers->len);
  for (i = 0; i < self->kinds->len; i++)
    g_ptr_array_add (kinds, &g_array_index (self->kinds, NsSurveyKind, i));
  g_ptr_array_sort (kinds, compare_places);
  for (i = 0; i < kinds->len; i++)
    {
      NsSurveyKind *kind = g_ptr_array_index (kinds, i);

      if (ns_etl_reader_read (reader, kind->first, &record))
        kind->source = ns_schemas_find (schemas, &record)->source;
      if (kind->source >= NS_SCHEMA_WPP)
        self->n_undecodable += kind->n_records;
      ns_survey_add_source (&sources[kind->provider], kind->id, kind->source, kind->n_records);
    }
  for (i = 0; i < self->providers->len; i++)
    g_array_index (self->providers, NsSurveyProvider, i).source =
        ns_survey_choose_source (&sources[i]);
}

/**
 * ns_survey_new:
 * @file: a trace
 * @schemas: schemas of payloads; learns those in the trace
 * @span: (nullable): only records inside it are counted
 * @progress: (nullable) (scope call): called regularly; stops the walk if it returns %FALSE
 * @progress_data: for @progress
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the counts; %NULL on error
 */
NsSurvey *
ns_survey_new (NsEtlFile *file,
               NsSchemas *schemas,
               const NsTimeSpan *span,
               NsProgressFunc progress,
               gpointer progress_data,
               GError **error)
{
  g_autoptr (NsSurvey) self = g_new0 (NsSurvey, 1);
  g_autoptr (NsMap) kinds = ns_map_new ();
  Count count = {
    .survey = self,
    .file = file,
    .first_raw = G_MAXUINT64,
    .schemas = schemas,
    .kinds = kinds,
    .span = { G_MININT64, G_MAXINT64 },
    .last_provider = G_MAXUINT32,
  };
  guint i;

  self->providers = g_array_new (FALSE, TRUE, sizeof (NsSurveyProvider));
  self->kinds = g_array_new (FALSE, TRUE, sizeof (NsSurveyKind));
  self->first_raw = G_MAXUINT64;
  if (span != NULL)
    count.span = *span;
  if (!ns_etl_file_walk (file,
                         NS_ETL_WALK_FILE_ORDER,
                         NULL,
                         count_record,
                         &count,
                         progress,
                         progress_data,
                         error))
    return NULL;

  if (ns_etl_file_get_report (file)->n_strays > 0 && count.first_raw <= count.last_raw)
    {
      self->first_raw = count.first_raw;
      self->last_raw = count.last_raw;
    }
  if (self->n_records == 0)
    self->first_raw = 0;
  g_array_sort (self->kinds, compare_kinds);
  find_sources (self, file, schemas);
  for (i = 0; i < self->providers->len; i++)
    {
      NsSurveyProvider *provider = &g_array_index (self->providers, NsSurveyProvider, i);

      if (provider->n_records == 0)
        continue;
      provider->name = ns_schemas_get_provider_name (schemas, &provider->guid);
    }
  return g_steal_pointer (&self);
}

/**
 * ns_survey_free:
 * @self: (transfer full) (nullable): a survey
 */
void
ns_survey_free (NsSurvey *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->providers, g_array_unref);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_free (self);
}

/**
 * ns_survey_init_sources:
 * @sources: (array length=n_providers) (out caller-allocates): the sources of each provider
 * @n_providers: number of providers
 */
void
ns_survey_init_sources (NsSurveySources *sources, guint n_providers)
{
  guint i;

  for (i = 0; i < n_providers; i++)
    sources[i] = (NsSurveySources){ { 0 }, NS_SCHEMA_NONE };
}

/**
 * ns_survey_add_source:
 * @self: the sources of a provider
 * @id: an event ID; 0 if the records have none
 * @source: schema source of the first of the records
 * @n_records: number of records of @id
 */
void
ns_survey_add_source (NsSurveySources *self, guint16 id, NsSchemaSource source, guint64 n_records)
{
  if (id == ID_SENT_MANIFEST)
    self->of_manifest = MIN (self->of_manifest, source);
  else
    self->n_records[source] += n_records;
}

/**
 * ns_survey_choose_source:
 * @self: the sources of a provider
 *
 * Returns: that of most of the records with a schema, the most trusted of several; that of the
 *   manifest if there are no other records
 */
NsSchemaSource
ns_survey_choose_source (const NsSurveySources *self)
{
  NsSchemaSource best = NS_SCHEMA_NONE;
  guint64 n_most = 0;
  guint i;

  for (i = 0; i < NS_SCHEMA_WPP; i++)
    if (self->n_records[i] > n_most)
      {
        n_most = self->n_records[i];
        best = i;
      }
  if (n_most == 0 && self->n_records[NS_SCHEMA_WPP] == 0 && self->n_records[NS_SCHEMA_NONE] == 0)
    return self->of_manifest;
  return best;
}
