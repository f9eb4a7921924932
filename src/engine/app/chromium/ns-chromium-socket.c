/* Netlog events of sockets, their pools and the host resolver.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"

#include "engine/app/tls/ns-tls-span.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/net/winsock/ns-winsock.h"
#include "wire/ns-wire-x509.h"

#include <string.h>

static NsChromiumSock *
own_sock (NsChromiumEvent *event)
{
  return ns_chromium_sock (event->state, ns_chromium_find (event, NS_CHROMIUM_SOCK, FALSE));
}

static void
take_endpoint (NsChromiumEvent *event, const char *key, NsEndpoint *endpoint)
{
  g_autofree char *text = ns_chromium_dup (event, key);
  NsEndpoint parsed;

  if (text != NULL && ns_endpoint_from_text (&parsed, text))
    *endpoint = parsed;
}

static void
on_socket_alive (NsChromiumEvent *event)
{
  if (!event->is_begin)
    return;
  if (strcmp (event->source, "SOCKET") == 0)
    ns_chromium_add_sock (event, NS_CHROMIUM_TCP);
  else if (strcmp (event->source, "UDP_SOCKET") == 0)
    event->recent->id = event->id;
  else if (strcmp (event->source, "UDP_CLIENT_SOCKET") == 0 && event->dep >= 0 &&
           ns_map_get (event->state->dns_deps, event->thread, (guint64) event->dep) == 0)
    ns_chromium_add_sock (event, NS_CHROMIUM_QUIC);
}

/* Links the WinSock socket, which this thread creates after the browser's event. */
static void
link_winsock (NsChromiumEvent *event, NsChromiumSock *sock)
{
  NsWsRec *rec;

  if (sock == NULL || sock->winsock != 0)
    return;
  rec = ns_winsock_find_by_opener (event->builder, event->record->tid, sock->connect_ns);
  if (rec == NULL)
    return;
  rec->layers |= NS_LAYER_CHROMIUM;
  sock->winsock = rec->index;
}

static void
on_socket_open (NsChromiumEvent *event)
{
  link_winsock (event, own_sock (event));
}

static void
on_connect_attempt (NsChromiumEvent *event)
{
  NsChromiumSock *sock = own_sock (event);

  if (sock == NULL || !event->is_begin)
    return;
  take_endpoint (event, "address", &sock->remote);
  link_winsock (event, sock);
}

static void
on_tcp_connect (NsChromiumEvent *event)
{
  NsChromiumSock *sock = own_sock (event);

  if (sock == NULL)
    return;
  if (event->is_begin)
    {
      sock->connect_ns = event->record->time_ns;
      return;
    }
  sock->connected_ns = event->record->time_ns;
  take_endpoint (event, "local_address", &sock->local);
  take_endpoint (event, "remote_address", &sock->remote);
  if (sock->net_error == 0)
    sock->net_error = (gint32) ns_chromium_int (event, "net_error", 0);
}

static void
on_socket_connect (NsChromiumEvent *event)
{
  NsChromiumSock *sock = own_sock (event);

  if (sock == NULL)
    return;
  take_endpoint (event, "address", &sock->remote);
  if (sock->net_error == 0)
    sock->net_error = (gint32) ns_chromium_int (event, "net_error", 0);
}

static void
on_local_address (NsChromiumEvent *event)
{
  NsChromiumSock *sock = own_sock (event);

  if (sock != NULL)
    take_endpoint (event, "address", &sock->local);
}

static void
on_attempt_of_job (NsChromiumEvent *event)
{
  guint32 number = event->recent->objects[NS_CHROMIUM_SOCK];
  NsChromiumSock *sock = ns_chromium_sock (event->state, number);

  if (sock == NULL)
    return;
  take_endpoint (event, "address", &sock->remote);
  ns_chromium_name_dep (event, NS_CHROMIUM_SOCK, number);
}

/* Handles the socket of a request. Later events identify the socket by the plain number of this
 * dependency. */
