/* Look-up of processes and threads by ID and time, and of images by address: sorted row numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of rows before the nearest one that are examined for an image with the address. */
#define NS_TRACE_MAX_IMAGE_STEPS 512

/* Sort key of a process or thread. */
typedef struct
{
  gint64 begin_ns;
  guint32 id;
  NsRow row;
} NsTraceLife;

typedef struct _NsTraceIndex
{
  GArray *processes; /* NsTraceLife by (pid, start) */
  GArray *threads;   /* NsTraceLife by (tid, start) */
  GArray *images;    /* NsRow by (pid, base, load) */
  GArray *reach;     /* guint64: highest end address of the process's images up to this row */
} NsTraceIndex;

/* About twice the number of threads with network events on a busy machine; a power of two. */
#define NS_TRACE_RECENT_SIZE 2048

/* Cached results of ns_trace_find_process() or ns_trace_find_thread(), each with the times for
 * which it is valid. An all-zero structure is empty; it must be emptied when the table changes. */
typedef struct
{
  struct
  {
    guint32 id;
    NsRow row; /* 0: none */
    gboolean is_used;
    gint64 begin_ns;
    gint64 end_ns; /* last time for which it is valid */
  } slots[NS_TRACE_RECENT_SIZE];
} NsTraceRecent;

NsRow
ns_trace_recent_process (NsTraceRecent *self, const NsTrace *trace, guint32 pid, gint64 time_ns);
NsRow
ns_trace_recent_thread (NsTraceRecent *self, const NsTrace *trace, guint32 tid, gint64 time_ns);

/* Rebuilds the index after the table has changed; called by the builder. */
void ns_trace_index_processes (NsTrace *trace);
void ns_trace_index_threads (NsTrace *trace);
void ns_trace_index_images (NsTrace *trace);
void ns_trace_index_free (NsTraceIndex *self);

G_END_DECLS
