/* Captured packets: NDIS-PacketCapture and PktMon.
 *
 * NDIS reports a frame in fragments of one thread, with what they are in the keyword, and once for
 * each filter layer it passes; PktMon reports a packet at each component. Either way one row is
 * kept.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "base/ns-secrets.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/ns-builder.h"
#include "engine/ns-packet-frame.h"
#include "schema/ns-payload.h"
#include "wire/ns-wire-frame.h"

#include <string.h>

#define MAX_PACKET 65535
/* Two reports of one frame by two layers are this close. */
#define SAME_FRAME_NS (NS_PER_SECOND / 1000)

#define KEYWORD_WWAN G_GUINT64_CONSTANT (0x200)
#define KEYWORD_TUNNEL G_GUINT64_CONSTANT (0x8000)
#define KEYWORD_WLAN G_GUINT64_CONSTANT (0x10000)
#define KEYWORD_START G_GUINT64_CONSTANT (0x40000000)
#define KEYWORD_END G_GUINT64_CONSTANT (0x80000000)
#define KEYWORD_SEND G_GUINT64_CONSTANT (0x100000000)
#define KEYWORD_RECEIVE G_GUINT64_CONSTANT (0x200000000)

enum
{
  NDIS_PACKET = 1001,
  NDIS_SWITCH_PACKET = 1003,
  PKTMON_PACKET = 160,
  PKTMON_DROP = 170,
};

/* A frame whose end has not come yet. */
typedef struct
{
  GByteArray *bytes;
  gint64 time_ns;
} Fragment;

struct _NsPackets
{
  GArray *fragments;     /* element-type Fragment, by number */
  NsMap *open_fragments; /* (thread and direction, layer) → number + 1 */
  NsMap *seen;           /* (hash of the frame, its size) → row */
  NsMap *pktmon_seen;    /* (group, number) → row */
  GArray *is_stacked;    /* element-type guint8, one a row: reported by a layer on top of another */
  guint64 n_lost;
};

static void
fragment_clear (gpointer data)
{
  g_clear_pointer (&((Fragment *) data)->bytes, g_byte_array_unref);
}

static void
packets_start (NsBuilder *builder)
{
  NsPackets *self = builder->packets = g_new0 (NsPackets, 1);

  self->fragments = g_array_new (FALSE, TRUE, sizeof (Fragment));
  g_array_set_clear_func (self->fragments, fragment_clear);
  self->open_fragments = ns_map_new ();
  self->seen = ns_map_new ();
  self->pktmon_seen = ns_map_new ();
  self->is_stacked = g_array_new (FALSE, FALSE, 1);
}

static void
packets_stop (NsBuilder *builder)
{
  NsPackets *self = builder->packets;

  g_array_unref (self->fragments);
  ns_map_free (self->open_fragments);
  ns_map_free (self->seen);
  ns_map_free (self->pktmon_seen);
  g_array_unref (self->is_stacked);
  g_clear_pointer (&builder->packets, g_free);
}

