/* Fuzz target: captured packets of a few hosts, many fragmented, turned into conversations; and the
 * fragments of one packet, against a bytewise reassembly.
 *
 * Each packet is a header of HEAD_SIZE bytes, followed by the number of bytes in the header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-cursor.h"
#include "engine/net/flows/ns-flow-fragments.h"
#include "engine/net/flows/ns-flows.h"
#include "fuzz/ns-fuzz.h"
#include "ns-test-trace.h"
#include "wire/ns-wire-frame.h"

#define HEAD_SIZE 8
#define IPV4_HEADER 20
#define IPV6_HEADERS 48
#define MOST_CONTENT 65535
/* With fewer fragments none is dropped. */
#define MOST_STRETCHES 100

typedef struct
{
  guint8 how;
  guint8 later;
  guint8 ends;
  guint8 id;
  guint16 offset;
  guint8 protocol;
  guint8 size;
  const guint8 *bytes;
} Piece;

enum
{
  IS_V6 = 1,
  IS_PIECE = 2,
  IS_LAST = 4,
  IS_CUT = 8,
  IS_IN = 16,
  IS_LONGER = 32,
};

static gboolean
read_piece (NsCursor *cursor, Piece *piece)
{
  if (ns_cursor_left (cursor) < HEAD_SIZE)
    return FALSE;
  piece->how = ns_cursor_u8 (cursor);
  piece->later = ns_cursor_u8 (cursor);
  piece->ends = ns_cursor_u8 (cursor);
  piece->id = ns_cursor_u8 (cursor);
  piece->offset = ns_cursor_u16 (cursor);
  piece->protocol = ns_cursor_u8 (cursor);
  piece->size = ns_cursor_u8 (cursor);
  piece->size = (guint8) MIN (piece->size, ns_cursor_left (cursor));
  piece->bytes = ns_cursor_take (cursor, piece->size);
  return TRUE;
}

/* Returns a fragment offset, mostly near 0, so that some packets become complete. */
static guint
get_offset (const Piece *piece)
{
  return piece->offset >= 0xf000 ? piece->offset & 0xfff8 : (piece->offset & 0x1f) * 8u;
}

static gsize
write_headers (const Piece *piece, guint8 *head)
{
  static const guint8 protocols[] = { NS_IP_UDP, NS_IP_TCP, NS_IP_ICMP, NS_IP_ICMPV6, 47 };
  guint8 protocol = protocols[piece->protocol % G_N_ELEMENTS (protocols)];
  guint length = piece->size + ((piece->how & IS_LONGER) != 0 ? 8 : 0);
  gboolean is_piece = (piece->how & IS_PIECE) != 0;
  guint offset = is_piece ? get_offset (piece) : 0;
  gboolean has_more = is_piece && (piece->how & IS_LAST) == 0;

  memset (head, 0, IPV6_HEADERS);
  if ((piece->how & IS_V6) == 0)
    {
      head[0] = 0x45;
      head[2] = (guint8) ((IPV4_HEADER + length) >> 8);
      head[3] = (guint8) (IPV4_HEADER + length);
      head[5] = piece->id & 3;
      head[6] = (guint8) ((has_more ? 0x20 : 0) | offset / 8 >> 8);
      head[7] = (guint8) (offset / 8);
      head[8] = 64;
      head[9] = protocol;
      head[12] = head[16] = 10;
      head[15] = piece->ends & 3;
      head[19] = piece->ends >> 2 & 3;
      return IPV4_HEADER;
    }
  head[0] = 0x60;
  head[4] = (guint8) ((8 + length) >> 8);
  head[5] = (guint8) (8 + length);
  head[6] = 44; /* fragment header (RFC 8200, 4.5) */
  head[8] = head[24] = 0xfd;
  head[23] = piece->ends & 3;
  head[39] = piece->ends >> 2 & 3;
  head[40] = protocol;
  head[42] = (guint8) (offset >> 8);
  head[43] = (guint8) ((offset & 0xf8) | has_more);
  head[47] = piece->id & 3;
  return IPV6_HEADERS;
}

static void
add_packet (NsTrace *trace, const Piece *piece, gint64 time_ns)
{
  guint8 head[IPV6_HEADERS];
  gsize n_head = write_headers (piece, head);
  gsize n_cut = (piece->how & IS_CUT) != 0 ? piece->protocol / 8u : 0;
  NsPacketRow row = { .time_ns = time_ns,
                      .length = (guint32) (n_head + piece->size),
                      .data = trace->packet_bytes->len,
                      .link = NS_PACKET_RAW_IP,
                      .appearances = 1,
                      .direction = (piece->how & IS_IN) != 0 ? 1 : -1 };

  g_byte_array_append (trace->packet_bytes, head, (guint) n_head);
  if (piece->size > 0)
    g_byte_array_append (trace->packet_bytes, piece->bytes, piece->size);
  row.captured = row.length - (guint32) MIN (n_cut, row.length);
  g_array_append_val (trace->packets, row);
}

