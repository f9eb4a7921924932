/* Makes the table of conversations in one pass over the captured packets, in time order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-fragments.h"
#include "engine/net/flows/ns-flow-icmp.h"
#include "engine/net/flows/ns-flows.h"
#include "engine/net/packets/ns-packet-row.h"
#include "engine/trace/ns-services.h"

#include <string.h>

/* A datagram flow ends after this time without a packet. */
#define UDP_IDLE_NS (120 * NS_PER_SECOND)
/* A SYN counts as unanswered if the trace continues for this long after the last SYN. */
#define NO_ANSWER_NS (3 * NS_PER_SECOND)
/* An ICMP error refers to a conversation that was active within this time. */
#define ICMP_NS (10 * NS_PER_SECOND)
/* Maximum number of conversations; limited by row numbers. */
#define MAX_FLOWS (G_MAXUINT32 / 4)

#define UDP_HEADER 8
#define ETHER_ARP 0x0806
#define ARP_REQUEST 1
#define ARP_REPLY 2

typedef struct
{
  NsTrace *trace;
  const NsFlowRecords *records;
  NsFlowFound *found;
  NsFlowTable table;
  NsFlowFragmentRing fragments;
  GPtrArray *joined; /* (element-type GByteArray): reassembled packets, which streams refer to
                      * until they end */
} Reader;

/* The current packet and its conversation. */
typedef struct
{
  Reader *reader;
  NsPacketRow *packet;
  NsWireFrame frame;
  NsFlowKey key;
  NsFlowOpen *open;
  NsFlowRow *row;
  guint side;
  gboolean is_answer;         /* its sender has received a request */
  gboolean may_begin;         /* it may begin a conversation */
  gboolean is_fragment_start; /* first fragment of an incomplete IP packet */
  gboolean is_content;        /* reassembled content, whose fragments were counted */
} Look;

/* Returns whether the address is `0.0.0.0` or `::`. */
static gboolean
is_unspecified (const NsIp *ip)
{
  static const guint8 zero[16] = { 0 };

  return memcmp (ip->bytes, zero, sizeof zero) == 0;
}

static inline NsFlowRow *
row_of (const Reader *self, const NsFlowOpen *open)
{
  return ns_flow_table_get_row (&self->table, open);
}

static NsFlowEnds
ends_of (const NsFlowOpen *open, const NsFlowRow *row)
{
  gboolean is_second = open->n_of[1] > open->n_of[0];

  return (NsFlowEnds){ .remote = is_second ? &row->client : &row->server,
                       .local = is_second ? &row->server : &row->client,
                       .open_ns = row->open_ns,
                       .last_ns = row->last_ns,
                       .is_udp = row->kind == NS_FLOW_UDP };
}

/* Returns whether the port is a well-known service of the protocol; for other ports equal
 * numbers are coincidence. */
static gboolean
is_service_of (NsFlowKind kind, guint16 port)
{
  static const guint16 ports[] = { 53,  67,  69,  88,  123, 137,  138,  161,  162,  389, 443,
                                   464, 500, 514, 546, 547, 1900, 3389, 4500, 5353, 5355 };
  guint i;

  if (kind != NS_FLOW_UDP)
    return ns_service_name (port) != NULL;
  for (i = 0; i < G_N_ELEMENTS (ports); i++)
    if (ports[i] == port)
      return TRUE;
  return FALSE;
}

/* Guesses the client without a SYN; returns 0 for the sender of the first packet. */
static guint
guess_client (const NsFlowRow *row, NsFlowClient *by)
{
  guint16 from = row->client.port;
  guint16 to = row->server.port;
  gboolean is_from_known = is_service_of (row->kind, from);
  gboolean is_to_known = is_service_of (row->kind, to);

  *by = NS_FLOW_CLIENT_FIRST;
  if (row->kind == NS_FLOW_TCP)
    {
      *by = NS_FLOW_CLIENT_PORT;
      if (is_from_known != is_to_known)
        return is_from_known;
      return from < to;
    }
  if (row->kind != NS_FLOW_UDP || !is_from_known || is_to_known)
    return 0;
  *by = NS_FLOW_CLIENT_PORT;
  return 1;
}

