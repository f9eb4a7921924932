/* Facts about TCP conversations for the rules of findings, collected in one pass over the packets.
 *
 * A segment counts as a retransmission if its bytes lie before the highest sent in that direction,
 * unless it is a keep-alive, a zero-window probe, another record of the same frame, or only out of
 * order (RFC 9293; Wireshark's definition of tcp.analysis.retransmission).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-facts.h"

#include "engine/net/packets/ns-packet-row.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-http.h"
#include "wire/ns-wire-message.h"
#include "wire/ns-wire-tls.h"

#include <string.h>

/* Maximum time between the records of one frame by several layers. */
#define SAME_FRAME_NS (NS_PER_SECOND / 1000)
/* Maximum time from a segment to a late predecessor that counts as reordered. */
#define OVERTAKEN_NS (3 * NS_PER_SECOND / 1000)
/* Maximum number of TLS records examined in one segment. */
#define MAX_TLS_RECORDS 16
#define MAX_URL_BYTES 2048
/* Minimum size of a full-sized segment, even in tunnels; and number of retransmissions after
 * which such a segment probably does not pass the path. */
#define MIN_FULL_BYTES 1000
#define MIN_FULL_AGAIN 2
/* Link type whose payload may begin with an IP header. */
#define LINK_RAW_IP 101
#define ICMP_REST_BYTES 4

enum
{
  TLS_ALERT = 21,
  TLS_HANDSHAKE = 22,
  TLS_FATAL = 2,
};

/* State of one direction. */
typedef struct
{
  guint32 next;  /* highest sequence number sent, plus 1 */
  guint32 acked; /* highest acknowledgment that its sender sent */
  guint32 syn;
  guint32 last_seq;
  gsize last_size;
  gint64 next_ns;
  gint64 last_ns;
  gint64 zero_since_ns; /* NS_TIME_NONE: its sender's window is open */
  NsRow request;        /* last HTTP request */
  guint16 last_ip_id;
  guint8 last_flags;
  gboolean has_next;
  gboolean has_acked;
  gboolean has_syn;
  /* Full-sized segment that is retransmitted without being acknowledged. */
  gint64 again_ns;
  guint32 again_seq;
  guint32 full_bytes; /* the largest segment so far */
  guint n_full_again;
  gboolean has_small_sent;
  gboolean is_cut_smaller;
} Progress;

typedef struct
{
  Progress ways[2];
  guint last_data; /* direction of the last data segment */
  gboolean has_data;
  gboolean is_over;
} State;

typedef struct
{
  const NsTrace *trace;
  NsPacketFacts *facts;
  GArray *states;    /* State, parallel to the conversations */
  GHashTable *known; /* both endpoints → index of the newest conversation + 1 */
} Reader;

/* Both endpoints, the lesser first. */
typedef struct
{
  NsEndpoint ends[2];
} Ends;

static guint
hash_ends (gconstpointer key)
{
  const Ends *ends = key;
  guint64 hash = ns_endpoint_hash (&ends->ends[0]) * 31 + ns_endpoint_hash (&ends->ends[1]);

  return (guint) (hash ^ hash >> 32);
}

static gboolean
are_equal_ends (gconstpointer a, gconstpointer b)
{
  const Ends *left = a;
  const Ends *right = b;

  return ns_endpoint_equal (&left->ends[0], &right->ends[0]) &&
         ns_endpoint_equal (&left->ends[1], &right->ends[1]);
}

static gboolean
is_lesser (const NsEndpoint *end, const NsEndpoint *other)
{
  int order = memcmp (&end->ip, &other->ip, sizeof end->ip);

  return order != 0 ? order < 0 : end->port < other->port;
}

/* Compares sequence numbers, which wrap around. */
static gboolean
is_before (guint32 seq, guint32 other)
{
  return (gint32) (seq - other) < 0;
}

/* Returns whether this machine sent the packet: known from the capture or the connection, else
 * guessed (a client has the higher port). */
