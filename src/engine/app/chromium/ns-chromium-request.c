/* Netlog events of requests and of their streams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-url.h"

#include <string.h>

static NsString
add_text (NsChromiumEvent *event, const char *text)
{
  return ns_strings_add (event->builder->trace->strings, text);
}

static void
set_url (NsChromiumEvent *event, NsChromiumReq *req, const char *url)
{
  g_autofree char *server = NULL;
  guint16 port;

  if (url == NULL || url[0] == '\0')
    return;
  req->url = ns_url_mask (event->builder->trace, add_text (event, url));
  server = ns_url_get_server (url);
  req->domain = add_text (event, server);
  port = ns_url_get_port (url);
  req->port = port != 0 ? port : g_str_has_prefix (url, "http:") ? 80 : 443;
}

static void
end_request (NsChromiumEvent *event, NsChromiumReq *req)
{
  gint64 error = ns_chromium_int (event, "net_error", 0);

  if (req->net_error == 0 && error != 0)
    req->net_error = (gint32) error;
  if (req->end_ns == NS_TIME_OPEN)
    req->end_ns = event->record->time_ns;
}

/* Handles the begin of an outer request; the next REQUEST_ALIVE belongs to its ID too. */
static void
on_outer_request (NsChromiumEvent *event)
{
  if (!event->is_begin)
    return;
  event->recent->id = event->id;
  event->recent->is_websocket = strcmp (event->source, "WEBSOCKET") == 0;
}

static void
on_request_alive (NsChromiumEvent *event)
{
  g_autofree char *url = NULL;
  NsChromiumReq *req;
  guint32 number;

  if (event->is_end)
    {
      req = ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));
      if (req != NULL)
        end_request (event, req);
      return;
    }
  if (!event->is_begin)
    return;
  number = ns_chromium_add_req (event);
  req = ns_chromium_req (event->state, number);
  url = ns_chromium_dup (event, "url");
  set_url (event, req, url);
  req->priority = ns_chromium_text (event, "priority");
  req->stack = ns_stack_match_find (event->builder, event->record);
  req->link = ns_tasks_find_link (event->builder, event->record->tid, event->record->time_ns);
  ns_tasks_use_link (event->builder, req->link);
  req->is_websocket = event->recent->is_websocket;
  ns_chromium_name_id (event, NS_CHROMIUM_REQ, number);
  if (event->recent->id != 0)
    ns_map_set (event->state->by_id[NS_CHROMIUM_REQ], event->thread, event->recent->id, number);
  event->recent->id = 0;
  event->recent->is_websocket = FALSE;
}

/* Adds the request that a redirect led to: a second job with the same ID. */
static guint32
redirected_request (NsChromiumEvent *event, guint32 before)
{
  guint32 number = ns_chromium_add_req (event);
  NsChromiumReq *req = ns_chromium_req (event->state, number);

  if (before != 0)
    {
      const NsChromiumReq *old = ns_chromium_req (event->state, before);

      req->priority = old->priority;
      req->stack = old->stack;
      req->link = old->link;
    }
  ns_chromium_name_id (event, NS_CHROMIUM_REQ, number);
  return number;
}

static void
on_start_job (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE);
  NsChromiumReq *req = ns_chromium_req (event->state, number);
  g_autofree char *method = NULL;
  g_autofree char *url = NULL;
  gboolean is_redirect;
  guint32 before;

  if (event->is_end)
    {
      if (req != NULL)
        end_request (event, req);
      return;
    }
  if (!event->is_begin)
    return;
  is_redirect = req != NULL && req->is_redirected;
  if (req == NULL || req->end_ns != NS_TIME_OPEN || req->start_ns != NS_TIME_NONE)
    {
      if (req != NULL && req->end_ns == NS_TIME_OPEN)
        req->end_ns = event->record->time_ns;
      before = number;
      number = redirected_request (event, number);
      req = ns_chromium_req (event->state, number);
      req->before = is_redirect ? before : 0;
    }
  method = ns_chromium_dup (event, "method");
  url = ns_chromium_dup (event, "url");
  if (method != NULL && is_redirect)
    {
      g_autofree char *shown = g_strconcat ("REDIRECT/", method, NULL);

      req->method = add_text (event, shown);
    }
  else
    req->method = add_text (event, method);
  set_url (event, req, url);
  req->start_ns = event->record->time_ns;
  event->recent->objects[NS_CHROMIUM_REQ] = number;
}