static guint
find_client (const NsFlowOpen *open, NsFlowRow *row)
{
  NsFlowClient by = NS_FLOW_CLIENT_FIRST;
  guint client;

  if (row->kind == NS_FLOW_TCP && (open->tcp.first_syn_ns != NS_TIME_NONE || open->tcp.has_syn_ack))
    {
      row->client_by =
          open->tcp.first_syn_ns != NS_TIME_NONE ? NS_FLOW_CLIENT_SYN : NS_FLOW_CLIENT_SYN_ACK;
      return open->tcp.client;
    }
  client = guess_client (row, &by);
  row->client_by = (guint8) by;
  return client;
}

/* Determines the local endpoint by this machine's addresses, for packets without a direction. */
static NsFlowLocal
find_local_by_address (const Reader *self, const NsFlowRow *row)
{
  gboolean is_client = ns_flow_records_is_own (self->records, &row->client.ip);
  gboolean is_server = ns_flow_records_is_own (self->records, &row->server.ip);

  if (is_client && is_server)
    return NS_FLOW_LOCAL_BOTH;
  return is_client   ? NS_FLOW_LOCAL_CLIENT
         : is_server ? NS_FLOW_LOCAL_SERVER
                     : NS_FLOW_LOCAL_UNKNOWN;
}

/* Determines the local endpoint by the direction of the packets. */
static NsFlowLocal
find_local (const Reader *self, const NsFlowOpen *open, const NsFlowRow *row, guint client)
{
  guint32 of_client = open->n_of[client];
  guint32 of_server = open->n_of[!client];

  if (of_client == 0 && of_server == 0)
    return find_local_by_address (self, row);
  if (of_client > 0 && of_server > 0 && !open->has_in)
    return NS_FLOW_LOCAL_BOTH;
  /* A virtual switch records packets of both sides as incoming: neither side need be local. */
  if (of_client > 0 && of_server > 0 && !open->has_out)
    return find_local_by_address (self, row);
  return of_client >= of_server ? NS_FLOW_LOCAL_CLIENT : NS_FLOW_LOCAL_SERVER;
}

static NsFlowPlace
place_of (const Reader *self, const NsFlowOpen *open, guint side)
{
  NsFlowRow *row = row_of (self, open);
  NsFlowClient by;
  gboolean is_stated =
      row->kind == NS_FLOW_TCP && (open->tcp.first_syn_ns != NS_TIME_NONE || open->tcp.has_syn_ack);

  return (NsFlowPlace){ .trace = self->trace,
                        .found = self->found,
                        .row = row,
                        .flow = open->row,
                        .side = side,
                        .client = is_stated ? open->tcp.client : guess_client (row, &by) };
}

static void
finish_content (Reader *self, NsFlowOpen *open)
{
  gboolean is_closed[2] = { open->tcp.sides[0].has_fin, open->tcp.sides[1].has_fin };
  NsFlowPlace place = place_of (self, open, 0);

  ns_flow_content_finish (&open->content, &place, is_closed);
}

/* Swaps client and server: the server sent the first packet. */
static void
turn_around (const Reader *self, NsFlowRow *row)
{
  NsFlowWay way = row->ways[0];
  NsFlowOffer offer = row->offers[0];
  NsEndpoint end = row->client;

  row->ways[0] = row->ways[1];
  row->ways[1] = way;
  row->offers[0] = row->offers[1];
  row->offers[1] = offer;
  row->client = row->server;
  row->server = end;
  if (row->more != NULL)
    {
      NsFlowMore *more = ns_flow_need_more (row, self->trace->arena);
      NsFlowAnomaly anomaly = more->ways[0];

      more->ways[0] = more->ways[1];
      more->ways[1] = anomaly;
    }
}

