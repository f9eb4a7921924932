/* Finds lost events that the trace reports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of reported losses; with more, the whole timeline is hatched anyway. */
#define NS_LOSSES_MAX 10000

/* Maximum number of listed processors; a damaged file may name any number. */
#define NS_LOSSES_MAX_PROCESSORS 64

/**
 * NsLossProcessor:
 * @cpu: its number
 * @seen: time from its first to its last event
 * @n_losses: number of losses, according to the flags of its buffers
 * @losses: (element-type NsTimeSpan): time spans of the losses; at most %NS_LOSSES_MAX over all
 *   processors
 *
 * Events and losses of one processor.
 */
typedef struct
{
  guint cpu;
  NsTimeSpan seen;
  guint n_losses;
  GArray *losses;
} NsLossProcessor;

guint64 ns_losses_count_undecodable (const NsTrace *trace);
GArray *ns_losses_find (const NsTrace *trace);
GPtrArray *ns_losses_list_processors (const NsTrace *trace, guint *n_more);

G_END_DECLS
