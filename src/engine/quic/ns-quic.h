/* Connections of MsQuic, and their streams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-layer-row.h"

G_BEGIN_DECLS

/* How many identifiers of one side of a connection are kept. */
#define NS_QUIC_MAX_CIDS 64

/* Who ended a connection, and what with. */
typedef enum
{
  NS_QUIC_NOT_SHUT,
  NS_QUIC_SHUT_TRANSPORT,
  NS_QUIC_SHUT_APPLICATION,
} NsQuicShutdown;

/* One connection, or one stream of one (`providers.md` 4). Counts are %NS_UNKNOWN when nobody told
 * them. */
typedef struct
{
  NsLayerRow layer; /* the status is of the family below */
  NsEndpoint local;
  NsEndpoint remote;
  guint64 connection; /* its pointer */
  guint64 stream;     /* likewise */
  guint64 stream_id;
  gint64 correlation; /* NS_UNKNOWN */
  gint64 handshake_begin_ns;
  gint64 handshake_end_ns;
  gint64 rtt_us;
  gint64 sent;
  gint64 received;
  gint64 packets_sent;
  gint64 packets_received;
  gint64 packets_suspected; /* of being lost */
  gint64 packets_spurious;  /* of those, which were not */
  gint64 packets_dropped;
  gint64 packets_reordered;
  gint64 congestion_events;
  GArray *source_cids;      /* (element-type NsString) (nullable) */
  GArray *destination_cids; /* (element-type NsString) (nullable) */
  NsString server;
  NsString congestion_control;
  NsString error_text;
  guint32 version; /* 0: not told */
  guint32 n_paths;
  NsRow parent; /* of a stream: its connection, of this table */
  NsRow udp;    /* of the table of TCP */
  NsRow dns;
  guint8 shutdown;      /* an NsQuicShutdown */
  guint8 status_family; /* an NsCodeFamily */
  gint8 shut_by_peer;   /* -1: not told */
  gint8 server_side;    /* -1: not told */
  guint8 alert;         /* of TLS, where the status is one */
  NsBool has_alert;
  NsBool is_stream;
  NsBool is_kernel;
  NsBool has_stream_id;
  NsBool has_handshake; /* it was complete */
  NsBool has_ended;     /* its pointer may come again */
} NsQuicRow;

G_END_DECLS
