/* Sets the chain fields of rows of the master table: depth, number of stacks, first thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-chain-link.h"
#include "engine/ns-runs.h"
#include "engine/ns-tasks.h"

/* Chains can be as long as the trace, so none is walked here: the summaries tell. */
void
ns_chain_link_activities (NsBuilder *builder)
{
  const NsRuns *runs = builder->trace->runs;
  GArray *activities = builder->trace->activities;
  guint i;

  for (i = 0; i < activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (activities, NsActivityRow, i);

      if (row->stack != 0 && (row->stack_tid == 0 || row->stack_tid == NS_PID_UNKNOWN))
        row->stack_tid = row->tid;
      /* Work whose queuing was never seen explains nothing. */
      if (!ns_runs_is_link (runs, row->link))
        {
          row->link = 0;
          continue;
        }
      if (row->stack_tid == 0)
        row->stack_tid = row->tid;
      ns_tasks_use_link (builder, row->link);
    }
}
