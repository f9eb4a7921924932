/* Values of a master table row that are looked up in the rows and tasks below it. They are not
 * stored, as there may be millions of rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-below.h"

#include "engine/tasks/ns-runs.h"

static const NsTcpRow *
peek_tcp (const NsTrace *trace, guint activity)
{
  NsRow tcp = g_array_index (trace->activities, NsActivityRow, activity).tcp;

  return tcp != 0 && tcp <= trace->tcp->len ? NS_ROW_AT (trace->tcp, NsTcpRow, tcp) : NULL;
}

/**
 * ns_activity_fetch_below:
 * @trace: a trace
 * @activities: (array length=n_activities): rows of the master table, 0-based
 * @n_activities: number of @activities
 *
 * Prefetches the rows of connections and sockets below the activities, for callers that read
 * several of their members: reading each is dominated by cache misses.
 */
void
ns_activity_fetch_below (const NsTrace *trace, const guint32 *activities, guint n_activities)
{
  guint i;

  for (i = 0; i < n_activities; i++)
    {
      NsRow winsock = g_array_index (trace->activities, NsActivityRow, activities[i]).winsock;
      const NsTcpRow *tcp = peek_tcp (trace, activities[i]);

      if (tcp != NULL)
        {
          __builtin_prefetch (tcp);
          __builtin_prefetch (&tcp->extra);
          __builtin_prefetch (&tcp->pid_source);
        }
      if (winsock != 0 && winsock <= trace->winsock->len)
        {
          const NsWinsockRow *row = NS_ROW_AT (trace->winsock, NsWinsockRow, winsock);

          __builtin_prefetch (&row->tid_close);
          __builtin_prefetch (&row->pid_source);
        }
    }
  for (i = 0; i < n_activities; i++)
    {
      const NsTcpRow *tcp = peek_tcp (trace, activities[i]);

      if (tcp != NULL)
        __builtin_prefetch (tcp->extra);
    }
}

/**
 * ns_activity_get_tcb:
 * @trace: a trace
 * @row: one of its activities
 *
 * Returns: the kernel address of its transport control block or UDP endpoint, 0 if unknown
 */
guint64
ns_activity_get_tcb (const NsTrace *trace, const NsActivityRow *row)
{
  if (row->tcp == 0 || row->tcp > trace->tcp->len)
    return 0;
  return NS_ROW_AT (trace->tcp, NsTcpRow, row->tcp)->tcb;
}

static const NsRunSummary *
peek_summary (const NsTrace *trace, const NsActivityRow *row)
{
  if (row->link == 0 || row->link > trace->runs->summaries->len)
    return NULL;
  return &g_array_index (trace->runs->summaries, NsRunSummary, row->link - 1);
}

/**
 * ns_activity_get_first_tid:
 * @trace: a trace
 * @row: one of its activities
 *
 * Returns: the thread of the first stack of its chain; %NS_PID_UNKNOWN if no task was queued
 */
guint32
ns_activity_get_first_tid (const NsTrace *trace, const NsActivityRow *row)
{
  const NsRunSummary *summary = peek_summary (trace, row);

  if (summary == NULL || summary->root == 0)
    return NS_PID_UNKNOWN;
  return ns_runs_get_origin (trace->runs, summary->root)->tid;
}

/**
 * ns_activity_count_hops:
 * @trace: a trace
 * @row: one of its activities
 *
 * Returns: number of tasks in its chain
 */
guint32
ns_activity_count_hops (const NsTrace *trace, const NsActivityRow *row)
{
  const NsRunSummary *summary = peek_summary (trace, row);

  return summary != NULL ? summary->n_hops : 0;
}

/**
 * ns_activity_count_stacks:
 * @trace: a trace
 * @row: one of its activities
 *
 * Returns: number of stacks in its chain
 */
guint32
ns_activity_count_stacks (const NsTrace *trace, const NsActivityRow *row)
{
  const NsRunSummary *summary = peek_summary (trace, row);

  return (row->stack != 0) + (summary != NULL ? summary->n_stacks : 0);
}