static gboolean
is_sent (const Reader *self, const NsPacketRow *row, const NsWireFrame *frame)
{
  const guint8 both = NS_TCP_SYN | NS_TCP_ACK;
  NsRow tcp;

  if (row->direction != 0)
    return row->direction < 0;
  tcp = ns_packet_row_get_tcp (self->trace, row);
  if (tcp != 0 && tcp <= self->trace->tcp->len)
    return ns_endpoint_equal (NS_ROW_AT (self->trace->tcp, NsTcpRow, tcp)->remote, &frame->dst);
  if ((frame->tcp_flags & both) == NS_TCP_SYN)
    return TRUE;
  return (frame->tcp_flags & both) != both && frame->src.port >= frame->dst.port;
}

static void
add_talk (Reader *self, Ends *ends, const NsPacketRow *row, const NsWireFrame *frame, guint way)
{
  NsTcpConversation conversation = { .here = way == NS_WAY_OUT ? frame->src : frame->dst,
                                     .there = way == NS_WAY_OUT ? frame->dst : frame->src,
                                     .pid = NS_PID_UNKNOWN,
                                     .open_ns = row->time_ns,
                                     .close_ns = row->time_ns,
                                     .syn_ns = NS_TIME_NONE,
                                     .answered_ns = NS_TIME_NONE };
  State state = { 0 };
  guint i;

  for (i = 0; i < 2; i++)
    {
      conversation.ways[i].zero_from_ns = NS_TIME_NONE;
      conversation.ways[i].lost_from_ns = conversation.ways[i].lost_to_ns = NS_TIME_NONE;
      state.ways[i].zero_since_ns = NS_TIME_NONE;
    }
  g_array_append_val (self->facts->conversations, conversation);
  g_array_append_val (self->states, state);
  g_hash_table_replace (self->known,
                        g_memdup2 (ends, sizeof *ends),
                        GUINT_TO_POINTER (self->facts->conversations->len));
}

/* Returns the conversation of a packet, 1-based; 0: there is no room. A reused port begins a new
 * one with a SYN of another sequence number. */
static guint
find_talk (Reader *self, const NsPacketRow *row, const NsWireFrame *frame, guint *way)
{
  const guint8 both = NS_TCP_SYN | NS_TCP_ACK;
  Ends ends = { { frame->src, frame->dst } };
  guint n;

  if (!is_lesser (&frame->src, &frame->dst))
    ends = (Ends){ { frame->dst, frame->src } };
  n = GPOINTER_TO_UINT (g_hash_table_lookup (self->known, &ends));
  *way = is_sent (self, row, frame) ? NS_WAY_OUT : NS_WAY_IN;
  if (n != 0)
    {
      const State *state = &g_array_index (self->states, State, n - 1);
      const Progress *progress;

      /* The first packet decided which endpoint is local. */
      if (row->direction == 0)
        *way = ns_endpoint_equal (
                   &g_array_index (self->facts->conversations, NsTcpConversation, n - 1).here,
                   &frame->src)
                   ? NS_WAY_OUT
                   : NS_WAY_IN;
      progress = &state->ways[*way];
      if ((frame->tcp_flags & both) != NS_TCP_SYN || (!progress->has_next && !state->is_over) ||
          (progress->has_syn && progress->syn == frame->seq))
        return n;
    }
  if (self->facts->conversations->len >= NS_PACKET_CONVERSATIONS_MAX)
    {
      self->facts->is_cut = TRUE;
      return 0;
    }
  add_talk (self, &ends, row, frame, *way);
  return self->facts->conversations->len;
}

/* Context of one packet. */
typedef struct
{
  Reader *reader;
  const NsPacketRow *row;
  const NsWireFrame *frame;
  NsTcpConversation *conversation;
  State *state;
  guint n_conversation; /* 0-based */
  NsRow packet;
  guint way;
} Look;