static void
on_redirected (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (req != NULL)
    req->is_redirected = TRUE;
}

static void
on_priority (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (req != NULL)
    req->priority = ns_chromium_text (event, "priority");
}

static void
on_bytes_read (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (req != NULL)
    req->down += (guint64) MAX (ns_chromium_int (event, "byte_count", 0), 0);
}

static void
on_upload (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (req != NULL && event->is_end &&
      !ns_json_doc_is_true (&event->state->json, ns_chromium_param (event, "is_chunked")))
    req->up += (guint64) MAX (ns_chromium_int (event, "total_size", 0), 0);
}

static void
on_created_by (NsChromiumEvent *event)
{
  ns_chromium_find_both (event, NS_CHROMIUM_REQ);
}

static void
on_cancelled (NsChromiumEvent *event)
{
  NsChromiumReq *req;
  NsChromiumSock *sock;

  if (strcmp (event->source, "SOCKET") == 0)
    {
      sock = ns_chromium_sock (event->state, ns_chromium_find (event, NS_CHROMIUM_SOCK, FALSE));
      if (sock != NULL)
        sock->is_cancelled = TRUE;
      return;
    }
  req = ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));
  if (req == NULL)
    return;
  req->is_cancelled = TRUE;
  if (req->net_error == 0)
    req->net_error = (gint32) ns_chromium_int (event, "net_error", 0);
}

static void
on_controller (NsChromiumEvent *event)
{
  g_autofree char *url = NULL;
  guint32 number;

  if (!event->is_begin)
    return;
  url = ns_chromium_dup (event, "url");
  event->recent->url = ns_url_mask (event->builder->trace, add_text (event, url));
  if (!ns_json_doc_is_true (&event->state->json, ns_chromium_param (event, "is_preconnect")))
    return;
  number = ns_chromium_add_req (event);
  set_url (event, ns_chromium_req (event->state, number), url);
  ns_chromium_req (event->state, number)->is_preconnect = TRUE;
  ns_chromium_req (event->state, number)->method = add_text (event, "preconnect");
  ns_chromium_req (event->state, number)->priority = add_text (event, "IDLE");
  ns_chromium_name_id (event, NS_CHROMIUM_REQ, number);
}

static void
on_controller_bound (NsChromiumEvent *event)
{
  guint32 number;

  if (strcmp (event->source, "HTTP_STREAM_JOB_CONTROLLER") == 0)
    {
      number = event->recent->objects[NS_CHROMIUM_REQ];
      ns_chromium_name_id (event, NS_CHROMIUM_REQ, number);
      ns_chromium_name_dep (event, NS_CHROMIUM_REQ, number);
      return;
    }
  number = ns_chromium_find_both (event, NS_CHROMIUM_REQ);
  if (number != 0)
    return;
  number = ns_chromium_add_req (event);
  set_url (event,
           ns_chromium_req (event->state, number),
           ns_trace_text (event->builder->trace, event->recent->url));
  ns_chromium_req (event->state, number)->method = add_text (event, "restored");
  ns_chromium_name_id (event, NS_CHROMIUM_REQ, number);
  ns_chromium_name_dep (event, NS_CHROMIUM_REQ, number);
}

