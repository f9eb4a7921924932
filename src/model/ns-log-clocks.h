/* How the logs beside a trace, and its files, are read: what is added to their times, and which
 * columns of tables have them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/open/ns-log.h"
#include "engine/trace/ns-trace-align.h"

G_BEGIN_DECLS

/**
 * NsLogClock:
 * @path: the log, or what ns_trace_dup_input_path() says of a file of the trace
 * @offset_ns: what is added to its times
 * @time_column: (nullable): which column holds them; %NULL: its title tells
 * @is_unknown: no title tells
 *
 * What the user says of the times of a log, or of a file of the trace.
 */
typedef struct
{
  const char *path;
  gint64 offset_ns;
  const char *time_column;
  gboolean is_unknown;
} NsLogClock;

gboolean ns_log_clock_parse_offset (const char *text, gint64 *offset_ns);
char *ns_log_clock_offset_to_text (gint64 offset_ns);

gboolean
ns_log_clocks_find (const NsTrace *trace, const char *path, NsLogClock *clock, char ***columns);
const char *ns_log_clocks_find_unknown (const NsTrace *trace, GHashTable *but);
void ns_log_clocks_list (const NsTrace *trace,
                         const NsLogClock *changed,
                         char **offsets,
                         char **time_columns);
gboolean ns_log_clocks_are_corrected (const NsTrace *trace);
void ns_log_clocks_save (const NsTrace *trace, GVariantDict *view);
void
ns_log_clocks_ask (const NsTrace *trace, char **offsets, char **time_columns, gpointer user_data);

char *ns_log_clocks_find_inputs (const NsTrace *trace, const char *offsets);

G_END_DECLS