static NsPacketFact *
add_fact (const Look *look, NsPacketFactKind kind, guint value)
{
  GArray *facts = look->reader->facts->facts;
  NsPacketFact fact = { .conversation = look->n_conversation,
                        .packet = look->packet,
                        .since_ns = NS_TIME_NONE,
                        .value = (guint16) value,
                        .kind = (guint8) kind,
                        .is_sent = look->way == NS_WAY_OUT };

  if (facts->len >= NS_PACKET_FACTS_MAX)
    {
      look->reader->facts->is_cut = TRUE;
      return NULL;
    }
  g_array_append_val (facts, fact);
  return &g_array_index (facts, NsPacketFact, facts->len - 1);
}

/* Returns whether another layer, or another switch port, recorded the same frame. */
static gboolean
is_same_frame (const Look *look)
{
  const NsWireFrame *frame = look->frame;
  Progress *progress = &look->state->ways[look->way];
  gboolean is_same = progress->last_flags == frame->tcp_flags && progress->last_seq == frame->seq &&
                     progress->last_size == frame->wire_payload_size &&
                     progress->last_ip_id == frame->ip_id && progress->last_flags != 0 &&
                     look->row->time_ns - progress->last_ns < SAME_FRAME_NS;

  progress->last_flags = frame->tcp_flags;
  progress->last_seq = frame->seq;
  progress->last_size = frame->wire_payload_size;
  progress->last_ip_id = frame->ip_id;
  progress->last_ns = look->row->time_ns;
  /* Exclude bare acknowledgments: repeated ones are duplicate ACKs. */
  return is_same && (frame->wire_payload_size > 0 || (frame->tcp_flags & NS_TCP_SYN) != 0);
}

static void
look_at_syn (const Look *look)
{
  NsTcpConversation *conversation = look->conversation;
  Progress *progress = &look->state->ways[look->way];

  if ((look->frame->tcp_flags & NS_TCP_ACK) != 0)
    {
      if (conversation->answered_ns == NS_TIME_NONE)
        conversation->answered_ns = look->row->time_ns;
    }
  else
    {
      look->reader->facts->n_syns++;
      if (conversation->syn_ns == NS_TIME_NONE)
        conversation->syn_ns = look->row->time_ns;
      if (progress->has_syn && conversation->answered_ns == NS_TIME_NONE)
        {
          conversation->ways[look->way].n_syns_again++;
          add_fact (look, NS_FACT_SYN_AGAIN, 0);
        }
      progress->has_syn = TRUE;
      progress->syn = look->frame->seq;
    }
  progress->next = look->frame->seq + 1;
  progress->next_ns = look->row->time_ns;
  progress->has_next = TRUE;
}

/* Records a reset of an established connection; a reset in response to a SYN is a refusal. */
static void
look_at_reset (const Look *look)
{
  const Progress *mine = &look->state->ways[look->way];
  const Progress *other = &look->state->ways[1 - look->way];
  gboolean is_there = look->conversation->answered_ns != NS_TIME_NONE || look->state->has_data;
  NsPacketFact *fact = NULL;

  if (is_there && !look->state->is_over)
    fact = add_fact (look, NS_FACT_RESET, 0);
  if (fact != NULL && look->state->has_data && other->has_next)
    fact->since_ns = other->next_ns;
  if (fact != NULL)
    fact->is_unanswered =
        look->state->has_data &&
        (look->state->last_data != look->way ||
         (other->has_next && mine->has_acked && is_before (mine->acked, other->next)));
  look->state->is_over = TRUE;
}

static void
look_at_window (const Look *look)
{
  Progress *progress = &look->state->ways[look->way];
  NsPacketWay *way = &look->conversation->ways[look->way];
  gint64 time_ns = look->row->time_ns;

  if (look->frame->window == 0)
    {
      if (progress->zero_since_ns != NS_TIME_NONE)
        return;
      progress->zero_since_ns = time_ns;
      if (way->zero_from_ns == NS_TIME_NONE)
        {
          way->zero_from_ns = time_ns;
          way->zero_packet = look->packet;
        }
    }
  else if (progress->zero_since_ns != NS_TIME_NONE)
    {
      way->zero_ns += MAX (time_ns - progress->zero_since_ns, 0);
      way->zero_end_packet = look->packet;
      progress->zero_since_ns = NS_TIME_NONE;
    }
}

