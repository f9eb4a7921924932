/* Reads records of captured packets: NDIS-PacketCapture, PktMon, NdisWan (inside a VPN), and SMB
 * messages that the SMB client logs.
 *
 * NDIS reports a frame in fragments on one thread, marked by keywords, and once for each filter
 * layer that it passes; PktMon reports a packet at each component. ns-packet-copies finds which of
 * them are one packet.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-reader.h"

#include "base/ns-map.h"
#include "base/ns-secrets.h"
#include "engine/net/packets/ns-packet-frame.h"
#include "engine/trace/ns-event.h"
#include "etl/ns-provider-guids.h"
#include "schema/ns-payload.h"
#include "wire/ns-sockaddr.h"
#include "wire/ns-wire-link.h"
#include "wire/ns-wire-smb2.h"

#include <string.h>

#define MAX_PACKET 65535
/* Maximum size of an SMB message: MaxWriteSize of Windows is 8 MiB. */
#define MAX_MESSAGE (16 * 1024 * 1024)

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
  WAN_SENT = 5001,
  WAN_RECEIVED = 5002,
  SMB_PIECE = 2000,
  SMB_PACKET = 40000,
};

/* A frame whose last fragment has not been read yet. */
typedef struct
{
  GByteArray *bytes;
  gint64 time_ns;
} Fragment;

struct _NsPacketReader
{
  NsSchemas *schemas;
  const NsSecrets *secrets;
  NsStrings *strings;
  GArray *fragments;      /* element-type Fragment, by number */
  NsMap *open_fragments;  /* (thread and direction, layer) → number + 1 */
  NsPacketCopies *copies; /* borrowed */
  NsMap *tunnels;         /* (hash of domain and user, 1) → number */
  GArray *tunnel_names;   /* element-type NsString, by number - 1 */
  guint64 n_lost;
  guint64 n_appearances;
  guint64 n_records; /* records read; a packet may take several */
};

static void
fragment_clear (gpointer data)
{
  g_clear_pointer (&((Fragment *) data)->bytes, g_byte_array_unref);
}

/**
 * ns_packet_reader_new: (skip)
 * @schemas: schemas of the records
 * @secrets: (nullable): definition of secrets; %NULL: the defaults
 * @strings: gets the texts
 * @copies: gets the packets; all of them stay owned by the caller and must outlive the reader
 *
 * Returns: (transfer full): a reader
 */
NsPacketReader *
ns_packet_reader_new (NsSchemas *schemas,
                      const NsSecrets *secrets,
                      NsStrings *strings,
                      NsPacketCopies *copies)
{
  NsPacketReader *self = g_new0 (NsPacketReader, 1);

  self->schemas = schemas;
  self->secrets = secrets;
  self->strings = strings;
  self->copies = copies;
  self->fragments = g_array_new (FALSE, TRUE, sizeof (Fragment));
  g_array_set_clear_func (self->fragments, fragment_clear);
  self->open_fragments = ns_map_new ();
  self->tunnels = ns_map_new ();
  self->tunnel_names = g_array_new (FALSE, FALSE, sizeof (NsString));
  return self;
}

/**
 * ns_packet_reader_free: (skip)
 * @self: (transfer full): a reader
 */
void
ns_packet_reader_free (NsPacketReader *self)
{
  g_array_unref (self->fragments);
  ns_map_free (self->open_fragments);
  ns_map_free (self->tunnels);
  g_array_unref (self->tunnel_names);
  g_free (self);
}

/* Passes on a packet at one place of the stack. */
static void
deliver (NsPacketReader *self, const NsAppearance *appearance)
{
  self->n_appearances++;
  if (!ns_packet_copies_add (self->copies, appearance))
    self->n_lost++;
}

static guint16
ndis_link_type (guint64 keyword)
{
  if ((keyword & KEYWORD_WLAN) != 0)
    return NS_LINK_IEEE_802_11;
  return (keyword & (KEYWORD_WWAN | KEYWORD_TUNNEL)) != 0 ? NS_LINK_RAW_IP : NS_LINK_ETHERNET;
}

/* Joins the fragments of a frame; %TRUE if @fragment is complete. */
static gboolean
join_fragment (NsPacketReader *self,
               const NsRecord *record,
               guint64 layer,
               gsize max,
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
  if (bytes->size > max || fragment->bytes->len > max - bytes->size)
    {
      g_byte_array_set_size (fragment->bytes, 0);
      self->n_lost++;
      return FALSE;
    }
  g_byte_array_append (fragment->bytes, bytes->data, (guint) bytes->size);
  *joined = fragment;
  return (record->keyword & KEYWORD_END) != 0;
}

