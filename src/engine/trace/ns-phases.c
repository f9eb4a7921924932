/* Divides the time of a request into phases that do not overlap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-phases.h"

/**
 * ns_phases_init:
 * @self: (out): spans of one request
 */
void
ns_phases_init (NsPhases *self)
{
  self->n_spans = 0;
}

/**
 * ns_phases_add:
 * @self: spans of one request
 * @phase: the phase
 * @begin_ns: its begin; nothing is added if unset
 * @end_ns: its end; nothing is added if unset or before @begin_ns
 */
void
ns_phases_add (NsPhases *self, NsPhase phase, gint64 begin_ns, gint64 end_ns)
{
  if (!ns_time_is_set (begin_ns) || !ns_time_is_set (end_ns) || end_ns < begin_ns ||
      self->n_spans == NS_PHASES_MAX_SPANS)
    return;
  self->spans[self->n_spans].phase = phase;
  self->spans[self->n_spans].begin_ns = begin_ns;
  self->spans[self->n_spans].end_ns = end_ns;
  self->n_spans++;
}

/* Returns the next time after @from at which a span begins or ends. */
static gint64
next_edge (const NsPhases *self, gint64 from, gint64 limit)
{
  gint64 edge = limit;
  guint i;

  for (i = 0; i < self->n_spans; i++)
    {
      if (self->spans[i].begin_ns > from && self->spans[i].begin_ns < edge)
        edge = self->spans[i].begin_ns;
      if (self->spans[i].end_ns > from && self->spans[i].end_ns < edge)
        edge = self->spans[i].end_ns;
    }
  return edge;
}

/* Returns the phase at a time: of overlapping spans the later phase. */
static NsPhase
phase_at (const NsPhases *self, gint64 time_ns)
{
  int best = -1;
  guint i;

  for (i = 0; i < self->n_spans; i++)
    if (self->spans[i].begin_ns <= time_ns && time_ns < self->spans[i].end_ns &&
        (int) self->spans[i].phase > best)
      best = (int) self->spans[i].phase;
  return best < 0 ? NS_PHASE_OTHER : (NsPhase) best;
}

/**
 * ns_phases_split:
 * @self: spans of one request
 * @open_ns: its begin
 * @close_ns: its end, or the end of the trace
 * @durations: (out): duration of each phase in ns; their sum is the duration of the request. A
 *   phase that was not traced is %NS_UNKNOWN; all are if none was traced
 */
void
ns_phases_split (const NsPhases *self,
                 gint64 open_ns,
                 gint64 close_ns,
                 gint64 durations[NS_N_PHASES])
{
  gint64 now;
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    durations[i] = NS_UNKNOWN;
  if (self->n_spans == 0 || close_ns < open_ns)
    return;

  for (i = 0; i < self->n_spans; i++)
    durations[self->spans[i].phase] = 0;
  durations[NS_PHASE_OTHER] = 0;
  for (now = open_ns; now < close_ns;)
    {
      gint64 edge = next_edge (self, now, close_ns);

      durations[phase_at (self, now)] += edge - now;
      now = edge;
    }
}
