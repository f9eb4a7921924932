/* Opens a trace with its times converted to the clock of another machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "etl/ns-etl-align.h"

G_BEGIN_DECLS

NsTrace *ns_trace_open_aligned (const char *path,
                                const NsTraceOptions *options,
                                const NsEtlAlignment *alignment,
                                NsProgressFunc progress,
                                gpointer progress_data,
                                GError **error);
char *ns_trace_dup_input_path (const NsEtlFile *file, guint input);
gboolean ns_trace_shift_inputs (NsEtlFile *file,
                                const char *offsets,
                                gboolean is_one_of_several,
                                GError **error);
gboolean ns_trace_find_offset (const NsTrace *self, const char *offsets, gint64 *offset_ns);

G_END_DECLS
