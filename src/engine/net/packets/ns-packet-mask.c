/* Masks secrets in captured packets.
 *
 * A cookie may begin in one packet and end in the next, so the packets of each direction of a
 * connection are joined before they are searched, one direction at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-mask.h"

#include "base/ns-hash.h"
#include "base/ns-secrets.h"
#include "engine/net/ns-stream-mask.h"
#include "engine/net/packets/ns-packet-row.h"
#include "engine/trace/ns-trace-cache.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-link.h"
#include "wire/ns-wire-smb2.h"
#include "wire/ns-wire-stream.h"

#include <string.h>

/* A secret range of the trace's packet bytes. */
typedef struct
{
  guint32 begin;
  guint32 end;
} Range;

struct _NsPacketMask
{
  GArray *ranges; /* Range, in order, without overlaps within a packet */
  GArray *packed; /* Range, likewise: in compressed bodies */
};

/* One direction of a connection, or the fragments of an IP packet. */
typedef struct
{
  NsRow tcp;
  NsEndpoint src;
  NsEndpoint dst;
  guint opened; /* how often the connection was reopened */
  gboolean is_fragmented;
  guint32 fragment_id;
} Flow;

static guint
hash_flow (gconstpointer key)
{
  return ns_hash_bytes (ns_hash_get_key (), key, sizeof (Flow));
}

static gboolean
is_same_flow (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Flow)) == 0;
}

static void
add_range (GArray *ranges, gsize begin, gsize end)
{
  Range range = { (guint32) begin, (guint32) end };

  g_array_append_val (ranges, range);
}

/* Adds ranges for the bytes of a piece that masking changed to asterisks. */
static void
note_masked (GArray *ranges, const NsTrace *trace, const NsWirePiece *piece, const guint8 *masked)
{
  gsize at = (gsize) (piece->data - trace->packet_bytes->data);
  gsize i = 0;

  while (i < piece->size)
    {
      gsize begin = i;

      while (i < piece->size && masked[i] == NS_SECRETS_BYTE && piece->data[i] != NS_SECRETS_BYTE)
        i++;
      if (i > begin)
        add_range (ranges, at + begin, at + i);
      else
        i++;
    }
}

/* Searches a piece that is not part of a stream. */
static void
search_alone (NsPacketMask *self,
              const NsTrace *trace,
              const NsEndpoint *to,
              const guint8 *data,
              gsize size)
{
  NsWirePiece piece = { .data = data, .size = size };
  g_autofree guint8 *masked = ns_stream_dup_masked (trace->secrets, to, data, size);

  if (masked != NULL)
    note_masked (self->ranges, trace, &piece, masked);
}

/* Searches retransmitted bytes that differ: a joined run keeps those that came first. */
static void
search_differing (NsPacketMask *self,
                  const NsTrace *trace,
                  const NsEndpoint *to,
                  const GPtrArray *runs,
                  const NsWirePiece *pieces,
                  guint n_pieces)
{
  guint i;

  for (i = 0; i < n_pieces; i++)
    {
      const GByteArray *run = g_ptr_array_index (runs, pieces[i].run);

      if (memcmp (run->data + pieces[i].at, pieces[i].data, pieces[i].size) != 0)
        search_alone (self, trace, to, pieces[i].data, pieces[i].size);
    }
}

static void
search_flow (NsPacketMask *self, const NsTrace *trace, const Flow *flow, GArray *pieces)
{
  NsWirePiece *first = (NsWirePiece *) (gpointer) pieces->data;
  g_autoptr (GPtrArray) runs = ns_wire_stream_join (first, pieces->len, TRUE);
  g_autoptr (GPtrArray) masked = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) packed = g_ptr_array_new_with_free_func (g_free);
  guint i;

  search_differing (self, trace, &flow->dst, runs, first, pieces->len);
  for (i = 0; i < runs->len; i++)
    {
      const GByteArray *run = g_ptr_array_index (runs, i);

      g_ptr_array_add (packed, ns_stream_dup_packed_masked (trace->secrets, run->data, run->len));
      g_ptr_array_add (masked,
                       ns_stream_dup_masked (trace->secrets, &flow->dst, run->data, run->len));
    }
  for (i = 0; i < pieces->len; i++)
    {
      const guint8 *hidden = g_ptr_array_index (masked, first[i].run);
      const guint8 *blanked = g_ptr_array_index (packed, first[i].run);

      if (hidden != NULL)
        note_masked (self->ranges, trace, &first[i], hidden + first[i].at);
      if (blanked != NULL)
        note_masked (self->packed, trace, &first[i], blanked + first[i].at);
    }
}

