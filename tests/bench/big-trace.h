/* Generates traces of any size with the shape of a real recording of network events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-writer.h"

G_BEGIN_DECLS

/**
 * BigTraceOptions:
 * @size: approximate size of the file in bytes
 * @seed: equal seeds give equal traces
 * @n_cpus: number of processors
 * @n_processes: number of processes with connections
 * @is_compressed: whether to write compressed buffers; @size is that of the compressed file
 * @n_connections: if not 0, the number of connections, written with the minimum of events; @size is
 *   then ignored
 */
typedef struct
{
  guint64 size;
  guint32 seed;
  guint n_cpus;
  guint n_processes;
  gboolean is_compressed;
  guint n_connections;
} BigTraceOptions;

/* Counts of the generated trace. */
typedef struct
{
  guint64 n_records;
  guint64 n_connections;
} BigTraceCounts;

gboolean big_trace_write (const BigTraceOptions *options,
                          const char *path,
                          BigTraceCounts *counts,
                          GError **error);

int big_trace_bench (int argc, char *argv[], void (*run) (const char *path, guint n_connections));

G_END_DECLS
