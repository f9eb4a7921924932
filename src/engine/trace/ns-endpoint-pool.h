/* Pool of endpoints, each stored once: a million rows of one server share one endpoint.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"

G_BEGIN_DECLS

typedef struct _NsEnds NsEndpointPool;

NsEndpointPool *ns_endpoint_pool_new (void);
void ns_endpoint_pool_free (NsEndpointPool *self);
void ns_endpoint_pool_expect (const NsEndpointPool *self, const NsEndpoint *end);
const NsEndpoint *ns_endpoint_pool_add (NsEndpointPool *self, const NsEndpoint *end);
const NsEndpoint *ns_endpoint_pool_add_port (NsEndpointPool *self, guint16 port);

/* The unknown endpoint. */
extern const NsEndpoint ns_endpoint_pool_none;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEndpointPool, ns_endpoint_pool_free)

G_END_DECLS