/* Ends a conversation, which gets no more packets before @now_ns, and completes its row. */
static void
finish_flow (Reader *self, guint32 number, NsFlowEnd end, gint64 now_ns)
{
  NsFlowOpen *open = ns_flow_table_get (&self->table, number);
  NsFlowRow *row = row_of (self, open);
  guint client = find_client (open, row);

  finish_content (self, open);
  if (row->kind == NS_FLOW_TCP)
    {
      ns_flow_tcp_finish (&open->tcp, row, self->trace->arena);
      if (row->end == NS_FLOW_END_NONE &&
          row->ways[0].n_packets + row->ways[1].n_packets == open->tcp.n_syns_only &&
          open->tcp.n_syns_only > 0 && now_ns - row->last_ns >= NO_ANSWER_NS)
        end = NS_FLOW_END_NO_ANSWER;
      row->is_reset_by_client = row->is_reset_by_client == client;
    }
  if (row->end == NS_FLOW_END_NONE && end != NS_FLOW_END_NONE)
    {
      row->end = (guint8) end;
      row->close_ns = row->last_ns;
    }
  if (client == 1)
    turn_around (self, row);
  row->local = (guint8) find_local (self, open, row, client);
  ns_flow_table_remove (&self->table, number);
}

/* Returns whether a datagram flow ended by silence; it continues if its socket was open
 * meanwhile. */
static gboolean
is_idle (const Reader *self, const NsFlowOpen *open, gint64 now_ns)
{
  const NsFlowRow *row = row_of (self, open);
  NsFlowEnds ends;

  if (row->kind != NS_FLOW_UDP || now_ns - row->last_ns < UDP_IDLE_NS)
    return FALSE;
  ends = ends_of (open, row);
  return !ns_flow_records_outlive (self->records, &ends, row->last_ns, now_ns);
}

static void
begin_flow (Look *look)
{
  Reader *self = look->reader;
  NsFlowRow row = { .client = look->key.ends[0],
                    .server = look->key.ends[1],
                    .open_ns = look->packet->time_ns,
                    .last_ns = look->packet->time_ns,
                    .close_ns = NS_TIME_OPEN,
                    .syn_rtt_ns = NS_UNKNOWN,
                    .handshake_ns = NS_UNKNOWN,
                    .pid = NS_PID_UNKNOWN,
                    .place = look->packet->place,
                    .vlan = look->key.vlan,
                    .ip_protocol = look->key.ip_protocol,
                    .kind = look->key.kind,
                    .tunnel = look->key.in_tunnel ? NS_FLOW_TUNNEL_INNER : NS_FLOW_TUNNEL_NONE,
                    .confidence = -1 };
  guint32 number;
  guint i;

  for (i = 0; i < 2; i++)
    row.offers[i].window_scale = NS_UNKNOWN;
  if (look->key.kind == NS_FLOW_TCP)
    row.start = (look->frame.tcp_flags & NS_TCP_SYN) == 0   ? NS_FLOW_START_MIDDLE
                : (look->frame.tcp_flags & NS_TCP_ACK) != 0 ? NS_FLOW_START_SYN_ACK
                                                            : NS_FLOW_START_SYN;
  if (self->table.n_open >= NS_FLOW_TABLE_MAX)
    finish_flow (self, self->table.oldest, NS_FLOW_END_NONE, look->packet->time_ns);
  g_array_append_val (self->trace->flows, row);
  number = ns_flow_table_add (&self->table, &look->key, self->trace->flows->len);
  look->open = ns_flow_table_get (&self->table, number);
  look->side = 0;
}

/* Finds the open conversation of a packet by its key, or begins one. */
static gboolean
find_flow (Look *look)
{
  Reader *self = look->reader;
  guint32 number = ns_flow_table_find (&self->table, &look->key, &look->side);
  gint64 now_ns = look->packet->time_ns;
  NsFlowEnd over = NS_FLOW_END_NONE;

  if (number != 0)
    {
      look->open = ns_flow_table_get (&self->table, number);
      if (look->key.kind == NS_FLOW_TCP && look->frame.has_transport &&
          ns_flow_tcp_is_new (&look->open->tcp,
                              row_of (self, look->open),
                              look->side,
                              &look->frame))
        over = NS_FLOW_END_REPLACED;
      else if (is_idle (self, look->open, now_ns))
        over = NS_FLOW_END_IDLE;
      else if ((look->key.kind == NS_FLOW_ARP || look->key.kind == NS_FLOW_ND) &&
               !look->is_answer && row_of (self, look->open)->end == NS_FLOW_END_ANSWERED)
        over = NS_FLOW_END_ANSWERED;
      if (over != NS_FLOW_END_NONE)
        finish_flow (self, number, over, now_ns);
    }
  if (number == 0 || over != NS_FLOW_END_NONE)
    {
      if (!look->may_begin || self->trace->flows->len >= MAX_FLOWS)
        return FALSE;
      begin_flow (look);
    }
  else
    ns_flow_table_touch (&self->table, number);
  look->row = row_of (self, look->open);
  return TRUE;
}

