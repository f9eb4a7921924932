/* TCP analysis: marks retransmissions, zero windows and other anomalies in the segments of a
 * connection.
 *
 * The analysis follows tcp_analyze_sequence_number() of Wireshark 4.0,
 * epan/dissectors/packet-tcp.c: the same names and the same conditions in the same order, so that
 * `tshark` finds the same in an exported capture. Sequence numbers are compared as in RFC 1982.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-tcp.h"

#include <string.h>

/* Maximum time from the last duplicate ACK to a fast retransmission (Wireshark's constant). */
#define FAST_NS (20 * NS_PER_SECOND / 1000)
/* A segment this soon after its successor is out of order, if the round-trip time is unknown
 * (Wireshark's constant). */
#define OUT_OF_ORDER_NS (3 * NS_PER_SECOND / 1000)

#define OPTION_END 0
#define OPTION_NOP 1
#define OPTION_MSS 2
#define OPTION_WINDOW_SCALE 3
#define MAX_WINDOW_SCALE 14

#define SCALE_UNKNOWN (-1)
#define SCALE_NONE (-2)

/* Value of n_duplicate_acks: an acknowledgment of data that was not captured has been marked. */
#define ACK_LOST G_MAXUINT8
/* Maximum count of duplicate ACKs. */
#define MOST_DUPLICATES (ACK_LOST - 1)
/* Window of a side that has not sent anything. */
#define WINDOW_UNKNOWN G_MAXUINT32

#define SYN_FIN_RST (NS_TCP_SYN | NS_TCP_FIN | NS_TCP_RST)
#define MARK(name) (1u << NS_FLOW_##name)
#define ANY_AGAIN                                                                                  \
  (MARK (RETRANSMISSION) | MARK (FAST_RETRANSMISSION) | MARK (SPURIOUS_RETRANSMISSION))

static inline gboolean
is_after (guint32 a, guint32 b)
{
  return (gint32) (a - b) > 0;
}

/**
 * ns_flow_tcp_init: (skip)
 * @self: (out): a connection without segments
 */
void
ns_flow_tcp_init (NsFlowTcp *self)
{
  guint i;

  memset (self, 0, sizeof *self);
  self->first_syn_ns = self->last_syn_ns = NS_TIME_NONE;
  for (i = 0; i < 2; i++)
    {
      ns_flow_bytes_init (&self->sides[i].bytes);
      self->sides[i].scale = SCALE_UNKNOWN;
    }
}

/**
 * ns_flow_tcp_clear: (skip)
 * @self: a connection
 *
 * Frees its memory.
 */
void
ns_flow_tcp_clear (NsFlowTcp *self)
{
  ns_flow_bytes_clear (&self->sides[0].bytes);
  ns_flow_bytes_clear (&self->sides[1].bytes);
}

/**
 * ns_flow_tcp_is_new: (skip)
 * @self: a connection
 * @row: its row
 * @side: the sender's side
 * @frame: a segment
 *
 * Returns: whether the segment begins another connection with the same endpoints
 */
gboolean
ns_flow_tcp_is_new (const NsFlowTcp *self,
                    const NsFlowRow *row,
                    guint side,
                    const NsWireFrame *frame)
{
  return (frame->tcp_flags & (NS_TCP_SYN | NS_TCP_ACK)) == NS_TCP_SYN &&
         self->sides[side].has_isn && row->ways[side].isn != frame->seq;
}

/* A segment, with the values that the rules need. */
typedef struct
{
  NsFlowTcp *tcp;
  NsFlowRow *row;
  NsFlowSide *sender;
  NsFlowSide *receiver;
  const NsWireFrame *frame;
  NsArena *arena;
  guint side;
  guint32 seq;
  guint32 ack;
  guint32 size;
  guint8 flags;
  gint64 time_ns;
  guint marks;
} Segment;

static inline guint32
window_of (const NsFlowSide *side)
{
  return side->has_window ? side->window : WINDOW_UNKNOWN;
}

/* Returns the number of sequence numbers used by flags: one each for SYN and FIN. */
static inline guint32
uses_a_number (const Segment *self)
{
  return (self->flags & (NS_TCP_SYN | NS_TCP_FIN)) != 0;
}

