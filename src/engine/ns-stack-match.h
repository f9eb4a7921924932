/* Which stack belongs to which event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

/* In the note of a record, beside its stack: it has been looked for. */
#define NS_STACK_MATCH_LOOKED (1u << 31)

/* For the builder: every record of the first walk. */
NsStackId ns_stack_match_find_inline (NsBuilder *builder, const NsRecord *record);
void ns_stack_match_scan (NsBuilder *builder, const NsRecord *record);
/* For the providers: every record of the second walk; the stack it has for certain. */
NsStackId
ns_stack_match_attach (NsBuilder *builder, const NsRecord *record, guint32 event, guint32 kind);

G_END_DECLS