static gboolean
is_probe (const Look *look)
{
  const Progress *progress = &look->state->ways[look->way];
  const Progress *other = &look->state->ways[1 - look->way];
  gsize size = look->frame->wire_payload_size;

  if (!progress->has_next || size > 1 || (look->frame->tcp_flags & NS_TCP_FIN) != 0)
    return FALSE;
  return look->frame->seq == progress->next - 1 ||
         (size == 1 && look->frame->seq == progress->next && other->zero_since_ns != NS_TIME_NONE);
}

static gboolean
is_again (const Look *look)
{
  const Progress *progress = &look->state->ways[look->way];
  const Progress *other = &look->state->ways[1 - look->way];
  guint32 end = look->frame->seq + (guint32) look->frame->wire_payload_size;

  if (!progress->has_next || !is_before (look->frame->seq, progress->next))
    return FALSE;
  if (other->has_acked && !is_before (other->acked, end))
    return TRUE; /* it had been received already */
  return look->way == NS_WAY_OUT || look->row->time_ns - progress->next_ns >= OVERTAKEN_NS;
}

/* Detects path MTU problems: large segments get lost while smaller ones pass. Only sent segments
 * are examined, as lost segments of the peer do not arrive here. */
static void
look_at_size (const Look *look)
{
  const NsWireFrame *frame = look->frame;
  Progress *progress = &look->state->ways[look->way];
  const Progress *other = &look->state->ways[1 - look->way];
  guint32 size = (guint32) MIN (frame->wire_payload_size, G_MAXUINT32);
  gboolean is_full = size >= MIN_FULL_BYTES && size >= progress->full_bytes;

  progress->full_bytes = MAX (progress->full_bytes, size);
  if (!is_again (look))
    {
      /* A new full-sized segment shows that the lost one has arrived. */
      if (is_full)
        progress->n_full_again = 0;
      else
        progress->has_small_sent |= progress->n_full_again > 0;
      return;
    }
  if (other->has_acked && is_before (frame->seq, other->acked))
    return;
  if (is_full && (progress->n_full_again == 0 || progress->again_seq != frame->seq))
    {
      progress->n_full_again = 1;
      progress->again_seq = frame->seq;
      progress->again_ns = look->row->time_ns;
      progress->has_small_sent = progress->is_cut_smaller = FALSE;
    }
  else if (is_full)
    progress->n_full_again++;
  else if (progress->n_full_again >= MIN_FULL_AGAIN && progress->again_seq == frame->seq)
    progress->is_cut_smaller = TRUE;
}

/* Checks whether an acknowledgment of the peer covers a retransmitted full-sized segment. */
static void
look_at_acknowledgment (const Look *look)
{
  Progress *sent = &look->state->ways[NS_WAY_OUT];
  NsPacketWay *way = &look->conversation->ways[NS_WAY_OUT];
  gboolean has_arrived = is_before (sent->again_seq, look->frame->ack);

  if (look->way != NS_WAY_IN || sent->n_full_again < MIN_FULL_AGAIN)
    return;
  if (has_arrived ? sent->is_cut_smaller : sent->has_small_sent)
    {
      if (way->lost_bytes == 0)
        way->lost_from_ns = sent->again_ns;
      way->lost_to_ns = look->row->time_ns;
      way->lost_bytes = MAX (way->lost_bytes, sent->full_bytes);
      way->is_cut_smaller |= has_arrived;
    }
  if (has_arrived)
    sent->n_full_again = 0;
}

