/* Bytes sent and received through sockets, streams and datagrams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/winsock/ns-winsock-private.h"
#include "engine/stacks/ns-stack-match.h"

/* Location of a receive that completes asynchronously, on a thread of the network stack. */
#define LOCATION_RECEIVE_ASYNC 4052

static gboolean
is_datagram (const NsWsRec *rec)
{
  return rec->socket_type == NS_SOCK_DGRAM && rec->protocol == NS_IPPROTO_UDP;
}

static void
add_sent (NsBuilder *builder, NsWsRec *rec, guint64 n_bytes, gint64 time_ns)
{
  rec->sent += n_bytes;
  ns_moves_note (builder->trace->moves, NS_TABLE_WINSOCK, rec->index, time_ns, n_bytes, TRUE);
  ns_winsock_note_data (rec, time_ns);
}

/* Notes the datagram that this thread sends, so that the network stack's event finds the socket. */
static void
announce_datagram (NsWinsock *self, NsWsRec *rec, guint32 tid, guint32 n_bytes)
{
  guint32 ip = ns_ips_find (self->ips, &rec->remote->ip);

  rec->tid_connect = tid;
  rec->tx_bytes = n_bytes;
  ns_map_set (self->datagrams,
              (guint64) tid << 32 | n_bytes,
              ns_ips_key (ip, rec->remote->port, 0),
              rec->index);
}

static NsWinsockSend *
pending_of (NsWinsock *self, const NsAfdEvent *event, gboolean add)
{
  guint32 index = ns_map_get (self->sends, event->endpoint, event->buffer);
  NsWinsockSend empty = { 0 };

  if (index != 0)
    return &g_array_index (self->pending, NsWinsockSend, index - 1);
  if (!add)
    return NULL;
  g_array_append_val (self->pending, empty);
  ns_map_set (self->sends, event->endpoint, event->buffer, self->pending->len);
  return &g_array_index (self->pending, NsWinsockSend, self->pending->len - 1);
}

/* Counts the bytes of an operation whose only exits were at repeating locations, as nothing else
 * reports them. */
static void
settle (NsBuilder *builder, NsWinsockSend *send)
{
  if (send->n_unsent == 0)
    return;
  send->rec->sent += send->unsent_bytes;
  ns_moves_note (builder->trace->moves,
                 NS_TABLE_WINSOCK,
                 send->rec->index,
                 send->unsent_ns,
                 send->unsent_bytes,
                 TRUE);
  send->n_entered -= MIN (send->n_entered, send->n_unsent);
  send->n_unsent = 0;
  send->unsent_bytes = 0;
}

/* Counts the operations that are still open when the trace ends. */
void
ns_winsock_end_sends (NsBuilder *builder)
{
  GArray *pending = builder->winsock->pending;
  guint i;

  for (i = 0; i < pending->len; i++)
    settle (builder, &g_array_index (pending, NsWinsockSend, i));
}

/* Keeps the call stack of a stream's first send that has one. */
static void
note_stack (NsBuilder *builder, NsWsRec *rec, const NsRecord *record)
{
  if (rec->send_stack == 0 && !is_datagram (rec))
    rec->send_stack = ns_stack_match_find (builder, record);
}

/* Counts the bytes of an exit: an operation has one enter event, but may have an outer and an
 * inner exit. */
static void
count_exit (NsBuilder *builder, NsWsRec *rec, const NsAfdEvent *event, const NsRecord *record)
{
  NsWinsockSend *send = event->buffer != 0 ? pending_of (builder->winsock, event, FALSE) : NULL;

  if (ns_winsock_locations_is_double (event))
    {
      if (send == NULL || send->n_unsent >= send->n_entered)
        return;
      send->n_unsent++;
      send->unsent_bytes += event->n_bytes;
      send->unsent_ns = record->time_ns;
      send->rec = rec;
      return;
    }
  if (send != NULL && send->n_entered > 0)
    {
      send->n_entered--;
      if (send->n_unsent > 0)
        {
          send->n_unsent--;
          send->unsent_bytes -= MIN (send->unsent_bytes, event->n_bytes);
        }
    }
  else
    note_stack (builder, rec, record); /* the enter event is missing */
  add_sent (builder, rec, event->n_bytes, record->time_ns);
}

/* Returns the newest record, even if closed: bytes may be reported late. */
static NsWsRec *
newest_or_restore (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec = ns_winsock_newest (builder->winsock, event->endpoint, event->process);

  if (rec == NULL)
    return ns_winsock_find_or_restore (builder, event->endpoint, record, event);
  ns_winsock_fill_pid (builder, rec);
  return rec;
}

/* Handles a send without an address. */
void
ns_winsock_handle_send (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWinsock *self = builder->winsock;
  NsWsRec *rec;

  ns_winsock_note_pid (builder, record, event);
  if (!event->is_exit)
    {
      rec = ns_winsock_find (self, event->endpoint, event->process);
      if (rec != NULL && is_datagram (rec) && !ns_endpoint_is_empty (rec->remote))
        announce_datagram (self, rec, record->tid, event->n_bytes);
      else if (rec != NULL)
        note_stack (builder, rec, record);
      if (event->buffer != 0)
        {
          NsWinsockSend *send = pending_of (self, event, TRUE);

          settle (builder, send);
          send->n_entered++;
        }
      return;
    }
  rec = newest_or_restore (builder, record, event);
  count_exit (builder, rec, event, record);
  ns_winsock_note_status (rec, event->status);
}

