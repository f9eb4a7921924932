/* The table of open conversations, by key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/net/flows/ns-flow-content.h"
#include "engine/net/flows/ns-flow-tcp.h"

G_BEGIN_DECLS

/* Maximum number of open conversations, more than any machine has; beyond it the one without
 * packets for the longest time is closed. */
#define NS_FLOW_TABLE_MAX 100000

/* Key of a conversation; the order of its endpoints does not matter. */
typedef struct
{
  NsEndpoint ends[2];
  guint16 vlan;
  guint16 id; /* ICMP echo: identifier */
  guint8 ip_protocol;
  guint8 kind; /* an NsFlowKind */
  NsBool in_tunnel;
} NsFlowKey;

/* An open conversation. Until it ends, the client of its row is the sender of its first packet, and
 * the directions of the row are ordered accordingly. */
typedef struct
{
  NsFlowTcp tcp;
  NsFlowContent *content; /* (nullable) */
  NsRow row;
  guint32 n_of[2]; /* packets that show that a side is local, by direction */
  guint32 same;    /* next with the same hash; numbers are 1-based, 0 is none */
  guint32 older;   /* ordered by last packet */
  guint32 newer;
  guint16 id; /* as in the key */
  NsBool has_out;
  NsBool has_in;
} NsFlowOpen;

typedef struct
{
  GArray *flows; /* element-type NsFlowOpen */
  GArray *rows;  /* element-type NsFlowRow, with members of keys */
  NsMap *known;  /* hash of the key → number */
  guint32 oldest;
  guint32 newest;
  guint32 free; /* first unused entry, linked by @same */
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
  return NS_ROW_AT (self->rows, NsFlowRow, flow->row);
}

G_END_DECLS
