/* What an event is about to be entered in, and the socket that it is of, fetched before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fetch.h"
#include "engine/ns-winsock-private.h"

/* The socket is new, and its record not yet gone from the caches. */
static void
expect_connect (const NsWinsock *self, const NsAfdEvent *event, guint32 index)
{
  guint32 ip = ns_ips_find (self->ips, &event->address.ip);

  if (ip != 0)
    ns_lists_expect (self->by_tuple,
                     ns_ips_key (ip,
                                 event->address.port,
                                 ns_winsock_rec_at (self, index)->local->port),
                     0);
}

static void
look_near (const NsWinsock *self, const NsRecord *record, const NsAfdEvent *event)
{
  static const NsIp nowhere = { NS_AF_NONE, { 0 } };
  guint32 index;

  if (record->id == NS_AFD_CREATE)
    return;
  index = ns_map_get (self->by_endpoint, event->endpoint, 0);
  if (index == 0)
    return;
  ns_fetch (ns_winsock_rec_at (self, index), sizeof (NsWsRec));
  if (record->id == NS_AFD_CONNECT_ADDRESS || record->id == NS_AFD_CONNECT_EX_ADDRESS)
    expect_connect (self, event, index);
  else if (record->id == NS_AFD_BIND_ADDRESS)
    ns_lists_expect (self->by_tuple,
                     ns_ips_key (ns_ips_find (self->ips, &nowhere), 0, event->address.port),
                     0);
}

void
ns_winsock_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsWinsock *self = builder->winsock;
  const NsAfdEvent *event = record->made;

  if (event == NULL)
    return;
  if (is_near)
    {
      look_near (self, record, event);
      return;
    }
  ns_map_expect (self->by_endpoint, event->endpoint, 0);
  if (record->id == NS_AFD_CONNECT_ADDRESS || record->id == NS_AFD_CONNECT_EX_ADDRESS)
    {
      ns_ips_expect (self->ips, &event->address.ip);
      ns_ends_expect (self->ends, &event->address);
    }
  else if (record->id == NS_AFD_BIND_ADDRESS)
    ns_ends_expect (self->ends, &event->address);
}

/**
 * ns_winsock_expect_claim:
 * @builder: a builder
 * @remote: peer of a connection, whose socket will be claimed
 * @local_port: of the connection
 * @is_near: soon; else some time before
 *
 * Has the memory fetch what ns_winsock_claim() will look at.
 */
void
ns_winsock_expect_claim (const NsBuilder *builder,
                         const NsEndpoint *remote,
                         guint16 local_port,
                         gboolean is_near)
{
  const NsWinsock *self = builder->winsock;
  guint32 ip;

  if (!is_near)
    {
      ns_ips_expect (self->ips, &remote->ip);
      return;
    }
  ip = ns_ips_find (self->ips, &remote->ip);
  if (ip == 0)
    return;
  ns_lists_expect (self->by_tuple, ns_ips_key (ip, remote->port, local_port), 0);
  ns_lists_expect (self->by_tuple, ns_ips_key (ip, remote->port, 0), 0);
}