/* Returns whether the segment has no data and repeats the one before it. */
static inline gboolean
is_repeat (const Segment *self)
{
  return self->size == 0 && self->frame->window == window_of (self->sender) &&
         self->seq == self->sender->next && self->ack == self->sender->ack &&
         (self->flags & SYN_FIN_RST) == 0;
}

static gboolean
fills_window (const Segment *self)
{
  const NsFlowSide *receiver = self->receiver;
  guint shift =
      receiver->scale == SCALE_NONE || receiver->is_window_of_syn ? 0 : (guint) receiver->scale;

  return self->size > 0 && receiver->scale != SCALE_UNKNOWN && receiver->has_window &&
         (self->flags & SYN_FIN_RST) == 0 &&
         self->seq + self->size == receiver->ack + ((guint32) receiver->window << shift);
}

/* Marks zero windows and their probes, window updates and full windows, keep-alives, and lost
 * segments. */
static void
look_at_window (Segment *self)
{
  const NsFlowSide *sender = self->sender;
  const NsFlowSide *receiver = self->receiver;
  gboolean is_plain = (self->flags & SYN_FIN_RST) == 0;
  guint16 window = self->frame->window;

  if (self->size == 1 && self->seq == sender->next && window_of (receiver) == 0)
    {
      self->marks |= MARK (ZERO_WINDOW_PROBE);
      return;
    }
  if (window == 0 && is_plain)
    self->marks |= MARK (ZERO_WINDOW);
  if (sender->next != 0 && is_after (self->seq, sender->next) && (self->flags & NS_TCP_RST) == 0)
    self->marks |= MARK (LOST_SEGMENT);
  if (self->size <= 1 && self->seq == sender->next - 1 && is_plain)
    self->marks |= MARK (KEEP_ALIVE);
  if (self->size == 0 && window != 0 && window != window_of (sender) && self->seq == sender->next &&
      self->ack == sender->ack && is_plain)
    self->marks |= MARK (WINDOW_UPDATE);
  if (fills_window (self))
    self->marks |= MARK (WINDOW_FULL);
}

static void
look_at_repeat (Segment *self)
{
  const NsFlowSide *receiver = self->receiver;
  guint16 window = self->frame->window;

  if ((self->marks & MARK (ZERO_WINDOW_PROBE)) != 0)
    return;
  if (is_repeat (self) && window != 0 && (receiver->last_marks & MARK (KEEP_ALIVE)) != 0)
    self->marks |= MARK (KEEP_ALIVE_ACK);
  else if (self->size == 0 && window == 0 && window_of (self->sender) == 0 &&
           self->seq == self->sender->next && self->ack == self->sender->ack &&
           (receiver->last_marks & MARK (ZERO_WINDOW_PROBE)) != 0 &&
           (self->flags & SYN_FIN_RST) == 0)
    self->marks |= MARK (ZERO_WINDOW_PROBE_ACK);
  else if (is_repeat (self) && window != 0)
    {
      if (self->sender->n_duplicate_acks == ACK_LOST)
        self->sender->n_duplicate_acks = 0;
      if (self->sender->n_duplicate_acks < MOST_DUPLICATES)
        self->sender->n_duplicate_acks++;
      self->marks |= MARK (DUPLICATE_ACK);
    }
}

/* Marks an ACK beyond the contiguous captured data of the other side: once per gap; without a
 * gap, once until the other side acknowledges something else. */
static void
look_at_ack (Segment *self)
{
  NsFlowSide *sender = self->sender;
  NsFlowSide *receiver = self->receiver;

  if (self->ack != sender->ack)
    sender->n_duplicate_acks = 0;
  if (receiver->whole == 0 || !is_after (self->ack, receiver->whole) ||
      (self->flags & NS_TCP_ACK) == 0)
    return;
  if (is_after (receiver->next, receiver->whole))
    {
      self->marks |= MARK (ACK_LOST_SEGMENT);
      receiver->whole = receiver->next;
      return;
    }
  if (receiver->n_duplicate_acks == 0)
    self->marks |= MARK (ACK_LOST_SEGMENT);
  receiver->n_duplicate_acks = ACK_LOST;
}

