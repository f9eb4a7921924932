/* State of the RPC part while a trace is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* An open call; newest of its key first. */
typedef struct
{
  NsRow row;
  guint32 next; /* index of the previous one, from 1 */
} NsRpcOpen;

/* Bytes that a thread sent on a connection during a client call. */
typedef struct
{
  gint64 time_ns;
  guint64 tcb;
  guint32 tid;
} NsRpcSend;

struct _NsRpc
{
  GArray *open;         /* NsRpcOpen */
  GArray *sends;        /* NsRpcSend */
  NsMap *by_id;         /* process, activity and side → index of @open, from 1 */
  NsMap *newest;        /* activity ID → newest row of either side */
  NsMap *server_of_tid; /* thread → newest row of a server call */
  NsMap *callers;       /* threads with calls over TCP */
};

void ns_rpc_link_rows (NsBuilder *builder);

G_END_DECLS
