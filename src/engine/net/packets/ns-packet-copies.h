/* Merges the records of one packet at several places of the network stack into one row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/packets/ns-packet-components.h"
#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

/* Captures in order of preference: the lowest value provides the row's bytes. */
typedef enum
{
  NS_CAPTURE_VPN,
  NS_CAPTURE_PKTMON,
  NS_CAPTURE_NDIS,
  NS_CAPTURE_SMB, /* messages, not packets; each has its own row */
} NsCapture;

/* Output tables, owned by the caller. */
typedef struct
{
  GArray *rows;      /* element-type NsPacketRow */
  GByteArray *bytes; /* bytes of all rows */
  GArray *places;    /* element-type NsPacketPlace */
} NsPacketTable;

/* Packet data of a record. */
typedef struct
{
  gint64 time_ns;
  guint32 interface;
  NsString interface_name;
  NsEndpoint peer; /* remote endpoint, for messages */
  NsString drop_reason;
  guint32 drop_number;
  guint32 length;
  guint32 pid;
  guint16 link_type; /* link type of the bytes */
  guint16 vlan;
  gint8 direction;
  NsBool dropped;
} NsPacketReport;

/* One record of a packet at one place of the stack. */
typedef struct
{
  NsPacketReport row;
  const guint8 *bytes;
  gsize size;
  NsCapture capture;
  guint64 place;    /* location in the stack, unique within the capture */
  guint8 rank;      /* preference by link type: the lowest is best */
  guint16 count;    /* PktMon's number of earlier appearances; 0: it does not count them */
  guint16 number;   /* PktMon, with @count: number of the packet in @group */
  guint64 group;    /* PktMon, with @count: group of @number */
  gboolean is_drop; /* a drop record, which never adds a packet if it matches one */
  gboolean is_weak; /* the direction is relative to a switch port */
  guint16 edge;     /* PktMon: edge of the component */
} NsAppearance;

/* Called for each record, once its row number is known. */
typedef void (*NsAppearanceFunc) (NsRow row, const NsAppearance *appearance, gpointer user_data);

typedef struct _NsPacketCopies NsPacketCopies;

NsPacketCopies *ns_packet_copies_new (const NsPacketTable *table);
void ns_packet_copies_watch (NsPacketCopies *self, NsAppearanceFunc func, gpointer user_data);
void ns_packet_copies_free (NsPacketCopies *self);
gboolean ns_packet_copies_add (NsPacketCopies *self, const NsAppearance *appearance);
guint64 ns_packet_copies_hash (const NsAppearance *appearance, gsize *n_hashed);
void ns_packet_copies_settle (NsPacketCopies *self, NsPacketComponents *components);

G_END_DECLS
