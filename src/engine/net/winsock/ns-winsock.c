/* Microsoft-Windows-Winsock-AFD: sockets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fetch.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/winsock/ns-winsock-private.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"

#include "base/ns-pages.h"

static void
start (NsBuilder *builder)
{
  NsWinsock *self = g_new0 (NsWinsock, 1);

  self->chunks = g_ptr_array_new ();
  self->locations = ns_winsock_locations_new ();
  self->by_endpoint = ns_map_new ();
  self->peers = ns_map_new ();
  self->by_tcp = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->activity_ids = g_array_new (FALSE, FALSE, sizeof (NsGuid));
  self->by_opener = ns_map_new ();
  self->sends = ns_map_new ();
  self->pending = g_array_new (FALSE, FALSE, sizeof (NsWinsockSend));
  self->datagrams = ns_map_new ();
  self->ends = builder->trace->ends;
  self->ips = ns_ips_new ();
  self->by_tuple = ns_multi_map_new ();
  self->owners = ns_multi_map_new ();
  self->all_owners = g_array_new (FALSE, FALSE, sizeof (NsWinsockOwner));
  builder->winsock = self;
}

/* Frees the maps that only events need. */
static void
drop_working_state (NsWinsock *self)
{
  g_clear_pointer (&self->by_endpoint, ns_map_free);
  g_clear_pointer (&self->by_opener, ns_map_free);
  g_clear_pointer (&self->sends, ns_map_free);
  g_clear_pointer (&self->pending, g_array_unref);
  g_clear_pointer (&self->datagrams, ns_map_free);
}

static void
drop_chunk (NsWinsock *self, guint chunk)
{
  ns_pages_free (g_steal_pointer (&self->chunks->pdata[chunk]), NS_WINSOCK_CHUNK_BYTES);
}

/* Frees the indexes that upper layers use to find records. */
static void
drop_lookups (NsWinsock *self)
{
  drop_working_state (self);
  g_clear_pointer (&self->peers, ns_map_free);
  g_clear_pointer (&self->ips, ns_ips_free);
  g_clear_pointer (&self->by_tuple, ns_multi_map_free);
}

static void
stop (NsBuilder *builder)
{
  NsWinsock *self = builder->winsock;

  guint i;

  drop_lookups (self);
  for (i = 0; i < self->chunks->len; i++)
    drop_chunk (self, i);
  g_ptr_array_unref (self->chunks);
  g_clear_pointer (&self->names, g_array_unref);
  g_free (self->rows);
  ns_winsock_locations_free (self->locations);
  g_array_unref (self->by_tcp);
  g_array_unref (self->activity_ids);
  ns_multi_map_free (self->owners);
  g_array_unref (self->all_owners);
  g_clear_pointer (&builder->winsock, g_free);
}

static void
scan (NsBuilder *builder, const NsRecord *record)
{
  NsAfdEvent event;

  if (ns_afd_event_read (record, &event))
    ns_winsock_locations_sample (builder->winsock->locations, record, &event);
}

static void
scanned (NsBuilder *builder)
{
  ns_winsock_locations_learn (builder->winsock->locations);
}

/* Resolves IPPROTO_IP, which means the default protocol of the socket type. */
static guint32
protocol_of (const NsAfdEvent *event)
{
  if (event->protocol != 0 || (event->family != NS_AF_INET && event->family != NS_AF_INET6))
    return event->protocol;
  if (event->socket_type == NS_SOCK_STREAM)
    return NS_IPPROTO_TCP;
  return event->socket_type == NS_SOCK_DGRAM ? NS_IPPROTO_UDP : 0;
}

