/* Rule about the life cycle of sockets: D33.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-map.h"
#include "base/ns-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Connection pools keep some sockets open on purpose. */
#define MIN_LEAKED(self) ns_findings_limit (self, NS_THRESHOLD_D33_OPEN)
/* A pool grows only while it warms up; a leak grows all the time. */
#define N_SLICES 10
#define MIN_GROWING_SLICES(self) ns_findings_limit (self, NS_THRESHOLD_D33_GROWING)
/* Some sockets are opened only to query the system. */
#define MIN_UNUSED(self) ns_findings_limit (self, NS_THRESHOLD_D33_UNUSED)
#define STATUS_ADDRESS_IN_USE 0xc000020a
/* Prefix of the group keys for calls out of order. */
#define LIFE "life "

static guint
slice_of (const NsTrace *trace, gint64 time_ns)
{
  gint64 slice_ns = MAX (trace->end_ns / N_SLICES, 1);

  return (guint) CLAMP (time_ns / slice_ns, 0, N_SLICES - 1);
}

/* Counts the slices of the trace in which more sockets were opened than closed. */
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
report_leaked_sockets (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *process = NULL;
  g_autofree char *opener = NULL;
  guint n_opened = group->moments->len;

  if (group->count < MIN_LEAKED (self) ||
      count_growing_slices (self->trace, group) < MIN_GROWING_SLICES (self))
    return;
  group->is_absence = TRUE; /* the missing closes may be among lost events */
  process = ns_findings_dup_process (self, group);
  opener = ns_findings_dup_function (self, (NsStackId) group->sum_a, group->pid, group->process_ns);
  if (opener == NULL)
    {
      ns_findings_report (
          self,
          group,
          NS_SEVERITY_WARNING,
          NS_FINDING_LOW,
          _ ("%s opened %u sockets and closed %u; the number of open sockets grew continuously."),
          process,
          n_opened,
          n_opened - group->count);
      return;
    }
  ns_findings_set_subject (self, group, opener);
  ns_findings_report (
      self,
      group,
      NS_SEVERITY_WARNING,
      NS_FINDING_MEDIUM,
      /* Translators: a process, a function, two numbers. */
      _ ("%s: %s opened %u sockets and closed %u; the number of open sockets grew continuously."),
      process,
      opener,
      n_opened,
      n_opened - group->count);
}

/* Returns when the socket was closed: the end of a process closes its sockets. */
static gint64
get_close (const NsTrace *trace, const NsWinsockRow *socket, NsRow process)
{
  gint64 end_ns;

  if (socket->close_ns != NS_TIME_OPEN || process == 0)
    return socket->close_ns;
  end_ns = NS_ROW_AT (trace->processes, NsProcessRow, process)->end_ns;
  return ns_time_is_set (end_ns) ? end_ns : NS_TIME_OPEN;
}

/* Returns whether the trace contains the creation of the socket; a socket whose first record is its
 * use existed before. */
static gboolean
was_seen_to_open (const NsWinsockRow *socket)
{
  return ns_time_is_set (socket->open_ns) &&
         (socket->stack != 0 || socket->accepted ||
          (socket->open_ns != socket->connect_ns && socket->open_ns != socket->first_data_ns));
}

static void
report_calls_out_of_order (NsFindings *self, NsFindingGroup *group)
{
  NsSeverity severity = NS_SEVERITY_WARNING;
  const char *sentence = NULL;

  switch ((NsCallViolation) group->sum_a)
    {
    case NS_CALL_BIND_FAILED:
      severity = NS_SEVERITY_INFO;
      /* Translators: do not translate the words in braces. */
      sentence = _ ("{process}: sockets could not be bound{times}.");
      break;
    case NS_CALL_LISTENS_UNBOUND:
      sentence = _ ("{process}: listen was called on unbound sockets{times}.");
      break;
    case NS_CALL_AFTER_CLOSE:
      sentence = _ ("{process}: sockets were used after they had been closed{times}.");
      break;
    case NS_CALL_CLOSED_UNUSED:
      if (group->count < MIN_UNUSED (self))
        return;
      severity = NS_SEVERITY_INFO;
      sentence = _ ("{process}: {count} sockets were opened and closed without being used.");
      break;
    case NS_CALL_IN_ORDER:
    case NS_CALL_NEVER_CLOSED: /* reported as a leak if there are enough of them */
    default:
      return;
    }
  ns_findings_report_sentence (self, group, severity, NS_FINDING_MEDIUM, sentence, NULL);
}

