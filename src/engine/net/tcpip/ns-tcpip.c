/* Microsoft-Windows-TCPIP: connections and datagram flows.
 *
 * Process and thread in the header of an event are those that ran when the stack processed it. A
 * field of the event is reliable, the header only where noted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fetch.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/tcpip/ns-tcpip-private.h"

#include "base/ns-pages.h"

#include "engine/net/names/ns-host-names.h"
#include "engine/net/winsock/ns-winsock.h"

/* NTSTATUS codes for closes that only the event ID identifies. */
#define STATUS_IO_TIMEOUT 0xc00000b5u
#define STATUS_CONNECTION_RESET 0xc000020du
#define STATUS_CONNECTION_REFUSED 0xc0000236u

/**
 * ns_tcpip_set_owner: (skip)
 * @builder: the builder, before its first walk
 * @owner: (transfer none): functions of the layer above; must outlive the builder
 */
void
ns_tcpip_set_owner (NsBuilder *builder, const NsTcpOwner *owner)
{
  builder->tcpip->owner = owner;
}

static void
start (NsBuilder *builder)
{
  /* Shared by all records without rare values: index 0. */
  const NsTcpMore none = { .rtt_us = NS_UNKNOWN,
                           .total_sent = NS_UNKNOWN,
                           .total_received = NS_UNKNOWN,
                           .ended_ns = NS_TIME_NONE,
                           .rx_tid = NS_PID_UNKNOWN };
  NsTcpip *self = g_new0 (NsTcpip, 1);

  self->rare_fields = g_array_new (FALSE, FALSE, sizeof (NsTcpMore));
  g_array_append_val (self->rare_fields, none);
  self->chunks = g_ptr_array_new ();
  self->sequences = ns_map_new ();
  self->by_key = ns_map_new ();
  self->peers = ns_map_new ();
  self->anomalies = ns_map_new ();
  self->unsent_of = ns_map_new ();
  self->unsent = g_array_new (FALSE, FALSE, sizeof (NsTcpUnsent));
  self->ends = builder->trace->ends;
  self->ips = ns_ips_new ();
  self->by_tuple = ns_multi_map_new ();
  self->by_remote = ns_multi_map_new ();
  self->by_local = ns_multi_map_new ();
  /* The reference tool knows only the new send event. */
  self->has_new_sends = builder->options.compat_reference;
  self->keeps_thread = builder->options.compat_reference;
  builder->tcpip = self;
}

static void
stop (NsBuilder *builder)
{
  NsTcpip *self = g_steal_pointer (&builder->tcpip);
  guint i;

  ns_tcpip_drop_anomalies (self);
  for (i = 0; i < self->n_recs; i++)
    if (self->chunks->pdata[i >> NS_TCP_CHUNK_BITS] != NULL &&
        !ns_tcpip_rec_at (self, i + 1)->is_udp)
      ns_ranges_clear (&ns_tcpip_rec_at (self, i + 1)->ranges);
  for (i = 0; i < self->chunks->len; i++)
    ns_tcpip_drop_chunk (self, i);
  g_ptr_array_unref (self->chunks);
  g_array_unref (self->rare_fields);
  g_clear_pointer (&self->names, g_array_unref);
  ns_tcpip_drop_lookups (self);
  ns_map_free (self->sequences);
  g_free (self);
}

/* Detects the newer send event: the older one would count the same bytes again. */
static void
scan (NsBuilder *builder, const NsRecord *record)
{
  if (record->id == NS_TCPIP_SEND)
    builder->tcpip->has_new_sends = TRUE;
}

/* Finds the socket and the request of a connection. */
static void
find_owner (NsBuilder *builder, NsTcpRec *rec, guint32 pid, guint32 tid)
{
  NsWsClaim claim = { 0 };
  NsWsRec *socket;
  gboolean is_webio = FALSE;

  claim.remote = rec->remote;
  claim.tcp = rec->row;
  claim.local_port = rec->local->port;
  claim.pid = pid;
  claim.tid = tid;
  socket = ns_winsock_claim (builder, &claim);
  if (socket != NULL && socket->connect_ns != NS_TIME_NONE)
    is_webio = builder->tcpip->owner->by_window (builder,
                                                 rec->row,
                                                 pid,
                                                 socket->tid_connect,
                                                 socket->open_ns,
                                                 socket->connect_ns);
  if (!is_webio)
    is_webio = builder->tcpip->owner->by_address (builder, rec->row, rec->remote, pid, tid);
  if (!is_webio)
    return;
  rec->layers |= NS_LAYER_WINHTTP;
  if (socket != NULL)
    socket->layers |= NS_LAYER_WINHTTP;
}

