/* Traces of several machines, with their times on one clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-pairs.h"

G_BEGIN_DECLS

/* Maximum number of machines read. */
#define NS_MACHINES_MAX 8

/**
 * NsMachine:
 * @trace: its trace; times are by the clock of the list's first machine
 * @name: name of the computer, else of its first file; unique
 * @clock: how its clock was aligned
 * @ahead_ns: offset of its clock from the first machine's
 * @uncertainty_ns: maximum error of @ahead_ns; meaningless if @clock is the wall clock
 * @drift: nanoseconds that its clock gains per nanosecond of the first machine's
 * @n_connections: connections in common with the machine named first
 * @n_exchanges: exchanges with it used for the alignment
 *
 * One of several machines.
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
