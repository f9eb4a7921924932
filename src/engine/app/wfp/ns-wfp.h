/* Packets and connects dropped or blocked by the Windows Filtering Platform.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-layer-row.h"

G_BEGIN_DECLS

typedef enum
{
  NS_WFP_DROP,
  NS_WFP_IPSEC_DROP,
  NS_WFP_DOS_DROP,
  NS_WFP_MAC_DROP,
  NS_WFP_CONNECT_BLOCKED,
  NS_WFP_INSPECTION_DROP,
} NsWfpKind;

/* An event (`providers.md` 3 W1). */
typedef struct
{
  NsLayerRow layer; /* the status is an NTSTATUS */
  NsEndpoint local; /* as seen from this machine, also for inbound packets */
  NsEndpoint remote;
  guint64 filter; /* run-time ID, valid until reboot */
  guint64 key;    /* Tcb or Endpoint; 0: unknown */
  NsString app;
  NsString user;
  NsString filter_name;
  NsString filter_provider;
  NsString layer_name;
  const char *direction; /* "in", "out", "forward", "both" or NULL */
  const char *protocol;  /* NULL: unknown */
  const char *reason;    /* NULL: unknown */
  guint32 layer_id;      /* NS_WFP_NO_LAYER: not recorded */
  guint32 count;         /* number of packets */
  NsRow tcp;
  guint8 kind;     /* an NsWfpKind */
  NsBool is_tcpip; /* recorded by TCPIP */
  NsBool has_filter;
  gint8 loopback; /* -1: unknown */
} NsWfpRow;

#define NS_WFP_NO_LAYER G_MAXUINT32

gboolean ns_wfp_is_names (const guint8 *bytes, gsize n_bytes);
const char *ns_wfp_take_names_file (GPtrArray *traces);

G_END_DECLS
