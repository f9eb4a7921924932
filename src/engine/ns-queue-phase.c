/* How long the work of an operation waited in queues while the operation went on.
 *
 * Layers that log their own queues have told; for the others the links of the thread pools do, as
 * far as a wait lies between the begin and the end of the operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-queue-phase.h"

#include "engine/ns-runs.h"

/* Hops nearest to the operation; older ones lie before its begin. */
#define MAX_HOPS 16

static gint64
sum_waits (const NsRuns *runs, const NsActivityRow *row, gint64 close_ns)
{
  gint64 sum_ns = 0;
  gint64 until_ns = close_ns;
  NsRunId id = row->link;
  guint i;

  for (i = 0; i < MAX_HOPS && id != 0; i++, id = ns_runs_get_older (runs, id))
    {
      const NsRun *run = ns_runs_get (runs, id);
      const NsSubmission *origin = ns_runs_get_origin (runs, id);
      gint64 begin_ns = MAX (origin->time_ns, row->open_ns);
      gint64 end_ns = MIN (run->start_ns, until_ns);

      /* What ran before the begin was queued before it, too. */
      if (run->start_ns <= row->open_ns || origin->tid == NS_PID_UNKNOWN)
        break;
      if (end_ns > begin_ns)
        sum_ns += end_ns - begin_ns;
      until_ns = MIN (until_ns, origin->time_ns);
    }
  return sum_ns;
}

static void
set_one (NsTrace *trace, NsActivityRow *row)
{
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;
  gint64 queued_ns;
  gint64 known_ns = 0;
  gint64 phases[NS_N_PHASES];
  guint phase;

  if (ns_activity_row_get_phase (row, NS_PHASE_QUEUE) != NS_UNKNOWN ||
      !ns_runs_is_link (trace->runs, row->link) || !ns_time_is_set (row->open_ns) ||
      !ns_time_is_set (close_ns))
    return;
  queued_ns = sum_waits (trace->runs, row, close_ns);
  for (phase = 0; phase < NS_PHASE_OTHER; phase++)
    known_ns += MAX (ns_activity_row_get_phase (row, phase), 0);
  /* Other phases know better what was going on while a piece of work waited. */
  queued_ns = MIN (queued_ns, MAX (close_ns - row->open_ns - known_ns, 0));
  if (queued_ns <= 0)
    return;
  for (phase = 0; phase < NS_N_PHASES; phase++)
    phases[phase] = ns_activity_row_get_phase (row, phase);
  phases[NS_PHASE_QUEUE] = queued_ns;
  phases[NS_PHASE_OTHER] = close_ns - row->open_ns - known_ns - queued_ns;
  row->phases = ns_trace_keep_phases (trace, phases);
}

/**
 * ns_queue_phase_set_all:
 * @builder: a builder whose master table is complete
 *
 * Fills in the phase of waiting in queues where no layer has told it.
 */
void
ns_queue_phase_set_all (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    set_one (trace, &g_array_index (trace->activities, NsActivityRow, i));
}
