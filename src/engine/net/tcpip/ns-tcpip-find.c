/* Finds the record of a connection by its keys, for other parts. Kernel addresses and local ports
 * are reused within minutes, so every look-up considers the time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/tcpip/ns-tcpip-private.h"

/**
 * ns_tcpip_get:
 * @builder: a builder
 * @row: 1 … number of records, or 0
 *
 * Returns: (transfer none) (nullable): the record, %NULL for 0
 */
NsTcpRec *
ns_tcpip_get (NsBuilder *builder, NsRow row)
{
  const NsTcpip *self = builder->tcpip;

  return row != 0 && row <= self->n_recs ? ns_tcpip_rec_at (self, row) : NULL;
}

static guint32
pid_of (const NsTcpRec *rec)
{
  return rec->pid != NS_PID_UNKNOWN ? rec->pid : rec->alt_pid;
}

/* Returns the later of close and shutdown. */
static gint64
end_of (const NsTcpRec *rec)
{
  if (rec->close_ns == NS_TIME_OPEN)
    return rec->shutdown_ns != NS_TIME_NONE ? rec->shutdown_ns : NS_TIME_OPEN;
  return MAX (rec->close_ns, rec->shutdown_ns);
}

static gboolean
lives_overlap (const NsTcpRec *rec, gint64 begin_ns, gint64 end_ns)
{
  return rec->open_ns <= end_ns && end_of (rec) >= begin_ns;
}

/* Finds a record with this peer and port whose process is the same, or unknown. */
static NsTcpRec *
find_exact (NsBuilder *builder, const NsTcpWanted *wanted, guint32 ip)
{
  NsTcpip *self = builder->tcpip;
  guint64 key = ns_ips_key (ip, wanted->remote->port, wanted->local_port);
  guint32 node;
  guint i = 0;

  for (node = ns_multi_map_first (self->by_tuple, key, 0); node != 0 && i < NS_TCP_MAX_CANDIDATES;
       node = ns_multi_map_next (self->by_tuple, node), i++)
    {
      NsTcpRec *rec = ns_tcpip_get (builder, ns_multi_map_get (self->by_tuple, node));
      guint32 pid = pid_of (rec);

      if (!rec->is_udp && rec->local->port == wanted->local_port &&
          ns_endpoint_equal (rec->remote, wanted->remote) &&
          (pid == wanted->pid || pid == NS_PID_UNKNOWN || wanted->pid == NS_PID_UNKNOWN) &&
          lives_overlap (rec, wanted->begin_ns, wanted->end_ns))
        return rec;
    }
  return NULL;
}

/* Rates a record of the same process: 3 same thread, 2 same layer, 1 other; 0 does not match. */
static guint
grade (const NsTcpRec *rec, const NsTcpWanted *wanted)
{
  if (rec->is_udp || pid_of (rec) != wanted->pid ||
      (!ns_endpoint_is_empty (rec->remote) && !ns_endpoint_equal (rec->remote, wanted->remote)) ||
      (wanted->local_port != 0 && rec->local->port != 0 &&
       wanted->local_port != rec->local->port) ||
      !lives_overlap (rec, wanted->begin_ns, wanted->end_ns))
    return 0;
  if ((rec->layers & ~(guint32) NS_LAYER_RUNDOWN) == 0 && wanted->tid != NS_PID_UNKNOWN &&
      rec->tid == wanted->tid)
    return 3;
  return (rec->layers & wanted->layer) != 0 ? 2 : 1;
}

static NsTcpRec *
find_best (NsBuilder *builder, const NsTcpWanted *wanted, guint64 key)
{
  NsTcpip *self = builder->tcpip;
  NsTcpRec *best = NULL;
  guint best_grade = 0;
  guint32 node;
  guint i = 0;

  for (node = ns_multi_map_first (self->by_remote, key, wanted->pid);
       node != 0 && i < NS_TCP_MAX_CANDIDATES && best_grade < 3;
       node = ns_multi_map_next (self->by_remote, node), i++)
    {
      NsTcpRec *rec = ns_tcpip_get (builder, ns_multi_map_get (self->by_remote, node));
      guint value = grade (rec, wanted);

      if (value > best_grade)
        {
          best = rec;
          best_grade = value;
        }
    }
  return best;
}

/**
 * ns_tcpip_find:
 * @builder: a builder
 * @wanted: known properties of the connection
 *
 * Finds the TCP connection of a higher layer's request, and marks it as that layer's: by its
 * endpoints; else by process and peer, preferably on the same thread; else one of the process with
 * an unknown peer.
 *
 * Returns: (transfer none) (nullable): the connection
 */
NsTcpRec *
ns_tcpip_find (NsBuilder *builder, const NsTcpWanted *wanted)
{
  static const NsIp nowhere = { NS_AF_NONE, { 0 } };
  NsTcpip *self = builder->tcpip;
  NsTcpRec *rec = NULL;
  guint32 ip = wanted->remote != NULL ? ns_ips_find (self->ips, &wanted->remote->ip) : 0;

  if (wanted->remote == NULL)
    return NULL;
  if (ip != 0 && wanted->local_port != 0)
    rec = find_exact (builder, wanted, ip);
  if (rec == NULL && ip != 0)
    rec = find_best (builder, wanted, ns_ips_key (ip, wanted->remote->port, 0));
  if (rec == NULL && (ip = ns_ips_find (self->ips, &nowhere)) != 0)
    rec = find_best (builder, wanted, ns_ips_key (ip, 0, 0));
  if (rec != NULL)
    rec->layers |= wanted->layer;
  return rec;
}

