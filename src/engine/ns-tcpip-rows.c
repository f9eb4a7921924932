/* The rows of the TCP table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-tcpip-private.h"

#include "engine/ns-names.h"
#include "engine/ns-winsock.h"

/* What layers above may still change until all rows are written. A silent connection from before
 * the trace that belongs to no program stays unclaimed: it makes no row of the master table. */
static void
fill_claims (NsBuilder *builder, const NsTcpRec *rec, NsTcpRow *row)
{
  const NsWsRec *socket;
  gboolean is_nobodys;

  row->pid = rec->pid != NS_PID_UNKNOWN ? rec->pid : rec->alt_pid;
  row->tid = rec->tid;
  socket = row->tid == NS_PID_UNKNOWN ? ns_winsock_find_by_tcp (builder, rec->row) : NULL;
  if (socket != NULL && socket->pid == row->pid && !socket->accepted)
    row->tid = socket->tid_open;
  row->owner = rec->layers;
  is_nobodys = row->pid == NS_PID_UNKNOWN || row->pid <= 4;
  if (rec->layers > NS_LAYER_RUNDOWN || !is_nobodys || row->posted + row->sent + row->received > 0)
    row->owner |= rec->is_udp ? NS_LAYER_UDP : NS_LAYER_TCP;
}

/* The stack's own totals are exact, but reach back before the trace. */
static void
fill_bytes (const NsTcpip *self, const NsTcpRec *rec, NsTcpRow *row)
{
  gboolean is_exact = rec->has_summary && rec->opened && !rec->before_trace;

  row->posted = rec->posted;
  row->sent = is_exact ? (guint64) rec->total_sent : rec->sent;
  row->received = is_exact ? (guint64) rec->total_received : rec->received;
  row->total_sent = is_exact ? NS_UNKNOWN : rec->total_sent;
  row->total_received = is_exact ? NS_UNKNOWN : rec->total_received;
  row->retransmits = rec->retransmits + rec->syn_retransmits;
  if (!self->has_new_sends)
    row->retransmits += rec->data_retransmits;
  row->retransmitted_bytes = rec->retransmitted_bytes;
}

static void
fill_row (NsBuilder *builder, const NsTcpRec *rec, NsTcpRow *row)
{
  NsNameAnswer name;

  row->tcb = rec->key;
  row->is_udp = rec->is_udp;
  row->state = ns_tcp_state_to_text (rec->state);
  row->remote = rec->remote;
  row->local = rec->local;
  row->rtt_us = rec->rtt_us;
  row->open_ns = rec->open_ns;
  row->activity_id = rec->activity_id;
  row->shutdown_ns = rec->shutdown_ns;
  row->close_ns = rec->close_ns;
  row->first_data_ns = rec->first_data_ns;
  row->last_data_ns = rec->last_data_ns;
  row->status = rec->status;
  row->inferred = !rec->is_udp && !rec->opened && !rec->before_trace;
  row->before_trace = rec->before_trace;
  row->accepted = rec->accepted;
  fill_bytes (builder->tcpip, rec, row);
  fill_claims (builder, rec, row);

  ns_names_resolve (builder, row->pid, NS_STRING_NONE, &rec->remote.ip, rec->open_ns, &name);
  row->server = name.server;
  row->server_alt = name.alt;
  row->dns = name.dns;
  row->name_inferred = name.inferred;
}

/* Writes one row for each record, in the order of the records. */
void
ns_tcpip_write_rows (NsBuilder *builder)
{
  GArray *rows = builder->trace->tcp;
  GPtrArray *recs = builder->tcpip->recs;
  guint i;

  g_array_set_size (rows, recs->len);
  for (i = 0; i < recs->len; i++)
    {
      NsTcpRec *rec = g_ptr_array_index (recs, i);

      if (rec->close_ns == NS_TIME_OPEN && rec->ended_ns != NS_TIME_NONE)
        ns_tcpip_mark_close (builder->tcpip,
                             rec,
                             NS_TCP_CLOSE,
                             NS_PID_UNKNOWN,
                             rec->ended_ns,
                             NULL);
      fill_row (builder, rec, &g_array_index (rows, NsTcpRow, i));
    }
}

/* Takes over what the layers above claimed while they wrote their rows. */
void
ns_tcpip_update_rows (NsBuilder *builder)
{
  GArray *rows = builder->trace->tcp;
  GPtrArray *recs = builder->tcpip->recs;
  guint i;

  for (i = 0; i < recs->len; i++)
    fill_claims (builder, g_ptr_array_index (recs, i), &g_array_index (rows, NsTcpRow, i));
}
