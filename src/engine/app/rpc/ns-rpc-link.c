/* Links a remote procedure call with its connection, and with the call on the other side
 * (`providers.md` 5 R2 and R3).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/rpc/ns-rpc-private.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/trace/ns-interval-index.h"
#include "engine/trace/ns-trace-lookup.h"

#include <string.h>

typedef struct
{
  NsBuilder *builder;
  NsTrace *trace;
  NsIntervalIndex tcps;    /* connections by process and remote port */
  NsIntervalIndex tcbs;    /* connections by kernel address of the TCB */
  NsIntervalIndex sends;   /* sends by thread */
  NsIntervalIndex pipes;   /* SMB operations and commands, by thread */
  NsIntervalIndex webs;    /* requests by thread */
  NsIntervalIndex servers; /* server calls by interface and operation number */
  NsIntervalIndex clients; /* client calls, likewise */
} Link;

static NsRpcRow *
rpc_row (const Link *self, NsRow row)
{
  return NS_ROW_AT (self->trace->rpc, NsRpcRow, row);
}

static const NsTcpRow *
tcp_row (const Link *self, NsRow row)
{
  return NS_ROW_AT (self->trace->tcp, NsTcpRow, row);
}

static gint64
begin_of (const NsTcpRow *tcp)
{
  return tcp->before_trace || !ns_time_is_set (tcp->open_ns) ? G_MININT64 : tcp->open_ns;
}

static guint64
procedure_hash (const NsRpcRow *row)
{
  return ns_map_mix (ns_guid_low (&row->interface_id), ns_guid_high (&row->interface_id)) ^
         (guint64) row->opnum;
}

static gboolean
has_procedure (const NsRpcRow *row)
{
  return row->opnum != NS_UNKNOWN && !row->layer.opened_before_trace;
}

static void
index_rows (Link *self)
{
  NsTrace *trace = self->trace;
  guint i;

  ns_interval_index_init (&self->tcps);
  ns_interval_index_init (&self->tcbs);
  ns_interval_index_init (&self->sends);
  ns_interval_index_init (&self->pipes);
  ns_interval_index_init (&self->webs);
  ns_interval_index_init (&self->servers);
  ns_interval_index_init (&self->clients);
  for (i = 1; i <= trace->tcp->len; i++)
    {
      const NsTcpRow *tcp = tcp_row (self, i);

      if (tcp->is_udp)
        continue;
      ns_interval_index_add (&self->tcps, tcp->pid, tcp->remote->port, i, begin_of (tcp));
      ns_interval_index_add (&self->tcbs, tcp->tcb, 0, i, begin_of (tcp));
    }
  for (i = 1; i <= self->builder->rpc->sends->len; i++)
    {
      const NsRpcSend *send = &g_array_index (self->builder->rpc->sends, NsRpcSend, i - 1);

      ns_interval_index_add (&self->sends, send->tid, 0, i, send->time_ns);
    }
  for (i = 1; i <= trace->smb->len; i++)
    {
      const NsSmbRow *smb = NS_ROW_AT (trace->smb, NsSmbRow, i);

      if (smb->file != NS_STRING_NONE && smb->kind == NS_SMB_OPERATION)
        ns_interval_index_add (&self->pipes, smb->layer.tid, 0, i, smb->layer.open_ns);
    }
  for (i = 1; i <= trace->webio->len; i++)
    {
      const NsWebioRow *web = NS_ROW_AT (trace->webio, NsWebioRow, i);

      if (ns_time_is_set (web->open_ns))
        ns_interval_index_add (&self->webs, web->tid, 0, i, web->open_ns);
    }
  for (i = 1; i <= trace->rpc->len; i++)
    {
      const NsRpcRow *row = rpc_row (self, i);

      if (has_procedure (row))
        ns_interval_index_add (row->is_server ? &self->servers : &self->clients,
                               procedure_hash (row),
                               0,
                               i,
                               row->layer.open_ns);
    }
  ns_interval_index_settle (&self->tcps);
  ns_interval_index_settle (&self->tcbs);
  ns_interval_index_settle (&self->sends);
  ns_interval_index_settle (&self->pipes);
  ns_interval_index_settle (&self->webs);
  ns_interval_index_settle (&self->servers);
  ns_interval_index_settle (&self->clients);
}

