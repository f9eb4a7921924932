/* Finds the conversation that carries the traffic of a Windows VPN.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/flows/ns-flows.h"
#include "engine/net/packets/ns-packet-row.h"
#include "wire/ns-wire-frame.h"

/* Maximum time between a packet inside the VPN and the same packet encrypted. */
#define CARRIED_NS (5 * NS_PER_SECOND / 1000)
/* Minimum percentage of inner packets with a matching outer packet. */
#define MIN_PERCENT 80
/* Maximum number of candidates, those with the most packets: a machine has few VPNs at a time. */
#define MAX_CANDIDATES 16
/* Maximum number of processes in the headers of NdisWan records. */
#define MAX_PIDS 16

enum
{
  IP_GRE = 47, /* PPTP */
  IP_ESP = 50,
  PORT_IKE = 500,
  PORT_L2TP = 1701,
  PORT_IPSEC_NAT = 4500,
  PORT_SSTP = 443,
};

/* A conversation that may carry others. @times: of packets sent, and of packets received. */
typedef struct
{
  GArray *times[2]; /* element-type gint64 */
  NsRow flow;
} Candidate;

typedef struct
{
  NsTrace *trace;
  GArray *candidates; /* element-type Candidate */
  guint32 *inner;     /* by conversation: index among the inner conversations + 1 */
  guint32 *n_carried; /* by inner conversation and candidate: packets that match */
  guint32 *n_packets; /* by inner conversation */
  guint32 pids[MAX_PIDS];
  guint n_pids;
  guint n_inner;
} Search;

static NsFlowRow *
flow_at (const Search *self, NsRow flow)
{
  return NS_ROW_AT (self->trace->flows, NsFlowRow, flow);
}

static void
candidate_clear (gpointer data)
{
  Candidate *candidate = data;

  g_array_unref (candidate->times[0]);
  g_array_unref (candidate->times[1]);
}

static void
find_pids (Search *self)
{
  guint i;
  guint j;

  for (i = 0; i < self->trace->packets->len && self->n_pids < MAX_PIDS; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);
      const NsPacketPlace *place = ns_packet_row_get_place (self->trace, packet);
      guint32 pid = place->in_tunnel ? place->pid : NS_PID_UNKNOWN;

      if (pid == NS_PID_UNKNOWN)
        continue;
      for (j = 0; j < self->n_pids && self->pids[j] != pid; j++)
        ;
      if (j == self->n_pids)
        self->pids[self->n_pids++] = pid;
    }
}

static gboolean
is_of_tunnel (const Search *self, guint32 pid)
{
  guint i;

  for (i = 0; i < self->n_pids; i++)
    if (self->pids[i] == pid)
      return TRUE;
  return FALSE;
}

/* Returns whether it can belong to a Windows VPN (IKEv2, L2TP, PPTP, SSTP). */
static gboolean
may_carry (const Search *self, const NsFlowRow *flow)
{
  guint16 port = flow->server.port;

  if (flow->tunnel == NS_FLOW_TUNNEL_INNER)
    return FALSE;
  switch (flow->kind)
    {
    case NS_FLOW_UDP:
      return port == PORT_IKE || port == PORT_IPSEC_NAT || port == PORT_L2TP;
    case NS_FLOW_TCP:
      return port == PORT_SSTP && is_of_tunnel (self, flow->pid);
    case NS_FLOW_OTHER:
      return flow->ip_protocol == IP_ESP || flow->ip_protocol == IP_GRE;
    default:
      return FALSE;
    }
}

static guint64
count_packets (const Search *self, NsRow flow)
{
  const NsFlowRow *row = flow_at (self, flow);

  return (guint64) row->ways[0].n_packets + row->ways[1].n_packets;
}

