/* How the logs beside a trace are read: what is added to their times, and which columns have them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-log.h"

G_BEGIN_DECLS

/**
 * NsLogClock:
 * @path: the log
 * @offset_ns: what is added to its times
 * @time_column: (nullable): which column holds them; %NULL: its title tells
 *
 * What the user says of the times of a log.
 */
typedef struct
{
  const char *path;
  gint64 offset_ns;
  const char *time_column;
} NsLogClock;

gboolean ns_log_clock_parse_offset (const char *text, gint64 *offset_ns);
char *ns_log_clock_offset_to_text (gint64 offset_ns);

void ns_log_clocks_list (const NsTrace *trace,
                         const NsLogClock *changed,
                         char **offsets,
                         char **time_columns);
void ns_log_clocks_save (const NsTrace *trace, GVariantDict *view);
void
ns_log_clocks_ask (const NsTrace *trace, char **offsets, char **time_columns, gpointer user_data);

G_END_DECLS