static void
request_connect (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  guint32 pid = ns_tcpip_known_pid (record->pid);
  NsTcpRec *rec = ns_tcpip_open_rec (self, event->key, FALSE, NS_PID_UNKNOWN);
  gint64 ended_ns = rec != NULL ? ns_tcpip_peek_more (self, rec)->ended_ns : NS_TIME_NONE;

  if (ended_ns != NS_TIME_NONE)
    ns_tcpip_mark_close (self, rec, NS_TCP_CLOSE, NS_PID_UNKNOWN, ended_ns, NULL);
  else if (rec != NULL) /* its close was lost */
    ns_tcpip_mark_close (self, rec, NS_TCP_ABANDON, NS_PID_UNKNOWN, record->time_ns - 1, NULL);
  rec = ns_tcpip_append (self, event->key, FALSE, record->time_ns);
  rec->opened = TRUE;
  ns_tcpip_set_activity_id (self, rec, &record->activity);
  ns_tcpip_mark_open (self, rec, NS_TCP_CONNECT_REQUEST, pid, record->tid, event);
  if (event->has_remote)
    find_owner (builder, rec, pid, record->tid);
}

/* Handles the start of a connect, usually on the thread of the request: a second chance to find
 * the layers above. */
static void
connect_proceeding (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  guint32 field = ns_tcpip_known_pid (event->pid);
  guint32 header = ns_tcpip_known_pid (record->pid);
  NsTcpRec *rec = ns_tcpip_open_rec (builder->tcpip, event->key, FALSE, field);

  if (rec == NULL || !event->has_remote)
    return;
  if (field == NS_PID_UNKNOWN || field == header)
    find_owner (builder, rec, header, record->tid);
  else
    find_owner (builder, rec, field, NS_PID_UNKNOWN);
}

static void
connect_complete (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  guint32 field = ns_tcpip_known_pid (event->pid);
  guint32 header = ns_tcpip_known_pid (record->pid);
  NsTcpRec *rec = ns_tcpip_open_rec (self, event->key, FALSE, field);
  guint32 pid = field;
  guint32 tid = NS_PID_UNKNOWN;

  if (header != NS_PID_UNKNOWN &&
      (field == header || (field == NS_PID_UNKNOWN && rec != NULL && rec->pid == header)))
    {
      pid = header;
      tid = record->tid;
    }
  if (rec != NULL)
    {
      if (rec->opened && record->time_ns > rec->open_ns)
        rec->handshake_us = (guint32) MIN ((record->time_ns - rec->open_ns) / 1000, G_MAXUINT32);
      ns_tcpip_mark_open (self, rec, NS_TCP_CONNECT_COMPLETE, pid, tid, event);
    }
  else
    {
      rec = ns_tcpip_restore (self, event, record->time_ns, pid);
      ns_tcpip_ensure_pid (self, rec, field);
    }
  if (event->has_remote)
    find_owner (builder, rec, pid, NS_PID_UNKNOWN);
}

static void
accept_complete (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  guint32 field = ns_tcpip_known_pid (event->pid);
  NsTcpRec *rec = ns_tcpip_open_rec (self, event->key, FALSE, field);

  if (rec != NULL)
    ns_tcpip_mark_open (self, rec, NS_TCP_INFERRED, field, NS_PID_UNKNOWN, event);
  else
    {
      rec = ns_tcpip_restore (self, event, record->time_ns, field);
      ns_tcpip_ensure_pid (self, rec, field);
      rec->opened = TRUE;
    }
  rec->accepted = TRUE;
  ns_winsock_claim_accepted (builder,
                             rec,
                             field,
                             field == record->pid ? record->tid : NS_PID_UNKNOWN);
}

