/* What holds the data of a connection back: windows, black holes, acknowledgments that come late.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-tcpip-private.h"

#define NS_PER_MS (NS_PER_SECOND / 1000)

/* More than this is a full segment, which nothing but a window holds back. */
#define SMALL_BYTES 1460

/* How long hosts hold an acknowledgment back, with the little that it takes to arrive. */
static const NsTimeSpan delayed_acks[] = {
  { 40 * NS_PER_MS, 55 * NS_PER_MS },
  { 180 * NS_PER_MS, 220 * NS_PER_MS },
};

static NsTcpTrouble *
get_trouble (NsBuilder *builder, const NsTcpRec *rec)
{
  NsTcpip *self = builder->tcpip;
  GArray *troubles = builder->trace->tcp_troubles;
  guint32 n = ns_map_get (self->troubles, rec->row, 0);
  NsTcpTrouble trouble = { .tcp = rec->row,
                           .zero_from_ns = NS_TIME_NONE,
                           .black_hole_from_ns = NS_TIME_NONE,
                           .black_hole_to_ns = NS_TIME_NONE,
                           .held_from_ns = NS_TIME_NONE };

  if (n == 0)
    {
      g_array_append_val (troubles, trouble);
      n = troubles->len;
      ns_map_set (self->troubles, rec->row, 0, n);
    }
  return &g_array_index (troubles, NsTcpTrouble, n - 1);
}

static void
end_zero_window (NsTcpTrouble *trouble, gint64 time_ns)
{
  if (trouble->zero_since_ns == 0)
    return;
  trouble->zero_window_ns += MAX (time_ns - trouble->zero_since_ns, 0);
  trouble->zero_since_ns = 0;
}

/* Small events that only tell of trouble.  A connection that nothing else tells of is not one. */
void
ns_tcpip_handle_trouble (NsBuilder *builder, const NsRecord *record, const NsTcpipEvent *event)
{
  NsTcpRec *rec = ns_tcpip_newest (builder->tcpip, event->key, FALSE);
  NsTcpTrouble *trouble;

  if (rec == NULL)
    return;
  if (record->id == NS_TCPIP_SEND_TRANSMITTED)
    {
      ns_tcpip_note_sent (builder, rec, record->time_ns, event->n_bytes);
      return;
    }
  trouble = get_trouble (builder, rec);
  switch (record->id)
    {
    case NS_TCPIP_ZERO_WINDOW:
      if (trouble->zero_since_ns != 0)
        break;
      trouble->n_zero_windows++;
      trouble->zero_since_ns = MAX (record->time_ns, 1);
      if (trouble->zero_from_ns == NS_TIME_NONE)
        trouble->zero_from_ns = record->time_ns;
      break;
    case NS_TCPIP_ZERO_WINDOW_END:
      end_zero_window (trouble, record->time_ns);
      break;
    case NS_TCPIP_BLACK_HOLE:
      trouble->n_black_holes++;
      trouble->segment_bytes = MAX (event->full_bytes, event->n_bytes);
      if (trouble->black_hole_from_ns == NS_TIME_NONE)
        trouble->black_hole_from_ns = record->time_ns;
      trouble->black_hole_to_ns = record->time_ns;
      break;
    case NS_TCPIP_BLACK_HOLE_EXIT:
      trouble->has_smaller_helped |=
          trouble->n_black_holes > 0 && event->n_bytes != 0 && event->n_bytes < event->full_bytes;
      trouble->black_hole_to_ns = record->time_ns;
      break;
    case NS_TCPIP_BLACK_HOLE_FAILED:
    default:
      trouble->black_hole_to_ns = record->time_ns;
      break;
    }
}

