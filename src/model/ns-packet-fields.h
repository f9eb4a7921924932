/* Decodes a captured packet into fields, with the bytes of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-event-facts.h"

G_BEGIN_DECLS

NsEventFacts *ns_packet_fields_new (const NsTrace *trace, guint32 row);

G_END_DECLS
