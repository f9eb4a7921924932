/* When a trace tells that events were lost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Moments kept; a session that loses more often is hatched as a whole anyway. */
#define NS_LOSSES_MAX 10000

/* Processors told of; a page cannot show more, and a damaged file may name any number. */
#define NS_LOSSES_MAX_PROCESSORS 64

/**
 * NsLossProcessor:
 * @cpu: its number
 * @seen: from its first to its last record
 * @n_losses: how often something of it was lost, as the flags of its buffers say
 * @losses: (element-type NsTimeSpan): between which times; at most %NS_LOSSES_MAX of all
 *   processors
 *
 * What a trace has of one processor.
 */
typedef struct
{
  guint cpu;
  NsTimeSpan seen;
  guint n_losses;
  GArray *losses;
} NsLossProcessor;

GArray *ns_losses_find (const NsTrace *trace);
GPtrArray *ns_losses_list_processors (const NsTrace *trace, guint *n_more);

G_END_DECLS
