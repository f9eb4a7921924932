/* Counts the captured packets of a trace without building its other tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/packets/ns-packet-components.h"
#include "etl/ns-etl-file.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

/**
 * NsPacketSurvey:
 * @n_records: records with packet bytes
 * @n_packets: packets, without further appearances
 * @n_appearances: appearances of all packets in the stack
 * @n_truncated: packets of which only the beginning was captured
 * @n_dropped: packets that Windows dropped
 * @n_lost: packets whose end was not recorded
 * @snap_length: maximum captured size of a truncated packet; 0: none was truncated
 * @components: the components that the trace describes
 * @strings: their names
 */
typedef struct
{
  guint64 n_records;
  guint64 n_packets;
  guint64 n_appearances;
  guint64 n_truncated;
  guint64 n_dropped;
  guint64 n_lost;
  guint32 snap_length;
  NsPacketComponents *components;
  NsStrings *strings;
} NsPacketSurvey;

NsPacketSurvey *ns_packet_survey_new (NsEtlFile *file,
                                      NsSchemas *schemas,
                                      const NsTimeSpan *span,
                                      NsProgressFunc progress,
                                      gpointer progress_data,
                                      GError **error);
void ns_packet_survey_free (NsPacketSurvey *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPacketSurvey, ns_packet_survey_free)

G_END_DECLS
