/* Functions with which the builder and its parts make a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

NsTrace *ns_trace_new (NsEtlFile *file, NsSchemas *schemas);
void ns_trace_own (NsTrace *self, gpointer data, GDestroyNotify destroy);
GArray *ns_trace_make_table (NsTrace *self, gsize row_bytes, GDestroyNotify clear);
const NsGuid *ns_trace_keep_guid (NsTrace *self, const NsGuid *guid);
const gint64 *ns_trace_keep_phases (NsTrace *self, const gint64 phases[NS_N_PHASES]);
void ns_trace_keep_row_phases (NsTrace *self, NsActivityRow *row, const gint64 phases[NS_N_PHASES]);

G_END_DECLS