/* Locates the frame bytes in an NDIS record. */
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
  /* A truncated payload contains only the beginning of the frame. */
  return ns_cursor_ok (&cursor) &&
         ns_cursor_sub (&cursor, MIN (n, ns_cursor_left (&cursor)), bytes);
}

static void
read_ndis (NsPacketReader *self, const NsRecord *record)
{
  const guint64 whole = KEYWORD_START | KEYWORD_END;
  NsAppearance frame = { .capture = NS_CAPTURE_NDIS };
  NsPacketReport *row = &frame.row;
  Fragment *fragment = NULL;
  NsCursor bytes;
  guint32 miniport;
  guint32 lower;

  if (!find_ndis_bytes (record, &miniport, &lower, &bytes))
    return;
  self->n_records++;
  row->time_ns = record->time_ns;
  row->interface = miniport;
  row->link_type = ndis_link_type (record->keyword);
  row->direction = (record->keyword & KEYWORD_SEND) != 0      ? -1
                   : (record->keyword & KEYWORD_RECEIVE) != 0 ? 1
                                                              : 0;
  frame.place = ns_map_mix (miniport, lower);
  frame.rank = miniport != lower;
  frame.bytes = bytes.data;
  frame.size = bytes.size;
  if ((record->keyword & whole) != whole)
    {
      if (!join_fragment (self,
                          record,
                          (guint64) miniport << 32 | lower,
                          MAX_PACKET,
                          &bytes,
                          &fragment))
        return;
      row->time_ns = fragment->time_ns;
      frame.bytes = fragment->bytes->data;
      frame.size = fragment->bytes->len;
    }
  row->length = (guint32) frame.size;
  deliver (self, &frame);
  if (fragment != NULL)
    g_byte_array_set_size (fragment->bytes, 0);
}

/* Converts PktMon's direction tags: 1 in, 2 out, 3 receive, 4 transmit, 5 ingress, 6 egress. */
static gint8
pktmon_direction (guint16 tag)
{
  if (tag == 0 || tag > 6)
    return 0;
  return tag % 2 == 1 ? 1 : -1;
}

static NsString
pktmon_drop_reason (NsPacketReader *self, const NsRecord *record, guint32 reason)
{
  const NsSchema *schema = ns_schemas_find_shared (self->schemas, record);
  g_autoptr (GString) text = g_string_new (NULL);
  NsPayloadItem item;

  if (schema != NULL && ns_payload_find (schema, record, "DropReason", &item))
    ns_value_append_text (&item, self->secrets, text);
  /* Without a text only the number is shown. */
  if (text->len == 0 || g_ascii_isdigit (text->str[0]))
    g_string_printf (text, "%u", reason);
  else
    g_string_append_printf (text, " (%u)", reason);
  return ns_strings_add_len (self->strings, text->str, text->len);
}

