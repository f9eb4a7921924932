/* Remote procedure calls, client and server side.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-layer-row.h"

G_BEGIN_DECLS

/* Map ProtocolSequences of the manifest. */
typedef enum
{
  NS_RPC_UNKNOWN,
  NS_RPC_TCP,
  NS_RPC_PIPE,
  NS_RPC_LOCAL,
  NS_RPC_HTTP,
  NS_RPC_N_PROTOCOLS,
} NsRpcProtocol;

/* One side of a call (`providers.md` 5 R1). */
typedef struct
{
  NsLayerRow layer;    /* the status is a Win32 error or an NTSTATUS */
  NsGuid interface_id; /* zero: unknown */
  NsGuid activity_id;  /* zero: none */
  NsGuid related_id;   /* zero: none */
  NsEndpoint remote;
  gint64 opnum;    /* NS_UNKNOWN: not recorded */
  gint64 extended; /* status of extended error information; NS_UNKNOWN: not recorded */
  NsString address;
  NsString endpoint;
  guint32 protocol;     /* an NsRpcProtocol, or an unknown number */
  guint32 auth_level;   /* G_MAXUINT32: unknown */
  guint32 auth_service; /* G_MAXUINT32: unknown */
  NsRow peer;           /* row of the other side of the call */
  NsRow tcp;
  NsRow smb;
  NsRow webio;
  NsBool is_server;
  NsBool is_blocked; /* blocked by an RPC filter */
} NsRpcRow;

const char *ns_rpc_interface_name (const NsGuid *interface_id);

G_END_DECLS
