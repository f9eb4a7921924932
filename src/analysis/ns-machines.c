/* Traces of several machines, with their times on one clock.
 *
 * Each machine has a trace of its own, so that processes, threads, sockets and stacks of different
 * machines are never mixed up. The clock offsets are known only after the traces were read; traces
 * that need another clock are read again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-machines.h"

#include "engine/trace/ns-trace-align.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Time between two times that are compared to measure the drift: 13 days. */
#define LONG_NS (G_GINT64_CONSTANT (1) << 50)

/* A machine while the list is built. */
typedef struct
{
  NsMachine machine;
  GPtrArray *paths;          /* (element-type utf8), NULL-terminated: its files */
  GPtrArray *members;        /* (element-type utf8): member of each file; NULL: the whole file */
  GPtrArray *logs_elsewhere; /* NULL-terminated: archives whose logs belong to earlier machines */
  NsClockFit fit;            /* from the clock of the first named machine to its own */
} Draft;

static void
machine_clear (gpointer data)
{
  NsMachine *self = data;

  g_clear_pointer (&self->trace, ns_trace_unref);
  g_free (self->name);
}

static void
draft_clear (gpointer data)
{
  Draft *self = data;

  machine_clear (&self->machine);
  g_clear_pointer (&self->paths, g_ptr_array_unref);
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_clear_pointer (&self->logs_elsewhere, g_ptr_array_unref);
}

/* Copies the files that @trace left out: they may belong to another machine. */
static void
add_left_out (GPtrArray *left_out, const NsTrace *trace)
{
  const GPtrArray *refused = ns_etl_file_get_refused (trace->file);
  guint i;

  for (i = 0; refused != NULL && i < refused->len; i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);
      NsEtlRefused *copy = g_new (NsEtlRefused, 1);

      *copy = *one;
      copy->path = g_strdup (one->path);
      copy->member = g_strdup (one->member);
      copy->reason = g_strdup (one->reason);
      g_ptr_array_add (left_out, copy);
    }
}

/* Moves the files of other machines from @left_out to @draft, to be read together. Returns:
 * %FALSE if there are none */
static gboolean
take_others (GPtrArray *left_out, Draft *draft)
{
  guint i = 0;

  draft->paths = g_ptr_array_new_with_free_func (g_free);
  draft->members = g_ptr_array_new_with_free_func (g_free);
  while (i < left_out->len)
    {
      NsEtlRefused *one = g_ptr_array_index (left_out, i);

      if (!one->is_other_machine)
        {
          i++;
          continue;
        }
      g_ptr_array_add (draft->paths, g_steal_pointer (&one->path));
      g_ptr_array_add (draft->members, g_steal_pointer (&one->member));
      g_ptr_array_remove_index (left_out, i);
    }
  if (draft->paths->len == 0)
    {
      draft_clear (draft);
      return FALSE;
    }
  g_ptr_array_add (draft->paths, NULL);
  return TRUE;
}

/* Excludes archives whose logs were read with an earlier machine. */
static void
leave_logs (const GArray *drafts, Draft *draft)
{
  guint i;
  guint k;

  draft->logs_elsewhere = g_ptr_array_new_with_free_func (g_free);
  for (i = 0; i < drafts->len; i++)
    {
      const NsTrace *trace = g_array_index (drafts, Draft, i).machine.trace;
      const GPtrArray *archives = ns_etl_file_get_log_archives (trace->file);

      for (k = 0; archives != NULL && k < archives->len; k++)
        g_ptr_array_add (draft->logs_elsewhere, g_strdup (g_ptr_array_index (archives, k)));
    }
  g_ptr_array_add (draft->logs_elsewhere, NULL);
}

/* Puts files that could not be read back into the list, so that the other machines are shown. */
static void
put_back (GPtrArray *left_out, const Draft *draft, const char *reason)
{
  guint i;

  for (i = 0; i + 1 < draft->paths->len; i++)
    {
      NsEtlRefused *one = g_new0 (NsEtlRefused, 1);

      one->path = g_strdup (g_ptr_array_index (draft->paths, i));
      one->member = g_strdup (g_ptr_array_index (draft->members, i));
      one->reason = g_strdup (reason);
      g_ptr_array_add (left_out, one);
    }
}

/* Returns the options for opening a machine whose files are known. */
static NsTraceOptions
get_options (const Draft *draft, const NsTraceOptions *options)
{
  NsTraceOptions ours = *options;

  ours.members = (const char *const *) draft->members->pdata;
  ours.logs_elsewhere = (const char *const *) draft->logs_elsewhere->pdata;
  ours.beside = (const char *const *) draft->paths->pdata + 1;
  ours.is_recursive = FALSE;
  ours.is_one_of_several = TRUE;
  return ours;
}

