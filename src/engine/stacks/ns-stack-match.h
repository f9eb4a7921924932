/* Matches stacks with events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* Flag in the note of a record that has its stack: the stack has been looked up. */
#define NS_STACK_MATCH_LOOKED (1u << 31)

/* Returns the stack of a record in the second walk, or 0. */
NsStackId ns_stack_match_find (NsBuilder *builder, const NsRecord *record);
gboolean ns_stack_match_any (const NsRecord *record);

/* Called for every record of the second walk. */
NsStackId ns_stack_match_find_inline (NsBuilder *builder, const NsRecord *record);
NsStackId
ns_stack_match_attach (NsBuilder *builder, const NsRecord *record, guint32 event, guint32 kind);

G_END_DECLS
