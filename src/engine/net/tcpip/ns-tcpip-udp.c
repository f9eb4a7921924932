/* Datagrams: one record per endpoint and peer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/tcpip/ns-tcpip-private.h"

#include "engine/net/winsock/ns-winsock.h"

/* Returns the record of this peer in the chain of @head. */
static NsTcpRec *
find_peer (NsTcpip *self, const NsTcpRec *head, const NsEndpoint *remote, guint16 local_port)
{
  guint32 ip = ns_ips_find (self->ips, &remote->ip);
  NsTcpRec *rec;
  NsRow row;

  if (ip == 0)
    return NULL;
  row = ns_map_get (self->peers, head->key, ns_ips_key (ip, remote->port, local_port));
  if (row == 0)
    return NULL;
  rec = ns_tcpip_rec_at (self, row);
  return rec->chain == head->chain ? rec : NULL;
}

static void
add_peer (NsTcpip *self, const NsTcpRec *rec)
{
  guint32 ip = ns_ips_add (self->ips, &rec->remote->ip);

  ns_map_set (self->peers,
              rec->key,
              ns_ips_key (ip, rec->remote->port, rec->local->port),
              rec->row);
}

/* Swaps addresses of receive events that were recorded in the opposite order: the local address
 * is a known peer. */
static void
repair_ends (NsTcpip *self, const NsTcpRec *head, NsTcpipEvent *event)
{
  NsEndpoint local = event->local;

  if (event->local.port == head->local->port || event->remote.port != head->local->port)
    return;
  if (find_peer (self, head, &event->local, head->local->port) == NULL)
    return;
  event->local = event->remote;
  event->remote = local;
}

static NsTcpRec *
restore_flow (NsTcpip *self, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpRec *rec = ns_tcpip_append (self, event->key, TRUE, record->time_ns);

  ns_tcpip_set_activity_id (self, rec, &record->activity);
  rec->chain = rec->row;
  rec->alt_pid = record->pid > 4 ? record->pid : NS_PID_UNKNOWN;
  ns_tcpip_mark_open (self, rec, NS_TCP_INFERRED, NS_PID_UNKNOWN, NS_PID_UNKNOWN, event);
  rec->pid = ns_tcpip_known_pid (event->pid);
  rec->tid = record->tid != 0 ? record->tid : NS_PID_UNKNOWN;
  add_peer (self, rec);
  return rec;
}

/* Adds a peer to the endpoint: a copy of the newest record with zeroed counters. */
static NsTcpRec *
clone_flow (NsTcpip *self, NsTcpRec *head, const NsTcpipEvent *event)
{
  NsTcpRec *rec = ns_tcpip_append (self, head->key, TRUE, head->open_ns);

  rec->chain = head->chain;
  rec->next = head->row;
  rec->state = head->state;
  rec->pid = head->pid;
  rec->alt_pid = head->alt_pid;
  rec->pid_sure = head->pid_sure;
  rec->tid = head->tid;
  rec->close_ns = head->close_ns;
  rec->shutdown_ns = head->shutdown_ns;
  rec->local = event->has_local ? ns_endpoint_pool_add (self->ends, &event->local) : head->local;
  rec->remote = ns_endpoint_pool_add (self->ends, &event->remote);
  ns_tcpip_index (self, rec);
  add_peer (self, rec);
  return rec;
}

static NsTcpRec *
find_flow (NsTcpip *self, const NsRecord *record, NsTcpipEvent *event)
{
  guint32 field = ns_tcpip_known_pid (event->pid);
  gboolean is_receive = record->id == NS_TCPIP_UDP_RECEIVE;
  NsTcpRec *head = ns_tcpip_open_rec (self, event->key, TRUE, field);
  NsTcpRec *rec;

  if (head == NULL && is_receive) /* delivered after the close */
    head = ns_tcpip_shut_rec (self, event->key, TRUE, field);
  if (head == NULL)
    return restore_flow (self, record, event);
  if (is_receive)
    repair_ends (self, head, event);

  rec = find_peer (self, head, &event->remote, event->local.port);
  return rec != NULL ? rec : clone_flow (self, head, event);
}

/* Handles a sent or received datagram. */
void
ns_tcpip_handle_datagram (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *fields)
{
  NsTcpip *self = builder->tcpip;
  NsTcpipEvent event = *fields;
  NsTcpRec *rec;
  NsTcpMore *more;
  NsWsRec *socket;
  guint32 pid = ns_tcpip_known_pid (event.pid);

  rec = find_flow (self, record, &event);
  ns_tcpip_ensure_pid (self, rec, pid);
  if (rec->first_data_ns == NS_TIME_NONE)
    rec->first_data_ns = record->time_ns;
  rec->last_data_ns = record->time_ns;

  if (record->id == NS_TCPIP_UDP_RECEIVE)
    {
      rec->received += event.n_bytes;
      ns_moves_note (builder->trace->moves,
                     NS_TABLE_TCP,
                     rec->row,
                     record->time_ns,
                     event.n_bytes,
                     FALSE);
      more = ns_tcpip_get_more (self, rec);
      more->rx_tid = record->tid;
      more->rx_bytes = event.n_bytes;
      self->last_rx = rec;
      return;
    }
  rec->sent += event.n_bytes;
  ns_moves_note (builder->trace->moves,
                 NS_TABLE_TCP,
                 rec->row,
                 record->time_ns,
                 event.n_bytes,
                 TRUE);
  socket = ns_winsock_claim_send (builder, rec, record->tid, event.n_bytes);
  if (socket != NULL)
    rec->layers |= NS_LAYER_WINSOCK;
}