/**
 * ns_tcpip_find_by_thread:
 * @builder: a builder
 * @pid: process
 * @local_port: local port, not 0
 * @tid: the thread that opened the connection
 *
 * Returns: (transfer none) (nullable): the newest such connection
 */
NsTcpRec *
ns_tcpip_find_by_thread (NsBuilder *builder, guint32 pid, guint16 local_port, guint32 tid)
{
  NsTcpip *self = builder->tcpip;
  guint32 node;
  guint i = 0;

  if (local_port == 0 || tid == NS_PID_UNKNOWN)
    return NULL;
  for (node = ns_multi_map_first (self->by_local, pid, local_port);
       node != 0 && i < NS_TCP_MAX_CANDIDATES;
       node = ns_multi_map_next (self->by_local, node), i++)
    {
      NsTcpRec *rec = ns_tcpip_get (builder, ns_multi_map_get (self->by_local, node));

      if (pid_of (rec) == pid && rec->local->port == local_port && rec->tid == tid)
        return rec;
    }
  return NULL;
}

static gboolean
fits_tuple (const NsTcpRec *rec, gboolean is_udp, const NsEndpoint *local, const NsEndpoint *remote)
{
  return rec->is_udp == is_udp && rec->local->port == local->port &&
         ns_endpoint_equal (rec->remote, remote) &&
         (ns_ip_is_empty (&rec->local->ip) || ns_ip_is_empty (&local->ip) ||
          ns_ip_equal (&rec->local->ip, &local->ip));
}

/**
 * ns_tcpip_find_tuple:
 * @builder: a builder
 * @is_udp: whether to find a datagram flow
 * @local: the local endpoint
 * @remote: the peer
 * @time_ns: a time
 * @slack_ns: maximum distance of the time from its lifetime
 *
 * Returns: (transfer none) (nullable): the newest record with these endpoints that existed then
 */
NsTcpRec *
ns_tcpip_find_tuple (NsBuilder *builder,
                     gboolean is_udp,
                     const NsEndpoint *local,
                     const NsEndpoint *remote,
                     gint64 time_ns,
                     gint64 slack_ns)
{
  NsTcpip *self = builder->tcpip;
  guint32 ip = ns_ips_find (self->ips, &remote->ip);
  guint64 key = ns_ips_key (ip, remote->port, local->port);
  guint32 node;
  guint i = 0;

  for (node = ns_multi_map_first (self->by_tuple, key, 0); node != 0 && i < NS_TCP_MAX_CANDIDATES;
       node = ns_multi_map_next (self->by_tuple, node), i++)
    {
      NsTcpRec *rec = ns_tcpip_get (builder, ns_multi_map_get (self->by_tuple, node));
      gint64 end_ns = end_of (rec);

      if (fits_tuple (rec, is_udp, local, remote) && rec->open_ns - slack_ns <= time_ns &&
          (end_ns == NS_TIME_OPEN || end_ns + slack_ns >= time_ns))
        return rec;
    }
  return NULL;
}

/**
 * ns_tcpip_find_accepted:
 * @builder: a builder
 * @remote: the peer
 * @local_port: port of the listener, 0 if unknown
 * @time_ns: current time
 *
 * Returns: (transfer none) (nullable): the connection accepted just now that has no socket yet
 */
NsTcpRec *
ns_tcpip_find_accepted (NsBuilder *builder,
                        const NsEndpoint *remote,
                        guint16 local_port,
                        gint64 time_ns)
{
  NsTcpip *self = builder->tcpip;
  guint32 ip = ns_ips_find (self->ips, &remote->ip);
  guint64 key = ns_ips_key (ip, remote->port, 0);
  guint32 node;
  guint i = 0;

  for (node = ns_multi_map_first (self->by_remote, key, NS_TCP_ANY_PROCESS);
       node != 0 && i < NS_TCP_MAX_CANDIDATES;
       node = ns_multi_map_next (self->by_remote, node), i++)
    {
      NsTcpRec *rec = ns_tcpip_get (builder, ns_multi_map_get (self->by_remote, node));

      if (rec->accepted && (rec->layers & NS_LAYER_WINSOCK) == 0 &&
          time_ns - rec->open_ns <= NS_PER_SECOND && ns_endpoint_equal (rec->remote, remote) &&
          (local_port == 0 || rec->local->port == local_port))
        return rec;
    }
  return NULL;
}

/**
 * ns_tcpip_note_kernel_retransmits:
 * @builder: a builder
 * @rec: a connection
 * @n_segments: retransmitted segments by the kernel's own events
 * @n_bytes: their bytes
 *
 * Uses these counts if they exceed those of other events.
 */
void
ns_tcpip_note_kernel_retransmits (NsBuilder *builder,
                                  NsTcpRec *rec,
                                  guint64 n_segments,
                                  guint64 n_bytes)
{
  NsTcpMore *more;

  if (n_segments == 0 && n_bytes == 0)
    return;
  more = ns_tcpip_get_more (builder->tcpip, rec);
  more->kernel_retransmits =
      MAX (more->kernel_retransmits, (guint32) MIN (n_segments, G_MAXUINT32));
  more->kernel_retransmitted_bytes = MAX (more->kernel_retransmitted_bytes, n_bytes);
}
