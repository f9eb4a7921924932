/* Spans that applications report: begin and end, nested per thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-builder.h"

G_BEGIN_DECLS

/* Opcodes of the events that begin and end an activity (WINEVENT_OPCODE_START, _STOP). */
#define NS_APP_OPCODE_START 1
#define NS_APP_OPCODE_STOP 2

void ns_app_spans_add_event (NsBuilder *builder, const NsRecord *record);

/* Cheap: most records are neither begin nor end. */
static inline void
ns_app_spans_event (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) != 0 &&
      (record->opcode == NS_APP_OPCODE_START || record->opcode == NS_APP_OPCODE_STOP))
    ns_app_spans_add_event (builder, record);
}

G_END_DECLS
