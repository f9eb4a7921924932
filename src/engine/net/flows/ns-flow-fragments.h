/* Fragments of IP packets, and the conversations that their first fragments belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/flows/ns-flow-table.h"

G_BEGIN_DECLS

/* A range of an IP packet's content. */
typedef struct
{
  const guint8 *data; /* borrowed */
  guint32 begin;
  guint32 end;
  guint32 captured; /* captured bytes of it */
} NsFlowFragmentRange;

/* A fragmented IP packet. */
typedef struct
{
  NsFlowKey key; /* key of its conversation, sender first, from the first fragment on */
  gint64 begin_ns;
  GArray *ranges;  /* (element-type NsFlowFragmentRange): captured ranges, sorted, disjoint */
  GArray *waiting; /* (element-type guint32) (nullable): packets, 0-based, captured before the
                    * first fragment */
  NsIp ends[2];
  guint32 id;
  guint32 first;  /* packet with the first fragment, 0-based */
  guint32 n_here; /* total size of @ranges */
  guint32 size;   /* size of the content; 0: the last fragment was not captured */
  guint32 before; /* number of the previous packet with the same addresses and identification, or
                   * 0 */
  guint8 ip_protocol;
  NsBool has_first;
  NsBool is_whole;  /* complete and passed on */
  NsBool is_repeat; /* repeats a complete packet */
} NsFlowFragments;

/* Called for each packet that accepts no more fragments. */
typedef void (*NsFlowFragmentsFunc) (const NsFlowFragments *set, gpointer user_data);

/* The most recent fragmented packets. */
typedef struct
{
  NsFlowFragments *sets; /* ring buffer: number n is at index n - 1 modulo its size */
  NsMap *known;          /* hash of addresses and identification → newest number */
  guint32 n_begun;
  NsFlowFragmentsFunc func;
  gpointer func_data;
} NsFlowFragmentRing;

void
ns_flow_fragment_ring_init (NsFlowFragmentRing *self, NsFlowFragmentsFunc func, gpointer user_data);
void ns_flow_fragment_ring_clear (NsFlowFragmentRing *self);
NsFlowFragments *
ns_flow_fragment_ring_add (NsFlowFragmentRing *self, const NsWireFrame *frame, gint64 time_ns);
const NsFlowKey *
ns_flow_fragment_ring_find_key (const NsFlowFragmentRing *self, const NsFlowFragments *set);
gboolean ns_flow_fragments_add (NsFlowFragments *self, const NsWireFrame *frame);
GByteArray *ns_flow_fragments_join (const NsFlowFragments *self);

G_END_DECLS
