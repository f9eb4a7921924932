/* QUIC connection migration: bytes counted before the migration stay with the old socket.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"

static gboolean
has_data (const NsChromiumStream *stream)
{
  return stream->sent + stream->received > 0;
}

/* Stores the stream's counts as a stream of the old session, and restarts them. */
static void
split_stream (NsChromium *self, guint32 number, guint32 old_session, gint64 time_ns)
{
  NsChromiumStream before = *ns_chromium_stream (self, number);
  NsChromiumStream *stream;

  before.session = old_session;
  before.is_before = TRUE;
  before.migrated_ns = time_ns;
  g_array_append_val (self->streams, before);
  stream = ns_chromium_stream (self, number);
  stream->before = self->streams->len;
  stream->sent = 0;
  stream->received = 0;
  stream->first_ns = time_ns;
  stream->last_ns = time_ns;
}

/* Moves the session to the new socket; a closed copy of the session keeps the old one. */
static void
move (NsChromiumEvent *event, guint32 number, guint32 sock)
{
  NsChromium *self = event->state;
  NsChromiumSession old = *ns_chromium_session (self, number);
  NsChromiumSession *session;
  guint32 old_number;
  guint32 i;

  old.is_closed = TRUE;
  old.streams = 0;
  g_array_append_val (self->sessions, old);
  old_number = self->sessions->len;
  session = ns_chromium_session (self, number);
  session->sock = sock;
  session->sock_new = 0;
  session->n_migrations++;
  for (i = session->streams; i != 0; i = ns_chromium_stream (self, i)->next)
    if (has_data (ns_chromium_stream (self, i)) || ns_chromium_stream (self, i)->before == 0)
      split_stream (self, i, old_number, event->record->time_ns);
}

/* Sets the migration target: the thread's newest QUIC socket, created just before. */
static void
take_socket (NsChromiumEvent *event, NsChromiumSession *session)
{
  guint32 number = event->recent->objects[NS_CHROMIUM_SOCK];
  const NsChromiumSock *sock = ns_chromium_sock (event->state, number);

  if (session->sock_new == 0 && sock != NULL && number != session->sock &&
      sock->kind == NS_CHROMIUM_QUIC && sock->create_ns >= session->time_ns)
    session->sock_new = number;
}

/* Handles QUIC_PORT_MIGRATION_TRIGGERED. */
void
ns_chromium_prepare_migration (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_SESSION, FALSE);
  NsChromiumSession *session = ns_chromium_session (event->state, number);

  if (session != NULL && !event->is_begin)
    take_socket (event, session);
}

/* Handles QUIC_PORT_MIGRATION_SUCCESS and QUIC_CONNECTION_MIGRATION_SUCCESS. */
void
ns_chromium_migrate (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_SESSION, FALSE);
  NsChromiumSession *session = ns_chromium_session (event->state, number);

  if (session == NULL || session->n_migrations == NS_CHROMIUM_MAX_MIGRATIONS)
    return;
  take_socket (event, session);
  if (session->sock_new != 0)
    move (event, number, session->sock_new);
}
