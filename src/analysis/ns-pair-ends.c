/* Pairs connections of two machines by endpoints and times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-pairs-private.h"
#include "base/ns-map.h"

static NsPairRole
get_role (const NsFlowRow *flow)
{
  switch ((NsFlowLocal) flow->local)
    {
    case NS_FLOW_LOCAL_CLIENT:
      return NS_PAIR_ROLE_CLIENT;
    case NS_FLOW_LOCAL_SERVER:
      return NS_PAIR_ROLE_SERVER;
    case NS_FLOW_LOCAL_UNKNOWN:
    case NS_FLOW_LOCAL_BOTH:
    default:
      return NS_PAIR_ROLE_UNKNOWN;
    }
}

static void
add_flow (const NsTrace *trace, NsRow row, GArray *ends)
{
  const NsFlowRow *flow = NS_ROW_AT (trace->flows, NsFlowRow, row);
  gboolean has_syn = flow->start == NS_FLOW_START_SYN;
  NsPairEnd end = { .client = flow->client,
                    .server = flow->server,
                    .open_ns = flow->open_ns,
                    .close_ns = flow->last_ns,
                    .syn_rtt_ns = flow->syn_rtt_ns,
                    .isn = { flow->ways[0].isn, flow->ways[1].isn },
                    .tcp = flow->tcp,
                    .flow = row,
                    .role = get_role (flow),
                    .is_numbered = (has_syn && ns_flow_get_connect_ns (flow) != NS_UNKNOWN) ||
                                   flow->start == NS_FLOW_START_SYN_ACK,
                    .is_whole = has_syn || flow->start == NS_FLOW_START_SYN_ACK };

  if (flow->kind == NS_FLOW_TCP && flow->local != NS_FLOW_LOCAL_BOTH &&
      !ns_ip_is_loopback (&flow->client.ip) && flow->tunnel != NS_FLOW_TUNNEL_OUTER)
    g_array_append_val (ends, end);
}

static void
add_tcp (const NsTrace *trace, NsRow row, GArray *ends)
{
  const NsTcpRow *tcp = NS_ROW_AT (trace->tcp, NsTcpRow, row);
  gboolean is_whole = !tcp->inferred && !tcp->before_trace;
  NsPairEnd end = { .client = tcp->accepted ? *tcp->remote : *tcp->local,
                    .server = tcp->accepted ? *tcp->local : *tcp->remote,
                    .open_ns = tcp->open_ns,
                    .close_ns = ns_time_is_set (tcp->close_ns) ? tcp->close_ns : trace->end_ns,
                    .syn_rtt_ns = NS_UNKNOWN,
                    .tcp = row,
                    .role = tcp->accepted ? NS_PAIR_ROLE_SERVER
                            : is_whole    ? NS_PAIR_ROLE_CLIENT
                                          : NS_PAIR_ROLE_UNKNOWN,
                    .is_whole = is_whole };

  if (!tcp->is_udp && tcp->remote->port != 0 && tcp->local->port != 0 &&
      tcp->remote->ip.family != 0 && tcp->local->ip.family != 0 &&
      !ns_ip_is_loopback (&tcp->remote->ip))
    g_array_append_val (ends, end);
}

/**
 * ns_pair_ends_list: (skip)
 * @trace: a trace
 *
 * Returns: (transfer full) (element-type NsPairEnd): its TCP connections with other machines:
 * conversations of captured packets, and connections without packets
 */
GArray *
ns_pair_ends_list (const NsTrace *trace)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (NsPairEnd));
  g_autofree guint8 *has_flow = g_new0 (guint8, (gsize) trace->tcp->len + 1);
  guint i;

  for (i = 0; i < trace->flows->len; i++)
    {
      add_flow (trace, i + 1, ends);
      has_flow[g_array_index (trace->flows, NsFlowRow, i).tcp] = 1;
    }
  for (i = 0; i < trace->tcp->len; i++)
    if (!has_flow[i + 1])
      add_tcp (trace, i + 1, ends);
  return ends;
}

/* Index of connections by endpoints, regardless of direction. */
typedef struct
{
  NsMap *heads;
  guint32 *nexts; /* 1-based, 0: none */
} Index;

static void
hash_ends (const NsPairEnd *end, guint64 *a, guint64 *b)
{
  guint64 client = ns_endpoint_hash (&end->client);
  guint64 server = ns_endpoint_hash (&end->server);

  *a = client + server;
  *b = client ^ server;
}

