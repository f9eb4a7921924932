/* Distributes the bytes of flows over the overview strip by the times of their packets.
 *
 * First the byte counts of all rows are added up by flow; then two passes over the packets
 * distribute them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-overview-packets.h"
#include "draw/ns-overview-shares.h"

/* Size of the headers of most packets: Ethernet, IPv4 and TCP. Shorter packets have no payload. */
#define HEADER_BYTES 54

enum
{
  RECEIVED,
  SENT,
  N_DIRECTIONS,
};

/* Bytes of the rows of a flow, and the total weights of its packets. */
typedef struct
{
  double totals[N_DIRECTIONS];
  double weights[N_DIRECTIONS];
  double lengths[N_DIRECTIONS]; /* used if no packet has a payload */
  NsTimeSpan span;
} Share;

struct _NsOverviewPackets
{
  const NsTrace *trace;
  gint64 moment_ns;
  guint n_flows;
  Share *shares; /* (nullable): by flow, from 1; NULL until bytes of the first flow are added */
};

/**
 * ns_overview_packets_new: (skip)
 * @trace: an opened trace
 * @moment_ns: playback time: later packets are not counted; %G_MAXINT64: no limit
 *
 * Returns: (transfer full): an empty distribution; ns_overview_packets_finish() frees it
 */
NsOverviewPackets *
ns_overview_packets_new (const NsTrace *trace, gint64 moment_ns)
{
  NsOverviewPackets *self = g_new0 (NsOverviewPackets, 1);

  self->trace = trace;
  self->moment_ns = moment_ns;
  self->n_flows = trace->flows != NULL && trace->packets != NULL && trace->packets->len > 0
                      ? trace->flows->len
                      : 0;
  return self;
}

/**
 * ns_overview_packets_take: (skip)
 * @self: a distribution
 * @flow: a flow, from 1; 0: none
 * @span: lifetime of the row that transferred the bytes
 * @direction: 0, or %NS_MOVE_SENT
 * @total: number of bytes
 *
 * Returns: %TRUE if the bytes will be distributed by the packets of the flow
 */
gboolean
ns_overview_packets_take (NsOverviewPackets *self,
                          NsRow flow,
                          NsTimeSpan span,
                          guint32 direction,
                          guint64 total)
{
  Share *share;

  if (flow == 0 || flow > self->n_flows)
    return FALSE;
  if (self->shares == NULL)
    self->shares = g_new0 (Share, (gsize) self->n_flows + 1);
  share = &self->shares[flow];
  if (share->totals[RECEIVED] + share->totals[SENT] <= 0)
    share->span = span;
  share->span.begin_ns = MIN (share->span.begin_ns, span.begin_ns);
  share->span.end_ns = MAX (share->span.end_ns, span.end_ns);
  share->totals[direction == NS_MOVE_SENT ? SENT : RECEIVED] += (double) total;
  return TRUE;
}

/* Returns the share of the flow of a packet, or NULL if no bytes were added for it. */
static Share *
find_share (const NsOverviewPackets *self, const NsPacketRow *packet)
{
  Share *share;

  if (packet->flow == 0 || packet->flow > self->n_flows)
    return NULL;
  share = &self->shares[packet->flow];
  return packet->time_ns >= share->span.begin_ns && packet->time_ns <= share->span.end_ns ? share
                                                                                          : NULL;
}

/* Returns whether a packet counts for a direction; one of unknown direction counts for both. */
static gboolean
goes (const NsPacketRow *packet, guint direction)
{
  return direction == SENT ? packet->direction <= 0 : packet->direction >= 0;
}

static double
get_weight (const NsPacketRow *packet)
{
  return packet->length > HEADER_BYTES ? packet->length - HEADER_BYTES : 0;
}

static void
weigh (NsOverviewPackets *self)
{
  guint i;
  guint d;

  for (i = 0; i < self->trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);
      Share *share = find_share (self, packet);

      for (d = 0; share != NULL && d < N_DIRECTIONS; d++)
        if (goes (packet, d))
          {
            share->weights[d] += get_weight (packet);
            share->lengths[d] += packet->length;
          }
    }
}

static void
spread (const NsOverviewPackets *self, NsOverviewBins *bins)
{
  double *sums[] = { bins->received, bins->sent };
  guint i;
  guint d;

  for (i = 0; i < self->trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);
      const Share *share = find_share (self, packet);

      if (share == NULL || packet->time_ns > self->moment_ns)
        continue;
      for (d = 0; d < N_DIRECTIONS; d++)
        if (goes (packet, d) && share->lengths[d] > 0)
          sums[d][ns_overview_bins_at (bins, packet->time_ns)] +=
              share->totals[d] * (share->weights[d] > 0 ? get_weight (packet) / share->weights[d]
                                                        : packet->length / share->lengths[d]);
    }
}

/* Distributes the bytes of flows without packets evenly. */
static void
spread_evenly (const NsOverviewPackets *self, NsOverviewBins *bins)
{
  double *sums[] = { bins->received, bins->sent };
  guint i;
  guint d;
  guint b;

  for (i = 1; i <= self->n_flows; i++)
    for (d = 0; d < N_DIRECTIONS; d++)
      {
        const Share *share = &self->shares[i];
        guint first = ns_overview_bins_at (bins, share->span.begin_ns);
        guint last = MAX (ns_overview_bins_at (bins, share->span.end_ns), first);

        if (share->totals[d] > 0 && share->lengths[d] <= 0 && share->span.end_ns <= self->moment_ns)
          for (b = first; b <= last; b++)
            sums[d][b] += share->totals[d] / (last - first + 1);
      }
}

/**
 * ns_overview_packets_finish: (skip)
 * @self: (transfer full): a distribution
 * @bins: the strip that the bytes are added to
 */
void
ns_overview_packets_finish (NsOverviewPackets *self, NsOverviewBins *bins)
{
  if (self->shares != NULL)
    {
      weigh (self);
      spread (self, bins);
      spread_evenly (self, bins);
    }
  g_free (self->shares);
  g_free (self);
}
