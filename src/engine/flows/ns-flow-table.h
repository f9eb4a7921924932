/* The conversations that are open at a moment, by their key.
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

/* One that is open: @key.ends[0] sent its first packet, and so are ways of the row ordered. */
typedef struct
{
  NsFlowKey key;
  NsFlowTcp tcp;
  NsFlowContent *content; /* nullable */
  gint64 last_ns;
  NsRow row;
  guint32 n_out[2]; /* packets of each side that left this machine */
  guint32 n_in[2];
  guint32 same;  /* another with the same hash; numbers are 1-based, 0 is none */
  guint32 older; /* in the order of their last packets */
  guint32 newer;
} NsFlowOpen;

typedef struct
{
  GArray *flows; /* element-type NsFlowOpen */
  NsMap *known;  /* hash of the key → number */
  guint32 oldest;
  guint32 newest;
  guint32 free; /* first of those not in use, by @same */
  guint n_open;
} NsFlowTable;

void ns_flow_table_init (NsFlowTable *self);
void ns_flow_table_clear (NsFlowTable *self);
guint32 ns_flow_table_find (const NsFlowTable *self, const NsFlowKey *key, guint *side);
guint32 ns_flow_table_add (NsFlowTable *self, const NsFlowKey *key);
void ns_flow_table_touch (NsFlowTable *self, guint32 number);
void ns_flow_table_remove (NsFlowTable *self, guint32 number);

static inline NsFlowOpen *
ns_flow_table_get (const NsFlowTable *self, guint32 number)
{
  return &g_array_index (self->flows, NsFlowOpen, number - 1);
}

G_END_DECLS
