/* Progress of the streams of paired connections over time, at both ends.
 *
 * Progress is compared by byte count, so that it does not matter how either side divides a stream
 * into segments, or whether packets or TCP/IP events recorded it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-pairs-private.h"
#include "engine/net/packets/ns-packet-row.h"

#include <string.h>

struct _NsPairSteps
{
  GArray *steps[2];  /* NsPairStep by connection, direction and time, by machine */
  guint32 *first[2]; /* index of the first step of each connection and direction, with a final
                      * end */
};

typedef struct
{
  const NsPairs *pairs;
  GArray *const *ends;
  const GArray *matches;
  const gint64 *bases; /* initial sequence numbers of each connection and direction; -1: unknown */
} Reading;

static const NsPairEnd *
get_end (const Reading *self, guint connection, guint machine)
{
  const NsPairMatch *match = &g_array_index (self->matches, NsPairMatch, connection);

  return &g_array_index (self->ends[machine], NsPairEnd, match->ends[machine]);
}

/* Determines the sequence number before the first byte, which must be the same for both
 * machines. */
static gint64 *
make_bases (const Reading *self)
{
  gint64 *bases = g_new (gint64, (gsize) self->matches->len * 2 + 1);
  guint i;

  for (i = 0; i < self->matches->len; i++)
    {
      const NsPairEnd *first = get_end (self, i, 0);
      const NsPairEnd *second = get_end (self, i, 1);
      const NsPairEnd *known = first->is_numbered ? first : second->is_numbered ? second : NULL;
      guint way;

      /* Captured after the begin: count from any number. */
      if (known == NULL && first->flow != 0 && second->flow != 0)
        known = first;
      for (way = 0; way < 2; way++)
        bases[2 * i + way] = known != NULL ? (gint64) known->isn[way] : -1;
      /* In this case client and server may be swapped. */
      if (known == first && !first->is_numbered &&
          !ns_endpoint_equal (&first->client, &second->client) &&
          !ns_endpoint_equal (&first->server, &second->server))
        bases[2 * i] = bases[2 * i + 1] = -1;
    }
  return bases;
}

static void
add_packet (const Reading *self,
            const NsTrace *trace,
            const NsPacketRow *row,
            guint connection,
            const NsPairEnd *end,
            GArray *steps)
{
  NsPairStep step = { .connection = connection, .time_ns = row->time_ns };
  NsWireFrame frame;
  gint64 base;

  if (!ns_packet_row_parse (trace, row, &frame) || frame.protocol != NS_IP_TCP ||
      !frame.has_transport || frame.is_fragment)
    return;
  step.way = ns_endpoint_equal (&frame.src, &end->client) ? 0 : 1;
  base = self->bases[2 * connection + step.way];
  if (base < 0 || (frame.tcp_flags & NS_TCP_RST) != 0)
    return;
  /* The SYN has the initial number; pure acknowledgments are no progress. */
  if ((frame.tcp_flags & NS_TCP_SYN) == 0)
    {
      guint32 n_bytes = frame.seq - (guint32) base - 1 + (guint32) frame.wire_payload_size +
                        ((frame.tcp_flags & NS_TCP_FIN) != 0 ? 1 : 0);

      if (frame.wire_payload_size == 0 && (frame.tcp_flags & NS_TCP_FIN) == 0)
        return;
      /* A stream longer than 4 GiB wraps around, and ends here. */
      step.n_bytes = n_bytes;
    }
  g_array_append_val (steps, step);
}

static void
add_packets (const Reading *self, guint machine, GArray *steps)
{
  const NsTrace *trace = self->pairs->traces[machine];
  g_autofree guint32 *by_flow = g_new0 (guint32, (gsize) trace->flows->len + 1);
  guint i;

  for (i = 0; i < self->matches->len; i++)
    by_flow[get_end (self, i, machine)->flow] = i + 1;
  by_flow[0] = 0;
  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      guint32 connection = by_flow[row->flow];

      if (connection != 0 && !row->dropped)
        add_packet (self,
                    trace,
                    row,
                    connection - 1,
                    get_end (self, connection - 1, machine),
                    steps);
    }
}

