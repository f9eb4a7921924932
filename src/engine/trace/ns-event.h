/* One record of the table of events, and the values of its header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Both are valid until the thread reads its next event. */
typedef struct
{
  const NsRecord *record;
  const NsSchema *schema;
  const NsSecrets *secrets; /* secrets of its trace, which must be masked */
} NsEvent;

/* Values of a record's header, the same in every view. */
const char *ns_event_get_header (const NsRecord *record);
gboolean ns_event_has_level (const NsRecord *record);
gboolean ns_event_has_cpu_times (const NsRecord *record);
const char *ns_event_get_opcode_name (const NsEvent *self);
const char *ns_event_get_task_name (const NsEvent *self);
const char *ns_event_get_name (const NsEvent *self);
const char *ns_event_get_level_name (const NsEvent *self);
char *ns_event_dup_keyword_names (const NsEvent *self, const NsSchemas *schemas);
const char *ns_event_get_provider_name (const NsEvent *self, const NsTrace *trace);
guint ns_event_count_frames (const NsRecord *record);

G_END_DECLS
