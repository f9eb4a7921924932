/* Components of the network stack as PktMon describes them.
 *
 * Layouts and property numbers are those of the manifest of Microsoft-Windows-PktMon (Windows 10
 * 19045 and Windows 11 28000 agree): events 20 and 270 describe a component, 30 a numeric property
 * of it, 65 and 66 an IP address, 70 a physical address, 90 an edge. They are written at the end of
 * a recording.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-components.h"

#include "base/ns-cursor.h"
#include "base/ns-map.h"

#include <string.h>

/* Component numbers have 16 bits; a component has few addresses and edges. */
#define MAX_COMPONENTS 65536
#define MAX_ADDRESSES 65536

/* TCPIP's IpInterfaceRundown (1202), per its Windows manifest: index, speed, protocol, IPv4
 * address, size of the rest, IPv6 address. */
#define INTERFACE_BYTES (4 + 8 + 4)
#define MAX_EDGES 65536

enum
{
  PKTMON_COMPONENT = 20,
  PKTMON_NUMBER = 30,
  PKTMON_IPV4 = 65,
  PKTMON_IPV6 = 66,
  PKTMON_BYTES = 70,
  PKTMON_EDGE = 90,
  PKTMON_REGISTERED = 270,
};

/* Types of properties. */
enum
{
  PROPERTY_IF_INDEX = 1,
  PROPERTY_MINIPORT_IF_INDEX = 2,
  PROPERTY_PHYS_ADDRESS = 6,
  PROPERTY_IP_IF_INDEX = 14,
};

typedef struct
{
  guint32 component;
  NsIp ip;
} Address;

struct _NsPacketComponents
{
  GArray *components; /* element-type NsPacketComponent, in order of first mention */
  GArray *ranks;      /* element-type guint8: rank of the property that each adapter comes from */
  GArray *addresses;  /* element-type Address */
  NsMap *by_address;  /* (hash of an address, 0) → 1 */
  NsMap *by_id;       /* (id, 0) → number + 1 */
  NsMap *edges;       /* (id, edge) → name */
  NsMap *peers;       /* (number of a message's peer, 0) → index in ends + 1 */
  GArray *ends;       /* (element-type NsEndpoint) */
  NsMap *drops;       /* (offset of a packet's bytes, 0) → component that dropped it */
};

/**
 * ns_packet_components_new: (skip)
 *
 * Returns: (transfer full): an empty set
 */
NsPacketComponents *
ns_packet_components_new (void)
{
  NsPacketComponents *self = g_new0 (NsPacketComponents, 1);

  self->components = g_array_new (FALSE, TRUE, sizeof (NsPacketComponent));
  self->ranks = g_array_new (FALSE, TRUE, sizeof (guint8));
  self->addresses = g_array_new (FALSE, TRUE, sizeof (Address));
  self->by_id = ns_map_new ();
  self->edges = ns_map_new ();
  self->drops = ns_map_new ();
  self->peers = ns_map_new ();
  self->ends = g_array_new (FALSE, FALSE, sizeof (NsEndpoint));
  self->by_address = ns_map_new ();
  return self;
}

/**
 * ns_packet_components_free: (skip)
 * @self: (transfer full) (nullable): components
 */
void
ns_packet_components_free (NsPacketComponents *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->components);
  g_array_unref (self->ranks);
  g_array_unref (self->addresses);
  ns_map_free (self->by_id);
  ns_map_free (self->edges);
  ns_map_free (self->drops);
  ns_map_free (self->peers);
  g_array_unref (self->ends);
  ns_map_free (self->by_address);
  g_free (self);
}

/* Returns the component, added if needed, until the next one is added; %NULL: the maximum number
 * is reached. */
static NsPacketComponent *
ensure (NsPacketComponents *self, guint32 id)
{
  guint32 number = ns_map_get (self->by_id, id, 0);
  NsPacketComponent component = { .id = id };
  guint8 rank = 0;

  if (number == 0)
    {
      if (self->components->len >= MAX_COMPONENTS)
        return NULL;
      g_array_append_val (self->components, component);
      g_array_append_val (self->ranks, rank);
      number = self->components->len;
      ns_map_set (self->by_id, id, 0, number);
    }
  return &g_array_index (self->components, NsPacketComponent, number - 1);
}

