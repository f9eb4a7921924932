/* What a connection that begins is about to be entered in, fetched before: in a large trace each
 * of these looks would else be a miss of the caches. Of its later events the first one has fetched
 * most.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-tcpip-private.h"

void
ns_tcpip_look_ahead (const NsBuilder *builder, const NsRecord *record)
{
  const NsTcpip *self = builder->tcpip;
  guint32 pid = ns_tcpip_known_pid (record->pid);
  const NsTcpipEvent *event = record->made;
  guint64 remote;
  guint32 ip;

  if (record->id != NS_TCPIP_REQUEST_CONNECT || event == NULL)
    return;
  ns_map_expect (self->by_key, event->key, FALSE);
  ns_ends_expect (self->ends, &event->local);
  ip = ns_ips_find (self->ips, &event->remote.ip);
  if (ip == 0)
    return;
  remote = ns_ips_key (ip, event->remote.port, 0);
  ns_lists_expect (self->by_tuple, ns_ips_key (ip, event->remote.port, event->local.port), 0);
  ns_lists_expect (self->by_remote, remote, NS_TCP_ANY_PROCESS);
  ns_lists_expect (self->by_remote, remote, pid);
  ns_lists_expect (self->by_local, pid, event->local.port);
}
