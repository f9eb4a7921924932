/* Pairs connections that two machines recorded, and divides the time of their requests.
 *
 * Unambiguous connections are paired first. Their traffic gives the clock offset, which is used to
 * pair the other connections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-pairs-private.h"

#include <glib/gi18n-lib.h>

/* Returns the wall-clock offset that converts times of the second trace to the first. */
static gint64
get_wall (const NsPairs *self)
{
  gint64 first = (gint64) ns_etl_file_ns_to_filetime (self->traces[0]->file, 0);
  gint64 second = (gint64) ns_etl_file_ns_to_filetime (self->traces[1]->file, 0);
  const gint64 max_ticks = NS_PAIR_MAX_NS / 100;

  /* The header of a damaged file may have any value. */
  return CLAMP ((first < 0 || second < 0) ? 0 : second - first, -max_ticks, max_ticks) * 100;
}

/* Returns the machine that opened a connection: by role if known, else the one with the longer
 * handshake round trip, as the server responds at once; else the first one. */
static guint
find_client (const NsPairEnd *first, const NsPairEnd *second)
{
  if (first->role != NS_PAIR_ROLE_UNKNOWN)
    return first->role == NS_PAIR_ROLE_SERVER;
  if (second->role != NS_PAIR_ROLE_UNKNOWN)
    return second->role == NS_PAIR_ROLE_CLIENT;
  return second->syn_rtt_ns > first->syn_rtt_ns;
}

static void
set_connections (NsPairs *self, GArray *const ends[2], const GArray *matches, gboolean is_aligned)
{
  guint i;

  g_array_set_size (self->connections, 0);
  for (i = 0; i < matches->len; i++)
    {
      const NsPairMatch *match = &g_array_index (matches, NsPairMatch, i);
      const NsPairEnd *first = &g_array_index (ends[0], NsPairEnd, match->ends[0]);
      const NsPairEnd *second = &g_array_index (ends[1], NsPairEnd, match->ends[1]);
      NsPairConnection connection = {
        { first->tcp, second->tcp },        { first->flow, second->flow },
        { match->ends[0], match->ends[1] }, (guint8) find_client (first, second),
        (guint8) match->evidence,           NS_CONFIDENCE_CERTAIN
      };

      if (match->evidence == NS_PAIR_BY_ENDS)
        connection.confidence =
            match->is_only || is_aligned ? NS_CONFIDENCE_LIKELY : NS_CONFIDENCE_INFERRED;
      g_array_append_val (self->connections, connection);
    }
}

static int
compare_matches (gconstpointer a, gconstpointer b)
{
  const NsPairMatch *one = a;
  const NsPairMatch *other = b;

  return (one->ends[0] > other->ends[0]) - (one->ends[0] < other->ends[0]);
}

/* Removes pairs whose lifetimes do not overlap, once the clock offset is known. */
static void
drop_wrong (const NsPairs *self,
            GArray *const ends[2],
            gint64 slack_ns,
            guint8 *marks,
            GArray *matches)
{
  guint n_kept = 0;
  guint i;

  for (i = 0; i < matches->len; i++)
    {
      NsPairMatch match = g_array_index (matches, NsPairMatch, i);
      const NsPairEnd *first = &g_array_index (ends[0], NsPairEnd, match.ends[0]);
      const NsPairEnd *second = &g_array_index (ends[1], NsPairEnd, match.ends[1]);
      gint64 open_ns = ns_clock_fit_to_first (&self->fit, second->open_ns);
      gint64 close_ns = ns_clock_fit_to_first (&self->fit, second->close_ns);

      if (match.evidence != NS_PAIR_BY_ENDS ||
          (ns_time_after (open_ns, -slack_ns) <= first->close_ns &&
           ns_time_after (close_ns, slack_ns) >= first->open_ns &&
           (!first->is_whole || !second->is_whole ||
            ABS (ns_time_between (open_ns, first->open_ns)) <= slack_ns)))
        {
          g_array_index (matches, NsPairMatch, n_kept++) = match;
          continue;
        }
      marks[match.ends[0]] = 0;
      marks[ends[0]->len + match.ends[1]] = 0;
    }
  g_array_set_size (matches, n_kept);
}