/* Marks data, a SYN or a FIN out of sequence, as a retransmission or as out of order. */
static void
look_at_order (Segment *self)
{
  const NsFlowSide *sender = self->sender;
  const NsFlowSide *receiver = self->receiver;
  gint64 near_ns = self->tcp->first_rtt_ns > 0 ? self->tcp->first_rtt_ns : OUT_OF_ORDER_NS;
  gboolean is_before = sender->next != 0 && is_after (sender->next, self->seq);

  if ((self->size == 0 && (self->flags & (NS_TCP_SYN | NS_TCP_FIN)) == 0) ||
      (self->marks & MARK (KEEP_ALIVE)) != 0)
    return;
  /* It may follow a zero-window probe whose byte it includes. */
  if (self->size > 1 && self->seq == sender->next - 1)
    is_before = FALSE;
  if (self->size > 0 && receiver->ack != 0 && !is_after (self->seq + self->size, receiver->ack))
    self->marks |= MARK (SPURIOUS_RETRANSMISSION) | MARK (RETRANSMISSION);
  else if (!is_before)
    return;
  else if (receiver->n_duplicate_acks >= 2 && receiver->ack == self->seq &&
           self->time_ns - receiver->ack_ns < FAST_NS)
    self->marks |= MARK (FAST_RETRANSMISSION) | MARK (RETRANSMISSION);
  else if (self->time_ns - sender->next_ns < near_ns &&
           sender->next != self->seq + self->size + uses_a_number (self))
    self->marks |= MARK (OUT_OF_ORDER);
  else
    self->marks |= MARK (RETRANSMISSION);
}

static void
remember (const Segment *self)
{
  NsFlowSide *sender = self->sender;
  gboolean is_probe = (self->marks & MARK (ZERO_WINDOW_PROBE)) != 0;
  guint32 next = self->seq + self->size + uses_a_number (self);

  if ((sender->next == 0 || is_after (next, sender->next)) && !is_probe)
    {
      sender->next = next;
      sender->next_ns = self->time_ns;
    }
  if ((sender->whole == 0 || self->seq == sender->whole) && !is_probe)
    sender->whole = sender->next;
  sender->window = (guint16) self->frame->window;
  sender->has_window = TRUE;
  sender->is_window_of_syn = (self->flags & NS_TCP_SYN) != 0;
  sender->ack = self->ack;
  sender->ack_ns = self->time_ns;
  sender->last_marks = (guint16) self->marks;
  if (!sender->has_isn)
    {
      self->row->ways[self->side].isn = (self->flags & NS_TCP_SYN) != 0 ? self->seq : self->seq - 1;
      sender->has_isn = TRUE;
    }
  if (!self->receiver->has_isn && (self->flags & NS_TCP_ACK) != 0)
    {
      self->row->ways[!self->side].isn = self->ack - 1;
      self->receiver->has_isn = TRUE;
    }
}

static void
read_options (const Segment *self, NsFlowOffer *offer)
{
  const guint8 *options = self->frame->tcp_options;
  gsize size = self->frame->tcp_options_size;
  gint scale = SCALE_UNKNOWN;
  gsize i = 0;

  while (options != NULL && i < size && options[i] != OPTION_END)
    {
      gsize length = options[i] == OPTION_NOP ? 1 : i + 1 < size ? options[i + 1] : 0;

      if (length == 0 || length > size - i || (options[i] != OPTION_NOP && length < 2))
        break;
      if (options[i] == OPTION_MSS && length == 4)
        {
          offer->mss = (guint16) (options[i + 2] << 8 | options[i + 3]);
          offer->has_mss = TRUE;
        }
      else if (options[i] == OPTION_WINDOW_SCALE && length == 3)
        {
          scale = MIN (options[i + 2], MAX_WINDOW_SCALE);
          offer->window_scale = (gint8) scale;
        }
      i += length;
    }
  /* A retransmitted SYN may omit the option. */
  if (scale != SCALE_UNKNOWN)
    self->sender->scale = (gint8) scale;
  else if (self->sender->scale == SCALE_UNKNOWN && !self->frame->is_header_cut)
    self->sender->scale = SCALE_NONE;
  /* Both sides must offer it (RFC 7323, 2.2). */
  if (self->sender->scale == SCALE_NONE || self->receiver->scale == SCALE_NONE)
    self->sender->scale = self->receiver->scale = SCALE_NONE;
}

