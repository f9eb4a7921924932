/* State of the RPC part while a trace is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/ns-builder.h"
#include "engine/rpc/ns-rpc.h"

G_BEGIN_DECLS

/* A call that is open, the newest of its key first. */
typedef struct
{
  NsRow row;
  guint32 next; /* index of the one before, from 1 */
} NsRpcOpen;

/* Bytes that a thread gave to a connection while a client called. */
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
  NsMap *newest;        /* activity → row of any side */
  NsMap *server_of_tid; /* thread → newest row of a server */
  NsMap *callers;       /* threads that called over TCP */
};

void ns_rpc_link_rows (NsBuilder *builder);

G_END_DECLS
