/* Lifetimes of socket records, and the process ID of a kernel process object.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/winsock/ns-winsock-private.h"

#include "base/ns-pages.h"

/* Maximum number of uses of one process object searched. */
#define NS_WINSOCK_MAX_OWNERS 64

static guint64
peer_key (guint32 ip, guint16 port)
{
  return ns_ips_key (ip, port, 0);
}

/* Adds a record with its kernel addresses only. */
NsWsRec *
ns_winsock_append (NsWinsock *self, guint64 endpoint, guint64 process, gint64 time_ns)
{
  NsWsRec *rec;

  if (self->n_recs % NS_WINSOCK_CHUNK_SIZE == 0)
    g_ptr_array_add (self->chunks, ns_pages_new (NS_WINSOCK_CHUNK_BYTES));
  rec = ns_winsock_rec_at (self, ++self->n_recs);
  rec->index = self->n_recs;
  rec->chain = rec->index;
  rec->endpoint = endpoint;
  rec->process = process;
  rec->pid = rec->tid_open = rec->tid_connect = rec->tid_close = NS_PID_UNKNOWN;
  rec->family = NS_AF_INET;
  rec->protocol = NS_IPPROTO_TCP;
  rec->socket_type = NS_SOCK_STREAM;
  rec->remote = rec->local = &ns_endpoint_pool_none;
  rec->open_ns = time_ns;
  rec->connect_ns = NS_TIME_NONE;
  rec->close_ns = NS_TIME_OPEN;
  rec->first_data_ns = rec->last_data_ns = NS_TIME_NONE;
  rec->layers = NS_LAYER_WINSOCK;
  ns_map_set (self->by_endpoint, endpoint, 0, rec->index);
  return rec;
}

/* Indexes a peer; the only peer of a socket, the usual case, needs no map. */
static void
enter_peer (NsWinsock *self, const NsWsRec *rec, guint32 ip)
{
  if (rec->has_peers && !ns_endpoint_is_empty (rec->remote))
    ns_map_set (self->peers, rec->endpoint, peer_key (ip, rec->remote->port), rec->index);
}

/* Indexes a record by its known endpoints; older index entries of it remain, so searches must check
 * again. */
void
ns_winsock_index (NsWinsock *self, NsWsRec *rec)
{
  guint32 ip = ns_ips_add (self->ips, &rec->remote->ip);
  guint64 tuple = ns_ips_key (ip, rec->remote->port, rec->local->port);
  guint32 ends = ns_ips_fold (tuple);

  if (ends == rec->indexed_ends)
    return;
  rec->indexed_ends = ends;
  ns_multi_map_add (self->by_tuple, tuple, 0, rec->index);
  enter_peer (self, rec, ip);
}

/* Returns the newest record of a socket, open or closed, if it belongs to this process. */
NsWsRec *
ns_winsock_newest (NsWinsock *self, guint64 endpoint, guint64 process)
{
  guint32 index = ns_map_get (self->by_endpoint, endpoint, 0);
  NsWsRec *rec = index != 0 ? ns_winsock_rec_at (self, index) : NULL;

  return rec != NULL && rec->process == process ? rec : NULL;
}

/* Returns the newest record of a socket if it is open and belongs to this process. */
NsWsRec *
ns_winsock_find (NsWinsock *self, guint64 endpoint, guint64 process)
{
  NsWsRec *rec = ns_winsock_newest (self, endpoint, process);

  return rec != NULL && rec->close_ns == NS_TIME_OPEN ? rec : NULL;
}

/* Returns the open record of a socket; added if its creation was not recorded. */
NsWsRec *
ns_winsock_find_or_restore (NsBuilder *builder,
                            guint64 endpoint,
                            const NsRecord *record,
                            const NsAfdEvent *event)
{
  NsWsRec *rec = ns_winsock_find (builder->winsock, endpoint, event->process);

  if (rec != NULL)
    {
      ns_winsock_fill_pid (builder, rec);
      return rec;
    }
  rec = ns_winsock_append (builder->winsock, endpoint, event->process, record->time_ns);
  rec->restored = TRUE;
  ns_winsock_set_event_pid (rec, record, ns_winsock_pid_of (builder, record, event));
  if (rec->pid == record->pid)
    {
      rec->tid_open = record->tid;
      ns_map_set (builder->winsock->by_opener, record->tid, 0, rec->index);
    }
  return rec;
}

static NsWsRec *
find_peer (NsWinsock *self, NsWsRec *head, const NsEndpoint *remote)
{
  guint32 ip;
  guint32 index;
  NsWsRec *rec;

  if (!head->has_peers)
    return ns_endpoint_equal (head->remote, remote) ? head : NULL;
  ip = ns_ips_find (self->ips, &remote->ip);
  index = ns_map_get (self->peers, head->endpoint, peer_key (ip, remote->port));
  rec = index != 0 ? ns_winsock_rec_at (self, index) : NULL;
  return rec != NULL && rec->chain == head->chain && ns_endpoint_equal (rec->remote, remote) ? rec
                                                                                             : NULL;
}

