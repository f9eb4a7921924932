/* Merges the reports of one packet at several places of the network stack into one row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-packet-components.h"
#include "engine/ns-tables.h"

G_BEGIN_DECLS

/* Whose row stays when several captured one packet: the lowest. */
typedef enum
{
  NS_CAPTURE_VPN,
  NS_CAPTURE_PKTMON,
  NS_CAPTURE_NDIS,
  NS_CAPTURE_SMB, /* messages, no packets: each is one of its own */
} NsCapture;

/* Where packets go, all of them the caller's. */
typedef struct
{
  GArray *rows;      /* element-type NsPacketRow */
  GByteArray *bytes; /* of them */
  GArray *places;    /* element-type NsPacketPlace */
} NsPacketTable;

/* What a record says of its packet. */
typedef struct
{
  gint64 time_ns;
  guint32 interface;
  NsString interface_name;
  NsEndpoint peer; /* of a message */
  NsString drop_reason;
  guint32 drop_number;
  guint32 length;
  guint32 pid;
  guint16 link_type; /* as the bytes are labelled */
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
  guint64 place;    /* where in the stack, of this capture */
  guint8 rank;      /* of what its bytes begin with: the lowest is wanted most */
  guint16 count;    /* how many were before it, as PktMon counts; 0 when it does not */
  guint16 number;   /* PktMon, with @count: the packet in @group */
  guint64 group;    /* likewise */
  gboolean is_drop; /* the record tells of a drop: it never adds a packet to one that is known */
  gboolean is_weak; /* its direction is that of a port of a switch */
  guint16 edge;     /* PktMon: side of the component */
} NsAppearance;

/* Told of each record once it is known of which row it is, by number. */
typedef void (*NsAppearanceFunc) (NsRow row, const NsAppearance *appearance, gpointer user_data);

typedef struct _NsPacketCopies NsPacketCopies;

NsPacketCopies *ns_packet_copies_new (const NsPacketTable *table);
void ns_packet_copies_watch (NsPacketCopies *self, NsAppearanceFunc func, gpointer user_data);
void ns_packet_copies_free (NsPacketCopies *self);
gboolean ns_packet_copies_add (NsPacketCopies *self, const NsAppearance *appearance);
guint64 ns_packet_copies_hash (const NsAppearance *appearance, gsize *n_hashed);
void ns_packet_copies_settle (NsPacketCopies *self, NsPacketComponents *components);

G_END_DECLS