static guint64
hash_bytes (const guint8 *data, gsize size)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  gsize i;

  for (i = 0; i < size; i++)
    hash = (hash ^ data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

/* Fills in what the frame's own headers say. */
static void
describe (NsBuilder *builder, NsPacketRow *row, const guint8 *data, gsize size)
{
  g_autoptr (GString) info = g_string_new (NULL);
  NsWireFrame frame;

  ns_wire_frame_parse (&frame, data, size, row->link_type);
  row->src = frame.src;
  row->dst = frame.dst;
  row->protocol = ns_wire_frame_get_protocol (&frame);
  ns_wire_frame_append_info (&frame, info);
  ns_secrets_mask_tail (info, 0);
  row->info = ns_strings_add_len (builder->trace->strings, info->str, info->len);
}

/* Appends a row; the bytes go to the trace's packet bytes. Returns its number, 1-based. */
static NsRow
add_row (NsBuilder *builder, NsPacketRow *row, const guint8 *data, gsize size)
{
  NsTrace *trace = builder->trace;
  guint8 is_stacked = 0;

  if (trace->packet_bytes->len > G_MAXUINT32 / 2)
    {
      builder->packets->n_lost++;
      return 0;
    }
  row->data = trace->packet_bytes->len;
  row->captured = (guint32) size;
  row->pid = NS_PID_UNKNOWN;
  describe (builder, row, data, size);
  g_byte_array_append (trace->packet_bytes, data, (guint) size);
  g_array_append_val (trace->packets, *row);
  g_array_append_val (builder->packets->is_stacked, is_stacked);
  return trace->packets->len;
}

/* A whole frame of NDIS: kept unless another layer has just reported the same one. */
static void
deliver_ndis (NsBuilder *builder,
              NsPacketRow *row,
              gboolean is_stacked,
              const guint8 *data,
              gsize size)
{
  NsPackets *self = builder->packets;
  guint64 hash = hash_bytes (data, size) ^ (guint64) (guint8) row->direction << 56;
  NsRow before = ns_map_get (self->seen, hash, size);
  NsRow added;

  if (before != 0)
    {
      NsPacketRow *other = &g_array_index (builder->trace->packets, NsPacketRow, before - 1);
      guint8 *other_stacked = &g_array_index (self->is_stacked, guint8, before - 1);

      if (row->time_ns - other->time_ns < SAME_FRAME_NS && (is_stacked || *other_stacked))
        {
          if (!is_stacked)
            other->interface = row->interface;
          *other_stacked = *other_stacked && is_stacked;
          return;
        }
    }
  added = add_row (builder, row, data, size);
  if (added == 0)
    return;
  g_array_index (self->is_stacked, guint8, added - 1) = is_stacked;
  ns_map_set (self->seen, hash, size, added);
}

static guint16
ndis_link_type (guint64 keyword)
{
  if ((keyword & KEYWORD_WLAN) != 0)
    return NS_LINK_IEEE_802_11;
  return (keyword & (KEYWORD_WWAN | KEYWORD_TUNNEL)) != 0 ? NS_LINK_RAW_IP : NS_LINK_ETHERNET;
}

/* Joins the fragments of a frame; %TRUE when @fragment holds a whole one. */
static gboolean
join_fragment (NsPackets *self,
               const NsRecord *record,
               guint64 layer,
               NsCursor *bytes,
               Fragment **joined)
{
  guint64 owner = (guint64) record->tid << 32 | (guint32) (record->keyword >> 32);
  guint number = ns_map_get (self->open_fragments, owner, layer);
  Fragment *fragment;

  if (number == 0)
    {
      Fragment empty = { g_byte_array_new (), 0 };

      g_array_append_val (self->fragments, empty);
      number = self->fragments->len;
      ns_map_set (self->open_fragments, owner, layer, number);
    }
  fragment = &g_array_index (self->fragments, Fragment, number - 1);

  if ((record->keyword & KEYWORD_START) != 0)
    {
      if (fragment->bytes->len > 0)
        self->n_lost++;
      g_byte_array_set_size (fragment->bytes, 0);
      fragment->time_ns = record->time_ns;
    }
  if (fragment->bytes->len + bytes->size > MAX_PACKET)
    {
      g_byte_array_set_size (fragment->bytes, 0);
      self->n_lost++;
      return FALSE;
    }
  g_byte_array_append (fragment->bytes, bytes->data, (guint) bytes->size);
  *joined = fragment;
  return (record->keyword & KEYWORD_END) != 0;
}

/* Where the bytes are that a record of NDIS has of a frame. */
static gboolean
find_ndis_bytes (const NsRecord *record, guint32 *miniport, guint32 *lower, NsCursor *bytes)
{
  NsCursor cursor;
  gsize n;

  if (record->id != NDIS_PACKET && record->id != NDIS_SWITCH_PACKET)
    return FALSE;
  ns_record_cursor (record, &cursor);
  *miniport = ns_cursor_u32 (&cursor);
  *lower = ns_cursor_u32 (&cursor);
  if (record->id == NDIS_SWITCH_PACKET)
    {
      ns_cursor_u32 (&cursor);
      ns_cursor_wstr (&cursor, &n);
      ns_cursor_wstr (&cursor, &n);
      ns_cursor_wstr (&cursor, &n);
      n = ns_cursor_u32 (&cursor);
      ns_cursor_skip (&cursor, n <= MAX_PACKET ? n * 8 : G_MAXSIZE);
    }
  n = ns_cursor_u32 (&cursor);
  /* A payload that was cut holds as much of the frame as there is. */
  return ns_cursor_ok (&cursor) &&
         ns_cursor_sub (&cursor, MIN (n, ns_cursor_left (&cursor)), bytes);
}

static void
ndis_event (NsBuilder *builder, const NsRecord *record)
{
  const guint64 whole = KEYWORD_START | KEYWORD_END;
  NsPacketRow row = { .time_ns = record->time_ns };
  Fragment *fragment = NULL;
  NsCursor bytes;
  guint32 miniport;
  guint32 lower;

  if (!find_ndis_bytes (record, &miniport, &lower, &bytes))
    return;
  row.interface = miniport;
  row.link_type = ndis_link_type (record->keyword);
  row.direction = (record->keyword & KEYWORD_SEND) != 0      ? -1
                  : (record->keyword & KEYWORD_RECEIVE) != 0 ? 1
                                                             : 0;
  row.length = (guint32) bytes.size;
  if ((record->keyword & whole) == whole)
    {
      deliver_ndis (builder, &row, miniport != lower, bytes.data, bytes.size);
      return;
    }
  if (!join_fragment (builder->packets,
                      record,
                      (guint64) miniport << 32 | lower,
                      &bytes,
                      &fragment))
    return;
  row.time_ns = fragment->time_ns;
  row.length = fragment->bytes->len;
  deliver_ndis (builder, &row, miniport != lower, fragment->bytes->data, fragment->bytes->len);
  g_byte_array_set_size (fragment->bytes, 0);
}

/* PktMon's direction tags: 1 in, 2 out, 3 receive, 4 transmit, 5 ingress, 6 egress. */
static gint8
pktmon_direction (guint16 tag)
{
  if (tag == 0 || tag > 6)
    return 0;
  return tag % 2 == 1 ? 1 : -1;
}

static NsString
pktmon_drop_reason (NsBuilder *builder, const NsRecord *record, guint32 reason)
{
  const NsSchema *schema = ns_schemas_find (builder->trace->schemas, record);
  g_autoptr (GString) text = g_string_new (NULL);
  NsPayloadItem item;

  if (schema != NULL && ns_payload_find (schema, record, "DropReason", &item))
    ns_value_append_text (&item, text);
  else
    g_string_append_printf (text, "%u", reason);
  return ns_strings_add_len (builder->trace->strings, text->str, text->len);
}

/* What a record of PktMon says before the bytes of its frame. */
typedef struct
{
  guint64 group;
  guint16 number;
  guint16 direction;
  guint16 type;
  guint16 component;
  guint32 drop_reason;
  guint16 length;
  NsCursor bytes;
} PktmonPacket;

static gboolean
read_pktmon (const NsRecord *record, PktmonPacket *packet)
{
  NsCursor cursor;
  gsize logged;

  if (record->id != PKTMON_PACKET && record->id != PKTMON_DROP)
    return FALSE;
  ns_record_cursor (record, &cursor);
  packet->group = ns_cursor_u64 (&cursor);
  packet->number = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2); /* AppearanceCount */
  packet->direction = ns_cursor_u16 (&cursor);
  packet->type = ns_cursor_u16 (&cursor);
  packet->component = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 4); /* EdgeId, FilterId */
  packet->drop_reason = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4); /* DropLocation */
  packet->length = ns_cursor_u16 (&cursor);
  logged = ns_cursor_u16 (&cursor);
  return ns_cursor_ok (&cursor) &&
         ns_cursor_sub (&cursor, MIN (logged, ns_cursor_left (&cursor)), &packet->bytes);
}

