/* Links WinINet requests with their connections, and writes their rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wininet/ns-wininet-state.h"

#include "engine/app/tls/ns-tls-span.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/net/winsock/ns-winsock.h"
#include "engine/trace/ns-url.h"

/* Returns the time by which the name was resolved: the result counts that was the newest when
 * the connection was made. */
static gint64
resolved_ns (const NsWininetRequest *request)
{
  gint64 time_ns = request->open_ns;

  if (ns_time_is_set (request->dns.end_ns))
    time_ns = MAX (time_ns, request->dns.end_ns);
  if (ns_time_is_set (request->connected_ns))
    time_ns = MAX (time_ns, request->connected_ns);
  return time_ns;
}

/* Returns the end of the request; later look-ups belong to another attempt. */
static gint64
over_ns (const NsBuilder *builder, const NsWininetRequest *request)
{
  if (builder->options.compat_reference)
    return NS_TIME_OPEN;
  return MIN (request->answer_ns, request->close_ns);
}

/* Finds the address that the request's own server name resolved to. */
static gboolean
find_by_name (NsBuilder *builder, NsWininetRequest *request)
{
  NsStrings *strings = builder->trace->strings;
  NsString name = request->dns_name;
  NsEndpoint end = { 0 };
  NsRow dns;

  if (request->server_port == 0 && request->url != NS_STRING_NONE)
    request->server_port = ns_url_get_port (ns_trace_text (builder->trace, request->url));
  if (ns_url_is_blank (ns_trace_text (builder->trace, request->server)))
    {
      g_autofree char *server = ns_url_get_server (ns_trace_text (builder->trace, request->url));

      if (*server != '\0')
        request->server = ns_strings_add (strings, server);
    }
  if (name == NS_STRING_NONE)
    name = request->server;
  if (name == NS_STRING_NONE || !ns_host_names_find_address (builder,
                                                             name,
                                                             request->pid,
                                                             resolved_ns (request),
                                                             over_ns (builder, request),
                                                             &end.ip,
                                                             &dns))
    return FALSE;
  end.port = (guint16) MIN (request->server_port, G_MAXUINT16);
  request->remote = ns_endpoint_pool_add (builder->trace->ends, &end);
  return TRUE;
}

static gboolean
find_remote (NsBuilder *builder, NsWininetRequest *request, const NsEndpoint *recorded)
{
  if (recorded != NULL && !ns_endpoint_is_empty (recorded))
    {
      NsEndpoint end = *recorded;

      if (end.port == 0)
        end.port = (guint16) MIN (request->server_port, G_MAXUINT16);
      request->remote = ns_endpoint_pool_add (builder->trace->ends, &end);
      return TRUE;
    }
  if (request->tcp == 0 && request->local_port != 0 && request->tid_connect != NS_PID_UNKNOWN)
    {
      NsTcpRec *tcp = ns_tcpip_find_by_thread (builder,
                                               request->pid,
                                               request->local_port,
                                               request->tid_connect);

      if (tcp != NULL)
        {
          request->remote = tcp->remote;
          request->tcp = tcp->row;
          request->confidence = NS_CONFIDENCE_LIKELY;
          tcp->layers |= NS_LAYER_WININET;
          if (!ns_endpoint_is_empty (request->remote))
            return TRUE;
        }
    }
  return find_by_name (builder, request);
}