static void
learn_name (NsPacketComponents *self, NsStrings *strings, NsCursor *cursor)
{
  guint32 id = ns_cursor_u16 (cursor);
  NsPacketComponent *component;
  const guint8 *name;
  const guint8 *description;
  gsize n_name;
  gsize n_description;

  ns_cursor_skip (cursor, 2); /* its type */
  name = ns_cursor_wstr (cursor, &n_name);
  description = ns_cursor_wstr (cursor, &n_description);
  if (name == NULL || (n_name == 0 && (description == NULL || n_description == 0)))
    return;
  component = ensure (self, id);
  if (component == NULL)
    return;
  if (description != NULL && n_description > 0)
    component->description = ns_strings_add_utf16 (strings, description, n_description);
  if (n_name > 0)
    component->name = ns_strings_add_utf16 (strings, name, n_name);
  /* A driver without a file is named by its description. */
  if (component->name == NS_STRING_NONE ||
      strcmp (ns_strings_get (strings, component->name), "NULL") == 0)
    component->name = component->description;
}

/* Returns the rank of a property with an interface index: a filter has its own index and that of
 * its adapter, whose addresses count. */
static guint8
get_rank (guint16 property)
{
  switch (property)
    {
    case PROPERTY_MINIPORT_IF_INDEX:
      return 3;
    case PROPERTY_IP_IF_INDEX:
      return 2;
    case PROPERTY_IF_INDEX:
      return 1;
    default:
      return 0;
    }
}

static void
learn_number (NsPacketComponents *self, NsCursor *cursor)
{
  guint32 id = ns_cursor_u16 (cursor);
  guint8 rank = get_rank (ns_cursor_u16 (cursor));
  guint32 value = ns_cursor_u32 (cursor);
  NsPacketComponent *component;
  guint8 *old;

  if (!ns_cursor_ok (cursor) || rank == 0 || value == 0)
    return;
  component = ensure (self, id);
  if (component == NULL)
    return;
  old = &g_array_index (self->ranks, guint8, ns_map_get (self->by_id, id, 0) - 1);
  if (rank < *old)
    return;
  *old = rank;
  component->adapter = value;
}

static void
learn_address (NsPacketComponents *self, NsCursor *cursor, gboolean is_v6)
{
  Address address = { .component = ns_cursor_u16 (cursor) };
  const guint8 *bytes;

  ns_cursor_skip (cursor, 2);
  bytes = ns_cursor_take (cursor, is_v6 ? 16 : 4);
  if (bytes == NULL || self->addresses->len >= MAX_ADDRESSES ||
      ensure (self, address.component) == NULL)
    return;
  address.ip = is_v6 ? ns_ip_from_v6 (bytes) : ns_ip_from_v4 (bytes);
  g_array_append_val (self->addresses, address);
  ns_map_set (self->by_address, ns_ip_hash (&address.ip), 0, 1);
}

static void
learn_mac (NsPacketComponents *self, NsCursor *cursor)
{
  guint32 id = ns_cursor_u16 (cursor);
  guint16 property = ns_cursor_u16 (cursor);
  guint32 size = ns_cursor_u32 (cursor);
  const guint8 *bytes = ns_cursor_take (cursor, NS_MAC_SIZE);
  NsPacketComponent *component;

  if (bytes == NULL || property != PROPERTY_PHYS_ADDRESS || size != NS_MAC_SIZE)
    return;
  component = ensure (self, id);
  if (component == NULL)
    return;
  component->has_mac = TRUE;
  memcpy (component->mac, bytes, NS_MAC_SIZE);
}

static void
learn_edge (NsPacketComponents *self, NsStrings *strings, NsCursor *cursor)
{
  guint32 id = ns_cursor_u16 (cursor);
  const guint8 *name;
  guint32 edge;
  gsize n;

  name = ns_cursor_wstr (cursor, &n);
  edge = ns_cursor_u16 (cursor);
  if (ns_cursor_ok (cursor) && name != NULL && n > 0 && ns_map_get_size (self->edges) < MAX_EDGES)
    ns_map_set (self->edges, id, edge, ns_strings_add_utf16 (strings, name, n));
}

