/* The table of lines from logs of other tools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "side/ns-side.h"

G_BEGIN_DECLS

/* One line of a log of another tool, opened beside the trace. */
typedef struct
{
  gint64 time_ns;
  gint64 uncertainty_ns;
  gint64 duration_ns;       /* NS_UNKNOWN: not recorded */
  const NsEndpoint *remote; /* never %NULL */
  const NsEndpoint *local;
  NsString source; /* name of the log file */
  NsString text;
  NsString action;
  NsString status;
  NsString process;
  NsString server;
  NsString url;
  NsString protocol;
  guint32 line; /* line number in the file, from 1 */
  guint32 pid;
  guint32 tid;
  NsRow activity;   /* the most likely operation */
  guint16 log;      /* index of the log in the trace */
  gint8 confidence; /* confidence of @activity, an NsConfidence; -1: none */
  NsBool failed;
} NsLogRow;

gboolean ns_log_is_archive (const char *path, const char *time_columns);
void ns_log_accept_archives (NsEtlFile *file, const char *time_columns);
void ns_log_read_archives (const NsEtlFile *file,
                           const NsSideOptions *options,
                           GPtrArray *logs,
                           NsSideLineFunc func,
                           gpointer user_data);
gboolean ns_trace_has_handed_logs (const NsEtlFile *file);
void ns_trace_add_logs (NsTrace *self, const GPtrArray *paths, const NsTraceOptions *options);
gint64 ns_trace_filetime_to_ns (const NsTrace *self, guint64 filetime);

G_END_DECLS