/* Adds a candidate; replaces the smallest one if there are too many. */
static void
add_candidate (Search *self, NsRow flow)
{
  Candidate *least = NULL;
  guint i;

  if (self->candidates->len < MAX_CANDIDATES)
    {
      Candidate candidate = { .flow = flow };

      for (i = 0; i < 2; i++)
        candidate.times[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_array_append_val (self->candidates, candidate);
      return;
    }
  for (i = 0; i < self->candidates->len; i++)
    {
      Candidate *candidate = &g_array_index (self->candidates, Candidate, i);

      if (least == NULL ||
          count_packets (self, candidate->flow) < count_packets (self, least->flow))
        least = candidate;
    }
  if (count_packets (self, least->flow) < count_packets (self, flow))
    least->flow = flow;
}

static void
find_candidates (Search *self)
{
  guint i;

  for (i = 1; i <= self->trace->flows->len; i++)
    {
      const NsFlowRow *flow = flow_at (self, i);

      if (flow->tunnel == NS_FLOW_TUNNEL_INNER)
        self->inner[i] = ++self->n_inner;
      else if (may_carry (self, flow))
        add_candidate (self, i);
    }
}

/* Collects the times of candidates' packets, in time order as the packets are. */
static void
note_times (Search *self)
{
  g_autofree guint8 *numbers = g_new0 (guint8, (gsize) self->trace->flows->len + 1);
  guint i;

  for (i = 0; i < self->candidates->len; i++)
    numbers[g_array_index (self->candidates, Candidate, i).flow] = (guint8) (i + 1);
  for (i = 0; i < self->trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);

      if (numbers[packet->flow] != 0 && packet->direction != 0)
        {
          const Candidate *candidate =
              &g_array_index (self->candidates, Candidate, numbers[packet->flow] - 1);

          g_array_append_val (candidate->times[packet->direction > 0], packet->time_ns);
        }
    }
}

static gboolean
has_near (const GArray *times, gint64 time_ns)
{
  guint low = 0;
  guint high = times->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (times, gint64, middle) < time_ns - CARRIED_NS)
        low = middle + 1;
      else
        high = middle;
    }
  return low < times->len && g_array_index (times, gint64, low) <= time_ns + CARRIED_NS;
}

static void
count_carried (Search *self)
{
  guint i;
  guint j;

  for (i = 0; i < self->trace->packets->len; i++)
    {
      const NsPacketRow *packet = &g_array_index (self->trace->packets, NsPacketRow, i);
      guint32 inner = self->inner[packet->flow];

      if (inner == 0)
        continue;
      self->n_packets[inner - 1]++;
      for (j = 0; j < self->candidates->len && packet->direction != 0; j++)
        if (has_near (g_array_index (self->candidates, Candidate, j).times[packet->direction > 0],
                      packet->time_ns))
          self->n_carried[(gsize) (inner - 1) * MAX_CANDIDATES + j]++;
    }
}

static void
choose (Search *self)
{
  guint i;
  guint j;

  for (i = 1; i <= self->trace->flows->len; i++)
    {
      const guint32 *n_carried;
      guint best = 0;
      NsRow outer;

      if (self->inner[i] == 0)
        continue;
      n_carried = self->n_carried + (gsize) (self->inner[i] - 1) * MAX_CANDIDATES;
      for (j = 1; j < self->candidates->len; j++)
        if (n_carried[j] > n_carried[best])
          best = j;
      if ((guint64) n_carried[best] * 100 <
          (guint64) self->n_packets[self->inner[i] - 1] * MIN_PERCENT)
        continue;
      outer = g_array_index (self->candidates, Candidate, best).flow;
      ns_flow_need_more (flow_at (self, i), self->trace->arena)->outer = outer;
      flow_at (self, outer)->tunnel = NS_FLOW_TUNNEL_OUTER;
    }
}

/**
 * ns_flows_find_tunnels: (skip)
 * @trace: a trace whose conversations are joined to other layers
 *
 * Sets the carrier of conversations that NdisWan captured inside a VPN: a conversation of a VPN
 * protocol with packets in the same direction at nearly the same times.
 */
void
ns_flows_find_tunnels (NsTrace *trace)
{
  Search self = { .trace = trace };
  g_autofree guint32 *inner = g_new0 (guint32, (gsize) trace->flows->len + 1);
  g_autofree guint32 *n_packets = NULL;
  g_autofree guint32 *n_carried = NULL;

  self.inner = inner;
  self.candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_array_set_clear_func (self.candidates, candidate_clear);
  find_pids (&self);
  find_candidates (&self);
  if (self.n_inner > 0 && self.candidates->len > 0)
    {
      self.n_packets = n_packets = g_new0 (guint32, self.n_inner);
      self.n_carried = n_carried = g_new0 (guint32, (gsize) self.n_inner * MAX_CANDIDATES);
      note_times (&self);
      count_carried (&self);
      choose (&self);
    }
  g_array_unref (self.candidates);
}
