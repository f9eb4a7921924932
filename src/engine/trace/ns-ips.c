/* Interns IP addresses as numbers, for use in keys of maps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-ips.h"

#include "base/ns-map.h"

struct _NsIps
{
  GArray *ips; /* NsIp */
  NsMap *by_hash;
};

/**
 * ns_ips_new:
 *
 * Returns: (transfer full): an empty set
 */
NsIps *
ns_ips_new (void)
{
  NsIps *self = g_new0 (NsIps, 1);

  self->ips = g_array_new (FALSE, FALSE, sizeof (NsIp));
  self->by_hash = ns_map_new ();
  return self;
}

/**
 * ns_ips_free:
 * @self: (transfer full) (nullable): a set
 */
void
ns_ips_free (NsIps *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->ips);
  ns_map_free (self->by_hash);
  g_free (self);
}

/* Finds an address. @round: second word of the key; addresses with equal hashes use further
 * rounds. */
static guint32
probe (const NsIps *self, const NsIp *ip, guint64 hash, guint64 *round)
{
  guint32 id;

  for (*round = 0; (id = ns_map_get (self->by_hash, hash, *round)) != 0; (*round)++)
    if (ns_ip_equal (&g_array_index (self->ips, NsIp, id - 1), ip))
      return id;
  return 0;
}

/**
 * ns_ips_find:
 * @self: a set
 * @ip: an address; IPv4-mapped IPv6 equals IPv4
 *
 * Returns: its number; 0 if it is not in the set
 */
guint32
ns_ips_find (const NsIps *self, const NsIp *ip)
{
  guint64 round;

  return probe (self, ip, ns_ip_hash (ip), &round);
}

/**
 * ns_ips_expect:
 * @self: a set
 * @ip: an address that will soon be looked up
 *
 * Prefetches what that look-up will need.
 */
void
ns_ips_expect (const NsIps *self, const NsIp *ip)
{
  ns_map_expect (self->by_hash, ns_ip_hash (ip), 0);
}

/**
 * ns_ips_add:
 * @self: a set
 * @ip: an address; IPv4-mapped IPv6 equals IPv4
 *
 * Returns: its number, the same for equal addresses
 */
guint32
ns_ips_add (NsIps *self, const NsIp *ip)
{
  guint64 hash = ns_ip_hash (ip);
  guint64 round;
  guint32 id = probe (self, ip, hash, &round);

  if (id != 0)
    return id;
  g_array_append_val (self->ips, *ip);
  ns_map_set (self->by_hash, hash, round, self->ips->len);
  return self->ips->len;
}

/**
 * ns_ips_get_size:
 * @self: a set
 *
 * Returns: the number of addresses
 */
guint
ns_ips_get_size (const NsIps *self)
{
  return self->ips->len;
}