static void
look_at_data (const Look *look)
{
  const NsWireFrame *frame = look->frame;
  Progress *progress = &look->state->ways[look->way];
  NsPacketWay *way = &look->conversation->ways[look->way];
  guint32 end = frame->seq + (guint32) frame->wire_payload_size;

  way->n_segments++;
  way->n_bytes += frame->wire_payload_size;
  if (is_again (look))
    {
      way->n_again++;
      way->n_bytes_again += MIN (frame->wire_payload_size, progress->next - frame->seq);
      add_fact (look, NS_FACT_AGAIN, 0);
    }
  if (!progress->has_next || is_before (progress->next, end))
    {
      progress->next = end;
      progress->next_ns = look->row->time_ns;
      progress->has_next = TRUE;
    }
  look->state->has_data = TRUE;
  look->state->last_data = look->way;
}

/* Finds TLS alerts during the handshake; later ones are encrypted. */
static void
look_for_alerts (const Look *look)
{
  const guint8 *data = look->frame->payload;
  gsize left = look->frame->payload_size;
  guint i;

  if (data[0] == TLS_HANDSHAKE && look->conversation->hello == 0 && left > 5 && data[5] == 1)
    look->conversation->hello = look->packet;
  for (i = 0; i < MAX_TLS_RECORDS && ns_wire_tls_is_record (data, left); i++)
    {
      gsize size = 5 + ((gsize) data[3] << 8 | data[4]);

      if (data[0] == TLS_ALERT && size == 7 && left >= 7 && data[5] == TLS_FATAL && data[6] != 0)
        add_fact (look, NS_FACT_ALERT, data[6]);
      if (size >= left)
        break;
      data += size;
      left -= size;
    }
}

static void
look_for_answers (const Look *look)
{
  const guint8 *data = look->frame->payload;
  gsize size = look->frame->payload_size;
  g_autoptr (GString) line = NULL;
  NsPacketFact *fact;
  guint status;

  if (!ns_wire_http_is_message (data, size))
    return;
  if (memcmp (data, "HTTP", 4) != 0)
    {
      look->state->ways[look->way].request = look->packet;
      return;
    }
  line = g_string_new (NULL);
  ns_wire_http_append_first_line (data, size, line);
  status = ns_wire_http_status_of_line (line->str);
  if (status < 400 || status > 599)
    return;
  fact = add_fact (look, NS_FACT_HTTP_ERROR, status);
  if (fact != NULL)
    fact->request = look->state->ways[1 - look->way].request;
}

static void
look_at (const Look *look)
{
  const NsWireFrame *frame = look->frame;
  Progress *progress = &look->state->ways[look->way];
  NsTcpConversation *conversation = look->conversation;
  gboolean is_new;

  conversation->close_ns = MAX (conversation->close_ns, look->row->time_ns);
  if (conversation->tcp == 0)
    conversation->tcp = ns_packet_row_get_tcp (look->reader->trace, look->row);
  if (conversation->flow == 0)
    conversation->flow = look->row->flow;
  if (conversation->activity == 0)
    conversation->activity = ns_packet_row_get_activity (look->reader->trace, look->row);
  if (conversation->pid == NS_PID_UNKNOWN)
    conversation->pid = ns_packet_row_get_pid (look->reader->trace, look->row);
  if (is_same_frame (look))
    return;
  if ((frame->tcp_flags & NS_TCP_RST) != 0)
    {
      look_at_reset (look);
      return;
    }
  if ((frame->tcp_flags & NS_TCP_SYN) != 0)
    {
      look_at_syn (look);
      return;
    }
  if ((frame->tcp_flags & NS_TCP_FIN) == 0)
    look_at_window (look);
  if (frame->wire_payload_size > 0 && !is_probe (look))
    {
      is_new = !is_again (look);
      if (look->way == NS_WAY_OUT)
        look_at_size (look);
      look_at_data (look);
      if (is_new && frame->payload != NULL && frame->payload_size > 0)
        {
          if (ns_wire_tls_is_record (frame->payload, frame->payload_size))
            look_for_alerts (look);
          else
            look_for_answers (look);
        }
    }
  if ((frame->tcp_flags & NS_TCP_ACK) != 0 &&
      (!progress->has_acked || is_before (progress->acked, frame->ack)))
    {
      progress->acked = frame->ack;
      progress->has_acked = TRUE;
    }
  if ((frame->tcp_flags & NS_TCP_ACK) != 0)
    look_at_acknowledgment (look);
}