/* Finds the flow of a received datagram. */
static void
claim_flow (NsBuilder *builder, NsWsRec *rec, guint32 pid, guint32 tid, guint32 n_bytes)
{
  NsTcpRec *flow =
      ns_tcpip_claim_datagram (builder, pid, tid, n_bytes, rec->local->port, rec->remote);

  if (flow == NULL || (rec->tcp != 0 && rec->tcp != flow->row))
    return;
  ns_winsock_set_tcp (builder, rec, flow->row, NS_CONFIDENCE_LIKELY);
  if (rec->pid != NS_PID_UNKNOWN)
    ns_winsock_set_owner (builder, rec->process, rec->pid, rec->open_ns);
  if (rec->local->port == 0)
    {
      rec->local = flow->local;
      ns_winsock_index (builder->winsock, rec);
    }
}

/* Handles a receive without an address, also on a connected datagram socket. */
void
ns_winsock_handle_receive (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec;

  ns_winsock_note_pid (builder, record, event);
  if (!event->is_exit)
    return;
  rec = newest_or_restore (builder, record, event);
  rec->received += event->n_bytes;
  ns_moves_note (builder->trace->moves,
                 NS_TABLE_WINSOCK,
                 rec->index,
                 record->time_ns,
                 event->n_bytes,
                 FALSE);
  ns_winsock_note_data (rec, record->time_ns);
  ns_winsock_note_status (rec, event->status);
  if (is_datagram (rec) && event->n_bytes > 0 && !ns_endpoint_is_empty (rec->remote))
    claim_flow (builder, rec, rec->pid, NS_PID_UNKNOWN, event->n_bytes);
}

static NsWsRec *
restore_datagram (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event, guint32 pid)
{
  NsWsRec *rec =
      ns_winsock_append (builder->winsock, event->endpoint, event->process, record->time_ns);

  rec->restored = TRUE;
  rec->protocol = NS_IPPROTO_UDP;
  rec->socket_type = NS_SOCK_DGRAM;
  if (event->has_address)
    rec->family = event->address.ip.family;
  ns_winsock_set_event_pid (rec, record, pid);
  if (pid == record->pid)
    rec->tid_open = record->tid;
  return rec;
}

/* Handles the enter event of a datagram send. */
void
ns_winsock_handle_send_to (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWinsock *self = builder->winsock;
  guint32 header = record->pid != 0 ? record->pid : NS_PID_UNKNOWN;
  NsWsRec *rec;

  if (event->is_exit)
    {
      rec = ns_winsock_newest (self, event->endpoint, event->process);
      if (rec != NULL)
        ns_winsock_note_status (rec, event->status);
      return;
    }
  ns_winsock_note_pid (builder, record, event);
  rec = ns_winsock_find (self, event->endpoint, event->process);
  if (rec == NULL)
    rec = restore_datagram (builder, record, event, header);
  ns_winsock_fill_pid (builder, rec);
  if (event->has_address)
    rec = ns_winsock_pick_peer (self, rec, &event->address);
  if (rec->pid == NS_PID_UNKNOWN)
    ns_winsock_set_pid (rec, header, NS_PID_FROM_HEADER);
  add_sent (builder, rec, event->n_bytes, record->time_ns);
  announce_datagram (self, rec, record->tid, event->n_bytes);
  ns_winsock_note_status (rec, event->status);
}

/* Handles a received datagram. */
void
ns_winsock_handle_receive_from (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWinsock *self = builder->winsock;
  guint32 pid;
  guint32 tid;
  NsWsRec *rec;

  if (!event->is_exit)
    return;
  if (event->location == LOCATION_RECEIVE_ASYNC)
    {
      pid = ns_winsock_pid_of (builder, record, event);
      tid = record->tid;
    }
  else
    {
      pid = record->pid != 0 ? record->pid : NS_PID_UNKNOWN;
      tid = NS_PID_UNKNOWN;
      ns_winsock_note_pid (builder, record, event);
    }

  rec = ns_winsock_newest (self, event->endpoint, event->process);
  if (rec == NULL)
    rec = restore_datagram (builder, record, event, pid);
  ns_winsock_fill_pid (builder, rec);
  if (event->has_address)
    rec = ns_winsock_pick_peer (self, rec, &event->address);
  if (rec->pid == NS_PID_UNKNOWN)
    ns_winsock_set_event_pid (rec, record, pid);
  rec->received += event->n_bytes;
  ns_moves_note (builder->trace->moves,
                 NS_TABLE_WINSOCK,
                 rec->index,
                 record->time_ns,
                 event->n_bytes,
                 FALSE);
  ns_winsock_note_data (rec, record->time_ns);
  ns_winsock_note_status (rec, event->status);
  if (rec->socket_type != NS_SOCK_RAW && !ns_endpoint_is_empty (rec->remote))
    claim_flow (builder, rec, rec->pid != NS_PID_UNKNOWN ? rec->pid : pid, tid, event->n_bytes);
}
