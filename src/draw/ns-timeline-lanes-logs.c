/* Lanes of the logs opened beside the trace, one for each log, below all others.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "draw/ns-timeline-lanes.h"

#include "engine/open/ns-log.h"

/* Seed of the keys of log lanes, which are made from the name of the log. */
#define LOGS_KEY 2

/* Returns the index of the first mark of each log, and the total at the end. Sets @first_rows to
 * the first line of each. */
static guint *
count_marks (const GArray *log, guint *n_logs, guint32 **first_rows)
{
  guint *ends;
  guint i;

  *n_logs = 0;
  for (i = 0; i < log->len; i++)
    *n_logs = MAX (*n_logs, (guint) g_array_index (log, NsLogRow, i).log + 1);
  ends = g_new0 (guint, *n_logs + 1);
  *first_rows = g_new0 (guint32, *n_logs + 1);
  for (i = log->len; i-- > 0;)
    {
      guint number = g_array_index (log, NsLogRow, i).log;

      ends[number + 1]++;
      (*first_rows)[number] = i;
    }
  for (i = 0; i < *n_logs; i++)
    ends[i + 1] += ends[i];
  return ends;
}

/**
 * ns_timeline_lanes_add_logs:
 * @self: lanes being built
 * @trace: their trace
 * @rows: (nullable) (element-type guint32): log lines that match the filter; %NULL: all
 * @is_dimmed: whether other lines are shown dimmed, without being counted, instead of left out
 *
 * Adds the log lanes, which have marks instead of rows. Takes time in proportion to the lines.
 */
void
ns_timeline_lanes_add_logs (NsTimelineLanes *self,
                            const NsTrace *trace,
                            const GArray *rows,
                            gboolean is_dimmed)
{
  g_autofree guint8 *matches_filter = NULL;
  g_autofree guint *ends = NULL;
  g_autofree guint32 *first_rows = NULL;
  guint n_logs;
  guint i;

  if (trace->log == NULL || trace->log->len == 0)
    return;
  if (rows != NULL)
    matches_filter = ns_timeline_lanes_flag (rows, trace->log->len);
  ends = count_marks (trace->log, &n_logs, &first_rows);
  g_array_set_size (self->log_marks, trace->log->len);
  for (i = 0; i < n_logs; i++)
    {
      const char *name =
          ns_trace_text (trace, g_array_index (trace->log, NsLogRow, first_rows[i]).source);
      NsLane lane = { .kind = NS_LANE_LOG, .parent = NS_LANE_NONE, .reused = -1, .state = i };

      if (ends[i] == ends[i + 1])
        continue;
      lane.key = ns_map_mix (LOGS_KEY, g_str_hash (name != NULL ? name : ""));
      lane.name = g_string_chunk_insert (self->texts, name != NULL ? name : "");
      lane.first_mark = ends[i];
      g_array_append_val (self->lanes, lane);
    }
  /* The table of log lines is sorted by time, so the marks of each lane are as well. */
  for (i = self->lanes->len; i-- > 0;)
    {
      const NsLane *lane = &g_array_index (self->lanes, NsLane, i);

      if (lane->kind != NS_LANE_LOG)
        break;
      first_rows[lane->state] = i;
    }
  for (i = 0; i < trace->log->len; i++)
    {
      const NsLogRow *row = &g_array_index (trace->log, NsLogRow, i);
      NsLane *lane = &g_array_index (self->lanes, NsLane, first_rows[row->log]);
      gboolean is_matching = matches_filter == NULL || matches_filter[i];

      if (!is_matching && !is_dimmed)
        continue;
      if (is_matching)
        lane->n_matching_marks++;
      if (row->failed)
        lane->n_failed++;
      lane->longest_ns = MAX (lane->longest_ns, row->uncertainty_ns);
      g_array_index (self->log_marks, NsLogMark, lane->first_mark + lane->n_marks++) =
          (NsLogMark){ row->time_ns,   MAX (row->uncertainty_ns, 0), i,
                       lane->n_failed, lane->n_matching_marks,       row->failed ? TRUE : FALSE,
                       is_matching };
    }
}

/**
 * ns_timeline_lanes_find_log:
 * @self: lanes
 * @log: index of a log
 *
 * Returns: its lane, or %NS_LANE_NONE
 */
guint32
ns_timeline_lanes_find_log (const NsTimelineLanes *self, guint log)
{
  guint32 i;

  for (i = self->lanes->len; i-- > 0;)
    {
      const NsLane *lane = ns_timeline_lanes_get (self, i);

      if (lane->kind != NS_LANE_LOG)
        break;
      if (lane->state == log)
        return i;
    }
  return NS_LANE_NONE;
}

/**
 * ns_timeline_lanes_find_line:
 * @self: lanes
 * @row: 0-based index among the lines of all logs
 *
 * Returns: index among the shown lanes of the lane of @row, or %NS_LANE_NONE if the lane is hidden
 *   or the line does not match the filter
 */
guint
ns_timeline_lanes_find_line (const NsTimelineLanes *self, guint32 row)
{
  guint32 i;
  guint k;

  for (i = self->lanes->len; i-- > 0;)
    {
      const NsLane *lane = ns_timeline_lanes_get (self, i);

      if (lane->kind != NS_LANE_LOG)
        break;
      for (k = lane->first_mark; k < lane->first_mark + lane->n_marks; k++)
        if (g_array_index (self->log_marks, NsLogMark, k).row == row)
          return ns_timeline_lanes_find_shown (self, i);
    }
  return NS_LANE_NONE;
}
