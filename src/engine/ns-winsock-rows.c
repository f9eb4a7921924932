/* The rows of the WinSock table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-winsock-private.h"

#include "base/ns-fetch.h"

/* What records lead to is fetched so many records before it is looked at. */
#define AHEAD 12

static void
fill_row (NsBuilder *builder, const NsWsRec *rec, NsWinsockRow *row)
{
  const NsPeerName *name = &g_array_index (builder->winsock->names, NsPeerName, rec->row - 1);
  const GArray *connections = builder->trace->tcp;
  const NsTcpRow *tcp = rec->tcp != 0 && rec->tcp <= connections->len
                            ? &g_array_index (connections, NsTcpRow, rec->tcp - 1)
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
  row->link = rec->link;
  row->tcp_confidence = rec->tcp_confidence;
  if (tcp != NULL && ns_ip_is_empty (&row->local->ip) && row->local->port == tcp->local->port)
    row->local = tcp->local;
  /* The driver says "pending" and leaves it at that; the connection knows what came of it. */
  if (row->status == 0 && tcp != NULL &&
      g_strcmp0 (tcp->state, ns_tcp_state_to_text (NS_TCP_CONNECT_FAIL)) == 0 &&
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

/* Gives a number to the row of each socket that had a peer, and a name to the peer as it is known
 * by now: the layers above want the number for their own rows, and still claim sockets meanwhile.
 */
void
ns_winsock_number_rows (NsBuilder *builder)
{
  NsWinsock *self = builder->winsock;
  NsRow n_rows = 0;
  guint32 i;

  ns_winsock_end_sends (builder);
  ns_winsock_drop_working_state (self);
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
      ns_names_note_peer (builder,
                          self->names,
                          rec->pid,
                          &rec->remote->ip,
                          rec->connect_ns != NS_TIME_NONE ? rec->connect_ns : rec->open_ns);
      rec->row = ++n_rows;
      ns_moves_set_row (builder->trace->moves, NS_TABLE_WINSOCK, rec->index, rec->row);
      if (rec->link != 0)
        ns_tasks_use_link (builder, rec->link);
    }
  ns_names_end_peers (builder, self->names);
}

/**
 * ns_winsock_write_rows:
 * @builder: a builder whose table of connections is complete
 *
 * Writes the rows of sockets. The records go as the rows come, so that a large trace never needs
 * the room of both; rows are still found by their connection.
 */
void
ns_winsock_write_rows (NsBuilder *builder)
{
  NsWinsock *self = builder->winsock;
  guint i;

  ns_winsock_drop_lookups (self);
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
        ns_winsock_drop_chunk (self, i >> NS_WINSOCK_CHUNK_BITS);
    }
  g_clear_pointer (&self->names, g_array_unref);
}
