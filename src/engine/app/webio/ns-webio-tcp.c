/* Finds the WebIO request that a TCP connection belongs to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/webio/ns-webio-state.h"

#include "engine/net/tcpip/ns-tcpip.h"

static NsWebioSocket *
nth_socket (const NsWebio *self, guint32 index)
{
  return index != 0 ? self->sockets->pdata[index - 1] : NULL;
}

static NsWebioSocket *
socket_of_tcp (const NsWebio *self, NsRow tcp)
{
  return tcp != 0 ? nth_socket (self, ns_webio_socket_of_tcp (self, tcp)) : NULL;
}

/* Returns whether both remote endpoints can be the same, as far as known. */
static gboolean
ends_agree (const NsEndpoint *socket, const NsEndpoint *remote)
{
  NsIp left = ns_ip_unmapped (&socket->ip);
  NsIp right = ns_ip_unmapped (&remote->ip);

  if (ns_endpoint_is_empty (socket) || ns_endpoint_is_empty (remote))
    return TRUE;
  return socket->port == remote->port && (ns_ip_is_empty (&left) || ns_ip_equal (&left, &right));
}

/* Links a connection with the newest socket of the process that the same thread started in that
 * time, both ends included, and that has no other connection. */
static gboolean
by_window (NsBuilder *builder, NsRow tcp, guint32 pid, guint32 tid, gint64 begin_ns, gint64 end_ns)
{
  NsWebio *self = builder->webio;
  const NsTcpRec *rec = ns_tcpip_get (builder, tcp);
  NsWebioSocket *socket;
  guint i;

  if (socket_of_tcp (self, tcp) != NULL)
    return TRUE;
  if (rec == NULL || tid == NS_PID_UNKNOWN)
    return FALSE;
  socket = nth_socket (self, ns_map_get (self->socket_by_thread, pid, tid));
  for (i = 0; socket != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, socket = socket->older)
    {
      if (socket->start_ns < begin_ns)
        break;
      if (socket->start_ns > end_ns || socket->tcp != 0)
        continue;
      ns_webio_tie (builder,
                    socket,
                    tcp,
                    ends_agree (socket->remote, rec->remote) ? NS_CONFIDENCE_LIKELY
                                                             : NS_CONFIDENCE_INFERRED);
      return TRUE;
    }
  return FALSE;
}

/* Links a connection with the newest socket of the process that is connecting on the thread to
 * that address; without a thread, only with a socket that is linked already. */
static gboolean
by_address (NsBuilder *builder, NsRow tcp, const NsEndpoint *remote, guint32 pid, guint32 tid)
{
  NsWebio *self = builder->webio;
  NsWebioSocket *newer = NULL;
  NsWebioSocket *socket;
  guint i;

  if (socket_of_tcp (self, tcp) != NULL)
    return TRUE;
  if (tid == NS_PID_UNKNOWN || remote == NULL)
    return FALSE;
  socket = nth_socket (self, ns_map_get (self->socket_by_thread, pid, tid));
  for (i = 0; socket != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, socket = socket->older_free)
    {
      gboolean is_free = socket->tcp == 0 && socket->stop_ns == NS_TIME_OPEN;

      if (is_free && !ns_endpoint_is_empty (socket->remote) && ends_agree (socket->remote, remote))
        {
          ns_webio_tie (builder, socket, tcp, NS_CONFIDENCE_LIKELY);
          return TRUE;
        }
      /* A socket that is not free never becomes free again: the next search skips it. */
      if (newer != NULL && !is_free)
        newer->older_free = socket->older_free;
      else
        newer = socket;
    }
  return FALSE;
}

/* Returns the connection on this socket that is sending on this thread. */
static NsWebioLink *
sender_on (const NsWebio *self, const NsWebioSocket *socket, guint32 pid, guint32 tid)
{
  guint32 number = ns_map_get (self->tx_by_thread, pid, tid);
  NsWebioLink *link = number != 0 ? self->links->pdata[number - 1] : NULL;

  return link != NULL && link->socket == socket && link->tid_tx == tid ? link : NULL;
}

/* Returns a connection that has just begun to send or receive on this thread and whose socket is
 * not claimed: a likely match. */
static NsWebioLink *
find_adjacent (const NsWebio *self,
               const NsTcpRec *rec,
               guint32 pid,
               guint32 tid,
               gint64 time_ns,
               gboolean sends)
{
  const NsMap *map = sends ? self->tx_by_thread : self->rx_by_thread;
  guint32 number = ns_map_get (map, pid, tid);
  NsWebioLink *link = number != 0 ? self->links->pdata[number - 1] : NULL;
  gint64 start_ns;

  if (link == NULL || link->gone || !ns_webio_link_is_live (link) || link->socket->tcp != 0)
    return NULL;
  start_ns = sends ? link->tx_ns : link->rx_ns;
  if ((sends ? link->tid_tx : link->tid_rx) != tid || start_ns == NS_TIME_NONE ||
      time_ns - start_ns > NS_WEBIO_MAX_ADJACENT_NS || link->request->close_ns < time_ns)
    return NULL;
  return ends_agree (link->socket->remote, rec->remote) ? link : NULL;
}

/* Links a connection with the WebIO connection that is sending or receiving on this thread.
 * Stores the bytes posted (0 for a receive) for Windows versions whose WebIO does not count
 * them, and the address of a connection from before the trace. */
static gboolean
ensure (NsBuilder *builder, guint32 pid, guint32 tid, NsRow tcp, gint64 time_ns, guint64 tx_bytes)
{
  NsWebio *self = builder->webio;
  const NsTcpRec *rec = ns_tcpip_get (builder, tcp);
  NsWebioSocket *socket = socket_of_tcp (self, tcp);
  NsWebioLink *link;

  if (rec == NULL)
    return FALSE;
  if (socket == NULL)
    {
      link = find_adjacent (self, rec, pid, tid, time_ns, tx_bytes != 0);
      if (link == NULL)
        return FALSE;
      socket = link->socket;
      ns_webio_tie (builder,
                    socket,
                    tcp,
                    ns_endpoint_is_empty (socket->remote) ? NS_CONFIDENCE_INFERRED
                                                          : NS_CONFIDENCE_LIKELY);
    }
  if (tx_bytes != 0 && !self->has_send_counts)
    {
      link = sender_on (self, socket, pid, tid);
      if (link != NULL)
        link->tx_from_tcp += tx_bytes;
    }
  return TRUE;
}

/* Returns whether this version of WebIO records the bytes of each send. */
static gboolean
has_send_counts (const NsBuilder *builder)
{
  return builder->webio->has_send_counts;
}

const NsTcpOwner ns_webio_tcp_owner = {
  .by_window = by_window,
  .by_address = by_address,
  .ensure = ensure,
  .has_send_counts = has_send_counts,
};