/* Adds a connection from before the trace; one that began in the trace is unchanged. */
static void
rundown (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  guint32 field = ns_tcpip_known_pid (event->pid);
  NsTcpRec *rec = ns_tcpip_open_rec (self, event->key, FALSE, field);
  gboolean is_new = rec == NULL;
  gboolean began_inside = !is_new && rec->opened;

  if (is_new)
    rec = ns_tcpip_append (self, event->key, FALSE, record->time_ns);
  if (!began_inside || builder->options.compat_reference)
    {
      rec->layers |= NS_LAYER_RUNDOWN;
      rec->before_trace = !began_inside;
    }
  ns_tcpip_mark_open (self,
                      rec,
                      began_inside && !builder->options.compat_reference ? rec->state
                                                                         : NS_TCP_RUNDOWN,
                      field,
                      NS_PID_UNKNOWN,
                      event);
  ns_tcpip_ensure_pid (self, rec, field);
}

static void
close_rec (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  guint32 field = ns_tcpip_known_pid (event->pid);
  gboolean is_shutdown = record->id == NS_TCPIP_SHUTDOWN;
  NsTcpRec *rec = is_shutdown ? ns_tcpip_shut_rec (self, event->key, FALSE, field)
                              : ns_tcpip_open_rec (self, event->key, FALSE, field);
  NsTcpState state = NS_TCP_CLOSE;

  if (rec == NULL)
    return;
  if (is_shutdown)
    state = NS_TCP_SHUTDOWN;
  else if (record->id == NS_TCPIP_CONNECT_FAILURE)
    state = NS_TCP_CONNECT_FAIL;
  /* The status of a shutdown is that of the peer's side, and is nearly always set. */
  if (!is_shutdown && event->status != 0)
    rec->status = event->status;
  if (event->has_local && rec->local->port == 0)
    ns_tcpip_set_local (self, rec, &event->local);
  ns_tcpip_mark_close (self,
                       rec,
                       state,
                       field,
                       record->time_ns,
                       event->has_remote ? &event->remote : NULL);
}

/* Handles events that only report the reason of a close; the close itself is another event. */
static void
note_reason (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpRec *rec = ns_tcpip_newest (builder->tcpip, event->key, FALSE);
  guint32 status = event->status;

  if (rec == NULL)
    return;
  if (rec->close_ns == NS_TIME_OPEN)
    ns_tcpip_mark_open (builder->tcpip,
                        rec,
                        rec->state,
                        ns_tcpip_known_pid (event->pid),
                        NS_PID_UNKNOWN,
                        event);
  if (status == 0)
    switch (record->id)
      {
      case NS_TCPIP_CONNECT_TIMEOUT:
      case NS_TCPIP_RTO_TIMEOUT:
      case NS_TCPIP_KEEPALIVE_TIMEOUT:
      case NS_TCPIP_ZERO_WINDOW_TIMEOUT:
        status = STATUS_IO_TIMEOUT;
        break;
      case NS_TCPIP_CONNECT_RST:
        status = STATUS_CONNECTION_REFUSED;
        break;
      case NS_TCPIP_TERMINATED_RST:
      case NS_TCPIP_TERMINATED_SYN:
        status = STATUS_CONNECTION_RESET;
        break;
      default:
        break;
      }
  if (status != 0 && record->id != NS_TCPIP_ABORT_COMPLETE &&
      record->id != NS_TCPIP_DISCONNECT_COMPLETE)
    rec->status = status;
}

/* Returns the record that data belongs to: the open one, one closed just now, or a new one for a
 * connection whose opening was not recorded. */
static NsTcpRec *
data_rec (NsTcpip *self, const NsRecord *record, const NsTcpipEvent *event, guint32 alt)
{
  NsTcpRec *rec = ns_tcpip_newest (self, event->key, FALSE);

  if (rec == NULL ||
      (rec->close_ns != NS_TIME_OPEN &&
       (rec->shutdown_ns != NS_TIME_NONE || record->time_ns - rec->close_ns > NS_TCP_LATE_NS)))
    return ns_tcpip_restore (self, event, record->time_ns, alt);
  if (rec->alt_pid == NS_PID_UNKNOWN && alt != NS_PID_UNKNOWN)
    {
      rec->alt_pid = alt;
      ns_tcpip_index (self, rec);
    }
  return rec;
}

