/* Divides the time of an operation into contiguous parts, back from its end.
 *
 * The phases of the operation come from the events of its layers. Before its begin, the work that
 * made it ran, and before that it waited in a queue, and so on. These parts are contiguous, so
 * nothing is counted twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-blame.h"

#include "engine/tasks/ns-runs.h"

#include <stdlib.h>
#include <string.h>

static NsBlamePart *
add_part (NsBlame *self, NsBlameKind kind, gint64 span_ns)
{
  NsBlamePart *part;

  if (span_ns <= 0 || self->n_parts == NS_BLAME_MAX_PARTS)
    return NULL;
  part = &self->parts[self->n_parts++];
  memset (part, 0, sizeof *part);
  part->kind = kind;
  part->span_ns = span_ns;
  part->tid = NS_PID_UNKNOWN;
  self->total_ns += span_ns;
  return part;
}

/* Adds the phases, and the rest as a part without a cause; the sum of the phases never exceeds
 * the duration. */
static gboolean
add_phases (NsBlame *self, const NsActivityRow *row, gint64 duration_ns)
{
  gint64 left_ns = duration_ns;
  guint phase;

  for (phase = 0; phase < NS_PHASE_OTHER; phase++)
    if (ns_activity_row_get_phase (row, phase) > 0)
      {
        gint64 span_ns = MIN (ns_activity_row_get_phase (row, phase), left_ns);
        /* The waits of the pool phase are added individually. */
        NsBlamePart *part =
            phase != NS_PHASE_POOL ? add_part (self, NS_BLAME_PHASE, span_ns) : NULL;

        left_ns -= span_ns;
        if (part != NULL)
          part->phase = (NsPhase) phase;
      }
  if (left_ns < duration_ns)
    {
      NsBlamePart *part = add_part (self, NS_BLAME_PHASE, left_ns);

      if (part != NULL)
        part->phase = NS_PHASE_OTHER;
      return TRUE;
    }
  return FALSE;
}

/* Adds the waits for pool threads. If all waits inside the operation are in its pool phase, each
 * is added as a whole, like its thread switch; otherwise only the part of each wait before the
 * operation is added, and the phase covers the rest. */
static void
add_waits (NsBlame *self, const NsTrace *trace, const NsActivityRow *row)
{
  gint64 inside_ns = MAX (ns_activity_row_get_phase (row, NS_PHASE_POOL), 0);
  NsPoolWait wait;
  gboolean is_whole;
  guint i;

  ns_pool_wait_find (&wait, trace, row);
  is_whole = wait.inside_ns == inside_ns;
  self->lead_ns = wait.before_ns + wait.ran_ns;
  if (!is_whole)
    add_part (self, NS_BLAME_PHASE, inside_ns); /* the first phase: NS_PHASE_POOL */
  for (i = 0; i < wait.n_hops; i++)
    {
      const NsPoolHop *hop = &wait.hops[i];
      NsBlamePart *part = add_part (self, NS_BLAME_RUNNING, hop->ran_ns);

      if (part != NULL)
        {
          part->task = hop->kind;
          part->tid = ns_runs_get (trace->runs, hop->run)->tid;
        }
      part = add_part (self, NS_BLAME_QUEUED, hop->before_ns + (is_whole ? hop->inside_ns : 0));
      if (part != NULL)
        {
          part->task = hop->kind;
          part->tid = ns_runs_get_origin (trace->runs, hop->run)->tid;
          part->run = hop->run;
        }
    }
}

static int
compare_parts (const void *a, const void *b)
{
  const NsBlamePart *left = a;
  const NsBlamePart *right = b;

  if (left->span_ns != right->span_ns)
    return left->span_ns > right->span_ns ? -1 : 1;
  return (int) left->kind - (int) right->kind;
}