/* Takes over what the stack itself has counted. */
void
ns_tcpip_note_limits (NsBuilder *builder, const NsTcpRec *rec, const NsTcpipEvent *event)
{
  NsTcpTrouble *trouble;

  /* The sender alone limits nearly every connection: it has nothing to send. */
  if (event->limited_ms[0] == 0 && event->limited_ms[1] == 0)
    return;
  trouble = get_trouble (builder, rec);
  trouble->receiver_ns = event->limited_ms[0] * NS_PER_MS;
  trouble->network_ns = event->limited_ms[1] * NS_PER_MS;
  trouble->sender_ns = event->limited_ms[2] * NS_PER_MS;
}

/* Makes one, or takes one that is no longer used; connections that wait are few. */
static guint32
add_held (NsTcpip *self, gint64 time_ns)
{
  NsTcpHeld held = { .since_ns = time_ns };
  guint32 n = self->unused_held;

  if (n == 0)
    {
      g_array_append_val (self->held, held);
      return self->held->len;
    }
  self->unused_held = g_array_index (self->held, NsTcpHeld, n - 1).next_unused;
  g_array_index (self->held, NsTcpHeld, n - 1) = held;
  return n;
}

/* A program gave bytes to be sent. */
void
ns_tcpip_note_posted (NsTcpip *self, const NsTcpRec *rec, gint64 time_ns, guint32 n_bytes)
{
  guint32 n = ns_map_get (self->held_of, rec->row, 0);
  NsTcpHeld *held;

  if (n == 0)
    {
      n = add_held (self, time_ns);
      ns_map_set (self->held_of, rec->row, 0, n);
    }
  held = &g_array_index (self->held, NsTcpHeld, n - 1);
  held->n_bytes += MIN (n_bytes, G_MAXUINT32 - held->n_bytes);
}

static gboolean
is_delayed_ack (gint64 span_ns)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (delayed_acks); i++)
    if (span_ns >= delayed_acks[i].begin_ns && span_ns < delayed_acks[i].end_ns)
      return TRUE;
  return FALSE;
}

/* New bytes went out. Those that are less than a segment wait until all before them are
 * acknowledged. */
void
ns_tcpip_note_sent (NsBuilder *builder, const NsTcpRec *rec, gint64 time_ns, guint32 n_bytes)
{
  NsTcpip *self = builder->tcpip;
  guint32 n = n_bytes != 0 ? ns_map_get (self->held_of, rec->row, 0) : 0;
  NsTcpHeld *held;

  if (n == 0)
    return;
  held = &g_array_index (self->held, NsTcpHeld, n - 1);
  if (held->n_bytes < SMALL_BYTES && is_delayed_ack (time_ns - held->since_ns))
    {
      NsTcpTrouble *trouble = get_trouble (builder, rec);

      trouble->n_held++;
      trouble->held_ns += time_ns - held->since_ns;
      if (trouble->held_from_ns == NS_TIME_NONE)
        trouble->held_from_ns = held->since_ns;
    }
  held->n_bytes -= MIN (n_bytes, held->n_bytes);
  held->since_ns = time_ns;
  if (held->n_bytes > 0)
    return;
  ns_map_take (self->held_of, rec->row, 0);
  held->next_unused = self->unused_held;
  self->unused_held = n;
}

/* A window that did not open again lasted until the connection ended. */
void
ns_tcpip_finish_troubles (NsBuilder *builder)
{
  GArray *troubles = builder->trace->tcp_troubles;
  guint i;

  for (i = 0; i < troubles->len; i++)
    {
      NsTcpTrouble *trouble = &g_array_index (troubles, NsTcpTrouble, i);
      const NsTcpRec *rec = ns_tcpip_rec_at (builder->tcpip, trouble->tcp);

      end_zero_window (trouble,
                       ns_time_is_set (rec->close_ns) ? rec->close_ns : builder->trace->end_ns);
    }
  ns_tcpip_drop_troubles (builder->tcpip);
}

/* What only events are put in place by. */
void
ns_tcpip_drop_troubles (NsTcpip *self)
{
  g_clear_pointer (&self->troubles, ns_map_free);
  g_clear_pointer (&self->held_of, ns_map_free);
  g_clear_pointer (&self->held, g_array_unref);
}
