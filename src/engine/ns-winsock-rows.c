/* The rows of the WinSock table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-winsock-private.h"

#include "engine/ns-names.h"

static void
fill_row (NsBuilder *builder, const NsWsRec *rec, NsWinsockRow *row)
{
  const NsTcpRec *tcp = ns_tcpip_get (builder, rec->tcp);
  NsNameAnswer name;

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
    row->activity_id = g_array_index (builder->winsock->activity_ids, NsGuid, rec->activity_id - 1);
  row->connect_ns = rec->connect_ns;
  row->close_ns = rec->close_ns;
  row->first_data_ns = rec->first_data_ns;
  row->last_data_ns = rec->last_data_ns;
  row->status = rec->status;
  row->layers = rec->layers;
  row->accepted = rec->accepted;
  row->connect_ex = rec->connect_ex;
  row->listening = rec->listening;
  row->abort_reason = rec->abort_reason;
  row->tcp = rec->tcp;
  row->stack = rec->stack;
  row->link = rec->link;
  row->tcp_confidence = rec->tcp_confidence;
  if (tcp != NULL && ns_ip_is_empty (&row->local.ip) && row->local.port == tcp->local.port)
    row->local = tcp->local;
  /* The driver says "pending" and leaves it at that; the connection knows what came of it. */
  if (row->status == 0 && tcp != NULL && tcp->state == NS_TCP_CONNECT_FAIL &&
      !builder->options.compat_reference)
    row->status = tcp->status;

  ns_names_resolve (builder,
                    rec->pid,
                    NS_STRING_NONE,
                    &rec->remote.ip,
                    rec->connect_ns != NS_TIME_NONE ? rec->connect_ns : rec->open_ns,
                    &name);
  row->server = name.server;
  row->server_alt = name.alt;
  row->dns = name.dns;
  row->name_inferred = name.inferred;
}

/* Writes a row for each socket that had a peer. */
void
ns_winsock_write_rows (NsBuilder *builder)
{
  NsWinsock *self = builder->winsock;
  GArray *rows = builder->trace->winsock;
  guint i;

  ns_winsock_end_sends (self);
  ns_winsock_drop_working_state (self);
  for (i = 0; i < self->recs->len; i++)
    {
      NsWsRec *rec = g_ptr_array_index (self->recs, i);
      NsWinsockRow row = { 0 };

      if (rec->removed || ns_endpoint_is_empty (&rec->remote))
        continue;
      ns_winsock_fill_pid (builder, rec);
      fill_row (builder, rec, &row);
      g_array_append_val (rows, row);
      rec->row = rows->len;
      if (rec->link != 0)
        ns_tasks_use_link (builder, rec->link);
    }
}

/* Takes over what the layers above claimed while they wrote their rows. */
void
ns_winsock_update_rows (NsBuilder *builder)
{
  NsWinsock *self = builder->winsock;
  GPtrArray *recs = self->recs;
  guint i;

  self->rows = g_new (NsRow, recs->len);
  self->n_rows = recs->len;
  for (i = 0; i < recs->len; i++)
    {
      const NsWsRec *rec = g_ptr_array_index (recs, i);
      NsWinsockRow *row;

      self->rows[i] = rec->row;
      if (rec->row == 0)
        continue;
      row = &g_array_index (builder->trace->winsock, NsWinsockRow, rec->row - 1);
      row->layers = rec->layers;
      row->pid = rec->pid;
      row->pid_source = rec->pid_source;
      row->tcp = rec->tcp;
      row->tcp_confidence = rec->tcp_confidence;
    }
}
