/* Reads records of the table of events from the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-event.h"

G_BEGIN_DECLS

gboolean ns_event_read (const NsTrace *trace, guint row, NsEvent *event);
gboolean ns_event_read_plain (const NsTrace *trace, guint row, NsEvent *event);
gboolean ns_event_get_held (const NsTrace *trace, guint row, NsEvent *event);
void ns_event_hold (NsTrace *trace, guint row, const NsRecord *record, const NsSchema *schema);
void ns_event_release (NsTrace *trace);

G_END_DECLS