/* Returns how often a connection was opened: each opening restarts the sequence numbers. */
static guint
get_opened (GHashTable *openings, const Flow *flow, gboolean is_opening)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (openings, flow));

  if (is_opening)
    g_hash_table_insert (openings, g_memdup2 (flow, sizeof *flow), GUINT_TO_POINTER (++n));
  return n;
}

static void
add_piece (GHashTable *flows, const Flow *flow, const NsWirePiece *piece)
{
  GArray *pieces = g_hash_table_lookup (flows, flow);

  if (pieces == NULL)
    {
      pieces = g_array_new (FALSE, FALSE, sizeof (NsWirePiece));
      g_hash_table_insert (flows, g_memdup2 (flow, sizeof *flow), pieces);
    }
  g_array_append_val (pieces, *piece);
}

static void
add_fragment (GHashTable *flows, Flow *flow, const NsWireFrame *frame)
{
  NsWirePiece piece = { .data = frame->fragment,
                        .size = frame->fragment_size,
                        .seq = frame->fragment_offset };

  /* Fragments are joined without ports: only the first fragment has them. */
  flow->src.port = 0;
  flow->dst.port = 0;
  flow->is_fragmented = TRUE;
  flow->fragment_id = frame->fragment_id;
  if (piece.size > 0)
    add_piece (flows, flow, &piece);
}

/* Searches bytes beyond the length in the headers, or without readable headers. */
static void
search_rest (NsPacketMask *self, const NsTrace *trace, const NsPacketRow *row, const guint8 *rest)
{
  const guint8 *behind = trace->packet_bytes->data + row->data + row->captured;

  search_alone (self, trace, NULL, rest, (gsize) (behind - rest));
}

static void
add_packet (NsPacketMask *self,
            GHashTable *flows,
            GHashTable *openings,
            const NsTrace *trace,
            const NsPacketRow *row)
{
  const guint8 *bytes = trace->packet_bytes->data + row->data;
  NsWirePiece piece = { 0 };
  NsWireFrame frame;
  gboolean is_ip;
  Flow flow;

  if (row->captured > trace->packet_bytes->len ||
      row->data > trace->packet_bytes->len - row->captured)
    return;
  /* Mask all but the header of an SMB message. */
  if (row->link == NS_PACKET_SMB2)
    {
      if (row->captured > NS_WIRE_SMB2_HEADER)
        add_range (self->ranges, row->data + NS_WIRE_SMB2_HEADER, row->data + row->captured);
      return;
    }
  is_ip = ns_wire_frame_parse_cut (&frame,
                                   bytes,
                                   row->captured,
                                   row->length,
                                   ns_packet_row_get_link_type (row));
  memset (&flow, 0, sizeof flow);
  memcpy (&flow.src, &frame.src, sizeof flow.src);
  memcpy (&flow.dst, &frame.dst, sizeof flow.dst);
  if (is_ip && frame.fragment != NULL)
    add_fragment (flows, &flow, &frame);
  if (!is_ip || frame.payload == NULL || frame.protocol != NS_IP_TCP)
    {
      search_rest (self, trace, row, is_ip && frame.payload != NULL ? frame.payload : bytes);
      return;
    }
  search_rest (self, trace, row, frame.payload + frame.payload_size);
  memset (&flow, 0, sizeof flow);
  flow.tcp = ns_packet_row_get_tcp (trace, row);
  memcpy (&flow.src, &frame.src, sizeof flow.src);
  memcpy (&flow.dst, &frame.dst, sizeof flow.dst);
  flow.opened = get_opened (openings, &flow, (frame.tcp_flags & NS_TCP_SYN) != 0);
  piece.data = frame.payload;
  piece.size = frame.payload_size;
  piece.seq = frame.seq;
  if (piece.size > 0)
    add_piece (flows, &flow, &piece);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *one = a;
  const Range *other = b;

  return (one->begin > other->begin) - (one->begin < other->begin);
}

