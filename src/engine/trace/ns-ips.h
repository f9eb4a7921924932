/* Interns IP addresses as numbers, for use in keys of maps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"

G_BEGIN_DECLS

typedef struct _NsIps NsIps;

NsIps *ns_ips_new (void);
void ns_ips_free (NsIps *self);
void ns_ips_expect (const NsIps *self, const NsIp *ip);
guint32 ns_ips_add (NsIps *self, const NsIp *ip);
guint32 ns_ips_find (const NsIps *self, const NsIp *ip);
guint ns_ips_get_size (const NsIps *self);

/* Packs a number (of an address, a process) and two ports into one word of a key. */
static inline guint64
ns_ips_key (guint32 number, guint16 port, guint16 other_port)
{
  return (guint64) number << 32 | (guint32) port << 16 | other_port;
}

/* Folds a key into 32 bits to tell whether it has changed: certain if only the ports differ. */
static inline guint32
ns_ips_fold (guint64 key)
{
  return (guint32) key ^ (guint32) (key >> 32) * 0x9e3779b1u;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsIps, ns_ips_free)

G_END_DECLS