/* Minimum time without data that is recorded. */
#define NS_TCP_IDLE_NS (10 * NS_PER_SECOND)

/* Records the longest time without data before a send. The sends and retransmissions that follow
 * come after shorter times and do not replace it. */
static void
note_idle (NsTcpip *self, NsTcpRec *rec, gint64 time_ns)
{
  gint64 idle_ns;

  if (rec->last_data_ns == NS_TIME_NONE || time_ns - rec->last_data_ns < NS_TCP_IDLE_NS)
    return;
  idle_ns = time_ns - rec->last_data_ns;
  if (idle_ns <= ns_tcpip_peek_more (self, rec)->idle_ns)
    return;
  ns_tcpip_get_more (self, rec)->idle_ns = idle_ns;
  ns_tcpip_get_more (self, rec)->resumed_ns = time_ns;
}

static void
note_data_time (NsTcpRec *rec, gint64 time_ns)
{
  if (rec->first_data_ns == NS_TIME_NONE)
    rec->first_data_ns = time_ns;
  rec->last_data_ns = time_ns;
}

/* Stores a sequence number, to match the connection with its packets; one suffices. */
static void
note_sequence (NsBuilder *builder, const NsTcpRec *rec, guint32 sequence)
{
  NsTcpip *self = builder->tcpip;

  if (builder->trace->packets->len > 0 && ns_map_get (self->sequences, rec->row, 0) == 0)
    ns_map_set (self->sequences, rec->row, 0, sequence);
}

/**
 * ns_tcpip_get_sequence: (skip)
 * @builder: the builder
 * @tcp: row of a connection
 * @sequence: (out): a sequence number that it began with or sent
 *
 * Returns: whether an event recorded one while packets were captured
 */
gboolean
ns_tcpip_get_sequence (const NsBuilder *builder, NsRow tcp, guint32 *sequence)
{
  *sequence = ns_map_get (builder->tcpip->sequences, tcp, 0);
  return *sequence != 0;
}

static void
data_sent (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  NsTcpRec *rec;
  guint32 n_new = event->n_bytes;

  if (event->n_bytes == 0 || (record->id == NS_TCPIP_SEND_OLD && self->has_new_sends))
    return;
  rec = data_rec (self, record, event, NS_PID_UNKNOWN);
  if (event->has_remote || event->has_local)
    ns_tcpip_mark_open (self, rec, rec->state, NS_PID_UNKNOWN, NS_PID_UNKNOWN, event);
  if (event->has_sequence)
    note_sequence (builder, rec, event->sequence);
  if (event->has_sequence && !builder->options.compat_reference)
    n_new = ns_ranges_add (&rec->ranges, event->sequence, event->n_bytes);
  if (n_new < event->n_bytes)
    {
      NsTcpMore *more = ns_tcpip_get_more (self, rec);

      more->retransmits++;
      more->retransmitted_bytes += event->n_bytes - n_new;
    }
  if (n_new == 0 && event->n_bytes >= NS_TCP_FULL_BYTES && event->n_bytes >= rec->full_bytes)
    ns_tcpip_note_full_again (builder, rec, record->time_ns, event->sequence);
  else if (rec->more != 0)
    ns_tcpip_note_smaller (builder, rec, event, n_new == 0);
  rec->full_bytes = MAX (rec->full_bytes, MIN (event->n_bytes, NS_TCP_MAX_BYTES));
  rec->sent += n_new;
  rec->n_sends++;
  ns_tcpip_note_flight (builder, rec, record->time_ns, event);
  ns_moves_note (builder->trace->moves, NS_TABLE_TCP, rec->row, record->time_ns, n_new, TRUE);
  ns_tcpip_note_sent (builder, rec, record->time_ns, n_new);
  if (n_new > 0)
    note_idle (self, rec, record->time_ns);
  rec->is_unanswered = TRUE;
  note_data_time (rec, record->time_ns);
}