static void
create (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWinsock *self = builder->winsock;
  guint32 pid = event->pid != 0 ? event->pid : record->pid;
  NsWsRec *rec;

  if (event->is_exit)
    return;
  ns_winsock_set_owner (builder, event->process, pid, record->time_ns);
  if ((gint32) event->status < 0)
    return;
  rec = ns_winsock_append (self, event->endpoint, event->process, record->time_ns);
  ns_winsock_set_pid (rec,
                      pid != 0 ? pid : NS_PID_UNKNOWN,
                      event->pid != 0 ? NS_PID_FROM_PAYLOAD : NS_PID_FROM_HEADER);
  rec->tid_open = record->tid;
  if (!ns_guid_is_zero (&record->activity))
    {
      g_array_append_val (self->activity_ids, record->activity);
      rec->activity_id = self->activity_ids->len;
    }
  rec->family = event->family;
  rec->socket_type = event->socket_type;
  rec->protocol = protocol_of (event);
  rec->stack = ns_stack_match_find (builder, record);
  rec->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_map_set (self->by_opener, record->tid, 0, rec->index);
}

static void
close_rec (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec;

  if (!event->is_exit)
    return;
  ns_winsock_note_pid (builder, record, event);
  rec = ns_winsock_find (builder->winsock, event->endpoint, event->process);
  for (; rec != NULL; rec = ns_winsock_get (builder, rec->next))
    {
      ns_winsock_fill_pid (builder, rec);
      rec->close_ns = record->time_ns;
      rec->tid_close = record->tid;
      rec->removed = ns_endpoint_is_empty (rec->remote) && rec->local->port == 0 &&
                     rec->sent + rec->received == 0;
    }
}

static void
bind_to (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec;

  ns_winsock_note_pid (builder, record, event);
  rec = ns_winsock_find_or_restore (builder, event->endpoint, record, event);
  rec->tid_connect = record->tid;
  if (rec->local->port == 0 && event->has_address && event->address.port != 0)
    {
      rec->local = ns_endpoint_pool_add (builder->trace->ends, &event->address);
      ns_winsock_index (builder->winsock, rec);
    }
  ns_winsock_note_status (rec, event->status);
}

static void
connect_to (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec;

  ns_winsock_note_pid (builder, record, event);
  rec = ns_winsock_find_or_restore (builder, event->endpoint, record, event);
  if (event->is_exit)
    {
      ns_winsock_note_status (rec, event->status);
      return;
    }
  rec->connect_ns = record->time_ns;
  rec->tid_connect = record->tid;
  rec->connect_ex = record->id == NS_AFD_CONNECT_EX_ADDRESS;
  rec->remote = ns_endpoint_pool_add (builder->trace->ends, &event->address);
  if (rec->restored && event->has_address)
    rec->family = event->address.ip.family;
  ns_winsock_index (builder->winsock, rec);
  ns_winsock_note_status (rec, event->status);
}

/* Handles the end of a connect, which has no address. */
static void
connected (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec = ns_winsock_find (builder->winsock, event->endpoint, event->process);

  ns_winsock_note_pid (builder, record, event);
  if (rec == NULL || !event->is_exit)
    return;
  ns_winsock_note_status (rec, event->status);
}

/* Handles an accepted connection; its own create event may have come before. */
static void
accept_from (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWinsock *self = builder->winsock;
  NsWsRec *listener;
  NsWsRec *rec;
  NsTcpRec *tcp;

  if (!event->is_exit || event->accept_endpoint == 0)
    return;
  ns_winsock_note_pid (builder, record, event);
  listener = ns_winsock_find (self, event->endpoint, event->process);
  rec = ns_winsock_find_or_restore (builder, event->accept_endpoint, record, event);
  if (listener != NULL)
    {
      listener->listening = TRUE;
      rec->local = listener->local;
    }
  rec->accepted = TRUE;
  rec->connect_ns = record->time_ns;
  rec->remote = ns_endpoint_pool_add (builder->trace->ends, &event->address);
  rec->tid_connect = record->tid;
  ns_winsock_note_status (rec, event->status);
  ns_winsock_index (self, rec);

  tcp = ns_tcpip_find_accepted (builder, rec->remote, rec->local->port, record->time_ns);
  if (tcp != NULL)
    ns_winsock_claim_accepted (builder, tcp, rec->pid, record->tid);
}