static void
clear_index (Link *self)
{
  ns_interval_index_clear (&self->tcps);
  ns_interval_index_clear (&self->tcbs);
  ns_interval_index_clear (&self->sends);
  ns_interval_index_clear (&self->pipes);
  ns_interval_index_clear (&self->webs);
  ns_interval_index_clear (&self->servers);
  ns_interval_index_clear (&self->clients);
}

static gint64
end_of (const NsRpcRow *row)
{
  return row->layer.close_ns;
}

/* Returns whether the connection was open at some time during the call. */
static gboolean
overlaps (const NsTcpRow *tcp, const NsRpcRow *row)
{
  return begin_of (tcp) <= end_of (row) &&
         (!ns_time_is_set (tcp->close_ns) || tcp->close_ns >= row->layer.open_ns);
}

/* Returns whether the server is the connection's address, or a name of it at that time. */
static gboolean
is_at (const Link *self, const NsRpcRow *row, const NsTcpRow *tcp)
{
  const char *address = ns_trace_text (self->trace, row->address);
  NsNameAnswer answer;
  NsIp ip;

  if (ns_ip_from_text (&ip, address))
    return ns_ip_equal (&ip, &tcp->remote->ip);
  if (tcp->server != NS_STRING_NONE &&
      g_ascii_strcasecmp (ns_trace_text (self->trace, tcp->server), address) == 0)
    return TRUE;
  if (tcp->server_alt != NS_STRING_NONE &&
      g_ascii_strcasecmp (ns_trace_text (self->trace, tcp->server_alt), address) == 0)
    return TRUE;
  ns_host_names_resolve (self->builder,
                         row->layer.pid,
                         row->address,
                         &tcp->remote->ip,
                         row->layer.open_ns,
                         &answer);
  return answer.step != NS_NAME_FROM_URL && answer.server != NS_STRING_NONE &&
         g_ascii_strcasecmp (ns_trace_text (self->trace, answer.server), address) == 0;
}

/* Returns the only connection with that key on which the call's thread sent data during the call;
 * if there are several, none. @port 0: any. */
static NsRow
find_by_thread (const Link *self, const NsRpcRow *row, guint16 port)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  NsRow found = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (&self->sends, row->layer.tid, 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, row->layer.open_ns - 1);
  for (; i < n_lives && n_left > 0 && lives[i].open_ns <= end_of (row); i++, n_left--)
    {
      const NsRpcSend *send =
          &g_array_index (self->builder->rpc->sends, NsRpcSend, lives[i].row - 1);
      const NsLife *keys;
      guint n_keys;
      guint n;

      keys = ns_interval_index_get (&self->tcbs, send->tcb, 0, &n_keys);
      n = ns_interval_index_count_until (keys, n_keys, send->time_ns);
      if (n == 0)
        continue;
      {
        NsRow number = keys[n - 1].row;
        const NsTcpRow *tcp = tcp_row (self, number);

        if (tcp->pid != row->layer.pid || !overlaps (tcp, row) ||
            (port != 0 && tcp->remote->port != port))
          continue;
        if (found != 0 && found != number)
          return 0;
        found = number;
      }
    }
  return found;
}

static void
link_tcp (const Link *self, NsRpcRow *row, guint16 port)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  NsRow by_thread = find_by_thread (self, row, port);
  gboolean sent_on_one = FALSE;
  guint n_found = 0;
  NsRow found = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (&self->tcps, row->layer.pid, port, &n_lives);
  i = row->address != NS_STRING_NONE ? ns_interval_index_count_until (lives, n_lives, end_of (row))
                                     : 0;
  for (; i > 0 && n_left > 0; i--, n_left--)
    {
      const NsTcpRow *tcp = tcp_row (self, lives[i - 1].row);

      if (!overlaps (tcp, row) || !is_at (self, row, tcp))
        continue;
      n_found++;
      found = lives[i - 1].row;
      sent_on_one |= found == by_thread;
    }
  if (row->address == NS_STRING_NONE)
    {
      row->tcp = by_thread;
      row->layer.confidence = NS_CONFIDENCE_INFERRED;
      row->layer.evidence[0] = "thread";
    }
  else
    {
      row->tcp = n_found == 1 ? found : n_found > 1 && sent_on_one ? by_thread : 0;
      row->layer.confidence = NS_CONFIDENCE_LIKELY;
      row->layer.evidence[0] = "address and port";
      row->layer.evidence[1] = n_found > 1 ? "thread" : NULL;
    }
  if (row->tcp != 0)
    row->remote = *tcp_row (self, row->tcp)->remote;
  else
    {
      row->layer.confidence = -1;
      row->layer.evidence[0] = row->layer.evidence[1] = NULL;
    }
}