static void
data_received (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpRec *rec;

  if (event->n_bytes == 0)
    return;
  rec = data_rec (builder->tcpip, record, event, NS_PID_UNKNOWN);
  rec->received += event->n_bytes;
  ns_moves_note (builder->trace->moves,
                 NS_TABLE_TCP,
                 rec->row,
                 record->time_ns,
                 event->n_bytes,
                 FALSE);
  rec->is_unanswered = FALSE;
  if (rec->more != 0)
    {
      ns_tcpip_get_more (builder->tcpip, rec)->idle_ns = 0;
      ns_tcpip_note_heard (builder, rec, record->time_ns);
    }
  note_data_time (rec, record->time_ns);
}

/* Handles a send or receive requested on the program's own thread. */
static void
data_requested (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  guint32 pid = ns_tcpip_known_pid (record->pid);
  guint32 tx_bytes = record->id == NS_TCPIP_SEND_POSTED ? event->n_bytes : 0;
  NsTcpRec *rec;

  if (event->n_bytes == 0)
    return;
  rec = data_rec (builder->tcpip, record, event, pid);
  rec->posted += tx_bytes;
  rec->is_unanswered |= tx_bytes > 0;
  if (tx_bytes > 0)
    ns_tcpip_note_posted (builder->tcpip, rec, record->time_ns, tx_bytes);

  /* Once the request is known, only the sizes of sends matter, and only if WebIO does not record
   * them (old versions). */
  if (rec->link_tried && (tx_bytes == 0 || builder->tcpip->owner->has_send_counts (builder)))
    return;
  if (builder->tcpip->owner
          ->ensure (builder, pid, record->tid, rec->row, record->time_ns, tx_bytes))
    {
      rec->link_tried = TRUE;
      rec->layers |= NS_LAYER_WINHTTP;
    }
}

static void
connect_with_name (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  guint32 pid = record->pid > 4 ? record->pid : NS_PID_UNKNOWN;
  NsTcpRec *rec = ns_tcpip_open_rec (self, event->key, FALSE, pid);
  NsNameLookup lookup = { 0 };

  lookup.query = ns_strings_add_utf16 (builder->trace->strings, event->name, event->name_bytes);
  lookup.has_status = TRUE;
  lookup.source = NS_DNS_FROM_TCPIP;
  lookup.pid = pid;
  lookup.tid = record->tid;
  lookup.activity_id = record->activity;
  lookup.open_ns = lookup.close_ns = record->time_ns;
  lookup.ips = &event->remote.ip;
  lookup.n_ips = event->has_remote ? 1 : 0;
  ns_host_names_add_lookup (builder, &lookup);

  if (rec == NULL)
    {
      NsTcpipEvent ends = *event;

      ends.has_local = FALSE;
      rec = ns_tcpip_restore (self, &ends, record->time_ns, pid);
    }
  if (event->has_remote)
    {
      NsEndpoint remote = *rec->remote;

      remote.port = event->remote.port;
      ns_tcpip_set_remote (self, rec, &remote);
      ns_tcpip_index (self, rec);
    }
}

static void
summary (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpRec *rec = ns_tcpip_newest (builder->tcpip, event->key, FALSE);
  NsTcpMore *more;

  if (rec == NULL)
    rec = ns_tcpip_restore (builder->tcpip, event, record->time_ns, NS_PID_UNKNOWN);
  rec->has_summary = TRUE;
  more = ns_tcpip_get_more (builder->tcpip, rec);
  more->total_sent = (gint64) MIN (event->total_sent, G_MAXINT64);
  more->total_received = (gint64) MIN (event->total_received, G_MAXINT64);
  more->n_segments = event->n_segments;
  more->total_again = event->retransmitted_bytes;
  more->syn_retransmits = MAX (more->syn_retransmits, event->syn_retransmits);
  if (event->rtt_us != 0)
    more->rtt_us = event->rtt_us;
  ns_tcpip_note_limits (builder, rec, event);
  if (rec->opened)
    more->retransmitted_bytes = MAX (more->retransmitted_bytes, event->retransmitted_bytes);
}