/* Adds steps from TCP/IP events, for connections recorded from their first byte on. */
static void
add_moves (const Reading *self, guint machine, guint connection, GArray *steps)
{
  const NsPairEnd *end = get_end (self, connection, machine);
  const NsTrace *trace = self->pairs->traces[machine];
  gint64 n_bytes[2] = { 0 };
  const NsMove *moves;
  guint n_moves;
  guint i;

  if (end->flow != 0 || end->tcp == 0 || !end->is_whole)
    return;
  moves = ns_moves_find (trace->moves, NS_TABLE_TCP, end->tcp, -NS_TIME_MAX, NS_TIME_MAX, &n_moves);
  for (i = 0; i < n_moves; i++)
    {
      gboolean is_sent = (moves[i].n_bytes & NS_MOVE_SENT) != 0;
      guint way = is_sent == (end->role == NS_PAIR_ROLE_CLIENT) ? 0 : 1;
      NsPairStep step = { .connection = connection,
                          .way = (guint8) way,
                          .time_ns = moves[i].time_ns };

      n_bytes[way] += moves[i].n_bytes & NS_MOVE_MAX_BYTES;
      step.n_bytes = n_bytes[way];
      g_array_append_val (steps, step);
    }
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const NsPairStep *one = a;
  const NsPairStep *other = b;

  if (one->connection != other->connection)
    return one->connection < other->connection ? -1 : 1;
  if (one->way != other->way)
    return one->way < other->way ? -1 : 1;
  if (one->time_ns != other->time_ns)
    return one->time_ns < other->time_ns ? -1 : 1;
  return (one->n_bytes > other->n_bytes) - (one->n_bytes < other->n_bytes);
}

/* Makes byte counts monotonic: retransmissions are no progress. */
static void
never_back (GArray *steps)
{
  guint i;

  for (i = 1; i < steps->len; i++)
    {
      const NsPairStep *before = &g_array_index (steps, NsPairStep, i - 1);
      NsPairStep *step = &g_array_index (steps, NsPairStep, i);

      if (step->connection == before->connection && step->way == before->way)
        step->n_bytes = MAX (step->n_bytes, before->n_bytes);
    }
}

static guint32 *
find_firsts (GArray *steps, guint n_connections)
{
  guint32 *first = g_new (guint32, (gsize) n_connections * 2 + 1);
  guint at = 0;
  guint i;

  g_array_sort (steps, compare_steps);
  never_back (steps);
  for (i = 0; i < n_connections * 2; i++)
    {
      first[i] = at;
      while (at < steps->len && g_array_index (steps, NsPairStep, at).connection * 2 +
                                        g_array_index (steps, NsPairStep, at).way ==
                                    i)
        at++;
    }
  first[i] = at;
  return first;
}

/**
 * ns_pair_steps_new: (skip)
 * @pairs: two traces
 * @ends: (element-type NsPairEnd): their connections
 * @matches: (element-type NsPairMatch): pairs of them
 *
 * Returns: (transfer full): progress of the streams of @matches
 */
NsPairSteps *
ns_pair_steps_new (const NsPairs *pairs, GArray *const ends[2], const GArray *matches)
{
  NsPairSteps *self = g_new0 (NsPairSteps, 1);
  Reading reading = { pairs, ends, matches, NULL };
  g_autofree gint64 *bases = make_bases (&reading);
  guint machine;
  guint i;

  reading.bases = bases;
  for (machine = 0; machine < 2; machine++)
    {
      self->steps[machine] = g_array_new (FALSE, FALSE, sizeof (NsPairStep));
      add_packets (&reading, machine, self->steps[machine]);
      for (i = 0; i < matches->len; i++)
        add_moves (&reading, machine, i, self->steps[machine]);
      self->first[machine] = find_firsts (self->steps[machine], matches->len);
    }
  return self;
}

void
ns_pair_steps_free (NsPairSteps *self)
{
  guint machine;

  for (machine = 0; machine < 2; machine++)
    {
      g_array_unref (self->steps[machine]);
      g_free (self->first[machine]);
    }
  g_free (self);
}

static const NsPairStep *
get_steps (const NsPairSteps *self, guint machine, guint connection, guint way, guint *n_steps)
{
  guint32 from = self->first[machine][2 * connection + way];

  *n_steps = self->first[machine][2 * connection + way + 1] - from;
  return (const NsPairStep *) self->steps[machine]->data + from;
}

