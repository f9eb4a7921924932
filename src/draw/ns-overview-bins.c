/* The whole trace in a strip: sums bytes, failures and rows over equal parts of its time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-overview-bins.h"
#include "draw/ns-row-span.h"
#include "engine/ns-event-index.h"

#include <string.h>

static guint
bin_at (const NsOverviewBins *self, gint64 time_ns)
{
  double part = ((double) time_ns - (double) self->whole.begin_ns) /
                (double) (self->whole.end_ns - self->whole.begin_ns);

  return (guint) (CLAMP (part, 0, 1) * (NS_OVERVIEW_N_BINS - 1) + 0.5);
}

static void
spread (double *sums, double total, guint first, guint last)
{
  double share = total / (last - first + 1);
  guint i;

  for (i = first; i <= last; i++)
    sums[i] += share;
}

static void
add_row (NsOverviewBins *self, const NsTrace *trace, const NsActivityRow *row, gint64 moment_ns)
{
  gint64 open_ns = ns_time_is_set (row->open_ns) ? row->open_ns : self->whole.begin_ns;
  gint64 close_ns = ns_row_span_end (trace, row);
  guint first = bin_at (self, open_ns);
  guint last = MAX (bin_at (self, close_ns), first);

  self->n_rows++;
  self->opened[first]++;
  /* What it moved and whether it failed is known at its end. */
  if (close_ns > moment_ns)
    return;
  if (row->failed)
    {
      self->failed[last]++;
      self->n_failed++;
    }
  /* A child's bytes are its parent's too. */
  if (row->parent != 0)
    return;
  if (row->received > 0)
    spread (self->received, (double) row->received, first, last);
  if (row->sent > 0)
    spread (self->sent, (double) row->sent, first, last);
}

/* The rows of a lower layer that the rows stand on, each once. */
static guint8 *
mark_connections (const NsTrace *trace, const GArray *rows, guint n_rows, gsize offset, guint n_all)
{
  guint8 *marks = g_new0 (guint8, n_all + 1);
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      const NsActivityRow *row =
          &g_array_index (trace->activities,
                          NsActivityRow,
                          rows != NULL ? g_array_index (rows, guint32, i) : i);
      NsRow at = G_STRUCT_MEMBER (NsRow, row, offset);

      if (at <= n_all)
        marks[at] = 1;
    }
  return marks;
}

static void
count_span (const NsOverviewBins *self,
            const NsTrace *trace,
            gint64 open_ns,
            gint64 close_ns,
            gint64 moment_ns,
            gint32 *changes)
{
  guint first = bin_at (self, ns_time_is_set (open_ns) ? open_ns : self->whole.begin_ns);
  guint last = bin_at (self, MIN (ns_time_is_set (close_ns) ? close_ns : trace->end_ns, moment_ns));

  if (ns_time_is_set (open_ns) && open_ns > moment_ns)
    return;
  changes[first]++;
  changes[MAX (last, first) + 1]--;
}

/* How many connections were open, whether or not anything ran on them. */
static void
count_connections (NsOverviewBins *self,
                   const NsTrace *trace,
                   const GArray *rows,
                   guint n_rows,
                   gint64 moment_ns)
{
  guint n_tcp = trace->tcp != NULL ? trace->tcp->len : 0;
  g_autofree guint8 *marks =
      mark_connections (trace, rows, n_rows, G_STRUCT_OFFSET (NsActivityRow, tcp), n_tcp);
  gint32 changes[NS_OVERVIEW_N_BINS + 1] = { 0 };
  gint32 n_open = 0;
  guint i;

  for (i = 0; i < n_tcp; i++)
    {
      const NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, i);

      if (marks[i + 1] && !tcp->is_udp)
        count_span (self, trace, tcp->open_ns, tcp->close_ns, moment_ns, changes);
    }
  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    {
      n_open += changes[i];
      self->connections[i] = (guint32) n_open;
      self->most_connections = MAX (self->most_connections, (guint32) n_open);
    }
}

/* A trace of other things than the network is not empty. Events are in the order of time, so that
 * however many there are each part costs one search. */
static void
count_events (NsOverviewBins *self, const NsTrace *trace, gint64 moment_ns)
{
  double part = (double) (self->whole.end_ns - self->whole.begin_ns) / NS_OVERVIEW_N_BINS;
  guint n_events =
      moment_ns < G_MAXINT64 ? ns_trace_find_event_from (trace, moment_ns + 1) : trace->events->len;
  guint before = 0;
  guint i;

  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    {
      gint64 end_ns = self->whole.begin_ns + (gint64) (part * (i + 1));
      guint behind = i + 1 < NS_OVERVIEW_N_BINS
                         ? MIN (ns_trace_find_event_from (trace, end_ns), n_events)
                         : n_events;

      self->counts[i] = behind - before;
      before = behind;
    }
  self->counts_events = TRUE;
}

/* What the strip shows when there is nothing that it usually shows. */
static void
count_instead (NsOverviewBins *self, const NsTrace *trace, gint64 moment_ns)
{
  guint i;

  if (trace->activities->len == 0 && trace->events != NULL)
    count_events (self, trace, moment_ns);
  else if (self->most_bytes <= 0 && self->most_connections == 0)
    for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
      self->counts[i] = self->opened[i];
  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    self->most_counts = MAX (self->most_counts, self->counts[i]);
  self->peak_counts_per_second = self->most_counts * NS_OVERVIEW_N_BINS * (double) NS_PER_SECOND /
                                 (double) (self->whole.end_ns - self->whole.begin_ns);
}

/**
 * ns_overview_bins_init:
 * @self: (out caller-allocates): the strip
 * @trace: an opened trace
 * @rows: (nullable) (element-type guint32): activities to count; %NULL for all
 * @whole: the span the strip stands for
 */
void
ns_overview_bins_init (NsOverviewBins *self,
                       const NsTrace *trace,
                       const GArray *rows,
                       NsTimeSpan whole)
{
  ns_overview_bins_init_until (self, trace, rows, whole, G_MAXINT64);
}

/**
 * ns_overview_bins_init_until:
 * @self: (out caller-allocates): the strip
 * @trace: an opened trace
 * @rows: (nullable) (element-type guint32): activities to count; %NULL for all
 * @whole: the span the strip stands for
 * @moment_ns: what was not known by then is not counted; %G_MAXINT64: everything is
 *
 * As ns_overview_bins_init(), while a trace is played back.
 */
void
ns_overview_bins_init_until (NsOverviewBins *self,
                             const NsTrace *trace,
                             const GArray *rows,
                             NsTimeSpan whole,
                             gint64 moment_ns)
{
  guint n_rows = rows != NULL ? rows->len : trace->activities->len;
  double most_received = 0;
  guint i;

  memset (self, 0, sizeof *self);
  self->whole = whole;
  self->whole.end_ns = MAX (whole.end_ns, whole.begin_ns + 1);
  for (i = 0; i < n_rows; i++)
    add_row (self,
             trace,
             &g_array_index (trace->activities,
                             NsActivityRow,
                             rows != NULL ? g_array_index (rows, guint32, i) : i),
             moment_ns);
  count_connections (self, trace, rows, n_rows, moment_ns);
  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    {
      most_received = MAX (most_received, self->received[i]);
      self->most_bytes = MAX (self->most_bytes, MAX (self->received[i], self->sent[i]));
      self->most_opened = MAX (self->most_opened, self->opened[i]);
    }
  self->peak_per_second = most_received * NS_OVERVIEW_N_BINS * (double) NS_PER_SECOND /
                          (double) (self->whole.end_ns - self->whole.begin_ns);
  count_instead (self, trace, moment_ns);
}
