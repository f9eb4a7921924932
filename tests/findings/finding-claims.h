/* Cases for the rules: rows, and the expected findings of each rule.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/ns-signs.h"
#include "findings/ns-finding.h"
#include "ns-test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)
#define SECOND (1000 * MS)
#define FINDING_PID 300

/* Expected result of a rule for the rows of @make; with is_near for a near miss. */
typedef struct
{
  const char *rule;
  void (*make) (NsTrace *trace, gboolean is_near_miss);
  NsSeverity severity;
  gint64 cost_ns;
  const char *said; /* a part of the sentence */
} FindingClaim;

NsString row_text (NsTrace *trace, const char *chars);
NsEndpoint row_endpoint (const char *chars);
const NsEndpoint *row_end (NsTrace *trace, const char *chars);
NsDnsRow *
row_add_name (NsTrace *trace, const char *name, guint32 status, gint64 open_ns, gint64 length_ns);
NsTcpRow *
row_add_tcp (NsTrace *trace, const char *remote, guint32 status, gint64 open_ns, gint64 length_ns);
NsActivityRow *
row_add_request (NsTrace *trace, const char *url, guint32 status, gint64 open_ns, gint64 length_ns);
NsCallRow *
row_add_call (NsTrace *trace, const char *call, guint32 status, gint64 open_ns, gint64 length);

void row_add_kind (NsTrace *trace, const NsGuid *guid, guint16 id, guint8 level, guint64 keyword);
void row_record_all (NsTrace *trace);

/* Returns the only finding of @rule. */
const NsFindingRow *finding_of (NsTrace *trace, const char *rule);

/* Direction and content of a packet. */
typedef struct
{
  gint64 time_ns;
  gboolean is_sent;
  guint8 flags;
  guint32 seq;
  guint32 ack;
  guint16 window;
  const char *bytes;
  guint n_bytes;
} RowPacket;

NsSign *
row_add_sign (NsTrace *trace, NsSignSource source, guint16 id, gint64 time_ns, gint64 value);
NsPacketRow *row_add_packet (NsTrace *trace, const RowPacket *packet);
/* Tests one kind of evidence of a rule that has several. */
void finding_claim_add (const FindingClaim *claim, const char *evidence);
void finding_claims_add (const FindingClaim *claims, guint n_claims);