static void
look_at_syn (const Segment *self)
{
  NsFlowTcp *tcp = self->tcp;
  NsFlowRow *row = self->row;
  gboolean is_again = self->sender->has_syn;

  read_options (self, &row->offers[self->side]);
  self->sender->has_syn = TRUE;
  ns_flow_bytes_see (&self->sender->bytes, self->seq + 1);
  if ((self->flags & NS_TCP_ACK) != 0)
    {
      if (tcp->first_syn_ns == NS_TIME_NONE)
        tcp->client = (guint8) !self->side;
      if (tcp->has_syn_ack)
        return;
      tcp->has_syn_ack = TRUE;
      if (tcp->last_syn_ns != NS_TIME_NONE)
        {
          row->is_accepted = TRUE;
          row->syn_rtt_ns = self->time_ns - tcp->last_syn_ns;
          if (tcp->last_syn_ns != tcp->first_syn_ns)
            ns_flow_need_more (row, self->arena)->syn_again_ns =
                tcp->last_syn_ns - tcp->first_syn_ns;
        }
      return;
    }
  if (tcp->first_syn_ns == NS_TIME_NONE)
    {
      tcp->client = (guint8) self->side;
      tcp->first_syn_ns = self->time_ns;
    }
  /* A SYN of the other side may also be a simultaneous open (RFC 9293, 3.5). */
  else if (is_again)
    ns_flow_need_more (row, self->arena)->n_syn_retries++;
  tcp->last_syn_ns = self->time_ns;
}

/* Ends the handshake with the first acknowledgment by either side, as Wireshark does. */
static void
look_at_handshake (const Segment *self)
{
  NsFlowTcp *tcp = self->tcp;

  if (tcp->last_syn_ns != NS_TIME_NONE && tcp->first_rtt_ns == 0 &&
      (self->flags & (NS_TCP_SYN | NS_TCP_ACK)) == NS_TCP_ACK)
    tcp->first_rtt_ns = self->time_ns - tcp->last_syn_ns;
}

static void
end (NsFlowRow *row, NsFlowEnd how, gint64 time_ns)
{
  if (row->end != NS_FLOW_END_NONE)
    return;
  row->end = (guint8) how;
  row->close_ns = time_ns;
}

static void
look_at_end (const Segment *self)
{
  NsFlowTcp *tcp = self->tcp;
  NsFlowSide *sender = self->sender;
  NsFlowSide *receiver = self->receiver;

  if ((self->flags & NS_TCP_RST) != 0)
    {
      gboolean is_refusal = receiver->has_syn && !sender->has_syn &&
                            self->row->ways[!self->side].payload_bytes == 0 &&
                            tcp->first_syn_ns != NS_TIME_NONE && !tcp->has_syn_ack;

      if (is_refusal && self->row->end == NS_FLOW_END_NONE)
        self->row->syn_rtt_ns = self->time_ns - tcp->last_syn_ns;
      if (self->row->end == NS_FLOW_END_NONE)
        self->row->is_reset_by_client =
            (NsBool) self->side; /* the client may change when the conversation ends */
      end (self->row, is_refusal ? NS_FLOW_END_REFUSED : NS_FLOW_END_RST, self->time_ns);
      return;
    }
  if ((self->flags & NS_TCP_FIN) != 0)
    {
      sender->has_fin = TRUE;
      sender->fin = self->seq + self->size + 1;
      ns_flow_bytes_see (&sender->bytes, sender->fin - 1);
    }
  if (receiver->has_fin && (self->flags & NS_TCP_ACK) != 0 && !is_after (receiver->fin, self->ack))
    receiver->is_fin_acked = TRUE;
  if (sender->is_fin_acked && receiver->is_fin_acked)
    end (self->row, NS_FLOW_END_FIN, self->time_ns);
}

static void
open_window (NsFlowMore *more, guint side, gint64 time_ns)
{
  more->zero_window_ns += MAX (time_ns - more->zero_since_ns[side], 0);
  more->zero_since_ns[side] = NS_TIME_NONE;
}

static void
look_at_zero_window (const Segment *self)
{
  NsFlowMore *more;

  if ((self->flags & NS_TCP_RST) != 0)
    return;
  if ((self->marks & MARK (ZERO_WINDOW)) != 0)
    {
      more = ns_flow_need_more (self->row, self->arena);
      if (more->zero_since_ns[self->side] == NS_TIME_NONE)
        more->zero_since_ns[self->side] = self->time_ns;
    }
  else if (self->row->more != NULL && self->row->more->zero_since_ns[self->side] != NS_TIME_NONE &&
           self->frame->window != 0)
    open_window (ns_flow_need_more (self->row, self->arena), self->side, self->time_ns);
}