static void
claim_connection (NsBuilder *builder, NsWininetRequest *request)
{
  gint64 begin_ns =
      ns_time_is_set (request->connected_ns) ? request->connected_ns : request->open_ns;
  NsTcpWanted wanted = {
    .remote = request->remote,
    .pid = request->pid,
    .tid = request->tid_connect,
    .local_port = request->local_port,
    .begin_ns = begin_ns,
    .end_ns = request->close_ns,
    .layer = NS_LAYER_WININET,
  };
  NsWsClaim claim = {
    .remote = request->remote,
    .local_port = request->local_port,
    .pid = request->pid,
    .tid = NS_PID_UNKNOWN,
    .begin_ns = begin_ns,
    .end_ns = request->close_ns,
  };
  NsWsRec *afd;

  if (request->tcp == 0)
    {
      NsTcpRec *tcp = ns_tcpip_find (builder, &wanted);

      if (tcp != NULL)
        {
          request->tcp = tcp->row;
          request->confidence = tcp->local->port == request->local_port ? NS_CONFIDENCE_LIKELY
                                                                        : NS_CONFIDENCE_INFERRED;
        }
    }
  claim.tcp = request->tcp;
  afd = ns_winsock_claim (builder, &claim);
  if (afd == NULL)
    return;
  afd->layers |= NS_LAYER_WININET;
  request->afd = afd->index;
}

/* Adds the request's server as the name of its address, unless a look-up did. */
static void
observe_server (NsBuilder *builder, const NsWininetRequest *request)
{
  NsNameObs obs = { .time_ns = request->open_ns, .pid = request->pid, .name = request->server };

  if (ns_url_is_blank (ns_trace_text (builder->trace, request->server)) ||
      ns_host_names_is_named (builder, &request->remote->ip))
    return;
  obs.ip = request->remote->ip;
  ns_host_names_observe (builder, &obs);
}

/**
 * ns_wininet_finish:
 * @builder: the builder
 * @request: a request
 * @remote: (nullable): the peer in the event
 *
 * Links the request with its connection; only the first call has an effect.
 */
void
ns_wininet_finish (NsBuilder *builder, NsWininetRequest *request, const NsEndpoint *remote)
{
  if (request->finished)
    return;
  request->finished = TRUE;
  if (ns_endpoint_is_empty (request->remote) && !find_remote (builder, request, remote))
    return;
  observe_server (builder, request);
  if (request->local_port != 0 && request->remote->port != 0)
    claim_connection (builder, request);
}

/**
 * ns_wininet_reconnect:
 * @builder: the builder
 * @request: a request linked with a connection
 * @time_ns: when the new connection was established
 *
 * Keeps the former connection as an attempt; the caller must call ns_wininet_finish() again.
 */
void
ns_wininet_reconnect (NsBuilder *builder, NsWininetRequest *request, gint64 time_ns)
{
  NsWininetAttempt *attempt = ns_arena_new0 (builder->wininet->arena, NsWininetAttempt);

  attempt->remote = *request->remote;
  attempt->local_port = request->local_port;
  attempt->tcp = request->tcp;
  attempt->confidence = request->confidence;
  attempt->open_ns =
      request->last_attempt != NULL ? request->last_attempt->close_ns : request->open_ns;
  attempt->close_ns = ns_time_is_set (request->connected_ns) ? request->connected_ns : time_ns;
  if (request->last_attempt != NULL)
    request->last_attempt->next = attempt;
  else
    request->first_attempt = attempt;
  request->last_attempt = attempt;
  request->tcp = 0;
  request->afd = 0;
}

static NsString
status_of (NsBuilder *builder, const NsWininetRequest *request)
{
  const char *text = NULL;

  if (request->status != NS_STRING_NONE)
    return request->status;
  if (request->pre_net_hit)
    text = "PreNet Cache Hit";
  else if (request->offline_hit)
    text = "Offline Cache Hit";
  return ns_strings_add (builder->trace->strings, text);
}