/* Handles an accept without a peer address. */
static void
accept_plain (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec = ns_winsock_find (builder->winsock, event->endpoint, event->process);

  if (rec == NULL || rec->listening || !event->is_exit || event->status != 0 ||
      rec->remote->ip.family != NS_AF_NONE)
    return;
  rec->accepted = TRUE;
  rec->connect_ns = record->time_ns;
  rec->tid_connect = record->tid;
  builder->winsock->plain_accepted = rec;
}

/* Handles other events of an open socket. */
static void
note (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event)
{
  NsWsRec *rec = ns_winsock_find (builder->winsock, event->endpoint, event->process);

  ns_winsock_note_pid (builder, record, event);
  if (rec == NULL)
    return;
  if (record->id == NS_AFD_LISTEN && (gint32) event->status >= 0)
    rec->listening = TRUE;
}

typedef void (*Handler) (NsBuilder *builder, const NsRecord *record, const NsAfdEvent *event);

static Handler
handler_of (guint16 id)
{
  switch (id)
    {
    case NS_AFD_CREATE:
      return create;
    case NS_AFD_CLOSE:
      return close_rec;
    case NS_AFD_BIND_ADDRESS:
      return bind_to;
    case NS_AFD_CONNECT_ADDRESS:
    case NS_AFD_CONNECT_EX_ADDRESS:
      return connect_to;
    case NS_AFD_CONNECT:
    case NS_AFD_CONNECT_EX:
      return connected;
    case NS_AFD_ACCEPT_ADDRESS:
    case NS_AFD_ACCEPT_EX_ADDRESS:
      return accept_from;
    case NS_AFD_ACCEPT:
    case NS_AFD_ACCEPT_EX:
      return accept_plain;
    case NS_AFD_SEND:
      return ns_winsock_handle_send;
    case NS_AFD_RECEIVE:
      return ns_winsock_handle_receive;
    case NS_AFD_SEND_TO:
    case NS_AFD_SEND_MESSAGE:
    case NS_AFD_SEND_TO_ADDRESS:
    case NS_AFD_SEND_MESSAGE_ADDRESS:
      return ns_winsock_handle_send_to;
    case NS_AFD_RECEIVE_FROM:
    case NS_AFD_RECEIVE_MESSAGE:
    case NS_AFD_RECEIVE_FROM_ADDRESS:
    case NS_AFD_RECEIVE_MESSAGE_ADDRESS:
      return ns_winsock_handle_receive_from;
    case NS_AFD_ABORT:
    case NS_AFD_DATAGRAM_DROP:
    case NS_AFD_LISTEN:
      return note;
    default:
      return NULL;
    }
}

static gsize
read_event (const NsRecord *record, gpointer room)
{
  G_STATIC_ASSERT (sizeof (NsAfdEvent) <= NS_RECORD_TAP_BYTES);

  return handler_of (record->id) != NULL && ns_afd_event_read (record, room) ? sizeof (NsAfdEvent)
                                                                             : 0;
}

static gboolean
has_stack (const NsRecord *record)
{
  return record->id == NS_AFD_CREATE || record->id == NS_AFD_SEND;
}

static void
handle (NsBuilder *builder, const NsRecord *record)
{
  if (record->made != NULL)
    handler_of (record->id) (builder, record, record->made);
}

/* Number of records that prefetching is ahead. */
#define AHEAD 12

