/* Ends of connections kept once each, so that a million rows of one server point to one address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"

G_BEGIN_DECLS

typedef struct _NsEnds NsEnds;

NsEnds *ns_ends_new (void);
void ns_ends_free (NsEnds *self);
void ns_ends_expect (const NsEnds *self, const NsEndpoint *end);
const NsEndpoint *ns_ends_add (NsEnds *self, const NsEndpoint *end);
const NsEndpoint *ns_ends_add_port (NsEnds *self, guint16 port);

/* The end that is not known. */
extern const NsEndpoint ns_ends_none;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEnds, ns_ends_free)

G_END_DECLS
