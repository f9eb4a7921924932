/* Who had an id at a moment, and what was loaded at an address: sorted row numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* How many rows before the nearest one are looked at for an image that holds an address. */
#define NS_TRACE_MAX_IMAGE_STEPS 512

typedef struct _NsTraceIndex
{
  GArray *processes; /* NsRow by (pid, start) */
  GArray *threads;   /* NsRow by (tid, start) */
  GArray *images;    /* NsRow by (pid, base, load) */
  GArray *reach;     /* guint64: highest end of an image of this process up to here */
} NsTraceIndex;

/* For the builder: made anew whenever the table has changed. */
void ns_trace_index_processes (NsTrace *trace);
void ns_trace_index_threads (NsTrace *trace);
void ns_trace_index_images (NsTrace *trace);
void ns_trace_index_free (NsTraceIndex *self);

G_END_DECLS