/* Fields before the frame in a PktMon record. */
typedef struct
{
  guint64 group;
  guint16 number;
  guint16 count;
  guint16 direction;
  guint16 type;
  guint16 component;
  guint16 edge;
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
  packet->count = ns_cursor_u16 (&cursor);
  packet->direction = ns_cursor_u16 (&cursor);
  packet->type = ns_cursor_u16 (&cursor);
  packet->component = ns_cursor_u16 (&cursor);
  packet->edge = ns_cursor_u16 (&cursor);
  ns_cursor_skip (&cursor, 2); /* FilterId */
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
read_pktmon_packet (NsPacketReader *self, const NsRecord *record)
{
  NsAppearance frame = { .capture = NS_CAPTURE_PKTMON };
  NsPacketReport *row = &frame.row;
  PktmonPacket packet;

  if (!read_pktmon (record, &packet))
    return;
  self->n_records++;
  row->time_ns = record->time_ns;
  row->direction = pktmon_direction (packet.direction);
  row->interface = packet.component;
  row->link_type = pktmon_link_type (packet.type);
  row->length = packet.length;
  row->dropped = record->id == PKTMON_DROP || packet.drop_reason != 0;
  if (row->dropped)
    row->drop_reason = pktmon_drop_reason (self, record, packet.drop_reason);
  row->drop_number = packet.drop_reason;
  frame.edge = packet.edge;
  frame.bytes = packet.bytes.data;
  frame.size = packet.bytes.size;
  frame.group = packet.group;
  frame.number = packet.number;
  frame.count = packet.count;
  frame.place = (guint64) packet.component << 16 | packet.edge;
  /* Prefer Ethernet, then IP; Wi-Fi frames hold less of the packet, and some are mislabelled. */
  frame.rank = packet.type == 1 ? 0 : packet.type == 3 ? 1 : packet.type == 2 ? 3 : 2;
  frame.is_drop = record->id == PKTMON_DROP;
  frame.is_weak = packet.direction > 4;
  deliver (self, &frame);
}

/* Tunnel of an NdisWan frame. */
typedef struct
{
  guint64 hash;
  const guint8 *user; /* UTF-16; %NULL: unknown */
  gsize n_user;
} Tunnel;

/* Returns whether the bytes, @length of them before truncation, are an IP packet: an Ethernet
 * frame may have a destination address that looks like an IP header. */
static gboolean
begins_with_ip (const NsCursor *bytes, gsize length)
{
  const guint8 *ip = bytes->data;
  gsize stated;

  if (bytes->size >= 20 && ip[0] >> 4 == 4)
    return (ip[0] & 15) >= 5 && 4u * (ip[0] & 15) <= bytes->size;
  if (bytes->size < 40 || ip[0] >> 4 != 6)
    return FALSE;
  /* A truncated packet is shorter than its length field; its traffic class must be 0, as in most
   * packets. */
  stated = 40u + (ip[4] << 8 | ip[5]);
  return stated == length || (ip[0] == 0x60 && stated > length);
}

/* Locates the frame bytes in an NdisWan record, and identifies the tunnel. */
static gboolean
find_wan_bytes (const NsRecord *record, Tunnel *tunnel, NsCursor *bytes, guint16 *link_type)
{
  NsWireLink link;
  NsCursor cursor;
  gsize i;
  gsize n;

  if (record->id != WAN_SENT && record->id != WAN_RECEIVED)
    return FALSE;
  ns_record_cursor (record, &cursor);
  ns_cursor_wstr (&cursor, &n);
  tunnel->user = ns_cursor_wstr (&cursor, &tunnel->n_user);
  if (!ns_cursor_ok (&cursor))
    return FALSE;
  tunnel->hash = 0;
  for (i = 0; i < cursor.pos; i++)
    tunnel->hash = ns_map_mix (tunnel->hash, cursor.data[i]);
  n = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) || !ns_cursor_sub (&cursor, MIN (n, ns_cursor_left (&cursor)), bytes))
    return FALSE;
  *link_type = NS_LINK_ETHERNET;
  ns_wire_link_read (&link, bytes->data, bytes->size, NS_LINK_ETHERNET);
  /* A tunnel may carry IP without a link header. */
  if (link.ether_type != NS_ETHER_IPV4 && link.ether_type != NS_ETHER_IPV6 &&
      link.ether_type != NS_ETHER_ARP && begins_with_ip (bytes, n))
    *link_type = NS_LINK_RAW_IP;
  return TRUE;
}

/* Formats `VPN (user)`; the user is masked unless secrets are shown. */
static NsString
name_tunnel (NsPacketReader *self, const Tunnel *tunnel)
{
  g_autoptr (GString) name = g_string_new ("VPN");
  NsString user = NS_STRING_NONE;

  if (tunnel->user != NULL && tunnel->n_user > 0)
    user = ns_strings_add_utf16 (self->strings, tunnel->user, tunnel->n_user);
  if (user != NS_STRING_NONE)
    g_string_append_printf (name,
                            " (%s)",
                            ns_secrets_are_shown (self->secrets)
                                ? ns_strings_get (self->strings, user)
                                : NS_SECRETS_MASK);
  return ns_strings_add_len (self->strings, name->str, name->len);
}

static void
read_wan (NsPacketReader *self, const NsRecord *record)
{
  NsAppearance frame = { .capture = NS_CAPTURE_VPN };
  Tunnel tunnel;
  NsCursor bytes;

  if (!find_wan_bytes (record, &tunnel, &bytes, &frame.row.link_type))
    return;
  self->n_records++;
  frame.row.interface = ns_map_get (self->tunnels, tunnel.hash, 1);
  if (frame.row.interface == 0)
    {
      NsString name = name_tunnel (self, &tunnel);

      g_array_append_val (self->tunnel_names, name);
      frame.row.interface = self->tunnel_names->len;
      ns_map_set (self->tunnels, tunnel.hash, 1, frame.row.interface);
    }
  frame.row.time_ns = record->time_ns;
  /* Replaced once conversations are known: the process may own the connection that carries the
   * tunnel. */
  frame.row.pid = record->pid;
  frame.row.direction = record->id == WAN_SENT ? -1 : 1;
  frame.row.interface_name = g_array_index (self->tunnel_names, NsString, frame.row.interface - 1);
  frame.row.length = (guint32) bytes.size;
  frame.place = frame.row.interface;
  frame.bytes = bytes.data;
  frame.size = bytes.size;
  deliver (self, &frame);
}

/* Returns the number of a peer, used in place of an interface number: a hash, which does not
 * depend on the order of reading. */
