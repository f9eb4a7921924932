/* The table of captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-components.h"
#include "engine/net/packets/ns-packet-reader.h"

/* Event ID of an interface of this machine. */
#define TCPIP_INTERFACE 1202

struct _NsPackets
{
  NsPacketCopies *copies;
  NsPacketReader *reader;
};

static void
packets_start (NsBuilder *builder)
{
  NsPackets *self = builder->packets = g_new0 (NsPackets, 1);
  NsTrace *trace = builder->trace;

  trace->packet_components = ns_packet_components_new ();
  ns_trace_own (trace, trace->packet_components, (GDestroyNotify) ns_packet_components_free);
  self->copies = ns_packet_copies_new (
      &(NsPacketTable){ trace->packets, trace->packet_bytes, trace->packet_places });
  self->reader =
      ns_packet_reader_new (trace->schemas, trace->secrets, trace->strings, self->copies);
}

static void
packets_stop (NsBuilder *builder)
{
  NsPackets *self = builder->packets;

  ns_packet_reader_free (self->reader);
  ns_packet_copies_free (self->copies);
  g_clear_pointer (&builder->packets, g_free);
}

static void
packet_event (NsBuilder *builder, const NsRecord *record)
{
  ns_packet_reader_read (builder->packets->reader, record);
}

static void
pktmon_event (NsBuilder *builder, const NsRecord *record)
{
  ns_packet_components_learn (builder->trace->packet_components, builder->trace->strings, record);
  packet_event (builder, record);
}

static void
tcpip_event (NsBuilder *builder, const NsRecord *record)
{
  if (record->id == TCPIP_INTERFACE)
    ns_packet_components_learn_interface (builder->trace->packet_components, record);
}

static void
packets_finish (NsBuilder *builder)
{
  ns_packet_copies_settle (builder->packets->copies, builder->trace->packet_components);
}

static const NsProviderOps packets_ops[] = {
  { NS_GUID_NDIS_PACKET_CAPTURE, NULL, packet_event },
  { NS_GUID_PKTMON, NULL, pktmon_event },
  { NS_GUID_NDIS_WAN_CAPTURE, NULL, packet_event },
  { NS_GUID_SMB_CLIENT, NULL, packet_event },
  { NS_GUID_TCPIP, NULL, tcpip_event },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (packets, NsPacketRow, NULL),
  NS_PART_TABLE (packet_places, NsPacketPlace, NULL),
  NS_PART_TABLE (flows, NsFlowRow, NULL),
};

const NsPart ns_packets_part = {
  .name = "packets",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = packets_start,
  .number = packets_finish,
  .stop = packets_stop,
  .ops = packets_ops,
  .n_ops = G_N_ELEMENTS (packets_ops),
};
