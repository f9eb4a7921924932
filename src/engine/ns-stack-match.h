/* Which stack belongs to which event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

/* For the builder: every record of the first walk. */
NsStackId ns_stack_match_find_inline (NsBuilder *builder, const NsRecord *record);
void ns_stack_match_scan (NsBuilder *builder, const NsRecord *record);
/* For the providers: every record of the second walk; the stack it has for certain. */
NsStackId
ns_stack_match_attach (NsBuilder *builder, const NsRecord *record, guint32 event, guint32 kind);

G_END_DECLS