static guint32
number_peer (const NsEndpoint *peer)
{
  guint64 hash = ns_map_mix (ns_ip_hash (&peer->ip), peer->port);

  return (guint32) (hash ^ hash >> 32);
}

/* Parses an SMB event: ConnectionType, the peer and a message. Encrypted messages are skipped. */
static void
deliver_message (NsPacketReader *self, const guint8 *data, gsize size, gint64 time_ns)
{
  NsAppearance frame = { .capture = NS_CAPTURE_SMB };
  NsPacketReport *row = &frame.row;
  NsWireSmb2 message;
  NsCursor cursor;
  NsCursor bytes;
  gsize n;

  ns_cursor_init (&cursor, data, size);
  ns_cursor_u32 (&cursor);
  ns_sockaddr_take_counted (&cursor, &row->peer);
  n = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) ||
      !ns_cursor_sub (&cursor, MIN (n, ns_cursor_left (&cursor)), &bytes) ||
      !ns_wire_smb2_parse (&message, bytes.data, bytes.size))
    return;
  self->n_records++;
  row->time_ns = time_ns;
  row->interface = number_peer (&row->peer);
  row->interface_name = ns_strings_add (self->strings, "SMB client");
  row->link_type = NS_LINK_SMB2;
  row->direction = message.is_answer ? 1 : -1;
  row->length = (guint32) MIN (n, G_MAXUINT32);
  frame.place = row->interface;
  frame.bytes = bytes.data;
  frame.size = bytes.size;
  deliver (self, &frame);
}

/* Joins a message that is split over several consecutive events of one thread. */
static void
read_smb (NsPacketReader *self, const NsRecord *record)
{
  Fragment *joined = NULL;
  NsCursor cursor;
  NsCursor bytes;
  gsize n;

  if (record->id == SMB_PACKET)
    deliver_message (self, record->payload, record->payload_size, record->time_ns);
  if (record->id != SMB_PIECE)
    return;
  ns_record_cursor (record, &cursor);
  if (ns_cursor_u16 (&cursor) != SMB_PACKET)
    return;
  n = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor) ||
      !ns_cursor_sub (&cursor, MIN (n, ns_cursor_left (&cursor)), &bytes) ||
      !join_fragment (self, record, G_MAXUINT64, MAX_MESSAGE, &bytes, &joined))
    return;
  deliver_message (self, joined->bytes->data, joined->bytes->len, joined->time_ns);
  g_byte_array_set_size (joined->bytes, 0);
}

static const NsGuid ndis = NS_GUID_NDIS_PACKET_CAPTURE;
static const NsGuid pktmon = NS_GUID_PKTMON;
static const NsGuid wan = NS_GUID_NDIS_WAN_CAPTURE;
static const NsGuid smb = NS_GUID_SMB_CLIENT;

/**
 * ns_packets_find_frame:
 * @record: a record
 * @frame: (out): its part of a frame
 *
 * Returns: whether it is a record of a captured packet
 */
gboolean
ns_packets_find_frame (const NsRecord *record, NsPacketFrame *frame)
{
  PktmonPacket packet;
  guint16 link_type;
  Tunnel tunnel;
  guint32 miniport;
  guint32 lower;

  memset (frame, 0, sizeof *frame);
  if (ns_guid_equal (&record->guid, &wan) &&
      find_wan_bytes (record, &tunnel, &frame->bytes, &link_type))
    {
      frame->link_type = link_type;
      frame->is_begin = frame->is_end = TRUE;
      return TRUE;
    }
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

/**
 * ns_packet_reader_read: (skip)
 * @self: a reader
 * @record: any record, in time order
 *
 * Reads the packet of the record, if it has one.
 */
void
ns_packet_reader_read (NsPacketReader *self, const NsRecord *record)
{
  if (ns_guid_equal (&record->guid, &pktmon))
    read_pktmon_packet (self, record);
  else if (ns_guid_equal (&record->guid, &ndis))
    read_ndis (self, record);
  else if (ns_guid_equal (&record->guid, &wan))
    read_wan (self, record);
  else if (ns_guid_equal (&record->guid, &smb))
    read_smb (self, record);
}

/**
 * ns_packet_reader_get_counts: (skip)
 * @self: a reader
 * @n_records: (out): records with packet bytes that were read
 * @n_appearances: (out): appearances of packets in them
 * @n_lost: (out): packets whose end was not recorded, or for which there was no room
 */
void
ns_packet_reader_get_counts (const NsPacketReader *self,
                             guint64 *n_records,
                             guint64 *n_appearances,
                             guint64 *n_lost)
{
  *n_records = self->n_records;
  *n_appearances = self->n_appearances;
  *n_lost = self->n_lost;
}