/* Adds a peer to the socket: a copy of the newest record with zeroed counters. */
static NsWsRec *
clone_for_peer (NsWinsock *self, NsWsRec *head, const NsEndpoint *remote)
{
  NsWsRec *rec = ns_winsock_append (self, head->endpoint, head->process, head->open_ns);
  guint32 index = rec->index;

  if (!head->has_peers)
    {
      head->has_peers = TRUE;
      enter_peer (self, head, ns_ips_find (self->ips, &head->remote->ip));
    }
  *rec = *head;
  rec->index = index;
  rec->next = head->index;
  rec->remote = ns_endpoint_pool_add (self->ends, remote);
  rec->sent = rec->received = 0;
  rec->first_data_ns = rec->last_data_ns = NS_TIME_NONE;
  rec->status = 0;
  rec->tx_bytes = 0;
  rec->tcp = 0;
  rec->tcp_confidence = NS_CONFIDENCE_NAME;
  rec->indexed_ends = 0;
  ns_winsock_index (self, rec);
  return rec;
}

/* Returns the record of the socket's exchange with this peer. */
NsWsRec *
ns_winsock_pick_peer (NsWinsock *self, NsWsRec *rec, const NsEndpoint *remote)
{
  NsWsRec *found;

  if (rec->remote->ip.family == NS_AF_NONE)
    {
      rec->remote = ns_endpoint_pool_add (self->ends, remote);
      ns_winsock_index (self, rec);
      return rec;
    }
  found = find_peer (self, rec, remote);
  return found != NULL ? found : clone_for_peer (self, rec, remote);
}

/* Returns whether the owner was alive at a time: process objects are reused after the process
 * ends. */
static gboolean
lived_at (NsBuilder *builder, const NsWinsockOwner *owner, gint64 time_ns)
{
  NsRow row = ns_trace_recent_process (&builder->winsock->recent,
                                       builder->trace,
                                       owner->pid,
                                       owner->from_ns);
  const NsProcessRow *process;

  if (row == 0)
    return TRUE;
  process = NS_ROW_AT (builder->trace->processes, NsProcessRow, row);
  if (time_ns < owner->from_ns)
    return process->before_trace || process->start_ns <= time_ns;
  return !ns_time_is_set (process->end_ns) || process->end_ns >= time_ns;
}

/**
 * ns_winsock_find_pid:
 * @builder: a builder
 * @process: address of a kernel process object
 * @time_ns: a time
 *
 * Returns: its process, or %NS_PID_UNKNOWN
 */
guint32
ns_winsock_find_pid (NsBuilder *builder, guint64 process, gint64 time_ns)
{
  NsWinsock *self = builder->winsock;
  guint32 pid = NS_PID_UNKNOWN;
  guint32 node;
  guint i = 0;

  for (node = ns_multi_map_first (self->owners, process, 0); node != 0 && i < NS_WINSOCK_MAX_OWNERS;
       node = ns_multi_map_next (self->owners, node), i++)
    {
      const NsWinsockOwner *owner = &g_array_index (self->all_owners,
                                                    NsWinsockOwner,
                                                    ns_multi_map_get (self->owners, node) - 1);

      if (owner->from_ns <= time_ns)
        return lived_at (builder, owner, time_ns) ? owner->pid : pid;
      if (lived_at (builder, owner, time_ns))
        pid = owner->pid;
    }
  return pid;
}

/* Sets the process of a process object from now on. */
void
ns_winsock_set_owner (NsBuilder *builder, guint64 process, guint32 pid, gint64 time_ns)
{
  NsWinsock *self = builder->winsock;
  NsWinsockOwner owner = { pid, time_ns };

  if (pid == 0 || pid == NS_PID_UNKNOWN || ns_winsock_find_pid (builder, process, time_ns) == pid)
    return;
  g_array_append_val (self->all_owners, owner);
  ns_multi_map_add (self->owners, process, 0, self->all_owners->len);
}

/* Notes the process of an event whose header is reliable. */
void
ns_winsock_note_pid (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  if (ns_winsock_locations_is_reliable (builder->winsock->locations, record, event) &&
      ns_winsock_find_pid (builder, event->process, record->time_ns) == NS_PID_UNKNOWN)
    ns_winsock_set_owner (builder, event->process, record->pid, record->time_ns);
}

/* Returns the process of an event, if known. */
guint32
ns_winsock_pid_of (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  ns_winsock_note_pid (builder, record, event);
  return ns_winsock_find_pid (builder, event->process, record->time_ns);
}

/* Sets the process of a socket, and its source. */
void
ns_winsock_set_pid (NsWsRec *rec, guint32 pid, NsPidSource source)
{
  rec->pid = pid;
  rec->pid_source = pid == NS_PID_UNKNOWN ? NS_PID_FROM_NOTHING : source;
}

/* Sets the process from an event's header or, if that differs, from its process object. */
void
ns_winsock_set_event_pid (NsWsRec *rec, const NsRecord *record, guint32 pid)
{
  ns_winsock_set_pid (rec, pid, pid == record->pid ? NS_PID_FROM_HEADER : NS_PID_FROM_SOCKET);
}

/* Sets the process of a record that has become known meanwhile. */
void
ns_winsock_fill_pid (NsBuilder *builder, NsWsRec *rec)
{
  if (rec->pid == NS_PID_UNKNOWN)
    ns_winsock_set_pid (rec,
                        ns_winsock_find_pid (builder, rec->process, rec->open_ns),
                        NS_PID_FROM_SOCKET);
}