static guint16
pktmon_link_type (guint16 type)
{
  return type == 2 ? NS_LINK_IEEE_802_11 : type == 3 ? NS_LINK_RAW_IP : NS_LINK_ETHERNET;
}

static void
pktmon_event (NsBuilder *builder, const NsRecord *record)
{
  NsPackets *self = builder->packets;
  NsPacketRow row = { .time_ns = record->time_ns };
  PktmonPacket packet;
  NsRow before;

  if (!read_pktmon (record, &packet))
    return;
  row.direction = pktmon_direction (packet.direction);
  row.interface = packet.component;
  row.length = packet.length;
  row.dropped = record->id == PKTMON_DROP || packet.drop_reason != 0;
  if (row.dropped)
    row.drop_reason = pktmon_drop_reason (builder, record, packet.drop_reason);
  before = ns_map_get (self->pktmon_seen, packet.group, packet.number + 1u);
  if (before != 0)
    {
      NsPacketRow *other = &g_array_index (builder->trace->packets, NsPacketRow, before - 1);

      if (row.dropped && !other->dropped)
        {
          other->dropped = TRUE;
          other->drop_reason = row.drop_reason;
        }
      return;
    }
  row.link_type = pktmon_link_type (packet.type);
  before = add_row (builder, &row, packet.bytes.data, packet.bytes.size);
  ns_map_set (self->pktmon_seen, packet.group, packet.number + 1u, before);
}

static const NsGuid ndis = NS_GUID_NDIS_PACKET_CAPTURE;
static const NsGuid pktmon = NS_GUID_PKTMON;

/**
 * ns_packets_find_frame:
 * @record: a record
 * @frame: (out): what it holds of a frame
 *
 * Returns: whether it is a record of a captured packet
 */
gboolean
ns_packets_find_frame (const NsRecord *record, NsPacketFrame *frame)
{
  PktmonPacket packet;
  guint32 miniport;
  guint32 lower;

  memset (frame, 0, sizeof *frame);
  if (ns_guid_equal (&record->guid, &pktmon) && read_pktmon (record, &packet))
    {
      frame->bytes = packet.bytes;
      frame->link_type = pktmon_link_type (packet.type);
      frame->is_begin = frame->is_end = TRUE;
      return TRUE;
    }
  if (!ns_guid_equal (&record->guid, &ndis) ||
      !find_ndis_bytes (record, &miniport, &lower, &frame->bytes))
    return FALSE;
  frame->link_type = ndis_link_type (record->keyword);
  frame->layer = (guint64) miniport << 32 | lower;
  frame->is_begin = (record->keyword & KEYWORD_START) != 0;
  frame->is_end = (record->keyword & KEYWORD_END) != 0;
  return TRUE;
}

static const NsProviderOps packets_ops[] = {
  { NS_GUID_NDIS_PACKET_CAPTURE, NULL, ndis_event },
  { NS_GUID_PKTMON, NULL, pktmon_event },
};

const NsPart ns_packets_part = {
  .name = "packets",
  .start = packets_start,
  .stop = packets_stop,
  .ops = packets_ops,
  .n_ops = G_N_ELEMENTS (packets_ops),
};