/* Time for which SYNs are retransmitted; one end may have missed the first ones. */
#define OPEN_SLACK_NS (3 * NS_PER_SECOND)

/* Returns the maximum error of times converted between the machines. */
static gint64
get_slack (const NsPairs *self)
{
  if (self->clock == NS_PAIRS_CLOCK_WALL)
    return NS_PAIR_WALL_SLACK_NS;
  return ns_time_sum (OPEN_SLACK_NS, MIN (self->fit.uncertainty_ns, NS_PAIR_WALL_SLACK_NS));
}

/* Returns the deviation of a bound from the estimated clock offset. */
static gint64
get_apart (const NsClockFit *fit, const NsClockBound *bound)
{
  return bound->difference_ns - (ns_clock_fit_to_second (fit, bound->time_ns) - bound->time_ns);
}

static guint
count_crossing (const NsClockFit *fit, const GArray *bounds, int sign)
{
  guint n = 0;
  guint i;

  for (i = 0; i < bounds->len; i++)
    if (sign * get_apart (fit, &g_array_index (bounds, NsClockBound, i)) < -fit->uncertainty_ns)
      n++;
  return n;
}

/* Keeps the tightest bound of each part of the recording. */
static void
keep_tightest (NsPairs *self, guint sender, const GArray *bounds)
{
  gint64 sign = sender == 0 ? 1 : -1;
  gint64 first_ns = G_MAXINT64;
  gint64 last_ns = G_MININT64;
  g_autofree NsPairDeviation *best = g_new (NsPairDeviation, NS_PAIR_MAX_DEVIATIONS);
  g_autofree gboolean *is_there = g_new0 (gboolean, NS_PAIR_MAX_DEVIATIONS);
  guint i;

  g_array_set_size (self->deviations[sender], 0);
  for (i = 0; i < bounds->len; i++)
    {
      first_ns = MIN (first_ns, g_array_index (bounds, NsClockBound, i).time_ns);
      last_ns = MAX (last_ns, g_array_index (bounds, NsClockBound, i).time_ns);
    }
  for (i = 0; i < bounds->len; i++)
    {
      const NsClockBound *bound = &g_array_index (bounds, NsClockBound, i);
      NsPairDeviation deviation = { bound->time_ns, get_apart (&self->fit, bound) };
      guint part = (guint) (((__int128) bound->time_ns - first_ns) * (NS_PAIR_MAX_DEVIATIONS - 1) /
                            MAX ((__int128) last_ns - first_ns, 1));

      if (!is_there[part] || sign * deviation.apart_ns < sign * best[part].apart_ns)
        best[part] = deviation;
      is_there[part] = TRUE;
    }
  for (i = 0; i < NS_PAIR_MAX_DEVIATIONS; i++)
    if (is_there[i])
      g_array_append_val (self->deviations[sender], best[i]);
}

static void
align (NsPairs *self, const NsPairSteps *steps)
{
  g_autoptr (GArray) upper = g_array_new (FALSE, FALSE, sizeof (NsClockBound));
  g_autoptr (GArray) lower = g_array_new (FALSE, FALSE, sizeof (NsClockBound));
  NsClockFit fit;

  ns_pair_steps_bound (steps, self, upper, lower);
  if (self->clock != NS_PAIRS_CLOCK_HAND && ns_clock_fit_find (&fit, upper, lower))
    {
      self->fit = fit;
      self->clock = NS_PAIRS_CLOCK_EXCHANGES;
    }
  self->n_crossing =
      self->clock == NS_PAIRS_CLOCK_WALL
          ? 0
          : count_crossing (&self->fit, upper, 1) + count_crossing (&self->fit, lower, -1);
  keep_tightest (self, 0, upper);
  keep_tightest (self, 1, lower);
}