/* Closes the endpoint's records for all peers. */
void
ns_tcpip_handle_udp_close (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  guint32 header = ns_tcpip_known_pid (record->pid);
  NsTcpRec *rec = ns_tcpip_open_rec (self, event->key, TRUE, NS_PID_UNKNOWN);

  for (; rec != NULL; rec = ns_tcpip_get (builder, rec->next))
    {
      NsWsClaim claim = { 0 };

      ns_tcpip_mark_close (self, rec, NS_TCP_CLOSE, header, record->time_ns, NULL);
      claim.remote = rec->remote;
      claim.tcp = rec->row;
      claim.local_port = rec->local->port;
      claim.pid = header;
      claim.tid = NS_PID_UNKNOWN;
      ns_winsock_claim (builder, &claim);
    }
}

/* A received datagram. */
typedef struct
{
  guint32 pid;
  guint32 tid;
  guint32 n_bytes;
  guint16 local_port;
  const NsEndpoint *remote;
} Datagram;

static gboolean
fits (const NsTcpip *self, const NsTcpRec *rec, const Datagram *wanted)
{
  return rec->is_udp && ns_endpoint_equal (rec->remote, wanted->remote) &&
         (wanted->tid == NS_PID_UNKNOWN || ns_tcpip_peek_more (self, rec)->rx_tid == wanted->tid) &&
         (wanted->local_port == 0 || rec->local->port == wanted->local_port) &&
         (wanted->pid == NS_PID_UNKNOWN || rec->pid == wanted->pid);
}

/* Returns the newest flow with the same size; else the newest that is still open. */
static NsTcpRec *
search (NsTcpip *self, const Datagram *wanted)
{
  guint32 ip = ns_ips_find (self->ips, &wanted->remote->ip);
  guint64 key = ns_ips_key (ip, wanted->remote->port, wanted->local_port);
  guint64 process = wanted->pid != NS_PID_UNKNOWN ? wanted->pid : NS_TCP_ANY_PROCESS;
  const NsMultiMap *lists = wanted->local_port != 0 ? self->by_tuple : self->by_remote;
  NsTcpRec *second = NULL;
  guint32 node;
  guint i = 0;

  if (ip == 0)
    return NULL;
  if (wanted->local_port != 0)
    process = 0;
  for (node = ns_multi_map_first (lists, key, process); node != 0 && i < NS_TCP_MAX_CANDIDATES;
       node = ns_multi_map_next (lists, node), i++)
    {
      NsTcpRec *rec = ns_tcpip_rec_at (self, ns_multi_map_get (lists, node));

      if (!fits (self, rec, wanted))
        continue;
      if (ns_tcpip_peek_more (self, rec)->rx_bytes == wanted->n_bytes)
        return rec;
      if (second == NULL && rec->close_ns == NS_TIME_OPEN)
        second = rec;
    }
  return second;
}

/**
 * ns_tcpip_claim_datagram:
 * @builder: a builder
 * @pid: process, if known
 * @tid: receiving thread, if known
 * @n_bytes: size of the datagram
 * @local_port: local port, 0 if unknown
 * @remote: the sender
 *
 * Finds the flow of a datagram that a socket received: the stack logs the datagram before the
 * socket does.
 *
 * Returns: (transfer none) (nullable): the flow, marked as a socket's
 */
NsTcpRec *
ns_tcpip_claim_datagram (NsBuilder *builder,
                         guint32 pid,
                         guint32 tid,
                         guint32 n_bytes,
                         guint16 local_port,
                         const NsEndpoint *remote)
{
  Datagram wanted = { pid, tid, n_bytes, local_port, remote };
  NsTcpip *self = builder->tcpip;
  NsTcpRec *rec = self->last_rx;

  if (rec != NULL && rec->pid == pid && ns_tcpip_peek_more (self, rec)->rx_bytes == n_bytes &&
      fits (self, rec, &wanted))
    {
      ns_tcpip_get_more (self, rec)->rx_tid = NS_PID_UNKNOWN;
      self->last_rx = NULL;
    }
  else
    rec = search (self, &wanted);
  if (rec == NULL)
    return NULL;
  if (rec->more != 0)
    ns_tcpip_get_more (self, rec)->rx_bytes = 0;
  rec->layers |= NS_LAYER_WINSOCK;
  return rec;
}
