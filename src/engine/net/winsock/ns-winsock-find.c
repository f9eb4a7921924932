/* Finds the record of a socket by its keys, for other parts. Local ports are reused within minutes
 * under load, so every look-up considers the time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/winsock/ns-winsock-private.h"

/* Maximum time between events of one operation on a thread. */
#define NS_WINSOCK_ADJACENT_NS (2 * NS_PER_SECOND / 1000)
/* Maximum time between the events of a connection and of its socket. */
#define NS_WINSOCK_ACCEPT_NS NS_PER_SECOND

/**
 * ns_winsock_get:
 * @builder: a builder
 * @index: 1 … number of records, or 0
 *
 * Returns: (transfer none) (nullable): the record, %NULL for 0
 */
NsWsRec *
ns_winsock_get (NsBuilder *builder, guint32 index)
{
  const NsWinsock *self = builder->winsock;

  return index != 0 && index <= self->n_recs ? ns_winsock_rec_at (self, index) : NULL;
}

/**
 * ns_winsock_find_by_tcp:
 * @builder: a builder
 * @tcp: number of a connection or flow
 *
 * Returns: (transfer none) (nullable): its socket
 */
NsWsRec *
ns_winsock_find_by_tcp (NsBuilder *builder, NsRow tcp)
{
  return ns_winsock_get (builder, ns_winsock_index_by_tcp (builder->winsock, tcp));
}

/**
 * ns_winsock_get_row:
 * @builder: a builder whose sockets are complete
 * @index: number of a record, or 0
 *
 * Returns: its row; 0 if it has none
 */
NsRow
ns_winsock_get_row (NsBuilder *builder, guint32 index)
{
  const NsWinsock *self = builder->winsock;

  return index != 0 && index <= self->n_rows ? self->rows[index - 1] : 0;
}

/**
 * ns_winsock_get_row_by_tcp:
 * @builder: a builder whose sockets are complete
 * @tcp: a connection, or 0
 *
 * Returns: the row of its socket, or 0
 */
NsRow
ns_winsock_get_row_by_tcp (NsBuilder *builder, NsRow tcp)
{
  if (tcp == 0)
    return 0;
  return ns_winsock_get_row (builder, ns_winsock_index_by_tcp (builder->winsock, tcp));
}

/**
 * ns_winsock_find_by_opener:
 * @builder: a builder
 * @tid: a thread
 * @since_ns: earliest creation time
 *
 * Returns: (transfer none) (nullable): the newest socket that the thread created
 */
NsWsRec *
ns_winsock_find_by_opener (NsBuilder *builder, guint32 tid, gint64 since_ns)
{
  NsWsRec *rec = ns_winsock_get (builder, ns_map_get (builder->winsock->by_opener, tid, 0));

  return rec != NULL && rec->open_ns >= since_ns ? rec : NULL;
}

/* Links a socket with its connection, and copies values that only one of them has to the other. */
void
ns_winsock_set_tcp (NsBuilder *builder, NsWsRec *rec, NsRow tcp_row, NsConfidence confidence)
{
  GArray *by_tcp = builder->winsock->by_tcp;
  NsTcpRec *tcp = ns_tcpip_get (builder, tcp_row);
  guint32 pid = ns_winsock_find_pid (builder, rec->process, rec->open_ns);

  if (tcp == NULL)
    return;
  if (rec->tcp == 0)
    {
      rec->tcp = tcp_row;
      rec->tcp_confidence = confidence;
      if (by_tcp->len < tcp_row)
        g_array_set_size (by_tcp, tcp_row);
      g_array_index (by_tcp, guint32, tcp_row - 1) = rec->index;
      tcp->layers |= NS_LAYER_WINSOCK;
      if (!tcp->pid_sure && pid != NS_PID_UNKNOWN && tcp->pid != pid)
        {
          tcp->pid = pid;
          tcp->pid_source = NS_PID_FROM_SOCKET;
          tcp->tid = NS_PID_UNKNOWN;
        }
    }
  if (rec->pid == NS_PID_UNKNOWN)
    ns_winsock_set_pid (rec,
                        pid != NS_PID_UNKNOWN ? pid : tcp->pid,
                        pid != NS_PID_UNKNOWN ? NS_PID_FROM_SOCKET : NS_PID_FROM_CONNECTION);
}

/* A claim and its connection. */
typedef struct
{
  const NsWsClaim *claim;
  const NsTcpRec *tcp;
  gint64 begin_ns;
  gint64 end_ns;
} Claimer;

/* Returns whether the socket matches in endpoints and lifetime; the port alone does not suffice. */
static gboolean
can_be (const NsWsRec *rec, const Claimer *claimer)
{
  const NsWsClaim *claim = claimer->claim;
  const NsTcpRec *tcp = claimer->tcp;

  if (rec->removed || rec->local->port != claim->local_port ||
      !ns_endpoint_equal (rec->remote, claim->remote) || rec->close_ns < claimer->begin_ns ||
      rec->open_ns > claimer->end_ns)
    return FALSE;
  if (tcp == NULL)
    return TRUE;
  if (tcp->is_udp != (rec->protocol == NS_IPPROTO_UDP))
    return FALSE;
  return !(tcp->pid_sure && tcp->pid > 4 && rec->pid > 4 && rec->pid != NS_PID_UNKNOWN &&
           rec->pid != tcp->pid);
}

