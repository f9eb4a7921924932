/* MsQuic connections and their streams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-layer-row.h"

G_BEGIN_DECLS

/* Maximum number of connection IDs kept per side. */
#define NS_QUIC_MAX_CIDS 64

/* How a connection was shut down. */
typedef enum
{
  NS_QUIC_NOT_SHUT,
  NS_QUIC_SHUT_TRANSPORT,
  NS_QUIC_SHUT_APPLICATION,
} NsQuicShutdown;

/* A connection, or a stream of one (`providers.md` 4). Unknown counts are %NS_UNKNOWN. */
typedef struct
{
  NsLayerRow layer; /* the status is of @status_family */
  NsEndpoint local;
  NsEndpoint remote;
  guint64 connection; /* pointer of the connection */
  guint64 stream;     /* pointer of the stream */
  guint64 stream_id;
  gint64 correlation; /* NS_UNKNOWN: not recorded */
  gint64 handshake_begin_ns;
  gint64 handshake_end_ns;
  gint64 rtt_us;
  gint64 sent;
  gint64 received;
  gint64 packets_sent;
  gint64 packets_received;
  gint64 packets_suspected; /* number of packets suspected to be lost */
  gint64 packets_spurious;  /* number of packets suspected to be lost that were not */
  gint64 packets_dropped;
  gint64 packets_reordered;
  gint64 congestion_events;
  GArray *source_cids;      /* (element-type NsString) (nullable) */
  GArray *destination_cids; /* (element-type NsString) (nullable) */
  NsString server;
  NsString congestion_control;
  NsString error_text;
  guint32 version; /* 0: unknown */
  guint32 n_paths;
  NsRow parent; /* for a stream: its connection, in this table */
  NsRow udp;    /* row of the datagram flow, in the table of connections */
  NsRow dns;
  guint8 shutdown;      /* an NsQuicShutdown */
  guint8 status_family; /* an NsCodeFamily */
  gint8 shut_by_peer;   /* -1: unknown */
  gint8 server_side;    /* -1: unknown */
  guint8 alert;         /* TLS alert, if the status is one */
  NsBool has_alert;
  NsBool is_stream;
  NsBool is_kernel;
  NsBool has_stream_id;
  NsBool has_handshake; /* the handshake was completed */
  NsBool has_ended;     /* its pointer may be reused */
} NsQuicRow;

G_END_DECLS