static void
on_stream_job (NsChromiumEvent *event)
{
  NsChromiumReq *req;

  if (!event->is_begin)
    return;
  req = ns_chromium_req (event->state, ns_chromium_find_both (event, NS_CHROMIUM_REQ));
  if (req == NULL)
    return;
  if (ns_json_doc_is_true (&event->state->json, ns_chromium_param (event, "using_quic")))
    req->job_quic = event->id;
  else
    req->job_tcp = event->id;
  if (req->domain == NS_STRING_NONE)
    {
      g_autofree char *destination = ns_chromium_dup (event, "destination");
      g_autofree char *server = destination != NULL ? ns_url_get_server (destination) : NULL;

      req->domain = add_text (event, server);
    }
}

static void
on_started_job (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE);

  if (number == 0)
    number = event->recent->objects[NS_CHROMIUM_REQ];
  ns_chromium_name_dep (event, NS_CHROMIUM_REQ, number);
}

static void
on_proto (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));
  g_autofree char *proto = ns_chromium_dup (event, "proto");

  if (req != NULL && proto != NULL)
    req->tcp_kind = strcmp (proto, "h2") == 0 ? NS_CHROMIUM_HTTP2 : NS_CHROMIUM_HTTP1;
}

/* Handles a bound job: it has won against the other jobs of the request. */
static void
on_job_bound (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find_both (event, NS_CHROMIUM_REQ));

  if (req == NULL || strcmp (event->source, "HTTP_STREAM_JOB") != 0)
    return;
  if (event->id == req->job_quic)
    req->kind = NS_CHROMIUM_QUIC;
  else if (event->id == req->job_tcp)
    req->kind = req->tcp_kind;
}

static void
on_bound_to_job (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find_both (event, NS_CHROMIUM_REQ));
  guint32 sock = ns_chromium_find (event, NS_CHROMIUM_SOCK, TRUE);

  if (req != NULL && sock != 0)
    req->sock = sock;
}

static void
on_send_request (NsChromiumEvent *event)
{
  event->recent->id = event->id;
}

/* Sets the time at which the request was sent. */
static void
on_sent_request (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (req != NULL && !event->is_begin && req->headers_ns == NS_TIME_NONE)
    req->sent_ns = event->record->time_ns;
}

/* Sets the begin of the response; informational responses (100, 103) are ignored. */
void
ns_chromium_note_headers (NsChromiumEvent *event, guint32 number, const char *status)
{
  NsChromiumReq *req = ns_chromium_req (event->state, number);

  if (req != NULL && req->headers_ns == NS_TIME_NONE && *status != '1')
    req->headers_ns = event->record->time_ns;
}

/* Parses the status after "HTTP/1.1 " of the first header. */
static void
on_response_headers (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE);
  NsChromiumReq *req = ns_chromium_req (event->state, number);
  guint headers = ns_chromium_param (event, "headers");
  g_autofree char *line = ns_json_doc_dup_string (&event->state->json,
                                                  ns_json_doc_first (&event->state->json, headers));
  const char *status = line != NULL ? strchr (line, ' ') : NULL;
  NsChromiumStream *stream;

  if (req == NULL || status == NULL)
    return;
  ns_chromium_note_headers (event, number, status + 1);
  if (req->stream == 0)
    {
      guint32 session =
          ns_chromium_add_session (event,
                                   req->kind != NS_CHROMIUM_UNKNOWN ? req->kind
                                                                    : NS_CHROMIUM_HTTP1);

      ns_chromium_session (event->state, session)->sock = req->sock;
      req->session_other = session;
      ns_chromium_attach (event,
                          ns_chromium_get_stream (event, session, NS_CHROMIUM_STREAM_HTTP1),
                          number);
    }
  stream = ns_chromium_stream (event->state, req->stream);
  stream->status = add_text (event, status + 1);
  stream->http_status = (guint32) CLAMP (g_ascii_strtoll (status + 1, NULL, 10), 0, 999);
}

static void
on_cache_read (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE);
  NsChromiumReq *req = ns_chromium_req (event->state, number);
  guint32 session;

  if (req == NULL || !event->is_begin || req->kind != NS_CHROMIUM_UNKNOWN || req->stream != 0 ||
      req->session_quic != 0 || req->session_tcp != 0)
    return;
  session = ns_chromium_add_session (event, NS_CHROMIUM_CACHE);
  req->kind = NS_CHROMIUM_CACHE;
  req->session_other = session;
  ns_chromium_attach (event,
                      ns_chromium_get_stream (event, session, NS_CHROMIUM_STREAM_CACHE),
                      number);
}