/* Returns whether process, thread and connection match, or are unknown. */
static gboolean
agrees (const NsWsRec *rec, const NsWsClaim *claim)
{
  return (rec->pid == NS_PID_UNKNOWN || claim->pid == NS_PID_UNKNOWN || rec->pid == claim->pid) &&
         (claim->tid == NS_PID_UNKNOWN || rec->tid_connect == claim->tid) &&
         (rec->tcp == 0 || claim->tcp == 0 || rec->tcp == claim->tcp);
}

/* Returns whether the socket matches without process and thread: it must have existed when the
 * connection began. */
static gboolean
may_be (const NsWsRec *rec, const Claimer *claimer)
{
  return (rec->tcp == 0 || rec->tcp == claimer->claim->tcp) &&
         (rec->restored || rec->open_ns <= claimer->begin_ns);
}

static NsWsRec *
search (NsBuilder *builder, const Claimer *claimer, guint32 ip)
{
  NsWinsock *self = builder->winsock;
  const NsWsClaim *claim = claimer->claim;
  guint64 key = ns_ips_key (ip, claim->remote->port, claim->local_port);
  NsWsRec *newest = NULL;
  guint32 node;
  guint i = 0;

  for (node = ns_multi_map_first (self->by_tuple, key, 0);
       node != 0 && i < NS_WINSOCK_MAX_CANDIDATES;
       node = ns_multi_map_next (self->by_tuple, node), i++)
    {
      NsWsRec *rec = ns_winsock_get (builder, ns_multi_map_get (self->by_tuple, node));

      if (!can_be (rec, claimer))
        continue;
      ns_winsock_fill_pid (builder, rec);
      if (agrees (rec, claim))
        return rec;
      if (newest == NULL)
        newest = rec;
    }
  return newest != NULL && may_be (newest, claimer) ? newest : NULL;
}

/* Finds a socket whose bind was not recorded: the same thread connected it to the same peer just
 * before.
 */
static NsWsRec *
search_unbound (NsBuilder *builder, const Claimer *claimer, guint32 ip)
{
  NsWinsock *self = builder->winsock;
  const NsWsClaim *claim = claimer->claim;
  guint64 key = ns_ips_key (ip, claim->remote->port, 0);
  guint32 node = ns_multi_map_first (self->by_tuple, key, 0);
  NsWsRec *rec =
      node != 0 ? ns_winsock_get (builder, ns_multi_map_get (self->by_tuple, node)) : NULL;

  if (rec == NULL || rec->removed || rec->local->port != 0 || rec->tcp != 0 ||
      claim->tid == NS_PID_UNKNOWN || rec->tid_connect != claim->tid ||
      rec->close_ns != NS_TIME_OPEN || rec->connect_ns == NS_TIME_NONE ||
      !ns_endpoint_equal (rec->remote, claim->remote) ||
      claimer->begin_ns - rec->connect_ns > NS_WINSOCK_ADJACENT_NS)
    return NULL;
  rec->local = claimer->tcp->local;
  ns_winsock_index (self, rec);
  return rec;
}

/**
 * ns_winsock_claim:
 * @builder: a builder
 * @claim: known properties of the socket
 *
 * Finds the socket of a connection, or of a higher layer's request, and links it with the
 * connection.
 *
 * Returns: (transfer none) (nullable): the socket
 */
NsWsRec *
ns_winsock_claim (NsBuilder *builder, const NsWsClaim *claim)
{
  const NsTcpRec *tcp = ns_tcpip_get (builder, claim->tcp);
  Claimer claimer = { claim, tcp, claim->begin_ns, claim->end_ns };
  NsConfidence confidence = NS_CONFIDENCE_LIKELY;
  NsWsRec *rec;
  guint32 ip;

  if (claim->remote == NULL || claim->local_port == 0 || ns_endpoint_is_empty (claim->remote))
    return NULL;
  if (tcp != NULL)
    {
      claimer.begin_ns = tcp->open_ns;
      claimer.end_ns = tcp->close_ns;
    }
  ip = ns_ips_find (builder->winsock->ips, &claim->remote->ip);
  if (ip == 0)
    return NULL;
  rec = search (builder, &claimer, ip);
  if (rec == NULL && tcp != NULL && !tcp->is_udp)
    {
      rec = search_unbound (builder, &claimer, ip);
      confidence = NS_CONFIDENCE_INFERRED;
    }
  if (rec == NULL)
    return NULL;
  if (tcp != NULL)
    ns_winsock_set_tcp (builder, rec, claim->tcp, confidence);
  if (rec->pid == NS_PID_UNKNOWN && claim->pid != NS_PID_UNKNOWN && claim->pid != 0)
    ns_winsock_set_pid (rec, claim->pid, NS_PID_FROM_CLAIM);
  return rec;
}

