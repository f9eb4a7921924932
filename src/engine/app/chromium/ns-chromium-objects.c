/* Objects of the Chromium part: look-up and creation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"

#include "engine/trace/ns-url.h"

#define GET(array, Type, number)                                                                   \
  ((number) != 0 ? &g_array_index ((array), Type, (number) -1) : NULL)

NsChromiumReq *
ns_chromium_req (NsChromium *self, guint32 number)
{
  return GET (self->reqs, NsChromiumReq, number);
}

NsChromiumSock *
ns_chromium_sock (NsChromium *self, guint32 number)
{
  return GET (self->socks, NsChromiumSock, number);
}

NsChromiumSession *
ns_chromium_session (NsChromium *self, guint32 number)
{
  return GET (self->sessions, NsChromiumSession, number);
}

NsChromiumStream *
ns_chromium_stream (NsChromium *self, guint32 number)
{
  return GET (self->streams, NsChromiumStream, number);
}

NsChromiumResolver *
ns_chromium_resolver (NsChromium *self, guint32 number)
{
  return GET (self->resolvers, NsChromiumResolver, number);
}

/* Returns the object identified by the event's dependency (@by_dep) or by its own ID; 0: none. */
guint32
ns_chromium_find (NsChromiumEvent *event, NsChromiumObject object, gboolean by_dep)
{
  if (!by_dep)
    return ns_map_get (event->state->by_id[object], event->thread, event->id);
  return event->dep >= 0
             ? ns_map_get (event->state->by_dep[object], event->thread, (guint64) event->dep)
             : 0;
}

void
ns_chromium_name_id (NsChromiumEvent *event, NsChromiumObject object, guint32 number)
{
  if (number != 0 && event->id != 0)
    ns_map_set (event->state->by_id[object], event->thread, event->id, number);
}

void
ns_chromium_name_dep (NsChromiumEvent *event, NsChromiumObject object, guint32 number)
{
  if (number != 0 && event->dep >= 0)
    ns_map_set (event->state->by_dep[object], event->thread, (guint64) event->dep, number);
}

/* Returns the object identified by the dependency, else by the ID; registers it under both. */
guint32
ns_chromium_find_both (NsChromiumEvent *event, NsChromiumObject object)
{
  guint32 number = ns_chromium_find (event, object, TRUE);

  if (number != 0 && object == NS_CHROMIUM_REQ &&
      ns_chromium_req (event->state, number)->end_ns != NS_TIME_OPEN)
    number = 0;
  if (number == 0)
    number = ns_chromium_find (event, object, FALSE);
  ns_chromium_name_id (event, object, number);
  ns_chromium_name_dep (event, object, number);
  event->recent->objects[object] = number != 0 ? number : event->recent->objects[object];
  return number;
}

guint32
ns_chromium_add_req (NsChromiumEvent *event)
{
  NsChromiumReq req = { .channel = event->channel,
                        .pid = event->record->pid,
                        .tid = event->record->tid,
                        .activity_id = event->record->activity,
                        .netlog = event->id,
                        .begin_ns = event->record->time_ns,
                        .start_ns = NS_TIME_NONE,
                        .stall = { NS_TIME_NONE, NS_TIME_NONE },
                        .sent_ns = NS_TIME_NONE,
                        .headers_ns = NS_TIME_NONE,
                        .end_ns = NS_TIME_OPEN };

  g_array_append_val (event->state->reqs, req);
  event->recent->objects[NS_CHROMIUM_REQ] = event->state->reqs->len;
  return event->state->reqs->len;
}

