/* Differences between two traces, request by request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef enum
{
  NS_CHANGE_GONE, /* only in the first trace */
  NS_CHANGE_NEW,  /* only in the second trace */
  NS_CHANGE_END,  /* failed in only one of them, or has another status */
  NS_CHANGE_SLOWER,
  NS_CHANGE_FASTER,
} NsChangeKind;

/* A request that differs; rows are 1-based, 0: none. */
typedef struct
{
  NsChangeKind kind;
  NsRow before; /* row of the first trace */
  NsRow after;
  NsPhase phase; /* phase that changed most; NS_N_PHASES: unknown */
  gint64 phase_ns;
  gint64 duration_ns; /* second minus first duration; 0 if only one trace has it */
} NsChange;

GArray *ns_difference_new (const NsTrace *before,
                           const NsTrace *after,
                           NsProgressFunc progress,
                           gpointer progress_data);
guint ns_difference_count (const NsTrace *trace);
const char *ns_change_kind_to_text (NsChangeKind kind);
const char *ns_phase_to_text (NsPhase phase);

G_END_DECLS
