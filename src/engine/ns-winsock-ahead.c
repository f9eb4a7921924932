/* What a socket that is made is about to be entered in, fetched before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-winsock-private.h"

/* The socket is new, and its record not yet gone from the caches. */
static void
expect_connect (const NsWinsock *self, const NsAfdEvent *event)
{
  guint32 index = ns_map_get (self->by_endpoint, event->endpoint, 0);
  guint32 ip = ns_ips_find (self->ips, &event->address.ip);

  if (index == 0 || ip == 0)
    return;
  ns_lists_expect (self->by_tuple,
                   ns_ips_key (ip,
                               event->address.port,
                               ns_winsock_rec_at (self, index)->local->port),
                   0);
}

void
ns_winsock_look_ahead (const NsBuilder *builder, const NsRecord *record)
{
  static const NsIp nowhere = { NS_AF_NONE, { 0 } };
  const NsWinsock *self = builder->winsock;
  const NsAfdEvent *event = record->made;

  if (event == NULL)
    return;
  if (record->id == NS_AFD_CREATE)
    ns_map_expect (self->by_endpoint, event->endpoint, 0);
  else if (record->id == NS_AFD_CONNECT_ADDRESS || record->id == NS_AFD_CONNECT_EX_ADDRESS)
    expect_connect (self, event);
  else if (record->id == NS_AFD_BIND_ADDRESS)
    {
      ns_ends_expect (self->ends, &event->address);
      ns_lists_expect (self->by_tuple,
                       ns_ips_key (ns_ips_find (self->ips, &nowhere), 0, event->address.port),
                       0);
    }
}
