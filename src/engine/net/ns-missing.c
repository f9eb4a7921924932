/* Counts what is missing in a trace: lost while recording, or not in the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/ns-missing.h"
#include "engine/net/ns-signs.h"
#include "etl/ns-provider-guids.h"

#include <string.h>

/* Records of a session about its losses: RT_LostEvent, and for buffers RT_LostBuffer and
 * RT_LostFile (Microsoft, "RT_LostEvent class"). */
enum
{
  LOST_EVENT = 32,
  LOST_BUFFER = 33,
  LOST_FILE = 34,
};

/* The header of a session that was not stopped holds zeros. */
static void
count (const NsEtlFile *file, guint64 n_of_events, guint64 n_of_buffers, NsMissing *missing)
{
  const NsEtlHeader *header = ns_etl_file_get_header (file);
  const NsEtlReport *report = ns_etl_file_get_report (file);

  missing->n_events = MAX (MAX (header->events_lost, report->n_flag_events_lost), n_of_events);
  missing->n_buffers = MAX (MAX (header->buffers_lost, report->n_flag_buffer_lost), n_of_buffers);
  missing->n_gap_buffers = report->n_missing;
  missing->n_damaged = report->n_damaged;
}

/**
 * ns_missing_count:
 * @trace: a trace
 * @missing: (out): what is missing in it; nothing if it has no file
 *
 * Counts what is missing.
 */
void
ns_missing_count (const NsTrace *trace, NsMissing *missing)
{
  guint64 n_of_events = 0;
  guint64 n_of_buffers = 0;
  guint i;

  memset (missing, 0, sizeof *missing);
  if (trace->file == NULL)
    return;
  for (i = 0; i < trace->signs->len; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);

      if (sign->source != NS_SIGN_LOST)
        continue;
      n_of_events += sign->id == LOST_EVENT;
      n_of_buffers += sign->id != LOST_EVENT;
    }
  count (trace->file, n_of_events, n_of_buffers, missing);
}

/**
 * ns_missing_count_survey:
 * @file: a file
 * @survey: counts of its records
 * @missing: (out): what is missing in it
 *
 * Counts what is missing, like ns_missing_count().
 */
void
ns_missing_count_survey (const NsEtlFile *file, const NsSurvey *survey, NsMissing *missing)
{
  static const NsGuid lost_event = NS_GUID_LOST_EVENT;
  guint64 n_of_events = 0;
  guint64 n_of_buffers = 0;
  guint i;

  for (i = 0; i < survey->kinds->len; i++)
    {
      const NsSurveyKind *kind = &g_array_index (survey->kinds, NsSurveyKind, i);

      if (!ns_guid_equal (&g_array_index (survey->providers, NsSurveyProvider, kind->provider).guid,
                          &lost_event))
        continue;
      if (kind->id == LOST_EVENT)
        n_of_events += kind->n_records;
      else if (kind->id == LOST_BUFFER || kind->id == LOST_FILE)
        n_of_buffers += kind->n_records;
    }
  count (file, n_of_events, n_of_buffers, missing);
}