/* Returns the number of bytes recorded in a stream. */
static gint64
get_length (const NsPairStep *steps, guint n_steps)
{
  return n_steps > 0 ? steps[n_steps - 1].n_bytes : -1;
}

/* Adds a clock bound for each step of the sender: the time of sending, and the time at which the
 * receiver had the same number of bytes. Retransmissions only increase the difference. */
static void
bound_way (const NsPairStep *sent,
           guint n_sent,
           const NsPairStep *got,
           guint n_got,
           gboolean is_first_sender,
           GArray *bounds)
{
  gint64 n_bytes = -1;
  guint at = 0;
  guint i;

  for (i = 0; i < n_sent; i++)
    {
      NsClockBound bound;

      if (sent[i].n_bytes <= n_bytes)
        continue;
      n_bytes = sent[i].n_bytes;
      while (at < n_got && got[at].n_bytes < n_bytes)
        at++;
      if (at == n_got)
        return;
      if (ABS (sent[i].time_ns) > NS_PAIR_MAX_NS || ABS (got[at].time_ns) > NS_PAIR_MAX_NS)
        continue;
      bound.time_ns = is_first_sender ? sent[i].time_ns : got[at].time_ns;
      bound.difference_ns = (is_first_sender ? got[at].time_ns : sent[i].time_ns) - bound.time_ns;
      g_array_append_val (bounds, bound);
    }
}

/**
 * ns_pair_steps_bound: (skip)
 * @self: progress of streams
 * @pairs: their connections
 * @upper: (element-type NsClockBound): gets bounds from data sent by the first machine
 * @lower: (element-type NsClockBound): gets bounds from data sent by the second machine
 *
 * Streams recorded by events are skipped if both ends did not count the same number of bytes.
 */
void
ns_pair_steps_bound (const NsPairSteps *self, const NsPairs *pairs, GArray *upper, GArray *lower)
{
  guint i;

  for (i = 0; i < pairs->connections->len; i++)
    {
      const NsPairConnection *one = &g_array_index (pairs->connections, NsPairConnection, i);
      gboolean are_packets = one->flow[0] != 0 && one->flow[1] != 0;
      guint way;

      for (way = 0; way < 2; way++)
        {
          guint sender = way == 0 ? one->client : !one->client;
          guint n_sent;
          guint n_got;
          const NsPairStep *sent = get_steps (self, sender, i, way, &n_sent);
          const NsPairStep *got = get_steps (self, !sender, i, way, &n_got);

          if (!are_packets)
            {
              gint64 apart = get_length (sent, n_sent) - get_length (got, n_got);

              /* A FIN counts as a byte, but only packets show it. */
              if (ABS (apart) > 1)
                continue;
            }
          bound_way (sent, n_sent, got, n_got, sender == 0, sender == 0 ? upper : lower);
        }
    }
}

/**
 * ns_pair_steps_find_last: (skip)
 * @self: progress of streams
 * @machine: a machine
 * @connection: 0-based
 * @way: 0: to the server
 * @begin_ns: by the clock of that machine
 * @end_ns: likewise
 *
 * Returns: (transfer none) (nullable): the last step from @begin_ns to @end_ns, both included
 */
const NsPairStep *
ns_pair_steps_find_last (const NsPairSteps *self,
                         guint machine,
                         guint connection,
                         guint way,
                         gint64 begin_ns,
                         gint64 end_ns)
{
  guint n_steps;
  const NsPairStep *steps = get_steps (self, machine, connection, way, &n_steps);
  guint low = 0;
  guint high = n_steps;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (steps[middle].time_ns <= end_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && steps[low - 1].time_ns >= begin_ns ? &steps[low - 1] : NULL;
}

/**
 * ns_pair_steps_find_reached: (skip)
 * @self: progress of streams
 * @machine: a machine
 * @step: a step at the other machine
 *
 * Returns: (transfer none) (nullable): the first step at which @machine had as many bytes
 */
const NsPairStep *
ns_pair_steps_find_reached (const NsPairSteps *self, guint machine, const NsPairStep *step)
{
  guint n_steps;
  const NsPairStep *steps = get_steps (self, machine, step->connection, step->way, &n_steps);
  guint low = 0;
  guint high = n_steps;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (steps[middle].n_bytes < step->n_bytes)
        low = middle + 1;
      else
        high = middle;
    }
  return low < n_steps ? &steps[low] : NULL;
}
