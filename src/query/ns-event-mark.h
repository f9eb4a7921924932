/* Classifies events: errors, packet drops, state changes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-event.h"

G_BEGIN_DECLS

gboolean ns_event_mark_is_error (const NsEvent *event);
char *ns_event_mark_dup_error (const NsEvent *event);

const char *ns_event_mark_get_drop_source (const NsEvent *event);
gboolean ns_event_mark_get_drop_code (const NsEvent *event, guint64 *code);
char *ns_event_mark_dup_drop_reason (const NsEvent *event);

gboolean ns_event_mark_is_schema (const NsRecord *record);

gboolean ns_event_mark_can_have (const NsGuid *provider);
char *ns_event_mark_dup_lane_providers (void);
const char *ns_event_mark_get_lane (const NsEvent *event);
char *ns_event_mark_dup_subject (const NsEvent *event);
char *ns_event_mark_dup_text (const NsEvent *event);
gboolean
ns_event_mark_get_tcp_change (const NsEvent *event, guint64 *tcb, guint8 *before, guint8 *after);

G_END_DECLS