/**
 * ns_pairs_new:
 * @first: a trace, opened with transfers if TCP/IP events are to be used for the clocks
 * @second: a trace of another machine
 * @offset_ns: (nullable): offset added to the times of @second besides that of the wall clocks;
 *   %NULL: derived from the traffic
 *
 * Finds the connections that both machines recorded, the clock offset, and the requests that one
 * sent and the other answered. Takes as long as sorting the packets.
 *
 * Returns: (transfer full): the result; the traces must outlive it
 */
NsPairs *
ns_pairs_new (const NsTrace *first, const NsTrace *second, const gint64 *offset_ns)
{
  return ns_pairs_new_with_progress (first, second, offset_ns, NULL, NULL);
}

/* Returns whether the caller cancelled. */
static gboolean
is_stopped (NsProgressFunc progress, gpointer progress_data, double fraction)
{
  return progress != NULL && !progress (fraction, progress_data);
}

/* Finds unambiguous pairs, then the clock offset, and then the rest.
 *
 * Returns: %FALSE if stopped
 */
static gboolean
find_all (NsPairs *self, GArray *const ends[2], NsProgressFunc progress, gpointer progress_data)
{
  g_autofree guint8 *marks = g_new0 (guint8, (gsize) ends[0]->len + ends[1]->len + 1);
  g_autoptr (NsPairSteps) steps = NULL;
  g_autoptr (GArray) matches = NULL;

  matches = ns_pair_ends_match_numbers (ends[0], ends[1], marks);
  if (is_stopped (progress, progress_data, 0.1))
    return FALSE;
  ns_pair_content_match (self->traces, ends, marks, matches);
  ns_pair_ends_match_only (ends[0], ends[1], -self->fit.offset_ns, marks, matches);
  g_array_sort (matches, compare_matches);
  set_connections (self, ends, matches, FALSE);
  if (is_stopped (progress, progress_data, 0.3))
    return FALSE;
  steps = ns_pair_steps_new (self, ends, matches);
  if (is_stopped (progress, progress_data, 0.5))
    return FALSE;
  align (self, steps);

  drop_wrong (self, ends, get_slack (self), marks, matches);
  ns_pair_ends_match_rest (ends[0], ends[1], &self->fit, get_slack (self), marks, matches);
  g_array_sort (matches, compare_matches);
  set_connections (self, ends, matches, self->clock == NS_PAIRS_CLOCK_EXCHANGES);
  if (is_stopped (progress, progress_data, 0.6))
    return FALSE;
  ns_pair_steps_free (steps);
  steps = ns_pair_steps_new (self, ends, matches);
  if (is_stopped (progress, progress_data, 0.8))
    return FALSE;
  align (self, steps);
  if (is_stopped (progress, progress_data, 0.9))
    return FALSE;
  ns_pair_rows_add (self, steps, ends);
  return TRUE;
}

/**
 * ns_pairs_new_with_progress:
 * @first: a trace, see ns_pairs_new()
 * @second: a trace of another machine
 * @offset_ns: (nullable): see ns_pairs_new()
 * @progress: (nullable): called with the progress; stops, between two steps, if it returns %FALSE
 * @progress_data: for @progress
 *
 * Like ns_pairs_new(), but can be cancelled.
 *
 * Returns: (transfer full) (nullable): the result; %NULL if stopped
 */
NsPairs *
ns_pairs_new_with_progress (const NsTrace *first,
                            const NsTrace *second,
                            const gint64 *offset_ns,
                            NsProgressFunc progress,
                            gpointer progress_data)
{
  NsPairs *self = g_new0 (NsPairs, 1);
  GArray *ends[2] = { ns_pair_ends_list (first), ns_pair_ends_list (second) };
  gboolean is_found;
  gint64 wall_ns;

  self->traces[0] = first;
  self->traces[1] = second;
  self->connections = g_array_new (FALSE, FALSE, sizeof (NsPairConnection));
  self->rows = g_array_new (FALSE, FALSE, sizeof (NsPairRow));
  self->deviations[0] = g_array_new (FALSE, FALSE, sizeof (NsPairDeviation));
  self->deviations[1] = g_array_new (FALSE, FALSE, sizeof (NsPairDeviation));
  wall_ns = get_wall (self);
  self->fit.offset_ns = -wall_ns;
  self->fit.uncertainty_ns = NS_PAIR_WALL_SLACK_NS;
  if (offset_ns != NULL)
    {
      self->fit.offset_ns -= CLAMP (*offset_ns, -NS_PAIR_MAX_NS, NS_PAIR_MAX_NS);
      self->fit.uncertainty_ns = 0;
      self->clock = NS_PAIRS_CLOCK_HAND;
    }

  is_found = find_all (self, ends, progress, progress_data);
  g_array_unref (ends[0]);
  g_array_unref (ends[1]);
  if (!is_found)
    g_clear_pointer (&self, ns_pairs_free);
  return self;
}

