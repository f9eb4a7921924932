/* Frees traces in the background.
 *
 * Freeing a million rows takes about 50 ms, which would block the window that releases the last
 * reference.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-trace-leave.h"

/* Interval for checking whether the last other reference is gone. */
#define LOOK_MS 200
/* Maximum number of checks (one minute); after that the last owner frees the trace. */
#define MAX_LOOKS 300

typedef struct
{
  NsTrace *trace;
  guint n_looks;
} Leave;

static gpointer
free_in_thread (gpointer data)
{
  ns_trace_unref (data);
  return NULL;
}

static gboolean
look_cb (gpointer data)
{
  Leave *leave = data;
  GThread *thread;

  if (!ns_trace_is_last (leave->trace) && ++leave->n_looks < MAX_LOOKS)
    return G_SOURCE_CONTINUE;
  thread = g_thread_try_new ("ns-leave", free_in_thread, leave->trace, NULL);
  if (thread != NULL)
    g_thread_unref (thread);
  else
    ns_trace_unref (leave->trace);
  leave->trace = NULL;
  return G_SOURCE_REMOVE;
}

static void
leave_free (gpointer data)
{
  Leave *leave = data;

  g_clear_pointer (&leave->trace, ns_trace_unref);
  g_free (leave);
}

/**
 * ns_trace_leave:
 * @trace: a trace
 *
 * Holds a reference until it is the last one, and then frees the trace in a thread. Call it before
 * releasing a trace; requires a running default main loop.
 */
void
ns_trace_leave (NsTrace *trace)
{
  Leave *leave = g_new0 (Leave, 1);

  leave->trace = ns_trace_ref (trace);
  g_timeout_add_full (G_PRIORITY_LOW, LOOK_MS, look_cb, leave, leave_free);
}
