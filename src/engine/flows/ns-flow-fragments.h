/* Pieces of IP packets, and the conversations that their first pieces belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/flows/ns-flow-table.h"

G_BEGIN_DECLS

/* One IP packet that travels in several. */
typedef struct
{
  NsFlowKey key; /* of the conversation, its sender first; known once the first piece came */
  gint64 begin_ns;
  guint64 n_bytes;    /* of its content that came */
  guint64 n_expected; /* of its content that the first piece announces */
  GArray *waiting;    /* (element-type guint32) (nullable): packets, 0-based, before the first */
  NsIp ends[2];
  guint32 id;
  guint8 ip_protocol;
  NsBool has_first;
} NsFlowFragments;

typedef struct
{
  GArray *sets; /* element-type NsFlowFragments */
  NsMap *known; /* hash of ends and number → place in @sets + 1 */
} NsFlowPieces;

void ns_flow_pieces_init (NsFlowPieces *self);
void ns_flow_pieces_clear (NsFlowPieces *self);
NsFlowFragments *ns_flow_pieces_add (NsFlowPieces *self, const NsWireFrame *frame, gint64 time_ns);

G_END_DECLS