static void
count_packet (const Look *look)
{
  const NsPacketRow *packet = look->packet;
  NsFlowOpen *open = look->open;
  NsFlowRow *row = look->row;
  NsFlowWay *way = &row->ways[look->side];

  if (look->is_content)
    return;
  look->packet->flow = open->row;
  row->last_ns = MAX (row->last_ns, packet->time_ns);
  way->n_packets++;
  way->wire_bytes += packet->length;
  if (packet->direction < 0)
    {
      open->n_of[look->side]++;
      open->has_out = TRUE;
    }
  else if (packet->direction > 0)
    {
      open->n_of[!look->side]++;
      open->has_in = TRUE;
    }
  row->n_truncated += packet->captured < packet->length;
  if (packet->dropped)
    {
      NsFlowMore *more = ns_flow_need_more (row, look->reader->trace->arena);

      more->n_dropped++;
      if (more->drop_reason == NS_STRING_NONE)
        more->drop_reason = ns_packet_row_get_place (look->reader->trace, packet)->drop_reason;
    }
}

static void
add_content (Look *look)
{
  NsFlowPlace place = place_of (look->reader, look->open, look->side);
  const NsPacketRow *packets = (const NsPacketRow *) (gconstpointer) place.trace->packets->data;

  place.time_ns = look->packet->time_ns;
  place.packet = (NsRow) (look->packet - packets) + 1;
  if (look->key.kind == NS_FLOW_TCP)
    ns_flow_content_add_segment (&look->open->content,
                                 &place,
                                 &look->frame,
                                 look->frame.wire_payload_size);
  else
    ns_flow_content_add_datagram (&look->open->content, &place, &look->frame);
}

static void
add_segment (Look *look)
{
  guint marks;

  if (!find_flow (look))
    return;
  count_packet (look);
  if (!look->frame.has_transport || look->is_fragment_start)
    return;
  marks = ns_flow_tcp_add (&look->open->tcp,
                           look->row,
                           look->side,
                           &look->frame,
                           look->packet->time_ns,
                           look->reader->trace->arena);
  look->packet->analysis = look->frame.is_header_cut ? 0 : (guint16) marks;
  if ((look->frame.tcp_flags & NS_TCP_SYN) != 0)
    ns_flow_content_begin (&look->open->content, look->side, look->frame.seq + 1);
  if (look->frame.wire_payload_size > 0 && (marks & 1u << NS_FLOW_KEEP_ALIVE) == 0)
    add_content (look);
}

static gboolean
is_in_tunnel (const Reader *self, const NsPacketRow *packet)
{
  return ns_packet_row_get_place (self->trace, packet)->in_tunnel;
}

/* Finds the conversation of the packet quoted by an ICMP error. */
static gboolean
find_quoted (Look *look)
{
  Reader *self = look->reader;
  NsFlowKey key = { .vlan = look->frame.vlan, .in_tunnel = is_in_tunnel (self, look->packet) };
  NsWireFrame quoted;
  guint32 number;
  guint side;

  if (!ns_wire_frame_parse_quoted (&quoted, &look->frame) || quoted.is_fragment)
    return FALSE;
  key.ends[0] = quoted.src;
  key.ends[1] = quoted.dst;
  key.ip_protocol = quoted.protocol;
  key.kind = quoted.protocol == NS_IP_TCP   ? NS_FLOW_TCP
             : quoted.protocol == NS_IP_UDP ? NS_FLOW_UDP
                                            : NS_FLOW_OTHER;
  if (ns_flow_icmp_get_kind (&quoted) == NS_FLOW_ICMP_ECHO && quoted.icmp_size >= 2)
    {
      key.kind = NS_FLOW_ICMP;
      key.id = (guint16) (quoted.icmp[0] << 8 | quoted.icmp[1]);
    }
  number = ns_flow_table_find (&self->table, &key, &side);
  if (number == 0)
    return FALSE;
  look->open = ns_flow_table_get (&self->table, number);
  look->row = row_of (self, look->open);
  return look->packet->time_ns - look->row->last_ns <= ICMP_NS;
}