/* Returns a unique name, as one computer may have been booted twice. */
static char *
dup_name (const GArray *drafts, const NsTrace *trace)
{
  g_autofree char *name = ns_pairs_dup_machine (trace);
  char *unique = g_strdup (name);
  guint n = 1;
  guint i;

  for (i = 0; i < drafts->len; i++)
    if (strcmp (g_array_index (drafts, Draft, i).machine.name, unique) == 0)
      {
        g_free (unique);
        unique = g_strdup_printf ("%s (%u)", name, ++n);
        i = G_MAXUINT;
      }
  return unique;
}

/* Determines the clock offset of @draft from the first machine. */
static void
align (const Draft *first, Draft *draft, const char *offsets)
{
  gint64 of_first_ns = 0;
  gint64 offset_ns = 0;
  gboolean is_told = ns_trace_find_offset (first->machine.trace, offsets, &of_first_ns);
  NsPairs *pairs;

  is_told |= ns_trace_find_offset (draft->machine.trace, offsets, &offset_ns);
  offset_ns -= of_first_ns;
  pairs = ns_pairs_new (first->machine.trace, draft->machine.trace, is_told ? &offset_ns : NULL);
  draft->fit = pairs->fit;
  draft->machine.clock = pairs->clock;
  draft->machine.ahead_ns = ns_pairs_get_ahead (pairs);
  draft->machine.uncertainty_ns = pairs->fit.uncertainty_ns;
  draft->machine.drift = pairs->fit.drift;
  draft->machine.n_connections = pairs->connections->len;
  draft->machine.n_exchanges = pairs->fit.n_exchanges;
  ns_pairs_free (pairs);
}

/* Converts a time from the clock of one machine to that of another. */
static gint64
convert (const Draft *from, const Draft *to, gint64 time_ns)
{
  return ns_clock_fit_to_second (&to->fit, ns_clock_fit_to_first (&from->fit, time_ns));
}

/* Reads @draft again, with times by the clock of @first. */
static gboolean
reopen (Draft *draft,
        const Draft *first,
        const NsTraceOptions *options,
        NsProgressFunc progress,
        gpointer progress_data,
        GError **error)
{
  NsEtlAlignment alignment = {
    .zero_filetime = ns_etl_file_ns_to_filetime (first->machine.trace->file, 0),
    .zero_ns = convert (draft, first, 0),
  };

  alignment.drift =
      (double) (convert (draft, first, LONG_NS) - alignment.zero_ns - LONG_NS) / (double) LONG_NS;
  ns_trace_unref (draft->machine.trace);
  draft->machine.trace = ns_trace_open_aligned (draft->paths->pdata[0],
                                                options,
                                                &alignment,
                                                progress,
                                                progress_data,
                                                error);
  return draft->machine.trace != NULL;
}

/* Reads the files of a further machine.
 *
 * Returns: %FALSE if stopped
 */
static gboolean
open_next (GArray *drafts,
           Draft *draft,
           GPtrArray *left_out,
           const NsTraceOptions *options,
           NsProgressFunc progress,
           gpointer progress_data,
           GError **error)
{
  NsTraceOptions ours;
  GError *wrong = NULL;

  leave_logs (drafts, draft);
  ours = get_options (draft, options);
  ours.want_moves = TRUE;
  draft->machine.trace =
      ns_trace_open (draft->paths->pdata[0], &ours, progress, progress_data, &wrong);
  if (draft->machine.trace == NULL)
    {
      gboolean is_stopped = g_error_matches (wrong, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED);

      if (!is_stopped)
        put_back (left_out, draft, wrong->message);
      draft_clear (draft);
      if (is_stopped)
        g_propagate_error (error, wrong);
      else
        g_error_free (wrong);
      return !is_stopped;
    }
  add_left_out (left_out, draft->machine.trace);
  draft->machine.name = dup_name (drafts, draft->machine.trace);
  align (&g_array_index (drafts, Draft, 0), draft, options->offsets);
  g_array_append_val (drafts, *draft);
  return TRUE;
}

