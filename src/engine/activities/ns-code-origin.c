/* The code responsible for an operation: the first frame of its stack outside Windows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain.h"
#include "engine/activities/ns-code-origin.h"
#include "engine/tasks/ns-runs.h"

#include <string.h>

/* Returns whether the image lies below the Windows folder. */
static gboolean
is_of_windows (const NsTrace *trace, NsRow image)
{
  static const char folder[] = "\\windows\\";
  const char *path =
      image != 0 ? ns_trace_text (trace, NS_ROW_AT (trace->images, NsImageRow, image)->path) : NULL;

  for (; path != NULL && *path != '\0'; path++)
    if (*path == '\\' && g_ascii_strncasecmp (path, folder, sizeof folder - 1) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_code_origin_find:
 * @trace: a trace
 * @stack: a stack, or 0
 * @pid: its process
 * @time_ns: when it was taken
 *
 * Windows code works on behalf of a caller further up the stack, so its frames are skipped.
 *
 * Returns: that frame, with an unknown thread; if all frames are Windows code, the innermost
 *   user-mode frame
 */
NsCodeOrigin
ns_code_origin_find (const NsTrace *trace, NsStackId stack, guint32 pid, gint64 time_ns)
{
  NsCodeOrigin origin = { .pid = pid, .tid = NS_PID_UNKNOWN, .time_ns = time_ns };
  guint n_frames = 0;
  const guint64 *frames = stack != 0 ? ns_stacks_get (trace->stacks, stack, &n_frames) : NULL;
  guint i;

  for (i = 0; i < n_frames; i++)
    {
      NsRow image;

      if (ns_trace_is_kernel_address (trace, frames[i]))
        continue;
      image = ns_trace_find_image (trace, pid, frames[i], time_ns);
      origin.is_windows = is_of_windows (trace, image);
      if (origin.is_windows && origin.address != 0)
        continue;
      origin.address = frames[i];
      origin.is_return = i > 0;
      origin.image = image;
      if (!origin.is_windows)
        return origin;
    }
  if (origin.address == 0 && n_frames > 0)
    {
      origin.address = frames[0];
      origin.is_windows = TRUE;
    }
  return origin;
}

static gboolean
is_found (const NsCodeOrigin *origin)
{
  return origin->address != 0 && !origin->is_windows;
}

static NsCodeOrigin
find_in_origin (const NsTrace *trace, NsRunId run)
{
  const NsSubmission *queued = ns_runs_get_origin (trace->runs, run);
  NsCodeOrigin origin = ns_code_origin_find (trace, queued->stack, queued->pid, queued->time_ns);

  /* Queued work has the stack of the thread that queued it. */
  origin.tid = queued->tid;
  return origin;
}

/* Searches the stacks of a chain, without equal consecutive ones, as work that requeues itself
 * repeats its stack. Of a very long chain only the nearest stacks and the root are searched. */
static NsCodeOrigin
find_in_chain (const NsTrace *trace, NsRunId link)
{
  NsCodeOrigin origin = { 0 };
  NsStackId before = 0;
  guint n_stacks = 0;
  guint n_hops;
  NsRunId run = ns_runs_is_link (trace->runs, link) ? link : 0;

  for (n_hops = 0; run != 0; n_hops++)
    {
      NsStackId stack = ns_runs_get_origin (trace->runs, run)->stack;

      if (n_hops == NS_CHAIN_MAX_HOPS || n_stacks == NS_CODE_ORIGIN_MAX_STACKS)
        return find_in_origin (trace,
                               g_array_index (trace->runs->summaries, NsRunSummary, run - 1).root);
      if (stack != 0 && stack != before)
        {
          n_stacks++;
          origin = find_in_origin (trace, run);
          if (is_found (&origin))
            return origin;
        }
      before = stack;
      run = ns_runs_get_older (trace->runs, run);
    }
  return origin;
}

/**
 * ns_code_origin_find_for_activity:
 * @trace: a trace
 * @activity: row of the master table, 0-based
 *
 * If the operation's own stack has only Windows code, uses the code that queued the thread-pool
 * work.
 *
 * Returns: the frame of the code responsible for the operation, see ns_code_origin_find()
 */
NsCodeOrigin
ns_code_origin_find_for_activity (const NsTrace *trace, guint activity)
{
  const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, activity);
  gint64 time_ns = ns_time_is_set (row->open_ns) ? row->open_ns : 0;
  NsCodeOrigin own = ns_code_origin_find (trace, row->stack, row->pid, time_ns);
  NsCodeOrigin other;

  own.tid = row->tid;
  if (is_found (&own))
    return own;
  other = find_in_chain (trace, row->link);
  return is_found (&other) ? other : own;
}
