/* Reads payloads of Microsoft-Windows-Winsock-AFD; all layouts are converted to one structure.
 *
 * The layouts are the same in the manifests of Windows 7 to 11.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/winsock/ns-winsock-payload.h"

#include "wire/ns-sockaddr.h"

#include <string.h>

static void
read_create (NsCursor *cursor, guint pointer_size, NsAfdEvent *event)
{
  event->family = ns_cursor_u32 (cursor);
  event->socket_type = ns_cursor_u32 (cursor);
  event->protocol = ns_cursor_u32 (cursor);
  event->pid = (guint32) ns_cursor_ptr (cursor, pointer_size);
  event->status = ns_cursor_u32 (cursor);
}

static void
read_transfer (NsCursor *cursor, guint pointer_size, NsAfdEvent *event)
{
  ns_cursor_u32 (cursor); /* BufferCount */
  event->buffer = ns_cursor_ptr (cursor, pointer_size);
  event->n_bytes = ns_cursor_u32 (cursor);
  event->status = ns_cursor_u32 (cursor);
}

static void
read_connect (NsCursor *cursor, guint pointer_size, NsAfdEvent *event)
{
  event->buffer = ns_cursor_ptr (cursor, pointer_size);
  event->n_bytes = ns_cursor_u32 (cursor);
  event->status = ns_cursor_u32 (cursor);
  event->has_address = ns_sockaddr_take_counted (cursor, &event->address);
}

static void
read_rest (NsCursor *cursor, const NsRecord *record, NsAfdEvent *event)
{
  guint pointer_size = record->pointer_size;

  switch (record->id)
    {
    case NS_AFD_CREATE:
      read_create (cursor, pointer_size, event);
      break;
    case NS_AFD_SEND:
    case NS_AFD_RECEIVE:
    case NS_AFD_SEND_TO:
    case NS_AFD_RECEIVE_FROM:
    case NS_AFD_SEND_MESSAGE:
    case NS_AFD_RECEIVE_MESSAGE:
      read_transfer (cursor, pointer_size, event);
      break;
    case NS_AFD_SEND_TO_ADDRESS:
    case NS_AFD_RECEIVE_FROM_ADDRESS:
    case NS_AFD_SEND_MESSAGE_ADDRESS:
    case NS_AFD_RECEIVE_MESSAGE_ADDRESS:
      read_transfer (cursor, pointer_size, event);
      event->has_address = ns_sockaddr_take_counted (cursor, &event->address);
      break;
    case NS_AFD_CONNECT_ADDRESS:
    case NS_AFD_CONNECT_EX_ADDRESS:
      read_connect (cursor, pointer_size, event);
      break;
    case NS_AFD_ACCEPT_ADDRESS:
    case NS_AFD_ACCEPT_EX_ADDRESS:
      read_connect (cursor, pointer_size, event);
      event->accept_endpoint = ns_cursor_ptr (cursor, pointer_size);
      break;
    case NS_AFD_BIND_ADDRESS:
      event->status = ns_cursor_u32 (cursor);
      event->has_address = ns_sockaddr_take_counted (cursor, &event->address);
      break;
    case NS_AFD_ABORT:
      event->reason = ns_cursor_u32 (cursor);
      break;
    case NS_AFD_LISTEN:
      ns_cursor_u32 (cursor); /* Backlog */
      event->status = ns_cursor_u32 (cursor);
      break;
    default:
      event->status = ns_cursor_u32 (cursor);
      break;
    }
}

/**
 * ns_afd_event_read:
 * @record: a record of the provider
 * @event: (out): its fields; those that a short payload lacks are 0
 *
 * Reads one event.
 *
 * Returns: %TRUE if it identifies a socket
 */
gboolean
ns_afd_event_read (const NsRecord *record, NsAfdEvent *event)
{
  NsCursor cursor;

  memset (event, 0, sizeof *event);
  if (record->id < NS_AFD_CREATE || record->id > NS_AFD_LISTEN)
    return FALSE;
  ns_record_cursor (record, &cursor);
  event->is_exit = ns_cursor_u32 (&cursor) != 0;
  event->location = ns_cursor_u32 (&cursor);
  event->process = ns_cursor_ptr (&cursor, record->pointer_size);
  event->endpoint = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor))
    return FALSE;
  read_rest (&cursor, record, event);
  return event->endpoint != 0;
}
