/* Microsoft-Windows-TCPIP: connections and datagram flows, and look-ups for upper layers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"
#include "engine/trace/ns-ranges.h"

G_BEGIN_DECLS

/**
 * NsTcpRec:
 * @row: its number, here and in the table of rows
 * @key: kernel address of the TCB or UDP endpoint; reused after the close
 * @is_udp: whether it is a datagram flow
 * @pid: process, %NS_PID_UNKNOWN until known
 * @alt_pid: best guess, used if @pid stays unknown
 * @pid_sure: @pid comes from a field of an event
 * @pid_source: an #NsPidSource, if another part set @pid
 * @tid: the thread that opened it
 * @open_ns: its first event
 * @close_ns: %NS_TIME_OPEN until closed
 * @shutdown_ns: %NS_TIME_NONE until shut down
 * @layers: #NsLayers that claimed it
 * @more: index of its rare values, 0: none
 * @link_tried: whether its WebIO connection was found
 *
 * A connection, or a datagram flow (an endpoint and one peer). Its address does not change until
 * its row is written, which frees it.
 */
typedef struct _NsTcpRec NsTcpRec;
struct _NsTcpRec
{
  NsRow row;
  guint32 pid;
  guint32 alt_pid;
  guint32 tid;
  guint64 key;
  guint layers : 16;
  guint state : 4; /* an NsTcpState */
  guint is_udp : 1;
  guint pid_sure : 1;
  guint pid_source : 3;
  guint has_summary : 1;
  guint opened : 1; /* its opening was recorded */
  guint before_trace : 1;
  guint accepted : 1;
  guint link_tried : 1;
  guint is_indexed : 1; /* Private to the TCPIP part, like the next three. */
  guint has_new_ends : 1;
  guint is_unanswered : 1; /* data was sent last, without a response */
  guint full_bytes : 16;   /* largest number of bytes in one send */
  guint32 status;
  gint64 open_ns;
  gint64 close_ns;
  gint64 shutdown_ns;
  gint64 first_data_ns;
  gint64 last_data_ns;
  guint64 posted;
  guint64 sent;
  guint64 received;
  const NsEndpoint *remote; /* in the trace's endpoint pool; never %NULL */
  const NsEndpoint *local;
  guint32 more;
  guint32 handshake_us; /* 0: not recorded */

  /* Private to the TCPIP part. */
  NsRow older; /* previous record of the key */
  guint32 indexed_pid;
  guint32 indexed_ends; /* ns_ips_fold() of the indexed endpoints */
  guint32 n_sends;      /* data sends recorded */
  union
  {
    NsRanges ranges; /* TCP: sequence numbers sent so far */
    struct
    {
      NsRow next;  /* UDP: older record of the same endpoint with another peer */
      NsRow chain; /* first record of the endpoint's lifetime */
    };
  };
};

/**
 * NsTcpWanted:
 * @remote: (nullable): the peer
 * @pid: the process
 * @tid: the thread that connected, or %NS_PID_UNKNOWN
 * @local_port: 0 if unknown
 * @begin_ns: begin of the request
 * @end_ns: its end, %NS_TIME_OPEN while it is open
 * @layer: layer of the request
 *
 * Known properties of the TCP connection of a higher layer's request.
 */
typedef struct
{
  const NsEndpoint *remote;
  guint32 pid;
  guint32 tid;
  guint16 local_port;
  gint64 begin_ns;
  gint64 end_ns;
  guint32 layer;
} NsTcpWanted;

/**
 * NsTcpOwner:
 * @by_window: links a connection with the request whose socket the same thread started between two
 *   times; returns whether there is one
 * @by_address: links it with the request that is connecting to an address
 * @ensure: links it with the request that is sending or receiving on a thread
 * @has_send_counts: returns whether that layer records the bytes of each send
 *
 * Functions of the layer above TCP that link connections with its requests. A part registers them
 * at its start.
 */
typedef struct
{
  gboolean (*by_window) (NsBuilder *builder,
                         NsRow tcp,
                         guint32 pid,
                         guint32 tid,
                         gint64 begin_ns,
                         gint64 end_ns);
  gboolean (*by_address) (NsBuilder *builder,
                          NsRow tcp,
                          const NsEndpoint *remote,
                          guint32 pid,
                          guint32 tid);
  gboolean (*ensure) (NsBuilder *builder,
                      guint32 pid,
                      guint32 tid,
                      NsRow tcp,
                      gint64 time_ns,
                      guint64 tx_bytes);
  gboolean (*has_send_counts) (const NsBuilder *builder);
} NsTcpOwner;

void ns_tcpip_set_owner (NsBuilder *builder, const NsTcpOwner *owner);
NsTcpRec *ns_tcpip_get (NsBuilder *builder, NsRow row);
NsTcpRec *ns_tcpip_find (NsBuilder *builder, const NsTcpWanted *wanted);
NsTcpRec *
ns_tcpip_find_by_thread (NsBuilder *builder, guint32 pid, guint16 local_port, guint32 tid);
NsTcpRec *ns_tcpip_find_tuple (NsBuilder *builder,
                               gboolean is_udp,
                               const NsEndpoint *local,
                               const NsEndpoint *remote,
                               gint64 time_ns,
                               gint64 slack_ns);
NsTcpRec *ns_tcpip_claim_datagram (NsBuilder *builder,
                                   guint32 pid,
                                   guint32 tid,
                                   guint32 n_bytes,
                                   guint16 local_port,
                                   const NsEndpoint *remote);
NsTcpRec *ns_tcpip_find_accepted (NsBuilder *builder,
                                  const NsEndpoint *remote,
                                  guint16 local_port,
                                  gint64 time_ns);
void ns_tcpip_note_kernel_retransmits (NsBuilder *builder,
                                       NsTcpRec *rec,
                                       guint64 n_segments,
                                       guint64 n_bytes);

gboolean ns_tcpip_get_sequence (const NsBuilder *builder, NsRow tcp, guint32 *sequence);

G_END_DECLS
