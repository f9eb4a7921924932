/* Traces of several machines, their rows on one clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-pairs.h"

G_BEGIN_DECLS

/* So many of a case are read. */
#define NS_MACHINES_MAX 8

/**
 * NsMachine:
 * @trace: what was recorded on it; its times are those of the first machine of the list
 * @name: of the computer, else of its first file; no two have the same
 * @clock: what its clock was aligned by
 * @ahead_ns: by how much its clock is ahead of that of the first machine
 * @uncertainty_ns: by how much that may be wrong; of no meaning where @clock is the wall clock's
 * @drift: nanoseconds that its clock gains in one of the first
 * @n_connections: connections that it has in common with the machine that was named first
 * @n_exchanges: ways there and back that show the clocks, likewise
 *
 * One machine of several.
 */
typedef struct
{
  NsTrace *trace;
  char *name;
  NsPairsClock clock;
  gint64 ahead_ns;
  gint64 uncertainty_ns;
  double drift;
  guint n_connections;
  guint n_exchanges;
} NsMachine;

GArray *ns_machines_open (const char *path,
                          const NsTraceOptions *options,
                          NsProgressFunc progress,
                          gpointer progress_data,
                          GPtrArray **left_out,
                          GError **error);

G_END_DECLS
