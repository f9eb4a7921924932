/* Requests of WebRequest in .NET Framework.
 *
 * An object is identified by its hash code or address, which is reused after the object has died.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-private.h"
#include "engine/trace/ns-url.h"

static guint32
find_open (const NsDotnet *self, guint32 process, guint64 id)
{
  return ns_map_get (self->framework_of, process, id);
}

static void
close_request (NsDotnet *self, guint32 number, gint64 time_ns)
{
  NsDotnetRequest *request = ns_dotnet_request (self, number);

  request->row.close_ns = time_ns;
  request->is_open = FALSE;
  ns_map_take (self->framework_of, request->process, request->row.request);
}

static guint32
open_request (NsDotnet *self, guint32 process, const NsDotnetEvent *event)
{
  NsDotnetRequest request = { .process = process, .is_open = TRUE, .is_framework = TRUE };
  NsDotnetRow *row = &request.row;

  row->is_framework = TRUE;
  row->request = event->id;
  row->pid = event->pid;
  row->tid = event->tid;
  row->open_ns = event->time_ns;
  row->close_ns = NS_TIME_OPEN;
  row->first_byte_ns = request.headers_ns = NS_TIME_NONE;
  row->sent = row->received = row->content_length = NS_UNKNOWN;
  row->version_policy = NS_UNKNOWN;
  row->confidence = row->reused = -1;
  row->remote = &ns_endpoint_pool_none;
  g_array_append_val (self->requests, request);
  ns_map_set (self->framework_of, process, event->id, self->requests->len);
  return self->requests->len;
}

static void
set_uri (NsBuilder *builder, NsDotnetRow *row, const NsDotnetEvent *event)
{
  NsStrings *strings = builder->trace->strings;
  const char *uri = ns_trace_text (builder->trace, event->text);
  const char *colon = uri != NULL ? strstr (uri, "://") : NULL;
  g_autofree char *server = uri != NULL ? ns_url_get_server (uri) : NULL;

  if (event->text == NS_STRING_NONE)
    return;
  row->url = ns_url_mask (builder->trace, event->text);
  row->port = ns_url_get_port (uri);
  if (server != NULL)
    row->host = ns_strings_add (strings, server);
  if (colon != NULL)
    row->scheme = ns_strings_add_len (strings, uri, (gsize) (colon - uri));
}

/* Handles a start: of a new request, unless the open one with this object continues. */
static void
start (NsDotnet *self, NsBuilder *builder, guint32 process, const NsDotnetEvent *event)
{
  gboolean is_get = event->kind == NS_DOTNET_GET_RESPONSE_START;
  guint32 number = find_open (self, process, event->id);
  NsDotnetRequest *request;

  if (number != 0)
    {
      request = ns_dotnet_request (self, number);
      if (is_get && request->has_stream && !request->has_get && event->text != NS_STRING_NONE &&
          request->row.url == ns_url_mask (builder->trace, event->text))
        {
          request->has_get = TRUE;
          return;
        }
      close_request (self, number, event->time_ns);
    }
  request = ns_dotnet_request (self, open_request (self, process, event));
  request->has_get = is_get;
  request->has_stream = !is_get;
  request->row.stack = event->stack;
  request->row.link = event->link;
  set_uri (builder, &request->row, event);
}

static void
stop (NsDotnet *self, NsBuilder *builder, guint32 process, const NsDotnetEvent *event)
{
  guint32 number = find_open (self, process, event->id);
  NsDotnetRow *row;

  if (number == 0)
    {
      number = open_request (self, process, event);
      row = &ns_dotnet_request (self, number)->row;
      row->open_ns = 0;
      row->tid = NS_PID_UNKNOWN;
      row->opened_before_trace = TRUE;
    }
  row = &ns_dotnet_request (self, number)->row;
  if (event->number >= 100)
    row->http_status = (guint32) event->number;
  if (event->has_success && !event->success)
    {
      row->failed = TRUE;
      row->error = ns_strings_add (builder->trace->strings, "GetResponse failed");
    }
  close_request (self, number, event->time_ns);
}

/* Handles an event of FrameworkEventSource. */
void
ns_dotnet_add_framework_event (NsDotnet *self,
                               NsBuilder *builder,
                               guint32 process,
                               const NsDotnetEvent *event)
{
  guint32 number;

  if (!event->has_id)
    return;
  switch ((NsDotnetKind) event->kind)
    {
    case NS_DOTNET_GET_RESPONSE_START:
    case NS_DOTNET_GET_STREAM_START:
      start (self, builder, process, event);
      break;
    case NS_DOTNET_GET_RESPONSE_STOP:
      stop (self, builder, process, event);
      break;
    case NS_DOTNET_GET_STREAM_STOP:
      number = find_open (self, process, event->id);
      if (number != 0)
        ns_dotnet_request (self, number)->has_stream = TRUE;
      break;
    default:
      break;
    }
}
