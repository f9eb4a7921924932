/* Why an operation took as long as it did: parts that do not overlap, back from its end.
 *
 * The phases of the operation come from what its layers logged. Before it began, the piece of work
 * that made it ran, and before that it waited in a queue, and so on back: those stretches touch
 * each other, so that nothing is counted twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-blame.h"

#include "engine/ns-chain.h"

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

/* What no phase explains is a part too; phases never add to more than the whole. */
static gboolean
add_phases (NsBlame *self, const NsActivityRow *row, gint64 duration_ns)
{
  gint64 left_ns = duration_ns;
  guint phase;

  for (phase = 0; phase < NS_PHASE_OTHER; phase++)
    if (ns_activity_row_get_phase (row, phase) > 0)
      {
        gint64 span_ns = MIN (ns_activity_row_get_phase (row, phase), left_ns);
        NsBlamePart *part = add_part (self, NS_BLAME_PHASE, span_ns);

        left_ns -= span_ns;
        if (part != NULL)
          part->phase = (NsPhase) phase;
      }
  if (left_ns < duration_ns || self->n_parts > 0)
    {
      NsBlamePart *part = add_part (self, NS_BLAME_PHASE, left_ns);

      if (part != NULL)
        part->phase = NS_PHASE_OTHER;
      return TRUE;
    }
  return FALSE;
}

/* Timers wait because they were told to, and a thread may live long before it does this: both say
 * nothing about this operation. Where repetitions were left out, stretches no longer touch. */
static gboolean
is_on_the_way (const NsChainElement *element, gint64 until_ns)
{
  return element->queued_ns != NS_UNKNOWN && element->omitted == 0 && !element->truncated &&
         element->kind != NS_TASK_NONE && element->kind != NS_TASK_THREAD &&
         element->kind != NS_TASK_TIMER &&
         (element->subtype == NULL || strstr (element->subtype, "Timer") == NULL) &&
         ns_time_is_set (element->start_ns) && element->start_ns <= until_ns;
}

static void
add_waits (NsBlame *self, const NsTrace *trace, guint row, gint64 open_ns)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (trace, row + 1);
  gint64 until_ns = open_ns;
  guint n_hops = 0;
  guint i;

  for (i = chain->elements->len - 1; i > 0 && n_hops < NS_BLAME_MAX_HOPS; i--, n_hops++)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i);
      const NsChainElement *before = &g_array_index (chain->elements, NsChainElement, i - 1);
      NsBlamePart *part;

      if (!is_on_the_way (element, until_ns))
        return;
      part = add_part (self, NS_BLAME_RUNNING, until_ns - element->start_ns);
      if (part != NULL)
        {
          part->task = element->kind;
          part->tid = element->tid_run;
        }
      part = add_part (self, NS_BLAME_QUEUED, element->queued_ns);
      if (part != NULL)
        {
          part->task = element->kind;
          part->tid = before->tid_enqueue;
          part->element = i;
        }
      until_ns = element->start_ns - element->queued_ns;
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

/* Whole percents by the largest remainders: those add to 100 whatever is rounded. */
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
 * @self: (out caller-allocates): where the time went
 * @trace: a trace
 * @row: row of the master table, 0-based
 *
 * Returns: %FALSE when the trace tells nothing about it
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
  self->is_lower_bound = activity->close_ns == NS_TIME_OPEN;
  if (!ns_time_is_set (activity->open_ns) || !ns_time_is_set (close_ns))
    return FALSE;
  duration_ns = MAX (close_ns - activity->open_ns, 0);
  has_phases = add_phases (self, activity, duration_ns);
  if (activity->link != 0)
    add_waits (self, trace, row, activity->open_ns);
  /* All of it in one part without a name says nothing. */
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
