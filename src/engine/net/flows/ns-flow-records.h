/* Index of the connections that other layers recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/net/packets/ns-packet-components.h"
#include "engine/trace/ns-interval-index.h"
#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Layers that record both endpoints of a connection. */
typedef enum
{
  NS_FLOW_RECORD_TCP,
  NS_FLOW_RECORD_WINSOCK,
  NS_FLOW_RECORD_KERNEL,
  NS_FLOW_N_RECORDS,
} NsFlowRecordLayer;

typedef struct
{
  GArray *records;                          /* element-type NsFlowRecord */
  NsIntervalIndex lives[NS_FLOW_N_RECORDS]; /* (remote endpoint, local port) → number */
  NsMap *own;                               /* (hash of a local address, 0) → 1 */
  const NsPacketComponents *components;
} NsFlowRecords;

/* Search key: endpoints and lifetime of a conversation, as seen from this machine. */
typedef struct
{
  const NsEndpoint *remote;
  const NsEndpoint *local;
  gint64 open_ns;
  gint64 last_ns;
  gboolean is_udp;
} NsFlowEnds;

void ns_flow_records_init (NsFlowRecords *self, const NsTrace *trace);
void ns_flow_records_clear (NsFlowRecords *self);
NsRow ns_flow_records_take (NsFlowRecords *self,
                            NsFlowRecordLayer layer,
                            const NsFlowEnds *ends,
                            guint *n_candidates);
gboolean ns_flow_records_is_own (const NsFlowRecords *self, const NsIp *ip);
gboolean ns_flow_records_outlive (const NsFlowRecords *self,
                                  const NsFlowEnds *ends,
                                  gint64 from_ns,
                                  gint64 to_ns);

G_END_DECLS