static void
fill_row (NsBuilder *builder, const NsWsRec *rec, NsWinsockRow *row)
{
  const NsPeerName *name = &g_array_index (builder->winsock->names, NsPeerName, rec->row - 1);
  const GArray *connections = builder->trace->tcp;
  const NsTcpRow *tcp = rec->tcp != 0 && rec->tcp <= connections->len
                            ? NS_ROW_AT (connections, NsTcpRow, rec->tcp)
                            : NULL;

  row->endpoint = rec->endpoint;
  row->process_object = rec->process;
  row->pid = rec->pid;
  row->pid_source = rec->pid_source;
  row->tid_open = rec->tid_open;
  row->tid_connect = rec->tid_connect;
  row->tid_close = rec->tid_close;
  row->family = rec->family;
  row->protocol = rec->protocol;
  row->socket_type = rec->socket_type;
  row->remote = rec->remote;
  row->local = rec->local;
  row->sent = rec->sent;
  row->received = rec->received;
  row->open_ns = rec->open_ns;
  if (rec->activity_id != 0)
    row->activity_id = ns_trace_keep_guid (builder->trace,
                                           &g_array_index (builder->winsock->activity_ids,
                                                           NsGuid,
                                                           rec->activity_id - 1));
  row->connect_ns = rec->connect_ns;
  row->close_ns = rec->close_ns;
  row->first_data_ns = rec->first_data_ns;
  row->last_data_ns = rec->last_data_ns;
  row->status = rec->status;
  row->layers = (NsLayerSet) rec->layers;
  row->accepted = rec->accepted;
  row->connect_ex = rec->connect_ex;
  row->listening = rec->listening;
  row->next_peer = rec->next != 0;
  row->tcp = rec->tcp;
  row->stack = rec->stack;
  row->send_stack = rec->send_stack;
  row->link = rec->link;
  row->tcp_confidence = rec->tcp_confidence;
  if (tcp != NULL && ns_ip_is_empty (&row->local->ip) && row->local->port == tcp->local->port)
    row->local = tcp->local;
  /* The driver only reports "pending"; the connection has the final status. */
  if (row->status == 0 && tcp != NULL && tcp->state == NS_TCP_CONNECT_FAIL &&
      !builder->options.compat_reference)
    row->status = tcp->status;
  row->server = name->server;
  row->server_alt = name->alt;
  row->dns = name->dns;
  row->name_inferred = name->inferred;
}

static gboolean
has_row (const NsWsRec *rec)
{
  return !rec->removed && !ns_endpoint_is_empty (rec->remote);
}

/* Assigns row numbers to sockets with a peer, and looks up the peers' names: upper layers need
 * the numbers for their own rows, and still claim sockets afterwards. */
static void
number_rows (NsBuilder *builder)
{
  NsWinsock *self = builder->winsock;
  NsRow n_rows = 0;
  guint32 i;

  ns_winsock_end_sends (builder);
  drop_working_state (self);
  self->names = g_array_new (FALSE, FALSE, sizeof (NsPeerName));
  for (i = 1; i <= self->n_recs; i++)
    {
      NsWsRec *rec = ns_winsock_rec_at (self, i);

      if (i + AHEAD <= self->n_recs)
        ns_fetch (ns_winsock_rec_at (self, i + AHEAD)->remote, sizeof (NsEndpoint));
      rec->row = 0;
      if (!has_row (rec))
        continue;
      ns_winsock_fill_pid (builder, rec);
      ns_host_names_note_peer (builder,
                               self->names,
                               rec->pid,
                               &rec->remote->ip,
                               rec->connect_ns != NS_TIME_NONE ? rec->connect_ns : rec->open_ns);
      rec->row = ++n_rows;
      ns_moves_set_row (builder->trace->moves, NS_TABLE_WINSOCK, rec->index, rec->row);
      if (rec->link != 0)
        ns_tasks_use_link (builder, rec->link);
    }
  ns_host_names_end_peers (builder, self->names);
}

/**
 * ns_winsock_write_rows:
 * @builder: a builder whose table of connections is complete
 *
 * Writes the rows of sockets. Records are freed as rows are written, so that a large trace never
 * holds both; rows are still found by their connection.
 */
