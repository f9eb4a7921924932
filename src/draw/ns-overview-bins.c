/* Sums bytes, failures and rows over equal parts of the trace for the overview strip.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-overview-bins.h"
#include "draw/ns-overview-packets.h"
#include "draw/ns-overview-shares.h"
#include "draw/ns-row-span.h"
#include "engine/trace/ns-event-index.h"

#include <math.h>
#include <string.h>

static void
spread_evenly (double *sums, double total, guint first, guint last)
{
  double share = total / (last - first + 1);
  guint i;

  for (i = first; i <= last; i++)
    sums[i] += share;
}

/* A row of another table whose transfers have times. */
typedef struct
{
  NsTableId table;
  NsRow row;
  double sum; /* its bytes in the time span; 0: no transfers recorded */
} TransferSource;

/* Returns the row whose transfer times apply to @row. Rows of the same request come first; the
 * socket and the connection below may have served other requests at that time. */
static TransferSource
find_transfer_source (NsOverviewShares *shares,
                      const NsActivityRow *row,
                      NsTimeSpan span,
                      guint32 direction)
{
  TransferSource tellers[] = {
    { NS_TABLE_WEBIO, row->webio, 0 },
    { NS_TABLE_WININET, row->wininet, 0 },
    { NS_TABLE_WINSOCK, row->winsock, 0 },
    { NS_TABLE_TCP, row->tcp, 0 },
    { NS_TABLE_KERNEL_NETWORK, row->kernel_network, 0 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tellers); i++)
    {
      tellers[i].sum =
          ns_overview_shares_sum (shares, tellers[i].table, tellers[i].row, span, direction);
      if (tellers[i].sum > 0)
        return tellers[i];
    }
  return (TransferSource){ NS_TABLE_ACTIVITIES, 0, 0 };
}

/* Distributes the bytes of a row over the bins. The total is that of the row; the distribution
 * is that of the recorded transfers, or of the packets. Without any, the bytes are spread
 * evenly, once the row has ended. */
static void
spread (NsOverviewBins *self,
        NsOverviewShares *shares,
        NsOverviewPackets *packets,
        const NsActivityRow *row,
        NsTimeSpan span,
        gint64 moment_ns,
        guint32 direction)
{
  guint64 total = direction == NS_MOVE_SENT ? row->sent : row->received;
  guint first = ns_overview_bins_at (self, span.begin_ns);
  TransferSource source;

  if (total == 0)
    return;
  source = find_transfer_source (shares, row, span, direction);
  if (source.sum > 0)
    ns_overview_shares_add (shares,
                            source.table,
                            source.row,
                            span,
                            direction,
                            (double) total / source.sum,
                            self);
  else if (!ns_overview_packets_take (packets, row->flow, span, direction, total) &&
           span.end_ns <= moment_ns)
    spread_evenly (direction == NS_MOVE_SENT ? self->sent : self->received,
                   (double) total,
                   first,
                   MAX (ns_overview_bins_at (self, span.end_ns), first));
}

static void
add_row (NsOverviewBins *self,
         const NsTrace *trace,
         NsOverviewShares *shares,
         NsOverviewPackets *packets,
         const NsActivityRow *row,
         gint64 moment_ns)
{
  gint64 open_ns = ns_time_is_set (row->open_ns) ? row->open_ns : self->whole.begin_ns;
  gint64 close_ns = ns_row_span_end (trace, row);
  guint first = ns_overview_bins_at (self, open_ns);
  guint last = MAX (ns_overview_bins_at (self, close_ns), first);
  NsTimeSpan span = { open_ns, close_ns };

  self->n_rows++;
  self->opened[first]++;
  /* A failure is known only at the end of the row. */
  if (row->failed && close_ns <= moment_ns)
    {
      self->failed[last]++;
      self->n_failed++;
    }
  /* The bytes of a child are included in those of its parent. */
  if (row->parent != 0)
    return;
  spread (self, shares, packets, row, span, moment_ns, 0);
  spread (self, shares, packets, row, span, moment_ns, NS_MOVE_SENT);
}