static void
note_error (Look *look)
{
  g_autofree char *text = ns_flow_icmp_error_to_text (&look->frame);
  guint32 mtu = ns_flow_icmp_get_mtu (&look->frame);
  NsFlowMore *more = ns_flow_need_more (look->row, look->reader->trace->arena);

  more->n_icmp_errors++;
  more->icmp_error = ns_strings_add (look->reader->trace->strings, text);
  more->icmp_from = look->frame.src.ip;
  more->icmp_type = look->frame.icmp_type;
  more->icmp_code = look->frame.icmp_code;
  if (mtu != 0)
    more->path_mtu = mtu;
  look->packet->flow = look->open->row;
}

static void
add_icmp (Look *look)
{
  NsFlowIcmp kind = ns_flow_icmp_get_kind (&look->frame);
  const NsWireFrame *frame = &look->frame;

  look->key.kind = NS_FLOW_ICMP;
  switch (kind)
    {
    case NS_FLOW_ICMP_ERROR:
      if (look->is_content)
        return;
      if (find_quoted (look))
        {
          note_error (look);
          return;
        }
      look->key.id = (guint16) (frame->icmp_type << 8 | frame->icmp_code);
      if (!find_flow (look))
        return;
      count_packet (look);
      note_error (look);
      return;
    case NS_FLOW_ICMP_ECHO:
    case NS_FLOW_ICMP_ECHO_REPLY:
      if (frame->icmp_size >= 2)
        look->key.id = (guint16) (frame->icmp[0] << 8 | frame->icmp[1]);
      break;
    case NS_FLOW_ICMP_SOLICITATION:
    case NS_FLOW_ICMP_ADVERTISEMENT:
      look->key.kind = NS_FLOW_ND;
      look->is_answer = kind == NS_FLOW_ICMP_ADVERTISEMENT;
      look->key.ends[look->is_answer ? 0 : 1].ip = ns_ip_from_v6 (frame->icmp + 4);
      look->may_begin = !look->is_answer && !is_unspecified (&frame->src.ip);
      break;
    default:
      look->key.kind = NS_FLOW_OTHER;
      break;
    }
  if (!find_flow (look))
    {
      look->key.kind = NS_FLOW_OTHER;
      look->key.ends[0] = frame->src;
      look->key.ends[1] = frame->dst;
      look->may_begin = TRUE;
      if (!find_flow (look))
        return;
    }
  count_packet (look);
  if (look->key.kind == NS_FLOW_ND && look->is_answer && look->row->end == NS_FLOW_END_NONE)
    {
      look->row->end = NS_FLOW_END_ANSWERED;
      look->row->close_ns = look->packet->time_ns;
    }
  else if (look->key.kind == NS_FLOW_ICMP && !look->is_fragment_start)
    look->row->ways[look->side].payload_bytes += frame->icmp_size;
}

/* Handles ARP. A request for the sender's own address is an announcement, and one without a sender
 * address a probe: neither expects a reply. */
static void
add_arp (Look *look)
{
  const NsWireFrame *frame = &look->frame;
  gboolean is_about_itself =
      ns_ip_equal (&frame->src.ip, &frame->dst.ip) || is_unspecified (&frame->src.ip);

  look->key.kind = NS_FLOW_ARP;
  look->key.ip_protocol = 0;
  look->is_answer = frame->arp_operation == ARP_REPLY;
  look->may_begin = frame->arp_operation == ARP_REQUEST && !is_about_itself;
  if (is_about_itself || !find_flow (look))
    {
      look->key.kind = NS_FLOW_OTHER;
      look->may_begin = TRUE;
      if (!find_flow (look))
        return;
    }
  count_packet (look);
  if (look->key.kind == NS_FLOW_ARP && look->is_answer && look->side == 1 &&
      look->row->end == NS_FLOW_END_NONE)
    {
      look->row->end = NS_FLOW_END_ANSWERED;
      look->row->close_ns = look->packet->time_ns;
    }
}