/* Converts all traces to the clock of the machine that began first, so that no time is negative. */
static gboolean
join (GArray *drafts,
      const NsTraceOptions *options,
      NsProgressFunc progress,
      gpointer progress_data,
      GError **error)
{
  Draft first;
  guint best = 0;
  guint i;

  for (i = 1; i < drafts->len; i++)
    if (convert (&g_array_index (drafts, Draft, i), &g_array_index (drafts, Draft, 0), 0) <
        convert (&g_array_index (drafts, Draft, best), &g_array_index (drafts, Draft, 0), 0))
      best = i;
  first = g_array_index (drafts, Draft, best);
  for (i = 0; i < drafts->len; i++)
    {
      Draft *draft = &g_array_index (drafts, Draft, i);
      NsTraceOptions ours = i == 0 ? *options : get_options (draft, options);

      if (i != best && !reopen (draft, &first, &ours, progress, progress_data, error))
        return FALSE;
      ns_etl_file_set_title (draft->machine.trace->file, draft->machine.name);
    }
  /* Convert the offsets so that they are relative to the first machine of the list. */
  for (i = 0; i < drafts->len; i++)
    if (i != best)
      {
        NsMachine *machine = &g_array_index (drafts, Draft, i).machine;

        machine->ahead_ns -= first.machine.ahead_ns;
        machine->drift -= first.machine.drift;
        if (i == 0)
          {
            machine->clock = first.machine.clock;
            machine->uncertainty_ns = first.machine.uncertainty_ns;
            machine->n_connections = first.machine.n_connections;
            machine->n_exchanges = first.machine.n_exchanges;
          }
        else if (best != 0)
          machine->uncertainty_ns =
              ns_time_sum (machine->uncertainty_ns, first.machine.uncertainty_ns);
      }
  if (best != 0)
    {
      g_array_index (drafts, Draft, best) = g_array_index (drafts, Draft, 0);
      g_array_index (drafts, Draft, 0) = first;
    }
  return TRUE;
}

/* Sets the reason for files of machines beyond the maximum. */
static void
report_too_many (GPtrArray *left_out)
{
  guint i;

  for (i = 0; i < left_out->len; i++)
    {
      NsEtlRefused *one = g_ptr_array_index (left_out, i);

      if (!one->is_other_machine)
        continue;
      g_free (one->reason);
      one->reason = g_strdup_printf (_ ("no more than %d machines are shown"), NS_MACHINES_MAX);
      one->has_names = FALSE;
    }
}

/**
 * ns_machines_open:
 * @path: a trace, a container with traces, or a folder of them
 * @options: options, and further files
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 * @left_out: (out) (transfer full) (element-type NsEtlRefused): files that belong to no machine
 * @error: %NS_TRACE_ERROR
 *
 * Opens traces of one or several machines. Each machine has a trace of its own, with times by the
 * clock of the one that began first. Clock offsets are derived from connections that both machines
 * recorded, else from the wall clocks. Logs are read with the machine named first.
 *
 * Returns: (transfer full) (nullable) (element-type NsMachine): the machines, the one whose clock
 *   is used first; a single one has no name
 */
GArray *
ns_machines_open (const char *path,
                  const NsTraceOptions *options,
                  NsProgressFunc progress,
                  gpointer progress_data,
                  GPtrArray **left_out,
                  GError **error)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (ns_etl_refused_free);
  g_autoptr (GArray) drafts = g_array_new (FALSE, FALSE, sizeof (Draft));
  GArray *machines;
  NsTraceOptions ours = *options;
  Draft first = { 0 };
  Draft next = { 0 };
  guint i;

  g_array_set_clear_func (drafts, draft_clear);
  first.machine.trace = ns_trace_open (path, &ours, progress, progress_data, error);
  if (first.machine.trace != NULL && !ours.want_moves &&
      ns_etl_file_has_other_machines (first.machine.trace->file))
    {
      /* Times of transfers are needed for the clock offsets. */
      ours.want_moves = TRUE;
      ns_trace_unref (first.machine.trace);
      first.machine.trace = ns_trace_open (path, &ours, progress, progress_data, error);
    }
  if (first.machine.trace == NULL)
    return NULL;
  first.paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (first.paths, g_strdup (path));
  for (i = 0; options->beside != NULL && options->beside[i] != NULL; i++)
    g_ptr_array_add (first.paths, g_strdup (options->beside[i]));
  g_ptr_array_add (first.paths, NULL);
  first.machine.name = ns_pairs_dup_machine (first.machine.trace);
  g_array_append_val (drafts, first);

  add_left_out (others, first.machine.trace);
  while (drafts->len < NS_MACHINES_MAX && take_others (others, &next))
    {
      if (!open_next (drafts, &next, others, options, progress, progress_data, error))
        return NULL;
      next = (Draft){ 0 };
    }
  report_too_many (others);
  if (drafts->len > 1 && !join (drafts, options, progress, progress_data, error))
    return NULL;
  if (drafts->len == 1)
    g_clear_pointer (&g_array_index (drafts, Draft, 0).machine.name, g_free);

  machines = g_array_new (FALSE, FALSE, sizeof (NsMachine));
  g_array_set_clear_func (machines, machine_clear);
  for (i = 0; i < drafts->len; i++)
    {
      NsMachine *machine = &g_array_index (drafts, Draft, i).machine;

      g_array_append_val (machines, *machine);
      *machine = (NsMachine){ NULL };
    }
  *left_out = g_steal_pointer (&others);
  return machines;
}
