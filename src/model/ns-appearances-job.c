/* Reads, in a thread, the points of the network stack at which a packet was captured.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-appearances-job.h"

#include "engine/net/packets/ns-packet-components.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  NsTrace *trace;
  NsRow packet;
} Job;

static void
job_free (gpointer data)
{
  ns_trace_unref (((Job *) data)->trace);
  g_free (data);
}

static void
line_clear (gpointer data)
{
  NsAppearanceLine *line = data;

  g_free (line->place);
  g_free (line->fate);
}

/* Returns, for example, `netvsc.sys, Upper`. */
static char *
dup_place (const NsTrace *trace, const NsPacketAppearances *all, const NsPacketAppearance *one)
{
  const char *name = ns_packet_appearances_get_name (trace, all, one);
  NsString edge =
      one->is_pktmon
          ? ns_packet_components_get_edge_name (trace->packet_components, one->interface, one->edge)
          : NS_STRING_NONE;
  g_autofree char *number = NULL;

  if (name == NULL)
    {
      /* Translators: a component of the network stack, or an adapter. */
      number = one->is_pktmon ? g_strdup_printf (_ ("component %u"), one->interface)
                              : g_strdup_printf (_ ("interface %u"), one->interface);
      name = number;
    }
  return edge != NS_STRING_NONE ? g_strdup_printf ("%s, %s", name, ns_trace_text (trace, edge))
                                : g_strdup (name);
}

static char *
dup_fate (const NsPacketAppearances *all, const NsPacketAppearance *one)
{
  if (one->is_drop)
    /* Translators: why a packet was dropped. */
    return g_strdup_printf (_ ("dropped: %s"), ns_strings_get (all->strings, one->reason));
  return one->is_changed ? g_strdup (_ ("changed")) : NULL;
}

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  g_autoptr (NsPacketAppearances) all =
      ns_packet_appearances_read (job->trace, job->packet, NULL, NULL, &error);
  GArray *lines;
  guint i;

  if (all == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  lines = g_array_new (FALSE, FALSE, sizeof (NsAppearanceLine));
  g_array_set_clear_func (lines, line_clear);
  for (i = 0; i < all->list->len; i++)
    {
      const NsPacketAppearance *one = &g_array_index (all->list, NsPacketAppearance, i);
      const NsPacketAppearance *first = &g_array_index (all->list, NsPacketAppearance, 0);
      NsAppearanceLine line = { .place = dup_place (job->trace, all, one),
                                .fate = dup_fate (all, one),
                                .after_ns = one->time_ns - first->time_ns,
                                .is_drop = one->is_drop,
                                .is_row = one->is_row };

      g_array_append_val (lines, line);
    }
  g_task_return_pointer (task, lines, (GDestroyNotify) g_array_unref);
}

/**
 * ns_appearances_job_run_async:
 * @trace: a trace with a table of events
 * @packet: row of a packet, 1-based
 * @cancellable: (nullable): cancels the wait for the result
 * @callback: (scope async): called when it is done
 * @user_data: for @callback
 *
 * Finds the points of the network stack at which @packet was captured.
 */
void
ns_appearances_job_run_async (NsTrace *trace,
                              NsRow packet,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->trace = ns_trace_ref (trace);
  job->packet = packet;
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_thread);
}

/**
 * ns_appearances_job_run_finish:
 * @result: passed to the callback
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type NsAppearanceLine): the captures of the packet,
 *   ordered by time
 */
GArray *
ns_appearances_job_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
