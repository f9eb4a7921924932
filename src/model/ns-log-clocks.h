/* Time settings of the logs beside a trace and of its files: time offsets, and time columns of
 * tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/open/ns-log.h"
#include "engine/trace/ns-trace-align.h"

G_BEGIN_DECLS

/**
 * NsLogClock:
 * @path: the log, or the path of a trace file as returned by ns_trace_dup_input_path()
 * @offset_ns: added to its times
 * @time_column: (nullable): the time column; %NULL to detect it by its title
 * @is_unknown: it cannot be detected
 *
 * Time settings of a log or of a trace file.
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
