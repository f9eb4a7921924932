/* Finds the records of a buffer and parses their headers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-clock.h"
#include "etl/ns-etl-providers.h"

G_BEGIN_DECLS

/* Maximum number of extended items; more are treated as damage. */
#define NS_ETL_MAX_ITEMS 32

typedef enum
{
  NS_ETL_STEP_RECORD,  /* a record of a known kind */
  NS_ETL_STEP_UNKNOWN, /* a record of an unknown layout, to be skipped */
  NS_ETL_STEP_END,     /* no more */
  NS_ETL_STEP_BAD,     /* not a record */
} NsEtlStepKind;

/* The parts of a record that are needed to find the next one. */
typedef struct
{
  guint64 raw;
  gsize pos;
  guint32 size; /* without padding */
  guint8 kind;
  guint8 header_size; /* according to its kind */
  gboolean has_time;
} NsEtlStep;

/* Context for parsing headers into #NsRecord. */
typedef struct
{
  NsEtlClock clock;
  NsEtlProviders *providers;
  guint pointer_size;
  gboolean is_shared; /* other threads use the providers, too */
} NsEtlParser;

NsEtlStepKind ns_etl_parse_step (const guint8 *data, gsize end, gsize pos, NsEtlStep *step);
gsize ns_etl_parse_time_at (const guint8 *data, gsize end, const NsEtlStep *step);
gboolean
ns_etl_parse_hook (const guint8 *data, gsize end, const NsEtlStep *step, guint *group, guint *type);
gboolean ns_etl_parse_record (const NsEtlParser *parser,
                              const guint8 *data,
                              const NsEtlStep *step,
                              NsRecord *record);

static inline gsize
ns_etl_step_next (const NsEtlStep *step)
{
  return step->pos + ((step->size + 7) & ~(gsize) 7);
}

G_END_DECLS
