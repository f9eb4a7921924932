/* Texts of the trace information about the recording: time, session, missing parts and data rate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

char *ns_info_facts_dup_recorded (const NsTrace *trace);
char *ns_info_facts_dup_session (const NsTrace *trace);
char *ns_info_facts_dup_capture_kit (const NsTrace *trace);
char *ns_info_facts_dup_missing (const NsTrace *trace);
guint64 ns_info_facts_find_rate (const NsTrace *trace);

G_END_DECLS