static void
count_marks (const Segment *self, gboolean has_data)
{
  guint counted = self->marks & (MARK (N_COUNTED) - 1);
  NsFlowAnomaly *anomaly;
  guint i;

  if (counted == 0)
    return;
  anomaly = &ns_flow_need_more (self->row, self->arena)->ways[self->side];
  anomaly->n_data_again += has_data && (counted & ANY_AGAIN) != 0;
  for (i = 0; counted >> i != 0; i++)
    anomaly->counts[i] += counted >> i & 1;
}

/**
 * ns_flow_tcp_add: (skip)
 * @self: a connection
 * @row: its row
 * @side: the sender's side
 * @frame: a segment with a complete header
 * @ns: time of capture, not before the previous segment
 * @arena: allocates what rows refer to
 *
 * Updates the state with a segment. One with a truncated header is not analysed, as in Wireshark,
 * since the missing part may change its meaning.
 *
 * Returns: the result of the analysis: a bit for each #NsFlowMark
 */
guint
ns_flow_tcp_add (NsFlowTcp *self,
                 NsFlowRow *row,
                 guint side,
                 const NsWireFrame *frame,
                 gint64 ns,
                 NsArena *arena)
{
  gboolean has_data;
  Segment segment = { .tcp = self,
                      .row = row,
                      .sender = &self->sides[side],
                      .receiver = &self->sides[!side],
                      .frame = frame,
                      .arena = arena,
                      .side = side,
                      .seq = frame->seq,
                      .ack = frame->ack,
                      .size = (guint32) frame->wire_payload_size,
                      .flags = frame->tcp_flags,
                      .time_ns = ns };

  if ((segment.flags & (SYN_FIN_RST | NS_TCP_ACK)) == NS_TCP_SYN && segment.size == 0)
    self->n_syns_only++;
  look_at_window (&segment);
  look_at_repeat (&segment);
  look_at_ack (&segment);
  look_at_order (&segment);
  remember (&segment);

  if ((segment.flags & NS_TCP_SYN) != 0)
    look_at_syn (&segment);
  look_at_handshake (&segment);
  look_at_zero_window (&segment);
  has_data =
      segment.size > 0 && (segment.marks & (MARK (KEEP_ALIVE) | MARK (ZERO_WINDOW_PROBE))) == 0;
  if (has_data)
    {
      row->ways[side].payload_bytes += segment.size;
      ns_flow_bytes_add (&segment.sender->bytes,
                         segment.seq + ((segment.flags & NS_TCP_SYN) != 0 ? 1 : 0),
                         segment.size);
    }
  else if ((segment.marks & MARK (ZERO_WINDOW_PROBE)) != 0)
    ns_flow_bytes_add_probe (&segment.sender->bytes, segment.seq);
  look_at_end (&segment);
  if (!frame->is_header_cut)
    count_marks (&segment, has_data);
  return segment.marks;
}

/**
 * ns_flow_tcp_finish: (skip)
 * @self: a connection
 * @row: its row
 * @arena: allocates what rows refer to
 *
 * Completes the row after the last segment.
 */
void
ns_flow_tcp_finish (NsFlowTcp *self, NsFlowRow *row, NsArena *arena)
{
  guint i;

  if (self->has_syn_ack && self->first_rtt_ns > 0)
    row->handshake_ns = self->first_rtt_ns;
  for (i = 0; i < 2; i++)
    {
      NsFlowWay *way = &row->ways[i];
      guint64 n_data = way->payload_bytes;
      guint64 n_of_probes;
      guint64 n_missing;

      way->payload_bytes = ns_flow_bytes_sum (&self->sides[i].bytes, &n_of_probes, &n_missing);
      if (n_missing > 0)
        ns_flow_need_more (row, arena)->ways[i].missing_bytes = n_missing;
      n_data += n_of_probes;
      if (n_data > way->payload_bytes)
        ns_flow_need_more (row, arena)->ways[i].again_bytes = n_data - way->payload_bytes;
      if (row->more != NULL && row->more->zero_since_ns[i] != NS_TIME_NONE)
        open_window (ns_flow_need_more (row, arena), i, row->last_ns);
    }
}