static gboolean
is_tcp (const NsWireFrame *frame)
{
  return frame->has_ip && frame->protocol == NS_IP_TCP && !frame->is_fragment &&
         frame->src.port != 0;
}

static gboolean
parse (const NsTrace *trace, const NsPacketRow *row, NsWireFrame *frame)
{
  return ns_packet_row_parse (trace, row, frame) && is_tcp (frame);
}

/* Parses “Fragmentation needed” (RFC 1191) and “packet too big” (RFC 4443, 3.2): the size that
 * passes, and the beginning of the packet that was too big. */
static gboolean
parse_too_big (const NsWireFrame *frame, guint32 *size, NsWireFrame *inner)
{
  gboolean is_v4 = frame->protocol == NS_IP_ICMP && frame->icmp_type == 3 && frame->icmp_code == 4;
  NsCursor cursor;

  if (!is_v4 && (frame->protocol != NS_IP_ICMPV6 || frame->icmp_type != 2))
    return FALSE;
  if (frame->is_fragment || frame->icmp == NULL || frame->icmp_size <= ICMP_REST_BYTES)
    return FALSE;
  ns_cursor_init (&cursor, frame->icmp, frame->icmp_size);
  *size = ns_cursor_u32be (&cursor);
  if (is_v4)
    *size &= 0xffff;
  return ns_wire_frame_parse (inner,
                              frame->icmp + ICMP_REST_BYTES,
                              frame->icmp_size - ICMP_REST_BYTES,
                              LINK_RAW_IP) &&
         is_tcp (inner);
}

/* Records an ICMP message, from a router or a local tunnel, that a segment was too big. */
static void
look_at_icmp (Reader *self, const NsPacketRow *row, NsRow packet)
{
  Look look = { .reader = self, .row = row, .packet = packet };
  NsPacketRow sent = *row;
  NsWireFrame frame;
  NsWireFrame inner;
  guint32 size;
  guint n;

  if (!ns_packet_row_parse (self->trace, row, &frame) || !parse_too_big (&frame, &size, &inner))
    return;
  /* The ICMP message quotes a packet of the other direction. */
  sent.direction = (gint8) -row->direction;
  inner.tcp_flags = 0;
  n = find_talk (self, &sent, &inner, &look.way);
  if (n == 0)
    return;
  look.n_conversation = n - 1;
  add_fact (&look, NS_FACT_TOO_BIG, MIN (size, G_MAXUINT16));
}

/* Ends open zero-window times at the last packet of the conversation. */
static void
finish (Reader *self)
{
  guint i;
  guint j;

  for (i = 0; i < self->states->len; i++)
    for (j = 0; j < 2; j++)
      {
        const Progress *progress = &g_array_index (self->states, State, i).ways[j];
        NsTcpConversation *conversation =
            &g_array_index (self->facts->conversations, NsTcpConversation, i);

        if (progress->zero_since_ns != NS_TIME_NONE)
          conversation->ways[j].zero_ns +=
              MAX (conversation->close_ns - progress->zero_since_ns, 0);
      }
}

/**
 * ns_packet_facts_new: (skip)
 * @trace: a trace
 *
 * Examines each captured packet once; at most %NS_PACKET_CONVERSATIONS_MAX conversations and
 * %NS_PACKET_FACTS_MAX facts are kept.
 *
 * Returns: (transfer full): the facts
 */