/* Returns the port of an endpoint; 0 if it is not a port. */
static guint16
port_of (const Link *self, const NsRpcRow *row)
{
  guint64 port;

  if (row->endpoint == NS_STRING_NONE ||
      !g_ascii_string_to_unsigned (ns_trace_text (self->trace, row->endpoint),
                                   10,
                                   1,
                                   G_MAXUINT16,
                                   &port,
                                   NULL))
    return 0;
  return (guint16) port;
}

static void
take_literal (const Link *self, NsRpcRow *row, guint16 port)
{
  NsIp ip;

  if (row->address != NS_STRING_NONE &&
      ns_ip_from_text (&ip, ns_trace_text (self->trace, row->address)))
    row->remote = (NsEndpoint){ .ip = ip, .port = port };
}

static const char *
last_part (const char *path)
{
  const char *last = strrchr (path, '\\');

  return last != NULL ? last + 1 : path;
}

/* Links a call with a named pipe; `\pipe\netlogon` and `\PIPE\netlogon` are the same pipe. */
static void
link_pipe (const Link *self, NsRpcRow *row)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const char *pipe;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (row->endpoint == NS_STRING_NONE)
    return;
  pipe = last_part (ns_trace_text (self->trace, row->endpoint));
  lives = ns_interval_index_get (&self->pipes, row->layer.tid, 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, row->layer.open_ns - 1);
  for (; i < n_lives && n_left > 0 && lives[i].open_ns <= end_of (row) && *pipe != '\0';
       i++, n_left--)
    {
      const NsSmbRow *smb = NS_ROW_AT (self->trace->smb, NsSmbRow, lives[i].row);

      if (smb->layer.pid != row->layer.pid ||
          g_ascii_strcasecmp (last_part (ns_trace_text (self->trace, smb->file)), pipe) != 0)
        continue;
      row->smb = lives[i].row;
      row->remote = smb->remote;
      row->layer.confidence = NS_CONFIDENCE_INFERRED;
      row->layer.evidence[0] = "pipe and thread";
      return;
    }
}

static void
link_request (const Link *self, NsRpcRow *row)
{
  const NsLife *lives;
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (&self->webs, row->layer.tid, 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, row->layer.open_ns - 1);
  for (; i < n_lives && n_left > 0 && lives[i].open_ns <= end_of (row); i++, n_left--)
    {
      const NsWebioRow *web = NS_ROW_AT (self->trace->webio, NsWebioRow, lives[i].row);

      if (web->pid != row->layer.pid)
        continue;
      row->webio = lives[i].row;
      row->layer.confidence = NS_CONFIDENCE_INFERRED;
      row->layer.evidence[0] = "thread";
      return;
    }
}

static gboolean
is_same_id (const NsGuid *a, const NsGuid *b)
{
  return !ns_guid_is_zero (a) && ns_guid_equal (a, b);
}

static gboolean
has_id_of (const NsRpcRow *server, const NsRpcRow *client)
{
  return is_same_id (&server->activity_id, &client->activity_id) ||
         is_same_id (&server->related_id, &client->activity_id);
}

static gboolean
is_same_procedure (const NsRpcRow *a, const NsRpcRow *b)
{
  return a->opnum == b->opnum && ns_guid_equal (&a->interface_id, &b->interface_id);
}

static gboolean
is_same_place (const NsRpcRow *a, const NsRpcRow *b)
{
  return a->protocol == NS_RPC_LOCAL && b->protocol == NS_RPC_LOCAL && a->endpoint == b->endpoint &&
         a->endpoint != NS_STRING_NONE;
}

static gboolean
is_within (const NsRpcRow *server, const NsRpcRow *client)
{
  return server->layer.open_ns >= client->layer.open_ns && server->layer.open_ns <= end_of (client);
}

static void
pair (const Link *self, NsRow client, NsRow server)
{
  rpc_row (self, client)->peer = server;
  rpc_row (self, server)->peer = client;
}

/* R2: finds a server call with the client's activity ID, within the client call. */
static void
pair_by_id (const Link *self, NsRow number)
{
  const NsRpcRow *client = rpc_row (self, number);
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  if (client->is_server || !has_procedure (client))
    return;
  lives = ns_interval_index_get (&self->servers, procedure_hash (client), 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, client->layer.open_ns - 1);
  for (; i < n_lives && n_left > 0 && lives[i].open_ns <= end_of (client); i++, n_left--)
    {
      const NsRpcRow *server = rpc_row (self, lives[i].row);

      if (server->peer == 0 && is_same_procedure (server, client) && has_id_of (server, client))
        {
          pair (self, number, lives[i].row);
          return;
        }
    }
}