static void
on_restart_after_error (NsChromiumEvent *event)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));
  NsChromiumStream *stream;

  if (req == NULL)
    return;
  req->net_error = (gint32) ns_chromium_int (event, "net_error", req->net_error);
  stream = ns_chromium_stream (event->state, req->stream);
  if (stream != NULL)
    {
      stream->error = req->net_error;
      stream->is_abandoned = stream->sent + stream->received == 0;
      stream->req = 0;
    }
  req->stream = 0;
  req->session_quic = req->session_tcp = req->session_other = 0;
}

static void
on_websocket_frame (NsChromiumEvent *event, gboolean is_sent)
{
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));
  guint64 n_bytes = (guint64) MAX (ns_chromium_int (event, "payload_length", 0), 0);

  if (req == NULL || ns_chromium_int (event, "opcode", 0) >= 8)
    return;
  if (is_sent)
    req->up += n_bytes;
  else
    req->down += n_bytes;
}

static void
on_websocket_sent (NsChromiumEvent *event)
{
  on_websocket_frame (event, TRUE);
}

static void
on_websocket_received (NsChromiumEvent *event)
{
  on_websocket_frame (event, FALSE);
}

NsChromiumHandler
ns_chromium_find_request_handler (const char *name)
{
  static const struct
  {
    const char *name;
    NsChromiumHandler handler;
  } handlers[] = {
    { "CORS_REQUEST", on_outer_request },
    { "WEBSOCKET_ALIVE", on_outer_request },
    { "REQUEST_ALIVE", on_request_alive },
    { "URL_REQUEST_START_JOB", on_start_job },
    { "URL_REQUEST_REDIRECTED", on_redirected },
    { "URL_REQUEST_SET_PRIORITY", on_priority },
    { "URL_REQUEST_JOB_FILTERED_BYTES_READ", on_bytes_read },
    { "UPLOAD_DATA_STREAM_INIT", on_upload },
    { "CREATED_BY", on_created_by },
    { "CANCELLED", on_cancelled },
    { "HTTP_STREAM_JOB_CONTROLLER", on_controller },
    { "HTTP_STREAM_JOB_CONTROLLER_BOUND", on_controller_bound },
    { "HTTP_STREAM_JOB", on_stream_job },
    { "HTTP_STREAM_REQUEST_STARTED_JOB", on_started_job },
    { "HTTP_STREAM_REQUEST_PROTO", on_proto },
    { "HTTP_STREAM_JOB_BOUND_TO_REQUEST", on_job_bound },
    { "HTTP_STREAM_REQUEST_BOUND_TO_JOB", on_bound_to_job },
    { "HTTP_TRANSACTION_SEND_REQUEST", on_sent_request },
    { "HTTP_TRANSACTION_SEND_REQUEST_HEADERS", on_sent_request },
    { "HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS", on_sent_request },
    { "HTTP_TRANSACTION_QUIC_SEND_REQUEST_HEADERS", on_send_request },
    { "HTTP_TRANSACTION_READ_RESPONSE_HEADERS", on_response_headers },
    { "HTTP_TRANSACTION_RESTART_AFTER_ERROR", on_restart_after_error },
    { "HTTP_TRANSACTION_RESTART_MISDIRECTED_REQUEST", on_restart_after_error },
    { "HTTP_CACHE_READ_DATA", on_cache_read },
    { "WEBSOCKET_SENT_FRAME_HEADER", on_websocket_sent },
    { "WEBSOCKET_RECV_FRAME_HEADER", on_websocket_received },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (handlers); i++)
    if (strcmp (handlers[i].name, name) == 0)
      return handlers[i].handler;
  return NULL;
}
