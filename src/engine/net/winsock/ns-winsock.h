/* Microsoft-Windows-Winsock-AFD: sockets, and look-ups for other layers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/tcpip/ns-tcpip.h"

G_BEGIN_DECLS

/**
 * NsWsRec:
 * @index: its number among the records, 1-based
 * @row: its row, from the end of the walks on; 0: none
 * @endpoint: kernel address; reused after the close
 * @process: kernel address of the process; unique while the process lives
 * @tid_connect: the thread that last bound, connected or sent a datagram
 * @next: index of the previous record of the same socket with another peer, or 0
 * @tcp: the #NsTcpRec below it, 0: unknown
 * @send_stack: call stack of the first send of a stream that has one
 * @layers: #NsLayers that claimed it
 * @restored: its creation was not recorded
 * @removed: it was never used, and has no row
 *
 * A socket, or one peer of a datagram socket. Its address does not change until the load ends.
 */
typedef struct _NsWsRec NsWsRec;
struct _NsWsRec
{
  guint32 index;
  union
  {
    NsRow row;
    guint32 tx_bytes; /* while reading: size of the newest datagram sent and not matched yet */
  };
  guint64 endpoint;
  guint64 process;
  guint32 pid;
  guint32 tid_open;
  guint32 tid_connect;
  guint32 tid_close;
  guint16 family;
  guint16 socket_type;
  guint32 protocol;
  const NsEndpoint *remote; /* in the trace's endpoint pool; never %NULL */
  const NsEndpoint *local;
  guint64 sent;
  guint64 received;
  gint64 open_ns;
  gint64 connect_ns;
  gint64 close_ns;
  gint64 first_data_ns;
  gint64 last_data_ns;
  guint32 status;
  guint layers : 16;
  guint tcp_confidence : 2; /* an NsConfidence */
  guint connect_ex : 1;
  guint accepted : 1;
  guint listening : 1;
  guint restored : 1;
  guint pid_source : 3; /* an NsPidSource */
  guint removed : 1;
  guint has_peers : 1; /* the socket has several records; private to the WinSock part */
  NsRow tcp;
  guint32 next;
  NsStackId stack;
  NsStackId send_stack;
  NsRunId link;

  /* Private to the WinSock part. */
  guint32 chain;        /* index of the first record of the socket's lifetime */
  guint32 activity_id;  /* activity ID of the creating event, 1-based in @activity_ids; 0: none */
  guint32 indexed_ends; /* ns_ips_fold() of the indexed endpoints */
};

/**
 * NsWsClaim:
 * @remote: (nullable): the peer
 * @tcp: the claiming connection, or 0
 * @local_port: the local port
 * @pid: the process, or %NS_PID_UNKNOWN
 * @tid: the connecting thread, or %NS_PID_UNKNOWN
 * @begin_ns: begin of the claimer; ignored if @tcp is set
 * @end_ns: its end
 *
 * Known properties of the socket of a connection, or of a higher layer's request.
 */
typedef struct
{
  const NsEndpoint *remote;
  NsRow tcp;
  guint16 local_port;
  guint32 pid;
  guint32 tid;
  gint64 begin_ns;
  gint64 end_ns;
} NsWsClaim;

NsWsRec *ns_winsock_get (NsBuilder *builder, guint32 index);
void ns_winsock_expect_claim (const NsBuilder *builder,
                              const NsEndpoint *remote,
                              guint16 local_port,
                              gboolean is_near);
NsWsRec *ns_winsock_claim (NsBuilder *builder, const NsWsClaim *claim);
NsWsRec *ns_winsock_claim_send (NsBuilder *builder, NsTcpRec *flow, guint32 tid, guint32 n_bytes);
NsWsRec *ns_winsock_claim_accepted (NsBuilder *builder, NsTcpRec *tcp, guint32 pid, guint32 tid);
guint32 ns_winsock_find_pid (NsBuilder *builder, guint64 process, gint64 time_ns);
NsWsRec *ns_winsock_find_by_opener (NsBuilder *builder, guint32 tid, gint64 since_ns);
void ns_winsock_write_rows (NsBuilder *builder);
NsRow ns_winsock_get_row (NsBuilder *builder, guint32 index);
NsRow ns_winsock_get_row_by_tcp (NsBuilder *builder, NsRow tcp);
NsWsRec *ns_winsock_find_by_tcp (NsBuilder *builder, NsRow tcp);

G_END_DECLS