/* Handles small events of an open connection. */
static void
note_progress (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpip *self = builder->tcpip;
  NsTcpRec *rec = ns_tcpip_open_rec (self, event->key, FALSE, NS_PID_UNKNOWN);
  guint32 sent_to;

  if (rec == NULL)
    return;
  switch (record->id)
    {
    case NS_TCPIP_SYN_SEND:
      if (event->has_sequence)
        note_sequence (builder, rec, event->sequence);
      break;
    case NS_TCPIP_SYN_RETRANSMIT:
      ns_tcpip_get_more (self, rec)->syn_retransmits++;
      break;
    case NS_TCPIP_DATA_RETRANSMIT:
      ns_tcpip_get_more (self, rec)->data_retransmits++;
      break;
    case NS_TCPIP_RETRANSMIT_ROUND:
    case NS_TCPIP_RETRANSMIT_ROUND_OLD:
      ns_tcpip_get_more (self, rec)->retransmit_rounds++;
      if (event->has_unacknowledged && rec->full_bytes >= NS_TCP_FULL_BYTES &&
          ns_ranges_get_end (&rec->ranges, &sent_to) &&
          (gint32) (sent_to - event->unacknowledged) >=
              (gint32) MIN (rec->full_bytes, NS_TCP_USUAL_BYTES))
        ns_tcpip_note_full_again (builder, rec, record->time_ns, event->unacknowledged);
      break;
    case NS_TCPIP_STATE_CHANGE:
      if (event->state == 0)
        ns_tcpip_get_more (self, rec)->ended_ns = record->time_ns;
      break;
    case NS_TCPIP_INSPECT_CONNECT_COMPLETE:
      if (record->pid > 4 && record->pid != NS_PID_UNKNOWN && !rec->pid_sure &&
          (rec->pid == NS_PID_UNKNOWN || rec->pid == 4))
        {
          NsTcpipEvent nothing = { 0 };

          ns_tcpip_mark_open (self, rec, rec->state, record->pid, record->tid, &nothing);
        }
      break;
    default:
      break;
    }
}

typedef void (*Handler) (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event);

static Handler
handler_of (guint16 id)
{
  switch (id)
    {
    case NS_TCPIP_REQUEST_CONNECT:
      return request_connect;
    case NS_TCPIP_CONNECT_PROCEEDING:
      return connect_proceeding;
    case NS_TCPIP_CONNECT_COMPLETE:
      return connect_complete;
    case NS_TCPIP_ACCEPT_COMPLETE:
      return accept_complete;
    case NS_TCPIP_RUNDOWN:
      return rundown;
    case NS_TCPIP_CONNECT_FAILURE:
    case NS_TCPIP_CLOSE:
    case NS_TCPIP_SHUTDOWN:
      return close_rec;
    case NS_TCPIP_SEND:
    case NS_TCPIP_SEND_OLD:
      return data_sent;
    case NS_TCPIP_RECEIVE:
      return data_received;
    case NS_TCPIP_SEND_POSTED:
    case NS_TCPIP_RECEIVE_REQUEST:
      return data_requested;
    case NS_TCPIP_INSPECT_WITH_NAME:
      return connect_with_name;
    case NS_TCPIP_SUMMARY:
    case NS_TCPIP_SUMMARY_OLD:
      return summary;
    case NS_TCPIP_UDP_SEND:
    case NS_TCPIP_UDP_RECEIVE:
      return ns_tcpip_handle_datagram;
    case NS_TCPIP_UDP_CLOSE:
      return ns_tcpip_handle_udp_close;
    case NS_TCPIP_SYN_SEND:
    case NS_TCPIP_SYN_RETRANSMIT:
    case NS_TCPIP_DATA_RETRANSMIT:
    case NS_TCPIP_RETRANSMIT_ROUND:
    case NS_TCPIP_RETRANSMIT_ROUND_OLD:
    case NS_TCPIP_STATE_CHANGE:
    case NS_TCPIP_INSPECT_CONNECT_COMPLETE:
      return note_progress;
    case NS_TCPIP_ZERO_WINDOW:
    case NS_TCPIP_ZERO_WINDOW_END:
    case NS_TCPIP_BLACK_HOLE:
    case NS_TCPIP_BLACK_HOLE_EXIT:
    case NS_TCPIP_BLACK_HOLE_FAILED:
    case NS_TCPIP_SEND_TRANSMITTED:
      return ns_tcpip_handle_anomaly;
    default:
      return note_reason;
    }
}