/* Handles a packet with complete headers. */
static void
add_whole (Look *look)
{
  const NsWireFrame *frame = &look->frame;

  if (frame->ether_type == ETHER_ARP)
    add_arp (look);
  else if (frame->protocol == NS_IP_TCP && frame->has_ports)
    {
      look->key.kind = NS_FLOW_TCP;
      add_segment (look);
    }
  else if (frame->protocol == NS_IP_ICMP || frame->protocol == NS_IP_ICMPV6)
    add_icmp (look);
  else
    {
      if (frame->protocol == NS_IP_UDP && frame->has_ports)
        look->key.kind = NS_FLOW_UDP;
      if (!find_flow (look))
        return;
      count_packet (look);
      if (look->is_fragment_start)
        return;
      look->row->ways[look->side].payload_bytes += frame->wire_payload_size;
      if (look->key.kind == NS_FLOW_UDP)
        add_content (look);
    }
}

/* Handles fragments captured before the first one. */
static void
add_waiting (const Look *first, NsFlowFragments *set)
{
  Look look = *first;
  guint i;

  for (i = 0; set->waiting != NULL && i < set->waiting->len; i++)
    {
      look.packet = &g_array_index (look.reader->trace->packets,
                                    NsPacketRow,
                                    g_array_index (set->waiting, guint32, i));
      look.row->open_ns = MIN (look.row->open_ns, look.packet->time_ns);
      count_packet (&look);
    }
  g_clear_pointer (&set->waiting, g_array_unref);
}

/* Handles a reassembled packet; @last is its last fragment. */
static void
add_joined (const Look *last, const NsFlowFragments *set)
{
  Reader *self = last->reader;
  GByteArray *content = ns_flow_fragments_join (set);
  const NsPacketRow *first = &g_array_index (self->trace->packets, NsPacketRow, set->first);
  Look look = { .reader = self, .packet = last->packet, .key = set->key, .is_content = TRUE };

  ns_wire_frame_parse_cut (&look.frame,
                           self->trace->packet_bytes->data + first->data,
                           first->captured,
                           first->length,
                           ns_packet_row_get_link_type (first));
  ns_wire_frame_parse_content (&look.frame, content->data, content->len, set->size);
  add_whole (&look);
  if (look.key.kind == NS_FLOW_TCP)
    g_ptr_array_add (self->joined, content);
  else
    g_byte_array_unref (content);
}

/* Handles a fragment, which counts as a packet of the first fragment's conversation; the content is
 * read once it is complete, as receivers do. */
static void
add_fragment (Look *look)
{
  Reader *self = look->reader;
  const NsPacketRow *packet = look->packet;
  NsFlowFragments *set =
      ns_flow_fragment_ring_add (&self->fragments, &look->frame, packet->time_ns);
  const NsFlowKey *key = ns_flow_fragment_ring_find_key (&self->fragments, set);
  guint32 place =
      (guint32) (packet - (const NsPacketRow *) (gconstpointer) self->trace->packets->data);

  if (look->frame.fragment_offset == 0 && !set->has_first)
    {
      look->is_fragment_start = TRUE;
      add_whole (look);
      if (look->open == NULL)
        return;
      row_of (self, look->open)->is_fragmented = TRUE;
      set->has_first = TRUE;
      set->first = place;
      set->key = look->key;
      add_waiting (look, set);
    }
  else if (key != NULL)
    {
      look->key = *key;
      look->may_begin = FALSE;
      if (find_flow (look))
        count_packet (look);
    }
  else
    {
      if (set->waiting == NULL)
        set->waiting = g_array_new (FALSE, FALSE, sizeof place);
      g_array_append_val (set->waiting, place);
    }
  if (ns_flow_fragments_add (set, &look->frame))
    add_joined (look, set);
}