guint32
ns_chromium_add_sock (NsChromiumEvent *event, NsChromiumKind kind)
{
  NsChromiumSock sock = { .kind = kind,
                          .create_ns = event->record->time_ns,
                          .connect_ns = event->record->time_ns,
                          .connected_ns = NS_TIME_NONE,
                          .tls = { NS_TIME_NONE, NS_TIME_NONE },
                          .close_ns = NS_TIME_OPEN };

  g_array_append_val (event->state->socks, sock);
  ns_chromium_name_id (event, NS_CHROMIUM_SOCK, event->state->socks->len);
  event->recent->objects[NS_CHROMIUM_SOCK] = event->state->socks->len;
  return event->state->socks->len;
}

guint32
ns_chromium_add_session (NsChromiumEvent *event, NsChromiumKind kind)
{
  NsChromiumSession session = { .kind = kind,
                                .pid = event->record->pid,
                                .tid = event->record->tid,
                                .id = event->id,
                                .time_ns = event->record->time_ns };

  g_array_append_val (event->state->sessions, session);
  event->recent->objects[NS_CHROMIUM_SESSION] = event->state->sessions->len;
  return event->state->sessions->len;
}

guint32
ns_chromium_add_resolver (NsChromiumEvent *event)
{
  NsChromiumResolver resolver = { 0 };

  g_array_append_val (event->state->resolvers, resolver);
  event->recent->objects[NS_CHROMIUM_RESOLVER] = event->state->resolvers->len;
  return event->state->resolvers->len;
}

/* Returns the session of the event; creates it if its begin was not recorded. */
guint32
ns_chromium_get_session (NsChromiumEvent *event, NsChromiumKind kind)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_SESSION, FALSE);

  if (number == 0)
    {
      number = ns_chromium_add_session (event, kind);
      ns_chromium_session (event->state, number)->is_recovered = TRUE;
      ns_chromium_name_id (event, NS_CHROMIUM_SESSION, number);
    }
  event->recent->objects[NS_CHROMIUM_SESSION] = number;
  return number;
}

/* Returns the stream of a session, created on first use; updates its times. */
guint32
ns_chromium_get_stream (NsChromiumEvent *event, guint32 session, gint64 number)
{
  NsChromium *self = event->state;
  guint32 stream = ns_map_get (self->stream_of, session, (guint64) number);

  if (stream == 0)
    {
      NsChromiumStream empty = { .session = session,
                                 .number = number,
                                 .first_ns = event->record->time_ns,
                                 .next = ns_chromium_session (self, session)->streams };

      g_array_append_val (self->streams, empty);
      stream = self->streams->len;
      ns_chromium_session (self, session)->streams = stream;
      ns_map_set (self->stream_of, session, (guint64) number, stream);
    }
  ns_chromium_stream (self, stream)->last_ns = event->record->time_ns;
  return stream;
}

/* Links a stream with a request, and clears earlier errors. */
void
ns_chromium_attach (NsChromiumEvent *event, guint32 stream, guint32 req)
{
  NsChromiumStream *to = ns_chromium_stream (event->state, stream);
  NsChromiumReq *from = ns_chromium_req (event->state, req);

  if (to == NULL || from == NULL)
    return;
  to->req = req;
  to->error = 0;
  from->stream = stream;
  from->net_error = 0;
}

/* Returns the token of a member of the event's parameters. */
guint
ns_chromium_param (NsChromiumEvent *event, const char *key)
{
  return ns_json_doc_get (&event->state->json, 0, key);
}

gint64
ns_chromium_int (NsChromiumEvent *event, const char *key, gint64 otherwise)
{
  gint64 value;

  return ns_json_doc_get_int (&event->state->json, ns_chromium_param (event, key), &value)
             ? value
             : otherwise;
}

/* Returns the text of a member of the event's parameters: (transfer full) (nullable). */
char *
ns_chromium_dup (NsChromiumEvent *event, const char *key)
{
  return ns_json_doc_dup_string (&event->state->json, ns_chromium_param (event, key));
}

NsString
ns_chromium_text (NsChromiumEvent *event, const char *key)
{
  g_autofree char *text = ns_chromium_dup (event, key);

  return ns_strings_add (event->builder->trace->strings, text);
}