static void
on_set_socket (NsChromiumEvent *event)
{
  guint32 sock = ns_chromium_find (event, NS_CHROMIUM_SOCK, TRUE);
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (sock == 0)
    sock = event->recent->objects[NS_CHROMIUM_SOCK];
  ns_chromium_name_dep (event, NS_CHROMIUM_SOCK, sock);
  if (req != NULL && sock != 0)
    req->sock = sock;
  /* End the wait for a free connection. */
  if (req != NULL && req->stall.begin_ns != NS_TIME_NONE && req->stall.end_ns == NS_TIME_NONE)
    req->stall.end_ns = event->record->time_ns;
}

static NsTlsSpan *
need_handshake (NsChromiumEvent *event, NsChromiumSock *sock)
{
  if (sock->handshake == 0)
    sock->handshake = ns_tls_begin (event->builder, NS_TLS_CHROMIUM, event->record);
  return ns_tls_get_span (event->builder, sock->handshake);
}

/* Sets the negotiated TLS parameters, or the error of the handshake. */
static void
note_handshake (NsChromiumEvent *event, NsTlsSpan *handshake)
{
  const NsJsonDoc *json = &event->state->json;
  guint resumed = ns_chromium_param (event, "is_resumed");
  gint64 cipher = ns_chromium_int (event, "cipher_suite", -1);
  gint64 error = ns_chromium_int (event, "net_error", 0);

  ns_tls_step (handshake, event->record);
  handshake->facts.version = ns_chromium_text (event, "version");
  handshake->facts.alpn = ns_chromium_text (event, "next_proto");
  if (cipher >= 0 && cipher <= G_MAXUINT16)
    ns_tls_set_cipher (event->builder, &handshake->facts, (guint32) cipher);
  if (resumed != NS_JSON_NONE)
    handshake->facts.resumed = ns_json_doc_is_true (json, resumed);
  if (error < 0 && error >= G_MININT32)
    ns_tls_fail (handshake, NS_CODE_CHROMIUM, (guint32) (gint32) error);
}

/* Parses the first certificate, which is that of the server; invalid ones are ignored. */
static void
on_certificates (NsChromiumEvent *event)
{
  static const char begin[] = "-----BEGIN CERTIFICATE-----";
  NsChromiumSock *sock = own_sock (event);
  const NsJsonDoc *json = &event->state->json;
  guint list = ns_chromium_param (event, "certificates");
  guint first = list != NS_JSON_NONE ? ns_json_doc_first (json, list) : NS_JSON_NONE;
  g_autofree char *pem = first != NS_JSON_NONE ? ns_json_doc_dup_string (json, first) : NULL;
  NsStrings *strings = event->builder->trace->strings;
  g_autofree guint8 *der = NULL;
  NsTlsSpan *handshake;
  NsWireX509 facts;
  char *end;
  gsize size;

  if (sock == NULL || pem == NULL || !g_str_has_prefix (pem, begin))
    return;
  end = strstr (pem, "-----END");
  if (end == NULL)
    return;
  *end = '\0';
  der = g_base64_decode (pem + strlen (begin), &size);
  handshake = need_handshake (event, sock);
  if (der != NULL && ns_wire_x509_parse (&facts, der, size))
    {
      if (facts.subject != NULL)
        handshake->facts.subject = ns_strings_add (strings, facts.subject);
      if (facts.issuer != NULL)
        handshake->facts.issuer = ns_strings_add (strings, facts.issuer);
      if (facts.expires != NULL)
        handshake->facts.expires = ns_strings_add (strings, facts.expires);
      ns_wire_x509_clear (&facts);
    }
}