void
ns_winsock_write_rows (NsBuilder *builder)
{
  NsWinsock *self = builder->winsock;
  guint i;

  drop_lookups (self);
  self->rows = g_new (NsRow, self->n_recs);
  self->n_rows = self->n_recs;
  for (i = 0; i < self->n_recs; i++)
    {
      const NsWsRec *rec = ns_winsock_rec_at (self, i + 1);
      NsWinsockRow row = { 0 };

      self->rows[i] = rec->row;
      if (rec->row != 0)
        {
          fill_row (builder, rec, &row);
          g_array_append_val (builder->trace->winsock, row);
        }
      if ((i + 1) % NS_WINSOCK_CHUNK_SIZE == 0)
        drop_chunk (self, i >> NS_WINSOCK_CHUNK_BITS);
    }
  g_clear_pointer (&self->names, g_array_unref);
}

/* Prefetches for a connect: the socket is new, so its record is still in the CPU caches. */
static void
expect_connect (const NsWinsock *self, const NsAfdEvent *event, guint32 index)
{
  guint32 ip = ns_ips_find (self->ips, &event->address.ip);

  if (ip != 0)
    ns_multi_map_expect (self->by_tuple,
                         ns_ips_key (ip,
                                     event->address.port,
                                     ns_winsock_rec_at (self, index)->local->port),
                         0);
}

static void
look_near (const NsWinsock *self, const NsRecord *record, const NsAfdEvent *event)
{
  static const NsIp nowhere = { NS_AF_NONE, { 0 } };
  guint32 index;

  if (record->id == NS_AFD_CREATE)
    return;
  index = ns_map_get (self->by_endpoint, event->endpoint, 0);
  if (index == 0)
    return;
  ns_fetch (ns_winsock_rec_at (self, index), sizeof (NsWsRec));
  if (record->id == NS_AFD_CONNECT_ADDRESS || record->id == NS_AFD_CONNECT_EX_ADDRESS)
    expect_connect (self, event, index);
  else if (record->id == NS_AFD_BIND_ADDRESS)
    ns_multi_map_expect (self->by_tuple,
                         ns_ips_key (ns_ips_find (self->ips, &nowhere), 0, event->address.port),
                         0);
}

static void
look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsWinsock *self = builder->winsock;
  const NsAfdEvent *event = record->made;

  if (event == NULL)
    return;
  if (is_near)
    {
      look_near (self, record, event);
      return;
    }
  ns_map_expect (self->by_endpoint, event->endpoint, 0);
  if (record->id == NS_AFD_CONNECT_ADDRESS || record->id == NS_AFD_CONNECT_EX_ADDRESS)
    {
      ns_ips_expect (self->ips, &event->address.ip);
      ns_endpoint_pool_expect (self->ends, &event->address);
    }
  else if (record->id == NS_AFD_BIND_ADDRESS)
    ns_endpoint_pool_expect (self->ends, &event->address);
}

/**
 * ns_winsock_expect_claim:
 * @builder: a builder
 * @remote: peer of a connection whose socket will be claimed
 * @local_port: its local port
 * @is_near: whether the claim is near; else it is some time away
 *
 * Prefetches what ns_winsock_claim() will need.
 */
void
ns_winsock_expect_claim (const NsBuilder *builder,
                         const NsEndpoint *remote,
                         guint16 local_port,
                         gboolean is_near)
{
  const NsWinsock *self = builder->winsock;
  guint32 ip;

  if (!is_near)
    {
      ns_ips_expect (self->ips, &remote->ip);
      return;
    }
  ip = ns_ips_find (self->ips, &remote->ip);
  if (ip == 0)
    return;
  ns_multi_map_expect (self->by_tuple, ns_ips_key (ip, remote->port, local_port), 0);
  ns_multi_map_expect (self->by_tuple, ns_ips_key (ip, remote->port, 0), 0);
}

static const NsProviderOps ops[] = {
  { NS_GUID_WINSOCK_AFD, scan, handle, look_ahead, NULL, read_event, has_stack },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (winsock, NsWinsockRow, NULL),
};

const NsPart ns_winsock_part = {
  .name = "winsock",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .learned = scanned,
  .number = number_rows,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