/**
 * ns_winsock_claim_send:
 * @builder: a builder
 * @flow: the flow that sent a datagram
 * @tid: the sending thread
 * @n_bytes: size of the datagram
 *
 * Finds the socket that sent it, on the same thread just before.
 *
 * Returns: (transfer none) (nullable): the socket
 */
NsWsRec *
ns_winsock_claim_send (NsBuilder *builder, NsTcpRec *flow, guint32 tid, guint32 n_bytes)
{
  NsWinsock *self = builder->winsock;
  guint32 ip = ns_ips_find (self->ips, &flow->remote->ip);
  guint64 a = (guint64) tid << 32 | n_bytes;
  guint64 b = ns_ips_key (ip, flow->remote->port, 0);
  NsWsRec *rec = ns_winsock_get (builder, ip != 0 ? ns_map_get (self->datagrams, a, b) : 0);

  if (rec == NULL || rec->tid_connect != tid || rec->tx_bytes != n_bytes ||
      (rec->local->port != 0 && rec->local->port != flow->local->port) ||
      (rec->pid != NS_PID_UNKNOWN && flow->pid != NS_PID_UNKNOWN && rec->pid != flow->pid))
    return NULL;
  ns_map_take (self->datagrams, a, b);
  rec->tid_connect = NS_PID_UNKNOWN;
  rec->tx_bytes = 0;
  if (rec->local->port == 0)
    {
      rec->local = flow->local;
      ns_winsock_index (self, rec);
    }
  ns_winsock_set_tcp (builder, rec, flow->row, NS_CONFIDENCE_LIKELY);
  return rec;
}

/* Finds the accepted socket with a known peer. */
static NsWsRec *
find_accepted (NsBuilder *builder, const NsTcpRec *tcp, guint16 local_port, guint32 tid)
{
  NsWinsock *self = builder->winsock;
  guint32 ip = ns_ips_find (self->ips, &tcp->remote->ip);
  guint64 key = ns_ips_key (ip, tcp->remote->port, local_port);
  guint32 node;
  guint i = 0;

  for (node = ns_multi_map_first (self->by_tuple, key, 0);
       node != 0 && i < NS_WINSOCK_MAX_CANDIDATES;
       node = ns_multi_map_next (self->by_tuple, node), i++)
    {
      NsWsRec *rec = ns_winsock_get (builder, ns_multi_map_get (self->by_tuple, node));

      if (!rec->removed && !rec->listening && rec->local->port == local_port &&
          ns_endpoint_equal (rec->remote, tcp->remote) && (rec->tcp == 0 || rec->tcp == tcp->row) &&
          rec->close_ns >= tcp->open_ns &&
          (rec->accepted || tid == NS_PID_UNKNOWN || rec->tid_connect == tid))
        return rec;
    }
  return NULL;
}

/* Returns the newest accepted socket whose accept event had no peer. */
static NsWsRec *
find_plain_accepted (NsWinsock *self, const NsTcpRec *tcp, guint32 tid)
{
  NsWsRec *rec = self->plain_accepted;

  if (rec == NULL || rec->tcp != 0 || rec->close_ns != NS_TIME_OPEN ||
      rec->remote->ip.family != NS_AF_NONE ||
      (rec->local->port != 0 && rec->local->port != tcp->local->port) ||
      ABS (tcp->open_ns - rec->connect_ns) > NS_WINSOCK_ACCEPT_NS ||
      (tid != NS_PID_UNKNOWN && rec->tid_connect != tid))
    return NULL;
  self->plain_accepted = NULL;
  return rec;
}

/**
 * ns_winsock_claim_accepted:
 * @builder: a builder
 * @tcp: an accepted connection
 * @pid: its process, if known
 * @tid: the thread, if reliable
 *
 * Finds the socket of an accepted connection; never the listening one.
 *
 * Returns: (transfer none) (nullable): the socket
 */
NsWsRec *
ns_winsock_claim_accepted (NsBuilder *builder, NsTcpRec *tcp, guint32 pid, guint32 tid)
{
  NsWsRec *rec;

  if (ns_endpoint_is_empty (tcp->remote))
    return NULL;
  rec = find_accepted (builder, tcp, tcp->local->port, tid);
  if (rec == NULL) /* the listener's port is unknown */
    rec = find_accepted (builder, tcp, 0, tid);
  if (rec == NULL)
    rec = find_plain_accepted (builder->winsock, tcp, tid);
  if (rec == NULL)
    return NULL;

  if (rec->pid == NS_PID_UNKNOWN)
    ns_winsock_set_pid (rec, pid, NS_PID_FROM_CONNECTION);
  if (rec->local->port == 0)
    rec->local = tcp->local;
  if (ns_endpoint_is_empty (rec->remote))
    rec->remote = tcp->remote;
  ns_winsock_index (builder->winsock, rec);
  ns_winsock_set_tcp (builder, rec, tcp->row, NS_CONFIDENCE_LIKELY);
  return rec;
}
