/* Merges the records of one packet at several places of the network stack into one row.
 *
 * PktMon numbers packets up to Windows 11 22H2; from build 26100 on it does not count appearances,
 * and each place has its own number. NDIS never numbers packets. Without numbers, equal bytes
 * within a millisecond at another place are the same packet. Recent packets are kept in a ring, so
 * memory and time are bounded for any file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/net/packets/ns-packet-copies.h"
#include "engine/net/packets/ns-packet-row.h"
#include "wire/ns-wire-link.h"

#include <string.h>

/* Maximum time between two records of one packet. */
#define SAME_PACKET_NS (NS_PER_SECOND / 1000)
/* Number of recent packets kept, about as many as one millisecond has; a power of two. */
#define N_RECENT 2048u
#define MAX_PLACES 30
/* Maximum number of equal packets examined, newest first. */
#define MAX_LOOK_BACK 16
/* Number of bytes hashed; the rest is compared. Captures truncated at 128 bytes have at least as
 * many. */
#define N_HASHED 64

/* A recent packet, which may be recorded again. */
typedef struct
{
  guint64 hash;
  gint64 first_ns;
  NsRow row;
  guint32 before; /* serial of the previous packet with this hash */
  gint8 direction;
  gboolean is_numbered;
  guint8 n_places;
  guint64 places[MAX_PLACES];
} Recent;

/* Rank of the record that a row shows; one per row, until all records are read. */
typedef struct
{
  guint16 order;
  guint16 dropped_by; /* component of PktMon that dropped the packet first */
  guint8 capture : 2;
  guint8 rank : 3;
  guint8 is_inward : 1;
  guint8 is_weak : 1;
} Choice;

/* Remote endpoint of messages without headers. */
typedef struct
{
  guint32 number;
  NsEndpoint end;
} Peer;

struct _NsPacketCopies
{
  NsMap *known_peers; /* (number of a message's peer, 0) → 1; NULL until there is one */
  GArray *peers;      /* (element-type Peer) */
  GArray *rows;
  GByteArray *bytes;
  GArray *places;
  NsMap *known_places[2]; /* hash of a place → its number, from 1; [1]: places of PktMon */
  NsAppearanceFunc func;
  gpointer func_data;
  GArray *choices;  /* element-type Choice, one a row */
  NsMap *numbered;  /* (group, number and addresses) → row */
  NsMap *by_bytes;  /* (hash, 1) → serial of a #Recent */
  Recent *recent;   /* ring of N_RECENT */
  guint32 n_recent; /* serial of the newest, 1-based */
  guint32 last_place;
  gboolean has_undirected; /* the direction of some packet is unknown */
};

/**
 * ns_packet_copies_new: (skip)
 * @table: gets the packets
 *
 * Returns: (transfer full): an empty merger
 */
NsPacketCopies *
ns_packet_copies_new (const NsPacketTable *table)
{
  NsPacketCopies *self = g_new0 (NsPacketCopies, 1);

  self->rows = table->rows;
  self->bytes = table->bytes;
  self->places = table->places;
  self->known_places[0] = ns_map_new ();
  self->known_places[1] = ns_map_new ();
  self->choices = g_array_new (FALSE, TRUE, sizeof (Choice));
  self->numbered = ns_map_new ();
  self->by_bytes = ns_map_new ();
  return self;
}

/**
 * ns_packet_copies_free: (skip)
 * @self: (transfer full): a merger
 */
void
ns_packet_copies_free (NsPacketCopies *self)
{
  g_clear_pointer (&self->known_peers, ns_map_free);
  g_clear_pointer (&self->peers, g_array_unref);
  g_array_unref (self->choices);
  ns_map_free (self->known_places[0]);
  ns_map_free (self->known_places[1]);
  ns_map_free (self->numbered);
  ns_map_free (self->by_bytes);
  g_free (self->recent);
  g_free (self);
}

