/* Survey of a trace: counts in one walk, without decoding or sorting by time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

/* Records of one provider with the same ID (or opcode, or message number) and version. */
typedef struct
{
  guint32 provider; /* dense provider number */
  guint16 id;
  guint16 version;
  gboolean is_manifest : 1;
  gboolean is_message : 1;
  NsRecordRef first;
  guint64 n_records;
  NsSchemaSource source;
} NsSurveyKind;

/* Records of one provider by schema source, without those with a manifest. */
typedef struct
{
  guint64 n_records[NS_SCHEMA_NONE + 1];
  NsSchemaSource of_manifest; /* of the records with its manifest; %NS_SCHEMA_NONE: no record */
} NsSurveySources;

/**
 * NsSurveyProvider:
 * @name: (nullable): its name, owned by the schemas
 * @kind: "manifest", "classic", "tracelogging", "wpp" or "kernel"
 * @source: schema source of most of its records, see ns_survey_choose_source()
 *
 * Counts of one provider.
 */
typedef struct
{
  NsGuid guid;
  const char *name;
  const char *kind;
  NsSchemaSource source;
  guint64 n_records;
  guint64 n_bytes;
  gint64 first_ns;
  gint64 last_ns;
} NsSurveyProvider;

/**
 * NsSurvey:
 * @providers: (element-type NsSurveyProvider): by dense provider number; those without records in
 *   the span have n_records 0
 * @kinds: (element-type NsSurveyKind): ordered by provider, id and version
 * @n_undecodable: number of records without a schema
 * @n_stacks: number of stacks, in records and as records of their own
 * @first_raw: time of the earliest record, except damaged ones outside the session
 * @last_raw: time of the latest record, likewise
 *
 * Counts of one walk.
 */
typedef struct
{
  GArray *providers;
  GArray *kinds;
  guint64 n_records;
  guint64 n_undecodable;
  guint64 n_stacks;
  guint64 first_raw;
  guint64 last_raw;
} NsSurvey;

NsSurvey *ns_survey_new (NsEtlFile *file,
                         NsSchemas *schemas,
                         const NsTimeSpan *span,
                         NsProgressFunc progress,
                         gpointer progress_data,
                         GError **error);
void ns_survey_free (NsSurvey *self);
void ns_survey_init_sources (NsSurveySources *sources, guint n_providers);
void
ns_survey_add_source (NsSurveySources *self, guint16 id, NsSchemaSource source, guint64 n_records);
NsSchemaSource ns_survey_choose_source (const NsSurveySources *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSurvey, ns_survey_free)

G_END_DECLS
