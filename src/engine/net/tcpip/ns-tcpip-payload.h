/* Reads payloads of Microsoft-Windows-TCPIP; all layouts are converted to one structure.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

/* Event IDs, named by meaning. */
enum
{
  NS_TCPIP_REQUEST_CONNECT = 1002,
  NS_TCPIP_INSPECT_CONNECT_COMPLETE = 1003,
  NS_TCPIP_SYN_SEND = 1004,
  NS_TCPIP_ACCEPT_NO_ROUTE = 1014,
  NS_TCPIP_ACCEPT_COMPLETE = 1017,
  NS_TCPIP_CONNECT_INSPECT_FAIL = 1020,
  NS_TCPIP_CONNECT_NO_ROUTE = 1021,
  NS_TCPIP_CONNECT_PROCEEDING = 1031,
  NS_TCPIP_CONNECT_COMPLETE = 1033,
  NS_TCPIP_CONNECT_FAILURE = 1034,
  NS_TCPIP_CLOSE = 1038,
  NS_TCPIP_ABORT = 1039,
  NS_TCPIP_ABORT_COMPLETE = 1040,
  NS_TCPIP_DISCONNECT_COMPLETE = 1043,
  NS_TCPIP_SHUTDOWN = 1044,
  NS_TCPIP_CONNECT_TIMEOUT = 1045,
  NS_TCPIP_RTO_TIMEOUT = 1046,
  NS_TCPIP_KEEPALIVE_TIMEOUT = 1047,
  NS_TCPIP_STATE_CHANGE = 1051,
  NS_TCPIP_SEND_OLD = 1073,
  NS_TCPIP_RECEIVE = 1074,
  NS_TCPIP_RETRANSMIT_ROUND_OLD = 1077,
  NS_TCPIP_BLACK_HOLE = 1084,
  NS_TCPIP_BLACK_HOLE_EXIT = 1085,
  NS_TCPIP_BLACK_HOLE_FAILED = 1086,
  NS_TCPIP_ZERO_WINDOW = 1102,
  NS_TCPIP_ZERO_WINDOW_END = 1103,
  NS_TCPIP_RECEIVE_REQUEST = 1156,
  NS_TCPIP_SEND_POSTED = 1159,
  NS_TCPIP_SEND_TRANSMITTED = 1160,
  NS_TCPIP_UDP_SEND = 1169,
  NS_TCPIP_UDP_RECEIVE = 1170,
  NS_TCPIP_CONNECT_RST = 1183,
  NS_TCPIP_TERMINATED_RST = 1184,
  NS_TCPIP_TERMINATED_SYN = 1185,
  NS_TCPIP_SYN_RETRANSMIT = 1186,
  NS_TCPIP_DATA_RETRANSMIT = 1187,
  NS_TCPIP_ZERO_WINDOW_TIMEOUT = 1200,
  NS_TCPIP_FIN_WAIT_2_TIMEOUT = 1201,
  NS_TCPIP_RUNDOWN = 1300,
  NS_TCPIP_SEND = 1332,
  NS_TCPIP_RETRANSMIT_ROUND = 1351,
  NS_TCPIP_SUMMARY_OLD = 1352,
  NS_TCPIP_INSPECT_WITH_NAME = 1382,
  NS_TCPIP_UDP_CLOSE = 1397,
  NS_TCPIP_SYSTEM_ABORT = 1468,
  NS_TCPIP_SUMMARY = 1477,
};

/**
 * NsTcpipEvent:
 * @key: Tcb, or Endpoint of a datagram event
 * @has_local: whether @local is not an empty blob
 * @pid: ProcessId field, 0 if it has none
 * @has_sequence: whether @sequence is known
 * @state: new state of the connection
 * @name: (nullable): UTF-16 text of @name_bytes bytes, borrowed from the record
 * @n_bytes: data bytes; for a black hole, the segment size being tried
 * @full_bytes: for a black hole, the previous segment size
 * @limited_ms: for a summary: time limited by the peer's window, by congestion control, by the
 *   sender
 * @total_sent: for a summary: bytes sent, without retransmitted ones
 * @n_segments: for a summary: data segments sent
 * @syn_retransmits: for a summary: retransmitted SYNs
 * @network_window: congestion window; for a summary the last one, or the largest
 * @peer_window: window of the peer; for a summary the last one
 * @unacknowledged: for a send or retransmission: first unacknowledged sequence number
 *
 * Fields of one event; those that its layout lacks, or that are truncated, are 0.
 */
typedef struct
{
  guint64 key;
  NsEndpoint local;
  NsEndpoint remote;
  gboolean has_local;
  gboolean has_remote;
  guint32 pid;
  guint32 status;
  guint32 n_bytes;
  guint32 full_bytes;
  guint32 limited_ms[3];
  guint32 sequence;
  gboolean has_sequence;
  guint32 state;
  const guint8 *name;
  gsize name_bytes;
  guint64 total_sent;
  guint64 total_received;
  guint32 retransmitted_bytes;
  guint32 rtt_us;
  guint64 n_segments;
  guint32 syn_retransmits;
  guint32 network_window;
  guint32 peer_window;
  guint32 unacknowledged;
  gboolean has_unacknowledged;
} NsTcpipEvent;

gboolean ns_tcpip_event_read (const NsRecord *record, NsTcpipEvent *event);

G_END_DECLS