/* Returns the only matching server call; 0: none, or several. */
static NsRow
find_server (const Link *self, const NsRpcRow *client)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  NsRow found = 0;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (&self->servers, procedure_hash (client), 0, &n_lives);
  i = ns_interval_index_count_until (lives, n_lives, client->layer.open_ns - 1);
  for (; i < n_lives && n_left > 0 && lives[i].open_ns <= end_of (client); i++, n_left--)
    {
      const NsRpcRow *server = rpc_row (self, lives[i].row);

      if (server->peer != 0 || !is_same_procedure (server, client) ||
          !is_same_place (server, client))
        continue;
      if (found != 0)
        return 0;
      found = lives[i].row;
    }
  return n_left > 0 ? found : 0;
}

/* Returns whether no other client call matches the server call. */
static gboolean
is_only_client (const Link *self, NsRow number, const NsRpcRow *server)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint n_lives;
  guint i;

  lives = ns_interval_index_get (&self->clients, procedure_hash (server), 0, &n_lives);
  for (i = ns_interval_index_count_until (lives, n_lives, server->layer.open_ns);
       i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsRpcRow *client = rpc_row (self, lives[i - 1].row);

      if (lives[i - 1].row != number && client->peer == 0 && is_within (server, client) &&
          is_same_procedure (server, client) && is_same_place (server, client))
        return FALSE;
    }
  return n_left > 0;
}

static void
pair_by_place (const Link *self, NsRow number)
{
  const NsRpcRow *client = rpc_row (self, number);
  NsRow server;

  if (client->is_server || client->peer != 0 || client->protocol != NS_RPC_LOCAL ||
      !has_procedure (client))
    return;
  server = find_server (self, client);
  if (server != 0 && is_only_client (self, number, rpc_row (self, server)))
    pair (self, number, server);
}

static void
link_client (const Link *self, NsRpcRow *row)
{
  guint16 port;

  if (row->is_server || row->layer.opened_before_trace)
    return;
  switch (row->protocol)
    {
    case NS_RPC_TCP:
      port = port_of (self, row);
      take_literal (self, row, port);
      if (port != 0)
        link_tcp (self, row, port);
      break;
    case NS_RPC_PIPE:
      link_pipe (self, row);
      break;
    case NS_RPC_HTTP:
      link_request (self, row);
      break;
    default:
      break;
    }
}

/* Stores how the pair was found; the confidence is that of the pair if no connection is known. */
static void
note_peer (NsRpcRow *row, const char *evidence, NsConfidence confidence)
{
  guint i;

  if (row->layer.confidence < 0)
    row->layer.confidence = (gint8) confidence;
  for (i = 0; i < NS_MAX_EVIDENCE; i++)
    if (row->layer.evidence[i] == NULL)
      {
        row->layer.evidence[i] = evidence;
        return;
      }
}

/**
 * ns_rpc_link_rows: (skip)
 * @builder: the builder; the rows of connections, SMB and requests are written
 *
 * Finds the connections of client calls, and the matching server calls.
 */
void
ns_rpc_link_rows (NsBuilder *builder)
{
  Link self = { .builder = builder, .trace = builder->trace };
  guint i;

  index_rows (&self);
  for (i = 1; i <= self.trace->rpc->len; i++)
    {
      link_client (&self, rpc_row (&self, i));
      pair_by_id (&self, i);
    }
  for (i = 1; i <= self.trace->rpc->len; i++)
    {
      NsRpcRow *row = rpc_row (&self, i);

      if (row->peer != 0)
        note_peer (row, "activity", NS_CONFIDENCE_LIKELY);
    }
  for (i = 1; i <= self.trace->rpc->len; i++)
    {
      NsRpcRow *row = rpc_row (&self, i);
      NsRow before = row->peer;

      pair_by_place (&self, i);
      if (before == 0 && row->peer != 0)
        {
          note_peer (row, "only call", NS_CONFIDENCE_INFERRED);
          note_peer (rpc_row (&self, row->peer), "only call", NS_CONFIDENCE_INFERRED);
        }
    }
  clear_index (&self);
}
