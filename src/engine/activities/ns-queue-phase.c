/* Phase of an operation during which its tasks waited in a thread-pool queue.
 *
 * The waits are determined by the links of the thread pools. Queues of the library itself are
 * another phase, determined by the library's events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-queue-phase.h"

#include "engine/tasks/ns-pool-wait.h"

static void
set_one (NsTrace *trace, NsActivityRow *row)
{
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;
  NsPoolWait wait;
  gint64 waited_ns;
  gint64 known_ns = 0;
  gint64 phases[NS_N_PHASES];
  guint phase;

  if (row->link == 0)
    return;
  ns_pool_wait_find_inside (&wait, trace, row);
  for (phase = 0; phase < NS_PHASE_OTHER; phase++)
    known_ns += MAX (ns_activity_row_get_phase (row, phase), 0);
  /* Other phases take precedence: they show what was done while the work waited. */
  waited_ns = MIN (wait.inside_ns, MAX (close_ns - row->open_ns - known_ns, 0));
  if (waited_ns <= 0)
    return;
  for (phase = 0; phase < NS_N_PHASES; phase++)
    phases[phase] = ns_activity_row_get_phase (row, phase);
  phases[NS_PHASE_POOL] = waited_ns;
  phases[NS_PHASE_OTHER] = close_ns - row->open_ns - known_ns - waited_ns;
  ns_trace_keep_row_phases (trace, row, phases);
}

/**
 * ns_queue_phase_set_all:
 * @builder: a builder whose master table is complete
 *
 * Sets the phase of waiting for a pool thread, for operations whose work waited after their begin.
 */
void
ns_queue_phase_set_all (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    set_one (trace, &g_array_index (trace->activities, NsActivityRow, i));
}