/**
 * ns_pairs_have_common_ends:
 * @first: a trace
 * @second: a trace of another machine
 *
 * Cheaper than ns_pairs_new(): ignores connections that could be paired by content only.
 *
 * Returns: whether both have a connection with the same endpoints, or with the same initial
 *   sequence numbers
 */
gboolean
ns_pairs_have_common_ends (const NsTrace *first, const NsTrace *second)
{
  NsPairs both = { .traces = { first, second } };
  g_autoptr (GArray) here = ns_pair_ends_list (first);
  g_autoptr (GArray) there = ns_pair_ends_list (second);
  g_autofree guint8 *marks = g_new0 (guint8, (gsize) here->len + there->len + 1);
  g_autoptr (GArray) matches = ns_pair_ends_match_numbers (here, there, marks);

  if (matches->len == 0)
    ns_pair_ends_match_only (here, there, get_wall (&both), marks, matches);
  return matches->len > 0;
}

void
ns_pairs_free (NsPairs *self)
{
  g_array_unref (self->connections);
  g_array_unref (self->rows);
  g_array_unref (self->deviations[0]);
  g_array_unref (self->deviations[1]);
  g_free (self);
}

/**
 * ns_pairs_check:
 * @first: a trace
 * @second: another trace
 * @error: %NS_TRACE_ERROR_OPEN: both were recorded by one machine in one boot session
 *
 * A packet capture does not identify its machine, and is assumed to be of another one. Reads the
 * files on the first call, like ns_etl_file_get_machine().
 *
 * Returns: whether they may be of two machines
 */
gboolean
ns_pairs_check (const NsTrace *first, const NsTrace *second, GError **error)
{
  g_autofree char *why = NULL;

  if (ns_etl_file_is_capture (first->file) || ns_etl_file_is_capture (second->file) ||
      !ns_etl_file_is_same_boot (first->file, second->file, &why))
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               _ ("both were recorded by one machine (%s); specify traces of two machines"),
               why);
  return FALSE;
}

/**
 * ns_pairs_dup_machine:
 * @trace: a trace
 *
 * Reads the file on the first call, like ns_etl_file_get_machine().
 *
 * Returns: (transfer full): name of the computer that recorded it, else of its first file
 */
char *
ns_pairs_dup_machine (const NsTrace *trace)
{
  const char *name = ns_etl_file_get_machine (trace->file);

  return name != NULL ? g_strdup (name) : ns_etl_file_dup_input_name (trace->file, 0);
}

/**
 * ns_pairs_get_ahead:
 * @self: the result for two machines
 *
 * Returns: nanoseconds by which the second clock is ahead of the first, besides the offset of the
 *   traces' wall clocks
 */
gint64
ns_pairs_get_ahead (const NsPairs *self)
{
  return self->fit.offset_ns + get_wall (self);
}

/**
 * ns_pair_evidence_to_text:
 * @evidence: evidence for a pair of connections
 *
 * Returns: (transfer none): its name in outputs
 */
const char *
ns_pair_evidence_to_text (NsPairEvidence evidence)
{
  static const char *const names[] = { "ends", "sequence", "nat", "payload", "tls" };

  return names[evidence];
}

/**
 * ns_pairs_clock_to_text:
 * @clock: how clocks were aligned
 *
 * Returns: (transfer none): its name in outputs
 */
const char *
ns_pairs_clock_to_text (NsPairsClock clock)
{
  static const char *const names[] = { "wall", "exchanges", "hand" };

  return names[clock];
}
