/* The rows of the TCP table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-pages.h"
#include "engine/net/tcpip/ns-tcpip-private.h"

#include "base/ns-arena.h"
#include "base/ns-fetch.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/net/winsock/ns-winsock.h"

#include <string.h>

/* Number of records that prefetching is ahead. */
#define AHEAD 12

/* Returns how the process of a connection was found. */
static NsPidSource
pid_source_of (const NsTcpRec *rec, const NsTcpRow *row)
{
  if (row->pid == NS_PID_UNKNOWN)
    return NS_PID_FROM_NOTHING;
  if (rec->pid_sure)
    return NS_PID_FROM_PAYLOAD;
  return rec->pid_source != 0 ? (NsPidSource) rec->pid_source : NS_PID_FROM_HEADER;
}

/* Sets values that upper layers may change until all rows are written. A connection from before
 * the trace without data and user process stays unclaimed, and so gets no row in the master
 * table. */
static void
fill_claims (NsBuilder *builder, const NsTcpRec *rec, NsTcpRow *row)
{
  const NsWsRec *socket;
  gboolean is_nobodys;

  row->pid = rec->pid != NS_PID_UNKNOWN ? rec->pid : rec->alt_pid;
  row->pid_source = pid_source_of (rec, row);
  row->tid = rec->tid;
  socket = row->tid == NS_PID_UNKNOWN ? ns_winsock_find_by_tcp (builder, rec->row) : NULL;
  if (socket != NULL && socket->pid == row->pid && !socket->accepted)
    row->tid = socket->tid_open;
  row->owner = (NsLayerSet) rec->layers;
  is_nobodys = row->pid == NS_PID_UNKNOWN || row->pid <= 4;
  if (rec->layers > NS_LAYER_RUNDOWN || !is_nobodys || row->posted + row->sent + row->received > 0)
    row->owner |= rec->is_udp ? NS_LAYER_UDP : NS_LAYER_TCP;
}

/* Minimum number of sends for a high send rate to be an issue. */
#define MANY_SENDS 50

/* Sets byte counts. The stack's own totals are exact, but include the time before the trace. */
static void
fill_bytes (NsBuilder *builder, const NsTcpRec *rec, NsTcpRow *row)
{
  const NsTcpip *self = builder->tcpip;
  const NsTcpMore *more = ns_tcpip_peek_more (self, rec);
  /* Several events may report the same segment, so each count is a lower bound. */
  guint64 n_again =
      (guint64) MAX (MAX (more->retransmits, more->data_retransmits), more->retransmit_rounds) +
      more->syn_retransmits;
  gboolean is_exact = rec->has_summary && rec->opened && !rec->before_trace;
  NsTcpExtra extra = ns_tcp_extra_none;

  row->posted = rec->posted;
  row->sent = is_exact ? (guint64) more->total_sent : rec->sent;
  row->received = is_exact ? (guint64) more->total_received : rec->received;
  row->extra = &ns_tcp_extra_none;
  if (rec->more == 0 && rec->n_sends < MANY_SENDS)
    return;
  extra.n_sends = rec->n_sends >= MANY_SENDS ? rec->n_sends : 0;
  extra.rtt_us = (gint32) MIN (more->rtt_us, G_MAXINT32);
  extra.total_sent = is_exact ? NS_UNKNOWN : more->total_sent;
  extra.total_received = is_exact ? NS_UNKNOWN : more->total_received;
  n_again = MAX (n_again, more->kernel_retransmits);
  extra.retransmits = (guint32) MIN (n_again, G_MAXUINT32);
  extra.syn_retransmits = more->syn_retransmits;
  extra.idle_ns = more->idle_ns;
  extra.resumed_ns = more->idle_ns != 0 ? more->resumed_ns : 0;
  extra.retransmitted_bytes = MAX (more->retransmitted_bytes, more->kernel_retransmitted_bytes);
  extra.total_again = more->total_again;
  if (memcmp (&extra, &ns_tcp_extra_none, sizeof extra) == 0)
    return;
  extra.n_segments = more->n_segments;
  extra.n_sends = rec->n_sends;
  extra.handshake_us = rec->handshake_us;
  row->extra = ns_arena_dup (builder->trace->arena, &extra, sizeof extra);
}

/* Sets begin and end. A datagram flow has no close event: unless its endpoint was closed, it
 * lasts from its first to its last datagram. */
