/* What two traces have in common, request by request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

typedef enum
{
  NS_CHANGE_GONE, /* only the first trace has it */
  NS_CHANGE_NEW,  /* only the second one has it */
  NS_CHANGE_END,  /* it failed in one of them only, or with another status */
  NS_CHANGE_SLOWER,
  NS_CHANGE_FASTER,
} NsChangeKind;

/* One request that differs; rows are 1-based, 0 where there is none. */
typedef struct
{
  NsChangeKind kind;
  NsRow before; /* of the first trace */
  NsRow after;
  NsPhase phase; /* that changed most; NS_N_PHASES: not told */
  gint64 phase_ns;
  gint64 duration_ns; /* after less before; 0 where there is one side only */
} NsChange;

GArray *ns_difference_new (const NsTrace *before,
                           const NsTrace *after,
                           NsProgressFunc progress,
                           gpointer progress_data);
guint ns_difference_count (const NsTrace *trace);
const char *ns_change_kind_to_text (NsChangeKind kind);
const char *ns_phase_to_text (NsPhase phase);

G_END_DECLS