/* Rounds shares to whole percent by the largest remainder method, so that they add up to 100. */
static void
set_shares (NsBlame *self)
{
  guint left = 100;
  guint i;

  for (i = 0; i < self->n_parts; i++)
    {
      self->parts[i].percent =
          (guint) ((double) self->parts[i].span_ns * 100 / (double) self->total_ns);
      self->parts[i].percent = MIN (self->parts[i].percent, left);
      left -= self->parts[i].percent;
    }
  while (left > 0)
    {
      double largest = -1e9;
      guint at = 0;

      for (i = 0; i < self->n_parts; i++)
        {
          double rest = (double) self->parts[i].span_ns * 100 / (double) self->total_ns -
                        self->parts[i].percent;

          if (rest > largest)
            {
              largest = rest;
              at = i;
            }
        }
      self->parts[at].percent++;
      left--;
    }
}

/**
 * ns_blame_find:
 * @self: (out caller-allocates): the parts of the time
 * @trace: a trace
 * @row: row of the master table, 0-based
 *
 * Returns: %FALSE if nothing is known about it
 */
gboolean
ns_blame_find (NsBlame *self, const NsTrace *trace, guint row)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  gint64 close_ns = activity->close_ns == NS_TIME_OPEN ? trace->end_ns : activity->close_ns;
  gint64 duration_ns;
  gboolean has_phases;

  self->n_parts = 0;
  self->total_ns = 0;
  self->lead_ns = 0;
  self->is_lower_bound = activity->close_ns == NS_TIME_OPEN;
  if (!ns_time_is_set (activity->open_ns) || !ns_time_is_set (close_ns))
    return FALSE;
  duration_ns = MAX (close_ns - activity->open_ns, 0);
  has_phases = add_phases (self, activity, duration_ns);
  add_waits (self, trace, activity);
  /* A single part without a cause explains nothing. */
  if (self->n_parts == 0 || (self->n_parts == 1 && self->parts[0].kind == NS_BLAME_PHASE &&
                             self->parts[0].phase == NS_PHASE_OTHER))
    return FALSE;
  if (!has_phases)
    {
      NsBlamePart *part = add_part (self, NS_BLAME_PHASE, duration_ns);

      if (part != NULL)
        part->phase = NS_PHASE_OTHER;
    }
  qsort (self->parts, self->n_parts, sizeof (NsBlamePart), compare_parts);
  set_shares (self);
  return TRUE;
}

static gboolean
is_of (const NsBlamePart *part, NsBlameKind kind, NsPhase phase)
{
  if (kind != NS_BLAME_PHASE)
    return part->kind == kind;
  if (phase == NS_PHASE_POOL && part->kind == NS_BLAME_QUEUED)
    return TRUE;
  return part->kind == NS_BLAME_PHASE && part->phase == phase;
}

/**
 * ns_blame_get_span:
 * @self: the parts of the time
 * @kind: a kind of parts
 * @phase: for %NS_BLAME_PHASE: the phase; %NS_PHASE_POOL includes all of %NS_BLAME_QUEUED
 *
 * Returns: the sum of these parts, in ns
 */
gint64
ns_blame_get_span (const NsBlame *self, NsBlameKind kind, NsPhase phase)
{
  gint64 sum_ns = 0;
  guint i;

  for (i = 0; i < self->n_parts; i++)
    if (is_of (&self->parts[i], kind, phase))
      sum_ns += self->parts[i].span_ns;
  return sum_ns;
}

/**
 * ns_blame_get_percent:
 * @self: the parts of the time
 * @kind: a kind of parts
 * @phase: see ns_blame_get_span()
 *
 * Returns: the share of these parts; those of all phases and of running code add up to 100
 */
guint
ns_blame_get_percent (const NsBlame *self, NsBlameKind kind, NsPhase phase)
{
  guint percent = 0;
  guint i;

  for (i = 0; i < self->n_parts; i++)
    if (is_of (&self->parts[i], kind, phase))
      percent += self->parts[i].percent;
  return percent;
}