static void
check_flow (const NsFlowRow *flow, guint64 n_packets)
{
  guint64 n = (guint64) flow->ways[0].n_packets + flow->ways[1].n_packets;
  guint way;
  guint i;

  /* ICMP errors about a flow refer to it without being packets of it. */
  if (n > n_packets || n_packets > n + ns_flow_get_more (flow)->n_icmp_errors)
    ns_fuzz_fail ("packets of a conversation that are not counted");
  if (flow->open_ns > flow->last_ns)
    ns_fuzz_fail ("a conversation that ends before it begins");
  if (flow->close_ns != NS_TIME_OPEN &&
      (flow->close_ns < flow->open_ns || flow->close_ns > flow->last_ns))
    ns_fuzz_fail ("a conversation that closes while it does not live");
  for (way = 0; way < 2; way++)
    {
      const NsFlowAnomaly *anomaly = &ns_flow_get_more (flow)->ways[way];

      if (flow->ways[way].payload_bytes > (guint64) flow->ways[way].n_packets * MOST_CONTENT)
        ns_fuzz_fail ("more content than packets hold");
      for (i = 0; i < NS_FLOW_N_COUNTED; i++)
        if (anomaly->counts[i] > n)
          ns_fuzz_fail ("more segments than packets");
    }
}

static void
check_flows (const NsTrace *trace)
{
  g_autofree guint64 *n_packets = g_new0 (guint64, (gsize) trace->flows->len + 1);
  guint i;

  for (i = 0; i < trace->packets->len; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, i);

      if (row->flow > trace->flows->len)
        ns_fuzz_fail ("a packet of a conversation that is not there");
      n_packets[row->flow]++;
    }
  for (i = 0; i < trace->flows->len; i++)
    check_flow (&g_array_index (trace->flows, NsFlowRow, i), n_packets[i + 1]);
}

static void
read_conversations (const guint8 *data, gsize size)
{
  NsTrace *trace = test_trace_new (NS_PER_SECOND * 1000);
  NsPacketPlace place = { .interface_name = NS_STRING_NONE, .drop_reason = NS_STRING_NONE };
  NsFlowRecords records;
  NsFlowFound found;
  gint64 time_ns = 0;
  NsCursor cursor;
  Piece piece;

  g_array_append_val (trace->packet_places, place);
  ns_cursor_init (&cursor, data, size);
  while (read_piece (&cursor, &piece))
    {
      /* Up to 90 seconds later, which exceeds the timeouts of reassembly and flows. */
      time_ns += (gint64) piece.later * piece.later * (NS_PER_SECOND / 700);
      add_packet (trace, &piece, time_ns);
    }
  ns_flow_records_init (&records, trace);
  ns_flow_found_init (&found);
  ns_flows_read (trace, &records, &found);
  check_flows (trace);
  ns_flow_found_clear (&found);
  ns_flow_records_clear (&records);
  test_trace_free (trace);
}

/* Reference reassembly of one packet: where fragments overlap, the first one counts. */
typedef struct
{
  gint16 bytes[2 * MOST_CONTENT]; /* -1: not captured; -2: missing */
  guint size;                     /* 0: the last fragment is missing */
} Model;

static void
model_add (Model *self, const NsWireFrame *frame)
{
  guint i;

  for (i = 0; i < frame->fragment_wire_size; i++)
    if (self->bytes[frame->fragment_offset + i] == -2)
      self->bytes[frame->fragment_offset + i] = i < frame->fragment_size ? frame->fragment[i] : -1;
  if (frame->fragment_is_last && self->size == 0)
    self->size = frame->fragment_offset + (guint) frame->fragment_wire_size;
}

static gboolean
model_is_whole (const Model *self)
{
  guint i;

  for (i = 0; i < self->size; i++)
    if (self->bytes[i] == -2)
      return FALSE;
  return self->size > 0;
}

static void
check_joined (const NsFlowFragments *set, const Model *model)
{
  g_autoptr (GByteArray) bytes = ns_flow_fragments_join (set);
  guint i;

  if (set->size != model->size || bytes->len > set->size)
    ns_fuzz_fail ("a packet of another size");
  for (i = 0; i < bytes->len; i++)
    if (model->bytes[i] != bytes->data[i])
      ns_fuzz_fail ("another byte than came first");
  if (bytes->len < set->size && model->bytes[bytes->len] != -1)
    ns_fuzz_fail ("captured bytes are left out");
}

static void
put_together (const guint8 *data, gsize size)
{
  static Model model;
  NsFlowFragments set = { .has_first = TRUE };
  gboolean is_whole = FALSE;
  NsCursor cursor;
  Piece piece;
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (model.bytes); i++)
    model.bytes[i] = -2;
  model.size = 0;
  ns_cursor_init (&cursor, data, size);
  while (!is_whole && read_piece (&cursor, &piece) &&
         (set.ranges == NULL || set.ranges->len < MOST_STRETCHES))
    {
      guint n_cut = (piece.how & IS_CUT) != 0 ? MIN (piece.protocol / 8u, piece.size) : 0;
      NsWireFrame frame = { .fragment = piece.bytes,
                            .fragment_offset = get_offset (&piece),
                            .fragment_size = piece.size - n_cut,
                            .fragment_wire_size = piece.size,
                            .fragment_is_last = (piece.how & IS_LAST) != 0 };

      if (frame.fragment_offset + frame.fragment_wire_size > MOST_CONTENT)
        continue;
      is_whole = ns_flow_fragments_add (&set, &frame);
      model_add (&model, &frame);
      if (is_whole != model_is_whole (&model))
        ns_fuzz_fail (is_whole ? "a packet with a gap" : "a packet that nothing is missing of");
    }
  if (is_whole)
    check_joined (&set, &model);
  g_clear_pointer (&set.ranges, g_array_unref);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  put_together (data, size);
  read_conversations (data, size);
  return 0;
}
