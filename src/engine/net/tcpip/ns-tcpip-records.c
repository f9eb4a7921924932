/* Lifetimes of TCP and UDP records: creation, updates, shutdown, close, and look-up by key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/tcpip/ns-tcpip-private.h"

#include "base/ns-pages.h"

/* Maximum number of older records with the key that a shutdown searches for its connection. */
#define NS_TCP_MAX_REUSES 8

/* Adds a record with its key only. */
NsTcpRec *
ns_tcpip_append (NsTcpip *self, guint64 key, gboolean is_udp, gint64 time_ns)
{
  NsTcpRec *rec;

  if (self->n_recs % NS_TCP_CHUNK_SIZE == 0)
    g_ptr_array_add (self->chunks, ns_pages_new (NS_TCP_CHUNK_BYTES));
  rec = ns_tcpip_rec_at (self, ++self->n_recs);
  rec->row = self->n_recs;
  rec->key = key;
  rec->is_udp = is_udp;
  rec->pid = rec->alt_pid = rec->tid = NS_PID_UNKNOWN;
  rec->remote = rec->local = &ns_endpoint_pool_none;
  rec->open_ns = time_ns;
  rec->close_ns = NS_TIME_OPEN;
  rec->shutdown_ns = NS_TIME_NONE;
  rec->first_data_ns = rec->last_data_ns = NS_TIME_NONE;
  rec->older = ns_map_swap (self->by_key, key, is_udp, rec->row);
  return rec;
}

/* Returns the rare values of a record for writing. */
NsTcpMore *
ns_tcpip_get_more (NsTcpip *self, NsTcpRec *rec)
{
  if (rec->more == 0)
    {
      NsTcpMore more = *ns_tcpip_peek_more (self, rec);

      rec->more = self->rare_fields->len;
      g_array_append_val (self->rare_fields, more);
    }
  return &g_array_index (self->rare_fields, NsTcpMore, rec->more);
}

void
ns_tcpip_set_activity_id (NsTcpip *self, NsTcpRec *rec, const NsGuid *activity_id)
{
  if (!ns_guid_is_zero (activity_id))
    ns_tcpip_get_more (self, rec)->activity_id = *activity_id;
}

/* Indexes a record by its known properties. Older index entries of it remain, so searches must
 * check again. */
void
ns_tcpip_index (NsTcpip *self, NsTcpRec *rec)
{
  guint32 pid = rec->pid != NS_PID_UNKNOWN ? rec->pid : rec->alt_pid;
  guint64 tuple;
  guint64 remote;
  guint32 ends;
  guint32 ip;
  gboolean is_new;

  if (rec->is_indexed && !rec->has_new_ends && pid == rec->indexed_pid)
    return;
  ip = ns_ips_add (self->ips, &rec->remote->ip);
  tuple = ns_ips_key (ip, rec->remote->port, rec->local->port);
  remote = ns_ips_key (ip, rec->remote->port, 0);
  ends = ns_ips_fold (tuple);
  is_new = !rec->is_indexed || ends != rec->indexed_ends;
  if (is_new)
    {
      ns_multi_map_add (self->by_tuple, tuple, 0, rec->row);
      ns_multi_map_add (self->by_remote, remote, NS_TCP_ANY_PROCESS, rec->row);
    }
  if (is_new || pid != rec->indexed_pid)
    {
      ns_multi_map_add (self->by_remote, remote, pid, rec->row);
      ns_multi_map_add (self->by_local, pid, rec->local->port, rec->row);
    }
  rec->is_indexed = TRUE;
  rec->has_new_ends = FALSE;
  rec->indexed_ends = ends;
  rec->indexed_pid = pid;
}

/* Returns the newest record of a key, open or closed. */
NsTcpRec *
ns_tcpip_newest (NsTcpip *self, guint64 key, gboolean is_udp)
{
  NsRow row = ns_map_get (self->by_key, key, is_udp);

  return row != 0 ? ns_tcpip_rec_at (self, row) : NULL;
}