static gsize
read_event (const NsRecord *record, gpointer room)
{
  G_STATIC_ASSERT (sizeof (NsTcpipEvent) <= NS_RECORD_TAP_BYTES);

  return ns_tcpip_event_read (record, room) ? sizeof (NsTcpipEvent) : 0;
}

static void
handle (NsBuilder *builder, const NsRecord *record)
{
  if (record->made != NULL)
    handler_of (record->id) (builder, record, record->made);
}

/* Prefetches the index entries of a new connection, and those for the look-up of its socket. */
static void
expect_request (const NsTcpip *self, const NsRecord *record, const NsTcpipEvent *event)
{
  guint32 pid = ns_tcpip_known_pid (record->pid);
  guint32 ip = ns_ips_find (self->ips, &event->remote.ip);
  guint64 remote;

  if (ip == 0)
    return;
  remote = ns_ips_key (ip, event->remote.port, 0);
  ns_multi_map_expect (self->by_tuple, ns_ips_key (ip, event->remote.port, event->local.port), 0);
  ns_multi_map_expect (self->by_remote, remote, NS_TCP_ANY_PROCESS);
  ns_multi_map_expect (self->by_remote, remote, pid);
  ns_multi_map_expect (self->by_local, pid, event->local.port);
}

static inline gboolean
claims_above (guint16 id)
{
  return id == NS_TCPIP_REQUEST_CONNECT || id == NS_TCPIP_CONNECT_PROCEEDING ||
         id == NS_TCPIP_CONNECT_COMPLETE;
}

static inline gboolean
is_of_udp (guint16 id)
{
  return id == NS_TCPIP_UDP_SEND || id == NS_TCPIP_UDP_RECEIVE || id == NS_TCPIP_UDP_CLOSE;
}

static void
fetch_connection (const NsTcpip *self, const NsRecord *record, const NsTcpipEvent *event)
{
  NsRow row = ns_map_get (self->by_key, event->key, is_of_udp (record->id));

  if (row == 0)
    return;
  ns_fetch (ns_tcpip_rec_at (self, row), sizeof (NsTcpRec));
  if (record->id == NS_TCPIP_SEND || record->id == NS_TCPIP_SEND_POSTED)
    ns_map_expect (self->unsent_of, row, 0);
}

static void
look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsTcpip *self = builder->tcpip;
  const NsTcpipEvent *event = record->made;

  if (event == NULL)
    return;
  if (!is_near)
    {
      ns_map_expect (self->by_key, event->key, is_of_udp (record->id));
      if (!claims_above (record->id))
        return;
      ns_ips_expect (self->ips, &event->remote.ip);
      ns_winsock_expect_claim (builder, &event->remote, event->local.port, FALSE);
      if (record->id == NS_TCPIP_REQUEST_CONNECT)
        {
          ns_endpoint_pool_expect (self->ends, &event->local);
          ns_endpoint_pool_expect (self->ends, &event->remote);
        }
      return;
    }
  if (record->id == NS_TCPIP_REQUEST_CONNECT)
    expect_request (self, record, event);
  else
    fetch_connection (self, record, event);
  if (claims_above (record->id))
    ns_winsock_expect_claim (builder, &event->remote, event->local.port, TRUE);
}

static const NsProviderOps ops[] = {
  { NS_GUID_TCPIP, NULL, handle, look_ahead, scan, read_event },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (tcp, NsTcpRow, NULL),
  NS_PART_TABLE (tcp_anomalies, NsTcpAnomaly, NULL),
};

const NsPart ns_tcpip_part = {
  .name = "tcpip",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .number = ns_tcpip_name_recs,
  .write = ns_tcpip_write_rows,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
