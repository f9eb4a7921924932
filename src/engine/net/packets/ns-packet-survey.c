/* Counts the captured packets of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-survey.h"

#include "engine/net/packets/ns-packet-reader.h"
#include "etl/ns-provider-guids.h"

typedef struct
{
  NsPacketSurvey *survey;
  NsPacketReader *reader;
} Read;

static gboolean
record_cb (const NsRecord *record, gpointer user_data)
{
  static const NsGuid pktmon = NS_GUID_PKTMON;
  Read *self = user_data;

  if (ns_guid_equal (&record->guid, &pktmon))
    ns_packet_components_learn (self->survey->components, self->survey->strings, record);
  ns_packet_reader_read (self->reader, record);
  return TRUE;
}

static void
count (NsPacketSurvey *self, const GArray *rows)
{
  guint i;

  self->n_packets = rows->len;
  for (i = 0; i < rows->len; i++)
    {
      const NsPacketRow *row = &g_array_index (rows, NsPacketRow, i);

      self->n_dropped += row->dropped;
      if (row->captured >= row->length)
        continue;
      self->n_truncated++;
      self->snap_length = MAX (self->snap_length, row->captured);
    }
}

/**
 * ns_packet_survey_new:
 * @file: a trace
 * @schemas: schemas of its records
 * @span: the time span to read
 * @progress: (nullable) (scope call): called regularly; stops the reading if it returns %FALSE
 * @progress_data: for @progress
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the counts; %NULL if the file could not be read
 */
NsPacketSurvey *
ns_packet_survey_new (NsEtlFile *file,
                      NsSchemas *schemas,
                      const NsTimeSpan *span,
                      NsProgressFunc progress,
                      gpointer progress_data,
                      GError **error)
{
  g_autoptr (NsPacketSurvey) self = g_new0 (NsPacketSurvey, 1);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (NsPacketRow));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) places = g_array_new (FALSE, TRUE, sizeof (NsPacketPlace));
  NsPacketCopies *copies = ns_packet_copies_new (&(NsPacketTable){ rows, bytes, places });
  Read read = { .survey = self };
  guint64 n_before;
  gboolean is_good;

  self->components = ns_packet_components_new ();
  self->strings = ns_strings_new ();
  read.reader = ns_packet_reader_new (schemas, NULL, self->strings, copies);
  is_good = ns_etl_file_walk_span (file,
                                   span,
                                   &n_before,
                                   record_cb,
                                   &read,
                                   progress,
                                   progress_data,
                                   error);
  ns_packet_reader_get_counts (read.reader, &self->n_records, &self->n_appearances, &self->n_lost);
  count (self, rows);
  ns_packet_reader_free (read.reader);
  ns_packet_copies_free (copies);
  return is_good ? g_steal_pointer (&self) : NULL;
}

/**
 * ns_packet_survey_free:
 * @self: (transfer full) (nullable): a survey
 */
void
ns_packet_survey_free (NsPacketSurvey *self)
{
  if (self == NULL)
    return;
  ns_packet_components_free (self->components);
  ns_strings_free (self->strings);
  g_free (self);
}