NsPacketFacts *
ns_packet_facts_new (const NsTrace *trace)
{
  NsPacketFacts *facts = g_new0 (NsPacketFacts, 1);
  Reader self = { .trace = trace, .facts = facts };
  guint i;

  facts->conversations = g_array_new (FALSE, FALSE, sizeof (NsTcpConversation));
  facts->facts = g_array_new (FALSE, FALSE, sizeof (NsPacketFact));
  self.states = g_array_new (FALSE, FALSE, sizeof (State));
  self.known = g_hash_table_new_full (hash_ends, are_equal_ends, g_free, NULL);
  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);
      Look look = { .reader = &self, .row = row, .packet = i + 1 };
      NsWireFrame frame;
      guint n;

      if (!parse (trace, row, &frame))
        {
          look_at_icmp (&self, row, i + 1);
          continue;
        }
      n = find_talk (&self, row, &frame, &look.way);
      if (n == 0)
        continue;
      look.frame = &frame;
      look.n_conversation = n - 1;
      look.conversation = &g_array_index (facts->conversations, NsTcpConversation, n - 1);
      look.state = &g_array_index (self.states, State, n - 1);
      look_at (&look);
    }
  finish (&self);
  g_array_unref (self.states);
  g_hash_table_unref (self.known);
  return facts;
}

/**
 * ns_packet_facts_free: (skip)
 * @self: (transfer full): facts
 */
void
ns_packet_facts_free (NsPacketFacts *self)
{
  g_array_unref (self->conversations);
  g_array_unref (self->facts);
  g_free (self);
}

static gboolean
parse_row (const NsTrace *trace, NsRow packet, NsWireFrame *frame)
{
  return packet != 0 && packet <= trace->packets->len &&
         parse (trace, NS_ROW_AT (trace->packets, NsPacketRow, packet), frame) &&
         frame->payload != NULL;
}

/**
 * ns_packet_facts_dup_server_name: (skip)
 * @trace: a trace
 * @packet: the packet with a Client Hello, or 0
 *
 * Returns: (transfer full) (nullable): its server name indication
 */
char *
ns_packet_facts_dup_server_name (const NsTrace *trace, NsRow packet)
{
  NsWireFrame frame;
  NsWireHello hello;

  if (!parse_row (trace, packet, &frame) ||
      !ns_wire_tls_parse_hello (&hello, frame.payload, frame.payload_size) ||
      hello.server_name[0] == '\0')
    return NULL;
  return g_strdup (hello.server_name);
}

/**
 * ns_packet_facts_dup_url: (skip)
 * @trace: a trace
 * @packet: the packet with an HTTP request, or 0
 * @server: its destination
 *
 * Returns: (transfer full) (nullable): the requested URL, without its query
 */
char *
ns_packet_facts_dup_url (const NsTrace *trace, NsRow packet, const NsEndpoint *server)
{
  char address[NS_IP_TEXT_SIZE];
  g_autofree char *head = NULL;
  g_autofree char *host = NULL;
  g_autofree char *rest = NULL;
  const char *path;
  NsWireFrame frame;
  gsize size;

  if (!parse_row (trace, packet, &frame))
    return NULL;
  size = MIN (frame.payload_size, MAX_URL_BYTES);
  head = g_utf8_make_valid ((const char *) frame.payload, (gssize) size);
  path = strchr (head, ' ');
  if (path == NULL)
    return NULL;
  host = ns_wire_message_dup_field (head, strlen (head), "Host");
  path++;
  if (strstr (path, "://") != NULL && strstr (path, "://") < path + strcspn (path, " /?"))
    path = strstr (path, "://") + 3;
  path += *path == '/' ? 0 : strcspn (path, "/? \r\n");
  rest = g_strndup (path, strcspn (path, " ?#\r\n"));
  return g_strdup_printf ("http://%s%s",
                          host != NULL ? host : ns_endpoint_to_text (server, address),
                          *rest != '\0' ? rest : "/");
}
