/* TCP anomalies that delay data: zero windows, MTU black holes, delayed acknowledgments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/tcpip/ns-tcpip-private.h"

#include "base/ns-arena.h"

#include <string.h>

#define NS_PER_MS (NS_PER_SECOND / 1000)

/* Minimum size of a send that only the window can delay: a full segment. */
#define SMALL_BYTES 1460

/* Minimum number of connections with unsent bytes before ended ones are removed. */
#define MIN_HELD 1024

static NsTcpAnomaly *
get_anomaly (NsBuilder *builder, const NsTcpRec *rec)
{
  NsTcpip *self = builder->tcpip;
  GArray *anomalies = builder->trace->tcp_anomalies;
  guint32 n = ns_map_get (self->anomalies, rec->row, 0);
  NsTcpAnomaly anomaly = { .tcp = rec->row,
                           .held_from_ns = NS_TIME_NONE,
                           .handshake_ns = (gint64) rec->handshake_us * 1000,
                           .flow = &ns_tcp_flow_none };

  if (n == 0)
    {
      g_array_append_val (anomalies, anomaly);
      n = anomalies->len;
      ns_map_set (self->anomalies, rec->row, 0, n);
    }
  return &g_array_index (anomalies, NsTcpAnomaly, n - 1);
}

/* Returns the connection's flow data, allocated on first use: few connections have any. */
static NsTcpFlow *
get_flow (NsBuilder *builder, const NsTcpRec *rec)
{
  NsTcpAnomaly *anomaly = get_anomaly (builder, rec);

  if (anomaly->flow == &ns_tcp_flow_none)
    anomaly->flow = ns_arena_dup (builder->trace->arena, anomaly->flow, sizeof *anomaly->flow);
  return (NsTcpFlow *) anomaly->flow;
}

static void
end_zero_window (NsTcpFlow *flow, gint64 time_ns)
{
  if (flow->zero_since_ns == 0)
    return;
  flow->zero_window_ns += MAX (time_ns - flow->zero_since_ns, 0);
  flow->zero_since_ns = 0;
}

/* Handles events that only report anomalies. They do not add a connection that no other event
 * reports. */
void
ns_tcpip_handle_anomaly (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpRec *rec = ns_tcpip_newest (builder->tcpip, event->key, FALSE);
  NsTcpFlow *flow;

  if (rec == NULL)
    return;
  if (record->id == NS_TCPIP_SEND_TRANSMITTED)
    {
      ns_tcpip_note_sent (builder, rec, record->time_ns, event->n_bytes);
      return;
    }
  flow = get_flow (builder, rec);
  switch (record->id)
    {
    case NS_TCPIP_ZERO_WINDOW:
      if (flow->zero_since_ns != 0)
        break;
      flow->n_zero_windows++;
      flow->zero_since_ns = MAX (record->time_ns, 1);
      if (flow->zero_from_ns == NS_TIME_NONE)
        flow->zero_from_ns = record->time_ns;
      break;
    case NS_TCPIP_ZERO_WINDOW_END:
      end_zero_window (flow, record->time_ns);
      break;
    case NS_TCPIP_BLACK_HOLE:
      flow->n_black_holes++;
      flow->segment_bytes = MAX (event->full_bytes, event->n_bytes);
      if (flow->black_hole_from_ns == NS_TIME_NONE)
        flow->black_hole_from_ns = record->time_ns;
      flow->black_hole_to_ns = record->time_ns;
      break;
    case NS_TCPIP_BLACK_HOLE_EXIT:
      flow->has_smaller_helped |=
          flow->n_black_holes > 0 && event->n_bytes != 0 && event->n_bytes < event->full_bytes;
      flow->black_hole_to_ns = record->time_ns;
      break;
    case NS_TCPIP_BLACK_HOLE_FAILED:
      flow->has_search_failed = TRUE;
      if (flow->black_hole_from_ns == NS_TIME_NONE)
        flow->black_hole_from_ns = record->time_ns;
      flow->segment_bytes = MAX (flow->segment_bytes, MAX (event->full_bytes, event->n_bytes));
      flow->black_hole_to_ns = record->time_ns;
      break;
    default:
      flow->black_hole_to_ns = record->time_ns;
      break;
    }
}

/* Number of retransmissions after which a full segment probably does not pass the path. */
#define MIN_FULL_AGAIN 2
/* Maximum time between the events that report one retransmission. */
#define SAME_ROUND_NS NS_PER_MS

static gboolean
seems_lost (const NsTcpMore *more)
{
  return more->n_full_again >= MIN_FULL_AGAIN;
}

/* Records that full segments get lost while smaller ones pass. */
static void
report_lost_size (NsBuilder *builder, const NsTcpRec *rec, const NsTcpMore *more, gint64 time_ns)
{
  NsTcpFlow *flow = get_flow (builder, rec);

  flow->segment_bytes =
      MAX (flow->segment_bytes, MIN (rec->full_bytes, (guint32) NS_TCP_USUAL_BYTES));
  flow->has_smaller_helped |= more->is_cut_smaller;
  if (flow->black_hole_from_ns == NS_TIME_NONE)
    flow->black_hole_from_ns = more->again_from_ns;
  flow->black_hole_to_ns = time_ns;
}