/**
 * ns_packet_components_learn: (skip)
 * @self: components
 * @strings: gets the names
 * @record: a PktMon record
 *
 * Reads properties of a component from the record.
 */
void
ns_packet_components_learn (NsPacketComponents *self, NsStrings *strings, const NsRecord *record)
{
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  switch (record->id)
    {
    case PKTMON_COMPONENT:
    case PKTMON_REGISTERED:
      learn_name (self, strings, &cursor);
      break;
    case PKTMON_NUMBER:
      learn_number (self, &cursor);
      break;
    case PKTMON_IPV4:
    case PKTMON_IPV6:
      learn_address (self, &cursor, record->id == PKTMON_IPV6);
      break;
    case PKTMON_BYTES:
      learn_mac (self, &cursor);
      break;
    case PKTMON_EDGE:
      learn_edge (self, strings, &cursor);
      break;
    default:
      break;
    }
}

/**
 * ns_packet_components_learn_interface: (skip)
 * @self: the object
 * @record: event 1202 of TCPIP: an interface of this machine
 *
 * Adds the interface's addresses to those of the machine. The event does not name a component.
 */
void
ns_packet_components_learn_interface (NsPacketComponents *self, const NsRecord *record)
{
  const guint8 *v4;
  const guint8 *v6;
  NsCursor cursor;
  NsIp ip;

  ns_record_cursor (record, &cursor);
  ns_cursor_skip (&cursor, INTERFACE_BYTES);
  v4 = ns_cursor_take (&cursor, 4);
  v6 = ns_cursor_u32 (&cursor) == 16 ? ns_cursor_take (&cursor, 16) : NULL;
  if (v4 == NULL || ns_map_get_size (self->by_address) >= MAX_ADDRESSES)
    return;
  ip = ns_ip_from_v4 (v4);
  ns_map_set (self->by_address, ns_ip_hash (&ip), 0, 1);
  if (v6 == NULL)
    return;
  ip = ns_ip_from_v6 (v6);
  ns_map_set (self->by_address, ns_ip_hash (&ip), 0, 1);
}

/**
 * ns_packet_components_get_size: (skip)
 * @self: components
 *
 * Returns: number of components
 */
guint
ns_packet_components_get_size (const NsPacketComponents *self)
{
  return self->components->len;
}

/**
 * ns_packet_components_get: (skip)
 * @self: components
 * @n: index, from 0
 *
 * Returns: (transfer none): the component
 */
const NsPacketComponent *
ns_packet_components_get (const NsPacketComponents *self, guint n)
{
  return &g_array_index (self->components, NsPacketComponent, n);
}

/**
 * ns_packet_components_find: (skip)
 * @self: components
 * @id: component number in packet records
 *
 * Returns: (transfer none) (nullable): the component; %NULL if the trace does not describe it
 */
const NsPacketComponent *
ns_packet_components_find (const NsPacketComponents *self, guint32 id)
{
  guint32 number = ns_map_get (self->by_id, id, 0);

  return number != 0 ? ns_packet_components_get (self, number - 1) : NULL;
}

/**
 * ns_packet_components_find_mac: (skip)
 * @self: components
 * @id: number of a component
 *
 * Returns: (transfer none) (nullable): physical address, %NS_MAC_SIZE bytes, of the component or of
 *   another component of its adapter
 */
const guint8 *
ns_packet_components_find_mac (const NsPacketComponents *self, guint32 id)
{
  const NsPacketComponent *component = ns_packet_components_find (self, id);
  guint i;

  if (component == NULL || component->has_mac)
    return component != NULL ? component->mac : NULL;
  for (i = 0; component->adapter != 0 && i < self->components->len; i++)
    {
      const NsPacketComponent *other = ns_packet_components_get (self, i);

      if (other->has_mac && other->adapter == component->adapter)
        return other->mac;
    }
  return NULL;
}

static gboolean
has_address (const GArray *addresses, const NsIp *ip)
{
  guint i;

  for (i = 0; i < addresses->len; i++)
    if (ns_ip_equal (&g_array_index (addresses, NsIp, i), ip))
      return TRUE;
  return FALSE;
}

/**
 * ns_packet_components_list_addresses: (skip)
 * @self: components
 * @id: number of a component
 *
 * Returns: (transfer full) (element-type NsIp): the addresses of its adapter, each once
 */
