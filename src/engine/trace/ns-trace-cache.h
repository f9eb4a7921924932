/* Cache of values that are computed from an opened trace on demand, once, and kept as long as the
 * trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Slots of the cache; the file of the same name makes the value. */
typedef enum
{
  NS_CACHE_NAMER,
  NS_CACHE_SCHED,
  NS_CACHE_SCHED_ASKER,
  NS_CACHE_PACKET_MASK,
  NS_CACHE_FINDINGS,
  NS_CACHE_FINDING_EVENTS,
  NS_CACHE_ROW_KEYS,
  NS_CACHE_N,
} NsCacheSlot;

NsTraceCache *ns_trace_cache_new (void);
void ns_trace_cache_free (NsTraceCache *self);
gpointer ns_trace_cache_get (NsTraceCache *self, NsCacheSlot slot);
gboolean ns_trace_cache_begin (NsTraceCache *self,
                               NsCacheSlot slot,
                               NsProgressFunc progress,
                               gpointer progress_data);
void
ns_trace_cache_end (NsTraceCache *self, NsCacheSlot slot, gpointer thing, GDestroyNotify destroy);

G_END_DECLS