static void
on_ssl_connect (NsChromiumEvent *event)
{
  NsChromiumSock *sock = own_sock (event);
  g_autofree char *proto = NULL;

  if (sock == NULL)
    return;
  if (event->is_begin)
    {
      sock->tls.begin_ns = event->record->time_ns;
      sock->handshake = 0;
      need_handshake (event, sock);
    }
  else if (event->is_end)
    note_handshake (event, need_handshake (event, sock));
  if (!event->is_end)
    return;
  sock->tls.end_ns = event->record->time_ns;
  sock->has_tls = TRUE;
  proto = ns_chromium_dup (event, "next_proto");
  if (proto == NULL)
    sock->net_error = (gint32) ns_chromium_int (event, "net_error", sock->net_error);
  else
    sock->kind = strcmp (proto, "h2") == 0 ? NS_CHROMIUM_HTTP2 : NS_CHROMIUM_HTTP1;
}

static void
on_socket_in_use (NsChromiumEvent *event)
{
  if (!event->is_begin)
    return;
  ns_chromium_name_dep (event, NS_CHROMIUM_SOCK, ns_chromium_find (event, NS_CHROMIUM_SOCK, FALSE));
}

static void
on_socket_closed (NsChromiumEvent *event)
{
  NsChromiumSock *sock = own_sock (event);

  if (sock != NULL && sock->close_ns == NS_TIME_OPEN)
    sock->close_ns = event->record->time_ns;
}

static NsString
name_group (NsChromiumEvent *event)
{
  g_autofree char *group = ns_chromium_dup (event, "group_id");

  return ns_strings_add (event->builder->trace->strings, group);
}

/* Matches a request with its connect job by the name of their socket pool group. */
static void
on_pool_request (NsChromiumEvent *event)
{
  NsString group = name_group (event);
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE);

  if (group == NS_STRING_NONE)
    return;
  if (number != 0)
    ns_map_set (event->state->groups, event->thread, group, number);
  else
    ns_chromium_name_id (event,
                         NS_CHROMIUM_REQ,
                         ns_map_get (event->state->groups, event->thread, group));
}

/* Handles a stalled request, which waits as all connections of the pool are busy. */
static void
on_stalled (NsChromiumEvent *event)
{
  guint32 number;
  NsChromiumReq *req;

  on_pool_request (event);
  number = ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE);
  req = ns_chromium_req (event->state, number);
  if (req != NULL && req->stall.begin_ns == NS_TIME_NONE)
    req->stall.begin_ns = event->record->time_ns;
}

static void
on_dns_transaction (NsChromiumEvent *event)
{
  if (event->dep >= 0)
    ns_map_set (event->state->dns_deps, event->thread, (guint64) event->dep, 1);
}

static void
on_resolver (NsChromiumEvent *event)
{
  g_autofree char *host = NULL;
  guint32 number = ns_chromium_find_both (event, NS_CHROMIUM_RESOLVER);

  if (number == 0)
    {
      number = ns_chromium_add_resolver (event);
      ns_chromium_name_id (event, NS_CHROMIUM_RESOLVER, number);
      ns_chromium_name_dep (event, NS_CHROMIUM_RESOLVER, number);
    }
  host = ns_chromium_dup (event, "host");
  if (host != NULL)
    ns_chromium_resolver (event->state, number)->host =
        ns_strings_add (event->builder->trace->strings, host);
}

/* Passes a name that the browser resolved itself to the host-name table. */
static void
observe (NsChromiumEvent *event, NsString name, NsString alias, const char *address)
{
  NsNameObs obs = { .time_ns = event->record->time_ns,
                    .pid = event->record->pid,
                    .name = name,
                    .alias = alias };

  if (name != NS_STRING_NONE && address != NULL && ns_ip_from_text (&obs.ip, address))
    ns_host_names_observe (event->builder, &obs);
}