static void
hash_numbers (const NsPairEnd *end, guint64 *a, guint64 *b)
{
  *a = (guint64) end->isn[0] << 32 | end->isn[1];
  *b = 0;
}

/* Fills the index from the last connection on, so that a chain begins with the first. */
static void
index_init (Index *self,
            const GArray *ends,
            const guint8 *marks,
            void (*hash) (const NsPairEnd *end, guint64 *a, guint64 *b),
            gboolean want_numbered)
{
  guint64 a;
  guint64 b;
  guint i;

  self->heads = ns_map_new ();
  self->nexts = g_new0 (guint32, (gsize) ends->len + 1);
  for (i = ends->len; i > 0; i--)
    {
      const NsPairEnd *end = &g_array_index (ends, NsPairEnd, i - 1);

      if (marks[i - 1] || (want_numbered && !end->is_numbered))
        continue;
      hash (end, &a, &b);
      self->nexts[i] = ns_map_swap (self->heads, a, b, i);
    }
}

static void
index_clear (Index *self)
{
  ns_map_free (self->heads);
  g_free (self->nexts);
}

static gboolean
has_same_ends (const NsPairEnd *a, const NsPairEnd *b)
{
  return (ns_endpoint_equal (&a->client, &b->client) &&
          ns_endpoint_equal (&a->server, &b->server)) ||
         (ns_endpoint_equal (&a->client, &b->server) && ns_endpoint_equal (&a->server, &b->client));
}

/* Returns whether both machines opened the connection, or both accepted it: then these are two
 * connections. */
static gboolean
is_of_one_side (const NsPairEnd *a, const NsPairEnd *b)
{
  return a->role != NS_PAIR_ROLE_UNKNOWN && a->role == b->role;
}

static gboolean
has_same_numbers (const NsPairEnd *a, const NsPairEnd *b)
{
  return a->is_numbered && b->is_numbered && a->isn[0] == b->isn[0] && a->isn[1] == b->isn[1];
}

/* Returns whether the lifetimes overlap if the clocks differ by at most @slack_ns. */
static gboolean
overlaps (const NsPairEnd *a, gint64 open_ns, gint64 close_ns, gint64 slack_ns)
{
  return ns_time_after (open_ns, -slack_ns) <= a->close_ns &&
         ns_time_after (close_ns, slack_ns) >= a->open_ns;
}

static void
add_match (GArray *matches,
           guint8 *marks,
           guint n_first,
           guint first,
           guint second,
           NsPairEvidence evidence,
           gboolean is_only)
{
  NsPairMatch match = { { first, second }, evidence, is_only };

  g_array_append_val (matches, match);
  marks[first] = 1;
  marks[n_first + second] = 1;
}

/* Matches connections with the same initial sequence numbers, and the same endpoints or one
 * translated address. */
static void
match_numbers (const GArray *first,
               const GArray *second,
               gboolean want_ends,
               guint8 *marks,
               GArray *matches)
{
  Index index;
  guint i;

  index_init (&index, second, marks + first->len, hash_numbers, TRUE);
  for (i = 0; i < first->len; i++)
    {
      const NsPairEnd *end = &g_array_index (first, NsPairEnd, i);
      guint64 a;
      guint64 b;
      guint n = 0;
      guint k;

      if (marks[i] || !end->is_numbered)
        continue;
      hash_numbers (end, &a, &b);
      for (k = ns_map_get (index.heads, a, b); k != 0 && n < NS_PAIR_MAX_LIVES;
           k = index.nexts[k], n++)
        {
          const NsPairEnd *other = &g_array_index (second, NsPairEnd, k - 1);

          if (marks[first->len + k - 1] || is_of_one_side (end, other) ||
              has_same_ends (end, other) != want_ends)
            continue;
          add_match (matches,
                     marks,
                     first->len,
                     i,
                     k - 1,
                     want_ends ? NS_PAIR_BY_SEQUENCE : NS_PAIR_BY_NAT,
                     TRUE);
          break;
        }
    }
  index_clear (&index);
}

/* Returns the connection of @second nearest in time that may be the same as @end; 1-based, 0:
 * none. */