/* Groups calls that are out of order for their socket. Ports that are in use belong to rule D41. */
static void
find_calls_out_of_order (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autoptr (GString) extra = g_string_new (LIFE);
  guint n_before = self->order->len;
  guint i;

  for (i = 0; i < self->calls->odd->len; i++)
    {
      NsRow row = g_array_index (self->calls->odd, NsRow, i);
      const NsCallRow *call = NS_ROW_AT (trace->calls, NsCallRow, row);
      NsFindingGroup *group;

      if (call->violation == NS_CALL_NEVER_CLOSED ||
          (call->violation == NS_CALL_BIND_FAILED &&
           (call->status == STATUS_ADDRESS_IN_USE ||
            ns_attempt_end_of (NS_CODE_NTSTATUS, call->status) == NS_ATTEMPT_NO_PORTS)))
        continue;
      g_string_truncate (extra, strlen (LIFE));
      ns_text_append_unsigned (extra, call->violation);
      group = ns_findings_group (self, call->pid, "", extra->str);
      group->sum_a = call->violation;
      ns_findings_add (group, NS_TABLE_CALLS, row, call->activity, call->open_ns, call->open_ns);
    }
  for (i = n_before; i < self->order->len; i++)
    report_calls_out_of_order (self, g_ptr_array_index (self->order, i));
}

/* Adds sockets without a peer from their calls; they have no row of their own. */
static void
gather_unconnected (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint i;

  for (i = 0; i < self->calls->odd->len; i++)
    {
      NsRow row = g_array_index (self->calls->odd, NsRow, i);
      const NsCallRow *call = NS_ROW_AT (trace->calls, NsCallRow, row);
      NsFindingMoment moment = { .table = NS_TABLE_CALLS, .row = row, .close_ns = NS_TIME_OPEN };
      gboolean is_close = call->kind == NS_CALL_CLOSE;
      NsFindingGroup *group;

      if (call->winsock != 0 || !ns_time_is_set (call->open_ns) ||
          (call->violation != NS_CALL_NEVER_CLOSED &&
           !(is_close && call->violation == NS_CALL_CLOSED_UNUSED)))
        continue;
      group = ns_findings_group (self, call->pid, "", "unconnected");
      moment.open_ns = call->open_ns;
      if (is_close)
        moment.close_ns = call->open_ns;
      ns_findings_add_moment (group, &moment);
      if (!is_close)
        ns_findings_add (group, NS_TABLE_CALLS, row, 0, call->open_ns, call->open_ns);
    }
}

/* Returns whether each socket starts after the one before. */
static gboolean
have_own_starts (const NsTrace *trace)
{
  guint i;

  for (i = 1; i < trace->winsock->len; i++)
    if (g_array_index (trace->winsock, NsWinsockRow, i - 1).open_ns >=
        g_array_index (trace->winsock, NsWinsockRow, i).open_ns)
      return FALSE;
  return TRUE;
}

/* The sockets that processes opened within the trace, by process and call stack. */
typedef struct
{
  guint32 *numbers; /* by 0-based socket row: number of its group, from 1; 0: none */
  GArray *n_open;   /* (element-type guint): by group, sockets that were not closed */
} Openers;

/* Fills in the sockets that were created within the trace. A socket has one row per peer, all with
 * the same start. */
static void
read_openers (const NsTrace *trace, Openers *self)
{
  g_autoptr (NsMap) seen = have_own_starts (trace) ? NULL : ns_map_new (); /* by endpoint, start */
  g_autoptr (NsMap) groups = ns_map_new ();
  guint i;

  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i);
      NsRow process;
      guint64 key;
      guint32 n;

      if ((seen != NULL &&
           ns_map_swap (seen, socket->endpoint, (guint64) socket->open_ns, 1) != 0) ||
          !was_seen_to_open (socket))
        continue;
      process = ns_trace_find_process (trace, socket->pid, socket->open_ns);
      key = (guint64) socket->pid << 32 | process;
      n = ns_map_get (groups, key, socket->stack);
      if (n == 0)
        {
          const guint none = 0;

          g_array_append_val (self->n_open, none);
          n = self->n_open->len;
          ns_map_set (groups, key, socket->stack, n);
        }
      self->numbers[i] = n;
      if (get_close (trace, socket, process) == NS_TIME_OPEN)
        g_array_index (self->n_open, guint, n - 1)++;
    }
}

/* Groups the sockets of processes and call stacks that left enough of them open. */
static void
gather_leaks (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree guint32 *numbers = g_new0 (guint32, trace->winsock->len + 1);
  g_autoptr (GArray) n_open = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GString) extra = g_string_new (NULL);
  Openers openers = { numbers, n_open };
  guint i;

  read_openers (trace, &openers);
  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *socket = &g_array_index (trace->winsock, NsWinsockRow, i);
      NsFindingMoment moment = { .table = NS_TABLE_WINSOCK, .row = i + 1 };
      NsFindingGroup *group;
      NsRow process;

      if (numbers[i] == 0 || g_array_index (n_open, guint, numbers[i] - 1) < MIN_LEAKED (self))
        continue;
      process = ns_trace_find_process (trace, socket->pid, socket->open_ns);
      g_string_truncate (extra, 0);
      ns_text_append_unsigned (extra, process);
      ns_text_append (extra, " ", 1);
      ns_text_append_unsigned (extra, socket->stack);
      group = ns_findings_group (self, socket->pid, "", extra->str);
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
}

void
ns_find_socket_lives (NsFindings *self)
{
  gather_leaks (self);
  gather_unconnected (self);
  ns_findings_report_groups (self, report_leaked_sockets);
  find_calls_out_of_order (self);
}