/* Notes the retransmission of a full segment. */
void
ns_tcpip_note_full_again (NsBuilder *builder, NsTcpRec *rec, gint64 time_ns, guint32 sequence)
{
  NsTcpMore *more = ns_tcpip_get_more (builder->tcpip, rec);

  if (more->n_full_again == 0 || more->again_seq != sequence)
    {
      more->n_full_again = 0;
      more->again_seq = sequence;
      more->again_from_ns = time_ns;
      more->has_small_sent = more->has_small_between = more->is_cut_smaller = FALSE;
    }
  else if (time_ns - more->again_ns < SAME_ROUND_NS)
    return;
  more->again_ns = time_ns;
  more->n_full_again = MIN (more->n_full_again + 1, G_MAXUINT16);
  more->has_small_between |= more->has_small_sent;
}

/* Notes any other send: one smaller than a segment, which may pass the path, or a full segment
 * of new data, which is sent once the lost one has arrived. */
void
ns_tcpip_note_smaller (NsBuilder *builder,
                       NsTcpRec *rec,
                       const NsTcpipEvent *event,
                       gboolean is_again)
{
  NsTcpMore *more = ns_tcpip_get_more (builder->tcpip, rec);

  if (more->n_full_again == 0)
    return;
  if (event->n_bytes >= MIN (rec->full_bytes, NS_TCP_FULL_BYTES) && !is_again)
    more->n_full_again = 0;
  else if (!is_again)
    more->has_small_sent = TRUE;
  else if (seems_lost (more) && event->sequence == more->again_seq)
    more->is_cut_smaller = TRUE;
}

/* Handles data of the peer: reports the size of a lost segment if smaller ones have passed. */
void
ns_tcpip_note_heard (NsBuilder *builder, NsTcpRec *rec, gint64 time_ns)
{
  NsTcpMore *more = ns_tcpip_get_more (builder->tcpip, rec);

  if (seems_lost (more) && (more->has_small_between || more->is_cut_smaller))
    report_lost_size (builder, rec, more, time_ns);
}

/* Minimum number of bytes of a transfer that is analysed. */
#define MIN_BULK_BYTES (1 << 18)

/* Returns the bytes in flight: from the event, else the bytes sent within one round trip. */
static guint64
get_flight (NsTcpFlow *flow, const NsTcpRec *rec, gint64 time_ns, const NsTcpipEvent *event)
{
  if (event->has_unacknowledged)
    {
      guint32 flight = event->sequence + event->n_bytes - event->unacknowledged;

      return flight <= G_MAXINT32 ? flight : 0;
    }
  if (time_ns - flow->burst_ns >= (gint64) rec->handshake_us * 1000)
    {
      flow->burst_ns = time_ns;
      flow->burst_bytes = 0;
    }
  flow->burst_bytes += MIN (event->n_bytes, G_MAXUINT32 - flow->burst_bytes);
  return flow->burst_bytes;
}

/* Counts sends of a long transfer that fill the smaller of both windows. */
void
ns_tcpip_note_flight (NsBuilder *builder, NsTcpRec *rec, gint64 time_ns, const NsTcpipEvent *event)
{
  guint32 window = MIN (event->network_window, event->peer_window);
  NsTcpFlow *flow;

  if (window == 0 || rec->sent < MIN_BULK_BYTES)
    return;
  flow = get_flow (builder, rec);
  flow->n_flights++;
  if (get_flight (flow, rec, time_ns, event) < window - window / 10)
    return;
  flow->n_full[event->peer_window > event->network_window]++;
  flow->window_bytes = MAX (flow->window_bytes, window);
}

/* Copies the send limits from the stack's own statistics. */
void
ns_tcpip_note_limits (NsBuilder *builder, const NsTcpRec *rec, const NsTcpipEvent *event)
{
  NsTcpFlow *flow;
  guint32 window;

  /* Skip connections that only the sender limits, as nearly all: it had nothing to send. */
  if (event->limited_ms[0] == 0 && event->limited_ms[1] == 0)
    return;
  flow = get_flow (builder, rec);
  flow->receiver_ns = event->limited_ms[0] * NS_PER_MS;
  flow->network_ns = event->limited_ms[1] * NS_PER_MS;
  flow->sender_ns = event->limited_ms[2] * NS_PER_MS;
  window = flow->receiver_ns >= flow->network_ns ? event->peer_window : event->network_window;
  flow->window_bytes = MAX (flow->window_bytes, window);
}

static void
drop_unsent (NsTcpip *self, guint32 n)
{
  NsTcpUnsent *unsent = &g_array_index (self->unsent, NsTcpUnsent, n - 1);

  ns_map_take (self->unsent_of, unsent->row, 0);
  unsent->n_bytes = 0;
  unsent->row = self->unused_unsent;
  self->unused_unsent = n;
}

