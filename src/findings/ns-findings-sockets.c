/* Rules about the life of sockets: D33.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "engine/ns-code-origin.h"
#include "engine/ns-namer.h"

#include <glib/gi18n-lib.h>

/* Pools and lists of neighbors keep some sockets open on purpose. */
#define MIN_LEAKED 50
/* A pool that warms up grows for a while; a leak grows all the time. */
#define N_SLICES 10
#define MIN_GROWING_SLICES 8

/* The function that wanted the sockets; NULL when no stack says. */
static char *
dup_opener (const NsTrace *trace, NsStackId stack, guint32 pid, gint64 time_ns)
{
  NsCodeOrigin origin = ns_code_origin_find (trace, stack, pid, time_ns);

  return origin.address == 0
             ? NULL
             : ns_trace_frame_to_function (trace, pid, origin.address, time_ns, origin.is_return);
}

static guint
slice_of (const NsTrace *trace, gint64 time_ns)
{
  gint64 slice_ns = MAX (trace->end_ns / N_SLICES, 1);

  return (guint) CLAMP (time_ns / slice_ns, 0, N_SLICES - 1);
}

/* In how many slices of the trace more sockets were opened than closed. */
static guint
count_growing_slices (const NsTrace *trace, const NsFindingGroup *group)
{
  gint64 growth[N_SLICES] = { 0 };
  guint n_growing = 0;
  guint i;

  for (i = 0; i < group->moments->len; i++)
    {
      const NsFindingMoment *moment = &g_array_index (group->moments, NsFindingMoment, i);

      growth[slice_of (trace, moment->open_ns)]++;
      if (moment->close_ns != NS_TIME_OPEN)
        growth[slice_of (trace, moment->close_ns)]--;
    }
  for (i = 0; i < N_SLICES; i++)
    n_growing += growth[i] > 0;
  return n_growing;
}

static void
tell_leaked_sockets (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = NULL;
  g_autofree char *opener = NULL;
  guint n_opened = group->moments->len;

  if (group->count < MIN_LEAKED || count_growing_slices (self->trace, group) < MIN_GROWING_SLICES)
    return;
  process = ns_findings_dup_process (self, group);
  opener = dup_opener (self->trace, (NsStackId) group->sum_a, group->pid, group->process_ns);
  if (opener == NULL)
    {
      ns_findings_report (self,
                          group,
                          NS_SEVERITY_WARNING,
                          NS_FINDING_LOW,
                          _ ("%s opened %u sockets and closed %u; their number grew all the time."),
                          process,
                          n_opened,
                          n_opened - group->count);
      return;
    }
  g_free (group->subject);
  group->subject = g_strdup (opener);
  ns_findings_report (self,
                      group,
                      NS_SEVERITY_WARNING,
                      NS_FINDING_MEDIUM,
                      /* Translators: a process, a function, two numbers. */
                      _ ("%s: %s opened %u sockets and closed %u; their number grew all the "
                         "time."),
                      process,
                      opener,
                      n_opened,
                      n_opened - group->count);
}

/* When a socket was done with: what a process leaves open ends with it. */
static gint64
get_close (const NsTrace *trace, const NsWinsockRow *socket, NsRow process)
{
  gint64 end_ns;

  if (socket->close_ns != NS_TIME_OPEN || process == 0)
    return socket->close_ns;
  end_ns = g_array_index (trace->processes, NsProcessRow, process - 1).end_ns;
  return ns_time_is_set (end_ns) ? end_ns : NS_TIME_OPEN;
}

/* What was used when it was first heard of had been there before the trace. */
static gboolean
was_seen_to_open (const NsWinsockRow *socket)
{
  return ns_time_is_set (socket->open_ns) &&
         (socket->stack != 0 || socket->accepted ||
          (socket->open_ns != socket->connect_ns && socket->open_ns != socket->first_data_ns));
}

/* Sockets that were open before the trace have no part in it. A socket has a row for each of its
 * peers, with the same begin. */
void
ns_find_leaked_sockets (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i);
      NsFindingMoment moment = { .table = NS_TABLE_WINSOCK, .row = i + 1 };
      g_autofree char *extra = NULL;
      NsFindingGroup *group;
      NsRow process;

      if (!g_hash_table_add (seen,
                             g_strdup_printf ("%" G_GINT64_MODIFIER "x %" G_GINT64_FORMAT,
                                              socket->endpoint,
                                              socket->open_ns)) ||
          !was_seen_to_open (socket))
        continue;
      process = ns_trace_find_process (trace, socket->pid, socket->open_ns);
      extra = g_strdup_printf ("%u %u", process, socket->stack);
      group = ns_findings_group (self, socket->pid, "", extra);
      group->sum_a = socket->stack;
      moment.open_ns = socket->open_ns;
      moment.close_ns = get_close (trace, socket, process);
      ns_findings_add_moment (group, &moment);
      if (moment.close_ns == NS_TIME_OPEN)
        ns_findings_add (group,
                         NS_TABLE_WINSOCK,
                         i + 1,
                         socket->activity,
                         socket->open_ns,
                         socket->open_ns);
    }
  ns_findings_tell (self, tell_leaked_sockets);
}