static NsPacketMask *
packet_mask_new (const NsTrace *trace)
{
  NsPacketMask *self = g_new0 (NsPacketMask, 1);
  g_autoptr (GHashTable) flows = NULL;
  g_autoptr (GHashTable) openings = NULL;
  GHashTableIter iter;
  gpointer pieces;
  gpointer flow;
  guint32 i;

  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  self->packed = g_array_new (FALSE, FALSE, sizeof (Range));
  flows = g_hash_table_new_full (hash_flow, is_same_flow, g_free, (GDestroyNotify) g_array_unref);
  openings = g_hash_table_new_full (hash_flow, is_same_flow, g_free, NULL);
  for (i = 0; i < trace->packets->len; i++)
    add_packet (self, flows, openings, trace, &g_array_index (trace->packets, NsPacketRow, i));
  g_hash_table_iter_init (&iter, flows);
  while (g_hash_table_iter_next (&iter, &flow, &pieces))
    search_flow (self, trace, flow, pieces);
  g_array_sort (self->ranges, compare_ranges);
  g_array_sort (self->packed, compare_ranges);
  return self;
}

static void
packet_mask_free (gpointer data)
{
  NsPacketMask *self = data;

  g_array_unref (self->ranges);
  g_array_unref (self->packed);
  g_free (self);
}

/**
 * ns_packet_mask_get:
 * @trace: a trace
 *
 * Searches all packets on the first call, since a packet that is not shown may hold the beginning
 * of a secret. May be called from any thread.
 *
 * Returns: (nullable): the masks; %NULL if secrets are shown
 */
const NsPacketMask *
ns_packet_mask_get (const NsTrace *trace)
{
  if (ns_secrets_are_shown (trace->secrets))
    return NULL;
  if (ns_trace_cache_get (trace->cache, NS_CACHE_PACKET_MASK) == NULL &&
      ns_trace_cache_begin (trace->cache, NS_CACHE_PACKET_MASK, NULL, NULL))
    ns_trace_cache_end (trace->cache,
                        NS_CACHE_PACKET_MASK,
                        packet_mask_new (trace),
                        packet_mask_free);
  return ns_trace_cache_get (trace->cache, NS_CACHE_PACKET_MASK);
}

static gboolean
apply (const GArray *ranges, const NsPacketRow *row, guint8 *frame)
{
  guint low = 0;
  guint high = ranges->len;
  gboolean found = FALSE;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (ranges, Range, middle).begin < row->data)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < ranges->len; low++)
    {
      const Range *range = &g_array_index (ranges, Range, low);

      if (range->end - row->data > row->captured)
        break;
      memset (frame + (range->begin - row->data), NS_SECRETS_BYTE, range->end - range->begin);
      found = TRUE;
    }
  return found;
}

/**
 * ns_packet_mask_apply:
 * @self: (nullable): masks
 * @row: a packet
 * @frame: (array): a copy of its captured bytes
 *
 * Replaces secrets by asterisks. The checksum is left unchanged and no longer matches.
 *
 * Returns: whether anything was masked
 */
gboolean
ns_packet_mask_apply (const NsPacketMask *self, const NsPacketRow *row, guint8 *frame)
{
  gboolean found = ns_packet_mask_apply_plain (self, row, frame);

  return (self != NULL && apply (self->packed, row, frame)) || found;
}

/**
 * ns_packet_mask_apply_plain:
 * @self: (nullable): masks
 * @row: a packet
 * @frame: (array): a copy of its captured bytes
 *
 * Likewise, but keeps compressed bodies, for callers that decompress and mask them.
 *
 * Returns: whether anything was masked
 */
gboolean
ns_packet_mask_apply_plain (const NsPacketMask *self, const NsPacketRow *row, guint8 *frame)
{
  return self != NULL && apply (self->ranges, row, frame);
}
