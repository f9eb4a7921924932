/* Counts what is missing in a trace: lost while recording, or not in the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-survey.h"
#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/**
 * NsMissing:
 * @n_events: number of events lost while recording, at least: according to the header, the flags of
 *   the buffers and the records of the session about its losses
 * @n_buffers: number of buffers lost while recording, likewise
 * @n_gap_buffers: number of buffers missing in the sequence numbers: lost while recording, or not
 *   in the file; those of @n_buffers can be among them
 * @n_damaged: number of buffers with damage
 *
 * What is missing in a trace.
 */
typedef struct
{
  guint64 n_events;
  guint64 n_buffers;
  guint64 n_gap_buffers;
  guint64 n_damaged;
} NsMissing;

void ns_missing_count (const NsTrace *trace, NsMissing *missing);
void ns_missing_count_survey (const NsEtlFile *file, const NsSurvey *survey, NsMissing *missing);

/* Returns whether the session lost events or buffers. */
static inline gboolean
ns_missing_has_losses (const NsMissing *missing)
{
  return missing->n_events > 0 || missing->n_buffers > 0;
}

/* Returns whether buffers are missing that the session is not known to have lost. */
static inline gboolean
ns_missing_has_gaps (const NsMissing *missing)
{
  return missing->n_gap_buffers > missing->n_buffers;
}

/* Returns the number of missing buffers. */
static inline guint64
ns_missing_get_buffers (const NsMissing *missing)
{
  return MAX (missing->n_buffers, missing->n_gap_buffers);
}

G_END_DECLS