/* Marks the rows of a lower layer that any of @rows uses. */
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
  guint first =
      ns_overview_bins_at (self, ns_time_is_set (open_ns) ? open_ns : self->whole.begin_ns);
  guint last =
      ns_overview_bins_at (self,
                           MIN (ns_time_is_set (close_ns) ? close_ns : trace->end_ns, moment_ns));

  if (ns_time_is_set (open_ns) && open_ns > moment_ns)
    return;
  changes[first]++;
  changes[MAX (last, first) + 1]--;
}

/* Counts the open connections of each part, idle ones included. */
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

/* Counts all events. They are sorted by time, so that each part takes one binary search. */
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

/* Returns the largest count within a second, or per second if a part is longer than one. */
static double
find_peak_of_counts (const NsOverviewBins *self)
{
  double part_s = (double) (self->whole.end_ns - self->whole.begin_ns) / NS_OVERVIEW_N_BINS /
                  (double) NS_PER_SECOND;
  guint n_parts = part_s >= 1 ? 1 : (guint) MIN (ceil (1 / MAX (part_s, 1e-9)), NS_OVERVIEW_N_BINS);
  double within = 0;
  double most = 0;
  guint i;

  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    {
      within += self->counts[i] - (i >= n_parts ? self->counts[i - n_parts] : 0);
      most = MAX (most, within);
    }
  return most / MAX (part_s, 1);
}

/* Counts events or rows if the trace has neither bytes nor connections. */
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
  self->peak_counts_per_second = find_peak_of_counts (self);
}

/**
 * ns_overview_bins_init:
 * @self: (out caller-allocates): the strip
 * @trace: an opened trace
 * @rows: (nullable) (element-type guint32): activities to count; %NULL for all
 * @whole: the time span of the strip
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
 * @whole: the time span of the strip
 * @moment_ns: playback time: later data is not counted; %G_MAXINT64: no limit
 *
 * Like ns_overview_bins_init(), for the playback of a trace.
 */
void
ns_overview_bins_init_until (NsOverviewBins *self,
                             const NsTrace *trace,
                             const GArray *rows,
                             NsTimeSpan whole,
                             gint64 moment_ns)
{
  guint n_rows = rows != NULL ? rows->len : trace->activities->len;
  NsOverviewShares *shares = ns_overview_shares_new (trace->moves, moment_ns);
  NsOverviewPackets *packets = ns_overview_packets_new (trace, moment_ns);
  double most_received = 0;
  double most_sent = 0;
  double per_second;
  guint i;

  memset (self, 0, sizeof *self);
  self->whole = whole;
  self->whole.end_ns = MAX (whole.end_ns, whole.begin_ns + 1);
  for (i = 0; i < n_rows; i++)
    add_row (self,
             trace,
             shares,
             packets,
             &g_array_index (trace->activities,
                             NsActivityRow,
                             rows != NULL ? g_array_index (rows, guint32, i) : i),
             moment_ns);
  ns_overview_shares_finish (shares, self);
  ns_overview_packets_finish (packets, self);
  count_connections (self, trace, rows, n_rows, moment_ns);
  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    {
      most_received = MAX (most_received, self->received[i]);
      most_sent = MAX (most_sent, self->sent[i]);
      self->most_bytes = MAX (self->most_bytes, MAX (self->received[i], self->sent[i]));
      self->most_opened = MAX (self->most_opened, self->opened[i]);
    }
  per_second = NS_OVERVIEW_N_BINS * (double) NS_PER_SECOND /
               (double) (self->whole.end_ns - self->whole.begin_ns);
  self->peak_per_second = most_received * per_second;
  self->sent_peak_per_second = most_sent * per_second;
  count_instead (self, trace, moment_ns);
}