static void
write_row (NsBuilder *builder, const NsWininetRequest *request)
{
  NsNameAnswer answer = { 0 };
  NsWininetRow row = {
    .request = request->request,
    .connect = request->handle,
    .context = request->context,
    .method = request->method,
    .url = request->url,
    .server = request->server,
    .server_port = request->server_port,
    .remote = request->remote,
    .local_port = request->local_port,
    .sent = request->sent,
    .received = request->received,
    .status = status_of (builder, request),
    .http_status = request->http_status,
    .error = request->error,
    .from_cache = request->pre_net_hit || request->offline_hit || request->post_net_hit,
    .http2 = request->http2,
    .pid = request->pid,
    .tid = request->tid_send,
    .open_ns = request->open_ns,
    .close_ns = request->close_ns,
    .answer_ns = request->answer_ns,
    .reused = request->reused,
    .tcp = request->tcp,
    .tcp_confidence = request->confidence,
    .redirect_from = request->redirect_from != NULL ? request->redirect_from->row : 0,
    .stack = request->stack,
    .link = request->link,
    .inferred = request->inferred,
    .activity_id = ns_trace_keep_guid (builder->trace, &request->activity_id),
  };

  ns_tls_tie (builder,
              NS_TABLE_WININET,
              builder->trace->wininet->len + 1,
              NS_TLS_ALL_PARTS,
              request->handshake);
  if (!ns_ip_is_empty (&row.remote->ip))
    {
      ns_host_names_resolve (builder, row.pid, row.server, &row.remote->ip, row.open_ns, &answer);
      if (ns_url_is_blank (ns_trace_text (builder->trace, row.server)))
        row.server = answer.server;
      row.server_alt = answer.alt;
    }
  g_array_append_val (builder->trace->wininet, row);
}

/**
 * ns_wininet_write_rows:
 * @builder: the builder
 *
 * Writes the table of WinINet requests, in the order of their creation.
 */
void
ns_wininet_write_rows (NsBuilder *builder)
{
  const GPtrArray *requests = builder->wininet->requests;
  guint i;

  for (i = 0; i < requests->len; i++)
    {
      ns_wininet_finish (builder, requests->pdata[i], NULL);
      write_row (builder, requests->pdata[i]);
    }
}

/* Adds the connect phase. WinINet limits the number of connections to a server: the wait for a
 * busy one, or for an idle one to be assigned, is not part of the phase, nor is the program's
 * time before it sends the request. */
static void
add_connect (NsPhases *phases, const NsWininetRequest *request)
{
  gint64 begin_ns = request->connect.begin_ns;

  if (ns_time_is_set (request->served_ns))
    {
      ns_phases_add (phases, NS_PHASE_QUEUE, begin_ns, request->served_ns);
      begin_ns = request->served_ns;
    }
  ns_phases_add (phases, NS_PHASE_CONNECT, begin_ns, request->connect.end_ns);
}

/**
 * ns_wininet_describe:
 * @builder: the builder
 * @row: a request
 * @detail: (out): further properties
 */
void
ns_wininet_describe (NsBuilder *builder, NsRow row, NsWininetDetail *detail)
{
  const NsWininetRequest *request = builder->wininet->requests->pdata[row - 1];
  NsPhases *phases = &detail->phases;
  gint64 first_byte_ns = request->receive.begin_ns;

  ns_phases_init (phases);
  ns_phases_add (phases, NS_PHASE_PROXY, request->proxy.begin_ns, request->proxy.end_ns);
  ns_phases_add (phases, NS_PHASE_DNS, request->dns.begin_ns, request->dns.end_ns);
  add_connect (phases, request);
  ns_phases_add (phases, NS_PHASE_TLS, request->tls.begin_ns, request->tls.end_ns);
  ns_phases_add (phases, NS_PHASE_SEND, request->send.begin_ns, request->send.end_ns);
  ns_phases_add (phases, NS_PHASE_WAIT, request->send.end_ns, first_byte_ns);
  ns_phases_add (phases, NS_PHASE_RECEIVE, first_byte_ns, request->receive.end_ns);
  detail->first_byte_ns = first_byte_ns;
  detail->stack_tid = request->stack_tid;
  detail->attempts = request->first_attempt;
  detail->winsock = request->tcp != 0 ? ns_winsock_get_row_by_tcp (builder, request->tcp)
                                      : ns_winsock_get_row (builder, request->afd);
}