static void
on_cache_hit (NsChromiumEvent *event)
{
  const NsJsonDoc *json = &event->state->json;
  guint results = ns_chromium_param (event, "results");
  guint canonical = ns_json_doc_get (json, results, "canonical_names");
  guint endpoints = ns_json_doc_get (json, results, "ip_endpoints");
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_RESOLVER, FALSE);
  NsChromiumResolver *resolver = ns_chromium_resolver (event->state, number);
  guint token;

  if (resolver == NULL)
    return;
  if (resolver->canon == NS_STRING_NONE)
    {
      g_autofree char *canon = ns_json_doc_dup_string (json, ns_json_doc_first (json, canonical));

      resolver->canon = ns_strings_add (event->builder->trace->strings, canon);
    }
  for (token = ns_json_doc_first (json, endpoints); token != NS_JSON_NONE;
       token = ns_json_doc_after (json, endpoints, token))
    {
      g_autofree char *address =
          ns_json_doc_dup_string (json, ns_json_doc_get (json, token, "endpoint_address"));

      if (address != NULL && resolver->ip.family == NS_AF_NONE)
        ns_ip_from_text (&resolver->ip, address);
      observe (event, resolver->host, resolver->canon, address);
    }
}

static void
on_dns_results (NsChromiumEvent *event)
{
  const NsJsonDoc *json = &event->state->json;
  guint results = ns_chromium_param (event, "results");
  guint token;

  for (token = ns_json_doc_first (json, results); token != NS_JSON_NONE;
       token = ns_json_doc_after (json, results, token))
    {
      g_autofree char *domain =
          ns_json_doc_dup_string (json, ns_json_doc_get (json, token, "domain_name"));
      guint endpoints = ns_json_doc_get (json, token, "endpoints");
      NsString name = ns_strings_add (event->builder->trace->strings, domain);
      guint endpoint;

      for (endpoint = ns_json_doc_first (json, endpoints); endpoint != NS_JSON_NONE;
           endpoint = ns_json_doc_after (json, endpoints, endpoint))
        {
          g_autofree char *address =
              ns_json_doc_dup_string (json, ns_json_doc_get (json, endpoint, "address"));

          observe (event, name, NS_STRING_NONE, address);
        }
    }
}

NsChromiumHandler
ns_chromium_find_socket_handler (const char *name)
{
  static const struct
  {
    const char *name;
    NsChromiumHandler handler;
  } handlers[] = {
    { "SOCKET_ALIVE", on_socket_alive },
    { "SOCKET_OPEN", on_socket_open },
    { "TCP_CONNECT_ATTEMPT", on_connect_attempt },
    { "TCP_CONNECT", on_tcp_connect },
    { "SOCKET_CONNECT", on_socket_connect },
    { "UDP_LOCAL_ADDRESS", on_local_address },
    { "TRANSPORT_CONNECT_JOB_CONNECT_ATTEMPT", on_attempt_of_job },
    { "CONNECT_JOB_SET_SOCKET", on_set_socket },
    { "SOCKET_POOL_BOUND_TO_SOCKET", on_set_socket },
    { "SSL_CONNECT", on_ssl_connect },
    { "SSL_CERTIFICATES_RECEIVED", on_certificates },
    { "SOCKET_IN_USE", on_socket_in_use },
    { "SOCKET_CLOSED", on_socket_closed },
    { "SOCKET_POOL_CLOSING_SOCKET", on_socket_closed },
    { "TCP_CLIENT_SOCKET_POOL_REQUESTED_SOCKET", on_pool_request },
    { "TCP_CLIENT_SOCKET_POOL_REQUESTED_SOCKETS", on_pool_request },
    { "SOCKET_POOL_CONNECT_JOB_CREATED", on_pool_request },
    { "SOCKET_POOL_STALLED_MAX_SOCKETS", on_stalled },
    { "SOCKET_POOL_STALLED_MAX_SOCKETS_PER_GROUP", on_stalled },
    { "DNS_TRANSACTION", on_dns_transaction },
    { "HOST_RESOLVER_MANAGER_REQUEST", on_resolver },
    { "HOST_RESOLVER_MANAGER_CREATE_JOB", on_resolver },
    { "HOST_RESOLVER_MANAGER_JOB", on_resolver },
    { "HOST_RESOLVER_MANAGER_CACHE_HIT", on_cache_hit },
    { "HOST_RESOLVER_DNS_TASK_EXTRACTION_RESULTS", on_dns_results },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (handlers); i++)
    if (strcmp (handlers[i].name, name) == 0)
      return handlers[i].handler;
  return NULL;
}
