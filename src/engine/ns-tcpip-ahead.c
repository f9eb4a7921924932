/* What an event is about to be entered in, and the connection that it is of, fetched before: in a
 * large trace each of these looks would else be a miss of the caches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fetch.h"
#include "engine/ns-tcpip-private.h"
#include "engine/ns-winsock.h"

/* What a new connection is entered in, and the socket above it looked for by. */
static void
expect_request (const NsTcpip *self, const NsRecord *record, const NsTcpipEvent *event)
{
  guint32 pid = ns_tcpip_known_pid (record->pid);
  guint32 ip = ns_ips_find (self->ips, &event->remote.ip);
  guint64 remote;

  if (ip == 0)
    return;
  remote = ns_ips_key (ip, event->remote.port, 0);
  ns_lists_expect (self->by_tuple, ns_ips_key (ip, event->remote.port, event->local.port), 0);
  ns_lists_expect (self->by_remote, remote, NS_TCP_ANY_PROCESS);
  ns_lists_expect (self->by_remote, remote, pid);
  ns_lists_expect (self->by_local, pid, event->local.port);
}

static inline gboolean
claims_above (guint16 id)
{
  return id == NS_TCPIP_REQUEST_CONNECT || id == NS_TCPIP_CONNECT_PROCEEDING ||
         id == NS_TCPIP_CONNECT_COMPLETE;
}

static inline gboolean
is_of_udp (guint16 id)
{
  return id == NS_TCPIP_UDP_SEND || id == NS_TCPIP_UDP_RECEIVE || id == NS_TCPIP_UDP_CLOSE;
}

static void
fetch_connection (const NsTcpip *self, const NsRecord *record, const NsTcpipEvent *event)
{
  NsRow row = ns_map_get (self->by_key, event->key, is_of_udp (record->id));

  if (row == 0)
    return;
  ns_fetch (ns_tcpip_rec_at (self, row), sizeof (NsTcpRec));
  if (record->id == NS_TCPIP_SEND || record->id == NS_TCPIP_SEND_POSTED)
    ns_map_expect (self->held_of, row, 0);
}

void
ns_tcpip_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsTcpip *self = builder->tcpip;
  const NsTcpipEvent *event = record->made;

  if (event == NULL)
    return;
  if (!is_near)
    {
      ns_map_expect (self->by_key, event->key, is_of_udp (record->id));
      if (!claims_above (record->id))
        return;
      ns_ips_expect (self->ips, &event->remote.ip);
      ns_winsock_expect_claim (builder, &event->remote, event->local.port, FALSE);
      if (record->id == NS_TCPIP_REQUEST_CONNECT)
        {
          ns_ends_expect (self->ends, &event->local);
          ns_ends_expect (self->ends, &event->remote);
        }
      return;
    }
  if (record->id == NS_TCPIP_REQUEST_CONNECT)
    expect_request (self, record, event);
  else
    fetch_connection (self, record, event);
  if (claims_above (record->id))
    ns_winsock_expect_claim (builder, &event->remote, event->local.port, TRUE);
}
