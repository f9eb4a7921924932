/* The parts of the engine, and the traces they build.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

NsTrace *ns_trace_new_empty (NsEtlFile *file, NsSchemas *schemas);
NsTrace *ns_trace_build (NsEtlFile *file,
                         NsSchemas *schemas,
                         const NsTraceOptions *options,
                         NsProgressFunc progress,
                         gpointer progress_data,
                         GError **error);

G_END_DECLS