static void
set_span (const NsBuilder *builder, const NsTcpRec *rec, NsTcpRow *row)
{
  row->open_ns = rec->open_ns;
  row->close_ns = rec->close_ns;
  if (!rec->is_udp || rec->close_ns != NS_TIME_OPEN || builder->options.compat_reference ||
      !ns_time_is_set (rec->last_data_ns))
    return;
  row->close_ns = rec->last_data_ns;
  if (rec->next != 0)
    row->open_ns = rec->first_data_ns;
}

static void
fill_row (NsBuilder *builder, const NsTcpRec *rec, NsTcpRow *row)
{
  const NsTcpMore *more = ns_tcpip_peek_more (builder->tcpip, rec);
  const NsPeerName *name = &g_array_index (builder->tcpip->names, NsPeerName, rec->row - 1);

  row->tcb = rec->key;
  row->is_udp = rec->is_udp;
  row->state = (guint8) rec->state;
  row->remote = rec->remote;
  row->local = rec->local;
  set_span (builder, rec, row);
  row->activity_id = ns_trace_keep_guid (builder->trace, &more->activity_id);
  row->shutdown_ns = rec->shutdown_ns;
  row->first_data_ns = rec->first_data_ns;
  row->last_data_ns = rec->last_data_ns;
  row->status = rec->status;
  row->inferred = !rec->is_udp && !rec->opened && !rec->before_trace;
  row->before_trace = rec->before_trace;
  row->accepted = rec->accepted;
  fill_bytes (builder, rec, row);
  fill_claims (builder, rec, row);
  row->server = name->server;
  row->server_alt = name->alt;
  row->dns = name->dns;
  row->name_inferred = name->inferred;
}

/* Closes records that are still open, and looks up the names of their peers. */
void
ns_tcpip_name_recs (NsBuilder *builder)
{
  NsTcpip *self = builder->tcpip;
  NsRow row;

  g_clear_pointer (&self->by_key, ns_map_free);
  g_clear_pointer (&self->peers, ns_map_free);
  self->names = g_array_sized_new (FALSE, FALSE, sizeof (NsPeerName), self->n_recs);
  for (row = 1; row <= self->n_recs; row++)
    {
      NsTcpRec *rec = ns_tcpip_rec_at (self, row);
      guint32 pid = rec->pid != NS_PID_UNKNOWN ? rec->pid : rec->alt_pid;
      gint64 ended_ns = ns_tcpip_peek_more (self, rec)->ended_ns;

      if (row + AHEAD <= self->n_recs)
        ns_fetch (ns_tcpip_rec_at (self, row + AHEAD)->remote, sizeof (NsEndpoint));
      if (rec->close_ns == NS_TIME_OPEN && ended_ns != NS_TIME_NONE)
        ns_tcpip_mark_close (self, rec, NS_TCP_CLOSE, NS_PID_UNKNOWN, ended_ns, NULL);
      ns_host_names_note_peer (builder, self->names, pid, &rec->remote->ip, rec->open_ns);
      if (!rec->is_udp)
        ns_ranges_clear (&rec->ranges);
    }
  ns_host_names_end_peers (builder, self->names);
  ns_tcpip_finish_anomalies (builder);
}

/* Writes one row per record, in order, after the upper layers have claimed theirs. Records are
 * freed as rows are written, so that a large trace never holds both. */
void
ns_tcpip_write_rows (NsBuilder *builder)
{
  NsTcpip *self = builder->tcpip;
  GArray *rows = builder->trace->tcp;
  guint i;

  ns_tcpip_drop_lookups (self);
  for (i = 0; i < self->n_recs; i++)
    {
      NsTcpRow row = { 0 };

      fill_row (builder, ns_tcpip_rec_at (self, i + 1), &row);
      g_array_append_val (rows, row);
      if ((i + 1) % NS_TCP_CHUNK_SIZE == 0)
        ns_tcpip_drop_chunk (self, i >> NS_TCP_CHUNK_BITS);
    }
  g_clear_pointer (&self->names, g_array_unref);
  ns_winsock_write_rows (builder);
}

/* Frees the indexes of connections: there are no look-ups once the rows are written. */
void
ns_tcpip_drop_lookups (NsTcpip *self)
{
  g_clear_pointer (&self->by_key, ns_map_free);
  g_clear_pointer (&self->peers, ns_map_free);
  g_clear_pointer (&self->ips, ns_ips_free);
  g_clear_pointer (&self->by_tuple, ns_multi_map_free);
  g_clear_pointer (&self->by_remote, ns_multi_map_free);
  g_clear_pointer (&self->by_local, ns_multi_map_free);
}

void
ns_tcpip_drop_chunk (NsTcpip *self, guint chunk)
{
  ns_pages_free (g_steal_pointer (&self->chunks->pdata[chunk]), NS_TCP_CHUNK_BYTES);
}
