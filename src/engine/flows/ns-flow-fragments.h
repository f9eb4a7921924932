/* Pieces of IP packets, and the conversations that their first pieces belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/flows/ns-flow-table.h"

G_BEGIN_DECLS

/* A stretch of the content of an IP packet. */
typedef struct
{
  const guint8 *data; /* borrowed */
  guint32 begin;
  guint32 end;
  guint32 captured; /* bytes of it that were */
} NsFlowPiece;

/* One IP packet that travels in several. */
typedef struct
{
  NsFlowKey key; /* of the conversation, its sender first; known once the first piece came */
  gint64 begin_ns;
  GArray *pieces;  /* (element-type NsFlowPiece): what came, in order and without overlaps */
  GArray *waiting; /* (element-type guint32) (nullable): packets, 0-based, before the first */
  NsIp ends[2];
  guint32 id;
  guint32 first;  /* packet with the first piece, 0-based */
  guint32 n_here; /* bytes of @pieces */
  guint32 size;   /* of the content; 0: the last piece did not come */
  guint32 before; /* number of one with the same ends and identifier, or 0 */
  guint8 ip_protocol;
  NsBool has_first;
  NsBool is_whole;  /* and was handed on */
  NsBool is_repeat; /* all that came of it came before, with a packet that was whole */
} NsFlowFragments;

/* Told of each packet that no more pieces are taken for. */
typedef void (*NsFlowPiecesFunc) (const NsFlowFragments *set, gpointer user_data);

/* The packets in pieces that began last. */
typedef struct
{
  NsFlowFragments *sets; /* a ring: the place of number n is n - 1, counted round */
  NsMap *known;          /* hash of ends and identifier → number of the last one */
  guint32 n_begun;
  NsFlowPiecesFunc func;
  gpointer func_data;
} NsFlowPieces;

void ns_flow_pieces_init (NsFlowPieces *self, NsFlowPiecesFunc func, gpointer user_data);
void ns_flow_pieces_clear (NsFlowPieces *self);
NsFlowFragments *ns_flow_pieces_add (NsFlowPieces *self, const NsWireFrame *frame, gint64 time_ns);
const NsFlowKey *ns_flow_pieces_find_key (const NsFlowPieces *self, const NsFlowFragments *set);
gboolean ns_flow_fragments_add (NsFlowFragments *self, const NsWireFrame *frame);
GByteArray *ns_flow_fragments_join (const NsFlowFragments *self);

G_END_DECLS