static guint
find_nearest (const GArray *second,
              const Index *index,
              const guint8 *marks,
              const NsPairEnd *end,
              const NsClockFit *fit,
              gint64 slack_ns,
              guint *n_found)
{
  gint64 best_ns = G_MAXINT64;
  guint best = 0;
  guint64 a;
  guint64 b;
  guint n = 0;
  guint k;

  *n_found = 0;
  hash_ends (end, &a, &b);
  for (k = ns_map_get (index->heads, a, b); k != 0 && n < NS_PAIR_MAX_LIVES;
       k = index->nexts[k], n++)
    {
      const NsPairEnd *other = &g_array_index (second, NsPairEnd, k - 1);
      gint64 open_ns = ns_clock_fit_to_first (fit, other->open_ns);
      gint64 close_ns = ns_clock_fit_to_first (fit, other->close_ns);
      gint64 apart_ns = ABS (ns_time_between (open_ns, end->open_ns));

      if (marks[k - 1] || !has_same_ends (end, other) || is_of_one_side (end, other) ||
          (end->is_numbered && other->is_numbered && !has_same_numbers (end, other)) ||
          !overlaps (end, open_ns, close_ns, slack_ns))
        continue;
      /* Both machines recorded the begin. */
      if (end->is_whole && other->is_whole && apart_ns > slack_ns)
        continue;
      (*n_found)++;
      if (apart_ns < best_ns)
        {
          best_ns = apart_ns;
          best = k;
        }
    }
  return best;
}

static void
match_ends (const GArray *first,
            const GArray *second,
            const NsClockFit *fit,
            gint64 slack_ns,
            gboolean want_only,
            guint8 *marks,
            GArray *matches)
{
  Index here;
  Index there;
  guint i;

  index_init (&here, first, marks, hash_ends, FALSE);
  index_init (&there, second, marks + first->len, hash_ends, FALSE);
  for (i = 0; i < first->len; i++)
    {
      const NsPairEnd *end = &g_array_index (first, NsPairEnd, i);
      guint n_found;
      guint64 a;
      guint64 b;
      guint found;
      gboolean is_only;

      if (marks[i])
        continue;
      found = find_nearest (second, &there, marks + first->len, end, fit, slack_ns, &n_found);
      if (found == 0)
        continue;
      hash_ends (end, &a, &b);
      is_only = n_found == 1 && here.nexts[ns_map_get (here.heads, a, b)] == 0;
      if (is_only || !want_only)
        add_match (matches, marks, first->len, i, found - 1, NS_PAIR_BY_ENDS, is_only);
    }
  index_clear (&here);
  index_clear (&there);
}

/**
 * ns_pair_ends_match_numbers: (skip)
 * @first: (element-type NsPairEnd): connections of the first machine
 * @second: (element-type NsPairEnd): connections of the second machine
 * @marks: (array): a byte for each of @first and @second, set for matched ones
 *
 * Matches connections with the same initial sequence numbers.
 *
 * Returns: (transfer full) (element-type NsPairMatch): matches
 */
GArray *
ns_pair_ends_match_numbers (const GArray *first, const GArray *second, guint8 *marks)
{
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (NsPairMatch));

  match_numbers (first, second, TRUE, marks, matches);
  match_numbers (first, second, FALSE, marks, matches);
  return matches;
}

/**
 * ns_pair_ends_match_only: (skip)
 * @first: (element-type NsPairEnd): connections of the first machine
 * @second: (element-type NsPairEnd): connections of the second machine
 * @wall_ns: offset that converts the second machine's times to the first's, by the wall clocks
 * @marks: (array): a byte for each of @first and @second, set for matched ones
 * @matches: (element-type NsPairMatch): matches are appended
 *
 * Matches connections that are the only ones with their endpoints, which is unambiguous even before
 * the clock offset is known.
 */
void
ns_pair_ends_match_only (const GArray *first,
                         const GArray *second,
                         gint64 wall_ns,
                         guint8 *marks,
                         GArray *matches)
{
  NsClockFit wall = { .offset_ns = -wall_ns };

  match_ends (first, second, &wall, NS_PAIR_WALL_SLACK_NS, TRUE, marks, matches);
}

/**
 * ns_pair_ends_match_rest: (skip)
 * @first: (element-type NsPairEnd): connections of the first machine
 * @second: (element-type NsPairEnd): connections of the second machine
 * @fit: relation of the two clocks
 * @slack_ns: its maximum error
 * @marks: (array): a byte for each of @first and @second, set for matched ones
 * @matches: (element-type NsPairMatch): matches are appended
 *
 * Matches the other connections, once the clock offset is known: the nearest in time.
 */
void
ns_pair_ends_match_rest (const GArray *first,
                         const GArray *second,
                         const NsClockFit *fit,
                         gint64 slack_ns,
                         guint8 *marks,
                         GArray *matches)
{
  match_ends (first, second, fit, slack_ns, FALSE, marks, matches);
}