GArray *
ns_packet_components_list_addresses (const NsPacketComponents *self, guint32 id)
{
  const NsPacketComponent *component = ns_packet_components_find (self, id);
  GArray *addresses = g_array_new (FALSE, FALSE, sizeof (NsIp));
  guint i;

  for (i = 0; component != NULL && i < self->addresses->len; i++)
    {
      const Address *address = &g_array_index (self->addresses, Address, i);
      const NsPacketComponent *owner = ns_packet_components_find (self, address->component);

      if (owner == component || (component->adapter != 0 && owner->adapter == component->adapter))
        if (!has_address (addresses, &address->ip))
          g_array_append_val (addresses, address->ip);
    }
  return addresses;
}

/**
 * ns_packet_components_has_address: (skip)
 * @self: components
 * @ip: an address
 *
 * Returns: whether an adapter of this machine has it
 */
gboolean
ns_packet_components_has_address (const NsPacketComponents *self, const NsIp *ip)
{
  return ns_map_get (self->by_address, ns_ip_hash (ip), 0) != 0;
}

/**
 * ns_packet_components_get_edge_name: (skip)
 * @self: components
 * @id: number of a component
 * @edge: number of one of its edges
 *
 * Returns: name of the edge, such as Upper; %NS_STRING_NONE if unknown
 */
NsString
ns_packet_components_get_edge_name (const NsPacketComponents *self, guint32 id, guint32 edge)
{
  return ns_map_get (self->edges, id, edge);
}

/**
 * ns_packet_components_note_drop: (skip)
 * @self: components
 * @data: offset of the packet's bytes in the trace's packet bytes, as in its row
 * @id: the component that dropped it first
 */
void
ns_packet_components_note_drop (NsPacketComponents *self, guint32 data, guint32 id)
{
  ns_map_set (self->drops, data, 0, id);
}

/**
 * ns_packet_components_find_dropper: (skip)
 * @self: (nullable): components
 * @data: offset of the packet's bytes in the trace's packet bytes, as in its row
 *
 * Returns: (nullable) (transfer none): the component that dropped it first; %NULL if unknown
 */
const NsPacketComponent *
ns_packet_components_find_dropper (const NsPacketComponents *self, guint32 data)
{
  guint32 id = self != NULL ? ns_map_get (self->drops, data, 0) : 0;

  return id != 0 ? ns_packet_components_find (self, id) : NULL;
}

/**
 * ns_packet_components_note_peer: (skip)
 * @self: components
 * @number: number of the peer in the rows of its messages
 * @peer: its endpoint
 *
 * Sets the endpoint of a peer, unless it is set already.
 */
void
ns_packet_components_note_peer (NsPacketComponents *self, guint32 number, const NsEndpoint *peer)
{
  if (ns_map_get (self->peers, number, 0) != 0)
    return;
  g_array_append_val (self->ends, *peer);
  ns_map_set (self->peers, number, 0, self->ends->len);
}

/**
 * ns_packet_components_find_peer: (skip)
 * @self: (nullable): components
 * @number: number of the peer of a message
 *
 * Returns: (nullable) (transfer none): its endpoint; %NULL if unknown
 */
const NsEndpoint *
ns_packet_components_find_peer (const NsPacketComponents *self, guint32 number)
{
  guint64 end = self != NULL ? ns_map_get (self->peers, number, 0) : 0;

  return end != 0 ? &g_array_index (self->ends, NsEndpoint, end - 1) : NULL;
}

/**
 * ns_packet_drop_is_for_others:
 * @reason: PktMon's number of a drop reason
 *
 * A network delivers frames for other machines, and an adapter frames of multicast groups that no
 * local program joined; dropping them is normal operation.
 *
 * Returns: whether the reason is one of these
 */
gboolean
ns_packet_drop_is_for_others (guint32 reason)
{
  switch (reason)
    {
    case 0x22:  /* packet does not match destination NIC packet filter */
    case 0x386: /* not locally destined */
    case 0x3df: /* ICMP: not locally destined */
    case 0x3e3: /* ARP: not locally destined */
      return TRUE;
    default:
      return FALSE;
    }
}