static guint64
hash_bytes (guint64 hash, const guint8 *data, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    hash = (hash ^ data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

/* Content that all records of a packet share: from the IP header on, without checksums. */
typedef struct
{
  const guint8 *data;
  gsize size;
  gsize skips[2];
  gsize n_skips;
  gboolean is_ip;
} Content;

static void
find_content (Content *self, const guint8 *bytes, gsize size, guint link_type)
{
  NsWireLink link;
  gsize begin;

  ns_wire_link_read (&link, bytes, size, link_type);
  begin = MIN (link.size, size);
  self->data = bytes + begin;
  self->size = size - begin;
  self->is_ip = link.ether_type == NS_ETHER_IPV4 || link.ether_type == NS_ETHER_IPV6;
  self->n_skips =
      self->is_ip ? ns_wire_link_find_checksums (self->data, self->size, self->skips) : 0;
}

static gboolean
is_skipped (const Content *self, gsize at)
{
  gsize i;

  for (i = 0; i < self->n_skips; i++)
    if (at >= self->skips[i] && at < self->skips[i] + 2)
      return TRUE;
  return FALSE;
}

static guint64
hash_content (const Content *self, gint8 direction)
{
  gsize n = MIN (self->size, N_HASHED);
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325) ^ (guint8) direction;
  gsize i;

  for (i = 0; i < n; i++)
    hash = (hash ^ (is_skipped (self, i) ? 0 : self->data[i])) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

static gboolean
content_equal (const Content *self, const Content *other)
{
  gsize size = MIN (self->size, other->size);
  gsize begin = 0;
  gsize i;

  for (i = 0; i < self->n_skips && self->skips[i] < size; i++)
    {
      if (memcmp (self->data + begin, other->data + begin, self->skips[i] - begin) != 0)
        return FALSE;
      begin = MIN (self->skips[i] + 2, size);
    }
  return begin == size || memcmp (self->data + begin, other->data + begin, size - begin) == 0;
}

static guint64
hash_addresses (const Content *self)
{
  gboolean is_v4 = self->is_ip && self->size >= 20 && self->data[0] >> 4 == 4;
  gboolean is_v6 = self->is_ip && self->size >= 40 && self->data[0] >> 4 == 6;

  if (!is_v4 && !is_v6)
    return 0;
  return hash_bytes (1, self->data + (is_v4 ? 12 : 8), is_v4 ? 8 : 32);
}

static NsPacketRow *
get_row (const NsPacketCopies *self, NsRow row)
{
  return NS_ROW_AT (self->rows, NsPacketRow, row);
}

/* Combines capture and place into one number. */
static guint64
get_place (const NsAppearance *appearance)
{
  return (guint64) appearance->capture << 62 | (appearance->place & G_MAXUINT64 >> 2);
}

/* Returns whether a record may belong to a packet recorded at these places. */
static gboolean
may_join (const Recent *recent, const NsAppearance *appearance)
{
  guint i;

  if (appearance->count > 0)
    return !recent->is_numbered;
  if (appearance->is_drop)
    return TRUE;
  for (i = 0; i < recent->n_places; i++)
    if (recent->places[i] == get_place (appearance))
      return FALSE;
  return recent->n_places < MAX_PLACES;
}

/* Returns the oldest matching packet, as packets pass a place in order; a dropped one only if no
 * other matches. A drop record belongs to the newest. */
static Recent *
find_recent (const NsPacketCopies *self,
             const NsAppearance *appearance,
             const Content *content,
             guint64 hash)
{
  guint32 serial = ns_map_get (self->by_bytes, hash, 1);
  Recent *found = NULL;
  Recent *dropped = NULL;
  guint n;

  for (n = 0; n < MAX_LOOK_BACK && serial != 0 && self->n_recent - serial < N_RECENT; n++)
    {
      Recent *recent = &self->recent[serial % N_RECENT];
      const NsPacketRow *row = get_row (self, recent->row);
      Content other;

      if (appearance->row.time_ns - recent->first_ns > SAME_PACKET_NS || recent->hash != hash)
        break;
      serial = recent->before;
      if (recent->direction != appearance->row.direction || !may_join (recent, appearance))
        continue;
      find_content (&other,
                    self->bytes->data + row->data,
                    row->captured,
                    ns_packet_row_get_link_type (row));
      if (other.is_ip != content->is_ip || !content_equal (content, &other))
        continue;
      if (appearance->is_drop)
        return recent;
      *(row->dropped ? &dropped : &found) = recent;
    }
  return found != NULL ? found : dropped;
}

/* Finds a packet, also if the direction of only one of the two records is known. */
static Recent *
find_either_way (const NsPacketCopies *self,
                 const NsAppearance *appearance,
                 const Content *content,
                 guint64 hash)
{
  static const gint8 directions[] = { 1, -1, 0 };
  gint8 own = appearance->row.direction;
  Recent *recent = find_recent (self, appearance, content, hash);
  guint i;

  if (recent != NULL || (own != 0 && !self->has_undirected))
    return recent;
  for (i = own != 0 ? 2 : 0; i < (own != 0 ? 3 : 2) && recent == NULL; i++)
    {
      NsAppearance other = *appearance;

      other.row.direction = directions[i];
      recent = find_recent (self, &other, content, hash_content (content, directions[i]));
    }
  return recent;
}

static void
add_recent (NsPacketCopies *self, const NsAppearance *appearance, guint64 hash, NsRow row)
{
  Recent *recent;

  if (self->recent == NULL)
    self->recent = g_new0 (Recent, N_RECENT);
  recent = &self->recent[++self->n_recent % N_RECENT];
  /* Remove the map entry of the packet that leaves the ring, unless a newer packet owns it. */
  if (recent->row != 0 && ns_map_get (self->by_bytes, recent->hash, 1) == self->n_recent - N_RECENT)
    ns_map_take (self->by_bytes, recent->hash, 1);
  recent->hash = hash;
  recent->first_ns = appearance->row.time_ns;
  recent->row = row;
  recent->before = ns_map_get (self->by_bytes, hash, 1);
  recent->direction = appearance->row.direction;
  self->has_undirected = self->has_undirected || recent->direction == 0;
  recent->is_numbered = appearance->count > 0;
  recent->n_places = 1;
  recent->places[0] = get_place (appearance);
  ns_map_set (self->by_bytes, hash, 1, self->n_recent);
}

/* Stores the bytes of @appearance in @row, in place of the old ones if they fit. */
static gboolean
put_bytes (NsPacketCopies *self, NsPacketRow *row, const NsAppearance *appearance)
{
  GByteArray *bytes = self->bytes;

  /* With no bytes at all, data may still be NULL. */
  if (appearance->size > 0 && appearance->size <= row->captured)
    memcpy (bytes->data + row->data, appearance->bytes, appearance->size);
  else if (appearance->size > row->captured)
    {
      if (bytes->len > G_MAXUINT32 / 2)
        return FALSE;
      if (row->captured > 0 && row->data + row->captured == bytes->len)
        g_byte_array_set_size (bytes, row->data);
      row->data = bytes->len;
      g_byte_array_append (bytes, appearance->bytes, (guint) appearance->size);
    }
  row->captured = (guint32) appearance->size;
  return TRUE;
}

static gboolean
is_same_place (const NsPacketPlace *a, const NsPacketPlace *b)
{
  return a->interface == b->interface && a->interface_name == b->interface_name &&
         a->drop_reason == b->drop_reason && a->drop_number == b->drop_number &&
         a->is_pktmon == b->is_pktmon && a->pid == b->pid && a->vlan == b->vlan &&
         a->in_tunnel == b->in_tunnel;
}

/* Returns the number of the place, adding it if needed; @guess is tried first. */
static guint32
find_place (NsPacketCopies *self, const NsPacketPlace *place, guint32 guess)
{
  NsMap *known = self->known_places[place->is_pktmon != FALSE];
  guint64 interface = ((guint64) place->interface << 32 | place->interface_name) ^
                      (place->pid != NS_PID_UNKNOWN ? ns_map_mix (place->pid, 1) : 0) ^
                      (place->vlan != 0 ? ns_map_mix (place->vlan, 2) : 0);
  guint64 drop = (guint64) place->drop_number << 32 | place->drop_reason;
  guint32 number;

  if (guess < self->places->len &&
      is_same_place (place, &g_array_index (self->places, NsPacketPlace, guess)))
    return guess;
  number = ns_map_get (known, interface, drop);
  if (number == 0 ||
      !is_same_place (place, &g_array_index (self->places, NsPacketPlace, number - 1)))
    {
      g_array_append_vals (self->places, place, 1);
      number = self->places->len;
      ns_map_set (known, interface, drop, number);
    }
  return number - 1;
}

/* Marks the packet as dropped, with the reason of @appearance. */
static void
set_drop (NsPacketCopies *self, NsPacketRow *row, const NsAppearance *appearance)
{
  NsPacketPlace place = g_array_index (self->places, NsPacketPlace, row->place);

  row->dropped = TRUE;
  place.drop_reason = appearance->row.drop_reason;
  place.drop_number = appearance->row.drop_number;
  row->place = find_place (self, &place, row->place);
}

static NsPacketLink
link_of (guint link_type)
{
  switch (link_type)
    {
    case NS_LINK_RAW_IP:
      return NS_PACKET_RAW_IP;
    case NS_LINK_IEEE_802_11:
      return NS_PACKET_IEEE_802_11;
    case NS_LINK_SMB2:
      return NS_PACKET_SMB2;
    default:
      return NS_PACKET_ETHERNET;
    }
}

/* Makes the row show this appearance, with the drop reason of @dropped. */
static gboolean
show (NsPacketCopies *self,
      NsPacketRow *row,
      const NsPacketPlace *dropped,
      const NsAppearance *appearance)
{
  NsPacketPlace place = { .interface = appearance->row.interface,
                          .interface_name = appearance->row.interface_name,
                          .drop_reason = dropped->drop_reason,
                          .drop_number = dropped->drop_number,
                          .pid = appearance->capture == NS_CAPTURE_VPN ? appearance->row.pid
                                                                       : NS_PID_UNKNOWN,
                          .is_pktmon = appearance->capture == NS_CAPTURE_PKTMON,
                          .in_tunnel = appearance->capture == NS_CAPTURE_VPN };
  NsWireLink link;
  gsize size;

  if (!put_bytes (self, row, appearance))
    return FALSE;
  ns_wire_link_read (&link, appearance->bytes, appearance->size, appearance->row.link_type);
  place.vlan = link.vlan != 0 ? link.vlan : appearance->row.vlan;
  row->time_ns = appearance->row.time_ns;
  row->place = find_place (self, &place, self->last_place);
  self->last_place = row->place;
  row->link = link_of (link.link_type);
  row->length = appearance->row.length;
  if (appearance->capture != NS_CAPTURE_PKTMON)
    {
      size = ns_wire_link_get_frame_size (&link, appearance->bytes, appearance->size);
      row->length = (guint32) MAX (row->length, size);
    }
  return TRUE;
}

/* Returns the component that dropped the packet: only PktMon records drops, and its component
 * numbers have 16 bits. */
static guint16
get_dropper (const NsAppearance *appearance)
{
  return appearance->row.dropped ? (guint16) appearance->row.interface : 0;
}

static NsRow
add_row (NsPacketCopies *self, const NsAppearance *appearance)
{
  NsPacketRow row = { .direction = appearance->row.direction,
                      .appearances = 1,
                      .dropped = appearance->row.dropped };
  const NsPacketPlace dropped = { .drop_reason = appearance->row.drop_reason,
                                  .drop_number = appearance->row.drop_number };
  Choice choice = { .capture = appearance->capture,
                    .rank = appearance->rank,
                    .is_inward = appearance->row.direction > 0,
                    .is_weak = appearance->is_weak != FALSE,
                    .order = appearance->count,
                    .dropped_by = get_dropper (appearance) };

  if (!show (self, &row, &dropped, appearance))
    return 0;
  g_array_append_val (self->rows, row);
  g_array_append_val (self->choices, choice);
  return self->rows->len;
}

/* Returns whether @new is preferred to @old as the row: by capture, by link type, and for PktMon
 * by the distance to the wire. */
static gboolean
is_better (const Choice *new, const Choice *old)
{
  if (new->capture != old->capture)
    return new->capture < old->capture;
  if (new->rank != old->rank)
    return new->rank < old->rank;
  if (new->capture != NS_CAPTURE_PKTMON)
    return FALSE;
  return new->is_inward ? new->order < old->order : new->order > old->order;
}

/* Merges another record of a packet into its row. */
static void
join (NsPacketCopies *self, NsRow number, const NsAppearance *appearance)
{
  NsPacketRow *row = get_row (self, number);
  Choice *old = &g_array_index (self->choices, Choice, number - 1);
  NsPacketPlace dropped;
  Choice new = { .capture = appearance->capture,
                 .rank = appearance->rank,
                 .is_inward = old->is_inward,
                 .order = appearance->count > 0 ? appearance->count : row->appearances };

  if (row->appearances < NS_PACKET_MAX_APPEARANCES)
    row->appearances++;
  if (appearance->row.dropped && !row->dropped)
    {
      set_drop (self, row, appearance);
      old->dropped_by = get_dropper (appearance);
    }
  if (new.capture < old->capture)
    new.is_inward = appearance->row.direction > 0;
  if ((old->is_weak || row->direction == 0) && !appearance->is_weak &&
      appearance->row.direction != 0)
    {
      row->direction = appearance->row.direction;
      old->is_weak = FALSE;
    }
  new.is_weak = old->is_weak;
  new.dropped_by = old->dropped_by;
  if (!is_better (&new, old))
    return;
  dropped = g_array_index (self->places, NsPacketPlace, row->place);
  if (show (self, row, &dropped, appearance))
    *old = new;
}

static void
join_recent (NsPacketCopies *self, Recent *recent, const NsAppearance *appearance)
{
  if (recent->n_places < MAX_PLACES)
    recent->places[recent->n_places++] = get_place (appearance);
  recent->is_numbered = recent->is_numbered || appearance->count > 0;
  join (self, recent->row, appearance);
}

static NsRow
add_message (NsPacketCopies *self, const NsAppearance *appearance)
{
  const Peer peer = { appearance->row.interface, appearance->row.peer };

  if (self->peers == NULL)
    {
      self->known_peers = ns_map_new ();
      self->peers = g_array_new (FALSE, FALSE, sizeof (Peer));
    }
  if (ns_map_get (self->known_peers, peer.number, 0) == 0)
    {
      ns_map_set (self->known_peers, peer.number, 0, 1);
      g_array_append_val (self->peers, peer);
    }
  return add_row (self, appearance);
}

/* Returns the row of @appearance, added if needed; 0: there is no room for its bytes. */
static NsRow
find_or_add (NsPacketCopies *self, const NsAppearance *appearance)
{
  Content content;
  Recent *recent;
  guint64 packet = 0;
  guint64 hash;
  NsRow row;

  if (appearance->capture == NS_CAPTURE_SMB)
    return add_message (self, appearance);
  find_content (&content, appearance->bytes, appearance->size, appearance->row.link_type);
  if (appearance->count > 0)
    {
      packet = ns_map_mix (appearance->number, hash_addresses (&content));
      row = ns_map_get (self->numbered, appearance->group, packet);
      if (row != 0)
        {
          join (self, row, appearance);
          return row;
        }
    }
  hash = hash_content (&content, appearance->row.direction);
  recent = find_either_way (self, appearance, &content, hash);
  if (recent != NULL)
    {
      row = recent->row;
      join_recent (self, recent, appearance);
    }
  else
    {
      row = add_row (self, appearance);
      if (row == 0)
        return 0;
      add_recent (self, appearance, hash, row);
    }
  if (appearance->count > 0)
    ns_map_set (self->numbered, appearance->group, packet, row);
  return row;
}

/**
 * ns_packet_copies_add: (skip)
 * @self: a merger
 * @appearance: a record of a packet
 *
 * Adds a row, or merges the record into the packet's row.
 *
 * Returns: %FALSE if there is no room for its bytes
 */
gboolean
ns_packet_copies_add (NsPacketCopies *self, const NsAppearance *appearance)
{
  NsRow row = find_or_add (self, appearance);

  if (row != 0 && self->func != NULL)
    self->func (row, appearance, self->func_data);
  return row != 0;
}

/**
 * ns_packet_copies_watch: (skip)
 * @self: a merger
 * @func: (scope forever): called for each record from now on
 * @user_data: for @func
 */
void
ns_packet_copies_watch (NsPacketCopies *self, NsAppearanceFunc func, gpointer user_data)
{
  self->func = func;
  self->func_data = user_data;
}

/**
 * ns_packet_copies_hash: (skip)
 * @appearance: a record of a packet
 * @n_hashed: (out): number of bytes hashed
 *
 * Returns: a hash of the beginning of the network packet, without checksums
 */
guint64
ns_packet_copies_hash (const NsAppearance *appearance, gsize *n_hashed)
{
  Content content;

  find_content (&content, appearance->bytes, appearance->size, appearance->row.link_type);
  *n_hashed = MIN (content.size, N_HASHED);
  return hash_content (&content, 0);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = ((const NsPacketRow *) a)->time_ns;
  gint64 second = ((const NsPacketRow *) b)->time_ns;

  return (first > second) - (first < second);
}

/**
 * ns_packet_copies_settle: (skip)
 * @self: a merger
 * @components: components of PktMon; gets which of them dropped each packet
 *
 * To be called after the last record: names the interfaces and sorts the rows by time.
 */
void
ns_packet_copies_settle (NsPacketCopies *self, NsPacketComponents *components)
{
  GArray *rows = self->rows;
  gboolean is_sorted = TRUE;
  guint i;

  for (i = 0; self->peers != NULL && i < self->peers->len; i++)
    {
      const Peer *peer = &g_array_index (self->peers, Peer, i);

      ns_packet_components_note_peer (components, peer->number, &peer->end);
    }
  for (i = 0; i < self->places->len; i++)
    {
      NsPacketPlace *place = &g_array_index (self->places, NsPacketPlace, i);
      const NsPacketComponent *component =
          place->is_pktmon ? ns_packet_components_find (components, place->interface) : NULL;

      if (component != NULL)
        place->interface_name = component->name;
    }
  for (i = 0; i < rows->len; i++)
    {
      const NsPacketRow *row = get_row (self, i + 1);
      const Choice *choice = &g_array_index (self->choices, Choice, i);

      if (choice->dropped_by != 0)
        ns_packet_components_note_drop (components, row->data, choice->dropped_by);
      is_sorted = is_sorted && (i == 0 || get_row (self, i)->time_ns <= row->time_ns);
    }
  if (!is_sorted)
    g_array_sort (rows, compare_times);
  g_array_unref (self->choices);
  self->choices = g_array_new (FALSE, TRUE, sizeof (Choice));
}