/* Counts the captured bytes of an incomplete packet; repeats of a complete packet do not count. */
static void
end_fragments (const NsFlowFragments *set, gpointer user_data)
{
  Reader *self = user_data;
  NsFlowRow *row;
  guint32 number;
  guint side;

  if (!set->has_first || set->is_whole || set->is_repeat)
    return;
  number = ns_flow_table_find (&self->table, &set->key, &side);
  if (number == 0)
    return;
  row = row_of (self, ns_flow_table_get (&self->table, number));
  row->n_truncated++;
  if (set->key.kind == NS_FLOW_UDP)
    row->ways[side].payload_bytes += set->n_here - MIN (set->n_here, UDP_HEADER);
}

static void
add_packet (Reader *self, NsPacketRow *packet)
{
  const guint8 *data = self->trace->packet_bytes->data + packet->data;
  Look look = { .reader = self, .packet = packet, .may_begin = TRUE };
  const NsWireFrame *frame = &look.frame;

  ns_wire_frame_parse_cut (&look.frame,
                           data,
                           packet->captured,
                           packet->length,
                           ns_packet_row_get_link_type (packet));
  /* A DHCP client without an address sends from 0.0.0.0. */
  if (frame->src.ip.family == NS_AF_NONE)
    return;
  look.key.ends[0] = frame->src;
  look.key.ends[1] = frame->dst;
  look.key.ends[0].scope = look.key.ends[1].scope = 0;
  look.key.vlan = frame->vlan;
  look.key.in_tunnel = is_in_tunnel (self, packet);
  look.key.ip_protocol = frame->protocol;
  look.key.kind = NS_FLOW_OTHER;
  if (frame->fragment != NULL)
    add_fragment (&look);
  else
    add_whole (&look);
}

static int
compare_times (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const NsPacketRow *packets = user_data;
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;

  if (packets[left].time_ns != packets[right].time_ns)
    return packets[left].time_ns < packets[right].time_ns ? -1 : 1;
  return left < right ? -1 : left > right;
}

static gboolean
is_in_order (const NsTrace *trace)
{
  const NsPacketRow *packets = (const NsPacketRow *) (gconstpointer) trace->packets->data;
  guint i;

  for (i = 1; i < trace->packets->len; i++)
    if (packets[i - 1].time_ns > packets[i].time_ns)
      return FALSE;
  return TRUE;
}

/* Sorts the packets, which may be out of order if they were assembled from older records.
 * Returns: (nullable): their indices in time order; NULL: they are already in order */
static guint32 *
order_packets (const NsTrace *trace)
{
  NsPacketRow *packets = (NsPacketRow *) (gpointer) trace->packets->data;
  guint32 *order;
  guint i;

  if (is_in_order (trace))
    return NULL;
  order = g_new (guint32, trace->packets->len);
  for (i = 0; i < trace->packets->len; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) trace->packets->len, sizeof *order, compare_times, packets);
  return order;
}

/**
 * ns_flows_read: (skip)
 * @trace: a trace with its packets
 * @records: connections and sockets of other layers
 * @found: gets contents with rows of their own
 *
 * Fills the table of conversations, and sets the conversation and the TCP analysis of each packet.
 */
void
ns_flows_read (NsTrace *trace, const NsFlowRecords *records, NsFlowFound *found)
{
  Reader self = { .trace = trace, .records = records, .found = found };
  g_autofree guint32 *order = order_packets (trace);
  guint i;

  ns_flow_table_init (&self.table, trace->flows);
  ns_flow_fragment_ring_init (&self.fragments, end_fragments, &self);
  self.joined = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  for (i = 0; i < trace->packets->len; i++)
    add_packet (&self, &g_array_index (trace->packets, NsPacketRow, order != NULL ? order[i] : i));
  ns_flow_fragment_ring_clear (&self.fragments);
  while (self.table.oldest != 0)
    {
      const NsFlowOpen *open = ns_flow_table_get (&self.table, self.table.oldest);

      finish_flow (&self,
                   self.table.oldest,
                   is_idle (&self, open, trace->end_ns) ? NS_FLOW_END_IDLE : NS_FLOW_END_NONE,
                   trace->end_ns);
    }
  ns_flow_table_clear (&self.table);
  g_ptr_array_unref (self.joined);
}
