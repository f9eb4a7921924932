/* The table of open conversations, by key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/flows/ns-flow-content.h"
#include "engine/flows/ns-flow-tcp.h"

G_BEGIN_DECLS

/* More at once than any machine has; the one that was silent longest makes room. */
#define NS_FLOW_TABLE_MAX 100000

/* What makes packets one conversation; who of the two stands first does not matter. */
typedef struct
{
  NsEndpoint ends[2];
  guint16 vlan;
  guint16 id; /* ICMP: identifier of an echo */
  guint8 ip_protocol;
  guint8 kind; /* an NsFlowKind */
  NsBool in_tunnel;
} NsFlowKey;

/* One that is open. Until it is over the client of its row is who sent its first packet, and so are
 * ways of the row ordered. */
typedef struct
{
  NsFlowTcp tcp;
  NsFlowContent *content; /* nullable */
  NsRow row;
  guint32 n_of[2]; /* packets by which a side is this machine: it sent them out, or got them */
  guint32 same;    /* another with the same hash; numbers are 1-based, 0 is none */
  guint32 older;   /* in the order of their last packets */
  guint32 newer;
  guint16 id; /* of the key */
  NsBool has_out;
  NsBool has_in;
} NsFlowOpen;

typedef struct
{
  GArray *flows; /* element-type NsFlowOpen */
  GArray *rows;  /* element-type NsFlowRow; which tell keys */
  NsMap *known;  /* hash of the key → number */
  guint32 oldest;
  guint32 newest;
  guint32 free; /* first of those not in use, by @same */
  guint n_open;
} NsFlowTable;

void ns_flow_table_init (NsFlowTable *self, GArray *rows);
void ns_flow_table_clear (NsFlowTable *self);
guint32 ns_flow_table_find (const NsFlowTable *self, const NsFlowKey *key, guint *side);
guint32 ns_flow_table_add (NsFlowTable *self, const NsFlowKey *key, NsRow row);
void ns_flow_table_touch (NsFlowTable *self, guint32 number);
void ns_flow_table_remove (NsFlowTable *self, guint32 number);

static inline NsFlowOpen *
ns_flow_table_get (const NsFlowTable *self, guint32 number)
{
  return &g_array_index (self->flows, NsFlowOpen, number - 1);
}

static inline NsFlowRow *
ns_flow_table_get_row (const NsFlowTable *self, const NsFlowOpen *flow)
{
  return &g_array_index (self->rows, NsFlowRow, flow->row - 1);
}

G_END_DECLS