/* Drops posted bytes of connections that ended some time ago, whose sends will not be logged. */
static void
drop_ended (NsTcpip *self, gint64 time_ns)
{
  guint32 n_used = 0;
  guint32 n;

  for (n = 1; n <= self->unsent->len; n++)
    {
      const NsTcpUnsent *unsent = &g_array_index (self->unsent, NsTcpUnsent, n - 1);
      const NsTcpRec *rec = unsent->n_bytes != 0 ? ns_tcpip_rec_at (self, unsent->row) : NULL;

      if (rec != NULL && rec->close_ns != NS_TIME_OPEN && time_ns - rec->close_ns > NS_TCP_LATE_NS)
        drop_unsent (self, n);
      else if (rec != NULL)
        n_used++;
    }
  self->max_unsent = MAX (2 * n_used, MIN_HELD);
}

/* Takes an unused entry, or appends one. */
static guint32
add_unsent (NsTcpip *self, NsRow row, gint64 time_ns)
{
  NsTcpUnsent unsent = { .row = row, .since_ns = time_ns };
  guint32 n;

  if (self->unused_unsent == 0 && self->unsent->len >= self->max_unsent)
    drop_ended (self, time_ns);
  n = self->unused_unsent;
  if (n == 0)
    {
      g_array_append_val (self->unsent, unsent);
      return self->unsent->len;
    }
  self->unused_unsent = g_array_index (self->unsent, NsTcpUnsent, n - 1).row;
  g_array_index (self->unsent, NsTcpUnsent, n - 1) = unsent;
  return n;
}

/* Records that a program posted bytes to be sent. */
void
ns_tcpip_note_posted (NsTcpip *self, const NsTcpRec *rec, gint64 time_ns, guint32 n_bytes)
{
  guint32 n = ns_map_get (self->unsent_of, rec->row, 0);
  NsTcpUnsent *unsent;

  if (n == 0)
    {
      n = add_unsent (self, rec->row, time_ns);
      ns_map_set (self->unsent_of, rec->row, 0, n);
    }
  unsent = &g_array_index (self->unsent, NsTcpUnsent, n - 1);
  unsent->n_bytes += MIN (n_bytes, G_MAXUINT32 - unsent->n_bytes);
}

/* Returns whether the delay is that of a delayed acknowledgment of a Linux or Windows host, plus
 * the round-trip time. */
static gboolean
is_delayed_ack (const NsThresholds *thresholds, gint64 span_ns)
{
  return (span_ns >= ns_threshold_get_ns (thresholds, NS_THRESHOLD_D23_SHORT_FROM) &&
          span_ns < ns_threshold_get_ns (thresholds, NS_THRESHOLD_D23_SHORT_TO)) ||
         (span_ns >= ns_threshold_get_ns (thresholds, NS_THRESHOLD_D23_LONG_FROM) &&
          span_ns < ns_threshold_get_ns (thresholds, NS_THRESHOLD_D23_LONG_TO));
}

/* Records that new data was sent. Data smaller than a segment waits until everything before it
 * is acknowledged (Nagle). */
void
ns_tcpip_note_sent (NsBuilder *builder, const NsTcpRec *rec, gint64 time_ns, guint32 n_bytes)
{
  NsTcpip *self = builder->tcpip;
  guint32 n = n_bytes != 0 ? ns_map_get (self->unsent_of, rec->row, 0) : 0;
  NsTcpUnsent *unsent;

  if (n == 0)
    return;
  unsent = &g_array_index (self->unsent, NsTcpUnsent, n - 1);
  if (unsent->n_bytes < SMALL_BYTES &&
      is_delayed_ack (builder->trace->thresholds, time_ns - unsent->since_ns))
    {
      NsTcpAnomaly *anomaly = get_anomaly (builder, rec);

      anomaly->n_held++;
      anomaly->held_ns += time_ns - unsent->since_ns;
      if (anomaly->held_from_ns == NS_TIME_NONE)
        anomaly->held_from_ns = unsent->since_ns;
    }
  unsent->n_bytes -= MIN (n_bytes, unsent->n_bytes);
  unsent->since_ns = time_ns;
  if (unsent->n_bytes > 0)
    return;
  drop_unsent (self, n);
}

/* Ends zero windows that are still open at the end of their connection. */
void
ns_tcpip_finish_anomalies (NsBuilder *builder)
{
  GArray *anomalies = builder->trace->tcp_anomalies;
  guint i;

  for (i = 0; i < anomalies->len; i++)
    {
      const NsTcpAnomaly *anomaly = &g_array_index (anomalies, NsTcpAnomaly, i);
      const NsTcpRec *rec = ns_tcpip_rec_at (builder->tcpip, anomaly->tcp);

      if (anomaly->flow == &ns_tcp_flow_none)
        continue;
      end_zero_window ((NsTcpFlow *) anomaly->flow,
                       ns_time_is_set (rec->close_ns) ? rec->close_ns : builder->trace->end_ns);
    }
  ns_tcpip_drop_anomalies (builder->tcpip);
}

/* Frees the maps that only events need. */
void
ns_tcpip_drop_anomalies (NsTcpip *self)
{
  g_clear_pointer (&self->anomalies, ns_map_free);
  g_clear_pointer (&self->unsent_of, ns_map_free);
  g_clear_pointer (&self->unsent, g_array_unref);
}