/* Sets the process from an event's own field. */
void
ns_tcpip_ensure_pid (NsTcpip *self, NsTcpRec *rec, guint32 pid)
{
  if (pid == NS_PID_UNKNOWN)
    return;
  if (rec->pid != pid && rec->pid != NS_PID_UNKNOWN && !self->keeps_thread)
    rec->tid = NS_PID_UNKNOWN; /* a thread of the wrong process */
  rec->pid = pid;
  rec->pid_sure = TRUE;
  ns_tcpip_index (self, rec);
}

/* Returns the newest record of a key, unless it is closed. */
NsTcpRec *
ns_tcpip_open_rec (NsTcpip *self, guint64 key, gboolean is_udp, guint32 sure_pid)
{
  NsTcpRec *rec = ns_tcpip_newest (self, key, is_udp);

  if (rec == NULL || rec->close_ns != NS_TIME_OPEN)
    return NULL;
  ns_tcpip_ensure_pid (self, rec, sure_pid);
  return rec;
}

/* Returns the newest record of a key and process that is not shut down; it may be closed, as
 * shutdown and close come in either order. */
NsTcpRec *
ns_tcpip_shut_rec (NsTcpip *self, guint64 key, gboolean is_udp, guint32 sure_pid)
{
  NsTcpRec *rec = ns_tcpip_newest (self, key, is_udp);
  guint i;

  for (i = 0; rec != NULL && i < NS_TCP_MAX_REUSES; i++)
    {
      if (sure_pid == NS_PID_UNKNOWN || !rec->pid_sure || rec->pid == sure_pid)
        break;
      rec = rec->older != 0 ? ns_tcpip_rec_at (self, rec->older) : NULL;
    }
  if (rec == NULL || i == NS_TCP_MAX_REUSES || rec->shutdown_ns != NS_TIME_NONE)
    return NULL;
  ns_tcpip_ensure_pid (self, rec, sure_pid);
  return rec;
}

/* Sets what an event of an open connection reports. */
void
ns_tcpip_mark_open (NsTcpip *self,
                    NsTcpRec *rec,
                    NsTcpState state,
                    guint32 pid,
                    guint32 tid,
                    const NsTcpipEvent *event)
{
  rec->state = state;
  if (pid != NS_PID_UNKNOWN)
    {
      if (rec->pid == NS_PID_UNKNOWN)
        rec->pid = pid;
      else if (rec->pid != pid && !rec->pid_sure)
        {
          rec->pid = pid;
          if (!self->keeps_thread)
            rec->tid = NS_PID_UNKNOWN;
        }
      if (rec->tid == NS_PID_UNKNOWN && rec->pid == pid)
        rec->tid = tid;
    }
  if (event->has_local && rec->local->port == 0)
    ns_tcpip_set_local (self, rec, &event->local);
  if (event->has_remote && ns_endpoint_is_empty (rec->remote))
    ns_tcpip_set_remote (self, rec, &event->remote);
  ns_tcpip_index (self, rec);
}

/* Closes a record, or shuts it down; @remote (nullable) fills in a missing peer. */
void
ns_tcpip_mark_close (NsTcpip *self,
                     NsTcpRec *rec,
                     NsTcpState state,
                     guint32 pid,
                     gint64 time_ns,
                     const NsEndpoint *remote)
{
  if (remote != NULL && ns_endpoint_is_empty (rec->remote))
    ns_tcpip_set_remote (self, rec, remote);
  if (rec->pid == NS_PID_UNKNOWN)
    rec->pid = pid != NS_PID_UNKNOWN ? pid : rec->alt_pid;
  rec->state = MAX (rec->state, state);
  time_ns = MAX (time_ns, rec->open_ns);
  if (state == NS_TCP_SHUTDOWN)
    rec->shutdown_ns = time_ns;
  else
    rec->close_ns = time_ns;
  ns_tcpip_index (self, rec);
}

/* Adds a record whose opening was not recorded. */
NsTcpRec *
ns_tcpip_restore (NsTcpip *self, const NsTcpipEvent *event, gint64 time_ns, guint32 alt)
{
  NsTcpRec *rec = ns_tcpip_append (self, event->key, FALSE, time_ns);

  rec->alt_pid = alt;
  ns_tcpip_mark_open (self, rec, NS_TCP_INFERRED, NS_PID_UNKNOWN, NS_PID_UNKNOWN, event);
  return rec;
}
